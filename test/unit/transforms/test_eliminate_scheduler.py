"""A model does the same before and after its schedule has become a program, and when the program has been lowered."""

from collections.abc import Iterator

import pytest
from support.machine import Machine, differences, lowered, same_bits
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import VerifyException

import cogir
from cogir.dialects import cog
from cogir.dialects.text import parse_text
from cogir.interpreters.cog import CogInterpreter
from cogir.model.program import StaticProgram
from cogir.model.read_schedule import schedule_of
from cogir.transforms.eliminate_scheduler import RESIDUAL, EliminateScheduler

NODE = """cog.node @{0} (%x: f64) states(%s: f64 = 0.5) random(%r: !rng.state<mt19937> = @stream) -> (value: f64 = 0.25) {{
  %u, %next = rng.uniform %r : !rng.state<mt19937> -> f64
  %part = arith.mulf %s, %u : f64
  %sum = arith.addf %x, %part : f64
  cog.yield %sum states(%sum) random(%next)
}}
"""
SCHEDULES = {
    "a loop": """
      cog.when @b { %c = cog.every_n_calls @a 3
        cog.condition %c }
      cog.terminate trial { %c = cog.after_n_passes 40 in trial
        cog.condition %c }""",
    "loops in a loop": """
      cog.when @b { %c = cog.every_n_calls @a 33
        cog.condition %c }
      cog.terminate trial { %c = cog.after_n_calls @b 4 in trial
        cog.condition %c }""",
    "a reset and the end of a run": """
      cog.reset @a when { %c = cog.at_trial_start
        cog.condition %c }
      cog.reset @b when { %c = cog.at_trial_n_start 1 in run
        cog.condition %c }
      cog.terminate run { %c = cog.after_n_calls @b 3 in run
        cog.condition %c }""",
    "nobody runs": """
      cog.terminate trial { %c = cog.always
        cog.condition %c }""",
}
ONE_PASS = """
      cog.terminate trial { %c = cog.after_n_passes 1 in trial
        cog.condition %c }"""
CHOICES = {
    "a trial of a run": f"""
      cog.when @b {{ %c = cog.at_trial 2 in run
        cog.condition %c }}{ONE_PASS}""",
    "a run, and calls": f"""
      cog.when @a {{ %c = cog.at_run 1
        %d = cog.before_n_calls @b 5 in life
        %e = cog.any %c, %d
        cog.condition %e }}
      cog.when @b {{ %c = cog.after_n_calls_combined [@a, @b] 3 in run
        %d = cog.not %c
        cog.condition %d }}{ONE_PASS}""",
    "a period": """
      cog.when @b { %c = cog.every_n_passes 3 in life
        cog.condition %c }
      cog.terminate trial { %c = cog.after_n_passes 2 in trial
        cog.condition %c }""",
    "loops": """
      cog.when @b { %c = cog.every_n_calls @a 3
        %d = cog.at_run 0
        %e = cog.all %c, %d
        cog.condition %e }
      cog.terminate trial { %c = cog.after_n_passes 40 in trial
        cog.condition %c }""",
    "so many times": f"""
      cog.when @b {{ %c = cog.every_n_calls @a 1
        %d = cog.n_when %c 3
        cog.condition %d }}{ONE_PASS}""",
    "who just ran": f"""
      cog.when @a {{ %c = cog.just_ran @b
        %d = cog.not %c
        cog.condition %d }}
      cog.when @b {{ %c = cog.after_n_trials 1 in run
        cog.condition %c }}{ONE_PASS}""",
    "time steps": f"""
      cog.when @b {{ %c = cog.before_time_step 4 in run
        cog.condition %c }}{ONE_PASS}""",
    "a reset and the end of a run": f"""
      cog.when @b {{ %c = cog.at_trial 1 in run
        cog.condition %c }}
      cog.reset @a when {{ %c = cog.at_trial_n_start 2 in run
        cog.condition %c }}
      cog.terminate run {{ %c = cog.after_n_calls @a 3 in run
        cog.condition %c }}{ONE_PASS}""",
}


