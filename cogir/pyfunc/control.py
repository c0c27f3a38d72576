"""
Control flow: what a statement list does to the names and where it goes, and how `scf.if`, `scf.for` and `scf.while` carry both.

Early exits stay structured. A statement list ends in a `Flow`: it falls through, or returns, breaks or continues, or (when
that is decided at run time) one of several, with a number `code` that says which. What follows such a list runs inside an
`scf.if` on that number.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import i64
from xdsl.ir import Attribute, Block, Region, SSAValue

from cogir.pyfunc.emitter import INDEX, Emitter
from cogir.pyfunc.flow import BREAK, CHOSEN, CODES, FALL, FALLS, RETURNS, Exit, Flow, Frame, LoopCarried, Rolled, kinds_of, name_of
from cogir.pyfunc.joining import (
    CannotJoin,
    Spec,
    force_all,
    join,
    leaf_types,
    leaves,
    placeholders,
    rebuild,
    spec_of,
)
from cogir.pyfunc.source import assigned_in
from cogir.pyfunc.values import Const, Scalar, Unbound, Value

Thunk: TypeAlias = Callable[[], Flow]


class ControlFlow:
    """The names of the function being compiled, and the structured operations that change them."""

    e: Emitter
    env: dict[str, Value]
    frame: Frame

    # Hooks

    def join_returns(self, left: Spec, right: Spec) -> Spec:
        """The common type of two returned values."""
        try:
            return join(left, right)
        except CannotJoin as error:
            raise self.e.error(f"the function returns {error}; return values of one type and shape on every path") from None

    # Liveness

    def used_after(self, key: str, node: ast.AST) -> bool:
        """True if a name of the environment may be read after `node`; names of outer frames may always."""
        frame = self.frame
        if not self._is_local(key):
            return True
        return frame.names.used_after(key[len(frame.prefix) :], node, frame.loops[0] if frame.loops else None)

    def used_beyond(self, key: str, loop: ast.AST) -> bool:
        """True if a name of the function may be read once the innermost loop, `loop`, is done."""
        frame = self.frame
        outer = frame.loops[0] if len(frame.loops) > 1 else None
        return self._is_local(key) and frame.names.used_after(key[len(frame.prefix) :], loop, outer)

    def _is_local(self, key: str) -> bool:
        if key[0] in "%@":
            # Generators, and the value of a conditional expression, live on in every frame.
            return False
        return key.startswith(self.frame.prefix) and "." not in key[len(self.frame.prefix) :]

    # Conditions

    def conditional(self, condition: SSAValue, then: Thunk, otherwise: Thunk, node: ast.AST) -> Flow:
        """`scf.if condition { then } else { otherwise }`; `node` is the last statement that the branches hold."""
        e = self.e
        force_all(e, iter(self.env.values()))
        before = self.env
        branches: list[tuple[Block, Flow, dict[str, Value]]] = []
        for thunk in (then, otherwise):
            self.env = dict(before)
            with e.inside(Block()) as block:
                branches.append((block, thunk(), self.env))
        (block_a, flow_a, env_a), (block_b, flow_b, env_b) = branches
        returns_a, returns_b = flow_a.kinds == RETURNS, flow_b.kinds == RETURNS
        env: dict[str, Value] = {}
        carried: list[tuple[str, Spec, Value | None, Value | None]] = []
        for key in {**env_a, **env_b}:
            a, b = env_a.get(key), env_b.get(key)
            if a is b and a is not None:
                env[key] = a
                continue
            if self._is_local(key):
                # After a return nobody reads the function's own names.
                if returns_a:
                    a = None
                if returns_b:
                    b = None
                if not self.used_after(key, node):
                    continue
            only = b if returns_a else a if returns_b else None
            if (returns_a or returns_b) and self._is_local(key):
                if only is None:
                    continue
                if only is before.get(key) or isinstance(only, Unbound):
                    env[key] = only
                    continue
                carried.append((key, spec_of(only), a, b))
                continue
            if a is None or b is None or isinstance(a, Unbound) or isinstance(b, Unbound):
                known = next((x for x in (a, b) if isinstance(x, Unbound)), None)
                line = getattr(node, "lineno", "?")
                env[key] = known or Unbound(
                    f"{name_of(key)} has a value in one branch of the condition on line {line} only; assign it in both branches"
                )
                continue
            try:
                carried.append((key, join(spec_of(a), spec_of(b)), a, b))
            except CannotJoin as error:
                env[key] = Unbound(f"{name_of(key)} has two types: {error}; give it one type and shape on every path, or use two names")
        kinds = flow_a.kinds | flow_b.kinds
        returned: Spec | None = None
        if flow_a.value is not None and flow_b.value is not None:
            returned = self.join_returns(spec_of(flow_a.value), spec_of(flow_b.value))
        elif flow_a.value is not None or flow_b.value is not None:
            value = flow_a.value if flow_a.value is not None else flow_b.value
            assert value is not None
            returned = spec_of(value)
        yielded: list[list[SSAValue]] = []
        for block, flow, side in ((block_a, flow_a, 2), (block_b, flow_b, 3)):
            with e.inside(block):
                ssas: list[SSAValue] = []
                for entry in carried:
                    held = entry[side]
                    assert held is None or isinstance(held, Value)
                    ssas += placeholders(e, entry[1]) if held is None else leaves(e, held, entry[1])
                if returned is not None:
                    ssas += placeholders(e, returned) if flow.value is None else leaves(e, flow.value, returned)
                if len(kinds) > 1:
                    ssas.append(self.exit_code(flow))
                yielded.append(ssas)
        results = self._if(condition, (block_a, block_b), yielded)
        self.env = env
        for key, spec, _, _ in carried:
            env[key] = rebuild(spec, results)
        value = None if returned is None else rebuild(returned, results)
        return Flow(kinds, next(results) if len(kinds) > 1 else None, value)

    def _if(self, condition: SSAValue, blocks: Sequence[Block], yielded: Sequence[list[SSAValue]]) -> Iterator[SSAValue]:
        """Appends the `scf.if`, without results that are the same on both sides; nothing if none is left (all is pure)."""
        pairs = list(zip(*yielded, strict=True))
        differing = [position for position, (a, b) in enumerate(pairs) if a is not b]
        results: list[SSAValue] = [a for a, _ in pairs]
        if differing:
            for block, ssas in zip(blocks, yielded, strict=True):
                with self.e.inside(block):
                    self.e.add(scf.YieldOp(*[ssas[position] for position in differing]))
            types = [results[position].type for position in differing]
            op = self.e.add(scf.IfOp(condition, types, Region(blocks[0]), Region(blocks[1])))
            for position, result in zip(differing, op.results, strict=True):
                results[position] = result
        else:
            for block in blocks:
                block.erase(safe_erase=False)
        return iter(results)

    def exit_code(self, flow: Flow) -> SSAValue:
        """The number that tells how a statement list ended."""
        if flow.code is not None:
            return flow.code
        (kind,) = flow.kinds
        return self.e.constant(CODES[kind], "i64")

    def sequence(self, flow: Flow, rest: Thunk, node: ast.AST) -> Flow:
        """Compiles `rest` where the statement list before it, which ended with `flow`, falls through."""
        if flow.kinds == FALLS:
            return rest()
        if "fall" not in flow.kinds:
            return flow
        assert flow.code is not None
        falls = self.e.compare("eq", flow.code, self.e.constant(CODES["fall"], "i64"))
        left = flow.kinds - FALLS
        leaving = Flow(left, flow.code if len(left) > 1 else None, flow.value)
        return self.conditional(falls, rest, lambda: leaving, node)

    def choose(self, condition: SSAValue, then: Callable[[], Value], otherwise: Callable[[], Value], node: ast.AST) -> Value:
        """The value of one of two expressions of which only one is evaluated."""

        def storing(expression: Callable[[], Value]) -> Thunk:
            def run() -> Flow:
                self.env[CHOSEN] = expression()
                return FALL

            return run

        self.conditional(condition, storing(then), storing(otherwise), node)
        chosen = self.env.pop(CHOSEN)
        if isinstance(chosen, Unbound):
            raise self.e.error(chosen.reason.replace(f"'{CHOSEN}'", "the expression"), node)
        return chosen

    # Loops

    def counted_loop(self, node: ast.AST, keys: Sequence[str], loop: Rolled, body: Callable[[Value], Flow]) -> None:
        """`scf.for`: the body neither breaks nor returns."""
        e = self.e
        force_all(e, iter(self.env.values()))
        carried = LoopCarried(self, node, keys, definite=bool(loop.trips))
        lower, upper = self._index(loop.lower), self._index(loop.upper)
        step = e.index(loop.step)
        while True:
            block = Block(arg_types=[INDEX, *carried.types()])
            with e.inside(block):
                carried.enter(block.args[1:])
                body(loop.item(self._loop_number(block.args[0], loop)))
                if not carried.settle():
                    block.erase(safe_erase=False)
                    continue
                ends = carried.ends()
            starts = carried.starts()
            arguments = block.args[1:]
            invariant = {argument: start for argument, start, end in zip(arguments, starts, ends, strict=True) if end is argument}
            kept = [position for position, argument in enumerate(arguments) if argument not in invariant]
            results = [invariant.get(argument) for argument in arguments]
            with e.inside(block):
                e.add(scf.YieldOp(*[ends[position] for position in kept]))
            # Names that the body leaves as they are need not be carried: the body reads what they were before.
            for argument, start in invariant.items():
                argument.replace_all_uses_with(start)
                block.erase_arg(argument)
            if kept:
                op = e.add(scf.ForOp(lower, upper, step, [starts[position] for position in kept], block))
                for position, result in zip(kept, op.results, strict=True):
                    results[position] = result
            else:
                block.erase(safe_erase=False)
            carried.leave([result for result in results if result is not None])
            return

    def _index(self, bound: Value) -> SSAValue:
        if isinstance(bound, Const):
            return self.e.index(bound.value)
        assert isinstance(bound, Scalar)
        return bound.index if bound.index is not None else self.e.to_index(bound.ssa)

    def _loop_number(self, index: SSAValue, loop: Rolled) -> Scalar:
        """The number of an `scf.for` as an i64, with the bounds that are known."""
        low, high = _bounds(loop)
        index.name_hint = "i"
        return Scalar(self.e.from_index(index), "i64", low, high, index, weak=True)

    def conditional_loop(
        self,
        node: ast.AST,
        keys: Sequence[str],
        test: Callable[[SSAValue | None], SSAValue],
        body: Callable[[], Flow],
        *,
        exits: bool,
        simple_test: bool,
        loop: Rolled | None = None,
        endless: bool = False,
    ) -> Flow:
        """
        `scf.while`: `test` and `body` see the names as they are then; `exits` says whether the body may break or return.

        With `loop` (a for that may be left early) its number is carried too, and `test` gets it.
        """
        e = self.e
        force_all(e, iter(self.env.values()))
        carried = LoopCarried(
            self,
            node,
            keys,
            definite=loop is not None and bool(loop.trips),
            tested=frozenset(self.frame.prefix + name for name in assigned_in([node.test])) if isinstance(node, ast.While) else frozenset(),
        )
        bound = None if loop is None else _as_i64(e, loop.upper)
        while True:
            returned = carried.returned
            types = carried.types()
            extra: list[Attribute] = [i64] * ((loop is not None) + exits)
            extra += [] if returned is None else leaf_types(returned)
            before, after = Block(arg_types=[*types, *extra]), Block(arg_types=[*types, *extra])
            count = len(types)

            def number_of(block: Block) -> SSAValue | None:
                return None if loop is None else block.args[count]

            def code_of(block: Block) -> SSAValue:
                return block.args[count + (loop is not None)]

            with e.inside(before):
                carried.enter(before.args[:count], in_test=True)
                go_on: SSAValue
                running = e.compare("eq", code_of(before), e.constant(CODES["fall"], "i64")) if exits else None
                if running is None:
                    go_on = test(number_of(before))
                else:
                    if simple_test:
                        held = test(number_of(before))
                        go_on = running if endless else e.short_circuit(arith.AndIOp, running, held)
                    else:
                        chosen = self.choose(
                            running,
                            lambda: Scalar(test(number_of(before)), "i1"),
                            lambda: Scalar(e.constant(False, "i1"), "i1"),
                            node,
                        )
                        assert isinstance(chosen, Scalar)
                        go_on = chosen.ssa
                if bound is not None and loop is not None:
                    below = e.compare("slt", before.args[count], bound)
                    go_on = below if running is None else e.int_op(arith.AndIOp, running, below)
                fits = carried.settle()
                if fits:
                    e.add(scf.ConditionOp(go_on, *carried.ends(), *before.args[count:]))
            if not fits:
                before.erase(safe_erase=False)
                continue
            with e.inside(after):
                carried.enter(after.args[:count])
                if loop is not None:
                    low, high = _bounds(loop)
                    self._loop_item = loop.item(Scalar(after.args[count], "i64", low, high, weak=True))
                flow = body()
                fits = carried.settle()
                if not (carried.settle_return(flow) and fits):
                    before.erase(safe_erase=False)
                    after.erase(safe_erase=False)
                    continue
                last = carried.ends()
                if loop is not None:
                    last.append(e.int_op(arith.AddiOp, after.args[count], e.constant(loop.step, "i64")))
                if exits:
                    last.append(self.exit_code(self.absorbed(flow, "continue")))
                    if returned is not None:
                        last += after.args[len(types) + (loop is not None) + 1 :] if flow.value is None else leaves(e, flow.value, returned)
                e.add(scf.YieldOp(*last))
            break
        first = carried.starts()
        if loop is not None:
            first.append(_as_i64(e, loop.lower))
        if exits:
            first.append(e.constant(CODES["fall"], "i64"))
            if returned is not None:
                first += placeholders(e, returned)
        op = e.add(scf.WhileOp(first, [ssa.type for ssa in first], Region(before), Region(after)))
        carried.leave(op.results[:count])
        if not exits:
            return FALL
        return self._after_loop(op.results[count + (loop is not None) :], returned, flow, endless and loop is None)

    _loop_item: Value

    def absorbed(self, flow: Flow, kind: Exit) -> Flow:
        """The flow where leaving by `kind` (`continue` at the end of a round, `break` at the end of a loop) is falling through."""
        if kind not in flow.kinds:
            return flow
        kinds = flow.kinds - kinds_of(kind) | FALLS
        if len(kinds) == 1:
            return FALL
        e = self.e
        code = self.exit_code(flow)
        left = e.compare("eq", code, e.constant(CODES[kind], "i64"))
        return Flow(kinds, e.select(left, e.constant(CODES["fall"], "i64"), code), flow.value)

    def _after_loop(self, results: Sequence[SSAValue], returned: Spec | None, flow: Flow, endless: bool) -> Flow:
        if returned is None:
            return FALL
        value = rebuild(returned, iter(results[1:]))
        if endless and "break" not in flow.kinds:
            return Flow(RETURNS, None, value)
        left = FALLS | RETURNS | (flow.kinds & BREAK.kinds)
        return self.absorbed(Flow(left, results[0], value), "break")


def _bounds(loop: Rolled) -> tuple[int | None, int | None]:
    """The smallest and largest number of a loop that runs."""
    low = loop.lower.value if isinstance(loop.lower, Const) else loop.lower.low if isinstance(loop.lower, Scalar) else None
    high = loop.upper.value if isinstance(loop.upper, Const) else loop.upper.high if isinstance(loop.upper, Scalar) else None
    return low, None if high is None else high - 1


def _as_i64(e: Emitter, value: Value) -> SSAValue:
    if isinstance(value, Const):
        return e.constant(value.value, "i64")
    assert isinstance(value, Scalar)
    return value.ssa
