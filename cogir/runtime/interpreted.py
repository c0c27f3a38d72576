"""
Mode `python`: the model as it is written, run by the interpreter of `cog`; the oracle for all other modes.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from threading import RLock
from typing import Any

import numpy as np
from xdsl.utils.exceptions import InterpretationError

from cogir.analysis.flags import flags_of
from cogir.errors import CogirError, ExecutionError, counted
from cogir.interpreters.checks import CHECKS
from cogir.interpreters.cog import MEANINGS, ModelInterpreter
from cogir.interpreters.cog_state import ModelState
from cogir.interpreters.engine import Engine
from cogir.interpreters.faults import BodyFailed
from cogir.interpreters.levels import all_meanings
from cogir.interpreters.traces import Recorder
from cogir.irutils import shape_of
from cogir.lowering.insert_checks import checks_of
from cogir.lowering.machine.assign import external_paths
from cogir.model.graph import main_model, resolve
from cogir.model.traces import traces_of
from cogir.runtime.context import Context, Store
from cogir.runtime.entry import failure_message, stopped_by
from cogir.runtime.flags import FLAGS
from cogir.runtime.plan import Floats, Plan, PlanSlot, Words, dtype_of, plan_traces, starts_of
from cogir.runtime.python_functions import PythonFunction, must_be_independent
from cogir.runtime.recorded import RecordedModel
from cogir.runtime.recording import RecordedTrials, Recording
from cogir.runtime.replicates import Job, run_one_by_one
from cogir.runtime.results import Progress, Result, RunInterrupted
from cogir.runtime.sweeps.job import OneByOne, SweepEngine, SweepJob
from cogir.runtime.words import encoded


class InterpreterContext(Context):
    """A context of an interpreted model: a copy of its parameters, and its state."""

    modes = "python and per_node"

    def __init__(self, plan: Plan, name: str | None, parameters: Mapping[str, Any], state: ModelState):
        super().__init__(plan, name)
        self.parameters = dict(parameters)
        self.model_state = state
        self.fresh: Any = None
        """Gives the state that a model with these parameters begins with; the engine sets it."""
        self._kept: dict[str, Any] | None = None
        """The parameters when they were asked for last."""
        self._store: tuple[ModelState, Store] | None = None

    def restart(self) -> None:
        self.started = False
        self.model_state = self.fresh(self)
        self.seed_generators()

    def twin(self, name: str | None) -> InterpreterContext:
        other = InterpreterContext(self.plan, name, self.parameters, self.model_state.copy())
        other.started, other.fresh, other.states_set = self.started, self.fresh, dict(self.states_set)
        other.stream_name = self.stream_name if name is None else name
        other.is_copy = self.is_copy and name is None
        other.learning = self.learned()
        return other

    def fits(self, other: Context) -> bool:
        """Also the parameters and the state, which the plan of an interpreted model does not list."""
        return (
            super().fits(other)
            and isinstance(other, InterpreterContext)
            and self.parameters.keys() == other.parameters.keys()
            and list(dict(self.model_state.places())) == list(dict(other.model_state.places()))
        )

    def begin(self) -> None:
        """Takes the start values as the parameters say now, unless the model has begun."""
        if not self.started:
            generators = {path: self.words_of(path) for path in self.plan.generators}
            self.model_state = self.fresh(self)
            for path, words in generators.items():
                self.set_words(path, words)
            self.started = True
            self.take_states_set()

    def parameter_store(self) -> Store:
        return self.parameters

    def parameters_now(self) -> Mapping[str, Any]:
        now = super().parameters_now()
        if self._kept is None or any(np.asarray(self._kept[path]).tobytes() != np.asarray(now[path]).tobytes() for path in now):
            self._kept = dict(now)
        return self._kept

    def state_store(self) -> Store:
        self.begin()
        if self._store is None or self._store[0] is not self.model_state:
            self._store = self.model_state, _Places(self.model_state)
        return self._store[1]

    def words_of(self, path: str) -> Words:
        container, key = dict(self.model_state.places())[path]
        return np.array(container[key])

    def set_words(self, path: str, words: Words) -> None:
        container, key = dict(self.model_state.places())[path]
        container[key] = words

    def __getstate__(self) -> dict[str, Any]:
        raise CogirError(
            "context: a context of mode 'python' cannot be pickled, because it refers to the model's operations; compile "
            'the model with mode="run" for contexts that can'
        )


class _Places(MutableMapping[str, Any]):
    """The slots of an interpreted state by path, without the generators."""

    def __init__(self, state: ModelState):
        self._places = {path: place for path, place in state.places() if "/random:" not in path}

    def __getitem__(self, path: str) -> Any:
        container, key = self._places[path]
        return container[key]

    def __setitem__(self, path: str, value: Any) -> None:
        container, key = self._places[path]
        container[key] = value

    def __delitem__(self, path: str) -> None:
        raise CogirError(f"context: {path} cannot be removed")

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


@contextmanager
def interpretation(call: str = "run") -> Generator[None]:
    """Failures of the interpreter inside are errors of the call: `ExecutionError`."""
    try:
        yield
    except InterpretationError as error:
        raise ExecutionError(f"{call}: {error}") from error


class InterpreterEngine:
    """
    Runs a model by interpreting it.

    The interpreter holds the values and the parameters of the model that it runs, so contexts that run in several threads
    take turns, trial by trial.
    """

    def __init__(
        self, model: RecordedModel, math: str = "portable", engine: Engine | None = None, python: Mapping[str, PythonFunction] | None = None
    ):
        """
        `engine` runs the bodies of nodes; default: the plain interpreter, with the elementary functions of `math`. `python`: the functions
        that it calls.
        """
        graph = resolve(main_model(model.module, None))
        checks = checks_of(model.module)
        meanings = (*all_meanings(math), MEANINGS)
        engine = engine or Engine(model.module, meanings if checks else (CHECKS, *meanings))
        engine.python.update(python or {})
        engine.checks = checks
        recorded = [(trace.path, trace.every) for trace in traces_of(graph)]
        self.recorder = engine.recorder = Recorder(recorded) if recorded else None
        self.python = python or {}
        self._lock = RLock()
        self.parameters: dict[str, Any] = {}
        self.model = ModelInterpreter(graph, engine, self.parameters)
        self.parameters.update(self.model.default_parameters())
        self.plan = interpreted_plan(self.model, model)
        self._readers = [self.plan.slots[f"in:{path}"] for path in self.plan.inputs]
        self._writers = [self.plan.slots[f"out:{path}"] for path in (*self.plan.outputs, *self.plan.flags)]

    def new_context(self, name: str | None, parent: Context | None) -> Context:
        """A new context, with the parameters of `parent` if there is one."""
        parameters = parent.parameters if isinstance(parent, InterpreterContext) else self.parameters
        with self._lock, interpretation():
            context = InterpreterContext(self.plan, name, parameters, self.model.initial_state())
        context.fresh = self._fresh
        context.seed_generators()
        return context

    def _fresh(self, context: InterpreterContext) -> ModelState:
        with self._lock, interpretation():
            self._use(context)
            return self.model.initial_state()

    def _use(self, context: InterpreterContext) -> None:
        self.parameters.clear()
        self.parameters.update(context.parameters)

    def run(self, context: Context, rows: Floats, out: Floats) -> Progress:
        """Runs as many trials as `out` has rows, cycling through `rows`."""
        assert isinstance(context, InterpreterContext)
        context.begin()
        progress = context.progress = Progress()
        self.model.scheduler(context.model_state).begin_run()
        try:
            while progress.done < len(out) and not progress.ended:
                with self._lock, interpretation():
                    self._use(context)
                    self._trial(context, rows, out, progress)
        except KeyboardInterrupt:
            result = Result(self.plan, out[: progress.done], "interrupted", self.signals(context))
            raise RunInterrupted(f"run: interrupted after {progress.done:,} of {counted(len(out), 'trial')}", result) from None
        except BodyFailed as failed:
            error = ExecutionError(failure_message("run", f"trial {progress.done}", failed.failure))
            error.result = Result(self.plan, out[: progress.done], stopped_by(error), self.signals(context))
            raise error from None
        except ExecutionError as error:
            error.result = Result(self.plan, out[: progress.done], stopped_by(error), self.signals(context))
            raise
        finally:
            self.model.scheduler(context.model_state).end_run()
        return progress

    def _trial(self, context: InterpreterContext, rows: Floats, out: Floats, progress: Progress) -> None:
        """The next trial of a run; a trial that fails leaves the state as it was."""
        if self.model.scheduler(context.model_state).run_is_over():
            progress.ended = True
            return
        row = rows[progress.done % len(rows)]
        inputs = [row[slot.words].reshape(slot.shape) if slot.shape else row[slot.offset].item() for slot in self._readers]
        state = context.model_state.copy()
        self.model.tally.begin_trial()
        if self.recorder is not None:
            self.recorder.begin_trial()
        finished = self.model.trial(state, inputs)
        if self.recorder is not None and context.recording is not None:
            keep_trial(context.recording, self.recorder, progress.done)
        context.model_state = state
        flags = self.model.tally.of(self.plan.flags).values()
        for slot, value in zip(self._writers, (*finished.outputs, *flags), strict=True):
            out[progress.done, slot.words] = encoded(value, slot)
        progress.done += 1
        context.meter.update(progress.done)

    def replicate(self, context: Context, job: Job) -> None:
        """Runs replicates from where a context stands, which stays there."""
        must_be_independent("replicates", self.python)
        run_one_by_one(self, context, job)

    def sweeper(self, context: Context, job: SweepJob) -> SweepEngine:
        """The engine of a sweep that begins where a context stands."""
        must_be_independent("sweep", self.python)
        return OneByOne(self, context, job)

    def signals(self, context: Context) -> dict[str, list[float]]:
        """The signals of the controllers as they stand."""
        assert isinstance(context, InterpreterContext)
        held = context.model_state.controllers
        return {
            name: [held[name].signals[slot.path.rpartition("/")[2]] for slot in self.plan.signals(name)] for name in self.plan.controllers
        }


def keep_trial(recording: Recording, recorder: Recorder, trial: int) -> None:
    """Keeps what a trial has recorded; raises `TraceMemoryError` if there is no room for it."""
    words = [np.array(held, np.int64) for held in recorder.words]
    lengths = np.array([[len(held) // trace.size for held, trace in zip(words, recording.traces, strict=True)]], np.int64)
    if not recording.add(trial, RecordedTrials(words, lengths)):
        raise recording.full("run", f"in trial {trial}")


def interpreted_plan(interpreter: ModelInterpreter, model: RecordedModel) -> Plan:
    """The part of a plan that an interpreted model needs: its inputs, outputs and generators."""
    graph = interpreter.graph
    slots: dict[str, PlanSlot] = {}
    sizes: dict[str, int] = {}
    paths = {"in": external_paths("in", graph.inputs), "out": external_paths("out", graph.outputs)}
    types = {"in": map(graph.input_type, graph.inputs), "out": map(graph.output_type, graph.outputs)}
    for buffer in paths:
        for path, kept in zip(paths[buffer], types[buffer], strict=True):
            slots[path] = slot = PlanSlot(path, buffer, sizes.get(buffer, 0), shape_of(kept), dtype_of(kept))
            sizes[buffer] = slot.offset + slot.size
    flags = flags_of(graph, FLAGS)
    for path in flags:
        slots[f"out:{path}"] = PlanSlot(f"out:{path}", "out", sizes.get("out", 0), (), "i64")
        sizes["out"] = sizes.get("out", 0) + 1
    starts = starts_of(model.module)
    symbols = dict(_streams(interpreter))
    return Plan(
        slots=slots,
        sizes=sizes,
        nodes=list(graph.nodes),
        inputs=[path.removeprefix("in:") for path in paths["in"]],
        outputs=[path.removeprefix("out:") for path in paths["out"]],
        shown=model.shown,
        controllers=model.controllers,
        generators={path: starts[stream] for path, stream in symbols.items()},
        seed=interpreter.seed,
        pf=np.zeros(1),
        pi=np.zeros(1, np.int64),
        order=model.order,
        ranges=model.ranges,
        flags=flags,
        traces=plan_traces(traces_of(graph)),
    )


def _streams(model: ModelInterpreter) -> Iterator[tuple[str, str]]:
    """The paths of the generators, and the stream that each starts from."""

    for node in model.graph.model.nodes:
        yield from ((f"{model.prefix}{node.sym_name.data}/random:{name}", stream.string_value()) for name, _, stream in node.random)
    for name, controller in model.controllers.items():
        if controller.tie_stream is not None:
            yield f"{model.prefix}{name}/random:ties", controller.tie_stream.string_value()
    for inner in model.inners.values():
        yield from _streams(inner)
