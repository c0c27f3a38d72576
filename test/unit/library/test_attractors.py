"""Attractor networks against NumPy loops, a solver of the ring's fixed point, and the properties that the papers prove."""

# pyright: basic
from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from support.pyfunc import check

import cogir
from cogir import library


def patterns(count: int, n: int, seed: int = 3) -> np.ndarray:
    return np.where(np.random.default_rng(seed).random((count, n)) < 0.5, -1.0, 1.0)


def test_storage() -> None:
    stored = patterns(3, 7)
    (found,) = check(library.hopfield_storage, stored, native=True)
    for i in range(7):
        for j in range(7):
            wanted = 0.0 if i == j else sum(p[i] * p[j] for p in stored) / 7
            assert abs(found[i, j] - wanted) < 1e-15


@pytest.mark.parametrize("shape", [(), (3,), (2, 2, 2)], ids=str)
def test_patterns_are_a_matrix(shape) -> None:
    message = r"patterns has another shape than \(p, n\); give a matrix, one row for each pattern"
    with pytest.raises(cogir.ModelError, match=f"hopfield_storage: {message}"):
        cogir.Model("m").node("store", library.hopfield_storage, input=shape)
    with pytest.raises(ValueError, match=message):
        library.hopfield_storage(np.ones(shape))


def energy(state, weights, threshold) -> float:
    total = 0.0
    for i in range(len(state)):
        total += threshold * state[i]
        for j in range(len(state)):
            total -= 0.5 * weights[i, j] * state[i] * state[j]
    return total


@pytest.mark.parametrize("threshold", [0.0, 0.25])
def test_synchronous(threshold: float) -> None:
    weights = library.hopfield_storage(patterns(3, 8))
    cue = patterns(1, 8, seed=9)[0]
    state, found = check(library.hopfield_synchronous, cue, weights, threshold=threshold, native=True)
    wanted = []
    for i in range(8):
        field = sum(weights[i, j] * cue[j] for j in range(8)) - threshold
        wanted.append(cue[i] if field == 0.0 else np.sign(field))
    assert state.tolist() == wanted
    assert abs(found - energy(state, weights, threshold)) < 1e-13


def test_a_field_of_zero_keeps_the_state() -> None:
    cue = np.array([1.0, -1.0, 1.0])
    assert library.hopfield_synchronous(cue, np.zeros((3, 3)))[0].tolist() == cue.tolist()
    assert library.hopfield_asynchronous(cue, np.zeros((3, 3)), random=cogir.random(1))[0].tolist() == cue.tolist()


def test_asynchronous() -> None:
    """Against a loop over the same order; with symmetric weights the energy never increases, and a fixed point is reached."""
    weights = library.hopfield_storage(patterns(6, 20))
    cue = patterns(1, 20, seed=11)[0]
    check(library.hopfield_asynchronous, cue, weights, threshold=0.013, native=True)
    random, same = cogir.random(5), cogir.random(5)
    state, before = cue, np.inf
    for _ in range(20):
        order = list(range(20))
        for k in range(19):
            other = k + same.integer(20 - k)
            order[k], order[other] = order[other], order[k]
        wanted = state.copy()
        for i in order:
            wanted[i] = np.sign(weights[i] @ wanted - 0.013)  # never 0: the weights are multiples of 1 / 20
        state, now = library.hopfield_asynchronous(state, weights, threshold=0.013, random=random)
        assert state.tolist() == wanted.tolist()
        assert abs(now - energy(state, weights, 0.013)) < 1e-12
        assert now <= before + 1e-12
        before = now
    assert library.hopfield_asynchronous(state, weights, threshold=0.013, random=random)[0].tolist() == state.tolist()


def test_the_order_of_units_is_random() -> None:
    """
    A unit that all others follow decides only for those after it, so the sum of the states tells its place, uniform on 0 ... 4. For 5000
    draws, chi-squared with 4 degrees of freedom is above 28.5 with a probability of 1e-5; the seed is fixed.
    """
    weights = np.zeros((5, 5))
    weights[1:, 0] = 1.0
    weights[0, 0] = -2.0  # the first unit changes its sign, and the others copy it before or after
    random, counts = cogir.random(8, "philox"), np.zeros(5)
    for _ in range(5000):
        state, _ = library.hopfield_asynchronous(np.ones(5), weights, random=random)
        assert state[0] == -1.0
        counts[int((state[1:] == 1.0).sum())] += 1
    assert ((counts - 1000.0) ** 2 / 1000.0).sum() < 28.5


