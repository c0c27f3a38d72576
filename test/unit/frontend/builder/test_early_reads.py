"""A modulation that is read before its sender has run is 0 in the first trial; compiling says so, and names `initial=`."""

import warnings
from typing import Any

import pytest

import cogir
from cogir import library
from cogir.frontend.builder import early_reads


def constant(x: float) -> float:
    return 1.5 + 0.0 * x


def loop(how: str, initial: Any = None, **more: Any) -> cogir.Model:
    """A response, and a control that is computed from it and modulates its slope."""
    m = cogir.Model("loop")
    response = m.node("response", library.linear, input=(), slope=2.0)
    control = m.node("control", constant, initial=initial)
    m.project(response, control)
    m.modulate(control, response.param("slope"), how, **more)
    m.output(response, control)
    return m


def warned(model: cogir.Model) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.compile()
    return [str(each.message) for each in caught if each.category is cogir.OrderWarning]


@pytest.mark.parametrize(("how", "effect"), [("override", "is"), ("multiply", "is multiplied by")])
def test_what_becomes_zero_is_said_once(how: str, effect: str) -> None:
    m = loop(how)
    (said,) = warned(m)
    assert f'"control" runs after the node that reads it, so parameter "slope" of "response" {effect} 0' in said
    assert 'initial={"value": ...}' in said
    assert not warned(m)
    assert m.compile().run({"response": [1.0, 1.0]})["response"].tolist() == [0.0, 1.5 if how == "override" else 3.0]


@pytest.mark.parametrize("initial", [1.5, {"value": 1.5}, {"value": 0.0}])
def test_initial_values_that_are_given(initial: Any) -> None:
    assert not warned(loop("override", initial))


def test_what_is_added_is_nothing_at_first() -> None:
    m = loop("add")
    assert not warned(m)
    assert m.compile().run({"response": [1.0, 1.0]})["response"].tolist() == [2.0, 3.5]


def test_a_sender_that_runs_before_is_read_in_time() -> None:
    m = cogir.Model("m")
    response = m.node("response", library.linear, input=(), slope=2.0)
    control = m.node("control", constant)
    m.modulate(control, response.param("slope"), "override")
    assert not warned(m)
    assert m.compile().run({"response": 1.0, "control": 0.0})["response"].tolist() == [1.5]


def test_parameters_of_projections_and_models_inside() -> None:
    def scaled(x: float, *, gain: float = 1.0) -> float:
        return gain * x

    inner = cogir.Model("inner")
    a, b = inner.node("a", input=()), inner.node("b", constant, input=())
    inner.modulate(b, inner.project(a, b, name="p", function=scaled).param("gain"), "override")
    outer = cogir.Model("outer")
    outer.instance("one", inner)
    outer.instance("two", inner)
    (said,) = warned(outer)
    assert 'parameter "gain" of "p" is 0, the initial value of "b"' in said


def test_senders_in_models_inside() -> None:
    inner = cogir.Model("inner")
    inner.node("a", constant)
    outer = cogir.Model("outer")
    response = outer.node("response", library.linear, input=())
    one = outer.instance("one", inner)
    outer.project(response, one)
    outer.modulate(one, response.param("slope"), "override")
    outer.output(response)
    (said,) = warned(outer)
    assert 'parameter "slope" of "response" is 0, the initial value of "a"' in said


def test_inputs_that_multiply() -> None:
    def gated(x: float) -> float:
        return x

    m = cogir.Model("m")
    node = m.node("node", gated, combine="product")
    gate = m.node("gate", constant)
    m.input(node)
    m.project(node, gate)
    m.project(gate, node, feedback=True)
    (said,) = warned(m)
    assert 'input "x" of "node" is multiplied by 0, the initial value of "gate"' in said
    plain = cogir.Model("plain")
    first = plain.node("first", library.linear, input=1)
    plain.project(first, first)
    assert not warned(plain)


def test_nodes_that_stand_aside() -> None:
    m = cogir.Model("m")
    response = m.node("response", library.linear, input=())
    control = m.node("control", constant)
    m.modulate(control, response.param("slope"), "override")
    m.description.schedule.asides["control"] = ("after", m.description.nodes["control"].place)
    (said,) = list(early_reads._early_reads(m.description))
    assert 'the initial value of "control"' in said[1]


def never(*_: Any) -> bool:
    return False


def test_planted_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Senders that always run in time are a fault that these models show."""
    monkeypatch.setattr(early_reads, "_reads_before", never)
    assert not warned(loop("override"))
    assert loop("override").compile().run({"response": [1.0, 1.0]})["response"][0] == 0.0
