"""Models whose kernels run on the CPU in the place of a GPU: the bits of ordinary native code, and what is said about it."""

import signal
import sys
import threading
import time
from typing import Any

import numpy as np
import pytest
from support.cuda.fake_gpu import FakeGpu
from support.cuda.fake_pycuda import fake_pycuda

import cogir
from cogir import library
from cogir.library import Random, State, Step, Value
from cogir.runtime.cuda import engine as engine_module
from cogir.runtime.cuda.choice import find_driver
from cogir.runtime.cuda.emulated import FACTS, EmulatedDriver
from cogir.runtime.cuda.gpu import Gpu

INPUTS = {"DDM": [[1.0], [0.5]]}
POINTS = {"DDM/rate": [0.5, 1.0, 2.0], "DDM/threshold": [0.5, 1.0]}


def decision(prng: str = "xoshiro256", **given: Any) -> cogir.Model:
    """One decision by drift and diffusion."""
    model = cogir.Model("decision")
    settings: dict[str, Any] = {"noise": 1.0, "threshold": 1.0, "time_step_size": 0.01, "max_executions_before_finished": 10_000, **given}
    node = library.drift_diffusion_integrator
    model.node("DDM", node, input=1, prng=prng, execute_until_finished=True, reset_each_trial=True, **settings)
    return model


def same(first: Any, second: Any) -> bool:
    """True if all outputs are the same bits."""
    return all(np.array_equal(first[name], second[name], equal_nan=True) for name in first)


def emulated(model: cogir.Model, **options: Any) -> cogir.Compiled:
    return model.compile(target="cuda-emulated", **options)


def test_replicates() -> None:
    model = decision()
    here, there = model.compile(), emulated(model)
    for trials in (1, 3):
        found = there.replicates(INPUTS, count=1500, num_trials=trials, seed=1)
        assert same(found, here.replicates(INPUTS, count=1500, num_trials=trials, seed=1))
        assert (found.lengths == trials).all()
    there.params["DDM/rate"] = here.params["DDM/rate"] = 2.0
    assert same(there.replicates(INPUTS, count=50), here.replicates(INPUTS, count=50))
    assert there.replicates(INPUTS, count=0).num_replicates == 0


def test_replicates_begin_where_the_context_stands() -> None:
    def drifting(value: Value, *, total: State = 0.0, random: Random) -> Step:
        total = total + value + random.normal()
        return Step(outputs=(total,), states=(total,))

    model = cogir.Model("drifting")
    model.node("walk", drifting, input=1, reset_each_trial=False)
    here, there = model.compile(), emulated(model)
    for compiled in (here, there):
        compiled.run({"walk": [[1.0]]}, num_trials=5)
    assert here.state["walk/total"] == there.state["walk/total"]
    assert same(there.replicates({"walk": [[1.0]]}, count=100), here.replicates({"walk": [[1.0]]}, count=100))


@pytest.mark.parametrize("common", [False, True])
def test_sweeps(common: bool) -> None:
    model = decision()
    here, there = model.compile(), emulated(model)
    given: dict[str, Any] = {"replicates": 150, "seed": 3, "common_random_numbers": common}
    assert same(there.sweep(POINTS, INPUTS, **given), here.sweep(POINTS, INPUTS, **given))
    means = there.sweep(POINTS, INPUTS, reduce="mean", **given)
    assert np.array_equal(means["DDM/time", "mean"], here.sweep(POINTS, INPUTS, reduce="mean", **given)["DDM/time", "mean"])


def test_sweeps_of_states_and_inputs() -> None:
    model = decision()
    here, there = model.compile(), emulated(model)
    points = {"DDM": np.array([[0.5], [1.5]]), "DDM/state:previous_value": np.array([[0.0], [0.2], [-0.2]])}
    assert same(there.sweep(points, replicates=20, seed=3), here.sweep(points, replicates=20, seed=3))


def test_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    facts = FACTS.__class__(**{**vars(FACTS), "memory": 40_000})
    monkeypatch.setattr(engine_module, "gpu_for", lambda target: Gpu(EmulatedDriver(facts)))
    model = decision()
    there = emulated(model)
    assert same(there.replicates(INPUTS, count=2000, seed=1), model.compile().replicates(INPUTS, count=2000, seed=1))
    (said,) = [text for text in there.explain()["target"] if "pieces" in text]
    assert said.startswith("replicates in pieces: at most ")
    with pytest.raises(cogir.DeviceMemoryError, match=r"one replicate takes .* free memory of the GPU, run fewer trials at a time"):
        there.replicates(INPUTS, count=1, num_trials=5000)


