"""
Runs a model on a GPU: replicates and sweeps in kernels, runs as native code on the CPU whose searches are kernels.

    compile(target="cuda")              an NVIDIA GPU, or an error that names what is missing
    compile(target="cuda-emulated")     the same code, called for one thread after the other on the CPU: for tests
    compile(target="auto")              an NVIDIA GPU for calls that pay for it, if there is one, else the CPU
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from cogir.backend.kernels import EMULATED, DeviceCode
from cogir.errors import BackendError, DeviceMemoryError, ExecutionError, LoweringError
from cogir.interpreters.faults import is_fault
from cogir.runtime.cached_kernels import cached_kernels
from cogir.runtime.context import Context, NativeContext
from cogir.runtime.cuda.choice import find_device, find_driver
from cogir.runtime.cuda.driver import Array
from cogir.runtime.cuda.emulated import EmulatedDriver
from cogir.runtime.cuda.gpu import Gpu, LoadedKernel, architecture_for
from cogir.runtime.cuda.ranges import IndexRange, RangeRun
from cogir.runtime.cuda.searches import Launching
from cogir.runtime.entry import Callback, limit_message
from cogir.runtime.explanation import Remark
from cogir.runtime.native import NativeEngine, Original
from cogir.runtime.options import Options, Source
from cogir.runtime.plan import Plan
from cogir.runtime.replicates import Job
from cogir.runtime.sweeps.cost import sampled_seconds
from cogir.runtime.sweeps.job import TABLES, IndexChunk, Prepared, SweepEngine, SweepJob
from cogir.runtime.versions import Folded, Version

PAYS_SECONDS = 0.5
"""With target "auto", a call that takes the CPU less time than this stays there: the first launch alone takes about half of it."""
PAYS_POINTS = 10_000_000
"""The same for the number of points of a search."""

SAMPLE = 256
"""The replicates by which target "auto" estimates the time of all."""


def grid_points(plan: Plan) -> int:
    """The points of the largest search of a model."""
    points = dict.fromkeys(plan.controllers, 1)
    for path, slot in plan.slots.items():
        controller, found, _ = path.partition("/levels:")
        if found and controller in points:
            points[controller] *= slot.size
    return max(points.values(), default=0)


def gpu_for(target: str) -> Gpu:
    """The device of a target. Raises `DeviceError` if there is none."""
    if target == "cuda-emulated":
        return Gpu(EmulatedDriver())
    return shared_gpu()


_shared: list[Gpu] = []


def shared_gpu() -> Gpu:
    """The first GPU, which all models of the process share."""
    if not _shared:
        driver = find_driver()
        _shared.append(Gpu(driver, find_device(driver).number))
    return _shared[0]


@dataclass(eq=False)
class Kernels:
    """The kernels of a model on a device, compiled and loaded when they are needed."""

    gpu: Gpu
    original: Original
    held: dict[tuple[object, ...], dict[str, LoadedKernel]] = field(default_factory=dict[tuple[object, ...], dict[str, LoadedKernel]])

    @property
    def architecture(self) -> str:
        """The architecture that kernels are compiled for."""
        return EMULATED if isinstance(self.gpu.driver, EmulatedDriver) else architecture_for(self.gpu.facts)

    def _compiled(self, source: Source, options: Options) -> tuple[DeviceCode, Plan]:
        return cached_kernels(source, options, self.architecture)

    def of(self, entry: str, varying: tuple[str, ...] = (), common: bool = False, folded: Folded | None = None) -> dict[str, LoadedKernel]:
        """The kernels for an entry, by name."""
        key = (entry, varying, common, folded)
        if key not in self.held:
            self.held[key] = self.gpu.load(self.original.kernels(self._compiled, entry, varying, common, folded))
        return self.held[key]


class CudaEngine(NativeEngine):
    """Runs a model as machine code whose searches, replicates and sweeps are done on a GPU."""

    def __init__(self, original: Original, one_by_one: bool, gpu: Gpu, is_optional: bool = False):
        """`is_optional`: whatever does not pay, or does not compile for a GPU, stays on the CPU."""
        super().__init__(original.plan, original.entry, one_by_one, original.code_for, original.version, original.facts)
        self.gpu = gpu
        self.kernels = Kernels(gpu, original)
        self.is_optional = is_optional
        self.is_on_gpu = not is_optional
        self.on_cpu: dict[str, str] = {}
        """What stays on the CPU, and why."""
        self.pieces: dict[str, str] = {}
        """What was processed in pieces, because the memory of the device is too small."""

    @property
    def is_real(self) -> bool:
        """True if the GPU is not emulated."""
        return not isinstance(self.gpu.driver, EmulatedDriver)

    def prepare(self) -> None:
        """Compiles the kernels of searches, so that errors are found when the model is compiled."""
        self.launching(None)

    def _found(self, what: str, load: Callable[[], dict[str, LoadedKernel]]) -> dict[str, LoadedKernel] | None:
        """Kernels; None if they cannot be compiled and need not."""
        try:
            return load()
        except (LoweringError, BackendError) as error:
            if not self.is_optional:
                raise
            self.on_cpu[what] = str(error)
            return None

    def launching(self, version: Version | None) -> Callback | None:
        if not self.plan.controllers or (self.is_optional and grid_points(self.plan) < PAYS_POINTS):
            return None
        folded = None if version is None else version.folded
        kernels = self._found("searches", lambda: self.kernels.of("run", folded=folded))
        return Launching(self.gpu, kernels) if kernels else None

    def replicate(self, context: Context, job: Job) -> None:
        kernel = None
        if job.recording is not None:
            self.on_cpu["replicates"] = "the model records values inside of trials"
        elif not self.is_optional or self._pays_replicates(context, job):
            kernels = self._found("replicates", lambda: self.kernels.of("replicates"))
            kernel = None if kernels is None else kernels["replicates"]
        if kernel is None:
            super().replicate(context, job)
            return
        begun = self.begun(context)
        given: dict[str, Array | int] = {
            **{name: getattr(begun, name) for name in ("pf", "pi", "sf", "si")},
            "in": job.rows,
            "n_in": len(job.rows),
            "seed": job.seed,
        }
        work = IndexRange(0, job.out, job.lengths, job.trials, given)
        try:
            self.run_range(kernel, work, begun, "replicates", lambda place: f"replicate {place}")
        except DeviceMemoryError as error:
            if not self.stays_on_cpu("replicates", error):
                raise
            super().replicate(context, job)
            return
        finally:
            job.done = max(job.done, work.done)

    def stays_on_cpu(self, what: str, error: DeviceMemoryError) -> bool:
        """True if the CPU does what the GPU has too little memory for; it is kept why."""
        if self.is_optional:
            self.on_cpu[what] = str(error)
        return self.is_optional

    def _pays_replicates(self, context: Context, job: Job) -> bool:
        """True if the CPU would take long for a job, by the time of its first replicates."""

        def seconds(size: int) -> float:
            out, lengths = np.empty((size * job.trials, job.out.shape[1])), np.zeros(size, np.int64)
            begun = time.perf_counter()
            super(CudaEngine, self).replicate(context, Job(job.rows, out, lengths, job.trials, job.seed))
            return time.perf_counter() - begun

        size = min(job.count, SAMPLE)
        if self.replicates is None:
            seconds(min(1, size))  # compiles
        return self._pays("replicates", seconds(size) * job.count / max(1, size))

    def _pays(self, what: str, seconds: float) -> bool:
        if seconds >= PAYS_SECONDS:
            self.on_cpu.pop(what, None)
            return True
        self.on_cpu[what] = f"the last call took the CPU about {seconds:.2g} seconds, too little for a GPU to pay"
        return False

    def run_range(self, kernel: LoadedKernel, work: IndexRange, context: NativeContext, what: str, name: Callable[[int], str]) -> None:
        """The indices of a range; `name` says what the index at a place is."""
        with self.gpu.lock, self.gpu.use():
            run = RangeRun(self.gpu, kernel, work, context.meter.update)
            if run.most < work.count:
                self.pieces[what] = f"at most {run.most:,} replicates at a time, as the memory of the GPU is too small for more"
            failure = run.run()
        if failure is not None:
            where = name(failure.place)
            if is_fault(failure.status):
                where = f"trial {work.lengths[failure.place]} of {where}"
            raise ExecutionError(limit_message(context, what, where, failure.status - 1))

    def sweeper(self, context: Context, job: SweepJob) -> SweepEngine:
        assert isinstance(context, NativeContext)
        kernel = None
        if job.recording is not None:
            self.on_cpu["sweeps"] = "the model records values inside of trials"
        elif not self.is_optional or self._pays("sweeps", sampled_seconds(job, partial(super().sweeper, context))):
            varying = tuple(sorted(held.paths[0] for held in job.points.quantities("parameter")))
            kernels = self._found("sweeps", lambda: self.kernels.of("sweep", varying, job.common))
            kernel = None if kernels is None else kernels["sweep"]
        on_cpu = partial(super().sweeper, context, job)
        return on_cpu() if kernel is None else CudaSweeper(self, kernel, context, job, on_cpu)

    def remarks(self) -> Iterator[Remark]:
        gpu, choice = self.gpu, ", for what pays" if self.is_optional else ""
        device = f"{gpu.facts}, through {gpu.driver.name}" if self.is_real else "kernels are emulated on the CPU"
        yield Remark("target", f"{device}{choice}")
        for what in ("searches", "replicates", "sweeps"):
            if what in self.on_cpu:
                yield Remark("target", f"{what} on the CPU: {self.on_cpu[what]}")
        yield Remark("target", "single runs on the CPU, but for their searches; learning on the CPU")
        if self.plan.controllers and "searches" not in self.on_cpu and not self.is_optional:
            count = len(self.kernels.of("run"))
            left = "" if count else "; ties that are drawn at random, and searches whose points are not independent, stay on the CPU"
            yield Remark("searches", f"{count} in kernels{left}")
        for what, text in self.pieces.items():
            yield Remark("target", f"{what} in pieces: {text}")
        if self.is_real:
            for kernels in self.kernels.held.values():
                yield from (Remark(f"kernel {name}", about_kernel(loaded, gpu)) for name, loaded in kernels.items())


def about_kernel(loaded: LoadedKernel, gpu: Gpu) -> str:
    """The resources of a kernel in words."""
    facts = loaded.facts
    return (
        f"{loaded.block} threads a block, {facts.registers} registers and {facts.local} bytes of local memory a thread, "
        f"{facts.shared} bytes of shared memory a block, {100 * loaded.occupancy(gpu.facts):.0f} % of the GPU's threads at a time"
    )


class CudaSweeper(SweepEngine):
    """The chunks of a sweep, in kernels."""

    def __init__(self, engine: CudaEngine, kernel: LoadedKernel, context: NativeContext, job: SweepJob, on_cpu: Callable[[], SweepEngine]):
        """`on_cpu`: makes the engine for the same on the CPU."""
        self.engine, self.kernel, self.context, self.on_cpu = engine, kernel, context, on_cpu
        self.begins = not context.started and not job.points.quantities("state")
        """True if replicates begin where the model does with the parameters of the point."""

    def run(self, chunk: IndexChunk, meanwhile: Callable[[], None]) -> None:
        meanwhile()
        job, context = chunk.job, self.context
        context.meter.base = chunk.first
        prepared = Prepared.of(chunk, context, self.begins, self.engine.entry.start)
        given: dict[str, Array | int] = {
            **{name: np.ascontiguousarray(table) for name, table in zip(TABLES, prepared.tables, strict=True)},
            "vary": prepared.vary,
            "n_in": prepared.n_in,
            "per_point": job.replicates,
            "first_point": job.offset + chunk.first_point,
            "seed": job.seed,
        }
        first = job.offset * job.replicates + chunk.first
        work = IndexRange(first, chunk.out, chunk.lengths, job.trials, given)

        def name(place: int) -> str:
            point, replicate = divmod(first + place, job.replicates)
            return f"replicate {replicate} at point {point}"

        try:
            self.engine.run_range(self.kernel, work, context, "sweep", name)
        except DeviceMemoryError as error:
            if not self.engine.stays_on_cpu("sweeps", error):
                raise
            self.on_cpu().run(chunk, lambda: None)
        finally:
            chunk.done = max(chunk.done, work.done)
