"""docs/fits.md does what it says."""

import os
import re
import runpy
from pathlib import Path

import pytest
from support.long import long

PAGE = (Path(__file__).parents[3] / "docs" / "fits.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


SIMULATIONS = re.compile(r"simulations=\d+")


@pytest.mark.filterwarnings("ignore::cogir.FitWarning")
@pytest.mark.parametrize("simulations", [*long(None), 500])
def test_the_page_runs_from_top_to_bottom(
    simulations: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As it stands, or with fewer simulations."""
    script = tmp_path / "page.py"
    text = "\n".join(BLOCKS)
    script.write_text(text if simulations is None else SIMULATIONS.sub(f"simulations={simulations}", text))
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(script))
    assert sorted(os.listdir(tmp_path)) == ["decision.npz", "experiment.csv", "fit.png", "page.py"]
