# NumPy types a few functions only in part.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false
"""
PsyNeuLink's learning functions: changes of weights from activities and errors. A learning rate is a number or an array that broadcasts.

The functions return changes; nothing is learned before somebody adds them to a matrix.
"""

import numpy as np

from cogir.library.learning import hebbian
from cogir.library.signature import Static, Value, node_function


def contrastive_hebbian(variable: Value, *, learning_rate: Value = 0.05) -> Value:
    """
    `change_ij = learning_rate * variable_i * variable_j`, 0 on the diagonal

    Differs: it is the rule of `hebbian`; the two phases that it contrasts belong to PsyNeuLink's mechanism.

    Parameter: `learning_rate`, a number; a vector (n,), one rate for each column; or a matrix (n, n).

    Input: `variable` (n,), activities. Output: `value` (n, n), a change of weights.

    Source: PsyNeuLink `ContrastiveHebbian`; Movellan (1991).

        library.psyneulink.contrastive_hebbian(np.array([1.0, -2.0]), learning_rate=0.1)  # [[0.0, -0.2], [-0.2, 0.0]]
    """
    return hebbian(variable, learning_rate=learning_rate)


def kohonen(
    variable: Value, activity: Value, matrix: Value, *, learning_rate: Value = 0.05, distance_function: Static = "gaussian"
) -> Value:
    """
    `change_ij = learning_rate * (1 - f(abs(j - winner))) * (matrix_ij - variable_i)`

    Differs: Kohonen's rule is `learning_rate * f * (variable_i - matrix_ij)`, which moves the winner and its neighbours towards the input.
    This one has the other sign and `1 - f`, so that with "gaussian" weights move away from the input, those far from the winner most.

    Parameters: `learning_rate`, a number or a matrix (n, n); `distance_function` (f): "gaussian", the density of a standard normal;
    "linear", the distance itself; or "exponential".

    Inputs: `variable` (n,), the input; `activity` (n,), whose first largest element is the winner; `matrix` (n, n), the weights. Output:
    `value` (n, n), a change of weights.

    Source: PsyNeuLink `Kohonen`; Kohonen (1982) for the rule.

        x, activity = np.array([1.0, 0.0]), np.array([0.0, 1.0])
        library.psyneulink.kohonen(x, activity, np.ones((2, 2)), learning_rate=1.0)  # [[0.0, 0.0], [0.758, 0.601]]
    """
    n = variable.size
    apart = np.abs(np.arange(n) - np.argmax(activity)) * 1.0
    if distance_function == "gaussian":
        near = np.exp(-apart * apart / 2.0) / np.sqrt(2.0 * np.pi)
    elif distance_function == "exponential":
        near = np.exp(apart)
    elif distance_function == "linear":
        near = apart
    else:
        raise ValueError('distance_function is none of "gaussian", "linear" and "exponential"; give one of them')
    return (1.0 - near) * (matrix - variable[:, None]) * learning_rate


@node_function(outputs=("learning_signal", "error_signal"))
def reinforcement(output: Value, error: Value, *, learning_rate: Value = 0.05) -> Value:
    """
    `learning_rate * error` where the output is not 0, else 0

    Differs: only PsyNeuLink defines it, as two equal outputs. `rescorla_wagner`, `q_learning` and others learn values.

    Parameter: `learning_rate`, a number or (n,).

    Inputs: `output` (n,), mostly 0 except for the action that was chosen; `error`, (n,) or (1,). Outputs: `learning_signal` and
    `error_signal`, (n,), the same.

    Source: PsyNeuLink `Reinforcement`.

        library.psyneulink.reinforcement(np.array([0.0, 1.0]), np.array([0.5]), learning_rate=0.1)[0]  # [0.0, 0.05]
    """
    change = np.where(output != 0.0, learning_rate * error, 0.0)
    return change, change


