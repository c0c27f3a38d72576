"""
Distill's figures today: figures 7 to 12 of the paper (Vesely et al., CGO 2022) with its numbers beside cogir's and PsyNeuLink's.

    python -m benchmarks.distill_figures [--output build/distill] [--parts 7,8,9,10,11,12] [--rounds 3]

It writes `index.html` and `figures.json` into the folder, and measures only the parts that are asked for; what `figures.json` has of the
others stays. Figures 8, 9, 10 and 12 need PsyNeuLink (`make psyneulink`) for its columns. Both packages make the same call: that of the
reference run in `test/golden`, with its inputs and its number of trials. The paper's machine is a Core i7-8700 with 12 threads, so its
absolute times are for orientation; ratios can be compared.
"""

from __future__ import annotations

import argparse
import base64
import functools
import inspect
import io
import json
import math
import os
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np

matplotlib.use("Agg")
from matplotlib import pyplot

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "examples"), str(ROOT / "test"), str(ROOT / "benchmarks")]

import psyneulink_calls
import refine_attention
from catalogue import EXAMPLES
from support.golden import flat_inputs

import cogir
from cogir.backend.llvm import host
from cogir.runtime import build

Numbers = dict[str, Any]

MODELS = {
    "necker_S": ("Necker cube S", "necker_s"),
    "necker_vec": ("Necker cube, vectorised", "necker_vectorised"),
    "botvinick_1": ("Botvinick Stroop", "botvinick_stroop"),
    "ext_stroop_A": ("Extended Stroop A", "extended_stroop_a"),
    "ext_stroop_B": ("Extended Stroop B", "extended_stroop_b"),
    "predator_prey_S": ("Predator-prey S", "predator_prey_s"),
    "multitasking": ("Multitasking", "multitasking"),
}
"""The models of figure 8: the name of each, and its text in `examples`."""
SIZES = {"s": 8, "m": 64, "l": 216, "xl": 1_030_301}
"""The points of a search of each predator-prey model."""
PYTHON_MODE = ("s", "m", "l")
"""The sizes that PsyNeuLink's Python mode runs within minutes."""
TEXTS = {model: text for model, (_, text) in MODELS.items()}
LEVELS = range(4)
FIRST_CALL = ("parameters", "compilation")
EACH_CALL = ("inputs", "run", "results")
OTHER = "other"
"""What PsyNeuLink does within a call of `run` beside these parts."""
PARTS = ("7", "8", "9", "10", "11", "12")
IN_THE_PAPER = {
    "7": "close to the optimum after about 7 rounds; several hundred evaluations without ranges",
    "8": "27 times as fast on average; at most 923 times (Botvinick Stroop over Pyston) and 896 times (Multitasking over CPython)",
    "9": "S, M and L take nearly the same time; L 0.02 s, XL 4.4 s; CPython needs more than a day for XL",
    "10": "nodes only 3.4 times, the whole model 774 times as fast as CPython",
    "11": "12 threads 4.9 times as fast as one (0.9 s), a GPU 6.4 times (0.7 s)",
    "12": "the time to compile and the parts of a call, at -O0 to -O3",
}
"""What the paper's text says of each figure."""
HOLDS = {
    "8": "A call has the inputs and the trials of the reference run: 2 to 12 trials. Its time is divided by the trials.",
    "9": "A call has two trials. PsyNeuLink's Python mode is left out for XL, and its L and XL are measured once.",
    "12": "Parameters and compilation are those of a first call. The parts of PsyNeuLink are its methods that build structures, generate "
    "and compile code, build inputs, call the code, and read the outputs; other is the rest of its call. In cogir, the run is what is left "
    "of the call without the inputs.",
}
"""What the numbers of a figure are."""
LOAD = "load"
BUSY = 0.5
"""A load per processor before a measurement from which on its numbers are not to be quoted."""
CLAIM = "PsyNeuLink's page on compilation: between one and three orders of magnitude, depending on the model"


