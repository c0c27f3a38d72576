"""
`runtime_params`: numbers that Parameters have for one call, or for some of its trials, give natively what they give in PsyNeuLink.
"""

import warnings
from unittest.mock import ANY

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.compare import KEPT, differences, held
from support.psyneulink.golden import fresh

from cogir.psyneulink import FallbackWarning, accelerate

pytestmark = pytest.mark.filterwarnings("ignore")


COMPARED = KEPT


def process(function):
    return lambda: pnl.ProcessingMechanism(name="A", input_shapes=2, function=function())


MECHANISMS = {
    "linear": (process(lambda: pnl.Linear(slope=2.0)), {"slope": 5.0, "intercept": 3.0, "scale": 2.0, "offset": 0.5}),
    "logistic": (process(lambda: pnl.Logistic(gain=2.0)), {"gain": 5.0, "bias": 3.0, "x_0": 0.2, "scale": 3.0, "offset": 0.5}),
    "tanh": (process(lambda: pnl.Tanh()), {"gain": 5.0, "bias": 3.0, "x_0": 0.2, "scale": 3.0, "offset": 0.5}),
    "relu": (process(lambda: pnl.ReLU()), {"gain": 5.0, "bias": 0.3, "leak": 0.2}),
    "exponential": (process(lambda: pnl.Exponential()), {"rate": 0.5, "bias": 0.3, "scale": 0.2, "offset": 1.0}),
    "softmax": (process(lambda: pnl.SoftMax()), {"gain": 5.0}),
    "distort": (process(lambda: pnl.GaussianDistort(variance=0.1)), {"variance": 1.0, "scale": 3.0, "bias": 0.5, "offset": 2.0}),
    "normal": (process(lambda: pnl.NormalDist()), {"mean": 1.0, "standard_deviation": 3.0}),
    "transfer": (
        lambda: pnl.TransferMechanism(name="A", input_shapes=2, function=pnl.Logistic, noise=0.1, clip=(-0.9, 0.9)),
        {"gain": 5.0, "noise": 0.5, "integration_rate": 0.2},
    ),
    "transfer integrating": (
        lambda: pnl.TransferMechanism(name="A", input_shapes=2, integrator_mode=True, integration_rate=0.3),
        {"slope": 5.0, "noise": 0.5, "integration_rate": 0.8, "offset": 1.0},
    ),
    "transfer until": (
        lambda: pnl.TransferMechanism(
            name="A", input_shapes=2, integrator_mode=True, integration_rate=0.3, termination_threshold=0.2, termination_measure=max
        ),
        {"slope": 5.0, "noise": 0.5, "integration_rate": 0.8},
    ),
    "integrator": (
        lambda: pnl.IntegratorMechanism(name="A", input_shapes=2, function=pnl.AdaptiveIntegrator(rate=0.3)),
        {"rate": 0.7, "noise": 0.2, "offset": 0.3},
    ),
    "lca": (
        lambda: pnl.LCAMechanism(name="A", input_shapes=2, leak=0.3, competition=0.5),
        {"leak": 0.6, "noise": 0.7, "time_step_size": 0.3, "gain": 3.0},
    ),
    "recurrent": (
        lambda: pnl.RecurrentTransferMechanism(name="A", input_shapes=2, auto=0.3, hetero=-0.5),
        {"slope": 3.0, "intercept": 0.5},
    ),
}


def build(make):
    """A Mechanism between two others."""
    mechanism = make()
    mechanism.parameters.max_executions_before_finished.set(50)
    size = mechanism.defaults.variable.size
    first = pnl.ProcessingMechanism(name="S", input_shapes=size)
    last = pnl.ProcessingMechanism(name="B", input_shapes=mechanism.output_port.defaults.value.size)
    return pnl.Composition(name="C", pathways=[[first, np.eye(size) * 1.5, mechanism, last]]), mechanism


