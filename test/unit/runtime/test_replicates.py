"""Replicates: the same numbers in lanes, one after the other, in any number of threads, and by ordinary runs."""

import signal
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from random import Random as Chance
from typing import Any

import numpy as np
import pytest
from support.compare_models import first_difference, replicated
from support.interrupts import press_soon
from support.long import long
from support.random.lanes import random_lanes
from support.random.models import random_model
from xdsl.dialects import func

import cogir
from cogir import library
from cogir.backend.jit import compile_to_object
from cogir.backend.llvm import host
from cogir.frontend.text import parse
from cogir.library import Random, State, Step, Value
from cogir.library.random.generators import keyed_words
from cogir.lowering.pipeline import lower_to
from cogir.runtime import build
from cogir.runtime import replicates as replicates_module
from cogir.transforms.normals_in_lanes import MOST

pytestmark = pytest.mark.sampled(4)

KINDS = ["mt19937", *long("philox4x64"), "xoshiro256"]
IN_LANES = ["mt19937", "xoshiro256"]
"""Those with which replicates go side by side; with mt19937, where nothing but normals is drawn."""
ONLY_NORMALS = ["drift_diffusion", "normals", "many normals"]


def drift_diffusion(prng: str, **options: Any) -> cogir.Model:
    """One decision by evidence that is integrated to a threshold."""
    model = cogir.Model("decide")
    settings: dict[str, Any] = {"noise": 1.0, "threshold": 0.5, "time_step_size": 0.01, "max_executions_before_finished": 10**6, **options}
    node = model.node("DDM", library.drift_diffusion_integrator, input=1, execute_until_finished=True, prng=prng, **settings)
    model.schedule.reset(node, cogir.AtTrialStart())
    return model


def race(evidence: Value, *, rate: float = 0.3, threshold: float = 1.0, total: State = np.zeros(3), random: Random) -> Step:
    """Three accumulators with two draws for each, one of them uniform: an odd number of normals in each step."""
    total = total + rate * evidence + 0.2 * random.normal(3) + 0.01 * random.uniform(3)
    return Step(outputs=(total,), states=(total,), finished=np.max(total) >= threshold)


def noisy(value: Value, *, scale: float = 0.1, random: Random) -> Value:
    """The value, disturbed once in a trial."""
    return value + scale * random.normal(3)


def around(prng: str) -> cogir.Model:
    """A node with draws before the loop, one after it, and a state that goes on from trial to trial."""
    model = cogir.Model("around")
    before = model.node("before", noisy, input=3, prng=prng)
    decision = model.node("decision", race, input=3, execute_until_finished=True, max_executions_before_finished=10**6, prng=prng)
    after = model.node("after", lingering, input=3)
    model.project(before, decision)
    model.project(decision, after)
    model.output(decision)
    model.output(after)
    model.schedule.reset(decision, cogir.AtTrialStart())
    return model


def lingering(value: Value, *, trace: State = np.zeros(3)) -> Step:
    """A sum over trials."""
    return Step(outputs=(trace + value,), states=(trace + value,))


def normal_race(evidence: Value, *, rate: float = 0.3, threshold: float = 1.0, total: State = np.zeros(3), random: Random) -> Step:
    """Three accumulators with a normal each."""
    total = total + rate * evidence + 0.2 * random.normal(3)
    return Step(outputs=(total,), states=(total,), finished=np.max(total) >= threshold)


def normals_around(prng: str, threshold: float = 1.0) -> cogir.Model:
    """Nodes that draw nothing but normals: before the loop, in it from two generators, and after it; more of them to a higher threshold."""
    model = cogir.Model("normals")
    before = model.node("before", noisy, input=3, prng=prng)
    disturbed = model.node("disturbed", noisy, input=3, prng=prng, scale=0.01)
    decision = model.node("decision", normal_race, input=3, prng=prng, threshold=threshold)
    after = model.node("after", noisy, input=3, prng=prng)
    for one, next in pairwise((before, disturbed, decision, after)):
        model.project(one, next)
    model.output(decision)
    model.output(after)
    model.schedule.when(after, cogir.WhenFinished(decision))
    model.schedule.reset(decision, cogir.AtTrialStart())
    return model


