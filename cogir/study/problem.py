"""
A fit as a problem: a model, data, free parameters, and the likelihood of the data at points of them.
"""

# SciPy's functions have no types.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, cast

import numpy as np

from cogir.callers import methods_end_at_caller, stacklevel
from cogir.errors import CogirError, InputError, counted, did_you_mean, shown, there_is
from cogir.frontend.compile import compile
from cogir.labelled.extras import extra
from cogir.labelled.names import path_of
from cogir.runtime.compiled import Compiled
from cogir.study.analytical import analytical
from cogir.study.checks import carried_states, executes_until_finished, no_influence, time_limit, times_beyond, without_influence
from cogir.study.columns import numbers_of
from cogir.study.estimators import HistogramDensity, KernelDensity, Proportions
from cogir.study.free import LAPSE, FreeReader, Parametrisation, VariedQuantities, possible_points
from cogir.study.likelihoods import ByDensities, Likelihood, Simulated, Simulator, Synthetic, Values
from cogir.study.responses import (
    MOST_CHOICES,
    UNDECIDED,
    Floats,
    Numbers,
    Ports,
    Responses,
    Table,
    ports_of,
    response_columns,
    responses_of,
    table_of,
)

KINDS = ("kernel", "histogram", "analytical")
PILOT_POINTS, PILOT_TRIALS, PILOT_CONDITIONS = 32, 200, 8
"""A pilot simulates so many points for each free parameter, trials at each, and conditions."""
SIMULATIONS = 60_000
DATA_SETS = 200
BINS = 20


class FitError(CogirError):
    """A fit that cannot be made: the model does not give such data anywhere within the bounds."""


class FitWarning(UserWarning):
    """A fit whose estimates need care: a bound that was met, a choice that never occurs, trials that the model does not explain."""


@dataclass(frozen=True)
class Pilot:
    """What the model gives at some points within the bounds."""

    thetas: Floats
    choices: tuple[float, ...]
    """The choices of decided trials."""
    marks: tuple[float, ...]
    """The choices of trials without a decision only."""
    earliest: float
    latest: float
    trials: int
    decided: float
    """The proportion of trials with a decision."""


