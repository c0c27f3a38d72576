"""Limits that hold on all floors."""

DEEPEST_CONDITION = 100
"""How deep conditions may be nested: what reads them takes a few calls for each level, and Python allows some 1,000 in all."""
