"""Masks of AVX-512 that LLVM 22 drops while they are read: code that could have lost one is generated again without them."""

import ctypes
import re

import pytest

from cogir.backend import llvm
from cogir.backend.llvm import LoadedObject, Machine, Target, host, machine_for

SIGNS = """
define void @f(ptr %to, ptr %from, i64 %c) {
  %a = load <2 x i64>, ptr %from
  %negative = icmp slt <2 x i64> %a, zeroinitializer
  %second = extractelement <2 x i1> %negative, i64 1
  %y = extractelement <2 x i64> %a, i64 1
  %more = add i64 %y, 5
  %s = select i1 %second, i64 %more, i64 %y
  %c_negative = icmp slt i64 %c, 0
  %signs = insertelement <2 x i1> %negative, i1 %c_negative, i64 1
  %b = insertelement <2 x i64> %a, i64 %c, i64 1
  %sum = add <2 x i64> %b, splat (i64 5)
  %r = select <2 x i1> %signs, <2 x i64> %sum, <2 x i64> %b
  store <2 x i64> %r, ptr %to
  %after = getelementptr i64, ptr %to, i64 2
  store i64 %s, ptr %after
  ret void
}
"""
"""Python's indices, of which those below 0 count from the end (5): those of one vector, and one in the place of its second."""
EMERALD_RAPIDS = Target("x86_64-unknown-linux-gnu", "emeraldrapids", "+avx512f,+avx512vl,+avx512bw,+avx512dq", 3)


@pytest.fixture(autouse=True)
def targets() -> None:
    llvm.initialise_all_targets()


def moves(machine: Machine) -> int:
    """The number of instructions that move the signs of a vector."""
    return len(re.findall(llvm._MOVES_MASK, machine.object_code(machine.parse(SIGNS))))


def test_code_has_no_mask_that_may_be_lost() -> None:
    assert moves(machine_for(EMERALD_RAPIDS)) == 0


def test_assembly_is_that_of_the_code() -> None:
    """Without the instructions that code is generated again for; other code is shown as it is."""
    machine = machine_for(EMERALD_RAPIDS)
    shown = machine.assembly(machine.parse(SIGNS))
    assert "vpcmpgtq" in shown
    assert "vmovmskpd" not in shown
    plain = "define void @f() {\n  ret void\n}\n"
    assert machine.assembly(machine.parse(plain)) == str(machine.handle.emit_assembly(machine.parse(plain).handle))


def test_planted_fault_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """LLVM still makes this of it; if it does not any more, the code can be taken as it is."""
    monkeypatch.setattr(llvm, "_may_lose_masks", lambda target: False)
    assert moves(machine_for(EMERALD_RAPIDS)) > 0


@pytest.mark.parametrize("code", [b"\xc5\xf9\x50\xc8", b"\xc4\xc1\x7d\x50\xc7", b"\xc5\xfd\xd7\xc0", b"\xc5\x7c\x50\xe1"])
def test_instructions_are_known(code: bytes) -> None:
    assert llvm._MOVES_MASK.search(b"\x90" + code + b"\xc3")


def test_numbers_are_right_on_this_machine() -> None:
    machine = machine_for(host())
    loaded = LoadedObject(machine.object_code(machine.parse(SIGNS)), ["f"], {})
    function = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)(loaded.address("f"))
    for first in (-2, 3):
        for second in (-1, 4):
            for other in (-3, 2):
                found = (ctypes.c_int64 * 3)()
                function(found, (ctypes.c_int64 * 2)(first, second), other)
                assert list(found) == [each % 5 for each in (first, other, second)]
