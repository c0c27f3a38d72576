"""Specialised versions: which code a run takes, and that nobody can tell from the results."""

import math
import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from support.compare_models import bits

import cogir
from cogir import library
from cogir.backend import jit
from cogir.errors import InputError, ModelError
from cogir.runtime import build
from cogir.runtime.versions import Folded, fixed_words

pytestmark = pytest.mark.sampled(2)

INPUTS = {"stimulus": [[0.4], [-0.3]]}


def build_model(**params: float) -> cogir.Model:
    m = cogir.Model("m")
    stimulus = m.node("stimulus", library.linear)
    decision = m.node("decision", library.drift_diffusion_integrator, seed=5, **{"threshold": 1.0, **params})
    m.project(stimulus, decision)
    m.schedule.trial_ends(cogir.WhenFinished(decision))
    m.schedule.reset(decision, cogir.AtTrialStart())
    return m


@pytest.fixture
def compiled() -> cogir.Compiled:
    return build_model().compile(mode="run")


def times(compiled: cogir.Compiled, context: cogir.Context | str | None = None) -> list[float]:
    return compiled.run(INPUTS, num_trials=6, context=context)["decision", "time"].tolist()


def generic(**changes: float) -> list[float]:
    """What a model without versions answers."""
    other = build_model().compile(mode="run")
    other.params.update(changes)
    return times(other)


def test_a_version_is_taken_while_its_values_hold(compiled: cogir.Compiled) -> None:
    assert compiled.version() is None
    assert repr(compiled) == '<compiled "m", mode run>'
    version = compiled.specialise()
    assert compiled.version() is version
    assert compiled.versions == (version,)
    assert repr(compiled) == '<compiled "m", mode run, 1 specialised version>'
    assert times(compiled) == generic()
    assert version.runs == 1
    assert "taken by 1 run>" in repr(version)
    compiled.reset()
    compiled.params["decision/threshold"] = 0.5
    assert compiled.version() is None
    assert times(compiled) == generic(**{"decision/threshold": 0.5})
    assert version.runs == 1
    compiled.params["decision/threshold"] = 1.0
    assert compiled.version() is version


def test_nothing_waits_for_a_compiler_unless_asked(compiled: cogir.Compiled, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled.specialise()

    def refuse(*_: object) -> None:
        raise AssertionError("compiled")

    monkeypatch.setattr(build, "lower_to", refuse)
    monkeypatch.setattr(jit, "compile_to_object", refuse)
    for threshold in (0.5, 0.75, 1.0):
        compiled.params["decision/threshold"] = threshold
        times(compiled)


def test_the_same_values_are_compiled_once(compiled: cogir.Compiled) -> None:
    first = compiled.specialise()
    compiled.params["decision/rate"] = 2.0
    second = compiled.specialise()
    compiled.params["decision/rate"] = 1.0
    assert compiled.specialise() is first
    assert compiled.versions == (first, second)


def test_contexts_take_versions_of_their_own(compiled: cogir.Compiled) -> None:
    slow, fast = compiled.context("slow"), compiled.context("fast")
    slow.params["decision/rate"], fast.params["decision/rate"] = 0.5, 3.0
    versions = compiled.specialise("slow"), compiled.specialise(context=fast)
    assert (compiled.version(slow), compiled.version("fast"), compiled.version()) == (*versions, None)
    assert times(compiled, slow) == generic(**{"decision/rate": 0.5})
    assert times(compiled, "fast") == generic(**{"decision/rate": 3.0})
    assert times(compiled) == generic()
    assert [version.runs for version in versions] == [1, 1]


def test_zeros_of_two_signs_are_two_values(compiled: cogir.Compiled) -> None:
    compiled.params["decision/offset"] = 0.0
    compiled.specialise()
    compiled.params["decision/offset"] = -0.0
    assert compiled.version() is None


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 5e-324, -0.0])
def test_awkward_values_are_values_like_others(value: float) -> None:
    model = cogir.Model("m")
    unit = model.node("unit", library.linear, input=3)
    model.project(unit, model.node("after", library.logistic, input=3), matrix=np.eye(3))
    compiled = model.compile(mode="run")
    for path in ("unit/slope", "unit/intercept"):
        compiled.params[path] = value
        given = {"unit": [[1.0, -0.0, math.inf]]}
        expected = bits(compiled.run(given)["after"])
        version = compiled.specialise()
        assert bits(compiled.run(given)["after"]) == expected
        assert version.runs == 1


def test_parameters_that_are_kept_may_change(compiled: cogir.Compiled) -> None:
    version = compiled.specialise(keep=["decision/rate"])
    assert version.folded.keep == ("decision/param:rate",)
    assert "which reads decision/param:rate" in repr(version)
    for rate in (1.0, 2.5, 0.5):
        compiled.reset()
        compiled.params["decision/rate"] = rate
        assert compiled.version() is version
        assert times(compiled) == generic(**{"decision/rate": rate})
    compiled.params["decision/noise"] = 0.25
    assert compiled.version() is None


def test_the_version_with_most_folded_in_is_taken(compiled: cogir.Compiled) -> None:
    looser = compiled.specialise(keep=["decision/rate", "decision/threshold"])
    exact = compiled.specialise()
    assert compiled.version() is exact
    compiled.params["decision/rate"] = 2.0
    assert compiled.version() is looser


def test_keep_takes_handles_and_one_name(compiled: cogir.Compiled) -> None:
    model = build_model()
    ready = model.compile(mode="run")
    rate = next(node for node in [model.nodes["decision"]]).param("rate")
    assert ready.specialise(keep=[rate]) is ready.specialise(keep="decision/rate")
    with pytest.raises(InputError, match='parameter: there is no "decision/rat"; did you mean "decision/rate"'):
        ready.specialise(keep=["decision/rat"])
    for nothing in (np.array("decision/rate"), np.array(3.0), 5):
        with pytest.raises(InputError, match="as a name; give the name of a node"):
            ready.specialise(keep=nothing)


