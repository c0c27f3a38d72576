"""Every block of Python on every page is run by a test; here are the pages that have no test of their own."""

import importlib.metadata
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs"
PAGES = {path.relative_to(ROOT).as_posix(): path.read_text() for path in sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])}
BLOCK = re.compile(r"^```(python|py|pycon|ipython)\n(.*?)^```", re.M | re.S)

RUN_BY = {
    "CONTRIBUTING.md": "test/unit/docs/test_contributing.py",
    "README.md": "test/unit/docs/test_readme.py",
    "docs/analysis.md": "test/unit/docs/test_analysis.py",
    "docs/architecture.md": "test/unit/docs/test_architecture.py",
    "docs/design/gpu.md": "test/unit/docs/test_gpu.py",
    "docs/equivalence.md": "test/unit/docs/test_equivalence.py",
    "docs/fits.md": "test/unit/docs/test_fits.py",
    "docs/functions.md": "test/unit/docs/test_functions.py",
    "docs/gpu.md": "test/unit/docs/test_gpu.py",
    "docs/how_to.md": "test/unit/docs/test_how_to.py",
    "docs/learning.md": "test/unit/docs/test_learning.py",
    "docs/library.md": "test/unit/docs/test_library.py",
    "docs/pictures.md": "test/unit/docs/test_pictures.py",
    "docs/psyneulink_guide.md": "test/unit/docs/test_psyneulink_guide.py",
    "docs/recurrent.md": "test/unit/docs/test_learning.py",
    "docs/refinement.md": "test/unit/docs/test_refinement.py",
    "docs/replicates.md": "test/unit/docs/test_replicates.py",
    "docs/results.md": "test/unit/docs/test_results.py",
    "docs/running.md": "test/unit/docs/test_running.py",
    "docs/specialisation.md": "test/unit/docs/test_specialisation.py",
    "docs/subjects.md": "test/unit/docs/test_subjects.py",
    "docs/sweeps.md": "test/unit/docs/test_sweeps.py",
    "docs/tools.md": "test/unit/docs/test_tools.py",
    "docs/traces.md": "test/unit/docs/test_traces.py",
}
"""Pages by the test that runs all of their blocks."""

HERE = ("docs/index.md", "docs/matrices.md", "docs/numbers.md")


def test_every_page_with_python_is_run() -> None:
    with_python = {name for name, text in PAGES.items() if BLOCK.search(text)}
    with_python -= {"docs/tutorial/psyneulink_script.md"}  # by the next two tests
    assert with_python - {*RUN_BY, *HERE} == set(), "run its blocks in a test, and name it in RUN_BY, or run them in HERE"
    assert {*RUN_BY, *HERE} - with_python == set()
    for name, test in RUN_BY.items():
        assert name.rpartition("/")[2].rpartition(".")[0].lower() in (ROOT / test).read_text().lower(), f"{test} does not name {name}"


def test_the_tutorial_has_the_two_lines_of_the_readme() -> None:
    name = "docs/tutorial/psyneulink_script.md"
    assert BLOCK.findall(PAGES[name]) == BLOCK.findall(PAGES["README.md"])[:1]
    assert "accelerate" in (ROOT / "test/unit/docs/test_psyneulink_guide.py").read_text()


def test_the_cells_of_the_tutorial_run(tmp_path: Path) -> None:
    """In a process of their own, as all runs that follow are accelerated; without PsyNeuLink they print the scripts."""
    cells = re.findall(r"^```\{code-cell\} python\n(.*?)^```", PAGES["docs/tutorial/psyneulink_script.md"], re.M | re.S)
    assert len(cells) == 3
    script = tmp_path / "page.py"
    script.write_text(re.sub(r"^:tags:.*$", "", "\n".join(cells), flags=re.M))
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    ran = subprocess.run(
        [sys.executable, str(script)],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": path},
    )
    assert ran.returncode == 0, ran.stderr
    assert "FallbackWarning" not in ran.stderr
    if not list(importlib.metadata.distributions(name="psyneulink")):  # a folder of tests has that name, too
        assert ran.stdout.count("accelerate(") == ran.stdout.count("model.compile().replicates(") == 1
    else:
        numbers = [float(number) for number in re.findall(r"-?\d+\.\d*", ran.stdout)]
        first, second = ([1.0, 0.2], [0.1, 0.9])
        matrix = np.array([[1.0, -0.5], [-0.5, 1.0]])
        expected = [1.0 / (1.0 + np.exp(-2.0 * (np.array(each) @ matrix))) for each in (second, second, first)]
        np.testing.assert_allclose(numbers[:6], np.ravel(expected), atol=1e-7)
        np.testing.assert_allclose(numbers[-6:], np.tile(expected[-1], 3), atol=1e-7)


@pytest.fixture
def printed(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    """What the blocks of a page print, run from top to bottom, beside the examples."""
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    script = tmp_path / "page.py"
    script.write_text("\n".join(code for _, code in BLOCK.findall(PAGES[request.param])))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path, str(ROOT / "examples")])
    runpy.run_path(str(script))
    from matplotlib import pyplot

    pyplot.close("all")
    return capsys.readouterr().out


@pytest.mark.parametrize("printed", ["docs/index.md"], indirect=True)
def test_pages_that_print_nothing_run(printed: str) -> None:
    assert printed == ""


@pytest.mark.parametrize("printed", ["docs/numbers.md"], indirect=True)
def test_the_seed_is_shown_as_the_page_says(printed: str) -> None:
    (shown,) = re.findall(r"print\(again\) +# (.*)", PAGES["docs/numbers.md"])
    assert printed.splitlines() == [shown]


@pytest.mark.parametrize("printed", ["docs/matrices.md"], indirect=True)
def test_trials_of_a_network_are_computed_in_blocks(printed: str) -> None:
    (shown,) = re.findall(r"print\(compiled.explain\(\)\) +# (.*)", PAGES["docs/matrices.md"])
    assert shown in printed.splitlines()
