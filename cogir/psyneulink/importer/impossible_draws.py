"""
Parameters of distributions that are modulated to numbers with which nothing can be drawn.

PsyNeuLink's run ends with NumPy's error then. Natively the execution goes on, and a state says at the end of the trial (`cog.fail`) that
PsyNeuLink is to execute it.
"""

from __future__ import annotations

from collections.abc import Mapping

from cogir.psyneulink.functions.counterpart import ParameterPlace
from cogir.psyneulink.importer.node_source import Expression
from cogir.psyneulink.importer.node_writer import NodeWriter

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
    port = writer.port_of_parameter.get(getattr(place.owner.parameters, place.parameter).final_source)
    if port is None or not writer.modulation.acting_on(port):  # PsyNeuLink refuses a value that nothing modulates before it runs
        return
    failed = writer.body.state(f"impossible {place.parameter}", 0.0)
    smallest = f"np.min({held.text})" if held.shape else held.text
    writer.body.successors[failed.text] = f"1.0 if {smallest} {beyond} 0.0 else {failed.text}"
    where = "to 0 or below" if beyond == "<=" else "below 0"
    writer.failures[failed.text] = (
        f"the {place.parameter} of its {kind} is modulated {where}, with which nothing can be drawn; bound what modulates it"
    )
