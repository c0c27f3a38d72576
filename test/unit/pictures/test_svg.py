"""SVG, DOT and Mermaid: well-formed, escaped, the same bytes each time, texts within their boxes."""

import re
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest
from support.pictured import ODD, ZOO, nested

import cogir
from cogir.frontend.builder.model import Model
from cogir.pictures.diagram import EDGE_KINDS, Diagram, DiagramBox, Edge, Group
from cogir.pictures.dot import dot_of
from cogir.pictures.layout import Direction
from cogir.pictures.mermaid import mermaid_of
from cogir.pictures.style import EDGES
from cogir.pictures.svg import svg_of
from cogir.pictures.text import escaped, shortened, width_of, wrapped

SVG = "{http://www.w3.org/2000/svg}"
EXAMPLES = Path(__file__).parents[3] / "examples"
NASTY = "<script>alert(\"1\")</script> & 'q' \\ ]]> \x00\x1b \ud800 \n | ` #; {x} 測試 é 📈"
DIAGRAM = Diagram(
    NASTY,
    (
        DiagramBox("a", NASTY, "node", (), ("input",), NASTY),
        Group("g", NASTY, (DiagramBox("g/b", NASTY, "controller", (), ("controller",), NASTY),), (), NASTY),
        DiagramBox("p", NASTY, "projection"),
    ),
    (Edge("a", "g/b", "control", NASTY, NASTY), Edge("a", "p", "projection", "", ""), Edge("g/b", "a", "modulation", "x", "", mutual=True)),
    NASTY,
    (NASTY,),
)


@pytest.mark.parametrize("direction", ["down", "right"])
@pytest.mark.parametrize("name", ZOO)
def test_well_formed(name: str, direction: Direction) -> None:
    picture = ZOO[name]().show(direction=direction)
    root = ElementTree.fromstring(picture.svg)
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    assert root.findtext(f"{SVG}title") == name.replace("nested", "outer")
    assert root.findtext(f"{SVG}desc")
    heads = len(root.findall(f".//{SVG}polygon")) + len([c for c in root.iter(f"{SVG}circle") if c.get("r") == "3.2"])
    legend = {edge.kind for edge in picture.diagram.edges}
    shown = 0 if legend <= {"projection"} else len(legend)
    assert heads == shown + sum(2 if edge.mutual else 1 for edge in picture.diagram.edges), "each edge has a head"


@pytest.mark.parametrize("direction", ["down", "right"])
@pytest.mark.parametrize("file", sorted(EXAMPLES.glob("*.mlir")), ids=lambda path: path.stem)
def test_examples(file: Path, direction: Direction) -> None:
    picture = Model.from_ir(file.read_text()).show(direction=direction)
    ElementTree.fromstring(picture.svg)
    for box in picture.diagram.boxes:
        assert escaped(box.title) in picture.svg


def test_the_same_bytes_each_time() -> None:
    for build in ZOO.values():
        one, two = build().show(), build().show()
        assert (one.svg, one.dot, one.mermaid) == (two.svg, two.dot, two.mermaid)


def test_one_file_without_anything_from_elsewhere() -> None:
    text = nested().show().svg
    assert not re.search(r"<script|<style|<image|@import|\bhref|\bid=|url\(|class=", text)
    assert text.count("http") == 1, "the name space"


@pytest.mark.parametrize("direction", ["down", "right"])
def test_texts_are_escaped(direction: Direction) -> None:
    root = ElementTree.fromstring(svg_of(DIAGRAM, direction))
    titles = [title.text or "" for title in root.iter(f"{SVG}title")]
    assert any("<script>alert(\"1\")</script> & 'q'" in title for title in titles)
    assert not list(root.iter(f"{SVG}script"))
    ElementTree.fromstring(nested().show(direction=direction).svg)
    assert escaped(ODD) in nested().show().svg


def test_texts_stay_in_their_boxes() -> None:
    """Each text is narrower than the box around it, by the widths of a wide font."""
    for name, build in ZOO.items():
        root = ElementTree.fromstring(build().show(detail="full").svg)
        for group in root.iter(f"{SVG}g"):
            frame, texts = group.find(f"{SVG}rect"), group.findall(f"{SVG}text")
            if frame is None or not texts or frame.get("stroke") is None or group[0].tag != f"{SVG}title":
                continue
            left, width = float(frame.get("x", "")), float(frame.get("width", ""))
            for text in texts:
                size = float(text.get("font-size", ""))
                reach = width_of(text.text or "", size, bold=text.get("font-weight") == "bold")
                x = float(text.get("x", "")) - (reach / 2 if text.get("text-anchor") == "middle" else 0.0)
                assert left <= x <= left + width + 0.1 - reach, f"{name}: {text.text}"


