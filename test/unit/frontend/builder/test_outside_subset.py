"""The names that can be compiled are the compiler's, and signs are found without it."""

# pyright: basic
import functools
import math

import numpy as np
import pytest

import cogir.pyfunc.table  # noqa: F401 # registers all names
from cogir.frontend.builder.outside_subset import MATH, NUMPY, PYTHON, SPECIAL, looks_outside_subset
from cogir.pyfunc.meanings.registry import known_names


def test_the_names_are_those_of_the_compiler():
    names = [*PYTHON, *(f"math.{name}" for name in MATH), *(f"np.{name}" for name in NUMPY), *(f"scipy.special.{name}" for name in SPECIAL)]
    assert sorted(names) == known_names()


def helper(x):
    return np.unwrap(x)


def inside(x):
    return helper(x)


def tries(x):
    try:
        return 1.0 / x
    except ZeroDivisionError:
        return 0.0


def asserts(x):
    assert x > 0.0
    return x


def nested(x):
    def inner(y):
        raise ValueError(y)

    return inner(x)


def imports(x):
    import random

    return random.random() * x


def formats(x):
    return float(str(x))


def partly(x, power=functools.partial(np.unwrap)):
    return _partial(x)


_partial = functools.partial(np.unwrap)


@pytest.mark.parametrize("function", [helper, inside, tries, asserts, nested, imports, formats, partly])
def test_signs_are_found(function):
    assert looks_outside_subset(function)


def plain(x, *, gain=1.0):
    y = [gain * v for v in x]
    total = sum(v for v in y)
    return np.tanh(np.array(y)) + math.sqrt(2.0) * total + np.linalg.norm(x) + max(x[0], np.pi)


def closing(gain):
    def scaled(x):
        return gain * plain(x) if isinstance(gain, float) else np.float64(gain) * x

    return scaled


@pytest.mark.parametrize("function", [plain, closing(2.0), lambda x: abs(x) if x.size > 1 else -x])
def test_functions_of_the_subset_have_none(function):
    assert not looks_outside_subset(function)
