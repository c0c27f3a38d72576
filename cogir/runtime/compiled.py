"""
A compiled model: `run` it, as often as wanted, in contexts that keep their state from run to run.
"""

from __future__ import annotations

import secrets
import warnings
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from operator import index
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, Protocol, SupportsIndex, TypeAlias, TypeVar, cast

import numpy as np

from cogir.callers import stacklevel
from cogir.errors import CogirError, DeviceError, ExecutionError, InputError, counted, shown
from cogir.limits import learning_block
from cogir.runtime.context import Context, FreshStartWarning, Generators, NativeContext, Values
from cogir.runtime.explanation import (
    MODES,
    LearningFacts,
    Remark,
    Remarks,
    about_lanes,
    about_learning,
    about_searches,
    about_threads,
    about_trials,
)
from cogir.runtime.flags import Reactions, tally
from cogir.runtime.inputs import InputReader
from cogir.runtime.learning import Learned, Learner, LearningInterrupted, checked, learn, no_learning
from cogir.runtime.meter import SILENT, Callback, Meter
from cogir.runtime.native import NativeEngine
from cogir.runtime.origin import NOTHING, About, Origin
from cogir.runtime.plan import Floats, Plan
from cogir.runtime.python_functions import may_keep_state, must_be_independent
from cogir.runtime.recording import DEFAULT_BYTES, Recording, TraceMemoryError
from cogir.runtime.replicates import Job, Replicates, ReplicatesInterrupted, checked_count
from cogir.runtime.results import Progress, Result, RunInterrupted
from cogir.runtime.sweeps.axes import AxesReader, KnownNames, Points
from cogir.runtime.sweeps.collected import collected_for
from cogir.runtime.sweeps.cost import about_cost
from cogir.runtime.sweeps.job import KEY_LIMITS, SweepEngine, SweepJob
from cogir.runtime.sweeps.reductions import reductions_of
from cogir.runtime.sweeps.subject import Subject
from cogir.runtime.sweeps.sweep import Sweep, SweepInterrupted, compute
from cogir.runtime.versions import Version

if TYPE_CHECKING:
    from cogir.pictures.picture import Picture

T = TypeVar("T")

MOST_IN_PICTURE = 80
"""Notebooks show compiled models with more nodes as a table."""


ProgressOption: TypeAlias = bool | Callback | None
"""The display of progress: None for a bar in terminals and notebooks, True always, False never, or a function (done, total)."""


SeedOption: TypeAlias = int | Literal["model"] | None
"""The seed of replicates: a number, that of the model that has made the context, or None for a new one."""
NEW_SEEDS = 2**53
"""New seeds are below, so that floats hold them, too."""


StartOption: TypeAlias = Literal["fresh", "context"] | None
"""Where replicates begin: where the model begins (None, too), or where the context stands."""


class FinishedWarning(UserWarning):
    """Trials compute nothing, because the node whose end they wait for is still finished."""


class NotRecordedWarning(UserWarning):
    """A model records values inside of trials, but what it is asked for keeps none of them."""


class RunEngine(Protocol):
    """An engine that runs a model: the interpreter, or native code."""

    plan: Plan

    def new_context(self, name: str | None, parent: Context | None) -> Context:
        """A new context, with the parameters of `parent` if there is one."""
        ...

    def run(self, context: Context, rows: Floats, out: Floats) -> Progress:
        """Runs as many trials as `out` has rows, cycling through `rows`, and writes their outputs to `out`."""
        ...

    def replicate(self, context: Context, job: Job) -> None:
        """Runs replicates from where a context stands, which stays there."""
        ...

    def sweeper(self, context: Context, job: SweepJob) -> SweepEngine:
        """The engine of a sweep that begins where a context stands, which stays there."""
        ...

    def signals(self, context: Context) -> dict[str, list[float]]:
        """The signals of the controllers as they stand."""
        ...