def test_a_step_limit() -> None:
    """The error is that of the replicate with the lowest number."""

    def failing(value: Value, *, limit: float = 2.0, total: State = 0.0, random: Random) -> Step:
        total = random.normal()
        return Step(outputs=(total,), states=(total,), finished=total < limit)

    model = cogir.Model("failing")
    walk = model.node("walk", failing, input=1, reset_each_trial=True)
    model.schedule.trial_ends(cogir.WhenFinished(walk))
    errors: list[str] = []
    for target in ("cpu", "cuda-emulated"):
        compiled = model.compile(target=target)
        compiled.params["limit:passes"] = 2
        with pytest.raises(cogir.ExecutionError) as caught:
            compiled.replicates({"walk": [[1.0]]}, count=50_000, seed=2)
        errors.append(str(caught.value))
    assert "step limit in replicate" in errors[1]
    numbers = [int(error.partition("in replicate ")[2].partition(" ")[0].strip(":;,")) for error in errors]
    assert numbers[1] <= numbers[0]


def test_flags_are_counted() -> None:
    model = decision(max_executions_before_finished=20)
    here, there = model.compile(unfinished="ignore"), emulated(model, unfinished="ignore")
    first, second = (compiled.replicates(INPUTS, count=200, seed=1) for compiled in (here, there))
    assert np.array_equal(first.unfinished["DDM"], second.unfinished["DDM"])
    assert first.unfinished["DDM"].any()


def test_ctrl_c_between_launches() -> None:
    """What was finished is kept, and right."""
    model = decision(threshold=3.0)
    there = emulated(model)
    there.replicates(INPUTS, count=10)
    timer = threading.Timer(0.4, lambda: signal.raise_signal(signal.SIGINT))
    begun = time.perf_counter()
    timer.start()
    with pytest.raises(cogir.ReplicatesInterrupted) as caught:
        there.replicates(INPUTS, count=3_000_000, seed=1)
    assert time.perf_counter() - begun < 5.0
    result = caught.value.result
    assert result.num_replicates > 0
    few = min(100, result.num_replicates)
    kept = model.compile().replicates(INPUTS, count=few, seed=1)
    assert np.array_equal(kept["DDM", "time"], result["DDM", "time"][:few])


def test_models_that_record_run_on_the_cpu() -> None:
    model = decision()
    model.record(model["DDM"]["time"])
    there = emulated(model)
    found, expected = (compiled.replicates(INPUTS, count=5) for compiled in (there, model.compile()))
    assert np.array_equal(found.traces["DDM/time"].values, expected.traces["DDM/time"].values)
    assert "replicates on the CPU: the model records values inside of trials" in there.explain()["target"]


def test_modes() -> None:
    with pytest.raises(cogir.ModelError, match=r'mode "python" calls functions in Python, which a GPU cannot; give mode="run"'):
        emulated(decision(), mode="python")
    assert emulated(decision(), mode="exec").mode == "exec"
    with pytest.raises(cogir.ModelError, match="target is 'gpu'; give one of cpu, cuda, cuda-emulated, auto"):
        decision().compile(target="gpu")


@pytest.fixture
def without_gpu(monkeypatch: pytest.MonkeyPatch) -> Any:
    for name in ("pycuda", "pycuda.driver", "cuda", "cuda.bindings", "cuda.bindings.driver"):
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setattr("cogir.runtime.cuda.choice.has_driver_library", lambda: False)
    monkeypatch.setattr(engine_module, "_shared", [])
    find_driver.cache_clear()
    yield monkeypatch
    find_driver.cache_clear()


def test_no_gpu(without_gpu: pytest.MonkeyPatch) -> None:
    """Target "cuda" says what is missing and what to do; "auto" stays on the CPU and says why."""
    with pytest.raises(cogir.DeviceError, match=r'this machine has no NVIDIA driver: .*; or use target="cpu"'):
        decision().compile(target="cuda")
    compiled = decision().compile(target="auto")
    assert compiled.explain()["target"] == ["the CPU: this machine has no NVIDIA driver: the library libcuda.so.1 was not found"]
    assert same(compiled.replicates(INPUTS, count=20), decision().compile().replicates(INPUTS, count=20))


