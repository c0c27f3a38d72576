"""Models whose kernels run on the CPU in the place of a GPU: the bits of ordinary native code, and what is said about it."""

import signal
import sys
import threading
import time
from pathlib import Path
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
from cogir.runtime.replicates import NativeReplicates

pytestmark = pytest.mark.sampled(3)

INPUTS = {"DDM": [[1.0], [0.5]]}
POINTS = {"DDM/rate": [0.5, 1.0, 2.0], "DDM/threshold": [0.5, 1.0]}


def decision(prng: str = "xoshiro256", **given: Any) -> cogir.Model:
    """One decision by drift and diffusion."""
    model = cogir.Model("decision")
    settings: dict[str, Any] = {"noise": 1.0, "threshold": 1.0, "time_step_size": 0.01, "max_executions_before_finished": 10_000}
    settings |= {"execute_until_finished": True, "reset_each_trial": True, **given}
    model.node("DDM", library.drift_diffusion_integrator, input=1, prng=prng, **settings)
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
    asked: dict[str, Any] = {"count": 100, "start": "context"}
    assert same(there.replicates({"walk": [[1.0]]}, **asked), here.replicates({"walk": [[1.0]]}, **asked))


@pytest.mark.parametrize("common", [False, True])
def test_sweeps(common: bool) -> None:
    model = decision()
    here, there = model.compile(), emulated(model)
    given: dict[str, Any] = {"replicates": 150, "seed": 3, "common_random_numbers": common}
    assert same(there.sweep(POINTS, INPUTS, **given), here.sweep(POINTS, INPUTS, **given))
    means = there.sweep(POINTS, INPUTS, reduce="mean", **given)
    assert np.array_equal(means["DDM/time", "mean"], here.sweep(POINTS, INPUTS, reduce="mean", **given)["DDM/time", "mean"])


def test_sweeps_of_states_and_inputs() -> None:
    model = decision(reset_each_trial=False)
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
    errors: list[str] = []
    for target in ("cpu", "cuda-emulated"):
        compiled = limited().compile(target=target)
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


MANY = 30_000
"""Replicates of `decision` that take several launches."""


def automatic(patch: pytest.MonkeyPatch, gpu: Gpu, pays: float | None = None, begins: float = 1e-4) -> Gpu:
    """Target "auto" with an emulated GPU, for calls that take the CPU longer than `pays`; None: for all."""
    patch.setattr(engine_module, "gpu_for", lambda target: gpu)
    patch.setattr(engine_module, "BEGIN_SECONDS", begins)
    patch.setattr(engine_module, "PAYS_INDICES", 1)
    if pays is None:
        patch.setattr(engine_module.CudaEngine, "pays", lambda engine, call: True)
    else:
        patch.setattr(engine_module, "PAYS_SECONDS", pays)
    return gpu


def remark_on(compiled: cogir.Compiled, what: str) -> str:
    """The reason why something is on the CPU; empty if it is not."""
    begin = f"{what} on the CPU: "
    return next((text.removeprefix(begin) for text in compiled.explain()["target"] if text.startswith(begin)), "")


