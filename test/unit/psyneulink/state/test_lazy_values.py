"""
What native runs leave is written when somebody looks, and nobody can tell: each way of looking sees what PsyNeuLink would have left, and
each way of changing something, also without a word to the Parameter that holds it, is seen by the next run.
"""

import copy
import inspect
import json
import pickle

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.compare import differences, held, plain
from support.psyneulink.golden import fresh

from cogir.errors import ExecutionError
from cogir.psyneulink import accelerate, run
from cogir.psyneulink.execution.session import Trials, sessions_of
from cogir.psyneulink.state.lazy_values import PENDING, ObservedDict, PendingWrites

pytestmark = pytest.mark.filterwarnings("ignore")

INPUTS = {"A": [[1.0, -2.0], [0.5, 3.0]]}


def build(name="C"):
    """A Mechanism with a slope, one with a state, one that draws, which executes in each second pass."""
    a = pnl.TransferMechanism(name="A", input_shapes=2, function=pnl.Linear(slope=2.0))
    b = pnl.TransferMechanism(name="B", input_shapes=2, integrator_mode=True, integration_rate=0.5, noise=pnl.NormalDist(seed=5))
    d = pnl.DDM(name="D", input_shapes=1, function=pnl.DriftDiffusionIntegrator(noise=0.5, seed=3))
    c = pnl.Composition(name=name, pathways=[[a, np.eye(2), b, np.ones((2, 1)), d]])
    c.scheduler.add_condition(d, pnl.EveryNCalls(b, 2))
    return c


def in_psyneulink(composition, inputs=INPUTS, context="C"):
    composition.run(inputs=inputs, context=context)


def natively(composition, inputs=INPUTS, context="C"):
    run(composition, inputs, context=context)


