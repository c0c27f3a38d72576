"""The examples in `examples/models`: each runs with few trials, and prints what its model is known for."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "examples" / "models"


def printed(name: str, *options: str, trials: int = 2000, blocked: str = "") -> str:
    """What an example prints; `blocked` is a module that it cannot import."""
    begin = f"import sys; sys.modules[{blocked!r}] = None; " if blocked else "import sys; "
    run = f"sys.argv = {[name, '--trials', str(trials), *options]!r}; sys.path[:0] = {[str(FOLDER), str(ROOT)]!r}"
    code = f"{begin}{run}; import runpy; runpy.run_path({str(FOLDER / f'{name}.py')!r}, run_name='__main__')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    if blocked:
        assert done.returncode == 1
        return done.stderr
    assert done.returncode == 0, done.stderr
    return done.stdout


def numbers(text: str, pattern: str) -> list[float]:
    """The numbers in the places of the groups of a pattern."""
    return [float(found) for found in re.findall(pattern, text)]


def test_every_example_is_tested() -> None:
    tests = "".join(path.read_text() for path in Path(__file__).parent.glob("test_models*.py"))
    assert not [path.stem for path in FOLDER.glob("*.py") if path.stem != "figures" and f'"{path.stem}"' not in tests]


def test_collapsing_bounds_cut_off_slow_responses() -> None:
    slow = numbers(printed("collapsing_bounds"), r"before (\S+) s")
    assert len(slow) == 4
    assert slow[0] > 1.3 * max(slow[1:])


def test_higher_thresholds_are_slower_and_more_accurate() -> None:
    text = printed("speed_accuracy")
    times, shares, exact = (numbers(text, pattern) for pattern in (r"time (\S+) s", r"correct (\S+) \(", r"form (\S+)\)"))
    assert len(times) == 8
    assert times == sorted(times)
    # 2000 trials: the standard error is at most 0.0112; the discrete steps are late by 0.008 at the lowest threshold
    assert all(abs(share - value) < 4.0 * 0.0112 + 0.008 for share, value in zip(shares, exact, strict=True))


def test_better_alternatives_are_chosen_more_often_and_sooner() -> None:
    text = printed("lba")
    shares, medians = numbers(text, r"chosen (\S+) "), numbers(text, r"median response time (\S+) s")
    assert len(shares) == len(medians) == 3
    assert shares == sorted(shares, reverse=True)
    assert medians == sorted(medians)


def test_inhibition_gives_weight_to_early_evidence() -> None:
    early = numbers(printed("leaky_competition", trials=500), r"is ahead in (\S+) of")
    assert len(early) == 3
    assert early[0] < 0.4 < 0.6 < early[2]
    assert early == sorted(early)


def test_what_is_looked_at_is_chosen() -> None:
    text = printed("attention")
    shares = numbers(text, r"chosen in (\S+) of")
    with_discount, without = shares[:8], shares[8:]
    assert len(without) == 8
    assert with_discount[0] < 0.3 < 0.7 < with_discount[-1]
    assert abs(without[3] - 0.5) < 0.1


@pytest.mark.parametrize("name", ["collapsing_bounds", "attention"])
def test_a_figure_without_matplotlib_names_the_remedy(name: str, tmp_path: Path) -> None:
    said = printed(name, "--figure", str(tmp_path / "figure.png"), trials=10, blocked="matplotlib")
    assert "--figure needs matplotlib: pip install matplotlib" in said
    assert not list(tmp_path.iterdir())


def test_a_number_of_trials_below_1_is_refused() -> None:
    done = subprocess.run([sys.executable, str(FOLDER / "lba.py"), "--trials", "0"], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 2
    assert "give a number of at least 1" in done.stderr
