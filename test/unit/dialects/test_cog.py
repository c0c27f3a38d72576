"""Models built by constructors: what they hold, how names are resolved, and that their text says the same."""

import math
import re
import struct
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp, TensorType, f32, f64, i1, i64
from xdsl.utils.exceptions import ParseError, VerifyException

from cogir.dialects import cog
from cogir.dialects.cog.ports import PlacedVerifyException
from cogir.dialects.rng import StateType, StreamOp
from cogir.dialects.text import parse_text

VECTOR = TensorType(f64, [2])


def node(name: str, **given: Any) -> cog.NodeOp:
    """A node with one input and one output of two elements, which passes its input on."""
    op = cog.NodeOp(name, inputs=[("in", VECTOR)], outputs={"value": cog.const([0.0, 0.0])}, **given)
    op.body.block.add_op(cog.YieldOp([op.input_args[0]], op.state_args, op.random_args))
    return op


def test_a_node_knows_its_parts_in_order() -> None:
    op = node(
        "PLAYER OBS",
        params={"gain": cog.const(2.0), "count": cog.const(3)},
        states=[("x", cog.const([[1.0]]))],
        random=[("noise", StateType("mt19937"), "noise_stream")],
        combine={"in": "product"},
        execute_until_finished=True,
    )
    assert op.inputs == (("in", VECTOR),)
    assert [name for name, _ in op.params] == ["gain", "count"]
    assert [arg.type for arg in op.param_args] == [f64, i64]
    assert [arg.type for arg in op.state_args] == [TensorType(f64, [1, 1])]
    assert [(name, stream.string_value()) for name, _, stream in op.random] == [("noise", "noise_stream")]
    assert op.output_ports == (("value", VECTOR),)
    assert op.max_executions == 1000
    assert op.yield_op.finished is None
    op.verify()


def test_ports_are_found_by_name_or_when_there_is_one() -> None:
    a, b = node("a"), node("b")
    project = cog.ProjectOp("a", "b", target_port="in")
    model = cog.ModelOp("m", [a, b, project, cog.InputOp("a"), cog.OutputOp("b", "value")])
    assert project.resolve_source_port() == "value"
    assert project.resolve_target_port(model.symbols) == "in"
    assert model.inputs[0].resolve_port() == "in"
    assert model.outputs[0].resolve_port() == "value"
    assert model.symbols["b"] is b
    assert "c" not in model.symbols
    assert model.executables == (a, b)


def test_ports_of_an_instance_are_named_by_node_or_by_node_and_port() -> None:
    inner = cog.ModelOp("inner", [node("x"), cog.InputOp("x"), cog.OutputOp("x")])
    instance = cog.InstanceOp("nested", "inner")
    short = cog.ProjectOp("nested", "a", source_port="x")
    long = cog.ProjectOp("nested", "a", source_port="x/value")
    outer = cog.ModelOp("outer", [node("a"), instance, short, long])
    ModuleOp([inner, outer]).verify()
    assert instance.input_ports == (("x/in", VECTOR),)
    assert [op.resolve_source_port() for op in (short, long)] == ["x/value", "x/value"]


def test_a_controller_has_its_signals_as_ports() -> None:
    search = cog.GridSearchOp("control", objective="a", ops=[cog.SignalOp("gain", [0.0, 1.0]), cog.SignalOp("bias", [2])])
    assert search.output_ports == (("gain", f64), ("bias", f64))
    assert [signal.level_values for signal in search.signals] == [(0.0, 1.0), (2.0,)]
    assert search.signals[0].costs == {}


@pytest.mark.parametrize(
    ("value", "type"),
    [
        (1.5, f64),
        (3, i64),
        (True, i1),
        ([1.0, 2.0], VECTOR),
        ([[1, 2]], TensorType(i64, [1, 2])),
        (np.zeros((2,), np.float32), TensorType(f32, [2])),
        (np.float64(2.0), f64),
    ],
)
def test_constants_get_the_type_of_their_value(value: object, type: object) -> None:
    constant = cog.const(value)
    assert cog.const_type(constant) == type
    assert np.array_equal(np.asarray(cog.const_value(constant)), np.asarray(value))


def test_a_number_fills_a_tensor() -> None:
    assert np.array_equal(np.asarray(cog.const_value(cog.const(0.5, VECTOR))), [0.5, 0.5])


def bits(value: float) -> int:
    """The bits of a double."""
    return struct.unpack("<Q", struct.pack("<d", value))[0]


@given(st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=4), st.integers(-(2**63), 2**63 - 1))
def test_numbers_keep_their_bits_in_text(patterns: list[int], integer: int) -> None:
    values = [struct.unpack("<d", struct.pack("<Q", pattern))[0] for pattern in patterns]
    op = cog.NodeOp("a", params={"x": cog.const(values[0]), "n": cog.const(integer)}, states={"v": cog.const(values)})
    op.body.block.add_op(cog.YieldOp([], op.state_args))
    (read,) = parse_text(str(cog.ModelOp("m", [op]))).body.block.ops
    assert isinstance(read, cog.ModelOp)
    (again,) = read.nodes
    number, whole = (cog.const_value(value) for _, value in again.params)
    assert bits(float(number)) == bits(values[0])
    assert whole == integer
    ((_, state),) = again.states
    assert [bits(float(each)) for each in np.asarray(cog.const_value(state))] == [bits(value) for value in values]


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="/"), min_size=1))
def test_any_name_can_be_written(name: str) -> None:
    model = cog.ModelOp(name, [node(name), cog.InputOp(name), cog.OutputOp(name, "value")])
    module = ModuleOp([model])
    module.verify()
    again = parse_text(str(module))
    assert str(again) == str(module)
    (read,) = again.body.block.ops
    assert isinstance(read, cog.ModelOp)
    assert read.outputs[0].resolve_port() == "value"
    assert [op.sym_name.data for op in read.nodes] == [name]


