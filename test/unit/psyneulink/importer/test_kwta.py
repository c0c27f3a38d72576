"""
KWTAMechanisms: their scaling is PsyNeuLink's for all options, and where PsyNeuLink raises an error or warns, or might, it runs the trials.
"""

import warnings
from types import FunctionType, SimpleNamespace

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.compare import compared
from support.psyneulink.golden import fresh

import cogir.psyneulink
from cogir.psyneulink import FallbackWarning, UnsupportedFeature, accelerate
from cogir.psyneulink.importer.k_winners import k_winners

pytestmark = pytest.mark.filterwarnings("ignore")

SCALE = pnl.KWTAMechanism._kwta_scale


def scaled_by_psyneulink(variable, options):
    """The scaled variable, or None if PsyNeuLink raises an error, and whether it warns."""
    held = {name: np.array([value]) if isinstance(value, float) else value for name, value in options.items()}
    mechanism = SimpleNamespace(
        parameters=SimpleNamespace(**{name: name for name in held}),
        _get_current_parameter_value=lambda name, context: held[name],
        input_shapes=[len(variable)],
        name="K",
    )
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            return SCALE(mechanism, np.array([variable]))[0], bool(caught)
        except pnl.KWTAError:
            return None, True


def random_options(random, size):
    """Options of a KWTAMechanism, and a variable, often with equal elements."""
    k = random.choice(
        [random.randint(-1, size + 1), random.randint(size) / size + 0.5 / size, random.uniform(0, 1), random.uniform(0, size)]
    )
    options = {
        "k_value": float(k),
        "threshold": float(random.choice([0.0, 0.0, 1.0, random.normal()])),
        "ratio": float(random.choice([0.0, 0.5, 1.0, random.uniform(0, 1), random.uniform(-1, 2)], p=[0.2, 0.2, 0.2, 0.35, 0.05])),
        "average_based": bool(random.rand() < 0.3),
        "inhibition_only": bool(random.rand() < 0.5),
    }
    variable = random.normal(size=size)
    return variable.round() if random.rand() < 0.5 else variable, options


def test_the_scaling_is_psyneulinks():
    random, natively, left = np.random.RandomState(1), 0, 0
    for _ in range(3000):
        variable, options = random_options(random, random.randint(1, 8))
        expected, warned = scaled_by_psyneulink(variable, options)
        found, failed = k_winners(variable, **options)
        assert failed or not warned, (variable, options)
        if not failed:
            np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-14)
        natively, left = natively + (not failed), left + (failed and not warned)
    assert natively > 2000
    assert left < 600


def test_what_is_not_finite_is_left_to_psyneulink():
    for variable in ([1.0, np.nan, 2.0], [np.inf, 0.0, 1.0]):
        assert k_winners(np.array(variable))[1] == 1.0
    for name in ("k_value", "threshold", "ratio"):
        assert k_winners(np.array([1.0, 2.0, 3.0]), **{name: np.nan})[1] == 1.0


def alone(**settings):
    """A Composition of one KWTAMechanism of four elements."""
    made = {name: value() if isinstance(value, FunctionType) else value for name, value in settings.items()}
    return pnl.Composition(name="C", pathways=[pnl.KWTAMechanism(**{"name": "K", "input_shapes": 4, **made})])


