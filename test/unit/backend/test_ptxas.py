"""Occupancy, by the limits of each architecture; NVIDIA's assembler has the last word on them."""

import subprocess
from pathlib import Path

import pytest

from cogir.backend.ptxas import RESIDENT, best_size, occupancy, ptxas
from cogir.runtime.cuda.gpu import ARCHITECTURES

BLOCK = 256
KERNEL = """
.version 9.0
.target {architecture}
.address_size 64
.visible .entry kernel() .maxntid {threads} .minnctapersm {blocks} {{ ret; }}
"""
"""A kernel that asks for several blocks on a multiprocessor."""


def test_all_architectures_are_listed() -> None:
    assert sorted(RESIDENT) == sorted(f"sm_{number}" for number in ARCHITECTURES)


def said(architecture: str, threads: int, folder: Path) -> str:
    """The words of ptxas on a kernel that asks for so many threads on a multiprocessor."""
    program = ptxas()
    assert program is not None
    (folder / "kernel.ptx").write_text(KERNEL.format(architecture=architecture, threads=BLOCK, blocks=threads // BLOCK))
    command = [program, f"-arch={architecture}", "kernel.ptx", "-o", "kernel.cubin"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


@pytest.mark.skipif(ptxas() is None, reason="ptxas is not installed (pip install nvidia-cuda-nvcc)")
@pytest.mark.parametrize("architecture", RESIDENT)
def test_a_multiprocessor_holds_so_many_threads(architecture: str, tmp_path: Path) -> None:
    threads, _ = RESIDENT[architecture]
    found = said(architecture, threads, tmp_path)
    if "is not defined for option" in found or "Unsupported .target" in found:
        pytest.skip(f"this ptxas does not know {architecture}")
    assert not found
    assert "threads per SM for entry kernel is out of range" in said(architecture, threads + BLOCK, tmp_path)


def test_occupancy() -> None:
    """64 registers allow 1,024 threads; 16 blocks of 64 threads are 1,024 threads of 1,536."""
    assert occupancy(64, 0, 256, "sm_90a") == 0.5
    assert occupancy(32, 0, 64, "sm_87") == 1024 / 1536
    assert occupancy(32, 0, 64, "sm_103") == 1.0
    assert occupancy(32, 0, 64, "sm_75") == 1.0
    assert best_size(32, 0, "sm_87") == 256
