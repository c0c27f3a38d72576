"""
`learn` in PsyNeuLink's Python mode, natively: LearningMechanisms are nodes of the model, and matrices states.

PsyNeuLink prepares learning as ever, and then calls `run` with a generator of batches. All its trials are one native run, unless functions
of the script make inputs or are called around batches: then the generator is asked before each trial, which is native by itself. In Python
mode PsyNeuLink learns trial by trial: of a batch it executes the first trial only, once for each optimization.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

import numpy as np

from cogir.psyneulink.execution.call_arguments import NativeCall
from cogir.psyneulink.execution.inputs import ReadyRows, TrialParser
from cogir.psyneulink.learning.batches import BatchesOfRun
from cogir.psyneulink.pnl import python_mode
from cogir.psyneulink.reader import UnsupportedFeature
from cogir.runtime.plan import Floats, Words

OF_LEARNING = frozenset(("optimizations_per_minibatch", "synch_with_pnl_options", "retain_in_pnl_options", "base_context", "num_trials"))
"""Arguments of `run` with which `learn` calls it, and that do not change a run in Python mode."""
REMEDY = "or let it learn in PsyNeuLink"


def check(asked: BatchesOfRun) -> None:
    """Refuses what PsyNeuLink does between trials."""
    if asked.made is None and not isinstance(asked.inputs, dict):
        raise refusal(asked, "with inputs that are not a dict", "give a dict of inputs")


def refusal(asked: BatchesOfRun, feature: str, remedy: str) -> UnsupportedFeature:
    """The error about a call of `learn`."""
    return UnsupportedFeature(f"Composition {asked.composition.name!r}", f"learn() is called {feature}", f"{remedy}, {REMEDY}")


def rows_of(asked: BatchesOfRun) -> Floats:
    """The inputs of all trials, in the order in which PsyNeuLink draws them."""
    arrays = asked.runner.convert_input_to_arrays(asked.inputs, python_mode(), add_sequence_dim=True)
    parser = TrialParser(asked.composition)
    of_trials = [
        parser.rows({node: values[[trial % len(values)]] for node, values in arrays.items()}, None) for trial in range(asked.num_trials)
    ]
    return np.concatenate(of_trials)[order_of(asked)]


def order_of(asked: BatchesOfRun) -> Words:
    """The numbers of the trials in their order; the first trial stands for its batch."""
    found = [order[:: asked.minibatch_size] for order in asked.drawn_orders()]
    return np.repeat(np.array(found, np.int64).ravel(), asked.optimizations)


def native_learning(asked: BatchesOfRun, given: Mapping[str, Any], signature: inspect.Signature, mode: str, progress: bool) -> NativeCall:
    """The run of a call of `learn` with these arguments, which has not begun."""
    check(asked)
    if getattr(given.get("base_context"), "execution_id", None) is not None:
        raise refusal(asked, "with a base_context", "leave base_context out")
    arguments = {name: value for name, value in given.items() if name not in OF_LEARNING}
    if "kwargs" in arguments:
        arguments["kwargs"] = {name: value for name, value in given["kwargs"].items() if name not in OF_LEARNING}
    inputs = ReadyRows(lambda: rows_of(asked)) if asked.made is None else asked.made
    call = NativeCall(asked.composition, "run", {**arguments, "inputs": inputs}, signature, mode, progress)
    call.learns = bool(asked.composition.enable_learning)
    return call
