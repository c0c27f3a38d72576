"""Kernels on this processor in the place of a GPU: the bits of the CPU, for any numbers of blocks and threads."""

import sys
from collections.abc import Sequence
from functools import partial
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from support.golden import CASES, flat_inputs, reference
from support.kernels import SHAPES, TARGET, Shape, bits, emulating, same_bits, searching, sweeping, without_numpy
from support.random.lanes import random_lanes
from support.random.models import random_model, wide_model

import cogir
from cogir import library
from cogir.backend.emulated import emulated
from cogir.backend.kernels import DeviceCode, DeviceOptions, Kernel
from cogir.errors import BackendError, CogirError, ExecutionError
from cogir.frontend.compile import source_of
from cogir.library import State, Step, Value
from cogir.lowering.buffers import emission
from cogir.lowering.gpu import use_workspace
from cogir.runtime.build import build_kernels
from cogir.runtime.options import Options

sys.path.insert(0, str(Path(__file__).parents[3] / "examples"))
from catalogue import EXAMPLES

pytestmark = pytest.mark.sampled(3)

SEARCHES = ("predator_prey_s", "evc_ddm")
LARGE_SEARCHES = ("predator_prey_m", "predator_prey_l")


def drift_diffusion(**options: Any) -> cogir.Model:
    """A decision that takes another number of steps in each trial."""
    model = cogir.Model("decide")
    settings: dict[str, Any] = {"noise": 1.0, "threshold": 0.5, "time_step_size": 0.01, "max_executions_before_finished": 10**6, **options}
    node = model.node("DDM", library.drift_diffusion_integrator, input=1, execute_until_finished=True, **settings)
    model.schedule.reset(node, cogir.AtTrialStart())
    return model


def noisy(**options: Any) -> cogir.Model:
    """A model whose trials have no loop."""
    model = cogir.Model("noisy")
    first = model.node("first", library.psyneulink.gaussian_distort, input=2, **options)
    second = model.node("second", library.logistic, input=2)
    model.project(first, second)
    return model


def leaks(value: Value, *, rate: float = 0.3, level: State = 0.0) -> Step:
    """A level that approaches its input."""
    following = level + rate * (value - level)
    return Step(outputs=(following,), states=(following,))


def single() -> cogir.Model:
    """A model of float32 with a sum of products, an elementary function, and a state."""
    model = cogir.Model("single", dtype="float32")
    first, second = model.node("first", library.linear, input=3, slope=0.7), model.node("second", library.logistic, input=2)
    kept = model.node("kept", leaks, input=2)
    model.project(first, second, matrix=[[0.1, -0.2], [0.3, 0.4], [-0.5, 0.6]])
    model.project(second, kept)
    return model


def grows(value: Value, *, slope: float = 1.0, total: State = 0.0) -> Step:
    """A sum that is over when it is above 10."""
    following = total + slope * value
    return Step(outputs=(following,), states=(following,), finished=following[0] >= 10.0)


def lookup(value: Value, *, x: float = 0.0, y: float = 0.0) -> Value:
    """Values with ties, infinities, and NaN where both arguments are 3."""
    valley = np.abs(x - 2.0) * np.abs(y - 1.0) * value[0]
    return np.array([valley / (np.abs(x - 3.0) + np.abs(y - 3.0)) * (np.abs(x - 3.0) + np.abs(y - 3.0))])


def grid(x: list[float], y: list[float], direction: str = "minimize") -> cogir.Model:
    """A search over the arguments of `lookup`."""
    model = cogir.Model("grid")
    node = model.node("node", lookup, input=1)
    signals = [cogir.Signal(node.param(name), levels=levels) for name, levels in (("x", x), ("y", y))]
    model.control("search", objective=node, signals=signals, direction=direction)
    return model


# Replicates and sweeps


def compare_replicates(model: Any, inputs: Any, shapes: Sequence[Shape], **options: Any) -> None:
    """Replicates on the CPU and by an emulated kernel."""
    expected = model.compile(cache=False).replicates(inputs, **options)
    compiled, engine = emulating(model, shapes[0])
    for engine.shape in shapes:
        found = compiled.replicates(inputs, **options)
        assert same_bits(expected, found)
        assert np.array_equal(expected.lengths, found.lengths)
        assert not engine.statuses.any()


def test_replicates_of_a_loop_with_a_random_end() -> None:
    compare_replicates(drift_diffusion(), {"DDM": [[0.3], [-0.2]]}, SHAPES, count=150, num_trials=3, seed=5)


def test_replicates_without_a_loop() -> None:
    compare_replicates(noisy(), {"first": [[0.1, 0.2]]}, SHAPES, count=60, num_trials=2, seed=1)


