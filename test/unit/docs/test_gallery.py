"""The gallery: each script runs, draws, and its asserts hold."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.long import long_but

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "examples" / "gallery"
SCRIPTS = {path.relative_to(FOLDER).with_suffix("").as_posix(): path for path in sorted(FOLDER.glob("*/*.py"))}
QUICK = ["compiler/levels", "compiler/timeline", "decisions/response_times", "learning/blocking", "networks/necker_cube", "studies/ranges"]
RUN = """
import runpy, sys, warnings
import matplotlib
matplotlib.use("Agg")
from matplotlib import pyplot
warnings.simplefilter("error")
names = runpy.run_path(sys.argv[1])
print(len(pyplot.get_fignums()), "figures")
"""


def test_there_are_enough_examples() -> None:
    assert len(SCRIPTS) >= 24
    assert set(QUICK) <= set(SCRIPTS)


@pytest.mark.parametrize("name", SCRIPTS)
def test_every_example_begins_with_a_title_and_asserts_what_it_shows(name: str) -> None:
    lines = SCRIPTS[name].read_text().splitlines()
    assert lines[0] == '"""'
    assert set(lines[2]) == {"="}
    assert len(lines[1]) == len(lines[2])
    assert any(line.lstrip().startswith(("assert ", "np.testing.")) for line in lines), "an example checks what it shows"


@pytest.mark.parametrize("name", long_but(SCRIPTS, QUICK))
def test_the_example_runs(name: str, tmp_path: Path) -> None:
    script = tmp_path / "run.py"
    script.write_text(RUN)
    given = {**os.environ, "PYTHONPATH": str(ROOT), "COGIR_SHORT_RUNS": "native"}
    done = subprocess.run([sys.executable, str(script), str(SCRIPTS[name])], capture_output=True, text=True, cwd=tmp_path, env=given)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout.splitlines()[-1].split()[0]) >= 1
