"""
What is to be added to the adjoints of arrays: for `linalg.generic` with a body of numbers, and for operations that move elements.

```mlir
%y = linalg.generic (x) -> (y) { exp }          ->   %x_bar = linalg.generic (x, y_bar) -> (x_bar) { y_bar * exp(x) }
%y = linalg.generic (v_i, W_ij) -> (y_j) { + * }  ->   v_bar_i = sum_j y_bar_j W_ij,   W_bar_ij = v_i y_bar_j
```

The body is computed again where its adjoint is needed: an array of numbers between the two would cost more than most of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any, Protocol, cast

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, DenseArrayBase, FloatAttr, IntegerAttr, TensorType, i32
from xdsl.dialects.linalg.ops import GenericOp, IndexOp, YieldOp
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap

from cogir.errors import LoweringError
from cogir.interpreters.checks import place_of
from cogir.irutils import element_type_of, is_float, iteration_extents, shape_of, size_of
from cogir.lowering.gradient.scalars import activate, adjoints, operations, yielded
from cogir.lowering.machine.emitter import BlockEmitter, is_tensor
from cogir.lowering.machine.tensors import PARALLEL, REDUCTION, add, elementwise

Contribution = tuple[SSAValue, SSAValue]
"""A value, and what is to be added to its adjoint."""

MOST_PAIRS = 1 << 20
"""Pairs of an index and an element of an array, which are all compared, for elements that are taken by an array of indices."""
EXTREMA = (arith.MaximumfOp, arith.MaxnumfOp, arith.MinimumfOp, arith.MinnumfOp)


def plus(emitter: BlockEmitter, left: SSAValue, right: SSAValue) -> SSAValue:
    """left + right, element by element."""
    return elementwise(emitter, left.type, [left, right], lambda inner, elements: add(inner, *elements))


# Moving elements


def from_slice(emitter: BlockEmitter, op: tensor.ExtractSliceOp, given: SSAValue) -> list[Contribution]:
    zeros = emitter.zero(op.source.type)
    properties = dict(op.properties) | {"operandSegmentSizes": segments(op, insert=True)}
    placed = tensor.InsertSliceOp.create(
        operands=[given, zeros, *op.offsets, *op.sizes, *op.strides], result_types=[op.source.type], properties=properties
    )
    return [(op.source, emitter.value(placed))]


def into_slice(emitter: BlockEmitter, op: tensor.InsertSliceOp, given: SSAValue) -> list[Contribution]:
    dynamic = [*op.offsets, *op.sizes, *op.strides]
    properties = dict(op.properties) | {"operandSegmentSizes": segments(op, insert=False)}
    taken = tensor.ExtractSliceOp.create(operands=[given, *dynamic], result_types=[op.source.type], properties=properties)
    zeros = emitter.zero(op.source.type)
    cleared = tensor.InsertSliceOp.create(operands=[zeros, given, *dynamic], result_types=[given.type], properties=dict(op.properties))
    return [(op.source, emitter.value(taken)), (op.dest, emitter.value(cleared))]


def segments(op: tensor.ExtractSliceOp | tensor.InsertSliceOp, insert: bool) -> Attribute:
    """The number of operands of each kind that the opposite operation takes."""
    numbers = [len(op.offsets), len(op.sizes), len(op.strides)]
    return DenseArrayBase.from_list(i32, [1, *([1] if insert else []), *numbers])


def from_element(emitter: BlockEmitter, op: tensor.ExtractOp, given: SSAValue) -> list[Contribution]:
    operands = [given, emitter.zero(op.tensor.type), *op.indices]
    return [(op.tensor, emitter.value(tensor.InsertOp.create(operands=operands, result_types=[op.tensor.type])))]


def into_element(emitter: BlockEmitter, op: tensor.InsertOp, given: SSAValue) -> list[Contribution]:
    element = element_type_of(given.type)
    taken = tensor.ExtractOp.create(operands=[given, *op.indices], result_types=[element])
    zero = emitter.zero(element)
    cleared = tensor.InsertOp.create(operands=[zero, given, *op.indices], result_types=[given.type])
    return [(op.scalar, emitter.value(taken)), (op.dest, emitter.value(cleared))]


def from_elements(emitter: BlockEmitter, op: tensor.FromElementsOp, given: SSAValue) -> list[Contribution]:
    found: list[Contribution] = []
    shape = shape_of(given.type)
    for number, operand in enumerate(op.operands):
        place: list[int] = []
        for extent in reversed(shape):
            number, rest = divmod(number, extent)
            place.insert(0, rest)
        indices = [emitter.index(index) for index in place]
        found.append((operand, emitter.value(tensor.ExtractOp(given, indices, operand.type))))
    return found


def expanded(emitter: BlockEmitter, op: tensor.ExpandShapeOp, given: SSAValue) -> list[Contribution]:
    properties = {"reassociation": op.properties["reassociation"]}
    back = tensor.CollapseShapeOp.create(operands=[given], result_types=[op.src.type], properties=properties)
    return [(op.src, emitter.value(back))]


def collapsed(emitter: BlockEmitter, op: tensor.CollapseShapeOp, given: SSAValue) -> list[Contribution]:
    back = tensor.ExpandShapeOp(given, [], op.reassociation, list(shape_of(op.src.type)), cast("TensorType[Attribute]", op.src.type))
    return [(op.src, emitter.value(back))]


MOVES: dict[type[Operation], Callable[[BlockEmitter, Operation, SSAValue], list[Contribution]]] = {
    tensor.ExtractSliceOp: cast("Callable[[BlockEmitter, Operation, SSAValue], list[Contribution]]", from_slice),
    tensor.InsertSliceOp: cast("Callable[[BlockEmitter, Operation, SSAValue], list[Contribution]]", into_slice),
    tensor.ExtractOp: cast("Callable[[BlockEmitter, Operation, SSAValue], list[Contribution]]", from_element),
    tensor.InsertOp: cast("Callable[[BlockEmitter, Operation, SSAValue], list[Contribution]]", into_element),
    tensor.FromElementsOp: cast("Callable[[BlockEmitter, Operation, SSAValue], list[Contribution]]", from_elements),
    tensor.ExpandShapeOp: cast("Callable[[BlockEmitter, Operation, SSAValue], list[Contribution]]", expanded),
    tensor.CollapseShapeOp: cast("Callable[[BlockEmitter, Operation, SSAValue], list[Contribution]]", collapsed),
}
"""Operations that move elements of arrays."""


# linalg.generic


class Generic:
    """One `linalg.generic`, and how adjoints go through it."""

    def __init__(self, op: GenericOp):
        self.op = op
        self.body = op.body.block
        self.maps = [attr.data for attr in op.get_indexing_maps()]
        self.extents = iteration_extents(op)
        self.accumulator = self.body.args[-1]
        inside = set(self.body.args) | {result for inner in self.body.ops for result in inner.results}
        held = [operand for inner in self.body.ops for operand in inner.operands if operand not in inside]
        self.captured = [value for value in dict.fromkeys(held) if is_float(value.type) and not is_tensor(value.type)]
        """Numbers from outside that the body uses without taking them as operands."""
        self.gathers = [inner for inner in self.body.ops if isinstance(inner, tensor.ExtractOp)]
        """Elements of arrays from outside, at places that the body computes."""

    def refuse(self, what: str) -> LoweringError:
        return LoweringError(f"differentiate: {place_of(self.op)}a linalg.generic {what}, which cannot be differentiated")

    def active_inside(self, active: set[SSAValue]) -> set[SSAValue]:
        """The values of the body that are active because the operands are."""
        pairs = zip(self.body.args, self.op.operands, strict=True)
        inside = {argument for argument, operand in pairs if operand in active}
        inside |= {value for value in self.captured if value in active}
        for op in self.gathers:
            if op.tensor in active:
                if (pairs := prod(self.extents) * size_of(op.tensor.type)) > MOST_PAIRS:
                    raise LoweringError(
                        f"differentiate: {place_of(self.op)}elements of a learned array are taken by an array of indices: {pairs} pairs of "
                        f"an index and an element, where at most {MOST_PAIRS} can be differentiated; write np.concatenate of slices"
                    )
                inside.add(op.result)
        if (unknown := activate((op for op in operations(self.body) if op not in self.gathers), inside)) is not None:
            raise self.refuse(f"computes {unknown.name}")
        return inside

    def is_active(self, active: set[SSAValue]) -> bool:
        """True if its result is active."""
        if len(self.op.results) != 1:
            raise self.refuse("has several results")
        return yielded(self.body) in self.active_inside(active)

    @property
    def reduces(self) -> bool:
        """True if several points of the loops write one element."""
        return any(kind == REDUCTION for kind in self.op.iterator_types)

    def contributions(self, emitter: BlockEmitter, given: SSAValue, active: set[SSAValue]) -> list[Contribution]:
        """The contributions of the result's adjoint to the operands, and to what the body uses beside them."""
        inside = self.active_inside(active)
        found: list[Contribution] = []
        start = yielded(self.body)
        whole: SSAValue | None = None
        share: Share = OfSum()
        init = self.op.operands[-1]
        if self.reduces:
            last = start.owner
            if not isinstance(last, Operation) or self.accumulator not in last.operands:
                raise self.refuse("reduces in a way that is not an operation on the accumulator")
            uses = [use for use in self.accumulator.uses if use.operation is not last and not keeps_best(last, use.operation)]
            is_extremum = type(last) in (*EXTREMA, arith.SelectOp)
            is_product = isinstance(last, arith.MulfOp)
            if (
                uses
                or list(last.operands).count(self.accumulator) != 1
                or not (is_extremum or is_product or isinstance(last, arith.AddfOp))
            ):
                raise self.refuse(f"reduces with {last.name}")
            start = last.operands[-2] if last.operands[-1] is self.accumulator else last.operands[-1]
            whole = self.op.results[0] if is_extremum or is_product else None
            if init in active:
                if whole is not None:
                    raise self.refuse(f"reduces with {last.name} from an initial value that is learned")
                found.append((init, given))
            inside.discard(self.accumulator)
            if is_product:
                share = OfProduct(self, emitter, start)
            elif is_extremum:
                given = self.share(emitter, given, start, self.op.results[0])
                share = OfExtremum(self.op.results[0])
        if start not in inside:
            return found
        for index, argument in enumerate(self.body.args):
            if argument in inside:
                operand = self.op.operands[index]
                found.append((operand, self.adjoint_of(emitter, given, argument, operand.type, self.maps[index], start, inside, share)))
        number = AffineMap(len(self.extents), 0, ())
        for value in self.captured:
            if value in inside:
                found.append((value, self.adjoint_of(emitter, given, value, value.type, number, start, inside, share)))
        for op in self.gathers:
            if op.tensor in active:
                everywhere = TensorType(element_type_of(op.tensor.type), self.extents)
                adjoint = self.adjoint_of(
                    emitter, given, op.result, everywhere, AffineMap.identity(len(self.extents)), start, inside, share
                )
                found.append((op.tensor, self.scattered(emitter, op, adjoint)))
        return found

    def scattered(self, emitter: BlockEmitter, gather: tensor.ExtractOp, given: SSAValue) -> SSAValue:
        """The adjoint of an array of which elements are taken: the sum of the adjoints of the elements at each place, in their order."""
        type = cast("TensorType[Attribute]", gather.tensor.type)
        axes = len(type.get_shape())

        def moved(map: AffineMap) -> AffineMap:
            dims = [AffineExpr.dimension(axes + dim) for dim in range(map.num_dims)]
            return AffineMap(axes + map.num_dims, 0, tuple(expr.replace_dims_and_symbols(dims, []) for expr in map.results))

        inputs = [*self.op.operands, given]
        maps = [*map(moved, self.maps), moved(AffineMap.identity(len(self.extents)))]
        block = emitter.nested([*(element_type_of(each.type) for each in inputs), type.element_type])
        mapping: dict[SSAValue, SSAValue] = dict(zip(self.body.args, block.block.args, strict=False))
        for op in operations(self.body):
            if op is gather:
                break
            if isinstance(op, IndexOp):
                mapping[op.result] = block.value(IndexOp(axes + cast("IntegerAttr[Any]", op.dim).value.data))
            else:
                block.add(op.clone(mapping))
        here: SSAValue | None = None
        for axis, index in enumerate(gather.indices):
            same = block.value(arith.CmpiOp(mapping.get(index, index), block.value(IndexOp(axis)), "eq"))
            here = same if here is None else block.value(arith.AndIOp(here, same))
        addend, total = block.block.args[-2:]
        if here is not None:
            addend = block.value(arith.SelectOp(here, addend, number_like(block, 0.0, addend)))
        block.add(YieldOp(add(block, total, addend)))
        target = AffineMap(axes + len(self.extents), 0, tuple(map(AffineExpr.dimension, range(axes))))
        kinds = [PARALLEL] * axes + [REDUCTION] * len(self.extents)
        generic = GenericOp(
            inputs, [emitter.zero(type)], Region(block.block), [AffineMapAttr(each) for each in (*maps, target)], kinds, [type]
        )
        drop_unused(generic)
        return emitter.value(generic)

    def reduced(
        self,
        emitter: BlockEmitter,
        start: SSAValue,
        begun: SSAValue,
        combine: Callable[[BlockEmitter, SSAValue, SSAValue, SSAValue], SSAValue],
    ) -> SSAValue:
        """Another reduction of the terms `start`: `combine(block, term, whether it is 0, what there is)`."""
        block = emitter.nested([element_type_of(each.type) for each in (*self.op.inputs, begun)])
        mapping: dict[SSAValue, SSAValue] = dict(zip(self.body.args, block.block.args, strict=True))
        for op in operations(self.body):
            block.add(op.clone(mapping))
        term = mapping.get(start, start)
        is_zero = block.value(arith.CmpfOp(term, number_like(block, 0.0, term), "oeq"))
        block.add(YieldOp(combine(block, term, is_zero, block.block.args[-1])))
        maps = [AffineMapAttr(each) for each in self.maps]
        generic = GenericOp(self.op.inputs, [begun], Region(block.block), maps, self.op.iterator_types, [self.op.results[0].type])
        drop_unused(generic)
        return emitter.value(generic)

    def share(self, emitter: BlockEmitter, given: SSAValue, start: SSAValue, whole: SSAValue) -> SSAValue:
        """Of the adjoint of an extremum what each of the terms `start` gets that are equal to it."""
        inputs = [*self.op.operands, whole]
        block = emitter.nested([element_type_of(each.type) for each in (*inputs, whole)])
        mapping: dict[SSAValue, SSAValue] = dict(zip(self.body.args, block.block.args, strict=False))
        for op in operations(self.body):
            block.add(op.clone(mapping))
        is_it = block.value(arith.CmpfOp(mapping.get(start, start), block.block.args[-2], "oeq"))
        one, none = (number_like(block, number, whole) for number in (1.0, 0.0))
        block.add(YieldOp(add(block, block.block.args[-1], block.value(arith.SelectOp(is_it, one, none)))))
        maps = [AffineMapAttr(each) for each in (*self.maps, self.maps[-1], self.maps[-1])]
        count = GenericOp(inputs, [emitter.zero(whole.type)], Region(block.block), maps, self.op.iterator_types, [whole.type])
        drop_unused(count)
        equal = emitter.value(count, "equal")
        return elementwise(emitter, given.type, [given, equal], lambda inner, each: inner.value(arith.DivfOp(each[0], each[1])))

    def adjoint_of(
        self,
        emitter: BlockEmitter,
        given: SSAValue,
        wanted: SSAValue,
        type: Attribute,
        map: AffineMap,
        start: SSAValue,
        inside: set[SSAValue],
        share: Share,
    ) -> SSAValue:
        """One `linalg.generic` that computes the adjoint of one operand, of which `share` is what each term of a reduction gets."""
        forward = self.maps
        if turned := reversed_loops(map, self.extents):
            if any(isinstance(op, IndexOp) for op in self.body.ops):
                raise self.refuse("uses the numbers of its iterations")
            *forward, map = (turned_map(each, turned) for each in (*forward, map))
        if not all(isinstance(each, AffineDimExpr | AffineConstantExpr) for each in map.results):
            raise self.refuse(f"reads an operand at {map}")
        read = map
        dims = list(dict.fromkeys(each.position for each in map.results if isinstance(each, AffineDimExpr)))
        map = AffineMap(len(self.extents), 0, tuple(AffineExpr.dimension(dim) for dim in dims))
        summed = [dim for dim in range(len(self.extents)) if dim not in dims]
        inputs = [*self.op.operands, given, *share.inputs]
        maps = [*forward, forward[-1], *(forward[-1] for _ in share.inputs)]
        result_type = TensorType(element_type_of(type), tuple(self.extents[dim] for dim in dims))
        block = emitter.nested([*(element_type_of(each.type) for each in inputs), element_type_of(type)])
        arguments = block.block.args
        mapping: dict[SSAValue, SSAValue] = dict(zip(self.body.args, arguments, strict=False))
        ops: list[Operation] = []
        for op in operations(self.body):
            copy = op.clone(mapping)
            block.add(copy)
            ops.append(copy)
        adjoint = arguments[len(self.op.operands)]
        begin = mapping.get(start, start)
        adjoint = share.of_term(block, begin, adjoint, arguments[len(self.op.operands) + 1 : -1])
        of = {begin: adjoint}
        adjoints(block, ops, of, {mapping.get(value, value) for value in inside})
        value = of.get(mapping.get(wanted, wanted))
        if value is None:
            value = number_like(block, 0.0, arguments[-1])
        block.add(YieldOp(add(block, arguments[-1], value) if summed else value))
        begun = emitter.zero(result_type) if summed else emitter.value(tensor.EmptyOp((), result_type))
        generic = GenericOp(
            inputs,
            [begun],
            Region(block.block),
            [AffineMapAttr(each) for each in (*maps, map)],
            [REDUCTION if dim in summed else PARALLEL for dim in range(len(self.extents))],
            [result_type],
        )
        drop_unused(generic)
        result = emitter.value(generic)
        if not is_tensor(type):
            return emitter.value(tensor.ExtractOp(result, [], element_type_of(type)))
        return result if read == map else self.spread(emitter, result, type, read, dims)

    def spread(
        self, emitter: BlockEmitter, compact: SSAValue, type: TensorType[Attribute], read: AffineMap, dims: Sequence[int]
    ) -> SSAValue:
        """
        The adjoint of an operand that is read at constants (an axis of one element), or at one index along two axes (a diagonal).

        `compact`: that of the elements that are read, with an axis for each of `dims`.
        """
        exprs = read.results
        first = {dim: next(axis for axis, each in enumerate(exprs) if each == AffineExpr.dimension(dim)) for dim in dims}
        block = emitter.nested([type.element_type, type.element_type])
        value = block.block.args[0]
        for axis, expr in enumerate(exprs):
            if isinstance(expr, AffineConstantExpr):
                other = block.index(expr.value) if type.get_shape()[axis] > 1 else None
            else:
                start = first[cast(AffineDimExpr, expr).position]
                other = block.value(IndexOp(start)) if start != axis else None
            if other is not None:
                same = block.value(arith.CmpiOp(block.value(IndexOp(axis)), other, "eq"))
                value = block.value(arith.SelectOp(same, value, number_like(block, 0.0, value)))
        block.add(YieldOp(value))
        axes = len(exprs)
        source = AffineMap(axes, 0, tuple(AffineExpr.dimension(first[dim]) for dim in dims))
        maps = [AffineMapAttr(source), AffineMapAttr(AffineMap.identity(axes))]
        empty = emitter.value(tensor.EmptyOp((), type))
        return emitter.value(GenericOp([compact], [empty], Region(block.block), maps, [PARALLEL] * axes, [type]))


