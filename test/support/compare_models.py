"""What can be seen of a model that runs, and where two ways of running it differ."""

import re
import warnings
from collections.abc import Callable, Iterable, Sequence
from itertools import zip_longest
from typing import Any, cast

import numpy as np
from support.random.models import Drawn
from support.specialised import specialised_runs

from cogir.dialects import cog
from cogir.errors import ExecutionError
from cogir.frontend.builder.forgotten_resets import ResetWarning
from cogir.frontend.compile import source_of
from cogir.library.random.generators import keyed_words
from cogir.lowering.pipeline import OPTIMISATIONS, lower_to, passes_between
from cogir.runtime.compiled import Compiled, FinishedWarning
from cogir.runtime.context import Context
from cogir.runtime.flags import FLAGS, OutOfRangeWarning, UnfinishedWarning
from cogir.runtime.modes import OrderWarning
from cogir.runtime.recorded import recorded
from cogir.runtime.results import Result

Behaviour = list[tuple[str, bytes]]
"""What was looked at, and its bits."""


WAYS: dict[str, tuple[str, ...]] = {
    "none": OPTIMISATIONS,
    **{f"without {name}": (name,) for name in OPTIMISATIONS},
    **{f"only {name}": tuple(other for other in OPTIMISATIONS if other != name) for name in OPTIMISATIONS},
}
"""What can be left out, and must not be seen: all optimisations, each one, and all but each one."""
KEPT = ("port", "state", "signal", "duration", "seeds", "found", "values")
"""What of the state every way of running a model has; counts of a schedule stand only where something asks for them."""
SILENCED = (OrderWarning, FinishedWarning, ResetWarning, UnfinishedWarning, OutOfRangeWarning)
"""Warnings about models that a modeller hardly meant, which random models have too."""


def is_kept(path: str, compiled: Compiled | Context) -> bool:
    """True if every way of running a model has this part of its state; what a search has found stands there from the first one on."""
    owner, _, name = path.rpartition("/")
    if name.startswith("found:") and not compiled.state[f"{owner}/found:searches"]:
        return False
    return name.partition(":")[0] in KEPT


def bits(values: Any) -> bytes:
    """The bits of numbers: of floats with all NaNs alike (their sign and payload are nobody's promise), of whole numbers in 64 bits."""
    numbers = np.asarray(values).ravel()
    if numbers.dtype.kind in "iub":
        return numbers.astype(np.int64).tobytes()
    floats = numbers.astype(float)
    return np.where(np.isnan(floats), np.nan, floats).tobytes()


def behaviour(drawn: Drawn, mode: str, **options: Any) -> Behaviour:
    """Everything that can be seen of three runs of a model that is compiled for one mode, with these options."""
    return behaviours(drawn, [mode], limited=False, **options)[0]


def behaviours(drawn: Drawn, modes: Sequence[str], limited: bool = True, **options: Any) -> list[Behaviour]:
    """
    Everything that can be seen of three runs in each mode: the results of each trial, what controllers chose, and the state that is
    left after each run; if `limited`, of two more, with so low limits of steps, where the modes have them, that many end by an error.

    Of schedules that a modeller hardly meant, which random models have too, nothing is said.
    """
    with warnings.catch_warnings():
        for category in SILENCED:
            warnings.simplefilter("ignore", category)
        compiled = [drawn.model.compile(mode=mode, cache=False, **options) for mode in modes]
        return [_behaviour(drawn, each, limits_of(drawn, compiled) if limited else []) for each in compiled]


def limits_of(drawn: Drawn, compiled: Sequence[Compiled]) -> list[str]:
    """
    The limits of steps that count the same in all modes: not that of passes where one model stands within another, because
    machine code counts the passes only of those among them whose schedule depends on data.
    """
    limits = set.intersection(*({path for path in each.params if "limit:" in path} for each in compiled))
    if any(isinstance(op, cog.InstanceOp) for op in drawn.model.ir().walk()):
        limits.discard("limit:passes")
    return sorted(limits)


def _behaviour(drawn: Drawn, compiled: Compiled, limits: Sequence[str]) -> Behaviour:
    seen: Behaviour = []
    before = {path: compiled.params[path] for path in limits}
    for run, trials in enumerate((drawn.trials, 1, 2, 2, 2) if limits else (drawn.trials, 1, 2)):
        for path, value in drawn.changes.items() if run == 1 else ():
            compiled.params[path] = value
        for number, path in enumerate(limits if run == 3 else ()):
            compiled.params[path] = 1 + (drawn.trials + number) % 3
        seen += _run_in(drawn, compiled, None, trials, f"run {run}")
    compiled.params.update(before)
    return seen + _in_contexts(drawn, compiled)


def _of_results(result: Result, when: str) -> Behaviour:
    """The results of each trial, each port by itself too, and what controllers chose."""
    seen: Behaviour = []
    for trial, values in enumerate(result.results):
        seen.append((f"the results of trial {trial} of {when}", b"".join(map(bits, values))))
    seen += [(f"{path} in {when}", bits(result[path])) for path in result.outputs]
    seen += [(f"what of {path} was cut off in {when}", bits(cut_off)) for path, cut_off in result.unfinished.items()]
    return seen + [(f"what {name} chose in {when}", bits(allocation)) for name, allocation in result.allocations.items()]


