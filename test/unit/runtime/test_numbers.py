"""What counts as a number, and what is refused instead of being changed silently."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import cogir
from cogir.library import Random, State, Step
from cogir.runtime import numbers
from cogir.runtime.numbers import NotNumbers, as_numbers
from cogir.study.free import VariedQuantities

TAKEN = {
    "a number": (1.5, np.float64, 1.5),
    "a whole number": (3, np.float64, 3.0),
    "flags": ([True, False], np.float64, [1.0, 0.0]),
    "a large number with an exact float": (2**70, np.float64, 2.0**70),
    "fractions and decimals": ([Fraction(1, 4), Decimal("0.5")], np.float64, [0.25, 0.5]),
    "f32": (np.float32(0.1), np.float64, float(np.float32(0.1))),
    "unsigned": (np.array([2**64 - 2048], np.uint64), np.float64, [2.0**64 - 2048]),
    "not a number": (float("nan"), np.float64, float("nan")),
    "infinities": ([np.inf, -np.inf], np.float32, [np.inf, -np.inf]),
    "a whole number as a float": (2.0, np.int64, 2),
    "the largest whole number": (2**63 - 1, np.int64, 2**63 - 1),
    "flags as whole numbers": (True, np.int64, 1),
    "ones and zeros as flags": ([1, 0.0], np.bool_, [True, False]),
    "rounded to f32": (0.1, np.float32, np.float32(0.1)),
}


@pytest.mark.parametrize("case", TAKEN)
def test_taken(case):
    given, dtype, expected = TAKEN[case]
    array = as_numbers(given, dtype)
    assert array.dtype == dtype
    np.testing.assert_array_equal(array, expected)


REFUSED = {
    "nothing": (None, np.float64, "found None, which is not a number"),
    "nothing among numbers": ([1.0, None], np.float64, "found None, which is not a number"),
    "text": ("3", np.float64, "found '3', which is text"),
    "text among numbers": (np.array([1, "a"], object), np.float64, "found 'a', which is not a number"),
    "an array of text": (np.array(["1.0"]), np.float64, "which is text"),
    "a type": (float, np.float64, "found <class 'float'>, which is not a number"),
    "a type among numbers": ([1, int], np.float64, "found <class 'int'>, which is not a number"),
    "arrays among numbers": (np.array([0.5, np.ones(2)], object), np.float64, "of which not each is a number"),
    "complex": (np.array([1j]), np.float64, "which is complex numbers"),
    "dates": (np.array(["2020-01-01"], "datetime64[D]"), np.float64, "which is dates"),
    "ragged": ([[1], [1, 2]], np.float64, "whose rows have different lengths"),
    "too fine for a float": (
        2**53 + 1,
        np.float64,
        r"found 9007199254740993, which float64 cannot represent exactly .*; write it as a float to round it",
    ),
    "an array too fine for a float": (np.array([1, 2**53 + 1]), np.float64, "cannot represent exactly"),
    "too fine among floats": (np.array([0.5, 2**70 + 1], object), np.float64, "cannot represent exactly"),
    "too large for a float": (10**400, np.float64, "which is too large for a float"),
    "too large for f32": (1e300, np.float32, "which is too large for float32"),
    "a fraction": (2.5, np.int64, "found 2.5, which is not a whole number"),
    "not a number at all": (float("nan"), np.int64, "found nan, which is not a whole number"),
    "infinite": (float("inf"), np.int64, "found inf, which is not a whole number"),
    "too large": (2**70, np.int64, "found 1180591620717411303424, which is not a whole number of 64 bits"),
    "unsigned, too large": (np.array([2**63], np.uint64), np.int64, "which is not a whole number of 64 bits"),
    "no flag": (2, np.bool_, r"found 2, which is not a flag \(0 or 1\)"),
    "half a flag": (0.5, np.bool_, "found 0.5, which is not a flag"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case):
    given, dtype, message = REFUSED[case]
    with pytest.raises(NotNumbers, match=message):
        as_numbers(given, dtype)


def counter(variable, *, step=1, start: State = 0):
    """Counts in whole steps."""
    count = start + step
    return Step(outputs=(variable * count,), states=(count,))


@pytest.fixture(scope="module", params=["python", "per_node", "run"])
def compiled(request) -> cogir.Compiled:
    m = cogir.Model("m")
    m.node("a", counter, input=2)
    return m.compile(mode=request.param)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (
            2.5,
            r"parameter a/param:step: found 2.5, which is not a whole number of 64 bits: .* as a float \(rate=1.0\); a value of shape",
        ),
        (2**70, "which is not a whole number of 64 bits"),
        (None, "found None, which is not a number"),
        ("3", "found '3', which is text"),
        (1j, "which is complex numbers"),
        (float("nan"), "found nan, which is not a whole number"),
        ([1, 2], r"found \[1, 2\]; a value of shape \(\)"),
        (np.ma.masked_array(3, mask=True), "found a masked array"),
    ],
)
def test_a_parameter_that_is_no_such_number(compiled, value, message):
    before = compiled.params["a/step"]
    with pytest.raises(cogir.InputError, match=message):
        compiled.params["a/step"] = value
    assert compiled.params["a/step"] == before


def test_a_state_that_is_no_such_number(compiled):
    with pytest.raises(cogir.InputError, match=r"state a/state:start: found 0.5, which is not a whole number"):
        compiled.state["a/start"] = 0.5


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        (np.array([["1", "2"]]), "inputs: the values for (a|all ports) are not an array of numbers: found .*, which is text"),
        ({"a": [[1.0, None]]}, "inputs: the values for a are not an array of numbers: found None"),
        (np.array([[1j, 0]]), "which is complex numbers"),
        ({"a": np.ma.masked_array([[1.0, 2.0]], mask=[[True, False]])}, "the values for a are not .*: found a masked array; give values"),
        ([[1, 2], [3]], "rows have different lengths"),
        ({"a": [[2**53 + 1, 0]]}, "cannot represent exactly"),
        ([], "inputs: the values for a/variable are empty"),
    ],
)
def test_inputs_that_are_no_numbers(compiled, inputs, message):
    with pytest.raises(cogir.InputError, match=message):
        compiled.run(inputs)


WHOLE = """
cog.model @m {
  cog.node @a (%x: i64, %b: i1) -> (x: i64 = 0, b: i1 = false) {
    cog.yield %x, %b
  }
  cog.input @a["x"]
  cog.input @a["b"]
  cog.output @a["x"]
  cog.output @a["b"]
}
"""


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"a/x": [2.5]}, "inputs: the values for a/x are not valid: found 2.5, which is not a whole number"),
        ({"a/b": [2]}, "found 2.0, which is not a flag"),
        ({"a": [[1.5, 0]]}, "inputs: the values for a/x .* found 1.5, which is not a whole number"),
        (np.array([[1.0, 0.5]]), "inputs: the values for a/b .* found 0.5, which is not a flag"),
    ],
)
def test_inputs_for_whole_numbers_and_flags(inputs, message):
    c = cogir.compile(WHOLE)
    with pytest.raises(cogir.InputError, match=message):
        c.run(inputs)


@pytest.mark.parametrize("trials", [2.5, "3", 1e15, None.__class__, -1, True, float("nan")])
def test_num_trials(compiled, trials):
    with pytest.raises(cogir.InputError, match=r"run: num_trials is .*; give a whole number, 0 or more"):
        compiled.run(num_trials=trials)


def test_more_trials_than_there_is_memory_for(compiled):
    with pytest.raises(cogir.InputError, match=r"run: the results of 1,000,000,000,000,000 trials do not fit into memory; run fewer"):
        compiled.run(num_trials=10**15)


def test_trials_counted_by_numpy(compiled):
    assert compiled.run(num_trials=np.int64(3)).num_trials == 3


def doubled(x, *, rate=1):
    return rate * x


def test_the_remedy_where_an_int_made_a_parameter_whole() -> None:
    m = cogir.Model("m")
    m.output(m.node("n", doubled, input=2))
    c = m.compile()
    remedy = r"found 0.5, which is not a whole number of 64 bits: .*m\.node is one \(rate=1\); write that as a float \(rate=1\.0\)"
    with pytest.raises(cogir.InputError, match=f"parameter n/param:rate: {remedy}"):
        c.params["n/rate"] = 0.5
    with pytest.raises(cogir.InputError, match=f"sweep: parameter n/param:rate: {remedy}"):
        c.sweep({"n/rate": [0.5, 1.0]}, inputs={"n": [[1.0, 2.0]]})
    m = cogir.Model("m")
    m.output(m.node("n", doubled, input=2, rate=1.0))
    c = m.compile()
    c.params["n/rate"] = 0.5
    assert c.run({"n": [[1.0, 2.0]]})["n"].tolist() == [[0.5, 1.0]]


def test_modulations_and_signals_say_the_remedy_too() -> None:
    """Where the parameter of an inner model is meant, too."""
    m = cogir.Model("m")
    node, other = m.node("n", doubled, input=2), m.node("s", cogir.library.linear, input=1)
    outer = cogir.Model("outer")
    inner, sender = outer.instance("inner", m), outer.node("s", cogir.library.linear, input=1)
    remedy = r"is i64; only floating-point parameters can be modulated; write its default as a float: rate=1\.0$"
    for how in ("override", "multiply", "add"):
        with pytest.raises(cogir.ModelError, match=rf'modulation s -> n\.param\("rate"\): n\.param\("rate"\) {remedy}'):
            m.modulate(other["value"], node.param("rate"), how)
        with pytest.raises(cogir.ModelError, match=rf'inner\.param\("n/rate"\) {remedy}'):
            outer.modulate(sender["value"], inner.param("n/rate"), how)
        signal = cogir.Signal(node.param("rate"), levels=[0.5, 1], modulation=how)
        with pytest.raises(cogir.ModelError, match=rf'controller "c": n\.param\("rate"\) {remedy}'):
            m.control("c", objective=other["value"], signals=[signal])


def walking(x, *, drift=1, position: State = 0.0, time: State = 0.0, random: Random):
    position, time = position + 0.01 * drift + 0.1 * random.normal(), time + 0.01
    return Step(outputs=(np.sign(position), time), states=(position, time), finished=np.abs(position) >= 1.0)


def test_a_fit_refuses_a_parameter_that_an_int_made_whole() -> None:
    m = cogir.Model("m")
    function = cogir.library.node_function(outputs=("choice", "response_time"))(walking)
    node = m.node("d", function, input=1, execute_until_finished=True, reset_each_trial=True, max_executions_before_finished=200)
    m.output(node["choice"], node["response_time"])
    data = {"choice": [1.0, -1.0, 1.0], "response_time": [0.5, 0.6, 0.7]}
    response = {"d/choice": "choice", "d/response_time": "response_time"}
    with pytest.raises(
        cogir.InputError, match=r'fit: free: "d/drift" holds whole numbers or flags, .* write that as a float \(rate=1\.0\)'
    ):
        cogir.fit(m, data, free={"d/drift": (0, 3)}, inputs={"d": 0.0}, response=response, simulations=200)


def without_remedy(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(numbers, "WHOLE_BY_DEFAULT", "")


def fits_take_whole_parameters(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(VariedQuantities, "refuse_whole", lambda self, free: None)


@pytest.mark.parametrize(
    ("plant", "check"),
    [
        (without_remedy, test_the_remedy_where_an_int_made_a_parameter_whole),
        (fits_take_whole_parameters, test_a_fit_refuses_a_parameter_that_an_int_made_whole),
    ],
)
def test_planted_losses_of_the_remedy_are_found(plant, check, monkeypatch):
    plant(monkeypatch)
    with pytest.raises((AssertionError, pytest.fail.Exception)):
        check()
