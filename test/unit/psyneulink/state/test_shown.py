"""
What a script reads of components after a native run, where nothing of the model itself depends on it; and a model that changes in a run.
"""

import contextlib

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.golden import fresh

from cogir.errors import CogirError
from cogir.psyneulink import accelerate

pytestmark = pytest.mark.filterwarnings("ignore")


def seeds(block):
    """What the ParameterPorts of seeds show, which were set between runs."""
    fresh()
    a = pnl.TransferMechanism(name="A", noise=pnl.UniformDist(seed=4))
    d = pnl.DDM(name="D", function=pnl.DriftDiffusionIntegrator(noise=1.0, threshold=5.0, seed=3), execute_until_finished=False)
    composition = pnl.Composition(name="C", nodes=[a, d])
    found = []
    with block:
        for seed in (11, 12, 12):
            composition.run({a: [[1.0]], d: [[0.2]]}, num_trials=2)
            ports = a.parameter_ports["seed"], d.parameter_ports["seed-function"]
            found.append([np.ravel(port.parameters.value.get(composition)).tolist() for port in ports])
            d.function.parameters.seed.set(seed, composition)
    return found


def test_the_ports_of_seeds_show_them():
    assert seeds(accelerate(strict=True)) == seeds(contextlib.nullcontext())


def shown_when_set(block):
    """What ParameterPorts hold right after their Parameters were set, before anything is executed again: of numbers and of vectors."""
    fresh()
    a = pnl.TransferMechanism(name="A", input_shapes=2, function=pnl.Linear(slope=[1.0, 2.0]), integrator_mode=True, integration_rate=0.3)
    b = pnl.RecurrentTransferMechanism(name="B", input_shapes=2, auto=0.3, hetero=-0.1)
    composition = pnl.Composition(name="C", pathways=[a, b])
    found = []
    with block:
        for index in range(3):
            for function, name, value in (
                (a.function, "slope", [3.0 + index, 4.0]),
                (a.function, "intercept", 0.25 + index),
                (a.integrator_function, "rate", 0.5 + 0.1 * index),
                (b.function, "slope", [1.5, 0.5 + index] if index == 1 else 0.75),
            ):
                getattr(function.parameters, name).set(value, composition)
                ports = [*a.parameter_ports, *b.parameter_ports]
                found.append({(port.owner.name, port.name): port.parameters.variable.get(composition) for port in ports} if index else {})
                found[-1] = {name: np.array(shown).tolist() for name, shown in found[-1].items()}
            composition.run({a: [[1.0, 2.0]]})
    return found


def test_ports_show_numbers_as_soon_as_these_are_set():
    assert shown_when_set(accelerate(strict=True)) == shown_when_set(contextlib.nullcontext())


def set_to(block):
    """The dtypes, shapes and numbers that ParameterPorts show whose Parameters were set between runs."""
    fresh()
    a = pnl.TransferMechanism(name="A", input_shapes=2, function=pnl.Linear(slope=2))
    composition = pnl.Composition(name="C", nodes=[a])
    found = []
    numbers = {"slope": [3, 3.0, np.array([3.0]), 3, 2.5], "intercept": [[3, 3], 3, 4, [2.0, 1.0]]}
    with block:
        for name, number in [(name, each) for name, given in numbers.items() for each in given]:
            getattr(a.function.parameters, name).set(number, composition)
            composition.run({a: [[1.0, -1.0]]})
            for port in (a.parameter_ports[each] for each in ("slope", "intercept")):
                held = (parameter.get(composition) for parameter in (port.parameters.variable, port.parameters.value))
                found.append([(name, str(number), one.dtype.kind, one.shape, one.tolist()) for one in held])
    return found


def test_ports_show_what_is_set_in_the_dtype_that_they_have():
    assert set_to(accelerate(strict=True)) == set_to(contextlib.nullcontext())


def matrices(block, kind):
    """What the ParameterPort of a matrix shows, which is set, and learned, between runs."""
    fresh()
    a, b = pnl.TransferMechanism(name="A", input_shapes=2), pnl.TransferMechanism(name="B")
    projection = pnl.MappingProjection(name="M", matrix=[[0.1], [0.2]], sender=a, receiver=b)
    composition = kind(name="C", pathways=[a, projection, b])
    port = projection.parameter_ports["matrix"].parameters
    found = []
    with block:
        for step in (None, [[5.0], [6.0]], "learn", [[7.0], [8.0]]):
            if step == "learn":
                if kind is pnl.AutodiffComposition:
                    composition.learn(inputs={"inputs": {a: [[1.0, 2.0]]}, "targets": {b: [[1.0]]}, "epochs": 2}, learning_rate=0.1)
            elif step is not None:
                projection.parameters.matrix.set(np.array(step), composition)
            for _ in range(2):
                composition.run({a: [[1.0, 2.0]]})
                found.append([np.asarray(one.get(composition)).tolist() for one in (port.variable, port.value)])
    return found


