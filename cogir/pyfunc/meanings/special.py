"""The functions of `scipy.special`, which cogir recognises where a function refers to them and never imports."""

from __future__ import annotations

from cogir.library.numerics import special
from cogir.pyfunc.arrays import add_axes, array_of
from cogir.pyfunc.elementwise import call, convert, force, materialise, select
from cogir.pyfunc.meanings.reductions import max_of, sum_of
from cogir.pyfunc.meanings.registry import FALSE, NONE, CallSite, axes_of, call_library, floating, known, means_special, tree
from cogir.pyfunc.values import Array, Const, Value, kind_of, shape_of_value


def _elementwise(c: CallSite, function: object, x: Value) -> Value:
    """A library function of each element, in 64 bits."""
    value = array_of(c.e, x)
    found = call_library(c, function, convert(c.e, value, "f64"))
    return convert(c.e, found, "f32") if kind_of(value) == "f32" else found


@means_special("erf")
def _erf(c: CallSite, x: Value) -> Value:
    return call(c.e, "erf", floating(c.e, array_of(c.e, x)))


@means_special("expit")
def _expit(c: CallSite, x: Value) -> Value:
    return _elementwise(c, special.expit, x)


@means_special("gammaln")
def _gammaln(c: CallSite, x: Value) -> Value:
    return _elementwise(c, special.gammaln, x)


@means_special("softmax")
def _softmax(c: CallSite, x: Value, axis: Value = NONE) -> Value:
    """`exp(x - m) / sum(...)` with `m` the largest element."""
    value = floating(c.e, array_of(c.e, x))
    if not shape_of_value(value):
        return call(c.e, "exp", call(c.e, "subtract", value, value))
    weights = Array(materialise(c.e, tree(c, call(c.e, "exp", call(c.e, "subtract", value, max_of(c, value, axis, Const(True)))))))
    return call(c.e, "divide", weights, sum_of(c, weights, axis, Const(True)))


@means_special("logsumexp")
def _logsumexp(c: CallSite, a: Value, axis: Value = NONE, b: Value = NONE, keepdims: Value = FALSE, return_sign: Value = FALSE) -> Value:
    """`m + log(sum(exp(a - m)))` with `m` the largest element, or 0 if that is not finite."""
    e = c.e
    if not (isinstance(b, Const) and b.value is None):
        raise e.error("logsumexp: weights b are not in the subset; write logsumexp(a + np.log(b)) for weights above 0")
    if known(c, return_sign, "return_sign"):
        raise e.error("logsumexp: return_sign is not in the subset; the sum of exponentials is never negative")
    value = floating(e, array_of(e, a))

    node = tree(c, value)
    if not node.shape:
        return call(e, "positive", value)
    axes = axes_of(c, axis, len(node.shape))
    top = max_of(c, value, axis)
    top = select(e, call(e, "isfinite", top), top, Const(0.0))
    if isinstance(top, Array):
        force(e, top)

    def with_axes(reduced: Value) -> Value:
        """As with `keepdims`."""
        return Array(add_axes(tree(c, reduced), axes))

    weights = call(e, "exp", call(e, "subtract", value, with_axes(top)))
    found = call(e, "add", call(e, "log", sum_of(c, weights, axis)), top)
    return with_axes(found) if known(c, keepdims, "keepdims") else found
