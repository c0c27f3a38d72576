"""Whatever is given as inputs, points or numbers of trials: it is taken, or refused with an error of cogir."""

import warnings
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest

import cogir
from cogir import library
from cogir.runtime import numbers

pd = pytest.importorskip("pandas")
xr = pytest.importorskip("xarray")


class Odd:
    """An object that has some of the attributes of tables."""

    columns = ("s",)

    def to_numpy(self) -> Any:
        return np.array([object()])

    def __getitem__(self, name: Any) -> Any:
        return self


class Numpy:
    """An object that gives an array of objects."""

    def __array__(self, *_: Any, **__: Any) -> Any:
        return np.array([None, {}], dtype=object)


LEAVES: tuple[Callable[[], Any], ...] = (
    *(lambda value=value: value for value in (None, 0, 1.5, -2, True, "x", "1", b"1", 1j, float("nan"), 10**400, 2**53 + 1, ...)),
    *(lambda value=value: value for value in (Decimal("0.1"), Fraction(1, 3), np.float32(1), np.int8(3), np.datetime64(0, "D"))),
    object,
    Odd,
    Numpy,
    lambda: np.zeros(2),
    lambda: np.zeros((3, 2)),
    lambda: np.zeros((0, 2)),
    lambda: np.zeros((2, 1, 2)),
    lambda: np.array(["a", "b"]),
    lambda: np.array([[1.0], [2.0, 3.0]], dtype=object),
    lambda: np.ma.array([1.0, 2.0], mask=[True, False]),
    lambda: np.array((1.0, 2.0), dtype=[("left", float), ("right", float)]),
    lambda: np.array([(1.0, "x")], dtype=[("left", float), ("right", "U1")]),
    lambda: np.zeros(3, dtype="M8[s]"),
    lambda: np.zeros(2, dtype=complex),
    lambda: pd.DataFrame({"left": [1.0], "right": [2.0]}),
    lambda: pd.DataFrame({"s[0]": [1.0], "s[5]": [2.0]}),
    lambda: pd.DataFrame({"s": [[1.0, 2.0]]}),
    lambda: pd.DataFrame({("s", 0): [1.0], ("s", "x", "y"): [2.0]}),
    lambda: pd.DataFrame({None: [1.0], 2.5: [1.0]}),
    lambda: pd.DataFrame(),
    lambda: pd.DataFrame([[1.0, 2.0]]),
    lambda: pd.Series([1.0, None, 3.0]),
    lambda: pd.Series(["a"]),
    lambda: pd.Series(pd.Categorical(["a", "b"])),
    lambda: pd.Series(pd.to_datetime(["2020-01-01"])),
    lambda: pd.Series([[1, 2], [3]]),
    lambda: pd.Index([1, 2]),
    lambda: xr.DataArray([1.0, 2.0], dims="trial"),
    lambda: xr.DataArray(np.zeros((2, 2)), dims=("trial", "s"), coords={"s": ["left", "left"]}),
    lambda: xr.DataArray(np.zeros((2, 2)), dims=("a", "b")),
    lambda: xr.DataArray(3.0),
    lambda: xr.Dataset({"s": ("trial", [1.0])}),
    lambda: iter([1.0]),
    lambda: range(3),
    lambda: {1.0, 2.0},
    lambda: lambda: 1.0,
    lambda: memoryview(b"12"),
)
NAMES = (
    "s",
    "t",
    "s/variable",
    "s[0]",
    "s[1]",
    "s[left]",
    "s[9]",
    "s[",
    "x",
    "",
    3,
    None,
    ("s", "variable"),
    ("s", 0),
    "net/gain",
    "s[0][0]",
    (),
)


def junk(rng: Random, depth: int = 0) -> Any:
    """A random value."""
    kind = rng.random()
    if depth < 3 and kind < 0.25:
        return [junk(rng, depth + 1) for _ in range(rng.randint(0, 3))]
    if depth < 3 and kind < 0.6:
        return {rng.choice(NAMES): junk(rng, depth + 1) for _ in range(rng.randint(0, 3))}
    if kind < 0.65:
        return tuple(junk(rng, depth + 1) for _ in range(rng.randint(0, 2))) if depth < 3 else ()
    return rng.choice(LEAVES)()


def model() -> cogir.Compiled:
    m = cogir.Model("m")
    s, t = m.node("s", input=2, labels=["left", "right"]), m.node("t", input=1)
    net = m.node("net", library.linear, input=1)
    m.project(s, net, matrix=[[1.0], [2.0]])
    m.learning([(net, t)], rate=0.01)
    return m.compile()


def raw_errors(compiled: cogir.Compiled, count: int) -> Iterator[str]:
    """Errors that are not of cogir."""
    for number in range(count):
        rng = Random(number)
        given, other = junk(rng), junk(rng)
        if isinstance(other, int | np.integer) and not isinstance(other, bool) and other > 1000:
            other = 2
        calls: dict[str, Callable[[], Any]] = {
            "run": lambda: compiled.run(given),
            "trials": lambda: compiled.run(None, other),
            "replicates": lambda: compiled.replicates(given, 2, start="fresh"),
            "points": lambda: compiled.sweep(given, other, start="fresh"),
            "values": lambda: compiled.sweep({rng.choice(("s", "t", "net/slope", "s->net", "x")): given}, other, 1, start="fresh"),
            "zipped": lambda: compiled.sweep(cogir.zipped({"s": given, "t": other}), start="fresh"),
            "explain": lambda: compiled.explain(given, other),
            "learn": lambda: compiled.learn(given),
            "parameter": lambda: compiled.params.update({"s->net": given}),
        }
        name = rng.choice(sorted(calls))
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                calls[name]()
        except cogir.CogirError:
            pass
        except Exception as error:
            yield f"{number} {name}({given!r:.200}, {other!r:.100}): {type(error).__name__}: {error}"


@pytest.mark.parametrize("count", [600, pytest.param(5000, marks=pytest.mark.full)])
def test_nothing_gives_a_raw_error(count: int) -> None:
    found = list(raw_errors(model(), count))
    assert not found, "\n".join(found[:20])


def test_planted_raw_errors_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numbers, "_numbers_of", lambda array: array.astype(np.float64))
    assert next(raw_errors(model(), 600), None) is not None
