"""
A greedy agent pursues a prey and evades a predator, after PsyNeuLink's tests/models/test_greedy_agent.py.

A controller decides how much attention each observation gets: attention has a cost, and sets the noise of an observation.
`python predator_prey.py [S|M|L|XL] [MT19937|Philox]`: the size is that of the grid searched after each trial, 8 to 1,030,301 points.
The wiring of ACTION is that of PsyNeuLink's test, where the observations of prey and player arrive at each other's ports.
"""

import sys

import numpy as np
import psyneulink as pnl
from psyneulink.core.globals.utilities import _SeededPhilox

LEVELS = {"S": [0, 10], "M": [0, 3, 6, 10], "L": [0, 2, 4, 6, 8, 10], "XL": [a / 10 for a in range(101)]}


def action_fn(variable):
    """Away from the predator and towards the prey, each the more the nearer it is; positions are (x, y)."""
    predator = variable[0]
    player = variable[1]
    prey = variable[2]
    flight = player - predator
    chase = prey - player
    far = (flight[0] * flight[0] + flight[1] * flight[1]) ** 0.5
    near = (chase[0] * chase[0] + chase[1] * chase[1]) ** 0.5
    return (flight / far) * (near / (far + near)) + (chase / near) * (far / (far + near))


def build(size: str = "S", prng: str = "MT19937") -> pnl.Composition:
    """Observations of three positions, a move, and a controller that searches the attention levels."""
    player = pnl.ProcessingMechanism(name="PLAYER POS", input_shapes=2)
    prey = pnl.ProcessingMechanism(name="PREY POS", input_shapes=2)
    predator = pnl.ProcessingMechanism(name="PREDATOR POS", input_shapes=2)
    player_seen = pnl.ProcessingMechanism(name="PLAYER OBS", input_shapes=2, function=pnl.GaussianDistort)
    prey_seen = pnl.ProcessingMechanism(name="PREY OBS", input_shapes=2, function=pnl.GaussianDistort)
    predator_seen = pnl.TransferMechanism(name="PREDATOR OBS", input_shapes=2, function=pnl.GaussianDistort)
    action = pnl.ProcessingMechanism(
        name="ACTION", default_variable=np.zeros((3, 2)), input_ports=["predator", "player", "prey"], function=action_fn
    )
    direct = pnl.ComparatorMechanism(name="DIRECT MOVE", sample=player, target=prey)

    agent = pnl.Composition(name="PREDATOR-PREY COMPOSITION")
    agent.add_linear_processing_pathway([player, player_seen])
    agent.add_linear_processing_pathway([prey, prey_seen])
    agent.add_linear_processing_pathway([predator, predator_seen])
    agent.add_node(action)
    agent.add_node(direct)
    for seen, port in ((predator_seen, "predator"), (prey_seen, "player"), (player_seen, "prey")):
        agent.add_projection(pnl.MappingProjection(seen, action.input_ports[port]))
    agent.exclude_node_roles(direct, pnl.NodeRole.OUTPUT)

    controller = pnl.OptimizationControlMechanism(
        agent_rep=agent,
        state_features=[player, prey, predator],
        objective_mechanism=pnl.ObjectiveMechanism(function=pnl.Distance(metric=pnl.NORMED_L0_SIMILARITY), monitor=[action, direct]),
        function=pnl.GridSearch(direction=pnl.MINIMIZE, save_values=True),
        control_signals=[
            pnl.ControlSignal(modulates=("variance", seen), allocation_samples=LEVELS[size], cost_options=pnl.CostFunctions.INTENSITY)
            for seen in (player_seen, predator_seen, prey_seen)
        ],
    )
    agent.add_controller(controller)
    agent.enable_controller = True
    if prng == "Philox":
        for seed, node in enumerate((player_seen, prey_seen, predator_seen, controller)):
            node.function.parameters.random_state.set(_SeededPhilox([seed]))
    return agent


if __name__ == "__main__":
    agent = build(*sys.argv[1:])
    positions = {
        "PLAYER POS": [[1.1576537, 0.60782117]],
        "PREDATOR POS": [[-0.03479106, -0.47666293]],
        "PREY POS": [[-0.60836214, 0.1760381]],
    }
    agent.run(inputs=positions, num_trials=2)
    print(np.array(agent.results))
