"""
The warning that something runs in PsyNeuLink, given once for each reason.
"""

from __future__ import annotations

import re
from typing import Any
from weakref import WeakKeyDictionary

from cogir.callers import warn_by_name


class FallbackWarning(Warning):
    """
    A Composition runs in PsyNeuLink, because something in it, or in the call, cannot be compiled.

    It becomes an error only by a filter that names this class. Other filters of errors are meant for the script, which runs without cogir.
    """


_told: WeakKeyDictionary[Any, set[str]] = WeakKeyDictionary()
"""The warnings that have been given for each Composition."""
_OF_CALL = re.compile(r"^\S+:\d+: |after \d+ trials? of the run, ")
"""With which line of the script an error may begin, and how much of the run was over; another call has others, for the same reason."""


def warn_once(composition: Any, message: str, so: str = "it runs in PsyNeuLink") -> None:
    """One warning for each Composition and reason."""
    said, reason = _told.setdefault(composition, set()), _OF_CALL.sub("", message)
    if reason not in said:
        said.add(reason)
        warn_by_name(f"{message} ({so})", FallbackWarning)
