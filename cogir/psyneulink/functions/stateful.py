"""PsyNeuLink's integrators and memories."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np

from cogir import library
from cogir.psyneulink.functions.compose import Composer
from cogir.psyneulink.functions.counterpart import Counterpart, ParameterPlace, ParameterWrite, Shape, flat
from cogir.psyneulink.functions.memory_of_fields import content_addressable_memory_of_fields
from cogir.psyneulink.functions.noise import numeric_noise, with_noise
from cogir.psyneulink.functions.table_entry import FunctionReader, TableEntry
from cogir.psyneulink.functions.transform import metric_of, selection_of
from cogir.psyneulink.pnl import SEARCHED_ENTRIES
from cogir.psyneulink.reader import is_numeric

INTEGRATORS = "psyneulink.core.components.functions.stateful.integratorfunctions"
MEMORIES = "psyneulink.core.components.functions.stateful.memoryfunctions"

WITHOUT_CONTEXTS = ("DualAdaptiveIntegrator",)
"""Functions that go on from their state in the execution context in which they were executed last, whichever that is."""


def _noisy(r: FunctionReader, shape: Shape) -> dict[str, tuple[str, Any]]:
    """The parameter `noise`: its number, or 0 where it is drawn."""
    noise = numeric_noise(r, shape)
    return {"noise": ("noise", 0.0 if noise is None else noise)}


def _integrator(function: Any, params: str, *, two: bool = False, scalars: str = "") -> TableEntry:
    """An integrator with one state; `two`: its value has at least two dimensions."""

    def build(r: FunctionReader) -> Counterpart:
        r.regular()
        kept = np.broadcast_shapes(r.shape, np.shape(r.value("previous_value")))
        kept = np.atleast_2d(np.empty(kept)).shape if two else kept
        counterpart = r.make(
            function,
            params,
            scalars=scalars,
            values=_noisy(r, r.shape),
            states={"previous_value": ("previous_value", r.shape, kept)},
            shape=kept,
        )
        return with_noise(r, counterpart, r.shape)

    parameters = (*params.split(), *scalars.split(), "noise")
    return TableEntry(
        "integrator", INTEGRATORS, (function,), build, parameters, (), ("previous_value",), limits="Python functions as noise"
    )


def _adaptive(r: FunctionReader) -> Counterpart:
    r.regular()
    counterpart = r.make(
        library.psyneulink.adaptive_integrator,
        "rate offset",
        values=_noisy(r, r.shape),
        states={"previous_value": ("previous_value", r.shape, np.broadcast_shapes(r.shape, np.shape(r.value("previous_value"))))},
        shape=r.shape,
    )
    return with_noise(r, counterpart, r.shape)


def _dual_adaptive(r: FunctionReader) -> Counterpart:
    r.regular()
    names = ("previous_short_term_avg", "previous_long_term_avg")
    if not all(np.array_equal(getattr(r.function, name), r.value(name)) for name in names):
        raise r.refuse("it continues from the state of another execution context", "run it in one execution context")
    return r.make(
        library.psyneulink.dual_adaptive_integrator,
        "short_term_rate long_term_rate short_term_gain long_term_gain short_term_bias long_term_bias offset",
        states={name: (name, r.shape, r.shape) for name in names},
        statics={"operation": r.choice("operation", ("product", "sum", "s-l", "l-s"))},
        shape=r.shape,
    )


def _drift_diffusion(r: FunctionReader) -> Counterpart:
    r.regular()
    taken = np.atleast_1d(np.squeeze(r.variable)).shape if len(r.shape) > 1 else r.shape
    if len(taken) != 1:
        raise r.refuse(f"its variable has the shape {r.shape}", "give one vector")
    value = np.broadcast_shapes(taken, np.shape(r.value("previous_value")))
    f = r.function
    time = _time_passed(r)
    return r.make(
        library.drift_diffusion_integrator,
        "rate noise offset",
        scalars="threshold time_step_size",
        states={"previous_value": ("previous_value", taken, value), "previous_time": ("previous_time", None, time)},
        random="random",
        inputs={"variable": ParameterPlace(f, "variable", None, taken)},
        outputs={"value": ParameterPlace(f, "value", 0, value), "time": ParameterPlace(f, "value", 1, time)},
    )


def _time_passed(r: FunctionReader) -> tuple[int, ...]:
    """The shape of the time that a drift diffusion has taken; with an unusual one PsyNeuLink counts it in non_decision_time, too."""
    parameters, remedy = r.function.parameters, "set it in the shape of its non_decision_time before it first runs"
    passed = r.value("previous_time")
    if np.shape(passed) != np.shape(parameters.non_decision_time.final_source.values.get(None)):
        raise r.refuse(f"its previous_time has the shape {np.shape(passed)}", remedy)
    for port in getattr(r.function.owner, "parameter_ports", None) or ():
        if port.name == "non_decision_time" and any(np.may_share_memory(passed, held) for held in port.parameters.value.values.values()):
            raise r.refuse("its previous_time is what PsyNeuLink has as its non_decision_time", remedy)
    return np.shape(passed)


def _ornstein_uhlenbeck(r: FunctionReader) -> Counterpart:
    r.regular()
    value = np.atleast_2d(np.empty(np.broadcast_shapes(r.shape, np.shape(r.value("previous_value"))))).shape
    f = r.function
    return r.make(
        library.psyneulink.ornstein_uhlenbeck_integrator,
        "rate decay offset",
        scalars="noise time_step_size",
        states={"previous_value": ("previous_value", r.shape, value), "previous_time": ("previous_time", r.shape, r.shape)},
        random="random",
        outputs={"value": ParameterPlace(f, "value", 0, value), "time": ParameterPlace(f, "value", 1, r.shape)},
    )


_OSCILLATOR = "a_v b_v c_v d_v e_v f_v time_constant_v threshold a_w b_w c_w mode uncorrelated_activity time_constant_w time_step_size"


def _fitz_hugh_nagumo(r: FunctionReader) -> Counterpart:
    r.regular()
    held = np.shape(r.value("previous_v"))
    shape = held if len(r.shape) > len(held) else r.shape
    f = r.function
    names = ("previous_v", "previous_w", "previous_time")
    return r.make(
        library.psyneulink.fitz_hugh_nagumo_integrator,
        _OSCILLATOR,
        states={name: (name, shape, shape) for name in names},
        statics={"integration_method": {"RK4": "rk4", "EULER": "euler"}[r.choice("integration_method", ("RK4", "EULER"))]},
        inputs={"variable": ParameterPlace(f, "variable", None, shape)},
        outputs={name: ParameterPlace(f, "value", item, shape) for item, name in enumerate(("v", "w", "time"))},
    )


def _sphere(r: FunctionReader) -> Counterpart:
    r.regular()
    d = np.size(r.value("previous_value"))
    space, sizes = r.choice("input_space", ("auto", "tangent", "target")), {"tangent": d - 1, "target": d}
    if r.size == 1:
        space = "direction"
    elif space == "auto":
        space = "target" if r.size == d else "tangent"
    if space != "direction" and r.size != sizes[space]:
        raise r.refuse(f"its variable has {r.size} elements", f"give 1, {d - 1} (tangent) or {d} (target)")
    noise = r.numbers("noise")
    return r.make(
        library.psyneulink.drift_on_a_sphere_integrator,
        scalars="rate time_step_size",
        values={"noise": ("noise", float(np.reshape(noise, ())) if np.size(noise) == 1 else noise)},
        states={name: (name, shape, shape) for name, shape in (("previous_value", (d,)), ("drift_dir", (d,)), ("previous_time", ()))},
        statics={"input_space": space},
        random="random",
        inputs={"variable": ParameterPlace(r.function, "variable", None, (r.size,))},
        shape=(d,),
    )


def _padded(rows: list[Any], capacity: int, shape: Shape) -> np.ndarray[Any, Any]:
    """The rows in an array with room for `capacity` of them; zeros are put behind what is shorter than the shape says."""
    result = np.zeros((capacity, *shape))
    if rows and all(np.shape(row) == shape for row in rows):
        result[: len(rows)] = rows
        return result
    for index, row in enumerate(rows):
        if len(flat(row)) == result[index].size:
            result[index] = np.reshape(flat(row), shape)
        else:
            for number, field in enumerate(row):
                result[index, number, : len(field)] = field
    return result


def _check_room(r: FunctionReader, count: int, capacity: int) -> None:
    """Refuses more entries than a memory has room for, of which PsyNeuLink drops one at a time."""
    if count > capacity:
        raise r.refuse(f"it holds {count} entries, and max_entries is {capacity}", f"set max_entries to at least {count}")


def _buffer(r: FunctionReader) -> Counterpart:
    r.regular()
    history = r.value("history")
    if history is None:
        raise r.refuse("history is None, so its value grows without bound", "give history=")
    history, f, held = int(history), r.function, list(r.value("previous_value"))
    item = np.shape(held[0]) if held else r.shape
    counterpart = r.make(
        library.psyneulink.buffer,
        "rate",
        values=_noisy(r, item),
        inputs={"variable": ParameterPlace(f, "variable", None, item)},
        outputs={"value": ParameterPlace(f, "value", None, (history, *item), "count"), "count": ParameterPlace(f, "", None, ())},
    )

    def rewrite(states: Mapping[str, Any]) -> list[ParameterWrite]:
        rows = [np.array(row) for row in np.asarray(states["rows"])[: int(states["count"])]]
        return [ParameterWrite(f, "previous_value", deque(rows, maxlen=history))]

    counterpart = _with_states(counterpart, {"rows": _padded(held, history, item), "count": float(len(held))}, rewrite)
    return with_noise(r, counterpart, item)


def _with_states(counterpart: Counterpart, states: dict[str, Any], rewrite: Any) -> Counterpart:
    """The counterpart with states that PsyNeuLink holds together in `previous_value`."""
    f = next(iter(counterpart.inputs.values())).owner
    places = {**counterpart.places, **{name: ParameterPlace(f, "previous_value") for name in states}}
    return replace(counterpart, states=MappingProxyType(states), places=MappingProxyType(places), rewrite=rewrite)


def _search(r: FunctionReader) -> dict[str, Any]:
    """The constants of distance and selection by which the nearest entry is found."""
    distance, selection = r.value("distance_function"), r.value("selection_function")
    for name, function, wanted in (("distance_function", distance, "Distance"), ("selection_function", selection, "OneHot")):
        if type(function).__name__ != wanted:
            raise r.refuse(f"{name} is {function!r:.60}", f"give a {wanted}")
    inside = r.of_inner(selection)
    if inside.value("mode") in ("PROB", "PROB_INDICATOR"):
        raise r.refuse("its selection_function draws", "give OneHot(mode=MIN_INDICATOR)")
    chosen = selection_of(inside)
    if not chosen.pop("indicator") or chosen["tie"] == "random":
        raise r.refuse("its selection_function keeps values or draws", "give OneHot with a mode that indicates, such as MIN_INDICATOR")
    chosen["tie"] = "all" if chosen["tie"] == "all" else "first" if chosen["tie"] == "first" else _last(r)
    return {**metric_of(r.of_inner(distance)), **chosen}


def _last(r: FunctionReader) -> str:
    raise r.refuse("its selection_function selects the last of several equal distances", 'give tie="all" and select the newest')


def _check_entries_are_floats(r: FunctionReader, parts: list[Any]) -> None:
    """Until something is stored beside them, PsyNeuLink gives whole numbers back as such, and cuts off what overwrites them."""
    if any(np.asarray(part).dtype.kind in "biu" for part in parts):
        raise r.refuse("its entries are integers, and PsyNeuLink stores them as integers", "write them as floats, such as 0.0")


def _dictionary(r: FunctionReader) -> Counterpart:
    if len(r.variable) != 2:
        raise r.refuse(f"its variable has {len(r.variable)} items", "give a key and a value")
    f, capacity = r.function, int(r.value("max_entries"))
    k, v = (len(flat(item)) for item in r.variable)
    noise = numeric_noise(r, r.shape)
    if noise is None and r.ragged:
        raise r.refuse("noise is drawn for a key and a value of different lengths", "give numbers")
    if noise is not None and np.ndim(noise):
        noise = np.broadcast_to(noise, (2, k) if not r.ragged else (2,))[0]
    values = {"noise": ("noise", 0.0 if noise is None else noise)}
    values["rate"] = ("rate", 1.0 if r.value("rate") is None else r.numbers("rate"))
    duplicate = r.choice("duplicate_keys", (False, True, "overwrite"))
    if duplicate == "overwrite" and k != v:
        # PsyNeuLink 0.21 then returns the entry itself, and overwrites it before anybody reads it.
        raise r.refuse("duplicate_keys is overwrite for keys and values of different lengths", "give True or False")
    counterpart = r.make(
        library.psyneulink.dictionary_memory,
        scalars="retrieval_prob storage_prob",
        values=values,
        statics={
            **_search(r),
            "duplicate_keys": duplicate,
            "equidistant_keys_select": r.choice("equidistant_keys_select", ("random", "oldest", "newest")),
        },
        random="random",
        inputs={"key": ParameterPlace(f, "variable", 0, (k,)), "value": ParameterPlace(f, "variable", 1, (v,))},
        outputs={"key": ParameterPlace(f, "value", 0, (k,)), "value": ParameterPlace(f, "value", 1, (v,))},
    )
    held = r.value("previous_value")
    keys, vals = (list(held[0]), list(held[1])) if len(held[0]) else ([], [])
    _check_entries_are_floats(r, [*keys, *vals])
    _check_room(r, len(keys), capacity)
    states = {"keys": _padded(keys, capacity, (k,)), "values": _padded(vals, capacity, (v,)), "count": float(len(keys))}

    def rewrite(states: Mapping[str, Any]) -> list[ParameterWrite]:
        n = int(states["count"])
        if n == 0:
            return []
        parts = [np.array(states["keys"])[:n], np.array(states["values"])[:n]]
        kept: Any = np.array(parts) if k == v else np.empty(2, object)
        if k != v:
            kept[:] = parts
        sizes = [ParameterWrite(f, "key_size", np.array(k)), ParameterWrite(f, "val_size", np.array(v))]
        return [ParameterWrite(f, "previous_value", kept), ParameterWrite(f, SEARCHED_ENTRIES, kept), *sizes]

    return with_noise(r, _with_states(counterpart, states, rewrite), (2, k), first_row=True)


def _content_addressable(r: FunctionReader) -> Counterpart:
    f, capacity = r.function, int(r.value("max_entries"))
    lengths = [np.size(field) for field in r.variable] if r.ragged or len(r.shape) == 2 else [r.size]
    shape = (len(lengths), max(lengths))
    held = r.value("previous_value")
    entries = [] if held is None else list(held)
    is_regular = is_numeric(held) and not r.ragged and np.shape(held)[1:] == shape
    if not is_regular and any([np.shape(field) for field in entry] != [(length,) for length in lengths] for entry in entries):
        raise r.refuse("the fields of its entries have other lengths than those of its variable", "give them the same lengths")
    _check_room(r, len(entries), capacity)
    is_behind = r.ragged and len(entries) == capacity > 1 and np.array_equal(flat(f.memory), flat([*entries[1:], entries[-1]]))
    if entries and not is_behind and not np.array_equal(flat(f.memory), flat(held)):
        raise r.refuse("it searches entries that another execution context has stored", "run it in one execution context")
    if getattr(f, "selection_type", "single") != "single":
        raise r.refuse("its selection_function weighs several entries", "give OneHot(mode=MIN_INDICATOR)")
    drawn = numeric_noise(r, shape) is None
    if drawn and r.number("storage_prob") != 1.0:
        raise r.refuse("noise is drawn only when an entry is stored", "give numbers as noise, or storage_prob=1")
    weights = np.array([0.0 if weight is None or not np.size(weight) else float(weight) for weight in r.value("distance_field_weights")])
    search, duplicate = _search(r), r.choice("duplicate_entries_allowed", (False, True, "overwrite"))
    if r.ragged:
        _check_padding(r, search, duplicate, drawn)
    counterpart = r.make(
        content_addressable_memory_of_fields if r.ragged else library.psyneulink.content_addressable_memory,
        scalars="retrieval_prob storage_prob duplicate_threshold",
        values={"distance_field_weights": ("distance_field_weights", weights), **({} if r.ragged else _noisy(r, shape))},
        statics={
            **search,
            "duplicate_entries_allowed": duplicate,
            "equidistant_entries_select": r.choice("equidistant_entries_select", ("random", "oldest", "newest")),
        },
        random="random",
        inputs={"variable": ParameterPlace(f, "variable", None, shape)},
        shape=shape,
    )

    def rewrite(states: Mapping[str, Any]) -> list[ParameterWrite]:
        kept: Any = np.array(states["entries"])[: int(states["count"])]
        sizes = [
            ParameterWrite(f, "memory_num_fields", np.array(shape[0])),
            ParameterWrite(f, "memory_field_shapes", [(length,) for length in lengths]),
        ]
        searched = kept
        if r.ragged:
            kept = _cut(kept, lengths)
            searched = np.concatenate([kept[1:], kept[-1:]]) if states["is_behind"] > 0.0 else kept
        return [*sizes, *([ParameterWrite(f, "previous_value", kept), ParameterWrite(f, SEARCHED_ENTRIES, searched)] if len(kept) else [])]

    states: dict[str, Any] = {"entries": _padded(entries, capacity, shape), "count": float(len(entries))}
    if r.ragged:
        states["is_behind"] = float(is_behind)
    counterpart = _with_states(counterpart, states, rewrite)
    return _of_fields(counterpart, lengths) if r.ragged else with_noise(r, counterpart, shape)


PADDED = ("cosine", "difference", "dot_product", "energy", "euclidean", "max_abs_diff")
"""Metrics that give the same for arrays with zeros behind both."""


def _check_padding(r: FunctionReader, search: Mapping[str, Any], duplicate: Any, drawn: bool) -> None:
    """Refuses what zeros behind the shorter fields of entries would change."""
    if search["metric"] not in PADDED or search["normalize"]:
        how = "normalized" if search["normalize"] else str(search["metric"])
        raise r.refuse(f"its fields have different lengths, and its distance is {how}", f"use one of {', '.join(PADDED)}, not normalized")
    if duplicate == "overwrite":  # which fails in PsyNeuLink 0.21
        raise r.refuse("it overwrites entries whose fields have different lengths", "give fields of one length")
    if drawn or np.any(r.numbers("noise")):
        raise r.refuse("it adds noise to fields of different lengths", "give fields of one length")


def _cut(entries: np.ndarray[Any, Any], lengths: list[int]) -> np.ndarray[Any, Any]:
    """Entries as PsyNeuLink holds them, without the zeros behind their fields: arrays in an array, (entries, fields)."""
    cut = np.empty((len(entries), len(lengths)), object)
    for index, entry in enumerate(entries):
        for number, length in enumerate(lengths):
            cut[index, number] = entry[number, :length].copy()
    return cut


def _of_fields(counterpart: Counterpart, lengths: list[int]) -> Counterpart:
    """A memory of entries (fields, width) as one with an input and an output for each field, of these lengths."""
    variable, value = (next(iter(places.values())) for places in (counterpart.inputs, counterpart.outputs))
    names = [f"field_{number}" for number in range(len(lengths))]
    composer = Composer(names)
    composer.lines.append(f"entry = np.zeros(({len(lengths)}, {max(lengths)}))")
    composer.lines += [f"entry[{number}, :{length}] = {names[number]}" for number, length in enumerate(lengths)]
    (found,) = composer.call(counterpart, ["entry"], "")
    parts = {name: f"{found}[{number}, :{length}]" for number, (name, length) in enumerate(zip(names, lengths, strict=True))}
    return replace(
        counterpart,
        function=composer.function(f"{counterpart.function.__name__}_of_fields", parts),
        inputs=MappingProxyType({name: replace(variable, item=n, shape=(lengths[n],)) for n, name in enumerate(names)}),
        outputs=MappingProxyType({name: replace(value, item=n, shape=(lengths[n],)) for n, name in enumerate(names)}),
        params=MappingProxyType(composer.params),
        states=MappingProxyType(composer.states),
        statics=MappingProxyType({}),
        randoms=MappingProxyType(composer.randoms),
        places=MappingProxyType(composer.places),
    )


_MEMORY = ("retrieval_prob", "storage_prob", "noise")

ENTRIES: dict[str, TableEntry] = {
    "AccumulatorIntegrator": _integrator(library.psyneulink.accumulator_integrator, "rate increment", two=True),
    "SimpleIntegrator": _integrator(library.psyneulink.simple_integrator, "rate offset"),
    "AdaptiveIntegrator": TableEntry(
        "integrator",
        INTEGRATORS,
        (library.psyneulink.adaptive_integrator,),
        _adaptive,
        ("rate", "offset", "noise"),
        (),
        ("previous_value",),
        limits="Python functions as noise",
    ),
    "DualAdaptiveIntegrator": TableEntry(
        "integrator",
        INTEGRATORS,
        (library.psyneulink.dual_adaptive_integrator,),
        _dual_adaptive,
        ("short_term_rate", "long_term_rate", "short_term_gain", "long_term_gain", "short_term_bias", "long_term_bias", "offset"),
        ("operation",),
        ("previous_short_term_avg", "previous_long_term_avg"),
        limits="a second execution context, for it goes on from the state in the last one",
    ),
    "LeakyCompetingIntegrator": _integrator(library.psyneulink.leaky_competing_integrator, "rate offset time_step_size"),
    "InteractiveActivationIntegrator": _integrator(
        library.psyneulink.interactive_activation_integrator, "rate decay rest", two=True, scalars="max_val min_val"
    ),
    "DriftDiffusionIntegrator": TableEntry(
        "integrator",
        INTEGRATORS,
        (library.drift_diffusion_integrator,),
        _drift_diffusion,
        ("rate", "noise", "offset", "threshold", "time_step_size"),
        (),
        ("previous_value", "previous_time"),
        limits="several rows; an array as threshold",
    ),
    "DriftOnASphereIntegrator": TableEntry(
        "integrator",
        INTEGRATORS,
        (library.psyneulink.drift_on_a_sphere_integrator,),
        _sphere,
        ("rate", "noise", "time_step_size"),
        ("input_space",),
        ("previous_value", "drift_dir", "previous_time"),
    ),
    "OrnsteinUhlenbeckIntegrator": TableEntry(
        "integrator",
        INTEGRATORS,
        (library.psyneulink.ornstein_uhlenbeck_integrator,),
        _ornstein_uhlenbeck,
        ("rate", "decay", "noise", "offset", "time_step_size"),
        (),
        ("previous_value", "previous_time"),
    ),
    "FitzHughNagumoIntegrator": TableEntry(
        "integrator",
        INTEGRATORS,
        (library.psyneulink.fitz_hugh_nagumo_integrator,),
        _fitz_hugh_nagumo,
        tuple(_OSCILLATOR.split()),
        ("integration_method",),
        ("previous_v", "previous_w", "previous_time"),
    ),
    "Buffer": TableEntry(
        "memory",
        MEMORIES,
        (library.psyneulink.buffer,),
        _buffer,
        ("rate", "noise"),
        ("history",),
        ("previous_value",),
        limits="history=None",
    ),
    "DictionaryMemory": TableEntry(
        "memory",
        MEMORIES,
        (library.psyneulink.dictionary_memory,),
        _dictionary,
        (*_MEMORY, "rate"),
        ("max_entries", "distance_function", "selection_function", "duplicate_keys", "equidistant_keys_select"),
        ("previous_value",),
        limits="entries of whole numbers; selection that keeps values or draws; Python functions as distance or selection; overwriting "
        "where key and value have different lengths",
    ),
    "ContentAddressableMemory": TableEntry(
        "memory",
        MEMORIES,
        (library.psyneulink.content_addressable_memory, content_addressable_memory_of_fields),
        _content_addressable,
        (*_MEMORY, "distance_field_weights", "duplicate_threshold"),
        ("max_entries", "distance_function", "selection_function", "duplicate_entries_allowed", "equidistant_entries_select"),
        ("previous_value",),
        limits="weighted retrieval (SoftMax); drawn noise with storage_prob below 1; with fields of different lengths noise, overwriting,"
        " and distances that are normalized, correlations or cross-entropies",
    ),
}
