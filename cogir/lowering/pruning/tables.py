"""
Tables of what depends on one axis of a grid: the exact values at its levels, and their ranges over the nodes of a binary tree.

Node 1 of the tree holds all levels; nodes 2 k and 2 k + 1 hold the halves of node k. The last row of the tree holds single
levels, then empty nodes up to the next power of two. A NaN has no part in the ends of a range.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product

from xdsl.dialects import arith, scf, tensor
from xdsl.dialects.builtin import TensorType, f64, i1, i64
from xdsl.ir import Attribute, Operation, Region, SSAValue

from cogir.irutils import element_type_of, shape_of, size_of
from cogir.lowering.machine.emitter import INDEX, BlockEmitter, is_tensor
from cogir.lowering.pruning.extension import NoExtension
from cogir.lowering.pruning.intervals import INFINITY, RangeArithmetic

KINDS: tuple[Attribute, ...] = (f64, i64, i1, INDEX)
"""The types of numbers that tables hold; all but floats as i64."""
MOST_NUMBERS = 64
"""The most numbers of an axis that points depend on."""
LEAST, MOST = -(2**63), 2**63 - 1


def numbers_of(value: SSAValue) -> list[Attribute]:
    """The types of the numbers that a value consists of; raises `NoExtension` if tables cannot hold it."""
    element = element_type_of(value.type)
    if element not in KINDS or size_of(value.type) > MOST_NUMBERS:
        raise NoExtension(f"points depend on a value of type {value.type}")
    return [element] * size_of(value.type)


def taken_apart(emitter: BlockEmitter, value: SSAValue) -> list[SSAValue]:
    """The numbers that a value consists of, row by row."""
    if not is_tensor(value.type):
        return [value]
    element = element_type_of(value.type)
    places = product(*map(range, shape_of(value.type)))
    return [emitter.value(tensor.ExtractOp(value, [emitter.index(at) for at in place], element)) for place in places]


def put_together(emitter: BlockEmitter, value_type: Attribute, numbers: Sequence[SSAValue]) -> SSAValue:
    """The value that some numbers make up."""
    if not is_tensor(value_type):
        return numbers[0]
    return emitter.value(tensor.FromElementsOp.create(operands=numbers, result_types=[value_type]))


def between(
    emitter: BlockEmitter,
    first: SSAValue,
    last: SSAValue,
    initial: Sequence[SSAValue],
    body: Callable[[BlockEmitter, SSAValue, list[SSAValue]], Sequence[SSAValue]],
) -> list[SSAValue]:
    """`scf.for` from `first` below `last`."""
    inner = emitter.nested([INDEX, *(value.type for value in initial)])
    for argument, value in zip(inner.block.args[1:], initial, strict=True):
        argument.name_hint = value.name_hint
    inner.add(scf.YieldOp(*body(inner, inner.block.args[0], list(inner.block.args[1:]))))
    return list(emitter.add(scf.ForOp(first, last, emitter.index(1), initial, Region(inner.block))).results)


def as_integer(emitter: BlockEmitter, number: SSAValue) -> SSAValue:
    """A whole number or a flag as i64."""
    if number.type == i1:
        return emitter.value(arith.ExtUIOp(number, i64))
    return emitter.value(arith.IndexCastOp(number, i64)) if number.type == INDEX else number


def from_integer(emitter: BlockEmitter, number: SSAValue, value_type: Attribute) -> SSAValue:
    """The number of a type that an i64 stands for."""
    if value_type == i1:
        return emitter.compare(number, "ne", emitter.integer(0))
    return emitter.value(arith.IndexCastOp(number, INDEX)) if value_type == INDEX else number


@dataclass
class AxisTables:
    """The tables of one axis."""

    levels: int
    kinds: Sequence[Attribute]
    """The types of the numbers that points depend on."""

    def __post_init__(self) -> None:
        """Sorts the numbers into floats and integers."""
        self.width = 1 << (self.levels - 1).bit_length()
        """The number of nodes in the last row."""
        self.floats = [number for number, kind in enumerate(self.kinds) if kind == f64]
        self.integers = [number for number, kind in enumerate(self.kinds) if kind != f64]
        self.tables: list[SSAValue] = []
        """Of each node the first level and the one after the last; then exact values, least and greatest ones, NaN."""

    def types(self) -> list[Attribute]:
        """The types of the tables."""
        nodes, found = 2 * self.width, [TensorType[Attribute](i64, [2 * self.width]) for _ in range(2)]
        for members, element in ((self.floats, f64), (self.integers, i64)):
            if members:
                found.append(TensorType(element, [self.levels, len(members)]))
                found += [TensorType(element, [nodes, len(members)]) for _ in range(2)]
        if self.floats:
            found.append(TensorType(i1, [nodes, len(self.floats)]))
        return [*found]

    def place(self, kind: Attribute) -> int:
        """The number of the table of exact values of floats or integers; those of least and greatest ones follow it."""
        return 2 if kind == f64 or not self.floats else 5

    # Filling

    def fill(self, emitter: BlockEmitter, levels_of: Callable[[BlockEmitter, SSAValue], list[SSAValue]]) -> None:
        """Computes the tables; `levels_of` gives the numbers at a level."""
        tables: list[SSAValue] = [emitter.value(tensor.EmptyOp((), each)) for each in self.types()]
        for table, name in zip(tables, ("firsts", "lasts"), strict=False):
            table.name_hint = name
        tables = emitter.loop_for(self.levels, tables, lambda inner, i, held: self.level(inner, i, held, levels_of(inner, i)), "level")
        if self.width > self.levels:
            tables = emitter.loop_for(self.width - self.levels, tables, self.empty, "empty")
        self.tables = emitter.loop_for(self.width - 1, tables, self.node, "row") if self.width > 1 else tables

    def level(self, emitter: BlockEmitter, i: SSAValue, tables: list[SSAValue], numbers: Sequence[SSAValue]) -> list[SSAValue]:
        """Enters a level, and the node that holds it alone."""
        node = emitter.value(arith.AddiOp(i, emitter.index(self.width)))
        first = emitter.value(arith.IndexCastOp(i, i64))
        tables = self.entered(emitter, tables, node, first, emitter.add_integers(first, emitter.integer(1)))
        for members, kind in ((self.floats, f64), (self.integers, i64)):
            place = self.place(kind)
            for column, member in enumerate(members):
                number = numbers[member] if kind == f64 else as_integer(emitter, numbers[member])
                at = emitter.index(column)
                tables[place] = emitter.value(tensor.InsertOp(number, tables[place], [i, at]))
                low = high = number
                if kind == f64:
                    a = RangeArithmetic(emitter)
                    nan = a.is_nan(number)
                    tables[-1] = emitter.value(tensor.InsertOp(nan, tables[-1], [node, at]))
                    low, high = (a.choose(nan, a.number(end), number) for end in (INFINITY, -INFINITY))
                tables[place + 1] = emitter.value(tensor.InsertOp(low, tables[place + 1], [node, at]))
                tables[place + 2] = emitter.value(tensor.InsertOp(high, tables[place + 2], [node, at]))
        return tables

    @staticmethod
    def entered(emitter: BlockEmitter, tables: list[SSAValue], node: SSAValue, first: SSAValue, last: SSAValue) -> list[SSAValue]:
        """The tables with the levels of a node."""
        firsts, lasts = (emitter.value(tensor.InsertOp(end, table, [node])) for end, table in zip((first, last), tables, strict=False))
        return [firsts, lasts, *tables[2:]]

    def empty(self, emitter: BlockEmitter, i: SSAValue, tables: list[SSAValue]) -> list[SSAValue]:
        """Enters a node without levels."""
        node = emitter.value(arith.AddiOp(i, emitter.index(self.width + self.levels)))
        end = emitter.integer(self.levels)
        tables = self.entered(emitter, tables, node, end, end)
        for members, kind in ((self.floats, f64), (self.integers, i64)):
            ends = [emitter.number(INFINITY), emitter.number(-INFINITY)] if kind == f64 else [emitter.integer(MOST), emitter.integer(LEAST)]
            for column in range(len(members)):
                for place, number in enumerate(ends, self.place(kind) + 1):
                    tables[place] = emitter.value(tensor.InsertOp(number, tables[place], [node, emitter.index(column)]))
                if kind == f64:
                    tables[-1] = emitter.value(tensor.InsertOp(emitter.flag(False), tables[-1], [node, emitter.index(column)]))
        return tables

    def node(self, emitter: BlockEmitter, i: SSAValue, tables: list[SSAValue]) -> list[SSAValue]:
        """Joins two nodes; the last rows come first."""
        node = emitter.value(arith.SubiOp(emitter.index(self.width - 1), i))
        left = emitter.value(arith.AddiOp(node, node))
        right = emitter.value(arith.AddiOp(left, emitter.index(1)))
        ends = [emitter.value(tensor.ExtractOp(table, [at], i64)) for table, at in zip(tables, (left, right), strict=False)]
        tables = self.entered(emitter, tables, node, *ends)
        for members, kind in ((self.floats, f64), (self.integers, i64)):
            if members:
                tables = self.columns(emitter, kind, len(members), (node, left, right), tables)
        return tables

    def columns(
        self, emitter: BlockEmitter, kind: Attribute, count: int, nodes: tuple[SSAValue, SSAValue, SSAValue], tables: list[SSAValue]
    ) -> list[SSAValue]:
        """Joins the ranges of all floats, or all integers, of two nodes."""
        place = self.place(kind)
        concerned = [place + 1, place + 2, *([len(tables) - 1] if kind == f64 else [])]

        def column(inner: BlockEmitter, at: SSAValue, held: list[SSAValue]) -> list[SSAValue]:
            a = RangeArithmetic(inner)
            joins = (a.less, a.greater, a.any) if kind == f64 else (a.least, a.most)
            after: list[SSAValue] = []
            for table, join in zip(held, joins, strict=True):
                element = element_type_of(table.type)
                one, two = (inner.value(tensor.ExtractOp(table, [node, at], element)) for node in nodes[1:])
                after.append(inner.value(tensor.InsertOp(join(one, two), table, [nodes[0], at])))
            return after

        joined = emitter.loop_for(count, [tables[number] for number in concerned], column, "number")
        found = list(tables)
        for number, table in zip(concerned, joined, strict=True):
            found[number] = table
        return found

    # Reading

    def first(self, emitter: BlockEmitter, node: SSAValue) -> SSAValue:
        """The first level of a node."""
        return emitter.value(tensor.ExtractOp(self.tables[0], [node], i64))

    def last(self, emitter: BlockEmitter, node: SSAValue) -> SSAValue:
        """The level after the last one of a node."""
        return emitter.value(tensor.ExtractOp(self.tables[1], [node], i64))

    def exact(self, emitter: BlockEmitter, level: SSAValue) -> list[SSAValue]:
        """The numbers at a level."""
        found: list[SSAValue] = []
        for number, kind in enumerate(self.kinds):
            column = emitter.index((self.floats if kind == f64 else self.integers).index(number))
            element: Attribute = f64 if kind == f64 else i64
            value = emitter.value(tensor.ExtractOp(self.tables[self.place(element)], [level, column], element))
            found.append(value if kind == f64 else from_integer(emitter, value, kind))
        return found

    def ranges(self, emitter: BlockEmitter, node: SSAValue) -> list[SSAValue]:
        """The parts of the ranges of all numbers over the levels of a node."""
        found: list[SSAValue] = []
        for number, kind in enumerate(self.kinds):
            column = emitter.index((self.floats if kind == f64 else self.integers).index(number))
            element: Attribute = f64 if kind == f64 else i64
            place = self.place(element)
            ends = [emitter.value(tensor.ExtractOp(self.tables[place + end], [node, column], element)) for end in (1, 2)]
            if kind == f64:
                found += [*ends, emitter.value(tensor.ExtractOp(self.tables[-1], [node, column], i1))]
            else:
                found += [from_integer(emitter, end, kind) for end in ends]
        return found


def copied(emitter: BlockEmitter, operations: Sequence[Operation], values: dict[SSAValue, SSAValue]) -> None:
    """Copies operations; `values` says what stands for their operands, and gets their results."""
    for op in operations:
        emitter.add(op.clone(values))
