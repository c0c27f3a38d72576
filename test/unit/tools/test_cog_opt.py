"""What `cog-opt` says and with which exit code, for good input, bad input, bad options, and passes that fail."""

import re
import subprocess
import sys
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from types import ModuleType

import llvmlite.binding
import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.transforms import get_all_passes

from cogir.dialects.text import parse_text
from cogir.lowering.pipeline import FOR_TEXTS, PASSES, passes_between
from cogir.tools import cog_opt, cog_run, cog_translate
from cogir.tools.common import INTERNAL_ERROR

MODEL = """\
cog.model @m {
  cog.node @a (%x: f64) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.input @a
  cog.output @a
}
"""
WRONG = MODEL.replace("cog.output @a", "cog.output @aa")


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "model.mlir"
    path.write_text(MODEL)
    return path


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    path = tmp_path / "wrong.mlir"
    path.write_text(WRONG)
    return path


def test_a_good_model_is_printed(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cog_opt.main([str(model)]) == 0
    out, err = capsys.readouterr()
    assert "cog.node @a (%x: f64) -> (value: f64 = 0.0) {" in out
    assert not err


def test_an_error_shows_its_place_the_line_and_a_caret(wrong: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cog_opt.main([str(wrong)]) == 1
    assert capsys.readouterr() == (
        "",
        f"{wrong}:6:3: error: output @aa: @aa is not part of the model; did you mean @a?\n  cog.output @aa\n  ^          ~~~\n",
    )


def test_verify_diagnostics_makes_errors_the_output(wrong: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cog_opt.main([str(wrong), "--verify-diagnostics"]) == 0
    out, err = capsys.readouterr()
    assert out == f"{wrong}:6:3: error: output @aa: @aa is not part of the model; did you mean @a?\n"
    assert not err


def test_pieces_are_read_one_by_one_and_lines_count_from_the_start(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "pieces.mlir"
    path.write_text(f"{WRONG}// -----\n{MODEL}// -----\ncog.model @m (\n")
    assert cog_opt.main([str(path), "--split-input-file"]) == 1
    out, err = capsys.readouterr()
    assert out.count("cog.model") == 1
    assert [line.partition(": error")[0] for line in err.splitlines()[::3]] == [f"{path}:6:3", f"{path}:17:14"]
    assert err.splitlines()[-2:] == ["cog.model @m (", "             ^"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-p", "complete-shedule"], "there is no pass 'complete-shedule'; did you mean 'complete-schedule'?"),
        (["-p", "complete-schedule{"], "the list of passes 'complete-schedule{' has a syntax error; write a,b{option=1}"),
        (["-p", "complete-schedule{fast=1}"], "error: pass 'complete-schedule' has no option 'fast'; it has none\n"),
        (["-p", "replicate{enabld=1}"], "error: pass 'replicate' has no option 'enabld'; did you mean 'enabled'?"),
        (["-p", "fold-constants{z=1}"], "error: pass 'fold-constants' has no option 'z'; its options are math"),
        (["--replicates"], "--replicates applies to lowering to a stage; give the stage, too: --emit=STAGE or --lower-to-llvm"),
        (["--without=cog-cse"], "--without applies to lowering to a stage"),
        (["--from=foo"], "--from: there is no stage 'foo'; the stages are cog, scheduled, machine, loops, cf, llvm"),
        (["--from=machine"], "--from gives the first stage of a lowering; give the last stage, too: --emit=STAGE or --lower-to-llvm"),
        (["--zzz"], "error: unrecognized arguments: --zzz; see cog-opt --help"),
        (["--list-pases"], "error: unrecognized arguments: --list-pases; did you mean '--list-passes'?"),
        (["--list-pases=cog-cse"], "error: unrecognized arguments: --list-pases=cog-cse; did you mean '--list-passes'?"),
        (["--emit=machin"], "--emit: there is no stage 'machin'; did you mean 'machine'?"),
        (["--emit=foo"], "--emit: there is no stage 'foo'; the stages are cog, scheduled, machine, loops, cf, llvm, llvm-ir"),
        (["--emit=asm"], "--emit: there is no stage 'asm'; cog-translate --emit=asm writes it"),
        (["--from=lops", "--emit=llvm"], "--from: there is no stage 'lops'; did you mean 'loops'?"),
        (
            ["--emit=machine", "--without=factor-gird"],
            "'factor-gird' is not an optimisation that can be left out; did you mean 'factor-grid'",
        ),
        (["--emit=machine", "--without=replicate"], "'replicate' is not an optimisation that can be left out; choose from eliminate-"),
        (["-p", "fill-lanes{lanes=four}"], "error: option 'lanes' of pass 'fill-lanes' takes an integer, not 'four'"),
        (["-p", "fill-lanes{lanes}"], "error: option 'lanes' of pass 'fill-lanes' has no value; give one, such as lanes=3"),
        (["-p", "fill-lanes{lanes=1 lanes=2}"], "error: option 'lanes' of pass 'fill-lanes' is given twice; give it once"),
        (["--emit=cog", "--from=llvm"], "pipeline: stage 'cog' comes before 'llvm'"),
        (["-o", "/nowhere/at/all"], "/nowhere/at/all: error: the file cannot be written: No such file or directory"),
    ],
)
def test_wrong_options(model: Path, options: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cog_opt.main([str(model), *options]) == 1
    out, err = capsys.readouterr()
    assert message in err
    assert err.count("\n") == 1
    assert not out


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "1:1: error: expected an operation, such as cog.model"),
        (b"// nothing\n", "2:1: error: expected an operation, such as cog.model"),
        (b"cog.modle @m {\n}\n", "1:1: error: there is no operation 'cog.modle'; did you mean cog.model?"),
        (b"\xff\xfe", "error: the file is not valid UTF-8: byte 0 is invalid"),
        (b'cog.model @"\\FF" {\n}\n', "1:11: error: the name is not valid UTF-8"),
        (b'cog.model @"m {\n}\n', "1:12: error: End of file reached before closing string literal."),
        ("cog.model ½ {\n}\n".encode(), "1:11: error: unexpected character"),
        (b"func.func @f() {\n  %c = arith.constant 0xFFFFFFFFFFFFFFFFFF : f64\n}\n", "2:23: error: the number does not fit into its type"),
        (b"func.func @f() {\n  %c = arith.constant 2 : f64\n}\n", "2:23: error: 2 is an integer, but f64 is required; write 2.0"),
        (b"func.func @f() {\n  %c = arith.constant -2 : f32\n}\n", "2:23: error: -2 is an integer, but f32 is required; write -2.0"),
        (
            b"func.func @f() {\n  %c = arith.constant dense<[1.0e-05, 3]> : tensor<2xf64>\n}\n",
            "2:28: error: 3 is an integer, but f64 is required; write 3.0",
        ),
        (b"func.func @f() {\n  func.return %x : f64\n}\n", "2:15: error: %x is not defined"),
        (b"%x = linalg.add ins(%y : f64)\n", "1:1: error: linalg.add is not well formed: xDSL stops reading it with"),
        (b"func.func @f() {\n  scf.for\n}\n", "3:1: error:"),
        (
            b"builtin.module {\n}\nbuiltin.module {\n}\n",
            "3:1: error: there are operations beside a builtin.module; move them into the module",
        ),
        (b"scf.execute_region {\n" * 2000, "error: the input is nested too deeply"),
    ],
)
def test_what_is_not_a_model(content: bytes, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "input.mlir"
    path.write_bytes(content)
    assert cog_opt.main([str(path)]) == 1
    out, err = capsys.readouterr()
    assert message in err
    assert err.count("\n") in (1, 3)  # the message, and the line and a caret if the place has one
    assert not out


@pytest.mark.parametrize(
    ("name", "stage", "passes"),
    [("bufferize", "machine", "convert-elementwise-to-linalg,bufferize"), ("convert-to-llvm", "cf", "convert-to-llvm")],
)
def test_passes_for_what_becomes_of_a_model(
    name: str, stage: str, passes: str, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cog_opt.main([str(model), "-p", name]) == 1
    assert capsys.readouterr().err == (
        f"{model}:1:1: error: pass '{name}' requires IR of stage {stage}, but the input has a cog.model; lower it with "
        f"--emit={stage}, and run -p {passes} on the output\ncog.model @m {{\n^\n"
    )
    lowered = tmp_path / "lowered.mlir"
    assert cog_opt.main([str(model), f"--emit={stage}", "-o", str(lowered)]) == 0
    assert cog_opt.main([str(lowered), "-p", passes]) == 0


@pytest.mark.parametrize("tool", [cog_opt, cog_run, cog_translate])
def test_the_version_is_that_of_all_parts(tool: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        tool.main(["--version"])
    assert ended.value.code == 0
    llvm = ".".join(map(str, llvmlite.binding.llvm_version_info))
    assert re.fullmatch(rf"cog-\w+ \(cogir [\d.]+, xDSL {version('xdsl')}, llvmlite [\d.]+ LLVM {llvm}\)\n", capsys.readouterr().out)


def test_a_file_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert cog_opt.main(["not/there.mlir"]) == 1
    assert capsys.readouterr().err == "not/there.mlir: error: the file cannot be read: No such file or directory\n"


@dataclass(frozen=True)
class Breaks(ModulePass):
    """A pass with a defect."""

    name = "breaks"
    how: str = "badly"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        raise KeyError(self.how)


def test_a_defect_of_a_pass_leaves_a_reproducer(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(PASSES, Breaks.name, Breaks)
    report = tmp_path / "report.mlir"
    options = ["-p", 'complete-schedule,breaks{how="loudly"}', "--reproducer", str(report)]
    assert cog_opt.main([str(model), *options]) == INTERNAL_ERROR
    err = capsys.readouterr().err
    assert "internal error: pass 'breaks' failed with KeyError: 'loudly'" in err
    assert f"cog-opt {report} -p 'complete-schedule,breaks{{how=\"loudly\"}}'" in err
    text = report.read_text()
    assert text.endswith(MODEL)
    assert "KeyError" in text
    # What was written shows the defect again.
    assert cog_opt.main([str(report), *options[:2], "--reproducer", str(tmp_path / "again.mlir")]) == INTERNAL_ERROR


def test_passes_can_be_watched(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cog_opt.main([str(model), "-p", "complete-schedule,cse", "--print-between-passes", "--time-passes"]) == 0
    out, err = capsys.readouterr()
    assert out.count("cog.model @m") == 2
    assert "// -----// IR Dump After CompleteSchedule (complete-schedule) //----- //" in out
    assert [line.partition(":")[0] for line in err.splitlines()] == ["complete-schedule", "cse"]


def test_stages_can_be_reached_in_steps(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    machine = tmp_path / "machine.mlir"
    assert cog_opt.main([str(model), "--emit=machine", "-o", str(machine)]) == 0
    assert cog_opt.main([str(machine), "--from=machine", "--lower-to-llvm"]) == 0
    in_steps = capsys.readouterr().out
    assert cog_opt.main([str(model), "--lower-to-llvm"]) == 0
    assert capsys.readouterr().out == in_steps
    assert cog_opt.main([str(machine), "--lower-to-llvm"]) == 1
    assert capsys.readouterr().err == (
        f"{machine}: error: the input contains no cog.model; give the stage that it is at, such as --from=machine\n"
    )


def test_passes_run_on_the_lowered_ir_wherever_they_stand(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outputs: list[str] = []
    for options in (["--emit=machine", "-p", "cog-cse,convert-scf-to-cf"], ["-p", "cog-cse,convert-scf-to-cf", "--emit=machine"]):
        assert cog_opt.main([str(model), *options, "--dump-pass-pipeline"]) == 0
        out, err = capsys.readouterr()
        assert err.rstrip().endswith(",cog-cse,convert-scf-to-cf")
        outputs.append(out)
    assert outputs[0] == outputs[1]
    assert "func.func @trial" in outputs[0]


def test_a_pass_that_is_watched_but_does_not_run(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for option in ("--print-ir-after", "--print-ir-before", "--remarks"):
        assert cog_opt.main([str(model), "-p", "complete-schedule", f"{option}=bufferize"]) == 0
        assert capsys.readouterr().err == (
            f"warning: {option}: pass 'bufferize' is not among the passes that run; --dump-pass-pipeline prints them\n"
        )


def test_only_the_llvm_dialect_is_left(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cog_opt.main([str(model), "--lower-to-llvm"]) == 0
    (module,) = [parse_text(capsys.readouterr().out)]
    assert {op.name.partition(".")[0] for op in module.walk()} == {"builtin", "llvm"}


def test_llvm_ir_is_text_of_llvm(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cog_opt.main([str(model), "--emit=llvm-ir"]) == 0
    parsed = llvmlite.binding.parse_assembly(capsys.readouterr().out)
    parsed.verify()
    assert {"init", "run"} <= {function.name for function in parsed.functions}


def test_a_value_from_a_region_that_has_ended(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "input.mlir"
    path.write_text("func.func @f(%a: index) {\n  scf.for %i = %a to %i step %a {\n  }\n  func.return\n}\n")
    assert cog_opt.main([str(path)]) == 1
    line = "  scf.for %i = %a to %i step %a {"
    assert capsys.readouterr().err == f"{path}:2:22: error: %i is not defined\n{line}\n{'^~'.rjust(23)}\n"


def test_every_pass_of_cogir_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert cog_opt.main(["--list-passes"]) == 0
    listed = {line.split()[0] for line in capsys.readouterr().out.splitlines() if line.startswith("  ")}
    assert {*PASSES, *get_all_passes()} <= listed


def test_help_shows_examples_and_passes(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cog_opt.main(["--help"])
    assert ended.value.code == 0
    out = capsys.readouterr().out
    assert "cog-opt model.mlir --lower-to-llvm" in out
    assert "complete-schedule" in out
    assert "--print-ir-after[=PASS,...]" in out
    assert "--remarks[=KIND or PASS,...]" in out
    assert max(map(len, out.splitlines())) <= 100


PYTHON = """\
import cogir

model = cogir.Model("m")
model.node("a", input=1)


def other():
    found = cogir.Model("other")
    found.node("a", cogir.library.logistic, input=1)
    return found


def wrong():
    found = cogir.Model("wrong")
    found.node("a", cogir.library.logistc, input=1)
    return found
"""


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "script_of_cog_opt.py"
    path.write_text(PYTHON)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, path.stem, raising=False)
    return path


@pytest.mark.parametrize(("given", "name"), [("{path}", "@m"), ("{path}:other", "@other"), ("script_of_cog_opt:other", "@other")])
def test_a_model_in_python_is_printed(given: str, name: str, script: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cog_opt.main([given.format(path=script)]) == 0
    out, err = capsys.readouterr()
    assert f"cog.model {name} {{" in out
    assert not err
    parse_text(out).verify()


def test_modules_are_those_of_the_folder_at_hand(script: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even in a process that looked for one from another folder before."""
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert cog_opt.main(["script_of_cog_opt:other"]) == 1
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, script.stem, raising=False)
    assert cog_opt.main(["script_of_cog_opt:other"]) == 0


def test_a_model_in_python_becomes_what_cog_translate_makes_of_it(script: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cog_opt.main([f"{script}:other", "--emit=llvm-ir"]) == 0
    printed = capsys.readouterr().out
    assert cog_translate.main([f"{script}:other"]) == 0
    assert capsys.readouterr().out == printed


def test_what_is_wrong_with_a_model_in_python(script: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cog_opt.main([f"{script}:wrong"]) == 1
    assert f'{script}:15:1: error: AttributeError: cogir.library has no "logistc"; did you mean "logistic"?' in capsys.readouterr().err
    assert cog_opt.main([str(script), "--from=loops", "--emit=llvm"]) == 1
    assert capsys.readouterr().err == "error: --from: a model in Python is at stage cog; leave it out\n"
    assert cog_opt.main([f"{script}:absent"]) == 1
    assert "error: it defines no `absent`" in capsys.readouterr().err


def test_the_output_goes_to_a_file(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written = tmp_path / "out.mlir"
    assert cog_opt.main([str(model), "-o", str(written)]) == 0
    assert "cog.model @m" in written.read_text()
    assert not capsys.readouterr().out


def test_a_reader_that_goes_away_is_no_error_to_shout_about(model: Path) -> None:
    command = [sys.executable, "-m", "cogir.tools.cog_opt", str(model)]
    tool = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert tool.stdout is not None
    assert tool.stderr is not None
    # Closed long before the first word is written, which takes an import of cogir.
    tool.stdout.close()
    error = tool.stderr.read()
    tool.stderr.close()
    assert tool.wait() == 1
    assert error == b""


def test_a_text_that_ends_too_early(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "input.mlir"
    for text, place, expected in (("cog.model @m {", "1:15", ""), ("cog.model @m {\n  cog.node @a (%x: f64", "2:23", " (')' expected)")):
        path.write_text(text)
        assert cog_opt.main([str(path)]) == 1
        said = f"{path}:{place}: error: the text ends inside an operation{expected}; is a closing bracket missing?\n"
        assert capsys.readouterr().err.startswith(said)


def test_a_check_of_xdsl_that_raises_a_plain_exception(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "input.mlir"
    path.write_text(
        "func.func @f(%x: f64, %m: memref<2x2xf64>, %i: index) {\n  memref.store %x, %m[%i] : memref<2x2xf64>\n  func.return\n}\n"
    )
    assert cog_opt.main([str(path)]) == 1
    assert capsys.readouterr().err.startswith(f"{path}:2:3: error: Expected an index for each dimension\n  memref.store")


def test_passes_that_are_named_are_described(capsys: pytest.CaptureFixture[str]) -> None:
    assert cog_opt.main(["--list-passes=replicate,cog-licm"]) == 0
    out = capsys.readouterr().out
    assert "points=<bool>" in out
    assert "Before: any module with `scf.for`" in out
    assert cog_opt.main(["--list-passes=replicat"]) == 1
    assert "there is no pass 'replicat'; did you mean 'replicate'?" in capsys.readouterr().err


def test_dialects_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert cog_opt.main(["--show-dialects"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Available Dialects:\n  cog ")
    assert "memref_stream" in out


def test_the_pipeline_that_is_printed_runs(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cog_opt.main([str(model), "--emit=llvm", "--replicates", "--dump-pass-pipeline"]) == 0
    lowered, err = capsys.readouterr()
    head, pipeline = err.splitlines()
    assert re.fullmatch(r"Pass Manager with \d\d passes:", head)
    assert "replicate{enabled=true}" in pipeline
    assert cog_opt.main([str(model), "-p", pipeline]) == 0
    assert capsys.readouterr().out == lowered


@pytest.mark.parametrize("form", [[], ["--print-op-generic"], ["--print-debuginfo"]])
def test_dumps_can_be_read_again(form: list[str], model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cog_opt.main([str(model), "--emit=llvm", "--print-ir-before=bufferize", "--print-ir-after", *form]) == 0
    dumps = capsys.readouterr().err
    names = re.findall(r"^// -----// IR Dump (\w+) \w+ \(([\w-]+)\) //----- //$", dumps, re.MULTILINE)
    assert ("Before", "bufferize") in names
    assert [name for when, name in names if when == "After"] == [*FOR_TEXTS, *passes_between("cog", "llvm")]
    path = tmp_path / "dumps.mlir"
    path.write_text(dumps)
    assert cog_opt.main([str(path), "--split-input-file"]) == 0
    again = capsys.readouterr().out.split("// -----\n")
    assert len(again) == len(names)
    if form == ["--print-op-generic"]:
        assert 'cog.node"() <' in dumps


def test_dumps_of_changes_leave_out_what_a_pass_did_not_change(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cog_opt.main([str(model), "-p", "complete-schedule,cog-cse,eliminate-scheduler", "--print-ir-after-change"]) == 0
    assert re.findall(r"IR Dump After \w+ \(([\w-]+)\)", capsys.readouterr().err) == ["complete-schedule", "eliminate-scheduler"]
    assert cog_opt.main([str(model), "-p", "complete-schedule,cog-cse", "--print-ir-after=cog-cse", "--print-ir-after-change"]) == 0
    assert not capsys.readouterr().err
    assert cog_opt.main([str(model), "-p", "complete-schedule", "--print-ir-after=cog-cs"]) == 1
    assert "there is no pass 'cog-cs'; did you mean 'cog-cse'?" in capsys.readouterr().err


LOOP = """\
func.func @f(%x: f64, %n: index, %d: index) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %sum = scf.for %i = %zero to %n step %one iter_args(%s = %x) -> (f64) {
    %e = math.exp %x : f64
    %q = arith.divsi %n, %d : index
    %t = arith.addf %s, %e : f64
    scf.yield %t : f64
  }
  func.return %sum : f64
}
"""


def test_remarks_say_what_was_done_and_what_not(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "loop.mlir"
    path.write_text(LOOP)
    assert cog_opt.main([str(path), "-p", "cog-licm", "--remarks"]) == 0
    err = capsys.readouterr().err
    assert f"{path}:5:5: remark: hoisted math.exp out of scf.for [cog-licm: passed]\n    %e = math.exp %x : f64\n" in err
    assert f"{path}:6:5: remark: did not hoist arith.divsi out of scf.for: it can fail" in err
    assert cog_opt.main([str(path), "-p", "cog-licm,cog-dce", "--remarks=missed"]) == 0
    err = capsys.readouterr().err
    assert "arith.divsi" in err
    assert "math.exp" not in err
    assert cog_opt.main([str(path), "-p", "cog-licm,cog-cse", "--remarks=cog-cse"]) == 0
    assert not capsys.readouterr().err
    assert cog_opt.main([str(path), "-p", "cog-licm", "--remarks=mised"]) == 1
    assert "--remarks: 'mised' is neither a kind (passed, missed, analysis) nor a pass; did you mean 'missed'?" in capsys.readouterr().err


def test_remarks_say_why_replicates_are_not_vectorised(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    example, model = Path(__file__).parents[3] / "examples" / "ddm_integrator.mlir", tmp_path / "model.mlir"
    model.write_text(example.read_text().replace("mt19937", "philox4x64"))
    assert cog_opt.main([str(model), "--emit=machine", "--replicates", "--remarks=fill-lanes"]) == 0
    assert "not vectorised: replicates run one after the other, because draws of philox4x64 are loops" in capsys.readouterr().err


def test_statistics_of_passes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "loop.mlir"
    path.write_text(LOOP)
    assert cog_opt.main([str(path), "-p", "cog-licm,cog-dce", "--pass-statistics"]) == 0
    err = capsys.readouterr().err
    assert "... Pass statistics report ..." in err
    assert re.search(r"^cog-licm\n  \(S\) +1 operation hoisted\n  \(S\) +\d+ operations, as before$", err, re.MULTILINE)
    assert re.search(r"^cog-dce\n  \(S\) +1 operation removed\n  \(S\) +\d+ operations, -1: arith -1$", err, re.MULTILINE)
