"""Words of a study that could mean something else without a sign: each gives the right number, a warning or an error."""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import cogir
from cogir import library
from cogir.library import Random, State, Step, Value


def weighed(a: Value, b: Value) -> Value:
    return a - 10.0 * b


def columns_of_a_table() -> None:
    """A DataFrame for a node: its columns are the ports and labels that they are called after, in any order."""
    pandas: Any = pytest.importorskip("pandas")
    rows = [[3.0, 1.0], [4.0, 2.0]]
    m = cogir.Model("m")
    m.output(m.node("n", weighed), m.node("sides", input=2, labels=["left", "right"]))
    c = m.compile()
    given = {"n": pandas.DataFrame(rows, columns=["b", "a"]), "sides": pandas.DataFrame(rows, columns=["right", "left"])}
    found = c.run(given)
    assert found["n"].ravel().tolist() == [-29.0, -38.0]
    assert found["sides"].tolist() == [[1.0, 3.0], [2.0, 4.0]]
    with pytest.raises(cogir.InputError, match='has a column "x", which is no input of it; columns are taken by name: "a", "b"'):
        c.run(given | {"n": pandas.DataFrame(rows, columns=["x", "y"])})


def a_matrix_that_is_not_learned() -> None:
    """A recurrent matrix that is named in `weights=`: trials of one pass cannot learn it, and those of several passes do."""

    def elman(passes: int | None = None) -> cogir.Compiled:
        m = cogir.Model("elman")
        x, h, y = m.node("x", input=1), m.node("h", library.tanh, input=2), m.node("y", library.logistic, input=1)
        target = m.node("target", input=1)
        weights = [m.project(x, h, matrix=[[0.5, -0.5]]), m.project(h, h, matrix=np.eye(2), recurrent=True)]
        weights.append(m.project(h, y, matrix=[[1.0], [-1.0]]))
        if passes is not None:
            m.schedule.reset(h, cogir.AtTrialStart())
            m.schedule.trial_ends(cogir.AfterNPasses(passes))
        m.output(y)
        m.learning([(y, target)], weights=weights)
        return m.compile()

    data = {"x": [[1.0], [0.0]], "target": [[1.0], [0.0]]}
    with pytest.raises(cogir.CogirError, match=r'the projection h -> h is named in weights, but .* is 0 .*the page "Recurrent networks"'):
        elman().learn(data)
    c = elman(2)
    c.learn(data)
    assert not np.array_equal(c.params["h->h"], np.eye(2))


def counted(x: Value, *, rate: float = 1.0, total: State = 0.0) -> Step:
    total = total + rate * x
    return Step(outputs=(total,), states=(total,))


def trials_before() -> None:
    """Replicates and sweeps of a context that has run begin fresh, say so once, and go on if they are asked to."""
    m = cogir.Model("m")
    m.node("n", counted, input=())
    asks: dict[str, Callable[[cogir.Compiled, Any], Any]] = {
        "replicates": lambda c, start: c.replicates({"n": 1.0}, 2, start=start),
        "sweep": lambda c, start: c.sweep({"n/rate": [1.0, 1.0]}, {"n": 1.0}, start=start),
    }
    for calls in (("replicates", "sweep"), ("sweep", "replicates")):
        for start, reached in ((None, 1.0), ("fresh", 1.0), ("context", 6.0)):
            c = m.compile()
            c.run({"n": 1.0}, num_trials=5)
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                assert [asks[call](c, start)["n"].ravel().tolist() for call in calls] == [[reached] * 2] * 2
            said = [str(each.message) for each in caught]
            assert len(said) == (start is None)
            assert all(each.startswith(calls[0]) and "5 trials" in each and 'start="context"' in each for each in said)


def drawn(x: Value, *, random: Random) -> Value:
    return x + random.normal()


def neighbouring_seeds() -> None:
    """Models of seeds 5 and 6: their nodes, contexts, replicates and points draw other numbers."""
    numbers: list[float] = []
    for seed in (5, 6):
        m = cogir.Model("m", seed=seed)
        for name in ("a", "b"):
            m.node(name, drawn, input=())
        c = m.compile()
        zeros = {"a": 0.0, "b": 0.0}
        for context in (None, "s1", "s2"):
            results: list[Any] = [c.run(zeros, num_trials=4, context=context), c.replicates(zeros, 4, context=context, start="fresh")]
            results.append(c.sweep({"a": np.zeros(3)}, {"b": 0.0}, replicates=4, context=context, start="fresh"))
            numbers += [number for found in results for name in ("a", "b") for number in found[name].ravel().tolist()]
    assert len(numbers) == len(set(numbers)) == 2 * 3 * 2 * (4 + 4 + 12)


ROWS = [columns_of_a_table, a_matrix_that_is_not_learned, trials_before, neighbouring_seeds]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.__name__)
def test_no_number_is_wrong_in_silence(row: Callable[[], None]) -> None:
    row()
