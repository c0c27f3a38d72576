"""
What cogir does not know is refused, never approximated: strictly an error that names the component, else one warning and the right answer.
"""

import copy
import types
import warnings

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.golden import fresh

from cogir.psyneulink import FallbackWarning, UnsupportedFeature, accelerate
from cogir.psyneulink.execution.session import sessions_of
from cogir.psyneulink.importer.composition import CompositionImporter

pytestmark = pytest.mark.filterwarnings("ignore")

INPUTS = [[0.25], [0.5], [-1.0]]


def chain(first=None, second=None, **arguments):
    """Two Mechanisms, A and B."""
    a = first or pnl.TransferMechanism(name="A", function=pnl.Linear(slope=2.0))
    b = second or pnl.ProcessingMechanism(name="B", function=pnl.Logistic)
    return pnl.Composition(name="C", pathways=[[a, b]], **arguments)


class Doubled(pnl.ProcessingMechanism):
    """A Mechanism that computes something of its own."""

    def _execute(self, variable=None, context=None, runtime_params=None):
        return 2.0 * super()._execute(variable=variable, context=context, runtime_params=runtime_params)


class Steeper(pnl.Linear):
    """A Function that computes something of its own."""

    def _function(self, variable=None, context=None, params=None):
        return 3.0 * super()._function(variable=variable, context=context, params=params)


class Louder(pnl.OutputPort):
    """A Port with a value of its own."""

    def _execute(self, variable=None, context=None, runtime_params=None):
        return 5.0 * super()._execute(variable=variable, context=context, runtime_params=runtime_params)


class Weaker(pnl.MappingProjection):
    """A Projection that passes on half."""

    def _execute(self, variable=None, context=None, runtime_params=None):
        return 0.5 * super()._execute(variable=variable, context=context, runtime_params=runtime_params)


class Ensemble(pnl.Composition):
    """A Composition of a class of its own."""


def replaced_execute():
    composition = chain()
    mechanism = composition.nodes["B"]
    mechanism._execute = lambda variable=None, context=None, runtime_params=None: np.array([[7.0]])
    return composition


def replaced_function():
    composition = chain()
    function = composition.nodes["A"].function
    function._function = lambda variable=None, context=None, params=None: np.asarray(variable) + 10.0
    return composition


def replaced_in_port():
    composition = chain()
    port = composition.nodes["B"].input_ports[0]
    port._get_variable_from_projections = types.MethodType(lambda self, context=None: np.array([[0.125]]), port)
    return composition


def counting_closure():
    calls = [0]

    def counted(variable):
        calls[0] += 1
        return variable * calls[0]

    return chain(pnl.ProcessingMechanism(name="A", function=counted))


def nonlocal_closure():
    calls = 0

    def counted(variable):
        nonlocal calls
        calls += 1
        return variable + calls

    return chain(pnl.ProcessingMechanism(name="A", function=counted))


def appending():
    seen = []

    def remember(variable):
        seen.append(float(variable[0][0]))
        return variable * len(seen)

    return chain(pnl.ProcessingMechanism(name="A", function=remember))


def printing():
    def loud(variable):
        print("called")
        return variable

    return chain(pnl.ProcessingMechanism(name="A", function=loud))


def drawing():
    def drawn(variable):
        return variable + np.random.normal()

    return chain(pnl.ProcessingMechanism(name="A", function=drawn))


class Counter:
    """An object that counts."""

    def __init__(self):
        self.count = 0

    def bump(self):
        """One more."""
        self.count += 1
        return self.count


def calling_object():
    counter = Counter()

    def bumped(variable):
        return variable * counter.bump()

    return chain(pnl.ProcessingMechanism(name="A", function=bumped))


def taking_from_iterator():
    numbers = iter(range(1000))

    def taken(variable):
        return variable + next(numbers)

    return chain(pnl.ProcessingMechanism(name="A", function=taken))


def python_condition():
    composition = chain()
    calls = [0]

    def sometimes():
        calls[0] += 1
        return calls[0] % 2 == 0

    composition.scheduler.add_condition(composition.nodes["B"], pnl.Condition(sometimes))
    return composition


def own_condition():
    class Second(pnl.AtPass):
        """A condition of a class of its own."""

    composition = chain()
    composition.scheduler.add_condition(composition.nodes["B"], Second(1))
    return composition


def derived_port():
    composition = chain()
    composition.nodes["B"].output_ports[0].__class__ = Louder
    return composition


def own_projection():
    a = pnl.TransferMechanism(name="A", function=pnl.Linear(slope=2.0))
    b = pnl.ProcessingMechanism(name="B", function=pnl.Linear)
    composition = pnl.Composition(name="C")
    composition.add_nodes([a, b])
    composition.add_projection(Weaker(sender=a, receiver=b))
    return composition


