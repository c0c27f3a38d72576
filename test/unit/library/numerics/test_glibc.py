"""glibc's functions as bodies of the library: equal to those of this machine, where these are known ones."""

from __future__ import annotations

import ctypes
import math
import random
import struct
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, cast

import pytest
from support.native import call, lower
from xdsl.dialects.builtin import ModuleOp, StringAttr, i64

from cogir.backend.jit import CompiledCode, compile_module
from cogir.library.numerics.c_library import FUNCTIONS, KNOWN, UNKNOWN, arguments, fingerprint, variant
from cogir.library.numerics.glibc import (
    BODIES,
    exp_fused,
    exp_separate,
    log1p_fused,
    log1p_separate,
    log_fused,
    log_separate,
    pow_fused,
    pow_separate,
)
from cogir.library.numerics.intrinsics import (
    bits_of,
    float_of,
    from_bits,
    libm_exp,
    libm_log,
    libm_log1p,
    libm_pow,
    select,
    shift_left,
    shift_right_logical,
)
from cogir.lowering.library.functions import LibraryCode
from cogir.runtime.options import Options

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")
SPECIAL = (0.0, -0.0, 1.0, -1.0, math.inf, -math.inf, math.nan, 2.0, 0.5, 5e-324, 2.2250738585072014e-308, 1e308, -1e-300, 3.0, -3.0, 1e-20)
NAMES = tuple(FUNCTIONS)
TWO_MINUS_53 = 2.0**-53


def same(a: float, b: float) -> bool:
    """Equal to the bit, all NaN alike."""
    return (a != a and b != b) or struct.pack("d", a) == struct.pack("d", b)


def own(name: str) -> str:
    """What the function of this machine is; the test is skipped where it is none of the known ones."""
    found = variant(name)
    if found == UNKNOWN:
        pytest.skip(f"the C library's {name} is none of the known ones")
    return found


def cases(name: str) -> Iterator[tuple[float, ...]]:
    """Special values, numbers of all magnitudes, and those that draws have."""
    draws = random.Random(name)
    if name == "pow":
        yield from ((x, y) for x in SPECIAL for y in (*SPECIAL, 4097.0))
        for _ in range(400):
            yield draws.random(), draws.uniform(0.0, 20.0)
            yield math.exp(draws.uniform(-30.0, 30.0)), draws.uniform(-30.0, 30.0)
            yield anything(draws), anything(draws)
        return
    yield from ((x,) for x in SPECIAL)
    for _ in range(400):
        yield (draws.random() * (-1.0 if name == "log1p" else 1.0),)
        yield (0.9 + 0.2 * draws.random(),)
        yield (draws.uniform(-760.0, 760.0),)
        yield (draws.uniform(-1e-5, 1e-5),)
        yield (anything(draws),)


def anything(draws: random.Random) -> float:
    """A number of any bits."""
    return struct.unpack("d", struct.pack("Q", draws.getrandbits(64)))[0]


@pytest.mark.parametrize("name", NAMES)
def test_a_body_is_the_function_of_this_machine(name: str) -> None:
    body, function = BODIES[name, own(name)], FUNCTIONS[name]
    assert [each for each in cases(name) if not same(body(*each), function(*each))] == []


@pytest.mark.parametrize("name", NAMES)
def test_every_exponent(name: str) -> None:
    body, function = BODIES[name, own(name)], FUNCTIONS[name]
    numbers = [math.ldexp(fraction, exponent) for exponent in range(-1074, 1024) for fraction in (1.0, 1.37, 1.99)]
    given = [(x, 1.0 / (abs(math.frexp(x)[1]) + 1)) if name == "pow" else (x,) for x in (*numbers, *(-x for x in numbers))]
    assert [each for each in given if not same(body(*each), function(*each))] == []


@pytest.mark.parametrize("name", NAMES)
def test_what_a_function_is_shows_in_its_values(name: str) -> None:
    """The hashes are those of the bodies, and a constant that is wrong in its last bit has another one."""
    assert {fingerprint(name, BODIES[name, variant]): variant for variant in ("fused", "separate")} == KNOWN[name]
    body, first = BODIES[name, "fused"], arguments(name)[0]

    def off_by_one_bit(*each: float) -> float:
        return math.nextafter(body(*each), math.inf) if each == first else body(*each)

    assert fingerprint(name, off_by_one_bit) not in KNOWN[name]
    assert fingerprint(name, lambda *each: math.nan) not in KNOWN[name]


