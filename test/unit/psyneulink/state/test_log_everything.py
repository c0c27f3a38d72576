"""`run(log=True)`, which logs all Parameters of nodes and Projections: each entry of each log is PsyNeuLink's."""

import contextlib
import itertools

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.golden import fresh

from cogir.errors import CogirError
from cogir.psyneulink import accelerate, explain
from cogir.psyneulink.state import log_rules
from cogir.psyneulink.state.trace import trace_of

pytestmark = pytest.mark.filterwarnings("ignore")

TRIAL = pnl.TimeScale.TRIAL


# The Mechanisms


def transfer(rng, name, size):
    """A TransferMechanism that passes on."""
    function = [pnl.Linear(slope=1.5, intercept=0.1), pnl.Logistic(gain=2.0), pnl.Tanh(), pnl.ReLU(leak=0.1)][rng.integers(4)]
    return pnl.TransferMechanism(name=name, input_shapes=size, function=function)


def integrating(rng, name, size):
    """A TransferMechanism that integrates, and that may do so until it has finished."""
    given = [
        {},
        {"termination_threshold": 0.05, "termination_comparison_op": "<=", "max_executions_before_finished": 4},
        {"termination_threshold": 2, "termination_measure": TRIAL},
        {"termination_threshold": 0.5, "termination_measure": max, "execute_until_finished": False},
    ][rng.integers(4 if size > 1 else 3)]  # PsyNeuLink takes no `max` of one element
    return pnl.TransferMechanism(name=name, input_shapes=size, integrator_mode=True, integration_rate=0.4, **given)


def processing(rng, name, size):
    """A ProcessingMechanism, with a Python function or one of PsyNeuLink's."""
    function = [lambda variable: variable * 2.0 + 1.0, pnl.SimpleIntegrator(rate=0.5), pnl.Exponential(rate=0.1)][rng.integers(3)]
    return pnl.ProcessingMechanism(name=name, input_shapes=size, function=function)


def integrator(rng, name, size):
    """An IntegratorMechanism."""
    function = [pnl.AdaptiveIntegrator(rate=0.3), pnl.SimpleIntegrator(rate=0.2, noise=0.1), pnl.LeakyCompetingIntegrator()][
        rng.integers(3)
    ]
    return pnl.IntegratorMechanism(name=name, input_shapes=size, function=function)


def lca(rng, name, size):
    """An LCAMechanism."""
    given = [{}, {"threshold": 0.52}][rng.integers(2)]
    mechanism = pnl.LCAMechanism(name=name, input_shapes=size, leak=0.5, **given)
    mechanism.max_executions_before_finished = 3  # which the class does not take as an argument
    return mechanism


def recurrent(rng, name, size):
    """A RecurrentTransferMechanism."""
    return pnl.RecurrentTransferMechanism(name=name, input_shapes=size, auto=0.2, hetero=-0.1, integrator_mode=bool(rng.integers(2)))


def objective(rng, name, size):
    """An ObjectiveMechanism."""
    return pnl.ObjectiveMechanism(name=name, default_variable=[[0.0] * size])


def ddm(rng, name, size):
    """A DDM, of which the value has several items."""
    function = [
        pnl.DriftDiffusionAnalytical(),
        pnl.DriftDiffusionIntegrator(threshold=1.0, time_step_size=0.3),
        pnl.DriftDiffusionIntegrator(threshold=1.0, noise=0.1, seed=3),
    ][rng.integers(3)]
    return pnl.DDM(name=name, function=function, max_executions_before_finished=5, execute_until_finished=bool(rng.integers(2)))


KINDS = (transfer, integrating, processing, integrator, lca, recurrent, objective, ddm)


