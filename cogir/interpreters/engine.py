"""
The interpreter that all levels share: xDSL's `Interpreter` with a faster walk.

Every block is prepared once into a list of steps. A step holds a Python function and where its arguments and results
live, so that running an operation is one call. Two kinds of implementation work side by side:

* *meanings*, for operations that are functions of their operands: `meaning(op, engine)` is asked once per operation
  and returns a Python function from operand values to the result (`VALUE`) or to the tuple of results (`RESULTS`);
* xDSL's `InterpreterFunctions`, registered as usual, for everything else.

Values: f64 and f32 are `float` (f32 rounded), integers and indices are `int` in their signed range, i1 is `bool`,
tensors are NumPy arrays that nobody writes to, memrefs are NumPy arrays (views) that are written in place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, TypeAlias

from xdsl.dialects.builtin import FileLineColLoc, ModuleOp, StringAttr
from xdsl.interpreter import Interpreter, PythonValues, ReturnedValues, Successor
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.utils.exceptions import InterpretationError

from cogir.errors import CogirError
from cogir.interpreters.faults import Check
from cogir.interpreters.traces import Recorder

Meaning: TypeAlias = "Callable[[Any, Engine], Callable[..., Any]]"
"""From an operation (and the engine that runs it) to the Python function that it stands for."""


@dataclass(frozen=True)
class Meanings:
    """
    The meanings of one dialect.

    `value`: functions that return the single result; `results`: functions that return the tuple of results;
    `terminators`: operations whose operands leave the region; `branches`: functions that return a `Successor`.
    """

    value: Mapping[type[Operation], Meaning] = field(default_factory=dict[type[Operation], Meaning])
    results: Mapping[type[Operation], Meaning] = field(default_factory=dict[type[Operation], Meaning])
    terminators: tuple[type[Operation], ...] = ()
    branches: Mapping[type[Operation], Meaning] = field(default_factory=dict[type[Operation], Meaning])


def place_of(op: Operation) -> str:
    """The source location of `op` in the user's model, as the start of a message."""
    match op.location:
        case FileLineColLoc(filename=file, line=line):
            return f"{file.data}:{line.data}: "
        case _:
            return ""


class StepKind(IntEnum):
    """The way in which a step takes its arguments and gives its results."""

    NULLARY = 0
    UNARY = 1
    BINARY = 2
    VALUE = 3
    RESULTS = 4
    TERMINATOR = 5
    BRANCH = 6
    REGISTERED = 7


Step: TypeAlias = tuple[StepKind, Callable[..., Any], tuple[int, ...], tuple[int, ...], Operation]
_FIXED_ARITY = (StepKind.NULLARY, StepKind.UNARY, StepKind.BINARY)


