"""Warm calls with little to compute: few Python functions, the checks and the bits of other calls, and nothing shared between results."""

import pickle
import signal
import sys
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Annotated, Any

import numpy as np
import pytest

import cogir
from cogir import library
from cogir.runtime.replicates import FIRST, SHORT, NativeRanges
from cogir.runtime.sweeps.axes import MOST_NAMES, KnownNames


def scaled(x: Any, *, rate: Annotated[float, cogir.Between(0.0, 10.0)] = 2.0, steps: int = 1) -> Any:
    return x * rate * steps


def line_model(others: int = 0) -> cogir.Model:
    """A node with an input and two parameters, and others beside it."""
    m = cogir.Model("line")
    m.node("line", scaled)
    for number in range(others):
        m.node(f"other_{number}", scaled)
        m.project("line", f"other_{number}")
    return m


def decision_model() -> cogir.Model:
    m = cogir.Model("decision")
    m.node(
        "ddm",
        library.drift_diffusion_integrator,
        input=1,
        noise=1.0,
        threshold=0.3,
        time_step_size=0.05,
        execute_until_finished=True,
        max_executions_before_finished=100,
        reset_each_trial=True,
    )
    return m


def counter_model() -> cogir.Model:
    """Each trial adds its input to the sum of those before."""
    m = cogir.Model("counter")
    m.node("n", library.psyneulink.simple_integrator)
    return m


@pytest.fixture(scope="module")
def line() -> cogir.Compiled:
    return line_model().compile()


@pytest.fixture(scope="module")
def decision() -> cogir.Compiled:
    return decision_model().compile(unfinished="ignore")


def functions_of(call: Callable[[], Any]) -> int:
    """The number of Python functions that a warm call enters."""
    entered = 0

    def note(_: Any, event: str, __: Any) -> None:
        nonlocal entered
        entered += event == "call"

    before = sys.getprofile()
    for _ in range(3):
        call()
    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(before)
    return entered


POINTS = {"line": [0.5]}


@pytest.mark.parametrize(
    ("call", "most"),
    [
        (lambda c: c.sweep(POINTS), 180),
        (lambda c: c.sweep({"line/rate": [0.5]}, {"line": [1.0]}, 1), 205),
        (lambda c: c.sweep(cogir.zipped({"line/rate": [0.5, 1.0], "line": [1.0, 2.0]}), None, 1), 220),
        (lambda c: c.replicates(POINTS, 1), 105),
        (lambda c: c.run(POINTS, context="of runs"), 80),
    ],
    ids=["input", "parameter", "side by side", "replicates", "run"],
)
def test_calls_enter_few_functions(line: cogir.Compiled, call: Callable[[cogir.Compiled], Any], most: int) -> None:
    assert functions_of(lambda: call(line)) <= most


def test_decisions_enter_few_functions(decision: cogir.Compiled) -> None:
    assert functions_of(lambda: decision.sweep({"ddm/rate": [0.5]}, {"ddm": [[1.0]]}, 1, seed=1)) <= 225
    assert functions_of(lambda: decision.replicates({"ddm": [[1.0]]}, 1, seed=1)) <= 120


def test_neither_the_size_of_a_model_nor_a_run_before_makes_calls_longer() -> None:
    small, large = line_model().compile(), line_model(others=6).compile()
    fewest = functions_of(lambda: small.sweep(POINTS))
    assert functions_of(lambda: large.sweep(POINTS)) == fewest
    large.run(POINTS)
    assert functions_of(lambda: large.sweep(POINTS, start="fresh")) <= fewest + 10


