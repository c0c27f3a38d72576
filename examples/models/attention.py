"""
The attentional drift-diffusion model: the longer an item is looked at, the more often it is chosen (Krajbich, Armel and Rangel 2010).

    python examples/models/attention.py [--trials N] [--figure FILE]

The items have equal values. Decisions are grouped by the advantage of the first item in gaze: the difference of the shares of the time in
which the first and the second item were looked at.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from figures import arguments, pyplot, write

import cogir
from cogir import library

EDGES = np.linspace(-1.0, 1.0, 9)
DISCOUNTS = [0.3, 1.0]
"""The weight of the item that is not looked at: 0.3 in the paper; with 1, gaze has no effect."""


def main() -> None:
    chosen = arguments("The attentional drift-diffusion model.", 100_000)
    model = cogir.Model("decision")
    model.node(
        "decision",
        library.attentional_decision,
        input=2,
        time_step_size=0.005,
        execute_until_finished=True,
        max_executions_before_finished=1_000_000,
        reset_each_trial=True,
    )
    compiled = model.compile()
    curves = {}
    for discount in DISCOUNTS:
        compiled.params["decision/discount"] = discount
        found = compiled.replicates({"decision": [[3.0, 3.0]]}, count=chosen.trials, seed=1)
        first, gaze = found["decision", "choice"][:, 0] > 0.0, found["decision", "gaze"][:, 0]
        advantage = 2.0 * gaze - 1.0
        print(f"discount {discount}: mean response time {found['decision', 'response_time'].mean():.3f} s")
        groups = np.clip(np.digitize(advantage, EDGES) - 1, 0, len(EDGES) - 2)
        curve = []
        for group, (low, high) in enumerate(pairwise(EDGES)):
            own = first[groups == group]
            curve.append(own.mean() if len(own) else np.nan)
            print(f"  gaze advantage {low:+.2f} to {high:+.2f}   the first item is chosen in {curve[-1]:.3f} of {len(own)} trials")
        curves[discount] = curve
    if chosen.figure:
        figure, axes = pyplot().subplots(figsize=(6, 4))
        for discount, curve in curves.items():
            axes.plot((EDGES[1:] + EDGES[:-1]) / 2.0, curve, "o-", label=f"discount {discount:g}")
        axes.set(xlabel="gaze advantage of the first item", ylabel="share of choices of the first item", ylim=(0, 1))
        axes.legend()
        write(figure, chosen.figure)


if __name__ == "__main__":
    main()
