"""
An example for each public name. A mark `# %%` begins an example and says which names it is for; a test runs the file from top to bottom.
"""

# %% setting
import _thread
import os
import tempfile
import threading
import warnings
from pathlib import Path
from typing import Annotated
from unittest import mock

import numpy as np

import cogir
from cogir import library, reductions

folder = Path(tempfile.mkdtemp())

# %% Model Node compile Result
model = cogir.Model("choice", seed=1)
stimulus = model.node("stimulus", input=1)
decision = model.node(
    "decision",
    library.drift_diffusion_decision,
    time_step_size=0.01,
    execute_until_finished=True,
    max_executions_before_finished=10_000,
    reset_each_trial=True,
    units={"response_time": "s"},
)
model.project(stimulus, decision)
compiled = cogir.compile(model)  # the same: model.compile()
result = compiled.run({"stimulus": [[0.8], [-0.4]]}, num_trials=100)
assert result["decision", "choice"].shape == (100,)

# %% Port
port = decision["response_time"]
assert (result[port] == result["decision", "response_time"]).all()

# %% Parameter
rate = decision.param("drift")
other = cogir.Model("modulated")
gain = other.node("gain", input=1)
target = other.node("target", library.linear)
other.modulate(gain, target.param("slope"))
found = other.compile().run({"gain": [[2.0]], "target": [[3.0]]})
assert found["target"].tolist() == [[6.0]]

# %% Projection
pair = cogir.Model("pair")
projection = pair.project(pair.node("first"), pair.node("second", library.linear), matrix=[[2.0]])
assert pair.compile().run({"first": [[3.0]]})["second"].tolist() == [[6.0]]

# %% Instance
outer = cogir.Model("outer")
inner = outer.instance("inner", pair)  # a model as a node: one execution is one trial of it
after = outer.node("after", library.linear)
outer.project(inner["second"], after)
assert outer.compile().run({"inner": [[3.0]]})["after"].tolist() == [[6.0]]

# %% Control Signal
search = cogir.Model("search")
effort = search.node("effort", library.linear)
search.output(effort)
control = search.control(
    "controller",
    objective=effort,
    direction="maximize",
    signals=[cogir.Signal(effort.param("slope"), levels=[0.0, 1.0, 2.0], cost=lambda level: level**2)],
)
assert search.compile().run({"effort": [[2.0]]}).allocations["controller"].tolist() == [[1.0]]

# %% TimeScale
condition = cogir.AfterNCalls("stimulus", 3, cogir.TimeScale.RUN)  # counted over the run, not over the trial

# %% Model.schedule
paced = cogir.Model("paced")
fast, slow = paced.node("fast", library.linear), paced.node("slow", library.linear)
paced.project(fast, slow)
paced.schedule.when(slow, cogir.EveryNCalls(fast, 3))
paced.schedule.trial_ends(cogir.AfterNCalls(slow, 2))


# %% Between
def attend(x: float, *, attention: Annotated[float, cogir.Between(0.0, 1.0)] = 0.5) -> float:
    return attention * x


assert cogir.Between(0.0, 1.0).holds(0.5)


# %% NonNegative Positive Probability
def wait(x: float, *, patience: cogir.Positive = 1.0, noise: cogir.NonNegative = 0.0, lapse: cogir.Probability = 0.1) -> float:
    return x / patience + noise + lapse


try:
    cogir.Model("waiting").node("wait", wait, input=(), lapse=1.5)
except cogir.ModelError as error:
    print(error)  # ... parameter "lapse" is 1.5; it must be at least 0 and at most 1
else:
    raise AssertionError("a lapse of 1.5 was taken")

# %% random
generator = cogir.random(1)
drawn = library.normal_dist(np.zeros(3), random=generator)
compiled.generators["decision"] = cogir.random(1, generator="decision", replicate=42)  # the stream of replicate 42

# %% Compiled
compiled = model.compile()
assert compiled.mode == "run"
print(compiled.explain())

