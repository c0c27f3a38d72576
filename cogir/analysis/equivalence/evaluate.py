"""
Runs the functions of a module at stage `machine` on terms instead of numbers.

Scalars become terms, arrays NumPy arrays of terms. Functions are inlined, and loops whose number of iterations is known are unrolled;
other loops become a `Loop`. A choice by `scf.if` becomes `select`, as nothing at this stage has effects.

A generator is either a *stream*, whose draws are functions of its state (so equal states give equal numbers), or each draw is a new
random number (`fresh`), which forgets which stream it comes from.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, TypeAlias, cast

import numpy as np
import numpy.typing as npt
from xdsl.dialects import arith, func, scf, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseIntOrFPElementsAttr, FloatAttr, IndexType, IntegerAttr, ModuleOp, ShapedType
from xdsl.dialects.linalg import ops as linalg
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from cogir.analysis.equivalence.terms import Loop, Term, Terms
from cogir.dialects import rng
from cogir.interpreters import arith as arith_meanings
from cogir.interpreters import math as math_meanings
from cogir.irutils import array_of_dense, element_type_of, iteration_extents, shape_of

TermArray: TypeAlias = "npt.NDArray[Any]"
Value: TypeAlias = "Term | TermArray"

UNROLLED = 1024
"""Loops with more iterations than this are not unrolled."""


class NotCompared(Exception):
    """A model cannot be compared; the message says what it contains, and what can be done."""


@dataclass(frozen=True)
class Draw:
    """A new random number: its law, which one it is, and the loops in each iteration of which it is drawn anew."""

    law: str
    name: tuple[str, int]
    inside: tuple[int, ...] = ()


def type_name(type: Attribute) -> str:
    """The type of an element; an index is an i64."""
    element = element_type_of(type)
    if isinstance(element, IndexType):
        return "i64"
    return "rng" if isinstance(element, rng.StateType) else str(element)


def flat(values: Sequence[Value]) -> list[Term]:
    """All terms of some values in order."""
    return [term for value in values for term in (value.ravel() if isinstance(value, np.ndarray) else (value,))]


def like(values: Sequence[Value], terms: Sequence[Term]) -> list[Value]:
    """Values of the same shapes that hold other terms."""
    given = iter(terms)
    return [
        array_of([next(given) for _ in range(value.size)], value.shape) if isinstance(value, np.ndarray) else next(given)
        for value in values
    ]


def array_of(terms: Sequence[Term], shape: tuple[int, ...]) -> TermArray:
    """An array that holds these terms."""
    array = np.empty(len(terms), dtype=object)
    array[:] = terms
    return array.reshape(shape)


class Evaluator:
    """Evaluates functions of one module; `side` tells draws of two modules apart, `budget` is the number of operations at most."""

    def __init__(self, module: ModuleOp, terms: Terms, side: str, budget: int, fresh: bool = False):
        self.terms = terms
        self.side = side
        self.left = self.budget = budget
        self.fresh = fresh
        self.inside: tuple[int, ...] = ()
        self.functions = {op.sym_name.data: op for op in module.ops if isinstance(op, func.FuncOp)}
        self.indices: tuple[int, ...] = ()
        self.draws = 0
        self.unknown = 0

    def call(self, name: str, args: Sequence[Value]) -> list[Value]:
        """The results of a function."""
        function = self.functions.get(name)
        if function is None or not function.body.blocks:
            raise NotCompared(f"the function {name} is called, whose body is not known; write it in the Python that cogir compiles")
        return self.block(function.body.block, args, {})

    def block(self, block: Block, args: Sequence[Value], env: dict[SSAValue, Value]) -> list[Value]:
        """The operands of the terminator of a block."""
        env.update(zip(block.args, args, strict=True))
        op = cast(Operation, block.first_op)
        while op.next_op is not None:
            self.left -= 1
            if self.left < 0:
                raise NotCompared(f"the model has more than {self.budget} operations when it is unrolled; give a greater `budget`")
            handler = HANDLERS.get(type(op))
            operands = [env[operand] for operand in op.operands]
            if handler is not None:
                results = handler(self, op, operands, env)
            elif isinstance(op, LinalgStructuredOperation):
                results = self.structured(op, operands, env)
            else:
                results = (self.elementwise(op, operands),)
            env.update(zip(op.results, results, strict=True))
            op = op.next_op
        return [env[operand] for operand in op.operands]

    def region(self, region: Region, args: Sequence[Value], env: dict[SSAValue, Value]) -> list[Value]:
        return self.block(region.block, args, env)

    # Scalars

    def elementwise(self, op: Operation, operands: Sequence[Value]) -> Value:
        """An operation on numbers, or on the elements of arrays."""
        name, data, fold = meaning_of(op)
        type = type_name(op.results[0].type)
        if not any(isinstance(operand, np.ndarray) for operand in operands):
            return self.terms.make(name, type, cast("Sequence[Term]", operands), data, fold)
        shape = shape_of(op.results[0].type)
        self.left -= int(np.prod(shape))
        arrays = [operand if isinstance(operand, np.ndarray) else np.broadcast_to(array_of([operand], (1,)), shape) for operand in operands]
        rows = zip(*(array.ravel() for array in arrays), strict=True)
        return array_of([self.terms.make(name, type, row, data, fold) for row in rows], shape)

    def number(self, value: Value, what: str) -> int:
        """An integer that must be known."""
        if isinstance(value, Term) and value.is_constant:
            return int(value.data)
        raise NotCompared(f"{what} depends on data; compare a model where it does not")

    def undefined(self, type: str) -> Term:
        """The value of what nobody may read."""
        self.unknown += 1
        return self.terms.leaf("undefined", type, (self.side, self.unknown))

    # Arrays

    def structured(self, op: LinalgStructuredOperation, operands: Sequence[Value], env: dict[SSAValue, Value]) -> list[Value]:
        """A walk over the iteration space, in row-major order."""
        maps = [attr.data for attr in op.get_indexing_maps()]
        first_output = len(op.inputs)
        arrays = [
            operand.copy() if index >= first_output and isinstance(operand, np.ndarray) else operand
            for index, operand in enumerate(operands)
        ]
        outputs = list(zip(arrays[first_output:], maps[first_output:], strict=True))
        outer = self.indices
        for index in product(*map(range, iteration_extents(op))):
            self.indices = index
            given = [
                array[tuple(each.eval(index, ()))] if isinstance(array, np.ndarray) else array
                for array, each in zip(arrays, maps, strict=True)
            ]
            for (array, each), value in zip(outputs, self.block(op.body.block, given, env), strict=True):
                cast(TermArray, array)[tuple(each.eval(index, ()))] = value
        self.indices = outer
        return arrays[first_output:]

    def element(self, array: TermArray, index: Sequence[Value], type: str) -> Term:
        """An element; a choice among all if the index is not known."""
        for axis, position in enumerate(cast("Sequence[Term]", index)):
            if not position.is_constant:
                rest = [*index[:axis], *index[axis + 1 :]]
                rows = np.moveaxis(array, axis, 0)
                parts: list[Term] = [
                    self.element(cast(TermArray, row), rest, type) if isinstance(row, np.ndarray) else cast(Term, row) for row in rows
                ]
                self.left -= len(parts)
                return self.terms.make("element", type, (position, *parts))
            if not 0 <= position.data < array.shape[axis]:
                return self.undefined(type)
        return cast(Term, array[tuple(position.data for position in cast("Sequence[Term]", index))])

    def changed(self, array: TermArray, index: Sequence[Value], value: Term) -> TermArray:
        """An array with another element."""
        positions = cast("Sequence[Term]", index)
        if all(position.is_constant for position in positions):
            place = tuple(position.data for position in positions)
            copy = array.copy()
            if all(0 <= at < extent for at, extent in zip(place, array.shape, strict=True)):
                copy[place] = value
            return copy
        self.left -= array.size
        copy = array.copy()
        for place in np.ndindex(array.shape):
            condition: Term = self.terms.constant(True, "i1")
            for position, at in zip(positions, place, strict=True):
                here = self.terms.make("cmpi", "i1", (position, self.terms.constant(at, "i64")), "eq", operator.eq)
                condition = self.terms.make("andi", "i1", (condition, here))
            copy[place] = self.terms.make("select", value.type, (condition, value, cast(Term, array[place])))
        return copy

    # Loops

    def loop(
        self, carried: Sequence[Value], body: Callable[[Sequence[Value]], tuple[Term, list[Value], Callable[[], list[Value]]]]
    ) -> list[Value]:
        """
        A loop that goes on while a condition holds. `body` takes the variables and gives the condition, the results if it does not hold,
        and a function that gives the next variables. Variables that never change are replaced by what they begin with.
        """
        held: dict[int, Term] = {}
        initial = flat(carried)
        while True:
            loop = self.terms.new_loop(self.inside, [term.type for term in initial])
            given = [held.get(index, variable) for index, variable in enumerate(loop.variables)]
            self.inside = (*loop.inside, loop.number)
            condition, results, more = body(like(carried, given))
            if condition.is_constant and not condition.data:
                self.inside = loop.inside
                once = self._once(flat(results), loop, initial)
                loop.variables = []
                return like(results, once)
            nexts = flat(more())
            self.inside = loop.inside
            constant = {index for index, term in enumerate(nexts) if index not in held and term is given[index]}
            if not constant:
                break
            held |= {index: initial[index] for index in constant}
            loop.variables = []
        kept = [index for index in range(len(initial)) if index not in held]
        loop.variables, loop.initial, loop.nexts = ([each[index] for index in kept] for each in (loop.variables, initial, nexts))
        loop.condition = condition
        return like(results, [self.terms.result(loop.number, term) for term in flat(results)])

    def _once(self, results: list[Term], loop: Loop, initial: list[Term]) -> list[Term]:
        """Results of a loop whose body runs once."""
        first = {variable.number: value for variable, value in zip(loop.variables, initial, strict=True)}
        new = self.terms.rebuilt(results, first, {})
        return [new[term.number] for term in results]


Results = Sequence["Value"]
Env = "dict[SSAValue, Value]"


def meaning_of(op: Operation) -> tuple[str, Any, Callable[..., Any] | None]:
    """The name of a scalar operation, what else tells it apart, and how to compute it from numbers."""
    match op:
        case arith.CmpfOp():
            data: Any = arith.CMPF_COMPARISON_OPERATIONS[op.predicate.value.data]
        case arith.CmpiOp():
            data = arith.CMPI_COMPARISON_OPERATIONS[op.predicate.value.data]
        case _:
            data = None
    name = op.name.partition(".")[2]
    meaning = arith_meanings.MEANINGS.value.get(type(op)) or math_meanings.MEANINGS.value.get(type(op))
    if meaning is None:
        raise NotCompared(f"the model contains {op.name}, which the comparison does not know")
    compute = meaning(op, cast(Any, None))
    if isinstance(op.results[0].type, ShapedType):
        return name, data, lambda *numbers: compute(*map(np.asarray, numbers)).item()
    return name, data, compute


def constant(ev: Evaluator, op: arith.ConstantOp, operands: Results, env: Any) -> Results:
    type = type_name(op.result.type)
    match op.value:
        case IntegerAttr(value=value):
            return (ev.terms.constant(bool(value.data & 1) if type == "i1" else value.data, type),)
        case FloatAttr(value=value):
            return (ev.terms.constant(value.data, type),)
        case _:
            array = array_of_dense(cast("DenseIntOrFPElementsAttr[Any]", op.value))
            return (array_of([ev.terms.constant(value, type) for value in array.ravel().tolist()], array.shape),)


def same(ev: Evaluator, op: Operation, operands: Results, env: Any) -> Results:
    return (operands[0],)


def index_cast(ev: Evaluator, op: arith.IndexCastOp, operands: Results, env: Any) -> Results:
    if {type_name(op.input.type), type_name(op.result.type)} == {"i64"}:
        return (operands[0],)
    return (ev.elementwise(op, operands),)


def select(ev: Evaluator, op: arith.SelectOp, operands: Results, env: Any) -> Results:
    condition, x, y = operands
    if isinstance(condition, Term) and isinstance(x, np.ndarray):
        return (chosen(ev, condition, x, y),)
    return (ev.elementwise(op, operands),)


def chosen(ev: Evaluator, condition: Term, x: Value, y: Value) -> Value:
    """One of two values of a shape."""
    pairs = zip(flat([x]), flat([y]), strict=True)
    return like([x], [ev.terms.make("select", each.type, (condition, each, other)) for each, other in pairs])[0]


def empty(ev: Evaluator, op: tensor.EmptyOp, operands: Results, env: Any) -> Results:
    shape, type = shape_of(op.tensor.type), type_name(op.tensor.type)
    return (array_of([ev.undefined(type) for _ in range(int(np.prod(shape)))], shape),)


def extract(ev: Evaluator, op: tensor.ExtractOp, operands: Results, env: Any) -> Results:
    array, *index = operands
    return (ev.element(cast(TermArray, array), index, type_name(op.result.type)),)


def insert(ev: Evaluator, op: tensor.InsertOp, operands: Results, env: Any) -> Results:
    value, array, *index = operands
    return (ev.changed(cast(TermArray, array), index, cast(Term, value)),)


def slices(ev: Evaluator, op: tensor.ExtractSliceOp | tensor.InsertSliceOp, dynamic: Results) -> tuple[slice, ...]:
    given = iter(dynamic)
    static = [tuple(each.get_values()) for each in (op.static_offsets, op.static_sizes, op.static_strides)]
    offsets, sizes, strides = (
        [ev.number(next(given), "the place of a slice") if at == DYNAMIC_INDEX else at for at in each] for each in static
    )
    return tuple(slice(at, at + (size - 1) * stride + 1, stride) for at, size, stride in zip(offsets, sizes, strides, strict=True))


def extract_slice(ev: Evaluator, op: tensor.ExtractSliceOp, operands: Results, env: Any) -> Results:
    array, *dynamic = operands
    return (cast(TermArray, array)[slices(ev, op, dynamic)].reshape(shape_of(op.result.type)),)


def insert_slice(ev: Evaluator, op: tensor.InsertSliceOp, operands: Results, env: Any) -> Results:
    source, array, *dynamic = operands
    copy = cast(TermArray, array).copy()
    place = slices(ev, op, dynamic)
    copy[place] = cast(TermArray, source).reshape(copy[place].shape)
    return (copy,)


def from_elements(ev: Evaluator, op: tensor.FromElementsOp, operands: Results, env: Any) -> Results:
    return (array_of(cast("Sequence[Term]", operands), shape_of(op.result.type)),)


def splat(ev: Evaluator, op: tensor.SplatOp, operands: Results, env: Any) -> Results:
    shape = shape_of(op.result.type)
    return (array_of([cast(Term, operands[0])] * int(np.prod(shape)), shape),)


def reshaped(ev: Evaluator, op: Operation, operands: Results, env: Any) -> Results:
    return (cast(TermArray, operands[0]).reshape(shape_of(op.results[0].type)),)


def concat(ev: Evaluator, op: tensor.ConcatOp, operands: Results, env: Any) -> Results:
    return (np.concatenate(cast("Sequence[TermArray]", operands), op.dim.value.data),)


def dim(ev: Evaluator, op: tensor.DimOp, operands: Results, env: Any) -> Results:
    array, axis = operands
    return (ev.terms.constant(cast(TermArray, array).shape[ev.number(axis, "an axis")], "i64"),)


def loop_index(ev: Evaluator, op: linalg.IndexOp, operands: Results, env: Any) -> Results:
    return (ev.terms.constant(ev.indices[op.dim.value.data], "i64"),)


def call(ev: Evaluator, op: func.CallOp, operands: Results, env: Any) -> Results:
    return ev.call(op.callee.string_value(), operands)


def run_if(ev: Evaluator, op: scf.IfOp, operands: Results, env: Any) -> Results:
    condition = cast(Term, operands[0])
    if condition.is_constant:
        region = op.true_region if condition.data else op.false_region
        return ev.region(region, (), env) if region.blocks else ()
    if not op.results:
        return ()
    ways = zip(ev.region(op.true_region, (), env), ev.region(op.false_region, (), env), strict=True)
    return [chosen(ev, condition, x, y) for x, y in ways]


def index_switch(ev: Evaluator, op: scf.IndexSwitchOp, operands: Results, env: Any) -> Results:
    found = ev.region(op.default_region, (), env)
    for case, region in zip(op.cases.iter_values(), op.case_regions, strict=True):
        here = ev.terms.make("cmpi", "i1", (cast(Term, operands[0]), ev.terms.constant(case, "i64")), "eq", operator.eq)
        found = [chosen(ev, here, x, y) for x, y in zip(ev.region(region, (), env), found, strict=True)]
    return found


def execute_region(ev: Evaluator, op: scf.ExecuteRegionOp, operands: Results, env: Any) -> Results:
    return ev.region(op.region, (), env)


def run_for(ev: Evaluator, op: scf.ForOp, operands: Results, env: Any) -> Results:
    lower, upper, step, *carried = operands
    bounds = cast("Sequence[Term]", (lower, upper, step))
    if all(bound.is_constant for bound in bounds):
        trips = range(*(bound.data for bound in bounds))
        if len(trips) <= UNROLLED:
            for index in trips:
                carried = ev.region(op.body, [ev.terms.constant(index, "i64"), *carried], env)
            return carried

    def body(variables: Sequence[Value]) -> tuple[Term, list[Value], Callable[[], list[Value]]]:
        index, *inner = variables
        goes_on = ev.terms.make("cmpi", "i1", (cast(Term, index), cast(Term, upper)), "slt", operator.lt)

        def more() -> list[Value]:
            following = ev.terms.make("addi", "i64", (cast(Term, index), cast(Term, step)))
            return [following, *ev.region(op.body, [index, *inner], env)]

        return goes_on, inner, more

    return ev.loop([lower, *carried], body)


def run_while(ev: Evaluator, op: scf.WhileOp, operands: Results, env: Any) -> Results:
    carried: Sequence[Value] = operands
    for _ in range(UNROLLED):
        goes_on, *results = ev.region(op.before_region, carried, env)
        if not cast(Term, goes_on).is_constant:
            break
        if not cast(Term, goes_on).data:
            return results
        carried = ev.region(op.after_region, results, env)

    def body(variables: Sequence[Value]) -> tuple[Term, list[Value], Callable[[], list[Value]]]:
        goes_on, *results = ev.region(op.before_region, variables, env)
        return cast(Term, goes_on), results, lambda: ev.region(op.after_region, results, env)

    return ev.loop(carried, body)


# Draws.


def draw(law: str) -> Callable[[Evaluator, Any, Results, Any], Results]:
    """Uniform and normal numbers, one after another, and integers."""

    def handler(ev: Evaluator, op: Any, operands: Results, env: Any) -> Results:
        state, *parameters = cast("Sequence[Term]", operands)
        type = type_name(op.value.type)
        shape = shape_of(op.value.type) if isinstance(op.value.type, ShapedType) else None
        drawn: list[Term] = []
        for _ in range(int(np.prod(shape)) if shape is not None else 1):
            value, state = one_draw(ev, law, type, state, parameters, None)
            drawn.append(value)
        return (drawn[0] if shape is None else array_of(drawn, shape)), state

    return handler


def one_draw(ev: Evaluator, law: str, type: str, state: Term, parameters: Sequence[Term], data: Any) -> tuple[Term, Term]:
    """A number, and the state after it."""
    if ev.fresh:
        if parameters:
            raise NotCompared(f"draws of {law} have parameters, and are compared by their streams only")
        ev.draws += 1
        return ev.terms.leaf("draw", type, Draw(law, (ev.side, ev.draws), ev.inside)), state
    args = (state, *parameters)
    return ev.terms.make(law, type, args, data), ev.terms.make(f"after {law}", "rng", args, data)


def sample(ev: Evaluator, op: rng.SampleOp, operands: Results, env: Any) -> Results:
    """Draws from other distributions, each as one operation with as many results as there are elements."""
    state, *parameters = cast("Sequence[Term]", operands)
    type, law = type_name(op.value.type), op.distribution.data
    if not isinstance(op.value.type, ShapedType):
        return one_draw(ev, law, type, state, parameters, None)
    if ev.fresh:
        raise NotCompared(f"draws of {law} are compared by their streams only")
    shape = shape_of(op.value.type)
    count = int(np.prod(shape))
    args = (state, *parameters)
    values = [ev.terms.make(law, type, args, (count, at)) for at in range(count)]
    return array_of(values, shape), ev.terms.make(f"after {law}", "rng", args, count)


def seed(ev: Evaluator, op: rng.SeedOp, operands: Results, env: Any) -> Results:
    if ev.fresh:
        raise NotCompared("a generator is seeded within a trial, and is compared by its stream only")
    return (ev.terms.make("seed", "rng", cast("Sequence[Term]", operands), op.state.type.kind.data),)


HANDLERS: dict[type[Operation], Callable[[Evaluator, Any, Results, Any], Results]] = {
    arith.ConstantOp: constant,
    arith.IndexCastOp: index_cast,
    arith.SelectOp: select,
    tensor.EmptyOp: empty,
    tensor.ExtractOp: extract,
    tensor.InsertOp: insert,
    tensor.ExtractSliceOp: extract_slice,
    tensor.InsertSliceOp: insert_slice,
    tensor.FromElementsOp: from_elements,
    tensor.SplatOp: splat,
    tensor.ReshapeOp: reshaped,
    tensor.ExpandShapeOp: reshaped,
    tensor.CollapseShapeOp: reshaped,
    tensor.CastOp: same,
    tensor.ConcatOp: concat,
    tensor.DimOp: dim,
    linalg.IndexOp: loop_index,
    func.CallOp: call,
    scf.IfOp: run_if,
    scf.IndexSwitchOp: index_switch,
    scf.ExecuteRegionOp: execute_region,
    scf.ForOp: run_for,
    scf.WhileOp: run_while,
    rng.UniformOp: draw("uniform"),
    rng.NormalOp: draw("normal"),
    rng.IntegerOp: draw("integer"),
    rng.SampleOp: sample,
    rng.SeedOp: seed,
}
