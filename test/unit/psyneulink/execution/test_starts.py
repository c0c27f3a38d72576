"""
The start of a run, in which PsyNeuLink completes and checks a Composition: once in each call, natively or not, with the same warnings.
"""

import contextlib
import threading
import warnings

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.golden import fresh

from cogir.psyneulink import FallbackWarning, accelerate
from cogir.psyneulink.execution.start import noted

pytestmark = pytest.mark.filterwarnings("ignore")


def searched(nested=False, rate=0.5):
    """A controller with a state feature that is a number, whose function takes a step whenever PsyNeuLink looks at it."""
    stimulus, response = pnl.TransferMechanism(name="S"), pnl.TransferMechanism(name="R")
    composition = pnl.Composition(name="C", pathways=[[stimulus, response]], retain_old_simulation_data=True)
    composition.add_controller(
        pnl.OptimizationControlMechanism(
            name="control",
            agent_rep=composition,
            state_features=[[1.5]],
            state_feature_function=pnl.AdaptiveIntegrator(rate=rate),
            objective_mechanism=pnl.ObjectiveMechanism(name="O", monitor=[response]),
            function=pnl.GridSearch(),
            control_signals=[pnl.ControlSignal(modulates=("slope", stimulus), allocation_samples=[1.0, 2.0])],
        )
    )
    return composition


def unconnected():
    """An OutputPort that wants a Projection and has none."""
    first = pnl.ProcessingMechanism(name="first", output_ports=["x", "y"])
    first.output_ports[1].parameters.require_projection_in_composition.set(True, override=True)
    second = pnl.TransferMechanism(name="second")
    composition = pnl.Composition(name="C", nodes=[first, second])
    composition.add_projection(pnl.MappingProjection(sender=first.output_ports[0], receiver=second))
    return composition


def unused():
    """A Projection that was made and not added."""
    first, second, third = (pnl.TransferMechanism(name=name) for name in "ABD")
    composition = pnl.Composition(name="C", pathways=[[first, second]])
    pnl.MappingProjection(name="apart", sender=first, receiver=third)
    composition.verbosePref = pnl.PreferenceEntry(True, pnl.PreferenceLevel.INSTANCE)
    return composition


def unused_within():
    """The same in a nested Composition."""
    inner = unused()
    return pnl.Composition(name="outer", pathways=[[inner, pnl.TransferMechanism(name="last")]])


def controlled_from_nowhere():
    """A parameter that is specified for control, and no controller."""
    mechanism = pnl.TransferMechanism(name="A", function=pnl.Linear(slope=(1.0, pnl.ControlProjection(name="to slope"))))
    return pnl.Composition(name="C", pathways=[[mechanism]])


def refused():
    """A Composition that runs in PsyNeuLink, whose start warns."""
    composition = unconnected()
    composition.nodes[0].parameters.value.history_max_length = 3
    return composition


def searching(name, composition, first, last, modulated, **given):
    """A controller that searches the slope of a Mechanism."""
    return pnl.OptimizationControlMechanism(
        name=name,
        agent_rep=composition,
        state_features=[first.input_port],
        objective_mechanism=pnl.ObjectiveMechanism(name=f"{name}'s objective", monitor=[last]),
        function=pnl.GridSearch(),
        control_signals=[pnl.ControlSignal(modulates=("slope", modulated), allocation_samples=[1.0, 2.0])],
        **given,
    )


def draws_in_a_controller():
    """A nested Composition with a controller, and around it one whose controller makes estimates, for which the first is to draw anew."""
    first, second = pnl.TransferMechanism(name="A"), pnl.TransferMechanism(name="B")
    inner = pnl.Composition(name="I", pathways=[[first, second]])
    inner.add_controller(searching("inner", inner, first, second, first))
    before, after = pnl.TransferMechanism(name="D"), pnl.TransferMechanism(name="E")
    outer = pnl.Composition(name="O", pathways=[[before, inner, after]])
    outer.add_controller(searching("outer", outer, before, after, before, num_estimates=2))
    return outer


def controls_what_is_apart():
    """A controller of a Mechanism that is in no Composition."""
    first, apart = pnl.TransferMechanism(name="A"), pnl.TransferMechanism(name="X")
    composition = pnl.Composition(name="C", pathways=[[first]])
    composition.add_controller(searching("control", composition, first, first, apart))
    return composition


def enabled_and_controls_what_is_apart():
    """The same, where a controller that is given to the constructor is said to be enabled, so that it simulates."""
    first, apart = pnl.TransferMechanism(name="A"), pnl.TransferMechanism(name="X")
    controller = searching("control", None, first, first, apart)
    return pnl.Composition(name="C", pathways=[[first]], enable_controller=True, controller=controller)


def executed_beside():
    """A controller that simulates nothing, of a Mechanism that is in no Composition."""
    first, apart = pnl.TransferMechanism(name="A"), pnl.TransferMechanism(name="X")
    signals = [pnl.ControlSignal(modulates=("slope", apart))]
    controller = pnl.ControlMechanism(name="control", default_variable=[2.0], control_signals=signals)
    return pnl.Composition(name="C", pathways=[[first]], controller=controller)


NOT_TAKEN_UP = [draws_in_a_controller, controls_what_is_apart, enabled_and_controls_what_is_apart, executed_beside]
CASES = [unconnected, unused, unused_within, controlled_from_nowhere, refused, *NOT_TAKEN_UP]


