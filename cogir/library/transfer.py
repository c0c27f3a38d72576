"""
Transfer functions: what a unit makes of its net input.

Every function works element by element on an array of any shape and returns one of that shape, unless its docstring says otherwise. Names,
parameters and the order of operations are PsyNeuLink's, so that results agree to the last bits.
"""

import numpy as np

from cogir.library.signature import NonNegative, Static, Value


def identity(variable: Value) -> Value:
    """
    The input, unchanged.

    Input: `variable`, of any shape. Output: `value`, the same.

    Source: PsyNeuLink `Identity`.

        library.identity(np.array([1.0, 2.0]))  # [1.0, 2.0]
    """
    return variable


def linear(variable: Value, *, slope: Value = 1.0, intercept: Value = 0.0, scale: Value = 1.0, offset: Value = 0.0) -> Value:
    """
    `scale * (variable * slope + intercept) + offset`

    Parameters (numbers, or arrays that broadcast): `slope`; `intercept`, before scaling; `scale`; `offset`, after it.

    Input: `variable`, of any shape. Output: `value`, of that shape.

    Source: PsyNeuLink `Linear`.

        library.linear(np.array([1.0, 2.0]), slope=2.0, intercept=0.5)  # [2.5, 4.5]
    """
    return scale * (variable * slope + intercept) + offset


def exponential(variable: Value, *, rate: Value = 1.0, bias: Value = 0.0, scale: Value = 1.0, offset: Value = 0.0) -> Value:
    """
    `scale * exp(rate * variable + bias) + offset`

    Parameters (numbers, or arrays that broadcast): `rate`, per unit of the input; `bias`, in the exponent; `scale` and `offset`, of the
    result.

    Input: `variable`, of any shape. Output: `value`, of that shape.

    Source: PsyNeuLink `Exponential`.

        library.exponential(np.array([0.0, 1.0]), scale=2.0)  # [2.0, 5.437]
    """
    return scale * np.exp(rate * variable + bias) + offset


def logistic(variable: Value, *, gain: Value = 1.0, bias: Value = 0.0, x_0: Value = 0.0, scale: Value = 1.0, offset: Value = 0.0) -> Value:
    """
    `scale / (1 + exp(-gain * (variable + bias - x_0))) + offset`

    Parameters (numbers, or arrays that broadcast): `gain`, 4 times the slope at the centre, per unit of the input; `bias` and `x_0`, in
    units of the input, so that the centre is at `x_0 - bias`; `scale`, the height; `offset`, the lower limit.

    Input: `variable`, of any shape. Output: `value`, of that shape, between `offset` and `offset + scale`.

    Source: PsyNeuLink `Logistic`.

        library.logistic(np.array([0.0, 1.0]), gain=2.0)  # [0.5, 0.881]
    """
    return scale * (1.0 / (1.0 + np.exp(-gain * (variable + bias - x_0)))) + offset


def tanh(variable: Value, *, gain: Value = 1.0, bias: Value = 0.0, x_0: Value = 0.0, scale: Value = 1.0, offset: Value = 0.0) -> Value:
    """
    `scale * tanh(gain * (variable + bias - x_0)) + offset`

    Parameters (numbers, or arrays that broadcast): `gain`, the slope at the centre, per unit of the input; `bias` and `x_0`, in units of
    the input, so that the centre is at `x_0 - bias`; `scale`, half of the height; `offset`, added to the result.

    Input: `variable`, of any shape. Output: `value`, of that shape.

    Source: the hyperbolic tangent. `psyneulink.tanh` is PsyNeuLink's, which adds `offset` to the argument.

        library.tanh(np.array([0.0, 1.0]), gain=0.5)  # [0.0, 0.462]
    """
    return scale * np.tanh(gain * (variable + bias - x_0)) + offset


def relu(variable: Value, *, gain: Value = 1.0, bias: Value = 0.0, leak: Value = 0.0, scale: Value = 1.0, offset: Value = 0.0) -> Value:
    """
    `scale * max(x, leak * x) + offset` with `x = gain * (variable - bias)`

    Parameters (numbers, or arrays that broadcast): `gain`, the slope, per unit of the input; `bias`, the threshold in units of the input,
    which is subtracted (in `logistic`, it is added); `leak`, the share of the slope below the threshold, at most 1; `scale` and `offset`,
    of the result.

    Input: `variable`, of any shape. Output: `value`, of that shape.

    Source: PsyNeuLink `ReLU`.

        library.relu(np.array([-1.0, 2.0]), leak=0.1)  # [-0.1, 2.0]
    """
    x = gain * (variable - bias)
    return scale * np.maximum(x, leak * x) + offset


def normalize(variable: Value, *, eps: NonNegative = 1e-12, per_item: Static = True) -> Value:
    """
    `variable / max(norm, eps)` with the Euclidean norm

    Parameters: `eps` (>= 0), in units of the input, which keeps zeros from being divided by 0; `per_item` (True or False): each row of a
    two-dimensional array for itself, or all elements together.

    Input: `variable`, of any shape. Output: `value`, of that shape.

    Source: PsyNeuLink `Normalize`, PyTorch `normalize`.

        library.normalize(np.array([3.0, 4.0]))  # [0.6, 0.8]
    """
    if per_item and variable.ndim == 2:
        norms = np.sqrt(np.sum(variable * variable, axis=1))
        return variable / np.maximum(norms, eps)[:, None]
    return variable / max(np.sqrt(np.sum(variable * variable)), eps)


def hyperspherical_to_cartesian(variable: Value) -> Value:
    """
    Angles to the coordinates of a point on the unit sphere:

        x_0 = cos(a_0)
        x_j = sin(a_0) * ... * sin(a_{j-1}) * cos(a_j)
        x_n = sin(a_0) * ... * sin(a_{n-1})

    Input: `variable` (n,), the angles in rad. Output: `value` (n + 1,), of length 1.

    Source: PsyNeuLink `HypersphericalToCartesian` and `Angle`.

        library.hyperspherical_to_cartesian(np.array([0.0, 1.0]))  # [1.0, 0.0, 0.0]
    """
    n = variable.size
    result = np.zeros(n + 1)
    product = 1.0
    for j in range(n):
        result[j] = product * np.cos(variable[j])
        product = product * np.sin(variable[j])
    result[n] = product
    return result
