"""Pages of the tutorial, and the concepts, do what they say; test_learning.py has the page of the tutorial about learning."""

import re

import numpy as np
import pytest
from support.pages import Ran, page, run_page

import cogir

CELL = "```{code-cell} python"


RAISES = re.compile(rf"^{re.escape(CELL)}\n:tags: \[raises-exception\]\n.*?^```", re.DOTALL | re.MULTILINE)


def ran(name: str, folder: pytest.TempPathFactory, until: str = "\0", **changes: str) -> Ran:
    """A page, up to some words, without options of cells, and without the cell that raises."""
    pytest.importorskip("matplotlib").use("Agg")
    text = RAISES.sub("", page(f"{name}.md").partition(until)[0]).replace(":tags: [hide-input]\n", "")
    for before, after in changes.items():
        text = re.sub(rf"{before}=\d+", f"{before}={after}", text)
    return run_page(text, folder.mktemp("page"), fence=CELL)


def labels() -> list[str]:
    """The entries of all legends."""
    from matplotlib import pyplot

    axes = [each for number in pyplot.get_fignums() for each in pyplot.figure(number).axes]
    return [label for each in axes for label in each.get_legend_handles_labels()[1]]


def test_the_first_model(tmp_path_factory: pytest.TempPathFactory) -> None:
    found = ran("tutorial/first_model", tmp_path_factory)
    names = found.names
    assert found.printed.startswith("(10000, 1)\n")
    correct = [int(value) for label in labels() for value in re.findall(r"(\d+)% correct", label)]
    assert len(correct) == 3
    assert correct == sorted(set(correct)), "a higher threshold is more accurate"
    compiled = names["compiled"]
    means = []
    for threshold in (0.5, 1.5):
        compiled.params["decision/threshold"] = threshold
        means.append(compiled.replicates({"decision": [[0.8]]}, count=500, seed=1)["decision", "response_time"].mean())
    assert means[0] < means[1], "and slower"
    few = compiled.replicates({"decision": [[0.8]]}, count=20, seed=1)["decision", "response_time"]
    assert np.array_equal(few, names["times"].reshape(10_000, 1)[:20]), "replicates do not depend on their number"
    assert compiled.params["decision/time_step_size"] == 0.001, "a step of 1 ms"
    with pytest.raises(cogir.InputError, match=r'did you mean "decision/(param:)?threshold"'):
        compiled.params["decision/treshold"] = 2.0


def test_the_network(tmp_path_factory: pytest.TempPathFactory) -> None:
    names = ran("tutorial/network", tmp_path_factory).names
    times = {label.partition(":")[0]: float(label.split()[1]) for label in labels() if label.endswith("correct")}
    assert times["congruent"] < times["neutral"] < times["incongruent"]
    assert names["course"].shape == (30, 1), "thirty trials"
    assert (np.diff(names["course"][:10, 0]) > 0).all()
    assert (np.diff(names["course"][10:, 0]) < 0).all()
    fast, slow = np.asarray(names["executed"]).T
    assert (fast.sum(), slow.sum()) == (6, 2), "slow runs after every third execution of fast, and twice"
    assert [int(fast[:place].sum()) for place in np.flatnonzero(slow)] == [3, 6]


def test_a_sweep(tmp_path_factory: pytest.TempPathFactory) -> None:
    """With fewer replicates than the page has."""
    study = ran("tutorial/sweep_and_fit", tmp_path_factory, until="## A fit", replicates="50").names["study"]
    assert study["accuracy"].size == 336, "combinations of drift and threshold"
    assert study["accuracy"][0, 0, 0] < study["accuracy"][-1, -1, 0]


@pytest.mark.full
def test_a_sweep_and_a_fit(tmp_path_factory: pytest.TempPathFactory) -> None:
    found = ran("tutorial/sweep_and_fit", tmp_path_factory)
    assert "ddm/collapse_time" in found.printed
    low, high = found.names["found"].intervals["ddm/drift"]
    assert low < 1.5 < high


def test_the_concepts(tmp_path_factory: pytest.TempPathFactory) -> None:
    """`filter` waits for two executions of `stimulus`, `decision` for two of `filter`, and a trial ends after one of `decision`."""
    for executed in ran("concepts/index", tmp_path_factory).names["trials"]:
        stimulus, filtering, decision = executed.T.astype(int)
        assert decision.sum() == decision[-1] == 1
        assert stimulus.cumsum()[filtering == 1].tolist() == [2, 4]
        assert filtering.cumsum()[decision == 1].tolist() == [2]
