"""
The values before the present ones, which PsyNeuLink keeps as the history of a Parameter, one of each.

A native run leaves the values of its end. What a Mechanism and its ports were before their last execution is found when
somebody looks at it: if they have been executed once since values were last shown, it is what was shown then; else the last
run is run again, but for its last trial.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, SupportsIndex, cast

import numpy as np

from cogir.errors import CogirError
from cogir.psyneulink.state.snapshots import Snapshot
from cogir.runtime.context import BankContext
from cogir.runtime.plan import Floats, Words

REMEDY = "give execution_mode=ExecutionMode.Python to the run whose previous values you need"

Run = Callable[[BankContext, Floats, Floats], object]


class NoHistory(CogirError, IndexError):
    """A native run does not tell what was asked; PsyNeuLink shows it as the cause of its own error."""


class LastRun:
    """What it takes to find out how things stood before the last trial of a run."""

    def __init__(self, run: Run, context: BankContext, saved: Snapshot, rows: Floats, trials: int):
        """`run`: the compiled trials; `saved`: the state before the run; `rows`: the inputs of its trials, one after another."""
        self.run, self.plan, self.trials = run, context.plan, trials
        self.saved = (saved.sf.copy(), saved.si.copy(), saved.rng.copy())
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
        context = BankContext(self.plan, None)
        for name, bank in zip(("sf", "si", "rng", "pf", "pi"), (*self.saved, *self.parameters), strict=True):
            getattr(context, name)[: len(bank)] = bank  # records, at the end, are not saved
        context.started = True
        self.run(context, self.rows, np.empty((self.trials - 1, self.plan.size("out"))))
        return context.sf

    def value(self, places: Words, shape: tuple[int, ...], count: int, now: float) -> Floats:
        """What stood in these words before the last execution of a Mechanism, of which there have been `now`; raises `NoHistory`."""
        bank = self.before_last
        if now - bank[count] != 1:
            raise NoHistory(f"native runs know the value before the last execution only of what ran once in the last trial; {REMEDY}")
        return bank[places].reshape(shape)


class Previous(deque[Any]):
    """The history of one value, which is asked for when somebody looks at it."""

    def __init__(self, find: Callable[[], Any]):
        super().__init__(maxlen=1)
        self.find: Callable[[], Any] | None = find

    def look(self) -> None:
        """Finds the value; raises `NoHistory`."""
        if self.find is not None:
            value = self.find()
            self.find = None
            super().append(value)

    def appendleft(self, x: Any, /) -> None:
        """PsyNeuLink goes on: the one value that it keeps is another one now."""
        self.find = None
        super().appendleft(x)

    def clear(self) -> None:
        """Forgets the value."""
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
    Whether PsyNeuLink sets it once in each execution: the value of a Mechanism, of an OutputPort, or of an InputPort of a node of the
    Composition that runs (in a nested one, even where that runs alone, it sets those twice).
    """
    owner = parameter._owner._owner
    names = {kind.__name__ for kind in cast("type[Any]", type(owner)).__mro__}
    is_input = "InputPort" in names and owner.owner in composition.nodes and not composition.is_nested
    return parameter.name == "value" and (is_input or bool(names & {"Mechanism_Base", "OutputPort"}))
