"""
`cogir.analyze.sensitivity`: how the outputs of a model move with each of its parameters.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from cogir.analysis.ranges.floats import FloatRange
from cogir.analysis.ranges.values import Number
from cogir.analyze.boxes import Ends, Given, ParameterBox, finite_ends, in_words
from cogir.analyze.output_ranges import Draws, RangedModel, sigmas_of, whole_number
from cogir.analyze.sensitivity_result import ParameterEffect, Sensitivity
from cogir.analyze.slopes import UNKNOWN, Tangent, slopes_of
from cogir.callers import ends_at_caller
from cogir.errors import InputError, shown
from cogir.ranges import Between

AROUND = 0.1
"""Parameters that are not given vary to both sides by a tenth of their largest element, or by 0.1 where all are zero."""

NO_PARAMETERS = ("initial:", "levels:")
"""The first words of the names of what stands beside parameters: initial values, and levels that a search tries."""


@ends_at_caller
def sensitivity(
    model: Any,
    parameters: Given = None,
    inputs: Given = None,
    *,
    trials: int = 1,
    draws: Draws = "largest",
    slopes: bool = False,
) -> Sensitivity:
    """
    How the range of each output moves with each parameter, while all others have the values of the model.

    `parameters`: their ranges, as for `cogir.analyze.ranges` (default: all parameters that are floats, matrices of projections among them,
    from a tenth below to a tenth above their values; each element of an array by a tenth of the largest one; zeros by 0.1). `inputs`:
    ranges or values; all must be given. `trials`: the number of trials. `draws`: as for `ranges`.
    `slopes`: whether there are also the derivatives of the outputs of the last trial by each parameter, at the values of the model and the
    middle of the inputs, for the random numbers that the seeds of the model give; there are none by whole numbers (NaN).

    The result is true if every output has finite ends and is never NaN.

    :raises InputError: for names that the model does not have, and inputs that are not given.
    """
    ranged = RangedModel(model, "sensitivity")
    count = whole_number(trials, "sensitivity: trials")
    if not isinstance(cast(object, slopes), bool):
        raise InputError(f"sensitivity: slopes is {shown(slopes)}; give True or False")
    given = defaults(ranged) if parameters is None else parameters
    box = ranged.boxed.box(given, inputs, "sensitivity")
    missing = box.free()
    if missing:
        raise InputError(f"sensitivity: there is no value for {', '.join(missing)}; give inputs, such as {{{missing[0]!r}: (0.0, 1.0)}}")
    endless = [in_words(path) for path, ends in box.inputs.items() if not np.isfinite(ends).all()]
    if slopes and endless:
        raise InputError(f"sensitivity: slopes are those in the middle of the inputs; give {', '.join(endless)} a range with finite ends")
    varied = {path: ends for path, ends in box.parameters.items() if (ends[0] < ends[1]).any()}
    fixed = ParameterBox({path: ends for path, ends in box.parameters.items() if path not in varied}, box.inputs)
    base = ranged.walk(fixed, count, draws).ports
    derivatives = by_parameter(ranged, fixed, varied, count) if slopes else {}
    effects: list[ParameterEffect] = []
    for path, ends in varied.items():
        found = ranged.walk(fixed.with_ends(path, ends), count, draws)
        effects.append(ParameterEffect(in_words(path), ends, found.ports, derivatives.get(path), found.reasons))
    return Sensitivity(ranged.model.name, base, effects, count, sigmas_of(draws, "sensitivity"), bool(ranged.layout.generators))


def defaults(ranged: RangedModel) -> dict[str, tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]]:
    """The ranges of all parameters of floats around their values, as far as the functions allow these numbers."""
    values = ranged.layout.default_buffer("pf")
    found: dict[str, tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]] = {}
    for slot in ranged.layout.in_buffer("pf"):
        held = values[slot.words].reshape(slot.shape)
        is_parameter = not slot.path.rpartition("/")[2].startswith(NO_PARAMETERS)
        if is_parameter and held.size and np.isfinite(held).all():
            around = AROUND * (np.max(np.abs(held)) or 1.0)
            least, greatest = finite_ends(ranged.boxed.declared.get(slot.path, Between()))
            found[slot.path] = np.maximum(held - around, min(least, held.min())), np.minimum(held + around, max(greatest, held.max()))
    if not found:
        raise InputError("sensitivity: the model has no parameter that is a finite number; give parameters")
    return found


def by_parameter(ranged: RangedModel, box: ParameterBox, varied: Mapping[str, Ends], trials: int) -> dict[str, dict[str, Any]]:
    """
    The derivatives of each output by each parameter that varies; by one with several elements, by all of them together. There is none by a
    whole number: NaN.
    """
    floats, whole = ranged.boxed.parameters(box)
    inputs = ranged.boxed.trial_inputs(ParameterBox({}, {path: middle(ends) for path, ends in box.inputs.items()}))
    layout = ranged.layout
    names = {layout[path].offset + place: path for path in varied if layout[path].buffer == "pf" for place in range(layout[path].size)}
    known = set(names.values())
    cells = slopes_of(ranged.module, layout, floats, whole, inputs, names, trials)
    found: dict[str, dict[str, Any]] = {}
    for path in varied:
        found[path] = {
            in_words(out): np.array([slope(cell, path) if path in known else np.nan for cell in cells[layout[out].words]]).reshape(
                layout[out].shape
            )
            for out in layout.outputs
        }
    return found


def middle(ends: Ends) -> Ends:
    """The middle of a range."""
    center = 0.5 * ends[0] + 0.5 * ends[1]
    return center, center


def slope(cell: Number, path: str) -> float:
    """The derivative of a number by a parameter; NaN where it is not known."""
    if not isinstance(cell.range, FloatRange):
        return 0.0
    held: Tangent = cell.tangent or {}
    return float("nan") if UNKNOWN in held and path in held else held.get(path, 0.0)
