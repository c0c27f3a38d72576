"""The log of a node: rows with the time and the values of its ports, one for each execution, also where values decide what is executed."""

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.utils.exceptions import PassFailedException

import cogir
from cogir import library
from cogir.frontend.compile import source_of
from cogir.frontend.parsed import ParsedModel
from cogir.library import State, Step
from cogir.lowering.convert_cog_to_machine import ConvertCogToMachine
from cogir.lowering.pipeline import lower_to
from cogir.runtime.modes import compile_source
from cogir.runtime.options import Options

SETTLE = """
cog.model @inner {
  cog.node @twice (%in: f64) states(%n: f64 = 0.0) -> (value: f64 = 0.0) {
    %one = arith.constant 1.0 : f64
    %next = arith.addf %n, %one : f64
    cog.yield %next states(%next)
  }
  cog.input @twice
  cog.output @twice
}
cog.model @settle {
  cog.node @stimulus (%in: tensor<6xf64>) -> (value: tensor<6xf64> = dense<0.0>) {
    cog.yield %in
  }
  cog.node @layer (%in: tensor<6xf64>) states(%x: tensor<6xf64> = dense<0.0>) -> (value: tensor<6xf64> = dense<0.0>, first: f64 = 0.0) {
    %zero = arith.constant 0 : index
    %init = tensor.empty() : tensor<6xf64>
    %next = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]
    } ins(%in, %x : tensor<6xf64>, tensor<6xf64>) outs(%init : tensor<6xf64>) {
    ^bb0(%a: f64, %b: f64, %out: f64):
      %sum = arith.addf %a, %b : f64
      linalg.yield %sum : f64
    } -> tensor<6xf64>
    %first = tensor.extract %next[%zero] : tensor<6xf64>
    cog.yield %next, %first states(%next)
  }
  cog.instance @part of @inner
  cog.input @stimulus
  cog.project @stimulus -> @layer
  cog.project @layer["first"] -> @part
  cog.output @layer["first"]
  cog.schedule {
    cog.when @part {
      %every = cog.every_n_calls @layer 2
      cog.condition %every
    }
    cog.terminate trial {
      %high = cog.threshold @layer["first"] >= 1.0
      %ran = cog.all_have_run [] in trial
      %over = cog.all %high, %ran
      cog.condition %over
    }
  }
}
"""
LOGGED = ("layer/port:value", "part/twice/port:value")


def compiled(logged=LOGGED, room=16):
    """The model, natively."""
    return compile_source(source_of(ParsedModel(SETTLE)), "run", Options(cache=False, logged=logged, log_room=room))


def rows_of(model, node):
    """What the log of a node holds, and how many executions it has seen."""
    context = model.context()
    rows, count = (context.plan.slots[f"{node}/log:{name}"] for name in ("rows", "count"))
    return context.sf[rows.words].reshape(rows.shape), int(context.si[count.offset])


def test_rows_hold_times_and_values():
    model = compiled()
    step = np.arange(6) / 100 + 0.3
    model.run({"stimulus": [step, 2 * step]})
    rows, count = rows_of(model, "layer")
    ends = np.array([1, 2, 3, 4, 6, 8])  # in units of the step; the second trial ends when @part has run
    assert count == 6
    np.testing.assert_allclose(rows[:6, 3:], ends[:, None] * step, rtol=1e-15)
    assert rows[:6, :3].tolist() == [[0, 0, 1], [0, 1, 1], [0, 2, 1], [0, 3, 1], [1, 0, 1], [1, 1, 1]]
    inner, inner_count = rows_of(model, "part/twice")
    assert inner_count == 2
    assert inner[:2].tolist() == [[0, 0, 0, 1], [1, 0, 0, 2]]  # in the trials of its own model
    assert not rows[6:].any()


def test_what_has_no_room_is_counted():
    roomy, narrow = compiled(), compiled(room=2)
    for model in (roomy, narrow):
        model.run({"stimulus": [np.full(6, 0.25)]})
    rows, count = rows_of(narrow, "layer")
    assert count == 4
    assert rows[0].tolist() == rows_of(roomy, "layer")[0][0].tolist()