def fastest(call: Callable[[], object], rounds: int, seconds: float = 0.1) -> float:
    """The seconds of the fastest of several calls."""
    found = math.inf
    for _ in range(rounds):
        begun = time.perf_counter()
        while time.perf_counter() - begun < seconds:
            started = time.perf_counter()
            call()
            found = min(found, time.perf_counter() - started)
    return found


def call_of(model: str) -> psyneulink_calls.Call:
    """The call that both packages make of a model: the first one of its reference run, or that of the smallest search, for two trials."""
    return psyneulink_calls.first_call(model if model in psyneulink_calls.MODELS else psyneulink_calls.XL)


def in_psyneulink(model: str, modes: list[str], rounds: int) -> dict[str, float]:
    """Seconds of a trial within a call of `Composition.run` in some modes of PsyNeuLink; what does not run there is left out."""
    return in_worker({"model": model, "modes": modes, "rounds": rounds})


def in_worker(given: dict[str, Any], **environment: str) -> Any:
    """The result of `worker` in a process of its own; empty, after a message, if it fails."""
    surroundings = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    done = subprocess.run([sys.executable, __file__, "--worker", json.dumps(given)], capture_output=True, text=True, env=surroundings)
    if done.returncode:
        print(f"  {given['model']} in PsyNeuLink: {(done.stderr.strip().splitlines() or ['failed'])[-1]}")
        return {}
    return json.loads(done.stdout.splitlines()[-1])


def worker(model: str, rounds: int, modes: list[str] | None = None) -> dict[str, float]:
    """Times of a model in PsyNeuLink: those of a trial in some modes, or, without modes, the parts of a compiled call."""
    warnings.simplefilter("ignore")
    from psyneulink_calls_worker import Model

    call = call_of(model)
    if modes is None:
        return parts_in_psyneulink(Model(model, call), rounds)
    import psyneulink as pnl

    found: dict[str, float] = {}
    for mode in modes:
        held = Model(model, call)
        try:
            if mode != "Python":
                held.call(execution_mode=pnl.ExecutionMode[mode])  # compiles
            found[mode] = min(timed(lambda held=held, mode=mode: held.call(execution_mode=pnl.ExecutionMode[mode])) for _ in range(rounds))
        except Exception as error:
            print(f"{model}, {mode}: {str(error).splitlines()[0]}", file=sys.stderr)
    return {mode: seconds / call["num_trials"] for mode, seconds in found.items()}


def parts_in_psyneulink(held: Any, rounds: int) -> dict[str, float]:
    """Seconds of each part of a call in LLVMRun mode: parameters and compilation of the first one, the others of the fastest one."""
    import psyneulink as pnl
    from psyneulink.core.llvm import LLVMBinaryFunction, execution, jit_engine

    clock = Clock()
    clock.watch(jit_engine.jit_engine, "compile_staged", "compilation")
    clock.watch(LLVMBinaryFunction, "from_obj", "compilation")
    clock.watch(execution.Execution, "_get_compilation_param", "parameters")
    clock.watch(execution.CompExecution, "_prepare_run", "inputs")
    clock.watch(LLVMBinaryFunction, "__call__", "run")
    clock.watch(execution.CompExecution, "_get_indexable", "results")
    calls = [clock.parts_of(lambda: held.call(execution_mode=pnl.ExecutionMode.LLVMRun)) for _ in range(rounds + 1)]
    later = min(calls[1:], key=lambda each: sum(each.values()))
    return {part: calls[0].get(part, 0.0) for part in FIRST_CALL} | {part: later.get(part, 0.0) for part in (*EACH_CALL, OTHER)}


