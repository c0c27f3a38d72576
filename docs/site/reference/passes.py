"""
The passes: what each accepts and leaves, its options, and an example from its FileCheck file, before and after.
"""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import tempfile
from pathlib import Path

from xdsl.passes import ModulePass

from cogir.lowering.pass_descriptions import describe_pass, first_sentence
from cogir.lowering.pipeline import FOR_TEXTS, KERNELS, SPECIALISATION, STAGES
from cogir.tools.cog_opt import all_passes
from cogir.tools.cog_opt import main as cog_opt
from cogir.tools.pieces import pieces_of
from reference.markdown import markdown, table, write_if_changed

ROOT = Path(__file__).resolve().parents[3]
TESTS = ROOT / "test" / "filecheck"
RUN = re.compile(r"// RUN: cog-opt %s ([^|\n]*)")
REDIRECTION = re.compile(r"\s*\d?>+\s*(?:&\d|\S+)")
"""A redirection of a shell: `2>&1`, `> %t`."""
CHECK = re.compile(r"\s*// ?(?:RUN|[A-Z0-9_-]+(?:-LABEL|-NEXT|-SAME|-NOT|-DAG|-COUNT-\d+|-EMPTY)?):")
MOST_LINES = 60
"""A longer example is cut, and says so."""


def test_file(name: str) -> Path | None:
    """The FileCheck file of a pass: the one that is called as the pass, or begins so, or else one that runs it."""
    found = sorted(TESTS.rglob(f"{name}*.mlir"), key=lambda path: (path.stem != name, path.stem))
    found += [path for path in sorted(TESTS.rglob("*.mlir")) if run_line(path, name)]
    return found[0] if found else None


def expected_file(name: str) -> str:
    """The FileCheck file that a pass should have, beside its module."""
    folder = all_passes()[name].__module__.split(".")[1]
    return f"test/filecheck/{folder}/{name}.mlir"


def run_line(path: Path, name: str) -> str | None:
    """The arguments of the first command of a FileCheck file that runs a pass."""
    named = re.compile(rf"-p '?[^|]*\b{name}\b")
    return next((each.strip() for each in RUN.findall(path.read_text()) if named.search(each)), None)


def stage_of(name: str) -> str:
    """The stage that a pass leads to."""
    return next((stage for stage, names in STAGES if name in names), "")


def options(pass_type: type[ModulePass]) -> list[list[str]]:
    """A row for each option of a pass: its name, its default, its meaning."""
    found = describe_pass(pass_type).options
    return [[f"`{each.name}`", "needed" if each.default is None else f"`{each.default}`", each.description] for each in found]


def pieces(path: Path, name: str) -> tuple[str, str]:
    """The arguments of `cog-opt` and the first piece of a FileCheck file, without the lines of checks."""
    arguments = run_line(path, name)
    if arguments is None:
        raise LookupError(f"docs/site: {path} has no RUN line of cog-opt with {name}")
    kept = [line for line in pieces_of(path.read_text())[0].text.splitlines() if not CHECK.match(line)]
    return " ".join(arguments.replace("--split-input-file", "").split()), "\n".join(kept).strip()


def comment_of(text: str) -> tuple[str, str]:
    """The sentences at the beginning of a piece, and the IR after them."""
    lines = text.splitlines()
    end = next((place for place, line in enumerate(lines) if not line.startswith("//")), len(lines))
    return " ".join(line.removeprefix("//").strip() for line in lines[:end]).strip(), "\n".join(lines[end:]).strip()


def after(arguments: str, before: str) -> str:
    """The output of `cog-opt` for a piece of IR; with `2>&1` also its messages, which come first."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "example.mlir"
        path.write_text(before)
        printed, said = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(said):
            code = cog_opt([str(path), *shlex.split(REDIRECTION.sub("", arguments))])
        messages = said.getvalue().replace(f"{folder}/", "")
    if code != 0:
        raise RuntimeError(f"docs/site: cog-opt {arguments} fails for an example: {messages}")
    return f"{messages if '2>&1' in arguments else ''}{printed.getvalue()}".strip()


def inner(text: str) -> str:
    """IR without the line of its module, and at most `MOST_LINES` lines of it."""
    lines = text.splitlines()
    if lines and re.match(r"builtin\.module( attributes \{.*\})? \{$", lines[0]) and lines[-1] == "}":
        lines = [line.removeprefix("  ") for line in lines[1:-1]]
    if len(lines) > MOST_LINES:
        lines = [*lines[:MOST_LINES], f"// and {len(lines) - MOST_LINES} more lines"]
    return "\n".join(lines)


def example(name: str) -> str:
    """Before and after, side by side."""
    path = test_file(name)
    if path is None:
        return ""
    arguments, piece = pieces(path, name)
    said, ir = comment_of(piece)
    columns = [("Before", inner(ir)), ("After", inner(after(arguments, ir)))]
    languages = ("mlir", "text" if "2>&1" in arguments else "mlir")
    grid = "\n".join(
        f":::{{grid-item}}\n**{title}**\n```{language}\n{text}\n```\n:::"
        for (title, text), language in zip(columns, languages, strict=True)
    )
    source = path.relative_to(ROOT).as_posix()
    return (
        f"## Before and after\n\n{said}\n\n`cog-opt {arguments}` (the first example of `{source}`):\n\n::::{{grid}} 1 1 1 2\n{grid}\n::::\n"
    )


def where_it_runs(name: str) -> str:
    """The sentence on the part of the pipeline that a pass belongs to."""
    if name in FOR_TEXTS:
        return "It runs first on every model that is read from text."
    stage = stage_of(name)
    return f"It belongs to the lowering to stage `{stage}`." if stage else "It belongs to no stage and runs when it is named."


def page(name: str) -> str:
    """The page of a pass."""
    pass_type = all_passes()[name]
    described = describe_pass(pass_type)
    where = where_it_runs(name)
    if name in SPECIALISATION:
        where += " It runs only in code that is specialised to the values of parameters (`--specialise`)."
    if name in KERNELS:
        where += " It runs only in the pipeline for GPUs (`--kernels`)."
    opening = [] if first_sentence(described.text) == described.summary else [described.summary, ""]
    parts = [f"# {name}\n", *opening, markdown(described.text), "", where, ""]
    rows = options(pass_type)
    parts += ["## Options\n", table(["option", "default", "meaning"], rows) or "None.", "", example(name)]
    return "\n".join(parts)


def index() -> str:
    """The page that lists all passes in their order."""
    parts = [
        "# Passes\n",
        "The passes in the order in which they run. `cog-opt model.mlir --emit=STAGE` runs all up to a stage, `cog-opt model.mlir -p NAME` "
        "one of them.\n",
    ]
    named = tuple(name for name in all_passes() if not stage_of(name) and name not in FOR_TEXTS)
    groups = [("First, on models that are read from text", FOR_TEXTS)]
    groups += [(f"To stage `{stage}`", names) for stage, names in STAGES]
    for title, names in [*groups, ("When they are named", named)]:
        rows = [[f"[{name}]({name}.md)", describe_pass(all_passes()[name]).summary] for name in names]
        parts += [f"## {title}\n", table(["pass", "what it does"], rows)]
    tree = "\n".join(["```{toctree}", ":hidden:", "", *sorted(all_passes()), "```"])
    return "\n".join([*parts, tree])


def write(folder: Path) -> list[tuple[str, str]]:
    """Writes a page for each pass, and one that lists them."""
    write_if_changed(folder / "passes" / "index.md", index())
    for name in all_passes():
        write_if_changed(folder / "passes" / f"{name}.md", page(name))
    return [("passes/index", "All passes, in their order")]