def random_composition(seed, name="C", depth=1):
    """Layers of random Mechanisms, Projections with random matrices, and conditions; maybe a nested Composition, control and gating."""
    rng = np.random.default_rng(seed)
    layers, composition = [], pnl.Composition(name=name)
    for index in range(rng.integers(2, 4)):
        kinds = [KINDS[rng.integers(len(KINDS))] for _ in range(rng.integers(1, 3))]
        sizes = [1 if kind is ddm else int(rng.integers(1, 4)) for kind in kinds]
        layers.append([kind(rng, f"{name}{index}{place}", size) for place, (kind, size) in enumerate(zip(kinds, sizes, strict=True))])
        composition.add_nodes(layers[-1])
    for before, after in itertools.pairwise(layers):
        for receiver in after:
            for sender in before:
                shape = len(sender.output_port.defaults.value), len(receiver.input_port.defaults.value)
                composition.add_projection(pnl.MappingProjection(sender, receiver, matrix=rng.normal(size=shape).round(2)))
    first, last = layers[0][0], layers[-1][0]
    if rng.random() < 0.4:
        composition.scheduler.add_condition(last, pnl.EveryNCalls(layers[-2][0], 2))
    if rng.random() < 0.3 and depth:
        inner = random_composition(seed + 1000, name=f"{name}I", depth=0)
        entry = next(iter(inner.get_nodes_by_role(pnl.NodeRole.INPUT)))
        if len(inner.get_nodes_by_role(pnl.NodeRole.INPUT)) == 1 and len(entry.input_port.defaults.value) == 1:
            composition.add_node(gate := pnl.TransferMechanism(name=f"{name}T"))
            composition.add_linear_processing_pathway([first, gate, inner])
    if rng.random() < 0.4 and len(first.output_port.defaults.value) == 1:
        modulated = ("slope" if hasattr(last.function, "slope") else "gain", last)
        if hasattr(last.function, modulated[0]):
            composition.add_node(pnl.ControlMechanism(name=f"{name}M", monitor_for_control=first.output_port, control=modulated))
    return composition


# Compositions with something particular


def with_controller(mode):
    """A controller that simulates nothing."""

    def build():
        a, b = pnl.TransferMechanism(name="A"), pnl.TransferMechanism(name="B", integrator_mode=True)
        objective = pnl.ObjectiveMechanism(name="O", monitor=[a])
        control = [("slope", b), ("intercept", b)]
        composition = pnl.Composition(name="C", pathways=[[a, b]], controller_mode=mode)
        composition.add_controller(pnl.ControlMechanism(name="M", objective_mechanism=objective, control=control))
        return composition

    return build


def with_gates():
    """A gate on an InputPort, one on an OutputPort, and a signal that overrides."""
    a, b = pnl.TransferMechanism(name="A"), pnl.TransferMechanism(name="B", integrator_mode=True)
    composition = pnl.Composition(name="C", pathways=[[a, b]])
    signal = pnl.ControlSignal(modulates=("slope", b), modulation=pnl.OVERRIDE)
    gates = [pnl.GatingMechanism(name="G", gate=[b.output_port], default_allocation=0.5)]
    gates.append(pnl.GatingMechanism(name="H", gate=[b.input_port], objective_mechanism=pnl.ObjectiveMechanism(name="O", monitor=[a])))
    composition.add_nodes([pnl.ControlMechanism(name="M", monitor_for_control=a, control=signal), *gates])
    return composition


def cycle(feedback):
    """Nodes that send to one another: both see what the other has sent before."""

    def build():
        a, b = pnl.TransferMechanism(name="A", input_shapes=2), pnl.TransferMechanism(name="B", input_shapes=3, integrator_mode=True)
        composition = pnl.Composition(name="C", pathways=[[a, b]])
        back = pnl.MappingProjection(sender=b, receiver=a, matrix=np.full((3, 2), 0.1))
        composition.add_projection(back, feedback=feedback)
        return composition

    return build


