"""Every condition becomes the operation of its name, with its arguments."""

import functools
import operator
from collections.abc import Callable

import pytest
from support.long import long

import cogir
from cogir import library
from cogir.dialects import cog

CONDITIONS: dict[str, Callable[[cogir.Node], cogir.Condition]] = {
    "cog.always": lambda a: cogir.Always(),
    "cog.never": lambda a: cogir.Never(),
    "cog.before_time_step 3 in trial": lambda a: cogir.BeforeTimeStep(3),
    "cog.at_time_step 3 in run": lambda a: cogir.AtTimeStep(3, cogir.TimeScale.RUN),
    "cog.after_time_step 3 in trial": lambda a: cogir.AfterTimeStep(3),
    "cog.after_n_time_steps 3 in trial": lambda a: cogir.AfterNTimeSteps(3),
    "cog.before_pass 3 in trial": lambda a: cogir.BeforePass(3),
    "cog.at_pass 3 in life": lambda a: cogir.AtPass(3, "LIFE"),
    "cog.after_pass 3 in trial": lambda a: cogir.AfterPass(3),
    "cog.after_n_passes 3 in trial": lambda a: cogir.AfterNPasses(3),
    "cog.every_n_passes 3 in trial": lambda a: cogir.EveryNPasses(3),
    "cog.before_trial 3 in run": lambda a: cogir.BeforeTrial(3),
    "cog.at_trial 3 in run": lambda a: cogir.AtTrial(3),
    "cog.after_trial 3 in run": lambda a: cogir.AfterTrial(3),
    "cog.after_n_trials 3 in run": lambda a: cogir.AfterNTrials(3),
    "cog.at_run 3": lambda a: cogir.AtRun(3),
    "cog.after_run 3": lambda a: cogir.AfterRun(3),
    "cog.after_n_runs 3": lambda a: cogir.AfterNRuns(3),
    "cog.at_trial_start": lambda a: cogir.AtTrialStart(),
    "cog.at_trial_n_start 3 in run": lambda a: cogir.AtTrialNStart(3),
    "cog.at_run_start": lambda a: cogir.AtRunStart(),
    "cog.at_run_n_start 3": lambda a: cogir.AtRunNStart(3),
    "cog.before_n_calls @a 3 in trial": lambda a: cogir.BeforeNCalls(a, 3),
    "cog.at_n_calls @a 3 in trial": lambda a: cogir.AtNCalls("a", 3),
    "cog.after_call @a 3 in trial": lambda a: cogir.AfterCall(a, 3),
    "cog.after_n_calls @a 3 in run": lambda a: cogir.AfterNCalls(a, 3, "environment_sequence"),
    "cog.after_n_calls_combined [@a, @b] 3 in trial": lambda a: cogir.AfterNCallsCombined(a, "b", n=3),
    "cog.every_n_calls @a 3": lambda a: cogir.EveryNCalls(a, 3),
    "cog.just_ran @a": lambda a: cogir.JustRan(a),
    "cog.all_have_run [@a] in pass": lambda a: cogir.AllHaveRun(a, time_scale="pass"),
    "cog.when_finished @a": lambda a: cogir.WhenFinished(a),
    "cog.when_finished_any [@a, @b]": lambda a: cogir.WhenFinishedAny(a, "b"),
    "cog.when_finished_all []": lambda a: cogir.WhenFinishedAll(),
    'cog.threshold @a["value"][0] >= 0.5': lambda a: cogir.Threshold(a, "value", 0.5, ">="),
    'cog.threshold @a[state "previous_value"][0] == 1.0 atol 0.001': lambda a: cogir.Threshold(
        a, "previous_value", 1, "==", indices=0, atol=1e-3
    ),
    'cog.threshold @a[param "rate"] < 2.0': lambda a: cogir.Threshold(a, "rate", 2, "<"),
}


def condition_text(make: Callable[[cogir.Node], cogir.Condition]) -> str:
    m = cogir.Model("m")
    a = m.node("a", library.psyneulink.simple_integrator)
    b = m.node("b")
    m.project(a, b)
    m.schedule.when(b, make(a))
    m.schedule.trial_ends(cogir.AfterNPasses(1))
    module = m.ir()
    module.verify()
    return str(module).partition("cog.when @b {")[2].partition("}")[0]


@pytest.mark.parametrize("expected", CONDITIONS)
def test_condition(expected: str) -> None:
    assert f"= {expected}\n" in condition_text(CONDITIONS[expected])


def test_every_condition_of_the_dialect_can_be_written() -> None:
    written = {text.split(" ")[0] for text in CONDITIONS} | {"cog.all", "cog.any", "cog.not", "cog.n_when", "cog.while", "cog.while_not"}
    refused = {"cog.time_interval", "cog.time_termination"}
    assert {op.name for op in cog.CONDITIONS} == written | refused


