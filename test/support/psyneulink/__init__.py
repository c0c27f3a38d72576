"""
PsyNeuLink beside cogir: Compositions, and the comparison of everything that a run leaves behind.

`cases` defines a case, `cases_*` hold them by subject, and `suite` lists all by name; `features` says which case shows which feature
that PsyNeuLink's own compiler has or lacks. `compare` runs a Composition by PsyNeuLink and by cogir and compares results, values,
Parameters, logs and generators by name. `compositions` draws random Compositions, `functions` random Functions, `learning` networks that
learn. `golden` builds the models behind `test/golden` from the scripts in `examples/psyneulink`, and `structure` writes down what they
are made of.

A test that needs PsyNeuLink calls `needed.require_psyneulink()` before it imports anything else from here, and is skipped without it.
"""
