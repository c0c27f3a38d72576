"""Traces: values recorded inside of trials are those of the interpreter in all modes, and take no more memory than is allowed."""

import warnings
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from support.random.models import random_model
from xdsl.dialects.builtin import ModuleOp

import cogir
from cogir import library
from cogir.dialects import cog
from cogir.frontend.compile import source_of
from cogir.library.signature import State, Step, Value, node_function
from cogir.runtime.build import build_object
from cogir.runtime.compiled import Compiled
from cogir.runtime.options import Options
from cogir.runtime.staged import StagedEngine

pytestmark = pytest.mark.sampled(3)

MODES = ("run", "exec", "per_node", "machine", "loops", "cf")


@node_function(outputs=("value", "choice"))
def decide(variable: Value, *, rate: Value = 0.4, x: State = 0.0, count: State = 0) -> Step:
    """Adds up evidence until it reaches 1."""
    value = x + rate * variable
    return Step(outputs=(value, value > 0.5), states=(value, count + 1), finished=abs(value) >= 1.0)


def ddm(**more: Any) -> cogir.Model:
    """A diffusion model that records its decision variable."""
    m = cogir.Model("ddm", seed=1)
    stimulus = m.node("stimulus", input=1)
    decision = m.node(
        "decision",
        cogir.library.drift_diffusion_integrator,
        noise=0.5,
        threshold=1.0,
        time_step_size=0.1,
        execute_until_finished=True,
        reset_each_trial=True,
        units={"value": "evidence"},
    )
    m.project(stimulus, decision)
    m.record(decision["value"], **more)
    return m


def in_mode(model: Any, mode: str) -> Compiled:
    """A model in a mode, or interpreted at a stage."""
    if mode in StagedEngine.STAGES:
        compiled = Compiled(StagedEngine(source_of(cogir.Model.from_ir(model.ir())), mode), mode, "staged")
        compiled.reactions.of.clear()
        return compiled
    return cogir.compile(model, mode=mode, cache=False, unfinished="ignore", out_of_range="ignore")


def must_be_equal(found: Any, expected: Any) -> None:
    """Traces with the same names, lengths, and bits."""
    assert list(found) == list(expected)
    for name, trace in expected.items():
        assert found[name].values.dtype == trace.values.dtype
        np.testing.assert_array_equal(found[name].lengths, trace.lengths)
        np.testing.assert_array_equal(found[name].values, trace.values)


@pytest.mark.parametrize("mode", ["python", *MODES])
def test_each_execution_is_recorded(mode: str):
    m = cogir.Model("m")
    stimulus = m.node("stimulus", input=())
    node = m.node("decide", decide, input=(), execute_until_finished=True, reset_each_trial=True)
    m.project(stimulus, node)
    m.record(node["value"], node["choice"], node.param("rate"), node.state("count"))
    m.record(node.state("x"), every=2)
    m.record(m.schedule)
    traces = in_mode(m, mode).run({"stimulus": [1.0, -2.0]}, num_trials=3).traces
    expected = [np.cumsum([0.4] * 3), np.cumsum([-0.8] * 2), np.cumsum([0.4] * 3)]
    for trial, values in enumerate(expected):
        np.testing.assert_array_equal(traces[node["value"]][trial], values)
        np.testing.assert_array_equal(traces[node.state("x")][trial], values[::2])
        np.testing.assert_array_equal(traces[node["choice"]][trial], values > 0.5)
        np.testing.assert_array_equal(traces["decide/count"][trial], np.arange(len(values)) + 1)
        np.testing.assert_array_equal(traces[node.param("rate")][trial], np.full(len(values), 0.4))
        np.testing.assert_array_equal(traces["schedule"][trial], [[True, False], [False, True]])
    assert traces["decide"].lengths.tolist() == [3, 2, 3]
    assert traces["decide/x"].executions.tolist() == [0, 2, 0, 0, 2]
    assert traces["decide/choice"].values.dtype == np.bool_
    assert traces["decide/count"].values.dtype == np.int64


