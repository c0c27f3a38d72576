"""
Networks that learn, for PsyNeuLink and cogir beside it.
"""

import itertools

import numpy as np

import psyneulink as pnl

TRIALS = 7


def random(*shape):
    """Numbers that are the same each time."""
    return np.random.default_rng(sum(shape)).normal(size=shape).round(2)


def layers(*sizes, function=pnl.Logistic, last=None, projection=lambda k: {}, **settings):
    """A chain of layers."""
    composition = pnl.AutodiffComposition(name="net", **settings)
    nodes = []
    for number, size in enumerate(sizes):
        kind = pnl.Linear if number == 0 else last or function if number == len(sizes) - 1 else function
        nodes.append(pnl.TransferMechanism(name=f"n{number}", input_shapes=size, function=kind()))
        composition.add_node(nodes[-1])
    for number, (one, two) in enumerate(itertools.pairwise(nodes)):
        given = {"matrix": random(len(one.defaults.value[0]), len(two.defaults.value[0])), "name": f"p{number}", **projection(number)}
        composition.add_projection(pnl.MappingProjection(sender=one, receiver=two, **given))
    return composition, {nodes[0]: random(TRIALS, sizes[0])}, {nodes[-1]: random(TRIALS, sizes[-1])}
