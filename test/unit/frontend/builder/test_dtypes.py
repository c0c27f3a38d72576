"""Models of float32: the numbers of NumPy and PyTorch in float32, the same bits in every mode, and what is refused."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.long import long

import cogir
from cogir import library
from cogir.errors import ModelError
from cogir.library import Random, State, Step, Value
from cogir.lowering.pipeline import lower_to

SIZES = (60, 50, 7)
MADE = np.random.default_rng(0)
MATRICES = [MADE.normal(size=(before, size)).astype(np.float32) / np.float32(8.0) for before, size in ((60, 50), (50, 7))]
ROWS = MADE.normal(size=(100, 60)).astype(np.float32)
TARGETS = MADE.uniform(size=(100, 7)).astype(np.float32)


def network(dtype: Any = "float32", learns: bool = False) -> cogir.Model:
    model = cogir.Model("network", dtype=dtype)
    nodes = [model.node("n0", input=60), model.node("n1", library.logistic, input=50), model.node("n2", library.tanh, input=7)]
    for number, matrix in enumerate(MATRICES):
        model.project(nodes[number], nodes[number + 1], matrix=matrix)
    model.output(nodes[2])
    if learns:
        model.learning([(nodes[2], model.node("target", input=7))], library.gradient_descent, rate=0.5)
    return model


def test_numbers_of_numpy_in_float32() -> None:
    compiled = network().compile()
    found = compiled.run(ROWS)["n2"]
    hidden = 1.0 / (1.0 + np.exp(-(ROWS @ MATRICES[0])))
    wanted = np.tanh(hidden @ MATRICES[1])
    assert found.dtype == wanted.dtype == np.float32
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6)
    assert not np.array_equal(found, network("float64").compile().run(ROWS)["n2"].astype(np.float32))
    assert compiled.params["n0:value->n1:variable/matrix"].dtype == np.float32


def finite(x: Value) -> Value:
    return np.nan_to_num(x)


def test_the_largest_number_is_that_of_the_type() -> None:
    given = np.array([[np.nan, np.inf, -np.inf, 1.5]], np.float32)
    for mode in ("run", "python"):
        model = cogir.Model("numbers", dtype="float32")
        model.node("node", finite, input=4)
        np.testing.assert_array_equal(model.compile(mode=mode).run({"node": given})["node"], np.nan_to_num(given))


def test_the_same_bits_in_every_mode_and_stage() -> None:
    model = network()
    wanted = model.compile(mode="python").run(ROWS)["n2"]
    for compiled in (
        model.compile(),
        model.compile(without=["batch-trials"]),
        model.compile(mode="per_node"),
        cogir.compile(str(model.ir())),
    ):
        np.testing.assert_array_equal(compiled.run(ROWS)["n2"], wanted)
    assert model.compile().explain()["trials"] == ["in blocks of 100"]


def test_products_of_float32_are_tiled() -> None:
    module = network().ir()
    lower_to(module, "loops")
    text = str(module)
    assert "@cogir_product_25x16_f32" in text
    assert "@cogir_product_24x8(" not in text


def adding(x: Value, *, rate: Value = 0.1, total: State = 0.0) -> Step:
    after = total + rate * x
    return Step(outputs=(after,), states=(after,))


def doubled(x: Value) -> Value:
    return 2.0 * x


def test_states_and_functions_of_projections() -> None:
    model = cogir.Model("sums", dtype=np.float32)
    first, second = model.node("first", adding, input=3), model.node("second", library.relu, input=3)
    model.project(first, second, function=doubled)
    model.output(second)
    rows = np.array([[0.1, 0.2, 0.3], [0.4, -0.5, 0.6]])
    total, wanted = np.zeros(3, np.float32), list[Any]()
    for row in rows.astype(np.float32):
        total = total + np.float32(0.1) * row
        wanted.append(np.maximum(np.float32(2.0) * total, np.float32(0.0)))
    for mode in ("run", "python", "per_node"):
        np.testing.assert_array_equal(model.compile(mode=mode).run(rows)["second"], np.array(wanted))


@pytest.mark.parametrize("batch", [1, 33, *long(64)])
def test_learning(batch: int) -> None:
    data = {"n0": ROWS, "target": TARGETS}
    model = network(learns=True)
    compiled = model.compile()
    found = compiled.learn(data, epochs=2, batch=batch)
    for other in (model.compile(without=["batch-trials"]), *([model.compile(mode="python")] if batch == 64 else [])):
        np.testing.assert_array_equal(other.learn(data, epochs=2, batch=batch).losses, found.losses)
        for path in ("n0:value->n1:variable/matrix", "n1:value->n2:variable/matrix"):
            assert compiled.params[path].dtype == other.params[path].dtype == np.float32
            np.testing.assert_array_equal(other.params[path], compiled.params[path])
    wide = network("float64", learns=True).compile().learn(data, epochs=2, batch=batch)
    np.testing.assert_allclose(found.losses, wide.losses, rtol=1e-4)
    assert not np.array_equal(found.losses, wide.losses)


def test_learning_beside_pytorch() -> None:
    torch: Any = pytest.importorskip("torch")
    layers: list[Any] = []
    for matrix in MATRICES:
        layer = torch.nn.Linear(*matrix.shape, bias=False, dtype=torch.float32)
        layer.weight.data = torch.from_numpy(matrix.T.copy())
        layers.append(layer)
    net = torch.nn.Sequential(layers[0], torch.nn.Sigmoid(), layers[1], torch.nn.Tanh())
    optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
    losses: list[float] = []
    for begin in range(0, 100, 50):
        optimizer.zero_grad()
        loss = torch.nn.MSELoss()(net(torch.from_numpy(ROWS[begin : begin + 50])), torch.from_numpy(TARGETS[begin : begin + 50]))
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    compiled = network(learns=True).compile()
    found = compiled.learn({"n0": ROWS, "target": TARGETS}, epochs=1, batch=50)
    np.testing.assert_allclose(found.losses[0], losses, rtol=1e-5)
    np.testing.assert_allclose(compiled.params["n0:value->n1:variable/matrix"], layers[0].weight.detach().numpy().T, rtol=1e-4, atol=1e-6)


def drawing(x: Value, *, random: Random) -> Value:
    return x + random.normal(3)


def narrowed(x: Value, *, random: Random) -> Value:
    return x + np.float32(random.normal(3))


def accumulating(x: Value, *, total: State = 0.0) -> Step:
    return Step(outputs=(x,), states=(total + np.zeros(3),))


def test_what_is_float64_is_refused() -> None:
    model = cogir.Model("wide", dtype="float32")
    with pytest.raises(
        ModelError, match=r'output "value" of function drawing, computed at .*, is float64 in a model of float32 \(arrays of .* np.float32'
    ):
        model.node("a", drawing, input=3)
    with pytest.raises(ModelError, match=r'state "total" of function accumulating, computed at .* is float64'):
        model.node("b", accumulating, input=3)
    with pytest.raises(ModelError, match=r"function drift_diffusion_integrator draws random numbers, .*; make the model of float64"):
        model.node("d", library.drift_diffusion_integrator)
    node = model.node("c", narrowed, input=3)
    model.output(node)
    native, interpreted = (model.compile(mode=mode).run(np.ones((4, 3)))["c"] for mode in ("run", "python"))
    np.testing.assert_array_equal(native, interpreted)
    with pytest.raises(ModelError, match="modulation is not there in models of float32"):
        model.modulate(node, model.node("d", library.linear, input=1).param("slope"))
    with pytest.raises(ModelError, match="controllers are not there in models of float32"):
        model.control("e", objective=node, signals=[])
    with pytest.raises(ModelError, match="give both the same dtype"):
        cogir.Model("outer").instance("inner", model)


@pytest.mark.parametrize("dtype", ["float16", np.int64, None, 3])
def test_other_types(dtype: Any) -> None:
    with pytest.raises(ModelError, match='give "float64" or "float32"'):
        cogir.Model("model", dtype=dtype)


def with_noise(x: Value, *, sd: Value = 1.0, random: Random) -> Value:
    return x + sd * random.normal()


def with_narrow_noise(x: Value, *, sd: Value = 1.0, random: Random) -> Value:
    return x + sd * np.float32(random.normal())


@pytest.mark.parametrize("function", [with_noise, with_narrow_noise])
def test_a_number_that_is_drawn_is_pythons(function: Any) -> None:
    """Python's own numbers do not widen arrays."""
    model = cogir.Model("noise", dtype="float32")
    node = model.node("noise", function, input=4)
    model.output(node)
    found, wanted = (model.compile(mode=mode).run({node: np.ones((3, 4))})[node] for mode in ("run", "python"))
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found, wanted)
    assert np.all(found != 1.0)


