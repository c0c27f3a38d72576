"""docs/functions.md says what is there, and its example works."""

# pyright: basic
import re
from pathlib import Path

import numpy as np
from support.pyfunc import check
from support.random.functions import define

from cogir.frontend.builder.outside_subset import MATH, NUMPY, PYTHON, SPECIAL
from cogir.pyfunc.meanings.registry import METHODS, REFUSED, known_names

TEXT = (Path(__file__).parents[3] / "docs" / "functions.md").read_text()


def test_the_page_lists_what_can_be_called():
    names = TEXT[TEXT.index("<!-- names -->") :]
    numpy, scipy, math, python = (re.findall("`([^`]+)`", part.split(": ", 1)[1]) for part in names.split("\n\n")[:4])
    prefixed = (*(f"math.{name}" for name in math), *(f"np.{name}" for name in numpy), *(f"scipy.special.{name}" for name in scipy))
    assert [*python, *prefixed] == known_names_by_family()


def test_the_signs_of_what_is_outside_the_subset_know_the_same_names():
    found = [*PYTHON, *(f"math.{name}" for name in MATH), *(f"np.{name}" for name in NUMPY), *(f"scipy.special.{name}" for name in SPECIAL)]
    assert found == known_names_by_family()


def known_names_by_family() -> list[str]:
    families = {"": [], "math.": [], "np.": [], "scipy.special.": []}
    for name in known_names():
        families[next((prefix for prefix in families if prefix and name.startswith(prefix)), "")].append(name)
    return [name for family in families.values() for name in family]


def test_the_page_lists_the_methods():
    listed = TEXT[TEXT.index("<!-- methods -->") : TEXT.index("<!-- end -->")]
    assert re.findall(r"[.](\w+)[(]", listed) == sorted(name for name, handler in METHODS.items() if handler not in REFUSED)


def test_the_example_of_the_page():
    source = re.search("```python\n(.*?)```", TEXT, re.DOTALL)
    assert source is not None
    drift = define(source[1], "drift")
    check(drift, np.array([0.3, -0.2]))
    check(drift, np.array([0.3, -0.2]), statics={"mode": "free"}, rate=4.0)
