"""
A call that falls back runs in the mode of PsyNeuLink that it asks for, and as fast as without cogir.
"""

import warnings
from unittest import mock

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.golden import fresh

# isort: split
from psyneulink.core.llvm import CompExecution

from cogir.psyneulink import FallbackWarning, accelerate
from cogir.psyneulink.execution import session
from cogir.psyneulink.state.lazy_values import PENDING, ObservedDict

pytestmark = pytest.mark.filterwarnings("ignore")

MODES = [pnl.ExecutionMode.LLVMRun, pnl.ExecutionMode._LLVMExec, pnl.ExecutionMode._LLVMPerNode]


def integrator():
    """A Mechanism with a state."""
    fresh()
    a = pnl.TransferMechanism(name="A", integrator_mode=True, integration_rate=0.25)
    return pnl.Composition(name="C", pathways=[[a, pnl.TransferMechanism(name="B", function=pnl.Logistic())]])


def alone():
    """The same Mechanism as the only node: PsyNeuLink's own compiler takes seconds for each node that it is given."""
    fresh()
    return pnl.Composition(name="C", nodes=[pnl.TransferMechanism(name="A", integrator_mode=True, integration_rate=0.25)])


def refused(composition):
    """Has a Composition fall back in each run from now on."""
    composition.nodes["A"].parameters.value.history_max_length = 3
    return composition


def told(call):
    """What the FallbackWarnings of a call say."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    return [str(one.message) for one in caught if issubclass(one.category, FallbackWarning)]


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
def test_a_call_falls_back_to_the_mode_that_it_asks_for(mode):
    def results():
        composition, made = refused(alone()), []

        def noted(*given, **tags):  # a mock would keep what it is called with, and all that hangs on it
            made.append(1)
            original(*given, **tags)

        with mock.patch.object(CompExecution, "__init__", noted):
            for _ in range(2):
                composition.run({"A": [[1.0]]}, execution_mode=mode)
        return np.ravel(composition.results).tolist(), len(made)

    original = CompExecution.__init__
    assert pnl.core.llvm._cpu_engine is None, "what other tests have compiled would be compiled again"

    expected = results()
    assert expected[1]
    found = []
    with accelerate():
        said = told(lambda: found.append(results()))
    assert len(said) == 1
    assert found == [expected]


def test_psyneulinks_compiler_goes_on_from_a_native_run():
    """Its structures in memory do not notice what a native run has left."""

    def results(runs):
        composition = integrator()
        limits = composition.nodes["A"].parameters.value
        for length in (3, 1, 3):
            limits.history_max_length = length
            runs(composition)
        return np.ravel(composition.results)

    expected = results(lambda one: one.run({"A": [[1.0], [2.0]]}))
    with accelerate("LLVMRun"):
        found = results(lambda one: one.run({"A": [[1.0], [2.0]]}, execution_mode=pnl.ExecutionMode.LLVMRun))
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_a_composition_that_never_ran_natively_is_not_observed():
    composition = refused(integrator())
    with accelerate("LLVMRun"):
        assert told(lambda: composition.run({"A": [[1.0]]}))
    assert type(composition.nodes["A"].parameters.value.values) is dict
    assert type(composition.scheduler.clocks) is dict


def test_observed_values_are_quick_while_psyneulink_runs():
    """Nothing of a native run in the midst of it gets lost."""
    composition, inner = integrator(), integrator()
    seen = []

    def look():
        values = composition.nodes["A"].parameters.value.values
        seen.append(isinstance(values, ObservedDict))
        if len(seen) == 2:
            inner.run({"A": [[1.0]]})
            seen.append(float(inner.nodes["A"].parameters.value.get(inner)[0][0]))

    with accelerate("LLVMRun"):
        inner.run({"A": [[1.0]]})
        composition.run({"A": [[1.0]]})
        refused(composition)
        assert told(lambda: composition.run({"A": [[1.0], [1.0]]}, call_after_trial=look))
        look()
        assert seen == [False, False, 0.4375, True]
        assert not PENDING.quiet
        composition.nodes["A"].parameters.value.history_max_length = 1
        assert told(lambda: composition.run({"A": [[1.0]]})) == []
    np.testing.assert_allclose(composition.nodes["A"].parameters.value.get(composition), [[1 - 0.75**4]])


def test_a_log_that_only_psyneulink_keeps_is_told_before_compiling(monkeypatch):
    """It is asked for again once a log condition has been set."""
    composition = integrator()
    a = composition.nodes["A"]
    compiled = []
    original = session.compile_source

    def noted(*given):
        compiled.append(1)
        return original(*given)

    monkeypatch.setattr(session, "compile_source", noted)
    a.set_log_conditions("func_value")
    with accelerate():
        assert len(told(lambda: composition.run({"A": [[1.0], [2.0]]}))) == 1
        composition.run({"A": [[1.0], [2.0]]})
        assert not compiled
        assert not session.sessions_of(composition)
        a.set_log_conditions("func_value", pnl.LogCondition.OFF)
        composition.run({"A": [[1.0], [2.0]]})
        assert len(compiled) == len(session.sessions_of(composition)) == 1
        a.set_log_conditions("func_value")
        entries = len(a.function.parameters.value.log["C"])
        composition.run({"A": [[1.0], [2.0]]})
    assert len(a.function.parameters.value.log["C"]) > entries
    assert len(compiled) == 1
