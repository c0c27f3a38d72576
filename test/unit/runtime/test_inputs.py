"""Inputs in all the forms that users give them."""

import re
import warnings
from typing import Any

import numpy as np
import pytest

import cogir
from cogir import library
from cogir.errors import InputError
from cogir.runtime.generator_states import state_words
from cogir.runtime.inputs import InputReader
from cogir.runtime.plan import GeneratorStart, Plan, PlanSlot


def plan(**ports: tuple[int, ...]) -> Plan:
    """A plan with these inputs; `a__x` is port x of node a."""
    slots: dict[str, PlanSlot] = {}
    offset = 0
    for name, shape in ports.items():
        slot = PlanSlot(f"in:{name.replace('__', '/')}", "in", offset, shape, "f64")
        slots[slot.path] = slot
        offset += slot.size
    return Plan(
        slots=slots,
        sizes={"in": offset},
        nodes=[],
        inputs=[path.removeprefix("in:") for path in slots],
        outputs=[],
        shown=0,
        controllers={},
        generators={},
        pf=np.zeros(1),
        pi=np.zeros(1, np.int64),
    )


ONE = InputReader(plan(a__x=(1,)))
PAIR = InputReader(plan(a__x=(2,)))
NUMBER = InputReader(plan(a__x=()))
SQUARE = InputReader(plan(a__x=(2, 2)))
TWO = InputReader(plan(a__x=(2,), b__y=(1,)))
PORTS = InputReader(plan(a__x=(2,), a__y=(2,)))
DEEP = InputReader(plan(inner__a__x=(1,)))

FORMS = {
    "one trial of a vector": (PAIR, {"a": [1, 2]}, [[1, 2]]),
    "trials of a vector": (PAIR, {"a": [[1, 2], [3, 4]]}, [[1, 2], [3, 4]]),
    "as PsyNeuLink nests them": (PAIR, {"a": [[[1, 2]], [[3, 4]]]}, [[1, 2], [3, 4]]),
    "by port": (PAIR, {"a/x": [1, 2]}, [[1, 2]]),
    "by pair": (PAIR, {("a", "x"): [1, 2]}, [[1, 2]]),
    "by node and port": (PAIR, {"a": {"x": [1, 2]}}, [[1, 2]]),
    "without names": (PAIR, [[1, 2], [3, 4]], [[1, 2], [3, 4]]),
    "numbers for a vector of one": (ONE, {"a": [1, 2, 3]}, [[1], [2], [3]]),
    "one number for a vector of one": (ONE, {"a": 5}, [[5]]),
    "columns for a vector of one": (ONE, {"a": [[1], [2]]}, [[1], [2]]),
    "numbers for a number": (NUMBER, {"a": [1, 2]}, [[1], [2]]),
    "one number": (NUMBER, {"a": 5}, [[5]]),
    "one matrix": (SQUARE, {"a": [[1, 2], [3, 4]]}, [[1, 2, 3, 4]]),
    "matrices": (SQUARE, {"a": [[[1, 2], [3, 4]]] * 2}, [[1, 2, 3, 4]] * 2),
    "rows for a matrix": (SQUARE, np.arange(8.0).reshape(2, 4), [[0, 1, 2, 3], [4, 5, 6, 7]]),
    "two nodes": (TWO, {"a": [[1, 2], [3, 4]], "b": [5, 6]}, [[1, 2, 5], [3, 4, 6]]),
    "one that stays the same": (TWO, {"a": [[1, 2], [3, 4]], "b": 5}, [[1, 2, 5], [3, 4, 5]]),
    "one that is left out": (TWO, {"b": [5, 6]}, [[0, 0, 5], [0, 0, 6]]),
    "rows for two nodes": (TWO, np.arange(6.0).reshape(2, 3), [[0, 1, 2], [3, 4, 5]]),
    "one row for two nodes": (TWO, np.arange(3.0), [[0, 1, 2]]),
    "ports of a node together": (PORTS, {"a": [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]}, [[1, 2, 3, 4], [5, 6, 7, 8]]),
    "ports of a node apart": (PORTS, {"a": {"y": [3, 4], "x": [1, 2]}}, [[1, 2, 3, 4]]),
    "inside an instance": (DEEP, {"inner/a": [1, 2]}, [[1], [2]]),
    "the only input of an instance": (DEEP, {"inner": [1, 2]}, [[1], [2]]),
    "nothing": (TWO, None, [[0, 0, 0]]),
    "no names": (TWO, {}, [[0, 0, 0]]),
}


@pytest.mark.parametrize("case", FORMS)
def test_form(case):
    reader, given, rows = FORMS[case]
    assert reader.rows(given).tolist() == rows


@pytest.mark.parametrize("key", [None, "a", "a/x"])
def test_rows_are_used_as_they_stand(key):
    rows = np.zeros((5, 2))
    used = PAIR.rows(rows if key is None else {key: rows})
    assert np.shares_memory(used, rows)


