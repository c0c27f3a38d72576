"""docs/fits.md does what it says."""

import re
import warnings

import numpy as np
import pytest
from support.long import long
from support.pages import Ran, page, run_page

import cogir

PAGE = page("fits.md")
SIMULATIONS = re.compile(r"simulations=\d+")


@pytest.fixture(scope="module", params=[*long(None), 500])
def ran(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """The page as it stands, or with fewer simulations."""
    few = f"simulations={request.param}"
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        patch.setenv("MPLBACKEND", "Agg")
        warnings.simplefilter("ignore", cogir.FitWarning)
        return run_page(PAGE, tmp_path_factory.mktemp("fits"), change=lambda text: SIMULATIONS.sub(few, text) if request.param else text)


def test_the_page_runs_from_top_to_bottom(ran: Ran) -> None:
    assert ran.files == ["decision.npz", "experiment.csv", "fit.png"]
    for name in ("constant", "linear"):
        assert re.search(rf"^{name}: AIC [\d.]+, noise [\d.]+$", ran.printed, re.MULTILINE)


def test_a_fit_is_a_mapping_with_criteria_and_predictions(ran: Ran) -> None:
    found, data = ran.names["found"], ran.names["data"]
    assert [*found] == ["ddm/drift[easy]", "ddm/drift[hard]", "ddm/threshold", "ddm/non_decision_time"]
    assert len(found) == 4
    assert found.aic == pytest.approx(2 * 4 - 2 * found.log_likelihood)
    assert found.pointwise().shape == (300,)
    predicted = found.predict()
    assert isinstance(predicted, dict), "as the data were"
    assert [*predicted] == [*data]
    assert set(np.unique(predicted["ddm/choice"])) <= {-1.0, 0.0, 1.0}
    assert {"ddm/threshold", "ddm/non_decision_time"} <= set(re.findall(r"[\w/]+", str(found.summary())))
    assert len(found.plot().figure.axes) == 2, "a panel for each condition"
    from matplotlib import pyplot

    pyplot.close("all")


def test_what_needs_the_model_says_so(ran: Ran) -> None:
    again = ran.names["again"]
    assert "cog.model" in again.attributes["model_text"]
    np.testing.assert_array_equal(again.data["ddm/choice"], ran.names["data"]["ddm/choice"])
    np.testing.assert_array_equal(again.pointwise, ran.names["found"].pointwise())
    for needed in ("predict", "plot"):
        with pytest.raises(cogir.CogirError, match=f"{needed}: a fit from a file or a pickle has no model"):
            getattr(again, needed)()


def test_problems_that_the_page_refuses(ran: Ran) -> None:
    model, easy, free = ran.names["model"], ran.names["easy"], {"ddm/drift": (0, 4)}
    problem = cogir.fit.problem
    with pytest.raises(cogir.CogirError, match="column"):
        problem(model, easy, free, inputs={"ddm": [[1.0], [0.5]]})
    missing = easy | {"ddm/response_time": np.where(np.arange(150) == 3, np.nan, easy["ddm/response_time"])}
    with pytest.raises(cogir.CogirError, match="undecided"):
        problem(model, missing, free, inputs={"ddm": [[1.0]]})
    problem(model, missing, free, inputs={"ddm": [[1.0]]}, undecided="drop")
    with pytest.raises(cogir.CogirError, match=r"bound|analytical"):
        problem(ran.names["collapsing"], easy, free, inputs={"ddm": [[1.0]]}, likelihood="analytical")
    with pytest.raises(cogir.CogirError, match=r"\b2\b"):
        problem(model, easy | {"ddm/choice": np.full(150, 2.0)}, free, inputs={"ddm": [[1.0]]})
