"""
Learning: batches of trials, after each of which an optimizer changes what a model learns.

    l = compiled.learn({"stimulus": X, "target": Y}, epochs=100, batch=4)
    l.losses                                                          # (epochs, batches)
    compiled.params["stimulus:value->output:variable/matrix"]         # what was learned

The native entry is called in slices, as that of runs (`entry.py`), and for some epochs at a time, so that the order of the trials takes
no more memory than they do; an interrupt leaves what was learned from whole batches.
"""

from __future__ import annotations

import ctypes
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from operator import index
from typing import Any, Protocol, SupportsIndex, cast

import numpy as np
import numpy.typing as npt

from cogir.callers import stacklevel
from cogir.errors import CogirError, InputError, ModelError, counted, matrix_in_words
from cogir.labelled.dataset import Axis, Dataset, Variable
from cogir.labelled.labelled import Labelled
from cogir.runtime.context import Context, NativeContext, Store, copy_value
from cogir.runtime.entry import INIT_TYPE
from cogir.runtime.explanation import LearningFacts, about_carried
from cogir.runtime.flags import FLAGS, Reactions, tally
from cogir.runtime.inputs import GivenInputs
from cogir.runtime.interrupt import CONTROL_WORDS, DONE, patiently, watched
from cogir.runtime.meter import SILENT, Meter
from cogir.runtime.native import compile_code
from cogir.runtime.numbers import are_finite
from cogir.runtime.options import Options, Source
from cogir.runtime.origin import Origin
from cogir.runtime.parallel import ALONE, NOBODY, Crew, Sharing
from cogir.runtime.plan import Floats, Plan, Words, plan_of
from cogir.runtime.results import Result
from cogir.zero_gradients import REMEDY, named_in_vain, zero_by

_Pointer = ctypes.c_void_p


def learn_type(tables: int) -> Any:
    """The type of `@learn` of a model whose inputs are in so many arrays."""
    return ctypes.CFUNCTYPE(ctypes.c_int32, *[_Pointer] * (9 + tables), ctypes.c_int64, ctypes.c_int64, _Pointer)


@dataclass
class Batches:
    """
    The trials to learn from: batch `b` consists of the rows `order[t]` of the `tables` for `starts[b] <= t < starts[b + 1]`. Outputs go to
    the rows `t` of `out`, losses to `losses[b]`.
    """

    tables: list[Floats]
    """Arrays of inputs, each with some of their columns (`Learner.columns`)."""
    order: Words
    starts: Words
    out: Floats
    losses: Floats

    @staticmethod
    def of(tables: list[Floats], order: Words, starts: Words, width: int) -> Batches:
        """Batches with room for what comes of them; `width`: of the outputs of a trial."""
        order, starts = np.ascontiguousarray(order, np.int64), np.ascontiguousarray(starts, np.int64)
        return Batches(tables, order, starts, np.empty((len(order), width)), np.empty(len(starts) - 1))


class Learner(Protocol):
    """An engine that learns: native code, or the interpreter."""

    plan: Plan
    matrices: list[str]
    """The paths of what is learned."""
    columns: list[tuple[int, int]]
    """The columns of the inputs that each of the `tables` of batches has."""

    def new_context(self) -> NativeContext:
        """Parameters, and an optimizer that has not learned yet."""
        ...

    def learn(self, context: NativeContext, batches: Batches) -> int:
        """Learns from all batches; returns how many that were, which is fewer after an interrupt."""
        ...


class NativeLearner:
    """The function `@learn` of a model that was compiled for it."""

    def __init__(self, plan: Plan, loaded: Any, crew: Crew = ALONE):
        """`crew`: the threads among which large products are divided."""
        self.plan = plan
        self.keep = loaded
        self.columns = plan.columns or [(0, plan.size("in"))]
        self._learn = learn_type(len(self.columns))(loaded.address("learn"))
        self._init = INIT_TYPE(loaded.address("init"))
        self.matrices = plan.learned
        self.crew = crew
        self._spare: list[Floats] = []
        """Memory for derivatives that no call uses: that of another one would be cleared by the system first, page by page."""

    def new_context(self) -> NativeContext:
        return started(self, self._start)

    def _start(self, context: NativeContext) -> None:
        self._init(*context.addresses[:4])

    def learn(self, context: NativeContext, batches: Batches) -> int:
        """
        Learns from all batches. A signal stops native code within a batch, which then has changed nothing: if its handler raises, `context`
        and `batches` hold what was learned by then, else the batch is begun anew; no further signal whose handler returns stops it.
        """
        pf, pi, sf, si, _ = context.addresses
        _ = context.pf  # native code changes it
        try:
            total = self._spare.pop()
        except IndexError:
            total = np.empty(max(1, sum(self.plan.slots[path].size for path in self.matrices)))
        memory = (*batches.tables, batches.order, batches.starts, total, batches.out, batches.losses)
        at = [array.ctypes.data for array in memory]
        control = np.zeros(CONTROL_WORDS, np.int64)
        count = len(batches.losses)
        context.progress.done = 0
        stopped = False
        with watched(control), self.crew.team() if self.plan.shares else NOBODY as team:
            sharing = Sharing(team, control) if team.helpers else None
            while context.progress.done < count:
                first = context.progress.done
                control[:] = 0
                if sharing is not None:
                    sharing.begin(control)
                call = partial(self._learn, pf, pi, sf, si, *at, first, count - first, control.ctypes.data)
                try:
                    _ = patiently(control, call) if stopped else call()
                finally:
                    context.progress.done = first + int(control[DONE])
                if sharing is not None:
                    sharing.raise_error()
                context.meter.update(context.progress.done)
                stopped = stopped or not control[DONE]
        self._spare.append(total)
        return count