def summed(x: Value) -> Value:
    total = 0.0
    for i in range(3):
        total = total + x[i]
    return total


def widened(x: Value) -> Value:
    y = x + 1.0
    return y + np.zeros(3)


def of_two_types(x: Value) -> Value:
    return max(int(x[0]), x[1])


def test_messages_name_the_line_that_is_float64() -> None:
    model = cogir.Model("lines", dtype="float32")
    line = summed.__code__.co_firstlineno
    with pytest.warns(cogir.NotCompiledWarning, match=rf"test_dtypes.py:{line + 3}: summed: 'total' .*write np\.float32\(\.\.\.\)"):
        model.node("a", summed, input=3)
    line = widened.__code__.co_firstlineno
    with pytest.raises(ModelError, match=rf"function widened, computed at \S*test_dtypes.py:{line + 2}, is float64 .*write np\.float32"):
        model.node("b", widened, input=3)
    wide = cogir.Model("wide")
    wide.output(wide.node("c", of_two_types, input=2))
    line = of_two_types.__code__.co_firstlineno
    with pytest.raises(ModelError, match=rf"returns \(f64\), .* \(i64\); return the same .*, as at \S*test_dtypes.py:{line + 1};"):
        wide.compile(mode="python")


def unchanged(x: Value) -> Value:
    return x