def test_states_follow_the_values_of_ports():
    """A state has the value that the execution leaves."""
    model = compiled(logged=("part/twice/state:n", "part/twice/port:value", "layer/state:x"))
    model.run({"stimulus": [np.full(6, 0.25), np.full(6, 0.5)]})
    rows, count = rows_of(model, "part/twice")
    assert rows[:count, 3:].tolist() == [[number, number] for number in range(1, count + 1)]
    rows, count = rows_of(model, "layer")
    assert np.all(np.diff(rows[:count, 3]) > 0.0)


REPEATED = """
cog.model @decide {
  cog.node @layer (%in: f64) states(%x: f64 = 0.0) -> (value: f64 = 0.0) until_finished max 4 {
    %next = arith.addf %x, %in : f64
    %one = arith.constant 1.0 : f64
    %over = arith.cmpf oge, %next, %one : f64
    %zero = arith.constant 0.0 : f64
    %left = arith.select %over, %zero, %next : f64
    cog.yield %next states(%left) finished(%over)
  }
  cog.input @layer
  cog.output @layer
}
"""


def test_each_repetition_of_a_node_has_a_row():
    logged = compile_source(source_of(ParsedModel(REPEATED)), "run", Options(cache=False, logged=("layer/port:value",), log_room=16))
    inputs = {"layer": [0.5, 0.375, 0.25]}
    results = logged.run(inputs).results
    rows, count = rows_of(logged, "layer")
    assert rows[:count].tolist() == [
        [0, 0, 0, 0.5],
        [0, 0, 0, 1.0],
        [1, 0, 0, 0.375],
        [1, 0, 0, 0.75],
        [1, 0, 0, 1.125],
        *([2, 0, 0, 0.25 * (n + 1)] for n in range(4)),
    ]
    assert results == cogir.compile(REPEATED, cache=False).run(inputs).results


def test_a_model_computes_the_same_with_and_without_a_log():
    inputs = {"stimulus": [np.full(6, 0.13), np.full(6, -0.1), np.full(6, 0.4)][::2]}
    plain = cogir.compile(SETTLE, cache=False)
    assert plain.run(inputs, num_trials=5).results == compiled().run(inputs, num_trials=5).results
    assert not any("log:" in path for path in plain.plan.slots)


def summing(x: float, *, slope: float = 1.0, total: State = 0.0) -> Step:
    """The sum of what has arrived."""
    total = total + slope * x
    return Step(outputs=(total,), states=(total,))


def test_a_search_simulates_as_if_nothing_were_logged():
    """Of trials in earnest there are rows, of those that it simulates there are none; their schedule is still known beforehand."""
    model = cogir.Model("searching", seed=1)
    sums = model.node("sums", summing)
    seldom = model.node("seldom", library.linear, intercept=1.0)
    model.project(sums, seldom)
    model.input(sums)
    model.output(seldom)
    model.schedule.when(seldom, cogir.EveryNCalls(sums, 2))
    model.control(
        "control",
        objective=seldom,
        direction="maximize",
        signals=[cogir.Signal(sums.param("slope"), levels=[0.5, 2.0, 1.0])],
        trials_per_estimate=2,
    )
    inputs = {"sums": [1.0, -2.0, 3.0]}
    expected = cogir.compile(model, cache=False).run(inputs).results
    logged = compile_source(source_of(model), "run", Options(cache=False, logged=("sums/port:value", "seldom/port:value"), log_room=16))
    assert logged.run(inputs).results == expected
    rows, count = rows_of(logged, "seldom")
    assert count == 3
    assert rows[:3, 3].tolist() == [float(np.ravel(result)[0]) for result in expected]
    assert rows_of(logged, "sums")[1] == 6
    module = model.ir()
    lower_to(module, "scheduled")
    ConvertCogToMachine(logged=("sums/port:value",)).apply(Context(), module)
    assert sum(op.name == "scf.while" for op in module.walk()) == 1  # the passes of trials in earnest


def test_what_is_not_there_cannot_be_logged():
    module = ParsedModel(SETTLE).ir()
    lower_to(module, "scheduled")
    with pytest.raises(PassFailedException, match="cannot log layer/port:other: the model has no such port"):
        ConvertCogToMachine(logged=("layer/port:other",)).apply(Context(), module)
