"""
The simulations of a ParameterEstimationComposition, native: `OptimizationFunction._grid_evaluate`.

    PEC.run, PEC.log_likelihood ──► _grid_evaluate ──► (estimates, trials, outputs)
                                        │  session: the model, compiled once for a Composition
                                        │  values of the execution context, inputs and seeds are copied in
                                        ▼
                                    @estimates

Nothing of the simulations remains in PsyNeuLink. What is not supported is evaluated by PsyNeuLink, after one warning.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from cogir.errors import CogirError
from cogir.frontend.compile import source_of
from cogir.garbage import without_garbage_collection
from cogir.psyneulink.execution.changes import Watch
from cogir.psyneulink.execution.inputs import InputParser
from cogir.psyneulink.history import noted_compiling
from cogir.psyneulink.importer.estimates import ImportedEstimates, imported_estimates, parts_of, refuse
from cogir.psyneulink.importer.projections import matrix_of
from cogir.psyneulink.importer.seeds import RANDOMIZATION
from cogir.psyneulink.importer.survey import Survey
from cogir.psyneulink.pnl import computes_otherwise, num_threads
from cogir.psyneulink.reader import UnsupportedFeature, used_seed
from cogir.psyneulink.records import kept
from cogir.psyneulink.state.bindings import Binding, OtherShape, shape_of
from cogir.psyneulink.state.lazy_values import PENDING, look_up
from cogir.runtime.context import NativeContext
from cogir.runtime.entry import INIT_TYPE
from cogir.runtime.estimates import EstimatesJob, NativeEstimates
from cogir.runtime.native import compile_code
from cogir.runtime.options import Options
from cogir.runtime.parallel import Crew
from cogir.runtime.plan import Floats, Words

Evaluate = Callable[[Any, Any, bool], tuple[Any, int]]
"""PsyNeuLink's own evaluation, of a controller, a `Context`, and whether all results are wanted."""


class EstimatesSession:
    """The compiled form of the Composition that a controller simulates, for one execution context."""

    @without_garbage_collection()
    @noted_compiling()
    def __init__(self, controller: Any, execution_id: Any):
        self.controller, self.key = controller, execution_id
        survey = Survey(controller.agent_rep)
        self.found: ImportedEstimates = imported_estimates(controller, execution_id)
        options = Options(entry="estimates", flags=())
        self.plan, loaded = compile_code(source_of(self.found.imported.model), options)
        self.context = NativeContext(self.plan, None, None)
        pf, pi, sf, si, _ = self.context.addresses
        INIT_TYPE(loaded.address("init"))(pf, pi, sf, si)
        self.context.started = True
        self.start = self.context.sf.copy(), self.context.si.copy()
        self.native = NativeEstimates(loaded.address("estimates"), loaded, max(1, len(self.plan.generators)))
        self.native.lanes = self.plan.lanes
        self.crew = Crew(limit=num_threads)
        self.helpers_pay = False
        """True if the last evaluation was long enough for helpers, which the next one then has from its beginning."""
        self.inputs = InputParser(controller.agent_rep)
        self.parameters: list[Binding] = []
        self.states: list[Binding] = []
        self.bind()
        copied = {id(binding.values) for binding in (*self.parameters, *self.states)}
        self.watch = Watch(survey, self.found.reads, copied, self.found.imported.functions())

    def bind(self) -> None:
        """Binds the values from which estimates start to those of the execution context."""
        slots = self.plan.slots
        for prefix, imported in parts_of(self.found.imported):
            for mechanism, written in imported.written.items():
                path = f"{prefix}{imported.nodes[mechanism].name}"
                for source, name in written.parameters.items():
                    if f"{path}/param:{name}" in slots:
                        self.parameters.append(self.link(source, f"{path}/param:{name}", keeps_shape=True))
                for name, (function, parameter) in written.state_of.items():
                    self.states.append(self.link(getattr(function.parameters, parameter).final_source, f"{path}/state:{name}"))
                for port, name in written.ports.items():
                    if port in mechanism.output_ports:
                        self.states.append(self.link(port.parameters.value, f"{path}/port:{name}"))
            for path, projection in imported.matrices.items():
                if projection is not None and prefix + path in slots:
                    self.parameters.append(self.link(matrix_of(projection), prefix + path, keeps_shape=True))
        for path, signal in self.found.in_force.items():
            self.states.append(self.link(signal.parameters.value, path))

    def link(self, parameter: Any, path: str, *, keeps_shape: bool = False) -> Binding:
        """The link of a Parameter to a slot of the model."""
        values = parameter.values
        held = look_up(values, self.key)
        shape = shape_of(look_up(values, None) if held is None else held)
        return Binding(values, self.plan.slots[path], shape, self.key, keeps_shape=keeps_shape)

    def copy_in(self) -> None:
        """Takes the values of the execution context."""
        context = self.context
        context.sf[:], context.si[:] = self.start
        for binding in self.parameters:
            binding.copy_in(context.pf)
        for binding in self.states:
            binding.copy_in(context.sf)

    def seeds(self, bases: Floats) -> Words:
        """The seeds of the generators of each estimate."""
        columns: list[Words] = []
        for path in self.plan.generators:
            generator = self.found.generators[path]
            column = generator.seeds(bases)
            held = look_up(generator.parameter.values, self.key)
            held = look_up(generator.parameter.values, None) if held is None else held
            if held is not None and (column == used_seed(held)).any():
                raise refuse(self.controller, "an estimate has the seed with which a generator was started last, and would continue it")
            if not isinstance(held, np.random.RandomState):
                raise refuse(self.controller, "a generator is not PsyNeuLink's default one")
            columns.append(column)
        return np.ascontiguousarray(np.stack(columns, axis=1)) if columns else np.zeros((len(bases), 1), np.int64)

    def evaluate(self, inputs: Any, bases: Floats, trials: int) -> Floats:
        """The outputs of all estimates: (estimates, trials, outputs)."""
        self.copy_in()
        rows = np.ascontiguousarray(self.inputs.rows(inputs, self.key))
        job = EstimatesJob(rows, self.seeds(bases), trials, self.plan.size("out"))
        with self.crew.team() as team:
            if self.helpers_pay:
                team.has_to_pay = False
            self.native.run(self.context, job, team)
            self.helpers_pay = not team.has_to_pay
        return job.out.reshape(len(bases), trials, -1)


