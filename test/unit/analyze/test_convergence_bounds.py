"""Bounds on numbers of steps: the numbers of an integrator, that runs keep them, and the analytical times."""

from collections.abc import Callable

import numpy as np
import pytest
from support.long import long
from support.random.steps import OutOfBounds, check_steps
from xdsl.ir import Operation

import cogir
from cogir import library
from cogir.analysis.ranges.walk import Walker
from cogir.analyze import DriftDiffusionTimes, convergence
from cogir.library.signature import State, Step, Value

Count = Callable[[Walker, Operation, int, int | None], None]


def integrator(noise: float, limit: int = 100_000, dt: float = 0.01) -> cogir.Model:
    model = cogir.Model("evidence", seed=4)
    model.node(
        "DDM", library.drift_diffusion_integrator, input=1, noise=noise, threshold=1.0, time_step_size=dt, prng="xoshiro256",
        execute_until_finished=True, max_executions_before_finished=limit, reset_each_trial=True,
    )  # fmt: skip
    return model


def accumulate(variable: Value, *, share: Value = 0.01, total: State = 0.0) -> Step:
    following = total + variable * share
    return Step(outputs=(following,), states=(following,))


def test_an_integrator() -> None:
    """`previous + rate * x * dt` from 0 to 1 with x in [0.3, 0.5], rate 1, dt 0.01."""
    found = convergence(integrator(0.0), inputs={"DDM": (0.3, 0.5)})
    assert (found.earliest, found.latest) == (200, 334)
    assert found["DDM"].times == pytest.approx((2.0, 3.34))
    assert found
    assert "executions of DDM: 200 to 334, time 2 to 3.34" in repr(found)


def test_runs_keep_the_bounds() -> None:
    model = integrator(0.4, limit=60, dt=0.1)
    found = convergence(model, {"DDM/rate": (0.5, 1.5)}, {"DDM": (0.2, 1.0)})
    assert found.earliest is not None
    assert found.latest is not None
    compiled = model.compile(unfinished="ignore")
    for rate in (0.5, 1.0, 1.5):
        compiled.params["DDM/rate"] = rate
        times = compiled.run({"DDM": np.linspace(0.2, 1.0, 100)[:, None]}, num_trials=100)["DDM/time"]
        steps = np.round(times / 0.1)
        assert steps.min() >= found.earliest
        assert steps.max() <= found.latest
    assert found["DDM"].is_cut_off


@pytest.mark.parametrize("seeds", [range(24), *long(*(range(24 + 200 * part, 224 + 200 * part) for part in range(5)))])
def test_random_models_keep_their_bounds(seeds: range) -> None:
    """Integrators, growth, decay, collapsing bounds; executions, passes and trials; for `-m full`, more than 100,000 decisions."""
    found = [check_steps(seed, 8) for seed in seeds]
    assert sum(runs for runs, _ in found) > 120 * len(found)
    assert sum(has_latest for _, has_latest in found) > len(found) // 2


def one_more(before: Count, walker: Walker, loop: Operation, fewest: int, most: int | None) -> None:
    before(walker, loop, fewest + 1, most)


def one_less(before: Count, walker: Walker, loop: Operation, fewest: int, most: int | None) -> None:
    before(walker, loop, fewest, None if most is None else most - 1)


def first_exit(before: Count, walker: Walker, loop: Operation, fewest: int, most: int | None) -> None:
    before(walker, loop, fewest, fewest)


