"""The record of a controller: of each simulation the levels and the outputs, also in models inside, and never within other simulations."""

from itertools import product

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.utils.exceptions import PassFailedException

import cogir
from cogir.frontend.compile import source_of
from cogir.library import Random, State, Step
from cogir.lowering.convert_cog_to_machine import ConvertCogToMachine
from cogir.runtime.modes import compile_source
from cogir.runtime.options import Options

LEVELS = ((1.0, 2.0, 3.0), (10.0, 20.0))


def summed(x, *, gain=1.0, total: State = 0.0):
    return Step(outputs=(total + gain * x,), states=(total + gain * x,))


def three(x, *, shift=1.0):
    return np.array([x, x + shift, x - shift])


def searched(**given):
    """Adds up its inputs, times a gain; a controller chooses the gain and what is added."""
    m = cogir.Model("part")
    a = m.node("a", summed, input={"x": ()})
    b = m.node("b", three, input={"x": ()})
    m.project(a, b)
    m.output(a)
    m.output(b)
    signals = [cogir.Signal(a.param("gain"), levels=LEVELS[0]), cogir.Signal(b.param("shift"), levels=LEVELS[1])]
    m.control("c", objective=a, signals=signals, when="before", **given)
    return m


def enclosed(**given):
    """The same in a model that has a controller itself."""
    m = cogir.Model("outer")
    first = m.node("first", lambda x, *, gain=1.0: gain * x, input={"x": ()})
    part = m.instance("part", searched(**given))
    m.project(first, part)
    m.control("c", objective=part["a"], signals=[cogir.Signal(first.param("gain"), levels=[0.5, 0.25])])
    return m


def compiled(model, recorded=("c",), room=2**16):
    """The model, natively."""
    return compile_source(source_of(model), "run", Options(cache=False, recorded=recorded, record_room=room))


def record_of(native, path="c"):
    """The record of a controller, and how many searches it has seen."""
    context = native.context()
    rows, count = (context.plan.slots[f"{path}/record:{name}"] for name in ("rows", "count"))
    return context.sf[rows.words].reshape(rows.shape), int(context.si[count.offset])


def expected(total, trials=1, given=1.0):
    """The rows of a search that begins with this total, and simulates so many trials with this input."""
    ends = [(gain, shift, total + trials * gain * given) for gain, shift in product(*LEVELS)]
    return [[gain, shift, end, *three(end, shift=shift)] for gain, shift, end in ends]


@pytest.mark.parametrize("trials", [1, 3])
def test_rows_hold_levels_and_outputs(trials):
    native = compiled(searched(trials_per_estimate=trials))
    native.run({"a": [1.0]}, num_trials=2)
    rows, count = record_of(native)
    assert rows.shape == (2**16 // 36, 6, 6)
    assert count == 2
    np.testing.assert_array_equal(rows[:2], [expected(0.0, trials), expected(3.0, trials)])
    assert not rows[2:].any()


def test_each_estimate_has_a_row():
    def noisy(x, *, gain=1.0, rng: Random):
        return gain * x + rng.normal()

    m = cogir.Model("m")
    a = m.node("a", noisy, input={"x": ()}, seed=3)
    m.control("c", objective=a, signals=[cogir.Signal(a.param("gain"), levels=[1.0, 2.0])], estimates=3, seed_base=5, keep="values")
    native = compiled(m)
    native.run({"a": [1.0]})
    rows, count = record_of(native)
    assert (rows.shape[1:], count) == ((6, 2), 1)
    assert rows[0, :, 0].tolist() == [1.0] * 3 + [2.0] * 3
    assert len(set(rows[0, :, 1])) == 6
    np.testing.assert_allclose(rows[0, :, 1].reshape(2, 3).mean(axis=1), native.state["c/values"], rtol=1e-15)


def test_searches_of_models_inside_are_recorded_but_for_those_within_simulations():
    native = compiled(enclosed(), ("part/c", "c"))
    native.run({"first": [1.0]}, num_trials=2)
    rows, count = record_of(native, "part/c")
    assert count == 2
    np.testing.assert_array_equal(rows[:2], [expected(0.0), expected(3.0, given=0.5)])
    outer, outer_count = record_of(native)
    assert (outer.shape[1:], outer_count) == ((2, 5), 2)
    assert outer[:2, :, 0].tolist() == [[0.5, 0.25]] * 2


def test_what_has_no_room_is_counted():
    native = compiled(searched(), room=1)
    native.run({"a": [1.0]}, num_trials=3)
    rows, count = record_of(native)
    assert count == 3
    np.testing.assert_array_equal(rows, [expected(6.0)])


def test_a_model_computes_the_same_with_and_without_a_record():
    plain = enclosed().compile(cache=False)
    inputs = {"first": [0.3, -1.0, 2.0]}
    results = [each.run(inputs).rows for each in (plain, compiled(enclosed(), ("part/c", "c")))]
    assert results[0].tobytes() == results[1].tobytes()
    assert not any("record:" in path for path in plain.plan.slots)


def test_records_stand_at_the_end_of_the_state():
    plan = compiled(enclosed(), ("part/c", "c")).context().plan
    last = sorted((slot for slot in plan.slots.values() if slot.buffer == "sf"), key=lambda slot: slot.offset)[-2:]
    assert {slot.path for slot in last} == {"part/c/record:rows", "c/record:rows"}
    assert plan.unrecorded == last[0].offset
    assert enclosed().compile(cache=False).plan.unrecorded == plan.unrecorded


def test_what_is_not_there_cannot_be_recorded():
    with pytest.raises(PassFailedException, match="cannot record part/d: the model has no such controller"):
        ConvertCogToMachine(recorded=("part/d",)).apply(Context(), source_of(enclosed()).build())
