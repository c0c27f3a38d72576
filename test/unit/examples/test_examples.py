"""
Every example: the text beside it is what it builds, and every stage, native code and LLVM's own tools give the same bits.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.long import long_but
from xdsl.dialects import llvm
from xdsl.dialects.builtin import ModuleOp

import cogir
from cogir.dialects.text import parse_text
from cogir.frontend.compile import source_of
from cogir.lowering.pipeline import lower_to
from cogir.runtime.compiled import Compiled
from cogir.runtime.recorded import recorded
from cogir.runtime.staged import StagedEngine

pytestmark = pytest.mark.sampled(3)

ROOT = Path(__file__).parents[3]
sys.path[:0] = [str(ROOT / "examples")]
sys.path.append(str(ROOT / "test" / "support"))  # not before the standard library, whose `random` it would hide

from catalogue import EXAMPLES  # noqa: E402

TOO_LARGE = "predator_prey_xl"
"""The example that takes minutes to interpret: a trial of it searches 1,030,301 points."""


QUICK = long_but(EXAMPLES, ["chain_conditions", "ddm_integrator", "evc_ddm", "extended_stroop_a", "lca", "necker_s", "predator_prey_s"])


def at_stage(model: cogir.Model, stage: str) -> Compiled:
    """The model ready to run at a stage."""
    if stage == "native":
        return model.compile(mode="run", cache=False)
    if stage == "cog":
        return model.compile(mode="python")
    return Compiled(StagedEngine(source_of(model), stage), stage, model.name)


def bits(compiled: Compiled, inputs: dict[str, Any], trials: int) -> np.ndarray:
    """The results of all trials, as bits."""
    result = compiled.run(inputs, num_trials=trials)
    return np.array([np.concatenate([np.ravel(value) for value in trial]) for trial in result.results]).view(np.int64)


@pytest.mark.parametrize("name", EXAMPLES)
def test_text_is_what_the_script_builds(name: str) -> None:
    written = (ROOT / "examples" / f"{name}.mlir").read_text()
    assert written == str(EXAMPLES[name].build().ir()) + "\n", "write it again: python examples/catalogue.py"


def test_every_text_has_a_script() -> None:
    assert {path.stem for path in (ROOT / "examples").glob("*.mlir")} == set(EXAMPLES)


@pytest.mark.parametrize("name", long_but(EXAMPLES, ["chain", "botvinick_stroop", "evc_ddm", "lca"]))
def test_text_runs_like_the_builder(name: str) -> None:
    example = EXAMPLES[name]
    text = (ROOT / "examples" / f"{name}.mlir").read_text()
    from_text = bits(cogir.Model.from_ir(text).compile(mode="run", cache=False), example.inputs, example.trials)
    np.testing.assert_array_equal(from_text, bits(at_stage(example.build(), "native"), example.inputs, example.trials))


@pytest.mark.parametrize("stage", ["machine", "loops", "cf", "native"])
@pytest.mark.parametrize("name", QUICK)
def test_every_stage_gives_the_same_bits(name: str, stage: str) -> None:
    if name == TOO_LARGE:
        pytest.skip("takes minutes to interpret: in `make check-full`, one trial of it")
    example = EXAMPLES[name]
    expected = bits(at_stage(example.build(), "cog"), example.inputs, example.trials)
    np.testing.assert_array_equal(bits(at_stage(example.build(), stage), example.inputs, example.trials), expected)


@pytest.mark.full
@pytest.mark.parametrize("stage", ["cog", "machine", "loops", "cf"])
def test_every_stage_of_the_large_search_gives_the_same_bits(stage: str) -> None:
    example = EXAMPLES[TOO_LARGE]
    expected = bits(at_stage(example.build(), "native"), example.inputs, 1)
    np.testing.assert_array_equal(bits(at_stage(example.build(), stage), example.inputs, 1), expected)


@pytest.mark.parametrize("name", EXAMPLES)
def test_lowering_leaves_only_the_llvm_dialect(name: str) -> None:
    module = EXAMPLES[name].build().ir()
    lower_to(module, "llvm")
    known = set(llvm.LLVM.operations)
    assert {op.name.split(".")[0] for op in module.walk() if not isinstance(op, ModuleOp)} == {"llvm"}, known


def lowered(build: Callable[[], cogir.Model], stage: str) -> ModuleOp:
    """The module of an example at a stage."""
    module = build().ir()
    lower_to(module, stage)
    return module


@pytest.mark.parametrize("name", QUICK)
def test_llvm_accepts_the_ir(name: str) -> None:
    from mlir_tools import need_tools, verify_llvm_ir

    from cogir.backend.emit_llvm_ir import emit_llvm_ir

    need_tools("opt")
    verify_llvm_ir(emit_llvm_ir(lowered(EXAMPLES[name].build, "llvm")))


PLAIN = ("loops", "cf", "llvm")
"""The stages at which only upstream dialects are left."""


def read_by_mlir_opt(module: ModuleOp, options: dict[str, dict[str, Any]] | None = None) -> None:
    """Lowers a module to each of the plain stages; mlir-opt, which knows nothing of ours, has to accept it."""
    from mlir_tools import need_tools, run_tool

    need_tools("mlir-opt")
    since = "cog"
    for stage in PLAIN:
        lower_to(module, stage, since=since, options=options)
        run_tool("mlir-opt", text=str(module))
        since = stage


@pytest.mark.parametrize("name", QUICK)
def test_mlir_opt_reads_the_stages_that_are_plain_mlir(name: str) -> None:
    read_by_mlir_opt(parse_text((ROOT / "examples" / f"{name}.mlir").read_text()))


def test_mlir_opt_reads_the_code_of_replicates() -> None:
    model = cogir.Model("decides")  # with normals of its own generator, as mlir-opt does not know `rng.presampled`
    settings = {"noise": 1.0, "threshold": 1.0, "execute_until_finished": True, "reset_each_trial": True}
    model.node("DDM", cogir.library.drift_diffusion_integrator, input=1, **settings)
    read_by_mlir_opt(recorded(source_of(model).build()).module, {"replicate": {"enabled": True}})


def test_mlir_opt_reads_the_code_of_learning() -> None:
    model = cogir.Model("learns")
    stimulus, target = model.node("stimulus", input=2), model.node("target", input=1)
    output = model.node("output", cogir.library.logistic)
    model.project(stimulus, output, matrix=[[0.5], [-0.5]])
    model.learning([(output, target)], cogir.library.adam)
    source = source_of(model, learning=True)
    read_by_mlir_opt(recorded(source.build()).module, {"convert-cog-to-machine": {"learning": True}})


@pytest.mark.parametrize("name", QUICK)
def test_llvm_tools_give_the_same_bits(name: str, tmp_path: Path) -> None:
    """The loops, lowered by mlir-opt and compiled by clang without contraction instead of by us."""
    import ctypes

    from mlir_tools import MlirLibrary, lower_with_mlir_opt, need_tools

    need_tools()
    example = EXAMPLES[name]
    ours = example.build().compile(mode="run", cache=False)
    expected = bits(ours, example.inputs, example.trials)

    module = recorded(source_of(example.build()).build()).module
    lower_to(module, "loops")
    library = MlirLibrary(lower_with_mlir_opt(str(module), tmp_path, name))
    context = ours.context("the other road")
    library.call("init", [context.pf, context.pi, context.sf, context.si])
    rows = ours.inputs.rows(example.inputs)
    out = np.empty((example.trials, ours.plan.size("out")))
    control = np.zeros(16, dtype=np.int64)
    buffers = [context.pf, context.pi, context.sf, context.si, context.rng]
    status = library.call("run", [*buffers, rows, len(rows), out, 0, example.trials, control], ctypes.c_int32)
    assert status == 0
    shown = expected.shape[1]
    np.testing.assert_array_equal(out.view(np.int64)[:, :shown], expected)
