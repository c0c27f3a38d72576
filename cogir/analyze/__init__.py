"""
Questions about models, answered by the compiler: the analyses of `cogir.analysis` in a scientist's words.

    cogir.analyze.equivalent(first, second)            # do two models, or two nodes, compute the same?
    cogir.analyze.simplified(model, consent="reals")   # the model with simpler nodes that are equal in that sense

    cogir.analyze.ranges(model, {"decision/rate": (0.5, 2.0)}, {"stimulus": (0.0, 1.0)})   # between which numbers the outputs lie
    cogir.analyze.convergence(model, inputs={"stimulus": (0.3, 0.5)})   # how many steps until a decision, at least and at most
    cogir.analyze.sensitivity(model, {"decision/rate": (0.5, 2.0)}, {"stimulus": 0.4})   # how outputs move with each parameter
    cogir.analyze.refine(model, {"decision/rate": (0.5, 2.0)}, objective="loss")                 # where an objective is best

The functions are loaded when they are asked for, as they need the compiler.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from cogir.callers import ends_at_caller
from cogir.errors import no_attribute

NAMES = {
    "Sensitivity": "cogir.analyze.sensitivity_result",
    "sensitivity": "cogir.analyze.sensitivities",
    "Convergence": "cogir.analyze.convergence_result",
    "DriftDiffusionTimes": "cogir.analyze.drift_diffusion_times",
    "convergence": "cogir.analyze.convergence_bounds",
    "OutputRanges": "cogir.analyze.output_ranges_result",
    "ranges": "cogir.analyze.output_ranges",
    "Equivalence": "cogir.analyze.equivalence_result",
    "Simplified": "cogir.analyze.simplify",
    "Refinement": "cogir.analyze.refinement",
    "refine": "cogir.analyze.refine_space",
    "equivalent": "cogir.analyze.equivalence",
    "simplified": "cogir.analyze.simplify",
}
"""The public names, and the modules that define them."""

__all__ = [
    "Convergence",
    "DriftDiffusionTimes",
    "Equivalence",
    "OutputRanges",
    "Refinement",
    "Sensitivity",
    "Simplified",
    "convergence",
    "equivalent",
    "ranges",
    "refine",
    "sensitivity",
    "simplified",
]


def __dir__() -> list[str]:
    """The public names: the modules that are loaded by now are not among them."""
    return sorted(__all__)


if TYPE_CHECKING:
    from cogir.analyze.convergence_bounds import convergence
    from cogir.analyze.convergence_result import Convergence
    from cogir.analyze.drift_diffusion_times import DriftDiffusionTimes
    from cogir.analyze.equivalence import equivalent
    from cogir.analyze.equivalence_result import Equivalence
    from cogir.analyze.output_ranges import ranges
    from cogir.analyze.output_ranges_result import OutputRanges
    from cogir.analyze.refine_space import refine
    from cogir.analyze.refinement import Refinement
    from cogir.analyze.sensitivities import sensitivity
    from cogir.analyze.sensitivity_result import Sensitivity
    from cogir.analyze.simplify import Simplified, simplified
else:  # type checkers would take any name for one of the package

    @ends_at_caller
    def __getattr__(name: str) -> object:
        if name in NAMES:
            return globals().setdefault(name, getattr(import_module(NAMES[name]), name))
        raise no_attribute("cogir.analyze", name, __all__)
