"""The ways in which statement lists end, and the names that a loop carries from one iteration to the next."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from types import FunctionType
from typing import Literal, Protocol, TypeAlias

from xdsl.ir import Attribute, SSAValue

from cogir.pyfunc.emitter import Emitter, set_hint
from cogir.pyfunc.joining import (
    CannotJoin,
    Spec,
    join,
    leaf_types,
    leaves,
    placeholders,
    rebuild,
    spec_of,
    variable_spec,
    with_storage,
)
from cogir.pyfunc.source import FunctionNode, Names, SourceFile
from cogir.pyfunc.values import Borrowed, Closure, List, Method, Scalar, Storage, Tuple, Unbound, Value, storages_of

CHOSEN = "@chosen"
"""The value of the conditional expression that is being compiled, as if it had a name."""


Exit: TypeAlias = Literal["fall", "return", "break", "continue"]
CODES: dict[Exit, int] = {"fall": 0, "return": 1, "break": 2, "continue": 3}


@dataclass(frozen=True)
class Flow:
    """The ways in which a statement list ends; `code` tells them apart when there are several, `value` is what is returned."""

    kinds: frozenset[Exit]
    code: SSAValue | None = None
    value: Value | None = None


def kinds_of(*kinds: Exit) -> frozenset[Exit]:
    """A set of ways to leave."""
    return frozenset(kinds)


FALLS, RETURNS = kinds_of("fall"), kinds_of("return")
FALL = Flow(FALLS)
BREAK = Flow(kinds_of("break"))
CONTINUE = Flow(kinds_of("continue"))


@dataclass(eq=False)
class Frame:
    """A function that is being compiled: its names live in the environment under `prefix`."""

    prefix: str
    node: FunctionNode
    names: Names
    file: SourceFile
    title: str
    function: FunctionType | None
    parent: Frame | None
    loops: list[ast.AST] = field(default_factory=list[ast.AST])


@dataclass(frozen=True)
class Rolled:
    """A loop over numbers `lower`, `lower + step` ... below `upper`; `item` is the loop's value for such a number."""

    lower: Value
    upper: Value
    step: int
    trips: int | None
    item: Callable[[Scalar], Value]


class Scope(Protocol):
    """The names of the function being compiled, and when they are read."""

    e: Emitter
    env: dict[str, Value]

    def used_after(self, key: str, node: ast.AST) -> bool: ...

    def used_beyond(self, key: str, loop: ast.AST) -> bool: ...

    def join_returns(self, left: Spec, right: Spec) -> Spec: ...


