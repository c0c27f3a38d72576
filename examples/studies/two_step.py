"""
The two-step task: agents that plan, agents that repeat what was rewarded, and agents in between; and which of them each subject is, from
its choices (Daw et al. 2011).

    python examples/studies/two_step.py [--trials N] [--figure FILE]

An agent and its likelihood are two models that share the functions for values and choice probabilities. All subjects, with the parameters
and the choices of each, are points of one sweep.
"""

import sys
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

import cogir
from cogir.library import Random, State, Step, Value, node_function

sys.path.append(str(Path(__file__).parents[1] / "models"))

from figures import arguments, draw

COMMON = 0.7
"""The probability that a first choice leads to its common second state."""


def first_values(values: Value, plans: float) -> Value:
    """The values of the two first choices: of a mixture of planning and repetition. `values`: rows are the first step and two states."""
    best = np.array([np.max(values[1]), np.max(values[2])])
    planned = np.array([COMMON * best[0] + (1.0 - COMMON) * best[1], (1.0 - COMMON) * best[0] + COMMON * best[1]])
    return plans * planned + (1.0 - plans) * values[0]


def probability_of_second(values: Value, temperature_inverse: float) -> float:
    """The probability of the second of two choices."""
    return 1.0 / (1.0 + np.exp(temperature_inverse * (values[0] - values[1])))


def learned(values: Value, first: int, state: int, second: int, reward: float, rate: float) -> Value:
    """The values after a trial; the first choice learns from the reward, too."""
    values = values.copy()
    error = reward - values[1 + state, second]
    values[0, first] += rate * (values[1 + state, second] - values[0, first]) + rate * error
    values[1 + state, second] += rate * error
    return values


# functions.md: "Calls of other functions in the subset, lambdas, nested functions, functions as arguments"
@node_function(outputs=("first", "state", "second", "reward"))
def agent(
    chances: Value,
    *,
    rate: float = 0.5,
    beta: float = 4.0,
    plans: float = 0.5,
    values: State = np.zeros((3, 2)),
    random: Random,
) -> Step:
    """A trial: two choices and a reward. `chances`: the probability of a reward, by state and second choice."""
    first = 1 if random.uniform() < probability_of_second(first_values(values, plans), beta) else 0
    state = first if random.uniform() < COMMON else 1 - first
    second = 1 if random.uniform() < probability_of_second(values[1 + state], beta) else 0
    reward = 1.0 if random.uniform() < chances[2 * state + second] else 0.0
    return Step(outputs=(first, state, second, reward), states=(learned(values, first, state, second, reward, rate),))


@node_function(outputs=("log_probability",))
def likelihood(trial: Value, *, rate: float = 0.5, beta: float = 4.0, plans: float = 0.5, values: State = np.zeros((3, 2))) -> Step:
    """The log-probability of the two choices of a trial, which has first choice, state, second choice and reward."""
    first, state, second = int(trial[0]), int(trial[1]), int(trial[2])
    of_first = probability_of_second(first_values(values, plans), beta)
    of_second = probability_of_second(values[1 + state], beta)
    found = np.log(of_first if first == 1 else 1.0 - of_first) + np.log(of_second if second == 1 else 1.0 - of_second)
    return Step(outputs=(found,), states=(learned(values, first, state, second, trial[3], rate),))


def simulated(rates: np.ndarray, betas: np.ndarray, plans: np.ndarray, trials: int = 200) -> np.ndarray:
    """The trials of agents, one for each parameter: (agents, trials, 4)."""
    model = cogir.Model("agents", seed=1)
    model.node("agent", agent, input=4)
    # sweeps.md: "`cogir.zipped({"ddm/drift": [0.5, 1.0], "ddm/threshold": [1.0, 0.8]})` | side by side: one axis, `point`"
    points = cogir.zipped({"agent/rate": rates, "agent/beta": betas, "agent/plans": plans})
    found = model.compile().sweep(points, {"agent": np.full((trials, 4), [0.8, 0.2, 0.3, 0.7])})
    return np.stack([found["agent", name][:, 0] for name in ("first", "state", "second", "reward")], axis=-1).astype(float)


