"""
Free parameters of a fit: names, bounds, priors, and what the model's parameters and inputs are at a point.

    free={"ddm/drift": (0, 3), "z": (0.2, 0.8)}                                     # of the model, or of your own
    depends_on={"ddm/drift": "difficulty"}                                          # one for each value of a column
    derive={"ddm/starting_value": lambda p: p["ddm/threshold"] * (2 * p["z"] - 1)}  # computed from others, and from columns
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isfinite
from typing import Any, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from cogir.errors import InputError, closest, did_you_mean, shown, there_is
from cogir.labelled.names import ByName, path_of
from cogir.ranges import Between
from cogir.runtime.compiled import Compiled
from cogir.runtime.elements import check_element, element_name, split
from cogir.runtime.numbers import WHOLE_BY_DEFAULT, NotNumbers, as_numbers
from cogir.runtime.plan import PlanSlot
from cogir.runtime.short_names import is_of_projection
from cogir.study.columns import numbers_of
from cogir.study.responses import Array, Conditions, Floats, Table, conditions_of, text_of

LAPSE = "lapse"
Bounds: TypeAlias = "tuple[float, float, float | None]"
"""Two bounds, and the start if it is given."""
Prior: TypeAlias = Callable[[Floats], Any]


@dataclass(frozen=True)
class FreeParameter:
    """A number that the fit searches between two bounds."""

    name: str
    base: str
    """The name that the user gave, without the level of a condition."""
    low: float
    high: float
    start: float | None = None
    prior: Prior | None = None


@dataclass(frozen=True)
class VariedQuantity:
    """The value that a point sets: a parameter of the model or one of its elements, or an input or one of its elements."""

    name: str
    """As sweeps name it."""
    kind: str
    """"parameter" or "input"."""
    index: tuple[int, ...]
    """Of the element; empty for all of them."""
    shape: tuple[int, ...]
    range: Between | None

    @property
    def own_shape(self) -> tuple[int, ...]:
        """The shape of what varies: of the whole, or that of one number."""
        return () if self.index else self.shape

    @property
    def full_name(self) -> str:
        """The name with the index."""
        return element_name(self.name, self.index) if self.index else self.name

    def overlaps(self, other: VariedQuantity) -> bool:
        """True if the two have an element in common."""
        return self.name == other.name and (not self.index or not other.index or self.index == other.index)


class VariedQuantities:
    """The parameters and inputs of a compiled model, by the names that users give."""

    def __init__(self, compiled: Compiled, inputs: Floats):
        self.compiled = compiled
        self.params = compiled.params
        self.inputs = compiled.inputs
        self._found: dict[str, VariedQuantity | None] = {}
        """By the names that were asked for."""
        self.row = inputs
        """The inputs of a trial where data does not say them."""

    @cached_property
    def short(self) -> dict[str, str]:
        """The names of parameters as users write them, by full path."""
        names = self.params.names()
        return {self.params.path(name): name for name in names}

    def find(self, name: str) -> VariedQuantity | None:
        """
        The target of that name, if there is one; however the user writes it, its name is the same. Raises `InputError` for an element that
        an array does not have.
        """
        if name not in self._found:
            self._found[name] = self._find(name)
        return self._found[name]

    def _find(self, name: str) -> VariedQuantity | None:
        whole, index = (name, ()) if self.has(name) else split(name)
        if self.params.has_path(whole):
            path = self.params.path(whole)
            kind, shape, allowed, own = "parameter", np.shape(self.params[path]), self.compiled.plan.ranges.get(path), self.short[path]
        elif not self.has(name) and not index and (element := self.inputs.element(name, f'fit: found "{name}"')) is not None:
            slot, index = element
            shape, kind, allowed, own = slot.shape, "input", None, name[: name.index("[")].strip()
        elif whole in self.inputs.names:
            slots = self.inputs.names[whole]
            shape = slots[0].shape if len(slots) == 1 else (sum(slot.size for slot in slots),)
            kind, allowed, own = "input", None, whole
        else:
            return None
        if index:
            check_element("fit", kind, whole, index, shape)
        return VariedQuantity(own, kind, index, shape, allowed)

    def refuse_whole(self, free: Iterable[str]) -> None:
        """Refuses free parameters that hold whole numbers: an estimate is none."""
        for name in free:
            target = self.find(name)
            if target is not None and target.kind == "parameter" and np.asarray(self.params[target.name]).dtype.kind != "f":
                raise InputError(f'fit: free: "{name}" holds whole numbers or flags, and an estimate is none{WHOLE_BY_DEFAULT}')

    def has(self, name: str) -> bool:
        """True for the name of a parameter or input, which is not an element of one."""
        return self.params.has_path(name) or name in self.inputs.names

    def known(self) -> list[str]:
        """The names of all parameters and inputs."""
        return [*(name for path, name in self.short.items() if "/param:" in path or is_of_projection(path)), *self.inputs.names]

    def nearest(self, name: str) -> str:
        """`; did you mean "ddm/drift"?`, or the names that there are: of a node that exists its parameters."""
        node, _, parameter = name.rpartition("/")
        own = [known.removeprefix(f"{node}/") for known in self.known() if known.rpartition("/")[0] == node]
        if not node or not own:
            return did_you_mean(name, self.known()) or there_is(self.known())
        near = closest(parameter, own)
        return there_is(f"{node}/{one}" for one in own) if near is None else f'; did you mean "{node}/{near}"?'

    def now(self, target: VariedQuantity) -> Floats:
        """The value where nothing sets it."""
        if target.kind == "parameter":
            return np.asarray(self.params[target.name], np.float64)
        slots: list[PlanSlot] = self.inputs.names[target.name]
        return np.concatenate([self.row[slot.words] for slot in slots]).reshape(target.shape)

    def spread(self, what: str, target: VariedQuantity, value: Floats) -> Floats:
        """
        Values of a target that broadcast to (points, conditions, *shape). Numbers for an array fill it; they do not fill a matrix, nor an
        array whose elements differ. Raises `InputError` for these, and for other shapes.
        """
        shape = target.own_shape
        if shape and value.shape == shape:
            return value[None, None]
        if value.ndim < 2:
            value = value.reshape((1,) * (2 - value.ndim) + value.shape)
        if shape and value.ndim == 2:
            self.refuse_to_fill(what, target)
            return value.reshape(*value.shape, *[1] * len(shape))
        if value.shape[2:] != shape:
            raise InputError(
                f'{what}: found an array of shape {value.shape}, but {target.kind} "{target.full_name}" has the shape {shape}; give one of '
                f"shape {('points', 'conditions', *shape)}, or {shape} for a constant".replace("'", "")
            )
        return value

    def refuse_to_fill(self, what: str, target: VariedQuantity) -> None:
        """Refuses one number for a matrix, and for an array whose elements differ."""
        now = self.now(target)
        if target.index or now.size == 1 or (now.ndim < 2 and (now == now.flat[0]).all()):
            return
        why = "matrix" if now.ndim > 1 else "array, whose elements differ"
        first = element_name(target.name, (0,) * now.ndim)
        axes = ", None" * now.ndim
        raise InputError(
            f'{what}: one number would fill the {why}; name elements of "{target.name}", such as "{first}", or scale it by a number of '
            f'your own: derive={{"{target.name}": lambda p: p["scale"][...{axes}] * values}}, values of shape {now.shape}'
        )


class AskedQuantities(ByName[Any]):
    """The quantities that a function of the user may take, which notes the names of those that it took."""

    def __init__(self, held: Mapping[str, Any], what: str):
        self.held = held
        self.what = what
        self.taken: list[str] = []

    def __getitem__(self, key: Any) -> Any:
        name = path_of(key)
        if name not in self.held:
            raise InputError(f'{self.what}: there is no "{name}"{did_you_mean(name, self.held) or there_is(self.held)}')
        if name not in self.taken:
            self.taken.append(name)
        return self.held[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.held)

    def __len__(self) -> int:
        return len(self.held)


def bounds_of(name: str, given: Any, allowed: Between | None) -> Bounds:
    """Two bounds, and the start if it is given. Raises `InputError` for bounds that are none, or lie out of a parameter's range."""
    try:
        numbers = [float(value) for value in as_numbers(given).ravel()] if np.ndim(given) == 1 else []
    except NotNumbers as reason:
        raise InputError(f'fit: free: "{name}": {reason}; give its bounds: (low, high)') from None
    if len(numbers) not in (2, 3):
        raise InputError(f'fit: free: "{name}": found {shown(given)}; give its bounds, (low, high), or with a start: (low, high, start)')
    low, high, start = numbers[0], numbers[1], numbers[2] if len(numbers) == 3 else None
    if not (isfinite(low) and isfinite(high)) or low >= high:
        raise InputError(
            f'fit: free: "{name}": no number lies between the bounds {low:g} and {high:g}; give finite ones, the lower one first'
        )
    if start is not None and not low <= start <= high:
        raise InputError(f'fit: free: "{name}": the start {start:g} does not lie between the bounds {low:g} and {high:g}')
    if allowed is not None:
        low = float(np.nextafter(low, high)) if allowed.low_open and low == allowed.low else low
        high = float(np.nextafter(high, low)) if allowed.high_open and high == allowed.high else high
        for bound in (low, high):
            if not allowed.holds(bound):
                raise InputError(f'fit: free: "{name}": the bound {bound:g} is out of range; {allowed.demand(bound)}')
    return low, high, start


