"""Models from text and modules: they run, and what is wrong in them is told with line and column."""

import pytest

import cogir
from cogir import library
from cogir.frontend.text import parse

TEXT = """\
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 2.0) -> (value: tensor<2xf64> = dense<0.0>) {
    %y = func.call @linear(%x, %gain) : (tensor<2xf64>, f64) -> tensor<2xf64>
    cog.yield %y
  }
  cog.input @a
  cog.output @a
}
func.func private @linear(%x: tensor<2xf64>, %gain: f64) -> tensor<2xf64> {
  %g = tensor.splat %gain : tensor<2xf64>
  %y = arith.mulf %x, %g : tensor<2xf64>
  func.return %y : tensor<2xf64>
}
"""


@pytest.mark.parametrize("mode", ["python", "run"])
def test_text_runs(mode):
    c = cogir.compile(TEXT, mode=mode)
    assert c.run([[1.0, 3.0]])["a"].tolist() == [[2.0, 6.0]]
    c.params["a/gain"] = 10.0
    assert c.run([[1.0, 3.0]])["a"].tolist() == [[10.0, 30.0]]


def test_a_module_runs_and_stays_as_it_is():
    module = parse(TEXT)
    before = str(module)
    cogir.compile(module).run([[1.0, 3.0]])
    cogir.Model.from_ir(module).compile(mode="python").run([[1.0, 3.0]])
    assert str(module) == before


MISTAKES = {
    "syntax": (TEXT.replace("cog.input @a", "cog.input a"), r"<model>:6:\d+: "),
    "unknown operation": (TEXT.replace("cog.yield", "cog.give"), r"<model>:4:\d+: "),
    "unknown node": (TEXT.replace("cog.output @a", "cog.output @b"), r"<model>:7:3: .*@b"),
    "wrong type": (TEXT.replace("-> (value: tensor<2xf64>", "-> (value: tensor<3xf64>"), r"<model>:\d+:\d+: "),
    "no model": ("builtin.module {}", "the module contains no cog.model"),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_mistakes(case):
    text, message = MISTAKES[case]
    with pytest.raises(cogir.ModelError, match=message):
        cogir.compile(text)


def test_other_things_are_no_models():
    with pytest.raises(cogir.ModelError, match=r"compile: found 3; give a cogir.Model, a module with a cog.model, or its text"):
        cogir.compile(3)  # pyright: ignore[reportArgumentType]


def test_a_model_with_draws_survives_its_text():
    m = cogir.Model("m")
    m.node("n", library.psyneulink.gaussian_distort, seed=3)
    direct, parsed = m.compile(), cogir.compile(str(m.ir()))
    assert direct.run([[0.0]], 4)["n"].tolist() == parsed.run([[0.0]], 4)["n"].tolist()


@pytest.mark.parametrize("step", ["cogir.frontend.text.CogParser.parse_module", "cogir.frontend.compilable.compile_source"])
def test_arrays_that_do_not_fit_into_memory(step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading and lowering a large array takes Python numbers, for which there may be no memory."""

    def too_much(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(step, too_much)
    with pytest.raises(cogir.ModelError, match=r"there is not enough memory to compile it, .* use smaller arrays"):
        cogir.compile(TEXT)