def waiting(prng: str) -> cogir.Model:
    """A schedule that depends on data: one node runs until another one is beyond a threshold."""
    model = cogir.Model("waiting")
    walk = model.node("walk", walking, input=1, prng=prng)
    read = model.node("read", library.linear, input=1)
    model.project(walk, read)
    model.schedule.when(read, cogir.Threshold(walk, "position", 1.0, ">", indices=0))
    model.schedule.trial_ends(cogir.WhenFinished(walk) & cogir.AllHaveRun())
    return model


def walking(step: Value, *, position: State = 0.0, random: Random) -> Step:
    """A random walk, seen from above."""
    position = np.abs(position + step + random.normal(1))
    return Step(outputs=(position,), states=(position,), finished=position[0] > 1.0)


def attempts(value: Value, *, random: Random) -> Step:
    """Numbers until one is large enough, with nothing carried from one to the next but the generator."""
    drawn = random.uniform() + value[0] * random.normal()
    return Step(outputs=(drawn,), finished=drawn > 0.8)


def repeated(prng: str) -> cogir.Model:
    """A node without a state that is executed several times per trial; only the generator goes on from trial to trial."""
    model = cogir.Model("repeated")
    model.node("attempts", attempts, input=1, execute_until_finished=True, max_executions_before_finished=1000, prng=prng)
    return model


MODELS: dict[str, Callable[[str], cogir.Model]] = {
    "drift_diffusion": drift_diffusion,
    "around": around,
    "repeated": repeated,
    "normals": normals_around,
    "many normals": partial(normals_around, threshold=20.0),
}
INPUTS = {
    "drift_diffusion": {"DDM": [[0.4], [-0.7]]},
    "around": {"before": [[0.1, 0.2, 0.3], [0.5, 0.1, 0.0]]},
    "repeated": {"attempts": [[0.2]]},
    "normals": {"before": [[0.1, 0.2, 0.3], [0.5, 0.1, 0.0]]},
    "many normals": {"before": [[0.1, 0.2, 0.3], [0.5, 0.1, 0.0]]},
}


def functions_of(model: cogir.Model, **options: Any) -> set[str]:
    """The functions that a model for replicates has at stage `machine`."""
    module = model.ir()
    lower_to(module, "machine", options={"replicate": {"enabled": True}}, **options)
    return {op.sym_name.data for op in module.ops if isinstance(op, func.FuncOp)}


def outcome(found: Any) -> tuple[bytes, ...]:
    return (*(found[path].tobytes() for path in found.outputs), found.lengths.tobytes())


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", MODELS)
def test_all_ways_give_the_same(name: str, kind: str) -> None:
    model = MODELS[name](kind)
    asked: dict[str, Any] = {"inputs": INPUTS[name], "count": 60, "num_trials": 2, "seed": 5}
    expected = outcome(model.compile(mode="python").replicates(**asked))
    for options in ({}, {"without": ("fill-lanes",)}, {"threads": 3}, {"mode": "exec"}):
        assert outcome(model.compile(**options).replicates(**asked)) == expected
    assert ("lanes_iterate" in functions_of(model)) == (kind in IN_LANES and (kind == "xoshiro256" or name in ONLY_NORMALS))
    assert "lanes_iterate" not in functions_of(model, without=("fill-lanes",))


@pytest.mark.parametrize("count", [1, 60])
def test_all_states_of_a_generator_share_its_normals(count: int) -> None:
    """The loop gives another state than it carries on, and draws more normals than are drawn at a time."""
    model = normals_around("mt19937", threshold=20.0)
    assert "lanes_iterate" in functions_of(model)
    asked: dict[str, Any] = {"inputs": INPUTS["normals"], "count": count, "num_trials": 2, "seed": 5}
    expected = outcome(model.compile(without=("fill-lanes",)).replicates(**asked))
    assert outcome(model.compile().replicates(**asked)) == expected


