"""
Fits of parameters in other processes, by participant, and by a trained likelihood: PsyNeuLink's own, with native simulations.

A cluster of Dask takes long to start, so most tests send a task through `pickle` to a process of their own, as Dask does.
"""

import contextlib
import pickle
import subprocess
import sys
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import psyneulink as pnl
import pytest
from psyneulink.core.components.functions.nonstateful import fitfunctions, neurallikelihoodfunctions
from psyneulink.core.compositions.hierarchical import distributedestep

from cogir.psyneulink import FallbackWarning, UnsupportedFeature, accelerate
from cogir.psyneulink import tasks as task_module
from cogir.psyneulink.execution import estimates

TRIALS, ESTIMATES = 5, 20
BOUNDS = {"rate": (-0.5, 0.5), "threshold": (0.5, 1.0)}
OUTCOMES = [pnl.DECISION_OUTCOME, pnl.RESPONSE_TIME]
SENT = [
    (fitfunctions, "_dask_evaluate_loglik"),
    (fitfunctions, "_dask_evaluate_loglik_de"),
    (neurallikelihoodfunctions, "_simulate_chunk"),
    (distributedestep, "_dask_subject_estep"),
]


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """PsyNeuLink warns as it builds and evaluates such Compositions; fits in one process keep the last one."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", FallbackWarning)
        yield
    fitfunctions._PEC_FALLBACK_CACHE.clear()


@pytest.fixture
def evaluated(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """An element for each native evaluation."""
    made: list[int] = []
    evaluate = estimates.EstimatesSession.evaluate
    monkeypatch.setattr(estimates.EstimatesSession, "evaluate", lambda self, *given: (made.append(1), evaluate(self, *given))[1])
    return made


def observed(seed: int = 3) -> pd.DataFrame:
    """The data of a participant."""
    rng = np.random.default_rng(seed)
    data = pd.DataFrame({"decision": rng.integers(0, 2, TRIALS).astype(float), "time": np.round(rng.gamma(2.0, 0.2, TRIALS) + 0.15, 2)})
    data["decision"] = data["decision"].astype("category")
    return data


def factory(data: Any, subject_index: int | None = None, **given: Any) -> tuple[Any, Any]:
    """A model of a participant, and its inputs."""
    function = pnl.DriftDiffusionIntegrator(rate=0.3, noise=1.0, threshold=0.6, non_decision_time=0.15, time_step_size=0.01)
    decision = pnl.DDM(function=function, output_ports=OUTCOMES, name="DDM")
    model = pnl.Composition(pathways=decision)
    given = {"optimization_function": pnl.PECOptimizationFunction(method="differential_evolution", max_iterations=1)} | given
    pec = pnl.ParameterEstimationComposition(
        nodes=[model],
        parameters={(name, decision): np.linspace(*bounds, 11) for name, bounds in BOUNDS.items()},
        outcome_variables=[decision.output_ports[name] for name in OUTCOMES],
        data=data,
        num_estimates=ESTIMATES,
        initial_seed=42 + (subject_index or 0),
        same_seed_for_all_parameter_combinations=True,
        **given,
    )
    return pec, {model: np.ones((len(data), 1))}


def group(**options: Any) -> Any:
    """A hierarchical fit of two participants."""
    parts = [observed(seed).assign(subject=f"s{seed}") for seed in (3, 4)]
    data = pd.concat(parts, ignore_index=True)
    data["decision"] = data["decision"].astype("category")
    settings = {"subject_id": "subject", "max_iterations": 1, "estep_options": {"maxiter": 3}}
    pec = pnl.ParameterEstimationComposition(
        fit_method="hierarchical",
        data=data,
        hierarchical_options=settings,
        distributed="client" in options,
        distributed_options={"pec_factory": factory, "worker_cores": 1, **options},
    )
    pec.run()
    return pec


class Client:
    """A cluster of one worker, which is this process."""

    def submit(self, function: Any, *given: Any, **options: Any) -> Any:
        """The value itself stands for the future one; what Dask sends it sends through pickle."""
        return pickle.loads(pickle.dumps(function))(*given)

    def gather(self, futures: Any) -> Any:
        return list(futures)

    def scatter(self, data: Any, **options: Any) -> Any:
        return data

    def nthreads(self) -> dict[str, int]:
        return {"here": 1}

    def run(self, function: Any, *given: Any) -> Any:
        return function(*given)


def test_a_hierarchical_fit_is_native_without_a_warning(evaluated: list[int]) -> None:
    with accelerate(strict=True):
        assert len(group().fit_results.subject_parameters) == 2
    assert evaluated


@pytest.mark.full
def test_a_hierarchical_fit_is_that_of_psyneulink() -> None:
    expected = group()
    with accelerate(strict=True):
        found = group()
    assert np.allclose(found.fit_results.subject_parameters, expected.fit_results.subject_parameters, rtol=0, atol=1e-9)
    assert abs(found.optimal_value - expected.optimal_value) < 1e-6


def test_functions_that_a_cluster_executes_are_those_of_psyneulink_before_and_after() -> None:
    before = [getattr(module, name) for module, name in SENT]
    with accelerate():
        assert all(getattr(module, name).original is own for (module, name), own in zip(SENT, before, strict=True))
        with accelerate(strict=True):
            settings = [getattr(module, name).settings() for module, name in SENT]
        assert all(one["strict"] and not one["progress"] for one in settings)
    assert [getattr(module, name) for module, name in SENT] == before


def test_a_task_is_accelerated_in_a_process_that_is_not(evaluated: list[int]) -> None:
    data, point = observed(), [0.3, 0.6]
    own = fitfunctions._dask_evaluate_loglik
    expected = own(factory, point, data, 1, "plain")
    assert not evaluated
    with accelerate(strict=True):
        sent = pickle.dumps(fitfunctions._dask_evaluate_loglik)
    task = pickle.loads(sent)
    assert task.__name__ == own.__name__
    assert pickle.dumps(task) == sent, "a scheduler sends on what it has got"
    assert abs(task(factory, point, data, 1, "native") - expected) < 1e-9
    assert evaluated
    count = len(evaluated)
    own(factory, point, data, 1, "native")
    assert len(evaluated) == count, "the task has ended the acceleration"


def test_tasks_may_run_in_several_threads(evaluated: list[int]) -> None:
    data = observed()
    with accelerate(strict=True):
        task = pickle.loads(pickle.dumps(fitfunctions._dask_evaluate_loglik))
    found: list[float] = []
    threads = [threading.Thread(target=lambda: found.append(task(factory, [0.3, 0.6], data, 1, "several"))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert len(set(found)) == 1
    assert len(evaluated) >= 4, "tasks have not been accelerated"
    assert fitfunctions._dask_evaluate_loglik is not task
    assert not isinstance(fitfunctions._dask_evaluate_loglik, task_module.SentFunction)


@pytest.mark.full
def test_distributed_fits_are_those_in_one_process(evaluated: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    def fitted(block: Any) -> Any:
        fitfunctions._PEC_FALLBACK_CACHE.clear()
        options = {"client": Client(), "pec_factory": factory, "worker_cores": 1}
        search = pnl.PECOptimizationFunction(
            method="differential_evolution", max_iterations=1, popsize=2, distributed=True, distributed_options=options
        )
        pec, inputs = factory(observed(), optimization_function=search)
        with block:
            pec.run(inputs=inputs)
        return [*pec.optimized_parameter_values.values(), float(np.squeeze(pec.optimal_value))]

    expected = fitted(contextlib.nullcontext())
    assert not evaluated
    assert np.allclose(fitted(accelerate(strict=True)), expected, rtol=0, atol=1e-9)
    assert evaluated


def test_a_worker_without_cogir_gets_psyneulinks_function(tmp_path: Path) -> None:
    with accelerate():
        sent = tmp_path / "task.pkl"
        sent.write_bytes(pickle.dumps(fitfunctions._dask_evaluate_loglik))
    text = (
        "import importlib.util, pickle, sys; find = importlib.util.find_spec\n"
        "importlib.util.find_spec = lambda name, *rest: None if name == 'cogir' else find(name, *rest)\n"
        f"task = pickle.load(open({str(sent)!r}, 'rb')); print(type(task).__name__, task.__module__, 'cogir' in sys.modules)"
    )
    found = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["function", "psyneulink.core.components.functions.nonstateful.fitfunctions", "False"]
    assert "cogir is not installed on this worker" in found.stderr


def test_an_error_of_a_task_comes_back_as_it_is() -> None:
    error = UnsupportedFeature("DDM 'x'", "it does", "do not")
    found = pickle.loads(pickle.dumps(error))
    assert (type(found), str(found), found.component, found.remedy) == (UnsupportedFeature, str(error), "DDM 'x'", "do not")


@pytest.mark.full
def test_a_neural_likelihood_is_trained_on_native_simulations(evaluated: list[int]) -> None:
    pytest.importorskip("sbi", reason="neural likelihoods need sbi")
    pec, inputs = factory(observed())
    given = {"pec": pec, "inputs": inputs, "n_parameter_samples": 12, "epochs": 1, "seed": 1}
    expected = pnl.train_neural_likelihood(BOUNDS, ("decision", "time"), **given)
    assert not evaluated
    with accelerate(strict=True):
        found = pnl.train_neural_likelihood(BOUNDS, ("decision", "time"), **given)
    assert len(evaluated) == 12
    data = observed().to_numpy().astype(float)
    assert abs(found.log_likelihood([0.2, 0.6], data) - expected.log_likelihood([0.2, 0.6], data)) < 1e-3, (
        "PyTorch learns in single precision"
    )
    neural, inputs = factory(observed(), likelihood_estimator="neural", likelihood_estimator_kwargs={"artifact": expected})
    score = neural.log_likelihood(0.2, 0.6, inputs=inputs)
    neural.controller.parameters.comp_execution_mode.set("Python")
    with accelerate(strict=True):
        assert neural.log_likelihood(0.2, 0.6, inputs=inputs) == score


@pytest.mark.full
@pytest.mark.parametrize("of_group", [False, True])
def test_the_workers_of_a_dask_cluster_are_native(of_group: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed", reason="fits on a cluster need dask.distributed")
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        with accelerate(strict=True):
            found = group(client=client).fit_results.subject_parameters if of_group else one_by_one(client)
        count = client.run(lambda: "cogir.psyneulink.execution.estimates" in sys.modules)
    assert any(count.values())
    with accelerate(strict=True):
        expected = group().fit_results.subject_parameters if of_group else one_by_one(Client())
    assert np.allclose(found, expected, rtol=0, atol=1e-12)


def one_by_one(client: Any) -> list[float]:
    """Likelihoods of three points, evaluated on a cluster."""
    points = ([0.3, 0.6], [0.1, 0.8], [-0.2, 0.55])
    sent = fitfunctions._dask_evaluate_loglik
    return client.gather([client.submit(sent, factory, point, observed(), 1, "fit", pure=False) for point in points])
