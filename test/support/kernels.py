"""Kernels on this processor in the place of a GPU, behind the methods of a compiled model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import cogir
from cogir.backend.emulated import emulated
from cogir.backend.kernels import EMULATED
from cogir.frontend.compile import source_of
from cogir.frontend.parsed import ParsedModel
from cogir.runtime.build import build_kernels
from cogir.runtime.compiled import Compiled
from cogir.runtime.options import Options

Shape = tuple[int, int]
"""Blocks, and threads per block."""
SHAPES: tuple[Shape, ...] = ((1, 1), (3, 32), (7, 96), (2, 256))


@dataclass
class EmulatedReplicates:
    """Replicates of a model by its kernel, in the place of `NativeReplicates`."""

    launch: Any
    shape: Shape
    statuses: Any = None

    def run(self, context: Any, job: Any, team: Any) -> None:
        pf, pi, sf, si, _ = context.addresses
        job.lengths[:] = 0
        self.statuses = np.full(job.count, -1, np.int64)
        self.control = np.zeros(8, np.int64)
        arrays = [job.rows, job.out, job.lengths, self.statuses, self.control]
        rows, out, lengths, statuses, control = (array.ctypes.data for array in arrays)
        given = [pf, pi, sf, si, rows, len(job.rows), out, lengths, 0, job.count, job.trials, job.seed, statuses, control]
        self.launch(*self.shape, given)
        job.done = job.count


def parsed(model: Any) -> Any:
    """A model that can be compiled, from any form of one."""
    return model if hasattr(model, "compile") else ParsedModel(model)


def emulating(model: Any, shape: Shape, **options: Any) -> tuple[Compiled, EmulatedReplicates]:
    """A compiled model whose replicates are emulated, and what emulates them."""
    compiled = parsed(model).compile(cache=False)
    code, _ = build_kernels(source_of(parsed(model)), Options("cuda-emulated", entry="replicates", **options), EMULATED)
    engine = EmulatedReplicates(emulated(code, "replicates"), shape)
    compiled.engine.replicates = engine
    return compiled, engine


def same_bits(first: Any, second: Any) -> bool:
    """True if all outputs are the same bits, where NaN equals NaN."""
    return np.array_equal(bits(first._rows), bits(second._rows))


def bits(values: Any) -> Any:
    """The bits of numbers, where NaN equals NaN."""
    return np.where(np.isnan(values), np.nan, values).view(np.int64)


__all__ = ["SHAPES", "EmulatedReplicates", "Sequence", "cogir", "emulating", "parsed", "same_bits"]
