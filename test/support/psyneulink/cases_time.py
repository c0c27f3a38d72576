"""
Cases: conditions of nodes, terminations of trials and runs, resets.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from support.psyneulink.cases import Case, node

import psyneulink as pnl

Condition = Callable[[Any, Any, Any], Any]
"""Makes a condition from the nodes A, B and C."""


def counter(name: str, **settings: Any) -> Any:
    """A Mechanism that adds what arrives to what it has."""
    return pnl.ProcessingMechanism(name=name, function=pnl.SimpleIntegrator(rate=1.0, offset=0.01), **settings)


def scheduled(
    b: Condition | None = None,
    c: Condition | None = None,
    trial: Condition | None = None,
    run: Condition | None = None,
    trials: int = 3,
    reset: Callable[[], Any] | None = None,
    refused: str | None = None,
) -> Case:
    """A, then B, then C, each an integrator; the conditions of B and C, and when a trial (5 passes unless said) and a run end."""

    def build() -> Any:
        nodes = counter("A", reset_stateful_function_when=pnl.Never() if reset is None else reset()), counter("B"), counter("C")
        composition = pnl.Composition(name="comp", pathways=[list(nodes)])
        if b is not None:
            composition.scheduler.add_condition(nodes[1], b(*nodes))
        composition.scheduler.add_condition(nodes[2], pnl.Always() if c is None else c(*nodes))
        composition.termination_processing = {
            pnl.TimeScale.TRIAL: pnl.AfterNPasses(5) if trial is None else trial(*nodes),
            pnl.TimeScale.RUN: pnl.Never() if run is None else run(*nodes),
        }
        return composition

    return Case(build, trials=trials, refused=refused)


REFUSED = {
    "run ends NWhen": "NWhen, which PsyNeuLink evaluates once more",
    "reset NWhen": "shares among all execution contexts",
    "trial ends executions in a pass": "Threshold reads 'num_executions'",
}
"""Cases that are refused, and what is said."""

NODES: dict[str, Condition] = {
    "Always": lambda a, b, c: pnl.Always(),
    "Never": lambda a, b, c: pnl.Never(),
    "AtPass": lambda a, b, c: pnl.AtPass(2),
    "AtPass in run": lambda a, b, c: pnl.AtPass(7, time_scale=pnl.TimeScale.RUN),
    "BeforePass": lambda a, b, c: pnl.BeforePass(2),
    "AfterPass": lambda a, b, c: pnl.AfterPass(2),
    "AfterNPasses": lambda a, b, c: pnl.AfterNPasses(2),
    "EveryNPasses": lambda a, b, c: pnl.EveryNPasses(2),
    "AtTrial": lambda a, b, c: pnl.AtTrial(1),
    "AtTrial in life": lambda a, b, c: pnl.AtTrial(4, time_scale=pnl.TimeScale.LIFE),
    "BeforeTrial": lambda a, b, c: pnl.BeforeTrial(2),
    "AfterTrial": lambda a, b, c: pnl.AfterTrial(0),
    "AfterNTrials": lambda a, b, c: pnl.AfterNTrials(1),
    "AtRun": lambda a, b, c: pnl.AtRun(1),
    "AfterRun": lambda a, b, c: pnl.AfterRun(0),
    "AfterNRuns": lambda a, b, c: pnl.AfterNRuns(2),
    "AtTrialStart": lambda a, b, c: pnl.AtTrialStart(),
    "AtTrialNStart": lambda a, b, c: pnl.AtTrialNStart(1),
    "AtRunStart": lambda a, b, c: pnl.AtRunStart(),
    "AtRunNStart": lambda a, b, c: pnl.AtRunNStart(1),
    "BeforeTimeStep": lambda a, b, c: pnl.BeforeTimeStep(4),
    "AtTimeStep": lambda a, b, c: pnl.AtTimeStep(4),
    "AfterTimeStep": lambda a, b, c: pnl.AfterTimeStep(4),
    "AfterNTimeSteps": lambda a, b, c: pnl.AfterNTimeSteps(4),
    "BeforeNCalls": lambda a, b, c: pnl.BeforeNCalls(a, 3),
    "BeforeNCalls in run": lambda a, b, c: pnl.BeforeNCalls(a, 7, time_scale=pnl.TimeScale.RUN),
    "AtNCalls": lambda a, b, c: pnl.AtNCalls(a, 3),
    "AfterCall": lambda a, b, c: pnl.AfterCall(a, 2),
    "AfterNCalls": lambda a, b, c: pnl.AfterNCalls(a, 2),
    "executions": lambda a, b, c: pnl.Threshold(a, "num_executions", 3, ">=", indices=pnl.TimeScale.TRIAL),
    "AfterNCalls in life": lambda a, b, c: pnl.AfterNCalls(a, 20, time_scale=pnl.TimeScale.LIFE),
    "AfterNCallsCombined": lambda a, b, c: pnl.AfterNCallsCombined(a, c, n=5),
    "EveryNCalls": lambda a, b, c: pnl.EveryNCalls(a, 1),
    "EveryNCalls of two": lambda a, b, c: pnl.EveryNCalls(a, 2),
    "EveryNCalls of three": lambda a, b, c: pnl.EveryNCalls(a, 3),
    "JustRan": lambda a, b, c: pnl.JustRan(a),
    "AllHaveRun": lambda a, b, c: pnl.AllHaveRun(a),
    "AllHaveRun in run": lambda a, b, c: pnl.AllHaveRun(a, c, time_scale=pnl.TimeScale.RUN),
    "NWhen": lambda a, b, c: pnl.NWhen(pnl.AfterNCalls(a, 2), 2),
    "NWhen over runs": lambda a, b, c: pnl.NWhen(pnl.AfterNCalls(a, 2), 17),
    "NWhen of values": lambda a, b, c: pnl.NWhen(pnl.Threshold(a, "value", 0.0, ">", indices=(0, 0)), 20),
    "NWhen after another": lambda a, b, c: pnl.Any(pnl.AtPass(0), pnl.NWhen(pnl.AfterPass(2), 5)),
    "AtNCalls in life": lambda a, b, c: pnl.AtNCalls(a, 17, time_scale=pnl.TimeScale.LIFE),
    "AfterCall in life of values": lambda a, b, c: pnl.All(
        pnl.AfterCall(a, 17, time_scale=pnl.TimeScale.LIFE), pnl.Threshold(a, "value", 0.0, "!=", indices=(0, 0))
    ),
    "JustRan after values": lambda a, b, c: pnl.Any(pnl.JustRan(c), pnl.Threshold(a, "value", 0.5, ">", indices=(0, 0))),
    "AllHaveRun in life": lambda a, b, c: pnl.AllHaveRun(a, c, time_scale=pnl.TimeScale.LIFE),
    "AfterNPasses in life": lambda a, b, c: pnl.AfterNPasses(17, time_scale=pnl.TimeScale.LIFE),
    "All": lambda a, b, c: pnl.All(pnl.AfterPass(0), pnl.BeforePass(3)),
    "Any": lambda a, b, c: pnl.Any(pnl.AtPass(0), pnl.AtPass(3)),
    "And Or": lambda a, b, c: pnl.And(pnl.Or(pnl.AtPass(0), pnl.AtPass(3)), pnl.AfterNCalls(a, 2)),
    "Not": lambda a, b, c: pnl.Not(pnl.AtPass(2)),
    "Not of Any": lambda a, b, c: pnl.Not(pnl.Any(pnl.AtPass(0), pnl.EveryNCalls(a, 2))),
    "Threshold": lambda a, b, c: pnl.Threshold(a, "value", 0.5, ">", indices=(0, 0)),
    "Threshold of a port": lambda a, b, c: pnl.Threshold(a.output_port, "value", 0.5, ">", indices=0),
    "Threshold below": lambda a, b, c: pnl.Threshold(a, "value", 0.5, "<=", indices=(0, 0)),
    "Threshold near": lambda a, b, c: pnl.Threshold(a, "value", 0.5, "==", indices=(0, 0), atol=0.6),
    "Threshold far": lambda a, b, c: pnl.Threshold(a, "value", 0.5, "!=", indices=(0, 0), rtol=0.9),

}  # fmt: skip

TERMINATIONS: dict[str, Condition] = {
    "NWhen": lambda a, b, c: pnl.Any(pnl.NWhen(pnl.AfterNPasses(2), 2), pnl.AfterNPasses(4)),
    "AllHaveRun": lambda a, b, c: pnl.AllHaveRun(),
    "AllHaveRun of one": lambda a, b, c: pnl.AllHaveRun(b),
    "AfterNCalls": lambda a, b, c: pnl.AfterNCalls(c, 3),
    "AfterPass": lambda a, b, c: pnl.AfterPass(2),
    "AfterNTimeSteps": lambda a, b, c: pnl.AfterNTimeSteps(4),
    "Any": lambda a, b, c: pnl.Any(pnl.AfterNCalls(a, 4), pnl.Threshold(b, "value", 0.3, ">", indices=(0, 0))),
    "All": lambda a, b, c: pnl.All(pnl.AfterNCalls(a, 2), pnl.AfterNCalls(c, 1)),
    "executions in a trial": lambda a, b, c: pnl.Threshold(a, "num_executions", 3, ">=", indices=pnl.TimeScale.TRIAL),
    "executions in a run": lambda a, b, c: pnl.Any(
        pnl.Threshold(c, "num_executions", 7, ">", indices=pnl.TimeScale.RUN), pnl.AfterNPasses(4)
    ),
    "executions in life": lambda a, b, c: pnl.Any(
        pnl.Threshold(c, "num_executions", 17, "==", indices=pnl.TimeScale.LIFE), pnl.AfterNPasses(4)
    ),
    "executions in all contexts": lambda a, b, c: pnl.Any(pnl.Threshold(b, "execution_count", 25, ">="), pnl.AfterNPasses(4)),
    "executions in a pass": lambda a, b, c: pnl.Threshold(a, "num_executions", 1, ">=", indices=pnl.TimeScale.PASS),
}

RUNS: dict[str, Condition] = {
    "AfterNTrials": lambda a, b, c: pnl.AfterNTrials(2),
    "AfterNCalls in run": lambda a, b, c: pnl.AfterNCalls(c, 7, time_scale=pnl.TimeScale.RUN),
    "AfterNCalls in life": lambda a, b, c: pnl.AfterNCalls(c, 17, time_scale=pnl.TimeScale.LIFE),
    "AfterTrial": lambda a, b, c: pnl.AfterTrial(1),
    "NWhen": lambda a, b, c: pnl.NWhen(pnl.AfterNTrials(2), 1),
}

RESETS: dict[str, Callable[[], Any]] = {
    "AtTrialStart": lambda: pnl.AtTrialStart(),
    "AtTrial": lambda: pnl.AtTrial(1),
    "AfterTrial": lambda: pnl.AfterTrial(0),
    "AtRunStart": lambda: pnl.AtRunStart(),
    "AtRun": lambda: pnl.AtRun(1),
    "EveryNTrials": lambda: pnl.Not(pnl.AtTrial(1)),
    "Never": lambda: pnl.Never(),
    "AtPass": lambda: pnl.AtPass(0),
    "NWhen": lambda: pnl.NWhen(pnl.AfterTrial(0), 3),
}


def finishing(condition: Condition) -> Case:
    """B starts when A, which takes some steps, has finished."""

    def build() -> Any:
        a = pnl.TransferMechanism(
            name="A", input_shapes=2, integrator_mode=True, integration_rate=0.4, termination_threshold=0.2, termination_measure=max,
            execute_until_finished=False, noise=0.1,
        )  # fmt: skip
        b, c = node("B", function=pnl.Linear(slope=2.0)), counter("C")
        composition = pnl.Composition(name="comp", pathways=[[a, b, c]])
        composition.scheduler.add_condition(b, condition(a, b, c))
        composition.scheduler.add_condition(c, pnl.Always())
        composition.termination_processing = {pnl.TimeScale.TRIAL: pnl.Any(pnl.AfterNCalls(b, 1), pnl.AfterNPasses(8))}
        return composition

    return Case(build, trials=4)


FINISHED = {
    "WhenFinished": finishing(lambda a, b, c: pnl.WhenFinished(a)),
    "WhenFinishedAny of one": finishing(lambda a, b, c: pnl.WhenFinishedAny(a)),
    "WhenFinishedAll of one": finishing(lambda a, b, c: pnl.WhenFinishedAll(a)),
    "Not WhenFinished": finishing(lambda a, b, c: pnl.Not(pnl.WhenFinished(a))),
}


def ddm_response() -> Any:
    """A DDM that takes its steps one by one, and a response when it has finished."""
    ddm = pnl.DDM(
        name="ddm", function=pnl.DriftDiffusionIntegrator(noise=0.5, threshold=0.8, time_step_size=0.2), execute_until_finished=False,
        reset_stateful_function_when=pnl.AtTrialStart(),
    )  # fmt: skip
    response = node("response")
    composition = pnl.Composition(name="comp", pathways=[[ddm, response]])
    composition.scheduler.add_condition(response, pnl.WhenFinished(ddm))
    composition.termination_processing = {pnl.TimeScale.TRIAL: pnl.Any(pnl.AllHaveRun(response), pnl.AfterNPasses(40))}
    return composition


def two_speeds() -> Any:
    """The example of PsyNeuLink's documentation: B every two calls of A, C every three of B."""
    a, b, c = (node(name, function=pnl.Linear(slope=slope)) for name, slope in (("A", 1.0), ("B", 2.0), ("C", 3.0)))
    composition = pnl.Composition(name="comp", pathways=[[a, b, c]])
    composition.scheduler.add_condition(b, pnl.EveryNCalls(a, 2))
    composition.scheduler.add_condition(c, pnl.EveryNCalls(b, 3))
    return composition


