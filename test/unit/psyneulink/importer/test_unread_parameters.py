"""
Whatever Parameter of a Composition is changed, cogir computes what PsyNeuLink does, or refuses.

Each Parameter of each component of some Compositions is given another value in execution contexts of its own: in one PsyNeuLink runs, in
the other cogir. Components of one class at one place count once.
"""

import numpy as np
import pytest
from support.psyneulink import cases_functions, cases_graph, cases_mechanisms, pnl
from support.psyneulink.cases import inputs_of
from support.psyneulink.compare import differences, held
from support.psyneulink.golden import fresh

import cogir
from cogir.errors import CogirError
from cogir.psyneulink import UnsupportedFeature, accelerate
from cogir.psyneulink.importer.survey import Survey, components_of
from cogir.psyneulink.importer.unread_parameters import check_read
from cogir.psyneulink.reader import Reader

pytestmark = pytest.mark.filterwarnings("ignore")

CASES = cases_mechanisms.CASES | cases_functions.CASES | cases_graph.CASES
COMPARED = ("result", "port", "mechanism", "function", "state", "generator")
STATES = frozenset(
    "value variable random_state execution_count num_executions num_executions_before_finished is_finished_flag results"
    " simulation_results input_specification integrator_function_value".split()
)
"""What runs leave, which is compared after them."""
STARTS = frozenset("initializer starting_value non_decision_time".split())
"""Where a reset puts a state: PsyNeuLink 0.21 does not heed it in the first trial of an execution context (a known difference)."""
TOGETHER = ("AccumulatorIntegrator.ParameterPort.previous_value",)
"""What PsyNeuLink only ever sets together with something else: here a matrix."""
QUICK = ("matrix", "output port with a lambda")
FULL = (
    "transfer integrating clip",
    "transfer until max",
    "recurrent",
    "lca threshold noise",
    "integrator adaptive",
    "ddm integrator",
    "ddm analytical",
    "objective distance",
    "two Projections combined with weights",
    "nested",
    "TransferWithCosts",
)


def another(value):
    """Another value of the same kind; None if there is none to be had."""
    if isinstance(value, bool | np.bool_):
        return not value
    try:
        array = np.asarray(value, float)
    except (TypeError, ValueError):
        return None
    return None if value is None or not array.size or not np.all(np.isfinite(array)) else array * 1.3 + 0.2


def places(composition):
    """The Parameters to change, each with the component that it belongs to."""
    seen = set()
    for component in list(components_of(composition)):
        owner = type(getattr(component, "owner", None)).__name__
        for parameter in component.__dict__.get("parameters", ()):
            key = (type(component).__name__, owner, parameter.name)
            if type(parameter).__name__ == "Parameter" and parameter.name not in STATES | STARTS and key not in seen:
                seen.add(key)
                yield ".".join(key), parameter


def outcome(composition, parameter, value, context, run):
    """What a run with another value leaves, or that it is refused, or fails."""
    before = dict(parameter.values)
    if parameter.stateful:
        composition._initialize_from_context(pnl.Context(execution_id=context), pnl.Context(execution_id=None), override=False)
    parameter.values[context if parameter.stateful else None] = value
    try:
        run()
    except CogirError:
        return None
    except Exception:
        return "fails"
    else:
        return held(composition, context)
    finally:
        if not parameter.stateful:
            parameter.values.clear()
            parameter.values.update(before)


def integration_resumed(mode):
    """The values of a Mechanism that integrates in a first and a third run, and not in the second."""
    fresh()
    node = pnl.TransferMechanism(name="A", input_shapes=2, integrator_mode=True, integration_rate=0.3, on_resume_integrator_mode=mode)
    composition = pnl.Composition(name="C", nodes=[node])
    rows = {node: [[1.0, 2.0], [0.5, -1.0]]}
    composition.run(rows)
    for integrates in (False, True):
        node.parameters.integrator_mode.set(integrates, context=composition)
        composition.run(rows)
    return np.array(composition.results), np.array(node.integrator_function.parameters.previous_value.get(composition))


@pytest.mark.parametrize("mode", [pnl.CURRENT_VALUE, pnl.LAST_INTEGRATED_VALUE, pnl.RESET])
def test_integration_is_resumed_as_it_is_told(mode):
    expected = integration_resumed(mode)
    with accelerate(strict=True):
        for one, other in zip(integration_resumed(mode), expected, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-12)


@pytest.mark.parametrize("name", [*QUICK, *(pytest.param(one, marks=pytest.mark.full) for one in FULL)])
def test_a_changed_parameter_is_heeded_or_refused(name):
    fresh()
    composition, case = CASES[name].build(), CASES[name]
    inputs = inputs_of(composition, case)
    composition.run(inputs=inputs, context="base")
    wrong = []
    for index, (place, parameter) in enumerate(places(composition)):
        value = another(parameter.values.get(None))
        if value is None or place in TOGETHER:
            continue
        one, other = f"PsyNeuLink {index}", f"cogir {index}"
        found = outcome(composition, parameter, value, other, lambda other=other: cogir.psyneulink.run(composition, inputs, context=other))
        if found is None:
            continue
        expected = outcome(composition, parameter, value, one, lambda one=one: composition.run(inputs=inputs, context=one))
        if isinstance(expected, dict):
            lines = [found] if isinstance(found, str) else list(differences(expected, found, COMPARED))
            wrong += [f"{place}: {line}" for line in lines[:1]]
    assert wrong == []


