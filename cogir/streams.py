"""
The keys of random streams: what the streams of one model, context, replicate and point are told apart by.

A key is four words of 64 bits: a seed and the name of a context, the name of a generator, a point, a replicate. cogir's own generator makes
its state of them (`library/random/xoshiro.py`). Names enter by BLAKE2b, so they mean the same in every process. docs/design/streams.md says
why nothing is added.
"""

from __future__ import annotations

from hashlib import blake2b

VERSION = 2
"""
The version of the streams, which grows when seeds give other numbers. It stands in results, pickles, the keys of cached code, and stores.
"""
NOWHERE = -1
"""The number of the replicate of a single run, and that of the point of what is no sweep."""
SIMULATED = -2
"""The number of the replicate of a simulation of a controller, whose estimates have seeds of their own."""
SEEDS = 2**63
"""Seeds are below."""
ROLE = "/random:"
"""Stands in the path of a generator between its node and the name of its argument."""


def digest_of(*parts: str | int | None, size: int = 8) -> bytes:
    """A hash of names and numbers, the same in every process; what differs in any part has another one, but for chance."""
    plain = [str.__str__(part) if isinstance(part, str) else part if part is None else int(part) for part in parts]
    return blake2b(repr(plain).encode("utf-8", "surrogatepass"), digest_size=size, person=b"cogir streams").digest()


def word_of(path: str) -> int:
    """The word of a generator: a hash of its path, as a signed number of 64 bits."""
    return int.from_bytes(digest_of("generator", path), "little", signed=True)


def root_of(seed: int, context: str | None = None, own: int | None = None) -> int:
    """
    The first word of a key, as a number of 64 bits: the seed itself in the default context, else a hash, which is no seed.

    `own`: the seed of the model inside in which the generator is, if it is another one.
    """
    if context is None and own in (None, seed):
        return seed
    return SEEDS | int.from_bytes(digest_of("root", seed, context, own), "little") >> 1


def as_signed(word: int) -> int:
    """The signed number of 64 bits that has the same bits."""
    return word - 2**64 if word >= 2**63 else word


def key_of(kind: str, number: int, path: str) -> int | str:
    """The part of a key that stands for a generator: its path, for NumPy's generators its number in the model."""
    return path if kind == "xoshiro256" else number


def mixed(seed: int, *parts: str | int) -> int:
    """A seed for one of several purposes of a call with this seed; neighbouring seeds have none in common, but for chance."""
    return int.from_bytes(digest_of("seed", seed, *parts), "little") >> 1


def full_path(generator: str) -> str:
    """The path of a generator; the name of a node stands for that of its argument `random`."""
    return generator if ROLE in generator else f"{generator}{ROLE}random"
