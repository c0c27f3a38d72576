"""
The models behind the reference files as PsyNeuLink builds them from the scripts in `examples/psyneulink`.

`build_golden` gives a Composition that has the structure written in `test/golden/structure`, with its generators in the state in
which the reference run began; `run_golden` repeats that run.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from support.psyneulink.structure import nested, structure

import psyneulink as pnl
from psyneulink.core.globals.utilities import set_global_seed

ROOT = Path(__file__).parents[3]
SCRIPTS = ROOT / "examples" / "psyneulink"
REFERENCES = ROOT / "test" / "golden"

MODELS: dict[str, tuple[str, ...]] = {
    "botvinick_1": ("botvinick",),
    "chain": ("chain",),
    "chain_conditions": ("chain_conditions",),
    "ddm_analytical": ("ddm_analytical",),
    "ddm_integrator": ("ddm_integrator",),
    "evc_ddm": ("evc_ddm",),
    "ext_stroop_A": ("ext_stroop", "A"),
    "ext_stroop_B": ("ext_stroop", "B"),
    "lca": ("lca",),
    "multitasking": ("multitasking",),
    "necker_S": ("necker", "S"),
    "necker_vec": ("necker", "vectorised"),
    "predator_prey_M": ("predator_prey", "M"),
    "predator_prey_M_philox": ("predator_prey", "M", "Philox"),
    "predator_prey_S": ("predator_prey", "S"),
    "predator_prey_S_philox": ("predator_prey", "S", "Philox"),
}
"""The script of each reference file, and the arguments of its `build`."""


@dataclass(frozen=True)
class Golden:
    """A model as it stands before the first call of its reference run, and that run."""

    name: str
    composition: pnl.Composition
    generators: dict[str, Any]
    """The states of the generators by node, as the script left them when it had built the model."""

    reference: dict[str, Any]
    """The reference file: `calls`, `generators`, `results`."""

    @property
    def calls(self) -> list[dict[str, Any]]:
        """The calls of `run` in their order: `inputs`, `num_trials`, and `context` where it is not the default one."""
        return self.reference["calls"]


def script(name: str) -> ModuleType:
    """A script as a module of its own name space; like Python itself, it finds the scripts beside it."""
    spec = importlib.util.spec_from_file_location(f"psyneulink_script_{name}", SCRIPTS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(SCRIPTS))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(SCRIPTS))
    return module


def fresh() -> None:
    """PsyNeuLink as in a new process: names and seeds are given out from the beginning."""
    for registry in pnl.primary_registries:
        pnl.clear_registry(registry)
    np.random.seed(0)
    set_global_seed(0)


@contextlib.contextmanager
def refused_by_its_compiler(*errors: type[BaseException], match: str | None = None) -> Iterator[None]:
    """
    Expects that PsyNeuLink's own compiler raises one of the errors.

    What it has written until then stays among the functions that it compiles next, and LLVM cannot read half a function: so its
    compiler is made new.
    """
    try:
        with pytest.raises(errors, match=match):
            yield
    finally:
        pnl.core.llvm.cleanup()


def build_golden(name: str) -> Golden:
    """The model of a reference file; an AssertionError says where its structure is not that of the file."""
    fresh()
    script_name, *arguments = MODELS[name]
    composition = script(script_name).build(*arguments)
    expected = json.loads((REFERENCES / "structure" / f"{name}.json").read_text())
    wrong = list(differences(expected, json.loads(json.dumps(structure(composition)))))
    assert not wrong, "\n".join([f"{name} is not built as in its reference file:", *wrong[:20]])
    reference = json.loads((REFERENCES / f"{name}.json").read_text())
    generators = {}
    for node, state in reference["generators"].items():
        if node != "$controller":
            random = generator(composition, node)
            generators[node] = get_state(random)
            set_state(random, state)
    return Golden(name, composition, generators, reference)


def differences(expected: Any, found: Any, place: str = "") -> Iterator[str]:
    """Where two structures differ, a line for each place."""
    if isinstance(expected, dict) and isinstance(found, dict):
        for key in sorted(expected.keys() | found.keys()):
            if key in expected and key in found:
                yield from differences(expected[key], found[key], f"{place}/{key}")
            else:
                yield f"{place}/{key}: only in the {'file' if key in expected else 'model'}"
    elif isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        for index, (one, other) in enumerate(zip(expected, found, strict=True)):
            yield from differences(one, other, f"{place}/{one['name'] if isinstance(one, dict) and 'name' in one else index}")
    elif expected != found:
        yield f"{place}: {expected} in the file, {found} in the model"


def generator(composition: pnl.Composition, node_name: str) -> Any:
    """The generator that a node draws from: of its function, of the noise of its integrator, or its own."""
    controller = composition.controller
    node = controller if controller is not None and controller.name == node_name else composition.nodes[node_name]
    noise = getattr(node.parameters, "noise", None)
    owners = [node.function, noise.get(None) if noise is not None else None, node]
    owner = next(item for item in owners if hasattr(getattr(item, "parameters", None), "random_state"))
    return owner.parameters.random_state.get(None)


def get_state(random: Any) -> dict[str, Any]:
    """The complete state of a generator, as a reference file holds it."""
    state = random.get_state(legacy=False) if isinstance(random, np.random.RandomState) else random.bit_generator.state
    return json.loads(json.dumps(state, default=lambda value: value.tolist()))


def set_state(random: Any, state: dict[str, Any]) -> None:
    """Bring a generator into a state of a reference file."""
    if isinstance(random, np.random.RandomState):
        key = np.array(state["state"]["key"], dtype=np.uint32)
        random.set_state({**state, "state": {**state["state"], "key": key}})
    else:
        inner = {part: np.array(words, dtype=np.uint64) for part, words in state["state"].items()}
        random.bit_generator.state = {**state, "state": inner, "buffer": np.array(state["buffer"], dtype=np.uint64)}


def all_nodes(composition: pnl.Composition, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """All mechanisms of a Composition by name, those of nested ones by path."""
    for node in composition.nodes:
        if node in nested(composition):
            yield from all_nodes(node, f"{prefix}{node.name}/")
        else:
            yield f"{prefix}{node.name}", node
    if composition.controller is not None:
        yield composition.controller.name, composition.controller


def values_after_trial(composition: pnl.Composition, execution_id: str) -> dict[str, Any]:
    """The output values of all nodes, and what the controller chose from what, by the names in the reference files."""
    values = {name: [port.parameters.value.get(execution_id) for port in node.output_ports] for name, node in all_nodes(composition)}
    controller = composition.controller
    if controller is not None:
        values["$control_allocation"] = controller.parameters.control_allocation.get(execution_id)
        values["$saved_values"] = controller.function.parameters.saved_values.get(execution_id)
    return json.loads(json.dumps(values, default=lambda value: value.tolist()))


def run_golden(golden: Golden, **arguments: Any) -> list[dict[str, Any]]:
    """The calls of the reference run; for each the results of its trials and the values of all nodes after each of them."""
    results = []
    for call in golden.calls:
        execution_id = call.get("context") or golden.composition.default_execution_id
        values: list[dict[str, Any]] = []

        def after_trial(execution_id: str = execution_id, values: list[dict[str, Any]] = values) -> None:
            values.append(values_after_trial(golden.composition, execution_id))

        golden.composition.run(
            inputs=call["inputs"], num_trials=call["num_trials"], context=execution_id, call_after_trial=after_trial, **arguments
        )
        trials = golden.composition.parameters.results.get(execution_id)[-call["num_trials"] :]
        results.append({"trials": [[np.asarray(port).tolist() for port in trial] for trial in trials], "nodes": values})
    return results
