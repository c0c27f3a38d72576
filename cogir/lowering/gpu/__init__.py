"""Kernels for GPUs: what belongs to the device, and a GPU that this processor plays."""
