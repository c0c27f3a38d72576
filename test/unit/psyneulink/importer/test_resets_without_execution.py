"""
Mechanisms that are reset in trials in which they are not executed, and those that others read between their reset and their execution.
"""

import contextlib
import warnings

import numpy as np
import pytest
from psyneulink_suite.compare import Comparison
from psyneulink_suite.recorder import look
from psyneulink_suite.records import Call
from support.psyneulink import pnl
from support.psyneulink.golden import fresh

from cogir.psyneulink import FallbackWarning, accelerate
from cogir.psyneulink.reader import UnsupportedFeature

pytestmark = pytest.mark.filterwarnings("ignore")

TWO = {"name": "N", "input_shapes": 2}
START = [[0.2, 0.3]]
KINDS = {
    "linear": lambda: pnl.TransferMechanism(**TWO, integrator_mode=True, initial_value=START),
    "logistic": lambda: pnl.TransferMechanism(**TWO, integrator_mode=True, function=pnl.Logistic(gain=2.0), initial_value=START),
    "mean": lambda: pnl.TransferMechanism(**TWO, integrator_mode=True, initial_value=START, output_ports=[pnl.RESULT, pnl.MEAN]),
    "scaled port": lambda: pnl.TransferMechanism(
        **TWO, integrator_mode=True, output_ports=[{pnl.NAME: "P", pnl.FUNCTION: pnl.Linear(slope=2.0, intercept=1.0)}]
    ),
    "mean alone": lambda: pnl.TransferMechanism(
        **TWO, integrator_mode=True, initial_value=START, function=pnl.Logistic, output_ports=[pnl.MEAN]
    ),
    "clipped": lambda: pnl.TransferMechanism(**TWO, integrator_mode=True, initial_value=START, clip=(0.25, 0.6)),
    "port named like a state": lambda: pnl.TransferMechanism(
        **TWO,
        integrator_mode=True,
        initial_value=START,
        output_ports=[pnl.RESULT, {pnl.NAME: "previous_value", pnl.VARIABLE: (pnl.OWNER_VARIABLE, 0)}],
    ),
    "port named like a count": lambda: pnl.TransferMechanism(
        **TWO, integrator_mode=True, initial_value=START, output_ports=[{pnl.NAME: "executions"}]
    ),
    "response time": lambda: pnl.DDM(
        name="N",
        function=pnl.DriftDiffusionIntegrator(noise=0.0, rate=0.3, threshold=50.0, starting_value=1.0),
        execute_until_finished=False,
        output_ports=[pnl.RESPONSE_TIME],
    ),
    "competing": lambda: pnl.LCAMechanism(**TWO, leak=0.3, competition=0.1, noise=0.0),
    "recurrent": lambda: pnl.RecurrentTransferMechanism(**TWO, integrator_mode=True, auto=0.3, hetero=0.1),
    "drifting": lambda: pnl.DDM(
        name="N", function=pnl.DriftDiffusionIntegrator(noise=0.0, rate=0.3, threshold=50.0), execute_until_finished=False
    ),
    "oscillator": lambda: pnl.IntegratorMechanism(name="N", function=pnl.FitzHughNagumoIntegrator()),
}
LEFT = {
    "simple": lambda: pnl.IntegratorMechanism(**TWO, function=pnl.SimpleIntegrator(rate=0.5)),
    "leaky": lambda: pnl.IntegratorMechanism(**TWO, function=pnl.LeakyCompetingIntegrator(rate=0.5)),
    "whole value": lambda: pnl.TransferMechanism(
        **TWO, integrator_mode=True, initial_value=START, output_ports=[{pnl.NAME: "P", pnl.VARIABLE: pnl.OWNER_VALUE}]
    ),
}
"""Mechanisms that PsyNeuLink executes in trials that reset them only."""
PORT = {pnl.NAME: "P", pnl.FUNCTION: pnl.SimpleIntegrator(rate=0.5)}
REFUSED = {
    "integrating port": lambda: pnl.TransferMechanism(**TWO, integrator_mode=True, output_ports=[PORT]),
    "integrating port of its variable": lambda: pnl.TransferMechanism(
        **TWO, integrator_mode=True, output_ports=[pnl.RESULT, {**PORT, pnl.VARIABLE: (pnl.OWNER_VARIABLE, 0)}]
    ),
    "drawing port": lambda: pnl.TransferMechanism(
        **TWO, integrator_mode=True, output_ports=[{pnl.NAME: "P", pnl.FUNCTION: pnl.GaussianDistort(seed=3)}]
    ),
    "drawing function": lambda: pnl.TransferMechanism(**TWO, integrator_mode=True, function=pnl.GaussianDistort(seed=3)),
}
"""Mechanisms of which a reset executes what draws or carries something on."""
WHEN = {"trial": pnl.AtTrialStart, "run": pnl.AtRunStart, "second": lambda: pnl.AtTrial(1), "third": lambda: pnl.AtTrial(2)}
RUNS = (1, 3, 1, 5)
"""The numbers of trials of the runs."""


