"""What the builder says to values that are none: not numbers, not counts, given twice, of another type."""

import copy
import functools
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse

import cogir
from cogir import library

NAN = float("nan")


def base() -> cogir.Model:
    m = cogir.Model("m")
    a, b = m.node("a", library.linear), m.node("b", library.drift_diffusion_integrator)
    m.project(a, b)
    return m


def signal(m: cogir.Model, levels: object = (1.0, 2.0), **given: object) -> cogir.Signal:
    return cogir.Signal(m["a"].param("slope"), levels=levels, **given)


def control(m: cogir.Model, **given: object) -> object:
    return m.control("k", **{"objective": m["a"], "signals": [signal(m)], **given})


def when(m: cogir.Model, condition: cogir.Condition) -> None:
    m.schedule.when(m["b"], condition)


CASES: dict[str, tuple[Callable[[cogir.Model], object], str]] = {
    "nothing in an array": (lambda m: m.node("n", library.linear, slope=[None]), 'parameter "slope": found None, which is not a number'),
    "a complex number": (lambda m: m.node("n", library.linear, slope=1j), "which is complex numbers; give a number or an array"),
    "digits that a float cannot hold": (lambda m: m.node("n", library.linear, slope=2**53 + 1), "which float64 cannot represent exactly"),
    "masked numbers": (
        lambda m: m.node("n", library.linear, slope=np.ma.masked_array([1.0, 2.0], mask=[True, False])),
        'parameter "slope": found a masked array; give values for its masked elements: values.filled',
    ),
    "a masked matrix": (
        lambda m: m.project("a", "b", matrix=np.ma.masked_array([[1.0]], mask=[[True]])),
        "projection a -> b: matrix: found a masked array",
    ),
    "a matrix of nothing": (lambda m: m.project("a", "b", matrix=[[None]]), "projection a -> b: matrix: found None, which is not a number"),
    "a value twice": (
        lambda m: m.node("n", library.linear, params={"slope": 2.0}, slope=3.0),
        'node "n": "slope" is given in params and by keyword; give it once',
    ),
    "params that are no dict": (lambda m: m.node("n", library.linear, params=3), "params is 3; give a dict of names and values"),
    "outputs that are no names": (lambda m: m.node("n", library.linear, outputs=3), "outputs is 3; give a list of names"),
    "a fraction of an execution": (
        lambda m: m.node("n", library.drift_diffusion_integrator, max_executions_before_finished=2.5),
        "max_executions_before_finished is 2.5; give a whole number, 1 or more",
    ),
    "more executions than can be counted": (
        lambda m: m.node("n", library.drift_diffusion_integrator, max_executions_before_finished=2**70),
        r"is 1180591620717411303424; give a whole number, 1 or more and below 2\*\*63",
    ),
    "a flag as text": (
        lambda m: m.node("n", library.drift_diffusion_integrator, execute_until_finished="no"),
        "execute_until_finished is 'no'; give True or False",
    ),
    "a seed for no generator": (
        lambda m: m.node("n", library.psyneulink.gaussian_distort, seed={"noise": 1}),
        'seed: its function has no generator "noise"; there is "random"',
    ),
    "a shape beyond all memory": (lambda m: m.node("n", input=2**70), "does not fit into memory; give a smaller shape"),
    "a partial function": (
        lambda m: m.node("n", functools.partial(library.linear, slope=2.0)),
        "give function linear itself, and the fixed arguments by keyword: m.node",
    ),
    "a model as text": (lambda m: m.instance("i", "inner"), "instance \"i\": found 'inner'; give a cogir.Model"),
    "a port by number": (lambda m: m["a"][3], 'node "a" has no port 3; it has the input "variable", and the output "value"'),
    "initial value of a signal as text": (lambda m: signal(m, initial="x"), "signal \"a slope\": initial: found 'x'; give a number"),
    "several initial values": (lambda m: signal(m, initial=[1, 2]), r"initial is \[1, 2\]; give one number"),
    "NaN to begin with": (lambda m: signal(m, initial=NAN), "initial is nan; give one number"),
    "NaN as a level": (lambda m: signal(m, levels=[1.0, NAN]), "levels contains NaN; give numbers that the parameter can take"),
    "a signal without parameter": (lambda m: cogir.Signal(None, levels=[1.0]), "Signal: found None; give a parameter"),
    "clip as text": (lambda m: signal(m, clip="yes"), "clip is 'yes'; give True or False"),
    "a signal without its list": (lambda m: control(m, signals=signal(m)), r"give a list: signals=\[cogir.Signal\(...\)\]"),
    "estimates as text": (lambda m: control(m, estimates="2"), "controller \"k\": estimates is '2'; give a whole number, 1 or more"),
    "half an estimate": (lambda m: control(m, estimates=2.5), "estimates is 2.5; give a whole number, 1 or more"),
    "half a trial": (lambda m: control(m, trials_per_estimate=0.5), "trials_per_estimate is 0.5; give a whole number, 1 or more"),
    "a seed below zero": (lambda m: control(m, seed_base=-1), "seed_base is -1; give a whole number, 0 or more"),
    "a seed for what draws nothing": (
        lambda m: control(m, seed=3),
        'found a seed or state, but ties="first" draws no random numbers; leave it out',
    ),
    "features that are no dict": (lambda m: control(m, features=3), "features is 3; give a dict from inputs to ports"),
    "a model to simulate as text": (lambda m: control(m, model="m"), "model is 'm'; give a cogir.Model, or leave it out"),
    "a model seeded with text": (lambda m: cogir.Model("x", seed="x"), "model \"x\": the seed is 'x'; give a whole number from 0"),
    "waiting for calls of itself": (lambda m: when(m, cogir.EveryNCalls("b", 2)), 'schedule.when of "b": it waits for the node itself'),
    "waiting for itself among others": (
        lambda m: when(m, cogir.AtPass(0) & cogir.AfterNCalls(m["b"], 1)),
        "it waits for the node itself, so the node never runs; name another node",
    ),
    "waiting for itself to finish": (lambda m: when(m, cogir.WhenFinished("b")), "it waits for the node itself"),
    "a threshold as text": (lambda m: cogir.Threshold("a", "value", "high", ">"), "Threshold: threshold: found 'high'; give a number"),
    "NaN as a threshold": (lambda m: cogir.Threshold("a", "value", NAN, ">"), "Threshold: threshold is nan; give one number"),
    "an index as text": (lambda m: cogir.Threshold("a", "value", 1, ">", indices="x"), "Threshold: an index is 'x'; give a whole number"),
    "more passes than can be counted": (
        lambda m: cogir.AfterPass(2**70),
        r"AfterPass: n is .*, 0 or more and below 2",
    ),
    "a reset of a number": (lambda m: m.schedule.reset(3, cogir.AtTrialStart()), "schedule.reset: found 3; give a node"),
}


