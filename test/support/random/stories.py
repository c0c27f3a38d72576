"""
Random stories of what a user does with one compiled model: runs, replicates, sweeps, fits, learning; contexts that are made, copied,
pickled and reset; parameters, states and generators that are set; looks at everything; threads, executors, stores, files, other processes.

Each act that gives numbers is done again by a fresh model that has lived through nothing but the acts on which these numbers depend
(`lineage`), in the plainest way there is. Some replicates and points are done as single runs, too (`one_by_one`).
"""

import pickle
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random as Source
from typing import Any

import numpy as np

import cogir
from cogir import library
from cogir.library import Random, State, Step, Value

Numbers = dict[str, bytes]
"""The bits of what an act gave."""


# The models.


def drifting(x: Value, *, gain: float = 0.5, level: State = np.zeros(2), random: Random) -> Step:
    """A leaky sum with noise that goes on from trial to trial."""
    level = 0.75 * level + gain * x + 0.25 * random.normal(2)
    return Step(outputs=(level,), states=(level,))


def bandit(
    reward: Value, *, rate: float = 0.25, temperature: float = 0.5, values: State = np.zeros(2), chosen: State = 0.0, random: Random
) -> Step:
    """Learns the values of two arms and draws one of them: what a trial gives depends on all trials before it."""
    first = values[0] + rate * (reward[0] - values[0]) if chosen == 0.0 else values[0]
    second = values[1] + rate * (reward[1] - values[1]) if chosen != 0.0 else values[1]
    better = 1.0 / (1.0 + np.exp((second - first) / temperature))
    chosen = 0.0 if random.uniform() < better else 1.0
    values = np.array([first, second])
    return Step(outputs=(np.array([first, second, chosen]),), states=(values, chosen))


def decision(seed: int, *, reset: bool = True, prng: str = "xoshiro256") -> cogir.Model:
    """Drift diffusion after a linear node."""
    model = cogir.Model("decision", seed=seed, prng=prng)
    stimulus = model.node("stimulus", library.linear, input=1, slope=1.0)
    ddm = model.node(
        "ddm",
        library.drift_diffusion_integrator,
        noise=1.0,
        threshold=0.75,
        time_step_size=0.0625,
        execute_until_finished=reset,
        reset_each_trial=reset,
    )
    model.project(stimulus, ddm)
    return model


def levels(seed: int) -> cogir.Model:
    """Two nodes whose states go on from trial to trial, each with a generator, one of NumPy's; one runs every second time."""
    model = cogir.Model("levels", seed=seed)
    first = model.node("first", drifting, input=2)
    second = model.node("second", drifting, input=2, prng="mt19937")
    model.project(first, second)
    model.schedule.when(second, cogir.EveryNCalls(first, 2))
    model.output(first)
    model.output(second)
    return model


def arms(seed: int) -> cogir.Model:
    """An agent that learns by itself, with a node that has a seed of its own."""
    model = cogir.Model("arms", seed=seed)
    rewards = model.node("rewards", input=2)
    noise = model.node("noise", drifting, input=2, seed=3, gain=0.0)
    agent = model.node("agent", bandit, input=2)
    model.project(rewards, noise)
    model.project(rewards, agent)
    model.output(noise)
    model.output(agent)
    return model


def placed(seed: int) -> cogir.Model:
    """A model with generators, placed twice in another one, and a node of its own."""
    inner = decision(seed + 1)
    model = cogir.Model("placed", seed=seed)
    cue = model.node("cue", input=1)
    left, right = model.instance("left", inner), model.instance("right", inner)
    after = model.node("after", drifting, input=2)
    model.project(cue, left)
    model.project(cue, right)
    model.project(left, after, matrix=[[1.0, 0.0]])
    model.project(right, after, matrix=[[0.0, 1.0]])
    model.output(after)
    return model


def controlled(seed: int) -> cogir.Model:
    """A controller whose simulations draw; equally good allocations are drawn, too."""
    model = cogir.Model("controlled", seed=seed)
    prey = model.node("prey", library.psyneulink.gaussian_distort, variance=1.0)
    error = model.node("error", library.linear)
    model.project(prey, error)
    signal = cogir.Signal(prey.param("variance"), levels=[0.0, 0.5, 1.0], cost=lambda x: 0.125 * x)
    model.control("attention", objective=error, signals=[signal], estimates=2, ties="random")
    model.output(prey)
    model.output(error)
    return model


