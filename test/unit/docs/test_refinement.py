"""docs/refinement.md does what it says."""

import re

import pytest
from support.pages import ROOT, Ran, page, run_page

PAGE = page("refinement.md")


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "examples"))
        return run_page(PAGE, tmp_path_factory.mktemp("refinement"))


def test_the_refinement_prints_what_is_shown(ran: Ran) -> None:
    shown = re.search(r"((?:^    .*\n)+)", PAGE.partition("print(found)\n```\n")[2], re.MULTILINE)
    assert shown is not None
    assert "".join(line[4:] for line in shown[1].splitlines(keepends=True)) == ran.printed


def test_the_answer_means_what_the_page_says(ran: Ran) -> None:
    found = ran.names["found"]
    assert found, "there is a guarantee, and the region is at most narrow = 0.02 of the space"
    assert f"{found.certain['ATTENTION/prey']}" == "(0.0, 10.0)"
    pytest.importorskip("pandas")
    table = found.to_dataframe()
    best = table[table["round"] == table["round"].max()].sort_values("high").iloc[0]
    assert best["high"] == pytest.approx(0.862738, abs=1e-6)
    assert round(best["ATTENTION/prey low"], 1) == 3.9
    assert round(best["ATTENTION/prey high"], 1) == 4.0