class Clock:
    """The time that is spent in watched functions, without that of watched functions which they call."""

    def __init__(self, now: Callable[[], float] = time.perf_counter) -> None:
        self.now = now
        self.spent: dict[str, float] = {}
        self._open: list[float] = []

    def watch(self, owner: Any, name: str, part: str) -> None:
        """Counts all time in a method of a class, or in a static one, as that of a part."""
        kept = inspect.getattr_static(owner, name)
        function = kept.__func__ if isinstance(kept, staticmethod | classmethod) else kept

        @functools.wraps(function)
        def watched(*arguments: Any, **options: Any) -> Any:
            return self.timed(part, lambda: function(*arguments, **options))

        setattr(owner, name, type(kept)(watched) if isinstance(kept, staticmethod | classmethod) else watched)

    def timed(self, part: str, call: Callable[[], Any]) -> Any:
        """Makes a call, and adds its time to a part."""
        self._open.append(0.0)
        started = self.now()
        try:
            return call()
        finally:
            elapsed = self.now() - started
            self.spent[part] = self.spent.get(part, 0.0) + elapsed - self._open.pop()
            if self._open:
                self._open[-1] += elapsed

    def parts_of(self, call: Callable[[], Any]) -> dict[str, float]:
        """The seconds of each part of a call, and of what is outside of all parts."""
        self.spent = {}
        self.timed(OTHER, call)
        return self.spent


def timed(call: Callable[[], object]) -> float:
    """The seconds of a call."""
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


def per_trial(model: str, rounds: int, **options: Any) -> float:
    """Seconds of a trial within the same call in cogir, as a call of `run` that reads all results."""
    call = call_of(model)
    compiled = EXAMPLES[TEXTS.get(model, model.lower())].build().compile(unfinished="ignore", **options)
    inputs, trials = flat_inputs(call["inputs"]), call["num_trials"]
    return fastest(lambda: list(compiled.run(inputs, num_trials=trials).results), rounds) / trials


def figure_7(rounds: int) -> Numbers:
    """The refinement of attention."""
    started = time.perf_counter()
    found = refine_attention.refined()
    low, high = found.region["ATTENTION/prey"]
    return {"rounds": int(found.rounds), "low": float(low), "high": float(high), "seconds": time.perf_counter() - started}


def figure_8(rounds: int) -> Numbers:
    """Each model in PsyNeuLink's modes and in cogir: seconds of a trial, in a complete call."""
    found: Numbers = {}
    for model in MODELS:
        found[model] = in_psyneulink(model, ["Python", "LLVMRun"], rounds) | {"cogir": per_trial(model, rounds)}
        print(f"  {model}: {found[model]}", flush=True)
    return found


def figure_9(rounds: int) -> Numbers:
    """Predator-prey of four sizes: seconds of a trial; with and without the exclusion of points."""
    found: Numbers = {}
    for size in SIZES:
        modes = (["Python"] if size in PYTHON_MODE else []) + ["LLVMRun"]
        ours = {
            "cogir": per_trial(f"predator_prey_{size.upper()}", rounds),
            "cogir, all points": per_trial(f"predator_prey_{size.upper()}", rounds, prune_search=False),
        }
        found[size] = in_psyneulink(f"predator_prey_{size.upper()}", modes, 1 if size in ("l", "xl") else rounds) | ours
        print(f"  {size}: {found[size]}", flush=True)
    return found


def figure_10(rounds: int) -> Numbers:
    """Botvinick Stroop: nodes only against the whole model."""
    ours = {f"cogir, {mode}": per_trial("botvinick_1", rounds, mode=mode) for mode in ("python", "per_node", "run")}
    return in_psyneulink("botvinick_1", ["Python", "_LLVMPerNode", "LLVMRun"], rounds) | ours


