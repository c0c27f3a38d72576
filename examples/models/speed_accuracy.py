"""
The trade-off of speed and accuracy: higher thresholds make decisions slower and more often correct (Bogacz et al. 2006).

    python examples/models/speed_accuracy.py [--trials N] [--figure FILE]
"""

from __future__ import annotations

import numpy as np
from figures import arguments, pyplot, write

import cogir
from cogir import library

THRESHOLDS = [0.2, 0.4, 0.6, 0.8, 1.0, 1.25, 1.5, 2.0]
DRIFT = 1.0


def main() -> None:
    chosen = arguments("The trade-off of speed and accuracy.", 100_000)
    model = cogir.Model("decision")
    model.node(
        "decision",
        library.drift_diffusion_decision,
        input=1,
        non_decision_time=0.3,
        time_step_size=0.001,
        execute_until_finished=True,
        max_executions_before_finished=1_000_000,
        reset_each_trial=True,
    )
    compiled = model.compile()
    times, shares = [], []
    for threshold in THRESHOLDS:
        compiled.params["decision/threshold"] = threshold  # no compilation is needed
        found = compiled.replicates({"decision": [[DRIFT]]}, count=chosen.trials, seed=1)
        times.append(found["decision", "response_time"].mean())
        shares.append((found["decision", "choice"] > 0.0).mean())
        exact = 1.0 / (1.0 + np.exp(-2.0 * DRIFT * threshold))
        print(f"threshold {threshold:.2f}   mean response time {times[-1]:.3f} s   correct {shares[-1]:.3f} (in closed form {exact:.3f})")
    if chosen.figure:
        figure, axes = pyplot().subplots(figsize=(6, 4))
        axes.plot(times, shares, "o-")
        for threshold, x, y in zip(THRESHOLDS, times, shares, strict=True):
            axes.annotate(f"{threshold:g}", (x, y), textcoords="offset points", xytext=(6, -10))
        axes.set(xlabel="mean response time (s)", ylabel="share of correct choices", title="Speed and accuracy, by threshold")
        write(figure, chosen.figure)


if __name__ == "__main__":
    main()
