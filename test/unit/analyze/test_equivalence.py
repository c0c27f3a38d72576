"""Whether two models compute the same: what is found equal, and what is not, on models, texts and nodes."""

import sys
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from support.mutants import Change, constant, initial_state, mutated, other_source, parameter, random_change, weight, without_edge
from support.random.models import random_model

import cogir
from cogir import library
from cogir.analyze import equivalent
from cogir.frontend.parsed import ParsedModel
from cogir.library.signature import NonNegative, State, Step, Value, node_function
from cogir.library.signature import Random as Generator

sys.path.insert(0, str(Path(__file__).parents[3] / "examples"))

import extended_stroop
import necker_cube


def diffusion(seed: int = 0, name: str = "decision", prng: str = "mt19937", **given: Any) -> cogir.Model:
    """Drift diffusion by equation (1) of the Distill paper, read out by a logistic."""
    model = cogir.Model("diffusion")
    values = {"rate": 1.0, "noise": 1.0, "threshold": np.inf, "time_step_size": 0.01, **given}
    decision = model.node(name, library.drift_diffusion_integrator, input=1, seed=seed, prng=prng, **values)
    read = model.node("read", library.logistic, input=1)
    model.project(decision["value"], read)
    model.output(read)
    return model


def accumulator(count: int = 1, weights: float = 0.0, seed: int = 1, **given: Any) -> cogir.Model:
    """The leaky competing accumulator; without leak and competition it is a diffusion."""
    model = cogir.Model("accumulator")
    values = {"leak": 0.0, "noise": 1.0, "time_step_size": 0.01, **given}
    lca = model.node("lca", library.leaky_competing_accumulator, input=count, seed=seed, prng="mt19937", **values)
    model.project(lca["result"], lca, matrix=np.full((count, count), weights), recurrent=True)
    model.output(lca["result"])
    return model


@node_function(outputs=("value",))
def paper_ddm(
    variable: Value, *, a: Value = 1.0, c: NonNegative = 1.0, dt: NonNegative = 0.01, previous: State = 0.0, random: Generator
) -> Step:
    """Output(T) = Output(T - dt) + a * Input(T) * dt + N(0, c * sqrt(dt))"""
    value = previous + a * variable * dt + c * np.sqrt(dt) * random.normal(variable.shape)
    return Step(outputs=(value,), states=(value,))


@node_function(outputs=("value",))
def paper_lca(variable: Value, *, r: Value = 0.0, k: Value = 0.0, dt: NonNegative = 0.01, previous: State = 0.0, random: Generator) -> Step:
    """Outputs(T) = Outputs(T - dt) + (Inputs(T) - r * Outputs(T - dt)) * dt + sqrt(dt) * N + k"""
    value = previous + (variable - r * previous) * dt + np.sqrt(dt) * random.normal(variable.shape) + k
    return Step(outputs=(value,), states=(value,))


def single(function: Callable[..., Any], seed: int = 0, count: int = 1, **given: Any) -> cogir.Model:
    """A model of one node."""
    model = cogir.Model(function.__name__)
    model.node("node", function, input=count, seed=seed, prng="mt19937", **given)
    return model


# What is equal.


def test_necker_cube_and_its_vectorised_version() -> None:
    found = equivalent(necker_cube.build("m"), necker_cube.build("vectorised"))
    assert found
    assert (found.answer, found.level) == ("equal over the reals", "reals")
    assert not equivalent(necker_cube.build("m"), necker_cube.build("vectorised"), level="bits")
    assert found.inputs.startswith("node3/variable = node4/variable = a-0/variable, a-1/variable")
    assert len(found.outputs) == 32


def test_necker_cube_runs_alike() -> None:
    """The two differ by rounding, so that the answer is not stronger than it should be."""
    one, other = necker_cube.build("m").compile(), necker_cube.build("vectorised").compile()
    stimulus = np.linspace(-1.0, 1.0, 16).reshape(1, 16)
    first = np.array([np.concatenate(trial) for trial in one.run(stimulus, num_trials=8).results])
    second = np.array([trial[0] for trial in other.run(np.hstack([stimulus, stimulus]), num_trials=8).results])
    assert 0.0 < np.max(np.abs(first - second) / np.max(np.abs(first))) < 1e-13


def test_extended_stroop() -> None:
    found = equivalent(extended_stroop.build("A"), extended_stroop.build("B"))
    assert found
    assert found.answer == "bit-equal"
    assert equivalent(extended_stroop.build("A"), extended_stroop.build("B"), level="bits")
    compiled = [extended_stroop.build(variant).compile() for variant in "AB"]
    stimulus = np.random.default_rng(0).normal(size=(1, 8))
    first, second = (np.array(each.run(stimulus, num_trials=50)["REWARD"]) for each in compiled)
    assert (first.view(np.int64) == second.view(np.int64)).all()


