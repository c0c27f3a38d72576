"""docs/how_to.md: its recipes run, and its table from PsyNeuLink to the builder names what there is."""

import inspect
import re
import runpy
from pathlib import Path

import pytest

import cogir
from cogir import library
from cogir.frontend.builder.schedule import Schedule

PAGE = (Path(__file__).parents[3] / "docs" / "how_to.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def test_the_recipes_run_from_top_to_bottom(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = tmp_path / "page.py"
    script.write_text("\n".join(BLOCKS))
    runpy.run_path(str(script))
    assert re.search(r"incongruent - congruent: 0\.\d+ s, 95 % interval 0\.\d+ to 0\.\d+ s", capsys.readouterr().out)


def column(heading: str) -> str:
    """The right column of the table whose left one has this heading."""
    rows = PAGE.partition(f"| {heading} |")[2].partition("\n\n")[0].splitlines()[2:]
    return "\n".join(row.rpartition(" | ")[2] for row in rows)


def test_the_table_names_what_there_is() -> None:
    builder = column("PsyNeuLink")
    assert builder.count("\n") >= 15
    for name in re.findall(r"\bcogir\.(\w+)", builder):
        assert hasattr(cogir, name), name
    for name in re.findall(r"\blibrary\.(?:psyneulink\.)?(\w+)", builder):
        assert name == "psyneulink" or name in (*library.__all__, *library.psyneulink.__all__), name
    for name in re.findall(r"\bm\.(\w+)\(", builder):
        assert callable(getattr(cogir.Model, name)), name
    for name in re.findall(r"\bm\.schedule\.(\w+)\(", builder):
        assert callable(getattr(Schedule, name)), name


def test_names_of_parameters_are_those_of_the_functions() -> None:
    here = column("said in papers")
    decision = inspect.signature(library.drift_diffusion_decision).parameters
    integrator = inspect.signature(library.drift_diffusion_integrator).parameters
    assert "drift" in decision
    assert "rate" in integrator
    for name in ("threshold", "time_step_size", "noise"):
        assert f"`{name}`" in here
        assert name in decision
        assert name in integrator
    assert "non_decision_time" in decision