def figure_11(rounds: int) -> Numbers:
    """Predator-prey XL by the number of threads, without the exclusion of points; and the kernels of a GPU, if there is one."""
    found: Numbers = {}
    for threads in range(1, (os.cpu_count() or 1) + 1):
        name = "1 thread" if threads == 1 else f"{threads} threads"
        found[name] = per_trial("predator_prey_XL", rounds, threads=threads, prune_search=False)
    try:
        found["GPU"] = per_trial("predator_prey_XL", rounds, target="cuda", prune_search=False)
    except cogir.DeviceError as error:
        found["GPU"] = str(error).partition(";")[0]
    return found


def figure_12(rounds: int) -> Numbers:
    """The parts of the total time at each level of LLVM, in cogir and in PsyNeuLink."""
    found: Numbers = {}
    for model in ("predator_prey_XL", "multitasking"):
        for level in LEVELS:
            theirs = in_worker({"model": model, "rounds": min(rounds, 2)}, PNL_LLVM_DEBUG=f"opt={level}")
            found.setdefault(f"{model}, PsyNeuLink", {}).update({f"-O{level}": theirs} if theirs else {})
            found.setdefault(f"{model}, cogir", {})[f"-O{level}"] = breakdown(model, level, rounds)
            print(f"  {model}, -O{level}", flush=True)
    return {name: levels for name, levels in found.items() if levels}


def breakdown(model: str, level: int, rounds: int) -> Numbers:
    """Seconds of each part in cogir for one model at one level of LLVM; the search looks at all points, as PsyNeuLink's does."""
    call = call_of(model)
    inputs, trials = flat_inputs(call["inputs"]), call["num_trials"]
    built = EXAMPLES[TEXTS.get(model, model.lower())].build()
    kept = build.compile_to_object
    build.compile_to_object = lambda text, **options: kept(text, target=host(level))
    try:
        started = time.perf_counter()
        compiled = built.compile(mode="run", cache=False, unfinished="ignore", prune_search=False)
        compilation = time.perf_counter() - started
    finally:
        build.compile_to_object = kept
    parameters = fastest(lambda: compiled.context("fresh").reset(), rounds)
    rows = fastest(lambda: compiled.inputs.rows(inputs), rounds)
    whole = fastest(lambda: compiled.run(inputs, num_trials=trials), rounds)
    result = compiled.run(inputs, num_trials=trials)
    results = fastest(lambda: [np.array(result[each]) for each in result], rounds)
    return {"parameters": parameters, "compilation": compilation, "inputs": rows, "run": max(whole - rows, 0.0), "results": results}


MEASURE: dict[str, Callable[[int], Numbers]] = {
    "7": figure_7,
    "8": figure_8,
    "9": figure_9,
    "10": figure_10,
    "11": figure_11,
    "12": figure_12,
}
TITLES = {
    "7": "Figure 7: the best attention, by ranges",
    "8": "Figure 8: models, with and without compilation",
    "9": "Figure 9: predator-prey of four sizes",
    "10": "Figure 10: nodes only, and the whole model",
    "11": "Figure 11: threads and a GPU",
    "12": "Figure 12: where the time goes, -O0 to -O3",
}


def said(seconds: Any) -> str:
    """A time in a unit that suits it; a text as it is."""
    if not isinstance(seconds, int | float):
        return str(seconds)
    unit, scale = next((each for each in (("s", 1.0), ("ms", 1e3), ("µs", 1e6)) if seconds * each[1] >= 1.0), ("ns", 1e9))
    return f"{seconds * scale:.3g} {unit}"


def times(ratio: float | None) -> str:
    """A ratio as a number of times, with three digits."""
    return "" if ratio is None else f"{float(f'{ratio:.3g}'):,.10g}"