class Share(Protocol):
    """The adjoint of one of the terms of a reduction, given that of its result."""

    @property
    def inputs(self) -> Sequence[SSAValue]:
        """Arrays of the shape of the result that this depends on."""
        ...

    def of_term(self, block: BlockEmitter, term: SSAValue, given: SSAValue, held: Sequence[SSAValue]) -> SSAValue:
        """The adjoint of a term; `held`: elements of the inputs."""
        ...


class OfSum:
    """The whole adjoint for each term, and for what is not reduced."""

    inputs: Sequence[SSAValue] = ()

    def of_term(self, block: BlockEmitter, term: SSAValue, given: SSAValue, held: Sequence[SSAValue]) -> SSAValue:
        return given


class OfExtremum:
    """The adjoint, which has been divided among equal terms, for each term that is the extremum."""

    def __init__(self, whole: SSAValue):
        self.inputs: Sequence[SSAValue] = (whole,)

    def of_term(self, block: BlockEmitter, term: SSAValue, given: SSAValue, held: Sequence[SSAValue]) -> SSAValue:
        is_it = block.value(arith.CmpfOp(term, held[0], "oeq"))
        return block.value(arith.SelectOp(is_it, given, number_like(block, 0.0, given)))


class OfProduct:
    """
    The adjoint times the product of the other terms: the product over the term; if a single term is 0, that of the others for it and 0
    for them; if more are, 0.
    """

    def __init__(self, generic: Generic, emitter: BlockEmitter, start: SSAValue):
        whole = generic.op.results[0]

        def nonzero(block: BlockEmitter, term: SSAValue, is_zero: SSAValue, total: SSAValue) -> SSAValue:
            one = number_like(block, 1.0, term)
            return block.value(arith.MulfOp(total, block.value(arith.SelectOp(is_zero, one, term))))

        def zeros(block: BlockEmitter, term: SSAValue, is_zero: SSAValue, total: SSAValue) -> SSAValue:
            one, none = (number_like(block, number, term) for number in (1.0, 0.0))
            return add(block, total, block.value(arith.SelectOp(is_zero, one, none)))

        self.inputs: Sequence[SSAValue] = (
            whole,
            generic.reduced(emitter, start, generic.op.operands[-1], nonzero),
            generic.reduced(emitter, start, emitter.zero(whole.type), zeros),
        )

    def of_term(self, block: BlockEmitter, term: SSAValue, given: SSAValue, held: Sequence[SSAValue]) -> SSAValue:
        whole, nonzero, zeros = held
        none, one = (number_like(block, number, term) for number in (0.0, 1.0))
        is_zero = block.value(arith.CmpfOp(term, none, "oeq"))
        is_only = block.value(arith.AndIOp(is_zero, block.value(arith.CmpfOp(zeros, one, "oeq"))))
        has_none = block.value(arith.CmpfOp(zeros, none, "oeq"))
        others = block.value(arith.DivfOp(whole, block.value(arith.SelectOp(is_zero, one, term))))
        factor = block.value(arith.SelectOp(has_none, others, block.value(arith.SelectOp(is_only, nonzero, none))))
        return block.value(arith.MulfOp(given, factor))


