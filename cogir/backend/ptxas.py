"""
NVIDIA's assembler `ptxas`, where there is one: machine code from PTX, and the resources that kernels take.

It is looked for in the folder `bin` of `$CUDA_HOME`, on the PATH, in the wheel `nvidia-cuda-nvcc`, and where CUDA is usually installed.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from cogir.backend.kernels import Report
from cogir.errors import BackendError

REGISTERS, PARTITIONS, WARP, GRANULE = 65_536, 4, 32, 256
"""
Registers of a multiprocessor, its parts, of one of which a warp has its registers, threads of a warp, and registers that a warp gets at a
time, on all GPUs from sm_70 on.
"""
SHARED_BYTES = 100 * 1024
"""Shared memory that blocks of a multiprocessor have together on the smallest GPUs from sm_80 on."""
LARGE, SMALL = (2048, 32), (1536, 24)
"""The threads and the blocks that a multiprocessor holds: of GPUs for data centres, and of most others."""
RESIDENT = {
    **dict.fromkeys(("sm_70", "sm_72", "sm_80", "sm_90", "sm_100", "sm_103"), LARGE),
    "sm_75": (1024, 16),
    **dict.fromkeys(("sm_86", "sm_87", "sm_88"), (1536, 16)),
    **dict.fromkeys(("sm_89", "sm_101", "sm_110", "sm_120", "sm_121"), SMALL),
}
"""
The threads and the blocks that a multiprocessor holds: "Technical Specifications per Compute Capability" of the CUDA Programming Guide, and
for blocks `cuda_occupancy.h` of CUDA 13. ptxas knows the threads, too: `test/unit/backend/test_ptxas.py` asks it.
"""
SIZES = (256, 128, 64)
"""Threads per block that are tried, best first."""
_FUNCTION = re.compile(r"Compiling entry function '(?P<name>[^']+)'.*?(?=Compiling entry function|\Z)", re.DOTALL)
_PROPERTIES = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")


@cache
def ptxas() -> str | None:
    """The program, or None if there is none."""
    homes = [os.environ[name] for name in ("CUDA_HOME", "CUDA_PATH") if os.environ.get(name)]
    wheels = [str(path) for entry in sys.path for path in sorted(Path(entry or ".").glob("nvidia/cu*"))]
    for home in (*homes, *wheels, "/usr/local/cuda"):
        if found := shutil.which("ptxas", path=os.path.join(home, "bin")):
            return found
    return shutil.which("ptxas")


def assembled(text: str, architecture: str) -> tuple[bytes, str]:
    """A cubin, and what ptxas says about it. Raises `BackendError` if there is no ptxas, or it refuses the PTX."""
    program = ptxas()
    if program is None:
        raise BackendError(
            "ptxas: not found; install CUDA or the wheel nvidia-cuda-nvcc, or set CUDA_HOME. PTX (cog-translate --emit=ptx) needs none: "
            "the driver assembles it"
        )
    with tempfile.TemporaryDirectory(prefix="cogir-ptxas-") as folder:
        source, target = Path(folder, "kernels.ptx"), Path(folder, "kernels.cubin")
        source.write_text(text)
        done = subprocess.run(
            [program, "-v", f"-arch={architecture}", str(source), "-o", str(target)], capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise BackendError(f"ptxas: refuses the PTX for {architecture}: {done.stderr.strip()}")
        return target.read_bytes(), done.stderr


def reports(said: str, architecture: str, block: int | None = None) -> Mapping[str, Report]:
    """The resources of each kernel, from what ptxas says, with blocks of so many threads (None: of the best number)."""
    found: dict[str, Report] = {}
    for part in _FUNCTION.finditer(said):
        text = part[0]
        properties = [tuple(map(int, numbers)) for numbers in _PROPERTIES.findall(text)]
        registers = _number(r"Used (\d+) registers", text)
        shared = _number(r"(\d+) bytes smem", text)
        local = max(properties[0][0], _number(r"(\d+) bytes cumulative stack size", text)) if properties else 0
        spilled = sum(stores for _, stores, _ in properties)
        size = block or best_size(registers, shared, architecture)
        found[part["name"]] = Report(registers, local, spilled, shared, size, occupancy(registers, shared, size, architecture))
    return found


def _number(pattern: str, text: str) -> int:
    match = re.search(pattern, text)
    return int(match[1]) if match else 0


def occupancy(registers: int, shared: int, size: int, architecture: str) -> float:
    """The part of a multiprocessor's threads that can be there at a time, in blocks of a size."""
    threads, most = RESIDENT.get(architecture.rstrip("af"), SMALL)
    warps = -(-size // WARP)
    per_warp = -(-max(registers, 1) * WARP // GRANULE) * GRANULE
    blocks = min(threads // size, most, PARTITIONS * (REGISTERS // PARTITIONS // per_warp) // warps)
    if shared:
        blocks = min(blocks, SHARED_BYTES // (shared + 1024))
    return blocks * size / threads


def best_size(registers: int, shared: int, architecture: str) -> int:
    """The threads per block with which most threads fit on a multiprocessor; of several, the largest."""
    return max(SIZES, key=lambda size: (occupancy(registers, shared, size, architecture), size))
