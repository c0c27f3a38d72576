"""
A differential equation of your own
===================================

``euler``, ``heun`` and ``rk4`` of the library advance a state by one step. They are called inside the function of a node, and compiled with
it.
"""

import matplotlib.pyplot as plt
import numpy as np

import cogir
from cogir import library
from cogir.library import Positive, State, Step, Value

# %%
# The Lorenz equations. The right-hand side has the arguments of SciPy's ``solve_ivp``.


def lorenz(t, y, sigma, rho, beta):
    return np.array([sigma * (y[1] - y[0]), y[0] * (rho - y[2]) - y[1], y[0] * y[1] - beta * y[2]])


def weather(
    variable: Value,
    *,
    sigma: Value = 10.0,
    rho: Value = 28.0,
    beta: Value = 8.0 / 3.0,
    dt: Positive = 0.01,
    y: State = (1.0, 1.0, 1.0),
    t: State = 0.0,
):
    y = library.rk4(lorenz, t, y, dt, (sigma, rho, beta + 0.0 * variable[0]))
    return Step(outputs=(y,), states=(y, t + dt))


model = cogir.Model("lorenz")
model.node("weather", weather)
course = model.compile().run(num_trials=10_000)["weather"]

figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.5), layout="constrained")
left.plot(course[:, 0], course[:, 2], linewidth=0.4)
left.set(xlabel="x", ylabel="z")
right.plot(0.01 * np.arange(3000), course[:3000, 0], linewidth=0.8)
right.set(xlabel="t", ylabel="x")

# %%
# The same steps in Python give the same numbers: the compiled function is the function that Python calls.

y = np.array([1.0, 1.0, 1.0])
for step in range(100):
    y = library.rk4(lorenz, 0.01 * step, y, 0.01, (10.0, 28.0, 8.0 / 3.0))
np.testing.assert_allclose(course[99], y, rtol=1e-9)
assert np.abs(course).max() < 60.0
