"""
Models of which a trial leaves something to the next one learn natively and are left as PyTorch leaves them.

The model with an EMComposition is PsyNeuLink's `Giallanza2024_EGO_Study2`, with states of fewer elements or fewer contexts.
"""

import contextlib
import re
import warnings

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.compare import CATEGORIES, differences
from support.psyneulink.golden import fresh
from support.psyneulink.learning import left, random

from cogir.psyneulink import FallbackWarning, accelerate
from cogir.psyneulink.learning.by_trial import TrialSession

pytestmark = pytest.mark.filterwarnings("ignore")

CONTEXT = "x"
SEQUENCE = (0, 1, 2, 0, 2, 1, 3, 0, 1, 2)


@pytest.fixture
def native(monkeypatch):
    """The numbers of trials that were learned from natively."""
    found = []
    learn = TrialSession.learn_trials

    def counted(self, trials, wanted):
        result = learn(self, trials, wanted)
        found.append(len(trials))
        return result

    monkeypatch.setattr(TrialSession, "learn_trials", counted)
    return found


def ego(steps=5, capacity=40, **given):
    """The EGO model for states of four elements, with its inputs."""
    from psyneulink.library.models import Giallanza2024_EGO_Study2 as model

    composition, state = model.construct_model(memory_capacity=capacity, state_size=4, num_optimization_steps=steps, **given)
    return composition, {state: np.eye(4)[list(SEQUENCE)]}


def contexts(paradigm, steps=5):
    """The EGO model as it is, with few contexts."""
    from psyneulink.library.models import Giallanza2024_EGO_Study2 as model

    np.random.seed(2)
    states = model.get_trials(paradigm, 4, 2)
    composition, state = model.construct_model(memory_capacity=len(states), num_optimization_steps=steps)
    return composition, {state: states}


def delayed(integrates=True, function=pnl.Logistic, **settings):
    """A node that predicts the input from what two nodes held of the inputs before, one of them an integrator."""
    state, target = (pnl.ProcessingMechanism(name=name, input_shapes=3) for name in ("state", "target"))
    previous = pnl.ProcessingMechanism(name="previous", input_shapes=3)
    context = pnl.TransferMechanism(name="context", input_shapes=3, function=pnl.Tanh, integrator_mode=integrates, integration_rate=0.3)
    last = pnl.ProcessingMechanism(name="last", input_shapes=3, function=function)
    composition = pnl.AutodiffComposition(name="net", targets=(last, target), **settings)
    for node in (state, target, previous, context, last):
        composition.add_node(node)
    for sender, receiver in ((state, previous), (state, context)):
        composition.add_projection(pnl.MappingProjection(sender=sender, receiver=receiver, learnable=False, matrix=np.eye(3)))
    for number, sender in enumerate((previous, context)):
        matrix = random(3, 3) + number
        composition.add_projection(pnl.MappingProjection(name=f"p{number}", sender=sender, receiver=last, matrix=matrix))
    composition.scheduler.add_condition(last, pnl.BeforeNodes(previous, context))
    inputs = {state: np.eye(3)[[0, 1, 2, 0, 1, 1, 2]], target: np.eye(3)[[1, 2, 0, 1, 1, 2, 0]]}
    return composition, inputs


def learned(composition, inputs, **given):
    """A call of learn()."""
    given = {"execution_mode": pnl.ExecutionMode.PyTorch, "context": CONTEXT, "minibatch_size": 1, **given}
    return composition.learn(inputs=inputs, **given)


def run(composition, inputs, **given):
    """A call of run()."""
    return composition.run(inputs={node: values[:2] for node, values in inputs.items()}, context=CONTEXT)


def played(build, steps, fast):
    """What a script leaves, each step of it native or not."""
    fresh()
    composition, inputs = build()
    returned = []
    for step, is_fast in zip(steps, fast, strict=True):
        call, given = step if isinstance(step, tuple) else (step, {})
        with accelerate(strict=call is not run) if is_fast else contextlib.nullcontext():
            returned.append(call(composition, inputs, **given))
    return left(composition, returned, CONTEXT)