class StagedLearner:
    """Learns by interpreting the module at stage `machine`."""

    def __init__(self, source: Source, math: str = "portable"):
        from cogir.interpreters.func import function
        from cogir.interpreters.levels import make_engine
        from cogir.lowering.pipeline import lower_to
        from cogir.runtime.build import compilable
        from cogir.runtime.interpreted import interpretation
        from cogir.runtime.recorded import recorded

        self.interpretation = interpretation
        model = recorded(compilable(source))
        lower_to(model.module, "machine", without=["batch-trials"], options={"convert-cog-to-machine": {"learning": True, "flags": FLAGS}})
        self.plan = plan_of(model.module, model.shown, model.controllers)
        self.plan.ranges = model.ranges
        self.matrices = self.plan.learned
        self.columns = [(0, self.plan.size("in"))]
        engine = make_engine(model.module, math)
        self._init, self._gradient, self._optimize = (function(engine.symbol(name), engine) for name in ("init", "gradient", "optimize"))

    def new_context(self) -> NativeContext:
        return started(self, self._start)

    def _start(self, context: NativeContext) -> None:
        with self.interpretation("learn"):
            context.sf[:], context.si[:] = self._init(context.pf, context.pi)

    def learn(self, context: NativeContext, batches: Batches) -> int:
        """Learns from all batches."""
        with self.interpretation("learn"):
            return self._learn(context, batches)

    def _learn(self, context: NativeContext, batches: Batches) -> int:
        size = sum(self.plan.slots[path].size for path in self.matrices)
        (rows,) = batches.tables
        for batch, (first, last) in enumerate(zip(batches.starts[:-1].tolist(), batches.starts[1:].tolist(), strict=True)):
            total, losses = np.zeros(size), 0.0
            for trial in range(first, last):
                row = rows[int(batches.order[trial])]
                total, batches.out[trial], loss = self._gradient(context.pf, context.pi, row, total)
                losses += loss
            given = (context.pf.copy(), context.pi, total, losses, float(last - first), context.sf.copy(), context.si.copy())
            context.pf[:], context.sf[:], context.si[:], batches.losses[batch] = self._optimize(*given)
            context.progress.done = batch + 1
            context.meter.update(batch + 1)
        return len(batches.losses)


def started(learner: Learner, start: Any) -> NativeContext:
    """A new context in which nothing has been learned."""
    context = NativeContext(learner.plan, None)
    context.start = start
    start(context)
    context.started = True
    return context


def learner_of(source: Source, mode: str, options: Options, crew: Crew = ALONE) -> Learner:
    """The engine that learns in a mode: the interpreter for the interpreted ones, else native code, with the help of a crew."""
    if mode in ("python", "per_node"):
        return StagedLearner(source, options.math)
    plan, loaded = compile_code(source, options)
    return NativeLearner(plan, loaded, crew)


def facts_of_learning(source: Source, options: Options) -> LearningFacts:
    """Facts about how a model learns, for explanations."""
    from cogir.runtime.build import learning_facts

    return learning_facts(source, options)


