"""docs/replicates.md does what it says."""

import re
import runpy
from pathlib import Path

PAGE = (Path(__file__).parents[3] / "docs" / "replicates.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def test_the_page_runs_from_top_to_bottom(tmp_path: Path) -> None:
    script = tmp_path / "page.py"
    script.write_text("\n".join(BLOCKS))
    names = runpy.run_path(str(script))
    found, again = names["found"], names["again"]
    assert found["DDM"].shape == (10_000, 1, 1)
    assert 0.8 < found["DDM", "time"].mean() < 0.86
    assert 0.87 < (found["DDM"] > 0).mean() < 0.91
    assert again["DDM", "time"][0] == found["DDM", "time"][4711, 0]
