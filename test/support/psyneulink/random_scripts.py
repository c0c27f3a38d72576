"""
Random scripts: a Composition, logs of whatever can be logged, and calls as people make them, some of them odd ones.

`script(seed)` is a generator of `Step`s, the same for the same seed: whoever goes through them makes each call. Nothing that is drawn
depends on what a call has returned, so that PsyNeuLink alone and PsyNeuLink under `accelerate()` go the same way.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from support.psyneulink.compositions import CONDITIONS, ENDING, INNER, KINDS, MODULATED, WHEN_FINISHED, NodeSpec, Spec, build

import psyneulink as pnl

Draws = np.random.Generator
Call = Callable[[], Any]
NUMBER = re.compile(r"[-+]?\d+\.\d*(?:[eE][-+]?\d+)?")
FRAME = re.compile(r"[\s═║━┃]+")
"""What a report is framed by, and filled up with."""


@dataclass
class Step:
    """One call of a script."""

    what: str
    """The call, in words."""
    composition: Any
    context: Any
    """The id of its execution context."""
    call: Call


def script(seed: int) -> Iterator[Step]:
    """The calls of a script, each of them to be made before the next is asked for."""
    draws = np.random.default_rng(seed)
    kind = draws.choice(list(SCRIPTS), p=SHARES)
    yield from SCRIPTS[kind](draws)


def kind_of(seed: int) -> str:
    """The kind of a script."""
    return str(np.random.default_rng(seed).choice(list(SCRIPTS), p=SHARES))


def one_of(draws: Draws, items: Any) -> Any:
    """One of some items, each as likely."""
    listed = list(items)
    return listed[int(draws.integers(len(listed)))]


def perhaps(draws: Draws, share: float) -> bool:
    """True in a share of cases."""
    return bool(draws.random() < share)


def numbers(draws: Draws, *shape: int) -> Any:
    """Numbers with two decimals."""
    return draws.normal(size=shape).round(2)


# Compositions


def spec_of(draws: Draws, count: int | None = None, kinds: Any = tuple(sorted(KINDS)), control: bool = True) -> Spec:
    """A random description of a Composition, of what `support.psyneulink.compositions` draws."""
    count = count or int(draws.integers(2, 5))
    passes = int(draws.integers(2, 4)) if perhaps(draws, 0.4) else None
    nodes: list[NodeSpec] = []
    for index in range(count):
        senders = tuple(sorted({int(draws.integers(index)) for _ in range(int(draws.integers(3)))})) if index else ()
        condition = one_of(draws, sorted(CONDITIONS)) if senders and passes and perhaps(draws, 0.5) else None
        nodes.append(NodeSpec(one_of(draws, kinds), int(draws.integers(2, 4)), senders, condition))
    feedback = int(draws.integers(count - 1)) if count > 1 and perhaps(draws, 0.25) else None
    nested = 1 if nodes[0].kind != "reset" and perhaps(draws, 0.2) else 0
    receivers = [index for index, one in enumerate(nodes) if one.kind in MODULATED]
    controlled, is_controller = None, False
    if control and receivers and not nested and perhaps(draws, 0.4):
        how = one_of(draws, ["multiplicative_param", "additive_param", "OVERRIDE"])
        controlled = (int(draws.integers(count)), one_of(draws, receivers), how)
        is_controller = perhaps(draws, 0.5) or feedback is not None
    inner = one_of(draws, sorted(INNER)) if nested and passes and perhaps(draws, 0.5) else None
    return Spec(tuple(nodes), feedback, passes, nested, controlled, is_controller, inner)


def with_endings(draws: Draws, spec: Spec) -> Spec:
    """A description in which, in a fifth of cases, a Mechanism finishes, and one that hears it waits for that."""
    pairs = [(sender, index) for index, one in enumerate(spec.nodes) for sender in one.senders if spec.nested <= sender]
    if not pairs or not perhaps(draws, 0.2):
        return spec
    nodes = list(spec.nodes)
    sender, waiting = one_of(draws, pairs)
    nodes[sender] = replace(nodes[sender], kind=one_of(draws, sorted(ENDING)))
    nodes[waiting] = replace(nodes[waiting], senders=(sender,), condition=one_of(draws, sorted(WHEN_FINISHED)))
    modulates = spec.control is not None and spec.control[1] == sender
    control, is_controller = (None, False) if modulates else (spec.control, spec.is_controller)
    feedback = None if modulates else spec.feedback
    return replace(spec, nodes=tuple(nodes), passes=spec.passes or 3, control=control, is_controller=is_controller, feedback=feedback)


def graph(draws: Draws) -> Iterator[Step]:
    """Nodes with conditions, feedback, a nested Composition or a ControlMechanism."""
    beside = draws.spawn(1)[0]
    composition = build(with_endings(beside.spawn(1)[0], spec_of(draws)))
    watched = [node for node in composition.nodes if not hasattr(node, "input_CIM")]
    if watched and perhaps(beside, 0.15):  # a trial that may end before anything has run
        low = float(beside.uniform(-1.0, 0.5))
        end = pnl.Threshold(one_of(beside, watched), "value", low, ">", indices=(0, 0))
        composition.termination_processing = {pnl.TimeScale.TRIAL: pnl.Any(end, pnl.AfterNPasses(3))}
    yield from calls(draws, composition)


def decision(draws: Draws) -> Iterator[Step]:
    """An input, and a DDM that integrates until it decides, or is computed."""
    drift = pnl.ProcessingMechanism(name="DRIFT", input_shapes=1, function=pnl.Linear(slope=0.1, intercept=0.6))
    noise, threshold = float(draws.uniform(0.1, 0.3)), float(draws.uniform(0.2, 0.6))  # small drifts leave few digits of a skewness
    if perhaps(draws, 0.6):
        function = pnl.DriftDiffusionIntegrator(noise=noise, threshold=threshold, time_step_size=0.05)
        ddm = pnl.DDM(name="DDM", function=function, execute_until_finished=perhaps(draws, 0.7), max_executions_before_finished=40)
    else:
        ddm = pnl.DDM(name="DDM", function=pnl.DriftDiffusionAnalytical(noise=noise, threshold=threshold, non_decision_time=0.2))
    composition = pnl.Composition(name="DECISION", pathways=[[drift, ddm]])
    if perhaps(draws, 0.5):
        composition.add_node(pnl.ProcessingMechanism(name="BESIDE", input_shapes=2, function=pnl.Logistic()))
    yield from calls(draws, composition)


def in_all(values: Any) -> Any:
    """The sum of what an ObjectiveMechanism sees, of ports of one size or of several."""
    total = 0.0
    for row in values:
        total += np.sum(row)
    return np.array([[total]])


def of_squares(values: Any) -> Any:
    """The sum of squares of what an ObjectiveMechanism sees, which depends on the gain of a SoftMax, as the sum does not."""
    total = 0.0
    for row in values:
        total += np.sum(row * row)
    return np.array([[total]])


def search(draws: Draws) -> Iterator[Step]:
    """A controller that searches a grid."""
    kinds = [kind for kind in sorted(KINDS) if kind in MODULATED and kind != "reset"]
    first = KINDS[one_of(draws, kinds)]
    kind = one_of(draws, kinds)
    a, b = first("A", 2), KINDS[kind]("B", int(draws.integers(2, 4)))
    composition = pnl.Composition(name="SEARCHED", controller_mode=one_of(draws, ["before", "after"]))
    composition.add_linear_processing_pathway([a, numbers(draws, 2, width(b)), b])
    signals = [pnl.ControlSignal(modulates=(MODULATED[kind], b), allocation_samples=[0.5, 1.0, 1.5], modulation="multiplicative_param")]
    if perhaps(draws, 0.3):
        c = pnl.ProcessingMechanism(name="C", input_shapes=1, function=pnl.Linear(slope=2.0))
        composition.add_node(c)
        signals.append(pnl.ControlSignal(modulates=("slope", c), allocation_samples=[0.2, 1.0], cost_options=pnl.CostFunctions.INTENSITY))
    outcome = of_squares if kind == "SoftMax" else in_all  # points that differ by rounding alone are no choice (docs/psyneulink_guide.md)
    seen = pnl.ObjectiveMechanism(name="SEEN", monitor=[b] if perhaps(draws, 0.6) else [a, b], function=outcome)
    given: dict[str, Any] = {"state_features": [a.input_port]} if perhaps(draws, 0.7) else {"state_features": {a: a.input_port}}
    if perhaps(draws, 0.2):
        given["num_estimates"] = 2
    found = pnl.GridSearch(save_values=perhaps(draws, 0.5), direction=one_of(draws, ["maximize", "minimize"]))
    composition.add_controller(
        pnl.OptimizationControlMechanism(
            name="SEARCH", agent_rep=composition, function=found, control_signals=signals, objective_mechanism=seen, **given
        )
    )
    if perhaps(draws, 0.15):
        composition.retain_old_simulation_data = True
    yield from calls(draws, composition)


def learning(draws: Draws) -> Iterator[Step]:
    """A chain that learns by backpropagation in PsyNeuLink's Python mode, an action or the value of time steps that is learned."""
    composition = pnl.Composition(name="LEARNING")
    kind = one_of(draws, ["backpropagation"] * 3 + ["reinforcement", "differences"])
    if kind == "backpropagation":
        sizes = [int(draws.integers(1, 4)) for _ in range(int(draws.integers(2, 4)))]
        nodes = [
            pnl.TransferMechanism(name=f"L{index}", input_shapes=size, function=one_of(draws, [pnl.Linear, pnl.Logistic])())
            for index, size in enumerate(sizes)
        ]
        path: list[Any] = [nodes[0]]
        for (rows, columns), node in zip(itertools.pairwise(sizes), nodes[1:], strict=True):
            path += [pnl.MappingProjection(matrix=numbers(draws, rows, columns)), node]
        target = composition.add_backpropagation_learning_pathway(path, learning_rate=float(draws.uniform(0.01, 0.3))).target
        inputs, targets = numbers(draws, 3, sizes[0]), numbers(draws, 3, sizes[-1])
    elif kind == "reinforcement":
        nodes = [pnl.TransferMechanism(name="STIMULUS", input_shapes=3)]
        nodes.append(pnl.TransferMechanism(name="ACTION", default_variable=[[0.0, 0.0, 1.0]], function=pnl.SoftMax(output=pnl.PROB)))
        target = composition.add_reinforcement_learning_pathway(nodes, learning_rate=0.05).target
        inputs, targets = np.abs(numbers(draws, 3, 3)) + 0.1, numbers(draws, 3, 1)
    else:
        nodes = [pnl.TransferMechanism(name=name, default_variable=np.zeros(4)) for name in ("SAMPLE", "VALUE")]
        target = composition.add_td_learning_pathway(nodes, learning_rate=0.3).target
        inputs, targets = (numbers(draws, 3, 4) > 0).astype(float), np.eye(4)[[3, 2, 3]]
    beside = draws.spawn(1)[0]  # of what came later, so that the scripts of earlier seeds stay what they were
    logged(draws, composition)
    given: Any = {nodes[0]: inputs, target: targets}
    for _ in range(int(draws.integers(2, 4))):
        context = one_of(draws, [None, None, None, "other"])
        key = composition.default_execution_id if context is None else context
        options: dict[str, Any] = {"epochs": int(draws.integers(1, 3))} if perhaps(draws, 0.5) else {}
        if perhaps(draws, 0.2):
            options["minibatch_size"] = 2
        if perhaps(draws, 0.2):
            options["randomize_minibatches"] = True
        if perhaps(draws, 0.2):
            options["learning_rate"] = 0.02
        if perhaps(draws, 0.1):
            options["log"] = perhaps(draws, 0.3)
        if perhaps(draws, 0.3):
            yield step("run", composition, key, composition.run, inputs={nodes[0]: inputs}, context=context)
        else:
            if perhaps(beside, 0.15):
                options["epochs"] = 60
            if perhaps(beside, 0.1):
                options["call_after_pass"] = do_nothing
            shown = ", ".join(f"{name}={value}" for name, value in options.items() if value is not do_nothing)
            words = "learn within which passes are called" if "call_after_pass" in options else "learn"
            turns = [given, given] if perhaps(beside, 0.15) else None
            words += "" if turns is None else " by a generator"
            handed = given if turns is None else iter(turns)
            yield step(f"{words} {shown}", composition, key, composition.learn, inputs=handed, context=context, **options)
        if perhaps(draws, 0.3):
            logged(draws, composition)


