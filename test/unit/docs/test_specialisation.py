"""docs/specialisation.md does what it says."""

import numpy as np
import pytest
from support.pages import Ran, page, run_page

import cogir

PAGE = page("specialisation.md")


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    return run_page(PAGE, tmp_path_factory.mktemp("specialisation"))


def test_the_page_runs_from_top_to_bottom(ran: Ran) -> None:
    assert [version.runs for version in ran.names["c"].versions] == [1, 3]


def test_results_of_versions_have_the_bits_of_the_generic_code(ran: Ran) -> None:
    c, generic = ran.names["c"], ran.names["m"].compile()
    c.params["decision/threshold"] = 1.0
    assert c.version() is ran.names["version"], "of two that match, the one with more folded values"
    results = [each.run({"stimulus": [[0.3]]}, num_trials=50, context=each.context("bits")) for each in (c, generic)]
    assert np.array_equal(results[0]["decision", "time"], results[1]["decision", "time"])
    assert ran.names["version"].runs == 2


def test_the_two_zeros_are_two_values(ran: Ran) -> None:
    c = ran.names["c"]
    initial = "decision/initial:state:previous_value"
    assert c.params[initial] == 0.0
    c.params["decision/threshold"] = 1.0
    c.params[initial] = -0.0
    assert c.version() is not ran.names["version"]
    c.params[initial] = 0.0
    assert c.version() is ran.names["version"]


def test_values_that_were_not_updated_are_refused(ran: Ran) -> None:
    n = ran.names["n"]
    with pytest.raises(cogir.InputError, match="idle"):
        n.state["idle/port:value"]
    n.reset()
    assert n.state["idle/port:value"].shape == (3,)


def test_a_model_that_was_changed_is_refused(ran: Ran) -> None:
    ran.names["net"].node("late")
    with pytest.raises(cogir.ModelError, match="changed"):
        ran.names["n"].specialise()
