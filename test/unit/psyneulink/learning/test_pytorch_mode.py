"""
An AutodiffComposition that learns natively is left as PyTorch leaves it: weights, losses, results, values, the optimizer, the clock.

Each case is a script with several calls of `learn` and `run`. It is run in PsyNeuLink alone, natively, and by both in turn.
"""

import contextlib
import re
import subprocess
import sys
import warnings

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.compare import CATEGORIES, differences
from support.psyneulink.golden import fresh
from support.psyneulink.learning import TRIALS, layers, left, random

import cogir
from cogir.psyneulink import FallbackWarning, UnsupportedFeature, accelerate
from cogir.psyneulink.learning import pytorch_mode as learning
from cogir.psyneulink.learning import wanted
from cogir.psyneulink.learning.by_trial import TrialSession

pytestmark = pytest.mark.filterwarnings("ignore")

CONTEXT = "x"


def branching(**settings):
    """Two inputs, a bias, a node with two outputs' targets, a Projection that is not learned."""
    a, b = pnl.TransferMechanism(name="a", input_shapes=2), pnl.ProcessingMechanism(name="b", input_shapes=3)
    bias = pnl.TransferMechanism(name="bias", input_shapes=1, default_variable=[[1.0]])
    hidden = pnl.ProcessingMechanism(name="hidden", input_shapes=4, function=pnl.Tanh)
    one = pnl.TransferMechanism(name="one", input_shapes=2, function=pnl.Logistic(gain=1.5, bias=0.1))
    two = pnl.ProcessingMechanism(name="two", input_shapes=1)
    composition = pnl.AutodiffComposition(name="net", **settings)
    for node in (a, b, hidden, one, two):
        composition.add_node(node)
    composition.add_node(bias, required_roles=pnl.NodeRole.BIAS)
    edges = [(a, hidden, {}), (b, hidden, {"learnable": False}), (bias, hidden, {}), (hidden, one, {}), (hidden, two, {}), (a, two, {})]
    for number, (sender, receiver, given) in enumerate(edges):
        matrix = random(len(sender.defaults.value[0]), len(receiver.defaults.value[0]))
        composition.add_projection(pnl.MappingProjection(name=f"p{number}", sender=sender, receiver=receiver, matrix=matrix, **given))
    return composition, {a: random(TRIALS, 2), b: random(TRIALS, 3)}, {one: random(TRIALS, 2), two: random(TRIALS, 1)}


def probable(network):
    """A network whose targets lie between 0 and 1, one of them at 0."""
    composition, inputs, targets = network
    return composition, inputs, {node: np.clip(np.abs(values) / 3.0 - 0.01, 0.0, 1.0) for node, values in targets.items()}


def learned(composition, inputs, targets, **given):
    """A call of learn()."""
    given = {"epochs": 2, "execution_mode": pnl.ExecutionMode.PyTorch, "context": CONTEXT, **given}
    return composition.learn(inputs=inputs, targets=targets, **given)


def in_one(composition, inputs, targets, **given):
    """A call of learn() with everything in one dict."""
    given = {"execution_mode": pnl.ExecutionMode.PyTorch, "context": CONTEXT, **given}
    return composition.learn(inputs={"inputs": inputs, "targets": targets, "epochs": 3}, **given)


def by_generator(composition, inputs, targets, **given):
    """A call of learn() with a generator of dicts, each for several epochs."""

    def each():
        for epochs in (2, 1, 3):
            yield {"inputs": inputs, "targets": targets, "epochs": epochs}

    return composition.learn(inputs=each, execution_mode=pnl.ExecutionMode.PyTorch, context=CONTEXT, **given)


def by_function(composition, inputs, targets, **given):
    """A call of learn() with a function of the number of the trial."""

    def one(number):
        return {
            role: {node: [values[number]] for node, values in part.items()} for role, part in (("inputs", inputs), ("targets", targets))
        }

    return composition.learn(inputs=one, num_trials=TRIALS, execution_mode=pnl.ExecutionMode.PyTorch, context=CONTEXT, **given)


def run(composition, inputs, targets, **given):
    """A call of run()."""
    return composition.run(inputs=inputs, context=CONTEXT, **given)


