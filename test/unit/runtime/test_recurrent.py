"""Recurrent networks by passes of the schedule learn what backpropagation through time says, of NumPy and of PyTorch."""

# pyright: basic
import warnings
from typing import Any

import numpy as np
import pytest

import cogir
from cogir import library
from cogir.library import State, Step, Value
from cogir.lowering.gradient import differentiate, zeros
from cogir.runtime.learning import LearningWarning

try:
    import torch
except ImportError:
    torch: Any = None

T, N, UNITS = 5, 2, 4
NAMES = ("reader->hidden", "hidden->hidden", "hidden->output")


def read(sequence: Value, *, t: State = 0.0) -> Step:
    return Step(outputs=(sequence[int(t)],), states=(t + 1.0,))


def collect(value: Value, *, seen: State = np.zeros((T, 1)), t: State = 0.0) -> Step:
    rows = seen.copy()
    rows[int(t)] = value
    return Step(outputs=(rows,), states=(rows, t + 1.0))


def matrices() -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    return [rng.normal(size=shape) for shape in ((N, UNITS), (UNITS, UNITS), (UNITS, 1))]


def elman(passes: int = T, named: bool = True, reset: bool = True) -> cogir.Model:
    model = cogir.Model("elman")
    reader = model.node("reader", read, input=(T, N), reset_each_trial=True)
    hidden = model.node("hidden", library.tanh, input=UNITS)
    output = model.node("output", library.logistic, input=1)
    answers = model.node("answers", collect, input=1, reset_each_trial=True)
    target = model.node("target", input=(T, 1))
    if reset:
        model.schedule.reset(hidden, cogir.AtTrialStart())
    inward, around, outward = matrices()
    weights = [model.project(reader, hidden, matrix=inward), model.project(hidden, hidden, matrix=around, recurrent=True)]
    weights.append(model.project(hidden, output, matrix=outward))
    model.project(output, answers)
    model.output(answers)
    model.schedule.trial_ends(cogir.AfterNPasses(passes))
    model.learning([(answers, target)], rate=0.3, weights=weights if named else None)
    return model


def data() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1)
    return rng.normal(size=(6, T, N)), rng.uniform(size=(6, T, 1))


def by_hand(epochs: int, batch: int) -> tuple[np.ndarray, list[np.ndarray]]:
    """Backpropagation through time, written down: the losses of batches, and the matrices afterwards."""
    inward, around, outward = matrices()
    sequences, targets = data()
    losses = []
    for _ in range(epochs):
        for start in range(0, len(sequences), batch):
            total, sums = 0.0, [np.zeros_like(each) for each in (inward, around, outward)]
            rows = range(start, min(start + batch, len(sequences)))
            for row in rows:
                hidden, answers = [np.zeros(UNITS)], []
                for t in range(T):
                    hidden.append(np.tanh(sequences[row, t] @ inward + hidden[-1] @ around))
                    answers.append(1.0 / (1.0 + np.exp(-(hidden[-1] @ outward))))
                errors = np.array(answers) - targets[row]
                total += np.mean(errors**2)
                by_next = np.zeros(UNITS)
                for t in reversed(range(T)):
                    by_answer = 2.0 * errors[t] / T * answers[t] * (1.0 - answers[t])
                    by_net = (outward @ by_answer + by_next) * (1.0 - hidden[t + 1] ** 2)
                    sums[2] += np.outer(hidden[t + 1], by_answer)
                    sums[1] += np.outer(hidden[t], by_net)
                    sums[0] += np.outer(sequences[row, t], by_net)
                    by_next = around @ by_net
            losses.append(total / len(rows))
            inward, around, outward = (each - 0.3 * part / len(rows) for each, part in zip((inward, around, outward), sums, strict=True))
    return np.array(losses).reshape(epochs, -1), [inward, around, outward]


def by_torch(epochs: int, batch: int) -> tuple[np.ndarray, list[np.ndarray]]:
    """PyTorch's module for the same network."""
    network = torch.nn.RNN(N, UNITS, bias=False, batch_first=True).double()
    last = torch.nn.Linear(UNITS, 1, bias=False).double()
    inward, around, outward = matrices()
    parameters = [network.weight_ih_l0, network.weight_hh_l0, last.weight]
    with torch.no_grad():
        for parameter, matrix in zip(parameters, (inward, around, outward), strict=True):
            parameter.copy_(torch.tensor(matrix.T))
    optimizer = torch.optim.SGD(parameters, lr=0.3)
    sequences, targets = map(torch.tensor, data())
    losses = []
    for _ in range(epochs):
        for start in range(0, len(sequences), batch):
            optimizer.zero_grad()
            answers = torch.sigmoid(last(network(sequences[start : start + batch])[0]))
            loss = torch.nn.functional.mse_loss(answers, targets[start : start + batch])
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
    return np.array(losses).reshape(epochs, -1), [each.detach().numpy().T for each in parameters]


