"""The page on the architecture is what the compiler prints today."""

import importlib.util
from pathlib import Path

import numpy as np

SCRIPT = Path(__file__).parents[3] / "docs" / "write_architecture.py"
_spec = importlib.util.spec_from_file_location("write_architecture", SCRIPT)
assert _spec is not None
assert _spec.loader is not None
write_architecture = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(write_architecture)


def test_the_page_is_up_to_date() -> None:
    is_current = write_architecture.PAGE.read_text() == write_architecture.page()
    assert is_current, "docs/architecture.md is out of date; run python docs/write_architecture.py"


def test_the_model_of_the_page_decides() -> None:
    """Twice the stimulus, at half the rate, until 1 is reached: 0.3 needs four steps, 0.5 two."""
    result = write_architecture.build().compile().run({"stimulus": [[0.3], [0.5]]})
    np.testing.assert_allclose(result["decision"], [[1.2], [1.0]])