def test_replicates_in_single_precision() -> None:
    inputs = {"first": [[0.1, 0.2, 0.3], [-1.5, 0.7, 2.0]]}
    compare_replicates(single(), inputs, SHAPES, count=40, num_trials=4, seed=1)
    assert single().compile(cache=False).replicates(inputs, count=2, seed=1)["kept"].dtype == np.float32


@pytest.mark.parametrize("common", [False, True])
def test_a_sweep(common: bool) -> None:
    model = drift_diffusion()
    points = {"DDM/param:rate": [0.5, 1.0, 2.0], "DDM/param:threshold": [0.3, 0.6]}
    varying = tuple(sorted(points))
    given = {"num_trials": 2, "replicates": 7, "seed": 3, "common_random_numbers": common}
    expected = model.compile(cache=False).sweep(points, {"DDM": [[0.4]]}, **given)
    compiled, engine = sweeping(model, (2, 32), varying, common)
    found = compiled.sweep(points, {"DDM": [[0.4]]}, **given)
    assert not engine.statuses.any()
    for name in expected.outputs:
        assert np.array_equal(bits(expected[name]), bits(found[name]))


def test_a_replicate_that_reaches_its_limit_does_not_stop_others() -> None:
    model = cogir.Model("decide")
    node = model.node("DDM", library.drift_diffusion_integrator, input=1, noise=1.0, threshold=1.0, time_step_size=0.05)
    model.schedule.reset(node, cogir.AtTrialStart())
    model.schedule.trial_ends(cogir.WhenFinished(node))
    compiled, engine = emulating(model, (3, 32))
    cpu = model.compile(cache=False)
    compiled.params["limit:passes"] = cpu.params["limit:passes"] = 30
    found = compiled.replicates({"DDM": [[0.1]]}, count=40, seed=2)
    failed = np.flatnonzero(engine.statuses)
    assert 0 < len(failed) < 40
    assert engine.control[2] == engine.statuses.max() > 0
    assert (found.lengths == (engine.statuses == 0)).all()
    before = cpu.replicates({"DDM": [[0.1]]}, count=int(failed[0]), seed=2)
    assert np.array_equal(before["DDM"], found["DDM"][: failed[0]])
    with pytest.raises(ExecutionError, match="reached its step limit"):
        cpu.replicates({"DDM": [[0.1]]}, count=int(failed[0]) + 1, seed=2)


def test_large_buffers_are_in_a_workspace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(use_workspace, "LARGEST_LOCAL", 32)
    monkeypatch.setattr(emission, "LARGEST_ON_STACK", 16)
    model, inputs = noisy(), {"first": [[0.1, 0.2]]}
    compiled, engine = emulating(model, (3, 32))
    assert engine.kernel.workspace > 0
    assert engine.kernel.parameters[-1].name == "workspace"
    expected = model.compile(cache=False).replicates(inputs, count=60, num_trials=2, seed=1)
    assert same_bits(expected, compiled.replicates(inputs, count=60, num_trials=2, seed=1))


def test_the_stop_flag_leaves_statuses_as_they_are() -> None:
    compiled, engine = emulating(drift_diffusion(), (3, 32))
    engine.control[0] = 1
    compiled.replicates({"DDM": [[0.1]]}, count=200, seed=2)
    assert (engine.statuses == -1).all()


# Searches


@pytest.mark.parametrize("name", SEARCHES)
def test_searches_of_examples(name: str) -> None:
    compare_search(EXAMPLES[name].build(), EXAMPLES[name].inputs, EXAMPLES[name].trials, SHAPES)


@pytest.mark.full
@pytest.mark.parametrize("name", LARGE_SEARCHES)
def test_large_searches_of_examples(name: str) -> None:
    compare_search(EXAMPLES[name].build(), EXAMPLES[name].inputs, EXAMPLES[name].trials, SHAPES)


LEVELS: dict[str, list[float]] = {
    "ties": [0.0, 2.0, 1.0, 2.0],
    "NaN at the first point": [3.0, 1.0, 2.0],
    "NaN elsewhere": [1.0, 2.0, 3.0, 0.0],
    "infinities": [float("inf"), float("inf")],
    "zeros of both signs": [-0.0, 0.0, 2.0],
}


@pytest.mark.parametrize("case", LEVELS)
def test_the_optimum_is_that_of_the_sequential_search(case: str) -> None:
    for direction in ("minimize", "maximize"):
        model = grid(LEVELS[case], LEVELS[case], direction)
        compare_search(model, {"node": [[1.0], [-1.0]]}, 2, ((1, 1), (2, 32), (5, 3)))


