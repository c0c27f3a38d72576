# NumPy types a few reductions only in part.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false
"""
Distributions: nodes that draw. The input only gives the shape; one draw per element, in row-major order.

The generator is NumPy's (see `generators.py`), so with a NumPy state a stream is NumPy's, draw by draw.
"""

import numpy as np

from cogir.library.signature import Random, Value


def normal_dist(variable: Value, *, mean: Value = 0.0, standard_deviation: Value = 1.0, random: Random) -> Value:
    """`mean + standard_deviation * N` (PsyNeuLink `NormalDist`)."""
    return mean + standard_deviation * random.normal(variable.shape)


def uniform_dist(variable: Value, *, low: Value = 0.0, high: Value = 1.0, random: Random) -> Value:
    """`low + (high - low) * U`, `U` in [0, 1) (PsyNeuLink `UniformDist`)."""
    return low + (high - low) * random.uniform(variable.shape)


def exponential_dist(variable: Value, *, beta: Value = 1.0, random: Random) -> Value:
    """`-beta * log(1 - U)`: mean `beta`, NumPy's legacy inversion (PsyNeuLink `ExponentialDist`)."""
    return beta * -np.log(1.0 - random.uniform(variable.shape))


def wald_dist(variable: Value, *, scale: Value = 1.0, mean: Value = 1.0, random: Random) -> Value:
    """
    The inverse Gaussian distribution by one normal and one uniform per element (PsyNeuLink `WaldDist`).

    Michael, Schucany and Haas (1976), in the order of NumPy's legacy `wald`.
    """
    result = np.zeros(variable.size)
    half = mean / (2.0 * scale)
    for i in range(variable.size):
        normal = random.normal()
        squared = mean * (normal * normal)
        x = mean + half * (squared - np.sqrt(4.0 * scale * squared + squared * squared))
        u = random.uniform()
        if u <= mean / (mean + x):
            result[i] = x
        else:
            result[i] = mean * mean / x
    return result.reshape(variable.shape)
