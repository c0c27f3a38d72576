"""
A run that is native until a callback makes of the Composition one that does not compile: PsyNeuLink carries it on, and all is as if it had
run the whole.
"""

import contextlib
import re
import warnings

import numpy as np
import pytest
from psyneulink_suite.compare import difference
from psyneulink_suite.plain_data import plain
from support.psyneulink import compare, pnl
from support.psyneulink.compare import CATEGORIES, differences, generator_state
from support.psyneulink.golden import fresh

from cogir.psyneulink import FallbackWarning, accelerate
from cogir.psyneulink.execution import handover, nested
from cogir.psyneulink.reader import UnsupportedFeature

pytestmark = pytest.mark.filterwarnings("ignore")

FIVE = [[1, 2], [3, 4], [5, 6], [7, 8], [9, 10]]
AFTER = 2
"""The trials after which a callback changes the Composition."""


def held(composition):
    """What a Composition holds; the methods that draw its noise as text."""
    found = compare.held(composition, "C")
    return {key: str(value) if "method" in str(value) or "lambda" in str(value) else value for key, value in found.items()}


class Tripled(pnl.Linear):
    """A Function of the user's."""

    def _function(self, variable=None, context=None, params=None):
        return super()._function(variable=variable, context=context, params=params) * 3


class Script:
    """A Composition, what its callbacks have seen, and the generators that its Mechanisms draw from."""

    def __init__(self, change="one generator"):
        fresh()
        self.a = pnl.TransferMechanism(name="A", input_shapes=2, integrator_mode=True, noise=pnl.NormalDist(seed=1).function)
        self.b = pnl.TransferMechanism(name="B", input_shapes=2, integrator_mode=True, function=pnl.Logistic(gain=0.1))
        self.b.set_log_conditions("value")
        self.c = pnl.Composition([[self.a, self.b]], name="C")
        self.drawn = [pnl.NormalDist(standard_deviation=0.1, seed=5)]
        self.change, self.seen, self.trials = change, [], 0

    def asks(self):
        """Lets a condition ask a function of the user's."""
        self.c.scheduler.add_condition(self.b, pnl.Condition(lambda: (print(end=""), True)[1]))

    def see(self, what):
        """Notes what a callback sees."""
        counts = [str(node.parameters.num_executions.get("C")) for node in self.c.nodes]
        values = [np.asarray(node.parameters.value.get("C")).tolist() for node in self.c.nodes]
        time = str(self.c.scheduler.get_clock(pnl.Context(execution_id="C")).time)
        self.seen.append((what, time, counts, values, np.asarray(self.c.parameters.results.get("C")).tolist()))

    def before(self):
        self.see("before")

    def after(self, context):
        """Sees, and changes the Composition once."""
        self.see(f"after in {context.execution_id}")
        self.trials += 1
        if self.trials == AFTER:
            CHANGES.get(self.change, self.change)(self)

    def run(self, inputs=None, **given):
        """A run with both callbacks."""
        given = {"call_before_trial": self.before, "call_after_trial": self.after, **given}
        return self.c.run({self.a: FIVE} if inputs is None else inputs, **given)

    def left(self):
        """What the runs have left, apart from Parameters."""
        log = [(str(entry.time), entry.context, entry.value.tolist()) for entry in self.b.parameters.value.log["C"]]
        states = [{str(key): generator_state(one) for key, one in each.parameters.random_state.values.items()} for each in self.drawn]
        calls = {str(scale): dict(counts) for scale, counts in self.c.scheduler.counts_total["C"].items()}
        listed = [sorted(node.name for node in nodes) for nodes in self.c.scheduler.execution_list["C"]]
        calls = {scale: {node.name: count for node, count in counts.items()} for scale, counts in calls.items()}
        return self.c.results.tolist(), self.c.results.dtype, self.seen, log, states, calls, listed


def shares(script):
    for mechanism in (script.a, script.b):
        mechanism.noise = script.drawn[0].function


def replaces(script):
    execute = type(script.b).execute
    script.b.execute = lambda *args, **given: execute(script.b, *args, **given)


CHANGES = {
    "one generator": shares,
    "a function that prints": lambda s: setattr(
        s.b, "function", pnl.UserDefinedFunction(custom_function=lambda variable: (print(end=""), variable * 2)[1])
    ),
    "a class of the user's": lambda s: setattr(s.b, "function", Tripled()),
    "noise of the user's": lambda s: setattr(s.a, "noise", lambda: (print(end=""), 0.5)[1]),
    "a condition of the user's": Script.asks,
    "a method of the user's": replaces,
}