@pytest.mark.parametrize("case", CASES)
def test_message(case):
    act, message = CASES[case]
    m = base()
    with pytest.raises(cogir.ModelError, match=message) as caught:
        act(m)
    assert str(caught.value).startswith(__file__)


@pytest.mark.parametrize(
    "condition", [cogir.AfterNCalls("b", 0), cogir.Not(cogir.JustRan("b")), cogir.JustRan("b") | cogir.AtPass(0), cogir.EveryNCalls("a", 1)]
)
def test_conditions_on_itself_that_can_hold(condition):
    m = base()
    when(m, condition)
    assert m.compile(mode="python").run({"a": [[1.0]]}).num_trials == 1


@pytest.mark.parametrize("path", ["examples/chain.mlir", Path("examples/chain.mlir")])
def test_a_path_is_no_model(path):
    for take in (cogir.Model.from_ir, cogir.compile):
        with pytest.raises(cogir.ModelError, match=r"\.read_text\(\)"):
            take(path)


@pytest.mark.parametrize("how", [pickle.dumps, copy.copy, copy.deepcopy])
def test_a_model_says_what_to_send_instead(how):
    with pytest.raises(cogir.CogirError, match=r'model "m": its Python functions cannot be pickled; send its text, str\(model.ir\(\)\)'):
        how(base())


def test_a_model_from_text_can_be_pickled():
    m = cogir.Model.from_ir(str(base().ir()))
    inputs = {"a": [[0.5], [1.0]]}
    assert np.array_equal(pickle.loads(pickle.dumps(m)).compile().run(inputs)["b"], m.compile().run(inputs)["b"])


def test_what_the_builder_lets_pass_is_found_when_it_is_compiled():
    m = base()
    m.schedule.trial_ends(cogir.Threshold("a", "value", 1.0, ">", indices=5))
    for mode in ("run", "python"):
        with pytest.raises(cogir.ModelError, match='model "m": end of a trial: index 5 is out of range for @a'):
            m.compile(mode=mode)


def test_counts_and_flags_from_numpy():
    m = base()
    n = m.node("n", library.drift_diffusion_integrator, max_executions_before_finished=np.int64(5), execute_until_finished=np.True_)
    assert n.record.max_executions == 5
    assert cogir.AfterPass(np.int64(2)).n == 2


@pytest.mark.parametrize("context", [3, ["a"]])
def test_a_context_by_something_else_than_a_name(context):
    with pytest.raises(cogir.InputError, match=r"context: found .*; give a name, or nothing for the default context"):
        base().compile(mode="python").run(context=context)


def complex_at_zero(variable):
    """The root of a number that is negative only for the value that the port starts with."""
    return (variable[0] - 1.0) ** 0.5


def infinite_at_zero(variable):
    """A division by the value that the port starts with."""
    return 1.0 / variable.item()


@pytest.mark.parametrize(("function", "expected"), [(complex_at_zero, 2.0), (infinite_at_zero, 0.2)])
@pytest.mark.parametrize("mode", ["run", "python"])
def test_only_the_numbers_of_a_trial_count(function, expected, mode):
    m = cogir.Model("m")
    m.node("a", function)
    assert m.compile(mode=mode).run({"a": [[5.0]]})["a"].tolist() == [expected]


@pytest.mark.parametrize("default", [np.matrix([[1.0, 2.0], [3.0, 4.0]]), sparse.csr_matrix([[1.0, 2.0], [3.0, 4.0]])])
def test_defaults_whose_product_is_another_one_are_refused(default: Any) -> None:
    def squared(x: Any, *, weights: Any = default) -> Any:
        return (weights * weights)[0, 0] * x

    m = cogir.Model("m")
    with pytest.raises(cogir.ModelError, match=r'parameter "weights" has a default of class \w+, whose \* is not that of arrays'):
        m.node("n", squared, input=2)
    m.node("n", squared, input=2, weights=np.asarray(default) if isinstance(default, np.ndarray) else default.toarray())
    assert m.compile(mode="python").run({"n": [[1.0, 1.0]]})["n"].tolist() == [[1.0, 1.0]]