def prior_of(name: str, given: Any) -> Prior:
    """A prior: a distribution with `logpdf`, as SciPy's, or a function that returns the logarithm of a density."""
    density = getattr(given, "logpdf", given)
    if not callable(density):
        raise InputError(
            f'fit: priors: "{name}": found {shown(given)}; give a distribution of scipy.stats, or a function that returns the logarithm of '
            "a density"
        )
    return cast("Prior", density)


@dataclass(frozen=True)
class Setting:
    """The source of the values of a target."""

    target: VariedQuantity
    parameter: str | None = None
    """The free parameter that it is."""
    column: str | None = None
    """The column of the data that holds it."""
    function: Callable[[Mapping[str, Any]], Any] | None = None
    name: str = ""
    """The name that the user gave to what the function returns."""

    @property
    def what(self) -> str:
        """The place where the user gave it, in messages."""
        if self.parameter is not None:
            return f'fit: free: "{self.parameter}"'
        return f'derive: "{self.name}"' if self.function is not None else f'data: column "{self.column}"'


class Parametrisation:
    """All free parameters, and the parameters and inputs of the model at points of them."""

    def __init__(
        self,
        targets: VariedQuantities,
        free: Sequence[FreeParameter],
        conditions: Conditions,
        settings: Sequence[Setting],
        depending: Mapping[str, tuple[str, ...]],
    ):
        self.targets = targets
        self.depending = depending
        """The columns on which parameters depend, by the names that the user gave."""
        self.free = tuple(free)
        self.conditions = conditions
        self.settings = tuple(settings)
        self.names = tuple(parameter.name for parameter in self.free)
        self.low = np.array([parameter.low for parameter in self.free])
        self.high = np.array([parameter.high for parameter in self.free])
        self.levels = self._levels()

    def _levels(self) -> dict[str, Array]:
        """For each name that the user gave, the number of the parameter that stands for it in each condition."""
        found: dict[str, Array] = {}
        for base in dict.fromkeys(parameter.base for parameter in self.free):
            own = [number for number, parameter in enumerate(self.free) if parameter.base == base]
            names = {self.free[number].name: number for number in own}
            if len(own) == 1 and self.free[own[0]].name == base:
                found[base] = np.full(self.conditions.count, own[0])
            else:
                columns = self.depending[base]
                found[base] = np.array([names[level_name(base, columns, self.conditions, c)] for c in range(self.conditions.count)])
        return found

    def inside(self, thetas: Floats) -> Array:
        """True for the points that lie within the bounds."""
        return np.asarray(((thetas >= self.low) & (thetas <= self.high)).all(axis=1))

    def log_prior(self, thetas: Floats) -> Floats:
        """The logarithm of the prior density, (points,); 0 without priors, -infinity out of bounds."""
        found = np.where(self.inside(thetas), 0.0, -np.inf)
        for number, parameter in enumerate(self.free):
            if parameter.prior is not None:
                what = f'fit: priors: "{parameter.name}": the function returned no numbers'
                logs = numbers_of(what, parameter.prior(thetas[:, number]), "return the logarithm of the density at each value")
                if logs.shape not in ((), found.shape):
                    raise InputError(
                        f'fit: priors: "{parameter.name}": the function returned an array of shape {logs.shape} for {len(found)} values; '
                        "return the logarithm of the density at each of them"
                    )
                found = found + logs
        return found

    @property
    def has_priors(self) -> bool:
        """True if a parameter has a prior."""
        return any(parameter.prior is not None for parameter in self.free)

    def named(self, thetas: Floats) -> dict[str, Floats]:
        """The free parameters by the names that the user gave, (points, conditions)."""
        return {base: thetas[:, places] for base, places in self.levels.items()}

    def values(self, thetas: Floats) -> dict[str, tuple[VariedQuantity, Floats]]:
        """For each parameter or input that varies its values, (points, conditions, *shape), by the name that sweeps give it."""
        points, count = len(thetas), self.conditions.count
        named: dict[str, Any] = self.named(thetas)
        held: dict[str, Any] = {name: column[None] for name, column in self.conditions.columns.items()} | named
        found: dict[str, tuple[VariedQuantity, Floats]] = {}
        for setting in self.settings:
            target = setting.target
            if setting.parameter is not None:
                value = named[setting.parameter]
            elif setting.column is not None:
                value = self.conditions.columns[setting.column].astype(np.float64)[None]
            else:
                assert setting.function is not None
                value = derived(setting, AskedQuantities(held, setting.what))
            value = self.targets.spread(setting.what, target, value)
            if setting.function is not None:
                held[setting.name] = value
            if target.name not in found:
                start = np.array(np.broadcast_to(self.targets.now(target), (points, count, *target.shape)))
                found[target.name] = target, start
            try:
                found[target.name][1][(..., *target.index)] = value
            except ValueError:
                raise InputError(
                    f"{setting.what}: found an array of shape {value.shape} at {points} points in {count} conditions; give one value for "
                    "each, (points, conditions), as the parameters and columns have them"
                ) from None
        return found


