"""
Runs a model on a GPU: replicates and sweeps in kernels, runs as native code on the CPU whose searches are kernels.

    compile(target="cuda")              an NVIDIA GPU, or an error that names what is missing
    compile(target="cuda-emulated")     the same code, called for one thread after the other on the CPU: for tests
    compile(target="auto")              an NVIDIA GPU for calls that pay for it, if there is one, else the CPU
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from cogir.backend.kernels import EMULATED, DeviceCode
from cogir.callers import stacklevel
from cogir.errors import BackendError, DeviceError, DeviceMemoryError, ExecutionError, LoweringError
from cogir.interpreters.faults import is_fault
from cogir.runtime.cached_kernels import cached_kernels
from cogir.runtime.context import Context, NativeContext
from cogir.runtime.cuda.calls import ChunkCall, RangeCall, ReplicatesCall
from cogir.runtime.cuda.choice import find_device, find_driver
from cogir.runtime.cuda.emulated import EmulatedDriver
from cogir.runtime.cuda.gpu import Gpu, LoadedKernel, architecture_for
from cogir.runtime.cuda.ranges import RangeRun
from cogir.runtime.cuda.searches import Launching
from cogir.runtime.entry import NativeEntry, limit_message
from cogir.runtime.explanation import Facts, Remark
from cogir.runtime.native import DeviceWarning, NativeEngine, Original
from cogir.runtime.options import Options, Source
from cogir.runtime.plan import Floats, Plan
from cogir.runtime.replicates import Job
from cogir.runtime.results import Progress
from cogir.runtime.sweeps.job import IndexChunk, NativeSweeper, Prepared, SweepEngine, SweepJob, begins_anew
from cogir.runtime.versions import Folded, Version

PAYS_SECONDS = 0.5
"""With target "auto", a call that takes the CPU less time than this stays there: the first launch alone takes about half of it."""
PAYS_POINTS = 10_000_000
"""The same for the number of points of a search."""
PAYS_INDICES = 128
"""
The same for the replicates that are left for each thread of the CPU. A thread of an H200 takes some 130 times as long for a step as one of
a CPU whose lanes are full: a GPU pays by having many of them.
"""
BEGIN_SECONDS = 0.1
"""For so long the CPU computes before target "auto" looks whether a GPU pays for the rest."""


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
    refused: dict[tuple[object, ...], LoweringError | BackendError] = field(
        default_factory=dict[tuple[object, ...], LoweringError | BackendError]
    )
    """The errors of kernels that cannot be compiled, which is found out once."""

    @property
    def architecture(self) -> str:
        """The architecture that kernels are compiled for."""
        return EMULATED if isinstance(self.gpu.driver, EmulatedDriver) else architecture_for(self.gpu.facts)

    def _compiled(self, source: Source, options: Options) -> tuple[DeviceCode, Plan]:
        return cached_kernels(source, options, self.architecture)

    def of(self, entry: str, varying: tuple[str, ...] = (), common: bool = False, folded: Folded | None = None) -> dict[str, LoadedKernel]:
        """The kernels for an entry, by name."""
        key = (entry, varying, common, folded)
        if key in self.refused:
            raise self.refused[key]
        if key not in self.held:
            try:
                code = self.original.kernels(self._compiled, entry, varying, common, folded)
            except (LoweringError, BackendError) as error:
                self.refused[key] = error
                raise
            self.held[key] = self.gpu.load(code)
        return self.held[key]


class CudaEngine(NativeEngine):
    """Runs a model as machine code whose searches, replicates and sweeps are done on a GPU."""

    def __init__(self, original: Original, one_by_one: bool, gpu: Gpu, cpu: Original | None = None):
        """`cpu`: the model compiled for the CPU, where all stays that does not pay, does not compile for a GPU, or fails there."""
        super().__init__(original.plan, original.entry, one_by_one, original.code_for, original.version, original.facts)
        self.gpu = gpu
        self.kernels = Kernels(gpu, original)
        self.cpu = cpu
        self.is_on_gpu = cpu is None
        self.on_cpu: dict[str, str] = {}
        """The work that stays on the CPU, and the reasons."""
        self.pieces: dict[str, str] = {}
        """The work that was processed in pieces, because the memory of the device is too small."""

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
        except DeviceError as error:
            if not self.goes_on(what, error):
                raise
        except (LoweringError, BackendError) as error:
            if self.is_on_gpu:
                raise
            self.on_cpu[what] = str(error)
        return None

    def goes_on(self, what: str, error: DeviceError) -> bool:
        """True if the CPU goes on after an error of the GPU; it is kept why, and a warning says so if the GPU has failed."""
        if self.is_on_gpu:
            return False
        self.on_cpu[what] = str(error)
        if error.is_lost:
            self.gpu.lost = str(error)
        if not isinstance(error, DeviceMemoryError):
            warnings.warn(f'target "auto": {error}; the CPU goes on with the {what}', DeviceWarning, stacklevel=stacklevel())
        return True

    def is_gone(self, what: str) -> bool:
        """True if the GPU is lost and the CPU takes its place."""
        if self.is_on_gpu or not self.gpu.lost:
            return False
        self.on_cpu[what] = self.gpu.lost
        return True

    # Searches

    def launching(self, version: Version | None) -> Launching | None:
        """The function by which searches are done on the GPU, if they are; `version`: the specialised version that runs, if one does."""
        if not self.plan.controllers or (not self.is_on_gpu and not self.search_pays) or self.is_gone("searches"):
            return None
        folded = None if version is None else version.folded
        kernels = self._found("searches", lambda: self.kernels.of("run", folded=folded))
        return Launching(self.gpu, kernels) if kernels else None

    @cached_property
    def search_pays(self) -> bool:
        """
        True if target "auto" takes the GPU for searches: those of many points, of which the CPU evaluates all. By dropping boxes of them it
        was 12 to 80 times as fast as an H200.
        """
        if grid_points(self.plan) < PAYS_POINTS or self.cpu is None:
            return False
        facts = self.cpu.facts()
        if any(points >= PAYS_POINTS and name not in cut_short(facts) for name, _, points in facts.searches):
            return True
        self.on_cpu["searches"] = "the CPU drops boxes of points, and a GPU evaluates all of them"
        return False

    def run_trials(self, entry: NativeEntry, context: NativeContext, rows: Floats, out: Floats, version: Version | None) -> Progress:
        launching = self.launching(version)
        if launching is None and self.cpu is not None and version is None:
            entry = self.cpu.entry  # its searches use all threads
        try:
            return entry.run(context, rows, out, self.one_by_one, self.crew, launching)
        except DeviceError as error:
            if self.cpu is None or not self.goes_on("searches", error):
                raise
        return self.cpu.entry.run(context, rows, out, self.one_by_one, self.crew, done=context.progress.done)

    # Replicates and sweeps

    def replicate(self, context: Context, job: Job) -> None:
        if job.recording is not None:
            self.on_cpu["replicates"] = "the model records values inside of trials"
            super().replicate(context, job)
            return
        call = ReplicatesCall(self.begun(context), job, self.code_for_replicates, self.crew)
        if not self.is_on_gpu:
            self.code_for_replicates()  # compiles, which is no part of the time of the call
            if not self.pays(call):
                return
        self.compute(call, lambda: self.kernels.of("replicates"))

    def sweeper(self, context: Context, job: SweepJob) -> SweepEngine:
        assert isinstance(context, NativeContext)
        if job.recording is not None:
            self.on_cpu["sweeps"] = "the model records values inside of trials"
            return self.native_sweeper(context, job)
        return CudaSweeper(self, context, job, None if self.is_on_gpu else self.native_sweeper(context, job))

    def pays(self, call: RangeCall) -> bool:
        """
        True if a GPU pays for what is left of a call. Up to then the CPU computes it, with all threads of the call; what it has done stays
        done.
        """
        if call.left < PAYS_INDICES * call.threads:
            if call.left == call.whole:  # and not the rest of one, about which a reason is known
                self.on_cpu[call.what] = f"the last call had {call.whole:,} replicates, too few for a GPU to pay"
            call.on_cpu()
            return False
        seconds = BEGIN_SECONDS
        while call.job.done < call.job.count:
            before, begun = call.job.done, time.perf_counter()
            call.on_cpu(seconds)
            taken, done = time.perf_counter() - begun, call.job.done - before
            if not done and seconds < PAYS_SECONDS:  # threads that begin late on a busy machine say nothing about the work
                seconds = PAYS_SECONDS
                continue
            if taken * call.left > PAYS_SECONDS * done:
                self.on_cpu.pop(call.what, None)
                return True
            self.on_cpu[call.what] = (
                f"the last call took the CPU about {taken * call.whole / done:.2g} seconds, too little for a GPU to pay"
            )
            seconds = PAYS_SECONDS
        return False

    def compute(self, call: RangeCall, load: Callable[[], dict[str, LoadedKernel]]) -> bool:
        """
        Computes what is not done yet of a call, with the kernels that `load` gives; on the CPU if the GPU cannot and need not. True if the
        GPU has done it.
        """
        kernels = None if self.is_gone(call.what) else self._found(call.what, load)
        if kernels is not None:
            try:
                self.launch(kernels[call.entry], call)
                return True
            except DeviceError as error:
                if not self.goes_on(call.what, error):
                    raise
        call.on_cpu()
        return False

    def launch(self, kernel: LoadedKernel, call: RangeCall) -> None:
        """Computes what is not done yet of a call on the GPU; `job.done` says how far it came, also when it raises."""
        before, work = call.job.done, call.for_gpu()
        try:
            with self.gpu.lock, self.gpu.use():
                run = RangeRun(self.gpu, kernel, work, lambda done: call.context.meter.update(before + done), call.meanwhile)
                if run.most < work.count:
                    self.pieces[call.what] = f"at most {run.most:,} replicates at a time, as the memory of the GPU is too small for more"
                failure = run.run()
        finally:
            call.job.done = max(call.job.done, before + work.done)
        if failure is not None:
            where = call.name(before + failure.place)
            if is_fault(failure.status):
                where = f"trial {work.lengths[failure.place]} of {where}"
            raise ExecutionError(limit_message(call.context, call.entry, where, failure.status - 1))

    def remarks(self) -> Iterator[Remark]:
        gpu, choice = self.gpu, "" if self.is_on_gpu else ", for what pays"
        device = f"{gpu.facts}, through {gpu.driver.name}" if self.is_real else "kernels are emulated on the CPU"
        yield Remark("target", f"{device}{choice}")
        for what in ("searches", "replicates", "sweeps"):
            if what in self.on_cpu:
                yield Remark("target", f"{what} on the CPU: {self.on_cpu[what]}")
        yield Remark("target", "single runs on the CPU, but for their searches; learning on the CPU")
        if self.plan.controllers and "searches" not in self.on_cpu and self.is_on_gpu:
            count = len(self.kernels.of("run"))
            left = "" if count else "; ties that are drawn at random, and searches whose points are not independent, stay on the CPU"
            if self.facts is not None and (names := cut_short(self.facts())):
                left += f'; target="cpu" may be faster: it drops boxes of the points of {", ".join(names)}, of which kernels evaluate all'
            yield Remark("searches", f"{count} in kernels{left}")
        for what, text in self.pieces.items():
            yield Remark("target", f"{what} in pieces: {text}")
        if self.is_real:
            for kernels in self.kernels.held.values():
                yield from (Remark(f"kernel {name}", about_kernel(loaded, gpu)) for name, loaded in kernels.items())


def cut_short(facts: Facts) -> list[str]:
    """The controllers whose searches drop boxes of points on the CPU."""
    return [name for name, ties, _ in facts.searches if ties != "random" and name not in facts.exhaustive]


def about_kernel(loaded: LoadedKernel, gpu: Gpu) -> str:
    """The resources of a kernel in words."""
    facts = loaded.facts
    return (
        f"{loaded.block} threads a block, {facts.registers} registers and {facts.local} bytes of local memory a thread, "
        f"{facts.shared} bytes of shared memory a block, {100 * loaded.occupancy(gpu.facts):.0f} % of the GPU's threads at a time"
    )


class CudaSweeper(SweepEngine):
    """The chunks of a sweep, in kernels."""

    def __init__(self, engine: CudaEngine, context: NativeContext, job: SweepJob, cpu: NativeSweeper | None):
        """`cpu`: native code for the CPU, which computes until a GPU pays for the rest; None if all is for the GPU."""
        self.engine, self.context, self.cpu = engine, context, cpu
        if cpu is not None:
            self.team = cpu.team
        self.varying = tuple(sorted({held.paths[0] for held in job.points.quantities("parameter")}))
        self.common = job.common
        self.begins = begins_anew(context, job)
        self.is_on_gpu: bool | None = True if cpu is None else None
        """True if the GPU computes what is left of the sweep, False if the CPU does, None if that is open."""

    def run(self, chunk: IndexChunk, meanwhile: Callable[[], None]) -> None:
        if self.cpu is not None:
            self.cpu.team = self.team
        self.context.meter.base = chunk.first
        prepared = Prepared.of(chunk, self.context, self.begins, self.engine.entry.start)
        call = ChunkCall(prepared, self.context, self.cpu, meanwhile)
        if self.is_on_gpu is False:
            call.on_cpu()
        elif self.is_on_gpu or self.engine.pays(call):
            self.is_on_gpu = self.engine.compute(call, lambda: self.engine.kernels.of("sweep", self.varying, self.common))
