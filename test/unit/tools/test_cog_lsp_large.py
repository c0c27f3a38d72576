"""The language server on large texts: work that grows with the text, and outlines that can be sent."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pytest

pytest.importorskip("pygls", reason="the language server needs pygls: pip install 'cogir[lsp]'")

from lsprotocol import converters, types
from pygls.workspace import TextDocument

from cogir.tools import cog_lsp, text_index
from cogir.tools.text_index import TextIndex


def nested(count: int) -> str:
    return "".join(f"cog.model @m{number} {{\n" for number in range(count)) + "}\n" * count


def side_by_side(count: int) -> str:
    node = "  cog.node @n{}(%x: tensor<1xf64>) params (rate: f64 = 1.0) -> (value: tensor<1xf64>)\n"
    return "cog.model @m {\n" + "".join(node.format(number) for number in range(count)) + "}\n"


def depth(symbols: Sequence[types.DocumentSymbol]) -> int:
    level, found = list(symbols), 0
    while level:
        found += 1
        level = [child for each in level for child in each.children or ()]
    return found


def count(symbols: Sequence[types.DocumentSymbol]) -> int:
    waiting, found = list(symbols), 0
    while waiting:
        found += 1
        waiting += waiting.pop().children or ()
    return found


def test_an_outline_of_thousands_of_nested_models_can_be_sent() -> None:
    text = nested(3000)
    outline = cog_lsp.symbols(TextDocument("file:///nested.mlir", text), TextIndex.of(text).symbols)
    assert count(outline) == 3000
    assert depth(outline) == cog_lsp.MOST_NESTED
    sent = converters.get_converter().unstructure(outline)
    assert sent[0]["children"][0]["name"] == "m1"
    few = cog_lsp.symbols(TextDocument("file:///few.mlir", nested(5)), TextIndex.of(nested(5)).symbols)
    assert depth(few) == 5


@pytest.mark.parametrize("build", [nested, side_by_side])
def test_work_grows_with_the_text(build: Callable[[int], str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Twice the text asks twice the questions: about tokens of heads, scopes around symbols, and lines."""
    counted = Counter[str]()

    def counting(owner: Any, name: str) -> None:
        sound = getattr(owner, name)

        def call(*given: Any) -> Any:
            counted[name] += 1
            return sound(*given)

        monkeypatch.setattr(owner, name, call)

    counting(text_index, "begins_another")
    counting(text_index.TextRange, "holds")
    lines = TextDocument.lines.fget
    assert lines is not None
    monkeypatch.setattr(TextDocument, "lines", property(lambda self: (counted.update(["lines"]), lines(self))[1]))
    found: list[Counter[str]] = []
    for size in (100, 200):
        counted.clear()
        text = build(size)
        cog_lsp.symbols(TextDocument("file:///a.mlir", text), TextIndex.of(text).symbols)
        found.append(Counter(counted))
    assert found[0]["lines"] == found[1]["lines"] == 1
    for name in ("begins_another", "holds"):
        assert found[1][name] <= 2.1 * found[0][name] + 10, name


def test_a_node_without_a_body_has_no_ports_of_the_next_one() -> None:
    found = TextIndex.of(side_by_side(3)).symbols
    assert [[port.name for port in each.ports] for each in found if each.operation == "cog.node"] == [["x", "rate", "value"]] * 3


@pytest.mark.parametrize("text", ["", "\n", "a", "a\n", "a\nb", "ü😋x\r\n😋\n\nend", "\r\r\n\u2028x"])
def test_positions_are_those_of_pygls(text: str) -> None:
    document = TextDocument("file:///a.mlir", text)
    positions = cog_lsp.Positions(document)
    for offset in range(len(text)):
        assert positions.at(offset) == document.client_position_at_offset(offset)
    last = positions.at(len(text))
    assert document.offset_at_position(last) == len(text)


class EveryTime:
    """Positions for each of which the text is split into lines."""

    def __init__(self, document: TextDocument):
        self.document = document

    def at(self, offset: int) -> types.Position:
        return self.document.client_position_at_offset(offset)

    def of(self, place: text_index.TextRange) -> types.Range:
        return types.Range(self.at(place.start), self.at(place.end))


def as_deep_as_the_text(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(cog_lsp, "MOST_NESTED", 3000)
    test_an_outline_of_thousands_of_nested_models_can_be_sent()


def lines_for_each_position(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(cog_lsp, "Positions", EveryTime)
    test_work_grows_with_the_text(side_by_side, patch)


def heads_up_to_the_end(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(text_index, "begins_another", lambda token: False)
    test_work_grows_with_the_text(side_by_side, patch)


def ports_of_the_next_node(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(text_index, "begins_another", lambda token: False)
    test_a_node_without_a_body_has_no_ports_of_the_next_one()


@pytest.mark.parametrize("fault", [as_deep_as_the_text, lines_for_each_position, heads_up_to_the_end, ports_of_the_next_node])
def test_planted_faults_are_found(fault: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises((AssertionError, RecursionError)):
        fault(monkeypatch)