def model(schedule: str) -> ModuleOp:
    """a -> b with feedback; both remember and draw."""
    nodes = NODE.format("a") + NODE.format("b")
    wires = "cog.input @a\ncog.project @a -> @b\ncog.project @b -> @a feedback\ncog.output @b\ncog.output @a"
    module = parse_text(f"cog.model @m {{\n{nodes}\n{wires}\ncog.schedule {{ {schedule} }}\n}}\nrng.stream @stream mt19937 seed 3")
    module.verify()
    return module


def eliminated(module: ModuleOp) -> ModuleOp:
    """A copy whose schedules have become programs."""
    copy = module.clone()
    EliminateScheduler().apply(Context(), copy)
    copy.verify()
    return copy


def schedules_of(module: ModuleOp) -> Iterator[cog.ScheduleOp]:
    """The schedules in a module."""
    yield from (op for op in module.walk() if isinstance(op, cog.ScheduleOp))


@pytest.mark.parametrize("schedule", [*SCHEDULES.values(), *CHOICES.values()], ids=[*SCHEDULES, *CHOICES])
def test_a_program_does_what_its_conditions_say(schedule: str) -> None:
    module = model(schedule)
    program = eliminated(module)
    written = {type(op) for op in program.walk()}
    assert cog.ProgramOp in written
    assert (cog.ChooseOp in written) == (schedule in CHOICES.values())
    before, after, machine = CogInterpreter(module), CogInterpreter(program), Machine(lowered(program))
    for inputs in ([[0.5], [0.25]], [[1.0]], [[0.125]]):
        expected = before.run(inputs, 4)
        assert after.run(inputs, 4) == expected
        assert same_bits(machine.run(inputs, 4), expected)
    assert differences(machine, before.records) == []
    remembered = {path: value for path, value in before.records.items() if path.partition("/")[2].startswith(("state", "port", "finished"))}
    assert remembered == {path: after.records[path] for path in remembered}


@pytest.mark.parametrize("schedule", [*SCHEDULES.values(), *CHOICES.values()], ids=[*SCHEDULES, *CHOICES])
def test_a_program_is_made_once(schedule: str) -> None:
    once = eliminated(model(schedule))
    assert str(eliminated(once)) == str(once)


def test_repetitions_are_loops() -> None:
    (schedule,) = schedules_of(eliminated(model(SCHEDULES["a loop"])))
    assert schedule.program is not None
    assert [type(item) for item in schedule.program.body.block.ops] == [cog.RepeatOp, cog.StepOp]
    assert len(cog.steps_in(schedule.program.body)) == 40 + 13


def test_the_reason_why_there_is_none_stands_at_the_schedule() -> None:
    ends = 'cog.terminate trial { %c = cog.threshold @a[state "s"] >= 2.0\n cog.condition %c }'
    (schedule,) = schedules_of(eliminated(model(ends)))
    assert schedule.program is None
    assert str(schedule.attributes[RESIDUAL]) == "\"a condition reads state 's' of @a\""


def test_the_steps_of_a_program_are_those_of_the_schedule() -> None:
    program = eliminated(model(SCHEDULES["loops in a loop"]))
    interpreter = CogInterpreter(program)
    assert schedule_of(interpreter.graph).program == StaticProgram((*(((("a",),) * 33) + (("b",),)) * 4,))


def test_a_part_is_repeated_once_or_more() -> None:
    module = model("cog.program { cog.repeat 1 { cog.step [@a] } }")
    (schedule,) = schedules_of(module)
    assert schedule.program is not None
    (part,) = schedule.program.body.block.ops
    assert isinstance(part, cog.RepeatOp)
    part.count = cog.RepeatOp(0, []).count
    with pytest.raises(VerifyException, match=r"program of a trial: cog\.repeat repeats 0 times; give 1 or more"):
        module.verify()


@pytest.mark.parametrize("holds", [True, False])
def test_a_predicate_that_reads_nothing_is_evaluated_at_compile_time(holds: bool) -> None:
    model = cogir.Model("m", seed=1)
    first, second = model.node("first", cogir.library.linear, input=1), model.node("second", cogir.library.linear, input=1)
    model.project(first, second)
    model.schedule.when(second, cogir.While((lambda: True) if holds else (lambda: False)))
    model.schedule.trial_ends(cogir.AfterNPasses(2))
    found = [model.compile(mode=mode).run({"first": [[3.0]]})["second"].tolist() for mode in ("python", "run")]
    assert found == [[[3.0]] if holds else [[0.0]]] * 2