# %% Context
one, two = compiled.context("one"), compiled.context("two")
one.params["decision/threshold"] = 0.5
assert compiled.run({"stimulus": [[1.0]]}, context=one).num_trials == 1
assert two.params["decision/threshold"] == 1.0

# %% zipped
points = cogir.zipped({"decision/drift": [0.5, 1.0], "decision/threshold": [1.0, 0.8]})
study = compiled.sweep(points, {"stimulus": [[1.0]]}, replicates=10, seed=1)
assert study["decision"].shape[0] == 2

# %% __version__
print(cogir.__version__)

# %% Replicates
found = compiled.replicates({"stimulus": [[1.0]]}, count=1000, seed=1)
assert found["decision", "response_time"].shape == (1000, 1)
print(found.summary())

# %% Sweep
study = compiled.sweep({"decision/drift": [0.5, 1.0, 2.0]}, {"stimulus": [[1.0]]}, replicates=100, seed=1)
assert study["decision", "choice"].shape == (3, 100, 1)

# %% Learned
network = cogir.Model("network")
given, output, wanted = network.node("given", input=2), network.node("output", library.logistic), network.node("wanted", input=1)
network.project(given, output, matrix=[[0.1], [-0.1]])
network.output(output)
network.learning([(output, wanted)], library.gradient_descent, rate=1.0)
learned = network.compile().learn({"given": [[0.0, 1.0], [1.0, 0.0]], "wanted": [[0.0], [1.0]]}, epochs=50)
assert learned.losses.shape == (50, 2)

# %% Loaded load
found.save(folder / "found.npz")
loaded = cogir.load(folder / "found.npz")
assert loaded.kind == "replicates"
assert np.array_equal(loaded["decision"], found["decision"])

# %% Trace Traces
recorded = cogir.Model("recorded", seed=1)
walk = recorded.node(
    "walk",
    library.drift_diffusion_integrator,
    noise=1.0,
    threshold=1.0,
    time_step_size=0.01,
    execute_until_finished=True,
    max_executions_before_finished=10_000,
    reset_each_trial=True,
)
recorded.record(walk["value"])
traces = recorded.compile().run({"walk": [[1.0]]}, num_trials=10).traces
trace = traces["walk"]
assert trace[3].shape == (trace.lengths[3], 1)

# %% reductions.Mean
kept = compiled.sweep(
    {"decision/drift": [0.5, 1.0]},
    {"stimulus": [[1.0]]},
    replicates=500,
    seed=1,
    reduce={
        "accuracy": reductions.Mean(lambda r: r["decision", "choice"] == 1.0),
        "correct times": reductions.Mean("decision/response_time", where=("decision/choice", 1.0)),
    },
)
assert kept["accuracy"].shape == (2, 1)

# %% reductions.Variance
kept = compiled.sweep(
    {"decision/drift": [0.5, 1.0]},
    {"stimulus": [[1.0]]},
    replicates=500,
    seed=1,
    reduce={
        "variance": reductions.Variance("decision/response_time", ddof=1),
    },
)
assert kept["variance"].shape == (2, 1)

# %% reductions.StandardDeviation
kept = compiled.sweep(
    {"decision/drift": [0.5, 1.0]},
    {"stimulus": [[1.0]]},
    replicates=500,
    seed=1,
    reduce={
        "sd": reductions.StandardDeviation("decision/response_time", where=("decision/choice", 1.0)),
    },
)
assert (kept["sd"] > 0.0).all()

# %% reductions.StandardError
kept = compiled.sweep(
    {"decision/drift": [0.5, 1.0]},
    {"stimulus": [[1.0]]},
    replicates=500,
    seed=1,
    reduce={
        "time": reductions.Mean("decision/response_time"),
        "error": reductions.StandardError("decision/response_time"),
    },
)
assert (1.96 * kept["error"] < 0.1 * kept["time"]).all()

# %% reductions.Count
kept = compiled.sweep(
    {"decision/drift": [0.5, 1.0]},
    {"stimulus": [[1.0]]},
    replicates=500,
    seed=1,
    reduce={
        "errors": reductions.Count("decision/choice", where=("decision/choice", -1.0)),
    },
)
assert (kept["errors"] < 250).all()

