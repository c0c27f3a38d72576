"""
`AutodiffComposition.learn`, natively: all batches but the first and the last.

With `optimizations_per_minibatch`, PyTorch learns from the same trial several times in a row; each of these steps counts as a batch.

PsyNeuLink prepares learning as ever: targets, losses, the copy in PyTorch with its optimizer; from there on it asks a generator for one
batch after the other. In the place of that generator stands one that hands out

- the first batch, from which PyTorch learns; cogir learns from it, too, and if the two differ, PyTorch goes on by itself;
- the last one, from which PyTorch learns, too, so that everything is left behind as PsyNeuLink leaves it;

and learns natively from those between, after which the parameters of PyTorch, its optimizer, and what PsyNeuLink retains of each batch are
as if PyTorch had been there.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from cogir.callers import warn_by_name
from cogir.errors import CogirError
from cogir.frontend.compile import source_of
from cogir.psyneulink.history import noted_compiling
from cogir.psyneulink.importer.survey import Survey
from cogir.psyneulink.learning.batches import BatchesAsked
from cogir.psyneulink.learning.import_autodiff import NAME, SMALLEST, LearningModel, learning_model
from cogir.psyneulink.learning.seen_at_once import FEWEST
from cogir.psyneulink.pnl import is_reporting, time_scales
from cogir.psyneulink.reader import UnsupportedFeature
from cogir.psyneulink.records import kept
from cogir.psyneulink.state.executions import advance_clock
from cogir.psyneulink.state.logged_values import Logged, conditions_set, notice_log_conditions, with_condition
from cogir.psyneulink.state.trace import all_alike, trace_of
from cogir.runtime.context import NativeContext
from cogir.runtime.inputs import GivenInputs
from cogir.runtime.learning import Batches, Learner, LearningWarning, learner_of
from cogir.runtime.options import Options
from cogir.runtime.plan import Floats, PlanSlot, Words

AGREEMENT = 1e-9
"""The largest difference between the changes of weights by the first batch and those in PyTorch, relative to the largest change."""

Original = Callable[..., Iterator[Any]]


class LastSession:
    """The session of a copy of a Composition in PyTorch, or why there is none."""

    def __init__(self) -> None:
        self.found: LearningSession | UnsupportedFeature | None = None


class LastLook:
    """When it was last seen that nothing of a Composition has a log condition, and how large it was then."""

    def __init__(self) -> None:
        self.unlogged: tuple[int, int, int] | None = None


class Disagreement(UnsupportedFeature):
    """PyTorch and cogir learn different things from one batch."""


@dataclass(frozen=True)
class Wanted(BatchesAsked):
    """The arguments of the runner of a Composition that learns."""

    rest: Mapping[str, Any]
    """The other arguments."""

    @property
    def context(self) -> Any:
        return self.rest.get("context")

    def check(self) -> None:
        """Refuses what PsyNeuLink does with single batches."""

        def refuse(feature: str, remedy: str) -> UnsupportedFeature:
            return UnsupportedFeature(f"AutodiffComposition {self.composition.name!r}", f"learn() is called {feature}", remedy)

        for name in ("call_before_minibatch", "call_after_minibatch", "early_stopper"):
            if self.rest.get(name) is not None:
                said = "patience" if name == "early_stopper" else name
                raise refuse(f"with {said}", f"leave {said} out to learn natively")
        if is_reporting():
            raise refuse("with a report on each trial", "leave report_output and report_progress out to learn natively")
        if not isinstance(self.inputs, dict):
            raise refuse("with sequences", "give a dict of inputs")
        synchronised = self.rest["synch_with_pnl_options"]
        if str(getattr(synchronised["RESULTS"], "name", "")) != "RUN" or self.composition.batched_results:
            raise refuse("with synch_results_with_torch other than RUN, or batched_results", "leave them out to learn natively")
        if not self.composition.enable_learning:
            raise refuse("while its enable_learning is False", "set it to True")
        calls: Mapping[Any, int] = trace_of(self.composition).calls if all_alike(self.composition) else {}
        if any(calls.get(node) != 1 for node in self.composition.nodes):
            raise refuse("while it has a schedule, which PyTorch mode ignores", "learn in a Composition without conditions")
        if logged := self.logged():  # whatever the condition, PsyNeuLink logs each batch
            raise refuse(f"while {logged.parameter.name!r} of {logged.component.name!r} is logged", "leave the log out to learn natively")

    def logged(self) -> Logged | None:
        """A value of the Composition that has a log condition; looked for again after one has been set, or the Composition has grown."""
        notice_log_conditions()
        last = kept(self.composition, LastLook)
        now = conditions_set(), len(self.composition.nodes), len(self.composition.projections)
        if last.unlogged == now:
            return None
        found = next(with_condition(Survey(self.composition)), None)
        last.unlogged = now if found is None else None
        return found

    def orders(self) -> Words:
        """The order of the trials of each epoch, as PsyNeuLink draws it; each comes as often as it is learned from."""
        return np.repeat(np.array(self.drawn_orders(), np.int64).reshape(self.epochs, self.num_trials), self.optimizations, axis=1)

    def part(self, trials: Sequence[int], original: Original, size: int) -> Iterator[Any]:
        """PsyNeuLink's own generator for some of the trials, in this order, in batches of so many."""
        rows = [*trials, *trials] if len(trials) == 1 else trials  # PsyNeuLink reads a single trial otherwise, about which NumPy warns
        inputs = {
            node: taken(values, [trial % len(values) for trial in (rows if len(values) > 1 else trials)])
            for node, values in self.inputs.items()
        }
        given = dict(self.rest, inputs=inputs, epochs=1, num_trials=len(trials), minibatch_size=size, randomize=False)
        given["optimizations_per_minibatch"] = 1
        return original(self.runner, **given)

    def whole(self, original: Original) -> Iterator[Any]:
        """PsyNeuLink's own generator for all trials."""
        given = dict(self.rest, inputs=self.inputs, epochs=self.epochs, num_trials=self.num_trials, minibatch_size=self.minibatch_size)
        given["optimizations_per_minibatch"] = self.optimizations
        return original(self.runner, **given, randomize=self.randomize)


