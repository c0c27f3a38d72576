"""
PsyNeuLink models at native speed, without a change to them.

    with cogir.psyneulink.accelerate():
        composition.run(inputs)

or, for a whole script, `python -m cogir.psyneulink script.py`. `explain(composition)` tells what compiles and what does not.
"""

from cogir.garbage import count_as_old, without_garbage_collection

with without_garbage_collection():
    from cogir.psyneulink.accelerate import FallbackWarning, accelerate
    from cogir.psyneulink.execution.native_run import run
    from cogir.psyneulink.explain import Explanation, explain
    from cogir.psyneulink.reader import UnsupportedFeature
count_as_old()

__all__ = ["Explanation", "FallbackWarning", "UnsupportedFeature", "accelerate", "explain", "run"]
