"""
`cogir.analyze.simplified`: a model with simpler nodes that are equal in a sense to which the user consents.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, cast

from cogir.analyze.any_model import model_of
from cogir.analyze.replace_equivalent_nodes import CONSENTS, Replacement, replace_nodes
from cogir.callers import ends_at_caller
from cogir.errors import InputError, shown
from cogir.frontend.compilable import Compilable
from cogir.frontend.parsed import ParsedModel


@dataclass(frozen=True)
class Simplified:
    """A model, and which of its nodes were replaced, by what, and in what sense they are equal. True if any was."""

    model: Compilable
    replacements: tuple[Replacement, ...]

    def __bool__(self) -> bool:
        return bool(self.replacements)

    def __repr__(self) -> str:
        if not self.replacements:
            return f"{self.model.name}: no node has a simpler equal in the sense that was consented to"
        return "\n".join([f"{self.model.name}:", *(f"  {each}" for each in self.replacements)])


@ends_at_caller
def simplified(model: Any, *, consent: Literal["bits", "reals", "distribution", "limit"] = "bits") -> Simplified:
    """
    A model in which nodes are replaced by simpler ones: accumulators without leak and competition by drift diffusions, and drift diffusions
    that run to a bound by their analytical form.

    `model`: in any form that `equivalent` takes. `consent`: what may get lost. "bits": nothing; "reals": results may differ by rounding;
    "distribution": also by their random numbers; "limit": a drift diffusion may become its analytical form, whose decisions have the
    probabilities of infinitely short steps, and whose times are the mean, without their distribution. The result prints what was replaced.
    `model.compile()` of the result's `model` runs it. The parameters keep the values that they have now: nodes are compared for these.
    """
    if not isinstance(cast(object, consent), str) or consent not in CONSENTS:
        raise InputError(f"consent is {shown(consent)}; give one of {', '.join(CONSENTS)}")
    module = model_of(model).ir()
    found = replace_nodes(module, consent)
    return Simplified(ParsedModel(str(module)), tuple(found))
