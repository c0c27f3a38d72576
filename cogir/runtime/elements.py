"""
Names of elements of arrays: `net/bias[2]`, `s->ddm[0,1]`.
"""

from __future__ import annotations

import re
from math import prod

from cogir.errors import InputError

NAME = re.compile(r"(.+)\[\s*(-?\d+(?:\s*,\s*-?\d+)*)\s*\]", re.DOTALL)


def split(name: str) -> tuple[str, tuple[int, ...]]:
    """The name of the array and the index of the element; no index for any other name."""
    found = NAME.fullmatch(name)
    return (name, ()) if found is None else (found[1], tuple(int(part) for part in found[2].split(",")))


def element_name(whole: str, index: tuple[int, ...]) -> str:
    """The name of an element: `net/bias[2]`."""
    return f"{whole}[{','.join(map(str, index))}]"


def check_element(who: str, kind: str, whole: str, index: tuple[int, ...], shape: tuple[int, ...]) -> None:
    """Refuses an index that the array does not have. `who`: speaks; `kind`: of the array, such as "parameter"."""
    if len(index) == len(shape) and all(0 <= place < extent for place, extent in zip(index, shape, strict=True)):
        return
    if prod(shape) and shape:
        first, last = element_name(whole, (0,) * len(shape)), element_name(whole, tuple(extent - 1 for extent in shape))
        remedy = f'give one from "{first}" to "{last}"' if first != last else f'its only one is "{first}"'
    else:
        remedy = f'give "{whole}", which is one number'
    raise InputError(
        f'{who}: "{element_name(whole, index)}": {kind} "{whole}" has the shape {shape}; there is no element '
        f"{', '.join(map(str, index))}; {remedy}"
    )
