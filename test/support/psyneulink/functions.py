"""
Random PsyNeuLink Functions, by class: what the tests of the library hold it against.

Each maker takes a random generator and gives a Function with the variables of successive calls, and the params of each call.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np

import psyneulink as pnl

Rng = np.random.Generator


@dataclass
class Case:
    """A Function, and how it is called."""

    function: Any
    variables: list[Any]
    params: dict[str, Any] = field(default_factory=dict)
    tolerance: float = 1e-12


MAKERS: dict[str, list[Callable[[Rng], Case]]] = {}
CALLS = 4


def makes(name: str) -> Callable[[Callable[[Rng], Case]], Callable[[Rng], Case]]:
    """Registers a maker for a class."""

    def register(make: Callable[[Rng], Case]) -> Callable[[Rng], Case]:
        MAKERS.setdefault(name, []).append(make)
        return make

    return register


def shape_of(rng: Rng) -> tuple[int, ...]:
    """(n,) or (1, n) or (k, n), as PsyNeuLink's variables have."""
    n = int(rng.integers(1, 5))
    return [(n,), (1, n), (int(rng.integers(2, 4)), n)][int(rng.integers(3))]


def numbers(rng: Rng, shape: tuple[int, ...], count: int = CALLS) -> list[Any]:
    """Successive variables."""
    return [rng.normal(size=shape) for _ in range(count)]


def maybe_array(rng: Rng, n: int, low: float, high: float) -> Any:
    """A number, or one for each of n elements."""
    return rng.uniform(low, high) if n == 1 or rng.random() < 0.6 else rng.uniform(low, high, n)


def seed(rng: Rng) -> int:
    """A seed for PsyNeuLink."""
    return int(rng.integers(1, 2**31))


def distribution(rng: Rng) -> Any:
    """A Function that draws."""
    return [
        lambda: pnl.NormalDist(mean=rng.normal(), standard_deviation=rng.uniform(0.1, 2), seed=seed(rng)),
        lambda: pnl.UniformDist(low=-rng.random(), high=rng.random(), seed=seed(rng)),
        lambda: pnl.ExponentialDist(beta=rng.uniform(0.1, 2), seed=seed(rng)),
        lambda: pnl.GammaDist(scale=rng.uniform(0.1, 2), dist_shape=rng.uniform(0.3, 3), seed=seed(rng)),
        lambda: pnl.WaldDist(scale=rng.uniform(0.5, 2), mean=rng.uniform(0.5, 2), seed=seed(rng)),
        lambda: pnl.UniformToNormalDist(mean=rng.normal(), standard_deviation=rng.uniform(0.1, 2), seed=seed(rng)),
    ][int(rng.integers(6))]()


def noise_for(rng: Rng, shape: tuple[int, ...]) -> Any:
    """Noise: a number, an array, a distribution, or an array of numbers and distributions."""
    n = shape[-1]
    kind = int(rng.integers(4))
    if kind == 0:
        return rng.normal()
    if kind == 1 and n > 1:
        return rng.normal(size=n if int(np.prod(shape)) == n else shape)
    if kind == 2 and n > 1 and int(np.prod(shape)) == n:
        return [distribution(rng) if i % 2 == 0 else rng.normal() for i in range(n)]
    return distribution(rng)


# Transfer


def _transfer(name: str, **ranges: tuple[float, float]) -> None:
    @makes(name)
    def _(rng: Rng) -> Case:
        shape = shape_of(rng)
        params = {key: maybe_array(rng, shape[-1], low, high) for key, (low, high) in ranges.items()}
        return Case(getattr(pnl, name)(default_variable=np.zeros(shape), **params), numbers(rng, shape))


_transfer("Identity")
_transfer("Linear", slope=(-2, 2), intercept=(-1, 1), scale=(0.5, 2), offset=(-1, 1))
_transfer("Exponential", rate=(-1, 1), bias=(-1, 1), scale=(0.5, 2), offset=(-1, 1))
_transfer("Logistic", gain=(0.5, 3), bias=(-1, 1), x_0=(-1, 1), scale=(0.5, 2), offset=(-1, 1))
_transfer("Tanh", gain=(0.5, 3), bias=(-1, 1), x_0=(-1, 1), scale=(0.5, 2), offset=(-1, 1))
_transfer("ReLU", gain=(0.5, 3), bias=(-1, 1), leak=(0, 0.5), scale=(0.5, 2), offset=(-1, 1))


@makes("Gaussian")
def _gaussian(rng: Rng) -> Case:
    shape = shape_of(rng)
    function = pnl.Gaussian(
        default_variable=np.zeros(shape), standard_deviation=rng.uniform(0.3, 2), bias=rng.normal(), scale=rng.uniform(0.5, 2), offset=0.3
    )
    return Case(function, numbers(rng, shape))


