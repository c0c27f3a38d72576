"""
Conditions as operations: each becomes an i1 at the cursor, computed from the counters in the state.

The meaning is that of `model/scheduler.py`. Parts of `all` and `any` are computed without a jump, all of them;
that differs from asking them in order only for `n_when`, which counts how often it was asked: its count therefore
grows only where the parts before it let it be asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import f64, i1
from xdsl.ir import SSAValue

from cogir.lowering.machine.emitter import BlockEmitter
from cogir.lowering.machine.functions import inline
from cogir.lowering.machine.nodes import port_path
from cogir.lowering.machine.plan import InstancePlan
from cogir.lowering.machine.state import MachineState
from cogir.lowering.machine.tensors import element, with_elements
from cogir.model import conditions as s
from cogir.model.graph import Port
from cogir.model.program import Counted
from cogir.model.read_schedule import Predicate, what_is_read

INTEGER_RELATIONS = {"<": "slt", "<=": "sle", "==": "eq", "!=": "ne", ">=": "sge", ">": "sgt"}
FLOAT_RELATIONS = {"<": "olt", "<=": "ole", "==": "oeq", "!=": "une", ">=": "oge", ">": "ogt"}


class ConditionEmitter:
    """Emits the conditions of one model."""

    def __init__(self, plan: InstancePlan):
        self.plan = plan
        self.paths = plan.paths
        self.nodes = plan.graph.nodes

    def holds(
        self, state: MachineState, condition: s.Condition | Counted, owner: str | None = None, asked: SSAValue | None = None
    ) -> SSAValue:
        """An i1: the condition holds; `asked` (default: true) is an i1 that is false where the condition is not evaluated at all."""
        emitter, paths = state.emitter, self.paths
        asked = emitter.flag(True) if asked is None else asked

        def compare(path: str, relation: str, n: int) -> SSAValue:
            return emitter.compare(state.read(path), INTEGER_RELATIONS[relation], emitter.integer(n))

        match condition:
            case s.Always():
                return emitter.flag(True)
            case s.Never():
                return emitter.flag(False)
            case s.All(parts):
                result = emitter.flag(True)
                for part in parts:
                    result = emitter.both(result, self.holds(state, part, owner, emitter.both(asked, result) if counts(part) else asked))
                return result
            case s.Any(parts):
                result = emitter.flag(False)
                for part in parts:
                    still = emitter.both(asked, emitter.negation(result)) if counts(part) else asked
                    result = emitter.either(result, self.holds(state, part, owner, still))
                return result
            case s.Not(part):
                return emitter.negation(self.holds(state, part, owner, asked))
            case s.NWhen(part, n, key):
                left = compare(paths.satisfied(key), "<", n)
                found = emitter.both(left, self.holds(state, part, owner, emitter.both(asked, left)))
                state.increase(paths.satisfied(key), emitter.as_integer(emitter.both(found, asked)))
                return found
            case s.Calls(node, relation, n, scale):
                return compare(paths.calls(node, scale), relation, n)
            case s.CallsCombined(nodes, n, scale):
                total = self._sum(state, [paths.calls(node, scale) for node in nodes])
                return emitter.compare(total, "sge", emitter.integer(n))
            case s.EveryNCalls(node, n):
                return emitter.flag(False) if owner is None else compare(paths.usable(node, owner), ">=", n)
            case s.Elapsed(unit, "every", n, within):
                rest = emitter.value(arith.RemSIOp(state.read(paths.elapsed(unit, within)), emitter.integer(n)))
                return emitter.compare(rest, "eq", emitter.integer(0))
            case s.Elapsed(unit, relation, n, within):
                return compare(paths.elapsed(unit, within), relation, n)
            case s.JustRan(node):
                return state.read(paths.just_ran(node))
            case s.AllHaveRun(nodes, scale):
                if not nodes or set(nodes) == set(self.nodes):
                    return compare(paths.have_run(scale), "==", len(self.nodes))
                return self._all(emitter, [compare(paths.calls(node, scale), ">=", 1) for node in nodes])
            case Counted(counters, relation, n, modulus):
                total = self._sum(state, [paths.counter(name) for name in counters])
                if modulus is not None:
                    total = emitter.value(arith.RemSIOp(total, emitter.integer(modulus)))
                return emitter.compare(total, INTEGER_RELATIONS[relation], emitter.integer(n))
            case s.WhenFinished(node):
                return self.finished(state, node)
            case s.WhenFinishedAll(nodes):
                return self._all(emitter, [self.finished(state, node) for node in nodes or self.nodes])
            case s.WhenFinishedAny(nodes):
                result = emitter.flag(False)
                for node in nodes or self.nodes:
                    result = emitter.either(result, self.finished(state, node))
                return result
            case s.Threshold(node, kind, name, relation, value, atol, rtol, indices):
                number = with_elements(emitter, element(emitter, self.observed(state, node, kind, name), indices), f64)
                return compare_number(emitter, number, relation, value, atol, rtol)
            case s.While(predicate):
                assert isinstance(predicate, Predicate)
                values = [self.observed(state, *what_is_read(read, self.plan.graph)) for read in predicate.reads]
                return inline(emitter, predicate.body.block, values)[0]
            case _:  # pragma: no cover
                assert_never(condition)

    def finished(self, state: MachineState, node: str) -> SSAValue:
        """An i1: the node is finished; a node that never reports it always is."""
        return state.read(self.paths.finished(node)) if node in self.plan.watched else state.emitter.flag(True)

    def observed(self, state: MachineState, node: str, kind: s.Kind, name: str) -> SSAValue:
        """The value of a port, state or parameter (before modulation)."""
        if kind == "port":
            return state.read(port_path(self.plan, Port(node, name)))
        return state.read(self.paths.slot(node, kind, name))

    @staticmethod
    def _sum(state: MachineState, paths: Sequence[str]) -> SSAValue:
        """Counts, added up; a flag counts 0 or 1."""
        emitter = state.emitter
        total = emitter.integer(0)
        for number, path in enumerate(paths):
            held = state.read(path)
            held = emitter.as_integer(held) if held.type == i1 else held
            total = emitter.add_integers(total, held) if number else held
        return total

    @staticmethod
    def _all(emitter: BlockEmitter, flags: list[SSAValue]) -> SSAValue:
        result = emitter.flag(True)
        for flag in flags:
            result = emitter.both(result, flag)
        return result


def counts(condition: s.Condition) -> bool:
    """True if asking the condition changes the state."""
    return any(isinstance(part, s.NWhen) for part in s.walk(condition))


def compare_number(emitter: BlockEmitter, number: SSAValue, relation: str, value: float, atol: float, rtol: float) -> SSAValue:
    """A number against a constant; `==` and `!=` with numpy.isclose's tolerance, an infinity being close to itself alone."""
    reference = emitter.number(value)
    if relation not in ("==", "!="):
        return emitter.value(arith.CmpfOp(number, reference, FLOAT_RELATIONS[relation]))
    equal = emitter.value(arith.CmpfOp(number, reference, "oeq"))
    if value - value != 0.0 or (atol == 0.0 and rtol == 0.0):
        near = equal
    else:
        distance = emitter.value(math.AbsFOp(emitter.value(arith.SubfOp(number, reference))))
        within = emitter.value(arith.CmpfOp(distance, emitter.number(atol + rtol * abs(value)), "ole"))
        near = emitter.either(equal, within)
    return near if relation == "==" else emitter.negation(near)
