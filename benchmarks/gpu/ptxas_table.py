"""
The registers and spills of kernels: of all examples, as searches or as replicates, and of random models.

    python -m benchmarks.gpu.ptxas_table                      the examples, for sm_80, sm_90 and sm_100
    python -m benchmarks.gpu.ptxas_table --random 200         and 200 random models
    python -m benchmarks.gpu.ptxas_table --arch sm_90

This needs NVIDIA's ptxas, and no GPU. Replicates of models with NumPy's generators are compiled with xoshiro256 in their place, as the
kernels need functions of the C library otherwise.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

from cogir.backend.kernels import DeviceOptions, Report
from cogir.errors import BackendError, CogirError
from cogir.frontend.compile import source_of
from cogir.frontend.parsed import ParsedModel
from cogir.runtime.build import build_kernels
from cogir.runtime.options import Options

ROOT = Path(__file__).parents[2]
ARCHITECTURES = ("sm_80", "sm_90", "sm_100")
NUMPY = re.compile(r"mt19937|philox4x64")
ROW = "{:24} {:>11} {:>7} {:>9} {:>6} {:>6} {:>6} {:>7} {:>9}"


def examples() -> Iterator[tuple[str, Any]]:
    """All examples by name."""
    sys.path.insert(0, str(ROOT / "examples"))
    from catalogue import EXAMPLES

    for name, example in EXAMPLES.items():
        yield name, example.build()


def random_models(count: int) -> Iterator[tuple[str, Any]]:
    """The first models of the tests with random models."""
    sys.path.insert(0, str(ROOT / "test"))
    from support.random.models import random_model

    for seed in range(count):
        yield f"random {seed}", random_model(Random(seed)).model


def for_gpus(model: Any) -> Any:
    """A model with generators that need no C library, as text."""
    return ParsedModel(NUMPY.sub("xoshiro256", str(model.ir())))


def kernels_of(model: Any, entry: str, architecture: str) -> dict[str, Report]:
    """The resources of the kernels of a model."""
    code, _ = build_kernels(source_of(model), Options("cuda", entry=entry), DeviceOptions(architecture, cubin=True))
    return {kernel.name: kernel.report for kernel in code.kernels if kernel.report is not None}


def table(models: Iterator[tuple[str, Any]], architectures: Sequence[str], seen: Counter[str], loud: bool) -> None:
    """Prints a row for each kernel; counts kernels, spills and refusals in `seen`."""
    for name, model in models:
        for entry in ("run", "replicates"):
            for architecture in architectures:
                try:
                    found = kernels_of(model if entry == "run" else for_gpus(model), entry, architecture)
                except BackendError as error:
                    seen["refused by ptxas" if str(error).startswith("ptxas") else "refused before NVPTX"] += 1
                    print(f"{name}: {entry} for {architecture}: {str(error).splitlines()[-1].strip()[:160]}")
                    continue
                except CogirError as error:
                    seen["not compiled"] += 1
                    print(f"{name}: {entry}: {str(error)[:160]}")
                    break
                for kernel, report in found.items():
                    seen["kernels"] += 1
                    seen["with spills"] += report.spilled > 0
                    if loud or report.spilled:
                        numbers = (report.registers, report.spilled, report.local, report.shared, report.block, f"{report.occupancy:.0%}")
                        print(ROW.format(name, kernel, architecture, *numbers))


def main() -> None:
    """The table of what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--arch", action="append", help="an architecture (default: sm_80, sm_90 and sm_100)")
    parser.add_argument(
        "--random", type=int, default=0, metavar="COUNT", help="so many random models, of which rows with spills are printed"
    )
    parser.add_argument("--only", default="", help="only examples whose names begin with this")
    args = parser.parse_args()
    architectures = args.arch or ARCHITECTURES
    seen: Counter[str] = Counter()
    print(ROW.format("model", "kernel", "arch", "registers", "spills", "local", "shared", "threads", "occupancy"))
    table(((name, model) for name, model in examples() if name.startswith(args.only)), architectures, seen, True)
    table(random_models(args.random), architectures, seen, False)
    print(", ".join(f"{count} {what}" for what, count in seen.items()))


if __name__ == "__main__":
    main()
