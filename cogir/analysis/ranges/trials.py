"""
Ranges of a model: its `@init` and `@trial` walked for any number of trials, or for a given one.

Parameters keep their values from trial to trial, whatever they are; inputs may differ in every trial.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from cogir.analysis.ranges.loops import separated
from cogir.analysis.ranges.values import Elements, State, Value, joined, unknown
from cogir.analysis.ranges.walk import Walker

MOST_SINGLE = 32
"""So many trials are walked one by one; more are a loop."""


@dataclass
class TrialRanges:
    """The facts about the trials of a run."""

    outputs: Elements
    """The words of `out`, over all trials."""
    floats: Elements
    integers: Elements
    """The words of the state after a trial (`sf`, `si`), over all trials."""
    status: Value
    trials: list[Elements]
    """The words of `out` in each trial, where they were walked one by one."""


class LoweredTrials:
    """The trials of a lowered model; `inputs` makes the inputs of a trial."""

    def __init__(self, walker: Walker, parameters: tuple[Elements, Elements], inputs: Callable[[], Elements]):
        self.walker = walker
        self.parameters = parameters
        self.inputs = inputs
        arguments = walker.functions["trial"].body.block.args[5:]
        self.generators = [unknown(argument.type) for argument in arguments]

    def start(self) -> State:
        """The state before the first trial."""
        return [*self.walker.function("init", self.parameters), *self.generators]

    def once(self, state: State) -> State:
        """The results of a trial: the next state, the outputs, and the status."""
        return self.walker.function("trial", [*self.parameters, self.inputs(), *state])

    def run(self, count: int | None) -> TrialRanges:
        """The ranges over so many trials, or any number of them."""
        state = self.start()
        if count is not None and count <= MOST_SINGLE:
            found: list[State] = []
            for _ in range(max(count, 1)):
                found.append(self.once(state))
                state = [separated(each) for each in found[-1][: len(state)]]
            every = found[0]
            for each in found[1:]:
                every = [joined(a, b) for a, b in zip(every, each, strict=True)]
            return self.result(every, [cast(Elements, each[-2]) for each in found])
        head = self.walker.settled(self.walker.functions["trial"], state, lambda each: self.once(each)[: len(each)])
        return self.result(self.once(head), [])

    def result(self, results: State, trials: list[Elements]) -> TrialRanges:
        floats, integers = (cast(Elements, each) for each in results[:2])
        return TrialRanges(cast(Elements, results[-2]), floats, integers, results[-1], trials)