def once(act):
    """A callback that acts the first time only."""
    todo = [act]
    return lambda: todo.pop()() if todo else None


def resets_later(script):
    """With values to reset to, for a node that a callback lets be reset."""

    def after(context):
        script.after(context)
        script.a.reset_stateful_function_when = pnl.AtTrialStart()

    returned = script.run(reset_stateful_functions_to={script.a: [[2.0, 3.0]]}, call_after_trial=after)
    script.a.reset_stateful_function_when = pnl.Never()
    return returned


def runs_within(script):
    """A callback runs the Composition itself."""

    def after(context):
        script.after(context)
        script.c.run({script.a: [[0.5, 0.5]]})

    return script.run(call_after_trial=after)


def changes_inputs(script):
    """A callback changes the inputs that it has given, of which PsyNeuLink has a copy."""
    given = {script.a: [list(row) for row in FIVE]}

    def after(context):
        script.after(context)
        given[script.a][3][0] = 100

    return script.run(given, call_after_trial=after)


def changes_context(script):
    """A callback sets another context for calls that name none."""

    def after(context):
        script.after(context)
        script.c.default_execution_id = "other"

    returned = script.run(call_after_trial=after)
    script.c.default_execution_id = "C"
    return returned


def changes_back(script):
    """A callback undoes the change."""

    def after(context):
        script.after(context)
        if script.trials == 4:
            script.a.noise = script.b.noise = 0.0

    return script.run(call_after_trial=after)


def generated(script, num_trials=None):
    """Inputs of which each is made once; the next one that would be."""
    rows = iter(range(20))
    returned = script.run(({script.a: [[next(rows), 1.0]]} for _ in range(6)), num_trials=num_trials)
    return returned, next(rows)


RUNS = {
    "inputs": Script.run,
    "inputs anew": lambda s: s.run(num_trials=12),
    "one input": lambda s: s.run({s.a: [[1.0, 2.0]]}, num_trials=6),
    "inputs by name": lambda s: s.run({"A": FIVE}),
    "default inputs": lambda s: s.c.run(num_trials=4, call_after_trial=s.after),
    "a generator": generated,
    "a generator, for some trials": lambda s: generated(s, 4),
    "a function": lambda s: s.run(lambda trial: {s.a: [[trial, 2 * trial]]}, num_trials=5),
    "only after trials": lambda s: s.run(call_before_trial=None),
    "an end": lambda s: s.run(termination_processing={pnl.TimeScale.RUN: pnl.AfterNTrials(4)}),
    "an end, with a generator": lambda s: s.run(
        ({s.a: [[trial, 1.0]]} for trial in range(10)), termination_processing={pnl.TimeScale.RUN: pnl.AfterNTrials(4)}
    ),
    "an end at the change": lambda s: s.run(termination_processing={pnl.TimeScale.RUN: pnl.AfterNTrials(2)}),
    "the end of trials": lambda s: s.run(termination_processing={pnl.TimeScale.TRIAL: pnl.AfterNCalls(s.a, 3)}),
    "ends of the Composition": lambda s: (
        setattr(s.c, "termination_processing", {pnl.TimeScale.RUN: pnl.AfterNTrials(4), pnl.TimeScale.TRIAL: pnl.AfterPass(1)}),
        s.run(),
    )[1],
    "runtime_params": lambda s: s.run(runtime_params={s.a: {"integration_rate": (0.9, pnl.AtTrial(3))}}),
    "runtime_params alone": lambda s: s.c.run({s.a: FIVE}, runtime_params={s.b: {"offset": (np.inf, pnl.AtTrial(2))}}),
    "runtime_params from a trial on": lambda s: s.run(runtime_params={s.a: {"integration_rate": (0.9, pnl.AfterTrial(0))}}),
    "resets": lambda s: s.run(reset_stateful_functions_when=pnl.AtTrialStart()),
    "resets of one": lambda s: s.run(reset_stateful_functions_when={s.a: pnl.AtTrial(3)}),
    "resets to values": lambda s: s.run(reset_stateful_functions_to={s.a: [[2.0, 3.0]]}),
    "resets to values, later": resets_later,
    "runs within": runs_within,
    "inputs that change": changes_inputs,
    "another default context": changes_context,
    "a change back": changes_back,
    "two runs": lambda s: (s.run(), s.run({s.a: [[1.0, 1.0]]}))[1],
    "a run before": lambda s: (s.c.run({s.a: FIVE}), s.run())[1],
}


