"""
Folds the values of parameters into the code of a trial.

Before: stage `machine`, as `convert-cog-to-machine` leaves it.
After:  `@trial` holds constants where it read parameters: the values in `cog.folded` if the module has that attribute, else the
        model's own, in `cog.defaults`. Such code is right for these values alone; `@init` and the layout stay as they are.

```mlir
builtin.module attributes {cog.folded = {pf = dense<[1.0, 2.0]> : tensor<2xf64>, pi = dense<0> : tensor<1xi64>}} ...
%rate = tensor.extract %pf[%c1] : tensor<2xf64>     ->     %rate = arith.constant 2.0 : f64
```

`keep` names parameters that are read as before, by their paths, as in `keep="decision/param:rate","decision/param:threshold"`.
Also read as before, since nothing would be gained: NaN (whose bits a constant need not keep), large arrays without many zeros, and what
is passed to a function that is called very often, each time with other values. A function that takes a slice of a buffer of which only
some elements are folded is inlined.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import numpy.typing as npt
from xdsl.context import Context
from xdsl.dialects import arith, func, tensor
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, DictionaryAttr, FloatAttr, IntegerAttr, ModuleOp, StringAttr, f64, i64
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from cogir.analysis.layout import Layout
from cogir.analysis.sparsity import Columns
from cogir.errors import LoweringError
from cogir.irutils import array_of_dense, constant_int, dense_of_array, replace_by, size_of
from cogir.transforms.inlining import inline

FOLDED = "cog.folded"
"""The attribute with the values that are to be folded in: of the buffers `pf` and `pi`."""
LARGE = 64
"""An array of more elements is folded only if it is a matrix whose zeros can be left out (`analysis/sparsity.py`)."""
MANY = 64
"""Slices of a buffer that a function is called with are not folded if there are more different ones than this."""
OPENED = 600
"""The bodies that are put in the place of calls, of one function, have together at most so many operations."""

Buffer = npt.NDArray[Any]


def values_to_fold(module: ModuleOp, layout: Layout) -> tuple[Buffer, Buffer]:
    """The values of the buffers `pf` and `pi`."""
    given = module.attributes.get(FOLDED)
    found: list[Buffer] = []
    for name in ("pf", "pi"):
        default = layout.default_buffer(name)
        if given is not None:
            held = given.data.get(name) if isinstance(given, DictionaryAttr) else None
            if not isinstance(held, DenseIntOrFPElementsAttr):
                raise LoweringError(f'fold-parameters: {FOLDED} has no array "{name}"; give the values of both buffers, pf and pi')
            values = array_of_dense(cast("DenseIntOrFPElementsAttr[Any]", held))
            if values.shape != default.shape or values.dtype != default.dtype:
                raise LoweringError(
                    f"fold-parameters: {FOLDED} has {values.size} values of {values.dtype} in {name}, but the model has "
                    f"{default.size} of {default.dtype}; give one for each element of the buffer"
                )
            default = values
        found.append(default)
    return found[0], found[1]


@dataclass
class Folding:
    """Folds one buffer."""

    values: Buffer
    kept: npt.NDArray[np.bool_]
    """The words that are read as before: those that were asked for, those of large arrays, and NaN."""
    functions: Mapping[str, func.FuncOp]
    calls: Counter[str]

    def run(self, buffer: SSAValue) -> None:
        """Replaces the reads of the buffer."""
        self.varied = self.handed(buffer)
        self.fold(buffer, 0)

    def fold(self, part: SSAValue, start: int) -> None:
        """Replaces the reads of a part of the buffer, whose words begin at `start`."""
        uses = list(part.uses)
        while uses:
            opened = [op for op in (use.operation for use in uses) if self.fold_use(op, part, start)]
            for op in opened:
                inline(cast(func.CallOp, op), self.functions[cast(func.CallOp, op).callee.string_value()])
            uses = list(part.uses) if opened else []

    def fold_use(self, op: Operation, part: SSAValue, start: int) -> bool:
        """Replaces one read; True if it is a call that is to be inlined, because only some of the elements are folded."""
        words = slice(start, start + size_of(part.type))
        match op:
            case tensor.ExtractOp() if (place := constant_int(op.indices[0])) is not None:
                if self.can_fold(slice(start + place, start + place + 1)):
                    replace_by(op, [self.number(op, start + place)])
            case tensor.ExtractSliceOp() if (inner := place_of(op)) is not None:
                if self.can_fold(slice(start + inner, start + inner + size_of(op.result.type))) and not self.is_handed_often(op.result):
                    replace_by(op, [self.array(op, slice(start + inner, start + inner + size_of(op.result.type)))])
                else:
                    self.fold(op.result, start + inner)
            case func.CallOp() if not self.can_fold(words):
                return not bool(self.kept[words].all()) and self.can_open(op.callee.string_value())
            case _ if self.can_fold(words) and not (isinstance(op, func.CallOp) and self.varied[op.callee.string_value()] > MANY):
                held = self.array(op, words)
                op.operands = [held if operand is part else operand for operand in op.operands]
            case _:
                pass
        return False

    def can_fold(self, words: slice) -> bool:
        """True if these elements may, and should, become a constant."""
        return not bool(self.kept[words].any())

    def can_open(self, name: str) -> bool:
        """True if the calls of a function may be replaced by its body: it is private, and they do not become too long."""
        function = self.functions.get(name)
        if function is None or function.sym_visibility != StringAttr("private") or len(function.body.blocks) != 1:
            return False
        return self.calls[name] * sum(1 for _ in function.body.walk()) <= OPENED

    def handed(self, buffer: SSAValue) -> Counter[str]:
        """The number of different parts of the parameter buffer that each function is called with."""
        found: dict[str, set[bytes]] = defaultdict(set)
        for part in (use.operation for use in buffer.uses):
            if isinstance(part, tensor.ExtractSliceOp) and (start := place_of(part)) is not None:
                words = self.values[start : start + size_of(part.result.type)].tobytes()
                for user in (use.operation for use in part.result.uses):
                    if isinstance(user, func.CallOp):
                        found[user.callee.string_value()].add(words)
        return Counter({name: len(values) for name, values in found.items()})

    def is_handed_often(self, part: SSAValue) -> bool:
        """True if a slice of the buffer goes to a function that is called with many different ones."""
        users = [use.operation for use in part.uses]
        return any(isinstance(user, func.CallOp) and self.varied[user.callee.string_value()] > MANY for user in users)

    def number(self, op: Operation, place: int) -> SSAValue:
        """One element as a constant before `op`."""
        word = self.values[place].item()
        return inserted(arith.ConstantOp(FloatAttr(word, f64) if isinstance(word, float) else IntegerAttr(word, i64)), op)

    def array(self, op: Operation, words: slice) -> SSAValue:
        """Neighbouring elements as a constant before `op`."""
        return inserted(arith.ConstantOp(dense_of_array(self.values[words])), op)


def place_of(op: tensor.ExtractSliceOp) -> int | None:
    """The start of a contiguous slice; None if it is not static."""
    if op.offsets or op.sizes or op.strides or any(step != 1 for step in op.static_strides.iter_values()):
        return None
    return next(iter(op.static_offsets.iter_values()))


def inserted(constant: arith.ConstantOp, op: Operation) -> SSAValue:
    """The value of a constant that now stands before `op`."""
    block = op.parent
    assert block is not None
    block.insert_op_before(constant, op)
    return constant.result


def not_worth_it(layout: Layout, buffer: str, values: Buffer) -> npt.NDArray[np.bool_]:
    """The elements of a buffer that are better read: of large arrays without many zeros, and NaN."""
    found = np.isnan(values)
    for slot in layout:
        if slot.buffer == buffer and slot.size > LARGE:
            array = cast("npt.NDArray[np.float64]", slot.of(values))
            found[slot.words] |= not (buffer == "pf" and array.ndim == 2 and Columns(array).is_worth_it)
    return found


def words_of(layout: Layout, paths: Sequence[str]) -> dict[str, npt.NDArray[np.bool_]]:
    """The elements of the parameter buffers that belong to these parameters."""
    marked = {buffer: np.zeros(layout.size(buffer), np.bool_) for buffer in ("pf", "pi")}
    for path in paths:
        slot = layout.slots.get(path)
        if slot is None or slot.buffer not in ("pf", "pi"):
            known = [each.path for each in layout if each.buffer in ("pf", "pi")]
            raise LoweringError(f"fold-parameters: keep: there is no parameter '{path}'; there are {', '.join(known[:12])}")
        marked[slot.buffer][slot.words] = True
    return marked


@dataclass(frozen=True)
class FoldParameters(ModulePass):
    """Folds the values of parameters into `@trial`."""

    name = "fold-parameters"

    keep: tuple[str, ...] = ()
    """The paths of parameters that are read as before."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        functions = {each.sym_name.data: each for each in op.ops if isinstance(each, func.FuncOp)}
        trial = functions.get("trial")
        if trial is None:
            return
        layout = Layout.from_module(op)
        kept = words_of(layout, self.keep)
        values = values_to_fold(op, layout)
        calls = Counter(each.callee.string_value() for each in op.walk() if isinstance(each, func.CallOp))
        for number, buffer in enumerate(("pf", "pi")):
            read = kept[buffer] | not_worth_it(layout, buffer, values[number])
            Folding(values[number], read, functions, calls).run(trial.args[number])
