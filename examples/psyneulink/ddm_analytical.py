"""The drift-diffusion model in closed form: probability of a correct response and mean reaction time. Made for this project."""

import psyneulink as pnl


def build() -> pnl.Composition:
    """An input node and a decision node."""
    stimulus = pnl.ProcessingMechanism(name="IN")
    ddm = pnl.DDM(
        name="DDM",
        function=pnl.DriftDiffusionAnalytical(drift_rate=1.0, threshold=0.45, noise=0.5, non_decision_time=0.2),
        output_ports=[pnl.PROBABILITY_UPPER_THRESHOLD, pnl.RESPONSE_TIME],
    )
    return pnl.Composition(name="DDM_AN", pathways=[[stimulus, ddm]])


if __name__ == "__main__":
    composition = build()
    composition.run(inputs={"IN": [[0.3], [0.5], [0.1], [0.0], [-0.4]]})
    for probability, time in composition.results:
        print(f"upper threshold with probability {probability[0]:.3f}, after {time[0]:.3f} s on average")
