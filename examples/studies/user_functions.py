"""
Functions of one's own: idioms of Python, each as the function of a node, beside what Python computes.

    python examples/studies/user_functions.py

What is in the subset runs as machine code, and gives Python's numbers. What is not is said where the node is created, with the line and
what to write instead, and runs in Python.
"""

import functools
import math
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple

import numpy as np

import cogir
from cogir.library import Static

X = np.array([0.25, -1.5, 2.0])


class Rule(Enum):
    """A constant that a function compares with."""

    SUM = 1
    PRODUCT = 2


@dataclass(frozen=True)
class Settings:
    """Constants of a model."""

    gain: float = 2.0
    bias: float = -0.5


class Pair(NamedTuple):
    """Two numbers."""

    low: float
    high: float


SETTINGS, RULE, GAINS, TABLE = Settings(), Rule.SUM, {"fast": 2.0, "slow": 0.5}, [1.0, 2.0, 4.0]


# functions.md: "Globals and closures may contain constants, arrays, enums and functions."
def of_settings(x):
    return SETTINGS.gain * x + SETTINGS.bias


def by_enum(x):
    return np.sum(x) if RULE is Rule.SUM else np.prod(x)


def by_key(x):
    return GAINS["fast"] * x - GAINS["slow"]


# functions.md: "Tuples, named tuples and lists of fixed length, unpacking (also starred), comprehensions of up to 16 items."
def of_list(x):
    return np.array([TABLE[i] * x[i] for i in range(3)])


def of_pair(x):
    pair = Pair(np.min(x), np.max(x))
    return pair.high - pair.low


def unpacked(x):
    first, *rest = x
    return first + 2.0 * rest[0] + 4.0 * rest[1]


def nested_comprehension(x):
    return np.array([[a * b for b in x] for a in x])


