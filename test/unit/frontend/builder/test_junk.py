"""Whatever the builder is given for an argument, it takes, or refuses in one line that names the place; nothing else escapes."""

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import cogir
from cogir import library


class Odd:
    """Nothing that a model knows."""


JUNK: list[Any] = [
    *(None, True, 0, -1, 3, 2**70, 1.5, float("nan"), float("inf"), 1j, "", "x", "\0", b"x", [], [1], [[1, 2], [3]], ["a"], [None]),
    *((), (2,), (-1,), (10**12,), {}, {"a": 1}, {1: 2}, {"": None}, {1, 2}, np.array([1.0]), np.array([[1.0, 2.0], [3.0, 4.0]])),
    *(
        np.array("a"),
        np.array([None]),
        np.zeros(0),
        np.array(3 + 1j),
        np.int64(-2),
        Odd(),
        Odd,
        len,
        lambda x: x,
        range(3),
        ValueError("v"),
    ),
    *(library.linear, cogir.Model("another"), cogir.Model("another").node("a"), cogir.Always(), cogir.Always),
]


def base() -> cogir.Model:
    m = cogir.Model("m")
    m.node("a", input=2)
    m.node("b", library.linear, input=2)
    m.node("c", library.drift_diffusion_integrator, execute_until_finished=True)
    return m


def control(m: cogir.Model, **given: Any) -> None:
    settings: dict[str, Any] = {"objective": m["c"]["time"], "signals": [cogir.Signal(m["c"].param("rate"), levels=[0.0, 1.0])]}
    m.control("k", **(settings | {"ties": "random"} | given))


def signal(m: cogir.Model, **given: Any) -> None:
    control(m, signals=[cogir.Signal(m["c"].param("rate"), **({"levels": [0.0, 1.0]} | given))])


NODE = (
    "input",
    "params",
    "initial",
    "outputs",
    "combine",
    "execute_until_finished",
    "max_executions_before_finished",
    "reset_each_trial",
    "seed",
    "state",
    "prng",
)
CONTROL = ("objective", "signals", "model", "direction", "when", "ties", "trials_per_estimate", "estimates", "seeds", "seed_base", "keep")
GIVEN: dict[str, Callable[[cogir.Model, Any], object]] = {
    "model": lambda m, junk: cogir.Model(junk),
    "model seed": lambda m, junk: cogir.Model("s", seed=junk),
    "node name": lambda m, junk: m.node(junk),
    "node function": lambda m, junk: m.node("n", junk),
    **{f"node {key}": lambda m, junk, key=key: m.node("n", library.drift_diffusion_integrator, **{key: junk}) for key in NODE},
    **{
        f"node {key}": lambda m, junk, key=key: m.node("n", library.drift_diffusion_integrator, **{key: junk})
        for key in ("prng", "rate", "speed")
    },
    "node start": lambda m, junk: m.node("n", library.drift_diffusion_integrator, previous_value=junk),
    "instance name": lambda m, junk: m.instance(junk, cogir.Model("inner")),
    "instance model": lambda m, junk: m.instance("i", junk),
    "project from": lambda m, junk: m.project(junk, "b"),
    "project to": lambda m, junk: m.project("a", junk),
    **{
        f"project {key}": lambda m, junk, key=key: m.project("a", "b", **{key: junk})
        for key in ("matrix", "recurrent", "feedback", "name", "function", "gain")
    },
    "modulate by": lambda m, junk: m.modulate(junk, m["c"].param("rate")),
    "modulate what": lambda m, junk: m.modulate(m["c"]["time"], junk),
    "modulate how": lambda m, junk: m.modulate(m["c"]["time"], m["c"].param("rate"), junk),
    "port": lambda m, junk: m["c"][junk],
    "parameter": lambda m, junk: m["c"].param(junk),
    "state": lambda m, junk: m["c"].state(junk),
    **{f"control {key}": lambda m, junk, key=key: control(m, **{key: junk}) for key in (*CONTROL, "features", "seed", "state", "prng")},
    **{
        f"signal {key}": lambda m, junk, key=key: signal(m, **{key: junk})
        for key in ("levels", "initial", "cost", "modulation", "name", "clip", "sum_from")
    },
    "signal parameters": lambda m, junk: cogir.Signal(junk, levels=[1.0]),
    "input": lambda m, junk: m.input(junk),
    "output": lambda m, junk: m.output(junk),
    "when": lambda m, junk: m.schedule.when(junk, cogir.Always()),
    "when condition": lambda m, junk: m.schedule.when("c", junk),
    "reset": lambda m, junk: m.schedule.reset(junk, cogir.AtTrialStart()),
    "reset condition": lambda m, junk: m.schedule.reset("c", junk),
    "reset keeps": lambda m, junk: m.schedule.reset("c", cogir.AtTrialStart(), keeps=junk),
    "aside": lambda m, junk: m.schedule.aside(junk, "before"),
    "aside when": lambda m, junk: m.schedule.aside("c", junk),
    "trial ends": lambda m, junk: m.schedule.trial_ends(junk),
    "run ends": lambda m, junk: m.schedule.run_ends(junk),
    **{
        f"compile {key}": lambda m, junk, key=key: m.compile(**({"mode": "python"} | {key: junk}))
        for key in ("mode", "target", "threads", "executor", "math", "cache", "without", "specialise")
    },
}
USUAL: dict[str, Any] = {"dependency": "a", "parameter": "previous_time", "threshold": 1.0, "comparator": ">", "n": 1}
USUAL["condition"] = cogir.Always()
CONDITIONS = {
    f"{kind.__name__} {name}": (kind, name)
    for kind in map(vars(cogir).get, cogir.__all__)
    if isinstance(kind, type) and issubclass(kind, cogir.Condition) and kind not in (cogir.Condition, cogir.TimeInterval)
    for name, parameter in inspect.signature(kind).parameters.items()
    if parameter.kind is not inspect.Parameter.VAR_POSITIONAL
}


def refusal(act: Callable[[cogir.Model], object]) -> cogir.CogirError | None:
    """What the builder says, if anything."""
    m = base()
    try:
        act(m)
        str(m.ir())
    except cogir.CogirError as error:
        return error
    return None


def check(act: Callable[[cogir.Model], object]) -> None:
    error = refusal(act)
    if error is not None:
        message = str(error)
        assert "\n" not in message
        assert len(message) < 500
        assert "test_junk.py:" in message or message.startswith(("compile: ", "specialise: "))
        assert error.__suppress_context__ or error.__context__ is None, "a user sees one traceback"


@pytest.mark.sampled(2)
@pytest.mark.filterwarnings("ignore::cogir.ShapeWarning")
@pytest.mark.parametrize("given", GIVEN)
def test_arguments(given: str) -> None:
    for junk in JUNK:
        check(lambda m, junk=junk: GIVEN[given](m, junk))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("given", CONDITIONS)
def test_arguments_of_conditions(given: str) -> None:
    kind, name = CONDITIONS[given]
    required = [
        key for key, each in inspect.signature(kind).parameters.items() if each.default is each.empty and each.kind != each.VAR_POSITIONAL
    ]
    for junk in JUNK:
        settings = {key: USUAL.get(key) for key in required} | {name: junk}
        nodes = ("a", "b") if kind.__name__ == "AfterNCallsCombined" else ()
        check(lambda m, settings=settings, nodes=nodes: m.schedule.when("c", kind(*nodes, **settings)))