def test_auto_takes_the_gpu_for_what_pays(without_gpu: pytest.MonkeyPatch) -> None:
    gpu = Gpu(EmulatedDriver())
    without_gpu.setattr(engine_module, "gpu_for", lambda target: gpu)
    without_gpu.setattr(engine_module, "PAYS_SECONDS", 20.0)
    model = decision()
    here, there = model.compile(), model.compile(target="auto")
    assert same(there.replicates(INPUTS, count=300), here.replicates(INPUTS, count=300))
    assert any(text.startswith("replicates on the CPU: the last call took the CPU about") for text in there.explain()["target"])
    assert not gpu.buffers.size
    without_gpu.setattr(engine_module, "PAYS_SECONDS", 0.0)
    assert same(there.replicates(INPUTS, count=300), here.replicates(INPUTS, count=300))
    assert gpu.buffers.size
    assert same(there.sweep(POINTS, INPUTS, replicates=20), here.sweep(POINTS, INPUTS, replicates=20))


def test_auto_stays_on_the_cpu_if_the_gpu_has_too_little_memory(without_gpu: pytest.MonkeyPatch) -> None:
    facts = FACTS.__class__(**{**vars(FACTS), "memory": 10_000})
    without_gpu.setattr(engine_module, "gpu_for", lambda target: Gpu(EmulatedDriver(facts)))
    without_gpu.setattr(engine_module, "PAYS_SECONDS", 0.0)
    model = decision()
    here, there = model.compile(), model.compile(target="auto")
    given: dict[str, Any] = {"num_trials": 2000, "seed": 1}
    assert same(there.replicates(INPUTS, count=3, **given), here.replicates(INPUTS, count=3, **given))
    assert same(there.sweep(POINTS, INPUTS, replicates=3, **given), here.sweep(POINTS, INPUTS, replicates=3, **given))
    said = there.explain()["target"]
    assert all(any(text.startswith(f"{what} on the CPU: GPU: ") for text in said) for what in ("replicates", "sweeps"))


def test_a_gpu_that_is_too_old(without_gpu: pytest.MonkeyPatch) -> None:
    for name, module in fake_pycuda(FakeGpu(capability=(6, 1))).items():
        without_gpu.setitem(sys.modules, name, module)
    with pytest.raises(cogir.DeviceError, match=r"the GPU is Fake GPU \(sm_61, .*\(sm_70\) or newer is required"):
        decision().compile(target="cuda")


def test_ptx_is_loaded_for_the_device(without_gpu: pytest.MonkeyPatch) -> None:
    """The whole road up to the launch: PTX for the architecture of the GPU, with the entry and as many arguments as it has parameters."""
    launched: list[int] = []
    fake = FakeGpu(kernels={"replicates": lambda gpu, grid, block, arguments: launched.append(len(arguments))})
    for name, module in fake_pycuda(fake).items():
        without_gpu.setitem(sys.modules, name, module)
    compiled = decision().compile(target="cuda")
    compiled.replicates(INPUTS, count=10)
    (loaded,) = compiled.engine.kernels.held.values()
    assert launched == [len(loaded["replicates"].kernel.parameters)]
    assert "Fake GPU (sm_90, 132 multiprocessors, 1.0 GiB), through PyCUDA 2026.1" in compiled.explain()["target"]
    (said,) = compiled.explain()["kernel replicates"]
    assert "64 registers and 0 bytes of local memory a thread" in said


def search(**given: Any) -> cogir.Model:
    """A controller that searches a grid of 120 x 120 levels, with draws that all points share."""
    model = cogir.Model("search")
    prey = model.node("prey", library.psyneulink.gaussian_distort, variance=1.0, seed=5)
    error = model.node("error", library.linear)
    model.project(prey, error)
    levels = np.linspace(0.1, 3.0, 120).tolist()
    signals = [cogir.Signal(prey.param("variance"), levels=levels), cogir.Signal(error.param("slope"), levels=levels)]
    model.control("attention", objective=error, direction="minimize", signals=signals, **given)
    return model


