"""
Random networks, and what they do, in plain NumPy: a re-implementation that shares nothing with cogir.

`random_network(Random(7))` makes the same network each time; `Simulation(network).run(inputs, trials)` gives the values of all nodes after
each trial. `support.random.built_networks` builds the same network in cogir. Nothing is imported here but NumPy, and everything is
written from what docs/running.md, docs/language.md and docs/numbers.md say: layers, passes and time steps, values that are frozen within
a time step, default conditions, resets, repetitions until a node has finished, modulation, generators that are NumPy's own.

Numbers stay moderate: weights shrink with the number of senders and functions with a steep slope are left out, so that rounding is not
amplified and `1e-12` of the largest value of a node is a fair bound.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float64]
Numbers = dict[str, Any]
"""Parameters by name: floats, or vectors as long as the node."""


# ------------------------------------------------------------------------------------------------------------- what a network is


@dataclass
class Unit:
    """A node: a vector of `size` numbers, and the function that it applies."""

    name: str
    kind: str
    size: int
    numbers: Numbers = field(default_factory=dict[str, Any])
    product: bool = False
    """True if what arrives is multiplied."""
    initial: float = 0.0
    is_input: bool = False
    limit: int | None = None
    """Repeats until it has finished, at most this many times in one execution; None: once."""
    resets: bool = False
    """True if it is reset at the start of each trial."""
    condition: tuple[str, Any, int] = ("default", None, 0)
    """When it runs: "default", "every" n executions of a node, "at pass" n, "every pass" (n), or "after trial" n."""
    generator: tuple[str, int] | None = None
    """The kind of its generator, "mt19937" or "philox4x64", and its seed."""


@dataclass
class Link:
    """A projection by a matrix: rows for the elements of the sender."""

    source: str
    target: str
    matrix: Vector
    recurrent: bool = False
    """True if the node hears itself in each repetition."""
    feedback: bool = False


@dataclass
class Influence:
    """A node of one element that multiplies, adds to, or overrides a parameter of another one."""

    source: str
    target: str
    parameter: str
    how: str


@dataclass
class Network:
    """A network and how a trial of it ends: ("default",), ("passes", n) or ("finished", node, most passes)."""

    units: list[Unit]
    links: list[Link]
    influences: list[Influence]
    ending: tuple[Any, ...]

    def unit(self, name: str) -> Unit:
        """The unit of this name."""
        return next(unit for unit in self.units if unit.name == name)

    @property
    def is_recurrent(self) -> bool:
        """True if a value reaches a node that it depends on."""
        position = {unit.name: place for place, unit in enumerate(self.units)}
        return any(position[link.source] >= position[link.target] for link in self.links)


# ------------------------------------------------------------------------------------------------------------- functions

Function = Callable[[Vector, Numbers, dict[str, Any], Any], Vector]
"""From the variable, parameters, states (which it changes) and a generator to the value."""


def _logistic(x: Vector, p: Numbers, s: Numbers, r: Any) -> Vector:
    return 1.0 / (1.0 + np.exp(-p["gain"] * (x + p["bias"])))


def _tanh(x: Vector, p: Numbers, s: Numbers, r: Any) -> Vector:
    return np.tanh(p["gain"] * (x + p["bias"]))


def _relu(x: Vector, p: Numbers, s: Numbers, r: Any) -> Vector:
    x = p["gain"] * (x - p["bias"])
    return np.where(x > 0.0, x, p["leak"] * x)


def _softmax(x: Vector, p: Numbers, s: Numbers, r: Any) -> Vector:
    shifted = np.exp(p["gain"] * x - np.max(p["gain"] * x))
    return shifted / shifted.sum()


def _gaussian(x: Vector, p: Numbers, s: Numbers, r: Any) -> Vector:
    width = p["standard_deviation"]
    return np.exp(-((x - p["bias"]) ** 2) / (2.0 * width**2)) / np.sqrt(2.0 * np.pi * width)


def _integrate(x: Vector, p: Numbers, s: Numbers, r: Any) -> Vector:
    s["previous_value"] = s["previous_value"] + p["rate"] * x + p["offset"]
    return s["previous_value"]


def _average(x: Vector, p: Numbers, s: Numbers, r: Any) -> Vector:
    s["previous_value"] = s["previous_value"] + p["rate"] * (x - s["previous_value"]) + p["offset"]
    return s["previous_value"]


def _leaky(x: Vector, p: Numbers, s: Numbers, r: Any) -> Vector:
    s["previous_value"] = s["previous_value"] + p["time_step_size"] * (x - p["rate"] * s["previous_value"])
    return s["previous_value"]


def _smoothed(x: Vector, p: Numbers, s: Numbers, r: Any) -> Vector:
    s["previous_value"] = s["previous_value"] + p["integration_rate"] * (x - s["previous_value"])
    return 1.0 / (1.0 + np.exp(-p["gain"] * (s["previous_value"] + p["bias"])))


def _settle(x: Vector, p: Numbers, s: Numbers, r: Any) -> Vector:
    s["level"] = s["level"] + p["rate"] * (x - 0.5 * s["level"])
    s["finished"] = bool(np.max(np.abs(s["level"])) >= p["threshold"])
    return s["level"]


def _distort(x: Vector, p: Numbers, s: Numbers, r: Any) -> Vector:
    return x + p["bias"] + p["variance"] * r.standard_normal(x.shape)


def _drift(x: Vector, p: Numbers, s: Numbers, r: Any) -> Vector:
    step = p["time_step_size"]
    moved = s["previous_value"] + p["rate"] * x * step + p["noise"] * np.sqrt(step) * r.standard_normal(x.shape)
    s["previous_value"] = np.clip(moved, -p["threshold"], p["threshold"])
    s["finished"] = bool(abs(s["previous_value"][0]) >= p["threshold"])
    return s["previous_value"]


@dataclass(frozen=True)
class Kind:
    """A function, ranges of its parameters, its state, and what it does beside giving a value."""

    function: Function
    ranges: dict[str, tuple[float, float]] = field(default_factory=dict[str, tuple[float, float]])
    state: str | None = None
    finishes: bool = False
    draws: bool = False


KINDS: dict[str, Kind] = {
    "identity": Kind(lambda x, p, s, r: x),
    "linear": Kind(lambda x, p, s, r: x * p["slope"] + p["intercept"], {"slope": (-1.0, 1.0), "intercept": (-0.5, 0.5)}),
    "logistic": Kind(_logistic, {"gain": (0.5, 2.0), "bias": (-0.5, 0.5)}),
    "tanh": Kind(_tanh, {"gain": (0.5, 1.5), "bias": (-0.5, 0.5)}),
    "relu": Kind(_relu, {"gain": (0.5, 1.0), "bias": (-0.5, 0.5), "leak": (0.0, 0.3)}),
    "softmax": Kind(_softmax, {"gain": (0.5, 2.0)}),
    "gaussian": Kind(_gaussian, {"standard_deviation": (0.5, 2.0), "bias": (-0.5, 0.5)}),
    "simple_integrator": Kind(_integrate, {"rate": (-1.0, 1.0), "offset": (-0.2, 0.2)}, "previous_value"),
    "adaptive_integrator": Kind(_average, {"rate": (0.1, 0.9), "offset": (-0.2, 0.2)}, "previous_value"),
    "leaky_competing_integrator": Kind(_leaky, {"rate": (0.1, 1.0), "time_step_size": (0.1, 0.5)}, "previous_value"),
    "integrated_logistic": Kind(_smoothed, {"integration_rate": (0.1, 0.9), "gain": (0.5, 2.0), "bias": (-0.5, 0.5)}, "previous_value"),
    "settle": Kind(_settle, {"rate": (0.2, 0.6), "threshold": (0.3, 1.2)}, "level", finishes=True),
    "gaussian_distort": Kind(_distort, {"variance": (0.0, 0.5), "bias": (-0.5, 0.5)}, draws=True),
    "drift_diffusion_integrator": Kind(
        _drift,
        {"rate": (0.2, 1.0), "noise": (0.1, 1.0), "threshold": (0.3, 1.0), "time_step_size": (0.05, 0.2)},
        "previous_value",
        finishes=True,
        draws=True,
    ),
}
"""By the names that cogir's library has for them; `settle` is a function of a user's own."""

SINGLE = {"threshold", "time_step_size", "noise", "leak", "standard_deviation"}
"""Parameters that are always one number; the others may be vectors. `gain` of a softmax is one number, too."""
PLAIN = [name for name, kind in KINDS.items() if not kind.draws]
NOISY = [name for name, kind in KINDS.items() if kind.draws]


# ------------------------------------------------------------------------------------------------------------- simulation


class Simulation:
    """
    A network that runs. Values, states, generators and counts go on from run to run.

    `key`: where generator `g`, counted over the noisy nodes in their order, starts from (seed, g, replicate) instead of its own seed.
    """

    def __init__(self, network: Network, key: tuple[int, int] | None = None):
        self.network = network
        self.values = {unit.name: np.full(unit.size, unit.initial) for unit in network.units}
        self.states = {unit.name: _states(unit) for unit in network.units}
        noisy = [unit for unit in network.units if unit.generator]
        self.generators = {unit.name: _generator(unit, None if key is None else [key[0], g, key[1]]) for g, unit in enumerate(noisy)}
        self.senders = _senders(network)
        self.layers = _layers(self.senders)
        self.since: dict[tuple[str, str], int] = {}
        """How often `node` has run in this trial since `owner` ran last."""

    def run(self, inputs: dict[str, Vector], trials: int) -> dict[str, Vector]:
        """The values of all nodes after each of these trials, (trials, size)."""
        seen: dict[str, list[Vector]] = {name: [] for name in self.values}
        for trial in range(trials):
            self._trial({name: rows[trial % len(rows)] for name, rows in inputs.items()}, trial)
            for name, value in self.values.items():
                seen[name].append(value.copy())
        return {name: np.array(rows) for name, rows in seen.items()}

    def _trial(self, inputs: dict[str, Vector], trial: int) -> None:
        for unit in self.network.units:
            if unit.resets:
                self.values[unit.name] = np.full(unit.size, unit.initial)
                self.states[unit.name] = _states(unit)
        ran = dict.fromkeys(self.values, False)
        self.since = {(node, owner): 0 for node in self.values for owner in self.values}
        passes = 0
        while True:
            for layer in self.layers:
                if self._has_ended(ran, passes):
                    return
                due = [name for name in layer if self._is_due(self.network.unit(name), passes, trial)]
                frozen = dict(self.values)
                self.values |= {name: self._execute(self.network.unit(name), frozen, inputs) for name in due}
                for name in due:
                    ran[name] = True
                    for other in self.values:
                        self.since[other, name] = 0
                for name in due:
                    for other in self.values:
                        self.since[name, other] += 1
            passes += 1

    def _has_ended(self, ran: dict[str, bool], passes: int) -> bool:
        match self.network.ending:
            case ("passes", n):
                return passes >= n
            case ("finished", node, most):
                return self.states[node]["finished"] or passes >= most
            case _:
                return all(ran.values())

    def _is_due(self, unit: Unit, passes: int, trial: int) -> bool:
        match unit.condition:
            case ("every", node, n):
                return self.since[node, unit.name] >= n
            case ("at pass", _, n):
                return passes == n
            case ("every pass", _, n):
                return passes % n == 0
            case ("after trial", _, n):
                return trial > n
            case _:
                return all(self.since[node, unit.name] >= 1 for node in self.senders[unit.name])

    def _execute(self, unit: Unit, frozen: dict[str, Vector], inputs: dict[str, Vector]) -> Vector:
        """One execution, in which other nodes have the values from before the time step."""
        numbers = self._numbers(unit, frozen)
        value = frozen[unit.name]
        states = self.states[unit.name]
        links = [link for link in self.network.links if link.target == unit.name]
        for _ in range(unit.limit or 1):
            arriving = [(value if link.recurrent else frozen[link.source]) @ link.matrix for link in links]
            if unit.is_input:
                arriving.append(inputs[unit.name])
            variable = np.prod(arriving, axis=0) if unit.product else np.sum(arriving, axis=0)
            value = KINDS[unit.kind].function(variable, numbers, states, self.generators.get(unit.name))
            if unit.limit is None or states["finished"]:
                break
        return value

    def _numbers(self, unit: Unit, frozen: dict[str, Vector]) -> Numbers:
        """The parameters, modulated by the values from before the time step."""
        numbers = dict(unit.numbers)
        acting = [each for each in self.network.influences if each.target == unit.name]
        for each in sorted(acting, key=lambda each: ["override", "multiply", "add"].index(each.how)):
            by, own = frozen[each.source][0], numbers[each.parameter]
            numbers[each.parameter] = by if each.how == "override" else own * by if each.how == "multiply" else own + by
        return numbers


def _states(unit: Unit) -> Numbers:
    kind = KINDS[unit.kind]
    states: Numbers = {"finished": not kind.finishes}
    if kind.state is not None:
        states[kind.state] = np.zeros(unit.size) + unit.numbers.get(kind.state, 0.0)
    return states


def _generator(unit: Unit, key: list[int] | None) -> Any:
    """NumPy's generator of this kind, from its own seed or from a key."""
    assert unit.generator is not None
    kind, seed = unit.generator
    words = [seed] if key is None else key
    return np.random.RandomState(words) if kind == "mt19937" else np.random.Generator(np.random.Philox(words))


