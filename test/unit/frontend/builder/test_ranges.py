"""
Ranges of parameters: values that cannot be right are refused where they are set, with the place that set them.
"""

import inspect
import pickle
import re
from typing import Annotated, Any

import numpy as np
import pytest

import cogir
from cogir import library
from cogir.library import State, Step
from cogir.library.signature import signature_of
from cogir.tools.cog_run import main as cog_run

MODES = ["python", "per_node", "exec", "run"]


def leaky(
    x: Any,
    *,
    leak: Annotated[float, cogir.Between(-1.0, 2.0, high_open=True)] = 0.5,
    gain: cogir.Positive = 1,
    weights: Annotated[Any, cogir.Probability] = (0.5, 0.5),
    kept: Annotated[State, cogir.NonNegative] = 0.0,
):
    """A function of a user's own, with ranges in all the ways in which they are declared."""
    total = kept * leak + np.sum(weights * x) * gain
    return Step(outputs=(total,), states=(abs(total),))


def model(**given: Any) -> cogir.Model:
    m = cogir.Model("m")
    a = m.node("a", input=2)
    b = m.node("b", leaky, input=2, **given)
    d = m.node("d", library.drift_diffusion_integrator)
    m.project(a, b)
    m.project(b, d, matrix=[[1.0]])
    return m


def line() -> int:
    """The line of the caller."""
    frame = inspect.currentframe()
    assert frame is not None
    assert frame.f_back is not None
    return frame.f_back.f_lineno


@pytest.mark.parametrize("function", [library.drift_diffusion_integrator, library.leaky_competing_accumulator])
@pytest.mark.parametrize("name", ["threshold", "noise", "time_step_size"])
@pytest.mark.parametrize("value", [-1, -1e-300, np.nan, [0.5, -0.5]])
def test_the_builder_refuses_values_that_cannot_be_right(function: Any, name: str, value: Any) -> None:
    m = cogir.Model("m")
    with pytest.raises(cogir.ModelError, match=rf'node "d": parameter "{name}" is .*; (it|every element) must be at least 0$') as caught:
        m.node("d", function, input=2, params={name: value})
    assert str(caught.value).startswith(f"{__file__}:{line() - 1}:")


def test_infinite_thresholds_and_noise_0_are_legal() -> None:
    m = cogir.Model("m")
    m.node("d", library.drift_diffusion_integrator, threshold=np.inf, noise=0.0, time_step_size=0.5)
    assert m.compile().run({"d": [[1.0]]}, 2)["d"].tolist() == [[0.5], [1.0]]


@pytest.mark.parametrize(
    ("function", "given"),
    [
        (library.psyneulink.gaussian_distort, {"variance": -1.0}),
        (library.psyneulink.binomial_distort, {"p": 1.5}),
        (library.psyneulink.dropout, {"p": -0.1}),
        (library.normal_dist, {"standard_deviation": -1.0}),
        (library.wald_dist, {"mean": 0.0}),
        (library.gamma_dist, {"dist_shape": -1.0}),
        (library.exponential_dist, {"beta": -1.0}),
        (library.psyneulink.gaussian, {"standard_deviation": 0.0}),
        (library.psyneulink.drift_diffusion_analytical, {"threshold": 0.0}),
        (library.psyneulink.drift_diffusion_moments, {"non_decision_time": -0.1}),
        (library.psyneulink.ornstein_uhlenbeck_integrator, {"noise": -1.0}),
        (library.psyneulink.leaky_competing_integrator, {"time_step_size": -0.1}),
        (library.psyneulink.fitz_hugh_nagumo_integrator, {"time_constant_w": 0.0}),
        (library.leaky_competing_accumulator, {"leak": -0.5}),
        (library.psyneulink.linear_timer, {"duration": 0.0}),
    ],
)
def test_the_library_declares_ranges(function: Any, given: dict[str, float]) -> None:
    m = cogir.Model("m")
    with pytest.raises(cogir.ModelError, match=f'parameter "{next(iter(given))}" is .*; it must be '):
        m.node("n", function, **given)


