"""
`runtime_params` of `run` and `execute`: values that Parameters have for a call, or for those of its trials in which a condition holds.

A native run takes them as values that are set before some trials and put back afterwards. So the conditions may count trials and runs, and
passes where each trial has one, but nothing that changes within a trial; and the Parameters must be ones that PsyNeuLink reads when it
executes, which not all of them are.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from cogir.psyneulink.importer.conditions import TRIAL_SCALES, plain_name, runs_once, scale_of
from cogir.psyneulink.importer.unmodified import check_condition
from cogir.psyneulink.pnl import init_counts, parsed_runtime_params, time_scales, variable_spec_of
from cogir.psyneulink.reader import UnsupportedFeature

PORTS = {"input_port_params": "input_ports", "output_ports_params": "output_ports"}
"""The words for the Parameters of all InputPorts or OutputPorts of a Mechanism."""
OF_PORTS = ("scale", "offset", "weights", "exponents", "slope", "intercept")
"""Parameters of the functions of ports that a native run takes."""
UNHEEDED = ("threshold", "termination_threshold", "seed", "matrix", "starting_value", "auto", "hetero", "competition", "self_excitation")
"""Parameters whose runtime value PsyNeuLink does not compute with, or not everywhere; cogir leaves these to it."""
SCALES = ("RUN", "ENVIRONMENT_SEQUENCE", "LIFE")
AND_OR: dict[str, Callable[[Iterable[bool]], bool]] = {
    "All": all,
    "And": all,
    "Any": any,
    "Or": any,
    "AtTrialNStart": all,
    "AtRunNStart": all,
}


UNUSED = ("weight", "exponent")
"""Parameters of InputPorts that PsyNeuLink reads only where it makes a Mechanism."""


@dataclass(frozen=True)
class Assignment:
    """A Parameter (None: one that no execution reads), the value that it gets, and the conditions that must all hold."""

    parameter: Any
    value: Any
    conditions: tuple[Any, ...]


class RuntimeParams:
    """The `runtime_params` of a call."""

    def __init__(self, composition: Any, method: str, given: Any, execution_id: Any):
        self.composition, self.method, self.key = composition, method, execution_id
        self.counts_passes = False
        parsed = cast("dict[Any, Any]", parsed_runtime_params(composition, given))
        self.assignments = [one for node, params in parsed.items() for one in self.of_node(node, params)]
        if self.assignments and hasattr(composition.controller, "agent_rep") and composition.enable_controller:
            raise self.refuse(
                "while its controller simulates, without them", "set the Parameters before the run, and restore them after it"
            )
        for condition in dict.fromkeys(condition for one in self.assignments for condition in one.conditions):
            check_condition(condition, f"Composition {composition.name!r}, condition of runtime_params")
            self.check(condition)

    def refuse(self, feature: str, remedy: str) -> UnsupportedFeature:
        """The error for runtime_params that cannot be native."""
        return UnsupportedFeature(
            f"Composition {self.composition.name!r}", f"{self.method}() is called with runtime_params {feature}", remedy
        )

    # Which Parameters

    def of_node(self, node: Any, params: dict[Any, Any]) -> Iterator[Assignment]:
        """The assignments to the Parameters of a Mechanism, of its function, and of its ports."""
        if not any(node is one for one in self.composition.nodes) or hasattr(node, "input_CIM"):
            raise self.refuse(f"for {getattr(node, 'name', node)!r}, which is not a Mechanism of it", "name Mechanisms of the Composition")
        for name, (value, condition) in params.items():
            if isinstance(value, dict):
                for port in self.ports(node, name):
                    yield from self.of_ports(node, port, cast("dict[Any, Any]", value), (condition,), name in PORTS)
            else:
                yield self.of_mechanism(node, name, value, condition)

    def of_mechanism(self, node: Any, name: str, value: Any, condition: Any) -> Assignment:
        """A Parameter of a Mechanism, or of its function."""
        function = node.function
        holder = next((one for one in (node, function) if hasattr(one.parameters, "names") and name in one.parameters), None)
        parameter = None if holder is None else getattr(holder.parameters, name).final_source
        if any(name in names_in(variable_spec_of(port)) for port in node.output_ports):
            raise self.refuse(
                f"for {name!r} of {node.name!r}, which an OutputPort takes as it is otherwise", "set the Parameter before the run"
            )
        if parameter is not None and is_logged(parameter):
            raise self.refuse(
                f"for {name!r} of {node.name!r}, which is logged, or its ParameterPort",
                "leave the log out, or set the Parameter before the run",
            )
        if type(node).__name__ == "DDM":
            raise self.refuse(f"for {name!r} of the DDM {node.name!r}", "set the Parameter before the run, and restore it after the run")
        if parameter is None or not parameter.modulable or name in UNHEEDED or not is_numeric(value) or not self.is_number(parameter):
            raise self.refuse(
                f"for {name!r} of {node.name!r}",
                "give numbers for Parameters that can be modulated, or set the Parameter before the run and restore it after the run",
            )
        return Assignment(parameter, value, (condition,))

    def is_number(self, parameter: Any) -> bool:
        """True if a Parameter holds numbers now (noise may be a Function) that nothing modulates."""
        modulated = getattr(parameter.port, "mod_afferents", ())
        return is_numeric(parameter.values.get(self.key, parameter.values.get(None))) and not modulated

    def ports(self, node: Any, name: Any) -> list[Any]:
        """The ports that a key means: a port, or the word for all ports of a kind."""
        if name in PORTS:
            found = list(getattr(node, PORTS[name]))
        else:
            # With those of a single OutputPort, PsyNeuLink 0.21 does not execute the Mechanism at all.
            found = [port for port in node.input_ports if port is name]
        if not found:
            raise self.refuse(f"for {getattr(name, 'name', name)!r} of {node.name!r}", "give them for InputPorts, or for all OutputPorts")
        if self.may_repeat(node):
            raise self.refuse(
                f"for ports of {node.name!r}, which may be executed several times",
                "set the Parameter before the run, and restore it after the run",
            )
        return found

    def may_repeat(self, node: Any) -> bool:
        """True if a call may execute a Mechanism several times: it integrates, and has a threshold."""
        if type(node).__name__ == "DDM":
            return True
        held = [getattr(node.parameters, name, None) for name in ("termination_threshold", "integrator_mode")]
        threshold, integrates = (None if one is None else one.values.get(self.key, one.values.get(None)) for one in held)
        return threshold is not None and bool(np.any(integrates))

    def of_ports(self, node: Any, port: Any, params: dict[Any, Any], conditions: tuple[Any, ...], of_a_kind: bool) -> Iterator[Assignment]:
        """
        The assignments to the Parameters of the function of a port. For all ports of a kind, they may stand in a dictionary of their own,
        which comes last: PsyNeuLink lets it win.
        """
        for name, (value, condition) in sorted(params.items(), key=lambda item: item[0] == "function_params"):
            if name == "function_params" and of_a_kind and isinstance(value, dict):
                yield from self.of_ports(node, port, cast("dict[Any, Any]", value), (*conditions, condition), False)
            elif name in UNUSED and is_numeric(value):
                yield Assignment(None, value, (*conditions, condition))
            else:
                yield self.of_port(node, port, name, value, (*conditions, condition))

    def of_port(self, node: Any, port: Any, name: Any, value: Any, conditions: tuple[Any, ...]) -> Assignment:
        """A Parameter of the function of a port."""
        parameters = port.function.parameters
        if name not in OF_PORTS or name not in parameters or port.mod_afferents or not is_numeric(value):
            raise self.refuse(
                f"for {getattr(name, 'name', name)!r} of {port.name!r} of {node.name!r}",
                f"give numbers for one of {', '.join(OF_PORTS)} of its function",
            )
        return Assignment(getattr(parameters, name).final_source, value, conditions)

    # When

    def check(self, condition: Any) -> None:
        """Refuses a condition that may change within a trial."""
        kind = plain_name(condition)
        parts = getattr(condition, "args", ())
        if kind in AND_OR:
            for part in parts:
                self.check(part)
        elif kind == "Not":
            self.check(condition.condition)
        elif kind in PASSES:
            self.check_passes(condition)
        elif kind not in ("Always", "Never", *COUNTS) or (counts_trials(kind) and scale_of(condition).name not in SCALES):
            raise self.refuse(
                f"under the condition {kind}", "use conditions that count trials or runs, such as AtTrial, AfterTrial or AtRun"
            )

    def check_passes(self, condition: Any) -> None:
        """Refuses a condition that counts passes, unless each trial has one pass."""
        self.counts_passes = True
        if scale_of(condition).name not in TRIAL_SCALES or not has_one_pass(self.composition):
            raise self.refuse(
                f"under the condition {plain_name(condition)}, and passes change within a trial",
                "use conditions that count trials or runs, such as AtTrial, AfterTrial or AtRun",
            )

    def segments(self, count: int) -> Iterator[tuple[int, int, list[Assignment]]]:
        """The trials of a run in parts in which the same assignments are in force: first, last and these."""
        clock = self.clock()
        first, held = 0, self.in_force(clock, 0)
        for trial in range(1, count):
            now = self.in_force(clock, trial)
            if now != held:
                yield first, trial, held
                first, held = trial, now
        yield first, count, held

    def clock(self) -> dict[str, int]:
        """The numbers of past trials of the run and of the life of the execution context, and of past runs."""
        scheduler, scales = self.composition.scheduler, time_scales()
        init_counts(scheduler, self.key)
        clock = scheduler.clocks[self.key]
        return {
            "trials of run": clock.get_total_times_relative(scales.trial, scales.run),
            "trials of life": clock.get_total_times_relative(scales.trial, scales.life),
            "runs": clock.get_total_times_relative(scales.run, scales.life),
        }

    def in_force(self, clock: dict[str, int], trial: int) -> list[Assignment]:
        """The assignments whose conditions hold in a trial of the call."""
        if self.counts_passes and not has_one_pass(self.composition):  # a callback has changed the schedule
            raise self.refuse("under a condition that counts passes, and its trials have several now", "use conditions that count trials")
        now = {**clock, "trials of run": clock["trials of run"] + trial, "trials of life": clock["trials of life"] + trial}
        return [one for one in self.assignments if all(holds(condition, now) for condition in one.conditions)]


COUNTS: dict[str, Callable[[int, int], bool]] = {
    "BeforeTrial": operator.lt,
    "AtTrial": operator.eq,
    "AfterTrial": operator.gt,
    "AfterNTrials": operator.ge,
    "AtRunStart": operator.eq,
    "AtRun": operator.eq,
    "AfterRun": operator.gt,
    "AfterNRuns": operator.ge,
}
"""Conditions on the number of trials or runs that are over."""
PASSES: dict[str, Callable[[int], bool]] = {
    "AtTrialStart": lambda n: n == 0,
    "AtPass": lambda n: n == 0,
    "BeforePass": lambda n: n > 0,
    "AfterPass": lambda n: n < 0,
    "AfterNPasses": lambda n: n <= 0,
    "EveryNPasses": lambda n: True,
}
"""Conditions on the number of passes that are over, by which they hold or not in the first one."""


def counts_trials(kind: str) -> bool:
    """True of the classes of conditions that count trials."""
    return kind.endswith(("Trial", "Trials")) or kind == "AtRunStart"


def has_one_pass(composition: Any) -> bool:
    """True if each trial has one pass: each node is called once, after those that it waits for."""
    scheduler = composition.scheduler
    layer = {node: index for index, layer in enumerate(scheduler.consideration_queue) for node in layer}

    def comes_late(node: Any, condition: Any) -> bool:
        if plain_name(condition) in ("All", "And"):
            return all(comes_late(node, part) for part in condition.args)
        return plain_name(condition) != "EveryNCalls" or layer.get(condition.args[0], len(layer)) < layer.get(node, -1)

    return runs_once(composition) and all(comes_late(*each) for each in scheduler.conditions.conditions_basic.items())


def holds(condition: Any, clock: dict[str, int]) -> bool:
    """True if a condition holds, one that counts trials or runs."""
    kind = plain_name(condition)
    if kind in AND_OR:
        return AND_OR[kind](holds(part, clock) for part in condition.args)
    if kind == "Not":
        return not holds(condition.condition, clock)
    if kind in ("Always", "Never"):
        return kind == "Always"
    if kind in PASSES:
        return PASSES[kind](condition.args[0])
    scale = "runs" if not counts_trials(kind) else f"trials of {'life' if scale_of(condition).name == 'LIFE' else 'run'}"
    return COUNTS[kind](clock[scale], condition.args[0])


@contextmanager
def assigned(assignments: list[Assignment], execution_id: Any) -> Generator[None]:
    """Within the block, in which a native run takes them, the Parameters have the values that are assigned to them."""
    before: list[tuple[dict[Any, Any], Any]] = []
    try:
        for one in (one for one in assignments if one.parameter is not None):
            values = one.parameter.values
            before.append((values, values.get(execution_id, values.get(None))))
            values[execution_id] = np.array(one.value, float)
        yield
    finally:
        for values, value in reversed(before):
            values[execution_id] = value


def names_in(spec: Any) -> list[Any]:
    """The names of the Parameters that an OutputPort takes."""
    return [name for part in cast("list[Any]", spec) for name in names_in(part)] if isinstance(spec, list) else [spec]


def is_logged(parameter: Any) -> bool:
    """True if a Parameter or its ParameterPort is logged: PsyNeuLink logs what a call assigns, and what it puts back, too."""
    port = getattr(parameter, "port", None)
    return bool(parameter.log_condition) or (port is not None and bool(port.parameters.value.log_condition))


def is_numeric(value: Any) -> bool:
    """True if a value is a number, or an array of numbers."""
    try:
        return np.asarray(value, float).dtype == np.float64 and value is not None and not isinstance(value, bool)
    except (TypeError, ValueError):
        return False