@pytest.mark.parametrize("kind", KINDS)
def test_one_replicate_can_be_run_by_itself(kind: str) -> None:
    compiled = around(kind).compile()
    found = compiled.replicates(INPUTS["around"], count=9, seed=11)
    numpy_generator = {"mt19937": lambda key: np.random.RandomState(key), "philox4x64": lambda key: np.random.Philox(key)}
    for place, path in enumerate(compiled.plan.generators):
        is_numpys = kind in numpy_generator
        compiled.generators[path] = numpy_generator[kind]([11, place, 7]) if is_numpys else keyed_words(kind, 11, path, 7)
    again = compiled.run(INPUTS["around"])
    for path in found.outputs:
        np.testing.assert_array_equal(again[path], found[path][7])


def test_more_replicates_do_not_change_the_first_ones() -> None:
    compiled = drift_diffusion("xoshiro256").compile()
    few, many = (compiled.replicates({"DDM": [[0.3]]}, count=count) for count in (5, 500))
    np.testing.assert_array_equal(few["DDM", "time"], many["DDM", "time"][:5])
    assert len(np.unique(many["DDM", "time"])) > 30
    assert not np.array_equal(few["DDM", "time"], compiled.replicates({"DDM": [[0.3]]}, count=5, seed=1)["DDM", "time"])


def test_they_begin_where_the_context_stands_if_asked_and_leave_it_there() -> None:
    compiled = around("xoshiro256").compile()
    compiled.run(INPUTS["around"])
    before = {path: np.array(value) for path, value in compiled.state.items()}
    words = {path: compiled.generators.words(path) for path in compiled.generators}
    found = compiled.replicates(INPUTS["around"], count=4, num_trials=1, start="context")
    for path, value in before.items():
        np.testing.assert_array_equal(compiled.state[path], value)
    for path, value in words.items():
        np.testing.assert_array_equal(compiled.generators.words(path), value)
    assert (np.abs(found["after"][:, 0] - found["decision"][:, 0] - before["after/state:trace"]) < 1e-12).all()


def test_a_schedule_that_depends_on_data() -> None:
    model = waiting("xoshiro256")
    asked: dict[str, Any] = {"inputs": {"walk": [[0.05]]}, "count": 40, "num_trials": 2}
    expected = outcome(model.compile(mode="python").replicates(**asked))
    assert outcome(model.compile().replicates(**asked)) == expected


@pytest.mark.parametrize("numbers", [range(2), *long(range(2, 120))])
def test_random_models(numbers: range) -> None:
    for number in numbers:
        drawn = random_model(Chance(f"replicates {number}"))
        drawn.trials = 2
        with np.errstate(all="ignore"):
            found = [replicated(drawn, 6, number, **options) for options in ({"mode": "python"}, {}, {"without": ("fill-lanes",)})]
        assert first_difference(found[0], found[1]) is first_difference(found[1], found[2]) is None, number


@pytest.mark.parametrize("numbers", [range(2), *long(range(2, 200))])
def test_random_loops_in_lanes(numbers: range) -> None:
    """Integrators of random shapes, with random draws, that end at different times."""
    in_lanes = 0
    for number in numbers:
        model, inputs = random_integrator(Chance(number))
        in_lanes += "lanes_iterate" in functions_of(model)
        asked: dict[str, Any] = {"inputs": inputs, "count": 50, "num_trials": 2, "seed": number}
        lanes, others = (outcome(model.compile(without=without).replicates(**asked)) for without in ((), ("fill-lanes",)))
        assert lanes == others, number
    assert in_lanes == len(numbers)


@pytest.mark.parametrize("normals", [1, 40, 48, 49, 200])
def test_steps_that_draw_many_normals_of_mt19937(normals: int) -> None:
    def walk(value: Value, *, position: State = 0.0, random: Random) -> Step:
        for _ in range(normals):
            position = position + random.normal()
        return Step(outputs=(position,), states=(position,), finished=np.abs(position) > 20.0)

    model = cogir.Model("many")
    settings: dict[str, Any] = {"execute_until_finished": True, "reset_each_trial": True, "max_executions_before_finished": 10**6}
    model.node("walk", walk, input=1, prng="mt19937", **settings)
    assert ("lanes_iterate" in functions_of(model)) == (2 * normals <= MOST)
    asked: dict[str, Any] = {"inputs": {"walk": [[0.0]]}, "count": 70, "num_trials": 3, "seed": 8}
    lanes, others = (outcome(model.compile(without=without).replicates(**asked)) for without in ((), ("fill-lanes",)))
    assert lanes == others


