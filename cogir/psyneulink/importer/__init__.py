"""
PsyNeuLink Compositions as cogir models.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cogir.callers import ends_at_caller

if TYPE_CHECKING:  # a script whose calls are short needs modules of this package, and no builder
    from cogir.frontend.builder.model import Model

__all__ = ["from_psyneulink"]


@ends_at_caller
def from_psyneulink(composition: Any, execution_id: Any = None) -> Model:
    """
    A PsyNeuLink Composition as a cogir `Model` that keeps its names and starts where the Composition stands.

    `execution_id`: the execution context whose values are read (default: the Composition's own). The Composition is not changed.
    Raises `cogir.psyneulink.UnsupportedFeature` for what cogir does not compile; it names the component, the feature and what to do.
    """
    from cogir.psyneulink.importer.composition import imported
    from cogir.psyneulink.reader import check_is_composition

    check_is_composition(composition, "cogir.from_psyneulink")
    return imported(composition, execution_id).model
