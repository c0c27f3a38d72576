"""The examples of CONTRIBUTING.md work: a library function with its test, and a pass with its FileCheck file."""

import re
import runpy
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from support.pyfunc import check
from xdsl.context import Context

from cogir.dialects.text import parse_text
from cogir.library import Positive, Value
from cogir.transforms.dce import DeadCode

TEXT = (Path(__file__).parents[3] / "CONTRIBUTING.md").read_text()
FUNCTION, TEST, PASS = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
(FILECHECK,) = re.findall(r"```mlir\n(.*?)```", TEXT, re.DOTALL)


def test_the_library_function_passes_its_test(tmp_path: Path) -> None:
    script = tmp_path / "softplus.py"
    script.write_text(FUNCTION)
    softplus = runpy.run_path(str(script), {"Value": Value, "Positive": Positive, "np": np})["softplus"]
    names: dict[str, Any] = {"check": check, "np": np, "library": SimpleNamespace(softplus=softplus)}
    exec(TEST, names)
    names["test_softplus"]()


def test_the_pass_removes_double_negations() -> None:
    names: dict[str, Any] = {"__name__": "example"}
    exec(PASS, names)
    module = parse_text(FILECHECK)
    names["RemoveDoubleNegations"]().apply(Context(), module)
    DeadCode().apply(Context(), module)
    assert "arith.negf" not in str(module)
    assert "func.return %x : f64" in str(module)