def network(seed: int, dtype: str = "float64") -> cogir.Model:
    """A network that learns two matrices by backpropagation."""
    weights = np.random.default_rng(seed)
    model = cogir.Model("network", seed=seed, dtype=dtype)
    stimulus, target = model.node("stimulus", input=2), model.node("target", input=1)
    hidden = model.node("hidden", library.logistic, input=3)
    output = model.node("output", library.logistic, input=1)
    model.project(stimulus, hidden, matrix=weights.normal(size=(2, 3)))
    model.project(hidden, output, matrix=weights.normal(size=(3, 1)))
    model.output(output)
    model.learning([(output, target)], library.adam, rate=0.0625)
    return model


def wandering(x: float, *, gain: float = 0.5, level: State = 1.0, random: Random) -> Step:
    """A leaky sum of a single number with noise."""
    level = 0.75 * level + gain * x + 0.25 * random.normal()
    return Step(outputs=(level,), states=(level,))


def modulated(seed: int) -> cogir.Model:
    """A node whose value multiplies the slope of one that runs after it, whose value goes back to it in the next trial."""
    model = cogir.Model("modulated", seed=seed)
    control = model.node("control", wandering, input=())
    task = model.node("task", library.linear, input=2, slope=1.0)
    model.modulate(control, task.param("slope"))
    model.project(task, control, matrix=[[0.25], [0.25]], feedback=True)
    model.input(task)
    model.output(control)
    model.output(task)
    return model


@dataclass(frozen=True)
class Recipe:
    """A kind of model: how it is built from a seed, which numbers it takes, and what can be done with it."""

    build: Callable[[int], cogir.Model]
    inputs: Mapping[str, int]
    """Names of inputs, and how many elements each has."""
    parameters: Mapping[str, tuple[float, ...]]
    states: tuple[tuple[str, Any], ...] = ()
    """States that may be set, and what to."""
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    learns: bool = False
    fits: bool = False

    @property
    def is_native(self) -> bool:
        """True in native modes, whose contexts can be pickled and whose sweeps can be handed to executors."""
        return self.options.get("mode") not in ("python", "per_node")


RECIPES: dict[str, Recipe] = {
    "decision": Recipe(decision, {"stimulus": 1}, {"ddm/threshold": (0.5, 1.0), "stimulus/slope": (0.5, 2.0)}, fits=True),
    "going on": Recipe(
        lambda seed: decision(seed, reset=False),
        {"stimulus": 1},
        {"ddm/threshold": (0.5, 1.0), "ddm/initial:state:previous_time": (0.0, 2.0)},
        (("ddm/previous_value", [0.25]), ("ddm/previous_time", 1.5)),
    ),
    "decision of NumPy": Recipe(lambda seed: decision(seed, prng="philox"), {"stimulus": 1}, {"ddm/threshold": (0.5, 1.0)}),
    "network of float32": Recipe(
        lambda seed: network(seed, "float32"), {"stimulus": 2, "target": 1}, {"hidden/gain": (0.5, 2.0)}, learns=True
    ),
    "levels": Recipe(
        levels,
        {"first": 2},
        {"first/gain": (0.25, 1.0), "second/gain": (0.5, 2.0)},
        (("first/level", [0.5, -0.5]), ("second/level", [1.0, 2.0])),
    ),
    "levels in Python": Recipe(levels, {"first": 2}, {"first/gain": (0.25, 1.0)}, (("first/level", [0.5, -0.5]),), {"mode": "python"}),
    "levels by node": Recipe(levels, {"first": 2}, {"second/gain": (0.25, 1.0)}, (("first/level", [0.5, -0.5]),), {"mode": "per_node"}),
    "levels by trial": Recipe(levels, {"first": 2}, {"second/gain": (0.25, 1.0)}, (("second/level", [0.5, -0.5]),), {"mode": "exec"}),
    "arms": Recipe(
        arms, {"rewards": 2}, {"agent/rate": (0.125, 0.5), "agent/initial:state:chosen": (0.0, 8.0)}, (("agent/values", [0.5, 0.25]),)
    ),
    "placed": Recipe(
        placed,
        {"cue": 1},
        {"left/ddm/threshold": (0.5, 1.0), "after/gain": (0.25, 1.0)},
        (("after/level", [0.5, -0.5]),),
    ),
    "controlled": Recipe(controlled, {"prey": 1}, {"prey/variance": (0.5, 2.0), "error/slope": (1.0, 2.0)}),
    "network": Recipe(network, {"stimulus": 2, "target": 1}, {"hidden/gain": (0.5, 2.0)}, learns=True),
    "modulated": Recipe(modulated, {"task": 2}, {"control/gain": (0.25, 1.0)}, (("control/level", 0.5),)),
}


