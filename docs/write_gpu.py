"""
Draws the figure of docs/gpu.md: two streams of a call, and the limits of drift-diffusion decisions on a CPU and on a GPU.

    pip install -e '.[plot]' && python docs/write_gpu.py
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib
import numpy as np

matplotlib.use("Agg")

FIGURE = Path(__file__).parent / "figures" / "gpu.svg"
STEPS, F64, CPU_STEP = 83, 93, 3.9e-9
"""Steps of a decision; f64 instructions (`benchmarks/gpu/prepare.py`) and seconds on one core (`benchmarks/replicates.py`) of a step."""
PEAK = 132 * 64 * 1.98e9
"""f64 instructions per second of an H200: multiprocessors, instructions in a cycle, cycles in a second."""
CALL, PCIE = 1e-4, 25e9
"""Seconds of a call without work, and bytes per second from the device to the host."""


def streams(axes: Any) -> None:
    """Launches in two streams: while one computes, the results of the other are copied out."""
    kernel, copy = 1.0, 0.45
    for number in range(5):
        row, begin = 1 - number % 2, number * kernel
        axes.broken_barh([(begin, kernel - 0.03)], (row + 0.08, 0.6), color="#4c72b0")
        axes.text(begin + kernel / 2, row + 0.38, f"kernel {number + 1}", ha="center", va="center", color="white", fontsize=9)
        axes.broken_barh([(begin + kernel, copy)], (row + 0.08, 0.6), color="#dd8452")
        axes.text(begin + kernel + copy / 2, row + 0.38, f"copy {number + 1}", ha="center", va="center", color="white", fontsize=8)
    axes.set(yticks=[0.38, 1.38], yticklabels=["stream 2", "stream 1"], xlim=(0, 5.6), xlabel="time in launches of about 50 ms")
    axes.spines[["top", "right"]].set_visible(False)


def limits(axes: Any) -> None:
    """The time of decisions, by their number."""
    count = np.logspace(2, 9, 50)
    axes.loglog(count, count * STEPS * CPU_STEP, color="#55a868", label="CPU, one core (measured per step)")
    axes.loglog(count, count * STEPS * CPU_STEP / 16, color="#55a868", linestyle="--", label="16 such cores")
    kernel = CALL + count * STEPS * F64 / PEAK
    axes.loglog(count, kernel, color="#4c72b0", label="GPU, limit of the kernel")
    axes.loglog(count, np.maximum(kernel, CALL + count * 16 / PCIE), color="#dd8452", linestyle=":", label="GPU, limit with copies")
    axes.set(xlabel="decisions", ylabel="seconds")
    axes.legend(fontsize=8, frameon=False)
    axes.spines[["top", "right"]].set_visible(False)


def main() -> None:
    import matplotlib.pyplot as plt

    matplotlib.rcParams["svg.hashsalt"] = "cogir"
    figure, (above, below) = plt.subplots(2, 1, figsize=(7, 5.5), height_ratios=(1, 2.4), constrained_layout=True)
    streams(above)
    limits(below)
    figure.savefig(FIGURE, metadata={"Date": None})


if __name__ == "__main__":
    from reported import reported

    with reported(FIGURE):
        main()
