"""Models that learn: the same from the interpreter and from native code, and what plain NumPy makes of the same trials."""

# pyright: basic
import os
import pickle
import signal
import threading
import time
import tracemalloc
from typing import Any

import numpy as np
import pytest
from support.heartbeats import heartbeat
from support.random.functions import define
from support.random.networks import AGREES, derivatives
from xdsl.utils.exceptions import InterpretationError

import cogir
from cogir import library
from cogir.errors import CogirError, InputError, ModelError
from cogir.library import State, Step, Value
from cogir.runtime.learning import LearningInterrupted, LearningWarning, NativeLearner, StagedLearner

pytestmark = pytest.mark.sampled(3)

XOR = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
ANSWER = np.array([[0.0], [1.0], [1.0], [0.0]])
INPUTS = {"stimulus": XOR, "target": ANSWER}
HIDDEN = "stimulus:value->hidden:variable/matrix"


def network(optimizer=library.gradient_descent, learns: bool = True, **given) -> cogir.Model:
    """Two layers that learn exclusive or."""
    rng = np.random.default_rng(1)
    m = cogir.Model("xor")
    stimulus, hidden = m.node("stimulus", input=2), m.node("hidden", library.tanh, input=5)
    output, target = m.node("output", library.logistic, input=1, gain=1.5), m.node("target", input=1)
    m.project(stimulus, hidden, matrix=rng.normal(size=(2, 5)))
    m.project(hidden, output, matrix=rng.normal(size=(5, 1)))
    m.output(output)
    if learns:
        m.learning([(output, target)], optimizer, **given)
    return m


def by_hand(rate: float, epochs: int, batch: int, over: str = "mean") -> tuple[np.ndarray, np.ndarray]:
    """The same network, with its derivatives written down: losses, and the first matrix afterwards."""
    rng = np.random.default_rng(1)
    first, second = rng.normal(size=(2, 5)), rng.normal(size=(5, 1))
    losses = []
    for _ in range(epochs):
        for start in range(0, 4, batch):
            x, t = XOR[start : start + batch], ANSWER[start : start + batch]
            h = np.tanh(x @ first)
            y = 1.0 / (1.0 + np.exp(-1.5 * (h @ second)))
            divisor = len(x) if over == "mean" else 1.0
            losses.append(((y - t) ** 2).sum() / divisor)
            by_sum = 2.0 * (y - t) * 1.5 * y * (1.0 - y) / divisor
            by_hidden = (by_sum @ second.T) * (1.0 - h * h)
            second = second - rate * (h.T @ by_sum)
            first = first - rate * (x.T @ by_hidden)
    return np.array(losses).reshape(epochs, -1), first


@pytest.mark.parametrize("batch", [1, 3, 4])
@pytest.mark.parametrize("over", ["mean", "sum"])
@pytest.mark.parametrize("mode", ["python", "run"])
def test_it_learns_what_the_derivatives_say(mode: str, over: str, batch: int) -> None:
    epochs = 3 if mode == "python" else 200
    compiled = network(rate=0.4, over=over).compile(mode=mode, cache=False)
    learned = compiled.learn(INPUTS, epochs=epochs, batch=batch)
    losses, first = by_hand(0.4, epochs, batch, over)
    np.testing.assert_allclose(learned.losses, losses, rtol=1e-9)
    np.testing.assert_allclose(compiled.params[HIDDEN], first, rtol=1e-9)
    assert learned.trials.num_trials == 4 * epochs
    assert compiled.run(INPUTS)["output"].shape == (4, 1)


def test_native_code_and_the_interpreter_learn_the_same_by_adam() -> None:
    found = []
    for mode in ("python", "per_node", "exec", "run"):
        compiled = network(library.adam, rate=0.05, decay=0.01).compile(mode=mode, cache=False)
        losses = [compiled.learn(INPUTS, epochs=2, batch=2).losses for _ in range(2)]
        found.append((np.array(losses), compiled.params[HIDDEN], compiled.run(INPUTS)["output"]))
    for other in found[1:]:
        for one, two in zip(found[0], other, strict=True):
            np.testing.assert_array_equal(one, two)


