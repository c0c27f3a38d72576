"""
Scripts that measure cogir: times against peers in the same run (`compare`, `growth` ...), errors of functions, the code itself (`house`).

Each is run by itself, as `python benchmarks/NAME.py`, and its docstring says what it prints. They need the development install.
"""
