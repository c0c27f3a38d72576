"""
What models mean, run as Python: the scheduler, models, and every dialect on the way to machine code.

`levels` puts the dialects together; it is a module of its own because lowering asks some of the others and runs nothing.
"""
