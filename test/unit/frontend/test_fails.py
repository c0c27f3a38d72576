"""
Trials that fail: a state that must be zero is not, and the run stops after the trial before.
"""

import pytest

import cogir
from cogir.library import State, Step

MODES = ["python", "per_node", "exec", "run"]


def doubled(x, *, over: State = 0.0):
    return Step(outputs=(x * 2.0,), states=(1.0 if x > 2.0 else over,))


def model():
    """Doubles what it gets, of which more than 2 is too much."""
    m = cogir.Model("m")
    a = m.node("a", doubled, input={"x": ()})
    m.schedule.fails(a.state("over"), "x was too much; give less")
    return m


@pytest.mark.parametrize("mode", MODES)
def test_a_run_stops_before_the_trial_that_fails(mode):
    compiled = model().compile(mode=mode)
    with pytest.raises(cogir.ExecutionError, match=r'node "a" failed.*: x was too much; give less') as caught:
        compiled.run({"a": [1.0, 2.0, 3.0, 4.0]})
    assert (caught.value.result["a"].tolist(), caught.value.result.status) == ([2.0, 4.0], "failed")
    assert compiled.run({"a": [1.5]})["a"].tolist() == [3.0]
    assert compiled.state["a/over"] == 0.0


@pytest.mark.parametrize("mode", MODES)
def test_a_trial_fails_with_one_inside_it(mode):
    outer = cogir.Model("outer")
    outer.instance("inner", model())
    with pytest.raises(cogir.ExecutionError, match='node "inner/a" failed'):
        outer.compile(mode=mode).run({"inner": [3.0]})


@pytest.mark.parametrize("mode", MODES)
def test_what_fails_first_is_told(mode):
    """A trial inside fails, then one of the two nodes around it."""
    outer = cogir.Model("outer")
    outer.instance("inner", model())
    b, c = (outer.node(name, doubled, input={"x": ()}) for name in "bc")
    outer.project("inner", b)
    outer.project(b, c)
    outer.schedule.fails(b.state("over"), "b had too much")
    outer.schedule.fails(c.state("over"), "c had too much")
    compiled = outer.compile(mode=mode)
    with pytest.raises(cogir.ExecutionError, match='node "inner/a" failed'):
        compiled.run({"inner": [3.0]})
    with pytest.raises(cogir.ExecutionError, match='node "b" failed'):
        compiled.run({"inner": [1.5]})
    with pytest.raises(cogir.ExecutionError, match='node "c" failed'):
        compiled.run({"inner": [0.75]})


@pytest.mark.parametrize("mode", ["python", "run"])
def test_replicates_fail(mode):
    with pytest.raises(cogir.ExecutionError, match=r'node "a" failed.*: x was too much'):
        model().compile(mode=mode).replicates({"a": [1.0, 3.0]}, count=3)


@pytest.mark.parametrize("mode", ["python", "run"])
def test_a_search_fails_with_what_it_simulates(mode):
    """Only a trial that is simulated has too much."""
    m = cogir.Model("m")
    first = m.node("first", lambda x, *, gain=1.0: x * gain, input={"x": ()})
    a = m.node("a", doubled, input={"x": ()})
    m.project(first, a)
    m.schedule.fails(a.state("over"), "x was too much; give less")
    m.control("c", objective=a, signals=[cogir.Signal(first.param("gain"), levels=[1.0, 5.0])])
    assert m.compile(mode=mode).run({"first": [0.25]}).allocations["c"].tolist() == [[5.0]]
    with pytest.raises(cogir.ExecutionError, match='node "a" failed'):
        m.compile(mode=mode).run({"first": [1.0]})


def test_only_the_results_of_trials_that_did_not_fail():
    compiled = cogir.compile(str(model().ir()))
    compiled.specialise(only_results=True)
    with pytest.raises(cogir.ExecutionError, match='node "a" failed in trial 1'):
        compiled.run({"a": [1.0, 3.0]})


def test_what_is_said_wrongly():
    m = model()
    a = m.nodes["a"]
    for given, message in (
        ((a, "no"), "schedule.fails: found .*; give a state"),
        ((a.state("over"), "no"), 'schedule.fails of "a": "over" is given already, at .*test_fails.py'),
        ((a.state("over"), ""), "schedule.fails of \"a\": the message is ''; give a text"),
        ((model().nodes["a"].state("over"), "no"), "schedule.fails"),
    ):
        with pytest.raises(cogir.ModelError, match=message):
            m.schedule.fails(*given)