def test_the_optimizer_goes_on_and_contexts_go_their_own_way() -> None:
    compiled = network(library.adam, rate=0.1).compile(mode="run", cache=False)
    whole = compiled.learn(INPUTS, epochs=4, context="a").losses
    parts = [compiled.learn(INPUTS, epochs=2, context="b").losses for _ in range(2)]
    np.testing.assert_array_equal(whole, np.concatenate(parts))
    assert not np.array_equal(compiled.context("a").params[HIDDEN], compiled.params[HIDDEN])


def test_parameters_may_change_between() -> None:
    compiled = network(rate=0.4).compile(mode="run", cache=False)
    compiled.params["output/gain"] = 0.0
    assert np.allclose(compiled.learn(INPUTS).losses, 0.25)
    compiled.params["output/gain"] = 1.5
    np.testing.assert_allclose(compiled.learn(INPUTS).losses, by_hand(0.4, 1, 1)[0], rtol=1e-12)


def test_the_order_of_trials() -> None:
    order = np.array([[3, 1, 0, 2], [2, 0, 1, 3]])
    one, two = (network(rate=0.4).compile(mode="run", cache=False) for _ in range(2))
    learned = one.learn(INPUTS, epochs=2, order=order)
    for row in order:
        two.learn({name: values[row] for name, values in INPUTS.items()})
    np.testing.assert_array_equal(one.params[HIDDEN], two.params[HIDDEN])
    assert learned.losses.shape == (2, 4)
    with pytest.raises(InputError, match=r"order must be an array \(epochs, trials\) = \(1, 4\)"):
        one.learn(INPUTS, order=[[0, 0, 1, 2]])


def test_it_learns_from_text_and_from_the_cache(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("COGIR_CACHE_DIR", str(tmp_path))
    expected = by_hand(0.4, 2, 1)[0]
    for model in (str(network(rate=0.4).ir()), network(rate=0.4), network(rate=0.4)):
        compiled = model.compile(mode="run") if isinstance(model, cogir.Model) else cogir.compile(model, mode="run")
        np.testing.assert_allclose(compiled.learn(INPUTS, epochs=2).losses, expected, rtol=1e-12)
    other = network(rate=0.1).compile(mode="run")  # of the same structure, so with the same code
    np.testing.assert_allclose(other.learn(INPUTS, epochs=2).losses, by_hand(0.1, 2, 1)[0], rtol=1e-12)


def test_only_what_is_wanted_is_learned_and_nothing_through_targets() -> None:
    m = cogir.Model("m")
    a, b, c = m.node("a", input=2), m.node("b", library.tanh, input=2), m.node("c", library.tanh, input=2)
    m.project(a, b, matrix=[[1.0, 0.5], [0.25, -1.0]])
    wanted = m.project(a, c, matrix=[[0.5, 0.5], [0.5, 0.5]])
    m.learning([(c, b)], rate=0.5, weights=[wanted])
    compiled = m.compile(mode="run", cache=False)
    before = compiled.params["a:value->b:variable/matrix"].copy()
    losses = compiled.learn({"a": XOR}, epochs=300).losses
    assert losses[-1].sum() < 1e-3 * losses[0].sum()
    np.testing.assert_array_equal(compiled.params["a:value->b:variable/matrix"], before)


def test_losses_and_optimizers_of_a_users_own() -> None:
    def fourth_power(sample, target):
        difference = sample - target
        return np.sum(difference**4)

    def signs(weights, gradient, *, step=0.01):
        return weights - step * np.sign(gradient)

    compiled = network(signs, loss=fourth_power, step=0.125).compile(mode="run", cache=False)
    before = compiled.params[HIDDEN].copy()
    compiled.learn(INPUTS, batch=4)
    assert set(np.unique(np.abs(compiled.params[HIDDEN] - before).round(12))) <= {0.0, 0.125}


def test_an_interrupt_keeps_what_was_learned(monkeypatch) -> None:
    compiled = network(rate=0.1).compile(mode="run", cache=False)
    compiled.learn(INPUTS)
    before = compiled.params[HIDDEN].copy()
    timer = threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT))
    learn = NativeLearner.learn
    monkeypatch.setattr(NativeLearner, "learn", lambda self, *given: (timer.ident or timer.start(), learn(self, *given))[1])
    with pytest.raises(LearningInterrupted, match=r"interrupted after \d+ of 4000000 batches") as caught:
        compiled.learn(INPUTS, epochs=1_000_000)
    timer.join()
    assert 0 < len(caught.value.losses) < 4_000_000
    assert not np.array_equal(compiled.params[HIDDEN], before)