def wrong_calls() -> dict[str, Callable[[cogir.Compiled], Any]]:
    given = {"line": [1.0]}
    return {
        "out of range": lambda c: c.sweep({"line/rate": [11.0]}, given),
        "NaN": lambda c: c.sweep({"line/rate": [np.nan]}, given),
        "a fraction": lambda c: c.sweep({"line/steps": [1.5]}, given),
        "text": lambda c: c.sweep({"line/rate": ["much"]}, given),
        "one number": lambda c: c.sweep({"line/rate": 1.0}, given),
        "shape": lambda c: c.sweep({"line/rate": [[1.0, 2.0]]}, given),
        "none": lambda c: c.sweep({"line/rate": []}, given),
        "masked": lambda c: c.sweep({"line/rate": np.ma.masked_array([1.0], [True])}, given),
        "unknown": lambda c: c.sweep({"line/rates": [1.0]}, given),
        "an element": lambda c: c.sweep({"line/rate[0]": [1.0]}, given),
        "twice": lambda c: c.sweep({"line/rate": [1.0], "x": cogir.zipped({"line/param:rate": [1.0]})}, given),
        "shape of an input": lambda c: c.sweep({"line": [[[1.0, 2.0]]]}),
        "input of text": lambda c: c.sweep({"line": ["much"]}),
        "no input": lambda c: c.sweep({"line": []}),
        "complex input": lambda c: c.sweep({"line": [1j]}),
        "other inputs": lambda c: c.sweep({"line/rate": [1.0]}, {"lines": [1.0]}),
        "shape of other inputs": lambda c: c.sweep({"line/rate": [1.0]}, {"line": [[1.0, 2.0]]}),
        "no points": lambda c: c.sweep({}, given),
        "no dict": lambda c: c.sweep([1.0], given),
        "replicates": lambda c: c.sweep({"line/rate": [1.0]}, given, replicates=True),
        "seed": lambda c: c.sweep({"line/rate": [1.0]}, given, seed=-1),
        "trials": lambda c: c.sweep({"line/rate": [1.0]}, given, 1.5),
        "common": lambda c: c.sweep({"line/rate": [1.0]}, given, common_random_numbers=1),
        "start": lambda c: c.sweep({"line/rate": [1.0]}, given, start="anew"),
        "progress": lambda c: c.sweep({"line/rate": [1.0]}, given, progress="yes"),
        "count": lambda c: c.replicates(given, True),
        "inputs of replicates": lambda c: c.replicates({"line": ["much"]}, 1),
        "names of replicates": lambda c: c.replicates({"line/rate": [1.0]}, 1),
    }


@pytest.fixture(scope="module")
def others() -> list[cogir.Compiled]:
    """Two compiled models that are the same: one for calls that went well before, one for the first calls."""
    found = [line_model().compile() for _ in range(2)]
    for points in (POINTS, {"line/rate": [1.0]}, {"line/steps": [1]}):
        found[0].sweep(points, None if points is POINTS else {"line": [1.0]})
    found[0].replicates({"line": [1.0]}, 1)
    return found


@pytest.mark.parametrize("name", wrong_calls())
def test_what_is_wrong_is_refused_after_calls_that_were_right(name: str, others: list[cogir.Compiled]) -> None:
    call, texts = wrong_calls()[name], list[str]()
    for compiled in others:
        with pytest.raises(cogir.InputError) as caught:
            call(compiled)
        texts.append(str(caught.value))
    assert texts[0] == texts[1]


def test_forgotten_inputs_are_warned_of_in_each_call() -> None:
    m = cogir.Model("two")
    m.node("one", scaled)
    m.node("other", scaled)
    compiled = m.compile()
    for _ in range(2):
        with pytest.warns(cogir.MissingInputWarning, match='sweep: input "other" is not given'):
            compiled.sweep({"one": [1.0]})
        with pytest.warns(cogir.MissingInputWarning, match='replicates: input "one" is not given'):
            compiled.replicates({"other": [1.0]}, 1)
        with warnings.catch_warnings(action="error"):
            compiled.sweep({"one": [1.0]}, {"other": [1.0]})


def test_a_sweep_of_one_point_is_that_point_of_a_sweep_of_many(decision: cogir.Compiled) -> None:
    rates = np.linspace(0.0, 3.0, 7)
    given: dict[str, Any] = {"inputs": {"ddm": [[1.0]]}, "seed": 3, "common_random_numbers": True}
    many = decision.sweep({"ddm/rate": rates}, **given)
    for place, rate in enumerate(rates):
        one = decision.sweep({"ddm/rate": [rate]}, **given)
        assert {path: values[0].tolist() for path, values in one.items()} == {path: values[place].tolist() for path, values in many.items()}


