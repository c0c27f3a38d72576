"""`np.einsum`, and the square systems of equations of `np.linalg`."""

from __future__ import annotations

import numpy as np
from xdsl.ir.affine import AffineExpr

from cogir.library.numerics import linear_algebra
from cogir.pyfunc.arrays import array_of, reshape
from cogir.pyfunc.elementwise import call, common_kind, convert, viewed
from cogir.pyfunc.meanings.reductions import sum_of
from cogir.pyfunc.meanings.registry import CallSite, call_library, known, means, tree
from cogir.pyfunc.trees import Node
from cogir.pyfunc.values import Array, Const, Tuple, Value, describe, kind_of, shape_of_value


@means(np.einsum)
def _einsum(c: CallSite, subscripts: Value, *operands: Value) -> Value:
    """One loop nest over all letters: products from the first operand to the last, summed over the letters that the result has not."""
    e = c.e
    written = known(c, subscripts, "the subscripts of np.einsum")
    if not isinstance(written, str):
        raise e.error("np.einsum takes its subscripts as a string: np.einsum('ij,j->i', m, v)")
    inputs, arrow, result = written.replace(" ", "").partition("->")
    terms = inputs.split(",")
    letters = sorted(set("".join(terms)))
    if not all(letter.isascii() and letter.isalpha() for letter in (*letters, *result)):
        raise e.error(f"np.einsum: the subscripts {written!r} hold more than letters, ',' and '->'; name each axis (without '...')")
    if not arrow:
        result = "".join(letter for letter in letters if inputs.count(letter) == 1)
    nodes = [tree(c, operand) for operand in operands]
    if len(nodes) != len(terms):
        raise e.error(f"np.einsum: {written!r} has {len(terms)} terms for {len(nodes)} arrays; give one for each")
    extents: dict[str, int] = {}
    for term, node, operand in zip(terms, nodes, operands, strict=True):
        if len(term) != len(node.shape):
            raise e.misfit(f"np.einsum: {term!r} names {len(term)} axes of {describe(operand)}; name each")
        for letter, extent in zip(term, node.shape, strict=True):
            if (known_extent := extents.get(letter, 1)) != extent and 1 not in (known_extent, extent):
                raise e.misfit(
                    f"np.einsum: axis {letter!r} has {known_extent} elements in one array and {extent} in another; make them equal"
                )
            extents[letter] = max(known_extent, extent)
    if len(set(result)) != len(result) or not set(result) <= set(letters):
        raise e.error(f"np.einsum: the result {result!r} needs letters of the terms, each once")
    order = [*result, *(letter for letter in letters if letter not in result)]
    kind = common_kind(e, [Array(node) for node in nodes])

    def in_all_axes(term: str, node: Node) -> Value:
        shape = tuple(extents[letter] for letter in order)
        axes = [
            AffineExpr.constant(0) if extent == 1 else AffineExpr.dimension(order.index(letter))
            for letter, extent in zip(term, node.shape, strict=True)
        ]
        value = Array(viewed(node, axes, shape)) if order else array_of(e, Array(node))
        # NumPy combines truth values by `and` and `or`.
        return convert(e, value, "i64" if kind == "i1" else kind)

    product = in_all_axes(terms[0], nodes[0])
    for term, node in zip(terms[1:], nodes[1:], strict=True):
        product = call(e, "multiply", product, in_all_axes(term, node))
    summed = tuple(Const(place) for place in range(len(result), len(order)))
    found = sum_of(c, product, Tuple(summed)) if summed else product
    return convert(e, found, "i1") if kind == "i1" else found


def _square(c: CallSite, title: str, a: Value) -> Value:
    """A square matrix of floats."""
    value = array_of(c.e, a)
    shape = shape_of_value(value)
    if len(shape) > 2:
        raise c.e.misfit(f"{title} takes one matrix, not {describe(value)}; use a for loop over the matrices")
    if len(shape) != 2 or shape[0] != shape[1]:
        raise c.e.misfit(f"{title} takes a square matrix, not {describe(value)}")
    return convert(c.e, value, "f64")


def _in_kind_of(c: CallSite, found: Value, *values: Value) -> Value:
    """float32 if all the arguments are; they are computed in 64 bits."""
    return convert(c.e, found, "f32") if all(kind_of(array_of(c.e, value)) == "f32" for value in values) else found


@means(np.linalg.solve)
def _solve(c: CallSite, a: Value, b: Value) -> Value:
    e = c.e
    matrix, right = _square(c, "np.linalg.solve", a), convert(e, array_of(e, b), "f64")
    shape = shape_of_value(right)
    n = shape_of_value(matrix)[0]
    if len(shape) not in (1, 2) or shape[0] != n:
        raise e.misfit(f"np.linalg.solve: the right side of {n} equations is {describe(right)}; give {n} elements or rows")
    columns = right if len(shape) == 2 else reshape(e, right, (n, 1))
    return _in_kind_of(c, reshape(e, call_library(c, linear_algebra.solve, matrix, columns), shape), a, b)


@means(np.linalg.inv)
def _inv(c: CallSite, a: Value) -> Value:
    return _in_kind_of(c, call_library(c, linear_algebra.inverse, _square(c, "np.linalg.inv", a)), a)


@means(np.linalg.det)
def _det(c: CallSite, a: Value) -> Value:
    return _in_kind_of(c, call_library(c, linear_algebra.det, _square(c, "np.linalg.det", a)), a)


@means(np.linalg.cholesky)
def _cholesky(c: CallSite, a: Value) -> Value:
    return _in_kind_of(c, call_library(c, linear_algebra.cholesky, _square(c, "np.linalg.cholesky", a)), a)
