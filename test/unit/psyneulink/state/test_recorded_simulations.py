"""
The results of simulations that PsyNeuLink keeps: those of nested Compositions, and of what is executed and not run.
"""

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.golden import fresh

import cogir.psyneulink.execution.native_run
import cogir.psyneulink.execution.session
from cogir.psyneulink import FallbackWarning, accelerate

pytestmark = pytest.mark.filterwarnings("ignore")

INPUTS = [[2.0], [-3.0], [0.5]]


def search(composition, node, seen, direction, levels, **given):
    """A controller that chooses the slope of a node."""
    signal = pnl.ControlSignal(modulates=("slope", node), allocation_samples=levels, cost_options=pnl.CostFunctions.NONE)
    return pnl.OptimizationControlMechanism(
        name=f"OCM of {composition.name}",
        agent_rep=composition,
        state_features=[node.input_port],
        objective_mechanism=pnl.ObjectiveMechanism(name=f"O of {composition.name}", monitor=[seen.output_port]),
        function=pnl.GridSearch(direction=direction),
        control_signals=[signal],
        **given,
    )


def nested(*, outer=False, beside=0, mode="after", levels=(1.0, 2.0), noise=0.0, passes=1, condition=None, **given):
    """
    A Composition that begins with A, then a nested one, which has a controller. `outer`: it has one, too; `beside`: how many elements a
    second output of the nested one has; `passes`: how often it runs in each trial.
    """
    fresh()
    a, b = (pnl.ProcessingMechanism(name=name) for name in "AB")
    c = pnl.TransferMechanism(name="C", integrator_mode=True, integration_rate=0.5, noise=noise() if noise is pnl.NormalDist else noise)
    inner = pnl.Composition(name="I", pathways=[[b, c]], controller_mode=mode)
    if beside:
        d = pnl.ProcessingMechanism(name="D", input_shapes=beside)
        inner.add_node(d)
        inner.add_projection(sender=b, receiver=d)
    inner.add_controller(search(inner, b, c, pnl.MINIMIZE, list(levels), **given))
    if condition is not None:
        inner.controller_condition = condition
    composition = pnl.Composition(name="X")
    composition.add_linear_processing_pathway([a, inner])
    if passes > 1:
        composition.scheduler.add_condition(inner, pnl.EveryNPasses(1))
        composition.termination_processing = {pnl.TimeScale.TRIAL: pnl.AfterNCalls(inner, passes)}
    if outer:
        composition.add_controller(search(composition, a, c, pnl.MAXIMIZE, [1.0, 2.0]))
    return composition, inner


def lists_of(value):
    """Arrays as lists, with their kinds."""
    if isinstance(value, np.ndarray):
        return (str(value.dtype), value.shape, [lists_of(one) for one in value])
    return value.item() if isinstance(value, np.generic) else value


def kept(*compositions):
    """The results of simulations that are kept, in all execution contexts."""
    found = []
    for one in compositions:
        results = one.parameters.simulation_results.values
        found.append({key: (type(held).__name__, [lists_of(each) for each in held]) for key, held in results.items()})
    return found


def script(compositions):
    """Runs and executes it in two contexts; what is kept after each call."""
    composition, inner = compositions
    a = composition.nodes["A"]
    seen = []
    for context in ("x", "x", "y"):
        composition.run({a: INPUTS}, context=context)
        seen.append(kept(composition, inner))
    composition.execute({a: [[1.5]]}, context="x")
    seen.append(kept(composition, inner))
    composition.run({a: INPUTS}, context="x", call_after_trial=lambda: seen.append(kept(composition, inner)))
    for _ in range(3):
        composition.run({a: [[4.0]]}, context="x")
    return [*seen, kept(composition, inner)]


