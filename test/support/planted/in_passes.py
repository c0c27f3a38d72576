"""Plants in what every program goes through: the llvm dialect, and the transformations before it."""

from collections.abc import Callable
from typing import Any

from support.planted.plants import Patch, planted
from xdsl.dialects import arith, llvm, scf
from xdsl.dialects.builtin import IntegerAttr, i64

from cogir.analysis import in_place
from cogir.backend import llvm_text
from cogir.lowering.machine import state
from cogir.lowering.to_llvm import arith as arith_to_llvm
from cogir.lowering.to_llvm.converter import RULES
from cogir.model.program import StaticProgram
from cogir.transforms import cse, dce, eliminate_scheduler, licm

# ---------------------------------------------------------------------------------------------------- to the llvm dialect


@planted()
def operands_of_subtraction_swapped(patch: Patch) -> None:
    convert = RULES[arith.SubfOp]

    def swapped(to: Any, op: Any) -> None:
        op.operands = list(reversed(op.operands))
        convert(to, op)

    patch.setitem(RULES, arith.SubfOp, swapped)


@planted()
def less_becomes_at_most(patch: Patch) -> None:
    """cmpf olt  ->  fcmp ole"""
    convert, less, at_most = RULES[arith.CmpfOp], 4, 5

    def loose(to: Any, op: Any) -> None:
        if op.predicate.value.data == less:
            op.properties["predicate"] = IntegerAttr(at_most, i64)
        convert(to, op)

    patch.setitem(RULES, arith.CmpfOp, loose)


@planted()
def shifts_right_keep_the_sign(patch: Patch) -> None:
    patch.setitem(arith_to_llvm._INTEGER_OPERATIONS, arith.ShRUIOp, llvm.AShrOp)


@planted()
def integers_compare_unsigned(patch: Patch) -> None:
    """cmpi slt, sle, sgt, sge  ->  icmp ult, ule, ugt, uge"""
    convert = RULES[arith.CmpiOp]

    def unsigned(to: Any, op: Any) -> None:
        predicate = op.predicate.value.data
        if 2 <= predicate <= 5:
            op.properties["predicate"] = IntegerAttr(predicate + 4, i64)
        convert(to, op)

    patch.setitem(RULES, arith.CmpiOp, unsigned)


@planted(level=1)
def multiplications_and_additions_contract(patch: Patch) -> None:
    patch.setattr(arith_to_llvm, "fast_math", lambda flags: llvm.FastMathAttr("fast"))


@planted()
def constants_with_six_digits(patch: Patch) -> None:
    exact = llvm_text.float_text
    patch.setattr(llvm_text, "float_text", lambda value, type: exact(float(f"{value:.6g}"), type))


# ------------------------------------------------------------------------------------------------------- transformations


@planted()
def cse_ignores_attributes(patch: Patch) -> None:
    """Two comparisons of the same operands become one, whatever they ask."""
    exact = cse.key_of

    def careless(op: Any, numbers: Any) -> Any:
        key = exact(op, numbers)
        return (key[0], key[1], *key[3:]) if isinstance(op, arith.CmpfOp | arith.CmpiOp) else key

    patch.setattr(cse, "key_of", careless)


@planted()
def licm_takes_carried_values_for_invariant(patch: Patch) -> None:
    """What a loop carries is read as what it started with."""
    hoist = licm.Hoister.hoist_from

    def careless(self: Any, loop: Any) -> None:
        if isinstance(loop, scf.ForOp):
            for argument, initial in zip(loop.body.block.args[1:], loop.iter_args, strict=True):
                argument.replace_all_uses_with(initial)
        hoist(self, loop)

    patch.setattr(licm.Hoister, "hoist_from", careless)


@planted()
def dce_shifts_results(patch: Patch) -> None:
    """When results are dropped, those that are kept change places with others of their type."""
    sound = dce.Sweeper.replace

    def shifted(self: Any, op: Any, new: Any, kept: Any) -> Any:
        places = list(range(len(kept)))
        for type_ in dict.fromkeys(result.type for result in new.results):
            alike = [n for n in places if new.results[n].type == type_]
            for n, m in zip(alike, [*alike[1:], *alike[:1]], strict=True):
                places[n] = m
        return sound(self, op, new, [kept[n] for n in places])

    patch.setattr(dce.Sweeper, "replace", shifted)


@planted()
def draws_leave_their_generator_behind(patch: Patch) -> None:
    """The state after a draw is lost: the next draw starts from the one before."""
    emit = state.State.write

    def forgetful(self: Any, path: str, value: Any) -> None:
        if self.layout[path].buffer != "rng" or "/random:ties" in path:
            emit(self, path, value)

    patch.setattr(state.State, "write", forgetful)


@planted()
def static_program_one_step_short(patch: Patch) -> None:
    _programs(patch, lambda steps: steps[:-1])


@planted()
def static_program_one_step_long(patch: Patch) -> None:
    _programs(patch, lambda steps: (*steps, *steps[:1]))


def _programs(patch: Patch, change: Callable[[Any], Any]) -> None:
    find = eliminate_scheduler.static_program

    def wrong(*arguments: Any, **options: Any) -> Any:
        found = find(*arguments, **options)
        return StaticProgram(change(found.steps)) if isinstance(found, StaticProgram) else found

    patch.setattr(eliminate_scheduler, "static_program", wrong)


@planted(library=True)
def old_versions_are_overwritten(patch: Patch) -> None:
    """bufferize never keeps a copy of what is read later."""
    patch.setattr(in_place.Planner, "conflicts", lambda *_: False)
