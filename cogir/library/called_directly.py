"""
Library functions as users call them: a check of their generators, which compiled code is without.

NumPy's generators have methods of the same names and other arguments: `RandomState.normal(x.shape)` takes the shape for the mean.
"""

from collections.abc import Callable, MutableMapping
from functools import wraps
from types import FunctionType
from typing import Any

from cogir.errors import InputError, shown
from cogir.library.signature import Random

METHODS = ("normal", "uniform", "integer", "seed")
"""The methods of a generator of cogir; NumPy's have no `integer`."""
CHECKED = "__cogir_checks_generators__"


def check_generators(functions: MutableMapping[str, Any]) -> None:
    """Puts functions that look at their generators in the place of those that draw."""
    for name, function in functions.items():
        if isinstance(function, FunctionType) and (generators := generators_of(function)):
            functions[name] = checking(function, generators, functions["__name__"])


def generators_of(function: FunctionType) -> dict[str, int]:
    """The generators among the arguments of a function, with their positions."""
    names = function.__code__.co_varnames
    return {name: names.index(name) for name, role in function.__annotations__.items() if role is Random}


def checking(function: FunctionType, generators: dict[str, int], package: str) -> Callable[..., Any]:
    """The function of a package as one that raises `InputError` where a generator is none of cogir's; see `compiled_from`."""

    @wraps(function)
    def checked(*arguments: Any, **named: Any) -> Any:
        for name, position in generators.items():
            given = named.get(name) if name in named or position >= len(arguments) else arguments[position]
            if given is not None and not all(hasattr(given, method) for method in METHODS):
                raise InputError(
                    f"{function.__name__}: {name} is {shown(given)}, which is not a generator of cogir; give "
                    f'cogir.random(seed), or cogir.random(seed, "mt19937") for the numbers of np.random.RandomState([seed])'
                )
        return function(*arguments, **named)

    setattr(checked, CHECKED, True)
    checked.__module__ = package  # where it stands, so that it can be pickled
    return checked


def compiled_from(function: Any) -> Any:
    """The function that the compiler reads in place of one that users call."""
    return function.__wrapped__ if getattr(function, CHECKED, False) else function
