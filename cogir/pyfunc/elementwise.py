"""
Expressions over arrays, kept as trees until a tensor is needed; a tree becomes one `linalg.generic`.

    np.tanh(gain * x + bias)   ->   %r = linalg.generic ins(%x) { mulf, addf, math.tanh }

Scalars are captured by the body from outside. Reductions take the tree of their operand into their own body.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np
from xdsl.dialects import arith
from xdsl.ir import Block, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap

from cogir.errors import FunctionError
from cogir.pyfunc.emitter import PARALLEL, REDUCTION, Emitter
from cogir.pyfunc.kinds import DTYPES, ELEMENT_TYPES, KIND_OF_DTYPE, Kind, Shape
from cogir.pyfunc.scalars import FUNCTIONS, Function, Undecided, is_float, result_dtype
from cogir.pyfunc.trees import Applied, Body, Fixed, Node, Tensor, Uniform, Viewed
from cogir.pyfunc.values import (
    Array,
    Const,
    OtherWidth,
    Scalar,
    Value,
    as_operand,
    describe,
    has_numpy,
    is_numeric,
    is_static,
    is_weak,
    kind_of,
    kind_of_constant,
    other_width,
    shape_of_value,
    weak_together,
    weakly,
    wrap,
)

# Making trees


def node_of(value: Value) -> Node | None:
    """The tree of a number or array; None for other values."""
    match value:
        case Array(node):
            return node
        case Scalar(ssa, kind):
            return Uniform(ssa, (), kind)
        case Const(held):
            kind = kind_of_constant(value)
            if kind is None:
                return None
            if not isinstance(held, np.ndarray):
                return Uniform(held, (), kind)
            array = cast("np.ndarray[Any, Any]", held)
            first: Any = array.reshape(-1)[:1]
            same = array.tobytes() == first.tobytes() * array.size
            return Uniform(first[0].item(), array.shape, kind) if same else Fixed(array, array.shape, kind)
        case _:
            return None


def cast_node(node: Node, kind: Kind) -> Node:
    """The tree with its elements in another kind."""
    if node.kind == kind:
        return node
    source = node.kind
    if isinstance(node, Uniform) and not isinstance(node.number, SSAValue) and kind in ("f64", "i64", "f32"):
        if not (is_float(source) and kind == "i64"):
            return Uniform(float(node.number) if is_float(kind) else int(node.number), node.shape, kind)
    if isinstance(node, Fixed) and is_float(kind):
        return Fixed(node.array.astype(np.float64 if kind == "f64" else np.float32), node.shape, kind)
    return Applied(lambda e, operands: e.cast(operands[0], source, kind), (node,), node.shape, kind)


def broadcast_shapes(e: Emitter, shapes: Sequence[Shape]) -> Shape:
    """The shape that NumPy broadcasts these to."""
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        listed = " and ".join(str(shape) for shape in shapes if shape)
        raise e.misfit(
            f"arrays of shape {listed} cannot be broadcast together; give them equal shapes, or length 1 along an axis to repeat"
        ) from None


def apply_body(e: Emitter, body: Body, operands: Sequence[Node], kind: Kind) -> Value:
    """`body` of each element of the broadcast operands: a scalar at once, an array as a tree."""
    shapes = [operand.shape for operand in operands]
    if not any(shapes):
        return Scalar(body(e, [scalar_of(e, operand) for operand in operands]), kind)
    shape = broadcast_shapes(e, shapes)
    size = math.prod(shape)
    # A tree that would be computed again for each repetition is computed before.
    held = [materialise(e, node) if isinstance(node, Applied) and math.prod(node.shape) < size else node for node in operands]
    return Array(Applied(body, tuple(held), shape, kind))


def scalar_of(e: Emitter, node: Node) -> SSAValue:
    """The number that a tree of shape () stands for."""
    assert isinstance(node, Uniform)
    return node.number if isinstance(node.number, SSAValue) else e.constant(node.number, node.kind)


def apply(e: Emitter, function: Function, operands: Sequence[Value]) -> Value:
    """
    A function of numbers on numbers and arrays, with NumPy's kinds; folded where all operands are constant.

    Its result is a number of Python if all operands are, as that of an operator is.
    """
    for operand in operands:
        if not is_numeric(operand):
            raise e.error(f"{function.name} takes numbers and arrays, not {describe(operand)}")
    if function.fold is not None and all(map(is_static, operands)):
        return fold(e, function, operands)
    kind, result = _kinds(e, function, operands)

    def body(e: Emitter, ssas: Sequence[SSAValue]) -> SSAValue:
        return function.build(e, kind, ssas)

    found = apply_body(e, body, [_operand_in(e, operand, kind) for operand in operands], result)
    return weakly(found, weak_together(operands)) if result in ("f64", "i64") else found


def common_kind(e: Emitter, operands: Sequence[Value]) -> Kind:
    """The kind that NumPy brings these numbers and arrays to (NEP 50); an error if that is none, or not known."""
    dtype = _common_dtype(e, operands)
    kind = KIND_OF_DTYPE.get(dtype)
    if kind is None:
        raise _other_width_of_result(e, operands, dtype)
    return kind


def _common_dtype(e: Emitter, operands: Sequence[Value]) -> np.dtype[Any]:
    try:
        dtype = result_dtype(operands)
    except Undecided as error:
        raise e.error(str(error)) from None
    assert dtype is not None
    return dtype


def _other_width_of_result(e: Emitter, operands: Sequence[Value], dtype: np.dtype[Any]) -> FunctionError:
    narrow = next(operand for operand in operands if isinstance(operand, Const) and has_other_width(operand))
    if len(operands) == 1:
        return e.error(other_width(narrow))
    others = " and ".join(describe(operand) for operand in operands if operand is not narrow)
    return e.error(f"{other_width(narrow)} (with {others} it gives {dtype})")


def has_other_width(value: Const) -> bool:
    """True for a constant of a type of NumPy that nothing computed at run time has."""
    try:
        kind_of_constant(value)
    except OtherWidth:
        return True
    return False


def _operand_in(e: Emitter, operand: Value, kind: Kind) -> Node:
    """An operand as a tree of elements of the kind in which the function computes; NumPy's type of the result is that of the kind."""
    if isinstance(operand, Const) and has_other_width(operand):
        operand = wrap(np.asarray(as_operand(operand)).astype(DTYPES[kind]))
    node = node_of(operand)
    assert node is not None
    return _cast_now(e, node, kind)


