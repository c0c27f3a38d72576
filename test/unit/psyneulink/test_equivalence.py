"""Compositions are compared like other models."""

from typing import Any

import numpy as np
import psyneulink as pnl
import pytest

from cogir.analyze import equivalent

pytestmark = pytest.mark.filterwarnings("ignore")


def pathway(name: str, gain: float) -> Any:
    first = pnl.TransferMechanism(name=f"input {name}", input_shapes=2)
    second = pnl.TransferMechanism(name=f"output {name}", input_shapes=2, function=pnl.Logistic(gain=gain))
    return pnl.Composition(name=name, pathways=[[first, np.array([[1.0, -1.0], [2.0, 0.5]]), second]])


def test_compositions() -> None:
    assert equivalent(pathway("a", 1.0), pathway("b", 1.0)).answer == "bit-equal"
    different = equivalent(pathway("c", 1.0), pathway("d", 1.5))
    assert different.answer == "not shown"
    assert "1.5 * " in str(different)