LOOKS = {
    "get": lambda c: c.nodes["B"].parameters.value.get("C"),
    "an attribute": lambda c: c.nodes["B"].value,
    "an attribute of a port": lambda c: c.nodes["B"].output_ports[0].value,
    "the dictionary": lambda c: c.nodes["B"].function.parameters.value.values["C"],
    "a state": lambda c: c.nodes["B"].integrator_function.parameters.previous_value.get("C"),
    "the previous value": lambda c: c.nodes["A"].parameters.value.get_previous("C", fallback_value=None) is None,
    "a generator": lambda c: c.nodes["D"].function.parameters.random_state.get("C").uniform(),
    "the clock": lambda c: str(c.scheduler.get_clock(pnl.Context(execution_id="C")).time),
    "the list of executions": lambda c: [sorted(node.name for node in nodes) for nodes in c.scheduler.execution_list["C"]],
    "counts of calls": lambda c: c.scheduler.counts_total["C"][pnl.TimeScale.LIFE][c.nodes["D"]],
    "executions": lambda c: str(c.nodes["B"].parameters.num_executions.get("C")),
    "executions in all": lambda c: int(c.nodes["B"].execution_count),
    "results": lambda c: c.results,
    "results of a context": lambda c: c.parameters.results.values["C"],
    "text": lambda c: str(c.nodes["B"].parameters.value.values),
    "a pickle": lambda c: pickle.loads(pickle.dumps(c.nodes["B"].parameters.value.values))["C"],
    "a copy": lambda c: copy.copy(c.nodes["B"].parameters.value.values)["C"],
    "a deep copy": lambda c: copy.deepcopy(c.nodes["B"].parameters.value.values)["C"],
    "a deep copy of a Parameter": lambda c: copy.deepcopy(c.nodes["B"].parameters.value).get("C"),
    "unpacking": lambda c: {**c.nodes["B"].parameters.value.values}["C"],
    "JSON": lambda c: json.dumps({str(k): np.round(v, 10).tolist() for k, v in c.nodes["B"].parameters.value.values.items()}),
    "a run in PsyNeuLink": lambda c: (in_psyneulink(c), c.results)[1],
    "another context": lambda c: (in_psyneulink(c, context="other"), c.parameters.results.get("other"))[1],
    "a Mechanism by itself": lambda c: c.nodes["B"].execute([[1.0, 2.0]], context=pnl.Context(execution_id="C")),
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", LOOKS)
def test_a_look_sees_what_psyneulink_would_have_left(name):
    found = []
    for runs in (in_psyneulink, natively):
        fresh()
        composition = build()
        for _ in range(3):
            runs(composition)
        looked = LOOKS[name](composition)
        found.append(looked if name != "the previous value" else None)  # which is not known of A, as it ran twice in the last trial
    expected, seen = map(plain, found)
    np.testing.assert_equal(type(seen), type(expected))
    if isinstance(expected, np.ndarray):
        np.testing.assert_allclose(seen, expected, rtol=1e-12, atol=1e-14)
    else:
        assert seen == expected


def test_runs_that_nobody_looks_at_write_nothing_and_read_nothing(monkeypatch):
    fresh()
    composition = build()
    natively(composition)
    natively(composition)  # at which the inputs are understood, once and for all
    composition.nodes["B"].parameters.value.get("C")
    natively(composition)
    mirror = sessions_of(composition)[-1].mirrors["C"]
    monkeypatch.setattr(mirror.shown, "show", lambda words: pytest.fail("it is written"))
    monkeypatch.setattr(mirror.states, "copy_in", lambda buffer: pytest.fail("it is read"))
    for _ in range(3):
        natively(composition)
        composition.parameters.results.get("C")
    assert mirror in PENDING.pending


def keep_matrix(c):
    kept = c.projections[0].parameters.matrix.values["C"]
    return lambda: kept.__imul__(3.0)


def keep_slope(c):
    c.nodes["A"].function.parameters.slope.set(kept := np.array([1.0, 4.0]), "C")
    return lambda: kept.__setitem__(0, 7.0)


def keep_generator(c):
    kept = c.nodes["D"].function.parameters.random_state.values["C"]
    return lambda: kept.normal()


def keep_integer(c):
    c.nodes["A"].function.parameters.slope.set(kept := np.array([1, 4]), "C")
    return lambda: kept.__setitem__(0, 7)


def keep_part(c):
    whole = np.array([[1.0, 2.0], [4.0, 3.0]])
    c.nodes["A"].function.parameters.slope.set(whole[:, 0], "C")
    return lambda: whole.__setitem__((0, 0), 7.0)


KEPT = {
    "a matrix": keep_matrix,
    "an array that was set": keep_slope,
    "a generator": keep_generator,
    "an array of integers that was set": keep_integer,
    "an array of which a part was set": keep_part,
    "a reset": lambda c: lambda: c.nodes["B"].reset([[7.0, 8.0]], context="C"),
    "an attribute": lambda c: lambda: setattr(c.nodes["A"].function, "intercept", 1.5),
    "nothing": lambda c: lambda: None,
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", KEPT)
def test_what_is_changed_through_something_kept_is_seen(name):
    found = []
    for runs in (in_psyneulink, natively):
        fresh()
        composition = build()
        in_psyneulink(composition)
        change = KEPT[name](composition)
        for _ in range(2):
            runs(composition)
            runs(composition)
            change()
        runs(composition)
        found.append(held(composition, "C"))
    assert not list(differences(*found, ("result", "port", "mechanism", "function", "state", "generator")))


def test_a_clock_and_a_generator_that_are_kept_go_on():
    seen = []
    for runs in (in_psyneulink, natively):
        fresh()
        composition = build()
        in_psyneulink(composition)
        clock = composition.scheduler.get_clock(pnl.Context(execution_id="C"))
        time = clock.time
        executions = composition.nodes["B"].parameters.num_executions.values["C"]
        generator = composition.nodes["D"].function.parameters.random_state.values["C"]
        for _ in range(3):
            runs(composition)
        seen.append((str(time), str(executions), generator.get_state(legacy=False)["state"]["pos"]))
    assert seen[0] == seen[1]


def shared():
    """Two Compositions that have a Mechanism in common."""
    one = pnl.TransferMechanism(name="S", input_shapes=2, integrator_mode=True, integration_rate=0.5)
    two = pnl.TransferMechanism(name="T", input_shapes=2)
    return pnl.Composition(name="C", pathways=[one]), pnl.Composition(name="E", pathways=[[one, two]])


def test_compositions_with_a_common_mechanism():
    found = []
    for runs in (in_psyneulink, natively):
        fresh()
        first, second = shared()
        for composition in (first, first, first, second, second, second, first, second, second, first, first, second):
            runs(composition, {"S": [[1.0, 2.0]]})
        found.append([plain(first.parameters.results.get("C")), plain(second.parameters.results.get("C"))])
    np.testing.assert_allclose(found[1], found[0], rtol=1e-12)


def test_contexts_in_turn():
    found = []
    for runs in (in_psyneulink, natively):
        fresh()
        composition = build()
        for _ in range(3):
            runs(composition, context="one")
            runs(composition, {"A": [[0.1, 0.2]]}, context="two")
        found.append(
            {**held(composition, "two"), **{(kind, f"one {name}"): value for (kind, name), value in held(composition, "one").items()}}
        )
    assert not list(differences(*found, ("result", "port", "mechanism", "function", "state", "generator", "count")))


def test_a_run_that_fails_leaves_what_the_runs_before_have_left(monkeypatch):
    fresh()
    expected = build()
    in_psyneulink(expected)
    in_psyneulink(expected)
    fresh()
    composition = build()
    natively(composition)

    def run_and_fail(self, context, rows, out):
        original(self, context, rows, out)
        raise ExecutionError("made to fail")

    original = Trials.run
    with monkeypatch.context() as patch:
        patch.setattr(Trials, "run", run_and_fail)
        with pytest.raises(ExecutionError, match="made to fail"):
            natively(composition)
    natively(composition)
    assert not list(differences(held(expected, "C"), held(composition, "C"), ("result", "port", "mechanism", "state", "generator")))


def test_logging_that_begins_is_noticed():
    logs = []
    for runs in (in_psyneulink, natively):
        fresh()
        composition = build()
        composition.scheduler.add_condition(composition.nodes["D"], pnl.Always())  # so that A is executed once in a trial
        for _ in range(3):
            runs(composition)
        composition.nodes["A"].set_log_conditions("value")
        for _ in range(2):
            runs(composition, {"A": [[1.0, 2.0]]})
        logs.append([np.asarray(entry.value, float).tolist() for entry in composition.nodes["A"].parameters.value.log["C"]])
    assert logs[0] == logs[1]


class Writer:
    """What owes something."""


def test_each_method_of_a_dictionary_tells():
    harmless = {"__class_getitem__", "__getattribute__", "__hash__", "__init__", "__new__", "__doc__", "fromkeys"}
    assert vars(dict).keys() - harmless <= vars(ObservedDict).keys()
    calls = {
        "__contains__": (1,), "__delitem__": (1,), "__eq__": ({},), "__ge__": ({},), "__getitem__": (1,), "__gt__": ({},), "__ior__": ({},),
        "__le__": ({},), "__lt__": ({},), "__ne__": ({},), "__or__": ({},), "__ror__": ({},), "__setitem__": (1, 2), "get": (1,),
        "pop": (1,), "setdefault": (1,),
    }  # fmt: skip
    for name in vars(dict).keys() - harmless:
        writes, told, writer = PendingWrites(), [], Writer()
        mapping = ObservedDict({1: 2}, writes)
        writes.pending[writer] = lambda _, told=told: told.append(1)
        writes.watch()
        getattr(mapping, name)(*calls.get(name, ()))
        assert (told, writes.epoch, writes.watching) == ([1], 1, False), name


def test_a_copy_is_a_plain_dictionary():
    mapping = ObservedDict({"a": 1}, PENDING)
    for made in (copy.copy(mapping), copy.deepcopy(mapping), pickle.loads(pickle.dumps(mapping)), mapping.copy()):
        assert type(made) is dict
        assert made == {"a": 1}


def test_the_arguments_of_a_method_are_found_out_once(monkeypatch):
    fresh()
    composition = build()
    with accelerate(strict=True):
        composition.run(inputs=INPUTS, context="C")
        monkeypatch.setattr(inspect, "signature", lambda method: pytest.fail("it is found out again"))
        composition.run(inputs=INPUTS, context="C")
