"""docs/library.md: its tables are those of the library, and its example runs."""

import importlib.util
import re
import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from cogir import library
from cogir.library.signature import signature_of

DOCS = Path(__file__).parents[3] / "docs"
TEXT = (DOCS / "library.md").read_text()


def writer() -> Any:
    spec = importlib.util.spec_from_file_location("write_library", DOCS / "write_library.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_tables_are_those_of_the_library() -> None:
    is_current = writer().write() == TEXT
    assert is_current, "docs/library.md is out of date; run python docs/write_library.py"


@pytest.mark.parametrize("space", [library, library.psyneulink], ids=lambda space: space.__name__)
def test_every_function_is_listed_once(space: Any) -> None:
    begin, end = writer().MARKS if space is library else writer().MARKS_OF_PSYNEULINK
    listed = re.findall(r"^\| `(\w+)` \|", TEXT[TEXT.index(begin) : TEXT.index(end)], re.MULTILINE)
    assert len(listed) == len(set(listed))
    assert set(listed) == set(writer().functions(space))


def test_noise_of_the_library_is_drawn_per_square_root_of_time() -> None:
    """By signature and docstring."""
    found = {name: each for name, each in writer().functions().items() if writer().is_node_function(each) and has_noise(each)}
    assert len(found) >= 7
    for name, each in found.items():
        assert signature_of(each).randoms, name
        assert "per square root of time" in " ".join((each.__doc__ or "").split()), name


def test_functions_of_psyneulink_say_what_their_noise_is() -> None:
    for name, each in writer().functions(library.psyneulink).items():
        differs = library.psyneulink.differs(name)
        assert f"| {differs} |" in TEXT, name
        if has_noise(each) and not name.startswith("drift_diffusion"):
            assert "noise" in differs, name


def has_noise(function: Any) -> bool:
    return "noise" in signature_of(function).params


def test_the_example_swings_as_scipys(tmp_path: Path) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    path = tmp_path / "pendulum.py"
    path.write_text(code)
    names = runpy.run_path(str(path))
    exact = solve_ivp(names["pendulum"], (0.0, 10.0), [1.0, 0.0], args=(0.1,), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(names["angles"][-1], exact.y[0, -1], atol=1e-8)
