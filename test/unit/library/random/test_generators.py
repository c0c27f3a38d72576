"""States of generators as words, and streams over NumPy."""

import numpy as np
import pytest
from scipy import stats

from cogir.dialects.rng import STATE_WORDS
from cogir.errors import InputError
from cogir.library.random.generators import WORDS, Stream, Xoshiro256, initial_words, keyed_words, pack, unpack

KINDS = tuple(WORDS)
GOLDEN = 0x9E3779B97F4A7C15


def sources(seed: int) -> dict[str, np.random.RandomState | np.random.Generator | Xoshiro256]:
    return {
        "mt19937": np.random.RandomState([seed]),
        "philox4x64": np.random.Generator(np.random.Philox([seed])),
        "xoshiro256": Xoshiro256.seeded(seed),
    }


def test_the_dialect_knows_the_same_kinds_and_sizes() -> None:
    assert STATE_WORDS == WORDS


@pytest.mark.parametrize("kind", KINDS)
def test_pack_and_unpack_keep_the_stream(kind: str) -> None:
    source = sources(5)[kind]
    source.standard_normal(3)
    words = pack(source)
    twin = unpack(kind, words)
    np.testing.assert_array_equal(pack(twin), words)
    np.testing.assert_array_equal(twin.standard_normal(700), source.standard_normal(700))


def test_half_words_of_philox_are_kept() -> None:
    source = np.random.Generator(np.random.Philox([5]))
    source.integers(10)
    twin = unpack("philox4x64", pack(source))
    assert isinstance(twin, np.random.Generator)
    assert [int(twin.integers(10)) for _ in range(9)] == [int(source.integers(10)) for _ in range(9)]


def test_pack_accepts_bare_bit_generators() -> None:
    np.testing.assert_array_equal(pack(np.random.Philox([9])), initial_words("philox4x64", 9))
    bare = np.random.MT19937(9)
    drawn = unpack("mt19937", pack(bare))
    np.testing.assert_array_equal(drawn.standard_normal(5), np.random.RandomState(bare).standard_normal(5))


@pytest.mark.parametrize("kind", KINDS)
def test_stream_draws_what_its_source_draws(kind: str) -> None:
    stream, source = Stream.seeded(kind, 11), sources(11)[kind]
    np.testing.assert_array_equal(stream.normal((2, 3)), source.standard_normal(6).reshape(2, 3))
    uniforms = source.random_sample(4) if isinstance(source, np.random.RandomState) else source.random(4)
    np.testing.assert_array_equal(stream.uniform((4,)), uniforms)
    later = stream.copy()
    assert isinstance(stream.uniform(), float)
    stream.integer(10)
    np.testing.assert_array_equal(later.words, pack(source))


def test_xoshiro256_draws_are_distributed_as_they_should_be() -> None:
    normals = Xoshiro256.seeded(1).standard_normal(20_000)
    assert stats.kstest(normals, "norm").pvalue > 0.01
    assert stats.kstest(normals[::2] ** 2 + normals[1::2] ** 2, stats.chi2(2).cdf).pvalue > 0.01, "the two of a pair are independent"
    assert abs(np.corrcoef(normals[::2], normals[1::2])[0, 1]) < 0.03
    assert stats.kstest(Xoshiro256.seeded(2).random(20_000), "uniform").pvalue > 0.01
    source = Xoshiro256.seeded(3)
    assert stats.chisquare(np.bincount([source.integers(5) for _ in range(5000)])).pvalue > 0.01


def test_xoshiro256_keeps_the_second_normal() -> None:
    """In its words too, also when it is a zero of either sign."""
    source = Xoshiro256.seeded(4)
    assert pack(source)[4:].tolist() == [0, 0]
    first = source.standard_normal(1)[0]
    kept = pack(source)
    assert kept[4] == 1
    second = unpack("xoshiro256", kept).standard_normal(1)[0]
    assert second == kept[5:].view(np.float64)[0] == source.standard_normal(1)[0] != first
    for zero in (0, -(2**63)):
        np.testing.assert_array_equal(pack(unpack("xoshiro256", np.array([1, 2, 3, 4, 1, zero]))), [1, 2, 3, 4, 1, zero])


@pytest.mark.parametrize(
    ("kind", "seed", "message"),
    [
        ("mt19937", 2**32, r"mt19937: seed 4294967296 is out of range; give an integer in \[0, 2\*\*32\)"),
        ("philox4x64", -1, r"seed -1 is out of range; give an integer in \[0, 2\*\*63\)"),
        ("xoshiro", 1, "unknown kind 'xoshiro'; known are mt19937, philox4x64, xoshiro256"),
    ],
)
def test_bad_seeds(kind: str, seed: int, message: str) -> None:
    with pytest.raises(InputError, match=message):
        initial_words(kind, seed)


def test_keyed_generators_are_numpys() -> None:
    """Zeros at the end of a key count for `RandomState`, but not for `SeedSequence`."""
    for key in ([1, 2, 3], [0, 0, 0], [2**32 - 1, 2**32 - 1, 2**32 - 1], [7, 0, 1], [7, 1, 0]):
        np.testing.assert_array_equal(keyed_words("mt19937", *key), pack(np.random.RandomState(key)))
        np.testing.assert_array_equal(keyed_words("philox4x64", *key), pack(np.random.Philox(np.random.SeedSequence(key))))


def test_keys_of_xoshiro256() -> None:
    """The two rounds as they are written down, and no two alike of a square of neighbours, in any of the four words."""

    def mix(z: int) -> int:
        return (Xoshiro256.seeded(z - GOLDEN)).state[0]

    pi = "243F6A8885A308D3 13198A2E03707344 A4093822299F31D0 082EFA98EC4E6C89 "
    pi += "452821E638D01377 BE5466CF34E90C6C C0AC29B7C97C50DD 3F84D5B5B5470917"
    seed, generator, point, replicate = 3, 4, 2**64 - 1, 5
    for c0, c1, c2, c3 in ([int(word, 16) for word in pi.split()][first : first + 4] for first in (0, 4)):
        generator ^= mix(seed + c0)
        point ^= mix(generator + c1)
        replicate ^= mix(point + c2)
        seed ^= mix(replicate + c3)
    assert keyed_words("xoshiro256", 3, 4, 5).tolist() == pack(Xoshiro256([seed, generator, point, replicate])).tolist()
    states = np.array([keyed_words("xoshiro256", seed, a, b)[:4] for seed in range(3) for a in range(40) for b in range(40)])
    assert len(np.unique(states)) == states.size


@pytest.mark.parametrize(
    ("kind", "key", "message"),
    [
        ("mt19937", (1, 2**32, 3), r"mt19937: generator 4294967296 is out of range; give an integer in \[0, 2\*\*32\)"),
        ("philox4x64", (2**32, 2, 3), r"philox4x64: seed 4294967296 is out of range; give an integer in \[0, 2\*\*32\)"),
        ("xoshiro256", (1, 2, 2**63), r"xoshiro256: replicate 9223372036854775808 is out of range; give an integer in \[0, 2\*\*63\)"),
        ("xoshiro", (1, 2, 3), "unknown kind 'xoshiro'"),
    ],
)
def test_bad_keys(kind: str, key: tuple[int, int, int], message: str) -> None:
    with pytest.raises(InputError, match=message):
        keyed_words(kind, *key)


def test_bad_states() -> None:
    with pytest.raises(InputError, match=r"a state of 627 words is required, found shape \(13,\)"):
        unpack("mt19937", np.zeros(13, np.int64))
    with pytest.raises(InputError, match="found PCG64; cogir has MT19937"):
        pack(np.random.default_rng(0))