def random_integrator(chance: Chance) -> tuple[cogir.Model, dict[str, Any]]:
    """A node that runs until a random condition on its state, with as many draws in each step, between two others."""
    width, normals, kind = chance.randint(1, 4), chance.randint(0, 3), chance.choice(IN_LANES)
    resets, uniforms = chance.random() < 0.5, int(kind == "xoshiro256")

    def integrate(
        value: Value, *, rate: float = 0.1, limit: float = 1.0, position: State = np.zeros(width), count: State = 0, random: Random
    ) -> Step:
        position = position + rate * value
        for _ in range(normals):
            position = position + 0.1 * random.normal(width)
        for _ in range(uniforms):
            position = position + 0.01 * random.uniform(width)
        return Step(outputs=(position, 1.0 * count), states=(position, count + 1), finished=np.max(np.abs(position)) > limit)

    model = cogir.Model("random")
    first = model.node("first", library.linear, input=width, slope=chance.uniform(0.5, 2.0))
    options = {"execute_until_finished": True, "max_executions_before_finished": 500, "reset_each_trial": resets}
    node = model.node("node", integrate, input=width, prng=kind, **options)
    model.project(first, node)
    model.output(node)
    return model, {"first": [[chance.uniform(0.2, 1.0) for _ in range(width)]]}


def test_the_runs_own_termination() -> None:
    model = cogir.Model("stops")
    node = model.node("node", walking, input=1, prng="xoshiro256")
    model.schedule.run_ends(cogir.Threshold(node, "position", 1.5, ">", indices=0))
    asked: dict[str, Any] = {"inputs": {"node": [[0.1]]}, "count": 30, "num_trials": 20}
    found = model.compile().replicates(**asked)
    assert 1 <= found.lengths.min() < found.lengths.max()
    for number in range(30):
        length = found.lengths[number]
        assert not np.isnan(found["node"][number, :length]).any()
        assert np.isnan(found["node"][number, length:]).all()
    assert outcome(model.compile(mode="python").replicates(**asked)) == outcome(found)


@pytest.mark.parametrize("without", [(), ("fill-lanes",)])
def test_a_limit_of_steps_names_the_replicate(without: tuple[str, ...]) -> None:
    compiled = waiting("xoshiro256").compile(without=without)
    compiled.params["limit:passes"] = 4
    expected = r"replicates: the schedule of waiting reached its step limit in replicate \d+ before it finished .* raise the limit"
    with pytest.raises(cogir.ExecutionError, match=expected):
        compiled.replicates({"walk": [[0.0]]}, count=1000)


@pytest.mark.parametrize("threads", [1, 2])
def test_interrupt(threads: int) -> None:
    compiled = drift_diffusion("xoshiro256", threshold=5.0).compile(threads=threads)
    compiled.replicates({"DDM": [[0.0]]}, count=1)
    press_soon(0.3)
    begun = time.perf_counter()
    with pytest.raises(cogir.ReplicatesInterrupted, match="interrupted after") as caught:
        compiled.replicates({"DDM": [[0.0]]}, count=5_000_000)
    assert time.perf_counter() - begun < 5.0
    found = caught.value.result
    assert 0 < found.num_replicates < 5_000_000
    assert found.status == "interrupted"
    np.testing.assert_array_equal(found["DDM"], compiled.replicates({"DDM": [[0.0]]}, count=found.num_replicates)["DDM"])


def test_an_error_in_one_thread_stops_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replicates_module, "FIRST", 8)
    compiled = waiting("xoshiro256").compile(threads=3)
    compiled.params["limit:passes"] = 8
    with pytest.raises(cogir.ExecutionError, match="in replicate"):
        compiled.replicates({"walk": [[0.0]]}, count=10_000_000)


def endless(value: Value, *, position: State = 0.0, random: Random) -> Step:
    """A random walk from 0 on."""
    return Step(outputs=(position + value + random.normal(1),), states=(position + value + random.normal(1),))


