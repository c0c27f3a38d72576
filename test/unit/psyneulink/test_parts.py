"""
Compositions that run natively within one that does not compile: every case of the differential suite, put into a Composition whose first
node is of a class that cogir does not know, and compared with PsyNeuLink alone. And what is remembered of Compositions that do not compile.
"""

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.cases import inputs_of
from support.psyneulink.compare import KEPT, differences, held
from support.psyneulink.golden import fresh
from support.psyneulink.suite import CASES

from cogir.psyneulink import FallbackWarning, accelerate
from cogir.psyneulink.execution import session
from cogir.psyneulink.execution.native_run import NativeRun

pytestmark = pytest.mark.filterwarnings("ignore")

QUICK = 40
"""Each case of this many is compared in `make test-psyneulink`, the rest in `make check-full`."""

AT_TIMES = ("grid search at a trial", "controller at a trial", "controller after some trials, before")
"""Cases with a controller that has a condition."""


class Unknown(pnl.TransferMechanism):
    """What a user may write, and cogir does not know."""

    def _execute(self, *args, **kwargs):
        return 2 * super()._execute(*args, **kwargs)


def around(inner):
    """A Composition that does not compile, and the inputs of its own node."""
    outer = pnl.Composition(name="outer", nodes=[Unknown(name="unknown"), inner])
    return outer, {outer.nodes["unknown"]: [[1.5]]}


def left(case, runners):
    """What each run leaves of a case that is nested, and the counts and clock of its own scheduler."""
    fresh()
    inner = case.build()
    given = {inner.nodes[name]: trials for name, trials in inputs_of(inner, case).items()}
    outer, own = around(inner)
    found = []
    for runner in runners:
        inputs = {**own, **given} if given else own
        if runner == "cogir":
            with accelerate():
                outer.run(inputs, num_trials=case.trials, context="one")
        else:
            outer.run(inputs, num_trials=case.trials, context="one")
        values = held(outer, "one")
        scheduler = inner.scheduler
        values["clock", "time of the inner one"] = str(scheduler.get_clock(pnl.Context(execution_id="one")).time)
        for scale, counts in scheduler.counts_total["one"].items():
            for node, count in counts.items():
                values["clock", f"{node.name} per {scale}"] = count
        found.append(values)
    return found


@pytest.fixture
def native(monkeypatch):
    """The names of the Compositions that were executed natively within another one, an entry for each trial."""
    executed = []
    part = NativeRun.part

    def noted(run, *args):
        part(run, *args)
        executed.append(run.composition.name)

    monkeypatch.setattr(NativeRun, "part", noted)
    return executed


def marked(names):
    """All names, those that are not in the quick part marked."""
    return [pytest.param(name, marks=[] if index % QUICK == 0 else [pytest.mark.full]) for index, name in enumerate(names)]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", marked([name for name, case in CASES.items() if case.refused is None]))
def test_a_part_leaves_what_psyneulink_leaves(name, native):
    case = CASES[name]
    kept = [category for category in KEPT if category not in case.left_out]
    try:
        expected = left(case, ["PsyNeuLink"] * 3)
    except Exception as error:
        pytest.skip(f"PsyNeuLink itself does not run it within another Composition: {error!r:.200}")
    for runners in (["cogir"] * 3, ["PsyNeuLink", "cogir", "PsyNeuLink"]):
        native.clear()
        for number, (one, other) in enumerate(zip(expected, left(case, runners), strict=True)):
            assert not list(differences(one, other, kept)), f"run {number + 1} of {runners}"
        assert len(native) == (0 if name in AT_TIMES else case.trials * runners.count("cogir"))


def test_a_part_that_several_projections_enter_at_one_input(native):
    """Its input CIM, which PsyNeuLink executes, holds a row for each."""

    def build():
        outer, own = around(inner := decision())
        other = pnl.ProcessingMechanism(name="other", input_shapes=2)
        outer.add_node(other)
        for sender, matrix in ((other, np.eye(2)), (outer.nodes["unknown"], np.ones((1, 2)))):
            outer.add_projection(pnl.MappingProjection(sender, inner.nodes["A"], matrix=matrix))
        return outer, {**own, other: [[1.0, -0.5]]}

    expected, found = both(build)
    assert native == ["inner"] * 3
    assert not list(differences(expected, found, KEPT))


def decision():
    """A nested Composition with a state and draws."""
    competing = pnl.LCAMechanism(name="lca", input_shapes=2, noise=0.1)
    return pnl.Composition(name="inner", pathways=[[pnl.TransferMechanism(name="A", input_shapes=2), competing]])


