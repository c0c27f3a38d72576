"""Bufferisation: values become memory, each with one place, copied only where two consumers need it."""
