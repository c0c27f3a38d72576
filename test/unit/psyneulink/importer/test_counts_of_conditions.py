"""
Conditions that are given a count as a floating-point number, as scripts compute it from times.
"""

import contextlib

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.golden import fresh

from cogir.psyneulink import accelerate

pytestmark = pytest.mark.filterwarnings("ignore")

CONDITIONS = {
    "EveryNCalls": lambda node: pnl.EveryNCalls(node, 1 / 0.5),
    "AfterNCalls": lambda node: pnl.AfterNCalls(node, 2.0),
    "AtNCalls": lambda node: pnl.AtNCalls(node, 3.0),
    "AfterNCallsCombined": lambda node: pnl.AfterNCallsCombined(node, n=2.0),
    "AfterPass": lambda node: pnl.AfterPass(1.0),
    "EveryNPasses": lambda node: pnl.EveryNPasses(2.0),
    "AfterNTrials": lambda node: pnl.All(pnl.AfterNTrials(1.0), pnl.EveryNCalls(node, 1)),
    "AfterRun": lambda node: pnl.All(pnl.AfterRun(0.0), pnl.EveryNCalls(node, 1)),
    "NWhen": lambda node: pnl.NWhen(pnl.EveryNCalls(node, 1), 2.0),
}


@pytest.mark.parametrize("name", CONDITIONS)
def test_a_count_may_be_a_floating_point_number(name):
    def results(native):
        fresh()
        node, counting = pnl.ProcessingMechanism(name="node"), pnl.IntegratorMechanism(name="counting")
        composition = pnl.Composition(pathways=[[node, counting]], name="C")
        composition.scheduler.add_condition(counting, CONDITIONS[name](node))
        composition.termination_processing = {pnl.TimeScale.TRIAL: pnl.AfterNCalls(node, 4.0)}
        with accelerate(strict=True) if native else contextlib.nullcontext():
            for _ in range(2):
                composition.run({node: [[1.0], [2.0]]})
        return np.ravel(composition.results)

    assert np.array_equal(results(native=True), results(native=False))
