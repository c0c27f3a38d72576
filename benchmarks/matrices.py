"""
Products of matrices beside NumPy, PyTorch and JAX, on one core: products, feed-forward networks, learning.

    python benchmarks/matrices.py [--rounds 5] [--plot matrices.png] [--dtype float32] [--parts products,forward,learning]

1. The core: the rate of multiplications and additions, and of fused ones, in a loop in registers; products of matrices in tiles beside
   NumPy's (OpenBLAS).
2. Feed-forward networks of four layers of 10 to 2,000 logistic units, 1 to 10,000 trials: `run` beside NumPy's batched products, PyTorch
   (eager and compiled) and JAX.
3. Learning with two layers in batches beside PyTorch (eager and compiled) and JAX, stochastic gradient descent on the mean squared error.

Everything is taken in turns in one process; the best of several rounds counts. Peers that are not installed are left out, and said to be.
"""

from __future__ import annotations

import os

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "COGIR_NUM_THREADS"):
    os.environ[name] = "1"
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"

import argparse  # noqa: E402
import ctypes  # noqa: E402
import time  # noqa: E402
from collections.abc import Callable, Mapping  # noqa: E402
from itertools import pairwise  # noqa: E402
from typing import Any  # noqa: E402

import numpy as np  # noqa: E402
from xdsl.context import Context  # noqa: E402

import cogir  # noqa: E402
from cogir import library  # noqa: E402
from cogir.backend.jit import compile_module  # noqa: E402
from cogir.backend.llvm import host  # noqa: E402
from cogir.frontend.text import parse  # noqa: E402
from cogir.lowering.pipeline import PASSES  # noqa: E402
from cogir.runtime.build import product_options  # noqa: E402

PRODUCTS = [(96, 256, 256), (200, 200, 200), (500, 500, 500), (1000, 1000, 1000), (256, 784, 512), (32, 784, 128)]
UNITS, TRIALS = (10, 50, 100, 500, 2000), (1, 10, 100, 1000, 10_000)
LEARNING = [((2, 10, 1), 4, 400), ((100, 200, 10), 32, 960), ((784, 128, 10), 32, 960), ((784, 512, 10), 256, 1024)]
MOST_WORK = 4e10
"""Multiplications that a measurement may take."""


def best(ways: Mapping[str, Callable[[], Any]], rounds: int) -> dict[str, float]:
    """The best time of each way in seconds, taken in turns."""
    found = dict.fromkeys(ways, float("inf"))
    for _ in range(rounds):
        for name, way in ways.items():
            count = max(1, min(1000, int(0.02 / found[name]))) if found[name] < float("inf") else 1
            begin = time.perf_counter()
            for _ in range(count):
                way()
            found[name] = min(found[name], (time.perf_counter() - begin) / count)
    return found


def native(text: str, passes: Mapping[str, Mapping[str, Any]], name: str, arguments: int) -> Any:
    """A function of IR on memory as machine code."""
    module = parse(text)
    for each, options in passes.items():
        PASSES[each](**options).apply(Context(), module)
    return compile_module(module).function(name, None, *[ctypes.c_void_p] * arguments)


DOWN: dict[str, dict[str, Any]] = {"convert-linalg-to-loops": {}, "convert-scf-to-cf": {}, "convert-to-llvm": {}}


def rate_text(fused: bool, dtype: str, chains: int = 20, steps: int = 100_000) -> str:
    """A loop of independent chains of products and sums in vectors of 64 bytes."""
    lanes, short = (8, "f64") if dtype == "float64" else (16, "f32")
    row = f"vector<{lanes}x{short}>"
    names = [f"%s{number}" for number in range(chains)]
    lines = [
        f"func.func @rate(%m: memref<{chains}x{lanes}x{short}>) {{",
        "%zero = arith.constant 0 : index",
        "%one = arith.constant 1 : index",
    ]
    lines += [f"%c{number} = arith.constant {number} : index" for number in range(chains)]
    lines += [f"%x = vector.load %m[%zero, %zero] : memref<{chains}x{lanes}x{short}>, {row}"]
    lines += [f"%v{number} = vector.load %m[%c{number}, %zero] : memref<{chains}x{lanes}x{short}>, {row}" for number in range(chains)]
    begun = ", ".join(f"{name} = %v{number}" for number, name in enumerate(names))
    types = ", ".join([row] * chains)
    results = ", ".join(f"%r{number}" for number in range(chains))
    lines += [f"%steps = arith.constant {steps} : index"]
    lines += [f"{results} = scf.for %i = %zero to %steps step %one iter_args({begun}) -> ({types}) {{"]
    for number, name in enumerate(names):
        if fused:
            lines += [f"%n{number} = vector.fma {name}, %x, %x : {row}"]
        else:
            lines += [f"%p{number} = arith.mulf {name}, %x : {row}", f"%n{number} = arith.addf %p{number}, %x : {row}"]
    lines += [f"scf.yield {', '.join(f'%n{number}' for number in range(chains))} : {types}", "}"]
    lines += [f"vector.store %r{number}, %m[%c{number}, %zero] : memref<{chains}x{lanes}x{short}>, {row}" for number in range(chains)]
    return "\n".join([*lines, "func.return", "}"])