def do_nothing() -> None:
    """A callback."""


def autodiff(draws: Draws) -> Iterator[Step]:
    """A chain that PyTorch teaches."""
    sizes = [int(draws.integers(1, 4)) for _ in range(int(draws.integers(2, 4)))]
    composition = pnl.AutodiffComposition(name="NET", learning_rate=float(draws.uniform(0.01, 0.3)))
    nodes = [
        pnl.TransferMechanism(name=f"T{index}", input_shapes=size, function=one_of(draws, [pnl.Linear, pnl.Logistic])())
        for index, size in enumerate(sizes)
    ]
    composition.add_nodes(nodes)
    for one, other in itertools.pairwise(nodes):
        matrix = numbers(draws, len(one.defaults.value[0]), len(other.defaults.value[0]))
        composition.add_projection(pnl.MappingProjection(sender=one, receiver=other, matrix=matrix))
    trials = int(draws.integers(1, 6))
    inputs, targets = {nodes[0]: numbers(draws, trials, sizes[0])}, {nodes[-1]: numbers(draws, trials, sizes[-1])}
    if perhaps(draws, 0.3):
        logged(draws, composition)
    key = composition.default_execution_id
    for _ in range(int(draws.integers(1, 4))):
        if perhaps(draws, 0.3):
            yield step("run", composition, key, composition.run, inputs=inputs)
            continue
        options: dict[str, Any] = {"epochs": int(draws.integers(1, 5)), "minibatch_size": int(draws.integers(1, 3))}
        if perhaps(draws, 0.2):
            options["randomize_minibatches"] = True
        mode = one_of(draws, [pnl.ExecutionMode.PyTorch] * 3 + [pnl.ExecutionMode.LLVMRun])
        shown = ", ".join(f"{name}={value}" for name, value in options.items())
        given = {"inputs": inputs, "targets": targets}
        yield step(f"learn {shown} in {mode.name}", composition, key, composition.learn, inputs=given, execution_mode=mode, **options)


