"""The folder of benchmarks/gpu: prepared small, and measured by the emulation; its runner needs neither xDSL nor llvmlite."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[4]
ON_THE_CPU = """
import sys, json
from pathlib import Path
sys.modules |= {"xdsl": None, "llvmlite": None}
folder = Path(sys.argv[1])
sys.path.insert(0, str(folder))
import run
import cogir.runtime.cuda.choice, cogir.runtime.cuda.gpu, cogir.runtime.cuda.ranges, cogir.runtime.cuda.searches
for facts in json.loads((folder / "cases.json").read_text()):
    assert run.digest(run.Case(facts, folder).by_cpu(2)[1]) == facts["expected"]
"""


@pytest.mark.full
@pytest.mark.skipif(shutil.which("cc") is None, reason="the code for the CPU is linked with a C compiler")
def test_a_small_folder(tmp_path: Path) -> None:
    def python(*given: str) -> str:
        environment = {**os.environ, "PYTHONPATH": str(ROOT) if given[0] == "-m" else ""}
        done = subprocess.run([sys.executable, *given], cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    python("-m", "benchmarks.gpu.prepare", str(tmp_path), "--levels", "50", "--count", "2000", "--architectures", "sm_90", "--emulated")
    said = python("-P", "run.py", "--driver", "emulated", "--rounds", "1")
    assert said.count("| yes |") == 3
    figures = json.loads((tmp_path / "figures.json").read_text())["figures"]
    assert all(row["kernel"] < row["whole call"] for row in figures)
    python("-P", "-c", ON_THE_CPU, str(tmp_path))
