"""
What a call of `AutodiffComposition.learn` in PyTorch mode asks for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cogir.psyneulink.importer.survey import Survey
from cogir.psyneulink.learning.batches import BatchesAsked
from cogir.psyneulink.pnl import is_reporting
from cogir.psyneulink.reader import UnsupportedFeature
from cogir.psyneulink.records import kept
from cogir.psyneulink.state.logged_values import Logged, conditions_set, notice_log_conditions, with_condition
from cogir.psyneulink.state.trace import all_alike, trace_of
from cogir.runtime.plan import Words

Original = Callable[..., Iterator[Any]]


def is_executed_once(composition: Any) -> bool:
    """True if the schedule of a Composition executes each node once in a trial, after those that send to it."""
    calls: Mapping[Any, int] = trace_of(composition).calls if all_alike(composition) else {}
    return all(calls.get(node) == 1 for node in composition.nodes)


class LastLook:
    """When it was last seen that nothing of a Composition has a log condition, and how large it was then."""

    def __init__(self) -> None:
        self.unlogged: tuple[int, int, int] | None = None


@dataclass(frozen=True)
class Wanted(BatchesAsked):
    """The arguments of the runner of a Composition that learns."""

    rest: Mapping[str, Any]
    """The other arguments."""

    @property
    def context(self) -> Any:
        return self.rest.get("context")

    def check(self) -> None:
        """Refuses what PsyNeuLink does with single batches, and what is shown of them."""

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

    def part(self, trials: Sequence[int], original: Original, size: int, steps: int = 1) -> Iterator[Any]:
        """PsyNeuLink's own generator for some of the trials, in this order, in batches of so many, each learned from so often."""
        rows = [*trials, *trials] if len(trials) == 1 else trials  # PsyNeuLink reads a single trial otherwise, about which NumPy warns
        inputs = {
            node: taken(values, [trial % len(values) for trial in (rows if len(values) > 1 else trials)])
            for node, values in self.inputs.items()
        }
        given = dict(self.rest, inputs=inputs, epochs=1, num_trials=len(trials), minibatch_size=size, randomize=False)
        given["optimizations_per_minibatch"] = steps
        return original(self.runner, **given)

    def whole(self, original: Original) -> Iterator[Any]:
        """PsyNeuLink's own generator for all trials."""
        given = dict(self.rest, inputs=self.inputs, epochs=self.epochs, num_trials=self.num_trials, minibatch_size=self.minibatch_size)
        given["optimizations_per_minibatch"] = self.optimizations
        return original(self.runner, **given, randomize=self.randomize)


def taken(values: Any, places: Sequence[int]) -> Any:
    """Some of the inputs."""
    return [values[place] for place in places] if type(values) is list else values[list(places)]
