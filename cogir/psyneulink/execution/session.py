"""
A Composition that runs natively: compiled when first run, and again when it changes in structure.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, cast
from weakref import WeakKeyDictionary

import numpy as np

from cogir.errors import CogirError
from cogir.frontend.compile import source_of
from cogir.garbage import without_garbage_collection
from cogir.interpreters.flags import AT_LIMIT
from cogir.psyneulink.execution.cache_marks import mark
from cogir.psyneulink.execution.changes import Watch
from cogir.psyneulink.execution.inputs import InputParser, TrialParser
from cogir.psyneulink.execution.refusals import check_not_refused, remembering_refusals
from cogir.psyneulink.execution.results import Form
from cogir.psyneulink.execution.short_runs import end_short_runs
from cogir.psyneulink.execution.start import RunStart
from cogir.psyneulink.history import noted_compiling
from cogir.psyneulink.importer.composition import imported
from cogir.psyneulink.importer.imported import Imported
from cogir.psyneulink.importer.survey import Survey
from cogir.psyneulink.modes import ON_GPU
from cogir.psyneulink.pnl import (
    assign_context,
    complete_and_analyze,
    complete_conditions,
    compositions_in,
    forget_compiled_form,
    num_threads,
)
from cogir.psyneulink.reader import UnsupportedFeature
from cogir.psyneulink.records import kept
from cogir.psyneulink.state.contexts import LastContexts
from cogir.psyneulink.state.lazy_values import PENDING, ObservedDict, observed, observed_of
from cogir.psyneulink.state.logged_values import LogConditions
from cogir.psyneulink.state.logs import NoRoom, ports_to_note
from cogir.psyneulink.state.mirror import Mirror
from cogir.psyneulink.state.missing_values import Lacking, StartingValues, give_values
from cogir.psyneulink.state.simulation_results import recorded_in
from cogir.runtime.compiled import Compiled
from cogir.runtime.context import NativeContext
from cogir.runtime.modes import compile_source
from cogir.runtime.native import NativeEngine
from cogir.runtime.options import Options
from cogir.runtime.parallel import Crew
from cogir.runtime.plan import Floats
from cogir.runtime.results import Progress

LOG_ROOM, MOST_LOG_ROOM = Options.log_room, 2**22
"""For how many executions of a Mechanism there is room in native logs at first, and at most."""

RECORD_ROOM, MOST_RECORD_ROOM = Options.record_room, 2**27
"""For how many words of what a controller simulates there is room at first, and at most; for one search there always is."""

ROOM_GROWS = 8


@dataclass(frozen=True)
class Room:
    """For what there is room in the compiled form of a Composition; it grows where a trial needs more."""

    log: int
    record: int

    def grown(self, composition: Any, no_room: NoRoom) -> Room:
        """More of what there is not enough of; raises `UnsupportedFeature` if there may not be more."""
        who = f"Composition {composition.name!r}"
        if no_room.record:
            record = max(self.record, no_room.record)
            if record * ROOM_GROWS > MOST_RECORD_ROOM:
                feature = f"PsyNeuLink keeps more than {record} numbers of what the searches of a controller simulate in one trial"
                raise UnsupportedFeature(who, feature, "let it search less often in a trial, or run it in PsyNeuLink")
            return replace(self, record=record * ROOM_GROWS)
        if self.log * ROOM_GROWS > MOST_LOG_ROOM:
            feature = f"a trial executes a Mechanism that is logged more than {self.log} times"
            raise UnsupportedFeature(who, feature, "log nothing, or run it in PsyNeuLink")
        return replace(self, log=self.log * ROOM_GROWS)


_ROOMS: WeakKeyDictionary[Any, Room] = WeakKeyDictionary()
"""The room of Compositions of which a trial has needed more than there was at first."""


def room_of(composition: Any) -> Room:
    """The room that the compiled form of a Composition is to have."""
    return _ROOMS.get(composition) or Room(LOG_ROOM, RECORD_ROOM)


def grow_room(composition: Any, no_room: NoRoom) -> None:
    """Lets the next compiled form of a Composition have more room; raises `UnsupportedFeature` if there may not be more."""
    _ROOMS[composition] = room_of(composition).grown(composition, no_room)


class Trials:
    """Runs trials without ending the run that they belong to."""

    def __init__(self, engine: NativeEngine):
        self.native = engine
        engine.crew = Crew(limit=num_threads)

    def run(self, context: NativeContext, rows: Floats, out: Floats) -> Progress:
        """As many trials as `out` has rows."""
        call = object()
        try:
            context.begin_use(call)
            native = self.native
            return native.run_trials(native.entry, context, np.ascontiguousarray(rows), out, None)
        finally:
            if context.user is call:
                del context.user


@dataclass(frozen=True)
class Purpose:
    """The purpose for which a Composition is compiled."""

    mode: str = "run"
    is_recorded: bool = False
    """True if the results of its controller's simulations are kept."""
    learns: bool = False
    """True if its matrices are to change as in PsyNeuLink's `learn`."""


