"""A noisy drift-diffusion decision that starts anew in each trial: choice and reaction time. Made for this project."""

import psyneulink as pnl


def build() -> pnl.Composition:
    """One node that integrates evidence until it reaches 1 or -1."""
    ddm = pnl.DDM(
        name="DDM",
        function=pnl.DriftDiffusionIntegrator(noise=1.0, threshold=1.0, time_step_size=0.01),
        execute_until_finished=True,
        reset_stateful_function_when=pnl.AtTrialStart(),
    )
    return pnl.Composition(name="DDM_COMP", pathways=[ddm])


if __name__ == "__main__":
    composition = build()
    composition.run(inputs={"DDM": [[0.3], [0.5], [0.1], [-0.4]]}, num_trials=8)
    for decision, time in composition.results:
        print(f"choice {decision[0]:+.0f}   reaction time {time[0]:.2f} s")
