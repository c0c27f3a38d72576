"""Replicates, sweeps and fits begin where the model begins, unless they are asked to go on from the runs of their context."""

import pickle
import warnings
from typing import Any

import numpy as np
import pytest

import cogir
from cogir import library
from cogir.library import Random, State, Step, Value
from cogir.study.likelihoods import Simulator

MODES: tuple[Any, ...] = ("run", "python", "exec")
ONE = {"total": [[1.0]]}


def count_up(x: Value, *, rate: float = 1.0, total: State = 0.0, other: State = 0.0, random: Random) -> Step:
    """Two counters, and noise."""
    reached = total + rate * x
    before = 1.0 * other
    noise = random.normal()
    return Step(outputs=(reached, before, noise), states=(reached, other + 10.0))


def counter(mode: Any = "run") -> cogir.Compiled:
    m = cogir.Model("m", seed=4)
    m.node("total", count_up, input=())
    return m.compile(mode=mode)


def totals(found: Any, port: str = "value_0") -> list[float]:
    return found["total", port].ravel().tolist()


def swept(c: cogir.Compiled, **options: Any) -> cogir.Sweep:
    return c.sweep({"total/rate": [1.0, 2.0]}, ONE, **options)


@pytest.fixture(params=MODES)
def c(request: pytest.FixtureRequest) -> cogir.Compiled:
    found = counter(request.param)
    found.run(ONE, num_trials=3)
    return found


def test_replicates_begin_fresh_or_go_on(c: cogir.Compiled) -> None:
    fresh = c.replicates(ONE, 2, start="fresh")
    assert totals(fresh) == [1.0, 1.0]
    assert totals(fresh, "value_2") == totals(counter().replicates(ONE, 2), "value_2")
    assert totals(c.replicates(ONE, 2, start="context")) == [4.0, 4.0]
    assert totals(c.run(ONE)) == [4.0], "the context stays as it is"


def test_sweeps_begin_fresh_or_go_on(c: cogir.Compiled) -> None:
    assert totals(swept(c, start="fresh")) == [1.0, 2.0]
    assert totals(swept(c, start="context")) == [4.0, 5.0]
    assert totals(c.sweep({"total/initial:state:total": [5.0, 7.0]}, ONE, start="fresh")) == [6.0, 8.0]
    assert totals(c.run(ONE)) == [4.0]


def test_what_was_set_by_hand_stays(c: cogir.Compiled) -> None:
    c.params["total/rate"] = 3.0
    c.state["total/other"] = 100.0
    c.run(ONE, num_trials=2)
    fresh = c.replicates(ONE, 2, start="fresh")
    assert (totals(fresh), totals(fresh, "value_1")) == ([3.0, 3.0], [100.0, 100.0])
    assert fresh.attributes["states"] == {"total/state:other": 100.0}
    study = c.sweep({"total/rate": [1.0, 2.0]}, ONE, start="fresh")
    assert (totals(study), totals(study, "value_1")) == ([1.0, 2.0], [100.0, 100.0])
    again = c.sweep({"total/other": [7.0, 8.0]}, ONE, start="fresh")
    assert (totals(again), totals(again, "value_1")) == ([3.0, 3.0], [7.0, 8.0])
    c.reset()
    assert totals(c.replicates(ONE, 1), "value_1") == [0.0]


@pytest.mark.parametrize("mode", ["run", "python"])
def test_of_an_array_only_the_elements_that_were_set_by_hand_stay(mode: Any) -> None:
    def add(x: Any, *, sums: cogir.library.State = np.zeros(3)) -> Any:
        return cogir.library.Step(outputs=(sums + x,), states=(sums + x,))

    m = cogir.Model("m")
    m.node("n", add, input=3)
    c = m.compile(mode=mode)
    c.run([[1.0, 1.0, 1.0]], num_trials=4)
    c.state["n/sums[0]"] = 10.0
    assert c.state["n/sums"].tolist() == [10.0, 4.0, 4.0]
    found = c.replicates([[1.0, 1.0, 1.0]], count=1, num_trials=1, start="fresh")
    assert found["n"].ravel().tolist() == [11.0, 1.0, 1.0]
    assert c.run([[1.0, 1.0, 1.0]])["n"].ravel().tolist() == [11.0, 5.0, 5.0]
    c.params["n/initial:state:sums"] = 2.0
    c.state["n/sums[2]"] = 7.0
    found = c.replicates([[1.0, 1.0, 1.0]], count=1, num_trials=1, start="fresh")
    assert found["n"].ravel().tolist() == [11.0, 3.0, 8.0]
    c.state["n/sums"] = [0.0, 1.0, 2.0]
    found = c.replicates([[1.0, 1.0, 1.0]], count=1, num_trials=1, start="fresh")
    assert found["n"].ravel().tolist() == [1.0, 2.0, 3.0]
    c.reset()
    c.state["n/sums[1]"] = 5.0
    assert c.state["n/sums"].tolist() == [2.0, 5.0, 2.0]
    assert c.run([[1.0, 1.0, 1.0]])["n"].ravel().tolist() == [3.0, 6.0, 3.0]


