"""
Lets a model stop at the first index or window out of range, integer division by zero, impossible draw, or NaN made from numbers.

Before: `cog` models with the functions that their nodes and projections call.
After:  a body in which one of these can happen yields its first fault (`interpreters/faults.py`), 0 if there is none; functions have a
        checked copy that returns theirs, too. The module attribute `cog.checks` says what each number stands for, and on which line.

```mlir
%root = math.sqrt %x : f64
// becomes
%root = math.sqrt %x : f64
%is_nan = arith.cmpf uno, %root, %root : f64
%was_number = arith.cmpf ord, %x, %x : f64
%made = arith.andi %is_nan, %was_number : i1
%fault = arith.select %made, %code, %c0 : i64           // the number of the check, and the upper half of %x
```

A fault inside a function of `cogir.library` names the line of the user's function that calls it, so each such line has its own copy.
Operations on arrays become loops over their elements. What a choice computes and drops is no fault: `arith.select`, also element by
element, and `arith.andi` and `arith.ori` with the attribute `cog.short_circuit`, whose right side Python may not compute. Without `enabled`
the pass does nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias, cast

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import arith, func, math, scf, tensor
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    Float64Type,
    FunctionType,
    IndexType,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    TensorType,
    f64,
    i1,
    i64,
)
from xdsl.dialects.linalg import ops as linalg
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue, Use
from xdsl.ir.affine import AffineBinaryOpExpr, AffineBinaryOpKind, AffineConstantExpr, AffineDimExpr, AffineExpr
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from cogir.dialects import cog, rng
from cogir.dialects.rng import DRAW
from cogir.errors import LoweringError
from cogir.interpreters.checks import DIVISOR, INDEX, OPERATOR, SHORT_CIRCUIT, WINDOW, is_of_library, place_of
from cogir.interpreters.faults import CHECKS, FARTHEST, FOUND_BITS, MOST_CHECKS, WITHIN, Check
from cogir.irutils import element_type_of, index_constant, iteration_extents, replace_by, shape_of
from cogir.library.random.generators import seed_bits
from cogir.lowering.convert_elementwise_to_linalg import convert
from cogir.lowering.library.symbols import symbols_of
from cogir.lowering.machine.emitter import is_tensor

NAN_MAKERS: Mapping[type[Operation], str] = {
    arith.AddfOp: "addf",
    arith.SubfOp: "subf",
    arith.MulfOp: "mulf",
    arith.DivfOp: "divf",
    math.FmaOp: "fma",
    math.SqrtOp: "sqrt",
    math.RsqrtOp: "rsqrt",
    math.AcosOp: "arccos",
    math.AcoshOp: "arccosh",
    math.AsinOp: "arcsin",
    math.AtanhOp: "arctanh",
    math.CosOp: "cos",
    math.LogOp: "log",
    math.Log10Op: "log10",
    math.Log1pOp: "log1p",
    math.Log2Op: "log2",
    math.PowFOp: "powf",
    math.SinOp: "sin",
    math.TanOp: "tan",
}
"""The operations whose result can be NaN although no operand is, and what `faults.py` calls them."""


_PLACES = frozenset((INDEX, WINDOW))
_MARKS = frozenset((INDEX, WINDOW, DIVISOR, DRAW))
"""The attributes of operations that put something right, or return a value that stands for none."""
REMEDY = "write it with scf.if, scf.for and scf.while, or compile without checked=True"


@dataclass(frozen=True)
class InsertChecks(ModulePass):
    """Lets bodies yield the first index out of range, integer division by zero, impossible draw, or NaN made from numbers."""

    name = "insert-checks"

    enabled: bool = False
    """True if the module is to be checked."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if not self.enabled:
            return
        module = _Module(op)
        for body in [each for each in op.walk() if isinstance(each, cog.NodeOp | cog.ProjectOp)]:
            if (block := body.body.block if body.body is not None else None) is not None:
                module.check_body(block)
        op.attributes[CHECKS] = ArrayAttr(ArrayAttr(map(StringAttr, (each.kind, each.detail, each.place))) for each in module.numbers)


