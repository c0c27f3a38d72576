"""Errors as they are printed: the line and the caret, of long lines a part, and colours on terminals."""

import io

import pytest

from cogir.tools.diagnostics import MOST_COLUMNS, Note, TextPosition, ToolError, coloured, diagnostic, excerpt, remember_text, rendered


def shown(line: str, column: int, message: str = "", width: int = 1) -> list[str]:
    remember_text("<test>", f"first\n{line}\nlast")
    return excerpt(TextPosition("<test>", 2, column, width), message).splitlines()


def test_the_caret_stands_below_the_column() -> None:
    assert shown("abc def", 5) == ["abc def", "    ^"]
    assert shown("abc def", 5, width=3) == ["abc def", "    ^~~"]
    assert shown("abc def", 8) == ["abc def", "       ^"]


def test_a_caret_before_the_text_moves_to_it() -> None:
    assert shown("    abc", 1) == ["    abc", "    ^"]


def test_tabs_keep_the_caret_in_place() -> None:
    assert shown("\tabc\tdef", 6) == ["\tabc\tdef", "\t   \t^"]


def test_what_a_terminal_would_obey_is_not_printed() -> None:
    assert shown("a\x1b[31mb\0c", 9) == ["a\ufffd[31mb\ufffdc", "        ^"]


def test_names_of_the_message_are_marked() -> None:
    assert shown('cog.output @ab["value"]', 1, "@a and @ab") == ['cog.output @ab["value"]', "^          ~~~"]
    assert shown("x %value y", 1, "nothing of %val") == ["x %value y", "^"]


def test_of_a_long_line_a_part_is_shown() -> None:
    line = "".join(chr(97 + number % 26) for number in range(1000))
    for column in (1, 500, 1000):
        text, marks = shown(line, column)
        assert len(text) <= MOST_COLUMNS + 6
        assert text[marks.index("^")] == line[column - 1]


def test_what_is_not_known_has_no_excerpt() -> None:
    assert excerpt(TextPosition("/nowhere.mlir", 3, 1)) == ""
    assert excerpt(TextPosition("<test>")) == ""
    remember_text("<test>", "")
    assert excerpt(TextPosition("<test>", 1, 1)) == ""


def test_notes_have_places_of_their_own() -> None:
    remember_text("<test>", "one\ntwo\n")
    error = ToolError("wrong", TextPosition("<test>", 2, 1), (Note("see here", TextPosition("<test>", 1, 2)),))
    assert str(error) == "<test>:2:1: error: wrong (see here <test>:1:2)"
    assert rendered(error) == "<test>:2:1: error: wrong\ntwo\n^\n<test>:1:2: note: see here\none\n ^"


def test_colours_are_for_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert coloured(Terminal())
    assert not coloured(io.StringIO())
    monkeypatch.setenv("NO_COLOR", "1")
    assert not coloured(Terminal())
    assert "\x1b[1;31merror: \x1b[0m" in diagnostic("error", "wrong", None, colours=True)
    assert "\x1b" not in diagnostic("error", "wrong", None)
