"""
In which execution contexts a Parameter has a value of its own: in those in which PsyNeuLink gives it one, and in no others.
"""

import contextlib

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.golden import fresh

from cogir.psyneulink import accelerate
from cogir.psyneulink.execution import session
from cogir.psyneulink.importer.survey import components_of
from cogir.psyneulink.pnl import give_context
from cogir.psyneulink.state import logged_values

pytestmark = pytest.mark.filterwarnings("ignore")


def competitors(noise):
    """An LCAMechanism."""
    return pnl.LCAMechanism(name="A", input_shapes=2, threshold=None, noise=noise)


def transfer(noise):
    """A TransferMechanism that does not integrate."""
    return pnl.TransferMechanism(name="A", input_shapes=2, noise=noise)


def after_noise(make, start, settings, block):
    """The noise by execution context, and results, where it is set between runs as an attribute is."""
    fresh()
    node = make(start())
    composition = pnl.Composition(name="C", pathways=[node])
    found = []
    for noise in settings:
        with block():
            composition.run({node: [[1.0, 0.5]]})
        node.noise = noise
        for _ in range(2):
            with block():
                composition.run({node: [[1.0, 0.5]]})
            parameters = (node.parameters.noise, node.integrator_function.parameters.noise)
            found.append([{key: np.asarray(value).tolist() for key, value in one.final_source.values.items()} for one in parameters])
    return found, composition.results


@pytest.mark.parametrize("make", [competitors, transfer])
def test_noise_that_was_drawn_and_becomes_a_number(make):
    def drawn():
        return pnl.NormalDist(standard_deviation=0.1)

    expected, results = after_noise(make, drawn, [0.0, 0.2], contextlib.nullcontext)
    found, native = after_noise(make, drawn, [0.0, 0.2], lambda: accelerate(strict=True))
    assert found == expected
    np.testing.assert_allclose(native, results, rtol=1e-12)
    assert any(one.keys() == {None} for one in expected[0])


BAD = [[1.0, 2.0, 3.0]]
GOOD = [[1.0, 2.0]]


def after_failure(inputs, method, block):
    """What is held in which context after each call, some of which fail as their inputs do not fit."""
    fresh()
    a = pnl.TransferMechanism(name="A", input_shapes=2, integrator_mode=True)
    b = pnl.ProcessingMechanism(name="B", input_shapes=2, function=pnl.Linear(slope=2.0))
    composition = pnl.Composition(name="C", pathways=[a, b])
    found = []
    for context, given in inputs:
        try:
            with block():
                getattr(composition, method)({a: given} if isinstance(given, list) else given, context=context)
        except Exception as error:
            found.append((type(error).__name__, str(error)))
        for component in (composition, a, b, a.integrator_function, b.function, *b.output_ports):
            for parameter in component.parameters:
                values = parameter.final_source.values or {}
                if parameter.name in ("value", "slope", "previous_value", "num_executions", "results", "random_state"):
                    found.append((component.name, parameter.name, {key: str(value) for key, value in values.items()}))
    return found


