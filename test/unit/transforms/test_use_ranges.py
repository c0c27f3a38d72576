"""The pass `use-ranges`: results keep all bits, in clips and in the examples; clips get their flags."""

import sys
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from xdsl.dialects import arith

import cogir
from cogir.library.signature import Value
from cogir.lowering.pipeline import lower_to

sys.path.insert(0, str(Path(__file__).parents[3] / "examples"))
NAMES = (
    "ddm_integrator ddm_analytical lca chain chain_conditions botvinick_stroop extended_stroop_a necker_s evc_ddm predator_prey_s".split()
)


def clipped(variable: Value, *, gain: Value = 1.0) -> Value:
    value = np.clip(1.0 / (1.0 + np.exp(-gain * variable)), 0.0, 1.0)
    return np.maximum(0.75 - value, -1.0) + np.minimum(value, 0.5)


def clips() -> cogir.Model:
    model = cogir.Model("clips")
    model.node("unit", clipped, input=5)
    return model


def flags_of(options: dict[str, Any]) -> list[str]:
    """The fast-math flags of maxima and minima in the lowered model."""
    module = clips().ir()
    lower_to(module, "machine", specialise=True, options=options)
    extremes = [op for op in module.walk() if isinstance(op, arith.MaximumfOp | arith.MinimumfOp)]
    return sorted({str(flag) for op in extremes for flag in cast(Any, op.properties["fastmath"]).data})


def by_both_codes(model: cogir.Model, inputs: Any, trials: int) -> list[str]:
    """The results of specialised code with the pass and without it."""
    found: list[str] = []
    for without in ((), ("use-ranges",)):
        compiled = model.compile(mode="run", specialise=True, without=without, unfinished="ignore", out_of_range="ignore")
        result = compiled.run(inputs, num_trials=trials)
        assert sum(version.runs for version in compiled.versions) > 0
        found.append("\n".join(f"{path} {np.asarray(result[path]).tobytes().hex()}" for path in result))
    return found


def test_clips_keep_their_bits() -> None:
    """NaN, infinities and zeros of both signs among the inputs."""
    rows = [[0.0, -0.0, 1e308, -1e308, 5e-324], [np.inf, -np.inf, np.nan, 700.0, -745.0], [1.0, -1.0, 36.8, -36.8, 0.1]]
    first, second = by_both_codes(clips(), {"unit": rows}, 3)
    assert first == second


def test_clips_have_flags() -> None:
    assert flags_of({}) == ["nsz"]  # an input can be NaN
    assert flags_of({"replicate": {"enabled": True}}) == []


@pytest.mark.parametrize("name", NAMES)
def test_examples_keep_their_bits(name: str) -> None:
    import catalogue

    example = catalogue.EXAMPLES[name]
    first, second = by_both_codes(example.build(), example.inputs, 4)
    assert first == second
