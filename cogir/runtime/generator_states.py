"""
States of generators in all the forms that NumPy has them, as a kind and its words.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import numpy as np

from cogir.errors import CogirError, InputError, shown
from cogir.runtime.plan import Words


def state_words(state: Any) -> tuple[str, Words]:
    """
    The kind and the words of a state: of what `cogir.random` returns, of a `RandomState`, `Generator` or bit generator, of what their
    `get_state()` or `.state` return, or of an array that already holds words.
    """
    from cogir.library.random.generators import WORDS, Stream  # only who sets a state waits for the generators

    if isinstance(state, Stream):
        return state.kind, state.words
    try:
        words = _words(state)
    except (CogirError, ValueError, TypeError, LookupError, AttributeError) as error:
        raise InputError(
            f"generator state: {error}; give cogir.random(seed), a NumPy RandomState, a Generator(Philox), or what get_state() or .state "
            "returns"
        ) from error
    return next(kind for kind, count in WORDS.items() if words.shape == (count,)), words


def _words(state: Any) -> Words:
    from cogir.library.random.generators import WORDS, pack

    if isinstance(state, tuple):
        source = np.random.RandomState()
        source.set_state(cast("tuple[Any, ...]", state))
        return pack(source)
    if isinstance(state, Mapping):
        named = dict(cast("Mapping[str, Any]", state))
        if named["bit_generator"] == "MT19937":
            legacy = np.random.RandomState()
            legacy.set_state({"has_gauss": 0, "gauss": 0.0, **named})
            return pack(legacy)
        philox = np.random.Philox()
        philox.state = cast(Any, named)
        return pack(philox)
    if isinstance(state, np.ndarray | list):
        words = np.asarray(cast(Any, state))
        if words.dtype.kind not in "iu":
            raise TypeError(f"found an array of {words.dtype}; a state consists of whole numbers")
        words = words.view(np.int64) if words.dtype == np.uint64 else words.astype(np.int64)
        if words.shape not in {(count,) for count in WORDS.values()}:
            raise ValueError(f"found an array of shape {words.shape}, which is not the state of a generator")
        return words
    if not any(hasattr(state, name) for name in ("state", "bit_generator", "get_state")):
        raise TypeError(f"found {shown(state)}, which is no generator, nor the state of one")
    return pack(state)
