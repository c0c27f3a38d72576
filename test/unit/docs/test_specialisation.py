"""docs/specialisation.md does what it says."""

import re
import runpy
from pathlib import Path

PAGE = (Path(__file__).parents[3] / "docs" / "specialisation.md").read_text()
CODE = "\n".join(re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL))


def test_the_page_runs_from_top_to_bottom(tmp_path: Path) -> None:
    script = tmp_path / "page.py"
    script.write_text(CODE)
    assert [version.runs for version in runpy.run_path(str(script))["c"].versions] == [1, 3]
