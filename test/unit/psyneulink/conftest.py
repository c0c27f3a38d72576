"""A fixture for all tests beside PsyNeuLink."""

import sys
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def own_compiler_emptied() -> Iterator[None]:
    """
    Has PsyNeuLink's own compiler forget, after each test, what it has compiled.

    It keeps all functions in one module, which it optimizes and compiles as a whole again with each Composition that is added.
    """
    yield
    llvm = sys.modules.get("psyneulink.core.llvm")
    if llvm is not None and getattr(llvm, "_cpu_engine", None) is not None:
        llvm.cleanup(False)