CASES = {
    "stochastic gradient descent": (lambda: layers(2, 5, 1), [learned, learned, run]),
    "Adam": (lambda: layers(2, 5, 1, optimizer_type="adam", learning_rate=0.05), [learned, learned, run, learned]),
    "a dict of all": (lambda: layers(2, 5, 1), [in_one]),
    "run first": (lambda: layers(2, 5, 1), [run, learned, run, learned, run]),
    "branches, biases, several targets": (lambda: branching(learning_rate=0.03), [learned, run, learned]),
    "the same by Adam": (lambda: branching(learning_rate=0.03, optimizer_type="adam", weight_decay=0.1), [learned, learned, run]),
    "batches that do not divide the trials": (
        lambda: layers(2, 4, 2),
        [(learned, {"minibatch_size": 3}), (learned, {"minibatch_size": 2})],
    ),
    "one batch for all trials": (lambda: layers(2, 4, 2), [(learned, {"minibatch_size": TRIALS, "epochs": 6})]),
    "in order": (lambda: layers(2, 4, 2), [(learned, {"randomize_minibatches": False, "epochs": 3}), learned]),
    "a rate for the call": (lambda: layers(2, 4, 2), [(learned, {"learning_rate": 0.7}), learned, (learned, {"learning_rate": 0.01})]),
    "rates for projections": (
        lambda: layers(2, 4, 3, 2, projection=lambda k: {"learning_rate": [0.5, False, 0.1][k]}, learning_rate=0.2),
        [learned, (learned, {"learning_rate": {"p0": 0.9}}), learned],
    ),
    "weight decay": (lambda: layers(2, 4, 2, weight_decay=0.2, learning_rate=0.3), [learned, learned]),
    "summed squares": (lambda: layers(2, 4, 2, loss_spec=pnl.Loss.SSE), [learned, (learned, {"minibatch_size": 4})]),
    "absolute differences": (lambda: layers(2, 4, 2, loss_spec=pnl.Loss.L1), [learned, learned]),
    "Poisson": (lambda: layers(2, 4, 2, loss_spec=pnl.Loss.POISSON_NLL), [learned]),
    "binary cross entropy": (lambda: probable(layers(2, 4, 3, loss_spec=pnl.Loss.BINARY_CROSS_ENTROPY, learning_rate=0.3)), [learned]),
    "relative entropy": (lambda: probable(layers(2, 4, 3, loss_spec=pnl.Loss.KL_DIV)), [(learned, {"minibatch_size": 3}), learned]),
    "cross entropy, by which nothing is learned": (
        lambda: layers(2, 4, 3, loss_spec=pnl.Loss.CROSS_ENTROPY),
        [learned, (learned, {"minibatch_size": 3})],
    ),
    "cross entropy, with a weight decay": (
        lambda: layers(2, 4, 3, loss_spec=pnl.Loss.CROSS_ENTROPY, optimizer_type="adam", weight_decay=0.1, learning_rate=0.1),
        [learned],
    ),
    "tanh": (lambda: layers(2, 4, 2, function=pnl.Tanh), [learned, run]),
    "relu": (lambda: layers(2, 4, 2, function=pnl.ReLU), [learned, run]),
    "leaky relu": (lambda: layers(2, 4, 2, function=lambda: pnl.ReLU(leak=0.1, bias=0.2)), [learned, run]),
    "softmax": (lambda: layers(2, 4, 3, last=lambda: pnl.SoftMax(gain=2.0)), [learned, run]),
    "normalized": (lambda: layers(2, 4, 3, function=pnl.Normalize), [(learned, {"optimizations_per_minibatch": 2}), run, learned]),
    "linear": (lambda: layers(2, 4, 3, function=lambda: pnl.Linear(slope=0.5, intercept=0.1)), [learned, run]),
    "a deep one": (lambda: layers(3, 6, 5, 4, 3, 2), [learned, learned]),
    "one of inputs for all trials": (lambda: layers(2, 3, 1), [(learned, {"num_trials": 14})]),
    "many epochs": (lambda: layers(2, 10, 1, learning_rate=0.5), [(learned, {"epochs": 60})]),
    "another loss for all weights": (lambda: branching(learning_rate=0.01, loss_spec=pnl.Loss.SSE), [learned, learned]),
    "no losses retained": (
        lambda: layers(2, 3, 1),
        [(learned, {"retain_torch_losses": None, "retain_torch_targets": None, "retain_torch_sample_values": None}), learned],
    ),
    "inputs by a generator": (lambda: layers(2, 3, 1), [by_generator, (by_generator, {"minibatch_size": 2})]),
    "several optimizer steps for each trial": (
        lambda: layers(2, 4, 2),
        [(learned, {"optimizations_per_minibatch": 3}), run, (learned, {"optimizations_per_minibatch": 2, "randomize_minibatches": False})],
    ),
    "several steps of Adam for the trials of one epoch": (
        lambda: layers(2, 4, 2, optimizer_type="adam", learning_rate=0.02, optimizations_per_minibatch=2),
        [(learned, {"epochs": 1}), (learned, {"optimizations_per_minibatch": 1})],
    ),
    "many steps for one trial": (
        lambda: layers(2, 4, 2),
        [(learned, {"optimizations_per_minibatch": 9, "num_trials": 1, "epochs": 1}), (learned, {"optimizations_per_minibatch": 2})],
    ),
    "weights and values given back after each step": (
        lambda: layers(2, 3, 1),
        [
            (
                learned,
                {
                    "optimizations_per_minibatch": 2,
                    "synch_projection_matrices_with_torch": pnl.LearningScale.OPTIMIZATION_STEP,
                    "synch_node_values_with_torch": pnl.LearningScale.TRIAL,
                },
            )
        ],
    ),
    "weights given back after each batch": (
        lambda: layers(2, 3, 1),
        [(learned, {"synch_projection_matrices_with_torch": pnl.LearningScale.MINIBATCH})],
    ),
}


