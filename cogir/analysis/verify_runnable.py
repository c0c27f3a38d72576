"""
Checks what a module may hold that somebody wants to run: only operations on numbers and arrays.

- operations of `cog`, `rng`, `func`, `arith`, `math`, `linalg`, `tensor`, `scf` (and `cf` without `cf.assert`, which would end the
  process); nothing that works on memory, pointers or machine code;
- arrays of a fixed shape and of at most `LARGEST_ARRAY` elements, accessed within bounds as far as constants tell (`verify_arrays.py`);
- of attributes with a dialect's name only those that models have: others are instructions to later passes (`cog.parallel`: an argument
  holds the address of a function; `llvm.dereferenceable`: so much memory may be read ahead of time);
- declarations of the C library's mathematics and of functions that stay Python, and no others (`verify_declarations.py`);
- no function that calls itself: it would run until the stack is full.

```mlir
func.func private @f(%x: f64) -> f64 {            // refused: @f calls @g, which calls @f
  %y = func.call @g(%x) : (f64) -> f64
```
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from xdsl.dialects import cf, func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.traits import IsTerminator, NoTerminator

from cogir.analysis.verify_arrays import verify_arrays
from cogir.analysis.verify_declarations import LIBM, of_the_library, verify_declaration
from cogir.dialects.cog.learn import NAMED_WEIGHTS
from cogir.dialects.cog.node import YieldOp
from cogir.dialects.cog.ports import PlacedVerifyException
from cogir.dialects.math_functions import CLIP
from cogir.dialects.python_functions import PYTHON
from cogir.dialects.rng import DRAW, FromWordsOp, StateType
from cogir.interpreters.checks import DIVISOR, INDEX, OPERATOR, SHORT_CIRCUIT, WINDOW, misplaced

DIALECTS = ("cog", "rng", "func", "arith", "math", "linalg", "tensor", "scf", "cf")
"""The operations that models are written in. None of their operations reads or writes memory that it was not given as an array."""
ATTRIBUTES = frozenset(
    (INDEX, WINDOW, DIVISOR, DRAW, OPERATOR, SHORT_CIRCUIT, CLIP, NAMED_WEIGHTS, LIBM, PYTHON, "cog.residual", "cog.blocks")
)
"""The attributes that operations of a model may have beside those that belong to them."""
_NAMES = ", ".join(DIALECTS)


def verify_runnable(module: ModuleOp) -> None:
    """Raises VerifyException when a module holds more than models need, and what could act on the process that runs it."""
    for op in module.walk():
        if op is not module:
            verify_operation(op)
            verify_arrays(op)
        verify_attributes(op)
    verify_calls(module)


def verify_operation(op: Operation) -> None:
    """Raises VerifyException unless a model may hold this operation."""
    if op.name.partition(".")[0] not in DIALECTS:
        raise PlacedVerifyException(op, f"{op.name} is not supported in models; use operations of {_NAMES}")
    if isinstance(op, YieldOp) and op.checked is not None:
        raise PlacedVerifyException(op, "checked(...) is reserved for the pass insert-checks; remove it, and compile with checked=True")
    if isinstance(op, cf.AssertOp):
        raise PlacedVerifyException(op, "cf.assert ends the process; end a run with schedule.fails, or choose a value with arith.select")
    if isinstance(op, FromWordsOp) and op.state.type == StateType("mt19937"):
        raise PlacedVerifyException(op, "rng.from_words: the words could be a state of mt19937 that draws only zeros; use rng.seed")
    for region in () if op.has_trait(NoTerminator) else op.regions:
        if len(region.blocks) == 1 and ((last := region.block.last_op) is None or not last.has_trait(IsTerminator)):
            raise PlacedVerifyException(op, f"the body of {op.name} does not end with its yield; add it")
    if isinstance(op, func.FuncOp):
        verify_declaration(op)
        if op.is_declaration and of_the_library(op.sym_name.data):
            raise PlacedVerifyException(op, f"func.func @{op.sym_name.data} has the name of a function of cogir's library; rename it")


def verify_attributes(op: Operation) -> None:
    """Raises VerifyException when an operation has an attribute that is none of a model's."""
    names = list(op.attributes)
    if isinstance(op, func.FuncOp):
        names += [name for held in (op.arg_attrs, op.res_attrs) if held is not None for each in held for name in each.data]
    for name in names:
        if "." in name and name not in ATTRIBUTES:
            raise PlacedVerifyException(op, f"{op.name} has the attribute {name}, which is reserved for passes; remove it")
    if (name := misplaced(op)) is not None:
        raise PlacedVerifyException(op, f"{op.name} has the attribute {name}, which is not valid on this operation; remove it")


def verify_calls(module: ModuleOp) -> None:
    """Raises VerifyException when a function of the module calls itself, also by way of others."""
    functions = {op.sym_name.data: op for op in module.ops if isinstance(op, func.FuncOp)}
    finished: set[str] = set()
    for name in functions:
        if name not in finished:
            _follow(name, functions, finished)


def _follow(start: str, functions: Mapping[str, func.FuncOp], finished: set[str]) -> None:
    """Follows calls from a function; raises VerifyException where they come back to one that is still open."""
    pending: list[tuple[str, Iterator[func.CallOp]]] = [(start, _calls_of(functions[start]))]
    open_functions = {start: None}
    while pending:
        name, calls = pending[-1]
        call = next(calls, None)
        if call is None:
            pending.pop()
            del open_functions[name]
            finished.add(name)
            continue
        callee = call.callee.string_value()
        if callee in open_functions:
            path = [*list(open_functions)[list(open_functions).index(callee) :], callee]
            shown = " calls ".join(f"@{each}" for each in (path if len(path) < 5 else [*path[:2], path[-1]]))
            raise PlacedVerifyException(call, f"a function must not call itself: {shown}; write a loop (scf.for, scf.while)")
        if callee in functions and callee not in finished:
            open_functions[callee] = None
            pending.append((callee, _calls_of(functions[callee])))


def _calls_of(function: func.FuncOp) -> Iterator[func.CallOp]:
    return (op for op in function.walk() if isinstance(op, func.CallOp))
