# NumPy types a few reductions only in part.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false
"""Drift and diffusion on the unit sphere (PsyNeuLink `DriftOnASphereIntegrator`)."""

import numpy as np

from cogir.library.signature import NonNegative, Random, State, Static, Step, Value, node_function


def _length(x: Value) -> Value:
    return np.sqrt(np.sum(x * x))


def _tangent(x: Value, coordinates: Value) -> Value:
    """
    The vector with these d - 1 coordinates in a basis of the tangent plane at `x`: the reflection that takes the first axis to `x`, but
    for its first column.
    """
    d = x.size
    padded = np.zeros(d)
    padded[1:] = coordinates
    first = np.zeros(d)
    first[0] = 1.0
    point = x / _length(x)
    result = padded
    if not np.allclose(point, first):
        mirror = point - first
        mirror = mirror / _length(mirror)
        result = padded - 2.0 * mirror * np.sum(mirror * padded)
    return result


def _towards(x: Value, target: Value) -> Value:
    """The tangent vector at `x` that leads to `target` along a great circle, as long as the way; 0 where there is no way."""
    point = x / _length(x)
    result = np.zeros(x.size)
    length = _length(target)
    if length >= 1e-14:
        goal = target / length
        cosine = min(max(np.sum(point * goal), -1.0), 1.0)
        angle = np.arccos(cosine)
        if angle >= 1e-14:
            direction = goal - cosine * point
            norm = _length(direction)
            if norm < 1e-14:
                one = np.zeros(x.size - 1)
                one[0] = 1.0
                direction = _tangent(point, one)
            else:
                direction = direction / norm
            result = angle * direction
    return result


@node_function(outputs=("value",))
def drift_on_a_sphere_integrator(
    variable: Value,
    *,
    rate: Value = 1.0,
    noise: NonNegative = 0.0,
    time_step_size: NonNegative = 1.0,
    input_space: Static = "tangent",
    previous_value: State = (1.0, 0.0, 0.0),
    drift_dir: State = (0.0, 1.0, 0.0),
    previous_time: State = 0.0,
    random: Random,
) -> Value:
    """
    One step on the unit sphere in d dimensions, in the tangent plane at x, then along the great circle, with `dt = time_step_size`:

        y = dt * (rate * drift + sqrt(dt) * noise * N)
        x' = cos(length(y)) * x + sin(length(y)) * y / length(y)

    Differs: the step has `dt * sqrt(dt) * noise * N`, so `dt` counts once more than in noise per square root of time. With steps of 1 it is
    the same.

    Parameters: `rate`, per unit of time; `noise` (>= 0), in rad; `time_step_size` (>= 0); `input_space`, "direction", "tangent" or
    "target", what the input means.

    Input: `variable`: (1,), the speed along the drift direction; (d - 1,), coordinates in the tangent plane; or (d,), a point to go to.
    Output: `value` (x'), (d,). States: `previous_value` (x), a point (d,); `drift_dir`, the drift direction (d,), carried along by parallel
    transport; `previous_time`; they are kept until the node is reset. Draws: d - 1 standard normals `N`. `offset` does nothing in
    PsyNeuLink and is left out.

    Source: PsyNeuLink `DriftOnASphereIntegrator`.

        model.node("walk", library.psyneulink.drift_on_a_sphere_integrator, input=2, noise=0.1)
    """
    x = previous_value
    d = x.size
    draw = random.normal((d - 1,))
    if input_space == "direction":
        drift = rate * drift_dir * variable[0]
    elif input_space == "target":
        drift = rate * _towards(x, variable)
    elif input_space == "tangent":
        drift = rate * _tangent(x, variable)
    else:
        raise ValueError('input_space is none of "direction", "tangent" and "target"; give one of them')
    y = time_step_size * (drift + np.sqrt(time_step_size) * _tangent(x, noise * draw))
    length = _length(y)
    following = x + 0.0
    carried = drift_dir + 0.0
    if length != 0.0:
        u = y / length
        following = np.cos(length) * x + np.sin(length) * u
        following = following / _length(following)
        along = np.sum(drift_dir * u)
        carried = drift_dir - along * u + along * (np.cos(length) * u - np.sin(length) * x)
    carried = carried / _length(carried)
    return Step(outputs=(following,), states=(following, carried, previous_time + time_step_size))