def test_short_work_is_one_call_with_the_results_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    ways: list[list[Any]] = []
    for is_short in (True, False):
        with monkeypatch.context() as patch:
            if not is_short:
                patch.setattr(NativeRanges, "is_short", lambda self, job: False)
            compiled = counter_model().compile()
            swept = compiled.sweep({"n": np.linspace(0.0, 1.0, 5), "n/offset": [0.0, 0.25]}, None, 4, replicates=3)
            kept = compiled.replicates({"n": [0.5, 1.0]}, 5, 4)
            one = compiled.sweep({"n/offset": [0.5]}, {"n": [0.5, 1.0]}, 4)
            ways.append([found["n"].tolist() for found in (swept, kept, one)])
    assert ways[0] == ways[1]


def test_long_work_is_no_single_call() -> None:
    class Work:
        def __init__(self, count: int, trials: int):
            self.count, self.trials, self.done = count, trials, 0

    compiled = counter_model().compile()
    compiled.replicates({"n": [1.0]}, 1)
    code = compiled.engine.code_for_replicates()  # pyright: ignore[reportAttributeAccessIssue]
    assert code.trial_work > 0
    assert [code.is_short(Work(*size)) for size in ((2, 2), (FIRST + 1, 1), (2, SHORT))] == [True, False, False]
    decisions = decision_model().compile().engine.code_for_replicates()  # pyright: ignore[reportAttributeAccessIssue]
    assert not decisions.is_short(Work(1, 1)), "a decision takes as long as it takes"


