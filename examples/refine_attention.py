"""
How much attention to the prey is best? Found by ranges in a few rounds, beside the hundreds of simulations that they replace.

    python examples/refine_attention.py [figure.png]

As in predator_prey.py, a player pursues a prey and evades a predator, and moves by what it sees of all three. Attention makes an
observation less noisy and has a price. Attention to player and predator is fixed; the loss is the distance of the move from the one that a
player without noise would make, plus the price. `cogir.analyze.refine` halves the range of the attention to the prey round by round, by the
ranges of the loss for all draws within two standard deviations (figure 7 of Distill, CGO 2022, shows this for the same model).
"""

import sys

import numpy as np
import predator_prey

import cogir
from cogir.library import Random, Value, node_function

PRICE = 0.1
INPUTS = {**{name: rows[0] for name, rows in predator_prey.INPUTS.items()}, "ATTENTION": [0.0]}
FIXED = {"ATTENTION/player": 200.0, "ATTENTION/predator": 200.0}
SPACE = (0.0, 10.0)


def attention(start: Value, *, player: float = 200.0, predator: float = 200.0, prey: float = 5.0) -> Value:
    return np.array([player, predator, prey])


def see_player(position: Value, attention: Value, *, random: Random) -> Value:
    """A position with noise, whose standard deviation falls with attention."""
    return position + random.normal(position.shape) / (1.0 + attention[0])


def see_predator(position: Value, attention: Value, *, random: Random) -> Value:
    return position + random.normal(position.shape) / (1.0 + attention[1])


def see_prey(position: Value, attention: Value, *, random: Random) -> Value:
    return position + random.normal(position.shape) / (1.0 + attention[2])


@node_function(outputs=("loss",))
def loss(move: Value, ideal: Value, attention: Value) -> Value:
    """The distance of two moves along both axes, and the price of attention to the prey."""
    difference = np.abs(move - ideal)
    return difference[0] + difference[1] + PRICE * attention[2]


def build() -> cogir.Model:
    """The model, whose parameter `ATTENTION/prey` is to be chosen."""
    model = cogir.Model("attention", seed=1)
    places = {who: model.node(f"{who} POS", input=2) for who in ("PLAYER", "PREDATOR", "PREY")}
    shared = model.node("ATTENTION", attention, input=1)
    move = model.node("MOVE", predator_prey.move, input={"predator": 2, "player": 2, "prey": 2})
    ideal = model.node("IDEAL", predator_prey.move, input={"predator": 2, "player": 2, "prey": 2})
    price = model.node("LOSS", loss, input={"move": 2, "ideal": 2, "attention": 3})
    for who, see in (("PLAYER", see_player), ("PREDATOR", see_predator), ("PREY", see_prey)):
        seen = model.node(f"{who} OBS", see, input={"position": 2, "attention": 3})
        model.project(places[who], seen["position"])
        model.project(shared, seen["attention"])
        model.project(seen, move[who.lower()])
        model.project(places[who], ideal[who.lower()])
    for source, port in ((move, "move"), (ideal, "ideal"), (shared, "attention")):
        model.project(source, price[port])
    for node in (*places.values(), shared):
        model.input(node)
    model.output(price)
    return model


def refined() -> cogir.analyze.Refinement:
    """The best attention to the prey, by ranges."""
    space = {**FIXED, "ATTENTION/prey": SPACE}
    return cogir.analyze.refine(build(), space, INPUTS, objective="LOSS", draws=2.0, draw_parts=4, keep=2, narrow=0.02)


def simulated(levels: int = 100, runs: int = 500) -> tuple[np.ndarray, np.ndarray]:
    """Levels of attention, and the losses of many runs at each of them."""
    compiled = build().compile()
    found = []
    for level in np.linspace(*SPACE, levels):
        compiled.params["ATTENTION/prey"] = level
        found.append(compiled.replicates({name: [row] for name, row in INPUTS.items()}, count=runs, seed=1)["LOSS"].ravel())
    return np.linspace(*SPACE, levels), np.array(found)


def draw(path: str) -> None:
    """The rounds of the refinement, and the simulations that it replaces."""
    from matplotlib import pyplot

    found = refined()
    print(found)
    axes = found.plot()
    levels, losses = simulated()
    axes.plot(np.repeat(levels, losses.shape[1]), losses.ravel(), ".", color="0.75", markersize=1, zorder=0)
    axes.plot(levels, losses.max(axis=1), color="tab:red", linewidth=1, zorder=20, label=f"worst of {losses.shape[1]} runs at 100 levels")
    axes.set_ylim(0.0, 2.5)
    axes.legend(frameon=False)
    pyplot.savefig(path, dpi=120)


if __name__ == "__main__":
    draw(sys.argv[1] if len(sys.argv) > 1 else "refine_attention.png")
