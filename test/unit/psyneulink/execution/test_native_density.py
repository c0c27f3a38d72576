"""Densities in native code: fastKDE's on short grids, and what it leaves to others."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from psyneulink.core.components.functions.nonstateful.fitfunctions import BadLikelihoodWarning, simulation_likelihood
from support.psyneulink.samples import SAMPLES

from cogir.psyneulink.execution.density import by_fastkde, interpolated, likelihood_of
from cogir.psyneulink.execution.kernel_density import densities
from cogir.psyneulink.execution.native_density import ESTIMATED, FEW, LEFT, REFUSED, NativeLikelihoods, Places

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
"""PsyNeuLink assigns arrays of one element to numbers."""


def estimated(simulated: np.ndarray, categories: np.ndarray, kind: float, points: np.ndarray) -> NativeLikelihoods:
    """One place, in the only row."""
    places = Places(np.zeros(1, np.int64), np.array([kind]), np.array([0, len(points)]), points)
    native = NativeLikelihoods(places)
    native.estimate(0, 1, simulated[None], categories[None])
    return native


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("count", [10, 57, 1000])
def test_densities_are_fastkdes(name: str, count: int) -> None:
    rng = np.random.default_rng(count)
    for _ in range(5):
        data = SAMPLES[name](rng, count)
        grid, expected = by_fastkde(data)
        assert len(grid) in (65, 129, 257, 513)
        points = np.concatenate(
            [grid, rng.uniform(grid[0], grid[-1], 100), [np.nextafter(grid[0], -np.inf), np.nextafter(grid[-1], np.inf)]]
        )
        native = estimated(data, np.ones(count), 1.0, points)
        if native.statuses[0] == LEFT:  # a rounding error could decide
            assert densities([data]) == [None]
            continue
        wanted = np.array([interpolated(grid, expected, float(point)) for point in points])
        assert np.abs(native.found - wanted).max() <= 1e-12 * expected.max()
        assert native.found[-2:].tolist() == [1e-10, 1e-10]


def test_each_category_is_the_part_of_the_simulations_that_it_has() -> None:
    rng = np.random.default_rng(0)
    simulated, categories = rng.gamma(2.0, 0.2, 400), rng.integers(0, 2, 400).astype(float)
    points = rng.uniform(0.1, 1.0, 20)
    for kind in (0.0, 1.0):
        native = estimated(simulated, categories, kind, points)
        grid, values = by_fastkde(simulated[categories == kind])
        wanted = [interpolated(grid, values * np.mean(categories == kind), float(point)) for point in points]
        np.testing.assert_allclose(native.found, wanted, rtol=1e-11)
        assert native.others.tolist() == [1.0 - kind]


def test_rows_are_counted_from_that_of_the_first_place() -> None:
    rng = np.random.default_rng(1)
    simulated, categories = rng.gamma(2.0, 0.2, (6, 80)), rng.integers(0, 2, (6, 80)).astype(float)
    places = Places(np.arange(6), np.ones(6), np.arange(7), rng.uniform(0.1, 0.6, 6))
    whole, parts = NativeLikelihoods(places), NativeLikelihoods(places)
    whole.estimate(0, 6, simulated, categories)
    for first in (4, 0, 2):
        parts.estimate(first, first + 2, simulated[first : first + 2], categories[first : first + 2])
    assert whole.statuses.tolist() == [ESTIMATED] * 6
    np.testing.assert_array_equal(parts.found, whole.found)


CASES = {
    "nine of the category": (lambda x, c: (x, np.where(np.arange(100) < 9, 1.0, 0.0)), FEW, 0.0),
    "none of the category": (lambda x, c: (x, np.zeros(100)), FEW, 0.0),
    "only the category": (lambda x, c: (x, np.ones(100)), ESTIMATED, 1.0),
    "others of two categories": (lambda x, c: (x, np.arange(100) % 3.0), ESTIMATED, np.inf),
    "a long grid": (lambda x, c: (np.where(np.arange(100) == 1, 1e4, x), np.ones(100)), LEFT, 1.0),
    "a small range": (lambda x, c: (1e9 + x, c), LEFT, 0.0),
    "a range whose density is too high": (lambda x, c: (1e-8 * x, c), LEFT, 0.0),
    "a variance that overflows": (lambda x, c: (1e200 * x, c), LEFT, 0.0),
    "a range that overflows": (lambda x, c: (1.7e308 * np.sign(x), c), LEFT, 0.0),
    "a variance that vanishes": (lambda x, c: (1e-170 * x, c), LEFT, 0.0),
    "equal simulations": (lambda x, c: (np.ones(100), np.ones(100)), REFUSED, 1.0),
    "equal simulations of others": (lambda x, c: (np.where(c == 1.0, x, 7.0), c), REFUSED, 0.0),
    "nine equal simulations of others": (
        lambda x, c: (np.where(np.arange(100) < 9, 7.0, x), np.where(np.arange(100) < 9, 0.0, 1.0)),
        ESTIMATED,
        0.0,
    ),
    "no number": (lambda x, c: (np.where(np.arange(100) == 40, np.nan, x), c), REFUSED, 0.0),
    "an infinite number of others": (lambda x, c: (np.where(np.arange(100) == 40, -np.inf, x), c), REFUSED, 0.0),
    "a category that is no number": (lambda x, c: (x, np.where(np.arange(100) == 99, np.nan, 1.0)), REFUSED, np.nan),
}


@pytest.mark.parametrize("name", CASES)
def test_what_becomes_of_a_place(name: str) -> None:
    change, status, other = CASES[name]
    simulated, categories = change(np.random.default_rng(2).normal(size=100), np.arange(100) % 2.0)
    native = estimated(simulated, categories, 1.0, np.array([0.1, 0.2]))
    assert native.statuses.tolist() == [status]
    np.testing.assert_array_equal(native.others, [other])
    assert status != FEW or native.found.tolist() == [1e-10, 1e-10]


def test_a_range_next_to_a_power_of_two_is_left() -> None:
    # The ends are such that the range is 12.8 standard deviations: twice that, in tenths of one, is a power of two.
    ends = np.sqrt(81.92 * 100 / (202 - 81.92)) * np.array([-1.0, 1.0])
    data = np.concatenate([ends, np.repeat([-1.0, 1.0], 100)])
    assert estimated(data, np.ones(202), 1.0, np.zeros(1)).statuses.tolist() == [LEFT]
    data[:2] *= 1.001
    assert estimated(data, np.ones(202), 1.0, np.zeros(1)).statuses.tolist() == [ESTIMATED]


def arguments(simulated: np.ndarray, categories: np.ndarray, data: np.ndarray, kinds: np.ndarray) -> dict[str, object]:
    """The arguments of a likelihood."""
    given = {"sim_data": np.stack([categories, simulated], axis=2), "exp_data": np.stack([kinds, data], axis=1)}
    return {**given, "categorical_dims": np.array([True, False]), "combine_trials": False}


def test_what_psyneulink_refuses_is_refused_before_fastkde_is_asked() -> None:
    """It cannot estimate numbers of such a magnitude, and raises an error of its own."""
    rng = np.random.default_rng(3)
    given = arguments(1e-300 * rng.normal(size=(2, 200)), rng.integers(0, 12, (2, 200)).astype(float), np.zeros(2), np.ones(2))
    found = said_and_found(lambda **named: likelihood_of(simulation_likelihood, named), given)
    assert found == said_and_found(simulation_likelihood, given)
    assert "Too many unique values" in str(found[0])


def said_and_found(likelihood, given: dict[str, object]) -> tuple[object, list[str]]:
    """What a likelihood gives, or its error, and its warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found: object = likelihood(**given)
        except ValueError as error:
            found = str(error)
    return found, [str(one.message) for one in caught if issubclass(one.category, BadLikelihoodWarning)]


@pytest.mark.parametrize("seed", range(30))
def test_likelihoods_are_psyneulinks(seed: int) -> None:
    rng = np.random.default_rng(seed)
    trials, count = int(rng.integers(1, 20)), int(rng.integers(5, 300))
    rows = 1 if seed % 3 == 0 else trials
    kinds = (2, 2, 3, 12)[seed % 4]
    simulated = SAMPLES[list(SAMPLES)[seed % len(SAMPLES)]](rng, rows * count).reshape(rows, count)
    categories = rng.integers(0, kinds, (rows, count)).astype(float)
    if seed % 7 == 0:
        categories += 2.0 * np.arange(rows)[:, None]  # others in each row
    if seed % 11 == 0:
        simulated[0, categories[0] == 1.0] = 0.5
    given = arguments(simulated, categories, rng.choice(simulated.ravel(), trials), rng.integers(0, kinds, trials).astype(float))
    found, said = said_and_found(lambda **named: likelihood_of(simulation_likelihood, named), given)
    wanted, expected = said_and_found(simulation_likelihood, given)
    assert said == expected
    if isinstance(wanted, str):
        assert found == wanted
    else:
        np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-12 * np.max(wanted))
