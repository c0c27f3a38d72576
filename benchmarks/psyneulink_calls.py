"""
How long a whole call of `Composition.run` takes, as a script makes it: in PsyNeuLink's Python mode, in its LLVMRun mode, and with cogir.

    python benchmarks/psyneulink_calls.py [models ...] [--no-python] [--json file]

For each reference model (`examples/psyneulink`, with the inputs of its reference run) and each mode a process of its own builds the model
and calls `run` several times. The first call holds all that comes before the first result: the import of the Composition, compilation, and
the loading of the compiler itself; cogir's is given with an empty cache and with one that holds the code. A warm call is the fastest
of the later ones. The machine may be shared: what counts are the ratios of one run of this script.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
QUICK = "botvinick_1 chain chain_conditions ddm_analytical ddm_integrator ext_stroop_B lca multitasking necker_vec predator_prey_S".split()
SLOW = "evc_ddm ext_stroop_A necker_S predator_prey_M".split()
"""Models that PsyNeuLink takes long to build, or to run in Python."""

ONE = """
import json, sys, time, warnings
warnings.simplefilter("ignore")
sys.path.insert(0, {tests!r})
from support.psyneulink_golden import build_golden
golden = build_golden({model!r})
composition, call = golden.composition, golden.calls[0]
context = call.get("context") or composition.default_execution_id
arguments = dict(inputs=call["inputs"], num_trials=call["num_trials"], context=context)
import psyneulink as pnl
began = time.perf_counter()
mode = {mode!r}
if mode == "cogir":
    from cogir.psyneulink import accelerate
    fast = accelerate(strict=True)
elif mode == "LLVMRun":
    arguments["execution_mode"] = pnl.ExecutionMode.LLVMRun
times = []
for _ in range({calls}):
    composition.run(**arguments)
    times.append(time.perf_counter() - began)
    began = time.perf_counter()
print(json.dumps([len(composition.results), times]))
"""


def measure(model: str, mode: str, calls: int, cache: str) -> list[float] | None:
    """Seconds of each call; None where the mode cannot run the model."""
    code = ONE.format(tests=str(ROOT / "test"), model=model, mode=mode, calls=calls)
    environment = {**os.environ, "COGIR_CACHE_DIR": cache, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
    if done.returncode:
        print(f"{model} in {mode}: {done.stderr.strip().splitlines()[-1]}", file=sys.stderr)
        return None
    return json.loads(done.stdout.splitlines()[-1])[1]


def row(model: str, with_python: bool) -> dict[str, float]:
    """The times of one model."""
    found: dict[str, float] = {}
    if with_python and (times := measure(model, "Python", 2, "")):
        found["Python"] = min(times)
    if times := measure(model, "LLVMRun", 8, ""):
        found["LLVMRun first"], found["LLVMRun"] = times[0], min(times[1:])
    with tempfile.TemporaryDirectory() as cache:
        os.chmod(cache, 0o700)
        if times := measure(model, "cogir", 12, cache):
            found["cogir first, empty cache"], found["cogir"] = times[0], min(times[1:])
        if times := measure(model, "cogir", 12, cache):
            found["cogir first, filled cache"], found["cogir"] = times[0], min(found.get("cogir", math.inf), *times[1:])
    return found


RATIOS = {
    "warm: Python / cogir": ("Python", "cogir"),
    "warm: LLVMRun / cogir": ("LLVMRun", "cogir"),
    "first: LLVMRun / cogir, empty cache": ("LLVMRun first", "cogir first, empty cache"),
    "first: LLVMRun / cogir, filled cache": ("LLVMRun first", "cogir first, filled cache"),
}


def geometric_means(table: dict[str, dict[str, float]]) -> dict[str, float]:
    """The ratios over all models that have both times."""
    means: dict[str, float] = {}
    for name, (slow, fast) in RATIOS.items():
        ratios = [times[slow] / times[fast] for times in table.values() if slow in times and fast in times]
        if ratios:
            means[name] = math.exp(sum(map(math.log, ratios)) / len(ratios))
    return means


COLUMNS = ("Python", "LLVMRun first", "LLVMRun", "cogir first, empty cache", "cogir first, filled cache", "cogir")


def line(model: str, times: dict[str, float]) -> str:
    """A line of the table, in milliseconds."""
    cells = [f"{1e3 * times[column]:.3g}" if column in times else "-" for column in COLUMNS]
    return f"| {model} | {' | '.join(cells)} |"


def main() -> None:
    """Measures, and prints a table as it goes."""
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    parser.add_argument("models", nargs="*", default=[*QUICK, *SLOW])
    parser.add_argument("--no-python", action="store_true", help="leave PsyNeuLink's Python mode out, which takes longest")
    parser.add_argument("--json", type=Path, help="write the seconds here, too")
    given = parser.parse_args()
    print(f"milliseconds\n\n| model | {' | '.join(COLUMNS)} |\n|{'---|' * (len(COLUMNS) + 1)}")
    table: dict[str, dict[str, float]] = {}
    for model in given.models:
        table[model] = row(model, not given.no_python)
        print(line(model, table[model]), flush=True)
    means = geometric_means(table)
    print("\ngeometric means")
    for name, mean in means.items():
        print(f"  {name}: {mean:.3g}")
    if given.json:
        given.json.write_text(json.dumps({"seconds": table, "geometric means": means}, indent=1))


if __name__ == "__main__":
    main()
