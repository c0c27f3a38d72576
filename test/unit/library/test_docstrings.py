"""
The docstrings of all public functions say what the functions do, and their examples run.

An example is the last, indented part of a docstring. Its value stands behind it as a comment; or it adds a node to `model`, which is built
here, and compiled and run in the long test.
"""

import ast
import inspect
import re
import runpy
import textwrap
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cogir
from cogir import library
from cogir.library import signature
from cogir.library.signature import signature_of

SPACES = {"": library, "psyneulink.": library.psyneulink}
FUNCTIONS = {
    prefix + name: getattr(space, name)
    for prefix, space in SPACES.items()
    for name in space.__all__
    if callable(getattr(space, name)) and not hasattr(signature, name)
}
RANGES = {
    "at least 0": (">= 0",),
    "at least 0 and below inf": (">= 0 and finite",),
    "above 0": ("> 0",),
    "at least 0 and at most 1": ("0 to 1",),
}
SETTING = """
import numpy as np
import cogir
from cogir import library

def decay(t, y, rate, stimulus):
    return stimulus - rate * y

model = cogir.Model("example")
rate, stimulus, t, y, random = 0.5, np.ones(2), 0.0, np.zeros(2), cogir.random(1)
"""
SOLVERS = {"euler", "heun", "rk4", "euler_maruyama", "milstein"}
"""Their examples are statements on `y`, as within a function of a node."""


def text_of(name: str) -> str:
    return inspect.getdoc(FUNCTIONS[name]) or ""


def prose_of(name: str) -> str:
    """All but the indented parts, in one line."""
    return " ".join(re.sub(r"^ {4}.*$", "", text_of(name), flags=re.MULTILINE).split())


def example_of(name: str) -> str:
    found = re.search(r"\n\n((?: {4}.*(?:\n|$)|\n(?= {4}))+)$", text_of(name))
    return textwrap.dedent(found[1]) if found else ""


def has_node(name: str) -> bool:
    return "model.node(" in example_of(name)


def executed(name: str, folder: Path) -> dict[str, Any]:
    """The names after the example, with the value of its last line; from a file, as functions are compiled from their source."""
    lines = example_of(name).rstrip().split("\n")
    is_value = not has_node(name) and name not in SOLVERS
    if is_value:
        lines[-1] = f"VALUE = {lines[-1]}"
    script = folder / "example.py"
    script.write_text(SETTING + "\n".join(lines) + "\n")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return runpy.run_path(str(script))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_docstring_has_all_parts(name: str) -> None:
    prose, declared = prose_of(name), signature_of(FUNCTIONS[name]) if name not in SOLVERS else None
    assert re.search(r" Inputs?: ", prose), "no Input"
    assert re.search(r" Outputs?[:,] ", prose), "no Output"
    assert re.search(r" Sources?: ", prose), "no Source"
    assert example_of(name), "no example"
    if name.startswith("psyneulink."):
        assert " Differs: " in prose
        assert "PsyNeuLink `" in prose[prose.rindex("Source") :]
    if declared is not None and (declared.params or declared.statics):
        assert re.search(r" Parameters?[: ,(]", prose), "no Parameters"
    if declared is not None and declared.states:
        assert re.search(r" States?: ", prose), "no States"
        assert "reset" in prose, "states that are kept, until when?"
    if declared is not None and declared.randoms:
        assert " Draws: " in prose


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_docstring_names_all_arguments_and_ports(name: str) -> None:
    prose = prose_of(name)
    for argument in inspect.signature(inspect.unwrap(FUNCTIONS[name])).parameters:
        assert f"`{argument}`" in prose or argument == "random", argument
    if name not in SOLVERS:
        declared = signature_of(FUNCTIONS[name])
        for port in declared.outputs:
            assert f"`{port}`" in prose, port
        for argument, allowed in declared.ranges.items():
            if argument in declared.params:
                clauses = [clause for clause in re.split(r"; |\. |: ", prose) if f"`{argument}`" in clause]
                assert any(said in clause for said in RANGES[str(allowed)] for clause in clauses), f"{argument}: {allowed}"


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if not has_node(name)])
def test_the_example_of_a_function_has_its_value(name: str, tmp_path: Path) -> None:
    found = executed(name, tmp_path)
    called = name.rpartition(".")[2]
    assert f"library.{name}(" in example_of(name), f"the example does not call {called}"
    if name in SOLVERS:
        assert found["y"].shape == (2,)
    else:
        said = re.search(r"  # (.*)$", example_of(name).rstrip())
        assert said, "no value behind the example"
        np.testing.assert_allclose(found["VALUE"], ast.literal_eval(said[1]), rtol=0.0, atol=6e-4)


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if has_node(name)])
def test_the_example_of_a_function_builds(name: str, tmp_path: Path) -> None:
    model: cogir.Model = executed(name, tmp_path)["model"]
    assert re.search(rf"library\.{name}\b", example_of(name))
    assert len(model) >= 1
    model.check()


@pytest.mark.full
@pytest.mark.parametrize("name", [name for name in FUNCTIONS if has_node(name)])
@pytest.mark.filterwarnings("ignore::cogir.UnfinishedWarning")
def test_the_example_of_a_function_compiles_and_runs(name: str, tmp_path: Path) -> None:
    model: cogir.Model = executed(name, tmp_path)["model"]
    result = model.compile(mode="run", cache=False).run(num_trials=2)
    assert len(result.results) == 2
