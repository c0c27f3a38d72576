"""Pictures of imported Compositions: nodes, nested Compositions, control, conditions."""

import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from support.psyneulink import pnl

import cogir
from cogir.pictures.diagram import Diagram

ROOT = Path(__file__).parents[3]

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(autouse=True)
def names_of_their_own() -> None:
    """PsyNeuLink adds a number to a name that any test before has used."""
    for registry in pnl.primary_registries:
        pnl.clear_registry(registry)


def drawn(composition: object) -> Diagram:
    picture = cogir.from_psyneulink(composition).show()
    ElementTree.fromstring(picture.svg)
    return picture.diagram


def lines(diagram: Diagram, path: str) -> list[str]:
    return [line.text for box in diagram.boxes if box.path == path for line in box.lines]


def test_functions_parameters_and_conditions() -> None:
    a = pnl.ProcessingMechanism(name="A", input_shapes=2, function=pnl.Logistic(gain=2.0))
    b = pnl.TransferMechanism(name="B", input_shapes=3, function=pnl.Tanh)
    comp = pnl.Composition(name="comp", pathways=[[a, b]])
    comp.scheduler.add_condition(b, pnl.EveryNCalls(a, 2))
    found = drawn(comp)
    assert lines(found, "A") == ["processing_mechanism (logistic)", "gain = 2"]
    assert lines(found, "B") == ["transfer_mechanism (tanh)", "every 2 calls of A"]
    (edge,) = found.edges
    assert (edge.source, edge.target, edge.label) == ("A", "B", "2×3")
    assert [box.roles for box in found.boxes] == [("input",), ("output",)]


def test_nested_compositions() -> None:
    inner = pnl.Composition(name="inner", pathways=[[pnl.TransferMechanism(name="x"), pnl.TransferMechanism(name="y")]])
    first, last = pnl.TransferMechanism(name="first"), pnl.TransferMechanism(name="last")
    found = drawn(pnl.Composition(name="outer", pathways=[[first, inner, last]]))
    assert [group.path for group in found.groups] == ["inner"]
    assert {(edge.source, edge.target) for edge in found.edges} == {("first", "inner/x"), ("inner/x", "inner/y"), ("inner/y", "last")}


def test_control() -> None:
    a = pnl.TransferMechanism(name="A", function=pnl.Linear(slope=1.0))
    comp = pnl.Composition(name="comp", nodes=[a])
    comp.add_controller(
        pnl.OptimizationControlMechanism(
            name="OCM",
            agent_rep=comp,
            state_features=[a],
            objective_mechanism=pnl.ObjectiveMechanism(name="OBJ", monitor=[a]),
            function=pnl.GridSearch(),
            control_signals=[pnl.ControlSignal(modulates=("slope", a), allocation_samples=[0.0, 1.0, 2.0])],
        )
    )
    found = drawn(comp)
    kinds = {(edge.source, edge.target): edge.kind for edge in found.edges}
    assert kinds[next(pair for pair in kinds if pair[1] == "A" and kinds[pair] == "control")] == "control"
    assert "objective" in kinds.values()
    assert any("3 points" in lines(found, box.path) for box in found.boxes if box.kind == "controller")


def test_recurrent_and_modulated() -> None:
    a = pnl.RecurrentTransferMechanism(name="A", input_shapes=2, auto=0.5, hetero=-0.5)
    gate = pnl.ControlMechanism(name="gate", control_signals=[("slope", a)])
    driver = pnl.ProcessingMechanism(name="driver")
    comp = pnl.Composition(name="comp", nodes=[a, driver, gate])
    comp.add_projection(pnl.MappingProjection(), driver, gate)
    found = drawn(comp)
    kinds = {(edge.source, edge.target): (edge.kind, edge.label) for edge in found.edges}
    assert kinds["A", "A"] == ("projection", "2×2")
    assert kinds["gate", "A"][0] in ("modulation", "control")
    assert kinds["gate", "A"][1].endswith("slope")


def test_figure_of_the_documentation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(ROOT / "docs"), *sys.path])
    import write_pictures

    written = (ROOT / "docs" / "figures" / "picture_botvinick.svg").read_text(encoding="utf-8")
    assert written == write_pictures.FIGURES["picture_botvinick"](), "write them again: python docs/write_pictures.py"
