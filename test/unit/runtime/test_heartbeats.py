"""Signals whose handlers return, coming more often than a trial or a replicate ends, do not keep it from ending."""

# pyright: basic
import time
from typing import Any

import pytest
from support.heartbeats import heartbeat

import cogir
from cogir.library import State, Step


def counts(steps, *, x: State = 0.0):
    """Takes as many executions as it is told."""
    x = x + 1.0
    return Step(outputs=(x,), states=(x,), finished=x >= steps[0])


@pytest.fixture(scope="module")
def compiled() -> cogir.Compiled:
    m = cogir.Model("counts")
    node = m.node("node", counts, input=1, execute_until_finished=True, max_executions_before_finished=10**11)
    m.schedule.reset(node, cogir.AtTrialStart())
    return m.compile(mode="run", cache=False)


def run(compiled: cogir.Compiled, inputs: dict[str, Any]) -> list[Any]:
    return compiled.run(inputs, num_trials=2)["node"].ravel().tolist()


def replicates(compiled: cogir.Compiled, inputs: dict[str, Any]) -> list[Any]:
    return compiled.replicates(inputs, 2, start="fresh")["node"].ravel().tolist()


def long_trial(call: Any, compiled: cogir.Compiled) -> dict[str, Any]:
    """The input with which a call takes 0.4 s at least, for two trials."""
    call(compiled, {"node": [[1.0]]})
    for power in range(18, 34):
        begun = time.perf_counter()
        call(compiled, {"node": [[2.0**power]]})
        if time.perf_counter() - begun > 0.4:
            return {"node": [[2.0**power]]}
    raise AssertionError("no trial takes so long")


CALLS = {"run": run, "replicates": replicates}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_what_signals_disturb_ends_if_their_handlers_return(call: Any, compiled: cogir.Compiled) -> None:
    inputs = long_trial(call, compiled)
    seen: list[int] = []
    with heartbeat(0.05, lambda: seen.append(1)):
        found = call(compiled, inputs)
    assert len(seen) > 4
    assert found == [inputs["node"][0][0]] * 2


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_handler_that_raises_at_last_stops_at_once(call: Any, compiled: cogir.Compiled) -> None:
    seen: list[float] = []

    def raises_at_last() -> None:
        seen.append(time.perf_counter())
        if len(seen) == 8:
            raise KeyboardInterrupt

    with heartbeat(0.05, raises_at_last), pytest.raises(KeyboardInterrupt, match="interrupted after 0 of 2"):
        call(compiled, {"node": [[1e11]]})
    assert len(seen) == 8
    assert time.perf_counter() - seen[-1] < 0.5
    assert run(compiled, {"node": [[5.0]]}) == [5.0, 5.0]
