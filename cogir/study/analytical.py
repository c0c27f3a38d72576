"""
Likelihoods by formulas, for the decision models of the library that have one.

They are those of infinitely short steps: a simulated model decides later, by an error that shrinks with the root of the step.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from cogir import library
from cogir.errors import InputError
from cogir.frontend.builder.model import Model
from cogir.frontend.builder.records import NodeRecord
from cogir.runtime.compiled import Compiled
from cogir.study.densities import ballistic_race, diffusion_race, first_of, special, wiener_log_density, wiener_survival
from cogir.study.free import VariedQuantities
from cogir.study.likelihoods import ByDensities, Values
from cogir.study.responses import Floats, Responses
from cogir.study.upstream import Upstream, senders_of, upstream_of

FLOOR = 1e-10


@dataclass
class Formula:
    """A decision node, and how its parameters and its input are found at points."""

    targets: VariedQuantities
    node: str
    record: NodeRecord
    upstream: Upstream | None = None
    """Computes the input, where projections give it."""

    def parameter(self, values: Values, name: str) -> Floats:
        """A parameter of the node, (points, conditions, ...)."""
        return self.quantity(values, f"{self.node}/{name}")

    def quantity(self, values: Values, name: str) -> Floats:
        """A parameter or input by the name that sweeps give it; where it does not vary, (1, 1, ...)."""
        if name in values:
            return values[name][1]
        target = self.targets.find(name)
        assert target is not None
        return self.targets.now(target)[None, None]

    def variable(self, values: Values) -> Floats:
        """The input of the node, (points, conditions, elements)."""
        if self.upstream is not None:
            return self.upstream(values)
        port = next(iter(self.record.inputs))
        name = next((name for name in (self.node, f"{self.node}/{port}") if name in values), self.node)
        return self.quantity(values, name)

    def number(self, name: str) -> float:
        """A parameter that is one number and does not vary."""
        return float(self.targets.params[f"{self.node}/{name}"])

    @property
    def executions(self) -> int:
        """The largest number of executions in a trial."""
        return int(self.targets.params[f"{self.node}/limit:executions"])


Densities = Callable[[Formula, "Values", Responses], tuple[Floats, Floats]]


def _of_trials(array: Floats, responses: Responses) -> Floats:
    """An array (points, conditions, ...) as (points, trials, ...)."""
    return np.broadcast_to(array[:, responses.conditions] if array.shape[1] > 1 else array, (len(array), responses.count, *array.shape[2:]))


def drift_diffusion(formula: Formula, values: Values, responses: Responses) -> tuple[Floats, Floats]:
    """Two bounds: choices 1 and -1."""
    drift = formula.parameter(values, "drift") * formula.variable(values).sum(axis=-1)
    threshold, start, noise, delay, step = (
        formula.parameter(values, name) for name in ("threshold", "starting_value", "noise", "non_decision_time", "time_step_size")
    )
    held = [_of_trials(np.asarray(one), responses) for one in (drift, threshold, start, noise)]
    time = responses.times - _of_trials(delay, responses)
    density = np.exp(wiener_log_density(time, responses.choices > 0.0, *held))
    return density, 1.0 - wiener_survival(formula.executions * step, drift, threshold, start, noise)


def diffusion(formula: Formula, values: Values, responses: Responses) -> tuple[Floats, Floats]:
    """One bound for each accumulator: choices from 0."""
    drift = formula.parameter(values, "drift")
    variable = formula.variable(values)
    drift = (drift if drift.ndim == 3 else drift[..., None]) * variable
    parts = [formula.parameter(values, name) for name in ("threshold", "starting_value", "noise")]
    parts = [part if part.ndim == 3 else part[..., None] for part in parts]
    held = [_of_trials(part, responses) for part in (drift, *parts)]
    time = responses.times - _of_trials(formula.parameter(values, "non_decision_time"), responses)
    density = first_of(*diffusion_race(time, *held), np.where(responses.undecided, 0, responses.choices))
    end = formula.executions * formula.parameter(values, "time_step_size")
    return density, 1.0 - np.prod(diffusion_race(end, drift, *parts)[1], axis=-1)


def ballistic(formula: Formula, values: Values, responses: Responses) -> tuple[Floats, Floats]:
    """Linear ballistic accumulators: choices from 0."""
    drift = formula.parameter(values, "drift")
    variable = formula.variable(values)
    drift = (drift if drift.ndim == 3 else drift[..., None]) * variable
    parts = [formula.parameter(values, name) for name in ("drift_variability", "threshold", "start_variability")]
    parts = [part if part.ndim == 3 else part[..., None] for part in parts]
    held = [_of_trials(part, responses) for part in (drift, *parts)]
    time = responses.times - _of_trials(formula.parameter(values, "non_decision_time"), responses)
    density = first_of(*ballistic_race(time, *held), np.where(responses.undecided, 0, responses.choices))
    idle = np.prod(np.broadcast_to(special().ndtr(-drift / parts[0]), np.broadcast_shapes(drift.shape, parts[0].shape)), axis=-1)
    never = idle**formula.executions
    # Trials without a positive drift are drawn again, as often as the node may be executed.
    again = np.divide(1.0 - never, 1.0 - idle, out=np.ones_like(idle), where=idle < 1.0)
    return density * _of_trials(again, responses), 1.0 - never


FORMULAS: dict[Callable[..., Any], Densities] = {
    library.drift_diffusion_decision: drift_diffusion,
    library.race_decision: diffusion,
    library.linear_ballistic_decision: ballistic,
}


@dataclass
class Analytical(ByDensities):
    """Densities in closed form."""

    formula: Formula
    function: Densities
    choices: tuple[float, ...]
    floor: float = FLOOR
    name: str = field(default="analytical likelihood", init=False)

    def with_seed(self, seed: int, common: bool = True) -> Analytical:
        return self

    def densities(self, values: Values, responses: Responses) -> tuple[Floats, Floats]:
        points, conditions = next(iter(values.values()))[1].shape[:2]
        density, decided = self.function(self.formula, values, responses)
        return np.broadcast_to(density, (points, responses.count)), np.broadcast_to(decided, (points, conditions))


def analytical(model: Any, targets: VariedQuantities, port: str | None, choices: tuple[float, ...], floor: float | None) -> Analytical:
    """The likelihood by formula of the node that gives the responses. Raises `InputError` if there is none."""
    names = ", ".join(function.__name__ for function in FORMULAS)
    remedy = f'there are formulas for {names}; for others use likelihood="kernel"'
    if isinstance(model, Compiled):
        model = model.find_model()
    if not isinstance(model, Model):
        raise InputError(
            "fit: an analytical likelihood needs the model as it was built in Python, but this one was made from its text, or was changed "
            'after it was compiled; compile it again, or use likelihood="kernel"'
        )
    node = (port or "").rpartition("/")[0]
    record = model.description.nodes.get(node)
    if not isinstance(record, NodeRecord) or record.body is None or record.body.function not in FORMULAS:
        what = getattr(record.body.function, "__name__", "its function") if isinstance(record, NodeRecord) and record.body else "it"
        raise InputError(f'fit: node "{node}": {what} has no analytical likelihood; {remedy}')
    formula = Formula(targets, node, record)
    _check(formula, model, remedy)
    formula.upstream = upstream_of(model.description, node, targets)
    return Analytical(formula, FORMULAS[record.body.function], choices, FLOOR if floor is None else floor)


def _check(formula: Formula, model: Model, remedy: str) -> None:
    """Refuses what the formulas do not contain."""
    body, node = formula.record.body, formula.node
    assert body is not None
    for name in ("leak", "urgency"):
        if f"{node}/{name}" in formula.targets.params and formula.number(name) != 0.0:
            raise InputError(
                f'fit: node "{node}": {name} is {formula.number(name):g}, for which there is no analytical likelihood; {remedy}'
            )
    if body.statics.get("bound", "constant") != "constant":
        raise InputError(f'fit: node "{node}": there is no analytical likelihood for bounds that are not constant; {remedy}')
    modulators = [each.source.owner for each in model.description.modulations if each.target.owner == node]
    if modulators:
        raise InputError(
            f'fit: node "{node}": its parameters are modulated by "{modulators[0]}", but an analytical likelihood needs to know them; use '
            'likelihood="kernel"'
        )
    if not senders_of(model.description, node) and node not in formula.targets.inputs.names:
        raise InputError(
            f'fit: node "{node}" is no input of the model, and receives no projection: an analytical likelihood needs its input'
        )
