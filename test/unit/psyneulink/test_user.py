"""
What a user meets: explanations, warnings and errors that name what they are about, and a run that is stopped.
"""

import threading
import warnings

import numpy as np
import pytest
from support.interrupts import press_soon
from support.psyneulink import pnl
from support.psyneulink.golden import fresh

from cogir.errors import CogirError
from cogir.psyneulink import FallbackWarning, accelerate, explain
from cogir.psyneulink.__main__ import main

pytestmark = pytest.mark.filterwarnings("ignore")


def build(**settings):
    """A Mechanism that integrates what another one gives it."""
    fresh()
    a = pnl.TransferMechanism(name="A", input_shapes=2)
    b = pnl.TransferMechanism(name="B", input_shapes=2, integrator_mode=True, noise=pnl.NormalDist(), **settings)
    return pnl.Composition(name="C", pathways=[[a, np.eye(2), b]])


def told(call):
    """What the FallbackWarnings of a call say."""
    with accelerate(), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    return [str(one.message) for one in caught if issubclass(one.category, FallbackWarning)]


def test_a_mechanism_is_explained():
    assert explain(build().nodes["A"])
    found = explain(pnl.ProcessingMechanism(name="own", function=lambda variable, table={"a": 1.0}: variable * table["a"]))
    assert not found
    assert "the argument 'table' of its Python function is {'a': 1.0}, not numeric" in str(found)


def test_a_function_that_does_not_compile_is_found_in_the_script():
    """Nothing that stands between the script and the compiler is named in its place."""
    fresh()
    composition = pnl.Composition(
        name="C", nodes=[pnl.ProcessingMechanism(name="S", input_shapes=3, function=lambda values: np.unwrap(values))]
    )
    (said,) = told(lambda: composition.run({"S": [[3.0, 1.0, 2.0]]}))
    assert said.startswith(f"{__file__}:")
    assert "np.unwrap is not in the subset" in said


def test_a_function_that_does_not_compile_is_explained():
    fresh()
    found = explain(pnl.Composition(name="C", nodes=[pnl.ProcessingMechanism(name="S", function=lambda values: np.unwrap(values))]))
    assert not found
    assert "np.unwrap is not in the subset" in str(found)
    assert found.findings[-1].remedy


def test_what_is_no_component_is_not_explained():
    with pytest.raises(CogirError, match="is a list; give it a Composition, or a Mechanism"):
        explain([1.0])


def test_a_composition_that_has_learned_runs_natively():
    fresh()
    first, last = pnl.TransferMechanism(name="I", input_shapes=2), pnl.TransferMechanism(name="O", function=pnl.Logistic)
    composition = pnl.Composition(name="L")
    composition.add_backpropagation_learning_pathway([first, np.array([[0.1], [0.2]]), last], learning_rate=0.5)
    target = composition.pathways[0].target
    composition.learn({first: [[1, 0], [0, 1]], target: [[1], [0]]}, num_trials=2)
    with accelerate(strict=True):
        composition.run({first: [[1, 0]]})


def test_a_fallback_is_told_at_the_line_of_the_script():
    composition = build()
    with accelerate(), pytest.warns(FallbackWarning) as caught:
        composition.run(inputs={"A": [[1, 2]]}, call_after_pass=lambda: None)
    assert caught[0].filename == __file__


def test_an_error_of_psyneulink_is_its_own_after_a_fallback():
    composition = build()

    def wrong(**given):
        raise ValueError("of the script")

    with accelerate(), pytest.raises(ValueError, match="of the script") as caught:
        composition.run(inputs={"A": [[1, 2]]}, call_after_pass=wrong)
    assert caught.value.__context__ is None


def test_a_history_that_is_not_kept_says_why():
    composition = build()
    slope = composition.nodes["A"].function.parameters.slope
    with accelerate(strict=True):
        composition.run(inputs={"A": [[1, 2], [3, 4]]})
    with pytest.raises(Exception, match="no value in history") as caught:
        slope.get_previous(composition)
    assert "native runs keep a history of one value, for Mechanisms, InputPorts and OutputPorts" in str(caught.value.__cause__)
    assert composition.nodes["A"].parameters.value.get_previous(composition).tolist() == [[1, 2]]