@pytest.mark.parametrize("given", [False, True], ids=["as they come", "in an order"])
def test_an_interrupt_before_the_first_batch_is_one_of_learning(monkeypatch, given: bool) -> None:
    """Preparing an order of 80 million trials, or looking at one, takes longer than it may take until Ctrl-C has its effect."""
    compiled = network(rate=0.1).compile(mode="run", cache=False)
    compiled.learn(INPUTS)
    epochs = 2_000_000 if given else 20_000_000
    order = np.tile(np.arange(4), (epochs, 1)) if given else None
    timer = threading.Timer(0.02, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(LearningInterrupted, match=rf"interrupted after \d+ of {epochs} batches"):
        compiled.learn(INPUTS, epochs=epochs, batch=4, order=order)
    timer.join()


def waits(drift, *, gain=1e-12, x: State = 0.0):
    """Never finishes in a test."""
    x = x + gain * drift[0]
    return Step(outputs=(x,), states=(x,), finished=x >= 1.0)


def waiting() -> cogir.Model:
    """A decision that takes some seconds before what is learned."""
    m = cogir.Model("waits")
    decision = m.node(
        "stimulus", waits, input=1, reset_each_trial=True, execute_until_finished=True, max_executions_before_finished=4_000_000_000
    )
    output, target = m.node("output", input=1), m.node("target", input=1)
    m.project(decision, output, matrix=[[0.5]])
    m.output(output)
    m.learning([(output, target)])
    return m


def took_to_stop(monkeypatch: Any, compiled: cogir.Compiled, inputs: dict[str, Any], batch: int) -> tuple[float, LearningInterrupted]:
    """The seconds from Ctrl-C, 0.2 s after native code has begun, to its effect."""
    sent = []
    timer = threading.Timer(0.2, lambda: (sent.append(time.perf_counter()), os.kill(os.getpid(), signal.SIGINT)))
    learn = NativeLearner.learn
    monkeypatch.setattr(NativeLearner, "learn", lambda self, *given: (timer.start(), learn(self, *given))[1])
    with pytest.raises(LearningInterrupted, match="interrupted after 0 of 1 batches") as caught:
        compiled.learn(inputs, batch=batch)
    stopped = time.perf_counter()
    timer.join()
    return stopped - sent[0], caught.value


def test_an_interrupt_comes_at_once_within_a_loop_of_a_trial(monkeypatch) -> None:
    compiled = waiting().compile(mode="run", cache=False)
    compiled.learn({"stimulus": [[1e13]], "target": [[1.0]]})
    before = compiled.params["stimulus:value->output:variable/matrix"].copy()
    took, error = took_to_stop(monkeypatch, compiled, {"stimulus": [[0.0]], "target": [[1.0]]}, 1)
    assert took < 0.5
    assert error.losses.shape == (0,)
    assert compiled.params["stimulus:value->output:variable/matrix"] == before


def test_an_interrupt_comes_at_once_within_a_batch(monkeypatch) -> None:
    """All of so many trials are one batch, which then changes nothing."""
    count = 6_000_000
    compiled = network().compile(mode="run", cache=False)
    compiled.learn(INPUTS)
    before = compiled.params[HIDDEN].copy()
    inputs = {"stimulus": np.tile(XOR, (count // 4, 1)), "target": np.tile(ANSWER, (count // 4, 1))}
    took, _ = took_to_stop(monkeypatch, compiled, inputs, count)
    assert took < 0.5
    assert np.array_equal(compiled.params[HIDDEN], before)


def test_an_interrupt_while_inputs_are_read_is_one_of_learning() -> None:
    class Slow:
        def __array__(self, *_: Any, **__: Any) -> Any:
            raise KeyboardInterrupt

    compiled = network().compile(mode="run", cache=False)
    with pytest.raises(LearningInterrupted, match="interrupted before the first batch") as caught:
        compiled.learn({"stimulus": Slow(), "target": ANSWER})
    assert caught.value.losses.shape == (0,)


def long_batch(compiled: cogir.Compiled, seconds: float) -> dict[str, Any]:
    """Inputs that, as one batch, take so many seconds at least."""
    for count in (4 * 2**power for power in range(14, 26)):
        inputs = {"stimulus": np.tile(XOR, (count // 4, 1)), "target": np.tile(ANSWER, (count // 4, 1))}
        begun = time.perf_counter()
        compiled.learn(inputs, batch=count, context=f"{count}")
        if time.perf_counter() - begun > seconds:
            return inputs
    raise AssertionError("no batch takes so long")


def test_signals_whose_handlers_return_do_not_end_learning() -> None:
    """The batch that one stops is begun anew, and ends although others come before it could: the same is learned."""
    compiled = network().compile(mode="run", cache=False)
    compiled.learn(INPUTS)
    inputs = long_batch(compiled, 0.3)
    count = len(inputs["target"])
    expected = compiled.learn(inputs, epochs=2, batch=count, context="undisturbed")
    seen: list[int] = []
    with heartbeat(0.05, lambda: seen.append(1)):
        found = compiled.learn(inputs, epochs=2, batch=count, context="disturbed")
    assert len(seen) > 4
    assert np.array_equal(found.losses, expected.losses)
    assert np.array_equal(found.trials.rows, expected.trials.rows)
    assert np.array_equal(compiled.context("disturbed").params[HIDDEN], compiled.context("undisturbed").params[HIDDEN])


def test_an_interrupt_comes_at_once_between_signals_whose_handlers_return() -> None:
    """The second attempt at a batch is stopped by a handler that raises, and changes nothing."""
    compiled = waiting().compile(mode="run", cache=False)
    compiled.learn({"stimulus": [[1e13]], "target": [[1.0]]})
    before = compiled.params["stimulus:value->output:variable/matrix"].copy()
    seen: list[float] = []

    def raises_at_last() -> None:
        seen.append(time.perf_counter())
        if len(seen) == 8:
            raise KeyboardInterrupt

    with heartbeat(0.05, raises_at_last), pytest.raises(LearningInterrupted, match="interrupted after 0 of 1 batches"):
        compiled.learn({"stimulus": [[0.0]], "target": [[1.0]]})
    assert len(seen) == 8
    assert time.perf_counter() - seen[-1] < 0.5
    assert compiled.params["stimulus:value->output:variable/matrix"] == before


def test_the_order_of_many_epochs_takes_no_memory() -> None:
    compiled = network(rate=0.1).compile(mode="run", cache=False)
    compiled.learn(INPUTS)
    tracemalloc.start()
    learned = compiled.learn(INPUTS, epochs=200_000, batch=4)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < learned.losses.nbytes + learned.trials.rows.nbytes + 4_000_000


@pytest.mark.parametrize("mode", ["run", "python"])
@pytest.mark.parametrize("ordered", [False, True])
def test_parts_of_any_length_learn_the_same(monkeypatch, mode: str, ordered: bool) -> None:
    order = np.random.default_rng(1).permuted(np.tile(np.arange(4), (7, 1)), axis=1) if ordered else None
    found = []
    for at_once in (1, 8, 12, 2**16):
        monkeypatch.setattr("cogir.runtime.learning.TRIALS_AT_ONCE", at_once)
        compiled = network(library.adam).compile(mode=mode, cache=False)
        learned = compiled.learn(INPUTS, epochs=7, batch=3, order=order)
        found.append((learned.losses.tolist(), learned.trials.rows.tolist(), compiled.params[HIDDEN].tolist()))
    assert found.count(found[0]) == 4


ERRORS = {
    "no pairs": (lambda m: m.learning([]), "there is no loss; give pairs"),
    "no pair": (lambda m: m.learning([m["output"]]), "found the loss"),
    "other shapes": (lambda m: m.learning([("output", "stimulus")]), "but its target has type"),
    "no loss": (lambda m: m.learning([("output", "target")], loss=library.tanh), "give a function that takes a sample and a target"),
    "no optimizer": (lambda m: m.learning([("output", "target")], library.linear), "give a function that takes weights and derivatives"),
    "a wrong parameter": (lambda m: m.learning([("output", "target")], rat=0.1), r"has no parameter .rat.; did you mean .rate."),
    "twice": (lambda m: [m.learning([("output", "target")], name=name) for name in "ab"], "m.learning was already called"),
    "weights": (lambda m: m.learning([("output", "target")], weights=["x"]), "give projections, as m.project returns them"),
    "no weights": (lambda m: m.learning([("output", "target")], weights=[]), "weights is empty, so nothing is learned"),
    "over": (lambda m: m.learning([("output", "target")], over="max"), "over is 'max'"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_what_is_wrong_is_said_where_it_is_written(name: str) -> None:
    say, message = ERRORS[name]
    with pytest.raises(ModelError, match=message) as caught:
        say(network(learns=False))
    assert "test_learning.py" in str(caught.value)


def test_models_that_do_not_learn() -> None:
    with pytest.raises(CogirError, match="has no learning rule"):
        network(learns=False).compile(mode="run").learn(INPUTS)
    with pytest.raises(CogirError, match=r"has no cog.learn, so it cannot learn"):
        cogir.compile(str(network(learns=False).ir()), mode="run").learn(INPUTS)
    for wrong in (0, True, 1.5):
        with pytest.raises(InputError, match="epochs is"):
            network().compile(mode="run").learn(INPUTS, epochs=wrong)


def test_draws_and_loops_that_wait_are_refused() -> None:
    noisy = cogir.Model("noisy")
    a = noisy.node("a", library.psyneulink.gaussian_distort, input=1)
    b = noisy.node("b", input=1)
    noisy.project(a, b, matrix=[[1.0]])
    noisy.learning([(b, a)])
    with pytest.raises(ModelError, match=r"the model draws random numbers \(a/random:"):
        noisy.compile(mode="run").learn([[1.0]])


@pytest.mark.parametrize("mode", ["run", "python"])
def test_what_is_no_number_is_told_of(mode: str) -> None:
    compiled = network(rate=0.1).compile(mode=mode, cache=False)
    with pytest.warns(LearningWarning, match="the loss is nan in epoch 0, batch 2") as caught:
        compiled.learn({"stimulus": [*XOR[:2], [np.nan, 0.0]], "target": [[0.0], [1.0], [1.0]]})
    assert caught[0].filename == __file__
    grown = network(rate=1e300, loss=steep).compile(mode=mode, cache=False)
    with pytest.warns(LearningWarning, match="some weights are infinite or NaN"):
        grown.learn({name: values[1:2] for name, values in INPUTS.items()})


def steep(sample, target):
    """A loss with large derivatives."""
    return np.sum((sample - target) * 1e100)


@pytest.mark.parametrize("name", ["loss", "gradient", "optimize", "learn", "init"])
def test_any_name_is_a_good_name(name: str) -> None:
    m = cogir.Model(name)
    source = f"def {name}(variable):\n    return variable * variable\n"
    a, b = m.node("a", input=1), m.node(name, define(source, name), input=1)
    t = m.node("t", input=1)
    m.project(a, b, matrix=[[0.5]])
    m.learning([(b, t)], rate=0.1)
    compiled = m.compile(mode="run", cache=False)
    assert compiled.run({"a": [[2.0]]})[name].tolist() == [[1.0]]
    assert compiled.learn({"a": [[2.0]], "t": [[0.0]]}).losses.tolist() == [[1.0]]


@pytest.mark.parametrize("numbers", [range(4), pytest.param(range(4, 60), marks=pytest.mark.full)])
def test_random_networks_learn_what_finite_differences_say(numbers: range) -> None:
    for number in numbers:
        assert {found for _, found in derivatives(number)} == {AGREES}, number


def test_what_learns_and_what_runs_hold_parameters_once() -> None:
    """Values that a user sets between calls are learned from; results keep those that they began with; copies share nothing."""
    compiled = network().compile()
    first = compiled.learn(INPUTS, epochs=2)
    context = compiled.context()
    assert np.shares_memory(context.pf, context.learning.pf)
    before = np.array(first.attributes["parameters"][HIDDEN])
    copied, learned = context.copy(), compiled.params[HIDDEN]
    compiled.params[HIDDEN] = 2.0 * before
    again = compiled.learn(INPUTS, epochs=2)
    assert np.array_equal(again.attributes["parameters"][HIDDEN], 2.0 * before)
    assert np.array_equal(first.attributes["parameters"][HIDDEN], before)
    assert np.array_equal(copied.params[HIDDEN], learned)
    other = network().compile()
    for path in compiled.params:
        other.params[path] = compiled.params[path]
    assert np.array_equal(other.run(INPUTS)["output"], compiled.run(INPUTS)["output"])


def halved(weights: Value, gradient: Value, *, rate: Value = 0.1, times: int = 3, doubles: bool = True) -> Value:
    """An optimizer whose parameters are also whole numbers and flags, which no node has."""
    step = rate
    for _ in range(times):
        step = step * 0.5
    if doubles:
        step = step * 2.0
    return weights - step * gradient


@pytest.mark.parametrize("optimizer", [halved, library.adam])
def test_parameters_of_optimizers_keep_their_values(optimizer) -> None:
    """Whether or not what learns and what runs share memory: the same is learned as by the interpreter."""
    found = []
    for mode in ("python", "exec", "run"):
        compiled = network(optimizer).compile(mode=mode, cache=False)
        losses = [compiled.learn(INPUTS, epochs=2, batch=2).losses for _ in range(2)]
        held = compiled.context().learning.parameter_store()
        found.append(
            (
                np.array(losses),
                compiled.params[HIDDEN],
                *(held[f"learning/param:{name}"] for name in ("times", "doubles") if optimizer is halved),
            )
        )
    for other in found[1:]:
        for one, two in zip(found[0], other, strict=True):
            np.testing.assert_array_equal(one, two)


def test_copies_and_pickled_contexts_go_on_with_the_optimizer() -> None:
    for mode in ("python", "run"):
        compiled = network(library.adam).compile(mode=mode, cache=False)
        compiled.learn(INPUTS)
        copies = [compiled.context().copy()]
        if mode == "run":
            copies.append(pickle.loads(pickle.dumps(compiled.context())))
        expected = compiled.learn(INPUTS).losses.tobytes()
        assert [compiled.learn(INPUTS, context=each).losses.tobytes() for each in copies] == [expected] * len(copies)


@pytest.mark.parametrize("mode", ["python", "run"])
def test_a_context_that_learned_otherwise_is_refused(mode: str) -> None:
    plain, by_adam = (network(by).compile(mode=mode, cache=False) for by in (library.gradient_descent, library.adam))
    plain.learn(INPUTS)
    with pytest.raises(InputError, match=r"the default context has learned with a model that has another cog\.learn; make a context"):
        by_adam.learn(INPUTS, context=plain.context())


def test_an_order_of_rows_of_several_lengths_and_too_many_epochs_are_refused() -> None:
    compiled = network().compile(mode="run")
    with pytest.raises(InputError, match="order must be an array"):
        compiled.learn(INPUTS, epochs=2, order=[[0, 1, 2, 3], [0]])
    for epochs in (10**15, 10**25):
        with pytest.raises(InputError, match=f"{epochs} epochs of 4 trials do not fit into memory"):
            compiled.learn(INPUTS, epochs=epochs)


def test_an_interrupt_of_the_first_batch_has_learned_from_none(monkeypatch) -> None:
    compiled = network().compile(mode="python")
    compiled.learn(INPUTS)

    def interrupt(self, *_):
        raise KeyboardInterrupt

    monkeypatch.setattr(StagedLearner, "learn", interrupt)
    with pytest.raises(LearningInterrupted, match="interrupted after 0 of 4 batches") as caught:
        compiled.learn(INPUTS)
    assert caught.value.losses.size == 0


@pytest.mark.parametrize("name", ["linear_combination", "reduce", "combine_means"])
@pytest.mark.parametrize("exponents", [1.0, 2.0])
def test_learning_goes_through_combinations(name: str, exponents: float) -> None:
    """Whose exponents decide whether there is a power to compute, but are not learned."""
    combination = getattr(library, name)

    def combined(x, *, exponents=1.0):
        return combination(np.array((x, x * 0.5)), exponents=exponents) * np.ones(2)

    def written_out(x):
        rows = np.array((x, x * 0.5)) if name != "combine_means" else np.mean(np.array((x, x * 0.5)), axis=1)
        return np.sum(rows**exponents, axis=1 if name == "reduce" else 0) * np.ones(2)

    losses: list[np.ndarray] = []
    for function in (combined, written_out):
        m = cogir.Model("combining")
        start, target = m.node("start", input=2), m.node("target", input=2)
        end = m.node("end", function, input=2, **({"exponents": exponents} if function is combined else {}))
        m.project(start, end, matrix=np.array([[0.1, 0.2], [0.3, 0.4]]))
        m.output(end)
        m.learning([(end, target)])
        learned = m.compile().learn({"start": [[1.0, 2.0], [2.0, 1.0]], "target": [[1.0, 0.0], [0.0, 1.0]]}, epochs=3)
        losses.append(np.asarray(learned.losses))
    np.testing.assert_allclose(losses[0], losses[1], rtol=1e-14)
    assert losses[0][-1].sum() < losses[0][0].sum()


def test_failures_of_the_interpreter_are_errors_of_learning(monkeypatch) -> None:
    def fails(*_: Any) -> Any:
        raise InterpretationError("interpreter: failed")

    compiled = network().compile(mode="python")
    compiled.learn(INPUTS)
    (learner,) = compiled._learners.values()
    monkeypatch.setattr(learner, "_gradient", fails)
    with pytest.raises(cogir.ExecutionError, match="learn: interpreter: failed"):
        compiled.learn(INPUTS)


def remainders(x):
    return np.fmod(3.0 * x, 0.53 + x * x) + x % 0.7 + x // 0.3


def gathered(x):
    return np.roll(x, 1) * x + np.take(x, [2, 1, 1]) + x[np.argsort(x)]


def over_all(x):
    return x * np.prod(x) + np.std(x) + np.var(x) + np.linalg.norm(x)


def elementary(x):
    angles = np.arctan2(x, 1.0 + x * x) + np.tan(0.3 * x)
    return np.cosh(x) + angles + np.cbrt(x) + np.log2(3.0 + x) + np.copysign(x, x[0]) + np.clip(x, -0.5, 0.5)


def diagonals(x):
    m = np.outer(x, x)
    return np.diag(m) + np.trace(m) + np.einsum("ii->i", m)


@pytest.mark.parametrize("function", [remainders, gathered, over_all, elementary, diagonals])
def test_native_code_and_the_interpreter_learn_the_same_through(function) -> None:
    rng = np.random.default_rng(0)
    weights, stimuli, targets = 0.2 * rng.normal(size=(4, 3)), rng.normal(size=(4, 4)), rng.normal(size=(4, 3))
    found = []
    for mode in ("python", "run"):
        m = cogir.Model("m")
        a, b, t = m.node("a", input=4), m.node("b", function, input=3), m.node("t", input=3)
        m.project(a, b, matrix=weights)
        m.learning([(b, t)], rate=0.001)
        compiled = m.compile(mode=mode, cache=False)
        found.append((compiled.learn({"a": stimuli, "t": targets}, batch=2).losses, compiled.params["a->b"]))
    for one, two in zip(*found, strict=True):
        np.testing.assert_array_equal(one, two)
        assert np.isfinite(one).all()


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("function", [library.logistic, library.tanh, library.relu, library.softmax])
def test_saturated_units_keep_their_weights(dtype: str, function) -> None:
    """Pictures with pixels of 0 to 255 saturate all hidden units of a network; their derivatives are 0, and not NaN."""
    rng = np.random.default_rng(3)
    pictures, answers = np.round(rng.uniform(0.0, 255.0, (8, 100))), np.eye(4)[rng.integers(0, 4, 8)]
    m = cogir.Model("pictures", dtype=dtype)
    picture, hidden, output = (
        m.node("picture", input=100),
        m.node("hidden", function, input=16),
        m.node("output", library.logistic, input=4),
    )
    target = m.node("target", input=4)
    m.project(picture, hidden, matrix=rng.normal(size=(100, 16)))
    m.project(hidden, output, matrix=rng.normal(size=(16, 4)))
    m.learning([(output, target)], rate=0.1)
    compiled = m.compile(mode="run", cache=False)
    learned = compiled.learn({"picture": pictures, "target": answers}, epochs=3, batch=2)
    assert np.isfinite(learned.losses).all()
    assert np.isfinite(compiled.params["picture->hidden"]).all()
    assert np.isfinite(compiled.params["hidden->output"]).all()


@pytest.mark.parametrize("mode", ["python", "run"])
def test_named_matrices_that_no_batch_changes_are_told_of(mode: str) -> None:
    """A gain that is set to 0 makes the derivative 0; which parameters do so is not known before."""
    m = cogir.Model("m")
    s, h, o, t = m.node("s", input=1), m.node("h", library.logistic, input=1), m.node("o", library.linear, input=1), m.node("t", input=1)
    first, last = m.project(s, h, matrix=[[0.5]]), m.project(h, o, matrix=[[0.5]])
    m.learning([(o, t)], weights=[first, last], rate=0.1)
    compiled = m.compile(mode=mode)
    given = {"s": [[1.0]], "t": [[2.0]]}
    compiled.learn(given)
    compiled.params["h/gain"] = 0.0
    with pytest.warns(
        LearningWarning, match="learn: the matrix of s -> h is named in weights, and no batch has changed it: .* such as a gain"
    ):
        compiled.learn(given)
    compiled.params["o/slope"] = 0.0
    with pytest.warns(LearningWarning, match="learn: the matrices of s -> h, h -> o are named in weights, and no batch has"):
        compiled.learn(given)
    compiled.learn({"s": [[1.0]], "t": [[0.0]]})  # without a loss, there is nothing to learn
