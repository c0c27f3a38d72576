"""
The dynamic attention model of the gallery: both versions are its equations in NumPy, draw by draw, and each layer has a stream of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import cogir
from benchmarks.dynamic_attention import script

SCRIPT = script()
LAYERS = ("control", "stimulus", "decision", "response")
TRIALS = {
    "task": np.tile([1.0, 0.0], (4, 1)),
    "colour": np.eye(2)[[0, 1, 1, 0]],
    "place": np.eye(2)[[1, 1, 0, 0]],
}
"""Incongruent, congruent, incongruent, congruent."""
TOLERANCE = 1e-11
"""Of times and activities, near 1: sums in another order, over some hundred steps that are no chaos."""


def by_hand(noise: float, draws: dict[str, Callable[[int], Any]], threshold: float = 0.3) -> tuple[np.ndarray, np.ndarray, list[float]]:
    """Choices, times and the gain at the end of each trial, from the equations of the script's docstring, unit by unit."""

    def logistic(value: float) -> float:
        return 1.0 / (1.0 + np.exp(-value))

    def moved(
        v: list[float], x: list[float], net: list[float], leak: float, competition: float, rival: list[int], kicks: Any
    ) -> list[float]:
        return [v[i] + (net[i] - leak * v[i] - competition * x[rival[i]]) * 0.01 + noise * np.sqrt(0.01) * kicks[i] for i in range(len(v))]

    v_control, control, gain = [0.0, 0.0], [0.5, 0.5], 5.0
    choices, times, gains = [], [], []
    for task, colour, place in zip(*TRIALS.values(), strict=True):
        rest = logistic(5.0 * -0.45)
        v_stimulus, v_decision, v_response = [0.0] * 4, [0.0] * 2, [0.0] * 2
        stimulus, decision, response = [rest] * 4, [rest] * 2, [rest] * 2
        a = u = 0.0
        steps = 0
        while max(response) < threshold:
            steps += 1
            v_control = moved(v_control, control, list(task), 7.0, 3.0, [1, 0], draws["control"](2))
            control = [logistic(10.0 * v) for v in v_control]
            hue, side = colour[0] - colour[1], 1.2 * (place[0] - place[1])
            support = [4.0 * control[0] + hue, 4.0 * control[0] - hue, 4.0 * control[1] + side, 4.0 * control[1] - side]
            v_stimulus = moved(v_stimulus, stimulus, support, 8.0, 8.0, [1, 0, 3, 2], draws["stimulus"](4))
            stimulus = [logistic(gain * (v - 0.45)) for v in v_stimulus]
            both = 4.0 * (control[0] + control[1])
            lead = stimulus[0] - stimulus[1] + 1.2 * (stimulus[2] - stimulus[3])
            v_decision = moved(v_decision, decision, [both + lead, both - lead], 8.0, 8.0, [1, 0], draws["decision"](2))
            decision = [logistic(gain * (v - 0.45)) for v in v_decision]
            for _ in range(10):
                slope_a = (a * (a - 0.5) * (1.0 - a) - u + 0.3 * sum(decision)) / 0.05
                slope_u = (0.9 * a + 0.1 * 0.5 - u) / 5.0
                a, u = a + 0.02 * slope_a, u + 0.02 * slope_u
            gain = 5.0 + u
            lead = decision[0] - decision[1]
            v_response = moved(v_response, response, [both + lead, both - lead], 8.0, 8.0, [1, 0], draws["response"](2))
            response = [logistic(gain * (v - 0.45)) for v in v_response]
        choices.append(float(response[1] > response[0]))
        times.append(0.2 + 0.01 * steps)
        gains.append(gain)
    return np.array(choices), np.array(times), gains


def streams(names: dict[str, str], seed: int, replicate: int) -> dict[str, Callable[[int], Any]]:
    """The draws of the generator of each layer in a replicate."""
    return {layer: cogir.random(seed, generator=name, replicate=replicate).normal for layer, name in names.items()}


NAMES = {
    "network": {layer: f"{layer}/random:random" for layer in LAYERS},
    "one_node": {layer: f"answer/random:random_{layer}" for layer in LAYERS},
}
"""The generator of each layer."""


@pytest.mark.parametrize("version", NAMES)
def test_without_noise_trials_are_those_of_the_equations(version: str) -> None:
    found = SCRIPT[version](noise=0.0).compile(mode="run").run(TRIALS)
    choices, times, _ = by_hand(0.0, {layer: np.zeros for layer in LAYERS})
    assert found["answer", "choice"].ravel().tolist() == choices.tolist()
    np.testing.assert_allclose(found["answer", "response_time"].ravel(), times, rtol=TOLERANCE)


@pytest.mark.parametrize("version", NAMES)
def test_with_noise_a_replicate_is_the_equations_with_a_stream_for_each_layer(version: str) -> None:
    compiled = SCRIPT[version](noise=0.1).compile(mode="run")
    assert sorted(compiled.generators) == sorted(NAMES[version].values())
    found = compiled.replicates(TRIALS, count=3, seed=11)
    for replicate in range(3):
        choices, times, _ = by_hand(0.1, streams(NAMES[version], 11, replicate))
        assert found["answer", "choice"][replicate].ravel().tolist() == choices.tolist()
        np.testing.assert_allclose(found["answer", "response_time"][replicate].ravel(), times, rtol=TOLERANCE)


def test_the_gain_follows_the_locus_coeruleus_and_is_kept_for_the_next_trial() -> None:
    model = SCRIPT["network"](noise=0.0)
    model.record(model["locus coeruleus"]["gain"])
    model.record(model["stimulus"].param("gain"))
    traces = model.compile(mode="run").run(TRIALS).traces
    made, used = traces["locus coeruleus/gain"], traces["stimulus/gain"]
    _, times, gains = by_hand(0.0, {layer: np.zeros for layer in LAYERS})
    for trial, before in enumerate([5.0, *gains[:-1]]):
        assert len(made[trial]) == round((times[trial] - 0.2) / 0.01)
        np.testing.assert_allclose(np.ravel(made[trial])[-1], gains[trial], rtol=TOLERANCE)
        np.testing.assert_allclose(np.ravel(used[trial]), [before, *np.ravel(made[trial])[:-1]], rtol=TOLERANCE)


def test_replicates_of_one_node_go_in_lanes_and_those_of_the_network_do_not() -> None:
    assert "in 48 lanes" in str(SCRIPT["one_node"]().compile(mode="run").explain())
    assert "39 numbers; 16 is the limit" in str(SCRIPT["network"]().compile(mode="run").explain())