def possible_points(values: Mapping[str, tuple[VariedQuantity, Floats]]) -> npt.NDArray[np.bool_]:
    """True for points at which all parameters and inputs are finite and lie in their ranges. `values`: (points, conditions, *shape)."""
    count = len(next(iter(values.values()))[1])
    possible = np.ones(count, np.bool_)
    for target, array in values.values():
        possible &= np.isfinite(array).reshape(count, -1).all(axis=1)
        if target.range is not None:
            possible &= target.range.contains(array).reshape(count, -1).all(axis=1)
    return possible


def derived(setting: Setting, asked: AskedQuantities) -> Floats:
    """The values that a function of the user makes of parameters and columns."""
    assert setting.function is not None
    made = setting.function(asked)
    return numbers_of(f"{setting.what}: the function returned no numbers", made, "return numbers, (points, conditions)")


def level_name(base: str, columns: Sequence[str], conditions: Conditions, condition: int) -> str:
    """The name of a parameter in a condition: `ddm/drift[easy]`."""
    values = [conditions.columns[column][condition] for column in columns]
    return f"{base}[{', '.join(map(text_of, values))}]"


def levels_of(base: str, columns: Sequence[str], conditions: Conditions) -> list[str]:
    """The names of a parameter in all conditions. Raises `InputError` where different values have one name."""
    found: dict[str, tuple[Any, ...]] = {}
    for condition in range(conditions.count):
        values = tuple(conditions.columns[column][condition] for column in columns)
        name = level_name(base, columns, conditions, condition)
        if found.setdefault(name, values) != values:
            raise InputError(
                f'fit: depends_on: "{base}": {shown(found[name])} and {shown(values)} would both be called "{name}"; recode a column'
            )
    return list(found)


