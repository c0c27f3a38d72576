"""
Generators as users name them, for nodes and for functions that are called directly.

    random = cogir.random(1, "mt19937")
    cogir.library.normal_dist(np.zeros(3), random=random)        # what a node with seed=1, prng="mt19937" draws
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from cogir.callers import ends_at_caller
from cogir.errors import InputError, ModelError, quoted, shown
from cogir.frontend.builder.checks import is_among
from cogir.frontend.builder.source_location import SourceLocation, did_you_mean, user_place
from cogir.labelled.names import path_of
from cogir.streams import full_path

if TYPE_CHECKING:
    from cogir.library.random.generators import Stream

KINDS = ("mt19937", "philox4x64", "xoshiro256")
ALIASES = {"philox": "philox4x64"}
DEFAULT = "xoshiro256"
"""
The kind of generators for which none is given. Replicates draw from it in SIMD lanes; if single runs drew from another one, none of them
could repeat a replicate.
"""


@ends_at_caller
def random(
    seed: int,
    prng: str = DEFAULT,
    *,
    replicate: int | None = None,
    generator: Any = None,
    point: int | None = None,
    context: str | None = None,
) -> Stream:
    """
    A generator for library functions, and functions written like them, that are called directly, or for `compiled.generators[...]`.

    It draws what a node with this `seed` and `prng` draws: "xoshiro256" (the default of models, too), "mt19937" (the numbers of
    `np.random.RandomState([seed])`), or "philox" or "philox4x64" (those of `np.random.Generator(np.random.Philox([seed]))`).

    Its methods are those of a `Random` argument: `normal(shape)` draws standard normals (float64), `uniform(shape)` numbers in [0, 1),
    `integer(n)` a whole number below `n`, `seed(n)` starts anew; without a shape they draw one number. `exponential`, `gamma`, `beta`,
    `lognormal`, `truncated_normal`, `binomial`, `poisson`, `geometric`, `categorical`, `choice`, `permutation` and `shuffle` have NumPy's
    arguments. `copy()` gives one that goes on from here by itself.

    `generator`: a generator of a model by its name in `compiled.generators`, or the node (which stands for its argument `random`); what it
    draws in a model with this seed, or, with the number of a `replicate`, in this replicate of `compiled.replicates(..., seed=seed)`. So a
    run can repeat it. With `point` it is that of a replicate of `compiled.sweep(..., seed=seed)` at the point of this number (the last axis
    counts fastest), with `context` that in the context of this name. For NumPy's generators, `generator` is the number in
    `list(compiled.generators)`, by default 0.

    Raises `ModelError` for a seed, kind or name that no node takes, or a replicate that is no whole number.
    """
    place = user_place()
    kind = checked_kind(prng, "random", place)
    number = checked_seed(seed, "random", place, kind)
    if context is not None and not isinstance(cast(object, context), str):
        raise ModelError(f"{place}: random: context is {shown(context)}; give the name of a context")
    if generator is None and replicate is None:
        for name, given in (("context", context), ("point", point)):
            if given is not None:
                raise ModelError(f"{place}: random: found {name}={shown(given)} without a generator; give generator=..., or leave it out")
        from cogir.library.random.generators import Stream  # a third of the time that the rest of the library takes to import

        return Stream.seeded(kind, number)
    which = checked_generator(generator, kind, replicate is None and context is not None, place)
    if replicate is not None:
        at = (*(() if point is None else (checked_index(point, "point", place),)), checked_index(replicate, "replicate", place))
        return _of_replicate(kind, number, which, at, context, place)
    if point is not None:
        raise ModelError(f"{place}: random: found point={shown(point)} without a replicate; give replicate=..., or leave it out")
    from cogir.library.random.generators import Stream, model_words

    path = which if isinstance(which, str) else ""
    return Stream(kind, model_words(kind, which if isinstance(which, int) else 0, path, number, number, context), path or None)


def _of_replicate(kind: str, seed: int, generator: int | str, at: tuple[int, ...], context: str | None, place: SourceLocation) -> Stream:
    """The generator of a replicate; `at`: the point, if there is one, and the replicate."""
    from cogir.library.random.generators import Stream, keyed_words

    try:
        return Stream(kind, keyed_words(kind, seed, generator, *at, context=context), generator if isinstance(generator, str) else None)
    except InputError:
        most = "2**64" if kind == "xoshiro256" else "2**32"
        where = f"generator {generator} of replicate {at[-1]}{f' at point {at[0]}' if len(at) > 1 else ''}"
        raise ModelError(f"{place}: random: {where}: {kind} takes numbers below {most}") from None


def checked_generator(given: Any, kind: str, by_path: bool, place: SourceLocation) -> int | str:
    """
    The path of a generator, or for NumPy's kinds its number in the model, unless the key is by path.

    Raises `ModelError` with what this kind of generator takes.
    """
    if kind == "xoshiro256" or by_path:
        path = path_of(given) if given is not None and not isinstance(given, bool | int | float | np.number) else ""
        if not isinstance(cast(object, path), str) or not path:
            raise ModelError(
                f"{place}: random: generator is {shown(given)}; {kind} has streams by name: give the node, or a name from "
                'list(compiled.generators), such as generator="decision/random:random"'
            )
        return full_path(path)
    if isinstance(given, str) or hasattr(given, "name"):
        raise ModelError(
            f"{place}: random: generator is {shown(given)}; {kind} has streams by number: give "
            "generator=list(compiled.generators).index(name)"
        )
    return 0 if given is None else checked_index(given, "generator", place)


def checked_index(index: object, what: str, place: SourceLocation) -> int:
    """A number of a replicate or of a generator."""
    if isinstance(index, bool) or not isinstance(index, (int, np.integer)) or int(cast(int, index)) < 0:
        raise ModelError(f"{place}: random: {what} is {shown(index)}; give a whole number from 0 on")
    return int(cast(int, index))


def checked_kind(given: object, what: str, place: SourceLocation) -> str:
    """The kind of generator that a name stands for."""
    known = (*KINDS, *ALIASES)
    if not is_among(given, known):
        raise ModelError(f"{place}: {what}: there is no generator {quoted(given)}{did_you_mean(given, known)}")
    return ALIASES.get(given, given)


def checked_seed(seed: object, what: str, place: SourceLocation, kind: str = "") -> int:
    """A seed that generators of this kind take."""
    has_begun = hasattr(seed, "get_state") or hasattr(seed, "bit_generator")
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or not 0 <= int(cast(int, seed)) < 2**63:
        remedy = "; give a generator object to a node, as state=" if has_begun else ""
        raise ModelError(f"{place}: {what}: the seed is {shown(seed)}; give a whole number from 0 to 2**63 - 1{remedy}")
    number = int(cast(int, seed))
    if kind == "mt19937" and number >= 2**32:
        raise ModelError(f"{place}: {what}: the seed is {number}; mt19937 takes whole numbers below 2**32")
    return number
