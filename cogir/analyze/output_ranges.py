"""
`cogir.analyze.ranges`: between which numbers the outputs of a model lie, for ranges of its parameters and inputs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import prod
from typing import Any, Literal, cast

import numpy as np
from xdsl.dialects.builtin import i64

from cogir.analysis.layout import Layout, Slot
from cogir.analysis.ranges.elementary import LIBM_ULPS, PORTABLE_ULPS
from cogir.analysis.ranges.trials import LoweredTrials, TrialRanges, either
from cogir.analysis.ranges.unbounded import unbounded_origins
from cogir.analysis.ranges.values import Elements
from cogir.analysis.ranges.walk import Walker
from cogir.analysis.ranges.walking import Precision
from cogir.analyze.any_model import at_machine, model_of
from cogir.analyze.boxes import MOST_BOXES, BoxedModel, Element, Given, ParameterBox, in_words, parts_of
from cogir.analyze.output_ranges_result import OutputRanges, PortRange, unbounded_in_words
from cogir.callers import ends_at_caller
from cogir.errors import InputError, did_you_mean, shown, there_is
from cogir.frontend.compilable import Compilable
from cogir.irutils import element_type_of
from cogir.labelled.names import path_of
from cogir.runtime.recorded import recorded
from cogir.runtime.short_names import find_short

Draws = Literal["largest"] | float
PATIENT = Precision(unroll=500)
"""Decisions of a few hundred steps are followed to their ends."""
MOST_SIGMAS = 1000.0
"""No generator gives draws beyond so many standard deviations."""
MATHS = ("portable", "libm")


class RangedModel:
    """A model whose ranges are asked for."""

    def __init__(self, given: Any, what: str):
        self.what = what
        self.model: Compilable = model_of(given)
        self.module = at_machine(self.model, outputs_as_numbers=True)
        self.layout = Layout.from_module(self.module)
        self.boxed = BoxedModel(self.layout, recorded(self.model.source().build()).ranges)

    def walk(
        self, box: ParameterBox, trials: int | None, draws: Draws, math: str = "portable", inputs: Sequence[ParameterBox] = ()
    ) -> BoxRanges:
        """The ranges over the trials, for one box; `inputs` has the parts of the ranges of the inputs."""
        lowered = self.trials(box, draws, math, inputs=inputs)
        found = lowered.run(trials)
        return BoxRanges(found, self.ports(found.outputs), self.reasons(lowered, box, found.outputs))

    def trials(
        self,
        box: ParameterBox,
        draws: Draws,
        math: str = "portable",
        precision: Precision = PATIENT,
        inputs: Sequence[ParameterBox] = (),
    ) -> LoweredTrials:
        """The trials of the model, for one box."""
        walker = Walker(
            self.module,
            sigmas=sigmas_of(draws, self.what),
            ulps=PORTABLE_ULPS if math == "portable" else LIBM_ULPS,
            precision=precision,
        )
        return LoweredTrials(walker, self.boxed.parameters(box), *(partial(self.boxed.trial_inputs, each) for each in inputs or (box,)))

    def reasons(self, trials: LoweredTrials, box: ParameterBox, outputs: Elements) -> dict[str, str]:
        """Why outputs have no finite bounds, by name."""
        found: dict[str, str] = {}
        for path, port in self.ports(outputs).items():
            if not port.is_bounded:
                found[path] = self.reason(trials, box, f"out:{path}")
        return found

    def reason(self, trials: LoweredTrials, box: ParameterBox, path: str) -> str:
        """The origin of the infinity or NaN that an output can be."""
        walker = trials.walker
        words = self.layout[path].words
        number = len(walker.functions["trial"].function_type.outputs) - 2
        search = unbounded_origins(walker.functions, walker.facts, number, range(words.start, words.stop))
        free = box.free()
        remedy = f"; {' and '.join(free)} can be any finite number, give ranges of inputs" if free else ""
        origin = next((each for each in search.origins if each.place), next(iter(search.origins), None))
        if origin is not None:
            return f"{origin}{remedy}"
        for argument, element in search.reads:
            slot = self.slot_at(argument, element)
            if slot is not None:
                kind = "state" if argument in (3, 4) else "input" if argument == 2 else "parameter"
                grows = ", which may grow from trial to trial: give trials" if kind == "state" else ", whose range has no bound"
                return f'the {kind} "{in_words(slot.path)}"{grows}{remedy}'
        grown = next((each for each in search.grown if each.place), next(iter(search.grown), None))
        return f"{grown}, in a loop{remedy}" if grown is not None else f"the loops of the model{remedy}"

    def slot_at(self, argument: int, element: int | None) -> Slot | None:
        """The slot of an element of one of the buffers that `@trial` takes."""
        slots = self.layout.in_buffer(cast(Any, ("pf", "pi", "in", "sf", "si")[argument])) if argument <= 4 else ()
        if element is None:  # all of the buffer
            return slots[0] if len(slots) == 1 else None
        return next((each for each in slots if each.offset <= element < each.offset + each.size), None)

    def ports(self, found: Any) -> dict[str, PortRange]:
        """The ranges of the outputs, by name, from the words of `out`."""
        return {in_words(path): self.port(path, found) for path in self.layout.outputs}

    def port(self, path: str, found: Any) -> PortRange:
        """The range of one output."""
        slot = self.layout[path]
        held = PortRange.of(slot.shape, found.cells[slot.words])
        return held.of_whole_numbers() if element_type_of(slot.type) == i64 else held


@dataclass(frozen=True)
class BoxRanges:
    """The ranges over one box."""

    trials: TrialRanges
    ports: Mapping[str, PortRange]
    reasons: Mapping[str, str]
    """Why outputs have no finite bounds, by name."""


def sigmas_of(draws: Any, what: str) -> float | None:
    """The number of standard deviations of draws; None for the largest that generators can give."""
    if isinstance(draws, str) and draws == "largest":
        return None
    if is_number(draws) and 0.0 < cast(float, draws) <= MOST_SIGMAS:
        return float(draws)
    raise InputError(
        f'{what}: draws is {shown(draws)}; give "largest", or a number of standard deviations above 0, at most {MOST_SIGMAS:g}'
    )


def is_number(value: Any) -> bool:
    """True for a finite number."""
    return (
        isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool) and -np.inf < cast(float, value) < np.inf
    )


def whole_number(value: Any, name: str) -> int:
    """A whole number from 1. Raises `InputError` that begins with `name`."""
    if isinstance(value, int | np.integer) and not isinstance(value, bool) and value > 0:
        return int(cast(Any, value))
    raise InputError(f"{name} is {shown(value)}; give a whole number from 1")


def count_of(trials: Any, what: str) -> int | None:
    """The number of trials; None for any number."""
    return None if trials is None else whole_number(trials, f"{what}: trials")


@ends_at_caller
def ranges(
    model: Any,
    parameters: Given = None,
    inputs: Given = None,
    *,
    trials: int | None = None,
    draws: Draws = "largest",
    split: int | Mapping[Any, int] | None = None,
    math: Literal["portable", "libm"] = "portable",
) -> OutputRanges:
    """
    Between which numbers the outputs of a model lie: every number that a run can give is in its range. The model is not run.

    `model`: a model of the builder, a text or module, or a Composition of PsyNeuLink. `parameters`: the ranges of parameters by name,
    `{"decision/rate": (0.5, 2.0)}`: a pair (low, high) of numbers or arrays, a `cogir.Between`, "declared" for the range that the function
    declares, or a value; all others have the values of the model. `inputs`: the same for inputs, `{"stimulus": (0.0, 1.0)}`, which may
    differ from trial to trial; those that are not given can be any finite number.
    `trials`: the number of trials of the run (default: any number). `draws`: "largest" (the largest random number that the generator of
    the model can give), or a number of standard deviations: then the result holds only for runs without larger ones.
    `split`: the number of parts into which each range is split, or a dict of them by name, `{"node/rate": 8, "stimulus[0]": 4}`; of arrays,
    that of each element. The ranges are then the union over all combinations, which is narrower; inputs lie in any part in each trial.
    Parts have one length, or, of a range without a finite length, equally many floats. `math`: "portable", or "libm" for models that are
    compiled with it.

    The result is true if every output has finite ends and is never NaN; `unbounded` says of each other one which operation makes it so.

    :raises ModelError: for what is no model. :raises InputError: for names that the model does not have, or ranges without numbers.
    """
    ranged = RangedModel(model, "ranges")
    box = ranged.boxed.box(parameters, inputs, "ranges")
    count = count_of(trials, "ranges")
    if not isinstance(cast(object, math), str) or math not in MATHS:
        raise InputError(f"ranges: math is {shown(math)}; give one of {', '.join(MATHS)}")
    split_parameters, split_inputs = splits(box, split)
    inputs_ = list(parts_of(box, split_inputs))
    boxes = list(parts_of(box, split_parameters))
    found = [ranged.walk(each, count, draws, math, inputs_) for each in boxes]
    outputs = either([[each.trials.outputs] for each in found])[0]
    by_trial = [ranged.ports(each) for each in found[0].trials.trials] if len(found) == 1 else []
    return OutputRanges(
        ranged.model.name,
        ranged.ports(outputs),
        box={in_words(path): ends for path, ends in box.ranged().items()},
        trials=count,
        draws=sigmas_of(draws, "ranges"),
        has_draws=bool(ranged.layout.generators),
        by_trial=by_trial,
        parts=[
            ({in_words(path): (own if path in box.inputs else each).ends(path) for path in box.ranged()}, ranged.ports(part))
            for each, held in zip(boxes, found, strict=True)
            for own, part in zip(inputs_, held.trials.parts, strict=True)
        ],
        unbounded=reasons_of(ranged.ports(outputs), found),
    )


def reasons_of(ports: Mapping[str, PortRange], found: Sequence[BoxRanges]) -> dict[str, str]:
    """Why outputs have no finite bounds: of the first part in which they are infinite as they are in all parts together, or NaN."""
    reasons: dict[str, str] = {}
    for path, port in ports.items():
        if not port.is_bounded:
            alike = [each for each in found if path in each.reasons and unbounded_in_words(each.ports[path]) == unbounded_in_words(port)]
            reasons[path] = alike[0].reasons[path]
    return reasons


def splits(box: ParameterBox, split: Any) -> tuple[dict[Element, int], dict[Element, int]]:
    """
    The number of parts of each element of a parameter that has a range, and of each element of an input.

    :raises InputError: for names without a range, and more than 4,096 parts in all.
    """
    known = box.ranged()
    elements = {path: [(path, int(at)) for at in np.flatnonzero(ends[0] < ends[1])] for path, ends in known.items()}
    wanted: dict[Element, int] = {}
    if isinstance(split, Mapping):
        names = {in_words(path).rpartition("/")[0]: each for path, each in elements.items() if path in box.inputs}
        names |= {in_words(path): each for path, each in elements.items()}
        names |= {f"{name}[{at}]": [(path, at)] for name, each in names.items() for path, at in each if len(each) > 1}
        for key, given in cast("Mapping[Any, Any]", split).items():
            name = path_of(key)
            short = find_short(name, known)
            asked = elements[short] if short is not None else names.get(name)
            if asked is None:
                raise InputError(f'ranges: split: "{name}" has no range{did_you_mean(name, names) or there_is(names)}')
            if not wanted.keys().isdisjoint(asked):
                raise InputError(f'ranges: split: "{in_words(asked[0][0])}" is given twice, under two of its names; give it once')
            wanted |= dict.fromkeys(asked, whole_number(given, f'ranges: split of "{name}"'))
    elif split is not None:
        wanted = dict.fromkeys((each for path in elements.values() for each in path), whole_number(split, "ranges: split"))
    parts = prod(wanted.values())
    if parts > MOST_BOXES:
        several = f", as {len(wanted)} numbers have ranges" if len(wanted) > 1 else ""
        raise InputError(
            f"ranges: split: {parts} parts{several}; give smaller numbers, at most {MOST_BOXES} parts in all, or only some names, "
            '{"node/rate": 8}'
        )
    of_inputs = {each: number for each, number in wanted.items() if each[0] in box.inputs}
    return {each: number for each, number in wanted.items() if each not in of_inputs}, of_inputs
