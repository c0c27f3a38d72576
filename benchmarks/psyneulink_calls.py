"""
How long a whole call of `Composition.run` takes, as a script makes it: in PsyNeuLink's Python mode, in its LLVMRun mode, and with cogir.

    python benchmarks/psyneulink_calls.py [models ...] [--no-python] [--firsts 2] [--json file]

For each reference model (`examples/psyneulink`, with the inputs of the first call of its reference run) one process imports PsyNeuLink and
builds the model. Copies of this process (`fork`) call `run` several times, each in one mode, and read all results after each call. So a
first call begins with PsyNeuLink and the model there, and with neither compiler started:

- LLVMRun's holds the start of its engine, the reading of the Composition, its code and LLVM's work on it. The modules of PsyNeuLink's
  compiler came with `import psyneulink`.
- cogir's holds the import of all of cogir and of what it needs (xDSL), the reading of the Composition, compilation and the loading of the
  code; once with an empty cache and once with one that holds the code.

A warm call is the fastest of the later ones. Both packages are measured as their installation leaves them, with byte code. To that of
cogir belongs `backend/library.ll`, its elementary functions and generators as LLVM IR; PsyNeuLink emits its own in each process.
The table shows milliseconds of processor time, which others on the machine lengthen less than that by the clock; the ratios at the end
are given of both. What counts are the ratios of one run of this script.
"""

from __future__ import annotations

import argparse
import compileall
import json
import math
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, TypeAlias

ROOT = Path(__file__).parents[1]
WORKER = Path(__file__).with_name("psyneulink_calls_worker.py")
MODELS = (
    "botvinick_1 chain chain_conditions ddm_analytical ddm_integrator evc_ddm ext_stroop_A ext_stroop_B lca multitasking necker_S"
    " necker_vec predator_prey_M predator_prey_M_philox predator_prey_S predator_prey_S_philox"
).split()
COLUMNS = ("Python", "LLVMRun first", "LLVMRun", "cogir first, empty cache", "cogir first, filled cache", "cogir")
RATIOS = {
    "warm: Python / cogir": ("Python", "cogir"),
    "warm: LLVMRun / cogir": ("LLVMRun", "cogir"),
    "first: LLVMRun / cogir, empty cache": ("LLVMRun first", "cogir first, empty cache"),
    "first: LLVMRun / cogir, filled cache": ("LLVMRun first", "cogir first, filled cache"),
}


Times: TypeAlias = dict[str, float]
KINDS = ("processor", "clock")


def row(model: str, with_python: bool, firsts: int) -> dict[str, Times]:
    """The times of one model in seconds, of each kind."""
    options = {"model": model, "with_python": with_python, "firsts": firsts, "tests": str(ROOT / "test")}
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, WORKER, json.dumps(options)], stdout=subprocess.PIPE, text=True, env=environment)
    if done.returncode:
        raise SystemExit(f"{model}: it was not measured")
    return json.loads(done.stdout.splitlines()[-1])


def ratios(times: Times) -> dict[str, float]:
    """Those ratios of which a model has both times."""
    return {name: times[slow] / times[fast] for name, (slow, fast) in RATIOS.items() if slow in times and fast in times}


def summary(table: dict[str, Times]) -> dict[str, dict[str, Any]]:
    """For each ratio the geometric mean over all models that have it, the least, and how many there are."""
    found: dict[str, dict[str, Any]] = {}
    for name in RATIOS:
        each = {model: held[name] for model, times in table.items() if name in (held := ratios(times))}
        if each:
            least = min(each, key=lambda model: each[model])
            mean = math.exp(sum(map(math.log, each.values())) / len(each))
            found[name] = {"geometric mean": mean, "least": each[least], "of": least, "models": len(each)}
    return found


def line(model: str, times: Times) -> str:
    """A line of the table, in milliseconds; at its end how many times LLVMRun takes cogir's time, warm and first with an empty cache."""
    cells = [f"{1e3 * times[column]:.3g}" if column in times else "-" for column in COLUMNS]
    of = ratios(times)
    cells += [f"{of[name]:.3g}" if name in of else "-" for name in list(RATIOS)[1:3]]
    return f"| {model} | {' | '.join(cells)} |"


def main() -> None:
    """Measures, and prints a table as it goes."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").strip().splitlines()[0])
    parser.add_argument("models", nargs="*", default=MODELS)
    parser.add_argument("--no-python", action="store_true", help="leave PsyNeuLink's Python mode out, which takes longest")
    parser.add_argument("--firsts", type=int, default=2, help="how many first calls are made in each mode, of which the fastest counts")
    parser.add_argument("--json", type=Path, help="write the seconds here, too")
    given = parser.parse_args()
    compileall.compile_dir(str(ROOT / "cogir"), quiet=1)
    print(f"| model | {' | '.join(COLUMNS)} | warm ratio | first ratio |\n|{'---|' * (len(COLUMNS) + 3)}")
    tables: dict[str, dict[str, Times]] = {kind: {} for kind in KINDS}
    for model in given.models:
        measured = row(model, not given.no_python, given.firsts)
        for kind in KINDS:
            tables[kind][model] = measured[kind]
        print(line(model, measured["processor"]), flush=True)
    found = {kind: summary(tables[kind]) for kind in KINDS}
    for kind in KINDS:
        print(f"\nratios of {kind} time")
        for name, of in found[kind].items():
            print(f"  {name}: {of['geometric mean']:.3g} in geometric mean of {of['models']} models, least {of['least']:.3g} ({of['of']})")
    if given.json:
        given.json.write_text(json.dumps({"seconds": tables, "ratios": found}, indent=1))


if __name__ == "__main__":
    main()
