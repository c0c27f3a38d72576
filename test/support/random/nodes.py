"""
Random nodes: what they compute, and of which shapes. The lowest layer of `models`.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from random import Random as Source
from typing import Any, TypeVar

import numpy as np

import cogir
from cogir import library
from cogir.library import Random, State, Step, Value, node_function
from cogir.library.signature import signature_of
from cogir.ranges import Between

T = TypeVar("T")

Shape = tuple[int, ...]
Member = cogir.Node | cogir.Instance


@dataclass
class Choices:
    """Where random choices come from, tags of what was chosen, and whether they are those of `wide_model`."""

    source: Source
    tags: Counter[str] = field(default_factory=Counter[str])
    wide: bool = False
    placed: cogir.Model | None = None
    """The model that was placed in another one last, as a controller may simulate it."""

    @property
    def kinds(self) -> "Sequence[Kind]":
        """The kinds of nodes to choose from."""
        return WIDE_KINDS if self.wide else KINDS

    def of(self, options: Sequence[T]) -> T:
        """One of the options."""
        return self.source.choice(options)

    def between(self, least: int, most: int) -> int:
        """A whole number, both ends included."""
        return self.source.randint(least, most)

    def one_in(self, n: int) -> bool:
        """True once in n times."""
        return self.source.randrange(n) == 0

    def small(self) -> float:
        """A number that is exact in binary, and small enough that no model explodes soon."""
        return self.between(-8, 8) / 4.0

    def array(self, *shape: int) -> Any:
        """An array of such numbers."""
        return np.reshape([self.small() for _ in range(int(np.prod(shape)))], shape)


# ----------------------------------------------------------------------------------------------------- functions of nodes


@node_function(outputs=("total", "spread"))
def summarise(first: Value, second: Value, *, weight: Value = 0.5) -> Value:
    """Two inputs, two outputs: a weighted sum and the range of the first."""
    return weight * np.sum(first) + np.sum(second), np.max(first) - np.min(first)


@node_function(outputs=("value", "count"))
def counter(variable: Value, *, step: Value = 1.0, limit: Value = 3.0, count: State = 0.0) -> Step:
    """Counts its executions and finishes at every multiple of the limit."""
    following = count + step
    done = following >= limit
    return Step(outputs=(variable * following, following), states=(0.0 if done else following,), finished=done)


def noisy_walk(variable: Value, *, noise: Value = 0.5, position: State = 0.0, random: Random) -> Step:
    """A random walk that finishes once it has left the unit interval; draws normals and, now and then, a uniform."""
    value = 0.5 * position + variable + noise * random.normal(variable.shape)
    if value[0] > 0.75:
        value = value - random.uniform()
    return Step(outputs=(value,), states=(value,), finished=abs(value[0]) > 1.0)


def pick(variable: Value, *, bonus: Value = 0.25, random: Random) -> Value:
    """One element, drawn by number, is raised."""
    chosen = random.integer(variable.size)
    result = variable * 0.5
    result[chosen] = result[chosen] + bonus
    return result


def squash(variable: Value, *, gain: Value = 1.0) -> Value:
    """Elementary functions that the library does not need."""
    return np.tanh(gain * variable) + 0.5 * np.sin(variable) - np.log(1.5 + np.cos(gain * variable))


def lagged(variable: Value, *, rate: Value = 0.5, trace: State = 0.0) -> Step:
    """What a projection may do: follow its sender slowly."""
    value = trace + rate * (variable - trace)
    return Step(outputs=(value,), states=(value,))


@node_function(outputs=("value", "place", "above"))
def extremes(variable: Value, *, shift: Value = 0.25) -> Value:
    """A number, the index of the largest element, and which elements are above zero: ports of whole numbers and of truth values."""
    return np.max(variable) + shift, np.argmax(variable), variable > 0.0


@node_function(outputs=("value", "tally", "large"))
def tally(variable: Value, *, step: Value = 0.5, count: State = 0, odd: State = False) -> Step:
    """Whole numbers and a truth value as states, and an output beyond 2**53, where floats have no odd numbers."""
    following = count * 3 + (1 if variable[0] > 0.0 else -2)
    following = following % 1000003
    ports = step * variable + (0.5 if odd else 0.0), following, following * 9007199254740993
    return Step(outputs=ports, states=(following, not odd), finished=following % 3 == 1)


def vectors(variable: Value, *, weights: Value = 0.5, average: State = 0.25) -> Step:
    """A parameter and a state that can be arrays."""
    value = average + weights * (variable - average)
    return Step(outputs=(value,), states=(value,))


def branching(variable: Value, *, limit: Value = 1.0, steps: State = 0.0, random: Random) -> Step:
    """Loops and branches that depend on data, with draws in them."""
    value = variable.copy()
    rounds = 0
    while np.max(np.abs(value)) > limit and rounds < 6:
        value = value * 0.5
        value[rounds % variable.size] += 0.25 * random.normal()
        rounds += 1
    if rounds > 2:
        value = -value
    return Step(outputs=(value,), states=(steps + rounds,), finished=rounds % 2 == 0)


def several_draws(variable: Value, *, mean: Value = 1.5, total: State = 0.0, random: Random) -> Step:
    """Draws from all distributions, with parameters that depend on data, as numbers and as arrays; choices and permutations."""
    size = np.minimum(np.abs(np.nan_to_num(variable)), 8.0)  # parameters stay in their ranges, whatever comes in
    scale = 0.25 + np.minimum(np.abs(np.nan_to_num(mean)), 8.0)
    times = random.exponential(scale) + random.gamma(size + 0.5, 0.5)
    shares = random.beta(0.25 + size, scale) - random.truncated_normal(-scale, 1.0 + scale)
    counts = random.poisson(size + scale) + random.binomial(int(scale * 8.0), 1.0 / (1.0 + size))
    order = random.permutation(variable.size)
    value = times + shares + 0.125 * counts + random.lognormal(0.0, 0.5, variable.shape)
    if value[0] > 3.0:
        value[random.categorical([0.25, 0.5, 0.25]) % variable.size] = random.geometric(1.0 / (1.0 + scale))
        value = value[order] - 0.5 * random.choice(value)
    following = 0.5 * total + value[0]
    return Step(outputs=(0.25 * value,), states=(following,), finished=following > 4.0)


@cache
def pooled(shape: Shape) -> Callable[..., Any]:
    """The function of a projection to a receiver of this shape: everywhere the sum of the sender's elements, scaled."""
    if not shape:

        def pool(variable: Value, *, rate: Value = 0.5) -> Value:
            return rate * np.sum(variable)
    else:

        def pool(variable: Value, *, rate: Value = 0.5) -> Value:
            return rate * np.sum(variable) * np.ones(shape)

    return pool


