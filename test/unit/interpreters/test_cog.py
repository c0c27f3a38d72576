"""What models do, against the arithmetic written out in Python and against figures measured in PsyNeuLink's Python mode."""

import math
from typing import Any

import numpy as np
import pytest

from cogir.dialects.text import parse_text
from cogir.errors import ExecutionError, InputError, ModelError
from cogir.interpreters.cog import CogInterpreter

RELAY = "cog.node @{0} (%x: f64) -> (value: f64 = 0.0) {{\n cog.yield %x\n }}\n"
"""A node that passes its input on."""

ACCUMULATE = """cog.node @{0} (%x: f64) states(%sum: f64 = 0.0) -> (value: f64 = 0.0) {{
  %next = arith.addf %sum, %x : f64
  cog.yield %next states(%next)
}}
"""
"""A node that sums up its inputs."""


def interpreter(*parts: str, module: str = "", **options: Any) -> CogInterpreter:
    """The interpreter of a model with these operations, beside others in the module."""
    text = f"{module}\ncog.model @m {{\n" + "\n".join(parts) + "\n}\n"
    parsed = parse_text(text)
    parsed.verify()
    return CogInterpreter(parsed, "m", **options)


def schedule(*parts: str) -> str:
    """A schedule; each part is a head and a condition: "terminate trial: after_n_passes 2 in trial"."""
    lines: list[str] = []
    for part in parts:
        head, _, condition = part.partition(": ")
        lines.append(f"cog.{head} {{\n %c = cog.{condition}\n cog.condition %c\n }}")
    return "cog.schedule {\n" + "\n".join(lines) + "\n}"


def numbers(results: list[list[Any]]) -> list[float]:
    """The first result of each trial as a number."""
    return [float(np.asarray(trial[0]).item()) for trial in results]


# -------------------------------------------------------------------------------------------------- what arrives at a port


def test_an_input_is_the_sum_of_what_is_sent_in_the_order_of_the_text() -> None:
    model = interpreter(
        RELAY.format("a"),
        RELAY.format("b"),
        RELAY.format("c"),
        "cog.input @a",
        "cog.input @b",
        "cog.input @c",
        "cog.project @a -> @c",
        "cog.project @b -> @c",
        "cog.output @c",
    )
    (result,) = numbers(model.run([[0.2, 0.3, 0.1]]))
    assert result == (0.1 + 0.2) + 0.3 != 0.1 + (0.2 + 0.3)


def test_a_port_can_multiply_what_is_sent_and_holds_zeros_without_senders() -> None:
    model = interpreter(
        RELAY.format("a"),
        "cog.node @b (%x: f64 product, %unused: f64) -> (value: f64 = 0.0, other: f64 = 9.0) {\n cog.yield %x, %unused\n }",
        "cog.input @a",
        'cog.input @b["x"]',
        'cog.project @a -> @b["x"]',
        'cog.output @b["value"]',
        'cog.output @b["other"]',
    )
    assert model.run([[3.0, 4.0]]) == [[12.0, 0.0]]


def test_single_precision_rounds_at_every_step() -> None:
    nodes = [RELAY.format(name).replace("f64", "f32") for name in "abc"]
    model = interpreter(
        *nodes,
        RELAY.format("d"),
        """cog.node @n (%x: f32) params(%gain: f32 = 0.1) -> (value: f32 = 0.0) {
          %y = arith.mulf %x, %gain : f32
          cog.yield %y
        }""",
        *(f"cog.input @{name}" for name in "abcd"),
        *(f"cog.project @{name} -> @n" for name in "abc"),
        'cog.modulate @d -> @n["gain"] multiply',
        "cog.output @n",
    )
    a, b, c, d = (np.float32(value) for value in (0.1, 0.7, 1e-3, 0.3))
    assert numbers(model.run([[0.1, 0.7, 1e-3, 0.3]])) == [float(((a + b) + c) * (np.float32(0.1) * d))]