@makes("Normalize")
def _normalize(rng: Rng) -> Case:
    shape = shape_of(rng)
    variables = numbers(rng, shape)
    variables[1] = np.zeros(shape)
    return Case(
        pnl.Normalize(default_variable=np.zeros(shape), per_item=bool(rng.integers(2)), eps=float(rng.choice([1e-12, 0.5]))), variables
    )


@makes("GaussianDistort")
def _gaussian_distort(rng: Rng) -> Case:
    shape = shape_of(rng)
    params = {key: maybe_array(rng, shape[-1], 0.1, 1.0) for key in ("variance", "bias", "scale", "offset")}
    return Case(pnl.GaussianDistort(default_variable=np.zeros(shape), seed=seed(rng), **params), numbers(rng, shape))


@makes("BinomialDistort")
def _binomial_distort(rng: Rng) -> Case:
    n = int(rng.integers(1, 5))
    shape = [(n,), (1, n), (n, n)][int(rng.integers(3))]
    p = float(rng.choice([0.0, 0.2, 0.5, 0.7, 1.0]))
    return Case(pnl.BinomialDistort(default_variable=np.zeros(shape), p=p, seed=seed(rng)), numbers(rng, shape))


@makes("Dropout")
def _dropout(rng: Rng) -> Case:
    n = int(rng.integers(1, 5))
    shape = [(n,), (1, n), (n, n)][int(rng.integers(3))]
    return Case(pnl.Dropout(default_variable=np.zeros(shape), p=rng.uniform(0.1, 0.9)), numbers(rng, shape))


SOFTMAX_OUTPUTS = ("all", "arg_max", "arg_max_indicator", "MAX_VAL", "MAX_INDICATOR", "PROB", "PROB_INDICATOR")


@makes("SoftMax")
def _softmax(rng: Rng) -> Case:
    shape = shape_of(rng)
    output = SOFTMAX_OUTPUTS[int(rng.integers(len(SOFTMAX_OUTPUTS)))]
    # OneHot cannot be built for a drawn output over all rows at once.
    per_item = True if output in ("PROB", "PROB_INDICATOR") else bool(rng.integers(2))
    mask = rng.uniform(0.2, 1.5) if rng.random() < 0.4 else None
    function = pnl.SoftMax(default_variable=np.ones(shape), gain=rng.uniform(0.5, 3), mask_threshold=mask, output=output, per_item=per_item)
    return Case(function, [np.abs(variable) for variable in numbers(rng, shape)])


@makes("SoftMax")
def _softmax_adaptive(rng: Rng) -> Case:
    shape = shape_of(rng)
    output = SOFTMAX_OUTPUTS[int(rng.integers(5))]
    function = pnl.SoftMax(
        default_variable=np.ones(shape),
        gain="adaptive",
        output=output,
        adapt_scale=rng.uniform(0.5, 2),
        adapt_base=rng.uniform(0.5, 2),
        adapt_entropy_weighting=rng.uniform(0.1, 1),
    )
    return Case(function, numbers(rng, shape))


@makes("HypersphericalToCartesian")
def _hyperspherical(rng: Rng) -> Case:
    n = int(rng.integers(1, 5))
    return Case(pnl.HypersphericalToCartesian(default_variable=np.ones(n)), numbers(rng, (n,)))


@makes("Angle")
def _angle(rng: Rng) -> Case:
    n = int(rng.integers(1, 5))
    kind = pnl.core.components.functions.nonstateful.transferfunctions.Angle
    return Case(kind(default_variable=np.ones(n)), numbers(rng, (n,)))


@makes("TransferWithCosts")
def _transfer_with_costs(rng: Rng) -> Case:
    n = int(rng.integers(1, 4))
    costs = pnl.CostFunctions(int(rng.integers(0, 8)))
    function = pnl.TransferWithCosts(
        default_variable=np.ones(n),
        transfer_fct=pnl.Linear(slope=rng.uniform(0.5, 2), intercept=rng.normal()),
        enabled_cost_functions=costs,
        intensity_cost_fct=pnl.Exponential(rate=rng.uniform(0.1, 1)),
        adjustment_cost_fct=pnl.Linear(slope=rng.uniform(0.5, 2)),
        duration_cost_fct=pnl.SimpleIntegrator(rate=rng.uniform(0.5, 2)),
        combine_costs_fct=pnl.LinearCombination(operation=str(rng.choice(["sum", "product"])), scale=rng.uniform(0.5, 2)),
    )
    return Case(function, numbers(rng, (n,)))


