"""`cog-translate --emit=c-header`: programs in C and C++ run models as Python does, to the bit."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cogir
from cogir import library
from cogir.tools.cog_translate import main

ROOT = Path(__file__).parents[3]
C = shutil.which("cc") or shutil.which("clang-22")
CPP = shutil.which("c++") or shutil.which("clang++-22")
needs_c = pytest.mark.skipif(C is None and os.environ.get("CI") != "true", reason="there is no C compiler")
needs_cpp = pytest.mark.skipif(CPP is None and os.environ.get("CI") != "true", reason="there is no C++ compiler")


def translate(model: Path, prefix: str, folder: Path) -> None:
    """The object file and the header of a model."""
    assert main([str(model), "--emit=obj", f"--prefix={prefix}", "-o", str(folder / f"{prefix}.o")]) == 0
    assert main([str(model), "--emit=c-header", f"--prefix={prefix}", "-o", str(folder / f"{prefix}.h")]) == 0


def output_of(compiler: str | None, source: Path, folder: Path, *objects: str) -> list[str]:
    """The lines that a program prints; all warnings of the compiler are errors."""
    assert compiler is not None, "CI needs a C and a C++ compiler"
    standard = "c++17" if source.suffix == ".cpp" else "c99"
    command = [compiler, f"-std={standard}", "-O1", "-Wall", "-Wextra", "-pedantic", "-Werror", "-I.", str(source)]
    subprocess.run([*command, *objects, "-lm", "-pthread", "-o", "program"], check=True, cwd=folder)
    return subprocess.run(["./program"], check=True, cwd=folder, capture_output=True, text=True).stdout.splitlines()


@needs_c
def test_the_example_in_c_prints_what_python_computes(tmp_path: Path) -> None:
    model = ROOT / "examples" / "ddm_integrator.mlir"
    translate(model, "ddm", tmp_path)
    lines = output_of(C, ROOT / "examples" / "c" / "decisions.c", tmp_path, "ddm.o")
    compiled = cogir.compile(model.read_text(), mode="run")
    for line, drift in zip(lines, (0.5, 0.0, -0.5), strict=True):
        found = compiled.run({"DDM": [[drift]]}, num_trials=1000)
        mean = sum(found["DDM", "time"].ravel().tolist()) / 1000
        assert line == f"drift {drift:5.2f}: {np.mean(found['DDM'] > 0):.3f} upper, {float(mean):.17g} s"


@needs_cpp
def test_the_example_in_cpp_runs_two_models(tmp_path: Path) -> None:
    expected = ["0 0"]
    for name, prefix, value in (("ddm_integrator", "ddm", 0.3), ("lca", "lca", 0.5)):
        model = ROOT / "examples" / f"{name}.mlir"
        translate(model, prefix, tmp_path)
        compiled = cogir.compile(model.read_text(), mode="run")
        (shape,) = {name: compiled.plan.slots[f"in:{name}"].size for name in compiled.plan.inputs}.items()
        found = compiled.run({shape[0]: [[value] * shape[1]]}, num_trials=100)
        expected.append(f"{float(np.ravel(found[compiled.plan.outputs[compiled.plan.shown - 1]])[-1]):.17g}")
    assert output_of(CPP, ROOT / "examples" / "c" / "two_models.cpp", tmp_path, "ddm.o", "lca.o") == expected


PROGRAM = """
#include <stdio.h>
#include "m.h"
int main(void) {
  static double in[2][M_IN] = {{0.25, -1.5}, {3.0, 0.125}}, out[7][M_OUT];
  static m_model m;
  m_start(&m);
  m.pf[M_PARAM_SCALED_SLOPE] = 0.3;
  for (int run = 0; run < 3; ++run) {
    int status = m_run_trials(&m, in[0], 2, out[0], 7);
    printf("%d %d\\n", status, (int)m.control[1]);
    for (int t = 0; t < 7; ++t)
      for (int i = 0; i < M_OUT; ++i) printf("%.17g\\n", out[t][i]);
  }
  m_reset(&m);
  m_run_trials(&m, in[0], 2, out[0], 1);
  printf("%.17g\\n", out[0][M_OUT_SUMMED_VALUE]);
  return 0;
}
"""


def counting(**options: Any) -> cogir.Model:
    """A model whose state lasts, whose conditions count runs, and that draws."""
    m = cogir.Model("m", **options)
    scaled = m.node("scaled", library.linear, input=2, slope=2.0)
    summed = m.node("summed", library.psyneulink.simple_integrator, input=2)
    noisy = m.node("noisy", library.normal_dist)
    m.project(scaled, summed)
    m.schedule.when(noisy, cogir.AfterNRuns(1))
    m.schedule.when(summed, cogir.EveryNCalls(scaled, 2))
    m.schedule.trial_ends(cogir.AfterNPasses(2))
    m.output(summed, noisy)
    return m


DRAWS = """
#include <stdio.h>
#include "m.h"
int main(void) {
  static double in[M_IN], out[3][M_OUT];
  static m_model m;
  m_start(&m);
  m_run_trials(&m, in, 1, out[0], 3);
  for (int t = 0; t < 3; ++t)
    for (int i = 0; i < M_OUT; ++i) printf("%.17g\\n", out[t][i]);
  return 0;
}
"""


@needs_c
@pytest.mark.parametrize("seed", [0, 7, 2**40 + 1])
def test_a_program_in_c_has_the_streams_of_the_seed(seed: int, tmp_path: Path) -> None:
    """Two nodes, and one of an inner model with a seed of its own, draw as in Python; neighbouring seeds have nothing in common."""
    drawn: list[list[str]] = []
    for number, one in enumerate((seed, seed + 1)):
        inner = cogir.Model("inner", seed=5)
        inner.node("c", library.normal_dist)
        m = cogir.Model("m", seed=one)
        m.output(m.node("a", library.normal_dist), m.node("b", library.uniform_dist), m.instance("i", inner))
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "m.mlir").write_text(str(m.ir()))
        translate(folder / "m.mlir", "m", folder)
        (folder / "program.c").write_text(DRAWS)
        found = m.compile().run(num_trials=3)
        expected = [f"{float(found[name][trial].item()):.17g}" for trial in range(3) for name in found]
        drawn.append(output_of(C, folder / "program.c", folder, "m.o"))
        assert drawn[-1] == expected
        assert len(set(expected)) == 9
    assert not set(drawn[0]) & set(drawn[1])


@needs_c
@pytest.mark.parametrize("prng", ["mt19937", "philox4x64", "xoshiro256"])
def test_runs_follow_one_another_as_in_python(prng: str, tmp_path: Path) -> None:
    model = counting(prng=prng)
    (tmp_path / "m.mlir").write_text(str(model.ir()))
    translate(tmp_path / "m.mlir", "m", tmp_path)
    (tmp_path / "program.c").write_text(PROGRAM)
    compiled = model.compile(mode="run")
    compiled.params["scaled/slope"] = 0.3
    inputs = {"scaled": [[0.25, -1.5], [3.0, 0.125]], "noisy": [[0.0], [0.0]]}
    expected: list[str] = []
    for _ in range(3):
        found = compiled.run(inputs, num_trials=7)
        expected.append("0 7")
        for trial in range(7):
            numbers = [*found["summed"][trial].tolist(), *found["noisy"][trial].tolist()]
            expected += [f"{value:.17g}" for value in numbers]
    words = {path: compiled.generators.words(path) for path in compiled.generators}
    compiled.reset()
    for path, state in words.items():
        compiled.generators[path] = state
    expected.append(f"{compiled.run(inputs, num_trials=1)['summed'].ravel().tolist()[0]:.17g}")
    lines = output_of(C, tmp_path / "program.c", tmp_path, "m.o")
    shown = [line for line in lines if " " in line or line in expected]
    assert shown == lines == expected


CUT_OFF = """
#include <stdio.h>
#include "m.h"
int main(void) {
  static double in[1][M_IN] = {{0.5}}, out[200][M_OUT];
  static m_model m;
  m_start(&m);
  for (int run = 0; run < 2; ++run) {
    int status = m_run_trials(&m, in[0], 1, out[0], 200), cut_off = 0;
    for (int t = 0; t < 200; ++t) cut_off += out[t][M_OUT_DECISION_CHOICE] == 0.0;
    printf("%d %d %d\\n", status == M_FINISHED, (int)m.control[1], cut_off);
    m.pi[M_LIMIT_DECISION_EXECUTIONS] = 100000;
  }
  return 0;
}
"""


@needs_c
def test_decisions_that_are_cut_off_are_finished_runs_without_a_choice(tmp_path: Path) -> None:
    """As docs/c.md says: the only sign is the choice, and the limit can be raised."""
    model = cogir.Model("m")
    model.node(
        "decision",
        library.drift_diffusion_decision,
        time_step_size=0.01,
        execute_until_finished=True,
        max_executions_before_finished=60,
        reset_each_trial=True,
    )
    (tmp_path / "m.mlir").write_text(str(model.ir()))
    translate(tmp_path / "m.mlir", "m", tmp_path)
    (tmp_path / "program.c").write_text(CUT_OFF)
    unfinished = model.compile(unfinished="ignore").run({"decision": [[0.5]]}, num_trials=200).unfinished["decision"]
    assert 0 < unfinished.sum() < 200
    assert output_of(C, tmp_path / "program.c", tmp_path, "m.o") == [f"1 200 {unfinished.sum()}", "1 200 0"]


LIMIT = """
#include <stdio.h>
#include "m.h"
int main(void) {
  static double in[3][M_IN] = {{5.0}, {4.0}, {0.0}}, out[3][M_OUT];
  static m_model m;
  m_start(&m);
  m.pi[M_LIMIT_PASSES] = 10;
  int status = m_run_trials(&m, in[0], 3, out[0], 3);
  printf("%d %d %s\\n", status == M_STEP_LIMIT, (int)m.control[1], m_nodes[m.control[2]]);
  return 0;
}
"""


@needs_c
def test_the_limit_of_steps_is_that_of_passes(tmp_path: Path) -> None:
    model = cogir.Model("m")
    total = model.node("total", library.drift_diffusion_integrator, noise=0.0, time_step_size=0.1, threshold=1.0)
    model.schedule.reset(total, cogir.AtTrialStart())
    model.schedule.trial_ends(cogir.WhenFinished(total))
    (tmp_path / "m.mlir").write_text(str(model.ir()))
    translate(tmp_path / "m.mlir", "m", tmp_path)
    (tmp_path / "program.c").write_text(LIMIT)
    assert output_of(C, tmp_path / "program.c", tmp_path, "m.o") == ["1 2 schedule of m"]


REFUSED = {
    "no prefix": ([], "--emit=c-header: the functions need a name; give --prefix=NAME, here and for the object file"),
    "specialised code": (["--prefix=m", "--specialise"], "a program sets parameters, which --specialise folds into the code"),
    "a prefix that is no name": (["--prefix=1a"], "--prefix: '1a' is no name in C; give letters, digits and underscores"),
    "replicates": (["--prefix=m", "--replicates"], "there is no header for --replicates"),
    "a stage below": (["--prefix=m", "--from=loops"], "the input is at stage loops, where a header is no longer known; give a model"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    options, message = REFUSED[name]
    assert main([str(ROOT / "examples" / "ddm_integrator.mlir"), "--emit=c-header", *options]) != 0
    assert message in capsys.readouterr().err


def two_sizes(variable: Any, *, v_size: Any = 3.0, v: Any = (1.0, 2.0)) -> Any:
    return variable * v_size + v[0]


@needs_c
def test_names_are_apart(tmp_path: Path) -> None:
    m = cogir.Model("m")
    m.node("acc", two_sizes, input=1)
    (tmp_path / "m.mlir").write_text(str(m.ir()))
    translate(tmp_path / "m.mlir", "m", tmp_path)
    (tmp_path / "names.c").write_text(
        '#include <stdio.h>\n#include "m.h"\nint main(void) {\n'
        '  printf("%d %d %d\\n", M_PARAM_ACC_V_SIZE, M_PARAM_ACC_V_2, M_PARAM_ACC_V_2_SIZE);'
        " return 0; }\n"
    )
    assert output_of(C, tmp_path / "names.c", tmp_path, "m.o") == ["1 2 2"]
