"""
Times the compiled elementary functions and draws against NumPy's, in the same run.

    python benchmarks/numbers_speed.py

Nanoseconds per element for arrays of 4,096 numbers that stay in the cache, the best of many rounds; and NumPy's time over ours.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from cogir.backend.jit import CompiledCode, compile_module
from cogir.dialects.text import CogParser, make_context
from cogir.library.random.generators import initial_words
from cogir.lowering.pipeline import PASSES

SIZE = 4096
ROUNDS = 300
ROAD = ("bufferize", "expand-rng", "expand-math", "convert-linalg-to-loops", "convert-scf-to-cf", "convert-to-llvm")

FUNCTIONS: dict[str, tuple[Callable[..., Any], float, float]] = {
    "exp": (np.exp, -2.0, 5.0),
    "expm1": (np.expm1, -2.0, 2.0),
    "log": (np.log, 0.1, 5.0),
    "log1p": (np.log1p, -0.5, 2.0),
    "tanh": (np.tanh, -3.0, 3.0),
    "sinh": (np.sinh, -3.0, 3.0),
    "cosh": (np.cosh, -3.0, 3.0),
    "sin": (np.sin, -5.0, 5.0),
    "cos": (np.cos, -5.0, 5.0),
    "tan": (np.tan, -1.0, 1.0),
    "asin": (np.arcsin, -1.0, 1.0),
    "atan": (np.arctan, -5.0, 5.0),
    "cbrt": (np.cbrt, 0.1, 9.0),
}
DRAWS = {
    "mt19937": np.random.RandomState([1]),
    "philox4x64": np.random.Generator(np.random.Philox([1])),
    "xoshiro256": None,
}

APPLY = """
func.func @run(%x: tensor<SIZExf64>) -> tensor<SIZExf64> {
  %empty = tensor.empty() : tensor<SIZExf64>
  %result = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<SIZExf64>) outs(%empty : tensor<SIZExf64>) {
  ^bb0(%a: f64, %old: f64):
    %b = math.NAME %a : f64
    linalg.yield %b : f64
  } -> tensor<SIZExf64>
  func.return %result : tensor<SIZExf64>
}
"""
DRAW = """
func.func @run(%r: !rng.state<KIND>) -> (tensor<SIZExf64>, !rng.state<KIND>) {
  %v, %s = rng.NAME %r : !rng.state<KIND> -> tensor<SIZExf64>
  func.return %v, %s : tensor<SIZExf64>, !rng.state<KIND>
}
"""


def compiled(template: str, **names: str) -> CompiledCode:
    for name, value in {**names, "SIZE": str(SIZE)}.items():
        template = template.replace(name, value)
    context = make_context()
    module = CogParser(context, template).parse_module()
    for step in ROAD:
        PASSES[step]().apply(context, module)
    return compile_module(module)


def nanoseconds(action: Callable[[], Any]) -> float:
    """The shortest time of an action, per element."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.perf_counter()
        action()
        best = min(best, time.perf_counter() - start)
    return best / SIZE * 1e9


def native(code: CompiledCode, source: np.ndarray[Any, Any]) -> float:
    target = np.zeros(SIZE)
    function = code.function("run", None, ctypes.c_void_p, ctypes.c_void_p)
    return nanoseconds(lambda: function(source.ctypes.data, target.ctypes.data))


def line(name: str, ours: float, theirs: float | None) -> None:
    peer = "" if theirs is None else f"{theirs:.2f} | {theirs / ours:.1f}"
    print(f"| {name} | {ours:.2f} | {peer or '- | -'} |", flush=True)


def main() -> None:
    print("| | ns | NumPy, ns | ratio |\n|---|---|---|---|")
    for name, (peer, low, high) in FUNCTIONS.items():
        numbers = np.random.RandomState(0).uniform(low, high, SIZE)
        line(f"`{name}`", native(compiled(APPLY, NAME=name), numbers), nanoseconds(lambda: peer(numbers)))
    for kind, source in DRAWS.items():
        for draw in ("uniform", "normal"):
            ours = native(compiled(DRAW, KIND=kind, NAME=draw), initial_words(kind, 1).copy())
            if source is None:
                line(f"{kind} {draw}", ours, None)
                continue
            uniform = source.random_sample if isinstance(source, np.random.RandomState) else source.random
            peer = uniform if draw == "uniform" else source.standard_normal
            line(f"{kind} {draw}", ours, nanoseconds(lambda: peer(SIZE)))


if __name__ == "__main__":
    main()
