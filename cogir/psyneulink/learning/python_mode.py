"""
`learn` in PsyNeuLink's Python mode, natively: LearningMechanisms are nodes of the model, and matrices states.

PsyNeuLink prepares learning as ever, and then calls `run` with a generator of batches. All its trials are one native run, unless functions
of the script make inputs or are called around batches: then the generator is asked before each trial, which is native by itself. In Python
mode PsyNeuLink learns trial by trial: of a batch it executes the first trial only, once for each optimization.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from cogir.psyneulink.execution.call_arguments import NativeCall
from cogir.psyneulink.execution.inputs import ReadyRows, TrialParser
from cogir.psyneulink.pnl import composition_of, python_mode
from cogir.psyneulink.reader import UnsupportedFeature
from cogir.runtime.plan import Floats, Words

OF_LEARNING = frozenset(("optimizations_per_minibatch", "synch_with_pnl_options", "retain_in_pnl_options", "base_context", "num_trials"))
"""Arguments of `run` with which `learn` calls it, and that do not change a run in Python mode."""
REMEDY = "or let it learn in PsyNeuLink"


@dataclass(frozen=True)
class BatchesAsked:
    """The arguments with which a CompositionRunner makes batches in Python mode."""

    runner: Any
    inputs: Any
    epochs: int
    num_trials: int
    minibatch_size: int
    optimizations: int
    randomize: bool
    made: Any = None
    """The generator of the batches, if functions of the script make them, or are called between them; else they are one native run."""

    @property
    def composition(self) -> Any:
        """The Composition that learns."""
        return composition_of(self.runner)

    def refuse(self, feature: str, remedy: str) -> UnsupportedFeature:
        """The error about a call of `learn`."""
        return UnsupportedFeature(f"Composition {self.composition.name!r}", f"learn() is called {feature}", f"{remedy}, {REMEDY}")

    def check(self) -> None:
        """Refuses what PsyNeuLink does between trials."""
        if self.made is None and not isinstance(self.inputs, dict):
            raise self.refuse("with inputs that are not a dict", "give a dict of inputs")

    @property
    def trials(self) -> int:
        """The number of trials."""
        return self.epochs * -(-self.num_trials // self.minibatch_size) * self.optimizations

    def rows(self) -> Floats:
        """The inputs of all trials, in the order in which PsyNeuLink draws them."""
        arrays = self.runner.convert_input_to_arrays(self.inputs, python_mode(), add_sequence_dim=True)
        parser = TrialParser(self.composition)
        of_trials = [
            parser.rows({node: values[[trial % len(values)]] for node, values in arrays.items()}, None) for trial in range(self.num_trials)
        ]
        return np.concatenate(of_trials)[self.order()]

    def order(self) -> Words:
        """The numbers of the trials in their order; the first trial stands for its batch."""
        found: list[list[int]] = []
        for _ in range(self.epochs):
            trials = list(range(self.num_trials))
            if self.randomize:
                np.random.shuffle(trials)
            found.append(trials[:: self.minibatch_size])
        return np.repeat(np.array(found, np.int64).ravel(), self.optimizations)


def batches_asked(composition: Any, inputs: Any) -> BatchesAsked:
    """The arguments of the generator of batches with which `learn` calls `run`."""
    arguments = inspect.getgeneratorlocals(inputs)
    given, (runner, *listed) = dict(arguments["kwargs"]), arguments["args"]
    given.update(zip(("inputs", "epochs", "num_trials", "minibatch_size"), listed, strict=False))
    is_made = callable(given["inputs"]) or any(given.get(f"call_{when}_minibatch") is not None for when in ("before", "after"))
    return BatchesAsked(
        runner,
        given["inputs"],
        int(given["epochs"]),
        int(given["num_trials"]),
        int(np.asarray(given["minibatch_size"]).item()),
        int(np.asarray(given.get("optimizations_per_minibatch", 1)).item()),
        bool(given.get("randomize")),
        inputs if is_made else None,
    )


def native_learning(asked: BatchesAsked, given: Mapping[str, Any], signature: inspect.Signature, mode: str, progress: bool) -> NativeCall:
    """The run of a call of `learn` with these arguments, which has not begun."""
    asked.check()
    if getattr(given.get("base_context"), "execution_id", None) is not None:
        raise asked.refuse("with a base_context", "leave base_context out")
    arguments = {name: value for name, value in given.items() if name not in OF_LEARNING}
    if "kwargs" in arguments:
        arguments["kwargs"] = {name: value for name, value in given["kwargs"].items() if name not in OF_LEARNING}
    inputs = ReadyRows(asked.rows) if asked.made is None else asked.made
    call = NativeCall(asked.composition, "run", {**arguments, "inputs": inputs}, signature, mode, progress)
    call.learns = bool(asked.composition.enable_learning)
    return call
