"""
Nodes that stand aside: they execute once in each trial, before or after the passes, and not in simulated trials.
"""

import numpy as np
import pytest

import cogir

MODES = ["python", "exec", "run"]


def chain(**settings):
    """a -> b -> c, where c is the gain of b; c stands aside as `settings` says."""
    m = cogir.Model("m")
    a = m.node("a", input=1)
    b = m.node("b", lambda x, *, gain=2.0: x * gain, input=1)
    c = m.node("c", lambda x: x + 1.0, input=1, initial={"value": 1.0})
    m.project(a, b)
    m.project(b, c)
    m.modulate(c, b.param("gain"))
    m.input(a)
    m.output(b)
    m.schedule.aside(c, settings.get("stands", "after"))
    if "when" in settings:
        m.schedule.when(c, settings["when"])
    return m


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, [2.0, 12.0, 78.0]),  # what c has become after a trial acts in the next one
        ({"stands": "before"}, [2.0, 12.0, 78.0]),  # at first b is 0, so that c is 1
        ({"when": cogir.AtTrial(1)}, [2.0, 4.0, 30.0]),
        ({"stands": "before", "when": cogir.AtTrial(2)}, [2.0, 4.0, 30.0]),
        ({"when": cogir.Never()}, [2.0, 4.0, 6.0]),
        ({"when": cogir.AfterNCalls("b", 2, cogir.TimeScale.RUN)}, [2.0, 4.0, 30.0]),
    ],
)
def test_a_node_aside_executes_once_a_trial(mode, settings, expected):
    compiled = chain(**settings).compile(mode=mode)
    assert np.ravel(compiled.run([[1.0], [2.0], [3.0]])["b"]).tolist() == expected


@pytest.mark.parametrize("mode", MODES)
def test_a_node_aside_is_no_part_of_the_passes(mode):
    """The end of a trial does not wait for it, and what the trial gives was read before it executed."""
    m = chain()
    m.schedule.when("b", cogir.EveryNCalls("a", 3))
    result = m.compile(mode=mode).run([[1.0], [2.0]])
    assert np.ravel(result["b"]).tolist() == [2.0, 12.0]
    assert "cog.aside @c after" in str(m.ir())


@pytest.mark.parametrize("mode", MODES)
def test_a_node_aside_inside_another_model(mode):
    outer = cogir.Model("outer")
    outer.instance("inner", chain())
    assert np.ravel(outer.compile(mode=mode).run([[1.0], [2.0], [3.0]])["inner"]).tolist() == [2.0, 12.0, 78.0]


@pytest.mark.parametrize("mode", MODES)
def test_a_node_aside_does_not_execute_in_simulations(mode):
    """With c in force as the trial left it, two simulated trials give b = a * 2 * c * slope twice."""
    m = cogir.Model("m")
    a = m.node("a", lambda x, *, slope=1.0: x * slope, input=1)
    b = m.node("b", lambda x, *, gain=2.0: x * gain, input=1)
    c = m.node("c", lambda x: x + 1.0, input=1, initial={"value": 1.0})
    m.project(a, b)
    m.project(b, c)
    m.modulate(c, b.param("gain"))
    m.input(a)
    m.output(b)
    m.schedule.aside(c, "after")
    m.control("search", objective=b, signals=[cogir.Signal(a.param("slope"), levels=[1.0, 2.0])], trials_per_estimate=2, keep="values")
    compiled = m.compile(mode=mode)
    compiled.run([[1.0]])
    assert compiled.state["search/found:value"] == 1.0 * 2.0 * 2.0 * 3.0


def test_errors_name_the_node_and_the_remedy():
    m = chain()
    with pytest.raises(cogir.errors.ModelError, match=r'schedule.aside of "c": it is given already'):
        m.schedule.aside("c", "after")
    with pytest.raises(cogir.errors.ModelError, match=r"schedule.aside of \"b\" is 'sometimes'"):
        m.schedule.aside("b", "sometimes")
    with pytest.raises(cogir.errors.ModelError, match=r"schedule\.aside: found 3; give a node"):
        m.schedule.aside(3, "after")