def test_patterns_are_completed_in_a_model() -> None:
    stored = patterns(5, 100)
    cue = stored[2].copy()
    cue[:30] = 1.0
    m = cogir.Model("hopfield")
    memory = m.node("memory", library.hopfield_synchronous, input={"variable": 100, "weights": (100, 100)})
    m.output(memory["state"])
    compiled = m.compile(mode="run")
    state, weights = cue, library.hopfield_storage(stored)
    for _ in range(5):
        state = compiled.run({"memory": {"variable": [state], "weights": [weights]}}, num_trials=1).results[0][0]
    assert state.tolist() == stored[2].tolist()


def ring(t, rates, drive, j0, j1, tau):
    n = len(rates)
    angles = 2.0 * np.pi * np.arange(n) / n
    weights = (j0 + j1 * np.cos(angles[:, None] - angles)) / n
    return (np.maximum(drive + weights @ rates, 0.0) - rates) / tau


def test_ring_is_the_matrix_equation() -> None:
    rng = np.random.default_rng(2)
    drive, rates = rng.normal(size=12), rng.random(12)
    given = {"uniform_weight": -3.0, "cosine_weight": 5.0, "background": 0.7, "time_constant": 8.0, "time_step_size": 0.5}
    found, angle, amplitude, _ = check(library.ring_attractor, drive, rates=rates, **given, native=True)
    k, y = [], rates
    for share in (0.0, 0.5, 0.5, 1.0):
        k.append(ring(0.0, rates + share * 0.5 * (k[-1] if k else 0.0), drive + 0.7, -3.0, 5.0, 8.0))
    y = rates + 0.5 / 6.0 * (k[0] + 2.0 * k[1] + 2.0 * k[2] + k[3])
    np.testing.assert_allclose(found, y, rtol=0.0, atol=1e-13)
    vector = (y * np.exp(2j * np.pi * np.arange(12) / 12)).mean()
    assert abs(angle - np.angle(vector)) < 1e-12
    assert abs(amplitude - abs(vector)) < 1e-12
    for _ in range(400):
        found = library.ring_attractor(drive, rates=found, **given).outputs[0]
    late = solve_ivp(ring, (0.0, 200.5), rates, args=(drive + 0.7, -3.0, 5.0, 8.0), rtol=1e-10, atol=1e-12).y[:, -1]
    np.testing.assert_allclose(found, late, rtol=0.0, atol=1e-6)


@pytest.mark.parametrize("place", [0.4, 2.0, -2.5])
def test_the_bump_persists_where_the_cue_was(place: float) -> None:
    """With J1 = 4 the bump is 180 degrees wide, and its amplitude is -pi * b / (4 * J0) = pi / 16 (Ben-Yishai et al. 1995)."""
    n = 64
    cue = 0.5 * np.cos(2.0 * np.pi * np.arange(n) / n - place)
    m = cogir.Model("ring")
    node = m.node("ring", library.ring_attractor, input=n)
    for port in ("rates", "angle", "amplitude"):
        m.output(node[port])
    compiled = m.compile(mode="run")
    compiled.run({"ring": [cue]}, num_trials=200)
    rates, angle, amplitude = compiled.run({"ring": [np.zeros(n)]}, num_trials=1000).results[-1]
    print(f"cue at {place}, after 1 s at {float(angle):.6f}, amplitude {float(amplitude):.6f} (pi / 16 = {np.pi / 16:.6f})")
    assert abs(float(angle) - place) < 0.01
    assert abs(float(amplitude) - np.pi / 16.0) < 1e-3
    assert abs(np.count_nonzero(rates > 1e-3) - n / 2) <= 2


def test_without_enough_recurrence_the_bump_is_lost() -> None:
    rates = library.ring_attractor(np.cos(2.0 * np.pi * np.arange(16) / 16), cosine_weight=1.5).outputs[0]
    for _ in range(500):
        rates = library.ring_attractor(np.zeros(16), cosine_weight=1.5, rates=rates).outputs[0]
    np.testing.assert_allclose(rates, 0.2, rtol=0.0, atol=1e-6)  # b / (1 - J0)


