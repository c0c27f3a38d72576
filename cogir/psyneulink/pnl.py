"""
The names of PsyNeuLink that cogir imports, and all of its private names that cogir uses.

PsyNeuLink is imported when first used, because that takes seconds; it has no types. `test/unit/psyneulink/test_private_names.py` looks for
private names elsewhere, so that a new version of PsyNeuLink is compared with this file alone.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from typing import Any, cast

import numpy as np
import numpy.typing as npt


def composition_class() -> Any:
    """The class `Composition`."""
    return import_module("psyneulink").Composition


def comparison(name: str) -> Callable[[Any, Any], Any]:
    """The operator by which PsyNeuLink compares a measure with a threshold."""
    return import_module("psyneulink.core.globals.keywords").comparison_operators[name]


def autodiff_class() -> Any:
    """The class `AutodiffComposition`."""
    return import_module("psyneulink").AutodiffComposition


def mechanism_class() -> Any:
    """The class `Mechanism_Base`, whose `execute` all Mechanisms have."""
    return import_module("psyneulink.core.components.mechanisms.mechanism").Mechanism_Base


def runner_class() -> Any:
    """The class `CompositionRunner`, which hands out batches to learn from."""
    return import_module("psyneulink.library.compositions.compositionrunner").CompositionRunner


def estimation_class() -> Any:
    """The class `ParameterEstimationComposition`."""
    return import_module("psyneulink").ParameterEstimationComposition


EVALUATION = "_grid_evaluate"
"""The method of an `OptimizationFunction` that evaluates samples by PsyNeuLink's compiler."""


def optimization_class() -> Any:
    """The class `OptimizationFunction`, which evaluates a grid by PsyNeuLink's compiler."""
    return import_module("psyneulink.core.components.functions.nonstateful.optimizationfunctions").OptimizationFunction


def estimation_module() -> Any:
    """The module of `ParameterEstimationComposition`, in which it looks its functions up."""
    return import_module("psyneulink.core.compositions.parameterestimationcomposition")


def likelihood_module() -> Any:
    """The module that defines `simulation_likelihood`."""
    return import_module("psyneulink.core.components.functions.nonstateful.fitfunctions")


def computes_otherwise() -> bool:
    """True if PsyNeuLink's compiler was told to compute with single precision, or to take constants for parameters or inputs."""
    llvm: Any = import_module("psyneulink.core.llvm")
    options: Any = import_module("psyneulink.core.llvm.debug").debug_env
    is_double = llvm.LLVMBuilderContext.default_float_ty == llvm.ir.DoubleType()
    return not is_double or any(str(name).startswith("const_") for name in options)


def is_estimation(composition: Any) -> bool:
    """True for a ParameterEstimationComposition."""
    return type(composition) is estimation_class()


def estimates_by_compiler(composition: Any) -> bool:
    """True for a ParameterEstimationComposition whose simulations PsyNeuLink's compiler makes."""
    controller = composition.controller if is_estimation(composition) else None
    return controller is not None and controller.parameters.comp_execution_mode.get() == "LLVM"


def simulates(composition: Any) -> bool:
    """False for a ParameterEstimationComposition that fits other ones, one for each participant, or is scored by a trained estimator."""
    return composition.controller is not None and getattr(composition, "scores_by_simulation", True)


DISTRIBUTED = (
    ("psyneulink.core.components.functions.nonstateful.fitfunctions", ("_dask_evaluate_loglik", "_dask_evaluate_loglik_de")),
    ("psyneulink.core.components.functions.nonstateful.neurallikelihoodfunctions", ("_simulate_chunk",)),
    ("psyneulink.core.compositions.hierarchical.distributedestep", ("_dask_subject_estep",)),
)
"""The functions that PsyNeuLink 0.21 submits to a Dask cluster, by their modules."""


def distributed_functions() -> list[tuple[Any, str]]:
    """The modules and the names of functions that PsyNeuLink submits to a cluster."""
    modules = [(sys.modules.get(module), names) for module, names in DISTRIBUTED]
    return [(module, name) for module, names in modules for name in names if hasattr(module, name)]


