"""Searches of controllers, against the rules written out in NumPy."""

from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
from xdsl.utils.exceptions import VerifyException

from cogir.dialects.cog import Direction
from cogir.dialects.text import parse_text
from cogir.errors import ModelError
from cogir.interpreters.cog import CogInterpreter
from cogir.interpreters.grid_search import choose, is_close
from cogir.library.random.generators import Stream

NAN, INFINITY = float("nan"), float("inf")
FUNCTIONS = """
func.func @square(%x: f64) -> f64 {
  %y = arith.mulf %x, %x : f64
  func.return %y : f64
}
func.func @triple(%x: f64) -> f64 {
  %three = arith.constant 3.0 : f64
  %y = arith.mulf %three, %x : f64
  func.return %y : f64
}
"""
STREAMS = """
rng.stream @stream mt19937 seed 7
rng.stream @ties mt19937 seed 9
"""
WALK = """cog.node @walk (%x: f64) params(%gain: f64 = 1.0, %noise: f64 = 0.5) states(%position: f64 = 0.0)
    random(%r: !rng.state<mt19937> = @stream) -> (value: f64 = 0.0) {
  %draw, %next_r = rng.normal %r : !rng.state<mt19937> -> f64
  %kick = arith.mulf %noise, %draw : f64
  %step = arith.mulf %gain, %x : f64
  %sum = arith.addf %step, %kick : f64
  %next = arith.addf %position, %sum : f64
  cog.yield %next states(%next) random(%next_r)
}"""


def interpreter(control: str, *parts: str, after: str = "") -> CogInterpreter:
    """A random walk whose gain, noise, or both are searched for."""
    model = "\n".join([WALK, "cog.input @walk", "cog.output @walk", *parts, control])
    parsed = parse_text(
        f"{FUNCTIONS}\ncog.model @m {{\n{model}\n}}\nrng.stream @stream mt19937 seed 7\nrng.stream @ties mt19937 seed 9\n{after}"
    )
    parsed.verify()
    return CogInterpreter(parsed, "m")


def search(head: str, *signals: str) -> str:
    """A controller with these signals."""
    return f"cog.grid_search @control {head} {{\n" + "\n".join(f"cog.signal {signal}" for signal in signals) + "\n}"


GAIN = 'cog.modulate @control["gain"] -> @walk["gain"] multiply'
NOISE = 'cog.modulate @control["noise"] -> @walk["noise"] multiply'


def reservoir(values: list[float], maximize: bool, uniform: Callable[[], float] | None) -> int:
    """PsyNeuLink's rule, with NumPy's own closeness."""
    best, count = 0, 1
    for index, value in enumerate(values[1:], start=1):
        if uniform is not None and np.allclose(value, values[best]):
            count += 1
            if uniform() < 1 / count:
                best = index
        elif (value > values[best]) if maximize else (value < values[best]):
            best, count = index, 1
    return best


# -------------------------------------------------------------------------------------------------------------- the choice


@pytest.mark.parametrize("direction", list(Direction))
def test_the_first_of_equals_is_chosen(direction: Direction) -> None:
    values = [2.0, 1.0, 3.0, 1.0, 3.0]
    assert choose(values, direction, None) == {Direction.MINIMIZE: 1, Direction.MAXIMIZE: 2}[direction]


def test_random_ties_draw_once_per_close_value_in_order() -> None:
    random = np.random.RandomState([3])
    for trial in range(200):
        values = [float(value) for value in random.choice([1.0, 1.0 + 1e-9, 1.000005, 0.99999, 2.0, -0.0, 0.0, 1e-9], size=12)]
        maximize = trial % 2 == 0
        ours, theirs = Stream.seeded("mt19937", trial), np.random.RandomState([trial])
        chosen = choose(values, Direction.MAXIMIZE if maximize else Direction.MINIMIZE, ours)
        assert chosen == reservoir(values, maximize, theirs.random_sample)
        assert ours.uniform() == theirs.random_sample()


def test_closeness_is_numpys() -> None:
    numbers = [0.0, -0.0, 1.0, 1.0 + 1e-9, 1.00001, 1.0001, 1e-9, 2e-8, INFINITY, -INFINITY, NAN]
    for value, optimum in product(numbers, numbers):
        assert is_close(value, optimum) == np.allclose(value, optimum), (value, optimum)