OTHERS = ("resets to values, later", "runtime_params alone")
"""Those that are carried on for another reason than the runs after them."""


def outcome(script, run):
    """What a run returns and leaves, and then two more, the second without callbacks."""
    returned, state, left = run(script), held(script.c), script.left()
    again = np.asarray(script.run(num_trials=2)).tolist(), np.asarray(script.c.run({script.a: FIVE})).tolist()
    return returned, again, left, script.left(), state, held(script.c)


def said(caught):
    """The warnings of cogir."""
    return [str(one.message) for one in caught if issubclass(one.category, FallbackWarning)]


CASES = [(change, "inputs") for change in CHANGES] + [("one generator", run) for run in RUNS if run != "inputs"]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("change", "run"), CASES)
def test_as_if_psyneulink_had_run_it_all(change, run):
    expected = outcome(Script(change), RUNS[run])
    with accelerate(), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = outcome(Script(change), RUNS[run])
    assert difference(plain(expected[:4]), plain(found[:4])) <= 1e-12
    for one, other in zip(found[4:], expected[4:], strict=True):
        assert list(differences(other, one, CATEGORIES)) == []
    assert len(said(caught)) == (2 if run in OTHERS else 1)


def test_the_trials_before_the_change_are_native(monkeypatch):
    made = []
    trial = handover.TrialsInPsyNeuLink.trial
    monkeypatch.setattr(handover.TrialsInPsyNeuLink, "trial", lambda self, stimuli: (made.append(stimuli), trial(self, stimuli))[1])
    script = Script()
    with accelerate(), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        script.run()
        made_in_first = len(made)
        script.trials, script.a.noise = 1, 0.0
        script.run(num_trials=4)
    assert made_in_first == 3
    assert len(made) == made_in_first + 3
    text = (
        "Composition 'C': after 2 trials of the run, 'A' and 'B' draw from the generator of one NormalDist; "
        "make a NormalDist for each, or give it itself, not its method (the rest of the run is executed in PsyNeuLink)"
    )
    assert said(caught) == [text]
    assert {one.filename for one in caught if issubclass(one.category, FallbackWarning)} == {__file__}


def test_a_strict_block_refuses_to_go_on():
    script = Script()
    text = "'C': after 2 trials of the run, 'A' and 'B' draw .*; change it before the run, or run it in PsyNeuLink from the start"
    with accelerate(strict=True), pytest.raises(UnsupportedFeature, match=text):
        script.run()
    assert len(script.c.results) == 2


def test_a_run_that_ends_with_the_change_has_no_rest():
    """It is over before PsyNeuLink would have run another trial."""

    def outcome(block):
        script = Script()
        ends = {pnl.TimeScale.RUN: pnl.AfterNTrials(AFTER)}
        with block, warnings.catch_warnings():
            warnings.simplefilter("error", FallbackWarning)
            script.run(termination_processing=ends)
        return script.left(), held(script.c)

    expected, found = outcome(contextlib.nullcontext()), outcome(accelerate(strict=True))
    assert found[0] == expected[0]
    assert list(differences(expected[1], found[1], CATEGORIES)) == []


def test_errors_of_the_rest_are_psyneulinks():
    """And leave the trials before them."""

    def fails(block):
        script = Script(zero)
        with block(), pytest.raises(ZeroDivisionError) as error:
            script.run()
        return str(error.value), script.left(), held(script.c)

    def zero(script):
        todo = [1]
        script.b.execute = lambda *args, **given: type(script.b).execute(script.b, *args, **given) if todo and todo.pop() else 1 // 0

    expected, found = fails(contextlib.nullcontext), fails(accelerate)
    assert found[:2] == expected[:2]
    assert list(differences(expected[2], found[2], CATEGORIES)) == []


