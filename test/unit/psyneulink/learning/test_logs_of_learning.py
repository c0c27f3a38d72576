"""Logs of Compositions that learn in PsyNeuLink's Python mode: a native `learn` makes PsyNeuLink's entries."""

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.golden import fresh

from cogir.psyneulink import accelerate

pytestmark = pytest.mark.filterwarnings("ignore")


def numbers(*shape):
    """Numbers that are the same each time."""
    return np.random.default_rng(sum(shape)).normal(size=shape).round(3)


def backpropagating(update="online"):
    """Three layers; `update`: when matrices change."""
    a = pnl.TransferMechanism(name="A", input_shapes=2)
    b = pnl.TransferMechanism(name="B", input_shapes=3, function=pnl.Logistic())
    o = pnl.TransferMechanism(name="O", input_shapes=1, function=pnl.Logistic())
    composition = pnl.Composition(name="C")
    composition.add_backpropagation_learning_pathway([a, numbers(2, 3), b, numbers(3, 1), o], learning_rate=0.5, learning_update=update)
    return composition, {"A": numbers(4, 2), "TARGET for O": numbers(4, 1)}


def after_each_trial():
    """Matrices change at the end of the trial, in which PsyNeuLink logs as while it processes."""
    return backpropagating("after")


def temporal_differences():
    """Temporal differences, as in the model of Montague, Dayan and Sejnowski."""
    sample = pnl.TransferMechanism(name="SAMPLE", input_shapes=5)
    action = pnl.TransferMechanism(name="ACTION", input_shapes=5)
    composition = pnl.Composition(name="C")
    weights = pnl.MappingProjection(name="W", sender=sample, receiver=action, matrix=np.zeros((5, 5)))
    composition.add_td_learning_pathway([sample, weights, action], learning_rate=0.3)
    return composition, {"SAMPLE": np.tri(5)[1:], "TARGET for ACTION": np.eye(5)[[4, 4, 3, 4]]}


def reinforcing():
    """Reinforcement of the chosen action."""
    a, b = (
        pnl.TransferMechanism(name="A", input_shapes=2),
        pnl.TransferMechanism(name="B", input_shapes=2, function=pnl.SoftMax(output=pnl.PROB)),
    )
    composition = pnl.Composition(name="C")
    composition.add_reinforcement_learning_pathway([a, b], learning_rate=0.2)
    return composition, {"A": numbers(3, 2), "TARGET for B": numbers(3, 1)}


def recurrent():
    """A layer that learns its own matrix, which PsyNeuLink executes without a mark of learning."""
    a = pnl.TransferMechanism(name="A", input_shapes=3)
    r = pnl.RecurrentTransferMechanism(name="R", input_shapes=3, enable_learning=True, learning_rate=0.1)
    composition = pnl.Composition(name="C", pathways=[[a, r]])
    return composition, {"A": numbers(4, 3)}


MODELS = {
    "backpropagation": backpropagating,
    "backpropagation after each trial": after_each_trial,
    "temporal differences": temporal_differences,
    "reinforcement": reinforcing,
    "a recurrent layer": recurrent,
}


def parts_of(composition):
    """All Mechanisms with their ports and the Projections to them, but for that of a recurrent layer to itself."""
    for node in composition.nodes:
        projections = [projection for projection in node.path_afferents if projection.sender.owner is not node]
        yield from (node, *node.input_ports, *node.output_ports, *projections)


def rows_of(value):
    """The rows of a value, which may differ in length, as arrays."""
    return [np.array(row, float) for row in value]


def learned(composition):
    """The Projections between Mechanisms whose matrices are learned, but for those that change after each trial."""
    projections = [one for node in composition.nodes for one in node.path_afferents if one.sender.owner is not one.receiver.owner]
    signals = {one: port.mod_afferents for one in projections for port in one.parameter_ports if port.name == "matrix"}
    return [one for one, found in signals.items() if found and found[0].learning_enabled != "after"]


def outcome(build, condition):
    """The entries after some calls of `learn` and `run`, and the results."""
    fresh()
    composition, given = build()
    inputs = {composition.nodes[name]: values for name, values in given.items()}
    own = {node: values for node, values in inputs.items() if not node.name.startswith("TARGET")}
    for part in parts_of(composition):
        part.log.set_log_conditions("value", condition)
    for projection in learned(composition):
        projection.log.set_log_conditions(["matrix", "mod_matrix"], condition)
    composition.learn(inputs=inputs, epochs=2)
    composition.run(inputs=own)
    composition.learn(inputs=inputs, epochs=1, minibatch_size=2)
    composition.learn(inputs=inputs, epochs=1, context="other")
    found = {}
    logged = {(part.name, getattr(getattr(part, "owner", None), "name", "")): part.parameters.value for part in parts_of(composition)}
    logged |= {(one.name, "matrix"): one.function.parameters.matrix for one in learned(composition)}
    logged |= {(one.name, "mod_matrix"): one.parameter_ports["matrix"].parameters.value for one in learned(composition)}
    for name, parameter in logged.items():
        for key, entries in parameter.log.items():
            said = [(entry.time, entry.context, rows_of(entry.value)) for entry in entries if "COMMAND_LINE" not in entry.context]
            found[*name, key] = said
    return found, np.array(composition.results, float)


QUICK = ("temporal differences", "backpropagation", "a recurrent layer")


@pytest.mark.parametrize("condition", ["EXECUTION", *(pytest.param(one, marks=pytest.mark.full) for one in ("PROCESSING", "LEARNING"))])
@pytest.mark.parametrize("name", [pytest.param(name, marks=[] if name in QUICK else [pytest.mark.full]) for name in MODELS])
def test_learning_is_logged(name, condition):
    flag = getattr(pnl.LogCondition, condition)
    expected = outcome(MODELS[name], flag)
    with accelerate(strict=True):
        found = outcome(MODELS[name], flag)
    marks = {entry[1] for entries in expected[0].values() for entry in entries}
    learned = {"LEARNING, COMPOSITION"} if name not in ("backpropagation after each trial", "a recurrent layer") else set()
    assert (
        marks
        == {"EXECUTION": learned | {"PROCESSING, COMPOSITION"}, "PROCESSING": {"PROCESSING, COMPOSITION"}, "LEARNING": learned}[condition]
    )
    assert found[0].keys() == expected[0].keys()
    for key, entries in expected[0].items():
        assert [entry[:2] for entry in found[0][key]] == [entry[:2] for entry in entries], key
        for (*_, value), (*_, other) in zip(found[0][key], entries, strict=True):
            for row, wanted in zip(value, other, strict=True):
                assert row.shape == wanted.shape, key
                np.testing.assert_allclose(row, wanted, rtol=1e-12, atol=1e-14, err_msg=str(key))
    np.testing.assert_allclose(found[1], expected[1], rtol=1e-12, atol=1e-14)
