"""
PsyNeuLink's own tests as a yardstick: run in PsyNeuLink's Python mode, plain and under `accelerate()`, and compared call by call.

    python test/psyneulink_suite/run.py --folder build/psyneulink_suite              # the whole, `make test-psyneulink-suite`
    python test/psyneulink_suite/run.py --folder build/psyneulink_suite --one-of 8    # an eighth, in CI
    python test/psyneulink_suite/run.py --folder build/psyneulink_suite ports mechanisms/test_lca.py

`run.py` fetches PsyNeuLink's source distribution, whose tests lack only their root conftest (`root_conftest.py` stands in for it), and runs
them in two processes at a time. `recorder.py`, a plugin of pytest, writes what each outermost run, execute, learn and evaluate raised,
warned of, returned and left behind (`held.py`). `compare.py` compares; `exceptions.py` names what is documented as not kept, and tests that
cannot be equal, each with the reason.
"""
