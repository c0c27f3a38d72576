"""
Parameters of distributions that are modulated, or set, to numbers with which nothing can be drawn.

PsyNeuLink's run ends with NumPy's error then. What a script has set is seen before a run. What is modulated is not: the execution goes on
natively, and a state says at the end of the trial (`cog.fail`) that PsyNeuLink is to execute it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cogir.psyneulink.functions.counterpart import ParameterPlace
from cogir.psyneulink.importer.node_source import Expression
from cogir.psyneulink.importer.node_writer import NodeWriter
from cogir.psyneulink.reader import UnsupportedFeature
from cogir.runtime.plan import Floats

IMPOSSIBLE: Mapping[str, Mapping[str, str]] = {
    "ExponentialDist": {"beta": "<"},
    "GammaDist": {"scale": "<", "dist_shape": "<"},
    "GaussianDistort": {"variance": "<"},
    "NormalDist": {"standard_deviation": "<"},
    "WaldDist": {"scale": "<=", "mean": "<="},
}
"""Functions that draw, with the Parameters with which NumPy does not: below 0, or at 0, too."""


def check_drawn_with(writer: NodeWriter, place: ParameterPlace, held: Expression) -> None:
    """Has a trial fail in which a Parameter of a Function that draws is modulated to a number with which it cannot."""
    kind = type(place.owner).__name__
    beyond = IMPOSSIBLE.get(kind, {}).get(place.parameter)
    if beyond is None:
        return
    where = "to 0 or below" if beyond == "<=" else "below 0"
    source = getattr(place.owner.parameters, place.parameter).final_source
    port = writer.port_of_parameter.get(source)
    if port is None or not writer.modulation.acting_on(port):
        message = f"the {place.parameter} of its {kind} was set {where}, with which nothing can be drawn"
        writer.bounded[held.text] = (beyond == "<=", message)
        return
    failed = writer.body.state(f"impossible {place.parameter}", 0.0)
    smallest = f"np.min({held.text})" if held.shape else held.text
    writer.body.successors[failed.text] = f"1.0 if {smallest} {beyond} 0.0 else {failed.text}"
    writer.failures[failed.text] = (
        f"the {place.parameter} of its {kind} is modulated {where}, with which nothing can be drawn; bound what modulates it"
    )


@dataclass
class Bounded:
    """A parameter of a distribution that a script may set to numbers with which nothing can be drawn."""

    mechanism: Any
    words: slice
    excludes_zero: bool
    message: str

    def check(self, numbers: Floats) -> None:
        """Refuses a run with such a number, of which PsyNeuLink makes NumPy's error."""
        least = numbers[self.words].min()
        if least < 0.0 or (self.excludes_zero and least == 0.0):
            title = f"{type(self.mechanism).__name__} {self.mechanism.name!r}"
            raise UnsupportedFeature(title, self.message, "set a larger one")
