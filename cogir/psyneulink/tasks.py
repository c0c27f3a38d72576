"""
Functions of PsyNeuLink that a cluster executes in other processes, in which Compositions are to be accelerated as they are here.

    accelerate ──► SentFunction in the place of the function ──pickled──► worker: accelerated as long as the function runs

A worker without cogir gets PsyNeuLink's own function, after a warning.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from importlib import import_module
from importlib.util import find_spec
from typing import Any

Settings = Mapping[str, Any]
"""The settings with which Compositions are accelerated."""

UNPICKLED = (
    "import_module('cogir.psyneulink.accelerate').task_of(*given) if find_spec('cogir') else"
    " warn('cogir is not installed on this worker: its simulations run in PsyNeuLink') or getattr(import_module(given[0]), given[1])"
)
"""The expression by which a task is unpickled, also where there is no cogir."""


class SentFunction:
    """A function of a module, within a block; `settings` knows those of the block when the task is called or pickled."""

    def __init__(self, module: str, name: str, block: Callable[[Settings], AbstractContextManager[Any]], settings: Callable[[], Settings]):
        self.module, self.block, self.settings = module, block, settings
        self.__name__ = self.__qualname__ = name  # by which Dask names what it shows
        function: Any = getattr(import_module(module), name)
        self.original: Callable[..., Any] = function.original if isinstance(function, SentFunction) else function

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        with self.block(self.settings()):
            return self.original(*args, **kwargs)

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[str, dict[str, Any]]]:
        given = (self.module, self.__name__, dict(self.settings()))
        return eval, (UNPICKLED, {"import_module": import_module, "find_spec": find_spec, "warn": warnings.warn, "given": given})
