"""
Which of the known functions `log`, `log1p`, `exp` and `pow` the C library of this machine has.

NumPy's streams are made with them, and their last bits differ from one library to another. What a function is, its values at some
arguments say, at which the known ones differ (`glibc.py`): they are looked at once in a process.
"""

from __future__ import annotations

import hashlib
import math
import struct
from collections.abc import Callable, Mapping
from functools import cache

from cogir.library.numerics.intrinsics import libm_exp, libm_log, libm_log1p, libm_pow


def c_log(x: float) -> float:
    """The logarithm of the C library. `expand-rng` puts the known one in the place of a call, so that loops around it vectorise."""
    return libm_log(x)


FUNCTIONS: Mapping[str, Callable[..., float]] = {"log": libm_log, "log1p": libm_log1p, "exp": libm_exp, "pow": libm_pow}
"""The functions of this machine."""
VARIANTS = ("fused", "separate")
"""The names of the known ones: those of a glibc with fused operations, or without."""
UNKNOWN = "libm"
"""The name of a function that is none of the known ones: it is called."""
SEPARATING: Mapping[str, tuple[tuple[float, ...], ...]] = {
    "log": (
        (0.66793774249086169,),
        (0.54273262297475799,),
        (0.18355894114685467,),
        (0.7557343710130745,),
        (0.9398150415995056,),
        (0.9047048107951626,),
        (0.8874253077566778,),
        (0.8374322962856486,),
        (0.9246458482004892,),
        (0.8500390201858287,),
        (0.7298627988244295,),
        (0.9269793866184471,),
        (0.9139271444865104,),
        (0.9432907539853186,),
        (0.9387808073020993,),
    ),
    "log1p": (
        (-0.27403938693678254,),
        (-0.31380610373210427,),
        (-0.1291758681058952,),
        (-0.35840961807540994,),
        (-0.6248947099183881,),
        (-0.2785257915334932,),
        (-0.22756116777357605,),
        (-0.15328483269392057,),
        (-0.6381307158837249,),
        (-0.2871511193249525,),
        (-0.19835453835971018,),
        (-0.9061521378498728,),
    ),
    "exp": (
        (-7.702428616264665,),
        (4.802038556722832,),
        (-7.211724835364777,),
        (-13.623355038970246,),
        (-6.294639967751139,),
        (-0.006962600782758344,),
        (-0.3475165454039697,),
        (5.717305340221133,),
        (-1.197610214817617,),
        (-13.406556824009868,),
        (-2.277661290155626,),
        (1.7461827849721545,),
    ),
    "pow": (
        (0.005507353067595089, 7.560510110993071),
        (0.253275943839839, 4.856845600250804),
        (0.7550074681510746, 5.342404032467975),
        (0.8237172769286839, 2.2193017328878515),
        (0.9040956632741219, 3.1958041542583517),
        (0.37388733969791665, 3.1017176796508847),
        (0.5745102325387524, 7.799346974091918),
        (0.28750606466832174, 9.3843587062293),
        (0.18168858250161124, 8.761473260079525),
        (0.9315794343231459, 9.971096301664987),
        (0.5071076044483197, 5.212940924557657),
        (0.7369788942060921, 5.011378562246658),
    ),
}
"""Arguments at which the last bit depends on whether operations are fused, which is one in some thousands."""
ENDS = (0.0, 5e-324, 2.5e-310, 1.0, 1e300, math.inf)
KNOWN: Mapping[str, Mapping[str, str]] = {
    "log": {"e216203865b6d6e7": "fused", "044c51f147e7c239": "separate"},
    "log1p": {"8466c0acd06ebcaa": "fused", "bf9d5a1ab2a14fd9": "separate"},
    "exp": {"fd407185a4133360": "fused", "d690b1885c988070": "separate"},
    "pow": {"c5114d51d9bceb2c": "fused", "c6eb1a91ba313822": "separate"},
}
"""The names of the known functions, by what `fingerprint` gives for them."""


def arguments(name: str) -> list[tuple[float, ...]]:
    """The arguments at which a function is looked at: those that separate the known ones, some between, and the ends of its range."""
    between = [(i * 0.6180339887498949) % 1.0 for i in range(1, 40)]
    match name:
        case "pow":
            others = [(100.0 * x, 30.0 * x - 15.0) for x in between]
        case "exp":
            others = [(1500.0 * x - 750.0,) for x in (*between, *ENDS)]
        case _:
            others = [(x,) for x in (*between, *ENDS)]
    return [*SEPARATING[name], *others]


def fingerprint(name: str, function: Callable[..., float]) -> str:
    """A hash of the values of a function at its arguments."""
    values = [function(*each) for each in arguments(name)]
    return hashlib.sha256(struct.pack(f"<{len(values)}d", *values)).hexdigest()[:16]


@cache
def variant(name: str) -> str:
    """The kind of a function here: "fused" or "separate", of a glibc with or without fused operations; "libm": another one."""
    return KNOWN[name].get(fingerprint(name, FUNCTIONS[name]), UNKNOWN)
