"""
What the runtime must know of a compiled model, without any IR: where every value lives and what it starts from.

A plan is plain data that can be written to a file beside the object code, so that a model from the cache runs
without xDSL being loaded. Paths are those of `cogir.analysis.layout`: `decision/param:rate`, `decision/state:x` ...
"""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Iterable
from dataclasses import astuple, dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from cogir.interpreters.faults import Check
from cogir.ranges import Between
from cogir.zero_gradients import ZeroGradient

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Attribute

    from cogir.model.traces import TracedQuantity

Floats: TypeAlias = npt.NDArray[np.float64]
Words: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class PlanSlot:
    """`size` words from `offset` on in `buffer`; `dtype` is what the value is, whatever the buffer holds it as."""

    path: str
    buffer: str
    offset: int
    shape: tuple[int, ...]
    dtype: str

    @property
    def size(self) -> int:
        """Number of words in the buffer."""
        return math.prod(self.shape)

    @property
    def words(self) -> slice:
        """The words of this slot, as an index into its buffer."""
        return slice(self.offset, self.offset + self.size)


@dataclass(frozen=True, slots=True)
class PlanTrace:
    """A quantity that is recorded inside of trials, after the first execution of its node and every so many from there on."""

    path: str
    shape: tuple[int, ...]
    dtype: str
    every: int
    labels: tuple[str, ...] = ()
    """The names of the elements of the schedule: its nodes."""

    @property
    def size(self) -> int:
        """The number of words of a record."""
        return math.prod(self.shape)


@dataclass(frozen=True, slots=True)
class GeneratorStart:
    """The start of a generator: a seed, or its words."""

    kind: str
    seed: int | None
    words: Words | None
    number: int | None = None
    """If the seed is that of a model: which of its generators without a seed of their own this is."""

    def state(self, path: str = "", seed: int = 0, context: str | None = None) -> Words:
        """The words with which it starts: at this path in a model of this seed, in the context of this name, if its seed is the model's."""
        if self.words is not None:
            return self.words
        from cogir.library.random.generators import initial_words, model_words

        own = self.seed or 0
        return initial_words(self.kind, own) if self.number is None else model_words(self.kind, self.number, path, seed, own, context)

    @property
    def numpy_seed(self) -> int | None:
        """The seed as NumPy's generators take it in the default context; of others, that which was given."""
        return self.seed if self.seed is None or self.kind == "xoshiro256" else self.seed + (self.number or 0)


@dataclass(frozen=True, slots=True)
class Numbers:
    """The numbers of a model that its code does not depend on: values of parameters, and starts of generators, by path."""

    values: dict[str, npt.NDArray[Any]]
    starts: dict[str, GeneratorStart]
    seed: int = 0
    """The seed of the model."""