SEVERAL = ("branches, biases, several targets", "the same by Adam", "another loss for all weights")
"""PsyNeuLink takes several targets as inputs in any order."""


def played(build, steps, fast):
    """What a script leaves, each step of it native or not."""
    fresh()
    composition, inputs, targets = build()
    returned = []
    for step, native in zip(steps, fast, strict=True):
        call, given = step if isinstance(step, tuple) else (step, {})
        if native:
            with accelerate(strict=True):
                returned.append(call(composition, inputs, targets, **given))
        else:
            returned.append(call(composition, inputs, targets, **given))
    return left(composition, returned, CONTEXT)


QUICK = (
    "cross entropy, by which nothing is learned",
    "binary cross entropy",
    "stochastic gradient descent",
    "inputs by a generator",
    "several optimizer steps for each trial",
    "the same by Adam",
    "batches that do not divide the trials",
    "relu",
)
"""The cases that are not left to the full run of the tests."""
IN_TURN = ("stochastic gradient descent", "Adam", "the same by Adam", "rates for projections", "several optimizer steps for each trial")
"""Those that PyTorch and cogir learn in turn, too."""


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", [pytest.param(name, marks=() if name in QUICK else pytest.mark.full) for name in CASES])
def test_it_is_left_as_pytorch_leaves_it(name, monkeypatch):
    build, steps = CASES[name]
    native = []
    for kind, name_of_method in ((learning.LearningSession, "learn"), (TrialSession, "learn_trials")):
        learn = getattr(kind, name_of_method)
        monkeypatch.setattr(kind, name_of_method, lambda self, *given, learn=learn: (native.append(1), learn(self, *given))[1])
    expected = played(build, steps, [False] * len(steps))
    assert not native
    kept = [one for one in CATEGORIES if one != "cim" or name not in SEVERAL]
    turns = ([number % 2 == 1 for number in range(len(steps))], [number % 2 == 0 for number in range(len(steps))])
    for fast in ([True] * len(steps), *(turns if name in IN_TURN else ())):
        assert not list(differences(expected, played(build, steps, fast), kept)), fast
    assert native


def diverging():
    """A network whose weights grow until PyTorch's tanh overflows."""
    return layers(2, 4, 1, function=pnl.Tanh, last=pnl.Linear, learning_rate=50.0, loss_spec=pnl.Loss.SSE)


def integrating():
    composition, inputs, targets = layers(2, 3, 1)
    composition.nodes["n1"].integrator_mode = True
    return composition, inputs, targets


def certain():
    """A network that is sure of what it says."""
    composition, inputs, targets = layers(2, 3, 1, last=lambda: pnl.Logistic(gain=60.0), loss_spec=pnl.Loss.BINARY_CROSS_ENTROPY)
    return probable((composition, inputs, targets))


def clipped():
    composition, inputs, targets = layers(2, 3, 1)
    composition.nodes["n1"].parameters.clip.set((-0.5, 0.5), None)
    return composition, inputs, targets


