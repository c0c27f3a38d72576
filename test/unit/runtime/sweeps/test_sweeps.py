"""Sweeps: the same numbers as runs with these parameters, states, inputs and streams, in lanes, in chunks and in threads."""

import gc
import re
import weakref
from random import Random as Chance
from typing import Any

import numpy as np
import pytest
from support.interrupts import press_soon
from support.long import long
from support.random.lanes import random_lanes
from xdsl.dialects import func

import cogir
from cogir import library
from cogir.library import Random, State, Step, Value
from cogir.lowering.pipeline import lower_to
from cogir.runtime.sweeps import collected as collected_module
from cogir.runtime.sweeps import job as job_module

pytestmark = pytest.mark.sampled(4)

KINDS = ["mt19937", "philox4x64", "xoshiro256"]


def race(
    evidence: Value, *, rate: float = 0.3, threshold: float = 1.0, weights: Value = np.ones(3), total: State = np.zeros(3), random: Random
) -> Step:
    """Three accumulators, with weights for their evidence and an odd number of normals in each step."""
    total = total + rate * weights * evidence + 0.2 * random.normal(3) + 0.01 * random.uniform(3)
    return Step(outputs=(total,), states=(total,), finished=np.max(total) >= threshold)


def lingering(value: Value, *, trace: State = np.zeros(3)) -> Step:
    """A sum over trials."""
    return Step(outputs=(trace + value,), states=(trace + value,))


def race_model(prng: str = "xoshiro256") -> cogir.Model:
    """A race between a node before it and one after it whose state goes on from trial to trial."""
    model = cogir.Model("race")
    before = model.node("before", library.linear, input=3, slope=1.0)
    decision = model.node("decision", race, input=3, execute_until_finished=True, max_executions_before_finished=500, prng=prng)
    after = model.node("after", lingering, input=3)
    model.project(before, decision)
    model.project(decision, after)
    model.output(decision)
    model.output(after)
    model.schedule.reset(decision, cogir.AtTrialStart())
    return model


INPUTS = {"before": [[0.1, 0.2, 0.3], [0.5, 0.1, 0.0]]}
RATES, THRESHOLDS, WEIGHTS = [0.2, 0.5, 0.9], [0.5, 1.5], [[1.0, 1.0, 1.0], [0.5, 2.0, 1.0]]


def outcome(found: cogir.Sweep) -> tuple[bytes, ...]:
    """The bits of all results; NaN is one value, whatever its payload."""
    arrays = [held.values for held in (*found.dataset().variables.values(), *found.dataset().beside.values())]
    return tuple((np.where(np.isnan(held), np.nan, held) if held.dtype.kind == "f" else held).tobytes() for held in arrays)


def functions_of(model: cogir.Model, varying: tuple[str, ...], **options: Any) -> set[str]:
    """The functions that a model for a sweep has at stage `machine`."""
    module = model.ir()
    lower_to(module, "machine", options={"replicate": {"enabled": True, "points": True}, "fill-lanes": {"varying": varying}}, **options)
    return {op.sym_name.data for op in module.ops if isinstance(op, func.FuncOp)}


@pytest.mark.parametrize("kind", KINDS)
def test_each_replicate_is_a_run(kind: str) -> None:
    """With its parameters, and the streams that `cogir.random` gives."""
    compiled = race_model(kind).compile()
    points = {"decision/rate": RATES, "decision/threshold": THRESHOLDS, "decision/weights": WEIGHTS}
    found = compiled.sweep(points, INPUTS, replicates=3, seed=5)
    assert found["decision"].shape == (3, 2, 2, 3, 2, 3)
    for point in (0, 1, 5, 11):
        place = np.unravel_index(point, (3, 2, 2))
        for replicate in (0, 2):
            context = compiled.context(f"{point} {replicate}")
            for (name, values), index in zip(points.items(), place, strict=True):
                context.params[name] = values[index]
            generator = "decision" if kind == "xoshiro256" else 0
            context.generators["decision"] = cogir.random(5, kind, generator=generator, point=point, replicate=replicate)
            run = compiled.run(INPUTS, context=context)
            for path in found:
                np.testing.assert_array_equal(run[path], found[path][(*place, replicate)])
    assert functions_of(race_model(kind), ("decision/param:rate",)).isdisjoint({"lanes_iterate"}) == (kind != "xoshiro256")


WAYS: list[dict[str, Any]] = [{"mode": "python"}, {"without": ("fill-lanes",)}, {"threads": 3}, {"mode": "exec"}]


@pytest.mark.parametrize("asked", [{"reduce": ["mean", "sd", "quantiles"]}, *long({}, {"common_random_numbers": True})], ids=str)
def test_all_ways_give_the_same(asked: dict[str, Any]) -> None:
    model = race_model()
    points = {"decision/rate": RATES, "before/slope": [1.0, 2.0], "decision/limit:executions": [500, 4]}
    expected = outcome(model.compile(unfinished="ignore").sweep(points, INPUTS, replicates=7, seed=3, **asked))
    for options in WAYS:
        compiled = model.compile(unfinished="ignore", **options)
        assert outcome(compiled.sweep(points, INPUTS, replicates=7, seed=3, **asked)) == expected, options