def test_the_accumulator_with_the_parameters_of_the_paper_is_a_diffusion() -> None:
    assert equivalent(single(paper_lca), single(paper_ddm)).answer == "equal over the reals"
    assert equivalent(single(paper_lca, seed=1), single(paper_ddm, seed=2)).answer == "equal in distribution"
    assert equivalent(accumulator(), diffusion()).answer == "equal in distribution"
    assert not equivalent(single(paper_lca, r=0.1), single(paper_ddm))


def test_accumulators_and_as_many_diffusions() -> None:
    """A vector of three draws from one generator has the distribution of three draws from three generators, unless two begin alike."""
    for seeds, answer in (((5, 6, 7), "equal in distribution"), ((5, 5, 7), "not shown")):
        model = cogir.Model("three")
        for at, seed in enumerate(seeds):
            model.node(f"node{at}", paper_ddm, input=1, seed=seed, prng="mt19937")
        assert equivalent(single(paper_lca, count=3), model).answer == answer


def test_accumulator_that_runs_to_a_threshold() -> None:
    until = {"execute_until_finished": True, "reset_each_trial": True, "max_executions_before_finished": 2**62, "threshold": 0.7}
    assert equivalent(accumulator(leak=0.1, **until), accumulator(leak=0.1, **until)).answer == "bit-equal"
    assert equivalent(accumulator(leak=0.1, seed=1, **until), accumulator(leak=0.1, seed=2, **until)).answer == "equal in distribution"
    changed = equivalent(accumulator(leak=0.1, **until), accumulator(leak=0.1, **{**until, "threshold": 0.8}))
    assert changed.answer == "not shown"
    assert "0.7" in str(changed)
    assert "0.8" in str(changed)


def test_sums_of_normal_numbers() -> None:
    """3 and 4 make 5, also with signs; and a generator of another kind has the same distribution."""

    @node_function(outputs=("value",))
    def two(variable: Value, *, a: Value = 3.0, b: Value = -4.0, random: Generator) -> Value:
        return variable + a * random.normal() + b * random.normal()

    @node_function(outputs=("value",))
    def one(variable: Value, *, c: Value = -5.0, random: Generator) -> Value:
        return variable + c * random.normal()

    @node_function(outputs=("value",))
    def twice(variable: Value, *, c: Value = 5.0, random: Generator) -> Value:
        draw = random.normal()
        return variable * draw + c * draw

    assert equivalent(single(two), single(one)).answer == "equal in distribution"
    assert equivalent(single(two, a=3.5), single(one)).answer == "not shown"
    assert equivalent(single(two), single(twice)).answer == "not shown"
    assert equivalent(diffusion(prng="mt19937"), diffusion(prng="philox")).answer == "equal in distribution"


# Parameters.


def test_under_parameter_values() -> None:
    leaky, plain = accumulator(leak=0.3), diffusion()
    given = equivalent(leaky, plain, parameters={"lca/leak": 0.0})
    assert given
    assert given.answer == "equal under these parameter values"
    assert given.parameters == {"lca/leak": 0.0}
    assert not equivalent(leaky, plain)


def test_parameter_values_that_are_found() -> None:
    found = equivalent(accumulator(leak=0.3), diffusion(), find_parameters=True)
    assert not found, "it is about other values than those of the models"
    assert found.answer == "equal under these parameter values"
    assert found.parameters == {"lca/leak": 0.0}
    names = ["lca/leak", "lca:result->lca:variable/matrix"]
    both = equivalent(accumulator(leak=0.3, weights=-0.5), diffusion(), find_parameters=names)
    assert both.parameters == dict.fromkeys(names, 0.0)


def test_for_all_values() -> None:
    found = equivalent(accumulator(leak=0.3), accumulator(leak=0.7), for_all=["lca/leak"])
    assert found.answer == "bit-equal"
    assert found.for_all == ("lca/leak",)
    assert not equivalent(accumulator(leak=0.3), accumulator(leak=0.7))
    names = {"node/a": "node/k"}
    with pytest.raises(cogir.InputError, match="no parameter"):
        equivalent(single(paper_lca), single(paper_ddm), for_all={"node/b": "node/r"})
    assert not equivalent(single(paper_lca), single(paper_ddm), for_all=names)
    looping = single(library.drift_diffusion_integrator, execute_until_finished=True, reset_each_trial=True)
    (whole,) = [name for name in looping.compile().params if "executions" in name]
    with pytest.raises(cogir.InputError, match="whole number"):
        equivalent(looping, looping, for_all=[whole])


