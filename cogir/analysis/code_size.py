"""
How large functions and loops become once calls are inlined.

LLVM's time grows faster than linearly with the number of memory accesses in one loop (its loop-invariant code motion
and its vectoriser compare them in pairs), and linearly with every copy of an inlined function. Lowering asks here
where that would take seconds.

```mlir
func.func private @f(...) { ... }            // operations 40, accesses 2
func.func @g(...) {
  scf.for ... { func.call @f ; func.call @f }  // accesses 4;  @f is expanded 2 times
}
```
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from xdsl.dialects import affine, func, memref, vector
from xdsl.dialects.builtin import DenseArrayBase, ModuleOp
from xdsl.ir import Operation

SIZE = "cog.size"
"""On a declaration: operations of, and accesses to memory in, the function that will be linked."""
_ACCESSES = (
    *(memref.LoadOp, memref.StoreOp, memref.CopyOp, affine.LoadOp, affine.StoreOp),
    *(vector.LoadOp, vector.StoreOp, affine.VectorLoadOp, affine.VectorStoreOp),
)


@dataclass
class FunctionSize:
    """The contents of one function without its callees: operations, memory accesses, and the number of calls of each function."""

    operations: int = 0
    accesses: int = 0
    calls: Counter[str] = field(default_factory=Counter[str])


class CodeSize:
    """The sizes of all functions of a module, calls expanded."""

    def __init__(self, module: ModuleOp):
        self.functions = {op.sym_name.data: size_of(op) for op in module.body.block.ops if isinstance(op, func.FuncOp)}
        self._accesses: dict[str, int] = {}

    def accesses_of(self, op: Operation) -> int:
        """The memory accesses inside an operation, those of called functions included."""
        held = self.functions.get(op.sym_name.data) if isinstance(op, func.FuncOp) else None
        size = size_of(op) if held is None else held
        return size.accesses + sum(count * self._function_accesses(name) for name, count in size.calls.items())

    def _function_accesses(self, name: str) -> int:
        if name in self._accesses:
            return self._accesses[name]
        size = self.functions.get(name)
        if size is None:
            return 0
        self._accesses[name] = 0  # for a function that calls itself
        total = size.accesses + sum(count * self._function_accesses(callee) for callee, count in size.calls.items())
        self._accesses[name] = total
        return total

    def expansions(self, inlined: set[str]) -> dict[str, int]:
        """The number of copies of each function of `inlined` once all of them are inlined."""
        counts: dict[str, int] = {}

        def count(name: str, path: tuple[str, ...]) -> int:
            if name not in counts:
                counts[name] = sum(
                    size.calls[name] * (count(caller, (*path, caller)) if caller in inlined and caller not in path else 1)
                    for caller, size in self.functions.items()
                    if name in size.calls
                )
            return counts[name]

        return {name: count(name, (name,)) for name in sorted(inlined)}

    def crowded(self, inlinable: set[str], most: int) -> set[str]:
        """
        Those of `inlinable` whose copies, were they inlined wherever they are called, would be more than `most` operations
        together. The code of a function of which that is true stays one, so what it calls is counted for it once.
        """
        found: set[str] = set()
        counts: dict[str, int] = {}

        def count(name: str) -> int:
            if name not in counts:
                counts[name] = 1  # for a function that calls itself
                calls = [(caller, size.calls[name]) for caller, size in self.functions.items() if name in size.calls]
                copies = [(number, count(caller), caller in inlinable and caller not in found) for caller, number in calls]
                counts[name] = sum(number * (of_caller if is_copied else 1) for number, of_caller, is_copied in copies)
                if name in inlinable and counts[name] * self.functions[name].operations > most:
                    found.add(name)
            return counts[name]

        for name in sorted(inlinable):
            count(name)
        return found


def size_of(op: Operation) -> FunctionSize:
    """The contents of an operation's regions, or the contents that it stands for."""
    if isinstance(said := op.attributes.get(SIZE), DenseArrayBase):
        operations, accesses = said.get_values()
        return FunctionSize(int(operations), int(accesses))
    size = FunctionSize()
    for region in op.regions:
        for inner in region.walk():
            size.operations += 1
            if type(inner) in _ACCESSES:  # `isinstance` takes as long as all the rest: operations are abstract base classes
                size.accesses += 1
            elif type(inner) is func.CallOp:
                size.calls[inner.callee.root_reference.data] += 1
    return size
