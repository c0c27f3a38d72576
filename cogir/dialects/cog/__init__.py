"""
The `cog` dialect: a model of cognition, exactly as the modeller says it, and nothing about its execution.

One idea a file, whose `__all__` lists its operations: `model`, `node`, `project`, `interface` (inputs, outputs, nested models),
`schedule` and its `conditions`, `clock_conditions` and `value_conditions`, `programs`, `grid_search` (controllers) with `features`
and `estimates`, `learn`, `record`. `attributes` has the attributes and constants, `syntax` the parts of the text, `ports` and `lookup` find
what names mean, `verify/` checks a model as a whole. Import all of it from here.
"""

from __future__ import annotations

from xdsl.ir import Dialect, Operation

from cogir.dialects.cog import (
    attributes,
    clock_conditions,
    conditions,
    estimates,
    features,
    grid_search,
    interface,
    learn,
    lookup,
    model,
    node,
    ports,
    programs,
    project,
    record,
    schedule,
    value_conditions,
)
from cogir.dialects.cog.attributes import *
from cogir.dialects.cog.clock_conditions import *
from cogir.dialects.cog.conditions import *
from cogir.dialects.cog.estimates import *
from cogir.dialects.cog.features import *
from cogir.dialects.cog.grid_search import *
from cogir.dialects.cog.interface import *
from cogir.dialects.cog.learn import *
from cogir.dialects.cog.lookup import *
from cogir.dialects.cog.model import *
from cogir.dialects.cog.node import *
from cogir.dialects.cog.ports import *
from cogir.dialects.cog.programs import *
from cogir.dialects.cog.project import *
from cogir.dialects.cog.record import *
from cogir.dialects.cog.schedule import *
from cogir.dialects.cog.value_conditions import *

__all__ = ["CONDITIONS", "Cog"]
__all__ += attributes.__all__
__all__ += clock_conditions.__all__
__all__ += conditions.__all__
__all__ += estimates.__all__
__all__ += features.__all__
__all__ += grid_search.__all__
__all__ += interface.__all__
__all__ += learn.__all__
__all__ += lookup.__all__
__all__ += model.__all__
__all__ += node.__all__
__all__ += ports.__all__
__all__ += programs.__all__
__all__ += project.__all__
__all__ += record.__all__
__all__ += schedule.__all__
__all__ += value_conditions.__all__

EXPORTED = [globals()[name] for name in __all__[2:]]
OPERATIONS: list[type[Operation]] = [
    held for held in EXPORTED if isinstance(held, type) and issubclass(held, Operation) and hasattr(held, "name")
]

CONDITIONS = [op for op in OPERATIONS if issubclass(op, Condition)]
"""Every condition."""

Cog = Dialect("cog", OPERATIONS, ATTRIBUTES)
"""The dialect as a whole."""
