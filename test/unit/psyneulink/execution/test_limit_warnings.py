"""
PsyNeuLink's warning that a Mechanism has reached its max_executions_before_finished, as Python mode gives it: text, place, number, order.
"""

import contextlib
import warnings

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.golden import fresh

from cogir.psyneulink import FallbackWarning, accelerate

INPUTS = [[1.0], [2.0], [2.5], [5.0]]
"""The drift of trials: threshold 0.5 at 0.01 a step is reached after 50, 25, 20 and 10 of them."""


def decision(name="D", limit=20, **settings):
    """A DDM that is cut off after so many steps."""
    steps = pnl.DriftDiffusionIntegrator(rate=1.0, noise=0.0, threshold=0.5, time_step_size=0.01)
    made = pnl.DDM(name=name, function=steps, reset_stateful_function_when=pnl.AtTrialStart(), **settings)
    made.parameters.max_executions_before_finished.set(limit)
    return made


def settling(name="T", limit=3, **settings):
    """A TransferMechanism that approaches its input, and is executed once when it is called."""
    made = pnl.TransferMechanism(
        name=name,
        integrator_mode=True,
        integration_rate=0.01,
        termination_threshold=1e-9,
        execute_until_finished=False,
        **settings,
    )
    made.parameters.max_executions_before_finished.set(limit)
    return made


def alone():
    return pnl.Composition(name="C", pathways=[[decision()]])


def two():
    """The one that comes first in the Composition is executed last."""
    last, first = decision("last", 15), decision("first", 30)
    composition = pnl.Composition(name="C", nodes=[last, first])
    composition.add_projection(pnl.MappingProjection(sender=first.output_ports[0], receiver=last, matrix=[[4.0]]))
    return composition


def within():
    inner = pnl.Composition(name="inner", pathways=[[decision()]])
    return pnl.Composition(name="C", pathways=[[inner, pnl.TransferMechanism(name="T")]])


def once_in_a_call():
    return pnl.Composition(name="C", pathways=[[settling()]])


def several_times_in_a_trial():
    composition = pnl.Composition(name="C", pathways=[[settling(), pnl.TransferMechanism(name="B")]])
    composition.scheduler.add_condition(composition.nodes[1], pnl.EveryNCalls(composition.nodes[0], 4))
    return composition


def never_more_than_once():
    mechanism = pnl.ProcessingMechanism(name="P")
    mechanism.parameters.max_executions_before_finished.set(1)
    return pnl.Composition(name="C", pathways=[[mechanism]])


def searched(mode):
    """A controller whose simulations reach the limit at some levels."""

    def build():
        stimulus, made = pnl.TransferMechanism(name="S"), decision()
        composition = pnl.Composition(name="C", pathways=[[stimulus, made]], controller_mode=mode)
        signal = pnl.ControlSignal(modulates=("slope", stimulus), allocation_samples=[0.5, 1.0, 2.0])
        objective = pnl.ObjectiveMechanism(name="O", monitor=[made.output_ports[1]])
        composition.add_controller(
            pnl.OptimizationControlMechanism(
                name="control",
                agent_rep=composition,
                state_features=[stimulus.input_port],
                objective_mechanism=objective,
                function=pnl.GridSearch(direction=pnl.MINIMIZE),
                control_signals=[signal],
            )
        )
        return composition

    return build


def limited(name="P"):
    """A Mechanism of which each execution is the last that is allowed."""
    made = pnl.ProcessingMechanism(name=name)
    made.parameters.max_executions_before_finished.set(1)
    return made


def two_in_a_pass():
    return pnl.Composition(name="C", pathways=[[settling("D", 1), limited()]])


def two_in_passes():
    composition = pnl.Composition(name="C", pathways=[[settling(), limited()]])
    composition.scheduler.add_condition(composition.nodes[1], pnl.EveryNCalls(composition.nodes[0], 4))
    return composition


def controlled(mode, *makers, passes=1):
    """A controller that simulates Mechanisms in a row, the last of them executed after so many executions of the first."""

    def build():
        stimulus, nodes = pnl.TransferMechanism(name="S"), [make() for make in makers]
        composition = pnl.Composition(name="C", pathways=[[stimulus, *nodes]], controller_mode=mode)
        if passes > 1:
            composition.scheduler.add_condition(nodes[-1], pnl.EveryNCalls(nodes[0], passes))
        add_controller(composition, stimulus, nodes[0])
        return composition

    return build