def checks_of(module: ModuleOp) -> list[Check]:
    """The table of the checks of a module."""
    table = cast("ArrayAttr[ArrayAttr[StringAttr]]", module.attributes.get(CHECKS, ArrayAttr(())))
    return [Check(*(text.data for text in row)) for row in table]


@dataclass
class _Module:
    """The functions of a module, their checked copies, and the numbers of all checks."""

    op: ModuleOp
    numbers: dict[Check, int] = field(default_factory=dict[Check, int])

    def __post_init__(self) -> None:
        self.functions = {each.sym_name.data: each for each in self.op.ops if isinstance(each, func.FuncOp)}
        self.names = set(symbols_of(self.op))
        self.copies: dict[tuple[str, str], str | None] = {}

    def number(self, check: Check) -> int:
        """The number of a check, from 1."""
        found = self.numbers.setdefault(check, len(self.numbers) + 1)
        if found > MOST_CHECKS:
            raise LoweringError(f"insert-checks: the module needs more than {MOST_CHECKS:,} checks; compile without checked=True")
        return found

    def copy_of(self, op: func.CallOp, caller: str) -> str | None:
        """
        The checked copy of the function that is called, or None if there is nothing to check in it.

        `caller`: the user's line that has called the library function in which the call stands; empty if the call is the user's.
        """
        name = op.callee.string_value()
        function = self.functions.get(name)
        if function is None or function.is_declaration:
            return None
        if not is_of_library(function.location):
            caller = ""
        elif not is_of_library(op.location) and (place := place_of(op)):
            caller = f"{place}{WITHIN}"
        if (name, caller) not in self.copies:
            self.copies[name, caller] = self._copy(function, caller)
        return self.copies[name, caller]

    def _copy(self, function: func.FuncOp, caller: str) -> str | None:
        if len(function.body.blocks) > 1:
            raise LoweringError(f"insert-checks: @{function.sym_name.data} has several blocks, which checked runs do not support; {REMEDY}")
        copy = function.clone()
        fault = _Block(self, copy.body.block, caller).check()
        if fault is None:
            return None
        end = cast(func.ReturnOp, copy.body.block.last_op)
        end.operands = [*end.operands, fault]
        name = f"{function.sym_name.data}_checked"
        while name in self.names:
            name += "_"
        self.names.add(name)
        copy.properties["sym_name"] = StringAttr(name)
        copy.properties["function_type"] = FunctionType.from_lists([*function.function_type.inputs], [*function.function_type.outputs, i64])
        if function.res_attrs is not None:
            copy.res_attrs = ArrayAttr([*function.res_attrs, type(function.res_attrs.data[0])({})]) if function.res_attrs.data else None
        self.op.body.block.insert_op_before(copy, function)
        return name

    def check_body(self, block: Block) -> None:
        """Lets the body of a node or projection yield its first fault."""
        fault = _Block(self, block, "").check()
        if fault is not None:
            end = cast(cog.YieldOp, block.last_op)
            new = cog.YieldOp(end.outputs, end.states, end.random, end.finished, fault)
            new.location, new.attributes = end.location, end.attributes
            block.insert_op_before(new, end)
            block.erase_op(end)


@dataclass(frozen=True)
class _Guard:
    """A choice and one of its operands: what only this operand needs may be dropped."""

    choice: arith.SelectOp | arith.AndIOp | arith.OrIOp
    side: int
    at: Operation = field(compare=False)
    """The operation of the checked block before which the choice is known."""

    @property
    def test(self) -> SSAValue:
        """The condition of the choice."""
        return self.choice.cond if isinstance(self.choice, arith.SelectOp) else self.choice.lhs

    @property
    def if_true(self) -> bool:
        """True if the operand is taken where the condition holds."""
        return self.side == 1 if isinstance(self.choice, arith.SelectOp) else isinstance(self.choice, arith.AndIOp)


