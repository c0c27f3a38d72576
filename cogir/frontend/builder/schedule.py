"""
The schedule of a model: `m.schedule.when(node, condition)` and its companions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from cogir.callers import methods_end_at_caller
from cogir.errors import ModelError, shown
from cogir.frontend.builder import checks
from cogir.frontend.builder.condition import depth_of
from cogir.frontend.builder.conditions import AfterCall, AfterNCalls, All, Condition, EveryNCalls, JustRan, WhenFinished, While
from cogir.frontend.builder.graph import Graph
from cogir.frontend.builder.handles import Control, Instance, Node, Parameter, Port, State
from cogir.frontend.builder.source_location import SourceLocation, user_place
from cogir.frontend.builder.written import schedule_as_written
from cogir.limits import DEEPEST_CONDITION


@methods_end_at_caller
class Schedule:
    """
    When nodes run, when their states are reset, when a trial and a run end.

    What is not said: a node runs whenever those before it have run, a trial ends when all nodes have run, a run ends after its trials.
    """

    def __init__(self, model: Graph):
        self._model = model
        self.record = model.description.schedule

    def when(
        self,
        node: Node | Instance | Control | str | Mapping[Node | Instance | str, Condition],
        condition: Condition | None = None,
        *,
        replace: bool = False,
    ) -> None:
        """
        Lets a node run only while the condition holds; a dict says so for several nodes. A controller searches only in trials before
        which, or, if it searches after them, at whose end the condition holds; a node that stands aside executes in such trials.
        `replace`: in the place of the condition that it has.
        """
        place = user_place()
        again = checks.flag(replace, "schedule.when: replace", place)
        if isinstance(node, Mapping):
            if condition is not None:
                raise ModelError(
                    f"{place}: schedule.when: found a dict and a condition; give either a node and a condition, or a dict of nodes "
                    "and conditions"
                )
            for one, its_condition in node.items():
                self._set(self.record.conditions, one, its_condition, "schedule.when", place, again)
        else:
            self._set(self.record.conditions, node, condition, "schedule.when", place, again)

    def aside(self, node: Node | str, when: str) -> None:
        """
        Takes a node out of the passes: it executes once in each trial, "before" the first time step or "after" the last one (and after the
        results have been read), on the values as they are then. In trials that a controller of the model simulates it does not execute.
        """
        place = user_place()
        if isinstance(node, str):
            node = cast(Node, self._model.node_called(node, "schedule.aside", place))
        if not isinstance(cast(object, node), Node):
            raise ModelError(f"{place}: schedule.aside: found {shown(node)}; give a node")
        self._model.must_hold(node, "schedule.aside", place)
        checks.choice(when, ("before", "after"), f'schedule.aside of "{node.name}"', place)
        if node.name in self.record.asides:
            raise ModelError(f'{place}: schedule.aside of "{node.name}": it is given already, at {self.record.asides[node.name][1]}')
        self.record.asides[node.name] = (when, place)

    def reset(
        self, node: Node | str | State | Sequence[State], condition: Condition, *, keeps: Sequence[str | Port] = (), replace: bool = False
    ) -> None:
        """
        Puts a node back to where it began, at the beginning of each trial in which the condition holds.

        All of it, or only the states that are given: `schedule.reset(node.state("steps"), AtTrialStart())`; or all but what is
        in `keeps`: names of states, and output ports, as in `keeps=["steps", node["value"]]`. `replace`: in the place of the
        reset that it has.
        """
        place = user_place()
        again = checks.flag(replace, "schedule.reset: replace", place)
        kept = checks.listed(keeps)
        if kept is None or isinstance(keeps, str) or not all(isinstance(each, str | Port) for each in kept):
            raise ModelError(f"{place}: schedule.reset: keeps is {shown(keeps)}; give a list of names of states and of ports of the node")
        states = (node,) if isinstance(node, State) else tuple(node) if isinstance(node, list | tuple) else ()
        if not all(isinstance(cast(object, state), State) for state in states):
            raise ModelError(f'{place}: schedule.reset: found {shown(node)}; give a node, or states such as node.state("steps")')
        if not states:
            self._set(self.record.resets, node, condition, "schedule.reset", place, again)
            name = node if isinstance(node, str) else cast(Node, node).name
            self.record.reset_states.pop(name, None)
            self.record.reset_keeps.pop(name, None)
            self.record.reset_keeps_ports.pop(name, None)
            ports = [port for port in kept if isinstance(port, Port)]
            if any(port.owner.name != name for port in ports):
                raise ModelError(f'{place}: schedule.reset of "{name}": keeps holds a port of another node; give ports of this one')
            if states_kept := tuple(each for each in kept if isinstance(each, str)):
                self.record.reset_keeps[name] = states_kept
            if ports:
                self.record.reset_keeps_ports[name] = tuple(port.name for port in ports)
            return
        owners = {state.owner.name: state.owner for state in states}
        if len(owners) > 1:
            raise ModelError(f"{place}: schedule.reset: states of {' and '.join(owners)}; reset one node at a time")
        owner = next(iter(owners))
        for state in states:
            self._model.must_have(state, "schedule.reset", place)
        self._set(self.record.resets, owners[owner], condition, "schedule.reset", place, again)
        self.record.reset_keeps.pop(owner, None)
        self.record.reset_keeps_ports.pop(owner, None)
        self.record.reset_states[owner] = tuple(state.name for state in states)

    def fails(self, state: State, message: str) -> None:
        """
        Gives up a trial at whose end a state, a single number, is not zero: the run raises `ExecutionError` with the message, and the
        context stands where it did after the trial before.
        """
        place = user_place()
        if not isinstance(cast(object, state), State):
            raise ModelError(f'{place}: schedule.fails: found {shown(state)}; give a state, such as node.state("overflow")')
        what = f'schedule.fails of "{state.owner.name}"'
        self._model.must_have(state, "schedule.fails", place)
        if not isinstance(cast(object, message), str) or not message.strip():
            raise ModelError(f"{place}: {what}: the message is {shown(message)}; give a text that says what failed and what to do")
        if (key := (state.owner.name, state.name)) in self.record.failures:
            raise ModelError(f'{place}: {what}: "{state.name}" is given already, at {self.record.failures[key][1]}')
        self.record.failures[key] = (message, place)

    def trial_ends(self, condition: Condition, *, replace: bool = False) -> None:
        """Ends a trial when the condition holds (default: when all nodes have run). `replace`: in the place of what was said before."""
        self._end("trial", condition, "schedule.trial_ends", user_place(), replace)

    def run_ends(self, condition: Condition, *, replace: bool = False) -> None:
        """Ends a run before its last trial when the condition holds (default: never). `replace`: in the place of what was said before."""
        self._end("run", condition, "schedule.run_ends", user_place(), replace)

    def _end(self, scale: str, condition: Condition, what: str, place: SourceLocation, replace: object) -> None:
        if not checks.flag(replace, f"{what}: replace", place) and scale in self.record.ends:
            raise ModelError(
                f"{place}: {what}: it is given already, at {self.record.ends[scale][1]}; join the conditions with & (all) or | (any), "
                "and give it once, or give replace=True"
            )
        self.record.ends[scale] = (self._checked(condition, what, place), place)

    def _set(
        self,
        table: dict[str, tuple[Condition, SourceLocation]],
        node: object,
        condition: object,
        what: str,
        place: SourceLocation,
        replace: bool,
    ) -> None:
        if isinstance(node, str):
            node = self._model.node_called(node, what, place)
        if isinstance(node, Control) and table is self.record.conditions and node.model is self._model.description:
            table[node.name] = (self._checked(condition, f'{what} of "{node.name}"', place), place)
            return
        if not isinstance(node, Node | Instance):
            raise ModelError(f"{place}: {what}: found {shown(node)}; give a node first, then its condition")
        self._model.must_hold(node, what, place)
        checked = self._checked(condition, f'{what} of "{node.name}"', place)
        if table is self.record.conditions and _waits_for(checked, node):
            raise ModelError(f'{place}: {what} of "{node.name}": it waits for the node itself, so the node never runs; name another node')
        if node.name in table and not replace:
            joined = "name all states at once" if what == "schedule.reset" else "join the conditions with & (all) or | (any)"
            raise ModelError(
                f'{place}: {what} of "{node.name}": it is given already, at {table[node.name][1]}; {joined}, and give it once, or give '
                "replace=True"
            )
        table[node.name] = (checked, place)

    def __repr__(self) -> str:
        """Its conditions, resets and ends, as they were given."""
        lines = list(schedule_as_written(self.record)) or ["nothing was given: a node runs whenever those before it have run"]
        return "\n  ".join((f'schedule of "{self._model.description.name}":', *lines))

    def _checked(self, condition: object, what: str, place: SourceLocation) -> Condition:
        if not isinstance(condition, Condition):
            found = f"the class {condition.__name__}; did you forget its parentheses?" if isinstance(condition, type) else shown(condition)
            raise ModelError(f"{place}: {what}: found {found}; give a condition, such as cogir.AfterPass(3)")
        if (depth := depth_of(condition)) > DEEPEST_CONDITION:
            raise ModelError(
                f"{place}: {what}: its conditions are nested {depth} deep, and {DEEPEST_CONDITION} is the most; All(...) and Any(...) "
                "of many conditions, and chains of & alone or | alone, nest only once"
            )
        self._check_parts(condition, what, place)
        return condition

    def _check_parts(self, condition: Condition, what: str, place: SourceLocation) -> None:
        """Every node that a condition names must be of this model."""
        for value in vars(condition).values():
            for part in cast("tuple[object, ...]", value) if isinstance(value, tuple) else (value,):
                if isinstance(part, Condition):
                    self._check_parts(part, what, place)
                elif isinstance(part, Node | Instance):
                    self._model.must_hold(part, what, place)
        alone = (cast(object, vars(condition)["dependency"]),) if "dependency" in vars(condition) else ()
        for part in (*alone, *cast("tuple[object, ...]", getattr(condition, "dependencies", ()))):
            if isinstance(part, str):
                self._model.node_called(part, what, place)
            elif not isinstance(part, Node | Instance):
                raise ModelError(f"{place}: {what}: {type(condition).__name__} found {shown(part)}; give a node")
        if isinstance(condition, While):
            for read in condition.args:
                owner = getattr(read, "owner", None)
                if owner is None:
                    raise ModelError(
                        f'{place}: {what}: {type(condition).__name__} found {shown(read)} to read; give node["port"], '
                        "node.state(...) or node.param(...)"
                    )
                self._model.must_hold(owner, what, place)
                if isinstance(read, Parameter | State):
                    self._model.must_have(read, what, place)
                else:
                    self._model.port(read, "out", what, place)


def _waits_for(condition: object, node: Node | Instance) -> bool:
    """True if a node cannot run before it has run itself: something of its own must hold, alone or together with others."""
    match condition:
        case All():
            return any(_waits_for(part, node) for part in condition.conditions)
        case EveryNCalls() | AfterCall() | JustRan():
            possible = True
        case AfterNCalls():
            possible = condition.n > 0
        case WhenFinished():
            possible = isinstance(node, Node) and node.record.finishes
        case _:
            return False
    return possible and condition.dependency in (node, node.name)
