"""Runs that are over in some milliseconds are one call of native code, without what long ones need."""

import signal
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import cogir
from cogir import library
from cogir.runtime.entry import SHORT, NativeEntry
from cogir.runtime.native import NativeEngine


def counter() -> cogir.Compiled:
    """Each trial adds its input to the sum of those before."""
    m = cogir.Model("counter")
    m.node("n", library.psyneulink.simple_integrator)
    return m.compile()


def entry_of(compiled: cogir.Compiled) -> NativeEntry:
    engine = compiled.engine
    assert isinstance(engine, NativeEngine)
    return engine.entry


class Spied:
    """Native code around which something is done."""

    def __init__(self, native: Callable[..., int], before: Callable[[], None], after: Callable[[], None]):
        self.native, self.before, self.after = native, before, after

    def __call__(self, *given: Any) -> int:
        self.before()
        status = self.native(*given)
        self.after()
        return status


def ctrl_c() -> None:
    signal.raise_signal(signal.SIGINT)


def nothing() -> None:
    pass


def test_short_and_long_runs_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.linspace(0.0, 1.0, 7).reshape(7, 1)
    short, long = counter(), counter()
    monkeypatch.setattr(entry_of(long), "trial_work", 0)
    assert entry_of(short).is_short(20)
    for compiled in (short, long):
        compiled.run(rows, 20)
    one, other = (compiled.run(rows, 5) for compiled in (short, long))
    assert one["n"].tolist() == other["n"].tolist()
    assert (one.status, short.state["n/previous_value"]) == (other.status, long.state["n/previous_value"])


def test_long_runs_go_in_slices() -> None:
    compiled = counter()
    entry = entry_of(compiled)
    few = SHORT // entry.trial_work
    assert entry.is_short(few - 1)
    assert not entry.is_short(few + 1)
    assert not entry.is_short(0)


@pytest.mark.parametrize(("before", "after", "done"), [(ctrl_c, nothing, 0), (nothing, ctrl_c, 3)], ids=["before", "after"])
def test_ctrl_c_takes_effect_before_or_after_all_trials(
    before: Callable[[], None], after: Callable[[], None], done: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled = counter()
    compiled.run([[1.0]], 5)
    entry = entry_of(compiled)
    with monkeypatch.context() as patch:
        patch.setattr(entry, "_run", Spied(entry._run, before, after))
        with pytest.raises(cogir.RunInterrupted, match=f"interrupted after {done} of 3 trials") as caught:
            compiled.run([[1.0]], 3)
    assert caught.value.result["n"].ravel().tolist() == [6.0, 7.0, 8.0][:done]
    assert compiled.run([[1.0]])["n"].item() == 6.0 + done


class Stopping(np.ndarray[Any, Any]):
    """An array that cannot be filled, as Ctrl-C comes before."""

    def fill(self, value: Any) -> None:
        raise KeyboardInterrupt


def test_ctrl_c_before_the_call_says_nothing_of_the_run_before() -> None:
    compiled = counter()
    compiled.run([[1.0]], 5)
    context = compiled.context()
    assert context.control[1] == 5
    held, context.control = context.control, context.control.view(Stopping)
    with pytest.raises(cogir.RunInterrupted, match="interrupted after 0 of 3 trials"):
        compiled.run([[1.0]], 3)
    context.control = held
    assert compiled.run([[1.0]])["n"].item() == 6.0


def test_progress_of_short_runs_is_told() -> None:
    told: list[tuple[int, int]] = []
    counter().run([[1.0]], 3, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (3, 3)


def test_a_run_of_unknown_length_after_a_short_one_goes_back_to_where_it_began(monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy of the state that was made before the short run is not that of the next one."""
    compiled = counter()
    compiled.run([[1.0]], 2)
    context = compiled.context()
    context.is_copied((context.sf.copy(), context.si.copy(), context.rng.copy()))
    compiled.run([[1.0]], 2)
    entry = entry_of(compiled)
    monkeypatch.setattr(entry, "trial_work", 0)
    with monkeypatch.context() as patch:
        patch.setattr(entry, "_run", Spied(entry._run, ctrl_c, nothing))
        with pytest.raises(cogir.RunInterrupted):
            compiled.run([[1.0]], 2)
    assert compiled.run([[1.0]])["n"].item() == 5.0