def _direct(network: Network) -> dict[str, set[str]]:
    """The nodes whose values each node takes from the same pass."""
    senders: dict[str, set[str]] = {unit.name: set() for unit in network.units}
    for link in network.links:
        if not link.feedback and link.source != link.target:
            senders[link.target].add(link.source)
    for influence in network.influences:
        senders[influence.target].add(influence.source)
    return senders


def _senders(network: Network) -> dict[str, set[str]]:
    """The nodes that each node waits for. Those that wait for each other wait together for what any of them waits for."""
    senders = _direct(network)
    reached = _reached(senders)
    rings = {name: {other for other in before if name in reached[other]} | {name} for name, before in reached.items()}
    return {name: {sender for member in ring for sender in senders[member]} - ring for name, ring in rings.items()}


def _reached(senders: dict[str, set[str]]) -> dict[str, set[str]]:
    """The nodes that each node depends on, directly or not."""
    reached = {name: set(direct) for name, direct in senders.items()}
    for middle in senders:
        for before in reached.values():
            if middle in before:
                before |= reached[middle]
    return reached


def _layers(senders: dict[str, set[str]]) -> list[list[str]]:
    """Each node in the first layer after all that it waits for."""
    layers: list[list[str]] = []
    placed: set[str] = set()
    while len(placed) < len(senders):
        layer = [name for name, before in senders.items() if name not in placed and before <= placed]
        layers.append(layer)
        placed |= set(layer)
    return layers


