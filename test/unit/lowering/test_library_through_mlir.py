"""The library's functions and draws at stage `loops`, through MLIR's own tools and clang instead of ours: the same bits."""

import random
from pathlib import Path

import numpy as np
from support.mlir_tools import MlirLibrary, lower_with_mlir_opt, need_tools
from xdsl.context import Context
from xdsl.dialects import math
from xdsl.dialects.builtin import ModuleOp

from cogir.dialects.math_functions import ELEMENTARY
from cogir.dialects.text import CogParser, make_context
from cogir.library.numerics.math import FUNCTIONS
from cogir.library.random.generators import WORDS, Stream, initial_words
from cogir.lowering.pipeline import PASSES

TWO_ARGUMENTS = (math.Atan2Op, math.PowFOp)
COUNT = 200

DRAWS = """
func.func @KIND(%r: !rng.state<KIND>, %n: i64) -> (tensor<COUNTxf64>, tensor<COUNTxf64>, tensor<COUNTxi64>, !rng.state<KIND>) {
  %a, %r1 = rng.normal %r : !rng.state<KIND> -> tensor<COUNTxf64>
  %b, %r2 = rng.uniform %r1 : !rng.state<KIND> -> tensor<COUNTxf64>
  %c, %r3 = rng.integer %r2 below %n : !rng.state<KIND> -> tensor<COUNTxi64>
  func.return %a, %b, %c, %r3 : tensor<COUNTxf64>, tensor<COUNTxf64>, tensor<COUNTxi64>, !rng.state<KIND>
}
""".replace("COUNT", str(COUNT))


def built(text: str, folder: Path) -> MlirLibrary:
    """Our passes to stage `loops`, and from there LLVM's own."""
    context = make_context()
    module: ModuleOp = CogParser(context, text).parse_module()
    for name in ("bufferize", "expand-rng", "expand-math", "convert-linalg-to-loops"):
        PASSES[name]().apply(Context(), module)
    return MlirLibrary(lower_with_mlir_opt(str(module), folder))


def function_text(op: type[math.ExpOp]) -> str:
    second = ", %x" if op in TWO_ARGUMENTS else ""
    name = ELEMENTARY[op]
    return f"""
      func.func @{name}(%m: memref<{COUNT}xf64>) {{
        affine.for %i = 0 to {COUNT} {{
          %x = affine.load %m[%i] : memref<{COUNT}xf64>
          %y = {op.name} %x{second} : f64
          affine.store %y, %m[%i] : memref<{COUNT}xf64>
        }}
        func.return
      }}
    """


def test_elementary_functions(tmp_path: Path) -> None:
    need_tools()
    library = built("\n".join(map(function_text, ELEMENTARY)), tmp_path)
    source = random.Random(1)
    special = (0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 5e-324, 1e300, 1e10)
    points = [source.choice((source.uniform(-3.0, 3.0), source.uniform(0.0, 1.0), *special)) for _ in range(COUNT)]
    for op, name in ELEMENTARY.items():
        numbers = np.array(points)
        library.call(name, [numbers])
        arity = 2 if op in TWO_ARGUMENTS else 1
        np.testing.assert_array_equal(numbers, [FUNCTIONS[name](*[x] * arity) for x in points], err_msg=name)


def test_draws(tmp_path: Path) -> None:
    need_tools()
    library = built("\n".join(DRAWS.replace("KIND", kind) for kind in WORDS), tmp_path)
    for kind in WORDS:
        words, stream = initial_words(kind, 11).copy(), Stream.seeded(kind, 11)
        for below in (10, 2**40 + 7):
            normals, uniforms, integers = np.zeros(COUNT), np.zeros(COUNT), np.zeros(COUNT, np.int64)
            library.call(kind, [words, below, normals, uniforms, integers])
            np.testing.assert_array_equal(normals, stream.normal((COUNT,)))
            np.testing.assert_array_equal(uniforms, stream.uniform((COUNT,)))
            assert integers.tolist() == [stream.integer(below) for _ in range(COUNT)]
        np.testing.assert_array_equal(words, stream.words)
