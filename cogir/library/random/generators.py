"""
Random number generators as Python holds them: their words, their seeding, and the twin of each over NumPy.

A generator state is a vector of 64-bit words, the same here (`np.ndarray` of int64), in the runtime's generator buffer and in compiled
code. Three kinds:

| kind       | what it is                                    | words                                                              |
|------------|-----------------------------------------------|--------------------------------------------------------------------|
| mt19937    | NumPy's `RandomState`                         | 624 key words, position, has_gauss, bits of the cached normal      |
| philox4x64 | NumPy's `Generator(Philox)`                   | counter[4], key[2], buffer[4], buffer position, has_uint32, uinteger |
| xoshiro256 | xoshiro256++ 1.0, for lanes                   | the generator's words[4], has_gauss, bits of the cached normal     |

`Stream` draws through NumPy itself, not through the compiled bodies of `rng.py`, so that the two check each other.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from cogir.errors import InputError, shown
from cogir.library.random import draws, methods
from cogir.library.random.variates import REFUSED, VARIATES, accepts
from cogir.library.random.xoshiro import (
    ROUND_0,
    ROUND_1,
    ROUND_2,
    ROUND_3,
    ROUND_4,
    ROUND_5,
    ROUND_6,
    ROUND_7,
    cos_sin_of_turns,
    log_of_uniform,
)
from cogir.streams import NOWHERE, digest_of, root_of, word_of

Words: TypeAlias = NDArray[np.int64]
Shape: TypeAlias = Sequence[int] | int
Kind: TypeAlias = Literal["mt19937", "philox4x64", "xoshiro256"]

WORDS: dict[str, int] = {"mt19937": 627, "philox4x64": 13, "xoshiro256": 6}
"""Number of words in a state of each kind."""

_MASK = 2**64 - 1
_GOLDEN = 0x9E3779B97F4A7C15
_ROUNDS = (ROUND_0, ROUND_1, ROUND_2, ROUND_3, ROUND_4, ROUND_5, ROUND_6, ROUND_7)


class Xoshiro256:
    """
    xoshiro256++ 1.0 (Blackman and Vigna, ACM TOMS 47, 2021): four words of state, for many generators side by side.

    A uniform is the upper 53 of 64 bits. Normals are Box and Muller's: of two uniforms, `1 - u` in (0, 1] and `v`, first
    `sqrt(-2 log(1 - u)) cos(2 pi v)` and at the next draw, from `gauss`, the same with `sin`.
    """

    def __init__(self, words: Sequence[int], gauss: float | None = None) -> None:
        self.state, self.gauss = [word & _MASK for word in words], gauss

    @classmethod
    def seeded(cls, seed: int, *more: int) -> "Xoshiro256":
        """
        With the first four outputs of splitmix64 from `seed` as its words.

        With more words (a generator, a replicate, and between them a point) the words are those of the key after two rounds, in which each
        is changed by the hash of the one before it. All steps can be undone, so no two keys have the same state.
        """
        if not more:
            return cls([_mix64(seed + i * _GOLDEN) for i in range(1, 5)])
        generator, *point, replicate = more
        words = [word & _MASK for word in (seed, generator, *(point or [NOWHERE]), replicate)]
        for step, constant in enumerate(_ROUNDS):
            words[(step + 1) % 4] ^= _mix64(words[step % 4] + constant)
        return cls(words)

    def next(self) -> int:
        """The next 64 bits."""
        s0, s1, s2, s3 = self.state
        bits = (_rotated(s0 + s3 & _MASK, 23) + s0) & _MASK
        s2, s3 = s2 ^ s0, s3 ^ s1
        self.state = [s0 ^ s3, s1 ^ s2, s2 ^ (s1 << 17 & _MASK), _rotated(s3, 45)]
        return bits

    def random(self, count: int) -> NDArray[np.float64]:
        """The next `count` uniforms in [0, 1)."""
        return np.array([(self.next() >> 11) * 2.0**-53 for _ in range(count)], np.float64)

    def standard_normal(self, count: int) -> NDArray[np.float64]:
        """The next `count` standard normals."""
        return np.array([self._normal() for _ in range(count)], np.float64)

    def _normal(self) -> float:
        if self.gauss is not None:
            kept, self.gauss = self.gauss, None
            return kept
        u, v = ((self.next() >> 11) + 1) * 2.0**-53, (self.next() >> 11) * 2.0**-53
        radius = math.sqrt(-2.0 * log_of_uniform(u))
        cosine, sine = cos_sin_of_turns(v)
        self.gauss = radius * sine
        return radius * cosine

    def integers(self, n: int) -> int:
        """The next integer in [0, n), for 0 < n < 2**63 (Lemire's multiplication with rejection on 64 bits)."""
        while True:
            product = self.next() * n
            if product & _MASK >= (2**64 - n) % n:
                return product >> 64


def _mix64(z: int) -> int:
    """The output of splitmix64 for its state `z`."""
    z &= _MASK
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & _MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & _MASK
    return z ^ z >> 31


def _rotated(x: int, count: int) -> int:
    return (x << count | x >> (64 - count)) & _MASK


BitSource: TypeAlias = np.random.RandomState | np.random.Generator | np.random.BitGenerator | Xoshiro256


def _signed(words: Sequence[int] | NDArray[Any]) -> Words:
    """Unsigned 64-bit words as int64 with the same bits."""
    return np.array(words, np.uint64).view(np.int64)


def _unsigned(words: Words) -> list[int]:
    return cast("list[int]", words.view(np.uint64).tolist())


def pack(source: BitSource) -> Words:
    """
    The words of a NumPy generator's state (or of a `Xoshiro256`); the generator is not changed.

    :raises InputError: if the bit generator is neither MT19937 nor Philox.
    """
    if isinstance(source, Xoshiro256):
        gauss = np.float64(0.0 if source.gauss is None else source.gauss).view(np.uint64)
        return _signed([*source.state, source.gauss is not None, int(gauss)])
    state: Any
    if isinstance(source, np.random.RandomState):
        state = source.get_state(legacy=False)
    else:
        state = (source.bit_generator if isinstance(source, np.random.Generator) else source).state
    inner = state["state"]
    match state["bit_generator"]:
        case "MT19937":
            gauss = np.float64(state.get("gauss", 0.0)).view(np.int64)
            return np.array([*inner["key"].tolist(), inner["pos"], state.get("has_gauss", 0), gauss], np.int64)
        case "Philox":
            tail = (state["buffer_pos"], state["has_uint32"], state["uinteger"])
            return _signed([*inner["counter"].tolist(), *inner["key"].tolist(), *state["buffer"].tolist(), *tail])
        case other:
            raise InputError(f"random generator: found {other}; cogir has MT19937 (RandomState) and Philox; use one of them")


def unpack(kind: str, words: Words) -> BitSource:
    """A new generator in the state that `words` describe: `RandomState`, `Generator(Philox)` or `Xoshiro256`."""
    if kind not in WORDS:
        raise InputError(f"random generator: unknown kind {kind!r}; known are {', '.join(WORDS)}")
    if words.shape != (WORDS[kind],):
        raise InputError(f"random generator {kind}: a state of {WORDS[kind]} words is required, found shape {words.shape}")
    values = _unsigned(words)
    if kind == "mt19937":
        random_state = np.random.RandomState(np.random.MT19937(0))
        gauss = float(words[626:].view(np.float64)[0])
        random_state.set_state(("MT19937", np.array(values[:624], np.uint32), values[624], values[625], gauss))
        return random_state
    if kind == "philox4x64":
        philox = np.random.Philox(0)
        philox.state = {
            "bit_generator": "Philox",
            "state": {"counter": np.array(values[0:4], np.uint64), "key": np.array(values[4:6], np.uint64)},
            "buffer": np.array(values[6:10], np.uint64),
            "buffer_pos": values[10],
            "has_uint32": values[11],
            "uinteger": values[12],
        }
        return np.random.Generator(philox)
    return Xoshiro256(values[:4], float(words[5:].view(np.float64)[0]) if values[4] else None)


_SEED_BITS: dict[str, tuple[int, ...]] = {"mt19937": (32,), "philox4x64": (64,), "xoshiro256": (64,)}
_KEY_BITS: dict[str, tuple[int, ...]] = {
    "mt19937": (32, 32),
    "philox4x64": (32, 32),
    "xoshiro256": (64, 64),
}
"""The number of bits that a kind uses of a seed alone; of the first word of a key, and of each of the others."""


_SEEDED: dict[str, Callable[..., BitSource]] = {
    "mt19937": lambda *key: np.random.RandomState(list(key)),
    "philox4x64": lambda *key: np.random.Generator(np.random.Philox(list(key))),
    "xoshiro256": Xoshiro256.seeded,
}


def initial_words(kind: str, seed: int) -> Words:
    """
    The state after seeding, as PsyNeuLink and NumPy do it: `RandomState([seed])`, `Philox([seed])`; `Xoshiro256.seeded(seed)`.

    :raises InputError: if `kind` is unknown or `seed` is out of its range.
    """
    _must_fit(kind, {"seed": seed})
    return seeded_words(kind, seed)


def model_words(kind: str, number: int, path: str, seed: int, own: int, context: str | None = None) -> Words:
    """
    The state of a generator that has the seed of its model: of the model that is run (`seed`), and of that inside of it to which the
    generator belongs (`own`), where it is the one of this `number`.

    xoshiro256 starts from the key of seed, context and path. NumPy's generators count from the seed, `RandomState([own + number])`; in a
    context with a name they start from eight words of 32 bits, a hash.
    """
    if kind == "xoshiro256":
        return seeded_words(kind, root_of(seed, context, own), word_of(path), NOWHERE, NOWHERE)
    if context is None:
        return initial_words(kind, own + number)
    words = np.frombuffer(digest_of("context", context, path, seed, own, size=32), "<u4")
    return pack(_SEEDED[kind](*words.tolist()))


def keyed_words(kind: str, seed: int, generator: int | str, *more: int, context: str | None = None) -> Words:
    """
    The state of one of many generators, which a seed and two or three more words choose: the generator in its model, the number of a point
    of a sweep if there is one, and that of the replicate. `context`: the name of that in which the replicates are.

    For xoshiro256 the generator is a path, for the others its number: `RandomState([seed, a, b])` and `Philox([seed, a, b])` (all below
    2**32); with a point in the same way. In a context with a name, the first two words of these are changed by a hash.

    :raises InputError: if `kind` is unknown or a word is out of its range.
    """
    names = ("seed", *(("replicate",) if len(more) == 1 else ("point", "replicate")))
    numbers = dict(zip(names, (seed, *more), strict=True))
    if isinstance(generator, int):
        numbers["generator"] = generator
    _must_fit(kind, numbers)
    return seeded_words(kind, root_of(seed, context), generator if isinstance(generator, int) else word_of(generator), *more)


def seeded_words(kind: str, *key: int) -> Words:
    """
    The words that `rng.seed` derives from one seed, or from three or four words: of each the low bits, as many as the kind uses. Of the
    seed before other words, NumPy's generators also use the high bits: they change the second word.
    """
    if kind != "xoshiro256" and len(key) > 1:
        seed, generator, *others = key
        key = (seed, generator ^ (seed & _MASK) >> 32, *others)
    return pack(_SEEDED[kind](*(word & (1 << size) - 1 for word, size in zip(key, _bits_of_key(kind, len(key)), strict=True))))


def seed_bits(kind: str) -> int:
    """The number of bits of the largest seed of a kind."""
    return min(_SEED_BITS[kind][0], 63)


def _bits_of_key(kind: str, count: int) -> Sequence[int]:
    """The number of bits that a kind uses of each word of a key of so many words."""
    first, *others = _KEY_BITS[kind]
    return _SEED_BITS[kind] if count == 1 else (first, *[others[0]] * (count - 1))


def _must_fit(kind: str, key: Mapping[str, int]) -> None:
    if kind not in WORDS:
        raise InputError(f"random generator: unknown kind {kind!r}; known are {', '.join(WORDS)}")
    size = min(_SEED_BITS[kind][0] if len(key) == 1 else _KEY_BITS[kind][1], 63)
    for name, word in key.items():
        if not 0 <= word < 2**size:
            raise InputError(f"random generator {kind}: {name} {word} is out of range; give an integer in [0, 2**{size})")


class Stream:
    """
    A generator that is drawn from in Python: what a node function's `Random` argument is outside compiled code.

    `shape` is a sequence of ints, or one int for a vector; `()`, the default, draws one Python float. Arrays fill in row-major order.
    """

    def __init__(self, kind: str, words: Words, generator: str | None = None) -> None:
        """`generator`: the path of the generator of a model whose stream this is, if it is known."""
        self.kind = kind
        self.generator = generator
        self._source = unpack(kind, words)

    @classmethod
    def seeded(cls, kind: str, seed: int) -> "Stream":
        """The stream that starts where `initial_words` says."""
        return cls(kind, initial_words(kind, seed))

    @property
    def words(self) -> Words:
        """The present state."""
        return pack(self._source)

    def copy(self) -> "Stream":
        """A stream of its own that continues as this one would."""
        return Stream(self.kind, self.words, self.generator)

    def __repr__(self) -> str:
        return f"<generator {self.kind}>"

    def uniform(self, shape: Shape | None = ()) -> Any:
        """Uniform doubles in [0, 1): `RandomState.random_sample` or `Generator.random`."""
        source = self._source
        draw = source.random if isinstance(source, Xoshiro256 | np.random.Generator) else None
        return _shaped(draw or cast(np.random.RandomState, source).random_sample, shape)

    def normal(self, shape: Shape | None = ()) -> Any:
        """Standard normals: NumPy's `standard_normal` (polar for mt19937, ziggurat for philox4x64)."""
        source = cast("np.random.RandomState | np.random.Generator | Xoshiro256", self._source)
        return _shaped(source.standard_normal, shape)

    def integer(self, n: int) -> int:
        """An integer in [0, n), n > 0: NumPy's `randint` or `integers`."""
        if isinstance(n, bool) or not isinstance(cast(object, n), (int, np.integer)) or n <= 0:
            raise InputError(f"random generator: integer({n!r}): n must be a whole number above 0; it draws from 0 to n - 1")
        source = self._source
        if isinstance(source, np.random.RandomState):
            return int(source.randint(0, n, dtype=np.int64))
        return int(cast("np.random.Generator | Xoshiro256", source).integers(n))

    def sample(self, distribution: str, size: Shape, *parameters: Any) -> Any:
        """
        Numbers from a distribution of `rng.sample`: NumPy's `RandomState` or `Generator`, or the bodies of `variates.py`.

        The parameters are numbers, or arrays that broadcast to `size`. Where they are out of range nothing is drawn, and the number is
        NaN, or -1 for whole numbers.
        """
        extents = tuple(size) if isinstance(size, Sequence) else (size,)
        count = math.prod(extents)
        flat = [np.broadcast_to(parameter, extents).reshape(count).tolist() for parameter in parameters]
        each = list(zip(*flat, strict=True)) if flat else [()] * count
        if isinstance(self._source, Xoshiro256):
            numbers = self._numbers_of_bodies(distribution, each)
        elif len(set(each)) > 1:
            numbers = [self._numbers(distribution, one, 1)[0] for one in each]
        else:
            numbers = self._numbers(distribution, each[0], count)
        return np.array(numbers).reshape(extents) if extents else numbers[0]

    def _numbers_of_bodies(self, distribution: str, parameters: Sequence[tuple[Any, ...]]) -> list[Any]:
        """A number for each set of parameters, by the bodies that are compiled elsewhere."""
        body, words, numbers = VARIATES[self.kind, distribution], self.words, list[Any]()
        for each in parameters:
            value, words = body(words, *each)
            numbers.append(value)
        self._source = unpack(self.kind, words)
        return numbers

    def _numbers(self, distribution: str, parameters: tuple[Any, ...], count: int) -> list[Any]:
        """Numbers for one set of parameters, by NumPy."""
        if not accepts(distribution, parameters):
            return [REFUSED if distribution in ("binomial", "poisson", "geometric") else math.nan] * count
        named = {"exponential": "standard_exponential", "gamma": "standard_gamma"}
        return getattr(self._source, named.get(distribution, distribution))(*parameters, size=count).tolist()

    def exponential(self, scale: Any = 1.0, size: Shape | None = None) -> Any:
        """Exponential numbers of mean `scale`: NumPy's `exponential`."""
        return self._drawn("exponential", size, scale=scale)

    def gamma(self, shape: Any, scale: Any = 1.0, size: Shape | None = None) -> Any:
        """Gamma numbers of mean `shape * scale`: NumPy's `gamma`."""
        return self._drawn("gamma", size, shape=shape, scale=scale)

    def beta(self, a: Any, b: Any, size: Shape | None = None) -> Any:
        """Beta numbers of mean `a / (a + b)`: NumPy's `beta`."""
        return self._drawn("beta", size, a=a, b=b)

    def lognormal(self, mean: Any = 0.0, sigma: Any = 1.0, size: Shape | None = None) -> Any:
        """`exp(mean + sigma * N)`: NumPy's `lognormal`."""
        return self._drawn("lognormal", size, mean=mean, sigma=sigma)

    def binomial(self, n: Any, p: Any, size: Shape | None = None) -> Any:
        """The number of successes in n trials of probability p: NumPy's `binomial`."""
        return self._drawn("binomial", size, n=n, p=p)

    def poisson(self, lam: Any = 1.0, size: Shape | None = None) -> Any:
        """Counts of mean `lam`: NumPy's `poisson`."""
        return self._drawn("poisson", size, lam=lam)

    def geometric(self, p: Any, size: Shape | None = None) -> Any:
        """The number of trials of probability p up to the first success: NumPy's `geometric`."""
        return self._drawn("geometric", size, p=p)

    def truncated_normal(self, low: Any, high: Any, mean: Any = 0.0, sigma: Any = 1.0, size: Shape | None = None) -> Any:
        """Normal numbers between `low` and `high`, by the inverse of the distribution function; one uniform each."""
        if np.any(np.asarray(low) >= np.asarray(high)):
            raise InputError("random generator: truncated_normal: low is not below high; give an interval")
        return self._drawn("truncated_normal", size, low=low, high=high, mean=mean, sigma=sigma)

    def _drawn(self, name: str, size: Shape | None, **given: Any) -> Any:
        """A draw of `methods.DISTRIBUTIONS`, with its parameters checked."""
        method = methods.DISTRIBUTIONS[name]
        parameters: list[Any] = []
        for key, value in given.items():
            array = np.asarray(value)
            if array.dtype.kind not in ("iu" if key in method.whole else "iuf"):
                wanted = "whole numbers" if key in method.whole else "numbers"
                raise InputError(f"random generator: {name}: {key} is {shown(value)}; give {wanted}")
            if not method.ranges[key].holds(array):
                raise InputError(f"random generator: {name}: {key} is {shown(value)}; {method.ranges[key].demand(array)}")
            array = array.astype(np.int64 if key in method.whole else np.float64)
            parameters.append(array if array.shape else array.item())
        shapes = [np.shape(parameter) for parameter in parameters]
        try:
            extents = methods.sample_shape(shapes, None if size is None else _extents(size))
        except ValueError:
            raise InputError(
                f"random generator: {name}: parameters of shapes {', '.join(map(str, shapes))} do not broadcast"
                f"{'' if size is None else f' to size {size}'}; give numbers, or arrays of the shape of the result"
            ) from None
        value = method.function(*parameters, extents, self)
        return value if extents else np.asarray(value).item()

    def categorical(self, p: Any, size: Shape | None = None) -> Any:
        """Indices 0, 1 ... with probabilities p: NumPy's `choice(len(p), size, p=p)`."""
        probabilities = np.asarray(p, np.float64)
        if probabilities.ndim != 1:
            raise InputError(f"random generator: categorical: p has shape {probabilities.shape}; give a vector of probabilities")
        if (reason := methods.not_probabilities(probabilities)) is not None:
            raise InputError(f"random generator: categorical: {reason}")
        extents = _extents(size)
        value = draws.categorical(probabilities, extents, self)
        return value if extents else int(value)

    def choice(self, a: Any, size: Shape | None = None, replace: bool = True, p: Any = None) -> Any:
        """Elements of a vector, or whole numbers below `a`: NumPy's `choice`; without `replace`, different ones."""
        array = np.asarray(a)
        if array.ndim > 1 or (array.ndim == 0 and (array.dtype.kind not in "iu" or array <= 0)):
            raise InputError(f"random generator: choice: a is {shown(a)}; give a vector, or a whole number above 0")
        n = len(array) if array.ndim else int(array)
        extents = _extents(size)
        if p is not None:
            if not replace:
                raise InputError("random generator: choice: p needs replace=True; without it draw one element, and set its p to 0")
            if np.shape(p) != (n,):
                raise InputError(f"random generator: choice: p has shape {np.shape(p)}; give {n} probabilities")
            found = self.categorical(p, extents)
        elif replace:
            found = draws.indices(n, extents, self)
        else:
            count = math.prod(extents)
            if count > n:
                raise InputError(f"random generator: choice: {count} different elements of {n} cannot be drawn; give replace=True")
            distinct = draws.distinct if self.kind != "mt19937" else draws.first_of_permuted
            found = distinct(n, count, self).reshape(extents) if extents else int(distinct(n, count, self)[0])
        return array[found] if array.ndim else found

    def permutation(self, x: Any) -> Any:
        """The numbers below x, or the elements of an array (along its first axis), in random order: NumPy's `permutation`."""
        array = np.asarray(x)
        if array.ndim == 0 and (array.dtype.kind not in "iu" or array <= 0):
            raise InputError(f"random generator: permutation: x is {shown(x)}; give an array, or a whole number above 0")
        order = draws.permuted(len(array) if array.ndim else int(array), self.kind in methods.MASKED, self)
        return array[order] if array.ndim else order

    def shuffle(self, x: Any) -> None:
        """Puts the elements of an array (along its first axis) in random order: NumPy's `shuffle`."""
        if not isinstance(x, np.ndarray) or x.ndim == 0:
            raise InputError(f"random generator: shuffle: x is {shown(x)}; give an array, which is changed")
        x[...] = self.permutation(x)

    def seed(self, n: int) -> None:
        """Starts anew from this seed."""
        self._source = unpack(self.kind, initial_words(self.kind, n))


def _extents(shape: object) -> tuple[int, ...]:
    """A shape as compiled functions take it: a whole number, a sequence of them, or `()` or None for one number."""
    given = cast("Sequence[Any]", shape) if isinstance(shape, Sequence) else () if shape is None else (shape,)
    extents = tuple(given)
    if all(isinstance(extent, (int, np.integer)) and not isinstance(extent, bool) and extent > 0 for extent in extents):
        return extents
    raise InputError(
        f"random generator: {shape!r} is not a shape; give whole numbers above 0 (for another mean or scale, multiply and add to "
        "the drawn numbers)"
    )


def _shaped(draw: Callable[[int], NDArray[np.float64]], shape: Shape | None) -> Any:
    extents = _extents(shape)
    values = draw(math.prod(extents))
    return values.reshape(extents) if extents else float(values[0])
