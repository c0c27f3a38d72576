"""The stages, the passes between them, and what `lower_to` promises."""

from __future__ import annotations

import gc

import pytest

from cogir.errors import LoweringError
from cogir.frontend.text import parse
from cogir.lowering.pipeline import PASSES, STAGES, lower_to, passes_between, stage_names

TEXT = "func.func @f(%x: f64) -> f64 { %y = math.exp %x : f64 func.return %y : f64 }"


def test_every_pass_of_a_stage_is_known_by_its_name() -> None:
    unknown = [name for _, passes in STAGES for name in passes if name not in PASSES]
    assert not unknown, f"add the classes of these passes to PASSES in cogir/lowering/pipeline.py: {', '.join(unknown)}"
    assert all(pass_type.name == name for name, pass_type in PASSES.items())


def test_the_stages_in_order() -> None:
    assert stage_names() == ("cog", "scheduled", "machine", "loops", "cf", "llvm")


def test_the_road_is_the_same_in_one_go_and_in_parts() -> None:
    parts = (*passes_between("cog", "machine"), *passes_between("machine", "loops"), *passes_between("loops", "llvm"))
    assert parts == passes_between("cog", "llvm")
    assert passes_between("loops", "loops") == ()


@pytest.mark.parametrize(
    ("since", "stage", "message"),
    [
        ("cog", "asm", "there is no stage 'asm'; the stages are cog, scheduled, machine, loops, cf, llvm"),
        ("llvm", "loops", "stage 'loops' comes before 'llvm'; lowering goes from earlier stages to later ones"),
    ],
)
def test_impossible_roads(since: str, stage: str, message: str) -> None:
    with pytest.raises(LoweringError, match=message):
        passes_between(since, stage)


def test_seconds_and_options() -> None:
    module, seconds = parse(TEXT), dict[str, float]()
    lower_to(module, "loops", since="machine", options={"expand-math": {"math": "libm"}}, verify=True, seconds=seconds)
    assert list(seconds) == list(passes_between("machine", "loops"))
    assert "call @exp(" in str(module)


def test_garbage_is_collected_again_afterwards() -> None:
    assert gc.isenabled()
    with pytest.raises(LoweringError):
        lower_to(parse("func.func private @g(tensor<2xf64>) -> f64"), "loops", since="machine")
    assert gc.isenabled()