# ------------------------------------------------------------------------------------------------------------ kinds


@dataclass(frozen=True)
class Kind:
    """
    A function to make nodes of: its parameter that other things act on, what it draws or says, the ranks that it takes.

    `state` is one of its states that may start from another number than its default.
    """

    function: Callable[..., Any] | None
    parameter: str | None = None
    draws: bool = False
    distributions: bool = False
    """True if it draws from distributions other than the normal and the uniform one."""
    finishes: bool = False
    inputs: int = 1
    any_rank: bool = False
    state: str | None = None
    arrays: bool = False
    """True if `parameter` and `state` may be vectors."""

    @property
    def name(self) -> str:
        """What the distribution calls it."""
        return self.function.__name__ if self.function else "identity"


KINDS = (
    Kind(None, any_rank=True),
    Kind(library.linear, "slope", any_rank=True),
    Kind(library.logistic, "gain", any_rank=True),
    Kind(library.tanh, "gain"),
    Kind(library.relu, "leak"),
    Kind(library.softmax, "gain"),
    Kind(library.psyneulink.one_hot),
    Kind(library.psyneulink.integrated_linear, "integration_rate", any_rank=True, state="previous_value"),
    Kind(library.psyneulink.integrated_logistic, "integration_rate", state="previous_value"),
    Kind(library.psyneulink.simple_integrator, "rate", any_rank=True, state="previous_value"),
    Kind(library.psyneulink.leaky_competing_integrator, "time_step_size", state="previous_value"),
    Kind(summarise, "weight", inputs=2, any_rank=True),
    Kind(counter, "step", finishes=True, any_rank=True, state="count"),
    Kind(noisy_walk, "noise", draws=True, finishes=True, state="position"),
    Kind(library.drift_diffusion_integrator, "noise", draws=True, finishes=True, state="previous_time"),
    Kind(library.psyneulink.gaussian_distort, "variance", draws=True, any_rank=True),
    Kind(library.uniform_dist, "high", draws=True),
    Kind(pick, "bonus", draws=True),
    Kind(squash, "gain", any_rank=True),
)

