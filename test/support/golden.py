"""The reference results in `test/golden`, and the examples that reproduce them."""

import importlib
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import cogir

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "examples"))


def example(module: str, *arguments: str) -> Callable[[], cogir.Model]:
    """What builds the model of an example."""
    return lambda: importlib.import_module(module).build(*arguments)


@dataclass(frozen=True)
class Golden:
    """A reference file and the example that reproduces it; `counts` are the columns of a trial's results that must be equal."""

    file: str
    build: Callable[[], cogir.Model]
    controller: str | None = None
    counts: tuple[int, ...] = ()
    differences: dict[str, float] = field(default_factory=dict)
    """Ports that are differences of nearly equal values, and how large these are: their roundings are those of the values."""


CASES = (
    Golden("ddm_integrator", example("ddm_integrator"), counts=(1,)),
    Golden("ddm_analytical", example("ddm_analytical")),
    Golden("lca", example("lca")),
    Golden("chain", example("chain")),
    Golden("chain_conditions", example("chain_conditions")),
    Golden("botvinick_1", example("botvinick_stroop")),
    Golden("ext_stroop_A", example("extended_stroop", "A"), differences={"EVID_COLOR": 0.5, "EVID_POINT": 0.5}),
    Golden("ext_stroop_B", example("extended_stroop", "B")),
    Golden("necker_S", example("necker_cube", "s")),
    Golden("necker_vec", example("necker_cube", "vectorised")),
    Golden("multitasking", example("multitasking"), counts=(1,)),
    Golden("evc_ddm", example("evc_ddm"), controller="CONTROL", counts=(0,)),
    Golden("predator_prey_S", example("predator_prey", "s"), controller="CONTROL"),
    Golden("predator_prey_M", example("predator_prey", "m"), controller="CONTROL"),
    Golden("predator_prey_S_philox", example("predator_prey", "s", "philox4x64"), controller="CONTROL"),
    Golden("predator_prey_M_philox", example("predator_prey", "m", "philox4x64"), controller="CONTROL"),
)


def reference(file: str) -> dict[str, Any]:
    """The contents of a reference file."""
    return json.loads((ROOT / "test" / "golden" / f"{file}.json").read_text())


def structure(file: str) -> dict[str, Any]:
    """How PsyNeuLink had built the model of a reference file."""
    return json.loads((ROOT / "test" / "golden" / "structure" / f"{file}.json").read_text())


def flat_inputs(inputs: dict[str, Any]) -> dict[str, Any]:
    """Inputs of nested models by path."""
    flat: dict[str, Any] = {}
    for name, value in inputs.items():
        if isinstance(value, dict):
            flat |= {f"{name}/{inner}": rows for inner, rows in value.items()}
        else:
            flat[name] = value
    return flat


def close(found: np.ndarray, expected: np.ndarray, magnitude: float = 0.0) -> None:
    """`abs(a - b) <= 1e-12 * max(abs(b), largest magnitude of the port)`."""
    scale = np.maximum(np.abs(expected), np.abs(expected).max(initial=magnitude))
    worst = np.max(np.abs(found - expected) / np.where(scale == 0.0, 1.0, scale), initial=0.0)
    assert worst <= 1e-12, f"off by {worst:.3e} of the port's magnitude"