def _cast_now(e: Emitter, node: Node, kind: Kind) -> Node:
    """As `cast_node`; a scalar is converted here, not once per element."""
    if not node.shape and node.kind != kind and isinstance(node, Uniform) and isinstance(node.number, SSAValue):
        return Uniform(e.cast(node.number, node.kind, kind), (), kind)
    cast = cast_node(node, kind)
    if not cast.shape and isinstance(cast, Applied):
        return Uniform(e.cast(scalar_of(e, node), node.kind, kind), (), kind)
    return cast


def _kinds(e: Emitter, function: Function, operands: Sequence[Value]) -> tuple[Kind, Kind]:
    """The kind of the operands and of the result."""
    if function.rule == "bool":
        return "i1", "i1"
    if function.rule == "compare" and all(map(_is_whole, operands)):
        return "i1" if all(map(is_truth, operands)) else "i64", "i1"
    if function.name == "divide" and _common_dtype(e, operands).kind in "biu":
        return "f64", "f64"
    kind = common_kind(e, operands)
    match function.rule:
        case "compare":
            return kind, "i1"
        case "float" | "test":
            if kind == "i1" and function.rule == "float":
                raise e.error(
                    f"{function.name} of truth values computes in float16 in NumPy, which is not in the subset; write x.astype(float), or "
                    "float(x) of a single one"
                )
            operand_kind: Kind = kind if is_float(kind) else "f64"
            return operand_kind, "i1" if function.rule == "test" else operand_kind
        case "bits":
            if is_float(kind):
                raise e.error(f"{function.name} works on int and bool, not on {' and '.join(map(describe, operands))}; use int(x)")
            return kind, kind
        case "number":
            if kind == "i1":
                raise e.error(
                    f"{function.name} of truth values differs between Python and NumPy; write int(x) first, or use"
                    " 'and', 'or', np.logical_and ..."
                )
            return kind, kind
        case "real":
            return ("i64", "i64") if kind == "i1" else (kind, kind)


def is_truth(value: Value) -> bool:
    """True for truth values, and arrays of them."""
    return np.asarray(value.value).dtype.kind == "b" if isinstance(value, Const) else kind_of(value) == "i1"


