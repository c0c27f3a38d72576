"""The scheduler against graph_scheduler itself, and its rules one by one."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, get_args

import graph_scheduler as gs
import pytest
from support.random.schedules import Drawing, RandomSchedule, TheirNode, World, kinds_in

from cogir.errors import ExecutionError, ModelError
from cogir.model import conditions as s
from cogir.model.conditions import (
    All,
    AllHaveRun,
    Always,
    Calls,
    Condition,
    Elapsed,
    EveryNCalls,
    JustRan,
    Never,
    Not,
    NWhen,
    Threshold,
    TimeScale,
    WhenFinished,
    default_condition,
)
from cogir.model.conditions import Any as AnyOf
from cogir.model.describe import end_in_words, said
from cogir.model.schedule import Schedule
from cogir.model.scheduler import Scheduler, is_close

MAX_STEPS = 60
"""Trials that do not end are compared up to here."""


def ours(drawn: RandomSchedule, runs: Sequence[int], seed: int) -> list[object]:
    """What happens in some runs: the sets, and where trials and runs end."""
    world = World(seed)
    scheduler = Scheduler(drawn.schedule, world)
    happened: list[object] = []
    for trials in runs:
        scheduler.begin_run()
        for _ in range(trials):
            if scheduler.run_is_over():
                happened.append("run is over")
                break
            for step, nodes in enumerate(scheduler.trial()):
                happened.append(nodes)
                world.execute(nodes)
                if step == MAX_STEPS:
                    return happened
            scheduler.end_trial()
            happened.append("trial")
        scheduler.end_run()
        happened.append("run")
    return happened


def theirs(drawn: RandomSchedule, runs: Sequence[int], seed: int) -> list[object]:
    """The same, by graph_scheduler, driven as PsyNeuLink's `Composition.run` and `execute` drive it."""
    world = TheirNode.world = World(seed)
    graph = {TheirNode(node): {TheirNode(before) for before in dependencies} for node, dependencies in drawn.graph.items()}
    run_ends = drawn.run_ends()
    scheduler: Any = gs.Scheduler(
        graph=graph,
        termination_conds={
            gs.TimeScale.ENVIRONMENT_STATE_UPDATE: drawn.trial_ends(),
            gs.TimeScale.ENVIRONMENT_SEQUENCE: run_ends,
        },
    )
    for node, recipe in drawn.when.items():
        scheduler.add_condition(TheirNode(node), recipe())
    context = scheduler.default_execution_id
    happened: list[object] = []
    for trials in runs:
        scheduler._init_counts(context)
        scheduler._reset_counts_total(gs.TimeScale.ENVIRONMENT_SEQUENCE, context)
        for _ in range(trials):
            if run_ends.is_satisfied(scheduler=scheduler, execution_id=context):
                happened.append("run is over")
                break
            for step, nodes in enumerate(scheduler.run(execution_id=context, skip_environment_state_update_time_increment=True)):
                names = tuple(str(int(node)) for node in sorted(nodes))
                happened.append(names)
                world.execute(names)
                if step == MAX_STEPS:
                    return happened
            scheduler._increment_time(gs.TimeScale.ENVIRONMENT_STATE_UPDATE, context)
            happened.append("trial")
        scheduler.end_environment_sequence(context)
        happened.append("run")
    return happened


def compare_with_graph_scheduler(seeds: range) -> Counter[str]:
    """Compares random schedules; returns in how many of them each kind of condition stands."""
    kinds: Counter[str] = Counter()
    for seed in seeds:
        drawing = Drawing(seed)
        drawn = drawing.schedule()
        runs = [drawing.random.randint(1, 4) for _ in range(drawing.random.randint(1, 3))]
        assert ours(drawn, runs, seed % 11) == theirs(drawn, runs, seed % 11), f"seed {seed}: {drawn.schedule}"
        kinds.update(set(kinds_in(drawn.schedule)))
    return kinds


@pytest.mark.filterwarnings("ignore")
def test_random_schedules_run_as_in_graph_scheduler() -> None:
    kinds = compare_with_graph_scheduler(range(400))
    assert set(kinds) == {kind.__name__ for kind in get_args(Condition)}
    assert min(kinds.values()) > 20, kinds


@pytest.mark.full
@pytest.mark.filterwarnings("ignore")
def test_many_random_schedules_run_as_in_graph_scheduler() -> None:
    compare_with_graph_scheduler(range(400, 10_400))


# ------------------------------------------------------------------------------------------------- the rules, one by one


def trial(scheduler: Scheduler) -> list[tuple[str, ...]]:
    """The sets of one trial."""
    sets = list(scheduler.trial())
    scheduler.end_trial()
    return sets


CHAIN = (("a",), ("b",), ("c",))
"""a -> b -> c, one node per layer."""