def test_values_may_grow_without_end() -> None:
    wide = RELAY.format("a").replace("f64", "tensor<2xf64>").replace("= 0.0", "= dense<1.0e308>")
    matrix = "matrix dense<[[1.0, 0.0], [1.0, 0.0]]> : tensor<2x2xf64>"
    model = interpreter(wide, "cog.input @a", f"cog.project @a -> @a {matrix} feedback", "cog.output @a")
    results = np.array([trial[0] for trial in model.run({"a": [[0.0, 0.0]]}, 3)])
    np.testing.assert_array_equal(results, [[np.inf, 0.0], [np.inf, np.nan], [np.nan, np.nan]])


def test_a_matrix_takes_the_sender_from_the_left() -> None:
    model = interpreter(
        "cog.node @a (%x: tensor<2xf64>) -> (value: tensor<2xf64> = dense<0.0>) {\n cog.yield %x\n }",
        "cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {\n cog.yield %x\n }",
        "cog.input @a",
        "cog.project @p @a -> @b matrix dense<[[1.0, 2.0, 3.0], [10.0, 20.0, 30.0]]> : tensor<2x3xf64>",
        "cog.output @b",
    )
    np.testing.assert_array_equal(model.run({"a": [[1.0, 0.5]]})[0][0], np.array([1.0, 0.5]) @ [[1, 2, 3], [10, 20, 30]])
    model.parameters["p/matrix"] = np.ones((2, 3))
    np.testing.assert_array_equal(model.run({"a": [[1.0, 0.5]]})[0][0], [1.5, 1.5, 1.5])


def test_a_projection_can_have_a_function_with_a_state() -> None:
    model = interpreter(
        RELAY.format("a"),
        RELAY.format("b"),
        """cog.project @p @a -> @b (%x: f64) params(%rate: f64 = 0.5) states(%trace: f64 = 1.0) {
          %change = arith.mulf %rate, %x : f64
          %next = arith.addf %trace, %change : f64
          cog.yield %next states(%next)
        }""",
        "cog.input @a",
        "cog.output @b",
    )
    assert numbers(model.run({"a": [2.0, 4.0]})) == [2.0, 4.0]
    assert model.records["p/state:trace"] == 4.0


# -------------------------------------------------------------------------------------------------------------- time steps


def test_nodes_of_one_set_see_the_values_from_before_the_step() -> None:
    """A cycle forms one layer, so both nodes run together and exchange their values."""
    model = interpreter(
        "cog.node @a (%x: f64) -> (value: f64 = 1.0) {\n cog.yield %x\n }",
        "cog.node @b (%x: f64) -> (value: f64 = 2.0) {\n cog.yield %x\n }",
        "cog.project @a -> @b",
        "cog.project @b -> @a",
        "cog.output @a",
        "cog.output @b",
    )
    assert model.run(num_trials=3) == [[2.0, 1.0], [1.0, 2.0], [2.0, 1.0]]


def test_feedback_arrives_one_step_later() -> None:
    model = interpreter(
        RELAY.format("a"), RELAY.format("b"), "cog.input @a", "cog.project @a -> @b", "cog.project @b -> @a feedback", "cog.output @b"
    )
    assert numbers(model.run({"a": [1.0]}, 3)) == [1.0, 2.0, 3.0]


COUNT_UP = """cog.node @n (%x: f64) states(%sum: f64 = 0.0) -> (value: f64 = 0.0) until_finished max {0} {{
  %next = arith.addf %sum, %x : f64
  %limit = arith.constant 10.0 : f64
  %done = arith.cmpf oge, %next, %limit : f64
  cog.yield %next states(%next) finished(%done)
}}"""


def test_a_node_executes_until_it_has_finished() -> None:
    model = interpreter(COUNT_UP.format(100), "cog.input @n", "cog.output @n", schedule("reset @n when: at_trial_start"))
    assert numbers(model.run({"n": [3.0, 0.25]})) == [12.0, 10.0]
    assert model.records["n/finished"]


def test_a_node_that_does_not_finish_stops_at_its_limit() -> None:
    model = interpreter(COUNT_UP.format(2), "cog.input @n", "cog.output @n")
    assert numbers(model.run({"n": [1.0]}, 3)) == [2.0, 4.0, 6.0]
    assert not model.records["n/finished"]
    model.parameters["n/limit:executions"] = 3
    assert numbers(model.run({"n": [1.0]}, 1)) == [9.0]


