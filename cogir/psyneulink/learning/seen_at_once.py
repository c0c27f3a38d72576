"""
What shows at once, before anything is imported or compiled for it, that an AutodiffComposition learns in PyTorch alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from cogir.psyneulink.learning.batches import batch_count
from cogir.psyneulink.reader import UnsupportedFeature

FEWEST = 3
"""With fewer batches there is none between the first and the last."""


def count_of_batches(given: Mapping[str, Any]) -> int | None:
    """The number of batches for which the arguments of a generator of them ask; None if inputs by a function, or errors, decide it."""
    if "randomize" not in given:  # inputs by a function, which ends the batches
        return None
    try:
        size, steps = (int(np.asarray(given.get(name, 1)).item()) for name in ("minibatch_size", "optimizations_per_minibatch"))
        return batch_count(int(given["epochs"]), int(given["num_trials"]), size, steps)
    except (TypeError, ValueError, ZeroDivisionError):  # of which PsyNeuLink makes an error
        return 0


def is_short(given: Mapping[str, Any]) -> bool:
    """True if the arguments of a generator of batches ask for so few that PyTorch learns from all of them anyway."""
    count = count_of_batches(given)
    return count is not None and count < FEWEST


def inputs_by_function(composition: Any, given: Mapping[str, Any]) -> UnsupportedFeature | None:
    """The message about a generator of batches that gets its inputs from a function, which its arguments tell; else None."""
    if "randomize" in given:
        return None
    name = f"AutodiffComposition {composition.name!r}"
    return UnsupportedFeature(name, "learn() is called with a function for inputs", "give a dict of inputs")


def no_native_learning(composition: Any, copy: Any) -> UnsupportedFeature | None:
    """The message about a Composition, with its `copy` in PyTorch, from whose batches cogir never learns; None if it may do so."""

    def refuse(feature: str, remedy: str = "let PyTorch learn") -> UnsupportedFeature:
        return UnsupportedFeature(f"AutodiffComposition {composition.name!r}", feature, remedy)

    if type(composition).__name__ != "AutodiffComposition" or type(copy).__name__ != "PytorchCompositionWrapper":
        return refuse(f"it is of the class {type(composition).__name__}")
    for node in composition.nodes:
        if hasattr(node, "input_CIM") and type(node).__name__ != "EMComposition":
            return refuse("it learns through a nested Composition")
        if hasattr(node, "input_CIM") and node.enable_learning:
            return refuse(f"it learns through {node.name!r}, an EMComposition that learns, too", "give that enable_learning=False")
    if composition.controller is not None:
        return refuse("it has a controller, which PyTorch mode ignores", "learn in a Composition without one")
    if composition.full_sequence_mode:
        return refuse("it learns from sequences")
    return None
