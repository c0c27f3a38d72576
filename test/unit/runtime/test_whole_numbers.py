"""Whole numbers are exact in every mode, also above 2**53, where floats are not."""

import json
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cogir
from cogir.frontend.compile import source_of
from cogir.frontend.parsed import ParsedModel
from cogir.library import Random, State, Step, node_function
from cogir.runtime.compiled import Compiled
from cogir.runtime.staged import StagedEngine
from cogir.tools.diagnostics import TextPosition, ToolError
from cogir.tools.run_files import read_inputs

BIG = 2**53 + 1
MODES = ("run", "exec", "per_node", "python", "machine", "loops", "cf")


@node_function(outputs=("count", "both", "even", "float"))
def counted(x: Any, *, step: Any = 1, start: State = BIG, random: Random) -> Any:
    """Counts on from a number that no float has."""
    count = start + step
    both = np.array([count, -count - 1])
    return Step(outputs=(count, both, count % 2 == 0, x + random.integer(2)), states=(count,))


def model() -> cogir.Model:
    m = cogir.Model("counts")
    m.node("first", counted, input=(), seed=3)
    return m


def chain() -> ParsedModel:
    """A node whose whole number another one takes through a projection."""
    text = """
      cog.model @chain {
        cog.node @a () params(%p: i64 = 9007199254740993) -> (v: i64 = 0) {
          cog.yield %p
        }
        cog.node @b (%i: i64) -> (v: i64 = 0) {
          cog.yield %i
        }
        cog.project @a["v"] -> @b["i"]
        cog.output @a["v"]
        cog.output @b["v"]
      }
    """
    return cogir.Model.from_ir(text)


def compiled(m: Any, mode: str) -> Compiled:
    if mode in StagedEngine.STAGES:
        return Compiled(StagedEngine(source_of(m), mode), mode, m.name)
    return m.compile(mode=mode, cache=False)


@pytest.mark.parametrize("mode", MODES)
def test_outputs_are_exact(mode: str) -> None:
    result = compiled(model(), mode).run({"first": [0.5]}, num_trials=3)
    assert result["first", "count"].tolist() == [BIG + 1, BIG + 2, BIG + 3]
    assert result["first", "both"].tolist() == [[BIG + n, -BIG - n - 1] for n in (1, 2, 3)]
    assert result["first", "count"].dtype == np.int64
    assert result["first", "even"].tolist() == [True, False, True]
    assert result.results[1][0] == BIG + 2
    assert result.rows.shape == (3, 5)
    assert result.rows[:, 0].tolist() == [float(BIG + n) for n in (1, 2, 3)]


@pytest.mark.parametrize("mode", MODES)
def test_projections_are_exact(mode: str) -> None:
    result = compiled(chain(), mode).run(num_trials=2)
    assert result["a"].tolist() == result["b"].tolist() == [BIG, BIG]


@pytest.mark.parametrize("mode", MODES)
def test_states_and_parameters_are_exact(mode: str) -> None:
    c = compiled(model(), mode)
    c.params["first/step"] = 2**60 + 1
    c.state["first/start"] = 2**61 + 1
    assert c.params["first/step"] == 2**60 + 1
    assert c.state["first/start"] == 2**61 + 1
    result = c.run(num_trials=1)
    assert result["first", "count"].tolist() == [2**61 + 2**60 + 2]
    assert c.state["first/start"] == 2**61 + 2**60 + 2
    assert c.state["first/port:count"] == 2**61 + 2**60 + 2


@pytest.mark.parametrize("mode", ["run", "per_node", "python"])
def test_replicates_are_exact(mode: str) -> None:
    found = compiled(model(), mode).replicates({"first": [0.5]}, count=9, num_trials=2, seed=4)
    assert found["first", "count"].tolist() == [[BIG + 1, BIG + 2]] * 9
    assert found["first", "both"][:, 1].tolist() == [[BIG + 2, -BIG - 3]] * 9


def test_pickled_contexts_are_exact() -> None:
    c = model().compile(mode="run", cache=False)
    c.run(num_trials=2)
    sent = pickle.loads(pickle.dumps(c.context()))
    assert sent.state["first/start"] == BIG + 2
    assert c.run(num_trials=1, context=sent)["first", "count"].tolist() == [BIG + 3]


@pytest.mark.parametrize("ending", ["json", "csv", "npz"])
def test_files_of_cog_run_are_exact(ending: str, tmp_path: Path) -> None:
    text, saved = tmp_path / "chain.mlir", tmp_path / f"results.{ending}"
    text.write_text(str(chain().ir()))
    subprocess.run([sys.executable, "-m", "cogir.tools.cog_run", str(text), "--save", str(saved)], check=True, capture_output=True)
    if ending == "npz":
        assert np.load(saved)["b/v"].tolist() == [BIG]
    elif ending == "json":
        assert json.loads(saved.read_text())["b/v"] == [BIG]
    else:
        assert saved.read_text().splitlines()[1] == f"{BIG},{BIG}"


@pytest.mark.parametrize("mode", ["run", "per_node", "python"])
def test_a_model_without_outputs_has_rows_without_columns(mode: str) -> None:
    m = cogir.Model()
    m.node("only")
    text = "\n".join(line for line in str(m.ir()).splitlines() if "cog.output" not in line)
    result = cogir.compile(text, mode=mode, cache=False).run(num_trials=3)
    assert result.rows.shape == (3, 0)
    assert result.num_trials == 3


def test_a_whole_number_in_a_csv_that_no_float_holds_is_refused(tmp_path: Path) -> None:
    given = tmp_path / "inputs.csv"
    given.write_text(f"first\n1\n{BIG}\n")
    with pytest.raises(ToolError, match="cannot represent exactly") as caught:
        read_inputs(str(given))
    assert caught.value.place == TextPosition(str(given), 3, 1)
