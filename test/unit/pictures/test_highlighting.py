"""The lexer takes all examples without an error; the grammar of editors comes from the same table, and has the same tokens."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.house import modules_of
from cogir.dialects.text import parse_text
from cogir.lowering.pipeline import lower_to, stage_names
from cogir.pictures.highlighting import RULES, textmate_grammar

pygments = pytest.importorskip("pygments", reason="the lexer needs Pygments: pip install 'cogir[lexer]'")
from cogir.tools.pygments_lexer import CogIrLexer  # noqa: E402

ROOT = Path(__file__).parents[3]
GRAMMAR = ROOT / "editors" / "vscode" / "syntaxes" / "cog.tmLanguage.json"
TEXTS = sorted([*(ROOT / "examples").rglob("*.mlir"), *(ROOT / "test").rglob("*.mlir")])
FENCED = re.compile(r"^```mlir\n(.*?)^```", re.DOTALL | re.MULTILINE)
"""The IR in documentation and docstrings."""


def tokens_of(text: str) -> list[tuple[str, str]]:
    found = [(str(kind).removeprefix("Token."), part) for _, kind, part in CogIrLexer().get_tokens_unprocessed(text)]
    assert "".join(part for _, part in found) == text
    return found


def errors_in(text: str) -> list[str]:
    return [part for kind, part in tokens_of(text) if kind == "Error"]


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_all_texts(path: Path) -> None:
    assert not errors_in(path.read_text())


def test_the_ir_in_documentation_and_docstrings() -> None:
    pages = [*(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md"), *modules_of(ROOT / "cogir").values()]
    blocks = [(page, block) for page in pages for block in FENCED.findall(page.read_text())]
    assert len(blocks) > 100
    assert not [(page.name, found) for page, block in blocks if (found := errors_in(block))]


def test_all_stages_and_both_forms() -> None:
    module = parse_text((ROOT / "examples" / "predator_prey_s.mlir").read_text())
    since = "cog"
    for stage in stage_names():
        lower_to(module, stage, since=since)
        since = stage
        assert not errors_in(str(module)), stage


def test_kinds_of_tokens() -> None:
    text = '%a:2 = cog.project @"my node"["value"] matrix dense<-2.0> : tensor<2x?xf64> {units = "s"} // done\n'
    kinds = [(kind, part) for kind, part in tokens_of(text) if kind != "Text.Whitespace" and kind != "Punctuation" and kind != "Operator"]
    assert kinds == [
        ("Name.Variable", "%a"),
        ("Literal.Number.Integer", "2"),
        ("Keyword", "cog.project"),
        ("Name.Function", '@"my node"'),
        ("Literal.String", '"value"'),
        ("Keyword.Pseudo", "matrix"),
        ("Name.Builtin", "dense"),
        ("Literal.Number.Float", "-2.0"),
        ("Keyword.Type", "tensor"),
        ("Literal.Number.Integer", "2x"),
        ("Literal.Number.Integer", "?x"),
        ("Keyword.Type", "f64"),
        ("Name.Attribute", "units"),
        ("Literal.String", '"s"'),
        ("Comment.Single", "// done"),
    ]


def test_what_is_no_ir_is_an_error() -> None:
    assert errors_in("cog.model ½ {}") == ["½"]
    assert errors_in('"not closed') == ['"']


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_every_rule_is_used(rule: object) -> None:
    """Each rule takes some text of the examples first; one that never did would be unknown to the other tests."""
    small = [text for text in (path.read_text() for path in TEXTS) if len(text) < 10_000]
    used = {number for text in small for number in rules_used(text)} | set(rules_used("a' ; unit"))
    assert RULES.index(rule) in used  # type: ignore[arg-type]


_USED: dict[str, list[int]] = {}


def rules_used(text: str) -> list[int]:
    if text not in _USED:
        _USED[text] = [number for number, _ in scanned(text)]
    return _USED[text]


def scanned(text: str) -> list[tuple[int, str]]:
    """The tokens by the TextMate grammar, as an editor finds them: the first match in a line, the first rule among equal ones."""
    grammar = json.loads(GRAMMAR.read_text())
    union = re.compile("|".join(f"(?P<r{number}>{pattern['match']})" for number, pattern in enumerate(grammar["patterns"])))
    return [(int(str(match.lastgroup)[1:]), match[0]) for line in text.splitlines() for match in union.finditer(line)]


def test_the_grammar_has_the_same_tokens_as_the_lexer() -> None:
    text = (ROOT / "examples" / "predator_prey_s.mlir").read_text()
    lexed = [part for kind, part in tokens_of(text) if kind != "Text.Whitespace"]
    assert [part for _, part in scanned(text)] == lexed


def test_the_grammar_is_the_one_that_is_written() -> None:
    is_current = GRAMMAR.read_text() == textmate_grammar()
    assert is_current, "the grammar is out of date; run python editors/write_grammar.py"


def test_the_extension_names_its_files() -> None:
    folder = GRAMMAR.parents[1]
    contributes = json.loads((folder / "package.json").read_text())["contributes"]
    assert (folder / contributes["grammars"][0]["path"]).samefile(GRAMMAR)
    assert contributes["grammars"][0]["scopeName"] == json.loads(GRAMMAR.read_text())["scopeName"]
    json.loads((folder / contributes["languages"][0]["configuration"]).read_text())


def test_pygments_finds_the_lexer_where_cogir_is_installed() -> None:
    script = "from pygments.lexers import get_lexer_by_name as g; print(type(g('mlir')).__name__, type(g('cog')).__name__)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    if "no lexer for alias" in done.stderr:
        pytest.skip("the environment was made before cogir had the entry point pygments.lexers; install cogir again")
    assert done.stdout == "CogIrLexer CogIrLexer\n"
