"""The reference of the site: every public name, function, condition, operation, pass and option is in it, and its examples run."""

import ast
import inspect
import re
import runpy
import sys
import warnings
from pathlib import Path
from types import ModuleType

import pytest

import cogir
from cogir import library
from cogir.dialects.cog import Cog
from cogir.dialects.rng import Rng
from cogir.lowering.pass_descriptions import describe_pass
from cogir.lowering.pipeline import FOR_TEXTS
from cogir.tools.cog_opt import all_passes

ROOT = Path(__file__).parents[3]
sys.path.append(str(ROOT / "docs" / "site"))

from reference import api, conditions, functions, markdown, operations, passes, tools  # noqa: E402


def headings(text: str) -> list[str]:
    """The headings of a page, without code marks."""
    return [line.lstrip("#").strip().strip("`") for line in text.splitlines() if re.match(r"#+ ", line)]


def test_every_public_name_has_an_entry() -> None:
    found = [name for topic in api.TOPICS for name in headings(api.page(topic))]
    elsewhere = {f"cogir.{name}" for name in (*api.conditions(), *api.NAMESPACES, *api.ELSEWHERE)}
    assert [name for name in api.public_names() if name not in found and name not in elsewhere] == []
    listed = [name for name in found if name.startswith("cogir.")]
    assert len(listed) == len(set(listed))
    assert [name for name in listed if name not in api.public_names()] == []


def test_public_names_have_docstrings() -> None:
    for topic in api.TOPICS:
        for path, thing in api.things(topic):
            assert api._said(path, thing), path


def test_each_reduction_has_an_example_of_its_own() -> None:
    found = {name: text for name, text in api.examples().items() if name.startswith("reductions.")}
    assert len({*found.values()}) == len(found) >= 9
    for name, text in found.items():
        assert f"{name}(" in text


@pytest.mark.parametrize("space", ["library", "psyneulink"])
def test_traps_are_sentences(space: str) -> None:
    for name, function in functions.functions(space).items():
        for trap in functions.traps(space, name, function):
            assert re.search(r"[^.]\.$", trap), (name, trap)


@pytest.mark.parametrize("space", ["library", "psyneulink"])
def test_each_function_shows_a_call_in_its_docstring(space: str) -> None:
    for name, function in functions.functions(space).items():
        if name != "node_function":
            assert re.search(rf"(\.{name}\b|\b{name}\()", function.__doc__ or ""), name


def test_lines_of_arguments_become_a_list() -> None:
    said = """
    Fits a model.

        fit(model, data)

    The arguments:
    `model`: a model,
    or what it was compiled to.
    `data`, `rows`: a table.
    :raises InputError: if there is none.

    More.
    """
    assert markdown.markdown(inspect.cleandoc(said)) == (
        "Fits a model.\n\n```python\nfit(model, data)\n```\n\nThe arguments:\n\n- `model`: a model,\n  or what it was compiled to.\n"
        "- `data`, `rows`: a table.\n\n- **Raises** `InputError`: if there is none.\n\nMore."
    )


def test_an_object_that_is_called_is_described_by_its_call() -> None:
    assert "- `priors`: by name a distribution" in api.page("fits")
    assert markdown.first_paragraph(api.documented(cogir.fit)).startswith("Finds the parameters")
    assert api.documented(cogir.Model) is cogir.Model
    assert api.documented(cogir.compile) is cogir.compile


def test_every_public_name_has_an_example() -> None:
    found = api.examples()
    names = {path.removeprefix("cogir.") for topic in api.TOPICS for path, _ in api.things(topic)}
    assert sorted(names - found.keys()) == []
    assert sorted(found.keys() - names - {"setting"}) == []


def test_an_example_that_shows_an_error_fails_without_it() -> None:
    tree = ast.parse(api.EXAMPLES.read_text())
    compiled_functions = {id(each) for function in tree.body if isinstance(function, ast.FunctionDef) for each in ast.walk(function)}
    caught = [each for each in ast.walk(tree) if isinstance(each, ast.Try) and id(each) not in compiled_functions]
    assert caught
    assert [each.lineno for each in caught if not each.orelse] == []
    assert "suppress(" not in api.EXAMPLES.read_text()


LONG = ("fit.posterior", "Fits", "recovery", "from_psyneulink")
"""Names whose examples are left to the long runs."""


@pytest.mark.parametrize("left", [LONG, pytest.param((), marks=pytest.mark.full)], ids=["quick", "all"])
def test_the_examples_run(left: tuple[str, ...], tmp_path: Path) -> None:
    parts = re.split(r"^(# %% .*)$", api.EXAMPLES.read_text(), flags=re.M)
    kept = [mark + code for mark, code in zip(parts[1::2], parts[2::2], strict=True) if not set(mark.split()) & set(left)]
    assert len(parts[1::2]) - len(kept) == len(left)
    script = tmp_path / "examples.py"
    written = "".join(kept)
    if left:
        fit = "likelihood=kernel, simulations=4000)"
        assert written.count(fit) == 1
        written = written.replace(fit, fit[:-1] + ", intervals=None)")
    script.write_text(written)
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        runpy.run_path(str(script))


