"""How far long calls are: bars where somebody sees them, and callbacks."""

import io
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import cogir
from cogir import library
from cogir.runtime import meter as meter_module
from cogir.runtime.meter import Meter, is_seen


class Screen(io.StringIO):
    """A terminal."""

    def isatty(self) -> bool:
        return True


def a_terminal(monkeypatch: pytest.MonkeyPatch) -> Screen:
    """What is written to the standard error from now on, which is a terminal. (In a fixture, pytest would put its own back.)"""
    made = Screen()
    monkeypatch.setattr(sys, "stderr", made)
    return made


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bars are shown from the beginning, and moved whenever something is done."""
    monkeypatch.setattr(meter_module, "SHOWN_AFTER", 0.0)
    monkeypatch.setattr(meter_module, "EVERY", 0.0)


def decision(**options: Any) -> cogir.Compiled:
    model = cogir.Model("decision")
    given: dict[str, Any] = {"noise": 1.0, "threshold": 1.0, "time_step_size": 0.01, "max_executions_before_finished": 10_000}
    model.node("decision", library.drift_diffusion_integrator, input=1, execute_until_finished=True, reset_each_trial=True, **given)
    return model.compile(**options)


INPUTS = {"decision": [[1.0]]}
CALLS: dict[str, Any] = {
    "run": lambda compiled, **asked: compiled.run(INPUTS, num_trials=300, **asked),
    "replicates": lambda compiled, **asked: compiled.replicates(INPUTS, count=300, **asked),
    "sweep": lambda compiled, **asked: compiled.sweep({"decision/rate": np.ones(30)}, INPUTS, replicates=10, **asked),
    "sweep, reduced": lambda compiled, **asked: compiled.sweep(
        {"decision/rate": np.ones(30)}, INPUTS, replicates=10, reduce="mean", **asked
    ),
}


@pytest.mark.sampled(2)
@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("mode", ["run", "python"])
@pytest.mark.parametrize("call", CALLS)
def test_callbacks_are_told_how_much_is_done(call: str, mode: str) -> None:
    seen: list[tuple[int, int]] = []
    CALLS[call](decision(mode=mode), progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (300, 300)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert {total for _, total in seen} == {300}


@pytest.mark.usefixtures("at_once")
def test_executors_and_learning() -> None:
    seen: list[tuple[int, int]] = []
    with ThreadPoolExecutor(2) as executor:
        CALLS["sweep"](decision(), executor=executor, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (300, 300)
    model = cogir.Model("learns")
    first, target = model.node("first", library.linear, input=2), model.node("target", library.linear, input=1)
    output = model.node("output", library.linear, input=1)
    model.project(first, output, matrix=[[0.1], [0.2]])
    model.learning([(output, target)])
    seen.clear()
    model.compile().learn({"first": [[1.0, 2.0]], "target": [[1.0]]}, epochs=7, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (7, 7)


@pytest.mark.usefixtures("at_once")
def test_a_bar_in_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("tqdm")
    screen = a_terminal(monkeypatch)
    CALLS["run"](decision())
    assert "run: 100%" in screen.getvalue()
    assert "300/300" in screen.getvalue()


def test_short_calls_show_nothing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    screen = a_terminal(monkeypatch)
    for call in CALLS.values():
        call(decision())
        call(decision(), progress=False)
    assert not screen.getvalue()
    assert not capsys.readouterr().out


def test_who_sees(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert not is_seen()
    monkeypatch.setattr(sys, "stderr", None)
    assert not is_seen()

    class Notebook:
        @staticmethod
        def get_ipython() -> object:
            return object()

    monkeypatch.setitem(sys.modules, "IPython", Notebook)
    assert is_seen()


@pytest.mark.usefixtures("at_once")
def test_without_tqdm_there_is_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = a_terminal(monkeypatch)
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    CALLS["replicates"](decision())
    assert not screen.getvalue()


def test_misuse() -> None:
    with pytest.raises(cogir.InputError, match="run: progress is 3; give True, False, or a function of the number done and the total"):
        CALLS["run"](decision(), progress=3)


@pytest.mark.usefixtures("at_once")
def test_an_error_of_a_callback_ends_the_call() -> None:
    def fail(done: int, total: int) -> None:
        raise ValueError("enough")

    for call in CALLS.values():
        compiled = decision()
        with pytest.raises(ValueError, match="enough"):
            call(compiled, progress=fail)
        assert len(compiled.run(INPUTS, num_trials=2)["decision"]) == 2


def test_a_meter_counts_from_its_base() -> None:
    seen: list[int] = []
    with Meter("run", 10, "trial", lambda done, total: seen.append(done)) as meter:
        meter.base = 4
        meter.update(3)
    assert seen == [7, 10]