def said(build, is_native, given=({}, {}, {})):
    """The warnings of some runs with these arguments as they are shown, and between them the results; and why PsyNeuLink ran it."""
    fresh()
    shown, reasons = [], []

    def show(message, category, file, number, *_):
        if category is FallbackWarning:
            reasons.append(str(message))
        else:
            shown.append((str(message), category, file, number))

    with accelerate() if is_native else contextlib.nullcontext(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        composition = build()
        warnings.simplefilter("always")
        warnings.showwarning = show
        for run, more in enumerate(given):
            inputs = {node: [[1.0 + run]] for node in composition.get_nodes_by_role(pnl.NodeRole.INPUT)}
            composition.run(inputs or None, **{name: made(composition) if callable(made) else made for name, made in more.items()})
            shown.append(np.asarray(composition.results, float).tolist())
        composition.run(inputs or None, context="another")
    return shown, reasons


@pytest.mark.sampled(2)
@pytest.mark.parametrize("build", CASES)
def test_a_start_warns_as_in_python_mode(build):
    expected, _ = said(build, False)
    found, reasons = said(build, True)
    assert len(expected) > 3
    assert found == expected
    assert len(reasons) == (build in (refused, *NOT_TAKEN_UP))
    if build in NOT_TAKEN_UP:
        assert "PsyNeuLink has not accepted it as the controller of" in reasons[0]
        assert ("'inner'" if build is draws_in_a_controller else "'X'") in reasons[0]
        assert ("random_variables=[...]" in reasons[0]) == (build is draws_in_a_controller)


SKIPPED = {"skip_analyze_graph": True}


def analyzed():
    """A Composition with a graph that has been analyzed since it was changed."""
    composition = unconnected()
    composition._analyze_graph()
    return composition


@pytest.mark.sampled(2)
@pytest.mark.parametrize("build", [analyzed, unused, refused])
@pytest.mark.parametrize("given", [[SKIPPED, SKIPPED], [SKIPPED, {}, SKIPPED], [{}, SKIPPED, {}]])
def test_a_start_that_skips_the_analysis_gives_none_of_its_warnings(build, given):
    expected, _ = said(build, False, given)
    found, reasons = said(build, True, given)
    assert found == expected
    assert bool(reasons) == (build is refused)


def analyzing(composition):
    """A callback that has the graph analyzed, as one that changes it does."""
    return lambda: composition._analyze_graph()


@pytest.mark.parametrize("skipped", [{}, SKIPPED])
def test_an_analysis_in_a_callback_warns_after_a_fallback(skipped):
    given = [{"call_before_trial": analyzing, **skipped}]
    expected, _ = said(refused, False, given)
    found, reasons = said(refused, True, given)
    assert found == expected
    assert reasons


def test_unused_projections_of_a_callback_are_said_after_a_fallback():
    """The first start finds none, and the Composition is PsyNeuLink's for another reason."""

    def build():
        composition = unused()
        composition.nodes[0].parameters.value.history_max_length = 3
        return composition

    given = [{"call_before_trial": lambda composition: lambda: composition._check_for_unused_projections(None)}]
    expected, _ = said(build, False, given)
    found, reasons = said(build, True, given)
    assert found == expected
    assert len(reasons) == 1


def test_a_graph_that_was_changed_and_is_not_analyzed_is_left_to_psyneulink():
    expected, _ = said(unconnected, False, [SKIPPED])
    found, reasons = said(unconnected, True, [SKIPPED])
    assert found == expected
    assert ["skip_analyze_graph before PsyNeuLink has determined" in one for one in reasons] == [True]


def left(is_native):
    """What runs of a Composition leave that PsyNeuLink runs itself because a Parameter is kept of all simulations."""
    fresh()
    composition = searched()
    composition.nodes[0].parameters.value.retain_old_simulation_data = True
    feature = composition.controller.state_input_ports[0]
    seen = []
    with accelerate() if is_native else contextlib.nullcontext(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for run in range(3):
            composition.run({composition.nodes[0]: [[1.0], [2.0]]})
            results = composition.simulation_results if run < 2 else composition.controller.state_feature_values.values()
            seen += [np.asarray(one, float).ravel().tolist() for one in results]
            seen.append(np.ravel(feature.function.parameters.previous_value.get(None)).tolist())
    return seen


def test_a_refused_composition_is_as_if_nobody_had_looked_at_it():
    assert left(True) == left(False)


def test_a_start_that_fails_fails_once():
    fresh()
    composition = unconnected()
    del composition.__dict__["_need_check_for_unused_projections"]
    for is_native in (False, True):
        with accelerate() if is_native else contextlib.nullcontext(), pytest.raises(AttributeError):
            composition.run({composition.nodes[0]: [[1.0]]})
    assert not {"_analyze_graph", "_check_nodes_initialization_status"} & set(vars(composition))


def test_warnings_are_noted_by_two_threads_at_once():
    """The first thread leaves its block while the second one is in its own, or waits for it."""
    original, warned = warnings.warn, ([], [])
    inside, waiting, first_has_left = threading.Event(), threading.Event(), threading.Event()

    def first():
        with noted(warned[0]):
            inside.set()
            waiting.wait(10)
            warnings.warn("first", stacklevel=1)
        first_has_left.set()

    def second():
        inside.wait(10)
        waiting.set()
        with noted(warned[1]):
            first_has_left.wait(10)
            warnings.warn("second", stacklevel=1)

    threads = [threading.Thread(target=one) for one in (first, second)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert warnings.warn is original
    assert [[one.text for one in each] for each in warned] == [["first"], ["second"]]


def test_warnings_of_other_threads_are_given_from_their_own_line():
    warned, shown = [], []

    def other():
        warnings.warn("other", stacklevel=1)

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = lambda message, category, file, number, *_: shown.append((str(message), file, number))
        with noted(warned):
            thread = threading.Thread(target=other)
            thread.start()
            thread.join()
    assert shown == [("other", __file__, other.__code__.co_firstlineno + 1)]
    assert warned == []
