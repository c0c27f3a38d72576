"""A reset that keeps some states: everything else of the node goes back, in compiled code as in the interpreter."""

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