# %% reductions.Minimum
kept = compiled.sweep(
    {"decision/drift": [0.5, 1.0]},
    {"stimulus": [[1.0]]},
    replicates=500,
    seed=1,
    reduce={
        "fastest": reductions.Minimum("decision/response_time"),
    },
)
assert (kept["fastest"] > 0.0).all()

# %% reductions.Maximum
kept = compiled.sweep(
    {"decision/drift": [0.5, 1.0]},
    {"stimulus": [[1.0]]},
    replicates=500,
    seed=1,
    reduce={
        "slowest": reductions.Maximum("decision/response_time"),
    },
)
assert kept["slowest"].shape == (2, 1)

# %% reductions.Quantiles
kept = compiled.sweep(
    {"decision/drift": [0.5, 1.0]},
    {"stimulus": [[1.0]]},
    replicates=500,
    seed=1,
    reduce={
        "quantiles": reductions.Quantiles("decision/response_time", [0.1, 0.5, 0.9]),
    },
)
assert kept["quantiles"].shape == (2, 1, 3)

# %% reductions.Histogram
kept = compiled.sweep(
    {"decision/drift": [0.5, 1.0]},
    {"stimulus": [[1.0]]},
    replicates=500,
    seed=1,
    reduce={
        "histogram": reductions.Histogram("decision/response_time", np.linspace(0.0, 5.0, 51)),
    },
)
assert kept["histogram"].shape == (2, 1, 50)

# %% reductions.Counts
kept = compiled.sweep(
    {"decision/drift": [0.5, 1.0]},
    {"stimulus": [[1.0]]},
    replicates=500,
    seed=1,
    reduce={
        "choices": reductions.Counts("decision/choice", [-1.0, 1.0]),
    },
)
assert kept["choices"].sum() == 1000

# %% fit Fit fit.kernel
alone = cogir.Model("alone", seed=1)
alone.node(
    "ddm",
    library.drift_diffusion_decision,
    time_step_size=0.01,
    non_decision_time=0.3,
    execute_until_finished=True,
    max_executions_before_finished=10_000,
    reset_each_trial=True,
)
runs = alone.compile().replicates({"ddm": [[1.0]]}, count=200, seed=3)
data = {name: runs[name].ravel() for name in ("ddm/choice", "ddm/response_time")}
free = {"ddm/drift": (0.0, 4.0), "ddm/threshold": (0.4, 2.5), "ddm/non_decision_time": (0.05, 0.6)}
inputs = {"ddm": [[1.0]]}
kernel = cogir.fit.kernel(0.5)
fitted = cogir.fit(alone, data, free, inputs=inputs, likelihood=kernel, simulations=4000)
assert 0.5 < fitted["ddm/drift"] < 1.6

# %% fit.problem fit.search
problem = cogir.fit.problem(alone, data, free, inputs=inputs, likelihood="analytical")
searching = cogir.fit.search(problem, population=10, seed=1)
for _ in range(5):
    points = searching.ask()
    searching.tell(points, problem.log_posterior(points))

# %% fit.histogram fit.synthetic
edges = np.linspace(0.0, 5.0, 30)
binned = cogir.fit.histogram(edges)
by_histogram = cogir.fit.problem(alone, data, free, inputs=inputs, likelihood=binned, simulations=500)
summary = cogir.fit.synthetic(lambda choices, times: np.array([choices.mean(), times.mean()]))
by_statistics = cogir.fit.problem(alone, data, free, inputs=inputs, likelihood=summary, simulations=500)

# %% fit.posterior
exact = cogir.fit(alone, data, free, inputs=inputs, likelihood="analytical")
posterior = cogir.fit.posterior(exact, draws=20, tune=20, seed=1)

# %% Fits
subjects = {"subject": np.repeat(["anna", "ben"], 100), **data}
fits = cogir.fit(alone, subjects, free, inputs=inputs, likelihood="analytical", subject="subject")
assert set(fits) == {"anna", "ben"}