FIVE, THREE, TWO = ({"optimizations_per_minibatch": count} for count in (5, 3, 2))
CASES = {
    "a memory": (ego, [(learned, FIVE)]),
    "a memory, one step for each trial": (lambda: ego(1), [learned]),
    "a memory, several calls": (
        lambda: ego(loss_spec=pnl.Loss.MSE),
        [(learned, FIVE), (learned, {**FIVE, "epochs": 2}), run, (learned, FIVE)],
    ),
    "a memory filled otherwise": (lambda: ego(2, memory_fill=0.01, softmax_threshold=0.05), [(learned, TWO)]),
    "weights of fields": (
        lambda: ego(3, context_retrieval_weight=0.4, previous_state_retrieval_weight=1.7, softmax_temperature=0.5),
        [(learned, THREE)],
    ),
    "nodes that are read before they are executed": (delayed, [learned, (learned, {"epochs": 3}), run, learned]),
    "the same by Adam": (
        lambda: delayed(optimizer_type="adam", learning_rate=0.1, weight_decay=0.1),
        [(learned, TWO), run, (learned, {"randomize_minibatches": True})],
    ),
    "the same without an integrator": (lambda: delayed(False, learning_rate=0.4), [(learned, THREE)]),
    "blocked contexts": (lambda: contexts("blocked"), [(learned, FIVE)]),
    "interleaved contexts": (lambda: contexts("interleaved"), [(learned, FIVE)]),
}
QUICK = ("a memory", "nodes that are read before they are executed")
IN_TURN = ("a memory, several calls", "nodes that are read before they are executed")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", [pytest.param(name, marks=() if name in QUICK else pytest.mark.full) for name in CASES])
def test_it_is_left_as_pytorch_leaves_it(name, native):
    build, steps = CASES[name]
    expected = played(build, steps, [False] * len(steps))
    assert not native
    turns = ([number % 2 == 1 for number in range(len(steps))], [number % 2 == 0 for number in range(len(steps))])
    for fast in ([True] * len(steps), *(turns if name in IN_TURN else ())):
        assert not list(differences(expected, played(build, steps, fast), CATEGORIES)), fast
    assert native


def full_memory():
    """A memory with room for fewer trials than there are."""
    return ego(2, capacity=4)


def learning_memory():
    composition, inputs = ego(2)
    composition.nodes["EM"].enable_learning = True
    return composition, inputs


def improbable_storage():
    composition, inputs = ego(2)
    for node in composition.nodes["EM"].field_memory_nodes:
        node.function.parameters.storage_prob.set(0.5, CONTEXT)
    return composition, inputs


def normalized_memories():
    """A memory of zeros, at which it does not show how scores are computed."""
    composition, inputs = ego(2, memory_fill=0.0, softmax_threshold=None)
    for node in composition.nodes["EM"].field_memory_nodes:
        node.function.scores_function.parameters.normalize.set(True)
    return composition, inputs


def normalizing_projection():
    """A Projection that divides by norms, which does not show at inputs of zeros."""
    composition, inputs = delayed()
    (projection,) = composition.nodes["previous"].path_afferents
    projection.function.parameters.normalize.set(True)
    return composition, {node: np.concatenate([np.zeros((1, 3)), values]) for node, values in inputs.items()}


REFUSED = {
    "a memory in which entries are replaced": (full_memory, TWO, "rounding decides which entry of its memory is the weakest"),
    "an EMComposition that learns": (learning_memory, TWO, "an EMComposition that learns, too"),
    "memories that are normalized": (normalized_memories, TWO, "it normalizes queries and memories"),
    "a Projection that normalizes": (normalizing_projection, {}, "PyTorch computes its function differently"),
    "entries that are not always stored": (improbable_storage, TWO, "stores with a probability"),
}


@pytest.mark.parametrize("name", [pytest.param(name, marks=() if index == 0 else pytest.mark.full) for index, name in enumerate(REFUSED)])
def test_what_is_not_known_is_learned_in_pytorch(name, native):
    build, given, reason = REFUSED[name]

    def found(block):
        fresh()
        composition, inputs = build()
        with block:
            return left(composition, [learned(composition, inputs, **given)], CONTEXT)

    expected = found(contextlib.nullcontext())
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert not list(differences(expected, found(accelerate(short_runs="native"))))
    told = [str(one.message) for one in caught if issubclass(one.category, FallbackWarning)]
    assert len(told) == 1, told
    assert re.search(reason, told[0])
    assert not native


@pytest.mark.parametrize("what", ["rate", pytest.param("gain", marks=pytest.mark.full), pytest.param("leak", marks=pytest.mark.full)])
def test_a_parameter_that_is_changed_later_does_not_count_in_pytorch(what):
    """PyTorch computes with what it has found when it first learned; cogir notices, and leaves it to PyTorch."""

    def script(native):
        fresh()
        composition, inputs = delayed(function=pnl.ReLU(leak=0.1) if what == "leak" else pnl.Logistic)
        learned(composition, inputs)
        context, last = (composition.nodes[name] for name in ("context", "last"))
        function = {"rate": context.integrator_function, "gain": context.function, "leak": last.function}[what]
        getattr(function.parameters, what).set(0.6, CONTEXT)
        with accelerate(short_runs="native") if native else contextlib.nullcontext():
            return left(composition, [learned(composition, inputs)], CONTEXT)

    expected = script(False)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert not list(differences(expected, script(True), CATEGORIES))
    (told,) = [str(one.message) for one in caught if issubclass(one.category, FallbackWarning)]
    assert "PyTorch computes its function differently (were Parameters changed after it first learned?)" in told


@pytest.mark.full
def test_it_warns_as_pytorch_does():
    def warned(block):
        fresh()
        composition, inputs = ego(2)
        with warnings.catch_warnings(record=True) as found, block:
            warnings.simplefilter("always")
            learned(composition, inputs, **TWO)
        return {(one.category, str(one.message)) for one in found}

    assert warned(accelerate(strict=True)) == warned(contextlib.nullcontext())
