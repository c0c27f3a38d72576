"""The examples of CONTRIBUTING.md work: a library function with its test, and passes with their options and FileCheck files."""

import re
import runpy
import shlex
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from support.planted import plants
from support.pyfunc import check
from xdsl.context import Context
from xdsl.utils.arg_spec import parse_pipeline

from cogir.dialects.text import parse_text
from cogir.library import Positive, Value
from cogir.lowering.pipeline import PASSES
from cogir.tools import cog_opt
from cogir.transforms.dce import DeadCode

TEXT = (Path(__file__).parents[3] / "CONTRIBUTING.md").read_text()
FUNCTION, TEST, PASS, PLANT, OPTION, ANALYSIS = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
FILECHECK, FILECHECK_OF_ANALYSIS = re.findall(r"```mlir\n(.*?)```", TEXT, re.DOTALL)


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


def test_the_plant_breaks_the_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    names: dict[str, Any] = {"__name__": "example", "Patch": pytest.MonkeyPatch, "Any": Any, "planted": plants.planted}
    exec(PASS, names)
    names["remove_double_negations"] = SimpleNamespace(RemoveDoubleNegation=names["RemoveDoubleNegation"])
    monkeypatch.setattr(plants, "PLANTED", {})
    exec(PLANT, names)
    (plan,) = plants.PLANTED.values()
    negated = parse_text("func.func @f(%x: f64) -> f64 {\n%y = arith.negf %x : f64\nfunc.return %y : f64\n}")
    names["RemoveDoubleNegations"]().apply(Context(), negated)
    assert "arith.negf" in str(negated)
    plan.plant(monkeypatch)
    names["RemoveDoubleNegations"]().apply(Context(), negated)
    assert "arith.negf" not in str(negated)


def test_the_option_of_a_pass() -> None:
    names: dict[str, Any] = {"__name__": "example"}
    exec(PASS + "\n\nclass WithOption(RemoveDoubleNegations):\n" + OPTION, names)
    (spec,) = parse_pipeline("remove-double-negations{most=3}")
    assert dataclass(frozen=True)(names["WithOption"]).from_pass_spec(spec).most == 3


def test_the_pass_that_only_reports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {"__name__": "example"}
    exec(ANALYSIS, names)
    monkeypatch.setitem(PASSES, "count-products", names["CountProducts"])
    path = tmp_path / "count-products.mlir"
    path.write_text(FILECHECK_OF_ANALYSIS)
    run = re.search(r"RUN: cog-opt %s (.*) 2>&1 \| filecheck %s\n", FILECHECK_OF_ANALYSIS)
    expected = re.search(r"CHECK: (.*)\n", FILECHECK_OF_ANALYSIS)
    assert run is not None
    assert expected is not None
    assert cog_opt.main([str(path), *shlex.split(run[1])]) == 0
    assert expected[1] in capsys.readouterr().err
