"""What a script changes between runs is seen, each time, in the way that PsyNeuLink lets it be changed."""

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.golden import fresh

from cogir.psyneulink import FallbackWarning, UnsupportedFeature, accelerate
from cogir.psyneulink.execution.session import sessions_of

pytestmark = pytest.mark.filterwarnings("ignore")

OUTPUT = pnl.NodeRole.OUTPUT
GAIN = [2.0]


def scaled(variable):
    """Reads a list outside of it."""
    return variable * GAIN[0]


def build():
    """Three Mechanisms: one with a slope, one with a state, one with a Python function."""
    a = pnl.TransferMechanism(name="A", input_shapes=2, function=pnl.Linear(slope=2.0))
    b = pnl.TransferMechanism(name="B", input_shapes=2, integrator_mode=True, integration_rate=0.5)
    c = pnl.ProcessingMechanism(name="U", input_shapes=2, function=scaled)
    return pnl.Composition(name="C", pathways=[[a, np.eye(2), b, c]])


def add_node(c):
    """One more Mechanism after the others."""
    d = pnl.ProcessingMechanism(name="D", input_shapes=2, function=pnl.Logistic)
    c.add_node(d)
    c.add_projection(pnl.MappingProjection(sender=c.nodes["U"], receiver=d))


CHANGES = {
    "set": lambda c: c.nodes["A"].function.parameters.slope.set(3.0, "C"),
    "assigned": lambda c: setattr(c.nodes["A"].function, "intercept", 1.5),
    "an array for a number": lambda c: c.nodes["A"].function.parameters.slope.set(np.array([1.0, 4.0]), "C"),
    "a reset": lambda c: c.nodes["B"].reset([[7.0, 8.0]], context="C"),
    "a matrix": lambda c: c.projections[0].parameters.matrix.set(np.array([[0.0, 1.0], [2.0, 0.5]]), "C"),
    "clipping": lambda c: c.nodes["A"].parameters.clip.set(np.array([-1.0, 1.0]), "C"),
    "a mode": lambda c: c.nodes["B"].parameters.integrator_mode.set(False, "C"),
    "a condition": lambda c: c.scheduler.add_condition(c.nodes["U"], pnl.AtPass(0)),
    "a termination": lambda c: setattr(c, "termination_processing", {pnl.TimeScale.TRIAL: pnl.AfterNCalls(c.nodes["U"], 2)}),
    "a role": lambda c: c.require_node_roles(c.nodes["B"], OUTPUT),
    "a role of another": lambda c: (c.require_node_roles(c.nodes["B"], OUTPUT), c.exclude_node_roles(c.nodes["U"], OUTPUT)),
    "a node": add_node,
    "what a function reads": lambda c: GAIN.__setitem__(0, 5.0),
}


def three_runs(change):
    """The results of a run, of one after the change, and of a third."""
    fresh()
    GAIN[0] = 2.0
    composition = build()
    composition.run(inputs={"A": [[1, 2], [3, -4]]})
    change(composition)
    for _ in range(2):
        composition.run(inputs={"A": [[1, 2]]})
    return [np.asarray(trial, float).ravel().tolist() for trial in composition.results]


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_is_seen(name):
    expected = three_runs(CHANGES[name])
    with accelerate(strict=True):
        found = three_runs(CHANGES[name])
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        assert one == pytest.approx(other, rel=1e-12, abs=1e-14)


def test_a_recurrent_matrix_that_is_set_does_not_count_as_in_psyneulink():
    def results():
        fresh()
        r = pnl.RecurrentTransferMechanism(name="R", input_shapes=2, auto=0.5, hetero=-0.3)
        c = pnl.Composition(name="C", pathways=[r])
        c.run({r: [1, 0]}, num_trials=2)
        r.recurrent_projection.parameters.matrix.set(np.ones((2, 2)) * 0.1, c)
        c.run({r: [1, 0]}, num_trials=2)
        return np.asarray(c.results)

    expected = results()
    with accelerate(strict=True):
        np.testing.assert_allclose(results(), expected, rtol=0.0, atol=1e-12)


MEMORIES = {
    "ContentAddressableMemory": lambda: pnl.ContentAddressableMemory(default_variable=[[0.0, 0.0]] * 2, max_entries=4, seed=1),
    "fields of different lengths": lambda: pnl.ContentAddressableMemory(default_variable=[[0.0, 0.0], [0.0]], max_entries=4, seed=1),
    "DictionaryMemory": lambda: pnl.DictionaryMemory(default_variable=[[0.0, 0.0]] * 2, max_entries=4, seed=1),
}


