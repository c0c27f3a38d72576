"""
`cogir.analyze.ranges`: between which numbers the outputs of a model lie, for ranges of its parameters and inputs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from cogir.analysis.layout import Layout
from cogir.analysis.ranges.elementary import LIBM_ULPS, PORTABLE_ULPS
from cogir.analysis.ranges.trials import LoweredTrials, TrialRanges
from cogir.analysis.ranges.values import joined
from cogir.analysis.ranges.walk import Walker
from cogir.analysis.ranges.walking import Precision
from cogir.analyze.any_model import at_machine, model_of
from cogir.analyze.boxes import BoxedModel, Given, ParameterBox, in_words, parts_of
from cogir.analyze.output_ranges_result import OutputRanges, PortRange
from cogir.callers import ends_at_caller
from cogir.errors import InputError, shown
from cogir.frontend.compilable import Compilable
from cogir.labelled.names import path_of
from cogir.runtime.recorded import recorded

Draws = Literal["largest"] | float
PATIENT = Precision(unroll=500)
"""Decisions of a few hundred steps are followed to their ends."""


class RangedModel:
    """A model whose ranges are asked for."""

    def __init__(self, given: Any, what: str):
        self.what = what
        self.model: Compilable = model_of(given)
        self.module = at_machine(self.model)
        self.layout = Layout.from_module(self.module)
        self.boxed = BoxedModel(self.layout, recorded(self.model.source().build()).ranges)

    def walk(
        self, box: ParameterBox, trials: int | None, draws: Draws, math: str = "portable", precision: Precision = PATIENT
    ) -> TrialRanges:
        """The ranges over the trials, for one box."""
        return self.trials(box, draws, math, precision).run(trials)

    def trials(self, box: ParameterBox, draws: Draws, math: str = "portable", precision: Precision = PATIENT) -> LoweredTrials:
        """The trials of the model, for one box."""
        walker = Walker(
            self.module,
            sigmas=sigmas_of(draws, self.what),
            ulps=PORTABLE_ULPS if math == "portable" else LIBM_ULPS,
            precision=precision,
        )
        return LoweredTrials(walker, self.boxed.parameters(box), lambda: self.boxed.trial_inputs(box))

    def ports(self, found: Any) -> dict[str, PortRange]:
        """The ranges of the outputs, by name, from the words of `out`."""
        return {in_words(path): PortRange.of(self.layout[path].shape, found.cells[self.layout[path].words]) for path in self.layout.outputs}


def sigmas_of(draws: Any, what: str) -> float | None:
    """The number of standard deviations of draws; None for the largest that generators can give."""
    if draws == "largest":
        return None
    if isinstance(draws, int | float) and not isinstance(draws, bool) and draws > 0:
        return float(draws)
    raise InputError(f'{what}: draws is {shown(draws)}; give "largest", or a number of standard deviations above 0')


def count_of(trials: Any, what: str) -> int | None:
    """The number of trials; None for any number."""
    if trials is None or (isinstance(trials, int) and not isinstance(trials, bool) and trials > 0):
        return trials
    raise InputError(f"{what}: trials is {shown(trials)}; give a number from 1, or None for any number of trials")


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
    `split`: the number of parts into which each range is split, or a dict of them by name; the ranges are then the union over the parts,
    which is narrower. `math`: "portable", or "libm" for models that are compiled with it.

    :raises ModelError: for what is no model. :raises InputError: for names that the model does not have, or ranges without numbers.
    """
    ranged = RangedModel(model, "ranges")
    box = ranged.boxed.box(parameters, inputs, "ranges")
    count = count_of(trials, "ranges")
    parts = list(parts_of(box, splits(ranged, box, split)))
    found: list[TrialRanges] = [ranged.walk(part, count, draws, math) for part in parts]
    outputs = found[0].outputs
    for each in found[1:]:
        outputs = joined(outputs, each.outputs)
    by_trial = [ranged.ports(each) for each in found[0].trials] if len(found) == 1 else []
    return OutputRanges(
        ranged.model.name,
        ranged.ports(outputs),
        box={in_words(path): ends for path, ends in box.ranged().items()},
        trials=count,
        draws=sigmas_of(draws, "ranges"),
        has_draws=bool(ranged.layout.generators),
        by_trial=by_trial,
        parts=[
            ({in_words(path): ends for path, ends in part.ranged().items()}, ranged.ports(each.outputs))
            for part, each in zip(parts, found, strict=True)
        ],
    )


def splits(ranged: RangedModel, box: ParameterBox, split: Any) -> dict[str, int]:
    """The number of parts of each range, by path."""
    known = box.ranged()
    if split is None:
        return {}
    if isinstance(split, Mapping):
        names = {in_words(path): path for path in known} | {in_words(path).rpartition("/")[0]: path for path in known if path in box.inputs}
        wanted: dict[str, Any] = {}
        for key, number in split.items():  # pyright: ignore[reportUnknownVariableType]
            name = path_of(key)
            if name not in names:
                raise InputError(f'ranges: split: "{name}" has no range; there are {", ".join(names) or "none"}')
            wanted[names[name]] = number
    else:
        wanted = dict.fromkeys(known, split)
    for number in wanted.values():
        if not isinstance(number, int) or isinstance(number, bool) or number < 1:
            raise InputError(f"ranges: split is {shown(number)}; give a number of parts from 1")
    return wanted