# Stories.


@dataclass(frozen=True)
class Act:
    """
    One thing that is done in a context: `what`, with these arguments. `way` is how, which must not matter: in threads, by an executor, in
    another process, from a file. `new` is the name of the context that it makes.
    """

    what: str
    context: str | None = None
    given: Mapping[str, Any] = field(default_factory=dict[str, Any])
    way: str = "plain"
    new: str | None = None

    def __str__(self) -> str:
        where = "the default context" if self.context is None else f"context {self.context!r}"
        given = ", ".join(f"{name}={value!r}" for name, value in self.given.items())
        return f"{self.what} in {where} ({self.way})" + (f" -> {self.new!r}" if self.new else "") + f": {given}"


@dataclass(frozen=True)
class Story:
    """A kind of model, its seed, and what is done with it."""

    recipe: str
    seed: int
    acts: tuple[Act, ...]

    def __str__(self) -> str:
        return "\n".join([f"{self.recipe}, seed {self.seed}", *(f"  {number}: {act}" for number, act in enumerate(self.acts))])


NUMBERS = ("run", "replicates", "sweep", "fit", "learn")
"""The acts that give numbers."""

CHANGING = ("run", "learn", "parameter", "state", "generator")
"""The acts that change where a context stands, beside a reset."""

MAKING = ("make", "copy", "pickle")
"""The acts that make a context; the first one makes it of the default context."""

LOOKS = ("state", "params", "generators", "repr", "html", "explain", "show", "ir", "pickled", "copied", "check", "context")

WAYS: dict[str, tuple[str, ...]] = {
    "run": ("plain", "plain", "thread", "elsewhere", "pickled", "saved"),
    "replicates": ("plain", "plain", "thread", "elsewhere", "pickled", "saved", "threads"),
    "sweep": ("plain", "plain", "thread", "pickled", "saved", "threads", "executor", "processes", "store", "store twice"),
    "fit": ("plain", "pickled", "thread"),
    "learn": ("plain", "thread", "pickled"),
}


def random_story(source: Source, tags: Counter[str], recipes: Sequence[str] = tuple(RECIPES)) -> Story:
    """Some six to sixteen acts with one model."""
    name = source.choice(recipes)
    recipe = RECIPES[name]
    contexts: list[str | None] = [None]
    acts: list[Act] = []

    def new() -> str:
        contexts.append(f"context {len(contexts)}")
        return str(contexts[-1])

    whats = ["run", "run", "run", "replicates", "replicates", "sweep", "sweep", "parameter", "look", "look", "look"]
    whats += ["reset", "make", "copy", "generator"] + ["state"] * bool(recipe.states) + ["pickle"] * recipe.is_native
    whats += ["learn"] * 4 * recipe.learns + ["fit"] * recipe.fits + ["specialise"] * (recipe.options.get("mode") is None)
    for _ in range(source.randint(6, 16)):
        what, context = source.choice(whats), source.choice(contexts)
        way = source.choice(WAYS.get(what, ("plain",)))
        given = _arguments(source, what, recipe, acts, context)
        if given is None:
            continue
        if what == "make":
            context = None
        acts.append(Act(what, context, given, way, new() if what in MAKING else None))
        tags[f"{what}, {way}"] += 1
    tags[name] += 1
    return Story(name, source.randrange(4), tuple(acts))


