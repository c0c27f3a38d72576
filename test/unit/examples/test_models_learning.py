"""The examples of learning, memory and rate models run, print what their models are known for, and draw or say what is missing."""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[3] / "examples" / "models"
NAMES = (
    "fitz_hugh_nagumo_spikes",
    "hopfield_completion",
    "oscillations",
    "pearce_hall_latent_inhibition",
    "q_learning_sarsa_cliff",
    "rescorla_wagner_blocking",
    "ring_attractor_memory",
    "td_lambda_dopamine",
)


def started(name: str, *arguments: str, before: str = "") -> subprocess.CompletedProcess[str]:
    """The script in a process of its own, with the cogir of this folder, where warnings are errors."""
    code = f"{before}import runpy, sys; sys.path.insert(0, {str(FOLDER)!r}); runpy.run_path(sys.argv[0], run_name='__main__')"
    paths = os.pathsep.join([str(FOLDER.parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])])
    program = f"import sys; sys.argv = {[str(FOLDER / f'{name}.py'), *arguments]!r}; {code}"
    environment = os.environ | {"PYTHONPATH": paths}
    return subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, env=environment, timeout=300)


def printed(name: str) -> tuple[str, list[float]]:
    """The output of a script, and the numbers in it."""
    done = started(name)
    assert done.returncode == 0, done.stderr
    return done.stdout, [float(number) for number in re.findall(r"-?\d+\.\d+", done.stdout)]


def test_blocking() -> None:
    _, (light, tone, *control) = printed("rescorla_wagner_blocking")
    assert light > 0.98
    assert tone < 0.02
    assert control == [0.5, 0.5]


def test_latent_inhibition() -> None:
    _, (associability, _, exposed, fresh, *late) = printed("pearce_hall_latent_inhibition")
    assert associability < 0.1
    assert exposed < 0.5 * fresh
    assert min(late) > 0.9


@pytest.mark.full
def test_cliff() -> None:
    """Sutton and Barto's figure has about -25 and -50; the short way has 13 steps."""
    text, (sarsa, q_learning) = printed("q_learning_sarsa_cliff")
    assert -32.0 < sarsa < -20.0
    assert -65.0 < q_learning < -40.0
    lengths = [int(steps) for steps in re.findall(r"path: (\d+) steps", text)]
    assert lengths[0] > 13
    assert lengths[1] == 13


def test_dopamine() -> None:
    _, (cue_first, reward_first, cue, reward, cue_again, omitted) = printed("td_lambda_dopamine")
    assert (cue_first, reward_first) == (0.0, 1.0)
    assert cue > 0.95
    assert abs(reward) < 0.05
    assert cue_again > 0.95
    assert omitted < -0.95


def test_completion() -> None:
    _, numbers = printed("hopfield_completion")
    assert numbers[0] < 0.8
    assert numbers[5] == 1.0


def test_memory() -> None:
    _, numbers = printed("ring_attractor_memory")
    assert numbers[0] == 0.0
    assert abs(numbers[3] - 2.0) < 0.01
    assert abs(numbers[4] - 0.196) < 0.002


def test_oscillations() -> None:
    _, numbers = printed("oscillations")
    assert abs(numbers[1] - 40.0) < 0.2
    assert abs(numbers[4] - 10.9) < 0.2


def test_spikes() -> None:
    text, _ = printed("fitz_hugh_nagumo_spikes")
    assert re.findall(r"(\d+) spikes", text) == ["0", "11", "1"]


@pytest.mark.skipif(importlib.util.find_spec("matplotlib") is None, reason="matplotlib is not installed")
@pytest.mark.full
@pytest.mark.parametrize("name", NAMES)
def test_figures(name: str, tmp_path: Path) -> None:
    file = tmp_path / "figure.svg"
    done = started(name, "--figure", str(file))
    assert done.returncode == 0, done.stderr
    assert file.read_text().count("<path") > 20
    assert done.stdout.endswith(f"figure in {file}\n")


def test_without_matplotlib_the_message_names_the_remedy() -> None:
    done = started("rescorla_wagner_blocking", "--figure", "x.png", before="sys.modules['matplotlib'] = None; ")
    assert done.returncode == 1
    assert done.stderr == "--figure needs matplotlib: pip install matplotlib; without --figure, only the numbers are printed\n"


@pytest.mark.skipif(importlib.util.find_spec("matplotlib") is None, reason="matplotlib is not installed")
def test_a_file_that_cannot_be_written_names_the_remedy(tmp_path: Path) -> None:
    done = started("rescorla_wagner_blocking", "--figure", str(tmp_path / "figure.what"))
    assert done.returncode == 1
    assert "ends in .png, .svg or .pdf" in done.stderr