# Nodes, texts, and what belongs together.


def test_nodes() -> None:
    one, other = accumulator(leak=0.3), accumulator(leak=0.3, weights=-0.2)
    assert not equivalent(one, other)
    assert equivalent(one, other, nodes="lca").answer == "bit-equal"
    model = cogir.Model("m")
    first, second = model.node("a", paper_ddm, input=2, seed=1), model.node("b", paper_ddm, input=2, seed=2, c=-1.0 * 0 + 1.0)
    assert equivalent(first, second).answer == "equal in distribution"
    with pytest.raises(cogir.ModelError, match='no node "c"'):
        equivalent(model, model, nodes="c")


def test_texts_and_modules() -> None:
    text = str(single(paper_ddm).ir())
    assert equivalent(text, single(paper_ddm).ir()).answer == "bit-equal"
    with pytest.raises(cogir.ModelError, match="found 3"):
        equivalent(3, text)


def test_ports_that_belong_together() -> None:
    def model(order: str) -> cogir.Model:
        found = cogir.Model("m")
        nodes = {name: found.node(name, library.linear, input=1, slope={"a": 2.0, "b": 3.0}[name]) for name in order}
        found.input(*nodes.values())
        found.output(*nodes.values())
        return found

    renamed = ParsedModel(str(model("ab").ir()).replace('@a["', '@p["').replace("@a ", "@p ").replace("@a(", "@p("))
    assert equivalent(model("ab"), model("ba"))
    assert equivalent(model("ab"), renamed)
    crossed = equivalent(model("ab"), renamed, inputs={"p": "b", "b": "a"})
    assert not crossed
    assert equivalent(model("ab"), renamed, inputs=[("a", "p"), ("b", "b")], outputs=[(["a", "b"], ["p", "b"])])
    with pytest.raises(cogir.InputError, match='no input "c"'):
        equivalent(model("ab"), renamed, inputs={"p": "c"})
    with pytest.raises(cogir.InputError, match="b/variable of the first model has no counterpart"):
        equivalent(model("ab"), renamed, inputs={"p": "a"})
    with pytest.raises(cogir.InputError, match="say which belong together"):
        equivalent(model("ab"), single(paper_ddm, count=3))


def test_wrong_questions() -> None:
    with pytest.raises(cogir.InputError, match="level is 'exactly'"):
        equivalent(single(paper_ddm), single(paper_ddm), level="exactly")  # type: ignore[arg-type]
    with pytest.raises(cogir.InputError, match='no parameter "node/leek"'):
        equivalent(single(paper_ddm), single(paper_ddm), parameters={"node/leek": 0.0})


# What is not equal.

NECKER: list[Change] = [
    parameter("a-0", "integration_rate", lambda old: old + 0.1),
    parameter("b-7", "slope", lambda old: -old),
    parameter("b-3", "intercept", lambda old: old + 1e-9),
    parameter("a-5", "noise", lambda old: old + 0.5),
    initial_state("a-2", 0.25),
    weight(0, lambda old: -old),
    weight(7, lambda old: old * 1.0000001),
    without_edge(3),
    without_edge(40),
    other_source(5, "b-6"),
]
STROOP: list[Change] = [
    parameter("DDM_COLOR", "drift_rate", lambda old: -old),
    parameter("DDM_POINT", "threshold", lambda old: old * 1.0000001),
    parameter("COLORS_HIDDEN", "integration_rate", lambda old: old * 2.0),
    parameter("TASK_LAYER", "gain", lambda old: old + 1e-12),
    initial_state("RESPONSE", 0.1),
    constant("reward", 0, lambda old: -old),
    constant("pointing_evidence", 0, lambda old: old + 1e-9),
    weight(3, lambda old: -old),
    without_edge(11),
    without_edge(4),
]
DIFFUSION: list[Change] = [
    parameter("decision", "rate", lambda old: -old),
    parameter("decision", "noise", lambda old: old * 1.0000001),
    parameter("decision", "offset", lambda old: old + 1e-9),
    parameter("decision", "threshold", lambda old: 100.0),
    parameter("decision", "time_step_size", lambda old: old * 2.0),
    parameter("read", "gain", lambda old: -old),
    parameter("read", "bias", lambda old: old + 0.5),
    parameter("read", "scale", lambda old: old * 3.0),
    initial_state("decision", 0.1),
    without_edge(0),
]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("number", range(10))
def test_mutants_of_the_necker_cube(number: int) -> None:
    mutant = ParsedModel(mutated(necker_cube.build("m").ir(), NECKER[number]))
    found = equivalent(mutant, necker_cube.build("vectorised"))
    assert found.answer == "not shown"
    assert found.difference is not None or found.reason
    assert found.counterexample() is not None


