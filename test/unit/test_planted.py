"""
Planted wrong compilations: random models must find each of them.

A plant is caught when the machine code of a model *behaves* differently from its interpretation, bit for bit, where the clean compiler's
does not. That a plant cannot be compiled, or crashes, shows nothing, and fails the test. The models are `random_model(Random(0))`,
`random_model(Random(1))` ...; at most `BOUND` of them are tried.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from random import Random

import numpy as np
import pytest
import support.planted_in_library
import support.planted_in_models
import support.planted_in_passes  # noqa: F401
from support.compare_models import Behaviour, behaviour, first_difference
from support.planted import PLANTED, Planted
from support.random_models import Drawn, random_model

from cogir.backend import jit
from cogir.backend.llvm import host
from cogir.lowering import expand_math, expand_rng

BOUND = 200
"""So many models are tried before a plant counts as missed."""


@cache
def model(number: int) -> Drawn:
    return random_model(Random(number))


@cache
def right(number: int) -> Behaviour:
    """What the interpreter says."""
    with np.errstate(all="ignore"):
        return behaviour(model(number), "python")


def compiled(number: int, plan: Planted) -> Behaviour:
    """What the machine code does that a compiler with this plant makes."""
    body, functions = expand_rng.body, expand_math.library
    with np.errstate(all="ignore"), optimised(plan.level), pytest.MonkeyPatch.context() as patch:
        if plan.library:
            patch.setattr(expand_rng, "body", cache(body.__wrapped__))
            patch.setattr(expand_math, "library", cache(functions.__wrapped__))
        plan.plant(patch)
        return behaviour(model(number), "run")


@contextmanager
def optimised(level: int) -> Iterator[None]:
    """Machine code is made with as much optimisation as this."""
    sound = jit.compile_to_object
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jit, "compile_to_object", lambda ir, **options: sound(ir, **{"target": host(level), **options}))
        yield


@pytest.mark.full
@pytest.mark.parametrize("name", PLANTED)
def test_is_caught(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    plan, tried = PLANTED[name], 0
    for number in range(BOUND):
        if plan.needs is not None and not model(number).tags[plan.needs]:
            continue
        tried += 1
        if difference := first_difference(right(number), compiled(number, plan)):
            break
    else:
        pytest.fail(f"{name}: {tried} models behave as they should")
    sound = first_difference(right(number), compiled(number, Planted(lambda _: None, level=plan.level, library=plan.library)))
    assert sound is None, f"the clean compiler is wrong: {sound}\n{model(number).model.ir()}"
    with capsys.disabled():
        print(f"\n  {name:42s} model {number:3d}, the {tried}. tried; differs in {difference}", end="")


def test_there_are_twenty() -> None:
    assert len(PLANTED) >= 20
