"""
An AutodiffComposition that has a copy in PyTorch, compiled to learn, and what PyTorch and PsyNeuLink hold of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any

import numpy as np

from cogir.callers import warn_by_name
from cogir.frontend.compile import source_of
from cogir.psyneulink.history import noted_compiling
from cogir.psyneulink.learning.import_autodiff import NAME, SMALLEST, LearningModel, learning_model
from cogir.psyneulink.learning.wanted import Wanted
from cogir.psyneulink.pnl import time_scales
from cogir.psyneulink.reader import UnsupportedFeature
from cogir.psyneulink.state.executions import advance_clock
from cogir.runtime.context import NativeContext
from cogir.runtime.inputs import GivenInputs
from cogir.runtime.learning import Batches, Learner, LearningWarning, learner_of
from cogir.runtime.options import Options
from cogir.runtime.plan import Floats, PlanSlot, Words

AGREEMENT = 1e-9
"""The largest difference between the changes of weights by the first batch and those in PyTorch, relative to the largest change."""


class Disagreement(UnsupportedFeature):
    """PyTorch and cogir learn different things from one batch."""


class LearningSession:
    """The compiled form of an AutodiffComposition that learns, for one copy of it in PyTorch."""

    @noted_compiling()
    def __init__(self, composition: Any, copy: Any, execution_id: Any):
        self.composition, self.copy = composition, copy
        self.torch = import_module("torch")
        self.execution_id = execution_id
        self.model: LearningModel = self.read_model(execution_id)
        self.learner: Learner = learner_of(source_of(self.model.model, learning=True), "run", Options(entry="learn", flags=()))
        self.context: NativeContext = self.learner.new_context()
        for note in self.model.notes:
            warn_by_name(note, LearningWarning)
        self.plan = self.learner.plan
        self.optimizer = type(copy.optimizer).__name__
        self.tables: list[Floats] = []
        for path, value in self.model.numbers.items():
            self.context.pf[self.plan.slots[path].words] = value
        self.prepare()

    def read_model(self, execution_id: Any) -> LearningModel:
        """The model that learns."""
        return learning_model(self.composition, self.copy, execution_id)

    def prepare(self) -> None:
        """Makes what is needed beside the compiled model."""

    def fits(self) -> bool:
        """True if the same is learned, in the same way, as when this was compiled."""
        learned = [wrapper for wrapper in self.model.matrices.values() if wrapper.matrix.requires_grad]
        return learned == self.model.learned and type(self.copy.optimizer).__name__ == self.optimizer

    def refuse(self, feature: str, remedy: str = "let PyTorch learn") -> UnsupportedFeature:
        return UnsupportedFeature(f"AutodiffComposition {self.composition.name!r}", feature, remedy)

    # What PsyNeuLink and PyTorch hold

    def take_rows(self, wanted: Wanted) -> None:
        """Takes the inputs of all trials."""
        inputs = GivenInputs(wanted.num_trials, self.read_rows(wanted))
        self.tables = [inputs.columns(*columns) for columns in self.learner.columns]

    def slots_of_inputs(self) -> list[PlanSlot]:
        """The slots of the inputs of a trial."""
        return [self.plan.slots[f"in:{name}"] for name in self.plan.inputs]

    def read_rows(self, wanted: Wanted) -> list[tuple[slice, Floats]]:
        """The inputs of all trials, each with its columns."""
        slots = self.slots_of_inputs()
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
        return taken

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
        self.compare(before, self.results(one.out))

    def compare(self, before: Mapping[str, Floats], results: Sequence[Any], others: Iterable[tuple[Floats, Floats]] = ()) -> None:
        """Compares weights and results with those of PyTorch, and other numbers; `before`: the weights before the batch."""
        changes: list[tuple[Floats, Floats]] = []
        for path, matrix in self.weights().items():
            mine = self.context.pf[self.plan.slots[path].words].reshape(matrix.shape)
            changes.append((mine - before[path], matrix - before[path]))
        rounding = 4.0 * np.finfo(float).eps * max(float(np.abs(matrix).max()) for matrix in before.values())
        largest = max(float(np.abs(theirs).max()) for _, theirs in changes)
        apart = max(float(np.abs(mine - theirs).max()) for mine, theirs in changes)
        both = results, list(self.copy.all_output_values)
        shown = [np.concatenate([np.ravel(np.asarray(item, float)) for trial in each for item in trial]) for each in both]
        pairs = [(shown[0], shown[1]), *others]
        near = all(
            np.abs(mine - theirs).max(initial=0.0) <= AGREEMENT * np.abs(theirs).max(initial=0.0) + rounding for mine, theirs in pairs
        )
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
        return self.results_in([self.plan.slots[f"out:{name}"] for name in self.plan.outputs[: self.model.outputs]], out)

    def results_in(self, slots: Sequence[PlanSlot], out: Floats) -> list[Any]:
        """The results of trials, of which the outputs stand in these slots."""
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
