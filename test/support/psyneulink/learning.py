"""
Networks that learn, for PsyNeuLink and cogir beside it.
"""

import itertools

import numpy as np
from support.psyneulink.compare import held, plain

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


def left(composition, returned, context):
    """Everything that learning leaves behind."""
    found = held(composition, context)
    copy = composition.parameters.pytorch_representation.get(context)
    for number, value in enumerate(returned):
        found["result", f"returned {number}"] = plain(value)
    for projection in composition.projections:
        if isinstance(projection, pnl.MappingProjection):
            found["result", f"matrix of {projection.name}"] = np.array(projection.parameters.matrix.get(context))
    for name, parameter in copy.named_parameters():
        found["result", f"PyTorch's {name}"] = parameter.detach().numpy().copy()
        for key, value in copy.optimizer.state.get(parameter, {}).items():
            found["result", f"PyTorch's {name} {key}"] = np.array(value)
        if parameter.grad is not None:
            found["result", f"PyTorch's {name} gradient"] = parameter.grad.numpy().copy()
    for node, wrapper in copy.nodes_map.items():
        if hasattr(getattr(wrapper.function, "function", None), "get_memory"):
            found["result", f"PyTorch's memory of {node.name}"] = wrapper.function.function.get_memory().numpy().copy()
        if getattr(node, "integrator_mode", False):
            found["result", f"PyTorch's integrator of {node.name}"] = wrapper.integrator_previous_value.detach().numpy().copy()
    found["result", "losses"] = np.array(copy.retained_losses)
    found["result", "learning results"] = plain(composition.parameters.learning_results.get(context))
    for name, kept in (("samples", copy.retained_sample_values), ("targets", copy.retained_targets)):
        values = [value.detach().numpy() for batch in kept for value in batch]
        for shape in {value.shape for value in values}:
            found["result", f"{name} {shape}"] = np.array([value for value in values if value.shape == shape])
    found["result", "next random number"] = np.random.random()
    return found
