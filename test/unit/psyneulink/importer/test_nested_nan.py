"""
Infinities that go into a nested Composition, or out of one: PsyNeuLink multiplies them by identity matrices there, which makes NaN of the
rest, though what the Mechanisms behind make of them is finite.
"""

import contextlib

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.golden import fresh

from cogir.errors import CogirError
from cogir.psyneulink import FallbackWarning, accelerate
from cogir.psyneulink.execution import session
from cogir.runtime.results import Result, RunInterrupted

pytestmark = pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning", "ignore:overflow:RuntimeWarning")


class Own(pnl.ProcessingMechanism):
    """A class that cogir does not know, so that what is around the nested Composition runs in PsyNeuLink."""


def inside(*nodes, levels=1):
    """A Composition in as many others as make these levels."""
    made = pnl.Composition(name="I1", pathways=[list(nodes)])
    for level in range(1, levels):
        made = pnl.Composition(name=f"I{level + 1}", pathways=[[made]])
    return made


def build(kind):
    """Exponentials, which may be infinite, and logistic functions, which make finite numbers of that, and what crosses between them."""
    size = 1 if kind == "one number" else 2
    source = (Own if kind == "in PsyNeuLink" else pnl.ProcessingMechanism)(name="A", input_shapes=size, function=pnl.Exponential)
    if kind == "at the end":
        return pnl.Composition(name="C", nodes=[source])
    middle, last = (pnl.ProcessingMechanism(name=name, input_shapes=size, function=pnl.Logistic) for name in "BD")
    if kind == "out":
        return pnl.Composition(name="C", pathways=[[inside(source), last]])
    within = inside(middle, levels=2 if kind == "two levels" else 1)
    composition = pnl.Composition(name="C", nodes=[source], pathways=[[within, last]])
    composition.add_projection(pnl.MappingProjection(source, middle, matrix=np.ones((size, size))), source, middle)  # spreads no NaN
    return composition


def results(kind, block, largest=1000.0):
    """Those of three runs, in the second of which a trial goes to infinity, and how often each Mechanism has been executed."""
    fresh()
    composition = build(kind)
    first = composition.nodes[0]
    width = 1 if kind == "one number" else 2
    with block:
        for trials in ([[0.0, 1.0]], [[0.0, 1.0], [largest, 1.0], [0.0, 0.0]], [[0.3, 1.0]]):
            composition.run(inputs={first: [trial[:width] for trial in trials]})
    mechanisms = [node for node in composition._all_nodes if isinstance(node, pnl.ProcessingMechanism)]
    return np.array(composition.results), [str(node.parameters.num_executions.get(composition)) for node in mechanisms]


@pytest.mark.parametrize(("kind", "port"), [("in", "B"), ("out", "A"), ("two levels", "B")])
def test_what_identity_matrices_spread_at_a_nested_composition(kind, port):
    expected, counts = results(kind, contextlib.nullcontext())
    said = f"Composition 'C', '.*' of '{port}', which is nested: some of its numbers are infinite or NaN"
    assert np.isnan(expected[2]).any()
    with pytest.warns(FallbackWarning, match=said):
        found, here = results(kind, accelerate())
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    assert here == counts
    with pytest.raises(CogirError, match=said):
        results(kind, accelerate(strict=True))


def test_a_nested_composition_in_one_that_runs_in_psyneulink():
    expected, counts = results("in PsyNeuLink", contextlib.nullcontext())
    with pytest.warns(FallbackWarning, match="its class Own is not PsyNeuLink's own"):
        found, here = results("in PsyNeuLink", accelerate())
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    assert here == counts


@pytest.mark.parametrize(("kind", "largest"), [("in", 5.0), ("out", 5.0), ("one number", 1000.0)])
def test_finite_numbers_and_single_ones_run_natively(kind, largest):
    expected, _ = results(kind, contextlib.nullcontext(), largest)
    found, _ = results(kind, accelerate(strict=True), largest)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize("kind", ["in", "out", "at the end"])
def test_what_was_spread_in_a_run_that_is_interrupted_has_not_been(kind, monkeypatch):
    """There is no other run that could put it right; the next one goes on from before."""
    fresh()
    composition = build(kind)
    node, run = composition.nodes[0], session.Trials.run

    def interrupted(self, context, rows, out):
        progress = run(self, context, rows, out)
        raise RunInterrupted("interrupted", Result(context.plan, out[: progress.done], "interrupted", {}))

    with accelerate(strict=True):
        composition.run({node: [[0.0, 1.0]]})
        with monkeypatch.context() as patched:
            patched.setattr(session.Trials, "run", interrupted)
            with pytest.raises(KeyboardInterrupt):
                composition.run({node: [[0.5, 1.0], [1000.0, 1.0]]})
            assert len(composition.results) == 1
            with pytest.raises(KeyboardInterrupt):
                composition.run({node: [[0.5, 1.0]]})
            assert len(composition.results) == 2  # of a run without such numbers they are kept
        composition.run({node: [[0.0, 1.0]]})
    np.testing.assert_array_equal(composition.results[2], composition.results[0])
