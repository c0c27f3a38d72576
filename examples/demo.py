"""
`make demo`: the paper's models and their times, a controller whose choice changes with the situation, and a page with pictures of both.

    python examples/demo.py [--output build/demo]

It takes a minute at most, and says what is being measured. Beside cogir's times stand those of PsyNeuLink (of the paper, and measured here
if PsyNeuLink is installed), of NumPy, and of C (if there is a C compiler). Every figure is the fastest of several.
"""

from __future__ import annotations

import argparse
import base64
import io
import json
import math
import runpy
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from html import escape
from importlib import metadata
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")
import numpy as np
import predator_prey
from catalogue import EXAMPLES
from matplotlib import pyplot

import cogir
from cogir import library

ROOT = Path(__file__).parents[1]
CONTROLLER = ROOT / "examples" / "gallery" / "networks" / "attention_to_a_predator.py"
TITLES = {
    "botvinick_stroop": "Botvinick Stroop",
    "extended_stroop_a": "Extended Stroop A",
    "extended_stroop_b": "Extended Stroop B",
    "necker_s": "Necker cube S",
    "necker_m": "Necker cube M",
    "necker_vectorised": "Necker cube, vectorised",
    "predator_prey_s": "Predator-prey S (8 points)",
    "predator_prey_m": "Predator-prey M (64 points)",
    "predator_prey_l": "Predator-prey L (216 points)",
    "predator_prey_xl": "Predator-prey XL (1,030,301 points)",
    "multitasking": "Multitasking",
}
PAPER = {
    "botvinick_stroop": "774 times as fast as Python",
    "multitasking": "896 times as fast as Python",
    "predator_prey_l": "about 0.02 s",
    "predator_prey_xl": "4.4 s; Python: more than a day",
}
"""What the paper says of PsyNeuLink's compiler (Vesely et al., CGO 2022; a Core i7-8700): times of a whole run."""
IN_PSYNEULINK = {
    "botvinick_stroop": ("botvinick", "build", ()),
    "necker_s": ("necker", "build", ("S",)),
    "predator_prey_s": ("predator_prey", "build", ("S",)),
}
"""The models that are measured in PsyNeuLink here: its other ones take longer than a minute."""
MEASURE_PSYNEULINK = """
import json, sys, time, warnings
warnings.simplefilter("ignore")
sys.path.insert(0, sys.argv[1])
import importlib
import numpy as np
import psyneulink as pnl
found = {}
for name, (module, build, arguments) in json.loads(sys.argv[2]).items():
    composition = getattr(importlib.import_module(module), build)(*arguments)
    if isinstance(composition, tuple):
        composition = composition[0]
    inputs = {node: [np.full(np.shape(node.defaults.variable)[-1], 0.3)] for node in composition.get_nodes_by_role(pnl.NodeRole.INPUT)}
    times = {}
    for mode, trials in (("Python", 2), ("LLVMRun", 2)):
        try:
            composition.run(inputs=inputs, num_trials=trials, execution_mode=pnl.ExecutionMode[mode])
            begun = time.perf_counter()
            composition.run(inputs=inputs, num_trials=trials, execution_mode=pnl.ExecutionMode[mode])
            times[mode] = (time.perf_counter() - begun) / trials
        except Exception as error:
            print(f"{name}, {mode}: {error}", file=sys.stderr)
    found[name] = times
print(json.dumps(found))
"""


def fastest(call: Callable[[], object], seconds: float = 0.2) -> float:
    """The seconds of the fastest of several calls."""
    found, begun = math.inf, time.perf_counter()
    while time.perf_counter() - begun < seconds or found == math.inf:
        started = time.perf_counter()
        call()
        found = min(found, time.perf_counter() - started)
    return found


def times_of(name: str) -> tuple[float, float]:
    """Seconds from the builder to the first result, and of a trial in a long run."""
    example = EXAMPLES[name]
    started = time.perf_counter()
    compiled = example.build().compile(mode="run", unfinished="ignore")
    compiled.run(example.inputs, num_trials=1)
    ready = time.perf_counter() - started
    trials = 1 if name == "predator_prey_xl" else 200
    return ready, fastest(lambda: compiled.run(example.inputs, num_trials=trials)) / trials


def exhaustive_search() -> float:
    """Seconds of a search of predator-prey XL that evaluates every point, as NumPy and C do."""
    compiled = EXAMPLES["predator_prey_xl"].build().compile(mode="run", prune_search=False)
    return fastest(lambda: compiled.run(predator_prey.INPUTS, num_trials=1))


def in_psyneulink() -> dict[str, dict[str, float]]:
    """Seconds of a trial in PsyNeuLink, by model and mode; empty if it is not installed."""
    try:
        metadata.version("psyneulink")
    except metadata.PackageNotFoundError:
        return {}
    arguments = [str(ROOT / "examples" / "psyneulink"), json.dumps(IN_PSYNEULINK)]
    done = subprocess.run([sys.executable, "-c", MEASURE_PSYNEULINK, *arguments], capture_output=True, text=True)
    if done.returncode:
        print(f"PsyNeuLink is not measured: {done.stderr.strip().splitlines()[-1]}")
        return {}
    return json.loads(done.stdout.splitlines()[-1])