def product_text(rows: int, terms: int, columns: int, dtype: str) -> str:
    """A product of matrices."""
    short = "f64" if dtype == "float64" else "f32"
    maps = ", ".join(f"affine_map<(i, k, j) -> ({axes})>" for axes in ("i, k", "k, j", "i, j"))
    types = [f"memref<{shape}x{short}>" for shape in (f"{rows}x{terms}", f"{terms}x{columns}", f"{rows}x{columns}")]
    return (
        f"func.func @product(%a: {types[0]}, %b: {types[1]}, %c: {types[2]}) {{\n"
        f'linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel", "reduction", "parallel"]}} '
        f"ins(%a, %b : {types[0]}, {types[1]}) outs(%c : {types[2]}) {{\n^bb0(%x: {short}, %y: {short}, %s: {short}):\n"
        f"%p = arith.mulf %x, %y : {short}\n%n = arith.addf %s, %p : {short}\nlinalg.yield %n : {short}\n}}\nfunc.return }}"
    )


def tiles(fused: bool) -> dict[str, dict[str, Any]]:
    return product_options(host(), fused) | DOWN


def measure_products(rounds: int, dtype: str) -> None:
    """The rates of the core, and of products."""
    lanes = 8 if dtype == "float64" else 16
    steps, buffer = 20_000, np.full((20, lanes), 0.5, dtype)
    work = 2 * 20 * lanes * steps / 1e9
    cores = {
        name: native(rate_text(fused, dtype, steps=steps), DOWN, "rate", 1)
        for name, fused in (("multiply and add", False), ("fused multiply-add", True))
    }
    print("\nGFLOP/s; the core: a loop in registers, in turns with the product")
    print(f"{'product':>18}{'strict':>10}{'of the core':>13}{'fast':>10}{'NumPy':>10}{'fast time / NumPy':>20}   core")
    for rows, terms, columns in PRODUCTS:
        made = np.random.default_rng(0)
        a, b = (made.normal(size=shape).astype(dtype) for shape in ((rows, terms), (terms, columns)))
        c = np.zeros((rows, columns), dtype)
        places = (a.ctypes.data, b.ctypes.data, c.ctypes.data)
        text = product_text(rows, terms, columns, dtype)
        strict, fast = (native(text, tiles(fused), "product", 3) for fused in (False, True))
        ways = {name: lambda f=function: f(buffer.ctypes.data) for name, function in cores.items()}
        ways |= {"strict": lambda f=strict: f(*places), "fast": lambda f=fast: f(*places), "NumPy": lambda: np.matmul(a, b, out=c)}
        seconds = best(ways, 3 * rounds)
        rates = {name: (work if name in cores else 2 * rows * terms * columns / 1e9) / each for name, each in seconds.items()}
        share = rates["strict"] / rates["multiply and add"]
        ratio = seconds["fast"] / seconds["NumPy"]
        size, core = f"{rows}x{terms}x{columns}", ", ".join(f"{name} {rates[name]:.1f}" for name in cores)
        line = f"{size:>18}{rates['strict']:>10.1f}{share:>12.0%} {rates['fast']:>10.1f}{rates['NumPy']:>10.1f}{ratio:>20.2f}   {core}"
        print(line, flush=True)


def torch_or_none(dtype: str) -> Any:
    try:
        import torch
    except ImportError:
        return None
    torch.set_num_threads(1)
    torch.set_default_dtype(getattr(torch, dtype))
    return torch


def jax_or_none(dtype: str) -> Any:
    try:
        import jax
    except ImportError:
        return None
    jax.config.update("jax_enable_x64", dtype == "float64")
    return jax