class Session:
    """The compiled form of a Composition and its mirrors, one for each execution context."""

    @noted_compiling()
    @without_garbage_collection()
    def __init__(self, composition: Any, execution_id: Any, purpose: Purpose):
        self.composition, self.purpose = composition, purpose
        survey = Survey(composition)
        self.parts = frozenset(map(id, survey.components))
        with remembering_refusals(survey, purpose.learns) as reads, observed(survey.components):
            self.lacking = Lacking(survey.components, execution_id)
            self.imported: Imported = imported(composition, execution_id, observed=True, survey=survey, learns=purpose.learns)
            self.assumed = self.imported.all_assumed()
            self.log_conditions = LogConditions(survey, purpose.learns)
            self.noted = ports_to_note(self.imported, execution_id, self.log_conditions)
            recorded = tuple(recorded_in(self.imported, is_recorded=purpose.is_recorded))
            room = room_of(composition)
            options = Options(
                logged=self.noted,
                log_room=room.log,
                recorded=recorded,
                record_room=room.record,
                flags=(AT_LIMIT,),
                without=("draw-ahead",),  # it takes a tenth of the time of compiling, and a script has few draws in that time
            )
            native = purpose.mode
            if native == ON_GPU:
                native, options = "run", replace(options, target="cuda")
            self.compiled: Compiled = compile_source(source_of(self.imported.model), native, options)
        mark(composition)
        end_short_runs(composition, purpose.learns)
        self.engine = Trials(cast(NativeEngine, self.compiled.engine))
        self.inputs = InputParser(composition)
        self.trial_inputs = TrialParser(composition)
        self.form = Form(composition, self.compiled.plan)
        self.mirrors: dict[Any, Mirror] = {}
        mirror = self.mirror(execution_id)
        self.observed: list[ObservedDict] = list(observed_of(survey.components))
        self.contexts = LastContexts(composition, execution_id, mirror.counted)
        self.watch = Watch(survey, reads, mirror.copied, self.imported.functions())

    @cached_property
    def starting_values(self) -> StartingValues:
        """The values from which further execution contexts start."""
        return StartingValues(self.composition)

    def can_enter(self, execution_id: Any) -> bool:
        """
        True if another execution context, in which it has not run, can run in it without `prepare`: nothing has changed since, and the
        context has no values for which the model would be another one.
        """
        PENDING.flush()
        return not self.watch.changed() and self.watch.will_hold_in(execution_id)

    def enter(self, execution_id: Any) -> None:
        """Gives another execution context its values."""
        assign_context(self.composition, execution_id)
        self.starting_values.give(execution_id)

    def mirror(self, execution_id: Any) -> Mirror:
        """The mirror of an execution context."""
        if execution_id not in self.mirrors:
            context = self.compiled.context(str(execution_id))
            self.mirrors[execution_id] = Mirror(
                self.imported, cast(NativeContext, context), execution_id, self.parts, self.engine.run, self.noted, self.log_conditions
            )
        return self.mirrors[execution_id]


class Sessions:
    """The sessions of a Composition, the last made at the end."""

    def __init__(self) -> None:
        self.made: list[Session] = []
        self.ended: dict[Any, int] = {}
        """The number of native runs in each execution context whose values PsyNeuLink's compiler has read."""


SESSIONS_KEPT = 4
"""The number of forms of one Composition that stay compiled, for calls that change it to and fro, as `termination_processing` does."""