REFUSED = {
    "a function for inputs": (lambda: layers(2, 3, 1), (by_function, {"epochs": 2}), "a function for inputs"),
    "a callback": (lambda: layers(2, 3, 1), (learned, {"call_after_minibatch": lambda: None}), "call_after_minibatch"),
    "samples beyond a probability": (certain, (learned, {"epochs": 3}), "too close to 0 or 1"),
    "results after each batch": (
        lambda: layers(2, 3, 1),
        (learned, {"synch_results_with_torch": pnl.LearningScale.MINIBATCH}),
        "synch_results_with_torch",
    ),
    "an integrator of what is learned": (integrating, (learned, {}), "what it integrates depends on what is learned"),
    "a Normalize in batches": (
        lambda: layers(2, 3, 1, function=pnl.Normalize),
        (learned, {"minibatch_size": 2}),
        "batches of several trials",
    ),
    "a clip": (clipped, (learned, {}), "it has noise or a clip"),
    "weights without bounds": (diverging, (learned, {"epochs": 4}), "for the first batch differ|its weights grow"),
}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if index % 4 == 0 else pytest.mark.full) for index, name in enumerate(REFUSED)]
)
def test_what_is_not_known_is_learned_in_pytorch(name):
    build, (call, given), reason = REFUSED[name]
    fresh()
    expected = left(*with_returned(build, call, given), CONTEXT)
    fresh()
    with accelerate(), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = left(*with_returned(build, call, given), CONTEXT)
    told = [str(one.message) for one in caught if issubclass(one.category, FallbackWarning)]
    assert len(told) == 1, told
    assert re.search(reason, told[0])
    assert "it runs in PsyNeuLink" in told[0]
    assert not list(differences(expected, found))
    fresh()
    with accelerate(strict=True), pytest.raises(UnsupportedFeature, match=reason):
        with_returned(build, call, given)


def with_returned(build, call, given):
    """A Composition after a call, and what the call returned."""
    composition, inputs, targets = build()
    return composition, [call(composition, inputs, targets, **given)]


@pytest.mark.full
@pytest.mark.parametrize("first", [False, True])
def test_a_parameter_that_is_changed_later_does_not_count_in_pytorch(first):
    def script(native, later):
        fresh()
        composition, inputs, targets = layers(2, 3, 1)
        with accelerate(strict=True) if native else contextlib.nullcontext():
            learned(composition, inputs, targets)
        composition.nodes["n1"].function.parameters.gain.set(3.0, CONTEXT)
        with accelerate() if later else contextlib.nullcontext():
            return left(composition, [learned(composition, inputs, targets)], CONTEXT)

    expected = script(False, False)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert not list(differences(expected, script(first, True)))
    told = [str(one.message) for one in caught if issubclass(one.category, FallbackWarning)]
    assert len(told) == (0 if first else 1)
    assert first or "the results of PyTorch and cogir for the first batch differ" in told[0]


@pytest.mark.parametrize("size", [1, 2, TRIALS])
def test_it_warns_as_psyneulink_does(size):
    def warned(block):
        fresh()
        composition, inputs, targets = layers(2, 3, 1)
        with warnings.catch_warnings(record=True) as found, block:
            warnings.simplefilter("always")
            learned(composition, inputs, targets, epochs=4, minibatch_size=size)
        return {(one.category, str(one.message)) for one in found}

    assert warned(accelerate(strict=True)) == warned(contextlib.nullcontext())


def test_a_report_on_each_trial_is_psyneulinks():
    def reported(block):
        fresh()
        composition, inputs, targets = layers(2, 3, 1)
        given = {"report_progress": pnl.ReportProgress.ON, "report_to_devices": pnl.ReportDevices.DIVERT}
        with block:
            learned(composition, inputs, targets, **given)
        return composition.rich_diverted_reports

    with pytest.warns(FallbackWarning, match="a report on each trial; leave report_output and report_progress out"):
        found = reported(accelerate())
    assert found == reported(contextlib.nullcontext())
    assert f"Trained {2 * TRIALS} trials" in found


def test_a_loss_from_which_nothing_is_learned():
    fresh()
    composition, inputs, targets = layers(2, 3, 1, loss_spec=pnl.Loss.CROSS_ENTROPY)
    with accelerate(strict=True), pytest.warns(cogir.LearningWarning, match="nothing is learned from it") as told:
        learned(composition, inputs, targets)
    assert [one.filename for one in told if one.category is cogir.LearningWarning] == [__file__]