def test_common_random_numbers_are_those_of_replicates() -> None:
    compiled = race_model().compile()
    found = compiled.sweep({"decision/rate": RATES}, INPUTS, replicates=20, seed=9, common_random_numbers=True)
    for number, rate in enumerate(RATES):
        compiled.params["decision/rate"] = rate
        again = compiled.replicates(INPUTS, count=20, seed=9)
        np.testing.assert_array_equal(found["decision"][number], again["decision"])
    different = compiled.sweep({"decision/rate": [0.5, 0.5]}, INPUTS, replicates=20, seed=9)
    assert not np.array_equal(different["decision"][0], different["decision"][1])


def test_values_side_by_side() -> None:
    pandas = pytest.importorskip("pandas")
    compiled = race_model().compile()
    together = {"decision/rate": RATES, "before/slope": [1.0, 2.0, 0.5]}
    found = compiled.sweep(cogir.zipped(together), INPUTS, replicates=4, seed=1)
    assert found["decision"].shape == (3, 4, 2, 3)
    table = compiled.sweep(pandas.DataFrame(together), INPUTS, replicates=4, seed=1)
    assert outcome(table) == outcome(found)
    both = compiled.sweep({"pair": cogir.zipped(together), "decision/threshold": THRESHOLDS}, INPUTS, replicates=4, seed=1)
    assert both["decision"].shape == (3, 2, 4, 2, 3)
    whole = compiled.sweep(
        {"decision/rate": RATES, "before/slope": [1.0, 2.0, 0.5], "decision/threshold": THRESHOLDS},
        INPUTS,
        replicates=4,
        seed=1,
        common_random_numbers=True,
    )
    common = compiled.sweep(
        {"pair": cogir.zipped(together), "decision/threshold": THRESHOLDS}, INPUTS, replicates=4, seed=1, common_random_numbers=True
    )
    for number in range(3):
        np.testing.assert_array_equal(common["decision"][number], whole["decision"][number, number])
    assert [axis.name for axis in both.points.axes] == ["pair", "decision/threshold"]


def test_conditions_have_labels() -> None:
    pandas = pytest.importorskip("pandas")
    compiled = race_model().compile()
    fast, slow = {"before": [0.5, 0.1, 0.0], "decision/rate": 0.9}, {"before": [0.1, 0.2, 0.3], "decision/rate": 0.2}
    reduce = {"mean": cogir.reductions.Mean("decision"), "third": lambda r: r["decision"][..., 2].mean()}
    found = compiled.sweep({"condition": {"fast": fast, "slow": slow}}, replicates=4, seed=1, reduce=reduce)
    zipped = cogir.zipped({key: [fast[key], slow[key]] for key in fast})
    plain = compiled.sweep(zipped, replicates=4, seed=1, reduce=reduce)
    assert outcome(found) == outcome(plain)
    (axis,) = found.points.axes
    assert (axis.name, axis.coordinates["condition"].tolist()) == ("condition", ["fast", "slow"])
    assert axis.coordinates["decision/rate"].tolist() == [0.9, 0.2]
    assert axis.coordinates["before[0]"].tolist() == [0.5, 0.1]
    assert found.to_dataframe().loc["slow"]["third"].tolist() == [found["third"][1]]
    assert found.plot("third").get_xlabel() == "condition"
    rates = {"decision/rate": [0.9, 0.2]}
    for points in (
        pandas.DataFrame({"group": ["fast", "slow"], **rates}),
        pandas.DataFrame(rates, index=pandas.Index(["fast", "slow"], name="group")),
        cogir.zipped({"group": ["fast", "slow"], **rates}),
        {"group": cogir.zipped({"group": ["fast", "slow"], **rates})},
    ):
        (axis,) = compiled.sweep(points, INPUTS, replicates=1).points.axes
        assert (axis.name, axis.coordinates["group"].tolist()) == ("group", ["fast", "slow"])
    twice = pandas.DataFrame({"group": ["fast", "fast"], **rates})
    assert compiled.sweep(twice, INPUTS, replicates=1).points.axes[0].name == "point"
    for missing in (None, np.nan, pandas.NA):
        with pytest.raises(cogir.InputError, match='labels "group": that of row 1 is missing; give a text in each row'):
            compiled.sweep(pandas.DataFrame({"group": ["fast", missing], **rates}), INPUTS)


