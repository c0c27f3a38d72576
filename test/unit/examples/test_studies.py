"""
Studies that a newcomer can do from the pages alone: each names the sentences that it follows, which are on these pages, and finds what it
should.
"""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "examples" / "studies"
SCRIPTS = sorted(path.stem for path in FOLDER.glob("*.py"))
CITED = re.compile(r'((?:[\w/]+)\.md): "(.*?)"(?=\s|$)', re.DOTALL)
"""A page of `docs`, and a sentence or a part of one, in comments."""


def cited(source: str) -> list[tuple[str, str]]:
    """The pages and the sentences that the comments of a script name."""
    comments = re.sub(r"\n\s*#", "\n", "\n".join(line for line in source.splitlines() if line.lstrip().startswith("#")))
    return [(page, " ".join(sentence.split())) for page, sentence in CITED.findall("\n" + comments.removeprefix("#"))]


def script(name: str) -> Any:
    """The module of a study."""
    spec = importlib.util.spec_from_file_location(f"study_{name}", FOLDER / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    sys.modules[spec.name] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def on_page(page: str, sentence: str) -> bool:
    """True if a page has this sentence, however its lines are broken."""
    return sentence in " ".join((ROOT / "docs" / page).read_text().split())


def test_sentences_that_are_not_there_are_found() -> None:
    source = '# running.md: "The capital of\n# France is Lyon."\nx = 1\n# running.md: "A run cycles through its inputs."\n'
    assert cited(source) == [("running.md", "The capital of France is Lyon."), ("running.md", "A run cycles through its inputs.")]
    assert [on_page(*each) for each in cited(source)] == [False, True]


@pytest.mark.parametrize("name", SCRIPTS)
def test_every_step_follows_a_sentence_of_a_page(name: str) -> None:
    found = cited((FOLDER / f"{name}.py").read_text())
    assert len(found) >= 3
    assert [each for each in found if not on_page(*each)] == []


def test_hicks_law() -> None:
    module = script("hicks_law")
    found = module.study(400, (2, 4, 8))
    _, slope, explained = module.line(found)
    assert all(right > 0.9 for right, _ in found.values())
    assert 0.1 < slope < 0.4
    assert explained > 0.93


def test_bump_attractor() -> None:
    errors = script("bump_attractor").study(100)
    assert np.all(np.diff(errors[1:]) > -0.01)
    assert errors[-1] > 1.5 * errors[1]


def test_gratton() -> None:
    effects = script("gratton").study(40)
    assert effects["after congruent trials"] > effects["after incongruent trials"] + 0.1 > 0.2


def test_two_step() -> None:
    found = script("two_step").study(6, 150)
    (bad_rare, bad_common), (good_rare, good_common) = found["repeating"]
    assert min(good_rare, good_common) > max(bad_rare, bad_common) + 0.1, "what was rewarded is repeated, whatever the transition"
    (bad_rare, bad_common), (good_rare, good_common) = found["planning"]
    assert min(bad_rare, good_common) > max(bad_common, good_rare) + 0.05, "planning takes the transition into account"
    assert np.corrcoef(found["truth"][:, 2], found["estimates"][:, 2])[0, 1] > 0.6


def test_user_functions() -> None:
    module = script("user_functions")
    found = module.study()
    assert [name for name, (is_equal, _, _) in found.items() if not is_equal] == []
    for function in module.IDIOMS:
        assert found[function.__name__][1:] == ("run", []), function.__name__
    for function in module.OUTSIDE:
        _, mode, said = found[function.__name__]
        line = function.__code__.co_firstlineno
        assert mode == "per_node"
        assert any(f"user_functions.py:{line + 1}: {function.__name__}: " in message for message in said), "the line is named"


def test_sharing(tmp_path: Path) -> None:
    # As a script: workers of a pool import it again.
    command = [sys.executable, "-W", "error", str(FOLDER / "sharing.py"), str(tmp_path)]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    assert len(printed) >= 10
    assert [line for line in printed if not line.endswith("the same bits")] == []


def test_large_networks() -> None:
    module = script("large_networks")
    found = module.study(200, 50)
    for name in ("by_matrix", "by_indices"):
        np.testing.assert_allclose(found[name], found["numpy"], rtol=0.0, atol=1e-13)
    assert abs(module.million(200_000)[-1, 0] - 10.0) < 1e-9


@pytest.mark.full
def test_coherence() -> None:
    module = script("coherence")
    data, fits = module.study(20)
    assert len(data["rt"]) == 20 * 5 * 2 * 3
    for subject, found in fits.items():
        true = module.TRUTH[subject]
        assert abs(np.log(found["coherence/slope"] / true["gain"])) < 0.35
        assert found["decision/threshold[speed]"] < found["decision/threshold[accuracy]"]


def test_elman() -> None:
    module = script("elman")
    error = module.study(80)
    predictable = np.arange(len(error)) % 3 == 1
    assert np.all(error[predictable] < 0.35)
    assert np.all(error[~predictable] > 0.4)
    assert "Recurrent networks" in module.unlearned()


def test_notebook_and_tools(tmp_path: Path) -> None:
    cells, commands = script("notebook_and_tools").study(tmp_path)
    assert cells["cell run twice"] == (2.0, 3.0)
    assert "replace=True" in cells["same name again"]
    assert "stimulus -> scaled" in cells["removed"][0]
    assert [name for name, text in cells["plain"].items() if " object at 0x" in text] == []
    assert set(cells["html"]) >= {"compiled", "params", "generators", "result", "model", "summary", "node", "context"}
    assert all(text.lstrip().startswith("<") for text in cells["html"].values())
    assert commands["text"].startswith("builtin.module {\n  cog.model @choice")
    assert "func.func @init" in "".join(commands["machine"].splitlines()[:2])
    assert len(commands["run"].splitlines()) == 1 + 5
    assert "replicates" in commands["replicates"]
    assert commands["sweep"].count("\n") >= 3
