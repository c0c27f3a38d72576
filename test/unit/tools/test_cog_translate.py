"""`cog-translate`: what it writes is accepted by LLVM's own tools, and mistakes are told in one line."""

import shutil
import subprocess
from pathlib import Path

import pytest

import cogir
from cogir import library
from cogir.backend.ptxas import ptxas
from cogir.tools.cog_translate import main

OPT = shutil.which("opt", path="/usr/lib/llvm-22/bin")

LOOPS = """
func.func @double(%x: f64) -> f64 {
  %y = arith.addf %x, %x : f64
  func.return %y : f64
}
"""


@pytest.fixture
def text(tmp_path: Path) -> str:
    m = cogir.Model("small")
    m.project(m.node("a", input=2), m.node("b", library.linear, input=2))
    path = tmp_path / "small.mlir"
    path.write_text(str(m.ir()))
    return str(path)


@pytest.fixture
def loops(tmp_path: Path) -> str:
    path = tmp_path / "loops.mlir"
    path.write_text(LOOPS)
    return str(path)


@pytest.mark.skipif(OPT is None, reason="LLVM 22 is not installed")
@pytest.mark.parametrize("level", [[], ["-O3"]])
def test_llvm_ir_is_accepted_by_llvm(level, text, tmp_path):
    out = tmp_path / "out.ll"
    assert main([text, "-o", str(out), *level]) == 0
    subprocess.run([str(OPT), "-passes=verify", "-disable-output", str(out)], check=True)


def test_stages_below_the_model_are_accepted(loops, capsys):
    assert main([loops, "--from", "loops"]) == 0
    assert "define double @double(double" in capsys.readouterr().out


def test_assembly_and_ptx(text, capsys):
    assert main([text, "--emit", "asm"]) == 0
    assert "run:" in capsys.readouterr().out
    assert main([text, "--emit", "ptx", "--arch", "sm_90", "--replicates"]) == 0
    out = capsys.readouterr().out
    assert ".target sm_90" in out
    assert ".visible .entry replicates(" in out
    assert out.startswith("// @replicates: ")


@pytest.mark.parametrize("prng", ["mt19937", "philox4x64", "xoshiro256"])
def test_draws_on_a_gpu_need_no_c_library(prng, tmp_path, capsys):
    m = cogir.Model("noisy")
    m.node("a", library.psyneulink.gaussian_distort, input=1, prng=prng)
    path = tmp_path / "noisy.mlir"
    path.write_text(str(m.ir()))
    arguments = [str(path), "--emit", "ptx", "--replicates"]
    if prng in ("mt19937", "philox4x64"):
        assert main(arguments) == 1
        assert "NumPy's generators need functions of the C library to the bit" in capsys.readouterr().err
        arguments += ["--log", "portable"]
    assert main(arguments) == 0
    assert ".visible .entry replicates(" in capsys.readouterr().out


def test_a_sweep_as_a_kernel_of_a_chosen_size(text, capsys):
    assert main([text, "--emit", "ptx", "--sweep", "", "--block", "64"]) == 0
    out = capsys.readouterr().out
    assert ".visible .entry sweep(" in out
    assert ".maxntid 64" in out


@pytest.mark.skipif(ptxas() is None, reason="there is no ptxas")
def test_a_cubin(text, tmp_path):
    out = tmp_path / "kernels.cubin"
    assert main([text, "--emit", "cubin", "--arch", "sm_90", "--replicates", "-o", str(out)]) == 0
    assert out.read_bytes()[:4] == b"\x7fELF"


def test_an_object_file_has_the_entry(text, tmp_path):
    out = tmp_path / "model.o"
    assert main([text, "--emit", "obj", "-o", str(out)]) == 0
    assert out.read_bytes()[:4] == b"\x7fELF"
    assert b"run" in out.read_bytes()


MISTAKES = {
    "no such file": (["nothing.mlir"], "nothing.mlir: error: the file cannot be read"),
    "bad text": (["{bad}"], "bad.mlir:1:"),
    "nothing to emit": (
        ["{empty}", "--from", "loops"],
        "error: the input contains no function and no model to emit; give IR with a cog.model, a func.func or an llvm.func",
    ),
    "a model without a kernel": (
        ["{text}", "--emit", "ptx"],
        "error: the model has no search that can be a kernel (ties at random stay on the CPU); give --replicates or --sweep",
    ),
    "too many threads": (
        ["{text}", "--emit", "ptx", "--replicates", "--block", "512"],
        "error: nvptx: 512 threads per block; give 1 to 256",
    ),
    "old GPU": (["{text}", "--emit", "ptx", "--replicates", "--arch", "sm_20"], "error: nvptx: 'sm_20' is not a supported architecture"),
    "a parameter without its node": (
        ["{text}", "--emit", "ptx", "--sweep", "rate"],
        'error: there is no parameter "rate"; name them with nodes, such as decision/rate',
    ),
    "output that cannot be written": (["{text}", "-o", "no/such/folder/x.ll"], "no/such/folder/x.ll: error: the file cannot be written"),
    "a stage that a script cannot be at": (["{script}", "--from", "loops"], "error: --from: a model in Python is at stage cog"),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_mistakes(case, text, tmp_path, capsys):
    files = {"text": text, "bad": str(tmp_path / "bad.mlir"), "empty": str(tmp_path / "empty.mlir"), "script": str(tmp_path / "s.py")}
    Path(files["bad"]).write_text("cog.model @m { cog.nod @a }\n")
    Path(files["empty"]).write_text("builtin.module {}\n")
    Path(files["script"]).write_text("model = None\n")
    arguments, message = MISTAKES[case]
    assert main([argument.format(**files) for argument in arguments]) == 1
    said = capsys.readouterr().err
    assert message in said
    assert said.count("error: ") == 1
    assert said.count("\n") in (1, 3)  # with the line and a caret, if the place is known


def test_a_matrix_varies_by_its_path(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = cogir.Model("m")
    model.project(model.node("a", input=2), model.node("b", input=1), matrix=[[0.5], [0.25]])
    (tmp_path / "m.mlir").write_text(str(model.ir()))
    assert main([str(tmp_path / "m.mlir"), "--emit", "ptx", "--sweep", "a:value->b:variable/matrix"]) == 0
    assert ".visible .entry" in capsys.readouterr().out
