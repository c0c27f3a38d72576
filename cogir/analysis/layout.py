"""
Where every leaf of a model lives in the banks of its state machine.

A leaf is one value of the model that outlives an operation: a parameter, the value of a port, a state of a node, a
counter, a generator. `convert-cog-to-machine` gives each of them a place in a bank and hangs the result on the module:

```mlir
builtin.module attributes {
  cog.layout = {
    leaves = {"decision/param:rate" = ["pf", 0 : i64, f64], "decision/state:x" = ["sf", 2 : i64, tensor<1xf64>],
              "decision/random:r" = ["rng", 0 : i64, "mt19937"], ...},
    sizes = {pf = 7 : i64, ...}, nodes = ["stimulus", "decision"], streams = [@decision_stream],
    inputs = ["in:stimulus/in"], outputs = ["out:decision/value", "out:decision/time"]
  },
  cog.defaults = {pf = dense<...> : tensor<7xf64>, pi = dense<...> : tensor<1xi64>}
} { ... }
```

The third entry of a leaf is its type, or the kind of a generator. All attributes are MLIR's own, so that mlir-opt reads what is below
stage `machine`.

Banks: `pf`, `pi` hold the parameters (floats; integers and flags), `sf`, `si` the state, `in` and `out` what one trial
reads and returns, `rng` the words of all generators. A bank without leaves still has one element.

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

Bank = Literal["pf", "pi", "sf", "si", "rng", "in", "out"]
BANKS: tuple[Bank, ...] = get_args(Bank)
FLOAT_BANKS: frozenset[Bank] = frozenset(("pf", "sf", "in", "out"))

Array = npt.NDArray[np.float64] | npt.NDArray[np.int64]


@dataclass(frozen=True)
class Slot:
    """One leaf: `size` words from `offset` on in `bank`, to be read as a value of `type`."""

    path: str
    bank: Bank
    offset: int
    type: Attribute

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """The shape of the value, `()` for a scalar; of a generator state, its number of words."""
        return (STATE_WORDS[self.type.kind.data],) if isinstance(self.type, StateType) else shape_of(self.type)

    @cached_property
    def size(self) -> int:
        """Number of words in the bank."""
        return prod(self.shape)

    @property
    def words(self) -> slice:
        """The words of this leaf, as an index into its bank."""
        return slice(self.offset, self.offset + self.size)

    def of(self, bank: Array) -> Array:
        """The value of this leaf in `bank` (one-dimensional): a view in its shape, without a copy."""
        return bank[self.words].reshape(self.shape)


@dataclass
class Layout:
    """
    All leaves of a model by path, and what a run-time needs to know beside them.

    `nodes` says who has an index in a status, `streams` the initial state of each generator in the order in which `@trial`
    takes them, `inputs` and `outputs` the ports of one trial in order.
    """

    leaves: dict[str, Slot] = field(default_factory=dict[str, Slot])
    sizes: dict[Bank, int] = field(default_factory=lambda: dict.fromkeys(BANKS, 0))
    nodes: list[str] = field(default_factory=list[str])
    generators: list[str] = field(default_factory=list[str])
    streams: list[str] = field(default_factory=list[str])
    inputs: list[str] = field(default_factory=list[str])
    outputs: list[str] = field(default_factory=list[str])
    learned: list[str] = field(default_factory=list[str])
    """The matrices that are learned, of a model that is to learn."""
    flags: list[str] = field(default_factory=list[str])
    """The outputs that say how often something happened in the trial (`interpreters/flags.py`), after all others."""
    defaults_f: list[float] = field(default_factory=list[float])
    defaults_i: list[int] = field(default_factory=list[int])

    # Building

    def add(self, path: str, bank: Bank, value_type: Attribute) -> Slot:
        """Gives the leaf at `path` the next free place in `bank`."""
        if path in self.leaves:
            raise LoweringError(f"layout: there are two leaves called '{path}'; give one of them another name")
        leaf = Slot(path, bank, self.sizes[bank], value_type)
        self.leaves[path] = leaf
        self.sizes[bank] += leaf.size
        return leaf

    def add_parameter(self, path: str, value_type: Attribute, default: npt.ArrayLike) -> Slot:
        """Gives a parameter a place in `pf` or `pi`; `default` is what it holds unless a run says otherwise."""
        leaf = self.add(path, "pf" if is_float(value_type) else "pi", value_type)
        flat = np.broadcast_to(np.asarray(default), leaf.shape).ravel()
        if leaf.bank == "pf":
            self.defaults_f.extend(float(x) for x in flat)
        else:
            self.defaults_i.extend(int(x) for x in flat)
        return leaf

    def add_state(self, path: str, value_type: Attribute) -> Slot:
        """Gives a value that changes a place in `sf` or `si`."""
        return self.add(path, "sf" if is_float(value_type) else "si", value_type)

    def add_generator(self, path: str, state_type: StateType, stream: str) -> Slot:
        """Gives a generator that starts as the stream called `stream` its words in `rng`."""
        self.generators.append(path)
        self.streams.append(stream)
        return self.add(path, "rng", state_type)

    # Asking

    def __getitem__(self, path: str) -> Slot:
        leaf = self.leaves.get(path)
        if leaf is None:
            raise LoweringError(f"layout: there is no leaf '{path}'")
        return leaf

    def __contains__(self, path: object) -> bool:
        return path in self.leaves

    def __iter__(self) -> Iterator[Slot]:
        return iter(self.leaves.values())

    def in_bank(self, bank: Bank) -> tuple[Slot, ...]:
        """The leaves of one bank in order."""
        return tuple(leaf for leaf in self if leaf.bank == bank)

    def below(self, prefix: str) -> tuple[Slot, ...]:
        """The leaves whose path begins with `prefix`, in order; for example `"decision/state:"`."""
        return tuple(leaf for leaf in self if leaf.path.startswith(prefix))

    def size(self, bank: Bank) -> int:
        """Number of elements of a bank, at least one."""
        return max(1, self.sizes[bank])

    def type_of(self, bank: Bank) -> TensorType[Attribute]:
        """The type of a bank as a value."""
        return TensorType(f64 if bank in FLOAT_BANKS else i64, (self.size(bank),))

    @property
    def generator_leaves(self) -> tuple[Slot, ...]:
        """The generators in the order in which `@trial` takes them."""
        return tuple(self.leaves[path] for path in self.generators)

    def initial_of(self, path: str) -> Slot:
        """The parameter that holds what the port or state at `path` starts from."""
        owner, _, name = path.rpartition("/")
        return self[f"{owner}/initial:{name}"]

    def has_initial(self, path: str) -> bool:
        """Whether the leaf at `path` starts from a parameter."""
        owner, _, name = path.rpartition("/")
        return f"{owner}/initial:{name}" in self.leaves

    def input_leaves(self) -> tuple[Slot, ...]:
        """The inputs of one trial, in order."""
        return tuple(self.leaves[path] for path in self.inputs)

    def output_leaves(self) -> tuple[Slot, ...]:
        """The outputs of one trial, in order."""
        return tuple(self.leaves[path] for path in self.outputs)

    def default_bank(self, bank: Literal["pf", "pi"]) -> Array:
        """A new bank of parameters that holds the defaults."""
        if bank == "pf":
            return np.array(self.defaults_f or [0.0], dtype=np.float64)
        return np.array(self.defaults_i or [0], dtype=np.int64)

    def begin_run(self, si: npt.NDArray[np.int64]) -> None:
        """A run begins: what counts calls within a run, or within less, starts again in the state bank `si` (changed in place)."""
        self._clear(si, ("calls:", "calls_of:"), "have_run:")

    def end_run(self, si: npt.NDArray[np.int64]) -> None:
        """
        A run is over: in the state bank `si` (changed in place) the number of the run grows by one, and the clocks that count
        within a run start again. (Instances inside the model live through it: their clocks only know trials.)
        """
        self._clear(si, (), "clock:")
        for leaf in self.in_bank("si"):
            if leaf.path == "clock:run:life":
                si[leaf.offset] += 1

    def _clear(self, si: npt.NDArray[np.int64], of_nodes: tuple[str, ...], of_model: str) -> None:
        """Zeroes counters of the model itself, except those that last for life."""
        for leaf in self.in_bank("si"):
            owner, _, name = leaf.path.rpartition("/")
            if "/" not in owner and not name.endswith(":life") and name.startswith(of_nodes if owner else of_model):
                si[leaf.words] = 0

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
            flags=_strings(layout, "flags") if "flags" in layout.data else [],
        )
        streams = cast(ArrayAttr[SymbolRefAttr], layout.data["streams"])
        result.streams = [stream.string_value() for stream in streams]
        for name, size in cast(DictionaryAttr, layout.data["sizes"]).data.items():
            result.sizes[cast(Bank, name)] = cast(IntegerAttr, size).value.data
        leaves: list[Slot] = []
        for path, place in cast(DictionaryAttr, layout.data["leaves"]).data.items():
            bank, offset, written = cast(ArrayAttr[Attribute], place).data
            leaves.append(Slot(path, cast(Bank, cast(StringAttr, bank).data), cast(IntegerAttr, offset).value.data, _read(written)))
        leaves.sort(key=lambda leaf: (BANKS.index(leaf.bank), leaf.offset))
        result.leaves = {leaf.path: leaf for leaf in leaves}
        result.defaults_f = array_of_dense(cast("DenseIntOrFPElementsAttr[Any]", defaults.data["pf"])).tolist()
        result.defaults_i = array_of_dense(cast("DenseIntOrFPElementsAttr[Any]", defaults.data["pi"])).tolist()
        return result

    def write_to(self, module: ModuleOp) -> None:
        """Hangs the layout on `module` as `cog.layout` and `cog.defaults`."""
        banks = {bank: StringAttr(bank) for bank in BANKS}
        module.attributes["cog.layout"] = DictionaryAttr(
            {
                "leaves": DictionaryAttr(
                    {leaf.path: ArrayAttr((banks[leaf.bank], IntegerAttr(leaf.offset, i64), _written(leaf.type))) for leaf in self}
                ),
                "sizes": DictionaryAttr({bank: IntegerAttr(size, i64) for bank, size in self.sizes.items()}),
                "nodes": ArrayAttr(StringAttr(name) for name in self.nodes),
                "generators": ArrayAttr(StringAttr(name) for name in self.generators),
                "streams": ArrayAttr(SymbolRefAttr(name) for name in self.streams),
                "inputs": ArrayAttr(StringAttr(name) for name in self.inputs),
                "outputs": ArrayAttr(StringAttr(name) for name in self.outputs),
                **({"learned": ArrayAttr(StringAttr(name) for name in self.learned)} if self.learned else {}),
                **({"flags": ArrayAttr(StringAttr(name) for name in self.flags)} if self.flags else {}),
            }
        )
        module.attributes["cog.defaults"] = DictionaryAttr(
            {"pf": dense_of_array(self.default_bank("pf")), "pi": dense_of_array(self.default_bank("pi"))}
        )


def _written(value_type: Attribute) -> Attribute:
    """The type of a leaf as the attribute says it: of a generator its kind as a text, since MLIR has no such type."""
    return value_type.kind if isinstance(value_type, StateType) else value_type


def _read(written: Attribute) -> Attribute:
    """The type of a leaf that `_written` wrote."""
    return StateType(written.data) if isinstance(written, StringAttr) else written


def _strings(layout: DictionaryAttr, key: str) -> list[str]:
    return [text.data for text in cast(ArrayAttr[StringAttr], layout.data[key])]
