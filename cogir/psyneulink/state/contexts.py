"""
The execution context in which each component was executed last, as a run leaves it.

A component that is asked for a value without a context answers with that of this one, and what is set or reset by hand is logged with
the time of the Composition that it names. PsyNeuLink gives each Mechanism a context of its own, in the phase in which it was executed;
what was not executed keeps the one that it has.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias
from weakref import ref

import numpy as np
import numpy.typing as npt

from cogir.psyneulink.pnl import LAST_CONTEXT, compositions_in, context_left, context_left_in_node
from cogir.psyneulink.reader import Reader
from cogir.psyneulink.state.executed_components import arriving_at, called_by, is_executed
from cogir.psyneulink.state.lazy_values import PENDING

Executed: TypeAlias = npt.NDArray[np.bool_]
"""True for each counted component that has been executed."""

Left: TypeAlias = "tuple[ref[LastContexts], Any, bool, bytes, int]"
"""The record of a Composition, and the number of looks by then."""


@dataclass
class ExecutedTogether:
    """Components that are executed together."""

    counted: list[int]
    """Those of the counted components of which one at least is executed with them; none: they are executed in each trial."""
    composition: Any = None
    """The Composition whose Mechanism they make up; None for those that share the context of the outermost one."""
    held: list[dict[str, Any]] = field(default_factory=list["dict[str, Any]"])


class LastContexts:
    """Those of all components of a Composition."""

    def __init__(self, composition: Any, execution_id: Any, counted: Sequence[Any]):
        """`execution_id`: the context by whose values it is known what an execution calls; `counted`: what tells when it is executed."""
        self.composition = composition
        self.reader = Reader(execution_id)
        self.compositions = list(compositions_in(composition))
        place = {id(one): index for index, one in enumerate(counted)}
        owner = {id(node): each for each in self.compositions for node in each.nodes}
        self.seen: set[int] = set()
        interfaces = [cim for each in self.compositions for cim in (each.input_CIM, each.output_CIM, each.parameter_CIM)]
        self.groups = [ExecutedTogether([], None, [part for cim in interfaces for part in self.parts_of(cim)])]
        for one in counted:
            each = owner.get(id(one))
            self.groups.append(ExecutedTogether([place[id(one)]], each, self.parts_of(one, self.compositions if each is None else [each])))
        for each in self.compositions:
            cims = (each.input_CIM, each.output_CIM, each.parameter_CIM)
            arriving = [part for cim in cims for port in cim.input_ports for part in self.parts_of(port, self.compositions)]
            inner = [place[id(node)] for within in compositions_in(each) for node in within.nodes if id(node) in place]
            self.groups.append(ExecutedTogether([] if each is composition else inner, None, [each.__dict__, *arriving]))

    def parts_of(self, component: Any, compositions: Sequence[Any] = ()) -> list[dict[str, Any]]:
        """
        What a component executes: itself, its ports, its Functions and theirs, and what projects to it in these Compositions, with all
        parts; but for what has been found before.
        """
        waiting: list[Any] = [component]
        found: list[dict[str, Any]] = []
        while waiting:
            one = waiting.pop()
            if id(one) in self.seen and one is not component:
                continue
            if id(one) not in self.seen and (not hasattr(one, "all_afferents") or is_executed(one, self.reader)):
                found.append(one.__dict__)
                waiting += called_by(one, self.reader)
            self.seen.add(id(one))
            waiting += _ports_of(one)
            waiting += [each for each in arriving_at(one) if any(map(one.afferents_info[each].is_active_in_composition, compositions))]
        return found

    def leave(self, execution_id: Any, executed: Executed, *, is_run: bool = True, shared: Any = None) -> None:
        """
        These were executed in this context: in a run, or by `execute`.

        `shared`: PsyNeuLink's own context for Compositions, if it has made one.

        Nothing is done where that was said last, and no value of PsyNeuLink has been used since.
        """
        now: Left = (ref(self), execution_id, is_run, executed.tobytes(), PENDING.epoch)
        if shared is None and _left and _left[0] == now:
            return
        shared = context_left(execution_id, self.composition, is_run=is_run) if shared is None else shared
        of_nodes: dict[int, Any] = {}
        for group in self.groups:
            if group.counted and not executed[group.counted].any():
                continue
            composition = group.composition
            if composition is None:
                _say(group.held, shared)
                continue
            if id(composition) not in of_nodes:
                of_nodes[id(composition)] = context_left_in_node(execution_id, composition)
            _say(group.held, of_nodes[id(composition)])
        _left[:] = [now]

    def end_run(self, execution_id: Any) -> None:
        """A run is over: the Composition itself says its context, whatever the callbacks have executed last."""
        self.composition.__dict__[LAST_CONTEXT] = context_left(execution_id, self.composition, is_run=True)
        _left.clear()


_left: list[Left] = []
"""The arguments of the last `leave`, and the epoch of Parameters then."""


def _say(parts: Iterable[dict[str, Any]], context: Any) -> None:
    for held in parts:
        held[LAST_CONTEXT] = context


def _ports_of(one: Any) -> Iterator[Any]:
    """The ports of a Mechanism, or the ParameterPorts of a Projection."""
    for name in ("input_ports", "output_ports", "parameter_ports"):
        yield from getattr(one, name, None) or ()
