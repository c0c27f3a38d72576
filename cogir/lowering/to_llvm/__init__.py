"""Conversions of upstream dialects to the llvm dialect: one file per dialect, and the converter that they share."""
