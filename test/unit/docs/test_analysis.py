"""The page about analyses: its examples run and print what it says."""

import linecache
import re
from contextlib import redirect_stdout
from io import StringIO
from typing import Any

import pytest
from support.pages import page

import cogir
from cogir import library

PAGE = page("analysis.md")


@pytest.fixture(scope="module")
def scope() -> dict[str, Any]:
    """The names that the blocks leave, each of which has printed what the page shows."""
    names: dict[str, Any] = {}
    for number, (code, output) in enumerate(re.findall(r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?", PAGE, re.DOTALL)):
        name = f"<analysis.md {number}>"
        linecache.cache[name] = (len(code), None, code.splitlines(keepends=True), name)  # functions of the page have sources
        printed = StringIO()
        with redirect_stdout(printed):
            exec(compile(code, name, "exec"), names)
        assert not output or printed.getvalue() == output, code
    return names


def test_the_examples_print_what_the_page_says(scope: dict[str, Any]) -> None:
    assert "found" in scope


def width(found: Any) -> float:
    """The width of the range of the first element of the first output."""
    row = found.to_dataframe().iloc[0]
    return float(row["high"] - row["low"])


def test_splits_and_fewer_draws_are_narrower(scope: dict[str, Any]) -> None:
    loose, given = scope["loose"], ({"contrast/noise": (0.5, 1.0)}, {"contrast": (-1.0, 1.0)})
    whole, parts = cogir.analyze.ranges(loose, *given), cogir.analyze.ranges(loose, *given, split=4)
    assert whole
    assert width(parts) < width(whole)
    with pytest.raises(cogir.InputError, match=r"4,?096"):
        cogir.analyze.ranges(loose, *given, split=100)
    noisy = cogir.Model("noisy")
    noisy.node("walk", library.psyneulink.gaussian_distort, input=1)
    largest, within = (cogir.analyze.ranges(noisy, inputs={"walk": 0.0}, trials=1, draws=draws) for draws in ("largest", 3))
    assert width(largest) == pytest.approx(2 * 8.57, abs=0.02)
    assert width(within) == pytest.approx(6.0, abs=1e-9)
    assert "within 3 standard deviations" in str(within)
    assert "as large as their generators can make them" in str(largest)


def test_an_output_that_grows_in_every_trial_has_no_bound() -> None:
    growing = cogir.Model("growing")
    growing.node("sum", library.psyneulink.simple_integrator, input=1, rate=1.0)
    assert cogir.analyze.ranges(growing, inputs={"sum": (0.0, 1.0)}, trials=3)
    assert not cogir.analyze.ranges(growing, inputs={"sum": (0.0, 1.0)})


def test_answers_are_true_as_the_page_says(scope: dict[str, Any]) -> None:
    assert cogir.analyze.convergence(scope["model"], inputs={"stimulus": (-0.5, 0.0)})
    assert not cogir.analyze.sensitivity(scope["loose"], {"contrast/noise": (0.0, 1.0)}, {"contrast": (-1.0, 1.0)})
    table = cogir.analyze.sensitivity(scope["loose"], inputs={"contrast": (0.5, 1.0)}).to_dataframe()
    assert table["parameter"].tolist() == ["contrast/noise"], "without parameters: all"
