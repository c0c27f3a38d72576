"""The meanings of Python's and NumPy's names in a compiled function."""
