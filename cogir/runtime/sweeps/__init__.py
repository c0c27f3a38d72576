"""Sweeps: replicates of a model at many points of its parameters, initial states and inputs."""
