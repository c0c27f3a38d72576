"""
The record of a controller: what the simulations of its searches have given.

    control/record:rows     tensor<searches x simulations x (levels + words) x f64>: of each simulation, in the order of the points and of
                            their estimates, the levels of all signals, that of `cog.estimates` at the end, and the outputs after it
    control/record:count    i64: how many searches there have been since somebody set it to zero

It is filled as the log of a node is (`log.py`): searches for which there is no room overwrite the last one. Searches within a simulation
are not recorded. The records of all controllers stand at the end of the state.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import IndexType, TensorType, f64
from xdsl.ir import SSAValue

from cogir.dialects.cog import GridSearchOp
from cogir.errors import LoweringError
from cogir.irutils import element_type_of, is_float, shape_of, size_of
from cogir.lowering.machine.emitter import BlockEmitter, is_tensor
from cogir.lowering.machine.nodes import port_path
from cogir.lowering.machine.plan import InstancePlan
from cogir.lowering.machine.state import MachineState
from cogir.lowering.machine.tensors import flattened, with_elements
from cogir.model.graph import Port


def simulations_of(controller: GridSearchOp) -> int:
    """The number of simulations in a search: of each point as many as it has estimates."""
    points = prod(len(signal.level_values) for signal in controller.signals)
    return points * (controller.estimates.value.data if controller.estimated is None else controller.estimated.count)


def recorded_outputs(model: InstancePlan) -> list[Port]:
    """The outputs of a model that are its nodes'; the signals of its controllers, which the outermost one gives out, too, are none."""
    return [port for port in model.graph.outputs if port.node in model.graph.nodes]


def record_shape(plan: InstancePlan, controller: GridSearchOp) -> tuple[int, int]:
    """The simulations of a search, and the words of which the record of each consists."""
    model = plan.simulated(controller)[0]
    types = [model.graph.output_type(port) for port in recorded_outputs(model)]
    if others := [each for each in types if not is_float(element_type_of(each))]:
        raise LoweringError(
            f"record of {plan.prefix}{controller.sym_name.data}: an output has type {others[0]}; only outputs of type f64 or f32 "
            "can be recorded"
        )
    return simulations_of(controller), len(controller.starts) + sum(map(size_of, types))


def empty_record(state: MachineState, plan: InstancePlan, controller: GridSearchOp) -> SSAValue:
    """The record of one search, of which nothing has been simulated."""
    words = prod(shape_of(state.layout[plan.paths.record_rows(controller.sym_name.data)].type)[1:])
    return state.emitter.value(tensor.EmptyOp((), TensorType(f64, (words,))), "record")


def record_simulation(state: MachineState, model: InstancePlan, record: SSAValue, number: SSAValue, levels: Sequence[SSAValue]) -> SSAValue:
    """The record of a search with one more simulation in it, of this number: these levels, and the outputs in `state`."""
    emitter = state.emitter
    outputs = [with_elements(emitter, state.read(port_path(model, port)), f64) for port in recorded_outputs(model)]
    width = len(levels) + sum(size_of(each.type) for each in outputs)
    column = emitter.value(arith.MuliOp(number, emitter.index(width)), "column")
    for value in (*levels, *outputs):
        record = _put(emitter, record, value, column)
        column = emitter.value(arith.AddiOp(column, emitter.index(size_of(value.type))), "column")
    return record


def _put(emitter: BlockEmitter, record: SSAValue, value: SSAValue, begin: SSAValue) -> SSAValue:
    """The record with the words of a value from a place on."""
    if not is_tensor(value.type):
        return emitter.value(tensor.InsertOp(value, record, begin), "record")
    flat = flattened(emitter, value)

    def one(inner: BlockEmitter, index: SSAValue, held: list[SSAValue]) -> list[SSAValue]:
        word = inner.value(tensor.ExtractOp(flat, index, f64))
        return [inner.value(tensor.InsertOp(word, held[0], inner.value(arith.AddiOp(begin, index))), "record")]

    return emitter.loop_for(size_of(flat.type), [record], one, hint="word")[0]


def record_search(state: MachineState, plan: InstancePlan, controller: GridSearchOp, record: SSAValue) -> None:
    """Puts the record of a search that is over into the state."""
    state.save()
    emitter, paths, name = state.emitter, plan.paths, controller.sym_name.data
    rows, count = state.layout[paths.record_rows(name)], state.read(paths.record_count(name))
    words = size_of(record.type)
    last = emitter.integer(rows.size // words - 1)
    number = emitter.choose(emitter.compare(count, "slt", last), count, last)
    place = emitter.add_integers(emitter.value(arith.MuliOp(number, emitter.integer(words))), emitter.integer(rows.offset))
    begin = emitter.value(arith.IndexCastOp(place, IndexType()), "row")
    state.buffers["sf"] = _put(emitter, state.buffers["sf"], record, begin)
    state.write(paths.record_count(name), emitter.add_integers(count, emitter.integer(1)))