def recording_everything(module: ModuleOp, every: int) -> ModuleOp:
    """The module, each model of which records all ports, states and parameters of its nodes, and its schedule."""
    for model in [op for op in module.body.block.ops if isinstance(op, cog.ModelOp)]:
        ops: list[Any] = [cog.RecordOp(None, every=every)]
        for node in model.nodes:
            name = node.sym_name.data
            ops += [cog.RecordOp(name, port, every=every) for port, _ in node.outputs]
            ops += [cog.RecordOp(name, state=state, every=every) for state, _ in node.states]
            ops += [cog.RecordOp(name, param=param, every=every) for param, _ in node.params]
        model.body.block.add_ops(ops)
    return module


@pytest.mark.parametrize("number", [0, 1, 4, *(pytest.param(number, marks=pytest.mark.full) for number in range(5, 80))])
def test_random_models(number: int):
    """Models with conditions, searches and models inside have the traces of the interpreter in native code, and results as without."""
    drawn = random_model(Random(number))
    module = recording_everything(drawn.model.ir(), 1 + number % 3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        plain = cogir.compile(drawn.model, mode="python", cache=False)
        interpreted = cogir.compile(module, mode="python", cache=False)
        native = cogir.compile(module, mode="run", cache=False)
        for trials in (drawn.trials, 2):
            outcomes: list[Any] = []
            for compiled in (plain, interpreted, native):
                try:
                    outcomes.append(compiled.run(drawn.inputs, num_trials=trials))
                except cogir.ExecutionError as error:
                    outcomes.append(error.result)
            must_be_equal(outcomes[2].traces, outcomes[1].traces)
            for path in outcomes[0]:
                np.testing.assert_array_equal(outcomes[2][path], outcomes[1][path])
                np.testing.assert_array_equal(outcomes[1][path], outcomes[0][path])
        replicated = [each.replicates(drawn.inputs, count=2, num_trials=2, seed=number) for each in (interpreted, native)]
        must_be_equal(replicated[1].traces, replicated[0].traces)


def test_recording_nothing_costs_nothing():
    """The object code and the key of a model without records are as if there were none; with them, the results are the same."""
    plain, recorded = ddm(), ddm()
    plain.description.traces.clear()
    source = source_of(plain)
    assert build_object(source, Options())[0] == build_object(source_of(recorded), Options(traced=False))[0]
    assert Options(traced=True).key == Options().key
    assert source.fingerprint() != source_of(recorded).fingerprint()
    results = [model.compile(cache=False).run({"stimulus": [[0.3]]}, num_trials=50) for model in (plain, recorded)]
    np.testing.assert_array_equal(results[0]["decision"], results[1]["decision"])
    assert not results[0].traces


def test_traces_come_from_the_cache(tmp_path: Any, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COGIR_CACHE", str(tmp_path))
    first, second = (ddm().compile().run({"stimulus": [[0.3]]}, num_trials=5).traces for _ in range(2))
    must_be_equal(second, first)


def test_slices_are_joined(monkeypatch: pytest.MonkeyPatch):
    """Many calls of native code, some trials that find no place in their memory, and trials longer than a memory."""
    whole = ddm().compile(cache=False).run({"stimulus": [[0.1]]}, num_trials=400).traces
    monkeypatch.setattr("cogir.runtime.recording.FIRST_WORDS", 64)
    compiled = ddm().compile(cache=False)
    must_be_equal(compiled.run({"stimulus": [[0.1]]}, num_trials=400).traces, whole)
    assert whole["decision"].lengths.max() > 64


def test_more_than_the_memory():
    """The error says how much was recorded and what to do, and holds it; the context stands there."""
    whole = ddm().compile(cache=False).run({"stimulus": [[0.1]]}, num_trials=20_000)
    compiled = ddm().compile(cache=False, trace_memory=2**20)
    with pytest.raises(
        cogir.TraceMemoryError, match=r"run: in trial \d+ the traces no longer fit into trace_memory=1048576 bytes; .* every=10"
    ) as info:
        compiled.run({"stimulus": [[0.1]]}, num_trials=20_000)
    result: Any = info.value.result
    trials, trace = result.num_trials, result.traces["decision"]
    assert 100 < trials < 20_000
    assert 2**18 < trace.values.nbytes + 8 * trials < 2**20
    np.testing.assert_array_equal(trace.values, whole.traces["decision"].values[: len(trace.values)])
    rest = compiled.run({"stimulus": [[0.1]]}, num_trials=3)
    np.testing.assert_array_equal(rest["decision"], whole["decision"][trials : trials + 3])


def test_a_trial_that_alone_needs_more_than_the_memory():
    m = cogir.Model("m")
    count = m.node("count", cogir.library.psyneulink.simple_integrator, input=1)
    m.schedule.trial_ends(cogir.AfterNCalls(count, 200_000))
    m.record(count)
    compiled = m.compile(cache=False, trace_memory=2**20)
    with pytest.raises(cogir.TraceMemoryError, match="in trial 0") as info:
        compiled.run({"count": [[1.0]]})
    assert getattr(info.value.result, "num_trials", None) == 0
    assert len(m.compile(cache=False).run({"count": [[1.0]]}).traces["count"].values) == 200_000


def test_an_interrupted_run_keeps_its_traces():
    """What a run has recorded before a step limit stopped it is in the error's result."""
    m = cogir.Model("m")
    stimulus = m.node("stimulus", input=())
    node = m.node("decide", decide, input=())
    m.project(stimulus, node)
    m.schedule.reset(node, cogir.AtTrialStart())
    m.schedule.trial_ends(cogir.WhenFinished(node))
    m.record(node)
    compiled = m.compile(cache=False)
    compiled.params["limit:passes"] = 50
    with pytest.raises(cogir.ExecutionError, match="step limit") as info:
        compiled.run({"stimulus": [1.0, 2.0, 0.0]})
    result: Any = info.value.result
    assert result.traces["decide"].lengths.tolist() == [3, 2]


@pytest.mark.parametrize("threads", [1, 3])
def test_replicates(threads: int, monkeypatch: pytest.MonkeyPatch):
    """Replicates in native code have the traces of the interpreter, whatever the threads and the memory."""
    expected = in_mode(ddm(), "python").replicates({"stimulus": [[0.2], [0.6]]}, count=6, seed=5).traces
    compiled = ddm().compile(cache=False, threads=threads)
    found = compiled.replicates({"stimulus": [[0.2], [0.6]]}, count=6, seed=5).traces
    must_be_equal(found, expected)
    assert found["decision"].lengths.shape == (6, 2)
    np.testing.assert_array_equal(found["decision"][4, -1], list(expected["decision"])[9])
    whole = compiled.replicates({"stimulus": [[0.2]]}, count=3000, seed=5).traces
    monkeypatch.setattr("cogir.runtime.recording.FIRST_WORDS", 256)
    must_be_equal(ddm().compile(cache=False, threads=threads).replicates({"stimulus": [[0.2]]}, count=3000, seed=5).traces, whole)


def test_replicates_with_more_than_the_memory():
    compiled = ddm().compile(cache=False, trace_memory=2**20)
    with pytest.raises(cogir.TraceMemoryError, match="replicates: in replicate") as info:
        compiled.replicates({"stimulus": [[0.1]]}, count=20_000, seed=5)
    result: Any = info.value.result
    assert 100 < result.num_replicates == result.traces["decision"].lengths.shape[0] < 20_000
    one = ddm().compile(cache=False).replicates({"stimulus": [[0.1]]}, count=100, seed=5)
    np.testing.assert_array_equal(result.traces["decision"][99, 0], one.traces["decision"][99, 0])


def test_sweeps():
    points = {"decision/rate": [0.5, 1.0], "decision/threshold": [0.5, 1.0, 2.0]}
    expected, found = (in_mode(ddm(), mode).sweep(points, {"stimulus": [[0.2]]}, replicates=3, seed=2).traces for mode in ("python", "run"))
    must_be_equal(found, expected)
    assert found["decision"].lengths.shape == (2, 3, 3, 1)
    assert abs(found["decision"][1, 2, 0, 0][-1]) == 2.0
    compiled = ddm().compile(cache=False)
    with pytest.warns(cogir.NotRecordedWarning, match="with reduce=... keeps no traces"):
        reduced = compiled.sweep(points, {"stimulus": [[0.2]]}, replicates=3, seed=2, reduce="mean")
    assert not reduced.traces


def test_tables():
    result = ddm(every=3).compile(cache=False).run({"stimulus": [[0.2]]}, num_trials=4)
    trace = result.traces["decision"]
    table = trace.to_dataframe()
    assert list(table.columns) == ["trial", "execution", "decision/value[0]"]
    assert table.trial.tolist() == np.repeat(np.arange(4), trace.lengths).tolist()
    assert table.execution.tolist() == trace.executions.tolist()
    long = result.traces.to_dataframe()
    assert list(long.columns) == ["trial", "execution", "trace", "element", "value"]
    np.testing.assert_array_equal(long.value, trace.values[:, 0])


def test_xarray_has_ragged_arrays():
    """The records of all trials along one dimension, which the count variable names, as CF's contiguous ragged arrays have it."""
    traces = ddm().compile(cache=False).replicates({"stimulus": [[0.2], [0.4]]}, count=3).traces
    found = traces.to_xarray()
    counts = found["decision.value.count"]
    assert counts.dims == ("instance",)
    assert counts.attrs["sample_dimension"] == "decision.value.record" == found["decision.value"].dims[0]
    assert int(counts.sum()) == found.sizes["decision.value.record"]
    assert found.replicate.values.tolist() == [0, 0, 1, 1, 2, 2]
    assert found.trial.values.tolist() == [0, 1, 0, 1, 0, 1]
    assert found["decision.value"].attrs["units"] == "evidence"
    assert found.attrs["Conventions"].startswith("CF-")


@pytest.mark.parametrize("ending", ["npz", "nc", "zarr"])
def test_traces_are_saved_with_the_result(tmp_path: Any, ending: str):
    result = ddm(every=2).compile(cache=False).replicates({"stimulus": [[0.2], [0.4]]}, count=3)
    result.save(tmp_path / f"r.{ending}")
    loaded: Any = cogir.load(tmp_path / f"r.{ending}")
    must_be_equal(loaded.traces, result.traces)
    assert loaded.traces["decision"].every == 2
    assert loaded.traces["decision"].unit == "evidence"
    np.testing.assert_array_equal(loaded.traces["decision"][2, 1], result.traces["decision"][2, 1])
    assert loaded.to_xarray()["trace_lengths:decision.value"].attrs["sample_dimension"] == "record:decision.value"


def test_plot():
    pytest.importorskip("matplotlib").use("Agg")
    trace = ddm().compile(cache=False).run({"stimulus": [[0.2]]}, num_trials=30).traces["decision"]
    axes = trace.plot()
    assert len(axes.lines) == 20
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("execution", "decision/value[0] (evidence)")
    (line,) = trace.plot([7]).lines
    np.testing.assert_array_equal(line.get_ydata(), trace[7][:, 0])


def competition(elements: int) -> cogir.Trace:
    """The trace of competing accumulators with the labels `unit 0`, `unit 1` ... in two trials."""
    model = cogir.Model("competition")
    labels = [f"unit {number}" for number in range(elements)]
    race = model.node("race", library.leaky_competing_decision, input=elements, noise=0.0, labels={"value": labels}, reset_each_trial=True)
    model.record(race["value"])
    model.schedule.trial_ends(cogir.AfterNPasses(4))
    return model.compile().run({"race": np.linspace(0.1, 1.0, 2 * elements).reshape(2, elements)}).traces["race"]


def test_plot_of_all_elements_or_of_one_by_number_or_label():
    pytest.importorskip("matplotlib").use("Agg")
    trace = competition(2)
    axes = trace.plot()
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["unit 0", "unit 1"]
    assert axes.get_ylabel() == "race/value"
    for line, (element, trial) in zip(axes.lines, [(0, 0), (0, 1), (1, 0), (1, 1)], strict=True):
        np.testing.assert_array_equal(line.get_ydata(), trace[trial][:, element])
    first, again, second, _ = (line.get_color() for line in axes.lines)
    assert first == again != second
    for element in (1, "unit 1", np.int64(1), -1):
        picture = trace.plot(element=element)
        assert (picture.get_ylabel(), picture.get_legend()) == ("race/value[unit 1]", None)
        np.testing.assert_array_equal(picture.lines[1].get_ydata(), trace[1][:, 1])


def test_plot_says_which_elements_are_left_out():
    pytest.importorskip("matplotlib").use("Agg")
    axes = competition(12).plot([0])
    assert (len(axes.lines), axes.get_title()) == (10, "10 of 12 elements")


@pytest.mark.parametrize(
    ("element", "message"),
    [
        (2, 'plot: "race/value" has no element 2; it has 2, numbered from 0'),
        ("unt 1", r'plot: "race/value" has no element \'unt 1\'; did you mean "race/value\[unit 1\]"'),
        (1.5, r'plot: "race/value" has no element 1\.5; give its number or its label'),
    ],
)
def test_plot_of_an_element_that_there_is_not(element: Any, message: str) -> None:
    pytest.importorskip("matplotlib").use("Agg")
    with pytest.raises(cogir.InputError, match=message):
        competition(2).plot(element=element)


def test_plot_of_the_first_trace_or_of_one_by_name():
    pytest.importorskip("matplotlib").use("Agg")
    traces = ddm().compile(cache=False).run({"stimulus": [[0.2]]}, num_trials=3).traces
    assert len(traces.plot().lines) == 3
    (line,) = traces.plot("decision", [1], axes=None).lines
    np.testing.assert_array_equal(line.get_ydata(), traces["decision"][1][:, 0])
    with pytest.raises(cogir.InputError, match="nothing was recorded"):
        type(traces)([]).plot()


@pytest.mark.parametrize("mode", ["run", "python"])
def test_models_cannot_write_into_traces(mode: str):
    """The functions that record are not for the bodies of a model, which could write anywhere with them."""
    text = """
      cog.model @m {
        cog.node @a (%x: f64) -> (value: f64 = 0.0) {
          %far = arith.constant 123456789 : i64
          func.call @cogir_trace_put(%far, %far) : (i64, i64) -> ()
          cog.yield %x
        }
        cog.input @a
        cog.output @a
        cog.record @a
      }
      func.func private @cogir_trace_put(i64, i64) -> ()
    """
    with pytest.raises(cogir.CogirError):
        cogir.compile(text, mode=mode, cache=False).run({"a": [1.0]})


def test_wrong_questions():
    m = ddm()
    traces = m.compile(cache=False).run({"stimulus": [[0.2]]}, num_trials=3).traces
    with pytest.raises(cogir.InputError, match=r'there is no "decision/tine".*record it with m.record'):
        traces["decision/tine"]
    with pytest.raises(cogir.InputError, match="there is no trial 3; it has 3"):
        traces["decision"][3]
    with pytest.raises(cogir.InputError, match="give one whole number"):
        traces["decision"][0, 1]
    with pytest.raises(cogir.ModelError, match="is already recorded, at"):
        m.record("decision")
    with pytest.raises(cogir.ModelError, match="record: every is 0"):
        m.record(m.schedule, every=0)
    with pytest.raises(cogir.ModelError, match=r"record: found 3\.0; give a port, a state or a parameter"):
        m.record(3.0)  # type: ignore[arg-type]
    with pytest.raises(cogir.ModelError, match="trace_memory is 5; give a whole number, 1048576 or more"):
        m.compile(trace_memory=5)


def test_traces_know_which_trials_were_cut_off(tmp_path: Path) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    model = cogir.Model("slow", seed=1)
    walk = model.node(
        "walk",
        library.drift_diffusion_integrator,
        noise=0.0,
        threshold=1.0,
        time_step_size=0.1,
        execute_until_finished=True,
        max_executions_before_finished=5,
        reset_each_trial=True,
    )
    model.record(walk["value"], walk.state("previous_value"))
    compiled = model.compile(unfinished="ignore")
    inputs = {"walk": [[4.0], [1.0], [3.0]]}
    result = compiled.run(inputs)
    for trace in result.traces.values():
        assert trace.unfinished is not None
        assert trace.unfinished.tolist() == [False, True, False]
    trace = result.traces[walk]
    assert repr(trace) == "<trace of walk/value: 12 records of 3 trials, 1 unfinished>"
    axes = trace.plot()
    assert (axes.get_title(), [line.get_marker() for line in axes.lines].count("x")) == ("1 of 3 trials unfinished (x)", 1)
    assert trace.plot([0, 2]).get_title() == ""
    result.save(tmp_path / "run.npz")
    assert cogir.load(tmp_path / "run.npz").traces["walk"].unfinished.tolist() == [False, True, False]
    assert compiled.replicates(inputs, count=2, start="fresh").traces["walk"].unfinished.tolist() == [[False, True, False]] * 2
    swept = compiled.sweep({"walk/rate": [1.0, 4.0]}, inputs, replicates=2, start="fresh").traces["walk"]
    assert swept.unfinished.tolist() == [[[False, True, False]] * 2, [[False] * 3] * 2]
    assert swept.plot([(0, 0, 1), (1, 0, 1)]).get_title() == "1 of 2 trials unfinished (x)"