def rows_of(part: str, found: Numbers) -> tuple[list[str], list[list[str]]]:
    """The table of a figure."""
    match part:
        case "7":
            return ["rounds", "attention to the prey", "time"], [
                [str(found["rounds"]), f"{found['low']:.3g} to {found['high']:.3g}", said(found["seconds"])]
            ]
        case "8":
            heads = ["model", "Python", "LLVMRun", "cogir", "Python / LLVMRun", "Python / cogir", "LLVMRun / cogir"]
            rows = []
            for model, measured in found.items():
                python, llvm, ours = (measured.get(each) for each in ("Python", "LLVMRun", "cogir"))
                ratios = (divided(python, llvm), divided(python, ours), divided(llvm, ours))
                rows.append([MODELS[model][0], *(said(each) if each else "" for each in (python, llvm, ours)), *map(times, ratios)])
            return heads, rows
        case "9":
            heads = ["size", "points", "Python", "LLVMRun", "cogir, all points", "cogir", "LLVMRun / cogir"]
            rows = [
                [
                    size.upper(),
                    f"{SIZES[size]:,}",
                    *(said(measured[each]) if each in measured else "" for each in heads[2:6]),
                    times(divided(measured.get("LLVMRun"), measured["cogir"])),
                ]
                for size, measured in found.items()
            ]
            return heads, rows
        case "10" | "11":
            base = found.get("Python", found.get("1 thread"))
            return (
                ["", "time of a trial", "times as fast"],
                [
                    [name, said(seconds), times(divided(base, seconds) if isinstance(seconds, float) else None)]
                    for name, seconds in found.items()
                ],
            )
        case _:
            names = [*FIRST_CALL, *EACH_CALL, OTHER]
            return (
                ["model", "level", *names],
                [
                    [model, level, *(said(each[name]) if name in each else "" for name in names)]
                    for model, levels in found.items()
                    for level, each in levels.items()
                ],
            )


def divided(one: float | None, other: float | None) -> float | None:
    """A ratio, if both are known."""
    return one / other if one and other else None


def draw(part: str, found: Numbers) -> Any:
    """The plot of a figure."""
    if part == "7":
        axes = refine_attention.refined().plot()
        levels, losses = refine_attention.simulated(levels=60, runs=200)
        axes.plot(np.repeat(levels, losses.shape[1]), losses.ravel(), ".", color="0.75", markersize=1, zorder=0)
        axes.set_ylim(0.0, 2.5)
        return axes.figure
    figure, axes = pyplot.subplots(figsize=(8.0, 3.6), layout="constrained")
    match part:
        case "8" | "9":
            names = [MODELS[each][0] for each in found] if part == "8" else [each.upper() for each in found]
            ways = list(dict.fromkeys(way for measured in found.values() for way in measured))
            for index, way in enumerate(ways):
                values = [measured.get(way, np.nan) for measured in found.values()]
                axes.bar(np.arange(len(found)) + 0.8 * (index / len(ways)) - 0.4, values, 0.8 / len(ways), label=way, align="edge")
            axes.set(xticks=range(len(found)), xticklabels=names, yscale="log", ylabel="seconds of a trial")
            axes.tick_params(axis="x", rotation=15 if part == "8" else 0)
            axes.legend(fontsize=8)
        case "10" | "11":
            known = {name: seconds for name, seconds in found.items() if isinstance(seconds, float)}
            axes.barh(
                list(known), list(known.values()), color=["tab:blue" if "cogir" in name or "thread" in name else "0.6" for name in known]
            )
            axes.set(xscale="log" if part == "10" else "linear", xlabel="seconds of a trial")
            axes.invert_yaxis()
        case _:
            pyplot.close(figure)
            figure, panels = pyplot.subplots(1, len(found), figsize=(3.0 * len(found), 3.6), layout="constrained", squeeze=False)
            panels = panels[0]
            for panel, (model, levels) in zip(panels, found.items(), strict=True):
                base = sum(levels["-O0"].values())
                bottom = np.zeros(len(levels))
                for name in (*FIRST_CALL, *EACH_CALL, OTHER):
                    values = np.array([each.get(name, 0.0) / base for each in levels.values()])
                    panel.bar(list(levels), values, bottom=bottom, label=name)
                    bottom += values
                panel.set_title(model.replace(", ", "\n"), fontsize=9)
            panels[0].set_ylabel("time over that of -O0")
            panels[0].legend(fontsize=8)
    return figure


