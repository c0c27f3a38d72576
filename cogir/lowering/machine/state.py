"""
The state of a model while its trial is being written as operations.

A slot can be in its buffer, or (in straight-line programs) in a value of its own: it is then loaded once, lives as a
value from step to step and is stored at the end, or where control flow needs the whole buffer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import TensorType, i64
from xdsl.ir import SSAValue

from cogir.analysis.layout import Buffer, Layout, Slot
from cogir.interpreters.faults import FAULT, NODE_SHIFT
from cogir.lowering.machine.buffer_access import load, store, store_words, words
from cogir.lowering.machine.emitter import BlockEmitter, readable
from cogir.lowering.machine.tensors import select

STATE_BUFFERS: tuple[Buffer, ...] = ("sf", "si")

FEW = 8
"""Most counters that are cleared one by one: no more code than a loop, and later operations see the zeros as values."""


class MachineState:
    """The value of every slot at the cursor of `emitter`."""

    def __init__(
        self,
        emitter: BlockEmitter,
        layout: Layout,
        buffers: dict[Buffer, SSAValue],
        generators: dict[str, SSAValue],
        *,
        cached: bool,
    ):
        self.emitter = emitter
        self.layout = layout
        self.buffers = buffers
        self.generators = generators
        self.cached = cached
        self.simulates = False
        """True in the simulations of a search, whose changes are discarded."""
        self.values: dict[str, SSAValue] = {}
        self.unsaved: dict[str, Slot] = {}
        self.first_loads: dict[tuple[SSAValue, str], SSAValue] = {}

    def fork(self, emitter: BlockEmitter, *, cached: bool | None = None) -> MachineState:
        """An independent state at another cursor, for example inside a loop; its changes do not affect this one."""
        child = MachineState(
            emitter,
            self.layout,
            dict(self.buffers),
            dict(self.generators),
            cached=self.cached if cached is None else cached,
        )
        child.simulates = self.simulates
        child.values = dict(self.values)
        child.unsaved = dict(self.unsaved)
        child.first_loads = self.first_loads
        return child

    # Slots

    def read(self, path: str) -> SSAValue:
        """The value of a slot now."""
        slot = self.layout[path]
        if slot.buffer == "rng":
            return self.generators[path]
        if (value := self.values.get(path)) is None:
            value = self._load(slot)
            if self.cached or slot.buffer in ("pf", "pi", "in"):
                self.values[path] = value
        return value

    def adopt(self, values: Mapping[str, SSAValue]) -> None:
        """Takes these as the values of slots, to be read here only: they are never saved."""
        for path, value in values.items():
            (self.generators if self.layout[path].buffer == "rng" else self.values)[path] = value

    @staticmethod
    def hint(path: str) -> str:
        """A name for the value of a slot: `decision_rate` for `decision/param:rate`."""
        owner, _, name = path.removeprefix("in:").rpartition("/")
        return readable(f"{owner.rpartition('/')[2]}_{name.rpartition(':')[2]}" if owner else name)

    def _load(self, slot: Slot) -> SSAValue:
        buffer, hint = self.buffers[slot.buffer], self.hint(slot.path)
        if self.emitter.head.owns(buffer):
            if (value := self.first_loads.get((buffer, slot.path))) is None:
                value = load(self._reader(), buffer, slot.offset, slot.type, hint)
                self.first_loads[buffer, slot.path] = value
            return value
        return load(self.emitter, buffer, slot.offset, slot.type, hint)

    def part(self, buffer: Buffer, start: int, size: int) -> SSAValue:
        """Neighbouring words of a parameter buffer."""
        value, key = self.buffers[buffer], f"{buffer}[{start}:{start + size}]"
        known = self.first_loads.get((value, key))
        if known is None:
            known = words(self.emitter, value, start, size)
            if self.emitter.block is self.emitter.head.entry:
                self.first_loads[value, key] = known
        return known

    def _reader(self) -> BlockEmitter:
        """The emitter that reads what may be read again further down: at the cursor, or before the control flow around it."""
        return self.emitter if self.emitter.block is self.emitter.head.entry else self.emitter.at_head()

    def give_up(self, reason: str, happened: SSAValue) -> None:
        """If it `happened`, the trial is given up for this reason, one of the layout's `nodes`; the first reason stands."""
        emitter, before = self.emitter, self.read("status")
        first = emitter.both(happened, emitter.compare(before, "eq", emitter.integer(0)))
        self.write("status", emitter.choose(first, emitter.integer(1 + self.layout.nodes.index(reason)), before))

    def note_fault(self, name: str, fault: SSAValue) -> None:
        """Gives the trial up if the body of one of the layout's `nodes` has a fault (`interpreters/faults.py`); the first one stands."""
        emitter, before, zero = self.emitter, self.read("status"), self.emitter.integer(0)
        first = emitter.both(emitter.compare(fault, "ne", zero), emitter.compare(before, "eq", zero))
        status = emitter.value(arith.OrIOp(fault, emitter.integer(FAULT | self.layout.nodes.index(name) << NODE_SHIFT)))
        self.write("status", emitter.choose(first, status, before))

    def write(self, path: str, value: SSAValue) -> None:
        """From now on the slot holds `value`."""
        slot = self.layout[path]
        if slot.buffer == "rng":
            self.generators[path] = value
        elif self.cached:
            if self.values.get(path) is not value:
                self.values[path] = value
                self.unsaved[path] = slot
        else:
            self.buffers[slot.buffer] = store(self.emitter, self.buffers[slot.buffer], slot.offset, value)

    def increase(self, path: str, amount: SSAValue) -> None:
        """Adds to a counter."""
        self.write(path, self.emitter.add_integers(self.read(path), amount))

    def raise_flag(self, path: str, happened: SSAValue) -> None:
        """Counts an event of the trial, if it happened and if the model keeps the flag."""
        if path in self.layout:
            self.increase(path, self.emitter.as_integer(happened))

    def clear(self, paths: Sequence[str]) -> None:
        """Sets counters to zero; many neighbours in a buffer by one operation."""
        if self.cached and len(paths) <= FEW:
            for path in paths:
                self.write(path, self.emitter.zero(self.layout[path].type))
            return
        for path in paths:
            self.values.pop(path, None)
            self.unsaved.pop(path, None)
        for start, stop in _runs(sorted({self.layout[path].offset for path in paths})):
            if stop - start <= FEW:
                for offset in range(start, stop):
                    self.buffers["si"] = store(self.emitter, self.buffers["si"], offset, self.emitter.integer(0))
            else:
                zeros = self.emitter.zero(TensorType(i64, (stop - start,)))
                self.buffers["si"] = store_words(self.emitter, self.buffers["si"], start, zeros)

    def choose(self, condition: SSAValue, sources: Mapping[str, str]) -> None:
        """If `condition` holds, each slot takes the value of its source."""
        for path, source in sources.items():
            new = self.read(source)
            if not self.emitter.is_true(condition):
                new = select(self.emitter, condition, new, self.read(path))
            self.write(path, new)

    # Control flow

    def save(self) -> None:
        """Stores every value that differs from its buffer; afterwards the buffers say it all."""
        for path, slot in sorted(self.unsaved.items(), key=lambda item: (item[1].buffer, item[1].offset)):
            self.buffers[slot.buffer] = store(self.emitter, self.buffers[slot.buffer], slot.offset, self.values[path])
        self.unsaved = {}

    def carried(self) -> list[SSAValue]:
        """The buffers and generators, as they travel through control flow; saves first."""
        self.save()
        return [self.buffers["sf"], self.buffers["si"], *self.generators.values()]

    def resume(self, carried: Sequence[SSAValue]) -> None:
        """Goes on with what control flow gave back for `carried`; values that may have changed are forgotten."""
        for buffer, value in zip(STATE_BUFFERS, carried, strict=False):
            if self.buffers[buffer] is not value:
                self.buffers[buffer] = value
                self.values = {path: held for path, held in self.values.items() if self.layout[path].buffer != buffer}
        for path, value in zip(self.generators, carried[2:], strict=True):
            self.generators[path] = value

    def when(self, condition: SSAValue, body: Callable[[MachineState], object]) -> None:
        """Changes the state as `body` does, if `condition` holds."""
        if self.emitter.is_false(condition):
            return
        if self.emitter.is_true(condition):
            body(self)
            return

        def branch(inner: BlockEmitter) -> list[SSAValue]:
            child = self.fork(inner)
            body(child)
            return child.carried()

        self.resume(self.emitter.conditional(condition, self.carried(), branch))


def _runs(offsets: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Ranges [start, stop) of neighbouring offsets."""
    start = previous = None
    for offset in offsets:
        if start is None or previous is None:
            start = offset
        elif offset != previous + 1:
            yield start, previous + 1
            start = offset
        previous = offset
    if start is not None and previous is not None:
        yield start, previous + 1
