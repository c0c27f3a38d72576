"""
An AutodiffComposition that learns natively in `ExecutionMode.LLVMRun` is left as PsyNeuLink's own compiler leaves it.
"""

import contextlib
import re
import warnings

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.compare import differences, plain
from support.psyneulink.golden import fresh
from support.psyneulink.learning import TRIALS, layers, random

from cogir.psyneulink import FallbackWarning, UnsupportedFeature, accelerate
from cogir.psyneulink.learning import llvm_mode as learning

pytestmark = pytest.mark.filterwarnings("ignore")

CONTEXT = "x"


def branching(**settings):
    """Two inputs, two outputs of different sizes, a node that learns from both."""
    a, b = pnl.TransferMechanism(name="a", input_shapes=2), pnl.ProcessingMechanism(name="b", input_shapes=3)
    hidden = pnl.ProcessingMechanism(name="hidden", input_shapes=4, function=pnl.Logistic)
    one = pnl.TransferMechanism(name="one", input_shapes=2, function=pnl.Logistic(gain=1.5, bias=0.1))
    two = pnl.ProcessingMechanism(name="two", input_shapes=1)
    composition = pnl.AutodiffComposition(name="net", **settings)
    for node in (b, a, hidden, one, two):  # with `a` first PsyNeuLink does not find its own LearningMechanisms
        composition.add_node(node)
    for number, (sender, receiver) in enumerate([(a, hidden), (b, hidden), (hidden, one), (hidden, two), (a, two)]):
        matrix = random(len(sender.defaults.value[0]), len(receiver.defaults.value[0]))
        composition.add_projection(pnl.MappingProjection(name=f"p{number}", sender=sender, receiver=receiver, matrix=matrix))
    return composition, {a: random(TRIALS, 2), b: random(TRIALS, 3)}, {one: random(TRIALS, 2), two: random(TRIALS, 1)}


def relu():
    """A ReLU with all of its Parameters."""
    return pnl.ReLU(gain=2.0, bias=0.1, leak=0.2, scale=1.5, offset=0.2)


CASES = {
    "stochastic gradient descent, twice": (lambda: layers(2, 5, 1, learning_rate=0.3), [{}, {}]),
    "Adam goes on from call to call": (lambda: layers(2, 5, 1, optimizer_type="adam", learning_rate=0.05), [{}, {"epochs": 1}, {}]),
    "cross entropy, which is learned as squares": (lambda: layers(2, 4, 3, loss_spec=pnl.Loss.CROSS_ENTROPY, learning_rate=0.2), [{}]),
    "the first trial of each batch": (lambda: layers(2, 4, 2, learning_rate=0.2), [{"minibatch_size": 3}, {"minibatch_size": TRIALS}]),
    "rates that do not count": (
        lambda: layers(2, 4, 2, projection=lambda k: {"learning_rate": [0.5, False][k]}, learning_rate=0.3, weight_decay=0.1),
        [{"learning_rate": 0.9}, {}],
    ),
    "branches": (lambda: branching(learning_rate=0.05), [{}, {"randomize_minibatches": False}]),
    "Adam for branches": (lambda: branching(learning_rate=0.05, optimizer_type="adam"), [{}]),
    "ReLU": (lambda: layers(2, 4, 2, function=relu), [{}]),
    "Logistic with all that PyTorch leaves out": (
        lambda: layers(2, 4, 2, function=lambda: pnl.Logistic(gain=1.5, bias=0.2, x_0=0.3)),
        [{}],
    ),
    "Linear": (lambda: layers(2, 4, 3, function=lambda: pnl.Linear(slope=0.5, intercept=0.1)), [{}]),
    "more trials than inputs": (lambda: layers(2, 3, 1), [{"num_trials": 2 * TRIALS}]),
    "one trial": (lambda: layers(2, 3, 1), [{"num_trials": 1, "epochs": 1}]),
}
QUICK = ("Adam goes on from call to call", "branches")
"""The cases that are not left to the full run of the tests."""


def learned(composition, inputs, targets, **given):
    """A call of learn()."""
    given = {"epochs": 2, **given}
    return composition.learn(inputs=inputs, targets=targets, execution_mode=pnl.ExecutionMode.LLVMRun, context=CONTEXT, **given)


def left(composition, returned):
    """What learning leaves behind."""
    parameters = composition.parameters
    found = {("result", f"returned {number}"): plain(value) for number, value in enumerate(returned)}
    found["result", "results"] = plain(parameters.results.get(CONTEXT))
    found["result", "learning results"] = plain(parameters.learning_results.get(CONTEXT))
    for projection in parameters.pytorch_representation.get(CONTEXT).projections_map:
        found["result", f"matrix of {projection.name}"] = np.array(projection.parameters.matrix.get(CONTEXT))
        found["result", f"matrix of the function of {projection.name}"] = np.array(projection.function.parameters.matrix.get(CONTEXT))
        found["result", f"base of {projection.name}"] = np.array(projection.matrix.base)
    for node in parameters.pytorch_representation.get(CONTEXT).nodes_map:
        found["result", f"value of {node.name}"] = np.array(node.parameters.value.get(CONTEXT))
    for cim in (composition.input_CIM, composition.output_CIM):  # PsyNeuLink shows ports of different lengths as the fields of a record
        found["result", f"value of {cim.name}"] = np.concatenate([np.ravel(port) for port in cim.parameters.value.get(CONTEXT)])
    found["result", "next random number"] = np.random.random()
    return found


def played(build, steps, fast):
    """What calls of `learn` leave."""
    fresh()
    composition, inputs, targets = build()
    with accelerate(strict=True) if fast else contextlib.nullcontext():
        return left(composition, [learned(composition, inputs, targets, **step) for step in steps])