def test_results_of_several_lengths_are_lists_in_each_trial():
    kinds = []
    for block in (contextlib.nullcontext(), accelerate(strict=True)):
        fresh()
        composition, inputs, targets = branching()
        with block:
            learned(composition, inputs, targets)
        results = composition.parameters.learning_results.get(CONTEXT)
        kinds.append([[type(item) for item in trial] for trial in results])
    assert kinds[0] == kinds[1]
    assert {kind for trial in kinds[0] for kind in trial} == {list}


@pytest.mark.parametrize("given", [{"minibatch_size": 2}, {"synch_node_values_with_torch": None, "minibatch_size": TRIALS}])
def test_steps_for_a_batch_of_several_trials_are_psyneulinks_error(given):
    told = []
    for block in (contextlib.nullcontext(), accelerate(strict=True)):
        fresh()
        composition, inputs, targets = layers(2, 3, 1)
        with block, pytest.raises(Exception, match="cannot both be greater than 1") as error:
            learned(composition, inputs, targets, optimizations_per_minibatch=2, **given)
        told.append((type(error.value), str(error.value)))
    assert told[0] == told[1]


NESTED = """
import sys
import numpy as np, psyneulink as pnl
from cogir.psyneulink import accelerate

a, b, last = (pnl.ProcessingMechanism(name=name, input_shapes=size) for name, size in (("a", 2), ("b", 2), ("c", 1)))
inner = pnl.AutodiffComposition(pathways=[[a, b]], name="inner")
outer = pnl.AutodiffComposition(pathways=[[inner, pnl.MappingProjection(b, last, matrix=np.ones((2, 1))), last]], name="outer")
accelerate()
outer.learn(inputs={inner: np.ones((4, 2))}, targets={last: np.ones((4, 1))}, execution_mode=pnl.ExecutionMode.PyTorch, **GIVEN)
print([name for name in ("cogir.psyneulink.native_calls", "xdsl") if name in sys.modules], len(outer.results))
"""


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("given", "told"), [({"optimizations_per_minibatch": 2}, 1), ({"minibatch_size": 4, "epochs": 2}, 0)])
def test_learning_through_a_nested_composition_is_left_to_pytorch_at_once(given, told):
    text = NESTED.replace("**GIVEN", f"**{given!r}")
    found = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert found.stderr.count("it learns through a nested Composition; let PyTorch learn (it runs in PsyNeuLink)") == told
    if told:
        assert found.stdout.split()[0] == "[]", "what reads Compositions is not imported"


def test_logs_are_looked_for_once(monkeypatch):
    """To look through all Parameters takes as long as many calls of learn with one trial."""
    fresh()
    network = branching()
    looks = []
    look = wanted.with_condition
    monkeypatch.setattr(wanted, "with_condition", lambda *given: (looks.append(given), look(*given))[1])
    with accelerate(strict=True):
        for _ in range(3):
            learned(*network)
        assert len(looks) == 1
        network[0].nodes["one"].parameters.value.log_condition = pnl.LogCondition.TRIAL
        with pytest.raises(UnsupportedFeature, match="learn\\(\\) is called while 'value' of 'one' is logged"):
            learned(*network)


# Short calls


@pytest.mark.parametrize("compiling", [0.05, 1e9], ids=["compiled at the second call", "never compiled"])
def test_calls_of_few_batches_stay_with_pytorch_until_compiling_pays(compiling, monkeypatch):
    """PyTorch learns in the first calls, and cogir from where they have left it."""
    from cogir.psyneulink.execution import short_runs

    def results(block):
        fresh()
        np.random.seed(3)
        network = branching(learning_rate=0.1)
        for _ in range(3):
            with block():
                learned(*network)
        composition = network[0]
        learned_ones = {one.name: one for one in composition.projections if re.fullmatch(r"p\d", one.name)}
        return [learned_ones[name].parameters.matrix.get(CONTEXT).tolist() for name in sorted(learned_ones)], composition

    expected, _ = results(contextlib.nullcontext)
    monkeypatch.setattr(short_runs, "slowness", lambda: 1.0)
    monkeypatch.setattr(short_runs, "seconds_of_compiling_learning", lambda composition: compiling)
    monkeypatch.setattr(short_runs, "expected_of_batch", lambda composition: 0.0)
    found, composition = results(lambda: accelerate(short_runs="psyneulink"))
    for one, other in zip(expected, found, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12)
    known = composition._kept_by_cogir.held[short_runs.ShortBatches]
    assert known.is_over == (compiling < 1)
    assert known.calls == (1 if known.is_over else 3)
