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

from collections.abc import Callable, Generator, Mapping
from typing import Any

import numpy as np

from cogir.errors import CogirError
from cogir.psyneulink.learning.by_trial import RoundingDecides, TrialSession
from cogir.psyneulink.learning.import_copy import has_order
from cogir.psyneulink.learning.seen_at_once import FEWEST
from cogir.psyneulink.learning.session import Disagreement, LearningSession
from cogir.psyneulink.learning.wanted import Original, Wanted
from cogir.psyneulink.reader import UnsupportedFeature
from cogir.psyneulink.records import kept

MOST_LEADING = 8
"""From so many trials at most PyTorch learns at the beginning, where rounding decides what is learned from each."""


class LastSession:
    """The session of a copy of a Composition in PyTorch, or why there is none."""

    def __init__(self) -> None:
        self.found: LearningSession | UnsupportedFeature | None = None


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
    if session is None or (isinstance(session, TrialSession) and wanted.epochs * wanted.num_trials < FEWEST):
        yield from wanted.whole(original)
        return
    if isinstance(session, TrialSession):
        yield from trials_of(session, original, wanted, tell)
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


def trials_of(session: TrialSession, original: Original, wanted: Wanted, tell: Callable[[Any, CogirError], None]) -> Generator[Any]:
    """
    All optimizer steps of the trials that PyTorch is to learn from, for a Composition of which a trial leaves something to the next one.
    Beside the first trial, these are those after it of which rounding decides what is learned: all numbers are PyTorch's up to there.
    """
    orders, steps = wanted.drawn_orders(), wanted.optimizations
    trials = [trial for order in orders for trial in order]
    before = session.weights()
    session.take_numbers()
    session.take_state()
    yield from wanted.part(trials[:1], original, 1, steps)
    begun = 1
    try:
        session.agree_on_trial(trials[0], before, wanted)
        while True:
            try:
                session.learn_trials(trials[begun:-1], wanted)
                break
            except RoundingDecides as error:
                if error.trials > 0 or begun == MOST_LEADING:
                    raise
            yield from wanted.part(trials[begun : begun + 1], original, 1, steps)
            begun += 1
    except Disagreement as error:
        kept(session.copy, LastSession).found = error
        tell(wanted.composition, error)
        for epoch, order in enumerate(orders):
            if rest := order[max(0, begun - epoch * wanted.num_trials) :]:
                yield from wanted.part(rest, original, 1, steps)
        return
    yield from wanted.part(trials[-1:], original, 1, steps)


def session_of(composition: Any, copy: Any, execution_id: Any) -> LearningSession:
    """The session of a Composition's copy in PyTorch; raises why there is none."""
    last = kept(copy, LastSession)
    found = last.found
    if isinstance(found, LearningSession) and not found.fits():
        found = None
    if found is None:
        try:
            kind = TrialSession if has_order(composition, copy) else LearningSession
            found = kind(composition, copy, execution_id)
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