def section(part: str, found: Numbers) -> str:
    """A figure of the page."""
    numbers = {name: each for name, each in found.items() if name != LOAD}
    heads, rows = rows_of(part, numbers)
    figure, held = draw(part, numbers), io.BytesIO()
    figure.savefig(held, format="png", dpi=110)
    pyplot.close(figure)
    cells = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    table = f"<table><tr>{''.join(f'<th>{escape(each)}</th>' for each in heads)}</tr>{cells}</table>"
    image = f'<img alt="{escape(TITLES[part])}" src="data:image/png;base64,{base64.b64encode(held.getvalue()).decode()}">'
    return f"<h2>{escape(TITLES[part])}</h2><p>In the paper: {escape(IN_THE_PAPER[part])}.</p>{image}{table}{remarks(part, found)}"


def remarks(part: str, found: Numbers) -> str:
    """What a reader has to know of a figure's numbers: what they hold, and whether the machine was busy with other things."""
    said_of = [f"<p>{escape(HOLDS[part])}</p>"] if part in HOLDS else []
    load = found.get(LOAD)
    if load is not None and load > BUSY * (os.cpu_count() or 1):
        said_of.append(f"<p class=busy>Not to be quoted: other programs were running (load {load:.1f} on {os.cpu_count()} processors).</p>")
    return "".join(said_of)


STYLE = """
body { font: 16px/1.5 sans-serif; max-width: 68em; margin: 2em auto; padding: 0 1em; color: #222; background: #fff }
table { border-collapse: collapse; margin: 1em 0 }
td, th { text-align: left; white-space: nowrap; padding: .25em .8em; border-bottom: 1px solid #ddd }
img { max-width: 100% } h2 { margin-top: 2em } .busy { color: #a02020 }
"""


def page(found: Numbers) -> str:
    """The page."""
    about = (
        f"<p>Measured on this machine with {os.cpu_count()} processors by <code>benchmarks/distill_figures.py</code>, with PsyNeuLink "
        f"{escape(found.get('PsyNeuLink', '(not installed)'))}. Times are those of a trial within a complete call, the fastest of several. "
        f"The paper's are of a Core i7-8700. {escape(CLAIM)}.</p>"
    )
    sections = "".join(section(part, found[part]) for part in PARTS if part in found)
    head = f'<head><meta charset="utf-8"><title>Distill\'s figures today</title><style>{STYLE}</style></head>'
    return f'<!DOCTYPE html>\n<html lang="en">{head}\n<body><h1>Distill\'s figures today</h1>{about}{sections}</body></html>\n'


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").strip().splitlines()[0])
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "distill", help="the folder of the page (default: %(default)s)")
    parser.add_argument("--parts", default=",".join(PARTS), help="the figures to measure (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.worker:
        print(json.dumps(worker(**json.loads(chosen.worker))))
        return
    chosen.output.mkdir(parents=True, exist_ok=True)
    store = chosen.output / "figures.json"
    found: Numbers = json.loads(store.read_text()) if store.exists() else {}
    from importlib import metadata

    try:
        found["PsyNeuLink"] = metadata.version("psyneulink")
    except metadata.PackageNotFoundError:
        print("PsyNeuLink is not installed (`make psyneulink`): its columns stay empty")
    for part in chosen.parts.split(","):
        if part not in MEASURE:
            parser.error(f"there is no figure {part}; choose from {', '.join(PARTS)}")
        print(TITLES[part], flush=True)
        load = os.getloadavg()[0]
        found[part] = {**MEASURE[part](chosen.rounds), LOAD: load}
        store.write_text(json.dumps(found, indent=1))
    path = chosen.output / "index.html"
    path.write_text(page(found))
    print(f"{path}: the page")


if __name__ == "__main__":
    main()
