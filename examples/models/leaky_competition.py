"""
The leaky competing accumulator: strong inhibition gives weight to early evidence, strong leak to late evidence (Usher and McClelland 2001).

    python examples/models/leaky_competition.py [--trials N] [--figure FILE]

Of two alternatives, one gets more evidence in the first half of a trial and the other one in the second half. The accumulators are read at
the end of the trial: the threshold is infinite.
"""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np
from figures import arguments, pyplot, write

import cogir
from cogir import library

STEPS, STEP = 200, 0.01
BALANCES = {"leak dominates": (4.0, 1.0), "balanced": (2.5, 2.5), "inhibition dominates": (1.0, 4.0)}
"""Leak and inhibition."""


def build(leak: float, inhibition: float, threshold: float, **options: Any) -> cogir.Model:
    """Two competing accumulators."""
    model = cogir.Model("competition")
    model.node(
        "accumulators",
        library.leaky_competing_decision,
        input=2,
        leak=leak,
        inhibition=inhibition,
        threshold=threshold,
        noise=0.3,
        starting_value=0.6,
        time_step_size=STEP,
        **options,
    )
    return model


def main() -> None:
    chosen = arguments("The leaky competing accumulator.", 5_000)
    evidence = np.full((STEPS, 2), 3.0)
    evidence[: STEPS // 2, 0] += 0.3
    evidence[STEPS // 2 :, 1] += 0.3
    courses = {}
    for name, (leak, inhibition) in BALANCES.items():
        # One trial of the model for each step: the input changes from step to step, and the state is kept.
        compiled = build(leak, inhibition, inf, reset_each_trial=False).compile()
        values = compiled.replicates({"accumulators": evidence}, count=chosen.trials, seed=1)["accumulators", "value"]
        early = np.mean(values[:, -1, 0] > values[:, -1, 1])
        courses[name] = values.mean(axis=0)
        print(f"{name:21}  the alternative with the early evidence is ahead in {early:.3f} of the trials")
    compiled = build(1.0, 4.0, 1.0, execute_until_finished=True, max_executions_before_finished=100_000, reset_each_trial=True).compile()
    found = compiled.replicates({"accumulators": [[3.3, 3.0]]}, count=chosen.trials, seed=2)
    correct, times = found["accumulators", "choice"] == 0.0, found["accumulators", "response_time"]
    print(f"with a threshold of 1 and constant evidence: correct {correct.mean():.3f}, mean response time {times.mean():.3f} s")
    if chosen.figure:
        figure, panels = pyplot().subplots(1, 3, figsize=(10, 3.5), sharey=True)
        for axes, (name, course) in zip(panels, courses.items(), strict=True):
            axes.plot(STEP * np.arange(1, STEPS + 1), course, label=["early evidence", "late evidence"])
            axes.set(xlabel="time (s)", title=name)
        panels[0].set_ylabel("mean activation")
        panels[0].legend()
        write(figure, chosen.figure)


if __name__ == "__main__":
    main()