def test_auto_takes_the_gpu_for_what_pays(without_gpu: pytest.MonkeyPatch) -> None:
    gpu = automatic(without_gpu, Gpu(EmulatedDriver()), pays=20.0)
    model = decision(threshold=3.0)
    here, there = model.compile(), model.compile(target="auto")
    assert same(there.replicates(INPUTS, count=300), here.replicates(INPUTS, count=300))
    assert same(there.sweep(POINTS, INPUTS, replicates=20), here.sweep(POINTS, INPUTS, replicates=20))
    assert all(remark_on(there, what).startswith("the last call took the CPU about") for what in ("replicates", "sweeps"))
    assert not gpu.buffers.size
    without_gpu.setattr(engine_module, "PAYS_SECONDS", 0.0)
    assert same(there.replicates(INPUTS, count=MANY), here.replicates(INPUTS, count=MANY))
    assert gpu.kernel_seconds > 0.0
    before = gpu.kernel_seconds
    assert same(there.sweep(POINTS, INPUTS, replicates=MANY // 6), here.sweep(POINTS, INPUTS, replicates=MANY // 6))
    assert gpu.kernel_seconds > before
    assert not remark_on(there, "replicates")
    assert not remark_on(there, "sweeps")


def test_few_replicates_stay_on_the_cpu(without_gpu: pytest.MonkeyPatch) -> None:
    """However long each of them takes: a GPU has many threads, but slow ones."""
    gpu = automatic(without_gpu, Gpu(EmulatedDriver()), pays=0.0)
    without_gpu.setattr(engine_module, "PAYS_INDICES", 128)
    model = decision(threshold=3.0)
    here, there = model.compile(threads=2), model.compile(target="auto", threads=2)
    assert same(there.replicates(INPUTS, count=255), here.replicates(INPUTS, count=255))
    assert remark_on(there, "replicates") == "the last call had 255 replicates, too few for a GPU to pay"
    assert same(there.sweep(POINTS, INPUTS, replicates=42), here.sweep(POINTS, INPUTS, replicates=42))
    assert remark_on(there, "sweeps") == "the last call had 252 replicates, too few for a GPU to pay"
    assert not gpu.buffers.size
    assert same(there.replicates(INPUTS, count=MANY), here.replicates(INPUTS, count=MANY))
    assert gpu.buffers.size


@pytest.mark.parametrize("threads", [1, 2])
def test_auto_asks_how_long_all_threads_take(threads: int, without_gpu: pytest.MonkeyPatch) -> None:
    """A sample that one thread computes would not tell."""
    gpu = automatic(without_gpu, Gpu(EmulatedDriver()), pays=1e9, begins=60.0)
    there = decision(threshold=3.0).compile(target="auto", threads=threads)
    seen: set[int] = set()
    call = NativeReplicates.call

    def noted(*given: Any) -> int:
        seen.add(threading.get_ident())
        return call(*given)

    without_gpu.setattr(NativeReplicates, "call", noted)
    there.replicates(INPUTS, count=MANY)
    assert len(seen) == threads
    assert not gpu.buffers.size


def slow() -> cogir.Model:
    """A decision of 10^10 steps, which takes at least half a minute."""
    return decision(noise=0.0, rate=0.0, threshold=1.0, max_executions_before_finished=10**10)


@pytest.mark.parametrize("call", ["replicates", "sweep"])
def test_the_estimate_takes_a_short_time(call: str, without_gpu: pytest.MonkeyPatch) -> None:
    """The CPU is stopped in the middle of a replicate."""
    automatic(without_gpu, Gpu(EmulatedDriver()), pays=0.5, begins=0.1)
    there = slow().compile(target="auto")
    times: list[float] = []
    pays = engine_module.CudaEngine.pays

    def noted(engine: Any, call: Any) -> bool:
        times.append(time.perf_counter())
        return pays(engine, call)

    def launch(engine: Any, kernel: Any, call: Any) -> None:
        times.append(time.perf_counter())
        raise KeyboardInterrupt

    without_gpu.setattr(engine_module.CudaEngine, "pays", noted)
    without_gpu.setattr(engine_module.CudaEngine, "launch", launch)
    without_gpu.setattr(engine_module.CudaEngine, "_found", lambda *_: {"replicates": None, "sweep": None})
    given: Any = ({"DDM": [[0.0]]}, 10) if call == "replicates" else ({"DDM/threshold": [1.0, 2.0]}, {"DDM": [[0.0]]})
    with pytest.raises(KeyboardInterrupt):
        getattr(there, call)(*given)
    begun, ended = times
    assert ended - begun < 15.0


def limited() -> cogir.Model:
    """A walk that fails in some replicates: it may take two passes until it is finished."""

    def failing(value: Value, *, limit: float = 2.0, total: State = 0.0, random: Random) -> Step:
        total = random.normal()
        return Step(outputs=(total,), states=(total,), finished=total < limit)

    model = cogir.Model("failing")
    walk = model.node("walk", failing, input=1, reset_each_trial=True)
    model.schedule.trial_ends(cogir.WhenFinished(walk))
    return model


def test_an_error_of_a_sample_does_not_end_a_call(without_gpu: pytest.MonkeyPatch) -> None:
    """What fails is what fails on the CPU: the replicates of the call, and no others."""
    automatic(without_gpu, Gpu(EmulatedDriver()), pays=20.0)
    points, inputs = {"walk/limit": np.repeat([10.0, 0.75], 24)}, {"walk": [[1.0]]}
    failed: list[bool] = []
    for target in ("cpu", "auto"):
        compiled = limited().compile(target=target)
        compiled.params["limit:passes"] = 4
        for seed in range(30):
            try:
                compiled.sweep(points, inputs, seed=seed)
                failed.append(False)
            except cogir.ExecutionError:
                failed.append(True)
    assert failed[:30] == failed[30:]
    assert 0 < sum(failed[:30]) < 30  # a sample, which has streams of its own, would fail for other seeds


def test_auto_stays_on_the_cpu_if_the_gpu_has_too_little_memory(without_gpu: pytest.MonkeyPatch) -> None:
    facts = FACTS.__class__(**{**vars(FACTS), "memory": 10_000})
    automatic(without_gpu, Gpu(EmulatedDriver(facts)))
    model = decision()
    here, there = model.compile(), model.compile(target="auto")
    given: dict[str, Any] = {"num_trials": 2000, "seed": 1}
    assert same(there.replicates(INPUTS, count=30, **given), here.replicates(INPUTS, count=30, **given))
    assert same(there.sweep(POINTS, INPUTS, replicates=30, **given), here.sweep(POINTS, INPUTS, replicates=30, **given))
    assert all(remark_on(there, what).startswith("GPU: ") for what in ("replicates", "sweeps"))


def failed(is_lost: bool = True) -> cogir.DeviceError:
    error = cogir.DeviceError("GPU: cuLaunchKernel failed")
    error.is_lost = is_lost
    return error


@pytest.mark.parametrize("is_lost", [False, True])
@pytest.mark.parametrize("call", ["replicates", "sweep"])
def test_the_cpu_goes_on_after_a_failure_of_the_gpu(call: str, is_lost: bool, without_gpu: pytest.MonkeyPatch) -> None:
    """Target "auto" loses no finished work, says so, and tries a GPU that is lost no more."""
    gpu = automatic(without_gpu, Gpu(Failing(3, failed(is_lost))))
    here, there = decision().compile(), decision().compile(target="auto")
    given: Any = (INPUTS, MANY) if call == "replicates" else (POINTS, INPUTS)
    options = {} if call == "replicates" else {"replicates": MANY // 6}
    with pytest.warns(cogir.DeviceWarning, match=r'target "auto": GPU: cuLaunchKernel failed; the CPU goes on') as caught:
        found = getattr(there, call)(*given, seed=1, **options)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert same(found, getattr(here, call)(*given, seed=1, **options))
    assert found.status == "done"
    assert gpu.kernel_seconds > 0.0
    what = "replicates" if call == "replicates" else "sweeps"
    assert remark_on(there, what) == "GPU: cuLaunchKernel failed"
    if is_lost:
        assert same(getattr(there, call)(*given, seed=2, **options), getattr(here, call)(*given, seed=2, **options))


def test_finished_work_is_kept_after_a_failure(without_gpu: pytest.MonkeyPatch) -> None:
    """The CPU begins where the GPU has come to."""
    automatic(without_gpu, Gpu(Failing(3, failed())))
    there = decision().compile(target="auto")
    begun: list[int] = []
    run = NativeReplicates.run

    def noted(self: Any, context: Any, job: Any, *given: Any, **more: Any) -> None:
        begun.append(job.done)
        run(self, context, job, *given, **more)

    without_gpu.setattr(NativeReplicates, "run", noted)
    with pytest.warns(cogir.DeviceWarning):
        there.replicates(INPUTS, count=MANY)
    assert len(begun) == 1
    assert 512 <= begun[0] < MANY


def test_kernels_that_cannot_be_loaded(without_gpu: pytest.MonkeyPatch) -> None:
    gpu = automatic(without_gpu, Gpu(EmulatedDriver()))

    def load(code: Any) -> Any:
        raise failed(is_lost=False)

    without_gpu.setattr(gpu, "load", load)
    here, there = decision().compile(), decision().compile(target="auto")
    with pytest.warns(cogir.DeviceWarning, match="the CPU goes on with the replicates"):
        assert same(there.replicates(INPUTS, count=MANY), here.replicates(INPUTS, count=MANY))


def test_searches_that_the_cpu_cuts_short_stay_there(without_gpu: pytest.MonkeyPatch) -> None:
    """The CPU evaluates less than 1 % of the points of predator-prey; a GPU would evaluate all of them."""
    gpu = automatic(without_gpu, Gpu(EmulatedDriver()))
    without_gpu.setattr(engine_module, "PAYS_POINTS", 100)
    text = (Path(__file__).parents[4] / "examples" / "predator_prey_xl.mlir").read_text()
    model = cogir.Model.from_ir(text)
    there = model.compile(target="auto")
    place = np.array([[1.1576537, 0.60782117, -0.03479106, -0.47666293, -0.60836214, 0.1760381]])
    assert same(there.run(place), model.compile().run(place))
    assert remark_on(there, "searches") == "the CPU drops boxes of points, and a GPU evaluates all of them"
    assert not gpu.kernel_seconds
    (said,) = emulated(model).explain()["searches"]
    assert said == ('1 in kernels; target="cpu" may be faster: it drops boxes of the points of CONTROL, of which kernels evaluate all')


@pytest.mark.parametrize("good", [0, 5, 8])
@pytest.mark.parametrize("is_lost", [False, True])
def test_a_run_goes_on_after_a_failure_of_its_searches(good: int, is_lost: bool, without_gpu: pytest.MonkeyPatch) -> None:
    automatic(without_gpu, Gpu(Failing(good, failed(is_lost))))
    without_gpu.setattr(engine_module, "PAYS_POINTS", 0)
    here, there = search().compile(), search().compile(target="auto")
    with pytest.warns(cogir.DeviceWarning, match="the CPU goes on with the searches"):
        found = there.run(PREY, num_trials=10)
    assert same_runs(found, here.run(PREY, num_trials=10))
    assert all(np.array_equal(there.state[path], here.state[path], equal_nan=True) for path in here.state)
    if is_lost:
        assert same_runs(there.run(PREY, num_trials=3), here.run(PREY, num_trials=3))


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
    assert kernels["search_0"].sizes.size > 0 or there.engine.is_real  # a real one has room for more points, and learns nothing


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
