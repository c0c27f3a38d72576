"""
Prepares one folder for a machine with an NVIDIA GPU: kernels, code for its CPU, expected results, and a runner that needs nothing but
Python, NumPy, and PyCUDA or cuda-bindings.

    python -m benchmarks.gpu.prepare FOLDER [--architectures sm_80,sm_90,sm_100] [--levels 1000] [--count 10000000] [--emulated]
    python FOLDER/run.py                        # there: prints the table, writes FOLDER/figures.json

Cases: the search of predator-prey XL (101 levels of each of three signals), the same with `--levels` each (10^9 points), and `--count`
decisions by drift and diffusion. The expected results are digests of all outputs, as this machine's CPU computes them. Kernels are cubins
where there is ptxas, else PTX. `--emulated` adds kernels for this processor, to try the folder where there is no GPU
(`python FOLDER/run.py --driver emulated`, which needs llvmlite).
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

import cogir
from benchmarks.gpu.run import digest
from benchmarks.replicates import decision
from cogir.backend.emit_llvm_ir import emit_llvm_ir
from cogir.backend.jit import compile_to_object
from cogir.backend.kernels import EMULATED, DeviceCode, DeviceOptions
from cogir.backend.linked_library import linked_library
from cogir.backend.llvm import Target, host
from cogir.backend.ptxas import ptxas
from cogir.frontend.compile import source_of
from cogir.runtime.build import build_kernels, lowered
from cogir.runtime.options import Options

ROOT = Path(__file__).parents[2]
LEVELS_OF_CPUS = {"x86-64-v3": "", "x86-64-v4": "-prefer-256-bit"}
"""The processors that code is made for, with LLVM's features beside those of the name."""
WEIGHTS = {"div": 15, "sqrt": 15, "rcp": 8}
"""So many instructions of the f64 pipeline a division, a square root and a reciprocal become, roughly; the others are one each."""
F64 = re.compile(r"^\s+(?:@!?%p\d+\s+)?(add|sub|mul|fma|div|sqrt|rcp|neg|abs|min|max|setp|cvt|floor|rnd)\b[.\w]*\.f64\b")


@dataclass(frozen=True)
class Case:
    """A model with what is to be done with it."""

    name: str
    model: cogir.Model
    inputs: dict[str, Any]
    entry: str
    """"run" for the searches of trials, or "replicates"."""
    count: int
    """Trials, or replicates."""
    points: int = 0
    """The points of a search."""
    seed: int = 1
    steps_per_pass: int = 1
    """The steps of a pass through the loop of the kernel: replicates of xoshiro256 make two, as normals come in pairs."""


def predator_prey(levels: int) -> cogir.Model:
    """Predator-prey with so many levels of attention to each of the three."""
    sys.path.insert(0, str(ROOT / "examples"))
    import predator_prey as example

    example.LEVELS["xl"] = np.linspace(0.0, 10.0, levels).tolist()
    return example.build("xl")


def cases(levels: int, count: int) -> Iterator[Case]:
    """All cases."""
    sys.path.insert(0, str(ROOT / "examples"))
    from predator_prey import INPUTS

    for each in (101, levels):
        yield Case(f"predator_prey_{each}", predator_prey(each), INPUTS, "run", 3 if each == 101 else 1, each**3)
    yield Case("decisions", decision("xoshiro256"), {"DDM": [[1.0]]}, "replicates", count, steps_per_pass=2)


def shared_library(case: Case, options: Options, level: str, path: Path) -> None:
    """Code for processors of a level, as a library that ctypes loads."""
    module, _ = lowered(source_of(case.model), options)
    target = Target(host().triple, level, LEVELS_OF_CPUS[level], 3)
    code = compile_to_object(linked_library().link(emit_llvm_ir(module)), target=target, wide=options.entry == "replicates")
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "code.o")
        source.write_bytes(code)
        subprocess.run(["cc", "-shared", "-o", str(path), str(source), "-lm"], check=True)


def weighted_f64(code: DeviceCode, name: str) -> int:
    """
    The instructions of the f64 pipeline in one pass through the loop of a kernel that has most of them, by its PTX: `WEIGHTS` for what
    becomes several. What a pass skips counts, too.
    """
    text = code.image.decode()
    body = text[text.index(f".entry {name}(") :].split("\n")
    labels = {line.split(":")[0].strip(): number for number, line in enumerate(body) if line.startswith("$")}
    weights = [WEIGHTS.get(found[1], 1) if (found := F64.match(line)) else 0 for line in body]
    loops: list[tuple[int, int]] = []
    for number, line in enumerate(body):
        jump = re.search(r"\bbra(?:\.uni)?\s+(\$[\w]+)", line)
        if jump and labels.get(jump[1], number) < number:
            loops.append((labels[jump[1]], number))
    costs = {loop: sum(weights[loop[0] : loop[1]]) for loop in loops}
    most = max(costs.values(), default=sum(weights))
    return min((cost for cost in costs.values() if 2 * cost > most), default=most)