class _Block:
    """The checks of one block: the first fault of its operations, as a value at its end."""

    def __init__(self, module: _Module, block: Block, caller: str, is_element: bool = False):
        """`caller`: see `_Module.copy_of`; `is_element`: the block computes an element of an array."""
        self.module = module
        self.block = block
        self.caller = caller
        self.is_element = is_element
        self.guards: dict[Operation, list[_Guard]] = {}
        self.waiting: dict[Operation, list[tuple[SSAValue, list[_Guard]]]] = {}
        self.fault: SSAValue | None = None

    def check(self) -> SSAValue | None:
        """Adds the checks; the first fault at the end of the block, or None if nothing can happen in it."""
        operations = list(self.block.ops)
        self.find_guards(self.block, None)
        for op in operations:
            self.builder = Builder(InsertPoint.before(op))
            for code, guards in self.waiting.pop(op, ()):
                while guards and guards[0].at is op:
                    code = self.unless_dropped(code, guards.pop(0))
                self.guard(code, guards)
            if op is self.block.last_op:
                break
            following = cast(Operation, op.next_op)
            code = self.code_of(op)
            self.builder = Builder(InsertPoint.before(following))
            if code is not None:
                self.guard(code, self.guards_that_count(op))
        return self.fault

    def find_guards(self, block: Block, within: LinalgStructuredOperation | None) -> None:
        """Finds the guards of all operations of a block, and of the elements that its operations on arrays compute."""
        for op in reversed(list(block.ops)):
            self.guards[op] = self.guards_of(op.results, within)
            if within is not None and op is block.last_op:
                self.guards[op] = self.guards[within]
            if isinstance(op, LinalgStructuredOperation):
                self.find_guards(op.body.block, op)

    def guards_of(self, values: Sequence[SSAValue], within: LinalgStructuredOperation | None) -> list[_Guard]:
        """The choices, from the nearest outwards, all of which must take what needs these values for them to matter."""
        found = [self.guards_of_use(use, within) for value in values for use in value.uses]
        return [each for each in found[0] if all(each in others for others in found[1:])] if found else []

    def guards_of_use(self, use: Use, within: LinalgStructuredOperation | None) -> list[_Guard]:
        """The choices that must take what needs this operand; `within`: the operation in whose body the operand is computed."""
        user = use.operation
        beyond = self.guards.get(user, [])
        if isinstance(user, LinalgStructuredOperation):
            argument = user.body.block.args[use.index]
            return self.guards_of([argument], user) if argument.first_use is not None else beyond
        parent = user.parent_op()
        at = parent if isinstance(parent, LinalgStructuredOperation) and user.parent is not self.block else user
        return [*(each for each in _guards_at(user, use.index, at) if self.is_known(each.test, at)), *beyond]

    def guards_that_count(self, op: Operation) -> list[_Guard]:
        """
        The guards of an operation; none for indices, draws, and divisors of single numbers: they stand only where Python computes them.
        """
        if not _PLACES.isdisjoint(op.attributes) or isinstance(op, rng.IntegerOp | rng.SeedOp):
            return []
        if DIVISOR in op.attributes and not self.is_element:
            return []
        # The rule that drops a quotient is also the one for a divisor of 0 or -1 itself.
        own = op.cond if isinstance(op, arith.SelectOp) and DIVISOR in op.attributes else None
        return [each for each in self.guards[op] if each.test is not own]

    def is_known(self, test: SSAValue, at: Operation) -> bool:
        """True if a condition is one number, which stands before an operation of the block."""
        return test.type == i1 and at in self.guards and test.owner.parent_op() is not at

    def guard(self, code: SSAValue, guards: Sequence[_Guard]) -> None:
        """Notes a fault once it is known whether all choices take what it is of."""
        if not guards:
            self.note(code)
        else:
            self.waiting.setdefault(guards[0].at, []).append((code, [*guards]))

    def unless_dropped(self, code: SSAValue, guard: _Guard) -> SSAValue:
        """The fault, or 0 where a choice takes its other operand."""
        taken, other = (code, self.integer(0)) if guard.if_true else (self.integer(0), code)
        return self.value(arith.SelectOp(guard.test, taken, other))

    def note(self, code: SSAValue) -> None:
        """The first fault of the block, now that this operation has its own."""
        self.fault = code if self.fault is None else self.first(self.fault, code)

    # Operations

    def code_of(self, op: Operation) -> SSAValue | None:
        """The fault of one operation, which may be replaced by another; None if nothing can happen."""
        match op:
            case func.CallOp() if _operator(op) is not None:
                return self.made_nan(op)
            case func.CallOp() if DRAW in op.attributes:
                return self.refused_draw(op)
            case func.CallOp():
                return self.call(op)
            case rng.IntegerOp() | rng.SeedOp() if _may_refuse(op):
                return self.refused_integer(op)
            case scf.IfOp() | scf.ForOp() | scf.WhileOp():
                return self.control_flow(op)
            case LinalgStructuredOperation():
                return self.elements(op) if self.can_fail(op.body) else None
            case _ if type(op) in NAN_MAKERS:
                return self.made_nan(op)
            case arith.MaxSIOp() | arith.MinSIOp() if INDEX in op.attributes:
                return self.moved_index(op)
            case arith.AddiOp() | arith.MaxSIOp() | arith.MinSIOp() if WINDOW in op.attributes:
                return self.moved_window(op)
            case arith.SelectOp() if DIVISOR in op.attributes:
                zero = self.after(op).value(arith.ConstantOp(IntegerAttr(0, cast(Any, op.rhs.type))))
                return self.code(op, "divisor", "", self.value(arith.CmpiOp(op.rhs, zero, "eq")), self.integer(0))
            case _ if any(map(self.can_fail, op.regions)):
                raise LoweringError(f"insert-checks: operations inside {op.name} cannot be checked; {REMEDY}")
            case _:
                return None

    def call(self, op: func.CallOp) -> SSAValue | None:
        """A call of the function's checked copy."""
        name = self.module.copy_of(op, self.caller)
        if name is None:
            return None
        new = func.CallOp(name, op.operands, [*op.result_types, i64])
        new.location, new.attributes = op.location, op.attributes
        self.block.insert_op_before(new, op)
        self.replace(op, new)
        return new.results[-1]

    def control_flow(self, op: scf.IfOp | scf.ForOp | scf.WhileOp) -> SSAValue | None:
        """Branches and loops, which then yield their first fault."""
        if not any(map(self.can_fail, op.regions)):
            return None
        rewritten = {scf.IfOp: self.branches, scf.ForOp: self.counted, scf.WhileOp: self.repeated}[type(op)](cast(Any, op))
        rewritten.location = op.location
        rewritten.attributes |= op.attributes
        self.block.insert_op_before(rewritten, op)
        self.replace(op, rewritten)
        return rewritten.results[-1]

    def branches(self, op: scf.IfOp) -> scf.IfOp:
        """Both branches yield their fault."""
        regions = [op.detach_region(region) for region in (op.true_region, op.false_region)]
        if regions[1].first_block is None:
            regions[1].add_block(Block([scf.YieldOp()]))
        for region in regions:
            self.yield_fault(region.block, None)
        return scf.IfOp(op.cond, [*op.result_types, i64], regions[0], regions[1])

    def counted(self, op: scf.ForOp) -> scf.ForOp:
        """The loop carries the first fault of all its iterations."""
        region = op.detach_region(op.body)
        self.yield_fault(region.block, region.block.insert_arg(i64, len(region.block.args)))
        return scf.ForOp(op.lb, op.ub, op.step, [*op.iter_args, self.integer(0)], region)

    def repeated(self, op: scf.WhileOp) -> scf.WhileOp:
        """The loop carries the first fault of all its iterations and questions, and ends with it."""
        regions = [op.detach_region(region) for region in (op.before_region, op.after_region)]
        for region in regions:
            self.yield_fault(region.block, region.block.insert_arg(i64, len(region.block.args)))
        return scf.WhileOp([*op.arguments, self.integer(0)], [*op.result_types, i64], *regions)

    def yield_fault(self, block: Block, before: SSAValue | None) -> None:
        """The terminator of a nested block hands its first fault on, or the one from `before` it."""
        inner = _Block(self.module, block, self.caller, self.is_element)
        fault = inner.check()
        inner.builder = Builder(InsertPoint.before(cast(Operation, block.last_op)))
        if before is None:
            fault = fault or inner.integer(0)
        else:
            fault = before if fault is None else inner.first(before, fault)
        end = cast(Operation, block.last_op)
        if isinstance(end, scf.ConditionOp):
            none = inner.value(arith.CmpiOp(fault, inner.integer(0), "eq"))
            end.operands[0] = inner.value(arith.AndIOp(end.condition, none))
        end.operands = [*end.operands, fault]

    def can_fail(self, region: Region) -> bool:
        """True if something is to be checked in a region."""
        return any(
            type(op) in NAN_MAKERS
            or not _MARKS.isdisjoint(op.attributes)
            or _operator(op) is not None
            or _may_refuse(op)
            or (isinstance(op, func.CallOp) and self.module.copy_of(op, self.caller) is not None)
            for op in region.walk()
        )

    def made_nan(self, op: Operation) -> SSAValue | None:
        """The fault of an operation on floating-point numbers, or on arrays of them."""
        result = op.results[0]
        if isinstance(result.type, TensorType):
            following, location = cast(Operation, op.next_op), op.location
            convert(op)
            generic = cast(linalg.GenericOp, following.prev_op)
            for inner in generic.body.block.ops:
                inner.location = location
            return self.elements(generic)
        self.after(op)
        is_nan = self.value(arith.CmpfOp(result, result, "uno"))
        numbers = [self.value(arith.CmpfOp(a, b, "ord")) for a, b in _pairs([each for each in op.operands if each.type != i64])]
        made = is_nan
        for each in numbers:
            made = self.value(arith.AndIOp(made, each))
        first = op.operands[0]
        widen = arith.SIToFPOp if first.type == i64 else arith.ExtFOp
        wide = first if isinstance(first.type, Float64Type) else self.value(widen(first, f64))
        bits = self.value(arith.BitcastOp(wide, i64))
        return self.code(op, "nan", _operator(op) or NAN_MAKERS[type(op)], made, self.value(arith.ShRUIOp(bits, self.integer(FOUND_BITS))))

    def moved_index(self, op: arith.MaxSIOp | arith.MinSIOp) -> SSAValue:
        """The fault of an index that is brought into its axis. A negative one of a Python function has been counted from the end before."""
        extent = cast("IntegerAttr[Any]", op.attributes[INDEX]).value.data
        self.after(op)
        moved = self.value(arith.CmpiOp(op.result, op.lhs, "ne"))
        found = op.lhs
        if not isinstance(found.type, IndexType):
            negative = self.value(arith.CmpiOp(op.lhs, self.integer(0), "slt"))
            counted = self.value(arith.SubiOp(op.lhs, self.integer(extent)))
            found = self.value(arith.SelectOp(negative, counted, op.lhs))
        return self.code(op, "index", str(extent), moved, self.place(found))

    def moved_window(self, op: arith.AddiOp | arith.MaxSIOp | arith.MinSIOp) -> SSAValue:
        """The fault of a window that Python makes shorter: where its start is counted from the end, or else brought into the axis."""
        length, extent = cast("DenseArrayBase[Any]", op.attributes[WINDOW]).get_values()
        self.after(op)
        if isinstance(op, arith.AddiOp):
            # From the front the window starts at 0 to extent - length, from the end at -extent to -length - 1.
            front, end = self.is_one_of(op.lhs, 0, extent - length + 1), self.is_one_of(op.lhs, -extent, extent - length)
            fits = self.value(arith.OrIOp(front, end))
            moved = self.value(arith.XOrIOp(fits, self.value(arith.ConstantOp(IntegerAttr(1, i1)))))
        else:
            moved = self.value(arith.CmpiOp(op.result, op.lhs, "ne"))
        return self.code(op, "window", f"{length} {extent}", moved, self.place(op.lhs))

    def refused_draw(self, op: func.CallOp) -> SSAValue:
        """The fault of a draw that has no number for its parameters: the result is -1, or NaN although no parameter is."""
        self.after(op)
        value = op.results[0]
        refused = self.has(value, _is_nan if element_type_of(value.type) == f64 else _is_minus_one)
        if element_type_of(value.type) == f64:
            true = self.value(arith.ConstantOp(IntegerAttr(1, i1)))
            for parameter in op.operands:
                if not isinstance(parameter.type, rng.StateType) and element_type_of(parameter.type) == f64:
                    numbers = self.value(arith.XOrIOp(self.has(parameter, _is_nan), true))
                    refused = self.value(arith.AndIOp(refused, numbers))
        draw = cast(StringAttr, op.attributes[DRAW]).data
        return self.code(op, "draw", draw, refused, self.integer(0))

    def refused_integer(self, op: rng.IntegerOp | rng.SeedOp) -> SSAValue:
        """The fault of a draw of an integer from none, or of a seed out of range."""
        self.after(op)
        if isinstance(op, rng.IntegerOp):
            refused = self.value(arith.CmpiOp(op.below, self.integer(1), "slt"))
            return self.code(op, "integer", "", refused, self.place(op.below))
        (seed,), bits = op.key, seed_bits(op.state.type.kind.data)
        refused = self.value(arith.CmpiOp(self.value(arith.ShRUIOp(seed, self.integer(bits))), self.integer(0), "ne"))
        return self.code(op, "seed", str(bits), refused, self.place(seed))

    def has(self, value: SSAValue, test: Callable[[Builder, SSAValue], SSAValue]) -> SSAValue:
        """True if a number, or an element of an array, passes a test."""
        if not is_tensor(value.type):
            return test(self.builder, value)

        def element(builder: Builder, indices: Sequence[SSAValue], found: Sequence[SSAValue]) -> Sequence[SSAValue]:
            passes = test(builder, builder.insert(tensor.ExtractOp(value, list(indices), element_type_of(value.type))).result)
            return [builder.insert(arith.OrIOp(found[0], passes)).result]

        none = self.value(arith.ConstantOp(IntegerAttr(0, i1)))
        return _loops(self.builder, shape_of(value.type), [none], element)[0]

    def is_one_of(self, value: SSAValue, start: int, count: int) -> SSAValue:
        """True if an i64 is one of the `count` numbers from `start` on."""
        distance = self.value(arith.SubiOp(value, self.integer(start)))
        return self.value(arith.CmpiOp(distance, self.integer(count), "ult"))

    def place(self, index: SSAValue) -> SSAValue:
        """An index, or how far it is at least, as the lower bits of a fault."""
        found = self.value(arith.IndexCastOp(index, i64)) if isinstance(index.type, IndexType) else index
        found = self.value(arith.MaxSIOp(found, self.integer(-FARTHEST)))
        found = self.value(arith.MinSIOp(found, self.integer(FARTHEST)))
        return self.value(arith.AndIOp(found, self.integer((1 << FOUND_BITS) - 1)))

    def code(self, op: Operation, kind: str, detail: str, happened: SSAValue, found: SSAValue) -> SSAValue:
        """The fault of an operation, if it happened."""
        number = self.module.number(Check(kind, detail, self.caller if self.caller and is_of_library(op.location) else place_of(op)))
        code = self.value(arith.OrIOp(self.integer(number << FOUND_BITS), found))
        return self.value(arith.SelectOp(happened, code, self.integer(0)))

    # Arrays

    def elements(self, op: LinalgStructuredOperation) -> SSAValue | None:
        """An operation on arrays as loops over its elements, in the same order, that carry the outputs and the first fault."""
        *outputs, fault = _Nest(self, op, iteration_extents(op)).build()
        replace_by(op, outputs)
        return fault

    # Building

    def after(self, op: Operation) -> _Block:
        """Further operations stand behind this one."""
        self.builder = Builder(InsertPoint.after(op))
        return self

    def value(self, op: Operation) -> SSAValue:
        """An operation at the cursor."""
        return self.builder.insert(op).results[0]

    def integer(self, value: int) -> SSAValue:
        """A constant."""
        return self.value(arith.ConstantOp(IntegerAttr(value, i64)))

    def first(self, before: SSAValue, code: SSAValue) -> SSAValue:
        """The fault from before, or else this one."""
        none = self.value(arith.CmpiOp(before, self.integer(0), "eq"))
        return self.value(arith.SelectOp(none, code, before))

    def replace(self, op: Operation, new: Operation) -> None:
        """Another operation stands in the place of this one; it has one result more."""
        replace_by(op, new.results[:-1])