@pytest.mark.parametrize("options", [{}, {"threads": 2}, {"mode": "python"}])
def test_an_interrupt_leaves_no_numbers_that_were_not_computed(options: dict[str, Any]) -> None:
    model = cogir.Model("stops")
    node = model.node("node", endless, input=1, prng="xoshiro256")
    model.schedule.run_ends(cogir.Threshold(node, "position", 2.0, ">", indices=0))
    compiled = model.compile(**options)
    asked: dict[str, Any] = {"inputs": {"node": [[0.1]]}, "num_trials": 200}
    compiled.replicates(**asked, count=1)
    press_soon(0.5, is_native="mode" not in options)
    with pytest.raises(cogir.ReplicatesInterrupted, match="replicates: interrupted after") as caught:
        compiled.replicates(**asked, count=2_000_000)
    found = caught.value.result
    assert found.status == "interrupted"
    assert 0 < found.num_replicates < 2_000_000
    missing = np.arange(200) >= found.lengths[:, None]
    np.testing.assert_array_equal(np.isnan(found["node"][:, :, 0]), missing)


@pytest.mark.parametrize("without", [(), ("fill-lanes",)])
@pytest.mark.parametrize("threads", [1, 2])
def test_a_signal_whose_handler_raises_nothing_is_no_interrupt(threads: int, without: tuple[str, ...]) -> None:
    compiled = drift_diffusion("xoshiro256", threshold=2.0).compile(threads=threads, without=without)
    asked: dict[str, Any] = {"inputs": {"DDM": [[0.0]]}, "count": 4000}
    expected = outcome(compiled.replicates(**asked))
    seen: list[int] = []
    before = signal.signal(signal.SIGALRM, lambda number, _: seen.append(number))
    signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
    try:
        while len(seen) < 10:
            assert outcome(compiled.replicates(**asked)) == expected
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_a_worker_can_run_replicates_with_help_from_its_own_executor() -> None:
    """Its helpers wait for the worker that it is, so it does all the work."""
    with ThreadPoolExecutor(1) as executor:
        compiled = drift_diffusion("xoshiro256").compile(executor=executor, threads=2)
        found = executor.submit(compiled.replicates, {"DDM": [[0.3]]}, 100).result(60)
    assert outcome(found) == outcome(drift_diffusion("xoshiro256").compile().replicates({"DDM": [[0.3]]}, 100))


@pytest.mark.parametrize("mode", ["run", "python"])
def test_a_context_that_has_not_begun_begins_later(mode: str) -> None:
    model = cogir.Model("later")
    model.node("node", lingering, input=3)
    compiled = model.compile(mode=mode)
    compiled.replicates({"node": [[0.0, 0.0, 0.0]]}, count=2)
    compiled.params["node/initial:state:trace"] = 5.0
    assert compiled.run({"node": [[1.0, 2.0, 3.0]]})["node"].tolist() == [[6.0, 7.0, 8.0]]


GUARDED_BY_THE_LOOP = """
cog.model @m {
  cog.node @n (%value: f64) states (%i: i64 = 5, %sum: i64 = 0, %seen: tensor<6xf64> = dense<0.0>)
      random (%r: !rng.state<xoshiro256> = @noise)
      -> (sum: f64 = 0.0, seen: tensor<6xf64> = dense<0.0>) until_finished max 100 {
    %one = arith.constant 1 : i64
    %zero = arith.constant 0 : i64
    %hundred = arith.constant 100 : i64
    %u, %r1 = rng.uniform %r : !rng.state<xoshiro256> -> f64
    DIVISION
    %next = arith.addi %sum, %part : i64
    %at = arith.index_cast %slot : i64 to index
    %more = tensor.insert %u into %seen[%at] : tensor<6xf64>
    %left = arith.subi %i, %one : i64
    %done = arith.cmpi eq, %left, %zero : i64
    %out = arith.sitofp %next : i64 to f64
    cog.yield %out, %more states(%left, %next, %more) random(%r1) finished(%done)
  }
  cog.input @n
  cog.output @n["sum"]
  cog.output @n["seen"]
  cog.schedule {
    cog.reset @n when {
      %s = cog.at_trial_start
      cog.condition %s
    }
  }
}
rng.stream @noise xoshiro256 seed 1
"""
BY_THE_COUNT = "%part = arith.divsi %hundred, %i : i64\n%slot = arith.addi %zero, %zero : i64"
BY_THE_PLACE = "%part = arith.divsi %hundred, %hundred : i64\n%slot = arith.addi %i, %zero : i64"
BY_NOTHING = """%five = arith.constant 5 : i64
%low = arith.maxsi %i, %zero : i64
%slot = arith.minsi %low, %five : i64
%by = arith.addi %slot, %one : i64
%part = arith.divsi %hundred, %by : i64"""


