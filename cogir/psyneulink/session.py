"""
A Composition that runs natively: compiled when first run, and again when it changes in structure.
"""

from __future__ import annotations

from typing import Any, cast
from weakref import WeakKeyDictionary

from cogir.frontend.psyneulink.composition import Imported, imported
from cogir.frontend.psyneulink.values import recorded_reads
from cogir.psyneulink.inputs import InputParser
from cogir.psyneulink.library import array_of, new_context
from cogir.psyneulink.links import OtherShape
from cogir.psyneulink.synchronise import Twin
from cogir.psyneulink.watch import Watch
from cogir.runtime.compiled import Compiled
from cogir.runtime.context import BankContext

_SESSIONS: WeakKeyDictionary[Any, list[Session]] = WeakKeyDictionary()


class Session:
    """The compiled form of a Composition and its twins, one for each execution context."""

    def __init__(self, composition: Any, execution_id: Any, mode: str):
        self.mode = mode
        with recorded_reads() as reads:
            self.imported: Imported = imported(composition, execution_id, observed=True)
        self.compiled: Compiled = self.imported.model.compile(mode=mode)
        self.inputs = InputParser(composition)
        self.twins: dict[Any, Twin] = {}
        twin = self.twin(execution_id)
        self.watch = Watch(composition, reads, twin.copied, self.imported.functions())

    def twin(self, execution_id: Any) -> Twin:
        """The twin of an execution context."""
        if execution_id not in self.twins:
            context = self.compiled.context(str(execution_id))
            self.twins[execution_id] = Twin(self.imported, cast(BankContext, context), execution_id)
        return self.twins[execution_id]


def session_of(composition: Any, execution_id: Any, mode: str = "run") -> Session:
    """A session of the Composition that an execution context can run in; made anew when the Composition has become another one."""
    held = _SESSIONS.setdefault(composition, [])
    for session in list(held):
        if session.mode != mode:
            continue
        if session.watch.changed():
            held.remove(session)
        elif execution_id in session.twins:
            return session
    prepare(composition, execution_id)
    for session in held:
        if session.mode == mode and session.watch.holds_in(execution_id):
            return session
    session = Session(composition, execution_id, mode)
    held.append(session)
    return session


def sessions_of(composition: Any) -> list[Session]:
    """The sessions that a Composition has."""
    return list(_SESSIONS.get(composition, ()))


def renewed(composition: Any, session: Session, execution_id: Any) -> Session:
    """A new session in the place of one whose values have got other shapes."""
    _SESSIONS[composition].remove(session)
    return session_of(composition, execution_id, session.mode)


def run(composition: Any, inputs: Any = None, num_trials: int | None = None, *, context: Any = None, mode: str = "run") -> Any:
    """
    Runs a Composition natively, as `Composition.run` would, and leaves it as that would: results, values, states and generators.

    Returns the result of the last trial. Raises `UnsupportedFeature` for what cogir does not compile.
    """
    execution_id = composition.default_execution_id if context is None else getattr(context, "execution_id", context)
    session = session_of(composition, execution_id, mode)
    twin = session.twin(execution_id)
    rows = session.inputs.rows(inputs, execution_id)
    try:
        twin.copy_in()
    except OtherShape:
        session = renewed(composition, session, execution_id)
        twin = session.twin(execution_id)
        twin.copy_in()
    twin.timeline.begin(twin.context.sf)
    twin.screen.begin(twin.context.sf)
    result = session.compiled.run(rows, num_trials=num_trials, context=twin.context)
    if len(result):
        twin.copy_out(rows[(len(result) - 1) % len(rows)], result.rows[-1])
    twin.timeline.advance(twin.context.sf, len(result))
    if composition.most_recent_context.execution_id != execution_id:
        composition._propagate_most_recent_context(new_context(execution_id))
    return keep_results(composition, execution_id, result.results)


def prepare(composition: Any, execution_id: Any) -> None:
    """What a run in PsyNeuLink does first: ends the initialisation of parts, and gives a new execution context its values."""
    context = new_context(execution_id)
    composition._complete_init_of_partially_initialized_nodes(context=context)
    composition._analyze_graph(context=context)
    composition._assign_execution_ids(context)
    composition._initialize_from_context(context, new_context(None), override=False)
    composition.scheduler._validate_conditions()  # names the conditions of nodes that were given none


def keep_results(composition: Any, execution_id: Any, results: list[list[Any]]) -> Any:
    """Appends the results of a run to the Composition's, in the form that PsyNeuLink keeps them in."""
    held = composition.parameters.results
    before = held.values.get(execution_id)
    kept = [] if before is None else list(before)
    rows = [array_of(trial) for trial in results]
    held.values[execution_id] = array_of([*kept, *rows])
    return rows[-1] if rows else None
