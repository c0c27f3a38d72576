"""
PsyNeuLink's warning that an execution of a Mechanism has reached its `max_executions_before_finished`.

PsyNeuLink gives it as it executes, also in the simulations of a controller; cogir counts such executions in each trial and gives as many
warnings when the trials are over, in the name of the same line of PsyNeuLink, so that the filters of a script treat them alike.
"""

from __future__ import annotations

import dis
import inspect
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from cogir.frontend.psyneulink.composition import Imported
from cogir.frontend.psyneulink.values import Reader, UnsupportedFeature
from cogir.frontend.psyneulink.written import AT_LIMIT_STATE, WrittenNode
from cogir.interpreters.flags import AT_LIMIT, flag_path, simulated_path
from cogir.psyneulink.library import mechanism_class
from cogir.runtime.flags import Flag
from cogir.runtime.plan import Floats, Plan

SAYS = "Maximum number of executions ("
"""How the warning begins."""


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


def matches(pattern: Any, text: str) -> bool:
    """True if a filter with this pattern, a regular expression, the whole text, or None, is one for a text."""
    return pattern is None or (pattern == text if isinstance(pattern, str) else bool(pattern.match(text)))


@lru_cache(maxsize=1)
def line() -> Line:
    """That line, found in the code of the method."""
    execute = inspect.unwrap(mechanism_class().execute)
    steps = list(dis.get_instructions(execute))
    number = next(step.positions.lineno for step in steps if step.argval == SAYS and step.positions is not None)
    return Line(execute.__code__.co_filename, number or 0, execute.__module__)


@dataclass(frozen=True)
class InTrials:
    """A Mechanism whose executions at the limit are counted for each trial, as a flag."""

    mechanism: Any
    flag: Flag


@dataclass(frozen=True)
class InAll:
    """A Mechanism of which a state counts executions at the limit, or all of them, if each reaches it."""

    mechanism: Any
    offset: int


class Limits:
    """The executions at the limit of all Mechanisms of a Composition."""

    def __init__(self, imported: Imported, plan: Plan, execution_id: Any):
        self.name = imported.composition.name
        self.plan = plan
        self.reader = Reader(execution_id)
        self.in_trials = [InTrials(mechanism, Flag.at(path)) for path, mechanism in flagged(imported, "") if path in plan.flags]
        self.in_all = [InAll(mechanism, plan.leaves[path].offset) for path, mechanism in self.counted(imported, "")]

    def counted(self, imported: Imported, prefix: str) -> Iterator[tuple[str, Any]]:
        """The states that count, of Mechanisms that are executed once when they are called."""
        for path, mechanism, written in mechanisms_of(imported, prefix):
            if AT_LIMIT_STATE in written.states:
                yield f"{path}/state:{AT_LIMIT_STATE}", mechanism
            elif not written.finishes and self.limit(mechanism) <= 1:
                yield f"{path}/state:{written.kept[0]}", mechanism

    def limit(self, mechanism: Any) -> Any:
        """The limit of a Mechanism."""
        return self.reader.get(mechanism, "max_executions_before_finished")

    def reached(self, out: Floats, before: Floats, after: Floats) -> list[str]:
        """What is to be said of trials with these outputs and flags, between which states have changed so: in order of time."""
        texts: list[str] = []
        if self.in_trials:
            counts = np.stack([one.flag.counts(self.plan, out) for one in self.in_trials], axis=1)
            said = [self.text(one.mechanism) for one in self.in_trials]
            texts += [said[column] for trial, column in np.argwhere(counts) for _ in range(counts[trial, column])]
        for one in self.in_all:
            texts += [self.text(one.mechanism)] * int(after[one.offset] - before[one.offset])
        return texts

    def text(self, mechanism: Any) -> str:
        """The warning about a Mechanism."""
        return line().text(self.limit(mechanism), mechanism.name)

    def refused(self, texts: list[str]) -> UnsupportedFeature | None:
        """Says that a warning is an error to the script, which ends PsyNeuLink's run within a trial; None if none is."""
        if not any(line().is_error(text) for text in dict.fromkeys(texts)):
            return None
        return UnsupportedFeature(
            f"Composition {self.name!r}",
            f"{next(text for text in texts if line().is_error(text))!r} is a warning that a filter makes an error",
            "raise max_executions_before_finished, or let it be a warning",
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


def mechanisms_of(imported: Imported, prefix: str) -> Iterator[tuple[str, Any, WrittenNode]]:
    """The Mechanisms of a Composition and of those in it, with their paths."""
    for node in in_order(imported):
        path = f"{prefix}{imported.nodes[node].name}"
        if node in imported.inner:
            yield from mechanisms_of(imported.inner[node], f"{path}/")
        else:
            yield path, node, imported.written[node]


def flagged(imported: Imported, prefix: str) -> Iterator[tuple[str, Any]]:
    """The flags that Mechanisms may raise in a trial, and in what is simulated before or after it, in order of time."""
    simulated: list[tuple[str, Any]] = []
    if imported.control is not None:
        controller = f"{prefix}{imported.control.name}"
        simulated = [(simulated_path(controller, flag_path(path, AT_LIMIT)), one) for path, one, _ in mechanisms_of(imported, "")]
    is_after = str(imported.composition.controller_mode) == "after"
    yield from () if is_after else simulated
    for node in in_order(imported):
        path = f"{prefix}{imported.nodes[node].name}"
        if node in imported.inner:
            yield from flagged(imported.inner[node], f"{path}/")
        else:
            yield flag_path(path, AT_LIMIT), node
    yield from simulated if is_after else ()
