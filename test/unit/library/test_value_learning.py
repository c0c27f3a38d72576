"""Conditioning and reinforcement learning against closed forms, loops over tables, and the fixed points that the theory gives."""

# pyright: basic
from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from support.pyfunc import check

import cogir
from cogir import library

RNG = np.random.default_rng(12)
X, Y, A, B = RNG.random(4), RNG.random(4), np.eye(3)[1], np.eye(3)[2]
Q, V = RNG.normal(size=(4, 3)), RNG.normal(size=4)
CALLS: dict[str, tuple[Any, tuple[Any, ...], dict[str, Any]]] = {
    "rescorla_wagner": (library.rescorla_wagner, (X, 0.8), {"weights": V, "salience": np.array([0.1, 0.2, 0.3, 0.4])}),
    "rescorla_wagner without outcome": (library.rescorla_wagner, (X, 0.0), {"weights": V, "rate_absent": 0.3}),
    "pearce_hall": (library.pearce_hall, (X, 0.8), {"excitatory": np.abs(V), "associability": np.abs(V)}),
    "pearce_hall omission": (library.pearce_hall, (X, 0.0), {"excitatory": np.abs(V), "inhibitory": 0.1}),
    "hybrid_pearce_hall": (library.hybrid_pearce_hall, (X, 0.8), {"weights": V, "associability": np.abs(V)}),
    "q_learning": (library.q_learning, (X, A, -1.0, Y, 0.0), {"weights": Q}),
    "q_learning at the end": (library.q_learning, (X, A, -1.0, Y, 1.0), {"weights": Q}),
    "sarsa": (library.sarsa, (X, A, -1.0, Y, B, 0.0), {"weights": Q}),
    "td_lambda": (library.td_lambda, (X, 0.5, Y, 0.0), {"weights": V, "trace": np.abs(V)}),
    "td_lambda at the end": (library.td_lambda, (X, 0.5, Y, 1.0), {"weights": V, "trace": np.abs(V)}),
    "actor_critic": (library.actor_critic, (X, A, 0.5, Y, 0.0), {"actor": Q, "critic": V, "inverse_temperature": 2.0}),
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("start", ["given", "zero"])
@pytest.mark.parametrize("port", [(), (1,)], ids=["number", "vector of one"])
@pytest.mark.parametrize("name", CALLS)
def test_compiled(name: str, port: tuple[int, ...], start: str) -> None:
    function, inputs, given = CALLS[name]
    arguments = [np.full(port, value) if isinstance(value, float) and port else value for value in inputs]
    chosen = given if start == "given" else {}
    check(function, *arguments, **chosen, native=True)


def test_replacing_traces_compile() -> None:
    given = {"weights": V, "trace": np.abs(V), "statics": {"trace_type": "replacing"}}
    check(library.td_lambda, np.eye(4)[1], 0.5, np.eye(4)[2], 0.0, **given, native=True)


def test_other_traces_are_refused() -> None:
    with pytest.raises(cogir.ModelError, match='neither "accumulating" nor "replacing"; give one of them'):
        cogir.Model("m").node("n", library.td_lambda, input={"state": 2, "reward": 1, "next_state": 2, "terminal": 1}, trace_type="dutch")


CONDITIONING = {"stimuli": 2, "outcome": 1}
TRANSITION = {"state": 4, "action": 3, "reward": 1, "next_state": 4, "terminal": 1}
PREDICTION = {"state": 4, "reward": 1, "next_state": 4, "terminal": 1}
BOTH = r"state and next_state are not vectors of one length; give both as \(n,\)"
ONE_REWARD = "reward or terminal is not a single number; give each a port of the shape 1"
WRONG_SHAPES: list[tuple[Any, dict[str, Any], str]] = [
    *(
        (function, CONDITIONING | {"outcome": shape}, r"outcome is not a single number; give it a port of the shape 1 or \(\)")
        for function in (library.rescorla_wagner, library.pearce_hall, library.hybrid_pearce_hall)
        for shape in (2, 3, (1, 1))
    ),
    (library.rescorla_wagner, CONDITIONING | {"stimuli": (2, 2)}, r"stimuli has another shape than \(n,\); give a vector"),
    *(
        (function, ports | {port: shape}, ONE_REWARD)
        for function, ports in (
            (library.td_lambda, PREDICTION),
            (library.q_learning, TRANSITION),
            (library.sarsa, TRANSITION | {"next_action": 3}),
            (library.actor_critic, TRANSITION),
        )
        for port in ("reward", "terminal")
        for shape in (3, 4)
    ),
    (library.td_lambda, PREDICTION | {"next_state": 1}, BOTH),
    (library.td_lambda, PREDICTION | {"state": (4, 1), "next_state": (4, 1)}, BOTH),
    (library.q_learning, TRANSITION | {"next_state": 5}, BOTH),
    (library.actor_critic, TRANSITION | {"state": 1}, BOTH),
    (library.q_learning, TRANSITION | {"action": (3, 1)}, r"action has another shape than \(k,\); give a vector"),
    (library.sarsa, TRANSITION | {"next_action": 2}, "action and next_action are not vectors of one length"),
]


@pytest.mark.parametrize(("function", "ports", "message"), WRONG_SHAPES)
def test_wrong_shapes_are_refused(function: Any, ports: dict[str, Any], message: str) -> None:
    """Broadcast, an outcome of n elements would give each weight an error of its own, and no message."""
    with pytest.raises(cogir.ModelError, match=message):
        cogir.Model("m").node("n", function, input=ports)
    arrays = {name: np.zeros(shape) for name, shape in ports.items()}
    with pytest.raises(ValueError, match=message):
        function(**arrays)


def run(function: Any, rows: list[dict[str, Any]], outputs: list[str], **given: Any) -> list[list[np.ndarray]]:
    """The outputs of a node of a compiled model, with one trial for each row of inputs."""
    m = cogir.Model("m")
    node = m.node("n", function, input={name: np.shape(value) or 1 for name, value in rows[0].items()}, **given)
    for name in outputs:
        m.output(node[name])
    inputs = {name: [np.atleast_1d(row[name]) for row in rows] for name in rows[0]}
    return [list(trial) for trial in m.compile(mode="run").run({"n": inputs}, num_trials=len(rows)).results]


# Conditioning


def test_acquisition_and_extinction_in_closed_form() -> None:
    """One stimulus: V approaches lambda, then 0, geometrically, with a rate for each phase."""
    rows = [{"stimuli": np.ones(1), "outcome": 0.9}] * 30 + [{"stimuli": np.ones(1), "outcome": 0.0}] * 30
    found = run(library.rescorla_wagner, rows, ["prediction", "error", "weights"], salience=0.3, rate_present=0.5, rate_absent=0.25)
    top = 0.9 * (1.0 - 0.85**30)
    for t, (prediction, error, weights) in enumerate(found):
        after = 0.9 * (1.0 - 0.85 ** (t + 1)) if t < 30 else top * (1.0 - 0.3 * 0.25) ** (t - 29)
        before = 0.9 * (1.0 - 0.85**t) if t < 30 else top * (1.0 - 0.3 * 0.25) ** (t - 30)
        assert abs(weights[0] - after) < 1e-13
        assert abs(float(prediction) - before) < 1e-13
        assert abs(float(error[0]) - (rows[t]["outcome"] - before)) < 1e-13


def test_compound_in_closed_form() -> None:
    """Stimuli in compound share lambda in proportion to their saliences."""
    rows = [{"stimuli": np.array([1.0, 1.0, 0.0]), "outcome": 1.0}] * 40
    found = run(library.rescorla_wagner, rows, ["weights"], salience=np.array([0.1, 0.3, 0.2]))
    for t, (weights,) in enumerate(found):
        total = 1.0 - 0.6 ** (t + 1)
        np.testing.assert_allclose(weights, [0.25 * total, 0.75 * total, 0.0], rtol=0.0, atol=1e-13)


def conditioned(rows: list[dict[str, Any]], salience: float, decay: float) -> tuple[list[list[float]], list[list[float]]]:
    """Pearce and Hall, and the hybrid, element by element: predictions, and associabilities of all trials."""
    predictions, alphas = [], []
    for hybrid in (False, True):
        e, i, alpha = [0.0, 0.0], [0.0, 0.0], [1.0, 1.0]
        for row in rows:
            net = sum((e[j] - i[j]) * row["stimuli"][j] for j in range(2))
            d = row["outcome"] - net
            for j in range(2):
                if row["stimuli"][j] == 0.0:
                    continue
                if hybrid:
                    e[j] += salience * alpha[j] * d
                elif d > 0.0:
                    e[j] += salience * alpha[j] * row["outcome"]
                elif d < 0.0:
                    i[j] += salience * alpha[j] * abs(d)
                alpha[j] = decay * abs(d) + (1.0 - decay) * alpha[j]
            predictions.append([net])
            alphas.append(list(alpha))
    return predictions, alphas


def test_pearce_hall_and_the_hybrid_are_the_papers_equations() -> None:
    rng = np.random.default_rng(5)
    rows = [{"stimuli": (rng.random(2) < 0.7) * 1.0, "outcome": float(rng.random() < 0.6)} for _ in range(60)]
    predictions, alphas = conditioned(rows, 0.15, 0.4)
    found = [
        trial
        for function in (library.pearce_hall, library.hybrid_pearce_hall)
        for trial in run(function, rows, ["prediction", "associability"], salience=0.15, decay=0.4)
    ]
    np.testing.assert_allclose([np.ravel(trial[0]) for trial in found], predictions, rtol=0.0, atol=1e-12)
    np.testing.assert_allclose([trial[1] for trial in found], alphas, rtol=0.0, atol=1e-12)


@pytest.mark.parametrize("function", [library.pearce_hall, library.hybrid_pearce_hall])
def test_latent_inhibition(function: Any) -> None:
    """Exposure without outcome decreases the associability, so that later learning is slower; Rescorla and Wagner's rule has none of it."""
    alone, paired = {"stimuli": np.ones(1), "outcome": 0.0}, {"stimuli": np.ones(1), "outcome": 1.0}
    exposed = run(function, [alone] * 20 + [paired] * 5, ["prediction"], decay=0.2)
    fresh = run(function, [paired] * 5, ["prediction"], decay=0.2)
    assert float(exposed[22][0]) < 0.5 * float(fresh[2][0])
    exposed = run(library.rescorla_wagner, [alone] * 20 + [paired] * 5, ["prediction"])
    fresh = run(library.rescorla_wagner, [paired] * 5, ["prediction"])
    assert [float(trial[0]) for trial in exposed[20:]] == [float(trial[0]) for trial in fresh]


# Reinforcement learning


def transitions(count: int, states: int = 5, actions: int = 3) -> list[tuple[int, int, float, int, int, float]]:
    """Random transitions (s, a, r, s', a', terminal)."""
    rng = np.random.default_rng(21)
    return [
        (*map(int, rng.integers([states, actions])), rng.normal(), *map(int, rng.integers([states, actions])), float(rng.random() < 0.15))
        for _ in range(count)
    ]


def rows_of(steps: list[Any], states: int = 5, actions: int = 3, *, next_action: bool = False, action: bool = True) -> list[dict[str, Any]]:
    rows = []
    for s, a, r, s2, a2, end in steps:
        row: dict[str, Any] = {"state": np.eye(states)[s]}
        row |= {"action": np.eye(actions)[a]} if action else {}
        row |= {"reward": r, "next_state": np.eye(states)[s2]}
        row |= {"next_action": np.eye(actions)[a2]} if next_action else {}
        rows.append(row | {"terminal": end})
    return rows


@pytest.mark.parametrize("on_policy", [False, True], ids=["q_learning", "sarsa"])
def test_tables(on_policy: bool) -> None:
    steps = transitions(200)
    table = np.zeros((5, 3))
    function = library.sarsa if on_policy else library.q_learning
    found = run(function, rows_of(steps, next_action=on_policy), ["values", "error", "weights"], learning_rate=0.3, discount=0.8)
    for (s, a, r, s2, a2, end), (values, error, weights) in zip(steps, found, strict=True):
        following = table[s2, a2] if on_policy else max(table[s2])
        d = r + (0.0 if end else 0.8 * following) - table[s, a]
        table[s, a] += 0.3 * d
        assert abs(float(error[0]) - d) < 1e-12
        np.testing.assert_allclose(weights, table, rtol=0.0, atol=1e-12)
        np.testing.assert_allclose(values, table[s2], rtol=0.0, atol=1e-12)


@pytest.mark.parametrize("kind", ["accumulating", "replacing"])
def test_td_lambda_with_a_table(kind: str) -> None:
    steps = transitions(200)
    values, trace = [0.0] * 5, [0.0] * 5
    given = {"learning_rate": 0.2, "discount": 0.9, "trace_decay": 0.7, "trace_type": kind}
    found = run(library.td_lambda, rows_of(steps, action=False), ["value", "error", "weights", "trace"], **given)
    for (s, _, r, s2, _, end), (value, error, weights, e) in zip(steps, found, strict=True):
        d = r + (0.0 if end else 0.9 * values[s2]) - values[s]
        assert abs(float(np.ravel(value)[0]) - values[s]) < 1e-12
        for j in range(5):
            trace[j] *= 0.9 * 0.7
        trace[s] = trace[s] + 1.0 if kind == "accumulating" else 1.0
        for j in range(5):
            values[j] += 0.2 * d * trace[j]
        assert abs(float(error[0]) - d) < 1e-12
        np.testing.assert_allclose(weights, values, rtol=0.0, atol=1e-12)
        np.testing.assert_allclose(e, trace, rtol=0.0, atol=1e-12)
        if end:
            trace = [0.0] * 5


def test_lambda_one_is_monte_carlo() -> None:
    """In an episode without repeated states, the sum of the updates with a small rate is that of the discounted returns minus values."""
    rewards, rate, n = [0.3, -0.2, 1.0, 0.5], 1e-6, 4
    rows = [
        {"state": np.eye(n)[s], "reward": rewards[s], "next_state": np.eye(n)[(s + 1) % n], "terminal": float(s == n - 1)} for s in range(n)
    ]
    weights = run(library.td_lambda, rows, ["weights"], learning_rate=rate, discount=0.9, trace_decay=1.0)[-1][0]
    returns = [sum(0.9 ** (k - s) * rewards[k] for k in range(s, n)) for s in range(n)]
    np.testing.assert_allclose(weights / rate, returns, rtol=0.0, atol=1e-5)  # values change within the episode by about the rate


def test_actor_critic_follows_the_gradient() -> None:
    """Against a loop whose gradient of log pi is a difference quotient; 1e-6 is the error of the quotient times the rates."""
    steps = transitions(60)
    theta, v = np.zeros((5, 3)), np.zeros(5)

    def log_pi(theta, s, a):
        x = 1.5 * theta[s]
        return x[a] - math.log(sum(math.exp(each) for each in x))

    given = {"actor_rate": 0.2, "critic_rate": 0.3, "discount": 0.8, "inverse_temperature": 1.5}
    found = run(library.actor_critic, rows_of(steps), ["preferences", "error", "actor", "critic"], **given)
    for (s, a, r, s2, _, end), (preferences, error, actor, critic) in zip(steps, found, strict=True):
        d = r + (0.0 if end else 0.8 * v[s2]) - v[s]
        slope = np.zeros((5, 3))
        for j in range(5):
            for k in range(3):
                moved = np.zeros((5, 3))
                moved[j, k] = 1e-5
                slope[j, k] = (log_pi(theta + moved, s, a) - log_pi(theta - moved, s, a)) / 2e-5
        v[s] += 0.3 * d
        theta = theta + 0.2 * d * slope
        assert abs(float(error[0]) - d) < 1e-12
        np.testing.assert_allclose(critic, v, rtol=0.0, atol=1e-12)
        np.testing.assert_allclose(actor, theta, rtol=0.0, atol=1e-6)
        np.testing.assert_allclose(preferences, theta[s2], rtol=0.0, atol=1e-6)


def test_q_learning_reaches_the_solution_of_bellmans_equation() -> None:
    """A chain with known transitions, swept with the learning rate 1, is value iteration."""
    n, q = 4, np.zeros((4, 2))
    steps = []
    for _ in range(60):
        for s in range(n):
            for a in range(2):
                s2 = min(max(s + (1 if a else -1), 0), n - 1)
                steps.append((s, a, 1.0 if s2 == n - 1 else 0.0, s2, 0, float(s2 == n - 1)))
    weights = run(library.q_learning, rows_of(steps, 4, 2), ["weights"], learning_rate=1.0, discount=0.9)[-1][0]
    for _ in range(200):
        for s, a, r, s2, _, end in steps[: 2 * n]:
            q[s, a] = r + (0.0 if end else 0.9 * q[s2].max())
    np.testing.assert_allclose(weights, q, rtol=0.0, atol=1e-10)
    assert weights[0].argmax() == weights[1].argmax() == weights[2].argmax() == 1


@pytest.mark.parametrize(
    ("name", "given", "value"),
    [
        ("rescorla_wagner", "salience", 1.5),
        ("pearce_hall", "decay", -0.1),
        ("q_learning", "discount", 1.1),
        ("sarsa", "learning_rate", -0.1),
        ("td_lambda", "trace_decay", 1.01),
        ("actor_critic", "inverse_temperature", -1.0),
        ("epsilon_greedy_choice", "epsilon", 1.5),
        ("softmax_choice", "inverse_temperature", -1.0),
    ],
)
def test_ranges(name: str, given: str, value: float) -> None:
    with pytest.raises(cogir.ModelError, match=rf'parameter "{given}" is .*; it must be at least 0'):
        cogir.Model("m").node("n", getattr(library, name), input=2, **{given: value})


def test_an_infinite_inverse_temperature_has_no_gradient() -> None:
    with pytest.raises(cogir.ModelError, match='parameter "inverse_temperature" is inf; it must be at least 0 and below inf'):
        cogir.Model("m").node("n", library.actor_critic, input=TRANSITION, inverse_temperature=np.inf)
