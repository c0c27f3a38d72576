"""The index of a text: what an editor is told about a place, without an editor."""

from pathlib import Path
from random import Random

import pytest

from cogir.tools.text_index import TextIndex, TextRange, written

ROOT = Path(__file__).parents[3]
TEXT = """\
cog.model @m {
  cog.node @"my node" (%x: f64) params (%rate "r a": f64 = 0.5 in [0.0, 1.0]) states (%s: f64 = 0.0) -> (value: f64 = 0.0) {
    %y = func.call @double(%x) : (f64) -> f64
    %z = arith.addf %y, %rate : f64
    cog.yield %z states(%s)
  }
  cog.input @"my node"["x"]
  cog.output @"my node"["value"]
}
func.func @double(%x: f64) -> f64 {
  %y = arith.addf %x, %x : f64
  func.return %y : f64
}
"""
INDEX = TextIndex.of(TEXT)


def at(found: str, shift: int = 0, text: str = TEXT) -> int:
    assert found in text
    return text.index(found) + shift


def defined(offset: int) -> tuple[str, int] | None:
    """The text that defines what stands at an offset, and its line."""
    place = INDEX.definition(offset)
    return None if place is None else (TEXT[place.start : place.end], TEXT.count("\n", 0, place.start) + 1)


def test_a_good_text_has_no_errors() -> None:
    assert INDEX.errors == []


def test_definitions_respect_regions() -> None:
    assert defined(at("%x) : (f64)")) == ("%x", 2)
    assert defined(at("%x, %x", 1)) == ("%x", 10)
    assert defined(at("%y, %rate")) == ("%y", 3)
    assert defined(at("%y : f64\n}")) == ("%y", 11)
    assert defined(at("@double(%x) :", 3)) == ("@double", 10)
    assert defined(at('@"my node"["x"]', 4)) == ('@"my node"', 2)
    assert defined(at('"x"]', 1)) == ("%x", 2)
    assert defined(at('"value"]', 1)) == ("value", 2)
    assert defined(at("cog.input")) is None


def test_descriptions() -> None:
    def described(offset: int) -> str:
        found = INDEX.description(offset)
        return "" if found is None else found.text

    assert described(at("%z states")) == "```mlir\n%z : f64\n```\nresult of `arith.addf`"
    assert described(at("%rate : f64")) == "```mlir\n%rate : f64\n```\nargument"
    assert described(at('"value"]')) == "```mlir\nvalue: f64\n```\noutput"
    assert described(at("@double(%x) :")).startswith("```mlir\nfunc.func @double(%x: f64) -> f64 {\n  %y = arith.addf")
    assert described(at("cog.yield")).startswith("**cog.yield**\n\n")
    assert described(at("states(%s)", 8)) == "```mlir\n%s : f64\n```\nargument"
    assert described(at("[0.0")) == ""


def test_ports_have_their_groups() -> None:
    (node,) = [symbol for symbol in INDEX.symbols if symbol.operation == "cog.node"]
    assert [(port.name, port.group, port.type) for port in node.ports] == [
        ("x", "input", "f64"),
        ("r a", "parameter", "f64"),
        ("s", "state", "f64"),
        ("value", "output", "f64"),
    ]


def labels(offset: int, text: str = TEXT) -> set[str]:
    return {proposal.label for proposal in TextIndex.of(text).proposals(offset)}


def test_values_that_can_be_used() -> None:
    assert labels(at("%y, %rate", 1)) == {"%x", "%rate", "%s", "%y"}
    assert labels(at("%y : f64\n}", 1)) == {"%x", "%y"}


def test_names_that_can_be_used() -> None:
    assert labels(at('@"my node"["x"]', 1)) == {"@m", '@"my node"', "@double"}
    assert '@"my node"' not in labels(at("%y : f64\n}", 0), TEXT.replace("%y : f64\n}", "@"))


def test_ports_while_they_are_written() -> None:
    begun = TEXT.replace('["value"]', '["')
    assert labels(at('output @"my node"["', 19, begun), begun) == {"x", "r a", "s", "value"}


def test_operations_begin_a_line_or_follow_an_equals_sign() -> None:
    begun = TEXT.replace("  cog.input", "  cog.i\n  cog.input")
    assert {"cog.input", "cog.instance", "arith.addf"} <= labels(at("cog.i\n", 5, begun), begun)
    assert "arith.addf" in labels(at("= arith.addf %y", 7))
    assert labels(at("0.5 in", 6)) == set()


