"""
`compile(checked=True)`: runs stop at the first index out of range, integer division by zero, or NaN made from numbers, in every mode and
with the same words.
"""

import math
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.long import long_but

import cogir
from cogir.frontend.compile import source_of
from cogir.library import Random, State, Step, Value
from cogir.library.random.generators import keyed_words
from cogir.runtime.staged import StagedEngine
from cogir.streams import key_of
from cogir.transforms import outline_parallel

pytestmark = pytest.mark.sampled(3)

MODES = ("python", "per_node", "exec", "run")


def pick(x: float, *, table: Value = np.array([1.0, 2.0, 3.0, 4.0, 5.0])) -> float:
    return table[int(x)]  # out of range


def pick_of_each(x: float, *, table: Value = np.array([1.0, 2.0])) -> Value:
    total = np.zeros(2)
    for i in range(2):
        total[i] = table[int(x) + i]  # out of range in a loop
    return total


def divide(x: float) -> float:
    return 1.0 * (7 // int(x))  # by zero


def root(x: float) -> float:
    return math.sqrt(x) + 1.0  # of a negative number


def logarithm(x: float) -> float:
    y = 0.0
    if x > -9.0:
        y = np.log(x)  # in a branch
    return y


def total(x: float, *, weights: Value = np.array([0.0, 2.0])) -> float:
    return np.sum(np.sqrt(weights * x))  # elements


def difference(x: float) -> float:
    return x - math.inf  # of infinities


def helper(x: float) -> float:
    return x / x  # in another function


def by_helper(x: float) -> float:
    return helper(x) + 1.0


def remainder(x: float) -> float:
    return x % (x - 1.0)  # with a remainder


def remainders(x: float) -> Value:
    return np.fmod(np.array([x, 1.0]), 2.0)  # with remainders


def floored(x: float) -> float:
    return x // 1.0  # rounded down


def ratio(x: float) -> float:
    return int(x) / int(2.0 * x)  # of ints


def window(x: float, *, table: Value = np.array([1.0, 2.0, 3.0, 4.0, 5.0])) -> float:
    i = int(x)
    return np.sum(table[i : i + 2])  # a window


def whole_window(x: float, *, table: Value = np.array([1.0, 2.0, 3.0])) -> Value:
    i = int(x)
    return table[i : i + 3]  # a window of all elements


def assigned_window(x: float) -> Value:
    i = max(int(x), 0)
    table = np.zeros(4)
    table[i : i + 3] = x  # an assigned window
    return table


def divided_elements(x: float) -> Value:
    divisors = np.array([int(x), 2])
    return 1.0 * (np.array([7, 8]) // divisors)  # elements by zero


def remaining_elements(x: float) -> Value:
    divisors = np.array([2, int(x)])
    return 1.0 * (7 % divisors)  # the rest by zero


FAULTS: dict[str, tuple[Callable[..., Any], list[float], str, str]] = {
    "index": (
        pick,
        [0.0, 4.0, 7.0],
        "out of range",
        "index 7 is out of range for an axis of 5 elements; check the index before it is used",
    ),
    "negative index": (pick, [-5.0, -1.0, -6.0], "out of range", "index -6 is out of range for an axis of 5 elements"),
    "far index": (pick, [0.0, 0.0, 1e15], "out of range", "index 2147483647 or beyond is out of range"),
    "index in a loop": (pick_of_each, [0.0, 0.0, 1.0], "out of range in a loop", "index 2 is out of range for an axis of 2 elements"),
    "divisor": (divide, [1.0, -2.0, 0.5], "by zero", "an integer is divided by zero; check the divisor before"),
    "root": (root, [0.0, 4.0, -2.0], "of a negative number", "the square root of -2 is NaN; check the operands before"),
    "branch": (logarithm, [1.0, -10.0, -0.5], "in a branch", r"log\(-0.5\) is NaN"),
    "element": (total, [0.0, 1.0, -3.0], "elements", "the square root of -6 is NaN"),
    "product": (total, [0.0, 1.0, math.inf], "elements", r"0 \* inf is NaN"),
    "difference": (difference, [0.0, -math.inf, math.inf], "of infinities", "inf - inf is NaN"),
    "remainder": (remainder, [3.0, 2.5, 1.0], "with a remainder", "1 % 0 is NaN"),
    "remainder of an array": (remainders, [3.0, 2.0, math.inf], "with remainders", r"fmod\(inf, a number\) is NaN"),
    "floor": (floored, [3.0, -2.5, -math.inf], "rounded down", "-inf // a number is NaN"),
    "ratio": (ratio, [1.0, 3.0, 0.0], "of ints", "0 / 0 is NaN"),
    "window": (
        window,
        [0.0, 3.0, 4.0],
        "a window",
        "the window of 2 elements that starts at index 4 is out of range for an axis of 5 el",
    ),
    "window from the end": (window, [-5.0, -3.0, -2.0], "a window", "the window of 2 elements that starts at index -2 is out of range"),
    "window before": (window, [0.0, 0.0, -6.0], "a window", "the window of 2 elements that starts at index -6 is out of range"),
    "whole window": (whole_window, [0.0, 0.0, 1.0], "a window of all elements", "the window of 3 elements that starts at index 1 is out"),
    "assigned window": (assigned_window, [0.0, 1.0, 1e12], "an assigned window", "the window of 3 elements .* 2147483647 or beyond is out"),
    "elements by zero": (divided_elements, [-1.0, 3.0, 0.0], "elements by zero", "an integer is divided by zero; check the divisor before"),
    "the rest by zero": (remaining_elements, [-1.0, 3.0, 0.0], "the rest by zero", "an integer is divided by zero"),
    "quotient": (by_helper, [1.0, -2.0, 0.0], "in another function", "0 / 0 is NaN"),
}


def line_of(comment: str) -> int:
    """The line of this file that ends in that comment."""
    lines = Path(__file__).read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.endswith(f"  # {comment}"))


def reader(function: Callable[..., Any]) -> cogir.Model:
    """One node that computes the function of its input."""
    model = cogir.Model("reads", seed=1)
    model.node("reader", function, input=())
    return model


def rows_of(values: list[float]) -> dict[str, list[list[float]]]:
    return {"reader": [[value] for value in values]}


@pytest.mark.parametrize("mode", long_but(MODES, ["python", "run"]))
@pytest.mark.parametrize("name", FAULTS)
def test_a_run_stops_at_the_fault(mode: str, name: str) -> None:
    function, values, comment, text = FAULTS[name]
    compiled = reader(function).compile(mode=mode, checked=True)
    expected = rf'^run: node "reader" failed in trial 2: .*test_checked.py:{line_of(comment)}: {text}'
    with pytest.raises(cogir.ExecutionError, match=expected) as caught:
        compiled.run(rows_of(values))
    result = caught.value.result
    assert isinstance(result, cogir.Result)
    assert result.status == "failed"
    unchecked = reader(function).compile(mode="run").run(rows_of(values[:2]))
    assert result.rows.tobytes() == unchecked.rows.tobytes()
    assert compiled.run(rows_of(values[:2])).rows.tobytes() == unchecked.rows.tobytes()


@pytest.mark.parametrize("stage", StagedEngine.STAGES)
@pytest.mark.parametrize(
    "name",
    [
        "index",
        "index in a loop",
        "divisor",
        "branch",
        "element",
        "remainder of an array",
        "ratio",
        "window",
        "window from the end",
        "assigned window",
        "elements by zero",
    ],
)
def test_every_stage_stops_with_the_same_words(stage: str, name: str) -> None:
    function, values, _, _ = FAULTS[name]
    with pytest.raises(cogir.ExecutionError) as expected:
        reader(function).compile(mode="run", checked=True).run(rows_of(values))
    engine = StagedEngine(source_of(reader(function)), stage, checked=True)
    with pytest.raises(cogir.ExecutionError) as found:
        engine.run(engine.new_context(None, None), np.array(values)[:, None], np.empty((3, engine.plan.size("out"))))
    assert str(found.value) == str(expected.value)


def careful(x: float) -> float:
    first = math.log(x) if x > 0.0 else 0.0
    second = 1.0 / x if x != 0.0 else (0.0 / x if x > 0.0 else 2.0)
    return first + second


@pytest.mark.parametrize("mode", MODES)
def test_what_a_choice_drops_is_no_fault(mode: str) -> None:
    """Compiled code computes both sides of such choices; Python does not."""
    result = reader(careful).compile(mode=mode, checked=True).run(rows_of([1.0, 0.0, -2.0]))
    assert result["reader"].ravel().tolist() == [careful(1.0), careful(0.0), careful(-2.0)]


def joined(x: float) -> float:
    y = 2.0
    if x > 0.0 and np.log(x) < 3.0:
        y = 1.0
    if x <= 0.0 or (np.log(x) > -3.0 and np.sqrt(x) < 4.0):
        y = y + 0.5
    return y


def while_positive(x: float) -> float:
    while x > 0.0 and np.log(x) > 0.0:
        x = x - 1.5
    return x


def until_it_breaks(x: float) -> float:
    while math.log(x + 3.0) > -9.0:
        x = x - 2.0
        if x < -2.0:
            break
    return x


def chained(x: float) -> float:
    return 1.0 if -0.5 < x < np.exp(np.log(x) + 1.0) < np.log(x) + 9.0 else 2.0


def chosen_twice(x: float) -> float:
    return max(0.0, np.log(x)) if x > 0 else 3.0


def chosen_array(x: float) -> Value:
    return np.array([np.log(x), 1.0]) if x > 0 else np.array([0.0, 2.0])


def of_one_element(x: float) -> float:
    v = np.array([x])
    return 1.0 if v > 0.0 and np.log(v) < 3.0 else 2.0


def where(x: float) -> Value:
    v = np.array([x, 2.0])
    return np.where(v > 0.0, np.log(v), 0.0)


def divided_where(x: float) -> Value:
    divisors = np.array([int(x) + 1, int(x) - 2, 2])
    return 1.0 * np.where(divisors != 0, 7 // divisors + 7 % divisors, 0)


def window_if_it_fits(x: float) -> float:
    i = int(x)
    table = np.array([1.0, 2.0, 3.0])
    return np.sum(table[i : i + 2]) if 0 <= i <= 1 else 0.0


def close(x: float) -> float:
    infinite = x * math.inf
    ends = np.array([infinite, math.inf])
    together = np.allclose(ends, ends) and np.isclose(infinite, infinite, rtol=0.0)
    return 1.0 * together + np.sum(1.0 * np.isclose(ends, math.inf)) + 8.0 * np.isclose(infinite, 3.0)


DROPS = (
    joined,
    while_positive,
    until_it_breaks,
    chained,
    chosen_twice,
    chosen_array,
    of_one_element,
    where,
    divided_where,
    window_if_it_fits,
    close,
)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("function", DROPS)
def test_what_python_does_not_compute_is_no_fault(mode: str, function: Callable[..., Any]) -> None:
    with np.errstate(all="ignore"):
        expected = np.ravel([function(x) for x in (-1.0, 2.0)])
    result = reader(function).compile(mode=mode, checked=True).run(rows_of([-1.0, 2.0]))
    assert result["reader"].ravel().tolist() == expected.tolist()


def either(x: float) -> float:
    return 1.0 if x < 0.0 and np.log(x) < 3.0 else 2.0  # on the right


def either_of_two(x: float) -> float:
    return 1.0 if x > 0.0 or np.log(x) < 3.0 else 2.0  # on the right of or


def in_the_middle(x: float) -> float:
    return 1.0 if -3.0 < x < np.log(x) < 0.5 else 2.0  # in the middle


def on_the_left(x: float) -> float:
    return 1.0 if np.log(x) < 3.0 and x > 0.0 else 2.0  # on the left


def used_elsewhere(x: float) -> float:
    y = np.log(x)  # used elsewhere
    return (y if x > 0.0 else 1.0) + 0.0 * y


def both_computed(x: float) -> float:
    return 1.0 if np.logical_and(x > 0.0, np.log(x) < 3.0) else 2.0  # both computed


def taken_array(x: float) -> Value:
    return np.array([np.log(x), 1.0]) if x < 0 else np.array([0.0, 2.0])  # taken array


TAKEN: dict[Callable[..., Any], str] = {
    either: "on the right",
    either_of_two: "on the right of or",
    in_the_middle: "in the middle",
    on_the_left: "on the left",
    used_elsewhere: "used elsewhere",
    both_computed: "both computed",
    taken_array: "taken array",
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("function", TAKEN)
def test_what_python_computes_is_a_fault(mode: str, function: Callable[..., Any]) -> None:
    compiled = reader(function).compile(mode=mode, checked=True)
    with pytest.raises(cogir.ExecutionError, match=rf"failed in trial 1: .*:{line_of(TAKEN[function])}: log\(-1\) is NaN"):
        compiled.run(rows_of([1.0, -1.0]))


def passes_on(x: float, *, p: float = math.nan) -> float:
    return np.sqrt(x + p) * 0.0


@pytest.mark.parametrize("mode", MODES)
def test_nan_that_was_there_before_is_no_fault(mode: str) -> None:
    assert np.isnan(reader(passes_on).compile(mode=mode, checked=True).run(rows_of([1.0]))["reader"]).all()


def strays(drift: float, *, x: State = 0.5) -> Step:
    """Never finishes once its position is NaN."""
    x = math.sqrt(x + drift)
    return Step(outputs=(x,), states=(x,), finished=x >= 1.0)


def endless(drift: float) -> float:
    x = 0.5
    while not x >= 1.0:
        x = math.sqrt(x + drift)
    return x


@pytest.mark.parametrize("mode", MODES)
def test_loops_end_with_the_fault(mode: str) -> None:
    """Neither the executions of a node, nor the passes of a trial, nor a loop of a function go on for ever."""
    model = cogir.Model("loops", seed=1)
    model.node("decision", strays, input=(), execute_until_finished=True, max_executions_before_finished=2**62)
    by_passes = cogir.Model("passes", seed=1)
    node = by_passes.node("decision", strays, input=())
    by_passes.schedule.trial_ends(cogir.WhenFinished(node))
    in_function = cogir.Model("function", seed=1)
    in_function.node("decision", endless, input=())
    for each in (model, by_passes, in_function):
        with pytest.raises(cogir.ExecutionError, match=r'node "decision" failed in trial 0: .*the square root of -0\.5 is NaN'):
            each.compile(mode=mode, checked=True, unfinished="ignore").run({"decision": [[-1.0]]})


@pytest.mark.parametrize("mode", MODES)
def test_the_first_of_several_nodes_is_named_by_its_path(mode: str) -> None:
    inner = cogir.Model("inner", seed=1)
    inner.node("first", root, input=())
    outer = cogir.Model("outer")
    instance = outer.instance("placed", inner)
    outer.node("after", root, input=())
    outer.project(instance, "after")
    with pytest.raises(cogir.ExecutionError, match='node "placed/first" failed in trial 1: '):
        outer.compile(mode=mode, checked=True).run([[1.0], [-1.0]])


@pytest.mark.parametrize("mode", MODES)
def test_functions_of_projections_are_checked(mode: str) -> None:
    model = cogir.Model("projects", seed=1)
    source, target = model.node("source", input=1), model.node("target", input=1)
    model.project(source, target, function=rooted)
    with pytest.raises(cogir.ExecutionError, match=rf"failed in trial 1: .*:{line_of('sent')}: the square root of -1 is NaN"):
        model.compile(mode=mode, checked=True).run({"source": [[1.0], [-1.0]]})


def rooted(x: Value) -> Value:
    return np.sqrt(x)  # sent


def scaled(x: float, *, gain: float = 0.0) -> float:
    return math.sqrt(gain - 0.5) * x  # searched


def searching(levels: int) -> cogir.Model:
    """A controller that tries gains, of which those below a half have no root."""
    model = cogir.Model("searches", seed=1)
    node = model.node("decision", scaled, input=(), gain=1.0)
    signal = cogir.Signal(node.param("gain"), levels=np.linspace(1.0, 0.25, levels), modulation="override", initial=1.0)
    model.output(node)
    model.control("control", objective=node, signals=[signal], when="before")
    return model


SEARCHED = '^run: node "decision" failed in trial 0: .*: the square root of -0.125 is NaN'


@pytest.mark.parametrize("mode", MODES)
def test_simulations_of_searches_are_checked(mode: str) -> None:
    """The first point at which the node fails is the one that is reported."""
    with pytest.raises(cogir.ExecutionError, match=SEARCHED):
        searching(7).compile(mode=mode, checked=True).run({"decision": [[1.0]]})


def test_threads_that_share_a_search_find_the_same_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outline_parallel, "WORK", 0)
    with ThreadPoolExecutor(3) as executor, pytest.raises(cogir.ExecutionError, match=SEARCHED):
        searching(7).compile(mode="run", executor=executor, checked=True).run({"decision": [[1.0]]})


def wander(drift: float, *, x: State = 0.0, random: Random) -> Step:
    x = x + drift + 0.3 * random.normal()
    return Step(outputs=(math.sqrt(x + 4.0),), states=(x,), finished=x >= 1.0)  # wandered off


@pytest.mark.parametrize("prng", ["xoshiro256", "mt19937"])
@pytest.mark.parametrize("threads", [None, 3])
def test_replicates_name_a_replicate_and_trial_that_fails(prng: str, threads: int | None) -> None:
    """In lanes and one after the other. The replicate, run alone, fails in that trial."""
    model = cogir.Model("wanders", seed=2)
    node = model.node("decision", wander, input=(), execute_until_finished=True, prng=prng)
    model.schedule.reset(node, cogir.AtTrialStart())
    options = {} if threads is None else {"threads": threads}
    compiled = model.compile(mode="run", checked=True, unfinished="ignore", **options)
    with pytest.raises(cogir.ExecutionError) as caught:
        compiled.replicates({"decision": [[-0.02]]}, count=400, num_trials=3, seed=7)
    found = re.match(r"replicates: node .* failed in trial (\d) of replicate (\d+): (.*)", str(caught.value))
    assert found is not None
    trial, replicate, fault = found.groups()
    assert f":{line_of('wandered off')}: the square root of -" in fault
    python = model.compile(mode="python", checked=True, unfinished="ignore")
    for each in (compiled, python):
        assert failure_of(each, int(replicate)) == f'run: node "decision" failed in trial {trial}: {fault}'
    with pytest.raises(cogir.ExecutionError) as caught:
        python.replicates({"decision": [[-0.02]]}, count=int(replicate) + 1, num_trials=3, seed=7)
    found = re.match(r"replicates: in replicate (\d+): (.*)", str(caught.value))
    assert found is not None
    assert failure_of(compiled, int(found[1])) == f"run: {found[2]}"


def failure_of(compiled: cogir.Compiled, replicate: int) -> str:
    """The error of a replicate that is run alone."""
    alone = compiled.context(f"replicate {replicate}")
    for place, (path, start) in enumerate(compiled.plan.generators.items()):
        alone.set_words(path, keyed_words(start.kind, 7, key_of(start.kind, place, path), replicate))
    with pytest.raises(cogir.ExecutionError) as caught:
        compiled.run({"decision": [[-0.02]]}, num_trials=3, context=alone)
    return str(caught.value)


def test_checked_code_gives_the_same_bits() -> None:
    model = cogir.Model("same", seed=1)
    stimulus = model.node("stimulus", input=1)
    decision = model.node(
        "decision", cogir.library.drift_diffusion_integrator, threshold=1.0, noise=0.5, time_step_size=0.01, execute_until_finished=True
    )
    model.schedule.reset(decision, cogir.AtTrialStart())
    model.project(stimulus, decision)
    plain, checked = (model.compile(mode="run", checked=each, unfinished="ignore") for each in (False, True))
    inputs = {"stimulus": [[0.3]]}
    assert plain.run(inputs, num_trials=50).rows.tobytes() == checked.run(inputs, num_trials=50).rows.tobytes()
    found = [each.replicates(inputs, count=50, num_trials=2, start="fresh")["decision"].tobytes() for each in (plain, checked)]
    assert found[0] == found[1]


def test_functions_that_moved_are_named_by_their_new_line(tmp_path: Path) -> None:
    """Code in the cache is that of these lines."""
    for number in (2, 5):
        file = tmp_path / "moved.py"
        file.write_text("import math\n" + "\n" * (number - 2) + "def moved(x: float) -> float: return math.sqrt(x)\n")
        names: dict[str, Any] = {}
        exec(compile(file.read_text(), str(file), "exec"), names)
        import linecache

        linecache.checkcache(str(file))
        with pytest.raises(cogir.ExecutionError, match=rf"moved.py:{number}: the square root of -1 is NaN"):
            reader(names["moved"]).compile(mode="run", checked=True).run(rows_of([-1.0]))


def test_specialised_versions_are_checked() -> None:
    compiled = reader(pick).compile(mode="run", checked=True, specialise=True)
    assert compiled.version() is not None
    with pytest.raises(cogir.ExecutionError, match="index 7 is out of range"):
        compiled.run(rows_of([1.0, 7.0]))


def test_learning_is_not_checked_and_says_so() -> None:
    model = cogir.Model("learns", seed=1)
    inputs, output, target = (model.node(name, cogir.library.linear, input=1) for name in ("in", "out", "target"))
    model.project(inputs, output, matrix=[[0.5]])
    model.learning([(output, target)])
    compiled = model.compile(checked=True)
    rows = np.array([[1.0, 2.0]])
    assert compiled.run(rows).num_trials == 1
    with pytest.raises(cogir.ModelError, match=r"learn: a model compiled with checked=True cannot learn"):
        compiled.learn(rows)


def test_texts_cannot_say_that_they_are_checked() -> None:
    text = """
    cog.model @m {
      cog.node @a (%x: f64) -> (value: f64 = 0.0) {
        %fault = arith.constant 5 : i64
        cog.yield %x checked(%fault)
      }
      cog.input @a
      cog.output @a
    }
    """
    with pytest.raises(cogir.CogirError, match=r"checked\(...\) is reserved for the pass insert-checks"):
        cogir.compile(text)


MARKED = """
cog.model @m {
  cog.node @a (%x: f64) -> (value: f64 = 0.0) {
    %whole = arith.fptosi %x : f64 to TYPE
    %three = arith.constant 3 : TYPE
    %result = arith.NAME %whole, %three {MARK} : TYPE
    %value = arith.sitofp %result : TYPE to f64
    cog.yield %value
  }
  cog.input @a
  cog.output @a
}
"""


@pytest.mark.parametrize(
    ("type", "name", "mark"),
    [
        ("i64", "maxsi", 'cog.index = "a"'),
        ("i32", "maxsi", "cog.index = 4 : i64"),
        ("i64", "addi", "cog.index = 4 : i64"),
        ("i64", "minsi", "cog.window = 4 : i64"),
        ("i64", "minsi", "cog.window = array<i64: 4>"),
        ("i32", "addi", "cog.window = array<i64: 2, 4>"),
        ("i64", "muli", "cog.window = array<i64: 2, 4>"),
        ("i64", "muli", "cog.divisor"),
    ],
)
def test_marks_of_texts_are_those_that_passes_write(type: str, name: str, mark: str) -> None:
    text = MARKED.replace("TYPE", type).replace("NAME", name).replace("MARK", mark)
    with pytest.raises(
        cogir.CogirError, match=f"arith.{name} has the attribute {mark.partition(' ')[0]}, which is not valid on this operation; remove it"
    ):
        cogir.compile(text, mode="python", checked=True)


INDEXED = """
cog.model @m {
  cog.node @a (%x: f64) params (%table: tensor<3xf64> = dense<[1.0, 2.0, 3.0]>) -> (value: f64 = 0.0) {
    %whole = arith.fptosi %x : f64 to i64
    %place = arith.index_cast %whole : i64 to index
    %value = tensor.extract %table[%place] : tensor<3xf64>
    cog.yield %value
  }
  cog.input @a
  cog.output @a
}
"""


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("index", [3, -1])
def test_texts_are_checked(mode: str, index: int) -> None:
    compiled = cogir.compile(INDEXED, mode=mode, checked=True)
    message = rf'node "a" failed in trial 1: .*index {index} is out of range for an axis of 3 elements'
    with pytest.raises(cogir.ExecutionError, match=message) as caught:
        compiled.run(np.array([[2.0], [index]]))
    assert caught.value.result["a"].tolist() == [3.0]  # type: ignore[index]


DIVIDED = """
cog.model @m {
  cog.node @a (%x: f64) -> (value: f64 = 0.0) {
    %whole = arith.fptosi %x : f64 to i32
    %seven = arith.constant 7 : i32
    %quotient = arith.divsi %seven, %whole : i32
    %value = arith.sitofp %quotient : i32 to f64
    cog.yield %value
  }
  cog.input @a
  cog.output @a
}
"""


@pytest.mark.parametrize("mode", MODES)
def test_divisors_of_any_width_are_checked(mode: str) -> None:
    compiled = cogir.compile(DIVIDED, mode=mode, checked=True)
    assert compiled.run(np.array([[-2.0]]))["a"].tolist() == [-3.0]
    with pytest.raises(cogir.ExecutionError, match=r'node "a" failed in trial 0: .*an integer is divided by zero'):
        compiled.run(np.array([[0.0]]))


BLOCKS = """
func.func private @f(%x: f64) -> f64 {
  %y = math.sqrt %x : f64
  cf.br ^bb1
^bb1:
  func.return %y : f64
}
"""

SWITCH = """
func.func private @f(%x: f64) -> f64 {
  %zero = arith.constant 0 : index
  %y = scf.index_switch %zero -> f64
  case 1 {
    scf.yield %x : f64
  }
  default {
    %root = math.sqrt %x : f64
    scf.yield %root : f64
  }
  func.return %y : f64
}
"""


IN_A_NODE = """
cog.model @m {
  cog.node @a (%x: f64) -> (value: f64 = 0.0) {
    %y = func.call @f(%x) : (f64) -> f64
    cog.yield %y
  }
  cog.input @a
  cog.output @a
}
"""


@pytest.mark.parametrize(("function", "what"), [(BLOCKS, "@f has several blocks"), (SWITCH, "operations inside scf.index_switch")])
@pytest.mark.parametrize("mode", ["auto", *MODES])
def test_what_cannot_be_checked_is_refused(function: str, what: str, mode: str) -> None:
    assert cogir.compile(function + IN_A_NODE, mode="python").run(np.array([[4.0]]))["a"].tolist() == [2.0]
    with pytest.raises(cogir.LoweringError, match=f"insert-checks: {what}"):
        cogir.compile(function + IN_A_NODE, mode=mode, checked=True)


def test_checked_is_true_or_false() -> None:
    with pytest.raises(cogir.ModelError, match=r"compile: checked is 1\.5"):
        reader(pick).compile(checked=1.5)  # type: ignore[arg-type]


WINDOW = """
cog.model @m {
  cog.node @a (%x: f64) params (%table: tensor<4xf64> = dense<[1.0, 2.0, 3.0, 4.0]>) -> (value: tensor<2xf64> = dense<0.0>) {
    %whole = arith.fptosi %x : f64 to i64
    %place = arith.index_cast %whole : i64 to index
    %value = tensor.extract_slice %table[%place] [2] [1] : tensor<4xf64> to tensor<2xf64>
    cog.yield %value
  }
  cog.input @a
  cog.output @a
}
"""


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("index", [3, -1])
def test_windows_of_texts_are_checked(mode: str, index: int) -> None:
    compiled = cogir.compile(WINDOW, mode=mode, checked=True)
    message = rf'node "a" failed in trial 1: .*the window of 2 elements that starts at index {index} is out of range for an axis of 4'
    with pytest.raises(cogir.ExecutionError, match=message) as caught:
        compiled.run(np.array([[2.0], [index]]))
    assert caught.value.result["a"].tolist() == [[3.0, 4.0]]  # type: ignore[index]


def slows(x: float, *, at: State = 0.0) -> Step:
    at = at + 1.0
    return Step(outputs=(math.sqrt(x) + at,), states=(at,), finished=at > 9.0)


@pytest.mark.parametrize("reaction", ["warn", "error"])
@pytest.mark.parametrize("mode", MODES)
def test_trials_before_a_fault_are_warned_of(mode: str, reaction: str) -> None:
    """Also where they would be an error, as there is one already."""
    model = cogir.Model("slow", seed=1)
    node = model.node("slow", slows, input=(), execute_until_finished=True, max_executions_before_finished=3)
    model.schedule.reset(node, cogir.AtTrialStart())
    compiled = model.compile(mode=mode, checked=True, unfinished=reaction)
    with (
        pytest.warns(cogir.UnfinishedWarning, match="2 of 2 trials were cut off") as warned,
        pytest.raises(cogir.ExecutionError, match=r"failed in trial 2: .*the square root of -1 is NaN"),
    ):
        compiled.run({"slow": [[1.0], [4.0], [-1.0]]})
    assert [each.filename for each in warned] == [__file__]
