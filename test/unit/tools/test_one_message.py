"""Whatever a file holds, and wherever the output goes: an answer, or one message and exit code 1."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

import cogir
from cogir.errors import ExecutionError, ModelError
from cogir.tools import cog_opt, cog_run, cog_translate

pytestmark = pytest.mark.sampled(2)

TEXT = """cog.model @m {
  cog.node @a (%v: tensor<2xf64>) -> (value: f64 = 0.0) {
    %c = arith.constant 1 : index
    %x = tensor.extract %v[%c] : tensor<2xf64>
    cog.yield %x
  }
  cog.input @a
  cog.output @a
}
"""
TOOLS = (cog_run, cog_opt, cog_translate)
DEEP = 3000

ACCEPTED = {
    "a byte-order mark": b"\xef\xbb\xbf" + TEXT.encode(),
    "lines that end as on Windows": TEXT.replace("\n", "\r\n").encode(),
}
REFUSED = {
    "nothing": (b"", "1:1: error: expected an operation"),
    "comments": (b"// hello\n\n", "error: expected an operation"),
    "a NUL in a name": (TEXT.replace("@a", "@a\0", 1).encode(), "2:14: error: Unexpected character"),
    "a NUL at the end": (TEXT.encode() + b"\0", "10:1: error: Unexpected character"),
    "bytes that are no text": (b"\xff\xfe" + TEXT.encode(), "error: the file is not valid UTF-8: byte 0 is invalid"),
    "UTF-16": (TEXT.encode("utf-16"), "error: the file is not valid UTF-8"),
    "the same model twice": (2 * TEXT.encode(), "10:1: error: the module has two operations called @m"),
    "10**12 elements": (TEXT.replace("<2xf64>", "<1000000000000xf64>").encode(), "2:20: error: an array has 1000000000000 elements"),
    "an extent of 5,000 digits": (TEXT.replace("<2x", f"<{'9' * 5000}x").encode(), "2:27: error: a number has 5000 characters"),
    "an integer of 5,000 digits": (TEXT.replace("t 1 ", f"t {'9' * 5000} ").encode(), "3:25: error: a number has 5000 characters"),
    "5,000 digits of base 16": (TEXT.replace("constant 1 ", f"constant 0x{'f' * 5000} ").encode(), "a number has 5002 characters"),
    "deep nesting": (
        TEXT.replace("    cog.yield", "%t = arith.constant true\n" + DEEP * "scf.if %t {\n" + DEEP * "}\n" + "cog.yield").encode(),
        "error: the input is nested too deeply",
    ),
    "a label in the module": (
        b"builtin.module {\n" + TEXT.encode() + b"^bb0(%x: f64):\nrng.stream @s philox4x64 seed 0\n}\n",
        "12:1: error: the body of builtin.module has 2 blocks; only functions may have several; remove the label",
    ),
    "an empty module": (b'"builtin.module"() ({}) : () -> ()', "1:1: error: the body of builtin.module is empty; write its operations"),
    "a label in a model": (TEXT.replace("  cog.input", "^bb1:\n  cog.input").encode(), "8:3: error: the body of cog.model has 2 blocks"),
    "a label in a node": (TEXT.replace("    cog.yield", "^bb1:\n    cog.yield").encode(), "6:5: error: the body of cog.node has 2 blocks"),
    "a label in a choice": (
        TEXT.replace("    cog.yield", "%t = arith.constant true\nscf.if %t {\nscf.yield\n^bb1:\nscf.yield\n}\n    cog.yield").encode(),
        "9:1: error: the body of scf.if has 2 blocks; only functions may have several",
    ),
    "deep attributes": (b"func.func @f() attributes {a = " + DEEP * b"[" + DEEP * b"]" + b"} {\n func.return\n}\n", "nested too deeply"),
}


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.__name__)
@pytest.mark.parametrize("what", ACCEPTED)
def test_texts_as_editors_write_them_are_read(what: str, tool, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "model.mlir"
    path.write_bytes(ACCEPTED[what])
    assert tool.main([str(path)]) == 0
    printed = capsys.readouterr()
    assert printed.out
    assert not any("error" in line for line in printed.err.splitlines())


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.__name__)
@pytest.mark.parametrize("what", REFUSED)
def test_a_strange_file_is_one_message(what: str, tool, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "model.mlir"
    content, message = REFUSED[what]
    path.write_bytes(content)
    assert tool.main([str(path)]) == 1
    printed = capsys.readouterr()
    assert message in printed.err
    assert printed.err.count("error:") == 1
    assert printed.err.count("\n") in (1, 3)  # the message, and the line and a caret if the place has one
    assert all(character.isprintable() or character in "\t\n" for character in printed.err)
    assert not printed.out


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.__name__)
def test_a_folder_is_no_file(tool, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "model.mlir"
    folder.mkdir()
    assert tool.main([str(folder)]) == 1
    assert "the file cannot be read: Is a directory" in capsys.readouterr().err


@pytest.mark.parametrize("text", [content.decode("utf-8", "surrogateescape") for content, _ in REFUSED.values()], ids=REFUSED)
def test_cogir_compile_says_the_same_as_a_model_error(text: str) -> None:
    with pytest.raises(ModelError):
        cogir.compile(text)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.__name__)
@pytest.mark.parametrize("closed", ["stdin", "stdout", "reader", "disk"])
def test_streams_that_are_closed_or_full_are_one_message(closed: str, tool, tmp_path: Path) -> None:
    path = tmp_path / "model.mlir"
    path.write_text(TEXT)
    command = [sys.executable, "-m", tool.__name__, *([] if closed == "stdin" else [str(path)])]
    reader, writer = os.pipe()
    os.close(reader)
    out = {"reader": writer, "disk": os.open("/dev/full", os.O_WRONLY)}.get(closed, subprocess.DEVNULL)
    shut = {"stdin": lambda: os.close(0), "stdout": lambda: os.close(1)}.get(closed)
    done = subprocess.run(command, stdout=out, stderr=subprocess.PIPE, text=True, preexec_fn=shut, check=False)
    quiet = "give --quiet, and --save FILE to keep the results" if tool is cog_run else "give -o FILE"
    messages = {
        "stdin": "error: the standard input is closed; give a file",
        "stdout": f"error: the standard output is closed; {quiet}",
        "reader": "",
        "disk": "error: the output cannot be written: No space left on device",
    }
    assert done.returncode == 1
    said = "".join(line for line in done.stderr.splitlines() if "so all inputs are zeros" not in line)
    assert said == messages[closed]


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (FileNotFoundError(errno.ENOENT, "No such file or directory", "a.npz"), "a.npz: error: the file cannot be used: No such file or"),
        (OSError(errno.EMFILE, "Too many open files"), "error: the operating system reports: Too many open files"),
        (OSError(errno.ENOSPC, "No space left on device"), "error: the output cannot be written: No space left on device"),
    ],
)
def test_an_error_of_the_system_names_its_cause(error: OSError, message: str) -> None:
    """In a process of its own, as the standard output is closed after it."""
    script = f"""
import errno
from cogir.tools.common import run_tool
def main():
    raise OSError({error.errno}, {error.strerror!r}, {error.filename!r})
raise SystemExit(run_tool(main))"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith(message)


def test_an_operation_without_meaning_is_an_execution_error_of_mode_python() -> None:
    text = TEXT.replace("cog.yield %x", "%i = arith.fptosi %x : f64 to i64\n%p = math.ipowi %i, %i : i64\ncog.yield %x")
    compiled = cogir.compile(text, mode="python")
    with pytest.raises(ExecutionError, match=r"run: interpreter: <model>:6: math.ipowi cannot be interpreted"):
        compiled.run({"a": [[1.0, 2.0]]})
