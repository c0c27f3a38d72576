"""
Pictures of fits: the data beside what the fitted model predicts, and profiles.
"""

# Matplotlib's functions have types only in part.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
from __future__ import annotations

from dataclasses import replace
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
CURVE_TRIALS = 50_000
"""Predictions of simulated trials are drawn from so many at least."""
PANELS = 30
"""Up to so many conditions have a panel each."""
FEW, COLUMNS, NARROW = 6, 3, 5
"""So many panels are few; so many lie side by side then, and so many smaller ones else."""
FAR = 2.0
"""Times beyond so many times the quantile of 99.5 % are outliers, for which a figure has no room."""


def prediction(problem: Problem) -> ByDensities:
    """
    The likelihood that lines are drawn from: by simulation, with more trials, and for a kernel with the full bandwidth of Silverman's rule,
    as the narrow one of the fit gives wavy lines.
    """
    likelihood = problem.likelihood
    if isinstance(likelihood, ByDensities) and not isinstance(likelihood, Simulated):
        return likelihood
    ports, choices = problem.responses.ports, problem.pilot.choices
    if not isinstance(likelihood, Simulated):
        estimator: ResponseEstimator = KernelDensity(ports, choices, 1.0) if ports.time is not None else Proportions(ports, choices)
        return Simulated(problem.simulator, estimator, CURVE_TRIALS)
    estimator = likelihood.estimator
    if isinstance(estimator, KernelDensity):
        estimator = replace(estimator, factor=max(estimator.factor, 1.0))
    return Simulated(likelihood.simulator, estimator, max(likelihood.replicates, CURVE_TRIALS), likelihood.given_floor)


def predicted(problem: Problem, theta: Floats, times: Floats) -> dict[float, Floats]:
    """
    For each choice the density at some times, (conditions, times), with lapses; without times its probability, (conditions, 1).
    """
    model = prediction(problem)
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
    """The numbers of the conditions to show: all, or those of a number, a label, or the value of a column in it."""
    conditions = problem.parametrisation.conditions
    labels = [conditions.label(number) for number in range(conditions.count)]
    if condition is None:
        return list(range(conditions.count))
    wanted = str(condition)
    parts = [label.split(", ") for label in labels]
    found = [n for n, own in enumerate(parts) if wanted in (labels[n], *own, *(part.partition("=")[2] for part in own))]
    if type(condition) is int and 0 <= condition < conditions.count:
        if found not in ([], [condition]):
            raise InputError(
                f"plot: condition={condition} may be condition number {condition} ({labels[condition]}) or a value of "
                f"{', '.join(labels[n] for n in found)}; give the label of a condition as text"
            )
        return [condition]
    if found:
        return found
    raise InputError(f"plot: condition is {shown(condition)}; give one of {', '.join(map(repr, labels[:12]))}, or its number from 0")


