"""
`Composition.learn` in PsyNeuLink's Python mode: native, and equal in everything that it leaves.
"""

import warnings
from contextlib import nullcontext

import numpy as np
import psyneulink as pnl
import pytest
from support.psyneulink.golden import fresh
from support.psyneulink.learning_in_python import (
    NATIVE,
    OWN,
    crossing,
    decaying,
    hebbian,
    layers,
    learned_otherwise,
    numbers,
    reinforcement,
    temporal_difference,
)

from cogir.psyneulink import FallbackWarning, UnsupportedFeature, accelerate, explain
from cogir.psyneulink.execution import session, short_runs
from cogir.psyneulink.importer import learned_matrices as importer_matrices
from cogir.psyneulink.importer import learning_mechanisms

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


def test_psyneulink_and_cogir_learn_and_run_in_turn():
    assert not learned_otherwise(layers(2, 3, 2), (NATIVE, OWN, OWN, NATIVE))


CASES = {
    "online": layers(2, 3, 2, learning_update="online"),
    "a vector as a matrix": layers(2, 1, 2, learning_update="online"),
    "SoftMax": layers(2, 3, 4, 2, last=pnl.SoftMax),
    "SSE": layers(2, 3, 2, function=pnl.Linear, loss_spec=pnl.Loss.SSE, learning_rate=0.01),
    "L0": layers(2, 3, 2, function=pnl.ReLU, loss_spec=pnl.Loss.L0, learning_rate=0.01),
    "a rate of learn": layers(2, 3, 2, given={"learning_rate": 0.3}),
    "batches": layers(2, 3, 2, given={"minibatch_size": 2}),
    "optimizations": layers(2, 3, 2, given={"optimizations_per_minibatch": 2}),
    "in the order given": layers(2, 3, 2, given={"randomize_minibatches": False}),
    "without update": layers(2, 3, 2, learning_update=False),
    "a matrix that decays": decaying(0.9),
    "a matrix that decays by a matrix": decaying(numbers(2, 3)),
    "a matrix that decays online": decaying(0.9, learning_update="online"),
    "crossing pathways": crossing,
    "hebbian": hebbian(matrix=numbers(3, 3) * 0.1, learning_rate=0.3),
    "reinforcement": reinforcement,
    "temporal difference": temporal_difference,
}


QUICK = ("hebbian", "a matrix that decays by a matrix")
"""The cases of `make test`; the others belong to `make check-full`."""


@pytest.mark.parametrize("case", [pytest.param(name, marks=[] if name in QUICK else [pytest.mark.full]) for name in CASES])
def test_learning(case):
    assert not learned_otherwise(CASES[case], (NATIVE, NATIVE))


@pytest.mark.parametrize("build", [layers(2, 3, 3, 2, learning_update="online"), reinforcement], ids=["backpropagation", "reinforcement"])
def test_one_compiled_form_serves_all_calls(build, monkeypatch):
    """One to learn, and one to run: neither depends on what has been learned."""
    fresh()
    _, calls = build()
    made = []
    original = session.Session.__init__

    def noted(self, *given):
        made.append(given[-1].learns)
        original(self, *given)

    monkeypatch.setattr(session.Session, "__init__", noted)
    with accelerate(strict=True):
        for _ in range(3):
            for call in calls:
                call("c")
                call("c")
    assert sorted(made) == [False, True]


def test_a_matrix_that_decays_without_learning_is_left_to_psyneulink():
    fresh()
    composition, (learn,) = decaying(0.9, learning_update=False)()
    with accelerate(strict=True), pytest.raises(UnsupportedFeature, match="'p0' is not just added to its matrix"):
        learn("c")
    with accelerate(strict=True), pytest.raises(UnsupportedFeature, match=r"its rate is set to .*0.9.*, which cogir does not read"):
        composition.run(inputs={"n0": [[1.0, 2.0]]})


def test_a_wrong_change_is_found(monkeypatch):
    original = learning_mechanisms.total
    monkeypatch.setattr(learning_mechanisms, "total", lambda writer, parts, item: original(writer, parts[:1], item))
    assert any("mod_matrix" in line for line in learned_otherwise(crossing, (NATIVE,)))


def test_a_wrong_time_of_a_change_is_found(monkeypatch):
    monkeypatch.setattr(importer_matrices, "time_of", lambda *_: "online")
    assert any("matrix" in line for line in learned_otherwise(layers(2, 2), (NATIVE,)))


def test_a_matrix_that_is_shown_late_is_found(monkeypatch):
    monkeypatch.setattr("cogir.psyneulink.state.mirror.show_learned_matrix", lambda projection, key, times: None)
    assert any("matrix" in line for line in learned_otherwise(layers(2, 2), (NATIVE, NATIVE)))


def built(*sizes, **settings):
    fresh()
    composition, calls = layers(*sizes, **settings)()
    return composition, calls


def rewarded(**given):
    """A chain whose targets a function makes from what it has done before, with a callback around batches."""

    def build():
        nodes = [pnl.TransferMechanism(name=f"n{number}", input_shapes=2, function=pnl.Logistic()) for number in range(2)]
        composition = pnl.Composition(name="net")
        path = [nodes[0], pnl.MappingProjection(name="p0", matrix=numbers(2, 2)), nodes[1]]
        target = composition.add_backpropagation_learning_pathway(path).target
        asked = []

        def inputs(trial):
            asked.append(trial)
            done = composition.parameters.results.get("c")
            last = np.zeros(2) if done is None or not len(done) else np.ravel(done[-1])
            return {nodes[0]: [[1.0, 0.1 * trial]], target: [0.5 * last + len(asked)]}

        def changed(**_):
            nodes[1].function.parameters.gain.set(1.0 + 0.1 * len(asked), "c")

        table = {nodes[0]: numbers(4, 2), target: numbers(4, 2)}
        arguments = {"call_after_minibatch": changed, **given}
        return composition, [
            lambda context: composition.learn(inputs=inputs, num_trials=4, context=context, **given),
            lambda context: composition.learn(inputs=table, randomize_minibatches=True, context=context, **arguments),
        ]

    return build


