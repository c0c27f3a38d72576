"""
Side-by-side times in one run: PsyNeuLink, cogir, cogir without each optimisation, C by hand, Numba.

    python benchmarks/compare.py [models ...] [--parts python,calls,stages,hand] [--rounds 3] [--json file]

- python: a whole call of each reference model (the inputs and trials of the first call of its reference run) in PsyNeuLink's Python
  mode, in processor time; this takes longest.
- calls: the same call, every result read, in PsyNeuLink's LLVMRun mode and by cogir, of the same Composition (`accelerate`) and of the
  model in `examples`; and the native part of each, that is the call of compiled code by ctypes. As that call costs some microseconds
  by itself, the time of one trial in a long run is given, too. First calls, in processor time, are those of `psyneulink_calls.py`, which
  says what they hold; they and compiling: with an empty cache, and with a filled one.
- stages: the time of a trial with all optimisations, without each, and without any.
- hand: the largest search, decisions to a threshold, and chains of layers beside C and Numba.

The first two need `make psyneulink`. Every figure is the fastest of several, taken in turns; only ratios within one run are meaningful.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import chains
import optimisations
import psyneulink_calls

from cogir.lowering.pipeline import OPTIMISATIONS

ROOT = Path(__file__).parents[1]
WORKER = Path(__file__).with_name("compare_worker.py")
MODELS = (*psyneulink_calls.MODELS, psyneulink_calls.XL)
EXAMPLES = {
    "botvinick_1": "botvinick_stroop",
    "ext_stroop_A": "extended_stroop_a",
    "ext_stroop_B": "extended_stroop_b",
    "necker_S": "necker_s",
    "necker_vec": "necker_vectorised",
    "predator_prey_M": "predator_prey_m",
    "predator_prey_S": "predator_prey_s",
    **{name: name for name in ("chain", "chain_conditions", "ddm_analytical", "ddm_integrator", "evc_ddm", "lca", "multitasking")},
}
"""The text of a reference model in `examples`."""
STAGES = "microseconds of a trial by what is left out"
PARTS = ("python", "calls", "stages", "hand")

Figures = dict[str, float]

WHOLE = ("Python", "LLVMRun", "Composition", "model")
NATIVE = ("LLVMRun native", "Composition native", "model native", "LLVMRun trial", "model trial")
FIRST = (*psyneulink_calls.FIRSTS.values(), "compile, empty", "compile, filled")
RATIOS = {
    "LLVMRun / Composition": ("LLVMRun", "Composition"),
    "LLVMRun / model": ("LLVMRun", "model"),
    "native: LLVMRun / Composition": ("LLVMRun native", "Composition native"),
    "native: LLVMRun / model": ("LLVMRun native", "model native"),
    "native, a trial: LLVMRun / model": ("LLVMRun trial", "model trial"),
    **{name: times for name, times in psyneulink_calls.RATIOS.items() if name.startswith("first")},
}


def heading(*titles: str) -> None:
    """The head of a table."""
    print(f"\n| {' | '.join(titles)} |\n|{'---|' * len(titles)}")


def line(name: str, cells: Iterable[float | None], scale: float = 1.0) -> None:
    """A line of a table."""
    print(f"| {name} | {' | '.join('-' if each is None else f'{scale * each:.3g}' for each in cells)} |", flush=True)


def measured(model: str, parts: Iterable[str], rounds: int) -> Figures:
    """The seconds of one model."""
    modes = {"python": "python" in parts, "compiled": "calls" in parts}
    options = {"model": model, "call": psyneulink_calls.first_call(model), **modes, "rounds": rounds, "tests": str(ROOT / "test")}
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, WORKER, json.dumps(options)], stdout=subprocess.PIPE, text=True, env=environment)
    if done.returncode:
        raise SystemExit(f"{model}: it was not measured")
    firsts = psyneulink_calls.first_calls(model, rounds) if "calls" in parts else {}
    return json.loads(done.stdout.splitlines()[-1]) | firsts


def ratio(times: Figures, name: str) -> float | None:
    """The ratio of two times; None if one is missing."""
    slow, fast = RATIOS[name]
    return times[slow] / times[fast] if slow in times and fast in times else None


def calls(models: Iterable[str], parts: Iterable[str], rounds: int, found: dict[str, Any], save: Callable[[], None]) -> None:
    """Measures and prints the calls; `found` may hold models that have been measured before."""
    table: dict[str, Figures] = found.setdefault("seconds", {})
    print("\nwhole calls and their native parts, us; how many times cogir's time LLVMRun takes")
    whole, first = list(RATIOS)[:5], list(RATIOS)[5:]
    heading("model", *WHOLE, *NATIVE, *whole)
    for model in models:
        times = table[model] = {**table.get(model, {}), **measured(model, parts, rounds)}
        save()
        line(
            model, [*(1e6 * times[each] if each in times else None for each in (*WHOLE, *NATIVE)), *(ratio(times, each) for each in whole)]
        )
    print("\nto the first result, ms: the first call of a Composition, and from builder to callable")
    heading("model", *FIRST, *first)
    for model, times in table.items():
        line(model, [*(1e3 * times[each] if each in times else None for each in FIRST), *(ratio(times, each) for each in first)])
    summary: dict[str, Any] = {}
    print("\nover these models")
    heading("LLVMRun's time by cogir's", "geometric mean", "least", "of", "models")
    for name in RATIOS:
        each = {model: held for model, times in table.items() if (held := ratio(times, name)) is not None}
        if each:
            least = min(each, key=lambda model: each[model])
            mean = math.exp(sum(map(math.log, each.values())) / len(each))
            summary[name] = {"geometric mean": mean, "least": each[least], "of": least, "models": len(each)}
            print(f"| {name} | {mean:.3g} | {each[least]:.3g} | {least} | {len(each)} |")
    found["ratios"] = summary
    save()


def stages(models: Iterable[str], found: dict[str, Figures], save: Callable[[], None]) -> None:
    """Measures and prints the effect of each optimisation."""
    titles = ("all", *(f"no {name}" for name in OPTIMISATIONS), "none")
    print(f"\n{STAGES}")
    heading("model", *titles)
    for name in dict.fromkeys(EXAMPLES[model] for model in models if model in EXAMPLES):
        found[name] = optimisations.row(name)
        save()
        line(name, [found[name][title] for title in titles])


def decisions() -> Figures:
    """Nanoseconds of a step of many decisions by drift and diffusion, by program; empty without the script that measures it."""
    script = Path(__file__).with_name("replicates.py")
    if not script.exists():
        return {}
    with tempfile.TemporaryDirectory() as folder:
        figures = Path(folder) / "figures.json"
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        command = [sys.executable, script, "--rounds", "3", "--json", figures]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
        return json.loads(figures.read_text())


def by_hand() -> dict[str, Any]:
    """Measures and prints the programs written by hand."""
    found: dict[str, Any] = {"milliseconds of the largest search": optimisations.largest_search()}
    print("\nmilliseconds of one search of 1,030,301 points")
    heading("by", "ms")
    for title, milliseconds in found["milliseconds of the largest search"].items():
        line(title, [milliseconds])
    found["microseconds of a trial of chains"] = chains.all_chains()
    print("\nmicroseconds of a trial of chains of layers")
    titles = ("cogir", "C by hand", "Numba", "NumPy")
    heading("model", *titles)
    for name, times in found["microseconds of a trial of chains"].items():
        line(name, [times.get(title) for title in titles])
    if steps := decisions():
        found["nanoseconds of a step of a decision"] = steps
        print("\nnanoseconds of a step of a decision by drift and diffusion")
        heading("by", "ns")
        for title, nanoseconds in steps.items():
            line(title, [nanoseconds])
    return found


def main() -> None:
    """Measures, and prints the tables as it goes."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").strip().splitlines()[0])
    parser.add_argument("models", nargs="*", default=MODELS, help=f"some of {', '.join(MODELS)}; default: all")
    parser.add_argument("--parts", default=",".join(PARTS), help=f"some of {', '.join(PARTS)}; default: all")
    parser.add_argument("--rounds", type=int, default=3, help="the number of turns that each way takes in the calls")
    parser.add_argument("--json", type=Path, help="write the figures here; what it has of other parts and models stays")
    given = parser.parse_args()
    parts = given.parts.split(",")
    if unknown := [*set(parts) - set(PARTS), *set(given.models) - set(MODELS)]:
        parser.error(f"unknown: {', '.join(unknown)}; parts are {', '.join(PARTS)}, models {', '.join(MODELS)}")
    if {"python", "calls"} & set(parts) and importlib.util.find_spec("psyneulink") is None:
        print("PsyNeuLink is not installed (`make psyneulink`): its calls are left out", file=sys.stderr)
        parts = [part for part in parts if part in ("stages", "hand")]
    found: dict[str, Any] = json.loads(given.json.read_text()) if given.json and given.json.exists() else {}

    def save() -> None:
        """Saves the results so far."""
        if given.json:
            given.json.write_text(json.dumps(found, indent=1))

    if {"python", "calls"} & set(parts):
        calls(given.models, parts, given.rounds, found.setdefault("calls", {}), save)
    if "stages" in parts:
        stages(given.models, found.setdefault(STAGES, {}), save)
    if "hand" in parts:
        found |= by_hand()
        save()


if __name__ == "__main__":
    main()
