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
Also read as before, since nothing would be gained: NaN (whose bits a constant need not keep), large arrays without many zeros, and what is
handed to functions that are called very often, each time with other values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import numpy.typing as npt
from xdsl.context import Context
from xdsl.dialects import arith, func, tensor
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, DictionaryAttr, FloatAttr, IntegerAttr, ModuleOp, f64, i64
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from cogir.analysis.layout import Layout
from cogir.errors import LoweringError
from cogir.irutils import array_of_dense, constant_int, dense_of_array, replace_by

FOLDED = "cog.folded"
"""The attribute with the values that are to be folded in: of the banks `pf` and `pi`."""
LARGE = 64
"""An array of more elements is folded only if at least half of them are zeros."""
MANY = 64
"""What is handed to a function by more calls than this stays where it is."""

Bank = npt.NDArray[Any]


def values_to_fold(module: ModuleOp, layout: Layout) -> tuple[Bank, Bank]:
    """The values of the banks `pf` and `pi`."""
    given = module.attributes.get(FOLDED)
    found: list[Bank] = []
    for name in ("pf", "pi"):
        default = layout.default_bank(name)
        if given is not None:
            held = given.data.get(name) if isinstance(given, DictionaryAttr) else None
            if not isinstance(held, DenseIntOrFPElementsAttr):
                raise LoweringError(f'fold-parameters: {FOLDED} has no array "{name}"; give the values of both banks, pf and pi')
            values = array_of_dense(cast("DenseIntOrFPElementsAttr[Any]", held))
            if values.shape != default.shape or values.dtype != default.dtype:
                raise LoweringError(
                    f"fold-parameters: {FOLDED} has {values.size} values of {values.dtype} in {name}, but the model has "
                    f"{default.size} of {default.dtype}; give one for each word of the bank"
                )
            default = values
        found.append(default)
    return found[0], found[1]


@dataclass
class Folding:
    """Folds one bank."""

    bank: SSAValue
    values: Bank
    kept: npt.NDArray[np.bool_]
    """The words that are read as before."""
    calls: Counter[str]

    def run(self) -> None:
        """Replaces the reads of the bank."""
        for use in list(self.bank.uses):
            op = use.operation
            match op:
                case tensor.ExtractOp() if (place := constant_int(op.indices[0])) is not None:
                    if self.can_fold(slice(place, place + 1)):
                        replace_by(op, [self.number(op, place)])
                case tensor.ExtractSliceOp() if not op.offsets and all(step == 1 for step in op.static_strides.iter_values()):
                    (start,), (size,) = op.static_offsets.iter_values(), op.static_sizes.iter_values()
                    words = slice(start, start + size)
                    if self.can_fold(words) and not self.is_handed_often(op.result):
                        replace_by(op, [self.array(op, words)])
                case _:
                    words = slice(0, len(self.values))
                    if self.can_fold(words) and not (isinstance(op, func.CallOp) and self.calls[op.callee.string_value()] > MANY):
                        op.operands[use.index] = self.array(op, words)

    def can_fold(self, words: slice) -> bool:
        """Whether these words may, and should, become a constant."""
        values = self.values[words]
        if bool(self.kept[words].any()) or bool(np.isnan(values).any()):
            return False
        return values.size <= LARGE or 2 * int(np.count_nonzero(values)) <= values.size

    def is_handed_often(self, part: SSAValue) -> bool:
        """Whether a part of the bank is for a function that is called with many such parts."""
        users = [use.operation for use in part.uses]
        return any(isinstance(user, func.CallOp) and self.calls[user.callee.string_value()] > MANY for user in users)

    def number(self, op: Operation, place: int) -> SSAValue:
        """One word as a constant before `op`."""
        word = self.values[place].item()
        return inserted(arith.ConstantOp(FloatAttr(word, f64) if isinstance(word, float) else IntegerAttr(word, i64)), op)

    def array(self, op: Operation, words: slice) -> SSAValue:
        """Neighbouring words as a constant before `op`."""
        return inserted(arith.ConstantOp(dense_of_array(self.values[words])), op)


def inserted(constant: arith.ConstantOp, op: Operation) -> SSAValue:
    """The value of a constant that now stands before `op`."""
    block = op.parent
    assert block is not None
    block.insert_op_before(constant, op)
    return constant.result


def words_of(layout: Layout, paths: Sequence[str]) -> dict[str, npt.NDArray[np.bool_]]:
    """Which words of the banks belong to these parameters."""
    marked = {bank: np.zeros(layout.size(bank), np.bool_) for bank in ("pf", "pi")}
    for path in paths:
        leaf = layout.leaves.get(path)
        if leaf is None or leaf.bank not in ("pf", "pi"):
            known = [each.path for each in layout if each.bank in ("pf", "pi")]
            raise LoweringError(f"fold-parameters: keep: there is no parameter '{path}'; there are {', '.join(known[:12])}")
        marked[leaf.bank][leaf.words] = True
    return marked


@dataclass(frozen=True)
class FoldParameters(ModulePass):
    """Folds the values of parameters into `@trial`."""

    name = "fold-parameters"

    keep: tuple[str, ...] = ()
    """The paths of parameters that are read as before."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        trial = next((each for each in op.ops if isinstance(each, func.FuncOp) and each.sym_name.data == "trial"), None)
        if trial is None:
            return
        layout = Layout.from_module(op)
        kept = words_of(layout, self.keep)
        values = values_to_fold(op, layout)
        calls = Counter(each.callee.string_value() for each in op.walk() if isinstance(each, func.CallOp))
        for number, bank in enumerate(("pf", "pi")):
            Folding(trial.args[number], values[number], kept[bank], calls).run()
