# NumPy types a few functions only in part.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false
"""
Steps of integrators for a right-hand side of your own: `euler`, `heun`, `rk4`, `euler_maruyama`, `milstein`.

The functions of this module are called inside a node function, which keeps `y` as a state; they are no node functions themselves. The
right-hand side is a function `rhs(t, y, *args)` in the argument order of `scipy.integrate.solve_ivp`: a `def`, a lambda, a nested function
that reads variables of the node function, or a `functools.partial`. It is known when the model is compiled, and compiled with its caller.

```python
def decay(t, y, rate, drive):
    return -rate * y + drive

def leaky(stimulus, *, rate=0.1, time_step_size: Positive = 1.0, y: State = 0.0):
    y = library.rk4(decay, 0.0, y, time_step_size, (rate, stimulus))
    return Step(outputs=(y,), states=(y,))
```

`y` is a number or an array. A system of several variables is one array: `np.stack([v, w])`. The right-hand side returns an array of the
shape of `y`, or a list or tuple of its elements; another shape is an error, since the result would be broadcast to a shape that no equation
has. If `y` is a number, the right-hand side may return an array: the initial value of a state is a number until the state has the shape of
the input.

`t`, `dt` and `y` have the units of your equations; nothing is converted. If time constants are in ms, `dt` is in ms. Inputs in `args`
are constant during a step. Steps are not adapted: halve `dt` and compare. An explicit method is unstable if `dt` is large: for `y' = -y /
tau`, `euler` and `heun` diverge above `dt = 2 * tau`, and `rk4` above `dt = 2.785 * tau`.
"""

from collections.abc import Callable

import numpy as np

from cogir.library.signature import Random, Value


def _called(function: Callable[..., Value], t: Value, y: Value, args: Value) -> Value:
    """The value of a function at `t` and `y`, as an array if it is a list or tuple."""
    if not isinstance(args, (tuple, list)):
        raise ValueError("args is not a tuple; write (rate,) for a single argument")
    return np.asarray(function(t, y, *args))


def _slope(rhs: Callable[..., Value], t: Value, y: Value, args: tuple[Value, ...]) -> Value:
    """The right-hand side at `t` and `y`; its shape is that of `y`."""
    slope = _called(rhs, t, y, args)
    if np.ndim(y) > 0 and np.shape(slope) != np.shape(y):
        raise ValueError("the function returns an array of another shape than y; return one slope for each element of y")
    return slope


def euler(rhs: Callable[..., Value], t: Value, y: Value, dt: Value, args: tuple[Value, ...] = ()) -> Value:
    """
    `y + dt * rhs(t, y, *args)`: a step of Euler's method, of order 1

    Inputs: `rhs`, a function, see the module; `t`, the time before the step; `y`, the variables, a number or an array; `dt`, the length of
    the step, in the unit of `t`, where a negative one goes back in time; `args`, a tuple or list of further arguments of `rhs`. Output:
    `y` at `t + dt`.

    Source: Euler (1768).

        y = library.euler(decay, t, y, 0.1, (rate, stimulus))
    """
    return y + dt * _slope(rhs, t, y, args)


def heun(rhs: Callable[..., Value], t: Value, y: Value, dt: Value, args: tuple[Value, ...] = ()) -> Value:
    """
    `y + dt / 2 * (k1 + k2)` with `k1 = rhs(t, y)`, `k2 = rhs(t + dt, y + dt * k1)`: a step of Heun's method, of order 2

    Inputs: `rhs`, `t`, `y`, `dt` and `args`, those of `euler`. Output: `y` at `t + dt`.

    Source: Heun (1900).

        y = library.heun(decay, t, y, 0.1, (rate, stimulus))
    """
    k1 = _slope(rhs, t, y, args)
    k2 = _slope(rhs, t + dt, y + dt * k1, args)
    return y + 0.5 * dt * (k1 + k2)


def rk4(rhs: Callable[..., Value], t: Value, y: Value, dt: Value, args: tuple[Value, ...] = ()) -> Value:
    """
    `y + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)`: a step of the classical Runge-Kutta method, of order 4

    `k1 = rhs(t, y)`, `k2 = rhs(t + dt / 2, y + dt / 2 * k1)`, `k3 = rhs(t + dt / 2, y + dt / 2 * k2)`, `k4 = rhs(t + dt, y + dt * k3)`.

    Inputs: `rhs`, `t`, `y`, `dt` and `args`, those of `euler`. Output: `y` at `t + dt`. All variables of a system belong into one `y`:
    integrated one after the other, the method has order 1 only.

    Source: Kutta (1901).

        y = library.rk4(decay, t, y, 0.1, (rate, stimulus))
    """
    k1 = _slope(rhs, t, y, args)
    k2 = _slope(rhs, t + 0.5 * dt, y + 0.5 * dt * k1, args)
    k3 = _slope(rhs, t + 0.5 * dt, y + 0.5 * dt * k2, args)
    k4 = _slope(rhs, t + dt, y + dt * k3, args)
    return y + dt / 6.0 * (k1 + 2.0 * (k2 + k3) + k4)