WIDE_KINDS = (
    *KINDS,
    Kind(extremes, "shift"),
    Kind(tally, "step", finishes=True),
    Kind(vectors, "weights", state="average", arrays=True),
    Kind(branching, "limit", draws=True, finishes=True, state="steps"),
    Kind(library.psyneulink.adaptive_integrator, "rate", any_rank=True, state="previous_value", arrays=True),
    Kind(library.psyneulink.dual_adaptive_integrator, "short_term_rate", any_rank=True, state="previous_long_term_avg"),
    Kind(library.psyneulink.interactive_activation_integrator, "rate", any_rank=True, state="previous_value"),
    Kind(library.psyneulink.ornstein_uhlenbeck_integrator, "noise", draws=True, state="previous_value"),
    Kind(library.psyneulink.gaussian, "bias", any_rank=True),
    Kind(library.exponential_dist, "beta", draws=True),
    Kind(library.gamma_dist, "scale", draws=True),
    Kind(library.psyneulink.softmax_probability, "gain", draws=True),
    Kind(library.psyneulink.dropout, draws=True),
    Kind(library.normalize, any_rank=True),
    Kind(several_draws, "mean", draws=True, distributions=True, finishes=True, state="total"),
)
"""More kinds: `WIDE_KINDS` are for `wide_model`; `random_model` keeps to `KINDS`, so that its models stay what they were."""

Members = list[tuple[Member, Kind]]


def random_node(choices: Choices, model: cogir.Model, name: str, kind: Kind, shape: Shape) -> tuple[Member, Kind]:
    """A node of this kind and shape, with random options."""
    tags = choices.tags
    options: dict[str, Any] = {"input": [shape] * kind.inputs if kind.inputs > 1 else shape}
    if kind.draws:
        tags["draws"] += 1
        tags["distributions"] += kind.distributions
        options["prng"] = choices.of(["mt19937", "philox4x64", "xoshiro256"])
        if not choices.one_in(4):
            options["seed"] = choices.between(0, 1000)
    if kind.finishes and choices.one_in(2):
        tags["until finished"] += 1
        options |= {"execute_until_finished": True, "max_executions_before_finished": choices.between(1, 9)}
    ranges = signature_of(kind.function).ranges if kind.function else {}
    if kind.parameter and choices.one_in(2):
        options[kind.parameter] = fitting(ranges.get(kind.parameter), choices.small())
    if kind.state and choices.one_in(3):
        options[kind.state] = choices.small()
        tags["start of a state"] += 1
    if kind.arrays and len(shape) == 1 and choices.one_in(2):
        options |= {name: fitting(ranges.get(name), choices.array(*shape)) for name in (kind.parameter, kind.state) if name}
        tags["array as parameter"] += 1
    if choices.one_in(4):
        options["combine"] = "product"
        tags["combine product"] += 1
    tags[kind.name] += 1
    tags["rank 0 or 2"] += len(shape) != 1
    if kind.function is None and choices.one_in(3):
        options["initial"] = {"value": choices.small()}
        tags["initial value"] += 1
    return model.node(name, kind.function, **options), kind


def fitting(allowed: Between | None, number: Any) -> Any:
    """A number, or an array, as it is where the range allows it, else its magnitude, or a half."""
    if allowed is None or allowed.holds(number):
        return number
    return abs(number) if allowed.holds(abs(number)) else 0.5 * np.ones_like(number)


def random_shape(choices: Choices, kind: Kind) -> Shape:
    """A shape that the kind takes."""
    shapes: list[Shape] = [(1,), (2,), (3,)]
    if kind.any_rank:
        shapes += [(2, 2), (1, 3)]
    if kind.any_rank and not kind.draws:
        shapes.append(())  # a number has no shape that a function could draw by
    return choices.of(shapes)


def parameters(nodes: Members) -> list[tuple[Member, str]]:
    """The parameters of nodes (and those seen inside of instances) that something may act on."""
    return [(node, kind.parameter) for node, kind in nodes if kind.parameter]


def numbers(nodes: Members) -> list[tuple[Member, str]]:
    """The output ports that hold a single float."""
    return [(node, out) for node, _ in nodes for out, type_ in node.outputs.items() if type_.size == 1 and type_.dtype == "float64"]