def chain(*, b: Any = None, c: Any = None, **others: Any) -> Scheduler:
    """A scheduler for a -> b -> c with PsyNeuLink's default conditions where none is given."""
    when = {"a": Always(), "b": b or default_condition(("a",)), "c": c or default_condition(("b",))}
    return Scheduler(Schedule(CHAIN, when, **others))


def test_a_slow_node_waits_for_the_calls_that_it_uses() -> None:
    scheduler = chain(b=EveryNCalls("a", 2), c=EveryNCalls("b", 3))
    assert trial(scheduler) == [("a",), ("a",), ("b",)] * 3 + [("c",)]


def test_a_node_without_a_condition_waits_for_its_dependencies() -> None:
    """The default is no `Always`: c runs once per call of b."""
    scheduler = chain(b=EveryNCalls("a", 2), trial_ends=Calls("c", ">=", 2))
    assert trial(scheduler) == [("a",), ("a",), ("b",), ("c",)] * 2


def test_usable_calls_begin_anew_with_the_trial() -> None:
    scheduler = chain(b=EveryNCalls("a", 2), c=Never(), trial_ends=Elapsed(TimeScale.PASS, ">=", 3, TimeScale.TRIAL))
    assert trial(scheduler) == trial(scheduler) == [("a",), ("a",), ("b",), ("a",)]


def test_a_call_in_the_same_layer_counts_at_once() -> None:
    when = {"b": EveryNCalls("a", 2), "a": Always()}
    scheduler = Scheduler(Schedule((("b", "a"),), when, Calls("b", ">=", 1)))
    assert trial(scheduler) == [("a",), ("b", "a")]


def test_the_end_of_a_trial_is_tested_before_each_layer() -> None:
    scheduler = chain(trial_ends=Calls("b", ">=", 1))
    assert trial(scheduler) == [("a",), ("b",)]


def test_an_empty_pass_takes_one_time_step_and_an_empty_layer_none() -> None:
    first = Elapsed(TimeScale.TIME_STEP, ">=", 2, TimeScale.TRIAL)
    when = {"a": Never(), "b": first, "c": first}
    scheduler = Scheduler(Schedule(CHAIN, when, Calls("c", ">=", 1)))
    assert trial(scheduler) == [(), (), ("b",), ("c",)]


def test_just_ran_looks_at_the_last_set_also_of_the_trial_before() -> None:
    when = {"a": JustRan("b"), "b": Always()}
    scheduler = Scheduler(Schedule((("a",), ("b",)), when, Calls("b", ">=", 1)))
    assert trial(scheduler) == [("b",)]
    assert trial(scheduler) == [("a",), ("b",)]


def test_n_when_is_used_up_for_good() -> None:
    scheduler = chain(b=NWhen(Always(), 1, key=0), c=Never(), trial_ends=Elapsed(TimeScale.PASS, ">=", 2, TimeScale.TRIAL))
    assert trial(scheduler) == [("a",), ("b",), ("a",)]
    assert trial(scheduler) == [("a",), ("a",)]


def test_parts_after_the_deciding_one_are_not_asked() -> None:
    asked = All((Never(), NWhen(Always(), 1, key=0)))
    either = AnyOf((Always(), NWhen(Always(), 1, key=1)))
    scheduler = chain(b=asked, c=either, trial_ends=Calls("c", ">=", 1))
    trial(scheduler)
    assert scheduler.state.satisfied == {0: 0, 1: 0}


def test_calls_count_within_their_scale() -> None:
    scheduler = chain(trial_ends=Elapsed(TimeScale.PASS, ">=", 2, TimeScale.TRIAL))
    scheduler.begin_run()
    trial(scheduler)
    trial(scheduler)
    scheduler.end_run()
    scheduler.begin_run()
    trial(scheduler)
    assert scheduler.state.calls["a"] == [1, 1, 2, 2, 6]
    assert scheduler.state.clock.elapsed(TimeScale.TRIAL, TimeScale.RUN) == 1
    assert scheduler.state.clock.elapsed(TimeScale.PASS, TimeScale.LIFE) == 6
    assert scheduler.state.clock.elapsed(TimeScale.RUN, TimeScale.LIFE) == 1


def test_resets_are_asked_with_the_calls_of_the_trial_before() -> None:
    """Measured in PsyNeuLink's Python mode: `reset_stateful_function_when=AfterNCalls(A, 1)` first acts in the second trial."""
    scheduler = chain(resets={"b": Calls("a", ">=", 1), "c": Elapsed(TimeScale.PASS, "==", 0, TimeScale.TRIAL)})
    assert scheduler.nodes_to_reset() == ("c",)
    trial(scheduler)
    assert scheduler.nodes_to_reset() == ("b", "c")