def network(sizes: tuple[int, ...], matrices: list[Any], dtype: str) -> cogir.Model:
    """Layers of logistic units."""
    model = cogir.Model("network", dtype=dtype)
    nodes = [model.node("n0", library.linear, input=sizes[0])]
    for number, size in enumerate(sizes[1:], 1):
        nodes.append(model.node(f"n{number}", library.logistic, input=size))
        model.project(nodes[-2], nodes[-1], matrix=matrices[number - 1])
    model.output(nodes[-1])
    return model


def feed_forward(rounds: int, torch: Any, jax: Any, dtype: str) -> dict[tuple[int, int], dict[str, float]]:
    """Networks of four layers."""
    found: dict[tuple[int, int], dict[str, float]] = {}
    print("\nFeed-forward, four layers, milliseconds (and the times of cogir's strict and fast code over the peer's)")
    for units in UNITS:
        made = np.random.default_rng(units)
        matrices = [(made.normal(size=(units, units)) / np.sqrt(units)).astype(dtype) for _ in range(4)]
        model = network((units,) * 5, matrices, dtype)
        strict, fast = model.compile(), model.compile(contract="fast")
        compiled_torch = None
        if torch is not None:
            weights = [torch.from_numpy(matrix) for matrix in matrices]

            def eager(x: Any, weights: Any = weights) -> Any:
                for weight in weights:
                    x = torch.sigmoid(x @ weight)
                return x

            try:
                compiled_torch = torch.compile(eager, dynamic=True)
                compiled_torch(torch.zeros(3, units))
            except Exception as error:
                print(f"PyTorch's compiler does not work here: {type(error).__name__}")
                compiled_torch = None
        if jax is not None:
            held = [jax.numpy.asarray(matrix) for matrix in matrices]

            @jax.jit
            def jitted(x: Any, held: Any = tuple(held)) -> Any:
                for weight in held:
                    x = jax.nn.sigmoid(x @ weight)
                return x

        for trials in TRIALS:
            if 4.0 * units * units * trials > MOST_WORK / 10:
                continue
            rows = made.normal(size=(trials, units)).astype(dtype)

            def batched(rows: Any = rows, matrices: Any = matrices) -> Any:
                x = rows
                for matrix in matrices:
                    x = 1.0 / (1.0 + np.exp(-(x @ matrix)))
                return x

            ways: dict[str, Callable[[], Any]] = {
                "strict": lambda strict=strict, rows=rows: strict.run(rows),
                "fast": lambda fast=fast, rows=rows: fast.run(rows),
                "NumPy": batched,
            }
            if torch is not None:
                tensor = torch.from_numpy(rows)
                ways["PyTorch"] = lambda tensor=tensor, eager=eager: eager(tensor)
                if compiled_torch is not None:
                    ways["compiled"] = lambda tensor=tensor, compiled_torch=compiled_torch: compiled_torch(tensor)
            if jax is not None:
                array = jax.numpy.asarray(rows)
                ways["JAX"] = lambda array=array, jitted=jitted: jitted(array).block_until_ready()
            seconds = best(ways, rounds)
            found[units, trials] = seconds
            own = ("strict", "fast")
            texts = [
                f"{name} {1e3 * each:.4f}" + ("" if name in own else f" ({', '.join(f'{seconds[way] / each:.2f}' for way in own)})")
                for name, each in seconds.items()
            ]
            print(f"{units:>6} units {trials:>6} trials   " + "   ".join(texts), flush=True)
    return found


def jax_epoch(jax: Any, matrices: list[Any], x: Any, y: Any, batch: int) -> Callable[[], Any]:
    """One epoch of stochastic gradient descent by JAX."""

    def loss(weights: Any, inputs: Any, targets: Any) -> Any:
        for weight in weights:
            inputs = jax.nn.sigmoid(inputs @ weight)
        return ((inputs - targets) ** 2).mean()

    @jax.jit
    def step(weights: Any, inputs: Any, targets: Any) -> Any:
        return [weight - 0.05 * slope for weight, slope in zip(weights, jax.grad(loss)(weights, inputs, targets), strict=True)]

    held = [jax.numpy.asarray(matrix) for matrix in matrices]
    parts = [
        (jax.numpy.asarray(x[begin : begin + batch]), jax.numpy.asarray(y[begin : begin + batch])) for begin in range(0, len(x), batch)
    ]

    def epoch() -> None:
        weights = held
        for inputs, targets in parts:
            weights = step(weights, inputs, targets)
        weights[0].block_until_ready()

    return epoch


