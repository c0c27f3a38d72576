"""
The layout of a model's state machine: the place of every slot in its buffers.

A slot holds one value of the model that outlives an operation: a parameter, the value of a port, a state of a node, a
counter, a generator. `convert-cog-to-machine` gives each of them a place in a buffer and stores the result as attributes of the module:

```mlir
builtin.module attributes {
  cog.layout = {
    slots = {"decision/param:rate" = ["pf", 0 : i64, f64], "decision/state:x" = ["sf", 2 : i64, tensor<1xf64>],
             "decision/random:r" = ["rng", 0 : i64, "mt19937"], ...},
    sizes = {pf = 7 : i64, ...}, nodes = ["stimulus", "decision"], streams = [@decision_stream],
    inputs = ["in:stimulus/in"], outputs = ["out:decision/value", "out:decision/time"]
  },
  cog.defaults = {pf = dense<...> : tensor<7xf64>, pi = dense<...> : tensor<1xi64>}
} { ... }
```

The third entry of a slot is its type, or the kind of a generator. All attributes are MLIR's own, so that mlir-opt reads what is below
stage `machine`.

Buffers: `pf`, `pi` hold the parameters (floats; integers and flags), `sf`, `si` the state, `in` and `out` what one trial
reads and returns, `rng` the words of all generators. A buffer without slots still has one element.

Paths: `node/param:rate`, `node/port:value`, `node/state:x`, `node/random:r`, and for the value that the latter start
from `node/initial:state:x` and `node/initial:port:value`; `in:node/port` and `out:node/port`; nested models put the
instance in front: `inner/node/state:x`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from typing import Any, Literal, cast, get_args

import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    f64,
    i64,
)
from xdsl.ir import Attribute

from cogir.dialects.rng import STATE_WORDS, StateType
from cogir.errors import LoweringError
from cogir.irutils import array_of_dense, dense_of_array, is_float, shape_of
from cogir.model.traces import TracedQuantity
from cogir.zero_gradients import ZeroGradient

Buffer = Literal["pf", "pi", "sf", "si", "rng", "in", "out"]
BUFFERS: tuple[Buffer, ...] = get_args(Buffer)
FLOAT_BUFFERS: frozenset[Buffer] = frozenset(("pf", "sf", "in", "out"))

Array = npt.NDArray[np.float64] | npt.NDArray[np.int64]


@dataclass(frozen=True)
class Slot:
    """One slot: `size` words from `offset` on in `buffer`, read as a value of `type`."""

    path: str
    buffer: Buffer
    offset: int
    type: Attribute

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """The shape of the value, `()` for a scalar; of a generator state, its number of words."""
        return (STATE_WORDS[self.type.kind.data],) if isinstance(self.type, StateType) else shape_of(self.type)

    @cached_property
    def size(self) -> int:
        """Number of words in the buffer."""
        return prod(self.shape)

    @property
    def words(self) -> slice:
        """The words of this slot, as an index into its buffer."""
        return slice(self.offset, self.offset + self.size)

    def of(self, buffer: Array) -> Array:
        """The value of this slot in `buffer` (one-dimensional): a view in its shape, without a copy."""
        return buffer[self.words].reshape(self.shape)


@dataclass
class Layout:
    """
    All slots of a model by path, and what else a runtime needs.

    `nodes` lists what has an index in a status, `streams` the initial state of each generator in the order in which `@trial`
    takes them, `inputs` and `outputs` the ports of one trial in order.
    """

    slots: dict[str, Slot] = field(default_factory=dict[str, Slot])
    sizes: dict[Buffer, int] = field(default_factory=lambda: dict.fromkeys(BUFFERS, 0))
    nodes: list[str] = field(default_factory=list[str])
    generators: list[str] = field(default_factory=list[str])
    streams: list[str] = field(default_factory=list[str])
    inputs: list[str] = field(default_factory=list[str])
    outputs: list[str] = field(default_factory=list[str])
    learned: list[str] = field(default_factory=list[str])
    """The learned matrices."""
    named: list[str] = field(default_factory=list[str])
    """Those of them that the model names to be learned; it learns the others as it learns all."""
    unlearned: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """Those of them whose derivatives are always zero, with the reason."""
    zeros: list[ZeroGradient] = field(default_factory=list[ZeroGradient])
    """Others of them whose derivatives are zero where initial values are."""
    carried: list[str] = field(default_factory=list[str])
    """The values that a trial reads as the trial before has left them, while each trial of `learn` starts from the initial ones."""
    flags: list[str] = field(default_factory=list[str])
    """The outputs that count events of the trial (`interpreters/flags.py`), after all others."""
    traces: list[TracedQuantity] = field(default_factory=list[TracedQuantity])
    """The records of values inside of trials."""
    seed: int = 0
    """The seed of the model."""
    defaults_f: list[float] = field(default_factory=list[float])
    defaults_i: list[int] = field(default_factory=list[int])

    # Building

    def add(self, path: str, buffer: Buffer, value_type: Attribute) -> Slot:
        """Adds the slot `path` at the next free place of `buffer`."""
        if path in self.slots:
            raise LoweringError(f"layout: there are two slots called '{path}'; give one of them another name")
        slot = Slot(path, buffer, self.sizes[buffer], value_type)
        self.slots[path] = slot
        self.sizes[buffer] += slot.size
        return slot

    def add_parameter(self, path: str, value_type: Attribute, default: npt.ArrayLike) -> Slot:
        """Adds a parameter to `pf` or `pi`; `default` is its value unless a run sets another."""
        slot = self.add(path, "pf" if is_float(value_type) else "pi", value_type)
        flat = np.broadcast_to(np.asarray(default), slot.shape).ravel()
        if slot.buffer == "pf":
            self.defaults_f += flat.astype(np.float64).tolist()
        else:
            self.defaults_i += flat.astype(np.int64).tolist()
        return slot

    def add_state(self, path: str, value_type: Attribute) -> Slot:
        """Adds a value that changes to `sf` or `si`."""
        return self.add(path, "sf" if is_float(value_type) else "si", value_type)

    def add_generator(self, path: str, state_type: StateType, stream: str) -> Slot:
        """Adds a generator that starts as the stream called `stream` to `rng`."""
        self.generators.append(path)
        self.streams.append(stream)
        return self.add(path, "rng", state_type)

    # Asking

    def traces_of(self, owner: str, kind: str) -> list[TracedQuantity]:
        """The traces of one kind of a node, or of the schedule of the model with this prefix."""
        return [trace for trace in self.traces if trace.owner == owner and trace.kind == kind]

    def __getitem__(self, path: str) -> Slot:
        slot = self.slots.get(path)
        if slot is None:
            raise LoweringError(f"layout: there is no slot '{path}'; the plan of the model (lowering/machine/plan.py) must declare it")
        return slot

    def __contains__(self, path: object) -> bool:
        return path in self.slots

    def __iter__(self) -> Iterator[Slot]:
        return iter(self.slots.values())

    def in_buffer(self, buffer: Buffer) -> tuple[Slot, ...]:
        """The slots of one buffer in order."""
        return tuple(slot for slot in self if slot.buffer == buffer)

    def below(self, prefix: str) -> tuple[Slot, ...]:
        """The slots whose path begins with `prefix`, in order; for example `"decision/state:"`."""
        return tuple(slot for slot in self if slot.path.startswith(prefix))

    def size(self, buffer: Buffer) -> int:
        """Number of elements of a buffer, at least one."""
        return max(1, self.sizes[buffer])

    def type_of(self, buffer: Buffer) -> TensorType[Attribute]:
        """The type of a buffer as a value."""
        return TensorType(f64 if buffer in FLOAT_BUFFERS else i64, (self.size(buffer),))

    @property
    def generator_slots(self) -> tuple[Slot, ...]:
        """The generators in the order in which `@trial` takes them."""
        return tuple(self.slots[path] for path in self.generators)

    def initial_of(self, path: str) -> Slot:
        """The parameter that holds what the port or state at `path` starts from."""
        owner, _, name = path.rpartition("/")
        return self[f"{owner}/initial:{name}"]

    def has_initial(self, path: str) -> bool:
        """True if the slot at `path` starts from a parameter."""
        owner, _, name = path.rpartition("/")
        return f"{owner}/initial:{name}" in self.slots

    def default_buffer(self, buffer: Literal["pf", "pi"]) -> Array:
        """A new buffer of parameters that holds the defaults."""
        if buffer == "pf":
            return np.array(self.defaults_f or [0.0], dtype=np.float64)
        return np.array(self.defaults_i or [0], dtype=np.int64)

    def begin_run(self, si: npt.NDArray[np.int64]) -> None:
        """Begins a run: counters of calls within a run, or within less, are cleared in the state buffer `si` (changed in place)."""
        self._clear(si, ("calls:", "calls_of:"), "have_run:")

    def end_run(self, si: npt.NDArray[np.int64]) -> None:
        """
        Ends a run: in the state buffer `si` (changed in place) the number of the run grows by one, and the clocks that count
        within a run start again. (Instances inside the model are not affected: their clocks count trials only.)
        """
        self._clear(si, (), "clock:")
        for slot in self.in_buffer("si"):
            if slot.path == "clock:run:life":
                si[slot.offset] += 1

    def _clear(self, si: npt.NDArray[np.int64], of_nodes: tuple[str, ...], of_model: str) -> None:
        """Zeroes counters of the model itself, except those that last for life."""
        for slot in self.in_buffer("si"):
            owner, _, name = slot.path.rpartition("/")
            if "/" not in owner and not name.endswith(":life") and name.startswith(of_nodes if owner else of_model):
                si[slot.words] = 0

    # As an attribute

    @staticmethod
    def from_module(module: ModuleOp) -> Layout:
        """Reads `cog.layout` and `cog.defaults` of a module at stage `machine` or below."""
        layout = module.attributes.get("cog.layout")
        defaults = module.attributes.get("cog.defaults")
        if not isinstance(layout, DictionaryAttr) or not isinstance(defaults, DictionaryAttr):
            raise LoweringError(
                "layout: the module has no attribute `cog.layout`; lower it to stage `machine` first (pass convert-cog-to-machine)"
            )
        result = Layout(
            nodes=_strings(layout, "nodes"),
            generators=_strings(layout, "generators"),
            inputs=_strings(layout, "inputs"),
            outputs=_strings(layout, "outputs"),
            learned=_strings(layout, "learned") if "learned" in layout.data else [],
            named=_strings(layout, "named") if "named" in layout.data else [],
            unlearned=_pairs(layout, "unlearned") if "unlearned" in layout.data else [],
            zeros=_zeros(layout) if "zeros" in layout.data else [],
            carried=_strings(layout, "carried") if "carried" in layout.data else [],
            flags=_strings(layout, "flags") if "flags" in layout.data else [],
            traces=_traces(layout) if "traces" in layout.data else [],
            seed=cast(IntegerAttr, layout.data["seed"]).value.data if "seed" in layout.data else 0,
        )
        streams = cast(ArrayAttr[SymbolRefAttr], layout.data["streams"])
        result.streams = [stream.string_value() for stream in streams]
        for name, size in cast(DictionaryAttr, layout.data["sizes"]).data.items():
            result.sizes[cast(Buffer, name)] = cast(IntegerAttr, size).value.data
        slots: list[Slot] = []
        for path, place in cast(DictionaryAttr, layout.data["slots"]).data.items():
            buffer, offset, written = cast(ArrayAttr[Attribute], place).data
            slots.append(Slot(path, cast(Buffer, cast(StringAttr, buffer).data), cast(IntegerAttr, offset).value.data, _read(written)))
        slots.sort(key=lambda slot: (BUFFERS.index(slot.buffer), slot.offset))
        result.slots = {slot.path: slot for slot in slots}
        result.defaults_f = array_of_dense(cast("DenseIntOrFPElementsAttr[Any]", defaults.data["pf"])).tolist()
        result.defaults_i = array_of_dense(cast("DenseIntOrFPElementsAttr[Any]", defaults.data["pi"])).tolist()
        return result

    def write_to(self, module: ModuleOp) -> None:
        """Stores the layout on `module` as `cog.layout` and `cog.defaults`."""
        buffers = {buffer: StringAttr(buffer) for buffer in BUFFERS}
        module.attributes["cog.layout"] = DictionaryAttr(
            {
                "slots": DictionaryAttr(
                    {slot.path: ArrayAttr((buffers[slot.buffer], IntegerAttr(slot.offset, i64), _written(slot.type))) for slot in self}
                ),
                "sizes": DictionaryAttr({buffer: IntegerAttr(size, i64) for buffer, size in self.sizes.items()}),
                "nodes": ArrayAttr(StringAttr(name) for name in self.nodes),
                "generators": ArrayAttr(StringAttr(name) for name in self.generators),
                "streams": ArrayAttr(SymbolRefAttr(name) for name in self.streams),
                "inputs": ArrayAttr(StringAttr(name) for name in self.inputs),
                "outputs": ArrayAttr(StringAttr(name) for name in self.outputs),
                **({"learned": ArrayAttr(StringAttr(name) for name in self.learned)} if self.learned else {}),
                **({"named": ArrayAttr(StringAttr(name) for name in self.named)} if self.named else {}),
                **({"unlearned": ArrayAttr(ArrayAttr(map(StringAttr, pair)) for pair in self.unlearned)} if self.unlearned else {}),
                **({"zeros": ArrayAttr(map(_written_zero, self.zeros))} if self.zeros else {}),
                **({"carried": ArrayAttr(StringAttr(name) for name in self.carried)} if self.carried else {}),
                **({"flags": ArrayAttr(StringAttr(name) for name in self.flags)} if self.flags else {}),
                **({"traces": ArrayAttr(map(_written_trace, self.traces))} if self.traces else {}),
                **({"seed": IntegerAttr(self.seed, i64)} if self.seed else {}),
            }
        )
        module.attributes["cog.defaults"] = DictionaryAttr(
            {"pf": dense_of_array(self.default_buffer("pf")), "pi": dense_of_array(self.default_buffer("pi"))}
        )


def _written(value_type: Attribute) -> Attribute:
    """The type of a slot in the attribute: of a generator its kind as a string, since MLIR has no such type."""
    return value_type.kind if isinstance(value_type, StateType) else value_type


def _read(written: Attribute) -> Attribute:
    """The type of a slot that `_written` wrote."""
    return StateType(written.data) if isinstance(written, StringAttr) else written


def _strings(layout: DictionaryAttr, key: str) -> list[str]:
    return [text.data for text in cast(ArrayAttr[StringAttr], layout.data[key])]


def _pairs(layout: DictionaryAttr, key: str) -> list[tuple[str, str]]:
    pairs = cast("ArrayAttr[ArrayAttr[StringAttr]]", layout.data[key])
    return [(first.data, second.data) for first, second in pairs]


def _written_zero(zero: ZeroGradient) -> Attribute:
    """A condition in the attribute: the matrix, and the alternatives, in which the parts are a path and two numbers."""
    parts = [
        ArrayAttr(ArrayAttr((StringAttr(path), IntegerAttr(first, i64), IntegerAttr(count, i64))) for path, first, count in each)
        for each in zero.alternatives
    ]
    return ArrayAttr((StringAttr(zero.matrix), ArrayAttr(parts)))


def _zeros(layout: DictionaryAttr) -> list[ZeroGradient]:
    """The conditions that `_written_zero` wrote."""
    found: list[ZeroGradient] = []
    for matrix, alternatives in cast("ArrayAttr[ArrayAttr[Any]]", layout.data["zeros"]):
        parts = [tuple((path.data, first.value.data, count.value.data) for path, first, count in each) for each in alternatives]
        found.append(ZeroGradient(matrix.data, tuple(parts)))
    return found


def _written_trace(trace: TracedQuantity) -> Attribute:
    """A trace in the attribute: its path, its type, which executions, and the labels of elements."""
    labels = ArrayAttr(map(StringAttr, trace.labels))
    return ArrayAttr((StringAttr(trace.path), trace.type, IntegerAttr(trace.every, i64), labels))


def _traces(layout: DictionaryAttr) -> list[TracedQuantity]:
    """The traces that `_written_trace` wrote."""
    found: list[TracedQuantity] = []
    for written in cast("ArrayAttr[ArrayAttr[Attribute]]", layout.data["traces"]):
        path, type, every, labels = written.data
        names = tuple(label.data for label in cast("ArrayAttr[StringAttr]", labels))
        found.append(TracedQuantity.at(cast(StringAttr, path).data, type, cast(IntegerAttr, every).value.data, names))
    return found
