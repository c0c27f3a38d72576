"""
The units in which a model's time is counted.
"""

from __future__ import annotations

from enum import StrEnum

from cogir.errors import ModelError, shown
from cogir.frontend.builder.source_location import did_you_mean, user_place


class TimeScale(StrEnum):
    """The units in which a model's time is counted, from the finest to the coarsest."""

    TIME_STEP = "time_step"
    PASS = "pass"
    TRIAL = "trial"
    RUN = "run"
    LIFE = "life"


_ALIASES = {
    "consideration_set_execution": TimeScale.TIME_STEP,
    "environment_state_update": TimeScale.TRIAL,
    "environment_sequence": TimeScale.RUN,
}


def time_scale(value: object) -> TimeScale:
    """A `TimeScale` from itself, from its name, or from PsyNeuLink's `TimeScale`."""
    name = str(getattr(value, "name", value)).lower()
    if name in _ALIASES:
        return _ALIASES[name]
    try:
        return TimeScale(name)
    except ValueError:
        raise ModelError(f"{user_place()}: time_scale: {shown(value)} is not a time scale{did_you_mean(name, list(TimeScale))}") from None