@pytest.mark.parametrize(("division", "in_lanes"), [(BY_THE_COUNT, False), (BY_THE_PLACE, False), (BY_NOTHING, True)])
def test_only_turns_that_cannot_trap_go_into_lanes(division: str, in_lanes: bool) -> None:
    """Lanes take turns in vain: where only the loop's condition keeps a divisor from 0, or an index from going astray, they must not."""

    def module() -> Any:
        return parse(GUARDED_BY_THE_LOOP.replace("DIVISION", division))

    lowered = module()
    lower_to(lowered, "machine", options={"replicate": {"enabled": True}})
    assert any(isinstance(op, func.FuncOp) and op.sym_name.data == "lanes_iterate" for op in lowered.ops) == in_lanes
    asked: dict[str, Any] = {"inputs": {"n": [[0.0]]}, "count": 50, "num_trials": 2}
    assert outcome(cogir.compile(module()).replicates(**asked)) == outcome(cogir.compile(module(), mode="python").replicates(**asked))


def test_none_and_wrong_arguments() -> None:
    compiled = drift_diffusion("xoshiro256").compile()
    assert compiled.replicates({"DDM": [[0.1]]}, count=0)["DDM"].shape == (0, 1, 1)
    assert compiled.replicates({"DDM": [[0.1]]}, count=3, num_trials=0)["DDM"].shape == (3, 0, 1)
    for wrong in ({"count": -1}, {"count": 2.5}, {"seed": -1}, {"seed": 2**63}, {"seed": "one"}, {"num_trials": -1}):
        with pytest.raises(cogir.InputError, match=r"^replicates: .* give a whole number"):
            compiled.replicates({"DDM": [[0.1]]}, **wrong)


def replicate_streams(value: Value, *, scale: float = 2.0) -> Value:
    """A function of the user's with a name that the compiler uses."""
    return scale * value


def cogir_math_exp_f64(value: Value, *, random: Random) -> Value:
    """Calls what it is called like."""
    return np.exp(value) + 0.0 * random.normal(1)


def cogir_rng_mt19937_normal(value: Value, *, random: Random) -> Value:
    """Calls what it is called like."""
    return np.exp(value) + 0.0 * random.normal(1)


def malloc(value: Value) -> Value:
    """An array that is too large for the stack, so that memory is asked for."""
    return np.zeros(30_000) + np.exp(value[0])


@pytest.mark.parametrize("function", [replicate_streams, cogir_math_exp_f64, cogir_rng_mt19937_normal, malloc])
def test_a_function_with_a_name_of_the_compilers(function: Callable[..., Any]) -> None:
    model = cogir.Model("names")
    node = model.node("node", function, input=1)
    model.output(node)
    expected = model.compile(mode="python").run({"node": [[3.0]]})["node"].tolist()
    assert model.compile(mode="run").run({"node": [[3.0]]})["node"].tolist() == expected
    assert model.compile(mode="run").replicates({"node": [[3.0]]}, count=2)["node"].tolist() == [expected, expected]


def test_only_loops_over_lanes_take_the_longest_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    """They slow other code down on processors for which LLVM prefers shorter ones."""
    asked: list[bool] = []

    def keep(ir: str, *, wide: bool) -> bytes:
        asked.append(wide)
        return compile_to_object(ir, wide=wide)

    monkeypatch.setattr(build, "compile_to_object", keep)
    model = cogir.Model("m")
    node = model.node("n", cogir.library.logistic, input=1)
    compiled = model.compile(cache=False)
    compiled.run({node: [[1.0]]})
    compiled.replicates({node: [[1.0]]}, 3, start="fresh")
    assert asked == [False, True]
    assert ("+avx512f" not in host().features) or host(wide=True) != host()


