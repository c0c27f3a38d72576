"""
The time of a whole call of `Composition.run`, as a script makes it: in PsyNeuLink's Python mode, in its LLVMRun mode, and with cogir.

    python benchmarks/psyneulink_calls.py [models ...] [--no-python] [--firsts 3] [--json file]

For each reference model (`examples/psyneulink`, with the inputs of the first call of its reference run) and each way, a process imports
PsyNeuLink, builds the model, calls `run` several times, and reads all results after each call. So a first call is what a script has that
makes one: it begins with PsyNeuLink and the model there, and with neither compiler started.

- LLVMRun's holds the start of its engine, the reading of the Composition, its code and LLVM's work on it. The modules of PsyNeuLink's
  compiler came with `import psyneulink`.
- cogir's holds the import of all of cogir and of what it needs (xDSL), the reading of the Composition, compilation and the loading of the
  code; once with an empty cache and once with one that holds the code.
- Either holds the collections of garbage that fall due in it. One of all objects, which takes a fifth of a second with PsyNeuLink and
  torch there, falls due in each of LLVMRun's; cogir disables the collector during its import and during compilation.

A warm call is the fastest of the later ones. Both packages are measured as their installation leaves them, with byte code. To that of
cogir belongs `backend/library.ll`, its elementary functions and generators as LLVM IR; PsyNeuLink emits its own in each process.
The ways take turns, and of each the fastest first call counts. The table shows milliseconds of processor time, which others on the machine
lengthen less than that by the clock; the ratios at the end are given of both. Only ratios within one run of this script are meaningful.
`compare.py` takes its first calls from here.
"""

from __future__ import annotations

import argparse
import compileall
import json
import math
import os
import subprocess
import sys
import tempfile
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
Seconds: TypeAlias = tuple[float, float]
"""Of one call by the clock, and of processor time."""
Call: TypeAlias = dict[str, Any]
"""The arguments of a call of `run`."""
KINDS = ("clock", "processor")
XL = "predator_prey_XL"
"""The largest search, of which there is no reference run: two trials with the inputs of the smallest one."""
FIRSTS = {"LLVMRun": "LLVMRun first", "empty": "cogir first, empty cache", "filled": "cogir first, filled cache"}
COUNTS = {"Python": 2, "LLVMRun": 8, "cogir": 31}
"""How many calls each process makes: of a fast kind more, of which one is likely to be undisturbed."""


def first_call(model: str) -> Call:
    """The first call of a reference run."""
    name = "predator_prey_S" if model == XL else model
    call = json.loads((ROOT / "test" / "golden" / f"{name}.json").read_text())["calls"][0]
    return {"inputs": call["inputs"], "num_trials": 2} if model == XL else call


def calls(model: str, way: str, count: int, cache: str | None = None) -> list[Seconds]:
    """The times of some calls in a process of their own; none where this way does not run the model, as it then says."""
    options = {"model": model, "call": first_call(model), "way": way, "count": count, "tests": str(ROOT / "test")}
    environment = {**os.environ, "PYTHONPATH": str(ROOT)} | ({} if cache is None else {"COGIR_CACHE_DIR": cache})
    done = subprocess.run([sys.executable, WORKER, json.dumps(options)], capture_output=True, text=True, env=environment)
    if done.returncode:
        print(f"{model}, {way}: {(done.stderr.strip().splitlines() or ['it failed'])[-1]}", file=sys.stderr)
        return []
    return [(by_clock, used) for by_clock, used in json.loads(done.stdout.splitlines()[-1])]


def made_in_turns(model: str, firsts: int, counts: dict[str, int]) -> dict[str, list[list[Seconds]]]:
    """Calls of LLVMRun, and of cogir with an empty and with a filled cache: the times of each process."""
    compileall.compile_dir(str(ROOT / "cogir"), quiet=1)
    made: dict[str, list[list[Seconds]]] = {way: [] for way in FIRSTS}
    for _ in range(firsts):
        with tempfile.TemporaryDirectory() as cache:  # which only its owner can open, as cogir wants it
            for way, each in made.items():
                kind = "LLVMRun" if way == "LLVMRun" else "cogir"
                if times := calls(model, kind, counts[kind], cache):
                    each.append(times)
    return made


def fastest_firsts(made: dict[str, list[list[Seconds]]], kind: str) -> Times:
    """The fastest first call of each way."""
    number = KINDS.index(kind)
    return {FIRSTS[way]: min(times[0][number] for times in each) for way, each in made.items() if each}


def first_calls(model: str, firsts: int) -> Times:
    """Seconds of processor time of the fastest first call of each way: LLVMRun's, and cogir's with an empty and with a filled cache."""
    return fastest_firsts(made_in_turns(model, firsts, dict.fromkeys(COUNTS, 1)), "processor")


def row(model: str, with_python: bool, firsts: int) -> dict[str, Times]:
    """The times of one model in seconds, of each kind."""
    made = made_in_turns(model, firsts, COUNTS)
    warm = {"LLVMRun": made["LLVMRun"], "cogir": made["empty"] + made["filled"]}
    if with_python:
        warm["Python"] = [calls(model, "Python", COUNTS["Python"])]
    return {
        kind: fastest_firsts(made, kind)
        | {way: min(call[number] for times in each for call in times[1:]) for way, each in warm.items() if any(each)}
        for number, kind in enumerate(KINDS)
    }


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
    parser.add_argument("--firsts", type=int, default=3, help="the number of first calls in each mode, of which the fastest counts")
    parser.add_argument("--json", type=Path, help="write the seconds here, too")
    given = parser.parse_args()
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