SETTINGS = {
    "defaults": {},
    "average": {"average_based": True, "k_value": 3, "hetero": -0.5, "inhibition_only": False},
    "what it does not use": {
        "noise": 0.5,
        "integrator_mode": True,
        "integration_rate": 0.4,
        "clip": (0.2, 0.7),
        "initial_value": [1, 2, 3, 4],
    },
    "until its threshold": {"integrator_mode": True, "termination_threshold": 0.9, "max_executions_before_finished": 7, "ratio": 0.3},
    "another function": {"function": lambda: pnl.SoftMax(gain=2.0), "k_value": 1, "threshold": -0.5, "output_ports": ["RESULT", "ENERGY"]},
    "at the threshold": {"function": lambda: pnl.Tanh(), "ratio": 1.0, "hetero": 0.3},
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", SETTINGS)
def test_runs_are_psyneulinks(name):
    inputs = {"K": np.random.RandomState(len(name)).normal(size=(3, 4)).round(2)}
    assert not compared(lambda: alone(**SETTINGS[name]), inputs)


@pytest.mark.full
def test_random_runs_are_psyneulinks():
    random = np.random.RandomState(3)
    for _ in range(40):
        settings = {
            "k_value": random.choice([1.0, 2.0, 3.0, random.uniform(0.2, 0.8)]),
            "ratio": random.choice([0.5, random.uniform(0.1, 0.9)]),
            "threshold": random.choice([0.0, random.normal()]),
            "average_based": bool(random.rand() < 0.3),
            "inhibition_only": bool(random.rand() < 0.5),
            "auto": random.uniform(-1, 1),
            "hetero": random.uniform(-0.5, 0.5),
            "integrator_mode": bool(random.rand() < 0.3),
            "function": lambda kind=random.choice([pnl.Logistic, pnl.Linear, pnl.ReLU]): kind(),
        }
        assert not compared(lambda: alone(**settings), {"K": random.normal(size=(4, 4))}), settings


CHANGES = [("k_value", 1), ("k_value", 3.7), ("threshold", 0.4), ("ratio", 0.2), ("average_based", True), ("inhibition_only", False)]


def trace(run, **settings):
    """Results, with another k_value, threshold, ratio and way of averaging from run to run."""
    fresh()
    composition = alone(function=pnl.Linear(slope=0.2), **settings)
    mechanism = composition.nodes[0]
    inputs = {mechanism: [[0.3, -1.2, 2.1, 0.8], [1.3, 0.2, -0.4, 0.7]]}
    run(composition, inputs)
    for name, value in (
        ("k_value", 1),
        ("k_value", 3.7),
        ("threshold", 0.4),
        ("ratio", 0.2),
        ("average_based", True),
        ("inhibition_only", False),
    ):
        getattr(mechanism.parameters, name).set(value, composition)
        run(composition, inputs)
    return np.concatenate(composition.results)


def test_options_change_between_runs():
    expected = trace(lambda composition, inputs: composition.run(inputs))
    assert len({tuple(row) for row in expected.tolist()}) == 14
    np.testing.assert_allclose(trace(cogir.psyneulink.run), expected, rtol=1e-12)


def test_options_are_modulated():
    def build():
        mechanism = pnl.KWTAMechanism(name="K", input_shapes=4, function=pnl.Linear, k_value=1)
        signals = [pnl.ControlSignal(modulates=(name, mechanism), modulation=pnl.OVERRIDE) for name in ("k_value", "threshold", "ratio")]
        control = pnl.ControlMechanism(name="M", control_signals=signals, default_allocation=[1.0])
        composition = pnl.Composition(name="C")
        composition.add_nodes([(mechanism, pnl.NodeRole.INPUT), (control, pnl.NodeRole.INPUT)])
        return composition

    random = np.random.RandomState(2)
    inputs = {"K": random.normal(size=(4, 4)), "M": [[0.3], [0.6], [0.4], [0.8]]}
    fresh()
    assert not compared(build, inputs)


FAILING = {
    "a negative k_value": ({}, -1),
    "a large k_value": ({}, 5),
    "the average of nothing": ({"average_based": True}, 0),
}


@pytest.mark.parametrize("name", FAILING)
def test_errors_and_warnings_are_psyneulinks(name):
    settings, k_value = FAILING[name]

    def found():
        fresh()
        composition = alone(**settings)
        composition.run({"K": [[1.0, 2.0, 3.0, 4.0]]})
        composition.nodes[0].parameters.k_value.set(k_value, composition)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                composition.run({"K": [[1.0, 2.0, 3.0, 4.0], [0.0, 1.0, 2.0, 0.5]]})
            except Exception as error:
                said = f"{type(error).__name__} {error}"
            else:
                said = ""
        told = [str(one.message) for one in caught if not issubclass(one.category, FallbackWarning)]
        ours = [str(one.message) for one in caught if issubclass(one.category, FallbackWarning)]
        return (said, told, composition.nodes[0].parameters.value.get(composition).tolist()), ours

    expected, _ = found()
    with accelerate():
        after, ours = found()
    assert str(after) == str(expected)
    assert "KWTAMechanism cannot scale its variable" in ours[0]


def test_a_result_that_is_too_high_is_psyneulinks_warning():
    """With a threshold of 0.3 and a ratio of 1, rounding decides which elements are above the threshold."""

    def found():
        fresh()
        composition = alone(threshold=0.3, ratio=1.0)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            composition.run({"K": np.random.RandomState(0).normal(size=(8, 4))})
        said = [str(one.message) for one in caught]
        return [one for one in said if "was not successful" in one], [one for one in said if "rounding error" in one]

    expected, _ = found()
    assert expected
    with accelerate():
        after, ours = found()
    assert after == expected
    assert ours


def test_a_controller_that_simulates_one_is_refused():
    fresh()
    mechanism = pnl.KWTAMechanism(name="K", input_shapes=4)
    composition = pnl.Composition(name="C", nodes=[mechanism])
    signal = pnl.ControlSignal(modulates=("gain", mechanism), allocation_samples=[1.0, 2.0])
    objective = pnl.ObjectiveMechanism(monitor=mechanism, function=pnl.Reduce())
    controller = pnl.OptimizationControlMechanism(
        agent_rep=composition, objective_mechanism=objective, control_signals=[signal], function=pnl.GridSearch()
    )
    composition.add_controller(controller)
    with pytest.raises(UnsupportedFeature, match="simulates a KWTAMechanism"):
        cogir.psyneulink.run(composition, {mechanism: [[1.0, 2.0, 3.0, 4.0]]})


def test_a_reset_to_the_start_of_its_integrator_is_refused():
    fresh()
    composition = alone(integrator_mode=True, reset_stateful_function_when=pnl.AtTrialStart())
    with pytest.raises(UnsupportedFeature, match="which it never executes"):
        cogir.psyneulink.run(composition, {"K": [[1.0, 2.0, 3.0, 4.0]]})
