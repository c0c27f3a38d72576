"""docs/language.md: its models compute what the page says of them; test/unit/dialects/test_language.py parses and verifies them."""

import re

import numpy as np
import pytest
from support.pages import page

import cogir

PAGE = page("language.md")
BLOCKS = re.findall(r"```mlir\n(.*?)```", PAGE, re.DOTALL)


def compiled(name: str, before: str = "\0", after: str = "", mode: str = "python") -> cogir.Compiled:
    """The block with a model of this name, with a change of its text."""
    (text,) = (text for text in BLOCKS if f"cog.model @{name} " in text)
    return cogir.compile(text.replace(before, after), mode=mode, cache=False)


def test_the_first_model_applies_tanh_to_twice_the_difference() -> None:
    found = compiled("choice").run({"stimulus": [[1.0, 0.25]]})
    np.testing.assert_allclose(found["response"].ravel(), [np.tanh(2.0 * 0.75)], rtol=1e-15)


def test_the_decision_begins_anew_and_draws_as_numpy() -> None:
    """Seed 42 is that of NumPy's RandomState; a trial repeats the body until |x| has reached the threshold."""
    found = compiled("drift_diffusion").run({"decision": [[0.5]]}, 2)
    generator = np.random.RandomState([42])
    for value, time in zip(found["decision", "value"].ravel(), found["decision", "time"].ravel(), strict=True):
        x, steps = 0.0, 0
        while abs(x) < 1.0:
            x, steps = (x + 0.5 * 0.01) + 0.5 * 0.1 * generator.normal(), steps + 1
        assert value == x
        assert time == pytest.approx(0.01 * steps)


def test_a_node_is_cut_off_after_max_executions() -> None:
    slow = compiled("drift_diffusion", "max 1000", "max 3")
    with pytest.warns(cogir.UnfinishedWarning):
        found = slow.run({"decision": [[0.5]]}, 2)
    np.testing.assert_allclose(found["decision", "time"].ravel(), 0.03)
    assert found.unfinished["decision"].all()


def test_projections_to_one_port_are_added() -> None:
    """A recurrent and a feedback projection give what their senders had in the trial before."""
    found = compiled("projections").run({"a": [[1.0, 2.0], [1.0, 2.0]]})["b"]
    np.testing.assert_allclose(found, [[1.0, 2.0, 1.5], [1.45 + 0.45, 2.45 + 0.45, 0.5 * (1.45 + 2.45) + 0.45]])


@pytest.mark.parametrize(
    ("how", "gains"), [("multiply", [3.0 * 2.0, 3.0 * 4.0]), ("add", [3.0 + 2.0, 3.0 + 4.0]), ("override", [2.0, 4.0])]
)
def test_modulation_changes_the_default(how: str, gains: list[float]) -> None:
    (text,) = (text for text in BLOCKS if "cog.model @modulation " in text)
    text = text.replace("%gain: f64 = 1.0", "%gain: f64 = 3.0").replace("multiply", how)
    found = cogir.compile(text, mode="python", cache=False).run({"task": [[2.0], [4.0]], "response": [[5.0], [5.0]]})
    assert found["response"].ravel().tolist() == [5.0 * gain for gain in gains]


def test_the_modulating_value_is_that_from_before_the_time_step() -> None:
    """In one layer both nodes run in one time step, and the response gets what the task gave in the trial before."""
    output = "  cog.output @response\n"
    model = compiled("modulation", output, f"{output}  cog.schedule layers [[@task, @response]] {{\n  }}\n")
    found = model.run({"task": [[2.0], [4.0]], "response": [[5.0], [5.0]]})
    assert found["response"].ravel().tolist() == [0.0, 10.0]


def test_an_execution_of_an_instance_is_a_trial_of_its_model() -> None:
    """The leak is what modulates it, not its default, and the state of the instance goes on."""
    found = compiled("task").run({"stimulus": [[0.5], [0.25]]})
    assert found["memory/x"].ravel().tolist() == [0.5, 0.5 * 0.25 + 0.25]