CALLS = {
    "at first": [("x", BAD), ("x", GOOD)],
    "in another context": [("x", GOOD), ("y", BAD), ("y", GOOD)],
    "in the same context": [("x", GOOD), ("x", BAD), ("x", GOOD)],
    "not understood": [("x", GOOD), ("y", "abc"), ("y", GOOD), ("z", None)],
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("method", ["run", "execute"])
@pytest.mark.parametrize("case", CALLS)
def test_inputs_that_do_not_fit(case, method):
    if (case, method) in (("at first", "execute"), ("not understood", "execute")):
        pytest.skip("execute() before a run, or of what no node is named for, is left to PsyNeuLink")
    expected = after_failure(CALLS[case], method, contextlib.nullcontext)
    assert after_failure(CALLS[case], method, lambda: accelerate(strict=True)) == expected


def test_a_run_without_trials_leaves_the_results_as_they_are():
    def kinds(block):
        fresh()
        a = pnl.ProcessingMechanism(name="A", input_shapes=2)
        composition = pnl.Composition(name="C", pathways=[a])
        found = []
        for trials in (-1, 0, 1, 0):
            with block():
                composition.run({a: GOOD}, num_trials=trials)
            found.append((type(composition.results), str(composition.results), type(composition.parameters.results.values["C"])))
        return found

    assert kinds(lambda: accelerate(strict=True)) == kinds(contextlib.nullcontext)


def settling(name="C"):
    """A Mechanism that takes one step in each execution, as long as it has no threshold; and where that is set."""
    node = pnl.TransferMechanism(name="A", integrator_mode=True)
    return pnl.Composition(name=name, nodes=[node]), node.parameters.termination_threshold, 0.1


def searching():
    """A controller whose simulations have one trial, as long as nobody has said how many."""
    node = pnl.TransferMechanism(name="A", integrator_mode=True)
    composition = pnl.Composition(name="C", pathways=[node])
    signal = pnl.ControlSignal(modulates=("slope", node), allocation_samples=[1.0, 2.0])
    composition.add_controller(
        pnl.OptimizationControlMechanism(
            agent_rep=composition,
            state_features=[node.input_port],
            objective_mechanism=pnl.ObjectiveMechanism(name="O", monitor=[node]),
            function=pnl.GridSearch(save_values=True),
            control_signals=[signal],
        )
    )
    return composition, composition.controller.parameters.num_trials_per_estimate, 2


def nested():
    """The same Mechanism in a nested Composition."""
    inner, threshold, value = settling("I")
    return pnl.Composition(name="C", nodes=[inner]), threshold, value


def set_in_none(composition, parameter, value):
    """Gives it a value where contexts start from."""
    parameter.set(value)


def set_in_a_callback(composition, parameter, value):
    """The same, in the midst of a run, which goes on without it."""
    trials = iter((True, False))
    composition.run(inputs_of(composition), call_after_trial=lambda: next(trials) and parameter.set(value))


def taken_away(composition, parameter, value):
    """Gives it a value in both contexts, and takes it away again in that of the runs."""
    for context in (None, "C"):
        parameter.set(value, context)
    parameter.set(None, "C", override=True)


def passed_over(composition, parameter, value):
    """A run that asks not to give values comes first."""
    parameter.set(value)
    composition.run(inputs_of(composition), skip_initialization=True)


def inputs_of(composition):
    """Two trials."""
    return {composition.nodes[0]: [[1.0], [2.0]]}


def after_setting(build, change, method, block):
    """The results, values by execution context and counts after each of some calls, before and after a change."""
    fresh()
    composition, parameter, value = build()
    mechanism = next(iter(composition._get_all_nodes()))
    found = []
    for call in range(4):
        if call == 2:
            with block():
                change(composition, parameter, value)
        with block():
            if method == "run" or call == 0:  # which PsyNeuLink needs first
                composition.run(inputs_of(composition))
            else:
                composition.execute({node: [given[0]] for node, given in inputs_of(composition).items()})
        found.append({str(key): held if held is None else float(held) for key, held in parameter.values.items()})
        found.append((int(mechanism.execution_count), np.round(composition.output_CIM.parameters.value.get("C"), 12).tolist()))
        if composition.controller is not None:
            found.append(np.round(composition.controller.function.parameters.saved_values.get("C"), 12).tolist())
    return found


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("build", "change", "method"),
    [
        (settling, set_in_none, "run"),
        (settling, set_in_none, "execute"),
        (settling, set_in_a_callback, "run"),
        (settling, taken_away, "run"),
        (settling, passed_over, "run"),
        (nested, set_in_none, "run"),
        (searching, set_in_none, "run"),
    ],
)
def test_a_value_that_a_context_lacks_is_given_as_a_call_begins(build, change, method):
    """From the context None, in which it was set after the first run."""
    expected = after_setting(build, change, method, contextlib.nullcontext)
    assert after_setting(build, change, method, lambda: accelerate(strict=True)) == expected