def test_pieces_are_read_one_by_one() -> None:
    text = f"{TEXT}// -----\ncog.model @m (\n// -----\ncog.model @n {{\n  cog.output @x\n}}\n"
    index = TextIndex.of(text, "a.mlir")
    lines = TEXT.count("\n")
    assert [str(error.place) for error in index.errors] == [f"a.mlir:{lines + 2}:14", f"a.mlir:{lines + 5}:3"]


def test_several_errors_at_once() -> None:
    index = TextIndex.of("cog.model @m {\n  cog.output @a\n}\ncog.model @n {\n  cog.output @b\n}\n")
    assert [(error.place.line if error.place else 0, error.message.partition(" is")[0]) for error in index.errors] == [
        (2, "output @a: @a"),
        (5, "output @b: @b"),
    ]


def test_half_a_text_has_what_stands_before() -> None:
    half = TEXT[: at("%z = ")] + "%q = arith.addf %"
    assert labels(len(half), half) == {"%x", "%rate", "%s", "%y"}


@pytest.mark.parametrize(
    "text", ["", '"', "%" * 20, "}" * 20, "{" * 2000, "\ufeff" + TEXT, '@"\\FF"', "cog.node", "cog.node @", "cog.node @a ("]
)
def test_junk(text: str) -> None:
    index = TextIndex.of(text)
    for offset in {0, len(text) // 2, len(text)}:
        index.proposals(offset)
        index.definition(offset)
        index.description(offset)


def test_every_prefix_of_a_text() -> None:
    for end in range(0, len(TEXT), 7):
        TextIndex.of(TEXT[:end]).proposals(end)


def test_places_are_those_of_the_text() -> None:
    """A text may say that an operation comes from another file, whose lines are not those of the text."""
    text = 'cog.model @m {\n  cog.output @a loc("other.mlir":1:1)\n} loc("other.mlir":9:9)\n'
    (error,) = TextIndex.of(text, "a.mlir").errors
    assert str(error.place) == "a.mlir:2:3"


def test_a_defect_does_not_end_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise KeyError("oops")

    monkeypatch.setattr("cogir.tools.text_index.module_errors", fails)
    (error,) = TextIndex.of(TEXT).errors
    assert error.message == "internal error: KeyError: 'oops'; this is a defect of cogir, not of the text"
    assert TextIndex.of(TEXT).definition(at("@double(%x) :", 3)) is not None


LETTERS = '{}()[]<>%@"!#^:,=-.x0 1 \nf'


def damaged(text: str, random: Random) -> str:
    """A text with one to three parts deleted, inserted or copied elsewhere."""
    for _ in range(random.randint(1, 3)):
        place, other, length = random.randrange(len(text)), random.randrange(len(text)), random.randint(1, 8)
        new = random.choice(("", random.choice(LETTERS), text[other : other + length]))
        text = text[:place] + new + text[place + (0 if new else length) :]
    return text


@pytest.mark.parametrize("tries", [60, pytest.param(500, marks=pytest.mark.full)])
def test_damaged_texts_show_no_defect(tries: int) -> None:
    """Characters of the examples are deleted, inserted and copied: what is wrong is said of the text, and questions have answers."""
    sources = [TEXT, *(path.read_text() for path in sorted((ROOT / "cogir" / "tools" / "play").glob("*.mlir")))]
    if tries > 100:
        sources += [text for path in sorted((ROOT / "examples").glob("*.mlir")) if len(text := path.read_text()) < 12_000]
    random = Random(tries)
    for _ in range(tries):
        text = damaged(random.choice(sources), random)
        index = TextIndex.of(text)
        assert not [error for error in index.errors if error.message.startswith("internal error")], text
        offset = random.randrange(len(text))
        index.proposals(offset)
        index.definition(offset)
        index.description(offset)


def test_all_examples_have_an_index() -> None:
    for path in sorted((ROOT / "examples").glob("*.mlir")):
        text = path.read_text()
        if len(text) < 12_000:
            index = TextIndex.of(text)
            assert not index.errors
            for each in index.symbols:
                found = index.definition(each.place.start)
                assert found is not None
                assert text[found.start : found.end] == text[each.place.start : each.place.end]


def test_names_as_they_are_written() -> None:
    assert [written(name) for name in ("a", "a.b$c_1", "1", "my node", 'a"b\\')] == ["a", "a.b$c_1", '"1"', '"my node"', '"a\\"b\\\\"']
    assert TextRange(1, 3).holds(3)
