"""
A log-likelihood around its maximum as a polynomial, which smooths the noise of simulations.

The polynomial is of degree 3 (2 for many parameters), fitted by least squares to the log-likelihood at points spread over the region in
which it falls by up to about 4: so far that profiles cross the drop of a 95 % interval, 1.92. Its coordinates `z` are scaled so that the
log-likelihood falls like `|z|**2 / 2`.

Where a likelihood has a long tail in a parameter, as in a time constant whose long values are all nearly as good, no polynomial of low
degree comes near to it. So each parameter is bent first, by an exponential function whose `bend` is fitted before the polynomial. In bent
coordinates the region reaches along the tail, and curved ridges between parameters are nearly straight.
"""

# SciPy's functions have no types.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement, permutations
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from cogir.study.responses import Floats

Objective: TypeAlias = "Callable[[Floats], Floats]"
"""A log-likelihood or log-posterior at points (points, parameters) of the unit cube."""

RADIUS = 3.0
"""The points lie within this distance of the centre: there the log-likelihood has fallen by 4.5."""
TRUSTED = 3.3
"""The polynomial is not used further away."""
DEEPEST = 15.0
"""Points at which the log-likelihood is lower by more than this are of no use for the polynomial."""
SKEW = 0.07
"""The size of terms of degree 3: that of the skewness of a likelihood of a few hundred trials."""
DEEP = 3.0
"""A fall that the noise does not hide."""
ROUNDS = 20
ALLOWED, DEVIATIONS = 2.0, 2.0
"""
A step to the maximum of a polynomial is taken where the log-likelihood lies below the best one seen by no more than this, and so many
standard deviations of its noise.
"""
ROUGH = 1.0
"""With more noise than this, common random numbers make the log-likelihood so rough that it hides the shape."""
REPEATS = 8
"""The noise is measured by so many values at one point."""
MOST_NOISE = 5.0
"""Rounds have more points where the noise is large, up to this multiple."""
BLURRED, DOUBLINGS = 0.5, 2
"""While noise moves the maximum by more than this part of a standard error, the number of points is doubled, this often at most."""
FLAT = 0.25
"""A curvature, in units of the scale, below which the region is too small for the noise."""
STEEP = 3.0
"""A curvature above which the region is too large: its outer points lie too deep."""
POINTS, RECENTRED = 24, 5
"""The points for each coefficient of degree 2 or less; how often the region follows the maximum of the final polynomial."""
USUAL_NOISE, MOST_REPEATED = 1.2, 4.0
"""With more noise than this, the number of points grows with its variance, up to this multiple: noise hides bends first."""
MOST_CUBIC = 6
"""With more parameters the polynomial is of degree 2."""
NEWTON = 60
"""The largest number of steps of Newton's method."""
MOST_POINTS = 10
"""No more points than this multiple of those wanted are computed, if many lie too deep."""
BENT, MOST_BENT = 0.3, 0.6
"""The size of bends, and their limit, in units of the widths of the region."""
BENDINGS, BEND_STEP, LEAST_NOISE = 8, 0.02, 1e-6
"""The number of Gauss-Newton steps to bends, the differences by which they see slopes, and the least noise that they reckon with."""
LEAST_BEND, STEEPEST = 1e-9, 30.0
"""A coordinate with a smaller bend is straight; the limit of exponents."""
LEAST_SCALE, WIDEST = 1e-7, 0.5
"""Limits of the scale of a coordinate, in units of the distance of the bounds."""


def exponents(size: int, degree: int) -> list[tuple[int, ...]]:
    """The factors of each monomial up to a degree: (), (0,), (1,), (0, 0), (0, 1) ..."""
    return [held for d in range(degree + 1) for held in combinations_with_replacement(range(size), d)]


