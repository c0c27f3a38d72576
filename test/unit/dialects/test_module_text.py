"""The text of lowered modules begins with the program, and is read as what was printed."""

import re

import pytest
from xdsl.dialects.builtin import ModuleOp, StringAttr

import cogir
from cogir import library
from cogir.dialects.module_text import LAYOUT, module_text
from cogir.dialects.text import parse_text
from cogir.lowering.pipeline import lower_to, stage_names


def model() -> ModuleOp:
    m = cogir.Model("m", seed=3)
    a = m.node("a", input=2)
    b = m.node("b", library.drift_diffusion_integrator, input=2, threshold=float("inf"))
    m.project(a, b)
    m.record(b["value"])
    return m.ir()


@pytest.mark.parametrize("stage", stage_names())
def test_every_stage_is_read_again(stage: str) -> None:
    module = model()
    lower_to(module, stage)
    text = module_text(module)
    assert text.splitlines()[0] in ("builtin.module {", '"builtin.module"() ({')
    again = parse_text(text)
    assert str(again) == str(module)
    assert module_text(again) == text


def test_the_layout_stands_at_the_end_over_several_lines() -> None:
    module = model()
    lower_to(module, "machine")
    lines = module_text(module).splitlines()
    assert "func.func" in lines[1]
    at = next(number for number, line in enumerate(lines) if LAYOUT in line)
    assert not any("func.func" in line for line in lines[at:])
    assert sum(bool(re.match(r'      "[^"]+" = \["', line)) for line in lines[at:]) == len(re.findall(r'" = \["', str(module)))
    assert lines[-1] == "} : () -> ()"


def test_names_that_need_quotes() -> None:
    module = ModuleOp(
        [], {LAYOUT: parse_text("module attributes {a = {b = 1 : i64}} {}").attributes["a"], "odd name": StringAttr("x" * 200)}
    )
    assert str(parse_text(module_text(module))) == str(module)
