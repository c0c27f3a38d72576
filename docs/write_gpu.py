"""
Draws the figure of docs/gpu.md: two streams of a call, and the times of drift-diffusion decisions on a CPU and on a GPU.

    pip install -e '.[plot]' && python docs/write_gpu.py
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib
import numpy as np

matplotlib.use("Agg")

FIGURE = Path(__file__).parent / "figures" / "gpu.svg"
STEPS, F64 = 83, 93
"""Steps of a decision, and f64 instructions of a step (`benchmarks/gpu/prepare.py`)."""
PEAK = 132 * 64 * 1.98e9
"""f64 instructions per second of an H200: multiprocessors, instructions in a cycle, cycles in a second."""
NONE = float("nan")
MEASURED = (
    (1e3, 0.00045, 0.0053, 0.00045, 0.00015),
    (1e4, 0.0036, 0.0059, 0.0009, 0.0002),
    (1e5, 0.032, 0.0119, 0.0022, 0.0005),
    (1e6, 0.349, 0.038, 0.017, 0.0020),
    (1e7, 2.4, 0.282, 0.25, 0.017),
    (5e7, NONE, 1.325, 1.044, 0.085),
)
"""Decisions, and the seconds of one thread, of 16, of a call on an H200 and of its kernel: the table of the page."""


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


def measured(axes: Any) -> None:
    """The time of decisions, by their number."""
    names = ("CPU, one thread", "CPU, 16 threads", "GPU, whole call", "GPU, its kernel")
    looks = (("#55a868", "-"), ("#55a868", "--"), ("#dd8452", "-"), ("#4c72b0", "-"))
    for number, (name, (colour, line)) in enumerate(zip(names, looks, strict=True), 1):
        seconds = np.array([row[number] for row in MEASURED], float)
        axes.loglog([row[0] for row in MEASURED], seconds, color=colour, linestyle=line, marker="o", markersize=3, label=name)
    count = np.logspace(4, 8, 20)
    axes.loglog(count, count * STEPS * F64 / PEAK, color="#4c72b0", linestyle=":", label="GPU, limit by f64 instructions")
    axes.set(xlabel="decisions", ylabel="seconds")
    axes.legend(fontsize=8, frameon=False)
    axes.spines[["top", "right"]].set_visible(False)


def main() -> None:
    import matplotlib.pyplot as plt

    matplotlib.rcParams["svg.hashsalt"] = "cogir"
    figure, (above, below) = plt.subplots(2, 1, figsize=(7, 5.5), height_ratios=(1, 2.4), constrained_layout=True)
    streams(above)
    measured(below)
    figure.savefig(FIGURE, metadata={"Date": None})


if __name__ == "__main__":
    from reported import reported

    with reported(FIGURE):
        main()