def compiled_class() -> Any:
    """The class `CompExecution`, a Composition that PsyNeuLink has compiled for one execution context."""
    return import_module("psyneulink.core.llvm").CompExecution


def python_mode() -> Any:
    """The execution mode in which PsyNeuLink runs a Composition itself."""
    return import_module("psyneulink").ExecutionMode.Python


def num_threads() -> int:
    """The number of threads that PsyNeuLink's `set_num_threads` has set; by default that of the processors."""
    threads = sys.modules.get("psyneulink.core.globals.threads")  # of PsyNeuLink 0.21; others have none
    return 1024 if threads is None else int(threads.get_num_threads())


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


def items_measured(mechanism: Any) -> int:
    """The number of values that the termination_measure of a TransferMechanism is called with; 0 if it is a TimeScale."""
    return int(mechanism._termination_measure_num_items_expected)


def executions_within(mechanism: Any, time_scale: Any, context: Any) -> int:
    """The number of executions of a Mechanism within the present unit of a TimeScale."""
    return int(raw_value(mechanism.parameters.num_executions, context)._get_by_time_scale(time_scale))


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


def sample_iterator_class() -> Any:
    """The class `SampleIterator`, over the samples of a dimension of a search."""
    return import_module("psyneulink").SampleIterator


def sample_iterator(levels: list[int]) -> Any:
    """A new `SampleIterator` over a list."""
    return sample_iterator_class()(specification=levels)


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


@lru_cache(maxsize=1)
def time_class() -> Any:
    """The class `Time`, in which components count their executions."""
    return import_module("psyneulink").Time


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
    """The marks in a log of a value that was assigned in one phase of the execution of a Composition."""

    phase: int
    text: str


@lru_cache(maxsize=2)
def log_flags(learns: bool = False) -> LogFlags:
    """PsyNeuLink's flags of an execution in a Composition, in which a matrix is learned if it `learns`."""
    flags = import_module("psyneulink.core.globals.context").ContextFlags
    phase = flags.LEARNING if learns else flags.PROCESSING
    return LogFlags(int(phase), flags._get_context_string(phase | flags.COMPOSITION))


@cache
def text_of_script() -> str:
    """The mark in a log of what a script itself assigns."""
    flags = import_module("psyneulink.core.globals.context").ContextFlags
    return flags._get_context_string(flags.COMMAND_LINE)


def log_entry(run: int, trial: int, pass_: int, step: int, value: Any, text: str) -> Any:
    """An entry of a log, of a value that was assigned at this time; `text`: the mark of `log_flags`."""
    time = import_module("psyneulink.core.globals.context").time(run, trial, pass_, step)
    return import_module("psyneulink.core.globals.log").LogEntry(time, text, value)


METHODS_OF_BATCHES = ("_batch_inputs", "_batch_function_inputs")
"""The methods of a CompositionRunner that hand out batches to an AutodiffComposition that learns."""
METHODS_OF_FUNCTIONS = ("_function", "function", "__call__", "derivative")
"""The methods by which PsyNeuLink calls a Function, or its derivative."""
SEARCHED_ENTRIES = "_memory"
"""The attribute in which a memory Function looks for entries; the Parameter `previous_value` holds those that it carries on."""
LISTS_OF_AFFERENTS = ("_path_afferents", "_mod_afferents")
"""The attributes in which a Port holds the Projections to it."""


def afferents_held_by(port: Any) -> list[Any] | None:
    """The list in which a Port of an interface holds the Projections to it that carry values; None if it has none yet."""
    return port.__dict__["_path_afferents"]


def parameter_ports_of(component: Any) -> Sequence[Any]:
    """The ParameterPorts of a component; none for one that has no such attribute."""
    return component.__dict__.get("_parameter_ports") or ()


def variable_spec_of(port: Any) -> Any:
    """The part of its Mechanism that an OutputPort takes as its variable, such as `("OWNER_VALUE", 0)`."""
    return port._variable_spec