def learning(rounds: int, torch: Any, jax: Any, dtype: str) -> None:
    """Learning beside PyTorch and JAX."""
    print("\nLearning, one epoch, milliseconds (and the time over the peers')")
    for sizes, batch, trials in LEARNING:
        made = np.random.default_rng(0)
        matrices = [(made.normal(size=(before, size)) / np.sqrt(before)).astype(dtype) for before, size in pairwise(sizes)]
        x, y = made.normal(size=(trials, sizes[0])).astype(dtype), made.uniform(size=(trials, sizes[-1])).astype(dtype)
        ways: dict[str, Callable[[], Any]] = {}
        for contract in ("strict", "fast"):
            model = network(sizes, matrices, dtype)
            target = model.node("target", input=sizes[-1])
            model.learning([(f"n{len(sizes) - 1}", target)], library.gradient_descent, rate=0.05)
            compiled = model.compile(contract=contract)
            ways[contract] = lambda compiled=compiled: compiled.learn({"n0": x, "target": y}, epochs=1, batch=batch)
        if torch is not None:
            layers: list[Any] = []
            for before, size, matrix in zip(sizes, sizes[1:], matrices, strict=False):
                layer = torch.nn.Linear(before, size, bias=False)
                layer.weight.data = torch.from_numpy(matrix.T.copy())
                layers += [layer, torch.nn.Sigmoid()]
            net = torch.nn.Sequential(*layers)
            optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
            inputs, targets, loss = torch.from_numpy(x), torch.from_numpy(y), torch.nn.MSELoss()

            def epoch(call: Any) -> None:
                for begin in range(0, trials, batch):
                    optimizer.zero_grad()
                    loss(call(inputs[begin : begin + batch]), targets[begin : begin + batch]).backward()
                    optimizer.step()

            ways["PyTorch"] = lambda net=net, epoch=epoch: epoch(net)
            try:
                compiled_net = torch.compile(net)
                epoch(compiled_net)
                ways["compiled"] = lambda compiled_net=compiled_net, epoch=epoch: epoch(compiled_net)
            except Exception as error:
                print(f"PyTorch's compiler does not work here: {type(error).__name__}")
        if jax is not None:
            ways["JAX"] = jax_epoch(jax, matrices, x, y, batch)
        seconds = best(ways, rounds)
        peers = [name for name in seconds if name not in ("strict", "fast")]
        texts = [f"{name} {1e3 * each:.2f}" for name, each in seconds.items()]
        ratios = [f"{kind}/{peer} {seconds[kind] / seconds[peer]:.2f}" for kind in ("strict", "fast") for peer in peers]
        print(f"{'-'.join(map(str, sizes)):>14} batch {batch:>4}   " + "   ".join([*texts, *ratios]), flush=True)


def plot(found: dict[tuple[int, int], dict[str, float]], path: str) -> None:
    """A panel for each number of units: the time per trial over the number of trials."""
    import matplotlib.pyplot as plt

    figure, panels = plt.subplots(1, len(UNITS), figsize=(3.2 * len(UNITS), 3.2), layout="constrained")
    for panel, units in zip(panels, UNITS, strict=True):
        mine = {trials: seconds for (each, trials), seconds in found.items() if each == units}
        for name in next(iter(mine.values())):
            panel.loglog(
                list(mine), [1e6 * seconds[name] / trials for trials, seconds in mine.items()], marker="o", markersize=3, label=name
            )
        panel.set(title=f"four layers of {units} units", xlabel="trials", ylabel="microseconds per trial" if units == UNITS[0] else "")
    panels[0].legend(fontsize="small")
    figure.savefig(path, dpi=120)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--plot", help="a file for a figure of the feed-forward networks")
    parser.add_argument("--dtype", choices=("float64", "float32"), default="float64")
    parser.add_argument("--parts", default="products,forward,learning")
    args = parser.parse_args()
    torch, jax = torch_or_none(args.dtype), jax_or_none(args.dtype)
    for module, title in ((torch, "PyTorch: pip install torch"), (jax, "JAX: pip install jax")):
        if module is None:
            print(f"not installed: {title}")
    parts = args.parts.split(",")
    if "products" in parts:
        measure_products(args.rounds, args.dtype)
    if "forward" in parts:
        found = feed_forward(args.rounds, torch, jax, args.dtype)
        if args.plot:
            plot(found, args.plot)
    if "learning" in parts:
        learning(args.rounds, torch, jax, args.dtype)


if __name__ == "__main__":
    main()