@pytest.mark.parametrize("name", MEMORIES)
def test_what_a_memory_has_stored_is_no_change_of_the_model(name):
    """A model is not imported again for each run, which would take as long as all that is in the memory is much."""
    fresh()
    function = MEMORIES[name]()
    node = pnl.EpisodicMemoryMechanism(name="M", default_variable=function.defaults.variable, function=function)
    composition = pnl.Composition(name="C", nodes=[node])
    trials = np.random.default_rng(3).normal(size=(6, 4))
    fields = [len(field) for field in function.defaults.variable]
    with accelerate(strict=True):
        composition.run({node: [np.split(trials[0], np.cumsum(fields))[: len(fields)]]})
        (session,) = sessions_of(composition)
        for trial in trials[1:]:
            composition.run({node: [np.split(trial, np.cumsum(fields))[: len(fields)]]})
            held = node.function.parameters.previous_value.get(composition)
        assert sessions_of(composition) == [session]
    assert len(held) == (2 if name == "DictionaryMemory" else 4)
    assert len(held[0]) == (4 if name == "DictionaryMemory" else 2)


def test_a_memory_that_is_made_smaller_or_gets_other_fields():
    """PsyNeuLink drops one entry at a time, and fails where fields have other lengths than those of the variable."""
    for change, said in (
        (
            lambda function, c: function.parameters.max_entries.set(1, c),
            "it holds 2 entries, and max_entries is 1; set max_entries to at least 2",
        ),
        (lambda function, c: function.reset([[[1.0, 2.0], [3.0, 4.0]]], context=c), "the fields of its entries have other lengths"),
    ):
        fresh()
        function = MEMORIES["fields of different lengths"]()
        node = pnl.EpisodicMemoryMechanism(name="M", default_variable=function.defaults.variable, function=function)
        composition = pnl.Composition(name="C", nodes=[node])
        with accelerate(strict=True):
            composition.run({node: [[[1.0, 0.5], [0.2]], [[0.0, 0.5], [0.7]]]})
            change(node.function, composition)
            with pytest.raises(UnsupportedFeature, match=said):
                composition.run({node: [[[1.0, 0.25], [0.2]]]})


def test_entries_of_a_memory_that_are_whole_numbers():
    """Until floats are stored beside them, PsyNeuLink gives them back as such, and cuts off what overwrites them: 2 for 2.75."""

    def found(call):
        fresh()
        function = pnl.DictionaryMemory(initializer=[[[0, 0], [1, 2]]], duplicate_keys="overwrite")
        node = pnl.EpisodicMemoryMechanism(name="M", content_size=2, assoc_size=2, function=function)
        composition = pnl.Composition(name="C", nodes=[node])
        with call:
            composition.run({node: [[[0.0, 0.0], [1.5, 2.75]], [[0.0, 0.0], [3.0, 4.0]]]})
        value = node.parameters.value.get("C")
        return value.dtype, value.tolist(), np.asarray(composition.results).tolist()

    with pytest.warns(FallbackWarning, match="its entries are integers, .* write them as floats"):
        accelerated = found(accelerate())
    assert accelerated == found(accelerate("Python"))
    assert accelerated[1] == [[0, 0], [1, 2]]


def total(variable, factors=1.0):
    """Depends on how many factors there are."""
    return variable * np.sum(factors)


def own_input_port():
    port = pnl.InputPort(name="I", function=pnl.LinearCombination(scale=2.0))
    return pnl.TransferMechanism(name="A", input_ports=[port])


def own_output_port():
    return pnl.TransferMechanism(name="A", output_ports=[pnl.OutputPort(name="O", function=pnl.Linear(slope=2.0))])


