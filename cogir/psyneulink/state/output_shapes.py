"""
The shapes in which PsyNeuLink keeps the outputs of a Composition.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from cogir.psyneulink.pnl import array_of
from cogir.psyneulink.state.lazy_values import look_up
from cogir.runtime.plan import PlanSlot


class OutputShapes:
    """The shapes in which PsyNeuLink shows the outputs of a Composition: with outer axes of length one."""

    def __init__(self, ports: Iterable[Any], slots: Sequence[PlanSlot]):
        """`ports`: those of the output CIM; `slots`: where the model has what they hold."""
        shapes = [np.shape(look_up(port.parameters.value.values, None)) for port in ports]
        fits = [math.prod(shape) for shape in shapes] == [slot.size for slot in slots]
        self.shapes = shapes if fits else [slot.shape for slot in slots]
        self.is_even = len(set(self.shapes)) == 1 and self.shapes[0] != () and all(slot.dtype == "f64" for slot in slots)
        """True if the ports are alike, so that trials are one array of numbers."""

    def trials(self, columns: Iterable[np.ndarray[Any, Any]], count: int) -> Any:
        """The outputs of so many trials, of each port in a column, as PsyNeuLink keeps them."""
        shaped = [column.reshape(count, *shape) for column, shape in zip(columns, self.shapes, strict=True)]
        if self.is_even:
            return np.stack(shaped, axis=1)
        return array_of([array_of(list(trial)) for trial in (zip(*shaped, strict=True) if shaped else [()] * count)])
