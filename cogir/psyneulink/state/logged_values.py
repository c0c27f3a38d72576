"""
The values of a Composition that are logged: found by their log conditions, each with the Mechanism whose executions assign it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from cogir.psyneulink.importer.learned_matrices import signals_of
from cogir.psyneulink.importer.mechanism_record import WrittenNode
from cogir.psyneulink.importer.survey import Survey
from cogir.psyneulink.importer.unread_parameters import executes_integrator
from cogir.psyneulink.pnl import LogFlags, compositions_in, log_flags, report_log_conditions, variable_spec_of
from cogir.psyneulink.reader import Reader, UnsupportedFeature
from cogir.psyneulink.state.simulation_results import keeps_values

ASSIGNED = frozenset(
    "adjustment_cost auto combined_costs control_allocation control_signal_costs costs current_activity"
    " current_termination_condition current_termination_threshold distance distances_by_field distances_to_entries drift_dir"
    " duration_cost entry error_matrix execution_count execution_phase exponents field_memory finished gamma_shape_n"
    " gamma_shape_prior gamma_size_n gamma_size_prior grid hetero integrator_function_value intensity intensity_cost is_finished_"
    " is_finished_flag learning_rate learning_results learning_signals long_term_logistic matrix memory memory_matrix"
    " minus_phase_activity mu_n mu_prior net_outcome num_estimates num_executions num_executions_before_finished outcome"
    " output_activity phase_convergence_threshold phase_execution_count phase_terminated plus_phase_activity previous_long_term_avg"
    " previous_short_term_avg previous_time previous_v previous_value previous_variable previous_w random_state results"
    " saved_samples saved_values scores search_space seed short_term_logistic simulation_ids simulation_results"
    " termination_measure_value training_flag value variable weakest_memory weights".split()
)
"""
The names of Parameters that PsyNeuLink may assign when it executes a component. Of others, such as a `termination_threshold`, a run logs
nothing, unless they are computed when they are read.
"""

NEVER: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (("Mechanism_Base",), ("input_port_variables",)),
    (("ComparatorMechanism",), ("sample", "target")),
    (("Projection_Base", "Port_Base"), ("num_executions_before_finished",)),
    (("Projection_Base", "LearningFunction"), ("learning_rate",)),
    (("GatingProjection", "ControlProjection"), ("gating_signal", "control_signal")),
)
"""Classes of components, with the names of Parameters among these that no execution assigns, and nothing reads that would compute them."""
NEVER_OF_PLAIN = ("control_allocation", "control_signal_costs", "costs", "net_outcome", "outcome", "simulation_ids")
"""The same of ControlMechanisms that do not simulate."""

_changes = [0]
"""The number of times that a log condition has been set in this process."""


def count_change() -> None:
    """Counts one setting."""
    _changes[0] += 1


def notice_log_conditions() -> None:
    """Counts each setting of a log condition from now on, as looking through all Parameters takes as long as many runs."""
    report_log_conditions(count_change)


class NotRecorded(UnsupportedFeature):
    """Something is logged that native runs do not record; it may no longer be once a log condition has been set."""


@dataclass(frozen=True)
class Logged:
    """A value that is logged."""

    component: Any
    parameter: Any
    learns: bool = False
    """True if the Composition learns."""

    @cached_property
    def flags(self) -> LogFlags:
        """The marks in an entry: those of learning where the Mechanism gets a Projection whose matrix is learned when it is executed."""
        mechanism = self.mechanism if self.learns else None
        ports = () if mechanism is None or is_recurrent_layer(mechanism) else mechanism.input_ports
        signals = [signal for port in ports for projection in port.path_afferents for signal in signals_of(projection)]
        return log_flags(any(signal.learning_enabled in (True, "online") for signal in signals))

    @property
    def phases(self) -> int:
        """The flags of the phases in which PsyNeuLink assigns it: also of learning if it is a matrix that changes after each trial."""
        return self.flags.phase | (log_flags(learns=True).phase if self.learns and self.changes_after_trials else 0)

    @property
    def changes_after_trials(self) -> bool:
        """True if it is a matrix to which a LearningMechanism adds its change at the end of each trial."""
        port = self.port
        signals = [] if port is None or not hasattr(port.owner, "receiver") else signals_of(port.owner)
        return any(signal.learning_enabled == "after" for signal in signals)

    @cached_property
    def mechanism(self) -> Any:
        """The Mechanism whose executions assign it; None if there is none."""
        bases = {base.__name__ for base in type(self.component).__mro__}
        if "Mechanism" in bases:
            return self.component
        if "MappingProjection" in bases:
            return self.component.receiver.owner
        if is_modulatory(self.component):
            owner = self.component.receiver.owner
            return owner.receiver.owner if hasattr(owner, "receiver") else owner
        if self.port is not None:
            owner = self.port.owner
            return owner.receiver.owner if hasattr(owner, "receiver") else owner
        return self.component.owner if bases & {"InputPort", "OutputPort"} else None

    @property
    def times(self) -> int:
        """The number of entries that PsyNeuLink makes for each execution: an AutoAssociativeLearningMechanism assigns its value twice."""
        return 2 if type(self.component).__name__ == "AutoAssociativeLearningMechanism" else 1

    @cached_property
    def port(self) -> Any:
        """The ParameterPort whose value it is, also as the matrix of a Projection; None for other values."""
        component = self.component
        if type(component).__name__ == "ParameterPort" and self.parameter.name == "value":
            return component
        owner: Any = getattr(component, "owner", None)
        if self.parameter.name != "matrix" or type(owner).__name__ != "MappingProjection" or component is not owner.function:
            return None
        return owner.parameter_ports["matrix"]

    @cached_property
    def shown_as(self) -> list[Any]:
        """The Parameter of a Projection by which PsyNeuLink assigns the matrix of its Function or Mechanism: it keeps a log of its own."""
        if self.parameter.name != "matrix":
            return []
        projection: Any = getattr(self.component, "recurrent_projection", getattr(self.component, "owner", None))
        found: list[Any] = [projection.parameters.matrix] if hasattr(projection, "receiver") else []
        return [one for one in found if one.log is not self.parameter.log and one.final_source is self.parameter]

    @property
    def is_unmodulated(self) -> bool:
        """True if it is the value of a ParameterPort that nothing modulates: that of its Parameter, which no execution changes."""
        port = self.port
        return port is not None and not any(self.learns or type(one).__name__ != "LearningProjection" for one in port.mod_afferents)

    def ports(self, written: WrittenNode) -> tuple[str, ...]:
        """The names of the ports that show it, of the node that stands for its Mechanism; none if nothing shows it."""
        mechanism, port = self.mechanism, self.port
        if port is not None:
            if self.is_unmodulated:
                return written.values[:1]  # beside which the times are noted
            if (used := written.learning.used.get(port.owner)) is not None and port.name == "matrix":
                return (used,)
            return tuple(name for name, shown in written.observed_of.items() if shown == (port, "value"))
        if self.parameter.name != "value":
            return ()
        if self.component is mechanism:
            return written.values
        if self.component in mechanism.input_ports:
            return (written.variables[list(mechanism.input_ports).index(self.component)],)
        name = written.ports.get(self.component) if self.component in mechanism.output_ports else written.arrived.get(self.component)
        return () if name is None else (name,)

    def refuse(self, why: str, remedy: str) -> NotRecorded:
        """The error for a log that only PsyNeuLink can keep."""
        kind, name = type(self.component).__name__, self.component.name
        return NotRecorded(f"{kind} {name!r}", f"its {self.parameter.name!r} is logged, {why}", remedy)


def is_recurrent_layer(mechanism: Any) -> bool:
    """True for a RecurrentTransferMechanism, which PsyNeuLink executes as if it did not learn."""
    return any(base.__name__ == "RecurrentTransferMechanism" for base in type(mechanism).__mro__)


def is_modulatory(component: Any) -> bool:
    """True for a Projection from a ControlSignal or a GatingSignal."""
    return type(component).__name__ in ("ControlProjection", "GatingProjection")


def is_assigned_in_runs(component: Any, parameter: Any, learns: bool) -> bool:
    """True if PsyNeuLink may assign a Parameter when it executes a component, or computes it when it is read."""
    name, bases = parameter.name, {base.__name__ for base in type(component).__mro__}
    if name not in ASSIGNED and parameter.getter is None:
        return False
    if learns:
        return True
    if type(component).__name__ in ("ControlMechanism", "GatingMechanism") and name in NEVER_OF_PLAIN:
        return False
    if name == "seed" and not getattr(getattr(parameter, "port", None), "mod_afferents", ()):
        return False
    if name in OF_INTEGRATOR and not integrates(component, name):
        return False
    if name == "input_port_variables" and any(takes_input_variables(port) for port in getattr(component, "output_ports", ())):
        return True
    return not any(name in names and bases & set(classes) for classes, names in NEVER) and "LearningProjection" not in bases


OF_INTEGRATOR = ("integrator_function_value", "termination_measure_value")
"""The Parameters of a TransferMechanism that it assigns if it integrates, the second if it has a termination_threshold."""


def integrates(mechanism: Any, name: str) -> bool:
    """True if a Mechanism may assign one of `OF_INTEGRATOR`, in some execution context."""
    parameters = mechanism.parameters
    is_used = any(map(bool, parameters.integrator_mode.values.values()))
    return is_used and (name == OF_INTEGRATOR[0] or any(held is not None for held in parameters.termination_threshold.values.values()))


def is_assigned_in_context(logged: Logged, reader: Reader) -> bool:
    """True if PsyNeuLink may assign one of the values of a Composition that are logged in the execution context of a reader."""
    if logged.parameter.name not in OF_INTEGRATOR:
        return True
    if logged.parameter.name == OF_INTEGRATOR[0]:
        return executes_integrator(logged.component, reader)
    return bool(reader.get(logged.component, "integrator_mode"))


def takes_input_variables(port: Any) -> bool:
    """True if an OutputPort takes the variables of InputPorts."""
    return "input_port_variables" in str(variable_spec_of(port))


def with_condition(survey: Survey, learns: bool = False) -> Iterator[Logged]:
    """The values of a Composition that have a log condition, and that PsyNeuLink may assign in runs, or, if it `learns`, in learning."""
    for one in survey.components:
        for parameter in getattr(one, "parameters", ()):
            if not getattr(parameter, "log_condition", None) or not is_assigned_in_runs(one, parameter, learns):
                continue
            if parameter.loggable and getattr(parameter, "final_source", None) is parameter:
                yield Logged(one, parameter, learns)


def logged_in(survey: Survey, learns: bool = False) -> list[Logged]:
    """The values of a Composition that are logged while it is processed, or, if it `learns`, while it learns."""
    found = [logged for logged in with_condition(survey, learns) if int(logged.parameter.log_condition) & logged.phases]
    if found and survey.is_searched and any(map(keeps_values, compositions_in(survey.composition))):
        raise found[0].refuse("of which each simulation keeps a log (retain_old_simulation_data)", "leave that out, or do not log it")
    return found


class LogConditions:
    """The values of a Composition that are logged, looked for again only after a log condition has been set."""

    def __init__(self, survey: Survey, learns: bool):
        self.survey, self.learns = survey, learns
        self.seen: int | None = None
        self.found: list[Logged] = []
        notice_log_conditions()

    def now(self) -> list[Logged]:
        """The values that are logged now; refuses what cannot be logged."""
        if self.seen != _changes[0]:
            self.found = logged_in(self.survey, self.learns)
            self.seen = _changes[0]
        return self.found


def conditions_set() -> int:
    """The number of times that a log condition has been set in this process."""
    return _changes[0]