@pytest.mark.sampled(2)
@pytest.mark.parametrize("number", range(10))
def test_mutants_of_extended_stroop(number: int) -> None:
    mutant = ParsedModel(mutated(extended_stroop.build("A").ir(), STROOP[number]))
    found = equivalent(mutant, extended_stroop.build("B"), level="reals")
    assert found.answer == "not shown"
    assert found.difference is not None


@pytest.mark.parametrize("number", range(10))
def test_mutants_of_the_diffusion(number: int) -> None:
    mutant = ParsedModel(mutated(diffusion().ir(), DIFFUSION[number]))
    found = equivalent(accumulator(), mutant)
    assert found.answer == "not shown"
    assert found.difference is not None


def test_the_first_difference_is_named() -> None:
    mutant = ParsedModel(mutated(necker_cube.build("m").ir(), parameter("b-7", "slope", lambda old: 1.5)))
    text = str(equivalent(mutant, necker_cube.build("m")))
    assert "b-7/value[0]" in text
    assert "1.5" in text
    case = equivalent(mutant, necker_cube.build("m")).counterexample()
    assert case is not None
    assert case.trial == 0
    assert "in trial 1, with a-0/variable" in str(case)


def whole(x: Any) -> Any:
    return 2**53 + (x > 0.0).astype(np.int64)


def other_whole(x: Any) -> Any:
    return 2**53 + 0 * (x > 0.0).astype(np.int64)


@pytest.mark.parametrize("least", ["bits", "reals"])
def test_whole_numbers_are_compared_as_such(least: Any) -> None:
    def model(function: Any) -> cogir.Model:
        made = cogir.Model(function.__name__)
        made.output(made.node("node", function, input=1))
        return made

    found = equivalent(model(whole), model(other_whole), level=least)
    case = found.counterexample()
    assert case is not None
    assert case.values == (2**53 + 1, 2**53)
    assert str(case).endswith(": 9007199254740993 and 9007199254740992")
    assert equivalent(model(whole), model(whole), level=least).counterexample() is None


def test_as_a_table() -> None:
    pandas = pytest.importorskip("pandas")
    mutant = ParsedModel(mutated(necker_cube.build("s").ir(), weight(0, lambda old: -old)))
    table = equivalent(mutant, necker_cube.build("s")).to_dataframe()
    assert isinstance(table, pandas.DataFrame)
    assert list(table.columns) == ["first", "second", "answer"]
    assert len(table) == 6


def test_as_a_dataset_and_a_picture() -> None:
    pytest.importorskip("xarray")
    pytest.importorskip("matplotlib")
    mutant = ParsedModel(mutated(necker_cube.build("s").ir(), weight(0, lambda old: -old)))
    found = equivalent(mutant, necker_cube.build("s"))
    answers = [pair.answer for pair in found.outputs]
    assert "not shown" in answers
    assert found.to_xarray()["answer"].values.tolist() == answers
    assert found.plot().get_yticklabels()[0].get_text() == f"{found.outputs[0].first}, {found.outputs[0].second}"


def test_what_cannot_be_compared_says_why() -> None:
    found = equivalent(accumulator(), accumulator(), budget=10)
    assert not found
    assert "more than 10 operations" in str(found)


# Random models.


def outputs_of(model: ParsedModel, inputs: dict[str, Any], trials: int) -> list[np.ndarray]:
    """The results of each trial, flat."""
    compiled = model.compile(unfinished="ignore", out_of_range="ignore", mode="python")
    return [np.concatenate([np.ravel(value) for value in trial]) for trial in compiled.run(inputs, num_trials=trials).results]


def check_random(seeds: range, mutants: int) -> Counter[str]:
    """Random models are equal to themselves, and what is said to be equal to a mutant runs alike."""
    counts: Counter[str] = Counter()
    for seed in seeds:
        drawn = random_model(Random(seed))
        base = ParsedModel(drawn.model.ir())
        assert equivalent(base, base).answer == "bit-equal", f"seed {seed}"
        for number in range(mutants):
            module = drawn.model.ir()
            random_change(module, Random(1000 * seed + number))
            try:
                mutant = ParsedModel(module)
            except cogir.ModelError:
                continue
            found = equivalent(base, mutant)
            counts[found.answer] += 1
            if found.level not in ("bits", "reals"):
                continue
            first, second = (outputs_of(model, drawn.inputs, 4) for model in (base, mutant))
            assert len(first) == len(second)
            for one, other in zip(first, second, strict=True):
                same = np.array_equal(one.view(np.int64), other.view(np.int64)) or np.array_equal(one, other, equal_nan=True)
                if found.level == "reals":
                    same = np.allclose(one, other, rtol=1e-7, atol=1e-7, equal_nan=True)
                assert same, f"seed {seed}, mutant {number}: {found}\n{one}\n{other}"
    return counts


