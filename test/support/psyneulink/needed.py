"""PsyNeuLink where tests compare with it: they are skipped on a machine without it, unless WITH_PSYNEULINK=true."""

import os
from importlib.metadata import PackageNotFoundError, version

import pytest


def require_psyneulink() -> None:
    """
    Skips the module that calls it when PsyNeuLink is not installed; an error if WITH_PSYNEULINK=true.

    A folder of that name on `sys.path` can be imported as an empty package, so the installed distribution is what counts.
    """
    try:
        version("psyneulink")
    except PackageNotFoundError:
        if os.environ.get("WITH_PSYNEULINK") == "true":
            raise RuntimeError("psyneulink is not installed, but WITH_PSYNEULINK says so: make psyneulink") from None
        pytest.skip("psyneulink is not installed: make psyneulink", allow_module_level=True)


def require_torch() -> None:
    """Skips the module that calls it when PyTorch, which comes with PsyNeuLink, is not installed; an error if WITH_PSYNEULINK=true."""
    require_psyneulink()
    try:
        version("torch")
    except PackageNotFoundError:
        if os.environ.get("WITH_PSYNEULINK") == "true":
            raise RuntimeError("torch is not installed, but WITH_PSYNEULINK says so: make psyneulink") from None
        pytest.skip("torch is not installed: make psyneulink", allow_module_level=True)
