"""
A few lines of a script, run by PsyNeuLink alone and accelerated: what they return, and what they leave, is the same.
"""

import warnings

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.compare import CATEGORIES, differences, held
from support.psyneulink.golden import fresh

from cogir.psyneulink import FallbackWarning, accelerate

pytestmark = pytest.mark.filterwarnings("ignore")


def beside(script, kept=CATEGORIES):
    """
    What a script leaves differently when it is accelerated, and what was said of its fallbacks.

    `script`: a generator of Compositions, or of pairs of one and an execution context, each as it is to be compared at that point.
    """

    def found():
        fresh()
        return [held(*(one if isinstance(one, tuple) else (one, one.default_execution_id))) for one in script()]

    expected = found()
    with accelerate(), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        after = found()
    assert len(after) == len(expected)
    lines = [f"{at}: {line}" for at, pair in enumerate(zip(expected, after, strict=True)) for line in differences(*pair, kept)]
    return lines, [str(one.message) for one in caught if issubclass(one.category, FallbackWarning)]


def noisy_pair(noise=None):
    """A Mechanism that integrates, with noise, what another one gives it."""
    a = pnl.TransferMechanism(name="A", input_shapes=2)
    b = pnl.TransferMechanism(name="B", input_shapes=2, integrator_mode=True, integration_rate=0.4, noise=noise or pnl.NormalDist())
    return pnl.Composition(name="C", pathways=[a, b]), a, b


INTEGERS = {
    "argmax": lambda x: np.argmax(x),
    "an array": lambda x: x.astype(int) // 2,
    "a list": lambda x: [int(x[0][0]), int(x[0][1])],
    "a count": lambda x: len(x[0]),
}


@pytest.mark.parametrize("name", INTEGERS)
def test_a_function_that_returns_integers(name):
    def script():
        first = pnl.ProcessingMechanism(name="F", input_shapes=2, function=INTEGERS[name])
        last = pnl.TransferMechanism(name="L", input_shapes=len(first.value[0]), integrator_mode=True)
        for composition in (pnl.Composition(name="C", nodes=[first]), pnl.Composition(name="D", pathways=[first, last])):
            composition.run({first: [[1.0, 2.0], [3.0, 0.5], [0.1, 5.0]]})
            yield composition

    assert beside(script) == ([], [])


def test_a_number_for_a_call_in_the_place_of_drawn_noise():
    def script():
        composition, a, b = noisy_pair()
        composition.run({a: [[1, 2], [3, 4]]}, runtime_params={b: {"noise": 0.1}})
        yield composition

    lines, told = beside(script)
    assert not lines
    assert "runtime_params for 'noise' of 'B'" in told[0]


def test_a_number_for_a_call_in_the_place_of_one_that_is_modulated():
    def script():
        composition, a, _ = noisy_pair()
        last = pnl.TransferMechanism(name="L", input_shapes=2)
        composition.add_linear_processing_pathway([a, last])
        monitored = pnl.ProcessingMechanism(name="M")
        composition.add_nodes([monitored, pnl.ControlMechanism(monitor_for_control=monitored, control_signals=[("slope", last)])])
        composition.run({a: [[1, 2], [3, 4]], monitored: [[3], [4]]}, runtime_params={last: {"slope": 7.0}})
        yield composition

    lines, told = beside(script)
    assert not lines
    assert "runtime_params for 'slope' of 'L'" in told[0]


def test_what_complex_inputs_have_left():
    def values():
        fresh()
        composition, a, b = noisy_pair(noise=0.1)
        for inputs in ([1, 2], [1 + 1j, 2], [3, 4]):
            composition.run({a: [inputs]})
            yield b.parameters.value.get(composition)

    expected = list(values())
    with accelerate(), pytest.warns(FallbackWarning, match="its value is complex"):
        found = list(values())
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_counts_of_what_does_not_compile_in_a_second_context():
    def script():
        node = pnl.ProcessingMechanism(name="F", input_shapes=2, function=lambda x: np.ptp(x))
        composition = pnl.Composition(name="C", nodes=[node])
        for context in ("x", "y"):
            composition.run({node: [[1.0, 2.0], [3.0, 0.5]]}, context=context)
            yield composition, context

    lines, told = beside(script)
    assert not lines
    assert "np.ptp is not in the subset" in told[0]