# ------------------------------------------------------------------------------------------------------------- random networks


def random_network(source: Random, noise: bool = False) -> Network:
    """Two to eight nodes of one to twelve elements; feed-forward, or recurrent in any of the ways there are. `noise`: with generators."""
    units = [_random_unit(source, f"n{place}", noise and (place == 0 or source.random() < 0.3)) for place in range(source.randint(2, 8))]
    for unit in units[: source.randint(1, 2)]:
        unit.is_input = True
    links = _random_links(source, units, recurrent=source.random() < 0.6)
    influences = _random_influences(source, units, links)
    network = Network(units, links, influences, ("default",))
    _random_schedule(source, network)
    return network


def random_inputs(source: Random, network: Network) -> dict[str, Vector]:
    """One to three rows for each input node."""
    rows = source.randint(1, 3)
    return {unit.name: _normal(source, rows, unit.size) for unit in network.units if unit.is_input}


def _normal(source: Random, *shape: int) -> Vector:
    return np.reshape([source.gauss(0.0, 1.0) for _ in range(int(np.prod(shape)))], shape)


def _random_unit(source: Random, name: str, draws: bool) -> Unit:
    kind_name = source.choice(NOISY if draws else PLAIN)
    kind = KINDS[kind_name]
    unit = Unit(name, kind_name, source.choice([1, 1, 2, 3, 4, 5, 8, 12]))
    for parameter, (low, high) in kind.ranges.items():
        is_single = parameter in SINGLE or (kind_name, parameter) == ("softmax", "gain") or source.random() < 0.7
        drawn = [source.uniform(low, high) for _ in range(1 if is_single else unit.size)]
        unit.numbers[parameter] = drawn[0] if is_single else np.array(drawn)
    if kind.state is not None and source.random() < 0.3:
        unit.numbers[kind.state] = source.uniform(-0.2, 0.2)
    unit.product = source.random() < 0.15
    unit.initial = source.choice([0.0, 0.0, source.uniform(-0.5, 0.5)])
    unit.resets = source.random() < 0.3
    if kind.finishes and source.random() < 0.6:
        unit.limit = source.randint(1, 30)
    if kind.draws:
        unit.generator = source.choice(["mt19937", "philox4x64"]), source.randint(0, 2**31)
    return unit