CASES = {
    "after": {},
    "before": {"mode": "before"},
    "whole numbers": {"levels": (1, 2, 3)},
    "within a search": {"outer": True},
    "several trials": {"num_trials_per_estimate": 2},
    "outputs of several lengths": {"beside": 2},
    "outputs of one length": {"beside": 1},
    "several times in a trial": {"passes": 3},
    "at a trial": {"condition": pnl.AtTrial(1)},
    "estimates": {"noise": pnl.NormalDist, "num_estimates": 3},
    "the same estimates": {"noise": pnl.NormalDist, "num_estimates": 2, "same_seed_for_all_allocations": True},
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("case", CASES)
def test_what_is_kept_of_simulations_is_psyneulinks(case):
    expected = script(nested(**CASES[case]))
    assert any(held for _, held in expected[0][-1].values())
    with accelerate(strict=True):
        assert script(nested(**CASES[case])) == expected


def rooms(monkeypatch, room, most):
    """Lets cogir begin with room for so many numbers, and give up beyond another number."""
    monkeypatch.setattr(cogir.psyneulink.execution.session, "RECORD_ROOM", room)
    monkeypatch.setattr(cogir.psyneulink.execution.session, "MOST_RECORD_ROOM", most)


def clocked():
    """A Composition of which a node runs in the first trial of each run only, and the nested one several times in each trial."""
    composition, inner = nested(passes=5)
    composition.scheduler.add_condition(composition.nodes["A"], pnl.AtTrial(0))
    return composition, inner


@pytest.mark.full
def test_room_grows_in_the_midst_of_a_run(monkeypatch):
    """Five searches in a trial, of two simulations with a level and an output each, do not fit into 12 numbers."""
    expected = runs(*clocked())
    rooms(monkeypatch, 12, 1000)
    with accelerate(strict=True):
        assert runs(*clocked()) == expected


def test_searches_that_do_not_fit_are_run_in_parts_of_half_as_many_trials(monkeypatch):
    """Two searches in a trial, in a record with room for eight of them: four trials at a time fit, after eight did not."""
    counts = []
    genuine = cogir.psyneulink.execution.native_run.NativeRun.trials_at_once

    def counted(run, session, mirror, rows, count, made):
        counts.append(count)
        genuine(run, session, mirror, rows, count, made)

    monkeypatch.setattr(cogir.psyneulink.execution.native_run.NativeRun, "trials_at_once", counted)
    rooms(monkeypatch, 32, 1000)
    composition, inner = nested(passes=2)
    with accelerate(strict=True):
        composition.run({composition.nodes["A"]: INPUTS}, num_trials=20, context="x")
        assert counts == [8, 4, 4, 4, 4, 4]
        assert len(inner.parameters.simulation_results.get("x")) == 20 * 2 * 2


def test_one_search_has_room_whatever_it_takes(monkeypatch):
    expected = runs(*nested())
    rooms(monkeypatch, 1, 1)
    with accelerate(strict=True):
        assert runs(*nested()) == expected


def runs(composition, inner):
    """The results and times of some runs, and what is kept of simulations."""
    for inputs in (INPUTS, INPUTS[:1], INPUTS):
        composition.run({composition.nodes["A"]: inputs}, context="x")
    seen = [lists_of(composition.parameters.results.get("x")), str(composition.scheduler.get_clock("x").time)]
    return [*seen, *kept(composition, inner)]


def test_more_than_there_may_be_room_for_is_psyneulinks(monkeypatch):
    expected = runs(*clocked())
    rooms(monkeypatch, 4, 4)
    with accelerate(), pytest.warns(FallbackWarning, match="'X': PsyNeuLink keeps more than 4 numbers of what the searches of"):
        assert runs(*clocked()) == expected


def held_lists(composition, inner):
    """Lists that a script has got, after further runs."""
    a = composition.nodes["A"]
    composition.run({a: INPUTS}, context="x")
    results = inner.parameters.simulation_results.get("x")
    composition.run({a: INPUTS[:1]}, context="x")
    composition.run({a: INPUTS[:1]}, context="x")
    return [lists_of(one) for one in results]


def test_lists_that_a_script_holds_become_longer():
    expected = held_lists(*nested())
    with accelerate(strict=True):
        assert held_lists(*nested()) == expected


def test_lists_that_a_script_replaces():
    def found(composition, inner):
        a = composition.nodes["A"]
        composition.run({a: INPUTS}, context="x")
        inner.parameters.simulation_results.set(None, "x", override=True)
        composition.run({a: INPUTS}, context="x")
        return kept(composition, inner)

    expected = found(*nested())
    with accelerate(strict=True):
        assert found(*nested()) == expected


def beside_what_does_not_compile():
    """The nested Composition of `nested`, in one that has a node whose function cannot be compiled."""
    composition, inner = nested()
    composition.add_node(pnl.ProcessingMechanism(name="S", function=pnl.UserDefinedFunction(lambda variable: np.unwrap(variable))))
    return composition, inner


def test_a_part_that_runs_natively_alone():
    expected = runs(*beside_what_does_not_compile())
    with accelerate(), pytest.warns(FallbackWarning):
        assert runs(*beside_what_does_not_compile()) == expected


@pytest.mark.full
def test_native_runs_after_searches_of_python_mode():
    """Of whose simulations the components then say the execution context, in which nothing has a value any more."""
    composition, inner = nested(outer=True)
    expected = runs(composition, inner)
    composition, inner = nested(outer=True)
    a = composition.nodes["A"]
    composition.run({a: INPUTS}, context="x")
    with accelerate(strict=True):
        composition.run({a: INPUTS[:1]}, context="x")
    composition.run({a: INPUTS}, context="x")
    with accelerate(strict=True):
        seen = [lists_of(composition.parameters.results.get("x")), str(composition.scheduler.get_clock("x").time)]
        assert [*seen, *kept(composition, inner)] == expected