SHAPES = {
    "slope": (lambda: pnl.ProcessingMechanism(name="A"), lambda a: a.function.parameters.slope, [[1, 2], 2.0, [3.0]]),
    "intercept": (lambda: pnl.ProcessingMechanism(name="A"), lambda a: a.function.parameters.intercept, [[1.0, 2.0], 2.0]),
    "gain": (lambda: pnl.TransferMechanism(name="A", function=pnl.Logistic), lambda a: a.function.parameters.gain, [[1, 2], 2.0]),
    "noise": (lambda: pnl.TransferMechanism(name="A"), lambda a: a.parameters.noise, [[1, 2], 2.0, 0.0]),
    "rate": (lambda: pnl.TransferMechanism(name="A", integrator_mode=True), lambda a: a.parameters.integration_rate, [[0.1, 0.2], 0.5]),
    "of an InputPort": (own_input_port, lambda a: a.input_port.function.parameters.scale, [[1, 2], 2.0]),
    "of an OutputPort": (own_output_port, lambda a: a.output_port.function.parameters.slope, [[1, 2], 2.0]),
}
"""A Mechanism of one element, a Parameter, and what that is set to, one after the other: too many elements at first."""


def set_one_by_one(build, parameter, numbers, *, runs_first):
    """The results, or PsyNeuLink's errors, of runs before and after each number that a Parameter is set to; and the Composition."""
    fresh()
    node = build()
    composition = pnl.Composition(name="C", nodes=[node])
    found = []
    for number in [None] * runs_first + numbers:
        if number is not None:
            parameter(node).set(number, "C")
        try:
            found.append(np.asarray(composition.run({node: [np.arange(1.0, 1 + len(node.input_port.value))]})).tolist())
        except ValueError as error:
            found.append(str(error))
    return [*found, np.asarray(composition.results).tolist()], composition


@pytest.mark.sampled(2)
@pytest.mark.parametrize("runs_first", [False, True])
@pytest.mark.parametrize("name", SHAPES)
def test_a_parameter_of_more_elements_than_the_variable(name, runs_first):
    expected, _ = set_one_by_one(*SHAPES[name], runs_first=runs_first)
    with pytest.warns(FallbackWarning, match="gives 2 elements, not 1|would have 2 elements, but was made for 1"), accelerate():
        found, composition = set_one_by_one(*SHAPES[name], runs_first=runs_first)
    assert str(found) == str(expected)
    if name in ("noise", "of an OutputPort"):  # PsyNeuLink has kept nothing of two elements
        assert sessions_of(composition)


def test_after_a_wrong_shape_runs_are_native_again():
    build, parameter, _ = SHAPES["slope"]
    numbers = [[1, 2], 2.0, 3.0, 4.0]
    expected, _ = set_one_by_one(build, parameter, numbers, runs_first=True)
    with accelerate():
        found, composition = set_one_by_one(build, parameter, numbers, runs_first=True)
    assert found == expected
    assert sessions_of(composition)


OTHER_SHAPES = {
    "of an argument": (
        lambda: pnl.ProcessingMechanism(name="A", function=pnl.UserDefinedFunction(total, factors=1.0)),
        lambda a: a.function.parameters.factors,
        [[1, 2], 1.0, [3.0, 4.0, 5.0], 2.0],
    ),
    "of as many elements": (
        lambda: pnl.TransferMechanism(name="A", input_shapes=2),
        lambda a: a.function.parameters.slope,
        [[1, 2], [[3, 4]], 2.0, [5.0, 6.0]],
    ),
}


@pytest.mark.parametrize("name", OTHER_SHAPES)
def test_a_value_of_another_shape_makes_a_new_model(name):
    expected, _ = set_one_by_one(*OTHER_SHAPES[name], runs_first=True)
    with accelerate(strict=True):
        found, _ = set_one_by_one(*OTHER_SHAPES[name], runs_first=True)
    assert found == expected


def test_a_matrix_with_its_axes_exchanged():
    left = []
    for block in (accelerate("Python"), accelerate()):
        fresh()
        a, b = pnl.TransferMechanism(name="A"), pnl.TransferMechanism(name="B", input_shapes=2)
        composition = pnl.Composition(name="C", pathways=[a, [[1.0, 2.0]], b])
        with block:
            composition.run({a: [[1.0]]})
            for matrix in ([[1.0], [2.0]], [[3.0, 4.0]]):
                b.path_afferents[0].parameters.matrix.set(np.array(matrix), "C")
                try:
                    composition.run({a: [[1.0]]})
                except ValueError as error:
                    left.append(str(error))
        left.append(np.asarray(composition.results).tolist())
    assert left[:2] == left[2:] == ["shape-mismatch for sum", [[[1.0, 2.0]], [[3.0, 4.0]]]]