class LoopCarried:
    """The names that a loop carries, found by trying: what they are on entry, widened by what the body makes of them."""

    def __init__(self, scope: Scope, node: ast.AST, keys: Sequence[str], *, definite: bool, tested: frozenset[str] = frozenset()):
        """`definite`: the body runs at least once. `tested`: names that the test of a while assigns, so that the body has them."""
        self.scope = scope
        self.node = node
        self.keys = keys
        self.definite = definite
        self.tested = tested
        self.outer = dict(scope.env)
        self.specs: dict[str, Spec] = {}
        self.late: set[str] = set()
        self.useless: dict[str, str] = {}
        self.returned: Spec | None = None
        self._known = set(chain.from_iterable(map(storages_of, self.outer.values())))
        self._made: dict[str, Storage] = {}
        for key in keys:
            value = self.outer.get(key)
            if not scope.used_after(key, node):
                self.useless[key] = f"{name_of(key)} is not used any more"
            elif isinstance(value, Unbound):
                self.useless[key] = value.reason
            elif value is not None:
                self.specs[key] = variable_spec(spec_of(value))

    def types(self) -> list[Attribute]:
        return [type for spec in self.specs.values() for type in leaf_types(spec)]

    def starts(self) -> list[SSAValue]:
        """The values of the names before the loop."""
        e = self.scope.e
        found: list[SSAValue] = []
        for key, spec in self.specs.items():
            found += placeholders(e, spec) if key in self.late else leaves(e, self.outer[key], spec)
        return found

    def enter(self, arguments: Sequence[SSAValue], *, in_test: bool = False) -> None:
        """Binds the names to the arguments of a loop's block; at the start of the body (or test), late names have no value yet."""
        env = self.scope.env = dict(self.outer)
        ssas = iter(arguments)
        for key, spec in self.specs.items():
            _hint(key, spec, arguments, ssas, env)
            if key in self.late and (key in self.tested) == in_test:
                env[key] = Unbound(f"{name_of(key)} may be used before the loop has assigned it; assign it before the loop")
        for key in self.keys:
            if key in self.useless:
                env[key] = Unbound(self.useless[key])
            elif key not in self.specs:
                env[key] = Unbound(f"{name_of(key)} is used before it has a value")

    def _renamed(self, key: str, spec: Spec, seen: dict[Storage, Storage]) -> Spec:
        """
        The spec with memory that the body makes anew in each round under one name per variable, so that trying ends.

        `seen` keeps variables that share such memory sharing it.
        """

        def change(storage: frozenset[Storage]) -> frozenset[Storage]:
            own = self._made.setdefault(key, Storage())
            return frozenset(part if self._is_outer(part) else seen.setdefault(part, own) for part in storage)

        return with_storage(spec, change)

    def _is_outer(self, storage: Storage) -> bool:
        return isinstance(storage, Borrowed) or storage in self._known

    def settle(self) -> bool:
        """Compares the names at the end of the body with the specs; False if the body must be compiled again."""
        changed = False
        seen: dict[Storage, Storage] = {made: made for made in self._made.values()}
        for key in self.keys:
            end = self.scope.env.get(key)
            if end is None or key in self.useless:
                continue
            spec = self.specs.get(key)
            if spec is None:
                wanted = key in self.tested or (self.definite and self.scope.used_beyond(key, self.node))
                if wanted and _holds_function(end):
                    self.useless[key] = f"{name_of(key)} is a function that the loop makes; make it after the loop, or call it inside"
                    changed = True
                elif wanted and not isinstance(end, Unbound):
                    self.specs[key] = self._renamed(key, variable_spec(spec_of(end)), seen)
                    self.late.add(key)
                    changed = True
                continue
            reason = None
            if isinstance(end, Unbound):
                reason = end.reason
            elif _holds_function(end):
                reason = f"{name_of(key)} is a function that the loop makes; make it before the loop, or call it inside"
            else:
                try:
                    wider = join(spec, self._renamed(key, spec_of(end), seen))
                except CannotJoin as error:
                    reason = f"{name_of(key)} changes its type in the loop: {error}; give it one type, or use a second name"
                else:
                    if wider != spec:
                        self.specs[key] = wider
                        changed = True
            if reason is not None:
                del self.specs[key]
                self.late.discard(key)
                self.useless[key] = reason
                changed = True
        return not changed

    def settle_return(self, flow: Flow) -> bool:
        """The same for the value that a return in the loop gives."""
        if "return" not in flow.kinds:
            return True
        assert flow.value is not None
        own = self._made.setdefault("return", Storage())
        returned = variable_spec(spec_of(flow.value))
        spec = with_storage(returned, lambda storage: frozenset(part if self._is_outer(part) else own for part in storage))
        wider = spec if self.returned is None else self.scope.join_returns(self.returned, spec)
        if wider == self.returned:
            return True
        self.returned = wider
        return False

    def ends(self) -> list[SSAValue]:
        """The values of the names now, at the end of the body."""
        e, env = self.scope.e, self.scope.env
        return [ssa for key, spec in self.specs.items() for ssa in leaves(e, env[key], spec)]

    def leave(self, results: Sequence[SSAValue]) -> None:
        """Binds the names to the results of the loop."""
        env = self.scope.env = dict(self.outer)
        ssas = iter(results)
        for key, spec in self.specs.items():
            env[key] = rebuild(spec, ssas)
        for key in self.keys:
            if key in self.useless:
                env[key] = Unbound(self.useless[key])
            elif key not in self.specs:
                env[key] = Unbound(f"{name_of(key)} has a value only inside the loop, which may run zero times; assign it before the loop")


def _holds_function(value: Value) -> bool:
    """True if a value is, or holds, a function with values of its own, which cannot leave a loop."""
    match value:
        case Tuple(items) | List(items):
            return any(map(_holds_function, items))
        case Closure(_, _, defaults, captured):
            return bool(defaults or captured)
        case Method():
            return True
        case _:
            return False


def name_of(key: str) -> str:
    """The user's name for a key of the environment."""
    return f"'{key.rsplit('.', 1)[-1]}'"


def _hint(key: str, spec: Spec, arguments: Sequence[SSAValue], ssas: Iterator[SSAValue], env: dict[str, Value]) -> None:
    """Binds one name, and gives its argument the name for printing."""
    env[key] = rebuild(spec, ssas)
    value = env[key]
    name = key.rsplit(".", 1)[-1]
    if isinstance(value, Scalar):
        set_hint(value.ssa, name)