SCRIPTS: dict[str, Callable[[Draws], Iterator[Step]]] = {
    "graph": graph,
    "decision": decision,
    "search": search,
    "learning": learning,
    "autodiff": autodiff,
}
SHARES = (0.45, 0.1, 0.2, 0.18, 0.07)
"""How often each kind is drawn."""


# Logs

LOG_CONDITIONS = (
    *[pnl.LogCondition.EXECUTION] * 3,
    *[pnl.LogCondition.ALL_ASSIGNMENTS] * 2,
    pnl.LogCondition.PROCESSING,
    pnl.LogCondition.LEARNING,
    pnl.LogCondition.TRIAL,
    pnl.LogCondition.RUN,
    pnl.LogCondition.SIMULATION,
    pnl.LogCondition.INITIALIZATION,
    pnl.LogCondition.PROCESSING | pnl.LogCondition.CONTROL,
    pnl.LogCondition.OFF,
)


def loggable(composition: Any) -> list[tuple[Any, list[str]]]:
    """The components of a Composition, and the names of their Parameters that can be logged."""
    components: list[Any] = []
    for node in [*composition.nodes, *([composition.controller] if composition.controller is not None else [])]:
        if hasattr(node, "input_CIM"):
            components += [one for one, _ in loggable(node)]
            continue
        ports = [*node.input_ports, *node.output_ports, *node.parameter_ports]
        projections = [one for port in node.input_ports for one in port.path_afferents]
        components += [node, node.function, *ports, *projections, *(one.function for one in projections)]
    found: list[tuple[Any, list[str]]] = []
    for one in components:
        names = [parameter.name for parameter in one.parameters if parameter.loggable and parameter.final_source is parameter]
        if names:
            found.append((one, sorted(names)))
    return found