def three_runs(make, params, trials=2):
    """What a run, one with runtime_params and another one leave behind."""
    fresh()
    composition, mechanism = build(make)
    size = mechanism.defaults.variable.size
    inputs = {"S": [[0.5, -0.3][:size], [0.2, 0.8][:size]]}
    composition.run(inputs=inputs, num_trials=1)
    composition.run(inputs=inputs, num_trials=trials, runtime_params={mechanism: params(mechanism)})
    found = held(composition, "C")
    composition.run(inputs=inputs, num_trials=1)
    after = held(composition, "C")
    return found, {key: value for key, value in after.items() if key[0] != "parameter"}  # PsyNeuLink shows some of them late


def check(make, params, trials=2, falls_back=False):
    expected = three_runs(make, params, trials)
    with accelerate(), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = three_runs(make, params, trials)
    for before, after in zip(expected, found, strict=True):
        assert list(differences(before, after, COMPARED)) == []
    told = [str(one.message) for one in caught if issubclass(one.category, FallbackWarning)]
    assert len(told) == falls_back, told


def quick(cases, share):
    """All cases, of which one in so many is for `make test`."""
    cases = [one if isinstance(one, tuple) else (one,) for one in cases]
    return [pytest.param(*one, marks=[] if index % share == 0 else [pytest.mark.full]) for index, one in enumerate(cases)]


EACH = [(kind, name) for kind, (_, values) in MECHANISMS.items() for name in values]


@pytest.mark.parametrize(
    ("kind", "name"), [pytest.param(*one, marks=[] if i % 6 == 0 else [pytest.mark.full]) for i, one in enumerate(EACH)]
)
def test_a_number_for_a_call(kind, name):
    make, values = MECHANISMS[kind]
    check(make, lambda mechanism: {name: values[name]})


LINEAR = MECHANISMS["linear"][0]
TIMED = {
    "at a trial": lambda m: {"slope": (5.0, pnl.AtTrial(1))},
    "after a trial": lambda m: {"slope": (5.0, pnl.AfterTrial(0)), "intercept": (1.0, pnl.AtTrial(3))},
    "before a trial of all": lambda m: {"slope": (5.0, pnl.BeforeTrial(3, pnl.TimeScale.LIFE))},
    "in a run": lambda m: {"slope": (5.0, pnl.AtRun(1)), "intercept": (3.0, pnl.AfterRun(1))},
    "both": lambda m: {"slope": (5.0, pnl.All(pnl.AfterNTrials(1), pnl.Not(pnl.AtTrial(2))))},
    "never": lambda m: {"slope": (5.0, pnl.Never())},
    "at passes": lambda m: {"slope": (5.0, pnl.All(pnl.AtPass(0), pnl.AtTrial(1))), "intercept": (1.0, pnl.AfterPass(0))},
    "before passes": lambda m: {
        "slope": (5.0, pnl.BeforePass(1)),
        "intercept": (1.0, pnl.AfterNPasses(1)),
        "scale": (2.0, pnl.EveryNPasses(2)),
    },
    "at starts": lambda m: {"slope": (5.0, pnl.AtRunStart()), "intercept": (1.0, pnl.AtTrialStart()), "scale": (2.0, pnl.AtTrialNStart(2))},
    "at the start of a run": lambda m: {"slope": (5.0, pnl.AtRunNStart(1)), "intercept": (1.0, pnl.AtRunNStart(2))},
    "of elements": lambda m: {"slope": ([5.0, 7.0], pnl.AtTrial(1))},
    "of InputPorts": lambda m: {pnl.INPUT_PORT_PARAMS: {"scale": 3.0, "offset": (0.5, pnl.AtTrial(1))}},
    "of OutputPorts": lambda m: {pnl.OUTPUT_PORT_PARAMS: ({"slope": 3.0, "intercept": 0.5}, pnl.AfterTrial(0))},
    "of the function first": lambda m: {pnl.INPUT_PORT_PARAMS: {pnl.FUNCTION_PARAMS: {"scale": (3.0, pnl.AtTrial(1))}, "scale": 9.0}},
    "of a port": lambda m: {m.input_port: {"scale": (3.0, pnl.AtTrial(1))}},
}
LEFT_TO_PSYNEULINK = {
    "a condition on passes of a run": lambda m: {"slope": (5.0, pnl.AtPass(0, pnl.TimeScale.RUN))},
    "a condition on calls": lambda m: {"slope": (5.0, pnl.AfterNCalls(m, 1))},
    "a value": lambda m: {"value": [[5.0, 6.0]]},
    "a variable of a port": lambda m: {pnl.INPUT_PORT_PARAMS: {"variable": [[5.0, 6.0]]}},
    "one OutputPort": lambda m: {m.output_port: {"slope": 3.0}},
    "ParameterPorts": lambda m: {pnl.PARAMETER_PORT_PARAMS: {"slope": 5.0}},
    "a variable of a Projection": lambda m: {pnl.INPUT_PORT_PARAMS: {pnl.MAPPING_PROJECTION_PARAMS: {"variable": [5.0, 6.0]}}},
}