@pytest.mark.parametrize("name", [pytest.param(name, marks=() if name in QUICK else pytest.mark.full) for name in CASES])
def test_it_is_left_as_psyneulinks_compiler_leaves_it(name, monkeypatch):
    build, steps = CASES[name]
    native = []
    learn = learning.CompiledSession.learn
    monkeypatch.setattr(learning.CompiledSession, "learn", lambda self, *given: (native.append(1), learn(self, *given))[1])
    expected = played(build, steps, False)
    assert not native
    assert not list(differences(expected, played(build, steps, True)))
    assert len(native) == len(steps)


def in_turn(changes):
    """What calls of `learn` leave, before each of which the script changes something; and how often learning was compiled."""
    fresh()
    composition, inputs, targets = layers(2, 3, 2, learning_rate=0.3, optimizer_type="adam")
    compiled = []
    original = learning.CompiledForm.__init__

    def noted(self, *given):
        compiled.append(1)
        original(self, *given)

    returned = []
    with pytest.MonkeyPatch.context() as patch, accelerate(strict=True):
        patch.setattr(learning.CompiledForm, "__init__", noted)
        for change in changes:
            change(composition)
            returned.append(learned(composition, inputs, targets))
        return left(composition, returned), len(compiled)


def unchanged(composition):
    """Changes nothing."""


def other_gain(composition):
    """Another slope of a function."""
    composition.nodes["n1"].function.parameters.gain.set(2.5, CONTEXT)


def other_matrix(composition):
    """Another matrix to learn on from."""
    composition.projections[0].parameters.matrix.set(np.full((2, 3), 0.25), CONTEXT)


def other_loss(composition):
    """Another loss, which is learned alike."""
    composition.loss_spec = pnl.Loss.CROSS_ENTROPY


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("changes", "times"),
    [((unchanged,) * 2, 1), ((unchanged, other_gain, unchanged), 2), ((unchanged, other_matrix), 1), ((unchanged, other_loss), 2)],
    ids=["unchanged", "gain", "matrix", "loss"],
)
def test_it_is_compiled_once_for_what_stays(changes, times, monkeypatch):
    found, count = in_turn(changes)
    assert count == times
    monkeypatch.setattr(learning.CompiledForm, "fits", lambda *_: False)
    expected, count = in_turn(changes)
    assert count == len(changes)
    assert not list(differences(expected, found))


def at_the_kink():
    """A ReLU whose variable is zero, but not what comes in."""
    composition, inputs, targets = layers(2, 2, 1, function=pnl.ReLU, last=pnl.Linear)
    next(one for one in composition.projections if one.name == "p0").parameters.matrix.set(np.array([[1.0, 2.0], [-1.0, 0.5]]), None)
    return composition, {node: np.ones_like(values) for node, values in inputs.items()}, targets


def late_input():
    """An input that was added after another node."""
    first, second = pnl.TransferMechanism(name="hidden", input_shapes=2), pnl.TransferMechanism(name="a", input_shapes=2)
    composition = pnl.AutodiffComposition(name="net")
    for node in (first, second):
        composition.add_node(node)
    composition.add_projection(pnl.MappingProjection(sender=second, receiver=first, matrix=random(2, 2), name="p0"))
    return composition, {second: random(TRIALS, 2)}, {first: random(TRIALS, 2)}


REFUSED = {
    "a ReLU at its kink": (at_the_kink, "exactly where its slope changes"),
    "a scaled Logistic": (lambda: layers(2, 3, 1, function=lambda: pnl.Logistic(scale=2.0)), "a different derivative for a Logistic"),
    "an input after another node": (late_input, "not among the nodes that were added first"),
}


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.full if name != "a ReLU at its kink" else ()) for name in REFUSED])
def test_what_psyneulinks_compiler_does_otherwise_is_left_to_it(name):
    build, reason = REFUSED[name]
    steps = [{"epochs": 2}]
    expected = played(build, steps, False)
    fresh()
    composition, inputs, targets = build()
    with accelerate(), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = left(composition, [learned(composition, inputs, targets, **step) for step in steps])
    told = [str(one.message) for one in caught if issubclass(one.category, FallbackWarning)]
    assert len(told) == 1, told
    assert re.search(reason, told[0])
    assert not list(differences(expected, found))


@pytest.mark.full
@pytest.mark.parametrize("mode", ["LLVMRun", "Python"])
def test_runs_between_learning(mode):
    """A compiled run does not learn on; one in Python mode begins with the matrices from before learning, as PsyNeuLink has it."""

    def script(fast):
        fresh()
        composition, inputs, targets = layers(2, 3, 1)
        with accelerate() if fast else contextlib.nullcontext():
            for _ in range(2 if mode == "Python" else 1):
                learned(composition, inputs, targets)
                composition.run(inputs=inputs, execution_mode=pnl.ExecutionMode[mode], context=CONTEXT)
        return left(composition, [])

    expected = script(False)
    assert not list(differences(expected, script(True)))


def test_a_run_by_psyneulinks_compiler_in_between():
    """It makes a number of the loss. PsyNeuLink learns on then, but leaves no matrices; cogir says what to do instead."""
    composition, inputs, targets = layers(2, 3, 1)
    with accelerate():
        learned(composition, inputs, targets)
        composition.run(
            inputs={node: values[:1] for node, values in inputs.items()}, context=CONTEXT, execution_mode=pnl.ExecutionMode.LLVMRun
        )
        with pytest.raises(UnsupportedFeature, match=r"replaced its loss by a number.*run it in Python mode between two calls of learn"):
            learned(composition, inputs, targets)
