"""docs/traces.md does what it says."""

import runpy
import sys
from pathlib import Path

import numpy as np
import pytest
from support.pages import ROOT, Ran, page, run_page

import cogir

PAGE = page("traces.md")


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    pytest.importorskip("matplotlib").use("Agg")
    return run_page(PAGE, tmp_path_factory.mktemp("traces"))


def test_the_page_runs_from_top_to_bottom(ran: Ran) -> None:
    assert ran.files == []
    trace = ran.names["trace"]
    ends = [abs(path[-1, 0]) for path in trace]
    assert set(ends) == {1.0}, "each trial has ended at a threshold"
    assert not trace.unfinished.any()


def test_all_modes_record_the_same(ran: Ran) -> None:
    interpreted = ran.names["model"].compile(mode="python").run({"decision": [[1.0]]}, num_trials=2)
    for number, path in enumerate(interpreted.traces["decision/value"]):
        assert np.array_equal(path, ran.names["trace"][number])


def test_the_memory_is_that_of_the_values(ran: Ran) -> None:
    """Of the trials before the one that would have exceeded it; the next run goes on from there."""
    kept, small = ran.names["kept"], ran.names["small"]
    assert 0.9 * 2**20 < 8 * kept.traces["decision"].lengths.sum() <= 2**20
    following = small.run({"decision": [[1.0]]}, num_trials=1)
    whole = ran.names["model"].compile().run({"decision": [[1.0]]}, num_trials=kept.num_trials + 1)
    assert following["decision", "time"][0] == whole["decision", "time"][-1]


def test_reductions_record_nothing_and_say_so(ran: Ran) -> None:
    with pytest.warns(cogir.NotRecordedWarning):
        found = ran.names["compiled"].sweep(
            {"decision/rate": [1.0]}, {"decision": [[1.0]]}, replicates=2, seed=1, start="fresh", reduce="mean"
        )
    assert not found.traces


def test_the_example(capsys: pytest.CaptureFixture[str]) -> None:
    """Evidence before correct choices rises, before wrong ones it falls."""
    runpy.run_path(str(ROOT / "examples" / "traces.py"), run_name="__main__")
    lines = capsys.readouterr().out.splitlines()
    assert "of 2,000 decisions" in lines[0]
    correct, wrong = (list(map(float, line.partition(": ")[2].split(", "))) for line in lines[1:])
    assert 0 < correct[0] < correct[1] < correct[2] < 1
    assert 0 > wrong[0] > wrong[1] > wrong[2] > -1


def test_the_figure_is_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    import write_traces

    monkeypatch.setattr(write_traces, "FIGURE", tmp_path / "traces.png")
    write_traces.main()
    assert (tmp_path / "traces.png").stat().st_size > 20_000
    sys.modules.pop("traces", None)