PORTS_OF_A_TRANSFER = {
    "scale": lambda m: {pnl.INPUT_PORT_PARAMS: {"scale": 3.0, "weight": 5.0}},
    "weights": lambda m: {pnl.INPUT_PORT_PARAMS: {pnl.FUNCTION_PARAMS: {"weights": (10.0, pnl.AtTrial(1)), "scale": 2.0}}},
    "never": lambda m: {pnl.INPUT_PORT_PARAMS: ({"scale": 3.0, pnl.FUNCTION_PARAMS: {"weights": 10.0}}, pnl.Never())},
}


@pytest.mark.parametrize("name", quick(PORTS_OF_A_TRANSFER, 2))
def test_ports_of_a_mechanism_that_is_executed_once_a_call(name):
    check(lambda: pnl.TransferMechanism(name="A", input_shapes=2), PORTS_OF_A_TRANSFER[name], trials=4)


def test_ports_of_a_mechanism_that_may_be_executed_several_times_are_left_to_psyneulink():
    check(MECHANISMS["transfer until"][0], PORTS_OF_A_TRANSFER["scale"], falls_back=True)


def test_a_parameter_that_an_output_port_takes_is_left_to_psyneulink():
    make = lambda: pnl.ProcessingMechanism(name="A", output_ports=[pnl.OutputPort(name="slope", variable="slope")])  # noqa: E731
    check(make, lambda m: {"slope": 3.0}, falls_back=True)


@pytest.mark.parametrize("name", quick(TIMED, 4))
def test_numbers_for_some_trials(name):
    check(LINEAR, TIMED[name], trials=4)


@pytest.mark.parametrize("name", quick(LEFT_TO_PSYNEULINK, 4))
def test_what_cogir_does_not_take_runs_in_psyneulink(name):
    check(LINEAR, LEFT_TO_PSYNEULINK[name], falls_back=True)


def test_function_params_win_in_any_order():
    check(LINEAR, TIMED["of the function first"], trials=3)
    check(LINEAR, lambda m: {pnl.INPUT_PORT_PARAMS: {"scale": 9.0, pnl.FUNCTION_PARAMS: {"scale": (3.0, pnl.AtTrial(1))}}}, trials=3)


def test_function_params_of_a_single_port_are_the_error_of_psyneulink():
    fresh()
    composition, mechanism = build(LINEAR)
    params = {mechanism: {mechanism.input_port: {pnl.FUNCTION_PARAMS: {"scale": 3.0}}}}
    with accelerate(), pytest.raises(Exception, match=r"Invalid specification in runtime_params arg for .*function_params"):
        composition.run(inputs={"S": [[0.5, -0.3]]}, runtime_params=params)


def test_a_logged_parameter_is_left_to_psyneulink():
    def make():
        mechanism = LINEAR()
        mechanism.set_log_conditions("mod_slope")
        return mechanism

    check(make, lambda m: {"slope": (5.0, pnl.AtTrial(1))}, trials=3, falls_back=True)
    check(make, lambda m: {"intercept": (5.0, pnl.AtTrial(1))}, trials=3)