def session_of(composition: Any, execution_id: Any, purpose: Purpose | None = None, start: RunStart | None = None) -> Session:
    """
    A session of the Composition that an execution context can run in; made anew when the Composition has become another one. `start`: that
    of the call, which has run nothing yet.
    """
    purpose = purpose or Purpose()
    PENDING.observe_again()
    held = kept(composition, Sessions).made
    alike = [session for session in held if session.purpose == purpose]
    gives = start is not None and start.gives_values
    for session in reversed(alike):
        mirror = session.mirrors.get(execution_id)
        if mirror is not None and mirror.is_in_step and not session.watch.changed_in_sight():
            if gives and session.lacking.may_be_found(execution_id):
                break
            return session
    PENDING.flush()
    look_for_lacking(held, composition, execution_id, gives)
    check_not_refused(composition, execution_id, purpose.learns)
    fitting = [session for session in alike if not session.watch.changed()]
    for session in reversed(fitting):
        if execution_id in session.mirrors and session.watch.holds_in(execution_id):
            return session
    for session in fitting:
        if (start is None or start.was_made) and session.watch.will_hold_in(execution_id):
            session.enter(execution_id)
            return session
    counts = [node.parameters.num_executions for node in composition.nodes]
    uncounted = [count for count in counts if execution_id not in count.values]  # no dictionaries, which can be held only by one
    prepare(composition, execution_id, start)
    for session in fitting:
        if session.watch.holds_in(execution_id):
            return session
    try:
        session = Session(composition, execution_id, purpose)
    except CogirError:
        for count in uncounted:
            count.values.pop(execution_id, None)  # PsyNeuLink would begin to count anew where there are counts already
        raise
    held[:] = [*held, session][-SESSIONS_KEPT:]
    return session


def may_enter(composition: Any, execution_id: Any, purpose: Purpose) -> Session | None:
    """The session that an execution context in which the Composition has not run can enter; None if there is none."""
    found = reversed(kept(composition, Sessions).made)
    alike = (session for session in found if session.purpose == purpose)
    return next((session for session in alike if session.can_enter(execution_id)), None)


def sessions_of(composition: Any) -> list[Session]:
    """The sessions that a Composition has."""
    return list(kept(composition, Sessions).made)


def left_to_psyneulink(composition: Any, execution_id: Any) -> AbstractContextManager[None]:
    """The block in which PsyNeuLink itself runs a Composition, which may have run natively before, in an execution context."""
    sessions = kept(composition, Sessions)
    if not sessions.made:
        return nullcontext()
    ended = sum(session.mirrors[execution_id].ends for session in sessions.made if execution_id in session.mirrors)
    if sessions.ended.get(execution_id, 0) != ended:
        sessions.ended[execution_id] = ended
        agent = getattr(composition.controller, "agent_rep", composition)
        for one in {composition, agent}:
            forget_compiled_form(one, execution_id)
    return PENDING.unobserving(sessions.made[-1].observed)


def renewed(composition: Any, session: Session, execution_id: Any) -> Session:
    """A new session in the place of one whose values have got other shapes."""
    kept(composition, Sessions).made.remove(session)
    return session_of(composition, execution_id, session.purpose)


def execution_id_of(composition: Any, context: Any) -> Any:
    """The execution context that a call means; a Composition stands for its own."""
    if context is None:
        context = composition
    return getattr(context, "execution_id", getattr(context, "default_execution_id", context))


def look_for_lacking(held: list[Session], composition: Any, execution_id: Any, gives: bool) -> None:
    """Gives a context that has run what it lacks, after somebody has used a Parameter; if not `gives`, notes that it is to be."""
    known = [session for session in held if execution_id in session.mirrors]
    for session in known:
        (session.lacking.unsure.discard if gives else session.lacking.unsure.add)(execution_id)
    if gives and any(session.lacking.is_found(execution_id) for session in known):
        give_values(composition, execution_id)
        for session in known:
            session.lacking.forget_others(execution_id)


def prepare(composition: Any, execution_id: Any, start: RunStart | None) -> None:
    """
    The work of PsyNeuLink before a trial: the start of a call, or, in the midst of one, in which a callback may have changed the
    Composition, what it needs to be compiled; then it gives a new execution context its values.
    """
    if start is not None:
        start.make()
    else:
        complete_and_analyze(composition, execution_id)
    assign_context(composition, execution_id)
    give_values(composition, execution_id)
    for one in compositions_in(composition):
        complete_conditions(one.scheduler)  # names the conditions of nodes that were given none