def test_a_number_that_is_too_large_is_named():
    fresh()
    composition, a, _ = noisy_pair()
    with accelerate(), pytest.warns(FallbackWarning, match="is not numeric"), pytest.raises(Exception, match="Input to 'C Input_CIM'"):
        composition.run({a: [[10**400, 1]]})


@pytest.mark.parametrize("port", ["input_port", "output_port"])
def test_a_port_of_two_elements_that_is_overridden_fails_as_in_psyneulink(port):
    fresh()
    composition, a, b = noisy_pair()
    signal = pnl.GatingSignal(modulates=getattr(b, port), modulation=pnl.OVERRIDE)
    composition.add_node(pnl.GatingMechanism(name="G", gating_signals=[signal]))
    with pytest.raises(ValueError, match=r"mismatch|reshape") as expected:
        composition.run({a: [[1, 2]]})
    with accelerate(), pytest.warns(FallbackWarning, match="'G' modulates it with one number"), pytest.raises(ValueError) as found:  # noqa: PT011
        composition.run({a: [[1, 2]]})
    assert str(found.value) == str(expected.value)


NOT_PROJECTED_TO = {
    "of two": lambda: pnl.ProcessingMechanism(
        name="S", default_variable=[[0, 0], [0, 0]], input_ports=["x", "y"], function=pnl.LinearCombination
    ),
    "integrating": lambda: pnl.TransferMechanism(name="S", default_variable=[[0, 0], [0, 0]], input_ports=["x", "y"], integrator_mode=True),
    "a Python function": lambda: pnl.ProcessingMechanism(
        name="S", default_variable=[[0, 0], [0, 0]], input_ports=["x", "y"], function=lambda x: x[0] - x[1]
    ),
}


@pytest.mark.parametrize("name", NOT_PROJECTED_TO)
def test_a_port_that_was_forgotten_is_the_error_of_psyneulink(name):
    """It is not computed with as if it were zero."""
    fresh()
    first, second = pnl.ProcessingMechanism(name="F", input_shapes=2), NOT_PROJECTED_TO[name]()
    composition = pnl.Composition(name="C", nodes=[first, second])
    composition.add_projection(pnl.MappingProjection(), first, second.input_ports[0])
    with (
        accelerate(),
        pytest.warns(FallbackWarning, match="its InputPort 'y' receives no Projection"),
        pytest.raises(Exception, match="None"),
    ):
        composition.run({first: [[1, 2]]})


@pytest.mark.parametrize("is_nested", [False, True])
def test_a_port_that_is_added_between_runs(is_nested):
    def results():
        fresh()
        composition, _, b = noisy_pair()
        around = pnl.Composition(name="D", nodes=[composition]) if is_nested else composition
        around.run({around.nodes[0]: [[1, 2]]})
        b.add_ports([pnl.OutputPort(name="sum", variable=(pnl.OWNER_VALUE, 0), function=pnl.Reduce)])
        around.run({around.nodes[0]: [[1, 2], [3, 4]]})
        return [np.concatenate(trial).tolist() for trial in around.results]

    expected = results()
    with accelerate(strict=True):
        found = results()
    assert list(map(len, found)) == [2, 3, 3]
    np.testing.assert_allclose(np.concatenate(found), np.concatenate(expected), rtol=1e-12)


def test_a_port_that_gets_another_shape_between_runs():
    fresh()
    composition, a, _ = noisy_pair()
    composition.run({a: [[1, 2]]})
    with accelerate():
        composition.run({a: [[1, 2]]})
        a.input_port.defaults.variable = np.array([7.0, 7.0, 7.0])
        with pytest.warns(FallbackWarning, match="take 1 numbers, but .* carry 2"), pytest.raises(Exception, match="Invalid input"):
            composition.run()


def test_a_condition_of_what_is_no_component():
    def script():
        composition, a, _ = noisy_pair()
        composition.scheduler.add_condition("nobody", pnl.Always())
        composition.run({a: [[1, 2], [3, 4]]})
        yield composition

    assert beside(script) == ([], [])