def drawing():
    """A Composition with a state, a generator and a nested Composition."""
    a = pnl.TransferMechanism(name="A", input_shapes=2, integrator_mode=True, integration_rate=0.3, noise=pnl.NormalDist())
    inner = pnl.Composition(name="I", nodes=[pnl.LCAMechanism(name="B", input_shapes=2)])
    return pnl.Composition(name="C", pathways=[[a, inner]]), a


def in_contexts(block, prepare):
    """
    The results of runs in several contexts, and whether the last one has all values that PsyNeuLink would give it; `prepare`: what is done
    before its run.
    """
    fresh()
    composition, a = drawing()
    for context in ("x", "y", "x"):
        with block():
            composition.run({a: [[1.0, 0.5], [0.2, 0.1]]}, context=context)
    prepare(a)
    with block():
        composition.run({a: [[1.0, 0.5], [0.2, 0.1]]}, context="z")
    results = [composition.parameters.results.get(context) for context in "xyz"]
    before = held_by(composition)
    give_context(composition, "z")
    return [np.round(one, 10).tolist() for one in results], held_by(composition) == before


def held_by(composition):
    """The contexts in which each Parameter has a value."""
    parameters = (parameter for component in components_of(composition) for parameter in getattr(component, "parameters", ()))
    values = [getattr(parameter, "values", None) for parameter in parameters]
    return [set(one) for one in values if isinstance(one, dict)]


CHANGES = {
    "nothing": lambda a: None,
    "a number in the context": lambda a: a.integrator_function.parameters.rate.set(0.9, "z"),
    "what the model was made for": lambda a: a.parameters.integrator_mode.set(False, "z"),
    "where contexts start from": lambda a: a.integrator_function.parameters.previous_value.set([[5.0, 6.0]], None),
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("change", CHANGES)
def test_another_context_starts_as_in_psyneulink(change):
    expected = in_contexts(contextlib.nullcontext, CHANGES[change])
    assert expected[1]
    assert in_contexts(lambda: accelerate(strict=True), CHANGES[change]) == expected


def test_another_context_repeats_nothing_but_its_state(monkeypatch):
    """It analyzes no graph, walks through no components and makes no second compiled form."""
    composition, a = drawing()
    with accelerate(strict=True):
        for context in ("x", "y"):
            composition.run({a: [[1.0, 0.5]]}, context=context)
        done = []

        def noted(name, original):
            return lambda *given, **named: (done.append(name), original(*given, **named))[1]

        for owner, name in (
            (pnl.Composition, "_analyze_graph"),
            (pnl.core.components.component.Component, "_initialize_from_context"),
            (pnl.core.globals.parameters.Parameter, "_initialize_from_context"),
            (session.Session, "__init__"),
            (logged_values, "logged_in"),
        ):
            monkeypatch.setattr(owner, name, noted(name, getattr(owner, name)))
        composition.run({a: [[1.0, 0.5]]}, context="z")
    assert done == []


def left_to_psyneulink(block):
    """The counts of executions after runs of which the last two fall back, as compiling shows, in a context of their own."""
    fresh()
    a = pnl.ProcessingMechanism(name="A")
    composition = pnl.Composition(name="C", nodes=[a])
    found = []
    for context in ("x", "x", "y", "y"):
        if context == "y":
            a.function.parameters.value.log_condition = pnl.LogCondition.EXECUTION
        with block():
            composition.run({a: [[1.0], [2.0]]}, context=context)
        found.append({key: str(time) for key, time in a.parameters.num_executions.values.items()})
    return found


def test_psyneulink_goes_on_from_the_counts_of_the_context_before_where_a_run_falls_back():
    assert left_to_psyneulink(accelerate) == left_to_psyneulink(contextlib.nullcontext)