def compare_search(model: cogir.Model, inputs: Any, trials: int, shapes: Any) -> None:
    """Runs a model on the CPU and by emulated searches in several launches."""
    cpu = model.compile(cache=False)
    expected = cpu.run(inputs, num_trials=trials)
    make = searching(model)
    for shape in shapes:
        compiled, engine = make(shape)
        found = compiled.run(inputs, num_trials=trials)
        assert same_bits(expected, found), shape
        assert engine.count


# Refusals


def test_numpy_normals_are_refused_with_a_remedy() -> None:
    with pytest.raises(BackendError, match=r"NumPy's generators need functions of the C library to the bit.*use xoshiro256"):
        emulating(drift_diffusion(prng="mt19937"), (1, 1))


def test_launches_that_a_gpu_would_refuse() -> None:
    code, _ = build_kernels(source_of(noisy()), Options(TARGET, entry="replicates"), "emulated")
    launch = emulated(code, "replicates")
    with pytest.raises(BackendError, match=r"give 1 to .* blocks of 1 to 256"):
        launch(1, 257, [0] * 14)
    with pytest.raises(BackendError, match="takes 14 arguments, not 3"):
        launch(1, 1, [0] * 3)
    with pytest.raises(BackendError, match="257 threads per block"):
        build_kernels(source_of(noisy()), Options(TARGET, entry="replicates"), DeviceOptions("sm_90", block=257))
    with pytest.raises(BackendError, match="compile it for the architecture emulated"):
        emulated(DeviceCode("sm_90", b"", ()), "replicates")


def test_a_kernel_as_json() -> None:
    code, _ = build_kernels(source_of(noisy()), Options(TARGET, entry="replicates"), "emulated")
    assert [Kernel.from_json(kernel.to_json()) for kernel in code.kernels] == list(code.kernels)


def test_no_sum_and_product_is_contracted() -> None:
    """Only the library's own fused operations are in the PTX of a strict kernel."""
    example = EXAMPLES["predator_prey_l"].build()
    strict, _ = build_kernels(source_of(example), Options(TARGET), "sm_90")
    assert b"fma" not in strict.image
    assert b".visible .entry search_0(" in strict.image
    assert b".maxntid 256" in strict.image
    contracted, _ = build_kernels(source_of(example), Options(TARGET), DeviceOptions("sm_90", contract=True))
    assert b"fma" in contracted.image


# All that there is


@pytest.mark.full
@pytest.mark.parametrize("case", [case for case in CASES if case.controller], ids=lambda case: case.file)
def test_golden_searches(case: Any) -> None:
    for call in reference(case.file)["calls"]:
        compare_search(case.build(), flat_inputs(call["inputs"]), call["num_trials"], SHAPES)


@pytest.mark.full
@pytest.mark.parametrize("name", EXAMPLES)
def test_replicates_of_examples(name: str) -> None:
    example = EXAMPLES[name]
    model = without_numpy(example.build())
    count = 5 if name == "predator_prey_xl" else 20
    compare_replicates(model, example.inputs, SHAPES, count=count, num_trials=example.trials, seed=3)


DRAWN = {"lanes": random_lanes, "models": random_model, "wide models": wide_model}


@pytest.mark.full
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("kind", "seed"), list(product(DRAWN, range(70))))
def test_random_models(kind: str, seed: int) -> None:
    compare_drawn(DRAWN[kind](Random(seed)))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", range(3))
def test_a_sample_of_random_models(seed: int) -> None:
    compare_drawn(random_model(Random(seed)))


def compare_drawn(drawn: Any) -> None:
    """Replicates of a random model, and runs if it searches."""
    model = without_numpy(drawn.model)
    ways = [("replicates", {"count": 12, "seed": 3})]
    if model.compile(cache=False, mode="run").plan.controllers:
        ways.append(("run", {}))
    for way, options in ways:
        expected = outcome(lambda: getattr(model.compile(cache=False, mode="run"), way)(drawn.inputs, num_trials=drawn.trials, **options))
        make = partial(emulating, model) if way == "replicates" else searching(model)
        for shape in SHAPES[:2]:
            compiled, engine = make(shape)
            found = outcome(lambda: getattr(compiled, way)(drawn.inputs, num_trials=drawn.trials, **options))
            if isinstance(expected, str):
                assert engine.statuses.any() if way == "replicates" else found == expected
            else:
                assert same_bits(expected, found)


def outcome(run: Any) -> Any:
    """The result of a run, or the text of its error."""
    try:
        return run()
    except CogirError as error:
        return str(error)
