"""Decisions with bounds that collapse, in kernels: the bits of the CPU, in little memory for each thread."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from support.long import long

import cogir
from cogir import library
from cogir.irutils import size_of
from cogir.lowering.pipeline import lower_to
from cogir.runtime.recorded import recorded
from cogir.transforms.batch_trials import BatchTrials
from cogir.transforms.fill_lanes import FillLanes
from cogir.transforms.step_tables import CAPACITY


def own(t: Any, threshold: Any) -> Any:
    return threshold * np.exp(-t) / (1.0 + t)


def decision(bound: Any) -> cogir.Model:
    m = cogir.Model("decision", seed=1)
    settings: dict[str, Any] = {"time_step_size": 0.02, "collapse_time": 0.7, "collapse_shape": 1.3, "asymptote": 0.1}
    if callable(bound):
        settings = {"time_step_size": 0.02}
    settings |= {"execute_until_finished": True, "reset_each_trial": True, "max_executions_before_finished": 300}
    m.node("d", library.drift_diffusion_decision, bound=bound, **settings)
    return m


@pytest.mark.parametrize("bound", ["exponential", *long("weibull", own)])
def test_collapsing_bounds_in_kernels(bound: Any) -> None:
    here, there = (decision(bound).compile(unfinished="ignore", **options) for options in ({}, {"target": "cuda-emulated"}))
    asked: dict[str, Any] = {"points": {"d/drift": [0.0, 1.0]}, "inputs": {"d": [[1.0]]}, "replicates": 150, "seed": 1}
    for one, other in (
        (here.replicates({"d": [[1.0], [0.3]]}, 300, seed=2), there.replicates({"d": [[1.0], [0.3]]}, 300, seed=2)),
        (here.sweep(**asked), there.sweep(**asked)),
    ):
        assert all(one[name].tobytes() == other[name].tobytes() for name in one)
        assert len(np.unique(one["d", "response_time"])) > 20


def largest_value(lanes: int) -> int:
    """The size of the largest value in code for replicates with so many lanes."""
    module = recorded(decision("exponential").ir()).module
    options = {"replicate": {"enabled": True}, FillLanes.name: {"lanes": lanes}}
    lower_to(module, "machine", without=(BatchTrials.name,), options=options)
    assert any("lanes_iterate" in str(op.attributes | op.properties) for op in module.ops)
    return max(size_of(value.type) for op in module.walk() for value in op.results)


def test_a_kernel_keeps_no_table_that_nobody_shares() -> None:
    """In lanes, the values that depend on the number of the iteration are in a table; a thread of a GPU is a lane of its own."""
    assert largest_value(48) >= CAPACITY
    assert largest_value(1) <= 64