def _timer(name: str, *names: str) -> None:
    @makes(name)
    def _(rng: Rng) -> Case:
        shape = shape_of(rng)
        ranges = {"initial": (0.5, 2), "final": (-2, 0), "duration": (0.5, 3), "rate": (1, 3), "tolerance": (0.01, 0.5)}
        params = {key: rng.uniform(*ranges[key]) for key in ("initial", "final", "duration", *names)}
        if rng.random() < 0.5:
            params["initial"], params["final"] = params["final"], params["initial"]
        function = getattr(pnl, name)(default_variable=np.ones(shape), **params)
        if name == "AcceleratingTimer":
            function.parameters.rate.set(rng.uniform(1, 3))
        return Case(function, [rng.uniform(0, 2, shape) for _ in range(CALLS)])


_timer("LinearTimer")
_timer("AcceleratingTimer")
_timer("DeceleratingTimer", "rate")
_timer("AsymptoticTimer", "tolerance")


# Transform


@makes("Concatenate")
def _concatenate(rng: Rng) -> Case:
    shape = shape_of(rng)
    function = pnl.Concatenate(default_variable=np.ones(shape), scale=rng.normal(), offset=rng.normal())
    return Case(function, numbers(rng, shape))


@makes("Concatenate")
def _concatenate_ragged(rng: Rng) -> Case:
    sizes = [int(rng.integers(1, 4)), 4, int(rng.integers(1, 4))]
    variables = [ragged(rng, sizes) for _ in range(CALLS)]
    return Case(pnl.Concatenate(default_variable=[np.ones(n) for n in sizes], scale=rng.normal(), offset=rng.normal()), variables)


def ragged(rng: Rng, sizes: list[int]) -> Any:
    """Rows of different lengths."""
    result = np.empty(len(sizes), object)
    result[:] = [rng.normal(size=n) for n in sizes]
    return result


@makes("Rearrange")
def _rearrange(rng: Rng) -> Case:
    k, n = int(rng.integers(2, 5)), int(rng.integers(1, 4))
    width = int(rng.integers(1, 3))
    arrangement = None if rng.random() < 0.2 else [tuple(int(i) for i in rng.integers(0, k, width)) for _ in range(int(rng.integers(1, 4)))]
    if arrangement is None:
        arrangement = [tuple(range(k))]
    function = pnl.Rearrange(default_variable=np.ones((k, n)), arrangement=arrangement, scale=rng.normal(), offset=rng.normal())
    return Case(function, numbers(rng, (k, n)))


@makes("Reduce")
def _reduce(rng: Rng) -> Case:
    shape = shape_of(rng)
    params: dict[str, Any] = {}
    if rng.random() < 0.5:
        params["weights"] = rng.normal(size=shape[-1])
    if rng.random() < 0.5:
        params["exponents"] = rng.integers(1, 3, size=shape[-1]).astype(float)
    function = pnl.Reduce(
        default_variable=np.ones(shape), operation=str(rng.choice(["sum", "product"])), scale=rng.normal(), offset=rng.normal(), **params
    )
    return Case(function, [np.abs(variable) for variable in numbers(rng, shape)])


@makes("LinearCombination")
def _linear_combination(rng: Rng) -> Case:
    shape = shape_of(rng)
    operation = str(rng.choice(["sum", "product", "cross-entropy"]))
    if operation == "cross-entropy":
        shape = (2, shape[-1])
    params: dict[str, Any] = {"scale": maybe_array(rng, shape[-1], 0.5, 2), "offset": maybe_array(rng, shape[-1], -1, 1)}
    if len(shape) == 2 and rng.random() < 0.5:
        params["weights"] = rng.uniform(0.5, 2, shape)
    if len(shape) == 2 and rng.random() < 0.5:
        params["exponents"] = rng.uniform(0.5, 2, shape)
    function = pnl.LinearCombination(default_variable=np.ones(shape), operation=operation, **params)
    return Case(function, [np.abs(variable) + 0.1 for variable in numbers(rng, shape)])


@makes("MatrixTransform")
def _matrix_transform(rng: Rng) -> Case:
    m, n = int(rng.integers(1, 5)), int(rng.integers(1, 5))
    normalize = bool(rng.integers(2))
    shape = (m,) if normalize or rng.random() < 0.5 else (int(rng.integers(1, 3)), m)
    function = pnl.MatrixTransform(default_variable=np.ones(shape), matrix=rng.normal(size=(m, n)), normalize=normalize)
    return Case(function, numbers(rng, shape))


