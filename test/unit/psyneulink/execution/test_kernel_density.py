"""Many densities at a time: those of each sample alone, by the steps of SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import optimize

from cogir.psyneulink.execution import kernel_density
from cogir.psyneulink.execution.kernel_density import densities, filtered, groups, lacking, normalising
from cogir.psyneulink.execution.native_density import SPREAD, TAU, GridPlace, spread_points


def samples(seed: int) -> list[np.ndarray]:
    """Samples of many sizes and forms, one of which has a rare outlier and so a long grid."""
    rng = np.random.default_rng(seed)
    made = [rng.wald(0.6, 1.0, size=size) for size in rng.integers(10, 400, 12)]
    made += [rng.normal(size=size) * 10.0 ** int(rng.integers(-3, 4)) for size in rng.integers(10, 400, 12)]
    return [*made, np.concatenate([rng.normal(size=300), [80.0]])]


@pytest.mark.parametrize("most", [1, 500, 60_000])
def test_samples_do_not_depend_on_each_other(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    given = samples(3)
    alone = [densities([sample])[0] for sample in given]
    monkeypatch.setattr(kernel_density, "MOST_NUMBERS", most)
    for one, other in zip(densities(given), alone, strict=True):
        assert one is not None
        assert other is not None
        np.testing.assert_array_equal(one[0], other[0])
        assert np.abs(one[1] - other[1]).max() <= 1e-14 * other[1].max()


def test_densities_are_normalised() -> None:
    for estimate in densities(samples(4)):
        assert estimate is not None
        grid, values = estimate
        assert (values >= 0.0).all()
        assert abs(values.sum() * (grid[1] - grid[0]) - 1.0) < 1e-6


@pytest.mark.parametrize("seed", range(5))
def test_shifts_are_the_roots_that_scipy_finds(seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = rng.normal(0.2, 0.3, size=(20, 60)) * rng.uniform(0.5, 4.0, size=(20, 1))
    step = rng.uniform(0.01, 0.1, size=(20, 1))
    found = normalising(values, step)
    for row, root in enumerate(found):

        def function(delta: float, row: int = row) -> float:
            return float(lacking(values[row : row + 1], step[row : row + 1], np.array([delta]))[0])

        try:
            wanted = optimize.newton(function, 0.0, maxiter=10_000)
        except RuntimeError:
            assert np.isnan(root)
        else:
            assert root == wanted


def test_a_level_secant_has_no_root() -> None:
    values, step = np.full((1, 5), -1.0), np.ones((1, 1))
    assert np.isnan(normalising(values, step)).all()
    with pytest.raises(RuntimeError, match="Tolerance"):
        optimize.newton(lambda delta: float(lacking(values, step, np.array([delta]))[0]), 0.0)


def test_a_frequency_close_to_the_threshold_is_left_to_fastkde() -> None:
    count, centre = 100.0, 8
    threshold = 4.0 * (count - 1.0) / (count * count)
    squared = np.where(np.abs(np.arange(17) - centre) <= 3, 1.0, 0.1 * threshold)
    for factor, is_certain in ((0.5, True), (1.0 - 1e-6, True), (1.0, False), (1.0 + 1e-10, False), (2.0, True)):
        squared[centre + 3] = squared[centre - 3] = factor * threshold
        _, found = filtered(np.sqrt(squared)[None].astype(complex), centre, np.array([[count]]))
        assert found.tolist() == [is_certain], factor


def test_a_grid_of_another_length_by_a_rounding_error_is_left_to_fastkde() -> None:
    # The ends are such that the range is 12.8 standard deviations: twice that, in tenths of one, is a power of two.
    ends = np.sqrt(81.92 * 100 / (202 - 81.92)) * np.array([-1.0, 1.0])
    data = np.concatenate([ends, np.repeat([-1.0, 1.0], 100)])
    assert densities([data]) == [None]
    assert densities([np.concatenate([1.001 * ends, data[2:]])]) != [None]


@pytest.mark.parametrize("scale", [1e200, 4e307, 1e-170, 5e-324])
def test_samples_whose_spread_overflows_are_left_to_fastkde(scale: float) -> None:
    assert densities([scale * np.random.default_rng(0).normal(size=50)]) == [None]


def test_many_small_samples_take_time_in_proportion() -> None:
    given = [np.random.default_rng(seed).normal(size=12) for seed in range(300)]
    sizes = [sum(sample.size for sample in group) for group in groups(given * 10)]
    assert sum(map(len, groups(given))) == 300
    assert max(sizes) <= kernel_density.MOST_NUMBERS


@pytest.mark.parametrize("count", [1, 255, 256, 257, 1000])
def test_points_are_spread_as_numpy_adds_them(count: int) -> None:
    rng = np.random.default_rng(count)
    place = GridPlace(0.3, 0.7, -20.0, 0.25)
    data = 0.3 + 0.7 * (-20.0 + 0.25 * rng.uniform(5.0, 50.0, count))
    position = ((data - place.middle) / place.norm - place.first) / place.apart
    begin = np.floor(position).astype(int) - SPREAD // 2
    wanted, found = np.ones(70), np.ones(70)
    for k in range(SPREAD):
        np.add.at(wanted, begin + k, np.exp(-((position - begin - k) ** 2) / (4.0 * TAU)))
    spread_points(found, data, place)
    np.testing.assert_allclose(found, wanted, rtol=1e-12)
