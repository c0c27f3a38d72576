"""
The meaning of every dialect, run as Python: the oracle for each level on the way to machine code.

`levels` puts the dialects together; it is a module of its own because lowering asks some of the others and runs nothing.
"""
