"""docs/equivalence.md does what it says, and prints what it shows."""

import re
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.pages import ROOT, page, run_page

import cogir

PAGE = page("equivalence.md")
SHOWN = re.findall(r"```\n\n```\n(.*?)```", PAGE, re.DOTALL)
"""The output that follows code."""


def test_the_page_prints_what_it_shows(tmp_path: Path) -> None:
    ran = run_page(PAGE, tmp_path, change=lambda text: text.replace('"examples"', f'"{ROOT}/examples"'))
    names = ran.names
    assert len(SHOWN) == 6
    assert ran.printed == "".join(SHOWN)
    assert names["equal"]
    assert not names["different"]
    assert set(np.unique(names["choices"])) == {-1.0, 1.0}, "a choice in each trial"


def scaled(x: Any) -> Any:
    return 0.1 * x + 0.2 * x


def scaled_at_once(x: Any) -> Any:
    return 0.3 * x


def left_first(x: Any, *, a: float = 0.1, b: float = 0.2) -> Any:
    return (x + a) + b


def right_first(x: Any, *, a: float = 0.1, b: float = 0.2) -> Any:
    return x + (a + b)


def drawn(x: Any, *, random: cogir.library.Random) -> Any:
    return x + random.normal()


def single(function: Callable[..., Any], seed: int = 0) -> cogir.Model:
    """A model of one node."""
    m = cogir.Model("m", seed=seed)
    m.node("n", function, input=())
    return m


@pytest.mark.parametrize(
    ("first", "second", "answer"),
    [
        (single(left_first), single(right_first), "equal over the reals"),
        (single(scaled), single(scaled_at_once), "not shown"),
        (single(drawn, seed=1), single(drawn, seed=1), "bit-equal"),
        (single(drawn, seed=1), single(drawn, seed=2), "equal in distribution"),
    ],
)
def test_the_answers_that_the_page_gives_in_words(first: cogir.Model, second: cogir.Model, answer: str) -> None:
    """Rounding is left out; constants are the numbers that the doubles are; seeds differ in the random numbers alone."""
    assert cogir.analyze.equivalent(first, second).answer == answer


def test_the_example(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(ROOT / "examples" / "equivalence.py"), run_name="__main__")
    answers = [line.partition(": ")[2] for line in capsys.readouterr().out.splitlines() if line[:1].strip() and ": " in line]
    assert answers == [
        "equal over the reals",
        "bit-equal",
        "equal in distribution",
        "equal under these parameter values",
        "not shown",
    ]
