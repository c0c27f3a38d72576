"""Reading changes nothing: models, compiled models and contexts that were looked at in every way give the same bits as others."""

from __future__ import annotations

import copy
import inspect
import pickle
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from support.long import long

import cogir
from cogir import library
from cogir.runtime.context import Context

CHANGES = {
    *("reset", "run", "replicates", "sweep", "learn", "specialise", "restart", "begin_use", "end_run", "note", "put_back", "is_copied"),
    *("runs_at_once", "begin", "take_states_set", "seed_generators", "pop", "popitem", "clear", "compile", "without_reactions"),
    *("state_store", "fresh", "start"),
}
"""The methods that are there to change something, and those of the runtime itself."""
INSIDE = {"engine", "learner", "draw", "plan", "inputs", "reactions", "about", "origin", "learning", "meter", "recording", "job", "modes"}
"""The attributes that users are not told of."""
INPUTS = {"stimulus": [[1.0], [0.3]]}


def model() -> cogir.Model:
    m = cogir.Model("looked_at", seed=4)
    stimulus = m.node("stimulus", input=1)
    memory = m.node("memory", library.drift_diffusion_integrator, noise=0.3)
    total = m.node("total", library.drift_diffusion_integrator)
    m.project(stimulus, memory)
    m.project(memory["value"], total)
    m.record(memory["value"])
    m.output(memory, total)
    return m


def read(thing: Any, depth: int = 2) -> int:
    """Looks at a thing in every way that there is, and at what that gives; the number of looks."""
    count = 1
    repr(thing), str(thing)
    with suppress(Exception):  # many things can be neither copied nor pickled
        copy.copy(thing), copy.deepcopy(thing)
    with suppress(Exception):
        pickle.loads(pickle.dumps(thing))
    if isinstance(thing, Mapping):
        names = list(thing)
        assert len(names) == len(thing)
        for name in names:
            thing[name], thing.get(name), name in thing
        dict(thing), thing.items(), thing.keys(), thing.values()
        count += len(names)
    if depth == 0 or not type(thing).__module__.startswith("cogir"):
        return count
    for name in dir(thing):
        if name in CHANGES | INSIDE or (name.startswith("_") and name not in ("_repr_html_", "_repr_svg_", "_repr_mimebundle_")):
            continue
        with suppress(cogir.CogirError):
            held: Any = getattr(thing, name)
            if callable(held) and not inspect.isclass(held):
                with suppress(ValueError, TypeError):
                    if all(p.default is not p.empty or p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in _parameters(held)):
                        held = held()
            count += read(held, depth - 1)
    return count


def _parameters(function: Callable[..., Any]) -> list[inspect.Parameter]:
    return list(inspect.signature(function).parameters.values())


def bits(result: Any) -> list[bytes]:
    return [result[name].tobytes() for name in result] + [trace.values.tobytes() for trace in getattr(result, "traces", {}).values()]


def story(compiled: Any, look: Callable[[Any], object]) -> list[Any]:
    """A session with a compiled model; `look` is called before, between and after its calls."""
    found: list[Any] = []
    look(compiled)
    compiled.params["memory/initial:state:previous_value"] = 3.0
    look(compiled)
    found.append(bits(compiled.sweep({"memory/initial:state:previous_value": [0.0, 5.0]}, INPUTS, seed=1)))
    look(compiled)
    found.append(bits(compiled.replicates(INPUTS, 3, seed=2)))
    look(compiled)
    compiled.params["memory/initial:state:previous_value"] = 7.0
    found += [bits(compiled.run(INPUTS)), bits(compiled.run(INPUTS, context="other"))]
    look(compiled)
    found += [bits(compiled.run(INPUTS)), bits(compiled.run(INPUTS, context="other"))]
    look(compiled)
    compiled.reset()
    look(compiled)
    compiled.params["memory/initial:state:previous_value"] = 1.0
    compiled.state["total/previous_value"] = 2.0
    look(compiled)
    found.append(bits(compiled.sweep({"memory/initial:state:previous_value": [0.0, 5.0]}, INPUTS, seed=1)))
    look(compiled)
    result = compiled.run(INPUTS)
    look(result)
    found += [bits(result), bits(compiled.run(INPUTS)), {path: np.asarray(value).tobytes() for path, value in compiled.state.items()}]
    return found


@pytest.mark.parametrize("every", [5, *long(1)])
@pytest.mark.parametrize("mode", ["run", *long("exec", "python")])
def test_a_model_that_was_looked_at_gives_the_same_bits(mode: str, every: int) -> None:
    """The model and a second context are looked at too, at some of the looks or at each."""
    looks: list[int] = []
    m = model()
    seen = m.compile(mode=mode)

    def look(thing: Any) -> None:
        others = (m, seen.context("other")) if len(looks) % every == 0 else ()
        looks.append(read(thing) + sum(read(other, 1) for other in others))

    found = story(seen, look)
    plain = model().compile(mode=mode)
    expected = story(plain, lambda thing: plain.context("other"))
    assert found == expected
    assert len(looks) == 10
    assert min(looks) > 100
    assert found[0][0] != found[1][0], "the points of the sweep differ from where the context stands"


