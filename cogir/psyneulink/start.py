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
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType
from typing import Any, NamedTuple

from cogir.psyneulink.kept import kept
from cogir.psyneulink.library import context_of_preparing

IN_CONTEXT = ("_complete_init_of_partially_initialized_nodes", "_analyze_graph", "_check_for_unused_projections")
"""Steps that are called with the context of the run."""


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


class LastStart:
    """The warnings of the last start of a Composition that are given at each start."""

    def __init__(self) -> None:
        self.warned: list[Warned] = []


class Start:
    """The start of one call."""

    def __init__(self, composition: Any, execution_id: Any, *, is_run: bool = True, is_simulated: bool = False):
        """`is_run`: it is a call of `run`, as others have no start; `is_simulated`: PsyNeuLink simulates the Composition by it."""
        self.composition = composition
        self.execution_id = execution_id
        self.is_done = False
        self.steps: list[str] = []
        if is_run:
            self.steps.append("_complete_init_of_partially_initialized_nodes")
            if not is_simulated:
                self.steps += ("_check_controller_initialization_status", "_check_nodes_initialization_status", "_analyze_graph")
            if composition._need_check_for_unused_projections:
                self.steps.append("_check_for_unused_projections")

    def make(self) -> None:
        """Does all that is to be done, unless it has been."""
        if self.is_done:
            return
        self.is_done = True
        composition, context = self.composition, context_of_preparing(self.execution_id)
        last = kept(composition, LastStart).warned = []
        for step in self.steps:
            with noted([] if step == "_check_for_unused_projections" else last):  # that one is given once
                getattr(composition, step)(**({"context": context} if step in IN_CONTEXT else {}))

    def warn(self) -> None:
        """Gives the warnings of the last start, if this one has not been made, as nothing has changed since."""
        if not self.is_done and self.steps:
            self.is_done = True
            for one in kept(self.composition, LastStart).warned:
                one.again()

    @contextmanager
    def left_out(self) -> Generator[None]:
        """Within the block, in which PsyNeuLink runs the Composition, it leaves out once what has been done."""
        steps = self.steps if self.is_done else ()
        held: dict[str, Any] = self.composition.__dict__
        for step in steps:
            held[step] = passed_once(held, step)
        try:
            yield
        finally:
            for step in steps:
                held.pop(step, None)


def passed_once(held: dict[str, Any], name: str) -> Callable[..., None]:
    """A method in the place of that of a class, which does nothing and is gone after its first call."""

    def passed(*args: Any, **kwargs: Any) -> None:
        held.pop(name, None)

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
