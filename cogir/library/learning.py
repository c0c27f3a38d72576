# NumPy types a few functions only in part.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false
"""
Learning functions: changes of weights from activities and errors. A learning rate is a number or an array that broadcasts.

The functions return changes; nothing is learned before somebody adds them to a matrix.
"""

import numpy as np

from cogir.library.signature import Static, Value, node_function


def hebbian(variable: Value, *, learning_rate: Value = 0.05) -> Value:
    """
    `learning_rate * v_i * v_j`, 0 on the diagonal (PsyNeuLink `Hebbian`, `ContrastiveHebbian`); (n,) -> (n, n).

    A vector of learning rates weighs the columns, a matrix each element.
    """
    products = variable[:, None] * variable
    return products * (1.0 - np.eye(variable.size)) * learning_rate


contrastive_hebbian = hebbian
"""The same rule; the two phases that it contrasts belong to the mechanism."""


def kohonen(
    variable: Value, activity: Value, matrix: Value, *, learning_rate: Value = 0.05, distance_function: Static = "gaussian"
) -> Value:
    """
    `learning_rate * (1 - f(|j - winner|)) * (matrix_ij - variable_i)` (PsyNeuLink `Kohonen`); (n,), (n,), (n, n) -> (n, n).

    The winner is the first of the largest activities; `f`: "gaussian" (standard normal density), "linear" or "exponential".
    """
    n = variable.size
    apart = np.abs(np.arange(n) - np.argmax(activity)) * 1.0
    if distance_function == "gaussian":
        near = np.exp(-apart * apart / 2.0) / np.sqrt(2.0 * np.pi)
    elif distance_function == "exponential":
        near = np.exp(apart)
    else:
        near = apart
    return (1.0 - near) * (matrix - variable[:, None]) * learning_rate


@node_function(outputs=("learning_signal", "error_signal"))
def reinforcement(output: Value, error: Value, *, learning_rate: Value = 0.05) -> Value:
    """`learning_rate * error` where the output is not 0, else 0; twice (PsyNeuLink `Reinforcement`, `TDLearning`)."""
    change = np.where(output != 0.0, learning_rate * error, 0.0)
    return change, change


td_learning = reinforcement
"""The same rule; that the error is one of temporal differences belongs to the mechanism."""


@node_function(outputs=("learning_signal", "error_signal"))
def back_propagation(
    activation_input: Value,
    derivative: Value,
    error_signal: Value,
    error_matrix: Value,
    *,
    learning_rate: Value = 0.05,
    loss: Static = "none",
) -> Value:
    """
    The change of the weights into a layer, and the error to pass on (PsyNeuLink `BackPropagation`; Rumelhart, Hinton and Williams 1986).

    `error = (error_matrix @ error_signal) * derivative` (`@` where the derivative is a matrix), then
    `change_ij = learning_rate * input_i * error_j`.
    `derivative`: that of the layer's activation function, see `linear_derivative` and the others. `loss`: "MSE" doubles the error and
    divides it by the number of its elements, "SSE" doubles it.
    """
    arriving = error_matrix @ error_signal
    if loss == "MSE":
        arriving = arriving / error_signal.size * 2.0
    elif loss == "SSE":
        arriving = arriving * 2.0
    error = arriving @ derivative if derivative.ndim == 2 else arriving * derivative
    return learning_rate * activation_input[:, None] * error, error


def linear_derivative(output: Value, *, slope: Value = 1.0, scale: Value = 1.0) -> Value:
    """`slope * scale` for each element (PsyNeuLink `Linear.derivative`)."""
    return slope * scale + np.zeros(output.shape)


def logistic_derivative(output: Value, *, gain: Value = 1.0, scale: Value = 1.0) -> Value:
    """`gain * scale * output * (1 - output)` (PsyNeuLink `Logistic.derivative`)."""
    return gain * scale * output * (1.0 - output)


def relu_derivative(output: Value, *, gain: Value = 1.0, leak: Value = 0.0, scale: Value = 1.0) -> Value:
    """`scale * gain` where `output / gain` is positive, times `leak` elsewhere (PsyNeuLink `ReLU.derivative`)."""
    return np.where(output / gain > 0.0, scale * gain, scale * gain * leak)


def softmax_derivative(output: Value) -> Value:
    """`d_ji = output_i * ((i == j) - output_j)` (PsyNeuLink `SoftMax.derivative`); (n,) -> (n, n)."""
    return output * (np.eye(output.size) - output[:, None])
