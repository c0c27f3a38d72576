"""
The Gratton effect: conflict raises attention in the next trial, so that congruency costs less time after incongruent trials (Botvinick et
al. 2001).

    python examples/studies/gratton.py [--trials N] [--figure FILE]
"""

import sys
from pathlib import Path

import numpy as np

import cogir
from cogir import library
from cogir.library import State, Step

sys.path.append(str(Path(__file__).parents[1] / "models"))

from figures import arguments, draw

CONGRUENT, INCONGRUENT = 1.0, -1.0


def attended(target: float, flanker: float, *, attention: float = 0.5) -> float:
    """The evidence for the target: attention takes the flanker away."""
    return target + (1.0 - attention) * flanker


# functions.md: "A function without states may return its outputs directly: one value, or a tuple with one value per port. With states it
# returns a `Step`."
def adapted(target: float, flanker: float, *, rate: float = 0.6, attention: State = 0.5) -> Step:
    """Attention moves up after conflict, and down without it."""
    wanted = 0.9 if target * flanker < 0.0 else 0.1
    attention = attention + rate * (wanted - attention)
    return Step(outputs=(attention,), states=(attention,))


def build() -> cogir.Model:
    """Stimuli, a response whose drift depends on attention, and control that adapts from trial to trial."""
    model = cogir.Model("gratton", seed=1)
    target, flanker = model.node("target", input=()), model.node("flanker", input=())
    evidence = model.node("evidence", attended, input=())
    response = model.node(
        "response",
        library.drift_diffusion_decision,
        noise=1.0,
        threshold=1.0,
        time_step_size=0.01,
        execute_until_finished=True,
        max_executions_before_finished=5000,
        reset_each_trial=True,
        units={"response_time": "s"},
    )
    control = model.node("control", adapted, input=(), initial={"value": 0.5})
    model.project(target, evidence["target"])
    model.project(flanker, evidence["flanker"])
    model.project(evidence, response)
    model.project(target, control["target"])
    model.project(flanker, control["flanker"])
    # running.md: "modulation multiplies a parameter by the current value of the sender, adds that value, or replaces the parameter by it"
    model.modulate(control, evidence.param("attention"), "override")
    # running.md: "default: whenever the nodes before it have run"
    # Control comes before the evidence that it modulates, unless the schedule says that it waits for the response.
    model.schedule.when(evidence, cogir.AllHaveRun(target, flanker))
    model.schedule.when(control, cogir.AllHaveRun(response))
    model.output(response["choice"], response["response_time"])
    return model


def study(replicates: int = 100, trials: int = 400) -> dict[str, float]:
    """The effect of congruency on the response time, in seconds, by the trial before."""
    flankers = np.where(np.random.default_rng(0).random(trials) < 0.5, CONGRUENT, INCONGRUENT)
    # replicates.md: "`num_trials` and the inputs apply to each replicate."
    found = build().compile().replicates({"target": np.ones(trials), "flanker": flankers}, count=replicates)
    times, before, now = found["response", "response_time"][:, 1:], flankers[:-1], flankers[1:]
    effects = {}
    for name, kind in (("after congruent trials", CONGRUENT), ("after incongruent trials", INCONGRUENT)):
        slow, fast = (times[:, (before == kind) & (now == which)].mean() for which in (INCONGRUENT, CONGRUENT))
        effects[name] = float(slow - fast)
    return effects


if __name__ == "__main__":
    given = arguments(__doc__, 100)
    effects = study(given.trials)
    for name, effect in effects.items():
        print(f"congruency costs {effect:.3f} s {name}")

    def paint(axes):
        axes.bar(list(effects), list(effects.values()), width=0.5)
        axes.set(ylabel="effect of congruency (s)")

    draw(given.figure, 1, paint)
