"""
Mode `per_node`: the scheduler and the projections in Python, the body of each node as native code.

A body becomes native by the pipeline of whole models: as a model of one node, whose outputs and states are the node's own, and whose
parameters are the node's inputs and parameters (inputs of models are floats, which cannot hold all whole numbers). One execution of the
node is one trial of that model.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from xdsl.dialects import arith, func
from xdsl.dialects.builtin import ModuleOp, f64, i64
from xdsl.interpreter import PythonValues
from xdsl.ir import Operation, Region, SSAValue

from cogir.dialects import cog, rng
from cogir.dialects.python_functions import calls_of, python_functions
from cogir.interpreters.cog import MEANINGS
from cogir.interpreters.engine import Engine
from cogir.interpreters.levels import all_meanings
from cogir.runtime.context import BUFFERS, NativeContext
from cogir.runtime.entry import NativeEntry
from cogir.runtime.interpreted import InterpreterEngine
from cogir.runtime.native import compile_native
from cogir.runtime.options import Options, Source
from cogir.runtime.plan import Plan, PlanSlot
from cogir.runtime.python_functions import PythonFunction
from cogir.runtime.recorded import RecordedModel
from cogir.runtime.words import decoded

NODE = "node"
INPUT = "input?"
"""The beginning of the names of parameters that stand for inputs."""
FINISHED, CHECKED = "finished?", "checked?"
"""The outputs that say whether the node has finished, and its fault; no port can be called so."""


class PerNodeEngine(InterpreterEngine):
    """Runs a model by interpreting its schedule and calling native code for its nodes."""

    def __init__(self, model: RecordedModel, options: Options, python: Mapping[str, PythonFunction] | None = None):
        super().__init__(model, engine=NativeBodies(model.module, options), python=python)


class NativeBodies(Engine):
    """An interpreter that has native code for the bodies of nodes, but for those that call Python."""

    def __init__(self, module: ModuleOp, options: Options):
        super().__init__(module, (*all_meanings(options.math), MEANINGS))
        self.bodies: dict[Region, NativeBody] = {}
        compiled: dict[str, tuple[Plan, NativeEntry]] = {}
        python = python_functions(module)
        options = replace(options, checked=False)  # what a module is checked for stands in its bodies
        for op in module.walk():
            if isinstance(op, cog.NodeOp) and not any(calls_of(op, python)):
                alone = model_of_node(op, module)
                text = str(alone)
                if text not in compiled:
                    compiled[text] = compile_native(Source(NODE, lambda alone=alone: alone, lambda text=text: text), options)
                self.bodies[op.body] = NativeBody(*compiled[text], op)

    def run_isolated(self, region: Region, args: PythonValues, name: str = "unknown") -> PythonValues:
        """Runs a region: natively where it is the body of a node."""
        body = self.bodies.get(region)
        return super().run_isolated(region, args, name) if body is None else body(args)


class NativeBody:
    """The body of a node as a Python function of its arguments."""

    def __init__(self, plan: Plan, entry: NativeEntry, op: cog.NodeOp):
        self._entry = entry
        self._context = NativeContext(plan, None)
        entry.start(self._context)
        self._rows = np.zeros((1, plan.size("in")))
        self._out = np.zeros((1, plan.size("out")))
        slots = plan.slots
        states = [slots[f"{NODE}/state:{name}"] for name, _ in op.states]
        randoms = [slots[f"{NODE}/random:{name}"] for name, *_ in op.random]
        self._arguments = [
            *(slots[f"{NODE}/param:{INPUT}{name}"] for name, _ in op.inputs),
            *(slots[f"{NODE}/param:{name}"] for name, _ in op.params),
            *states,
            *randoms,
        ]
        outputs = [slots[f"out:{NODE}/{name}"] for name, _ in op.outputs]
        others = [f"out:{NODE}/{name}" for name in (FINISHED, CHECKED)]
        self._results = [*outputs, *states, *randoms, *(slots[path] for path in others if path in slots)]

    def __call__(self, args: PythonValues) -> PythonValues:
        """Fills the buffers, runs one trial, and reads what it left."""
        buffers = {buffer: getattr(self._context, buffer) for buffer in BUFFERS}
        for slot, value in zip(self._arguments, args, strict=True):
            buffers[slot.buffer][slot.words] = np.ravel(value)
        self._entry.run(self._context, self._rows, self._out)
        return tuple(_value(self._out[0] if slot.buffer == "out" else buffers[slot.buffer], slot) for slot in self._results)


def _value(buffer: Any, slot: PlanSlot) -> Any:
    """The value of a slot in its buffer as the interpreter holds it: a Python number, or an array of its own."""
    words = buffer[slot.words]
    if slot.buffer == "out":
        words = decoded(words, slot)
    kept = {"f64": np.float64, "f32": np.float32, "i64": np.int64, "i1": np.bool_}.get(slot.dtype, np.int64)
    value = words.astype(kept).reshape(slot.shape)
    return value if slot.shape else value.item()


def model_of_node(op: cog.NodeOp, module: ModuleOp) -> ModuleOp:
    """A module with a model of this node alone, the functions that it calls, and a stream for each of its generators."""
    random = [(name, kind, f"stream_{number}") for number, (name, kind, _) in enumerate(op.random)]
    outputs = list(op.outputs)
    body = op.body.clone()
    finish = body.block.last_op
    assert isinstance(finish, cog.YieldOp)
    shown: list[SSAValue] = []
    if finish.finished is not None:
        flag = arith.UIToFPOp(finish.finished, f64)
        body.block.insert_op_before(flag, finish)
        shown.append(flag.result)
        outputs.append((FINISHED, cog.const(0.0)))
    if finish.checked is not None:
        shown.append(finish.checked)
        outputs.append((CHECKED, cog.const(0, i64)))
    if shown:
        new = cog.YieldOp([*finish.outputs, *shown], finish.states, finish.random, finish.finished)
        body.block.insert_op_before(new, finish)
        body.block.erase_op(finish)
    given = [(f"{INPUT}{name}", cog.const(0, kind)) for name, kind in op.inputs]
    node = cog.NodeOp(
        NODE,
        inputs=[],
        params=[*given, *op.params],
        states=op.states,
        random=random,
        outputs=outputs,
        body=body,
    )
    ops: list[Operation] = [node]
    ops += [cog.OutputOp(NODE, name) for name, _ in outputs]
    streams = [rng.StreamOp(name, kind.kind, seed=0) for _, kind, name in random]
    return ModuleOp([cog.ModelOp("node_alone", ops), *(callee.clone() for callee in _callees(op, module)), *streams])


def _callees(op: Operation, module: ModuleOp) -> list[func.FuncOp]:
    """The functions that an operation calls, directly or not, in the order of the module."""
    functions = {each.sym_name.data: each for each in module.body.block.ops if isinstance(each, func.FuncOp)}
    wanted: set[str] = set()
    stack: list[Operation] = [op]
    while stack:
        for inner in stack.pop().walk():
            if isinstance(inner, func.CallOp):
                name = inner.callee.string_value()
                if name in functions and name not in wanted:
                    wanted.add(name)
                    stack.append(functions[name])
    return [function for name, function in functions.items() if name in wanted]