@makes("MatrixTransform")
def _matrix_distance(rng: Rng) -> Case:
    m = int(rng.integers(1, 5))
    function = pnl.MatrixTransform(
        default_variable=np.ones(m), matrix=rng.normal(size=(m, m)), operation=pnl.L0, normalize=bool(rng.integers(2))
    )
    return Case(function, numbers(rng, (m,)))


@makes("MatrixMemory")
def _matrix_memory(rng: Rng) -> Case:
    n, m = int(rng.integers(1, 5)), int(rng.integers(1, 4))
    operation = str(rng.choice(["COMPUTE_SCORES", "ACCESS_MEMORY", "retrieve"]))
    kind = pnl.core.components.functions.nonstateful.transformfunctions.MatrixMemory
    query, scores, weakest = np.zeros(m), np.zeros(n), np.zeros(1)
    start = np.empty(3, object)
    start[:] = [query, scores, weakest]
    function = kind(
        default_variable=start,
        memory=rng.normal(size=(n, m)),
        owner=SimpleNamespace(name="memory"),
        normalize_memories=bool(rng.integers(2)),
        decay_rate=rng.uniform(0, 0.5),
        storage_prob=float(rng.choice([0.5, 1.0])),
    )
    variables = []
    for _ in range(CALLS):
        variable = np.empty(3, object)
        variable[:] = [rng.normal(size=m), rng.random(n), np.array([float(rng.integers(n))])]
        variables.append(variable)
    return Case(function, variables, {"operation": operation})


@makes("CombineMeans")
def _combine_means(rng: Rng) -> Case:
    k, n = int(rng.integers(1, 4)), int(rng.integers(1, 4))
    params: dict[str, Any] = {}
    if rng.random() < 0.5:
        params["weights"] = rng.uniform(0.5, 2, k)
    if rng.random() < 0.5:
        params["exponents"] = rng.uniform(0.5, 2, k)
    function = pnl.CombineMeans(
        default_variable=np.ones((k, n)), operation=str(rng.choice(["sum", "product"])), scale=rng.normal(), offset=rng.normal(), **params
    )
    return Case(function, [np.abs(variable) for variable in numbers(rng, (k, n))])


@makes("PredictionErrorDeltaFunction")
def _prediction_error(rng: Rng) -> Case:
    n = int(rng.integers(1, 6))
    return Case(pnl.PredictionErrorDeltaFunction(default_variable=np.ones((2, n)), gamma=rng.random()), numbers(rng, (2, n)))


# Selection and objectives


@makes("OneHot")
def _one_hot(rng: Rng) -> Case:
    shape = shape_of(rng)
    function = pnl.OneHot(
        default_variable=np.ones(shape),
        direction=str(rng.choice(["max", "min"])),
        abs_val=bool(rng.integers(2)),
        indicator=bool(rng.integers(2)),
        tie=str(rng.choice(["all", "first", "last", "random"])),
        seed=seed(rng),
    )
    return Case(function, [rng.integers(-2, 3, shape).astype(float) for _ in range(CALLS)])


ONE_HOT_MODES = [
    mode for mode in pnl.core.components.functions.nonstateful.selectionfunctions.mode_options if mode not in ("PROB", "PROB_INDICATOR")
]


@makes("OneHot")
def _one_hot_mode(rng: Rng) -> Case:
    shape = shape_of(rng)
    function = pnl.OneHot(default_variable=np.ones(shape), mode=ONE_HOT_MODES[int(rng.integers(1, len(ONE_HOT_MODES)))])
    return Case(function, [rng.integers(-2, 3, shape).astype(float) for _ in range(CALLS)])


@makes("OneHot")
def _one_hot_probability(rng: Rng) -> Case:
    n = int(rng.integers(1, 5))
    function = pnl.OneHot(default_variable=np.full((2, n), 1 / n), mode=["PROB", "PROB_INDICATOR"][int(rng.integers(2))], seed=seed(rng))
    weights = rng.random((CALLS, n))
    return Case(function, [np.array([rng.normal(size=n), one / one.sum()]) for one in weights])


METRICS = (
    "difference",
    "max_abs_diff",
    "normed_L0_similarity",
    "dot_product",
    "euclidean",
    "cosine",
    "correlation",
    "cross-entropy",
    "energy",
)


@makes("Distance")
def _distance(rng: Rng) -> Case:
    n = int(rng.integers(2, 5))
    function = pnl.Distance(
        default_variable=np.ones((2, n)), metric=METRICS[int(rng.integers(len(METRICS)))], normalize=bool(rng.integers(2))
    )
    variables = [np.abs(variable) for variable in numbers(rng, (2, n))]
    variables[1][0, 0] = 0.0
    return Case(function, variables)


