"""Measurements on a GPU, prepared on a machine without one."""
