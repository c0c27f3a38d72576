"""
One call of `Composition.run` or `execute`: which of its arguments a native run honours, and how.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, cast

from cogir.errors import CogirError
from cogir.psyneulink.execution.deliveries import Deliveries, delivers
from cogir.psyneulink.execution.evaluate import simulated
from cogir.psyneulink.execution.given_scheduler import check_scheduler, in_force
from cogir.psyneulink.execution.handover import TrialsInPsyNeuLink, end_inputs
from cogir.psyneulink.execution.native_run import NativeRun, told_late
from cogir.psyneulink.execution.refused_arguments import refused_argument, refused_call
from cogir.psyneulink.execution.reports import Reports, asked_reports
from cogir.psyneulink.execution.runtime_params import RuntimeParams
from cogir.psyneulink.execution.session import execution_id_of
from cogir.psyneulink.pnl import (
    assign_context,
    conditions_to_restore,
    give_context,
    is_debugged,
    is_simulating,
    new_context,
    set_conditions_to_restore,
    set_terminations,
    terminations_of,
)
from cogir.psyneulink.reader import UnsupportedFeature
from cogir.psyneulink.state.executions import begin_counts


class NativeCall:
    """A call, and what PsyNeuLink would make of its arguments."""

    def __init__(
        self,
        composition: Any,
        method: str,
        given: dict[str, Any],
        signature: inspect.Signature,
        mode: str,
        progress: bool = False,
        tell: Callable[[CogirError], None] | None = None,
    ):
        """`tell`: says why trials run in PsyNeuLink, or raises that; without it none does, once there were native ones."""
        self.composition, self.method, self.given, self.mode, self.progress = composition, method, given, mode, progress
        self.tell = tell
        self.native: NativeRun | None = None
        self.learns = False
        """True if it is the run of a call of `learn`."""
        self.replaced_terminations: dict[Any, Any] = {}
        """The Composition's own, while those that the call gives stand in their place."""
        self.reports: Reports | None = None
        self.check(signature)

    @property
    def begun(self) -> bool:
        """True if the call has done something that must not be done again."""
        return self.native is not None and self.native.begun

    def left_out(self) -> AbstractContextManager[None]:
        """A block in which PsyNeuLink runs the Composition, without what has been done of the call."""
        return nullcontext() if self.native is None else self.native.start.left_out()

    def refuse(self, feature: str, remedy: str) -> UnsupportedFeature:
        """The error for a call that cannot be native."""
        return refused_call(self.composition, self.method, feature, remedy)

    def check(self, signature: inspect.Signature) -> None:
        """Refuses arguments that a native run does not honour."""
        if not isinstance(self.given.get("termination_processing") or {}, dict):
            raise self.refuse("with a termination_processing that is not a dict", "give a dict of time scales and conditions")
        controller = self.composition.controller
        if self.given.get("termination_processing") and hasattr(controller, "agent_rep") and self.composition.enable_controller:
            feature = "with termination_processing while its controller simulates, by the Composition's own"
            raise self.refuse(feature, "set the termination_processing of the Composition")
        if delivers(self.given) and (self.method != "run" or is_simulating(self.given["context"])):
            raise self.refuse("with a Context that has an rpc_pipeline, into which each execution puts values", "leave rpc_pipeline out")
        if is_debugged():
            raise self.refuse("while PsyNeuLink's debugger has a listener, which each step calls", "clear it with set_listener(None)")
        check_scheduler(self.composition, self.method, self.given)
        self.reports = asked_reports(self.composition, self.method, self.given)
        if (refused := refused_argument(self.composition, self.method, self.given, signature)) is not None:
            raise refused

    def run(self) -> Any:
        """The call, native."""
        context = self.given.get("context")
        return simulated(self.composition, context, self.trials) if is_simulating(context) else self.trials()

    def trials(self) -> Any:
        """The trials of the call, native, and what is to be done before them."""
        given = self.given
        composition = self.composition
        if self.learns and self.reports is not None:
            raise self.refuse("with a report on each trial of learning", "leave report_output and report_progress out to learn natively")
        if self.learns and delivers(given):
            raise self.refuse("with a Context that has an rpc_pipeline, into which learning puts values", "leave rpc_pipeline out")
        native = self.native = self.native_run()
        if given.get("reset_stateful_functions_to"):
            native.check = self.check_resets
        if given.get("termination_processing"):
            native.in_script = self.own_terminations
        if given.get("runtime_params"):
            native.runtime = RuntimeParams(composition, self.method, given["runtime_params"], native.execution_id)
        with self.deliveries(native), self.terminations(), self.resets(), in_force(given.get("scheduler"), native.start):
            self.starts(native)
            if self.method == "execute":
                return native.execute(given.get("inputs"))
            return native.run(given.get("inputs"), given.get("num_trials"))

    def native_run(self) -> NativeRun:
        """The runner of its trials."""
        given = self.given
        native = NativeRun(
            self.composition,
            execution_id_of(self.composition, given.get("context")),
            self.mode,
            given.get("call_before_trial"),
            given.get("call_after_trial"),
            progress=self.progress,
            is_run=self.method == "run",
            is_simulated=is_simulating(given.get("context")),
            skips_analysis=bool(given.get("skip_analyze_graph")),
            skips_initialization=bool(given.get("skip_initialization")),
            learns=self.learns,
            reports=self.reports,
        )
        if self.can_be_carried_on():
            native.carried_on = self.carried_on
        return native

    def prepare_after(self, done: int) -> None:
        """Compiles what is left of a run of which PsyNeuLink has run so many trials; raises `CogirError` if that cannot be native."""
        native = self.native_run()
        native.prepare_after(self.given.get("inputs"), self.given.get("num_trials"), done)
        self.native = native

    def go_on(self) -> Any:
        """The trials that are left after `prepare_after`, when the run in PsyNeuLink has ended; returns the result of the last one."""
        assert self.native is not None
        composition = self.composition
        for node, condition in conditions_to_restore(composition).items():  # unless a callback has set one, which is in force to the end
            if type(node.reset_stateful_function_when).__name__ == "Never":
                node.reset_stateful_function_when = condition
        result = self.native.go_on()
        for node, condition in conditions_to_restore(composition).items():
            if node in composition.nodes:
                node.reset_stateful_function_when = condition
        end_inputs(composition, new_context(self.native.execution_id))
        return result

    def can_be_carried_on(self) -> bool:
        """True if PsyNeuLink can run the trials that are left where one after the first cannot be native."""
        given = self.given
        if self.tell is None or self.method != "run" or is_simulating(given.get("context")):
            return False
        if given.get("scheduler") is not None:  # it is not in its own place
            return False
        is_python = getattr(given.get("execution_mode"), "name", "Python") == "Python"
        return is_python or not self.composition.learning_components  # in its Python mode a run would learn on

    def carried_on(self, error: CogirError, done: int) -> TrialsInPsyNeuLink:
        """The rest of the run, in PsyNeuLink, after so many trials; says that it is because of this error."""
        assert self.tell is not None
        assert self.native is not None
        self.tell(told_late(error, done))
        number = None if self.reports is None else self.reports.number
        return TrialsInPsyNeuLink(self.composition, self.native.execution_id, self.given, number)

    def deliveries(self, native: NativeRun) -> AbstractContextManager[None]:
        """A block within which what is to be delivered is noted, and after which it is."""
        if not delivers(self.given):
            return nullcontext()
        native.start.make()
        return Deliveries(self.composition, self.given, native.execution_id, self.refuse).in_force()

    @contextmanager
    def terminations(self) -> Generator[None]:
        """Within the block, the terminations that the call gives stand in the place of the Composition's own."""
        if not self.given.get("termination_processing"):
            yield
            return
        scheduler = self.composition.scheduler
        self.replaced_terminations = terminations_of(scheduler)
        set_terminations(scheduler, self.terminations_in_force())
        try:
            yield
        finally:
            set_terminations(scheduler, self.replaced_terminations)

    def terminations_in_force(self) -> dict[Any, Any]:
        """Those that the call gives, and the Composition's own for all other units of time, as both stand now."""
        wanted = cast("dict[Any, Any]", self.given["termination_processing"])
        for condition in wanted.values():
            if getattr(condition, "owner", self) is None:
                condition.owner = self.composition
        return {**self.replaced_terminations, **wanted}

    @contextmanager
    def own_terminations(self) -> Generator[None]:
        """Within the block, in which a callback may run it or change them, the Composition has its own terminations."""
        scheduler = self.composition.scheduler
        before = terminations_of(scheduler)
        set_terminations(scheduler, self.replaced_terminations)
        try:
            yield
        finally:
            self.replaced_terminations = terminations_of(scheduler)
            now = self.terminations_in_force()
            is_as_before = list(now) == list(before) and all(now[scale] is before[scale] for scale in now)
            set_terminations(scheduler, before if is_as_before else now)

    @contextmanager
    def resets(self) -> Generator[None]:
        """Within the block, the nodes are reset when the call says so, as PsyNeuLink arranges it."""
        when = self.given.get("reset_stateful_functions_when")
        if when is None and "reset_stateful_functions_when" in self.given and self.method == "run":
            raise self.refuse("with reset_stateful_functions_when=None, of which PsyNeuLink makes an error", "leave it out")
        if when is None or type(when).__name__ == "Never":
            if self.method == "run":
                set_conditions_to_restore(self.composition, {})
            yield
            return
        if hasattr(self.composition.controller, "agent_rep"):
            feature = "with reset_stateful_functions_when, which PsyNeuLink does not restore after the simulations of a controller"
            raise self.refuse(feature, "set reset_stateful_function_when of the nodes before the run")
        if isinstance(when, dict):
            wanted = cast("dict[Any, Any]", when)
        elif hasattr(when, "is_satisfied"):
            nodes = [node for node in self.composition.nodes if hasattr(node, "reset_stateful_function_when")]
            wanted = {node: when for node in nodes if type(node.reset_stateful_function_when).__name__ == "Never"}
        else:
            raise self.refuse("with a reset_stateful_functions_when that is not a Condition", "give a Condition, or one for each node")
        # PsyNeuLink keeps it there, so that a run around one in a callback forgets what it was to put back
        set_conditions_to_restore(self.composition, {node: node.reset_stateful_function_when for node in wanted})
        try:
            for node, condition in wanted.items():
                node.reset_stateful_function_when = condition
            yield
        finally:
            for node, condition in conditions_to_restore(self.composition).items():
                if node in self.composition.nodes:  # PsyNeuLink puts back nothing in nested Compositions
                    node.reset_stateful_function_when = condition

    def check_resets(self) -> None:
        """Refuses values to reset to as trials begin."""
        given = cast("dict[Any, Any]", self.given.get("reset_stateful_functions_to") or {})
        if any(type(node.reset_stateful_function_when).__name__ != "Never" for node in given):
            raise self.refuse("with reset_stateful_functions_to for nodes that are reset during the run", "reset them before the run")

    def starts(self, native: NativeRun) -> None:
        """Values that the call starts from."""
        given, composition, context = self.given, self.composition, new_context(native.execution_id)
        if given.get("log"):
            native.start.make()
            composition.enable_logging()
        cycles = given.get("initialize_cycle_values")
        resets = given.get("reset_stateful_functions_to")
        if cycles is None and not resets:
            return
        native.start.make()
        assign_context(composition, native.execution_id)
        give_context(composition, native.execution_id)
        try:
            if cycles is not None:
                composition.initialize(values=cycles, include_unspecified_nodes=False, context=context)
            self.check_resets()
            for node, values in cast("dict[Any, Any]", resets or {}).items():
                listed: Any = values if hasattr(values, "__iter__") else [values]
                if isinstance(listed, dict):
                    node.reset(**listed, context=context)
                else:
                    node.reset(*listed, context=context)
        except BaseException:
            begin_counts(composition, native.execution_id, trial=self.method == "execute")
            raise
