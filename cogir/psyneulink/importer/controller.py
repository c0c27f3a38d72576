"""
An OptimizationControlMechanism with GridSearch as a controller.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import prod
from typing import Any, cast

import numpy as np

from cogir.frontend.builder.conditions import All, AtTrial, Condition, Never
from cogir.frontend.builder.handles import Node
from cogir.frontend.builder.signals import Estimates, Signal
from cogir.psyneulink.functions.stateful import WITHOUT_CONTEXTS
from cogir.psyneulink.importer.conditions import ConditionReader
from cogir.psyneulink.importer.imported import Imported
from cogir.psyneulink.importer.modulation import Effect, signal_of
from cogir.psyneulink.importer.names import name_in_paths
from cogir.psyneulink.importer.node_source import function_of
from cogir.psyneulink.importer.search_levels import is_drawn, levels_of, list_of
from cogir.psyneulink.importer.seeds import RANDOMIZATION, SEEDS_BELOW
from cogir.psyneulink.importer.simulations import kept_of_simulations
from cogir.psyneulink.importer.state_features import features_of
from cogir.psyneulink.importer.unmodified import title_of
from cogir.psyneulink.pnl import all_nodes_of, projections_that_defer, seeds_made_by
from cogir.psyneulink.reader import Reader, Refuse, UnsupportedFeature, is_number, plain

COSTS = (("INTENSITY", "intensity"), ("ADJUSTMENT", "adjustment"), ("DURATION", "duration"))
"""PsyNeuLink's flags for costs, and cogir's names."""


class ControllerReader:
    """Reads the controller of one Composition."""

    def __init__(self, imported: Imported, reader: Reader, conditions: ConditionReader, observed: bool):
        """`observed`: what a search has found can be read."""
        self.conditions = conditions
        self.imported = imported
        self.reader = reader
        self.observed = observed
        self.controller = imported.composition.controller
        self.randomization = randomization(self.controller)

    def refuse(self, feature: str, remedy: str = "run it in PsyNeuLink") -> UnsupportedFeature:
        """The error about something in this controller that cannot be compiled."""
        return UnsupportedFeature(f"{type(self.controller).__name__} {self.controller.name!r}", feature, remedy)

    def add(self) -> None:
        """Adds the controller to the model."""
        composition, controller = self.imported.composition, self.controller
        self.check()
        search = controller.function
        ties = bool(self.reader.get(search, "select_randomly_from_optimal_values"))
        control = self.imported.control = self.imported.model.control(
            controller.name,
            objective=self.objective(),
            signals=self.signals(),
            direction="minimize" if str(self.reader.get(search, "direction")) == "minimize" else "maximize",
            when="before" if str(composition.controller_mode) == "before" else "after",
            ties="random" if ties else "first",
            state=self.reader.get(search, "random_state") if ties else None,
            trials_per_estimate=int(self.number("num_trials_per_estimate") or 1),
            features=features_of(self.imported, self.reader, self.refuse, self.observed),
            estimates=1 if self.randomization is None else self.estimates(self.randomization),
            keep=("values" if self.reader.get(search, "save_values") else "best") if self.observed else None,
        )
        when = when_it_acts(composition, self.conditions, self.refuse)
        if when is not None:
            for acting in (*(feature.node for feature in self.imported.features.values()), control):
                self.imported.model.schedule.when(acting, when)

    def check(self) -> None:
        """Everything about the controller that changes its result and that cogir does not reproduce."""
        composition, controller = self.imported.composition, self.controller
        if type(controller).__name__ != "OptimizationControlMechanism" or not type(controller).__module__.startswith("psyneulink."):
            raise self.refuse("it is not an OptimizationControlMechanism", "use one with the function GridSearch")
        if type(controller.function).__name__ != "GridSearch":
            raise self.refuse(f"its function is {type(controller.function).__name__}", "use GridSearch")
        if controller.agent_rep is not composition:
            raise self.refuse("its agent_rep is not its own Composition", "let it simulate its own Composition")
        for inner in every_inner(self.imported):
            if (beside := plain_controller(inner.composition)) is not None:
                raise self.refuse(
                    f"it simulates {inner.composition.name!r} with the controller {beside.name!r}, which PsyNeuLink cannot simulate",
                    f"make {beside.name!r} a Node of {inner.composition.name!r}",
                )
        for mechanism in (mechanism for one in (self.imported, *every_inner(self.imported)) for mechanism in one.written):
            if type(mechanism.function).__name__ == "ContentAddressableMemory":
                raise self.refuse(f"it simulates {mechanism.name!r}, whose memory is shared by all simulations", "use a DictionaryMemory")
            if type(mechanism.function).__name__ == "MatrixMemory":
                raise self.refuse(f"it simulates {mechanism.name!r}, a memory of an EMComposition", "leave the EMComposition out of it")
            if type(mechanism.function).__name__ in WITHOUT_CONTEXTS:
                raise self.refuse(f"it simulates {mechanism.name!r}, whose state is shared by all simulations", "use another integrator")
        self.check_seeds()
        self.check_kept()
        if self.reader.get(controller.function, "max_iterations") is not None:
            raise self.refuse("its GridSearch has max_iterations", "leave it out")
        if not self.reader.get(controller, "search_statefulness"):
            raise self.refuse("its search_statefulness is False", "leave it True: let each simulation start from the same state")
        if self.reader.get(controller, "compute_reconfiguration_cost") is not None:
            raise self.refuse("it has a compute_reconfiguration_cost", "use the costs of its ControlSignals")
        if self.reader.get(controller, "combine_costs") not in (np.sum, sum):
            raise self.refuse("it has a custom combine_costs", "use np.sum")
        if "ControlMechanism.Parameters" not in getattr(self.reader.get(controller, "compute_net_outcome"), "__qualname__", ""):
            raise self.refuse("it has a custom compute_net_outcome", "leave it out; the default is the outcome minus the costs")

    def check_kept(self) -> None:
        """Refuses Parameters of which the values in all simulations are kept."""
        remedy = "use saved_values (save_values=True of its GridSearch), which native searches keep"
        for component, name in kept_of_simulations(self.imported.survey):
            feature = f"its {name} is kept of each simulation of {self.controller.name!r} (retain_old_simulation_data)"
            raise UnsupportedFeature(title_of(component), feature, remedy)

    def check_seeds(self) -> None:
        """Refuses seeds that something else than the estimates modulates: a simulation cannot say that one is none."""
        for one in (self.imported, *every_inner(self.imported)):
            for mechanism, written in one.written.items():
                for port in mechanism.parameter_ports if written.used_seeds else ():
                    signals = [signal_of(projection) for projection in port.mod_afferents]
                    others = [signal.name for signal in signals if signal is not self.randomization]
                    if getattr(port.source, "name", None) == "seed" and others:
                        raise self.refuse(
                            f"{others[0]!r} modulates a seed in {mechanism.name!r}, which it simulates", "leave the seed alone"
                        )

    def number(self, name: str) -> Any:
        """A Parameter of the controller that may be None."""
        value = self.reader.get(self.controller, name)
        return None if value is None else plain(value)

    def objective(self) -> Any:
        """The port whose value is the outcome of a simulation."""
        mechanism = self.controller.objective_mechanism
        if mechanism is not None:
            if mechanism not in self.imported.nodes:
                raise self.refuse(
                    f"its ObjectiveMechanism {mechanism.name!r} is not a node of its Composition", "add it to the Composition"
                )
            return self.imported.nodes[mechanism]
        senders = [projection.sender for port in self.controller.outcome_input_ports for projection in port.path_afferents]
        if monitors_nothing(self.controller):
            return self.no_outcome()
        if len(senders) != 1:
            raise self.refuse(f"it monitors {len(senders)} ports without an ObjectiveMechanism", "give it an ObjectiveMechanism")
        found = self.imported.sender(senders[0])
        if found is None:
            raise self.refuse(f"it monitors {senders[0].full_name}, which is not a port of a Node", "monitor a Node of the Composition")
        return found[1]

    def no_outcome(self) -> Node:
        """
        The objective of a controller that monitors nothing: a node that holds zero. PsyNeuLink gives all points of its search the net
        outcome zero, whatever they cost.
        """
        model = self.imported.model
        node = model.node(name_in_paths(f"{self.controller.name} without outcome"), function_of("def zero():\n    return 0.0\n", {}))
        model.schedule.aside(node, "before")
        return node

    def signals(self) -> list[Signal]:
        """The ControlSignals, each with the levels of its axis of the search space."""
        space = self.reader.get(self.controller.function, "search_space")
        axes = [pair for pair in zip(self.controller.control_signals, space, strict=False) if pair[0] is not self.randomization]
        for signal, axis in axes:
            if is_drawn(axis):
                raise self.refuse(
                    f"the samples of its ControlSignal {signal.name!r} are those of a function, which may give others in each search",
                    "give a list of samples, or a SampleSpec with start, stop and step",
                )
        return [self.signal(signal, levels_of(axis)) for signal, axis in axes]

    def estimates(self, signal: Any) -> Estimates:
        """The simulations of a point: how many, and the seeds that the RANDOMIZATION ControlSignal has for them."""
        function = self.controller.function
        if self.reader.get(function, "aggregation_function").__module__ != type(function).__module__:
            raise self.refuse("its GridSearch has a custom aggregation_function", "leave it out; the default is the mean of the estimates")
        seeds = EstimateSeeds(self.controller)
        first = seeds.first()
        if first is None:
            raise self.refuse("the seeds for its estimates were changed", "leave the seeds of PsyNeuLink")
        if first >= SEEDS_BELOW / 2:  # from which they count on
            raise self.refuse(f"the seeds for its estimates begin at {first}, too close to the greatest seed", "set a smaller global seed")
        return Estimates(
            [target for projection in signal.efferents for target, _ in self.imported.gates_of(projection)],
            seeds.count,
            first=first,
            step=seeds.step,
            below=seeds.below,
            initial=float(plain(self.reader.get(signal, "value"))),
            advance=self.advance(seeds, first),
            name=signal.name,
        )

    def advance(self, seeds: EstimateSeeds, first: int) -> int:
        """
        The distance between the seeds of two searches.

        Unless `same_seed_for_all_allocations`, PsyNeuLink makes new seeds for all estimates whenever it simulates one. They take effect in
        the next search, whose points all have the seeds that were made last.
        """
        if self.reader.get(self.controller, "same_seed_for_all_allocations"):
            return 0
        if seeds.following() != seeds.after(first):
            raise self.refuse("it has made seeds that its estimates do not use", "leave the seeds of PsyNeuLink")
        space = self.reader.get(self.controller.function, "search_space")
        points = prod(len(levels_of(axis)) for index, axis in enumerate(space) if index != seeds.axis)
        return points * seeds.count * seeds.count * seeds.step % seeds.below

    def signal(self, signal: Any, levels: tuple[float, ...]) -> Signal:
        """One ControlSignal."""
        gates = [gate for projection in signal.efferents for gate in self.imported.gates_of(projection)]
        ways: set[Effect] = {how for _, how in gates}
        if len(ways) != 1:
            raise self.refuse(
                f"its ControlSignal {signal.name!r} modulates {len(gates)} parameters in {len(ways)} ways", "use one ControlSignal for each"
            )
        if signal.mod_afferents:
            raise self.refuse(f"its ControlSignal {signal.name!r} is modulated itself", "modulate the parameter directly")
        function, enabled = signal.function, enabled_costs(signal.function, self.reader)
        if type(function).__name__ != "TransferWithCosts" or not self.reader.is_identity(function.transfer_fct):
            raise self.refuse(f"its ControlSignal {signal.name!r} has a custom function", "leave the function out")
        costs = self.costs(signal)
        return Signal(
            [target for target, _ in gates],
            levels=np.asarray(levels),
            initial=float(plain(self.reader.get(signal, "value"))),
            cost=costs,
            modulation=ways.pop(),
            name=signal.name,
            clip=bool(costs),
            sum_from=float(plain(self.reader.get(function.duration_cost_fct, "previous_value"))) if "duration" in enabled else None,
        )

    def costs(self, signal: Any) -> dict[str, Callable[..., Any]]:
        """
        The cost of a ControlSignal as PsyNeuLink has it in a simulation, where it computes costs twice: in the signal's function, and
        when it asks for them. The second time an adjustment has a sign, and a duration sums up the costs of the first time.
        """
        enabled = enabled_costs(signal.function, self.reader)
        if monitors_nothing(self.controller):
            if "duration" in enabled:
                raise self.refuse(f"its ControlSignal {signal.name!r} has a duration cost, but it monitors nothing", "monitor a Node")
            return {}
        if not enabled:
            return {}
        function = signal.function
        combine = function.combine_costs_fct
        if (type(combine).__name__, str(self.reader.get(combine, "operation"))) != ("Reduce", "sum") or not self.sums_plainly(combine):
            raise self.refuse(f"its ControlSignal {signal.name!r} does not combine its costs by a sum", "use Reduce(operation=SUM)")
        if enabled == ("intensity",):
            return {"intensity": written_cost(f"return {self.cost(function.intensity_cost_fct, signal, 'level')}", ("level",))}
        takes = ("level", "in_force", "summed")
        if "duration" in enabled:
            if len(enabled) > 1:
                raise self.refuse(f"its ControlSignal {signal.name!r} has a duration cost and other costs", "use one of them")
            first = self.duration(function.duration_cost_fct, signal, "level", "summed")
            again = self.duration(function.duration_cost_fct, signal, "following", "following")
            return {"total": written_cost(f"following = {first}\n    return {again}, following", takes)}
        terms = [self.cost(function.intensity_cost_fct, signal, "level")] if "intensity" in enabled else []
        terms.append(self.cost(function.adjustment_cost_fct, signal, "(level - in_force)"))
        return {"total": written_cost(f"return {' + '.join(terms)}, summed", takes)}

    def sums_plainly(self, combine: Any) -> bool:
        """True if a Reduce has no weights, exponents, scale or offset."""
        return all(self.reader.get(combine, name) is None for name in ("weights", "exponents")) and all(
            is_number(self.reader.get(combine, name), at) for name, at in (("scale", 1.0), ("offset", 0.0))
        )

    def cost(self, function: Any, signal: Any, argument: str) -> str:
        """The text of a cost function with its numbers."""
        kind = type(function).__name__

        def number(name: str) -> str:
            return repr(float(plain(self.reader.get(function, name))))

        if kind == "Exponential":
            power = f"np.exp({number('rate')} * {argument} + {number('bias')})"
        elif kind == "Linear":
            power = f"({number('slope')} * {argument} + {number('intercept')})"
        else:
            raise self.refuse(f"its ControlSignal {signal.name!r} has a cost function {kind}", "use Exponential or Linear")
        return f"({number('scale')} * {power} + {number('offset')})"

    def duration(self, function: Any, signal: Any, argument: str, before: str) -> str:
        """The text of what a duration cost sums up to."""
        kind = type(function).__name__
        if kind != "SimpleIntegrator":
            raise self.refuse(f"its ControlSignal {signal.name!r} has a duration cost function {kind}", "use SimpleIntegrator")
        rate, noise, offset = (repr(float(plain(self.reader.get(function, name)))) for name in ("rate", "noise", "offset"))
        return f"({before} + {argument} * {rate} + {noise} + {offset})"


class EstimateSeeds:
    """The seeds that a controller's estimates have in the search to come: `count` numbers, `step` apart, modulo `below`."""

    def __init__(self, controller: Any):
        self.controller = controller
        self.axis = list(controller.control_signals).index(randomization(controller))
        self.count = int(plain(controller.parameters.num_estimates.get()))
        self.step, self.below = 1, 2**53
        if str(controller.parameters.noise_stream_policy.get()) == "independent":
            self.step = len(controller.random_variables)
            self.below = 2**24 // self.step * self.step

    def at(self, first: int) -> list[int]:
        """All of them, by the first one."""
        return [(first + index * self.step) % self.below for index in range(self.count)]

    def first(self) -> int | None:
        """The first one, if they are as they are described here."""
        listed = list_of(self.controller.function.parameters.search_space.get()[self.axis])
        if listed is None or len(listed) != self.count or listed != self.at(int(listed[0])):
            return None
        return int(listed[0])

    def after(self, first: int) -> int:
        """The number after the last seed of a search whose seeds begin with this one."""
        return (first + self.count * self.step) % self.below

    def following(self) -> int:
        """The number from which PsyNeuLink makes the next seeds."""
        return seeds_made_by(self.controller) * self.step % self.below


