"""
Hick's law: response times of leaky competing accumulators grow with the logarithm of the alternatives (Usher and McClelland 2001).

    python examples/studies/hicks_law.py [--trials N] [--figure FILE]

The accumulators are a function of one's own. Their noise is such that with 2 to 8 alternatives about 9 of 10 choices are right.
"""

import sys
from collections.abc import Iterable
from pathlib import Path

import numpy as np

import cogir
from cogir.library import Random, State, Step, Value, node_function

sys.path.append(str(Path(__file__).parents[1] / "models"))

from figures import arguments, draw

NUMBERS = range(2, 9)
"""The numbers of alternatives."""


# functions.md: "The function of a node is a plain Python function."
# functions.md: "A function without states may return its outputs directly: one value, or a tuple with one value per port. With states it
# returns a `Step`."
@node_function(outputs=("chosen", "response_time"))
def accumulators(
    evidence: Value,
    *,
    leak: float = 0.5,
    inhibition: float = 1.0,
    noise: float = 0.35,
    threshold: float = 1.0,
    dt: float = 0.01,
    activity: State = 0.0,
    time: State = 0.0,
    random: Random,
) -> Step:
    """A step of accumulators that leak and inhibit each other, and never fall below 0."""
    others = np.sum(activity) - activity
    change = (evidence - leak * activity - inhibition * others) * dt + noise * np.sqrt(dt) * random.normal(evidence.shape)
    activity = np.maximum(activity + change, 0.0)
    time = time + dt
    return Step(
        outputs=(np.argmax(activity), 0.2 + time),
        states=(activity, time),
        finished=np.max(activity) >= threshold,
    )


def build(alternatives: int) -> cogir.Model:
    """The choice between so many alternatives."""
    model = cogir.Model(f"choice_of_{alternatives}", seed=alternatives)
    # running.md: "`execute_until_finished=True` repeats the node within one execution until it has finished, at most
    # `max_executions_before_finished` times"
    # running.md: "`reset_each_trial=True` is short for `m.schedule.reset(node, cogir.AtTrialStart())`."
    model.node(
        "choice",
        accumulators,
        input=alternatives,
        execute_until_finished=True,
        max_executions_before_finished=10_000,
        reset_each_trial=True,
        units={"response_time": "s"},
    )
    return model


def study(trials: int = 2000, numbers: Iterable[int] = NUMBERS) -> dict[int, tuple[float, float]]:
    """The share of right choices and their mean response time, in seconds, by the number of alternatives."""
    found = {}
    for alternatives in numbers:
        stimulus = np.full(alternatives, 1.0)
        stimulus[0] = 2.0
        # replicates.md: "Each replicate begins where the model begins, and has its own random streams; the context is not modified."
        results = build(alternatives).compile().replicates({"choice": [stimulus]}, count=trials)
        right = results["choice", "chosen"] == 0
        found[alternatives] = (float(right.mean()), float(results["choice", "response_time"][right].mean()))
    return found


def line(found: dict[int, tuple[float, float]]) -> tuple[float, float, float]:
    """Intercept and slope of the response time over log2 of the number of alternatives, and the share of its variance that they explain."""
    bits, times = np.log2(list(found)), np.array([time for _, time in found.values()])
    slope, intercept = np.polyfit(bits, times, 1)
    return float(intercept), float(slope), float(np.corrcoef(bits, times)[0, 1] ** 2)


if __name__ == "__main__":
    given = arguments(__doc__, 2000)
    found = study(given.trials)
    for alternatives, (right, time) in found.items():
        print(f"{alternatives} alternatives: {right:.1%} right, {time:.3f} s")
    intercept, slope, explained = line(found)
    print(f"response time = {intercept:.3f} s + {slope:.3f} s * log2(n), which explains {explained:.1%} of its variance")

    def paint(axes):
        axes.plot(list(found), [time for _, time in found.values()], "o")
        axes.plot(list(found), intercept + slope * np.log2(list(found)), color="0.5")
        axes.set(xscale="log", xticks=list(found), xticklabels=list(found), xlabel="alternatives", ylabel="response time (s)")
        axes.minorticks_off()

    draw(given.figure, 1, paint)
