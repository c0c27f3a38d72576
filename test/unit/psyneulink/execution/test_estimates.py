"""The simulations of a ParameterEstimationComposition: PsyNeuLink's compiler makes the same."""

import itertools
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import psyneulink as pnl
import pytest
from psyneulink.core.globals import SampleIterator
from psyneulink.core.globals.context import Context

from cogir.psyneulink import FallbackWarning, UnsupportedFeature, accelerate
from cogir.psyneulink.execution import native_density
from cogir.psyneulink.execution.estimates import EstimatesSession
from cogir.runtime import parallel
from cogir.runtime.estimates import NativeEstimates
from cogir.runtime.parallel import Team
from cogir.runtime.replicates import SharedWork

TRIALS, ESTIMATES = 6, 20
INPUTS = np.array([[5.0], [-5.0], [5.0], [2.0], [-1.0], [5.0]])


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """PsyNeuLink warns as it builds and evaluates such Compositions."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def estimation(policy: str = "independent", same: bool = False, count: int = ESTIMATES) -> tuple[Any, Any]:
    """PsyNeuLink's test model: a DDM of which three parameters are fitted."""
    function = pnl.DriftDiffusionIntegrator(
        starting_value=0.0, rate=0.3, noise=1.0, threshold=0.6, non_decision_time=0.15, time_step_size=0.01
    )
    ports = [pnl.DECISION_OUTCOME, pnl.RESPONSE_TIME]
    decision = pnl.DDM(function=function, output_ports=ports, name="DDM")
    model = pnl.Composition(pathways=decision)
    rng = np.random.default_rng(3)
    data = pd.DataFrame({"decision": rng.integers(0, 2, TRIALS).astype(float), "time": np.round(rng.gamma(2.0, 0.2, TRIALS) + 0.15, 2)})
    data["decision"] = data["decision"].astype("category")
    pec = pnl.ParameterEstimationComposition(
        name="pec",
        nodes=[model],
        parameters={(name, decision): np.linspace(0.0, 1.0, 11) for name in ("rate", "threshold", "non_decision_time")},
        outcome_variables=[decision.output_ports[name] for name in ports],
        data=data,
        optimization_function=pnl.PECOptimizationFunction(method="differential_evolution", max_iterations=1),
        num_estimates=count,
        initial_seed=42,
        noise_stream_policy=policy,
        same_seed_for_all_parameter_combinations=same,
    )
    pec.controller.parameters.comp_execution_mode.set("LLVM")
    return pec, model


def evaluated(pec: Any, model: Any) -> list[tuple[float, Any]]:
    """The likelihoods and simulations for two sets of parameters, with the seeds of a new controller."""
    controller = pec.controller
    controller._seed_counter = 42
    controller.function.search_space[0] = SampleIterator(specification=controller.gen_new_seed_sequence(Context(execution_id=None)))
    values = ((0.3, 0.6, 0.15), (0.1, 0.5, 0.3))
    return [pec.log_likelihood(*each, inputs={model: INPUTS}, return_sim_data=True) for each in values]


@pytest.mark.parametrize(("policy", "same"), [("independent", False), ("shared_seed", True)])
def test_simulations_and_likelihoods_are_those_of_psyneulinks_compiler(policy: str, same: bool) -> None:
    pec, model = estimation(policy, same)
    expected = evaluated(pec, model)
    with accelerate(strict=True):
        found = evaluated(pec, model)
    for (likelihood, simulated), (wanted, those) in zip(found, expected, strict=True):
        assert np.array_equal(simulated[:, :, 0], those[:, :, 0])
        assert np.abs(simulated - those).max() <= 1e-12
        assert abs(likelihood - wanted) <= 1e-9
    starts = expected[0][1][0, :, 1]
    assert (starts > 1.0).all(), "in its first trial PsyNeuLink starts from the ControlSignal's default value"