@pytest.mark.parametrize("given", [{}, {"epochs": 2, "minibatch_size": 2}], ids=["trials", "batches"])
def test_functions_of_the_script_make_inputs_and_are_called_around_batches(given):
    assert not learned_otherwise(rewarded(**given), (NATIVE, NATIVE, OWN, NATIVE))


def test_two_times_of_change_at_one_mechanism_are_named():
    fresh()
    one, two, last = (pnl.TransferMechanism(name=name, input_shapes=2) for name in ("one", "two", "last"))
    composition = pnl.Composition(name="net")
    composition.add_backpropagation_learning_pathway([one, last], learning_update="online")
    target = composition.add_backpropagation_learning_pathway([two, last], learning_update="after").target
    with accelerate(strict=True), pytest.raises(UnsupportedFeature, match="learned online, others after each trial"):
        composition.learn(inputs={one: [[1, 2]], two: [[2, 1]], target: [[0, 1]]})


def test_trials_have_psyneulinks_order_where_it_learns():
    """Cogir draws the order of the trials before it finds that it cannot compile them."""

    def generator_after(fast):
        fresh()
        nodes = [pnl.TransferMechanism(name=name, input_shapes=2) for name in ("one", "two", "last")]
        composition = pnl.Composition(name="net")
        composition.add_backpropagation_learning_pathway([nodes[0], nodes[2]], learning_update="online")
        target = composition.add_backpropagation_learning_pathway([nodes[1], nodes[2]], learning_update="after").target
        np.random.seed(3)
        with accelerate(short_runs="native") if fast else nullcontext(), warnings.catch_warnings():
            warnings.simplefilter("ignore", FallbackWarning)
            composition.learn(inputs={nodes[0]: numbers(4, 2), nodes[1]: numbers(4, 2), target: numbers(4, 2)}, epochs=3)
        return str(np.random.get_state())

    assert generator_after(True) == generator_after(False)


def test_short_learning_stays_in_psyneulink(monkeypatch):
    composition, (learn, _) = built(2, 2)
    with accelerate(short_runs="psyneulink"), warnings.catch_warnings():
        warnings.simplefilter("error", FallbackWarning)
        warnings.simplefilter("ignore", UserWarning)
        monkeypatch.setattr(short_runs, "seconds_of_compiling", lambda *_: 60.0)
        monkeypatch.setattr("cogir.psyneulink.native_calls.native_learning", lambda *_: pytest.fail("it has been compiled"))
        learn("c")
    assert np.shape(composition.parameters.results.get("c")) == (8, 1, 2)


def test_learning_that_is_neither_short_nor_native_goes_on_in_psyneulink(monkeypatch):
    composition, (learn, _) = built(2, 2)
    composition.learning_components[0].input_port.parameters.variable.log_condition = pnl.LogCondition.EXECUTION
    monkeypatch.setattr(short_runs, "seconds_of_compiling", lambda *_: 0.0)
    with accelerate(short_runs="psyneulink"), pytest.warns(FallbackWarning, match="'variable' is logged"):
        learn("c")
    assert np.shape(composition.parameters.results.get("c")) == (8, 1, 2)


def test_it_is_explained_whether_learning_compiles():
    composition, _ = built(2, 2)
    found = explain(composition)
    assert found
    assert "learn in Python mode: compiles" in str(found)
    nodes = [pnl.TransferMechanism(name=name, input_shapes=2) for name in ("one", "two")]
    inner = pnl.Composition(name="inner", nodes=[pnl.TransferMechanism(name="within", input_shapes=2)])
    outer = pnl.Composition(name="outer")
    outer.add_backpropagation_learning_pathway(nodes)
    outer.add_node(inner)
    assert "learn in Python mode: does not compile: it learns, and has nested Compositions" in str(explain(outer))


def test_a_matrix_that_changes_after_each_trial_is_logged_by_psyneulink():
    def logged(block):
        fresh()
        a, b, c = (pnl.TransferMechanism(name=name, input_shapes=2) for name in "abc")
        weights = pnl.MappingProjection(name="weights", sender=a, receiver=b, matrix=np.full((2, 2), 0.3))
        composition = pnl.Composition(name="net")
        pathway = composition.add_backpropagation_learning_pathway([a, weights, b, c], learning_rate=0.1)
        weights.set_log_conditions(("mod_matrix", pnl.LEARNING))
        with block, warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            composition.learn(num_trials=3, inputs={a: [[1.0, 2.0]], pathway.target: [[0.0, 1.0]]})
        (entries,) = weights.log.nparray(entries="mod_matrix", header=False)[1]
        return entries[-1], [str(one.message) for one in said]

    plain, _ = logged(nullcontext())
    found, messages = logged(accelerate())
    assert np.array(found).shape == np.array(plain).shape == (3, 2, 2)
    assert np.array_equal(found, plain)
    assert any("ParameterPort 'matrix': its 'value' is logged, which PsyNeuLink does not assign once" in message for message in messages)