def _is_whole(value: Value) -> bool:
    """True for whole numbers and truth values that an int64 holds: NumPy compares those of different types exactly."""
    match value:
        case Const():
            held = np.asarray(value.value)
            return held.dtype.kind in "bi" or (held.dtype.kind == "u" and bool(np.all(held < 2**63)))
        case _:
            return kind_of(value) in ("i1", "i64")


def _converted_array(value: Const, kind: Kind) -> Value:
    """A constant array in another kind; one of floats that no int64 represents is cast at run time, alike on all machines."""
    array = cast("np.ndarray[Any, Any]", value.value)
    if array.dtype == DTYPES[kind]:
        return value
    if kind == "i64" and array.dtype.kind == "f" and not np.all(np.abs(array.astype(np.float64)) < 2.0**63):
        return Array(cast_node(Fixed(array.astype(np.float64), array.shape, "f64"), kind))
    with np.errstate(all="ignore"):
        return Const(np.ascontiguousarray(array, DTYPES[kind]))


def fold(e: Emitter, function: Function, operands: Sequence[Value]) -> Value:
    """A function of constants, computed now."""
    assert function.fold is not None
    arguments = [as_operand(operand) for operand in operands]
    try:
        with np.errstate(all="ignore"):
            return wrap(function.fold(*arguments))
    except (ArithmeticError, ValueError, TypeError) as error:
        raise e.error(f"{function.name} of {', '.join(map(repr, arguments))}: {error}") from None


def call(e: Emitter, name: str, *operands: Value) -> Value:
    """A function of the table, by name."""
    return apply(e, FUNCTIONS[name], operands)


def convert(e: Emitter, value: Value, kind: Kind) -> Value:
    """A number or array in another kind; numbers of Python stay such ones, but for float32, which they have not."""
    if isinstance(value, Const) and is_numeric(value):
        if isinstance(value.value, np.ndarray):
            return _converted_array(value, kind)
        if kind != "f32" and value.dtype is None:
            return Const({"i1": bool, "i64": int, "f64": float}[kind](value.value))
        return wrap(DTYPES[kind].type(value.value))
    if kind_of(value) == kind:
        return value
    node = node_of(value)
    if node is None:
        raise e.error(f"{describe(value)} is not a number or array")
    if not node.shape:
        return Scalar(e.cast(scalar_of(e, node), node.kind, kind), kind, weak=is_weak(value))
    return Array(cast_node(node, kind))


def as_python(e: Emitter, value: Value) -> Value:
    """A number as one of Python, where a float32 is a float: what `float(x)`, `x.item()` and functions of `math` return."""
    match value:
        case Const(bool() | int() | float() as number):
            return Const(number)
        case Scalar(_, "f32"):
            return weakly(convert(e, value, "f64"), True)
        case _:
            return weakly(value, True)


def select(e: Emitter, condition: Value, if_true: Value, if_false: Value) -> Value:
    """`np.where(condition, if_true, if_false)`; a number is one of Python or NumPy as the two are."""
    if not (is_numeric(condition) and is_numeric(if_true) and is_numeric(if_false)):
        raise e.error(f"a choice between {describe(if_true)} and {describe(if_false)} is not possible at run time; give numbers or arrays")
    if isinstance(condition, Const) and isinstance(if_true, Const) and isinstance(if_false, Const):
        shapes = [shape_of_value(value) for value in (condition, if_true, if_false)]
        broadcast_shapes(e, shapes)
        found = wrap(np.where(condition.value, as_operand(if_true), as_operand(if_false)))
        return found if has_numpy(if_true) or has_numpy(if_false) or any(shapes) else as_python(e, found)
    kind = common_kind(e, (if_true, if_false))
    tested = node_of(condition)
    assert tested is not None
    test, first, second = _cast_now(e, tested, "i1"), _operand_in(e, if_true, kind), _operand_in(e, if_false, kind)
    found = apply_body(e, lambda e, ssas: e.select(*ssas), (test, first, second), kind)
    return weakly(found, joined_weakness(if_true, if_false))


def joined_weakness(left: Value, right: Value) -> bool | None:
    """True if one of two numbers, no matter which, is one of Python."""
    return is_weak(left) if is_weak(left) == is_weak(right) else None


