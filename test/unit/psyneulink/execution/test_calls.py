"""
`Composition.run` and `execute` in every form that scripts call them: native, they return and leave what PsyNeuLink does.
"""

import warnings

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.compare import CATEGORIES, differences, held
from support.psyneulink.golden import fresh

import cogir
from cogir.psyneulink import FallbackWarning, UnsupportedFeature, accelerate

pytestmark = pytest.mark.filterwarnings("ignore")


def build():
    """A Mechanism that integrates what another one gives it."""
    a = pnl.TransferMechanism(name="A", input_shapes=2, function=pnl.Linear(slope=2.0))
    b = pnl.TransferMechanism(name="B", input_shapes=2, integrator_mode=True, integration_rate=0.5)
    return pnl.Composition(name="C", pathways=[[a, np.eye(2), b]])


def rows(composition):
    """A generator of inputs."""
    return ({composition.nodes["A"]: [[trial, 1.0]]} for trial in range(3))


def in_turn(composition, run):
    """Which callbacks a run calls, before trials (-1) and after them."""
    called = []
    run(call_before_trial=lambda: called.append(-1), call_after_trial=lambda: called.append(len(composition.results)))
    return called


NATIVE = {
    "by name": lambda c: c.run(inputs={"A": [[1, 2], [3, 4]]}),
    "by node, cycling": lambda c: c.run(inputs={c.nodes["A"]: np.array([[1, 2], [3, 4]])}, num_trials=5),
    "a list": lambda c: c.run(inputs=[[1, 2], [3, 4]]),
    "no inputs": lambda c: c.run(num_trials=2),
    "a function": lambda c: c.run(inputs=lambda trial: {c.nodes["A"]: [[trial, 1.0]]}, num_trials=3),
    "a generator": lambda c: c.run(inputs=rows(c), num_trials=3),
    "execute": lambda c: c.execute(inputs={c.nodes["A"]: [[1, 2]]}),
    "termination": lambda c: c.run(inputs={"A": [[1, 2]]}, termination_processing={pnl.TimeScale.TRIAL: pnl.AfterNCalls(c.nodes["B"], 3)}),
    "resets": lambda c: c.run(inputs={"A": [[1, 2], [3, 4]]}, reset_stateful_functions_when=pnl.AtTrialStart()),
    "reset to": lambda c: c.run(inputs={"A": [[1, 2], [3, 4]]}, reset_stateful_functions_to={c.nodes["B"]: [5.0, 6.0]}),
    "a callback": lambda c: c.run(inputs={"A": [[1, 2], [3, 4]]}, call_after_trial=lambda: c.nodes["A"].function.slope.base),
    "callbacks in turn": lambda c: in_turn(c, lambda **callbacks: c.run(inputs={"A": [[1, 2], [3, 4]]}, **callbacks)),
    "callbacks and a generator": lambda c: in_turn(c, lambda **callbacks: c.run(inputs=rows(c), num_trials=2, **callbacks)),
    "callbacks and a generator that ends": lambda c: in_turn(c, lambda **callbacks: c.run(inputs=rows(c), **callbacks)),
    "keywords that have no meaning": lambda c: c.run(inputs={"A": [[1, 2], [3, 4]]}, trial_num=2, colour="red"),
    "keywords of execute that have no meaning": lambda c: c.execute(inputs={c.nodes["A"]: [[1, 2]]}, optimization_num=2, colour="red"),
    "less than no trials": lambda c: (c.run(inputs={"A": [[1, 2]]}), c.run(inputs={"A": [[1, 2]]}, num_trials=-1))[0],
    "as many trials as there is truth": lambda c: c.run(inputs={"A": [[1, 2]]}, num_trials=True),
    "in its own context": lambda c: c.run(inputs={"A": [[1, 2]]}, context=c),
    "a callback that clears": lambda c: c.run(inputs={"A": [[1, 2], [3, 4]]}, call_before_trial=lambda: setattr(c, "results", [])),
    "a callback that changes": lambda c: c.run(
        inputs={"A": [[1, 2], [3, 4], [5, 6]]},
        call_before_trial=lambda context: c.nodes["A"].function.parameters.slope.set(len(c.results) + 1.0, context),
    ),
}
FALLING_BACK = {
    "a callback in passes": lambda c: c.run(inputs={"A": [[1, 2]]}, call_after_pass=lambda: None),
    "an argument that run itself gives to execute": lambda c: c.run(inputs={"A": [[1, 2]]}, optimization_num=2),
    "clamped": lambda c: c.run(inputs={"A": [[1, 2]]}, clamp_input="hard_clamp"),
}
WRONG = {
    "another shape": lambda c: c.run(inputs={"A": [[1, 2, 3]]}),
    "no such node": lambda c: c.run(inputs={"Z": [[1, 2]]}),
    "no inputs at all": lambda c: c.run(inputs="nonsense"),
    "execute by name": lambda c: c.execute(inputs={"A": [[1, 2]]}),
    "execute a list": lambda c: c.execute(inputs=[[1, 2]]),
}


