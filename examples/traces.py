"""The course of decisions: evidence over time, recorded at each step, and its mean before correct and before wrong choices."""

import numpy as np
import numpy.typing as npt

import cogir
from cogir import library

STEP = 0.01
Floats = npt.NDArray[np.float64]


def build() -> cogir.Model:
    """A drift-diffusion model that records the evidence after each step."""
    model = cogir.Model("decisions", seed=1)
    decision = model.node(
        "decision",
        library.drift_diffusion_integrator,
        rate=0.8,
        noise=1.0,
        threshold=1.0,
        time_step_size=STEP,
        max_executions_before_finished=10_000,
        execute_until_finished=True,
        reset_each_trial=True,
    )
    model.record(decision["value"])
    return model


def mean_course(trace: cogir.Trace, trials: npt.NDArray[np.int64], steps: int) -> Floats:
    """The mean evidence of some trials, (steps,), each counted from its beginning and kept at the threshold that it has reached."""
    total = np.zeros(steps)
    for trial in trials:
        course = trace[int(trial)][:, 0]
        total += course[np.minimum(np.arange(steps), len(course) - 1)]
    return total / len(trials)


def main() -> None:
    result = build().compile().run({"decision": [[1.0]]}, num_trials=2000)
    trace = result.traces["decision"]
    correct = result["decision"][:, 0] > 0
    print(f"{len(trace.values):,} steps of {len(trace):,} decisions, {correct.mean():.1%} correct")
    for name, chosen in (("correct", correct), ("wrong", ~correct)):
        course = mean_course(trace, np.flatnonzero(chosen), 100)
        print(f"mean evidence before {name} choices after 0.1, 0.5 and 1 s: {course[9]:.2f}, {course[49]:.2f}, {course[99]:.2f}")


if __name__ == "__main__":
    main()
