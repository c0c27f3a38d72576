"""Linear functions that are skipped where they change no number: the same bits, whatever their parameters are."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Any, cast

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir import Block

import cogir
from cogir import library
from cogir.frontend.text import parse
from cogir.interpreters.levels import run_function
from cogir.lowering.products import version_identities
from cogir.lowering.products.version_identities import PossibleIdentity, VersionIdentities, identity_of, terms_of

SIZES = (80, 60, 5)
PARAMETERS = [{}, {"slope": 2.0}, {"intercept": 0.25}, {"offset": -1e10}, {"scale": float("nan")}, {"slope": -1.0, "scale": -1.0}]


def learned(parameters: dict[str, float], batch: int = 64, dtype: str = "float64", as_array: bool = False, **options: Any) -> Any:
    """The losses and the parameters of a network some of whose inputs are zeros of both signs, in two calls."""
    made = np.random.default_rng(0)
    model = cogir.Model("learner", dtype=dtype)
    nodes = [model.node("n0", library.linear, input=SIZES[0])]
    for number, (before, size) in enumerate(pairwise(SIZES), 1):
        nodes.append(model.node(f"n{number}", library.logistic, input=size))
        model.project(nodes[-2], nodes[-1], matrix=(made.normal(size=(before, size)) / np.sqrt(before)).astype(dtype))
    model.output(nodes[-1])
    model.learning([(nodes[-1], model.node("target", input=SIZES[-1]))], library.gradient_descent, rate=0.05)
    compiled = model.compile(**options)
    x, y = made.normal(size=(200, SIZES[0])), made.uniform(size=(200, SIZES[-1]))
    x[:, ::3], x[:, 1::3] = 0.0, -0.0
    data = np.hstack([x, y]) if as_array else {"n0": x.astype(dtype), "target": y.astype(dtype)}
    losses = []
    for values in (parameters, {}):  # a parameter that was changed is what it was again
        for name in ("slope", "intercept", "scale", "offset"):
            compiled.params[f"n0/{name}"] = values.get(name, 1.0 if name in ("slope", "scale") else 0.0)
        losses.append(compiled.learn(data, epochs=2, batch=batch).losses)
    return losses, {path: np.array(value) for path, value in compiled.params.items()}


def same(one: Any, other: Any) -> bool:
    """Equal bits; NaN is one value."""
    bits, others = (np.where(np.isnan(each), np.nan, each).view(np.int64) for each in (one, other))
    return bool((bits == others).all())


def are_equal(one: Any, other: Any, compare: Callable[[Any, Any], bool] = same) -> bool:
    """The same losses and parameters."""
    (losses, values), (others, other_values) = one, other
    return all(compare(a, b) for a, b in zip(losses, others, strict=True)) and all(
        compare(values[path], other_values[path]) for path in values
    )


@pytest.fixture
def rewritten(monkeypatch: pytest.MonkeyPatch) -> list[PossibleIdentity]:
    """The functions that the pass has rewritten."""
    found: list[PossibleIdentity] = []
    rewrite = VersionIdentities.rewrite

    def noted(self: VersionIdentities, identity: PossibleIdentity) -> None:
        found.append(identity)
        rewrite(self, identity)

    monkeypatch.setattr(VersionIdentities, "rewrite", noted)
    return found


@pytest.mark.sampled(3)
@pytest.mark.parametrize("batch", [64, 300])
@pytest.mark.parametrize("parameters", PARAMETERS, ids=str)
@pytest.mark.filterwarnings("ignore::cogir.LearningWarning")
def test_the_same_bits(rewritten: list[PossibleIdentity], parameters: dict[str, float], batch: int) -> None:
    found = learned(parameters, batch, cache=False)
    assert len(rewritten) == 1
    assert are_equal(found, learned(parameters, batch, without=["version-identities"]))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("parameters", PARAMETERS, ids=str)
@pytest.mark.filterwarnings("ignore::cogir.LearningWarning")
def test_fused_products_give_the_same_numbers(rewritten: list[PossibleIdentity], parameters: dict[str, float]) -> None:
    """The sign of a zero may be another one."""
    found = learned(parameters, contract="fast", cache=False)
    assert len(rewritten) == 1
    assert are_equal(found, learned(parameters, contract="fast", without=["version-identities"]), partial(np.array_equal, equal_nan=True))


@pytest.mark.parametrize("as_array", [False, True])
def test_inputs_that_lie_otherwise_are_copied(rewritten: list[PossibleIdentity], as_array: bool) -> None:
    """Those of float32 models, and rows that have inputs and targets."""
    learned({}, dtype="float64" if as_array else "float32", as_array=as_array, cache=False)
    assert not rewritten


def first_number_alone(patch: pytest.MonkeyPatch) -> None:
    """A function is skipped if the first number alone is that which changes nothing."""
    found = version_identities.terms_of
    patch.setattr(version_identities, "terms_of", lambda body: (found(body) or [])[:1] or None)


def other_numbers_are_asked_for(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(version_identities, "NEUTRAL", {**version_identities.NEUTRAL, arith.AddfOp: 0.25})


@pytest.mark.parametrize("plant", [first_number_alone, other_numbers_are_asked_for])
def test_what_is_skipped_wrongly_is_caught(monkeypatch: pytest.MonkeyPatch, plant: Callable[[pytest.MonkeyPatch], None]) -> None:
    parameters = {"intercept": 0.25, "offset": 0.25}
    wanted = learned(parameters, without=["version-identities"])
    plant(monkeypatch)
    assert not are_equal(learned(parameters, cache=False), wanted)


TEXT = """
func.func @f(%x: memref<64x80xf64> {cog.access = "read"}, %w: memref<80x8xf64>, %y: memref<64x8xf64>, %slope: f64, %other: f64) {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %value = memref.alloc() : memref<64x80xf64>
  linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]
  } ins(%x : memref<64x80xf64>) outs(%value : memref<64x80xf64>) {
  ^bb0(%a: f64, %o: f64):
    BODY
  }
  linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]
  } outs(%y : memref<64x8xf64>) {
  ^bb0(%o: f64):
    linalg.yield %zero : f64
  }
  linalg.generic {
    indexing_maps = [affine_map<(i, k, j) -> (i, k)>, affine_map<(i, k, j) -> (k, j)>, affine_map<(i, k, j) -> (i, j)>],
    iterator_types = ["parallel", "reduction", "parallel"]
  } ins(%value, %w : memref<64x80xf64>, memref<80x8xf64>) outs(%y : memref<64x8xf64>) {
  ^bb0(%a: f64, %b: f64, %s: f64):
    %p = arith.mulf %a, %b : f64
    %n = arith.addf %s, %p : f64
    linalg.yield %n : f64
  }
  func.return
}
"""

LINEAR = "%m = arith.mulf %a, %slope : f64\n%n = arith.addf %m, %other : f64\nlinalg.yield %n : f64"
BODIES = {
    LINEAR: 2,
    "%m = arith.mulf %slope, %a : f64\nlinalg.yield %m : f64": 1,
    "%m = arith.divf %a, %slope : f64\n%n = arith.subf %m, %other : f64\nlinalg.yield %n : f64": 2,
    "%m = arith.mulf %a, %one : f64\n%n = arith.addf %m, %other : f64\nlinalg.yield %n : f64": 2,
    "%m = arith.divf %slope, %a : f64\nlinalg.yield %m : f64": None,
    "%m = arith.subf %slope, %a : f64\nlinalg.yield %m : f64": None,
    "%m = arith.mulf %a, %a : f64\nlinalg.yield %m : f64": None,
    "%m = arith.mulf %a, %slope : f64\n%n = arith.addf %m, %a : f64\nlinalg.yield %n : f64": None,
    "%m = arith.maximumf %a, %slope : f64\nlinalg.yield %m : f64": None,
    "%m = arith.mulf %a, %slope : f64\nlinalg.yield %a : f64": None,
}


@pytest.mark.parametrize(("body", "count"), BODIES.items())
def test_bodies_that_may_change_nothing(body: str, count: int | None) -> None:
    op = next(op for op in parse(TEXT.replace("BODY", body)).walk() if isinstance(op, GenericOp))
    terms = terms_of(op.body.block)
    assert (None if terms is None else len(terms)) == count
    assert (identity_of(op) is not None) == (count is not None)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('{cog.access = "read"}', ""),
        ('{cog.access = "read"}', '{cog.access = "update"}'),
        ("%m, %other", "%m, %two"),
        ("linalg.yield %zero", "linalg.yield %one"),
        ("64x", "6x"),
        ("outs(%value : memref<64x80xf64>)", "outs(%x : memref<64x80xf64>)"),
        ("outs(%value : memref<64x80xf64>) {", "outs(%value : memref<64x80xf64>) attrs = {cog.by_trial} {"),
        ("  func.return", "  memref.store %zero, %value[%i, %i] : memref<64x80xf64>\n  func.return"),
    ],
)
def test_what_is_no_identity_stays(old: str, new: str) -> None:
    text = TEXT.replace("BODY", LINEAR).replace("%two = ", "%i = arith.constant 0 : index\n%two = ")
    assert old in text
    module = parse(text.replace(old, new))
    before = str(module)
    VersionIdentities().apply(Context(), module)
    assert str(module) == before


def test_what_is_read_before_stays() -> None:
    """The first half of a product whose operand changes in between."""
    module = parse(TEXT.replace("BODY", LINEAR))
    linear, _, product = (op for op in module.walk() if isinstance(op, GenericOp))
    linear.detach()
    cast(Block, product.parent).insert_op_after(linear, product)
    before = str(module)
    VersionIdentities().apply(Context(), module)
    assert str(module) == before


@pytest.mark.parametrize("begin", ["?", "5"])
def test_memory_that_begins_at_a_known_place_stays(begin: str) -> None:
    strided = f"memref<64x80xf64, strided<[80, 1], offset: {begin}>>"
    text = (
        TEXT.replace("BODY", LINEAR)
        .replace("%x: memref<64x80xf64>", f"%x: {strided}")
        .replace("(%x : memref<64x80xf64>)", f"(%x : {strided})")
    )
    module = parse(text)
    VersionIdentities().apply(Context(), module)
    assert ("arith.select" in str(module)) == (begin == "?")


@pytest.mark.parametrize(("slope", "other"), [(1.0, 0.0), (1.0, -0.0), (2.0, 0.0), (1.0, 1.0)])
def test_it_does_the_same_at_its_own_level(slope: float, other: float) -> None:
    made = np.random.default_rng(0)
    x, w, y = made.normal(size=(64, 80)), made.normal(size=(80, 8)), np.full((64, 8), np.nan)
    x[:32], x[32:, ::2] = -0.0, -0.0
    module = parse(TEXT.replace("BODY", LINEAR))
    results = []
    for _ in range(2):
        got = y.copy()
        run_function(module, "f", [x, w, got, slope, other])
        results.append(got)
        VersionIdentities().apply(Context(), module)
        module.verify()
    assert "arith.select" in str(module)
    assert same(*results)
