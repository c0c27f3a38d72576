"""docs/learning.md does what it says."""

import re
import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

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


RECURRENT = (Path(__file__).parents[3] / "docs" / "recurrent.md").read_text()
TUTORIAL = (Path(__file__).parents[3] / "docs" / "tutorial" / "learning.md").read_text()


def run_blocks(page: str, fence: str, script: Path) -> dict[str, Any]:
    """The names that the blocks of a page leave."""
    script.write_text("\n".join(re.findall(rf"{re.escape(fence)}\n(.*?)```", page, re.DOTALL)))
    return runpy.run_path(str(script))


def test_the_page_on_recurrent_networks(tmp_path: Path) -> None:
    names = run_blocks(RECURRENT, "```python", tmp_path / "page.py")
    assert names["learned"].losses.shape == (30, 5)
    assert names["learned"].losses[-1].mean() < names["learned"].losses[0].mean()
    shown = re.search(r"    (learning: the projection.*?)\n\n", RECURRENT, re.DOTALL)
    assert shown is not None
    assert names["message"] == " ".join(shown[1].split())
    given = {"reader": names["sequences"], "target": names["wanted"]}
    answers = names["compiled"].run(given)["answers"]
    loss = names["compiled"].learn(given, batch=20).losses[0, 0]
    np.testing.assert_allclose(loss, np.mean((answers - names["wanted"]) ** 2), rtol=1e-12)


def test_the_second_context_of_the_tutorial_has_the_learned_weights(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    matplotlib = pytest.importorskip("matplotlib", reason="the tutorial draws")
    matplotlib.use("Agg")
    run_blocks(TUTORIAL.partition("## Values by prediction errors")[0], "```{code-cell} python", tmp_path / "tutorial.py")
    learned, second, untaught = capsys.readouterr().out.strip().splitlines()[-3:]
    assert learned == second
    assert np.fromstring(learned.strip("[]"), sep=" ").round().tolist() == [0.0, 1.0, 1.0, 0.0]
    assert untaught != learned