@pytest.mark.parametrize("numbers", [range(2), *long(range(2, 100))])
def test_random_lanes_are_what_the_interpreter_makes(numbers: range) -> None:
    for number in numbers:
        drawn = random_lanes(Chance(number))
        with np.errstate(all="ignore"):
            expected, found = (replicated(drawn, 5, number, mode=mode) for mode in ("python", "run"))
        assert first_difference(expected, found) is None, number


def test_one_of_a_kind_is_called_so() -> None:
    model = cogir.Model("m")
    model.node("draw", library.normal_dist)
    compiled = model.compile()
    assert str(compiled.replicates(count=1, seed=1)).startswith("<1 replicate of 1 trial, seed 1, fresh, done: ")
    assert str(compiled.replicates(count=300, num_trials=2, seed=1)).startswith("<300 replicates of 2 trials, seed 1, fresh, done: ")
    assert "1 replicate of 1 trial, seed 1, fresh, done" in str(compiled.sweep({"draw/mean": [0.0]}, seed=1))
    assert str(compiled.run(num_trials=1)).startswith("<result of 1 trial, seed 0, done: ")
    assert "1 point with 1 replicate of 1 trial: about" in str(compiled.explain({"draw/mean": [0.0]}, {"draw": [[0.0]]}))


def taken(work: replicates_module.SharedWork, seconds: float = 1e-6) -> list[int]:
    """The numbers of replicates that are taken at a time, if each of them takes so long."""
    found: list[int] = []
    for first, last in work.ranges():
        found.append(last - first)
        work.finish(first, last, seconds * (last - first))
    return found


