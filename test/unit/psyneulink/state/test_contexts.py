"""The execution context of the last execution: components say it, and what is done by hand is logged with its time."""

import contextlib

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.golden import fresh

import cogir.psyneulink
from cogir.psyneulink import accelerate
from cogir.psyneulink.execution.session import sessions_of
from cogir.psyneulink.importer.survey import components_of
from cogir.runtime.results import Result, RunInterrupted

pytestmark = pytest.mark.filterwarnings("ignore")


def build():
    """Two Mechanisms with a nested Composition between them."""
    fresh()
    a = pnl.TransferMechanism(name="A", integrator_mode=True)
    inner = pnl.Composition(name="INNER", pathways=[pnl.TransferMechanism(name="I")])
    return pnl.Composition(name="C", pathways=[[a, inner, pnl.ProcessingMechanism(name="B", function=pnl.Linear(slope=2.0))]])


def last_contexts(composition):
    """What each component that runs says of its last context; those that were executed in none say so in several ways."""
    compositions = [composition, composition.nodes["INNER"]]
    nodes = [node for one in compositions for node in (*one.nodes, one.input_CIM, one.output_CIM) if node not in compositions]
    found = {}
    for one in (*compositions, *(part for node in nodes for part in components_of(node) if isinstance(part, pnl.Component))):
        last = one.most_recent_context
        found[f"{type(one).__name__} {one.name.rpartition('-')[0] or one.name} of {getattr(getattr(one, 'owner', None), 'name', '')}"] = (
            last.execution_id,
            getattr(last.composition, "name", None),
            *((last.source, last.execution_phase) if last.execution_id is not None else ()),
        )
    return found


def two_runs(composition, a):
    composition.run({a: [[1.0], [2.0]]})
    composition.run({a: [[3.0]]})


def another_context_between(composition, a):
    composition.run({a: [[1.0]]})
    composition.run({a: [[1.0]]}, context="other")
    composition.run({a: [[1.0]]})


def by_hand_between(composition, a):
    composition.run({a: [[1.0]]})
    a.execute([30.0])
    composition.run({a: [[2.0]]})


def execute(composition, a):
    composition.run({a: [[1.0]]})
    composition.execute({a: [[1.0]]})


def part_by_hand_between(composition, a):
    composition.run({a: [[1.0]]})
    composition.nodes["INNER"].nodes["I"].execute([4.0])
    composition.nodes["B"].function(3.0)
    composition.run({a: [[2.0]]})


@pytest.mark.parametrize("script", [two_runs, another_context_between, by_hand_between, execute, part_by_hand_between])
def test_the_last_context_of_each_component(script):
    def left(block):
        composition = build()
        with block:
            script(composition, composition.nodes["A"])
        return last_contexts(composition), float(composition.nodes["A"].value[0, 0]), float(composition.nodes["B"].value[0, 0])

    expected, *values = left(contextlib.nullcontext())
    found, *same_values = left(accelerate(strict=True))
    assert values == same_values
    assert len([name for name, last in expected.items() if last[0] is not None]) > 20
    assert found == expected


RUNS = {
    "never": pnl.Never,
    "in the first run": lambda: pnl.AtRun(0),
    "in the first trials": lambda: pnl.AtTrial(0),
}


@pytest.mark.parametrize(("node", "name"), [("B", "in the first run"), ("INNER", "in the first trials"), ("INNER", "never")])
def test_what_was_not_executed_keeps_its_context(node, name):
    def left(block):
        composition = build()
        a, b = composition.nodes["A"], composition.nodes["B"]
        composition.scheduler.add_condition(composition.nodes[node], RUNS[name]())
        composition.scheduler.add_condition(a, pnl.AtPass(0))
        ends = {pnl.TimeScale.TRIAL: pnl.AfterPass(2)}
        said = []
        with block:
            for context in ("one", "two", "one", "one", "three"):
                composition.run({a: [[1.0], [2.0]]}, context=context, termination_processing=ends)
                said.append((np.ravel(a.value).tolist(), np.ravel(b.value).tolist(), last_contexts(composition)))
        return said

    assert left(accelerate(strict=True)) == left(contextlib.nullcontext())


def test_a_run_that_is_stopped_while_it_is_native(monkeypatch):
    composition = build()
    a = composition.nodes["A"]
    with accelerate(strict=True):
        composition.run({a: [[1.0]]}, context="other")
        session = sessions_of(composition)[0]
        native = session.engine.run

        def stopped(context, rows, out):
            native(context, rows, out[:2])
            raise RunInterrupted("stopped", Result(context.plan, out[:2], "interrupted"))

        monkeypatch.setattr(session.engine, "run", stopped)
        with pytest.raises(KeyboardInterrupt):
            composition.run({a: [[1.0]] * 5})
        assert {last[0] for last in last_contexts(composition).values()} == {"C", None}
        assert len(composition.results) == 2


