"""Integrators: the order that each has, against SciPy and closed forms, and right-hand sides in every form that users write."""

# pyright: basic
from __future__ import annotations

import functools
import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from support.pyfunc import check

import cogir
from cogir import library
from cogir.library import Positive, Random, State, Step


def pendulum(t, y, damping, drive):
    """A damped pendulum under a force that depends on time."""
    return np.stack([y[1], -np.sin(y[0]) - damping * y[1] + drive * np.cos(t)])


def exact(end: float) -> np.ndarray:
    solution = solve_ivp(pendulum, (0.0, end), [1.0, 0.5], args=(0.1, 0.8), method="DOP853", rtol=1e-13, atol=1e-14)
    return solution.y[:, -1]


def integrated(step, count: int, end: float = 4.0) -> np.ndarray:
    y, dt = np.array([1.0, 0.5]), end / count
    for k in range(count):
        y = step(pendulum, k * dt, y, dt, (0.1, 0.8))
    return y


@pytest.mark.parametrize(("step", "order"), [(library.euler, 1), (library.heun, 2), (library.rk4, 4)])
def test_order_of_convergence(step, order: int) -> None:
    counts = [80, 160, 320, 640]
    errors = [np.abs(integrated(step, count) - exact(4.0)).max() for count in counts]
    slope = -np.polyfit(np.log(counts), np.log(errors), 1)[0]
    print(f"{step.__name__}: measured order {slope:.3f}")
    assert abs(slope - order) < 0.15


def test_rk4_is_scipys_for_fine_steps() -> None:
    np.testing.assert_allclose(integrated(library.rk4, 4000), exact(4.0), rtol=0.0, atol=1e-11)


def decay(t, y, rate, drive):
    return -rate * y + drive + 0.1 * t


def decay_alone(t, y):
    return -0.5 * y + np.sin(t)


HALVED = functools.partial(decay, rate=0.5, drive=1.0)


def by_function(x, *, rate=0.4, dt: Positive = 0.25, y: State = 0.5):
    y = library.rk4(decay, 0.3, y, dt, (rate, x))
    return Step(outputs=(y,), states=(y,))


def by_lambda(x, *, rate=0.4, dt: Positive = 0.25, y: State = 0.5):
    y = library.rk4(lambda t, z: -rate * z + x + 0.1 * t, 0.3, y, dt)
    return Step(outputs=(y,), states=(y,))


def by_nested_function(x, *, rate=0.4, dt: Positive = 0.25, y: State = 0.5):
    def slope(t, z, drive):
        return -rate * z + drive + 0.1 * t

    y = library.rk4(slope, 0.3, y, dt, args=(x,))
    return Step(outputs=(y,), states=(y,))


def by_partial(x, *, dt: Positive = 0.25, y: State = 0.5):
    y = library.heun(HALVED, 0.3, y + x, dt)
    return Step(outputs=(y,), states=(y,))


def without_arguments(x, *, dt: Positive = 0.25, y: State = 0.5):
    y = library.euler(decay_alone, 0.3, y + x, dt)
    return Step(outputs=(y,), states=(y,))


def in_a_loop(x, *, rate=0.4, dt: Positive = 0.25, y: State = 0.5):
    y = y + np.zeros(x.shape)
    for k in range(5):
        y = library.rk4(decay, k * dt, y, dt, (rate, x))
    return Step(outputs=(y,), states=(y,))


def system(x, *, damping=0.1, dt: Positive = 0.25, angle: State = 0.5, speed: State = 0.0):
    y = library.rk4(pendulum, 0.3, np.stack([angle + np.zeros(x.shape), speed + np.zeros(x.shape)]), dt, (damping, x))
    return Step(outputs=(y[0], y[1]), states=(y[0], y[1]))


def noisy(x, *, rate=0.4, noise=0.3, dt: Positive = 0.25, y: State = 0.5, random: Random):
    y = library.euler_maruyama(decay, lambda t, z, rate, drive: noise, 0.3, y + np.zeros(x.shape), dt, (rate, x), random=random)
    return Step(outputs=(y,), states=(y,))


