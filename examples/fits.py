"""A fit: from the choices and response times of a decision to drift, threshold and non-decision time, by simulation and by formula."""

from typing import Any

import cogir
from cogir import library

TRIALS = 400
BOUNDS = {"decision/drift": (0.0, 4.0), "decision/threshold": (0.4, 2.5), "decision/non_decision_time": (0.05, 0.6)}
INPUTS = {"decision": [[1.0]]}


def build() -> cogir.Model:
    """Drift diffusion in steps of 5 ms."""
    model = cogir.Model("fits", seed=1)
    model.node(
        "decision",
        library.drift_diffusion_decision,
        drift=1.2,
        threshold=0.9,
        non_decision_time=0.25,
        time_step_size=0.005,
        execute_until_finished=True,
        max_executions_before_finished=4000,
        reset_each_trial=True,
        units={"response_time": "s"},
    )
    return model


def data_of(model: cogir.Model) -> dict[str, Any]:
    """Trials that the model gives, as an experiment would."""
    runs = model.compile().run(INPUTS, num_trials=TRIALS)
    return {name: runs[name].ravel() for name in ("decision/choice", "decision/response_time")}


def main() -> None:
    model = build()
    data = data_of(model)
    simulated = cogir.fit(model, data, BOUNDS, inputs=INPUTS, simulations=5000)
    print(simulated.summary())
    print()
    print(cogir.fit(model, data, BOUNDS, inputs=INPUTS, likelihood="analytical").summary())


if __name__ == "__main__":
    main()