def test_recurrent_projections_are_evaluated_in_every_execution_and_others_once() -> None:
    """x <- input + own (recurrent) + own from before the step (feedback), three executions."""
    model = interpreter(
        """cog.node @n (%x: f64) -> (value: f64 = 1.0) until_finished max 3 {
          %never = arith.constant false
          cog.yield %x finished(%never)
        }""",
        "cog.input @n",
        "cog.project @n -> @n recurrent",
        "cog.project @n -> @n feedback",
        "cog.output @n",
    )
    own = 1.0
    for _ in range(3):
        own = 0.5 + own + 1.0
    assert numbers(model.run({"n": [0.5]})) == [own]


# -------------------------------------------------------------------------------------------------------------- modulation

SCALED = """cog.node @n (%x: f64) params(%gain: f64 = 2.0) -> (value: f64 = 0.0) {
  %y = arith.mulf %x, %gain : f64
  cog.yield %y
}"""


@pytest.mark.parametrize(
    ("modulations", "gain"),
    [
        (["multiply"], 2.0 * 3.0),
        (["add"], 2.0 + 3.0),
        (["override"], 3.0),
        (["add", "multiply", "multiply", "add"], 2.0 * (3.0 * 3.0) + (3.0 + 3.0)),
    ],
)
def test_a_modulated_parameter(modulations: list[str], gain: float) -> None:
    model = interpreter(
        RELAY.format("c"),
        SCALED,
        "cog.input @c",
        "cog.input @n",
        *(f'cog.modulate @c -> @n["gain"] {mode}' for mode in modulations),
        "cog.output @n",
    )
    assert numbers(model.run([[3.0, 10.0]])) == [10.0 * gain]
    model.parameters["n/param:gain"] = 0.0
    assert numbers(model.run([[3.0, 1.0]])) == [{6.0: 0.0, 5.0: 3.0, 3.0: 3.0, 24.0: 6.0}[gain]]


def test_a_modulation_acts_from_the_step_after() -> None:
    """Nodes of one layer: the modulator's new value is not there yet."""
    layers = "cog.schedule layers [[@c, @n]] {\n cog.when @n {\n %c = cog.always\n cog.condition %c\n }\n }"
    model = interpreter(
        RELAY.format("c"), SCALED, "cog.input @c", "cog.input @n", 'cog.modulate @c -> @n["gain"] override', "cog.output @n", layers
    )
    assert numbers(model.run([[3.0, 10.0], [4.0, 10.0]])) == [0.0, 30.0]


# ------------------------------------------------------------------------------------------------------------- random draws

WALK = """cog.node @walk (%x: f64) params(%noise: f64 = 0.5) states(%position: f64 = 0.0)
    random(%r: !rng.state<mt19937> = @stream) -> (value: f64 = 0.0) {
  %draw, %next_r = rng.normal %r : !rng.state<mt19937> -> f64
  %kick = arith.mulf %noise, %draw : f64
  %drifted = arith.addf %position, %x : f64
  %next = arith.addf %drifted, %kick : f64
  cog.yield %next states(%next) random(%next_r)
}"""
STREAM = "rng.stream @stream mt19937 seed 7"


def test_streams_are_numpys_and_go_on_over_trials_and_runs_and_resets() -> None:
    model = interpreter(WALK, "cog.input @walk", "cog.output @walk", schedule("reset @walk when: at_trial 2 in run"), module=STREAM)
    results = numbers(model.run({"walk": [0.25]}, 4)) + numbers(model.run({"walk": [0.25]}, 1))
    random = np.random.RandomState([7])
    expected: list[float] = []
    position = 0.0
    for trial in range(5):
        position = 0.0 if trial == 2 else position
        position = position + 0.25 + 0.5 * random.standard_normal()
        expected.append(position)
    assert results == expected
    model.restart()
    assert numbers(model.run({"walk": [0.25]}, 2)) == expected[:2]


def test_records_can_be_read_and_written() -> None:
    model = interpreter(WALK, "cog.input @walk", "cog.output @walk", module=STREAM)
    model.run({"walk": [1.0]})
    saved = dict(model.records)
    later = model.run({"walk": [1.0]}, 3)
    for path, value in saved.items():
        model.records[path] = value
    assert model.run({"walk": [1.0]}, 3) == later
    with pytest.raises(ModelError, match="there is no slot 'walk/state:x'"):
        model.records["walk/state:x"]