def test_labels_of_points_are_not_lost() -> None:
    pandas = pytest.importorskip("pandas")
    xarray = pytest.importorskip("xarray")
    compiled = race_model().compile()
    rates, noises = (pandas.Series(values, index=[4, 7]) for values in ([0.9, 0.2], [0.1, 0.3]))
    plain = compiled.sweep(cogir.zipped({"decision/rate": [0.9, 0.2], "decision/threshold": [0.1, 0.3]}), INPUTS, replicates=2, seed=1)
    found = compiled.sweep(cogir.zipped({"decision/rate": rates, "decision/threshold": noises}), INPUTS, replicates=2, seed=1)
    assert outcome(found) == outcome(plain)
    assert compiled.sweep({"decision/rate": xarray.DataArray([0.9, 0.2], {"rate": [0.9, 0.2]})}, INPUTS).points.count == 2
    turned = pandas.Series([0.3, 0.1], index=[7, 4])
    with pytest.raises(
        cogir.InputError, match=r'axis "point": the rows of "decision/rate" and "decision/threshold" .* \(row 0 is 4 and 7\)'
    ):
        compiled.sweep(cogir.zipped({"decision/rate": rates, "decision/threshold": turned}), INPUTS)
    for name in ("decision/rate", "before[0]"):
        for named in (pandas.Series([0.9, 0.2], ["easy", "hard"]), xarray.DataArray([0.9, 0.2], {"task": ["easy", "hard"]})):
            with pytest.raises(cogir.InputError, match=r"points are called easy, hard, .*zipped\(\{\"condition\": list\(labels\)"):
                compiled.sweep({name: named}, INPUTS)
        for names in (["easy", pandas.NA], [("easy", 1), ("hard", 2)]):
            named = pandas.Series([0.9, 0.2], pandas.Index(names, dtype=object))
            with pytest.raises(cogir.InputError, match=r"results would not have these names; give values\.to_numpy\(\)$"):
                compiled.sweep({name: named}, INPUTS)
        missing = pandas.Series([1, None], dtype="Int64")
        with pytest.raises(cogir.InputError, match=r"found a Series with missing values .NA, first in row 1\)"):
            compiled.sweep({name: missing}, INPUTS)
        with pytest.raises(cogir.InputError, match=rf"column .{re.escape(name)}. of the DataFrame: found a Series with missing values"):
            compiled.sweep(pandas.DataFrame({name: missing}), INPUTS)


def test_labels_of_points_that_are_no_names_have_no_meaning() -> None:
    pandas = pytest.importorskip("pandas")
    xarray = pytest.importorskip("xarray")
    compiled = race_model().compile()
    values = [0.9, 0.2]
    plain = outcome(compiled.sweep({"decision/rate": values}, INPUTS, seed=1))
    dates = pandas.to_datetime(["2026-01-03", "2026-01-01"])
    for index in (
        [0.25, 0.75],
        [3, 1],
        [1.0, float("nan")],
        dates,
        dates.tz_localize("UTC"),
        pandas.interval_range(0, 2),
        [(1, 2), (1, 1)],
    ):
        given = pandas.Series(values, index)
        assert outcome(compiled.sweep({"decision/rate": given}, INPUTS, seed=1)) == plain
        assert outcome(compiled.sweep(cogir.zipped({"decision/rate": given}), INPUTS, seed=1)) == plain
    for coordinates in ({"contrast": [0.5, 0.1]}, {"time": dates}, {}):
        given = xarray.DataArray(values, coordinates, dims=list(coordinates) or ["contrast"])
        assert outcome(compiled.sweep({"decision/rate": given}, INPUTS, seed=1)) == plain


def test_labels_of_points_that_are_arrays() -> None:
    pandas = pytest.importorskip("pandas")
    xarray = pytest.importorskip("xarray")
    model = cogir.Model("m")
    model.node("n", lambda variable, bias=np.zeros(2): variable + bias, input=2)
    compiled = model.compile()
    for index in ([3, 1], [0.5, 0.1], pandas.MultiIndex.from_tuples([(1, 2), (1, 1)])):
        rows = pandas.DataFrame([[1.0, 2.0], [3.0, 4.0]], index)
        for given in (rows, xarray.DataArray(rows) if rows.index.nlevels == 1 else rows):
            found = compiled.sweep({"n/bias": given}, {"n": [0.0, 0.0]})
            assert found["n"].reshape(2, 2).tolist() == [[1.0, 2.0], [3.0, 4.0]]
    named = pandas.DataFrame([[1.0, 2.0], [3.0, 4.0]], ["easy", "hard"])
    for given in (named, xarray.DataArray(named)):
        with pytest.raises(cogir.InputError, match=r"points are called easy, hard, .*zipped\(\{\"condition\": list\(labels\)"):
            compiled.sweep({"n/bias": given}, {"n": [0.0, 0.0]})
    remedied = compiled.sweep(cogir.zipped({"condition": list(named.index), "n/bias": named.to_numpy()}), {"n": [0.0, 0.0]})
    assert remedied.points.axes[0].name == "condition"
    with pytest.raises(cogir.InputError, match=r"the rows of .n/bias. and .n. have different labels \(row 0 is easy and 0\)"):
        compiled.sweep(cogir.zipped({"n/bias": named, "n": named.reset_index(drop=True)}))


def test_inputs_of_points_take_precedence() -> None:
    compiled = race_model().compile()
    given = {"condition": {"weak": {"before": [[0.1, 0.1, 0.1]]}, "strong": {"before": [[0.9, 0.9, 0.9]]}}}
    alone, both = (compiled.sweep(given, inputs, replicates=2, seed=1) for inputs in (None, {"before": [[5.0, 5.0, 5.0]]}))
    assert outcome(alone) == outcome(both)


