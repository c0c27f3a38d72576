"""Combinations whose exponents are one do without powers, and see when they are not one any more; `rearrange`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cogir
from cogir import library
from cogir.library import Value

SPECIAL = [0.0, -0.0, np.inf, -np.inf, np.nan, 5e-324, -1.5]


def combined(left: Value, right: Value, *, exponents: Value = (1.0, 1.0)) -> Value:
    """The sum of two rows, each to its own power."""
    return library.linear_combination(np.array((left, right)), exponents=exponents.reshape(2, 1))


def compiled(mode: Any) -> cogir.Compiled:
    model = cogir.Model("sum")
    node = model.node("sum", combined, input={"left": 3, "right": 3}, exponents=np.array([1.0, 1.0]))
    model.input(node["left"])
    model.input(node["right"])
    model.output(node)
    return model.compile(mode=mode)


@pytest.fixture(scope="module", params=["run", "python"])
def ready(request: pytest.FixtureRequest) -> cogir.Compiled:
    return compiled(request.param)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    st.lists(st.one_of(st.floats(), st.sampled_from(SPECIAL)), min_size=6, max_size=6),
    st.sampled_from([(1.0, 1.0), (2.0, 1.0), (1.0, 0.5), (-1.0, 3.0)]),
)
def test_like_numpy(ready: cogir.Compiled, numbers: list[float], exponents: tuple[float, float]) -> None:
    left, right = np.array(numbers[:3]), np.array(numbers[3:])
    ready.params["sum/exponents"] = exponents
    result = np.asarray(ready.run({"sum": {"left": [left], "right": [right]}}, num_trials=1).results).ravel()
    with np.errstate(all="ignore"):
        wanted = (np.array((left, right)) ** np.array(exponents).reshape(2, 1)).sum(axis=0)  # of arrays: numbers take other roads
    if exponents == (1.0, 1.0):
        assert np.array_equal(result, wanted, equal_nan=True)
    else:
        np.testing.assert_allclose(result, wanted, rtol=1e-15)


@pytest.mark.parametrize("indices", [(2, 0), [2, 0], np.array([2, 0])], ids=["tuple", "list", "array"])
def test_rearrange_takes_sequences(indices: Any) -> None:
    function = library.rearrange(indices)
    assert function is library.rearrange((2, 0))
    assert function(np.array([1.0, 2.0, 3.0]), scale=2.0).tolist() == [6.0, 2.0]


@pytest.mark.parametrize("indices", [2, (2.0, 0.0), [[2, 0], [1]], "ab", None], ids=str)
def test_rearrange_refuses_what_are_no_indices(indices: Any) -> None:
    with pytest.raises(ValueError, match=r"indices is .*; give a tuple of whole numbers, such as \(2, 0\)"):
        library.rearrange(indices)
