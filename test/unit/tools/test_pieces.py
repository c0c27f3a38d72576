"""The pieces of a text, and what only looks like a mark between two of them."""

import pytest

from cogir.tools.pieces import pieces_of


def test_pieces_know_where_they_begin() -> None:
    dump = "// IR Dump After X (x) //----- //\nd\n"
    text = f"a\n// -----\nb\nc\n// -----{dump}"
    found = pieces_of(text)
    assert [(piece.text, piece.first_line) for piece in found] == [
        ("a\n", 1),
        ("\nb\nc\n", 2),
        (dump, 5),
    ]
    assert [text[piece.start :][: len(piece.text)] for piece in found] == [piece.text for piece in found]


@pytest.mark.parametrize("end", ["", " ", "\t", "\r"])
def test_spaces_and_carriage_returns_after_a_mark(end: str) -> None:
    assert len(pieces_of(f"a\n// -----{end}\nb")) == 2


@pytest.mark.parametrize(
    "line", ["// ------", "// ----- parameters", "// -----parameters", "  // -----", "a // -----", "/// -----", "//-----"]
)
def test_comments_are_no_marks(line: str) -> None:
    text = f"a\n{line}\nb\n"
    assert [piece.text for piece in pieces_of(text)] == [text]


def test_blank_pieces_are_left_out() -> None:
    assert [piece.first_line for piece in pieces_of("// -----\na\n// -----\n\n// -----\nb\n// -----\n")] == [1, 5]
    assert [piece.text for piece in pieces_of("\n// -----\n")] == ["\n// -----\n"]
    assert [piece.text for piece in pieces_of("")] == [""]
