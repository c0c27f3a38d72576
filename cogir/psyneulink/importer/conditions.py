"""
Conditions of PsyNeuLink's scheduler as cogir's, which have the same names and the same meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from cogir.errors import FunctionError
from cogir.frontend.builder import conditions
from cogir.frontend.builder.handles import Instance, Node
from cogir.psyneulink.importer.finishing import check_counts, scale_of_executions
from cogir.psyneulink.importer.predicates import NotCompiled, predicate_of
from cogir.psyneulink.pnl import variable_spec_of
from cogir.psyneulink.reader import Reader, UnsupportedFeature

_RENAMED = (("EnvironmentStateUpdate", "Trial"), ("EnvironmentSequence", "Run"), ("ConsiderationSetExecution", "TimeStep"))

COUNTING = frozenset(
    "BeforeTimeStep AtTimeStep AfterTimeStep AfterNTimeSteps BeforePass AtPass AfterPass AfterNPasses EveryNPasses"
    " BeforeTrial AtTrial AfterTrial AfterNTrials".split()
)
CALLS = frozenset("BeforeNCalls AtNCalls AfterCall AfterNCalls".split())

FINISHED = frozenset("WhenFinished WhenFinishedAny WhenFinishedAll".split())
OF_FUNCTIONS = frozenset("Condition While WhileNot".split())
"""Conditions that ask a function of the user's."""
VALUES = FINISHED | OF_FUNCTIONS | {"Threshold"}
"""Conditions that look at values, so that what runs when is not known before."""

OF_NODE, ENDS_TRIAL, ENDS_RUN, RESET = "condition of", "termination of a trial", "termination of a run", "reset of"
"""Subjects of conditions."""
TRIAL_SCALES = ("TRIAL", "ENVIRONMENT_STATE_UPDATE")
"""The names of the time scale of a trial."""
COUNTED = (OF_NODE, ENDS_TRIAL)
"""The places where PsyNeuLink counts, for each execution context, how often a condition has held."""