def test_the_tolerance_is_not_transitive_and_the_optimum_drifts() -> None:
    values = [90.0001 + 0.0005 * step for step in range(20)]
    chosen = choose(values, Direction.MINIMIZE, Stream.seeded("mt19937", 1))
    assert values[chosen] > values[0]


def test_a_first_nan_is_never_replaced_and_a_later_one_never_chosen() -> None:
    assert choose([NAN, 1.0, -INFINITY], Direction.MINIMIZE, None) == 0
    assert choose([1.0, NAN, 0.0], Direction.MINIMIZE, Stream.seeded("mt19937", 1)) == 2


def test_every_tie_is_chosen_about_as_often() -> None:
    stream = Stream.seeded("mt19937", 5)
    counts = np.bincount([choose([1.0] * 5, Direction.MINIMIZE, stream) for _ in range(5000)], minlength=5)
    assert counts.min() > 900


# ----------------------------------------------------------------------------------------------------------------- searches


def test_a_search_after_the_trial_acts_in_the_next_one() -> None:
    """Each point sees the same draw, which the real trial then sees again; signals are in force from the next trial on."""
    model = interpreter(
        """cog.grid_search @control after maximize @walk {
          cog.signal @gain levels [0.0, 2.0] initial 1.0
          cog.signal @noise levels [-1.0, 0.0, 1.0] initial 0.5
        }""",
        GAIN,
        NOISE,
    )
    results = model.run({"walk": [0.25, -0.5]}, 4)
    random = np.random.RandomState([7])
    position, gain, noise = 0.0, 1.0, 0.5
    for trial, inputs in enumerate([0.25, -0.5, 0.25, -0.5]):
        position = position + (gain * inputs + 0.5 * noise * random.standard_normal())
        assert results[trial] == [position]
        state = random.get_state()
        draw = random.standard_normal()
        random.set_state(state)
        points = list(product([0.0, 2.0], [-1.0, 0.0, 1.0]))
        values = [position + (level * inputs + 0.5 * other * draw) for level, other in points]
        gain, noise = points[int(np.argmax(values))]
        search = model.trials[trial].searches["control"]
        assert search.values == tuple(values)
        assert search.allocation == (gain, noise)
        assert search.value == max(values)


def test_a_search_before_the_trial_acts_in_it() -> None:
    model = interpreter(search("before minimize @walk", "@gain levels [-3.0, 3.0] initial 1.0"), GAIN)
    (result,) = model.run({"walk": [2.0]})
    assert result == [-6.0 + 0.5 * np.random.RandomState([7]).standard_normal()]
    assert model.records["control/signal:gain"] == -3.0


def test_costs_are_subtracted_from_the_outcome() -> None:
    """Intensity f(level), adjustment f(|change|), duration: the sum over the searches so far; all three at once."""
    model = interpreter(
        """cog.grid_search @control after maximize @walk {
          cog.signal @gain levels [-2.0, 0.5, 4.0] initial 1.0 cost intensity @square cost adjustment @triple cost duration @square
          cog.signal @noise levels [0.0] initial 0.0 cost intensity @triple
        }""",
        GAIN,
        NOISE,
    )
    model.run({"walk": [10.0]}, 3)
    position, gain, duration = 0.0, 1.0, 0.0
    for trial in model.trials:
        position = position + gain * 10.0
        levels = [-2.0, 0.5, 4.0]
        values = [position + level * 10.0 - ((level * level + 3.0 * abs(level - gain)) + (duration + level * level)) for level in levels]
        np.testing.assert_allclose(trial.searches["control"].values, values, rtol=1e-14)
        gain = levels[int(np.argmax(values))]
        duration += gain * gain
    assert model.records["control/duration:gain"] == duration


def test_a_clipped_cost_is_not_negative() -> None:
    for clip, costs in (("", [-3.0, 3.0]), ("clip", [0.0, 3.0])):
        model = interpreter(search("after maximize @walk", f"@gain levels [-1.0, 1.0] initial 1.0 cost intensity @triple {clip}"), GAIN)
        model.parameters["walk/param:noise"] = 0.0
        model.run({"walk": [10.0]})
        assert model.trials[0].searches["control"].values == (10.0 - 10.0 - costs[0], 10.0 + 10.0 - costs[1])


