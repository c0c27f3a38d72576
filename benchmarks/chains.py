"""
Chains of layers: compiled by cogir, C by hand, Numba, NumPy.

    python benchmarks/chains.py [--json file]

A matrix chain has four fully connected layers of 64 or 256 units with rectifiers; the sums go from left to right, so that cogir, C
(`limits/matrix_chain.c`) and Numba give the same bits, which is checked. NumPy's product adds in another order, and is shown for
comparison. The small chain is the example `chain` (2, 3, 3, and 2 units, one of them with memory and one recurrent), whose Numba peer is
written as one would by hand; its `exp` and `tanh` are the system's, so that results agree to 1e-12. It prints microseconds of a trial,
the fastest of several rounds taken in turns. Programs that cannot run here are left out.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import math
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import cogir
from cogir import library

ROOT = Path(__file__).parents[1]
Floats = NDArray[np.float64]
Run = Callable[[Floats, int], Floats]
"""From the inputs, through which it cycles, and a number of trials to the outputs of all of them."""

LAYERS, ROUNDS, AIM = 4, 7, 0.02


def matrix_model(matrices: Floats) -> cogir.Model:
    """The matrix chain as a model."""
    width = matrices.shape[1]
    model = cogir.Model(f"matrix_chain_{width}")
    sender = model.node("in", input=width)
    for place, matrix in enumerate(matrices):
        receiver = model.node(f"layer {place}", library.relu, input=width)
        model.project(sender, receiver, matrix=matrix)
        sender = receiver
    return model


def compiled(model: cogir.Model) -> Run:
    """A model compiled by cogir."""
    ready = model.compile(mode="run")

    def run(inputs: Floats, trials: int) -> Floats:
        ready.reset()
        result = ready.run(inputs, num_trials=trials)
        return result[result.outputs[-1].split("/")[0]]

    return run


def in_c(matrices: Floats, folder: Path) -> Run | None:
    """C by hand; None without a compiler."""
    compiler = next(filter(shutil.which, ("clang-22", "clang", "gcc", "cc")), None)
    if compiler is None:
        return None
    shared = folder / "matrix_chain.so"
    flags = ["-O3", "-march=native", "-mprefer-vector-width=512", "-ffp-contract=off", "-shared", "-fPIC"]
    subprocess.run([compiler, *flags, str(ROOT / "benchmarks/limits/matrix_chain.c"), "-o", str(shared)], check=True)
    function = ctypes.CDLL(str(shared)).matrix_chain
    pointer, number = ctypes.c_void_p, ctypes.c_long
    function.argtypes = [ctypes.c_int, ctypes.c_int, pointer, ctypes.c_int, pointer, number, pointer]
    function.restype = None

    def run(inputs: Floats, trials: int) -> Floats:
        outputs = np.empty((trials, matrices.shape[1]))
        at = (each.ctypes.data for each in (matrices, inputs, outputs))
        function(len(matrices), matrices.shape[1], next(at), len(inputs), next(at), trials, next(at))
        return outputs

    return run


def matrix_with_numba(matrices: Floats) -> Run | None:
    """The loops in Numba, strict as the others; None without it."""
    try:
        import numba
    except ImportError:
        return None

    @numba.njit
    def run(matrices: Any, inputs: Any, trials: int) -> Any:
        width = matrices.shape[1]
        outputs = np.empty((trials, width))
        for trial in range(trials):
            sent = inputs[trial % len(inputs)]
            for layer in range(len(matrices)):
                arrived = np.zeros(width)
                for i in range(width):
                    for j in range(width):
                        arrived[j] += sent[i] * matrices[layer, i, j]
                for j in range(width):
                    arrived[j] = max(arrived[j], 0.0)
                sent = arrived
            outputs[trial] = sent
        return outputs

    return lambda inputs, trials: run(matrices, inputs, trials)


def matrix_with_numpy(matrices: Floats) -> Run:
    """NumPy, one line per layer."""

    def run(inputs: Floats, trials: int) -> Floats:
        outputs = np.empty((trials, matrices.shape[1]))
        for trial in range(trials):
            sent = inputs[trial % len(inputs)]
            for matrix in matrices:
                sent = np.maximum(sent @ matrix, 0.0)
            outputs[trial] = sent
        return outputs

    return run


def small_with_numba() -> Run | None:
    """The example `chain` in Numba; None without it."""
    try:
        import numba
    except ImportError:
        return None
    first = np.array([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]])
    second = np.array([[1.0, 0.2, 0.1], [0.3, 1.0, 0.2], [0.1, 0.1, 1.0]])
    recurrent = np.array([[0.2, -0.1, -0.1], [-0.1, 0.2, -0.1], [-0.1, -0.1, 0.2]])
    last = np.array([[1.0, -1.0], [-0.5, 0.5], [0.25, -0.75]])

    @numba.njit
    def times(vector: Any, matrix: Any, result: Any) -> None:
        for j in range(matrix.shape[1]):
            total = 0.0
            for i in range(matrix.shape[0]):
                total += vector[i] * matrix[i, j]
            result[j] = total

    @numba.njit
    def run(first: Any, second: Any, recurrent: Any, last: Any, inputs: Any, trials: int) -> Any:
        outputs = np.empty((trials, 2))
        a, b, memory, r, heard, back, o = np.zeros(2), np.zeros(3), np.zeros(3), np.zeros(3), np.zeros(3), np.zeros(3), np.zeros(2)
        for trial in range(trials):
            for i in range(2):
                a[i] = 2.0 * inputs[trial % len(inputs), i] + 0.5
            times(a, first, heard)
            for i in range(3):
                memory[i] = 0.7 * memory[i] + 0.3 * heard[i]
                b[i] = 1.0 / (1.0 + math.exp(-0.7 * memory[i]))
            times(b, second, heard)
            times(r, recurrent, back)
            for i in range(3):
                r[i] = math.tanh(heard[i] + back[i])
            times(r, last, o)
            greatest = max(o[0], o[1])
            left, right = math.exp(o[0] - greatest), math.exp(o[1] - greatest)
            outputs[trial, 0], outputs[trial, 1] = left / (left + right), right / (left + right)
        return outputs

    return lambda inputs, trials: run(first, second, recurrent, last, inputs, trials)


def microseconds(runs: dict[str, Run | None], inputs: Floats, same: dict[str, float]) -> dict[str, float]:
    """Microseconds of a trial. The results must equal those of the first program, or satisfy `same`."""
    usable = {title: run for title, run in runs.items() if run is not None}
    expected = next(iter(usable.values()))(inputs, 9)
    for title, run in usable.items():
        off = float(np.max(np.abs(run(inputs, 9) - expected) / np.abs(expected).max()))
        assert off <= same.get(title, 0.0), f"{title}: off by {off:.1e}"
    trials = 2
    while (seconds := timed(next(iter(usable.values())), inputs, trials)) < AIM:
        trials = math.ceil(trials * min(10.0, 1.2 * AIM / seconds))
    best = dict.fromkeys(usable, math.inf)
    for _ in range(ROUNDS):
        for title, run in usable.items():
            best[title] = min(best[title], 1e6 * timed(run, inputs, trials) / trials)
    return best


def timed(run: Run, inputs: Floats, trials: int) -> float:
    """Seconds of a run."""
    began = time.perf_counter()
    run(inputs, trials)
    return time.perf_counter() - began


def matrix_chain(width: int) -> dict[str, float]:
    """Microseconds of a trial of the matrix chain, by program."""
    random = np.random.RandomState(width)
    matrices = random.normal(size=(LAYERS, width, width)) * math.sqrt(2.0 / width)
    inputs = random.normal(size=(4, width))
    with tempfile.TemporaryDirectory() as folder:
        runs: dict[str, Run | None] = {
            "cogir": compiled(matrix_model(matrices)),
            "C by hand": in_c(matrices, Path(folder)),
            "Numba": matrix_with_numba(matrices),
            "NumPy": matrix_with_numpy(matrices),
        }
        return microseconds(runs, inputs, {"NumPy": 1e-12})


def small_chain() -> dict[str, float]:
    """Microseconds of a trial of the example `chain`, by program."""
    sys.path.insert(0, str(ROOT / "examples"))
    import chain

    runs = {"cogir": compiled(chain.build()), "Numba": small_with_numba()}
    return microseconds(runs, np.array([[1.0, -0.5], [0.0, 0.4]]), {"Numba": 1e-12})


def all_chains() -> dict[str, dict[str, float]]:
    """All of them by name."""
    return {
        "matrix chain, 4 layers of 64": matrix_chain(64),
        "matrix chain, 4 layers of 256": matrix_chain(256),
        "chain (example)": small_chain(),
    }


def main() -> None:
    """Prints a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").strip().splitlines()[0])
    parser.add_argument("--json", type=Path, help="write the figures here, too")
    given = parser.parse_args()
    found = all_chains()
    titles = ("cogir", "C by hand", "Numba", "NumPy")
    print(f"microseconds of a trial\n\n| model | {' | '.join(titles)} |\n|{'---|' * (len(titles) + 1)}")
    for name, times in found.items():
        print(f"| {name} | {' | '.join(f'{times[title]:.3g}' if title in times else '-' for title in titles)} |")
    if given.json:
        given.json.write_text(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
