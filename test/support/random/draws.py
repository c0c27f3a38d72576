"""Random models that draw from all distributions, with each kind of generator: one or two nodes that always run."""

from random import Random as Source

from support.random.models import Drawn
from support.random.nodes import several_draws

import cogir


def random_draws(source: Source) -> Drawn:
    """A stimulus, and one or two nodes that draw."""
    model, size = cogir.Model("draws"), source.choice((1, 2, 3))
    stimulus = before = model.node("stimulus", input=size)
    for name in ("first", "second")[: source.randint(1, 2)]:
        prng = source.choice(("mt19937", "philox4x64", "xoshiro256"))
        node = model.node(name, several_draws, input=size, prng=prng, seed=source.randint(0, 99), mean=source.uniform(-1.0, 9.0))
        model.project(before, node)
        model.output(node)
        before = node
    model.input(stimulus)
    inputs = {"stimulus": [[source.uniform(-9.0, 9.0) for _ in range(size)] for _ in range(2)]}
    return Drawn(model, inputs, source.randint(2, 5), {})