def test_random_ties_go_on_with_their_stream_from_trial_to_trial() -> None:
    model = interpreter(search("after maximize @walk ties random @ties", "@gain levels [1.0, 2.0, 3.0] initial 1.0"), GAIN)
    model.run({"walk": [0.0]}, 8)
    random = np.random.RandomState([9])
    for trial in model.trials:
        assert trial.searches["control"].allocation == ([1.0, 2.0, 3.0][reservoir([1.0] * 3, True, random.random_sample)],)


def test_several_trials_are_simulated_with_a_scheduler_of_their_own() -> None:
    """The walk starts anew in trial 1 of a run: in the simulation that is its second trial, whatever the real trial is."""
    model = interpreter(
        """cog.grid_search @control after maximize @walk trials 3 {
          cog.signal @gain levels [1.0, 2.0] initial 1.0
        }
        cog.schedule {
          cog.reset @walk when {
            %second = cog.at_trial 1 in run
            cog.condition %second
          }
        }""",
        GAIN,
    )
    model.parameters["walk/param:noise"] = 0.0
    model.run({"walk": [5.0]}, 3)
    assert [trial.searches["control"].values for trial in model.trials] == [(10.0, 20.0)] * 3
    assert model.records["walk/calls:life"] == 3


@pytest.mark.parametrize("per_point", [False, True])
def test_estimates_are_means_over_seeds(per_point: bool) -> None:
    seeds = "per_point" if per_point else "same"
    model = interpreter(
        search(f"after maximize @walk estimates 3 seeds {seeds} seed_base 40", "@gain levels [1.0, 2.0] initial 1.0"),
        GAIN,
    )
    (result,) = model.run({"walk": [5.0]})
    expected: list[float] = []
    for point, gain in enumerate([1.0, 2.0]):
        outcomes = [
            result[0] + (gain * 5.0 + 0.5 * np.random.RandomState([40 + point * 3 * per_point + i]).standard_normal()) for i in range(3)
        ]
        expected.append(((outcomes[0] + outcomes[1]) + outcomes[2]) / 3)
    assert model.trials[0].searches["control"].values == tuple(expected)


def test_a_feature_stands_in_for_an_input() -> None:
    model = interpreter(
        "cog.grid_search @control after maximize @walk {\n cog.signal @gain levels [1.0] initial 1.0\n cog.feature 0 from @walk\n }", GAIN
    )
    model.parameters["walk/param:noise"] = 0.0
    model.run({"walk": [5.0]}, 2)
    assert [trial.searches["control"].values for trial in model.trials] == [(10.0,), (20.0,)]


INNER = """
cog.model @inner {
  cog.node @sum (%x: f64) params(%gain: f64 = 1.0) states(%s: f64 = 0.0) -> (value: f64 = 0.0) {
    %scaled = arith.mulf %x, %gain : f64
    %next = arith.addf %s, %scaled : f64
    cog.yield %next states(%next)
  }
  cog.input @sum
  cog.output @sum
}
"""


def test_an_instance_is_simulated_from_its_own_state() -> None:
    model = interpreter(
        search("of @inner after maximize @sum", "@gain levels [1.0, 10.0] initial 1.0"),
        "cog.instance @part of @inner",
        "cog.project @walk -> @part",
        'cog.modulate @control["gain"] -> @part["sum/gain"] multiply',
        after=INNER,
    )
    model.parameters["walk/param:noise"] = 0.0
    model.run({"walk": [1.0, 0.0]}, 2)
    # The walk stands at 1; the instance has summed up 1 in the first trial and 1 + 10 after the second.
    assert [trial.searches["control"].values for trial in model.trials] == [(1.0 + 1.0, 1.0 + 10.0), (11.0 + 0.0, 11.0 + 0.0)]


def test_another_model_is_simulated_from_its_beginning() -> None:
    model = interpreter(
        search("of @inner after maximize @sum", "@gain levels [1.0, 10.0] initial 1.0"),
        after=INNER,
    )
    model.run({"walk": [2.0]}, 2)
    assert [trial.searches["control"].values for trial in model.trials] == [(2.0, 2.0)] * 2


def test_an_input_that_nobody_gives_is_an_error() -> None:
    two = INNER.replace("(%x: f64)", "(%x: f64, %y: f64)").replace("cog.input @sum", 'cog.input @sum["x"]\n cog.input @sum["y"]')
    model = interpreter(search("of @inner after maximize @sum", "@gain levels [1.0] initial 1.0"), after=two)
    with pytest.raises(ModelError, match=r"input 1 of @inner has no value in a simulation; add a cog.feature"):
        model.run({"walk": [2.0]})


