"""Contexts: several threads, copies, pickles, and contexts that do not belong here."""

import copy
import dis
import inspect
import pickle
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import cogir
from cogir import library
from cogir.runtime.context import Context

MODES = ("python", "per_node", "exec", "run")
INPUTS = {"stimulus": [[0.4], [-0.3]]}


def build(threshold: float = 1.0) -> cogir.Model:
    m = cogir.Model("m", prng="mt19937")
    stimulus = m.node("stimulus", library.linear)
    decision = m.node("decision", library.drift_diffusion_integrator, seed=5, threshold=threshold)
    m.project(stimulus, decision)
    m.schedule.trial_ends(cogir.WhenFinished(decision))
    m.schedule.reset(decision, cogir.AtTrialStart())
    return m


@pytest.fixture(scope="module")
def compiled() -> dict[str, cogir.Compiled]:
    return {mode: build().compile(mode=mode) for mode in MODES}


@pytest.fixture
def hurried() -> Iterator[None]:
    """Threads take turns every ten microseconds."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def test_a_state_that_is_noted_can_be_put_back(compiled):
    c = compiled["run"]
    context = c.context("noted")
    c.run(INPUTS, 3, context=context)
    context.note()
    first = c.run(INPUTS, 4, context=context)["decision", "time"]
    context.put_back()
    again = c.run(INPUTS, 4, context=context)["decision", "time"]  # whose slices note the state, too
    assert np.array_equal(again, first)
    context.note()
    held = [buffer.copy() for buffer in (context.sf, context.si, context.rng)]
    for buffer in (context.sf, context.si, context.rng):
        buffer[:] = 1
    context.put_back()
    assert all(np.array_equal(buffer, before) for buffer, before in zip((context.sf, context.si, context.rng), held, strict=True))


def test_a_copy_has_no_part_in_what_is_noted(compiled):
    c = compiled["run"]
    context = c.context("noted, then copied")
    c.run(INPUTS, 2, context=context)
    context.note()
    before = context.sf.copy()
    for other in (copy.copy(context), copy.deepcopy(context), pickle.loads(pickle.dumps(context))):
        other.sf[:] = -1
        other.note()
        context.put_back()
        assert np.array_equal(context.sf, before)


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize("mode", MODES)
def test_contexts_run_in_threads_of_their_own(mode, compiled):
    c = compiled[mode]

    def subject(number: int) -> np.ndarray:
        context = c.context(f"{mode} {number}")
        context.reset()
        context.params["decision/rate"] = 1.0 + number
        return c.run(INPUTS, 12, context=context)["decision", "time"]

    with ThreadPoolExecutor(4) as threads:
        together = list(threads.map(subject, range(8)))
    assert np.array_equal(together, [subject(number) for number in range(8)])
    assert not np.array_equal(together[0], together[7])


@pytest.mark.parametrize("mode", MODES)
def test_one_context_runs_once_at_a_time(mode, compiled):
    c = compiled[mode]
    context = c.context(f"busy {mode}")
    c.run(INPUTS, 2, context=context)
    context.begin_use(call := object())
    with pytest.raises(
        cogir.ExecutionError, match=rf'context "busy {mode}" is used by another run that has not ended; give each thread its own'
    ):
        c.run(INPUTS, context=context)
    with pytest.raises(cogir.ExecutionError, match=f'"busy {mode}" is used by a run that has not ended; reset it after the run'):
        context.reset()
    with pytest.raises(cogir.ExecutionError, match="set decision/param:rate after the run"):
        context.params["decision/rate"] = 2.0
    with pytest.raises(cogir.ExecutionError, match="set decision/random:random after the run"):
        context.generators["decision"] = np.random.RandomState(1)
    with pytest.raises(cogir.ExecutionError, match="copy it after the run"):
        context.copy()
    c.run(INPUTS, context=f"another {mode}")
    assert context.user is call
    del context.user
    assert c.run(INPUTS, context=context).num_trials == 2


@pytest.mark.parametrize("mode", ["python", "run"])
def test_titles_say_which_context_it_is(mode: str, compiled: dict[str, cogir.Compiled]) -> None:
    c = compiled[mode]
    named, default = c.context("titled"), c.context()
    titles = {
        "the default context": default,
        'context "titled"': named,
        'a copy of context "titled"': named.copy(),
        "a copy of the default context": copy.copy(default),
        'context "other"': named.copy().copy("other"),
    }
    for title, context in titles.items():
        assert context.title == context.twin(context.name).title == title
        assert repr(context.params).startswith(f"parameters of {title}:")
        if mode == "run":
            assert pickle.loads(pickle.dumps(context)).title == title
    assert named.copy().copy().title == 'a copy of context "titled"'
    assert named.twin(None).title == 'context "titled"'


class Interruption:
    """A trace function that raises KeyboardInterrupt as Ctrl-C does: after the `number`-th call within what uses a context."""

    def __init__(self, number: int):
        self.left = number
        self.last: dict[object, str] = {}
        """The instruction before, of those of one line, in each frame."""

    def __call__(self, frame: Any, event: str, _: object) -> Any:
        if event == "call":
            frame.f_trace_opcodes = frame.f_code in INSIDE
            return self if frame.f_trace_opcodes else None
        last = self.last.pop(frame, "")
        if event == "opcode":
            self.last[frame] = dis.opname[frame.f_code.co_code[frame.f_lasti]]
            if last.startswith("CALL"):
                self.left -= 1
                if self.left < 0:
                    raise KeyboardInterrupt
        return self


USES = {
    "run": lambda c: c.run(INPUTS),
    "replicates": lambda c: c.replicates(INPUTS, 3),
    "sweep": lambda c: c.sweep({"decision/rate": [1.0, 2.0]}, INPUTS),
    "learn": lambda c: c.learn({"stimulus": [[1.0]], "target": [[2.0]]}),
}
INSIDE = {inspect.unwrap(method).__code__ for method in (Context.begin_use, *(getattr(cogir.Compiled, name) for name in USES))}


def learning() -> cogir.Model:
    m = cogir.Model("learning")
    stimulus, target = (m.node(name, library.linear, input=1) for name in ("stimulus", "target"))
    out = m.node("out", library.linear, input=1)
    m.project(stimulus, out, matrix=[[0.5]])
    m.learning([(out, target)])
    return m


@pytest.mark.parametrize("use", USES)
def test_an_interrupt_anywhere_leaves_the_context_free(use):
    c = (learning() if use == "learn" else build()).compile()
    context = c.context()
    USES[use](c)
    trace = sys.gettrace()
    for number in range(10_000):
        try:
            sys.settrace(Interruption(number))
            USES[use](c)
        except KeyboardInterrupt:
            assert context.user is None
        else:
            break
        finally:
            sys.settrace(trace)
    assert number > 5
    USES[use](c)


def test_a_call_that_is_refused_leaves_the_one_that_goes_on_as_it_is():
    c = build().compile()
    seen = []

    def again(done: int, total: int) -> None:
        if not seen:
            meter = c.context().meter
            with pytest.raises(cogir.ExecutionError, match="used by another run"):
                c.run(INPUTS)
            seen.append(c.context().meter is meter)

    assert c.run(INPUTS, 10, progress=again).num_trials == 10
    assert seen == [True]


def test_a_run_that_fails_leaves_the_context_free():
    c = build().compile()
    c.params["limit:passes"] = 3
    for _ in range(2):
        with pytest.raises(cogir.ExecutionError, match="limit"):
            c.run({"stimulus": [[1e-9]]})


@pytest.mark.parametrize("how", [copy.copy, copy.deepcopy, lambda context: context.copy("twin")])
@pytest.mark.parametrize("mode", MODES)
def test_a_copy_goes_its_own_way(mode, how, compiled):
    c = compiled[mode]
    one = c.context(f"original {mode} {how}")
    one.reset()
    c.run(INPUTS, 3, context=one)
    twin = how(one)
    expected = c.run(INPUTS, 3, context=one)["decision"]
    assert np.array_equal(c.run(INPUTS, 3, context=twin)["decision"], expected)
    twin.params["decision/rate"] = 9.0
    twin.state["decision/previous_value"] = 0.125
    twin.generators["decision"] = np.random.RandomState(1)
    assert one.params["decision/rate"] == 1.0
    assert one.state["decision/previous_value"] != 0.125
    assert one.generators["decision"].random_sample() != np.random.RandomState(1).random_sample()
    twin.reset()
    assert twin.state["decision/previous_value"] == 0.0


@pytest.mark.parametrize(("maker", "user"), [("python", "run"), ("run", "per_node"), ("exec", "python")])
def test_a_context_of_a_mode_that_keeps_values_elsewhere_is_refused(maker, user, compiled):
    context = compiled[maker].context("mine")
    with pytest.raises(
        cogir.InputError, match=f'context "mine" was made by a model compiled in one of the modes .*{maker}.*has mode {user}'
    ):
        compiled[user].run(INPUTS, context=context)


@pytest.mark.parametrize(("maker", "user"), [("python", "per_node"), ("run", "exec")])
def test_modes_that_keep_values_alike_share_contexts(maker, user, compiled):
    whole = compiled[maker].run(INPUTS, 6, context=f"whole {user}")["decision"]
    context = compiled[maker].context(f"shared with {user}")
    parts = [compiled[mode].run(INPUTS, 2, context=context)["decision"] for mode in (maker, user, maker)]
    assert np.array_equal(np.concatenate(parts), whole)


@pytest.mark.parametrize("mode", MODES)
def test_a_context_of_another_model_is_refused(mode, compiled):
    other = build()
    other.node("more", library.psyneulink.simple_integrator)
    other.input("stimulus")
    other.output("decision")
    with pytest.raises(cogir.InputError, match='context "x" belongs to another model'):
        compiled[mode].run(INPUTS, context=other.compile(mode=mode).context("x"))


def test_learning_in_contexts_of_other_models() -> None:
    """One of a model with the same values at the same places learns as its own do; others are refused."""

    def learner(size: int = 2) -> cogir.Compiled:
        m = cogir.Model("learner")
        x, y, t = m.node("x", input=size), m.node("y", input=1), m.node("t", input=1)
        m.project(x, y, matrix=np.ones((size, 1)))
        m.learning([(y, t)], rate=0.5)
        return m.compile()

    first, second, other = learner(), learner(), learner(3)
    given = {"x": [[1.0, 2.0]], "t": [[0.0]]}
    context = second.context("x")
    first.learn(given, context=context)
    second.learn(given)
    np.testing.assert_array_equal(context.params["x->y"], second.params["x->y"])
    np.testing.assert_array_equal(first.params["x->y"], np.ones((2, 1)))
    with pytest.raises(cogir.InputError, match='learn: context "x" belongs to another model'):
        first.learn(given, context=other.context("x"))


def test_a_context_pickled_before_it_began():
    c = build().compile()
    context = pickle.loads(pickle.dumps(c.context("new")))
    with pytest.raises(
        cogir.InputError,
        match='context "new" was pickled before its first run, or reset since, and has no state yet; run it, or set its parameters, first',
    ):
        _ = context.state["decision/previous_value"]
    assert np.array_equal(c.run(INPUTS, context=context)["decision"], c.run(INPUTS)["decision"])
    context.reset()
    assert context.state["decision/previous_value"] == 0.0


def test_a_compiled_model_says_what_to_pickle_instead(compiled):
    with pytest.raises(
        cogir.CogirError, match=r'compiled model "m": machine code cannot be pickled; send the text of the model, str\(model.ir\(\)\)'
    ):
        pickle.dumps(compiled["run"])


@pytest.mark.parametrize("mode", MODES)
def test_a_step_limit_names_the_parameter_to_set(mode, compiled):
    c = compiled[mode]
    context = c.context(f"limited {mode}")
    context.params["limit:passes"] = 2
    inputs = {"stimulus": [[1e9], [0.3]]}
    with pytest.raises(
        cogir.ExecutionError,
        match=r'check its termination condition \(NaN reaches no threshold\), or raise the limit, params\["limit:passes"\]',
    ) as caught:
        c.run(inputs, context=context)
    assert caught.value.result["decision", "time"].ravel().tolist() == [1.0]
    context.params["limit:passes"] = 10_000
    assert c.run(inputs, context=context).num_trials == 2


@pytest.mark.parametrize("mode", MODES)
def test_several_values_at_once(mode, compiled):
    params = compiled[mode].context(f"several {mode}").params
    params.update({"decision/rate": 2.0, "decision/threshold": 3.0})
    assert (params["decision/rate"], params["decision/threshold"]) == (2.0, 3.0)
    with pytest.raises(
        cogir.InputError, match="param:rate: the value is given twice, as 'decision/rate' and as 'decision/param:rate'; give it once"
    ):
        params.update({"decision/threshold": 9.0, "decision/rate": 4.0, "decision/param:rate": 5.0})
    assert (params["decision/rate"], params["decision/threshold"]) == (2.0, 3.0)


@pytest.mark.parametrize("mode", MODES)
def test_counts_can_be_set_to_what_could_have_been_counted(mode):
    m = cogir.Model("m")
    a = m.node("a", library.linear)
    m.schedule.when(a, cogir.AtTrial(4, time_scale="life"))
    m.schedule.trial_ends(cogir.AfterNPasses(1))
    compiled = m.compile(mode=mode)
    with pytest.raises(cogir.InputError, match="state clock:trial:life: found -1; a count is 0 or more"):
        compiled.state["clock:trial:life"] = -1
    compiled.state["clock:trial:life"] = 3
    assert compiled.run({"a": [[1.0]]}, num_trials=3)["a"].ravel().tolist() == [0.0, 1.0, 1.0]
    assert compiled.state["clock:trial:life"] == 6


def test_values_that_are_not_there_have_a_default() -> None:
    model = cogir.Model("m")
    model.node("decision", library.drift_diffusion_integrator, noise=0.5, threshold=1.0)
    compiled = model.compile(mode="python")
    result = compiled.run({"decision": [[1.0]]})
    for held in (compiled.params, compiled.state, compiled.generators, result, result.unfinished, result.out_of_range):
        assert held.get("nowhere") is None
        assert held.get("nowhere", 3) == 3
    assert compiled.params.get("decision/threshold") == 1.0


def test_parameters_are_compared_only_where_they_may_have_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[int] = []

    def noted(one: Any, other: Any) -> bool:
        compared.append(len(one))
        return one.tobytes() == other.tobytes()

    monkeypatch.setattr("cogir.runtime.context.same_bits", noted)
    model = cogir.Model("scaled")
    node = model.node("a", library.linear, input=1, slope=2.0)
    model.output(node)
    compiled = model.compile()
    for _ in range(3):
        assert compiled.run([[1.0]]).attributes["parameters"]["a/slope"] == 2.0
    assert not compared
    compiled.params["a/slope"] = 3.0
    assert compiled.run([[1.0]]).attributes["parameters"]["a/slope"] == 3.0
    assert compared
