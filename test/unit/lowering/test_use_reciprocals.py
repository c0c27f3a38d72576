"""Reciprocals in the place of divisors: the same bits for every number of trials and every sum."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp

import cogir
from cogir import library
from cogir.frontend.text import parse
from cogir.interpreters.levels import run_function
from cogir.lowering import use_reciprocals
from cogir.lowering.use_reciprocals import UseReciprocals


def divisions(dtype: str) -> ModuleOp:
    """`@optimize` divides 512 numbers."""
    return parse(
        f"func.func @optimize(%sum: memref<512x{dtype}>, %mean: memref<512x{dtype}>, %trials: {dtype}) {{\n"
        "linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> (i)>], "
        f'iterator_types = ["parallel"]}} ins(%sum, %trials : memref<512x{dtype}>, {dtype}) outs(%mean : memref<512x{dtype}>) {{\n'
        f"^bb0(%s: {dtype}, %n: {dtype}, %m: {dtype}):\n  %q = arith.divf %s, %n : {dtype}\n  linalg.yield %q : {dtype}\n}}\nfunc.return }}"
    )


def sums(dtype: Any) -> Any:
    """Numbers with any bits, but for NaN; among them those whose quotients are subnormal, or zero."""
    whole = np.random.default_rng(0).integers(0, 2**64, 512, dtype=np.uint64)
    bits = whole if dtype == np.float64 else (whole >> 32).astype(np.uint32)
    some = bits.view(dtype).copy()
    some[:200] = np.random.default_rng(1).normal(size=200)
    some[200:300] = np.finfo(dtype).smallest_subnormal * np.arange(100)
    return np.where(np.isnan(some), 1.0, some).astype(dtype)


DIVISORS = [1.0, 2.0, 32.0, 2.0**23, 2.0**24, 2.0**52, 2.0**53, 2.0**100, 3.0, 48.0, 255.0, 0.5, 0.0, -2.0, np.inf, np.nan]


@pytest.mark.parametrize(("short", "dtype"), [("f64", np.float64), ("f32", np.float32)])
@pytest.mark.parametrize("divisor", DIVISORS)
def test_quotients_are_the_same(divisor: float, short: str, dtype: Any) -> None:
    module = divisions(short)
    UseReciprocals().apply(Context(), module)
    module.verify()
    assert "scf.if" in str(module)
    given, found = sums(dtype), np.empty(512, dtype)
    with np.errstate(all="ignore"):
        run_function(module, "optimize", [given, found, divisor])
        wanted = given / dtype(divisor)
    np.testing.assert_array_equal(found, wanted)
    np.testing.assert_array_equal(np.signbit(found[~np.isnan(wanted)]), np.signbit(wanted[~np.isnan(wanted)]))


def learned(optimizer: Callable[..., Any], batch: int, dtype: str, **options: Any) -> Any:
    """The losses, and what was learned."""
    made = np.random.default_rng(0)
    model = cogir.Model("learner", dtype=dtype)
    nodes = [model.node("n0", input=20), model.node("n1", library.logistic, input=10)]
    model.project(*nodes, matrix=made.normal(size=(20, 10)))
    model.output(nodes[1])
    model.learning([(nodes[1], model.node("target", input=10))], optimizer, rate=0.05)
    compiled = model.compile(**options)
    data = {"n0": made.normal(size=(100, 20)), "target": made.uniform(size=(100, 10))}
    losses = compiled.learn(data, epochs=2, batch=batch).losses
    return losses, np.array(compiled.params["n0->n1"])


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("batch", [1, 3, 32, 48])
@pytest.mark.parametrize("optimizer", [library.gradient_descent, library.adam])
def test_the_same_is_learned(optimizer: Callable[..., Any], batch: int, dtype: str) -> None:
    found, wanted = (learned(optimizer, batch, dtype, without=names) for names in ([], ["use-reciprocals"]))
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_reciprocal_that_is_not_exact_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted fault: any number is taken for a power of two."""
    monkeypatch.setattr(use_reciprocals, "is_power", lambda code, number: code.insert(arith.ConstantOp.from_int_and_width(1, 1)).result)
    module = divisions("f64")
    UseReciprocals().apply(Context(), module)
    given, found = sums(np.float64), np.empty(512)
    run_function(module, "optimize", [given, found, 3.0])
    assert not np.array_equal(found, given / 3.0)
