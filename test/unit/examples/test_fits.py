"""The example of a fit finds the parameters of its model."""

import runpy
from pathlib import Path

import cogir

ROOT = Path(__file__).parents[3]


def test_the_example_finds_its_parameters() -> None:
    example = runpy.run_path(str(ROOT / "examples" / "fits.py"))
    model = example["build"]()
    found = cogir.fit(model, example["data_of"](model), example["BOUNDS"], inputs=example["INPUTS"], likelihood="analytical")
    for name, true in (("decision/drift", 1.2), ("decision/threshold", 0.94), ("decision/non_decision_time", 0.25)):
        low, high = found.intervals[name]  # the threshold with the correction for steps of 5 ms
        assert low - 0.05 < true < high + 0.05
