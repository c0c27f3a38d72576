"""docs/gpu.md does what it says, as far as a machine without a GPU can."""

import re
from pathlib import Path

PAGE = (Path(__file__).parents[3] / "docs" / "gpu.md").read_text()


def test_the_code_runs(capsys) -> None:
    for block in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
        exec(compile(block, "gpu.md", "exec"), {"__name__": "page"})
    assert "target: kernels are emulated on the CPU" in capsys.readouterr().out
