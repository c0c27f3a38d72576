"""Runs of `test/fuzz/fuzz_nvptx.py`: no IR ends the process in NVPTX. And what would end it is seen."""

# pyright: basic
import faulthandler
import os
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest
from xdsl.dialects import llvm
from xdsl.dialects.builtin import IntegerType, ModuleOp, VectorType, f32, f64
from xdsl.ir import Block, Region

from cogir.analysis import verify_nvptx
from cogir.analysis.verify_nvptx import INTRINSICS, WIDTHS
from cogir.backend import nvptx
from cogir.lowering.to_llvm.converter import intrinsic_call

FUZZ = Path(__file__).parents[2] / "fuzz"


def fuzz(count: int, folder: Path) -> str:
    """What the script prints for so many texts."""
    command = [sys.executable, str(FUZZ / "fuzz_nvptx.py"), "--count", str(count), "--seed", "3", "--keep", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": str(FUZZ.parents[1])})
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_mutated_texts_do_not_end_the_process(tmp_path: Path) -> None:
    assert "made PTX" in fuzz(12, tmp_path)


@pytest.mark.full
def test_many_mutated_texts_do_not_end_the_process(tmp_path: Path) -> None:
    assert "made PTX" in fuzz(1000, tmp_path)


def module_with(name: str, operands: list, result) -> ModuleOp:
    """A function that calls an intrinsic."""
    block = Block(arg_types=operands)
    call = intrinsic_call(name, list(block.args), [result])
    block.add_ops([call, llvm.ReturnOp(call.results[0])])
    type = llvm.LLVMFunctionType(operands, result)
    return ModuleOp([llvm.FuncOp("f", type, llvm.LinkageAttr("external"), body=Region(block))])


def ends_the_process(module: ModuleOp) -> bool:
    """True if making PTX ends a process by a signal; it may be refused."""
    child = os.fork()
    if child == 0:
        faulthandler.disable()
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        try:
            nvptx.ptx(module, architecture="sm_90")
        finally:
            os._exit(0)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


@pytest.mark.full
@pytest.mark.parametrize("name", sorted(INTRINSICS))
def test_intrinsics_of_all_types(name: str) -> None:
    scalars = [*(IntegerType(width) for width in WIDTHS), f32, f64]
    types = [*scalars, *(VectorType(type, [lanes]) for type, lanes in product(scalars, (1, 3, 4, 16)))]
    for type, count in product(types, (1, 2, 3)):
        result = type.element_type if isinstance(type, VectorType) and "reduce" in name else type
        operands = [result, type] if "reduce.fadd" in name or "reduce.fmul" in name else [type] * count
        assert not ends_the_process(module_with(name, operands, result)), f"{name} of {count} {type}"


def test_an_intrinsic_that_is_wrongly_allowed_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted row of the table, as `test_intrinsics_of_all_types` would find it."""
    module = module_with("llvm.sin", [f64], f64)
    assert not ends_the_process(module)
    monkeypatch.setattr(verify_nvptx, "INTRINSICS", verify_nvptx.INTRINSICS | {"llvm.sin"})
    assert ends_the_process(module)


def test_what_ends_the_process_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    vector = VectorType(IntegerType(64), [3])
    module = module_with("llvm.vector.reduce.fmaximum", [vector], IntegerType(64))
    assert not ends_the_process(module)
    monkeypatch.setattr(nvptx, "verify_for_nvptx", lambda module: None)
    assert ends_the_process(module)