def both(build, **call):
    """What a Composition leaves after a run by PsyNeuLink, and by cogir where that can."""
    found = []
    for accelerated in (False, True):
        fresh()
        outer, inputs = build()
        if accelerated:
            with accelerate():
                outer.run(inputs, num_trials=3, context="one", **call)
        else:
            outer.run(inputs, num_trials=3, context="one", **call)
        found.append(held(outer, "one"))
    return found


def test_between_nodes(native):
    """A part gets its inputs from what does not compile, and hands on to it."""

    def build():
        first, last = Unknown(name="first", input_shapes=2), Unknown(name="last", input_shapes=2)
        return pnl.Composition(name="outer", pathways=[[first, decision(), last]]), {first: [[1.0, 0.5], [0.2, 0.4]]}

    assert not list(differences(*both(build)))
    assert native == ["inner"] * 3


def test_components_of_a_part_know_the_last_execution_context(native):
    """Whose values they show, and in which PsyNeuLink executes a Mechanism that gets another Function."""

    def values(mode):
        fresh()
        inner = decision()
        outer, inputs = around(inner)
        first = inner.nodes["A"]
        for context in ("one", "other"):
            with accelerate(mode):
                outer.run({**inputs, inner: [[0.1, 0.2]]}, context=context)
            yield first.value.tolist()
        first.function = pnl.Logistic(gain=2.0)
        with accelerate(mode):
            outer.run({**inputs, inner: [[0.1, 0.2]]}, context="other")
        yield first.value.tolist()

    assert list(values("Auto")) == list(values("Python"))
    assert native == ["inner"] * 3


def test_a_part_of_a_part(native):
    """What compiles may be nested more deeply."""

    def build():
        inner = decision()
        return around(pnl.Composition(name="middle", pathways=[[Unknown(name="second", input_shapes=2), inner]]))

    assert not list(differences(*both(build)))
    assert native == ["inner"] * 3


def test_control_from_outside_is_left_to_psyneulink(native):
    """A node outside sets a Parameter within."""

    def build():
        inner, first = decision(), Unknown(name="first", input_shapes=2)
        signal = pnl.ControlSignal(modulates=("slope", inner.nodes["A"]))
        gain = pnl.TransferMechanism(name="gain")
        control = pnl.ControlMechanism(name="control", control_signals=[signal])
        outer = pnl.Composition(name="outer", pathways=[[first, inner], [gain, control]])
        return outer, {first: [[1.0, 0.5]], gain: [[2.0]]}

    assert not list(differences(*both(build)))
    assert not native


def test_simulations_are_left_to_psyneulink(native):
    """A controller that does not compile simulates the part; only its true trials are native."""

    def build():
        inner = decision()
        outer, inputs = around(inner)
        signal = pnl.ControlSignal(modulates=("slope", outer.nodes["unknown"]), allocation_samples=[1.0, 2.0])
        objective = pnl.ObjectiveMechanism(name="objective", monitor=[outer.nodes["unknown"]])
        outer.add_controller(
            pnl.OptimizationControlMechanism(
                name="controller",
                agent_rep=outer,
                state_features=[outer.nodes["unknown"].input_port],
                objective_mechanism=objective,
                function=pnl.GridSearch(),
                control_signals=[signal],
            )
        )
        return outer, inputs

    assert not list(differences(*both(build), [one for one in KEPT if one != "count"]))
    assert native == ["inner"] * 3


@pytest.mark.parametrize("callback", ["call_after_pass", "call_before_time_step"])
def test_callbacks_within_a_trial_see_each_step(native, callback):
    """A call that no native trial honours is not honoured in parts either."""
    seen = []
    assert not list(differences(*both(lambda: around(decision()), **{callback: lambda: seen.append(1)})))
    assert not native
    assert len(seen) % 2 == 0


def test_other_modes_are_kept(native):
    """Who asks for PsyNeuLink's Python mode gets it, in parts too."""
    fresh()
    outer, inputs = around(decision())
    with accelerate():
        outer.run(inputs, execution_mode=pnl.ExecutionMode.Python)
    assert not native


@pytest.fixture
def imports(monkeypatch):
    """The names of the Compositions that were looked at to be compiled."""
    looked_at = []

    def noted(composition, *args, **kwargs):
        looked_at.append(composition.name)
        return imported(composition, *args, **kwargs)

    imported = session.imported
    monkeypatch.setattr(session, "imported", noted)
    return looked_at


