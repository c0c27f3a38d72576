"""
Random scripts in PsyNeuLink and under `accelerate()`: some of those that `test/fuzz/fuzz_psyneulink.py` compares, and planted faults that
it must see.
"""

import subprocess
import sys
from pathlib import Path

import pytest
from support.long import long
from support.psyneulink import pnl

assert pnl

FUZZ = Path(__file__).parents[2] / "fuzz" / "fuzz_psyneulink.py"
QUICK = 4
"""Scripts of `make test-psyneulink`; the long runs have 2,000."""
PART = 200


def fuzzed(*arguments):
    """What the command prints, and its exit status."""
    done = subprocess.run([sys.executable, "-W", "ignore", str(FUZZ), *arguments], capture_output=True, text=True, check=False)
    return done.stdout + done.stderr[-2000:], done.returncode


def test_a_few_random_scripts_leave_the_same():
    printed, status = fuzzed("--seeds", f"0:{QUICK}")
    assert status == 0, printed
    assert f"{QUICK} random scripts" in printed
    assert "native" in printed


@pytest.mark.parametrize("first", long(*range(0, 2000, PART)))
def test_random_scripts_leave_the_same(first):
    printed, status = fuzzed("--seeds", f"{first}:{first + PART}")
    print(printed)
    assert status == 0, printed


@pytest.mark.sampled(2)
@pytest.mark.parametrize("fault", ["Logs.enter", "advance_clock"])
def test_a_planted_fault_is_seen(fault):
    """No entries are made in logs, or clocks stand still."""
    printed, status = fuzzed("--seeds", "8:24", "--planted", fault, "--until-found")
    assert status == 1, printed


@pytest.mark.parametrize("seed", [262])
def test_a_script_that_has_shown_a_fault(seed):
    """262: nodes that only learning executes count executions in a new context."""
    printed, status = fuzzed("--seeds", f"{seed}:{seed + 1}")
    assert status == 0, printed
