"""The density estimate of PsyNeuLink's likelihoods, without fastKDE's objects."""

import warnings

import numpy as np
import pytest
from psyneulink.core.components.functions.nonstateful.fitfunctions import BadLikelihoodWarning, simulation_likelihood
from support.psyneulink.samples import SAMPLES

from cogir.psyneulink.execution import density as module
from cogir.psyneulink.execution.density import by_fastkde, likelihood_of
from cogir.psyneulink.execution.kernel_density import densities
from cogir.runtime import parallel

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
"""PsyNeuLink assigns arrays of one element to numbers."""


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("count", [10, 57, 1000])
def test_densities_are_fastkdes(name: str, count: int) -> None:
    rng = np.random.default_rng(count)
    for _ in range(5):
        data = SAMPLES[name](rng, count)
        (estimate,), (grid, expected) = densities([data]), by_fastkde(data)
        assert estimate is not None
        assert np.array_equal(estimate[0], grid)
        assert np.abs(estimate[1] - expected).max() <= 1e-12 * expected.max()


def simulations(trials: int = 4, estimates: int = 200) -> dict[str, object]:
    rng = np.random.default_rng(5)
    simulated = np.stack([rng.integers(0, 2, (trials, estimates)).astype(float), rng.gamma(2.0, 0.2, (trials, estimates))], axis=2)
    data = np.stack([rng.integers(0, 2, trials).astype(float), rng.gamma(2.0, 0.2, trials)], axis=1)
    return {"sim_data": simulated, "exp_data": data, "categorical_dims": np.array([True, False]), "combine_trials": False}


def refused(**arguments: object) -> None:
    raise AssertionError("this is the usual case")


def test_likelihoods_are_psyneulinks() -> None:
    given = simulations()
    found, expected = likelihood_of(refused, given), simulation_likelihood(**given)
    np.testing.assert_allclose(found, expected, rtol=1e-11)
    given["sim_data"][1, :, 0] = 1.0  # type: ignore[index]
    given["exp_data"][1, 0] = 0.0  # type: ignore[index]
    found, expected = likelihood_of(refused, given), simulation_likelihood(**given)
    assert found[1] == expected[1] == 1e-10


def test_all_zero_likelihoods_give_psyneulinks_warning() -> None:
    given = simulations()
    given["exp_data"][:, 1] = 1e6  # type: ignore[index]
    said = []
    for likelihood in (lambda: likelihood_of(refused, given), lambda: simulation_likelihood(**given)):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            assert (likelihood() == 1e-10).all()
        said.append([(one.category, str(one.message), one.filename, one.lineno) for one in caught if one.category is BadLikelihoodWarning])
    assert said[0] == said[1]
    assert len(said[0]) == 1


@pytest.mark.parametrize("change", ["not finite", "equal", "two variables", "integers"])
def test_other_cases_are_left_to_psyneulink(change: str) -> None:
    given = simulations()
    simulated = given["sim_data"]
    assert isinstance(simulated, np.ndarray)
    match change:
        case "not finite":
            simulated[0, 0, 1] = np.nan
        case "equal":
            simulated[0, :, 1] = 0.5
        case "two variables":
            given["categorical_dims"] = np.array([False, False])
        case _:
            given["sim_data"] = simulated.astype(int)
    assert likelihood_of(lambda **arguments: arguments, given) is given or likelihood_of(lambda **arguments: "left", given) == "left"


def test_threads_make_no_difference(monkeypatch):
    arguments = simulations(6, 300)
    expected = likelihood_of(simulation_likelihood, arguments)
    monkeypatch.setattr(module, "WORTH_THREADS", 0)
    monkeypatch.setattr(module, "PLACES", 1)
    monkeypatch.setattr(module, "num_threads", lambda: 3)
    monkeypatch.setattr(parallel, "available_threads", lambda: 3)
    np.testing.assert_array_equal(likelihood_of(simulation_likelihood, arguments), expected)
