"""What names of Python and NumPy mean in a compiled function."""
