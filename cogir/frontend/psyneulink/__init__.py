"""
PsyNeuLink Compositions as cogir models.
"""

from cogir.frontend.psyneulink.composition import from_psyneulink

__all__ = ["from_psyneulink"]