PREY = {"prey": [[0.2], [-0.3], [float("nan")]]}


def same_runs(first: Any, second: Any) -> bool:
    """True if outputs and allocations are the same bits."""
    return same(first, second) and np.array_equal(first.allocations["attention"], second.allocations["attention"])


def test_searches() -> None:
    model = search()
    here, there = model.compile(), emulated(model)
    for trials in (1, 7):
        assert same_runs(there.run(PREY, num_trials=trials), here.run(PREY, num_trials=trials))
    assert there.explain()["searches"] == ["1 in kernels"]
    (kernels,) = there.engine.kernels.held.values()
    assert kernels["search_0"].sizes.size > 0


def test_searches_in_small_launches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Launches over parts of the range find what one finds."""
    monkeypatch.setattr("cogir.runtime.cuda.gpu.LAUNCH_SECONDS", 1e-9)
    model = search()
    assert same_runs(emulated(model).run(PREY, num_trials=2), model.compile().run(PREY, num_trials=2))


def test_specialised_searches() -> None:
    """The version for the values of now has kernels of its own."""
    model = search()
    here, there = model.compile(), emulated(model)
    there.specialise()
    assert same_runs(there.run(PREY, num_trials=3), here.run(PREY, num_trials=3))
    assert len(there.engine.kernels.held) == 2


def test_ties_at_random_stay_on_the_cpu() -> None:
    model = search(ties="random")
    here, there = model.compile(), emulated(model)
    assert same_runs(there.run(PREY, num_trials=3), here.run(PREY, num_trials=3))
    (said,) = there.explain()["searches"]
    assert said.startswith("0 in kernels; ties that are drawn at random")


class Failing(EmulatedDriver):
    """An emulation whose launches fail from one on."""

    def __init__(self, good: int, error: BaseException):
        super().__init__()
        self.good, self.error = good, error

    def launch(self, *given: Any) -> None:
        self.good -= 1
        if self.good < 0:
            raise self.error
        super().launch(*given)


def failing(monkeypatch: pytest.MonkeyPatch, good: int, error: BaseException) -> cogir.Compiled:
    monkeypatch.setattr(engine_module, "gpu_for", lambda target: Gpu(Failing(good, error)))
    return emulated(search())


@pytest.mark.parametrize("good", [0, 5, 8])
def test_a_failure_in_a_run(good: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The trials before are kept, also in the context."""
    lost = cogir.DeviceError("GPU: cuLaunchKernel failed")
    lost.is_lost = True
    there, here = failing(monkeypatch, good, lost), search().compile()
    with pytest.raises(cogir.DeviceError, match="cuLaunchKernel failed") as caught:
        there.run(PREY, num_trials=10)
    result: Any = caught.value.result
    assert result.status == "failed"
    assert (result.num_trials > 0) == (good > 0)
    expected = here.run(PREY, num_trials=result.num_trials)
    if good:
        assert same_runs(result, expected)
        assert all(np.array_equal(there.state[path], here.state[path], equal_nan=True) for path in here.state)


def test_ctrl_c_in_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    there, here = failing(monkeypatch, 8, KeyboardInterrupt()), search().compile()
    with pytest.raises(cogir.RunInterrupted) as caught:
        there.run(PREY, num_trials=10)
    result: Any = caught.value.result
    assert 0 < result.num_trials < 10
    assert same_runs(result, here.run(PREY, num_trials=result.num_trials))


@pytest.mark.parametrize("call", ["replicates", "sweep"])
def test_a_failure_in_a_kernel_keeps_what_is_finished(call: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lost = cogir.DeviceError("GPU: cuLaunchKernel failed")
    lost.is_lost = True
    monkeypatch.setattr(engine_module, "gpu_for", lambda target: Gpu(Failing(3, lost)))
    there, here = emulated(decision()), decision().compile()
    given: Any = (INPUTS, 100_000) if call == "replicates" else (POINTS, INPUTS)
    options = {} if call == "replicates" else {"replicates": 20_000}
    with pytest.raises(cogir.DeviceError) as caught:
        getattr(there, call)(*given, seed=1, **options)
    result: Any = caught.value.result
    assert result.status == "failed"
    if call == "replicates":
        assert 0 < result.num_replicates < 100_000
        assert same(result, here.replicates(INPUTS, count=result.num_replicates, seed=1))
