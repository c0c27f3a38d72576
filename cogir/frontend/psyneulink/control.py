"""
An OptimizationControlMechanism with GridSearch as a controller.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np

from cogir.frontend.psyneulink.values import Reader, UnsupportedFeature, plain
from cogir.frontend.signals import Signal

if TYPE_CHECKING:
    from cogir.frontend.psyneulink.composition import Imported

COSTS = (("INTENSITY", "intensity"), ("ADJUSTMENT", "adjustment"), ("DURATION", "duration"))
"""PsyNeuLink's flags for costs, and cogir's names."""

MODULATIONS: dict[str, Literal["multiply", "add", "override"]] = {
    "multiplicative_param": "multiply",
    "additive_param": "add",
    "modulation_override": "override",
}
"""PsyNeuLink's words for modulation, and cogir's."""


class ControllerReader:
    """Reads the controller of one Composition."""

    def __init__(self, imported: Imported, reader: Reader):
        self.imported = imported
        self.reader = reader
        self.controller = imported.composition.controller

    def refuse(self, feature: str, remedy: str = "run it in PsyNeuLink") -> UnsupportedFeature:
        """What is said of something in this controller that cannot be compiled."""
        return UnsupportedFeature(f"{type(self.controller).__name__} {self.controller.name!r}", feature, remedy)

    def add(self) -> None:
        """Adds the controller to the model."""
        composition, controller = self.imported.composition, self.controller
        self.check()
        search = controller.function
        ties = bool(self.reader.get(search, "select_randomly_from_optimal_values"))
        self.imported.control = self.imported.model.control(
            controller.name,
            objective=self.objective(),
            signals=[self.signal(signal) for signal in controller.control_signals],
            direction="minimize" if str(self.reader.get(search, "direction")) == "minimize" else "maximize",
            when="before" if str(composition.controller_mode) == "before" else "after",
            ties="random" if ties else "first",
            state=self.reader.get(search, "random_state") if ties else None,
            trials_per_estimate=int(self.number("num_trials_per_estimate") or 1),
        )

    def check(self) -> None:
        """Everything about the controller that changes its result and that cogir does not reproduce."""
        composition, controller = self.imported.composition, self.controller
        if type(controller).__name__ != "OptimizationControlMechanism" or not type(controller).__module__.startswith("psyneulink."):
            raise self.refuse("it is not an OptimizationControlMechanism", "use one with the function GridSearch")
        if type(controller.function).__name__ != "GridSearch":
            raise self.refuse(f"its function is {type(controller.function).__name__}", "use GridSearch")
        if controller.agent_rep is not composition:
            raise self.refuse("its agent_rep is another Composition than its own", "let it simulate its own Composition")
        if (self.number("num_estimates") or 1) != 1:
            raise self.refuse(f"it makes num_estimates={controller.num_estimates} estimates", "make one estimate")
        if str(composition.controller_time_scale.name) not in ("TRIAL", "ENVIRONMENT_STATE_UPDATE"):
            raise self.refuse(f"its controller_time_scale is {composition.controller_time_scale.name}", "use TimeScale.TRIAL")
        if type(composition.controller_condition).__name__ != "Always":
            raise self.refuse(f"its controller_condition is {type(composition.controller_condition).__name__}", "use Always")
        if controller.compute_reconfiguration_cost is not None:
            raise self.refuse("it has a compute_reconfiguration_cost", "use the costs of its ControlSignals")
        if controller.combine_costs not in (np.sum, sum):
            raise self.refuse("it has a combine_costs of its own", "use np.sum")
        if "ControlMechanism.Parameters" not in getattr(controller.compute_net_outcome, "__qualname__", ""):
            raise self.refuse("it has a compute_net_outcome of its own", "leave it out: the outcome less the costs")
        for port in controller.state_input_ports:
            if port.shadow_inputs is None or port.shadow_inputs not in composition.input_CIM_ports:
                raise self.refuse(
                    f"its state feature {port.name!r} is not an input of the Composition", "use the inputs of its INPUT Nodes"
                )
            if not self.reader.is_identity(port.function) and type(port.function).__name__ != "LinearCombination":
                raise self.refuse(f"its state feature {port.name!r} has a function", "leave it out")
        if len(controller.state_input_ports) != len(composition.input_CIM_ports):
            raise self.refuse("its state features leave out inputs of the Composition", "use the inputs of all INPUT Nodes")

    def number(self, name: str) -> Any:
        """A Parameter of the controller that may be None."""
        value = self.reader.get(self.controller, name)
        return None if value is None else plain(value)

    def objective(self) -> Any:
        """The port whose value is the outcome of a simulation."""
        mechanism = self.controller.objective_mechanism
        if mechanism is not None:
            return self.imported.nodes[mechanism]
        senders = [projection.sender for port in self.controller.outcome_input_ports for projection in port.path_afferents]
        if len(senders) != 1:
            raise self.refuse(f"it monitors {len(senders)} ports without an ObjectiveMechanism", "give it an ObjectiveMechanism")
        found = self.imported.sender(senders[0])
        if found is None:
            raise self.refuse(f"it monitors {senders[0].full_name}, which is no port of a Node", "monitor a Node of the Composition")
        return found[1]

    def signal(self, signal: Any) -> Signal:
        """One ControlSignal."""
        targets = [self.imported.parameter(projection.receiver) for projection in signal.efferents]
        how = MODULATIONS.get(str(signal.modulation))
        if how is None or any(target is None for target in targets):
            raise self.refuse(
                f"its ControlSignal {signal.name!r} modulates something else than a parameter", "modulate a parameter of a function"
            )
        function = signal.function
        if type(function).__name__ != "TransferWithCosts" or not self.reader.is_identity(function.transfer_fct):
            raise self.refuse(f"its ControlSignal {signal.name!r} has a function of its own", "leave the function out")
        return Signal(
            [target for target in targets if target is not None],
            levels=np.asarray([float(np.asarray(level).item()) for level in self.reader.get(signal, "allocation_samples")()]),
            initial=float(plain(self.reader.get(signal, "value"))),
            cost=self.costs(signal),
            modulation=how,
            name=signal.name,
        )

    def costs(self, signal: Any) -> dict[str, Callable[..., Any]]:
        """The cost functions of a ControlSignal that are switched on."""
        enabled = self.reader.get(signal.function, "enabled_cost_functions") or 0
        found: dict[str, Callable[..., Any]] = {}
        flags = cast("type[Any]", type(enabled))
        for flag, name in COSTS:
            if not enabled & getattr(flags, flag, 0):
                continue
            function = getattr(signal.function, f"{name}_cost_fct")
            made = self.cost(function, signal)
            found[name] = made
        if found and (type(signal.function.combine_costs_fct).__name__, str(signal.function.combine_costs_fct.operation)) != (
            "Reduce",
            "sum",
        ):
            raise self.refuse(f"its ControlSignal {signal.name!r} does not sum up its costs", "use Reduce(operation=SUM)")
        return found

    def cost(self, function: Any, signal: Any) -> Callable[..., Any]:
        """A cost function with its numbers."""
        kind = type(function).__name__

        def number(name: str) -> float:
            return float(plain(self.reader.get(function, name)))

        if kind == "Exponential":
            return exponential_cost(number("rate"), number("bias"), number("scale"), number("offset"))
        if kind in ("Linear", "SimpleIntegrator"):
            slope, intercept = ("slope", "intercept") if kind == "Linear" else ("rate", "offset")
            return linear_cost(number(slope), number(intercept))
        raise self.refuse(f"its ControlSignal {signal.name!r} has a cost function {kind}", "use Exponential, Linear or SimpleIntegrator")


def exponential_cost(rate: float, bias: float, scale: float, offset: float) -> Callable[[float], float]:
    """`scale * e ** (rate * x + bias) + offset`."""

    def intensity_cost(intensity: float) -> float:
        return scale * np.exp(rate * intensity + bias) + offset

    return intensity_cost


def linear_cost(slope: float, intercept: float) -> Callable[[float], float]:
    """`slope * x + intercept`."""

    def cost(intensity: float) -> float:
        return slope * intensity + intercept

    return cost


def add_controller(imported: Imported, reader: Reader) -> None:
    """Adds the Composition's controller to the model."""
    ControllerReader(imported, reader).add()