def test_the_run_is_over_before_the_next_trial() -> None:
    scheduler = chain(run_ends=Elapsed(TimeScale.TRIAL, ">=", 2, TimeScale.RUN))
    scheduler.begin_run()
    trials = 0
    while not scheduler.run_is_over():
        trial(scheduler)
        trials += 1
    assert trials == 2


def test_a_trial_without_an_end_stops_at_the_limit() -> None:
    schedule = Schedule(CHAIN, dict.fromkeys("abc", Always()), Never())
    with pytest.raises(ExecutionError, match=r"has taken 5 passes, and .* does not hold yet: a trial ends when never"):
        trial(Scheduler(schedule, max_passes=5))


WORDS: dict[str, s.Condition] = {
    "all nodes have run": s.AllHaveRun(),
    "@a, @b have run in the run": s.AllHaveRun(("a", "b"), TimeScale.RUN),
    "(@b has finished and pass >= 3)": s.All((s.WhenFinished("b"), s.Elapsed(TimeScale.PASS, ">=", 3, TimeScale.TRIAL))),
    "(not @a just ran or @a has run 2 times)": s.Any((s.Not(s.JustRan("a")), s.EveryNCalls("a", 2))),
    "calls of @a == 2, the first 4 times": s.NWhen(s.Calls("a", "==", 2), 4, key=0),
    "calls of @a, @b >= 2 in the life": s.CallsCombined(("a", "b"), 2, TimeScale.LIFE),
    "time step is a multiple of 3 in the pass": s.Elapsed(TimeScale.TIME_STEP, "every", 3, TimeScale.PASS),
    "one of all nodes has finished": s.WhenFinishedAny(),
    "@a, @b have finished": s.WhenFinishedAll(("a", "b")),
    'state "x" of @a < 0.5': s.Threshold("a", "state", "x", "<", 0.5),
    "a predicate holds": s.While(lambda observations: True),
}


@pytest.mark.parametrize("words", WORDS)
def test_a_condition_in_words(words: str) -> None:
    assert said(WORDS[words]) == words


def test_the_nodes_that_a_trial_waits_for_are_named_with_their_conditions() -> None:
    whens: dict[str, s.Condition] = {"a": Always(), "b": EveryNCalls("a", 2), "c": JustRan("b")}
    assert end_in_words(Schedule(CHAIN, whens)) == (
        "a trial ends when all nodes have run; @b runs when @a has run 2 times; @c runs when @b just ran"
    )
    assert end_in_words(Schedule(CHAIN, whens, Calls("c", ">=", 2))) == "a trial ends when calls of @c >= 2; @c runs when @b just ran"


def test_closeness_is_numpys() -> None:
    infinity = float("inf")
    assert is_close(infinity, infinity, 0.0, 0.0)
    assert not is_close(1.0, infinity, 0.0, 1.0)
    assert not is_close(float("nan"), float("nan"), 1.0, 1.0)
    assert is_close(1.25, 1.0, 0.25, 0.0)
    assert not is_close(0.8, 1.0, 0.0, 0.1)


class Ports:
    """A model whose only value is known."""

    def __init__(self, value: object):
        self.value = value

    def finished(self, node: str) -> bool:
        return node == "a"

    def read(self, node: str, kind: str, name: str) -> object:
        return self.value


def test_threshold_reads_the_element_at_its_indices() -> None:
    schedule = Schedule((("a",),), {"a": Always()})
    scheduler = Scheduler(schedule, Ports([[1.0, 2.0]]))
    assert scheduler.holds(Threshold("a", "port", "value", ">=", 2.0, indices=(0, 1)))
    assert scheduler.holds(Not(Threshold("a", "port", "value", "==", 2.0, atol=0.5, indices=(0, 0))))
    with pytest.raises(ModelError, match="the value has 2 elements; add indices"):
        scheduler.holds(Threshold("a", "port", "value", ">=", 2.0))


@pytest.mark.parametrize(
    ("schedule", "message"),
    [
        (Schedule((("a",), ("a",)), {"a": Always()}), "is in two layers"),
        (Schedule((("a",),), {}), "@a are in a layer without a condition"),
        (Schedule((("a",),), {"a": JustRan("b")}), "names @b, which the schedule does not have; it has @a"),
        (Schedule((("a",),), {"a": Always()}, EveryNCalls("a", 1)), "every_n_calls @a is in the condition of a termination"),
    ],
)
def test_schedules_that_contradict_themselves(schedule: Schedule, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        Scheduler(schedule)


def test_conditions_on_values_need_a_model() -> None:
    scheduler = Scheduler(Schedule((("a",),), {"a": WhenFinished("a")}, AllHaveRun()))
    with pytest.raises(ModelError, match="whether @a is finished, but no model is running"):
        trial(scheduler)