def same_layer() -> Any:
    """Two nodes of one layer: the second waits for three calls of the first, the termination for the second."""
    a, b, c = counter("A"), counter("B"), counter("C")
    composition = pnl.Composition(name="comp", pathways=[[a, c], [b, c]])
    composition.scheduler.add_condition(b, pnl.AfterNPasses(3))
    composition.scheduler.add_condition(c, pnl.All(pnl.AfterNCalls(a, 2), pnl.AfterNCalls(b, 1)))
    return composition


def after_a_node() -> Any:
    """Two counters that receive nothing from each other, the first after the second, and a third after both."""
    a, b, c = counter("A"), counter("B"), counter("C")
    composition = pnl.Composition(name="comp", pathways=[[a, c], [b, c]])
    composition.scheduler.add_condition(a, pnl.AfterNode(b))
    return composition


def before_its_sender() -> Any:
    """A chain of counters whose last is considered before the first, and whose second is executed every second time."""
    a, b, c = counter("A"), counter("B"), counter("C")
    composition = pnl.Composition(name="comp", pathways=[a, b, c])
    composition.scheduler.add_condition(b, pnl.EveryNCalls(a, 2))
    composition.scheduler.add_condition(c, pnl.BeforeNode(a))
    return composition


def another_edge(removed: bool = False) -> Any:
    """A counter that waits for one of which it gets nothing; `removed`: and another one no longer for the one that it hears."""
    a, b, c = counter("A"), counter("B"), counter("C")
    composition = pnl.Composition(name="comp", pathways=[[a, c], [b]])
    composition.scheduler.add_condition(a, pnl.AtPass(1))
    composition.scheduler.add_condition(a, pnl.AddEdgeTo(b))
    if removed:
        composition.scheduler.add_condition(c, pnl.RemoveEdgeFrom(a))
    return composition


OTHERS = {
    "an edge to a node": Case(another_edge),
    "an edge to a node and one removed": Case(lambda: another_edge(removed=True)),
    "before its sender": Case(before_its_sender),
    "after a node": Case(after_a_node),
    "DDM with a response": Case(ddm_response, trials=4),
    "two speeds": Case(two_speeds),
    "two in one layer": Case(same_layer),
}

GROUPS: dict[str, dict[str, Case]] = {
    "Conditions of nodes": {f"B {name}": scheduled(b=condition) for name, condition in NODES.items()},
    "When trials end": {
        f"trial ends {name}": scheduled(trial=condition, refused=REFUSED.get(f"trial ends {name}"))
        for name, condition in TERMINATIONS.items()
    },
    "When runs end": {
        f"run ends {name}": scheduled(run=condition, refused=REFUSED.get(f"run ends {name}")) for name, condition in RUNS.items()
    },
    "Resets": {f"reset {name}": scheduled(reset=make, refused=REFUSED.get(f"reset {name}")) for name, make in RESETS.items()},
    "Waiting for what has finished": FINISHED,
    "Schedules": OTHERS,
}
"""The cases by what they are about."""

CASES: dict[str, Case] = {name: case for group in GROUPS.values() for name, case in group.items()}
