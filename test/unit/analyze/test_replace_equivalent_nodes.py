"""Nodes become simpler ones where the user consents, and run as the old ones do in that sense."""

import numpy as np
import pytest

import cogir
from cogir import library
from cogir.analyze import equivalent, simplified
from cogir.dialects.cog import ProjectOp

FOREVER = 2**62


def accumulator(leak: float = 0.0, competition: float = 0.0) -> cogir.Model:
    model = cogir.Model("choice", prng="mt19937")
    stimulus = model.node("stimulus", input=2)
    lca = model.node("lca", library.leaky_competing_accumulator, input=2, leak=leak, threshold=0.8, noise=0.4)
    model.project(stimulus, lca)
    model.project(lca["result"], lca, matrix=competition * (1.0 - np.eye(2)), recurrent=True)
    return model


def diffusion(**given: float) -> cogir.Model:
    return with_diffusion(**given)[0]


def with_diffusion(**given: float) -> tuple[cogir.Model, cogir.Node]:
    model = cogir.Model("decision", prng="mt19937")
    node = model.node(
        "ddm",
        library.drift_diffusion_integrator,
        input=1,
        execute_until_finished=True,
        max_executions_before_finished=FOREVER,
        reset_each_trial=True,
        **{"rate": 0.8, "noise": 1.0, "threshold": 1.0, "time_step_size": 0.001, **given},
    )
    return model, node


def test_an_accumulator_without_leak_and_competition() -> None:
    """It needs consent, as rounding differs; the zero projection is gone; the random numbers are the same."""
    assert not simplified(accumulator())
    found = simplified(accumulator(), consent="reals")
    assert found
    assert str(found) == "choice:\n  lca is drift_diffusion_with_logistic (equal over the reals)"
    assert sum(isinstance(op, ProjectOp) for op in found.model.ir().walk()) == 1
    assert equivalent(accumulator(), found.model).answer == "equal over the reals"
    stimulus = {"stimulus": [[0.3, -0.2], [1.0, 0.5]]}
    old, new = (model.compile().run(stimulus, num_trials=30)["lca"] for model in (accumulator(), found.model))
    assert 0.0 < np.max(np.abs(old - new)) < 1e-12


@pytest.mark.parametrize("given", [{"leak": 0.1}, {"competition": -0.2}])
def test_an_accumulator_that_stays(given: dict[str, float]) -> None:
    assert not simplified(accumulator(**given), consent="limit")


def test_a_node_whose_parameters_may_change_stays() -> None:
    model, node = with_diffusion()
    control = model.node("control", input=1)
    model.modulate(control, node.param("rate"))
    assert not simplified(model, consent="limit")


def test_a_diffusion_to_a_bound() -> None:
    """In the limit, its choices have the same probabilities, and its times are their mean."""
    assert not simplified(diffusion(), consent="distribution")
    found = simplified(diffusion(), consent="limit")
    assert str(found) == "decision:\n  ddm is drift_diffusion_at_a_bound (in the limit of short steps; times are their mean)"
    old, new = (model.compile().run({"ddm": [[1.0]]}, num_trials=4000) for model in (diffusion(), found.model))
    upper = [np.mean(result["ddm/value"][:, 0] > 0.0) for result in (old, new)]
    assert np.all(np.abs(new["ddm/value"]) == 1.0)
    deviation = np.sqrt(2.0 * upper[0] * (1.0 - upper[0]) / 4000)
    assert abs(upper[0] - upper[1]) < 4.0 * deviation
    assert np.ptp(new["ddm/time"]) == 0.0
    assert abs(np.mean(old["ddm/time"]) - new["ddm/time"].ravel()[0]) < 4.0 * np.std(old["ddm/time"]) / np.sqrt(4000) + 0.02


@pytest.mark.parametrize("given", [{"offset": 0.01}, {"noise": 0.0}, {"threshold": np.inf}])
def test_a_diffusion_that_has_no_analytical_form(given: dict[str, float]) -> None:
    assert not simplified(diffusion(**given), consent="limit")


def test_conditions_keep_a_diffusion() -> None:
    """A node that may execute twice in a trial goes on from the bound."""
    model = diffusion()
    model.schedule.trial_ends(cogir.AfterPass(3))
    assert not simplified(model, consent="limit")


def test_wrong_consent() -> None:
    with pytest.raises(cogir.InputError, match="consent is 'all'"):
        simplified(diffusion(), consent="all")  # type: ignore[arg-type]
