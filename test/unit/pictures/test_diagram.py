"""Diagrams of models: boxes, roles, what differs from defaults, conditions, edges on all levels."""

from pathlib import Path

import pytest
from support.pictured import ODD, ZOO, controlled, learning, mutual, nested

import cogir
from cogir.frontend.builder.model import Model
from cogir.model.conditions import All, Always, Any, Elapsed, EveryNCalls, Never, Not, TimeScale, WhenFinished, at_start
from cogir.pictures.conditions import short
from cogir.pictures.diagram import Diagram, DiagramBox, Edge
from cogir.pictures.picture import picture_of_diagram
from cogir.pictures.values import is_identity, value_text

EXAMPLES = Path(__file__).parents[3] / "examples"


def drawn(model: cogir.Model) -> Diagram:
    return model.show(detail="full").diagram


def box(diagram: Diagram, path: str) -> DiagramBox:
    return next(each for each in diagram.boxes if each.path == path)


def lines(held: DiagramBox) -> list[str]:
    return [line.text for line in held.lines]


def edge(diagram: Diagram, source: str, target: str) -> Edge:
    (found,) = (each for each in diagram.edges if (each.source, each.target) == (source, target))
    return found


def test_parameters_that_are_the_defaults_are_left_out() -> None:
    m = cogir.Model("m")
    m.node("a", cogir.library.logistic, input=3, gain=2.0, bias=0.0)
    m.node("b", lambda x, *, k=2.0, c=1.0: x * k * c, k=2.0, c=[3.0])
    found = drawn(m)
    assert lines(box(found, "a")) == ["logistic", "gain = 2"]
    assert lines(box(found, "b"))[1:] == ["c = [3]"]
    assert "bias = 0" in box(found, "a").note
    assert "input variable: f64 of shape 3" in box(found, "a").note


def test_models_from_text_know_the_defaults_of_the_library() -> None:
    m = cogir.Model("m")
    m.node("a", cogir.library.logistic, input=3, gain=2.0, bias=0.0)
    assert lines(box(Model.from_ir(m.ir()).show().diagram, "a")) == ["logistic", "gain = 2"]
    assert Model.from_ir(str(m.ir())).show().svg == m.show().svg


def test_many_parameters_are_counted() -> None:
    m = cogir.Model("m")
    m.node("a", cogir.library.linear, slope=2.0, intercept=3.0, scale=4.0, offset=5.0)
    m.node("b", lambda x, *, a, b, c, d, e: x * a * b * c * d * e, a=1.0, b=2.0, c=3.0, d=4.0, e=5.0)
    found = drawn(m)
    assert lines(box(found, "a"))[1:] == ["slope = 2", "intercept = 3", "scale = 4", "offset = 5"]
    assert lines(box(found, "b"))[1:] == ["a = 1", "b = 2", "c = 3", "and 2 more parameters"]


def test_roles_and_conditions() -> None:
    found = drawn(controlled())
    assert box(found, "stimulus").roles == ("input",)
    assert box(found, "gate").roles == ()
    assert box(found, "value").roles == ("output",)
    assert box(found, "control").roles == ("controller",)
    assert "reset at the start of each trial" in lines(box(found, "decision"))
    assert lines(box(found, "value"))[-1] == "when decision has run 2 times and not gate just ran"
    assert found.captions == ("a trial ends when decision has finished",)
    assert found.facts == "4 nodes, 5 projections, 1 modulation, 1 controller, 1 generator; 3 layers"


def test_control_modulation_and_functions_of_projections() -> None:
    found = drawn(controlled())
    assert edge(found, "control", "decision").kind == "control"
    assert edge(found, "control", "decision").label == "× rate"
    assert edge(found, "value", "control").kind == "objective"
    assert edge(found, "gate", "value").kind == "modulation"
    assert edge(found, "gate", "value").label == "+ intercept"
    assert "rate = 1" in lines(box(found, "decision")), "what is modulated is shown although it is the default"
    assert box(found, "back").kind == "projection"
    assert lines(box(found, "back")) == ["factor = 3"]
    assert edge(found, "value", "back").target == edge(found, "back", "stimulus").source
    assert edge(found, "value", "value").label == "0.5"
    assert lines(box(found, "control")) == ["minimizes value", "3 points", "after each trial"]
    assert edge(found, "decision", "value").label == "value", "the port, as the node has several"


def test_the_model_that_a_controller_simulates() -> None:
    inner = cogir.Model("imagined")
    inner.node("x", cogir.library.linear)
    m = cogir.Model("m")
    a = m.node("a", cogir.library.linear)
    m.control("c", objective="x", signals=[cogir.Signal(a.param("slope"), levels=[0.0, 1.0])], model=inner, when="before")
    found = drawn(m)
    assert "simulates the model imagined" in lines(box(found, "c"))
    assert not [each for each in found.edges if each.kind == "objective"]
    assert box(found, "c").rank < box(found, "a").rank


def test_instances() -> None:
    found = drawn(nested())
    assert [group.path for group in found.groups] == ["part", "part/one", "part/two"]
    assert [line.text for line in [*found.groups][2].lines] == ["model inner", "every 2 calls of one"]
    assert edge(found, "stimulus", "part/in")
    assert edge(found, "part/in", f"part/one/{ODD}")
    assert edge(found, "part/two/b", "response")
    assert edge(found, "part/one/b", f"part/two/{ODD}")
    assert box(found, "part/in").roles == (), "the input of an instance is none of the model"


