"""Functions of nodes that cannot be compiled are called in Python, beside nodes that are native."""

import math
import subprocess
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cogir
from cogir import library
from cogir.frontend.compile import source_of
from cogir.library import Random, State, Static, Step
from cogir.runtime.interpreted import InterpreterEngine
from cogir.runtime.per_node import NativeBodies
from cogir.runtime.staged import StagedEngine

KINDS = ("mt19937", "philox4x64", "xoshiro256")


def guarded(x: Any, *, gain: Any = 1.0, total: State = 0.0, mode: Static = "sum", random: Random) -> Any:
    """Draws, counts and finishes; 'try' is not in the subset."""
    try:
        value = gain * x + random.normal(x.shape) + total
    except ValueError:
        value = x
    total = total + random.uniform() if mode == "sum" else total
    return Step(outputs=(value, len(x)), states=(total,), finished=total > 1.0)


def compilable(x: Any, *, gain: Any = 1.0, total: State = 0.0, mode: Static = "sum", random: Random) -> Any:
    """The same in the subset."""
    value = gain * x + random.normal(x.shape) + total
    total = total + random.uniform() if mode == "sum" else total
    return Step(outputs=(value, len(x)), states=(total,), finished=total > 1.0)


def scaled_sum(x: Any, *, slope: Any = 1.0) -> Any:
    return slope * np.sum(x)


def in_the_subset(x: Any) -> Any:
    return math.sqrt(2.0) * np.tanh(sum(v for v in x)) if np.any(x > 0.0) else 0.0


def model(function: Any, kind: str = "mt19937") -> cogir.Model:
    m = cogir.Model("mixed", seed=7)
    first = m.node("first", library.normal_dist, input=2, seed=3)
    odd = m.node("odd", function, input=2, gain=2.0, seed=11, prng=kind)
    last = m.node("last", library.logistic, input=2)
    m.project(first, odd)
    m.project(odd["value_0"], last)
    m.output(odd, last)
    return m


def warned(function: Any = guarded, kind: str = "mt19937") -> cogir.Model:
    with pytest.warns(cogir.NotCompiledWarning, match=r"'try' is not in the subset"):
        return model(function, kind)


INPUTS = {"first": [[1.0, 2.0], [0.5, -1.0], [0.0, 0.0]]}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("mode", ["auto", "per_node", "python"])
@pytest.mark.filterwarnings("ignore::cogir.ReducedModeWarning")
def test_it_gives_what_it_would_give_compiled(mode: str, kind: str) -> None:
    expected = model(compilable, kind).compile(mode="run").run(INPUTS, num_trials=5)
    c = warned(kind=kind).compile(mode=mode)
    found = c.run(INPUTS, num_trials=5)
    for path in expected:
        assert found[path].tolist() == expected[path].tolist()
        assert found[path].dtype == expected[path].dtype
    assert c.mode == ("per_node" if mode == "auto" else mode)


@pytest.mark.filterwarnings("ignore::cogir.NotCompiledWarning")
def test_the_other_nodes_are_native() -> None:
    with pytest.warns(cogir.ReducedModeWarning, match=r'mode run: .*node "odd": .*\'try\' is not in the subset'):
        c = model(guarded).compile()
    assert isinstance(c.engine, InterpreterEngine)
    engine = c.engine.model.engine
    assert isinstance(engine, NativeBodies)
    native = {op.parent_op().sym_name.data for op in engine.bodies}  # pyright: ignore
    assert native == {"first", "last"}


def test_the_warning_is_at_the_users_line() -> None:
    with pytest.warns(cogir.NotCompiledWarning) as caught:
        model(guarded)
    (one,) = caught
    line = next(number for number, text in enumerate(Path(__file__).read_text().splitlines(), 1) if '"odd", function' in text)
    assert (one.filename, one.lineno) == (__file__, line)
    assert f"{__file__}:{line}: node " in str(one.message)


class Net:
    """What a torch module is to a model: an object with methods."""

    def __init__(self, weights: Any):
        self.weights = weights

    def respond(self, x: Any, *, bias: Any = 0.0) -> Any:
        return np.maximum(self.weights @ x + bias, 0.0).astype(np.float32)

    def __call__(self, x: Any) -> Any:
        return self.respond(x)