MISTAKES = {
    "unknown name": (TWO, {"aa": 1}, 'inputs: there is no "aa"; did you mean "a"?'),
    "wrong length": (PAIR, {"a": [1, 2, 3]}, r"inputs: a has shape \(2,\), but the values have shape \(3,\); .*\(trials, 2\)"),
    "different numbers of trials": (TWO, {"a": [[1, 2]] * 3, "b": [1, 2]}, "inputs: b/y has 2 trials, but another input has 3"),
    "words": (PAIR, {"a": [["x", "y"]]}, "inputs: the values for a are not an array of numbers"),
    "ragged": (PAIR, {"a": [[1, 2], [3]]}, "not an array of numbers: found .*, whose rows have different lengths"),
    "no trials": (PAIR, {"a": []}, "inputs: the values for a are empty; give at least one trial"),
    "given twice": (TWO, {"a": [1, 2], "a/x": [3, 4]}, 'inputs: a/x is given twice, as "a" and as "a/x"'),
    "ports of different sizes together": (PORTS, {"a": [1, 2, 3]}, r"inputs: a has 2 ports \(a/x, a/y\) with 4 elements"),
    "a list without names": (
        TWO,
        [[1, 2, 3]],
        'inputs: found a list, but the model has 2 inputs; give trials by name, such as {"',
    ),
    "rows of a wrong width": (TWO, np.zeros((2, 4)), r"inputs: the array has shape \(2, 4\); one of shape \(trials, 3\)"),
    "no name": (TWO, {3: [1]}, "found 3 as a name; give the name of a node"),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_mistake(case):
    reader, given, message = MISTAKES[case]
    with pytest.raises(InputError, match=message):
        reader.rows(given)


def test_a_plan_survives_its_text():
    one = plan(a__x=(2,), b__y=())
    one.generators = {"a/random:r": GeneratorStart("philox4x64", 3, None), "b/random:r": GeneratorStart("mt19937", None, np.arange(627))}
    one.pf = np.array([0.1, np.inf, -0.0, np.nan])
    other = Plan.from_json(one.to_json())
    assert other.slots == one.slots
    assert other.pf.tobytes() == one.pf.tobytes()
    assert [start.state().tolist() for start in other.generators.values()] == [s.state().tolist() for s in one.generators.values()]


def used(generator):
    """The generator after an odd number of normals, so that one is kept in reserve."""
    generator.standard_normal(3)
    return generator


STATES = {
    "RandomState": (lambda: used(np.random.RandomState([1])), "mt19937"),
    "its tuple": (lambda: used(np.random.RandomState([1])).get_state(), "mt19937"),
    "its dict": (lambda: used(np.random.RandomState([1])).get_state(legacy=False), "mt19937"),
    "Generator": (lambda: used(np.random.Generator(np.random.Philox([1]))), "philox4x64"),
    "bit generator": (lambda: used(np.random.Generator(np.random.Philox([1]))).bit_generator, "philox4x64"),
    "its state": (lambda: used(np.random.Generator(np.random.Philox([1]))).bit_generator.state, "philox4x64"),
}


@pytest.mark.parametrize("case", STATES)
def test_states_of_generators(case):
    from cogir.library.random.generators import unpack

    make, kind = STATES[case]
    found, words = state_words(make())
    assert found == kind
    reference = used(np.random.RandomState([1]) if kind == "mt19937" else np.random.Generator(np.random.Philox([1])))
    assert unpack(kind, words).standard_normal(4).tolist() == reference.standard_normal(4).tolist()
    assert state_words(words) == (kind, pytest.approx(words))


@pytest.mark.parametrize("given", [np.zeros(5, np.int64), np.zeros(3), "seed", np.random.PCG64(1), ("MT19937", [1])])
def test_other_things_are_no_states(given):
    with pytest.raises(InputError, match=r"generator state: found 5, which is no generator, nor the state of one; give cogir\.random"):
        state_words(5)
    with pytest.raises(InputError, match=r"generator state: .*; give cogir\.random\(seed\), a NumPy RandomState"):
        state_words(given)


def two_inputs() -> cogir.Model:
    model = cogir.Model("pair")
    first, second = model.node("first", input=2), model.node("second", input=())
    both = model.node("both", library.linear, input=1)
    model.project(first, both, matrix=[[1.0], [1.0]])
    model.project(second, both)
    return model


def test_inputs_that_are_forgotten_are_named() -> None:
    compiled = two_inputs().compile()
    message = (
        'input "first" is not given, and is zero in all trials; give all inputs, also where zeros are meant: inputs={"first": [[0.0, 0.0]]}'
    )
    for call in (compiled.run, compiled.replicates):
        with pytest.warns(cogir.MissingInputWarning) as caught:
            call({"second": [1.0]})
        compiled.reset()
        assert str(caught[0].message) == f"{call.__name__}: {message}"
        assert caught[0].filename == __file__
    with pytest.warns(cogir.MissingInputWarning, match='sweep: input "second" is not given'):
        compiled.sweep({"first": [[1.0, 2.0]]})
    for inputs in (None, {}, np.ones((1, 3)), {"first": [[1.0, 2.0]], "second": [0.0]}, {"first": {"variable": [1.0, 2.0]}, "second": 0.0}):
        compiled.run(inputs)
    compiled.reset()
    compiled.sweep({"first": [[1.0, 2.0]]}, {"second": [1.0]})
    compiled.sweep({"both/slope": [1.0]})


def test_models_from_text_tell_of_forgotten_inputs_and_named_inputs_are_all() -> None:
    with pytest.warns(cogir.MissingInputWarning, match='run: input "second" is not given'):
        cogir.compile(str(two_inputs().ir())).run({"first": [1.0, 2.0]})
    model = two_inputs()
    model.input("first")
    assert model.compile().run({"first": [1.0, 2.0]})["both"].tolist() == [[3.0]]
    imported = two_inputs()
    imported.warns = False
    assert imported.compile().run({"first": [1.0, 2.0]})["both"].tolist() == [[3.0]]


def test_targets_are_only_needed_to_learn() -> None:
    model = two_inputs()
    target = model.node("target", input=1)
    model.learning([(model["both"], target)], rate=0.1)
    given = {"first": [[1.0, 2.0]], "second": [0.0]}
    for compiled in (model.compile(), cogir.compile(str(model.ir()))):
        compiled.run(given)
        with pytest.warns(cogir.MissingInputWarning, match='learn: input "target" is not given'):
            compiled.learn(given)
    model.project(target, "both")
    for compiled in (model.compile(), cogir.compile(str(model.ir()))):
        with pytest.warns(cogir.MissingInputWarning, match='run: input "target" is not given'):
            compiled.run(given)


def net(s: float, recurrent: float) -> float:
    return s + recurrent


def test_inputs_with_projections_are_not_zero() -> None:
    model = cogir.Model("net")
    node = model.node("net", net)
    model.project(node, node["recurrent"])
    outer = cogir.Model("outer")
    inner = cogir.Model("inner")
    inner.node("node", net)
    first = outer.node("first", input=1)
    instance = outer.instance("one", inner)
    outer.project(first, instance["node/recurrent"])
    outer.input(instance, first)
    with warnings.catch_warnings():
        warnings.simplefilter("error", cogir.MissingInputWarning)
        for compiled in (model.compile(), cogir.compile(str(model.ir()))):
            assert compiled.run({"net/s": [1.0, 1.0, 1.0]})["net"].tolist() == [[1.0], [2.0], [3.0]]
        for compiled in (outer.compile(), cogir.compile(str(outer.ir()))):
            compiled.run({"first": [1.0], "one/node/s": [1.0]})
            with pytest.raises(cogir.MissingInputWarning, match='input "one/node/s" is not given'):
                compiled.run({"first": [1.0]})


def test_sweeps_of_elements_tell_of_the_other_elements() -> None:
    """They are zero, which nobody said; conditions and tables are no different, and elements of all axes count together."""
    compiled = two_inputs().compile()
    rest: dict[str, Any] = {"second": [1.0]}
    told = re.escape(
        'input "first[0]" is not given, and is zero in all trials; give all inputs, also where zeros are meant: inputs={"first": [['
    )
    for points in (
        {"first[1]": [3.0, 4.0]},
        cogir.zipped({"first[1]": [3.0, 4.0]}),
        {"condition": {"low": {"first[1]": 3.0}, "high": {"first[1]": 4.0}}},
    ):
        for call in (compiled.sweep, compiled.explain):
            with pytest.warns(cogir.MissingInputWarning, match=f"{call.__name__}: {told}"):
                call(points, rest)
    with pytest.warns(cogir.MissingInputWarning, match=re.escape('sweep: inputs "first[0]", "second" are not given')):
        compiled.sweep({"first[1]": [3.0, 4.0]})
    with warnings.catch_warnings():
        warnings.simplefilter("error", cogir.MissingInputWarning)
        compiled.sweep({"first[1]": [3.0], "first[0]": [4.0]}, rest)
        compiled.sweep({"first[1]": [3.0]}, {"first": [1.0, 2.0], **rest})
        compiled.sweep({"first[1]": [3.0]}, np.ones((1, 3)))


def test_an_element_and_its_input_are_given_twice() -> None:
    compiled = two_inputs().compile()
    for inputs in ({"first[1]": [3.0], "first": [[1.0, 2.0]]}, {"first": {"variable": [[1.0, 2.0]]}, "first[0]": [3.0]}):
        with pytest.raises(
            cogir.InputError, match=r"inputs: first\[[01]\] is given twice, by itself and with its whole input; give it once"
        ):
            compiled.run(inputs)


def test_explain_tells_of_forgotten_inputs() -> None:
    compiled = two_inputs().compile()
    with pytest.warns(cogir.MissingInputWarning, match='explain: inputs "first", "second" are not given'):
        compiled.explain({"both/slope": [1.0, 2.0]}, replicates=2)
    with pytest.warns(cogir.MissingInputWarning, match='explain: input "second" is not given'):
        compiled.explain({"first": [[1.0, 2.0]]}, replicates=2)
    with warnings.catch_warnings():
        warnings.simplefilter("error", cogir.MissingInputWarning)
        compiled.explain({"both/slope": [1.0, 2.0]}, {"first": [1.0, 2.0], "second": 1.0}, replicates=2)
        compiled.explain()
