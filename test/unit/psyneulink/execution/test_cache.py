"""The code of a Composition is found in the cache by another process, though PsyNeuLink orders things by where they lie in memory."""

import os
import subprocess
import sys
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from support.psyneulink import pnl

import cogir
from cogir.frontend.identity.fingerprint import fingerprint

pytestmark = pytest.mark.filterwarnings("ignore")

SCRIPT = """
import psyneulink as pnl
from cogir.psyneulink import accelerate

senders = [pnl.TransferMechanism(name=f"sender {number}") for number in range(6)]
receiver = pnl.TransferMechanism(name="receiver")
composition = pnl.Composition([[sender, receiver] for sender in senders])
with accelerate(strict=True):
    composition.run({sender: [[1.0]] for sender in senders})
"""


def test_the_order_of_waiting_for_senders_is_not_in_the_code() -> None:
    """By default PsyNeuLink has a node wait for each of its senders, which it takes out of a set."""
    senders = [pnl.TransferMechanism(name=name) for name in "abc"]
    receiver = pnl.TransferMechanism(name="receiver")
    composition: Any = pnl.Composition([[sender, receiver] for sender in senders])
    found: set[str | None] = set()
    for order in permutations(senders):
        composition.scheduler.add_condition(receiver, pnl.All(*(pnl.EveryNCalls(sender, 1) for sender in order)))
        found.add(fingerprint(cogir.from_psyneulink(composition).description))
    assert len(found) == 1
    composition.scheduler.add_condition(receiver, pnl.Any(*(pnl.EveryNCalls(sender, 1) for sender in senders)))
    assert fingerprint(cogir.from_psyneulink(composition).description) not in found


@pytest.mark.full
def test_another_process_finds_the_code(tmp_path: Path) -> None:
    """Found by the benchmark, once it measured each first call in a process of its own."""
    for seed in "123":
        subprocess.run(
            [sys.executable, "-c", SCRIPT], check=True, env=os.environ | {"COGIR_CACHE_DIR": str(tmp_path), "PYTHONHASHSEED": seed}
        )
    assert len(list(tmp_path.glob("*.cogir"))) == 1