def analyze_graph(composition: Any, context: Any) -> None:
    """Has a Composition find out about its nodes' roles, its inputs and its outputs, if it has changed."""
    composition._analyze_graph(context=context)


def compositions_in(composition: Any) -> Iterator[Any]:
    """A Composition and those in it."""
    yield composition
    for node in composition.nodes:
        if hasattr(node, "input_CIM"):
            yield from compositions_in(node)


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


def steps_of_nodes(copy: Any) -> dict[Any, Any]:
    """The optimizer steps of a trial in which the copy of an AutodiffComposition in PyTorch executes nodes, by wrapper, if not in all."""
    return {node: steps for node, steps in copy._execute_in_additional_optimizations.items() if isinstance(steps, list)}


def is_external(wrapper: Any) -> bool:
    """True if PyTorch takes the variable of a Mechanism from the inputs of a trial, or from the default values of its ports."""
    return wrapper._is_input or wrapper._is_bias


def item_sent(wrapper: Any) -> int:
    """The item of the sender's value that the wrapper of a Projection takes."""
    return wrapper._value_idx


def function_in_pytorch(wrapper: Any) -> Any:
    """The Function for which a wrapper computes in PyTorch."""
    return wrapper._pnl_function


def output_sources(composition: Any) -> list[tuple[int, Any]]:
    """The item of the value, and the node, of each output of a Composition."""
    cim = composition.output_CIM
    sources = [cim._get_source_info_from_output_CIM(port) for port in cim.input_ports]
    return [(list(source[1].output_ports).index(source[0]), source[1]) for source in sources]


def stand_ins_in_pytorch(composition: Any) -> Any:
    """The nodes in the place of which the copy of a Composition in PyTorch has others; empty or None for most Compositions."""
    return composition._trained_comp_nodes_to_pytorch_nodes_map


def stores_in_step(wrapper: Any, step: int, context: Any) -> bool:
    """True if PyTorch stores what a field of an EMComposition gets in this optimizer step of a trial."""
    return wrapper._should_store_on_optimization(step, context)


def decay_in_pytorch(wrapper: Any) -> float:
    """The rate by which PyTorch lets the memory of a field of an EMComposition decay whenever it stores something."""
    store = inspect.getclosurevars(wrapper.function.function).nonlocals["_store_memory_pytorch_fct"]
    return float(np.asarray(inspect.getclosurevars(store).nonlocals["decay_rate"]).item())


def random_state_in_pytorch(wrapper: Any) -> Any:
    """The generator from which PyTorch draws whether to store something in the memory of a field of an EMComposition."""
    return wrapper.function._pnl_function.parameters.random_state._get(wrapper.function._context)


def softmax_of_scores(function: Any) -> Any:
    """The SoftMax of the function that combines the scores of an EMComposition; None for other functions."""
    generator = getattr(function, "_gen_pytorch_fct", None)
    return inspect.getclosurevars(generator).nonlocals.get("softmax_function") if inspect.isfunction(generator) else None


def projection_of(wrapper: Any) -> Any:
    """The Projection that a wrapper of PyTorch stands for."""
    return wrapper._pnl_proj


def composition_of(runner: Any) -> Any:
    """The Composition that a CompositionRunner runs."""
    return runner._composition


LAST_CONTEXT = "_most_recent_context"
"""The attribute in which a component keeps the `Context` of its last execution."""

PREPARING_STEPS = ("_complete_init_of_partially_initialized_nodes", "_analyze_graph", "_check_for_unused_projections")
"""Methods with which PsyNeuLink prepares a Composition in each run, called with the context of the run."""
CHECKING_STEPS = ("_check_controller_initialization_status", "_check_nodes_initialization_status")
"""Methods with which it checks it then."""

TERMINATIONS = ("_termination_conds", "default_termination_conds", "_user_specified_termination_conds")
"""The attributes of a scheduler that say when trials and runs end."""


def set_raw_value(parameter: Any, value: Any, context: Any) -> None:
    """Sets the value of a Parameter in a `Context`, also of one that scripts may not set."""
    parameter._set(value, context)


