"""Results and replicates as mappings from output ports to arrays, and as tables of pandas."""

# pyright: basic
import builtins
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

import cogir
from cogir import library
from cogir.library.signature import State, Step, Value, node_function

INPUTS = {"stimulus": [[0.5, -0.5]]}
PORTS = ["matrix/value", "counter/value", "counter/steps"]


def outer(value: Value) -> Step:
    """A matrix."""
    return np.outer(value, value)


@node_function(outputs=("value", "steps"))
def counter(value: Value, *, count: State = 0) -> Step:
    """A vector and a whole number."""
    return Step(outputs=(value * 2.0, count + 1), states=(count + 1,))


def model() -> cogir.Model:
    m = cogir.Model("outputs")
    stimulus = m.node("stimulus", input=2)
    m.project(stimulus, m.node("matrix", outer, input=2))
    m.project(stimulus, m.node("counter", counter, input=2))
    return m


def run(num_trials: int = 3) -> cogir.Result:
    return model().compile(mode="python").run(INPUTS, num_trials)


def ended() -> cogir.Replicates:
    """Replicates that end by themselves after two trials of three."""
    m = cogir.Model("ends")
    drawn = m.node("drawn", library.psyneulink.gaussian_distort, input=1)
    m.schedule.run_ends(cogir.AfterNTrials(2))
    m.output(drawn)
    return m.compile(mode="python").replicates({"drawn": [[0.5]]}, count=4, num_trials=3)


@pytest.mark.parametrize("outputs", [run(), model().compile(mode="python").replicates(INPUTS, count=2, num_trials=3)])
def test_outputs_are_a_mapping_over_ports(outputs: Any) -> None:
    assert isinstance(outputs, Mapping)
    assert list(outputs) == list(outputs.keys()) == outputs.outputs == PORTS
    assert len(outputs) == 3
    assert outputs.num_trials == 3
    assert [name for name, _ in outputs.items()] == PORTS
    for path, array, (name, item) in zip(PORTS, outputs.values(), outputs.items(), strict=True):
        np.testing.assert_array_equal(array, outputs[path])
        np.testing.assert_array_equal(item, outputs[name])
    assert dict(outputs)["counter/steps"].dtype == np.int64


def test_what_can_be_indexed_is_in_it() -> None:
    m = model()
    result = m.compile(mode="python").run(INPUTS)
    for key in ("counter", "counter/steps", ("counter", "steps"), m["counter"], m["counter"]["steps"]):
        assert key in result
        assert result.get(key) is not None
    for key in ("count", "counter/step", ("counter", "step"), 0, None, object()):
        assert key not in result
        assert result.get(key, "nothing") == "nothing"
        with pytest.raises(cogir.InputError):
            result[key]


def test_results_are_equal_only_to_themselves() -> None:
    one, other = run(), run()
    assert one == one
    assert one != other
    assert len({one, other}) == 2


def test_an_empty_result_has_all_its_ports() -> None:
    assert (len(run(0)), run(0).num_trials, run(0)["matrix"].shape) == (3, 0, (0, 2, 2))


def test_a_table_has_a_column_for_each_element_and_a_row_for_each_trial() -> None:
    table = run().to_dataframe()
    corners = [f"matrix/value[{i}][{j}]" for i in range(2) for j in range(2)]
    assert list(table.columns) == [*corners, "counter/value[0]", "counter/value[1]", "counter/steps"]
    assert (table.index.name, list(table.index)) == ("trial", [0, 1, 2])
    assert table["counter/steps"].tolist() == [1, 2, 3]
    assert table["counter/steps"].dtype == np.int64
    assert table["matrix/value[0][1]"].tolist() == [-0.25] * 3


def test_a_table_of_replicates_has_the_trials_that_there_were() -> None:
    replicates = ended()
    assert (replicates.num_replicates, replicates.num_trials, len(replicates)) == (4, 3, 1)
    table = replicates.to_dataframe()
    assert list(table.index.names) == ["replicate", "trial"]
    assert list(table.index) == [(replicate, trial) for replicate in range(4) for trial in range(2)]
    np.testing.assert_array_equal(table["drawn/value[0]"].to_numpy().reshape(4, 2), replicates["drawn"][:, :2, 0])


@pytest.mark.parametrize("outputs", [run(), ended()])
def test_pandas_names_the_method_and_never_takes_names_for_data(outputs: Any) -> None:
    pandas = pytest.importorskip("pandas")
    for made in (pandas.DataFrame, np.asarray):
        with pytest.raises(cogir.InputError, match=r"outputs; index one of them, .* result\.to_dataframe\(\)"):
            made(outputs)


def test_without_pandas_an_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    imported = builtins.__import__

    def without_pandas(name: str, *rest: Any, **more: Any) -> Any:
        if name.partition(".")[0] == "pandas":
            raise ImportError(name)
        return imported(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without_pandas)
    with pytest.raises(cogir.CogirError, match=r"pandas is not installed; install it with: pip install 'cogir\[pandas\]'"):
        run().to_dataframe()
