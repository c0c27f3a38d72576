"""
Runs with a `Context` that has an `rpc_pipeline`: what PsyNeuLink puts into it, in the same order, and logs as without it.
"""

import contextlib
from queue import Queue

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.golden import fresh

from cogir.psyneulink import FallbackWarning, accelerate
from cogir.psyneulink.reader import UnsupportedFeature

pytestmark = pytest.mark.filterwarnings("ignore")


def chain():
    """Two Mechanisms of which much is delivered, and something logged."""
    fresh()
    a = pnl.TransferMechanism(name="a", input_shapes=2, integrator_mode=True)
    b = pnl.TransferMechanism(name="b", input_shapes=2, function=pnl.Linear(slope=2.0))
    a.set_delivery_conditions(["mod_slope", "mod_noise", pnl.RESULT, pnl.VALUE, "InputPort-0"])
    b.set_delivery_conditions([pnl.VALUE, "mod_slope"])
    a.set_log_conditions(pnl.VALUE)
    b.set_log_conditions(pnl.RESULT)
    return pnl.Composition([a, b], name="chain"), a


def side_by_side():
    """Mechanisms in one time step, and one that is executed several times in a trial."""
    fresh()
    z, a = pnl.TransferMechanism(name="z"), pnl.TransferMechanism(name="a", integrator_mode=True)
    c = pnl.TransferMechanism(name="c", integrator_mode=True, integration_rate=0.25)
    for node in (z, a, c):
        node.set_delivery_conditions([pnl.VALUE, pnl.RESULT])
    composition = pnl.Composition([[z, c], [a, c]], name="side by side")
    composition.scheduler.add_condition(c, pnl.EveryNCalls(a, 2))
    return composition, z


def until_finished():
    """A Mechanism that is executed until it has finished, after a reset at the start of each trial."""
    fresh()
    lca = pnl.LCAMechanism(name="lca", input_shapes=2, leak=0.5, threshold=0.515, reset_stateful_function_when=pnl.AtTrialStart())
    source = pnl.ProcessingMechanism(name="source", input_shapes=2)
    lca.set_delivery_conditions([pnl.VALUE, pnl.RESULT])
    return pnl.Composition([source, lca], name="until finished"), source


def delivered(make, native):
    """What two runs put into the pipeline, and the logs that they leave."""
    composition, node = make()
    context = pnl.Context(rpc_pipeline=Queue(), execution_id=composition.default_execution_id)
    one = np.arange(1.0, 1.0 + node.defaults.variable.size) / 2
    found = []
    with accelerate(strict=True) if native else contextlib.nullcontext():
        for _ in range(2):
            composition.run({node: [one, 2 * one, 3 * one]}, context=context)
            context.composition = None  # which would say that PsyNeuLink itself runs it
        while not context.rpc_pipeline.empty():
            entry = context.rpc_pipeline.get()
            value = np.reshape(entry.value.data, list(entry.value.shape)).round(13).tolist()
            found.append((entry.componentName, entry.parameterName, entry.time, entry.context, value))
        logged = [str(each.log.nparray_dictionary(contexts=composition.default_execution_id)) for each in composition.nodes]
    return found, logged


@pytest.mark.parametrize("make", [chain, side_by_side, until_finished])
def test_deliveries_are_equal(make):
    expected, logged = delivered(make, native=False)
    assert len(expected) > 10
    assert delivered(make, native=True) == (expected, logged)


def test_a_pipeline_into_which_nothing_is_put_leaves_a_run_native():
    node = pnl.TransferMechanism()
    composition = pnl.Composition([node])
    context = pnl.Context(rpc_pipeline=Queue(), execution_id=composition.default_execution_id)
    with accelerate(strict=True):
        assert composition.run({node: [[1.0]]}, context=context) == [[1.0]]
    assert context.rpc_pipeline.empty()


def test_deliveries_with_callbacks_are_psyneulinks():
    composition, node = chain()
    context = pnl.Context(rpc_pipeline=Queue(), execution_id=composition.default_execution_id)
    with accelerate(), pytest.warns(FallbackWarning, match="rpc_pipeline, and call_after_trial"):
        composition.run({node: [[1.0, 2.0]]}, context=context, call_after_trial=lambda: None)
    assert not context.rpc_pipeline.empty()
    assert not composition.nodes["b"].parameters.value.log_condition


def test_what_a_callback_asks_to_be_delivered_is_delivered():
    node = pnl.TransferMechanism()
    composition = pnl.Composition([node])
    context = pnl.Context(rpc_pipeline=Queue(), execution_id=composition.default_execution_id)
    with accelerate(), pytest.warns(FallbackWarning, match="rpc_pipeline, and call_after_trial"):
        composition.run({node: [[1.0], [2.0]]}, context=context, call_after_trial=lambda: node.set_delivery_conditions("value"))
    assert context.rpc_pipeline.qsize() == 1


def test_rows_of_different_lengths_are_psyneulinks_error():
    node = pnl.ProcessingMechanism(default_variable=[[0.0, 0.0], [0.0]])
    composition = pnl.Composition([node])
    node.set_delivery_conditions("value")
    context = pnl.Context(rpc_pipeline=Queue(), execution_id=composition.default_execution_id)
    with accelerate(), pytest.warns(FallbackWarning, match="of different lengths"), pytest.raises(TypeError):
        composition.run({node: [[[1.0, 2.0], [3.0]]]}, context=context)
    assert composition.results == []


