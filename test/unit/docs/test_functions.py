"""docs/functions.md: its blocks run, and what it says of draws and of differences from Python is so."""

import re
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from support.pages import Ran, page, run_page

import cogir
from cogir import library

PAGE = page("functions.md")


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    return run_page(PAGE, tmp_path_factory.mktemp("functions"))


def test_the_page_runs_from_top_to_bottom(ran: Ran) -> None:
    """A direct call draws the numbers of NumPy's generator with the seed."""
    assert ran.printed == ""
    expected = 0.3 + 0.5 * np.random.RandomState([1]).normal(size=1)
    value, time = ran.names["step"].outputs
    np.testing.assert_array_equal(value, np.clip(expected, -1.0, 1.0))
    assert time == 1.0
    assert ran.names["moved"].shape == (3,)


def test_generators_are_those_of_numpy() -> None:
    philox = np.random.Generator(np.random.Philox([1]))
    assert cogir.random(1, "philox").uniform((3,)).tolist() == philox.random(3).tolist()
    assert cogir.random(1, "philox").gamma(2.0) != philox.gamma(2.0), "the stream has moved"
    with pytest.raises(cogir.InputError, match="not a generator of cogir"):
        library.psyneulink.gaussian_distort(np.zeros(3), random=np.random.RandomState(1))  # pyright: ignore[reportArgumentType]


def test_draws_are_as_the_table_says() -> None:
    random = cogir.random(1)
    wrong: dict[str, tuple[float, ...]] = {
        "gamma": (-1.0,),
        "exponential": (-1.0,),
        "beta": (0.0, 1.0),
        "poisson": (-1.0,),
        "binomial": (3, 1.5),
        "geometric": (0.0,),
    }
    for name, arguments in wrong.items():
        with pytest.raises(cogir.InputError, match=name):
            getattr(random, name)(*arguments)
    assert random.geometric(0.9, size=(200,)).min() == 1
    assert set(random.categorical([0.2, 0.5, 0.3], size=(200,))) == {0, 1, 2}
    assert sorted(random.permutation(5)) == [0, 1, 2, 3, 4]
    normals = random.truncated_normal(-0.5, 1.0, size=(200,))
    assert -0.5 <= normals.min() < normals.max() <= 1.0
    assert random.uniform((2, 3)).shape == (2, 3)
    assert isinstance(random.integer(3), int | np.integer)
    assert np.mean(random.gamma(2.0, 3.0, size=(4000,))) == pytest.approx(6.0, rel=0.1), "mean shape * scale"
    assert np.mean(random.beta(1.0, 3.0, size=(4000,))) == pytest.approx(0.25, rel=0.1), "mean a / (a + b)"


def outside() -> list[Callable[..., Any]]:
    """Functions outside the subset, and in the subset but for a range."""

    def drift(x: Any) -> Any:
        try:
            return 1.0 / x
        except ZeroDivisionError:
            return 0.0

    def unseeded(x: Any) -> Any:
        return x + np.random.normal()

    return [drift, unseeded]


def test_functions_outside_the_subset_are_called_in_python() -> None:
    shown = re.search(r"    node \"drift\": model.py:12: (.*?)\n\n", PAGE, re.DOTALL)
    assert shown is not None
    drift, unseeded = outside()
    with pytest.warns(cogir.NotCompiledWarning, match=re.escape(" ".join(shown[1].split()))):
        cogir.Model("m").node("drift", drift, input=())
    m = cogir.Model("m")
    with pytest.warns(cogir.NotCompiledWarning, match="add a parameter 'random: Random'"):
        m.node("unseeded", unseeded, input=())
    with pytest.raises(cogir.FunctionError):
        m.compile(mode="run")


WIDE, LARGE = np.uint8(200), np.int64(2**62)


def differences(v: Any) -> tuple[float, float, float, float, float, float, float]:
    """Differences from Python: v has three elements, the last of which is 0 or NaN."""
    with_zero = int(v[0]) // int(v[2]) if v[2] == v[2] else 0
    return (
        1.0 * with_zero,
        v[int(v[0]) + 5],
        1.0 * int(v[1]),
        1.0 * (WIDE + 100),
        1.0 * (LARGE * 4),
        np.copysign(v[0], v[2]) if v[2] != v[2] else 0.0,
        max(v),
    )


def test_differences_from_python() -> None:
    m = cogir.Model("m")
    m.node("d", differences, input=3)
    result = m.compile(mode="run").run({"d": [[3.0, 1e300, 0.0], [-3.0, 2.0, np.nan]]})
    by_zero, nearest, whole, wide, large, sign, largest = (result["d", port.partition("/")[2]] for port in result.outputs)
    assert by_zero[0] == 0.0
    assert nearest[0] == 0.0, "the last element"
    assert whole[0] == -(2.0**63), "the smallest int64"
    assert (wide[0], large[0]) == (44.0, 0.0)
    assert sign[1] == 3.0, "a NaN has no sign"
    assert (largest[0], largest[1]) == (1e300, 2.0), "later NaN are skipped"
    with pytest.raises(cogir.ExecutionError, match=r"test_functions\.py:\d+"):
        m.compile(mode="python").run({"d": [[3.0, 2.0, 1.0]]})


def test_ranges_of_parameters() -> None:
    def ranged(x: float, *, level: cogir.NonNegative = 1.0) -> float:  # pyright: ignore[reportInvalidTypeForm]
        return level * x

    m = cogir.Model("m")
    m.node("r", ranged, input=(), level=np.inf)
    for wrong in (-1.0, np.nan):
        with pytest.raises(cogir.CogirError, match="at least 0"):
            m.node("wrong", ranged, input=(), level=wrong)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compiled = m.compile(mode="python")
    with pytest.raises(cogir.InputError, match="at least 0"):
        compiled.params["r/level"] = -1.0