def value_of_source(source: Any, context: Any) -> Any:
    """The value in a `Context` of a Parameter that is the source of a ParameterPort; None if the source is no Parameter."""
    return source._get(context) if hasattr(source, "_get") else None


def owner_of(parameter: Any) -> Any:
    """The `Parameters` to which a Parameter belongs."""
    return parameter._owner


def give_context(owner: Any, execution_id: Any) -> None:
    """Gives a component, with its parts, or a Parameter the values in an execution context that it lacks, from the context None."""
    owner._initialize_from_context(new_context(execution_id), new_context(None), override=False)


def parameters_by_context(component: Any) -> list[Any]:
    """The Parameters to which `give_context` gives values: those of a component and its parts that have one for each execution context."""
    of = import_module("psyneulink.core.globals.parameters")
    found: list[Any] = []
    seen: set[Any] = set()

    def add(one: Any) -> None:
        for part in one._dependent_components:
            if part not in seen:
                seen.add(part)
                add(part)
        found.extend(each for each in one.stateful_parameters if not isinstance(each, (of.ParameterAlias, of.SharedParameter)))

    add(component)
    return found


def assign_context(composition: Any, execution_id: Any) -> None:
    """Assigns an execution context to a Composition and its parts."""
    composition._assign_execution_ids(new_context(execution_id))


def complete_and_analyze(composition: Any, execution_id: Any) -> None:
    """Completes the nodes of a Composition, and finds out its inputs, outputs and roles if its graph was changed."""
    context = new_context(execution_id)
    composition._complete_init_of_partially_initialized_nodes(context=context)
    composition._analyze_graph(context=context)


def projections_are_to_be_checked(composition: Any) -> bool:
    """True if a run is to look for unused Projections."""
    return bool(composition._need_check_for_unused_projections)


def present_scheduler(composition: Any) -> Any:
    """The scheduler of a Composition as it stands, which is not made anew if the graph was changed; None if there is none yet."""
    return composition._scheduler


def functions_of(component: Any) -> Any:
    """The components that are values of Parameters of a component, such as its Functions."""
    return component._parameter_components


def note_call_of_script(composition: Any) -> None:
    """Notes that a script has run a Composition, of which PsyNeuLink takes notice once it is nested in another one."""
    composition._executed_from_command_line = True


def parsed_run_inputs(composition: Any, inputs: Any, execution_id: Any) -> tuple[Any, int]:
    """The inputs of a run by node, as PsyNeuLink's parser has them, and the number of trials."""
    return composition._parse_run_inputs(inputs, new_context(execution_id))


def parsed_trial_inputs(composition: Any, inputs: Any, trial: int, execution_id: Any) -> Any:
    """The inputs of one trial of a run by node; may raise StopIteration."""
    return composition._parse_trial_inputs(inputs, trial, new_context(execution_id))


def inputs_of_execute(composition: Any, inputs: Any) -> Any:
    """The values of the ports of the input CIM for the inputs of `execute`, or for its default inputs."""
    given = copy_of(inputs) if inputs else composition._instantiate_input_dict({})
    return input_variable(composition, composition._validate_execution_inputs(given))


def input_variable(composition: Any, inputs: Any) -> Any:
    """The values of the ports of the input CIM for inputs by node."""
    return composition._build_variable_for_input_CIM(inputs)


def parsed_runtime_params(composition: Any, given: Any) -> Any:
    """The runtime_params of a call, each with its condition."""
    return composition._parse_runtime_params_conditions(given)


def conditions_to_restore(composition: Any) -> Any:
    """The conditions of resets that a run has replaced by those of its call, by node."""
    return composition._reset_stateful_functions_when_cache


def set_conditions_to_restore(composition: Any, conditions: dict[Any, Any]) -> None:
    """Notes the conditions of resets that a run has replaced."""
    composition._reset_stateful_functions_when_cache = conditions


def without_animation(composition: Any) -> None:
    """Switches off the animation that an earlier run may have left, which `execute` looks at."""
    composition._animate = False