class ConditionReader:
    """Reads conditions of one Composition: `node_of` gives the node that stands for a Mechanism or nested Composition."""

    def __init__(
        self,
        composition: Any,
        reader: Reader,
        node_of: Callable[[Any], Node | Instance],
        finishes: Callable[[Any], bool],
        counting: Callable[[Any, Any], str | None],
    ):
        """`counting`: the state of a Mechanism's node that counts its executions in a time scale, or, for None, in all contexts."""
        self.functions: list[Callable[..., Any]] = []
        """The functions of conditions."""
        self.asked: list[Any] = []
        """The components that these ask for their values in whatever execution context they had last."""
        self.assumed: list[Callable[[Any, bool], None]] = []
        """Checks before each call, for its execution id, and whether it begins a run: they refuse it where a condition would differ."""
        self.counted: dict[str, list[Any]] = {}
        """PsyNeuLink's NWhen conditions, whose counts the model has too, by what they are conditions of."""
        self.composition = composition
        self.reader = reader
        self.node_of = node_of
        self.finishes = finishes
        self.counting = counting

    def read(self, condition: Any, what: str, owner: Any = None) -> conditions.Condition:
        """
        The condition; refused when it is none of graph_scheduler's own. `owner`: the node whose condition it is, which `condition.owner` is
        not where several nodes share it.
        """
        name = plain_name(condition)
        if not type(condition).__module__.startswith(("psyneulink.", "graph_scheduler.")):
            raise self.refuse(what, f"a condition of the class {name}", "use a condition of PsyNeuLink's own")
        if name in ("All", "And", "Any", "Or"):
            parts = in_order([self.read(part, what, owner) for part in condition.args])
            return (conditions.All if name in ("All", "And") else conditions.Any)(*parts)
        if name == "Not":
            return conditions.Not(self.read(condition.condition, what, owner))
        if name == "NWhen":
            return self.n_when(condition, what, owner)
        if name in ("Always", "Never", "AtTrialStart", "AtRunStart"):
            return getattr(conditions, name)()
        if name in ("AtTrialNStart", "AtRunNStart"):
            return conditions.All(*(self.read(part, what, owner) for part in condition.args))
        if name in COUNTING:
            return getattr(conditions, name)(whole(condition.args[0]), scale_of(condition))
        if name in ("AtRun", "AfterRun", "AfterNRuns"):
            return getattr(conditions, name)(whole(condition.args[0]))
        if name in CALLS:
            return getattr(conditions, name)(self.node_of(condition.args[0]), whole(condition.args[1]), scale_of(condition))
        if name == "AfterNCallsCombined":
            nodes = [self.node_of(node) for node in condition.args]
            return conditions.AfterNCallsCombined(*nodes, n=whole(condition.kwargs["n"]), time_scale=scale_of(condition))
        if name == "EveryNCalls":
            if owner is not None and condition.owner not in (None, owner):
                raise self.refuse(what, f"an EveryNCalls that {condition.owner.name!r} has, too", "give each node its own")
            return conditions.EveryNCalls(self.node_of(condition.args[0]), whole(condition.args[1]))
        if name == "JustRan":
            return conditions.JustRan(self.node_of(condition.args[0]))
        if name == "AllHaveRun":
            return conditions.AllHaveRun(*map(self.node_of, condition.args), time_scale=scale_of(condition))
        if name in FINISHED:
            return self.finished(name, condition, what, owner)
        if name == "Threshold":
            return self.threshold(condition, what)
        if name in OF_FUNCTIONS:
            return self.predicate(condition, what)
        raise self.refuse(what, f"the condition {name}", "use a condition that counts, or Threshold, which reads a node's value")

    def n_when(self, condition: Any, what: str, owner: Any) -> conditions.Condition:
        """`NWhen`, which PsyNeuLink counts in the condition itself, for each execution context."""
        if what == ENDS_RUN:
            raise self.refuse(what, "NWhen, which PsyNeuLink evaluates once more after the run", "count with AfterNCalls or AfterNTrials")
        if not what.startswith(COUNTED):
            raise self.refuse(
                what, "NWhen, whose count PsyNeuLink shares among all execution contexts there", "count with AtTrial or AtRun"
            )
        if any(condition is known for held in self.counted.values() for known in held):
            raise self.refuse(what, "an NWhen that is part of several conditions", "give each condition its own NWhen")
        self.counted.setdefault(what, []).append(condition)
        return conditions.NWhen(self.read(condition.condition, what, owner), whole(condition.args[1]))

    def finished(self, name: str, condition: Any, what: str, owner: Any) -> conditions.Condition:
        """`WhenFinished` and its kin. A Mechanism that never says whether it has finished counts as finished."""
        watched = condition.args or tuple(self.composition.scheduler.nodes)
        nodes = list(map(self.node_of, watched))
        if any(isinstance(node, Instance) for node in nodes):
            raise self.refuse(what, f"{name} refers to a nested Composition, which PsyNeuLink does not support", "name its Mechanisms")
        saying = [(one, node) for one, node in zip(watched, nodes, strict=True) if self.finishes(one)]
        of_values: list[Node | Instance] = []
        counted: list[conditions.Condition] = []
        for one, node in saying:
            scale = scale_of_executions(one)
            if scale is None:
                of_values.append(node)
                continue
            if what.startswith(RESET) or self.is_beside(owner, one):
                raise self.refuse(
                    what,
                    f"{name} asks {one.name!r}, which finishes after a number of executions, "
                    + ("as a trial begins" if what.startswith(RESET) else "while it is about to be executed beside it"),
                    "compare a value, or ask after it has been executed (AfterCall)",
                )
            # In each trial (pass, run) PsyNeuLink counts from 0, and the Mechanism has not finished before it is executed there.
            self.assume(partial(check_counts, self.composition, what, one))
            counted.append(conditions.All(conditions.WhenFinished(node), conditions.AfterNCalls(node, 1, scale)))
        is_any = name == "WhenFinishedAny"
        if (is_any and len(saying) < len(watched)) or not saying:
            return conditions.Always()
        of_all = (conditions.WhenFinishedAny if is_any else conditions.WhenFinishedAll)(*of_values) if of_values else None
        parts = counted if of_all is None else [of_all, *counted]
        return parts[0] if len(parts) == 1 else (conditions.Any if is_any else conditions.All)(*parts)

    def is_beside(self, owner: Any, mechanism: Any) -> bool:
        """True if a node with a condition is considered together with another Mechanism: its call is counted before it is executed."""
        if owner is None or owner is mechanism:
            return False
        return any({owner, mechanism} <= layer for layer in self.composition.scheduler.consideration_queue)

    def assume(self, check: Callable[[Any, bool], None]) -> None:
        """Makes a check for an execution id, before each call, which is told whether it begins a run; and here, where nobody knows."""
        check(self.reader.execution_id, False)
        self.assumed.append(check)

    def threshold(self, condition: Any, what: str) -> conditions.Condition:
        """`Threshold` on the value of a Mechanism, or of one of its OutputPorts, or on a count of its executions."""
        if is_of_count(condition) and what.startswith(COUNTED):
            return self.count_reached(condition, what)
        if condition.parameter != "value" or condition.kwargs.get("custom_parameter_getter") is not None:
            raise self.refuse(
                what,
                f"Threshold reads {condition.parameter!r}, but only `value` without a custom_parameter_getter is supported",
                "read the value",
            )
        indices = condition.indices
        if type(indices).__name__ == "TimeScale":
            raise self.refuse(what, "Threshold reads a time", "read the value")
        node, port, rest = self.seen(condition.dependency, list(indices or []), what)
        return conditions.Threshold(
            node,
            port.name,
            float(condition.threshold),
            condition.comparator,
            tuple(rest) or (0,),
            float(condition.atol),
            float(condition.rtol),
        )

    def count_reached(self, condition: Any, what: str) -> conditions.Condition:
        """`Threshold` on a count of the executions of a Mechanism."""
        state = self.counting(condition.dependency, scale_counted(condition))
        node = self.node_of(condition.dependency)
        if state is None or isinstance(node, Instance):
            raise self.refuse(what, "Threshold reads a count of a nested Composition", "put the condition into the nested Composition")
        tolerances = float(condition.atol), float(condition.rtol)
        return conditions.Threshold(node, state, float(condition.threshold), condition.comparator, None, *tolerances)

    def seen(self, dependency: Any, indices: list[int], what: str) -> tuple[Node, Any, list[int]]:
        """The node and the OutputPort at which a Threshold looks, and where in its value."""
        if hasattr(dependency, "owner") and dependency in getattr(dependency.owner, "output_ports", ()):
            node, port = self.node_of(dependency.owner), dependency
            if np.ndim(dependency.defaults.value) != 1:
                raise self.refuse(what, f"Threshold reads {port.name!r}, whose value is not a vector", "read a Mechanism")
        else:
            node = self.node_of(dependency)
            item = indices.pop(0) if indices else 0
            ports = () if isinstance(node, Instance) else dependency.output_ports
            spec = ("OWNER_VALUE", item)
            whole = [port for port in ports if not port.mod_afferents and self.reader.is_identity(port.function)]
            port = next((port for port in whole if variable_spec_of(port) == spec), None)
            if port is None and not isinstance(node, Instance):
                raise self.refuse(what, f"Threshold reads item {item} of the value, which has no OutputPort", "add an OutputPort for it")
        if isinstance(node, Instance):
            raise self.refuse(what, "Threshold reads a nested Composition", "put the condition into the nested Composition")
        return node, port, indices

    def predicate(self, condition: Any, what: str) -> conditions.Condition:
        """The condition of a Python function, which reads the values of Mechanisms and OutputPorts."""
        try:
            found, negated = predicate_of(condition)
            ports: list[Any] = []
            for read in found.reads:
                node, port, _ = self.seen(read.component, [read.item], what)
                if not read.in_context:
                    self.assume(partial(check_read_in, read.component))
                    self.asked.append(read.component)
                ports.append(node[port.name])
        except NotCompiled as error:
            feature, remedy = error.args
            raise self.refuse(what, f"its function{named(condition)} {feature}", remedy) from None
        except FunctionError as error:
            raise self.refuse(what, f"its function{named(condition)} is not compiled: {error}", "define it in a file") from None
        self.functions.append(found.function)
        return (conditions.WhileNot if negated else conditions.While)(found.function, *ports)

    def refuse(self, what: str, feature: str, remedy: str) -> UnsupportedFeature:
        """The error about a condition that cannot be compiled."""
        return UnsupportedFeature(f"Composition {self.composition.name!r}, {what}", feature, remedy)


