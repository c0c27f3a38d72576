"""The examples reproduce PsyNeuLink's results: draws and counts to the bit, values to 1e-12 of the largest magnitude of their port."""

import importlib
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

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
    names: dict[str, str] = field(default_factory=dict)


CASES = (
    Golden("ddm_integrator", example("ddm_integrator"), counts=(1,)),
    Golden("ddm_analytical", example("ddm_analytical")),
    Golden("lca", example("lca")),
    Golden("chain", example("chain")),
    Golden("chain_conditions", example("chain_conditions")),
    Golden("botvinick_1", example("botvinick_stroop")),
    Golden("ext_stroop_A", example("extended_stroop", "A")),
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


def test_every_reference_file_has_an_example() -> None:
    files = {path.stem for path in (ROOT / "test" / "golden").glob("*.json")}
    assert files == {case.file for case in CASES}


def flat_inputs(inputs: dict[str, Any]) -> dict[str, Any]:
    """Inputs of nested models by path."""
    flat: dict[str, Any] = {}
    for name, value in inputs.items():
        if isinstance(value, dict):
            flat |= {f"{name}/{inner}": rows for inner, rows in value.items()}
        else:
            flat[name] = value
    return flat


def close(found: np.ndarray, expected: np.ndarray) -> None:
    """`abs(a - b) <= 1e-12 * max(abs(b), largest magnitude of the port)`."""
    scale = np.maximum(np.abs(expected), np.abs(expected).max(initial=0.0))
    worst = np.max(np.abs(found - expected) / np.where(scale == 0.0, 1.0, scale), initial=0.0)
    assert worst <= 1e-12, f"off by {worst:.3e} of the port's magnitude"


@pytest.mark.parametrize("mode", ["run", "exec", "per_node", "python"])
@pytest.mark.parametrize("case", CASES, ids=[case.file for case in CASES])
def test_golden(case: Golden, mode: str) -> None:
    golden = reference(case.file)
    compiled = case.build().compile(mode=mode)
    started: set[str | None] = set()
    for call, expected in zip(golden["calls"], golden["results"], strict=True):
        name = call.get("context")
        context = compiled.context(name)
        if name not in started:
            started.add(name)
            for node, state in golden["generators"].items():
                if not node.startswith(("$", "OptimizationControl")):  # The search's own generator; only random ties draw from it.
                    context.generators[node] = state
        result = compiled.run(flat_inputs(call["inputs"]), num_trials=call["num_trials"], context=context)
        assert len(result.results) == len(expected["trials"])
        for column in range(len(expected["trials"][0])):
            found = np.array([np.ravel(trial[column]) for trial in result.results])
            wanted = np.array([np.ravel(trial[column]) for trial in expected["trials"]])
            assert found.shape == wanted.shape
            if column in case.counts:
                np.testing.assert_array_equal(found, wanted)
            else:
                close(found, wanted)
        if case.controller:
            chosen = np.array([np.ravel(trial["$control_allocation"]) for trial in expected["nodes"]])
            np.testing.assert_array_equal(result.allocations[case.controller], chosen)