class EstimatesSessions:
    """The session of a controller, by execution context, and why there is none."""

    def __init__(self) -> None:
        self.made: dict[Any, EstimatesSession] = {}
        self.refused: dict[Any, tuple[Watch, CogirError]] = {}


def session_of(controller: Any, execution_id: Any) -> EstimatesSession:
    """The session of a controller, made anew where its Composition has changed."""
    sessions = kept(controller, EstimatesSessions)
    PENDING.flush()
    if (refused := sessions.refused.get(execution_id)) is not None:
        watch, error = refused
        try:
            has_changed = watch.changed()
        except UnsupportedFeature:  # PsyNeuLink has given it attributes as it ran, and it is of no plain class anyway
            has_changed = False
        if not has_changed:
            raise error.with_traceback(None)
        del sessions.refused[execution_id]
    session = sessions.made.get(execution_id)
    if session is None or session.watch.changed():
        try:
            session = sessions.made[execution_id] = EstimatesSession(controller, execution_id)
        except CogirError as error:
            sessions.refused[execution_id] = Watch(Survey(controller.agent_rep), [], (), ()), error
            raise
    return session


def native_evaluation(function: Any, controller: Any, context: Any, get_results: bool) -> tuple[Floats, int]:
    """The values that `_grid_evaluate` returns; raises UnsupportedFeature for what is left to PsyNeuLink."""
    composition = controller.agent_rep
    if not get_results:
        raise refuse(controller, "it evaluates net outcomes, not results")
    if computes_otherwise():
        raise refuse(controller, "PsyNeuLink's compiler has another precision, or options for debugging")
    if str(controller.parameters.comp_execution_mode.get(context)) != "LLVM" or composition.controller is not controller:
        raise refuse(controller, "its comp_execution_mode is not LLVM")
    signals = list(controller.control_signals)
    if len(signals) != 1 or signals[0].name != RANDOMIZATION:
        raise refuse(controller, "it searches, and does not only estimate")
    seeds = function.search_space[0].generator
    trials = controller.parameters.num_trials_per_estimate.get(context)
    if not isinstance(seeds, list) or trials is None:
        raise refuse(controller, "its seeds are not a list, or it has no number of trials")
    session = session_of(controller, context.execution_id)
    bases = np.asarray(seeds, float)
    if bases.size and not (0 <= bases.min() and bases.max() < 2**31):
        raise refuse(controller, "its seeds are out of range")
    try:
        return session.evaluate(state_features(controller, context), bases, int(trials)), len(bases)
    except OtherShape:
        raise refuse(controller, "a value of its Composition has got another shape") from None


def state_features(controller: Any, context: Any) -> Any:
    """
    The inputs of the simulations, by node.

    PsyNeuLink computes them whenever it reads them, and keeps what it has computed. It tries to write new inputs into the arrays of those
    that it keeps, and fails with a text of all their numbers, which takes longer than all else. So none are kept.
    """
    parameter = controller.parameters.state_feature_values
    parameter.values.pop(context.execution_id, None)
    found = parameter.get(context)
    parameter.values.pop(context.execution_id, None)
    return found


__all__ = ["native_evaluation"]