@dataclass(slots=True)
class Plan:
    """
    Slots by path, sizes of the buffers, the names that a status and a result speak of, and what everything starts from.

    `shown` is how many of the outputs belong to a trial's result; the others are the signals of controllers, recorded beside
    it. `controllers` says of each controller whether it searches "before" or "after" a trial.
    """

    slots: dict[str, PlanSlot]
    sizes: dict[str, int]
    nodes: list[str]
    inputs: list[str]
    outputs: list[str]
    shown: int
    controllers: dict[str, str]
    generators: dict[str, GeneratorStart]
    pf: Floats
    pi: Words
    run_clocks: list[int] = field(default_factory=list[int])
    """The positions in `si` of counts of runs."""
    restarts: list[int] = field(default_factory=list[int])
    """The positions in `si` of counts within a run."""
    order: list[list[str]] = field(default_factory=list[list[str]])
    """Pairs (node, other) of one layer where whether the node runs depends on the order of the text."""
    ends: dict[str, str] = field(default_factory=dict[str, str])
    """The conditions that end trials, as text, by the path of an instance (of the model itself: the empty path)."""
    learned: list[str] = field(default_factory=list[str])
    """The matrices that are learned, in the order of the optimizer's vectors, if the model is one to learn."""
    unlearned: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """Those of them whose derivatives are always zero, with the reason."""
    zeros: list[ZeroGradient] = field(default_factory=list[ZeroGradient])
    """Others of them whose derivatives are zero where initial values are."""
    named: list[str] = field(default_factory=list[str])
    """Those of them that the model names to be learned."""
    carried: list[str] = field(default_factory=list[str])
    """The values that a trial of a run takes from the trial before, and a trial of `learn` from the initial state."""

    columns: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    """The columns of the inputs, from the first to before the last, that each array of `learn` has; none: one array has all."""

    ranges: dict[str, Between] = field(default_factory=dict[str, Between])
    """The ranges of parameters, start values of states, levels, and signals, by the paths of those that have one."""

    forgotten: list[str] = field(default_factory=list[str])
    """The slots of the state that a run leaves as they were, although the model changes them: no result depends on them."""

    lanes: int = 1
    """The replicates that the code takes through the loop of a trial side by side, where they take the time of one."""

    shares: bool = False
    """True if the code divides work among threads."""

    trial_work: int = 0
    """The work of a trial, in additions in sequence; 0 if a trial may take any time, fail, or end the run (`analysis/trial_work.py`)."""

    flags: list[str] = field(default_factory=list[str])
    """The columns that say how often something happened in a trial (`runtime/flags.py`), after those of the outputs."""

    checks: list[Check] = field(default_factory=list[Check])
    """The checks at which a checked model can stop (`interpreters/faults.py`), by number less 1."""

    seed: int = 0
    """The seed of the model."""

    statics: list[str] = field(default_factory=list[str])
    """The Static arguments of nodes, which are part of the code; not stored, as only the model that was built knows them."""
    starts_anew: list[str] = field(default_factory=list[str])
    """The nodes whose states are reset at the start of each trial, as far as the builder says so."""

    traces: list[PlanTrace] = field(default_factory=list[PlanTrace])
    """The records of values inside of trials."""

    def size(self, buffer: str) -> int:
        """Number of elements of a buffer; an empty buffer has one."""
        return max(1, self.sizes.get(buffer, 0))

    @property
    def is_float32(self) -> bool:
        """True if all floats of inputs and outputs are float32, as in a model of float32."""
        return {slot.dtype for slot in self.slots.values() if slot.buffer in ("in", "out")} & {"f64", "f32"} == {"f32"}

    @property
    def unrecorded(self) -> int:
        """Number of elements of the buffer sf before the records of controllers, which end it: runs write them, and never read them."""
        return min((slot.offset for path, slot in self.slots.items() if path.endswith("/record:rows")), default=self.size("sf"))

    def signals(self, controller: str) -> list[PlanSlot]:
        """The slots of a controller's signals among the outputs of a trial."""
        return [self.slots[f"out:{path}"] for path in self.outputs[self.shown :] if path.rpartition("/")[0] == controller]

    def places(self, numbers: Numbers) -> bool:
        """True if each of the numbers has a place in the plan, so that `fill` can put others there."""
        return set(numbers.starts) == set(self.generators) and all(
            (slot := self.slots.get(path)) is not None and slot.buffer in ("pf", "pi") and slot.shape == value.shape
            for path, value in numbers.values.items()
        )

    def fill(self, numbers: Numbers) -> None:
        """Puts numbers into their places, for a model of the same structure."""
        buffers = {"pf": self.pf, "pi": self.pi}
        for path, value in numbers.values.items():
            slot = self.slots[path]
            buffers[slot.buffer][slot.words] = value.ravel()
        self.generators = {path: numbers.starts[path] for path in self.generators}
        self.seed = numbers.seed

    def to_json(self) -> str:
        """The plan as a text."""
        return json.dumps(
            {
                "slots": [[slot.path, slot.buffer, slot.offset, slot.shape, slot.dtype] for slot in self.slots.values()],
                "sizes": self.sizes,
                "nodes": self.nodes,
                "inputs": self.inputs,
                "outputs": self.outputs,
                "shown": self.shown,
                "controllers": self.controllers,
                "generators": {path: [s.kind, s.seed, _text(s.words), s.number] for path, s in self.generators.items()},
                "seed": self.seed,
                "pf": _text(self.pf),
                "pi": _text(self.pi),
                "run_clocks": self.run_clocks,
                "restarts": self.restarts,
                "order": self.order,
                "ends": self.ends,
                "learned": self.learned,
                "unlearned": self.unlearned,
                "zeros": [astuple(each) for each in self.zeros],
                "named": self.named,
                "carried": self.carried,
                "columns": self.columns,
                "ranges": {path: astuple(held) for path, held in self.ranges.items()},
                "forgotten": self.forgotten,
                "lanes": self.lanes,
                "shares": self.shares,
                "trial_work": self.trial_work,
                "flags": self.flags,
                "checks": [astuple(check) for check in self.checks],
                "traces": [[trace.path, trace.shape, trace.dtype, trace.every, trace.labels] for trace in self.traces],
            }
        )

    @staticmethod
    def from_json(text: str) -> Plan:
        """The plan that `to_json` wrote."""
        held = cast("dict[str, Any]", json.loads(text))
        return Plan(
            slots={path: PlanSlot(path, buffer, offset, tuple(shape), dtype) for path, buffer, offset, shape, dtype in held["slots"]},
            sizes=held["sizes"],
            nodes=held["nodes"],
            inputs=held["inputs"],
            outputs=held["outputs"],
            shown=held["shown"],
            controllers=held["controllers"],
            generators={
                path: GeneratorStart(kind, seed, None if words is None else _array(words, np.int64), number)
                for path, (kind, seed, words, number) in held["generators"].items()
            },
            seed=held["seed"],
            pf=_array(held["pf"], np.float64),
            pi=_array(held["pi"], np.int64),
            run_clocks=held["run_clocks"],
            restarts=held["restarts"],
            order=held["order"],
            ends=held["ends"],
            learned=held["learned"],
            unlearned=[(path, reason) for path, reason in held["unlearned"]],
            zeros=[
                ZeroGradient(matrix, tuple(tuple((path, first, count) for path, first, count in each) for each in alternatives))
                for matrix, alternatives in held["zeros"]
            ],
            named=held["named"],
            carried=held["carried"],
            columns=[(begin, end) for begin, end in held["columns"]],
            ranges={path: Between(*ends) for path, ends in held["ranges"].items()},
            forgotten=held["forgotten"],
            lanes=held["lanes"],
            shares=held["shares"],
            trial_work=held["trial_work"],
            flags=held["flags"],
            checks=[Check(*texts) for texts in held["checks"]],
            traces=[PlanTrace(path, tuple(shape), dtype, every, tuple(labels)) for path, shape, dtype, every, labels in held["traces"]],
        )


