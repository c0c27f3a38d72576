"""
The full names of LLVM's intrinsics: in LLVM IR, the name of an overloaded intrinsic ends in the types it is used with.

`llvm.sqrt` of a `vector<8xf64>` is `llvm.sqrt.v8f64`; the llvm dialect leaves the ending to whoever writes LLVM IR.

A name is a string of the module, which anybody may have written. So no name is taken over from there: each is one of the tables below,
with an ending that is computed from types.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects import llvm
from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IntAttr,
    IntegerType,
    VectorType,
)
from xdsl.ir import Attribute

from cogir.analysis.verify_nvptx import OF_GPUS
from cogir.errors import BackendError, shown

OF_LLVM = "llvm."
"""The beginning of the names that are LLVM's own."""

RESULT = -1
"""Stands for the type of the result in a list of the types that a name depends on."""

_BY_RESULT = (
    "sqrt fabs floor ceil trunc round roundeven rint nearbyint copysign fma fmuladd minimum maximum minimumnum maximumnum "
    "minnum maxnum exp exp2 exp10 log log2 log10 sin cos tan sinh cosh tanh asin acos atan atan2 pow canonicalize smin smax "
    "umin umax abs ctpop ctlz cttz bswap bitreverse fshl fshr uadd.sat sadd.sat usub.sat ssub.sat expect stepvector"
)
_BY_FIRST_OPERAND = (
    "uadd.with.overflow sadd.with.overflow umul.with.overflow smul.with.overflow usub.with.overflow ssub.with.overflow "
    "vector.reduce.add vector.reduce.mul vector.reduce.and vector.reduce.or vector.reduce.xor vector.reduce.smin "
    "vector.reduce.smax vector.reduce.umin vector.reduce.umax vector.reduce.fmin vector.reduce.fmax "
    "vector.reduce.fminimum vector.reduce.fmaximum prefetch lifetime.start lifetime.end stackrestore is.fpclass"
)
OVERLOADED: dict[str, tuple[int, ...]] = {
    **{f"llvm.{name}": (RESULT,) for name in _BY_RESULT.split()},
    **{f"llvm.{name}": (0,) for name in _BY_FIRST_OPERAND.split()},
    "llvm.vector.reduce.fadd": (1,),
    "llvm.vector.reduce.fmul": (1,),
    "llvm.memcpy": (0, 1, 2),
    "llvm.memmove": (0, 1, 2),
    "llvm.memset": (0, 2),
    "llvm.masked.load": (RESULT, 0),
    "llvm.masked.store": (0, 1),
    "llvm.masked.gather": (RESULT, 0),
    "llvm.masked.scatter": (0, 1),
    "llvm.stacksave": (RESULT,),
    "llvm.powi": (RESULT, 1),
}
"""For each overloaded intrinsic the operands (or `RESULT`) whose types end its name."""

PLAIN = OF_GPUS | {"llvm.trap", "llvm.assume", "llvm.donothing", "llvm.debugtrap", "llvm.readcyclecounter"}
"""Intrinsics of one type: those of every machine, and the registers and the barrier of GPUs."""


def type_suffix(type: Attribute) -> str:
    """The suffix of a type in the name of an intrinsic: f64, i1, v8f64, p0."""
    match type:
        case Float64Type():
            return "f64"
        case Float32Type():
            return "f32"
        case Float16Type():
            return "f16"
        case BFloat16Type():
            return "bf16"
        case IntegerType():
            return f"i{type.width.data}"
        case VectorType():
            vector = cast("VectorType[Any]", type)
            return f"v{vector.get_shape()[0]}{type_suffix(vector.element_type)}"
        case llvm.LLVMPointerType():
            return f"p{type.addr_space.data if isinstance(type.addr_space, IntAttr) else 0}"
        case _:
            raise BackendError(f"emit-llvm-ir: no intrinsic is defined for values of type {type}")


def full_name(name: str, operands: Sequence[Attribute], result: Attribute | None) -> str:
    """
    The name of an intrinsic with the types it is used with, which `name` may have already.

    Raises BackendError for a name that is in no table, or that ends in other types.
    """
    if name in PLAIN:
        return name
    base = base_name(name)
    if (positions := OVERLOADED.get(base)) is None:
        raise BackendError(
            f"emit-llvm-ir: the intrinsic {shown(name)} is not in the tables of backend/intrinsics.py; use one that is, or add it there"
        )
    parts = [base]
    for position in positions:
        if position >= len(operands):
            raise BackendError(f"emit-llvm-ir: the intrinsic {base} takes more operands than {len(operands)}; give it all of them")
        type = result if position == RESULT else operands[position]
        if type is None:
            raise BackendError(f"emit-llvm-ir: the intrinsic {base} returns a value, but the call has no result")
        parts.append(type_suffix(type))
    full = ".".join(parts)
    if name not in (base, full):
        raise BackendError(f"emit-llvm-ir: the intrinsic {shown(name)} is used with other types; write {base}, or {full}")
    return full


def require_intrinsic(name: str, operands: Sequence[Attribute], result: Attribute | None) -> None:
    """Raises BackendError for a symbol with a name of LLVM's own that is not the full name of an intrinsic of these types."""
    if (full := full_name(name, operands, result)) != name:
        raise BackendError(
            f"emit-llvm-ir: {shown(name)} is a name of LLVM's own; write {full}, or a name that does not begin with {OF_LLVM}"
        )


def base_name(name: str) -> str:
    """The name of an intrinsic without the types at its end: llvm.sqrt for llvm.sqrt.v8f64."""
    parts = name.split(".")
    for end in range(len(parts), 1, -1):
        if (base := ".".join(parts[:end])) in OVERLOADED:
            return base
    return name
