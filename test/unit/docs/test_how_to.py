"""docs/how_to.md: its recipes run, and its table from PsyNeuLink to the builder names what there is."""

import inspect
import re

import numpy as np
import pytest
from support.pages import Ran, page, run_page

import cogir
from cogir import library
from cogir.frontend.builder.schedule import Schedule

PAGE = page("how_to.md")


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    return run_page(PAGE, tmp_path_factory.mktemp("how_to"))


def test_the_recipes_run_from_top_to_bottom(ran: Ran) -> None:
    assert re.search(r"incongruent - congruent: 0\.\d+ s, 95 % interval 0\.\d+ to 0\.\d+ s", ran.printed)


def test_paired_conditions_are_less_noisy_and_others_independent(ran: Ran) -> None:
    first, second = ran.names["subjects"]
    assert ran.names["of_subjects"].std() < 0.8 * np.hypot(first.std(), second.std())
    first, second = ran.names["times"]
    assert abs(np.corrcoef(first, second)[0, 1]) < 0.1


def test_inputs_that_are_not_given_are_zeros_with_a_warning(ran: Ran) -> None:
    network = ran.names["network"]
    with pytest.warns(cogir.MissingInputWarning, match="task"):
        without = network.run({"colour": [[1.0, 0.0]], "word": [[0.0, 1.0]]})
    zeros = network.run({"colour": [[1.0, 0.0]], "word": [[0.0, 1.0]], "task": [[0.0, 0.0]]})
    assert np.array_equal(without["response"], zeros["response"])


def test_the_threshold_is_the_distance_from_0_to_either_bound(ran: Ran) -> None:
    decided = ran.names["study"]["ddm"]
    assert (abs(decided) >= ran.names["compiled"].params["ddm/threshold"]).all()
    assert set(np.unique(np.sign(decided))) == {-1.0, 1.0}
    assert 'prng="mt19937"' in PAGE
    assert "xoshiro256" in str(ran.names["model"].ir())


def column(heading: str) -> str:
    """The right column of the table whose left one has this heading."""
    rows = PAGE.partition(f"| {heading} |")[2].partition("\n\n")[0].splitlines()[2:]
    return "\n".join(row.rpartition(" | ")[2] for row in rows)


def test_the_table_names_what_there_is() -> None:
    builder = column("PsyNeuLink")
    assert builder.count("\n") >= 15
    for name in re.findall(r"\bcogir\.(\w+)", builder):
        assert hasattr(cogir, name), name
    for name in re.findall(r"\blibrary\.(?:psyneulink\.)?(\w+)", builder):
        assert name == "psyneulink" or name in (*library.__all__, *library.psyneulink.__all__), name
    for name in re.findall(r"\bm\.(\w+)\(", builder):
        assert callable(getattr(cogir.Model, name)), name
    for name in re.findall(r"\bm\.schedule\.(\w+)\(", builder):
        assert callable(getattr(Schedule, name)), name


def test_names_of_parameters_are_those_of_the_functions() -> None:
    here = column("said in papers")
    decision = inspect.signature(library.drift_diffusion_decision).parameters
    integrator = inspect.signature(library.drift_diffusion_integrator).parameters
    assert "drift" in decision
    assert "rate" in integrator
    for name in ("threshold", "time_step_size", "noise"):
        assert f"`{name}`" in here
        assert name in decision
        assert name in integrator
    assert "non_decision_time" in decision
