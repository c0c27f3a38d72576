"""
Calls of a Composition that is nested in another one: native where PsyNeuLink answers, and the errors of PsyNeuLink where it does not.
"""

import contextlib

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.golden import fresh

from cogir.psyneulink import FallbackWarning, accelerate

pytestmark = pytest.mark.filterwarnings("ignore")


def outcomes(calls, block):
    """What each of these calls returns or raises, and which execution contexts the nested Mechanism then has values in."""
    fresh()
    x = pnl.ProcessingMechanism(name="x", input_shapes=2)
    inside = pnl.TransferMechanism(name="inside", input_shapes=2, integrator_mode=True)
    inner = pnl.Composition(name="IN", pathways=[inside])
    outer = pnl.Composition(name="OUT", pathways=[x, inner])
    compositions = {"inner": (inner, {inside: [[1.0, 2.0]]}), "outer": (outer, {x: [[3.0, 4.0]]})}
    found = []
    with block:
        for which, method, context in calls:
            composition, inputs = compositions[which]
            try:
                found.append(np.asarray(getattr(composition, method)(inputs, context=context)).tolist())
            except Exception as error:
                found.append((type(error).__name__, str(error)))
            found.append({str(key): np.asarray(value).tolist() for key, value in inside.parameters.value.values.items()})
    return found


CALLS = {
    "before the outer one": [("inner", "execute", None), ("outer", "run", None), ("inner", "execute", None)],
    "after the outer one": [("outer", "run", None), ("inner", "run", None), ("inner", "execute", None), ("outer", "run", None)],
    "in the context of the outer one": [("outer", "run", "q"), ("inner", "execute", "q"), ("inner", "run", "q"), ("outer", "run", "q")],
    "after a run that fails": [("outer", "run", "q"), ("inner", "run", "q"), ("inner", "execute", "q"), ("outer", "run", "q")],
    "after execute": [("outer", "execute", None), ("inner", "execute", None), ("outer", "execute", None), ("inner", "run", None)],
}


@pytest.mark.parametrize("case", CALLS)
def test_calls_of_a_nested_composition(case):
    assert outcomes(CALLS[case], accelerate()) == outcomes(CALLS[case], contextlib.nullcontext())


def test_it_says_why_execute_is_left_to_psyneulink():
    with pytest.warns(FallbackWarning, match=r"'IN': execute\(\) is called while it is nested .*; execute the outer Composition"):
        outcomes(CALLS["before the outer one"], accelerate())


def test_a_nested_composition_that_has_learned_runs_where_psyneulink_fails():
    def found(block):
        fresh()
        x, a = (pnl.ProcessingMechanism(name=name, input_shapes=2) for name in "xa")
        o = pnl.ProcessingMechanism(name="o", input_shapes=1, function=pnl.Logistic())
        inner = pnl.AutodiffComposition(name="AD", pathways=[a, o], learning_rate=0.5)
        inner.learn(inputs={a: [[0, 1], [1, 0]]}, targets={o: [[0], [1]]}, epochs=2, context="q")
        alone = np.ravel(inner.run({a: [[1.0, 2.0]]}, context="q"))
        outer = pnl.Composition(name="OUT", pathways=[x, inner])
        with block:
            return alone, np.ravel(outer.run({x: [[1.0, 2.0]]}, context="q"))

    with pytest.raises(TypeError, match=r"unsupported operand type.*'NoneType' and 'float'"):
        found(contextlib.nullcontext())
    alone, nested = found(accelerate(strict=True))
    np.testing.assert_allclose(nested, alone, rtol=1e-12)
