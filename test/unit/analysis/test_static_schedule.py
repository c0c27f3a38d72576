"""Static programs against the scheduler itself, and the reasons for which there is none."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from support.random.schedules import Drawing, World

from cogir.analysis import static_schedule
from cogir.analysis.static_schedule import (
    Parts,
    Repeat,
    Residual,
    order_dependent,
    static_program,
    steps_written,
    with_loops,
)
from cogir.errors import ExecutionError
from cogir.model.conditions import (
    All,
    AllHaveRun,
    Always,
    Calls,
    CallsCombined,
    Condition,
    Elapsed,
    EveryNCalls,
    JustRan,
    Never,
    Not,
    NWhen,
    TimeScale,
    WhenFinished,
    at_start,
)
from cogir.model.conditions import Any as AnyOf
from cogir.model.program import Choice, Counted, StaticProgram, programs_in
from cogir.model.schedule import Schedule
from cogir.model.scheduler import Scheduler

LAYERS = (("a",), ("b",), ("c",))


def schedule(b: Condition = EveryNCalls("a", 1), trial_ends: Condition = AllHaveRun(), **others: object) -> Schedule:
    """a, b, c one after the other."""
    return Schedule(LAYERS, {"a": Always(), "b": b, "c": EveryNCalls("b", 1)}, trial_ends, **others)  # pyright: ignore


def reason(found: StaticProgram | Choice | Residual) -> str:
    assert isinstance(found, Residual)
    return found.reason


def test_counting_conditions_give_a_program() -> None:
    assert static_program(schedule(EveryNCalls("a", 2))) == StaticProgram((("a",), ("a",), ("b",), ("c",)))


def test_empty_time_steps_are_left_out() -> None:
    late = Elapsed(TimeScale.PASS, ">=", 3, TimeScale.TRIAL)
    found = static_program(Schedule((("a",),), {"a": late}))
    assert found == StaticProgram((("a",),))


def test_a_reset_at_the_start_of_a_trial_does_no_harm() -> None:
    assert isinstance(static_program(schedule(resets={"b": at_start(TimeScale.TRIAL)})), StaticProgram)


def test_what_is_not_asked_needs_no_data() -> None:
    finished = WhenFinished("a")
    never_asked = AnyOf((EveryNCalls("a", 1), finished))
    assert static_program(schedule(never_asked)) == StaticProgram((("a",), ("b",), ("c",)))
    assert reason(static_program(schedule(All((EveryNCalls("a", 1), finished))))) == "a condition asks whether @a has finished"


def test_nodes_that_are_always_finished_are_known() -> None:
    assert isinstance(static_program(schedule(WhenFinished("a")), {"a"}), StaticProgram)


ONE_PASS = Elapsed(TimeScale.PASS, ">=", 1, TimeScale.TRIAL)
WITH_B, WITHOUT_B = StaticProgram((("a",), ("b",), ("c",))), StaticProgram((("a",),))


@pytest.mark.parametrize(
    ("condition", "question"),
    [
        (Elapsed(TimeScale.TRIAL, "==", 1, TimeScale.RUN), Counted(("clock:trial:run",), "==", 1)),
        (Elapsed(TimeScale.TRIAL, ">", 5000, TimeScale.LIFE), Counted(("clock:trial:life",), ">=", 5001)),
        (Elapsed(TimeScale.RUN, "==", 2, TimeScale.LIFE), Counted(("clock:run:life",), "==", 2)),
        (Calls("a", ">=", 3, TimeScale.LIFE), Counted(("a/calls:life",), ">=", 2)),
        (CallsCombined(("a", "b"), 7, TimeScale.RUN), Counted(("a/calls:run", "b/calls:run"), ">=", 6)),
    ],
)
def test_trials_that_differ_choose_by_what_has_been_counted_before_them(condition: Condition, question: Counted) -> None:
    assert static_program(schedule(condition, ONE_PASS)) == Choice(question, WITH_B, WITHOUT_B)


def test_what_a_trial_counts_beside_calls_is_told() -> None:
    """b runs in the first trial only, c in every third."""
    found = static_program(schedule(NWhen(EveryNCalls("a", 1), 1, key=0), ONE_PASS))
    assert found == Choice(Counted(("n_when:0",), ">=", 1), WITHOUT_B, replace(WITH_B, advances=(("n_when:0", 1),)))
    third = Elapsed(TimeScale.PASS, "every", 3, TimeScale.LIFE)
    found = static_program(schedule(third, Elapsed(TimeScale.PASS, ">=", 2, TimeScale.TRIAL)))
    advances = (("clock:pass:life", 2),)
    both, ways = (("a",), ("b",), ("c",)), [Counted(("clock:pass:life",), "==", rest, 3) for rest in (0, 2)]
    first, second = StaticProgram((*both, ("a",)), advances), StaticProgram((("a",), *both), advances)
    assert found == Choice(ways[0], first, Choice(ways[1], second, StaticProgram((("a",), ("a",)), advances)))


def test_steps_in_which_nothing_ran_stand_where_later_trials_can_tell() -> None:
    late = Elapsed(TimeScale.PASS, ">=", 1, TimeScale.TRIAL)
    two_passes = Elapsed(TimeScale.PASS, ">=", 2, TimeScale.TRIAL)
    first = Elapsed(TimeScale.TIME_STEP, "<", 2, TimeScale.LIFE)
    found = static_program(Schedule((("a",), ("b",)), {"a": late, "b": first}, two_passes))
    assert {program.steps for program in programs_in(found)} == {(("b",), ("a",)), ((), ("a",))}  # pyright: ignore


def test_an_end_that_is_asked_before_the_trial_is_not_asked_again() -> None:
    hundredth = Elapsed(TimeScale.TRIAL, "==", 99, TimeScale.RUN)
    limited = schedule(hundredth, ONE_PASS, run_ends=Elapsed(TimeScale.TRIAL, ">=", 99, TimeScale.RUN))
    assert static_program(limited) == WITHOUT_B
    assert isinstance(static_program(limited, instance=True), Choice)
    assert static_program(schedule(run_ends=Always())) == StaticProgram(())


def test_trials_of_which_some_have_no_program_stay_loops() -> None:
    """b waits for data twice in its life, or waits for so many calls of a that a trial does not end when it begins with more."""
    found = static_program(schedule(NWhen(WhenFinished("a"), 2, key=0), ONE_PASS))
    assert reason(found) == "a condition asks whether @a has finished"
    found = static_program(Schedule((("a",),), {"a": Always()}, Calls("a", "==", 2, TimeScale.RUN)))
    assert reason(found) == "a trial takes more than 16384 time steps"


def test_trials_that_differ_too_much_stay_loops() -> None:
    """Each of many nodes waits for another number."""
    nodes = tuple(f"n{i}" for i in range(20))
    chain = {node: Calls("n0", ">=", 3 * i, TimeScale.RUN) for i, node in enumerate(nodes)}
    found = static_program(Schedule((nodes,), {**chain, "n0": Always()}, ONE_PASS))
    assert reason(found) == "trials have 20 different programs"
    independent = {node: Calls(node, "<", 3, TimeScale.RUN) for node in nodes}
    assert reason(static_program(Schedule((nodes,), independent, ONE_PASS))) == "trials begin in more than 64 different ways"


def test_an_endless_trial_stays_a_loop() -> None:
    assert "more than 16384 time steps" in reason(static_program(schedule(trial_ends=Never())))


def check_random_schedules(seeds: range) -> Counter[str]:
    """Every program found is what the scheduler does, over several runs of several trials."""
    found: Counter[str] = Counter()
    for seed in seeds:
        drawing = Drawing(seed, data=seed % 3 == 0)
        drawn = drawing.schedule(resets=True).schedule
        instance = seed % 4 == 0
        program = static_program(drawn, instance=instance)
        if isinstance(program, Residual):
            found["residual"] += 1
            continue
        found["choice" if isinstance(program, Choice) else "static"] += 1
        for anywhere in (False, True):
            expected, seen = (happenings(each, instance, seed, anywhere) for each in (drawn, replace(drawn, program=program)))
            assert seen == expected, f"seed {seed}: {drawn}"
    return found


def happenings(schedule: Schedule, instance: bool, seed: int, anywhere: bool) -> list[object]:
    """Resets, sets that are not empty, and ends of runs, from birth or from any counts; trials without an end are left out."""
    world = World(seed % 11)
    scheduler = Scheduler(schedule, world, max_passes=100)
    random = Random(seed)
    for path, (counts, key) in scheduler.state.places() if anywhere else ():
        if path.endswith((":life", ":run")) or path.startswith("n_when"):
            counts[key] = random.randrange(7)
    happened: list[object] = []
    for trials in (3, 1, 4, 2):
        scheduler.begin_run()
        for _ in range(trials):
            if scheduler.run_is_over() and not instance:
                happened.append("run is over")
                break
            happened.append(scheduler.nodes_to_reset())
            try:
                for nodes in scheduler.trial():
                    world.execute(nodes)
                    happened += [nodes] if nodes else []
            except ExecutionError as error:
                return [*happened, str(error)]
            scheduler.end_trial()
        scheduler.end_run()
    return happened


def test_random_programs_are_what_the_scheduler_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(static_schedule, "MAX_STEPS", 64)
    found = check_random_schedules(range(700))
    assert found["static"] > 150
    assert found["choice"] > 100
    assert found["residual"] > 150


@pytest.mark.full
def test_many_random_programs_are_what_the_scheduler_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(static_schedule, "MAX_STEPS", 64)
    check_random_schedules(range(700, 20_000))


def test_order_in_a_layer_matters_when_a_call_can_hinder() -> None:
    def layer(condition: Condition) -> Schedule:
        return Schedule((("a", "b"),), {"a": Always(), "b": condition})

    assert order_dependent(layer(Calls("a", "<", 1))) == (("b", "a"),)
    assert order_dependent(layer(Not(EveryNCalls("a", 1)))) == (("b", "a"),)
    assert order_dependent(layer(Calls("a", "==", 1))) == (("b", "a"),)
    assert order_dependent(layer(Calls("a", ">=", 1))) == ()
    assert order_dependent(layer(Not(Calls("a", "<", 1)))) == ()
    assert order_dependent(layer(JustRan("a"))) == ()


def expanded(parts: Parts) -> list[tuple[str, ...]]:
    """The steps that a program with loops stands for."""
    steps: list[tuple[str, ...]] = []
    for part in parts:
        steps += expanded(part.parts) * part.count if isinstance(part, Repeat) else [part]
    return steps


def test_repetitions_become_loops() -> None:
    a, b, c = ("a",), ("b",), ("c",)
    assert with_loops((a,) * 31) == (a,) * 31
    assert with_loops((b, *(a,) * 40, c)) == (b, Repeat(40, (a,)), c)
    assert with_loops((a, a, b) * 20 + (a, c)) == (Repeat(20, (a, a, b)), a, c)
    inner = (*(a,) * 32, b)
    assert with_loops(inner * 5) == (Repeat(5, (Repeat(32, (a,)), b)),)


def test_loops_stand_for_the_same_steps() -> None:
    random = Random(1)
    for _ in range(200):
        pattern = [(random.choice("ab"),) for _ in range(random.randint(1, 12))]
        steps = tuple(pattern * random.randint(1, 12) + [(random.choice("abc"),) for _ in range(random.randint(0, 9))] + pattern * 3)
        assert expanded(with_loops(steps)) == list(steps)


def test_long_trials_are_short_programs() -> None:
    passes = Elapsed(TimeScale.PASS, ">=", 5000, TimeScale.TRIAL)
    found = static_program(schedule(EveryNCalls("a", 2), passes))
    assert isinstance(found, StaticProgram)
    assert with_loops(found.steps) == (Repeat(2500, (("a",), ("a",), ("b",), ("c",))),)
    assert steps_written(with_loops(found.steps)) == 4


def test_trials_that_cannot_be_written_down_stay_loops() -> None:
    """A set runs every 67th pass, another every 71st: the pattern repeats after 4757 passes only."""
    slow = AnyOf((Elapsed(TimeScale.PASS, "every", 67, TimeScale.TRIAL), Elapsed(TimeScale.PASS, "every", 71, TimeScale.TRIAL)))
    found = static_program(schedule(slow, Elapsed(TimeScale.PASS, ">=", 6000, TimeScale.TRIAL)))
    assert "with repetitions as loops, its program still has" in reason(found)