def prepare_case(case: Case, folder: Path, architectures: tuple[str, ...], emulated: bool) -> dict[str, Any]:
    """Writes the files of a case; what the runner must know of it."""
    compiled = case.model.compile(cache=False)
    options = Options(entry=case.entry)
    for level in LEVELS_OF_CPUS:
        shared_library(case, options, level, folder / f"{case.name}.cpu.{level}.so")
        if case.entry == "run":
            shared_library(case, replace(options, target="cuda"), level, folder / f"{case.name}.host.{level}.so")
    kernels: dict[str, Any] = {}
    for architecture in (*architectures, *((EMULATED,) if emulated else ())):
        cubin = architecture != EMULATED and ptxas() is not None
        begun = time.perf_counter()
        code, _ = build_kernels(source_of(case.model), replace(options, target="cuda"), architecture)
        compiling = time.perf_counter() - begun
        counted = 0.0 if architecture == EMULATED else weighted_f64(code, code.kernels[0].name) / case.steps_per_pass
        text = code.image
        if cubin:
            code, _ = build_kernels(source_of(case.model), replace(options, target="cuda"), DeviceOptions(architecture, cubin=True))
        file = f"{case.name}.{architecture}.{'cubin' if cubin else 'o' if architecture == EMULATED else 'ptx'}"
        (folder / file).write_bytes(code.image)
        kernels[architecture] = {
            "file": file,
            "kernels": [kernel.to_json() for kernel in code.kernels],
            "f64": counted,
            "compiling": compiling,
        }
        if architecture == architectures[0]:
            (folder / f"{case.name}.ptx").write_bytes(text)
    rows = compiled.inputs.rows(case.inputs)
    (folder / f"{case.name}.plan.json").write_text(json.dumps(compiled.plan.to_json()))
    np.save(folder / f"{case.name}.rows.npy", rows)
    if case.entry == "run":
        found = compiled.run(case.inputs, num_trials=case.count)
        steps = case.points * case.count
        expected = digest(found._rows)
    else:
        decided = compiled.replicates(case.inputs, count=case.count, seed=case.seed)
        steps = round(float(decided["DDM", "time"].sum()) / 0.01)
        expected = digest(decided._rows)
    facts = {"name": case.name, "entry": case.entry, "count": case.count, "points": case.points, "seed": case.seed, "steps": steps}
    ptx = {"file": f"{case.name}.ptx", "architecture": architectures[0]}
    return {**facts, "expected": expected, "kernels": kernels, "ptx": ptx}


def copy_runner(folder: Path) -> None:
    """The runner, and the part of cogir that it needs, which loads neither xDSL nor llvmlite."""
    shutil.copy(Path(__file__).with_name("run.py"), folder / "run.py")
    left_out = shutil.ignore_patterns("*.ll", "__pycache__")
    shutil.copytree(ROOT / "cogir", folder / "cogir", ignore=left_out, dirs_exist_ok=True)
    shutil.rmtree(folder / "cogir" / "psyneulink")
    (folder / "cogir" / "__init__.py").write_text('"""The part of cogir that runs compiled models."""\n')


def main() -> None:
    parser = argparse.ArgumentParser(description="Prepares a folder for a machine with a GPU.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--architectures", default="sm_80,sm_90,sm_100")
    parser.add_argument("--levels", type=int, default=1000)
    parser.add_argument("--count", type=int, default=10_000_000)
    parser.add_argument("--emulated", action="store_true")
    chosen = parser.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    architectures = tuple(chosen.architectures.split(","))
    found = [prepare_case(case, chosen.folder, architectures, chosen.emulated) for case in cases(chosen.levels, chosen.count)]
    (chosen.folder / "cases.json").write_text(json.dumps(found, indent=1))
    copy_runner(chosen.folder)
    size = sum(path.stat().st_size for path in chosen.folder.rglob("*") if path.is_file())
    print(f"{chosen.folder}: {size / 2**20:.1f} MiB")


if __name__ == "__main__":
    main()