_LoopBody: TypeAlias = Callable[[Builder, Sequence[SSAValue], Sequence[SSAValue]], Sequence[SSAValue]]
"""Builds the innermost block of loops, from their indices and what they carry; the result is what they carry on."""


def _loops(
    builder: Builder, extents: Sequence[int], carried: Sequence[SSAValue], body: _LoopBody, indices: Sequence[SSAValue] = ()
) -> Sequence[SSAValue]:
    """Loops over all elements of these extents, inside of those with `indices`; the results are what is carried at the end."""
    depth = len(indices)
    if depth == len(extents):
        return body(builder, indices, carried)
    block = Block(arg_types=[IndexType(), *(value.type for value in carried)])
    inner = Builder(InsertPoint.at_end(block))
    inner.insert(scf.YieldOp(*_loops(inner, extents, block.args[1:], body, [*indices, block.args[0]])))
    low, high, step = (builder.insert(index_constant(number)).result for number in (0, extents[depth], 1))
    return builder.insert(scf.ForOp(low, high, step, carried, Region(block))).results


@dataclass
class _Nest:
    """The loops over the elements of an operation on arrays."""

    block: _Block
    op: LinalgStructuredOperation
    extents: tuple[int, ...]

    def build(self) -> Sequence[SSAValue]:
        """The outputs, and the first fault."""
        builder = Builder(InsertPoint.before(self.op))
        zero = builder.insert(arith.ConstantOp(IntegerAttr(0, i64))).result
        return _loops(builder, self.extents, [*self.op.outputs, zero], self.body)

    def body(self, builder: Builder, indices: Sequence[SSAValue], carried: Sequence[SSAValue]) -> Sequence[SSAValue]:
        """The body on one element of each operand, the new elements in their places, and the first fault."""
        operands = [*self.op.inputs, *carried[:-1]]
        places = [[self.index(builder, expr, indices) for expr in attr.data.results] for attr in self.op.get_indexing_maps()]
        body = self.op.body.clone().block
        inner = _Block(self.block.module, body, self.block.caller, is_element=True)
        fault = inner.check()
        end = cast(Operation, body.last_op)
        for argument, value, place in zip(body.args, operands, places, strict=True):
            if argument.first_use is not None:
                argument.replace_all_uses_with(self.element(builder, value, place))
        for op in list(body.ops):
            if isinstance(op, linalg.IndexOp):
                op.result.replace_all_uses_with(indices[op.dim.value.data])
            elif op is not end:
                op.detach()
                builder.insert(op)
        count = len(self.op.inputs)
        after: list[SSAValue] = []
        for value, array, place in zip(end.operands, carried[:-1], places[count:], strict=True):
            after.append(builder.insert(tensor.InsertOp(value, array, place)).result if isinstance(array.type, TensorType) else value)
        if fault is None:
            return [*after, carried[-1]]
        inner.builder = builder
        return [*after, inner.first(carried[-1], fault)]

    def index(self, builder: Builder, expr: AffineExpr, indices: Sequence[SSAValue]) -> SSAValue:
        """An index of an operand: that of a loop, a constant, or a sum or product of such."""
        match expr:
            case AffineDimExpr():
                return indices[expr.position]
            case AffineConstantExpr():
                return builder.insert(index_constant(expr.value)).result
            case AffineBinaryOpExpr(kind=AffineBinaryOpKind.Add | AffineBinaryOpKind.Mul):
                left, right = (self.index(builder, each, indices) for each in (expr.lhs, expr.rhs))
                joined = arith.AddiOp if expr.kind is AffineBinaryOpKind.Add else arith.MuliOp
                return builder.insert(joined(left, right)).result
            case _:
                raise LoweringError(
                    f"insert-checks: {self.op.name} has the index {expr}, which checked runs do not support; compile without checked=True"
                )

    def element(self, builder: Builder, value: SSAValue, place: Sequence[SSAValue]) -> SSAValue:
        """The element of an operand; a scalar is its own."""
        held: Attribute = value.type
        return builder.insert(tensor.ExtractOp(value, list(place), element_type_of(held))).result if is_tensor(held) else value