def two_calls(call):
    """What two calls return or raise, and all that they leave."""
    fresh()
    composition = build()
    returned = []
    for _ in range(2):
        try:
            returned.append(np.asarray(call(composition)).tolist())
        except Exception as error:
            returned.append((type(error), str(error)))
    return returned, held(composition, "C") if "C" in composition.parameters.results.values and len(composition.results) else {}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", [*NATIVE, *FALLING_BACK, *WRONG])
def test_a_call_does_what_psyneulink_does(name):
    call = {**NATIVE, **FALLING_BACK, **WRONG}[name]
    expected, state = two_calls(call)
    with accelerate(), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found, after = two_calls(call)
    assert found == expected
    assert list(differences(state, after, CATEGORIES)) == []
    assert len([one for one in caught if issubclass(one.category, FallbackWarning)]) == (name in FALLING_BACK)


def test_complex_numbers_are_computed_by_psyneulink():
    """NumPy would leave out the imaginary part."""

    def results():
        fresh()
        composition = build()
        composition.run(inputs={"A": [[1.0, 2.0j]]})
        composition.run(inputs={"A": [[1.0, 2.0]]}, context="of real numbers")
        composition.nodes["A"].function.parameters.slope.set(3.0j, "of real numbers")
        composition.run(inputs={"A": [[1.0, 2.0]]}, context="of real numbers")
        return [np.ravel(composition.parameters.results.get(key)).tolist() for key in ("C", "of real numbers")]

    expected = results()
    with accelerate(), pytest.warns(FallbackWarning) as caught:
        assert results() == expected
    said = [str(one.message) for one in caught]
    assert any("is not numeric; give numbers" in one for one in said)
    assert all("complex" in one or "numeric" in one or "shape of one of its values has changed" in one for one in said), said


def test_none_among_inputs_is_psyneulinks_error():
    """NumPy takes None for NaN."""

    def message():
        fresh()
        composition = build()
        with pytest.raises(Exception, match="None") as error:
            composition.run(inputs={"A": [[1.0, None]]})
        return type(error.value), str(error.value)

    expected = message()
    with accelerate(), pytest.warns(FallbackWarning, match="is not numeric; give numbers"):
        assert message() == expected


def test_a_matrix_of_what_is_no_number_is_named():
    """PsyNeuLink lets one set it, and fails when it runs."""
    fresh()
    recurrent = pnl.RecurrentTransferMechanism(name="R", input_shapes=2, auto=0.5, hetero=-0.1)
    composition = pnl.Composition(name="C", nodes=[recurrent])
    composition.run({recurrent: [[1.0, 1.0]]})
    recurrent.auto = 0.1
    with accelerate(), pytest.raises(TypeError, match="ParameterValue"), pytest.warns(FallbackWarning, match="is not an array of numbers"):
        composition.run({recurrent: [[1.0, 1.0]]})


def test_a_mode_given_in_a_call_is_that_of_the_call():
    fresh()
    composition = build()
    with accelerate(strict=True):
        composition.run(inputs={"A": [[1, 2]]}, execution_mode=pnl.ExecutionMode.Python, call_after_pass=lambda: None)
        native = composition.run(inputs={"A": [[1, 2]]}, execution_mode=pnl.ExecutionMode.LLVMRun)
    assert native == pytest.approx(np.array([[1.5, 3.0]]))


def test_without_a_block_it_lasts_until_it_is_stopped():
    before = pnl.Composition.run
    fast = accelerate()
    assert pnl.Composition.run is not before
    fast.stop()
    assert pnl.Composition.run is before


def not_looked_at():
    """A Composition whose inputs and outputs PsyNeuLink has not looked for: nodes were added, and nothing has run."""
    fresh()
    composition = pnl.Composition(name="C")
    composition.add_node(pnl.TransferMechanism(name="A", function=pnl.Linear(slope=2.0)))
    return composition


def test_execute_before_the_graph_is_known():
    """PsyNeuLink returns nothing then."""

    def executed():
        composition = not_looked_at()
        return composition.execute(inputs={composition.nodes["A"]: [[1.0]]})

    expected = executed()
    with accelerate(), pytest.warns(FallbackWarning, match="call run"):
        assert np.array_equal(executed(), expected)
    with accelerate(strict=True):
        with pytest.raises(UnsupportedFeature, match="before PsyNeuLink has determined its inputs and outputs"):
            executed()
        composition = not_looked_at()
        composition.run(inputs={"A": [[3.0]]})
        assert composition.execute(inputs={composition.nodes["A"]: [[1.0]]}).tolist() == [[2.0]]


@pytest.mark.parametrize("call", [cogir.psyneulink.run, cogir.from_psyneulink])
def test_what_is_no_composition(call):
    fresh()
    with pytest.raises(cogir.errors.ModelError, match=r"'A' is a TransferMechanism, not a Composition; put Mechanisms into one"):
        call(pnl.TransferMechanism(name="A"))