def _stable(name: str) -> None:
    @makes(name)
    def _(rng: Rng) -> Case:
        n = int(rng.integers(2, 5))
        params: dict[str, Any] = {"metric": METRICS[int(rng.integers(len(METRICS)))]} if name == "Stability" else {}
        if rng.random() < 0.5 or name == "Entropy":
            params["transfer_fct"] = pnl.Logistic(gain=rng.uniform(0.5, 2))
        shape = (n,) if rng.random() < 0.5 else (1, n)
        matrix = rng.normal(size=(n, n)) if rng.random() < 0.8 else pnl.HOLLOW_MATRIX
        if params.get("metric") == "cross-entropy":
            matrix = np.abs(rng.normal(size=(n, n)))
        function = getattr(pnl, name)(default_variable=np.ones(shape), matrix=matrix, normalize=bool(rng.integers(2)), **params)
        return Case(function, [np.abs(variable) for variable in numbers(rng, shape)])


for _name in ("Stability", "Energy", "Entropy"):
    _stable(_name)


@makes("LossFunction")
def _loss(rng: Rng) -> Case:
    n = int(rng.integers(1, 5))
    losses = (pnl.Loss.L0, pnl.Loss.L1, pnl.Loss.SSE, pnl.Loss.MSE, pnl.Loss.CROSS_ENTROPY, pnl.Loss.POISSON_NLL)
    function = pnl.LossFunction(
        default_variable=np.ones((2, n)), loss=losses[int(rng.integers(len(losses)))], normalize=bool(rng.integers(2))
    )
    return Case(function, [np.abs(variable) for variable in numbers(rng, (2, n))])


# Distributions


def _dist(name: str, arrays: bool = False, **ranges: tuple[float, float]) -> None:
    @makes(name)
    def _(rng: Rng) -> Case:
        params = {key: maybe_array(rng, 3, *span) if arrays else rng.uniform(*span) for key, span in ranges.items()}
        return Case(getattr(pnl, name)(seed=seed(rng), **params), [np.zeros(1)] * 6)


_dist("NormalDist", mean=(-1, 1), standard_deviation=(0.1, 2))
_dist("UniformDist", low=(-1, 0), high=(0.1, 2), arrays=True)
_dist("ExponentialDist", beta=(0.1, 2), arrays=True)
_dist("WaldDist", scale=(0.1, 3), mean=(0.1, 3))
_dist("UniformToNormalDist", mean=(-1, 1), standard_deviation=(0.1, 2))
_dist("GammaDist", scale=(0.1, 3), dist_shape=(0.1, 3))


@makes("GammaDist")
def _gamma(rng: Rng) -> Case:
    return Case(pnl.GammaDist(scale=2.0, dist_shape=float(rng.choice([1.0, 0.05, 30.0])), seed=seed(rng)), [np.zeros(1)] * 6)


def _analytical(rng: Rng, shape: tuple[int, ...]) -> Any:
    return pnl.DriftDiffusionAnalytical(
        default_variable=np.ones(shape),
        drift_rate=rng.uniform(0.5, 2),
        threshold=rng.uniform(0.5, 2),
        starting_value=rng.uniform(-0.2, 0.2),
        noise=rng.uniform(0.3, 0.7),
        non_decision_time=rng.random(),
        shenhav_et_al_compat_mode=bool(rng.integers(2)),
    )


@makes("DriftDiffusionAnalytical")
def _drift_diffusion_analytical(rng: Rng) -> Case:
    shape = (1,) if rng.random() < 0.5 else (1, 1)
    return Case(_analytical(rng, shape), [np.sign(rng.normal()) * rng.uniform(0.7, 2, shape) for _ in range(6)])


@makes("DriftDiffusionAnalytical")
def _drift_diffusion_without_drift(rng: Rng) -> Case:
    # The moments are small differences of large terms here: ten digits are lost in each.
    shape = (1,) if rng.random() < 0.5 else (1, 1)
    return Case(_analytical(rng, shape), [np.zeros(shape), np.full(shape, 1e-9), np.full(shape, 0.02)], tolerance=1e-4)


# Integrators


def _integrator(name: str, noisy: bool = True, **ranges: tuple[float, float]) -> None:
    @makes(name)
    def _(rng: Rng) -> Case:
        shape = shape_of(rng)
        n = shape[-1] if int(np.prod(shape)) == shape[-1] else 1
        params = {key: maybe_array(rng, n, low, high) for key, (low, high) in ranges.items()}
        if name == "InteractiveActivationIntegrator":
            params |= {"rest": rng.uniform(-0.2, 0.2), "max_val": rng.uniform(0.5, 2), "min_val": rng.uniform(-2, -0.5)}
        if noisy:
            params["noise"] = noise_for(rng, shape)
        if rng.random() < 0.5:
            params["initializer"] = rng.normal(size=shape)
        return Case(getattr(pnl, name)(default_variable=np.zeros(shape), **params), numbers(rng, shape))