def test_a_decision_is_left_to_psyneulink():
    check(lambda: pnl.DDM(name="A"), lambda mechanism: {"drift_rate": 0.6}, falls_back=True)


def test_a_wrong_name_is_the_error_of_psyneulink():
    fresh()
    composition, mechanism = build(LINEAR)
    with accelerate(), pytest.warns(FallbackWarning, match="'nonsense' of 'A'"), pytest.raises(Exception, match="nonsense"):
        composition.run(inputs={"S": [[1.0, 2.0]]}, runtime_params={mechanism: {"nonsense": 1.0}})


def ends_before_its_trials():
    """What a run returns that ends when the runtime_params of its next trial begin."""
    fresh()
    node = pnl.TransferMechanism(name="A", integrator_mode=True)
    composition = pnl.Composition(name="C", nodes=[node])
    composition.termination_processing[pnl.TimeScale.RUN] = pnl.AfterNCalls(node, 2, time_scale=pnl.TimeScale.RUN)
    returned = composition.run({node: [[1.0]]}, num_trials=4, runtime_params={node: {"slope": (2.0, pnl.AtTrial(2))}})
    return np.asarray(returned).tolist(), np.asarray(composition.results).tolist()


def test_a_run_that_ends_between_two_sets_of_them():
    expected = ends_before_its_trials()
    assert expected == ([[0.75]], [[[0.5]], [[0.75]]])
    with accelerate(strict=True):
        assert ends_before_its_trials() == expected


@pytest.mark.parametrize("where", ["before", "after"])
@pytest.mark.parametrize("enabled", [True, False])
def test_a_controller_simulates_without_them(where, enabled):
    """PsyNeuLink gives its simulations the Parameters as they are otherwise, so that what a search finds is another thing."""

    def found():
        fresh()
        first = pnl.ProcessingMechanism(name="A", function=pnl.Linear(slope=1.5))
        last = pnl.ProcessingMechanism(name="B", function=pnl.Linear(intercept=0.1))
        composition = pnl.Composition(name="C", pathways=[[first, last]], controller_mode=where)
        controller = pnl.OptimizationControlMechanism(
            agent_rep=composition,
            state_features=[first.input_port],
            objective_mechanism=pnl.ObjectiveMechanism(monitor=[last]),
            function=pnl.GridSearch(save_values=True),
            control_signals=[pnl.ControlSignal(modulates=("slope", last), allocation_samples=[-1.0, 1.0])],
        )
        composition.add_controller(controller)
        composition.enable_controller = enabled
        composition.run({first: [[1.0], [2.0]]})
        composition.run({first: [[1.0], [2.0]]}, runtime_params={first: {"slope": -0.25}})
        return held(composition, "C")

    expected = found()
    with accelerate(short_runs="native"), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        after = found()
    assert not list(differences(expected, after, [kind for kind in COMPARED if kind != "count"]))
    assert [str(one.message) for one in caught if "its controller simulates" in str(one.message)] == [ANY] * enabled


@pytest.mark.parametrize("late", [False, True])
def test_passes_are_counted_only_where_a_trial_has_one(late):
    """With two passes, B is executed in the second one; a callback that makes them so hands the rest of the run over."""

    def run():
        fresh()
        composition, mechanism = build(LINEAR)
        changed = lambda: composition.scheduler.add_condition(mechanism, pnl.AfterPass(0))  # noqa: E731
        if not late:
            changed()
        inputs = {"S": [[0.5, -0.3], [0.2, 0.8]]}
        callback = (lambda: changed() if len(composition.results) else None) if late else None
        params = {mechanism: {"slope": (5.0, pnl.AtPass(1)), "intercept": (2.0, pnl.AtPass(0))}}
        composition.run(inputs, runtime_params=params, call_before_trial=callback)
        return np.asarray(composition.results).tolist()

    expected = run()
    with accelerate(), pytest.warns(FallbackWarning, match="passes"):
        found = run()
    np.testing.assert_allclose(found, expected, rtol=1e-12)
