"""
A node that executes until it has finished and projects to itself is asked whether in each repetition.
"""

import inspect
import warnings
from typing import Any

import numpy as np
import pytest

import cogir
from cogir import library

INHIBITION = [[0.0, -1.0], [-1.0, 0.0]]
EVIDENCE = {"choice": [[1.2, 0.8]]}


def competition(*, until_finished: bool = True, **options: Any) -> cogir.Model:
    m = cogir.Model("competition")
    given = {"leak": 0.3, "threshold": 0.8, "noise": 0.0, "execute_until_finished": until_finished}
    choice = m.node("choice", library.leaky_competing_accumulator, input=2, **given, reset_each_trial=until_finished)
    m.project(choice["result"], choice, matrix=INHIBITION, **options)
    return m


def competing() -> tuple[int, list[float]]:
    """The steps and results of NumPy."""
    value, result, steps = np.zeros(2), np.full(2, 0.5), 0
    while steps == 0 or result.max() < 0.8:
        fed_back = result @ np.array(INHIBITION) if steps else np.zeros(2)  # the port begins at zero
        value = value + (-0.3 * value + EVIDENCE["choice"][0] + fed_back) * 0.1
        result, steps = 1.0 / (1.0 + np.exp(-value)), steps + 1
    return steps, result.tolist()


def test_a_projection_that_is_read_once_is_warned_of_at_its_line() -> None:
    with pytest.warns(cogir.RecurrentWarning, match="give recurrent=True to evaluate it in each repetition, or recurrent=False") as caught:
        competition()
    line = inspect.getsourcelines(competition)[1] + 4
    assert [(one.filename, one.lineno) for one in caught] == [(__file__, line)]


@pytest.mark.parametrize("options", [{"recurrent": True}, {"recurrent": False}, {"until_finished": False}])
def test_what_was_said_and_what_does_not_repeat_is_silent(options: dict[str, bool]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        competition(**options)


def test_the_competition_of_the_library_is_that_of_numpy() -> None:
    found = competition(recurrent=True).compile().run(EVIDENCE)
    steps, result = competing()
    assert found["choice", "steps"].tolist() == [steps]
    np.testing.assert_allclose(found["choice", "result"], [result], rtol=1e-14)
    assert competition(recurrent=False).compile().run(EVIDENCE)["choice", "steps"].item() < steps