def transposed(node: Node, permutation: Sequence[int]) -> Node:
    """Axis `k` of the result is axis `permutation[k]` of the node."""
    axes: list[AffineExpr] = [AffineExpr.dimension(0)] * len(node.shape)
    for position, axis in enumerate(permutation):
        axes[axis] = AffineExpr.dimension(position)
    return viewed(node, axes, tuple(node.shape[axis] for axis in permutation))


def viewed(node: Node, axes: Sequence[AffineExpr], shape: Shape) -> Node:
    """Another arrangement of the elements of `node`."""
    if isinstance(node, Uniform):
        return Uniform(node.number, shape, node.kind)
    return Viewed(node, tuple(axes), shape, node.kind)


def broadcast_node(node: Node, shape: Shape) -> Node:
    """The node repeated along new or unit axes to `shape`, which it fits."""
    if node.shape == shape:
        return node
    return viewed(node, _broadcast_axes(node.shape, shape, _dimensions(len(shape))), shape)


def _dimensions(rank: int) -> tuple[AffineExpr, ...]:
    return tuple(AffineExpr.dimension(axis) for axis in range(rank))


def _broadcast_axes(source: Shape, target: Shape, position: Sequence[AffineExpr]) -> tuple[AffineExpr, ...]:
    offset = len(target) - len(source)
    return tuple(
        AffineExpr.constant(0) if extent == 1 and target[offset + axis] != 1 else position[offset + axis]
        for axis, extent in enumerate(source)
    )


# Trees to operations


class Fusion:
    """The body of one `linalg.generic` while it is built from trees."""

    def __init__(self, e: Emitter, rank: int):
        self.e = e
        self.rank = rank
        self.block = Block()
        self.inputs: list[SSAValue] = []
        self.maps: list[AffineMap] = []
        self._arguments: dict[tuple[SSAValue, AffineMap], SSAValue] = {}
        self._values: dict[tuple[int, tuple[AffineExpr, ...]], SSAValue] = {}

    def value(self, node: Node, position: tuple[AffineExpr, ...]) -> SSAValue:
        """The element of `node` at `position` (in terms of the loops), computed in the body."""
        key = (id(node), position)
        found = self._values.get(key)
        if found is None:
            found = self._values[key] = self._emit(node, position)
        return found

    def _emit(self, node: Node, position: tuple[AffineExpr, ...]) -> SSAValue:
        match node:
            case Uniform(number, _, kind):
                return number if isinstance(number, SSAValue) else self.e.constant(number, kind)
            case Tensor(ssa):
                return self.element(ssa, position)
            case Fixed(array, _, kind):
                return self.element(self.e.constant_tensor(array, kind), position)
            case Viewed(source, axes):
                return self.value(source, tuple(axis.replace_dims_and_symbols(position, ()) for axis in axes))
            case Applied(body, operands, shape):
                arguments = [self.value(operand, _broadcast_axes(operand.shape, shape, position)) for operand in operands]
                return body(self.e, arguments)

    def element(self, tensor: SSAValue, position: tuple[AffineExpr, ...]) -> SSAValue:
        """The block argument that holds the element of `tensor` at `position`."""
        map = AffineMap(self.rank, 0, position)
        found = self._arguments.get((tensor, map))
        if found is None:
            self.inputs.append(tensor)
            self.maps.append(map)
            element_type = tensor.type.get_element_type()  # pyright: ignore
            found = self.block.insert_arg(element_type, len(self.block.args))  # pyright: ignore[reportUnknownArgumentType]
            self._arguments[(tensor, map)] = found
        return found


def materialise(e: Emitter, node: Node) -> Tensor:
    """The tree as a tensor."""
    match node:
        case Tensor():
            return node
        case Fixed(array, shape, kind):
            return Tensor(e.constant_tensor(array, kind), shape, kind)
        case Uniform(number, shape, kind) if not isinstance(number, SSAValue):
            return Tensor(e.filled(shape, number, kind), shape, kind)
        case _:
            rank = len(node.shape)
            fusion = Fusion(e, rank)
            with e.inside(fusion.block):
                result = fusion.value(node, _dimensions(rank))
                fusion.block.insert_arg(ELEMENT_TYPES[node.kind], len(fusion.block.args))
                e.yields(result)
            (ssa,) = e.generic(
                fusion.inputs,
                [e.empty(node.shape, node.kind)],
                [*fusion.maps, AffineMap.identity(rank)],
                [PARALLEL] * rank,
                fusion.block,
            )
            return Tensor(ssa, node.shape, node.kind)


