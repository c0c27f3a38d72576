"""A drift-diffusion decision: evidence is integrated with noise until it reaches a threshold, then choice and reaction time are read."""

import cogir
from cogir import library


def build(prng: str = "mt19937") -> cogir.Model:
    """One node that executes until the evidence reaches 1 or -1, and starts from 0 in every trial."""
    model = cogir.Model("ddm_integrator")
    model.node(
        "DDM",
        library.drift_diffusion_integrator,
        input=1,
        noise=1.0,
        threshold=1.0,
        time_step_size=0.01,
        execute_until_finished=True,
        max_executions_before_finished=2**63 - 1,
        reset_each_trial=True,
        seed=0,
        prng=prng,
    )
    return model


if __name__ == "__main__":
    result = build().compile().run({"DDM": [[0.3], [0.5], [0.1], [-0.4]]}, num_trials=8)
    for value, time in result.results:
        print(f"choice {value[0]:+.0f}   reaction time {time:.2f} s")