# %% recovery
recovered = cogir.recovery(exact, datasets=2)
print(recovered)

# %% analyze.ranges analyze.OutputRanges
still = cogir.Model("still")
still.node("squash", library.logistic, gain=2.0)
between = cogir.analyze.ranges(still, {"squash/gain": (1.0, 2.0)}, {"squash": (0.0, 1.0)}, trials=1)
print(between)

# %% analyze.sensitivity analyze.Sensitivity
effects = cogir.analyze.sensitivity(still, {"squash/gain": (1.0, 2.0)}, {"squash": 0.5}, slopes=True)
print(effects)

# %% analyze.convergence analyze.Convergence analyze.DriftDiffusionTimes
patient = cogir.Model("patient")
patient.node(
    "decision",
    library.drift_diffusion_integrator,
    noise=1.0,
    threshold=1.0,
    time_step_size=0.01,
    execute_until_finished=True,
    max_executions_before_finished=1000,
    reset_each_trial=True,
)
steps = cogir.analyze.convergence(patient, inputs={"decision": 1.0})
print(steps)
print(steps.analytical["decision"].mean)

# %% analyze.equivalent analyze.Equivalence
again = cogir.Model("again")
again.node("squash", library.logistic, gain=2.0)
assert cogir.analyze.equivalent(still, again, level="bits")

# %% analyze.simplified analyze.Simplified
simpler = cogir.analyze.simplified(patient, consent="limit")
print(simpler)


# %% analyze.refine analyze.Refinement
def price(x: float, *, effort: float = 1.0) -> float:
    return 1.0 / (1.0 + effort) + 0.1 * effort + 0.0 * x


priced = cogir.Model("priced")
priced.node("price", price, input=())
best = cogir.analyze.refine(priced, {"price/effort": (0.0, 10.0)}, {"price": 0.0}, objective="price")
print(best)

# %% from_psyneulink
try:
    import psyneulink as pnl
except ImportError:
    print("needs PsyNeuLink: pip install 'cogir[psyneulink]'")
else:
    composition = pnl.Composition(pnl.TransferMechanism(function=pnl.Logistic, name="squash"), name="composition")
    imported = cogir.from_psyneulink(composition)
    print(imported.compile().run({"squash": [[0.0]]})["squash"])

# %% CogirError ModelError
try:
    model.project("stimulus", "decsion")
except cogir.ModelError as error:  # every error of cogir is a CogirError
    print(error)  # ... did you mean "decision"?
else:
    raise AssertionError("a node that does not exist was found")

# %% InputError
try:
    compiled.run({"stimulus": [[1.0, 2.0]]})
except cogir.InputError as error:
    print(error)  # ... stimulus has shape (1,), but the values have shape (1, 2) ...
else:
    raise AssertionError("an input of two elements was taken for one")


# %% FunctionError NotCompiledWarning ReducedModeWarning
def guarded(x):
    try:  # not in the subset that can be compiled
        return 1.0 / x
    except ZeroDivisionError:
        return 0.0


partly = cogir.Model("partly")
with warnings.catch_warnings(record=True) as given_warnings:
    warnings.simplefilter("always")
    partly.node("odd", guarded, input=())
    partly.compile()  # calls the function in Python
assert {cogir.NotCompiledWarning, cogir.ReducedModeWarning} <= {each.category for each in given_warnings}
try:
    partly.compile(mode="run")
except cogir.FunctionError as error:
    print(error)  # names the file, the line, and what to write instead
else:
    raise AssertionError("try was compiled")

# %% LoweringError
from cogir.lowering.pipeline import lower_to

try:
    lower_to(model.ir(), "machin")
except cogir.LoweringError as error:
    print(error)  # there is no stage 'machin'; the stages are ...
else:
    raise AssertionError("a stage that does not exist was reached")

# %% BackendError
from cogir.backend.emit_llvm_ir import emit_llvm_ir

