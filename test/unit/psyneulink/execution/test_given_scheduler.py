"""
`run(scheduler=...)`: a scheduler that is given decides what runs when and counts, the Composition's own stays as it was.
"""

import contextlib
import warnings
from typing import Any

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.golden import fresh

# isort: split
from psyneulink_suite.compare import difference
from psyneulink_suite.exceptions import not_kept
from psyneulink_suite.held import held
from psyneulink_suite.plain_data import plain
from psyneulink_suite.records import Call

from cogir.psyneulink import FallbackWarning, accelerate

pytestmark = pytest.mark.filterwarnings("ignore")

Step = tuple[str | None, Any]
CIM_VARIABLES = {(cim, "input", 0, "variable") for cim in ("input_CIM", "output_CIM")}
INPUTS = [[1.0], [-2.0], [0.5]]


def built() -> tuple[pnl.Composition, dict[str, pnl.Scheduler]]:
    """An integrator, with a port that is not connected as it should be, and a node that it feeds; and schedulers for both."""
    a = pnl.IntegratorMechanism(name="A", function=pnl.SimpleIntegrator(rate=0.5), output_ports=["x", "y"])
    a.output_ports[1].parameters.require_projection_in_composition.set(True, override=True)
    b = pnl.ProcessingMechanism(name="B", function=pnl.Linear(slope=2.0))
    composition = pnl.Composition(pathways=[[a, b]], name="C")
    schedulers = {name: pnl.Scheduler(composition=composition) for name in ("plain", "every second")}
    schedulers["every second"].add_condition(b, pnl.EveryNCalls(a, 2))
    return composition, schedulers


def counted(scheduler: pnl.Scheduler, key: str) -> Any:
    """The clock and the counts of calls of a scheduler."""
    totals = scheduler.counts_total.get(key, {})
    calls = {str(scale): {node.name: count for node, count in counts.items()} for scale, counts in totals.items()}
    return str(scheduler.clocks[key].time) if key in scheduler.clocks else None, calls


def played(steps: list[Step], fast: bool) -> list[Any]:
    """What each of some runs leaves: results, everything that is held, what all schedulers have counted, and the warnings."""
    fresh()
    composition, schedulers = built()
    left = []
    for name, terminations in steps:
        given = {} if name is None else {"scheduler": schedulers[name]}
        given |= {} if terminations is None else {"termination_processing": {pnl.TimeScale.TRIAL: terminations()}}
        with accelerate(strict=True) if fast else contextlib.nullcontext(), warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            composition.run({composition.nodes["A"]: INPUTS}, context="x", **given)
        numbers = {path: value for path, value in held(composition, "x").items() if not_kept(path, Call("run")) is None}
        counts = [counted(one, "x") for one in (composition.scheduler, *schedulers.values())]
        warned = [(str(one.message), one.category, one.filename, one.lineno) for one in caught]
        left.append([plain(composition.results), numbers, counts, warned])
    return left


@pytest.mark.parametrize(
    "steps",
    [
        [("plain", None), ("plain", None)],
        [("every second", None), (None, None), ("every second", None), ("plain", None)],
        [(None, None), ("plain", None), (None, None)],
        [("every second", lambda: pnl.AfterNPasses(3)), ("plain", None)],
    ],
    ids=["without conditions", "with a condition", "after its own", "with a termination"],
)
def test_it_counts_and_decides_as_in_psyneulink(steps: list[Step]) -> None:
    expected, found = played(steps, fast=False), played(steps, fast=True)
    for one, other in zip(expected, found, strict=True):
        results, numbers, counts, warned = other
        assert difference(one[0], results) == 0.0
        assert {path for path, value in one[1].items() if difference(value, numbers.get(path)) > 1e-12} <= CIM_VARIABLES
        assert counts == one[2]
        assert warned == one[3] != []


def test_callbacks_that_may_look_at_it_leave_the_call_to_psyneulink() -> None:
    fresh()
    composition, schedulers = built()
    calls: list[Any] = []
    with accelerate(), pytest.warns(FallbackWarning, match="with scheduler and call_after_trial"):
        composition.run(
            {composition.nodes["A"]: INPUTS}, scheduler=schedulers["plain"], call_after_trial=lambda: calls.append(schedulers["plain"])
        )
    assert len(calls) == 3


def test_a_scheduler_of_an_earlier_graph_is_left_to_psyneulink() -> None:
    fresh()
    composition, schedulers = built()
    composition.add_node(pnl.ProcessingMechanism(name="D"))
    with accelerate(), pytest.warns(FallbackWarning, match="older than the last change of its graph"):
        composition.run({composition.nodes["A"]: [[1.0]]}, scheduler=schedulers["plain"])
    assert np.shape(composition.results)[0] == 1


def logged(block: Any) -> list[Any]:
    """The entries of runs with the Composition's own scheduler, with another one, and with its own again."""
    fresh()
    composition, schedulers = built()
    a, b = composition.nodes["A"], composition.nodes["B"]
    a.log.set_log_conditions(["value", "mod_rate"])
    b.log.set_log_conditions("value")
    with block:
        composition.run({a: INPUTS})
        composition.run({a: INPUTS}, scheduler=schedulers["every second"])
        composition.run({a: INPUTS}, scheduler=schedulers["plain"], context="x")
        composition.run({a: INPUTS})
    logs = [one.parameters.value.log for one in (a, b, a.parameter_ports["rate"])]
    return [
        [(str(key), entry.time, entry.context, np.array(entry.value).tolist()) for key, log in one.items() for entry in log] for one in logs
    ]


def test_entries_of_logs_have_the_time_of_the_own_scheduler() -> None:
    expected = logged(contextlib.nullcontext())
    assert len(expected[0]) > len(expected[1]) > 6
    assert logged(accelerate(strict=True)) == expected
