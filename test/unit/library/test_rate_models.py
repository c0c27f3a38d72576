"""Rate models against SciPy's integration of the published equations, their order, and the behaviour that they are known for."""

# pyright: basic
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from support.pyfunc import check

import cogir
from cogir import library

E, PI = np.exp, np.pi


def wilson_cowan(t, y, p, q):
    """Wilson and Cowan (1972), equations 11 and 12 with the parameters of figure 11."""

    def s(x, a, theta):
        return 1 / (1 + E(-a * (x - theta))) - 1 / (1 + E(a * theta))

    e, i = y
    ke, ki = 1 - 1 / (1 + E(1.3 * 4)), 1 - 1 / (1 + E(2 * 3.7))
    return [(-e + (ke - e) * s(16 * e - 12 * i + p, 1.3, 4)) / 8, (-i + (ki - i) * s(15 * e - 3 * i + q, 2, 3.7)) / 8]


def jansen_rit(t, y, p):
    """Jansen and Rit (1995), equation 6 with the parameters of their table."""
    a, b, c = 100, 50, 135

    def s(v):
        return 5 / (1 + E(0.56 * (6 - v)))

    return [
        *y[3:],
        3.25 * a * s(y[1] - y[2]) - 2 * a * y[3] - a * a * y[0],
        3.25 * a * (p + 0.8 * c * s(c * y[0])) - 2 * a * y[4] - a * a * y[1],
        22 * b * 0.25 * c * s(0.25 * c * y[0]) - 2 * b * y[5] - b * b * y[2],
    ]


def fitz_hugh_nagumo(t, y, current):
    return [y[0] - y[0] ** 3 / 3 - y[1] + current, (y[0] + 0.7 - 0.8 * y[1]) / 12.5]


REST = (-1.199408035244035, -0.6242600440550439)
"""Where the cell of FitzHugh and Nagumo rests: the solution of v - v**3 / 3 - (v + 0.7) / 0.8 = 0."""
CASES: dict[str, tuple[Any, Any, tuple[float, ...], list[float], float, list[int]]] = {
    "wilson_cowan": (library.wilson_cowan, wilson_cowan, (1.25, 0.1), [0.0, 0.0], 40.0, [40, 80, 160, 320]),
    "jansen_rit": (library.jansen_rit, jansen_rit, (220.0,), [0.0] * 6, 0.2, [200, 400, 800, 1600]),
    "fitz_hugh_nagumo": (library.fitz_hugh_nagumo, fitz_hugh_nagumo, (0.5,), list(REST), 40.0, [200, 400, 800, 1600]),
}


def stepped(function, inputs, dt: float, count: int) -> np.ndarray:
    """The states after `count` steps."""
    arguments = [np.array([value]) for value in inputs]
    step = function(*arguments, time_step_size=dt)
    names = list(library.signature.signature_of(function).states)
    for _ in range(count - 1):
        step = function(*arguments, time_step_size=dt, **dict(zip(names, step.states, strict=True)))
    return np.concatenate([np.ravel(state) for state in step.states])


def exact(slope, inputs, start, end: float) -> np.ndarray:
    return solve_ivp(slope, (0.0, end), start, args=inputs, method="DOP853", rtol=1e-13, atol=1e-13).y[:, -1]


@pytest.mark.parametrize("name", CASES)
def test_order_four_towards_scipys_solution(name: str) -> None:
    function, slope, inputs, start, end, counts = CASES[name]
    truth = exact(slope, inputs, start, end)
    errors = [np.abs(stepped(function, inputs, end / count, count) - truth).max() / np.abs(truth).max() for count in counts]
    order = -np.polyfit(np.log(counts), np.log(errors), 1)[0]
    print(f"{name}: relative errors {errors}, order {order:.2f}")
    assert abs(order - 4.0) < 0.3
    assert errors[-1] < 1e-7


def test_psyneulinks_integrator_has_order_one() -> None:
    truth, counts, errors = exact(fitz_hugh_nagumo, (0.5,), [0.1, 0.2], 4.0), [100, 200, 400, 800], []
    for count in counts:
        v, w = np.array([0.1]), np.array([0.2])
        for _ in range(count):
            (v, w, _), _, _ = library.psyneulink.fitz_hugh_nagumo_integrator(
                np.array([0.5]), time_step_size=4.0 / count, previous_v=v, previous_w=w
            )
        errors.append(max(abs(v[0] - truth[0]), abs(w[0] - truth[1])))
    order = -np.polyfit(np.log(counts), np.log(errors), 1)[0]
    print(f"order {order:.2f}")
    assert abs(order - 1.0) < 0.1


@pytest.mark.parametrize("x", [np.array([1.25, 0.0, 3.0]), 1.25], ids=["vector", "number"])
@pytest.mark.parametrize("name", CASES)
def test_compiled(name: str, x: Any) -> None:
    function, _, inputs, *_ = CASES[name]
    scaled = [x * 100.0 if name == "jansen_rit" else x] * len(inputs)
    check(function, *scaled, native=True)