class Compiled:
    """
    A model ready to run.

        c = model.compile()
        r = c.run({"stimulus": [[0.3], [0.5]]}, num_trials=1000)
        r["decision"]                           # (1000, ...)
        c.params["decision/rate"] = 2.0         # without compiling again
        c.run(..., context="second subject")    # a state of its own
        c.specialise()                          # a version for the parameters as they are now, beside the generic code

    Runs in one context continue one another, one at a time; runs in different contexts may go on in different threads.
    `mode` says what runs the model: "python", "per_node", "exec" or "run".
    """

    def __init__(self, engine: RunEngine, mode: str, name: str):
        self.engine = engine
        self.mode = mode
        self.name = name
        self.plan = engine.plan
        self.inputs = InputReader(engine.plan)
        self.warns_of_missing_inputs = True
        """False takes zeros for inputs that are not given without a `MissingInputWarning`, as PsyNeuLink does."""
        self._width = engine.plan.size("out")
        self._seed_limit = min([KEY_LIMITS[start.kind] for start in self.plan.generators.values()], default=2**63)
        """The seeds of replicates are below."""
        self._names = KnownNames()
        """The meanings of the names in points of sweeps."""
        self.learner: Callable[[int, bool], Learner] | None = None
        """
        Compiles the model to learn from blocks of so many trials (0: from one after the other), whose inputs are one array or several, if
        it says how.
        """
        self.learning_facts: Callable[[], LearningFacts] | None = None
        """Facts about how the model learns, if it says how."""
        self._learners: dict[tuple[int, bool], Learner] = {}
        """The engines that learn, by the trials that they compute at a time, and whether the inputs of a block are one array."""
        self.later_trials: list[str] = []
        """Why trials after the first compute nothing, if that is certain; the first run of several trials warns of it."""
        self.before_later_trials: list[Callable[[], None]] = []
        """Called once, before the first run in which a trial follows another one of its context."""
        self.about: About = NOTHING
        """The model that was compiled, for its results."""
        self.inputs.find_labels = lambda: self.about.labels
        self.options: dict[str, Any] = {"mode": mode}
        """The options with which another process compiles the model to the same code."""
        self.trace_memory = DEFAULT_BYTES
        """The bytes that the traces of a run may take."""
        self.reactions = Reactions()
        """The reactions to executions that were cut off, and to other flags of trials."""
        self.draw: Callable[[str, str | None], Picture | None] = lambda direction, detail: None
        """Makes the picture of the model; None if the model was changed since it was compiled."""
        self.find_model: Callable[[], object] = lambda: None
        """Gives the model that was compiled; None if it was changed since."""
        self.reasons: tuple[str, ...] = ()
        """Why faster modes were not taken."""
        self._contexts: dict[str | None, Context] = {None: engine.new_context(None, None)}

    def without_reactions(self) -> Compiled:
        """The same model and contexts; its runs neither warn of flags and missing inputs nor refuse them."""
        other = object.__new__(Compiled)
        vars(other).update(vars(self))
        other.reactions = Reactions(dict.fromkeys(self.reactions.of, "ignore"), self.reactions.places)
        other.warns_of_missing_inputs = False
        return other

    def context(self, name: str | None = None) -> Context:
        """
        The context of that name; None is the default one.

        A new context starts from the beginning, with the parameters that the default context has when it is made.
        """
        if not isinstance(cast(object, name), str | None):
            raise InputError(f"context: found {shown(name)}; give a name, or nothing for the default context")
        found = self._contexts.get(name)
        if found is None:  # of two threads that both come here, the second takes the context of the first
            found = self._contexts.setdefault(name, self.engine.new_context(name, self._contexts[None]))
        return found

    @property
    def params(self) -> Values:
        """The parameters of the default context, by `node/name`."""
        return self._contexts[None].params

    @property
    def state(self) -> Values:
        """The state of the default context, by `node/name`."""
        return self._contexts[None].state

    @property
    def generators(self) -> Generators:
        """The generators of the default context, by node."""
        return self._contexts[None].generators

    def reset(self) -> None:
        """Puts the default context back to the beginning; its parameters stay as they are."""
        self._contexts[None].reset()

    def specialise(self, context: Context | str | None = None, *, keep: Iterable[Any] | Any = (), only_results: bool = False) -> Version:
        """
        Compiles a version of the code for the parameter values that the context has now: they are folded in, all but those in `keep`.

        Runs take it whenever the values are these, in any context, and the generic code otherwise; the results are the same bits.
        `keep`: a parameter, or a list of them. `only_results`: leave out what no result depends on; that part of the state is then unknown.
        `versions` lists what there is, and `version` says which one a run would take.
        """
        where = self._where(context, "specialise")
        if not isinstance(self.engine, NativeEngine) or not isinstance(where, NativeContext):
            raise InputError(
                f'specialise: model "{self.name}" runs in mode {self.mode}, which does not compile whole trials; compile it with mode="run"'
            )
        if type(cast(object, only_results)) is not bool:
            raise InputError(f"specialise: only_results is {shown(only_results)}; give True or False")
        try:
            keys = [keep] if isinstance(keep, str) else list(keep)
        except TypeError:  # also an array without axes, which says that it can be gone through
            keys = [keep]
        paths = {where.params.located(key)[0] for key in keys}
        return self.engine.specialise(where, sorted(paths), only_results)

    @property
    def versions(self) -> tuple[Version, ...]:
        """The specialised versions that there are, beside the generic code."""
        return tuple(self.engine.versions.held) if isinstance(self.engine, NativeEngine) else ()

    def version(self, context: Context | str | None = None) -> Version | None:
        """The specialised version that a run in this context would take now; None means the generic code."""
        where = self._where(context, "version")
        if isinstance(self.engine, NativeEngine) and isinstance(where, NativeContext):
            return self.engine.versions.fitting(where)
        return None

    def run(
        self, inputs: Any = None, num_trials: int | None = None, *, context: Context | str | None = None, progress: ProgressOption = None
    ) -> Result:
        """
        Runs trials and returns their results.

        `inputs`: a dict from node (or "node/port") to one trial or a list of trials, or an array (trials, all elements); a run
        cycles through them. `num_trials`: default one trial for each input. `progress`: by default a bar in terminals and notebooks, once a
        run has taken two seconds (with tqdm: `pip install 'cogir[study]'`); True, False, or a function of the number done and the total.
        Ctrl-C raises `RunInterrupted` (a `KeyboardInterrupt`) whose `result` holds the finished trials; a trial that takes more
        passes than params["limit:passes"] raises `ExecutionError`. Both leave the context at the end of the last finished trial.

        A node that is executed until finished, but at most `max_executions_before_finished` times, goes on unfinished after that many:
        `result.unfinished` says in which trials, and an `UnfinishedWarning` in how many (`compile(unfinished=...)` makes that an
        `ExecutionError`, whose `result` holds all trials, or nothing).
        """
        rows = self._rows("run", inputs)
        if num_trials is None:
            num_trials = len(rows)
        else:
            num_trials = _count(num_trials)
        where = self._where(context, "run")
        self._begin_later_trials(num_trials, where)
        try:
            out = np.empty((num_trials, self._width))
        except (MemoryError, ValueError, OverflowError):
            raise InputError(f"run: the results of {counted(num_trials, 'trial')} do not fit into memory; run fewer at a time") from None
        origin = self._origin(where)
        recording = self._recording()
        shows_nothing = progress is None and isinstance(self.engine, NativeEngine) and self.engine.is_short(num_trials)
        call = object()
        try:
            where.begin_use(call)
            where.progress = Progress()
            where.ran = where.ran or num_trials > 0
            where.recording = recording
            with SILENT if shows_nothing else Meter("run", num_trials, "trial", progress) as where.meter:
                came = self.engine.run(where, rows, out)
            last = self.engine.signals(where) if self.plan.controllers else None
        except RunInterrupted as error:
            error.result.origin, error.result.recording = origin, recording
            raise
        except (ExecutionError, DeviceError) as error:
            if isinstance(error.result, Result):
                error.result.origin, error.result.recording = origin, recording
                done = error.result.num_trials
                self.reactions.to(
                    error.result, self.plan, lambda: tally(self.plan, out[:done]), done, lambda: where.params, has_failed=True
                )
            raise
        finally:
            if where.user is call:
                where.trials += where.progress.done
                where.recording = None
                where.meter = SILENT
                del where.user
        result = Result(self.plan, out[: came.done], "ended" if came.ended else "done", last)
        result.origin, result.recording = origin, recording
        if not self.plan.flags:
            return result
        try:
            self.reactions.to(result, self.plan, lambda: tally(self.plan, out[: came.done]), came.done, lambda: where.params)
        except KeyboardInterrupt:
            raise RunInterrupted(f"run: interrupted after {counted(came.done, 'trial')}, which are all", result) from None
        return result

    def replicates(
        self,
        inputs: Any = None,
        count: int = 1000,
        num_trials: int | None = None,
        *,
        seed: SeedOption = "model",
        start: StartOption = None,
        context: Context | str | None = None,
        progress: ProgressOption = None,
    ) -> Replicates:
        """
        Runs the model `count` times, each time from where the model begins and with random numbers of its own, and returns all outputs.

        `inputs`, `num_trials`: of each replicate, as for `run`. `seed`: by default that of the model that has made the context; None takes
        a new one, which the result shows. Generator `g` of replicate `r` starts from the key (seed, name of the context, g, r), so calls
        with the same seed in the same context have common random numbers. Generators that were set by hand are not used; a
        `FreshStartWarning` says so once, unless `seed` is given.
        `start`: each replicate begins "fresh", which is the default: with the parameters of the context, set or learned, and the states
        that were set by hand, but without what runs have moved. With "context" it begins where the context stands. If the context has run,
        a `FreshStartWarning` says so once, unless `start` is given.
        The context stays as it is. Ctrl-C raises `ReplicatesInterrupted`, whose `result` holds the replicates that were finished.
        Executions that were cut off are reported as by `run`.
        """
        rows = self._rows("replicates", inputs)
        trials = len(rows) if num_trials is None else _count(num_trials, "replicates")
        count = checked_count(count, "count", 0, 2**32)
        where = self._where(context, "replicates")
        seed = self._seed("replicates", seed, where)
        begin = self._begin("replicates", where, start)
        self._begin_later_trials(trials, begin)
        try:
            out = np.empty((count * trials, self._width))
        except (MemoryError, ValueError, OverflowError):
            raise InputError(
                f"replicates: the results of {counted(count, 'replicate')} do not fit into memory; run fewer at a time"
            ) from None
        job = Job(rows, out, np.zeros(count, np.int64), trials, seed, where.stream_name, self._recording())
        origin = self._origin(begin, seed=seed, start=start or "fresh")
        call = object()
        try:
            where.begin_use(call)
            if trials:
                with Meter("replicates", count, "replicate", progress) as where.meter:
                    begin.meter = where.meter
                    self.engine.replicate(begin, job)
        except KeyboardInterrupt:
            message = f"replicates: interrupted after {job.done} of {count}"
            interrupted = job.result(self.plan, "interrupted")
            interrupted.origin = origin
            raise ReplicatesInterrupted(message, interrupted) from None
        except (TraceMemoryError, DeviceError) as error:
            result = error.result = job.result(self.plan, "failed" if isinstance(error, DeviceError) else "trace memory")
            result.origin = origin
            raise
        finally:
            if where.user is call:
                where.meter = begin.meter = SILENT
                del where.user
        job.done = count
        result: Replicates | None = None
        try:
            result = job.result(self.plan)
            result.origin = origin
            if self.plan.flags:
                self.reactions.to(result, self.plan, lambda: tally(self.plan, job.out), int(job.lengths.sum()), lambda: where.params)
        except KeyboardInterrupt:
            result = result or job.result(self.plan)
            result.origin = origin
            raise ReplicatesInterrupted(f"replicates: interrupted after {counted(count, 'replicate')}, which are all", result) from None
        return result

    def sweep(
        self,
        points: Any,
        inputs: Any = None,
        num_trials: int | None = None,
        *,
        replicates: int = 1,
        seed: SeedOption = "model",
        reduce: Any = None,
        common_random_numbers: bool = False,
        executor: Any = None,
        store: str | PathLike[str] | None = None,
        start: StartOption = None,
        context: Context | str | None = None,
        progress: ProgressOption = None,
    ) -> Sweep:
        """
        Runs the model at many points of its parameters, initial states and inputs, `replicates` times at each, and returns all outputs, or
        statistics of them.

            s = compiled.sweep({"ddm/rate": rates, "ddm/threshold": thresholds}, {"ddm": [[1.0]]}, replicates=1000, seed=1)
            s["ddm", "time"]                        # (rates, thresholds, replicates, trials)

        `points`: a dict from names to values for all combinations; `cogir.zipped({...})` for values side by side, also in such a dict; a
        dict of conditions in such a dict, {"condition": {"easy": {"ddm/rate": 2.0}, "hard": {...}}}; or a pandas DataFrame with a row per
        point. Texts side by side with values are labels. A name is that of a parameter ("ddm/rate"; values (points, *shape)), of an input
        ("stimulus"; values (points, *shape) for one trial or (points, trials, *shape)), or of a state with which replicates begin
        ("ddm/state:previous_value").
        `inputs`, `num_trials`: of each replicate, as for `run`. `start`: each replicate begins "fresh" (the default) or where the `context`
        stands, as in `replicates`; the context stays as it is.
        `seed`: as in `replicates`; None takes a new one, which the result shows. Generator `g` of replicate `r` at point `p`
        starts from the key (seed, name of the context, g, p, r), which `cogir.random(seed, point=p, replicate=r, generator=g)` gives;
        points are numbered with the last axis fastest. With `common_random_numbers=True` it starts from (seed, name of the context, g, r)
        at every point, as in `replicates`.
        `reduce`: "mean", "variance", "sd", "sem", "count", "minimum", "maximum" or "quantiles" of all outputs, or several of them; or a
        dict from names to statistics (`cogir.reductions`) or functions of your own. Memory then is that of the results and of two chunks
        (16 MiB each), whatever the number of replicates.

        `executor`: other processes that compute the points: an executor of `concurrent.futures`, or a `dask.distributed.Client` or cluster.
        `store`: the name of a folder ("study.zarr") in which finished points are kept: what is there is not computed again, by this call or
        another one with the same arguments.

        Results are the same bits for any number of threads, chunks or machines. Ctrl-C raises `SweepInterrupted`, whose `result` holds
        what was finished. Raises `InputError` for points that the model does not have.
        """
        where = self._where(context, "sweep")
        begin = self._begin("sweep", where, start)
        found = self._points(points, begin)
        rows = found.with_trials(self._rows("sweep", inputs, found.given_inputs()))
        trials = len(rows) if num_trials is None else _count(num_trials, "sweep")
        replicates = checked_count(replicates, "replicates", 1, 2**62, "sweep")
        seed = self._seed("sweep", seed, where)
        if type(cast(object, common_random_numbers)) is not bool:
            raise InputError(f"sweep: common_random_numbers is {shown(common_random_numbers)}; give True or False")
        reductions = None if reduce is None else reductions_of(reduce, self.plan.outputs[: self.plan.shown])
        drops = "reduce" if reductions is not None else "executor" if executor is not None else "store" if store is not None else None
        recording = None if drops else self._recording()
        job = SweepJob(self.plan, found, rows, replicates, trials, seed, common_random_numbers, 0, recording, where.stream_name)
        job.check_keys()
        if drops and self.plan.traces:
            warnings.warn(
                f'sweep: model "{self.name}" records {self.plan.traces[0].path.replace("/port:", "/")}, but a sweep with {drops}=... keeps '
                "no traces; nothing is recorded",
                NotRecordedWarning,
                stacklevel=stacklevel(),
            )
        must_be_independent("sweep", getattr(self.engine, "python", {}))
        self._begin_later_trials(trials, begin)
        collected = collected_for(job, reductions)
        origin = self._origin(begin, seed=seed, start=start or "fresh", common_random_numbers=common_random_numbers, replicates=replicates)
        call = object()
        try:
            where.begin_use(call)
            workers = None if executor is None else self._subject(begin).elsewhere(job, reductions, executor)
            kept = None if store is None else self._subject(begin).store(job, reductions, store)
            if trials:
                with Meter("sweep", job.count, "replicate", progress) as where.meter:
                    begin.meter = where.meter
                    compute(job, collected, lambda: self.engine.sweeper(begin, job), where.meter, workers, kept)
        except KeyboardInterrupt:
            done = int(np.count_nonzero(collected.finished))
            collected.stop()
            message = f"sweep: interrupted after {done:,} of {counted(found.count, 'point')}"
            raise SweepInterrupted(message, Sweep(collected, origin, "interrupted")) from None
        except (TraceMemoryError, DeviceError) as error:
            collected.stop()
            error.result = Sweep(collected, origin, "failed" if isinstance(error, DeviceError) else "trace memory")
            raise
        finally:
            if where.user is call:
                where.meter = begin.meter = SILENT
                del where.user
        result = Sweep(collected, origin, "done")
        if not self.plan.flags:
            return result
        try:
            self.reactions.to(result, self.plan, collected.tally, collected.trials, lambda: where.params)
        except KeyboardInterrupt:
            raise SweepInterrupted(f"sweep: interrupted after {counted(found.count, 'point')}, which are all", result) from None
        return result

    def explain(
        self, points: Any = None, inputs: Any = None, num_trials: int | None = None, *, replicates: int = 1, reduce: Any = None
    ) -> Remarks:
        """
        The optimisations that the model did not get, and why: the mode, the GPU and what stays on the CPU, whether replicates and sweeps go
        into SIMD lanes, how many threads searches and calls use; what a model learns, what it does not, and whether in blocks of trials.
        With the arguments of a `sweep`: also what that will cost in time and memory, estimated from a few replicates at up to 16 of its
        points.

            print(compiled.explain())
            print(compiled.explain({"ddm/rate": rates}, replicates=1000))
        """
        remarks = [Remark("mode", f"{self.mode}: {MODES[self.mode]}"), *(Remark("mode", reason) for reason in self.reasons)]
        asked = None
        if isinstance(self.engine, NativeEngine):
            remarks += self.engine.remarks()
            if self.engine.facts is not None and not self.engine.is_on_gpu:
                found = self.engine.facts()
                remarks += [about_trials(found), about_lanes(found), *about_searches(found, self._contexts[None].searched)]
            asked = self.engine.crew.threads
            remarks.append(about_threads(asked))
        else:
            functions = getattr(self.engine, "python", {})
            remarks += [Remark("functions", f"{function.title} is called in Python") for function in functions.values()]
            reasons = [may_keep_state(function) for function in functions.values()]
            remarks += [Remark("replicates and sweeps", f"not possible: {reason}") for reason in reasons] or [
                Remark("replicates and sweeps", f"one after another, as mode {self.mode} does; each takes as long as a run")
            ]
        if self.learning_facts is not None:
            remarks += about_learning(self.learning_facts(), self._contexts[None].parameter_store().__getitem__)
        if points is not None:
            remarks += self._cost(points, inputs, num_trials, replicates, reduce)
        return Remarks(remarks)

    def _cost(self, points: Any, inputs: Any, num_trials: int | None, replicates: int, reduce: Any) -> list[Remark]:
        """The cost of a sweep, estimated from a sample of it."""
        where = self._begin("explain", self._contexts[None], "fresh").fresh_copy()  # whose meter is its own
        found = self._points(points, where)
        rows = found.with_trials(self._rows("explain", inputs, found.given_inputs(), also_all=True))
        trials = len(rows) if num_trials is None else _count(num_trials, "explain")
        replicates = checked_count(replicates, "replicates", 1, 2**62, "explain")
        job = SweepJob(self.plan, found, rows, replicates, trials, 0, False)
        reductions = None if reduce is None else reductions_of(reduce, self.plan.outputs[: self.plan.shown])
        threads, sweeper = 1, self.engine.sweeper
        if isinstance(self.engine, NativeEngine) and not self.engine.is_on_gpu:
            threads, sweeper = 1 + self.engine.crew.team().helpers, self.engine.native_sweeper
        return about_cost(job, lambda part: sweeper(where, part), threads, is_reduced=reductions is not None)

    def _points(self, points: Any, where: Context) -> Points:
        """The points of a sweep that begins in a context."""
        known = self._names if isinstance(where, NativeContext) else None
        return AxesReader(self.plan, where, self.inputs, known).points(points)

    def _subject(self, where: Context) -> Subject:
        """The model, and the context in which the replicates of a sweep begin."""
        return Subject(self.name, self.mode, self.about, self.options, where)

    def _rows(self, asked: str, inputs: Any, varied: Iterable[slice] = (), also_all: bool = False) -> Floats:
        """
        The rows of the inputs of a call, which warns of those that are forgotten. `varied`: the columns that a sweep gives; `also_all`:
        warns also where no inputs are given at all.
        """
        inputs = self.inputs.by_name(inputs)
        rows = self.inputs.rows_by_name(inputs)
        self._warn_of_missing_inputs(asked, inputs, varied, also_all)
        return rows

    def _warn_of_missing_inputs(self, asked: str, inputs: Any, varied: Iterable[slice] = (), also_all: bool = False) -> None:
        """Warns of inputs that are forgotten; `varied`: the columns that a sweep gives; `also_all`: also if no inputs are given at all."""
        if self.warns_of_missing_inputs and type(inputs) is not np.ndarray:
            self.inputs.warn_of_forgotten(asked, inputs, varied, also_all)

    def _recording(self) -> Recording | None:
        """The receiver of a run's traces, if the model records something."""
        return Recording(self.plan.traces, self.trace_memory) if self.plan.traces else None

    def _origin(self, where: Context, **more: Any) -> Origin:
        """The origin of the results of a run that begins in a context."""
        is_learning = "batch" in more  # from the beginning of the model, whatever the state
        if where.states_set and not is_learning:
            more["states"] = {path: np.asarray(value).tolist() for path, value in where.states_by_hand().items()}
        if where.generators_set and "seed" not in more:
            more["generator_states"] = {path: where.words_of(path).tolist() for path in where.generators_set}
        named = {} if where.stream_name is None else {"context": where.stream_name}
        seeds = self.plan if is_learning else where.plan  # a context keeps the seeds of the model that has made it
        more = {"continued": where.ran, "seed": seeds.seed, **named, **more}
        return Origin(self.about, where.parameters_now(), seeds.generators, more)

    def _begin(self, asked: str, where: Context, start: object) -> Context:
        """The context from which replicates begin: a copy at the beginning, unless the context stands there or is to be continued."""
        if start is not None and (not isinstance(start, str) or start not in ("fresh", "context")):
            raise InputError(f'{asked}: start is {shown(start)}; give "fresh" or "context"')
        if start == "context" or not where.started:
            return where
        if where.trials and start is None and not where.said_fresh:
            where.said_fresh = True
            warnings.warn(
                f"{asked}: {where.title} has run {counted(where.trials, 'trial')}, and this call does not go on from there: the model "
                'begins anew, with the parameters as they are and the states that were set by hand; give start="context" to go on, or '
                'start="fresh"',
                FreshStartWarning,
                stacklevel=stacklevel(),
            )
        return where.fresh_start()

    def _seed(self, asked: str, seed: object, where: Context) -> int:
        """The seed of replicates: the one that was given, that of the context, which is the model's that has made it, or a new one."""
        limit = self._seed_limit
        if seed is None:
            return secrets.randbelow(min(limit, NEW_SEEDS))
        if not isinstance(seed, str) or seed != "model":
            return checked_count(seed, "seed", 0, limit, asked)
        if where.plan.seed >= limit:
            raise InputError(f"{asked}: the seed of the model is {where.plan.seed}; give seed=, a whole number from 0 to {limit - 1}")
        if where.generators_set and not where.said_keyed:
            where.said_keyed = True
            warnings.warn(
                f"{asked}: generators of {where.title} were set by hand ({', '.join(where.generators_set)}), and replicates do not use "
                f"them: each has streams of its own, from seed {where.plan.seed}; give seed= for others, or reset the context",
                FreshStartWarning,
                stacklevel=stacklevel(),
            )
        return where.plan.seed

    def _begin_later_trials(self, count: int, where: Context) -> None:
        """Says once what there is to say of trials that follow others; `count` of them are to be run."""
        if self.later_trials and count > 1:
            with _taken(self.later_trials) as messages:
                for message in messages:
                    warnings.warn(message, FinishedWarning, stacklevel=stacklevel())
        if self.before_later_trials and (count > 1 or (count and where.ran)):
            with _taken(self.before_later_trials) as remarks:
                for remark in remarks:
                    remark()

    def _where(self, context: Context | str | None, asked: str) -> Context:
        """The context that is meant; refuses one of another model."""
        if context is None:
            return self._contexts[None]
        where = context if isinstance(context, Context) else self.context(context)
        if where.plan is not self.plan:
            self._check(where, asked)
        return where

    def learn(
        self,
        inputs: Any,
        *,
        epochs: int = 1,
        batch: int = 1,
        order: Any = None,
        context: Context | str | None = None,
        progress: ProgressOption = None,
    ) -> Learned:
        """
        Learns from trials as the model says (`Model.learning`, `cog.learn`), and changes its matrices.

        `inputs`: as for `run`, with those of the targets. In each of the `epochs` all trials are taken once, `batch` of them together
        before the optimizer changes anything: as they come, or in the `order` of an array (epochs, trials). The optimizer goes on from call
        to call. Each trial begins where the model begins; the state of the context stays as it is.
        Ctrl-C raises `LearningInterrupted`; what was learned by then is kept. Executions that were cut off are reported as by `run`, and
        stand in the result's `trials.unfinished`; an error of them holds the result, and the matrices have learned.
        """
        if self.learner is None:
            raise no_learning(self.name)
        epochs, batch = checked(epochs, "epochs"), checked(batch, "batch")
        try:
            inputs = self.inputs.by_name(inputs)
            given = self.inputs.given_by_name(inputs)
            self._warn_of_missing_inputs("learn", inputs)
            where = self._where(context, "learn")
            block = learning_block(min(batch, given.count), max((slot.size for slot in self.plan.slots.values()), default=0))
            form = block, block > 0 and given.is_one_array(self.inputs.width)
            if form not in self._learners:
                self._learners[form] = self.learner(*form)
        except KeyboardInterrupt:
            raise LearningInterrupted("learn: interrupted before the first batch", np.empty(0)) from None
        origin = self._origin(where, batch=batch)
        call = object()
        try:
            where.begin_use(call)
            return learn(self._learners[form], where, given, epochs, batch, order, self.reactions, origin, progress)
        finally:
            if where.user is call:
                del where.user

    def _check(self, context: Context, asked: str) -> None:
        """Refuses a context whose values have other places than this model's."""
        own = self._contexts[None]
        if context.modes != own.modes:
            raise InputError(
                f"{asked}: {context.title} was made by a model compiled in one of the modes {context.modes}, but this model has mode "
                f"{self.mode}; make a context with this model's `context(name)`"
            )
        if not context.fits(own):
            raise InputError(f"{asked}: {context.title} belongs to another model; make a context with this model's `context(name)`")

    def __reduce__(self) -> Any:
        raise CogirError(
            f'compiled model "{self.name}": machine code cannot be pickled; send the text of the model, str(model.ir()), call '
            "cogir.compile in the other process (which uses the cache), and send contexts, which can be pickled"
        )

    def show(self, *, direction: str = "down", detail: str | None = None) -> Picture:
        """The picture of the model, as `Model.show` makes it."""
        picture = self.draw(direction, detail)
        if picture is None:
            raise InputError(
                f'show: model "{self.name}", or what its functions read, was changed after it was compiled; call `show` of the model, or '
                "compile it again"
            )
        return picture

    def _repr_html_(self) -> str:
        """For notebooks: its mode, and the picture of the model, or a table of its nodes where the model is large or has changed."""
        from cogir.pictures.tables import compiled_html, nodes_of

        picture = self.draw("down", None) if len(nodes_of(self.params)) <= MOST_IN_PICTURE else None
        facts = [f"mode {self.mode}", *(repr(version)[1:-1] for version in self.versions)]
        return compiled_html(self.name, facts, picture, dict(self.params), list(self.generators))

    def __repr__(self) -> str:
        count = len(self.versions)
        versions = f", {count} specialised version{'s' * (count > 1)}" if count else ""
        return f'<compiled "{self.name}", mode {self.mode}{versions}>'


def _count(num_trials: object, asked: str = "run") -> int:
    """A number of trials; refuses what is not one."""
    try:
        count = index(cast("SupportsIndex", num_trials))
    except TypeError:
        count = -1
    if count < 0 or isinstance(num_trials, bool):
        raise InputError(f"{asked}: num_trials is {shown(num_trials)}; give a whole number, 0 or more")
    return count


@contextmanager
def _taken(pending: list[T]) -> Generator[list[T]]:
    """The pending items, for one of the threads that ask; they are pending again if an exception ends the block."""
    taken: list[T] = []
    try:
        while pending:
            taken.append(pending.pop())
    except IndexError:
        pass  # another thread was faster
    try:
        yield taken
    except BaseException:
        pending.extend(taken)
        raise
