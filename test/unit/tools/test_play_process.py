"""The processes of the playground: limits of time and memory, defects, and newer texts that replace older ones."""

import os
import signal
import threading
import time
from collections.abc import Iterator

import pytest

from cogir.tools.levels import LevelAnswer, LevelRequest
from cogir.tools.play_process import CONTEXT, STARTUP_SECONDS, LoweringJob, LoweringLimits, LoweringQueue

FUNCTION = """\
func.func @f{0}(%x: f64) -> f64 {{
  %y = math.exp %x : f64
  func.return %y : f64
}}
"""
QUICK = LevelRequest(FUNCTION.format(0), "text")
SLOW = LevelRequest("".join(map(FUNCTION.format, range(3000))), "asm")
"""A text that takes many seconds."""


@pytest.fixture
def queue() -> Iterator[LoweringQueue]:
    made = LoweringQueue(LoweringLimits(seconds=120.0))
    yield made
    made.stop()


def message_of(found: LevelAnswer | None) -> str:
    assert found is not None
    (error,) = found.errors
    return error["message"]


def asked(queue: LoweringQueue, request: LevelRequest, page: str, answers: dict[str, LevelAnswer | None], name: str) -> threading.Thread:
    """A thread that asks; its answer is put into `answers`."""
    thread = threading.Thread(target=lambda: answers.update({name: queue.ask(request, page)}))
    thread.start()
    return thread


def process_of(queue: LoweringQueue) -> int | None:
    """The number of the process that lowers a text."""
    return queue._running._process.pid if queue._running is not None and queue._running._process is not None else None


def wait_until(holds: object) -> None:
    end = time.monotonic() + 60.0
    while not holds():  # type: ignore[operator]
        assert time.monotonic() < end
        time.sleep(0.005)


def test_a_text_that_takes_too_long_is_stopped_and_the_next_one_is_answered() -> None:
    queue = LoweringQueue(LoweringLimits(seconds=0.01))
    assert message_of(queue.ask(SLOW, "a")) == "lowering took more than 0.01 seconds and was stopped; make the model smaller"
    queue.limits = LoweringLimits(seconds=120.0)
    found = queue.ask(QUICK, "a")
    assert found is not None
    assert "math.exp" in found.text


def test_a_process_that_does_not_start(monkeypatch: pytest.MonkeyPatch) -> None:
    reader, writer = CONTEXT.Pipe(duplex=False)  # nothing is written: no process of this machine is too fast for the test
    monkeypatch.setattr(LoweringJob, "start", lambda job, limits: reader)
    monkeypatch.setattr("cogir.tools.play_process.STARTUP_SECONDS", 0.05)
    with writer:
        found = LoweringQueue(LoweringLimits()).ask(QUICK, "a")
    assert message_of(found) == "the compiler did not start within 0.05 seconds; is the machine overloaded?"


class LateConnection:
    """The connection of a process that starts, then answers; `waited` holds how long it would have been waited for."""

    def __init__(self, answer: LevelAnswer):
        self.messages: list[object] = ["started", answer]
        self.waited: list[float] = []

    def poll(self, seconds: float) -> bool:
        self.waited.append(seconds)
        return True

    def recv(self) -> object:
        return self.messages.pop(0)

    def close(self) -> None:
        pass


def test_the_start_of_the_process_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    connection = LateConnection(LevelAnswer(text="the answer"))
    monkeypatch.setattr(LoweringJob, "start", lambda job, limits: connection)
    assert LoweringQueue(LoweringLimits(seconds=0.01)).ask(QUICK, "a") == LevelAnswer(text="the answer")
    assert connection.waited == [STARTUP_SECONDS, 0.01]


def test_a_text_that_needs_too_much_memory() -> None:
    queue = LoweringQueue(LoweringLimits(bytes=1 << 20))
    assert "memory" in message_of(queue.ask(SLOW, "a"))


def test_a_newer_text_of_a_page_cancels_the_running_and_the_waiting_one(queue: LoweringQueue) -> None:
    answers: dict[str, LevelAnswer | None] = {}
    threads = [asked(queue, SLOW, "a", answers, "running")]
    wait_until(lambda: process_of(queue) is not None)
    threads.append(asked(queue, SLOW, "b", answers, "waiting"))
    wait_until(lambda: "b" in queue._newest)
    threads += [asked(queue, QUICK, "b", answers, "newer of b"), asked(queue, QUICK, "a", answers, "newer of a")]
    for thread in threads:
        thread.join(timeout=60.0)
    assert {name for name, found in answers.items() if found is None} == {"waiting", "running"}
    assert {name for name, found in answers.items() if found is not None and "math.exp" in found.text} == {"newer of a", "newer of b"}
    assert not queue._newest
    assert queue._running is None


def test_a_process_that_ends_by_itself(queue: LoweringQueue) -> None:
    answers: dict[str, LevelAnswer | None] = {}
    thread = asked(queue, SLOW, "a", answers, "killed")
    wait_until(lambda: process_of(queue) is not None)
    os.kill(process_of(queue), signal.SIGKILL)  # type: ignore[arg-type]
    thread.join(timeout=60.0)
    assert message_of(answers["killed"]).startswith("the compiler ended unexpectedly")