def logged(draws: Draws, composition: Any) -> None:
    """Sets the log conditions of some Parameters, most of them values; of none in many cases."""
    if perhaps(draws, 0.3):
        return
    components = loggable(composition)
    for _ in range(int(draws.integers(1, 5))):
        component, names = components[int(draws.integers(len(components)))]
        condition = LOG_CONDITIONS[int(draws.integers(len(LOG_CONDITIONS)))]
        name = "value" if "value" in names and perhaps(draws, 0.6) else names[int(draws.integers(len(names)))]
        getattr(component.parameters, name).log_condition = condition


# Calls


def step(what: str, composition: Any, key: Any, method: Callable[..., Any], **arguments: Any) -> Step:
    """A call of a method."""
    return Step(what, composition, key, lambda: method(**arguments))


def entries_of(composition: Any) -> list[Any]:
    """The nodes of a Composition that take inputs."""
    return list(composition.get_nodes_by_role(pnl.NodeRole.INPUT))


def width(node: Any) -> int:
    """The number of elements that a node takes."""
    return len(node.external_input_variables[0]) if hasattr(node, "input_CIM") else len(node.defaults.variable[0])


def inputs_of(draws: Draws, composition: Any, trials: int) -> dict[Any, Any]:
    """Inputs of so many trials."""
    return {node: numbers(draws, trials, width(node)) for node in entries_of(composition)}