@dataclass(frozen=True, eq=False)
class Surface:
    """A polynomial over `z` with `bent(u - centre) = scale @ z`, in the unit cube of `u`."""

    centre: Floats
    scale: Floats
    bends: Floats
    monomials: list[tuple[int, ...]]
    coefficients: Floats
    spread: Floats
    """The covariance of the coefficients, which comes from the noise."""
    noise: float
    """The standard deviation of the log-likelihood around it."""
    points: int

    def z(self, u: Floats) -> Floats:
        """The coordinates of points of the unit cube."""
        return scaled(u, self.centre, self.scale, self.bends)

    def value(self, u: Floats) -> float:
        """The polynomial at a point, lowered where it is not to be trusted."""
        z = self.z(u)
        constant, linear, quadratic, cubic = self.tensors
        found = float(constant + z @ (linear + (quadratic + cubic @ z) @ z))
        beyond = max(0.0, float(np.sqrt(z @ z)) - TRUSTED)
        return found - 20.0 * beyond * beyond

    def slope(self, u: Floats) -> Floats:
        """The gradient of `value`."""
        return self._stretch(u) * self._bent_slope(u)

    def _stretch(self, u: Floats) -> Floats:
        """The derivative of each bent coordinate."""
        return np.exp(np.clip(self.bends * (u - self.centre), -STEEPEST, STEEPEST))

    def _bent_slope(self, u: Floats) -> Floats:
        """The gradient of `value` over the bent coordinates."""
        z = self.z(u)
        _, linear, quadratic, cubic = self.tensors
        gradient = linear + (2.0 * quadratic + 3.0 * cubic @ z) @ z
        distance = float(np.sqrt(z @ z))
        if distance > TRUSTED:
            gradient -= 40.0 * (distance - TRUSTED) * z / distance
        return np.asarray(np.linalg.solve(self.scale.T, gradient), np.float64)

    def hessian(self, u: Floats) -> Floats:
        """The second derivatives at a point of the unit cube."""
        inverse, stretch = np.linalg.inv(self.scale), self._stretch(u)
        found = inverse.T @ self.curvature(u) @ inverse * np.outer(stretch, stretch)
        return found + np.diag(self.bends * self.slope(u))

    def curvature(self, u: Floats) -> Floats:
        """The second derivatives over `z`."""
        _, _, quadratic, cubic = self.tensors
        return 2.0 * quadratic + 6.0 * cubic @ self.z(u)

    @cached_property
    def tensors(self) -> tuple[float, Floats, Floats, Floats]:
        """The coefficients of degree 0 to 3 as symmetric tensors."""
        size = len(self.centre)
        found = [np.zeros((size,) * degree) for degree in range(4)]
        for coefficient, monomial in zip(self.coefficients, self.monomials, strict=True):
            places = set(permutations(monomial))
            for place in places:
                found[len(monomial)][place] = coefficient / len(places)
        constant, linear, quadratic, cubic = found
        return float(constant), linear, quadratic, cubic

    def errors(self, u: Floats) -> Floats:
        """The standard deviations of the coordinates of the maximum, which come from the noise: of the slope, by the curvature."""
        slopes = _first_derivatives(self.z(u), self.monomials)
        moves = self.scale @ np.linalg.pinv(self.curvature(u)) @ slopes
        return np.sqrt(np.diag(moves @ self.spread @ moves.T)) / self._stretch(u)

    def best(self, start: Floats, fixed: dict[int, float] | None = None) -> tuple[Floats, float]:
        """The maximum within the unit cube, with some coordinates fixed, and the value there: Newton's method, damped and projected."""
        u = np.array(start)
        for place, value in (fixed or {}).items():
            u[place] = value
        free = np.array([place not in (fixed or {}) for place in range(len(u))])
        unit = np.sqrt((self.scale**2).sum(axis=1))
        value, damping = self.value(u), 1e-3
        for _ in range(NEWTON):
            slope = self.slope(u) * unit
            inner = free & ~((u <= 0.0) & (slope < 0.0)) & ~((u >= 1.0) & (slope > 0.0))
            if not inner.any() or damping > 1e8:
                break
            curvature, axes = np.linalg.eigh(-(self.hessian(u) * np.outer(unit, unit))[np.ix_(inner, inner)])
            step = axes @ ((axes.T @ slope[inner]) / (np.abs(curvature) + damping))
            moved = u.copy()
            moved[inner] = np.clip(u[inner] + step * unit[inner], 0.0, 1.0)
            higher = self.value(moved)
            if higher > value:
                gained, u, value, damping = higher - value, moved, higher, 0.2 * damping
                if gained < 1e-9:
                    break
            else:
                damping = 8.0 * damping + 1e-3
        return u, value


def scaled(u: Floats, centre: Floats, scale: Floats, bends: Floats) -> Floats:
    """The coordinates `z` of points."""
    return np.asarray(np.linalg.solve(scale, bent(u - centre, bends).T).T, np.float64)


def bent(distance: Floats, bends: Floats) -> Floats:
    """The bent coordinates `(exp(bend * distance) - 1) / bend`; the distance itself for a bend of 0."""
    straight = np.abs(bends) < LEAST_BEND
    safe = np.where(straight, 1.0, bends)
    return np.where(straight, distance, np.expm1(np.clip(safe * distance, -STEEPEST, STEEPEST)) / safe)