def nested(often):
    """A nested Composition, whose first node runs in the second pass, or which is called twice in a trial."""

    def build():
        inside = [pnl.TransferMechanism(name="I", input_shapes=2), pnl.TransferMechanism(name="J", input_shapes=2, integrator_mode=True)]
        inner = pnl.Composition(name="INNER", pathways=[inside])
        a, b = pnl.TransferMechanism(name="A", input_shapes=2, integrator_mode=True), pnl.TransferMechanism(name="B", input_shapes=2)
        composition = pnl.Composition(name="C", pathways=[[a, inner, b]])
        if often:
            composition.scheduler.add_condition(inner, pnl.EveryNCalls(a, 2))
            composition.scheduler.add_condition(b, pnl.EveryNCalls(inner, 2))
        else:
            inner.scheduler.add_condition(inside[0], pnl.AtPass(1))
        return composition

    return build


def by_value():
    """Values decide when a node is executed."""
    a = pnl.IntegratorMechanism(name="A", function=pnl.SimpleIntegrator(rate=0.4))
    b = pnl.TransferMechanism(name="B", input_shapes=2)
    composition = pnl.Composition(name="C", pathways=[[a, b]])
    composition.scheduler.add_condition(b, pnl.Threshold(a, "value", 0.5, ">"))
    composition.termination_processing = {TRIAL: pnl.AfterNPasses(3)}
    return composition


def by_trial():
    """Trials differ by their number, and the second node is reset as each begins."""
    a = pnl.TransferMechanism(name="A", input_shapes=2)
    b = pnl.TransferMechanism(name="B", input_shapes=3, integrator_mode=True, reset_stateful_function_when=pnl.AtTrialStart())
    d = pnl.TransferMechanism(name="D", input_shapes=2, integrator_mode=True)
    composition = pnl.Composition(name="C", pathways=[[a, d], [a, b]])
    composition.scheduler.add_condition(d, pnl.AfterTrial(1))
    composition.termination_processing = {TRIAL: pnl.AfterNPasses(2)}
    return composition


def compared():
    """A ComparatorMechanism, and a Mechanism with items of several lengths."""
    a = pnl.ProcessingMechanism(name="A", default_variable=[[0.0], [0.0, 0.0]])
    b = pnl.ComparatorMechanism(name="B")
    composition = pnl.Composition(name="C")
    composition.add_nodes([a, b])
    for sender, receiver in zip(a.output_ports, b.input_ports, strict=False):
        composition.add_projection(pnl.MappingProjection(sender, receiver))
    composition.add_projection(pnl.MappingProjection(a.output_port, b.input_ports[1]))
    return composition


PARTICULAR = {
    "a controller after": with_controller("after"),
    "a controller before": with_controller("before"),
    "gates": with_gates,
    "a cycle": cycle(feedback=False),
    "feedback": cycle(feedback=True),
    "nested, in the second pass": nested(often=False),
    "nested, twice": nested(often=True),
    "by value": by_value,
    "by trial": by_trial,
    "compared": compared,
}


# Comparison


def components_of(composition):
    """All components of which something is logged, by names that do not depend on how many Functions there have been."""
    for node in composition.nodes:
        if hasattr(node, "input_CIM"):
            yield from components_of(node)
        else:
            yield node.name, node
            yield from ((f"{node.name} {port.name}", port) for port in (*node.input_ports, *node.output_ports, *node.parameter_ports))
            yield f"{node.name} function", node.function
    for projection in composition.projections:
        yield projection.name, projection
        yield f"{projection.name} function", projection.function
        yield from ((f"{projection.name} {port.name}", port) for port in projection.parameter_ports)


def logs_of(composition):
    """All entries of runs, in the order in which they were made."""
    found = {}
    for name, component in components_of(composition):
        for parameter in component.parameters:
            for key, log in (getattr(parameter, "log", None) or {}).items():
                entries = [entry for entry in log if "COMMAND_LINE" not in entry.context]
                if entries:
                    found[name, parameter.name, str(key)] = entries
    return found


