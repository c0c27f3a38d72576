"""docs/concepts/machine_code.md: its model is at all levels what the page says; the page shows columns that need IPython."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.pages import page, run_page

import cogir
from cogir.tools import cog_opt, cog_run, cog_translate

PAGE = page("concepts/machine_code.md")
CELL = "```{code-cell} python"
HIDDEN = re.compile(rf"^{re.escape(CELL)}\n:tags: \[hide-input\]\n(.*?)^```", re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the cells leave but for the one that needs IPython, which is run up to its columns."""
    folder = tmp_path_factory.mktemp("machine_code")
    ran = run_page(HIDDEN.sub("", PAGE), folder, fence=CELL)
    assert ran.printed == "[1.2 1. ]\n"
    return ran.names


def test_each_level_has_the_function(names: dict[str, Any]) -> None:
    hidden = HIDDEN.search(PAGE)
    assert hidden is not None
    found = dict[str, Any]()
    exec("import re\n" + hidden[1][hidden[1].index("def function") : hidden[1].index("def column")], found)
    stages = names["model"].stages()
    said = re.findall(r'^    "([\w-]+)": "', hidden[1], re.MULTILINE)
    assert said == ["cog", "loops", "cf", "llvm", "llvm-ir"]
    text = {stage: found["function"](stages[stage], "accumulate") for stage in said}
    assert all("accumulate" in each for each in text.values())
    assert "memref" not in text["cog"], "values"
    assert "memref" in text["loops"], "memory"
    assert not re.search(r"\bscf\.", text["cf"]), "blocks and branches"
    assert re.search(r"\bllvm\.f(add|mul)", text["llvm"])
    assert re.search(r"= f(add|mul) double", text["llvm-ir"])


@pytest.mark.parametrize("stage", re.findall(r"`(\w+)`", PAGE.partition("runs the model at stages")[2].partition(";")[0]))
def test_the_interpreter_gives_the_same_bits(stage: str, names: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "model.mlir"
    path.write_text(str(names["model"].ir()))
    assert (cog_run.main([str(path), "--stage", stage, "--inputs", '{"stimulus": [[0.3], [0.5]]}', "--all"]) or 0) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [float(line.split()[-1]) for line in lines[-2:]] == names["native"].ravel().tolist()


def test_the_commands_of_the_page(names: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "model.mlir"
    path.write_text(str(names["model"].ir()))
    assert (cog_opt.main([str(path), "--emit=machine"]) or 0) == 0
    assert "func.func @trial" in capsys.readouterr().out
    assert cog_translate.main([str(path), "--emit=asm"]) == 0
    assert ".text" in capsys.readouterr().out
    np.testing.assert_array_equal(cogir.compile(path.read_text()).run({"stimulus": [[0.3], [0.5]]})["decision"], names["native"])
