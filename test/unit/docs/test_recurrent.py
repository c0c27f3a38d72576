"""docs/recurrent.md: what it says beside its blocks, which test_learning.py runs."""

from typing import Any

import numpy as np
import pytest
from support.pages import page, run_page

import cogir
from cogir import library
from cogir.runtime.learning import LearningWarning

PAGE = page("recurrent.md")


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the first block defines before it compiles and learns."""
    return run_page(PAGE.partition("compiled = model.compile()")[0] + "```\n", tmp_path_factory.mktemp("recurrent")).names


def network(names: dict[str, Any], length: int, rate: float = 0.1) -> cogir.Model:
    """The network of the page whose last answer alone counts, for sequences of a length."""
    rng = np.random.default_rng(0)
    m = cogir.Model("last")
    reader = m.node("reader", names["read"], input=(length, 2), reset_each_trial=True)
    hidden = m.node("hidden", library.tanh, input=2, reset_each_trial=True)
    output, target = m.node("output", library.logistic, input=1), m.node("target", input=1)
    weights = [m.project(reader, hidden, matrix=rng.normal(size=(2, 2)))]
    weights.append(m.project(hidden, hidden, matrix=rng.normal(size=(2, 2)), recurrent=True))
    weights.append(m.project(hidden, output, matrix=rng.normal(size=(2, 1))))
    m.output(output)
    m.schedule.trial_ends(cogir.AfterNPasses(length))
    m.learning([(output, target)], rate=rate, weights=weights)
    return m


def test_the_last_answer_alone(names: dict[str, Any]) -> None:
    compiled = network(names, 3).compile(mode="python", cache=False)
    inward, around, outward = (np.array(compiled.params[name]) for name in ("reader->hidden", "hidden->hidden", "hidden->output"))
    sequence, state = np.random.default_rng(1).normal(size=(3, 2)), np.zeros(2)
    for element in sequence:
        state = np.tanh(element @ inward + state @ around)
    expected = (1.0 / (1.0 + np.exp(-(state @ outward))) - 0.25) ** 2
    learned = compiled.learn({"reader": [sequence], "target": [[0.25]]})
    np.testing.assert_allclose(learned.losses, [expected], rtol=1e-12)


def test_sequences_have_one_length(names: dict[str, Any]) -> None:
    compiled = names["model"].compile(mode="python", cache=False)
    with pytest.raises(cogir.InputError, match="reader"):
        compiled.run({"reader": np.zeros((1, 4, 2)), "target": np.zeros((1, 5, 1))})


def test_up_to_64_passes_are_unrolled(names: dict[str, Any]) -> None:
    with pytest.raises(cogir.CogirError, match="64"):
        network(names, 65).compile(mode="python", cache=False).learn({"reader": np.zeros((1, 65, 2)), "target": [[0.0]]})


def test_without_names_no_recurrent_matrix_is_learned(names: dict[str, Any]) -> None:
    m = cogir.Model("m")
    x, h = m.node("x", input=1), m.node("h", library.tanh, input=1)
    y, target = m.node("y", library.logistic, input=1), m.node("target", input=1)
    m.project(x, h, matrix=[[1.0]])
    m.project(h, h, matrix=[[0.5]], recurrent=True)
    m.project(y, h, matrix=[[0.5]], feedback=True)
    m.project(h, y, matrix=[[1.0]])
    m.learning([(y, target)])
    compiled = m.compile(mode="python", cache=False)
    given = {"x": [[1.0], [0.5]], "target": [[0.0], [1.0]]}
    other = compiled.context("other")
    outputs = compiled.run(given, context=other)["y"]
    with pytest.warns(LearningWarning, match='goes on with "h/value", "y/value"'):
        learned = compiled.learn(given, batch=2)
    assert not np.allclose(learned.trials["y"].ravel(), outputs.ravel()), "a trial of run goes on where the one before has ended"
    np.testing.assert_allclose(learned.trials["y"].ravel()[0], outputs.ravel()[0], rtol=1e-12)
    before = {"x->h": 1.0, "h->h": 0.5, "y->h": 0.5, "h->y": 1.0}
    assert {name for name, value in before.items() if compiled.params[name] != value} == {"x->h", "h->y"}