CASES = {
    "a derived Mechanism": lambda: chain(second=Doubled(name="B")),
    "a derived Function": lambda: chain(pnl.TransferMechanism(name="A", function=Steeper(slope=2.0))),
    "a derived Port": derived_port,
    "a derived Projection": own_projection,
    "a derived Composition": lambda: Ensemble(name="C", pathways=[[pnl.TransferMechanism(name="A"), pnl.TransferMechanism(name="B")]]),
    "_execute put into an object": replaced_execute,
    "_function put into an object": replaced_function,
    "a method put into a port": replaced_in_port,
    "a closure that counts": counting_closure,
    "a closure that assigns": nonlocal_closure,
    "a closure that appends": appending,
    "a function that prints": printing,
    "a function that draws": drawing,
    "a function that calls an object": calling_object,
    "a function that takes from an iterator": taking_from_iterator,
    "a Python function as condition": python_condition,
    "a derived condition": own_condition,
}


def results_of(build, run):
    """The results of two runs, the second of which starts where the first has ended."""
    fresh()
    composition = build()
    first = next(iter(composition.get_nodes_by_role(pnl.NodeRole.INPUT)))
    for inputs in (INPUTS, INPUTS[:2]):
        run(composition, {first: inputs})
    return composition, [np.asarray(trial, float).tolist() for trial in composition.results]


def plainly(composition, inputs):
    """A run in PsyNeuLink."""
    composition.run(inputs=inputs)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", [name for name in CASES if name != "a derived Composition"])  # PsyNeuLink cannot run it either
def test_what_is_not_known_runs_in_psyneulink(name):
    _, expected = results_of(CASES[name], plainly)
    with accelerate(), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        composition, found = results_of(CASES[name], lambda composition, inputs: composition.run(inputs=inputs))
    assert found == expected
    assert not sessions_of(composition)
    told = [str(one.message) for one in caught if issubclass(one.category, FallbackWarning)]
    assert len(told) == 1, told
    assert any(part in told[0] for part in ("'A'", "'B'", "'C'", "Function"))
    assert "runs in PsyNeuLink" in told[0]


@pytest.mark.parametrize("name", CASES)
def test_what_is_not_known_is_an_error_when_strict(name):
    fresh()
    composition = CASES[name]()
    first = next(iter(composition.get_nodes_by_role(pnl.NodeRole.INPUT)))
    with accelerate(strict=True), pytest.raises(UnsupportedFeature) as caught:
        composition.run(inputs={first: INPUTS})
    assert caught.value.component
    assert caught.value.feature
    assert caught.value.remedy


@pytest.mark.parametrize(
    ("owner", "method"), [(pnl.ProcessingMechanism, "_execute"), (pnl.Logistic, "_function"), (pnl.OutputPort, "_execute")], ids=str
)
def test_a_method_replaced_in_a_class_is_seen(owner, method, monkeypatch):
    fresh()
    composition = chain()
    before = getattr(owner, method)

    def changed(self, *args, **kwargs):
        return before(self, *args, **kwargs) * 3.0

    with accelerate(strict=True):
        composition.run(inputs={"A": INPUTS})
        assert sessions_of(composition)
        monkeypatch.setattr(owner, method, changed)
        with pytest.raises(UnsupportedFeature, match=method):
            composition.run(inputs={"A": INPUTS})


def test_a_refused_function_has_the_three_parts():
    fresh()
    node = pnl.IntegratorMechanism(name="A", function=pnl.SimpleIntegrator(noise=lambda: 1.0))
    with accelerate(strict=True), pytest.raises(UnsupportedFeature) as caught:
        pnl.Composition(name="C", nodes=[node]).run(inputs={"A": [[1.0]]})
    assert "SimpleIntegrator" in caught.value.component
    assert caught.value.feature
    assert caught.value.remedy


def test_a_method_put_into_an_object_after_a_run_is_seen():
    fresh()
    composition = chain()
    with accelerate(strict=True):
        composition.run(inputs={"A": INPUTS})
        composition.nodes["B"]._execute = lambda variable=None, context=None, runtime_params=None: np.array([[7.0]])
        with pytest.raises(UnsupportedFeature, match="_execute"):
            composition.run(inputs={"A": INPUTS})


@pytest.mark.parametrize("runs_before", [0, 1])
def test_a_deep_copy_is_said_to_be_one(runs_before):
    fresh()
    composition = chain()
    for _ in range(runs_before):
        composition.run({"A": INPUTS})
    copied = copy.deepcopy(composition)
    with pytest.raises(TypeError):
        copied.run({"A": INPUTS})
    with accelerate(strict=True):
        with pytest.raises(UnsupportedFeature, match=r"^Composition .C.: it is a deep copy, which PsyNeuLink cannot run; build it again$"):
            copied.run({"A": INPUTS})
        composition.run({"A": INPUTS})


def test_an_error_of_the_import_does_not_end_a_run(monkeypatch):
    """Whatever is not expected in a Composition, or in one nested in it, is a refusal that names it."""

    def fail(importer):
        raise KeyError("something")

    def build():
        return pnl.Composition(name="O", pathways=[[pnl.TransferMechanism(name="D"), chain()]])

    monkeypatch.setattr(CompositionImporter, "inputs_and_outputs", fail)
    fresh()
    composition = build()
    with (
        pytest.raises(UnsupportedFeature, match=r"Composition 'C': reading it failed \(KeyError: 'something'\)"),
        accelerate(strict=True),
    ):
        composition.run({composition.nodes[0]: INPUTS})
    _, expected = results_of(build, plainly)
    with accelerate(), pytest.warns(FallbackWarning, match="reading it failed"):
        _, found = results_of(build, plainly)
    assert found == expected