@pytest.mark.parametrize("kind", [pnl.Composition, pnl.AutodiffComposition])
def test_the_port_of_a_matrix_shows_it(kind):
    expected, found = matrices(contextlib.nullcontext(), kind), matrices(accelerate(strict=True), kind)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def set_to_true(block, runs_before):
    """What a ParameterPort shows whose Parameter was set to a truth, and then to a number."""
    fresh()
    a = pnl.TransferMechanism(name="A", function=pnl.Linear(slope=2))
    composition = pnl.Composition(name="C", nodes=[a])
    found = []
    with block:
        composition.run({a: [[3.0]] * runs_before})
        for number in (True, False, 3, True, 2.0):
            a.function.parameters.slope.set(number, "C")
            composition.run({a: [[3.0]]})
            port = a.parameter_ports["slope"].parameters
            found.append([repr(parameter.get("C")) for parameter in (port.variable, port.value)])
    return found, np.asarray(composition.results).tolist()


@pytest.mark.parametrize("runs_before", [1, 2])
def test_ports_show_truths_as_such(runs_before):
    expected = set_to_true(contextlib.nullcontext(), runs_before)
    assert expected[0][0] == ["True", "array([1.])"]
    assert set_to_true(accelerate(strict=True), runs_before) == expected


def test_a_node_that_a_callback_adds():
    """The inputs of the run were read without it."""
    fresh()
    a = pnl.TransferMechanism(name="A")
    composition = pnl.Composition(name="C", nodes=[a])

    def add():
        if len(composition.nodes) == 1:
            composition.add_node(pnl.TransferMechanism(name="B"))

    said = "Composition 'C': after 1 trial of the run, a callback has changed its input ports; change it before the run"
    with accelerate(), pytest.raises(CogirError, match=said):
        composition.run({a: [[1.0], [2.0]]}, call_after_trial=add)
    assert np.asarray(composition.results).tolist() == [[[1.0]]]


def biases(block):
    """The biases of a GRU after PyTorch's learning, which leaves vectors, and after each of two runs."""
    fresh()
    gru = pnl.GRUComposition(name="GRU", input_size=2, hidden_size=3, bias=True, learning_rate=0.1)
    (target, *_) = gru.infer_backpropagation_learning_pathways(pnl.ExecutionMode.PyTorch)
    gru.learn(inputs={gru.input_node: [[1.0, 2.0]], target: [[1.0, 1.0, 1.0]]}, execution_mode=pnl.ExecutionMode.PyTorch)
    rows = [[0.5, 0.1, -0.2], [0.25, -0.5, 0.0]]
    for number, projection in enumerate((gru.bias_ir, gru.bias_hn)):
        projection.parameters.matrix._set(np.array(rows[number]), pnl.core.globals.context.Context(execution_id=gru.default_execution_id))
    found = []
    with block:
        for _ in range(2):
            gru.run(inputs={gru.input_node: [[1.0, 2.0]]})
            for projection in (gru.bias_ir, gru.bias_hn):
                port = projection.parameter_ports["matrix"]
                parameters = (
                    *(projection.parameters.matrix, projection.function.parameters.matrix),
                    *(port.parameters.variable, port.parameters.value, port.function.parameters.previous_value),
                )
                found.append([np.array(parameter.get(gru)).tolist() for parameter in parameters])
    return found


def test_an_execution_makes_a_row_of_a_bias_that_pytorch_left_as_a_vector():
    pytest.importorskip("torch")
    assert biases(accelerate(strict=True)) == biases(contextlib.nullcontext())


