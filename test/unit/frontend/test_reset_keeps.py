"""A reset that keeps some states and ports: everything else of the node goes back, in compiled code as in the interpreter."""

import numpy as np
import pytest

import cogir
from cogir.library.signature import State, Step, node_function


@node_function(outputs=("value",))
def counting(stimulus, *, total: State = 0.0, executions: State = 0.0):
    """Sums up what it gets, and counts."""
    return Step(outputs=(total + stimulus,), states=(total + stimulus[0], executions + 1.0))


@pytest.mark.parametrize("mode", ["python", "run"])
def test_a_reset_leaves_the_states_that_it_keeps(mode):
    m = cogir.Model("m")
    n = m.node("n", counting, input=1)
    m.input(n)
    m.output(n)
    m.schedule.reset(n, cogir.AtTrialStart(), keeps=("executions",))
    assert 'keeps ["executions"]' in str(m.ir())
    c = m.compile(mode=mode)
    assert np.ravel(c.run([[1.0], [2.0], [3.0]])["n"]).tolist() == [1.0, 2.0, 3.0]
    assert c.state["n/executions"] == 3.0
    assert c.state["n/total"] == 3.0


@node_function(outputs=("value", "seen"))
def showing(stimulus, *, total: State = 0.0):
    """Sums up what it gets, and shows it."""
    return Step(outputs=(total + stimulus, stimulus), states=(total + stimulus[0],))


@pytest.mark.parametrize("mode", ["python", "run"])
def test_a_reset_leaves_the_ports_that_it_keeps(mode):
    """In the second trial the node is reset and does not execute."""
    m = cogir.Model("m")
    n = m.node("n", showing, input=1)
    m.input(n)
    m.output(n["value"], n["seen"])
    m.schedule.when(n, cogir.Not(cogir.AtTrial(1)))
    m.schedule.trial_ends(cogir.AfterPass(0))
    m.schedule.reset(n, cogir.AtTrial(1), keeps=[n["seen"]])
    assert 'keeps_ports ["seen"]' in str(m.ir())
    c = m.compile(mode=mode)
    found = c.run([[1.0], [2.0], [4.0]])
    assert np.ravel(found["n", "value"]).tolist() == [1.0, 0.0, 4.0]
    assert np.ravel(found["n", "seen"]).tolist() == [1.0, 1.0, 4.0]


def test_what_a_reset_keeps_must_be_there():
    m = cogir.Model("m")
    n = m.node("n", showing, input=1)
    m.schedule.reset(n, cogir.AtTrialStart(), keeps=["seen"])
    with pytest.raises(cogir.ModelError, match=r'reset of @n: the node has no state "seen"; there is "total"'):
        m.compile(mode="python")


@node_function(outputs=("total",))
def summing(stimulus, *, total: State = 0.0):
    """Sums up what it gets, where state and port have one name."""
    return Step(outputs=(total + stimulus,), states=(total + stimulus[0],))


@pytest.mark.parametrize("mode", ["python", "run"])
@pytest.mark.parametrize("kept", ["state", "port"])
def test_states_and_ports_of_one_name_are_kept_apart(mode, kept):
    m = cogir.Model("m")
    n = m.node("n", summing, input=1)
    m.input(n)
    m.output(n)
    m.schedule.when(n, cogir.Not(cogir.AtTrial(1)))
    m.schedule.trial_ends(cogir.AfterPass(0))
    m.schedule.reset(n, cogir.AtTrial(1), keeps=["total" if kept == "state" else n["total"]])
    found = m.compile(mode=mode).run([[1.0], [2.0], [4.0]])
    assert np.ravel(found["n"]).tolist() == ([1.0, 0.0, 5.0] if kept == "state" else [1.0, 1.0, 4.0])


def test_ports_of_another_node_are_refused():
    m = cogir.Model("m")
    n, other = m.node("n", summing, input=1), m.node("other", summing, input=1)
    with pytest.raises(cogir.ModelError, match='reset of "n": keeps holds a port of another node; give ports of this one'):
        m.schedule.reset(n, cogir.AtTrialStart(), keeps=[other["total"]])
