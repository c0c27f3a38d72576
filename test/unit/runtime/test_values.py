"""Values of every type and shape go in and come out the same in all modes."""

from collections.abc import Callable

import numpy as np
import pytest

import cogir
from cogir import library
from cogir.library import State, Static, Step, node_function

EVERY_TYPE = """
cog.model @m {
  cog.node @a (%x: i64, %b: i1, %v: tensor<2xi64>, %f: tensor<1x2xf64>)
      -> (x: i64 = 0, b: i1 = false, v: tensor<2xi64> = dense<0>, f: tensor<1x2xf64> = dense<0.0>) {
    cog.yield %x, %b, %v, %f
  }
  cog.input @a["x"]
  cog.input @a["b"]
  cog.input @a["v"]
  cog.input @a["f"]
  cog.output @a["x"]
  cog.output @a["b"]
  cog.output @a["v"]
  cog.output @a["f"]
}
"""


@pytest.mark.parametrize("mode", ["python", "per_node", "run"])
def test_every_type(mode):
    given = {"x": [3, -4], "b": [1, 0], "v": [[1, 2], [3, 4]], "f": [[[0.5, 1.5]], [[2.5, 3.5]]]}
    result = cogir.compile(EVERY_TYPE, mode=mode).run({"a": given})
    assert result["a", "x"].tolist() == [3, -4]
    assert result["a", "b"].tolist() == [True, False]
    assert result["a", "v"].tolist() == [[1, 2], [3, 4]]
    assert result["a", "f"].tolist() == given["f"]
    assert [result["a", port].dtype.name for port in "xbvf"] == ["int64", "bool", "int64", "float64"]


@node_function(outputs=("count", "even", "value"))
def counter(variable, *, n: State = 0):
    """Whole numbers and flags as outputs."""
    count = n + 1
    return Step(outputs=(count, count % 2 == 0, variable * count), states=(count,))


def with_kind(variable, *, kind: Static = "double"):
    """A constant of the program."""
    if kind == "double":
        return variable * 2.0
    return variable * 3.0


def counting() -> cogir.Model:
    m = cogir.Model("m")
    m.node("a", counter, input=2)
    return m


def scalars() -> cogir.Model:
    m = cogir.Model("m")
    a, b = m.node("a", input=()), m.node("b", library.linear, slope=3.0)
    c, d = m.node("c", input=()), m.node("d", input=3)
    m.project(a, b)
    m.project(b, c)
    m.project(a, d)
    return m


def matrices() -> cogir.Model:
    m = cogir.Model("m")
    m.project(m.node("a", input=(1, 2)), m.node("b", library.linear, input=(1, 2), slope=3.0))
    return m


def constants() -> cogir.Model:
    m = cogir.Model("m")
    a = m.node("a")
    m.project(a, m.node("b", with_kind))
    m.project(a, m.node("c", with_kind, kind="triple"))
    return m


def products() -> cogir.Model:
    m = cogir.Model("m")
    a = m.node("a", input=2)
    c = m.node("c", library.logistic, input=2, combine="product")
    m.project(a, c, name="straight")
    m.project(a, c, matrix="hollow", name="crossed")
    return m


def nested() -> cogir.Model:
    innermost = cogir.Model("innermost")
    innermost.node("x", library.linear, slope=2.0)
    inner = cogir.Model("inner")
    inner.project(inner.instance("j", innermost), inner.node("k", library.psyneulink.simple_integrator))
    m = cogir.Model("outer")
    a, i, out = m.node("a"), m.instance("i", inner), m.node("out")
    m.project(a, i)
    m.project(i, out)
    m.modulate(a, i.param("j/x/slope"), "add")
    return m


def predicates() -> cogir.Model:
    m = cogir.Model("m")
    a, b = m.node("a", library.psyneulink.simple_integrator), m.node("b", library.linear, slope=2.0)
    m.project(a, b)
    m.schedule.when(b, cogir.While(lambda v: v[0] > 2.5, a["value"]))
    m.schedule.trial_ends(cogir.AllHaveRun(b))
    m.schedule.run_ends(cogir.AfterNTrials(3))
    return m