def test_a_trial_may_take_more_normals_than_the_reserve(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("cogir.transforms.normals_in_lanes.MOST", 0)  # else lanes draw them as they go
    monkeypatch.setenv("COGIR_CACHE_DIR", str(tmp_path))
    pec, model = estimation()
    with accelerate(strict=True):
        expected = evaluated(pec, model)
        from cogir.psyneulink.execution.estimates import EstimatesSessions
        from cogir.psyneulink.records import kept

        (session,) = kept(pec.controller, EstimatesSessions).made.values()
        session.native.reserve = 8
        found = evaluated(pec, model)
        assert session.native.reserve > 8
    assert all(np.array_equal(one[1], other[1]) for one, other in zip(found, expected, strict=True))


@pytest.mark.parametrize(("seconds", "pays"), [(1e-9, True), (1e9, False)])
def test_helpers_that_paid_are_there_from_the_beginning(monkeypatch: pytest.MonkeyPatch, seconds: float, pays: bool) -> None:
    asked: list[bool] = []
    submit = Team.submit

    def noted(team: Team, work: Any, helpers: list[Any]) -> None:
        asked.append(begun[-1] is None)
        submit(team, work, helpers)

    begun: list[Any] = []
    finish = SharedWork.finish

    def finished(work: SharedWork, *given: Any) -> None:
        begun[-1] = work
        finish(work, *given)

    run = NativeEstimates.run

    def counted(native: NativeEstimates, *given: Any) -> None:
        begun.append(None)
        run(native, *given)

    pec, model = estimation(count=200)
    expected = evaluated(pec, model)
    monkeypatch.setattr(parallel, "PAYS_SECONDS", seconds)
    monkeypatch.setattr(parallel, "available_threads", lambda: 2)
    monkeypatch.setattr(Team, "submit", noted)
    monkeypatch.setattr(SharedWork, "finish", finished)
    monkeypatch.setattr(NativeEstimates, "run", counted)
    monkeypatch.setattr("cogir.psyneulink.execution.estimates.num_threads", lambda: 2)
    with accelerate(strict=True):
        found = evaluated(pec, model)
    assert asked == ([False, True] if pays else []), "in the first evaluation after a part of it, in the second one before"
    assert all(np.array_equal(one[1], other[1]) for one, other in zip(found, expected, strict=True))


def test_other_values_make_other_simulations() -> None:
    pec, model = estimation()
    decision = model.nodes[0]
    with accelerate(strict=True):
        before = evaluated(pec, model)
        decision.function.parameters.noise.set(0.5, context=None)
        decision.function.parameters.noise.set(0.5, context=pec)
        after = evaluated(pec, model)
    assert not np.array_equal(before[0][1], after[0][1])
    expected = evaluated(pec, model)
    assert all(np.array_equal(one[1], other[1]) for one, other in zip(after, expected, strict=True))


def test_what_is_not_compared_is_left_to_psyneulink(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cogir.psyneulink.importer.estimates.MECHANISMS", frozenset({"ControlMechanism"}))
    pec, model = estimation()
    expected = evaluated(pec, model)
    with accelerate(), pytest.warns(FallbackWarning, match="DDM 'DDM.*': its class"):
        found = evaluated(pec, model)
    assert all(np.array_equal(one[1], other[1]) for one, other in zip(found, expected, strict=True))
    with accelerate(strict=True), pytest.raises(UnsupportedFeature, match="its class"):
        evaluated(pec, model)


def first_difference(pec: Any, model: Any) -> tuple[float, float]:
    """The largest differences of simulations and likelihoods from PsyNeuLink's."""
    expected = evaluated(pec, model)
    with accelerate(strict=True):
        found = evaluated(pec, model)
    pairs = list(zip(found, expected, strict=True))
    return max(np.abs(one[1] - other[1]).max() for one, other in pairs), max(abs(one[0] - other[0]) for one, other in pairs)


def test_wrong_seeds_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    original = EstimatesSession.seeds
    monkeypatch.setattr(EstimatesSession, "seeds", lambda session, bases: original(session, bases) + 1)
    simulated, _ = first_difference(*estimation())
    assert simulated > 1e-3


def test_a_wrong_width_of_the_kernel_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native_density, "TAU", native_density.TAU * (1.0 + 1e-4))
    monkeypatch.setattr(native_density, "code_of", native_density.code_of.__wrapped__)
    simulated, likelihood = first_difference(*estimation())
    assert simulated <= 1e-12
    assert likelihood > 1e-9


def test_estimates_that_start_where_the_last_one_ended_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(EstimatesSession, "copy_in", lambda session: session.context.sf.__iadd__(0.25))
    simulated, _ = first_difference(*estimation())
    assert simulated > 1e-3


def test_iterating_over_seeds_is_psyneulinks() -> None:
    def gone_through() -> list[Any]:
        samples = SampleIterator(specification=[3, 1, 4, 1, 5])
        found: list[Any] = [list(samples), int(samples.current_step), list(itertools.product(samples, [0, 1]))]
        iterator = iter(samples)
        found.append([next(iterator), next(iterator)])
        del iterator
        found.append(int(samples.current_step))
        return [*found, next(samples)]

    expected = gone_through()
    with accelerate():
        assert gone_through() == expected
    assert gone_through() == expected