def stays(data: np.ndarray) -> np.ndarray:
    """How often the first choice is repeated: rows are no reward and a reward, columns a rare and a common transition."""
    first, state, reward = data[:, :-1, 0], data[:, :-1, 1], data[:, :-1, 3]
    stay, common = data[:, 1:, 0] == first, first == state
    return np.array([[stay[(reward == paid) & (common == kind)].mean() for kind in (False, True)] for paid in (0.0, 1.0)])


def fitted(data: np.ndarray) -> np.ndarray:
    """The estimates of each subject: (subjects, 3), the learning rate, the inverse temperature, and how much it plans."""
    model = cogir.Model("likelihood")
    model.node("likelihood", likelihood, input=4)
    compiled = model.compile()
    names = ("likelihood/rate", "likelihood/beta", "likelihood/plans")

    def loss(points: np.ndarray, subjects: np.ndarray) -> np.ndarray:
        """The negative log-likelihood of points (points, 3), of a subject each."""
        # sweeps.md: "the input of a node (`ddm`: a trial for each point, or `(points, trials, elements)`)"
        varied = dict(zip(names, points.T, strict=True))
        found = compiled.sweep(cogir.zipped({**varied, "likelihood": subjects}))
        return -found["likelihood"][:, 0].sum(axis=-1)

    def of(subject: np.ndarray, steps: np.ndarray = 1e-5 * np.eye(3)) -> np.ndarray:
        def value_and_slope(point: np.ndarray) -> tuple[float, np.ndarray]:
            """With three more points for the slope, in the same call."""
            values = loss(point + np.vstack([np.zeros(3), steps]), np.repeat(subject[None], 4, axis=0))
            return values[0], (values[1:] - values[0]) / 1e-5

        bounds, starts = [(0.02, 0.98), (0.1, 15.0), (0.0, 1.0 - 2e-5)], ([0.5, 3.0, 0.5], [0.3, 6.0, 0.2])
        tried = [minimize(value_and_slope, start, jac=True, method="L-BFGS-B", bounds=bounds) for start in starts]
        return min(tried, key=lambda one: one.fun).x

    return np.array([of(subject) for subject in data])


def study(subjects: int = 16, trials: int = 300) -> dict[str, np.ndarray]:
    """The stay probabilities of agents that only repeat and that only plan, the true parameters of subjects, and their estimates."""
    constant = np.full(200, 0.5), np.full(200, 4.0)
    repeating = stays(simulated(*constant, np.zeros(200)))
    planning = stays(simulated(*constant, np.ones(200)))
    rng = np.random.default_rng(2)
    truth = np.array([rng.uniform(0.3, 0.8, subjects), rng.uniform(3.0, 6.0, subjects), np.linspace(0.0, 1.0, subjects)]).T
    return {"repeating": repeating, "planning": planning, "truth": truth, "estimates": fitted(simulated(*truth.T, trials))}


if __name__ == "__main__":
    given = arguments(__doc__, 300)
    found = study(trials=given.trials)
    for name in ("repeating", "planning"):
        print(f"agents that are {name} stay after (no reward, reward) x (rare, common):", found[name].round(3).tolist())
    for column, name in enumerate(("learning rate", "inverse temperature", "planning")):
        correlation = np.corrcoef(found["truth"][:, column], found["estimates"][:, column])[0, 1]
        print(f"{name}: the correlation of estimates with the truth is {correlation:.2f}")

    def paint(left, middle, right):
        for axes, name in ((left, "repeating"), (middle, "planning")):
            for column, kind in ((1, "common"), (0, "rare")):
                axes.bar(np.arange(2) + 0.4 * (1 - column) - 0.2, found[name][::-1, column], 0.4, label=kind)
            axes.set(xticks=[0, 1], xticklabels=["rewarded", "not"], ylabel="stays", ylim=(0.4, 1.0), title=name)
        left.legend()
        right.plot([0, 1], [0, 1], color="0.8")
        right.plot(found["truth"][:, 2], found["estimates"][:, 2], "o")
        right.set(xlabel="planning of the agent", ylabel="its estimate")

    draw(given.figure, 3, paint, (3.5, 3.5))
