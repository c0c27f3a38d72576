"""docs/c.md: its names are in the header of its example, its commands run, and programs can do what it says; see also test_c_header.py."""

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from support.pages import ROOT, page

import cogir
from cogir.tools.cog_translate import main

PAGE = page("c.md")
needs_c = pytest.mark.skipif(shutil.which("cc") is None and os.environ.get("CI") != "true", reason="there is no C compiler")


def test_the_header_has_what_the_page_names(tmp_path: Path) -> None:
    path = tmp_path / "ddm.h"
    assert main([str(ROOT / "examples/ddm_integrator.mlir"), "--emit=c-header", "--prefix=ddm", "-o", str(path)]) == 0
    header = path.read_text()
    names = set(re.findall(r"\b(?:ddm|DDM)_\w+\b(?!\.mlir)", PAGE))
    assert {"ddm_run_trials", "DDM_PARAM_DDM_THRESHOLD", "DDM_STEP_LIMIT"} <= names
    assert names <= set(re.findall(r"\w+", header))
    convention = re.search(r"```c\n(void ddm_init.*?)```", PAGE, re.DOTALL)
    assert convention is not None
    assert " ".join(convention[1].split()) in " ".join(header.split())


@needs_c
def test_the_commands_of_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The program prints a line for each of three drifts."""
    block = re.search(r"```sh\n(.*?)```", PAGE, re.DOTALL)
    assert block is not None
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    for command in block[1].splitlines():
        tool, *arguments = shlex.split(command)
        if tool == "cog-translate":
            assert main(arguments) == 0
        else:
            out = subprocess.run([tool, *arguments], check=True, capture_output=True, text=True).stdout
    assert [line.partition(":")[0].split()[-1] for line in out.splitlines()] == ["0.50", "0.00", "-0.50"]


MODEL = """
import cogir
from cogir.library import State, Step, Value

def count(x: Value, *, seen: State = 0) -> Step:
    return Step(outputs=(seen + 1,), states=(seen + 1,))

def check(x: Value, *, rate: float = 0.5, wrong: State = 0.0) -> Step:
    return Step(outputs=(rate * x,), states=(1.0 if x[0] > 2.0 else 0.0,))

def build():
    m = cogir.Model("m", seed=3)
    counted, checked = m.node("count", count, input=1), m.node("check", check, input=1)
    drawn = m.node("drawn", cogir.library.normal_dist)
    m.schedule.fails(checked.state("wrong"), "the input is above 2")
    m.output(counted, checked, drawn)
    return m
"""

PROGRAM = """
#include <stdio.h>
#include "m.h"
static const int64_t words[M_RNG] = {WORDS};
int main(void) {
  static double out[4][M_OUT];
  double in[4][M_IN];
  int64_t counted;
  static m_model m;
  for (int t = 0; t < 4; ++t) in[t][M_IN_COUNT_X] = 0.0, in[t][M_IN_CHECK_X] = t;
  m_start(&m);
  memcpy(m.rng, words, sizeof words);
  m.pf[M_PARAM_CHECK_RATE] = -1.5;
  int status = m_run_trials(&m, in[0], 2, out[0], 4);
  memcpy(&counted, &out[3][M_OUT_COUNT_VALUE], sizeof counted);
  printf("%d %d %.17g\\n", status == M_FINISHED, (int)counted, out[3][M_OUT_CHECK_VALUE]);
  for (int t = 0; t < 4; ++t) printf("%.17g\\n", out[t][M_OUT_DRAWN_VALUE]);
  status = m_run_trials(&m, in[0], 4, out[0], 4);
  printf("%d %d %s\\n", status == M_STEP_LIMIT, (int)m.control[1], m_nodes[m.control[2]]);
  m_start(&m);
  m.control[0] = 1;
  status = m_run(m.pf, m.pi, m.sf, m.si, m.rng, in[0], 4, out[0], 0, 4, m.control);
  printf("%d %d\\n", status == M_STOPPED, (int)m.control[1]);
  return 0;
}
"""


@needs_c
def test_what_a_program_can_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Integers are the bits of an int64_t, random streams go on from given words, and a run says how it has ended."""
    monkeypatch.chdir(tmp_path)
    Path("model.py").write_text(MODEL)
    for emitted, path in (("obj", "m.o"), ("c-header", "m.h")):
        assert main(["model.py:build", f"--emit={emitted}", "--prefix=m", "-o", path]) == 0
    header = Path("m.h").read_text()
    assert re.search(r"/\* out:count/value \(out, [^)]*i64[^)]*\) \*/", header)
    assert re.search(r"limit:passes", header) is None, "the end of a trial does not depend on data"
    words = cogir.random(7, generator="drawn").words
    Path("program.c").write_text(PROGRAM.replace("WORDS", ", ".join(f"INT64_C({int(word) + 1}) - 1" for word in words)))
    subprocess.run(["cc", "-std=c99", "-I.", "program.c", "m.o", "-lm", "-o", "program"], check=True)
    lines = subprocess.run(["./program"], check=True, capture_output=True, text=True).stdout.splitlines()
    random = cogir.random(7, generator="drawn")
    assert lines[0] == "1 4 -1.5"
    assert [float(line) for line in lines[1:5]] == [float(np.ravel(random.normal())[0]) for _ in range(4)]
    assert lines[5].split()[:2] == ["1", "3"]
    assert lines[5].endswith("check failed: the input is above 2")
    assert lines[6].split()[0] == "1"


def test_recordings_are_left_out(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    headers: list[str] = []
    for recorded in ("", "  cog.record @a\n"):
        path = tmp_path / "m.mlir"
        path.write_text(
            "cog.model @m {\n  cog.node @a (%x: f64) -> (value: f64 = 0.0) {\n    cog.yield %x\n  }\n"
            f"  cog.input @a\n  cog.output @a\n{recorded}}}\n"
        )
        assert main([str(path), "--emit=c-header", "--prefix=m"]) == 0
        headers.append(capsys.readouterr().out)
    assert headers[0] == headers[1] != ""


def test_trials_whose_end_depends_on_data_have_10_million_passes() -> None:
    m = cogir.Model("m")
    a = m.node("a", cogir.library.drift_diffusion_integrator, threshold=1.0)
    m.schedule.trial_ends(cogir.WhenFinished(a))
    assert m.compile(mode="python", cache=False).params["limit:passes"] == 10_000_000