def whole(number: Any) -> Any:
    """A count that a condition is given, which may be a floating-point number, as a quotient of times is (`EveryNCalls(node, 1 / dt)`)."""
    return int(number) if isinstance(number, float) and number.is_integer() else number


def check_read_in(component: Any, execution_id: Any, begins_run: bool = False) -> None:
    """
    Refuses a component that a function of a condition asks for its value, but that was executed last in another execution context, in which
    PsyNeuLink then reads the value; in any call.
    """
    last = component.most_recent_context.execution_id
    if last not in (None, execution_id):
        raise UnsupportedFeature(
            f"{type(component).__name__} {component.name!r}",
            f"a function of a condition reads its value, which PsyNeuLink takes from the execution context {last!r} until it executes",
            "use Threshold, or run it in one execution context",
        )


def named(condition: Any) -> str:
    """The name of the function that a condition asks, if it has one."""
    name = getattr(getattr(condition, "func", None), "__name__", "<lambda>")
    return "" if name == "<lambda>" else f" ({name})"


def in_order(parts: list[conditions.Condition]) -> list[conditions.Condition]:
    """
    Those that wait for calls of nodes by the names of the nodes: by default PsyNeuLink gives a node one for each sender, out of a set,
    whose order is another one in each process. The code of a model in the cache would hardly ever be found.
    """
    counts = [part for part in parts if isinstance(part, conditions.EveryNCalls)]
    if len(counts) < len(parts):
        return parts
    counts.sort(key=lambda part: repr(part.dependency))
    return [*counts]


