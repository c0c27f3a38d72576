"""Models with all that pictures show: instances in instances, control, learning, conditions, functions of projections, odd names."""

from collections.abc import Callable

import numpy as np

import cogir

ODD = "a <&é'> 測"
"""A name with what XML, DOT and Mermaid have to escape."""


def doubled(x: float, *, factor: float = 2.0) -> float:
    return x * factor


def nested() -> cogir.Model:
    inner = cogir.Model("inner")
    a = inner.node(ODD, cogir.library.logistic, input=2, gain=3.0)
    b = inner.node("b", cogir.library.linear, input=2)
    inner.project(a, b, matrix=[[1.0, 2.0], [3.0, 4.0]])
    inner.project(b, a, matrix=[[1.0], [2.0]] @ np.ones((1, 2)), feedback=True)
    inner.input(a)
    inner.output(b)
    middle = cogir.Model("middle")
    first, one, two = middle.node("in", input=2), middle.instance("one", inner), middle.instance("two", inner)
    middle.project(first, one)
    middle.project(one, two)
    middle.project(first, two)
    middle.output(two)
    middle.schedule.when(two, cogir.EveryNCalls(one, 2))
    outer = cogir.Model("outer")
    stimulus, part = outer.node("stimulus", input=2), outer.instance("part", middle)
    response = outer.node("response", cogir.library.softmax, input=2, gain=2.0)
    outer.project(stimulus, part)
    outer.project(part, response)
    outer.project(response, stimulus, matrix=2.0 * np.eye(2), feedback=True)
    return outer


def controlled() -> cogir.Model:
    m = cogir.Model("controlled")
    stimulus = m.node("stimulus", input=1)
    decision = m.node("decision", cogir.library.drift_diffusion_integrator, noise=0.5, threshold=1.0, reset_each_trial=True)
    gate = m.node("gate", input=1)
    value = m.node("value", cogir.library.linear, input=1)
    m.project(stimulus, decision)
    m.project(decision["value"], value)
    m.project(stimulus, gate)
    m.project(value, stimulus, function=doubled, factor=3.0, feedback=True, name="back")
    m.project(value, value, matrix=[[0.5]])
    m.modulate(gate, value.param("intercept"), "add")
    m.control("control", objective=value, signals=[cogir.Signal(decision.param("rate"), levels=[0.5, 1.0, 2.0])], direction="minimize")
    m.schedule.when(value, cogir.All(cogir.EveryNCalls(decision, 2), cogir.Not(cogir.JustRan(gate))))
    m.schedule.trial_ends(cogir.WhenFinished(decision))
    return m


def learning() -> cogir.Model:
    m = cogir.Model("learning")
    first, hidden = m.node("input", input=2), m.node("hidden", cogir.library.logistic, input=3)
    last, target = m.node("output", cogir.library.logistic, input=1), m.node("target", input=1)
    m.project(first, hidden, matrix=np.ones((2, 3)))
    m.project(hidden, last, matrix=np.ones((3, 1)))
    m.learning([(last, target)], cogir.library.adam, rate=0.01)
    return m


def mutual() -> cogir.Model:
    """Two nodes that send to each other, and each to itself."""
    m = cogir.Model("mutual")
    one, two = m.node("one", cogir.library.tanh, input=1), m.node("two", cogir.library.tanh, input=1)
    for sender in (one, two):
        for receiver in (one, two):
            m.project(sender, receiver, matrix=[[-2.0]])
    m.input(one, two)
    m.output(one, two)
    return m


def large(count: int = 120) -> cogir.Model:
    m = cogir.Model("large")
    r = np.random.default_rng(0)
    nodes = [m.node(f"n{number}", cogir.library.logistic, input=1) for number in range(count)]
    for number in range(1, count):
        for sender in sorted({*r.integers(max(0, number - 9), number, 2).tolist()}):
            m.project(nodes[sender], nodes[number], matrix=[[float(r.normal())]])
    return m


def isolated() -> cogir.Model:
    m = cogir.Model("isolated")
    for number in range(11):
        m.node(f"n{number}", input=1)
    return m


ZOO: dict[str, Callable[[], cogir.Model]] = {model.__name__: model for model in (nested, controlled, learning, mutual, large, isolated)}