@methods_end_at_caller
class Problem:
    """
    The likelihood of data at points of the free parameters of a model, for optimisers and samplers of your own.

        problem = cogir.fit.problem(model, data, free={"ddm/drift": (0, 3), "ddm/threshold": (0.5, 2)})
        problem.names, problem.low, problem.high
        problem.log_likelihood([1.0, 1.2])              # or many points at once: (points, parameters) -> (points,)
        problem.log_posterior({"ddm/drift": 1.0, "ddm/threshold": 1.2})
        problem.simulate([1.0, 1.2], seed=2)            # data as the model gives them
    """

    def __init__(
        self,
        parametrisation: Parametrisation,
        responses: Responses,
        likelihood: Likelihood,
        simulator: Simulator,
        lapse: float,
        pilot: Pilot,
        remake: Callable[[Table, Numbers], Problem],
        table: Table,
        *,
        seed: int = 0,
        columns: Mapping[str, str] | None = None,
        preparation: float = 0.0,
        dropped: int = 0,
    ):
        self.parametrisation = parametrisation
        self.responses = responses
        self.likelihood = likelihood
        self.simulator = simulator
        self.lapse = lapse
        self.pilot = pilot
        self.remake = remake
        """The same problem with a table of other data, and the conditions of its trials."""
        self.table = table
        self.seed = seed
        """The seed that the user gave."""
        self.columns = dict(columns or {})
        """The columns of the data that hold responses, by outputs of the model, where their names differ."""
        self.preparation = preparation
        """The seconds in which the model was compiled and simulated all over the bounds."""
        self.given: Any = None
        """The DataFrame of pandas that held the data; None for others."""
        self.dropped = dropped
        """The number of rows of the data that were left out, as their responses are missing."""
        self.evaluations = 0
        """The number of points at which the likelihood was computed."""
        self.simulated = 0
        """The number of trials that were simulated for it, in all conditions."""

    def with_columns(self, columns: Mapping[str, Any]) -> Problem:
        """The same problem with other responses in its rows. `columns`: by the names of outputs, as `simulated_columns` gives them."""
        return self.remake(replace(self.table, columns=columns), self.responses.conditions)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the free parameters, in the order of points."""
        return self.parametrisation.names

    @property
    def low(self) -> Floats:
        """The lower bounds."""
        return self.parametrisation.low

    @property
    def high(self) -> Floats:
        """The upper bounds."""
        return self.parametrisation.high

    @property
    def size(self) -> int:
        """The number of free parameters."""
        return len(self.names)

    @cached_property
    def starts(self) -> Floats | None:
        """The starting point that the user gave for some parameters, the others in the middle; None without any."""
        free = self.parametrisation.free
        if all(parameter.start is None for parameter in free):
            return None
        return np.array([0.5 * (one.low + one.high) if one.start is None else one.start for one in free])

    def points(self, given: Any) -> tuple[Floats, bool]:
        """Points as (points, parameters), and True if one was given. Raises `InputError` for others."""
        if isinstance(given, Mapping):
            held = {path_of(name): value for name, value in cast("Mapping[Any, Any]", given).items()}
            for name in held:
                if name not in self.names:
                    raise InputError(f'problem: "{name}" is not free{did_you_mean(name, self.names) or there_is(self.names)}')
            if missing := [name for name in self.names if name not in held]:
                raise InputError(f'problem: there is no value of "{missing[0]}"; give one for each of {", ".join(self.names)}')
            given = {name: numbers_of(f'problem: "{name}"', held[name], "give a number, or one for each point") for name in self.names}
            try:
                columns = np.broadcast_arrays(*given.values())
            except ValueError:
                sizes = ", ".join(f'{np.shape(one)} of "{name}"' for name, one in given.items())
                raise InputError(f"problem: found values of different shapes: {sizes}; give as many of each") from None
            return np.stack([column.ravel() for column in columns], axis=1), columns[0].ndim == 0
        array = numbers_of("problem", given, f"give points of {self.size} numbers ({', '.join(self.names)}), or a dict")
        if array.ndim not in (1, 2) or array.shape[-1] != self.size:
            raise InputError(
                f"problem: found an array of shape {array.shape}; give points of {self.size} numbers ({', '.join(self.names)}), or a dict"
            )
        return np.atleast_2d(array), array.ndim == 1

    def log_likelihood(self, point: Any) -> Any:
        """
        The log-likelihood at a point, a float, or at several, an array: (points, parameters) -> (points,). A point is an array in the order
        of `names`, or a dict. It is -infinity where the model has no such parameters.
        """
        thetas, is_one = self.points(point)
        found = self.log_likelihoods(thetas)[0]
        return float(found[0]) if is_one else found

    def pointwise(self, point: Any) -> Any:
        """
        The log-likelihood of each trial, (trials,), or at several points (points, trials); its sum over trials is `log_likelihood`. Raises
        `InputError` for a synthetic likelihood, which is that of all trials together.
        """
        thetas, is_one = self.points(point)
        if not isinstance(self.likelihood, ByDensities):
            raise InputError("problem: a synthetic likelihood is that of all trials together; use a kernel, histograms or a formula")
        found = np.full((len(thetas), self.responses.count), -np.inf)
        if len(thetas):
            values, possible = self.values(thetas)
            if possible.any():
                found[possible] = self.likelihood.of_trials(values, self.responses, self.lapses(thetas)[possible])
        return found[0] if is_one else found

    def log_prior(self, point: Any) -> Any:
        """The logarithm of the prior density; 0 within the bounds where there is no prior, -infinity out of them."""
        thetas, is_one = self.points(point)
        found = self.parametrisation.log_prior(thetas)
        return float(found[0]) if is_one else found

    def log_posterior(self, point: Any) -> Any:
        """The sum of `log_likelihood` and `log_prior`; the likelihood is not computed out of the bounds."""
        thetas, is_one = self.points(point)
        found = self.log_posteriors(thetas)
        return float(found[0]) if is_one else found

    def log_posteriors(self, thetas: Floats, likelihood: Likelihood | None = None) -> Floats:
        """`log_posterior` at points (points, parameters)."""
        found = self.parametrisation.log_prior(thetas)
        possible = np.isfinite(found)
        if possible.any():
            found[possible] += self.log_likelihoods(thetas[possible], likelihood)[0]
        return found

    def log_likelihoods(self, thetas: Floats, likelihood: Likelihood | None = None) -> tuple[Floats, Floats]:
        """The log-likelihood at points (points, parameters), and the number of trials that the model does not explain there."""
        if np.isnan(thetas).any():
            raise InputError("problem: found NaN in a point; give numbers")
        found, lost = np.full(len(thetas), -np.inf), np.full(len(thetas), float(self.responses.count))
        if not len(thetas):
            return found, lost
        values, possible = self.values(thetas)
        if possible.any():
            self.evaluations += int(np.count_nonzero(possible))
            lapses = self.lapses(thetas)[possible]
            used = self.likelihood if likelihood is None else likelihood
            self.simulated += int(np.count_nonzero(possible)) * self.parametrisation.conditions.count * used.replicates
            found[possible], lost[possible] = used.log_likelihoods(values, self.responses, lapses)
        return found, lost

    def lapses(self, thetas: Floats) -> Floats:
        """The proportion of lapses at points."""
        return thetas[:, self.names.index(LAPSE)] if LAPSE in self.names else np.full(len(thetas), self.lapse)

    def values(self, thetas: Floats) -> tuple[Values, Any]:
        """The values of parameters and inputs at those points at which all lie in their ranges, and True for these."""
        values = self.parametrisation.values(thetas)
        possible = possible_points(values)
        return {name: (target, array[possible]) for name, (target, array) in values.items()}, possible

    def simulate(self, point: Any, *, seed: int = 0) -> dict[str, Any]:
        """
        Data that the model gives at a point: the columns of the data with other choices and times, one for each trial. NaN stand for trials
        without a decision.
        """
        return {self.columns.get(name, name): column for name, column in self.simulated_columns(point, seed).items()}

    def like_the_data(self, columns: dict[str, Any]) -> Any:
        """Columns as the data were given: as a DataFrame with the index of the rows that were fitted, or as a dict."""
        if self.given is None:
            return columns
        flat = {name: column if column.ndim == 1 else list(column) for name, column in columns.items()}
        package = extra("pandas", "predict", "study")
        return package.DataFrame(flat, index=self.given.index[self.table.rows])[list(self.given.columns)]

    def simulated_columns(self, point: Any, seed: int) -> dict[str, Any]:
        """`simulate` with responses by the names of outputs."""
        thetas, _ = self.points(point)
        values, possible = self.values(thetas[:1])
        if not possible.all():
            raise InputError("simulate: the model has no such parameters: a value lies out of its range")
        responses = self.responses
        counts = np.bincount(responses.conditions, minlength=self.parametrisation.conditions.count)
        simulator = self.simulator.with_seed(seed)
        choices, times, silent = simulator.responses(values, responses.ports, int(counts.max()))
        nth = np.zeros(responses.count, np.int64)
        for condition in range(len(counts)):
            nth[responses.conditions == condition] = np.arange(counts[condition])
        # With common random numbers, trial n of each condition has the same ones; here they must be independent.
        rng = np.random.default_rng([seed, 1])
        if len(counts) > 1:
            choices, times, silent = simulator.responses(values, responses.ports, int(counts.sum()))
            begins = np.cumsum(counts) - counts
            nth = nth + begins[responses.conditions]
        picked = tuple(held[0, responses.conditions, nth] for held in (choices, times, silent))
        chosen, taken, lost = self._lapsed(picked, float(self.lapses(thetas)[0]), rng)
        found: dict[str, Any] = dict(self.table.columns)
        if responses.ports.choice is not None:
            found[responses.ports.choice] = np.where(lost, np.nan, chosen) if responses.ports.time is None else chosen
        if responses.ports.time is not None:
            found[responses.ports.time] = np.where(lost, np.nan, taken)
        return found

    def _lapsed(self, picked: tuple[Any, ...], lapse: float, rng: np.random.Generator) -> tuple[Any, Any, Any]:
        """Responses of which some are lapses: any choice, at any time up to the longest one of the data."""
        choices, times, silent = picked
        lapsed = rng.uniform(size=len(choices)) < lapse
        codes = np.array(self.pilot.choices)
        drawn = codes[rng.integers(len(codes), size=len(choices))], rng.uniform(0.0, self.responses.latest, len(choices))
        return np.where(lapsed, drawn[0], choices), np.where(lapsed, drawn[1], times), silent & ~lapsed

    def __repr__(self) -> str:
        bounds = ", ".join(f"{name} from {low:g} to {high:g}" for name, low, high in zip(self.names, self.low, self.high, strict=True))
        return f"<fit of {bounds} to {counted(self.responses.count, 'trial')} by {self.likelihood.name}>"


def design(low: Floats, high: Floats, count: int, seed: int) -> Floats:
    """Points spread evenly between bounds: Sobol's sequence, scrambled."""
    qmc = extra("scipy.stats.qmc", "fit", "fit")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # the balance of powers of two does not matter here
        return low + (high - low) * qmc.Sobol(len(low), rng=np.random.default_rng([seed, 7])).random(count)