def monitors_nothing(controller: Any) -> bool:
    """True if no Projection brings a controller an outcome."""
    return not any(port.path_afferents for port in controller.outcome_input_ports)


def randomization(controller: Any) -> Any:
    """The ControlSignal that gives each estimate its seeds; None where one simulation is made of each point."""
    return next((signal for signal in controller.control_signals if signal.name == RANDOMIZATION), None)


def enabled_costs(function: Any, reader: Reader) -> tuple[str, ...]:
    """The kinds of cost that a TransferWithCosts has, which is the function of ControlSignals."""
    enabled = reader.get(function, "enabled_cost_functions") or 0
    flags = cast("type[Any]", type(enabled))
    return tuple(name for flag, name in COSTS if enabled & getattr(flags, flag, 0))


def written_cost(text: str, takes: tuple[str, ...]) -> Callable[..., Any]:
    """The function of these numbers with this text; the same one for the same text."""
    return function_of(f"def cost({', '.join(takes)}):\n    {text}\n", {})


def every_inner(imported: Imported) -> Iterator[Imported]:
    """The Compositions nested in one, and those in them."""
    for inner in imported.inner.values():
        yield inner
        yield from every_inner(inner)


def plain_controller(composition: Any) -> Any:
    """The controller of a Composition, if it simulates nothing: a Mechanism like others, which is executed beside the nodes."""
    controller = composition.controller
    return None if type(controller).__name__ in ("NoneType", "OptimizationControlMechanism") else controller


