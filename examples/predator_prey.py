"""
A greedy agent pursues a prey and evades a predator; a controller decides how much attention each observation gets.

Attention has a cost, and sets the noise of an observation. After each trial the controller simulates the trial for every
combination of attention levels and takes the best. The wiring of `ACTION` is that of PsyNeuLink's own test model, where the
observations of prey and player arrive at each other's ports.
"""

import numpy as np

import cogir
from cogir import library
from cogir.library import Value, node_function

LEVELS = {"s": [0, 10], "m": [0, 3, 6, 10], "l": [0, 2, 4, 6, 8, 10], "xl": [tenth / 10 for tenth in range(101)]}
"""The attention levels of each observation, as in PsyNeuLink's test."""
INPUTS = {
    "PLAYER POS": [[1.1576537, 0.60782117]],
    "PREDATOR POS": [[-0.03479106, -0.47666293]],
    "PREY POS": [[-0.60836214, 0.1760381]],
}


def length(vector: Value) -> Value:
    """The Euclidean length of a vector in the plane."""
    return np.sqrt(vector[0] * vector[0] + vector[1] * vector[1])


def move(predator: Value, player: Value, prey: Value) -> Value:
    """Away from the predator and towards the prey, each the more the nearer it is; positions are (x, y)."""
    flight = player - predator
    chase = prey - player
    far, near = length(flight), length(chase)
    return flight / far * (near / (far + near)) + chase / near * (far / (far + near))


@node_function(outputs=("outcome",))
def agreement(action: Value, direct: Value) -> Value:
    """One minus a quarter of the summed absolute differences of the two moves."""
    return library.psyneulink.distance(action, direct, metric="normed_L0_similarity")


def build(size: str = "s", prng: str = "mt19937") -> cogir.Model:
    """Sizes s, m, l, xl search 2, 4, 6, 101 levels for each of three observations: 8 to 1,030,301 points per trial."""
    model = cogir.Model(f"predator_prey_{size}")
    position = {who: model.node(f"{who} POS", input=2) for who in ("PLAYER", "PREDATOR", "PREY")}
    seen = {
        who: model.node(f"{who} OBS", library.psyneulink.gaussian_distort, input=2, seed=seed, prng=prng)
        for seed, who in enumerate(("PLAYER", "PREY", "PREDATOR"))
    }
    action = model.node("ACTION", move, input={"predator": 2, "player": 2, "prey": 2})
    direct = model.node("DIRECT MOVE", library.comparator, input={"sample": 2, "target": 2})
    objective = model.node("OBJECTIVE", agreement, input={"action": 2, "direct": 2})
    for who, node in position.items():
        model.project(node, seen[who])
    model.project(position["PLAYER"], direct["sample"])
    model.project(position["PREY"], direct["target"])
    model.project(seen["PREDATOR"], action["predator"])
    model.project(seen["PREY"], action["player"])
    model.project(seen["PLAYER"], action["prey"])
    model.project(action, objective["action"])
    model.project(direct, objective["direct"])
    model.output(action)
    model.control(
        "CONTROL",
        objective=objective,
        direction="minimize",
        signals=[
            cogir.Signal(seen[who].param("variance"), levels=np.array(LEVELS[size], float), cost=True)
            for who in ("PLAYER", "PREDATOR", "PREY")
        ],
    )
    return model


if __name__ == "__main__":
    result = build("m").compile().run(INPUTS, num_trials=3)
    print(result["ACTION"])