def straightened(found: Floats, bends: Floats) -> Floats:
    """The inverse of `bent`: distances, infinite for what is none."""
    straight = np.abs(bends) < LEAST_BEND
    safe = np.where(straight, 1.0, bends)
    inside = safe * found > -1.0
    return np.where(straight, found, np.where(inside, np.log1p(np.where(inside, safe * found, 0.0)) / safe, -np.inf * np.sign(safe)))


def _terms(z: Floats, monomials: list[tuple[int, ...]]) -> Floats:
    """The monomials at points, (points, monomials)."""
    return np.stack([np.prod(z[:, list(held)], axis=1) if held else np.ones(len(z)) for held in monomials], axis=1)


def _first_derivatives(z: Floats, monomials: list[tuple[int, ...]]) -> Floats:
    """The derivatives of the monomials at a point, (coordinates, monomials)."""
    found = np.zeros((len(z), len(monomials)))
    for number, monomial in enumerate(monomials):
        for place, factor in enumerate(monomial):
            found[factor, number] += np.prod(z[list(monomial[:place] + monomial[place + 1 :])])
    return found


def bends_of(u: Floats, values: Floats, centre: Floats, scale: Floats, bends: Floats) -> Floats:
    """
    The bends with which a polynomial of degree 2 comes closest to the log-likelihood at some points, by Gauss-Newton steps from given ones.
    Bends are small by a prior of standard deviation `BENT`, in units of the widths of the region: where the noise hides them, they vanish.
    """
    size = len(centre)
    widths = np.sqrt((scale**2).sum(axis=1))
    monomials = exponents(size, 2)
    z = scaled(u, centre, scale, bends)
    weights = np.exp(-0.125 * (z * z).sum(axis=1))
    wanted = values * weights

    def left(relative: Floats) -> Floats:
        """The values less the polynomial of degree 2 that fits them best."""
        terms = _terms(scaled(u, centre, scale, relative / widths), monomials) * weights[:, None]
        return wanted - terms @ np.linalg.lstsq(terms, wanted, rcond=None)[0]

    found = bends * widths
    rest = left(found)
    noise = max(_deviation(rest, weights, len(monomials) + size), LEAST_NOISE)
    for _ in range(BENDINGS):
        slopes = np.stack([(left(found + unit) - rest) / BEND_STEP for unit in BEND_STEP * np.eye(size)], axis=1)
        step = np.linalg.solve(slopes.T @ slopes / noise**2 + np.eye(size) / BENT**2, -slopes.T @ rest / noise**2 - found / BENT**2)
        moved = np.clip(found + step, -MOST_BENT, MOST_BENT)
        further = left(moved)
        gained = (rest @ rest - further @ further) / noise**2 + (found @ found - moved @ moved) / BENT**2
        if gained <= 0.01:
            break
        found, rest = moved, further
    return found / widths


def fitted(u: Floats, values: Floats, centre: Floats, scale: Floats, bends: Floats, degree: int) -> Surface:
    """
    The polynomial through the log-likelihood at some points, by least squares. The weight of a point is `exp(-|z|**2 / 8)`, as the
    log-likelihood is no polynomial far away. Terms of degree 3 are small by a prior of standard deviation `SKEW`: where the noise hides
    them, the polynomial is one of degree 2.
    """
    z = scaled(u, centre, scale, bends)
    monomials = exponents(len(centre), degree)
    terms = _terms(z, monomials)
    weights = np.exp(-0.125 * (z * z).sum(axis=1))
    weighted, wanted = terms * weights[:, None], values * weights
    first = np.array([len(held) <= 2 for held in monomials])
    rough = wanted - weighted[:, first] @ np.linalg.lstsq(weighted[:, first], wanted, rcond=None)[0]
    noise = _deviation(rough, weights, int(first.sum()))
    prior = np.diag(np.where(first, 0.0, noise / SKEW))
    inverse = np.linalg.pinv(weighted.T @ weighted + prior**2)
    coefficients = inverse @ (weighted.T @ wanted)
    noise = _deviation((values - terms @ coefficients) * weights, weights, int(first.sum()))
    spread = noise**2 * inverse @ ((weighted.T * weights**2) @ weighted) @ inverse
    return Surface(centre, scale, bends, monomials, coefficients, spread, noise, len(values))


def _deviation(left: Floats, weights: Floats, size: int) -> float:
    """The standard deviation of a value, by what is left of them after `size` coefficients were fitted, times their weights."""
    return float(np.sqrt(left @ left / (weights @ weights) * len(left) / max(1, len(left) - size)))