def not_taken_up(composition: Any, controller: Any) -> UnsupportedFeature:
    """The message about a controller that PsyNeuLink takes up only when all that it monitors and modulates is in its Composition."""
    projections = projections_that_defer(composition, controller)
    owners = [getattr(port.owner, "owner", port.owner) for one in projections for port in (one.sender, one.receiver)]
    own = (controller, controller.objective_mechanism, *all_nodes_of(composition))
    names = dict.fromkeys(repr(owner.name) for owner in owners if owner not in own)
    remedy = "monitor and modulate Nodes of it only"
    if any(one.sender.name == RANDOMIZATION for one in projections):
        remedy += ", and give it random_variables=[...], the Functions of Nodes that are to draw anew in each estimate"
    return UnsupportedFeature(
        f"{type(controller).__name__} {controller.name!r}",
        f"PsyNeuLink has not accepted it as the controller of {composition.name!r}, as it monitors or modulates "
        f"{', '.join(names) or 'a component'}, which is not a Node of that Composition or of one nested in it",
        remedy,
    )


def when_it_acts(composition: Any, conditions: ConditionReader, refuse: Refuse) -> Condition | None:
    """In which trials the controller of a Composition acts; None for all of them. The signals of one that is disabled stay in force."""
    if not composition.enable_controller:
        return Never()
    asked = composition.controller_condition
    condition = None if type(asked).__name__ == "Always" else conditions.read(asked, "controller_condition")
    scale = composition.controller_time_scale.name
    if scale in ("TRIAL", "ENVIRONMENT_STATE_UPDATE"):
        return condition
    if scale in ("RUN", "ENVIRONMENT_SEQUENCE") and str(composition.controller_mode) == "before":
        return AtTrial(0) if condition is None else All(AtTrial(0), condition)
    raise refuse(
        f"its controller_time_scale is {scale} and its controller_mode {str(composition.controller_mode)!r}",
        "use TimeScale.TRIAL, or TimeScale.RUN before a run",
    )


def add_controller(imported: Imported, reader: Reader, conditions: ConditionReader, observed: bool = False) -> None:
    """Adds the Composition's controller to the model; `conditions` reads its condition."""
    ControllerReader(imported, reader, conditions, observed).add()
