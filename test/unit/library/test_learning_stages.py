"""The functions of learning, choice, attractors, rate models and integrators give the same bits at every stage, over several trials."""

# pyright: basic
from __future__ import annotations

import re
import runpy
from typing import Any

import numpy as np
import pytest
from support.long import long

import cogir
from cogir import library
from cogir.frontend.compile import source_of
from cogir.library import Random, State, Step, solvers
from cogir.runtime.compiled import Compiled
from cogir.runtime.staged import StagedEngine

TRANSITION = {"state": 3, "action": 2, "reward": 1, "next_state": 3, "terminal": 1}
INPUTS: dict[str, Any] = {
    "rescorla_wagner": {"stimuli": 3, "outcome": 1},
    "pearce_hall": {"stimuli": 3, "outcome": 1},
    "hybrid_pearce_hall": {"stimuli": 3, "outcome": 1},
    "q_learning": TRANSITION,
    "sarsa": TRANSITION | {"next_action": 2},
    "td_lambda": {name: size for name, size in TRANSITION.items() if name != "action"},
    "actor_critic": TRANSITION,
    "softmax_choice": {"variable": 4},
    "epsilon_greedy_choice": {"variable": 4},
    "hopfield_storage": {"patterns": (2, 4)},
    "hopfield_synchronous": {"variable": 4, "weights": (4, 4)},
    "hopfield_asynchronous": {"variable": 4, "weights": (4, 4)},
    "ring_attractor": {"variable": 5},
    "noisy_ring_attractor": {"variable": 5},
    "wilson_cowan": {"variable": 2, "inhibitory_input": 2},
    "jansen_rit": {"variable": 2},
    "fitz_hugh_nagumo": {"variable": 2},
}


def relaxing(t, y, x, rate):
    return (x - y * y * y) * rate + 0.1 * t


def integrated(variable, *, rate=0.5, time_step_size: library.Positive = 0.25, y: State = 0.0, time: State = 0.0, random: Random):
    """A step of each integrator."""
    dt, args = time_step_size, (variable, rate)
    y = y + np.zeros(variable.shape)
    y = library.euler_maruyama(relaxing, lambda t, y, x, rate: 0.3 * y, time, y, dt, args, random=random)
    y = library.milstein(relaxing, lambda t, y, x, rate: 0.3 * y, lambda t, y, x, rate: 0.3, time, y, dt, args, random=random)
    y = library.rk4(relaxing, time, library.heun(relaxing, time, y, dt, args), dt, args)
    y = library.euler(lambda t, z: relaxing(t, z, variable, rate), time, y, dt)
    return Step(outputs=(y,), states=(y, time + dt))


def model(name: str) -> cogir.Model:
    m = cogir.Model("m", seed=5)
    function = integrated if name == "integrated" else getattr(library, name)
    node = m.node("n", function, input=INPUTS.get(name, {"variable": 3}))
    for port in node.record.outputs:
        m.output(node[port])
    return m


def at_stage(m: cogir.Model, stage: str) -> Compiled:
    if stage in ("run", "python"):
        return m.compile(mode=stage, cache=False)
    return Compiled(StagedEngine(source_of(m), stage), stage, m.name)


def bits(compiled: Compiled, name: str) -> list[bytes]:
    rng = np.random.default_rng(6)
    trials = [{port: rng.normal(size=size) for port, size in INPUTS.get(name, {"variable": 3}).items()} for _ in range(4)]
    inputs = {port: [trial[port] for trial in trials] for port in trials[0]}
    result = compiled.run({"n": inputs}, num_trials=4)
    return [np.asarray(value).tobytes() for trial in result.results for value in trial]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", [*INPUTS, *long("integrated")])
def test_every_stage_gives_the_same_bits(name: str) -> None:
    wanted = bits(at_stage(model(name), "python"), name)
    assert len(set(wanted)) > 1
    for stage in ("machine", "loops", "cf", "run"):
        assert bits(at_stage(model(name), stage), name) == wanted, stage


def test_no_function_is_missing() -> None:
    modules = {"attractors", "choice", "rate_models", "value_learning"}
    public = {name for name in library.__all__ if callable(getattr(library, name))}
    found = set()
    for name in public:
        function = getattr(library, name)
        function = getattr(function, "__wrapped__", function)
        if getattr(function, "__module__", "").removeprefix("cogir.library.") in modules:
            found.add(name)
    assert found == set(INPUTS)


def test_the_example_of_the_module_runs(tmp_path) -> None:
    """From a file, as functions are compiled from their source."""
    example = re.findall(r"```python\n(.*?)```", solvers.__doc__ or "", re.DOTALL)[0]
    script = tmp_path / "example.py"
    script.write_text("import cogir\nfrom cogir import library\nfrom cogir.library import Positive, State, Step\n" + example)
    leaky = runpy.run_path(str(script))["leaky"]
    m = cogir.Model("m")
    m.output(m.node("leaky", leaky, input=2))
    result = m.compile(mode="run").run({"leaky": [[1.0, 2.0]]}, num_trials=200)
    np.testing.assert_allclose(result.results[-1][0], [10.0, 20.0], rtol=1e-8)  # exp(-20) of the start is left
