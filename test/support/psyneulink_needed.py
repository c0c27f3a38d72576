"""PsyNeuLink where tests compare with it: they are skipped on a machine without it, and fail in CI."""

import os
from importlib.metadata import PackageNotFoundError, version

import pytest


def require_psyneulink() -> None:
    """
    Skips the module that calls it when PsyNeuLink is not installed; an error in CI.

    A folder of that name on `sys.path` can be imported as an empty package, so the installed distribution is what counts.
    """
    try:
        version("psyneulink")
    except PackageNotFoundError:
        if os.environ.get("CI") == "true":
            raise RuntimeError("psyneulink is not installed, but CI compares with it: make psyneulink") from None
        pytest.skip("psyneulink is not installed: make psyneulink", allow_module_level=True)