def test_a_generator_that_was_set_by_hand_is_where_it_was_set(c: cogir.Compiled) -> None:
    c.generators["total"] = cogir.random(9)
    c.run(ONE, num_trials=2)
    begun = c.context().fresh_copy()
    assert totals(c.run(ONE, context=begun), "value_2") == [cogir.random(9).normal()]


def test_learned_matrices_stay() -> None:
    m = cogir.Model("network")
    given, wanted = m.node("given"), m.node("wanted")
    out = m.node("out", library.linear)
    m.project(given, out, matrix=[[0.5]])
    m.output(out)
    m.learning([(out, wanted)], library.gradient_descent, rate=0.1)
    c = m.compile()
    trials = {"given": [[1.0]], "wanted": [[2.0]]}
    c.run(trials)
    c.learn(trials, epochs=20)
    learned = c.params["given->out"].item()
    assert learned > 1.0
    assert c.replicates(trials, 2, start="fresh")["out"].ravel().tolist() == [learned, learned]
    assert c.sweep({"given": [[1.0], [2.0]]}, {"wanted": [[2.0]]}, start="fresh")["out"].ravel().tolist() == [learned, 2.0 * learned]


def test_the_first_call_warns_once(c: cogir.Compiled) -> None:
    with pytest.warns(cogir.FreshStartWarning, match=r'replicates: the default context has run 3 trials, and .* give start="context" to'):
        assert totals(c.replicates(ONE, 2)) == [1.0, 1.0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        c.replicates(ONE, 2)
        swept(c)
        c.reset()
        swept(c)
    c.run(ONE, context="s3")
    with pytest.warns(cogir.FreshStartWarning, match='sweep: context "s3" has run 1 trial, and this call does not go on from there'):
        swept(c, context="s3")


def test_whoever_says_where_to_begin_is_not_warned() -> None:
    c = counter()
    c.run(ONE, num_trials=3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for start in ("fresh", "context"):
            c.replicates(ONE, 2, start=start)
            swept(c, start=start)
        counter().replicates(ONE, 2)
    with pytest.warns(cogir.FreshStartWarning, match="has run 3 trials"):
        c.replicates(ONE, 2)


def test_results_say_which_it_was(c: cogir.Compiled) -> None:
    for start, word in (("fresh", "fresh"), ("context", "continued")):
        for found in (c.replicates(ONE, 2, start=start), swept(c, start=start)):  # type: ignore[arg-type]
            assert f"seed 4, {word}, done" in repr(found)
            assert f"seed 4, {word}, done" in str(found.summary()).splitlines()[0]
            assert found.attributes["start"] == start
            assert found.attributes["continued"] == (start == "context")
    assert "fresh" in repr(counter().replicates(ONE, 2, start="context")), "there is nothing to continue"


def test_wrong_starts() -> None:
    with pytest.raises(cogir.InputError, match='replicates: start is \'here\'; give "fresh" or "context"'):
        counter().replicates(ONE, 2, start="here")  # type: ignore[arg-type]
    with pytest.raises(cogir.InputError, match="sweep: start is True"):
        swept(counter(), start=True)


def test_trials_are_counted() -> None:
    c = counter()
    context = c.context("s")
    c.run(ONE, num_trials=3, context=context)
    c.run(ONE, num_trials=4, context=context)
    assert context.trials == 7
    assert context.copy().trials == 7
    assert pickle.loads(pickle.dumps(context)).trials == 7
    context.reset()
    assert context.trials == 0


def test_an_old_pickle_is_refused() -> None:
    held = counter().context("s").__reduce_ex__(2)
    state = dict(held[2])
    del state["streams"]
    context = object.__new__(type(counter().context()))
    with pytest.raises(cogir.CogirError, match="pickled with version 1 of the random streams, but this cogir has version 2"):
        context.__setstate__(state)


def test_stores_and_workers_begin_fresh(tmp_path: Any) -> None:
    pytest.importorskip("zarr")
    c, store = counter(), tmp_path / "s.zarr"
    expected = totals(swept(c, store=store), "value_2")
    c.run(ONE, num_trials=3)
    again = swept(c, store=store, start="fresh")
    assert (totals(again), totals(again, "value_2")) == ([1.0, 2.0], expected), "the same sweep"
    with pytest.raises(cogir.InputError, match="holds another sweep: other state"):
        swept(c, store=store, start="context")


def test_fits_begin_fresh() -> None:
    c = counter()
    c.run(ONE, num_trials=3)
    simulator = Simulator.of(c, ONE, 0, None)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = simulator.sweep({"total/rate": (np.zeros(()), np.array([[1.0], [2.0]]))}, 1)  # type: ignore[dict-item]
    assert totals(found) == [1.0, 2.0]


def noisy(seed: int, **options: Any) -> cogir.Compiled:
    m = cogir.Model("noisy", seed=seed)
    m.node("a", library.drift_diffusion_integrator, input=1, noise=1.0)
    return m.compile(**options)


@pytest.mark.parametrize("mode", ["run", "python"])
def test_a_context_keeps_its_seed_in_another_model(mode: Any) -> None:
    asked: dict[str, Any] = {"inputs": {"a": [[1.0]]}}
    six = noisy(6, mode=mode)
    here, six_again = noisy(5, mode=mode), noisy(6, mode=mode)
    found = here.run(**asked, context=six.context("a"))
    assert found["a"].tobytes() == six_again.run(**asked, context="a")["a"].tobytes()
    for held in (found, pickle.loads(pickle.dumps(found))):
        assert "seed 6" in repr(held)
        assert held.attributes["seed"] == 6
        assert held.attributes["seeds"] == six_again.run(**asked, context="b").attributes["seeds"]
    replicates = here.replicates(**asked, count=3, context=six.context("c"))
    assert replicates["a"].tobytes() == six_again.replicates(**asked, count=3, context="c")["a"].tobytes()
    assert replicates.attributes["seed"] == 6
    swept = here.sweep({"a/rate": [0.5, 1.0]}, **asked, replicates=3, context=six.context("d"))
    assert swept["a"].tobytes() == six_again.sweep({"a/rate": [0.5, 1.0]}, **asked, replicates=3, context="d")["a"].tobytes()
    assert swept.attributes["seed"] == 6
    assert here.run(**asked).attributes["seed"] == 5
    if mode == "run":
        sent = pickle.loads(pickle.dumps(six.context("e")))
        assert here.run(**asked, context=sent).attributes["seed"] == 6


@pytest.mark.parametrize("mode", ["run", "python"])
def test_generators_that_were_set_are_not_those_of_replicates(mode: Any) -> None:
    compiled, asked = noisy(5, mode=mode), {"inputs": {"a": [[1.0]]}}
    expected = compiled.replicates(**asked, count=3)["a"].tobytes()
    compiled.generators["a"] = cogir.random(77)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compiled.replicates(**asked, count=3, seed=5)
    with pytest.warns(cogir.FreshStartWarning, match=r"replicates: generators of the default context were set by hand \(a"):
        assert compiled.replicates(**asked, count=3)["a"].tobytes() == expected
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compiled.replicates(**asked, count=3)
    compiled.generators["a"] = cogir.random(78)
    with pytest.warns(cogir.FreshStartWarning, match=r"sweep: generators .* each has streams of its own, from seed 5; give seed="):
        compiled.sweep({"a/rate": [0.5]}, **asked, replicates=3)
    compiled.generators["a"] = cogir.random(78)
    compiled.reset()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compiled.replicates(**asked, count=3)


def test_a_seed_of_the_wrong_model_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def planted(compiled: cogir.Compiled, asked: str, seed: object, where: object) -> int:
        return compiled.plan.seed

    monkeypatch.setattr(cogir.Compiled, "_seed", planted)
    with pytest.raises(AssertionError):
        test_a_context_keeps_its_seed_in_another_model("run")
    with pytest.raises(pytest.fail.Exception, match="DID NOT WARN"):
        test_generators_that_were_set_are_not_those_of_replicates("run")


@pytest.mark.parametrize("mode", ["run", "python"])
def test_initial_values_that_do_not_count_are_said(mode: str) -> None:
    def summed(x: Value, *, total: State = 0.0) -> Step:
        return Step(outputs=(total + x,), states=(total + x,))

    m = cogir.Model("sums")
    m.node("n", summed, input=1)
    c = m.compile(mode=mode)
    points = {"n/initial:state:total": [0.0, 100.0]}
    assert c.sweep(points, {"n": [[1.0]]})["n"].ravel().tolist() == [1.0, 101.0]
    c.state["n/total"] = 5.0
    with pytest.warns(cogir.FreshStartWarning, match="sweep: state n/total was set by hand, so n/initial:state:total has no effect before"):
        assert c.sweep(points, {"n": [[1.0]]})["n"].ravel().tolist() == [6.0, 6.0]
    c.reset()
    c.run({"n": [[1.0]]})
    with pytest.warns(cogir.FreshStartWarning, match="sweep: state n/total goes on from trials that have been run"):
        assert c.sweep(points, {"n": [[1.0]]}, start="context")["n"].ravel().tolist() == [2.0, 2.0]
    assert c.sweep({"n/total": [0.0, 100.0]}, {"n": [[1.0]]}, start="context")["n"].ravel().tolist() == [1.0, 101.0]
