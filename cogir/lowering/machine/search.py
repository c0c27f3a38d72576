"""
A grid search: a loop nest over the levels of the signals, in it a simulation, around it the optimum so far.

```mlir
%best, %index, %count, %ties1 = scf.for %i = 0 to n0 iter_args(...) {      // the first signal is the slowest axis
  %level = tensor.extract %levels[%i]
  %cost = func.call @exponential(%level)                                   // a cost stands in the loop of its signal
  scf.for %j = 0 to n1 iter_args(...) {
    // one or more trials from the state before the search, which is the same values for every point
    // %value = outcome - costs; is it better, or as good and drawn?
  }
}
```

The rules are those of `interpreters/grid_search.py`. The simulation begins with the values that every slot and every
generator had before the search, so nothing has to be copied or restored, and what does not depend on a level can be moved
out of the loop of that level.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Protocol

from xdsl.dialects import arith, math, scf, tensor
from xdsl.dialects.builtin import StringAttr, TensorType, f64, i64
from xdsl.ir import SSAValue

from cogir.analysis.first_optimum import CONTROLLER, FIRST_OPTIMUM
from cogir.analysis.flags import flags_of_search
from cogir.dialects import cog, rng
from cogir.errors import ModelError
from cogir.interpreters.flags import ALL_KINDS
from cogir.lowering.machine.conditions import ConditionEmitter, counts
from cogir.lowering.machine.emitter import BlockEmitter
from cogir.lowering.machine.nodes import Effect, Surroundings, effects_in, port_path
from cogir.lowering.machine.plan import InstancePlan
from cogir.lowering.machine.record import empty_record, record_search, record_simulation, simulations_of
from cogir.lowering.machine.state import MachineState
from cogir.lowering.machine.tensors import as_type
from cogir.model import conditions as s
from cogir.model.graph import Port
from cogir.streams import SIMULATED, word_of

ABSOLUTE, RELATIVE = 1e-8, 1e-5
"""Values are close as numpy.allclose says."""


class RunTrial(Protocol):
    """Emits a trial of a model."""

    def __call__(self, state: MachineState, plan: InstancePlan, around: Surroundings, *, simulated: bool) -> Sequence[SSAValue]: ...


def emit_search(state: MachineState, plan: InstancePlan, op: cog.GridSearchOp, around: Surroundings, run_trial: RunTrial) -> None:
    """The search of a controller; afterwards its signals hold the chosen levels."""
    outside, state.emitter.location = state.emitter.location, op.location
    _Search(state, plan, op, around, run_trial).emit()
    state.emitter.location = outside


@dataclass(frozen=True)
class _Point:
    """The position in the loop nest: the number of the point, its levels and their costs, up to some depth."""

    index: SSAValue | None
    levels: tuple[SSAValue, ...]
    cost: SSAValue | None


@dataclass(frozen=True)
class _Estimate:
    """The difference between simulations of a point: the seed of all generators, the value of the port of `cog.estimates`, or nothing."""

    seed: SSAValue | None = None
    level: SSAValue | None = None
    number: SSAValue | None = None
    """Its place among the simulations of the point, where there are several."""


@dataclass(frozen=True)
class _Events:
    """The traces of simulations besides their outcomes; None where that cannot happen."""

    status: SSAValue | None = None
    """0, or what has gone wrong first."""
    counts: SSAValue | None = None
    """The number of times that each flag was raised."""
    record: SSAValue | None = None
    """The results of the simulations, one after another."""

    def carried(self) -> list[SSAValue]:
        """Those that there are, as they travel through control flow."""
        return [held for held in (self.status, self.counts, self.record) if held is not None]

    def after(self, carried: Sequence[SSAValue]) -> _Events:
        """Those that there are, from what control flow gave back for `carried`."""
        given = iter(carried)
        return _Events(*(None if held is None else next(given) for held in (self.status, self.counts, self.record)))


class _Search:
    """One search, in `state`, by the controller `op` of `plan`."""

    def __init__(self, state: MachineState, plan: InstancePlan, op: cog.GridSearchOp, around: Surroundings, run_trial: RunTrial):
        self.state = state
        self.plan = plan
        self.op = op
        self.name = op.sym_name.data
        self.around = around
        self.run_trial = run_trial
        self.model, self.instance = plan.simulated(op)
        self.signals = op.signals
        self.signal_paths = [plan.paths.slot(self.name, "signal", each.sym_name.data) for each in self.signals]
        self.counts = [len(each.level_values) for each in self.signals]
        self.estimated = op.estimated
        self.random_ties = op.ties.data == cog.Ties.RANDOM
        self.ties = plan.paths.slot(self.name, "random", "ties")
        self.values = plan.paths.values(self.name)
        self.is_recorded = plan.paths.record_rows(self.name) in state.layout and not state.simulates
        self.can_fail = self.model.can_fail
        self.flags = self._flags()
        self.inputs = self._inputs()
        if self.random_ties and op.tie_stream is None:
            raise ModelError(f"cog.grid_search @{self.name}: random ties draw from a generator; write ties random @stream")

    @property
    def simulates_itself(self) -> bool:
        """True if the controller simulates the model to which it belongs."""
        return self.model.model is self.plan.model

    def emit(self) -> None:
        """The loop nest, then the choice."""
        state, emitter = self.state, self.state.emitter
        state.save()
        best = emitter.number(0.0)
        initial = [best, emitter.index(0)]
        if self.random_ties:
            initial += [emitter.integer(1), state.generators[self.ties]]
        events = _Events(
            state.read("status") if self.can_fail else None,
            emitter.zero(TensorType(i64, (len(self.flags),))) if self.flags else None,
            empty_record(state, self.plan, self.op) if self.is_recorded else None,
        )
        initial += events.carried()
        if self.values in state.layout:
            initial.append(emitter.value(tensor.EmptyOp((), state.layout[self.values].type)))
        results = self._axis(emitter, _Point(None, (), None), initial)
        loop = results[0].owner
        if not self.random_ties and not self.is_recorded and isinstance(loop, scf.ForOp):
            loop.attributes[FIRST_OPTIMUM] = StringAttr(self.op.direction.data)
            loop.attributes[CONTROLLER] = StringAttr(f"{self.plan.prefix}{self.name}")
        after = iter(results[2:])
        if self.random_ties:
            next(after)  # how many points were as good
            state.generators[self.ties] = next(after)
        events = events.after([next(after) for _ in events.carried()])
        if events.status is not None:
            state.write("status", events.status)
        if events.counts is not None:
            for number, (_, path) in enumerate(self.flags):
                state.increase(path, emitter.value(tensor.ExtractOp(events.counts, emitter.index(number), i64), "count"))
        if events.record is not None:
            record_search(state, self.plan, self.op, events.record)
        if self.values in state.layout:
            state.write(self.values, next(after))
        if self.op.keeps is not None:
            self._keep(results[0], results[1])
        self._choose(results[1])

    def _flags(self) -> list[tuple[str, str]]:
        """The flags that simulations can raise: the path in the model that is simulated, and the path of their number."""
        found = [
            (f"{self.model.prefix}{path}", f"{self.plan.prefix}{counted}")
            for name, path, counted in flags_of_search(self.plan.graph, ALL_KINDS, self.plan.effects)
            if name == self.name
        ]
        return [(path, counted) for path, counted in found if counted in self.state.layout]

    def _keep(self, value: SSAValue, index: SSAValue) -> None:
        """The state before the search, and what it has found."""
        state, emitter = self.state, self.state.emitter
        found = {"value": value, "outcome": self._outcome(state), "point": emitter.value(arith.IndexCastOp(index, i64))}
        for name in self.op.starts:
            found[f"before:{name}"] = state.read(self.plan.paths.slot(self.name, "signal", name))
        found |= {f"input:{number}": given for number, given in enumerate(self.inputs)}
        for what, held in found.items():
            state.write(self.plan.paths.slot(self.name, "found", what), held)
        state.increase(self.plan.paths.slot(self.name, "found", "searches"), emitter.integer(1))

    def _axis(self, emitter: BlockEmitter, point: _Point, carried: list[SSAValue]) -> list[SSAValue]:
        """The loop over the levels of the next signal; inside the innermost one, a point."""
        depth = len(point.levels)
        if depth == len(self.signals):
            return self._point(emitter, point, carried)
        signal, count = self.signals[depth], self.counts[depth]
        levels = self.state.read(self._levels(signal))

        def body(inner: BlockEmitter, i: SSAValue, values: list[SSAValue]) -> list[SSAValue]:
            level = inner.value(tensor.ExtractOp(levels, i, f64), signal.sym_name.data)
            index = i
            if point.index is not None:
                start = inner.value(arith.MuliOp(point.index, inner.index(count)))
                index = inner.value(arith.AddiOp(start, i), "point")
            cost = self._cost(inner, signal, level)
            if point.cost is not None:
                cost = inner.value(arith.AddfOp(point.cost, cost), "cost")
            return self._axis(inner, _Point(index, (*point.levels, level), cost), values)

        return emitter.loop_for(
            count, carried, body, signal.sym_name.data + "_index", ("best", "best_index", "ties")[: 3 if self.random_ties else 2]
        )

    def _levels(self, signal: cog.SignalOp) -> str:
        return self.plan.paths.slot(self.name, "levels", signal.sym_name.data)

    # One point

    def _point(self, emitter: BlockEmitter, point: _Point, carried: list[SSAValue]) -> list[SSAValue]:
        """The value of a point, and the optimum after it."""
        assert point.index is not None
        best, best_index, *rest = carried
        place = iter(rest)
        count = next(place) if self.random_ties else None
        ties = next(place) if self.random_ties else None
        events = _Events(
            next(place) if self.can_fail else None,
            next(place) if self.flags else None,
            next(place) if self.is_recorded else None,
        )
        values = next(place) if self.values in self.state.layout else None

        value, events = self._value(emitter, point, events)
        value.name_hint = "value"
        is_first = emitter.compare(point.index, "eq", emitter.index(0))
        is_first.name_hint = "is_first"
        relation = "olt" if self.op.direction.data == cog.Direction.MINIMIZE else "ogt"
        better = emitter.value(arith.CmpfOp(value, best, relation), "is_better")
        changes = emitter.either(is_first, better)
        close = None
        if ties is not None:
            close = emitter.both(emitter.negation(is_first), self._is_close(emitter, value, best))
            close.name_hint = "is_close"
            changes = emitter.either(changes, close)

        def update(inner: BlockEmitter) -> list[SSAValue]:
            """The point is the best so far, or one of several as good ones. Only close values use up a draw."""
            assert point.index is not None
            if ties is None or close is None or count is None:
                return [value, point.index]
            one = inner.integer(1)
            number = inner.choose(close, inner.add_integers(count, one), one)
            number.name_hint = "ties"
            drawn, after = self._draw(inner, close, number, ties)
            chosen = inner.either(inner.negation(close), drawn)
            return [inner.choose(chosen, value, best), inner.choose(chosen, point.index, best_index), number, after]

        carried = [best, best_index, *(held for held in (count, ties) if held is not None)]
        result = emitter.conditional(changes, carried, update)
        result[0].name_hint, result[1].name_hint = "best", "best_index"
        result += events.carried()
        if values is not None:
            result.append(emitter.value(tensor.InsertOp(value, values, point.index), "values"))
        return result

    @staticmethod
    def _is_close(emitter: BlockEmitter, value: SSAValue, best: SSAValue) -> SSAValue:
        """Equal, or within the tolerance of a finite optimum: an infinity is close to itself alone, NaN to nothing."""
        equal = emitter.value(arith.CmpfOp(value, best, "oeq"))
        size = emitter.value(math.AbsFOp(best))
        tolerance = emitter.value(arith.AddfOp(emitter.number(ABSOLUTE), emitter.value(arith.MulfOp(emitter.number(RELATIVE), size))))
        distance = emitter.value(math.AbsFOp(emitter.value(arith.SubfOp(value, best))))
        near = emitter.value(arith.CmpfOp(distance, tolerance, "ole"))
        finite = emitter.value(arith.CmpfOp(size, emitter.number(float("inf")), "olt"))
        return emitter.either(equal, emitter.both(near, finite))

    @staticmethod
    def _draw(emitter: BlockEmitter, close: SSAValue, count: SSAValue, ties: SSAValue) -> tuple[SSAValue, SSAValue]:
        """Reservoir sampling: the n-th of close values is taken with probability 1/n."""

        def draw(inner: BlockEmitter) -> list[SSAValue]:
            uniform = inner.add(rng.UniformOp(ties))
            chance = inner.value(arith.DivfOp(inner.number(1.0), inner.value(arith.SIToFPOp(count, f64))))
            return [inner.value(arith.CmpfOp(uniform.value, chance, "olt"), "is_drawn"), uniform.next_state]

        taken, after = emitter.conditional(close, [emitter.flag(False), ties], draw)
        after.name_hint = ties.name_hint
        return taken, after

    def _value(self, emitter: BlockEmitter, point: _Point, events: _Events) -> tuple[SSAValue, _Events]:
        """The net outcome of a point: outcome - cost, or its mean over the estimates; and the events after its simulations."""
        assert point.index is not None
        assert point.cost is not None
        cost, estimates = point.cost, self.op.estimates.value.data
        has_cost = any(signal.costs for signal in self.signals)

        def net(inner: BlockEmitter, estimate: _Estimate, events: _Events) -> tuple[SSAValue, _Events]:
            outcome, events = self._simulate(inner, point, estimate, events)
            return inner.value(arith.SubfOp(outcome, cost)) if has_cost else outcome, events

        if self.estimated is not None:
            return self._mean(
                emitter, self.estimated.count, lambda inner, i: _Estimate(level=self._estimated_level(inner, i), number=i), net, events
            )
        if estimates == 1:
            return net(emitter, _Estimate(), events)
        start = emitter.integer(self.op.seed_base.value.data if self.op.seed_base is not None else 0)
        if self.op.seeds.data == cog.Seeds.PER_POINT:
            number = emitter.value(arith.IndexCastOp(point.index, i64))
            start = emitter.add_integers(start, emitter.value(arith.MuliOp(number, emitter.integer(estimates))))

        def seeded(inner: BlockEmitter, i: SSAValue) -> _Estimate:
            seed = inner.add_integers(start, inner.value(arith.IndexCastOp(i, i64)))
            seed.name_hint = "seed"
            return _Estimate(seed=seed, number=i)

        return self._mean(emitter, estimates, seeded, net, events)

    @staticmethod
    def _mean(
        emitter: BlockEmitter,
        count: int,
        estimate: Callable[[BlockEmitter, SSAValue], _Estimate],
        net: Callable[[BlockEmitter, _Estimate, _Events], tuple[SSAValue, _Events]],
        events: _Events,
    ) -> tuple[SSAValue, _Events]:
        """The mean of what comes of so many estimates, summed from the first to the last, and the events after them."""

        def body(inner: BlockEmitter, i: SSAValue, values: list[SSAValue]) -> list[SSAValue]:
            value, after = net(inner, estimate(inner, i), events.after(values[1:]))
            total = inner.value(arith.AddfOp(values[0], value), "total")
            return [total, *after.carried()]

        # -0.0 leaves the first term as it is: 0.0 would turn -0.0 into 0.0.
        initial = [emitter.number(-0.0), *events.carried()]
        results = emitter.loop_for(count, initial, body, "estimate", ("total",))
        mean = emitter.value(arith.DivfOp(results[0], emitter.number(float(count))), "mean")
        return mean, events.after(results[1:])

    def _estimated_level(self, emitter: BlockEmitter, i: SSAValue) -> SSAValue:
        """The value of the port of `cog.estimates` in estimate `i`: a whole number, counted from the search's first one."""
        assert self.estimated is not None
        first = self.state.read(self.plan.paths.slot(self.name, "seeds", "first"))
        steps = emitter.value(arith.MuliOp(emitter.value(arith.IndexCastOp(i, i64)), emitter.integer(self.estimated.step.value.data)))
        return emitter.value(arith.SIToFPOp(self._wrapped(emitter, first, steps), f64), "estimated")

    def _wrapped(self, emitter: BlockEmitter, start: SSAValue, further: SSAValue) -> SSAValue:
        """`start + further`, counted on from 0 where the numbers for estimates end."""
        assert self.estimated is not None
        below = emitter.integer(self.estimated.below.value.data)
        return emitter.value(arith.RemSIOp(emitter.add_integers(start, further), below))

    # Simulation

    def _simulate(self, emitter: BlockEmitter, point: _Point, estimate: _Estimate, events: _Events) -> tuple[SSAValue, _Events]:
        """The objective after the trials of one simulation, which leaves no trace in the state."""
        state = self.state.fork(emitter)
        state.simulates = True
        levels, seed = self._levels_in_force(point, estimate), estimate.seed
        for name, level in levels.items():
            state.write(self.plan.paths.slot(self.name, "signal", name), level)
        for plan in self.model.inside():
            state.clear(list(plan.counters))
            if seed is not None:
                for path in generators_of(plan):
                    state_type = state.layout[path].type
                    assert isinstance(state_type, rng.StateType)
                    key = [seed]
                    if state_type.kind.data == "xoshiro256":  # of NumPy's kinds, all generators have one seed, as in PsyNeuLink
                        key += [emitter.integer(word_of(path)), emitter.integer(SIMULATED)]
                    state.generators[path] = emitter.value(rng.SeedOp(key, state_type), state.hint(path))
        if events.status is not None:
            state.write("status", events.status)
        state.clear([path for path, _ in self.flags])
        around = Surroundings(self.inputs, {}, self._effects(state, levels))
        trials = self.op.trials_per_estimate.value.data
        over = emitter.flag(False)
        if trials == 1:
            self._simulated_trial(state, around, over)
        else:

            def body(inner: BlockEmitter, _: SSAValue, carried: list[SSAValue]) -> list[SSAValue]:
                inside = state.fork(inner)
                inside.resume(carried[: len(carried) - len(ended)])
                after = self._simulated_trial(inside, around, carried[-1] if ended else inner.flag(False))
                return [*inside.carried(), *([after] if ended else [])]

            ended = [over] if counts(self.model.schedule.run_ends) else []  # others hold again when they are asked again
            results = emitter.loop_for(trials, [*state.carried(), *ended], body, "simulated_trial")
            state.resume(results[: len(results) - len(ended)])
        status = state.read("status") if events.status is not None else None
        return self._outcome(state), _Events(status, self._counted(state, events), self._recorded(state, point, estimate, levels, events))

    def _recorded(
        self, state: MachineState, point: _Point, estimate: _Estimate, levels: dict[str, SSAValue], events: _Events
    ) -> SSAValue | None:
        """The record of this search, with what a simulation has given that has left `state`."""
        number, emitter = point.index, state.emitter
        if events.record is None or number is None:
            return None
        if estimate.number is not None:
            first = emitter.value(arith.MuliOp(number, emitter.index(simulations_of(self.op) // prod(self.counts))))
            number = emitter.value(arith.AddiOp(first, estimate.number), "simulation")
        return record_simulation(state, self.model, events.record, number, list(levels.values()))

    def _counted(self, state: MachineState, events: _Events) -> SSAValue | None:
        """The number of times that each flag was raised, after a simulation that has left `state`."""
        counts, emitter = events.counts, state.emitter
        for number, (path, _) in enumerate(self.flags):
            assert counts is not None
            place = emitter.index(number)
            before = emitter.value(tensor.ExtractOp(counts, place, i64))
            counts = emitter.value(tensor.InsertOp(emitter.add_integers(before, state.read(path)), counts, place), "counts")
        return counts

    def _outcome(self, state: MachineState) -> SSAValue:
        """The value of the objective's port."""
        port = Port(self.op.objective.string_value(), self.op.resolve_objective_port(self.model.model.symbols))
        return as_type(state.emitter, state.read(port_path(self.model, port)), f64)

    def _simulated_trial(self, state: MachineState, around: Surroundings, ended: SSAValue) -> SSAValue:
        """A trial, unless the simulated run has `ended` or ends here; whether it has."""
        if isinstance(self.model.schedule.run_ends, s.Never):
            self.run_trial(state, self.model, around, simulated=True)
            return ended
        goes_on = state.emitter.negation(ended)
        ends = ConditionEmitter(self.model).holds(state, self.model.schedule.run_ends, None, goes_on)
        over = state.emitter.either(ended, ends)
        state.when(state.emitter.negation(over), lambda inside: self.run_trial(inside, self.model, around, simulated=True))
        return over

    def _levels_in_force(self, point: _Point, estimate: _Estimate) -> dict[str, SSAValue]:
        """The values of the controller's output ports in a simulation."""
        levels = {signal.sym_name.data: level for signal, level in zip(self.signals, point.levels, strict=True)}
        if self.estimated is not None and estimate.level is not None:
            levels[self.estimated.sym_name.data] = estimate.level
        return levels

    def _effects(self, state: MachineState, levels: dict[str, SSAValue]) -> dict[str, list[Effect]]:
        """The modulations of the simulated model's parameters from outside of it, with these levels in force."""
        if self.simulates_itself:
            return {path: list(found) for path, found in self.around.effects.items()}
        if self.instance is not None:
            return effects_in(state, self.plan, self.plan.graph[self.instance], self.around)
        symbols = self.plan.model.symbols
        effects: dict[str, list[Effect]] = {}
        for op in self.plan.model.modulations:
            if op.source.string_value() == self.name:
                path = f"{op.target.string_value()}/{op.param.data}"
                effects.setdefault(path, []).append((op.mode.data, levels[op.resolve_source_port(symbols)]))
        return effects

    def _inputs(self) -> list[SSAValue]:
        """The inputs of the simulated trials: features, or else those of the trial."""
        graph, given = self.model.graph, self.around.externals
        if not self.simulates_itself and len(given) != len(graph.inputs):
            given = ()
        features = self.op.features
        inputs: list[SSAValue] = []
        for index, port in enumerate(graph.inputs):
            if (feature := features.get(index)) is not None:
                value = self._feature(feature)
            elif index < len(given):
                value = given[index]
            else:
                raise ModelError(
                    f"cog.grid_search @{self.name}: input {index} of @{graph.name} has no value in a simulation; add a cog.feature"
                )
            inputs.append(as_type(self.state.emitter, value, graph.input_type(port)))
        return inputs

    def _feature(self, feature: cog.FeatureOp) -> SSAValue:
        """The value of an input of a simulation: a constant, an input of the trial, or the value of a port."""
        if feature.value is not None:
            return self.state.emitter.constant(feature.value, cog.const_type(feature.value))
        if feature.trial_input is not None:
            return self.around.externals[feature.trial_input.value.data]
        assert feature.node is not None
        source = Port(feature.node.string_value(), feature.resolve_port(self.plan.model.symbols))
        return self.state.read(port_path(self.plan, source))

    # Costs and choice

    def _cost(self, emitter: BlockEmitter, signal: cog.SignalOp, level: SSAValue) -> SSAValue:
        """The sum of a signal's costs at a level: intensity, adjustment, duration."""
        costs = [
            self._total_cost(emitter, signal, level)[0] if kind == "total" else self._cost_of_kind(emitter, signal, kind, level)
            for kind in signal.costs
        ]
        if not costs:
            return emitter.number(0.0)
        total = costs[0]
        for cost in costs[1:]:
            total = emitter.value(arith.AddfOp(total, cost))
        if signal.clip is not None:
            zero = emitter.number(0.0)
            total = emitter.choose(emitter.value(arith.CmpfOp(total, zero, "ogt")), total, zero)
        total.name_hint = f"{signal.sym_name.data}_cost" if SSAValue.is_valid_name(signal.sym_name.data) else "cost"
        return total

    def _total_cost(self, emitter: BlockEmitter, signal: cog.SignalOp, level: SSAValue) -> Sequence[SSAValue]:
        """The cost of a level, and the sum after it."""
        assert signal.total_cost is not None
        name, paths = signal.sym_name.data, self.plan.paths
        held = [self.state.read(paths.slot(self.name, kind, name)) for kind in ("signal", "duration")]
        return emitter.call(signal.total_cost.string_value(), [level, *held], [f64, f64])

    def _cost_of_kind(self, emitter: BlockEmitter, signal: cog.SignalOp, kind: str, level: SSAValue) -> SSAValue:
        function, name = signal.costs[kind].string_value(), signal.sym_name.data
        if kind == "adjustment":
            before = self.state.read(self.plan.paths.slot(self.name, "signal", name))
            level = emitter.value(math.AbsFOp(emitter.value(arith.SubfOp(level, before))), "change")
        cost = emitter.call(function, [level], [f64])[0]
        if kind == "duration":
            before = self.state.read(self.plan.paths.slot(self.name, "duration", name))
            cost = emitter.value(arith.AddfOp(before, cost))
        return cost

    def _choose(self, index: SSAValue) -> None:
        """The signals take the levels of the best point; summed durations grow by its costs."""
        state, emitter = self.state, self.state.emitter
        for position in reversed(range(len(self.signals))):
            signal, count = self.signals[position], self.counts[position]
            place = index if position == 0 else emitter.value(arith.RemUIOp(index, emitter.index(count)))
            if position > 0:
                index = emitter.value(arith.DivUIOp(index, emitter.index(count)))
            level = emitter.value(tensor.ExtractOp(state.read(self._levels(signal)), place, f64), signal.sym_name.data)
            if signal.duration_cost is not None:
                path = self.plan.paths.slot(self.name, "duration", signal.sym_name.data)
                cost = emitter.call(signal.duration_cost.string_value(), [level], [f64])[0]
                state.write(path, emitter.value(arith.AddfOp(state.read(path), cost)))
            if signal.total_cost is not None:
                state.write(self.plan.paths.slot(self.name, "duration", signal.sym_name.data), self._total_cost(emitter, signal, level)[1])
            state.write(self.signal_paths[position], level)
        if self.estimated is not None:
            self._renew(self.estimated)

    def _renew(self, estimated: cog.EstimatesOp) -> None:
        """The port of `cog.estimates` takes the first of its values, and the first one of the next search is `advance` further on."""
        state, emitter, paths = self.state, self.state.emitter, self.plan.paths
        path = paths.slot(self.name, "seeds", "first")
        first = state.read(path)
        state.write(paths.slot(self.name, "signal", estimated.sym_name.data), emitter.value(arith.SIToFPOp(first, f64), "estimated"))
        if estimated.advance.value.data:
            state.write(path, self._wrapped(emitter, first, emitter.integer(estimated.advance.value.data)))


def generators_of(plan: InstancePlan) -> list[str]:
    """The paths of all generators of the nodes of one model."""
    return [
        plan.paths.slot(executable.name, "random", name)
        for executable in plan.graph
        if isinstance(executable.op, cog.NodeOp)
        for name, _, _ in executable.op.random
    ]
