"""
The names of PsyNeuLink that cogir imports, and all of its private names that cogir uses.

PsyNeuLink is imported when first used, because that takes seconds; it has no types. `test/unit/psyneulink/test_private_names.py` looks for
private names elsewhere, so that a new version of PsyNeuLink is compared with this file alone.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from typing import Any, cast

import numpy as np
import numpy.typing as npt


def composition_class() -> Any:
    """The class `Composition`."""
    return import_module("psyneulink").Composition


def mechanism_class() -> Any:
    """The class `Mechanism_Base`, whose `execute` all Mechanisms have."""
    return import_module("psyneulink.core.components.mechanisms.mechanism").Mechanism_Base


def runner_class() -> Any:
    """The class `CompositionRunner`, which hands out batches to learn from."""
    return import_module("psyneulink.library.compositions.compositionrunner").CompositionRunner


def estimation_class() -> Any:
    """The class `ParameterEstimationComposition`."""
    return import_module("psyneulink").ParameterEstimationComposition


def compiled_class() -> Any:
    """The class `CompExecution`, a Composition that PsyNeuLink has compiled for one execution context."""
    return import_module("psyneulink.core.llvm").CompExecution


def python_mode() -> Any:
    """The execution mode in which PsyNeuLink runs a Composition itself."""
    return import_module("psyneulink").ExecutionMode.Python


def new_context(execution_id: Any) -> Any:
    """A new `Context` of an execution id."""
    return import_module("psyneulink.core.globals.context").Context(execution_id=execution_id)


def context_of(context: Any) -> Any:
    """The `Context` for a `Context`, an execution id or None."""
    return context if hasattr(context, "execution_id") else new_context(context)


def raw_value(parameter: Any, context: Any) -> Any:
    """The value of a Parameter in a `Context` as it stands, in which PsyNeuLink notices no access."""
    return parameter._get(context)


def component_of(parameter: Any) -> Any:
    """The component to which a Parameter belongs."""
    return parameter._owner._owner


def is_user_specified(parameter: Any) -> bool:
    """True if a Parameter was given to the constructor of its component."""
    return bool(parameter._user_specified)


def is_defined_in(kind: type[Any], module: str) -> bool:
    """True if a class is the one of its name that stands in this module of PsyNeuLink."""
    return kind.__module__ == module and getattr(sys.modules.get(module), kind.__name__, None) is kind


def context_left(execution_id: Any, composition: Any, *, is_run: bool) -> Any:
    """The `Context` that a run of a Composition, or a call of its `execute`, leaves behind in it."""
    module = import_module("psyneulink.core.globals.context")
    source = module.ContextFlags.COMPOSITION if is_run else module.ContextFlags.COMMAND_LINE
    return module.Context(execution_id=execution_id, composition=composition, source=source)


def context_of_preparing(execution_id: Any) -> Any:
    """The `Context` that a run has which has not got as far as to know its inputs."""
    module = import_module("psyneulink.core.globals.context")
    flags = module.ContextFlags
    return module.Context(execution_id=execution_id, source=flags.COMPOSITION, execution_phase=flags.PREPARING)


def context_left_in_node(execution_id: Any, composition: Any) -> Any:
    """The `Context` that a run leaves behind in the Mechanisms of a Composition."""
    module = import_module("psyneulink.core.globals.context")
    flags = module.ContextFlags
    return module.Context(execution_id=execution_id, composition=composition, source=flags.COMPOSITION, execution_phase=flags.PROCESSING)


def copy_of(value: Any) -> Any:
    """A copy of a value as PsyNeuLink copies those of Parameters: components in it stay themselves."""
    return import_module("psyneulink.core.globals.parameters").copy_parameter_value(value)


def array_of(value: Any) -> npt.NDArray[Any]:
    """An array of numbers, or of arrays where lengths differ, as PsyNeuLink keeps results."""
    convert = cast("Callable[[Any], npt.NDArray[Any]]", import_module("psyneulink.core.globals.utilities").convert_to_np_array)
    return np.asarray(convert(value))


def sample_iterator(levels: list[int]) -> Any:
    """A new `SampleIterator` over a list."""
    return import_module("psyneulink").SampleIterator(specification=levels)


@dataclass(frozen=True)
class TimeScales:
    """PsyNeuLink's units of time."""

    step: Any
    pass_: Any
    trial: Any
    run: Any
    life: Any


@lru_cache(maxsize=1)
def time_scales() -> TimeScales:
    """The units of time by cogir's names."""
    scales = import_module("psyneulink").TimeScale
    return TimeScales(scales.TIME_STEP, scales.PASS, scales.TRIAL, scales.RUN, scales.LIFE)


def call_with_context(callback: Callable[..., Any], execution_id: Any, composition: Any) -> None:
    """Calls a callback of `run` as PsyNeuLink does: with the context, if it takes one."""
    context = new_context(execution_id)
    context.composition = composition
    import_module("psyneulink.core.globals.utilities").call_with_pruned_args(callback, context=context)


OF_SIMULATIONS = "-sim{simulator: "
"""Stands in the ids of the execution contexts that PsyNeuLink makes for the simulations of a search."""


def is_simulation(context: Any) -> bool:
    """True if a call comes from PsyNeuLink itself: a simulation, or a nested Composition, has a context that says so."""
    if context is None or isinstance(context, str):
        return False
    if getattr(context, "composition", None) is not None or is_simulating(context):
        return True
    return OF_SIMULATIONS in str(getattr(context, "execution_id", ""))


