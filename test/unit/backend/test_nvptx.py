"""PTX: kernels, no contraction, and a refusal instead of the end of the process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from support.native import context, lower, parse
from xdsl.parser import Parser

from cogir.backend.nvptx import ptx, verify_for_nvptx
from cogir.errors import BackendError

KERNEL = """
func.func private @scaled(%x: f64, %k: f64) -> f64 {
  %p = arith.mulf %x, %k : f64
  %r = arith.addf %p, %k : f64
  func.return %r : f64
}
func.func @kernel(%m: memref<64xf64> {llvm.noalias}, %i: index, %k: f64) attributes {nvvm.kernel} {
  %x = memref.load %m[%i] : memref<64xf64>
  %y = func.call @scaled(%x, %k) : (f64, f64) -> f64
  %z = math.sqrt %y : f64
  memref.store %z, %m[%i] : memref<64xf64>
  func.return
}"""


@pytest.mark.parametrize("architecture", ["sm_80", "sm_90", "sm_90a", "sm_100"])
def test_a_kernel_becomes_an_entry(architecture: str) -> None:
    text = ptx(lower(parse(KERNEL)), architecture=architecture)
    assert f".target {architecture}" in text
    assert ".visible .entry kernel(" in text
    assert "mul.rn.f64" in text
    assert "add.rn.f64" in text
    assert "fma" not in text
    assert "sqrt.rn.f64" in text


def test_version_of_ptx_can_be_chosen() -> None:
    assert ".version 8.3" in ptx(lower(parse(KERNEL)), architecture="sm_90", version="83")


def test_everything_that_a_gpu_lacks_is_listed() -> None:
    module = lower(
        parse("""
    func.func private @log(f64) -> f64 attributes {cog.libm}
    func.func @f(%x: f64, %c: i1, %n: index) -> f64 attributes {nvvm.kernel} {
      cf.assert %c, "no"
      %y = func.call @log(%x) : (f64) -> f64
      %m = memref.alloca(%n) : memref<?xf64>
      func.return %y : f64
    }""")
    )
    with pytest.raises(BackendError) as caught:
        ptx(module)
    lines = str(caught.value).splitlines()
    assert lines[0] == "nvptx: this module cannot become PTX:"
    no_library = "functions of the C library do not exist on a GPU; lower the model with expand-math{math=portable}"
    assert f"  @f: calls @log, which has no body: {no_library}" in lines
    assert (
        "  @f: calls @puts, which has no body: it reports a failed cf.assert, which is not supported on a GPU; remove the assertion"
        in lines
    )
    assert "  @f: has a buffer on the stack whose size is not constant; give it a static size" in lines


@pytest.mark.parametrize(
    ("intrinsic", "form"),
    [
        *((intrinsic, "call_intrinsic") for intrinsic in ("exp", "log", "sin", "cos", "tanh", "pow")),
        *((intrinsic, "operation") for intrinsic in ("exp", "log", "sin", "cos", "pow")),
    ],
)
def test_an_intrinsic_that_would_end_the_process_is_refused(intrinsic: str, form: str) -> None:
    operands = "%x, %x" if intrinsic == "pow" else "%x"
    types = "(f64, f64) -> f64" if intrinsic == "pow" else "(f64) -> f64"
    if form == "operation":
        call = f"llvm.intr.{intrinsic}({operands}) : {types}"
    else:
        call = f'llvm.call_intrinsic "llvm.{intrinsic}"({operands}) : {types}'
    text = f"llvm.func @f(%x: f64) -> f64 {{ %y = {call} llvm.return %y : f64 }}"
    with pytest.raises(BackendError, match=rf"@f: uses llvm\.{intrinsic}, which NVPTX does not support; run expand-math"):
        verify_for_nvptx(Parser(context(), text).parse_module())


def test_llvm_really_ends_the_process_without_the_check(tmp_path: Path) -> None:
    script = tmp_path / "ends.py"
    script.write_text(
        "from cogir.backend.jit import assembly\nfrom cogir.backend.llvm import Target, initialise_all_targets\n"
        "initialise_all_targets()\n"
        "ir = 'declare double @llvm.sin.f64(double)\\ndefine double @f(double %x) {\\n"
        " %y = call double @llvm.sin.f64(double %x)\\n ret double %y\\n}\\n'\n"
        "try:\n    assembly(ir, target=Target('nvptx64-nvidia-cuda', 'sm_80', '', 3))\nexcept BaseException:\n    print('caught')\n"
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "caught" not in done.stdout


@pytest.mark.parametrize("architecture", ["sm_35", "gfx90a", ""])
def test_other_architectures_are_refused(architecture: str) -> None:
    with pytest.raises(BackendError, match="is not a supported architecture; use sm_70 or newer"):
        ptx(lower(parse(KERNEL)), architecture=architecture)
