"""Any name is a good name: functions, nodes, models and generators that are called like what the compiler adds."""

# pyright: basic
import pytest
from support.random.functions import define
from xdsl.dialects import func

import cogir
from cogir import library
from cogir.dialects.text import parse_text
from cogir.errors import LoweringError
from cogir.frontend.compile import source_of
from cogir.lowering.pipeline import lower_to
from cogir.runtime.compiled import Compiled
from cogir.runtime.staged import StagedEngine
from cogir.tools.common import verify_module

NAMES = ("init", "trial", "run", "cogir_stop_requested")
"""What the passes add."""

SOURCE = """
def NAME(x):
    while x < 10.0:
        x = abs(x) * 2.0 + 0.25
    return x
"""


def named(name: str, function: str) -> cogir.Model:
    """A model called `name`, with a node called so, that draws, and one whose function, a loop, is called `function`."""
    model = cogir.Model(name)
    drawn = model.node(name, library.psyneulink.gaussian_distort, input=1, seed=1)
    looped = model.node("looped", define(SOURCE.replace("NAME", function), function), input=())
    model.project(drawn, looped)
    return model


def results(compiled: Compiled) -> list[float]:
    """What three trials give."""
    return compiled.run([[0.5]], num_trials=3)["looped"].ravel().tolist()


EXPECTED = results(named("m", "f").compile(mode="python"))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", NAMES)
def test_names_of_functions_nodes_and_models_in_all_modes(name: str) -> None:
    model = named(name, name)
    text = str(model.ir())
    for mode in ("python", "per_node", "exec", "run"):
        assert results(model.compile(mode=mode, cache=False)) == EXPECTED, mode
        assert results(cogir.compile(text, mode=mode, cache=False)) == EXPECTED, f"{mode}, from text"
    for stage in StagedEngine.STAGES:
        assert results(Compiled(StagedEngine(source_of(model), stage), stage, name)) == EXPECTED, stage


@pytest.mark.sampled(2)
@pytest.mark.parametrize("stage", ["machine", "loops", "llvm"])
@pytest.mark.parametrize("name", NAMES)
def test_names_of_generators(name: str, stage: str) -> None:
    text = str(named("m", "f").ir()).replace("@m_stream", f"@{name}")
    assert results(cogir.compile(text, mode="run", cache=False)) == EXPECTED
    module = parse_text(text)
    lower_to(module, stage)
    verify_module(module)


def test_the_new_name_is_readable() -> None:
    module = named("m", "trial").ir()
    lower_to(module, "machine")
    names = [op.sym_name.data for op in module.ops if isinstance(op, func.FuncOp)]
    assert names == ["init", "trial", "gaussian_distort", "trial_1"]


def test_costs_are_renamed_too() -> None:
    model = cogir.Model("m")
    node = model.node("looped", library.linear, input=())
    cost = define("def trial(x):\n    return x * x\n", "trial")
    model.control("k", objective=node, signals=[cogir.Signal(node.param("slope"), levels=[0.0, 1.0, 2.0], cost=cost)])
    assert results(model.compile(mode="run", cache=False)) == results(model.compile(mode="python"))


def test_a_public_function_keeps_its_name() -> None:
    text = str(named("m", "trial").ir()).replace("func.func private @trial", "func.func @trial")
    with pytest.raises(LoweringError, match="@trial is a public function of the module; make it private, or rename it"):
        lower_to(parse_text(text), "machine")