def _random_links(source: Random, units: list[Unit], recurrent: bool) -> list[Link]:
    """A way from the inputs to every node, some more, and, if `recurrent`, some backwards: delayed, in step, and as feedback."""
    pairs = [(source.randrange(place), place, False, False) for place, unit in enumerate(units) if place and not unit.is_input]
    forward = [(i, j, False, False) for i in range(len(units)) for j in range(i + 1, len(units)) if source.random() < 0.25]
    backward: list[tuple[int, int, bool, bool]] = []
    for _ in range(source.randint(1, 3) if recurrent else 0):
        j = source.randrange(len(units))
        i = j if source.random() < 0.3 else source.randrange(j, len(units))
        backward.append((i, j, i == j and source.random() < 0.6, i != j and source.random() < 0.5))
    chosen = {(i, j): (again, back) for i, j, again, back in [*pairs, *forward, *backward]}
    share = {j: sum(target == j for _, target in chosen) for _, j in chosen}
    return [
        Link(units[i].name, units[j].name, _normal(source, units[i].size, units[j].size) / (share[j] * np.sqrt(units[i].size)), again, back)
        for (i, j), (again, back) in chosen.items()
    ]


def _random_influences(source: Random, units: list[Unit], links: list[Link]) -> list[Influence]:
    """At most two nodes of one element that act on a parameter of a node that does not depend on them in a circle."""
    found: list[Influence] = []
    for _ in range(source.randint(0, 2)):
        senders = _reached(_direct(Network(units, links, found, ("default",))))
        pairs = [
            (sender.name, target.name, parameter)
            for sender in units
            for target in units
            if sender.size == 1 and target.name not in senders[sender.name] | {sender.name}
            for parameter, number in target.numbers.items()
            if isinstance(number, float) and parameter not in SINGLE and parameter != KINDS[target.kind].state
        ]
        if not pairs:
            break
        sender, target, parameter = source.choice(pairs)
        if (target, parameter) not in [(each.target, each.parameter) for each in found]:
            found.append(Influence(sender, target, parameter, source.choice(["multiply", "add", "override"])))
    return found


def _random_schedule(source: Random, network: Network) -> None:
    """Conditions of some nodes, and how a trial ends; where a condition may keep a node from running, trials end by passes."""
    senders = _senders(network)
    for unit in network.units:
        earlier = [name for name, before in _reached(senders).items() if name in _reached(senders)[unit.name] and unit.name not in before]
        if source.random() < 0.25:
            kind = source.choice(["at pass", "every pass", "after trial", *(["every"] * 2 if earlier else [])])
            least = {"at pass": 0, "after trial": 0}.get(kind, 1)
            unit.condition = kind, source.choice(earlier) if kind == "every" else None, source.randint(least, least + 2)
    finishing = [unit for unit in network.units if KINDS[unit.kind].finishes and unit.resets]
    if finishing and source.random() < 0.6:
        network.ending = ("finished", source.choice(finishing).name, source.randint(2, 12))
    elif any(unit.condition[0] != "default" for unit in network.units) or source.random() < 0.4:
        network.ending = ("passes", source.randint(1, 5))
