"""`contract="fast"`: numbers near those of strict code, in fewer operations; and where it is refused."""

from __future__ import annotations

import numpy as np
import pytest

import cogir
from cogir import library
from cogir.library import Random
from cogir.library.numerics.math import SOURCES

Floats = np.ndarray


def layer(size: int) -> cogir.Model:
    model = cogir.Model("layer")
    first, second = model.node("first", library.linear, input=size), model.node("second", library.logistic, input=size)
    model.project(first, second, matrix=np.random.default_rng(0).normal(size=(size, size)))
    model.output(second)
    return model


@pytest.mark.parametrize(("size", "trials"), [(60, 200), (60, 3), (8, 50)])
def test_fast_numbers_are_near(size: int, trials: int) -> None:
    rows = np.random.default_rng(1).normal(size=(trials, size))
    strict, fast = (layer(size).compile(contract=contract) for contract in ("strict", "fast"))
    found, wanted = fast.run({"first": rows})["second"], strict.run({"first": rows})["second"]
    np.testing.assert_allclose(found, wanted, rtol=1e-10, atol=1e-13)
    assert not np.array_equal(found, wanted)
    assert fast.options["contract"] == "fast"


def test_learning_is_fast_too() -> None:
    model = layer(50)
    target = model.node("target", input=50)
    model.learning([("second", target)], library.gradient_descent, rate=0.05)
    made = np.random.default_rng(2)
    data = {"first": made.normal(size=(64, 50)), "target": made.uniform(size=(64, 50))}
    strict, fast = (model.compile(contract=contract).learn(data, epochs=2, batch=32) for contract in ("strict", "fast"))
    np.testing.assert_allclose(fast.losses, strict.losses, rtol=1e-10)
    np.testing.assert_allclose(fast.trials["second"], strict.trials["second"], rtol=1e-10)
    assert not np.array_equal(fast.trials["second"], strict.trials["second"])


def test_the_exponential_function_is_shorter() -> None:
    def exponential(x: Floats) -> Floats:
        return np.exp(x)

    model = cogir.Model("exponential")
    model.node("n", exponential, input=20)
    rows = np.random.default_rng(3).normal(size=(50, 20)) * 30.0
    fast = model.compile(contract="fast").run(rows)["n"]
    assert fast.tolist() == [[SOURCES["exp_fast"](x) for x in row] for row in rows.tolist()]
    assert not np.array_equal(fast, model.compile().run(rows)["n"])


def test_draws_keep_every_rounding() -> None:
    def noisy(x: Floats, *, random: Random) -> Floats:
        return x * np.array([random.normal(), random.exponential(), random.gamma(0.7), random.beta(0.3, 0.6), random.poisson(3.5)])

    model = cogir.Model("noisy", seed=5)
    model.node("n", noisy, input=5)
    strict, fast = (model.compile(contract=contract).run([[1.0] * 5], 1000)["n"] for contract in ("strict", "fast"))
    assert np.array_equal(strict, fast)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"contract": "quick"}, "contract is 'quick'; give one of strict, fast"),
        ({"contract": "fast", "mode": "python"}, 'contract "fast" is for whole runs on the CPU, but mode is "python"; leave out contract'),
        ({"contract": "fast", "target": "cuda-emulated"}, 'but target is "cuda-emulated"; leave out contract'),
    ],
)
def test_refusals(given: dict[str, str], message: str) -> None:
    with pytest.raises(cogir.ModelError, match=message):
        layer(8).compile(**given)
