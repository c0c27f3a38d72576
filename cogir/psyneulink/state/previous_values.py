"""
Previous values of Mechanisms and ports, which PsyNeuLink keeps as the history of a Parameter, one of each.

PsyNeuLink reads them itself: `TransferMechanism.is_finished` compares with the previous value. So they are there after native runs, too,
and are computed on the first access. If a Mechanism has been executed once since its values were last written, its previous value is the
one that was written then. Otherwise the last run is repeated without its last trial.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, SupportsIndex, cast

import numpy as np

from cogir.errors import CogirError
from cogir.psyneulink.pnl import component_of
from cogir.psyneulink.state.snapshots import Snapshot
from cogir.runtime.context import NativeContext
from cogir.runtime.plan import Floats, Words

REMEDY = "give execution_mode=ExecutionMode.Python to the run whose previous values you need"

Run = Callable[[NativeContext, Floats, Floats], object]


class NoHistory(CogirError, IndexError):
    """The previous value is not known; PsyNeuLink shows this as the cause of its own error."""


class LastRun:
    """A record of a run, from which the state before its last trial can be computed."""

    def __init__(self, run: Run, context: NativeContext, saved: Snapshot, rows: Floats, trials: int):
        """`run`: the compiled trials; `saved`: the state before the run; `rows`: the inputs of its trials, one after another."""
        self.run, self.plan, self.trials = run, context.plan, trials
        self.saved = saved.give()
        self.parameters, self.rows = (context.pf.copy(), context.pi.copy()), rows

    @property
    def row(self) -> Floats:
        """The inputs of the last trial."""
        return self.rows[(self.trials - 1) % len(self.rows)]

    @cached_property
    def before_last(self) -> Floats:
        """The state before the last trial."""
        if self.trials == 1:
            return self.saved[0]
        context = NativeContext(self.plan, None)
        for name, buffer in zip(("sf", "si", "rng", "pf", "pi"), (*self.saved, *self.parameters), strict=True):
            getattr(context, name)[: len(buffer)] = buffer  # records, at the end, are not saved
        context.started = True
        self.run(context, self.rows, np.empty((self.trials - 1, self.plan.size("out"))))
        return context.sf

    def value(self, places: Words, shape: tuple[int, ...], count: int, now: float) -> Floats:
        """The values of these words before the last execution of a Mechanism, of which there have been `now`; raises `NoHistory`."""
        buffer = self.before_last
        if now - buffer[count] != 1:
            raise NoHistory(f"native runs keep the previous value only of components that ran once in the last trial; {REMEDY}")
        return buffer[places].reshape(shape)


class Previous(deque[Any]):
    """The history of one value, which is computed on the first access."""

    def __init__(self, find: Callable[[], Any]):
        super().__init__(maxlen=1)
        self.find: Callable[[], Any] | None = find

    def look(self) -> None:
        """Computes the value; raises `NoHistory`."""
        if self.find is not None:
            value = self.find()
            self.find = None
            super().append(value)

    def appendleft(self, x: Any, /) -> None:
        """Replaces the one value that PsyNeuLink keeps."""
        self.find = None
        super().appendleft(x)

    def clear(self) -> None:
        """Removes the value."""
        self.find = None
        super().clear()

    def __getitem__(self, key: SupportsIndex, /) -> Any:
        self.look()
        return super().__getitem__(key)

    def __iter__(self) -> Iterator[Any]:
        self.look()
        return super().__iter__()

    def __len__(self) -> int:
        self.look()
        return super().__len__()

    def __repr__(self) -> str:
        return repr(deque(self, maxlen=1))

    def __copy__(self) -> Any:
        try:
            return deque(self, maxlen=1)
        except NoHistory:
            return deque[Any](maxlen=1)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return (deque, (list(self.__copy__()), 1))


def is_kept(parameter: Any, composition: Any) -> bool:
    """
    True if PsyNeuLink sets it once in each execution: the value of a Mechanism, of an OutputPort, or of an InputPort of a node of the
    Composition that runs (in a nested one, even where that runs alone, it sets those twice).
    """
    owner = component_of(parameter)
    names = {kind.__name__ for kind in cast("type[Any]", type(owner)).__mro__}
    is_input = "InputPort" in names and owner.owner in composition.nodes and not composition.is_nested
    return parameter.name == "value" and (is_input or bool(names & {"Mechanism_Base", "OutputPort"}))
