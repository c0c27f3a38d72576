"""docs/learning.md does what it says."""

import re
import runpy
from pathlib import Path

PAGE = (Path(__file__).parents[3] / "docs" / "learning.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def test_the_page_runs_from_top_to_bottom(tmp_path: Path) -> None:
    script = tmp_path / "page.py"
    script.write_text("\n".join(BLOCKS))
    names = runpy.run_path(str(script))
    assert names["learned"].losses.shape == (2000, 4)
    assert names["learned"].losses[-1].max() < 0.01
    assert names["compiled"].run(names["xor"])["output"].round().ravel().tolist() == [0.0, 1.0, 1.0, 0.0]
    assert str(names["model"].ir()).count("cog.learned") == 2
