"""
Mechanisms that are reset in trials in which they are not executed, and those that others read between their reset and their execution.
"""

import contextlib
import warnings

import pytest
from psyneulink_suite.compare import Comparison
from psyneulink_suite.recorder import look
from psyneulink_suite.records import Call
from support.psyneulink import pnl
from support.psyneulink.golden import fresh

from cogir.psyneulink import FallbackWarning, accelerate

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
    "integrating port": lambda: pnl.TransferMechanism(
        **TWO, integrator_mode=True, output_ports=[{pnl.NAME: "P", pnl.FUNCTION: pnl.SimpleIntegrator(rate=0.5)}]
    ),
}
"""Mechanisms that PsyNeuLink executes in trials that reset them only."""
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