try:
    emit_llvm_ir(model.ir())  # a model that was not lowered
except cogir.BackendError as error:
    print(error)  # ... run convert-to-llvm before
else:
    raise AssertionError("a model was written as LLVM IR")

# %% ExecutionError UnfinishedWarning
strict = model.compile(unfinished="error")
endless = strict.context("endless")
endless.params["decision/threshold"] = np.inf
try:
    strict.run({"stimulus": [[0.0]]}, context=endless)
except cogir.ExecutionError as error:
    print(error)
    assert error.result.unfinished["decision"].all()  # the trials are kept
else:
    raise AssertionError("a decision without end was reached")

# %% CacheError CacheWarning
from cogir.backend.cache import open_cache

with mock.patch.dict(os.environ, COGIR_CACHE_DIR="/dev/null"):  # no folder
    with warnings.catch_warnings(record=True) as given_warnings:
        warnings.simplefilter("always")
        model.compile()  # without the cache
    assert cogir.CacheWarning in {each.category for each in given_warnings}
    try:
        open_cache()
    except cogir.CacheError as error:
        print(error)  # ... set COGIR_CACHE_DIR to another
    else:
        raise AssertionError("a file was taken for a folder")

# %% DeviceError DeviceMemoryError DeviceWarning
try:
    model.compile(target="cuda")
except cogir.DeviceError as error:  # DeviceMemoryError, one of them, says that memory was short
    print(error)  # what is missing, and the remedy
else:
    print("compiled for the GPU")
with warnings.catch_warnings():
    warnings.simplefilter("ignore", cogir.DeviceWarning)  # given if a GPU fails, and the CPU goes on
    model.compile(target="auto")

# %% TraceMemoryError
try:
    recorded.compile(trace_memory=2**20).run({"walk": [[1.0]]}, num_trials=20_000)
except cogir.TraceMemoryError as error:
    print(error)
    assert error.result.num_trials < 20_000
else:
    raise AssertionError("traces took more memory than they may")

# %% FitError FitWarning
impossible = {**data, "ddm/response_time": data["ddm/response_time"] - 10.0}
with warnings.catch_warnings():
    warnings.simplefilter("ignore", cogir.FitWarning)
    try:
        cogir.fit(alone, impossible, free, inputs=inputs, likelihood="analytical")
    except (cogir.FitError, cogir.InputError) as error:
        print(error)
    else:
        raise AssertionError("negative response times were explained")

# %% RunInterrupted ReplicatesInterrupted SweepInterrupted LearningInterrupted
threading.Timer(0.05, _thread.interrupt_main).start()  # as if you pressed Ctrl-C
try:
    result = compiled.run({"stimulus": [[1.0]]}, num_trials=2_000_000)
except cogir.RunInterrupted as stopped:  # the others: of replicates, sweeps and learning
    result = stopped.result  # the trials that were finished
    assert result.num_trials < 2_000_000
else:
    raise AssertionError("two million trials in 50 ms")

# %% FinishedWarning ResetWarning
endings = cogir.Model("endings")
patience = endings.node("patience", library.drift_diffusion_integrator, threshold=1.0, execute_until_finished=True)
with warnings.catch_warnings(record=True) as given_warnings:
    warnings.simplefilter("always")
    endings.compile().run({"patience": [[1.0]]}, num_trials=2)
    endings.schedule.trial_ends(cogir.WhenFinished(patience))
    endings.compile().run({"patience": [[1.0]]}, num_trials=2)
assert any(each.category in (cogir.ResetWarning, cogir.FinishedWarning) for each in given_warnings)

# %% FreshStartWarning
counting = cogir.Model("counting")
counting.node("total", library.psyneulink.simple_integrator, rate=1.0)
counted = counting.compile()
counted.run({"total": [[1.0]]}, num_trials=3)
with warnings.catch_warnings(record=True) as given_warnings:
    warnings.simplefilter("always")
    assert counted.replicates({"total": [[1.0]]}, count=2)["total"].ravel().tolist() == [1.0, 1.0]
