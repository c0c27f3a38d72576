"""Plants in what becomes of a model: its schedule, its nodes, its searches."""

from types import SimpleNamespace
from typing import Any

from support.planted.plants import Patch, planted
from xdsl.dialects import arith

from cogir.analysis.layout import Layout
from cogir.dialects.cog import Modulation
from cogir.lowering.machine import bodies, conditions, nodes, passes, search, state, tensors, trial

# ------------------------------------------------------------------------------------------------------------- schedules


@planted()
def values_not_frozen_within_a_step(patch: Patch) -> None:
    patch.setattr(trial.TrialEmitter, "frozen", staticmethod(lambda *_: {}))


@planted("EveryNCalls")
def used_calls_not_zeroed(patch: Patch) -> None:
    """EveryNCalls finds the calls again that it has used."""
    count = passes.count_call

    class Lenient:
        def __init__(self, plan: Any):
            self.plan = plan
            self.used_by: dict[str, tuple[str, ...]] = {}

        def __getattr__(self, name: str) -> Any:
            return getattr(self.plan, name)

    patch.setattr(passes, "count_call", lambda state, plan, node, called: count(state, Lenient(plan), node, called))


@planted()
def pass_counters_not_cleared(patch: Patch) -> None:
    patch.setattr(passes, "begin", lambda *_: None)


@planted()
def trial_counters_not_cleared(patch: Patch) -> None:
    patch.setattr(trial, "begin", lambda *_: None)


@planted("NWhen")
def n_when_counts_when_not_asked(patch: Patch) -> None:
    holds = conditions.ConditionEmitter.holds
    patch.setattr(conditions.ConditionEmitter, "holds", lambda self, state, part, owner=None, asked=None: holds(self, state, part, owner))


@planted()
def trial_end_tested_once_per_pass(patch: Patch) -> None:
    one_pass = passes._Passes.one_pass

    def untested(self: Any, state: Any) -> None:
        self.trial_is_over = lambda state, asked: state.emitter.flag(False)
        one_pass(self, state)
        del self.trial_is_over

    patch.setattr(passes._Passes, "one_pass", untested)


@planted("EveryNCalls")
def layers_scanned_once(patch: Patch) -> None:
    patch.setattr(passes._Passes, "_needs_another_scan", lambda *_: False)


@planted("JustRan")
def last_set_forgotten(patch: Patch) -> None:
    patch.setattr(passes._Passes, "_remember_set", lambda *_: None)


@planted("reset")
def resets_forgotten(patch: Patch) -> None:
    patch.setattr(trial, "reset_nodes", lambda *_: None)


@planted()
def thresholds_of_counters_off_by_one(patch: Patch) -> None:
    patch.setitem(conditions.INTEGER_RELATIONS, ">=", "sgt")


# ----------------------------------------------------------------------------------------------------------------- nodes


@planted()
def modulation_adds_instead_of_multiplying(patch: Patch) -> None:
    modulated = nodes.modulated

    def added(emitter: Any, default: Any, effects: Any, hint: str) -> Any:
        modes = {Modulation.MULTIPLY: Modulation.ADD}
        return modulated(emitter, default, [(modes.get(mode, mode), value) for mode, value in effects], hint)

    patch.setattr(nodes, "modulated", added)


@planted()
def products_combined_as_sums(patch: Patch) -> None:
    joined = nodes.joined
    patch.setattr(nodes, "joined", lambda emitter, type_, how, values: joined(emitter, type_, "sum", values))


@planted("until finished")
def one_execution_too_many(patch: Patch) -> None:
    add = Layout.add_parameter

    def late(self: Layout, path: str, type: Any, default: Any) -> Any:
        return add(self, path, type, default + 1 if path.endswith("/limit:executions") else default)

    patch.setattr(Layout, "add_parameter", late)


@planted("recurrent until finished")
def recurrent_projections_evaluated_once(patch: Patch) -> None:
    start = nodes._Execution.__init__

    def once(self: Any, *arguments: Any) -> None:
        start(self, *arguments)
        known = self.executable
        self.executable = SimpleNamespace(name=known.name, inputs=known.inputs, modulations=known.modulations, projections=[], op=known.op)

    patch.setattr(nodes._Execution, "__init__", once)


@planted()
def matrices_transposed(patch: Patch) -> None:
    """A square matrix is read by columns."""
    times = tensors.vector_times_matrix

    def transposed(emitter: Any, vector: Any, matrix: Any) -> Any:
        result = times(emitter, vector, matrix)
        rows, columns = matrix.type.get_shape()
        if rows == columns:
            op = result.owner
            maps = list(op.indexing_maps.data)
            maps[1] = type(maps[1])(type(maps[1].data)(2, 0, tuple(reversed(maps[1].data.results))))
            op.properties["indexing_maps"] = type(op.indexing_maps)(maps)
        return result

    patch.setattr(bodies, "vector_times_matrix", transposed)


@planted("modulation inside an instance")
def modulation_does_not_reach_inside(patch: Patch) -> None:
    patch.setattr(nodes, "effects_inside", lambda *_: {})
    patch.setattr(search, "effects_inside", lambda *_: {})


@planted()
def values_survive_loops_and_branches(patch: Patch) -> None:
    """What was known before control flow is taken to hold after it (but for clocks, without which nothing ends)."""
    sound = state.State.resume

    def stale(self: Any, carried: Any) -> None:
        known = {path: value for path, value in self.values.items() if "/" in path and "clock:" not in path}
        sound(self, carried)
        self.values |= known

    patch.setattr(state.State, "resume", stale)


# ---------------------------------------------------------------------------------------------------------------- search


@planted("grid_search")
def last_signal_is_the_slowest(patch: Patch) -> None:
    start = search._Search.__init__

    def reversed_axes(self: Any, *arguments: Any) -> None:
        start(self, *arguments)
        self.signals, self.counts = tuple(reversed(self.signals)), list(reversed(self.counts))
        self.signal_paths = list(reversed(self.signal_paths))

    patch.setattr(search._Search, "__init__", reversed_axes)


@planted("grid_search")
def ties_win(patch: Patch) -> None:
    """value < best  ->  value <= best"""
    loose = {"olt": "ole", "ogt": "oge"}

    class Loose:
        def __getattr__(self, name: str) -> Any:
            return getattr(arith, name)

        @staticmethod
        def CmpfOp(left: Any, right: Any, relation: str) -> Any:
            return arith.CmpfOp(left, right, loose.get(relation, relation))

    patch.setattr(search, "arith", Loose())


@planted("grid_search")
def costs_forgotten(patch: Patch) -> None:
    patch.setattr(search._Search, "_cost", lambda self, emitter, *_: emitter.number(0.0))


@planted("estimates")
def simulations_not_seeded(patch: Patch) -> None:
    patch.setattr(search, "generators_of", lambda plan: [])


@planted("feature")
def features_ignored(patch: Patch) -> None:
    """A simulation takes the inputs of the trial (a simulation of another model has to have its features)."""
    inputs = search._Search._inputs

    def plain(self: Any) -> Any:
        op = self.op
        if self.model is self.plan:
            self.op = SimpleNamespace(features={})
        try:
            return inputs(self)
        finally:
            self.op = op

    patch.setattr(search._Search, "_inputs", plain)