def make_problem(
    model: Any,
    data: Any,
    free: Any = None,
    *,
    inputs: Any = None,
    response: Any = None,
    depends_on: Any = None,
    derive: Any = None,
    priors: Any = None,
    lapse: Any = 0.0,
    undecided: str = "error",
    likelihood: Any = "kernel",
    simulations: int | None = None,
    floor: float | None = None,
    seed: int = 0,
    executor: Any = None,
    taken: Sequence[str] = (),
) -> Problem:
    """The problem of a fit; the arguments are those of `cogir.fit`, and `taken`: columns that are no conditions."""
    begun = time.perf_counter()
    if undecided not in UNDECIDED:
        raise InputError(f"fit: undecided is {shown(undecided)}; give one of {', '.join(map(repr, UNDECIDED))}")
    _check_likelihood(likelihood)
    compiled = model if isinstance(model, Compiled) else compile(model, unfinished="ignore", out_of_range="ignore")
    outputs = compiled.plan.outputs[: compiled.plan.shown]
    response, columns = response_columns(response, outputs)
    whole = table_of(data).renamed(columns)
    ports = ports_of(response, whole, outputs)
    _check_scalar(ports, compiled)
    drops = undecided == "drop"
    table = whole.decided(ports) if drops else whole
    inputs = compiled.inputs.by_name(inputs)
    rows = compiled.inputs.rows(inputs)
    if len(rows) > 1:
        raise InputError(
            f"fit: inputs has {len(rows)} trials, but a fit takes one trial, which holds for all rows of the data; make inputs that vary "
            'columns of the data: data["stimulus"], or data["stimulus[0]"] for an element'
        )
    targets = VariedQuantities(compiled, rows[0])
    reader = FreeReader(targets, table, [ports.choice or "", ports.time or "", *taken])
    parametrisation = reader.read({} if free is None else free, depends_on, derive, priors, lapse)
    forgotten = _warn_of_forgotten(compiled, inputs, parametrisation)
    responses = responses_of(table, ports, parametrisation.conditions.of_trial, undecided)
    simulator = Simulator.of(compiled, inputs, _whole(seed, "seed", 0), executor)
    fixed_lapse = _lapse_of(lapse)
    pilot = run_pilot(simulator, parametrisation, ports, seed)
    about: dict[str, Any] = {"seed": seed, "columns": columns, "preparation": time.perf_counter() - begun}
    _check_choices(responses, pilot, table, compiled)
    _check_times(responses, pilot, compiled, parametrisation)
    if idle := without_influence(simulator, parametrisation, ports, pilot.thetas):
        raise InputError(no_influence(idle, carried_states(compiled), forgotten))
    choices = tuple(sorted({*pilot.choices, *np.unique(responses.choices[~responses.undecided]).tolist()}))
    made = likelihood_of(likelihood, model, targets, simulator, responses, choices, simulations, floor)

    def problem_of(table: Table, responses: Responses, dropped: int) -> Problem:
        return Problem(parametrisation, responses, made, simulator, fixed_lapse, pilot, remake, table, dropped=dropped, **about)

    def remake(table: Table, conditions: Numbers) -> Problem:
        kept = ~table.missing(ports) if drops else np.ones(table.count, np.bool_)
        others = responses_of(table.some(kept), ports, conditions[kept], "drop" if drops else "count")
        return problem_of(table.some(kept), others, int(np.count_nonzero(~kept)))

    problem = problem_of(table, responses, whole.count - table.count)
    if type(data).__name__ == "DataFrame" and hasattr(data, "index"):
        problem.given = data
    return problem


