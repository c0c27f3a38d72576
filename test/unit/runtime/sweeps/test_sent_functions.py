"""Functions of statistics in other processes do what they do where `sweep` is called, or an error says what to do."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.long import long

needs_cloudpickle = pytest.mark.skipif(importlib.util.find_spec("cloudpickle") is None, reason="cloudpickle is not installed")
HELPING = """
limit = 0.0


def above(r):
    return r["d"] > limit


def late(r):
    return r["d"] > late.limit


late.limit = 0.0
"""
SCRIPT = """
import multiprocessing, pickle, subprocess, sys
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor

if {hides}:
    sys.modules["cloudpickle"] = None
import cogir
import helping
from cogir import library
from cogir.runtime.sweeps import tasks
{fault}


class Elsewhere(ThreadPoolExecutor):
    '''Processes that know nothing of this script.'''

    def submit(self, function, recipe, task):
        code = "import pickle, sys; import cogir; from cogir.runtime.sweeps.tasks import run_task; sys.path.append('.');"
        code += "sys.stdout.buffer.write(pickle.dumps(run_task(*pickle.load(sys.stdin.buffer))))"
        done = subprocess.run([sys.executable, "-c", code], input=pickle.dumps((recipe, task)), capture_output=True)
        future = Future()
        future.set_result(pickle.loads(done.stdout))
        return future


m = cogir.Model("decision", seed=1)
m.node("d", library.drift_diffusion_integrator, input=1, noise=1.0)
compiled = m.compile()
pool = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("fork"))


def sweep(function, executor):
    asked = {{"inputs": {{"d": [[1.0]]}}, "replicates": 50, "seed": 1, "reduce": {{"it": cogir.reductions.Mean(function)}}}}
    return compiled.sweep({{"d/rate": [0.0, 0.5]}}, **asked, executor=executor)["it"].tolist()


def compare(function, executor=pool):
    here = sweep(function, None)
    try:
        print("same" if sweep(function, executor) == here else "other", *here[0])
    except cogir.CogirError as error:
        print(error)
{story}
"""
REDEFINED_ONCE = """
def late(r):
    return r["d"] > 0.0
class Late:
    def __init__(self, limit):
        self.limit = limit
    def __call__(self, r):
        return r["d"] > self.limit
compare(late)
def late(r):
    return r["d"] > 1.0
compare(late)
"""
REDEFINED = f"""{REDEFINED_ONCE}
LIMIT = 0.0
def by_global(r):
    return r["d"] > LIMIT
compare(by_global)
LIMIT = 1.0
compare(by_global)
compare(Late(1.0))
Late.__call__ = lambda self, r: r["d"] < self.limit
compare(Late(1.0))
"""
CHANGED = """
compare(helping.above)
compare(helping.above)
helping.limit = 1.0
compare(helping.above)
"""
SET_ON_A_FUNCTION = """
def above(r):
    return r["d"] > above.limit
above.limit = 0.0
helping.late.limit = 0.0
compare(above)
compare(helping.late)
above.limit = helping.late.limit = 1.0
compare(above)
compare(helping.late)
"""
READS_A_MODULE = """
def above(r):
    return r["d"] > helping.limit
compare(above)
helping.limit = 1.0
compare(above)
"""
UNKNOWN = """
import re
def late(r):
    return r["d"] > float(open("limit").read() if r is None else 0)
compare(late)
"""
ELSEWHERE = """
def late(r):
    return r["d"] > 0.0
compare(late, Elsewhere())
compare(helping.above, Elsewhere())
"""


def told(tmp_path: Path, story: str, *, hides: bool = False, fault: str = "") -> list[str]:
    """
    The lines that a script prints, whose pool lives on while functions are defined again; `hides`: as if cloudpickle was not there;
    `fault`: a line that plants one.
    """
    (tmp_path / "helping.py").write_text(HELPING)
    (tmp_path / "script.py").write_text(SCRIPT.format(hides=hides, story=story, fault=fault))
    run = subprocess.run([sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": ""})
    assert run.returncode == 0, run.stderr
    return run.stdout.splitlines()


OTHER = "is not in this worker what it is where sweep was called, as it was changed after the worker was started; "


@needs_cloudpickle
def test_functions_of_the_script_go_by_what_they_do(tmp_path: Path) -> None:
    lines = told(tmp_path, REDEFINED)
    assert [line.split()[0] for line in lines] == ["same"] * 6
    values = [float(line.split()[1].strip("[]")) for line in lines]
    assert values[0] == values[2] > values[1] == values[3] == values[4]
    assert values[5] == pytest.approx(1.0 - values[4])


def test_without_cloudpickle_a_function_that_was_defined_again_is_refused(tmp_path: Path) -> None:
    lines = told(tmp_path, REDEFINED, hides=True)
    assert lines[0].startswith("same")
    for line, name in zip(lines[1:], ("late", "by_global", "by_global", "same", "Late"), strict=True):
        if name == "same":
            assert line.startswith("same")
        else:
            assert (
                f"reduce: {name} of module __main__ {OTHER}install cloudpickle: pip install cloudpickle, or start the executor anew" in line
            )


@pytest.mark.parametrize("hides", [pytest.param(False, marks=needs_cloudpickle), True])
@pytest.mark.parametrize(("story", "name"), [(CHANGED, "above"), (READS_A_MODULE, "limit")])
def test_modules_that_were_changed_are_refused(story: str, name: str, hides: bool, tmp_path: Path) -> None:
    *first, last = told(tmp_path, story, hides=hides)
    assert all(line.startswith("same") for line in first)
    assert f"{OTHER}" in last
    assert f"reduce: {name} of module helping" in last or (hides and "reduce: above of module __main__" in last)


@pytest.mark.parametrize("hides", [pytest.param(False, marks=needs_cloudpickle), True])
def test_what_was_set_on_functions_counts(hides: bool, tmp_path: Path) -> None:
    script, module, changed, last = told(tmp_path, SET_ON_A_FUNCTION, hides=hides)
    assert script.startswith("same")
    assert module.startswith("same")
    assert f"reduce: late of module helping {OTHER}" in last
    if hides:
        assert f"reduce: above of module __main__ {OTHER}" in changed
    else:
        assert changed.startswith("same")
        assert changed != script


@pytest.mark.parametrize("hides", [pytest.param(False, marks=needs_cloudpickle), True])
def test_what_cannot_be_told_needs_cloudpickle(hides: bool, tmp_path: Path) -> None:
    (line,) = told(tmp_path, UNKNOWN, hides=hides)
    assert ("it cannot be told whether theirs is the same, because it reaches open in late" in line) if hides else line.startswith("same")


@pytest.mark.parametrize("hides", [pytest.param(False, marks=needs_cloudpickle), *long(True)])
def test_workers_that_do_not_know_the_script(hides: bool, tmp_path: Path) -> None:
    script, module = told(tmp_path, ELSEWHERE, hides=hides)
    assert module.startswith("same")
    assert "install cloudpickle: pip install cloudpickle" in script if hides else script.startswith("same")


@pytest.mark.parametrize(
    ("hides", "fault"),
    [
        pytest.param(False, "tasks.packed_reductions = lambda reductions: (pickle.dumps(reductions), [])", marks=needs_cloudpickle),
        (True, "tasks.check_named = lambda named: None"),
    ],
    ids=["by their names", "without a look at what they are"],
)
def test_planted_old_functions_in_workers_are_found(hides: bool, fault: str, tmp_path: Path) -> None:
    before, after = told(tmp_path, REDEFINED_ONCE, hides=hides, fault=fault)
    assert before.startswith("same")
    assert after.startswith("other"), "as the checks above would find"
