"""
Measures a prepared folder (`prepare.py`) on the machine that it stands on, and compares all results with the expected bits.

    python run.py [--driver auto|pycuda|cuda-bindings|emulated] [--rounds 3] [--threads N] [--json figures.json]

The first table has the times of each case: the CPU with one core and with all, the kernel and the copies by the clock of the GPU, the whole
call with both, and, outside of the call, the time to load the code, and that of the driver to assemble PTX instead (its cache is not used).
The second one has the share of the rate at which the GPU issues f64 instructions (64 per multiprocessor and cycle), by the count of
instructions in the loop of the kernel, and what else may bound the kernel: its registers, local memory and occupancy. It needs Python,
NumPy, and PyCUDA or cuda-bindings; the code is compiled already.
"""

from __future__ import annotations

import argparse
import ctypes
import hashlib
import json
import os
import platform
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Self

import numpy as np

FOLDER = Path(__file__).resolve().parent
F64_PER_CYCLE = 64
"""Instructions for f64 that a multiprocessor of an A100, H100, H200 or B200 issues in a cycle."""


def digest(rows: np.ndarray) -> str:
    """A digest of numbers, in which NaN equals NaN."""
    whole = hashlib.sha256()
    for part in np.array_split(rows.reshape(-1), max(1, rows.size // 2**22)):
        whole.update(np.where(np.isnan(part), np.nan, part).tobytes())
    return whole.hexdigest()


def cpu_level() -> str:
    """The level of this processor, of those that there is code for."""
    try:
        flags = set(Path("/proc/cpuinfo").read_text().split())
    except OSError:
        flags = set[str]()
    return "x86-64-v4" if {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"} <= flags else "x86-64-v3"


def cpu_name() -> str:
    """The name of this processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor()


def address(library: Any, name: str) -> int:
    """The address of a function."""
    return ctypes.cast(getattr(library, name), ctypes.c_void_p).value or 0


class Case:
    """A case with its files, on this machine."""

    def __init__(self, facts: Mapping[str, Any], folder: Path):
        from cogir.runtime.plan import Plan

        self.facts, self.folder, self.name = facts, folder, facts["name"]
        self.is_search = facts["entry"] == "run"
        self.plan = Plan.from_json(json.loads((folder / f"{self.name}.plan.json").read_text()))
        self.rows = np.load(folder / f"{self.name}.rows.npy")
        self.cpu = ctypes.CDLL(str(folder / f"{self.name}.cpu.{cpu_level()}.so"))
        self.host = ctypes.CDLL(str(folder / f"{self.name}.host.{cpu_level()}.so")) if self.is_search else None

    def context(self) -> Any:
        """A context at the beginning."""
        from cogir.runtime.context import NativeContext

        return NativeContext(self.plan, None)

    def memory(self) -> np.ndarray:
        """Memory for the results, which is there already."""
        return np.full((self.facts["count"], self.plan.size("out")), 1.0)  # np.zeros would leave it to the first who writes

    def by_cpu(self, threads: int) -> tuple[float, np.ndarray]:
        """The seconds that the CPU takes, and the results."""
        from cogir.runtime.entry import NativeEntry
        from cogir.runtime.parallel import Crew
        from cogir.runtime.replicates import Job, NativeReplicates

        out, context, crew = self.memory(), self.context(), Crew(threads=threads)
        begun = time.perf_counter()
        if self.is_search:
            NativeEntry(address(self.cpu, "run"), address(self.cpu, "init"), self.cpu).run(context, self.rows, out, False, crew)
        else:
            job = Job(self.rows, out, np.zeros(len(out), np.int64), 1, self.facts["seed"])
            self.start(context, self.cpu)
            with crew.team() as team:
                NativeReplicates(address(self.cpu, "replicates"), self.cpu).run(context, job, team)
        return time.perf_counter() - begun, out

    def start(self, context: Any, library: Any) -> None:
        """Puts a context to where the model begins."""
        from cogir.runtime.entry import INIT_TYPE

        INIT_TYPE(address(library, "init"))(*context.addresses[:4])
        context.started = True

    def by_gpu(self, gpu: Any, kernels: Any) -> tuple[float, float, np.ndarray]:
        """The seconds of the whole call and of its kernels, and the results."""
        from cogir.runtime.cuda.ranges import IndexRange, RangeRun
        from cogir.runtime.cuda.searches import Launching
        from cogir.runtime.entry import NativeEntry

        out, context = self.memory(), self.context()
        before, begun = gpu.kernel_seconds, time.perf_counter()
        if self.is_search:
            entry = NativeEntry(address(self.host, "run"), address(self.host, "init"), self.host)
            entry.run(context, self.rows, out, launching=Launching(gpu, kernels))
        else:
            self.start(context, self.cpu)
            given = {name: getattr(context, name) for name in ("pf", "pi", "sf", "si")}
            numbers = {"in": self.rows, "n_in": len(self.rows), "seed": self.facts["seed"]}
            work = IndexRange(0, out, np.zeros(len(out), np.int64), 1, {**given, **numbers})
            with gpu.use():
                failure = RangeRun(gpu, kernels["replicates"], work, lambda done: None).run()
            assert failure is None, failure
        return time.perf_counter() - begun, gpu.kernel_seconds - before, out


def driver_named(name: str) -> Any:
    """The driver that is asked for."""
    if name == "auto":
        from cogir.runtime.cuda.choice import find_driver

        return find_driver()
    if name == "emulated":
        from cogir.runtime.cuda.emulated import EmulatedDriver

        return EmulatedDriver()
    from cogir.runtime.cuda.through_bindings import BindingsDriver
    from cogir.runtime.cuda.through_pycuda import PycudaDriver

    return PycudaDriver() if name == "pycuda" else BindingsDriver()


def code_for(case: Case, gpu: Any, architecture: str | None) -> tuple[Any, dict[str, Any]]:
    """The code of a case for a device: that of its own architecture, or PTX for an older one."""
    from cogir.backend.kernels import DeviceCode, Kernel

    made: dict[str, Any] = case.facts["kernels"]
    wanted = architecture or gpu.facts.architecture
    if wanted not in made:
        # A cubin runs on later devices of the same major version, PTX on all later ones.
        number = int(wanted.removeprefix("sm_"))
        fitting = [
            each
            for each, held in made.items()
            if each.startswith("sm_") and int(each[3:]) <= number and (held["file"].endswith("ptx") or int(each[3:]) // 10 == number // 10)
        ]
        if not fitting:
            sys.exit(f"{case.name}: there are kernels for {', '.join(made)}, but the GPU is {gpu.facts}; prepare the folder for {wanted}")
        wanted = max(fitting, key=lambda each: int(each[3:]))
    held = made[wanted]
    kernels = tuple(Kernel.from_json(each) for each in held["kernels"])
    return DeviceCode(wanted, (case.folder / held["file"]).read_bytes(), kernels), held


class TimedCopies:
    """Within the block, the copies of a GPU are timed by its own clock."""

    def __init__(self, gpu: Any):
        self.gpu, self.size = gpu, 0
        self.events: list[tuple[Any, Any]] = []
        self.plain: dict[str, Callable[..., None]] = {}

    def __enter__(self) -> Self:
        driver = self.gpu.driver
        self.plain = {name: getattr(driver, name) for name in ("copy_in", "copy_out")}
        for name in self.plain:
            setattr(driver, name, self.timed(name))
        return self

    def timed(self, name: str) -> Callable[[Any, Any, Any], None]:
        """A way of copying, between two events."""

        def copy(target: Any, source: Any, stream: Any) -> None:
            driver, begun, ended = self.gpu.driver, self.gpu.driver.new_event(), self.gpu.driver.new_event()
            driver.record(begun, stream)
            self.plain[name](target, source, stream)
            driver.record(ended, stream)
            self.events.append((begun, ended))
            self.size += (source if name == "copy_in" else target).nbytes

        return copy

    def __exit__(self, *error: object) -> None:
        for name, plain in self.plain.items():
            setattr(self.gpu.driver, name, plain)

    def seconds(self) -> float:
        """The time that all copies took together."""
        with self.gpu.use():
            return sum(self.gpu.driver.seconds_between(begun, ended) for begun, ended in self.events)


def assembling(case: Case, gpu: Any) -> float | None:
    """The seconds in which the driver makes machine code of the PTX of a case; None in the emulation."""
    from cogir.backend.kernels import DeviceCode

    facts = case.facts["ptx"]
    if not gpu.facts.clock_khz or int(facts["architecture"][3:]) > int(gpu.facts.architecture[3:]):
        return None
    image = (case.folder / facts["file"]).read_bytes()
    begun = time.perf_counter()
    with gpu.use():
        gpu.driver.load(DeviceCode(facts["architecture"], image, ()))
    return time.perf_counter() - begun


def copied_per_second(gpu: Any, size: int = 2**27) -> float:
    """The bytes per second that are copied out of the device into ordinary memory, which is there already."""
    target = np.full(size, 1, np.uint8)
    with gpu.use():
        place = gpu.buffers.address("copied", size)
        begun = time.perf_counter()
        gpu.driver.copy_out(target, place, gpu.streams[0])
        gpu.driver.wait(gpu.streams[0])
        return size / (time.perf_counter() - begun)


def best(rounds: int, call: Callable[[], Any]) -> Any:
    """The result of the fastest of several calls; the first element of each is its time."""
    return min((call() for _ in range(rounds)), key=lambda found: found[0])


def measured(case: Case, gpu: Any, chosen: argparse.Namespace) -> dict[str, Any]:
    """The figures of a case."""
    emulated = chosen.driver == "emulated"
    code, held = code_for(case, gpu, "emulated" if emulated else None)
    begun = time.perf_counter()
    kernels = gpu.load(code)
    loading = time.perf_counter() - begun
    first, _, _ = case.by_gpu(gpu, kernels)
    whole, kernel, out = best(chosen.rounds, lambda: case.by_gpu(gpu, kernels))
    with TimedCopies(gpu) as copies:
        case.by_gpu(gpu, kernels)
    one, expected = best(chosen.rounds, lambda: case.by_cpu(1))
    many, other = best(chosen.rounds, lambda: case.by_cpu(chosen.threads))
    wanted = case.facts["expected"]
    (loaded,) = kernels.values()
    peak = F64_PER_CYCLE * gpu.facts.multiprocessors * 1000.0 * gpu.facts.clock_khz
    return {
        "case": case.name,
        "steps": case.facts["steps"],
        "one core": one,
        "all cores": many,
        "kernel": kernel,
        "copies": copies.seconds(),
        "copied bytes": copies.size,
        "whole call": whole,
        "first call": first,
        "loading": loading,
        "assembling PTX": assembling(case, gpu),
        "compiling": held["compiling"],
        "f64 per step": held["f64"],
        "share of f64 rate": held["f64"] * case.facts["steps"] / (kernel * peak) if peak and kernel else None,
        "registers": loaded.facts.registers,
        "local bytes": loaded.facts.local,
        "occupancy": loaded.occupancy(gpu.facts),
        "same bits": {"GPU": digest(out) == wanted, "one core": digest(expected) == wanted, "all cores": digest(other) == wanted},
        "architecture": code.architecture,
    }


def seconds(value: float | None) -> str:
    """A time in words."""
    return "" if value is None else f"{value:.4f} s"


def rows_of(names: list[str], rows: list[list[str]]) -> str:
    """A table."""
    return "\n".join("| " + " | ".join(row) + " |" for row in (names, ["---"] * len(names), *rows))


def table(figures: list[dict[str, Any]]) -> str:
    """The figures as tables: the times, and what bounds the kernels."""
    times = ["one core", "all cores", "kernel", "copies", "whole call", "loading", "assembling PTX", "compiling"]
    rows, bounds = list[list[str]](), list[list[str]]()
    for row in figures:
        ratio = row["all cores"] / row["kernel"] if row["kernel"] else float("nan")
        same = "yes" if all(row["same bits"].values()) else f"NO: {row['same bits']}"
        rows.append([row["case"], f"{row['steps']:,}", *(seconds(row[name]) for name in times), f"{ratio:.1f}", same])
        share = "" if row["share of f64 rate"] is None else f"{100 * row['share of f64 rate']:.0f} %"
        numbers = [f"{row['registers']}", f"{row['local bytes']}", f"{100 * row['occupancy']:.0f} %", f"{row['f64 per step']:.0f}", share]
        bounds.append([row["case"], *numbers, f"{row['copied bytes']:,}"])
    kernels = ["case", "registers", "local bytes", "occupancy", "f64 instructions per step", "share of f64 rate", "bytes copied"]
    return rows_of(["case", "steps", *times, "all cores over kernel", "same bits"], rows) + "\n\n" + rows_of(kernels, bounds)


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures a prepared folder.")
    parser.add_argument("--folder", type=Path, default=FOLDER)
    parser.add_argument("--driver", choices=("auto", "pycuda", "cuda-bindings", "emulated"), default="auto")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args()
    sys.path.insert(0, str(chosen.folder))
    os.environ["CUDA_CACHE_DISABLE"] = "1"  # the driver keeps what it has assembled
    from cogir.runtime.cuda.gpu import Gpu

    gpu = Gpu(driver_named(chosen.driver))
    print(f"GPU: {gpu.facts}, through {gpu.driver.name}; CUDA {gpu.driver.version()}")
    print(f"CPU: {cpu_name()}, {chosen.threads} threads, code for {cpu_level()}")
    facts = json.loads((chosen.folder / "cases.json").read_text())
    figures = [measured(Case(each, chosen.folder), gpu, chosen) for each in facts]
    copies = copied_per_second(gpu)
    print(table(figures))
    print(f"copies out of the GPU: {copies / 2**30:.1f} GiB/s")
    where = {"GPU": str(gpu.facts), "driver": gpu.driver.name, "CPU": cpu_name(), "threads": chosen.threads, "copies": copies}
    (chosen.json or chosen.folder / "figures.json").write_text(json.dumps({**where, "figures": figures}, indent=1))
    if not all(all(row["same bits"].values()) for row in figures):
        sys.exit("results differ from the expected bits")


if __name__ == "__main__":
    main()