def test_random_models() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        counts = check_random(range(3), 2)
    assert sum(counts.values()) >= 4


@pytest.mark.full
def test_many_random_models() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        counts = check_random(range(100, 260), 4)
    assert counts["not shown"] > 100
    assert counts["bit-equal"] > 50


def of_sign(x: Value) -> Value:
    return np.copysign(2.0, x)


def of_sum(x: Value) -> Value:
    return np.copysign(2.0, x + 0.0)


def of_angle(x: Value) -> Value:
    return np.arctan2(x[0], x[1])


def of_angle_of_sum(x: Value) -> Value:
    return np.arctan2(x[0] + 0.0, x[1])


def of_angle_to_sum(x: Value) -> Value:
    return np.arctan2(x[0], x[1] + 0.0)


def of_floor(x: Value) -> Value:
    return np.floor((x[0] + x[1]) + x[2])


def of_other_floor(x: Value) -> Value:
    return np.floor(x[0] + (x[1] + x[2]))


def of_whole(x: Value) -> Value:
    return float(int((x[0] + x[1]) + x[2]))


def of_other_whole(x: Value) -> Value:
    return float(int(x[0] + (x[1] + x[2])))


def of_memory(x: Value, *, last: State = 0.0) -> Step:
    return Step(outputs=(np.copysign(2.0, last),), states=(x,))


def of_sum_in_memory(x: Value, *, last: State = 0.0) -> Step:
    return Step(outputs=(np.copysign(2.0, last),), states=(x + 0.0,))


def of_negative_memory(x: Value, *, last: State = -0.0) -> Step:
    return Step(outputs=(np.copysign(2.0, last),), states=(x,))


def of_loop(x: Value) -> Value:
    total = x[0]
    while total < 3.0:
        total = total + np.exp(x[1])
    return np.copysign(1.0, total - 4.0)


def of_other_loop(x: Value) -> Value:
    total = x[0] + 0.0
    while total < 3.0:
        total = np.exp(x[1]) + total
    return np.copysign(1.0, total - 4.0)


def noisy_sign(x: Value, *, random: Generator) -> Value:
    return np.copysign(2.0, x) + random.normal()


def noisy_sum(x: Value, *, random: Generator) -> Value:
    return np.copysign(2.0, x + 0.0) + random.normal()


def one_node(function: Any, input: int) -> cogir.Model:
    model = cogir.Model(function.__name__)
    model.node("n", function, input=input)
    return model


@pytest.mark.parametrize(
    ("first", "second", "input"),
    [
        (of_sign, of_sum, 1), (of_angle, of_angle_of_sum, 2), (of_angle, of_angle_to_sum, 2), (of_floor, of_other_floor, 3),
        (of_whole, of_other_whole, 3), (of_memory, of_sum_in_memory, 1), (of_memory, of_negative_memory, 1), (of_loop, of_other_loop, 2),
        (noisy_sign, noisy_sum, 1),
    ],
)  # fmt: skip
def test_what_jumps_is_equal_by_bits_only(first: Any, second: Any, input: int) -> None:
    """Where an operation jumps, the sign of a zero or a rounding of its operand makes another number, which is no rounding."""
    assert cogir.analyze.equivalent(one_node(first, input), one_node(second, input)).answer == "not shown"
    for function in (first, second):
        assert cogir.analyze.equivalent(one_node(function, input), one_node(function, input)).answer == "bit-equal"


def test_what_jumps_elsewhere_is_equal() -> None:
    """Beside such an operation sums are equal over the reals."""

    def one(x: Value) -> Value:
        return np.copysign(2.0, x[0]) * ((x[0] + x[1]) + x[2])

    def other(x: Value) -> Value:
        return np.copysign(2.0, x[0]) * (x[0] + (x[1] + x[2]))

    assert cogir.analyze.equivalent(one_node(one, 3), one_node(other, 3)).answer == "equal over the reals"


def test_the_difference_says_that_an_operation_jumps() -> None:
    found = str(cogir.analyze.equivalent(one_node(of_sign, 1), one_node(of_sum, 1)))
    assert "equal over the reals, but for an operand that differs by rounding or the sign of a zero, where an operation jumps" in found
