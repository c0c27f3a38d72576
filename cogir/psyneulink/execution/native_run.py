"""
One native call of `run` or `execute` of a Composition: its trials, and the work around them.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from inspect import isgenerator
from typing import Any, Protocol, cast

import numpy as np

from cogir.errors import CogirError
from cogir.psyneulink.execution.inputs import (
    BatchesMade,
    InputParser,
    InputsMade,
    InputsRead,
    check_none_given,
    is_of_learning,
    rows_before,
)
from cogir.psyneulink.execution.progress import watched_trials
from cogir.psyneulink.execution.refusals import check_not_refused
from cogir.psyneulink.execution.reports import Reports
from cogir.psyneulink.execution.results import OwnResults, Part, PsyNeuLinksTrial, not_passed, outcomes_of
from cogir.psyneulink.execution.runtime_params import Assignment, RuntimeParams, assigned
from cogir.psyneulink.execution.session import (
    Purpose,
    Session,
    execution_id_of,
    grow_room,
    may_enter,
    renewed,
    session_of,
    sessions_of,
)
from cogir.psyneulink.execution.start import RunStart
from cogir.psyneulink.pnl import (
    call_with_context,
    compositions_in,
    copy_of,
    forget_reports,
    new_context,
    note_call_of_script,
    parsed_run_inputs,
    report_module,
    time_scales,
)
from cogir.psyneulink.reader import UnsupportedFeature, check_is_composition
from cogir.psyneulink.state.bindings import OtherShape
from cogir.psyneulink.state.executions import begin_calls, begin_counts, forget_counts, without_counts
from cogir.psyneulink.state.lazy_values import PENDING
from cogir.psyneulink.state.logs import NoRoom, NotNoted
from cogir.psyneulink.state.mirror import Mirror
from cogir.psyneulink.state.simulation_results import forget_simulations, keeps_simulations
from cogir.runtime.interrupt import without_interruption
from cogir.runtime.plan import Floats
from cogir.runtime.results import RunInterrupted


def run(composition: Any, inputs: Any = None, num_trials: int | None = None, *, context: Any = None, mode: str = "run") -> Any:
    """
    Runs a Composition natively, as `Composition.run` would, and leaves it as that would: results, values, states and generators.

    Returns the result of the last trial. Raises `UnsupportedFeature` for what cogir does not compile.
    """
    check_is_composition(composition, "cogir.psyneulink.run")
    return NativeRun(composition, execution_id_of(composition, context), mode).run(inputs, num_trials)


class RemainingTrials(Protocol):
    """The trials that are left of a run that goes on in PsyNeuLink."""

    def trial(self, stimuli: Any) -> Any:
        """One trial, with the inputs that PsyNeuLink's parser has made for it; returns its result."""

    def end(self) -> None:
        """Does what PsyNeuLink does after the last trial of a run."""