ORACLES = [by_hand, pytest.param(by_torch, marks=pytest.mark.skipif(torch is None, reason="PyTorch is not installed"))]


@pytest.mark.parametrize("oracle", ORACLES)
@pytest.mark.parametrize("mode", ["python", "run"])
def test_it_learns_what_backpropagation_through_time_says(mode: str, oracle) -> None:
    epochs, batch = (1, 3) if mode == "python" else (20, 3)
    compiled = elman().compile(mode=mode, cache=False)
    sequences, targets = data()
    learned = compiled.learn({"reader": sequences, "target": targets}, epochs=epochs, batch=batch)
    losses, expected = oracle(epochs, batch)
    np.testing.assert_allclose(learned.losses, losses, rtol=1e-12)
    for name, matrix, before in zip(NAMES, expected, matrices(), strict=True):
        np.testing.assert_allclose(compiled.params[name], matrix, rtol=1e-12, atol=1e-12)
        assert np.abs(matrix - before).max() > 1e-3


def test_runs_have_the_losses_of_learning() -> None:
    compiled = elman().compile(cache=False)
    sequences, targets = data()
    answers = compiled.run({"reader": sequences, "target": targets})["answers"]
    again = compiled.run({"reader": sequences, "target": targets})["answers"]
    np.testing.assert_array_equal(answers, again)
    learned = compiled.learn({"reader": sequences, "target": targets}, batch=len(sequences))
    np.testing.assert_allclose(learned.losses[0, 0], np.mean((answers - targets) ** 2), rtol=1e-12)


def single(weights: str | None, begin: Any = (0.0, 0.0, 0.0)) -> cogir.Model:
    """x -> h -> y in one pass, with h -> h and y -> h; the matrix of x -> z is of no use."""
    m = cogir.Model("single")
    x, h, y = m.node("x", input=2), m.node("h", library.tanh, input=3, initial={"value": begin}), m.node("y", library.logistic, input=1)
    t, z = m.node("t", input=1), m.node("z", input=1)
    held = {
        "x->h": m.project(x, h, matrix=np.ones((2, 3))),
        "h->h": m.project(h, h, matrix=np.eye(3), recurrent=True),
        "y->h": m.project(y, h, matrix=np.ones((1, 3)), feedback=True),
        "h->y": m.project(h, y, matrix=np.ones((3, 1))),
        "x->z": m.project(x, z, matrix=np.ones((2, 1))),
    }
    m.learning([(y, t)], rate=0.1, weights=None if weights is None else [held[name] for name in ("x->h", weights)])
    return m


GIVEN = {"x": np.ones((4, 2)), "t": np.zeros((4, 1))}


@pytest.mark.parametrize("mode", ["python", "run"])
@pytest.mark.parametrize(
    ("name", "reason"), [("h->h", "before the trial"), ("y->h", "before the trial"), ("x->z", "the loss does not depend")]
)
def test_a_named_weight_without_a_derivative_is_an_error(name: str, reason: str, mode: str) -> None:
    words = name.replace("->", " -> ")
    with pytest.raises(
        cogir.CogirError, match=f"the projection {words} is named in weights, but .* is 0 in every trial: .*{reason}"
    ) as found:
        single(name).compile(mode=mode, cache=False).learn(GIVEN)
    assert ("Recurrent networks" in str(found.value)) == (reason == "before the trial")
    with pytest.raises(cogir.CogirError, match=f"the projection {words} is named in weights"):
        cogir.compile(str(single(name).ir()), mode=mode, cache=False).learn(GIVEN)


@pytest.mark.parametrize("mode", ["python", "run"])
def test_weights_that_are_not_named_stay_with_a_warning(mode: str) -> None:
    compiled = single(None).compile(mode=mode, cache=False)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        compiled.learn(GIVEN)
        compiled.learn(GIVEN)
    texts = [str(each.message) for each in caught if issubclass(each.category, LearningWarning)]
    assert len(texts) == 2
    assert texts[0] == "learn: the matrix of x -> z stays as it is: the loss does not depend on it"
    assert 'goes on with "h/value", "y/value" of the trial before' in texts[1]
    np.testing.assert_array_equal(compiled.params["x->z"], np.ones((2, 1)))