def controlled():
    """A node whose slope and intercept are controlled, and a recurrent one, of which none is executed in the first trials of a context."""
    fresh()
    a, b = pnl.ProcessingMechanism(name="A"), pnl.ProcessingMechanism(name="B", function=pnl.Linear(slope=1.5))
    r = pnl.RecurrentTransferMechanism(name="R", input_shapes=2, auto=0.3, hetero=-0.1)
    composition = pnl.Composition(name="C", nodes=[a, b, r])
    seen = pnl.ObjectiveMechanism(name="SEEN", monitor=[a])
    acting = {"slope": "multiplicative_param", "intercept": "additive_param"}
    signals = [pnl.ControlSignal(modulates=(name, b), modulation=how) for name, how in acting.items()]
    composition.add_node(pnl.ControlMechanism(name="CONTROL", objective_mechanism=seen, control_signals=signals))
    for node in (b, r):
        composition.scheduler.add_condition(node, pnl.AtTrial(2))
    composition.termination_processing = {pnl.TimeScale.TRIAL: pnl.AfterNPasses(1)}
    return composition, a, b, r


def not_executed(block):
    """What parts of nodes that are not executed show: modulated Parameters, and a recurrent matrix that was set."""
    composition, a, b, r = controlled()
    projection = r.recurrent_projection
    shown = [getattr(b.parameter_ports[name].function.parameters, name) for name in ("slope", "intercept")]
    shown += [projection.parameters.matrix, r.parameters.auto, r.parameters.hetero]
    found = []
    with block:
        for context, trials in (("C", 1), ("other", 2), ("other", 3), ("other", 1), ("C", 3)):
            composition.run({a: [[2.0]], r: [[1.0, 0.5]]}, num_trials=trials, context=context)
            found.append([repr(parameter.values.get(context)) for parameter in shown])
            projection.parameters.matrix.set(np.array([[0.5, 0.1], [0.2, 0.4 + trials]]), context)
    return found


def test_a_node_that_is_not_executed_leaves_what_its_ports_compute_with():
    assert not_executed(accelerate(strict=True)) == not_executed(contextlib.nullcontext())


def inside(how, condition):
    """A nested Composition in which a slope is controlled, and that runs when a condition of the outer one says so."""
    fresh()
    a, b = pnl.ProcessingMechanism(name="A"), pnl.ProcessingMechanism(name="B", function=pnl.Linear(slope=1.5))
    inner = pnl.Composition(name="I", nodes=[b])
    outer = pnl.Composition(name="C", nodes=[a, inner])
    outer.add_projection(pnl.MappingProjection(sender=a, receiver=b))
    samples = [0.5, 1.0] if how == "searched" else None
    signal = pnl.ControlSignal(modulates=("slope", b), allocation_samples=samples)
    seen = pnl.ObjectiveMechanism(name="SEEN", monitor=[a])
    if how == "searched":
        search = {"function": pnl.GridSearch(), "state_features": [a.input_port], "objective_mechanism": seen, "control_signals": [signal]}
        outer.add_controller(pnl.OptimizationControlMechanism(name="SEARCH", agent_rep=outer, **search))
    else:
        outer.add_node(pnl.ControlMechanism(name="CONTROL", objective_mechanism=seen, control_signals=[signal]))
    outer.scheduler.add_condition(inner, condition)
    outer.termination_processing = {pnl.TimeScale.TRIAL: pnl.AfterNPasses(1)}
    return outer, inner, a, b


def not_called(block, how, condition):
    """What shows the modulations in a nested Composition that does not run, and its counts and clocks."""
    outer, inner, a, b = inside(how, condition)
    cim, port = inner.parameter_CIM, b.parameter_ports["slope"]
    found = []
    with block:
        for context, trials in (("C", 1), ("other", 1), ("other", 3), ("other", 1)):
            outer.run({a: [[2.0]]}, num_trials=trials, context=context)
            shown = [cim, *cim.input_ports, *cim.output_ports, *cim.input_port.path_afferents, *port.mod_afferents]
            values = [one.parameters.value.values.get(context) for one in shown] + [port.function.parameters.slope.values.get(context)]
            counts = "" if how == "searched" else str(b.parameters.num_executions.values.get(context))  # that of the last simulation
            found.append(([repr(value) for value in values], counts, sorted(map(str, inner.scheduler.clocks))))
    return found


CONDITIONS = {"never": pnl.Never, "late": lambda: pnl.AtTrial(2), "by values": lambda: pnl.Condition(lambda: False)}


@pytest.mark.parametrize("how", ["searched", "controlled"])
@pytest.mark.parametrize("condition", CONDITIONS)
def test_a_nested_composition_that_does_not_run_leaves_what_it_was_given(how, condition):
    expected = not_called(contextlib.nullcontext(), how, CONDITIONS[condition]())
    assert not_called(accelerate(strict=True), how, CONDITIONS[condition]()) == expected
