"""Variables, ports, parameters and states with Greek and other letters: every mode, every level, and texts."""

# pyright: basic
import numpy as np
import pytest

import cogir
from cogir.errors import CogirError
from cogir.library import Random, State, Step, node_function
from cogir.tools import cog_opt


@node_function(outputs=("δ", "ŷ"))
def greek(x, ψ, *, α=0.5, µ=1.0, θ: State = 0.0, ξ: State = np.zeros(2), ρ: Random):
    δ = α * x + ψ - θ
    for ι in range(3):
        δ = δ + µ * ι
    ς = np.zeros(3)
    for κ, ε in enumerate(ς):
        if δ > 0.0:
            ς[κ] = ε + δ

    def λ(τ):
        return τ * α

    def φ(ω=1.0):
        return ω + λ(µ)

    θ2 = θ + δ + φ()
    while θ2 > 10.0:
        θ2 /= 2.0
    return Step(outputs=(δ + ς[0] + ρ.normal(()), θ2), states=(θ2, ξ + 1.0))


def latin(x, y, *, alpha=0.5, mu=1.0, theta: State = 0.0, xi: State = np.zeros(2), random: Random):
    d = alpha * x + y - theta
    for i in range(3):
        d = d + mu * i
    c = np.zeros(3)
    for k, e in enumerate(c):
        if d > 0.0:
            c[k] = e + d

    def f(t):
        return t * alpha

    def g(o=1.0):
        return o + f(mu)

    next_theta = theta + d + g()
    while next_theta > 10.0:
        next_theta /= 2.0
    return Step(outputs=(d + c[0] + random.normal(()), next_theta), states=(next_theta, xi + 1.0))


def model_of(function, inputs):
    m = cogir.Model("gré", seed=3)
    stimulus = m.node("σ", input=())
    node = m.node("νode", function, input=dict.fromkeys(inputs, ()), seed=3)  # streams of the model depend on names of arguments
    for name in inputs:
        m.project(stimulus, node[name])
    m.output(node)
    return m


GREEK, LATIN = model_of(greek, ("x", "ψ")), model_of(latin, ("x", "y"))
GIVEN = {"σ": [1.0, -2.0, 0.5]}


def values(m, **options):
    return np.stack([np.asarray(value) for value in m.compile(**options).run(GIVEN).values()])


@pytest.mark.sampled(2)
@pytest.mark.parametrize("mode", ["auto", "run", "exec", "per_node", "python"])
def test_letters_make_no_difference(mode):
    np.testing.assert_array_equal(values(GREEK, mode=mode), values(LATIN, mode="run"))


def test_the_text_is_read_again():
    text = str(GREEK.ir())
    again = cogir.Model.from_ir(text)
    assert str(again.ir()) == text
    np.testing.assert_array_equal(values(again), values(LATIN))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("stage", ["cog", "scheduled", "machine", "loops", "cf", "llvm"])
def test_the_text_of_every_stage_is_read_again(stage, tmp_path, capsys):
    path = tmp_path / "model.mlir"
    path.write_text(str(GREEK.ir()), encoding="utf-8")
    for options in ([f"--emit={stage}"], []):
        assert cog_opt.main([str(path), *options]) == 0
        text = capsys.readouterr().out
        if options:
            path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text


def test_parameters_and_states_have_their_names():
    compiled = GREEK.compile()
    compiled.params["νode/α"] = 0.25
    swept = compiled.sweep({"νode/α": [0.25, 0.5]}, GIVEN)
    assert compiled.params["νode/α"] == 0.25
    assert compiled.state["νode/θ"] == 0.0
    assert swept["νode/δ"].shape[0] == 2


def test_letters_that_python_turns_into_others_are_explained():
    """The micro sign of keyboards is the Greek letter in an identifier."""
    with pytest.raises(CogirError, match=r'did you mean "νode/μ", in the letters to which Python turns those of an identifier \(NFKC\)\?'):
        _ = GREEK.compile().params["νode/\u00b5"]
    with pytest.raises(CogirError, match=r'did you mean "μ", in the letters'):
        cogir.Model("m").node("n", greek, input={"x": (), "ψ": ()}, params={"\u00b5": 1.0})