def growth(t, y, mu, sigma):
    return mu * y


def volatility(t, y, mu, sigma):
    return sigma * y


def volatility_slope(t, y, mu, sigma):
    return sigma


def geometric(x, *, mu=0.5, sigma=0.8, dt: Positive = 0.25, y: State = 1.0, random: Random):
    y = library.milstein(growth, volatility, volatility_slope, 0.0, y + 0.0 * x, dt, (mu, sigma), random=random)
    return Step(outputs=(y,), states=(y,))


FORMS = [by_function, by_lambda, by_nested_function, by_partial, without_arguments, in_a_loop, system, noisy, geometric]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("shape", [(), (3,), (2, 2)], ids=str)
@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.__name__)
def test_forms_of_right_hand_sides(form, shape) -> None:
    x = np.linspace(0.5, 1.5, math.prod(shape)).reshape(shape) if shape else 0.7
    check(form, x, native=True)


def test_forms_compute_the_same() -> None:
    x = np.array([0.2, 1.5])
    (wanted,) = by_function(x).outputs
    for form in (by_lambda, by_nested_function):
        assert form(x).outputs[0].tolist() == wanted.tolist()
    y = solve_ivp(decay, (0.3, 0.55), [0.5, 0.5], args=(0.4, x), rtol=1e-12, atol=1e-12).y[:, -1]
    np.testing.assert_allclose(wanted, y, rtol=0.0, atol=5e-7)  # the error of one step is about (rate * dt)**5 / 120 = 8e-8 times y


@pytest.mark.parametrize("mode", ["run", "python"])
def test_a_node_of_a_model_steps_like_python(mode) -> None:
    m = cogir.Model("m")
    m.output(m.node("n", in_a_loop, input=2, rate=0.7))
    result = m.compile(mode=mode).run({"n": [[1.0, -2.0]]}, num_trials=3)
    y = np.full(2, 0.5)
    for trial in range(3):
        ((y,), _, _) = in_a_loop(np.array([1.0, -2.0]), rate=0.7, y=y)
        np.testing.assert_allclose(result.results[trial][0], y, rtol=1e-14)


