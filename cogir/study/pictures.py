"""
Pictures of fits: the data beside what the fitted model predicts, and profiles.
"""

# Matplotlib's functions have types only in part.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cogir.errors import InputError, counted, shown
from cogir.labelled.drawing import COLOURS, DARK
from cogir.labelled.extras import extra
from cogir.study.estimators import KernelDensity, Proportions, ResponseEstimator
from cogir.study.likelihoods import ByDensities, Simulated
from cogir.study.problem import Problem
from cogir.study.responses import Floats, Responses

if TYPE_CHECKING:
    from cogir.study.intervals import Profile

BINS, PLACES = 30, 300
TIMED = ("non_decision_time", "collapse_time", "time_step_size")
"""The parameters of decisions that have the unit of their response times."""
CURVE_TRIALS = 20_000
"""The trials from which predictions are drawn where the likelihood has no density."""


def prediction(problem: Problem, theta: Floats) -> ByDensities:
    """What predicts densities: the likelihood itself, or a kernel for one that has no density."""
    if isinstance(problem.likelihood, ByDensities):
        return problem.likelihood
    ports, choices = problem.responses.ports, problem.pilot.choices
    estimator: ResponseEstimator = KernelDensity(ports, choices) if ports.time is not None else Proportions(ports, choices)
    return Simulated(problem.simulator, estimator, CURVE_TRIALS)


def predicted(problem: Problem, theta: Floats, times: Floats) -> dict[float, Floats]:
    """
    For each choice the density at some times, (conditions, times), with lapses; without times its probability, (conditions, 1).
    """
    model = prediction(problem, theta)
    values, _ = problem.values(theta[None])
    conditions = problem.parametrisation.conditions.count
    lapse = float(problem.lapses(theta[None])[0])
    has_times = problem.responses.ports.time is not None
    uniform = 1.0 / (len(model.choices) * (problem.responses.latest if has_times else 1.0))
    found: dict[float, Floats] = {}
    for choice in model.choices:
        places = np.tile(times, conditions)
        of = np.repeat(np.arange(conditions), len(times))
        asked = Responses(problem.responses.ports, np.full(len(of), choice), places, of, np.zeros(len(of), np.bool_), True)
        density = model.densities(values, asked)[0][0].reshape(conditions, len(times))
        lapsed = np.where(times <= problem.responses.latest, uniform, 0.0)
        found[choice] = (1.0 - lapse) * density + lapse * lapsed
    return found


def chosen_conditions(problem: Problem, condition: Any) -> list[int]:
    """The numbers of the conditions to show: all, or one by its number or its label."""
    conditions = problem.parametrisation.conditions
    labels = [conditions.label(number) for number in range(conditions.count)]
    if condition is None:
        return list(range(conditions.count))
    if type(condition) is int and 0 <= condition < conditions.count:
        return [condition]
    if condition in labels:
        return [labels.index(condition)]
    raise InputError(f"plot: condition is {shown(condition)}; give one of {', '.join(map(repr, labels[:12]))}, or its number from 0")


