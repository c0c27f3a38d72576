"""
PsyNeuLink models at native speed, without a change to them.

    with cogir.psyneulink.accelerate():
        composition.run(inputs)
"""

from cogir.psyneulink.session import run

__all__ = ["run"]