def test_state_goes_on_from_one_code_to_the_other(compiled: cogir.Compiled) -> None:
    """Half of the runs by each, and a context that is pickled in between."""
    plain = build_model().compile(mode="run")
    expected = [times(plain) for _ in range(4)]
    context = compiled.context("one")
    found = [times(compiled, context)]
    version = compiled.specialise(context)
    found.append(times(compiled, context))
    sent = pickle.loads(pickle.dumps(context))
    found.append(times(compiled, sent))
    assert version.runs == 2
    compiled.engine.versions.held.clear()
    found.append(times(compiled, sent))
    assert found == expected


def test_modes_without_machine_code_of_trials_refuse() -> None:
    for mode in ("python", "per_node"):
        compiled = build_model().compile(mode=mode)
        with pytest.raises(InputError, match=f'runs in mode {mode}, which does not compile whole trials; compile it with mode="run"'):
            compiled.specialise()
        assert compiled.versions == ()
        assert compiled.version() is None
    with pytest.raises(InputError, match="does not compile whole trials"):
        build_model().compile(mode="python", specialise=True)


def test_trials_one_by_one_take_it_too() -> None:
    compiled = build_model().compile(mode="exec", specialise=True)
    assert times(compiled) == generic()
    assert [version.runs for version in compiled.versions] == [1]


def test_a_context_of_another_model_is_refused(compiled: cogir.Compiled) -> None:
    other = cogir.Model("other")
    other.node("a")
    with pytest.raises(InputError, match="belongs to another model"):
        compiled.specialise(other.compile(mode="run").context("x"))


def test_a_model_that_was_changed_is_refused() -> None:
    """Also where no number has another place: a version would run by another schedule."""
    for cache in (True, False):
        for change in ("node", "schedule"):
            model = build_model()
            compiled = model.compile(mode="run", cache=cache)
            if change == "node":
                model.node("late", library.linear)
            else:
                model.schedule.when(model.nodes["decision"].name, cogir.EveryNCalls("stimulus", 2))
            with pytest.raises(
                ModelError, match='model "m", or what its functions read, was changed after it was compiled; compile it again'
            ):
                compiled.specialise()


def test_versions_are_cached_by_their_values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COGIR_CACHE_DIR", str(tmp_path / "cache"))
    first = build_model().compile(mode="run")
    first.specialise()
    first.params["decision/rate"] = 2.0
    first.specialise()
    first.specialise(keep=["decision/rate"])

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("compiled")

    monkeypatch.setattr(build, "lower_to", refuse)
    again = build_model(rate=2.0).compile(mode="run")
    again.specialise()
    assert times(again) == generic(**{"decision/rate": 2.0})
    again.params["decision/rate"] = 1.0
    again.specialise()
    again.specialise(keep=["decision/rate"])
    with pytest.raises(AssertionError, match="compiled"):
        again.specialise(keep=["decision/noise"])


def test_options_hold_for_versions() -> None:
    for options in ({"math": "libm"}, {"without": ["cog-cse"]}, {"threads": 2}, {"cache": False}):
        compiled = build_model().compile(mode="run", **options)
        expected = times(compiled)
        compiled.reset()
        version = compiled.specialise()
        assert times(compiled) == expected
        assert version.runs == 1


def test_threads_may_specialise_and_run(compiled: cogir.Compiled) -> None:
    def subject(number: int) -> list[float]:
        context = compiled.context(f"subject {number}")
        context.params["decision/rate"] = 1.0 + number % 3
        if number % 2:
            compiled.specialise(context)
        return times(compiled, context)

    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(subject, range(8)))
    assert found == [generic(**{"decision/rate": 1.0 + number % 3}) for number in range(8)]


def test_an_interrupted_run_leaves_the_end_of_the_last_trial() -> None:
    """A step limit in specialised code: the same error, the same finished trials."""
    model = cogir.Model("m")
    decision = model.node("decision", library.drift_diffusion_integrator, noise=0.0)
    model.schedule.trial_ends(cogir.WhenFinished(decision))
    model.schedule.reset(decision, cogir.AtTrialStart())
    found: list[tuple[str, int, float]] = []
    for specialise in (False, True):
        compiled = model.compile(mode="run")
        compiled.params["limit:passes"] = 500
        if specialise:
            compiled.specialise()
        with pytest.raises(cogir.ExecutionError, match="reached its step limit in trial 2") as raised:
            compiled.run({"decision": [[5.0], [3.0], [1e-9]]})
        found.append((str(raised.value), raised.value.result.num_trials, compiled.state["decision/previous_value"].item()))
    assert found[0] == found[1]


def test_words_that_are_fixed() -> None:
    plan = build_model().compile(mode="run").plan
    slot = plan.slots["decision/param:rate"]
    size = plan.size("pf")
    assert list(fixed_words(plan, [])) == [("pf", slice(0, size)), ("pi", slice(0, plan.size("pi")))]
    assert list(fixed_words(plan, ["decision/param:rate"]))[:2] == [("pf", slice(0, slot.offset)), ("pf", slice(slot.offset + 1, size))]


def test_digests_tell_values_apart() -> None:
    one = Folded(b"ab", b"c")
    assert one.digest != Folded(b"a", b"bc").digest
    assert one.digest != Folded(b"ab", b"c", ("x",)).digest
    assert one.digest == Folded(b"ab", b"c").digest


def test_only_results_is_a_flag(compiled: cogir.Compiled) -> None:
    with pytest.raises(InputError, match="specialise: only_results is 1; give True or False"):
        compiled.specialise(only_results=1)