def assert_alike(expected, found, composition):
    """The same entries: times, marks, and values of the same shape and type, equal to 1e-12."""
    # the moments of an analytical DDM are differences of numbers that are nearly the same
    moments = any(isinstance(getattr(node, "function", None), pnl.DriftDiffusionAnalytical) for node in composition.nodes)
    tolerance = 1e-11 if moments else 1e-12
    assert found.keys() == expected.keys()
    for key, entries in expected.items():
        assert [(one.time, one.context) for one in found[key]] == [(one.time, one.context) for one in entries], key
        for one, other in zip(entries, found[key], strict=True):
            assert_same(one.value, other.value, key, tolerance)


def assert_same(one, other, key, tolerance):
    """Values of the same shape, type and numbers."""
    assert (np.shape(one), np.asarray(one).dtype) == (np.shape(other), np.asarray(other).dtype), key
    if np.asarray(one).dtype == object:
        for row, other_row in zip(one, other, strict=True):
            assert_same(row, other_row, key, tolerance)
    else:
        np.testing.assert_allclose(other, one, rtol=tolerance, atol=1e-14, err_msg=str(key))


def inputs_of(composition, seed):
    """Random inputs of two trials."""
    rng = np.random.default_rng(seed)
    nodes = composition.get_nodes_by_role(pnl.NodeRole.INPUT)
    return {node: [[rng.normal(size=np.shape(row)).round(2) for row in node.defaults.variable] for _ in range(2)] for node in nodes}


def logged(build, seed, block):
    """All logs of a Composition that logs everything in its first run, or from the second on, and goes on without the argument."""
    fresh()
    composition = build()
    inputs = inputs_of(composition, seed)
    with block:
        if seed % 3 == 0:
            composition.run(inputs)
        composition.run(inputs, num_trials=5, log=True)
        composition.run(inputs)
        composition.run(inputs, context="other")
    return logs_of(composition), composition


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", PARTICULAR)
def test_all_entries_are_psyneulinks(name):
    seed = list(PARTICULAR).index(name)
    expected, composition = logged(PARTICULAR[name], seed, contextlib.nullcontext())
    found, accelerated = logged(PARTICULAR[name], seed, accelerate(strict=True))
    assert_alike(expected, found, composition)
    assert len(composition.results) == len(accelerated.results)


@pytest.mark.sampled(23)
@pytest.mark.parametrize("seed", [*range(10), *range(11, 30), 31, 33])  # of the others, PsyNeuLink runs some never to an end, or not at all
def test_all_entries_of_random_compositions_are_psyneulinks(seed):
    expected, composition = logged(lambda: random_composition(seed), seed, contextlib.nullcontext())
    assert any(len(entries) >= 3 for entries in expected.values())
    found, _ = logged(lambda: random_composition(seed), seed, accelerate(strict=True))
    assert_alike(expected, found, composition)


def test_what_a_condition_asks_is_not_recorded():
    """PsyNeuLink assigns the measure whenever a condition asks whether a Mechanism has finished."""
    given = {"integrator_mode": True, "termination_threshold": 0.6, "execute_until_finished": False, "max_executions_before_finished": 5}
    a, b = pnl.TransferMechanism(name="A", **given), pnl.TransferMechanism(name="B")
    composition = pnl.Composition(name="C", pathways=[[a, b]])
    composition.scheduler.add_condition(b, pnl.WhenFinished(a))
    with accelerate(strict=True), pytest.raises(CogirError, match="termination_measure_value' is logged"):
        composition.run({a: [[1.0]]}, log=True)


# Integrators that are not executed


def turned_on_elsewhere():
    """A Mechanism that integrates in another execution context only."""
    a = pnl.TransferMechanism(name="A", input_shapes=2)
    composition = pnl.Composition(name="C", pathways=[a])
    a.parameters.integrator_mode.set(True, "other")
    return composition


def turned_off():
    """A Mechanism that integrates, but not in the execution context of its Composition."""
    a = pnl.TransferMechanism(name="A", input_shapes=2, integrator_mode=True)
    composition = pnl.Composition(name="C", pathways=[a])
    a.parameters.integrator_mode.set(False, composition)
    return composition