_integrator("AccumulatorIntegrator", rate=(0.5, 1.5), increment=(-1, 1))
_integrator("SimpleIntegrator", rate=(0.5, 1.5), offset=(-1, 1))
_integrator("AdaptiveIntegrator", rate=(0.1, 0.9), offset=(-1, 1))
_integrator("LeakyCompetingIntegrator", leak=(0.1, 0.9), offset=(-1, 1), time_step_size=(0.05, 0.5))
_integrator("InteractiveActivationIntegrator", rate=(0.1, 0.9), decay=(0.1, 0.9))


@makes("DualAdaptiveIntegrator")
def _dual_adaptive(rng: Rng) -> Case:
    shape = shape_of(rng)
    names = ("short_term_rate", "long_term_rate", "short_term_gain", "long_term_gain", "short_term_bias", "long_term_bias", "offset")
    function = pnl.DualAdaptiveIntegrator(
        default_variable=np.zeros(shape),
        operation=str(rng.choice(["product", "sum", "s-l", "l-s"])),
        initial_short_term_avg=rng.normal(),
        initial_long_term_avg=rng.normal(),
        **{name: rng.random() for name in names},
    )
    return Case(function, numbers(rng, shape))


@makes("DriftDiffusionIntegrator")
def _drift_diffusion(rng: Rng) -> Case:
    n = int(rng.integers(1, 4))
    shape = (n,) if rng.random() < 0.5 else (1, n)
    function = pnl.DriftDiffusionIntegrator(
        default_variable=np.zeros(shape),
        rate=maybe_array(rng, n, 0.5, 2),
        noise=rng.uniform(0.1, 1),
        offset=rng.normal(),
        threshold=rng.uniform(0.5, 3),
        time_step_size=rng.uniform(0.01, 1),
        non_decision_time=rng.random(),
        starting_value=rng.uniform(-0.3, 0.3, shape),
        seed=seed(rng),
    )
    return Case(function, numbers(rng, shape))


@makes("OrnsteinUhlenbeckIntegrator")
def _ornstein_uhlenbeck(rng: Rng) -> Case:
    n = int(rng.integers(1, 4))
    shape = (n,) if rng.random() < 0.5 else (1, n)
    function = pnl.OrnsteinUhlenbeckIntegrator(
        default_variable=np.zeros(shape),
        rate=maybe_array(rng, n, 0.5, 2),
        decay=rng.random(),
        noise=rng.uniform(0.1, 1),
        offset=rng.normal(),
        time_step_size=rng.uniform(0.01, 1),
        non_decision_time=rng.random(),
        seed=seed(rng),
    )
    return Case(function, numbers(rng, shape))


@makes("FitzHughNagumoIntegrator")
def _fitz_hugh_nagumo(rng: Rng) -> Case:
    n = int(rng.integers(1, 4))
    shape = (n,) if rng.random() < 0.5 else (1, n)
    names = "a_v b_v c_v d_v e_v f_v time_constant_v a_w b_w c_w threshold time_constant_w mode uncorrelated_activity".split()
    params: dict[str, Any] = {name: rng.uniform(0.2, 1.5) for name in names}
    function = pnl.FitzHughNagumoIntegrator(
        default_variable=np.zeros(shape),
        integration_method=str(rng.choice(["RK4", "EULER"])),
        initial_v=rng.normal(),
        initial_w=rng.normal(),
        time_step_size=rng.uniform(0.01, 0.2),
        **params,
    )
    return Case(function, numbers(rng, shape))


@makes("DriftOnASphereIntegrator")
def _sphere(rng: Rng) -> Case:
    d = int(rng.integers(2, 6))
    size, space = [(1, "auto"), (d - 1, "tangent"), (d - 1, "auto"), (d, "target")][int(rng.integers(4))]
    noise = rng.random() if d == 2 or rng.random() < 0.5 else rng.random(d - 1)
    function = pnl.DriftOnASphereIntegrator(
        dimension=d,
        initializer=rng.normal(size=d) if rng.random() < 0.5 else None,
        noise=noise,
        rate=rng.uniform(0.5, 2),
        time_step_size=rng.uniform(0.1, 1),
        input_space=space,
        seed=seed(rng),
    )
    return Case(function, numbers(rng, (size,)))


# Memories


