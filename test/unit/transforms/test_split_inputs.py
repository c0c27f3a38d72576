"""Inputs of blocks of trials that are separate arrays: the bits of one array, whatever the form in which they are given."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import cogir
from cogir import library
from cogir.library import Value
from cogir.runtime.inputs import GivenInputs
from cogir.runtime.learning import NativeLearner
from cogir.transforms.split_inputs import SplitInputs

TRIALS = 70


def network(dtype: str = "float64", unread: bool = False) -> cogir.Model:
    """Two inputs and a target, perhaps with an input that no output depends on."""
    made = np.random.default_rng(0)
    model = cogir.Model("network", dtype=dtype)
    one, other = model.node("one", library.linear, input=60), model.node("other", library.linear, input=20)
    hidden, out = model.node("hidden", library.logistic, input=50), model.node("out", library.logistic, input=6)
    target = model.node("target", input=6)
    model.project(one, hidden, matrix=made.normal(size=(60, 50)))
    model.project(other, hidden, matrix=made.normal(size=(20, 50)))
    model.project(hidden, out, matrix=made.normal(size=(50, 6)))
    if unread:
        model.node("unread", library.linear, input=3)
    model.output(out)
    model.learning([("out", target)], library.gradient_descent, rate=0.1)
    return model


def data(trials: int = TRIALS) -> dict[str, Any]:
    made = np.random.default_rng(1)
    return {"one": made.normal(size=(trials, 60)), "other": made.normal(size=(trials, 20)), "target": made.uniform(size=(trials, 6))}


def learned(model: cogir.Model, inputs: Any, without: tuple[str, ...] = (), **more: Any) -> tuple[list[float], bytes]:
    """The losses, and the outputs and weights."""
    compiled = model.compile(mode="run", without=without)
    found = compiled.learn(inputs, epochs=2, batch=32, **more)
    weights = b"".join(np.asarray(compiled.params[path]).tobytes() for path in compiled.params if path.endswith("matrix"))
    return found.losses.ravel().tolist(), found.trials["out"].tobytes() + weights


def forms() -> dict[str, Any]:
    """The same inputs in several forms."""
    given = data()
    wide = np.zeros((TRIALS, 180))
    wide[:, ::3] = given["one"]
    return {
        "arrays": given,
        "rows": np.concatenate(list(given.values()), axis=1),
        "lists": {name: values.tolist() for name, values in given.items()},
        "columns of another array": given | {"one": wide[:, ::3]},
        "arrays by columns": {name: np.asfortranarray(values) for name, values in given.items()},
        "other order": dict(reversed(given.items())),
    }


@pytest.fixture(scope="module")
def wanted() -> tuple[list[float], bytes]:
    """What is learned from one matrix of inputs."""
    return learned(network(), data(), without=(SplitInputs.name,))


@pytest.mark.parametrize("form", forms())
def test_all_forms_of_inputs_give_the_bits_of_one_matrix(form: str, wanted: tuple[list[float], bytes]) -> None:
    assert learned(network(), forms()[form]) == wanted


def test_trials_one_by_one_give_the_bits_of_one_matrix(wanted: tuple[list[float], bytes]) -> None:
    assert learned(network(), data(), without=("batch-trials",)) == wanted


def test_trials_in_another_order_and_inputs_of_one_trial() -> None:
    order = np.random.default_rng(2).permuted(np.tile(np.arange(TRIALS), (2, 1)), axis=1)
    given = data() | {"other": data()["other"][:1]}
    assert learned(network(), given, order=order) == learned(network(), given, without=(SplitInputs.name,), order=order)


def test_inputs_that_are_not_read_or_not_given() -> None:
    given = {name: values for name, values in data().items() if name != "other"}
    with pytest.warns(cogir.MissingInputWarning):
        wanted = learned(network(unread=True), given, without=(SplitInputs.name,))
    with pytest.warns(cogir.MissingInputWarning):
        assert learned(network(unread=True), given) == wanted


def test_ports_of_one_number_are_arguments_too() -> None:
    def scaled(wide: Value, factor: Value, constant: Value) -> Value:
        return wide * factor + constant[0]

    def model() -> cogir.Model:
        model = cogir.Model("ports")
        first = model.node("first", scaled, input={"wide": 60, "factor": (), "constant": 1})
        second, target = model.node("second", library.logistic, input=50), model.node("target", input=50)
        model.project(first, second, matrix=np.random.default_rng(0).normal(size=(60, 50)))
        model.learning([("second", target)], library.gradient_descent, rate=0.1)
        return model

    made = np.random.default_rng(1)
    ports = {"wide": made.normal(size=(TRIALS, 60)), "factor": made.normal(size=TRIALS), "constant": made.normal(size=(TRIALS, 1))}
    given = {"first": ports, "target": made.uniform(size=(TRIALS, 50))}
    compiled = model().compile(mode="run")
    found = compiled.learn(given, epochs=2, batch=16)
    wanted = model().compile(mode="run", without=(SplitInputs.name,)).learn(given, epochs=2, batch=16)
    assert found.losses.tolist() == wanted.losses.tolist()
    assert learner_of(compiled).columns == [(0, 60), (60, 61), (61, 62), (62, 112)]


def test_float32() -> None:
    assert learned(network("float32"), data()) == learned(network("float32"), data(), without=(SplitInputs.name,))


def learner_of(compiled: cogir.Compiled) -> NativeLearner:
    (learner,) = compiled._learners.values()
    assert isinstance(learner, NativeLearner)
    return learner


def test_arrays_are_read_where_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled, given = network().compile(mode="run"), data()
    before = {name: values.copy() for name, values in given.items()}
    seen: list[Any] = []
    learn = NativeLearner.learn
    monkeypatch.setattr(NativeLearner, "learn", lambda self, context, batches: seen.append(batches) or learn(self, context, batches))
    compiled.learn(given, batch=32)
    assert learner_of(compiled).columns == [(0, 60), (60, 80), (80, 86)]
    assert all(np.shares_memory(table, values) for table, values in zip(seen[0].tables, given.values(), strict=True))
    assert all(np.array_equal(values, before[name]) for name, values in given.items())


def test_one_array_is_read_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also by a model that has learned from several arrays before."""
    compiled, given = network().compile(mode="run"), data()
    rows = np.concatenate(list(given.values()), axis=1)
    seen: list[Any] = []
    learn = NativeLearner.learn
    monkeypatch.setattr(NativeLearner, "learn", lambda self, context, batches: seen.append(batches) or learn(self, context, batches))
    losses = [compiled.learn(inputs, batch=32).losses.tolist() for inputs in (given, rows, given)]
    again = network().compile(mode="run")
    assert losses == [again.learn(given, batch=32).losses.tolist() for _ in range(3)]
    assert [len(batches.tables) for batches in seen[:3]] == [3, 1, 3]
    assert seen[1].tables[0] is rows


def test_columns_that_are_not_given_are_zeros() -> None:
    given = GivenInputs(2, [(slice(1, 3), np.array([[1.0, 2.0], [3.0, 4.0]])), (slice(4, 5), np.array([[5.0]]))])
    assert given.columns(0, 6).tolist() == [[0.0, 1.0, 2.0, 0.0, 5.0, 0.0], [0.0, 3.0, 4.0, 0.0, 5.0, 0.0]]
    assert given.columns(2, 5).tolist() == [[2.0, 0.0, 5.0], [4.0, 0.0, 5.0]]
    assert given.columns(0, 1).tolist() == [[0.0], [0.0]]
