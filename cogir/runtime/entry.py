"""
The native entry of a compiled model, called in slices.

    int32 run(pf, pi, sf, si, rng, in, n_in, out, first, count, control)

returns 0 when its trials are done (or the run has ended by its own termination), 1 when it was stopped, 2 when a node
reached its step limit. `control`: stop flag, trials done, node of a step limit, budget, step counter.

A slice ends with the trial that goes on after 20 ms, so that Python looks at signals in time; a signal within a slice sets
the stop flag (see `interrupt.py`). Then native code may stop in the middle of a trial; the context is put back to the
end of the last finished one, by taking the slice, which is never longer, again from its beginning up to there. Once a signal whose
handler returned has stopped a slice before its first trial was finished, no other such signal stops the rest of the run.

A run of so few trials that it is over in some milliseconds, if it is known how long they take (`Plan.trial_work`), is one call,
which nothing stops: watching for signals, and noting the state, would take longer than the trials.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol, cast

import numpy as np

from cogir.errors import FAILED, DeviceError, ExecutionError, counted
from cogir.interpreters.faults import fault_text, is_fault
from cogir.runtime.context import NativeContext
from cogir.runtime.interrupt import CONTROL_WORDS, DONE, EVALUATED, GIVEN_UP, NODE, SEARCHED, STOP, patiently, watched
from cogir.runtime.parallel import ALONE, NOBODY, Crew, Sharing
from cogir.runtime.plan import Floats, Words
from cogir.runtime.recording import Recording, TraceMemoryError
from cogir.runtime.results import Progress, Result, RunInterrupted, Searched

FINISHED, STOPPED, STEP_LIMIT = range(3)

SHORT = 3_000_000
"""A run of less work (`trial_work`) takes some milliseconds, and a tenth of a second where all of its numbers are subnormal."""

_Pointer = ctypes.c_void_p
_Int = ctypes.c_int64
_RUN = (_Pointer, _Pointer, _Pointer, _Pointer, _Pointer, _Pointer, _Int, _Pointer, _Int, _Int, _Pointer)
RUN_TYPE = ctypes.CFUNCTYPE(ctypes.c_int32, *_RUN)
TRACED_RUN_TYPE = ctypes.CFUNCTYPE(ctypes.c_int32, *_RUN, _Pointer)
"""Of a model with traces, which takes their memory last."""
INIT_TYPE = ctypes.CFUNCTYPE(None, _Pointer, _Pointer, _Pointer, _Pointer)


class Callback(Protocol):
    """A function that native code calls, for which `control` has a word."""

    def begin(self, control: Words) -> None:
        """Writes the address of the function into `control`, whose stop flag it sets when it fails."""
        ...

    def raise_error(self) -> None:
        """Raises the error for which it has stopped native code, if there is one."""
        ...


@dataclass
class NativeEntry:
    """The two functions of a compiled model, by address; `keep` keeps the memory that holds them."""

    run_address: int
    init_address: int
    keep: Any
    traced: bool = False
    """True if the model records traces."""
    trial_work: int = 0
    """The work of a trial, in additions; 0: it may take any time, fail, or end the run."""
    _run: Any = field(init=False)
    _init: Any = field(init=False)

    def __post_init__(self) -> None:
        """Makes the addresses callable."""
        if self.traced:
            self.trial_work = 0  # traces can fill their memory, which ends a call
        self._run = (TRACED_RUN_TYPE if self.traced else RUN_TYPE)(self.run_address)
        self._init = INIT_TYPE(self.init_address)

    def start(self, context: NativeContext) -> None:
        """Puts the state of a context to where the model begins."""
        pf, pi, sf, si, _ = context.addresses
        self._init(pf, pi, sf, si)
        context.started = True
        if context.states_set:
            context.take_states_set()

    def run(
        self,
        context: NativeContext,
        rows: Floats,
        out: Floats,
        one_by_one: bool = False,
        crew: Crew = ALONE,
        launching: Callback | None = None,
        done: int = 0,
    ) -> Progress:
        """
        Runs as many trials as `out` has rows, cycling through `rows`, and writes their outputs to `out`. `launching`: does the searches of
        trials on a GPU. `done`: the number of trials that were run before.

        Raises `RunInterrupted`, `ExecutionError` or `DeviceError`, which carry the finished trials, and leave the context at the end of the
        last one.
        """
        if not context.started:
            self.start(context)
        if self.is_short(len(out)) and not one_by_one and launching is None and not done:
            return self._at_once(context, rows, out)
        control = np.zeros(CONTROL_WORDS, np.int64)
        context.searched = Searched()
        progress = context.progress = Progress(done)
        try:
            with watched(control), crew.team() if context.plan.shares else NOBODY as team:
                sharing = Sharing(team, control) if team.helpers else None
                self._slices(context, rows, out, control, progress, one_by_one, sharing, launching)
        except KeyboardInterrupt:
            raise interrupted(context, out) from None
        except DeviceError as error:
            error.result = Result(context.plan, out[: progress.done], "failed", context.signals())
            raise
        except TraceMemoryError as error:
            error.result = Result(context.plan, out[: progress.done], "trace memory", context.signals())
            raise
        return progress

    def is_short(self, trials: int) -> bool:
        """True if so many trials are over before anybody would want to stop them."""
        return 0 < trials * self.trial_work < SHORT

    def _at_once(self, context: NativeContext, rows: Floats, out: Floats) -> Progress:
        """Runs the trials of a short run, at whose end Ctrl-C takes effect."""
        control, progress, is_cleared = context.control, Progress(), False
        context.progress = progress
        context.runs_at_once()
        try:
            control.fill(0)
            is_cleared = True
            self._run(*context.addresses, address_of(rows), len(rows), address_of(out), 0, len(out), context.control_address)
            progress.done = int(control[DONE])
        except KeyboardInterrupt:
            progress.done = int(control[DONE]) if is_cleared else 0
            raise interrupted(context, out) from None
        return progress

    def _slices(
        self,
        context: NativeContext,
        rows: Floats,
        out: Floats,
        control: Words,
        progress: Progress,
        one_by_one: bool,
        sharing: Callback | None,
        launching: Callback | None,
    ) -> None:
        buffers = context.addresses
        rows_at, out_at, control_at = map(address_of, (rows, out, control))
        total, row_bytes, n_in = len(out), out.strides[0], len(rows)
        callbacks = [callback for callback in (sharing, launching) if callback is not None]
        stopped = False
        recording = context.recording or Recording(context.plan.traces) if self.traced else None
        memory = None if recording is None else recording.memory()
        while progress.done < total and not progress.ended:
            count = 1 if one_by_one else total - progress.done
            first = progress.done
            context.note()
            control[:] = 0
            for callback in callbacks:
                callback.begin(control)
            settled = is_full = False
            done, node = 0, -1
            given = () if memory is None else (memory.address,)
            arguments = (*buffers, rows_at, n_in, out_at + first * row_bytes, first)

            def replay(trials: int, by_launches: bool = True) -> None:
                context.put_back()
                replay_control = np.zeros_like(control)
                if launching is not None and by_launches:
                    launching.begin(replay_control)
                if memory is not None:
                    memory.begin()
                if trials:
                    self._run(*arguments, trials, replay_control.ctypes.data, *given)
                    if replay_control[STOP]:  # the GPU has failed
                        replay(trials, by_launches=False)

            try:
                if stopped:
                    status = patiently(control, partial(self._run, *arguments, count, control_at, *given))
                else:
                    status = self._run(*arguments, count, control_at, *given)
                done = int(control[DONE])
                if status == FINISHED or (status == STOPPED and not control[STOP]):
                    progress.ended = status == FINISHED and done < count
                    progress.done, settled = first + done, True
            finally:
                if not settled:
                    done, node = int(control[DONE]), int(control[NODE])
                    progress.done = first + done
                    is_full = memory is not None and memory.is_full
                    replay(done)
                if recording is not None and memory is not None:
                    kept = min(done, recording.fitting(memory.lengths(done)))
                    if kept < done:
                        progress.done, progress.ended = first + kept, False
                        replay(kept)
                    recording.add(first, memory.part(kept))
                    memory.begin()
            if recording is not None and memory is not None:
                fits = progress.done == first + done and (done or not is_full or recording.enlarge(memory))
                if not fits:
                    raise recording.full("run", f"in trial {progress.done}")
            if control[SEARCHED] or control[GIVEN_UP]:
                context.searched.add(*map(int, control[SEARCHED : EVALUATED + 1]))
            for callback in callbacks:
                callback.raise_error()
            if status == STEP_LIMIT:
                raise step_limit_error(context, out, progress.done, node)
            stopped = stopped or (progress.done == first and not is_full)
            context.meter.update(progress.done)


_address, _first_byte = ctypes.addressof, cast("Callable[[object], ctypes.c_char]", ctypes.c_char.from_buffer)


def address_of(array: Floats | Words) -> int:
    """The address of the numbers of a contiguous array: `array.ctypes.data`, in a third of the time where they can be written."""
    try:
        return _address(_first_byte(array))
    except (TypeError, ValueError):  # they are read-only, or there are none
        return array.ctypes.data


def interrupted(context: NativeContext, out: Floats) -> RunInterrupted:
    """The error for Ctrl-C during a run, with the trials that are done."""
    done = context.progress.done
    result = Result(context.plan, out[:done], "interrupted", context.signals())
    return RunInterrupted(f"run: interrupted after {done:,} of {counted(len(out), 'trial')}", result)


def step_limit_error(context: NativeContext, out: Floats, done: int, node: int) -> ExecutionError:
    """The error for a node (by its index in the plan) that reached its limit of steps in trial `done`."""
    error = ExecutionError(limit_message(context, "run", f"trial {done}", node))
    error.result = Result(context.plan, out[:done], stopped_by(error), context.signals())
    return error


def stopped_by(error: ExecutionError) -> str:
    """The word for what stopped a run, in its result."""
    return "failed" if '" failed' in str(error) else "step limit"


def failure_message(what: str, where: str, failure: str) -> str:
    """The message for a failure, which is the name of a node, `FAILED`, and why."""
    failed, _, why = failure.partition(FAILED)
    return f'{what}: node "{failed}" failed in {where}: {why}'


def limit_message(context: NativeContext, what: str, where: str, node: int) -> str:
    """The message for a node (by its index in the plan) that failed, or reached its limit of steps."""
    plan = context.plan
    if is_fault(node + 1):
        return failure_message(what, where, fault_text(node + 1, plan.nodes, plan.checks))
    name = plan.nodes[node] if 0 <= node < len(plan.nodes) else "schedule"
    if FAILED in name:
        return failure_message(what, where, name)
    prefix, slash, last = name.rpartition("/")
    is_schedule = last.startswith("schedule")
    waits = plan.ends.get(f"{prefix}{slash}", "") if is_schedule else ""
    who = f"the {name}" if is_schedule else f'node "{name}"'
    limit = "limit:passes" if is_schedule else f"{name}/limit:executions"
    present = f', params["{limit}"], now {context.params[limit]}' if limit in plan.slots else ""
    return (
        f"{what}: {who} reached its step limit in {where} before it finished{f' ({waits})' if waits else ''}; "
        f"check its termination condition (NaN reaches no threshold), or raise the limit{present}"
    )