def _operator(op: Operation) -> str | None:
    """The name of the operator on numbers that a call computes, or None."""
    name = op.attributes.get(OPERATOR)
    if not isinstance(op, func.CallOp) or not isinstance(name, StringAttr) or not op.operands or list(op.result_types) != [f64]:
        return None
    return name.data if all(each in (f64, i64) for each in op.operand_types) else None


def _may_refuse(op: Operation) -> bool:
    """True if an operation draws an integer, or seeds a generator, with a number that may be out of range."""
    if isinstance(op, rng.IntegerOp):
        return not (isinstance(bound := op.below.owner, arith.ConstantOp) and cast("IntegerAttr[Any]", bound.value).value.data > 0)
    return isinstance(op, rng.SeedOp) and len(op.key) == 1


def _is_nan(builder: Builder, value: SSAValue) -> SSAValue:
    return builder.insert(arith.CmpfOp(value, value, "uno")).result


def _is_minus_one(builder: Builder, value: SSAValue) -> SSAValue:
    minus_one = builder.insert(arith.ConstantOp(IntegerAttr(-1, i64))).result
    return builder.insert(arith.CmpiOp(value, minus_one, "eq")).result


def _guards_at(user: Operation, side: int, at: Operation) -> list[_Guard]:
    """The choices that are known to take what needs an operand of this operation: itself, and the left sides of `a < b < c`."""
    if isinstance(user, arith.SelectOp):
        return [_Guard(user, side, at)] if side else []
    if not isinstance(user, arith.AndIOp | arith.OrIOp) or SHORT_CIRCUIT not in user.attributes or side == 0:
        return []
    left = user.lhs.owner
    return [_Guard(user, side, at), *(_guards_at(left, side, at) if isinstance(left, Operation) and left.name == user.name else ())]


def _pairs(operands: Sequence[SSAValue]) -> list[tuple[SSAValue, SSAValue]]:
    """The operands two by two, the last one with itself if it is left over."""
    firsts = list(operands)
    return [(firsts[i], firsts[min(i + 1, len(firsts) - 1)]) for i in range(0, len(firsts), 2)]
