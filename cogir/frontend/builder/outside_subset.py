"""
Signs that a function cannot be compiled, found in its bytecode and in what that names, without the compiler.

`m.node` looks for them, and compiles a function at once only if there is one: to import the compiler takes longer than to run a model from
the cache. The names are those of docs/functions.md.
"""

from __future__ import annotations

import builtins
import functools
import math
import opcode
import sys
from functools import cache
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any, cast

import numpy as np

from cogir.library.bytecode import Chain, mentions

NUMPY = """
absolute add all allclose amax amin any append arange arccos arccosh arcsin arcsinh arctan arctan2 arctanh argmax argmin
argsort around array asarray ascontiguousarray atleast_1d atleast_2d bitwise_and bitwise_or bitwise_xor bool
broadcast_to cbrt ceil clip concatenate convolve copy copysign cos cosh count_nonzero cumprod cumsum deg2rad degrees
diag diff divide dot einsum empty empty_like equal exp exp2 expand_dims expm1 eye fabs flip float32 float64 floor
floor_divide fmax fmin fmod full full_like greater greater_equal heaviside hstack hypot identity inner int64 interp
invert isclose isfinite isinf isnan left_shift less less_equal linalg.cholesky linalg.det linalg.inv linalg.norm
linalg.solve linspace log log10 log1p log2 logaddexp logical_and logical_not logical_or logical_xor matmul max maximum
mean median min minimum multiply nan_to_num ndim negative not_equal ones ones_like outer percentile positive power prod
quantile rad2deg radians ravel reciprocal remainder repeat reshape right_shift rint roll round searchsorted shape sign
sin sinh size sort sqrt square squeeze stack std subtract sum take tan tanh tile trace transpose trunc var vstack where
zeros zeros_like
""".split()
MATH = """
acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh degrees erf exp exp2 expm1 fabs floor fmod hypot isfinite isinf isnan log
log10 log1p log2 pow radians sin sinh sqrt tan tanh trunc
""".split()
SPECIAL = """
erf expit gammaln logsumexp softmax
""".split()
PYTHON = """
abs all any bool divmod enumerate float int isinstance len list max min pow range reversed round sum tuple zip
""".split()

_FOREIGN = frozenset(
    opcode.opmap[name]
    for name in """
        PUSH_EXC_INFO BEFORE_WITH RAISE_VARARGS LOAD_ASSERTION_ERROR IMPORT_NAME STORE_GLOBAL STORE_ATTR YIELD_VALUE
        BUILD_MAP BUILD_CONST_KEY_MAP BUILD_SET MAP_ADD SET_ADD FORMAT_VALUE FORMAT_SIMPLE BUILD_STRING MATCH_SEQUENCE MATCH_MAPPING
        MATCH_CLASS DELETE_FAST DELETE_SUBSCR STORE_SUBSCR
    """.split()
    if name in opcode.opmap
)
"""Instructions of what the subset has not; elements are assigned in it, but not where something else shares the memory."""

_FOREIGN_METHODS = frozenset(
    """
    append extend insert remove pop sort reverse index items keys values get update setdefault join format lower upper split strip
    startswith endswith fill swapaxes diagonal partition argpartition resize put nonzero choose compress conj ptp tobytes view
    """.split()
)
"""Methods of lists, dicts, strings and arrays that the subset has not."""


@cache
def _known() -> dict[int, Any]:
    """The callables of NumPy, `math` and Python that can be compiled, by identity."""
    found: list[Any] = [getattr(math, name) for name in MATH if hasattr(math, name)] + [getattr(builtins, name) for name in PYTHON]
    for name in NUMPY:
        part: Any = np
        for each in name.split("."):
            part = getattr(part, each, None)
        found.append(part)
    return {id(each): each for each in found}


def _is_special(value: Any) -> bool:
    """True for the functions of `scipy.special` that can be compiled; the module is never imported here."""
    name, module = getattr(value, "__name__", None), sys.modules.get("scipy.special")
    return module is not None and name in SPECIAL and getattr(module, name, None) is value


def looks_outside_subset(function: FunctionType) -> bool:
    """True if a function, or one that it calls, seems to do what the subset has not. The compiler knows."""
    met: set[int] = set()
    waiting = [function]
    while waiting:
        one = waiting.pop()
        if id(one) in met or str(one.__globals__.get("__name__")).partition(".")[0] == "cogir":
            continue
        met.add(id(one))
        if _is_foreign(one.__code__):
            return True
        for chain in mentions(one.__code__).globals:
            if chain[0] in one.__globals__ or hasattr(builtins, chain[0]):
                value = one.__globals__.get(chain[0], getattr(builtins, chain[0], None))
                if not _is_known(_followed(value, chain), waiting):
                    return True
        for name, cell in zip(one.__code__.co_freevars, one.__closure__ or (), strict=True):
            chains = [chain for chain in mentions(one.__code__).cells if chain[0] == name]
            if any(not _is_known(_followed(_content(cell), chain), waiting) for chain in chains):
                return True
    return False


@cache
def _is_foreign(code: CodeType) -> bool:
    """True if a code object, or one inside it, has an instruction that the subset has not."""
    if not _FOREIGN.isdisjoint(code.co_code[::2]) or not _FOREIGN_METHODS.isdisjoint(code.co_names):
        return True
    return any(_is_foreign(constant) for constant in code.co_consts if isinstance(constant, CodeType) and constant.co_name != "<genexpr>")


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # it is bound later
        return None


def _followed(value: Any, chain: Chain) -> Any:
    """The value of a name followed by attributes of modules."""
    for name in chain[1:]:
        if not isinstance(value, ModuleType):
            break
        value = getattr(value, name, None)
    return value


def _is_known(value: Any, waiting: list[FunctionType]) -> bool:
    """False for callables that cannot be compiled; Python functions are left to be looked at, in `waiting`."""
    if isinstance(value, functools.partial):
        value = cast("functools.partial[Any]", value).func
    if _is_special(value):
        return True
    if isinstance(value, FunctionType) and str(value.__module__).partition(".")[0] != "numpy":
        waiting.append(value)
        return True
    if isinstance(value, type):
        return id(value) in _known() or value.__module__ not in ("builtins", "numpy") or issubclass(value, BaseException)
    if isinstance(value, BuiltinFunctionType | MethodType | np.ufunc | FunctionType) or callable(value):
        return id(value) in _known()
    return True
