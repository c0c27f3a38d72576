"""
Memory that stays of compilations that are not from the cache, once their models are gone.

    python benchmarks/memory.py [--count 200]

Compiles and runs models that differ, one after the other, and prints the resident memory after each fifth of them; a tenth is
compiled before. The last line is the growth for each compilation.
"""

from __future__ import annotations

import argparse
import gc
from pathlib import Path

import cogir
from cogir import library


def resident() -> float:
    """Resident memory of this process in MB."""
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmRSS"))
    return float(line.split()[1]) / 1000.0


def compile_one(number: int) -> None:
    """A decision that no other number has."""
    model = cogir.Model(f"model {number}")
    stimulus = model.node("stimulus", library.linear, input=2, slope=1.0 + number)
    decision = model.node("decision", library.logistic, input=2, gain=1.0 / (1 + number))
    model.project(stimulus, decision)
    model.compile(cache=False).run({"stimulus": [[1.0, 0.5]]})


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures the memory that stays of compilations.")
    parser.add_argument("--count", type=int, default=200)
    count: int = parser.parse_args().count
    for number in range(count // 10):
        compile_one(-number - 2)
    gc.collect()
    first = resident()
    for number in range(count):
        compile_one(number)
        if (number + 1) % max(1, count // 5) == 0:
            gc.collect()
            print(f"after {number + 1} compilations: {resident():.1f} MB", flush=True)
    print(f"{1000.0 * (resident() - first) / count:.1f} KB for each compilation")


if __name__ == "__main__":
    main()
