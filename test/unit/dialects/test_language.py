"""`docs/language.md` tells the truth: its models are models, and its table holds every condition."""

import re
from pathlib import Path

import pytest

from cogir.dialects import cog
from cogir.dialects.text import parse_text
from cogir.model.graph import resolve
from cogir.tools.common import verify_module
from cogir.tools.diagnostics import ToolError

PAGE = (Path(__file__).parents[3] / "docs" / "language.md").read_text()
MODELS = re.findall(r"```mlir\n(.*?)```", PAGE, re.DOTALL)
CONDITIONS = re.findall(r"^\| `(cog\.[^`]*)` \|", PAGE, re.MULTILINE)
FRAME = """
cog.model @m {
  cog.node @a (%x: f64) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.node @b (%x: f64) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.node @s () states (%x: tensor<2x2xf64> = dense<0.0>) -> () {
    cog.yield states(%x)
  }
  cog.schedule {
    cog.when @b {
      %p = cog.always
      %q = cog.never
      %yes = arith.constant true
      %c = CONDITION
      cog.condition %c
    }
    cog.terminate trial {
      %d = cog.after_n_passes 1 in trial
      cog.condition %d
    }
  }
}
"""


@pytest.mark.parametrize("text", MODELS, ids=lambda text: text.split()[1])
def test_models_of_the_page_are_models(text: str) -> None:
    module = parse_text(text)
    verify_module(module)
    assert str(parse_text(str(module))) == str(module)
    for op in module.body.block.ops:
        if isinstance(op, cog.ModelOp):
            assert resolve(op).layers


@pytest.mark.parametrize("text", [text for text in CONDITIONS if not text.startswith(("cog.feature", "cog.estimates"))])
def test_conditions_of_the_table_are_conditions(text: str) -> None:
    module = parse_text(FRAME.replace("CONDITION", text))
    verify_module(module)
    assert f"%c = {text}" in str(module)


def test_the_table_holds_every_condition() -> None:
    refused = {"cog.time_interval", "cog.time_termination"}
    assert {text.split()[0] for text in CONDITIONS} - {"cog.feature", "cog.estimates"} == {each.name for each in cog.CONDITIONS} - refused


def test_the_wall_clock_is_refused_as_the_page_says() -> None:
    with pytest.raises(ToolError, match="speed of the machine"):
        verify_module(parse_text(FRAME.replace("CONDITION", 'cog.time_interval "repeat 10 ms"')))