@pytest.mark.filterwarnings("ignore::cogir.ReducedModeWarning")
def test_methods_and_objects_are_called() -> None:
    net = Net(np.array([[1.0, 2.0], [3.0, -4.0]]))
    for function in (net.respond, net):
        m = cogir.Model()
        with pytest.warns(cogir.NotCompiledWarning, match="only functions written with def or lambda can be compiled"):
            node = m.node("net", function, input=2)
        assert str(node.outputs["value"]) == "2xf32"
        result = m.compile().run({"net": [[1.0, 1.0], [1.0, 0.0]]})
        assert result["net"].tolist() == [[3.0, 0.0], [1.0, 3.0]]


@pytest.mark.filterwarnings("ignore::cogir.ReducedModeWarning")
def test_a_module_of_torch() -> None:
    torch = pytest.importorskip("torch")

    class Layer(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()  # pyright: ignore[reportUnknownMemberType]
            self.linear = torch.nn.Linear(2, 3, dtype=torch.float64)

        def respond(self, x: Any) -> Any:
            return self.linear(torch.from_numpy(x)).detach()

    layer = Layer()
    m = cogir.Model()
    with pytest.warns(cogir.NotCompiledWarning):
        m.node("layer", layer.respond, input=2)
    x = np.array([0.5, -2.0])
    assert m.compile().run({"layer": [x]})["layer"].tolist() == [layer.respond(x).tolist()]


@pytest.mark.filterwarnings("ignore::cogir.ReducedModeWarning")
def test_a_call_of_scipy() -> None:
    special = pytest.importorskip("scipy.special")

    def slope(x: Any, *, gain: Any = 1.0) -> Any:
        return special.digamma(gain * x)

    m = cogir.Model()
    with pytest.warns(cogir.NotCompiledWarning, match="is not in the subset; of scipy.special, erf, expit"):
        m.node("slope", slope, input=3)
    x = np.array([-1.5, 0.5, 2.0])
    assert m.compile().run({"slope": [x]})["slope"].tolist() == [special.digamma(x).tolist()]


def test_functions_of_scipy_that_are_compiled(recwarn: pytest.WarningsRecorder) -> None:
    special = pytest.importorskip("scipy.special")

    def likelihoods(x: Any, *, gain: Any = 1.0) -> Any:
        return special.softmax(special.gammaln(x)) + special.expit(gain * x) - special.logsumexp(x)

    m = cogir.Model()
    m.node("likelihoods", likelihoods, input=3)
    compiled = m.compile()
    assert compiled.mode == "run"
    x = np.array([-1.5, 0.5, 2.0])
    np.testing.assert_allclose(compiled.run({"likelihoods": [x]})["likelihoods"][0], likelihoods(x), rtol=1e-14)
    assert not recwarn.list


@pytest.mark.filterwarnings("ignore::cogir.NotCompiledWarning", "ignore::cogir.ReducedModeWarning")
@pytest.mark.parametrize("mode", ["per_node", "python"])
def test_states_parameters_instances_and_contexts(mode: str) -> None:
    outer = cogir.Model("outer")
    outer.instance("inner", model(guarded))
    same = cogir.Model("outer")
    same.instance("inner", model(compilable))
    results: list[Any] = []
    for each in (outer.compile(mode=mode), same.compile(mode=mode)):
        each.params["inner/odd/gain"] = 3.0
        each.state["inner/odd/total"] = 0.25
        each.run({"inner": [[1.0, 2.0]]}, num_trials=2)
        twin = each.context().copy()
        results.append([each.run({"inner": [[1.0, 2.0]]}, num_trials=2, context=one).rows.tolist() for one in (twin, None)])
        assert each.state["inner/odd/total"] > 0.25
    assert results[0] == results[1]


@pytest.mark.filterwarnings("ignore::cogir.NotCompiledWarning")
@pytest.mark.parametrize("mode", ["run", "exec"])
def test_machine_code_of_it_is_refused(mode: str) -> None:
    with pytest.raises(cogir.FunctionError, match=r'test_python_functions\.py:\d+: node "odd": .*\'try\' is not in the subset'):
        model(guarded).compile(mode=mode)


@pytest.mark.filterwarnings("ignore::cogir.NotCompiledWarning", "ignore::cogir.ReducedModeWarning")
def test_replicates_learning_control_and_stages_are_refused() -> None:
    with pytest.raises(cogir.FunctionError, match=r'replicates: node "odd" is called in Python'):
        model(guarded).compile().replicates(INPUTS, count=2)
    for stage in StagedEngine.STAGES:
        with pytest.raises(cogir.FunctionError, match="'try' is not in the subset"):
            StagedEngine(source_of(model(guarded)), stage)

    learner = model(guarded)
    learner.learning([(learner["last"], learner["first"])], weights=[learner.project(learner["first"], learner["last"], matrix=np.eye(2))])
    for mode in ("auto", "python"):
        with pytest.raises(cogir.FunctionError, match="'try' is not in the subset"):
            learner.compile(mode=mode).learn(INPUTS)

    searched = model(guarded)
    objective = searched.node("objective", scaled_sum, input=2)
    searched.project(searched["last"], objective)
    searched.control("control", objective=objective, signals=[cogir.Signal(objective.param("slope"), levels=[0.0, 1.0])])
    for mode in ("auto", "per_node", "python"):
        with pytest.raises(cogir.FunctionError, match=r'controller "control": it simulates node "odd", which is called in Python'):
            searched.compile(mode=mode)


@pytest.mark.filterwarnings("ignore::cogir.NotCompiledWarning")
@pytest.mark.parametrize("mode", ["auto", "run", "per_node", "python"])
def test_a_text_says_that_it_needs_python(mode: str) -> None:
    text = str(model(guarded).ir())
    assert 'cog.python = "' in text
    assert str(cogir.Model.from_ir(text).ir()) == text
    with pytest.raises(cogir.FunctionError, match=r"@guarded.*'try' is not in the subset"):
        cogir.compile(text, mode=mode)


@pytest.mark.filterwarnings("ignore::cogir.NotCompiledWarning")
@pytest.mark.parametrize("tool", ["cog_run", "cog_translate"])
def test_tools_say_that_it_needs_python(tool: str, tmp_path: Path) -> None:
    file = tmp_path / "model.mlir"
    file.write_text(str(model(guarded).ir()))
    ended = subprocess.run([sys.executable, "-m", f"cogir.tools.{tool}", str(file)], capture_output=True, text=True, check=False)
    assert ended.returncode != 0
    assert "@guarded is a Python function" in ended.stderr
    assert "Traceback" not in ended.stderr


SEEN: list[float] = []


def remembers(x: Any, *, gain: Any = 1.0) -> Any:
    SEEN.append(1.0)
    return gain * x * eval("1.0")


@pytest.mark.filterwarnings("ignore::cogir.NotCompiledWarning", "ignore::cogir.FreshStartWarning")
@pytest.mark.parametrize("where", ["store", "executor"])
def test_sweeps_are_refused_for_the_call_and_not_for_what_it_changes(where: str, tmp_path: Path) -> None:
    m = cogir.Model("changing")
    m.node("odd", remembers, input=1)
    compiled = m.compile(mode="python")
    compiled.run([[1.0]])
    with ThreadPoolExecutor(1) as pool:
        given: dict[str, Any] = {where: tmp_path / "sweep.zarr" if where == "store" else pool}
        with pytest.raises(cogir.FunctionError, match='sweep: node "odd" is called in Python, so it may keep state'):
            compiled.sweep({"odd/gain": [1.0]}, [[1.0]], **given)
    with pytest.raises(cogir.InputError, match='show: model "changing", or what its functions read, was changed after it was compiled'):
        compiled.show()


def changes_shape(x: Any, *, calls: State = 0) -> Any:
    assert calls < 100
    return Step(outputs=(np.zeros(2) if calls < 2 else np.zeros(3),), states=(calls + 1,))


def says_text(x: Any, *, calls: State = 0) -> Any:
    assert calls < 100
    return Step(outputs=("text" if calls == 2 else 0.5,), states=(calls + 1,))


def divides(x: Any, *, calls: State = 0) -> Any:
    assert calls < 100
    return Step(outputs=(1 / (2 - calls),), states=(calls + 1,))


@pytest.mark.filterwarnings("ignore::cogir.NotCompiledWarning", "ignore::cogir.ReducedModeWarning")
@pytest.mark.parametrize(
    ("function", "message"),
    [
        (changes_shape, r"node \"n\": its function returned shape \(3,\), but \(2,\) when the model was built"),
        (says_text, "node \"n\": found 'text'"),
        (divides, 'node "n": its function raised ZeroDivisionError: division by zero'),
    ],
)
def test_what_goes_wrong_in_a_call_names_the_node(function: Any, message: str) -> None:
    m = cogir.Model()
    m.node("n", function)
    c = m.compile()
    with pytest.raises(cogir.ExecutionError, match=message) as caught:
        c.run(num_trials=5)
    assert isinstance(caught.value.result, cogir.Result)
    assert caught.value.result.num_trials == 2
    assert c.state["n/calls"] == 2


def returns_text(x: Any) -> Any:
    return str(x)


def returns_ragged(x: Any) -> Any:
    assert len(x) == 1
    return [[1.0], [1.0, 2.0]]


@pytest.mark.parametrize("function", [returns_text, returns_ragged])
def test_what_returns_no_numbers_is_refused(function: Any) -> None:
    with pytest.raises(
        cogir.FunctionError, match=r'test_python_functions\.py:\d+: node "n": .*and when it is called in Python with its initial values, it'
    ):
        cogir.Model().node("n", function)


def draws_as_many(x: Any, *, random: Random) -> Any:
    return random.normal(int(x[0]))


def draws_rows(x: Any, *, random: Random) -> Any:
    return random.uniform((2, int(x[0])))


@pytest.mark.parametrize("function", [draws_as_many, draws_rows])
def test_draws_of_a_shape_that_an_input_decides_name_the_reason(function: Any) -> None:
    with pytest.raises(
        cogir.FunctionError, match=rf"{function.__name__}: a shape must be known when the function is compiled, and this is"
    ):
        cogir.Model().node("n", function)


def test_integers_of_other_widths_become_whole_numbers() -> None:
    def narrow(x: Any) -> Any:
        assert x is not None
        return np.int32(2**31 - 1), np.float16(0.5), True

    m = cogir.Model()
    with pytest.warns(cogir.NotCompiledWarning):
        node = m.node("n", narrow)
    assert [str(kept) for kept in node.outputs.values()] == ["i64", "f64", "i1"]
    result = m.compile(mode="python").run()
    assert [result["n", f"value_{i}"].tolist() for i in range(3)] == [[2**31 - 1], [0.5], [True]]


def test_functions_in_the_subset_do_not_warn() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        m = cogir.Model()
        m.node("a", compilable, input=2)
        m.node("b", in_the_subset, input=2)
        m.compile(mode="run")


def test_only_signs_in_a_function_load_the_compiler(tmp_path: Path) -> None:
    code = """
import sys, cogir, numpy as np
def plain(x, *, gain=1.0):
    y = [gain * v for v in x]
    return np.tanh(np.array(y))
m = cogir.Model()
m.node("a", plain, input=2)
for name in cogir.library.__all__:
    pass
m.node("b", cogir.library.drift_diffusion_integrator)
assert "xdsl" not in sys.modules
"""
    script = tmp_path / "script.py"  # the source of a function can be read in a file only
    script.write_text(code)
    subprocess.run([sys.executable, script], check=True)


def test_the_repr_of_a_model_names_its_seed() -> None:
    assert repr(cogir.Model("ddm")) == '<model "ddm", seed 0 (default), 0 nodes, 0 projections>'
    assert repr(cogir.Model("ddm", seed=3)) == '<model "ddm", seed 3, 0 nodes, 0 projections>'


def without_signs(x: Any) -> Any:
    return np.array(x.tolist())


@pytest.mark.filterwarnings("ignore::cogir.ReducedModeWarning")
def test_what_only_the_compiler_finds_is_called_too() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        m = cogir.Model()
        m.node("n", without_signs, input=2)
    with pytest.warns(cogir.NotCompiledWarning, match=r"test_python_functions\.py:\d+: node .*no attribute 'tolist'") as caught:
        c = m.compile()
    assert len([one for one in caught if one.category is cogir.NotCompiledWarning]) == 1
    assert c.mode == "per_node"
    assert c.run({"n": [[1.0, 2.0]]})["n"].tolist() == [[1.0, 2.0]]
    with pytest.raises(cogir.FunctionError, match=r"test_python_functions\.py:\d+: node .*no attribute 'tolist'"):
        m.compile(mode="run")


def test_functions_that_are_no_nodes_must_be_in_the_subset() -> None:
    m = cogir.Model()
    m.project(m.node("a", input=2), m.node("b", input=2), function=without_signs)
    with pytest.raises(cogir.FunctionError, match=r"test_python_functions\.py:\d+: projection a -> b: .*no attribute 'tolist'"):
        m.compile()


def says_two_flags(x: Any, *, calls: State = 0) -> Any:
    assert calls < 100
    return Step(outputs=(x,), states=(calls + 1,), finished=np.array([True, False]) if calls == 2 else np.bool_(False))


@pytest.mark.filterwarnings("ignore::cogir.NotCompiledWarning")
def test_a_flag_is_one_truth_value() -> None:
    m = cogir.Model()
    m.node("n", says_two_flags)
    with pytest.raises(cogir.ExecutionError, match=r'node "n": its function returned shape \(2,\), but \(\) when the model was built'):
        m.compile(mode="python").run(num_trials=5)
