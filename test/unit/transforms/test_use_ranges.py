"""The pass `use-ranges`: results keep all bits, in clips and in the examples; clips get their flags."""

import runpy
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from support.long import long_but
from xdsl.dialects import arith

import cogir
from cogir.frontend.compilable import Compilable
from cogir.library.signature import Value
from cogir.lowering.pipeline import lower_to
from cogir.runtime.context import NativeContext

pytestmark = pytest.mark.sampled(3)

ROOT = Path(__file__).parents[3]
sys.path.insert(0, str(ROOT / "examples"))

from catalogue import EXAMPLES  # noqa: E402

SLOW = ("extended_stroop_b", "multitasking", "predator_prey_m", "predator_prey_l", "predator_prey_xl")
"""The examples that take seconds to compile or to run."""
SCRIPTS = sorted(path for path in (ROOT / "examples" / "models").glob("*.py") if path.stem != "figures")


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


def by_both_codes(model: Compilable, inputs: Any, trials: int, values: tuple[Any, Any] | None = None) -> list[str]:
    """The results of specialised code with the pass and without it; `values`: those of the parameters, if they are not the model's."""
    found: list[str] = []
    for without in ((), ("use-ranges",)):
        compiled = model.compile(mode="run", without=without, unfinished="ignore", out_of_range="ignore")
        context = cast(NativeContext, compiled.context())
        if values is not None:
            context.pf[:], context.pi[:] = values
        compiled.specialise()
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


@pytest.mark.parametrize("name", long_but(EXAMPLES, set(EXAMPLES) - set(SLOW)))
def test_examples_keep_their_bits(name: str) -> None:
    first, second = by_both_codes(EXAMPLES[name].build(), EXAMPLES[name].inputs, 4)
    assert first == second


@pytest.mark.full
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_models_of_scripts_keep_their_bits(script: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each run of a script in `examples/models`, with the parameters that it has there; of replicates 200 trials, of runs at most 2,000."""
    made: dict[int, tuple[Compilable, cogir.Compiled]] = {}
    compared: list[str] = []
    compiling = Compilable.compile

    def compiled(model: Compilable, *given: Any, **options: Any) -> cogir.Compiled:
        result = compiling(model, *given, **options)
        made[id(result)] = model, result
        return result

    def watched(before: Callable[..., Any], trials: int) -> Callable[..., Any]:
        def run(self: cogir.Compiled, inputs: Any = None, *given: Any, **options: Any) -> Any:
            if id(self) in made:  # not one of those that are compared here
                context = cast(NativeContext, self.context())
                values = context.pf.copy(), context.pi.copy()
                with monkeypatch.context() as patch:
                    patch.setattr(Compilable, "compile", compiling)
                    first, second = by_both_codes(made[id(self)][0], inputs, min(options.get("num_trials") or trials, trials), values)
                assert first == second
                compared.append(first)
            return before(self, inputs, *given, **options)

        return run

    monkeypatch.setattr(Compilable, "compile", compiled)
    monkeypatch.setattr(cogir.Compiled, "run", watched(cogir.Compiled.run, 2000))
    monkeypatch.setattr(cogir.Compiled, "replicates", watched(cogir.Compiled.replicates, 200))
    monkeypatch.setattr(sys, "argv", [script.name, *(["--trials", "20"] if "chosen.trials" in script.read_text() else [])])
    monkeypatch.syspath_prepend(str(script.parent))
    runpy.run_path(str(script), run_name="__main__")
    assert compared
