"""What the builder says to mistakes: the line of the script, what was found, and the remedy."""

from collections.abc import Callable

import numpy as np
import pytest

import cogir
from cogir import library
from cogir.library import Random, State, Static, Step


def fails(variable):
    """Adds vectors of different lengths."""
    return variable + np.zeros(5)


def asserts(variable):
    """Fails for the values that it starts with."""
    assert variable[0] > 0.0
    return variable


def unbound(variable):
    """Has no result for the values that it starts with."""
    if variable[0] > 0.0:
        result = variable
    return result


def ragged(variable):
    """Returns no array."""
    return [variable, [1.0, 2.0]]


def two_states(variable, *, a: State = 0.0, b: State = 0.0):
    """Returns too few next states."""
    return Step(outputs=(variable,), states=(a,))


def growing(variable, *, kept: State = np.zeros(2)):
    """A state that changes its shape."""
    return Step(outputs=(variable,), states=(np.zeros(3),))


def with_static(variable, *, kind: Static = "sum", rate=1.0):
    """Has a constant of the program."""
    return variable * rate


def required(variable, *, weight):
    """Has a parameter without a default."""
    return variable * weight


def text(variable):
    """Returns no number."""
    return "text"


def noisy(variable, *, random: Random):
    """Draws."""
    return variable + random.normal(variable.shape)


def base() -> cogir.Model:
    m = cogir.Model("m")
    m.node("a", input=2)
    m.node("b", library.logistic, input=3, gain=2.0)
    m.node("c", library.comparator, input=2)
    return m


def other_node() -> cogir.Node:
    return cogir.Model("other").node("x")


