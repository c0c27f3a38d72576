"""
The matrix of a recurrent Projection: PsyNeuLink lets a script set it, goes on with the one that it had, and puts that back when it runs.
"""

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.golden import fresh

import cogir.psyneulink

pytestmark = pytest.mark.filterwarnings("ignore")


def lca():
    """Competitors with names of their own for what is on the diagonal of the matrix and beside it."""
    return pnl.LCAMechanism(name="R", input_shapes=2, competition=1.0, self_excitation=0.2)


def recurrent():
    """A recurrent Mechanism."""
    return pnl.RecurrentTransferMechanism(name="R", input_shapes=2, auto=0.2, hetero=-0.5)


@pytest.mark.parametrize("make", [recurrent, lca])
def test_a_matrix_that_was_set_is_put_back(make):
    def found(run):
        fresh()
        node = make()
        composition = pnl.Composition(name="C", nodes=[node])
        run(composition)
        node.recurrent_projection.parameters.matrix.set(np.array([[0.1, -2.0], [-2.0, 0.1]]), "C")
        seen = []
        for change in (lambda: None, lambda: node.parameters.auto.set(0.9, "C"), lambda: node.parameters.hetero.set(-3.0, "C")):
            change()
            run(composition)
            held = (node.recurrent_projection.parameters.matrix, node.parameters.matrix, node.parameters.auto, node.parameters.hetero)
            seen += [np.asarray(parameter.get("C")).tolist() for parameter in held]
        return seen, [np.ravel(result) for result in composition.results]

    expected, results = found(lambda composition: composition.run({"R": [[1.0, 0.9], [0.2, 0.1]]}))
    here, native = found(lambda composition: cogir.psyneulink.run(composition, {"R": [[1.0, 0.9], [0.2, 0.1]]}))
    assert here == expected
    np.testing.assert_allclose(native, results, rtol=1e-12)


@pytest.mark.parametrize("make", [recurrent, lca])
def test_a_matrix_of_the_context_is_where_psyneulink_leaves_it(make):
    """An LCAMechanism's was not: the Projection's Parameter, which shares the matrix of the Mechanism, has values of its own, too."""

    def found(run):
        fresh()
        node = make()
        composition = pnl.Composition(name="C", nodes=[node])
        run(composition)
        shared = node.recurrent_projection.parameters.matrix
        return [parameter.values["C"].tolist() for parameter in (shared, shared.final_source)]

    inputs = {"R": [[1.0, 0.9]]}
    assert found(lambda each: cogir.psyneulink.run(each, inputs)) == found(lambda each: each.run(inputs))
