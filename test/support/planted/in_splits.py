"""Planted mistakes in splitting ranges: parts that do not hold all numbers of the whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from cogir.analysis.ranges import trials
from cogir.analyze import boxes, output_ranges, output_ranges_result

Plant = Callable[[pytest.MonkeyPatch], None]
PLANTS: dict[str, Plant] = {}


def plant(function: Plant) -> Plant:
    """Adds a plant under the name of its function."""
    PLANTS[function.__name__] = function
    return function


@plant
def parts_of_infinite_lengths(patch: pytest.MonkeyPatch) -> None:
    """`low + (high - low) * k / n`, which is NaN for infinite ends."""

    def parts(low: float, high: float, count: int) -> list[tuple[float, float]]:
        with np.errstate(all="ignore"):
            first, last = np.float64(low), np.float64(high)
            marks = [float(first + (last - first) * (each / count)) for each in range(count)] + [high]
        return list(pairwise(marks))

    patch.setattr(boxes, "_float_parts", parts)


@plant
def elements_in_step(patch: pytest.MonkeyPatch) -> None:
    """All elements of an array are in the part of one number."""

    def parts_of(box: boxes.ParameterBox, split: Mapping[boxes.Element, int]) -> Iterator[boxes.ParameterBox]:
        for at in range(max(split.values(), default=1)):
            part = box
            for (path, element), number in split.items():
                low, high = (end.copy() for end in part.ends(path))
                first, last = boxes.split_ends(tuple(end.reshape(-1)[element] for end in box.ends(path)), number)[at]  # pyright: ignore
                low.reshape(-1)[element], high.reshape(-1)[element] = first, last
                part = part.with_ends(path, (low, high))
            yield part

    patch.setattr(output_ranges, "parts_of", parts_of)


@plant
def inputs_keep_their_part(patch: pytest.MonkeyPatch) -> None:
    """The inputs of all trials lie in one part."""

    class Kept(trials.LoweredTrials):
        def run(self, count: int | None) -> trials.TrialRanges:
            every = [trials.LoweredTrials(self.walker, self.parameters, each) for each in self.inputs]
            found = [trials.LoweredTrials.run(each, count) for each in every]
            result: Any = found[0]
            result.outputs = trials.either([[each.outputs] for each in found])[0]
            result.parts = [each.outputs for each in found]
            return result

    patch.setattr(output_ranges, "LoweredTrials", Kept)


@plant
def the_last_part_is_left_out(patch: pytest.MonkeyPatch) -> None:
    before = boxes.split_ends

    def without_last(ends: boxes.Ends, count: int) -> list[boxes.Ends]:
        found = before(ends, count)
        return [*found[:-1], found[0]]

    patch.setattr(boxes, "split_ends", without_last)


@plant
def whole_numbers_as_bits(patch: pytest.MonkeyPatch) -> None:
    """The bits of outputs that are whole numbers are taken for a float."""
    before = output_ranges.at_machine
    patch.setattr(output_ranges, "at_machine", lambda model, **_: before(model))


@plant
def rounded_ends(patch: pytest.MonkeyPatch) -> None:
    """The ends of whole numbers are the nearest floats, beyond 2**53 too."""
    patch.setattr(output_ranges_result.PortRange, "of_whole_numbers", lambda port: port)
