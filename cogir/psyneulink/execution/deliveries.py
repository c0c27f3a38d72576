"""
A `Context` with an `rpc_pipeline`, into which PsyNeuLink puts values as it assigns them (`set_delivery_conditions`).

It delivers a value when it would log it, if that were its log condition. So natively, what is to be delivered is logged for the time of a
call, which notes each execution; then the entries are put into the pipeline, in PsyNeuLink's order, and taken out of the logs again of what
has no log condition by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from cogir.psyneulink.importer.survey import Survey
from cogir.psyneulink.pnl import deliver
from cogir.psyneulink.reader import UnsupportedFeature
from cogir.psyneulink.state.lazy_values import PENDING
from cogir.psyneulink.state.logged_values import is_assigned_in_runs

Refuse = Callable[[str, str], UnsupportedFeature]
ASSIGNING = ("initialize_cycle_values reset_stateful_functions_to reset_stateful_functions_when runtime_params scheduler log").split()
"""Arguments of a call that may make PsyNeuLink assign values besides those of executions, or at other times."""
PLACES = ("input_ports", "parameter_ports", None, "output_ports")
"""The order in which an execution of a Mechanism assigns the values of its ports and its own."""


@dataclass
class Delivered:
    """A value that is to be delivered: that of a Mechanism or of one of its ports."""

    parameter: Any
    node: Any
    place: tuple[int, int]
    """When an execution of the Mechanism assigns it, among its values."""
    condition: Any
    """The log condition that it has by itself."""
    logged: int = 0
    """The number of entries in its log before the call."""

    @property
    def is_logged(self) -> bool:
        """True if it is logged by itself."""
        return bool(self.condition)

    def entries(self, key: Any) -> list[Any]:
        """The entries in its log since the call has begun."""
        return list(islice(self.parameter.log.get(key, ()), self.logged, None))

    def forget(self, key: Any) -> None:
        """Takes these out of the log, if it is not logged by itself."""
        if self.is_logged or key not in self.parameter.log:
            return
        for _ in self.entries(key):
            self.parameter.log[key].pop()
        if not self.logged:
            del self.parameter.log[key]


class Deliveries:
    """The deliveries of one call into a pipeline."""

    def __init__(self, composition: Any, given: Mapping[str, Any], key: Any, refuse: Refuse):
        self.composition, self.key, self.refuse = composition, key, refuse
        self.pipeline = given["context"].rpc_pipeline
        self.check_script(given)
        self.values = list(self.found())
        if self.values:
            self.check(given)

    def error(self, feature: str, remedy: str = "log the value, and read the log after the run") -> UnsupportedFeature:
        """The error about values that only PsyNeuLink delivers."""
        return self.refuse(f"with a Context that has an rpc_pipeline, {feature}", remedy)

    def found(self) -> Generator[Delivered]:
        """The values that are to be delivered."""
        for one in Survey(self.composition).components:
            for parameter in getattr(one, "parameters", ()):
                if getattr(parameter, "delivery_condition", None) and is_assigned_in_runs(one, parameter, False):
                    yield self.delivered(one, parameter)

    def delivered(self, component: Any, parameter: Any) -> Delivered:
        """A value that is to be delivered; refuses those whose place among others is not known."""
        node = component if hasattr(component, "output_ports") else getattr(component, "owner", None)
        is_own = any(node is one for one in self.composition.nodes) and not hasattr(node, "input_CIM")
        place = place_of(component, node) if is_own else None
        if parameter.name != "value" or place is None or not parameter.loggable:
            raise self.error(f"to which {parameter.name!r} of {component.name!r} is to be delivered")
        condition = parameter.delivery_condition
        if type(condition) is not type(parameter.log_condition):  # a log takes True for every assignment, a pipeline for none
            raise self.error(
                f"to which {component.name!r} is to be delivered on the condition {condition!r}",
                "give a LogCondition, by set_delivery_conditions",
            )
        if getattr(parameter.default_value, "dtype", np.dtype(float)).kind == "O":
            raise self.error(f"into which PsyNeuLink cannot put the rows of {component.name!r}, of different lengths", "deliver its ports")
        if bool(parameter.log_condition) and parameter.log_condition != parameter.delivery_condition:
            raise self.error(f"and {parameter.name!r} of {component.name!r} is logged on another condition", "give it the same ones")
        return Delivered(parameter, node, place, parameter.log_condition)

    def check_script(self, given: Mapping[str, Any]) -> None:
        """Refuses calls in which the script may ask for deliveries, or do something else that changes what comes."""
        for name in ("call_before_trial", "call_after_trial"):
            if given.get(name):
                raise self.error(f"and {name}", f"leave {name} out")
        if callable(given.get("inputs")) or hasattr(given.get("inputs"), "send"):
            raise self.error("and a function for inputs", "give a dict of inputs")

    def check(self, given: Mapping[str, Any]) -> None:
        """Refuses calls in which PsyNeuLink assigns values in another order, or others."""
        name = f"Composition {self.composition.name!r}"
        remedy = "log the values, and read the logs after the run"
        if self.composition.controller is not None:
            raise self.error(f"while {name} has the controller {self.composition.controller.name!r}", remedy)
        inner = next((node for node in self.composition.nodes if hasattr(node, "input_CIM")), None)
        if inner is not None:
            raise self.error(f"while {inner.name!r} is nested in {name}", remedy)
        if self.composition.is_nested:  # PsyNeuLink assigns what comes to its nodes twice
            raise self.error(f"while {name} is nested in another one, too", remedy)
        mode = self.composition.scheduler.mode
        if mode.name != "STANDARD":
            raise self.error(f"while the scheduler of {name} has the mode {mode.name}", "use SchedulingMode.STANDARD")
        for name in ASSIGNING:
            if given.get(name):
                raise self.error(f"and {name}", f"leave {name} out")
        if getattr(given.get("execution_mode"), "name", "Python") != "Python":  # PsyNeuLink's own compiler delivers nothing
            raise self.error("and execution_mode", "leave execution_mode out")

    @contextmanager
    def in_force(self) -> Generator[None]:
        """Within the block, in which the call runs natively, what is to be delivered is logged; after it, it is delivered."""
        for one in self.values:
            one.logged = len(one.parameter.log.get(self.key, ()))
        try:
            for one in self.values:
                if not one.is_logged:
                    one.parameter.log_condition = one.parameter.delivery_condition
            yield
        finally:
            PENDING.flush()
            for one in self.values:
                if not one.is_logged:
                    one.parameter.log_condition = one.condition
            self.put()

    def put(self) -> None:
        """Puts the entries into the pipeline."""
        entries: list[tuple[tuple[Any, ...], Delivered, Any]] = []
        for one in self.values:
            last, repeated = None, 0
            for entry in one.entries(self.key):
                repeated = repeated + 1 if entry.time == last else 0
                last = entry.time
                entries.append(((tuple(entry.time), one.node.name, repeated, one.place), one, entry.value))
            one.forget(self.key)
        for (time, *_), one, value in sorted(entries, key=lambda entry: entry[0]):
            deliver(one.parameter, self.pipeline, time, self.key, value)


def place_of(component: Any, node: Any) -> tuple[int, int] | None:
    """When an execution of a Mechanism assigns the value of one of its ports, or its own, among its values; None for another component."""
    for index, name in enumerate(PLACES):
        if name is None and component is node:
            return index, 0
        ports = [] if name is None else list(getattr(node, name))
        if component in ports:
            return index, ports.index(component)
    return None


def delivers(given: Mapping[str, Any]) -> bool:
    """True if a call has a pipeline for values."""
    return getattr(given.get("context"), "rpc_pipeline", None) is not None
