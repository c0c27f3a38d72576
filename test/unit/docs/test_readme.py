"""The README's code runs, and prints what the README says that it prints."""

import re
from pathlib import Path
from typing import Any

from cogir.lowering.pipeline import lower_to

TEXT = (Path(__file__).parents[3] / "README.md").read_text()


def holds_in_order(shown: str, printed: str) -> bool:
    """Whether the pieces of `shown` between its ellipses stand in `printed` in this order; line breaks and depth do not count."""
    at = 0
    for piece in shown.split("..."):
        wanted = " ".join(piece.split())
        at = printed.find(wanted, at)
        if at < 0:
            raise AssertionError(f"not printed, or not there: {wanted}")
        at += len(wanted)
    return True


def test_the_first_model_runs_and_prints_what_is_shown() -> None:
    code, _ = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    names: dict[str, Any] = {}
    exec(code, names)
    assert names["choices"].shape == (100_000, 1)
    assert set(names["choices"].ravel()) == {-1.0, 1.0}
    as_cog, as_machine = re.findall(r"```mlir\n(.*?)```", TEXT, re.DOTALL)
    module = names["model"].ir()
    assert holds_in_order(as_cog, " ".join(str(module).split()))
    lower_to(module, "machine")
    assert holds_in_order(as_machine, " ".join(str(module).split()))