def test_widths() -> None:
    assert width_of("", 10.0) == 0.0
    assert width_of("iii", 10.0) < width_of("mmm", 10.0) < width_of("mmm", 10.0, bold=True)
    assert width_of("測", 10.0) > width_of("a", 10.0)
    assert width_of("e\N{COMBINING ACUTE ACCENT}", 10.0) == width_of("e", 10.0)
    cut = shortened("a long name that does not fit", 80.0, 11.0)
    assert cut.endswith("…")
    assert width_of(cut, 11.0) <= 80.0
    assert shortened("short", 80.0, 11.0) == "short"
    lines = wrapped("some words that need several lines, of which there are not enough", 90.0, 11.0, 3)
    assert len(lines) == 3
    assert lines[-1].endswith("…")
    assert all(width_of(line, 11.0) <= 90.0 for line in lines)
    assert wrapped("short", 90.0, 11.0, 3) == ["short"]
    assert wrapped("", 90.0, 11.0, 3) == []


def test_all_kinds_of_edges_have_looks() -> None:
    assert EDGES.keys() == EDGE_KINDS.keys()


@pytest.mark.parametrize("direction", ["down", "right"])
def test_dot_is_accepted(direction: Direction, tmp_path: Path) -> None:
    dot = shutil.which("dot")
    if dot is None:
        pytest.skip("dot of Graphviz is not installed")
    for text in (dot_of(DIAGRAM, direction), *(build().show(direction=direction).dot for build in ZOO.values())):
        drawn = subprocess.run([dot, "-Tsvg"], input=text, capture_output=True, text=True, check=True)
        assert "<svg" in drawn.stdout
        assert not drawn.stderr


def strings_of(text: str) -> str:
    """DOT without its quoted strings, which must all be closed."""
    left = re.sub(r'"(?:[^"\\]|\\.)*"', "S", text, flags=re.DOTALL)
    assert '"' not in left, left
    return left


@pytest.mark.parametrize("name", [*ZOO, "nasty"])
def test_structure_of_dot(name: str) -> None:
    diagram = DIAGRAM if name == "nasty" else ZOO[name]().show(detail="full").diagram
    text = strings_of(dot_of(diagram))
    assert text.startswith("digraph S {")
    assert text.count("{") == text.count("}")
    assert text.count("S -> S [") == len(diagram.edges)
    assert text.count("subgraph S {") == len([*diagram.groups])
    assert len(re.findall(r"^ *S \[", text, re.MULTILINE)) == len([*diagram.boxes])


@pytest.mark.parametrize("name", [*ZOO, "nasty"])
def test_structure_of_mermaid(name: str) -> None:
    diagram = DIAGRAM if name == "nasty" else ZOO[name]().show(detail="full").diagram
    lines = [line.strip() for line in mermaid_of(diagram, "right").splitlines()]
    lines = [line for line in lines if not line.startswith("%%")]
    assert lines[0] == "flowchart LR"
    kinds = {
        "node": r'n\d+(\("[^"]*"\)|\{\{"[^"]*"\}\}|\(\["[^"]*"\]\)):::\w+',
        "group": r'subgraph g\d+\["[^"]*"\]',
        "end": r"end",
        "edge": r'n\d+ [o<]?(--|==|-\.-)[o>](\|"[^"]*"\|)? n\d+',
        "style": r"(linkStyle|classDef) .*",
    }
    found = [next((kind for kind, form in kinds.items() if re.fullmatch(form, line)), line) for line in lines[1:]]
    assert set(found) <= set(kinds), set(found) - set(kinds)
    count = {kind: found.count(kind) for kind in kinds}
    groups = len([*diagram.groups])
    assert (count["node"], count["edge"], count["group"], count["end"]) == (len([*diagram.boxes]), len(diagram.edges), groups, groups)
    if name == "nasty":
        labels = re.findall(r'"([^"]*)"', "\n".join(lines))
        assert not any(re.search(r"[<>`\\]", label.replace("<br/>", "")) for label in labels)


def test_direction_of_texts() -> None:
    m = cogir.Model("m")
    m.node("a", input=1)
    assert "rankdir=TB" in m.show().dot
    assert "rankdir=LR" in m.show(direction="right").dot
    assert "flowchart TD" in m.show().mermaid
    assert "flowchart LR" in m.show(direction="right").mermaid