def _arguments(source: Source, what: str, recipe: Recipe, acts: Sequence[Act], context: str | None) -> Mapping[str, Any] | None:
    """The arguments of an act; None if it makes no sense here."""
    match what:
        case "run":
            trials = source.randint(1, 3)
            return {"inputs": _inputs(source, recipe, trials), "num_trials": trials * source.randint(1, 2)}
        case "learn":
            return {"inputs": _inputs(source, recipe, 4), "epochs": source.randint(1, 3), "batch": source.choice((1, 2, 4))}
        case "replicates":
            trials = source.randint(1, 2)
            given = {"inputs": _inputs(source, recipe, trials), "count": source.randint(2, 6), "num_trials": trials}
            return given | _begin(source)
        case "sweep":
            names = source.sample(sorted(recipe.parameters), source.randint(1, len(recipe.parameters)))
            points: Any = {name: [_small(source, recipe.parameters[name]) for _ in range(source.randint(1, 3))] for name in sorted(names)}
            trials = source.randint(1, 2)
            given = {"points": points, "inputs": _inputs(source, recipe, trials), "num_trials": trials, "replicates": source.randint(1, 3)}
            given["common_random_numbers"] = source.random() < 0.25
            given["reduce"] = source.choice((None, None, "mean", ["mean", "quantiles"]))
            return given | _begin(source)
        case "fit":
            return {"numbers": [source.randint(1, 8) / 8.0 for _ in range(12)], "seed": source.randrange(3)}
        case "parameter":
            name = source.choice(sorted(recipe.parameters))
            return {"path": name, "value": _small(source, recipe.parameters[name])}
        case "state":
            path, value = source.choice(recipe.states)
            return {"path": path, "value": value}
        case "generator":
            return {"number": source.randrange(100), "which": source.randrange(4)}
        case "look":
            return {"at": source.choice(LOOKS)}
        case _:
            return {}


def _small(source: Source, ends: tuple[float, ...]) -> float:
    """A number between two ends that is exact in binary."""
    low, high = ends
    return low + (high - low) * source.randint(0, 8) / 8.0


def _inputs(source: Source, recipe: Recipe, trials: int) -> dict[str, Any]:
    return {name: [[source.randint(-4, 8) / 8.0 for _ in range(size)] for _ in range(trials)] for name, size in recipe.inputs.items()}


def _begin(source: Source) -> dict[str, Any]:
    """Where replicates begin, and their seed."""
    given: dict[str, Any] = {"start": "context"} if source.random() < 0.4 else {}
    return given | ({"seed": source.randrange(5)} if source.random() < 0.7 else {})


def lineage(story: Story, number: int) -> list[Act]:
    """
    The acts on which the numbers of an act depend: what changed its context before, and what changed the contexts that this one comes from,
    up to when it was made. Looks, replicates, sweeps, fits, and what is done in other contexts are none of them. A context that is reset,
    or made of the parameters of another one, begins anew: of what came before, only what set or learned parameters counts. The last reset
    itself counts, too.
    """
    wanted, begins_anew, found = story.acts[number].context, False, list[Act]()
    for act in reversed(story.acts[:number]):
        if act.new is not None and act.new == wanted:
            found.append(act)
            begins_anew = begins_anew or act.what == "make"
            wanted = act.context
        elif act.context == wanted and act.what == "reset":
            if not begins_anew:
                found.append(act)  # a copy is then at the beginning of the streams of its own name
            begins_anew = True
        elif act.context == wanted and act.what in (("learn", "parameter") if begins_anew else CHANGING):
            found.append(act)
    return found[::-1]


# Playing them.


