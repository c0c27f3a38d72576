"""Parts of a model that are replaced or removed, as in a notebook whose cells are run again."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest
from support.long import long

import cogir
from cogir import library
from cogir.library import Random as Generator
from cogir.library import State, Step, Value


def noisy(variable: Value, *, scale: float = 1.0, total: State = 0.0, random: Generator) -> Step:
    total = total + variable + scale * random.normal(variable.shape)
    return Step(outputs=(total,), states=(total,), finished=abs(total[0]) > 1.0)


def build(gain: float = 1.0, decision: Callable[..., Any] = noisy, **options: Any) -> cogir.Model:
    model = cogir.Model("m", seed=3)
    model.node("stimulus", input=2)
    model.node("hidden", library.logistic, input=2, gain=gain)
    model.node("decision", decision, input=2, **options)
    model.project("stimulus", "hidden", matrix=[[1.0, 0.5], [0.0, 2.0]])
    model.project("hidden", "decision")
    return model


def numbers(model: cogir.Model) -> np.ndarray:
    return np.asarray(model.compile().run({"stimulus": [[0.1, 0.2], [0.3, -0.1]]})["decision"])


def test_a_node_again_is_an_error_that_names_the_remedy() -> None:
    model = build()
    with pytest.raises(cogir.ModelError, match=r'node "hidden": the name is already used .*give another name, or replace=True to put'):
        model.node("hidden", library.logistic)
    with pytest.raises(cogir.ModelError, match=r"already used .* another kind is not replaced"):
        model.project("stimulus", "decision", name="hidden", replace=True)


def test_a_node_is_as_if_it_had_been_made_so() -> None:
    model = build()
    before = numbers(model)
    compiled = model.compile()
    handle = model["hidden"]
    assert model.node("hidden", library.logistic, input=2, gain=3.0, replace=True) is handle
    assert str(model.ir()) == str(build(gain=3.0).ir())
    assert np.array_equal(numbers(model), numbers(build(gain=3.0)))
    old = np.asarray(compiled.run({"stimulus": [[0.1, 0.2], [0.3, -0.1]]})["decision"])
    assert np.array_equal(old, before)  # a compiled model is not changed
    compiled.reset()
    runs = [each.replicates({"stimulus": [[0.1, 0.2]]}, count=2)["decision"] for each in (compiled, build().compile())]
    assert np.array_equal(*runs)
    model.node("hidden", library.tanh, input=2, replace=True)
    with pytest.raises(cogir.ModelError, match="was changed after it was compiled"):
        compiled.sweep({"stimulus": np.zeros((2, 2))})


@pytest.mark.parametrize("prng", ["xoshiro256", "mt19937"])
def test_a_node_keeps_its_stream(prng: str) -> None:
    model = build(prng=prng)
    model.node("late", noisy, input=2, prng=prng)
    model.node("decision", noisy, input=2, prng=prng, scale=1.0, replace=True)
    again = build(prng=prng)
    again.node("late", noisy, input=2, prng=prng)
    assert str(model.ir()) == str(again.ir())


def test_a_reset_that_was_given_with_the_node_goes_with_it() -> None:
    options = {"execute_until_finished": True, "reset_each_trial": True}
    model = build(**options)
    model.node("decision", noisy, input=2, **options, replace=True)
    assert str(model.ir()) == str(build(**options).ir())
    model.node("decision", noisy, input=2, replace=True)
    assert str(model.ir()) == str(build().ir())


def test_what_does_not_fit_is_dropped_with_a_warning() -> None:
    model = build()
    model.record(model["hidden"], model["hidden"].param("gain"))
    model.output("hidden", "decision")
    with pytest.warns(cogir.ReplacedWarning) as caught:
        model.node("hidden", library.linear, input=3, replace=True)
    (message,) = (str(each.message) for each in caught)
    for text in ("the projection stimulus -> hidden", "the projection hidden -> decision", 'the recording of the param "gain"'):
        assert text in message
    assert "output" not in message
    assert [each.quantity.name for each in model.description.traces] == ["value"]
    assert not model.projections


NEEDED: dict[str, tuple[Callable[[cogir.Model], object], str]] = {
    "a condition of another node": (lambda m: m.schedule.when("decision", cogir.EveryNCalls("hidden", 2)), 'the condition of "decision"'),
    "the end of a trial": (lambda m: m.schedule.trial_ends(cogir.AfterNCalls(m["hidden"], 3)), "the end of a trial"),
    "a nested condition": (
        lambda m: m.schedule.run_ends(~(cogir.AfterTrial(3) & cogir.While(lambda x: x[0] > 9.0, m["hidden"]["value"]))),
        "the end of a run",
    ),
    "an objective": (
        lambda m: m.control("search", objective=m.node("cost"), signals=[cogir.Signal(m["hidden"].param("gain"), levels=[1.0, 2.0])]),
        'a signal of the controller "search"',
    ),
}


@pytest.mark.parametrize("case", NEEDED)
def test_what_others_need_is_not_removed(case: str) -> None:
    add, text = NEEDED[case]
    model = build()
    add(model)
    before = str(model.schedule), repr(model), str(model.ir())
    with pytest.raises(cogir.ModelError, match=f'remove "hidden": it is needed by .*{text} .*test_replacing.py'):
        model.remove("hidden")
    assert before == (str(model.schedule), repr(model), str(model.ir()))


def test_what_conditions_read_must_be_there() -> None:
    model = build()
    model.schedule.trial_ends(cogir.Threshold("decision", "total", 1.0, ">=", indices=0))
    with pytest.raises(cogir.ModelError, match='node "decision": it is needed by the end of a trial'):
        model.node("decision", library.linear, input=2, replace=True)
    assert numbers(model).shape == (2, 2)


def test_a_removed_node_is_gone_with_what_was_said_of_it() -> None:
    model = build()
    hidden, projection = model["hidden"], model.project("stimulus", "decision", matrix=np.eye(2))
    model.schedule.when("hidden", cogir.EveryNCalls("stimulus", 1))
    model.record(hidden)
    gone = model.remove(hidden)
    assert [text.split(" (")[0] for text in gone] == [
        "the projection stimulus -> hidden",
        "the projection hidden -> decision",
        'the recording of the port "value"',
        "its condition",
    ]
    assert "hidden" not in model
    assert list(model) == ["stimulus", "decision"]
    fresh = cogir.Model("m", seed=3)
    fresh.node("stimulus", input=2)
    fresh.node("decision", noisy, input=2)
    fresh.project("stimulus", "decision", matrix=np.eye(2))
    assert str(model.ir()) == str(fresh.ir())
    assert model.remove(projection) == []
    assert not model.projections


def test_stale_handles_are_errors() -> None:
    model = build()
    hidden, gain = model["hidden"], model["hidden"].param("gain")
    projection = model.project("stimulus", "decision")
    port = hidden["value"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cogir.ReplacedWarning)
        model.node("hidden", input=2, replace=True)
    other = model.node("other")
    with pytest.raises(cogir.ModelError, match=r'hidden.param\("gain"\) is not there any more: "hidden" was replaced, at .*test_replacing'):
        model.modulate(other, gain)
    with pytest.raises(cogir.ModelError, match="is not there any more"):
        model.record(gain)
    with pytest.raises(cogir.ModelError, match="is not there any more"):
        model.schedule.when(other, cogir.While(lambda x: x > 1.0, gain))
    model.remove("hidden")
    gone = 'made at .*test_replacing.* is not in model "m" any more: it was removed or replaced'
    for use in (
        lambda: model.project(port, "decision"),
        lambda: model.project(hidden, "decision"),
        lambda: model.schedule.when(hidden, cogir.Always()),
        lambda: model.schedule.when(other, cogir.AfterCall(hidden, 1)),
        lambda: model.record(hidden),
        lambda: model.output(hidden),
        lambda: model.remove(hidden),
    ):
        with pytest.raises(cogir.ModelError, match=gone):
            use()
    model.remove(projection)
    with pytest.raises(cogir.ModelError, match=gone):
        model.remove(projection)
    with pytest.raises(cogir.ModelError, match='the model has no node "hidden"'):
        model.remove("hidden")
    with pytest.raises(cogir.ModelError, match="give a node, an instance, a projection or a controller"):
        model.remove(3)  # type: ignore[arg-type]


# ------------------------------------------------------------------------------------------------------------------ siblings


def test_a_second_projection_between_ports_warns() -> None:
    model = build()
    with pytest.warns(cogir.RepeatedWarning, match=r"projection hidden -> decision: it is given already, at .*both count; give replace"):
        model.project("hidden", "decision")
    model = build()
    model.project("hidden", "decision", matrix=[[3.0, 0.0], [0.0, 3.0]], replace=True)
    assert [each.source.owner for each in model.projections] == ["stimulus", "hidden"]
    assert np.array_equal(model.projections[1].matrix, 3.0 * np.eye(2))
    model.project("hidden", "decision", name="more")  # a name says that it is meant
    model.project("hidden", "decision", name="more", matrix=np.ones((2, 2)), replace=True)
    assert len(model.projections) == 3


def test_modulation_again() -> None:
    model = build()
    control = model.node("control", input=1)
    model.modulate(control, model["hidden"].param("gain"))
    with pytest.warns(cogir.RepeatedWarning, match="both count; give replace=True"):
        model.modulate(control, model["hidden"].param("gain"))
    model = build()
    control = model.node("control", input=1)
    for how in ("override", "override", "add"):
        model.modulate(control, model["hidden"].param("gain"), how, replace=True)
    assert [each.how for each in model.modulations] == ["add"]


def learner() -> cogir.Model:
    model = cogir.Model("learner")
    for name, size in (("x", 2), ("y", 1), ("target", 1)):
        model.node(name, input=size)
    model.project("x", "y", matrix=[[0.1], [0.2]])
    model.learning([("y", "target")], rate=0.1)
    return model


def test_learning_again() -> None:
    model = learner()
    with pytest.raises(cogir.ModelError, match=r"m.learning was already called, at .*call it once, or give replace=True"):
        model.learning([("y", "target")])
    model.learning([("y", "target")], library.adam, rate=0.5, replace=True)
    data = {"x": [[1.0, 2.0]], "target": [[1.0]]}
    fresh = learner()
    fresh.description.learns = None
    fresh.learning([("y", "target")], library.adam, rate=0.5)
    (found, expected) = (each.compile() for each in (model, fresh))
    found.learn(data, epochs=2)
    expected.learn(data, epochs=2)
    assert np.array_equal(found.params["x->y"], expected.params["x->y"])


def test_learning_stays_with_a_matrix_of_the_same_shape() -> None:
    model = learner()
    model.project("x", "y", matrix=[[0.3], [0.4]], replace=True)
    compiled = model.compile()
    compiled.learn({"x": [[1.0, 2.0]], "target": [[1.0]]})
    assert not np.array_equal(compiled.params["x->y"], [[0.3], [0.4]])
    with pytest.warns(cogir.ReplacedWarning, match="what m.learning says"):
        model.project("x", "y", matrix=[[0.3], [0.4]], feedback=True, replace=True)
    assert model.learns is None
    model = learner()
    assert [text.split(" (")[0] for text in model.remove("target")] == ["what m.learning says"]


def test_records_instances_conditions_and_controllers_again() -> None:
    model = build()
    model.record("hidden")
    with pytest.raises(cogir.ModelError, match=r"already recorded, at .*or give replace=True"):
        model.record("hidden", every=2)
    model.record("hidden", every=2, replace=True)
    assert [each.every for each in model.description.traces] == [2]
    for set_it in (
        lambda **given: model.schedule.when("hidden", cogir.Always(), **given),
        lambda **given: model.schedule.reset("decision", cogir.AtTrialStart(), **given),
        lambda **given: model.schedule.trial_ends(cogir.AfterPass(2), **given),
        lambda **given: model.schedule.run_ends(cogir.AfterTrial(2), **given),
    ):
        set_it()
        with pytest.raises(cogir.ModelError, match=r"given already, at .*or give replace=True"):
            set_it()
        set_it(replace=True)
    search = {"objective": "decision", "signals": [cogir.Signal(model["hidden"].param("gain"), levels=[1.0, 2.0])]}
    search["objective"] = model.node("cost", library.linear)
    model.control("search", **search)
    with pytest.raises(cogir.ModelError, match=r'controller "search": the name is already used .*or replace=True'):
        model.control("search", **search)
    model.control("search", **search, replace=True)
    assert len(model.modulations) == len(model.controls) == 1
    assert model.remove(model.controls["search"]) == []
    assert not model.modulations


def test_models_in_models() -> None:
    inner, outer = cogir.Model("inner"), cogir.Model("outer")
    inner.node("first")
    inner.node("second", library.linear)
    inner.project("first", "second")
    placed = outer.instance("inner", inner)
    outer.project(outer.node("before"), placed["first"])
    with pytest.raises(cogir.ModelError, match='remove "first": it is needed by the projection before -> inner of model "outer"'):
        inner.remove("first")
    with pytest.raises(cogir.ModelError, match='node "first": it is needed by the projection before -> inner of model "outer"'):
        inner.node("first", input=2, replace=True)
    inner.node("second", library.linear, slope=2.0, replace=True)
    assert outer.compile().run({"before": [[3.0]]})["inner"][0] == 6.0
    with pytest.raises(cogir.ModelError, match='instance "inner": the name is already used'):
        outer.instance("inner", inner)
    other = cogir.Model("other")
    other.node("first", library.linear, slope=5.0)
    assert outer.instance("inner", other, replace=True) is placed
    assert outer.compile().run({"before": [[3.0]]})["inner"][0] == 15.0
    with pytest.warns(cogir.ReplacedWarning):
        outer.node("inner", library.linear, slope=7.0, replace=True)
    with pytest.raises(cogir.ModelError, match="not in model"):
        outer.project("before", placed)


# ------------------------------------------------------------------------------------------------------------------ at random

FUNCTIONS = (library.linear, library.logistic, library.tanh, noisy)


def story(source: Random) -> tuple[cogir.Model, cogir.Model]:
    """A model whose parts were given several times with `replace=True`, and one to which the last of each were given once."""
    names = [f"n{number}" for number in range(source.randint(2, 4))]
    prng = source.choice(["xoshiro256", "mt19937"])
    last = {name: source.choice(FUNCTIONS) for name in names}
    first = {name: noisy if held is noisy else source.choice(FUNCTIONS[:-1]) for name, held in last.items()}  # seeds count in order
    pairs = [(a, b) for number, a in enumerate(names) for b in names[number + 1 :] if source.random() < 0.7]
    matrices = [{pair: np.array([[source.uniform(-1, 1)]]) for pair in pairs} for _ in range(2)]
    conditions = {name: cogir.EveryNCalls(source.choice(names), source.randint(1, 2)) for name in names if source.random() < 0.4}
    conditions = {name: held for name, held in conditions.items() if held.dependency != name}

    edited, fresh = (cogir.Model("story", seed=5, prng=prng) for _ in range(2))
    for name in names:
        edited.node(name, first[name])
        fresh.node(name, last[name])
    for pair in pairs:
        edited.project(*pair, matrix=matrices[0][pair])
        fresh.project(*pair, matrix=matrices[1][pair])
    for name, condition in conditions.items():
        edited.schedule.when(name, condition)
        fresh.schedule.when(name, condition)
    steps: list[Callable[[], object]] = [lambda name=name: edited.node(name, last[name], replace=True) for name in names]
    steps += [lambda pair=pair: edited.project(*pair, matrix=matrices[1][pair], replace=True) for pair in pairs]
    steps += [lambda each=each: edited.schedule.when(*each, replace=True) for each in conditions.items()]
    spare = "spare"

    def add_and_remove() -> None:
        edited.node(spare)
        edited.project(source.choice(names), spare)
        edited.remove(spare)

    steps.append(add_and_remove)
    source.shuffle(steps)
    for step in steps:
        step()
    return edited, fresh


@pytest.mark.parametrize("seed", [*range(20), *long(*range(20, 300))])
def test_edited_models_are_those_built_at_once(seed: int) -> None:
    edited, fresh = story(Random(seed))
    assert str(edited.ir()) == str(fresh.ir())
    assert repr(edited) == repr(fresh)


def keeps_what_is_said(patch: pytest.MonkeyPatch) -> None:
    """Nothing that was said about a removed node is dropped."""
    patch.setattr("cogir.frontend.builder.replacing.uses_of", lambda *_: [])


def counts_seeds_anew(patch: pytest.MonkeyPatch) -> None:
    """A node that is replaced takes the next seed."""
    sound = cogir.Model.node

    def node(self: cogir.Model, name: str, *given: Any, **named: Any) -> cogir.Node:
        self.streams._numbers = {(f"{key[0]} again", key[1]): number for key, number in self.streams._numbers.items()}
        return sound(self, name, *given, **named)

    patch.setattr(cogir.Model, "node", node)


def appends_projections(patch: pytest.MonkeyPatch) -> None:
    """A projection that replaces another one comes beside it."""
    patch.setattr("cogir.frontend.builder.model.put_projection_in_place", lambda *_: False)


@pytest.mark.parametrize("plant", [keeps_what_is_said, counts_seeds_anew, appends_projections])
def test_faults_are_found(plant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)

    def differs(seed: int) -> bool:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                edited, fresh = story(Random(seed))
                return str(edited.ir()) != str(fresh.ir())
            except KeyError:
                return True

    assert any(map(differs, range(20)))
