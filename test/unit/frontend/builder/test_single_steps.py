"""
A node that finishes, but is reset in each trial after a single step, is warned of when its model is compiled.
"""

import warnings
from collections.abc import Callable
from typing import Any

import pytest

import cogir
from cogir import library
from cogir.library import Step


def stateless(x: Any, *, limit: float = 0.0) -> Step:
    """Finishes by what comes in, and remembers nothing."""
    return Step(x + 1.0, finished=x[0] >= limit)


def choice(**options: Any) -> cogir.Model:
    m = cogir.Model("choice")
    given = {"threshold": 0.5, "noise": 0.0, "time_step_size": 0.1, "reset_each_trial": True}
    m.node("decision", library.drift_diffusion_integrator, **(given | options))
    return m


def within(model: cogir.Model) -> cogir.Model:
    m = cogir.Model("outer")
    m.instance("one", model)
    return m


@pytest.mark.parametrize(("model", "path"), [(choice, "decision"), (lambda: within(choice()), "one/decision")])
def test_a_single_step_is_warned_of_once_at_the_line_of_the_node(model: Callable[[], cogir.Model], path: str) -> None:
    made = model()
    found = f'node "{path}": it is reset in each trial and executes once in it'
    remedies = r'execute_until_finished=True, or .* model.schedule.trial_ends\(cogir.WhenFinished\("decision"\)\)'
    with pytest.warns(cogir.ResetWarning, match=f"{found}, .*{remedies}") as caught:
        made.compile()
    made.compile()
    assert [one.filename for one in caught] == [__file__]


def ends_when_finished() -> cogir.Model:
    m = choice()
    m.schedule.trial_ends(cogir.WhenFinished("decision"))
    return m


def waited_for() -> cogir.Model:
    m = choice()
    m.schedule.when(m.node("after", library.linear), cogir.WhenFinished("decision"))
    return m


def reset_by_hand() -> cogir.Model:
    m = choice(reset_each_trial=False)
    m.schedule.reset("decision", cogir.AtTrialNStart(3))
    return m


def without_state() -> cogir.Model:
    m = cogir.Model("stateless")
    m.node("decision", stateless, reset_each_trial=True)
    return m


def imported() -> cogir.Model:
    m = choice()
    m.warns = False
    return m


@pytest.mark.parametrize(
    "model",
    [
        ends_when_finished,
        waited_for,
        reset_by_hand,
        without_state,
        imported,
        lambda: choice(execute_until_finished=True),
        lambda: choice(reset_each_trial=False),
    ],
)
def test_what_is_meant_is_silent(model: Callable[[], cogir.Model]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", cogir.ResetWarning)
        model().compile()
