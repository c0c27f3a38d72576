"""Expected value of control: how strongly to attend to target and flanker before a drift-diffusion decision (Shenhav et al. 2013)."""

import numpy as np

import cogir
from cogir import library
from cogir.library import Random, Value, node_function

LEVELS = 0.1 + 0.1125 * np.arange(9)


@node_function(outputs=("decision_outcome", "response_time", "probability_upper"))
def decide(variable: Value, *, threshold: Value = 0.6, noise: Value = 0.5, non_decision_time: Value = 0.2, random: Random) -> Value:
    """The closed-form decision; its outcome is 1 at the upper threshold and 0 at the lower."""
    decision, time, upper, *_ = library.psyneulink.drift_diffusion_analytical(
        variable, threshold=threshold, noise=noise, non_decision_time=non_decision_time, random=random
    )
    return 1.0 if decision > 0.0 else 0.0, time, upper


@node_function(outputs=("outcome",))
def reward_rate(reward: Value, probability: Value, time: Value) -> Value:
    """Reward times its probability times minus the time it takes, as PsyNeuLink combines the three."""
    return reward * probability * (-1.0 * time)


def build() -> cogir.Model:
    """Target and flanker feed one decision; a controller searches 9 x 9 gains."""
    model = cogir.Model("evc_ddm", prng="mt19937")
    target = model.node("Target", library.linear, input=1)
    flanker = model.node("Flanker", library.linear, input=1)
    reward = model.node("Reward", library.linear, input=1)
    decision = model.node("Decision", decide, input=1, seed=0)
    objective = model.node("OBJECTIVE", reward_rate, input={"reward": 1, "probability": (), "time": ()})
    model.project(target, decision)
    model.project(flanker, decision)
    model.project(reward, objective["reward"])
    model.project(decision["probability_upper"], objective["probability"])
    model.project(decision["response_time"], objective["time"])
    model.output(decision)
    model.output(reward)
    model.control(
        "CONTROL",
        objective=objective,
        direction="maximize",
        signals=[cogir.Signal(node.param("slope"), levels=LEVELS) for node in (target, flanker)],
    )
    return model


if __name__ == "__main__":
    result = build().compile().run({"Target": [[1.0], [0.5]], "Flanker": [[-0.5], [0.7]], "Reward": [[10.0], [20.0]]}, num_trials=4)
    print(result["Decision", "response_time"])