class Stage:
    """A compiled model and its contexts, in which acts are played."""

    def __init__(self, story: Story, elsewhere: Callable[[], Executor] | None = None, **options: Any):
        self.story = story
        self.recipe = RECIPES[story.recipe]
        self.model = self.recipe.build(story.seed)
        self.options = {"unfinished": "ignore", **self.recipe.options, **options}
        self.compiled = self.model.compile(**self.options)
        self.contexts: dict[str | None, cogir.Context] = {None: self.compiled.context()}
        self.elsewhere = elsewhere
        """Gives an executor whose workers are other processes."""
        self.refusals: list[str] = []
        """The errors of acts that were refused."""

    def play(self, act: Act, *, plainly: bool = False) -> Numbers | None:
        """Does an act, and returns the bits of what it gave; `plainly`: not in its way, but in the plainest there is."""
        context = self.contexts[act.context]
        way = "plain" if plainly else act.way
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                if act.what in NUMBERS:
                    return self._numbers(act, context, way)
                self._change(act, context)
            except cogir.InputError as refusal:
                self.refusals.append(f"{act.what}: {refusal}")
                return {"refused": str(refusal).encode()}
        return None

    def _change(self, act: Act, context: cogir.Context) -> None:
        given = act.given
        match act.what:
            case "parameter":
                context.params[given["path"]] = given["value"]
            case "state":
                context.state[given["path"]] = given["value"]
            case "generator":
                paths = list(context.generators)
                if paths:
                    path = paths[given["which"] % len(paths)]
                    context.generators[path] = cogir.random(given["number"], context.plan.generators[path].kind)
            case "reset":
                context.reset()
            case "make":
                self.contexts[act.new] = self.compiled.context(act.new)
            case "copy":
                self.contexts[act.new] = context.copy(act.new)
            case "pickle":
                self.contexts[act.new] = pickle.loads(pickle.dumps(context))
            case "specialise":
                self.compiled.specialise(context)
            case _:
                look(self.compiled, self.model, context, given["at"])

    def _numbers(self, act: Act, context: cogir.Context, way: str) -> Numbers:
        match way:
            case "thread":
                with ThreadPoolExecutor(1) as threads:
                    return bits(threads.submit(self.call, act, context).result())
            case "elsewhere" if self._can_leave(act):
                found, sent = (
                    self.elsewhere().submit(done_elsewhere, str(self.model.ir()), self.options, pickle.dumps(context), act).result()
                )
                if act.what == "run":
                    # The context goes on where the other process left it.
                    self.contexts[act.context] = pickle.loads(sent)
                return found
            case "pickled":
                return bits(pickle.loads(pickle.dumps(self.call(act, context))))
            case "saved":
                found = self.call(act, context)
                with tempfile.TemporaryDirectory() as folder:
                    found.save(Path(folder) / "result.npz")
                    return bits(cogir.load(Path(folder) / "result.npz"))
            case "threads":
                return bits(Stage(self.story, threads=3).call(act, context))
            case "executor" if self.recipe.is_native:
                with ThreadPoolExecutor(2) as threads:
                    return bits(self.call(act, context, executor=threads))
            case "processes" if self.elsewhere is not None and self.recipe.is_native:
                return bits(self.call(act, context, executor=self.elsewhere()))
            case "store" | "store twice":
                with tempfile.TemporaryDirectory() as folder:
                    found = bits(self.call(act, context, store=Path(folder) / "sweep.zarr"))
                    if way == "store twice":
                        again = bits(self.call(act, context, store=Path(folder) / "sweep.zarr"))
                        assert again == found, "a store that is done gives other numbers"
                    return found
            case _:
                return bits(self.call(act, context))

    def _can_leave(self, act: Act) -> bool:
        """
        True if the act can be done in another process: contexts of other modes cannot be pickled, and a default context that comes back
        would not be the one that new contexts take their parameters from.
        """
        return self.elsewhere is not None and self.recipe.is_native and not (act.what == "run" and act.context is None)

    def call(self, act: Act, context: cogir.Context, **way: Any) -> Any:
        """The call itself, in a context."""
        given = dict(act.given)
        match act.what:
            case "run":
                return self.compiled.run(**given, context=context)
            case "replicates":
                return self.compiled.replicates(**given, context=context)
            case "sweep":
                return self.compiled.sweep(**given, **way, context=context)
            case "learn":
                return self.compiled.learn(**given, context=context)
            case _:
                times = np.array(given["numbers"]) + 0.0625
                data = {"ddm/value": np.resize([1.0, 1.0, -1.0], len(times)), "ddm/time": times}
                return cogir.fit(
                    self.model,
                    data,
                    free={"stimulus/slope": (0.0, 2.0)},
                    inputs={"stimulus": [[1.0]]},
                    simulations=200,
                    intervals=None,
                    budget=12,
                    seed=given["seed"],
                )


def done_elsewhere(text: str, options: Mapping[str, Any], pickled: bytes, act: Act) -> tuple[Numbers, bytes]:
    """The numbers of an act in a model from text, and its context after that; for the workers of other processes."""
    stage = Stage.__new__(Stage)
    stage.compiled = cogir.compile(text, **options)
    context = pickle.loads(pickled)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = bits(stage.call(act, context))
    return found, pickle.dumps(context)


def bits(found: Any) -> Numbers:
    """The bits of all arrays of a result; NaN is one value, whatever its payload."""
    if hasattr(found, "log_likelihood"):
        return {name: _bits(value) for name, value in found.parameters.items()} | {"log_likelihood": _bits(found.log_likelihood)}
    if isinstance(found, cogir.Learned):
        return {"losses": _bits(found.losses)} | {f"trials {path}": _bits(found.trials[path]) for path in found.trials}
    return {str(path): _bits(found[path]) for path in found}


def _bits(values: Any) -> bytes:
    array = np.asarray(values)
    return (np.where(np.isnan(array), np.nan, array) if array.dtype.kind == "f" else array).tobytes()


