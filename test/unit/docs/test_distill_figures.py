"""`benchmarks/distill_figures.py`: its tables and its page, from numbers that are given."""

import importlib.util
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]
_spec = importlib.util.spec_from_file_location("distill_figures", ROOT / "benchmarks" / "distill_figures.py")
assert _spec is not None
assert _spec.loader is not None
distill_figures = importlib.util.module_from_spec(_spec)
sys.modules["distill_figures"] = distill_figures
_spec.loader.exec_module(distill_figures)

LEVEL = {"compilation": 0.5, "parameters": 1e-4, "inputs": 1e-5, "run": 1e-3, "results": 1e-6}
FOUND: dict[str, Any] = {
    "8": {"necker_S": {"Python": 0.1, "LLVMRun": 0.01, "cogir": 1e-4}, "multitasking": {"cogir": 2e-4}},
    "9": {
        "s": {"Python": 1.0, "LLVMRun": 0.02, "cogir": 1e-5, "cogir, all points": 2e-5},
        "xl": {"cogir": 1e-4, "cogir, all points": 1e-3},
    },
    "10": {"Python": 0.2, "_LLVMPerNode": 0.1, "LLVMRun": 0.01, "cogir, run": 1e-4},
    "11": {"1 thread": 2e-3, "2 threads": 1e-3, "GPU": "no driver"},
    "12": {
        "multitasking, PsyNeuLink": {f"-O{level}": {**LEVEL, "other": 1e-3} for level in range(4)},
        "multitasking, cogir": {f"-O{level}": LEVEL for level in range(4)},
    },
}


def test_ratios_are_those_of_the_times() -> None:
    _, rows = distill_figures.rows_of("8", FOUND["8"])
    assert rows[0] == ["Necker cube S", "100 ms", "10 ms", "100 µs", "10", "1,000", "100"]
    assert rows[1][1:] == ["", "", "200 µs", "", "", ""]
    _, rows = distill_figures.rows_of("9", FOUND["9"])
    assert rows[0][-1] == "2,000"
    assert rows[1][:2] == ["XL", "1,030,301"]
    _, rows = distill_figures.rows_of("10", FOUND["10"])
    assert [row[2] for row in rows] == ["1", "2", "20", "2,000"]
    _, rows = distill_figures.rows_of("11", FOUND["11"])
    assert [row[2] for row in rows] == ["1", "2", ""]
    heads, rows = distill_figures.rows_of("12", FOUND["12"])
    assert len(heads) == len(rows[0]) == 8
    assert len(rows) == 8
    assert [row[-1] for row in rows] == ["1 ms"] * 4 + [""] * 4


def test_the_page_has_the_papers_numbers_beside_todays() -> None:
    page = distill_figures.page({**FOUND, "PsyNeuLink": "0.21"})
    assert page.count("<img") == 5
    for part in FOUND:
        assert distill_figures.IN_THE_PAPER[part] in page
    assert "PsyNeuLink 0.21" in page
    assert "no driver" in page
    assert "one and three orders of magnitude" in page


def test_the_page_says_which_numbers_are_not_to_be_quoted() -> None:
    processors = os.cpu_count() or 1
    quiet, busy = ({"10": {**FOUND["10"], distill_figures.LOAD: load * processors}} for load in (0.1, 3.0))
    assert "Not to be quoted" not in distill_figures.page(quiet)
    assert f"Not to be quoted: other programs were running (load {3.0 * processors:.1f}" in distill_figures.page(busy)
    assert f"<td>{distill_figures.LOAD}</td>" not in distill_figures.page(busy)


def test_both_packages_make_the_same_call() -> None:
    for model in distill_figures.MODELS:
        golden = json.loads((ROOT / "test" / "golden" / f"{model}.json").read_text())["calls"][0]
        assert distill_figures.call_of(model) == golden
    assert distill_figures.call_of("predator_prey_L") == distill_figures.call_of("predator_prey_XL")
    assert distill_figures.call_of("predator_prey_L")["num_trials"] == 2


def test_time_is_counted_once() -> None:
    now = 0.0

    class Engine:
        def run(self) -> None:
            nonlocal now
            now += 1.0
            self.compile()
            now += 2.0

        @staticmethod
        def compile() -> int:
            nonlocal now
            now += 8.0
            return 3

    def call() -> None:
        nonlocal now
        now += 16.0
        Engine().run()

    clock = distill_figures.Clock(lambda: now)
    clock.watch(Engine, "run", "run")
    clock.watch(Engine, "compile", "compilation")
    assert Engine.compile() == 3
    assert clock.parts_of(call) == {"compilation": 8.0, "run": 3.0, "other": 16.0}


@pytest.mark.full
def test_small_parts_are_measured() -> None:
    found = distill_figures.breakdown("multitasking", 1, 1)
    assert set(found) == set(LEVEL)
    assert all(seconds > 0.0 for seconds in found.values())
    assert distill_figures.figure_7(1)["rounds"] >= 3
