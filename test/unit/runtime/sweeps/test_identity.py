"""A store knows the whole identity of a sweep: whatever changes a result makes another sweep of it, and what cannot be told is refused."""

from __future__ import annotations

import datetime
import functools
import math
import operator
import os
import random
import re
import secrets
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from pathlib import Path, PurePath
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.random import default_rng

import cogir
from cogir import library
from cogir.runtime.sweeps.identity import identity_of
from cogir.runtime.sweeps.reductions import Mean, Quantiles

LIMIT = 0.5
TABLE = {"low": [0.1, 0.2], "high": np.array([0.5, 0.6])}
helpers = ModuleType("helpers")
helpers.__dict__["limit"] = 0.5


def helper(x: Any) -> Any:
    return x > LIMIT


def by_global(r: Any) -> Any:
    return r["d"] > LIMIT


def by_helper(r: Any) -> Any:
    return helper(r["d"])


def by_table(r: Any) -> Any:
    return r["d"] > TABLE["high"][1]


def by_module(r: Any) -> Any:
    return r["d"] > helpers.limit


def by_default(limit: float) -> Any:
    return lambda r, limit=limit: r["d"] > limit


def by_keyword(limit: float) -> Any:
    def late(r: Any, *, limit: float = limit) -> Any:
        return r["d"] > limit

    return late


def by_cell(limit: float) -> Any:
    return lambda r: r["d"] > limit


def by_nested(limit: float) -> Any:
    return (lambda r: (lambda x: x > 0.5)(r["d"])) if limit == 0.5 else (lambda r: (lambda x: x > 0.6)(r["d"]))


class Late:
    factor = 1.0

    def __init__(self, limit: float):
        self.limit = limit

    def __call__(self, r: Any) -> Any:
        return r["d"] > self.limit * self.factor

    def late(self, r: Any) -> Any:
        return r["d"] > self.limit

    @classmethod
    def of_class(cls, r: Any) -> Any:
        return r["d"] > cls.factor


class Slotted:
    __slots__ = ("limit",)

    def __init__(self, limit: float):
        self.limit = limit

    def __call__(self, r: Any) -> Any:
        return r["d"] > self.limit


class Limit:
    """It is used by an operator, which no function names."""

    def __init__(self, limit: float):
        self.limit = limit

    def __lt__(self, other: Any) -> Any:
        return other > self.limit

    def __add__(self, other: Any) -> Any:
        return other + self.limit


@dataclass(frozen=True)
class Config:
    limit: float
    names: tuple[str, ...] = ("d",)


class Pair(NamedTuple):
    limit: float
    other: int


class Kind(Enum):
    LOW = 0.5
    HIGH = 0.6


class Own(Mean):
    def partial(self, block: Any) -> Any:
        return {name: values + LIMIT for name, values in super().partial(block).items()}


@functools.cache
def cached_limit() -> float:
    return LIMIT


