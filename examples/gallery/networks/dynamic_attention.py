"""
Attention that the locus coeruleus sharpens
===========================================

A stimulus has a colour and a place, and the answer to its colour is a key on the left or on the right (the Simon task). Four layers of
leaky competing accumulators (Usher and McClelland 2001) lead to the answer: control holds which feature counts, and in each of stimulus,
decision and response the alternatives compete. The locus coeruleus (Gilzenrat et al. 2002) is driven by the decision, and sets the gain of
three of the layers. All four are noisy.

With ``x`` the activities of a layer, ``v`` their potentials and ``N`` standard normals, a step ``dt`` of 10 ms is::

    v' = v + (input - leak * v - competition * x of the others) * dt + noise * sqrt(dt) * N
    x' = 1 / (1 + exp(-gain * (v' + bias)))

The locus coeruleus has a fast activity ``a`` and a slow release ``u`` of noradrenaline, in ten steps of its own per step of the layers::

    tau_a * da/dt = a * (a - 0.5) * (1 - a) - u + drive
    tau_u * du/dt = mode * a + (1 - mode) * 0.5 - u
    gain = base_gain + scaling * u

Structure and parameters are those of the model DAWA, with which PsyNeuLink's authors measure a compiler that they are writing; the code
is written anew from the equations. Control keeps its activity from trial to trial, and the gain of a trial begins as that of the one before
has ended. All else begins at rest.
"""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np

import cogir
from cogir import library
from cogir.library import Random, State, Step, Value, node_function

STEP = 0.01
BIAS, BASE_GAIN, MODE = -0.45, 5.0, 0.9
REST = 1.0 / (1.0 + np.exp(-BASE_GAIN * BIAS))
"""The activity of a unit whose potential is 0, at the base gain."""

# %%
# From layer to layer: an alternative supports its own side and opposes the other one, and control supports all that belongs to a feature.

OTHERS, PAIRS, NONE = np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([[1.0, -1.0], [-1.0, 1.0]]), np.zeros((2, 2))
CONTROL_TO_STIMULUS = np.array([[4.0, 4.0, 0.0, 0.0], [0.0, 0.0, 4.0, 4.0]])
CONTROL_TO_SIDES = np.full((2, 2), 4.0)
COLOUR_TO_STIMULUS, PLACE_TO_STIMULUS = np.hstack([PAIRS, NONE]), 1.2 * np.hstack([NONE, PAIRS])
STIMULUS_TO_DECISION = np.vstack([PAIRS, 1.2 * PAIRS])
WITHIN_CONTROL, WITHIN_SIDES, WITHIN_STIMULUS = -3.0 * OTHERS, -8.0 * OTHERS, -8.0 * np.kron(np.eye(2), OTHERS)


def fitz_hugh_nagumo(a: float, u: float, drive: float, mode: float) -> tuple[float, float]:
    """Ten Euler steps of 0.02 of the equations of Gilzenrat et al. (2002), with time constants of 0.05 and 5."""
    for _ in range(10):
        slope_a = (a * (a - 0.5) * (1.0 - a) - u + drive) / 0.05
        slope_u = (mode * a + (1.0 - mode) * 0.5 - u) / 5.0
        a, u = a + 0.02 * slope_a, u + 0.02 * slope_u
    return a, u


@node_function(outputs=("gain",))
def locus_coeruleus(
    decision: Value, *, base_gain: float = BASE_GAIN, scaling: float = 1.0, mode: float = MODE, a: State = 0.0, u: State = 0.0
) -> Step:
    """The gain that follows the sum of the decision."""
    a, u = fitz_hugh_nagumo(a, u, 0.3 * (decision[0] + decision[1]), mode)
    return Step(outputs=(base_gain + scaling * u,), states=(a, u))


@node_function(outputs=("choice", "response_time"))
def answer(activity: Value, steps: float, *, non_decision_time: float = 0.2) -> tuple[float, float]:
    """The more active response, 0 left or 1 right, and its time in seconds."""
    return 0.0 if activity[0] >= activity[1] else 1.0, non_decision_time + STEP * steps


# %%
# The model as a network. One pass of its schedule is one step of all layers; a trial ends with the answer. Each layer has random numbers of
# its own.