def _whole(value: Any, name: str, least: int) -> int:
    if type(value) is not int or value < least:
        raise InputError(f"fit: {name} is {shown(value)}; give a whole number of {least} or more")
    return value


def _lapse_of(given: Any) -> float:
    if isinstance(given, tuple | list):
        return 0.0
    if not isinstance(given, int | float) or not 0.0 <= given < 1.0:
        raise InputError(f"fit: lapse is {shown(given)}; give the proportion of lapses, from 0 to below 1, or bounds for it: (0, 0.2)")
    return float(given)


def _check_scalar(ports: Ports, compiled: Compiled) -> None:
    for port in (ports.choice, ports.time):
        if port is not None and compiled.plan.slots[f"out:{port}"].size != 1:
            shape = compiled.plan.slots[f"out:{port}"].shape
            raise InputError(f"fit: output {port} has the shape {shape}; choices and times are single numbers")


def run_pilot(simulator: Simulator, parametrisation: Parametrisation, ports: Ports, seed: int) -> Pilot:
    """Some trials at points all over the bounds."""
    size = max(1, len(parametrisation.names))
    thetas = design(parametrisation.low, parametrisation.high, PILOT_POINTS * size, seed)
    values = parametrisation.values(thetas)
    step = max(1, parametrisation.conditions.count // PILOT_CONDITIONS)
    values = {name: (target, array[:, ::step][:, :PILOT_CONDITIONS]) for name, (target, array) in values.items()}
    possible = np.ones(len(thetas), np.bool_)
    for name, (target, array) in values.items():
        possible &= possible_points({name: (target, array)})
        if not possible.any():
            raise InputError(
                f'fit: "{name}" lies out of its range at all {len(thetas)} points that were tried within the bounds; see derive'
            )
    values = {name: (target, array[possible]) for name, (target, array) in values.items()}
    choices, times, silent = simulator.responses(values, ports, PILOT_TRIALS)
    answered, unanswered = np.unique(choices[~silent]), np.unique(choices[silent])
    if len(answered) > MOST_CHOICES:
        raise InputError(
            f'fit: output "{ports.choice}" has {len(answered)} different values; choices are numbers of alternatives. Say which output '
            "holds choices: response=(choice, time)"
        )
    kept = times[~silent]
    ends = (float(kept.min()), float(kept.max())) if kept.size else (np.nan, np.nan)
    marks = np.setdiff1d(unanswered, answered)
    return Pilot(thetas[possible], tuple(answered.tolist()), tuple(marks.tolist()), *ends, choices.size, float(kept.size / choices.size))


def _warn_of_forgotten(compiled: Compiled, inputs: Any, parametrisation: Parametrisation) -> list[str]:
    """Warns of inputs that neither the user, nor a column, nor `derive` gives; returns their names."""
    if compiled.warns_of_missing_inputs:
        targets = [setting.target for setting in parametrisation.settings if setting.target.kind == "input"]
        varied = [words for target in targets for words in compiled.inputs.columns_of(target.name, target.index)]
        compiled.inputs.warn_of_forgotten("fit", inputs, varied, also_all=True)
        return list(compiled.inputs.forgotten(inputs, varied, also_all=True))
    return []


def _check_times(responses: Responses, pilot: Pilot, compiled: Compiled, parametrisation: Parametrisation) -> None:
    """Warns of times that are longer than any that the model can give."""
    limit = time_limit(compiled, parametrisation, responses.ports, pilot.thetas)
    # Where a model executes its node more than once in a trial, times may go on beyond the limit of one execution.
    if limit is not None and pilot.latest <= limit.longest.max() * (1.0 + 1e-9) and (text := times_beyond(limit, responses)):
        warnings.warn(text, FitWarning, stacklevel=stacklevel())


def _check_choices(responses: Responses, pilot: Pilot, table: Table, compiled: Compiled) -> None:
    """Refuses choices that the model never gives; warns of those that the data never have."""
    if not pilot.choices:
        raise FitError(
            f"fit: the model decided in none of {pilot.trials:,} trials, simulated all over the bounds; raise "
            "max_executions_before_finished, or change the bounds"
        )
    port = responses.ports.choice
    if port is None:
        return
    codes = responses.choices[~responses.undecided]
    for code in np.unique(codes).tolist():
        if code not in pilot.choices:
            raise InputError(_unknown_choice(code, responses, pilot, table, compiled))
    for code in pilot.choices:
        if code not in codes:
            warnings.warn(
                f"data: no trial has the choice {code:g} of {port}, which the model gives; parameters that divide choices, such as a "
                "starting value, may go to their bounds",
                FitWarning,
                stacklevel=stacklevel(),
            )


def _unknown_choice(code: float, responses: Responses, pilot: Pilot, table: Table, compiled: Compiled) -> str:
    """The message for a choice of the data that the model never gives."""
    port = responses.ports.choice or ""
    node = port.rpartition("/")[0]
    listed = ", ".join(f"{code:g}" for code in pilot.choices)
    if f"{node}/time_step_size" in compiled.params and not executes_until_finished(compiled, node) and len(pilot.choices) == 1:
        return (
            f'fit: node "{node}" goes a single step in each trial, in which its choice is {listed} in all of {pilot.trials:,} trials, '
            "simulated all over the bounds; let it go on until it has decided: execute_until_finished=True, and reset_each_trial=True"
        )
    codes = responses.choices[~responses.undecided]
    row = table.rows[int(np.flatnonzero(responses.choices == code)[0])]
    times = int(np.count_nonzero(codes == code))
    mark = ' (the code of a trial without a decision: give NaN, and undecided="count")' if code in pilot.marks else ""
    return (
        f"data: {table.called(port)} is {code:g} in {times} of {responses.count} trials (first in row {row}){mark}, but the model chose "
        f"{listed} in {pilot.trials:,} trials, simulated all over the bounds; recode the column{_recoding(codes, pilot, table, port)}"
    )


def _recoding(codes: Floats, pilot: Pilot, table: Table, port: str) -> str:
    """The expression that recodes two choices; empty if there are more."""
    found = np.unique(codes).tolist()
    if len(found) != 2 or len(pilot.choices) != 2:
        return ""
    column = f'data["{table.given.get(port, port)}"]'
    recoded = f"np.where({column} == {found[1]:g}, {pilot.choices[1]:g}, {pilot.choices[0]:g})"
    return f": {recoded}, and NaN where it is missing, if {found[1]:g} stands for {pilot.choices[1]:g}"


def likelihood_of(
    given: Any,
    model: Any,
    targets: VariedQuantities,
    simulator: Simulator,
    responses: Responses,
    choices: tuple[float, ...],
    simulations: int | None,
    floor: float | None,
) -> Likelihood:
    """The likelihood that the user asks for."""
    if floor is not None and (not isinstance(cast(object, floor), int | float) or not 0.0 <= floor < 1.0):
        raise InputError(f"fit: floor is {shown(floor)}; give a number from 0 to below 1, such as 1e-4")
    ports = responses.ports
    if isinstance(given, SyntheticChoice):
        return Synthetic(simulator, given.statistics, DATA_SETS if simulations is None else _whole(simulations, "simulations", 4))
    if given == "analytical":
        return analytical(model, targets, ports.time or ports.choice, choices, floor)
    count = SIMULATIONS if simulations is None else _whole(simulations, "simulations", 10)
    if ports.time is None:
        return Simulated(simulator, Proportions(ports, choices), count, floor)
    if given == "kernel":
        return Simulated(simulator, KernelDensity(ports, choices), count, floor)
    if given == "histogram":
        return Simulated(simulator, HistogramDensity(ports, choices, bins_of(responses)), count, floor)
    if isinstance(given, KernelChoice):
        return Simulated(simulator, KernelDensity(ports, choices, given.factor, given.scale == "log"), count, floor)
    assert isinstance(given, HistogramChoice)
    edges = bins_of(responses, given.bins) if isinstance(given.bins, int) else tuple(np.asarray(given.bins, np.float64).tolist())
    return Simulated(simulator, HistogramDensity(ports, choices, edges), count, floor)


def _check_likelihood(given: Any) -> None:
    """Refuses what is no likelihood."""
    if (isinstance(given, str) and given in KINDS) or isinstance(given, KernelChoice | HistogramChoice | SyntheticChoice):
        return
    kinds = f"{', '.join(map(repr, KINDS))}, or cogir.fit.kernel(...), cogir.fit.histogram(...), cogir.fit.synthetic(...)"
    if callable(given):
        raise InputError(
            "fit: likelihood is a function, but a fit computes the likelihood of choices and times of independent trials itself: give one "
            f"of {kinds}. For a likelihood of your own, let a node of the model compute it, and maximise it over a sweep: docs/subjects.md"
        )
    raise InputError(f"fit: likelihood is {shown(given)}{did_you_mean(str(given), KINDS)}; give one of {kinds}")


def bins_of(responses: Responses, count: int = BINS) -> tuple[float, ...]:
    """Edges between which equally many times of the data lie; the first is 0, the last twice the longest time."""
    times = responses.times[~responses.undecided]
    inner = np.unique(np.quantile(times, np.arange(1, count) / count))
    return (0.0, *inner[inner > 0.0].tolist(), 2.0 * float(times.max()) + 1e-9)


@dataclass(frozen=True)
class KernelChoice:
    """A kernel density with a bandwidth of the user."""

    factor: float
    scale: str


@dataclass(frozen=True, eq=False)
class HistogramChoice:
    """Histograms with bins of the user."""

    bins: Any


@dataclass(frozen=True)
class SyntheticChoice:
    """Summary statistics of the user."""

    statistics: Callable[[Floats, Floats], Any]