def test_conditions_combine() -> None:
    lines = condition_text(lambda a: cogir.NWhen((cogir.AtPass(1) | ~cogir.JustRan(a)) & cogir.Always(), 4)).split("\n")
    assert [line.split("= ")[1] for line in lines if "= " in line] == [
        "cog.at_pass 1 in trial",
        "cog.just_ran @a",
        "cog.not %1",
        "cog.any %0, %2",
        "cog.always",
        "cog.all %3, %4",
        "cog.n_when %5 4",
    ]


@pytest.mark.parametrize("join", [operator.and_, *long(operator.or_)])
def test_hundreds_of_conditions_can_be_joined(join: Callable[[cogir.Condition, cogir.Condition], cogir.Condition]) -> None:
    model = cogir.Model("joined")
    first = model.node("first", input=1)
    second = model.node("second", library.linear)
    model.project(first, second)
    model.schedule.when(second, functools.reduce(join, [cogir.AtTrial(n) if join is operator.or_ else cogir.Always() for n in range(200)]))
    assert model.compile().run({"first": [[1.0]]}, num_trials=3)["second"].tolist() == [[1.0]] * 3


NESTED: dict[str, Callable[[cogir.Condition, int], cogir.Condition]] = {
    "and or": lambda c, n: c & cogir.Always() if n % 2 else c | cogir.Never(),
    "not": lambda c, n: ~c,
    "n_when": lambda c, n: cogir.NWhen(c, 10),
}


def nested(kind: str, depth: int) -> cogir.Condition:
    return functools.reduce(NESTED[kind], range(depth - 1), cogir.Always())


@pytest.mark.parametrize("kind", NESTED)
@pytest.mark.parametrize("depth", [101, 500, 20_000])
def test_conditions_that_are_nested_too_deep_are_refused(kind: str, depth: int) -> None:
    model = cogir.Model("nested")
    node = model.node("node")
    for give in (lambda c: model.schedule.when(node, c), model.schedule.trial_ends, lambda c: model.schedule.reset(node, c)):
        with pytest.raises(cogir.ModelError, match=rf"test_conditions.py:\d+: schedule.*nested {depth} deep, and 100 is the most"):
            give(nested(kind, depth))


@pytest.mark.parametrize(("kind", "mode"), [*((kind, "python") for kind in NESTED), ("and or", "run"), ("not", "run")])
def test_conditions_may_be_nested_a_hundred_deep(kind: str, mode: str) -> None:
    model = cogir.Model("nested")
    node = model.node("node")
    model.schedule.when(node, nested(kind, 99 if kind == "not" else 100))
    assert model.compile(mode=mode, cache=False).run({"node": [[1.0]]}, 3)["node"].tolist() == [[1.0]] * 3


def test_a_text_with_conditions_nested_too_deep_is_refused() -> None:
    def text(depth: int) -> str:
        model = cogir.Model("nested")
        model.schedule.when(model.node("node"), cogir.Always())
        chain = "".join(f"%{number} = cog.not %{number - 1}\n" for number in range(1, depth))
        return str(model.ir()).replace("cog.condition %0", f"{chain}cog.condition %{depth - 1}")

    assert cogir.compile(text(99)).run({"node": [[1.0]]})["node"].tolist() == [[1.0]]
    with pytest.raises(cogir.ModelError, match=r"<model>:\d+:\d+: condition of @node: .* nested more than 100 deep"):
        cogir.compile(text(5_000))


def test_a_predicate_reads_what_it_asks_for() -> None:
    lines = condition_text(
        lambda a: cogir.While(lambda x, v, r: x[0] + v[0] > r, a["value"], a.state("previous_value"), a.param("rate"))
    ).split("\n")
    assert [line.split("= ")[1].split(" : ")[0] for line in lines if "= " in line] == [
        'cog.read @a["value"]',
        'cog.read @a[state "previous_value"]',
        'cog.read @a[param "rate"]',
        "func.call @_lambda_(%0, %1, %2)",
        "cog.while %3",
    ]


def test_a_predicate_that_gives_no_truth_value_is_refused() -> None:
    with pytest.raises(cogir.ModelError, match=r"the function of While returns \(tensor<1xf64>\); return True or False"):
        condition_text(lambda a: cogir.While(lambda x: x * 2.0, a["value"]))


def test_a_threshold_on_an_array_needs_an_index() -> None:
    m = cogir.Model("m")
    a = m.node("a", input=3)
    m.schedule.trial_ends(cogir.Threshold(a, "value", 1.0, ">"))
    with pytest.raises(cogir.ModelError, match='"value" of "a" has type tensor<3xf64>; give 1 indices'):
        m.ir()


def test_python_s_own_and_is_refused() -> None:
    with pytest.raises(
        cogir.ModelError, match=r"AtPass: a condition has no truth value when the model is built; write & \| ~ instead of and, or, not"
    ):
        _ = cogir.AtPass(1) and cogir.Always()
