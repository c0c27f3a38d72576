"""Models that differ only in numbers share their code; models that differ in anything else do not."""

import dataclasses
import subprocess
import sys

import numpy as np
import pytest

import cogir
from cogir import library
from cogir.frontend.identity.fingerprint import fingerprint
from cogir.runtime import native

FACTOR = 2.0


def scaled(variable, *, rate=1.0):
    """Uses a constant of this file."""
    return variable * rate * FACTOR


def build(
    *,
    rate: float = 0.5,
    start: float = 0.0,
    matrix: object = ((1.0, -1.0), (0.5, 0.25)),
    seed: int = 3,
    levels: tuple[float, ...] = (0.0, 1.0, 2.0),
    initial: float = 0.0,
    function=library.logistic,
    size: int = 2,
    condition: cogir.Condition | None = None,
) -> cogir.Model:
    m = cogir.Model("m")
    a = m.node("a", library.psyneulink.adaptive_integrator, input=2, rate=rate, previous_value=start)
    b = m.node("b", function, input=size, initial={"value": initial})
    noise = m.node("noise", library.psyneulink.gaussian_distort, input=size, seed=seed)
    objective = m.node("objective", library.psyneulink.energy, input=size, matrix=np.eye(size))
    m.project(a, b, matrix=matrix if size == 2 else "full")
    m.project(b, noise)
    m.project(noise, objective)
    m.output(noise)
    m.control("k", objective=objective, signals=[cogir.Signal(a.param("rate"), levels=levels, cost=True)])
    if condition is not None:
        m.schedule.when(b, condition)
    return m


NUMBERS = {
    "parameter": {"rate": 0.25},
    "start of a state": {"start": 4.0},
    "matrix": {"matrix": ((3.0, 0.0), (0.0, 3.0))},
    "seed": {"seed": 11},
    "levels": {"levels": (0.5, 0.1, 0.2)},
    "initial value of a port": {"initial": 0.5},
}
STRUCTURE = {
    "function": {"function": library.tanh},
    "size": {"size": 3},
    "number of levels": {"levels": (0.0, 1.0)},
    "condition": {"condition": cogir.AtPass(0)},
    "number in a condition": {"condition": cogir.AtPass(1)},
    "no matrix": {"matrix": None},
}


@pytest.mark.parametrize("case", NUMBERS)
def test_numbers_change_the_fingerprint_but_not_the_structure(case):
    one, other = build(), build(**NUMBERS[case])
    assert fingerprint(one.description) != fingerprint(other.description)
    assert fingerprint(one.description, numbers=False) == fingerprint(other.description, numbers=False)


@pytest.mark.parametrize("case", STRUCTURE)
def test_everything_else_changes_the_structure(case):
    others = [{}, *(given for name, given in STRUCTURE.items() if name != case)]
    here = fingerprint(build(**STRUCTURE[case]).description, numbers=False)
    assert here is not None
    assert here == fingerprint(build(**STRUCTURE[case]).description, numbers=False)
    assert here not in [fingerprint(build(**given).description, numbers=False) for given in others]


def test_the_states_that_are_reset_count():
    def model(*names):
        m = cogir.Model("m")
        n = m.node("n", library.drift_diffusion_integrator)
        m.schedule.reset([n.state(name) for name in names] or n, cogir.AtTrialStart())
        return fingerprint(m.description, numbers=False)

    states = list(cogir.Model("other").node("n", library.drift_diffusion_integrator).record.body.states)
    assert len({model(), model(states[0]), model(*states)}) == 3


def test_a_function_counts_by_what_it_computes(monkeypatch):
    def with_constant(constant):
        return lambda variable: variable * constant

    prints = [fingerprint(build(function=with_constant(constant)).description) for constant in (1.0, 1.0, 2.0)]
    assert prints[0] == prints[1] != prints[2]
    before = fingerprint(build(function=scaled).description)
    monkeypatch.setitem(globals(), "FACTOR", 3.0)
    assert fingerprint(build(function=scaled).description) != before


def test_code_of_one_model_serves_the_numbers_of_another(monkeypatch, tmp_path):
    monkeypatch.setenv("COGIR_CACHE_DIR", str(tmp_path))
    built: list[str] = []
    build_object = native.build_object

    def counted(source, options):
        built.append(source.name)
        return build_object(source, options)

    monkeypatch.setattr(native, "build_object", counted)
    inputs = {"a": [[1.0, -0.5], [0.25, 2.0]]}
    for given in ({}, *NUMBERS.values()):
        compiled = build(**given).compile(mode="run")
        reference = build(**given).compile(mode="python")
        result, expected = compiled.run(inputs, 5), reference.run(inputs, 5)
        assert np.array_equal(result["noise"], expected["noise"])
        assert np.array_equal(result.allocations["k"], expected.allocations["k"])
    assert built == ["m"]


def test_code_is_stored_under_the_whole_model_if_a_number_has_no_place(monkeypatch, tmp_path):
    from cogir.frontend.compile import source_of

    monkeypatch.setenv("COGIR_CACHE_DIR", str(tmp_path))
    source = source_of(build())
    numbers = source.numbers()
    numbers.values["nowhere/param:x"] = np.zeros(2)
    homeless = dataclasses.replace(source, numbers=lambda: numbers)
    native.compile_native(homeless, native.Options())
    monkeypatch.setattr(native, "build_object", None)
    plan, _ = native.compile_native(homeless, native.Options())
    assert plan.pf[plan.slots["a/param:rate"].words].item() == 0.5


def test_a_cache_that_cannot_be_used_is_said_once_and_left_alone(monkeypatch, tmp_path):
    folder = tmp_path / "file"
    folder.write_text("no folder")
    monkeypatch.setenv("COGIR_CACHE_DIR", str(folder))
    m = cogir.Model("m")
    m.node("a")
    with pytest.warns(native.CacheWarning, match="cannot make the folder .*: File exists; set COGIR_CACHE_DIR to another"):
        compiled = m.compile(mode="run")
    assert compiled.run([[3.0]])["a"].item() == 3.0


CACHED = """
import sys
import cogir
from cogir import library

m = cogir.Model("m")
m.project(m.node("a", input=2), m.node("b", library.psyneulink.gaussian_distort, input=2, seed=1))
print(m.compile(mode="run").run([[1.0, 2.0]])["b"].tolist(), "xdsl" in sys.modules, "numpy.ma" in sys.modules)
"""


def test_a_model_from_the_cache_needs_no_compiler(monkeypatch, tmp_path):
    monkeypatch.setenv("COGIR_CACHE_DIR", str(tmp_path / "cache"))
    script = tmp_path / "model.py"
    script.write_text(CACHED)
    said = [subprocess.run([sys.executable, str(script)], check=True, capture_output=True, text=True).stdout.split() for _ in range(2)]
    assert [line.pop() for line in said] == ["False", "False"]  # NumPy loads it when it is asked for, in 20 ms
    assert [line.pop() for line in said] == ["True", "False"]
    assert said[0] == said[1]