def plain_name(condition: Any) -> str:
    """The name of a condition's class; graph_scheduler has two for some."""
    name = type(condition).__name__
    for long, short in _RENAMED:
        name = name.replace(long, short)
    return name


def asks_for_values(condition: Any) -> bool:
    """True if a condition of PsyNeuLink, or one in it, looks at values."""
    return asks_for(VALUES, condition)


def asks_for(kinds: frozenset[str], condition: Any) -> bool:
    """True if a condition of PsyNeuLink, or one in it, is of these classes."""
    parts = [*condition.args, *condition.kwargs.values()]
    return type(condition).__name__ in kinds or any(hasattr(part, "is_satisfied") and asks_for(kinds, part) for part in parts)


def is_of_count(condition: Any) -> bool:
    """True if a Threshold compares a count of the executions of a Mechanism."""
    if condition.parameter == "num_executions":
        return getattr(condition.indices, "name", None) in (*TRIAL_SCALES, "RUN", "ENVIRONMENT_SEQUENCE", "LIFE")
    return condition.parameter == "execution_count" and condition.indices is None


def scale_counted(condition: Any) -> Any:
    """The time scale of the count that a Threshold compares; None for that in all execution contexts together."""
    return condition.indices if condition.parameter == "num_executions" else None


def counts_asked(composition: Any, mechanism: Any) -> list[Any]:
    """The counts of executions of a Mechanism, as `scale_counted` has them, that conditions of a Composition compare."""
    waiting = [*composition.scheduler.conditions.conditions_basic.values(), *composition.termination_processing.values()]
    found: list[Any] = []
    while waiting:
        condition = waiting.pop()
        if type(condition).__name__ == "Threshold" and condition.dependency is mechanism and is_of_count(condition):
            found.append(scale_counted(condition))
        waiting += [part for part in (*condition.args, *condition.kwargs.values()) if hasattr(part, "is_satisfied")]
    return list(dict.fromkeys(found))


