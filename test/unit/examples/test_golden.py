"""The examples reproduce PsyNeuLink's results: draws and counts to the bit, values to 1e-12 of the largest magnitude of their port."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from support.golden import CASES, ROOT, Golden, close, flat_inputs, reference, structure

import cogir
from cogir.runtime.interpreted import InterpreterEngine

SLOW = [("ddm_integrator", "python"), ("lca", "python")]
"""Those that take a second or more."""


def test_every_reference_file_has_an_example() -> None:
    files = {path.stem for path in (ROOT / "test" / "golden").glob("*.json")}
    assert files == {case.file for case in CASES}


def start(case: Golden, golden: dict[str, Any], compiled: cogir.Compiled) -> Iterator[tuple[dict[str, Any], dict[str, Any], Any]]:
    """The calls, what they should give, and their contexts, whose generators begin as the file says."""
    started: set[str | None] = set()
    for call, expected in zip(golden["calls"], golden["results"], strict=True):
        name = call.get("context")
        context = compiled.context(name)
        if name not in started:
            started.add(name)
            for node, state in golden["generators"].items():
                if not node.startswith(("$", "OptimizationControl")):  # The search's own generator; only random ties draw from it.
                    context.generators[node] = state
        yield call, expected, context


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("case", "mode"),
    [
        pytest.param(case, mode, id=f"{case.file}-{mode}", marks=[pytest.mark.full] if (case.file, mode) in SLOW else [])
        for case in CASES
        for mode in ("run", "exec", "per_node", "python")
    ],
)
def test_golden(case: Golden, mode: str) -> None:
    golden = reference(case.file)
    compiled = case.build().compile(mode=mode)
    for call, expected, context in start(case, golden, compiled):
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


PORTS = {
    "DECISION_VARIABLE": ("decision", "value"),
    "RESPONSE_TIME": ("response_time", "time"),
    "PROBABILITY_UPPER_THRESHOLD": ("probability_upper",),
}
"""What library functions call PsyNeuLink's ports; others have the same name, or are the first port."""


def ports_of(case: Golden, state: Any) -> dict[str, list[str]]:
    """For each node of a reference file, where its outputs stand in the state of the example."""
    found: dict[str, list[str]] = {}
    nodes = [("", node) for node in structure(case.file)["nodes"]]
    while nodes:
        prefix, node = nodes.pop()
        path = prefix + ("OBJECTIVE" if node["name"].startswith("ObjectiveMechanism") else node["name"])
        if "composition" in node:
            nodes += [(f"{path}/", inner) for inner in node["composition"]["nodes"]]
            continue
        known = [name.removeprefix(f"{path}/port:") for name in state if name.startswith(f"{path}/port:")]
        names: list[str] = []
        for port in node["output_ports"]:
            wanted = PORTS.get(port["name"], (port["name"].lower(),))
            names.append(next((name for name in known if name in wanted), known[0] if known else ""))
        found[prefix + node["name"]] = [f"{path}/port:{name}" for name in names]
    found["OptimizationControlMechanism-0"] = [name for name in state if name.startswith(f"{case.controller}/signal:")]
    return found


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("case", "mode"),
    [*((case, "run") for case in CASES), *((case, "python") for case in CASES if case.controller)],
    ids=lambda value: value.file if isinstance(value, Golden) else value,
)
def test_every_node_after_every_trial_and_every_point_of_a_grid(case: Golden, mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    golden = reference(case.file)
    compiled = case.build().compile(mode=mode)
    searches: list[Any] = []
    found: dict[str, list[Any]] = {}
    wanted: dict[str, list[Any]] = {}
    if isinstance(compiled.engine, InterpreterEngine):
        interpreter = compiled.engine.model
        trial = interpreter.trial

        def watched_trial(*arguments: Any, **options: Any) -> Any:
            done = trial(*arguments, **options)
            searches.append(done.searches)
            return done

        monkeypatch.setattr(interpreter, "trial", watched_trial)
    for call, expected, context in start(case, golden, compiled):
        sizes = {
            slot.path.removeprefix("in:").rpartition("/")[0]: slot.size for slot in compiled.plan.slots.values() if slot.buffer == "in"
        }
        inputs = {name: np.reshape(rows, (-1, sizes[name])) for name, rows in flat_inputs(call["inputs"]).items()}
        ports = ports_of(case, context.state)
        for number, nodes in enumerate(expected["nodes"]):
            compiled.run({name: rows[[number % len(rows)]] for name, rows in inputs.items()}, num_trials=1, context=context)
            for name, values in nodes.items():
                if name == "$saved_values":
                    if mode == "python":
                        close(np.array(searches[-1][case.controller].values), np.ravel(values))
                elif not name.startswith("$"):
                    assert len(ports[name]) == len(values), name
                    for path, value in zip(ports[name], values, strict=True):
                        found.setdefault(path, []).append(np.ravel(context.state[path]))
                        wanted.setdefault(path, []).append(np.ravel(value))
    for path, values in wanted.items():
        close(np.array(found[path]), np.array(values), case.differences.get(path.partition("/")[0], 0.0))
