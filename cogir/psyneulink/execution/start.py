"""
The start of a run: PsyNeuLink first completes and checks the Composition, in each call of `run`, and warns of what it finds.

Native runs do the same before they compile a Composition or read its inputs. That may change it: a state feature that is a number calls
its function each time. So it is done once in a call, and a run that PsyNeuLink takes over goes on after it. When a compiled form is used
again, nothing has changed since, and only the warnings are given again.
"""

from __future__ import annotations

import inspect
import threading
import warnings
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any, NamedTuple

from cogir.psyneulink.pnl import CHECKING_STEPS, PREPARING_STEPS, compositions_in, context_of_preparing, projections_are_to_be_checked
from cogir.psyneulink.reader import UnsupportedFeature
from cogir.psyneulink.records import kept

COMPLETE, ANALYZE, CHECK_PROJECTIONS = PREPARING_STEPS


class Warned(NamedTuple):
    """A warning, and the line that gave it."""

    text: str
    category: type[Warning]
    file: str
    number: int
    module: str

    def again(self) -> None:
        """Gives it again. PsyNeuLink changes filters as it runs, by which Python forgets that it has been given before."""
        warnings.warn_explicit(self.text, self.category, self.file, self.number, self.module, registry={})


class LastRunStart:
    """The warnings of each step of a Composition's starts, as it was last made."""

    def __init__(self) -> None:
        self.warned: dict[str, list[Warned]] = {}


class RunStart:
    """The start of one call."""

    def __init__(
        self,
        composition: Any,
        execution_id: Any,
        *,
        is_run: bool = True,
        is_simulated: bool = False,
        skips_analysis: bool = False,
        gives_values: bool = True,
    ):
        """
        `is_run`: it is a call of `run`, as others have no steps; `is_simulated`: PsyNeuLink simulates the Composition by it;
        `skips_analysis`: the call asks not to analyze the graph; `gives_values`: its execution context gets the values that it lacks.
        """
        self.composition = composition
        self.execution_id = execution_id
        self.is_done = False
        self.skips_analysis = skips_analysis
        self.gives_values = gives_values
        self.steps: list[str] = []
        """Those of each start; one more is made only when it is needed."""
        if is_run:
            self.steps.append(COMPLETE)
            if not is_simulated:
                self.steps += CHECKING_STEPS
                self.steps += () if skips_analysis else (ANALYZE,)

    def make(self) -> None:
        """Does all that is to be done, unless it has been."""
        if self.is_done:
            return
        self.is_done = True
        last = kept(self.composition, LastRunStart).warned
        for step in self.steps:
            last[step] = self.take(step)
        if self.steps and projections_are_to_be_checked(self.composition):
            self.take(CHECK_PROJECTIONS)  # after which it is not needed, so that its warning is given once

    def take(self, step: str) -> list[Warned]:
        """Takes one step; returns the warnings that it has given."""
        warned: list[Warned] = []
        with noted(warned):
            getattr(self.composition, step)(**({"context": context_of_preparing(self.execution_id)} if step in PREPARING_STEPS else {}))
        return warned

    @property
    def was_made(self) -> bool:
        """True if all steps have been taken in this start or an earlier one."""
        return self.is_done or kept(self.composition, LastRunStart).warned.keys() >= set(self.steps)

    def warn(self) -> None:
        """Gives the warnings of the last start, if this one has not been made, as nothing has changed since."""
        if not self.is_done and self.steps:
            self.is_done = True
            for step in self.steps:
                for one in kept(self.composition, LastRunStart).warned[step]:
                    one.again()

    def check_is_analyzed(self) -> None:
        """Raises UnsupportedFeature if the call asks not to analyze a graph that was changed, as PsyNeuLink then keeps to the old one."""
        if self.skips_analysis and any(one.needs_update_graph for one in compositions_in(self.composition)):
            raise UnsupportedFeature(
                f"Composition {self.composition.name!r}",
                "run() is called with skip_analyze_graph before PsyNeuLink has determined its inputs and outputs again after a change",
                "leave skip_analyze_graph out",
            )

    @contextmanager
    def left_out(self) -> Generator[None]:
        """Within the block, in which PsyNeuLink runs the Composition, it leaves out once what has been done."""
        steps = self.steps if self.is_done else ()
        held: dict[str, Any] = self.composition.__dict__
        for number, step in enumerate(steps, start=1):
            held[step] = passed_once(held, steps[:number])
        try:
            yield
        finally:
            for step in steps:
                held.pop(step, None)


def passed_once(held: dict[str, Any], steps: Sequence[str]) -> Callable[..., None]:
    """A method in the place of the last of these steps, which does nothing; with its first call, those of all of them are gone."""

    def passed(*args: Any, **kwargs: Any) -> None:
        for step in steps:
            held.pop(step, None)

    return passed


_one_at_a_time = threading.RLock()
"""Held by the thread whose warnings are noted: else one would put back what another one has put in the place of `warnings.warn`."""


@contextmanager
def noted(warned: list[Warned]) -> Generator[None]:
    """
    While this thread is in the block, its warnings are given and noted; those of others are given.

    A list of filters of its own would change what Python shows later.
    """
    thread = threading.get_ident()
    with _one_at_a_time:
        original = warnings.warn

        def warn(message: Any, category: Any = None, stacklevel: int = 1, *args: Any, **kwargs: Any) -> None:
            if threading.get_ident() == thread:
                warned.append(warned_at(inspect.currentframe(), stacklevel, message, category))
            is_by_file = bool(kwargs.get("skip_file_prefixes"))  # then Python looks for the line without counting this function
            original(message, category, stacklevel + (not is_by_file), *args, **kwargs)

        warnings.warn = warn
        try:
            yield
        finally:
            warnings.warn = original


def warned_at(frame: FrameType | None, stacklevel: int, message: Any, category: Any) -> Warned:
    """A warning whose line is that of the frame so many above."""
    for _ in range(stacklevel):
        frame = frame and frame.f_back
    kind = type(message) if isinstance(message, Warning) else category or UserWarning
    if frame is None:
        return Warned(str(message), kind, "sys", 1, "sys")
    return Warned(str(message), kind, frame.f_code.co_filename, frame.f_lineno, frame.f_globals.get("__name__", ""))
