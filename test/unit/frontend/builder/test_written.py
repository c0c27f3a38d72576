"""The schedule of a model as print shows it: the words in which it was written, which give the same schedule again."""

import cogir
from cogir import library
from cogir.frontend.builder.written import as_written
from cogir.library import State, Step, Value


def counter(variable: Value, *, steps: State = 0.0, overflow: State = 0.0) -> Step:
    """Counts its executions."""
    return Step(outputs=(variable,), states=(steps + 1.0, overflow), finished=steps > 2.0)


def model() -> tuple[cogir.Model, cogir.Node, cogir.Node]:
    found = cogir.Model("m")
    a, b, _ = (found.node(name, counter) for name in "abc")
    found.project(a, b)
    return found, a, b


def schedule_of(m: cogir.Model) -> list[str]:
    head, *lines = repr(m.schedule).split("\n  ")
    assert head == 'schedule of "m":'
    return lines


def test_conditions_resets_and_ends_are_listed() -> None:
    m, a, b = model()
    m.schedule.when(b, cogir.EveryNCalls(a, 2) & ~cogir.AtPass(0))
    m.schedule.reset(a, cogir.AtTrialStart(), keeps=["overflow"])
    m.schedule.reset([b.state("steps")], cogir.AtTrial(3))
    m.schedule.aside("c", "after")
    m.schedule.fails(b.state("overflow"), "the buffer is full")
    m.schedule.trial_ends(cogir.WhenFinished(b) | cogir.AfterNPasses(40, cogir.TimeScale.RUN))
    assert schedule_of(m) == [
        'when("b", EveryNCalls("a", 2) & ~AtPass(0))',
        'aside("c", "after")',
        'reset("a", AtTrialStart(), keeps=["overflow"])',
        'reset([b.state("steps")], AtTrial(3))',
        'fails(b.state("overflow"), "the buffer is full")',
        'trial_ends(WhenFinished("b") | AfterNPasses(40, TimeScale.RUN))',
    ]


def test_nothing_was_given() -> None:
    assert schedule_of(model()[0]) == ["nothing was given: a node runs whenever those before it have run"]


def test_reset_each_trial_is_a_reset() -> None:
    m = cogir.Model("m")
    m.node("a", library.drift_diffusion_integrator, reset_each_trial=True)
    assert schedule_of(m) == ['reset("a", AtTrialStart())']


def late(value: Value) -> bool:
    """True of large values."""
    return value[0] > 0.5


def test_conditions_are_the_expressions_that_give_them() -> None:
    _, a, b = model()
    always, never = cogir.Always(), cogir.Never()
    for condition, text in (
        (cogir.AfterNCallsCombined(a, b, n=3), 'AfterNCallsCombined("a", "b", n=3)'),
        (cogir.AllHaveRun(a, time_scale=cogir.TimeScale.RUN), 'AllHaveRun("a", time_scale=TimeScale.RUN)'),
        (cogir.AllHaveRun(), "AllHaveRun()"),
        (cogir.Threshold(a, "steps", 2.0, ">", rtol=0.1), 'Threshold("a", "steps", 2.0, ">", rtol=0.1)'),
        (cogir.NWhen(cogir.JustRan(a)), 'NWhen(JustRan("a"))'),
        (cogir.NWhen(cogir.JustRan("a"), 3), 'NWhen(JustRan("a"), 3)'),
        (cogir.While(late, a["value"]), 'While(late, a["value"])'),
        (cogir.WhileNot(lambda x: x > 0.5, a.state("steps")), 'WhileNot(lambda, a.state("steps"))'),
        ((always | never) & ~(always & never), "(Always() | Never()) & ~(Always() & Never())"),
        (cogir.All(always), "All(Always())"),
        (~~always, "~~Always()"),
    ):
        assert as_written(condition) == text