def number_like(block: BlockEmitter, number: float, value: SSAValue) -> SSAValue:
    """A number of the type of another one, or of the elements of an array."""
    type = element_type_of(value.type)
    return block.constant(FloatAttr(number, cast(Any, type)), type)


def reversed_loops(map: AffineMap, extents: Sequence[int]) -> dict[int, AffineExpr]:
    """The loops that an indexing map runs through from the end, with the expression for that: `extent - 1 - d`."""
    ends = {dim: AffineExpr.dimension(dim) * -1 + (extent - 1) for dim, extent in enumerate(extents)}
    return {dim: end for dim, end in ends.items() if end in map.results}


def turned_map(map: AffineMap, turned: Mapping[int, AffineExpr]) -> AffineMap:
    """An indexing map for loops of which some run the other way."""
    dims = [turned.get(dim, AffineExpr.dimension(dim)) for dim in range(map.num_dims)]
    return AffineMap(map.num_dims, 0, tuple(expr.replace_dims_and_symbols(dims, []) for expr in map.results))


def keeps_best(last: Operation, comparison: Operation) -> bool:
    """True if the end of a body takes the better one of its element and the accumulator, as `comparison` says: Python's `max` and `min`."""
    match last, comparison:
        case arith.SelectOp(cond=choice, lhs=element, rhs=best), arith.CmpfOp(lhs=left, rhs=right) if left is element and right is best:
            return comparison.result is choice or (isinstance(choice.owner, arith.OrIOp) and comparison.result in choice.owner.operands)
        case _:
            return False