@makes("Buffer")
def _buffer(rng: Rng) -> Case:
    n = int(rng.integers(1, 4))
    start = rng.normal(size=(1, n))
    function = pnl.Buffer(
        default_variable=np.zeros(n), initializer=start, history=int(rng.integers(1, 5)), rate=rng.random(), noise=noise_for(rng, (n,))
    )
    return Case(function, numbers(rng, (n,), 6))


@makes("Buffer")
def _empty_buffer(rng: Rng) -> Case:
    return Case(pnl.Buffer(history=int(rng.integers(1, 5)), rate=rng.random()), numbers(rng, (int(rng.integers(1, 4)),), 6))


MIN_MODES = ["MIN_INDICATOR", "arg_min_indicator", "MAX_INDICATOR", "MIN_ABS_INDICATOR"]


@makes("DictionaryMemory")
def _dictionary(rng: Rng) -> Case:
    k = int(rng.integers(2, 4))
    v = k if rng.random() < 0.6 else 1
    metric = str(rng.choice(["cosine", "euclidean", "difference"]))
    entries = rng.integers(1, 3, size=(2, 2, k)).astype(float) if v == k and rng.random() < 0.5 else None
    duplicates = [False, True, "overwrite"][int(rng.integers(3 if k == v else 2))]
    function = pnl.DictionaryMemory(
        default_variable=[np.zeros(k), np.zeros(v)],
        initializer=entries if entries is None or duplicates is True else np.array([[[5.0] * k, [1.0] * k]]),
        # PsyNeuLink cannot drop the oldest entry where keys and values have different lengths.
        max_entries=int(rng.integers(2, 6)) if k == v else 20,
        retrieval_prob=float(rng.choice([0.6, 1.0])),
        storage_prob=float(rng.choice([0.6, 1.0])),
        rate=float(rng.choice([1.0, 0.9])),
        noise=float(rng.choice([0.0, 0.1])),
        distance_function=pnl.Distance(metric=metric),
        selection_function=pnl.OneHot(mode=MIN_MODES[int(rng.integers(len(MIN_MODES)))]),
        duplicate_keys=duplicates,
        equidistant_keys_select=str(rng.choice(["random", "oldest", "newest"])),
        seed=seed(rng),
    )
    variables = []
    for _ in range(8):
        variable: Any = [rng.integers(1, 3, size=k).astype(float), rng.normal(size=v)]
        if k == v:
            variable = np.array(variable)
        else:
            array = np.empty(2, object)
            array[:] = variable
            variable = array
        variables.append(variable)
    return Case(function, variables)


@makes("ContentAddressableMemory")
def _content_addressable(rng: Rng) -> Case:
    fields, width = int(rng.integers(1, 4)), int(rng.integers(2, 4))
    duplicates = [False, True, "overwrite"][int(rng.integers(3))]
    weights: Any = [float(rng.random())] if rng.random() < 0.5 else rng.integers(0, 3, size=fields).astype(float).tolist()
    noise = rng.normal() if rng.random() < 0.7 else pnl.NormalDist(standard_deviation=0.1, seed=seed(rng))
    function = pnl.ContentAddressableMemory(
        default_variable=np.zeros((fields, width)),
        initializer=rng.normal(size=(2, fields, width)),
        # PsyNeuLink cannot check a memory of fewer entries than fields.
        max_entries=int(rng.integers(max(2, fields), 6)),
        retrieval_prob=float(rng.choice([0.6, 1.0])),
        storage_prob=1.0 if not isinstance(noise, float) else float(rng.choice([0.6, 1.0])),
        noise=noise,
        distance_field_weights=weights,
        distance_function=pnl.Distance(metric=str(rng.choice(["cosine", "euclidean", "difference"]))),
        duplicate_entries_allowed=duplicates,
        duplicate_threshold=float(rng.choice([2.220446049250313e-16, 0.3])) if duplicates != "overwrite" else 1e-9,
        equidistant_entries_select=str(rng.choice(["random", "oldest", "newest"])),
        seed=seed(rng),
    )
    variables = numbers(rng, (fields, width), 7)
    variables[4] = variables[2].copy()
    return Case(function, variables)