def is_simulating(context: Any) -> bool:
    """True if PsyNeuLink simulates a Composition in a `Context`."""
    mode = getattr(context, "runmode", None)
    return mode is not None and bool(mode & cast(Any, type(mode)).SIMULATION_MODE)


def is_learning(context: Any) -> bool:
    """True if PsyNeuLink learns in a `Context`."""
    mode = getattr(context, "runmode", None)
    return mode is not None and bool(mode & cast(Any, type(mode)).LEARNING_MODE)


def is_debugged() -> bool:
    """True if somebody listens to PsyNeuLink's debugger, which tells of each step of a run."""
    module: Any = sys.modules.get("psyneulink._debugger")
    return module is not None and module.get_listener() is not None


def parameter_class() -> Any:
    """The class `Parameter`."""
    return import_module("psyneulink.core.globals.parameters").Parameter


@dataclass(frozen=True)
class LogFlags:
    """The marks in a log of a value that was assigned while a Composition was processed."""

    processing: int
    text: str


@lru_cache(maxsize=1)
def log_flags() -> LogFlags:
    """PsyNeuLink's flags of an execution in a Composition."""
    flags = import_module("psyneulink.core.globals.context").ContextFlags
    return LogFlags(int(flags.PROCESSING), flags._get_context_string(flags.PROCESSING | flags.COMPOSITION))


def log_entry(run: int, trial: int, pass_: int, step: int, value: Any) -> Any:
    """An entry of a log, of a value that was assigned at this time."""
    time = import_module("psyneulink.core.globals.context").time(run, trial, pass_, step)
    return import_module("psyneulink.core.globals.log").LogEntry(time, log_flags().text, value)


METHODS_OF_BATCHES = ("_batch_inputs", "_batch_function_inputs")
"""The methods of a CompositionRunner that hand out batches to an AutodiffComposition that learns."""
METHODS_OF_FUNCTIONS = ("_function", "function", "__call__", "derivative")
"""The methods by which PsyNeuLink calls a Function, or its derivative."""
SEARCHED_ENTRIES = "_memory"
"""The attribute in which a memory Function looks for entries; the Parameter `previous_value` holds those that it carries on."""
LISTS_OF_AFFERENTS = ("_path_afferents", "_mod_afferents")
"""The attributes in which a Port holds the Projections to it."""


def parameter_ports_of(component: Any) -> Sequence[Any]:
    """The ParameterPorts of a component; none for one that has no such attribute."""
    return component.__dict__.get("_parameter_ports") or ()


def variable_spec_of(port: Any) -> Any:
    """The part of its Mechanism that an OutputPort takes as its variable, such as `("OWNER_VALUE", 0)`."""
    return port._variable_spec


def analyze_graph(composition: Any, context: Any) -> None:
    """Has a Composition find out about its nodes' roles, its inputs and its outputs, if it has changed."""
    composition._analyze_graph(context=context)


def all_nodes_of(composition: Any) -> Sequence[Any]:
    """The nodes of a Composition and of those nested in it."""
    return composition._get_all_nodes()


def is_controller_deferred(composition: Any) -> bool:
    """True if PsyNeuLink has put off taking up the controller of a Composition, as it acts on what is no node of it."""
    return composition._controller_initialization_status.name == "DEFERRED_INIT"


def projections_that_defer(composition: Any, controller: Any) -> list[Any]:
    """The Projections of a controller because of which PsyNeuLink does not take it up."""
    return [one for one in composition._get_invalid_aux_components(controller) if hasattr(one, "receiver")]


def seeds_made_by(controller: Any) -> int:
    """The count from which an OptimizationControlMechanism goes on to number the seeds of its estimates."""
    return int(controller._seed_counter)


def specified_inputs_of(controller: Any) -> Sequence[Any]:
    """The inputs of its Composition for which state features were specified, in the order of these."""
    return controller._specified_INPUT_Node_InputPorts_in_order


def input_receivers_of(controller: Any) -> Sequence[Any]:
    """The InputPorts by which an OptimizationControlMechanism knows the inputs of its Composition, also those deep inside."""
    return controller._get_agent_rep_input_receivers()


def shows_probe(cim: Any, port: Any) -> bool:
    """True if a port of an output CIM shows a node that is only a probe."""
    return bool(cim._sender_is_probe(port))


def place_of_node(composition: Any, node: Any) -> int:
    """The place of a node among those of a Composition, by which PsyNeuLink's compiler finds its input."""
    return composition._get_node_index(node)


def targets_of(composition: Any) -> dict[Any, Any]:
    """The target Mechanism of each output node of an AutodiffComposition."""
    return {node: held["TARGET_MECHANISM"] for node, held in composition._terminal_backprop_sequences.items()}


def optimizes_repeatedly(copy: Any) -> bool:
    """True if the copy of an AutodiffComposition in PyTorch takes several optimizer steps in a trial."""
    return bool(copy._execute_in_additional_optimizations)


def projection_of(wrapper: Any) -> Any:
    """The Projection that a wrapper of PyTorch stands for."""
    return wrapper._pnl_proj


def composition_of(runner: Any) -> Any:
    """The Composition that a CompositionRunner runs."""
    return runner._composition
