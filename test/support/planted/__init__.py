"""
Planted wrong compilations: proof that the random tests would find a fault of the compiler.

Each function marked `@planted` breaks the compiler in one realistic way by a monkeypatch, such as a pass that drops an operation or
a rewrite that swaps two operands. `test/unit/random/test_planted.py` then looks for a random model of which the machine code no longer
gives the interpreter's results, and fails if it finds none within a fixed number of models. A plant is undone after its test, and none
touches the interpreter, which says what is right.

`plants` defines a plant and the table of all; `in_kernels`, `in_library`, `in_models`, `in_passes` and `in_versions` hold them by what
they break. For a new pass, plant one fault that its own tests would miss. Only plants live here: what generates the models is in
`support.random`.
"""