def calls(draws: Draws, composition: Any) -> Iterator[Step]:
    """Logs are set and calls made, with changes between them."""
    beside = draws.spawn(1)[0]  # of what came later, so that the scripts of earlier seeds stay what they were
    logged(draws, composition)
    for _ in range(int(draws.integers(2, 5))):
        context = one_of(draws, [None, None, None, "other"])
        key = composition.default_execution_id if context is None else context
        given = inputs_of(draws, composition, int(draws.integers(1, 4)))
        kind = "wrong inputs" if perhaps(draws, 0.03) else one_of(draws, sorted(set(KINDS_OF_CALLS) - {"wrong inputs"}))
        if kind == "run once more" and perhaps(beside, 0.6):
            kind = "report"
            what, method, arguments = with_report(beside, composition, given)
        else:
            what, method, arguments = KINDS_OF_CALLS[kind](draws, composition, given)
        yield step(f"{kind}{what}", composition, key, method, context=context, **arguments)
        if perhaps(draws, 0.25):
            logged(draws, composition)
        if perhaps(draws, 0.25):
            changed(draws, composition, key)


Made = tuple[str, Callable[..., Any], dict[str, Any]]
"""What to add to the words for a call, its method, and its arguments but for the context."""


def plainly(draws: Draws, composition: Any, given: dict[Any, Any]) -> Made:
    """`run` with inputs."""
    return "", composition.run, {"inputs": given}


def repeated(draws: Draws, composition: Any, given: dict[Any, Any]) -> Made:
    """More or fewer trials than inputs."""
    trials = int(draws.integers(1, 7))
    return f" of {trials}", composition.run, {"inputs": given, "num_trials": trials}


def one_trial(draws: Draws, composition: Any, given: dict[Any, Any]) -> Made:
    """`execute`."""
    return "", composition.execute, {"inputs": {node: values[:1] for node, values in given.items()}}


def by_function(draws: Draws, composition: Any, given: dict[Any, Any]) -> Made:
    """Inputs by a function of the number of the trial."""

    def trial(number: int) -> dict[Any, Any]:
        return {node: values[number % len(values)] for node, values in given.items()}

    return "", composition.run, {"inputs": trial, "num_trials": int(draws.integers(1, 4))}


def by_generator(draws: Draws, composition: Any, given: dict[Any, Any]) -> Made:
    """Inputs by a generator."""
    trials = min(map(len, given.values()), default=1)
    return "", composition.run, {"inputs": ({node: values[at] for node, values in given.items()} for at in range(trials))}


def with_unknown(draws: Draws, composition: Any, given: dict[Any, Any]) -> Made:
    """A keyword that PsyNeuLink ignores."""
    return "", composition.run, {"inputs": given, "anything": 1}


def with_log(draws: Draws, composition: Any, given: dict[Any, Any]) -> Made:
    """All logs."""
    return "", composition.run, {"inputs": given, "log": perhaps(draws, 0.8)}


def with_callback(draws: Draws, composition: Any, given: dict[Any, Any]) -> Made:
    """A callback around each trial, which changes a Parameter."""
    node = next((one for one in composition.nodes if hasattr(getattr(one, "function", None), "slope")), None)
    when = one_of(draws, ["call_before_trial", "call_after_trial", "call_before_pass", "call_after_time_step"])
    value = float(draws.uniform(0.5, 2.0))

    def change() -> None:
        if node is not None:
            node.function.parameters.slope.set(value, composition.default_execution_id)

    return f", {when}", composition.run, {"inputs": given, when: change}


def with_runtime_params(draws: Draws, composition: Any, given: dict[Any, Any]) -> Made:
    """Parameters for one run."""
    candidates = [
        (one, name)
        for one in composition.nodes
        if not hasattr(one, "input_CIM")
        for name in ("slope", "intercept", "gain", "noise", "rate", "integration_rate")
        if name in one.parameters or name in one.function.parameters
    ]
    if not candidates:
        return " (none)", composition.run, {"inputs": given, "runtime_params": {}}
    node, name = candidates[int(draws.integers(len(candidates)))]
    value: Any = float(draws.uniform(0.1, 0.9))
    condition = one_of(draws, [None, None, pnl.AtTrial(0), pnl.AfterTrial(0), pnl.AtRun(1), pnl.Never()])
    value = value if condition is None else (value, condition)
    return f" {name}", composition.run, {"inputs": given, "runtime_params": {node: {name: value}}}


