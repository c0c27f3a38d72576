"""NVIDIA GPUs: one interface to the driver, whoever offers it in Python, and the execution of compiled models through it."""
