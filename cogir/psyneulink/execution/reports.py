"""
Reports on a call, which PsyNeuLink prints or keeps as it executes (`report_output`, `report_progress`), on native trials.

After each native trial PsyNeuLink's own `Report` is told of it, in the order in which PsyNeuLink tells it: the trial, its time steps, the
nodes, the end. What ran when is known from the schedule, as all trials are alike. `Report` reads the values that stand in PsyNeuLink then:
these are the values that a node had as it was executed, if it was executed once in the trial.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from copy import copy
from functools import partial
from typing import Any, Protocol

from cogir.psyneulink.execution.refused_arguments import REPORT_OPTIONS, refused_call
from cogir.psyneulink.importer.learned_matrices import learning_nodes
from cogir.psyneulink.pnl import context_left, context_left_in_node, is_reporting, is_within_report, report_module
from cogir.psyneulink.reader import UnsupportedFeature
from cogir.psyneulink.state.lazy_values import PENDING
from cogir.psyneulink.state.trace import TrialTrace

CAN_BE_NONE = ("report_params", "report_to_devices")
"""Those for which PsyNeuLink takes None."""
ALL_PARAMETERS = re.compile("param(eter)?s?", re.IGNORECASE)
"""Words in a `reportOutputPref` for all Parameters of a node."""


class Schedules(Protocol):
    """The courses of trials of a Composition and of those in it."""

    def trace(self, composition: Any) -> TrialTrace | None:
        """The nodes that run in a trial, in order; None if trials differ."""


def asked_reports(composition: Any, method: str, given: Mapping[str, Any]) -> Reports | None:
    """The reports for which a call asks; None if it asks for none. Raises UnsupportedFeature for those that only PsyNeuLink gives."""

    refuse = partial(refused_call, composition, method)
    if is_reporting():
        raise refuse("while PsyNeuLink reports on the call around it", "leave the reports of that out")
    if is_within_report():  # PsyNeuLink keeps to the options of the outermost call
        return None
    options = {name: given[name] for name in REPORT_OPTIONS if name in given}
    for name, option in options.items():
        kind = REPORT_OPTIONS[name]
        if (option is not None or name not in CAN_BE_NONE) and not all(
            is_of(kind, one) for one in (listed(option) if name == "report_to_devices" else (option,))
        ):
            raise refuse(f"with a {name} that is not one of its options", f"leave {name} out for a native run")
    if all(options[name].name == "OFF" for name in ("report_output", "report_progress") if name in options):
        return None
    if (mode := getattr(given.get("execution_mode"), "name", "Python")) != "Python":  # PsyNeuLink's own compiler reports on no trials
        raise refuse(f"with a report and execution_mode={mode}", "leave the report or the mode out")
    if given.get("scheduler") is not None:
        raise refuse("with reports and scheduler", "leave the reports out for a native run")
    if method == "execute" and hasattr(given.get("context"), "execution_id"):
        raise refuse("with reports and a Context", "give its execution_id")
    return Reports(composition, method, options)


def is_of(kind: str, option: Any) -> bool:
    """True if PsyNeuLink takes it for an option of this class; "": it takes all."""
    return not kind or type(option).__name__ == kind


def listed(options: Any) -> list[Any]:
    """One option, or several in a list, as a list."""
    return [*options] if isinstance(options, list) else [options]


class ReportedTime:
    """In the place of a scheduler, a clock that shows a time in a trial that is over."""

    def __init__(self, trial: int):
        self.trial, self.time_step = trial, 0

    def get_clock(self, context: Any) -> ReportedTime:
        """The clock in a `Context`."""
        return self

    @property
    def time(self) -> ReportedTime:
        """The time that it shows."""
        return self


class Reports:
    """The reports on one call."""

    def __init__(self, composition: Any, method: str, options: dict[str, Any]):
        self.composition, self.method, self.options = composition, method, options
        self.is_run = method == "run"
        self.output: str = options["report_output"].name if "report_output" in options else "OFF"
        self.schedules: Schedules | None = None
        """Those of the trial that comes, or was last."""
        self.opened = ExitStack()
        self.report: Any = None
        """PsyNeuLink's, once it has begun."""
        self.number: Any = None
        """By which PsyNeuLink knows the report on this call."""
        self.execution_id: Any = None

    def refuse(self, feature: str, remedy: str) -> UnsupportedFeature:
        """The error about reports that only PsyNeuLink gives."""
        return UnsupportedFeature(
            f"Composition {self.composition.name!r}",
            f"{self.method}() is called with a report {feature}",
            f"leave the report out, or {remedy}",
        )

    # What can be reported

    def check(self, schedules: Schedules) -> None:
        """Refuses reports on trials of which a native run does not know what they report."""
        self.check_trials(self.composition, schedules)  # before each trial, as a callback may change what nodes report
        self.schedules = schedules

    def check_trials(self, composition: Any, schedules: Schedules) -> None:
        """Refuses reports on the trials of a Composition, and of those in it."""
        if composition.controller is not None and composition.enable_controller:
            raise self.refuse(f"while {composition.name!r} has the controller {composition.controller.name!r}", "run it in PsyNeuLink")
        if str(composition.scheduler.mode) != "SchedulingMode.STANDARD":
            raise self.refuse(f"while the scheduler of {composition.name!r} is in another mode", "use SchedulingMode.STANDARD")
        if not self.needs_steps(composition):
            return
        trace = schedules.trace(composition)
        if trace is None:
            raise self.refuse(f"on trials of {composition.name!r}, which differ", "give it conditions that ask the same in each trial")
        for node in composition.nodes:
            calls = trace.calls[node]
            if hasattr(node, "input_CIM"):
                if calls != 1:
                    raise self.refuse(f"on {node.name!r}, which is not executed once in each trial", "change its condition")
                self.check_trials(node, schedules)
            elif self.shows_values(node):
                if calls > 1:
                    raise self.refuse(f"on values of {node.name!r}, which is executed several times in a trial", "use ReportOutput.TERSE")
                self.check_preferences(node, trace)

    def needs_steps(self, composition: Any) -> bool:
        """True if a report tells of the nodes of a Composition, or counts the trials of Compositions among them."""
        return self.output != "OFF" or any(hasattr(node, "input_CIM") for node in composition.nodes)

    def shows_values(self, node: Any) -> bool:
        """True if the values of a Mechanism are reported, and not only that it was executed."""
        if self.output == "USE_PREFS":
            given = [one for one in listed(node.reportOutputPref) if is_of("ReportOutput", one)]
            return not given or given[0].name not in ("OFF", "TERSE")
        return self.output == "FULL"

    def check_preferences(self, node: Any, trace: TrialTrace) -> None:
        """Refuses to report on Parameters that PsyNeuLink does not find, with which it stops in the midst of a trial."""
        given = listed(node.reportOutputPref)
        given = listed(given[0]) if given and isinstance(given[0], list) else given
        known = {*(one.name for one in node.parameters), *(one.name for one in node.function.parameters)}
        for name in (one for one in given if not is_of("ReportOutput", one)):
            is_all = isinstance(name, str) and ALL_PARAMETERS.match(name)
            if not is_all and name not in known:
                raise self.refuse(f"on {name!r} of {node.name!r}, which it does not have", "correct its reportOutputPref")
            if (is_all or name == "num_executions") and trace.passes > 1:
                raise self.refuse(
                    f"on the number of executions of {node.name!r} in a pass", "name other Parameters in its reportOutputPref"
                )

    # What is reported

    def begin(self, execution_id: Any, trials: int) -> None:
        """The call begins, of so many trials, if it has not begun."""
        if self.report is not None:
            return
        self.execution_id = execution_id
        context = self.context()
        self.report = self.opened.enter_context(report_module().Report(self.composition, **self.options, context=context))
        self.number = self.report.start_report(self.composition, trials, context)
        self.tell(self.composition, "run_start" if self.is_run else "execute_start", self.number, context)

    def context(self) -> Any:
        """PsyNeuLink's `Context` of the call."""
        return context_left(self.execution_id, self.composition, is_run=self.is_run)

    def tell(self, caller: Any, content: str, number: Any, context: Any, kinds: str = "EXECUTE", **given: Any) -> None:
        """Tells PsyNeuLink's report of something that a Composition or a Mechanism has done; `kinds`: PsyNeuLink's kinds of reports."""
        reports = [getattr(report_module(), f"{kind}_REPORT") for kind in kinds.split()]
        self.report(caller, reports, report_num=number, content=content, context=context, **{"scheduler": None, **given})

    def trial(self) -> None:
        """A native trial is over."""
        PENDING.flush()
        assert self.schedules is not None
        self.replay(self.composition, self.number, self.context(), self.schedules)

    def replay(self, composition: Any, number: Any, context: Any, schedules: Schedules) -> None:
        """Tells PsyNeuLink's report of the last trial of a Composition."""
        time = ReportedTime(composition.scheduler.get_clock(context).time.trial - 1)
        self.tell(composition, "trial_start", number, context, scheduler=time)
        for nodes, time.time_step in self.steps(composition, schedules):
            self.tell(composition, "time_step_start", number, context, scheduler=time, nodes_to_report=True)
            for node in nodes:
                if hasattr(node, "input_CIM"):
                    self.nested(node, context, schedules)
                    self.tell(composition, "nested_comp", number, context, scheduler=time, node=node)
                else:
                    self.tell(node, "node", number, context_left_in_node(self.execution_id, composition), "MECHANISM", node=node)
            to_report = any(node.reportOutputPref for node in nodes)
            self.tell(composition, "time_step_end", number, context, scheduler=time, nodes_to_report=to_report)
        self.tell(composition, "trial_end", number, context, "EXECUTE PROGRESS", scheduler=time)

    def steps(self, composition: Any, schedules: Schedules) -> Iterator[tuple[list[Any], int]]:
        """The nodes that are executed in each time step of a trial, in order, and its number."""
        if self.needs_steps(composition):
            trace, idle = schedules.trace(composition), set(learning_nodes(composition))
            assert trace is not None
            for nodes, step in zip(trace.sets, trace.steps, strict=True):
                yield sorted(nodes - idle), step

    def nested(self, composition: Any, context: Any, schedules: Schedules) -> None:
        """Tells PsyNeuLink's report of the trial of a nested Composition."""
        within = copy(context)
        within.composition = composition
        number = self.report.start_report(comp=composition, num_trials=1, context=within)
        if not self.is_run:
            self.tell(composition, "execute_start", number, within)
        self.replay(composition, number, within, schedules)
        if not self.is_run:
            self.tell(composition, "execute_end", number, within)

    def end(self) -> None:
        """The call is over."""
        if self.is_run:
            self.tell(self.composition, "run_end", self.number, self.context(), "RUN PROGRESS", node=self.composition)
        else:
            self.tell(self.composition, "execute_end", self.number, self.context())
        self.opened.close()