def until(draws: Draws, composition: Any, given: dict[Any, Any]) -> Made:
    """Another end of trials."""
    end = {pnl.TimeScale.TRIAL: pnl.AfterNPasses(int(draws.integers(1, 4)))}
    return "", composition.run, {"inputs": given, "termination_processing": end}


def with_resets(draws: Draws, composition: Any, given: dict[Any, Any]) -> Made:
    """States that begin anew at the start of the run, in each trial, or never."""
    when = one_of(draws, [pnl.AtRunStart(), pnl.AtTrialStart(), pnl.AtTrial(1), pnl.Never()])
    return f" {type(when).__name__}", composition.run, {"inputs": given, "reset_stateful_functions_when": when}


def in_python(draws: Draws, composition: Any, given: dict[Any, Any]) -> Made:
    """PsyNeuLink's own mode."""
    return "", composition.run, {"inputs": given, "execution_mode": pnl.ExecutionMode.Python}


def with_report(draws: Draws, composition: Any, given: dict[Any, Any]) -> Made:
    """A report on each trial, which is returned beside the results."""
    output = one_of(draws, ["TERSE", "FULL", "USE_PREFS"])
    method = composition.execute if perhaps(draws, 0.3) else composition.run
    if method == composition.execute:
        given = {node: values[:1] for node, values in given.items()}

    def reported(**arguments: Any) -> Any:
        return method(**arguments), without_last_digits(composition.rich_diverted_reports)

    options = {"report_output": getattr(pnl.ReportOutput, output), "report_to_devices": pnl.ReportDevices.DIVERT}
    return f" {output} of {method.__name__}", reported, {"inputs": given, **options}


def without_last_digits(text: str) -> str:
    """
    A report with its numbers to 11 digits, and without the frames and spaces that depend on their lengths: a value that is equal but for
    its last bit is printed in all its digits.
    """
    return NUMBER.sub(lambda found: f"{float(found[0]):.11g}", FRAME.sub(" ", text))


def wrong(draws: Draws, composition: Any, given: dict[Any, Any]) -> Made:
    """Inputs that are too long."""
    return "", composition.run, {"inputs": {node: np.ones((2, width(node) + 1)) for node in given}}


def without(draws: Draws, composition: Any, given: dict[Any, Any]) -> Made:
    """No inputs."""
    return "", composition.run, {"num_trials": int(draws.integers(1, 3))}


KINDS_OF_CALLS: dict[str, Callable[[Draws, Any, dict[Any, Any]], Made]] = {
    "run": plainly,
    "run once more": plainly,
    "run with num_trials": repeated,
    "execute": one_trial,
    "inputs by a function": by_function,
    "inputs by a generator": by_generator,
    "an unknown keyword": with_unknown,
    "log": with_log,
    "a callback": with_callback,
    "runtime_params": with_runtime_params,
    "termination": until,
    "resets": with_resets,
    "Python mode": in_python,
    "wrong inputs": wrong,
    "no inputs": without,
}


# Changes between calls


def changed(draws: Draws, composition: Any, key: Any) -> None:
    """A script changes a Parameter, empties logs, or resets a Mechanism between calls."""
    nodes = [one for one in composition.nodes if not hasattr(one, "input_CIM")]
    if not nodes:
        return
    node = nodes[int(draws.integers(len(nodes)))]
    how = one_of(draws, ["set", "attribute", "clear", "reset"])
    if how == "attribute" and composition.controller is not None:
        how = "set"  # an attribute belongs to the last simulation (docs/psyneulink_guide.md)
    name = next((one for one in ("slope", "gain", "rate", "variance") if one in node.function.parameters), None)
    value = float(draws.uniform(0.5, 1.5))
    if how == "set" and name is not None:
        getattr(node.function.parameters, name).set(value, key)
    elif how == "attribute" and name is not None:
        setattr(node.function, name, value)
    elif how == "clear":
        node.log.clear_entries(delete_entry=True)
    elif how == "reset" and "integrator_mode" in node.parameters and node.parameters.integrator_mode.get(key):
        node.reset(np.full(np.shape(node.defaults.value[0]), 0.25), context=key)
