"""The drift-diffusion model in closed form: probabilities and moments of the reaction times, and one drawn decision."""

import cogir
from cogir import library


def build() -> cogir.Model:
    """An input node and a decision node whose response probability and mean reaction time are the results."""
    model = cogir.Model("ddm_analytical", prng="mt19937")
    stimulus = model.node("IN", input=1)
    ddm = model.node(
        "DDM", library.psyneulink.drift_diffusion_analytical, input=1, threshold=0.45, noise=0.5, non_decision_time=0.2, seed=0
    )
    model.project(stimulus, ddm)
    model.output(ddm["probability_upper"])
    model.output(ddm["response_time"])
    return model


if __name__ == "__main__":
    result = build().compile().run({"IN": [[0.3], [0.5], [0.1], [0.0], [-0.4]]}, num_trials=5)
    for probability, time in result.results:
        print(f"upper threshold with probability {probability:.3f}, after {time:.3f} s on average")
