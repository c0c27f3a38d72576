"""Random generators and what is drawn from them: NumPy's streams to the bit, and those of sweeps and replicates."""