def test_parameters_among_inputs_are_told_apart() -> None:
    compiled = race_model().compile()
    for name in ("decision/weights[0]", "decision/rate"):
        for call in (lambda given: compiled.sweep({"decision/weights[1]": [1.0, 2.0]}, given), compiled.run):
            with pytest.raises(
                cogir.InputError, match=re.escape(f'inputs: "{name}" is a parameter, and no input; set it before, params["')
            ):
                call({name: [1.0]})
    rest = {"before[0]": 1.0, "before[2]": 3.0}
    with pytest.raises(cogir.InputError, match=r"give a column for each element of before/variable, also \(0\) for those that vary"):
        compiled.sweep({"before[1]": [1.0, 2.0]}, rest)
    found = compiled.sweep({"before[1]": [1.0, 2.0]}, rest | {"before[1]": 0}, seed=1)
    assert outcome(found) == outcome(compiled.sweep({"before[1]": [1.0, 2.0]}, {"before": [[1.0, 9.0, 3.0]]}, seed=1))


def test_elements_that_vary_are_coordinates() -> None:
    compiled = race_model().compile()
    before = np.ones((3, 2, 3))
    before[:, :, 1] = [[1.0], [2.0], [3.0]]
    assert list(compiled.sweep({"before": before[:, 0]}).points.axes[0].coordinates) == ["before[1]"]
    assert list(compiled.sweep({"before": before}).points.axes[0].coordinates) == ["before[1]"]
    before[0, 1, 0] = 7.0
    assert list(compiled.sweep({"before": before}).points.axes[0].coordinates) == []
    weights = compiled.sweep({"decision/weights": WEIGHTS}, INPUTS).points.axes[0].coordinates
    assert {name: marks.tolist() for name, marks in weights.items()} == {
        "decision/weights[0]": [1.0, 0.5],
        "decision/weights[1]": [1.0, 2.0],
    }


def test_inputs_that_vary() -> None:
    compiled = race_model().compile()
    inputs = np.array([[0.1, 0.2, 0.3], [0.5, 0.1, 0.0], [1.0, 0.0, 0.0]])
    found = compiled.sweep({"before": inputs, "decision/rate": RATES}, replicates=3, seed=2, common_random_numbers=True)
    assert found["decision"].shape == (3, 3, 3, 1, 3)
    trials = np.stack([inputs, inputs[::-1]], axis=1)
    longer = compiled.sweep({"before": trials}, replicates=3, seed=2, common_random_numbers=True)
    assert longer["decision"].shape == (3, 3, 2, 3)
    for number in range(3):
        compiled.params["decision/rate"] = RATES[1]
        again = compiled.replicates({"before": [inputs[number]]}, count=3, seed=2)
        np.testing.assert_array_equal(found["decision"][number, 1], again["decision"])
        compiled.params["decision/rate"] = 0.3
        again = compiled.replicates({"before": trials[number]}, count=3, seed=2)
        np.testing.assert_array_equal(longer["decision"][number], again["decision"])


@pytest.mark.parametrize("mode", ["run", "python"])
def test_states_that_vary(mode: str) -> None:
    compiled = race_model().compile(mode=mode)
    traces = np.array([[0.0, 0.0, 0.0], [1.0, 2.0, 3.0]])
    asked: dict[str, Any] = {"inputs": INPUTS, "replicates": 3, "seed": 2, "common_random_numbers": True}
    found = compiled.sweep({"after/state:trace": traces, "decision/rate": RATES}, **asked)
    np.testing.assert_allclose(found["after"][1], found["after"][0] + [1.0, 2.0, 3.0], atol=1e-12)
    compiled.run(INPUTS)
    stands = np.array(compiled.state["after/trace"])
    later = compiled.sweep({"decision/rate": RATES}, **asked, start="context")
    np.testing.assert_allclose(later["after"][:, :, 0] - later["decision"][:, :, 0], np.broadcast_to(stands, (3, 3, 3)), atol=1e-12)
    np.testing.assert_array_equal(compiled.state["after/trace"], stands)


def test_states_begin_with_the_parameters_of_their_point() -> None:
    """A context that has not begun: where the model begins depends on what varies."""
    compiled = race_model().compile()
    asked: dict[str, Any] = {"inputs": INPUTS, "replicates": 2, "common_random_numbers": True}
    found = compiled.sweep({"after/initial:state:trace": np.array([[0.0, 0.0, 0.0], [5.0, 5.0, 5.0]])}, **asked)
    np.testing.assert_allclose(found["after"][1], found["after"][0] + 5.0, atol=1e-12)
    also = compiled.sweep({"after/initial:state:trace": [0.0, 5.0], "after/port:value": [0.0, 1.0]}, **asked)
    np.testing.assert_array_equal(also["after"][:, 0], found["after"])


@pytest.mark.filterwarnings("ignore::cogir.ResetWarning")
@pytest.mark.parametrize("numbers", [range(2), *long(range(2, 150))])
def test_random_loops_in_lanes(numbers: range) -> None:
    """Whatever varies, points in lanes are those of the interpreter."""
    for number in numbers:
        chance = Chance(f"sweep {number}")
        drawn = random_lanes(chance)
        compiled = drawn.model.compile(unfinished="ignore")
        known = [path for path in compiled.params if path.partition("/")[2].startswith("param:")]
        chosen = chance.sample(known, chance.randint(1, min(3, len(known))))
        points = {path: [compiled.params[path], *_others(compiled, path, chance)] for path in chosen}
        asked: dict[str, Any] = {"inputs": drawn.inputs, "num_trials": drawn.trials, "replicates": 20, "seed": number}
        with np.errstate(all="ignore"):
            expected = outcome(drawn.model.compile(mode="python", unfinished="ignore").sweep(points, **asked))
        assert outcome(compiled.sweep(points, **asked)) == expected, number
        assert "lanes_iterate" in functions_of(drawn.model, tuple(chosen))


