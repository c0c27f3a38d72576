"""
A model at stage `machine` as equations: what a trial makes of inputs, parameters and the state, and what the state begins with.

The state is a list of *cells*, one for each number that lives on between trials (an element of a port's value or of a node's state, a
counter, a generator). A cell has an initial value, a value after each trial, and says what happens to it where a run begins or ends, as
the runtime clears some counters then (`Layout.begin_run`, `Layout.end_run`).
"""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, cast

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from cogir.analysis.equivalence.evaluate import Evaluator, NotCompared, Value, array_of, flat
from cogir.analysis.equivalence.terms import Term, Terms
from cogir.analysis.layout import Layout, Slot
from cogir.dialects.rng import StreamOp
from cogir.interpreters.flags import is_flag

SAMPLE = 7
"""A number in counters that shows what the beginning and the end of a run do to them."""


@dataclass(frozen=True)
class Cell:
    """A number that lives on between trials."""

    name: str
    now: Term
    initial: Term
    then: Term
    at_runs: tuple[int, int] = (SAMPLE, SAMPLE)
    """The value that 7 becomes where a run begins, and where one ends."""


@dataclass
class Program:
    """The equations of a model."""

    side: str
    cells: list[Cell]
    outputs: dict[str, list[Term]]
    """The elements of each output port after a trial."""
    ending: Term
    """0 if the trial comes to its end, -1 if the run is over, and 1 if the trial fails."""
    generators: dict[str, tuple[str, object]] = field(default_factory=dict[str, "tuple[str, object]"])
    """The kind and the initial state of each generator."""


@dataclass(frozen=True)
class ModelSignature:
    """The inputs, outputs and parameters of a model, by name, with their shapes."""

    inputs: dict[str, tuple[int, ...]]
    outputs: dict[str, tuple[int, ...]]
    parameters: dict[str, tuple[int, ...]]
    values: dict[str, list[float] | list[int]]
    """The values of the parameters, flat."""
    paths: dict[str, str]
    """The path in the layout of each parameter."""


def shown_path(path: str) -> str:
    """A path of the layout as users write it: `decision/param:rate` is `decision/rate`; initial values and limits keep their kind."""
    head, _, rest = path.partition(":")
    if head in ("in", "out"):
        return rest
    owner, _, last = path.rpartition("/")
    kind, _, name = last.partition(":")
    shown = name if kind in ("param", "state", "port", "random") else last
    return f"{owner}/{shown}" if owner else shown


def signature_of(layout: Layout) -> ModelSignature:
    """The inputs, outputs and parameters of a model."""
    parameters: dict[str, tuple[int, ...]] = {}
    values: dict[str, list[float] | list[int]] = {}
    paths: dict[str, str] = {}
    for slot in layout:
        if slot.buffer in ("pf", "pi"):
            name = shown_path(slot.path)
            parameters[name], paths[name] = slot.shape, slot.path
            values[name] = slot.of(layout.default_buffer(slot.buffer)).ravel().tolist()
    return ModelSignature(
        {shown_path(path): layout[path].shape for path in layout.inputs},
        {shown_path(path): layout[path].shape for path in layout.outputs if not is_flag(path)},
        parameters,
        values,
        paths,
    )


def program_of(
    module: ModuleOp,
    terms: Terms,
    side: str,
    inputs: Mapping[str, Sequence[Term]],
    parameters: Mapping[str, Sequence[Term]],
    budget: int,
    fresh: bool,
) -> Program:
    """
    The equations of a module. `inputs` has the elements of every input port, `parameters` those of parameters that do not have the values
    of the module; `fresh` makes draws new random numbers.
    """
    layout = Layout.from_module(module)
    evaluator = Evaluator(module, terms, side, budget, fresh)
    pf, pi = parameter_arrays(layout, terms, parameters)
    given = array_of([terms.constant(0.0, "f64")] * layout.size("in"), (layout.size("in"),))
    for path in layout.inputs:
        given[layout[path].words] = inputs[shown_path(path)]
    initial = evaluator.call("init", (pf, pi))
    starts = starts_of(module, layout)
    states, cells = before_trial(layout, terms, side)
    generators = [terms.leaf("state", "rng", (side, slot.path, 0)) for slot in layout.generator_slots]
    trial = evaluator.functions["trial"]
    if len(trial.function_type.inputs) != 5 + len(generators):
        raise NotCompared("the model records traces or learns, which the comparison does not know; compare it without")
    *after, out, status = evaluator.call("trial", (pf, pi, given, *states, *generators))
    made = [
        Cell(name, now, begins, then, runs) for (name, now, runs), begins, then in zip(cells, flat(initial), flat(after[:2]), strict=True)
    ]
    held = {path: starts[path] for path in layout.generators}
    for path, now, then in zip(layout.generators, generators, after[2:], strict=True):
        made.append(Cell(shown_path(path), now, terms.leaf("stream", "rng", held[path]), cast(Term, then)))
    outputs = {shown_path(path): element_list(layout[path], out) for path in layout.outputs if not is_flag(path)}
    return Program(side, made, outputs, ending_of(terms, cast(Term, status)), held)