def winners():
    """A KWTAMechanism, which never integrates, but which compares with its threshold as if it did."""
    a = pnl.KWTAMechanism(name="A", input_shapes=3, k_value=1, integrator_mode=True, termination_threshold=0.1)
    return pnl.Composition(name="C", pathways=[a])


@pytest.mark.parametrize("build", [turned_on_elsewhere, turned_off, winners])
def test_an_integrator_that_is_not_executed_has_no_entries(build):
    assert explain(build())
    expected, composition = logged(build, 1, contextlib.nullcontext())
    found, _ = logged(build, 1, accelerate(strict=True))
    assert_alike(expected, found, composition)
    assert ("A", "integrator_function_value", "C") not in found
    with_log = build()
    with_log.nodes[0].set_log_conditions("integrator_function_value")
    assert explain(with_log)


# Trials in which no node is executed


def ends_at_once():
    """Trials end before anything is executed."""
    a = pnl.TransferMechanism(name="A", input_shapes=2)
    composition = pnl.Composition(name="C", pathways=[a])
    composition.termination_processing = {TRIAL: pnl.Threshold(a, "value", -1.0, ">", indices=(0, 0))}
    return composition


def ends_at_once_later():
    """Trials end before anything is executed as soon as one has left a value that is large enough."""
    a = pnl.IntegratorMechanism(name="A", function=pnl.SimpleIntegrator(rate=1.0, offset=0.4))
    composition = pnl.Composition(name="C", pathways=[a])
    composition.termination_processing = {TRIAL: pnl.Threshold(a, "value", 0.5, ">", indices=(0, 0))}
    return composition


def output_projections(composition):
    """The Projections to the output of a Composition."""
    return [projection for port in composition.output_CIM.input_ports for projection in port.path_afferents]


@pytest.mark.parametrize("build", [ends_at_once, ends_at_once_later])
def test_output_projections_have_entries_in_trials_without_executions(build):
    expected, composition = logged(build, 1, contextlib.nullcontext())
    found, _ = logged(build, 1, accelerate(strict=True))
    assert_alike(expected, found, composition)
    (projection,) = output_projections(composition)
    assert len(found[projection.name, "value", "C"]) == 7


def with_nested(build):
    """A Composition around another one, of which only what it sends is logged."""
    inner = build()
    inner.name = "INNER"
    a, b = (pnl.TransferMechanism(name=name, input_shapes=np.size(inner.nodes[0].defaults.value)) for name in ("FIRST", "LAST"))
    return pnl.Composition(name="C", pathways=[[a, inner, b]]), inner


@pytest.mark.parametrize("build", [ends_at_once, ends_at_once_later])
def test_projections_out_of_a_nested_composition_have_entries_without_executions(build):
    def run(block):
        fresh()
        composition, inner = with_nested(build)
        (projection,) = output_projections(inner)
        projection.set_log_conditions("value")
        projection.set_log_conditions("matrix")
        with block:
            composition.run(inputs_of(composition, 1), num_trials=4)
            composition.run(inputs_of(composition, 1), num_trials=2)
        return logs_of(composition), composition

    expected, composition = run(contextlib.nullcontext())
    assert sorted(map(len, expected.values())) == [6, 6, 6]
    found, _ = run(accelerate(strict=True))
    assert_alike(expected, found, composition)


# Nested Compositions in one that falls back


def sorted_values(variable):
    """The values in ascending order, which does not compile."""
    return np.asarray(sorted(set(np.ravel(variable))))[None]


def native_in_fallback():
    """A nested Composition that runs natively, as the Composition around it falls back."""
    inside = [pnl.TransferMechanism(name="I", integrator_mode=True), pnl.TransferMechanism(name="J")]
    a, b = pnl.TransferMechanism(name="A"), pnl.ProcessingMechanism(name="B", function=pnl.UserDefinedFunction(sorted_values))
    return pnl.Composition(name="C", pathways=[[a, pnl.Composition(name="INNER", pathways=[inside]), b]])


