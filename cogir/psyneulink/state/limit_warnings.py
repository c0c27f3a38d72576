"""
PsyNeuLink's warning that an execution of a Mechanism has reached its `max_executions_before_finished`.

PsyNeuLink gives it as it executes, also in the simulations of a controller; cogir counts such executions in each trial and gives as many
warnings when the trials are over, in the name of the same line of PsyNeuLink, so that the filters of a script treat them alike.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from cogir.callers import matches
from cogir.interpreters.flags import AT_LIMIT, flag_path, simulated_path
from cogir.psyneulink.importer.imported import Imported
from cogir.psyneulink.pnl import mechanism_class
from cogir.psyneulink.reader import Reader, UnsupportedFeature
from cogir.runtime.flags import Flag
from cogir.runtime.plan import Floats, Plan

SAYS = "Maximum number of executions ("
"""The beginning of the warning."""


class Line(NamedTuple):
    """The line of PsyNeuLink that gives the warning."""

    file: str
    number: int
    module: str

    def text(self, limit: Any, name: str) -> str:
        """The warning about one Mechanism."""
        return f"{SAYS}{limit}) reached for {name}."

    def is_error(self, text: str) -> bool:
        """True if the filters of the script make an error of it."""
        for action, message, category, module, number in warnings.filters:
            fits = matches(message, text) and matches(module, self.module)
            if fits and issubclass(UserWarning, category) and number in (0, self.number):
                return action == "error"
        return False

    def warn(self, text: str) -> None:
        """Gives the warning. PsyNeuLink changes filters as it executes, by which Python forgets that it has given one before."""
        warnings.warn_explicit(text, UserWarning, self.file, self.number, self.module, registry={})


@lru_cache(maxsize=1)
def line() -> Line:
    """That line, found in the source of the method; without a source, the first line of the method."""
    execute = inspect.unwrap(mechanism_class().execute)
    number = execute.__code__.co_firstlineno
    try:
        lines, first = inspect.getsourcelines(execute)
    except OSError:
        lines, first = [], number
    number = next((index for index, text in enumerate(lines, start=first) if SAYS in text), number)
    return Line(execute.__code__.co_filename, number, execute.__module__)


@dataclass(frozen=True)
class LimitCounter:
    """A Mechanism whose executions at the limit are counted for each trial, as a flag."""

    mechanism: Any
    searcher: str
    """The path of the controller in whose simulations they are; empty for those of the trial itself."""
    flag: Flag


class Limits:
    """The executions at the limit of all Mechanisms of a Composition."""

    def __init__(self, imported: Imported, plan: Plan, execution_id: Any):
        self.name = imported.composition.name
        self.plan = plan
        self.reader = Reader(execution_id)
        self.counted = [LimitCounter(mechanism, by, Flag.at(path)) for path, mechanism, by in flagged(imported, "") if path in plan.flags]
        self.parts = [slice(part[0], part[-1] + 1) for part in together([one.searcher for one in self.counted])]
        """The Mechanisms of the trial, and of the simulations of each controller, in order of time."""

    def limit(self, mechanism: Any) -> Any:
        """The limit of a Mechanism."""
        return self.reader.get(mechanism, "max_executions_before_finished")

    def reached(self, out: Floats) -> list[str]:
        """
        The warnings of trials with these outputs and flags, in order of time. Within a part of a trial, of which the numbers alone
        are known, it is as if its simulations, or passes, were alike.
        """
        if not self.counted:
            return []
        counts = np.stack([one.flag.counts(self.plan, out) for one in self.counted], axis=1)
        said = np.array([self.text(one.mechanism) for one in self.counted], object)
        kinds, which = np.unique(counts[counts.any(axis=1)], axis=0, return_inverse=True)
        of_kind = [self.in_order(trial, said) for trial in kinds]
        return [text for kind in which.ravel() for text in of_kind[kind]]

    def in_order(self, counts: npt.NDArray[np.int64], said: npt.NDArray[np.object_]) -> list[str]:
        """The warnings of a trial with these numbers of executions at the limit."""
        texts: list[str] = []
        for part in self.parts:
            if rounds := int(np.gcd.reduce(counts[part])):
                texts += np.repeat(said[part], counts[part] // rounds).tolist() * rounds
        return texts

    def text(self, mechanism: Any) -> str:
        """The warning about a Mechanism."""
        return line().text(self.limit(mechanism), mechanism.name)

    def refused(self, texts: list[str]) -> UnsupportedFeature | None:
        """The refusal of a warning that a filter makes an error, which ends PsyNeuLink's run within a trial; None if there is none."""
        if not any(line().is_error(text) for text in dict.fromkeys(texts)):
            return None
        return UnsupportedFeature(
            f"Composition {self.name!r}",
            f"{next(text for text in texts if line().is_error(text))!r} is turned into an error by a warning filter",
            "raise max_executions_before_finished, or change the filter",
        )

    def warn(self, texts: list[str]) -> None:
        """Gives the warnings."""
        for text in texts:
            line().warn(text)


def in_order(imported: Imported) -> list[Any]:
    """The nodes of a Composition in the order in which a pass executes them, then those that are executed beside it."""
    layers = imported.composition.scheduler.consideration_queue
    place = {node: index for index, layer in enumerate(layers) for node in layer}
    return sorted(imported.nodes, key=lambda node: place.get(node, len(layers)))


def together(keys: list[str]) -> Iterator[list[int]]:
    """The positions of neighbours with the same key."""
    for _, group in groupby(range(len(keys)), key=keys.__getitem__):
        yield list(group)


def executed(imported: Imported, prefix: str, searcher: str) -> Iterator[tuple[str, Any, str]]:
    """The flags of the nodes of a Composition, in the order of a pass, with all that those in it raise."""
    for node in in_order(imported):
        path = f"{prefix}{imported.nodes[node].name}"
        if node in imported.inner:
            yield from flagged(imported.inner[node], f"{path}/", searcher)
        elif node not in imported.idle:
            yield flag_path(path, AT_LIMIT), node, searcher


def flagged(imported: Imported, prefix: str, searcher: str = "") -> Iterator[tuple[str, Any, str]]:
    """
    The flags that Mechanisms may raise in a trial, and in what is simulated before or after it, in order of time: the path, the Mechanism,
    and the controller that simulates.
    """
    simulated: list[tuple[str, Any, str]] = []
    if imported.control is not None:
        controller = f"{prefix}{imported.control.name}"
        simulated = [(simulated_path(controller, path), mechanism, controller) for path, mechanism, _ in executed(imported, "", "")]
    is_after = str(imported.composition.controller_mode) == "after"
    yield from () if is_after else simulated
    yield from executed(imported, prefix, searcher)
    yield from simulated if is_after else ()