def ending_of(terms: Terms, status: Term) -> Term:
    """A status without the number of the node that fails, which depends on the order of nodes."""
    done, over, fails = (terms.constant(value, "i64") for value in (0, -1, 1))
    is_done, is_over = (terms.make("cmpi", "i1", (status, value), "eq", operator.eq) for value in (done, over))
    return terms.make("select", "i64", (is_done, done, terms.make("select", "i64", (is_over, over, fails))))


def element_list(slot: Slot, buffer: Value) -> list[Term]:
    """The elements of a slot."""
    return list(cast(np.ndarray, buffer)[slot.words])


def parameter_arrays(layout: Layout, terms: Terms, given: Mapping[str, Sequence[Term]]) -> tuple[Value, Value]:
    """The two buffers of parameters."""
    arrays: list[Value] = []
    for buffer, type in (("pf", "f64"), ("pi", "i64")):
        defaults = layout.default_buffer(cast(Literal["pf", "pi"], buffer)).tolist()
        array = array_of([terms.constant(value, type) for value in defaults], (len(defaults),))
        for slot in layout.in_buffer(cast(Literal["pf", "pi"], buffer)):
            if slot.path in given:
                array[slot.words] = list(given[slot.path])
        arrays.append(array)
    return arrays[0], arrays[1]


def before_trial(layout: Layout, terms: Terms, side: str) -> tuple[list[Value], list[tuple[str, Term, tuple[int, int]]]]:
    """The state before a trial, as two buffers, and its cells."""
    begun, ended = np.full(layout.size("si"), SAMPLE), np.full(layout.size("si"), SAMPLE)
    layout.begin_run(begun)
    layout.end_run(ended)
    states: list[Value] = []
    cells: list[tuple[str, Term, tuple[int, int]]] = []
    for buffer, type in (("sf", "f64"), ("si", "i64")):
        size = layout.size(cast(Literal["sf", "si"], buffer))
        names = [f"{buffer}[{index}]" for index in range(size)]
        for slot in layout.in_buffer(cast(Literal["sf", "si"], buffer)):
            for at in range(slot.size):
                names[slot.offset + at] = shown_path(slot.path) + (f"[{at}]" if slot.shape else "")
        leaves = [terms.leaf("state", type, (side, name, at)) for at, name in enumerate(names)]
        states.append(array_of(leaves, (size,)))
        for at, (name, leaf) in enumerate(zip(names, leaves, strict=True)):
            cells.append((name, leaf, (int(begun[at]), int(ended[at])) if buffer == "si" else (SAMPLE, SAMPLE)))
    return states, cells


def starts_of(module: ModuleOp, layout: Layout) -> dict[str, tuple[str, object]]:
    """The kind of each generator by its path, and its seed or the words that it begins with."""
    streams = {op.sym_name.data: op for op in module.ops if isinstance(op, StreamOp)}
    return {path: start_of(streams[name], path, layout.seed) for path, name in zip(layout.generators, layout.streams, strict=True)}


def start_of(stream: StreamOp, path: str, seed: int) -> tuple[str, object]:
    """
    The kind of a stream, and its seed or the words that it begins with. A generator that cogir's own kind starts from the seed of its
    model begins as no other one does; NumPy's count from that seed.
    """
    kind = stream.kind.data
    if stream.seed is None:
        return kind, stream.state and stream.state.data
    own = stream.seed.value.data
    if stream.number is None:
        return kind, own
    return kind, (seed, own, path) if kind == "xoshiro256" else own + stream.number.value.data