def drop_unused(op: GenericOp) -> None:
    """Takes out of a new operation what its body computes for nothing, and the operands that it does not read."""
    for inner in reversed(list(op.body.block.ops)):
        if inner.results and all(result.first_use is None for result in inner.results):
            inner.detach()
            inner.erase()
    arguments, maps = op.body.block.args, list(op.get_indexing_maps())
    count = len(op.inputs)

    def dims(index: int) -> set[int]:
        return {expr.position for expr in maps[index].data.results if isinstance(expr, AffineDimExpr)}

    kept = [index for index in range(count) if arguments[index].first_use is not None]
    extents = set[int]().union(*(dims(index) for index in (*kept, count)))
    for index in range(count):  # an operand may be all that says how often a loop runs
        if index not in kept and not dims(index) <= extents:
            kept.append(index)
            extents |= dims(index)
    kept.sort()
    op.properties["indexing_maps"] = ArrayAttr([maps[index] for index in (*kept, count)])
    op.operands = [op.operands[index] for index in (*kept, count)]
    op.properties["operandSegmentSizes"] = DenseArrayBase.from_list(i32, [len(kept), 1])
    for index in reversed(range(count)):
        if index not in kept:
            op.body.block.erase_arg(arguments[index])


def contributions(emitter: BlockEmitter, op: Operation, given: SSAValue, active: set[SSAValue]) -> Sequence[Contribution]:
    """The contributions of the result's adjoint to the operands of an operation on arrays."""
    if isinstance(op, GenericOp):
        return Generic(op).contributions(emitter, given, active)
    return MOVES[type(op)](emitter, op, given)
