"""
Packages that only some uses need: imported when asked for, with a remedy where they are missing.
"""

from __future__ import annotations

import sys
from typing import Any

from cogir.errors import CogirError


def extra(module: str, what: str, name: str) -> Any:
    """A module of an optional package; `name` is the extra of cogir that installs it."""
    try:
        __import__(module)
    except ImportError:
        package = module.partition(".")[0]
        raise CogirError(f"{what}: {package} is not installed; install it with: pip install 'cogir[{name}]'") from None
    return sys.modules[module]
