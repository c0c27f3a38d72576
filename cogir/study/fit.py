"""
`cogir.fit`: from data to parameters.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import Any, cast

from cogir.callers import methods_end_at_caller
from cogir.errors import InputError, did_you_mean, shown
from cogir.study.asking import AskTell
from cogir.study.columns import numbers_of
from cogir.study.fitted import Fit
from cogir.study.posterior import Posterior
from cogir.study.problem import HistogramChoice, KernelChoice, Problem, SyntheticChoice, make_problem
from cogir.study.sampling import sample
from cogir.study.search import fit_problem
from cogir.study.subjects import Fits, fit_subjects

WHAT = tuple(name for name, option in signature(make_problem).parameters.items() if option.kind is option.KEYWORD_ONLY and name != "taken")
"""The options of a fit that say what is fitted."""
HOW = ("method", "budget", "intervals", "level")
"""The options of a fit that say how to search."""


@methods_end_at_caller
class Fitting:
    """`cogir.fit`, which is called, and which has the problem of a fit and the likelihoods as methods."""

    def __call__(
        self,
        model: Any,
        data: Any = None,
        free: Any = None,
        *,
        inputs: Any = None,
        response: Any = None,
        depends_on: Any = None,
        derive: Any = None,
        priors: Any = None,
        lapse: Any = 0.0,
        undecided: str = "error",
        subject: str | None = None,
        likelihood: Any = "kernel",
        simulations: int | None = None,
        floor: float | None = None,
        method: Any = None,
        budget: int | None = None,
        intervals: str | None = "profile",
        level: float = 0.95,
        seed: int = 0,
        executor: Any = None,
    ) -> Fit | Fits:
        """
        Finds the parameters under which a model gives the responses of an experiment with the largest likelihood, and their intervals.

            found = cogir.fit(model, data, free={"ddm/drift": (0, 3), "ddm/threshold": (0.5, 2)}, inputs={"ddm": [[1.0]]})
            found["ddm/drift"], found.intervals["ddm/drift"]
            print(found.summary())

        `model`: a model, or what it was compiled to, whose parameters then hold where nothing else is said; or what `cogir.fit.problem`
        has made of all that follows but `method`, `budget`, `intervals` and `level`.
        `data`: a DataFrame with a row per trial, or a dict from names to columns. Columns called as the outputs of a decision
        ("ddm/choice", "ddm/response_time") are the responses. Columns called as inputs ("stimulus", or "stimulus[0]" for an element) or
        parameters of the model are conditions: the trial is simulated with these values.
        `response`: the outputs that are the responses with the columns that hold them, {"ddm/choice": "choice", "ddm/response_time": "rt"};
        or only the outputs, (choice, time), whose names the columns then have. Choices are coded as in the model: 1 and -1, or from 0.
        `inputs`: one trial of inputs, for those that are no columns.
        `free`: by name the bounds of each free parameter, (low, high) or (low, high, start): "node/parameter", "node/parameter[0]" for an
        element of one that is an array, or a name of your own, which `derive` takes.
        `depends_on`: {"ddm/drift": "difficulty"} has a parameter for each value of a column, or of several: ["difficulty", "group"].
        `derive`: {"ddm/starting_value": lambda p: p["ddm/threshold"] * (2 * p["z"] - 1)} computes a parameter or input from free
        parameters and columns, which are arrays (points, conditions).
        `priors`: by name a distribution of scipy.stats, or a function that returns the logarithm of a density. With priors, the estimate is
        the maximum of the posterior density, and intervals are those of its profile.
        `lapse`: the proportion of trials with any choice at any time, or its bounds, (0, 0.1), to fit it.
        `undecided`: what a missing time or choice is: "error", "drop" (left out; probabilities are then those given a decision), or "count"
        (a trial without a decision).
        `subject`: a column; each of its values is fitted by itself, and the result is a mapping from it to the fits. Parameters that
        subjects share need `depends_on` for the others.
        `likelihood`: "kernel" (default), "histogram", or "analytical", a formula for some decisions of the library; or what
        `cogir.fit.kernel(...)`, `cogir.fit.histogram(...)` and `cogir.fit.synthetic(...)` return.
        `simulations`: the number of simulated trials for each condition (60,000; of data sets for synthetic likelihoods: 200).
        `floor`: the part of the probability that is spread evenly over all responses (default: one simulated trial).
        `method`: "nelder-mead" (default), "powell", "l-bfgs-b" (default for formulas), "differential_evolution", "optuna", or a function
        (objective, start) -> best point, over the unit cube between the bounds. It begins at the best of 40 points for each parameter, and
        of ten generations of these by differential evolution. It has common random numbers, and a thirtieth of the simulations, 2,000 at
        least.
        `budget`: the number of evaluations that it takes (default: by the number of parameters).
        `intervals`: "profile", "hessian" or None. For simulated likelihoods, both come from a polynomial through the
        log-likelihood at points around the maximum, each with random numbers of its own, so that the noise averages out. What
        is left of it makes intervals wider.
        `level`: the level of the intervals, 0.95.
        `seed`: of the simulations and of the search, a whole number; the same one gives the same fit.
        `executor`: other processes that simulate, as for sweeps: an executor of `concurrent.futures`, or a Dask client.

        Raises `InputError` for data and names that do not fit the model and for free parameters that change no response, and `FitError` if
        the model explains no trial within the bounds. A `FitWarning` tells of times beyond the limit of the model, trials that are cut off
        or not explained, a search that has probably failed, estimates and intervals at bounds, and noise that is too large; a
        `MissingInputWarning` tells of inputs that are not given.
        """
        what: dict[str, Any] = {
            "inputs": inputs,
            "response": response,
            "depends_on": depends_on,
            "derive": derive,
            "priors": priors,
            "lapse": lapse,
            "undecided": undecided,
            "likelihood": likelihood,
            "simulations": simulations,
            "floor": floor,
            "seed": seed,
            "executor": executor,
        }
        if isinstance(model, Problem):
            given = {"data": data, "free": free, "subject": subject, **what}
            if others := [name for name, value in given.items() if name != "seed" and not is_default(name, value)]:
                raise InputError(
                    f"fit: {others[0]} is given beside a problem, in which that is settled; give it to cogir.fit.problem, or give the model"
                )
            return fit_problem(model, method=method, budget=budget, intervals=intervals, level=level, seed=seed)
        how: dict[str, Any] = {"method": method, "budget": budget, "intervals": intervals, "level": level, "seed": seed}
        if subject is None:
            return fit_problem(make_problem(model, data, free, **what), **how)
        return fit_subjects(model, data, free, subject, what, how)

    def problem(self, model: Any, data: Any, free: Any = None, **options: Any) -> Problem:
        """
        The likelihood of a fit, for optimisers and samplers of your own: `log_likelihood`, `log_posterior`, `simulate`.

        The arguments are those of `cogir.fit` that say what is fitted; `cogir.fit(problem, ...)` takes those that say how to search. Raises
        `InputError` for the latter, and for `subject`: a problem is that of one subject.
        """
        if "subject" in options:
            raise InputError(
                "problem: subject is given, but a problem is that of one subject; give the rows of one, such as "
                'data[data["subject"] == 1], or give subject to cogir.fit, which fits each by itself'
            )
        if searching := [name for name in options if name in HOW]:
            raise InputError(f"problem: {searching[0]} says how to search; give it to cogir.fit(problem, {searching[0]}=...)")
        if unknown := [name for name in options if name not in WHAT]:
            remedy = did_you_mean(unknown[0], WHAT) or f"; it has {', '.join(WHAT)}"
            raise TypeError(f'fit.problem has no option "{unknown[0]}"{remedy}')
        return make_problem(model, data, free, **options)

    def search(self, problem: Problem, *, population: int = 30, seed: int = 0) -> AskTell:
        """
        A search by ask and tell over the bounds of a problem, whose points may be computed anywhere: differential evolution.

            search = cogir.fit.search(problem)
            points = search.ask()
            search.tell(points, problem.log_posterior(points))
        """
        return AskTell(problem, population, seed)

    def posterior(
        self, found: Fit, draws: int = 500, *, tune: int = 200, chains: int | None = None, seed: int = 0, surface: bool = False
    ) -> Posterior:
        """
        Draws from the posterior distribution around a fit; without priors, it is the likelihood within the bounds.

        `chains` walkers (4 for each parameter at least, and 16) move `tune` times before their `draws` are kept, by the stretch move of
        Goodman and Weare (2010), half of them in one sweep. `surface`: take the polynomial of the fit in place of the likelihood, which
        costs nothing, and holds as far as intervals reach. `to_inference_data()` of the result is for ArviZ.
        """
        return sample(found, draws, tune=tune, chains=chains, seed=seed, surface=surface)

    def kernel(self, factor: float = 0.5, *, scale: str = "log") -> KernelChoice:
        """
        The likelihood by a Gaussian kernel with a bandwidth of `factor` times Silverman's rule, on logarithmic times or, with
        scale="linear", on times.
        """
        if not isinstance(cast(object, factor), int | float) or not factor > 0.0:
            raise InputError(f"kernel: factor is {shown(factor)}; give a positive number: 1 is Silverman's rule")
        if scale not in ("log", "linear"):
            raise InputError(f'kernel: scale is {shown(scale)}; give "log" or "linear"')
        return KernelChoice(float(factor), scale)

    def histogram(self, bins: Any = 20) -> HistogramChoice:
        """The likelihood by histograms: `bins` between quantiles of the data, or the edges of the bins as growing numbers."""
        import numpy as np

        edges = numbers_of("histogram: bins", bins, "give a number of bins, or their edges")
        if edges.ndim == 0:
            if type(bins) is not int or bins < 2:
                raise InputError(f"histogram: bins is {shown(bins)}; give a number of bins, 2 at least, or their edges")
        elif edges.ndim != 1 or len(edges) < 2 or not (np.diff(edges) > 0.0).all():
            raise InputError(f"histogram: bins is {shown(bins)}; give the edges of the bins as growing numbers, two at least")
        return HistogramChoice(bins)

    def synthetic(self, statistics: Callable[[Any, Any], Any]) -> SyntheticChoice:
        """
        The synthetic likelihood of summary statistics: `statistics(choices, times)` returns a list of numbers for the trials of a
        condition. Trials without a decision have the time NaN.
        """
        if not callable(statistics):
            raise InputError(f"synthetic: found {shown(statistics)}; give a function (choices, times) -> list of numbers")
        return SyntheticChoice(statistics)

    def __repr__(self) -> str:
        return "<cogir.fit: call it with a model, data and free parameters>"


def is_default(name: str, value: object) -> bool:
    """True for the value that an option of `cogir.fit` has where it is not given."""
    default = signature(Fitting.__call__).parameters[name].default
    return value is default or (isinstance(value, str | float) and value == default)


fit = Fitting()