class Learned(Labelled):
    """
    The result of learning: a mapping with the loss of each batch, `learned["loss"]`.

    `losses`: (epochs, batches), of each batch before it was learned from. `trials`: the outputs of all trials, in the order in which they
    were made, as a `Result` of a run. In the Dataset and in files the outputs of trials have the dimensions `epoch` and `trial`. The
    attribute `parameters` holds those before the first batch.
    """

    __slots__ = ("losses", "trials")

    def __init__(self, losses: Floats, trials: Result):
        self.losses = losses
        self.trials = trials

    @property
    def status(self) -> str:
        """The end of learning: "done"."""
        return self.trials.status

    def dataset(self) -> Dataset:
        held = self.trials.dataset()
        epochs, batches = self.losses.shape
        epoch, trial = Axis("epoch", epochs), Axis("trial", self.trials.num_trials // max(1, epochs))

        def by_epoch(variable: Variable) -> Variable:
            values = variable.values.reshape(epoch.size, trial.size, *variable.values.shape[1:])
            return Variable(values, (epoch, trial, *variable.axes[1:]), variable.unit)

        beside = {name: by_epoch(variable) for name, variable in (held.variables | held.beside).items()}
        shared = (epoch, Axis("batch", batches))
        return Dataset("learned", shared, {"loss": Variable(self.losses, shared)}, beside, held.attributes)

    def __repr__(self) -> str:
        return f"<learned in {counted(len(self.losses), 'epoch')}; the loss is {self.losses[-1].mean() if self.losses.size else None}>"


class LearningWarning(UserWarning):
    """A learned value is not a number, or nothing can be learned from a loss."""


class LearningInterrupted(KeyboardInterrupt):
    """Ctrl-C while a model learned: `losses` are those of the batches that it has learned from, and stays changed by."""

    def __init__(self, message: str, losses: Floats):
        super().__init__(message, losses)
        self.losses = losses

    def __str__(self) -> str:
        return str(self.args[0])


TRIALS_AT_ONCE = 2**16
"""Trials of one call, in whole epochs: one epoch at least. Their order takes memory, those of other calls do not."""


def epochs_at_once(count: int, epochs: int) -> Iterator[tuple[int, int]]:
    """The epochs in ranges from first to last, each of as many epochs of `count` trials as make one call."""
    step = max(1, TRIALS_AT_ONCE // max(1, count))
    for first in range(0, epochs, step):
        yield first, min(first + step, epochs)


def order_of(given: object, count: int, epochs: int) -> npt.NDArray[np.integer] | None:
    """The order of the trials in each epoch as an array (epochs, trials); None if they are taken as they come."""
    if given is None:
        return None
    try:
        order = np.asarray(given)
    except ValueError:  # rows of several lengths
        order = np.empty(0, np.int64)
    every = np.arange(count)
    if (
        order.dtype.kind not in "iu"
        or order.shape != (epochs, count)
        or any((np.sort(order[first:last], axis=1) != every).any() for first, last in epochs_at_once(count, epochs))
    ):
        raise InputError(
            f"learn: order must be an array (epochs, trials) = ({epochs}, {count}) with all numbers from 0 to {count - 1} in each row; "
            "leave it out to keep the order of the trials"
        )
    return order


def parts(tables: list[Floats], order: npt.NDArray[np.integer] | None, batch: int, out: Floats, losses: Floats) -> Iterator[Batches]:
    """All epochs, a few in each part: `losses` is (epochs, batches), and `out` has a row for each trial of each epoch."""
    count, (epochs, _) = len(tables[0]), losses.shape
    within = np.arange(0, count, batch)
    for first, last in epochs_at_once(count, epochs):
        chosen = np.tile(np.arange(count), last - first) if order is None else order[first:last].astype(np.int64).ravel()
        starts = (np.arange(last - first)[:, None] * count + within).ravel()
        starts = np.append(starts, (last - first) * count)
        yield Batches(tables, chosen, starts, out[first * count : last * count], losses[first:last].reshape(-1))


def learn(
    learner: Learner,
    context: Context,
    given: GivenInputs,
    epochs: int,
    batch: int,
    order: object,
    reactions: Reactions,
    origin: Origin,
    progress: object = None,
) -> Learned:
    """Learns in a context of the running model, whose matrices change, and reports the flags that its trials have raised."""
    store = context.parameter_store()
    held: NativeContext = learner.new_context() if context.learning is None else context.learning
    if not belongs(held, learner):
        raise InputError(
            f"learn: {context.title} has learned with a model that has another cog.learn; make a context with this model's `context(name)`"
        )
    own = held.parameter_store()
    zero = zero_by(learner.plan.zeros, lambda path: store[path] if path in store else own[path])
    for path, reason in zero:
        if path in learner.plan.named:
            raise ModelError(named_in_vain(path, reason, REMEDY))
    say_what_is_not_learned(learner.plan, zero, context)
    say_what_is_not_used(context)
    context.learning = held
    are_shared = isinstance(context, NativeContext) and context.share_parameters_with(held)
    if not are_shared:
        take_parameters(held, store)
    try:
        losses = np.empty((epochs, -(-given.count // batch)))
        out = np.empty((epochs * given.count, learner.plan.size("out")))
        tables = [given.columns(*columns) for columns in learner.columns]
    except (MemoryError, ValueError, OverflowError):
        raise InputError(f"learn: {epochs} epochs of {given.count} trials do not fit into memory; learn from fewer at a time") from None
    done = held.progress.done = 0
    before = {path: np.array(held.parameter_store()[path]) for path in learner.plan.named}
    try:
        with Meter("learn", losses.size, "batch", progress) as held.meter:
            for part in parts(tables, order_of(order, given.count, epochs), batch, out, losses):
                held.meter.base = done
                finished = learner.learn(held, part)
                done += finished
                held.progress.done = 0
    except KeyboardInterrupt:
        done += held.progress.done
        raise LearningInterrupted(f"learn: interrupted after {done} of {losses.size} batches", losses.ravel()[:done]) from None
    finally:
        held.meter = SILENT
        if done and not are_shared:
            own = held.parameter_store()
            for path in learner.matrices:
                copy_value(path, own, store)
    try:
        warn_of_no_numbers(learner, held, losses)
        warn_of_no_steps(held, losses, before)
        trials = Result(learner.plan, out, "done")
        trials.origin = origin
        learned = Learned(losses, trials)
        reactions.to(learned, learner.plan, lambda: tally(learner.plan, out), len(out), lambda: context.params)
    except KeyboardInterrupt:
        raise LearningInterrupted(f"learn: interrupted after {done} of {losses.size} batches", losses.ravel()) from None
    return learned


def warn_of_no_steps(held: NativeContext, losses: Floats, before: Mapping[str, Any]) -> None:
    """Warns of matrices that are named in weights and that no batch has changed, although there was a loss. `before`: these matrices."""
    store = held.parameter_store()
    same = [matrix_in_words(path) for path, matrix in before.items() if np.array_equal(matrix, store[path])]
    if same and losses.any():
        which, it = (f"the matrix of {same[0]} is", "it") if len(same) == 1 else (f"the matrices of {', '.join(same)} are", "them")
        warnings.warn(
            f"learn: {which} named in weights, and no batch has changed {it}: the derivative of the loss by {it} was 0 in every trial, or "
            "too small to count; see whether parameters make it so, such as a gain or another matrix of zeros, and the learning rate",
            LearningWarning,
            stacklevel=stacklevel(),
        )


def warn_of_no_numbers(learner: Learner, held: NativeContext, losses: Floats) -> None:
    """Says from where on the loss was no number, or that what was learned is none: what learns from it stays so."""
    lost = np.argwhere(~np.isfinite(losses))
    if len(lost):
        epoch, batch = lost[0].tolist()
        found = f"the loss is {losses[epoch, batch]} in epoch {epoch}, batch {batch}"
    elif not all(are_finite(held.pf[learner.plan.slots[path].words]) for path in learner.matrices):
        found = "some weights are infinite or NaN"
    else:
        return
    warnings.warn(
        f"learn: {found}; give finite inputs or a smaller learning rate, and start again from the initial matrices",
        LearningWarning,
        stacklevel=stacklevel(),
    )


def say_what_is_not_learned(plan: Plan, zero: Sequence[tuple[str, str]], context: Context) -> None:
    """
    Warns of matrices that stay as they are, unless the last call has said so, and in the first call of what trials take from each other in
    runs but not here.
    """
    stay = dict((*zero, *plan.unlearned))
    for path, reason in stay.items():
        if path not in context.said_unlearned:
            warnings.warn(
                f"learn: the matrix of {matrix_in_words(path)} stays as it is: {reason}", LearningWarning, stacklevel=stacklevel()
            )
    context.said_unlearned = frozenset(stay)
    if plan.carried and context.learning is None:
        warnings.warn(f"learn: {about_carried(plan.carried)}", LearningWarning, stacklevel=stacklevel())


def say_what_is_not_used(context: Context) -> None:
    """Warns of states that were set by hand, once for each."""
    unused = frozenset(context.states_set)
    if new := sorted(unused - context.said_unused):
        warnings.warn(
            f"learn: {context.title}: what was set by hand of {', '.join(new)} is not used: each trial begins with the initial values of "
            "the states; set those (node/initial:state)",
            LearningWarning,
            stacklevel=stacklevel(),
        )
    context.said_unused = unused


def belongs(held: NativeContext, learner: Learner) -> bool:
    """True if what has learned in a context has its values where this learner looks for them."""
    one, own = held.plan, learner.plan
    return one is own or (one.slots == own.slots and one.sizes == own.sizes and one.learned == own.learned)


def take_parameters(held: NativeContext, store: Store) -> None:
    """The parameters of the running model, for learning; what only learning has stays as it is."""
    own = held.parameter_store()
    for path in own:
        if path in store:
            copy_value(path, store, own)


def checked(value: object, what: str) -> int:
    """A whole number above zero."""
    try:
        number = 0 if isinstance(value, bool) else index(cast("SupportsIndex", value))
    except TypeError:
        number = 0
    if number < 1:
        raise InputError(f"learn: {what} is {value!r:.60}; give a whole number, 1 or more")
    return number


def no_learning(name: str) -> CogirError:
    """The error for a model that does not learn."""
    return CogirError(f'learn: model "{name}" has no learning rule; call m.learning([(output, target)]) before it is compiled')