@makes("ContentAddressableMemory")
def _content_addressable_of_fields(rng: Rng) -> Case:
    """Fields of different lengths, of which a memory soon has no room for more."""
    lengths = [(3, 2), (1, 3), (2, 4, 1)][int(rng.integers(3))]

    def entry() -> Any:
        fields = np.empty(len(lengths), object)
        fields[:] = [rng.normal(size=length) for length in lengths]
        return fields

    weights: Any = [float(rng.random())] if rng.random() < 0.5 else rng.integers(0, 3, size=len(lengths)).astype(float).tolist()
    function = pnl.ContentAddressableMemory(
        default_variable=[[0.0] * length for length in lengths],
        initializer=[list(entry()) for _ in range(2)],
        max_entries=int(rng.integers(3, 6)),
        retrieval_prob=float(rng.choice([0.6, 1.0])),
        storage_prob=float(rng.choice([0.6, 1.0])),
        distance_field_weights=weights,
        distance_function=pnl.Distance(metric=str(rng.choice(["cosine", "euclidean", "difference", "max_abs_diff"]))),
        duplicate_entries_allowed=bool(rng.integers(2)),
        duplicate_threshold=float(rng.choice([2.220446049250313e-16, 0.3])),
        equidistant_entries_select=str(rng.choice(["random", "oldest", "newest"])),
        seed=seed(rng),
    )
    variables = [entry() for _ in range(9)]
    variables[6] = variables[5].copy()
    return Case(function, variables)


# Learning


def _hebbian(name: str) -> None:
    @makes(name)
    def _(rng: Rng) -> Case:
        n = int(rng.integers(2, 5))
        rate: Any = rng.random()
        if name == "Hebbian":
            rate = [rng.random(), rng.random(n), rng.random((n, n)), None][int(rng.integers(4))]
        return Case(getattr(pnl, name)(default_variable=np.ones(n), learning_rate=rate), numbers(rng, (n,)))


_hebbian("Hebbian")
_hebbian("ContrastiveHebbian")


@makes("Kohonen")
def _kohonen(rng: Rng) -> Case:
    n = int(rng.integers(2, 5))
    function = pnl.Kohonen(
        default_variable=[np.zeros(n), np.zeros(n), np.zeros((n, n))],
        learning_rate=rng.random(),
        distance_function=str(rng.choice(["gaussian", "linear", "exponential"])),
    )
    variables = []
    for _ in range(CALLS):
        variable = np.empty(3, object)
        variable[:] = [rng.normal(size=n), rng.normal(size=n), rng.normal(size=(n, n))]
        variables.append(variable)
    return Case(function, variables)


def _reinforcement(name: str) -> None:
    @makes(name)
    def _(rng: Rng) -> Case:
        n = int(rng.integers(1, 5))
        start = np.empty(3, object)
        start[:] = [np.zeros(n), np.zeros(n), np.zeros(1 if name == "Reinforcement" else n)]
        function = getattr(pnl, name)(default_variable=start, learning_rate=rng.random())
        variables = []
        for _ in range(CALLS):
            chosen = np.zeros(n)
            chosen[int(rng.integers(n))] = rng.normal()
            variable = np.empty(3, object)
            variable[:] = [rng.normal(size=n), chosen, rng.normal(size=1 if name == "Reinforcement" else n)]
            variables.append(variable)
        return Case(function, variables)


_reinforcement("Reinforcement")
_reinforcement("TDLearning")


@makes("BackPropagation")
def _back_propagation(rng: Rng) -> Case:
    i, o, e = (int(n) for n in rng.integers(1, 5, 3))
    activation = [
        lambda: pnl.Linear(slope=rng.uniform(0.5, 2), scale=rng.uniform(0.5, 2)),
        lambda: pnl.Logistic(gain=rng.uniform(0.5, 2)),
        lambda: pnl.ReLU(gain=rng.uniform(0.5, 2), leak=rng.random()),
        lambda: pnl.SoftMax(),
    ][int(rng.integers(4))]()
    start = np.empty(3, object)
    start[:] = [np.zeros(i), np.zeros(o) + 0.5, np.zeros(e)]
    function = pnl.BackPropagation(
        default_variable=start,
        activation_derivative_fct=activation.derivative,
        learning_rate=rng.random(),
        loss_spec=[None, pnl.Loss.MSE, pnl.Loss.SSE][int(rng.integers(3))],
    )
    variables = []
    for _ in range(CALLS):
        variable = np.empty(3, object)
        variable[:] = [rng.normal(size=i), rng.random(o), rng.normal(size=e)]
        variables.append(variable)
    return Case(function, variables, {"error_matrix": rng.normal(size=(o, e))})


@makes("EMStorage")
def _em_storage(rng: Rng) -> Case:
    n, m, axis = int(rng.integers(1, 4)), int(rng.integers(1, 5)), int(rng.integers(2))
    function = pnl.EMStorage(
        default_variable=np.zeros(n),
        axis=axis,
        storage_location=int(rng.integers(m)) if rng.random() < 0.4 else None,
        storage_prob=float(rng.choice([0.5, 1.0])),
        decay_rate=float(rng.choice([0.0, 0.9])),
        seed=seed(rng),
    )
    return Case(function, numbers(rng, (n,)), {"memory_matrix": rng.normal(size=(n, m) if axis == 0 else (m, n))})