def test_a_composition_that_another_one_ran_parts_of():
    def left(run):
        fresh()
        shared = pnl.TransferMechanism(name="S", integrator_mode=True)
        first, second = pnl.Composition(name="F", pathways=[shared]), pnl.Composition(name="G", pathways=[shared])
        said = []
        for one in (first, second, first, first, second, second, first):
            run(one, {shared: [[1.0]]})
            said.append((shared.most_recent_context.execution_id, float(shared.value[0, 0])))
        return said

    assert left(cogir.psyneulink.run) == left(lambda composition, inputs: composition.run(inputs))


def test_a_projection_from_another_composition_is_not_executed():
    def left(block):
        fresh()
        shared, x, y = (pnl.ProcessingMechanism(name=name) for name in "SXY")
        first, second = pnl.Composition(name="F", pathways=[[x, shared]]), pnl.Composition(name="G", pathways=[[y, shared]])
        with block:
            first.run({x: [[2.0]]})
            second.run({y: [[5.0]]})
        afferents = shared.path_afferents
        return [(one.most_recent_context.execution_id, np.ravel(one.value).tolist()) for one in (x, y, shared, *afferents)]

    assert left(accelerate(strict=True)) == left(contextlib.nullcontext())


def test_a_run_without_a_trial_was_one_of_the_composition_only():
    def left(block):
        composition = build()
        a = composition.nodes["A"]
        with block:
            composition.run({a: [[1.0], [2.0]]})
            composition.run({a: [[1.0]]}, num_trials=0, context="other")
        return composition.most_recent_context.execution_id, a.most_recent_context.execution_id, float(a.value[0, 0])

    assert left(accelerate(strict=True)) == left(contextlib.nullcontext())


def test_resets_of_nested_mechanisms_stay_as_in_psyneulink():
    def left(block):
        fresh()
        inner, a = pnl.TransferMechanism(name="I", integrator_mode=True), pnl.TransferMechanism(name="A", integrator_mode=True)
        composition = pnl.Composition(name="C", pathways=[[a, pnl.Composition(name="INNER", pathways=[inner])]])
        with block:
            composition.run({a: [[1.0], [2.0]]}, reset_stateful_functions_when={inner: pnl.AtTrialStart(), a: pnl.AtTrialStart()})
            kinds = [type(one.reset_stateful_function_when).__name__ for one in (inner, a)]
            return kinds, composition.run({a: [[1.0], [2.0]]}).tolist()

    assert left(accelerate(strict=True)) == left(contextlib.nullcontext())


def set_by_hand(composition, a):
    a.parameters.integration_rate.set(0.9, composition)


def reset_by_hand(composition, a):
    a.reset([[7.0]], context=composition)


def executed_by_hand(composition, a):
    a.execute([3.0])


def inner_reset_by_hand(composition, a):
    inner = composition.nodes["INNER"].nodes["I"]
    inner.parameters.noise.set(0.25, composition)
    composition.nodes["B"].function.parameters.slope.set(3.0, composition)


def entries(composition):
    """What the logs of all Mechanisms hold: time, who made the entry, and what it is."""
    mechanisms = [composition.nodes["A"], composition.nodes["B"], composition.nodes["INNER"].nodes["I"]]
    return [
        (one.name, name, execution_id, entry.time, entry.context, np.asarray(entry.value, dtype=object).tolist())
        for one in mechanisms
        for name, logged in one.log.logged_entries.items()
        for execution_id, made in logged.items()
        for entry in made
    ]


@pytest.mark.parametrize("by_hand", [set_by_hand, reset_by_hand, executed_by_hand, inner_reset_by_hand])
def test_what_is_done_by_hand_is_logged_with_the_time_of_the_run_before(by_hand):
    def logged(block):
        composition = build()
        a = composition.nodes["A"]
        for one in (a, composition.nodes["B"], composition.nodes["INNER"].nodes["I"]):
            one.set_log_conditions("value")
        with block:
            composition.run({a: [[1.0], [2.0]]})
            by_hand(composition, a)
            composition.run({a: [[3.0]]})
            by_hand(composition, a)
        return entries(composition)

    expected = logged(contextlib.nullcontext())
    assert any("COMMAND_LINE" in entry[4] for entry in expected)
    assert logged(accelerate(strict=True)) == expected
