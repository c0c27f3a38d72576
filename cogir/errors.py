"""
The errors that cogir raises on purpose.

Every message says who speaks, what was found, what is required, and the remedy:
`projection @stim -> @decision: matrix is 2x2, but @decision["in"] has 3 elements; give a 2x3 matrix`.
Anything else that escapes from cogir is a defect of cogir.
"""

from collections.abc import Iterable
from typing import Any
from unicodedata import normalize

from cogir.synonyms import synonym

LONGEST = 80
"""So much is shown of a value that a user gave."""
MOST_LISTED = 12
"""So many names are listed where one is not known."""


class CogirError(Exception):
    """Base of all errors that cogir raises on purpose."""


class ModelError(CogirError):
    """A model that contradicts itself: unknown names, wrong shapes, impossible schedules."""


class FunctionError(ModelError):
    """
    A Python function that leaves the compilable subset, where only one that can be compiled will do; names file, line, construct and what
    to write instead.
    """

    file: str | None = None
    """The file that holds the construct, as Python names it; None if the message names no line."""


class InputError(CogirError):
    """Inputs of a run that do not fit the model."""


class LoweringError(CogirError):
    """A pass met IR that it does not accept."""


class BackendError(CogirError):
    """LLVM refused the emitted IR, or a target lacks what the program needs."""


class ExecutionError(CogirError):
    """
    A run that cannot begin, as its context is running already, or that stopped before its end, for example at a step limit;
    names the node. `result`: the finished trials.
    """

    result: object = None


class DeviceError(CogirError):
    """
    A GPU that is not there, does not fit, or has failed; names what was found, what is required, and the remedy.

    `is_lost`: True if the GPU refuses all further work of this process. `result`: the trials, replicates or points that were finished.
    """

    is_lost: bool = False
    result: object = None


class DeviceMemoryError(DeviceError):
    """Too little free memory on the GPU."""


class CacheError(CogirError):
    """The object cache cannot be used safely, for example because its folder belongs to somebody else."""


FAILED = " failed: "
"""The separator between the name of a node and the reason of its failure, where both are one text."""


def shown(value: Any) -> str:
    """A value as messages show it: one line, not too long."""
    return " ".join(repr(value).split())[:LONGEST]


def quoted(name: Any) -> str:
    """A name that was given, in a message; what is no text as it is."""
    return f'"{name}"' if isinstance(name, str) else shown(name)


def matrix_in_words(path: str) -> str:
    """`h -> y` for the path of a matrix, `h:value->y:variable/matrix`."""
    sender, _, receiver = path.removesuffix("/matrix").partition("->")
    return f"{sender.rpartition(':')[0]} -> {receiver.rpartition(':')[0]}"


def closest(name: str, known: Iterable[str], likely: float = 0.6) -> str | None:
    """The known name that means the same as `name`, else the nearest, if one is as near as `likely` (difflib's measure, from 0 to 1)."""
    from difflib import get_close_matches

    names = list(known)
    same = next((other for other in names if looks_alike(name, other)), None) or synonym(name, names)
    return same if same is not None else next(iter(get_close_matches(name, names, n=1, cutoff=likely)), None)


def did_you_mean(name: str, known: Iterable[str], likely: float = 0.6) -> str:
    """`; did you mean "tanh"?`, or nothing when no known name is as near as `likely`."""
    near = closest(name, known, likely)
    return "" if near is None else meant(name, near)


def meant(name: str, near: str) -> str:
    """`; did you mean "tanh"?`; of names that look alike, why they are two."""
    letters = ", in the letters to which Python turns those of an identifier (NFKC)" if looks_alike(name, near) else ""
    return f'; did you mean "{near}"{letters}?'


def looks_alike(name: str, other: str) -> bool:
    """True for two names that are one as identifiers of Python, such as those of the micro sign and the Greek letter."""
    return name != other and normalize("NFKC", name) == normalize("NFKC", other)


def there_is(known: Iterable[str]) -> str:
    """`; there is "value", "time"`: the names that there are, at most 12 of them."""
    names = list(known)
    listed = ", ".join(f'"{name}"' for name in names[:MOST_LISTED])
    return f"; there is {listed or 'none'}{' ...' if len(names) > MOST_LISTED else ''}"


def counted(number: int, thing: str) -> str:
    """`1 trial`, `2,000 trials`: a number of things."""
    return f"{number:,} {thing}{'s' * (number != 1)}"


def no_attribute(owner: str, name: str, known: Iterable[str]) -> AttributeError:
    """The error for an attribute that `owner` does not have, with the nearest of the known names, or all of a few, as the remedy."""
    names = list(known)
    remedy = did_you_mean(name, names) or (there_is(names) if len(names) <= MOST_LISTED else "")
    return AttributeError(f'{owner} has no "{name}"{remedy}', name=name, obj=None)  # without the object, Python adds no remedy of its own
