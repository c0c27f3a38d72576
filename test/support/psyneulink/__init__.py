"""
PsyNeuLink beside cogir: Compositions, and the comparison of everything that a run leaves behind.

`cases` defines a case, `cases_*` hold them by subject, and `suite` lists all by name; `features` says which case shows which feature
that PsyNeuLink's own compiler has or lacks. `compare` runs a Composition by PsyNeuLink and by cogir and compares results, values,
Parameters, logs and generators by name. `compositions` draws random Compositions, `functions` random Functions, `learning` networks that
learn. `golden` builds the models behind `test/golden` from the scripts in `examples/psyneulink`, and `structure` writes down what they
are made of.

Tests import PsyNeuLink itself from here, too: without it, a test module that imports anything from here is skipped, or fails if
WITH_PSYNEULINK=true; and the warnings that its import gives are no errors.
"""

import warnings

from support.psyneulink.needed import require_psyneulink

require_psyneulink()

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import psyneulink as pnl

__all__ = ["pnl"]