SEEDED = """cog.node @seeded (%x: f64) params(%gain: f64 = 1.0, %seed: f64 = 4.0) -> (value: f64 = 0.0) {
  %number = arith.fptosi %seed : f64 to i64
  %fresh = rng.seed %number : i64 -> !rng.state<mt19937>
  %draw, %next = rng.normal %fresh : !rng.state<mt19937> -> f64
  %value = arith.addf %gain, %draw : f64
  cog.yield %value
}"""


@pytest.mark.parametrize("advance", [0, 6, 17])
def test_estimates_differ_in_one_port(advance: int) -> None:
    """The values of a point are those under seeds of its own, one after another; the next search begins `advance` further on."""
    model = interpreter(
        f"""cog.grid_search @control after maximize @seeded keep values {{
          cog.signal @gain levels [0.5, 2.0] initial 1.0
          cog.estimates @seed 3 from 7 step 2 below 20 initial 4.0{f" advance {advance}" if advance else ""}
        }}""",
        SEEDED,
        "cog.output @seeded",
        'cog.modulate @control["gain"] -> @seeded["gain"] override',
        'cog.modulate @control["seed"] -> @seeded["seed"] override',
    )
    first = 7
    in_force, gain = 4.0, 1.0
    for _ in range(3):
        results = model.run({"walk": [0.0]}, 1)
        draw = [np.random.RandomState([int(in_force)]).standard_normal()]
        assert results[-1][-1] == gain + draw[0]
        seeds = [(first + 2 * index) % 20 for index in range(3)]
        draws = [np.random.RandomState([seed]).standard_normal() for seed in seeds]
        expected = [sum(level + draw for draw in draws) / 3 for level in (0.5, 2.0)]
        controller = model.state.controllers["control"]
        np.testing.assert_allclose(controller.values, expected, rtol=1e-15)
        in_force, gain = float(seeds[0]), 2.0
        assert controller.signals == {"gain": gain, "seed": in_force}
        first = (first + advance) % 20


@pytest.mark.parametrize(
    ("when", "condition", "searching"),
    [
        ("before", "cog.at_trial 2 in run", [2]),
        ("after", "cog.at_trial 2 in run", [2]),
        ("after", "cog.after_n_calls @walk 2 in run", [1, 2, 3]),
        ("before", "cog.after_n_calls @walk 2 in run", [2, 3]),
        ("before", "cog.at_pass 1 in trial", []),
        ("after", "cog.at_pass 1 in trial", [0, 1, 2, 3]),
        ("after", "cog.never", []),
    ],
)
def test_a_controller_searches_when_its_condition_holds(when: str, condition: str, searching: list[int]) -> None:
    model = interpreter(
        search(f"{when} maximize @walk", "@gain levels [1.0, 2.0]"),
        GAIN,
        f"cog.schedule {{ cog.when @control {{ %0 = {condition} cog.condition %0 }} }}",
    )
    model.run({"walk": [0.25]}, 4)
    assert [trial for trial, held in enumerate(model.trials) if held.searches] == searching


def test_calls_since_a_controller_last_searched_are_refused() -> None:
    with pytest.raises(VerifyException, match=r"condition of @control: cog\.every_n_calls counts calls since the owner"):
        interpreter(
            search("after maximize @walk", "@gain levels [1.0]"),
            GAIN,
            "cog.schedule { cog.when @control { %0 = cog.every_n_calls @walk 2 cog.condition %0 } }",
        )


def test_features_are_constants_and_other_inputs() -> None:
    """The simulations of @walk get a constant, or what the trial gives to another node."""
    other = "cog.node @other (%x: f64) -> (value: f64 = 0.0) { cog.yield %x }"
    values: list[float] = []
    for feature in ("cog.feature 0 : f64 = 4.0", "cog.feature 0 from input 1"):
        model = interpreter(
            f"cog.grid_search @control after maximize @walk keep values {{ cog.signal @gain levels [1.0, 2.0] {feature} }}",
            other,
            "cog.input @other",
            GAIN,
        )
        model.run({"walk": [0.0], "other": [0.5]}, 1)
        held = model.state.controllers["control"].values
        assert held is not None
        values.append(held[1] - held[0])
    np.testing.assert_allclose(values, [4.0, 0.5], rtol=1e-12)
