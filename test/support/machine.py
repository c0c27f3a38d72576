"""
Runs a module at stage `machine` trial by trial with the interpreter, and reads slots by their paths.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from xdsl.context import Context
from xdsl.dialects.arith import Arith
from xdsl.dialects.builtin import Builtin, ModuleOp
from xdsl.dialects.func import Func
from xdsl.dialects.linalg import Linalg
from xdsl.dialects.math import Math
from xdsl.dialects.scf import Scf
from xdsl.dialects.tensor import Tensor
from xdsl.parser import Parser

from cogir.analysis.layout import Layout
from cogir.dialects.cog import Cog
from cogir.dialects.rng import Rng
from cogir.interpreters import func as func_meaning
from cogir.interpreters.levels import make_engine
from cogir.lowering.convert_cog_to_machine import ConvertCogToMachine
from cogir.runtime.plan import starts_of

DIALECTS = (Builtin, Func, Arith, Math, Scf, Tensor, Linalg, Cog, Rng)


def parse(text: str) -> ModuleOp:
    """A module from its text, verified."""
    context = Context()
    for dialect in DIALECTS:
        context.load_dialect(dialect)
    module = Parser(context, text).parse_module()
    module.verify()
    return module


def lowered(module: ModuleOp, **options: Any) -> ModuleOp:
    """A copy of the module at stage `machine`, verified."""
    copy = module.clone()
    ConvertCogToMachine(**options).apply(Context(), copy)
    copy.verify()
    return copy


class Machine:
    """A module at stage `machine` with its buffers."""

    def __init__(self, module: ModuleOp):
        self.layout = Layout.from_module(module)
        self.engine = make_engine(module)
        self.init = func_meaning.function(self.engine.symbol("init"), self.engine)
        self.one_trial = func_meaning.function(self.engine.symbol("trial"), self.engine)
        self.pf, self.pi = self.layout.default_buffer("pf"), self.layout.default_buffer("pi")
        self.sf, self.si = self.init(self.pf, self.pi)
        starts = starts_of(module)
        self.generators = [
            starts[name].state(path, self.layout.seed) for path, name in zip(self.layout.generators, self.layout.streams, strict=True)
        ]
        self.status = 0

    def trial(self, inputs: Sequence[Any]) -> list[Any] | None:
        """The outputs of one trial, or None if it did not run to its end; then `status` says why."""
        given = np.zeros(self.layout.size("in"))
        for path, value in zip(self.layout.inputs, inputs, strict=True):
            given[self.layout[path].words] = np.ravel(value)
        self.sf, self.si, *self.generators, out, self.status = self.one_trial(self.pf, self.pi, given, self.sf, self.si, *self.generators)
        return [self.layout[path].of(out).copy() for path in self.layout.outputs] if self.status == 0 else None

    def run(self, rows: Sequence[Sequence[Any]], trials: int) -> list[list[Any]]:
        """The outputs of a run: as many trials, unless the run's termination condition ends it."""
        results: list[list[Any]] = []
        self.si = np.array(self.si)
        self.layout.begin_run(self.si)
        for trial in range(trials):
            outputs = self.trial(rows[trial % len(rows)])
            if outputs is None:
                break
            results.append(outputs)
        self.si = np.array(self.si)
        self.layout.end_run(self.si)
        return results

    def records(self) -> dict[str, Any]:
        """All slots of the state, by path."""
        buffers = {"sf": self.sf, "si": self.si}
        held: dict[str, Any] = {slot.path: slot.of(buffers[slot.buffer]) for slot in self.layout if slot.buffer in buffers}
        return held | dict(zip(self.layout.generators, self.generators, strict=True))


def same_bits(left: Any, right: Any) -> bool:
    """Whether two values have the same elements to the bit (every NaN is the same)."""
    a, b = np.asarray(left, dtype=np.float64).ravel(), np.asarray(right, dtype=np.float64).ravel()
    return a.shape == b.shape and bool(np.all((a.view(np.int64) == b.view(np.int64)) | (np.isnan(a) & np.isnan(b))))


def differences(machine: Machine, records: Mapping[str, Any]) -> list[str]:
    """The paths of state slots in which the machine and the interpreter of the model differ."""
    found: list[str] = []
    records = dict(records)
    for path, value in machine.records().items():
        if path in records:
            expected = records[path]
            same = np.array_equal(value, expected) if path in machine.layout.generators else same_bits(value, expected)
            if not same:
                found.append(f"{path}: {value} instead of {expected}")
    return found