def network(noise: float = 0.1, threshold: float = 0.3) -> cogir.Model:
    """The four layers, the locus coeruleus and its control of their gain."""
    model = cogir.Model("dynamic attention", seed=1)
    task = model.node("task", input=2, labels=["colour", "place"])
    colour = model.node("colour", input=2, labels=["red", "blue"])
    place = model.node("place", input=2, labels=["left", "right"])
    accumulator = library.leaky_competing_accumulator
    common: dict[str, Any] = {"noise": noise, "time_step_size": STEP, "threshold": np.inf}
    anew = common | {"leak": 8.0, "gain": BASE_GAIN, "bias": BIAS, "initial": {"result": REST}, "reset_each_trial": True}
    kept = common | {"leak": 7.0, "gain": 10.0, "initial": {"result": 0.5}, "reset_each_trial": False}
    control = model.node("control", accumulator, input=2, **kept)
    stimulus = model.node("stimulus", accumulator, input=4, **anew)
    decision = model.node("decision", accumulator, input=2, **anew)
    response = model.node("response", accumulator, input=2, **(anew | {"threshold": threshold}))
    coeruleus = model.node("locus coeruleus", locus_coeruleus, input=2, initial={"gain": BASE_GAIN})
    answers = model.node("answer", answer, input={"activity": 2, "steps": ()})
    for layer, competition in ((control, WITHIN_CONTROL), (stimulus, WITHIN_STIMULUS), (decision, WITHIN_SIDES), (response, WITHIN_SIDES)):
        model.project(layer["result"], layer, matrix=competition, recurrent=True)
    model.project(task, control)
    model.project(control["result"], stimulus, matrix=CONTROL_TO_STIMULUS)
    model.project(control["result"], decision, matrix=CONTROL_TO_SIDES)
    model.project(control["result"], response, matrix=CONTROL_TO_SIDES)
    model.project(colour, stimulus, matrix=COLOUR_TO_STIMULUS)
    model.project(place, stimulus, matrix=PLACE_TO_STIMULUS)
    model.project(stimulus["result"], decision, matrix=STIMULUS_TO_DECISION)
    model.project(decision["result"], response, matrix=PAIRS)
    model.project(decision["result"], coeruleus)
    for layer in (stimulus, decision, response):
        model.modulate(coeruleus, layer.param("gain"), "override")
    model.project(response["result"], answers["activity"])
    model.project(response["steps"], answers["steps"])
    model.schedule.reset(coeruleus, cogir.AtTrialStart(), keeps=[coeruleus["gain"]])
    model.schedule.when(answers, cogir.WhenFinished(response))
    model.output(answers)
    return model


# %%
# One trial, and all that happens in it: an incongruent stimulus, red on the right. The release of noradrenaline follows the decision, and
# the layers become more sensitive.

layers = ("control", "stimulus", "decision", "response")
watched = network()
for name in layers:
    watched.record(watched[name]["result"])
watched.record(watched["locus coeruleus"]["gain"])
trial = watched.compile().run({"task": [[1.0, 0.0]], "colour": [[1.0, 0.0]], "place": [[0.0, 1.0]]})
print(f"the answer is {('left', 'right')[int(trial['answer', 'choice'][0])]} after {float(trial['answer', 'response_time'][0]):.2f} s")

figure, panels = plt.subplots(1, 5, figsize=(12, 3), layout="constrained")
for axes, name in zip(panels, (*layers, "gain"), strict=True):
    course = trial.traces["locus coeruleus/gain" if name == "gain" else f"{name}/result"][0]
    axes.plot(STEP * np.arange(1, len(course) + 1), course)
    axes.set(xlabel="time (s)", title=name)
for axes, names in zip(panels, (["colour", "place"], ["red", "blue", "left", "right"], ["left", "right"], ["left", "right"]), strict=False):
    axes.legend(names, fontsize=7)

# %%
# For many runs, the same model as one function: a node that repeats a step until the response has reached its threshold. Replicates of such
# a node go side by side in SIMD lanes, those of a network with this many states do not.


@node_function(outputs=("choice", "response_time"))
def settle(
    task: Value,
    colour: Value,
    place: Value,
    *,
    noise: float = 0.1,
    threshold: float = 0.3,
    control_gain: float = 10.0,
    bias: float = BIAS,
    base_gain: float = BASE_GAIN,
    scaling: float = 1.0,
    mode: float = MODE,
    non_decision_time: float = 0.2,
    v_control: State = np.zeros(2),
    v_stimulus: State = np.zeros(4),
    v_decision: State = np.zeros(2),
    v_response: State = np.zeros(2),
    control: State = np.full(2, 0.5),
    stimulus: State = np.full(4, REST),
    decision: State = np.full(2, REST),
    response: State = np.full(2, REST),
    a: State = 0.0,
    u: State = 0.0,
    gain: State = BASE_GAIN,
    steps: State = 0.0,
    random_control: Random,
    random_stimulus: Random,
    random_decision: Random,
    random_response: Random,
) -> Step:
    """One step of all layers and of the locus coeruleus."""
    spread = noise * np.sqrt(STEP)
    kicks = spread * random_control.normal(2), spread * random_stimulus.normal(4)
    late_kicks = spread * random_decision.normal(2), spread * random_response.normal(2)
    v_control = v_control + (task + control @ WITHIN_CONTROL - 7.0 * v_control) * STEP + kicks[0]
    control = library.logistic(v_control, gain=control_gain)
    features = control @ CONTROL_TO_STIMULUS + colour @ COLOUR_TO_STIMULUS + place @ PLACE_TO_STIMULUS
    v_stimulus = v_stimulus + (features + stimulus @ WITHIN_STIMULUS - 8.0 * v_stimulus) * STEP + kicks[1]
    stimulus = library.logistic(v_stimulus, gain=gain, bias=bias)
    sides = control @ CONTROL_TO_SIDES
    v_decision = v_decision + (sides + stimulus @ STIMULUS_TO_DECISION + decision @ WITHIN_SIDES - 8.0 * v_decision) * STEP + late_kicks[0]
    decision = library.logistic(v_decision, gain=gain, bias=bias)
    a, u = fitz_hugh_nagumo(a, u, 0.3 * (decision[0] + decision[1]), mode)
    gain = base_gain + scaling * u
    v_response = v_response + (sides + decision @ PAIRS + response @ WITHIN_SIDES - 8.0 * v_response) * STEP + late_kicks[1]
    response = library.logistic(v_response, gain=gain, bias=bias)
    steps = steps + 1.0
    return Step(
        outputs=(0.0 if response[0] >= response[1] else 1.0, non_decision_time + STEP * steps),
        states=(v_control, v_stimulus, v_decision, v_response, control, stimulus, decision, response, a, u, gain, steps),
        finished=max(response[0], response[1]) >= threshold,
    )


