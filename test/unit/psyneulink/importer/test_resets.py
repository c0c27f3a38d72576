"""
Resets that change what PsyNeuLink goes on from: to another shape, by hand, in an order of states, and across execution contexts.
"""

import contextlib

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.golden import fresh

from cogir.psyneulink import FallbackWarning, accelerate
from cogir.psyneulink.importer.resets import initializers
from cogir.psyneulink.reader import Reader

pytestmark = pytest.mark.filterwarnings("ignore")


def transfer():
    """A Mechanism that integrates from where it is told, and what it integrates."""
    return pnl.TransferMechanism(name="T", input_shapes=2, integrator_mode=True, initial_value=[[0.1, 0.2]])


def simple():
    return pnl.IntegratorMechanism(name="I", input_shapes=2, function=pnl.SimpleIntegrator(initializer=[0.1, 0.2], rate=0.5))


def oscillator():
    return pnl.IntegratorMechanism(name="I", input_shapes=1, function=pnl.FitzHughNagumoIntegrator(initial_v=0.1, initial_w=0.2))


def results(build, reset, block):
    """Those of two runs, each before and after a reset by hand."""
    fresh()
    mechanism = build()
    composition = pnl.Composition(name="C", nodes=[mechanism])
    inputs = {mechanism: np.linspace(0.1, 1.0, 2 * mechanism.defaults.variable.size).reshape(2, -1).tolist()}
    function = mechanism.function if mechanism.name == "I" else mechanism.integrator_function
    with block:
        composition.run(inputs, num_trials=4)
        reset(mechanism, function, composition)
        composition.run(inputs, num_trials=4)
        composition.run(inputs, num_trials=4)
    return [np.asarray(trial).tolist() for trial in composition.results]


def at_trial_start(*values):
    """A reset to these values, after which each trial resets."""

    def reset(mechanism, function, composition):
        mechanism.reset_stateful_function_when = pnl.AtTrialStart()
        function.reset(*values, context=composition)

    return reset


def twice(*values):
    """A reset to these values, and then to where it started."""

    def reset(mechanism, function, composition):
        function.reset(*values, context=composition)
        function.reset(context=composition)

    return reset


@pytest.mark.parametrize(
    ("build", "reset", "said"),
    [
        (transfer, at_trial_start(5.0), r"its previous_value has the shape \(1,\) when it is reset; reset it to a value of .* \(1, 2\)"),
        (transfer, at_trial_start([3.0, 4.0]), r"its previous_value has the shape \(2,\) when it is reset"),
        (transfer, twice(5.0), "its previous_value has become one array with its initializer; reset it to a value of the shape"),
        (oscillator, at_trial_start([[0.3]], [[0.1]], [[0.0]]), r"its previous_[vw] has the shape \(1, 1\); reset it to the shape \(1,\)"),
        (simple, lambda m, f, c: f.reset([[[3.0, 4.0]]], context=c), r"its previous_value has the shape \(1, 1, 2\)"),
    ],
    ids=["number", "vector", "twice", "oscillator", "another axis"],
)
def test_another_shape_is_left_to_psyneulink(build, reset, said):
    """There a reset makes one array of a state and its initializer, or the results have one more axis."""
    expected = results(build, reset, contextlib.nullcontext())
    with pytest.warns(FallbackWarning, match=said):
        assert results(build, reset, accelerate()) == expected


@pytest.mark.parametrize(
    ("build", "reset"),
    [
        (transfer, at_trial_start([[3.0, 4.0]])),
        (transfer, twice([[3.0, 4.0]])),
        (transfer, lambda m, f, c: f.reset([3.0, 4.0], context=c)),
        (transfer, lambda m, f, c: f.reset(5.0, context=c)),
        (simple, at_trial_start([3.0, 4.0])),
        (simple, twice([[3.0, 4.0]])),
    ],
    ids=["shape of the state", "twice", "vector once", "number once", "vector", "vector twice"],
)
def test_the_usual_shapes_are_native(build, reset):
    expected = results(build, reset, contextlib.nullcontext())
    assert np.allclose(results(build, reset, accelerate(strict=True)), expected, rtol=1e-12, atol=0)


KINDS = ("SimpleIntegrator", "AdaptiveIntegrator", "LeakyCompetingIntegrator", "AccumulatorIntegrator")


