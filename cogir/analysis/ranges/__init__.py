"""Ranges of the values that a function or a model computes."""
