"""The README's model runs, prints what the README shows, and becomes the IR that the README shows."""

import re
from pathlib import Path
from typing import Any

import pytest

from cogir.lowering.pipeline import lower_to

TEXT = (Path(__file__).parents[3] / "README.md").read_text()


def holds_in_order(shown: str, printed: str) -> bool:
    """True if `printed` contains the pieces of `shown` between ellipses in this order; white space does not count."""
    at = 0
    for piece in shown.split("..."):
        wanted = " ".join(piece.split())
        at = printed.find(wanted, at)
        if at < 0:
            raise AssertionError(f"not printed, or not there: {wanted}")
        at += len(wanted)
    return True


def test_the_model_runs_and_prints_what_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    _, code = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    (shown,) = re.findall(r"```text\n(.*?)```", TEXT, re.DOTALL)
    names: dict[str, Any] = {}
    exec(code, names)
    assert capsys.readouterr().out == shown
    as_cog, as_machine = re.findall(r"```mlir\n(.*?)```", TEXT, re.DOTALL)
    module = names["model"].ir()
    assert holds_in_order(as_cog, " ".join(str(module).split()))
    lower_to(module, "machine")
    assert holds_in_order(as_machine, " ".join(str(module).split()))
