"""
The batches for which `learn` asks: in PsyNeuLink's Python mode, where it calls `run` with a generator of them, and in PyTorch mode.

This module imports nothing that reads Compositions: a call of `learn` that stays in PsyNeuLink, as it is short, needs no more of cogir.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Any

import numpy as np

from cogir.psyneulink.pnl import composition_of


def batch_count(epochs: int, num_trials: int, minibatch_size: int, optimizations: int) -> int:
    """The number of batches, each as often as it is learned from."""
    return epochs * -(-num_trials // minibatch_size) * optimizations


@dataclass(frozen=True)
class BatchesAsked:
    """The arguments with which a CompositionRunner makes batches."""

    runner: Any
    inputs: Any
    epochs: int
    num_trials: int
    """The number of trials of an epoch."""
    minibatch_size: int
    optimizations: int
    """The number of times that each batch is learned from in a row."""
    randomize: bool

    @property
    def composition(self) -> Any:
        """The Composition that learns."""
        return composition_of(self.runner)

    @property
    def count(self) -> int:
        """The number of batches, each as often as it is learned from."""
        return batch_count(self.epochs, self.num_trials, self.minibatch_size, self.optimizations)

    def drawn_orders(self) -> list[list[int]]:
        """The order of the trials of each epoch, as PsyNeuLink draws it: each call draws anew."""
        found: list[list[int]] = []
        for _ in range(self.epochs):
            trials = list(range(self.num_trials))
            if self.randomize:
                np.random.shuffle(trials)
            found.append(trials)
        return found


@dataclass(frozen=True)
class BatchesOfRun(BatchesAsked):
    """Those of Python mode, which are handed to `run`: of each batch it executes the first trial."""

    made: Any = None
    """The generator of the batches, if functions of the script make them, or are called between them; else they are one native run."""


def batches_asked(inputs: Any) -> BatchesOfRun:
    """The arguments of the generator of batches with which `learn` calls `run`."""
    arguments = inspect.getgeneratorlocals(inputs)
    given, (runner, *listed) = dict(arguments["kwargs"]), arguments["args"]
    given.update(zip(("inputs", "epochs", "num_trials", "minibatch_size"), listed, strict=False))
    is_made = callable(given["inputs"]) or any(given.get(f"call_{when}_minibatch") is not None for when in ("before", "after"))
    return BatchesOfRun(
        runner,
        given["inputs"],
        int(given["epochs"]),
        int(given["num_trials"]),
        int(np.asarray(given["minibatch_size"]).item()),
        int(np.asarray(given.get("optimizations_per_minibatch", 1)).item()),
        bool(given.get("randomize")),
        inputs if is_made else None,
    )
