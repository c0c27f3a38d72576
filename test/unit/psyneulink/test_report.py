"""
The report on what has become of calls.
"""

import sys
from pathlib import Path

import pytest
from support.psyneulink import pnl
from support.psyneulink.golden import fresh

from cogir.errors import CogirError
from cogir.psyneulink import CallReport, FallbackWarning, UnsupportedFeature, accelerate, report
from cogir.psyneulink.history import Way

pytestmark = pytest.mark.filterwarnings("ignore", "ignore::cogir.psyneulink.FallbackWarning")

REASON = "Composition '<C>': run() is called with call_after_pass, within a trial"
REMEDY = "use call_after_trial; native runs call back between trials"


def built():
    """A Composition whose calls compile within a moment."""
    fresh()
    return pnl.Composition(name="<C>", nodes=[pnl.TransferMechanism(name="A")])


def kinds(found: CallReport) -> dict[tuple[str, str, str, str], int]:
    """The calls of each kind that a report has."""
    return {(part.name, one.method, one.way, one.remedy): one.count for part in found.compositions for one in part.calls}


def test_a_report_says_what_has_become_of_calls():
    composition = built()
    with accelerate():
        for _ in range(3):
            composition.run({"A": [[1.0]]})
        assert report(composition)
        for _ in range(2):
            composition.run({"A": [[1.0]]}, call_after_pass=lambda: composition.name)
        composition.run({"A": [[1.0]]}, execution_mode=pnl.ExecutionMode.Python)
        composition.execute({composition.nodes["A"]: [[1.0]]})
    composition.run({"A": [[1.0]]})
    found = report(composition)
    assert not found
    assert kinds(found) == {
        ("<C>", "run", Way.NATIVE, ""): 3,
        ("<C>", "execute", Way.NATIVE, ""): 1,
        ("<C>", "run", Way.FALLBACK, REMEDY): 2,
        ("<C>", "run", Way.ASKED, "leave it out for a native run"): 1,
    }
    assert found.compiling > 0
    assert found.seconds(Way.FALLBACK) > found.seconds(Way.NATIVE) / 10 > 0
    text = str(found)
    assert f"    run, 2 calls: in PsyNeuLink, {found.seconds(Way.FALLBACK):.2g} s\n      reason: {REASON}\n      change: {REMEDY}" in text
    page = found._repr_html_()
    assert "<td>&lt;C&gt;</td><td>run, 2 calls</td><td>in PsyNeuLink</td>" in page
    assert "<C>" not in page
    assert CallReport.from_json(found.to_json()) == found


def test_short_calls_and_runs_that_are_carried_on_are_told_apart(monkeypatch):
    composition = built()
    with accelerate(short_runs="psyneulink"):
        composition.run({"A": [[1.0]]})

    def change(*_, **__):
        if len(composition.results) == 3:
            composition.nodes["A"].parameters.value.history_max_length = 5

    with accelerate(short_runs="native"), pytest.warns(FallbackWarning, match="after 2 trials"):
        composition.run({"A": [[1.0]]}, num_trials=4, call_after_trial=change)
    assert {(one.way, one.count) for part in report(composition).compositions for one in part.calls} == {(Way.SHORT, 1), (Way.PARTLY, 1)}


def test_a_strict_call_is_refused():
    composition = built()
    with accelerate(strict=True), pytest.raises(UnsupportedFeature):
        composition.run({"A": [[1.0]]}, call_after_pass=print)
    assert kinds(report(composition)) == {("<C>", "run", Way.REFUSED, REMEDY): 1}
    assert ("<C>", "run", Way.REFUSED, REMEDY) in kinds(report())


def test_a_composition_that_has_not_run_has_no_calls():
    assert "no Composition has been run" in str(report(built()))


def test_what_is_no_composition_and_no_script_is_refused():
    with pytest.raises(CogirError, match=r"is a TransferMechanism; give it a Composition, or the path of a script"):
        report(pnl.TransferMechanism(name="A"))
    with pytest.raises(CogirError, match="there is no such file"):
        report("no_such_script.py")


SCRIPT = """
import sys
import psyneulink as pnl
def call(count):
    composition = pnl.Composition(name=sys.argv[1], nodes=[pnl.TransferMechanism(name="A")])
    for _ in range(count): composition.run({"A": [[1.0]]}, call_after_pass=lambda: None)
call(2)
sys.exit(3)
"""


def test_a_script_is_run_for_its_report(tmp_path: Path):
    (tmp_path / "script.py").write_text(SCRIPT)
    found = report(tmp_path / "script.py", "of a script")
    assert found.status == 3
    assert str(found).startswith(f"{tmp_path}/script.py (exit status 3): ")
    assert kinds(found) == {("of a script", "run", Way.FALLBACK, REMEDY): 2}
    found.save(str(tmp_path / "report.html"))
    found.save(str(tmp_path / "report.txt"))
    assert found._repr_html_() in (tmp_path / "report.html").read_text()
    assert (tmp_path / "report.txt").read_text() == f"{found}\n"


def test_a_script_that_is_killed_leaves_no_report(tmp_path: Path):
    (tmp_path / "script.py").write_text("import os\nos._exit(9)\n")
    with pytest.raises(CogirError, match="exit status 9 and left no report"):
        report(str(tmp_path / "script.py"))


def test_the_runner_reports_on_stderr(tmp_path: Path, capsys, monkeypatch):
    from cogir.psyneulink.__main__ import main

    (tmp_path / "script.py").write_text("x = 1\n")
    monkeypatch.setattr(sys, "argv", [])
    monkeypatch.setattr("cogir.psyneulink.history._remembered", None)
    monkeypatch.setattr("cogir.psyneulink.history._alive", set())
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
    assert main(["--report", str(tmp_path / "script.py")]) == 0
    assert capsys.readouterr().err == f"{tmp_path}/script.py: no Composition has been run under accelerate()\n"
