"""
Compositions that learn in PsyNeuLink's Python mode, in PsyNeuLink itself and natively, and everything that the two leave compared.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any, TypeAlias

import numpy as np
from support.psyneulink.compare import Held, differences, held
from support.psyneulink.golden import fresh

import psyneulink as pnl
from cogir.psyneulink import accelerate

Calls: TypeAlias = Sequence[Callable[[str], Any]]
"""Calls of `learn` and `run`, which take the name of an execution context."""
Build: TypeAlias = Callable[[], tuple[Any, Calls]]
"""Makes a Composition, and calls to make in turn."""

CONTEXT = "c"
NATIVE, OWN = "cogir", "PsyNeuLink"
ORDER = (NATIVE, NATIVE, OWN, NATIVE)
"""Who makes each of the calls."""


def learned_otherwise(build: Build, order: Sequence[str] = ORDER, context: str = CONTEXT) -> list[str]:
    """What PsyNeuLink and cogir leave differently after the first call in which they do, a line each; `order`: who makes the calls."""
    expected = made(build, [OWN] * len(order), context)
    for number, (wanted, found) in enumerate(zip(expected, made(build, order, context), strict=True)):
        lines = list(differences(wanted, found))
        if lines:
            return [f"call {number + 1} ({order[number]}): {line}" for line in lines]
    return []


def made(build: Build, order: Sequence[str], context: str) -> list[Held]:
    """What each call has returned and left."""
    fresh()
    np.random.seed(3)
    found: list[Held] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        composition, calls = build()
        for who, call in zip(order, itertools.cycle(calls), strict=False):
            with accelerate(strict=True) if who == NATIVE else nullcontext():
                returned = np.array(call(context))
            own = {("result", "returned"): returned, ("generator", "of NumPy"): str(np.random.get_state())}
            found.append({**own, **held(composition, context), **matrices(composition, context)})
    return found


def matrices(composition: Any, context: str) -> Held:
    """The matrices of all Projections as a script reads them, those that are learned once more, and the results of the last epoch."""
    found: Held = {("result", "learning_results"): np.array(composition.parameters.learning_results.get(context))}
    arriving = [one for node in composition.nodes for port in node.input_ports for one in port.path_afferents]
    for projection in (*composition.projections, *arriving):
        if hasattr(projection.parameters, "matrix"):
            found["state", f"{projection.name}.matrix"] = np.array(projection.parameters.matrix.get(context))
            found["state", f"{projection.name}.mod_matrix"] = np.array(projection.get_mod_matrix(context))
    return found


def numbers(*shape: int) -> Any:
    """Numbers that are the same each time."""
    return np.random.default_rng(sum(shape)).normal(size=shape).round(3)


def layers(*sizes: int, function: Any = pnl.Logistic, last: Any = None, given: Any = None, **pathway: Any) -> Build:
    """A chain of layers that learns by backpropagation, then runs; `given`: further arguments of `learn`, `pathway`: of the pathway."""

    def build() -> tuple[Any, Calls]:
        nodes = [pnl.TransferMechanism(name="n0", input_shapes=sizes[0])]
        for number, size in enumerate(sizes[1:], start=1):
            of_node = last if last is not None and number == len(sizes) - 1 else function
            nodes.append(pnl.TransferMechanism(name=f"n{number}", input_shapes=size, function=of_node()))
        path: list[Any] = [nodes[0]]
        for number, (rows, columns) in enumerate(itertools.pairwise(sizes)):
            path += [pnl.MappingProjection(name=f"p{number}", matrix=numbers(rows, columns)), nodes[number + 1]]
        composition = pnl.Composition(name="net")
        target = composition.add_backpropagation_learning_pathway(path, **pathway).target
        inputs = {nodes[0]: numbers(4, sizes[0]), target: numbers(4, sizes[-1])}
        return composition, [
            lambda context: composition.learn(inputs=inputs, epochs=2, context=context, **(given or {})),
            lambda context: composition.run(inputs={nodes[0]: numbers(2, sizes[0])}, context=context),
        ]

    return build


def decaying(rate: Any, **pathway: Any) -> Build:
    """A chain whose first matrix the function of its ParameterPort multiplies by a rate; without learning, it does not compile."""

    def build() -> tuple[Any, Calls]:
        nodes = [
            pnl.TransferMechanism(name=f"n{number}", input_shapes=size, function=pnl.Logistic()) for number, size in enumerate((2, 3, 2))
        ]
        start = numbers(2, 3)
        params = {pnl.DEFAULT_VARIABLE: start, pnl.INITIALIZER: start, pnl.RATE: rate}
        matrix = {pnl.VALUE: start, pnl.FUNCTION: pnl.AccumulatorIntegrator, pnl.FUNCTION_PARAMS: params}
        first = pnl.MappingProjection(name="p0", sender=nodes[0], receiver=nodes[1], matrix=matrix)
        path = [nodes[0], first, nodes[1], pnl.MappingProjection(name="p1", matrix=numbers(3, 2)), nodes[2]]
        composition = pnl.Composition(name="net")
        target = composition.add_backpropagation_learning_pathway(path, **pathway).target
        inputs = {nodes[0]: numbers(4, 2), target: numbers(4, 2)}
        return composition, [lambda context: composition.learn(inputs=inputs, epochs=2, context=context)]

    return build


def crossing() -> tuple[Any, Calls]:
    """Two pathways through one hidden layer, whose LearningMechanism gets the errors of both."""
    sizes = {"a": 2, "b": 2, "h": 3, "o": 2, "q": 1}
    nodes = {name: pnl.TransferMechanism(name=name, input_shapes=size, function=pnl.Logistic()) for name, size in sizes.items()}
    composition = pnl.Composition(name="net")
    targets: list[Any] = []
    for path in ("aho", "bhq"):
        pairs = itertools.pairwise(path)
        between = [pnl.MappingProjection(name=a + b, matrix=numbers(sizes[a], sizes[b])) for a, b in pairs]
        chain = [nodes[path[0]], between[0], nodes[path[1]], between[1], nodes[path[2]]]
        targets.append(composition.add_backpropagation_learning_pathway(chain).target)
    inputs = {nodes["a"]: numbers(3, 2), nodes["b"]: numbers(3, 2) + 1.0, targets[0]: numbers(3, 2), targets[1]: numbers(3, 1)}
    return composition, [lambda context: composition.learn(inputs=inputs, context=context)]


def hebbian(**settings: Any) -> Build:
    """A RecurrentTransferMechanism that learns."""

    def build() -> tuple[Any, Calls]:
        node = pnl.RecurrentTransferMechanism(name="R", input_shapes=3, enable_learning=True, function=pnl.Linear(slope=0.5), **settings)
        composition = pnl.Composition(name="net", nodes=[node])
        inputs = {node: numbers(4, 3)}
        return composition, [
            lambda context: composition.learn(inputs=inputs, num_trials=4, context=context),
            lambda context: composition.run(inputs=inputs, context=context),
        ]

    return build


def reinforcement() -> tuple[Any, Calls]:
    """An action that is chosen, and the value that it is learned to have."""
    stimulus = pnl.TransferMechanism(name="stimulus", input_shapes=3)
    action = pnl.TransferMechanism(name="action", default_variable=[[0.0, 0.0, 1.0]], function=pnl.SoftMax(output=pnl.PROB, gain=1.0))
    composition = pnl.Composition(name="net")
    target = composition.add_reinforcement_learning_pathway([stimulus, action], learning_rate=0.05).target
    inputs = {stimulus: [[1.0, 1.01, 1.0]] * 3, target: [[10.0], [5.0], [3.0]]}
    return composition, [
        lambda context: composition.learn(inputs=inputs, num_trials=3, context=context),
        lambda context: composition.run(inputs={stimulus: [[1.0, 1.01, 1.02]]}, context=context),
    ]


def temporal_difference() -> tuple[Any, Calls]:
    """The value of the time steps before a reward."""
    sample = pnl.TransferMechanism(name="sample", default_variable=np.zeros(6))
    action = pnl.TransferMechanism(name="action", default_variable=np.zeros(6))
    composition = pnl.Composition(name="net")
    target = composition.add_td_learning_pathway([sample, action], learning_rate=0.3).target
    inputs = {sample: [[0, 0, 1, 1, 1, 1]] * 3, target: [[0.0, 0, 0, 0, 1, 0]] * 3}
    return composition, [lambda context: composition.learn(inputs=inputs, num_trials=3, context=context)]
