"""
A Composition that has run, and that a script drops, is freed like any other object: compiled forms of it do not keep it alive.
"""

import copy
import gc
import pickle
from weakref import ref

import graph_scheduler
import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.golden import fresh

from cogir.psyneulink import accelerate
from cogir.psyneulink.execution.session import sessions_of
from cogir.psyneulink.records import kept

pytestmark = pytest.mark.filterwarnings("ignore")

INPUTS = [[0.25], [0.5]]


def chain(**arguments):
    """Two Mechanisms, A and B."""
    a = pnl.TransferMechanism(name="A", function=pnl.Linear(slope=2.0))
    return pnl.Composition(name="C", pathways=[[a, pnl.ProcessingMechanism(name="B", function=pnl.Logistic)]], **arguments)


def run(composition, **given):
    """Two runs of two trials."""
    for _ in range(2):
        composition.run({composition.nodes[0]: INPUTS}, **given)


def looked_at():
    """What a run leaves has been put into PsyNeuLink."""
    composition = chain()
    run(composition)
    assert composition.nodes[1].value.shape == (1, 1)
    assert len(composition.results) == 4
    return composition


def not_looked_at():
    """What a run leaves is still to be put into PsyNeuLink."""
    composition = chain()
    run(composition)
    return composition


def logged():
    """A value is logged."""
    composition = chain()
    composition.nodes[1].set_log_conditions("value")
    run(composition)
    return composition


def called_back():
    """Trials run one by one."""
    composition = chain()
    run(composition, call_after_trial=lambda: composition.results)
    return composition


def nested():
    """A Composition in another one."""
    inner = chain()
    composition = pnl.Composition(name="outer", nodes=[inner])
    run(composition)
    return composition


def refused():
    """It runs in PsyNeuLink."""
    composition = chain()
    composition.scheduler.add_condition(composition.nodes[1], pnl.Condition(lambda: True))
    run(composition)
    return composition


def searched():
    """A controller searches."""
    composition = chain()
    composition.add_controller(
        pnl.OptimizationControlMechanism(
            name="control",
            agent_rep=composition,
            state_features=[composition.nodes[0].input_port],
            objective_mechanism=pnl.ObjectiveMechanism(monitor=[composition.nodes[1]]),
            function=pnl.GridSearch(),
            control_signals=[pnl.ControlSignal(modulates=("slope", composition.nodes[0]), allocation_samples=[1.0, 2.0])],
        )
    )
    run(composition)
    composition.evaluate({composition.nodes[0]: [[1.0]]}, control_allocation=[1.0], context="C", num_trials=1)
    return composition


def learned(mode):
    """It learns natively."""
    a, b = pnl.TransferMechanism(name="a"), pnl.TransferMechanism(name="b", function=pnl.Logistic)
    composition = pnl.AutodiffComposition(name="net", pathways=[[a, pnl.MappingProjection(matrix=[[0.5]]), b]])
    rows = np.linspace(0.0, 1.0, 4).reshape(4, 1)
    composition.learn({"inputs": {a: rows}, "targets": {b: rows}, "epochs": 2}, execution_mode=mode)
    return composition


SCRIPTS = {one.__name__: one for one in (looked_at, not_looked_at, logged, called_back, nested, refused, searched)} | {
    "learned": lambda: learned(pnl.ExecutionMode.PyTorch),
    "learned by its compiler": lambda: learned(pnl.ExecutionMode.LLVMRun),
}


def forget():
    """Empties what PsyNeuLink itself keeps of all components, for ever, once what tests before have dropped is gone."""
    gc.collect()
    for registry in pnl.primary_registries:
        pnl.clear_registry(registry)
    pnl.core.llvm.cleanup(False)
    graph_scheduler.utilities.cached_hashable_graph_function.cache_clear()
    gc.collect()


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_composition_that_has_run_and_is_dropped_is_freed(script):
    fresh()
    with accelerate():
        composition = SCRIPTS[script]()
        parts = [ref(composition), *map(ref, composition.nodes)]
        del composition
        forget()
        assert [part() for part in parts if part() is not None] == []


def test_a_loop_that_builds_compositions_does_not_grow():
    fresh()

    def objects():
        not_looked_at()
        forget()
        return len(gc.get_objects())

    with accelerate():
        for _ in range(2):
            objects()  # caches of Python, NumPy and cogir fill
        before = objects()
        for _ in range(3):
            after = objects()
    assert after - before < 100, "one Composition is some 15,000 objects"


def test_a_mechanism_shows_what_a_run_has_left_when_its_composition_has_been_dropped():
    fresh()
    with accelerate():
        composition = not_looked_at()
        kept_by_script = composition.nodes[1]
        del composition
        gc.collect()
        np.testing.assert_allclose(kept_by_script.value, [[1.0 / (1.0 + np.exp(-1.0))]], rtol=1e-12)


def test_a_copy_has_nothing_of_what_is_kept_of_the_original():
    class Note:
        pass

    class Owner:
        pass

    owner = Owner()
    note = kept(owner, Note)
    assert kept(owner, Note) is note
    for one in (copy.copy(owner), copy.deepcopy(owner)):
        assert kept(one, Note) is not note
    assert pickle.loads(pickle.dumps(owner.__dict__["_kept_by_cogir"])).held == {}
    assert kept(owner, Note) is note


def test_a_deep_copy_of_a_composition_that_has_run_has_no_session():
    fresh()
    with accelerate():
        composition = not_looked_at()
        assert len(sessions_of(composition)) == 1
        assert not sessions_of(copy.deepcopy(composition))