def _of_state(context: Compiled | Context, when: str) -> Behaviour:
    """What is left in a context after a run."""
    seen: Behaviour = []
    for path in sorted(context.state):
        if is_kept(path, context):
            seen.append((f"{path} after {when}", bits(context.state[path])))
    for path in sorted(context.generators):
        seen.append((f"generator {path} after {when}", context.generators.words(path).tobytes()))
    return seen


def _in_contexts(drawn: Drawn, compiled: Compiled) -> Behaviour:
    """What is seen of the acts in contexts of their own."""
    seen: Behaviour = []
    held: dict[str, Context] = {}
    for number, act in enumerate(drawn.acts):
        context = held.get(act.context) or held.setdefault(act.context, compiled.context(act.context))
        when = f"act {number} ({act.what} in {act.context})"
        match act.what:
            case "run":
                seen += _run_in(drawn, compiled, context, int(act.number), when)
            case "reset":
                context.reset()
            case "copy":
                held[act.path] = context.copy()
            case "parameter":
                context.params[act.path] = act.number
            case "state":
                context.state[act.path] = act.number
            case _:
                context.generators[act.path] = keyed_words(compiled.plan.generators[act.path].kind, int(act.number), 1, 2)
    return seen


def _run_in(drawn: Drawn, compiled: Compiled, context: Context | None, trials: int, when: str) -> Behaviour:
    """A run in a context (None: the default one), which may stop at a limit of steps, and what it leaves there."""
    seen: Behaviour = []
    try:
        result = compiled.run(drawn.inputs, num_trials=trials, context=context)
    except ExecutionError as error:
        seen.append((f"how {when} ends", _who_stopped(str(error)).encode()))
        result = cast(Result, error.result)
    return seen + _of_results(result, when) + _of_state(compiled if context is None else context, when)


def _who_stopped(message: str) -> str:
    """Who reached a limit of steps, or gave up the trial: the part of the message that all modes have alike."""
    return "a schedule" if "schedule" in message else re.split(" reached| failed", message)[0]


def replicated(drawn: Drawn, count: int, seed: int, **options: Any) -> Behaviour:
    """Everything that can be seen of replicates of a model that is compiled with these options."""
    with warnings.catch_warnings():
        for category in SILENCED:
            warnings.simplefilter("ignore", category)
        compiled = drawn.model.compile(cache=False, **options)
        try:
            found = compiled.replicates(drawn.inputs, count=count, num_trials=drawn.trials, seed=seed)
        except ExecutionError as error:  # of several replicates that reach a limit, any one may be named
            return [("how replicates end", str(error).partition(" of steps")[0].rpartition(": ")[2].encode())]
    cut_off = [(f"what of {path} was cut off", bits(values)) for path, values in found.unfinished.items()]
    return (
        cut_off
        + [(f"{path} of replicates", bits(found[path])) for path in found.outputs]
        + [("lengths of replicates", found.lengths.tobytes())]
    )


def first_difference(left: Behaviour, right: Behaviour) -> str | None:
    """What differs first."""
    for one, other in zip_longest(left, right):
        if one != other:
            return " or ".join(dict.fromkeys(part[0] for part in (one, other) if part is not None))
    return None


def code(drawn: Drawn, entry: str, without: tuple[str, ...]) -> str:
    """What decides how a model behaves: what it is at stage `machine`, and which passes come then."""
    module = recorded(source_of(drawn.model).build()).module
    lower_to(
        module,
        "machine",
        without=without,
        options={"replicate": {"enabled": entry == "replicates"}, "convert-cog-to-machine": {"flags": FLAGS}},
    )
    return f"{module}\n{passes_between('machine', 'llvm', without)}"


def compare_ways(drawn: Drawn, ways: Iterable[str], count: int = 5) -> None:
    """
    Fails when a model, run by itself or as replicates, shows other behaviour where optimisations are left out, or the values of
    its parameters are folded in. Ways that come to the same code are tried once.
    """
    looks: dict[str, Callable[[tuple[str, ...]], Behaviour]] = {
        "run": lambda without: behaviour(drawn, "run", without=without),
        "replicates": lambda without: replicated(drawn, count, drawn.trials, without=without),
    }
    with np.errstate(all="ignore"):
        generic = behaviour(drawn, "run")
        with specialised_runs():
            for without in ((), OPTIMISATIONS):
                difference = first_difference(generic, behaviour(drawn, "run", without=without))
                assert difference is None, f"specialised, without {without}: {difference}\n{drawn.model.ir()}"
        for entry, look in looks.items():
            expected, tried = look(()), {code(drawn, entry, ())}
            for way in ways:
                if (made := code(drawn, entry, WAYS[way])) not in tried:
                    difference = first_difference(expected, look(WAYS[way]))
                    assert difference is None, f"{entry} with {way} other than with all: {difference}\n{drawn.model.ir()}"
                    tried.add(made)


def compare(drawn: Drawn, modes: Sequence[str] = ("python", "run")) -> None:
    """Fails when two modes show different behaviour of a model."""
    with np.errstate(all="ignore"):
        left, right = behaviours(drawn, modes)
    difference = first_difference(left, right)
    assert difference is None, f"interpreted and compiled differ: {difference}\n{drawn.inputs}, {drawn.changes}\n{drawn.model.ir()}"
