"""
The mathematical functions of the C library: where the platform keeps them.
"""

from __future__ import annotations

import ctypes
import sys
from functools import cache

_NAMES = {"linux": "libm.so.6", "darwin": "libSystem.dylib", "win32": "ucrtbase.dll"}


@cache
def libm() -> ctypes.CDLL:
    """The library that holds `sin`, `fma` and their kin. Its `_name` is what a dynamic linker finds it by."""
    try:
        return ctypes.CDLL(_NAMES[sys.platform])
    except (KeyError, OSError):
        from ctypes.util import find_library  # asks other programs on some platforms, which takes milliseconds

        return ctypes.CDLL(find_library("m"))