def test_initial_values_that_are_not_zero_have_derivatives() -> None:
    m = cogir.Model("m")
    x, t = m.node("x", input=2), m.node("t", input=1)
    h, y = m.node("h", library.tanh, input=3, initial={"value": [0.5, -0.5, 0.25]}, reset_each_trial=True), m.node("y", input=1)
    m.project(x, h, matrix=np.ones((2, 3)))
    own = m.project(h, h, matrix=np.eye(3), recurrent=True)
    m.project(h, y, matrix=np.ones((3, 1)))
    m.learning([(y, t)], rate=0.1, weights=[own])
    compiled = m.compile(cache=False)
    compiled.learn(GIVEN)
    assert (compiled.params["h->h"] != np.eye(3)).all()


@pytest.mark.filterwarnings("ignore::cogir.runtime.learning.LearningWarning")
@pytest.mark.parametrize("mode", ["python", "run"])
def test_initial_values_count_as_the_context_has_them(mode: str) -> None:
    compiled = single("h->h").compile(mode=mode, cache=False)
    other = compiled.context("other")
    compiled.params["h/initial:port:value"] = [0.5, 0.0, 0.0]
    compiled.learn(GIVEN)
    changed = compiled.params["h->h"] != np.eye(3)
    np.testing.assert_array_equal(changed, [[True] * 3, [False] * 3, [False] * 3])
    assert compiled.explain()["learning"][0] == "learns the matrices of x -> h, h -> h"
    with pytest.raises(cogir.ModelError, match="the projection h -> h is named in weights"):
        compiled.learn(GIVEN, context=other)
    compiled.params["h/initial:port:value"] = np.zeros(3)
    with pytest.raises(cogir.ModelError, match="the projection h -> h is named in weights"):
        compiled.learn(GIVEN)
    assert compiled.explain()["learning"][0].startswith("not possible: learning: the projection h -> h is named in weights")


def test_a_matrix_that_stays_is_said_when_it_begins_to_stay() -> None:
    m = cogir.Model("late")
    x, h = m.node("x", input=1), m.node("h", library.tanh, input=1, initial={"value": [0.5]})
    y, t = m.node("y", library.logistic, input=1), m.node("t", input=1)
    m.project(x, h, matrix=[[1.0]])
    m.project(h, y, matrix=[[1.0]])
    m.schedule.when(y, cogir.AtPass(0))
    m.schedule.when(h, cogir.AtPass(1))
    m.schedule.trial_ends(cogir.AfterNPasses(2))
    m.learning([(y, t)])
    compiled = m.compile(mode="python", cache=False)
    said = list[bool]()
    for value in (0.5, 0.0, 0.0, 0.5, 0.0):
        compiled.params["h/initial:port:value"] = [value]
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            compiled.learn({"x": [[1.0]], "t": [[0.0]]})
        said.append(any("the matrix of h -> y stays as it is" in str(each.message) for each in found))
    assert said == [False, True, False, False, True]


