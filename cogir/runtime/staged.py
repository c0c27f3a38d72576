"""
A model run by the interpreter at a stage below `cog`: to see that every stage gives the same answer.

    machine   `@init` and `@trial` on values
    loops     `@init` and `@run` on memory, as native code has them
    cf        the same, with branches for loops
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import RLock
from typing import Any

import numpy as np

from cogir.errors import ExecutionError, ModelError, counted
from cogir.interpreters.func import function
from cogir.interpreters.levels import make_engine
from cogir.interpreters.traces import Recorder
from cogir.lowering.insert_checks import checks_of
from cogir.lowering.pipeline import lower_to
from cogir.runtime.build import compilable
from cogir.runtime.context import Context, NativeContext
from cogir.runtime.entry import FINISHED, STEP_LIMIT, step_limit_error
from cogir.runtime.flags import FLAGS
from cogir.runtime.interpreted import interpretation, keep_trial
from cogir.runtime.interrupt import CONTROL_WORDS, DONE, NODE
from cogir.runtime.modes import INTERPRETED
from cogir.runtime.options import Source
from cogir.runtime.plan import Floats, Plan, plan_of
from cogir.runtime.recorded import recorded
from cogir.runtime.recording import TraceMemory
from cogir.runtime.replicates import Job, run_one_by_one
from cogir.runtime.results import Progress, Result, RunInterrupted
from cogir.runtime.sweeps.job import OneByOne, SweepEngine, SweepJob

RUN_IS_OVER = -1
"""The status of a trial that did not happen because the run's own termination holds."""


class StagedEngine:
    """Runs a lowered module by interpreting it."""

    STAGES = INTERPRETED

    def __init__(self, source: Source, stage: str, math: str = "portable", without: Sequence[str] = (), checked: bool = False):
        if stage not in self.STAGES:
            raise ModelError(f'stage "{stage}" cannot be run; these can: {", ".join(("cog", *self.STAGES))}')
        model = recorded(compilable(source))
        lower_to(
            model.module,
            "machine",
            without=without,
            options={"convert-cog-to-machine": {"flags": FLAGS}, "insert-checks": {"enabled": checked}},
        )
        self.plan: Plan = plan_of(model.module, model.shown, model.controllers)
        self.plan.checks = checks_of(model.module)
        self.plan.ends, self.plan.ranges = model.ends, model.ranges
        lower_to(model.module, stage, since="machine", without=without, options={"expand-math": {"math": math}})
        engine = make_engine(model.module, math)
        self.recorder = engine.recorder = Recorder([(trace.path, trace.every) for trace in self.plan.traces]) if self.plan.traces else None
        self._init = function(engine.symbol("init"), engine)
        self._step = function(engine.symbol("trial" if stage == "machine" else "run"), engine)
        self._lock = RLock()
        """Contexts that run in several threads share one interpreter."""
        self._trial = self._value_trial if stage == "machine" else self._memory_trial

    def new_context(self, name: str | None, parent: Context | None) -> Context:
        """A new context, with the parameters of `parent` if there is one."""
        context = NativeContext(self.plan, name, parent if isinstance(parent, NativeContext) else None)
        context.start = self.start
        return context

    def start(self, context: NativeContext) -> None:
        """Puts the state of a context to where the model begins."""
        with self._lock, interpretation():
            if self._trial == self._value_trial:
                context.sf[:], context.si[:] = self._init(context.pf, context.pi)
            else:
                self._init(context.pf, context.pi, context.sf, context.si)
        context.started = True
        context.take_states_set()

    def run(self, context: Context, rows: Floats, out: Floats) -> Progress:
        """Runs as many trials as `out` has rows, cycling through `rows`."""
        assert isinstance(context, NativeContext)
        if not context.started:
            self.start(context)
        progress = context.progress = Progress()
        try:
            while progress.done < len(out) and not progress.ended:
                with self._lock, interpretation():
                    self._trial(context, rows, out, progress)
        except KeyboardInterrupt:
            result = Result(self.plan, out[: progress.done], "interrupted", context.signals())
            raise RunInterrupted(f"run: interrupted after {progress.done:,} of {counted(len(out), 'trial')}", result) from None
        finally:
            context.end_run()
        return progress

    def _value_trial(self, context: NativeContext, rows: Floats, out: Floats, progress: Progress) -> None:
        slots = [self.plan.slots[path].words for path in self.plan.generators]
        row = rows[progress.done % len(rows)]
        generators = [context.rng[words].copy() for words in slots]
        if self.recorder is not None:
            self.recorder.begin_trial()
        returned: tuple[Any, ...] = self._step(context.pf, context.pi, row, context.sf.copy(), context.si.copy(), *generators)
        sf, si, *generators, values, status = returned
        if status == RUN_IS_OVER:
            progress.ended = True
            return
        if status != 0:
            raise step_limit_error(context, out, progress.done, int(status) - 1)
        if self.recorder is not None and context.recording is not None:
            keep_trial(context.recording, self.recorder, progress.done)
        context.sf[:], context.si[:] = sf, si
        for words, after in zip(slots, generators, strict=True):
            context.rng[words] = after
        out[progress.done] = values
        progress.done += 1

    def _memory_trial(self, context: NativeContext, rows: Floats, out: Floats, progress: Progress) -> None:
        control = np.zeros(CONTROL_WORDS, np.int64)
        done = progress.done
        buffers = (context.pf, context.pi, context.sf, context.si, context.rng)
        memory = TraceMemory(self.plan.traces, 2**16) if self.plan.traces else None
        given = () if memory is None else (memory.words,)
        (status,) = self._step(*buffers, rows, len(rows), out[done:], done, 1, control, *given)
        if memory is not None and context.recording is not None and control[DONE]:
            context.recording.add(done, memory.part(1))
        if status == STEP_LIMIT:
            raise step_limit_error(context, out, done, int(control[NODE]))
        if status != FINISHED:
            raise ExecutionError(f"run: the interpreted trial {done} stopped with status {status}")
        progress.done += int(control[DONE])
        progress.ended = not control[DONE]

    def replicate(self, context: Context, job: Job) -> None:
        """Runs replicates from where a context stands, which stays there."""
        run_one_by_one(self, context, job)

    def sweeper(self, context: Context, job: SweepJob) -> SweepEngine:
        """The engine of a sweep that begins where a context stands."""
        return OneByOne(self, context, job)

    def signals(self, context: Context) -> dict[str, list[float]]:
        """The signals of the controllers as they stand."""
        assert isinstance(context, NativeContext)
        return context.signals()
