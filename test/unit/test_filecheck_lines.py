"""The lines of FileCheck files: each that looks like a check is one. (filecheck ignores lines with a prefix that it does not know.)"""

import re
from difflib import SequenceMatcher
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "test" / "filecheck").rglob("*.mlir"))
OF_LIT = ("RUN", "REQUIRES", "UNSUPPORTED", "XFAIL", "COM")
"""The directives of lit, and FileCheck's for comments."""
SUFFIX = r"(?:-(?:NEXT|SAME|NOT|DAG|LABEL|EMPTY|COUNT-\d+))?"
WORD = re.compile(r"^\s*//\s*([A-Z][A-Z0-9_]+(?:-[A-Z0-9]+)*)(:?)")
"""The upper-case word at the beginning of a comment, and the colon after it."""
ALIKE = 0.8
"""The likeness (difflib's measure, from 0 to 1) from which a word is taken for a mistyped prefix."""


def prefixes(text: str) -> set[str]:
    """The prefixes that the RUN lines of a file give to filecheck."""
    joined = re.sub(r"\\\n\s*// RUN:", " ", text)
    found: set[str] = set()
    for command in re.findall(r"// RUN:.*?\bfilecheck\b([^|&;\n]*)", joined):
        named = re.findall(r"-check-prefix(?:es)?[= ]([\w,-]+)", command)
        found |= set(",".join(named).split(",")) if named else {"CHECK"}
    return found


def lines_without_effect(text: str) -> list[str]:
    """The lines that look like a check and are none, with their numbers and what is wrong."""
    known = prefixes(text)
    directive = re.compile(rf"(?:{'|'.join(map(re.escape, sorted(known | set(OF_LIT))))}){SUFFIX}")
    found: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        if (match := WORD.match(line)) is None:
            continue
        word, colon = match.groups()
        is_directive = directive.fullmatch(word) is not None
        if colon and not is_directive:
            found.append(f"{number}: '{word}:' is no directive of the prefixes {', '.join(sorted(known)) or 'of any RUN line'}")
        elif not colon and (is_directive or any(is_like(word, prefix) for prefix in known)):
            found.append(f"{number}: '{word}' looks like a check; write it as a directive with a colon")
    return found


def is_like(word: str, prefix: str) -> bool:
    """True if a word may be a prefix that is mistyped, with or without a suffix."""
    return SequenceMatcher(None, word.partition("-")[0], prefix).ratio() >= ALIKE


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_line_that_looks_like_a_check_is_one(path: Path) -> None:
    found = lines_without_effect(path.read_text())
    assert not found, f"{path.relative_to(ROOT)}: lines that check nothing:\n" + "\n".join(found)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_prefix_has_lines(path: Path) -> None:
    text = path.read_text()
    unused = [prefix for prefix in sorted(prefixes(text)) if not re.search(rf"//\s*{prefix}{SUFFIX}:", text)]
    assert not unused, f"{path.relative_to(ROOT)}: RUN lines name prefixes that no line has: {', '.join(unused)}"


RUN = "// RUN: cog-opt %s | filecheck %s\n// RUN: cog-opt %s --remarks 2>&1 | filecheck %s --check-prefixes=COMMON,REMARK\n"


def test_prefixes_come_from_the_run_lines() -> None:
    assert prefixes(RUN) == {"CHECK", "COMMON", "REMARK"}
    assert prefixes("// RUN: cog-opt %s \\\n// RUN:   | filecheck %s --check-prefix ONE\n") == {"ONE"}
    assert prefixes("// RUN: cog-opt %s\n") == set()


@pytest.mark.parametrize(
    "line",
    [
        "// REMARKS: hoisted",
        "// CHECK-NXT: func.return",
        "  // CHEK: func.return",
        "// CHEK func.return",
        "// CHECK-LABEL @x",
        "// CHECK NEXT: func.return",
        "// CHECK-NEXT : func.return",
        "// COMMON-COUNT: func.return",
        "// LLVM: ret",
    ],
)
def test_mistyped_checks_are_found(line: str) -> None:
    (found,) = lines_without_effect(f"{RUN}{line}\n")
    assert found.startswith("3: ")


@pytest.mark.parametrize(
    "line",
    [
        "// A sentence about LLVM.",
        "// LLVM reads it.",
        "// CHECK: {{.*}}",
        "  // CHECK-COUNT-3: math.exp",
        "// REMARK-NOT: missed",
        "// REQUIRES: mlir-opt",
        "// Checks: none.",
        "%x = arith.constant 1.0 : f64 // CHECK: arith",
    ],
)
def test_checks_and_sentences_are_left_alone(line: str) -> None:
    assert lines_without_effect(f"{RUN}{line}\n") == []
