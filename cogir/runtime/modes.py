"""
The modes of a compiled model, and the choice between them.

    run       whole runs as native code, in slices of about 20 ms
    exec      the same code, called for one trial at a time
    per_node  the scheduler in Python, the function of each node as native code
    python    the interpreter
    auto      the first of run, per_node, python that works for the model, with a warning that says what stopped the others

Functions of nodes that cannot be compiled are called in Python by modes per_node and python.
"""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import cast

from cogir.callers import stacklevel
from cogir.errors import BackendError, CogirError, DeviceError, FunctionError, LoweringError, ModelError, shown
from cogir.garbage import without_garbage_collection
from cogir.runtime.compiled import Compiled, RunEngine
from cogir.runtime.native import NativeEngine, Original
from cogir.runtime.options import Options, Source

MODES = ("auto", "run", "exec", "per_node", "python")
GPU_TARGETS = ("cuda", "cuda-emulated")
INTERPRETED = ("machine", "loops", "cf")
"""The stages below `cog` that can be interpreted (`staged.py`)."""
TARGETS = ("cpu", *GPU_TARGETS, "auto")


class ReducedModeWarning(UserWarning):
    """A model runs in a slower mode than asked for, because a faster one could not be compiled."""


class OrderWarning(UserWarning):
    """
    Warning that the order of nodes decides what a model computes: that in the text, whether a node of a layer runs, or that of a pass, in
    which a parameter is read before the node that sets it has run.
    """


def compile_source(source: Source, mode: str, options: Options) -> Compiled:
    """The model, ready to run in a mode."""
    with without_garbage_collection():
        compiled = _compiled(source, mode, options)
    if compiled.plan.order:
        node, other = compiled.plan.order[0]
        more = f", and so for {len(compiled.plan.order) - 1} more pairs" if len(compiled.plan.order) > 1 else ""
        warnings.warn(
            f'model "{source.name}": whether "{node}" runs depends on whether "{other}", which may run in the same time step, is '
            f"considered first; the order in the text decides (in PsyNeuLink it is undefined){more}; add a projection between "
            "them, or change a condition, to fix the order",
            OrderWarning,
            stacklevel=stacklevel(),
        )
    return compiled


def _compiled(source: Source, mode: str, options: Options) -> Compiled:
    if not isinstance(cast(object, mode), str) or mode not in MODES:
        raise ModelError(f"compile: mode is {shown(mode)}; give one of {', '.join(MODES)}")
    if options.target in GPU_TARGETS:
        if mode not in ("auto", "run", "exec"):
            raise ModelError(
                f'compile: mode "{mode}" calls functions in Python, which a GPU cannot; give mode="run" for target="{options.target}"'
            )
        mode = "run" if mode == "auto" else mode
    if mode != "auto":
        return Compiled(_engine(source, mode, options), mode, source.name)
    reasons: list[str] = []
    for one in ("run", "per_node", "python"):
        try:
            engine = _engine(source, one, options)
        except (LoweringError, BackendError, FunctionError) as error:
            if one == "python" or (one != "run" and isinstance(error, FunctionError)):
                raise
            reasons.append(f"mode {one}: {error}")
            continue
        if reasons:
            warnings.warn(
                f'model "{source.name}" runs in mode {one}, which is slower than the modes that failed: {"; ".join(reasons)}',
                ReducedModeWarning,
                stacklevel=stacklevel(),
            )
        compiled = Compiled(engine, one, source.name)
        compiled.reasons = tuple(reasons)
        return compiled
    raise CogirError("compile: none of the modes can run the model")


def _engine(source: Source, mode: str, options: Options) -> RunEngine:
    if mode in ("run", "exec"):
        if options.target != "cpu":
            return _gpu_engine(source, mode, options)
        original = Original(source, options)
        return NativeEngine(original.plan, original.entry, mode == "exec", original.code_for, original.version, original.facts)
    from xdsl.context import Context

    from cogir.lowering.insert_checks import InsertChecks
    from cogir.runtime.interpreted import InterpreterEngine
    from cogir.runtime.python_functions import check_python_functions
    from cogir.runtime.recorded import recorded

    module = source.build()
    check_python_functions(module, source.name, source.python)
    InsertChecks(options.checked).apply(Context(), module)
    model = recorded(module)
    if mode == "per_node":
        from cogir.runtime.per_node import PerNodeEngine

        return PerNodeEngine(model, options, source.python)
    return InterpreterEngine(model, options.math, python=source.python)


def _gpu_engine(source: Source, mode: str, options: Options) -> RunEngine:
    """
    The engine for a GPU; with target "auto" one for the CPU if there is none, or one that takes the GPU for what pays.

    Raises `DeviceError` if a GPU is required and there is none.
    """
    from cogir.runtime.cuda.engine import PAYS_POINTS, CudaEngine, gpu_for, grid_points

    one_by_one = mode == "exec"
    if options.target == "auto":
        original = on_cpu = Original(source, replace(options, target="cpu"))
        try:
            gpu = gpu_for("cuda")
        except DeviceError as error:
            engine = NativeEngine(original.plan, original.entry, one_by_one, original.code_for, original.version, original.facts)
            engine.no_gpu = str(error).removeprefix('target "cuda": ').partition("; ")[0]
            return engine
        if grid_points(original.plan) >= PAYS_POINTS:
            original = Original(source, replace(options, target="cuda"))
        return CudaEngine(original, one_by_one, gpu, on_cpu)
    gpu = gpu_for(options.target)
    engine = CudaEngine(Original(source, options), one_by_one, gpu)
    engine.prepare()
    return engine
