"""
Ranges of a model: its `@init` and `@trial` walked for any number of trials, or for a given one.

Parameters keep their values from trial to trial, whatever they are; inputs may differ in every trial. If the ranges of the inputs are split
into parts, each trial has inputs out of any one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
    parts: list[Elements]
    """The words of `out` in trials with inputs out of each part, over all trials."""


class LoweredTrials:
    """The trials of a lowered model; each of `inputs` makes the inputs of a trial that lie in one part of their ranges."""

    def __init__(self, walker: Walker, parameters: tuple[Elements, Elements], *inputs: Callable[[], Elements]):
        self.walker = walker
        self.parameters = parameters
        self.inputs = inputs
        arguments = walker.functions["trial"].body.block.args[5:]
        self.generators = [unknown(argument.type) for argument in arguments]

    def start(self) -> State:
        """The state before the first trial."""
        return [*self.walker.function("init", self.parameters), *self.generators]

    def by_part(self, state: State) -> list[State]:
        """The results of a trial for each part of the inputs: the next state, the outputs, and the status."""
        found: list[State] = []
        for inputs in self.inputs:
            if len(self.inputs) > 1:
                self.walker.begin()
            found.append(self.walker.function("trial", [*self.parameters, inputs(), *state]))
        return found

    def once(self, state: State) -> State:
        """The results of a trial, whichever part its inputs lie in."""
        return either(self.by_part(state))

    def run(self, count: int | None) -> TrialRanges:
        """The ranges over so many trials, or any number of them."""
        state = self.start()
        if count is not None and count <= MOST_SINGLE:
            found: list[list[State]] = []
            for _ in range(max(count, 1)):
                found.append(self.by_part(state))
                state = [separated(each) for each in either(found[-1])[: len(state)]]
            return self.result([either(parts) for parts in zip(*found, strict=True)], [outputs_of(either(parts)) for parts in found])
        head = self.walker.settled(self.walker.functions["trial"], state, lambda each: self.once(each)[: len(each)])
        return self.result(self.by_part(head), [])

    def result(self, parts: Sequence[State], trials: list[Elements]) -> TrialRanges:
        results = either(parts)
        floats, integers = (cast(Elements, each) for each in results[:2])
        return TrialRanges(outputs_of(results), floats, integers, results[-1], trials, [outputs_of(each) for each in parts])


def either(results: Sequence[State]) -> State:
    """One of several results of a trial."""
    every = results[0]
    for each in results[1:]:
        every = [joined(a, b) for a, b in zip(every, each, strict=True)]
    return every


def outputs_of(results: State) -> Elements:
    """The outputs among the results of a trial."""
    return cast(Elements, results[-2])