def euler_maruyama(
    drift: Callable[..., Value],
    diffusion: Callable[..., Value],
    t: Value,
    y: Value,
    dt: Value,
    args: tuple[Value, ...] = (),
    *,
    random: Random,
) -> Value:
    """
    `y + f * dt + g * sqrt(dt) * N` with `f = drift(t, y, *args)`, `g = diffusion(t, y, *args)`: a step for `dy = f dt + g dW`

    The equation is Ito's. The noise is diagonal: each element of `y` has its own standard normal `N`. Strong order 0.5 (1 if `g` does not
    depend on `y`), weak order 1.

    Inputs: `drift`, `t`, `y` and `args` as those of `euler`; `diffusion`, a function like `drift`, whose result g has the shape of `y` or
    is a number, a standard deviation per square root of time (do not scale it with the root of `dt` yourself); `dt`, a positive number: the
    root of a negative one is NaN; `random`, the `Random` argument of the node function. Output: `y` at `t + dt`. Draws: one standard normal
    for each element of `y`, so `y` must have its full shape: a node whose state starts as a number writes `y + np.zeros(stimulus.shape)`.

    Source: Maruyama (1955).

        y = library.euler_maruyama(decay, lambda t, y, rate, drive: 0.2, t, y, 0.1, (rate, stimulus), random=random)
    """
    normal = random.normal(np.shape(y))
    f = _drift(drift, t, y, args)
    g = _strength(diffusion, t, y, args)
    return y + f * dt + g * (np.sqrt(dt) * normal)


def milstein(
    drift: Callable[..., Value],
    diffusion: Callable[..., Value],
    diffusion_derivative: Callable[..., Value],
    t: Value,
    y: Value,
    dt: Value,
    args: tuple[Value, ...] = (),
    *,
    random: Random,
) -> Value:
    """
    `y + f * dt + g * W + g * g' / 2 * (W * W - dt)` with `W = sqrt(dt) * N`: a step for `dy = f dt + g dW`, of strong order 1

    Inputs: `drift`, `diffusion`, `t`, `y`, `dt`, `args` and `random`, those of `euler_maruyama`; `diffusion_derivative`, a function like
    them for `g'`, the derivative of each `g_i` with respect to `y_i`. Output: `y` at `t + dt`. Draws: one standard normal for each element
    of `y`. The equation is Ito's and the noise diagonal, too, and `g_i` may depend on `y_i` and `t` only: otherwise the order is 0.5, as
    terms for pairs of elements are missing. If `g` does not depend on `y`, the result is that of `euler_maruyama`.

    Source: Milstein (1974).

        y = library.milstein(lambda t, y, s: -y, lambda t, y, s: s * y, lambda t, y, s: s, t, y, 0.01, (0.3,), random=random)
    """
    normal = random.normal(np.shape(y))
    f = _drift(drift, t, y, args)
    g = _strength(diffusion, t, y, args)
    dg = _strength(diffusion_derivative, t, y, args)
    w = np.sqrt(dt) * normal
    return y + f * dt + g * w + 0.5 * g * dg * (w * w - dt)


def _drift(drift: Callable[..., Value], t: Value, y: Value, args: tuple[Value, ...]) -> Value:
    """The drift at `t` and `y`; its shape is exactly that of `y`, for which the normals are drawn."""
    f = _called(drift, t, y, args)
    if np.shape(f) != np.shape(y):
        raise ValueError("the drift has another shape than y; return one slope for each element of y, and give y + np.zeros(shape) as y")
    return f


def _strength(diffusion: Callable[..., Value], t: Value, y: Value, args: tuple[Value, ...]) -> Value:
    """The strength of the noise at `t` and `y`: of the shape of `y`, or a number for all elements."""
    g = _called(diffusion, t, y, args)
    if np.ndim(g) > 0 and np.shape(g) != np.shape(y):
        raise ValueError("the diffusion has another shape than y; return a number or one for each element of y (noise is diagonal)")
    return g
