"""
Draws the figure of docs/traces.md.

    pip install -e '.[plot]' && python docs/write_traces.py
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np

matplotlib.use("Agg")
from matplotlib import pyplot

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "examples")]

import traces  # noqa: E402

FIGURE = ROOT / "docs" / "figures" / "traces.png"
SECOND = round(1 / traces.STEP)


def main() -> None:
    result = traces.build().compile().run({"decision": [[1.0]]}, num_trials=2000)
    trace = result.traces["decision"]
    correct = result["decision"][:, 0] > 0
    figure, axes = pyplot.subplots(1, 2, figsize=(11.0, 3.8), layout="constrained", sharey=True)
    trace.plot(range(12), axes=axes[0])
    mean: Any = axes[1]
    mean.spines[["top", "right"]].set_visible(False)
    for name, chosen, colour in (("correct", correct, "#2f6db3"), ("wrong", ~correct, "#d9652b")):
        mean.plot(traces.mean_course(trace, np.flatnonzero(chosen), 2 * SECOND), color=colour, label=f"{name} ({chosen.mean():.0%})")
    mean.set_xlabel("execution")
    mean.set_ylabel("mean decision/value[0]")
    mean.legend(frameon=False)
    for each in axes:
        each.axhline(1.0, color="#30363d", linewidth=0.6)
        each.axhline(-1.0, color="#30363d", linewidth=0.6)
    figure.savefig(FIGURE, dpi=90)


if __name__ == "__main__":
    from reported import reported

    with reported(FIGURE):
        main()
