"""Elementary functions of a few elements give the same bits on vectors, interpreted and compiled."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from support.golden import CASES, flat_inputs, reference
from xdsl.context import Context
from xdsl.dialects import vector
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.linalg import ops as linalg

import cogir
from cogir.frontend.text import parse
from cogir.interpreters.levels import run_function
from cogir.lowering.convert_small_linalg_to_vector import EXTENTS, MOST_LANES, ConvertSmallLinalgToVector, chunks
from cogir.lowering.library.expand_math import ExpandMath

PASS = ConvertSmallLinalgToVector.name
MODELS = ("ddm_analytical", "ext_stroop_A", "lca", "evc_ddm")
UNARY = "acos acosh asin asinh atan atanh cbrt cosh erf exp exp2 expm1 log log10 log1p log2 sinh tanh".split()
SCALAR = ("addf", "subf", "mulf", "divf", "maximumf", "minnumf")


@st.composite
def bodies(draw: st.DrawFn) -> str:
    """Some operations on the elements %u of a row and %v of another one, and a number %g; the last one is %r."""
    values, lines = ["%u", "%v", "%g"], list[str]()
    for number in range(draw(st.integers(1, 6))):
        a, b = draw(st.sampled_from(values)), draw(st.sampled_from(values))
        kind = draw(st.sampled_from(("unary", "scalar", "power")))
        if kind == "unary":
            lines.append(f"%x{number} = math.{draw(st.sampled_from(UNARY))} {a} : f64")
        elif kind == "power":
            lines.append(f"%x{number} = math.powf {a}, {b} : f64")
        else:
            lines.append(f"%x{number} = arith.{draw(st.sampled_from(SCALAR))} {a}, {b} : f64")
        values.append(f"%x{number}")
    return "\n".join([*lines, f"%r = math.tanh {values[-1]} : f64"])


def program(body: str, extent: int, in_place: bool = False) -> ModuleOp:
    """`@f` over two rows of `extent` elements and a number; the second row gets the result, or the first one."""
    row = f"memref<{extent}xf64>"
    maps = ", ".join(["affine_map<(i) -> (i)>"] * 3)
    return parse(
        f"func.func @f(%x: {row}, %y: {row}, %g: f64) {{\n"
        f'linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel"]}}'
        f" ins(%x, %y : {row}, {row}) outs(%{'x' if in_place else 'y'} : {row}) {{\n"
        f"^bb0(%u: f64, %v: f64, %o: f64):\n{body}\nlinalg.yield %r : f64\n}}\nfunc.return }}"
    )


def counted(module: ModuleOp) -> tuple[int, int]:
    """How many operations of linalg, and on vectors, there are."""
    ops = list(module.walk())
    return sum(isinstance(op, linalg.GenericOp) for op in ops), sum(isinstance(op, vector.InsertOp) for op in ops)


@settings(max_examples=40, deadline=None, phases=(Phase.explicit, Phase.reuse, Phase.generate))
@given(bodies(), st.integers(2, 8), st.booleans(), st.integers(0, 1000))
def test_vectors_have_the_bits_of_loops(body: str, extent: int, in_place: bool, seed: int) -> None:
    module = program(body, extent, in_place)
    numbers = np.random.default_rng(seed)
    rows = numbers.normal(size=(2, extent)) * 10.0 ** numbers.integers(-3, 3, (2, extent))
    wanted = rows.copy()
    run_function(module, "f", [*wanted, 0.7])
    ConvertSmallLinalgToVector().apply(Context(), module)
    module.verify()
    assert counted(module)[0] == 0
    for _ in range(2):  # the second time with the functions' definitions
        got = rows.copy()
        run_function(module, "f", [*got, 0.7])
        same = (got.view(np.int64) == wanted.view(np.int64)) | (np.isnan(got) & np.isnan(wanted))
        assert same.all(), (body, got, wanted)
        ExpandMath().apply(Context(), module)
        module.verify()


@pytest.mark.parametrize(
    ("body", "extent"),
    [
        ("%r = math.exp %u : f64", 1),
        ("%r = math.exp %u : f64", EXTENTS[-1] + 1),
        ("%r = math.sin %u : f64", 3),
        ("%r = math.sqrt %u : f64", 3),
        ("%c = arith.cmpf olt, %u, %v : f64\n%s = arith.select %c, %u, %v : f64\n%r = math.exp %s : f64", 3),
    ],
)
def test_other_operations_stay(body: str, extent: int) -> None:
    module = program(body, extent)
    ConvertSmallLinalgToVector().apply(Context(), module)
    assert counted(module) == (1, 0)


def test_vectors_have_at_most_four_lanes_and_never_one() -> None:
    for extent in EXTENTS:
        parts = chunks(extent)
        assert [number for part in parts for number in part] == list(range(extent))
        assert all(2 <= len(part) <= MOST_LANES for part in parts)


def test_functions_that_loops_call_stay() -> None:
    text = """
      func.func private @g(%x: memref<3xf64>) {
        func.call @f(%x) : (memref<3xf64>) -> ()
        func.return
      }
      func.func private @f(%x: memref<3xf64>) {
        linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%x : memref<3xf64>) {
        ^bb0(%u: f64):
          %e = math.exp %u : f64
          linalg.yield %e : f64
        }
        func.return
      }
      func.func @all(%x: memref<3xf64>) {
        affine.for %i = 0 to 9 {
          func.call @g(%x) : (memref<3xf64>) -> ()
        }
        func.return
      }
    """
    module = parse(text)
    ConvertSmallLinalgToVector().apply(Context(), module)
    assert counted(module) == (1, 0)
    module = parse(text.replace("affine.for %i = 0 to 9 {", "").replace("() \n        }", "()").replace("-> ()\n        }", "-> ()"))
    ConvertSmallLinalgToVector().apply(Context(), module)
    assert counted(module) == (0, 3)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "case", [case for case in CASES if case.file in ("ddm_analytical", "ext_stroop_A", "lca", "evc_ddm")], ids=lambda case: case.file
)
def test_models_have_the_same_bits_without(case) -> None:
    call = reference(case.file)["calls"][0]
    inputs = flat_inputs(call["inputs"])
    found = [case.build().compile(mode="run", without=without).run(inputs, num_trials=20).results for without in ((), (PASS,))]
    assert str(found[0]) == str(found[1])


def test_replicates_have_no_vectors_of_their_own() -> None:
    model = cogir.Model("layer")
    node = model.node("units", cogir.library.logistic, input=3)
    compiled, plain = model.compile(), model.compile(without=[PASS])
    rows = {node: [[0.1, -2.0, 30.0]]}
    assert np.array_equal(compiled.replicates(rows, 5)["units"], plain.replicates(rows, 5)["units"])
