"""docs/learning.md does what it says."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.pages import page, run_page

import cogir
from cogir import library

PAGE = page("learning.md")


def test_the_page_runs_from_top_to_bottom(tmp_path: Path) -> None:
    names = run_page(PAGE, tmp_path).names
    compiled, learned, xor = names["compiled"], names["learned"], names["xor"]
    assert learned.losses.shape == (2000, 4)
    assert names["learned"].losses[-1].max() < 0.01
    assert names["compiled"].run(names["xor"])["output"].round().ravel().tolist() == [0.0, 1.0, 1.0, 0.0]
    text = str(names["model"].ir())
    assert text.count("cog.learned") == 2
    for line in ("cog.learn @learning mean by @adam", "tensor<30xf64>", 'cog.loss @mean_squared_error(@output["value"], @target["value"])'):
        assert line in text
        assert line in PAGE
    losses_named = re.findall(r"`(\w+)`", PAGE.partition("`cogir.library` has ")[2].partition("; any function")[0])
    assert "mean_squared_error" in losses_named
    assert [name for name in losses_named if not callable(getattr(library, name))] == []
    assert {"hidden", "output"} <= set(re.findall(r"\w+", str(compiled.explain()))), "what is learned"

    twice, once = compiled.context("twice"), compiled.context("once")
    losses = [compiled.learn(xor, epochs=2, context=twice).losses for _ in range(2)]
    assert np.array_equal(np.vstack(losses), compiled.learn(xor, epochs=4, context=once).losses), "the state of adam goes on"
    copied = once.copy()
    following = [compiled.learn(xor, epochs=1, context=each).losses for each in (once, copied)]
    assert np.array_equal(*following)
    batches = compiled.learn(xor, epochs=1, batch=4, context=copied)
    assert batches.losses.shape == (1, 1)
    outputs = batches.trials["output"].reshape(-1)
    np.testing.assert_allclose(batches.losses[0, 0], np.mean((outputs - [0.0, 1.0, 1.0, 0.0]) ** 2), rtol=1e-12)


def test_models_that_draw_random_numbers_do_not_learn() -> None:
    m = cogir.Model("noisy")
    noisy, output, target = m.node("noisy", library.psyneulink.gaussian_distort), m.node("output", library.logistic), m.node("target")
    m.project(noisy, output, matrix=[[1.0]])
    m.learning([(output, target)])
    with pytest.raises(cogir.CogirError, match="random"):
        m.compile(mode="python").learn({"noisy": [[1.0]], "target": [[0.0]]})


RECURRENT = page("recurrent.md")
TUTORIAL = page("tutorial/learning.md")


def by_hand(names: dict[str, Any], sequences: np.ndarray) -> np.ndarray:
    """The answers in NumPy: an element of the sequence in each pass, and no activation of the sequence before."""
    params = names["compiled"].params
    inward, around, outward = (params[name] for name in ("reader->hidden", "hidden->hidden", "hidden->output"))
    answers = np.zeros((len(sequences), sequences.shape[1], 1))
    for sequence, answer in zip(sequences, answers, strict=True):
        hidden = np.zeros(len(around))
        for element, row in zip(sequence, answer, strict=True):
            hidden = np.tanh(element @ inward + hidden @ around)
            row[:] = 1.0 / (1.0 + np.exp(-(hidden @ outward)))
    return answers


def test_the_page_on_recurrent_networks(tmp_path: Path) -> None:
    names = run_page(RECURRENT, tmp_path).names
    assert names["learned"].losses.shape == (30, 5)
    assert names["learned"].losses[-1].mean() < names["learned"].losses[0].mean()
    shown = re.search(r"    (learning: the projection.*?)\n\n", RECURRENT, re.DOTALL)
    assert shown is not None
    assert names["message"] == " ".join(shown[1].split())
    given = {"reader": names["sequences"], "target": names["wanted"]}
    answers = names["compiled"].run(given)["answers"]
    np.testing.assert_allclose(answers, by_hand(names, names["sequences"]), rtol=1e-12)
    loss = names["compiled"].learn(given, batch=20).losses[0, 0]
    np.testing.assert_allclose(loss, np.mean((answers - names["wanted"]) ** 2), rtol=1e-12)


def test_the_page_of_the_tutorial(tmp_path: Path) -> None:
    """A second context has the learned weights, and the association with the tone stays weak."""
    matplotlib = pytest.importorskip("matplotlib", reason="the tutorial draws")
    matplotlib.use("Agg")
    ran = run_page(TUTORIAL, tmp_path, fence="```{code-cell} python")
    learned, second, untaught = ran.printed.strip().splitlines()[-3:]
    assert learned == second
    assert np.fromstring(learned.strip("[]"), sep=" ").round().tolist() == [0.0, 1.0, 1.0, 0.0]
    assert untaught != learned
    weights = ran.names["weights"]
    assert weights.shape == (40, 2)
    assert (weights[:20, 1] == 0.0).all()
    assert weights[-1, 1] < 0.05 < 0.9 < weights[-1, 0]
    matplotlib.pyplot.close("all")