def test_names_of_ports_survive_where_values_are_renamed() -> None:
    names = ["x", "x_1", "0", "a b", "Δ", "x.y"]
    op = cog.NodeOp("a", inputs=[(name, f64) for name in names], outputs={name: cog.const(0.0) for name in names})
    op.body.block.add_op(cog.YieldOp(op.input_args))
    (read,) = parse_text(str(cog.ModelOp("m", [op]))).body.block.ops
    assert isinstance(read, cog.ModelOp)
    assert [name for name, _ in read.nodes[0].inputs] == names
    assert [name for name, _ in read.nodes[0].outputs] == names


def test_a_parsed_operation_knows_where_it_was_written() -> None:
    module = parse_text("cog.model @m {\n  cog.node @a () -> () {\n    cog.yield\n  }\n}\n", "model.mlir")
    places = [str(op.location) for op in module.walk()][1:]
    assert places == ['loc("model.mlir":1:1)', 'loc("model.mlir":2:3)', 'loc("model.mlir":3:5)']


def test_infinity_in_an_array_of_a_body_is_read_as_it_is_printed() -> None:
    # xDSL prints the bits, and reads them back as an integer.
    text = "func.func @f() {\n  %c = arith.constant dense<[0x7FF0000000000000, -1.0]> : tensor<2xf64>\n  func.return\n}\n"
    (constant, _) = next(op for op in parse_text(text).walk() if op.name == "func.func").regions[0].block.ops
    assert list(constant.properties["value"].get_values()) == [math.inf, -1.0]  # pyright: ignore
    assert "0x7ff0000000000000" in str(constant).lower()


def test_the_words_of_a_stream_are_read_from_its_text() -> None:
    words = tuple(range(-6, 7))
    (read,) = parse_text(str(StreamOp("s", "philox4x64", state=words))).body.block.ops
    assert isinstance(read, StreamOp)
    assert read.words == words


@pytest.mark.parametrize(
    ("condition", "text"),
    [
        (cog.EveryNCallsOp("a", 2), "cog.every_n_calls @a 2"),
        (cog.AtPassOp(1), "cog.at_pass 1 in trial"),
        (cog.AtTrialOp(1), "cog.at_trial 1 in run"),
        (cog.AllHaveRunOp(), "cog.all_have_run [] in trial"),
        (cog.AfterNCallsOp("a", 2, "run"), "cog.after_n_calls @a 2 in run"),
        (cog.ThresholdOp("a", "value", "!=", 1, indices=[1], atol=0.5), 'cog.threshold @a["value"][1] <> 1.0 atol 0.5'),
        (cog.ThresholdOp("a", "x", ">=", 1, place="state"), 'cog.threshold @a[state "x"] >= 1.0'),
    ],
)
def test_conditions_take_plain_values(condition: cog.Condition, text: str) -> None:
    assert str(condition).split(" = ")[1] == text


def test_a_condition_region_ends_in_its_last_condition() -> None:
    when = cog.WhenOp("a", [first := cog.AlwaysOp(), both := cog.NotOp(first)])
    assert when.condition is both.result
    assert when.conditions == (first, both)


def test_verifying_a_model_raises_with_place_and_remedy() -> None:
    model = cog.ModelOp("m", [node("a"), project := cog.ProjectOp("a", "b")])
    with pytest.raises(VerifyException, match="@b is not part of the model") as caught:
        model.verify()
    assert isinstance(caught.value, PlacedVerifyException)
    assert caught.value.op is project


def test_an_open_string_is_refused_at_once() -> None:
    # With xDSL's own lexer this takes exponential time.
    with pytest.raises(ParseError, match="closing string"):
        parse_text('cog.model @"' + "a" * 10_000 + "\n")


@pytest.mark.parametrize(
    ("clause", "message"),
    [
        ('states ["nope"]', 'reset of @a: the node has no state "nope"; there is "s"'),
        ('keeps ["nope"]', 'reset of @a: the node has no state "nope"; there is "s"'),
        ('keeps_ports ["s"]', 'reset of @a: the node has no port "s"; there is "value"'),
        ('states ["s"] keeps ["s"]', "reset of @a: both `states` (to reset) and `keeps` (not to reset) are given; give one of the two"),
    ],
)
def test_a_reset_names_states_of_its_node(clause, message):
    text = f"""
    cog.model @m {{
      cog.node @a (%in: f64) states(%s: f64 = 0.0) -> (value: f64 = 0.0) {{ cog.yield %in states(%s) }}
      cog.input @a
      cog.output @a
      cog.schedule {{ cog.reset @a {clause} when {{ %c = cog.at_trial_start cog.condition %c }} }}
    }}
    """
    with pytest.raises(VerifyException, match=re.escape(message)):
        parse_text(text).verify()
