"""
`AutodiffComposition.learn`, natively, for Compositions of which a trial leaves something to the next one (`import_copy`).

Optimizer step after optimizer step is one native call. In between stands what PyTorch does apart from computing and learning: nodes
that are executed in some of the steps of a trial only keep what they sent before, and the fields of an EMComposition store what they were
asked for in the place of the entry that is the weakest. All steps of the first and of the last trial are PyTorch's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cogir.psyneulink.learning.import_copy import CopyReader, FieldMemory, TrialModel, passes_on
from cogir.psyneulink.learning.session import Disagreement, LearningSession
from cogir.psyneulink.learning.wanted import Wanted
from cogir.psyneulink.pnl import function_in_pytorch, random_state_in_pytorch, stores_in_step
from cogir.runtime.learning import Batches
from cogir.runtime.plan import Floats, PlanSlot

CERTAIN = 1e-6
"""Nearer to 1 than this, rounding decides about derivatives of BINARY_CROSS_ENTROPY by a sample whose target is not 1."""

TIE = 1e-6
"""Norms of entries that differ by less than this, relative to them, may have another order in PyTorch; so may a number and a threshold."""


@dataclass
class StepsMade:
    """The optimizer steps that were made natively, and what came of them."""

    out: Floats
    losses: Floats
    done: int = 0
    trials: int = 0
    """The number of trials of which all steps are done."""
    is_compared: bool = False
    """True if PyTorch makes these steps, too."""


class RoundingDecides(Disagreement):
    """Rounding decides what is learned from a trial, and cogir may round otherwise than PyTorch."""

    def __init__(self, name: str, feature: str, trials: int):
        super().__init__(f"AutodiffComposition {name!r}", f"rounding decides {feature}", "let PyTorch learn")
        self.trials = trials
        """The number of trials before it that were learned from natively."""


class TrialSession(LearningSession):
    """The compiled form of an AutodiffComposition of which a trial leaves something to the next one."""

    trials: TrialModel

    def read_model(self, execution_id: Any) -> TrialModel:
        self.trials = CopyReader(self.composition, self.copy, execution_id).read()
        return self.trials

    def prepare(self) -> None:
        if len(self.learner.columns) != 1:
            raise self.refuse("its inputs are several tables")
        width = self.plan.size("in")
        self.row = np.zeros((1, width))
        """The inputs of a trial, with what was left by the trial before."""
        self.one = Batches.of([self.row], np.zeros(1, np.int64), np.array([0, 1]), self.plan.size("out"))
        self.warned: set[str] = set()
        """The outputs of trials that were below 0 where PyTorch warns of it."""
        self.carried = [(one, self.row[0, self.given(one.input).words], self.shown(one.output).words) for one in self.trials.carried]
        self.memories = [(one, self.memory_in_row(one), self.shown(one.query).words) for one in self.trials.memories]
        self.width = max(self.shown(name).words.stop for name in self.plan.outputs[: self.model.outputs])
        """The number of words of what PyTorch retains of a trial, which come first."""
        self.stored = [0] * len(self.memories)
        """The number of times that something was stored in each memory."""

    def memory_in_row(self, one: FieldMemory) -> Floats:
        """The place of a memory in the inputs of a trial."""
        return self.row[0, self.given(one.input).words].reshape(tuple(one.wrapper.function.function.get_memory().shape))

    def given(self, name: str) -> PlanSlot:
        """The slot of an input of a trial."""
        return self.plan.slots[f"in:{name}"]

    def shown(self, name: str) -> PlanSlot:
        """The slot of an output of a trial."""
        return self.plan.slots[f"out:{name}"]

    def fits(self) -> bool:
        integrate = all(bool(one.parameters.integrator_mode.get(self.execution_id)) == mode for one, mode in self.trials.integrating)
        return super().fits() and integrate and all(map(passes_on, self.trials.fixed))

    # What PyTorch holds

    def slots_of_inputs(self) -> list[PlanSlot]:
        return [self.given(name) for name in self.trials.places]

    def take_rows(self, wanted: Wanted) -> None:
        if wanted.minibatch_size != 1:
            raise self.refuse("it learns from batches of several trials", "use a minibatch_size of 1")
        known = [node for node, _ in self.model.inputs]
        others = [node for node in wanted.inputs if node not in known]
        if others:
            raise self.refuse(
                f"it gets an input for {getattr(others[0], 'name', others[0])!r}", "give inputs for all of its INPUT nodes only"
            )
        for one in self.trials.memories:
            self.check_storage(one.wrapper, wanted.context)
        for place, port in self.trials.constants.items():
            self.row[0, self.given(place).words] = np.ravel(np.asarray(port.defaults.variable, float))
        self.rows = self.read_rows(wanted)

    def check_storage(self, wrapper: Any, context: Any) -> None:
        """Refuses what PyTorch would do other than store an entry as it is."""
        if wrapper.composition.parameters.differentiable_storage.get(context):
            raise self.refuse("the storage of its EMComposition is differentiable", "leave differentiable_storage out")
        if float(np.asarray(function_in_pytorch(wrapper.function).parameters.storage_prob.get(context)).item()) != 1.0:
            raise self.refuse("its EMComposition stores with a probability", "use a storage_prob of 1")

    def take_state(self) -> None:
        """Copies in what PyTorch has left of the last trial."""
        for one, place, _ in self.carried:
            held = getattr(one.wrapper, one.attribute)
            place[:] = one.default if held is None else np.ravel(held.detach().numpy())
        for one, memory, _ in self.memories:
            memory[:] = one.wrapper.function.function.get_memory().detach().numpy()

    def state(self) -> list[Floats]:
        """Copies of all that a trial has left."""
        return [*(place.copy() for _, place, _ in self.carried), *(memory.copy() for _, memory, _ in self.memories)]

    def give_state(self) -> None:
        """Puts what the last trial has left into PyTorch."""
        with self.torch.no_grad():
            for one, place, _ in self.carried:
                held = getattr(one.wrapper, one.attribute)
                if held is None:  # of a node that is executed in steps which there are not
                    continue
                setattr(one.wrapper, one.attribute, self.torch.from_numpy(place.copy()).reshape(held.shape))
            for one, memory, _ in self.memories:
                one.wrapper.function.function.get_memory().copy_(self.torch.from_numpy(memory.copy()))
        for (one, _, _), stored in zip(self.memories, self.stored, strict=True):
            random_state_in_pytorch(one.wrapper).uniform(0, 1, stored)

    # Learning

    def learn_trial(self, trial: int, steps: int, made: StepsMade, wanted: Wanted) -> None:
        """Makes the optimizer steps of a trial."""
        for words, values in self.rows:
            self.row[0, words] = values[trial]
        for step in range(steps):
            before = self.context.pf.copy()
            self.learner.learn(self.context, self.one)
            out, place = self.one.out[0], made.done
            made.out[place], made.losses[place] = out[: self.width], self.one.losses[0]
            self.check_range(out[None], self.one.losses)
            if not made.is_compared:
                self.check_rounding(out, before, made)
            self.leave(out, step, made, wanted.context)
            made.done += 1
        made.trials += 1

    def leave(self, out: Floats, step: int, made: StepsMade, context: Any) -> None:
        """Leaves to later optimizer steps the values of nodes that are executed in this one, and stores what it stores."""
        for one, place, words in self.carried:
            steps = self.trials.steps.get(one.wrapper)
            if steps is None or step in steps:
                place[:] = out[words]
        stores = [number for number, (one, _, _) in enumerate(self.memories) if stores_in_step(one.wrapper, step, context)]
        weakest = [self.weakest(self.memories[number][0].rivals, made) for number in stores]
        for number, entry in zip(stores, weakest, strict=True):
            one, memory, words = self.memories[number]
            memory *= 1.0 - one.decay
            memory[entry] = out[words]
            self.stored[number] += 1

    def weakest(self, rivals: Iterable[Any], made: StepsMade) -> int:
        """The entry of memories with the smallest norm. Of equal ones it is the first, in PyTorch, too."""
        fields = [memory for one, memory, _ in self.memories if one.wrapper in rivals]
        norms = np.sum([np.linalg.norm(memory, axis=1) for memory in fields], axis=0)
        entry = int(np.argmin(norms))
        near = norms <= norms[entry] * (1.0 + TIE)
        if not made.is_compared and any((memory[near] != memory[entry]).any() for memory in fields):
            raise self.rounding("which entry of its memory is the weakest", made)
        return entry

    def rounding(self, feature: str, made: StepsMade) -> RoundingDecides:
        return RoundingDecides(self.composition.name, feature, made.trials)

    def check_rounding(self, out: Floats, before: Floats, made: StepsMade) -> None:
        """Leaves to PyTorch what rounding decides; `before`: the parameters before the step."""
        for one in self.trials.masked:
            variable = out[self.shown(one.variable).words]
            if one.variable not in self.warned and (variable < 0.0).any():
                self.warned.add(one.variable)
                one.in_pytorch(self.torch.from_numpy(variable.copy()))
            scaled = np.abs(one.gain * variable)
            if (np.abs(scaled - one.threshold) <= TIE * max(one.threshold, 1e-300)).any():
                raise self.rounding("what its SoftMax masks", made)
        for names in self.trials.entropies:
            sample, target = (out[self.shown(name).words] for name in names)
            if (sample < 0.0).any() or (sample > 1.0).any():
                raise self.rounding("that a sample of its BINARY_CROSS_ENTROPY is no probability", made)
            if ((sample > 1.0 - CERTAIN) & (target != 1.0)).any() and (before != self.context.pf).any():
                raise self.rounding("on derivatives by samples that are close to 1 while their targets are not", made)

    def new_steps(self, count: int) -> StepsMade:
        return StepsMade(np.empty((count, self.width)), np.empty(count))

    def finish(self, made: StepsMade) -> None:
        """Computes the losses that PyTorch has for steps, where cogir learns from a number with their derivatives."""
        if self.trials.entropies:
            made.losses[: made.done] = 0.0
            for names in self.trials.entropies:
                sample, target = (self.torch.from_numpy(made.out[: made.done, self.shown(name).words].copy()) for name in names)
                each = self.torch.nn.functional.binary_cross_entropy(sample, target, reduction="none")
                made.losses[: made.done] += each.mean(dim=1).numpy()

    def agree_on_trial(self, trial: int, weights: dict[str, Floats], wanted: Wanted) -> None:
        """Learns natively from the trial that PyTorch has just learned from, beginning with what stood before it, and compares."""
        steps = wanted.optimizations
        made = self.new_steps(steps)
        made.is_compared = True
        self.learn_trial(trial, steps, made, wanted)
        self.finish(made)
        mine = self.state()
        self.take_state()
        compared = [*zip(mine, self.state(), strict=True)]
        if wanted.rest["retain_in_pnl_options"]["losses"]:
            compared.append((made.losses, np.array(self.copy.retained_losses[-steps:], float).ravel()))
        self.compare(weights, self.results(made.out[-1:]), compared)

    def learn_trials(self, trials: Sequence[int], wanted: Wanted) -> None:
        """Learns from trials; leaves PyTorch as if it had."""
        self.take_numbers()
        self.take_state()
        self.stored = [0] * len(self.memories)
        made = self.new_steps(len(trials) * wanted.optimizations)
        try:
            for trial in trials:
                self.learn_trial(trial, wanted.optimizations, made, wanted)
        except KeyboardInterrupt:
            self.hand_over(made, wanted)
            raise
        self.hand_over(made, wanted)

    def hand_over(self, made: StepsMade, wanted: Wanted) -> None:
        """Puts what was learned, left and retained into PyTorch and PsyNeuLink."""
        self.finish(made)
        self.give_numbers()
        self.give_state()
        order = np.zeros(made.done, np.int64)
        given = Batches([], order, np.arange(made.done + 1), made.out, made.losses)
        self.retain(given, made.done, wanted)

    def results(self, out: Floats) -> list[Any]:
        return self.results_in([self.shown(name) for name in self.trials.results], out)