def in_c(source: str) -> list[float]:
    """The numbers that a program of `benchmarks/limits` prints; empty without a C compiler."""
    compiler = next(filter(None, map(shutil.which, ("clang-22", "clang", "gcc", "cc"))), None)
    if compiler is None:
        return []
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "program"
        flags = ["-O3", "-march=native", "-ffp-contract=off", "-fno-math-errno"]
        subprocess.run([compiler, *flags, str(ROOT / "benchmarks" / "limits" / source), "-lm", "-o", str(program)], check=True)
        return [float(each) for each in subprocess.run([program], capture_output=True, text=True, check=True).stdout.split()]


def search_in_numpy() -> float:
    """Seconds of a search of predator-prey XL in NumPy: arrays over two of the three axes at a time."""
    draws = np.random.default_rng(0).standard_normal((3, 2))
    levels = np.array(predator_prey.LEVELS["xl"])
    places = [np.array(rows[0]) for rows in predator_prey.INPUTS.values()]
    seen = [place + levels[:, None] * draw for place, draw in zip(places, draws, strict=True)]
    cost, ideal = np.exp(levels), places[2] - places[0]

    def search() -> float:
        best = math.inf
        for first, player in enumerate(seen[0]):
            flight, chase = player - seen[1][:, None], seen[2][None] - player
            far, near = np.hypot(*np.moveaxis(flight, -1, 0)), np.hypot(*np.moveaxis(chase, -1, 0))
            move = flight / far[..., None] * (near / (far + near))[..., None] + chase / near[..., None] * (far / (far + near))[..., None]
            value = 1.0 - np.abs(move - ideal).sum(axis=-1) / 4.0 - (cost[first] + cost[:, None] + cost)
            best = min(best, float(value.min()))
        return best

    return fastest(search, 0.5)


def decisions() -> dict[str, float]:
    """Nanoseconds per step of a decision: in cogir, in NumPy, and in C."""
    model = cogir.Model("decision")
    bounded = {"execute_until_finished": True, "max_executions_before_finished": 100_000, "reset_each_trial": True}
    model.node("decision", library.drift_diffusion_integrator, noise=1.0, threshold=1.0, time_step_size=0.01, **bounded)
    compiled, count = model.compile(), 100_000
    steps = compiled.replicates({"decision": [[1.0]]}, count, seed=1)["decision", "time"].sum() / 0.01
    found = {"cogir": fastest(lambda: compiled.replicates({"decision": [[1.0]]}, count, seed=1)) / steps}
    random = np.random.default_rng(1)

    def by_numpy() -> None:
        position = np.zeros(count)
        while len(position):
            position = position + 0.01 + 0.1 * random.standard_normal(len(position))
            position = position[np.abs(position) < 1.0]

    found["NumPy"] = fastest(by_numpy) / steps
    if measured := in_c("drift_diffusion.c"):
        found["C"] = measured[0] / measured[1]
    return {name: 1e9 * seconds for name, seconds in found.items()}


def duration(seconds: float | None) -> str:
    """A time in a unit that suits it."""
    if seconds is None:
        return ""
    unit, scale = next((each for each in (("s", 1.0), ("ms", 1e3), ("µs", 1e6)) if seconds * each[1] >= 1.0), ("ns", 1e9))
    return f"{seconds * scale:.3g} {unit}"


def table(heads: list[str], rows: list[list[str]]) -> str:
    """A table of the page."""
    cells = ["".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows]
    head = "".join(f"<th>{escape(each)}</th>" for each in heads)
    return f"<table><tr>{head}</tr>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"


def printed(heads: list[str], rows: list[list[str]]) -> str:
    """A table for the terminal."""
    widths = [max(len(line[place]) for line in (heads, *rows)) for place in range(len(heads))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in (heads, *rows))


def picture(figure: Any, said: str) -> str:
    """A figure within the page."""
    held = io.BytesIO()
    figure.savefig(held, format="png", dpi=110)
    pyplot.close(figure)
    return f'<img alt="{escape(said)}" src="data:image/png;base64,{base64.b64encode(held.getvalue()).decode()}">'


def controller() -> tuple[str, np.ndarray, np.ndarray]:
    """The picture of a controller's choices, the distances of the predator, and the attention to it."""
    names = runpy.run_path(str(CONTROLLER))
    return picture(names["figure"], "attention by distance of the predator"), names["distances"], names["allocations"]


