"""
Drift diffusion with constant and collapsing bounds: collapsing bounds cut off the long tail of slow decisions (Hawkins et al. 2015).

    python examples/models/collapsing_bounds.py [--trials N] [--figure FILE]
"""

from __future__ import annotations

from typing import Any

import numpy as np
from figures import arguments, pyplot, write

from cogir import Model, library

BOUNDS: dict[str, dict[str, Any]] = {
    "constant": {"bound": "constant"},
    "linear": {"bound": "linear", "collapse_time": 2.5},
    "exponential": {"bound": "exponential", "collapse_time": 1.5},
    "weibull": {"bound": "weibull", "collapse_time": 1.0, "collapse_shape": 3.0, "asymptote": 0.2},
}


def build(**bound: Any) -> Model:
    """One decision with the drift 1 and noise 1, for times in seconds."""
    model = Model("decision")
    model.node(
        "decision",
        library.drift_diffusion_decision,
        input=1,
        non_decision_time=0.3,
        time_step_size=0.002,
        execute_until_finished=True,
        max_executions_before_finished=1_000_000,
        reset_each_trial=True,
        **bound,
    )
    return model


def main() -> None:
    chosen = arguments("Drift diffusion with constant and collapsing bounds.", 100_000)
    times: dict[str, Any] = {}
    for name, bound in BOUNDS.items():
        found = build(**bound).compile().replicates({"decision": [[1.0]]}, count=chosen.trials, seed=1)
        correct, times[name] = found["decision", "choice"][:, 0] > 0.0, found["decision", "response_time"][:, 0]
        median, slow = np.quantile(times[name], [0.5, 0.95])
        print(f"{name:11}  correct {correct.mean():.3f}   median {median:.3f} s   95 % of responses before {slow:.3f} s")
    if chosen.figure:
        figure, axes = pyplot().subplots(figsize=(6, 4))
        for name, values in times.items():
            axes.hist(values, bins=np.linspace(0.3, 3.0, 109), histtype="step", density=True, label=name)
        axes.set(xlabel="response time (s)", ylabel="density", title="Bounds and response times")
        axes.legend()
        write(figure, chosen.figure)


if __name__ == "__main__":
    main()
