"""Loops compute what the linalg operations did, in the same order."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.context import Context
from xdsl.dialects import affine

from cogir.errors import LoweringError
from cogir.frontend.text import parse
from cogir.interpreters.levels import run_function
from cogir.lowering.convert_linalg_to_loops import ConvertLinalgToLoops

LOOPS = "abcd"


@st.composite
def contractions(draw: st.DrawFn) -> tuple[list[int], list[list[int]], list[int]]:
    """Extents of the loops, the loops that index each of two inputs, and those that index the output."""
    extents = draw(st.lists(st.integers(1, 3), min_size=1, max_size=4))
    loops = list(range(len(extents)))
    inputs = [draw(st.lists(st.sampled_from(loops), unique=True)) for _ in range(2)]
    inputs[0] += [loop for loop in loops if loop not in inputs[0] and loop not in inputs[1]]
    return extents, inputs, draw(st.lists(st.sampled_from(loops), unique=True))


@settings(max_examples=60, deadline=None)
@given(contractions())
def test_contractions(case: tuple[list[int], list[list[int]], list[int]]) -> None:
    extents, inputs, output = case
    names = LOOPS[: len(extents)]
    operands = [*inputs, output]

    def memref(loops: list[int]) -> str:
        return f"memref<{''.join(f'{extents[loop]}x' for loop in loops)}f64>"

    maps = ", ".join(f"affine_map<({', '.join(names)}) -> ({', '.join(names[loop] for loop in loops)})>" for loops in operands)
    kinds = ", ".join('"parallel"' if loop in output else '"reduction"' for loop in range(len(extents)))
    module = parse(
        f"func.func @f(%x: {memref(inputs[0])}, %y: {memref(inputs[1])}, %z: {memref(output)}) {{\n"
        f"linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}}"
        f" ins(%x, %y : {memref(inputs[0])}, {memref(inputs[1])}) outs(%z : {memref(output)}) {{\n"
        "^bb0(%u: f64, %v: f64, %o: f64):\n  %p = arith.mulf %u, %v : f64\n  %s = arith.addf %o, %p : f64\n"
        "  linalg.yield %s : f64\n}\nfunc.return }"
    )
    numbers = np.random.default_rng(2)
    x, y, z = (numbers.normal(size=[extents[loop] for loop in loops]) for loops in operands)
    wanted = z.copy()
    run_function(module, "f", [x, y, wanted])
    letters = ["".join(names[loop] for loop in loops) for loops in operands]
    np.testing.assert_allclose(wanted, z + np.einsum(f"{letters[0]},{letters[1]}->{letters[2]}", x, y), rtol=1e-12, atol=1e-12)
    ConvertLinalgToLoops().apply(Context(), module)
    module.verify()
    got = z.copy()
    run_function(module, "f", [x, y, got])
    np.testing.assert_array_equal(got, wanted)
    outputs_innermost = max(output, default=-1)
    carried = [op for op in module.walk() if isinstance(op, affine.ForOp) and op.inits]
    assert len(carried) == len(extents) - 1 - outputs_innermost


def test_values_are_refused() -> None:
    module = parse(
        "func.func @f(%x: f64, %t: tensor<2xf64>) -> tensor<2xf64> {"
        " %y = linalg.fill ins(%x : f64) outs(%t : tensor<2xf64>) -> tensor<2xf64> func.return %y : tensor<2xf64> }"
    )
    with pytest.raises(LoweringError, match=r"linalg.fill has tensor operands; run bufferize before this pass"):
        ConvertLinalgToLoops().apply(Context(), module)