@pytest.mark.filterwarnings("ignore::cogir.runtime.learning.LearningWarning")
def test_code_from_the_cache_serves_other_initial_values(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("COGIR_CACHE_DIR", str(tmp_path))
    single("h->h", [0.5, 0.5, 0.5]).compile(mode="run").learn(GIVEN)
    with pytest.raises(cogir.ModelError, match="the projection h -> h is named in weights"):
        single("h->h").compile(mode="run").learn(GIVEN)
    compiled = single("h->h", [0.5, 0.5, 0.5]).compile(mode="run")
    compiled.learn(GIVEN)
    assert (compiled.params["h->h"] != np.eye(3)).all()


def test_conditions_are_alternatives_of_parts() -> None:
    a, b, c = (frozenset({frozenset({(name, 0, 1)})}) for name in "abc")
    assert zeros.any_of((a, zeros.NEVER)) == a
    assert zeros.all_of((a, zeros.ALWAYS)) == a
    assert zeros.all_of((a, zeros.NEVER)) == zeros.NEVER
    assert zeros.any_of((a, zeros.all_of((a, b)))) == a
    both = zeros.all_of((zeros.any_of((a, b)), c))
    assert both == frozenset({frozenset({("a", 0, 1), ("c", 0, 1)}), frozenset({("b", 0, 1), ("c", 0, 1)})})
    many = [frozenset({frozenset({("x", at, 1)})}) for at in range(100)]
    assert len(zeros.any_of(many)) == zeros.MOST_ALTERNATIVES


def test_what_trials_carry_is_named_unless_it_is_reset() -> None:
    sequences, targets = data()
    with pytest.warns(LearningWarning, match='goes on with "hidden/value" of the trial before'):
        elman(reset=False).compile(cache=False).learn({"reader": sequences, "target": targets})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        elman().compile(cache=False).learn({"reader": sequences, "target": targets})


def test_the_cache_keeps_what_is_not_learned(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("COGIR_CACHE_DIR", str(tmp_path))
    for _ in range(2):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            single(None).compile(mode="run").learn(GIVEN)
        assert "x -> z stays as it is" in str(caught[0].message)


PLANTS = {
    "nothing is zero": lambda patch: patch.setattr(zeros.KnownZeros, "condition", lambda self, value: zeros.NEVER),
    "initial values are any values": lambda patch: patch.setattr(differentiate, "zero_initials", lambda layout: lambda *place: zeros.NEVER),
}


@pytest.mark.parametrize("plant", PLANTS)
def test_planted_fault_is_found(plant: str, monkeypatch) -> None:
    PLANTS[plant](monkeypatch)
    with pytest.raises((pytest.fail.Exception, LearningWarning)):
        test_a_named_weight_without_a_derivative_is_an_error("h->h", "before the trial", "python")


def test_a_sum_with_an_initial_value_is_not_taken_for_zero(monkeypatch) -> None:
    """All initial values taken for zeros: the network whose units do not begin at 0 would be refused."""
    monkeypatch.setattr(
        differentiate, "zero_initials", lambda layout: lambda argument, offset, size: zeros.ALWAYS if offset < 20 else zeros.NEVER
    )
    with pytest.raises(cogir.CogirError, match="is named in weights"):
        test_initial_values_that_are_not_zero_have_derivatives()


@pytest.mark.parametrize("mode", ["python", "run"])
def test_explanations_say_what_is_learned_and_how(mode: str) -> None:
    found = single(None).compile(mode=mode, cache=False).explain()["learning"]
    assert found[0] == "learns the matrices of x -> h, h -> y"
    assert found[1] == "leaves the matrix of x -> z as it is: the loss does not depend on it"
    assert [each.partition(":")[0] for each in found[2:4]] == [f"leaves the matrix of {name} as it is" for name in ("h -> h", "y -> h")]
    assert 'goes on with "h/value", "y/value"' in found[4]
    assert found[5] == "trials one after the other: no matrix of a trial has 2,500 elements"
    assert elman().compile(mode=mode, cache=False).explain()["learning"] == [
        "learns the matrices of reader -> hidden, hidden -> hidden, hidden -> output",
        "trials one after the other: no matrix of a trial has 2,500 elements",
    ]
    (refused,) = single("h->h").compile(mode=mode, cache=False).explain()["learning"]
    assert refused.startswith("not possible: learning: the projection h -> h is named in weights")


def test_explanations_say_whether_trials_are_in_blocks() -> None:
    m = cogir.Model("large")
    x, y, t = m.node("x", input=50), m.node("y", library.tanh, input=60), m.node("t", input=60)
    m.project(x, y, matrix=np.full((50, 60), 0.01))
    m.learning([(y, t)])
    assert m.compile(cache=False).explain()["learning"][1] == "trials in blocks of up to 256, in batches of 4 and more"
    (_, found) = m.compile(cache=False, without=["batch-trials"]).explain()["learning"]
    assert found == 'trials one after the other: compiled with without=["batch-trials"]'
    plain = cogir.Model("plain")
    plain.node("x", input=2)
    assert plain.compile(cache=False).explain()["learning"] == []


@pytest.mark.parametrize("mode", ["python", "run"])
def test_states_that_were_set_by_hand_are_not_used_and_said(mode: str) -> None:
    m = cogir.Model("sums")
    a, h = m.node("a", input=1), m.node("h", library.psyneulink.simple_integrator, input=1)
    b, t = m.node("b", library.linear, input=1), m.node("t", input=1)
    m.project(a, h, matrix=[[1.0]])
    m.project(h, b, matrix=[[2.0]])
    m.output(b)
    m.learning([(b, t)], rate=0.1)
    compiled = m.compile(mode=mode, cache=False)
    given = {"a": [[1.0]], "t": [[0.0]]}
    compiled.state["h/previous_value"] = 10.0
    for is_said in (True, False):
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            assert (compiled.learn(given).trials["b"].item() == 2.0) is is_said
        said = [str(each.message) for each in found if each.category is LearningWarning]
        assert any("set by hand of h/state:previous_value is not used: each trial begins with the" in text for text in said) is is_said
