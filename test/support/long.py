"""Cases that are left to the long runs (`make check-full`)."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest


def long(*cases: Any) -> list[Any]:
    """These cases, for the long runs only."""
    return [pytest.param(case, marks=pytest.mark.full) for case in cases]


def long_but(cases: Iterable[Any], quick: Callable[[Any], bool] | Iterable[Any]) -> list[Any]:
    """All cases, of which only the quick ones are not left to the long runs."""
    is_quick = quick if callable(quick) else list(quick).__contains__
    return [case if is_quick(case) else long(case)[0] for case in cases]
