"""How many threads a call uses if nobody says, and that they are gone when it is over."""

import _thread
import multiprocessing
import os
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import cogir
from cogir import library
from cogir.runtime import threads
from cogir.runtime.parallel import Crew, Team, do
from cogir.runtime.threads import available_threads, control_groups, quota_in


@pytest.fixture(autouse=True)
def a_machine_with_eight_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)), raising=False)
    monkeypatch.setattr(threads, "granted_by_control_group", lambda: 1024)
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)
    monkeypatch.delenv("COGIR_NUM_THREADS", raising=False)


def test_the_smallest_limit_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    assert available_threads() == 8
    monkeypatch.setenv("COGIR_NUM_THREADS", "5")
    assert available_threads() == 5
    monkeypatch.setattr(threads, "granted_by_control_group", lambda: 3)
    assert available_threads() == 3
    assert Crew(limit=lambda: 2).team().helpers == 1
    assert Crew().team().helpers == 2
    assert Crew(threads=7).team().helpers == 6


@pytest.mark.parametrize("text", ["0", "-1", "x", "1.5", "100000"])
def test_what_is_no_number_of_threads(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("COGIR_NUM_THREADS", text)
    with pytest.raises(cogir.InputError, match=f"COGIR_NUM_THREADS is '{text}'; set it to a whole number from 1 to 1024, or unset it"):
        available_threads()


def test_one_thread_in_others_and_in_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    with ThreadPoolExecutor(1) as executor:
        assert executor.submit(available_threads).result() == 1
    monkeypatch.setenv("PYTEST_XDIST_WORKER", "gw0")
    assert available_threads() == 1
    monkeypatch.delenv("PYTEST_XDIST_WORKER")
    monkeypatch.setattr(multiprocessing.process, "parent_process", lambda: object())
    assert available_threads() == 1


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"cpu.max": "max 100000"}, None),
        ({"cpu.max": "150000 100000"}, 1.5),
        ({"cpu.cfs_quota_us": "-1", "cpu.cfs_period_us": "100000"}, None),
        ({"cpu.cfs_quota_us": "400000", "cpu.cfs_period_us": "100000"}, 4.0),
        ({"cpu.max": "nonsense"}, None),
        ({}, None),
    ],
)
def test_quotas_of_control_groups(tmp_path: Path, files: dict[str, str], expected: float | None) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text + "\n")
    assert quota_in(tmp_path) == expected


def test_control_groups_of_both_versions(tmp_path: Path) -> None:
    listed = tmp_path / "cgroup"
    listed.write_text("9:memory:/a\n1:cpu,cpuacct:/job/step\n0::/user\n")
    found = list(control_groups(tmp_path, listed))
    assert found == [tmp_path / "cpu,cpuacct" / name for name in ("job/step", "job", "")] + [tmp_path / "user", tmp_path]
    assert list(control_groups(tmp_path, tmp_path / "nothing")) == []


def decision() -> cogir.Compiled:
    model = cogir.Model("decision")
    given: dict[str, Any] = {"noise": 1.0, "threshold": 1.0, "time_step_size": 0.01, "max_executions_before_finished": 10_000}
    model.node("decision", library.drift_diffusion_integrator, input=1, execute_until_finished=True, reset_each_trial=True, **given)
    return model.compile()


def test_long_work_gets_threads_which_end_with_the_call(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = decision()
    asked: list[str] = []
    submit = Team.submit

    def counted(team: Team, work: Any, helpers: list[Any]) -> None:
        asked.append("helper")
        submit(team, work, helpers)

    monkeypatch.setattr(Team, "submit", counted)
    compiled.replicates({"decision": [[1.0]]}, count=10)
    assert not asked
    before = _thread._count()
    compiled.replicates({"decision": [[1.0]]}, count=300_000)
    assert len(asked) == 7
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("cogir_")]
    until = time.monotonic() + 10.0
    while _thread._count() > before and time.monotonic() < until:  # their work has ended, and then they do
        time.sleep(0.01)
    assert _thread._count() <= before


def one_of_helper() -> int:
    time.sleep(0.05)
    return threading.get_ident()


def test_helpers_are_threads_first_and_then_a_pool() -> None:
    def fail() -> int:
        raise ValueError("of a helper")

    found: list[Future[int]] = []
    begun = threading.Event()
    with Crew(threads=3).team() as team:
        for work in (one_of_helper, fail, one_of_helper, one_of_helper):
            team.submit(work, found)
        assert isinstance(found[1].exception(), ValueError)
        assert len({found[0].result(), found[2].result(), found[3].result(), threading.get_ident()}) == 4
        pooled = [thread.ident for thread in threading.enumerate() if thread.name.startswith("cogir_")]
        assert sorted(pooled) == sorted([found[2].result(), found[3].result()])
    with Crew(threads=2).team() as team:
        waiting: list[Future[bool]] = []
        team.submit(lambda: begun.wait(60), waiting)
        threading.Timer(0.05, begun.set).start()
    assert waiting[0].done(), "the team waits for its helpers"
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("cogir_")]


def test_whoever_is_interrupted_while_a_helper_begins_knows_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    start = _thread.start_new_thread

    def interrupted(*given: Any) -> None:
        start(*given)
        raise KeyboardInterrupt

    monkeypatch.setattr(_thread, "start_new_thread", interrupted)
    found: list[Future[int]] = []
    with pytest.raises(KeyboardInterrupt), Crew(threads=2).team() as team:
        team.submit(one_of_helper, found)
    assert found[0].done()


def test_a_thread_that_cannot_be_started_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(_thread, "start_new_thread", fail)
    with pytest.raises(RuntimeError, match="can't start"), Crew(threads=2).team() as team:
        team.submit(one_of_helper, [])


def test_work_that_is_cancelled_is_not_done() -> None:
    future: Future[None] = Future()
    future.cancel()
    do(future, lambda: pytest.fail("it was cancelled"))
    assert future.cancelled()


def in_child(compiled: cogir.Compiled) -> int:
    """The sum of some steps, in a forked process."""
    return round(100 * compiled.replicates({"decision": [[1.0]]}, count=1000, seed=1)["decision", "time"].sum())


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="this system does not fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_process_is_forked_after_a_call_with_threads() -> None:
    compiled = decision()
    expected = in_child(compiled)
    compiled.replicates({"decision": [[1.0]]}, count=300_000)
    queue: Any = multiprocessing.get_context("fork").Queue()
    child = multiprocessing.get_context("fork").Process(target=lambda: queue.put(in_child(compiled)))
    child.start()
    assert queue.get(timeout=60) == expected
    child.join(60)
    assert child.exitcode == 0