def wrapped(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def call(*args: Any) -> Any:
        return function(*args)

    return call


def of_one_name(limit: float) -> Any:
    def late(r: Any) -> Any:
        return r["d"] > limit

    return late


def with_limit(function: Any, limit: float) -> Any:
    function.limit = limit
    return function


def by_own_attribute(r: Any) -> Any:
    return r["d"] > by_own_attribute.limit  # type: ignore[attr-defined]


def decorated(function: Any) -> Any:
    @functools.wraps(function)
    def call(r: Any) -> Any:
        return function(r) > decorated.limit  # type: ignore[attr-defined]

    return call


by_decorator = decorated(lambda r: r["d"])
with_limit(by_own_attribute, 0.5)
with_limit(decorated, 0.5)


def by_code(limit: float) -> Any:
    """A function without a source."""
    found: dict[str, Any] = {}
    exec(f"def late(r):\n    return [x for x in r if x > {limit}]", {}, found)
    return found["late"]


FUNCTIONS: dict[str, Callable[[float], Any]] = {
    "default argument": by_default,
    "keyword-only default": by_keyword,
    "cell": by_cell,
    "constant of a nested function": by_nested,
    "self of a bound method": lambda limit: Late(limit).late,
    "callable object": Late,
    "object with slots": Slotted,
    "partial": lambda limit: functools.partial(operator.lt, limit),
    "keyword of a partial": lambda limit: functools.partial(helper, x=limit),
    "object used by an operator": lambda limit: by_cell(Limit(limit)),  # type: ignore[arg-type]
    "dataclass": lambda limit: by_cell(Config(limit)),  # type: ignore[arg-type]
    "named tuple": lambda limit: by_cell(Pair(limit, 1)),  # type: ignore[arg-type]
    "enum": lambda limit: by_cell(Kind(limit)),  # type: ignore[arg-type]
    "array in a list in a cell": lambda limit: by_cell([np.array([limit])]),  # type: ignore[arg-type]
    "bound method of a list": lambda limit: [limit].index,
    "item getter": lambda limit: operator.itemgetter(f"d{limit}"),
    "pattern": lambda limit: by_cell(re.compile(str(limit))),  # type: ignore[arg-type]
    "NumPy's vectorize": lambda limit: np.vectorize(by_cell(limit)),
    "cache": lambda limit: functools.lru_cache(by_cell(limit)),
    "function that is wrapped": lambda limit: wrapped(of_one_name(limit)),
    "function without a source": by_code,
    "quantiles": lambda limit: Quantiles("d", [0.1, limit]),
    "where": lambda limit: Mean("d", where=by_cell(limit)),
    "pair of where": lambda limit: Mean("d", where=("d", limit)),
    "statistic with a function": lambda limit: Mean(by_default(limit)),
    "attribute of a function": lambda limit: with_limit(lambda r: r, limit),
    "attribute of a function in a cell": lambda limit: by_cell(with_limit(lambda r: r, limit)),
    "attribute of a function that is wrapped": lambda limit: wrapped(with_limit(lambda r: r, limit)),
    "attribute of a partial": lambda limit: with_limit(functools.partial(max, 1.0), limit),
    "attribute of a cache": lambda limit: with_limit(functools.lru_cache(of_one_name(1.0)), limit),
    "seed of a generator": lambda limit: eval(f"lambda r: np.random.default_rng({int(limit * 10)}).random()", globals()),
    "complex constant": lambda limit: by_cell(complex(limit, -0.0)),  # type: ignore[arg-type]
    "sign of zero": lambda limit: by_cell(0.0 if limit == 0.5 else -0.0),
}


@pytest.mark.parametrize("what", FUNCTIONS)
def test_functions_that_differ_have_other_identities(what: str) -> None:
    make = FUNCTIONS[what]
    assert identity_of("it", make(0.5)) == identity_of("it", make(0.5))
    assert identity_of("it", make(0.5)) != identity_of("it", make(0.6))


@contextmanager
def changed(monkeypatch: pytest.MonkeyPatch, target: Any, name: str, value: Any) -> Iterator[None]:
    with monkeypatch.context() as patch:
        patch.setattr(target, name, value) if not isinstance(target, dict) else patch.setitem(target, name, value)
        yield


HERE = sys.modules[__name__]
CHANGES: dict[str, tuple[Any, Any, str, Any]] = {
    "global": (by_global, HERE, "LIMIT", 0.6),
    "type of a global": (by_global, HERE, "LIMIT", 1),
    "global of a helper": (by_helper, HERE, "LIMIT", 0.6),
    "helper": (by_helper, HERE, "helper", lambda x: x < LIMIT),
    "dict": (by_table, TABLE, "low", [0.1, 0.3]),
    "array in a dict": (by_table, TABLE, "high", np.array([0.5, 0.7])),
    "attribute of a module": (by_module, helpers, "limit", 0.6),
    "attribute of a class": (Late(0.5), Late, "factor", 2.0),
    "attribute of the class of a class method": (Late.of_class, Late, "factor", 2.0),
    "method of a class": (Late(0.5), Late, "__call__", lambda self, r: r),
    "operator of a class": (by_cell(Limit(0.5)), Limit, "__add__", lambda self, r: r),  # type: ignore[arg-type]
    "function behind a cache": (lambda r: r > cached_limit(), HERE, "LIMIT", 0.6),
    "global of a statistic of one's own": (Own("d"), HERE, "LIMIT", 0.6),
    "attribute of a function": (by_own_attribute, by_own_attribute, "limit", 0.6),
    "attribute of a function, read by where": (Mean("d", where=by_own_attribute), by_own_attribute, "limit", 0.6),
    "attribute of a decorator": (by_decorator, decorated, "limit", 0.6),
    "rebound builtin": (lambda r: max(r), HERE, "max", min),
    "function of a library": (lambda r: math.exp(r), math, "exp", math.cos),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_change_of_what_a_function_reaches_is_seen(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    function, target, name, value = CHANGES[what]
    if not isinstance(target, dict) and not hasattr(target, name):
        monkeypatch.setattr(target, name, max, raising=False)
    before = identity_of("it", function)
    with changed(monkeypatch, target, name, value):
        assert identity_of("it", function) != before
    assert identity_of("it", function) == before


def opens(r: Any) -> Any:
    return r["d"] > float(open("limit").read())


def imports(r: Any) -> Any:
    from test.support import decisions

    return decisions


def imports_numpy(r: Any) -> Any:
    import numpy.linalg

    return numpy.linalg.norm(r["d"])


@pytest.mark.parametrize(
    ("function", "reaches"),
    [
        (opens, r"open in opens, by which it may reach anything"),
        (lambda r: getattr(r, "x"), "getattr"),
        (lambda r: eval("LIMIT"), "eval"),
        (imports, r'module "test\.support", which imports imports \(import it at the top of the file\)'),
        (by_cell(iter([1.0])), "an object of type builtins.list_iterator"),  # type: ignore[arg-type]
        (by_cell(np.frompyfunc(helper, 1, 1)), "an object of type numpy.ufunc"),  # type: ignore[arg-type]
        (by_cell(x for x in [1.0]), "an object of type builtins.generator"),  # type: ignore[arg-type]
        (by_cell(np.ma.array([1.0], mask=[True])), "an object of type numpy.ma.MaskedArray"),  # type: ignore[arg-type]
        (by_cell(np.array([object()])), "an object of type numpy.ndarray"),  # type: ignore[arg-type]
    ],
)
def test_what_cannot_be_told_is_refused(function: Any, reaches: str) -> None:
    with pytest.raises(cogir.InputError, match=f"sweep: store: reduce: .x. cannot be identified, because it reaches .*{reaches}"):
        identity_of('reduce: "x"', function)


def by_local_import(r: Any) -> Any:
    import time

    return time.time()


def by_local_name(r: Any) -> Any:
    from time import time as now

    return now()


def by_local_package(r: Any) -> Any:
    import numpy.linalg

    return numpy.random.normal()


def by_name_of_module(r: Any) -> Any:
    import os.path as paths

    return paths.exists("x")


def by_import_of_class(r: Any) -> Any:
    class Clock:
        import time as clock

    return Clock.clock.time()


def by_module_that_is_not_there(r: Any) -> Any:
    import numpy.nothing  # type: ignore[import-not-found]

    return numpy.nothing


def by_local_maker(r: Any) -> Any:
    from numpy.random import default_rng as made

    return made().random()


def by_other_name(r: Any) -> Any:
    made = default_rng
    return made().random()


def by_handed_class(r: Any) -> Any:
    clock = datetime.datetime
    return clock.now().year


def by_handed_module(r: Any) -> Any:
    clock = time
    return clock.time()


FOLDER, GENERATOR, opened = Path("folder"), np.random.default_rng(1), open
OUTSIDE: dict[str, Any] = {
    "os.getenv": lambda r: os.getenv("Q"),
    "_Environ": lambda r: os.environ["Q"],
    "posix.listdir": lambda r: os.listdir("."),
    "genericpath.exists": lambda r: os.path.exists("x"),
    "time.time": lambda r: time.time(),
    "time.perf_counter": lambda r: time.perf_counter(),
    "datetime.datetime.now": lambda r: datetime.datetime.now(),
    "datetime.date.today": lambda r: datetime.date.today(),
    "generator of random numbers": lambda r: random.random(),
    "generator of random numbers.*make one inside the function: random": lambda r: random.gauss(0.0, 1.0),
    "uuid.uuid4": lambda r: uuid.uuid4(),
    "secrets.token_hex": lambda r: secrets.token_hex(),
    "generator of random number.": lambda r: np.random.normal(),
    "generator of random numbers.*make one inside the function: np": lambda r: GENERATOR.random(),
    "numpy.random.seed": lambda r: np.random.seed(3),
    "default_rng without a seed": lambda r: np.random.default_rng().random(),
    "default_rng without": lambda r: list(map(default_rng, [])),
    "RandomState without a seed": lambda r: np.random.RandomState().rand(),
    "Random without a seed": lambda r: random.Random().random(),
    "random.SystemRandom": lambda r: random.SystemRandom().random(),
    "made without a seed": by_local_maker,
    "default_rng without a": by_other_name,
    "an object of type pathlib": lambda r: FOLDER.read_text(),
    "pathlib.Path": lambda r: Path("x").read_text(),
    "numpy.load": lambda r: np.load("x"),
    "numpy.loadtxt": lambda r: np.loadtxt("x"),
    "numpy.fromfile": lambda r: np.fromfile("x"),
    "numpy.memmap": lambda r: np.memmap("x"),
    "io.open": lambda r: opened("x").read(),
    "builtins.hash": lambda r: hash("a"),
    "time.tim.": by_local_import,
    "time.ti..": by_local_name,
    "a generator of random numbe..": by_local_package,
    "genericpath.exist.": by_name_of_module,
    "time.tim..*whose value": by_import_of_class,
    'module "numpy.nothing".*cannot be imported': by_module_that_is_not_there,
    "time.t..e": by_handed_module,
    "datetime.datetime.no.": by_handed_class,
    "time.time,": functools.partial(time.time),
}


@pytest.mark.parametrize("reaches", OUTSIDE)
def test_what_depends_on_more_than_arguments_is_refused(reaches: str) -> None:
    with pytest.raises(cogir.InputError, match=f"cannot be identified, because it reaches .*{reaches}"):
        identity_of('reduce: "x"', OUTSIDE[reaches])


@pytest.mark.parametrize(
    "function",
    [
        lambda r: default_rng(3).normal(),
        lambda r: np.random.default_rng(seed=3).normal(),
        lambda r: np.random.RandomState(3).rand(),
        lambda r: random.Random(3).random(),
        lambda r: os.path.join("a", "b"),
        lambda r: datetime.datetime(2020, 1, 1).year + datetime.timedelta(1).days,
        lambda r: PurePath("a"),
        lambda r: np.mean(r["d"]) + math.fsum(r["d"]),
    ],
)
def test_what_depends_on_arguments_alone_is_identified(function: Any) -> None:
    assert identity_of("it", function) == identity_of("it", function)


def imports_generators(r: Any) -> Any:
    import numpy as numbers

    return numbers.random.default_rng(3).normal()


@pytest.mark.parametrize("function", [imports_numpy, imports_generators])
def test_functions_may_import_libraries(function: Any) -> None:
    assert identity_of("it", function) == identity_of("it", function)


NOT_YET = """
import sys
sys.path.insert(0, {root!r})
import local_imports
from cogir.runtime.sweeps.identity import identity_of
if {before}:
    import scipy.special
assert {before} or "scipy" not in sys.modules
print(identity_of("it", local_imports.inverse))
"""
LOCAL_IMPORTS = """
def inverse(r):
    from scipy import special
    return special.ndtri(r["d"])
"""


def test_a_library_may_be_imported_by_the_function_alone(tmp_path: Path) -> None:
    (tmp_path / "local_imports.py").write_text(LOCAL_IMPORTS)
    texts = [NOT_YET.format(root=str(tmp_path), before=before) for before in (False, True)]
    runs = [subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=False) for text in texts]
    assert [run.stderr for run in runs] == ["", ""]
    assert runs[0].stdout == runs[1].stdout


PROGRAM = """
import sys
sys.path.insert(0, {root!r})
import test_identity as t
made = [make(0.5) for make in t.FUNCTIONS.values()]
print([t.identity_of("it", it) for it in made] + [t.identity_of("it", change[0]) for change in t.CHANGES.values()])
"""


def test_the_identity_is_the_same_in_another_process() -> None:
    root = str(Path(__file__).parent)
    runs = [
        subprocess.run(
            [sys.executable, "-c", PROGRAM.format(root=root)], capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("1", "2")
    ]
    assert runs[0] == runs[1]
    assert runs[0].count(",") == len(FUNCTIONS) + len(CHANGES) - 1


# Sweeps


def decision(**options: Any) -> Any:
    m = cogir.Model("decision", seed=1)
    given = {"noise": 1.0, "threshold": 1.0, "time_step_size": 0.01, "execute_until_finished": True, "reset_each_trial": True}
    m.node("d", library.drift_diffusion_integrator, input=1, max_executions_before_finished=50, **given)
    m.node("memory", library.drift_diffusion_integrator, input=1, noise=0.0)
    return m.compile(**{"unfinished": "ignore"} | options)


INPUTS = {"d": [[1.0]], "memory": [[1.0]]}
ASKED: dict[str, Any] = {"points": {"d/rate": [0.5, 1.0]}, "inputs": INPUTS, "replicates": 4, "seed": 3, "reduce": {"late": by_global}}
RATES, NOISES = [0.5, 1.0], [0.1, 0.2]


def refused(compiled: Any, what: str, asked: dict[str, Any]) -> None:
    with pytest.raises(cogir.InputError, match=rf"holds another sweep: other {what}; give another name, or remove the folder"):
        compiled.sweep(**asked)


def test_options_that_change_bits_make_another_sweep(tmp_path: Path) -> None:
    pytest.importorskip("zarr")
    asked = ASKED | {"store": tmp_path / "s.zarr"}
    decision().sweep(**asked)
    for options in ({"contract": "fast"}, {"math": "libm"}, {"checked": True}):
        refused(decision(**options), "options", asked)
    for options in ({"without": ["fill-lanes"]}, {"threads": 2}, {"cache": False}, {"mode": "exec"}, {"prune_search": False}):
        decision(**options).sweep(**asked)


def test_another_kind_of_mode_is_called_so(tmp_path: Path) -> None:
    pytest.importorskip("zarr")
    asked = ASKED | {"store": tmp_path / "s.zarr"}
    decision().sweep(**asked)
    refused(decision(mode="python"), "mode", asked)
    other = asked | {"store": tmp_path / "t.zarr"}
    decision(mode="python").sweep(**other)
    decision(mode="python").sweep(**other)
    refused(decision(), "mode", other)


def test_a_state_that_was_set_by_hand_makes_another_sweep(tmp_path: Path) -> None:
    pytest.importorskip("zarr")
    asked = ASKED | {"store": tmp_path / "s.zarr", "reduce": None}
    compiled = decision()
    compiled.sweep(**asked)
    compiled.state["memory/previous_value"] = 5.0
    refused(compiled, "state", asked)
    other = asked | {"store": tmp_path / "t.zarr"}
    assert compiled.sweep(**other)["memory"].max() == 6.0
    compiled.state["memory/previous_value"] = 6.0
    refused(compiled, "state", other)
    compiled.reset()
    compiled.sweep(**asked)


def test_quantities_along_other_axes_make_another_sweep(tmp_path: Path) -> None:
    pytest.importorskip("zarr")
    compiled = decision()
    zipped = cogir.zipped
    one = {"a": zipped({"d/rate": RATES, "d/noise": NOISES}), "d/threshold": RATES}
    asked = ASKED | {"store": tmp_path / "s.zarr", "points": one}
    first = compiled.sweep(**asked)
    others: list[dict[str, Any]] = [
        {"d/rate": RATES, "b": zipped({"d/noise": NOISES, "d/threshold": RATES})},
        {"a": zipped({"d/threshold": RATES, "d/noise": NOISES}), "d/rate": RATES},
        {"a": zipped({"d/rate": NOISES, "d/noise": RATES}), "d/threshold": RATES},
        {"d/threshold": RATES, "a": zipped({"d/rate": RATES, "d/noise": NOISES})},
    ]
    for points in others:
        refused(compiled, "points", asked | {"points": points})
    again = compiled.sweep(**(asked | {"points": {"a": zipped({"d/noise": NOISES, "d/rate": RATES}), "d/threshold": RATES}}))
    assert again["late"].tobytes() == first["late"].tobytes()


def test_other_statistics_make_another_sweep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("zarr")
    compiled = decision()
    asked = ASKED | {"store": tmp_path / "s.zarr"}
    compiled.sweep(**asked)
    with changed(monkeypatch, HERE, "LIMIT", 0.6):
        refused(compiled, "reductions", asked)
    refused(compiled, "reductions", asked | {"reduce": {"other": by_global}})
    with pytest.raises(cogir.InputError, match='reduce: "late" cannot be identified, because it reaches open in opens'):
        compiled.sweep(**(asked | {"reduce": {"late": opens}}))
    compiled.sweep(**asked)


def test_labels_and_reactions_do_not_make_another_sweep(tmp_path: Path) -> None:
    """The numbers are the same, and results say what the present call says."""
    pytest.importorskip("zarr")
    asked = ASKED | {"store": tmp_path / "s.zarr", "points": {"a": {"x": {"d/rate": 0.5}, "y": {"d/rate": 1.0}}}}
    first = decision().sweep(**asked)
    again = decision().sweep(**(asked | {"points": {"b": {"u": {"d/rate": 0.5}, "v": {"d/rate": 1.0}}}}))
    assert again["late"].tobytes() == first["late"].tobytes()
    assert again.to_xarray()["b"].values.tolist() == ["u", "v"]
    for others in ({"out_of_range": "error"}, {"out_of_range": "ignore"}):
        assert decision(**others).sweep(**asked)["late"].tobytes() == first["late"].tobytes()
    with pytest.warns(cogir.UnfinishedWarning):
        assert decision(unfinished="warn").sweep(**asked)["late"].tobytes() == first["late"].tobytes()
