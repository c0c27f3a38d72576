"""
Shadows: a port that gets what comes from outside to another port, without a further input of the trial.
"""

import numpy as np
import pytest

import cogir

MODES = ["python", "exec", "run"]


def double_and_triple():
    """a doubles its input; b, which shadows that input, adds three times it to what c sends."""
    m = cogir.Model("m")
    a = m.node("a", lambda x: x * 2.0, input=2)
    c = m.node("c", lambda x: x + 1.0, input=2)
    b = m.node("b", lambda x: x * 3.0, input=2)
    m.project(c, b)
    m.shadow(a, b)
    m.input(a, c)
    m.output(a, b)
    return m


@pytest.mark.parametrize("mode", MODES)
def test_a_shadow_gets_the_input_of_another_port(mode):
    given = {"a": [[1.0, 2.0], [-1.0, 0.5]], "c": [[10.0, 20.0], [0.0, 1.0]]}
    result = double_and_triple().compile(mode=mode).run(given)
    first, second = (np.array(given[name]) for name in "ac")
    np.testing.assert_array_equal(result["a"], 2 * first)
    np.testing.assert_array_equal(result["b"], 3 * ((second + 1) + first))


@pytest.mark.parametrize("mode", MODES)
def test_in_a_simulation_a_shadow_gets_what_the_simulation_gets(mode):
    """The controller is told that the input is 5; b, which shadows it, doubles it."""
    m = cogir.Model("m")
    a = m.node("a", input=1)
    b = m.node("b", lambda x, *, gain=1.0: x * gain, input=1)
    m.shadow(a, b)
    m.input(a)
    m.output(a, b)
    signal = cogir.Signal(b.param("gain"), levels=[1.0, 2.0])
    m.control("search", objective=b, signals=[signal], features={a: [5.0]}, keep="values")
    text = str(m.ir())
    result = cogir.Model.from_ir(text).compile(mode=mode).run({"a": [[-3.0], [-4.0]]})
    np.testing.assert_array_equal(result["b"].ravel(), [-3.0, -8.0])


def test_shadows_that_make_no_sense_are_refused():
    m = cogir.Model("m")
    a, b = m.node("a", input=1), m.node("b", input=2)
    c = m.node("c", input=1)
    with pytest.raises(cogir.ModelError, match=r'shadow a\["variable"\] -> b\["variable"\]: the first has type .*; make them the same'):
        m.shadow(a, b)
    m.shadow(a, c)
    with pytest.raises(cogir.ModelError, match="it is given already"):
        m.shadow(a, c)
    m.input(b)
    with pytest.raises(Exception, match=r"is not an input of the model; name a port that has a cog\.input"):
        m.compile(mode="python")


def test_a_node_that_shadows_takes_no_input_of_its_own():
    m = cogir.Model("m")
    a, b = m.node("a", input=1), m.node("b", input=1)
    m.shadow(a, b)
    assert [address.owner for address in m.inputs()] == ["a"]