def ends(step, levels, paths: int = 2000, finest: int = 512):
    """The mean error at time 1 for each number of steps, on the same Brownian paths."""
    mu, sigma, horizon = 0.5, 0.8, 1.0
    normals = np.random.default_rng(20240518).standard_normal((finest, paths)) * math.sqrt(horizon / finest)
    truth = np.exp((mu - 0.5 * sigma * sigma) * horizon + sigma * normals.sum(axis=0))
    errors = []
    for count in levels:
        increments = normals.reshape(count, finest // count, paths).sum(axis=1)
        dt, y = horizon / count, np.ones(paths)
        for increment in increments:
            y = step(y, dt, Given(increment / math.sqrt(dt)))
        errors.append(np.abs(y - truth).mean())
    return errors


class Given:
    """A generator whose next normals are given, so that steps of different lengths follow the same path."""

    def __init__(self, normals: np.ndarray):
        self.normals = normals

    def normal(self, shape):
        assert shape == self.normals.shape
        return self.normals

    uniform = integer = seed = None  # the methods that make it a generator of cogir


def em(y, dt, random):
    return library.euler_maruyama(growth, volatility, 0.0, y, dt, (0.5, 0.8), random=random)


def mil(y, dt, random):
    return library.milstein(growth, volatility, volatility_slope, 0.0, y, dt, (0.5, 0.8), random=random)


@pytest.mark.parametrize(("step", "order"), [(em, 0.5), (mil, 1.0)], ids=["euler_maruyama", "milstein"])
def test_strong_order_on_geometric_brownian_motion(step, order: float) -> None:
    """
    The paths are fixed by the seed. Over 200 seeds the slopes are 0.483 +- 0.012 and 0.967 +- 0.007 (mean and standard deviation; below the
    order, as the steps are not infinitely short), so that a limit of 0.1 has a probability of a false alarm below 1e-8.
    """
    levels = [8, 16, 32, 64, 128]
    slope = -np.polyfit(np.log(levels), np.log(ends(step, levels)), 1)[0]
    print(f"measured strong order {slope:.3f}")
    assert abs(slope - order) < 0.1


def test_moments_of_an_ornstein_uhlenbeck_process() -> None:
    """
    Stationary mean and variance of 40,000 paths. Euler-Maruyama's stationary variance is exactly noise**2 / (2 - rate * dt) / rate. Both
    limits are 4.5 standard errors: a false alarm has a probability of 7e-6 each.
    """
    random, y, rate, dt, noise = cogir.random(4, "philox"), np.zeros(40_000), 0.8, 0.1, 0.5
    for _ in range(200):
        y = library.euler_maruyama(lambda t, y: -rate * y, lambda t, y: noise, 0.0, y, dt, random=random)
    variance = noise**2 / (2.0 - rate * dt) / rate
    assert abs(y.mean()) < 4.5 * math.sqrt(variance / y.size)
    assert abs(y.var() - variance) < 4.5 * variance * math.sqrt(2.0 / y.size)


def test_milstein_of_constant_noise_is_euler_maruyama() -> None:
    y = np.array([1.0, 2.0])
    arguments = (0.0, y, 0.1)
    first = library.euler_maruyama(decay_alone, lambda t, y: 0.3, *arguments, random=cogir.random(5))
    second = library.milstein(decay_alone, lambda t, y: 0.3, lambda t, y: 0.0, *arguments, random=cogir.random(5))
    assert first.tolist() == second.tolist()


def test_another_shape_of_the_slopes_is_an_error_in_python_too() -> None:
    with pytest.raises(ValueError, match="return one slope for each element of y"):
        library.rk4(lambda t, y: y[:, None] * y, 0.0, np.ones(2), 0.1)
    with pytest.raises(ValueError, match="a number or one for each element of y"):
        library.euler_maruyama(decay_alone, lambda t, y: np.ones((2, 2)), 0.0, np.ones(2), 0.1, random=cogir.random(1))


def growing(x, *, y: State = 0.0, random: Random):
    y = library.euler_maruyama(decay, lambda t, z, rate, drive: 0.1, 0.0, y, 0.1, (0.5, x), random=random)
    return Step(outputs=(y,), states=(y,))


def test_noise_for_a_state_that_is_still_a_number_is_an_error() -> None:
    """One normal for all elements is what nobody means."""
    with pytest.raises(ValueError, match=r"give y \+ np.zeros\(shape\) as y"):
        growing(np.ones(2), random=cogir.random(1))
    with pytest.raises(cogir.FunctionError, match=r"growing: in the call of euler_maruyama: .*give y \+ np.zeros\(shape\) as y"):
        check(growing, np.ones(2))


@pytest.mark.parametrize("name", ["euler", "heun", "rk4", "euler_maruyama", "milstein"])
def test_as_a_node_the_error_names_the_remedy(name: str) -> None:
    with pytest.raises(cogir.ModelError, match=rf"function {name} takes a function as .* call it in a function of your own"):
        cogir.Model("m").node("n", getattr(library, name), input=2)


def stepped(x, *, rule: library.Static = "none", y: library.State = 1.0):
    after = y if rule == "none" else library.rk4(rule, 0.0, y, 0.1)
    return library.Step(outputs=(after + 0.0 * x,), states=(after,))


def test_a_node_takes_a_right_hand_side_as_a_constant() -> None:
    m = cogir.Model("m")
    m.node("n", stepped, input=1, rule=decay_alone)
    y = 1.0
    for found in m.compile(mode="run").run({"n": [[0.0]]}, num_trials=3)["n"].ravel():
        y = library.rk4(decay_alone, 0.0, y, 0.1)
        assert found == y


def another(t, y):
    return 0.25 * y


def test_another_right_hand_side_is_another_program() -> None:
    """The object cache and the table of functions tell two right-hand sides with the same types apart."""

    def both(x):
        return library.euler(decay_alone, 0.0, x, 1.0), library.euler(another, 0.0, x, 1.0)

    m = cogir.Model("m")
    node = m.node("n", both, input=2)
    m.output(node["value_0"])
    m.output(node["value_1"])
    result = m.compile(mode="run").run({"n": [[4.0, 8.0]]})
    assert [values.tolist() for values in result.results[0]] == [[2.0, 4.0], [5.0, 10.0]]


def as_list(t, y, drive):
    return [y[1], drive - y[0]]


def as_tuple(t, y, drive):
    return y[1], drive - y[0]


def as_array(t, y, drive):
    return np.stack([y[1], drive - y[0]])


@pytest.mark.sampled(2)
@pytest.mark.parametrize("rhs", [as_list, as_tuple], ids=["list", "tuple"])
@pytest.mark.parametrize("step", [library.euler, library.heun, library.rk4], ids=lambda step: step.__name__)
@pytest.mark.parametrize("shape", [(2,), (2, 3)], ids=str)
def test_slopes_may_be_lists(step, rhs, shape) -> None:
    def listed(x, *, drive=0.3):
        return step(rhs, 0.1, x, 0.25, (drive,))

    x = np.linspace(0.5, 1.5, math.prod(shape)).reshape(shape)
    (found,) = check(listed, x, native=True)
    assert found.tolist() == step(as_array, 0.1, x, 0.25, (0.3,)).tolist()


def test_arguments_may_be_a_list() -> None:
    def listed(x, *, drive=0.3):
        return library.rk4(as_array, 0.1, x, 0.25, [drive])

    x = np.array([0.5, 1.5])
    (found,) = check(listed, x, native=True)
    assert found.tolist() == library.rk4(as_array, 0.1, x, 0.25, (0.3,)).tolist()


def test_drifts_and_diffusions_may_be_lists() -> None:
    def listed(x, *, drive=0.3, random: Random):
        return library.milstein(as_list, lambda t, y, drive: [0.1, drive], lambda t, y, drive: 0.0, 0.1, x, 0.25, (drive,), random=random)

    check(listed, np.array([0.5, 1.5]), native=True)


WRONG = {
    "too few": (
        lambda x: library.rk4(as_list, 0.0, x, 0.1),
        r"missing a required argument: 'drive'; it is called as function\(t, y, \*args\), with 2",
    ),
    "too many": (
        lambda x: library.rk4(decay_alone, 0.0, x, 0.1, (0.3,)),
        "too many positional arguments; .*, with 3 arguments: give a function",
    ),
    "lambda": (lambda x: library.euler(lambda t, y, a: -y, 0.0, x, 0.1), r"<lambda> needs a value for a; it is called as function\(t, y"),
    "lambda of one": (lambda x: library.euler(lambda y: -y, 0.0, x, 0.1), "<lambda> takes 1 arguments, not 2; it is called as"),
    "args": (lambda x: library.heun(as_list, 0.0, x, 0.1, 0.3), r"args is not a tuple; write \(rate,\) for a single argument"),
    "list of another length": (lambda x: library.heun(lambda t, y: [y[0]], 0.0, x, 0.1), "array of another shape than y; return one slope"),
    "nothing": (lambda x: library.heun(lambda t, y: None, 0.0, x, 0.1), "None is not a number, array"),
}


@pytest.mark.parametrize("name", WRONG)
def test_other_right_hand_sides_are_refused(name: str) -> None:
    function, message = WRONG[name]
    with pytest.raises(cogir.FunctionError, match=rf"test_solvers.py:\d+: <lambda>: in the call of \w+: .*{message}"):
        check(function, np.array([0.5, 1.5]))