def draw_fit(problem: Problem, theta: Floats, condition: Any, axes: Any) -> Any:
    """
    The responses of the data as bars, and the prediction as lines; of two choices one upwards and the other downwards. Each condition has a
    panel, unless there are too many, or the user says where to draw.
    """
    pyplot = extra("matplotlib.pyplot", "plot", "plot")
    chosen = chosen_conditions(problem, condition)
    if axes is not None and not hasattr(axes, "plot"):
        raise InputError(f"plot: axes is {shown(axes)}; give matplotlib axes, such as those of pyplot.subplots()")
    panels = [[one] for one in chosen] if axes is None and condition is None and len(chosen) <= PANELS else [chosen]
    if axes is None:
        columns = min(COLUMNS if len(panels) <= FEW else NARROW, len(panels))
        rows = -(-len(panels) // columns)
        width, height = (4.0, 3.2) if len(panels) <= FEW else (3.0, 2.4)
        size = (6.4, 4.0) if len(panels) == 1 else (width * columns, height * rows)
        every = pyplot.subplots(rows, columns, figsize=size, layout="constrained", sharex=True, sharey=True, squeeze=False)[1].ravel()
        for empty in every[len(panels) :]:
            empty.remove()
    else:
        every = [axes]
    ends = picture_ends(problem.responses.some(np.isin(problem.responses.conditions, chosen)))
    curves = predicted(problem, theta, np.linspace(0.0, ends, PLACES) if ends else np.zeros(1))
    names = [problem.parametrisation.conditions.label(one[0]) if len(one) == 1 else str(condition or "") for one in panels]
    is_whole = problem.parametrisation.conditions.count == 1
    for number, (panel, conditions, name) in enumerate(zip(every, panels, names, strict=False)):
        draw_panel(problem, conditions, curves, ends, panel)
        title_panel(problem, conditions, ends, "" if is_whole else name, panel)
        if number:
            panel.set_ylabel("")
            panel.get_legend().remove()
    return every[0]


def picture_ends(data: Responses) -> float:
    """The last time of a picture: the longest of the data without outliers; 0 for data without times."""
    times = data.times[~data.undecided]
    if data.ports.time is None or not len(times):
        return 0.0 if data.ports.time is None else 1.0
    usual = FAR * float(np.quantile(times, 0.995))
    return float(times[times <= usual].max())


def title_panel(problem: Problem, conditions: list[int], ends: float, name: str, axes: Any) -> None:
    """The numbers of trials, of those without a decision, and of those that are not shown."""
    data = problem.responses.some(np.isin(problem.responses.conditions, conditions))
    lost, beyond = int(data.undecided.sum()), int((np.nan_to_num(data.times) > ends).sum())
    unit = unit_of(problem, data.ports.time) if data.ports.time is not None else None
    pooled = f" of {len(conditions)} conditions" if len(conditions) > 1 else ""
    parts = [f"{counted(data.count, 'trial')}{pooled}{f': {name}' if name else ''}"]
    if lost:
        parts.append(f"{lost} undecided")
    if ends and beyond:
        parts.append(f"{beyond} beyond {ends:.3g}{f' {unit}' if unit else ''} not shown")
    axes.set_title(", ".join(parts), fontsize="medium")


def draw_panel(problem: Problem, conditions: list[int], curves: dict[float, Floats], ends: float, axes: Any) -> None:
    """The data and the prediction of some conditions. `curves`: of all conditions, up to the time `ends`."""
    axes.spines[["top", "right"]].set_visible(False)
    data = problem.responses.some(np.isin(problem.responses.conditions, conditions))
    shares = np.bincount(data.conditions, minlength=problem.parametrisation.conditions.count) / max(1, data.count)
    ports = data.ports
    if ports.time is None:
        _draw_choices(axes, data, curves, shares, ports.choice)
        return
    times, edges = np.linspace(0.0, ends, PLACES), np.linspace(0.0, ends, BINS + 1)
    signs = {choice: -1.0 if len(curves) == 2 and choice == min(curves) else 1.0 for choice in curves}
    for colour, (choice, curve) in zip(COLOURS, sorted(curves.items(), reverse=True), strict=False):
        counts = np.histogram(data.times[~data.undecided & (data.choices == choice)], edges)[0]
        heights = signs[choice] * counts / (data.count * np.diff(edges))
        name = f"{ports.choice} = {choice:g}" if ports.choice is not None else "data"
        axes.bar(edges[:-1], heights, np.diff(edges), align="edge", color=colour, alpha=0.35, label=name)
        axes.plot(times, signs[choice] * (shares @ curve), color=colour, lw=1.8)
    axes.axhline(0.0, color=DARK, lw=0.8)
    axes.yaxis.set_major_formatter(without_sign)
    unit = unit_of(problem, ports.time)
    axes.set(
        xlabel=f"{ports.time} ({unit})" if unit else ports.time,
        ylabel=f"density of data (bars) and model (lines){f', 1/{unit}' if unit else ''}",
    )
    axes.legend(frameon=False)


def without_sign(height: float, _: object = None) -> str:
    """The text at a height of an axis of densities, which are positive downwards, too."""
    return f"{abs(height):g}"


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
