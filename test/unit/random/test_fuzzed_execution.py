"""A short run of `test/fuzz/fuzz_execution.py`, and that it sees what ends a process, a traceback, a call and a hang."""

# pyright: basic
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

FUZZ = Path(__file__).parents[2] / "fuzz"


@pytest.fixture(scope="module")
def fuzz():
    sys.path.insert(0, str(FUZZ))
    try:
        import fuzz_execution

        yield fuzz_execution
    finally:
        sys.path.remove(str(FUZZ))


def test_mutated_texts_run_without_a_defect(tmp_path: Path) -> None:
    command = [sys.executable, str(FUZZ / "fuzz_execution.py"), "--minutes", "5", "--count", "2", "--seed", "7", "--keep", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": str(FUZZ.parents[1])})
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 texts in" in done.stdout
    assert "0 crash, 0 traceback, 0 call, 0 hang" in done.stdout


def test_a_process_that_ends_is_a_crash(fuzz, tmp_path: Path) -> None:
    worker = fuzz.Worker(tmp_path, 0)
    worker.start("", ["run"], 0)
    os.kill(worker.process.pid, signal.SIGSEGV)
    answer = None
    while answer is None:
        answer = worker.poll()
        time.sleep(0.01)
    assert answer[0] == "crash"
    assert answer[1].startswith("SIGSEGV")


def test_exceptions_and_strange_errors_of_tools_are_tracebacks(fuzz, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert fuzz.judged(0, "")[0] == "answer"
    assert fuzz.judged(1, "model.mlir:1:1: error: something\n")[0] == "refused"
    assert fuzz.judged(1, "")[0] == "traceback"
    assert fuzz.judged(1, "error: one\nerror: two\n")[0] == "traceback"
    assert fuzz.judged(70, "error: internal\n")[0] == "traceback"
    monkeypatch.setattr(fuzz, "ran", lambda *_: [][1])
    path = tmp_path / "model.mlir"
    path.write_text("")
    assert fuzz.outcome(path, ["compile", "run"], 0)[0] == "traceback"


def test_started_processes_are_calls(fuzz) -> None:
    fuzz.OUTSIDE.clear()
    fuzz.watch_process("os.system", ("touch",))
    fuzz.watch_process("ctypes.dlopen", (None,))
    assert len(fuzz.OUTSIDE) == 1
    fuzz.OUTSIDE.clear()