def nested_and_controlled(block, controlled):
    """A Composition in another one, whose nodes are native still, or one with a controller."""
    fresh()
    a = pnl.TransferMechanism(name="A", integrator_mode=True, noise=pnl.NormalDist(seed=2))
    inner = pnl.Composition([pnl.TransferMechanism(name="I", integrator_mode=True)], name="INNER")
    last = pnl.ProcessingMechanism(name="B")
    c = pnl.Composition(pathways=[[a, last] if controlled else [a, inner, last]], name="C")
    if controlled:
        c.add_controller(
            pnl.OptimizationControlMechanism(
                agent_rep=c,
                state_features=[a],
                function=pnl.GridSearch(),
                objective_mechanism=pnl.ObjectiveMechanism(name="O", monitor=[last]),
                control_signals=[pnl.ControlSignal(modulates=("slope", last), allocation_samples=[1.0, 2.0, 3.0])],
            )
        )
    seen = []

    def after():
        seen.append(np.asarray(c.results).tolist())
        if len(seen) == AFTER:
            c.scheduler.add_condition(last, pnl.Condition(lambda: (print(end=""), True)[1]))

    with block():
        returned = [np.asarray(c.run({a: [[1.0], [2.0], [3.0], [-4.0]]}, call_after_trial=after)).tolist() for _ in range(2)]
    return returned, seen, held(c)


@pytest.mark.parametrize("controlled", [False, True])
def test_parts_and_controllers(controlled, monkeypatch):
    expected = nested_and_controlled(contextlib.nullcontext, controlled)
    parts, execute = [], nested.execute
    monkeypatch.setattr(nested, "execute", lambda *args: (parts.append(args), execute(*args))[1])
    found = nested_and_controlled(accelerate, controlled)
    assert found[:2] == expected[:2]
    assert list(differences(expected[2], found[2], CATEGORIES)) == []
    assert len(parts) == (0 if controlled else 6)


@pytest.mark.parametrize("when", [pnl.TimeScale.TRIAL, pnl.TimeScale.RUN])
def test_a_controller_that_acts_later(when):
    """A callback lets it act after trials, or after the run."""

    def outcome(block):
        fresh()
        a, b = (pnl.ProcessingMechanism(name=name) for name in "AB")
        monitor = pnl.ObjectiveMechanism(name="O", monitor=[b])
        control = pnl.ControlMechanism(name="K", objective_mechanism=monitor, control_signals=[("slope", a)])
        c = pnl.Composition(pathways=[[a, b]], name="C", controller=control)
        seen = []

        def after():
            seen.append(np.asarray(c.results).tolist())
            if len(seen) == AFTER:
                c.controller_mode, c.controller_time_scale = "after", when
                c.scheduler.add_condition(b, pnl.Condition(lambda: (print(end=""), True)[1]))

        with block():
            returned = [np.asarray(c.run({a: [[1.0], [2.0], [3.0], [4.0]]}, call_after_trial=after)).tolist() for _ in range(2)]
        return returned, seen, held(c)

    expected, found = outcome(contextlib.nullcontext), outcome(accelerate)
    assert found[:2] == expected[:2]
    assert list(differences(expected[2], found[2], CATEGORIES)) == []


def test_a_change_before_the_first_trial():
    """By a callback, or by what makes its inputs: the run has begun."""

    def outcome(block, run):
        script = Script()
        with block():
            returned = np.asarray(run(script)).tolist()
        return returned, script.left(), held(script.c)

    def source(script):
        script.asks()
        yield from ({script.a: [row]} for row in FIVE)

    runs = [
        lambda s: s.c.run({s.a: FIVE}, call_before_trial=once(s.asks)),
        lambda s: s.c.run(source(s)),
    ]
    for run in runs:
        expected, found = outcome(contextlib.nullcontext, run), outcome(accelerate, run)
        assert found[:2] == expected[:2]
        assert list(differences(expected[2], found[2], CATEGORIES)) == []


def test_what_is_not_finite_in_the_midst_of_a_run():
    """A callback lets a trial give what PsyNeuLink's identity matrices spread; the trial is undone, and PsyNeuLink's."""

    def outcome(block):
        script = Script(lambda s: s.b.function.parameters.offset.set([np.inf, 0.0], s.c))
        with block(), warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            returned = np.asarray(script.run()).tolist()
        return repr(returned), repr(script.left()), held(script.c), said(caught)

    expected, found = outcome(contextlib.nullcontext), outcome(accelerate)
    assert found[:2] == expected[:2]
    assert list(differences(expected[2], found[2], CATEGORIES)) == []
    assert re.match(r"Composition 'C'.*: after 2 trials of the run, some of its numbers are infinite or NaN", found[3][0])