@pytest.mark.parametrize("space", functions.SPACES)
def test_every_function_of_the_library_has_an_entry_and_a_figure(space: str) -> None:
    module: ModuleType = functions.SPACES[space]
    public = [name for name in module.__all__ if callable(getattr(module, name)) and not hasattr(library.signature, name)]
    shown = [name for kind in functions.kinds(space) for name in headings(functions.page(space, kind))[1:]]
    assert sorted(shown) == sorted(name for name in public if name in functions.functions(space))
    assert set(public) - set(functions.functions(space)) <= {"node_function", "Step"}
    assert set(functions.figures.FIGURES_OF_PSYNEULINK if space == "psyneulink" else functions.figures.FIGURES) == set(shown)


def test_a_function_has_a_figure_parameters_and_traps(tmp_path: Path) -> None:
    functions.figures.draw("library", "logistic", library.logistic, tmp_path / "logistic.svg")
    assert (tmp_path / "logistic.svg").read_text().lstrip().startswith("<?xml")
    text = functions.section("library", "drift_diffusion_decision", library.drift_diffusion_decision)
    assert "figures/library-drift_diffusion_decision.svg" in text
    assert "| `threshold` | `1.0` | at least 0 |" in text
    assert "A finished node stays finished" in text
    assert "per square root of time" in text


def test_every_condition_has_an_entry_and_an_example() -> None:
    names = [name for name in cogir.__all__ if isinstance(found := getattr(cogir, name), type) and issubclass(found, cogir.Condition)]
    assert sorted({*conditions.EXAMPLES, *conditions.REFUSED, conditions.BASE}) == sorted(names)


def test_the_timeline_of_a_condition_is_that_of_its_runs() -> None:
    assert conditions.passes('cogir.EveryNCalls("a", 2)') == [[[1, 3, 5], [1, 3, 5]]] * 2
    assert conditions.passes("cogir.AtTrial(1)") == [[[], [0, 1, 2, 3, 4, 5]]] * 2
    assert conditions.passes("cogir.AtRun(1)") == [[[], []], [[0, 1, 2, 3, 4, 5]] * 2]
    assert "wall-clock" in conditions.message("cogir.TimeInterval()")


@pytest.mark.parametrize(("name", "dialect"), [("cog", Cog), ("rng", Rng)])
def test_every_operation_has_an_entry(name: str, dialect: object) -> None:
    shown = headings(operations.page(name))
    assert [op.name for op in dialect.operations if op.name not in shown] == []  # type: ignore[attr-defined]
    for op in operations.operations(name):
        text = operations.section(op)
        assert markdown.docstring(op), op.name
        definition = operations.definition(op)
        for part, _ in [*definition.operands, *definition.results, *definition.regions, *definition.properties.items()]:
            assert f"| `{part}` |" in text, f"{op.name}: {part}"


@pytest.mark.parametrize("name", all_passes())
def test_every_pass_says_what_it_accepts_and_leaves(name: str) -> None:
    text = re.sub(
        r"\n## Before and after.*", "", passes.page(name) if passes.test_file(name) is None else page_without_example(name), flags=re.S
    )
    assert headings(text)[0] == name
    assert "Before:" in text or name.startswith("verify-"), f"{name}: the docstring of its module says Before and After"
    assert f"| [{name}]({name}.md) | {markdown.cell(describe_pass(all_passes()[name]).summary)} |" in passes.index()


def test_fold_constants_says_what_remains_without_naming_files() -> None:
    text = page_without_example("fold-constants")
    assert "Neutral elements" in text
    assert ".py" not in text


def test_passes_are_listed_where_they_run() -> None:
    first, _, rest = passes.index().partition("## To stage `cog`")
    for name in FOR_TEXTS:
        assert f"[{name}]" in first
        assert "runs first on every model that is read from text" in passes.where_it_runs(name)
    assert "[verify-ssa]" in rest.partition("## When they are named")[2]


def test_a_run_line_with_messages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pass that only reports is tested by its messages: `2>&1`. They are part of the example, without the folder of the file."""
    (tmp_path / "cog-licm.mlir").write_text(
        "// Reports.\n// RUN: cog-opt %s -p cog-licm --remarks -o /dev/null 2>&1 | filecheck %s\n\n// CHECK: remark: hoisted\n"
        + (ROOT / "cogir" / "tools" / "play" / "loop.mlir").read_text()
    )
    monkeypatch.setattr(passes, "TESTS", tmp_path)
    monkeypatch.setattr(passes, "ROOT", tmp_path)
    text = passes.example("cog-licm")
    assert "`cog-opt -p cog-licm --remarks -o /dev/null 2>&1`" in text
    assert "```text\nexample.mlir:" in text
    assert "remark: hoisted math.exp out of scf.for [cog-licm: passed]" in text


def page_without_example(name: str) -> str:
    """The page of a pass, without running it."""
    kept = passes.example
    passes.example = lambda _: ""
    try:
        return passes.page(name)
    finally:
        passes.example = kept


def test_every_pass_has_an_example() -> None:
    missing = [name for name in all_passes() if passes.test_file(name) is None]
    assert not missing, "no FileCheck file runs these passes; add " + ", ".join(map(passes.expected_file, missing))


def test_an_example_of_a_pass_is_that_of_its_filecheck_file() -> None:
    text = passes.example("forward-slices")
    assert "A part of an array that was put together is read from where it comes from." in text
    assert text.index("tensor.insert_slice") < text.index("**After**")
    assert "CHECK" not in text


@pytest.mark.parametrize("command", tools.commands())
def test_every_option_of_a_command_is_listed(command: str) -> None:
    text = tools.page(command)
    options = [option for _, action in tools.actions(tools.parser_of(command)) for option in action.option_strings]
    assert options
    assert [option for option in options if not re.search(rf"`{re.escape(option)}[ `\[]", text)] == []
