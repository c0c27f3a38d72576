"""
A small figure of each function of the library: the function is called, and what it gives is drawn.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

import cogir
from cogir import library
from cogir.library.signature import Step, signature_of

SIZE = (4.0, 2.2)
Axes = Any
Painter = Callable[[Axes, Any], None]
PSYNEULINK = library.psyneulink


def curve(*variants: Mapping[str, Any], low: float = -4.0, high: float = 4.0, count: int = 401) -> Painter:
    """The output over the input, for some parameters."""

    def paint(axes: Axes, function: Any) -> None:
        x = np.linspace(low, high, count)
        for given in variants or ({},):
            axes.plot(x, np.ravel(first(function(x, **given))), label=said(given))
        axes.set(xlabel=signature_of(function).inputs[0], ylabel="value")
        legend(axes)

    return paint


def bars(*inputs: Any, names: tuple[str, ...] = (), **given: Any) -> Painter:
    """Inputs and output as bars."""

    def paint(axes: Axes, function: Any) -> None:
        arrays = [np.atleast_1d(np.asarray(each, float)) for each in inputs]
        out = np.ravel(first(function(*arrays, **drawing(function), **given)))
        labels = names or signature_of(function).inputs
        groups = [*zip(labels, (np.ravel(each) for each in arrays), strict=False), ("output", out)]
        start = 0.0
        for label, values in groups:
            axes.bar(start + np.arange(len(values)), values, width=0.8, label=label)
            start += len(values) + 1.0
        axes.axhline(0.0, color="0.7", linewidth=0.8)
        axes.set(xticks=[])
        axes.legend(fontsize=7, frameon=False)

    return paint


def histogram(*variants: Mapping[str, Any], variable: float = 0.0, count: int = 20_000, high: float | None = None) -> Painter:
    """The distribution of many draws."""

    def paint(axes: Axes, function: Any) -> None:
        for given in variants or ({},):
            found = np.ravel(first(function(np.full(count, variable), random=cogir.random(1), **given)))
            kept = found if high is None else found[found < high]
            axes.hist(kept, bins=80, density=True, histtype="step", label=said(given))
        axes.set(xlabel="value", ylabel="density")
        legend(axes)

    return paint


def scatter(**given: Any) -> Painter:
    """The output of a function that adds noise, over its input."""

    def paint(axes: Axes, function: Any) -> None:
        x = np.linspace(-2.0, 2.0, 400)
        axes.plot(x, np.ravel(first(function(x, random=cogir.random(1), **given))), ".", markersize=2, label=said(given))
        axes.plot(x, x, color="0.6", linewidth=0.8)
        axes.set(xlabel="variable", ylabel="value")
        legend(axes)

    return paint


def course(*inputs: Any, steps: int = 100, show: tuple[int, ...] = (0,), dt: float = 1.0, unit: str = "execution", **given: Any) -> Painter:
    """Outputs over executions; an input is an array for all of them, or a function of the number of the execution."""

    def paint(axes: Axes, function: Any) -> None:
        rows = executions(function, inputs, steps, given)
        names = signature_of(function).output_names(len(rows[0]))
        for place in show:
            values = np.array([np.ravel(row[place]) for row in rows])
            lines = axes.plot(np.arange(1, steps + 1) * dt, values)
            lines[0].set_label(names[place])
        axes.set(xlabel=unit)
        legend(axes)

    return paint


def executions(function: Any, inputs: tuple[Any, ...], steps: int, given: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """The outputs of so many calls of a function, each with the states that the one before it left."""
    declared = signature_of(function)
    states = {name: given.get(name, value) for name, value in declared.states.items()}
    states = {name: np.asarray(value, float) for name, value in states.items()}
    generators = drawing(function)
    parameters = {name: value for name, value in given.items() if name not in states}
    rows: list[tuple[Any, ...]] = []
    for step in range(steps):
        arrays = [np.asarray(each(step) if callable(each) else each, float) for each in inputs]
        found = function(*arrays, **parameters, **states, **generators)
        assert isinstance(found, Step)
        rows.append(found.outputs if isinstance(found.outputs, tuple) else (found.outputs,))
        states = dict(zip(states, found.states, strict=True))
    return rows


def times(*variants: Mapping[str, Any], inputs: Any = (1.0,), count: int = 4000, **settings: Any) -> Painter:
    """Response times of decisions: upwards those of the first or upper alternative, downwards the others."""

    def paint(axes: Axes, function: Any) -> None:
        for given in variants or ({},):
            model = cogir.Model("decision")
            bound = {"execute_until_finished": True, "max_executions_before_finished": 100_000, "reset_each_trial": True}
            model.node("decision", function, input=len(inputs), **bound | settings | dict(given))
            found = model.compile(unfinished="ignore").replicates({"decision": [list(inputs)]}, count, seed=1)
            choices, response = np.ravel(found["decision", "choice"]), np.ravel(found["decision", "response_time"])
            best = choices > 0.0 if len(inputs) == 1 or function is library.attentional_decision else choices == 0.0
            bins = np.linspace(0.0, float(np.quantile(response, 0.99)), 60)
            up, down = (np.histogram(response[each], bins)[0] / count for each in (best, ~best))
            line = axes.step(bins[1:], up, label=said(given))[0]
            axes.step(bins[1:], -down, color=line.get_color())
        axes.axhline(0.0, color="0.7", linewidth=0.8)
        axes.set(xlabel="response time", yticks=[])
        legend(axes)

    return paint


def loss_curve(target: float = 0.7, low: float = 0.02, high: float = 0.98) -> Painter:
    """A loss over the sample, for one target."""

    def paint(axes: Axes, function: Any) -> None:
        x = np.linspace(low, high, 200)
        axes.plot(x, [float(function(np.array([each]), np.array([target]))) for each in x])
        axes.axvline(target, color="0.7", linestyle=":")
        axes.set(xlabel=f"sample (the target is {target:g})", ylabel="loss")

    return paint


def cross_entropy_curve(axes: Axes, function: Any) -> None:
    """The loss over the probability of the right class."""
    x = np.linspace(0.02, 0.98, 200)
    axes.plot(x, [float(function(np.array([each, 1.0 - each]), np.array([1.0, 0.0]))) for each in x])
    axes.set(xlabel="sample[0] (the target is [1, 0])", ylabel="loss")


def descent(**given: Any) -> Painter:
    """The steps of an optimizer in a valley."""

    def paint(axes: Axes, function: Any) -> None:
        weights = np.array([-1.8, 0.9])
        states = {name: np.zeros(2) if name != "steps" else np.asarray(0.0) for name in signature_of(function).states}
        path = [weights]
        for _ in range(60):
            gradient = np.array([2.0 * weights[0], 16.0 * weights[1]])
            found = function(weights, gradient, **given, **states)
            if isinstance(found, Step):
                weights = first(found)
                states = dict(zip(states, found.states, strict=True))
            else:
                weights = found
            path.append(np.asarray(weights))
        x, y = np.meshgrid(np.linspace(-2.2, 2.2, 60), np.linspace(-1.2, 1.2, 60))
        axes.contour(x, y, x**2 + 8.0 * y**2, levels=12, colors="0.8", linewidths=0.7)
        axes.plot(*np.transpose(path), "o-", markersize=2, linewidth=0.8, label=said(given))
        axes.set(xlabel="first weight", ylabel="second weight")
        legend(axes)

    return paint


def oscillator(axes: Axes, function: Any) -> None:
    """A pendulum by steps of 0.5, beside the exact solution."""
    y, path = np.array([1.0, 0.0]), []
    for step in range(40):
        path.append(y[0])
        y = np.asarray(function(lambda t, y: np.array([y[1], -y[0]]), 0.5 * step, y, 0.5))
    t = np.linspace(0.0, 20.0, 400)
    axes.plot(t, np.cos(t), color="0.7", label="exact")
    axes.plot(0.5 * np.arange(40), path, ".-", linewidth=0.8, markersize=3, label="steps of 0.5")
    axes.set(xlabel="t", ylabel="y'' = -y", ylim=(-4, 4))
    legend(axes)


def noisy(axes: Axes, function: Any) -> None:
    """Paths of an Ornstein-Uhlenbeck process, or of geometric Brownian motion."""
    random = cogir.random(1)
    y = np.full(6, 1.0)
    path = [y]
    more = (lambda t, y: np.full(y.shape, 0.4),) if function.__name__ == "milstein" else ()
    for step in range(200):
        if more:
            y = function(lambda t, y: 0.1 * y, lambda t, y: 0.4 * y, *more, 0.02 * step, y, 0.02, random=random)
        else:
            y = function(lambda t, y: -y, lambda t, y: np.full(y.shape, 0.5), 0.02 * step, y, 0.02, random=random)
        path.append(y)
    axes.plot(0.02 * np.arange(201), path, linewidth=0.8)
    axes.set(xlabel="t", ylabel="dy = 0.1 y dt + 0.4 y dW" if more else "dy = -y dt + 0.5 dW")
    axes.yaxis.label.set_size(7)


def image(make: Callable[[Any], Any], title: str = "") -> Painter:
    """An array as an image."""

    def paint(axes: Axes, function: Any) -> None:
        shown = axes.imshow(make(function), cmap="RdBu_r", aspect="auto")
        axes.figure.colorbar(shown, ax=axes)
        axes.set(xticks=[], yticks=[])
        axes.set_title(title, fontsize=8)

    return paint


def recall(axes: Axes, function: Any) -> None:
    """A stored pattern, a cue, and what is recalled from it."""
    rng = np.random.default_rng(0)
    stored = np.where(rng.random((3, 64)) < 0.5, -1.0, 1.0)
    cue = np.where(np.arange(64) < 44, stored[0], -stored[0])
    weights = library.hopfield_storage(stored)
    found = first(function(cue, weights, **drawing(function)))
    gap = np.full((8, 1), np.nan)
    panels = [each.reshape(8, 8) for each in (stored[0], cue, np.asarray(found))]
    axes.imshow(np.hstack([panels[0], gap, panels[1], gap, panels[2]]), cmap="gray")
    axes.set(xticks=[3.5, 12.5, 21.5], xticklabels=["stored", "cue", "recalled"], yticks=[])


def spread(axes: Axes, function: Any) -> None:
    """The number of choices of each action, and its value."""
    values, random = np.array([1.0, 2.0, 0.5, 1.5]), cogir.random(1)
    counts = np.sum([first(function(values, random=random)) for _ in range(2000)], axis=0) / 2000.0
    axes.bar(np.arange(4) - 0.2, values / values.sum(), width=0.4, label="values (scaled)")
    axes.bar(np.arange(4) + 0.2, counts, width=0.4, label="share of choices")
    axes.set(xticks=range(4), xlabel="action")
    legend(axes)


def moved(axes: Axes, function: Any) -> None:
    """The elements of an array in another order."""
    axes.bar(np.arange(4), [1.0, 2.0, 3.0, 4.0], label="source")
    axes.bar(np.arange(5, 9), np.ravel(function((2, 0, 3, 1))(np.array([1.0, 2.0, 3.0, 4.0]))), label="output")
    axes.set(xticks=[])
    legend(axes)


def on_sphere(axes: Axes, function: Any) -> None:
    """Angles and the coordinates that they give."""
    angle = np.linspace(0.0, math.pi, 100)
    points = np.array([function(np.array([each, 0.7])) for each in angle])
    axes.plot(angle, points, label=["x", "y", "z"])
    axes.set(xlabel="first angle (the second one is 0.7)")
    legend(axes)


def pairs(low: float, high: float, make: Callable[[float], tuple[Any, ...]], label: str, **given: Any) -> Painter:
    """The output over a number from which the inputs are made."""

    def paint(axes: Axes, function: Any) -> None:
        x = np.linspace(low, high, 101)
        axes.plot(x, [float(np.ravel(first(function(*make(float(each)), **given)))[0]) for each in x], label=said(given))
        axes.set(xlabel=label, ylabel="value")
        legend(axes)

    return paint


def memory(*arguments: Any, **given: Any) -> Painter:
    """Rows that are stored one after another, and what each execution returns."""

    def paint(axes: Axes, function: Any) -> None:
        rng = np.random.default_rng(2)
        entries = rng.random((12, 6)).round(1)
        rows = []
        states = {name: np.asarray(value, float) for name, value in given.items() if name in signature_of(function).states}
        parameters = {name: value for name, value in given.items() if name not in states}
        for entry in entries:
            found = function(*(make(entry) for make in arguments), **parameters, **states, **drawing(function))
            rows.append(np.ravel(first(found)))
            states = dict(zip(states, found.states, strict=True))
        gap = np.full((12, 1), np.nan)
        axes.imshow(np.hstack([entries, gap, np.array(rows)]), aspect="auto", cmap="viridis")
        axes.set(xticks=[2.5, 7.0 + len(rows[0]) / 2.0 - 0.5], xticklabels=["stored", "returned"], ylabel="execution")

    return paint


def first(found: Any) -> Any:
    """The first output of a call."""
    outputs = found.outputs if isinstance(found, Step) else found
    return np.asarray(outputs[0] if isinstance(outputs, tuple) else outputs)


def drawing(function: Any) -> dict[str, Any]:
    """A generator for each that the function needs."""
    return {name: cogir.random(place + 1) for place, name in enumerate(signature_of(function).randoms)}


def said(given: Mapping[str, Any]) -> str:
    """Parameters as the label of a line."""
    return ", ".join(f"{name}={value}" for name, value in given.items())


def legend(axes: Axes) -> None:
    """A legend, if a line has a label."""
    labels = [label for label in axes.get_legend_handles_labels()[1] if label]
    if labels:
        axes.legend(fontsize=7, frameon=False)


def pulse(begin: int, end: int, low: float = 0.0, high: float = 1.0, size: int = 1) -> Callable[[int], Any]:
    """An input that is on for a while."""
    return lambda step: np.full(size, high if begin <= step < end else low)


RING = 2.0 * np.pi * np.arange(32) / 32
CHAIN = np.eye(5)
LEFT, RIGHT = np.array([1.0, 0.0]), np.array([0.0, 1.0])


def along(step: int) -> Any:
    """The place in a chain of five that is walked again and again."""
    return CHAIN[step % 4]


FIGURES: dict[str, Painter] = {
    # Decisions
    "attentional_decision": times(inputs=(3.0, 2.5), time_step_size=0.01),
    "drift_diffusion_decision": times({"bound": "constant"}, {"bound": "linear", "collapse_time": 2.0}, time_step_size=0.01),
    "full_drift_diffusion_decision": times({"drift_variability": 0.0}, {"drift_variability": 1.0}, time_step_size=0.01),
    "leaky_competing_accumulator": course([1.0, 0.6], steps=100, dt=0.1, unit="time", noise=0.1),
    "leaky_competing_decision": times(inputs=(3.0, 2.5), time_step_size=0.01, noise=0.5),
    "linear_ballistic_decision": times(inputs=(1.0, 0.8), drift_variability=0.3, max_executions_before_finished=1, reset_each_trial=None),
    "race_decision": times(inputs=(1.5, 1.0), time_step_size=0.01),
    # Integrators and rate models
    "drift_diffusion_integrator": course(np.full(5, 0.3), steps=100, noise=1.0, threshold=1.0, time_step_size=0.02, dt=0.02, unit="time"),
    "euler": oscillator,
    "heun": oscillator,
    "rk4": oscillator,
    "euler_maruyama": noisy,
    "milstein": noisy,
    "fitz_hugh_nagumo": course([0.5], steps=2000, show=(0, 1), dt=0.1, unit="time"),
    "jansen_rit": course([220.0], steps=1500, dt=0.001, unit="time (s)"),
    "wilson_cowan": course([1.25], [0.0], steps=300, show=(0, 1), dt=0.5, unit="time (ms)"),
    # Choice
    "epsilon_greedy_choice": spread,
    "softmax_choice": spread,
    "softmax": bars([1.0, 2.0, 0.5, 1.5]),
    # Learning of values
    "rescorla_wagner": course(LEFT, [1.0], steps=40, show=(0, 1), unit="trial"),
    "pearce_hall": course(LEFT, [1.0], steps=40, show=(0, 2), unit="trial"),
    "hybrid_pearce_hall": course(LEFT, [1.0], steps=40, show=(0, 2), unit="trial"),
    "q_learning": course(
        along,
        LEFT,
        lambda step: float(step % 4 == 3),
        lambda step: CHAIN[step % 4 + 1],
        lambda step: float(step % 4 == 3),
        steps=200,
        show=(1,),
        weights=np.zeros((5, 2)),
    ),
    "sarsa": course(
        along,
        LEFT,
        lambda step: float(step % 4 == 3),
        lambda step: CHAIN[step % 4 + 1],
        LEFT,
        lambda step: float(step % 4 == 3),
        steps=200,
        show=(1,),
        weights=np.zeros((5, 2)),
    ),
    "td_lambda": course(
        along,
        lambda step: float(step % 4 == 3),
        lambda step: CHAIN[step % 4 + 1],
        lambda step: float(step % 4 == 3),
        steps=200,
        show=(1,),
        weights=np.zeros(5),
        trace=np.zeros(5),
    ),
    "actor_critic": course(
        along,
        LEFT,
        lambda step: float(step % 4 == 3),
        lambda step: CHAIN[step % 4 + 1],
        lambda step: float(step % 4 == 3),
        steps=200,
        show=(1,),
        actor=np.zeros((5, 2)),
        critic=np.zeros(5),
    ),
    # Attractor networks
    "hopfield_asynchronous": recall,
    "hopfield_synchronous": recall,
    "hopfield_storage": image(lambda f: f(np.where(np.random.default_rng(0).random((3, 24)) < 0.5, -1.0, 1.0)), "weights of 3 patterns"),
    "ring_attractor": image(
        lambda f: (
            np.array(
                [
                    row[0]
                    for row in executions(
                        f, (lambda step: 0.5 * np.cos(RING - 2.0) if 20 <= step < 150 else np.zeros(32),), 400, {"rates": np.zeros(32)}
                    )
                ]
            ).T
        ),
        "rates of 32 units over time; a cue from 20 to 150",
    ),
    "noisy_ring_attractor": image(
        lambda f: (
            np.array(
                [
                    row[0]
                    for row in executions(
                        f,
                        (lambda step: 0.5 * np.cos(RING - 2.0) if 20 <= step < 150 else np.zeros(32),),
                        400,
                        {"rates": np.zeros(32), "noise": 0.03},
                    )
                ]
            ).T
        ),
        "rates of 32 units over time; with noise; a cue from 20 to 150",
    ),
    # Transfer functions
    "exponential": curve({"rate": 1.0}, {"rate": 0.5}, low=-2, high=2),
    "identity": curve(),
    "linear": curve({"slope": 1.0}, {"slope": 0.5, "intercept": 1.0}),
    "logistic": curve({"gain": 1.0}, {"gain": 3.0}, {"bias": -2.0}),
    "tanh": curve({"gain": 1.0}, {"gain": 3.0}),
    "relu": curve({"leak": 0.0}, {"leak": 0.1}),
    "normalize": bars([3.0, 4.0, -1.0]),
    "hyperspherical_to_cartesian": on_sphere,
    # Combinations
    "combine_means": bars([[1.0, 2.0, 3.0], [4.0, 6.0, 8.0]]),
    "comparator": bars([1.0, 2.0, 3.0], [2.0, 2.0, 2.0]),
    "concatenate": bars([1.0, 2.0], [3.0]),
    "flatten": bars([[1.0, 2.0], [3.0, 4.0]]),
    "linear_combination": bars([[1.0, 2.0, 3.0], [3.0, 1.0, -1.0]]),
    "matrix_transform": bars([1.0, 2.0], matrix=np.array([[1.0, 0.0, 0.5], [0.0, 1.0, 0.5]])),
    "matrix_transform_normalized": bars([1.0, 2.0], matrix=np.array([[1.0, 0.0, 0.5], [0.0, 1.0, 0.5]])),
    "rearrange": moved,
    "reduce": bars([[1.0, 2.0, 3.0]]),
    # Distributions
    "exponential_dist": histogram({"beta": 1.0}, {"beta": 2.0}, high=8.0),
    "gamma_dist": histogram({"dist_shape": 1.0}, {"dist_shape": 3.0}, high=10.0),
    "normal_dist": histogram({"standard_deviation": 1.0}, {"standard_deviation": 2.0}),
    "normal_quantile": pairs(0.001, 0.999, lambda x: (x,), "p"),
    "uniform_dist": histogram({"low": 0.0, "high": 1.0}, {"low": -1.0, "high": 2.0}),
    "uniform_to_normal_dist": histogram(),
    "wald_dist": histogram({"mean": 1.0}, {"mean": 2.0}, high=6.0),
    # Learning rules, losses and optimizers
    "hebbian": image(lambda f: f(np.array([1.0, 0.5, -0.5, -1.0])), "change of the matrix for [1, 0.5, -0.5, -1]"),
    "adam": descent(rate=0.1),
    "gradient_descent": descent(rate=0.1),
    "mean_squared_error": loss_curve(),
    "sum_squared_error": loss_curve(),
    "sum_absolute_error": loss_curve(),
    "binary_cross_entropy": loss_curve(),
    "relative_entropy": loss_curve(),
    "poisson_loss": loss_curve(high=2.0),
    "cross_entropy": cross_entropy_curve,
}
"""The function that draws each function of the library."""

FIGURES_OF_PSYNEULINK: dict[str, Painter] = {
    "distance": pairs(-2.0, 2.0, lambda x: (np.array([x]), np.array([0.5])), "first (second is 0.5)"),
    "energy": pairs(
        -1.0, 1.0, lambda x: (np.array([x, 1.0]),), "first unit (the second one is 1)", matrix=np.array([[0.0, -1.0], [-1.0, 0.0]])
    ),
    "entropy": pairs(0.01, 0.99, lambda x: (np.array([x, 1.0 - x]),), "share of the first", matrix=np.eye(2)),
    "stability": pairs(
        -1.0, 1.0, lambda x: (np.array([x, 1.0]),), "first unit (the second one is 1)", matrix=np.array([[0.0, -1.0], [-1.0, 0.0]])
    ),
    "loss": loss_curve(),
    "matrix_distance": pairs(
        -1.0, 1.0, lambda x: (np.array([x, 1.0]),), "first unit (the second one is 1)", matrix=np.array([[0.0, 1.0], [1.0, 0.0]])
    ),
    "prediction_error_delta": bars([0.0, 0.2, 0.5, 1.0], [0.0, 0.0, 0.0, 1.0]),
    "accumulator_integrator": course([1.0], steps=50, increment=0.1, rate=0.98),
    "adaptive_integrator": course(pulse(10, 60), steps=100, rate=0.1),
    "simple_integrator": course(pulse(10, 60), steps=100, rate=0.1),
    "leaky_competing_integrator": course(pulse(10, 60), steps=100, rate=0.5, time_step_size=0.1),
    "interactive_activation_integrator": course(pulse(10, 60), steps=100, rate=0.1),
    "dual_adaptive_integrator": course(pulse(10, 60), steps=100),
    "integrated_linear": course(pulse(10, 60), steps=100, integration_rate=0.1),
    "integrated_logistic": course(pulse(10, 60, high=4.0), steps=100, integration_rate=0.1),
    "ornstein_uhlenbeck_integrator": course(np.full(5, 1.0), steps=100, rate=0.5, noise=0.3, time_step_size=0.1, dt=0.1, unit="time"),
    "fitz_hugh_nagumo_integrator": course([0.5], steps=2000, show=(0, 1), time_step_size=0.1, dt=0.1, unit="time"),
    "drift_on_a_sphere_integrator": course([0.1], steps=200, noise=0.02, rate=0.5, time_step_size=0.2),
    "drift_diffusion_analytical": pairs(
        -2.0, 2.0, lambda x: (np.array([x]),), "variable (value: decision)", random=cogir.random(1), threshold=0.6, noise=0.5
    ),
    "drift_diffusion_moments": pairs(-2.0, 2.0, lambda x: (np.array([x]),), "variable (value: response time)"),
    "accelerating_timer": curve(low=0.0, high=1.0),
    "asymptotic_timer": curve(low=0.0, high=1.0),
    "decelerating_timer": curve(low=0.0, high=1.0),
    "linear_timer": curve(low=0.0, high=1.0),
    "binomial_distort": scatter(),
    "dropout": scatter(p=0.3),
    "gaussian": curve({"standard_deviation": 1.0}, {"standard_deviation": 2.0}),
    "gaussian_distort": scatter(variance=0.1),
    "tanh": curve({"gain": 1.0}, {"gain": 3.0}),
    "transfer_with_costs": curve(),
    "one_hot": bars([1.0, 3.0, 2.0]),
    "one_hot_probability": bars([1.0, 3.0, 2.0], [0.2, 0.5, 0.3]),
    "one_hot_random": bars([3.0, 3.0, 2.0]),
    "softmax": bars([1.0, 2.0, 0.5, 1.5]),
    "softmax_adaptive": bars([1.0, 2.0, 0.5, 1.5]),
    "softmax_masked": bars([1.0, 2.0, 0.0, 1.5]),
    "softmax_probability": bars([1.0, 2.0, 0.5, 1.5]),
    "linear_derivative": curve(),
    "logistic_derivative": curve(low=0.0, high=1.0),
    "relu_derivative": curve(),
    "softmax_derivative": image(lambda f: f(np.array([0.1, 0.2, 0.7])), "derivative at [0.1, 0.2, 0.7]"),
    "back_propagation": image(
        lambda f: f(np.array([1.0, 0.5]), np.eye(3) * 0.25, np.array([0.2, -0.4, 0.1]), np.eye(3))[0], "change of a 2 x 3 matrix"
    ),
    "contrastive_hebbian": image(lambda f: f(np.array([1.0, 0.5, -0.5])), "change of the matrix for [1, 0.5, -0.5]"),
    "kohonen": image(
        lambda f: f(np.array([0.5, 1.0, 0.2]), np.array([0.2, 1.0, 0.1]), np.zeros((3, 3))),
        "change of a 3 x 3 matrix; the second unit wins",
    ),
    "reinforcement": bars([0.0, 1.0, 0.0], [0.5]),
    "td_learning": bars([0.0, 1.0, 0.0], [0.1, 0.5, 0.0]),
    "buffer": memory(lambda entry: entry, rows=np.zeros((4, 6)), count=0.0),
    "content_addressable_memory": memory(lambda entry: entry[None, :], entries=np.zeros((12, 1, 6)), count=0.0),
    "dictionary_memory": memory(
        lambda entry: entry[:3], lambda entry: entry[3:], keys=np.zeros((12, 3)), values=np.zeros((12, 3)), count=0.0
    ),
    "em_storage": image(
        lambda f: f(np.array([1.0, 2.0, 3.0]), np.zeros((3, 3)), random=cogir.random(1)), "an entry stored in a memory of 3 rows"
    ),
    "matrix_memory": memory(
        lambda entry: entry, lambda entry: np.zeros(4), lambda entry: np.array(0.0), memory=np.random.default_rng(0).random((4, 6))
    ),
}


def draw(space: str, name: str, function: Any, path: Path) -> None:
    """Draws the figure of a function into a file."""
    painter = (FIGURES_OF_PSYNEULINK if space == "psyneulink" else FIGURES)[name]
    figure = Figure(figsize=SIZE, layout="constrained")
    axes = figure.subplots()
    axes.tick_params(labelsize=7)
    axes.xaxis.label.set_size(8)
    axes.yaxis.label.set_size(8)
    painter(axes, function)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, metadata={"Date": None})