def test_start_values_make_no_noise():
    """Zero to the power of -1, before there is an input."""
    fresh()
    a, b = pnl.TransferMechanism(name="A"), pnl.TransferMechanism(name="B")
    quotient = pnl.ObjectiveMechanism(name="O", monitor=[a, (b, 1, -1)], function=pnl.LinearCombination(operation=pnl.PRODUCT))
    composition = pnl.Composition(name="C", pathways=[[a, quotient], [b, quotient]])
    with accelerate(strict=True), warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        assert composition.run({a: [[2.0]], b: [[4.0]]}) == [[0.5]]


def test_inputs_that_are_no_numbers_are_named():
    composition = build()

    def call():
        with pytest.raises(Exception):  # noqa: PT011 (whatever PsyNeuLink says)
            composition.run(inputs={"A": [["x", 2]]})

    assert "Composition 'C', input of 'A' in trial 0: array([['x', '2']]" in told(call)[0]


def test_a_callback_within_a_trial_has_a_granularity():
    composition = build()
    assert told(lambda: composition.run(inputs={"A": [[1, 2]]}, call_after_time_step=lambda: None)) == [
        "Composition 'C': run() is called with call_after_time_step, within a trial; use call_after_trial; native runs call back between"
        " trials (it runs in PsyNeuLink)"
    ]


def test_one_reason_is_given_once():
    composition = build()
    calls = [lambda: composition.run(inputs={"A": [[1, 2]]}, call_after_pass=lambda: None)] * 3
    assert len(told(lambda: [call() for call in calls])) == 1


def test_a_strict_script_ends_with_its_own_lines(tmp_path, capsys):
    script = tmp_path / "script.py"
    script.write_text(
        'import psyneulink as pnl\ncomposition = pnl.Composition(nodes=[pnl.TransferMechanism(name="A")])\n'
        "composition.run([1], call_after_pass=print)\n"
    )
    fresh()
    assert main(["--strict", str(script)]) == 1
    trace = capsys.readouterr().err
    assert trace.count('File "') == 2  # the script, and what raises
    assert f'File "{script}", line 3' in trace
    assert "UnsupportedFeature: Composition 'Composition-0': run() is called with call_after_pass" in trace


def endless():
    """A Composition whose trials take about a millisecond."""
    return build(termination_threshold=1e9, termination_measure=max, termination_comparison_op=">", execute_until_finished=True)


def run_trials(composition, trials):
    composition.nodes["B"].parameters.max_executions_before_finished.set(20_000)
    composition.run(inputs={"A": [[1.0, 2.0], [0.5, -1.0]]}, num_trials=trials)


def test_an_interrupted_run_keeps_what_was_finished():
    composition = endless()
    with accelerate(strict=True):
        run_trials(composition, 3)
        press_soon(0.3)
        with pytest.raises(KeyboardInterrupt):
            run_trials(composition, 100_000)
        kept = len(composition.results)
        assert 3 < kept < 100_003
        run_trials(composition, 2)
        found = np.array(composition.results)
    reference = endless()
    with accelerate(strict=True):
        run_trials(reference, 3)
        run_trials(reference, kept - 3)
        run_trials(reference, 2)
    assert np.array_equal(found, np.array(reference.results))
    assert composition.nodes["B"].parameters.num_executions.get("C").life == (kept + 2) * 20_000


def test_a_run_in_another_thread():
    composition, reference = build(), build()
    with accelerate(strict=True):
        reference.run(inputs={"A": [[1.0, 2.0]]}, num_trials=5)
        composition = build()
        thread = threading.Thread(target=lambda: composition.run(inputs={"A": [[1.0, 2.0]]}, num_trials=5))
        thread.start()
        thread.join()
    assert np.array_equal(np.array(composition.results), np.array(reference.results))