def played(build, when, block):
    """What runs leave, in the first and the fifth trial of which the Mechanism is executed, while one after it is in each."""
    fresh()
    node = build()
    node.reset_stateful_function_when = when()
    width = len(node.defaults.variable[0])
    first = pnl.ProcessingMechanism(name="FIRST", input_shapes=width)
    last = [
        pnl.ProcessingMechanism(name=f"L{index}", input_shapes=len(port.defaults.value)) for index, port in enumerate(node.output_ports)
    ]
    composition = pnl.Composition(name="C", pathways=[first, node])
    for port, after in zip(node.output_ports, last, strict=True):
        composition.add_node(after)
        composition.add_projection(pnl.MappingProjection(sender=port, receiver=after))
        composition.scheduler.add_condition(after, pnl.Always())
    executes = pnl.Any(pnl.AtTrial(0), pnl.AtTrial(4))
    composition.scheduler.add_condition(node, pnl.All(pnl.EveryNCalls(first, 1), executes))
    found = []
    with block, warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        for trials in RUNS:
            call = Call("run")
            composition.run(
                {first: [[1.0, 2.0][:width]]}, num_trials=trials, termination_processing={pnl.TimeScale.TRIAL: pnl.AfterPass(1)}
            )
            look(call, composition, "C", 0)
            found.append(call)
    return found


def differences(build, when, **options):
    """What PsyNeuLink and cogir leave differently."""
    expected, found = played(build, when, contextlib.nullcontext()), played(build, when, accelerate(short_runs="native", **options))
    return [line for wanted, after in zip(expected, found, strict=True) for line in Comparison().of_call(wanted, after)]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("when", WHEN)
@pytest.mark.parametrize("kind", KINDS)
def test_what_a_reset_leaves_is_psyneulinks(kind, when):
    assert not differences(KINDS[kind], WHEN[when], strict=True)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("when", WHEN)
@pytest.mark.parametrize("kind", LEFT)
def test_trials_that_psyneulink_executes_leave_what_it_leaves(kind, when):
    assert not differences(LEFT[kind], WHEN[when])


@pytest.mark.parametrize("kind", REFUSED)
def test_what_a_reset_executes_once_more_is_left_to_psyneulink(kind):
    with pytest.raises(UnsupportedFeature, match=r"it is reset, and .* draws or carries something on, and is executed in each reset, too"):
        played(REFUSED[kind], pnl.AtTrialStart, accelerate(short_runs="native", strict=True))
    assert not differences(REFUSED[kind], pnl.AtTrialStart)


def modulated(is_read_early, block):
    """Results of trials, of which the second resets the Mechanism and does not execute it, whose slope is modulated."""
    fresh()
    node = pnl.TransferMechanism(**TWO, integrator_mode=True, initial_value=START, reset_stateful_function_when=pnl.AtTrialStart())
    reader = pnl.ProcessingMechanism(name="READER", input_shapes=2)
    control = pnl.ControlMechanism(name="CONTROL", control_signals=pnl.ControlSignal(modulates=("slope", node), modulation=pnl.OVERRIDE))
    composition = pnl.Composition(name="C", pathways=[node, reader])
    composition.add_node(control, required_roles=pnl.NodeRole.INPUT)
    if is_read_early:
        composition.scheduler.add_condition(reader, pnl.Always())
        composition.scheduler.add_condition(node, pnl.AtPass(1))
    ends = {} if is_read_early else {pnl.TimeScale.TRIAL: pnl.Any(pnl.AllHaveRun(), pnl.AtTrial(1))}
    with block:
        composition.run({node: [[1.0, 2.0]], control: [[2.0]]}, num_trials=3, termination_processing=ends)
    return np.array(composition.results)


@pytest.mark.parametrize("is_read_early", [False, True], ids=["unread", "read"])
def test_a_reset_computes_with_what_is_modulated(is_read_early):
    expected = modulated(is_read_early, contextlib.nullcontext())
    np.testing.assert_allclose(modulated(is_read_early, accelerate(short_runs="native")), expected, rtol=1e-12)