assert cogir.FreshStartWarning in {each.category for each in given_warnings}
goes_on = counted.replicates({"total": [[1.0]]}, count=2, start="context")
assert goes_on["total"].ravel().tolist() == [4.0, 4.0]

# %% MissingInputWarning
pair = cogir.Model("pair")
pair.node("colour", input=2)
pair.node("word", input=2)
with warnings.catch_warnings(record=True) as given_warnings:
    warnings.simplefilter("always")
    pair.compile().run({"colour": [[1.0, 0.0]]})
assert 'input "word" is not given, and is zero in all trials' in str(given_warnings[0].message)

# %% LearningWarning
with warnings.catch_warnings(record=True) as given_warnings:
    warnings.simplefilter("always")
    network.compile().learn({"given": [[0.0, np.inf]], "wanted": [[1.0]]}, epochs=2)  # the loss is not finite
assert cogir.LearningWarning in {each.category for each in given_warnings}

# %% NotRecordedWarning
with warnings.catch_warnings(record=True) as given_warnings:
    warnings.simplefilter("always")
    recorded.compile().sweep({"walk/rate": [0.5, 1.0]}, {"walk": [[1.0]]}, replicates=5, seed=1, reduce="mean")
assert cogir.NotRecordedWarning in {each.category for each in given_warnings}

# %% OrderWarning
ordered = cogir.Model("ordered")
left, right = ordered.node("left", library.linear), ordered.node("right", library.linear)
ordered.schedule.when(right, cogir.BeforeNCalls(left, 1))
ordered.schedule.trial_ends(cogir.AfterNPasses(2))
with warnings.catch_warnings(record=True) as given_warnings:
    warnings.simplefilter("always")
    ordered.compile()
assert cogir.OrderWarning in {each.category for each in given_warnings}

# %% OutOfRangeWarning
aroused = cogir.Model("aroused")
arousal, task = aroused.node("arousal", input=()), aroused.node("task", attend, input=())
aroused.modulate(arousal, task.param("attention"), "add")
with warnings.catch_warnings(record=True) as given_warnings:
    warnings.simplefilter("always")
    aroused.compile().run({"arousal": [0.75], "task": [1.0]})
assert cogir.OutOfRangeWarning in {each.category for each in given_warnings}

# %% ShapeWarning
with warnings.catch_warnings(record=True) as given_warnings:
    warnings.simplefilter("always")
    wide = cogir.Model("wide")
    wide.project(wide.node("two", input=2), wide.node("three", library.linear, input=3))  # write matrix="full" if this is intended
assert cogir.ShapeWarning in {each.category for each in given_warnings}

# %% RecurrentWarning
rivals = cogir.Model("rivals")
rival = rivals.node(
    "rival", library.leaky_competing_accumulator, input=2, threshold=0.8, execute_until_finished=True, reset_each_trial=True
)
with warnings.catch_warnings(record=True) as given_warnings:
    warnings.simplefilter("always")
    rivals.project(rival["result"], rival, matrix=[[0.0, -1.0], [-1.0, 0.0]])  # write recurrent=True for competition in each step
assert cogir.RecurrentWarning in {each.category for each in given_warnings}

# %% RepeatedWarning
again = cogir.Model("again")
first, second = again.node("first"), again.node("second")
again.project(first, second, matrix=[[0.5]])
with warnings.catch_warnings(record=True) as given_warnings:
    warnings.simplefilter("always")
    again.project(first, second, matrix=[[0.6]])  # both are added up; write replace=True to have only this one
assert cogir.RepeatedWarning in {each.category for each in given_warnings}

# %% ReplacedWarning
edited = cogir.Model("edited")
edited.project(edited.node("first"), edited.node("second"))
with warnings.catch_warnings(record=True) as given_warnings:
    warnings.simplefilter("always")
    edited.node("second", library.linear, input=3, replace=True)  # the projection does not fit its input any more, and is dropped
assert cogir.ReplacedWarning in {each.category for each in given_warnings}