def execute_controller(composition: Any, context: Any) -> None:
    """Lets PsyNeuLink execute the controller of a Composition after a run."""
    composition._execute_controller(execution_mode=python_mode(), _comp_ex=None, context=context)


def set_seed_counter(controller: Any, count: int) -> None:
    """Sets the number from which a controller makes further seeds."""
    controller._seed_counter = count


def init_counts(scheduler: Any, execution_id: Any) -> None:
    """Gives a scheduler its counts in an execution context, if it has none."""
    scheduler._init_counts(execution_id=execution_id)


def reset_calls(scheduler: Any, time_scale: Any, execution_id: Any) -> None:
    """Begins the counts of calls within a unit of time at zero."""
    scheduler._reset_counts_total(time_scale, execution_id)


def delete_counts(scheduler: Any, execution_id: Any) -> None:
    """Removes everything that a scheduler holds in an execution context."""
    scheduler._delete_counts(execution_id)
    for held in (scheduler.clocks, scheduler.execution_timestamps):
        held.pop(execution_id, None)


def advance_clock_by_one(clock: Any, time_scale: Any) -> None:
    """Advances a clock by one unit."""
    clock._increment_time(time_scale)


def complete_conditions(scheduler: Any) -> None:
    """Gives nodes without a condition that of PsyNeuLink's default."""
    scheduler._validate_conditions()


def terminations_of(scheduler: Any) -> Any:
    """The conditions that end trials and runs."""
    return scheduler._termination_conds


def set_terminations(scheduler: Any, conditions: Any) -> None:
    """Replaces the conditions that end trials and runs."""
    scheduler._termination_conds = conditions


def compiled_forms(composition: Any, context: Any) -> Any:
    """PsyNeuLink's compiled forms of a Composition in a `Context`, by tags; None if there are none."""
    return composition._compilation_data.execution._get(context, fallback_value=None)


def forget_compiled_form(composition: Any, execution_id: Any) -> None:
    """Lets PsyNeuLink's compiler read the values of a Composition anew in its next run; its code is kept."""
    composition._compilation_data.execution.delete(new_context(execution_id))


@cache
def report_module() -> Any:
    """The module of `Report`, which prints what a run does, and of its options."""
    return import_module("psyneulink.core.compositions.report")


def forget_reports(composition: Any) -> None:
    """Removes the reports that an earlier run has left in a Composition, as each run does."""
    composition.rich_diverted_reports = composition.recorded_reports = None


def is_within_report() -> bool:
    """True within a call of PsyNeuLink or of cogir that makes others, whether it is reported or not: its options are theirs, too."""
    return report_module().Report._instance is not None


def is_reporting() -> bool:
    """True if PsyNeuLink prints a report now."""
    report = report_module().Report._instance
    return report is not None and report._reporting_enabled


def deliver(parameter: Any, pipeline: Any, time: tuple[int, int, int, int], execution_id: Any, value: Any) -> None:
    """Puts a value that a Parameter had at a time (run, trial, pass and time step) into a pipeline, as PsyNeuLink does."""
    messages = import_module("psyneulink.core.rpc.graph_pb2")
    pipeline.put(
        messages.Entry(
            componentName=parameter._get_root_owner().name,
            parameterName=parameter._get_root_parameter().name,
            time=":".join(map(str, time)),
            context=execution_id,
            value=messages.ndArray(shape=list(value.shape), data=list(value.ravel())),
        )
    )


def report_log_conditions(report: Callable[[], None]) -> None:
    """
    Calls a function whenever a log condition of any Parameter is set, from now on.

    Every way of setting one leads to one method of `Parameter`, which is replaced once in a process; there is no other sign of it.
    """
    parameter = parameter_class()
    original = parameter._set_log_condition
    if getattr(original, "reports", False):
        return

    def reporting(self: Any, value: Any) -> None:
        report()
        original(self, value)

    vars(reporting)["reports"] = True
    parameter._set_log_condition = reporting
