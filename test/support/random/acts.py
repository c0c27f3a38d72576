"""
What a user does with contexts of a compiled model, at random: runs, copies, resets, other parameters, states and generators.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from support.random.nodes import Choices

import cogir

CONTEXTS = ("first", "second")


@dataclass(frozen=True)
class Act:
    """
    One thing that is done in a context.

    `what` is "run" (`number` trials), "reset", "copy" (into context `path`), "parameter", "state" (`path` becomes `number`), or
    "generator" (that at `path` takes the state of a generator with the key (`number`, 1, 2)).
    """

    what: str
    context: str
    path: str = ""
    number: float = 0.0


def random_acts(choices: Choices, model: cogir.Model, changed: Mapping[str, float]) -> list[Act]:
    """
    Some acts in two contexts, the last of them a run in each. `changed`: parameters that may change, each with a number that it may be;
    a half of it is another one.
    """
    nodes = [node for node in model.nodes.values() if isinstance(node, cogir.Node) and node.record.body]
    states = [f"{node.name}/state:{name}" for node in nodes for name in node.record.body.states]  # pyright: ignore[reportOptionalMemberAccess]
    streams = [f"{node.name}/random:{name}" for node in nodes for name in node.record.body.streams]  # pyright: ignore[reportOptionalMemberAccess]
    paths = {"parameter": list(changed), "state": states, "generator": streams}
    acts: list[Act] = []
    for _ in range(choices.between(1, 5)):
        what, context = choices.of(["run", "run", "reset", "copy", *(name for name, known in paths.items() if known)]), choices.of(CONTEXTS)
        choices.tags[f"act: {what}"] += 1
        match what:
            case "run":
                acts.append(Act(what, context, number=choices.between(1, 3)))
            case "reset":
                acts.append(Act(what, context))
            case "copy":
                acts.append(Act(what, context, CONTEXTS[1 - CONTEXTS.index(context)]))
            case _:
                path = choices.of(paths[what])
                acts.append(Act(what, context, path, changed[path] / 2.0 if what == "parameter" else choices.between(0, 1)))
    return [*acts, *(Act("run", context, number=2) for context in CONTEXTS)]
