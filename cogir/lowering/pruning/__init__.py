"""Exact searches without every point: intervals, the bounds of points, the search of boxes."""
