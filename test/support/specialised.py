"""Runs of machine code that take versions with the values of the parameters folded in, whatever these values are."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from cogir.runtime.context import Context, NativeContext
from cogir.runtime.native import NativeEngine
from cogir.runtime.plan import Floats
from cogir.runtime.results import Progress


@contextmanager
def specialised_runs() -> Iterator[list[int]]:
    """Before each run a version is compiled for the values that are in force; the list grows by one for each run that has taken it."""
    generic = NativeEngine.run
    taken: list[int] = []

    def run(engine: NativeEngine, context: Context, rows: Floats, out: Floats) -> Progress:
        assert isinstance(context, NativeContext)
        version = engine.specialise(context, ())
        before = version.runs
        try:
            return generic(engine, context, rows, out)
        finally:
            taken.append(version.runs - before)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(NativeEngine, "run", run)
        yield taken
