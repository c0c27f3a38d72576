"""Expected value of control: how much to attend to target and flanker before a decision (Shenhav et al. 2013). Made for this project."""

import numpy as np
import psyneulink as pnl

LEVELS = list(0.1 + 0.1125 * np.arange(9))


def build() -> pnl.Composition:
    """Target and flanker feed one decision; a controller searches 9 x 9 gains for the largest reward times probability per time."""
    target = pnl.TransferMechanism(name="Target")
    flanker = pnl.TransferMechanism(name="Flanker")
    reward = pnl.TransferMechanism(name="Reward")
    decision = pnl.DDM(
        name="Decision",
        function=pnl.DriftDiffusionAnalytical(drift_rate=1.0, threshold=0.6, noise=0.5, non_decision_time=0.2),
        output_ports=[pnl.DECISION_OUTCOME, pnl.RESPONSE_TIME, pnl.PROBABILITY_UPPER_THRESHOLD],
    )
    composition = pnl.Composition(name="EVC")
    composition.add_linear_processing_pathway([target, decision])
    composition.add_linear_processing_pathway([flanker, decision])
    composition.add_node(reward)
    objective = pnl.ObjectiveMechanism(
        function=pnl.LinearCombination(operation=pnl.PRODUCT),
        monitor=[
            reward,
            decision.output_ports[pnl.PROBABILITY_UPPER_THRESHOLD],
            (decision.output_ports[pnl.RESPONSE_TIME], -1, 1),
        ],
    )
    controller = pnl.OptimizationControlMechanism(
        agent_rep=composition,
        state_features=[target, flanker, reward],
        objective_mechanism=objective,
        function=pnl.GridSearch(direction=pnl.MAXIMIZE, save_values=True),
        control_signals=[
            pnl.ControlSignal(modulates=("slope", node), allocation_samples=LEVELS, cost_options=pnl.CostFunctions.NONE)
            for node in (target, flanker)
        ],
    )
    composition.add_controller(controller)
    return composition


if __name__ == "__main__":
    evc = build()
    evc.run(inputs={"Target": [[1.0], [0.5]], "Flanker": [[-0.5], [0.7]], "Reward": [[10.0], [20.0]]}, num_trials=4)
    for decision, time, probability, reward in evc.results:
        print(f"upper threshold with probability {probability[0]:.3f} after {time[0]:.3f} s for {reward[0]:.0f}")
