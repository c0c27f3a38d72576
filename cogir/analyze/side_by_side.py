"""
Two models run on the same random inputs.

A proof over the real numbers says nothing where a value is infinite or NaN; a few trials show a model in which that is the rule. And
where models are not equal, they show inputs for which they differ.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from cogir.analysis.equivalence.compare import Sense
from cogir.analysis.equivalence.matching import Element, Matched, shared
from cogir.errors import CogirError
from cogir.frontend.compilable import Compilable
from cogir.runtime.compiled import Compiled

Floats: TypeAlias = "npt.NDArray[np.float64]"
Columns: TypeAlias = "list[npt.NDArray[Any]]"
"""The values of pairs of outputs in all trials: whole numbers, or floats."""

TRIALS = 6
"""Trials of each model."""
MOST_STEPS = 2000
"""Executions of a node, and passes of a trial, at most: random inputs need not lead to a decision."""
CLOSE = 1e-6
"""The relative difference that rounding may make in the first trial; later ones may grow without bounds."""
WHOLE = "iub"
"""Kinds of whole numbers and truth values, which floats do not hold from 2**53 on."""


@dataclass(frozen=True)
class Case:
    """Outputs of two models that differ in a run with the same inputs."""

    trial: int
    inputs: dict[str, list[float]]
    """The inputs of that trial, by the ports of the first model."""
    output: tuple[str, str]
    values: tuple[float, float]
    """Whole numbers, or floats."""

    def __str__(self) -> str:
        held = ", ".join(f"{name} = {[round(value, 4) for value in values]}" for name, values in self.inputs.items())
        return f"in trial {self.trial + 1}, with {held or 'no inputs'}: {self.values[0]!r} and {self.values[1]!r}"


@dataclass
class SideBySide:
    """Two models with the parameter values for which they are compared; they are compiled when they run for the first time."""

    models: tuple[Compilable, Compilable]
    inputs: Matched
    outputs: Matched
    values: tuple[Mapping[str, Any], Mapping[str, Any]]
    compiled: list[Compiled] = field(default_factory=list[Compiled])

    def run(self, seed: int, trials: int = TRIALS) -> tuple[Floats, Columns, Columns]:
        """The inputs of the first model (trials, elements), and the outputs of both, pair by pair."""
        random = np.random.default_rng(seed)
        leaves = shared(self.inputs.pairs, lambda _: random.normal(size=trials))
        rows = [self._rows(side, held, trials) for side, held in enumerate(leaves)]
        if not self.compiled:
            self.compiled = [model.compile(unfinished="ignore", out_of_range="ignore") for model in self.models]
            for compiled, values in zip(self.compiled, self.values, strict=True):
                for name, value in values.items():
                    compiled.params[name] = value
                for name in [name for name in compiled.params if name.rpartition("/")[2].startswith("limit:")]:
                    compiled.params[name] = min(int(compiled.params[name]), MOST_STEPS)
        own, other = (self._outputs(side, rows[side], trials) for side in (0, 1))
        return rows[0], own, other

    def _rows(self, side: int, leaves: Mapping[Element, object], trials: int) -> Floats:
        ports = list(dict.fromkeys(pair[side][0] for pair in self.inputs.pairs))
        order = [each for port in self._order(side, ports) for each in sorted(leaves) if each[0] == port]
        return np.array([leaves[each] for each in order]).reshape(len(order), trials).T

    def _order(self, side: int, ports: Sequence[str]) -> list[str]:
        """The ports in the order of the model."""
        return [port for port in self.inputs.orders[side] if port in ports]

    def _outputs(self, side: int, rows: Floats, trials: int) -> Columns:
        compiled = self.compiled[side]
        compiled.reset()
        result = compiled.run(rows if rows.shape[1] else None, num_trials=trials)
        done = len(result.results)
        if not done:
            return [np.zeros(0) for _ in self.outputs.pairs]
        held = [np.asarray(result[pair[side][0]]).reshape(done, -1)[:, pair[side][1]] for pair in self.outputs.pairs]
        return [column if column.dtype.kind in WHOLE else column.astype(np.float64) for column in held]

    def case(self, level: Sense, seeds: int = 1, trials: int = 1, close: float = CLOSE) -> Case | None:
        """
        A trial whose outputs contradict that the models are equal on a level, or None; not asked of random outputs. Over the real numbers
        relative differences of floats above `close` contradict it in the first `trials` trials, and any of whole numbers.
        """
        for seed in range(seeds):
            try:
                rows, own, other = self.run(seed)
            except CogirError:
                return None
            counts = [max(map(len, columns), default=0) for columns in (own, other)]
            if counts[0] != counts[1]:
                done = min(counts)
                return Case(done, self._shown(rows[done]), ("the trial", "the trial"), (float(counts[0] > done), float(counts[1] > done)))
            differ = np.array([differs(*pair, level, trials, close) for pair in zip(own, other, strict=True)])
            if differ.any():
                trial, at = (int(each) for each in np.argwhere(differ.T)[0])
                return Case(trial, self._shown(rows[trial]), self._names(at), (own[at][trial].item(), other[at][trial].item()))
        return None

    def _shown(self, row: Floats) -> dict[str, list[float]]:
        found: dict[str, list[float]] = {}
        own = {pair[0] for pair in self.inputs.pairs}
        elements = [each for port in self._order(0, [port for port, _ in own]) for each in sorted(own) if each[0] == port]
        for (port, _), value in zip(elements, row, strict=True):
            found.setdefault(port, []).append(float(value))
        return found

    def _names(self, at: int) -> tuple[str, str]:
        own, other = self.outputs.pairs[at]
        return f"{own[0]}[{own[1]}]", f"{other[0]}[{other[1]}]"


def differs(own: npt.NDArray[Any], other: npt.NDArray[Any], level: Sense, trials: int, close: float) -> npt.NDArray[np.bool_]:
    """
    The trials in which outputs contradict that they are equal: other bits, or a NaN on one side only, or more than rounding in the first
    trials; whole numbers that are not the same.
    """
    if own.dtype.kind in WHOLE and other.dtype.kind in WHOLE:
        return (own != other) & (np.arange(len(own)) < (len(own) if level is Sense.BITS else trials))
    own, other = own.astype(np.float64), other.astype(np.float64)
    if level is Sense.BITS:
        return (own.view(np.int64) != other.view(np.int64)) & ~(np.isnan(own) & np.isnan(other))
    found = np.isfinite(own) != np.isfinite(other)
    with np.errstate(invalid="ignore"):
        scale = np.maximum(1.0, np.maximum(np.abs(own), np.abs(other)))
        found[:trials] |= (np.abs(own - other) > close * scale)[:trials]
    return found
