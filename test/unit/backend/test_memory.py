"""What a compilation takes from LLVM is given back: pass managers, and the code of a model that is gone."""

from __future__ import annotations

import gc
from collections import Counter
from typing import Any

import pytest
from llvmlite.binding import newpassmanagers, orcjit

import cogir
from cogir import library
from cogir.backend import jit, llvm


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Objects of LLVM that were made less those that were freed, and those that were made."""
    gc.collect()  # what other tests have left is not given back while this one counts
    counts: Counter[str] = Counter()

    def count(owner: Any, name: str, key: str, by: int) -> None:
        sound = getattr(owner, name)

        def counting(self: Any, *given: Any, **named: Any) -> Any:
            counts[key] += by
            counts[f"{key} made"] += by > 0
            return sound(self, *given, **named)

        monkeypatch.setattr(owner, name, counting)

    for kind in (newpassmanagers.ModulePassManager, newpassmanagers.FunctionPassManager):
        count(kind, "__init__", "pass managers", 1)
    count(newpassmanagers.NewPassManager, "_dispose", "pass managers", -1)
    count(orcjit.ResourceTracker, "__init__", "loaded objects", 1)
    count(orcjit.ResourceTracker, "_dispose", "loaded objects", -1)
    return counts


def model(number: int) -> cogir.Model:
    made = cogir.Model(f"m{number}")
    options: dict[str, Any] = {"execute_until_finished": True, "reset_each_trial": True, "max_executions_before_finished": 10**6}
    made.node("a", library.drift_diffusion_decision, input=1, threshold=0.5 + number, **options)
    return made


def test_compiled_models_give_back_what_they_took(counted: Counter[str]) -> None:
    for number in range(3):
        compiled = model(number).compile(cache=False)
        compiled.run({"a": [[1.0]]})
        compiled.replicates({"a": [[1.0]]}, count=2, start="fresh")
        assert counted["loaded objects"] == 2
        assert counted["pass managers"] == 0
        del compiled
        gc.collect()
        assert counted["loaded objects"] == 0
    assert counted["loaded objects made"] == 6
    assert counted["pass managers made"] >= 6


@pytest.mark.parametrize("level", [0, 1, 3])
def test_every_way_to_optimise_frees_its_passes(counted: Counter[str], level: int) -> None:
    machine = llvm.machine_for(llvm.host(level))
    text = "define double @f(double %x) {\n  %y = fadd double %x, %x\n  ret double %y\n}\n"
    machine.optimise(machine.parse(text))
    machine.optimise_once(machine.parse(text))
    machine.optimise_lightly(machine.parse(text), set())
    machine.optimise_lightly(machine.parse(text), {"f"})
    assert counted["pass managers made"] == 8
    assert counted["pass managers"] == 0


def test_passes_are_freed_where_they_fail(counted: Counter[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise RuntimeError("no memory")

    monkeypatch.setattr(newpassmanagers.ModulePassManager, "run", fail)
    with pytest.raises(RuntimeError, match="no memory"):
        jit.compile_to_object("define void @f() {\n  ret void\n}\n")
    assert counted["pass managers made"] == 1
    assert counted["pass managers"] == 0
