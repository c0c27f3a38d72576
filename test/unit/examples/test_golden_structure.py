"""The numbers of the examples are those of the models behind the reference files: parameters, matrices, levels."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from support.golden import CASES, Golden, structure

OTHER_NAMES = {
    "leak": ("integration_rate",),
    "noise": ("noise", "standard_deviation"),
    "threshold": ("termination_threshold",),
}
"""Parameters of library functions whose number PsyNeuLink keeps elsewhere."""
OWN_FUNCTIONS = {"REWARD", "ACTION", "OBJECTIVE"}
"""Nodes of which a reference file knows only that they call a function; what their inputs are multiplied by stands in it."""


def nodes_of(part: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """All nodes by path, but for those that only pass values on."""
    for node in part["nodes"]:
        if "composition" in node:
            yield from nodes_of(node["composition"], f"{prefix}{node['name']}/")
        elif node["class"] != "CompositionInterfaceMechanism":
            yield prefix + node["name"], node


def matrices_of(part: dict[str, Any], prefix: str = "") -> Iterator[tuple[tuple[str, str], Any]]:
    """The matrices by sender and receiver; a node that hears itself keeps its matrix as a parameter."""
    for projection in part["projections"]:
        if "matrix" in projection:
            yield (prefix + projection["sender"][0], prefix + projection["receiver"][0]), projection["matrix"]
    for node in part["nodes"]:
        if "composition" in node:
            yield from matrices_of(node["composition"], f"{prefix}{node['name']}/")
        elif "matrix" in node["parameters"]:
            yield (prefix + node["name"], prefix + node["name"]), node["parameters"]["matrix"]


def candidates(node: dict[str, Any], name: str) -> Iterator[Any]:
    """The numbers that a parameter of this name has in a node: of its integrator, its function, itself, or an output port."""
    held = node["parameters"]
    places = [held.get("integrator_function") or {}, held.get("function") or {}, held]
    for steps in ((name,), OTHER_NAMES.get(name, ())):
        for place in places if steps else ():
            found: Any = place
            for step in steps:
                found = found.get(step) if isinstance(found, dict) else None
            if isinstance(found, (int, float, list)):
                yield found
    if name == "inhibition":
        yield from (port["function"]["matrix"] for port in node["output_ports"] if "matrix" in port["function"])


def equal(one: Any, other: Any) -> bool:
    """Whether two have the same numbers; one number stands for an array of it."""
    one, other = np.ravel(one), np.ravel(other)
    return one.size in (1, other.size) and bool(np.all(one == other))


@pytest.mark.parametrize("case", CASES, ids=[case.file for case in CASES])
def test_the_numbers_of_an_example_are_those_of_its_reference_file(case: Golden) -> None:
    reference = structure(case.file)
    nodes = dict(nodes_of(reference))
    compiled = case.build().compile(mode="run")
    params = dict(compiled.params)
    looked_at: set[str] = set()
    for path, value in params.items():
        node, _, name = path.partition("/param:")
        if name:
            found = list(candidates(nodes[node], name))
            assert any(equal(each, value) for each in found), f"{path} is {value}, in the file {found}"
            looked_at.add(node)
    assert looked_at, "no parameter has been compared"


@pytest.mark.parametrize("case", CASES, ids=[case.file for case in CASES])
def test_the_matrices_of_an_example_are_those_of_its_reference_file(case: Golden) -> None:
    params = dict(case.build().compile(mode="run").params)
    held: dict[tuple[str, str], Any] = {}
    for path, value in params.items():
        if path.endswith("/matrix"):
            ends = path.removesuffix("/matrix")
            prefix, _, rest = ends.rpartition("/")
            sender, receiver = (end.partition(":")[0] for end in rest.split("->"))
            held[tuple(f"{prefix}/{end}" if prefix else end for end in (sender, receiver))] = value
    nodes = dict(nodes_of(structure(case.file)))
    expected = {ends: matrix for ends, matrix in matrices_of(structure(case.file)) if ends[0] in nodes and ends[1] in nodes}
    for ends, matrix in expected.items():
        if not OWN_FUNCTIONS.intersection(ends) and not ends[1].startswith("ObjectiveMechanism"):
            mine = held.get(ends, np.eye(*np.shape(matrix)))
            assert equal(mine, matrix), f"{ends}: {mine}, in the file {matrix}"
    assert {ends for ends in held if ends[1] not in OWN_FUNCTIONS} <= set(expected)


@pytest.mark.parametrize("case", [case for case in CASES if case.controller], ids=lambda case: case.file)
def test_the_levels_of_a_search_are_those_of_its_reference_file(case: Golden) -> None:
    params = case.build().compile(mode="run").params
    found = [np.ravel(value).tolist() for path, value in params.items() if path.startswith(f"{case.controller}/levels:")]
    assert found == [port["allocation_samples"] for port in structure(case.file)["controller"]["output_ports"]]
