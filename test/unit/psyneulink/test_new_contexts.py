"""
In which execution contexts a Parameter has a value of its own: in those in which PsyNeuLink gives it one, and in no others.
"""

import contextlib
import warnings

import numpy as np
import pytest
from support.psyneulink_needed import require_psyneulink

require_psyneulink()

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import psyneulink as pnl
    from support.psyneulink_golden import fresh

from cogir.psyneulink import accelerate  # noqa: E402

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
        found.append([str(one.most_recent_context.execution_id) for one in (composition, a, b)])
    return found


CALLS = {
    "at first": [("x", BAD), ("x", GOOD)],
    "in another context": [("x", GOOD), ("y", BAD), ("y", GOOD)],
    "in the same context": [("x", GOOD), ("x", BAD), ("x", GOOD)],
    "not understood": [("x", GOOD), ("y", "abc"), ("y", GOOD), ("z", None)],
}


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
