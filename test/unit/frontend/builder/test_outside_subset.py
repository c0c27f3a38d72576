"""The names that can be compiled are the compiler's, and signs are found without it."""

# pyright: basic
import functools
import math

import numpy as np
import pytest

import cogir
import cogir.pyfunc.table  # registers all names
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


def appends(x):
    items = [x]
    items.append(x)
    return items[1]


def looks_up(x):
    return {"a": x, "b": 2.0 * x}["a"]


def writes(x):
    text = f"{x}"
    return x if text else -x


def matches(x):
    match (x, 1.0):
        case (first, _):
            return first


def swaps_rows(x):
    d = np.array([x, x + 1.0])
    d[0], d[1] = d[1], d[0]
    return d


@pytest.mark.parametrize(
    "function",
    [helper, inside, tries, asserts, nested, imports, formats, partly, appends, looks_up, writes, matches, swaps_rows],
)
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


def changes_its_argument(x):
    x[0] = 1.0
    return x


def adds_to_its_argument(x):
    x += 1.0
    return x


def adds_to_a_part(x, *, gain=np.ones(2)):
    part = gain[::-1]
    part *= 2.0
    return x * gain


@pytest.mark.parametrize(
    "function", [appends, looks_up, writes, matches, swaps_rows, changes_its_argument, adds_to_its_argument, adds_to_a_part]
)
def test_what_is_not_compiled_is_said_where_the_node_is_made(function):
    m = cogir.Model("m")
    place = r"test_outside_subset.py:\d+: "
    with pytest.warns(cogir.NotCompiledWarning, match=rf"{place}node .*{place}{function.__name__}: "):
        m.node("n", function, input=2)


@pytest.mark.filterwarnings("ignore::cogir.ReducedModeWarning")
def test_looking_at_a_function_changes_no_parameter():
    m = cogir.Model("m")
    gain = np.ones(2)
    with pytest.warns(cogir.NotCompiledWarning):
        node = m.node("n", adds_to_a_part, input=2, gain=gain)
    assert gain.tolist() == [1.0, 1.0]
    assert m.compile().params["n/gain"].tolist() == [1.0, 1.0], node