def changed_later(kind, change, block):
    """The results of a Mechanism with an axis more than its initializer, which is compiled again after it ran; the shapes of its state."""
    fresh()
    mechanism = pnl.IntegratorMechanism(name="I", input_shapes=2, function=getattr(pnl, kind)(initializer=[0.1, 0.2]))
    composition = pnl.Composition(name="C", nodes=[mechanism])
    shapes = []
    with block:
        for run in range(4):
            composition.run({mechanism: [[0.3, 0.5]]})
            shapes.append(np.shape(mechanism.function.parameters.previous_value.get(composition)))
            if run == 1:
                change(mechanism, composition)
    return np.array([trial[0] for trial in composition.results]), shapes


def another_initializer(mechanism, composition):
    """One that no reset looks at, of another length."""
    mechanism.function.parameters.initializer.set([0.1, 0.2, 0.3], composition, override=True)
    composition.add_node(pnl.ProcessingMechanism(name="B"))


CHANGES = {
    "node": lambda mechanism, composition: composition.add_node(pnl.ProcessingMechanism(name="B")),
    "reset": lambda mechanism, composition: setattr(mechanism, "reset_stateful_function_when", pnl.AtTrialStart()),
    "initializer": another_initializer,
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("kind", KINDS)
def test_a_state_with_an_axis_more_than_its_initializer_is_native(kind, change):
    """It is what PsyNeuLink's executions make of it, and no reset."""
    expected, shapes = changed_later(kind, CHANGES[change], contextlib.nullcontext())
    found, here = changed_later(kind, CHANGES[change], accelerate(strict=True))
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    assert here == shapes
    assert shapes[1] == (1, 2)


def in_contexts(block):
    """The results of a Mechanism that asks for its state without a context."""
    fresh()
    mechanism = pnl.IntegratorMechanism(name="I", input_shapes=2, function=pnl.DualAdaptiveIntegrator())
    composition = pnl.Composition(name="C", nodes=[mechanism])
    with block:
        for context in ("x", "x", "y", "x", "y"):
            composition.run({mechanism: [[0.1, 0.4], [0.7, 1.0]]}, context=context)
    return {context: np.asarray(composition.parameters.results.get(context)) for context in ("x", "y")}


def test_a_state_that_goes_from_context_to_context():
    expected = in_contexts(contextlib.nullcontext())
    with pytest.warns(FallbackWarning, match="it continues from the state of another execution context; run it in one execution context"):
        found = in_contexts(accelerate())
    for context, values in expected.items():
        assert np.allclose(found[context], values, rtol=1e-12, atol=0)


def coeruleus(block):
    """The results where a Mechanism controls another one, and is reset at the start of each trial."""
    fresh()
    a, b = pnl.TransferMechanism(name="A"), pnl.TransferMechanism(name="B", function=pnl.Logistic)
    control = pnl.LCControlMechanism(
        name="LC",
        modulated_mechanisms=[a, b],
        initial_v_FitzHughNagumo=0.1,
        initial_w_FitzHughNagumo=0.2,
        objective_mechanism=pnl.ObjectiveMechanism(name="O", monitor=b),
    )
    control.reset_stateful_function_when = pnl.AtTrialStart()
    composition = pnl.Composition(name="C", pathways=[[a, b]])
    composition.add_node(control)
    with block:
        composition.run({a: [[1.0], [0.3]]}, num_trials=4)
    return np.asarray(composition.results)


def test_a_mechanism_that_is_reset_to_several_states():
    expected = coeruleus(contextlib.nullcontext())
    assert np.allclose(coeruleus(accelerate(strict=True)), expected, rtol=1e-12, atol=0)


@pytest.mark.parametrize("named", [("previous_v", "previous_w", "previous_time"), ("previous_time", "previous_w", "previous_v")])
def test_the_order_of_states_is_that_of_the_arguments_of_a_reset(named, monkeypatch):
    """PsyNeuLink gives their names in an order that depends on the process."""
    function = pnl.FitzHughNagumoIntegrator(initial_v=0.1, initial_w=0.2, t_0=0.3)
    monkeypatch.setattr(pnl.FitzHughNagumoIntegrator, "stateful_attributes", property(lambda self: list(named)))
    assert np.ravel(initializers(Reader(None), function)).tolist() == [0.1, 0.2, 0.3]
