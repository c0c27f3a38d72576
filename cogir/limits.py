"""Limits that hold on all floors."""

DEEPEST_CONDITION = 100
"""The deepest nesting of conditions: what reads them takes a few calls for each level, and Python allows some 1,000 in all."""