@node_function(outputs=("learning_signal", "error_signal"))
def td_learning(output: Value, error: Value, *, learning_rate: Value = 0.05) -> Value:
    """
    `learning_rate * error` where the output is not 0, else 0

    Differs: it is the rule of `reinforcement`; that the error is one of temporal differences belongs to PsyNeuLink's mechanism. `td_lambda`
    learns values from temporal differences.

    Parameter: `learning_rate`, a number or (n,).

    Inputs: `output` (n,); `error`, (n,) or (1,). Outputs: `learning_signal` and `error_signal`, (n,), the same.

    Source: PsyNeuLink `TDLearning`.

        library.psyneulink.td_learning(np.array([0.0, 1.0]), np.array([0.5]), learning_rate=0.1)[0]  # [0.0, 0.05]
    """
    return reinforcement(output, error, learning_rate=learning_rate)


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
    The change of the weights into a layer, and the error to pass on:

        error = (error_matrix @ error_signal) * derivative
        change_ij = learning_rate * activation_input_i * error_j

    Differs: it is one layer's part, as in PsyNeuLink's learning mechanisms. `model.learning(...)` trains a model, with derivatives of its
    own.

    Parameters: `learning_rate`, a number or (i, o); `loss`: "none"; "SSE", which doubles the error; "MSE", which doubles it and divides it
    by the number of elements of the error signal.

    Inputs: `activation_input` (i,); `derivative` of the layer's activation function, (o,), or (o, o) as of `softmax_derivative`, then
    multiplied as a matrix; `error_signal` (e,) of the layer behind; `error_matrix` (o, e), the weights to it. Outputs: `learning_signal`
    (i, o), the change; `error_signal` (o,).

    Source: Rumelhart, Hinton and Williams (1986); PsyNeuLink `BackPropagation`.

        ones = np.ones(2)
        library.psyneulink.back_propagation(ones, ones, ones, np.eye(2), learning_rate=0.1)[0]  # [[0.1, 0.1], [0.1, 0.1]]
    """
    arriving = error_matrix @ error_signal
    if loss == "MSE":
        arriving = arriving / error_signal.size * 2.0
    elif loss == "SSE":
        arriving = arriving * 2.0
    elif loss != "none":
        raise ValueError('loss is none of "none", "SSE" and "MSE"; give one of them')
    error = arriving @ derivative if derivative.ndim == 2 else arriving * derivative
    return learning_rate * activation_input[:, None] * error, error


def linear_derivative(output: Value, *, slope: Value = 1.0, scale: Value = 1.0) -> Value:
    """
    `slope * scale` for each element

    Differs: it serves `back_propagation`. `model.learning(...)` has derivatives of its own.

    Parameters: `slope` and `scale`, those of `linear`.

    Input: `output` (n,), that of the function. Output: `value` (n,).

    Source: PsyNeuLink `Linear.derivative`.

        library.psyneulink.linear_derivative(np.array([1.0, 2.0]), slope=3.0)  # [3.0, 3.0]
    """
    return slope * scale + np.zeros(output.shape)


def logistic_derivative(output: Value, *, gain: Value = 1.0, scale: Value = 1.0) -> Value:
    """
    `gain * scale * output * (1 - output)`

    Differs: it is the derivative of `logistic` only with a scale of 1 and an offset of 0. `model.learning(...)` has derivatives of its own.

    Parameters: `gain` and `scale`, those of `logistic`.

    Input: `output` (n,), that of the function. Output: `value` (n,).

    Source: PsyNeuLink `Logistic.derivative`.

        library.psyneulink.logistic_derivative(np.array([0.5, 0.1]))  # [0.25, 0.09]
    """
    return gain * scale * output * (1.0 - output)


def relu_derivative(output: Value, *, gain: Value = 1.0, leak: Value = 0.0, scale: Value = 1.0) -> Value:
    """
    `scale * gain` where `output / gain > 0`, and `scale * gain * leak` elsewhere

    Differs: it is the derivative of `relu` only with a positive scale and an offset of 0. `model.learning(...)` has derivatives of its own.

    Parameters: `gain`, `leak` and `scale`, those of `relu`.

    Input: `output` (n,), that of the function. Output: `value` (n,).

    Source: PsyNeuLink `ReLU.derivative`.

        library.psyneulink.relu_derivative(np.array([-0.2, 3.0]), leak=0.1)  # [0.1, 1.0]
    """
    return np.where(output / gain > 0.0, scale * gain, scale * gain * leak)


def softmax_derivative(output: Value) -> Value:
    """
    `d_ji = output_i * ((i == j) - output_j)`

    Differs: it serves `back_propagation`, and is for a gain of 1. `model.learning(...)` has derivatives of its own.

    Input: `output` (n,), that of the softmax. Output: `value` (n, n).

    Source: PsyNeuLink `SoftMax.derivative`.

        library.psyneulink.softmax_derivative(np.array([0.25, 0.75]))  # [[0.188, -0.188], [-0.188, 0.188]]
    """
    return output * (np.eye(output.size) - output[:, None])