def test_deliveries_of_variables_are_psyneulinks():
    composition, node = chain()
    node.set_delivery_conditions("variable")
    context = pnl.Context(rpc_pipeline=Queue(), execution_id=composition.default_execution_id)
    with accelerate(strict=True), pytest.raises(UnsupportedFeature, match="to which 'variable' of 'a' is to be delivered"):
        composition.run({node: [[1.0, 2.0]]}, context=context)


def test_deliveries_in_a_nested_composition_are_psyneulinks():
    composition, _ = chain()
    outer = pnl.Composition([composition, pnl.TransferMechanism(name="c", input_shapes=2)], name="outer")

    def put(native):
        context = pnl.Context(rpc_pipeline=Queue(), execution_id=f"outer {native}")
        with accelerate() if native else contextlib.nullcontext():
            outer.run({composition: [[[1.0, 2.0]]]}, context=context)
        return context.rpc_pipeline.qsize()

    assert put(native=True) == put(native=False) > 0


def entries_of(make, native):
    """What the runs of a script put into the pipeline."""
    queue = Queue()
    with accelerate() if native else contextlib.nullcontext():
        make(queue)
    found = []
    while not queue.empty():
        entry = queue.get()
        found.append((entry.componentName, entry.parameterName, entry.time, np.asarray(entry.value.data).round(12).tolist()))
    return found


def of_a_function(queue):
    """The value of a Function of a Mechanism."""
    fresh()
    node = pnl.TransferMechanism(name="m")
    composition = pnl.Composition([node], name="c")
    node.function.parameters.value.delivery_condition = pnl.LogCondition.EXECUTION
    composition.run({node: [[1.0]]}, context=pnl.Context(execution_id="a", rpc_pipeline=queue))


def in_exact_time(queue):
    """Two Mechanisms side by side, in the order in which they were added."""
    fresh()
    nodes = [pnl.TransferMechanism(name=name) for name in ("zz", "aa")]
    composition = pnl.Composition(name="c", nodes=nodes)
    composition.scheduler.mode = pnl.SchedulingMode.EXACT_TIME
    for node in nodes:
        node.set_delivery_conditions("value")
    composition.run({node: [[1.0]] for node in nodes}, context=pnl.Context(execution_id="a", rpc_pipeline=queue))


def nested_elsewhere(queue):
    """A Composition that is run by itself, and is a node of another one."""
    fresh()
    node = pnl.TransferMechanism(name="m")
    composition = pnl.Composition([node], name="c")
    pnl.Composition([composition], name="o").run({composition: [[1.0]]})
    composition.run({node: [[0.0]]})
    node.set_delivery_conditions(["value", "InputPort-0"])
    composition.run({node: [[1.0]]}, context=pnl.Context(execution_id="a", rpc_pipeline=queue))


def on_true(queue):
    """A condition that PsyNeuLink heeds for logs, and not for pipelines."""
    fresh()
    node = pnl.TransferMechanism(name="m")
    composition = pnl.Composition([node], name="c")
    node.parameters.value.delivery_condition = True
    composition.run({node: [[1.0]]}, context=pnl.Context(execution_id="a", rpc_pipeline=queue))


def by_psyneulinks_compiler(queue):
    """PsyNeuLink's own compiler, which delivers nothing."""
    composition, node = chain()
    context = pnl.Context(execution_id="a", rpc_pipeline=queue)
    composition.run({node: [[1.0, 2.0]]}, context=context, execution_mode=pnl.ExecutionMode.LLVMRun)


@pytest.mark.parametrize("make", [of_a_function, in_exact_time, nested_elsewhere, on_true, by_psyneulinks_compiler])
def test_what_comes_in_another_order_is_psyneulinks(make):
    expected = entries_of(make, native=False)
    with pytest.warns(FallbackWarning, match="rpc_pipeline"):
        found = entries_of(make, native=True)
    # In the mode EXACT_TIME PsyNeuLink's order is that of a set, and differs from one Composition to the next.
    assert sorted(found) == sorted(expected) if make is in_exact_time else found == expected


def carried_on(queue):
    """A run of which the last trial cannot be native, as the inputs of the others could."""
    fresh()
    node = pnl.TransferMechanism(name="m", input_shapes=2, function=pnl.Linear(slope=1e10))
    composition = pnl.Composition([[node, np.eye(2), pnl.TransferMechanism(name="n", input_shapes=2)]], name="c")
    node.parameters.value.delivery_condition = pnl.LogCondition.EXECUTION
    composition.run({node: [[1.0, 2.0]] * 3000 + [[1e308, 1.0]]}, context=pnl.Context(execution_id="a", rpc_pipeline=queue))


def test_what_the_rest_of_a_run_delivers_is_put_into_the_pipeline():
    expected = entries_of(carried_on, native=False)
    with pytest.warns(FallbackWarning, match="the rest of the run is executed in PsyNeuLink"):
        assert entries_of(carried_on, native=True) == expected
    assert len(expected) == 3001
