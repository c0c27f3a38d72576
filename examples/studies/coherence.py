"""
Moving dots: drift grows with coherence, and instructions move the threshold (Palmer, Huk and Shadlen 2005).

    python examples/studies/coherence.py [--trials N] [--figure FILE]

Data of three subjects are simulated, and each is fitted by the formula for drift diffusion.
"""

import sys
from pathlib import Path

import numpy as np

import cogir
from cogir import library

sys.path.append(str(Path(__file__).parents[1] / "models"))

from figures import arguments, draw

COHERENCES, INSTRUCTIONS = np.array([0.032, 0.064, 0.128, 0.256, 0.512]), ("speed", "accuracy")
TRUTH = {
    "ann": {"gain": 8.0, "speed": 0.6, "accuracy": 1.1, "delay": 0.3},
    "bo": {"gain": 5.0, "speed": 0.7, "accuracy": 1.3, "delay": 0.35},
    "cy": {"gain": 12.0, "speed": 0.5, "accuracy": 0.9, "delay": 0.25},
}


def build() -> cogir.Model:
    """A decision whose evidence is the coherence times a gain."""
    model = cogir.Model("dots", seed=1)
    coherence = model.node("coherence", library.linear, input=1, slope=1.0)
    decision = model.node(
        "decision",
        library.drift_diffusion_decision,
        time_step_size=0.001,
        execute_until_finished=True,
        max_executions_before_finished=10_000,
        reset_each_trial=True,
        units={"response_time": "s"},
    )
    model.project(coherence, decision)
    return model


def simulated(trials: int) -> dict[str, np.ndarray]:
    """Columns of the data: so many trials of each subject, coherence and instruction."""
    compiled, columns = build().compile(), {name: [] for name in ("subject", "instruction", "coherence", "choice", "rt")}
    for subject, true in TRUTH.items():
        for instruction in INSTRUCTIONS:
            # sweeps.md: "the input of a node (`ddm`: a trial for each point, or `(points, trials, elements)`)"
            points = {"coherence": COHERENCES}
            # running.md: "A run continues from the state of the previous run in the same context; runs in different contexts are
            # independent."
            context = compiled.context(f"{subject}, {instruction}")
            context.params["coherence/slope"] = true["gain"]
            context.params["decision/threshold"] = true[instruction]
            context.params["decision/non_decision_time"] = true["delay"]
            found = compiled.sweep(points, replicates=trials, context=context)
            count = trials * len(COHERENCES)
            columns["subject"] += [subject] * count
            columns["instruction"] += [instruction] * count
            columns["coherence"] += np.repeat(COHERENCES, trials).tolist()
            columns["choice"] += found["decision", "choice"].ravel().tolist()
            columns["rt"] += found["decision", "response_time"].ravel().tolist()
    return {name: np.array(values) for name, values in columns.items()}


def study(trials: int = 60) -> tuple[dict[str, np.ndarray], cogir.Fits]:
    """The data, and the fit of each subject."""
    data = simulated(trials)
    # fits.md: "A formula needs the input of the decision in each trial."
    # fits.md: "`depends_on={"ddm/drift": "difficulty"}` | a parameter for each value of a column, or of several columns"
    # fits.md: "`subject="subject"` | each subject by itself: the result is a mapping from subjects to fits"
    fits = cogir.fit(
        build(),
        data,
        free={"coherence/slope": (0, 25), "decision/threshold": (0.2, 2.5), "decision/non_decision_time": (0.05, 0.6)},
        depends_on={"decision/threshold": "instruction"},
        response={"decision/choice": "choice", "decision/response_time": "rt"},
        subject="subject",
        likelihood="analytical",
        intervals="hessian",
    )
    return data, fits


if __name__ == "__main__":
    given = arguments(__doc__, 60)
    data, fits = study(given.trials)
    for subject, found in fits.items():
        estimates = {name: round(value, 3) for name, value in found.parameters.items()}
        print(f"{subject}: {estimates}; true: {TRUTH[subject]}")

    def paint(axes):
        for place, instruction in enumerate(INSTRUCTIONS):
            chosen = [(data["instruction"] == instruction) & (data["coherence"] == one) for one in COHERENCES]
            axes.plot(COHERENCES, [data["rt"][rows].mean() for rows in chosen], f"C{place}o-", label=instruction)
        axes.set(xscale="log", xlabel="coherence", ylabel="response time (s)", title="data of three subjects")
        axes.legend()

    draw(given.figure, 1, paint)