@pytest.mark.parametrize("fault", [one_more, one_less, first_exit])
def test_wrong_bounds_are_found(fault: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    before = Walker.count
    monkeypatch.setattr(Walker, "count", lambda *given: fault(before, *given))
    with pytest.raises(OutOfBounds):
        [check_steps(seed, 4) for seed in range(100)]


def test_trials_until_an_output_has_reached_a_number() -> None:
    model = cogir.Model("sum")
    model.node("unit", accumulate, input=1)
    found = convergence(model, inputs={"unit": (0.3, 0.5)}, until=("unit", ">=", 1.0))
    assert (found.earliest, found.latest) == (200, 334)
    never = convergence(model, inputs={"unit": (-0.5, 0.0)}, until=("unit", ">=", 1.0), most_steps=50)
    assert (never.earliest, never.latest) == (None, None)
    assert not never
    with pytest.raises(cogir.InputError, match="nothing in the model goes on until a condition on values holds"):
        convergence(model)
    with pytest.raises(cogir.InputError, match='there is no output "nobody"'):
        convergence(model, until=("nobody", ">=", 1.0))


def test_trials_until_an_element_has_reached_a_number() -> None:
    model = cogir.Model("sums")
    model.node("unit", accumulate, input=2, total=[0.0, 0.0])
    inputs = {"unit": (np.array([0.3, 5.0]), np.array([0.5, 5.0]))}
    assert convergence(model, inputs=inputs, until=("unit/value[0]", ">=", 1.0)).latest == 334
    assert convergence(model, inputs=inputs, until=("unit[1]", ">=", 1.0)).latest == 20
    for name in ("unit", "unit[2]"):
        with pytest.raises(cogir.InputError, match=r"has 2 elements; give one of them, such as \"unit/value\[0\]\""):
            convergence(model, inputs=inputs, until=(name, ">=", 1.0))


def test_passes_of_a_trial() -> None:
    model = cogir.Model("passes")
    unit = model.node("unit", accumulate, input=1, share=1.0, reset_each_trial=True)
    model.schedule.trial_ends(cogir.Threshold(unit, "value", 2.0, ">="))
    found = convergence(model, inputs={"unit": (0.25, 0.5)})
    assert (found.earliest, found.latest) == (4, 8)
    assert "passes of the trial: 4 to 8" in repr(found)


@pytest.mark.parametrize(("drift", "start"), [(0.4, 0.0), (-0.7, 0.3), (0.0, -0.2), (2.0, 0.5)])
def test_analytical_times(drift: float, start: float) -> None:
    """The density, its integral and the mean agree with each other, and with a simulation in small steps."""
    times = DriftDiffusionTimes(drift, 0.8, 1.0, start)
    at = np.linspace(1e-3, 30.0, 20_001)
    density = times.pdf(at)
    step = at[1] - at[0]
    assert density.sum() * step == pytest.approx(1.0, abs=1e-3)
    assert (at * density).sum() * step == pytest.approx(times.mean, rel=2e-3)
    assert np.cumsum(density)[2000] * step == pytest.approx(times.cdf(at[2000]).item(), abs=2e-3)
    assert times.cdf(times.quantile(0.3)).item() == pytest.approx(0.3, abs=1e-9)
    source = np.random.default_rng(5)
    x, t, dt = np.full(2000, start), np.zeros(2000), 2e-3
    waiting = np.full(2000, True)
    while waiting.any():
        x[waiting] += drift * dt + 0.8 * np.sqrt(dt) * source.normal(size=int(waiting.sum()))
        t[waiting] += dt
        waiting &= np.abs(x) < 1.0
    assert t.mean() == pytest.approx(times.mean, rel=0.15)  # a step overshoots, and 2,000 runs have an error of a few per cent
    assert (x >= 1.0).mean() == pytest.approx(times.probability_upper, abs=0.04)


def until_decided(function: Callable[..., object], passes: bool = False, **given: object) -> cogir.Model:
    """A node that executes until it has decided, in one pass of the trial or in many."""
    model = cogir.Model("evidence", seed=4)
    options = {} if passes else {"execute_until_finished": True, "max_executions_before_finished": 60}
    node = model.node("DDM", function, input=2, time_step_size=0.01, reset_each_trial=True, **options, **given)  # type: ignore[arg-type]
    if passes:
        model.schedule.trial_ends(cogir.WhenFinished(node) | cogir.AfterNPasses(60))
    return model


STARTS_LATER = {"previous_value": 0.2, "previous_time": 0.1}
LATER = {"starting_value": -0.3, "non_decision_time": 0.25}


@pytest.mark.parametrize(
    ("function", "given", "expected"),
    [
        (library.drift_diffusion_integrator, {"rate": 0.8}, DriftDiffusionTimes(0.4, 0.5, 1.0)),
        (library.drift_diffusion_integrator, {"rate": 0.8, "passes": True}, DriftDiffusionTimes(0.4, 0.5, 1.0)),
        (library.drift_diffusion_integrator, {"rate": 0.8, **STARTS_LATER}, DriftDiffusionTimes(0.4, 0.5, 1.0, 0.2, 0.1)),
        (library.drift_diffusion_decision, {"drift": 0.4}, DriftDiffusionTimes(0.4, 0.5, 1.0)),
        (library.drift_diffusion_decision, {"drift": 0.4, **LATER}, DriftDiffusionTimes(0.4, 0.5, 1.0, -0.3, 0.25)),
        (library.drift_diffusion_decision, {"drift": 0.4, "leak": 0.1}, None),
        (library.drift_diffusion_decision, {"drift": 0.4, "bound": "linear"}, None),
        (library.drift_diffusion_integrator, {"rate": 0.8, "offset": 0.1}, None),
        (library.drift_diffusion_integrator, {"rate": 0.8, "previous_value": 1.5}, None),
    ],
)
def test_analytical_times_of_a_node(
    function: Callable[..., object], given: dict[str, object], expected: DriftDiffusionTimes | None
) -> None:
    model = until_decided(function, threshold=1.0, noise=0.5, **given)  # type: ignore[arg-type]
    found = convergence(model, inputs={"DDM": 0.5})
    assert found.analytical.get("DDM") == expected
    assert ("analytically (continuous drift diffusion, no bound): mean" in repr(found)) == (expected is not None)
    assert not convergence(model, inputs={"DDM": (0.4, 0.5)}).analytical


def test_tables_and_pictures() -> None:
    pytest.importorskip("pandas")
    pytest.importorskip("matplotlib")
    found = convergence(integrator(0.0), inputs={"DDM": (0.3, 0.5)})
    assert found.to_dataframe()["latest"][0] == 334
    assert found.plot().get_xlabel() == "steps"