def asks_for_finished(composition: Any) -> bool:
    """True if a Composition asks Mechanisms that have been executed whether they have finished: its schedule, or a controller after it."""
    asked = [*composition.scheduler.conditions.conditions_basic.values(), *composition.termination_processing.values()]
    if composition.controller is not None and composition.controller_mode == "after":
        asked.append(composition.controller_condition)
    return any(asks_for(FINISHED, condition) for condition in asked)


def conditions_on_finished(composition: Any) -> Iterator[list[Any]]:
    """Of each condition of a Composition that asks Mechanisms whether they have finished, which; none stands for all nodes."""
    waiting = [*composition.scheduler.conditions.conditions_basic.values(), *composition.termination_processing.values()]
    waiting += [node.reset_stateful_function_when for node in composition.nodes if hasattr(node, "reset_stateful_function_when")]
    if composition.controller is not None:
        waiting.append(composition.controller_condition)
    while waiting:
        condition = waiting.pop()
        if type(condition).__name__ in FINISHED:
            yield [*condition.args]
        waiting += [part for part in (*condition.args, *condition.kwargs.values()) if hasattr(part, "is_satisfied")]


def is_trial_start(condition: Any) -> bool:
    """True if a condition that is asked as a trial begins always holds: `AtTrialStart()`, or `AtPass(0)`, which is the same."""
    name = plain_name(condition)
    return name == "AtTrialStart" or (name == "AtPass" and condition.args[0] == 0 and scale_of(condition).name in TRIAL_SCALES)


def runs_once(composition: Any) -> bool:
    """True if every node is called once in each trial: nodes only wait for one another, and the trial ends when all have run."""
    waits = composition.scheduler.conditions.conditions_basic.values()
    ends = [condition for scale, condition in composition.termination_processing.items() if scale.name in TRIAL_SCALES]
    return all(waits_once(condition) for condition in waits) and all(plain_name(end) == "AllHaveRun" and not end.args for end in ends)


def nodes_before(composition: Any, node: Any) -> list[Any]:
    """
    The Mechanisms after which a node is considered by conditions on the graph's structure, not by what it receives. Nested Compositions are
    left out, so that where the order depends on one it is found to be another one.
    """
    scheduler = composition.scheduler
    if not any(scheduler.conditions.conditions_structural.values()):
        return []
    senders = {projection.sender.owner for projection in getattr(node, "path_afferents", ())}
    before = sorted(one for one in scheduler.dependency_dict.get(node, ()) if one not in senders)
    return [one for one in before if not hasattr(one, "input_CIM")]


def waits_once(condition: Any) -> bool:
    """True if a node with this condition is called once in each trial if those that it waits for are."""
    name = plain_name(condition)
    if name in ("All", "And"):
        return all(map(waits_once, condition.args))
    return name == "Always" or (name == "EveryNCalls" and condition.args[1] == 1)


def scale_of(condition: Any) -> Any:
    """The time scale that a condition counts in; graph_scheduler keeps it in an argument or in a closure."""
    for argument in (*condition.args, *condition.kwargs.values()):
        if type(argument).__name__ == "TimeScale":
            return argument
    if hasattr(condition, "time_scale"):
        return condition.time_scale
    code, cells = condition.func.__code__, condition.func.__closure__ or ()
    return dict(zip(code.co_freevars, cells, strict=True))["time_scale"].cell_contents
