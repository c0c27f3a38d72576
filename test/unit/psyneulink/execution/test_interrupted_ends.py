"""Ctrl-C while PsyNeuLink is told of native trials waits until it has been told of all."""

import signal
from collections.abc import Callable
from typing import Any

import numpy as np
import psyneulink as pnl
import pytest

from cogir.psyneulink import accelerate, report
from cogir.psyneulink.execution.results import Outcomes
from cogir.psyneulink.state.mirror import Mirror

PLACES = {"checks": (Mirror, "no_room"), "values": (Mirror, "end"), "end": (Mirror, "end_run"), "results": (Outcomes, "add")}


def integrating() -> tuple[Any, Any]:
    """A Mechanism that goes on from trial to trial."""
    mechanism = pnl.TransferMechanism(name="M", integrator_mode=True, integration_rate=0.5)
    return pnl.Composition(pathways=[mechanism], name="C"), mechanism


def pressed(original: Callable[..., Any]) -> Callable[..., Any]:
    """The same, while which Ctrl-C is pressed."""

    def call(*args: Any, **kwargs: Any) -> Any:
        signal.raise_signal(signal.SIGINT)
        return original(*args, **kwargs)

    return call


@pytest.mark.parametrize("place", PLACES)
def test_all_trials_are_kept(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expected, mechanism = integrating()
    expected.run({mechanism: [[1.0], [2.0], [3.0]]}, num_trials=7)
    expected.run({mechanism: [[1.0]]})
    with accelerate(strict=True, short_runs="native"):
        found, mechanism = integrating()
        with monkeypatch.context() as patched:
            owner, name = PLACES[place]
            patched.setattr(owner, name, pressed(getattr(owner, name)))
            with pytest.raises(KeyboardInterrupt):
                found.run({mechanism: [[1.0], [2.0], [3.0]]}, num_trials=7)
        assert len(found.results) == 7
        found.run({mechanism: [[1.0]]})
    np.testing.assert_array_equal(found.results, expected.results)


CALLS: dict[str, Callable[[Any, Any], Any]] = {
    "run": lambda composition, mechanism: composition.run({mechanism: [[1.0]]}, inputs={}),
    "execute": lambda composition, mechanism: composition.execute({mechanism: [1.0]}, inputs={}),
    "evaluate": lambda composition, mechanism: composition.evaluate(foo=1),
    "too many": lambda composition, mechanism: composition.run(*range(60)),
}


@pytest.mark.parametrize("name", CALLS)
def test_calls_with_wrong_arguments_end_as_in_psyneulink(name: str) -> None:
    composition, mechanism = integrating()
    with pytest.raises(TypeError) as expected:
        CALLS[name](composition, mechanism)
    with accelerate(short_runs="native"), pytest.raises(TypeError) as found:
        CALLS[name](composition, mechanism)
    assert str(found.value) == str(expected.value)


def test_the_report_says_which_calls_ended_with_an_error() -> None:
    composition, mechanism = integrating()
    with accelerate(short_runs="native"):
        composition.run({mechanism: [[1.0]]})
        with pytest.raises(AttributeError):
            composition.run({"zz": [[1.0]]})
        with pytest.raises(TypeError):
            composition.run({mechanism: [[1.0]]}, execution_mode="LLVM")
        text = str(report(composition))
    assert "run, 1 call: native" in text
    assert "ended with an error, as in PsyNeuLink" in text
    assert "execution_mode='LLVM'" in text