def test_the_schedule_paces_the_nodes() -> None:
    """`b` runs after every second call of `a`, and a trial ends after three calls of `b`."""
    model = compiled("pacing", "  cog.output @b\n", "  cog.output @b\n  cog.record schedule\n")
    trace = next(iter(model.run({"a": [[0.5], [0.25]]}).traces.values()))
    for trial in range(2):
        a, b = np.asarray(trace[trial]).T.astype(int)
        assert a.cumsum()[b == 1].tolist() == [2, 4, 6]


def test_a_condition_of_ones_own_ends_trials() -> None:
    """The state goes on from trial to trial, so the second trial ends before its first pass."""
    model = compiled("own_condition")
    found = model.run({"a": [[0.4], [0.3]]})
    np.testing.assert_allclose(found["a"].ravel(), [1.2, 1.2])
    assert model.state["a/calls:life"] == 3


@pytest.mark.parametrize(("direction", "chosen"), [("minimize", 1.0), ("maximize", 0.0)])
def test_a_search_takes_the_value_minus_the_costs(direction: str, chosen: float) -> None:
    """
    Far away, the costs exp(attention) decide: subtracted from the distance, the largest are the smallest value. The trial itself has
    the same random numbers as the simulations after the trial before, and the initial attention.
    """
    model = compiled("foraging", "minimize", direction)
    first = model.run({"prey": [[100.0]]}, 1)["goal"].item()
    assert first == pytest.approx(100.0 + np.random.RandomState([1]).normal())
    assert model.state["control/signal:attention"] == chosen


def test_what_is_recorded() -> None:
    found = compiled("decide").run({"decision": [[0.5], [0.25]]}).traces
    assert len(found) == 4
    np.testing.assert_allclose(np.ravel(found["decision/value"].values), [0.25, 0.375])
    assert np.ravel(found["decision/rate"].values).tolist() == [0.5, 0.5]


def test_learning_goes_down_the_mean_gradient() -> None:
    model = compiled("learner")
    inputs, targets, weights = np.array([[1.0, 2.0], [0.5, 1.5]]), np.array([0.5, 0.25]), np.array([0.5, -0.25])
    outputs = np.tanh(inputs @ weights)
    slopes = (2.0 * (outputs - targets) * (1.0 - outputs**2))[:, None] * inputs
    learned = model.learn({"stimulus": inputs, "target": targets[:, None]}, batch=2)
    np.testing.assert_allclose(learned.losses, [[np.mean((outputs - targets) ** 2)]], rtol=1e-14)
    (name,) = (name for name in model.params if name.endswith("/matrix"))
    np.testing.assert_allclose(np.ravel(model.params[name]), weights - 0.1 * slopes.mean(axis=0), rtol=1e-14)


WRONG = """cog.model @m {
  cog.node @stimulus (%x: tensor<2xf64>) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @response (%net: tensor<1xf64>) -> (value: tensor<1xf64> = dense<0.0>) {
    cog.yield %net
  }
  cog.project @stimulus -> @response matrix dense<1.0> : tensor<2x1xf64>
  cog.input @stimulus
  cog.output @response
  cog.schedule {
    cog.when @response {
      %c = cog.every_n_calls @stimulus 2
      cog.condition %c
    }
  }
}
"""


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("tensor<2x1xf64>", "tensor<2x2xf64>"),
        ("output @response", "output @respnse"),
        ("every_n_calls @stimulus", "every_n_calls @response"),
    ],
)
def test_messages_are_those_of_the_page(right: str, wrong: str) -> None:
    cogir.compile(WRONG, mode="python", cache=False)
    with pytest.raises(cogir.CogirError) as found:
        cogir.compile(WRONG.replace(right, wrong), mode="python", cache=False)
    shown = [
        line.partition("error: ")[2].replace("condition of @a:", "condition of @response:")
        for line in PAGE.splitlines()
        if ": error: " in line
    ]
    assert len(shown) == 3
    assert str(found.value).partition(":3: ")[2] in shown or str(found.value).partition(":7: ")[2] in shown