def times_figure(cogir_times: dict[str, float], others: dict[str, dict[str, float]]) -> str:
    """Bars of the time of a trial."""
    figure, axes = pyplot.subplots(figsize=(8, 4.4), layout="constrained")
    places = np.arange(len(cogir_times))
    axes.barh(places, list(cogir_times.values()), 0.6, label="cogir")
    for mode, colour in (("LLVMRun", "0.6"), ("Python", "0.85")):
        known = [(place, others[name][mode]) for place, name in enumerate(cogir_times) if mode in others.get(name, {})]
        if known:
            axes.plot(
                [seconds for _, seconds in known],
                [place for place, _ in known],
                "D",
                color=colour,
                label=f"PsyNeuLink, {mode}",
                markeredgecolor="k",
            )
    axes.set(yticks=places, yticklabels=[TITLES[name] for name in cogir_times], xscale="log", xlabel="seconds of a trial")
    axes.invert_yaxis()
    axes.legend()
    return picture(figure, "seconds of a trial")


STYLE = """
body { font: 16px/1.5 sans-serif; max-width: 74em; margin: 2em auto; padding: 0 1em; color: #222; background: #fff }
table { border-collapse: collapse; margin: 1em 0; font-size: .92em }
th, td { text-align: left; padding: .25em .6em; white-space: nowrap; border-bottom: 1px solid #ddd }
img, svg { max-width: 100%; height: auto } p { max-width: 60em } h2 { margin-top: 2em }
"""


def page(parts: list[str]) -> str:
    """The page."""
    head = f'<head><meta charset="utf-8"><title>cogir: demo</title><style>{STYLE}</style></head>'
    return f'<!DOCTYPE html>\n<html lang="en">{head}\n<body>{"".join(parts)}</body></html>\n'


def main(arguments: list[str] | None = None) -> Path:
    parser = argparse.ArgumentParser(description="The paper's models and their times, as a table and as a page.")
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "demo", help="the folder of the page (default: %(default)s)")
    folder = parser.parse_args(arguments).output
    started = time.perf_counter()

    print("1/4  the paper's models, compiled and run by cogir", flush=True)
    measured = {name: times_of(name) for name in TITLES}
    print("2/4  the same in PsyNeuLink, if it is installed", flush=True)
    others = in_psyneulink()
    modes = ("LLVMRun", "Python") if others else ()
    heads = ["model", "first result after", "a trial", *(f"PsyNeuLink, {mode}" for mode in modes), "in the paper (a run)"]
    rows = [
        [title, *map(duration, measured[name]), *(duration(others.get(name, {}).get(mode)) for mode in modes), PAPER.get(name, "")]
        for name, title in TITLES.items()
    ]
    print(f"\n{printed(heads, rows)}\n")
    if not others:
        print("PsyNeuLink is not installed here: `make psyneulink` installs it, and then its times are measured, too.\n")

    print("3/4  beside NumPy and C", flush=True)
    by_hand = {"NumPy": search_in_numpy(), **({"C": found[0] / 1e3} if (found := in_c("predator_prey.c")) else {})}
    per_step = decisions()
    hand_heads = ["", "cogir", "NumPy", "C by hand"]
    missing = "no C compiler"
    in_numpy, in_c_by_hand = duration(by_hand["NumPy"]), duration(by_hand.get("C")) or missing
    hand_rows = [
        ["a search of 1,030,301 points", duration(measured["predator_prey_xl"][1]), "", ""],
        ["the same, without excluding points", duration(exhaustive_search()), in_numpy, in_c_by_hand],
        ["a step of a decision", *(f"{per_step[name]:.3g} ns" if name in per_step else missing for name in ("cogir", "NumPy", "C"))],
    ]
    print(f"\n{printed(hand_heads, hand_rows)}\n")

    print("4/4  a controller whose choice changes with the situation", flush=True)
    figure, distances, allocations = controller()
    chosen = [[f"{distances[trial]:.1f}", *(f"{each:g}" for each in allocations[trial])] for trial in range(0, len(distances), 6)]
    chosen_heads = ["distance of the predator", "attention to the prey", "attention to the predator"]
    print(f"\n{printed(chosen_heads, chosen)}\n")

    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "index.html"
    path.write_text(
        page(
            [
                "<h1>cogir: demo</h1><p>The models of <i>Distill</i> (Vesely et al., CGO 2022), compiled by cogir on this machine.</p>",
                f"<h2>The paper's models</h2>{table(heads, rows)}",
                "" if others else "<p>PsyNeuLink is not installed here, so it was not measured.</p>",
                times_figure({name: each[1] for name, each in measured.items()}, others),
                f"<h2>Beside NumPy and C</h2>{table(hand_heads, hand_rows)}",
                "<p>cogir excludes most points of a search by intervals, where that pays. NumPy's search works on arrays over two of the "
                "three axes; C is written by hand (<code>benchmarks/limits</code>).</p>",
                "<h2>A controller whose choice changes with the situation</h2>",
                "<p>The predator comes nearer. Before each trial the controller "
                f"simulates 441 combinations of attention, 30 times each, and takes the best.</p>{figure}{table(chosen_heads, chosen)}",
                f"<h2>The predator-prey model</h2>{predator_prey.build('m').show().in_notebook}",
            ]
        )
    )
    print(f"{path}: the page, after {time.perf_counter() - started:.0f} s")
    return path


if __name__ == "__main__":
    main()
