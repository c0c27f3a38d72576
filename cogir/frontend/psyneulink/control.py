"""
An OptimizationControlMechanism with GridSearch as a controller.
"""

from __future__ import annotations

from typing import Any

from cogir.frontend.psyneulink.values import Reader, UnsupportedFeature


def add_controller(imported: Any, reader: Reader) -> None:
    """Adds the Composition's controller to the model."""
    raise UnsupportedFeature(imported.composition.name, "a controller", "later")