# ------------------------------------------------------------- resets, as measured in PsyNeuLink 0.21 (Python execution mode)


def test_resets_are_asked_with_the_calls_of_the_trial_before() -> None:
    """A -> I with I.reset_stateful_function_when = AfterNCalls(A, 1), and its negation."""
    a, i, wires = RELAY.format("a"), ACCUMULATE.format("i"), ("cog.input @a", "cog.project @a -> @i", "cog.output @i")
    after = interpreter(a, i, *wires, schedule("reset @i when: after_n_calls @a 1 in trial"))
    assert numbers(after.run({"a": [1.0]}, 4)) == [1.0, 1.0, 1.0, 1.0]
    before = interpreter(a, i, *wires, schedule("reset @i when: before_n_calls @a 1 in trial"))
    assert numbers(before.run({"a": [1.0]}, 4)) == [1.0, 2.0, 3.0, 4.0]


def test_a_reset_sets_the_ports_too() -> None:
    """A gets feedback from I, whose port starts from logistic(3); reset at every trial start: A is the same in each trial."""
    rest = 1.0 / (1.0 + math.exp(-3.0))
    model = interpreter(
        RELAY.format("a"),
        ACCUMULATE.format("i").replace("value: f64 = 0.0", f"value: f64 = {rest!r}").replace("sum: f64 = 0.0", "sum: f64 = 3.0"),
        "cog.input @a",
        "cog.project @a -> @i",
        "cog.project @i -> @a feedback",
        "cog.output @a",
        schedule("reset @i when: at_trial_start"),
    )
    assert numbers(model.run({"a": [1.0]}, 3)) == [1.0 + rest] * 3
    assert 1.0 + rest == pytest.approx(1.95257413, abs=5e-9)


def test_a_reset_can_name_states() -> None:
    model = interpreter(
        ACCUMULATE.format("i")
        .replace("%sum: f64 = 0.0", "%sum: f64 = 0.0, %all: f64 = 0.0")
        .replace("cog.yield %next states(%next)", "%total = arith.addf %all, %x : f64\n cog.yield %total states(%next, %total)"),
        "cog.input @i",
        "cog.output @i",
        schedule('reset @i states ["sum"] when: at_trial_start'),
    )
    assert numbers(model.run({"i": [2.0]}, 3)) == [2.0, 4.0, 6.0]
    assert model.records["i/state:sum"] == 2.0


def test_an_instance_never_begins_a_run() -> None:
    """N in a nested Composition with reset when AtTrial(0), two runs of three trials: 1 .. 6; not nested: 1 2 3 1 2 3."""
    part = (ACCUMULATE.format("n"), "cog.input @n", "cog.output @n", schedule("reset @n when: at_trial 0 in run"))
    flat = interpreter(*part)
    assert numbers(flat.run({"n": [1.0]}, 3) + flat.run({"n": [1.0]}, 3)) == [1.0, 2.0, 3.0, 1.0, 2.0, 3.0]
    inner = "cog.model @inner {\n" + "\n".join(part) + "\n}"
    nested = interpreter(
        RELAY.format("a"), "cog.instance @i of @inner", "cog.input @a", "cog.project @a -> @i", "cog.output @i", module=inner
    )
    assert numbers(nested.run({"a": [1.0]}, 3) + nested.run({"a": [1.0]}, 3)) == [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]


# ---------------------------------------------------------------------------------------------------------- nested models


def test_an_instance_runs_a_trial_of_its_own() -> None:
    """Three inner calls per outer one; outer modulations join inner ones; two instances do not share their states."""
    inner = (
        "cog.model @inner {\n"
        + "\n".join(
            [
                RELAY.format("in"),
                ACCUMULATE.format("sum")
                .replace("(%x: f64)", "(%x: f64) params(%gain: f64 = 2.0)")
                .replace("%next = arith.addf %sum, %x", "%scaled = arith.mulf %x, %gain : f64\n %next = arith.addf %sum, %scaled"),
                "cog.input @in",
                "cog.project @in -> @sum",
                "cog.output @sum",
                schedule("terminate trial: after_n_calls @sum 3 in trial"),
            ]
        )
        + "\n}"
    )
    model = interpreter(
        RELAY.format("a"),
        "cog.instance @i of @inner",
        "cog.instance @j of @inner",
        "cog.input @a",
        'cog.project @a -> @i["in"]',
        "cog.project @i -> @j",
        'cog.modulate @a -> @j["sum/gain"] add',
        "cog.output @i",
        'cog.output @j["sum/value"]',
        module=inner,
    )
    assert model.run({"a": [1.0]}, 2) == [[6.0, 6.0 * (2.0 + 1.0) * 3], [12.0, 54.0 + 12.0 * 3.0 * 3]]
    assert model.records["i/sum/calls:life"] == 6
    assert model.records["clock:time_step:life"] == 6