def test_threads_end_at_about_the_same_time() -> None:
    """The last ranges of threads that share work are small; those of a thread that is alone are not, also if there could be helpers."""
    work = replicates_module.SharedWork(10_000, 2)
    alone = taken(work)
    work = replicates_module.SharedWork(10_000, 2)
    work.divide(2)
    shared = taken(work)
    assert sum(alone) == sum(shared) == 10_000
    assert len(alone) <= 4
    assert max(shared[-4:-1]) <= 128 < max(shared)
    assert all(size <= max(128, -(-(10_000 - sum(shared[:number])) // 4)) for number, size in enumerate(shared))


@pytest.mark.parametrize("late", [0.0, 0.3, 1.7])
@pytest.mark.parametrize("lanes", [1, 48])
def test_threads_that_begin_later_end_with_the_others(monkeypatch: pytest.MonkeyPatch, lanes: int, late: float) -> None:
    """A clock of our own goes on by 0.01 for each replicate of a thread."""
    work, each, now = replicates_module.SharedWork(1000, 2, lanes=lanes), 0.01, [0.0]
    monkeypatch.setattr(replicates_module, "SLICE_SECONDS", 1000.0)
    monkeypatch.setattr(replicates_module.time, "perf_counter", lambda: now[0])
    work.divide(2)
    threads, ends = [work.ranges(), work.ranges()], [0.0, late]
    taken: list[tuple[int, int]] = [(0, 0), (0, 0)]
    while True:
        turn = min((0, 1), key=ends.__getitem__)
        now[0] = ends[turn]
        if taken[turn][1]:
            work.finish(*taken[turn], each * (taken[turn][1] - taken[turn][0]))
        if (found := next(threads[turn], None)) is None:
            break
        taken[turn] = found
        ends[turn] += each * (found[1] - found[0])
    assert work.finished + (taken[1 - turn][1] - taken[1 - turn][0]) == 1000
    assert abs(ends[0] - ends[1]) <= (0.02 if lanes == 48 else work.least * each)


def test_lanes_are_full(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long a replicate takes: 48 of them side by side take as long as one."""
    seen: list[int] = []
    call = replicates_module.NativeReplicates.call

    def noted(self: Any, context: Any, job: Any, first: int, last: int, *given: Any) -> int:
        seen.append(last - first)
        return call(self, context, job, first, last, *given)

    monkeypatch.setattr(replicates_module.NativeReplicates, "call", noted)
    compiled = drift_diffusion("xoshiro256").compile(threads=1)
    found = compiled.replicates({"DDM": [[0.0]]}, count=100, num_trials=3000)
    assert sum(seen) == 100
    assert min(seen[:-1], default=48) >= 48
    few = compiled.replicates({"DDM": [[0.0]]}, count=3, num_trials=3000)
    np.testing.assert_array_equal(found["DDM"][:3], few["DDM"])
    work = replicates_module.SharedWork(200, 2, lanes=48)
    assert taken(work, 1.0) == [48, 48, 48, 48, 8]
    work = replicates_module.SharedWork(1000, 2, lanes=48)
    work.divide(2)
    assert taken(work, 2e-5) == [144, 240, 192, 144, 96, 92, 48, 44], "nearly all are multiples of the lanes"
    work = replicates_module.SharedWork(1000, 2, lanes=48)
    work.most = 10
    assert max(taken(work)) == 10, "no more than traces have memory for"
    assert taken(replicates_module.SharedWork(48, 2, lanes=48), 1.0) == [24, 24], "a second thread has something to do"
    assert max(taken(replicates_module.SharedWork(20, 2), 1.0)) <= 2, "replicates that take turns are shared"


def test_an_interrupt_when_all_is_finished_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counting what was unfinished takes long for many replicates."""

    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    compiled = drift_diffusion("xoshiro256").compile()
    wanted = compiled.replicates({"DDM": [[0.0]]}, count=10)
    run, points = compiled.run({"DDM": [[0.0]]}, context=compiled.context("two").copy()), {"DDM/threshold": [0.5, 1.0]}
    study = compiled.sweep(points, {"DDM": [[0.0]]})
    monkeypatch.setattr(type(compiled.reactions), "to", interrupted)
    with pytest.raises(cogir.ReplicatesInterrupted, match="replicates: interrupted after 10 replicates, which are all") as caught:
        compiled.replicates({"DDM": [[0.0]]}, count=10)
    np.testing.assert_array_equal(caught.value.result["DDM"], wanted["DDM"])
    with pytest.raises(cogir.RunInterrupted, match="run: interrupted after 1 trial, which are all") as ended:
        compiled.run({"DDM": [[0.0]]}, context=compiled.context("two"))
    np.testing.assert_array_equal(ended.value.result["DDM"], run["DDM"])
    with pytest.raises(cogir.SweepInterrupted, match="sweep: interrupted after 2 points, which are all") as swept:
        compiled.sweep(points, {"DDM": [[0.0]]})
    np.testing.assert_array_equal(swept.value.result["DDM"], study["DDM"])


def test_an_interrupt_when_all_is_learned_keeps_the_losses(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    def learner() -> cogir.Compiled:
        model = cogir.Model("learner")
        first, second, target = model.node("n0", input=2), model.node("n1", library.logistic, input=1), model.node("target", input=1)
        model.project(first, second, matrix=[[0.5], [0.25]])
        model.learning([(second, target)], library.gradient_descent, rate=0.1)
        return model.compile()

    data = {"n0": [[0.0, 1.0], [1.0, 0.0]], "target": [[1.0], [0.0]]}
    wanted, compiled = learner().learn(data, epochs=2), learner()
    monkeypatch.setattr(type(compiled.reactions), "to", interrupted)
    with pytest.raises(cogir.LearningInterrupted, match="learn: interrupted after 4 of 4 batches") as caught:
        compiled.learn(data, epochs=2)
    np.testing.assert_array_equal(caught.value.losses, wanted.losses.ravel())


def test_searches_of_instances_are_counted() -> None:
    """Their controllers are not among those of the model itself."""
    inner = cogir.Model("inner")
    first, last = inner.node("first", library.linear, input=1), inner.node("last", library.logistic, input=1)
    inner.project(first, last)
    inner.output(last)
    varied = (first.param("slope"), first.param("intercept"), last.param("gain"), last.param("bias"))
    signals = [cogir.Signal(each, levels=np.linspace(-3.0, 3.0, 24)) for each in varied]
    inner.control("control", objective=last, signals=signals)
    outer = cogir.Model("outer")
    source = outer.node("source", library.linear, input=1)
    instance = outer.instance("instance", inner)
    outer.project(source, instance)
    outer.output(instance)
    compiled = outer.compile()
    assert not compiled.plan.controllers
    compiled.run({source: [[1.0]]}, num_trials=2)
    assert any("in the last run 2 searches bounded" in str(remark) for remark in compiled.explain())