def force(e: Emitter, array: Array) -> SSAValue:
    """The tensor of an array, which from now on is held."""
    held = materialise(e, array.node)
    array.node = held
    return held.ssa


def reduce(
    e: Emitter,
    node: Node,
    axes: Sequence[int],
    starts: Sequence[tuple[float, Kind]],
    combine: Callable[[Emitter, Sequence[SSAValue], SSAValue, Sequence[int]], Sequence[SSAValue]],
    *,
    keep: bool = False,
) -> list[Value]:
    """
    Combines the elements along `axes`, from the first to the last, starting with the numbers `starts`.

    `combine(e, accumulators, element, axes)` gives the next accumulators.
    """
    rank = len(node.shape)
    kept = [axis for axis in range(rank) if axis not in axes]
    shape = tuple(node.shape[axis] for axis in kept)
    fusion = Fusion(e, rank)
    with e.inside(fusion.block):
        element = fusion.value(node, _dimensions(rank))
        accumulators = [fusion.block.insert_arg(ELEMENT_TYPES[kind], len(fusion.block.args)) for _, kind in starts]
        e.yields(*combine(e, accumulators, element, axes))
    known = {axis for map in fusion.maps for axis in map.results}
    if any(AffineExpr.dimension(axis) not in known for axis in axes) and not isinstance(node, Tensor):
        # No operand would tell how often the body runs.
        fusion.block.erase(safe_erase=False)  # else its operations would stay uses of what they read
        return reduce(e, materialise(e, node), axes, starts, combine, keep=keep)
    output_map = AffineMap(rank, 0, tuple(AffineExpr.dimension(axis) for axis in kept))
    results = e.generic(
        fusion.inputs,
        [e.filled(shape, start, kind) for start, kind in starts],
        [*fusion.maps, *[output_map] * len(starts)],
        [REDUCTION if axis in axes else PARALLEL for axis in range(rank)],
        fusion.block,
    )
    if not shape and not keep:
        return [Scalar(e.extract(ssa, (), kind), kind, weak=False) for ssa, (_, kind) in zip(results, starts, strict=True)]
    held = [Tensor(ssa, shape, kind) for ssa, (_, kind) in zip(results, starts, strict=True)]
    if not keep:
        return [Array(node) for node in held]
    position = [AffineExpr.dimension(axis) for axis in kept]
    full = tuple(1 if axis in axes else extent for axis, extent in enumerate(node.shape))
    return [Array(viewed(node, position, full)) for node in held]


def multiply_add(e: Emitter, kind: Kind, left: SSAValue, right: SSAValue, total: SSAValue) -> SSAValue:
    """`total + left * right`, rounded twice."""
    if is_float(kind):
        return e.float_op(arith.AddfOp, total, e.float_op(arith.MulfOp, left, right))
    return e.int_op(arith.AddiOp, total, e.int_op(arith.MuliOp, left, right))


def contract(e: Emitter, left: Tensor, right: Tensor, left_axes: str, right_axes: str, result_axes: str) -> Value:
    """A sum of products in the notation of einsum; the summed axis runs innermost, from its first element to its last."""
    letters = result_axes + "".join(sorted((set(left_axes) | set(right_axes)) - set(result_axes)))
    extents = {**dict(zip(left_axes, left.shape, strict=True)), **dict(zip(right_axes, right.shape, strict=True))}
    kind = left.kind
    rank = len(letters)
    maps = [
        AffineMap(rank, 0, tuple(AffineExpr.dimension(letters.index(letter)) for letter in axes))
        for axes in (left_axes, right_axes, result_axes)
    ]
    block = Block(arg_types=[ELEMENT_TYPES[kind]] * 3)
    with e.inside(block):
        e.yields(multiply_add(e, kind, *block.args))
    shape = tuple(extents[letter] for letter in result_axes)
    (ssa,) = e.generic(
        [left.ssa, right.ssa],
        [e.filled(shape, -0.0 if is_float(kind) else 0, kind)],
        maps,
        [PARALLEL if letter in result_axes else REDUCTION for letter in letters],
        block,
    )
    if not shape:
        return Scalar(e.extract(ssa, (), kind), kind, weak=False)
    return Array(Tensor(ssa, shape, kind))