def _others(compiled: cogir.Compiled, path: str, chance: Chance) -> list[Any]:
    """Some more values that a parameter can have."""
    now = np.asarray(compiled.params[path])
    held = compiled.plan.ranges.get(path)
    tried = [np.full(now.shape, value) for value in (chance.uniform(0.1, 1.5), 0.0, -0.0, np.inf, np.nan, -1.0)]
    return [value.tolist() for value in tried if held is None or held.holds(value)][:3]


def test_chunks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = race_model().compile(unfinished="ignore")
    reductions: dict[str, Any] = {
        "mean": cogir.reductions.Mean("decision"),
        "sd": cogir.reductions.StandardDeviation("decision", where=lambda r: r["after"][..., 0] > 0.5),
        "quantiles": cogir.reductions.Quantiles("after", [0.0, 0.3, 1.0]),
        "histogram": cogir.reductions.Histogram("after", np.linspace(-1, 3, 5)),
        "own": lambda r: r["decision"].sum(axis=(0, 1)),
    }
    monkeypatch.setattr("cogir.runtime.sweeps.reductions.LONGEST_BLOCK", 16)
    for reduce in (None, reductions):
        asked: dict[str, Any] = {"points": {"decision/rate": RATES}, "inputs": INPUTS, "replicates": 53, "seed": 2, "reduce": reduce}
        found: list[tuple[bytes, ...]] = []
        for size in (2**25, 2**13, 2**11, 1):
            monkeypatch.setattr(job_module, "CHUNK_BYTES", size)
            found.append(outcome(compiled.sweep(**asked)))
        assert found[0] == found[1] == found[2] == found[3]


def test_the_runs_own_termination() -> None:
    def walking(step: Value, *, drift: float = 0.0, position: State = 0.0, random: Random) -> Step:
        position = np.abs(position + step + drift + random.normal(1))
        return Step(outputs=(position,), states=(position,))

    model = cogir.Model("stops")
    node = model.node("node", walking, input=1)
    model.schedule.run_ends(cogir.Threshold(node, "position", 1.5, ">", indices=0))
    asked: dict[str, Any] = {"points": {"node/drift": [0.0, 0.2, 3.0]}, "inputs": {"node": [[0.1]]}, "replicates": 30, "num_trials": 20}
    found = model.compile().sweep(**asked)
    lengths = found.dataset().beside["lengths"].values
    assert lengths[2].max() < 5
    assert lengths.min() < lengths.max()
    kept = np.arange(20) < lengths[..., None]
    np.testing.assert_array_equal(np.isnan(found["node"][..., 0]), ~kept)
    reduced = model.compile().sweep(**asked, reduce=["mean", "count", "maximum"])
    counts = kept.sum(axis=1)
    np.testing.assert_array_equal(reduced["node", "value", "count"][..., 0], counts)
    with np.errstate(invalid="ignore"):
        mean = np.where(kept, np.nan_to_num(found["node"][..., 0]), 0.0).sum(axis=1) / counts
    np.testing.assert_allclose(reduced["node", "value", "mean"][..., 0], mean, rtol=1e-13)
    np.testing.assert_array_equal(np.isnan(reduced["node", "value", "maximum"][..., 0]), counts == 0)


@pytest.mark.parametrize("reduce", [None, "mean"])
def test_interrupt(reduce: Any) -> None:
    model = race_model()
    compiled = model.compile(unfinished="ignore")
    points = {"decision/threshold": np.full(20_000, 60.0)}
    compiled.sweep({"decision/threshold": [1.0]}, INPUTS, reduce=reduce)
    press_soon(0.5)
    with pytest.raises(cogir.SweepInterrupted, match=r"sweep: interrupted after [\d,]+ of 20,000 points") as caught:
        compiled.sweep(points, INPUTS, replicates=100, reduce=reduce)
    found = caught.value.result
    count = int(found.finished.sum())
    assert found.status == "interrupted"
    assert 0 < count < 20_000
    assert found.finished[:count].all()
    again = compiled.sweep({"decision/threshold": np.full(count, 60.0)}, INPUTS, replicates=100, reduce=reduce)
    for path in found:
        np.testing.assert_array_equal(found[path][:count], again[path])
        assert np.isnan(found[path][count + 1 :]).all()