def taken(values: Any, places: Sequence[int]) -> Any:
    """Some of the inputs."""
    return [values[place] for place in places] if type(values) is list else values[list(places)]


def learned_batches(original: Original, arguments: Mapping[str, Any], tell: Callable[[Any, CogirError], None]) -> Generator[Any]:
    """The batches of PsyNeuLink's generator with these arguments, except those that are learned from natively."""
    given = dict(arguments)
    runner = given.pop("self")
    inputs, epochs, trials, size, randomize = (
        given.pop(name) for name in ("inputs", "epochs", "num_trials", "minibatch_size", "randomize")
    )
    size = int(np.asarray(size).item())
    steps: Any = np.asarray(given.pop("optimizations_per_minibatch")).item()
    yield from batches(original, Wanted(runner, inputs, int(epochs), int(trials), size, steps, randomize, given), tell)


def by_psyneulinks_compiler(composition: Any, mode: str) -> UnsupportedFeature:
    """The message about learning in a compiled mode, which PsyNeuLink prepares by another copy than PyTorch's."""
    return UnsupportedFeature(
        f"AutodiffComposition {composition.name!r}", f"learn() is called with ExecutionMode.{mode}", "use ExecutionMode.PyTorch"
    )


def batches(original: Original, wanted: Wanted, tell: Callable[[Any, CogirError], None]) -> Generator[Any]:
    """
    The batches that PyTorch is to learn from; those between are learned from natively. `tell` says why that is not possible, or raises.
    """
    size = wanted.minibatch_size
    if wanted.optimizations != 1 and (size > 1 or type(wanted.optimizations) is not int):  # of which PsyNeuLink makes an error
        yield from wanted.whole(original)
        return
    copy = wanted.composition.parameters.pytorch_representation.get(wanted.context)
    session: LearningSession | None = None
    if wanted.count >= FEWEST:
        try:
            wanted.check()
            session = session_of(wanted.composition, copy, wanted.context.execution_id)
            session.take_rows(wanted)
        except CogirError as error:
            tell(wanted.composition, error)
            session = None
    if session is None:
        yield from wanted.whole(original)
        return
    orders = wanted.orders()
    before = session.weights()
    session.take_numbers()
    yield from wanted.part(orders[0, :size].tolist(), original, size)
    trials = wanted.num_trials * wanted.optimizations
    last = trials - (trials - 1) % size - 1
    starts = np.arange(wanted.epochs)[:, None] * trials + np.arange(0, trials, size)
    try:
        session.agree(orders[0, :size], before)
        session.learn(orders.ravel(), starts.ravel()[1:], wanted)
    except Disagreement as error:
        kept(copy, LastSession).found = error
        tell(wanted.composition, error)
        for epoch, order in enumerate(orders.tolist()):
            if rest := order[size:] if epoch == 0 else order:
                yield from wanted.part(rest, original, size)
        return
    yield from wanted.part(orders[-1, last:].tolist(), original, size)