def test_all_defaults_of_the_library_lie_in_their_ranges() -> None:
    declared = 0
    everything = vars(library) | vars(library.psyneulink)
    for name in {*library.__all__, *library.psyneulink.__all__}:
        function = everything[name]
        if inspect.isfunction(function) and name not in ("node_function", "rearrange"):
            signature = signature_of(function)
            for param, allowed in signature.ranges.items():
                assert allowed.holds(signature.params[param]), f"{name}: {param}"
                declared += 1
    assert declared > 40


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"leak": 2.0}, 'parameter "leak" is 2.0; it must be at least -1 and below 2'),
        ({"gain": 0}, 'parameter "gain" is 0; it must be above 0'),
        ({"weights": [0.5, 1.5]}, 'parameter "weights" is [0.5, 1.5]; every element must be at least 0 and at most 1'),
        ({"weights": [np.nan, 0.5]}, 'parameter "weights" is [nan, 0.5]; every element must be at least 0 and at most 1'),
        ({"kept": -1.0}, 'start of state "kept" is -1.0; it must be at least 0'),
    ],
)
def test_functions_of_users_declare_ranges(given: dict[str, Any], said: str) -> None:
    with pytest.raises(cogir.ModelError, match=re.escape(said)):
        model(**given)


@pytest.mark.parametrize("mode", MODES)
def test_parameters_of_contexts_are_refused(mode: str) -> None:
    compiled = model().compile(mode=mode)
    for context in (compiled, compiled.context("another")):
        with pytest.raises(cogir.InputError, match=r"parameter d/param:threshold: found -1; it must be at least 0"):
            context.params["d/threshold"] = -1
        with pytest.raises(cogir.InputError, match=r"found \[0.1, 7.0\]; every element must be at least 0 and at most 1"):
            context.params["b/weights"] = [0.1, 7.0]
        with pytest.raises(cogir.InputError, match=r"b/param:gain: found 0; it must be above 0"):
            context.params.update({"d/threshold": 3.0, "b/gain": 0})
        with pytest.raises(cogir.InputError, match=r"b/initial:state:kept: found -2.0; it must be at least 0"):
            context.params["b/initial:state:kept"] = -2.0
        context.params["d/threshold"] = np.inf
        assert context.params["b/weights"].tolist() == [0.5, 0.5]


