"""What can be seen of a model that runs, and where two ways of running it differ."""

import warnings
from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

import numpy as np
from support.random_models import Drawn

from cogir.errors import ExecutionError
from cogir.runtime.compiled import FinishedWarning
from cogir.runtime.modes import OrderWarning

Behaviour = list[tuple[str, bytes]]
"""What was looked at, and its bits."""


def bits(values: Any) -> bytes:
    """The bits of floats, all NaNs alike (their sign and payload are nobody's promise)."""
    floats = np.asarray(values, dtype=float).ravel()
    return np.where(np.isnan(floats), np.nan, floats).tobytes()


def behaviour(drawn: Drawn, mode: str) -> Behaviour:
    """
    Everything that can be seen of three runs: the results of each trial, what controllers chose, and the state that is left.

    Of schedules that a modeller hardly meant, which random models have too, nothing is said.
    """
    with warnings.catch_warnings():
        for category in (OrderWarning, FinishedWarning):
            warnings.simplefilter("ignore", category)
        return _behaviour(drawn, mode)


def _behaviour(drawn: Drawn, mode: str) -> Behaviour:
    compiled = drawn.model.compile(mode=mode, cache=False)
    seen: Behaviour = []
    for run, trials in enumerate((drawn.trials, 1, 2)):
        for path, value in drawn.changes.items() if run == 1 else ():
            compiled.params[path] = value
        try:
            result = compiled.run(drawn.inputs, num_trials=trials)
        except ExecutionError as error:
            seen.append((f"how run {run} ends", str(error).split(":")[0].encode()))
            return seen
        for trial, values in enumerate(result.results):
            seen.append((f"the results of trial {trial} of run {run}", b"".join(map(bits, values))))
        for name, allocation in result.allocations.items():
            seen.append((f"what {name} chose in run {run}", bits(allocation)))
    for path in sorted(compiled.state):
        if "/port:" in path or "/state:" in path:
            seen.append((f"{path} after the runs", bits(compiled.state[path])))
    for path in sorted(compiled.generators):
        seen.append((f"generator {path} after the runs", compiled.generators.words(path).tobytes()))
    return seen


def first_difference(left: Behaviour, right: Behaviour) -> str | None:
    """What differs first."""
    for one, other in zip_longest(left, right):
        if one != other:
            return " or ".join(dict.fromkeys(part[0] for part in (one, other) if part is not None))
    return None


def compare(drawn: Drawn, modes: Sequence[str] = ("python", "run")) -> None:
    """Fails when two modes show different behaviour of a model."""
    with np.errstate(all="ignore"):
        left, right = (behaviour(drawn, mode) for mode in modes)
    difference = first_difference(left, right)
    assert difference is None, f"interpreted and compiled differ: {difference}\n{drawn.inputs}, {drawn.changes}\n{drawn.model.ir()}"
