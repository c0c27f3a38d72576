"""Messages of xDSL in plain words, with the place where the types differ."""

from pathlib import Path

import pytest

from cogir.tools import cog_opt
from cogir.tools.plain_messages import plain


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("%z = arith.addf %x, %y : f64", "2:21: error: %y has type f32, but is used as f64"),
        (
            '%z = "arith.addf"(%x, %y) : (f64, f32) -> f64',
            "2:1: error: arith.addf: operand 'rhs' has type f32, but the operands and results before it require f64",
        ),
        (
            '%z = "arith.cmpf"(%x, %x) {predicate = 1 : i64} : (f64, f64) -> f64',
            "error: arith.cmpf: result 'result' has type f64, but i1 is required",
        ),
        ("%z = arith.addi %x, %x : f64", "2:1: error: arith.addi cannot have type f64"),
        ("%z = func.call @g(%x) : (f64) -> f64", "2:1: error: func.call: there is no @g in the module"),
    ],
)
def test_errors_of_types(line: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "input.mlir"
    path.write_text(f"func.func @f(%x: f64, %y: f32) -> f64 {{\n{line}\nfunc.return %x : f64\n}}\n")
    assert cog_opt.main([str(path)]) == 1
    err = capsys.readouterr().err.splitlines()
    assert err[0].endswith(message)
    assert err[1] == line
    assert "^" in err[2]


def test_other_messages_stay() -> None:
    assert plain("something else", "arith.addf") == "something else"