@pytest.mark.parametrize("sizes", [(2, 2), (2, 3)], ids=["alike", "differing"])
def test_a_result_that_the_script_writes_into(sizes):
    """Of ports of one length PsyNeuLink returns copies; of others, the arrays that its results hold."""

    def written():
        fresh()
        nodes = [pnl.ProcessingMechanism(name=f"A{place}", input_shapes=size) for place, size in enumerate(sizes)]
        composition = pnl.Composition(name="C", nodes=nodes)
        inputs = {node: [np.arange(1.0, size + 1), np.ones(size)] for node, size in zip(nodes, sizes, strict=True)}
        returned = composition.run(inputs=inputs)
        returned[0][:] = 99.0
        composition.run(inputs=inputs)
        returned[1][0] = -99.0
        return [[port.tolist() for port in trial] for trial in composition.results]

    expected = written()
    with accelerate(strict=True):
        assert written() == expected
    assert (99.0 in expected[1][0]) == (sizes == (2, 3))


def steep(values):
    """Two elements, of which exponentials may be infinite."""
    fresh()
    node = pnl.ProcessingMechanism(name="A", input_shapes=2, function=pnl.Exponential)
    composition = pnl.Composition(name="C", nodes=[node])
    composition.run(inputs={node: [[0.0, 1.0]]})
    composition.run(inputs={node: values})
    return composition.results


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ([[np.nan, 1.0]], "input of 'A': some of its numbers are infinite or NaN"),
        ([[1.0, 2.0], [1.0, -np.inf]], "input of 'A': some of its numbers are infinite or NaN"),
        ([[1.0, 2.0], [1000.0, 1.0]], "output '.*: some of its numbers are infinite or NaN"),
        ([[np.nan, np.nan]], None),
    ],
    ids=["NaN", "infinity", "overflow", "all NaN"],
)
def test_what_identity_matrices_spread(values, said):
    """PsyNeuLink multiplies by identity matrices at the inputs and outputs of a Composition: what is not finite makes NaN of the rest."""
    expected = steep(values)
    assert np.isnan(expected[-1]).any()
    if said is None:
        with accelerate(strict=True):
            assert np.array_equal(steep(values), expected, equal_nan=True)
        return
    with accelerate(), pytest.warns(FallbackWarning, match=said):
        assert np.array_equal(steep(values), expected, equal_nan=True)
    with accelerate(strict=True), pytest.raises(UnsupportedFeature, match=said):
        steep(values)


MISTAKES = {
    "no nodes": (lambda: pnl.Composition(name="C").run(), "it has no nodes; add some"),
    "terminations that are no dict": (
        lambda: build().run(inputs={"A": [[1, 2]]}, termination_processing=pnl.AfterPass(2)),
        "a termination_processing that is not a dict; give a dict",
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_end_as_in_psyneulink(name):
    call, said = MISTAKES[name]

    def ended():
        fresh()
        try:
            return repr(call())
        except Exception as error:
            return repr(error)

    expected = ended()
    with accelerate(), pytest.warns(FallbackWarning, match=said):
        assert ended() == expected
    fresh()
    with accelerate(strict=True), pytest.raises(UnsupportedFeature, match=said):
        call()


@pytest.mark.parametrize("mode", ["before", "after"])
@pytest.mark.parametrize("enabled", [True, False])
def test_a_controller_simulates_trials_that_end_as_the_composition_says(mode, enabled):
    """The end that a call gives its trials is not that of the simulations."""

    def found():
        fresh()
        first = pnl.TransferMechanism(name="A", integrator_mode=True, integration_rate=0.5)
        last = pnl.ProcessingMechanism(name="B", function=pnl.Linear(intercept=0.1))
        composition = pnl.Composition(name="C", pathways=[[first, last]], controller_mode=mode)
        controller = pnl.OptimizationControlMechanism(
            agent_rep=composition,
            state_features=[first.input_port],
            objective_mechanism=pnl.ObjectiveMechanism(monitor=[last]),
            function=pnl.GridSearch(save_values=True),
            control_signals=[pnl.ControlSignal(modulates=("slope", last), allocation_samples=[0.5, 2.0])],
        )
        composition.add_controller(controller)
        composition.enable_controller = enabled
        composition.run({first: [[1.0], [2.0]]}, termination_processing={pnl.TimeScale.TRIAL: pnl.AfterNPasses(3)})
        return held(composition, "C")

    expected = found()
    with accelerate(short_runs="native"), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        after = found()
    assert not list(differences(expected, after, [kind for kind in CATEGORIES if kind != "count"]))
    assert sum("by the Composition's own" in str(one.message) for one in caught) == enabled


def test_no_condition_of_resets_is_psyneulinks_error():
    fresh()
    composition = pnl.Composition(name="C", nodes=[pnl.ProcessingMechanism(name="A")])
    with accelerate(), pytest.raises(pnl.CompositionError, match="None is not a valid specification"):
        composition.run({"A": [[1.0]]}, reset_stateful_functions_when=None)
