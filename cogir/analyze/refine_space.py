"""
`cogir.analyze.refine`: the region of a parameter space in which an objective is best, found by ranges, without running the model.

Each round halves the boxes that are left, along their longest ranges, and finds the range of the objective over each half, for all inputs
and draws that are allowed. A half whose range lies beyond that of another one cannot hold the optimum, whatever is drawn; it is dropped for
certain. Of the others, those with the best guarantees go on: the guarantee of a box is the worst end of its range. Boxes with equal
guarantees go on together, or none of them: nothing is chosen by its position. An infinite guarantee is none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite, prod
from typing import Any, Literal, cast

import numpy as np

from cogir.analysis.ranges.trials import LoweredTrials
from cogir.analyze.boxes import Ends, Given, ParameterBox, in_words, split_ends
from cogir.analyze.output_ranges import Draws, RangedModel, count_of, is_number, sigmas_of, whole_number
from cogir.analyze.output_ranges_result import PortRange
from cogir.analyze.refinement import RefinedBox, Refinement
from cogir.analyze.split_draws import Draw, Part, PartialWalker, combinations, single_draws
from cogir.callers import ends_at_caller
from cogir.errors import InputError, did_you_mean, shown, there_is
from cogir.labelled.names import path_of

DIRECTIONS = ("minimize", "maximize")
MOST_SPLIT = 2
"""The most draws whose ranges are split."""
MOST_BOXES, MOST_BLIND = 64, 16
"""With more boxes than this, and more than are kept, that have one guarantee, or none, the search ends."""


class Refiner:
    """Refines the region of one objective."""

    def __init__(self, ranged: RangedModel, free: Mapping[str, Ends], objective: str, minimizes: bool, trials: int | None, draws: Draws):
        """`free`: the ranges of the parameters at the start, by path."""
        self.ranged = ranged
        self.free = free
        self.objective = objective
        self.minimizes = minimizes
        self.trials = trials
        self.draws = draws
        self.split: list[Draw] = []
        """The draws whose ranges are split."""
        self.parts = 1
        """The number of parts of each."""
        self.walks = 0
        """The number of ranges that were computed."""
        self.limit = np.inf if minimizes else -np.inf
        """The best guarantee of any box so far: no worse value is the optimum, for any draws."""
        self.reason: str | None = None
        """The operation that leaves some box without a guarantee."""
        self.tied = 0
        """The number of boxes with one guarantee that were too many to go on with."""

    def range_of(self, box: ParameterBox, number: int) -> RefinedBox:
        """The range of the objective over a box, in a round: over all parts of the draws that are split."""
        found = [self.range_with(box, parts) for parts in combinations(self.split, self.parts)]
        ends = {in_words(path): (box.parameters[path][0].item(), box.parameters[path][1].item()) for path in self.free}
        share = prod(self.share(box, path) for path in self.free)
        low, high = min(each.low.item() for each in found), max(each.high.item() for each in found)
        return RefinedBox(number, ends, low, high, any(each.nan.item() for each in found), share)

    def range_with(self, box: ParameterBox, parts: Mapping[Draw, Part]) -> PortRange:
        """The range of the objective over a box, with draws in parts of their ranges."""
        self.walks += 1
        walker = PartialWalker(self.ranged.module, parts, sigmas=sigmas_of(self.draws, "refine"))
        boxed = self.ranged.boxed
        trials = LoweredTrials(walker, boxed.parameters(box), lambda: boxed.trial_inputs(box))
        found = self.ranged.ports(trials.run(self.trials).outputs)[self.objective]
        worst = found.high if self.minimizes else found.low
        if self.reason is None and (found.nan.any() or not np.isfinite(worst).all()):
            self.reason = self.ranged.reason(trials, box, f"out:{self.objective}")
        return found

    def split_draws(self, start: ParameterBox, parts: int) -> None:
        """Splits the draws that matter most in the middle of the space: those that narrow the range most if they are zero."""
        if parts == 1 or self.trials != 1:
            return
        middle = start
        for path, ends in self.free.items():
            centre = split_ends(ends, 2)[0][1]
            middle = middle.with_ends(path, (centre, centre))

        def width(draw: Draw) -> float:
            return self.range_with(middle, {draw: (0.5, 0.5)}).width.item()

        self.split = sorted(single_draws(self.ranged.module), key=width)[:MOST_SPLIT]
        self.parts = parts

    def share(self, box: ParameterBox, path: str) -> float:
        """The part of the range of a parameter that a box has."""
        return length_of(box.parameters[path]) / length_of(self.free[path])

    def guarantee(self, box: RefinedBox) -> float:
        """The worst value in a box; NaN, which an objective may be, counts as the worst of all."""
        worst = np.inf if self.minimizes else -np.inf
        return worst if box.nan else box.high if self.minimizes else box.low

    def is_hopeless(self, box: RefinedBox) -> bool:
        """True if all values in a box are worse than a guarantee."""
        return box.low > self.limit if self.minimizes else box.high < self.limit

    def best(self, boxes: Sequence[tuple[ParameterBox, RefinedBox]], keep: int) -> list[tuple[ParameterBox, RefinedBox]]:
        """The boxes with the best guarantee, and, group by group, those with the next ones, as long as all of a group are among `keep`."""
        groups: dict[float, list[tuple[ParameterBox, RefinedBox]]] = {}
        for pair in boxes:
            groups.setdefault(self.guarantee(pair[1]), []).append(pair)
        best: list[tuple[ParameterBox, RefinedBox]] = []
        for guarantee in sorted(groups, reverse=not self.minimizes):
            if best and len(best) + len(groups[guarantee]) > keep:
                break
            best += groups[guarantee]
        return best

    def halves(self, box: ParameterBox) -> list[ParameterBox]:
        """The halves of a box along the range that is longest, compared with its length at the start; a point has none."""
        long = [path for path in self.free if (box.parameters[path][0] < box.parameters[path][1]).all()]
        if not long:
            return [box]
        path = max(long, key=lambda each: self.share(box, each))
        return [box.with_ends(path, part) for part in split_ends(box.parameters[path], 2)]

    def refine(self, start: ParameterBox, rounds: int, narrow: float, keep: int) -> tuple[list[RefinedBox], list[RefinedBox]]:
        """All boxes with their ranges, round by round, and those that are left."""
        seen: list[RefinedBox] = []
        left = [start]
        last: list[tuple[ParameterBox, RefinedBox]] = []
        for number in range(1, rounds + 1):
            parts = [half for box in left for half in self.halves(box)]
            found = [(part, self.range_of(part, number)) for part in parts]
            guarantees = [self.guarantee(each) for _, each in found]
            self.limit = min(self.limit, *guarantees) if self.minimizes else max(self.limit, *guarantees)
            hopeful = [pair for pair in found if not self.is_hopeless(pair[1])]
            last = self.best(hopeful, keep)
            for _, each in found:
                each.fate = "worse for certain" if self.is_hopeless(each) else "left" if any(each is one for _, one in last) else "worse"
            seen += [each for _, each in found]
            left = [part for part, _ in last]
            if sum(each.share for _, each in last) <= narrow and isfinite(self.limit):
                break
            if len(left) > max(keep, MOST_BOXES if isfinite(self.limit) else MOST_BLIND):
                self.tied = len(left)
                break
        return seen, [each for _, each in last]


def length_of(ends: Ends) -> float:
    """The length of a range, or the number of its whole numbers."""
    low, high = (end.item() for end in ends)
    return high - low + 1 if ends[0].dtype.kind == "i" else high - low


def objective_of(ranged: RangedModel, objective: Any) -> str:
    """The output that is the objective, by name: one number."""
    known = {in_words(path): path for path in ranged.layout.outputs}
    wanted = path_of(objective)
    found = next((name for name in known if name == wanted or name.startswith(wanted + "/")), None)
    if found is None:
        raise InputError(f'refine: objective: there is no output "{wanted}"{did_you_mean(wanted, list(known)) or there_is(list(known))}')
    if ranged.layout[known[found]].size != 1:
        raise InputError(f'refine: objective "{found}" has several elements; give an output that is one number')
    return found


@ends_at_caller
def refine(
    model: Any,
    parameters: Given,
    inputs: Given = None,
    *,
    objective: Any,
    direction: Literal["minimize", "maximize"] = "minimize",
    trials: int | None = 1,
    draws: Draws = "largest",
    rounds: int = 10,
    narrow: float = 0.01,
    keep: int = 4,
    draw_parts: int = 1,
) -> Refinement:
    """
    The region of a parameter space in which an objective is best, narrowed round by round by ranges; the model is not run.

    `model`, `parameters`, `inputs`, `trials` and `draws` are those of `cogir.analyze.ranges`; at least one parameter has a range (a pair of
    numbers). `objective`: an output that is one number, best where it is least ("minimize") or greatest. Each of the `rounds` halves the
    boxes that are left, and the `keep` with the best guarantees go on; boxes with one guarantee go on together or not at all. It ends when
    those that are left are no more than the part `narrow` of the space. Where no box has a finite guarantee, nothing is narrowed; the
    result is false, and names the operation that makes the objective infinite or NaN.

    `draws=2.0` has all draws within two standard deviations; a guarantee then holds for runs without larger ones. `draw_parts`: the ranges
    of the two normal draws that matter most are split into so many parts, which gives narrower ranges for `draw_parts**2` times the work
    (only for one trial, and draws that it makes once).

    :raises ModelError: for what is no model. :raises InputError: for names that the model does not have, or a space without ranges.
    """
    if not isinstance(cast(object, direction), str) or direction not in DIRECTIONS:
        raise InputError(f"refine: direction is {shown(direction)}; give one of {', '.join(DIRECTIONS)}")
    rounds, keep, draw_parts = (
        whole_number(number, f"refine: {name}") for name, number in (("rounds", rounds), ("keep", keep), ("draw_parts", draw_parts))
    )
    if not is_share(narrow):
        raise InputError(f"refine: narrow is {shown(narrow)}; give a part of the space, a number from 0 to 1")
    ranged = RangedModel(model, "refine")
    start = ranged.boxed.box(parameters, inputs, "refine")
    free = {path: ends for path, ends in start.parameters.items() if (ends[0] < ends[1]).any()}
    if not free or any(low.size != 1 for low, _ in free.values()):
        raise InputError(
            'refine: parameters: give a pair (low, high) for at least one parameter that is a number, {"node/rate": (0.0, 1.0)}'
        )
    for path, ends in free.items():
        if not isfinite(length_of(ends)):
            raise InputError(f'refine: the range of "{in_words(path)}" has no finite length, and so no halves; give ends that are nearer')
    refiner = Refiner(ranged, free, objective_of(ranged, objective), direction == "minimize", count_of(trials, "refine"), draws)
    refiner.split_draws(start, draw_parts)
    seen, left = refiner.refine(start, rounds, narrow, keep)
    return Refinement(
        ranged.model.name,
        refiner.objective,
        direction,
        space={in_words(path): (low.item(), high.item()) for path, (low, high) in free.items()},
        boxes=seen,
        left=left,
        guarantee=refiner.limit,
        narrow=narrow,
        draws=sigmas_of(draws, "refine") if ranged.layout.generators else None,
        has_draws=bool(ranged.layout.generators),
        walks=refiner.walks,
        reason=refiner.reason,
        tied=refiner.tied,
    )


def is_share(value: Any) -> bool:
    """True for a number from 0 to 1."""
    return is_number(value) and 0.0 <= value <= 1.0