def test_two_units_are_no_ring() -> None:
    with pytest.raises(cogir.ModelError, match="give the node an input of at least 3 elements"):
        cogir.Model("m").node("n", library.ring_attractor, input=2)


def test_noise_of_the_ring_is_that_of_its_draws() -> None:
    rng = np.random.default_rng(3)
    drive, rates = rng.normal(size=12), rng.random(12)
    given = {"uniform_weight": -3.0, "cosine_weight": 5.0, "background": 0.7, "time_constant": 8.0, "time_step_size": 0.25, "rates": rates}
    still = library.ring_attractor(drive, **given).outputs
    silent = library.noisy_ring_attractor(drive, noise=0.0, random=cogir.random(4), **given).outputs
    assert [np.asarray(each).tobytes() for each in silent] == [np.asarray(each).tobytes() for each in still]
    rates, angle, amplitude = library.noisy_ring_attractor(drive, noise=0.3, random=cogir.random(4), **given).outputs
    expected = still[0] + 0.3 * np.sqrt(0.25) * cogir.random(4).normal(12)
    assert np.array_equal(rates, expected)
    vector = (expected * np.exp(2j * np.pi * np.arange(12) / 12)).mean()
    assert abs(angle - np.angle(vector)) < 1e-12
    assert abs(amplitude - abs(vector)) < 1e-12


@pytest.mark.parametrize("mode", ["run", "python"])
def test_a_ring_without_noise_has_the_bits_of_the_other_one(mode: str) -> None:
    n = 8 if mode == "python" else 64
    cue = 0.5 * np.cos(2.0 * np.pi * np.arange(n) / n - 1.0)
    inputs = [*[cue] * 20, *[np.zeros(n)] * 40]
    found = []
    for function, more in ((library.ring_attractor, {}), (library.noisy_ring_attractor, {"noise": 0.0})):
        model = cogir.Model("ring")
        model.node("ring", function, input=n, **more)
        found.append(model.compile(mode=mode).run({"ring": inputs}))
    for port in ("rates", "angle", "amplitude"):
        assert found[0]["ring", port].tobytes() == found[1]["ring", port].tobytes()


def test_the_remembered_angle_wanders_as_the_theory_says() -> None:
    """
    The angle diffuses by `noise ** 2 * sum(v ** 2) / sum(v * u) ** 2`: u is the derivative of the rates with respect to the angle of the
    bump, and v, with which noise moves it, is a sine of the angles (Kilpatrick and Ermentrout 2013, for a ring with J0 and J1).
    """
    n, noise, count = 64, 0.02, 800
    angles = 2.0 * np.pi * np.arange(n) / n
    rates, cue = np.zeros(n), 0.5 * np.cos(angles - 1.0)
    for step in range(400):
        rates = library.ring_attractor(cue if step < 200 else np.zeros(n), rates=rates).outputs[0]
    u = np.fft.ifft(1j * np.fft.fftfreq(n, 1.0 / n) * np.fft.fft(rates)).real
    v = np.sin(angles - 1.0)
    expected = noise**2 * np.sum(v**2) / np.sum(v * u) ** 2

    model = cogir.Model("ring", seed=6)
    node = model.node("ring", library.noisy_ring_attractor, input=n, noise=noise)
    model.output(node["angle"])
    inputs = np.concatenate([np.tile(cue, (100, 1)), np.zeros((220, n))])
    found = np.asarray(model.compile().replicates({"ring": inputs}, count=count)["ring", "angle"]).reshape(count, -1)
    moved = found[:, -1] - found[:, 160]  # the first of both is after the transient of the noise
    slope = moved.var() / (found.shape[1] - 161)
    transient = np.var(found[:, 161] - found[:, 160]) / (found.shape[1] - 161)
    print(f"{1000.0 * slope:.4f}, and {1000.0 * expected:.4f} by the theory, per 1000 steps")
    assert abs(slope - expected) < 4.0 * np.sqrt(2.0 / count) * expected + 2.0 * transient
