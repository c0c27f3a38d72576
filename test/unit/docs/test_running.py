"""docs/running.md and the examples in docstrings do what they say."""

import inspect
import re
import runpy
import textwrap
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cogir
from cogir import library
from cogir.frontend.builder import model as builder
from cogir.tools.run_files import read_inputs

PAGE = (Path(__file__).parents[3] / "docs" / "running.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def run(source: str, folder: Path) -> dict[str, Any]:
    """Runs a script from a file, as functions are compiled from their source."""
    script = folder / "running.py"
    script.write_text(source)
    return runpy.run_path(str(script))


def test_the_page_runs_from_top_to_bottom(tmp_path):
    assert len(BLOCKS) > 6
    assert run("\n".join(BLOCKS), tmp_path)["means"]


def test_the_limit_of_the_page_is_reached(tmp_path):
    with pytest.raises(cogir.ExecutionError, match="limit:passes"):
        run("\n".join(BLOCKS).replace("except cogir.ExecutionError", "except ZeroDivisionError"), tmp_path)


def test_the_table_of_the_page_is_read(tmp_path):
    table = PAGE.partition("one line per trial:\n\n")[2].partition("\n\n`--set")[0]
    path = tmp_path / "trials.csv"
    path.write_text(textwrap.dedent(table) + "\n")
    side = run("import cogir\nimport numpy as np\n" + next(block for block in BLOCKS if "side = " in block), tmp_path)
    found = side["side"].compile().run(read_inputs(str(path)))
    assert found["evidence"].tolist() == side["by_name"]["evidence"].tolist() == [[0.3, 0.5], [-0.2, 0.5]]
    assert found["context"].tolist() == [1.0, 0.0]


def indented(text: str) -> str:
    """The lines of a docstring that are code."""
    return textwrap.dedent("\n".join(line for line in text.splitlines() if line.startswith("    ")))


@pytest.mark.parametrize("module", [cogir, builder])
def test_every_trial_of_the_example_in_a_docstring_computes(module):
    names: dict[str, object] = {"cogir": cogir}
    exec(indented(inspect.getdoc(module) or ""), names)
    result = names["result"]
    assert isinstance(result, cogir.Result)
    assert len(np.unique(result["decision", "time"])) > 3
    assert "finished node stays finished until it is reset" in (module.__doc__ or "")


def waiting(condition: cogir.Condition | None, *, reset: bool = False) -> cogir.Model:
    m = cogir.Model("m")
    m.project(m.node("a"), m.node("b", library.drift_diffusion_integrator, threshold=1.0))
    if condition is not None:
        m.schedule.trial_ends(condition)
    if reset:
        m.schedule.reset("b", cogir.AtTrialStart())
    return m


@pytest.mark.parametrize(
    "condition",
    [cogir.WhenFinished("b"), cogir.WhenFinishedAny("b"), cogir.WhenFinishedAll(), cogir.WhenFinished("a") & cogir.WhenFinished("b")],
)
def test_trials_that_compute_nothing_are_announced(condition):
    c = waiting(condition).compile(mode="python")
    inputs = {"a": [[0.5], [0.75]]}
    with pytest.warns(
        cogir.FinishedWarning, match=r'every trial after the first ends at once, .* add model.schedule.reset\("b", cogir.AtTrialStart\(\)\)'
    ):
        result = c.run(inputs)
    assert result["b", "time"][1] == result["b", "time"][0]
    before = dict(c.state)
    c.run(inputs)
    assert {path: value for path, value in c.state.items() if "calls:life" in path} == {
        path: value for path, value in before.items() if "calls:life" in path
    }


@pytest.mark.parametrize(
    "model",
    [
        waiting(cogir.WhenFinished("b"), reset=True),
        waiting(None),
        waiting(cogir.WhenFinished("b") & cogir.AfterPass(3)),
        waiting(~cogir.WhenFinished("b")),
    ],
)
def test_trials_that_may_compute_are_left_in_peace(model):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.compile(mode="python").run({"a": [[2.0], [3.0]]})


def test_one_trial_at_a_time_is_left_in_peace():
    c = waiting(cogir.WhenFinished("b")).compile(mode="python")
    for value in (0.5, 2.0):
        c.run({"a": [[value]]})
        c.reset()
