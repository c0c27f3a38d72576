"""
Hints for loops: `cog.loop = {vectorize = true, unroll = 4 : i64, licm = false}`.

`vectorize` (a boolean) demands or forbids vector code, `unroll` gives the number of copies of the body (0 for none),
`licm = false` forbids to move invariant code out of the loop.
"""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr
from xdsl.ir import Attribute

from cogir.dialects.llvm_ext import LoopAnnotationAttr
from cogir.errors import LoweringError

_KNOWN = ("vectorize", "unroll", "licm")


def loop_annotation(hint: Attribute) -> LoopAnnotationAttr:
    """cog.loop = {...}  ->  loop_annotation = #llvm.loop_annotation<...>"""
    if not isinstance(hint, DictionaryAttr):
        raise LoweringError(f"convert-to-llvm: cog.loop is {hint}; it must be a dictionary of {' and '.join(_KNOWN)}")
    values: dict[str, int] = {}
    for key, value in hint.data.items():
        if key not in _KNOWN or not isinstance(value, IntegerAttr):
            raise LoweringError(
                f"convert-to-llvm: cog.loop has {key} = {value}; the hints are vectorize and licm = true or false, and "
                "unroll = a number of copies"
            )
        values[key] = cast("IntegerAttr[Any]", value).value.data
    flags = {key: None if key not in values else bool(values[key]) for key in ("vectorize", "licm")}
    return LoopAnnotationAttr.of(flags["vectorize"], values.get("unroll"), flags["licm"])
