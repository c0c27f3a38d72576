"""docs/functions.md says what is there, and its example works."""

# pyright: basic
import re
from pathlib import Path

import numpy as np
from support.pyfunc import check
from support.random.functions import define

from cogir.pyfunc.meanings.registry import METHODS, REFUSED, known_names

TEXT = (Path(__file__).parents[3] / "docs" / "functions.md").read_text()


def test_the_page_lists_what_can_be_called():
    names = TEXT[TEXT.index("<!-- names -->") :]
    numpy, math, python = (re.findall("`([^`]+)`", part.split(": ", 1)[1]) for part in names.split("\n\n"))
    assert [*python, *(f"math.{name}" for name in math), *(f"np.{name}" for name in numpy)] == known_names_by_family()


def known_names_by_family() -> list[str]:
    families = ([], [], [])
    for name in known_names():
        families[1 if name.startswith("math.") else 2 if name.startswith("np.") else 0].append(name)
    return [*families[0], *families[1], *families[2]]


def test_the_page_lists_the_methods():
    listed = TEXT[TEXT.index("<!-- methods -->") : TEXT.index("<!-- end -->")]
    assert re.findall(r"[.](\w+)[(]", listed) == sorted(name for name, handler in METHODS.items() if handler not in REFUSED)


def test_the_example_of_the_page():
    source = re.search("```python\n(.*?)```", TEXT, re.DOTALL)
    assert source is not None
    drift = define(source[1], "drift")
    check(drift, np.array([0.3, -0.2]))
    check(drift, np.array([0.3, -0.2]), statics={"mode": "free"}, rate=4.0)