class FreeReader:
    """Turns what users say about free parameters into a `Parametrisation`."""

    def __init__(self, targets: VariedQuantities, table: Table, taken: Sequence[str]):
        self.targets = targets
        self.table = table
        self.taken = [name for name in taken if name]
        """The columns that hold responses and subjects."""

    def read(self, free: Any, depends_on: Any, derive: Any, priors: Any, lapse: Any) -> Parametrisation:
        """All that is given. Raises `InputError` for names that the model and the data do not have."""
        free = _dict(free, "free", "names to bounds, such as {'ddm/drift': (0, 3)}")
        depends_on = _dict(depends_on or {}, "depends_on", "names of free parameters to columns of the data")
        derive = _dict(derive or {}, "derive", "names of parameters to functions")
        priors = _dict(priors or {}, "priors", "names of free parameters to distributions")
        if not free and not isinstance(lapse, tuple | list):
            raise InputError("fit: free is empty; give names and bounds of the parameters to find, such as {'ddm/drift': (0, 3)}")
        self.targets.refuse_whole(free)
        ranges = {name: target.range for name in free if (target := self.targets.find(name)) is not None}
        bounds = {name: bounds_of(name, given, ranges.get(name)) for name, given in free.items()}
        settings = [*self._from_columns(free, derive), *self._from_free(free, derive, depends_on)]
        used = [setting.column for setting in settings if setting.column is not None]
        depending = {name: self._columns(name, given, free) for name, given in depends_on.items()}
        used += [column for columns in depending.values() for column in columns]
        derivations = self._from_derive(derive, bounds, used)
        _check_twice([*settings, *derivations])
        conditions = conditions_of(self.table, dict.fromkeys(used))
        parameters = list(self._parameters(bounds, depending, priors, conditions))
        if isinstance(lapse, tuple | list):
            low, high, start = bounds_of(LAPSE, lapse, Between(0.0, 1.0))
            prior = prior_of(LAPSE, priors[LAPSE]) if LAPSE in priors else None
            parameters.append(FreeParameter(LAPSE, LAPSE, low, high, start, prior))
        for name in priors:
            if name not in {*free, *(parameter.name for parameter in parameters)}:
                raise InputError(f'fit: priors: "{name}" is not free{did_you_mean(name, free) or there_is(free)}')
        return Parametrisation(self.targets, parameters, conditions, [*settings, *derivations], depending)

    def _from_columns(self, free: Mapping[str, Any], derive: Mapping[str, Any]) -> list[Setting]:
        """The columns that are parameters or inputs."""
        found: list[Setting] = []
        outputs = self.targets.compiled.plan.outputs
        for column in self.table.columns:
            if column in self.taken:
                continue
            target = self.targets.find(column)
            if target is not None:
                if column in free or column in derive:
                    raise InputError(
                        f'fit: "{column}" is a column of the data, and {"free" if column in free else "derived"}; give it only once'
                    )
                column_values = self.table.numbers(column)
                wanted = target.own_shape
                if column_values.shape[1:] != wanted and not (column_values.ndim == 1 and int(np.prod(wanted)) == 1):
                    raise InputError(
                        f'data: column "{column}": each row has the shape {column_values.shape[1:]}, but {target.kind} "{target.name}" has '
                        f'{wanted}; give columns for its elements: "{element_name(target.name, (0,) * len(wanted))}", ...'
                    )
                found.append(Setting(target, column=column))
            elif "/" in column and column.partition("[")[0] not in outputs:
                known = [*self.targets.known(), *outputs]
                raise InputError(
                    f'data: column "{column}" is no output, input or parameter of the model'
                    f"{did_you_mean(column, known) or '; rename it, or leave it out'}"
                )
        return found

    def _from_free(self, free: Mapping[str, Any], derive: Mapping[str, Any], depends_on: Mapping[str, Any]) -> list[Setting]:
        """The free parameters that are parameters of the model; others must serve `derive`."""
        found: list[Setting] = []
        for name in free:
            target = self.targets.find(name)
            if name in derive:
                raise InputError(f'fit: "{name}" is free and derived; give it only once')
            if target is not None and target.kind == "parameter":
                self.targets.refuse_to_fill(f'fit: free: "{name}"', target)
                found.append(Setting(target, parameter=name))
            elif not derive:
                raise InputError(
                    f'fit: free: the model has no parameter "{name}"{self.targets.nearest(name)}; a number of your own serves '
                    "derive={...}"
                )
        for name in depends_on:
            if name not in free:
                raise InputError(f'fit: depends_on: "{name}" is not free{did_you_mean(name, free) or there_is(free)}')
        return found

    def _columns(self, name: str, given: Any, free: Mapping[str, Any]) -> tuple[str, ...]:
        columns = (given,) if isinstance(given, str) else tuple(given)
        for column in columns:
            if column not in self.table.columns:
                raise InputError(
                    f'fit: depends_on: "{name}": the data has no column "{column}"'
                    f"{did_you_mean(str(column), self.table.columns) or there_is(self.table.columns)}"
                )
            if (shape := self.table[column].shape)[1:]:
                raise InputError(f'fit: depends_on: "{name}": column "{column}" has the shape {shape}; give one value per trial')
        return columns

    def _from_derive(self, derive: Mapping[str, Any], bounds: Mapping[str, Bounds], used: list[str]) -> list[Setting]:
        """The derived parameters; the columns that their functions take are added to those that are used."""
        found: list[Setting] = []
        middle = {name: np.array([[0.5 * (low + high)]]) for name, (low, high, _) in bounds.items()}
        held: dict[str, Any] = {name: column[:1][None] for name, column in self.table.columns.items()} | middle
        serving: set[str] = set()
        for name, function in derive.items():
            target = self.targets.find(name)
            if target is None:
                raise InputError(f'fit: derive: the model has no parameter or input "{name}"{self.targets.nearest(name)}')
            if not callable(function):
                raise InputError(f'fit: derive: "{name}": found {shown(function)}; give a function of the free parameters and columns')
            setting = Setting(target, function=function, name=name)
            recorder = AskedQuantities(held, setting.what)
            made = derived(setting, recorder)
            serving.update(recorder.taken)
            used += [taken for taken in recorder.taken if taken in self.table.columns and taken not in bounds]
            held[name] = self.targets.spread(setting.what, target, made)
            found.append(setting)
        for name in bounds:
            target = self.targets.find(name)
            if name not in serving and (target is None or target.kind != "parameter"):
                raise InputError(
                    f'fit: free: "{name}" is no parameter of the model, and no function in derive takes it{self.targets.nearest(name)}'
                )
        return found

    def _parameters(
        self, bounds: Mapping[str, Bounds], depending: Mapping[str, tuple[str, ...]], priors: Mapping[str, Any], conditions: Conditions
    ) -> Iterator[FreeParameter]:
        for name, (low, high, start) in bounds.items():
            levels = [name]
            if name in depending:
                levels = levels_of(name, depending[name], conditions)
            for level in levels:
                prior = priors.get(level, priors.get(name))
                yield FreeParameter(level, name, low, high, start, None if prior is None else prior_of(level, prior))


def _check_twice(settings: Sequence[Setting]) -> None:
    """Refuses what is given in two ways, by other spellings or by an element and the whole."""
    for number, one in enumerate(settings):
        for other in settings[:number]:
            if one.target.overlaps(other.target):
                raise InputError(f'fit: "{one.target.full_name}" is given twice: {other.what}, and {one.what}; give it only once')


def _dict(given: Any, what: str, wanted: str) -> dict[str, Any]:
    if not isinstance(given, Mapping):
        raise InputError(f"fit: {what} is {shown(given)}; give a dict from {wanted}")
    return {path_of(name): value for name, value in cast("Mapping[Any, Any]", given).items()}