@dataclass
class NativeRun:
    """One call of `run` or `execute`, and what is to be done around its trials."""

    composition: Any
    execution_id: Any
    mode: str = "run"
    before_trial: Callable[..., Any] | None = None
    after_trial: Callable[..., Any] | None = None
    progress: bool = False
    runtime: RuntimeParams | None = None
    in_script: Callable[[], AbstractContextManager[None]] = nullcontext
    """Makes a block in which code of the script, or PsyNeuLink itself, runs in the midst of the call."""
    carried_on: Callable[[CogirError, int], RemainingTrials] | None = None
    """
    Says that the rest of the run, after so many trials, is PsyNeuLink's because of an error, or raises it; None if PsyNeuLink cannot carry
    it on.
    """
    check: Callable[[], None] | None = None
    """Raises `UnsupportedFeature` if callbacks have changed something with which the arguments of the call do not go together natively."""
    rest: RemainingTrials | None = None
    """The runner of the next trials, if they are not native."""
    scheduler: Any = None
    """The one with which the run has begun; another one means that the graph has changed."""
    run_begins: bool = True
    """True if the next trials are the first of the run."""
    done: int = 0
    """The number of trials that have been run."""
    total: int = 0
    """The number of trials of the run, at most, if they are run one by one."""
    begun: bool = False
    """True if something has happened that must not happen again: a trial, a call of a callback, an input that was taken."""
    counts_begin: bool = False
    """True if PsyNeuLink still has to count the executions in this run from zero."""
    is_run: bool = True
    """True if it is a call of `run`, and not of `execute`."""
    shared: Any = None
    """PsyNeuLink's own `Context`, if the Composition is nested in one that runs in PsyNeuLink."""
    is_simulated: bool = False
    """True if PsyNeuLink simulates the Composition by it."""
    skips_analysis: bool = False
    """True if the call asks not to analyze the graph."""
    learns: bool = False
    """True if it is the run of a call of `learn`."""
    skips_initialization: bool = False
    """True if the call asks not to give its execution context the values that it lacks."""
    reports: Reports | None = None
    """Those for which the call asks."""
    read: InputsRead | None = None
    """The inputs of a run of which PsyNeuLink has run the first trials."""
    goes_over: bool = False
    """True if PsyNeuLink has run the first trials."""
    session: Session | None = None
    """In which the last trials were run, or the next ones will be."""
    watch: watched_trials | None = None
    """Shows how far the run has come, if its trials are not run one by one."""
    start: RunStart = field(init=False)
    """The start of the call."""

    def __post_init__(self) -> None:
        is_call = self.shared is None
        self.start = RunStart(
            self.composition,
            self.execution_id,
            is_run=self.is_run and is_call,
            gives_values=is_call and not self.is_simulated and not self.skips_initialization,
            is_simulated=self.is_simulated,
            skips_analysis=self.skips_analysis,
        )

    def run(self, inputs: Any, num_trials: int | None) -> Any:
        """All trials; returns the result of the last one."""
        note_call_of_script(self.composition)
        self.counts_begin = any(self.execution_id in session.mirrors for session in sessions_of(self.composition))
        uncounted: list[Any] = []
        if not self.counts_begin:
            uncounted = without_counts(self.composition, self.execution_id)
            begin_counts(self.composition, self.execution_id)
        forget_reports(self.composition)
        try:
            with nullcontext() if self.reports is None else self.reports.opened:
                return self.all_trials(inputs, num_trials)
        except CogirError:
            if not self.begun:  # PsyNeuLink would count those anew that it finds, if it runs the Composition instead
                forget_counts(uncounted, self.execution_id)
            raise
        finally:
            self.begin_counts()  # if there has been no trial

    @property
    def is_recorded(self) -> bool:
        """True if PsyNeuLink would keep what its controller simulates: it is executed, and not run, or is told to keep it."""
        if not hasattr(self.composition.controller, "agent_rep"):
            return False
        if self.is_run and self.shared is None and not keeps_simulations(self.composition):
            return False
        return bool(self.composition.enable_controller)  # values that are pending are written when it is read

    @property
    def purpose(self) -> Purpose:
        """The purpose for which the Composition is compiled."""
        return Purpose(self.mode, self.is_recorded, self.learns)

    def check_assumed(self) -> None:
        """Refuses the execution context if conditions do not hold in it as they do in the model; before it is given values."""
        for session in sessions_of(self.composition):
            try:
                for check in session.assumed:
                    check(self.execution_id, self.is_run and self.shared is None and not self.goes_over)
            except UnsupportedFeature:
                if not session.watch.changed():  # else it is compiled anew, with checks of its own
                    raise

    def begin_counts(self) -> None:
        """PsyNeuLink counts the executions in this run from zero, if it does not yet."""
        if self.counts_begin:
            self.counts_begin = False
            begin_counts(self.composition, self.execution_id)

    def all_trials(self, inputs: Any, num_trials: int | None) -> Any:
        """The trials that these inputs make; returns the result of the last one. Less than none are none, as in PsyNeuLink."""
        self.check_assumed()
        read, parser, held = None, InputParser(self.composition), None
        if not self.counts_begin or not self.start.was_made:
            check_not_refused(self.composition, self.execution_id, self.learns)
            if self.start.was_made:
                held = may_enter(self.composition, self.execution_id, self.purpose)
            if held is None:
                self.start.make()
            else:
                parser = held.inputs
            self.start.check_is_analyzed()
            read = rows_before(parser, inputs, self.execution_id)
        check_none_given(self.composition, inputs)
        if held is not None:
            held.enter(self.execution_id)
        session, mirror = self.ready(call_begins=True, held=held)
        self.scheduler = self.composition.scheduler
        self.start.warn()
        session.inputs.seen |= parser.seen
        if num_trials is not None:
            num_trials = max(0, int(operator.index(num_trials)))
        if not self.composition.input_CIM_ports and not inputs:
            inputs = np.zeros((1, 0))
        if callable(inputs) or isgenerator(inputs):
            source, given = parsed_run_inputs(self.composition, inputs, self.execution_id)
            if is_of_learning(inputs):
                made = BatchesMade(self.composition, cast("Any", inputs))
            else:
                made = InputsMade(self.composition, self.execution_id, source)
            return self.one_by_one(made, given if num_trials is None else num_trials)
        rows = session.inputs.rows(inputs, self.execution_id) if read is None else read
        count = len(rows) if num_trials is None else num_trials
        if self.before_trial is not None or self.after_trial is not None or self.reports is not None:
            return self.one_by_one(InputsRead(self.composition, self.execution_id, copy_of(inputs), rows), count)
        return self.together(session, mirror, InputsRead(self.composition, self.execution_id, inputs, rows), count)

    def prepare_after(self, inputs: Any, num_trials: int | None, done: int) -> None:
        """Compiles the Composition, and reads the inputs, for the trials that are left of a run of which PsyNeuLink has run so many."""
        self.start.is_done = True  # by PsyNeuLink
        self.done, self.begun, self.run_begins, self.goes_over = done, True, False, True
        session, _ = self.ready()
        if not self.composition.input_CIM_ports and not inputs:
            inputs = np.zeros((1, 0))
        rows = session.inputs.rows(inputs, self.execution_id)
        self.total = len(rows) if num_trials is None else int(operator.index(num_trials))
        self.read = InputsRead(self.composition, self.execution_id, copy_of(inputs), rows)

    def go_on(self) -> Any:
        """The trials that are left after `prepare_after`; returns the result of the last one."""
        assert self.read is not None
        self.scheduler = self.composition.scheduler
        if self.before_trial is not None or self.after_trial is not None:
            with report_module().Report(self.composition):  # as in `one_by_one`
                return self.trial_by_trial(self.read, range(self.done, self.total), is_announced=True)
        return self.together(*self.ready(), self.read, self.total)

    def together(self, session: Session, mirror: Mirror, read: InputsRead, count: int) -> Any:
        """
        The trials of a run of so many that are left, one part after another where none needs PsyNeuLink in between; from one that cannot be
        native, all are PsyNeuLink's. Returns the result of the last one.
        """
        rows = np.roll(read.rows, -self.done, axis=0) if self.done and len(read.rows) > 1 else read.rows
        try:
            with watched_trials(self.composition.name, count, self.progress) as self.watch:
                if self.runtime is not None:
                    return self.in_segments(rows, count)
                return self.at_once(session, mirror, rows, count - self.done)
        except CogirError as error:
            self.rest = self.going_on(error)
        read.given = copy_of(read.given)
        return self.trial_by_trial(read, range(self.done, count))

    def at_once(self, session: Session, mirror: Mirror, rows: Floats, count: int) -> Any:
        """All trials, with nothing in between."""
        result = self.trials(session, mirror, rows, count)

        def end() -> Any:
            self.end_run(*self.last(session))
            return self.keep(session, result)

        return without_interruption(end)

    def in_segments(self, rows: Floats, count: int) -> Any:
        """All trials, those in which the same runtime_params are in force together."""
        assert self.runtime is not None
        last: Any = None
        for first, end, assignments in list(self.runtime.segments(count)):
            with assigned(assignments, self.execution_id):
                session, mirror = self.ready()
            part = rows if len(rows) == 1 else np.roll(rows, -first, axis=0)
            made = self.trials(session, mirror, part, end - first)
            last = self.keep(session, made) if len(made) else last
            if len(made) < end - first:
                break
        self.end_run(*self.ready())
        return last

    def in_force(self) -> list[Assignment]:
        """The runtime_params of the next trial."""
        return [] if self.runtime is None else next(self.runtime.segments(1))[2]

    def execute(self, inputs: Any) -> Any:
        """One trial outside of a run, which leaves no trace in the results; returns the values of the outputs."""
        if any(one.needs_update_graph for one in compositions_in(self.composition)):
            raise UnsupportedFeature(
                f"Composition {self.composition.name!r}",
                "execute() is called before PsyNeuLink has determined its inputs and outputs, so it returns none",
                "call run() instead, or first",
            )
        if self.composition.is_nested:
            raise UnsupportedFeature(
                f"Composition {self.composition.name!r}",
                "execute() is called while it is nested in another Composition, whose runs determine its inputs and values in PsyNeuLink",
                "execute the outer Composition",
            )
        session, mirror = self.ready(call_begins=True)
        self.run_begins = False
        try:
            rows = session.trial_inputs.rows(inputs, self.execution_id)
        except BaseException:
            begin_counts(self.composition, self.execution_id, trial=True)
            raise
        with assigned(self.in_force(), self.execution_id):
            session, mirror = self.ready()
        result = self.trials(session, mirror, rows, 1)
        if self.reports is not None and len(result):
            with self.reports.opened:
                self.reports.begin(self.execution_id, 1)
                self.reports.trial()
                self.reports.end()
        if not len(result):
            raise UnsupportedFeature(f"Composition {self.composition.name!r}", "execute() after its run has ended", "call run()")
        return session.form.trials(result.copy())[0]

    def part(self, row: Floats) -> None:
        """One trial of a Composition that is nested in one that runs in PsyNeuLink."""
        session, mirror = self.ready()
        self.run_begins = False
        self.trials(session, mirror, session.inputs.passed(row), 1)

    def ready(self, call_begins: bool = False, held: Session | None = None) -> tuple[Session, Mirror]:
        """The session (`held`, if it is known), compiled if need be, and the mirror, with all values of PsyNeuLink copied in."""
        self.check_assumed()
        start = self.start if call_begins or not self.start.steps else None
        session = held or session_of(self.composition, self.execution_id, self.purpose, start)
        self.session = session
        mirror = session.mirror(self.execution_id)
        try:
            mirror.take_in(call_begins)
        except (OtherShape, NotNoted):
            session = self.session = renewed(self.composition, session, self.execution_id)
            mirror = session.mirror(self.execution_id)
            try:
                mirror.take_in(call_begins)
            except OtherShape:
                raise UnsupportedFeature(
                    f"Composition {self.composition.name!r}", "the shape of one of its values has changed", "run it in PsyNeuLink"
                ) from None
        if self.reports is not None:
            self.reports.check(mirror.timeline)
        return session, mirror

    def trials(self, session: Session, mirror: Mirror, rows: Floats, count: int) -> Floats:
        """Some trials, after which PsyNeuLink holds what they have left; also those before an error, of which a run keeps the results."""
        made: list[Floats] = []
        try:
            if mirror.at_a_time is None:
                self.trials_at_once(session, mirror, rows, count, made)
            else:
                self.trials_in_parts(session, mirror, rows, count, made)
        except BaseException:
            if made and self.is_run and self.shared is None:
                without_interruption(lambda: self.keep(session, np.concatenate(made)))
            raise
        return made[0] if len(made) == 1 else np.concatenate([np.empty((0, mirror.context.plan.size("out"))), *made])

    def trials_at_once(self, session: Session, mirror: Mirror, rows: Floats, count: int, made: list[Floats]) -> None:
        """Some trials, of which PsyNeuLink is not told one by one; `made` gets their outputs."""
        session.form.check_inputs(self.composition, rows)
        mirror.begin(self.run_begins, self.counts_begin)
        self.run_begins = False
        out, done = np.empty((count, mirror.context.plan.size("out"))), 0
        try:
            for first, last in [(0, count)] if self.watch is None else self.watch.parts(self.done, count):
                part = rows if first == 0 else np.roll(rows, -first, axis=0)
                progress = session.engine.run(mirror.context, part, out[first:last])
                done = first + progress.done
                if progress.ended:
                    break
        except RunInterrupted as stopped:
            without_interruption(partial(self.settle, session, mirror, rows, out[: done + stopped.result.num_trials], made, True))
            raise
        except BaseException:
            mirror.undo()
            raise
        without_interruption(partial(self.settle, session, mirror, rows, out[:done], made))

    def settle(self, session: Session, mirror: Mirror, rows: Floats, out: Floats, made: list[Floats], is_interrupted: bool = False) -> None:
        """
        PsyNeuLink is told of trials that native code has executed, unless something in them is refused; `made` gets their outputs. Of a run
        that `is_interrupted`, trials whose entries or numbers are not known have not been.
        """
        try:
            refused: BaseException | None = mirror.no_room()
            refused = refused or not_passed(self.composition, session.form, out, mirror.spread())
            if refused is not None and is_interrupted:
                mirror.undo()
                out, refused = out[:0], None
            at_limit = mirror.at_limit(out)
            if not is_interrupted:
                refused = refused or mirror.limits.refused(at_limit)
            if refused is not None:
                raise refused
        except BaseException:
            mirror.undo()
            raise
        self.end(session, mirror, rows, len(out))
        made.append(out)
        mirror.limits.warn(at_limit)

    def end(self, session: Session, mirror: Mirror, rows: Floats, done: int) -> None:
        """Some trials are over, with which the counts of the run have begun; the components say in which context they were executed."""
        mirror.logs.of_script = not self.is_run and self.shared is None
        mirror.end(rows, done)
        self.counts_begin = False
        self.done += done
        self.begun = self.begun or done > 0
        if done:
            session.contexts.leave(self.execution_id, mirror.executed(), is_run=self.is_run, shared=self.shared)
            if self.is_run and self.shared is None:
                forget_simulations(self.composition, self.execution_id)

    def trials_in_parts(self, session: Session, mirror: Mirror, rows: Floats, count: int, made: list[Floats]) -> None:
        """Trials a few at a time, since each makes entries in logs or in records; `made` gets their outputs."""
        done, most = 0, mirror.at_a_time or count
        while done < count:
            part, run_begins = min(most, count - done), self.run_begins
            given = rows[np.arange(done, done + min(part, len(rows))) % len(rows)]
            try:
                self.trials_at_once(session, mirror, given, part, made)
            except NoRoom as no_room:
                self.run_begins, most = run_begins, part // 2
                if part == 1:
                    session, mirror = self.with_more_room(session, no_room)
                    most = mirror.at_a_time or count
                continue
            done += part
            if len(made[-1]) < part:
                break

    def with_more_room(self, session: Session, no_room: NoRoom) -> tuple[Session, Mirror]:
        """The session and the mirror in which a trial makes more entries than it had room for in this one."""
        grow_room(self.composition, no_room)
        with assigned(self.in_force(), self.execution_id):
            renewed(self.composition, session, self.execution_id)
            return self.ready()

    def keep(self, session: Session, out: Floats) -> Any:
        """Adds the outputs of trials to the results of the Composition; returns the result of the last one."""
        return outcomes_of(self.composition).add(self.execution_id, session.form, out)

    def one_by_one(self, inputs: InputsRead | InputsMade | BatchesMade, count: int) -> Any:
        """Trial after trial, with PsyNeuLink in step before and after each, so that callbacks see and may change what they like."""
        self.begin_counts()  # callbacks see it
        begin_calls(self.composition, self.execution_id)  # and one that runs the Composition makes the first
        self.run_begins = False
        self.ready()
        # What callbacks run is reported as the call around it asks, also if it asks for nothing
        with nullcontext() if self.reports is not None else report_module().Report(self.composition):
            return self.trial_by_trial(inputs, range(count))

    def report_begins(self) -> None:
        """Begins the reports on the call, if there are some, and if they have not begun."""
        if self.reports is not None:
            self.reports.begin(self.execution_id, self.total)

    def trial_by_trial(self, inputs: InputsRead | InputsMade | BatchesMade, trials: range, is_announced: bool = False) -> Any:
        """
        These trials of a run, and its end; returns the result of the last one. From one that cannot be native, all are PsyNeuLink's.
        `is_announced`: the callback before the first of them has been called.

        Inputs that are made when they are asked for are taken in PsyNeuLink's order: after the callback, if the run is not over.
        """
        last: Any = None
        self.total = trials.stop
        results = OwnResults(outcomes_of(self.composition), self.execution_id)
        for trial in trials:
            if self.before_trial is not None or inputs.made_up:
                self.report_begins()
            if not is_announced:
                self.call(self.before_trial)
            is_announced = False
            if (inputs.made_up or self.rest is not None) and self.is_over():
                break
            if not self.takes(inputs, trial) or (made := self.trial(inputs)) is None:
                break
            if self.reports is not None and isinstance(made, Part):
                self.report_begins()
                self.reports.trial()
            last = results.add(made)
            self.call(self.after_trial)
        self.end_trials()
        return last

    def takes(self, inputs: InputsRead | InputsMade | BatchesMade, trial: int) -> bool:
        """Takes the inputs of a trial; False if there are none any more."""
        if not inputs.made_up:
            return inputs.take(trial)
        self.begun = True
        with self.in_script():
            return inputs.take(trial)

    def trial(self, inputs: InputsRead | InputsMade | BatchesMade) -> Part | PsyNeuLinksTrial | None:
        """One trial, with the inputs that were taken; None if the run was over before it."""
        if self.rest is None:
            try:
                return self.native_trial(inputs)
            except CogirError as error:
                if self.begun and not inputs.made_up and self.is_over():
                    return None
                self.rest = self.going_on(error)
        with self.in_script():
            made = copy_of(self.rest.trial(inputs.stimuli()))
        self.done, self.begun = self.done + 1, True
        forget_simulations(self.composition, self.execution_id)
        return PsyNeuLinksTrial(made)

    def native_trial(self, inputs: InputsRead | InputsMade | BatchesMade) -> Part | None:
        """One trial, native; None if the run was over before it."""
        if self.check is not None:
            self.check()
        with assigned(self.in_force(), self.execution_id):
            session, mirror = self.ready()
        made = self.trials(session, mirror, inputs.row(session.inputs), 1)
        return Part(session.form, made) if len(made) else None

    def going_on(self, error: CogirError) -> RemainingTrials:
        """The rest of the run, in PsyNeuLink, as its next trial cannot be native; raises the error where it cannot be carried on."""
        if not self.begun:
            raise error
        if self.carried_on is None or self.composition.scheduler is not self.scheduler:
            raise told_late(error, self.done, "change it before the run, or run it in PsyNeuLink from the start") from None
        self.report_begins()
        return self.carried_on(error, self.done)

    def end_trials(self) -> None:
        """The run is over, which had its trials one by one."""
        assert self.session is not None
        if self.rest is not None:
            with self.in_script():
                self.rest.end()
        if self.reports is not None:
            self.report_begins()
            self.reports.end()
        self.session.mirror(self.execution_id).end_run()
        self.session.contexts.end_run(self.execution_id)

    def last(self, session: Session) -> tuple[Session, Mirror]:
        """The session of the last trials, which may be another one than that with which they began, and its mirror."""
        session = self.session or session
        return session, session.mirror(self.execution_id)

    def call(self, callback: Callable[..., Any] | None) -> None:
        """Calls a callback."""
        if callback is not None:
            self.begun = True
            with self.in_script():
                call_with_context(callback, self.execution_id, self.composition)

    def is_over(self) -> bool:
        """True if the run is to end before its next trial, as PsyNeuLink finds it."""
        PENDING.flush()  # the clock
        composition = self.composition
        ends = composition.termination_processing[time_scales().run]
        return bool(ends.is_satisfied(scheduler=composition.scheduler, context=new_context(self.execution_id)))

    def end_run(self, session: Session, mirror: Mirror) -> None:
        """The run is over; the Composition says so, also if there was no trial."""
        mirror.end_run()
        if not self.done:
            session.contexts.end_run(self.execution_id)


def told_late(error: CogirError, done: int, remedy: str = "") -> CogirError:
    """An error with the number of trials of the run that are over; `remedy`: replaces the error's own."""
    if not isinstance(error, UnsupportedFeature):
        return error
    feature = f"after {done} trial{'' if done == 1 else 's'} of the run, {error.feature}"
    return UnsupportedFeature(error.component, feature, remedy or error.remedy)
