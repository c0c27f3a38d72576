"""docs/performance.md: one table and one figure for each question, and what is drawn are the numbers of the tables."""

import importlib.util
import re
from pathlib import Path

import numpy as np

DOCS = Path(__file__).parents[3] / "docs"
_spec = importlib.util.spec_from_file_location("write_performance", DOCS / "write_performance.py")
assert _spec is not None
assert _spec.loader is not None
write_performance = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(write_performance)
TEXT = write_performance.PAGE.read_text()


def test_each_question_has_one_table_and_one_figure() -> None:
    sections = re.split(r"^## ", TEXT, flags=re.M)[1:]
    questions = [section for section in sections if section.split("\n")[0].endswith("?")]
    assert len(questions) == len(write_performance.FIGURES)
    for section in questions:
        assert len(re.findall(r"^\|---", section, re.M)) == 1, section[:60]
        (figure,) = re.findall(r"^!\[[^\]]*\]\(figures/performance_(\w+)\.svg\)", section, re.M)
        assert f"<!-- figure: {figure} -->" in section
        assert (DOCS / "figures" / f"performance_{figure}.svg").exists()
    assert set(write_performance.tables()) == set(write_performance.FIGURES)


def test_bars_are_as_long_as_the_numbers_of_the_table() -> None:
    from matplotlib.figure import Figure

    axes = Figure().subplots()
    write_performance.FIGURES["search"][0](axes)
    assert [bar.get_width() for bar in axes.patches] == [0.088, 1.55, 1.16, 4.4, 5.4, 3.3, 198.0, 540.0]
    axes = Figure().subplots()
    write_performance.FIGURES["calls"][0](axes)
    drawn = np.array([bar.get_width() for bar in axes.patches])
    assert 28.7 in drawn
    assert 0.38 in drawn


def test_numbers_are_read_from_cells() -> None:
    assert write_performance.number("2,250") == 2250.0
    assert write_performance.number("0.99, 4,096") == 0.99
    assert np.isnan(write_performance.number("-"))
