"""
The mathematical functions of the C library: where the platform keeps them.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Mapping
from functools import cache

_NAMES = {"linux": "libm.so.6", "darwin": "libSystem.dylib", "win32": "ucrtbase.dll"}

ARITIES: Mapping[str, int] = {
    **dict.fromkeys("exp exp2 expm1 log log2 log10 log1p cbrt erf erfc".split(), 1),
    **dict.fromkeys("sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh".split(), 1),
    **dict.fromkeys(("pow", "atan2"), 2),
}
"""The C functions of doubles that compiled code may call by name, with the number of their arguments; `f` at the end: of floats."""


@cache
def libm() -> ctypes.CDLL:
    """The library that holds `sin`, `fma` and their kin. Its `_name` is what a dynamic linker finds it by."""
    try:
        return ctypes.CDLL(_NAMES[sys.platform])
    except (KeyError, OSError):
        from ctypes.util import find_library  # asks other programs on some platforms, which takes milliseconds

        return ctypes.CDLL(find_library("m"))
