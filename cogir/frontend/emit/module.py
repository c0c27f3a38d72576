"""
From the records of a model to a `cog` module.

Before: records (`records.py`), Python functions not looked at yet.
After:  a module with the model, the models placed in it, the functions they call and the streams they start from. Every
        operation carries the line of the user's script that it comes from.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from xdsl.dialects import func
from xdsl.dialects.builtin import FileLineColLoc, IntAttr, ModuleOp, StringAttr, UnitAttr, i1
from xdsl.ir import Attribute, Block, Operation, SSAValue

from cogir.dialects import cog, rng
from cogir.errors import FunctionError, ModelError
from cogir.frontend.builder.functions import is_librarys, warn_not_compiled
from cogir.frontend.builder.learning import matrix_of
from cogir.frontend.builder.records import (
    Address,
    ControlRecord,
    FunctionRecord,
    InstanceRecord,
    LearningRecord,
    ModelRecord,
    ModulationRecord,
    NodeRecord,
    ProjectionRecord,
    SignalRecord,
    StreamRecord,
    TraceRecord,
    TrialInput,
)
from cogir.frontend.builder.source_location import SourceLocation
from cogir.frontend.builder.values import Array, ValueType, type_of
from cogir.frontend.emit.conditions import condition_ops
from cogir.frontend.emit.functions import Functions
from cogir.frontend.emit.returned_types import line_computing
from cogir.frontend.emit.types import ir_type
from cogir.pyfunc.reachable import may_loop
from cogir.pyfunc.source import portable_name
from cogir.ranges import Between
from cogir.runtime.python_functions import PythonFunction, ValueShape


def module_of(model: ModelRecord) -> ModuleOp:
    """A new module that holds the model and all that it needs, but for functions that stay Python."""
    return _Emitter(model).module()


def emitted(model: ModelRecord) -> tuple[ModuleOp, dict[str, PythonFunction]]:
    """The module, and the functions that stay Python by their symbols."""
    emitter = _Emitter(model)
    return emitter.module(), emitter.python


class _Emitter:
    """Turns one model, and the models inside it, into operations."""

    def __init__(self, model: ModelRecord):
        self.models = _all_models(model)
        self.taken: set[str] = set()
        self.model_names = {id(one): self._symbol(one.name) for one in self.models}
        self.streams: dict[int, rng.StreamOp] = {}
        for one in self.models:
            for record in _streams(one):
                self.streams[id(record)] = _stream_op(record, self._symbol(record.name))
        self.functions = Functions(self.taken)
        self.python: dict[str, PythonFunction] = {}

    def _symbol(self, wanted: str) -> str:
        """A name that no other symbol of the module has."""
        name, count = wanted, 1
        while name in self.taken:
            name, count = f"{wanted}_{count}", count + 1
        self.taken.add(name)
        return name

    def module(self) -> ModuleOp:
        models = [self.model(one) for one in self.models]
        return ModuleOp([*models, *self.functions.ops(), *self.streams.values()])

    def model(self, model: ModelRecord) -> cog.ModelOp:
        ops: list[Operation] = []
        for node in model.nodes.values():
            if isinstance(node, InstanceRecord):
                op = cog.InstanceOp(node.name, self.model_names[id(node.model)])
            else:
                op = self.node(node, model.compiled_only)
            ops.append(_at(op, node.place))
        ops.extend(cog.InputOp(address.owner, address.name) for address in model.inputs())
        for (shadowed, shadowing), place in model.shadows.items():
            ops.append(_at(cog.ShadowOp(shadowed.owner, shadowing.owner, shadowed.name, shadowing.name), place))
        ops.extend(cog.OutputOp(address.owner, address.name) for address in model.outputs())
        ops.extend(_at(self.projection(record), record.place) for record in model.projections)
        ops.extend(_at(_modulate_op(record), record.place) for record in model.modulations)
        if schedule := self.schedule(model):
            ops.append(cog.ScheduleOp(schedule))
        ops.extend(_at(self.control(model, control), control.place) for control in model.controls.values())
        ops.extend(_at(_record_op(record), record.place) for record in model.traces)
        if model.learns is not None:
            ops.append(_at(self.learning(model.learns), model.learns.place))
        return cog.ModelOp(self.model_names[id(model)], ops, model.seed)

    def node(self, record: NodeRecord, compiled_only: bool) -> cog.NodeOp:
        """The node with a body that calls its function, or passes its input on."""
        body = record.body
        op = cog.NodeOp(
            record.name,
            inputs=[(name, ir_type(kept)) for name, kept in record.inputs.items()],
            combine=record.combine,
            params={} if body is None else _constants(body.params),
            states={} if body is None else _constants(body.states),
            param_ranges={} if body is None else _ranges(body, body.params),
            state_ranges={} if body is None else _ranges(body, body.states),
            random=[] if body is None else [self._random(name, stream) for name, stream in body.streams.items()],
            outputs=_constants(record.initials),
            labels=record.labels,
            units=record.units,
            execute_until_finished=record.until_finished,
            max_executions_before_finished=record.max_executions,
        )
        block = op.body.block
        if body is None:
            block.add_op(cog.YieldOp([block.args[0]]))
        else:
            function = self._function(record, body, block, compiled_only)
            self._call(block, function, body, record.returns, list(record.outputs), f'node "{record.name}"', record.place)
        return op

    def _function(self, record: NodeRecord, body: FunctionRecord, block: Block, compiled_only: bool) -> func.FuncOp:
        """The function of a node, compiled; one that cannot be is declared, and will be called in Python."""
        types, what = [arg.type for arg in block.args], f'node "{record.name}"'
        if body.python is None:
            try:
                return self.functions.compiled(body.function, types, body.statics, what, record.place)
            except FunctionError as error:
                if compiled_only or is_librarys(body.function) or may_loop(body.function):  # a loop was not called until now
                    raise
                body.python = str(error).removeprefix(f"{record.place}: {what}: ")
                warn_not_compiled(body.python, what, record.place)
        carried = types[len(types) - _carried(body) :]
        op = self.functions.declared(body, types, [*map(ir_type, record.returns.values()), *carried, *[i1] * record.finishes])
        self.python[op.sym_name.data] = PythonFunction(
            function=body.function,
            title=what,
            inputs=len(record.inputs),
            named=(*body.params, *body.states),
            streams=tuple((name, stream.kind) for name, stream in body.streams.items()),
            statics=body.statics,
            outputs=tuple(ValueShape(kept.shape, kept.dtype) for kept in record.returns.values()),
            states=tuple(ValueShape(value.shape, value.dtype.name) for value in body.states.values()),
            finishes=record.finishes,
        )
        return op

    def _random(self, name: str, stream: StreamRecord) -> tuple[str, rng.StateType, str]:
        return name, rng.StateType(stream.kind), self.streams[id(stream)].sym_name.data

    def _call(
        self,
        block: Block,
        function: func.FuncOp,
        body: FunctionRecord,
        returns: dict[str, ValueType],
        outputs: Sequence[str],
        what: str,
        place: SourceLocation,
    ) -> None:
        """Fills a body: calls the function with all arguments and yields what it returns."""
        call = func.CallOp(function.sym_name.data, list(block.args), list(function.function_type.outputs))
        results: Sequence[SSAValue] = call.results
        expected = [ir_type(kept) for kept in returns.values()] + [arg.type for arg in block.args[len(block.args) - _carried(body) :]]
        found = [result.type for result in results]
        if found[: len(expected)] != expected:
            raise ModelError(
                f"{place}: {what}: when compiled, its function returns ({', '.join(map(str, found))}), but when called in Python, "
                f"it returns ({', '.join(map(str, expected))}); {same_types(function, expected)}"
            )
        first_state = len(returns)
        first_random = first_state + len(body.states)
        finished = first_random + len(body.streams)
        values = dict(zip(returns, results, strict=False))
        block.add_ops(
            [
                call,
                cog.YieldOp(
                    [values[name] for name in outputs],
                    results[first_state:first_random],
                    results[first_random:finished],
                    results[finished] if len(results) > finished else None,
                ),
            ]
        )

    def projection(self, record: ProjectionRecord) -> cog.ProjectOp:
        """The short form with a matrix, or the long form with a function."""
        body = record.body
        op = cog.ProjectOp(
            record.source.owner,
            record.target.owner,
            source_port=record.source.name,
            target_port=record.target.name,
            matrix=None if record.matrix is None else cog.dense(record.matrix),
            recurrent=record.recurrent,
            feedback=record.feedback,
            name=record.name,
            sender=None if body is None else (body.signature.inputs[0], ir_type(record.source_type)),
            params={} if body is None else _constants(body.params),
            states={} if body is None else _constants(body.states),
            param_ranges={} if body is None else _ranges(body, body.params),
            state_ranges={} if body is None else _ranges(body, body.states),
        )
        if body is not None and op.body is not None:
            what = f"projection {record.source.owner} -> {record.target.owner}"
            block = op.body.block
            function = self.functions.compiled(body.function, [arg.type for arg in block.args], body.statics, what, record.place)
            self._call(block, function, body, {"value": record.target_type}, ["value"], what, record.place)
        return op

    def schedule(self, model: ModelRecord) -> list[Operation]:
        """The conditions of the schedule, in the order in which they were given."""

        def ops(condition: Any, what: str, place: SourceLocation) -> list[Operation]:
            return condition_ops(condition, model, self.functions, what, place)

        schedule = model.schedule
        result: list[Operation] = []
        for node, (condition, place) in schedule.conditions.items():
            result.append(_at(cog.WhenOp(node, ops(condition, f'condition of "{node}"', place)), place))
        result.extend(_at(cog.AsideOp(node, when), place) for node, (when, place) in schedule.asides.items())
        for node, (condition, place) in schedule.resets.items():
            given = {"states": schedule.reset_states.get(node), "keeps": schedule.reset_keeps.get(node)}
            given["keeps_ports"] = schedule.reset_keeps_ports.get(node)
            result.append(_at(cog.ResetOp(node, ops(condition, f'reset of "{node}"', place), **given), place))
        result.extend(_at(cog.FailOp(node, state, message), place) for (node, state), (message, place) in schedule.failures.items())
        for scale, (condition, place) in schedule.ends.items():
            result.append(_at(cog.TerminateOp(scale, ops(condition, f"end of the {scale}", place)), place))
        return result

    def control(self, model: ModelRecord, record: ControlRecord) -> cog.GridSearchOp:
        """The controller with its signals and features."""
        simulated = record.model or model
        inputs = list(simulated.inputs())
        ops: list[Operation] = [_at(self.signal(signal), signal.place) for signal in record.signals]
        if record.estimated is not None:
            held = record.estimated
            estimates = cog.EstimatesOp(
                held.name, held.number, first=held.first, step=held.step, below=held.below, initial=held.initial, advance=held.advance
            )
            ops.append(_at(estimates, held.place))
        for to, of in record.features.items():
            if to not in inputs:
                raise ModelError(
                    f'{record.place}: controller "{record.name}": features: {to.owner}["{to.name}"] is not an input of '
                    f'"{simulated.name}"; give a port that gets external input'
                )
            match of:
                case TrialInput():
                    ops.append(cog.FeatureOp(inputs.index(to), trial_input=of.number))
                case Address():
                    ops.append(cog.FeatureOp(inputs.index(to), of.owner, of.name))
                case _:
                    ops.append(cog.FeatureOp(inputs.index(to), constant=cog.const(of)))
        return cog.GridSearchOp(
            record.name,
            objective=record.objective.owner,
            objective_port=record.objective.name,
            model=None if simulated is model else self.model_names[id(simulated)],
            when=record.when,
            direction=record.direction,
            ties=record.ties,
            tie_stream=None if record.tie_stream is None else self.streams[id(record.tie_stream)].sym_name,
            trials_per_estimate=record.trials_per_estimate,
            estimates=record.estimates,
            seeds=record.seeds,
            seed_base=record.seed_base if record.estimates > 1 else None,
            keeps=record.keeps,
            ops=ops,
        )

    def learning(self, record: LearningRecord) -> cog.LearnOp:
        """The learned matrices, the losses, and the optimizer."""
        what = f'learning "{record.name}"'
        ops: list[Operation] = []
        for weights in record.weights:
            source, target = weights.source, weights.target
            learned = cog.LearnedOp(source.owner, target.owner, source_port=source.name, target_port=target.name)
            if record.named:
                learned.attributes[cog.NAMED_WEIGHTS] = UnitAttr()
            ops.append(_at(learned, weights.place))
        for loss in record.losses:
            kept = ir_type(loss.type)
            function = self.functions.compiled(loss.function, [kept, kept], {}, f"{what}: loss", record.place)
            sample, target = loss.sample, loss.target
            name = function.sym_name.data
            ops.append(cog.LossOp(name, sample.owner, target.owner, sample_port=sample.name, target_port=target.name))
        body = record.optimizer
        vector = ir_type(ValueType((sum(matrix_of(weights).size for weights in record.weights),)))
        values = [ir_type(type_of(value)) for value in (*body.params.values(), *body.states.values())]
        optimizer = self.functions.compiled(body.function, [vector, vector, *values], body.statics, f"{what}: optimizer", record.place)
        return cog.LearnOp(
            record.name,
            optimizer.sym_name.data,
            over=record.over,
            params=_constants(body.params),
            states=_constants(body.states),
            param_ranges=_ranges(body, body.params),
            ops=ops,
        )

    def signal(self, record: SignalRecord) -> cog.SignalOp:
        """One axis of the grid with its cost functions."""
        costs = {
            f"{kind}_cost": self.functions.cost(function, f'signal "{record.name}": {kind} cost', record.place, total=kind == "total")
            for kind, function in record.costs.items()
        }
        return cog.SignalOp(
            record.name, cog.dense(record.levels), initial=record.initial, sum_from=record.sum_from, clip=record.clip, **costs
        )


def _all_models(model: ModelRecord) -> list[ModelRecord]:
    """The model, and each model that stands in it or is simulated by a controller, once."""
    found: dict[int, ModelRecord] = {}

    def visit(one: ModelRecord) -> None:
        if id(one) in found:
            return
        found[id(one)] = one
        for node in one.nodes.values():
            if isinstance(node, InstanceRecord):
                visit(node.model)
        for control in one.controls.values():
            if control.model is not None:
                visit(control.model)

    visit(model)
    return list(found.values())


def _streams(model: ModelRecord) -> Iterator[StreamRecord]:
    for node in model.nodes.values():
        if not isinstance(node, InstanceRecord) and node.body is not None:
            yield from node.body.streams.values()
    for control in model.controls.values():
        if control.tie_stream is not None:
            yield control.tie_stream


def _stream_op(record: StreamRecord, name: str) -> rng.StreamOp:
    words = None if record.words is None else [int(word) for word in record.words]
    return rng.StreamOp(name, record.kind, seed=record.seed, number=record.number, state=words)


def _record_op(record: TraceRecord) -> cog.RecordOp:
    """The records of values inside of trials."""
    owner, name = record.quantity.owner, record.quantity.name
    if record.kind == "schedule":
        return cog.RecordOp(None, every=record.every)
    if record.kind == "port":
        return cog.RecordOp(owner, name, every=record.every)
    return cog.RecordOp(owner, every=record.every, **{record.kind: name})


def _modulate_op(record: ModulationRecord) -> cog.ModulateOp:
    return cog.ModulateOp(record.source.owner, record.target.owner, record.target.name, record.how, source_port=record.source.name)


def _carried(body: FunctionRecord) -> int:
    """The number of arguments that are returned changed: states and generators."""
    return len(body.states) + len(body.streams)


def _ranges(body: FunctionRecord, values: Mapping[str, Array]) -> Mapping[str, Between]:
    """The ranges that a function declares for some of its parameters or states."""
    return {name: held for name, held in body.signature.ranges.items() if name in values}


def _constants(values: dict[str, np.ndarray[Any, Any]]) -> dict[str, cog.Const]:
    return {name: _constant(value.tobytes(), value.shape, value.dtype.name) for name, value in values.items()}


@lru_cache(maxsize=4096)
def _constant(data: bytes, shape: tuple[int, ...], dtype: str) -> cog.Const:
    """The constant for an array; the many zeros and ones of a large model are one attribute each."""
    return cog.const(np.frombuffer(data, dtype).reshape(shape))


def _at(op: Operation, place: SourceLocation) -> Any:
    """The operation, marked with the line that it comes from."""
    op.location = _location(place)
    return op


@lru_cache(maxsize=4096)
def _location(place: SourceLocation) -> FileLineColLoc:
    return FileLineColLoc(StringAttr(portable_name(place.file)), IntAttr(place.line), IntAttr(1))


def same_types(function: func.FuncOp, expected: Sequence[Attribute]) -> str:
    """The remedy for a function that returns other types when it is compiled than in Python."""
    pairs = enumerate(zip(function.function_type.outputs, expected, strict=False))
    line = next((f", as at {line_computing(function, position)}" for position, (one, other) in pairs if one != other), "")
    return f"return the same types in all branches{line}; float(...), int(...) and np.float32(...) make them"