# functions.md: "Operators: `+ - * / // % ** @`, comparisons (also chained)"
def operators(x):
    return (x // 0.5) % 3.0 + x**2 - x @ x / 4.0


def chained(x):
    return 1.0 if -2.0 < x[1] < 0.0 <= x[2] else 0.0


def walrus(x):
    return total if (total := np.sum(x)) > 0.5 else -1.0


def tests(x):
    return 1.0 if x[0] in (0.25, 0.5) and not x[1] > 0.0 else 0.0


# functions.md: "All of these can be assigned to, also with `+=`"
def assigned(x):
    y = x.copy()
    y[0] = 4.0
    y[1:] += 1.0
    return y


def by_mask(x):
    y = x.copy()
    y[y > 1.0] = 0.0
    return y


def reversed_slice(x):
    return x[::-1] - x


def outer_by_axes(x):
    return x[:, None] * x[None, :]


def by_indices(x):
    return x[[2, 0]]


# functions.md: "`if`, `while`, `for` over ranges, arrays, `zip`, `enumerate`, `reversed` (compiled to a loop) and over tuples and lists
# (unrolled), with `break`, `continue` and `return` anywhere."
def while_loop(x):
    total, steps = x[0], 0
    while total < 10.0:
        total, steps = 2.0 * total, steps + 1
    return total + steps


def for_loop(x):
    total = 0.0
    for i in range(len(x)):
        if x[i] < 0.0:
            continue
        total += i * x[i]
    return total


def early_return(x):
    for e in x:
        if e < 0.0:
            return e
    return 0.0


def broken(x):
    found = -1
    for i, e in enumerate(x):
        if e > 1.0:
            found = i
            break
    return found


def zipped(x):
    total = 0.0
    for a, b in zip(x, reversed(x)):
        total += a * b
    return total


def over_tuple(x):
    total = 0.0
    for scale in (1.0, 0.5, 0.25):
        total += scale * np.sum(x)
    return total


# functions.md: "Calls of other functions in the subset, lambdas, nested functions, functions as arguments, `functools.partial`; keyword and
# default arguments."
def helper(value, scale=2.0, *, shift=0.0):
    return scale * value + shift


def calls(x):
    return helper(x) + helper(x, shift=1.0) + helper(scale=0.5, value=x)


def with_lambda(x):
    square = lambda v: v * v  # noqa: E731
    return square(x) + square(2.0)


def nested(x):
    def scaled(v):
        return x[0] * v

    return scaled(x)


def applied(f: Callable[..., Any], value):
    return f(value) + f(2.0 * value)


def function_as_argument(x):
    return applied(np.tanh, x) + applied(helper, x)


triple = functools.partial(helper, scale=3.0)


def with_partial(x):
    return triple(x)


def recursion_of_data(x):
    a, b = 0.0, 1.0
    for _ in range(10):
        a, b = b, a + b
    return a * x


# functions.md: "Static"
def with_static(x, *, mode: Static = "half"):
    return x / 2.0 if mode == "half" else x


# functions.md: "Attributes and methods of arrays"
def methods(x):
    return x.sum() + x.mean() + x.max() * x.argmin() + x.clip(-1.0, 1.0).std()


def shapes(x):
    return np.ones(x.shape) * x.size + x.reshape(3, 1).T[0]


def types_of_numbers(x):
    return int(x[2]) // 2 + round(x[1]) + float(True) + abs(x[1])


def mathematics(x):
    return math.exp(x[0]) + math.hypot(x[1], x[2]) + math.log1p(x[2]) + math.copysign(1.0, x[1])


def linear_algebra(x):
    return np.linalg.solve(np.eye(3) + np.outer(x, x), x)


def sorting(x):
    return np.sort(x) + np.argsort(x)


def builtin_numbers(x):
    return max(x[0], x[1]) + min(x) + sum(x) + pow(x[0], 2) + divmod(x[2], 0.75)[1]


def where_and_einsum(x):
    return np.where(x > 0.0, x, 0.0) + np.einsum("i,ij->j", x, np.eye(3))


def integers(x):
    bits = 0
    for i in range(3):
        bits |= (1 if x[i] > 0.0 else 0) << i
    return bits


IDIOMS: tuple[Callable[..., Any], ...] = (
    of_settings, by_enum, by_key, of_list, of_pair, unpacked, nested_comprehension, operators, chained, walrus, tests, assigned, by_mask,
    reversed_slice, outer_by_axes, by_indices, while_loop, for_loop, early_return, broken, zipped, over_tuple, calls, with_lambda, nested,
    function_as_argument, with_partial, recursion_of_data, with_static, methods, shapes, types_of_numbers, mathematics, linear_algebra,
    sorting, builtin_numbers, where_and_einsum, integers,
)  # fmt: skip


# What is not in the subset. functions.md: "Everything else is outside the subset."
def tries(x):
    try:
        return 1.0 / x
    except ZeroDivisionError:
        return x


def makes_a_set(x):
    return float(len({x[0], x[1]}))


def formats(x):
    return float(f"{x[0]:.1f}")


OUTSIDE: tuple[Callable[..., Any], ...] = (tries, makes_a_set, formats)


def computed(function: Callable[..., Any]) -> tuple[np.ndarray, str, list[str]]:
    """What a node with this function computes, the mode that it runs in, and what is said about it."""
    model = cogir.Model(function.__name__)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        model.node("node", function, input=3)
        compiled = model.compile()
        values = compiled.run({"node": [X]})["node"][0]
    return np.asarray(values), compiled.mode, [str(one.message) for one in said]


def study() -> dict[str, tuple[bool, str, list[str]]]:
    """For each function, whether the model's numbers are Python's, its mode, and what is said about it."""
    found = {}
    for function in (*IDIOMS, *OUTSIDE):
        values, mode, said = computed(function)
        found[function.__name__] = (bool(np.allclose(values, function(X), rtol=1e-14, atol=0.0)), mode, said)
    return found


if __name__ == "__main__":
    for name, (is_equal, mode, said) in study().items():
        print(f"{name:24} {'as Python' if is_equal else 'NOT as Python'}, mode {mode}")
        for message in said:
            print(f"    {message}", file=sys.stdout)