class Engine(Interpreter):
    """Interprets a module; the tables of `meanings` say what the operations mean."""

    def __init__(self, module: ModuleOp, meanings: tuple[Meanings, ...]):
        super().__init__(module)
        self._meanings = meanings
        self._steps: dict[Block, list[Step]] = {}
        self._values: dict[int, Any] = {}
        self._outer_values: list[dict[int, Any]] = []
        self.memory: dict[str, Any] = {}
        """Arrays of `memref.global`s, by symbol."""
        self.python: dict[str, Callable[..., PythonValues]] = {}
        """Functions of the module that stay Python (`cog.python`), by symbol."""
        self.recorder: Recorder | None = None
        """Takes the traces of a lowered model, if it has some."""
        self.checks: Sequence[Check] = ()
        """The checks that the faults of bodies name, if the module is checked."""
        self.loop_indices: tuple[int, ...] = ()
        """The loop indices of the innermost running `linalg.generic`, for `linalg.index`."""
        self._symbols: dict[str, Operation] | None = None

    def symbol(self, name: str) -> Operation:
        """The operation of the module that defines symbol `name`."""
        if self._symbols is None:
            named = ((op, op.get_attr_or_prop("sym_name")) for op in self.module.ops)
            self._symbols = {sym_name.data: op for op, sym_name in named if isinstance(sym_name, StringAttr)}
        if name not in self._symbols:
            raise InterpretationError(f"interpreter: the module has no symbol @{name}")
        return self._symbols[name]

    # Environment. Values are keyed by identity: SSA values live as long as the module that is interpreted.

    def get_values(self, values: Any) -> tuple[Any, ...]:
        return tuple(self._values[id(value)] for value in values)

    def set_values(self, pairs: Any) -> None:
        for value, held in pairs:
            self._values[id(value)] = held

    def value_of(self, value: SSAValue) -> Any:
        """The value of an SSA value of the running function."""
        return self._values[id(value)]

    def push_scope(self, name: str | None = None) -> None:
        self._outer_values.append(self._values)
        self._values = dict(self._values)

    def pop_scope(self) -> None:
        if not self._outer_values:
            raise InterpretationError("interpreter: there is no scope to leave")
        self._values = self._outer_values.pop()

    def run_isolated(self, region: Region, args: PythonValues, name: str = "unknown") -> PythonValues:
        """Runs a region that sees nothing from above, such as a function body; safe for recursion."""
        caller, self._values = self._values, {}
        try:
            return self.run_ssacfg_region(region, args, name)
        finally:
            self._values = caller

    def body(self, region: Region, name: str) -> Callable[..., PythonValues]:
        """The region as a Python function of its block arguments."""

        def run(*args: Any) -> PythonValues:
            return self.run_ssacfg_region(region, args, name)

        return run

    def evaluate(self, op: Operation, args: PythonValues) -> PythonValues:
        """The results of one operation for these operands; its regions use nothing from outside."""
        kind, function, *_ = self._prepare(op)
        try:
            if kind <= StepKind.VALUE:
                return (function(*args),)
            if kind == StepKind.RESULTS:
                return tuple(function(*args))
        except (CogirError, InterpretationError):
            raise
        except Exception as error:
            raise InterpretationError(f"interpreter: {op.name}: {type(error).__name__}: {error}") from error
        raise InterpretationError(f"interpreter: {op.name} has no value for its operands")

    # The walk.

    def run_ssacfg_region(self, region: Region, args: PythonValues, name: str = "unknown") -> PythonValues:
        block = region.first_block
        values = self._values
        while block is not None:
            steps = self._steps.get(block)
            if steps is None:
                steps = self._steps[block] = [self._prepare(op) for op in block.ops]
            for argument, value in zip(block.args, args, strict=True):
                values[id(argument)] = value
            block = None
            op: Operation | None = None
            try:
                for kind, function, operands, results, op in steps:
                    if kind == 1:
                        values[results[0]] = function(values[operands[0]])
                    elif kind == 2:
                        values[results[0]] = function(values[operands[0]], values[operands[1]])
                    elif kind == 0:
                        values[results[0]] = function()
                    elif kind == 3:
                        values[results[0]] = function(*[values[key] for key in operands])
                    elif kind == 4:
                        values.update(zip(results, function(*[values[key] for key in operands]), strict=True))
                    elif kind == 5:
                        return tuple([values[key] for key in operands])
                    elif kind == 6:
                        block, args = function(*[values[key] for key in operands])
                    else:
                        returned = function(tuple([values[key] for key in operands]))
                        values.update(zip(results, returned.values, strict=True))
                        match returned.terminator_value:
                            case None:
                                pass
                            case ReturnedValues(outgoing):
                                return outgoing
                            case Successor(block, args):
                                pass
                            case _:
                                raise InterpretationError(f"interpreter: the terminator {op.name} is not supported")
            except (CogirError, InterpretationError):
                raise
            except Exception as error:
                place = f"{op.name} in {name}" if op is not None else name
                raise InterpretationError(f"interpreter: {place}: {type(error).__name__}: {error}") from error
        return ()

    def _prepare(self, op: Operation) -> Step:
        operands = tuple(id(operand) for operand in op.operands)
        results = tuple(id(result) for result in op.results)
        op_type = type(op)
        for table in self._meanings:
            if (meaning := table.value.get(op_type)) is not None:
                kind = _FIXED_ARITY[len(operands)] if len(operands) < 3 else StepKind.VALUE
                return kind, meaning(op, self), operands, results, op
            if (meaning := table.results.get(op_type)) is not None:
                return StepKind.RESULTS, meaning(op, self), operands, results, op
            if op_type in table.terminators:
                return StepKind.TERMINATOR, tuple, operands, results, op
            if (meaning := table.branches.get(op_type)) is not None:
                return StepKind.BRANCH, meaning(op, self), operands, results, op

        def registered(args: PythonValues) -> Any:
            try:
                return self._run_op(op, args)
            except InterpretationError as error:
                raise InterpretationError(f"interpreter: {place_of(op)}{op.name} cannot be interpreted: {error}") from None

        return StepKind.REGISTERED, registered, operands, results, op
