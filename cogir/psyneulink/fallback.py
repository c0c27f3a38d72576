"""
The warning that something runs in PsyNeuLink, given once for each reason.
"""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

from cogir.callers import warn_by_name
from cogir.psyneulink.history import OF_CALL, Way, note_way


class FallbackWarning(Warning):
    """
    A Composition runs in PsyNeuLink, because something in it, or in the call, cannot be compiled.

    It becomes an error only by a filter that names this class. Other filters of errors are meant for the script, which runs without cogir.
    """


_told: WeakKeyDictionary[Any, set[str]] = WeakKeyDictionary()
"""The warnings that have been given for each Composition."""
IN_PSYNEULINK = "it runs in PsyNeuLink"


def warn_once(composition: Any, message: str, so: str = IN_PSYNEULINK) -> None:
    """One warning for each Composition and reason."""
    note_way(composition, Way.FALLBACK if so == IN_PSYNEULINK else Way.PARTLY, message)
    said, reason = _told.setdefault(composition, set()), OF_CALL.sub("", message)
    if reason not in said:
        said.add(reason)
        warn_by_name(f"{message} ({so})", FallbackWarning)
