"""Static programs against the scheduler itself, and the reasons for which there is none."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from support.random_schedules import Drawing, World

from cogir.analysis import static_schedule
from cogir.analysis.static_schedule import (
    Parts,
    Repeat,
    Residual,
    StaticProgram,
    order_dependent,
    static_program,
    steps_written,
    with_loops,
)
from cogir.interpreters.schedule_conditions import (
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
    TimeScale,
    WhenFinished,
    at_trial_start,
)
from cogir.interpreters.schedule_conditions import Any as AnyOf
from cogir.interpreters.scheduler import Schedule, Scheduler

LAYERS = (("a",), ("b",), ("c",))


def schedule(b: Condition = EveryNCalls("a", 1), trial_ends: Condition = AllHaveRun(), **others: object) -> Schedule:
    """a, b, c one after the other."""
    return Schedule(LAYERS, {"a": Always(), "b": b, "c": EveryNCalls("b", 1)}, trial_ends, **others)  # pyright: ignore


def reason(found: StaticProgram | Residual) -> str:
    assert isinstance(found, Residual)
    return found.reason


def test_counting_conditions_give_a_program() -> None:
    assert static_program(schedule(EveryNCalls("a", 2))) == StaticProgram((("a",), ("a",), ("b",), ("c",)))


def test_empty_time_steps_are_left_out() -> None:
    late = Elapsed(TimeScale.PASS, ">=", 3, TimeScale.TRIAL)
    found = static_program(Schedule((("a",),), {"a": late}))
    assert found == StaticProgram((("a",),))


def test_a_reset_at_the_start_of_a_trial_does_no_harm() -> None:
    assert isinstance(static_program(schedule(resets={"b": at_trial_start()})), StaticProgram)


def test_what_is_not_asked_needs_no_data() -> None:
    finished = WhenFinished("a")
    never_asked = AnyOf((EveryNCalls("a", 1), finished))
    assert static_program(schedule(never_asked)) == StaticProgram((("a",), ("b",), ("c",)))
    assert reason(static_program(schedule(All((EveryNCalls("a", 1), finished))))) == "a condition asks whether @a has finished"


def test_nodes_that_are_always_finished_are_known() -> None:
    assert isinstance(static_program(schedule(WhenFinished("a")), {"a"}), StaticProgram)


@pytest.mark.parametrize(
    ("condition", "difference"),
    [
        (Elapsed(TimeScale.TRIAL, "==", 1, TimeScale.RUN), "at time step 1"),
        (Elapsed(TimeScale.RUN, "==", 2, TimeScale.LIFE), "at time step 1"),
        (Calls("a", "<", 3, TimeScale.LIFE), "at time step 1"),
        (NWhen(EveryNCalls("a", 1), 2, key=0), "at time step 1"),
        (All((JustRan("a"), Not(Elapsed(TimeScale.PASS, "every", 3, TimeScale.LIFE)))), "at time step 1"),
    ],
)
def test_trials_that_differ_are_found(condition: Condition, difference: str) -> None:
    found = static_program(schedule(condition, Elapsed(TimeScale.PASS, ">=", 1, TimeScale.TRIAL)))
    assert f"the first difference between two trials is {difference}" in reason(found)


def test_the_trial_that_a_long_run_would_reach_is_found() -> None:
    """The hundredth trial differs; none of the first ones shows it."""
    hundredth = Elapsed(TimeScale.TRIAL, "==", 99, TimeScale.RUN)
    found = static_program(schedule(hundredth, Elapsed(TimeScale.PASS, ">=", 1, TimeScale.TRIAL)))
    assert "the first difference between two trials" in reason(found)
    limited = schedule(
        hundredth, Elapsed(TimeScale.PASS, ">=", 1, TimeScale.TRIAL), run_ends=Elapsed(TimeScale.TRIAL, ">=", 99, TimeScale.RUN)
    )
    assert isinstance(static_program(limited), StaticProgram)
    assert isinstance(static_program(limited, instance=True), Residual)


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
        found["static"] += 1
        assert happenings(drawn, instance, seed) == happenings(replace(drawn, program=program.steps), instance, seed), f"seed {seed}"
    return found


def happenings(schedule: Schedule, instance: bool, seed: int) -> list[object]:
    """Resets, sets that are not empty, and ends of runs."""
    world = World(seed % 11)
    scheduler = Scheduler(schedule, world)
    happened: list[object] = []
    for trials in (3, 1, 4, 2):
        scheduler.begin_run()
        for _ in range(trials):
            if scheduler.run_is_over() and not instance:
                happened.append("run is over")
                break
            happened.append(scheduler.nodes_to_reset())
            for nodes in scheduler.trial():
                world.execute(nodes)
                happened += [nodes] if nodes else []
            scheduler.end_trial()
        scheduler.end_run()
    return happened


def test_random_programs_are_what_the_scheduler_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(static_schedule, "MAX_STEPS", 64)
    found = check_random_schedules(range(700))
    assert found["static"] > 150
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
    assert found.parts == (Repeat(2500, (("a",), ("a",), ("b",), ("c",))),)
    assert steps_written(found.parts) == 4


def test_trials_that_cannot_be_written_down_stay_loops() -> None:
    """A set runs every 67th pass, another every 71st: the pattern repeats after 4757 passes only."""
    slow = AnyOf((Elapsed(TimeScale.PASS, "every", 67, TimeScale.TRIAL), Elapsed(TimeScale.PASS, "every", 71, TimeScale.TRIAL)))
    found = static_program(schedule(slow, Elapsed(TimeScale.PASS, ">=", 6000, TimeScale.TRIAL)))
    assert "would have to be written down" in reason(found)