# ------------------------------------------------------------------------------------------------------- conditions on values


def test_a_threshold_ends_the_trial() -> None:
    model = interpreter(ACCUMULATE.format("n"), "cog.input @n", "cog.output @n", schedule('terminate trial: threshold @n["value"] >= 2.5'))
    assert numbers(model.run({"n": [1.0]}, 1)) == [3.0]


def test_a_predicate_over_values_ends_the_trial() -> None:
    model = interpreter(
        ACCUMULATE.format("n"),
        "cog.input @n",
        "cog.output @n",
        """cog.schedule {
          cog.terminate trial {
            %value = cog.read @n["value"] : f64
            %sum = cog.read @n[state "sum"] : f64
            %product = arith.mulf %value, %sum : f64
            %limit = arith.constant 20.0 : f64
            %large = arith.cmpf ogt, %product, %limit : f64
            %c = cog.while %large
            cog.condition %c
          }
        }""",
    )
    assert numbers(model.run({"n": [1.0]}, 1)) == [5.0]


def test_finished_is_what_the_last_execution_said() -> None:
    """Without until_finished the node steps once per pass; after a reset it is not finished any more."""
    node = COUNT_UP.format(100).replace("until_finished max 100 ", "")
    ends = "terminate trial: when_finished @n"
    again = interpreter(node, "cog.input @n", "cog.output @n", schedule(ends, "reset @n when: at_trial_start"))
    assert numbers(again.run({"n": [4.0]}, 2)) == [12.0, 12.0]
    once = interpreter(node, "cog.input @n", "cog.output @n", schedule(ends))
    assert numbers(once.run({"n": [4.0]}, 2)) == [12.0, 12.0]
    assert once.records["n/calls:life"] == 3


# ------------------------------------------------------------------------------------------------------------ runs and inputs


def test_inputs_are_used_in_turn_and_the_run_can_end_itself() -> None:
    model = interpreter(RELAY.format("a"), "cog.input @a", "cog.output @a", schedule("terminate run: after_n_trials 5 in run"))
    assert numbers(model.run({"a": [1.0, 2.0]}, 3)) == [1.0, 2.0, 1.0]
    assert numbers(model.run({"a": [1.0, 2.0]}, 10)) == [1.0, 2.0, 1.0, 2.0, 1.0]
    assert model.records["clock:run:life"] == 2


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"b": [1.0]}, r'there is no input for @a\["x"\]'),
        ({"a": [1.0], "b": [1.0]}, "there is no input 'b'; the inputs are a/x"),
        ({"a": [[1.0, 2.0]]}, r'the input for @a\["x"\] has 2 elements, but the port has 1'),
        ([[1.0, 2.0]], "a trial has 2 inputs, but the model has 1; give one value for each"),
        ([], r'there are no inputs; give a value for @a\["x"\]'),
    ],
)
def test_inputs_that_do_not_fit(inputs: Any, message: str) -> None:
    model = interpreter(RELAY.format("a"), "cog.input @a", "cog.output @a")
    with pytest.raises(InputError, match=message):
        model.run(inputs)


def test_a_trial_that_does_not_end_stops_at_the_limit_of_passes() -> None:
    model = interpreter(
        RELAY.format("a"), "cog.input @a", "cog.output @a", schedule('terminate trial: threshold @a["value"] > 2.0'), max_passes=20
    )
    with pytest.raises(ExecutionError, match=r'20 passes, .*: a trial ends when port "value" of @a > 2; @a runs when always; check'):
        model.run({"a": [1.0]})