def elu(x: Value, *, a: Value = 0.3) -> Value:
    return np.where(x > 0.0, a * x, np.exp(x) - 1.0)


TRANSFER = [library.identity, library.linear, library.logistic, library.tanh, library.relu, library.exponential]


@pytest.mark.parametrize("shape", [(), (1,), (3,), (2, 2)])
@pytest.mark.parametrize("function", [*TRANSFER, unchanged, elu])
def test_functions_of_numbers_and_of_arrays(function: Any, shape: tuple[int, ...]) -> None:
    given = MADE.normal(size=(5, *shape)).astype(np.float32)
    results: list[Any] = []
    for mode in ("python", "per_node", "run"):
        model = cogir.Model("one", dtype="float32")
        model.output(model.node("n", function, input=shape))
        results.append(model.compile(mode=mode, cache=False).run({"n": given})["n"])
        assert results[-1].dtype == np.float32
        np.testing.assert_array_equal(results[-1], results[0])
    parameters = {"a": np.float32(0.3)} if "a" in (function.__kwdefaults__ or {}) else {}
    np.testing.assert_allclose(results[0], np.asarray(function(given, **parameters), np.float32), rtol=3e-7, atol=1e-7)


def test_a_state_that_is_a_number() -> None:
    def decaying(x: Value, *, rate: Value = 0.1, total: State = 0.25) -> Step:
        after = total + rate * (x - total)
        return Step(outputs=(after,), states=(after,))

    model = cogir.Model("one", dtype="float32")
    model.node("n", decaying, input=())
    given = np.array([1.0, 2.0, -1.0], np.float32)
    expected, total = [], np.float32(0.25)
    for x in given:
        total = total + np.float32(0.1) * (x - total)
        expected.append(total)
    for mode in ("python", "run"):
        np.testing.assert_array_equal(model.compile(mode=mode, cache=False).run({"n": given})["n"], np.array(expected, np.float32))


def test_functions_that_python_calls_give_numbers_of_float32() -> None:
    def digits(x: Value) -> Value:
        return float(f"{float(x):.3f}")

    model = cogir.Model("one", dtype="float32")
    with pytest.warns(cogir.NotCompiledWarning):
        model.node("n", digits, input=())
    found = model.compile(mode="per_node").run({"n": [0.12345]})["n"]
    assert found.dtype == np.float32
    assert found[0] == np.float32(0.123)


def test_the_page_lists_the_functions_that_make_new_arrays() -> None:
    page = (Path(__file__).parents[4] / "docs" / "numbers.md").read_text()
    listed = re.findall(r"`(\w+)`", page.partition("<!-- float64 -->")[2].partition("<!-- end -->")[0])
    shapes: tuple[Any, ...] = (3, (3, 3), (2, 2), None)
    refused: list[str] = []
    for name in library.__all__:
        function = getattr(library, name)
        if name[0].isupper() or name in ("psyneulink", "node_function", "rearrange", "normal_quantile"):
            continue
        for shape in shapes:
            try:
                cogir.Model("m", dtype="float32").node("n", function, **({} if shape is None else {"input": shape}))
            except cogir.CogirError as error:
                if "makes new arrays, which are float64" in str(error):
                    refused.append(name)
                    break
            except TypeError:  # no function of a node
                break
            else:
                break
    assert refused == listed
