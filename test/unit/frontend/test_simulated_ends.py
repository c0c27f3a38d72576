"""Simulated runs end as runs do."""

import pytest

import cogir
from cogir.library import State, Step


def summed(x, *, gain=1.0, total: State = 0.0):
    return Step(outputs=(total + x * gain,), states=(total + x * gain,))


@pytest.mark.parametrize("mode", ["python", "per_node", "exec", "run"])
@pytest.mark.parametrize("times", [1, 9])
def test_a_simulated_run_that_is_over_does_not_go_on(mode, times):
    """Before its third trial; where that may be said once only, too."""
    m = cogir.Model("m")
    a = m.node("a", summed, input={"x": ()})
    m.schedule.run_ends(cogir.NWhen(cogir.AfterNTrials(2), times))
    m.control(
        "c", objective=a, signals=[cogir.Signal(a.param("gain"), levels=[1.0, 2.0])], trials_per_estimate=5, keep="values", when="before"
    )
    compiled = m.compile(mode=mode)
    compiled.run({"a": [1.0]})
    assert compiled.state["c/values"].tolist() == [2.0, 4.0]