def test_inputs_and_outputs_that_are_those_of_instances() -> None:
    inner = cogir.Model("inner")
    a, b = inner.node("a", input=1), inner.node("b", input=1)
    inner.project(a, b)
    m = cogir.Model("m")
    m.instance("part", inner)
    found = drawn(m)
    assert box(found, "part/a").roles == ("input",)
    assert box(found, "part/b").roles == ("output",)


def test_modulation_of_what_is_in_an_instance() -> None:
    inner = cogir.Model("inner")
    inner.node("a", cogir.library.linear)
    m = cogir.Model("m")
    gate, part = m.node("gate", input=1), m.instance("part", inner)
    m.modulate(gate, part.param("a/slope"))
    assert edge(drawn(m), "gate", "part/a").label == "× slope"


def test_learning() -> None:
    found = drawn(learning())
    assert edge(found, "input", "hidden").kind == edge(found, "hidden", "output").kind == "learned"
    assert found.captions[1].startswith("learns 2 projections by adam (rate = 0.01")
    assert "(output, target)" in found.captions[1]


def test_edges_in_both_directions_are_one() -> None:
    found = drawn(mutual())
    assert [(each.source, each.target, each.mutual) for each in found.edges] == [
        ("one", "one", False),
        ("one", "two", True),
        ("two", "two", False),
    ]
    assert "two → one" in edge(found, "one", "two").note


def test_nodes_outside_the_passes() -> None:
    m = cogir.Model("m")
    a, b = m.node("a", input=1), m.node("b", input=1)
    m.project(a, b)
    m.schedule.aside(b, "after")
    assert lines(box(drawn(m), "b")) == ["after each trial"]


def test_large_models_are_said_to_be_large() -> None:
    model = ZOO["large"]()
    found, full = model.show(), model.show(detail="full")
    assert len([*found.diagram.boxes]) == len([*full.diagram.boxes]) == 120
    assert len(found.diagram.edges) == len(full.diagram.edges)
    assert not any(each.lines for each in found.diagram.boxes)
    assert all(each.lines for each in full.diagram.boxes)
    assert "large model" in found.diagram.facts
    assert "large model" in found.svg
    assert "large model" not in full.svg
    assert "large model" not in model.show(detail="names").diagram.facts


def test_labels_that_would_fill_the_picture_are_left_out() -> None:
    boxes = tuple(DiagramBox(name, name) for name in "abcdefghij")
    edges = tuple(Edge(one, two, "projection", "0.5") for one in "abcde" for two in "abcdefghij")
    control = Edge("a", "b", "control", "× rate")
    found = picture_of_diagram(Diagram("m", boxes, (*edges, control), "facts"), "down", None).diagram
    assert not any(each.label for each in found.edges[:-1])
    assert found.edges[-1].label == "× rate"
    assert "without the labels of projections" in found.facts
    assert picture_of_diagram(Diagram("m", boxes, edges, "facts"), "down", "full").diagram.edges == edges


@pytest.mark.parametrize(
    ("condition", "text"),
    [
        (Always(), "always"),
        (Never(), "never"),
        (EveryNCalls("a", 1), "after each call of a"),
        (EveryNCalls("a", 2), "every 2 calls of a"),
        (at_start(TimeScale.TRIAL), "at the start of each trial"),
        (at_start(TimeScale.RUN), "at the start of each run"),
        (Elapsed(TimeScale.PASS, "every", 3, TimeScale.TRIAL), "every 3 passes"),
        (Elapsed(TimeScale.TIME_STEP, "every", 3, TimeScale.TRIAL), "every 3 time steps"),
        (WhenFinished("a"), "when a has finished"),
        (All((WhenFinished("a"), EveryNCalls("b", 2))), "when a has finished and b has run 2 times"),
        (Not(Any((WhenFinished("a"), Never()))), "when not (a has finished or never)"),
    ],
)
def test_conditions(condition: object, text: str) -> None:
    assert short(condition) == text  # type: ignore[arg-type]


def test_values() -> None:
    assert value_text(0.1 + 0.2) == "0.3"
    assert value_text(-2.0) == "−2"
    assert value_text(True) == "true"
    assert value_text(7) == "7"
    assert value_text([1.0, -0.5]) == "[1, −0.5]"
    assert value_text([0.5] * 16) == "16 of 0.5"
    assert value_text([[1.0, 2.0]]) == "1×2 numbers"
    assert is_identity([[1.0, 0.0], [0.0, 1.0]])
    assert not is_identity([[1.0, 1.0]])
    assert not is_identity([[2.0]])


@pytest.mark.parametrize("file", sorted(EXAMPLES.glob("*.mlir")), ids=lambda path: path.stem)
def test_all_examples(file: Path) -> None:
    """Each node, instance and controller of the text has a box, each projection an edge."""
    model = Model.from_ir(file.read_text())
    found = model.show(detail="full").diagram
    text = file.read_text().splitlines()
    assert len([*found.boxes]) >= sum(line.lstrip().startswith(("cog.node", "cog.grid_search")) for line in text)
    assert len([*found.groups]) == sum(line.lstrip().startswith("cog.instance") for line in text)
    drawn_edges = sum(2 if each.mutual else 1 for each in found.edges if each.kind != "objective")
    assert drawn_edges == sum(line.lstrip().startswith(("cog.project", "cog.modulate")) for line in text)