def test_a_refusal_is_remembered(imports):
    """Once PsyNeuLink has given its components all attributes, nothing is looked at again."""
    fresh()
    outer, inputs = around(decision())
    with accelerate():
        outer.run(inputs)
        outer.run(inputs)
        imports.clear()
        for _ in range(3):
            outer.run(inputs)
    assert not imports


def test_a_refusal_is_forgotten_when_its_reason_is_gone():
    """A method that a script replaces, and puts back."""
    fresh()
    a = pnl.TransferMechanism(name="A")
    c = pnl.Composition([a], name="C")
    a.is_finished = lambda context=None: True
    with accelerate():
        with pytest.warns(FallbackWarning, match="A"):
            c.run({a: [[1.0]]})
        for _ in range(2):
            c.run({a: [[1.0]]})
    del a.is_finished
    with accelerate(strict=True):
        c.run({a: [[2.0]]})
    assert np.ravel(c.results).tolist() == [1.0, 1.0, 1.0, 2.0]


def test_a_refusal_is_forgotten_when_a_function_is_replaced():
    """Another Function in the place of one that is not compiled."""
    fresh()
    a = pnl.ProcessingMechanism(name="A", function=lambda x: [print(end="")] and 2 * x)
    c = pnl.Composition([a], name="C")
    with accelerate():
        with pytest.warns(FallbackWarning, match="A"):
            c.run({a: [[1.0]]})
        c.run({a: [[1.0]]})
    a.function = pnl.Linear(slope=3.0)
    with accelerate(strict=True):
        c.run({a: [[2.0]]})
    assert np.ravel(c.results).tolist() == [2.0, 2.0, 6.0]


def drawing(x):
    """A number from NumPy's global generator is added."""
    return x + np.random.normal()


def doubling(x):
    """Only computes."""
    return 2 * x


def test_a_refusal_is_forgotten_when_a_function_reads_something_else():
    """A user's own function that calls another, which draws, until that is replaced."""
    fresh()

    draw = drawing

    def called(x):
        return draw(x)

    a = pnl.ProcessingMechanism(name="A", function=called)
    c = pnl.Composition([a], name="C")
    with accelerate():
        with pytest.warns(FallbackWarning, match="A"):
            c.run({a: [[1.0]]})
        c.run({a: [[1.0]]})
    draw = doubling
    with accelerate(strict=True):
        c.run({a: [[2.0]]})
    assert np.ravel(c.results)[-1] == 4.0


@pytest.mark.parametrize("name", ["value", "variable"])
def test_a_refusal_is_forgotten_when_no_longer_history_is_wanted(name):
    fresh()
    a = pnl.TransferMechanism(name="A")
    c = pnl.Composition([a], name="C")
    getattr(a.parameters, name).history_max_length = 3
    with accelerate():
        with pytest.warns(FallbackWarning, match="history_max_length"):
            c.run({a: [[1.0]]})
        c.run({a: [[1.0]]})
    getattr(a.parameters, name).history_max_length = 1
    with accelerate(strict=True):
        c.run({a: [[2.0]]})


def test_counts_of_another_context_that_is_refused():
    """They go on from those of the first one, in PsyNeuLink as well as where it had to be asked whether the model compiles."""

    def counts(mode):
        fresh()
        outer, inputs = around(decision())
        for context, trials in (("one", 3), ("other", 2), ("other", 1)):
            with accelerate("Python" if context == "one" else mode):
                outer.run(inputs, num_trials=trials, context=context)
            yield str(outer.nodes["unknown"].parameters.num_executions.get(context))

    assert list(counts("Auto")) == list(counts("Python"))


def test_what_enters_a_trial_that_is_refused_counts_once(native):
    """PsyNeuLink executes the interfaces again, of which the executions before are taken back, and their entries in logs."""

    def build():
        inner = pnl.Composition(name="inner", nodes=[pnl.ProcessingMechanism(name="A", input_shapes=2)])
        first = Unknown(name="unknown", input_shapes=2, function=pnl.Linear(slope=1e10))
        outer = pnl.Composition(name="outer", pathways=[[first, inner]])
        inner.input_CIM.input_ports[0].path_afferents[0].set_log_conditions("value")
        return outer, {first: [[1.0, 2.0], [1e308, 1.0], [2.0, 3.0]]}

    expected, found = both(build)
    assert native == ["inner"] * 2
    assert not list(differences(expected, found, KEPT))