def controlled(when: str) -> cogir.Model:
    m = cogir.Model("m")
    a, n = m.node("a", library.linear), m.node("n", library.psyneulink.gaussian_distort, seed=3)
    m.project(a, n)
    m.control(
        "k",
        objective=n,
        signals=[
            cogir.Signal(a.param("slope"), levels=[0.1, 0.5, 0.5, 0.2], cost={"adjustment": lambda x: x * 0.1, "duration": lambda x: x * x})
        ],
        when=when,
        ties="random",
        seed=4,
        direction="minimize",
        estimates=2,
        seeds="same",
        seed_base=5,
    )
    return m


def featured() -> cogir.Model:
    m = cogir.Model("m")
    a, f = m.node("a", library.linear), m.node("f", library.psyneulink.simple_integrator)
    m.project(a, f)
    m.control("k", objective=f, signals=[cogir.Signal(a.param("slope"), levels=[0.1, 2.0])], features={a: f})
    return m


MODELS: dict[str, Callable[[], cogir.Model]] = {
    "whole numbers and flags": counting,
    "scalars and vectors of one": scalars,
    "two dimensions": matrices,
    "constants of the program": constants,
    "products at a port": products,
    "models in models": nested,
    "predicates and the end of a run": predicates,
    "a search before each trial": lambda: controlled("before"),
    "a search after each trial": lambda: controlled("after"),
    "features of a search": featured,
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("case", MODELS)
def test_modes_agree(case):
    results = [
        MODELS[case]().compile(mode=mode).run(np.linspace(0.3, 1.7, 10).reshape(5, 2)[:, : _width(MODELS[case]())], 5)
        for mode in ("python", "per_node", "run")
    ]
    for result in results[1:]:
        assert result.num_trials == results[0].num_trials
        for path in result.outputs:
            assert np.array_equal(result[path], results[0][path]), path
            assert result[path].dtype == results[0][path].dtype
        for controller, chosen in result.allocations.items():
            assert np.array_equal(chosen, results[0].allocations[controller])


def _width(m: cogir.Model) -> int:
    return sum(kept.size for kept in m.inputs().values())


@pytest.mark.parametrize("mode", ["python", "run"])
def test_numbers_beyond_float32_are_refused(mode):
    """A number that float64 has becomes no infinity in a model of float32; infinities stay what they are."""

    def total(variable, *, rate=0.5, before: State = np.zeros(2)):
        return Step(variable * rate + before, variable)

    m = cogir.Model("m", dtype="float32")
    m.node("n", total, input=2)
    m.node("k", library.logistic, input=())
    c = m.compile(mode=mode)
    inputs = {"n": [[1.0, 1.0]], "k": 0.0}
    large = "found 1e[+]300, which is too large for float32; give numbers from -3.4028235e[+]38 to 3.4028235e[+]38, or make the model "
    for name, refused in {
        "parameter n/param:rate": lambda: c.params.update({"n/rate": 1e300}),
        "state n/state:before": lambda: c.state.update({"n/before": [0.0, 1e300]}),
        "state n/state:before ": lambda: c.state.update({"n/before[1]": 1e300}),
        "state k/port:value": lambda: c.state.update({"k/port:value": 1e300}),
        "sweep: parameter n/param:rate": lambda: c.sweep({"n/rate": [1.0, 1e300]}, inputs),
        "sweep: state n/state:before": lambda: c.sweep({"n/before": [1e300]}, inputs),
        "sweep: state n/state:before  ": lambda: c.sweep({"n/before[0]": [1e300]}, inputs),
        "inputs: the values for n/variable are not valid": lambda: c.sweep({"n[0]": [1e300]}, {"n": [[0.0, 0.0]], "k": 0.0}),
        "inputs: the values for k/variable are not valid": lambda: c.sweep({"k": [1e300]}, {"n": [[0.0, 0.0]]}),
        "inputs: the values for n/variable are not valid ": lambda: c.run({"n": [[-1e300, 1.0]], "k": 0.0}),
    }.items():
        with pytest.raises(cogir.InputError, match=f"^{name.strip()}: {large.replace('found 1', 'found -?1')}"):
            refused()
    c.params["n/rate"] = 0.1
    assert c.params["n/rate"] == np.float32(0.1)
    assert c.run({"n": [[np.inf, np.nan]], "k": -np.inf})["n"].tolist()[0][0] == np.inf