def course(function, inputs: dict[str, Any], steps: int, output: str, **given: Any) -> np.ndarray:
    """The output in each step of a compiled model, (steps, size of the input)."""
    m = cogir.Model("m")
    node = m.node("n", function, input={name: len(values) for name, values in inputs.items()}, **given)
    m.output(node[output])
    result = m.compile(mode="run").run({"n": {name: [values] for name, values in inputs.items()}}, num_trials=steps)
    return np.array([trial[0] for trial in result.results])


def crossings(values: np.ndarray, level: float) -> np.ndarray:
    """The steps before which the values rise above a level, interpolated."""
    at = np.flatnonzero((values[:-1] <= level) & (values[1:] > level))
    return at + (level - values[at]) / (values[at + 1] - values[at])


def test_wilson_cowan_has_a_limit_cycle_with_drive_and_rest_without() -> None:
    e = course(library.wilson_cowan, {"variable": [1.25, 0.0], "inhibitory_input": [0.0, 0.0]}, 4000, "excitatory", time_step_size=0.25)
    late = e[2000:, 0]
    periods = np.diff(crossings(late, 0.2)) * 0.25
    solution = solve_ivp(wilson_cowan, (0.0, 1000.0), [0.0, 0.0], args=(1.25, 0.0), rtol=1e-10, atol=1e-12, dense_output=True)
    smooth = solution.sol(np.arange(500.0, 1000.0, 0.25))[0]
    wanted = np.diff(crossings(smooth, 0.2)) * 0.25
    print(f"E from {late.min():.4f} to {late.max():.4f}, period {periods.mean():.3f} ms, SciPy's {wanted.mean():.3f} ms")
    assert len(periods) >= 5
    assert periods.std() < 0.01
    assert abs(periods.mean() - wanted.mean()) < 0.01
    assert late.max() - late.min() > 0.15
    assert abs(late.max() - smooth.max()) < 1e-3
    assert np.abs(e[2000:, 1]).max() == 0.0


def test_jansen_rit_oscillates_at_ten_hertz() -> None:
    """The alpha rhythm of figure 3 of the paper for its mean input; no oscillation above p = 315.7 (Grimbert and Faugeras 2006)."""
    eeg = course(library.jansen_rit, {"variable": [220.0, 400.0]}, 12_000, "value", time_step_size=0.0005)[4000:]
    spectrum = np.abs(np.fft.rfft(eeg[:, 0] - eeg[:, 0].mean()))
    peak = np.fft.rfftfreq(len(eeg), 0.0005)[spectrum.argmax()]
    period = np.diff(crossings(eeg[:, 0], eeg[:, 0].mean())).mean() * 0.0005
    solution = solve_ivp(jansen_rit, (0.0, 6.0), [0.0] * 6, args=(220.0,), rtol=1e-10, atol=1e-12, dense_output=True)
    smooth = solution.sol(0.0005 * np.arange(4001, 12_001))
    smooth = smooth[1] - smooth[2]
    print(f"peak {peak:.2f} Hz, {1.0 / period:.3f} Hz between crossings, from {eeg[:, 0].min():.2f} to {eeg[:, 0].max():.2f} mV")
    assert 9.0 < peak < 12.0
    assert abs(1.0 / period - peak) < 0.25  # the resolution of the spectrum
    np.testing.assert_allclose(eeg[:, 0], smooth, rtol=0.0, atol=1e-4)
    assert np.ptp(eeg[:, 0]) > 2.5
    assert np.ptp(eeg[4000:, 1]) < 0.05


def test_fitz_hugh_nagumo_rests_spikes_and_is_blocked() -> None:
    v = course(library.fitz_hugh_nagumo, {"variable": [0.0, 0.5, 2.0]}, 4000, "v", time_step_size=0.1)
    assert np.abs(v[:, 0] - REST[0]).max() < 1e-14
    spikes = crossings(v[:, 1], 1.0) * 0.1
    solution = solve_ivp(fitz_hugh_nagumo, (0.0, 400.0), REST, args=(0.5,), rtol=1e-11, atol=1e-12, dense_output=True)
    wanted = crossings(solution.sol(0.1 * np.arange(1, 4001))[0], 1.0) * 0.1
    print(f"spikes at {np.array_str(spikes, precision=2)}")
    assert len(spikes) == len(wanted) >= 9
    np.testing.assert_allclose(spikes, wanted, atol=1e-3)
    assert np.ptp(v[2000:, 2]) < 0.01


@pytest.mark.parametrize(
    ("name", "given"), [("wilson_cowan", "time_constant_e"), ("jansen_rit", "rate_e"), ("fitz_hugh_nagumo", "time_constant")]
)
def test_ranges(name: str, given: str) -> None:
    with pytest.raises(cogir.ModelError, match=rf'parameter "{given}" is .*; it must be above 0'):
        cogir.Model("m").node("n", getattr(library, name), input=1, **{given: 0.0})
