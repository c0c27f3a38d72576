"""Faults in how functions are looked at where their node is created are found by the tests beside this file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import cogir
from cogir.frontend.builder import outside_subset, shapes
from cogir.frontend.builder.shapes import FirstCall
from test.unit.frontend.builder import test_dtypes, test_outside_subset

Plant = Callable[[pytest.MonkeyPatch], None]


def numbers_of_float32_are_those_of_python(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(FirstCall, "is_float32", False)


def what_python_returns_is_float64(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(shapes, "_narrowed", shapes._widened)  # pyright: ignore[reportPrivateUsage]


def without_signs(name: str) -> Plant:
    """A group of signs is not known; what was found with it is forgotten."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(outside_subset, name, frozenset())
        patch.setattr(outside_subset, "_is_foreign", outside_subset._is_foreign.__wrapped__)  # pyright: ignore[reportPrivateUsage]

    return plant


def the_first_call_may_change_its_arguments(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(shapes, "_locked", shapes._plain)  # pyright: ignore[reportPrivateUsage]


def said_where_it_is_made(function: Any) -> Callable[[], None]:
    return lambda: test_outside_subset.test_what_is_not_compiled_is_said_where_the_node_is_made(function)


PLANTS: dict[str, tuple[Plant, str, Callable[[], None]]] = {
    "numbers of float32": (
        numbers_of_float32_are_those_of_python,
        "unchanged, computed at .* is float64 in a model of float32",
        lambda: test_dtypes.test_functions_of_numbers_and_of_arrays(test_dtypes.unchanged, ()),
    ),
    "what Python returns": (
        what_python_returns_is_float64,
        "digits is float64 in a model of float32",
        test_dtypes.test_functions_that_python_calls_give_numbers_of_float32,
    ),
    "methods": (without_signs("_FOREIGN_METHODS"), "DID NOT WARN", said_where_it_is_made(test_outside_subset.appends)),
    "instructions": (without_signs("_FOREIGN"), "DID NOT WARN", said_where_it_is_made(test_outside_subset.looks_up)),
    "arguments": (the_first_call_may_change_its_arguments, "DID NOT WARN", said_where_it_is_made(test_outside_subset.adds_to_its_argument)),
}


@pytest.mark.parametrize("fault", PLANTS)
def test_a_planted_fault_is_found(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plant, message, check = PLANTS[fault]
    check()
    plant(monkeypatch)
    with pytest.raises((cogir.ModelError, pytest.fail.Exception), match=message):
        check()