def look(compiled: cogir.Compiled, model: cogir.Model, context: cogir.Context, at: str) -> None:
    """Looks at something, which must change nothing."""
    match at:
        case "state":
            with suppress(cogir.InputError):  # one from a pickle has no state before it runs
                {path: context.state[path] for path in context.state}
        case "params":
            {path: context.params[path] for path in context.params}
        case "generators":
            {path: context.generators[path] for path in context.generators}
        case "repr":
            f"{context!r} {context.state!r} {context.params!r} {context.generators!r} {compiled!r} {model!r}"
        case "html":
            context._repr_html_()
            compiled._repr_html_()
        case "explain":
            str(compiled.explain())
        case "show":
            model.show()
        case "ir":
            str(model.ir())
        case "pickled":
            with suppress(cogir.CogirError):
                pickle.dumps(context)
        case "copied":
            context.copy().reset()
        case "check":
            model.check()
        case _:
            compiled.context("looked at and left").reset()


# Stories told again.


def differences(story: Story, elsewhere: Callable[[], Executor] | None = None) -> list[str]:
    """Where the acts of a story gave other numbers than fresh models that do the same computations one by one."""
    stage, found = Stage(story, elsewhere), list[str]()
    for number, act in enumerate(story.acts):
        numbers = stage.play(act)
        if numbers is None:
            continue
        fresh = Stage(story)
        for before in lineage(story, number):
            fresh.play(before, plainly=True)
        expected = fresh.play(act, plainly=True)
        if numbers != expected:
            found.append(f"act {number}, {act}: {_which(numbers, expected)}")
        elif act.what in ("replicates", "sweep"):
            found += one_by_one(story, number, numbers, Source(number))
    return found


def one_by_one(story: Story, number: int, numbers: Numbers, source: Source) -> list[str]:
    """
    Where a replicate of an act, at a point if it is a sweep, is not what a run of a fresh model gives that has the parameters, states and
    generators of this replicate; one replicate is tried.
    """
    act = story.acts[number]
    given = dict(act.given)
    if given.get("reduce") is not None or "refused" in numbers:
        return []
    fresh = Stage(story)
    for before in lineage(story, number):
        fresh.play(before, plainly=True)
    context = fresh.contexts[act.context]
    goes_on = given.get("start") == "context"
    if not goes_on:
        context = _begun_again(fresh, story, context)
    axes = [len(values) for values in given["points"].values()] if act.what == "sweep" else []
    at = [source.randrange(extent) for extent in axes]
    replicate = source.randrange(given["count"] if act.what == "replicates" else given["replicates"])
    for (path, values), place in zip(given.get("points", {}).items(), at, strict=True):
        context.params[path] = values[place]
    key: dict[str, Any] = {"replicate": replicate, "context": context.stream_name}
    if act.what == "sweep" and not given["common_random_numbers"]:
        key["point"] = int(np.ravel_multi_index(at, axes))
    for place, (path, start) in enumerate(context.plan.generators.items()):
        which = path if start.kind == "xoshiro256" else place
        seed = given.get("seed", story.seed)
        context.generators[path] = cogir.random(seed, start.kind, generator=which, **key)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        run = fresh.compiled.run(given["inputs"], given["num_trials"], context=context)
    found = []
    for path in run:
        whole = np.frombuffer(numbers[path], run[path].dtype).reshape(*axes, -1, *run[path].shape)
        if _bits(whole[(*at, replicate)]) != _bits(run[path]):
            found.append(f"act {number}, {act}: {path} of replicate {replicate} at {at} is not that of a single run")
    return found


def _begun_again(fresh: Stage, story: Story, moved: cogir.Context) -> cogir.Context:
    """A context of a fresh model with the parameters of one that has moved, and the states that were set in it by hand."""
    anew = Stage(story)
    for path, value in moved.params.items():
        anew.contexts[None].params[path] = value
    context = anew.contexts[None]
    for path, value in moved.states_set.items():
        context.state[path] = value
    fresh.compiled = anew.compiled
    context.stream_name = moved.stream_name
    return context


def _which(numbers: Numbers, expected: Numbers | None) -> str:
    if expected is None or list(numbers) != list(expected):
        return f"it gives {list(numbers)}, a fresh model {list(expected or ())}"
    return ", ".join(f"{name} differs" for name in numbers if numbers[name] != expected[name])
