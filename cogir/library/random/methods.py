"""
The draws that are made of others (`draws.py`) as methods of a generator: names, parameters and their ranges.

`Stream` checks and calls them as Python, `cogir.pyfunc.variates` compiles calls of them; both take the signatures from here.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from inspect import Parameter
from typing import Any

import numpy as np

from cogir.library.random import draws
from cogir.library.random.variates import LARGEST_MEAN
from cogir.ranges import Between

ANY, POSITIVE, NON_NEGATIVE, PROBABILITY = Between(), Between(0.0, low_open=True), Between(0.0), Between(0.0, 1.0)
WITHOUT_LOOP = ("xoshiro256",)
"""The kinds of generators whose uniforms and normals are made without a loop."""
MASKED = ("philox4x64",)
"""The kinds whose shuffles draw by masks, where `integer` uses Lemire's method (NumPy's `Generator`)."""


def _signature(*names: str, **defaults: Any) -> inspect.Signature:
    kind = Parameter.POSITIONAL_OR_KEYWORD
    required = [Parameter(name, kind) for name in names]
    return inspect.Signature([*required, *(Parameter(name, kind, default=value) for name, value in defaults.items())])


@dataclass(frozen=True)
class Distribution:
    """A draw with numbers as parameters, then `size`."""

    function: Callable[..., Any]
    signature: inspect.Signature
    ranges: Mapping[str, Between]
    whole: tuple[str, ...] = ()
    """The parameters that are whole numbers."""
    without_loop: Callable[..., Any] | None = None
    """The same for the kinds of generators that need no loop."""

    def function_for(self, kind: str) -> Callable[..., Any]:
        """The function that is compiled for this kind of generator."""
        return self.without_loop if self.without_loop is not None and kind in WITHOUT_LOOP else self.function


DISTRIBUTIONS: dict[str, Distribution] = {
    "exponential": Distribution(
        draws.exponential, _signature(scale=1.0, size=None), {"scale": NON_NEGATIVE}, without_loop=draws.exponential_without_loop
    ),
    "gamma": Distribution(draws.gamma, _signature("shape", scale=1.0, size=None), {"shape": NON_NEGATIVE, "scale": NON_NEGATIVE}),
    "beta": Distribution(draws.beta, _signature("a", "b", size=None), {"a": POSITIVE, "b": POSITIVE}),
    "lognormal": Distribution(
        draws.lognormal,
        _signature(mean=0.0, sigma=1.0, size=None),
        {"mean": ANY, "sigma": NON_NEGATIVE},
        without_loop=draws.lognormal_without_loop,
    ),
    "binomial": Distribution(draws.binomial, _signature("n", "p", size=None), {"n": NON_NEGATIVE, "p": PROBABILITY}, ("n",)),
    "poisson": Distribution(draws.poisson, _signature(lam=1.0, size=None), {"lam": Between(0.0, LARGEST_MEAN)}),
    "geometric": Distribution(draws.geometric, _signature("p", size=None), {"p": Between(0.0, 1.0, low_open=True)}),
    "truncated_normal": Distribution(
        draws.truncated_normal,
        _signature("low", "high", mean=0.0, sigma=1.0, size=None),
        {"low": ANY, "high": ANY, "mean": ANY, "sigma": POSITIVE},
    ),
}
FURTHER = {
    "gamma": ", both finite",
    "beta": ", both finite",
    "lognormal": ", with mean and sigma finite",
    "truncated_normal": ", with mean and sigma finite and an interval of a probability above 0 (39 sigma beyond the mean it is 0)",
}
"""Demands on parameters besides their ranges: some infinities, and intervals in the far tails, have no number."""
CATEGORICAL = _signature("p", size=None)
CHOICE = _signature("a", size=None, replace=True, p=None)
PERMUTATION = _signature("x")

NAMES = (*DISTRIBUTIONS, "categorical", "choice", "permutation", "shuffle")


def demands(name: str) -> str:
    """The demands on the parameters of a draw, in words."""
    if name not in DISTRIBUTIONS:
        return "p must be probabilities, with the sum 1"
    each = [f"{key} must be {range}" for key, range in DISTRIBUTIONS[name].ranges.items() if range != ANY]
    return " and ".join([*(["low must be below high"] if name == "truncated_normal" else []), *each]) + FURTHER.get(name, "")


def not_probabilities(p: Any) -> str | None:
    """The reason for which these numbers are no probabilities of categories; None if they are."""
    if not PROBABILITY.holds(p):
        return f"p has an element outside of {PROBABILITY.interval}"
    total = float(sum(p))
    if abs(total - 1.0) > draws.SUM_TOLERANCE:
        return f"p sums to {total!r}, not to 1; divide it by its sum"
    return None


def sample_shape(shapes: Sequence[tuple[int, ...]], size: tuple[int, ...] | None) -> tuple[int, ...]:
    """
    The shape of a draw with parameters of these shapes.

    :raises ValueError: if they do not broadcast to `size`, or to one shape.
    """
    common = np.broadcast_shapes(*shapes)
    if size is None:
        return common
    if np.broadcast_shapes(common, size) != size:
        raise ValueError
    return size