@pytest.mark.parametrize("mode", ["run", "exec", "python"])
def test_what_is_swept_or_set_after_a_look_counts(mode: str) -> None:
    m = cogir.Model("sums")
    m.node("n", library.drift_diffusion_integrator, input=1, noise=0.0)
    c = m.compile(mode=mode)
    assert list(c.state)[2] == "n/state:previous_value"
    assert c.state["n/previous_value"] == 0.0
    print(c.state)
    initial = "n/initial:state:previous_value"
    assert c.sweep({initial: [0.0, 10.0]}, {"n": [[1.0]]})["n"].ravel().tolist() == [1.0, 11.0]
    c.params[initial] = 5.0
    assert c.state["n/previous_value"] == 5.0, "as the next run begins"
    assert c.replicates({"n": [[1.0]]}, 1)["n"].ravel().tolist() == [6.0]
    assert c.run({"n": [[1.0]]})["n"].ravel().tolist() == [6.0]
    c.params[initial] = 50.0
    assert c.state["n/previous_value"] == 6.0
    assert not c.context("new").started


@pytest.mark.parametrize("mode", ["run", "exec", "python"])
def test_a_state_that_was_set_is_where_everything_begins(mode: str) -> None:
    m = cogir.Model("sums")
    m.node("n", library.drift_diffusion_integrator, input=1, noise=0.0)
    c = m.compile(mode=mode)
    state = c.state
    state["n/previous_value"] = 10.0
    assert state["n/previous_value"] == 10.0
    assert c.sweep({"n/rate": [1.0, 2.0]}, {"n": [[1.0]]})["n"].ravel().tolist() == [11.0, 12.0]
    assert c.sweep({"n": [1.0, 2.0]})["n"].ravel().tolist() == [11.0, 12.0]
    assert c.sweep({"n/rate": [1.0, 2.0], "n/state:previous_value": [0.0, 1.0]}, {"n": [[1.0]]})["n"].ravel().tolist() == [1, 2, 2, 3]
    assert c.sweep({"n/state:previous_value": [0.0, 1.0]}, {"n": [[1.0]]})["n"].ravel().tolist() == [1.0, 2.0]
    assert c.replicates({"n": [[1.0]]}, 2)["n"].ravel().tolist() == [11.0, 11.0]
    copied = c.context().copy("copied")
    assert c.run({"n": [[1.0]]}, 2)["n"].ravel().tolist() == [11.0, 12.0]
    assert c.run({"n": [[1.0]]}, context=copied)["n"].ravel().tolist() == [11.0]
    assert state["n/previous_value"] == 12.0, "it shows the context as it stands"
    c.reset()
    assert state["n/previous_value"] == 0.0
    assert c.run({"n": [[1.0]]})["n"].ravel().tolist() == [1.0]


@pytest.mark.parametrize("mode", ["run", "python"])
def test_results_say_which_states_were_set_by_hand(mode: str) -> None:
    m = cogir.Model("sums", seed=2)
    m.node("n", library.drift_diffusion_integrator, input=1, noise=0.5)
    c = m.compile(mode=mode)
    assert "states" not in c.run({"n": [[1.0]]}).attributes
    c.reset()
    c.state["n/previous_value"] = 10.0
    found = c.run({"n": [[1.0]]})
    again = cogir.compile(found.attributes["model_text"], mode=mode)
    again.state.update(found.attributes["states"])
    assert again.run({"n": [[1.0]]})["n"].tobytes() == found["n"].tobytes()
    assert found.attributes["states"] == {"n/state:previous_value": [10.0]}
    assert c.run({"n": [[1.0]]}).attributes["states"] == {"n/state:previous_value": found["n"][0].tolist()}, "as the run began"
    for start, state in (("context", np.asarray(c.state["n/previous_value"]).tolist()), ("fresh", [10.0])):
        for found in (c.replicates({"n": [[1.0]]}, 2, start=start), c.sweep({"n/rate": [1.0]}, {"n": [[1.0]]}, start=start)):  # type: ignore
            assert found.attributes["states"] == {"n/state:previous_value": state}
    c.reset()
    assert "states" not in c.run({"n": [[1.0]]}).attributes


def test_a_pickled_context_knows_what_was_set_by_hand() -> None:
    m = cogir.Model("sums", seed=2)
    m.node("n", library.drift_diffusion_integrator, input=1, noise=0.5)
    c = m.compile()
    c.state["n/previous_value"] = 10.0
    c.generators["n"] = cogir.random(7)
    pickled: Context = pickle.loads(pickle.dumps(c.context()))
    one, other = c.run({"n": [[1.0]]}), c.run({"n": [[1.0]]}, context=pickled)
    assert one["n"].tobytes() == other["n"].tobytes()
    assert dict(one.attributes) == dict(other.attributes)
    assert one.attributes.keys() >= {"states", "generator_states"}
    assert one.attributes["seeds"] == {}
