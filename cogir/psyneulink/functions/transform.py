"""PsyNeuLink's transform, selection, objective and distribution functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from cogir import library
from cogir.psyneulink.functions.compose import Composer
from cogir.psyneulink.functions.counterpart import Counterpart, ParameterPlace, ParameterWrite, flat
from cogir.psyneulink.functions.memory_by_turns import matrix_memory_by_turns
from cogir.psyneulink.functions.table_entry import FunctionReader, TableEntry
from cogir.psyneulink.pnl import raw_value

_PACKAGE = "psyneulink.core.components.functions.nonstateful."
TRANSFORM = f"{_PACKAGE}transformfunctions"
SELECTION = f"{_PACKAGE}selectionfunctions"
OBJECTIVE = f"{_PACKAGE}objectivefunctions"
DISTRIBUTION = f"{_PACKAGE}distributionfunctions"


def _optional(r: FunctionReader, *names: str) -> dict[str, tuple[str, Any]]:
    """Weights and exponents, which are None where there are none."""
    return {name: (name, r.numbers(name) if r.value(name) is not None else 1.0) for name in names}


def _concatenate(r: FunctionReader) -> Counterpart:
    if not r.ragged and len(r.shape) > 2:
        raise r.refuse("its variable has more than two dimensions", "give rows")
    inputs = {"variable": ParameterPlace(r.function, "variable", None, (r.size,))}
    return r.make(library.flatten, scalars="scale offset", inputs=inputs, shape=(r.size,))


def _rearrange(r: FunctionReader) -> Counterpart:
    rows = [np.asarray(row).reshape(-1) for row in (r.variable if r.ragged or len(r.shape) > 1 else [r.variable])]
    starts = np.cumsum([0, *(len(row) for row in rows)]).tolist()
    arrangement = r.value("arrangement")
    if arrangement is None:
        groups = [tuple(range(len(rows)))]
    else:
        groups = [tuple(int(i) % len(rows) for i in np.reshape(group, -1).tolist()) for group in arrangement]
    places = [[place for i in group for place in range(starts[i], starts[i + 1])] for group in groups]
    inputs = {"variable": ParameterPlace(r.function, "variable", None, (r.size,))}
    outputs = {"value": ParameterPlace(r.function, "value", None, (len(places), len(places[0])))}
    if len({len(group) for group in places}) > 1:
        raise r.refuse("its groups have different lengths", "arrange them in groups of one length")
    function = library.rearrange(tuple(place for group in places for place in group))
    return r.make(function, scalars="scale offset", inputs=inputs, outputs=outputs)


def _reduce(r: FunctionReader) -> Counterpart:
    r.regular()
    shape = np.atleast_2d(r.variable).shape
    values = _optional(r, "weights", "exponents")
    inputs = {"variable": ParameterPlace(r.function, "variable", None, shape)}
    terms = np.broadcast_shapes(shape, *(np.shape(value) for _, value in values.values()))
    statics = {"operation": r.choice("operation", ("sum", "product"))}
    return r.make(library.reduce, scalars="scale offset", values=values, statics=statics, inputs=inputs, shape=(terms[0], *terms[2:]))


def _linear_combination(r: FunctionReader) -> Counterpart:
    r.regular()
    if len(r.shape) < 2:
        return r.make(library.linear, values={"slope": ("scale", r.numbers("scale")), "intercept": ("offset", r.numbers("offset"))})
    operation = r.choice("operation", ("sum", "product", "cross-entropy"))
    values = _optional(r, "weights", "exponents", "scale", "offset")
    if r.value("offset") is None:
        values["offset"] = ("offset", 0.0)
    terms = np.broadcast_shapes(r.shape, *(np.shape(values[name][1]) for name in ("weights", "exponents")))
    shape = np.broadcast_shapes(terms[1:], *(np.shape(_plain(values[name][1])) for name in ("scale", "offset")))
    values |= {name: (name, _plain(values[name][1])) for name in ("scale", "offset")}
    return r.make(library.linear_combination, values=values, statics={"operation": operation}, shape=shape)


def _plain(value: Any) -> Any:
    """An array of one element as a number, as PsyNeuLink takes scale and offset."""
    return float(np.reshape(value, ())) if np.size(value) == 1 else value


def _combine_means(r: FunctionReader) -> Counterpart:
    r.rows()
    values = _optional(r, "weights", "exponents")
    operation = r.choice("operation", ("sum", "product"))
    terms = np.broadcast_shapes(r.shape[:1], *(np.shape(value) for _, value in values.values()))
    return r.make(library.combine_means, "scale offset", values=values, statics={"operation": operation}, shape=terms[1:])


def _matrix_transform(r: FunctionReader) -> Counterpart:
    r.regular()
    matrix = np.asarray(r.numbers("matrix"))
    operation, normalize = r.choice("operation", ("dot_product", "difference")), bool(r.choice("normalize", (True, False)))
    f, vector = r.function, r.shape
    if operation == "difference":
        shape = np.broadcast_shapes(vector, matrix.shape)[1:]
        return r.make(library.psyneulink.matrix_distance, "matrix", statics={"normalize": normalize}, shape=shape)
    axes = r.value("axes")
    if isinstance(axes, tuple | list):
        raise r.refuse(f"axes is {axes!r}", "give one number of axes")
    count = (1 if matrix.ndim <= 2 else len(vector)) if isinstance(axes, str) else int(axes)
    if normalize and (matrix.ndim != 2 or len(vector) != 1):
        raise r.refuse("normalize with more dimensions than a vector and a matrix have", "give a vector and a matrix")
    left, right = vector[: len(vector) - count], matrix.shape[count:]
    if vector[len(vector) - count :] != matrix.shape[:count]:
        raise r.refuse(f"its variable has the shape {vector}, its matrix {matrix.shape}", "give shapes that match")
    inner = int(np.prod(vector[len(vector) - count :]))
    taken = (int(np.prod(left)), inner) if left else (inner,)
    if not right and matrix.ndim == count:
        raise r.refuse("its matrix has one axis", "give a matrix of two")
    return r.make(
        library.matrix_transform_normalized if normalize else library.matrix_transform,
        values={"matrix": ("matrix", matrix.reshape(inner, -1))},
        inputs={"variable": ParameterPlace(f, "variable", None, taken)},
        shape=(*left, *right),
    )


_OF_MEMORY = ("query", "combined_scores", "weakest")
"""The items of the variable of a MatrixMemory; one that is used by turns has the turn behind them."""


def _matrix_memory(r: FunctionReader) -> Counterpart:
    operation = r.given.get("operation", "COMPUTE_SCORES")
    by_turns = len(r.variable) == len(_OF_MEMORY) + 1
    if operation not in ("COMPUTE_SCORES", "ACCESS_MEMORY", "retrieve"):
        # PsyNeuLink 0.21 fails after "store": it has no entry to return.
        raise r.refuse(f"operation is {operation!r}", "call it with COMPUTE_SCORES, ACCESS_MEMORY or RETRIEVE")
    f, memory = r.function, np.asarray(r.numbers("memory"))
    n, m = memory.shape
    scores = r.value("scores_function")
    if type(scores).__name__ != "MatrixTransform":
        raise r.refuse("its scores_function is not a MatrixTransform", "do not replace it")
    if not np.array_equal(np.asarray(raw_value(scores.parameters.matrix, r.context), float), memory.T):
        raise r.refuse("its memory and the matrix of its scores_function differ", "set the matrix to the transposed memory")
    statics = {
        "metric": raw_value(scores.parameters.operation, r.context),
        "normalize_memories": bool(raw_value(scores.parameters.normalize, r.context)),
    }
    if not by_turns:
        statics["operation"] = operation

    def rewrite(states: Mapping[str, Any]) -> list[Any]:
        kept = np.array(states["memory"])
        return [ParameterWrite(f, "memory", kept), ParameterWrite(scores, "matrix", kept.T)]

    shapes = dict(zip((*_OF_MEMORY, "turn") if by_turns else _OF_MEMORY, ((m,), (n,), (1,), (1,)), strict=False))
    return r.make(
        matrix_memory_by_turns if by_turns else library.psyneulink.matrix_memory,
        scalars="storage_prob decay_rate",
        states={"memory": ("memory", (n, m), (n, m))},
        statics=statics,
        random="random",
        inputs={name: ParameterPlace(f, "variable", item, shape) for item, (name, shape) in enumerate(shapes.items())},
        outputs={
            "entry": ParameterPlace(f, "value", 0, (m,)),
            "scores": ParameterPlace(f, "value", 1, (n,)),
            "norms": ParameterPlace(f, "value", 2, (n,)),
        },
        rewrite=rewrite,
    )


def _prediction_error(r: FunctionReader) -> Counterpart:
    _, m = r.rows()
    inputs = {"sample": ParameterPlace(r.function, "variable", 0, (m,)), "reward": ParameterPlace(r.function, "variable", 1, (m,))}
    return r.make(library.psyneulink.prediction_error_delta, scalars="gamma", inputs=inputs, shape=(m,))


def parsed_mode(mode: str) -> dict[str, Any] | None:
    """The choices that a mode of OneHot stands for; None for DETERMINISTIC and the drawn ones."""
    words = mode.lower().split("_")
    if words[:2] == ["arg", "max"] or words[:2] == ["arg", "min"]:
        tie, direction, rest = "first", words[1], words[2:]
    elif words[0] in ("max", "min") and words[-1] in ("val", "indicator"):
        tie, direction, rest = "all", words[0], words[1:]
    else:
        return None
    return {"direction": direction, "abs_val": "abs" in rest, "indicator": "indicator" in rest, "tie": tie}


def selection_of(r: FunctionReader) -> dict[str, Any]:
    """Direction, abs_val, indicator and tie of a OneHot that is not drawn by probability."""
    mode = parsed_mode(r.value("mode"))
    if mode is not None:
        return mode
    return {
        "direction": r.choice("direction", ("max", "min")),
        "abs_val": bool(r.value("abs_val")),
        "indicator": bool(r.value("indicator")),
        "tie": r.choice("tie", ("all", "first", "last", "random")),
    }


def _one_hot(r: FunctionReader) -> Counterpart:
    r.regular()
    f, mode = r.function, r.value("mode")
    if mode in ("PROB", "PROB_INDICATOR"):
        if len(r.shape) != 2 or r.shape[0] != 2:
            raise r.refuse(f"mode is {mode}, but its variable is not a pair of vectors", "give the values and their probabilities")
        inputs = {"variable": ParameterPlace(f, "variable", 0, r.shape[1:]), "distribution": ParameterPlace(f, "variable", 1, r.shape[1:])}
        statics = {"indicator": mode == "PROB_INDICATOR"}
        return r.make(library.psyneulink.one_hot_probability, statics=statics, random="random", inputs=inputs, shape=r.shape[1:])
    selection = selection_of(r)
    if selection["tie"] == "random":
        del selection["tie"]
        return r.make(library.psyneulink.one_hot_random, statics=selection, random="random")
    return r.make(library.psyneulink.one_hot, statics=selection)


def _pair(r: FunctionReader, first: str, second: str) -> dict[str, ParameterPlace]:
    """The two items of the variable as vectors."""
    if len(r.variable) != 2:
        raise r.refuse(f"its variable has {len(r.variable)} items", "give two")
    sizes = [len(flat(item)) for item in r.variable]
    if sizes[0] != sizes[1]:
        raise r.refuse("the two items of its variable have different lengths", "give two of one length")
    return {name: ParameterPlace(r.function, "variable", item, (sizes[item],)) for item, name in enumerate((first, second))}


METRICS = (
    "difference",
    "max_abs_diff",
    "normed_L0_similarity",
    "dot_product",
    "euclidean",
    "cosine",
    "correlation",
    "cross-entropy",
    "energy",
)


def metric_of(r: FunctionReader) -> dict[str, Any]:
    """Metric and normalization of a Distance."""
    return {"metric": r.choice("metric", METRICS), "normalize": bool(r.value("normalize"))}


def _distance(r: FunctionReader) -> Counterpart:
    return r.make(library.psyneulink.distance, statics=metric_of(r), inputs=_pair(r, "first", "second"), shape=())


def _stability(r: FunctionReader) -> Counterpart:
    r.regular()
    inside = r.of_inner(r.value("metric_fct"))
    if type(inside.function).__name__ != "Distance":
        raise r.refuse("its metric is not a Distance", "give one of PsyNeuLink's metrics")
    statics, f = metric_of(inside), r.function
    inputs = {"variable": ParameterPlace(f, "variable", None, (r.size,))}
    transfer = r.value("transfer_fct")
    if transfer is None:
        return r.make(library.psyneulink.stability, "matrix", statics=statics, inputs=inputs, shape=())
    if np.shape(r.numbers("matrix")) != (r.size, r.size):
        raise r.refuse("its matrix does not have as many rows and columns as its variable has elements", "give a square matrix")
    composer = Composer(["variable"])
    composer.params["matrix"] = r.numbers("matrix")
    composer.places["matrix"] = ParameterPlace(f, "matrix", None, (r.size, r.size))
    composer.lines.append(f"arriving = (matrix * (1.0 - np.eye({r.size}))) @ variable")
    transformed = composer.call(r.inner(transfer, np.zeros(r.size), "transfer_fct"), ["arriving"], "transfer_")[0]
    distance = Counterpart("Distance", library.psyneulink.distance, {}, {"value": ParameterPlace(f, "value")}, statics=statics)
    result = composer.call(distance, ["variable", transformed], "distance_")[0]
    if composer.states or composer.randoms:
        raise r.refuse("its transfer_fct has a state or draws random numbers", "give a function of its argument")
    return Counterpart(
        type(f).__name__,
        composer.function("stability_with_transfer", {"value": result}),
        MappingProxyType(inputs),
        MappingProxyType({"value": ParameterPlace(f, "value", None, ())}),
        MappingProxyType(composer.params),
        places=MappingProxyType(composer.places),
    )


LOSSES = ("L0", "L1", "SSE", "MSE", "CROSS_ENTROPY", "POISSON_NLL")


def _loss(r: FunctionReader) -> Counterpart:
    kind = getattr(r.value("loss"), "name", None)
    if kind not in LOSSES:
        raise r.refuse(f"loss is {r.value('loss')!r:.60}", f"give one that PsyNeuLink computes in Python: {', '.join(LOSSES)}")
    if not r.ragged and len(r.shape) > 2:
        raise r.refuse("its variable has more than two dimensions", "give two vectors")
    statics = {"kind": kind, "normalize": bool(r.value("normalize"))}
    return r.make(library.psyneulink.loss, statics=statics, inputs=_pair(r, "sample", "target"), shape=())


def _drawn(function: Callable[..., Any], params: str, legacy: str = "", numbers: bool = False) -> TableEntry:
    def build(r: FunctionReader) -> Counterpart:
        read = {name: r.number(name) if numbers else r.numbers(name) for name in params.split()}
        shape = np.broadcast_shapes(*(np.shape(value) for value in read.values()))
        inputs = {"variable": ParameterPlace(r.function, "", None, shape or (1,))}
        values = {name: (name, value) for name, value in read.items()}
        return r.make(function, values=values, random="random", legacy=legacy, inputs=inputs, shape=shape)

    limits = "the Philox generator" if legacy else ""
    return TableEntry("distribution", DISTRIBUTION, (function,), build, tuple(params.split()), limits=limits)


_MOMENTS = (
    "response_time",
    "error_rate",
    "mean_rt_plus",
    "var_rt_plus",
    "skew_rt_plus",
    "mean_rt_minus",
    "var_rt_minus",
    "skew_rt_minus",
)


def _drift_diffusion(r: FunctionReader) -> Counterpart:
    if r.size != 1:
        raise r.refuse(f"its variable has {r.size} elements", "give one")
    f = r.function
    shape = np.shape(r.value("threshold"))
    return r.make(
        library.psyneulink.drift_diffusion_moments,
        scalars="drift_rate threshold starting_value noise non_decision_time",
        statics={"shenhav_et_al_compat_mode": bool(f.shenhav_et_al_compat_mode)},
        inputs={"variable": ParameterPlace(f, "variable", None, (1,))},
        outputs={name: ParameterPlace(f, "value", item, shape) for item, name in enumerate(_MOMENTS)},
    )


ENTRIES: dict[str, TableEntry] = {
    "Concatenate": TableEntry("transform", TRANSFORM, (library.flatten,), _concatenate, ("scale", "offset")),
    "Rearrange": TableEntry(
        "transform",
        TRANSFORM,
        (library.rearrange,),
        _rearrange,
        ("scale", "offset"),
        ("arrangement",),
        limits="groups of different lengths",
    ),
    "Reduce": TableEntry("transform", TRANSFORM, (library.reduce,), _reduce, ("weights", "exponents", "scale", "offset"), ("operation",)),
    "LinearCombination": TableEntry(
        "transform",
        TRANSFORM,
        (library.linear_combination, library.linear),
        _linear_combination,
        ("weights", "exponents", "scale", "offset"),
        ("operation",),
    ),
    "MatrixTransform": TableEntry(
        "transform",
        TRANSFORM,
        (library.matrix_transform, library.matrix_transform_normalized, library.psyneulink.matrix_distance),
        _matrix_transform,
        ("matrix",),
        ("operation", "normalize", "axes"),
        limits="axes given as a pair",
    ),
    "MatrixMemory": TableEntry(
        "transform",
        TRANSFORM,
        (library.psyneulink.matrix_memory,),
        _matrix_memory,
        ("storage_prob", "decay_rate"),
        ("operation of the call", "scores_metric", "normalize_memories"),
        ("memory",),
        limits="the operation STORE, after which PsyNeuLink fails",
    ),
    "CombineMeans": TableEntry(
        "transform",
        TRANSFORM,
        (library.combine_means,),
        _combine_means,
        ("weights", "exponents", "scale", "offset"),
        ("operation",),
        limits="rows of different lengths",
    ),
    "PredictionErrorDeltaFunction": TableEntry(
        "transform", TRANSFORM, (library.psyneulink.prediction_error_delta,), _prediction_error, ("gamma",)
    ),
    "OneHot": TableEntry(
        "selection",
        SELECTION,
        (library.psyneulink.one_hot, library.psyneulink.one_hot_random, library.psyneulink.one_hot_probability),
        _one_hot,
        (),
        ("mode", "direction", "abs_val", "indicator", "tie"),
    ),
    "Distance": TableEntry("objective", OBJECTIVE, (library.psyneulink.distance,), _distance, (), ("metric", "normalize")),
    "Stability": TableEntry(
        "objective", OBJECTIVE, (library.psyneulink.stability,), _stability, ("matrix",), ("metric", "normalize", "transfer_fct")
    ),
    "Energy": TableEntry("objective", OBJECTIVE, (library.psyneulink.stability,), _stability, ("matrix",), ("normalize", "transfer_fct")),
    "Entropy": TableEntry("objective", OBJECTIVE, (library.psyneulink.stability,), _stability, ("matrix",), ("normalize", "transfer_fct")),
    "LossFunction": TableEntry(
        "objective",
        OBJECTIVE,
        (library.psyneulink.loss,),
        _loss,
        (),
        ("loss", "normalize"),
        limits="BINARY_CROSS_ENTROPY, KL_DIV, NLL and PyTorch's losses, which PsyNeuLink does not compute either",
    ),
    "NormalDist": _drawn(library.normal_dist, "mean standard_deviation"),
    "UniformToNormalDist": _drawn(library.uniform_to_normal_dist, "mean standard_deviation", "UniformToNormalDist", numbers=True),
    "ExponentialDist": _drawn(library.exponential_dist, "beta", "ExponentialDist"),
    "UniformDist": _drawn(library.uniform_dist, "low high"),
    "GammaDist": _drawn(library.gamma_dist, "scale dist_shape", "GammaDist", numbers=True),
    "WaldDist": _drawn(library.wald_dist, "scale mean", "WaldDist", numbers=True),
    "DriftDiffusionAnalytical": TableEntry(
        "distribution",
        DISTRIBUTION,
        (library.psyneulink.drift_diffusion_moments,),
        _drift_diffusion,
        ("drift_rate", "threshold", "starting_value", "noise", "non_decision_time"),
        ("shenhav_et_al_compat_mode",),
        limits="more than one element",
    ),
}
