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
from cogir.backend.ptxas import assembled, reports
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


def kernels_of(model: Any, entry: str, architectures: Sequence[str], from_oldest: bool) -> Iterator[tuple[str, str, Report]]:
    """
    The resources of the kernels of a model: architecture, kernel, report. `from_oldest`: PTX is made once, for the first architecture, and
    assembled for all of them, as the driver does.
    """
    if not from_oldest:
        for architecture in architectures:
            code, _ = build_kernels(source_of(model), Options("cuda", entry=entry), DeviceOptions(architecture, cubin=True))
            yield from ((architecture, kernel.name, kernel.report) for kernel in code.kernels if kernel.report is not None)
        return
    code, _ = build_kernels(source_of(model), Options("cuda", entry=entry), DeviceOptions(architectures[0]))
    for architecture in architectures if code.kernels else ():
        found = reports(assembled(code.image.decode(), architecture)[1], architecture)
        yield from ((architecture, name, report) for name, report in found.items())


def table(models: Iterator[tuple[str, Any]], architectures: Sequence[str], seen: Counter[str], are_examples: bool) -> None:
    """Prints a row for each kernel, of random models only for those with spills; counts kernels, spills and refusals in `seen`."""
    for name, model in models:
        for entry in ("run", "replicates"):
            try:
                given = model if are_examples and entry == "run" else for_gpus(model)
                for architecture, kernel, report in kernels_of(given, entry, architectures, not are_examples):
                    seen["kernels accepted by ptxas"] += 1
                    seen["with spills"] += report.spilled > 0
                    if are_examples or report.spilled:
                        numbers = (report.registers, report.spilled, report.local, report.shared, report.block, f"{report.occupancy:.0%}")
                        print(ROW.format(name, kernel, architecture, *numbers), flush=True)
            except BackendError as error:
                seen["refused by ptxas" if str(error).startswith("ptxas") else "refused before NVPTX"] += 1
                print(f"{name}: {entry}: {str(error).splitlines()[-1].strip()[:160]}", flush=True)
            except CogirError as error:
                seen["not compiled"] += 1
                print(f"{name}: {entry}: {str(error)[:160]}", flush=True)


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
