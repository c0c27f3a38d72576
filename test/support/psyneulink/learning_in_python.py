"""
Compositions that learn in PsyNeuLink's Python mode, in PsyNeuLink itself and natively, and everything that the two leave compared.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any

import numpy as np
from support.psyneulink.compare import Held, differences, held
from support.psyneulink.golden import fresh

from cogir.psyneulink import accelerate

CONTEXT = "c"
NATIVE, OWN = "cogir", "PsyNeuLink"
ORDER = (NATIVE, NATIVE, OWN, NATIVE)
"""Who makes each of the calls."""


def learned_otherwise(
    build: Callable[[], tuple[Any, Sequence[Callable[[str], Any]]]], order: Sequence[str] = ORDER, context: str = CONTEXT
) -> list[str]:
    """
    What PsyNeuLink and cogir leave differently after the first call in which they do, a line each. `build`: makes a Composition, and calls
    to make in turn, which take the name of an execution context; `order`: who makes them, as often as there are names in it.
    """
    expected = [(returned, found) for returned, found in made(build, [OWN] * len(order), context)]
    for number, ((wanted, before), (returned, found)) in enumerate(zip(expected, made(build, order, context), strict=True)):
        lines = list(differences({("result", "returned"): wanted, **before}, {("result", "returned"): returned, **found}))
        if lines:
            return [f"call {number + 1} ({order[number]}): {line}" for line in lines]
    return []


def made(build: Callable[[], tuple[Any, Sequence[Callable[[str], Any]]]], order: Sequence[str], context: str) -> list[tuple[Any, Held]]:
    """What each call has returned, and what it has left."""
    fresh()
    np.random.seed(3)
    composition, calls = build()
    found: list[tuple[Any, Held]] = []
    for number, who in enumerate(order):
        with warnings.catch_warnings(), accelerate(strict=True) if who == NATIVE else nullcontext():
            warnings.simplefilter("ignore", UserWarning)
            returned = np.array(calls[number % len(calls)](context))
        found.append((returned, {**held(composition, context), **matrices(composition, context)}))
    return found


def matrices(composition: Any, context: str) -> Held:
    """The matrices of all Projections, and what scripts read of those that are learned."""
    found: Held = {}
    projections = [
        *composition.projections,
        *(one for node in composition.nodes for port in node.input_ports for one in port.path_afferents),
    ]
    for projection in projections:
        if hasattr(projection.parameters, "matrix"):
            found["state", f"{projection.name}.matrix"] = np.array(projection.parameters.matrix.get(context))
            found["state", f"{projection.name}.mod_matrix"] = np.array(
                projection.get_mod_matrix(context) if hasattr(projection, "get_mod_matrix") else 0
            )
    found["result", "learning_results"] = np.array(composition.parameters.learning_results.get(context))
    return found
