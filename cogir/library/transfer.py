"""
Transfer functions: what a unit makes of its net input.

Every function works element by element on an array of any shape and returns one of that shape. Names, parameters and the order of
operations are PsyNeuLink's, so that results agree to the last bits; the equation stands in each docstring.
"""

import numpy as np

from cogir.library.signature import NonNegative, Positive, Probability, Random, Static, Value


def identity(variable: Value) -> Value:
    """`variable`, unchanged (PsyNeuLink `Identity`)."""
    return variable


def linear(variable: Value, *, slope: Value = 1.0, intercept: Value = 0.0, scale: Value = 1.0, offset: Value = 0.0) -> Value:
    """`scale * (variable * slope + intercept) + offset` (PsyNeuLink `Linear`)."""
    return scale * (variable * slope + intercept) + offset


def exponential(variable: Value, *, rate: Value = 1.0, bias: Value = 0.0, scale: Value = 1.0, offset: Value = 0.0) -> Value:
    """`scale * exp(rate * variable + bias) + offset` (PsyNeuLink `Exponential`)."""
    return scale * np.exp(rate * variable + bias) + offset


def logistic(variable: Value, *, gain: Value = 1.0, bias: Value = 0.0, x_0: Value = 0.0, scale: Value = 1.0, offset: Value = 0.0) -> Value:
    """`scale / (1 + exp(-gain * (variable + bias - x_0))) + offset` (PsyNeuLink `Logistic`)."""
    return scale * (1.0 / (1.0 + np.exp(-gain * (variable + bias - x_0)))) + offset


def tanh(variable: Value, *, gain: Value = 1.0, bias: Value = 0.0, x_0: Value = 0.0, scale: Value = 1.0, offset: Value = 0.0) -> Value:
    """
    `scale * (1 - exp(z)) / (1 + exp(z))` with `z = -2 * (gain * (variable + bias - x_0) + offset)` (PsyNeuLink `Tanh`).

    The hyperbolic tangent of `gain * (variable + bias - x_0) + offset`; the offset shifts the argument, as in PsyNeuLink.
    """
    power = np.exp(-2.0 * (gain * (variable + bias - x_0) + offset))
    return scale * (1.0 - power) / (1.0 + power)


def relu(variable: Value, *, gain: Value = 1.0, bias: Value = 0.0, leak: Value = 0.0, scale: Value = 1.0, offset: Value = 0.0) -> Value:
    """`scale * max(x, leak * x) + offset` with `x = gain * (variable - bias)` (PsyNeuLink `ReLU`)."""
    x = gain * (variable - bias)
    return scale * np.maximum(x, leak * x) + offset


def gaussian(variable: Value, *, standard_deviation: Positive = 1.0, bias: Value = 0.0, scale: Value = 1.0, offset: Value = 0.0) -> Value:
    """
    `scale * exp(-(variable - bias)**2 / (2 * sd**2)) / sqrt(2 * pi * sd) + offset` (PsyNeuLink `Gaussian`).

    The divisor is PsyNeuLink's: the square root covers the standard deviation `sd` itself, not its square.
    """
    distance = variable - bias
    bell = np.exp(-(distance * distance) / (2.0 * (standard_deviation * standard_deviation)))
    return scale * (bell / np.sqrt(2.0 * np.pi * standard_deviation)) + offset


def normalize(variable: Value, *, eps: NonNegative = 1e-12, per_item: Static = True) -> Value:
    """
    `variable / max(norm, eps)` with the Euclidean norm (PsyNeuLink `Normalize`).

    `per_item`: each row of a two-dimensional array for itself, else over all elements.
    """
    if per_item and variable.ndim == 2:
        norms = np.sqrt(np.sum(variable * variable, axis=1))
        return variable / np.maximum(norms, eps)[:, None]
    return variable / max(np.sqrt(np.sum(variable * variable)), eps)


def gaussian_distort(
    variable: Value, *, variance: NonNegative = 1.0, bias: Value = 0.0, scale: Value = 1.0, offset: Value = 0.0, random: Random
) -> Value:
    """
    `scale * (bias + variable + variance * N) + offset`, one standard normal `N` per element (PsyNeuLink `GaussianDistort`).

    `variance` acts as the standard deviation, as in PsyNeuLink.
    """
    draw = random.normal(variable.shape)
    return scale * (variable + bias + variance * draw) + offset


def binomial_distort(variable: Value, *, p: Probability = 0.05, random: Random) -> Value:
    """
    Each element of the first axis is kept with probability `1 - p`, else 0 (PsyNeuLink `BinomialDistort`).

    One uniform draw `u` per element of the first axis, as NumPy's legacy `binomial(n=1)` inverts its distribution; they meet the variable
    as NumPy broadcasts them, so one row is kept or dropped as a whole.
    """
    draw = random.uniform(variable.shape[:1])
    if 1.0 - p <= 0.5:
        kept = np.where(draw > p, 1.0, 0.0)
    else:
        kept = np.where(draw > 1.0 - p, 0.0, 1.0)
    return variable * kept


def dropout(variable: Value, *, p: Probability = 0.5, random: Random) -> Value:
    """`binomial_distort` over `1 - p`, so that the mean stays (PsyNeuLink `Dropout` while it learns; otherwise it is `identity`)."""
    return binomial_distort(variable, p=p, random=random) * (1.0 / (1.0 - p))


def hyperspherical_to_cartesian(variable: Value) -> Value:
    """
    `n` angles to the `n + 1` coordinates of a point on the unit sphere (PsyNeuLink `HypersphericalToCartesian`, `Angle`).

    `x_0 = cos a_0`, `x_j = sin a_0 ... sin a_{j-1} cos a_j`, `x_n = sin a_0 ... sin a_{n-1}`.
    """
    n = variable.size
    result = np.zeros(n + 1)
    product = 1.0
    for j in range(n):
        result[j] = product * np.cos(variable[j])
        product = product * np.sin(variable[j])
    result[n] = product
    return result


def transfer_with_costs(
    variable: Value,
    *,
    intensity_cost: Static = False,
    intensity_rate: Value = 1.0,
    intensity_bias: Value = 0.0,
) -> Value:
    """
    The allocation itself and its intensity cost `exp(rate * variable + bias)`, if asked for.

    PsyNeuLink's `TransferWithCosts` has more costs; those of a controller's signals are computed by `cog.grid_search`.
    """
    if intensity_cost:
        return variable, np.exp(intensity_rate * variable + intensity_bias)
    return variable, 0.0 * variable