CASES: dict[str, tuple[Callable[[cogir.Model], object], str]] = {
    "empty name": (lambda m: m.node(""), "node: the name is ''; give a string that is not empty"),
    "name with half a character": (
        lambda m: m.node("a\ud800"),
        r"node: the name 'a\\ud800' contains '\\ud800', a lone surrogate, which cannot be written in UTF-8; leave it out",
    ),
    "name with a slash": (lambda m: m.node("a/b"), "node: the name 'a/b' contains '/', which separates names in paths; leave it out"),
    "name taken": (lambda m: m.node("a"), r'node "a": the name is already used in the model, at .*test_errors'),
    "function by name": (lambda m: m.node("n", "logistic"), "found 'logistic'; give a function, such as cogir.library.logistic"),
    "NumPy function": (lambda m: m.node("n", np.tanh), r"write a function around it: def f\(variable\): return np.tanh\(variable\)"),
    "class as function": (lambda m: m.node("n", dict), "only functions written with def or lambda can be compiled"),
    "any number of arguments": (
        lambda m: m.node("n", lambda *args: 0.0),
        r"parameter \*args takes any number of arguments.*write a function around it: def f\(variable\)",
    ),
    "a ufunc of SciPy": (
        lambda m: m.node("n", pytest.importorskip("scipy.special").expit, input=2),
        r"found <ufunc 'expit'>; .*: return scipy\.special\.expit\(variable\)",
    ),
    "unknown parameter": (
        lambda m: m.node("n", library.logistic, gian=1.0),
        'function logistic has no parameter "gian"; did you mean "gain"?',
    ),
    "parameters without a function": (lambda m: m.node("n", rate=1.0), "found rate, but it has no function"),
    "input as a parameter": (
        lambda m: m.node("n", library.logistic, variable=1.0),
        '"variable" is an input of function logistic; give its shape',
    ),
    "generator as a parameter": (
        lambda m: m.node("n", noisy, random=1.0),
        '"random" is the generator of function noisy; give `seed` or `state`',
    ),
    "missing parameter": (lambda m: m.node("n", required), 'parameter "weight" has no value and no default; give weight='),
    "text as a parameter": (lambda m: m.node("n", with_static, rate="fast"), "parameter \"rate\": found 'fast'; give a number"),
    "array as a constant": (lambda m: m.node("n", with_static, kind=np.ones(2)), r'constant "kind" is array\(\[1., 1.\]\); give a string'),
    "ragged parameter": (lambda m: m.node("n", required, weight=[[1], [1, 2]]), "the rows have different lengths"),
    "empty parameter": (lambda m: m.node("n", required, weight=[]), "the array is empty; give at least one number"),
    "bad shape": (lambda m: m.node("n", input="wide"), "'wide' is not a shape; give a length such as 3"),
    "shape without elements": (lambda m: m.node("n", input=0), "the shape 0 has no elements"),
    "too many input shapes": (
        lambda m: m.node("n", library.logistic, input=[1, 2]),
        r"input has 2 shapes, but the function has 1 inputs \(variable\)",
    ),
    "unknown input": (
        lambda m: m.node("n", library.comparator, input={"sampel": 1, "target": 1}),
        'no input "sampel"; did you mean "sample"?',
    ),
    "input without shape": (lambda m: m.node("n", library.comparator, input={"sample": 1}), 'input has no shape for "target"'),
    "bad combination": (lambda m: m.node("n", combine="mean"), 'combine is \'mean\'; there is "sum", "product"'),
    "function that fails": (
        lambda m: m.node("n", fails, input=2),
        r'node "n": .*errors.py:15: fails: in variable \+ np.zeros\(5\): arrays of shape \(2,\) and \(5,\) cannot be broadcast together',
    ),
    "assert that fails at the start": (lambda m: m.node("n", asserts), "py:20: asserts: assert of a run-time value is not in the subset"),
    "no value at the start": (
        lambda m: m.node("n", unbound),
        "py:28: unbound: 'result' has a value in one branch of the condition",
    ),
    "too few next states": (lambda m: m.node("n", two_states), r"the function has 2 states \(a, b\) but returns 1"),
    "state of another shape": (
        lambda m: m.node("n", growing),
        r'state "kept" has an initial value of shape \(2,\), but its next value has shape \(3,\)',
    ),
    "no number returned": (lambda m: m.node("n", text), "text: returns 'text' as output 0; return numbers or arrays, one per port"),
    "ragged result": (lambda m: m.node("n", ragged), "py:31: ragged: returns a list of 2 as output 0; return numbers"),
    "unknown output": (lambda m: m.node("n", library.logistic, outputs=["vaule"]), 'no output "vaule"; did you mean "value"?'),
    "output twice": (lambda m: m.node("n", library.logistic, outputs=["value", "value"]), 'outputs names "value" twice'),
    "initial value of a wrong shape": (
        lambda m: m.node("n", input=3, initial={"value": [1.0, 2.0]}),
        r'initial of "value" has shape \(2,\), but the port has shape \(3,\)',
    ),
    "until finished without an end": (
        lambda m: m.node("n", library.logistic, execute_until_finished=True),
        "its function does not return `finished`",
    ),
    "no execution at all": (
        lambda m: m.node("n", max_executions_before_finished=0),
        "max_executions_before_finished is 0; give a whole number, 1 or more",
    ),
    "seed without draws": (
        lambda m: m.node("n", library.logistic, seed=1),
        "found a seed or state, but its function draws no random numbers",
    ),
    "seed and state": (
        lambda m: m.node("n", noisy, seed=1, state=np.random.RandomState(1)),
        "found both a seed and a state for its generator",
    ),
    "bad seed": (lambda m: m.node("n", noisy, seed=-1), r"the seed is -1; give a whole number from 0 to 2\*\*63 - 1"),
    "seed too large": (lambda m: m.node("n", noisy, seed=2**40, prng="mt19937"), r"mt19937 takes whole numbers below 2\*\*32"),
    "bad state": (
        lambda m: m.node("n", noisy, state=np.zeros(5, int)),
        r"found an array of shape \(5,\), which is not the state of a generator",
    ),
    "unknown generator": (lambda m: m.node("n", noisy, prng="xoshiro"), 'there is no generator "xoshiro"; did you mean "xoshiro256"?'),
    "a port like none": (
        lambda m: m["b"]["input"],
        'node "b" has no port "input"; it has the input "variable", and the output "value"',
    ),
    "unknown port": (lambda m: m["b"]["vlaue"], 'node "b" has no port "vlaue"; did you mean "value"?'),
    "unknown node": (lambda m: m["bb"], 'the model has no node "bb"; did you mean "b"?'),
    "unknown parameter handle": (lambda m: m["b"].param("gian"), 'node "b" has no parameter "gian"; did you mean "gain"?'),
    "unknown state": (lambda m: m["b"].state("x"), 'node "b" has no state "x"; there is none'),
    "node of another model": (lambda m: m.project(other_node(), "b"), '"x" belongs to model "other", not to "m"'),
    "input as the source": (lambda m: m.project(m["c"]["sample"], "a"), '"c" has no output "sample"; there is "outcome"'),
    "which of two inputs": (lambda m: m.project("a", "c"), r'"c" has 2 inputs; name one, such as c\["sample"\]'),
    "matrix of a wrong shape": (
        lambda m: m.project("a", "b", matrix=np.eye(2)),
        "projection a -> b: matrix is 2x2, but it maps 2 elements to 3; give a 2x3 matrix",
    ),
    "unknown matrix": (lambda m: m.project("a", "b", matrix="hallow"), 'there is no matrix "hallow"; did you mean "hollow"?'),
    "identity between different lengths": (lambda m: m.project("a", "b", matrix="identity"), '"identity" needs as many rows as columns'),
    "projection with unknown arguments": (
        lambda m: m.project("a", "b", gain=2.0),
        "found gain; only a projection with a function has parameters",
    ),
    "function of a projection with a wrong result": (
        lambda m: m.project("a", "b", function=library.logistic),
        "function logistic returns 2xf64, but the receiver is 3xf64",
    ),
    "a flag in words": (
        lambda m: m.project("a", "b", feedback="no"),
        "projection a -> b: feedback is 'no'; give True or False",
    ),
    "modulation by a vector": (lambda m: m.modulate("a", m["b"].param("gain")), "the sender has type 2xf64; a single f64 is required"),
    "modulation of a port": (lambda m: m.modulate(m.node("s"), m["b"]["value"]), 'give a parameter, such as node.param\\("rate"\\)'),
    "unknown modulation": (lambda m: m.modulate(m.node("s"), m["b"].param("gain"), "scale"), "modulation is 'scale'"),
    "overridden twice": (
        lambda m: [m.modulate(m.node(name), m["b"].param("gain"), "override") for name in ("s", "t")],
        "the parameter is already overridden",
    ),
    "input twice": (lambda m: m.input("a", "a"), r'input: a\["variable"\] is already an input'),
    "condition as a class": (lambda m: m.schedule.when("a", cogir.Always), "found the class Always; did you forget its parentheses?"),
    "condition on another model's node": (lambda m: m.schedule.when("a", cogir.WhenFinished(other_node())), '"x" belongs to model "other"'),
    "condition on an unknown node": (lambda m: m.schedule.when("a", cogir.JustRan("bb")), 'no node "bb"; did you mean "b"?'),
    "nested condition on an unknown node": (lambda m: m.schedule.trial_ends(cogir.Not(cogir.JustRan("bb"))), 'no node "bb"'),
    "count below zero": (lambda m: cogir.AtPass(-1), "AtPass: n is -1; give a whole number, 0 or more"),
    "count with a fraction": (lambda m: cogir.AfterNCalls("a", 1.5), "AfterNCalls: n is 1.5; give a whole number"),
    "unknown time scale": (lambda m: cogir.AtPass(0, "trail"), "'trail' is not a time scale; did you mean \"trial\"?"),
    "list instead of nodes": (lambda m: cogir.AllHaveRun(["a", "b"]), r"AllHaveRun: found a list; unpack it: AllHaveRun\(\*nodes\)"),
    "comparison": (lambda m: cogir.Threshold("a", "value", 1.0, "=>"), "comparator is '=>'; give one of < <= > >= == !="),
    "several nodes where one is waited for": (
        lambda m: m.schedule.when("a", cogir.JustRan(("b", "c"))),
        r"JustRan found \('b', 'c'\); give a node",
    ),
    "a dict and a condition": (
        lambda m: m.schedule.when({"a": cogir.Always()}, cogir.Always()),
        "found a dict and a condition; give either a node and a condition",
    ),
    "threshold of a port": (
        lambda m: cogir.Threshold("b", m["b"]["value"], 1.0, ">"),
        "Threshold: parameter is .*; give the name of an output, a state or a parameter",
    ),
    "wall-clock time": (lambda m: cogir.TimeInterval(10), "conditions on wall-clock time are not supported"),
    "predicate without function": (lambda m: cogir.While(True), "While: found True; give a function"),
    "predicate that reads a node": (lambda m: m.schedule.when("a", cogir.While(lambda x: x > 0, m["b"])), 'to read; give node\\["port"\\]'),
    "controller of nothing": (
        lambda m: m.control("k", objective=m.node("o"), signals=[], model=0),
        "model is 0; give a cogir.Model, or leave it out to simulate this one",
    ),
    "seed of another generator": (
        lambda m: m.control("k", objective=m.node("o"), signals=[], ties="random", seed={"tie": 1}),
        'seed: its function has no generator "tie"; did you mean "ties"',
    ),
    "controller without signals": (lambda m: m.control("k", objective=m.node("o"), signals=[]), "it has no signals"),
    "objective of several elements": (
        lambda m: m.control("k", objective="b", signals=[cogir.Signal(m["b"].param("gain"), levels=[1.0])]),
        "the objective has type 3xf64; a single number is required",
    ),
    "unknown direction": (
        lambda m: m.control("k", objective=m.node("o"), signals=[], direction="min"),
        "direction is 'min'; did you mean \"minimize\"?",
    ),
    "signal without a parameter": (lambda m: cogir.Signal("gain", levels=[1.0]), 'give a parameter, such as node.param\\("rate"\\)'),
    "levels of a wrong shape": (lambda m: cogir.Signal(m["b"].param("gain"), levels=1.0), r"levels has shape \(\); give a list of numbers"),
    "unknown cost": (
        lambda m: cogir.Signal(m["b"].param("gain"), levels=[1.0], cost={"intensty": abs}),
        'there is no cost "intensty"; did you mean "intensity"?',
    ),
    "two conditions of a node": (
        lambda m: [m.schedule.when("a", cogir.AtPass(n)) for n in (1, 2)],
        r'schedule.when of "a": it is given already, at .*test_errors.py:\d+; join the conditions with & \(all\) or \| \(any\)',
    ),
    "two resets of a node": (
        lambda m: [m.schedule.reset("a", condition) for condition in (cogir.AtTrialStart(), cogir.AtRunStart())],
        'schedule.reset of "a": it is given already, at',
    ),
    "two ends of a trial": (
        lambda m: [m.schedule.trial_ends(cogir.AtPass(n)) for n in (1, 2)],
        "schedule.trial_ends: it is given already, at .*; join the conditions with &",
    ),
    "projection of whole numbers": (
        lambda m: m.project(m.node("n", lambda x: int(x[0])), "a"),
        r"the sender has type i64; only f64 values can be projected, so let its function return a float: write float\(x\)",
    ),
    "model inside itself": (lambda m: m.instance("i", m), 'model "m" would contain itself'),
    "unknown port of an instance": (lambda m: cogir.Model("outer").instance("i", m)["q"], 'has no input or output "q"'),
    "unknown mode": (lambda m: m.compile(mode="fast"), "mode is 'fast'; give one of auto, run"),
    "unknown target": (lambda m: m.compile(target="gpu"), "target is 'gpu'; give one of cpu, cuda, cuda-emulated, auto"),
    "no threads": (lambda m: m.compile(threads=0), "threads is 0; give a whole number from 1 to 1024"),
    "too many threads": (lambda m: m.compile(threads=2**70), "give a whole number from 1 to 1024"),
    "unknown optimisation": (
        lambda m: m.compile(without=["fill-lane"]),
        'compile: without: there is no optimisation "fill-lane"; did you mean "fill-lanes"',
    ),
    "optimisations as a number": (lambda m: m.compile(without=3), "without is 3; give a list of optimisations"),
    "cache by name": (lambda m: m.compile(cache="no"), "compile: cache is 'no'; give True or False"),
    "specialise for a context": (lambda m: m.compile(specialise="x"), "compile: specialise is 'x'; give True or False"),
}


@pytest.mark.parametrize("case", CASES)
def test_message(case: str) -> None:
    act, message = CASES[case]
    m = base()
    with pytest.raises(cogir.ModelError, match=message) as caught:
        act(m)
    assert "test_errors.py:" in str(caught.value) or "compile:" in str(caught.value)
    assert caught.value.__suppress_context__ or caught.value.__context__ is None, "a user sees one traceback"


def test_inputs_of_a_model_that_is_a_cycle() -> None:
    m = cogir.Model("m")
    a, b, c = (m.node(name) for name in "abc")
    m.project(a, b)
    m.project(b, a)
    m.project(b, c)
    with pytest.raises(cogir.InputError) as caught:
        m.compile(mode="python").run({"a": [[1.0]]})
    assert str(caught.value) == (
        "inputs: the model has no inputs, as each of its nodes receives a projection (a -> b -> a is a cycle); mark the projection that "
        'closes the cycle with feedback=True, or declare an input: model.input("a")'
    )
    m.projections.clear()
    m.project(a, b)
    m.project(b, a, feedback=True)
    m.project(b, c)
    assert m.compile(mode="python").run({"a": [[1.0]]})["c"].tolist() == [[1.0]]