@pytest.fixture
def another_log(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A C library whose logarithm is none of the known ones."""
    monkeypatch.setitem(cast("dict[str, Any]", FUNCTIONS), "log", lambda x: -1.0)
    variant.cache_clear()
    yield
    variant.cache_clear()


@pytest.mark.usefixtures("another_log")
def test_an_unknown_function_is_called() -> None:
    assert variant("log") == UNKNOWN
    assert "log libm" in Options().key


# In machine code, at many arguments.


def next_bits(bits: int) -> int:
    """Marsaglia's xorshift on 64 bits."""
    bits = bits ^ shift_left(bits, 13)
    bits = bits ^ shift_right_logical(bits, 7)
    return bits ^ shift_left(bits, 17)


def uniform(bits: int) -> float:
    """A number in [0, 1)."""
    return float_of(shift_right_logical(bits, 11)) * TWO_MINUS_53


def differ(a: float, b: float) -> int:
    """1 if two numbers differ in a bit and are not both NaN."""
    return select(bits_of(a) == bits_of(b) or (a != a and b != b), 0, 1)


def log_differences(bits: int, count: int, fused: int) -> int:
    """At numbers of any bits, uniforms, and numbers near 1."""
    found = 0
    for _ in range(count):
        bits = next_bits(bits)
        anywhere, u = from_bits(bits), uniform(bits)
        near = 0.9 + 0.2 * u
        if fused == 1:
            found = found + differ(log_fused(anywhere), libm_log(anywhere)) + differ(log_fused(u), libm_log(u))
            found = found + differ(log_fused(near), libm_log(near))
        else:
            found = found + differ(log_separate(anywhere), libm_log(anywhere)) + differ(log_separate(u), libm_log(u))
            found = found + differ(log_separate(near), libm_log(near))
    return found


def log1p_differences(bits: int, count: int, fused: int) -> int:
    """At numbers of any bits, and what tails of ziggurats and waiting times have."""
    found = 0
    for _ in range(count):
        bits = next_bits(bits)
        anywhere, below = from_bits(bits), -uniform(bits)
        small = 1.9 * below + 0.95
        if fused == 1:
            found = found + differ(log1p_fused(anywhere), libm_log1p(anywhere)) + differ(log1p_fused(below), libm_log1p(below))
            found = found + differ(log1p_fused(small), libm_log1p(small))
        else:
            found = found + differ(log1p_separate(anywhere), libm_log1p(anywhere)) + differ(log1p_separate(below), libm_log1p(below))
            found = found + differ(log1p_separate(small), libm_log1p(small))
    return found


def exp_differences(bits: int, count: int, fused: int) -> int:
    """At numbers of any bits, small ones, and up to where results overflow or vanish."""
    found = 0
    for _ in range(count):
        bits = next_bits(bits)
        anywhere, x = from_bits(bits), 20.0 * (uniform(bits) - 0.7)
        wide = 1520.0 * (uniform(bits) - 0.5)
        if fused == 1:
            found = found + differ(exp_fused(anywhere), libm_exp(anywhere)) + differ(exp_fused(x), libm_exp(x))
            found = found + differ(exp_fused(wide), libm_exp(wide))
        else:
            found = found + differ(exp_separate(anywhere), libm_exp(anywhere)) + differ(exp_separate(x), libm_exp(x))
            found = found + differ(exp_separate(wide), libm_exp(wide))
    return found


def pow_differences(bits: int, count: int, fused: int) -> int:
    """At numbers of any bits, and uniforms to the powers that draws have."""
    found = 0
    for _ in range(count):
        first = next_bits(bits)
        bits = next_bits(first)
        x, y = from_bits(first), from_bits(bits)
        u, power = uniform(first), 20.0 * uniform(bits)
        small = 100.0 * (uniform(bits) - 0.5)
        if fused == 1:
            found = found + differ(pow_fused(x, y), libm_pow(x, y)) + differ(pow_fused(u, power), libm_pow(u, power))
            found = found + differ(pow_fused(u, small), libm_pow(u, small))
        else:
            found = found + differ(pow_separate(x, y), libm_pow(x, y)) + differ(pow_separate(u, power), libm_pow(u, power))
            found = found + differ(pow_separate(u, small), libm_pow(u, small))
    return found


COUNTS: dict[str, Callable[..., int]] = {
    "log": log_differences,
    "log1p": log1p_differences,
    "exp": exp_differences,
    "pow": pow_differences,
}


@cache
def machine_code(name: str) -> CompiledCode:
    """Machine code that counts the arguments at which a body differs from the function of this machine."""
    symbol = f"cogir_{name}_differences"
    code = LibraryCode(symbol, COUNTS[name], [i64, i64, i64], lambda _: None)
    module = ModuleOp([])
    code.add_to(module, symbol)
    for op in module.ops:
        if getattr(op, "sym_name", StringAttr("")).data == symbol:
            op.properties["sym_visibility"] = StringAttr("public")
    return compile_module(lower(module))


def count_of(name: str, seed: int, count: int, variant: str) -> Any:
    """So many of three times `count` arguments differ."""
    return call(machine_code(name), f"cogir_{name}_differences", [seed, count, int(variant == "fused")], ctypes.c_int64)


@pytest.mark.parametrize("name", NAMES)
def test_machine_code_is_the_function_of_this_machine(name: str) -> None:
    assert count_of(name, 88172645463325252, 200_000, own(name)) == 0


@pytest.mark.parametrize("name", NAMES)
def test_the_other_variant_is_another_function(name: str) -> None:
    """The comparison sees a last bit in some thousands."""
    other = "separate" if own(name) == "fused" else "fused"
    assert count_of(name, 88172645463325252, 200_000, other) > 20


@pytest.mark.full
@pytest.mark.parametrize("name", NAMES)
def test_two_thousand_million_arguments(name: str) -> None:
    assert count_of(name, 88172645463325253, 700_000_000, own(name)) == 0