class Surveyor:
    """
    Finds the region around a maximum, and the polynomial there.

    The region is found with common random numbers (`common`), under which neighbouring points have nearly the same noise: it moves the
    maximum, but hardly disturbs the shape, unless it is large; then with random numbers of their own (`rough`), of as many simulations.
    The polynomial is that of points that have random numbers of their own (`fresh`), whose noise averages out over all of them.
    """

    def __init__(self, common: Objective, rough: Objective, fresh: Objective, start: Floats, seed: int):
        self.common = common
        self.rough = rough
        self.fresh = fresh
        self.objective = common
        self.size = len(start)
        self.rng = np.random.default_rng([seed, 11])
        self.u = np.empty((0, self.size))
        self.values = np.empty(0)
        self.centre = start
        self.bends = np.zeros(self.size)
        self.noise = 0.0
        """The standard deviation of the log-likelihood between random numbers."""
        self.summit, self.reached = start, -np.inf
        """The best of all centres with common random numbers, and the log-likelihood there."""
        self.look(start[None])

    def look(self, u: Floats) -> None:
        """Computes the log-likelihood at further points."""
        self.u = np.concatenate([self.u, u])
        self.values = np.concatenate([self.values, self.objective(u)])

    @property
    def top(self) -> Floats:
        """The best point seen."""
        return self.u[int(np.argmax(self.values))]

    def reaches(self, u: Floats) -> bool:
        """
        True if the log-likelihood at a point, with common random numbers, is nearly the best one at all centres: a polynomial may rise
        where the log-likelihood falls.
        """
        value = float(self.common(u[None])[0])
        if value > self.reached:
            self.reached, self.summit = value, u
        return value >= self.reached - ALLOWED - DEVIATIONS * self.noise

    def survey(self) -> Surface:
        """The polynomial around the maximum."""
        if self.rough is not self.common:
            self.noise = float(np.std(self.rough(np.repeat(self.centre[None], REPEATS, axis=0)), ddof=1))
        self.reaches(self.centre)
        widths = self.widths()
        if self.noise > ROUGH:
            self.go_on_with(self.rough)
        scale = self.settled(np.diag(widths))
        self.go_on_with(self.fresh)
        degree = 3 if self.size <= MOST_CUBIC else 2
        wanted = POINTS * len(exponents(self.size, 2))
        surface = self.through(scale, wanted, degree)
        if surface.noise > USUAL_NOISE:
            wanted = int(wanted * min((surface.noise / USUAL_NOISE) ** 2, MOST_REPEATED))
            surface = self.through(scale, wanted, degree)
        for _ in range(RECENTRED):
            z = surface.z(surface.best(surface.centre)[0])
            curvature = np.linalg.eigvalsh(-surface.curvature(self.centre))
            if float(z @ z) < 1.0 and curvature[0] > FLAT and curvature[-1] < STEEP:
                break
            centre, wider, _ = self.moved(surface)
            if not self.reaches(centre):
                break
            self.centre, scale = centre, wider
            surface = self.through(scale, wanted, degree)
        for _ in range(DOUBLINGS):
            if (surface.errors(surface.best(surface.centre)[0]) < BLURRED * np.sqrt((scale**2).sum(axis=1))).all():
                break
            wanted = 2 * wanted
            surface = self.through(scale, wanted, degree)
        return surface

    def go_on_with(self, objective: Objective) -> None:
        """From here on, points are those of another objective."""
        if self.objective is not objective:
            self.objective, self.u, self.values = objective, np.empty((0, self.size)), np.empty(0)

    def through(self, scale: Floats, wanted: int, degree: int) -> Surface:
        """The polynomial through at least so many points of the region."""
        missing = wanted - int(self.near(scale).sum())
        while missing > 0 and len(self.u) < MOST_POINTS * wanted:
            self.look(self.around(scale, missing))
            missing = wanted - int(self.near(scale).sum())
        chosen = self.near(scale)
        self.bends = bends_of(self.u[chosen], self.values[chosen], self.centre, scale, self.bends)
        return fitted(self.u[chosen], self.values[chosen], self.centre, scale, self.bends, degree)

    def settled(self, scale: Floats) -> Floats:
        """The scale of the region; `centre` moves to its middle."""
        quadratic = len(exponents(self.size, 2))
        steady = 0
        for _ in range(ROUNDS):
            self.look(self.around(scale, int(2 * quadratic * min(max(1.0, self.noise), MOST_NOISE))))
            chosen = self.near(scale)
            if chosen.sum() < 1.3 * quadratic + 1:
                self.centre, scale = self.top, 0.5 * scale
                continue
            if steady:
                self.bends = bends_of(self.u[chosen], self.values[chosen], self.centre, scale, self.bends)
            centre, wider, is_steady = self.moved(fitted(self.u[chosen], self.values[chosen], self.centre, scale, self.bends, 2))
            if not self.reaches(centre):
                self.centre, scale, steady = self.summit, 0.5 * scale, 0
                continue
            self.centre, scale = centre, wider
            steady = steady + 1 if is_steady else 0
            if steady == 2:
                break
        return scale

    def near(self, scale: Floats) -> npt.NDArray[np.bool_]:
        """True for the points near the centre that are not too deep."""
        z = scaled(self.u, self.centre, scale, self.bends)
        inside = (z * z).sum(axis=1) <= RADIUS**2 * 1.01
        return inside & (self.values > self.values[inside].max(initial=-np.inf) - DEEPEST - DEVIATIONS * self.noise)

    def moved(self, surface: Surface) -> tuple[Floats, Floats, bool]:
        """The maximum of a polynomial of degree 2, the scale there, and True if both are nearly those of before."""
        old = surface.scale
        curvature, axes = np.linalg.eigh(-surface.curvature(surface.centre))
        # A round changes each width by at most a factor of 3; no coordinate becomes wider than its bounds.
        factors = 1.0 / np.sqrt(np.clip(curvature, 1.0 / 9.0, 9.0))
        scale = old @ axes * factors
        widths = np.sqrt((scale**2).sum(axis=1))
        scale = scale * np.clip(widths, LEAST_SCALE, WIDEST)[:, None] / widths[:, None]
        centre, _ = surface.best(surface.centre)
        z = surface.z(centre)
        distance = float(np.sqrt(z @ z))
        # Where the polynomial is flat in a direction, its maximum says little, and the region becomes wider first.
        farthest = RADIUS if curvature[0] > FLAT else 1.0
        if distance > farthest:
            centre = np.clip(surface.centre + straightened(old @ z * (farthest / distance), surface.bends), 0.0, 1.0)
        capped = bool((widths > WIDEST).any())
        is_steady = distance < 0.7 and (capped or bool(((factors > 0.6) & (factors < 1.6)).all()))
        return centre, scale, is_steady

    def widths(self) -> Floats:
        """
        For each coordinate the distance at which the log-likelihood falls by about a half, by points at which it falls by more than noise
        hides.
        """
        deep = DEEP + DEVIATIONS * self.noise
        distances = 0.25 * 0.5 ** np.arange(11)
        places, steps, axes = [], [], []
        for axis in range(self.size):
            for distance in distances:
                for sign in (1.0, -1.0):
                    u = self.centre.copy()
                    u[axis] += sign * distance
                    if 0.0 <= u[axis] <= 1.0:
                        places.append(u)
                        steps.append(distance)
                        axes.append(axis)
        begin = len(self.u)
        self.look(np.array(places))
        fallen = self.values.max() - self.values[begin:]
        found = np.zeros(self.size)
        for axis in range(self.size):
            own = [(step, drop) for step, drop, of in zip(steps, fallen, axes, strict=True) if of == axis and drop >= deep]
            # With common random numbers, too, the log-likelihood is rough at small distances: the widest scale is that of its fall.
            falls = [step / np.sqrt(2.0 * drop) for step, drop in own if drop <= 5.0 * deep]
            found[axis] = max(falls, default=min((step / np.sqrt(2.0 * min(drop, 5.0 * deep)) for step, drop in own), default=distances[0]))
        return found

    def around(self, scale: Floats, count: int) -> Floats:
        """Points spread over the region: within the radius, and within the unit cube."""
        found: list[Floats] = []
        for _ in range(200):
            normal = self.rng.normal(size=(4 * count, self.size))
            lengths = RADIUS * self.rng.uniform(size=(4 * count, 1)) ** (1.0 / max(2.0, self.size))
            z = normal / np.sqrt((normal**2).sum(axis=1, keepdims=True)) * lengths
            u = self.centre + straightened(z @ scale.T, self.bends)
            found += list(u[((u >= 0.0) & (u <= 1.0)).all(axis=1)])
            if len(found) >= count:
                return np.array(found[:count])
        return np.clip(self.centre + self.rng.normal(size=(count, self.size)) @ scale.T, 0.0, 1.0)