def test_statistics_that_were_made_at_no_point_are_nan(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = race_model().compile()
    asked = {"mean": cogir.reductions.Mean("decision"), "times": cogir.reductions.Histogram("after", [0.0, 1.0, 2.0])}
    whole = compiled.sweep({"decision/rate": RATES}, INPUTS, replicates=5, reduce=asked)
    none = compiled.sweep({"decision/rate": RATES}, INPUTS, replicates=5, num_trials=0, reduce=asked)
    assert list(none) == list(whole)
    for path in whole:
        assert none[path].shape[2:] == whole[path].shape[2:]
        assert none[path].shape[:2] == (3, 0)

    def interrupted(*given: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(compiled.engine, "sweeper", interrupted)
    with pytest.raises(cogir.SweepInterrupted, match="interrupted after 0 of 3 points") as caught:
        compiled.sweep({"decision/rate": RATES}, INPUTS, replicates=5, reduce=asked)
    sweep = caught.value.result
    assert list(sweep) == list(whole)
    for path in whole:
        assert sweep[path].shape == whole[path].shape
    assert np.isnan(sweep["mean"]).all()


def test_functions_of_users_may_keep_what_they_see() -> None:
    """Memory of a slice is used again by the next one, unless a function of a user sees it."""
    seen: list[Any] = []

    def fast(block: Any) -> Any:
        seen.append(block["decision"])
        return block["decision"]

    compiled = race_model().compile()
    points = {"decision/rate": np.linspace(0.2, 0.9, 400)}
    kept = compiled.sweep(points, INPUTS, replicates=100, seed=1)
    compiled.sweep(points, INPUTS, replicates=100, seed=1, reduce={"fast": cogir.reductions.Mean(fast)})
    assert len(seen) > 1
    np.testing.assert_array_equal(np.concatenate(seen), kept["decision"])


def test_flags_of_replicates() -> None:
    compiled = race_model().compile(unfinished="error")
    points = {"decision/limit:executions": [500, 3]}
    with pytest.raises(cogir.ExecutionError, match=r'node "decision": .* trials were cut off') as caught:
        compiled.sweep(points, INPUTS, replicates=50)
    found = caught.value.result.unfinished["decision"]
    assert found.shape == (2, 50, 2)
    with pytest.raises(cogir.ExecutionError, match="cut off") as caught:
        compiled.sweep(points, INPUTS, replicates=50, reduce="mean")
    np.testing.assert_allclose(caught.value.result.unfinished["decision"], found.mean(axis=1))


def test_a_limit_of_steps_names_the_point() -> None:
    model = cogir.Model("waiting")
    walk = model.node("walk", library.drift_diffusion_integrator, input=1, noise=1.0)
    model.schedule.trial_ends(cogir.Threshold(walk, "previous_value", 1.0, ">", indices=0))
    compiled = model.compile()
    compiled.params["limit:passes"] = 4
    with pytest.raises(cogir.ExecutionError, match=r"sweep: .* in replicate \d at point [12] before"):
        compiled.sweep({"walk/rate": [100.0, -100.0, 0.0]}, {"walk": [[1.0]]}, replicates=5)


@pytest.mark.parametrize(
    ("points", "asked", "message"),
    [
        ({"decision/rat": [1.0]}, {}, 'sweep: there is no "decision/rat"; did you mean "decision/rate"?'),
        ({}, {}, r"sweep: nothing varies; give a dict"),
        ([1.0], {}, r"sweep: found \[1.0\] as the points; give a dict .* cogir.zipped"),
        ({"decision/rate": 1.0}, {}, r"decision/param:rate: found an array of shape \(\); give a list of values, each one number"),
        ({"decision/rate": []}, {}, "there are no values; give one at least"),
        ({"decision/rate": ["a"]}, {}, "decision/param:rate: found .*text"),
        ({"decision/weights": [[1.0, 2.0]]}, {}, r"each of shape \(3,\): the shape is \(points, 3\)"),
        ({"decision/limit:executions": [2.5]}, {}, "not a whole number"),
        ({"decision/rate": [1.0], "decision/param:rate": [2.0]}, {}, "decision/param:rate is given twice"),
        ({"trial": {"a": {"decision/rate": 1.0}, "b": {"decision/rate": 2.0}}}, {}, 'called "trial" already; give the axis another name'),
        (cogir.zipped({"decision/rate": [1.0, 2.0], "value": ["a", "b"]}), {}, 'called "value" already; give the axis another name'),
        ({"c": {1: {"decision/rate": 1.0}, "1": {"decision/rate": 2.0}}}, {}, 'axis "c" has two conditions called "1"; give each'),
        (cogir.zipped({"decision/rate": [1.0], "before/slope": [1.0, 2.0]}), {}, 'axis "point": values that vary together .* 1 of dec'),
        (cogir.zipped({"group": ["a", "b"], "before/slope": [1.0]}), {}, "values that vary together .* 1 of before/slope, 2 of group"),
        ({"group": cogir.zipped({"called": ["a", "b"]})}, {}, 'axis "group" has no columns of numbers'),
        ({"group": {}}, {}, 'axis "group" has no conditions'),
        ({"group": {"a": [1.0]}}, {}, r"condition 'a' of axis \"group\" is \[1.0\]; give a dict"),
        ({"group": {"a": {"before/slope": 1.0}, "b": {}}}, {}, "condition 'b' of axis \"group\" is {}; give a dict"),
        (
            {"group": {"a": {"before/slope": 1.0, "decision/rate": 1.0}, "b": {"before/slope": 1.0}}},
            {},
            'condition \'b\' of axis "group" has no "decision/rate", but others have it',
        ),
        (
            {"group": {"a": {"before/slope": 1.0}, "b": {"before/slope": 1.0, "decision/rate": 1.0}}},
            {},
            'condition \'b\' of axis "group" has "decision/rate", but others have not',
        ),
        ({"before/slope": {"a": {"decision/rate": 1.0}}}, {}, '"before/slope" is a quantity of the model, and found a dict'),
        ({"before": [[1.0, 2.0]]}, {}, r"inputs before: found an array of shape \(1, 2\); give one of shape \(points, 3\) for one trial"),
        ({"before": np.zeros((2, 3, 3))}, {"inputs": INPUTS}, "have 3 trials at each point, but other inputs have 2"),
        ({"decision/rate": [1.0]}, {"replicates": 0}, "sweep: replicates is 0; give a whole number from 1"),
        ({"decision/rate": [1.0]}, {"seed": -1}, "sweep: seed is -1"),
        ({"decision/rate": [1.0]}, {"num_trials": -1}, "sweep: num_trials is -1"),
        ({"decision/rate": [1.0]}, {"common_random_numbers": 1}, "common_random_numbers is 1; give True or False"),
        ({"decision/rate": [1.0]}, {"reduce": "men"}, "found 'men'; did you mean \"mean\""),
        ({"decision/rate": [1.0]}, {"reduce": []}, "reduce is empty; leave it out"),
        ({"decision/rate": [1.0]}, {"reduce": {"a": 3}}, "reduce: found 3; give"),
        ({"decision/rate": [1.0]}, {"reduce": {1: "mean"}}, "found 1 as the name of a result"),
        ({"decision/rate": [1.0]}, {"reduce": 7}, "sweep: reduce is 7; give one or several"),
        ({"decision/rate": [1.0]}, {"reduce": ["mean", "mean"]}, "two results are called"),
        ({"decision/rate": [1.0]}, {"reduce": cogir.reductions.Mean("decison")}, 'reduce: there is no "decison"; did you mean'),
        ({"decision/rate": [1.0]}, {"reduce": cogir.reductions.Mean(lambda r: r["decision"].sum())}, "the first axes .* must stay"),
        ({"decision/rate": [1.0]}, {"reduce": cogir.reductions.Mean("after", where=3)}, "found where=3; give a function"),
        ({"decision/rate": [1.0]}, {"reduce": cogir.reductions.Mean("after", where=lambda r: r["after"])}, "where returned float64"),
        ({"decision/rate": [1.0, 2.0]}, {"reduce": lambda r: "text"}, "the function returned 'text'; it must return a number"),
        (
            {"decision/rate": [1.0]},
            {"reduce": cogir.reductions.Quantiles("after"), "replicates": 10**10},
            "values at each point would be kept",
        ),
        ({"decision/rate": np.ones(1000)}, {"replicates": 2**61}, "more than can be counted"),
        ({"decision/rate": np.ones(1000)}, {"replicates": 2**40}, r"take .* GiB, which is not there; reduce them"),
    ],
)
def test_misuse(points: Any, asked: dict[str, Any], message: str) -> None:
    with pytest.raises(cogir.CogirError, match=message):
        race_model().compile().sweep(
            points, **({"inputs": INPUTS} | asked if "values that vary" in message or "before" not in points else asked)
        )


@pytest.mark.parametrize("kind", ["mt19937", "philox4x64"])
def test_numbers_without_a_stream_are_refused(kind: str) -> None:
    compiled = race_model(kind).compile()
    with pytest.raises(cogir.InputError, match=f"generator .* is {kind}, whose streams have numbers below 4,294,967,296"):
        compiled.sweep({"decision/rate": [1.0]}, INPUTS, replicates=2**32 + 1, reduce="mean")
    with pytest.raises(cogir.ModelError, match=f"generator 0 of replicate 1 at point {2**32}: {kind} takes numbers below 2\\*\\*32"):
        cogir.random(1, kind, point=2**32, replicate=1)


@pytest.mark.parametrize(
    "make",
    [
        lambda: cogir.zipped({}),
        lambda: cogir.reductions.Quantiles("a", [2.0]),
        lambda: cogir.reductions.Quantiles("a", "x"),
        lambda: cogir.reductions.Histogram("a", [1.0]),
        lambda: cogir.reductions.Histogram("a", [1.0, 0.0]),
        lambda: cogir.reductions.Counts("a", [1.0, 1.0]),
    ],
)
def test_misuse_of_statistics(make: Any) -> None:
    with pytest.raises(cogir.InputError, match="give"):
        make()


def test_a_changed_model_is_refused() -> None:
    model = race_model()
    compiled = model.compile()
    model.node("more", library.linear, input=1)
    with pytest.raises(cogir.ModelError, match="was changed after it was compiled; compile it again"):
        compiled.sweep({"decision/rate": [1.0]}, INPUTS)


@pytest.mark.parametrize("varying", ["drift", "collapse_time", "threshold", "time_step_size"])
@pytest.mark.parametrize("bound", ["exponential", pytest.param("weibull", marks=pytest.mark.full)])
def test_bounds_that_collapse(bound: str, varying: str) -> None:
    """Lanes have a table of the bound where it is the same for all points, and only there."""
    model = cogir.Model("decision")
    model.node(
        "ddm",
        library.drift_diffusion_decision,
        bound=bound,
        time_step_size=0.02,
        execute_until_finished=True,
        max_executions_before_finished=500,
        reset_each_trial=True,
    )
    asked: dict[str, Any] = {"points": {f"ddm/{varying}": [0.02, 0.5, 1.0]}, "inputs": {"ddm": [[1.0]]}, "replicates": 30, "seed": 3}
    found = model.compile(unfinished="ignore").sweep(**asked)
    assert outcome(found) == outcome(model.compile(mode="python", unfinished="ignore").sweep(**asked))
    assert len(np.unique(found["ddm", "response_time"][0])) > 1


def test_memory_of_chunks_is_given_back() -> None:
    """Found by a sweep of a million points: each chunk was kept by functions that knew each other."""
    compiled = race_model().compile(threads=1)
    kept: list[weakref.ref[Any]] = []
    call = job_module.NativeSweep.call

    def noted(self: Any, context: Any, job: Any, *given: Any) -> int:
        kept.append(weakref.ref(job.chunk))
        return call(self, context, job, *given)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(job_module, "CHUNK_BYTES", 2**12)
        patch.setattr(job_module.NativeSweep, "call", noted)
        gc.disable()
        try:
            compiled.sweep({"decision/rate": np.linspace(0.2, 0.4, 100)}, {"before": [[1.0, 1.0, 1.0]]}, replicates=20, reduce="mean")
            assert len(kept) > 3
            assert not any(one() for one in kept)
        finally:
            gc.enable()


def test_a_point_of_which_a_chunk_was_not_taken_is_not_finished() -> None:
    """Found by a reviewer: an interrupted reduction lost a chunk within a point, and later ones were joined to those before it."""
    compiled = race_model().compile(threads=1)
    inputs = {"before": [[1.0, 1.0, 1.0]]}
    asked: dict[str, Any] = {"points": {"decision/rate": [0.3]}, "inputs": inputs, "replicates": 20_000, "reduce": "count"}
    assert compiled.sweep(**asked).finished.all()
    take, taken = collected_module.Reduced.take_part, []

    def loses_the_second(self: Any, chunk: Any) -> None:
        taken.append(chunk.first)
        if len(taken) != 2:
            take(self, chunk)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(job_module, "CHUNK_BYTES", 2**13)
        patch.setattr(collected_module.Reduced, "take_part", loses_the_second)
        assert not compiled.sweep(**asked).finished.any()
    assert len(taken) > 3


def test_states_that_each_trial_resets_are_refused() -> None:
    m = cogir.Model("m")
    given: dict[str, Any] = {"noise": 0.0, "threshold": 1.0, "time_step_size": 0.125, "execute_until_finished": True}
    for name, resets in (("anew", True), ("kept", False)):
        m.node(name, library.drift_diffusion_integrator, **given, reset_each_trial=resets)
    compiled = m.compile()
    inputs = {"anew": [1.0], "kept": [1.0]}
    states = [0.0, 0.25, 0.5]
    kept = compiled.sweep({"kept/state:previous_value": states}, inputs)
    assert kept["kept", "time"].ravel().tolist() == [1.0, 0.75, 0.5]
    remedy = "sweep that to which they are reset, anew/initial:state:previous_value, or a parameter"
    with pytest.raises(cogir.InputError, match=f'node "anew" is reset at the start of each trial, .*{remedy}'):
        compiled.sweep({"anew/state:previous_value": states}, inputs)
    assert compiled.sweep({"anew/initial:state:previous_value": states}, inputs)["anew", "time"].ravel().tolist() == [1.0, 0.75, 0.5]


def test_a_number_fills_no_matrix_whose_elements_differ() -> None:
    m = cogir.Model("m")
    first, second = (m.node(name, library.linear, input=2) for name in ("first", "second"))
    m.project(first, second, matrix=[[1.0, 0.0], [0.0, 1.0]])
    compiled = m.compile()
    with pytest.raises(cogir.InputError, match=r'would fill the matrix, .* \[number \* params\["first->second"\] for number in numbers\]'):
        compiled.sweep({"first->second": [1.0, 2.0]}, {"first": [1.0, 1.0]})
    weights = compiled.params["first->second"]
    study = compiled.sweep({"first->second": [number * weights for number in (1.0, 2.0)]}, {"first": [1.0, 1.0]})
    assert study["second"].reshape(2, 2).tolist() == [[1.0, 1.0], [2.0, 2.0]]
    for value in (2.0, [2.0, 3.0]):
        with pytest.raises(
            cogir.InputError, match=r'would fill the matrix, .* \(2, 2\), such as the number times params\["first->second"\]'
        ):
            compiled.params["first->second"] = value
    assert not compiled.sweep({"first->second": [0.0, 0.0]}, {"first": [1.0, 1.0]})["second"].any()
    compiled.params["first->second"] = 0.0  # as zero times the matrix
    compiled.params["first->second"] = 3.0 * weights
    compiled.params["first->second"] = np.ones((2, 2))
    compiled.params["first->second"] = 0.5  # no structure to lose
    assert compiled.params["first->second"].tolist() == [[0.5, 0.5], [0.5, 0.5]]