def session_of(composition: Any, copy: Any, execution_id: Any) -> LearningSession:
    """The session of a Composition's copy in PyTorch; raises why there is none."""
    last = kept(copy, LastSession)
    found = last.found
    if isinstance(found, LearningSession) and not found.fits():
        found = None
    if found is None:
        try:
            found = LearningSession(composition, copy, execution_id)
        except UnsupportedFeature as error:
            found = error
        except Exception as error:  # what is not expected here must lead to PyTorch, not to a failure of the script
            found = UnsupportedFeature(
                f"AutodiffComposition {composition.name!r}", f"it does not learn natively: {error}", "let PyTorch learn"
            )
        last.found = found
    if isinstance(found, UnsupportedFeature):
        raise found
    return found


class LearningSession:
    """The compiled form of an AutodiffComposition that learns, for one copy of it in PyTorch."""

    @noted_compiling()
    def __init__(self, composition: Any, copy: Any, execution_id: Any):
        self.composition, self.copy = composition, copy
        self.torch = import_module("torch")
        self.model: LearningModel = learning_model(composition, copy, execution_id)
        self.learner: Learner = learner_of(source_of(self.model.imported.model, learning=True), "run", Options(entry="learn", flags=()))
        self.context: NativeContext = self.learner.new_context()
        for note in self.model.notes:
            warn_by_name(note, LearningWarning)
        self.plan = self.learner.plan
        self.optimizer = type(copy.optimizer).__name__
        self.tables: list[Floats] = []
        for path, value in self.model.numbers.items():
            self.context.pf[self.plan.slots[path].words] = value

    def fits(self) -> bool:
        """True if the same is learned, in the same way, as when this was compiled."""
        learned = [wrapper for wrapper in self.model.matrices.values() if wrapper.matrix.requires_grad]
        return learned == self.model.learned and type(self.copy.optimizer).__name__ == self.optimizer

    def refuse(self, feature: str, remedy: str = "let PyTorch learn") -> UnsupportedFeature:
        return UnsupportedFeature(f"AutodiffComposition {self.composition.name!r}", feature, remedy)

    # What PsyNeuLink and PyTorch hold

    def take_rows(self, wanted: Wanted) -> None:
        """The inputs of all trials."""
        slots = [self.plan.slots[f"in:{name}"] for name in self.plan.inputs]
        taken: list[tuple[slice, Floats]] = []
        by_node: dict[Any, list[PlanSlot]] = {}
        for (node, _), slot in zip(self.model.inputs, slots, strict=True):
            by_node.setdefault(node, []).append(slot)
        for node, parts in by_node.items():
            if node not in wanted.inputs:
                raise self.refuse(f"its node {node.name!r} gets no input", "give inputs for all of its INPUT nodes")
            given = wanted.inputs[node]
            try:
                values = np.array(
                    [np.concatenate([np.ravel(np.asarray(item, float)) for item in trial]) for trial in as_rows(given, parts)]
                )
            except (TypeError, ValueError):
                raise self.refuse(f"the inputs of {node.name!r} are not numbers of its shape", "give one array for each trial") from None
            if values.ndim != 2 or values.shape[1] != sum(slot.size for slot in parts):
                raise self.refuse(
                    f"the shape of the inputs of {node.name!r} differs from the shape of its ports", "give one array for each trial"
                )
            start = 0
            chosen = np.arange(wanted.num_trials) % len(values)
            for slot in parts:
                taken.append((slot.words, values[chosen, start : start + slot.size]))
                start += slot.size
        inputs = GivenInputs(wanted.num_trials, taken)
        self.tables = [inputs.columns(*columns) for columns in self.learner.columns]

    def weights(self) -> dict[str, Floats]:
        """The matrices as they are in PyTorch."""
        return {path: wrapper.matrix.detach().cpu().numpy().copy() for path, wrapper in self.model.matrices.items()}

    def take_numbers(self) -> None:
        """The matrices and the numbers of the optimizer, as they are in PyTorch."""
        for path, matrix in self.weights().items():
            self.context.pf[self.plan.slots[path].words] = matrix.ravel()
        groups = self.copy.optimizer.param_groups
        of = {id(parameter): group for group in groups for parameter in group["params"]}
        chosen = [of[id(wrapper.matrix)] for wrapper in self.model.learned]
        rates = [np.full(wrapper.matrix.numel(), float(group["lr"])) for wrapper, group in zip(self.model.learned, chosen, strict=True)]
        self.put("param:rate", np.concatenate(rates))
        shared = {"decay": "weight_decay", "epsilon": "eps"} if self.optimizer == "Adam" else {"decay": "weight_decay"}
        for name, option in shared.items():
            self.put(f"param:{name}", self.same({float(group[option]) for group in chosen}, option))
        if self.optimizer == "Adam":
            for number, name in enumerate(("beta1", "beta2")):
                self.put(f"param:{name}", self.same({float(group["betas"][number]) for group in chosen}, "betas"))
            self.take_moments()

    def same(self, values: set[float], what: str) -> float:
        """The one value that an option has for all Projections."""
        if len(values) != 1:
            raise self.refuse(f"its Projections have different {what} in the optimizer", "give one for all")
        return values.pop()

    def put(self, name: str, value: Any) -> None:
        """Sets a parameter or a state of the optimizer."""
        slot = self.plan.slots[f"{NAME}/{name}"]
        getattr(self.context, slot.buffer)[slot.words] = np.ravel(value)

    def take_moments(self) -> None:
        """Copies in the moments of Adam."""
        states = [self.copy.optimizer.state.get(wrapper.matrix) or None for wrapper in self.model.learned]
        if all(state is None for state in states):
            for name in ("first", "second", "steps"):
                self.put(f"state:{name}", 0.0)
            return
        held_states = [state for state in states if state is not None]
        if len(held_states) != len(states) or len({float(state["step"]) for state in held_states}) != 1:
            raise self.refuse("some of its Projections have been learned by Adam for more steps than others", "learn all of them together")
        for name, held in (("first", "exp_avg"), ("second", "exp_avg_sq")):
            self.put(f"state:{name}", np.concatenate([state[held].detach().numpy().ravel() for state in held_states]))
        self.put("state:steps", float(held_states[0]["step"]))

    def give_numbers(self) -> None:
        """Puts what was learned into PyTorch."""
        with self.torch.no_grad():
            for path, wrapper in self.model.matrices.items():
                if wrapper.matrix.requires_grad:
                    slot = self.plan.slots[path]
                    matrix = self.context.pf[slot.words].reshape(tuple(wrapper.matrix.shape)).copy()
                    wrapper.matrix.copy_(self.torch.from_numpy(matrix))
            if self.optimizer == "Adam":
                self.give_moments()

    def give_moments(self) -> None:
        """Puts what Adam carries on into PyTorch."""
        held = {name: self.context.sf[self.plan.slots[f"{NAME}/state:{name}"].words] for name in ("first", "second", "steps")}
        start = 0
        for wrapper in self.model.learned:
            state, size = self.copy.optimizer.state[wrapper.matrix], wrapper.matrix.numel()
            state["step"].fill_(float(held["steps"][0]))
            for name, average in (("first", "exp_avg"), ("second", "exp_avg_sq")):
                part = held[name][start : start + size].reshape(tuple(wrapper.matrix.shape)).copy()
                state[average].copy_(self.torch.from_numpy(part))
            start += size

    # Learning

    def agree(self, trials: Words, before: Mapping[str, Floats]) -> None:
        """Learns natively from the batch that PyTorch has just learned from, and compares."""
        one = Batches.of(self.tables, trials, np.array([0, len(trials)]), self.plan.size("out"))
        self.learner.learn(self.context, one)
        changes: list[tuple[Floats, Floats]] = []
        for path, matrix in self.weights().items():
            mine = self.context.pf[self.plan.slots[path].words].reshape(matrix.shape)
            changes.append((mine - before[path], matrix - before[path]))
        rounding = 4.0 * np.finfo(float).eps * max(float(np.abs(matrix).max()) for matrix in before.values())
        largest = max(float(np.abs(theirs).max()) for _, theirs in changes)
        apart = max(float(np.abs(mine - theirs).max()) for mine, theirs in changes)
        mine, theirs = self.results(one.out), list(self.copy.all_output_values)
        mine, theirs = (np.concatenate([np.ravel(np.asarray(item, float)) for trial in each for item in trial]) for each in (mine, theirs))
        near = np.abs(mine - theirs).max() <= AGREEMENT * np.abs(theirs).max() + rounding
        if not (apart <= AGREEMENT * largest + rounding and near):
            raise Disagreement(
                f"AutodiffComposition {self.composition.name!r}",
                "the results of PyTorch and cogir for the first batch differ (were Parameters changed after it first learned?)",
                "let PyTorch learn",
            )

    def learn(self, order: Words, starts: Words, wanted: Wanted) -> None:
        """Learns from the batches that begin at `starts`, up to the last one, which begins there; leaves PyTorch as if it had."""
        self.take_numbers()
        given = Batches.of(self.tables, order[starts[0] : starts[-1]], starts - starts[0], self.plan.size("out"))
        done = 0
        try:
            done = self.learner.learn(self.context, given)
        except KeyboardInterrupt:
            done = self.context.progress.done
            raise
        finally:
            self.check_range(given.out[: given.starts[done]], given.losses[:done])
            self.give_numbers()
            self.retain(given, done, wanted)

    def check_range(self, out: Floats, losses: Floats) -> None:
        """Leaves to PyTorch what is beyond the numbers: there, its formulas overflow in another way."""
        large = any(
            np.abs(out[:, self.plan.slots[f"out:{name}"].words]).max(initial=0.0) >= limit for name, limit in self.model.limits.items()
        )
        unlikely = any(
            np.abs(out[:, self.plan.slots[f"out:{name}"].words] - 0.5).max(initial=0.0) > 0.5 - SMALLEST
            for name in self.model.probabilities
        )
        if unlikely:
            raise Disagreement(
                f"AutodiffComposition {self.composition.name!r}",
                "its samples are too close to 0 or 1 for their logarithms",
                "let PyTorch learn",
            )
        if large or not (np.isfinite(losses).all() and np.isfinite(self.context.pf).all()):
            raise Disagreement(
                f"AutodiffComposition {self.composition.name!r}", "its weights grow without bound", "give a smaller learning_rate"
            )

    def retain(self, given: Batches, done: int, wanted: Wanted) -> None:
        """Adds the values that PsyNeuLink retains of each batch; `done`: the number of batches that are over."""
        copy, options = self.copy, wanted.rest["retain_in_pnl_options"]
        out = given.out[: given.starts[done]]
        copy.retained_results.extend(self.results(out))
        samples = len(copy.sample_wrappers)
        if options["losses"]:
            copy.retained_losses.extend(given.losses[:done, None].tolist())
        if options["sample_values"] and done:
            copy.retained_sample_values.append(self.retained(out, given.starts[: done + 1], self.model.samples[:samples]))
        if options["targets"] and done:
            copy.retained_targets.append(self.retained(out, given.starts[: done + 1], self.model.samples[samples:]))
        clock = self.composition.scheduler.get_clock(wanted.context)
        advance_clock(clock, done, [0] * done, [0] * done, time_scales())

    def results(self, out: Floats) -> list[Any]:
        """The results of trials as PsyNeuLink retains them."""
        slots = [self.plan.slots[f"out:{name}"] for name in self.plan.outputs[: self.model.outputs]]
        columns = [out[:, slot.words] for slot in slots]
        if len({column.shape[1] for column in columns}) == 1:
            return list(np.stack(columns, axis=1))
        return [[row.tolist() for row in trial] for trial in zip(*columns, strict=True)]

    def retained(self, out: Floats, starts: Words, groups: Sequence[Sequence[str]]) -> RetainedTensors:
        """Values of Mechanisms, batch by batch."""
        return RetainedTensors(
            self.torch, [[out[:, self.plan.slots[f"out:{name}"].words] for name in names] for names in groups], starts.tolist()
        )


def as_rows(given: Any, parts: Sequence[PlanSlot]) -> list[Any]:
    """The inputs of a Mechanism, trial by trial, each a list of what its ports get."""
    rows: list[Any] = []
    for trial in given:
        flat = trial if len(parts) > 1 else [trial]
        rows.append(flat)
    return rows


class RetainedTensors:
    """Values of Mechanisms in many batches, each an array of PyTorch (trials, 1, items, elements) when it is asked for."""

    def __init__(self, torch: Any, groups: list[list[Floats]], starts: list[int]):
        self.torch, self.groups, self.starts = torch, groups, starts

    def __iter__(self) -> Iterator[Any]:
        """All of them, batch by batch."""
        for first, last in zip(self.starts[:-1], self.starts[1:], strict=True):
            for items in self.groups:
                parts = [self.torch.from_numpy(item[first:last].copy()) for item in items]
                yield self.torch.stack(parts, dim=1).unsqueeze(1)