@pytest.mark.parametrize("call", ["sweep", "replicates"])
def test_ctrl_c_in_a_short_call(call: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes effect at the end of the call of native code, whose results are then not counted; the context is free."""
    compiled = counter_model().compile()
    asked: Callable[[], Any] = (lambda: compiled.sweep({"n": [1.0]})) if call == "sweep" else (lambda: compiled.replicates({"n": [1.0]}, 1))
    found = asked()["n"].tolist()
    engine: Any = compiled.engine
    code = next(iter(engine.sweeps.values())) if call == "sweep" else engine.replicates
    native = code._call

    def interrupted(*given: Any) -> int:
        status: int = native(*given)
        signal.raise_signal(signal.SIGINT)
        return status

    with monkeypatch.context() as patch:
        patch.setattr(code, "_call", interrupted)
        with pytest.raises(KeyboardInterrupt) as caught:
            asked()
    result: Any = caught.value.result  # pyright: ignore[reportAttributeAccessIssue]
    assert result.status == "interrupted"
    assert not np.asarray(result.finished).any() if call == "sweep" else result.num_replicates == 0
    assert asked()["n"].tolist() == found


def test_signals_whose_handlers_return_do_not_stop_the_only_replicate(decision: cogir.Compiled, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = decision.replicates({"ddm": [[1.0]]}, 1, seed=1)["ddm"].tolist()
    code: Any = decision.engine.code_for_replicates()  # pyright: ignore[reportAttributeAccessIssue]
    native, calls = code._call, list[int]()

    def stopped(*given: Any) -> int:
        calls.append(1)
        return 1 if len(calls) < 3 else native(*given)

    monkeypatch.setattr(code, "_call", stopped)
    assert decision.replicates({"ddm": [[1.0]]}, 1, seed=1)["ddm"].tolist() == expected
    assert len(calls) == 3


def test_replicates_begin_with_the_parameters_and_the_states_of_now() -> None:
    compiled = counter_model().compile()

    def now() -> list[Any]:
        return [compiled.replicates({"n": [1.0]}, 1, start="fresh")["n"].item(), compiled.sweep({"n": [1.0]}, start="fresh")["n"].item()]

    assert now() == [1.0, 1.0]
    compiled.params["n/offset"] = 0.5
    assert now() == [1.5, 1.5]
    compiled.context().pf[:] *= 2.0  # pyright: ignore[reportAttributeAccessIssue]
    begun = now()
    assert begun == [begun[0]] * 2
    assert begun[0] != 1.5
    compiled.params["n/offset"] = 0.0
    compiled.params["n/rate"] = 1.0
    compiled.state["n/previous_value"] = 10.0
    assert now() == [11.0, 11.0]
    compiled.run({"n": [5.0]})
    assert now() == [11.0, 11.0]
    compiled.reset()
    assert now() == [1.0, 1.0]
    compiled.run({"n": [5.0]})
    assert now() == [1.0, 1.0]
    compiled.params["n/offset"] = 0.25
    assert now() == [1.25, 1.25]
    compiled.params["n/initial:state:previous_value"] = 3.0
    assert now() == [4.25, 4.25]


def test_generators_that_were_set_are_those_of_a_fresh_start() -> None:
    compiled = decision_model().compile()
    compiled.run({"ddm": [[1.0]]})
    assert compiled.context().fresh_start() is compiled.context().fresh_start()
    assert compiled.context().fresh_copy() is not compiled.context().fresh_copy()
    compiled.generators["ddm"] = cogir.random(5, generator="ddm")
    copies = [compiled.context().fresh_start() for _ in range(2)]
    assert copies[0] is not copies[1]
    assert all(copy.generators.words("ddm").tolist() == compiled.generators.words("ddm").tolist() for copy in copies)


def test_results_share_nothing_that_can_be_changed(line: cogir.Compiled) -> None:
    def swept() -> Any:
        return line.sweep({"line/rate": [1.0], "line": [2.0]}, start="fresh")

    def repeated() -> Any:
        return line.replicates({"line": [2.0]}, 1, start="fresh")

    for asked in (swept, repeated):
        one, other = asked(), asked()
        expected = other["line"].tolist()
        one["line"][:] = -1.0
        if isinstance(one, cogir.Sweep):
            one.points.axes[0].quantities[0].values[:] = -1.0
            one.job.rows[:] = -1.0
        assert [other["line"].tolist(), asked()["line"].tolist()] == [expected] * 2
    assert line.params["line/rate"] == 2.0


def test_results_of_small_calls_can_be_pickled(line: cogir.Compiled) -> None:
    found = line.sweep({"line/rate": [1.0, 2.0]}, {"line": [3.0]})
    held = pickle.loads(pickle.dumps(found))
    assert (held["line"].tolist(), held.points.extents) == (found["line"].tolist(), (2,))
    assert dict(held.attributes) == dict(found.attributes)
    assert held.attributes["parameters"]["line/rate"] == 2.0


def test_attributes_are_those_of_the_call(line: cogir.Compiled) -> None:
    compiled = line_model().compile()
    found = compiled.sweep({"line": [1.0]})
    compiled.params["line/rate"] = 3.0
    assert found.attributes["parameters"]["line/rate"] == 2.0


def test_contexts_are_used_by_one_call_at_a_time(line: cogir.Compiled) -> None:
    def asked(name: str) -> list[Any]:
        return [line.sweep({"line/rate": [rate]}, {"line": [1.0]}, context=name)["line"].item() for rate in np.linspace(0.0, 1.0, 50)]

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(asked, "abcd"))
    assert found == [np.linspace(0.0, 1.0, 50).tolist()] * 4
    where = line.context("in use")
    where.begin_use(found)
    for call in (lambda: line.sweep(POINTS, context="in use"), lambda: line.replicates(POINTS, 1, context="in use")):
        with pytest.raises(cogir.ExecutionError, match="is used by another run"):
            call()


def test_names_are_kept_up_to_a_number() -> None:
    known = KnownNames()
    held: Any = object()
    for number in range(MOST_NAMES + 1):
        known.put(f"a[{number}]", held)
    assert known.get("a[0]") is None
    assert known.get(f"a[{MOST_NAMES}]") is held