def mapping(**settings):
    """A Composition of two Mechanisms."""
    first, second = pnl.ProcessingMechanism(name="A", input_shapes=2), pnl.ProcessingMechanism(name="B", input_shapes=2, **settings)
    return pnl.Composition(name="C", pathways=[[first, np.eye(2), second]])


def test_the_function_of_a_parameter_port_is_refused():
    fresh()
    composition = mapping()
    composition.nodes["B"].parameter_ports["slope"].function.parameters.scale.set(3.0, composition)
    with pytest.raises(UnsupportedFeature, match="its ParameterPort 'slope' has a custom function, with another scale"):
        cogir.from_psyneulink(composition)


def test_a_matrix_given_as_a_flat_list_is_not_refused():
    fresh()
    first, second = pnl.ProcessingMechanism(name="A"), pnl.ProcessingMechanism(name="B")
    composition = pnl.Composition(name="C", pathways=[[first, [3.0], second]])
    cogir.from_psyneulink(composition)
    assert np.array_equal(cogir.psyneulink.run(composition, {first: [[2.0]]}), [[6.0]])


def test_an_integrator_that_is_reset_in_each_execution_is_refused():
    fresh()
    composition = pnl.Composition(name="C", nodes=[pnl.IntegratorMechanism(name="A")])
    composition.nodes["A"].parameters.reset.set([1], composition)
    with pytest.raises(UnsupportedFeature, match="its parameter reset is set"):
        cogir.from_psyneulink(composition)


def test_a_projection_from_the_interface_that_changes_values_is_refused():
    fresh()
    composition = mapping()
    composition._analyze_graph()
    composition.nodes["A"].path_afferents[0].function.parameters.normalize.set(True, composition)
    with pytest.raises(UnsupportedFeature, match="it changes the inputs or the outputs of the Composition"):
        cogir.from_psyneulink(composition)


def test_what_was_said_and_is_not_read_is_refused():
    fresh()
    composition = mapping(function=pnl.Logistic(gain=2.0))
    composition._analyze_graph()
    read = [(composition.nodes["B"].function.parameters.bias, None, False)]
    with pytest.raises(UnsupportedFeature, match=r"of 'B': its gain is set to array\(2\.\), which cogir does not read"):
        check_read(Survey(composition), Reader(composition.default_execution_id), read)


def test_a_function_that_converts_its_output_is_refused():
    fresh()
    composition = mapping(function=pnl.Linear(slope=2.0))
    composition.nodes["B"].function.parameters.enable_output_type_conversion.set(False)
    with pytest.raises(UnsupportedFeature, match="of 'B': its output_type or enable_output_type_conversion was changed"):
        cogir.from_psyneulink(composition)


def test_something_to_reset_that_is_not_there_is_refused():
    fresh()
    composition = pnl.Composition(name="C", nodes=[pnl.DDM(name="D", reset_stateful_function_when=pnl.AtTrialStart())])
    composition.nodes["D"].parameters.has_initializers.set(True)
    with pytest.raises(UnsupportedFeature, match="DDM 'D': it is reset, but its function has no state"):
        cogir.from_psyneulink(composition)


def test_a_parameter_without_contexts_that_changes_between_runs_is_seen():
    fresh()
    seen = pnl.ObjectiveMechanism(name="O", default_variable=[[0.0, 0.0], [0.0, 0.0]], function=pnl.Distance(metric=pnl.DIFFERENCE))
    composition = pnl.Composition(name="C", nodes=[seen])
    inputs = {seen: [[[1.0, 2.0], [3.0, 5.0]]]}
    cogir.psyneulink.run(composition, inputs)
    seen.function.parameters.normalize.set(True)
    cogir.psyneulink.run(composition, inputs)
    assert np.ravel(composition.results).tolist() == [5.0, 2.5]


@pytest.mark.parametrize("when", [None, "each trial"])
def test_where_a_state_begins_is_read_by_the_state(when):
    """And by a reset."""

    def results():
        fresh()
        function = pnl.FitzHughNagumoIntegrator(initial_v=-1, initial_w=0.25, t_0=0.5, time_step_size=0.05)
        node = pnl.IntegratorMechanism(name="A", function=function)
        if when is not None:
            node.reset_stateful_function_when = pnl.AtTrialStart()
        composition = pnl.Composition(name="C", nodes=[node])
        composition.run({node: [[0.5]]}, num_trials=4)
        return np.array(composition.results, float).reshape(4, 3)

    expected = results()
    with accelerate(strict=True):
        found = results()
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    assert len(np.unique(found[:, 0])) == (4 if when is None else 1)
