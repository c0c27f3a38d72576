"""
Conditions that ask a Mechanism whether it has finished, where that is not a node of the Composition that asks.
"""

import contextlib

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.golden import fresh

from cogir.psyneulink import FallbackWarning, UnsupportedFeature, accelerate

pytestmark = pytest.mark.filterwarnings("ignore")


def settling(**options):
    """A Mechanism that approaches its input, one step at each execution."""
    return pnl.TransferMechanism(
        name="T", input_shapes=2, integrator_mode=True, termination_threshold=0.001, execute_until_finished=False, **options
    )


def waits_for(asked):
    """The results of a node that waits for a Mechanism in a nested Composition, or for that Composition."""
    fresh()
    inner = pnl.Composition(name="I", pathways=[[settling()]])
    last = pnl.ProcessingMechanism(name="A", input_shapes=2)
    composition = pnl.Composition(name="C", pathways=[[inner, last]])
    composition.scheduler.add_condition(last, asked(inner))
    composition.run({inner: [[1.0, 2.0], [2.0, 1.0]]})
    return composition.results


ASKED = {
    "WhenFinished": lambda inner: pnl.WhenFinished(inner.nodes[0]),
    "WhenFinishedAny": lambda inner: pnl.WhenFinishedAny(inner.nodes[0]),
    "Not": lambda inner: pnl.Any(pnl.Not(pnl.WhenFinishedAll(inner.nodes[0])), pnl.AtPass(5)),
}


@pytest.mark.parametrize("how", ASKED)
def test_a_mechanism_in_a_nested_composition(how):
    """It may go on for many passes, as nobody outside is told: what waits for it is left to PsyNeuLink."""
    said = "a condition names 'T', which is not one of its nodes"
    expected = waits_for(ASKED[how])
    with accelerate(), pytest.warns(FallbackWarning, match=said):
        assert np.array_equal(waits_for(ASKED[how]), expected)
    with accelerate(strict=True), pytest.raises(UnsupportedFeature, match=said):
        waits_for(ASKED[how])


def test_a_nested_composition_cannot_be_asked():
    with pytest.raises(pnl.ParameterError):
        waits_for(pnl.WhenFinished)
    with accelerate(strict=True), pytest.raises(UnsupportedFeature, match="WhenFinished refers to a nested Composition"):
        waits_for(pnl.WhenFinished)


def controlled(mode):
    """A Composition with a controller that acts when the Mechanism has finished."""
    asked, last = settling(max_executions_before_finished=2), pnl.TransferMechanism(name="A", input_shapes=2)
    composition = pnl.Composition(name="C", pathways=[[asked, last]], controller_mode=mode, controller_condition=pnl.WhenFinished(asked))
    seen = pnl.ObjectiveMechanism(name="O", monitor=last, function=lambda x: np.array([[np.sum(x)]]))
    composition.add_controller(pnl.ControlMechanism(name="K", control_signals=[("slope", last)], objective_mechanism=seen))
    return composition


def beside_another():
    """A Composition that asks nothing, of a Mechanism about which another one asks."""
    asked = settling(max_executions_before_finished=2)
    composition = pnl.Composition(name="C", nodes=[asked])
    other = pnl.Composition(name="D", nodes=[asked])
    other.termination_processing = {pnl.TimeScale.TRIAL: pnl.Any(pnl.WhenFinished(asked), pnl.AfterPass(2))}
    return composition, other


def measured(build, block):
    """What the Mechanism has been asked about last, and the results."""
    fresh()
    composition, *_others = made if isinstance(made := build(), tuple) else (made,)
    asked = composition.nodes[0]
    with block:
        composition.run({asked: [[1.0, 0.2], [0.2, 0.1]]})
    return np.array(asked.parameters.termination_measure_value.get(composition)), np.asarray(composition.results)


@pytest.mark.parametrize("build", [lambda: controlled("after"), beside_another], ids=["controller", "another Composition"])
def test_who_asks_decides_what_was_compared_last(build):
    expected, results = measured(build, contextlib.nullcontext())
    found, here = measured(build, accelerate(strict=True))
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    np.testing.assert_allclose(here, results, rtol=1e-12)


# Functions in the place of `is_finished`


def with_flag(monkeypatch, said, flags, until_finished):
    """What runs leave in which Mechanisms say `said(self, context)`, with `flags` that they return in one run after another."""
    fresh()
    monkeypatch.setattr(pnl.TransferMechanism, "says_so", True, raising=False)
    monkeypatch.setattr(pnl.TransferMechanism, "is_finished", said)
    a = settling(integration_rate=0.3)
    a.parameters.execute_until_finished.default_value = until_finished
    a.execute_until_finished = until_finished
    b = pnl.ProcessingMechanism(name="B", input_shapes=2)
    composition = pnl.Composition(name="C", pathways=[[a, b]])
    composition.scheduler.add_condition(b, pnl.Any(pnl.WhenFinished(a), pnl.AtPass(3)))
    found = []
    for flag in flags:
        a.says_so = flag
        composition.run({a: [[1.0, 2.0], [2.0, 1.0]]})
        counts = [str(node.parameters.num_executions.get("C")) for node in (a, b)]
        found.append((np.array(composition.results).tolist(), counts, float(a.parameters.termination_measure_value.get("C"))))
    monkeypatch.undo()
    return found


@pytest.mark.parametrize("until_finished", [True, False])
def test_a_function_that_returns_a_flag_that_is_true(monkeypatch, until_finished):
    said = (monkeypatch, lambda self, context: self.says_so, [True, True], until_finished)
    expected = with_flag(*said)
    with accelerate(strict=True):
        assert with_flag(*said) == expected


def test_a_flag_is_looked_at_before_each_run(monkeypatch):
    said = (monkeypatch, lambda self, context: self.says_so, [True, False, True], False)
    expected = with_flag(*said)
    with accelerate(), pytest.warns(FallbackWarning, match="the method TransferMechanism.is_finished of its class was replaced"):
        assert with_flag(*said) == expected
    with accelerate(strict=True), pytest.raises(UnsupportedFeature, match="is_finished of its class was replaced"):
        with_flag(*said)
    monkeypatch.undo()


@pytest.mark.parametrize("said", [lambda self, context: not self.says_so, lambda self, context: context is not None and self.says_so])
def test_a_function_that_does_more_is_left_to_psyneulink(monkeypatch, said):
    with accelerate(strict=True), pytest.raises(UnsupportedFeature, match="is_finished of its class was replaced"):
        with_flag(monkeypatch, said, [True], False)
    monkeypatch.undo()
