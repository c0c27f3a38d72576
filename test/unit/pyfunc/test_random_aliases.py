"""
Random functions with views, second names, stores into views of views and loops over arrays that change: compiled, they give CPython's
numbers to the bit, or they are refused with an error that says what to write.
"""

# pyright: basic
import itertools
import re
from collections import Counter
from random import Random

import numpy as np
import pytest
from support.planted.in_functions import PLANTS
from support.pyfunc import check_native, checked_results, python_results
from support.random.shared_memory import generated

from cogir.errors import FunctionError

REFUSALS = re.compile(
    r"share memory, so a change of one changes the other; write \.copy\(\)"
    r"|is changed in the loop on line \d+, which goes through a view of it; write \.copy\(\)"
    r"|is changed while values on the right share its memory, .*; write \.copy\(\) on the right"
    r"|is an argument, a global, or part of one, and this would change it for others; write \w+ = \w+\.copy\(\) before"
    r"|is a view that NumPy makes read-only \(.*\); write \.copy\(\) where it is made"
    r"|the slice selects no element of an axis of \d+ elements; arrays cannot be empty here"
)


def outcome(made) -> str:
    """What became of a function: "equal", "refused", or what is wrong."""
    try:
        expected = python_results(made.function, *made.inputs)
    except Exception as error:
        expected = error
    try:
        results = checked_results(made.function, *made.inputs)
    except FunctionError as error:
        return "refused" if REFUSALS.search(str(error)) else f"refused without a remedy: {error}"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    if isinstance(expected, Exception):
        return f"Python raises {expected}"
    for result, wanted in zip(results, expected, strict=True):
        if not np.array_equal(result, wanted) or not np.array_equal(np.signbit(result), np.signbit(wanted)):
            return f"{result} instead of {wanted}"
    return "equal"


def test_random_functions_follow_python_or_are_refused():
    found = Counter()
    for seed in range(60):
        made = generated(Random(seed))
        found[said := outcome(made)] += 1
        assert said in ("equal", "refused"), f"{said}\n{made.source}"
    assert found["equal"] >= 45


@pytest.mark.parametrize("seed", range(0, 60, 12))
def test_machine_code_gives_the_bits_of_the_interpreter(seed):
    made = next(made for number in itertools.count(seed) if outcome(made := generated(Random(number))) == "equal")
    check_native(made.function, *made.inputs)


def test_one_seed_makes_one_function():
    assert generated(Random(7)).source == generated(Random(7)).source


@pytest.mark.full
def test_five_thousand_random_functions_follow_python_or_are_refused(capsys):
    found, constructs = Counter(), Counter()
    for seed in range(5000):
        made = generated(Random(seed))
        found[said := outcome(made)] += 1
        assert said in ("equal", "refused"), f"{said}\n{made.source}"
        if said == "equal":
            constructs.update("reshape" if ".reshape(" in each else each for each in made.constructs)  # of which few shapes fit
            if seed % 25 == 0:
                check_native(made.function, *made.inputs)
    with capsys.disabled():
        print(f"\n{found['equal']} functions equal CPython to the bit, {found['refused']} are refused; among the first:")
        for construct, count in constructs.most_common():
            print(f"  {construct:45s} {count:4d}")
    assert found["equal"] >= 4000
    assert min(constructs.values()) >= 10


@pytest.mark.parametrize("name", PLANTS)
def test_planted_faults_are_found(name, monkeypatch):
    PLANTS[name](monkeypatch)
    functions = (generated(Random(seed), clash=seed % 2) for seed in range(600))
    assert any(outcome(made) not in ("equal", "refused") for made in functions)
