"""
Planted wrong compilations: random models must find each of them.

A plant is caught when the machine code of a model *behaves* differently from its interpretation, bit for bit, where the clean compiler's
does not. That a plant cannot be compiled, or crashes, shows nothing, and fails the test. The models are `random_model(Random(0))`,
`random_model(Random(1))` ...; at most `BOUND` of them are tried. Plants in passes for replicates are looked for in models whose
replicates go through their loop side by side, those in differentiation by finite differences.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from random import Random

import numpy as np
import pytest
import support.planted.in_library
import support.planted.in_models
import support.planted.in_passes
import support.planted.in_versions  # noqa: F401
from support.compare_models import Behaviour, behaviour, first_difference, replicated
from support.planted.plants import PLANTED, Planted
from support.random.draws import random_draws
from support.random.lanes import random_lanes
from support.random.models import Drawn, random_model
from support.random.networks import AGREES, derivatives
from support.specialised import specialised_runs

from cogir.backend import jit
from cogir.backend.linked_library import LinkedLibrary
from cogir.backend.llvm import host
from cogir.lowering.library import expand_math, expand_rng
from cogir.runtime import build

BOUND = 200
"""So many models are tried before a plant counts as missed."""


REPLICATES = 5
"""So many are made of each model."""


@cache
def model(number: int, look: str = "run") -> Drawn:
    return {"replicates": random_lanes, "draws": random_draws}.get(look, random_model)(Random(number))


@cache
def right(number: int, look: str) -> Behaviour:
    """What the interpreter says; of derivatives, that they are right."""
    with np.errstate(all="ignore"):
        match look:
            case "replicates":
                return replicated(model(number, look), REPLICATES, number, mode="python")
            case "derivatives":
                return [(path, AGREES) for path, _ in derivatives(number)]
            case "specialised":
                return right(number, "run")
            case _:
                return behaviour(model(number, look), "python")


def compiled(number: int, plan: Planted) -> Behaviour:
    """What the machine code does that a compiler with this plant makes."""
    body, functions = expand_rng.body, expand_math.library
    with np.errstate(all="ignore"), optimised(plan.level), pytest.MonkeyPatch.context() as patch:
        if plan.library:  # the bodies of the library are compiled, and not linked
            patch.setattr(build, "linked_library", lambda: LinkedLibrary({}, {}))
            patch.setattr(expand_rng, "body", cache(body.__wrapped__))
            patch.setattr(expand_math, "library", cache(functions.__wrapped__))
        plan.plant(patch)
        match plan.look:
            case "replicates":
                return replicated(model(number, plan.look), REPLICATES, number, mode="run")
            case "derivatives":
                return derivatives(number)
            case "specialised":
                with specialised_runs():
                    return behaviour(model(number, plan.look), "run")
            case _:
                return behaviour(model(number, plan.look), "run")


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
        if plan.needs is not None and not model(number, plan.look).tags[plan.needs]:
            continue
        tried += 1
        if difference := first_difference(right(number, plan.look), compiled(number, plan)):
            break
    else:
        pytest.fail(
            f"{name}: {tried} of the first {BOUND} models behave as they should; if the random models have changed, try more (BOUND = 600)"
        )
    sound = first_difference(right(number, plan.look), compiled(number, replace(plan, plant=lambda _: None)))
    assert sound is None, f"the clean compiler is wrong: {sound}, model {number}"
    with capsys.disabled():
        print(f"\n  {name:42s} model {number:3d}, the {tried}. tried; differs in {difference}", end="")


def test_there_are_forty() -> None:
    assert len(PLANTED) >= 40