def draw_fit(problem: Problem, theta: Floats, condition: Any, axes: Any) -> Any:
    """The responses of the data as bars, and the prediction as lines; of two choices one upwards and the other downwards."""
    pyplot = extra("matplotlib.pyplot", "plot", "plot")
    if axes is None:
        axes = pyplot.subplots(figsize=(6.4, 4.0), layout="constrained")[1]
    elif not hasattr(axes, "plot"):
        raise InputError(f"plot: axes is {shown(axes)}; give matplotlib axes, such as those of pyplot.subplots()")
    axes.spines[["top", "right"]].set_visible(False)
    shown_conditions = chosen_conditions(problem, condition)
    data = problem.responses.some(np.isin(problem.responses.conditions, shown_conditions))
    shares = np.bincount(data.conditions, minlength=problem.parametrisation.conditions.count) / max(1, data.count)
    ports = data.ports
    decided = ~data.undecided
    if ports.time is None:
        _draw_choices(axes, data, predicted(problem, theta, np.zeros(1)), shares, ports.choice)
    else:
        ends = 0.0, float(np.quantile(data.times[decided], 0.995)) if decided.any() else 1.0
        times = np.linspace(ends[0], ends[1], PLACES)
        edges = np.linspace(ends[0], ends[1], BINS + 1)
        curves = predicted(problem, theta, times)
        signs = {choice: -1.0 if len(curves) == 2 and choice == min(curves) else 1.0 for choice in curves}
        for colour, (choice, curve) in zip(COLOURS, sorted(curves.items(), reverse=True), strict=False):
            counts = np.histogram(data.times[decided & (data.choices == choice)], edges)[0]
            heights = signs[choice] * counts / (data.count * np.diff(edges))
            name = f"{ports.choice} = {choice:g}" if ports.choice is not None else "data"
            axes.bar(edges[:-1], heights, np.diff(edges), align="edge", color=colour, alpha=0.35, label=name)
            axes.plot(times, signs[choice] * (shares @ curve), color=colour, lw=1.8)
        axes.axhline(0.0, color=DARK, lw=0.8)
        unit = unit_of(problem, ports.time)
        axes.set(
            xlabel=f"{ports.time} ({unit})" if unit else ports.time,
            ylabel=f"density of data (bars) and model (lines){f', 1/{unit}' if unit else ''}",
        )
        axes.legend(frameon=False)
    label = "" if condition is None else f": {problem.parametrisation.conditions.label(shown_conditions[0])}"
    lost = int(data.undecided.sum())
    axes.set_title(f"{counted(data.count, 'trial')}{label}{f', {lost} undecided' if lost else ''}", fontsize="medium")
    return axes


def _draw_choices(axes: Any, data: Responses, probabilities: dict[float, Floats], shares: Floats, name: str | None) -> None:
    """The proportions of choices in the data as bars, and the predictions as points."""
    places = np.arange(len(probabilities))
    axes.bar(places, [np.mean(data.choices == choice) for choice in probabilities], color=COLOURS[0], alpha=0.35, label="data")
    axes.plot(places, [float(shares @ one[:, 0]) for one in probabilities.values()], "o", color=COLOURS[0], label="model")
    axes.set_xticks(places, [f"{choice:g}" for choice in probabilities])
    axes.set(xlabel=name, ylabel="proportion")
    axes.legend(frameon=False)


def unit_of(problem: Problem, name: str) -> str | None:
    """The unit of an output, or of a parameter that is a time of the node that gives the response times; None if none is known."""
    units, time = problem.simulator.compiled.about.units, problem.responses.ports.time
    node, _, parameter = name.partition("[")[0].rpartition("/")
    if time is not None and node == time.rpartition("/")[0] and parameter in TIMED:
        return units.get(time)
    return units.get(name)


def draw_profiles(problem: Problem, profiles: dict[str, Profile], theta: dict[str, float]) -> Any:
    """The profile of each parameter, how far the log-likelihood falls, and the ends of the interval."""
    pyplot = extra("matplotlib.pyplot", "plot", "plot")
    figure, panels = pyplot.subplots(1, len(profiles), figsize=(3.2 * len(profiles), 3.0), layout="constrained", squeeze=False)
    for axes, (name, profile) in zip(panels[0], profiles.items(), strict=True):
        axes.plot(profile.values, -profile.fallen, color=COLOURS[0])
        axes.axhline(-profile.drop, color=DARK, lw=0.8, ls=":")
        axes.axvspan(profile.low, profile.high, color=COLOURS[0], alpha=0.12, lw=0)
        axes.axvline(theta[name], color=DARK, lw=0.8)
        axes.set(title=name, xlabel=unit_of(problem, name), ylim=(-2.5 * profile.drop, 0.1 * profile.drop))
        axes.spines[["top", "right"]].set_visible(False)
    panels[0][0].set_ylabel("profile log-likelihood")
    return figure