def add_controller(composition, stimulus, monitored):
    signal = pnl.ControlSignal(modulates=("slope", stimulus), allocation_samples=[0.5, 1.0, 2.0])
    composition.add_controller(
        pnl.OptimizationControlMechanism(
            name=f"control of {composition.name}",
            agent_rep=composition,
            state_features=[stimulus.input_port],
            objective_mechanism=pnl.ObjectiveMechanism(name=f"O of {composition.name}", monitor=[monitored.output_ports[0]]),
            function=pnl.GridSearch(direction=pnl.MINIMIZE),
            control_signals=[signal],
        )
    )


CASES = {
    "alone": alone,
    "two": two,
    "within": within,
    "once in a call": once_in_a_call,
    "several times in a trial": several_times_in_a_trial,
    "never more than once": never_more_than_once,
    "searched before": searched("before"),
    "searched after": searched("after"),
    "two in a pass": two_in_a_pass,
    "two in passes": two_in_passes,
    "searched, each execution": controlled("before", limited),
    "searched, once in a call": controlled("after", settling),
    "searched, at once": controlled("before", lambda: settling("T", 1)),
    "searched, two": controlled("before", lambda: decision(limit=5), limited),
    "searched, two in passes": controlled("before", lambda: settling("T", 1), limited, passes=2),
}


def inputs_of(composition):
    """The inputs of all trials, for each node that takes any."""
    return {node: INPUTS for node in composition.get_nodes_by_role(pnl.NodeRole.INPUT)}


def said(build, is_native, action="always", **given):
    """The warnings of two runs as they are shown, and between them the results; and whether it ran natively."""
    fresh()
    shown = []
    with accelerate(strict=True) if is_native else contextlib.nullcontext(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        composition = build()
        warnings.simplefilter(action)
        warnings.showwarning = lambda message, category, file, number, *_: shown.append((str(message), category, file, number))
        for _ in range(2):
            composition.run(inputs_of(composition), **{name: made(shown) for name, made in given.items()})
            shown.append("run")
    return [one for one in shown if one == "run" or one == "trial" or one[0].startswith("Maximum")], np.asarray(composition.results, float)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("name", "action"), [*((name, "always") for name in CASES), ("alone", "default"), ("alone", "ignore")])
def test_the_warnings_of_python_mode_are_given(name, action):
    expected, results = said(CASES[name], False, action)
    found, found_results = said(CASES[name], True, action)
    assert found == expected
    np.testing.assert_allclose(found_results, results, rtol=1e-12)
    assert (len(expected) > 3) == (action in ("always", "default"))


def test_callbacks_stand_between_warnings():
    given = {"call_after_trial": lambda shown: lambda: shown.append("trial")}
    expected, _ = said(two, False, **given)
    assert said(two, True, **given)[0] == expected


def test_a_limit_that_is_changed_is_said():
    fresh()
    composition = alone()
    with accelerate(strict=True), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        composition.run({composition.nodes[0]: [[1.0]]})
        composition.nodes[0].parameters.max_executions_before_finished.set(7, composition.default_execution_id)
        composition.run({composition.nodes[0]: [[1.0]]})
    assert [str(one.message).split()[4] for one in caught] == ["(20)", "(7)"]


def test_a_warning_that_is_an_error_ends_the_run_where_it_does_in_python_mode():
    left = []
    for is_native in (False, True):
        fresh()
        composition = alone()
        with accelerate() if is_native else contextlib.nullcontext(), warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            warnings.filterwarnings("error", message="Maximum number")
            with pytest.raises(UserWarning, match="Maximum number"):
                composition.run({composition.nodes[0]: [[5.0], [1.0], [5.0]]})
        assert is_native == any(
            "turned into an error by a warning filter" in str(one.message) for one in caught if one.category is FallbackWarning
        )
        node = composition.nodes[0]
        counts = node.parameters.num_executions.get(composition.default_execution_id)
        left.append((np.asarray(composition.results).tolist(), node.value.tolist(), counts.life))
    assert left[0] == left[1]


def test_a_model_that_reaches_no_limit_counts_nothing():
    from cogir.psyneulink.execution.session import session_of

    fresh()
    composition = pnl.Composition(name="C", pathways=[[pnl.TransferMechanism(name="A"), pnl.LCAMechanism(name="L")]])
    session = session_of(composition, "x")
    assert session.compiled.plan.flags == []
    assert not [path for path in session.compiled.plan.slots if "limit" in path and "flag" in path]


def test_a_limit_that_becomes_one_is_noticed():
    fresh()
    composition = pnl.Composition(name="C", pathways=[[pnl.ProcessingMechanism(name="P")]])
    with accelerate(strict=True), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        composition.run({composition.nodes[0]: [[1.0]]})
        composition.nodes[0].parameters.max_executions_before_finished.set(1, composition.default_execution_id)
        composition.run({composition.nodes[0]: [[1.0]]})
    assert [str(one.message) for one in caught] == ["Maximum number of executions (1) reached for P."]
