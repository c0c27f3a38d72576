"""
The scripts in `examples/psyneulink` are the models of the reference files: run by PsyNeuLink itself they give the reference results.

Draws and counts are equal, values within `1e-12 * max(abs(reference), largest magnitude of the port)`.
"""

import runpy
import sys
from collections.abc import Collection, Iterable
from pathlib import Path

import numpy as np
import pytest
from _pytest.mark import ParameterSet
from support.psyneulink.golden import MODELS, Golden, build_golden, fresh, run_golden

ROOT = Path(__file__).parents[3]


pytestmark = pytest.mark.filterwarnings("ignore")

QUICK = {"botvinick_1", "chain", "chain_conditions", "ddm_analytical", "ext_stroop_B", "multitasking", "necker_vec", "predator_prey_S"}
"""Built and run by PsyNeuLink in a few seconds; the others take up to half a minute each."""
QUICK_TO_BUILD = {"ddm_integrator", "evc_ddm", "lca"}

COUNTS = {"ddm_integrator": {"DDM": 1}, "multitasking": {"lca": 1}}
"""The output ports of nodes whose values are counts."""

SCRIPTS = {
    "botvinick": ("1",),
    "chain": (),
    "chain_conditions": (),
    "ddm_analytical": (),
    "ddm_integrator": (),
    "evc_ddm": (),
    "ext_stroop": ("B",),
    "lca": (),
    "multitasking": (),
    "necker": ("vectorised",),
    "predator_prey": ("S",),
}
"""Arguments for each script."""


def quick(names: Iterable[str], chosen: Collection[str]) -> list[ParameterSet]:
    """The names as parameters, those that are not among the chosen for `make check-full` only."""
    return [pytest.param(name, marks=[] if name in chosen else [pytest.mark.full]) for name in sorted(names)]


def same_generators(golden: Golden) -> None:
    """A script built after `fresh` seeds and draws as the reference did."""
    assert golden.generators == {node: state for node, state in golden.reference["generators"].items() if node != "$controller"}


def close(found: list, expected: list) -> None:
    """`abs(a - b) <= 1e-12 * max(abs(b), largest magnitude of the port)`, the same shape and the same NaNs."""
    a, b = np.array(found, dtype=float), np.array(expected, dtype=float)
    assert a.shape == b.shape
    np.testing.assert_allclose(a, b, rtol=0.0, atol=1e-12 * np.nanmax(np.abs(b), initial=0.0))


def test_every_reference_file_has_a_script() -> None:
    assert {path.stem for path in (ROOT / "test" / "golden").glob("*.json")} == MODELS.keys()
    assert {path.stem for path in (ROOT / "examples" / "psyneulink").glob("*.py")} == SCRIPTS.keys()
    assert SCRIPTS.keys() == {script for script, *_ in MODELS.values()}


@pytest.mark.parametrize("name", quick(MODELS.keys() - QUICK, QUICK_TO_BUILD))
def test_the_script_builds_the_model_of_the_file(name: str) -> None:
    same_generators(build_golden(name))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", quick(MODELS, QUICK))
def test_psyneulink_gives_the_results_of_the_file(name: str) -> None:
    golden = build_golden(name)
    same_generators(golden)
    for found, expected in zip(run_golden(golden), golden.reference["results"], strict=True):
        assert len(found["trials"]) == len(expected["trials"]) == len(found["nodes"]) == len(expected["nodes"])
        for column, _ in enumerate(expected["trials"][0]):
            close([trial[column] for trial in found["trials"]], [trial[column] for trial in expected["trials"]])
        assert found["nodes"][0].keys() == expected["nodes"][0].keys()
        for node, ports in expected["nodes"][0].items():
            for port, _ in enumerate(ports):
                a, b = ([values[node][port] for values in nodes] for nodes in (found["nodes"], expected["nodes"]))
                if node == "$control_allocation" or COUNTS.get(name, {}).get(node) == port:
                    assert a == b
                else:
                    close(a, b)


def test_a_changed_model_is_not_taken_for_that_of_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(MODELS, "ext_stroop_B", ("botvinick",))
    with pytest.raises(AssertionError, match="ext_stroop_B is not built as in its reference file:\n/consideration_queue"):
        build_golden("ext_stroop_B")


@pytest.mark.parametrize("name", quick(SCRIPTS, {"chain", "chain_conditions", "ddm_analytical"}))
def test_the_script_runs_by_itself(name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    path = ROOT / "examples" / "psyneulink" / f"{name}.py"
    monkeypatch.setattr(sys, "argv", [str(path), *SCRIPTS[name]])
    monkeypatch.syspath_prepend(path.parent)
    fresh()
    runpy.run_path(str(path), run_name="__main__")
    assert capsys.readouterr().out
