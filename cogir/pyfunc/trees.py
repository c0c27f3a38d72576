"""Trees of array expressions: what an array is before its elements are computed (see `elementwise.py`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr

from cogir.pyfunc.emitter import Emitter
from cogir.pyfunc.kinds import Kind, Shape

Body: TypeAlias = Callable[[Emitter, Sequence[SSAValue]], SSAValue]


@dataclass(frozen=True, slots=True, eq=False)
class Tensor:
    """A tensor."""

    ssa: SSAValue
    shape: Shape
    kind: Kind


@dataclass(frozen=True, slots=True, eq=False)
class Uniform:
    """One number for all elements: a run-time scalar, or a constant."""

    number: SSAValue | float
    shape: Shape
    kind: Kind


@dataclass(frozen=True, slots=True, eq=False)
class Fixed:
    """A constant array."""

    array: np.ndarray[Any, Any]
    shape: Shape
    kind: Kind


@dataclass(frozen=True, slots=True, eq=False)
class Applied:
    """A function of the elements of `operands`, which broadcast to `shape`."""

    body: Body
    operands: tuple[Node, ...]
    shape: Shape
    kind: Kind


@dataclass(frozen=True, slots=True, eq=False)
class Viewed:
    """Elements of `source` in another arrangement: axis `a` of the source is read at `axes[a]` of the view's position."""

    source: Node
    axes: tuple[AffineExpr, ...]
    shape: Shape
    kind: Kind


Node: TypeAlias = Tensor | Uniform | Fixed | Applied | Viewed