def test_ranges_are_in_the_cache_and_in_pickled_contexts(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COGIR_CACHE_DIR", str(tmp_path))
    first = model().compile()
    second = model().compile()
    assert first.plan.ranges == second.plan.ranges
    assert len(second.plan.ranges) == 7
    with pytest.raises(cogir.InputError, match="it must be at least 0"):
        pickle.loads(pickle.dumps(second.context("other"))).params["d/noise"] = -1.0


def test_instances_keep_the_ranges_of_their_models() -> None:
    outer = cogir.Model("outer")
    outer.instance("inner", model())
    with pytest.raises(cogir.InputError, match=r"inner/d/param:threshold: found -1; it must be at least 0"):
        outer.compile().params["inner/d/threshold"] = -1


def test_text_keeps_ranges_and_refuses_values_outside() -> None:
    text = str(model().ir())
    assert "%leak: f64 = 0.5 in [-1.0, 2.0), %gain: i64 = 1 in (0.0, inf], %weights: tensor<2xf64> = dense<0.5> in [0.0, 1.0])" in text
    assert "states (%kept: f64 = 0.0 in [0.0, inf])" in text
    assert str(cogir.Model.from_ir(text).ir()) == text
    wrong = text.replace("%leak: f64 = 0.5", "%leak: f64 = 2.0")
    number, found = next((number, row) for number, row in enumerate(wrong.splitlines(), 1) if "%leak: f64 = 2.0" in row)
    column = found.index("2.0 in") + 1
    with pytest.raises(cogir.ModelError, match=rf'^<model>:{number}:{column}: "leak" is 2.0; it must be at least -1 and below 2$'):
        cogir.Model.from_ir(wrong)
    for written, said in (
        ("(0.0, inf]", "it must be above 0"),
        ("[1.0, 0.0]", r"the range \[1.0, 0.0\] holds no numbers; give the lower end first"),
        ("0.0, 1.0]", r"expected '\[' or '\(' of a range"),
        ("[nan, 1.0]", "expected"),
    ):
        with pytest.raises(cogir.ModelError, match=rf"^<model>:\d+:\d+: .*{said}"):
            cogir.Model.from_ir(text.replace("= 0.0 in [0.0, inf]", f"= 0.0 in {written}"))


def test_cog_run_refuses_them(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "model.mlir"
    path.write_text(str(model().ir()))
    assert cog_run([str(path), "--set", "d.threshold=-1"]) == 1
    assert "parameter d/param:threshold: found -1; it must be at least 0" in capsys.readouterr().err
    path.write_text(str(model().ir()).replace("%threshold: f64 = 100.0", "%threshold: f64 = -100.0"))
    assert cog_run([str(path)]) == 1
    assert re.search(r'model.mlir:\d+:\d+: error: "threshold" is -100.0; it must be at least 0', capsys.readouterr().err)


def controlled(signal: cogir.Signal, m: cogir.Model) -> cogir.Model:
    m.control("c", objective=m["b"], signals=[signal])
    return m


def test_levels_of_signals_are_refused() -> None:
    m = model()
    threshold, leak = m["d"].param("threshold"), m["b"].param("leak")
    cases: tuple[tuple[dict[str, Any], str], ...] = (
        ({"levels": [1.0, -1.0], "modulation": "override"}, "levels is [1.0, -1.0]"),
        ({"levels": [1.0, -1.0]}, "levels is [1.0, -1.0]"),
        ({"levels": [1.0, 2.0], "initial": -1.0, "modulation": "override"}, "initial is -1.0"),
        ({"levels": [1.0, 2.0], "initial": -1.0}, "initial is -1.0"),
    )
    for given, said in cases:
        place = line() + 1
        signal = cogir.Signal(threshold, **given)
        with pytest.raises(cogir.ModelError, match=re.escape(f'{__file__}:{place}: signal "d threshold": {said}, but it modulates')):
            controlled(signal, m)
    controlled(cogir.Signal(leak, levels=[-3.0, 3.0]), m)  # what a product is depends on the other factor
    compiled = m.compile()
    compiled.params["c/levels:b leak"] = [-5.0, 5.0]


def test_what_a_signal_begins_with_is_refused_before_and_after_trials() -> None:
    """A search before the trial may wait for its condition, and then first trials compute with it."""
    for when in ("before", "after"):
        m = model()
        signal = cogir.Signal(m["d"].param("threshold"), levels=[1.0], initial=-1.0, name="s")
        with pytest.raises(cogir.ModelError, match=r"initial is -1.0, but it modulates .*; give a number that is at least 0"):
            m.control("c", objective=m["b"], signals=[signal], when=when)
        signal = cogir.Signal(m["d"].param("threshold"), levels=[1.0], initial=0.5, name="s")
        m.control("c", objective=m["b"], signals=[signal], when=when)
        text = str(m.ir())
        assert text.count("initial 0.5") == 1
        with pytest.raises(
            cogir.ModelError, match=r"signal @s: its initial value is -0.5, but it modulates @d.*; give a number that is at least 0"
        ):
            cogir.Model.from_ir(text.replace("initial 0.5", "initial -0.5"))


@pytest.mark.parametrize("mode", ["python", "run"])
def test_values_of_signals_are_refused_where_they_are_set(mode: str) -> None:
    m = model()
    signal = cogir.Signal(m["d"].param("threshold"), levels=[1.0], name="s")
    m.control("c", objective=m["b"], signals=[signal], when="after")
    compiled = m.compile(mode=mode)
    with pytest.raises(cogir.InputError, match=r"parameter c/initial:signal:s: found -5.0; it must be at least 0"):
        compiled.params["c/initial:signal:s"] = -5.0
    with pytest.raises(cogir.InputError, match=r"state c/signal:s: found -5.0; it must be at least 0"):
        compiled.state["c/signal:s"] = -5.0
    compiled.state["c/signal:s"] = 5.0
    assert compiled.state["c/signal:s"] == 5.0


def test_levels_are_refused_in_parameters_and_in_text() -> None:
    m = model()
    m = controlled(cogir.Signal(m["b"].param("leak"), levels=[0.0, 1.0], modulation="override", name="s"), m)
    with pytest.raises(cogir.InputError, match=r"c/levels:s: found \[0.0, 2.0\]; every element must be at least -1 and below 2"):
        m.compile().params["c/levels:s"] = [0.0, 2.0]
    text = str(m.ir()).replace("levels [0.0, 1.0]", "levels [0.0, 2.0]")
    with pytest.raises(cogir.ModelError, match=r"^<model>:\d+:\d+: signal @s: its levels are dense<\[0.0, 2.0\]>, but it modulates @b"):
        cogir.Model.from_ir(text)


def test_optimizers_of_users_declare_ranges() -> None:
    def descent(weights: Any, gradient: Any, *, rate: cogir.Positive = 0.1):
        return weights - rate * gradient

    m = cogir.Model("m")
    a, b, t = m.node("a", input=2), m.node("b"), m.node("t")
    m.project(a, b, matrix=[[1.0], [1.0]])
    with pytest.raises(cogir.ModelError, match=r'parameter "rate" is 0.0; it must be above 0'):
        m.learning([(b, t)], descent, rate=0.0)
    m = cogir.Model("m")
    a, b, t = m.node("a", input=2), m.node("b"), m.node("t")
    m.project(a, b, matrix=[[1.0], [1.0]])
    m.learning([(b, t)], descent)
    text = str(m.ir())
    assert "params (rate: f64 = 0.1 in (0.0, inf])" in text
    assert str(cogir.Model.from_ir(text).ir()) == text
    with pytest.raises(cogir.ModelError, match=r'^<model>:\d+:\d+: "rate" is 0.0; it must be above 0'):
        cogir.Model.from_ir(text.replace("rate: f64 = 0.1", "rate: f64 = 0.0"))


def test_declarations_that_cannot_be_right_are_refused() -> None:
    def twice(x: Any, *, a: Annotated[Any, cogir.Positive, cogir.Probability] = 0.5):
        return x * a

    def of_an_input(x: cogir.Positive):
        return x

    m = cogir.Model("m")
    with pytest.raises(cogir.ModelError, match=r"twice: parameter a has 2 ranges; declare one"):
        m.node("n", twice)
    with pytest.raises(cogir.ModelError, match=r"of_an_input: x has a range, but is neither a parameter nor a state; leave the range out"):
        m.node("n", of_an_input)
    for low, high in ((1.0, 0.0), (np.nan, 1.0)):
        with pytest.raises(ValueError, match="holds no numbers; give the lower end first"):
            cogir.Between(low, high)
    for given, message in (
        (("a", 1), "Between: low is 'a'; give a number, such as Between"),
        ((0, None), "Between: high is None; give a number"),
        ((0, [1]), r"Between: high is \[1\]; give a number"),
        ((0, 1, 2), "Between: low_open is 2; give True for a range without that end"),
    ):
        with pytest.raises(TypeError, match=message):
            cogir.Between(*given)
    assert cogir.Between(np.float32(0.5), 10**3) == cogir.Between(0.5, 1000.0)
