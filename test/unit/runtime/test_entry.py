"""The native entry: slices, contexts, interrupts, step limits; on a module written by hand at stage `loops`."""

import json
import os
import pickle
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from support import hand_written

from cogir.errors import ExecutionError, InputError
from cogir.runtime.entry import address_of


@pytest.fixture(scope="module")
def native():
    return hand_written.compiled


def test_trials_cycle_through_the_inputs_and_go_on_from_run_to_run(native):
    c = native()
    assert c.run({"adder": [[1.0], [2.0]]}, num_trials=5)["adder"].ravel().tolist() == [2.0, 6.0, 8.0, 12.0, 14.0]
    assert c.run({"adder": [[1.0]]}).results == [[np.array([16.0])]]
    assert c.state["clock:run"] == 2


def test_exec_mode_gives_the_same_as_run_mode(native):
    rows = np.linspace(0.0, 1.0, 5).reshape(5, 1)
    assert np.array_equal(native(one_by_one=True).run(rows)["adder"], native().run(rows)["adder"])


def test_contexts_are_independent_and_parameters_need_no_compilation(native):
    c = native()
    c.run([1.0])
    c.params["adder/gain"] = 10.0
    assert c.run([1.0], context="other")["adder"].item() == 10.0
    assert c.run([1.0])["adder"].item() == 12.0
    c.context("other").params["adder/gain"] = 0.0
    assert c.run([1.0], context="other")["adder"].item() == 10.0
    assert c.params["adder/gain"] == 10.0


def test_reset_goes_back_to_the_start_values_but_keeps_parameters(native):
    c = native()
    c.params["adder/initial:state:total"] = 100.0
    assert c.run([1.0])["adder"].item() == 102.0
    c.reset()
    assert c.state["adder/total"] == 100.0
    c.state["adder/total"] = 7.0
    assert c.run([1.0])["adder"].item() == 9.0


def test_generators_are_read_and_set_as_numpy_generators(native):
    c = native()
    assert c.generators["adder"].random() == np.random.Generator(np.random.Philox([5])).random()
    other = np.random.Generator(np.random.Philox([77]))
    other.random()
    c.generators["adder"] = other
    assert c.generators["adder"].random() == other.random()
    with pytest.raises(InputError, match="the generator is of kind philox4x64, but the given state is one of mt19937"):
        c.generators["adder"] = np.random.RandomState(1)


def test_a_pickled_context_goes_on_where_it_was(native):
    c = native()
    c.run([1.0, 2.0])
    copy = pickle.loads(pickle.dumps(c.context()))
    assert c.run([1.0], context=copy)["adder"].item() == c.run([1.0])["adder"].item() == 8.0


def test_a_run_ends_by_its_own_termination(native):
    result = native().run([1.0], num_trials=20)
    assert (result.num_trials, result.status) == (7, "ended")


def test_a_step_limit_names_the_node_and_keeps_the_finished_trials(native):
    c = native()
    with pytest.raises(ExecutionError, match=r'node "adder" reached its step limit in trial 2') as caught:
        c.run([1.0, 2.0, 5000.0])
    assert caught.value.result["adder"].ravel().tolist() == [2.0, 6.0]
    assert c.state["adder/total"] == 6.0


def test_a_context_of_another_model_is_refused(native):
    c, other = native(), native()
    context = other.context("x")
    context.plan = type(context.plan).from_json(context.plan.to_json().replace("adder/state:total", "adder/state:sum"))
    with pytest.raises(InputError, match='context "x" belongs to another model'):
        c.run([1.0], context=context)


INTERRUPTED = """
import importlib.util, json, os, signal, sys, threading, time
spec = importlib.util.spec_from_file_location("hand_written", {path!r})
hand_written = importlib.util.module_from_spec(spec)
spec.loader.exec_module(hand_written)
c = hand_written.compiled()
c.run([1.0])
print("ready", flush=True)
try:
    c.run({rows}, num_trials=6)
except KeyboardInterrupt as stop:
    print(json.dumps([stop.result["adder"].ravel().tolist(), c.state["adder/total"], c.run([1.0])["adder"].item()]), flush=True)
"""


def test_ctrl_c_leaves_a_loop_that_never_ends_and_keeps_the_finished_trials():
    code = INTERRUPTED.format(path=hand_written.__file__, rows=[1.0, 2.0, -1.0])
    for _ in range(5):  # The quickest of five: another process may have the processor for a while.
        answer, waited = interrupted(code)
        if waited < 0.1:
            break
    assert json.loads(answer) == [[4.0, 8.0], 8.0, 10.0]
    assert waited < 0.1


def interrupted(code: str) -> tuple[str, float]:
    """What a process says that is sent SIGINT, and after how many seconds."""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.3)
        sent = time.perf_counter()
        process.send_signal(signal.SIGINT)
        answer = process.stdout.readline()
        waited = time.perf_counter() - sent
        assert process.wait(timeout=10) == 0
    return answer, waited


def test_a_handler_that_does_not_raise_lets_the_run_go_on(native):
    c = native()
    seen: list[int] = []

    def handler(number: int, frame: object) -> None:
        seen.append(number)
        c.state["adder/total"]

    old = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(KeyboardInterrupt):
            _hang_and_interrupt(c)
    finally:
        signal.signal(signal.SIGALRM, old)
    assert seen == [signal.SIGALRM]


def _hang_and_interrupt(c) -> None:
    """Hangs in native code; the alarm comes first and changes nothing, then another process sends SIGINT."""
    sender = f"import os, time; time.sleep(0.4); os.kill({os.getpid()}, {int(signal.SIGINT)})"
    with subprocess.Popen([sys.executable, "-c", sender]):
        c.run([-1.0])


def test_addresses_of_arrays_that_cannot_be_written() -> None:
    array = np.arange(6.0).reshape(2, 3)
    fixed = array[1:].copy()
    fixed.flags.writeable = False
    for each in (array, array[1:], fixed, np.empty((0, 3)), np.zeros(16, np.int64)):
        assert address_of(each) == each.ctypes.data