def one_node(noise: float = 0.1, threshold: float = 0.3) -> cogir.Model:
    """The model as one node, with the inputs of the network."""
    model = cogir.Model("dynamic attention", seed=1)
    given: dict[str, Any] = {"noise": noise, "threshold": threshold}
    given |= {"execute_until_finished": True, "max_executions_before_finished": 100_000}
    node = model.node("answer", settle, input={"task": 2, "colour": 2, "place": 2}, **given)
    for name in ("task", "colour", "place"):
        model.project(model.node(name, input=2), node[name])
    model.schedule.reset(node, cogir.AtTrialStart(), keeps=["v_control", "control", "gain"])
    return model


def sequence(trials: int, seed: int) -> dict[str, np.ndarray]:
    """Inputs of trials in random order: the task is always the colour, and half of the stimuli are where the other answer is."""
    number = np.random.default_rng(seed).permutation(trials)
    colours, conflicts = number % 2, number // 2 % 2
    return {"task": np.tile([1.0, 0.0], (trials, 1)), "colour": np.eye(2)[colours], "place": np.eye(2)[colours ^ conflicts]}


# %%
# Without noise, both are the same.

trials = sequence(24, seed=3)
quiet = [model.compile().run(trials)["answer", "response_time"] for model in (network(noise=0.0), one_node(noise=0.0))]
np.testing.assert_allclose(*quiet, rtol=1e-12)

# %%
# Many sequences of the same trials. Choices and times of each trial have distributions; incongruent trials are slower.

congruent = (trials["colour"] == trials["place"]).all(axis=1)
compiled = one_node().compile()
found = compiled.replicates(trials, count=2000, seed=2)
choices, times = found["answer", "choice"], found["answer", "response_time"]
correct = choices == trials["colour"].argmax(axis=1)

figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.5), layout="constrained")
for name, chosen in (("congruent", congruent), ("incongruent", ~congruent)):
    share = correct[:, chosen].mean()
    print(f"{name}: {share:.3f} correct, mean response time {times[:, chosen].mean():.3f} s")
    left.hist(times[:, chosen].ravel(), np.arange(0.195, 2.5, 0.03), density=True, histtype="step", label=f"{name}, {share:.0%} correct")
left.set(xlabel="response time (s)", ylabel="density")
left.legend()

# %%
# A score of data by simulation: the density of each trial's choice and time is a histogram over simulated sequences. As control goes on
# from trial to trial, each candidate simulates the whole sequence. The data are simulated, too, with a threshold of 0.3, where the score is
# the highest.

EDGES = np.linspace(0.0, 3.0, 101)


def log_density(choice: np.ndarray, time: np.ndarray, choices: np.ndarray, times: np.ndarray) -> float:
    """The logarithm of a histogram over choices and times of simulated sequences, one more in each cell, summed over the trials of one."""
    cells = 2 * (len(EDGES) - 1)
    same = (choices == choice) & (np.digitize(times, EDGES) == np.digitize(time, EDGES))
    return float(np.log((same.sum(axis=0) + 1.0) / ((len(times) + cells) * np.diff(EDGES)[0])).sum())


def simulated(threshold: float, count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Choices and times of so many sequences."""
    compiled.params["answer/threshold"] = threshold
    result = compiled.replicates(trials, count=count, seed=seed)
    return result["answer", "choice"], result["answer", "response_time"]


data = simulated(0.3, count=20, seed=4)
thresholds = np.array([0.26, 0.28, 0.3, 0.32, 0.34])
candidates = [simulated(threshold, count=2000, seed=5) for threshold in thresholds]
scores = np.array([np.mean([log_density(*subject, *candidate) for subject in zip(*data, strict=True)]) for candidate in candidates])
right.plot(thresholds, scores, "o-")
right.set(xlabel="response threshold", ylabel="log-density of a sequence, mean of 20")

assert times[:, ~congruent].mean() > times[:, congruent].mean()
assert thresholds[scores.argmax()] == 0.3
