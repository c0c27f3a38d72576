"""The layout: places of slots, views of buffers, clocks between runs, and the way through the attribute of a module."""

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp, TensorType, f32, f64, i1, i64

from cogir.analysis.layout import Layout
from cogir.dialects.rng import StateType
from cogir.errors import LoweringError


def small() -> Layout:
    """Two parameters, three states, a generator, an input and an output."""
    layout = Layout()
    layout.add_parameter("a/initial:port:value", TensorType(f64, (2, 2)), [[1.0, 2.0], [3.0, 4.0]])
    layout.add_parameter("a/param:rate", f32, 0.5)
    layout.add_parameter("a/param:on", i1, True)
    layout.add_state("a/port:value", TensorType(f64, (2, 2)))
    layout.add_state("a/state:n", i64)
    layout.add_state("a/state:flags", TensorType(i1, (3,)))
    layout.add_generator("a/random:r", StateType("philox4x64"), "stream")
    layout.inputs.append(layout.add("in:a/in", "in", f64).path)
    layout.outputs.append(layout.add("out:a/value", "out", TensorType(f64, (2, 2))).path)
    layout.nodes.append("schedule of m")
    return layout


def test_slots_lie_side_by_side_in_the_buffer_of_their_element_type():
    layout = small()
    places = [(slot.path, slot.offset, slot.size) for slot in layout.in_buffer("pf")]
    assert places == [
        ("a/initial:port:value", 0, 4),
        ("a/param:rate", 4, 1),
    ]
    states = [(slot.path, slot.buffer, slot.offset) for slot in layout.below("a/state:")]
    assert states == [
        ("a/state:n", "si", 0),
        ("a/state:flags", "si", 1),
    ]
    assert layout["a/random:r"].shape == (13,)
    assert layout.type_of("si") == TensorType(i64, (4,))
    assert layout.type_of("in") == TensorType(f64, (1,))
    assert Layout().type_of("pi") == TensorType(i64, (1,))


def test_a_slot_is_a_view_of_its_buffer():
    layout = small()
    pf, pi = layout.default_buffer("pf"), layout.default_buffer("pi")
    assert pf.tolist() == [1.0, 2.0, 3.0, 4.0, 0.5]
    assert pi.tolist() == [1]
    layout.initial_of("a/port:value").of(pf)[1, 0] = 7.0
    assert pf[2] == 7.0
    assert layout.has_initial("a/port:value")
    assert not layout.has_initial("a/state:n")


def test_a_scalar_default_fills_an_array():
    layout = Layout()
    layout.add_parameter("a/param:w", TensorType(f64, (3,)), 2.0)
    assert layout.default_buffer("pf").tolist() == [2.0, 2.0, 2.0]


def test_unknown_and_double_slots_are_errors():
    layout = small()
    with pytest.raises(LoweringError, match="there is no slot 'a/state:m'"):
        layout["a/state:m"]
    with pytest.raises(LoweringError, match="two slots called 'a/state:n'"):
        layout.add_state("a/state:n", i64)


def test_the_attribute_holds_everything():
    layout, module = small(), ModuleOp([])
    layout.write_to(module)
    again = Layout.from_module(module)
    assert again == layout
    assert [slot.path for slot in again.generator_slots] == ["a/random:r"]
    assert (again.inputs, again.outputs) == (["in:a/in"], ["out:a/value"])


def test_a_module_without_layout_says_what_to_do():
    with pytest.raises(LoweringError, match="pass convert-cog-to-machine"):
        Layout.from_module(ModuleOp([]))


COUNTERS = (
    *("a/calls:pass", "a/calls:trial", "a/calls:run", "a/calls:life", "b/calls_of:a", "have_run:trial", "have_run:life"),
    *("clock:pass:trial", "clock:trial:run", "clock:trial:life", "clock:run:life", "n_when:0", "a/just_ran", "a/state:x"),
    *("inner/a/calls:run", "inner/clock:trial:run", "inner/have_run:trial"),
)


def test_the_end_of_a_run_turns_its_clocks_and_the_beginning_of_the_next_its_calls():
    layout = Layout()
    for path in COUNTERS:
        layout.add_state(path, i64)
    si = np.full(layout.size("si"), 5)
    layout.end_run(si)
    assert {path for path in COUNTERS if layout[path].of(si) == 0} == {"clock:pass:trial", "clock:trial:run"}
    assert layout["clock:run:life"].of(si) == 6
    layout.begin_run(si)
    zero = {path for path in COUNTERS if layout[path].of(si) == 0}
    assert zero == {
        *("clock:pass:trial", "clock:trial:run"),
        *("a/calls:pass", "a/calls:trial", "a/calls:run", "b/calls_of:a", "have_run:trial"),
    }
