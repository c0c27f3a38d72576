"""
What a reset leaves as it is: the seeds with which generators were started last, counts of executions, and what has arrived.
"""

from contextlib import nullcontext

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.compare import compared
from support.psyneulink.golden import fresh

# isort: split
from psyneulink.core.globals.utilities import _SeededPhilox

from cogir.psyneulink import accelerate
from cogir.psyneulink.reader import UnsupportedFeature

pytestmark = pytest.mark.filterwarnings("ignore")

MIXED = {"mixed": ("cogir", "PsyNeuLink", "cogir")}
"""PsyNeuLink takes a second for each comparison, so there is one context only."""


def decision(when, generator):
    """A DDM that is reset, and whose seed is that of an input."""

    def build():
        mechanism = pnl.DDM(
            name="D",
            function=pnl.DriftDiffusionIntegrator(noise=np.sqrt(5.0)),
            reset_stateful_function_when=when(),
            execute_until_finished=True,
        )
        if generator == "philox":
            mechanism.function.parameters.random_state.set(_SeededPhilox([0]))
        signal = pnl.ControlSignal(modulates=("seed-function", mechanism), modulation=pnl.OVERRIDE)
        composition = pnl.Composition(name="C")
        composition.add_node(mechanism, required_roles=pnl.NodeRole.INPUT)
        composition.add_node(pnl.ControlMechanism(name="CTL", control_signals=signal))
        return composition

    return build


@pytest.mark.parametrize(("generator", "steps"), [("mt19937", [21, 23, 20]), ("philox", [19, 21, 21])])
def test_a_seed_that_stays_does_not_start_the_generator_anew(generator, steps):
    fresh()
    composition = decision(lambda: pnl.AtPass(0), generator)()
    with accelerate(strict=True):
        composition.run({composition.nodes["CTL"]: [13, 13, 14], composition.nodes["D"]: 5.0}, num_trials=6)
    assert np.squeeze(composition.results)[:, 1].tolist() == steps * 2


@pytest.mark.parametrize("when", [lambda: pnl.AtPass(0), pnl.AtTrialStart, lambda: pnl.AtTrial(1)], ids=["pass", "trial", "once"])
def test_a_reset_with_a_modulated_seed_is_psyneulinks(when):
    inputs = {"D": [[5.0]] * 4, "CTL": [[13.0], [13.0], [14.0], [14.0]]}
    assert not compared(decision(when, "mt19937"), inputs, runs=MIXED)


def counting(until, every, **settings):
    """A Mechanism that has finished after its third execution in a trial, and one that waits for it."""

    def build():
        mechanism = pnl.TransferMechanism(
            name="T", input_shapes=2, integrator_mode=True, termination_threshold=3, execute_until_finished=until,
            **{"termination_measure": pnl.TimeScale.TRIAL, **settings},
        )  # fmt: skip
        last = pnl.ProcessingMechanism(name="P", input_shapes=2)
        composition = pnl.Composition(name="C", pathways=[[mechanism, last]])
        composition.scheduler.add_condition(last, pnl.WhenFinished(mechanism) if every is None else pnl.EveryNCalls(mechanism, every))
        return composition

    return build


@pytest.mark.parametrize(("until", "every"), [(False, None), (False, 2), (True, 2)])
def test_executions_in_a_pass_are_those_of_the_pass(until, every):
    assert not compared(counting(until, every), {"T": [[0.1, 0.2], [0.3, 0.1], [0.5, -0.5]]}, runs=MIXED)


@pytest.mark.full
def test_several_executions_in_several_calls_between_resets_are_refused():
    threshold = {"termination_measure": max, "reset_stateful_function_when": pnl.AtTrial(1)}
    with pytest.raises(UnsupportedFeature, match="several times in a trial, and is not reset at the start of a trial"):
        compared(counting(True, 2, **threshold), {"T": [[7.0, 0.0]]}, runs=MIXED)


def arrived(when, block):
    """What has arrived at a Mechanism, after a run with an execution, and after one whose trials end before any, though it is reset."""
    fresh()
    first = pnl.ProcessingMechanism(name="FIRST", input_shapes=2)
    node = pnl.TransferMechanism(
        name="NODE", input_shapes=2, integrator_mode=True, initial_value=[[0.2, 0.3]], reset_stateful_function_when=when()
    )
    composition = pnl.Composition(name="C", pathways=[first, node])
    found = []
    with block:
        for ends in ({}, {pnl.TimeScale.TRIAL: pnl.Always()}, {}):
            composition.run({first: [[1.0, 2.0]]}, num_trials=2, termination_processing=ends)
            port = node.input_port
            owners = (node, "variable"), (node, "integrator_function_value"), (port, "value"), (port.path_afferents[0], "value")
            held = [getattr(owner.parameters, name).get(composition) for owner, name in owners]
            found.append([np.round(one, 9).tolist() for one in (*held, node.integrator_function.parameters.value.get(composition))])
    return found


@pytest.mark.parametrize("when", [pnl.AtTrialStart, pnl.AtRunStart, lambda: pnl.AtTrial(5)])
def test_a_reset_leaves_what_has_arrived(when):
    assert arrived(when, accelerate(strict=True)) == arrived(when, nullcontext())
