"""
Execution modes: PsyNeuLink's names of them, and which one a call asks for.
"""

from __future__ import annotations

from typing import Any

from cogir.psyneulink.pnl import composition_class, is_learning
from cogir.psyneulink.reader import UnsupportedFeature

ON_GPU = "gpu"
"""The mode of runs whose searches are done on a GPU."""
MODES = {"auto": "run", "llvmrun": "run", "llvmexec": "exec", "llvmpernode": "exec", "ptxrun": ON_GPU, "python": None}
"""PsyNeuLink's execution modes, and cogir's; None runs in PsyNeuLink itself."""


def mode_asked(composition: Any, given: dict[str, Any], default: str) -> str | None:
    """cogir's mode that a call asks for, else the `default`; a class with a `run` of its own fills the argument in by itself."""
    asked = given.get("execution_mode")
    own = type(composition).__mro__[: type(composition).__mro__.index(composition_class())]
    if asked is None or any("run" in vars(kind) for kind in own):
        return MODES[default]
    name = str(getattr(asked, "name", "")).strip("_").lower()
    return MODES.get(name)


def learns_in(given: dict[str, Any], mode: str) -> bool:
    """True if PsyNeuLink's `learn` calls `run` in this mode of its own."""
    return is_learning(given.get("context")) and getattr(given.get("execution_mode"), "name", "") == mode


def learns_in_python(given: dict[str, Any]) -> bool:
    """True if PsyNeuLink's `learn` calls `run` in its Python mode."""
    return learns_in(given, "Python")


def no_such_mode(composition: Any, method: str, given: dict[str, Any]) -> UnsupportedFeature | None:
    """The message about a call that asks for a mode which cogir does not have; None if it has it."""
    mode = getattr(given.get("execution_mode"), "name", "")
    if "PTX" in mode:
        why, remedy = ", and cogir runs whole runs on a GPU", "use ExecutionMode.PTXRun or LLVMRun, or leave execution_mode out"
    elif mode == "PyTorch":
        why, remedy = ", in which only an AutodiffComposition learns", "leave execution_mode out for a native run"
    else:
        return None
    return UnsupportedFeature(f"Composition {composition.name!r}", f"{method}() is called with execution_mode={mode}{why}", remedy)