def _text(array: npt.NDArray[Any] | None) -> str | None:
    return None if array is None else base64.b64encode(array.tobytes()).decode("ascii")


def _array(text: str, dtype: Any) -> npt.NDArray[Any]:
    return np.frombuffer(base64.b64decode(text), dtype=dtype).copy()


def plan_of(module: ModuleOp, shown: int, controllers: dict[str, str]) -> Plan:
    """The plan of a module at stage `machine` or below, of whose outputs the first `shown` belong to the result."""
    from cogir.analysis.layout import Layout

    layout = Layout.from_module(module)
    starts = starts_of(module)
    after = np.ones(layout.size("si"), np.int64)
    layout.end_run(after)
    layout.begin_run(after)
    generators = {path: starts[stream] for path, stream in zip(layout.generators, layout.streams, strict=True)}
    return Plan(
        slots={slot.path: PlanSlot(slot.path, slot.buffer, slot.offset, slot.shape, dtype_of(slot.type)) for slot in layout},
        sizes={buffer: size for buffer, size in layout.sizes.items()},
        nodes=layout.nodes,
        inputs=[path.removeprefix("in:") for path in layout.inputs],
        outputs=[path.removeprefix("out:") for path in layout.outputs],
        shown=shown,
        controllers=controllers,
        generators=generators,
        pf=cast(Floats, layout.default_buffer("pf")),
        pi=cast(Words, layout.default_buffer("pi")),
        run_clocks=np.flatnonzero(after == 2).tolist(),
        restarts=np.flatnonzero(after == 0).tolist(),
        seed=layout.seed,
        learned=layout.learned,
        unlearned=layout.unlearned,
        zeros=layout.zeros,
        named=layout.named,
        carried=layout.carried,
        flags=[path.removeprefix("out:") for path in layout.flags],
        traces=plan_traces(layout.traces),
    )


def plan_traces(traces: Iterable[TracedQuantity]) -> list[PlanTrace]:
    """The traces of a model as plain data."""
    from cogir.irutils import shape_of

    return [PlanTrace(trace.path, shape_of(trace.type), dtype_of(trace.type), trace.every, trace.labels) for trace in traces]


def dtype_of(kept: Attribute) -> str:
    """The name of an IR type: f64, f32, i64, i1, or the kind of a generator."""
    from xdsl.dialects.builtin import Float32Type, IntegerType, i1

    from cogir.dialects.rng import StateType
    from cogir.irutils import element_type_of

    if isinstance(kept, StateType):
        return kept.kind.data
    element = element_type_of(kept)
    if isinstance(element, IntegerType):
        return "i1" if element == i1 else "i64"
    return "f32" if isinstance(element, Float32Type) else "f64"


def starts_of(module: ModuleOp) -> dict[str, GeneratorStart]:
    """The streams of a module by name."""
    from cogir.dialects.rng import StreamOp

    return {
        op.sym_name.data: GeneratorStart(
            op.kind.data,
            None if op.seed is None else op.seed.value.data,
            None if op.words is None else np.array(op.words, np.int64),
            None if op.number is None else op.number.value.data,
        )
        for op in module.body.block.ops
        if isinstance(op, StreamOp)
    }