@pytest.mark.parametrize("build", [native_in_fallback, lambda: with_nested(ends_at_once)[0], lambda: with_nested(ends_at_once_later)[0]])
def test_what_enters_a_nested_composition_is_logged_once(build):
    expected, composition = logged(build, 1, contextlib.nullcontext())
    found, _ = logged(build, 1, accelerate())
    assert_alike(expected, found, composition)


@pytest.mark.parametrize("part", [lambda one: one.input_CIM, lambda one: one.output_CIM, lambda one: one.output_CIM.output_ports[0]])
def test_interfaces_themselves_are_not_recorded(part):
    a = pnl.TransferMechanism(name="A")
    composition = pnl.Composition(name="C", pathways=[a])
    part(composition).set_log_conditions("value")
    with accelerate(strict=True), pytest.raises(CogirError, match="'value' is logged, which native runs do not record"):
        composition.run({a: [[1.0]]})


# Shapes that something else than an execution has left


def shapes_of(composition):
    """The shapes of the values of nodes, their ports, and the output of a Composition."""
    parts = [part for node in (*composition.nodes, composition.output_CIM) for part in (node, node.function, *node.output_ports)]
    return [np.shape(part.parameters.value.get(composition)) for part in parts]


@pytest.mark.parametrize("in_context", [True, False])
@pytest.mark.parametrize("value", [[[0.3, 0.3]], [[[0.3, 0.3]]]])
def test_a_reset_to_a_value_of_other_axes_changes_no_shapes(value, in_context):
    def run(block):
        fresh()
        a = pnl.TransferMechanism(name="A", default_variable=[[[0.0, 0.0]]], integrator_mode=True)
        composition = pnl.Composition(name="C", pathways=[a])
        inputs = {a: [[[0.2, 0.4]]]}
        with block:
            if in_context:
                composition.run(inputs)
            a.reset(value, **({"context": composition} if in_context else {}))
            composition.run(inputs)
            composition.run(inputs, log=True)
            composition.run(inputs, context="other")
        return logs_of(composition), composition, shapes_of(composition)

    expected, composition, shapes = run(contextlib.nullcontext())
    found, _, shapes_found = run(accelerate(strict=True))
    assert_alike(expected, found, composition)
    assert shapes_found == shapes


def test_learning_in_psyneulink_changes_no_shapes_of_native_runs():
    pytest.importorskip("torch")

    def run(block):
        fresh()
        a, b = (pnl.TransferMechanism(name=name, input_shapes=2) for name in "AB")
        composition = pnl.AutodiffComposition(name="C", pathways=[a, pnl.MappingProjection(a, b, matrix=[[0.1, 0.2], [0.3, 0.4]]), b])
        b.set_log_conditions("value")
        with block:
            composition.learn({"inputs": {a: [[0.1, 0.2]]}, "targets": {b: [[0.3, 0.4]]}, "epochs": 2})
            composition.run({a: [[0.1, 0.2]]})
        return logs_of(composition), composition, shapes_of(composition)

    expected, composition, shapes = run(contextlib.nullcontext())
    found, _, shapes_found = run(accelerate())
    assert_alike(expected, found, composition)
    assert shapes_found == shapes


def test_a_trial_is_gone_through_once_for_all_logs(monkeypatch):
    """PsyNeuLink's scheduler says who runs when; a trial may have thousands of passes."""
    gone_through = []
    monkeypatch.setattr(log_rules, "trace_of", lambda composition: (gone_through.append(composition), trace_of(composition))[1])
    fresh()
    nodes = [pnl.TransferMechanism(name=name) for name in "ABC"]
    composition = pnl.Composition(nodes, name="C")
    with accelerate(strict=True, short_runs="native"):
        composition.run({nodes[0]: [[1.0]]}, log=True)
    assert gone_through == [composition]
