"""
Cases: Projections, Ports, cycles, nested Compositions, and Python functions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from support.psyneulink.cases import Case, alone, chain, node

import psyneulink as pnl


def projected(matrix: Any, size: int = 3, other: int = 3) -> Case:
    """Two nodes with a matrix between them."""
    return chain(lambda: node("A", size), lambda: np.array(matrix) if isinstance(matrix, list) else matrix, lambda: node("B", other))


def mapped(make: Callable[[], Any], size: int = 2, other: int = 2, **settings: Any) -> Case:
    """Two nodes with a Projection between them."""
    return chain(lambda: node("A", size), make, lambda: node("B", other), **settings)


def weighing(**settings: Any) -> Any:
    """A Mechanism with an InputPort whose function combines what arrives."""
    return node("B", 2, input_ports=[pnl.InputPort(name="in", variable=[0.0, 0.0], function=pnl.LinearCombination(**settings))])


def counting(spec: Any, until: float | None = None, modulated: bool = False, searched: bool = False, **settings: Any) -> Any:
    """A Mechanism with an OutputPort for a count, and one after it; it is called twice in a trial."""
    given = {} if until is None else {"termination_threshold": until, "termination_measure": max, "termination_comparison_op": ">="}
    ports = [pnl.RESULT, pnl.OutputPort(name="n", variable=spec)]
    a = pnl.TransferMechanism(name="A", input_shapes=2, integrator_mode=True, clip=(1.0, 2.0), output_ports=ports, **given, **settings)
    b = node("B")
    composition = pnl.Composition(name="comp", nodes=[a, b])
    composition.add_projection(sender=a.output_ports["n"], receiver=b)
    composition.scheduler.add_condition(a, pnl.Always())
    composition.termination_processing = {pnl.TimeScale.TRIAL: pnl.AfterNCalls(a, 2)}
    if modulated:
        composition.add_node(pnl.ControlMechanism(name="control", control_signals=[("slope", a)], modulation=pnl.OVERRIDE))
    if searched:
        signal = pnl.ControlSignal(modulates=("slope", a), allocation_samples=[1.0, 2.0])
        objective = pnl.ObjectiveMechanism(monitor=[b])
        composition.add_controller(
            pnl.OptimizationControlMechanism(
                agent_rep=composition, state_features=[a.input_port], objective_mechanism=objective, function=pnl.GridSearch(),
                control_signals=[signal],
            )
        )  # fmt: skip
    return composition


PROJECTIONS = {
    "matrix": projected([[1.0, 2.0], [0.5, -1.0], [0.0, 3.0]], 3, 2),
    "matrix row": projected([[1.0, 2.0, 3.0]], 1, 3),
    "matrix column": projected([[1.0], [2.0], [3.0]], 3, 1),
    "matrix IDENTITY": projected(pnl.IDENTITY_MATRIX),
    "matrix FULL": projected(pnl.FULL_CONNECTIVITY_MATRIX, 3, 2),
    "matrix HOLLOW": projected(pnl.HOLLOW_MATRIX),
    "matrix INVERSE_HOLLOW": projected("InverseHollowMatrix"),
    "matrix ZEROS": projected(pnl.ZEROS_MATRIX),
    "matrix RANDOM": projected(pnl.RANDOM_CONNECTIVITY_MATRIX, 3, 2),
    "matrix AUTO_ASSIGN": projected(pnl.AUTO_ASSIGN_MATRIX),
    "matrix AUTO_ASSIGN to another size": projected(pnl.AUTO_ASSIGN_MATRIX, 3, 2),
    "matrix of one": mapped(lambda: pnl.MappingProjection(matrix=[[0.3]]), 1, 1),
    "MappingProjection": mapped(lambda: pnl.MappingProjection(matrix=[[1.0, 2.0], [3.0, 4.0]])),
    "MaskedMappingProjection multiplies": mapped(
        lambda: pnl.MaskedMappingProjection(matrix=[[1.0, 2.0], [3.0, 4.0]], mask=[[1.0, 0.0], [0.0, 1.0]], mask_operation=pnl.MULTIPLY)
    ),
    "MaskedMappingProjection adds": mapped(
        lambda: pnl.MaskedMappingProjection(matrix=[[1.0, 2.0], [3.0, 4.0]], mask=[[1.0, 0.0], [0.5, 2.0]], mask_operation=pnl.ADD),
        refused="changes its matrix in each execution",
    ),
    "matrix function distance": mapped(
        lambda: pnl.MappingProjection(function=pnl.MatrixTransform(default_variable=[0.0, 0.0], matrix=np.eye(2), operation=pnl.L0)),
        refused="does not multiply by its matrix",
    ),
    "matrix function normalized": mapped(
        lambda: pnl.MappingProjection(function=pnl.MatrixTransform(default_variable=[0.0, 0.0], matrix=np.eye(2), normalize=True)),
        refused="normalizes",
    ),
}


def converging(receiver: Callable[[], Any], **projections: Callable[[], Any]) -> Case:
    """Nodes A and B, and C that hears both."""

    def build() -> Any:
        a, b, c = node("A", 2), node("B", 2), receiver()
        made = {name: make() for name, make in projections.items()}
        first = [a, made["a"], c] if "a" in made else [a, c]
        second = [b, made["b"], c] if "b" in made else [b, c]
        return pnl.Composition(name="comp", pathways=[first, second])

    return Case(build)


def ports(**inputs: Any) -> Callable[[], Any]:
    """A node with one InputPort whose function has these settings."""
    return lambda: pnl.ProcessingMechanism(name="C", input_ports=[pnl.InputPort(name="in", variable=[0.0, 0.0], **inputs)])


def parallel(spec: Callable[[Any, Any], Any]) -> Case:
    """A node C whose input ports name the nodes A and B."""

    def build() -> Any:
        a, b = node("A", 2), node("B", 2)
        c = pnl.ProcessingMechanism(name="C", input_ports=spec(a, b))
        return pnl.Composition(name="comp", pathways=[[a, c], [b, c]])

    return Case(build)


PORTS = {
    "two Projections to a port": converging(lambda: node("C", 2)),
    "two Projections multiplied": converging(ports(combine=pnl.PRODUCT)),
    "two Projections combined with weights": converging(
        lambda: pnl.ProcessingMechanism(
            name="C", input_ports=[pnl.InputPort(name="in", variable=[0.0, 0.0], function=pnl.LinearCombination(scale=2.0, offset=0.5))]
        )
    ),
    "two Projections with weights": converging(
        lambda: node("C", 2), a=lambda: pnl.MappingProjection(weight=2.0), b=lambda: pnl.MappingProjection(weight=-1.0)
    ),
    "two Projections with exponents": converging(lambda: node("C", 2), a=lambda: pnl.MappingProjection(exponent=2.0)),
    "a port for each sender": parallel(lambda a, b: [{pnl.NAME: "x", pnl.PROJECTIONS: [a]}, {pnl.NAME: "y", pnl.PROJECTIONS: [b]}]),
    "a port with a weight": parallel(
        lambda a, b: [pnl.InputPort(name="x", projections=[a], weight=0.5), pnl.InputPort(name="y", projections=[b], exponent=2.0)]
    ),
    "several input ports": alone(lambda: node("A", [2, 2, 2])),
    "input ports of different sizes": alone(lambda: node("A", [1, 2, 3])),
    "input ports summed up": alone(lambda: node("A", [2, 2], function=pnl.LinearCombination())),
    "default input": alone(
        lambda: pnl.ProcessingMechanism(
            name="A",
            input_ports=[
                pnl.InputPort(name="x", variable=[0.0]),
                pnl.InputPort(name="bias", variable=[0.5], default_input=pnl.DEFAULT_VARIABLE),
            ],
        )
    ),
    "output ports of two items": alone(
        lambda: pnl.ProcessingMechanism(
            name="A", input_shapes=[2, 3], output_ports=[{pnl.NAME: "x", pnl.VARIABLE: (pnl.OWNER_VALUE, 1)}, {pnl.NAME: "y"}]
        )
    ),
    "output ports of several items": alone(
        lambda: pnl.ProcessingMechanism(
            name="A",
            input_shapes=[2, 2],
            function=pnl.Logistic,
            output_ports=[
                {pnl.NAME: "x", pnl.VARIABLE: [(pnl.OWNER_VALUE, 1), (pnl.OWNER_VALUE, 0)]},
                {pnl.NAME: "y", pnl.VARIABLE: [(pnl.OWNER_VALUE, 1), (pnl.OWNER_VALUE, 0)], pnl.FUNCTION: pnl.LinearCombination},
                {pnl.NAME: "z", pnl.VARIABLE: [(pnl.OWNER_VALUE, 0), (pnl.OWNER_VALUE, 0)], pnl.FUNCTION: pnl.Linear(slope=2.0)},
            ],
        )
    ),
    "output port of what an input port receives": chain(
        lambda: node("A", 2),
        lambda: pnl.ProcessingMechanism(
            name="B",
            input_ports=[pnl.InputPort(name="in", variable=[0.0, 0.0], function=pnl.Linear(slope=3.0))],
            output_ports=[{pnl.NAME: "x", pnl.VARIABLE: (pnl.INPUT_PORT_VARIABLES, 0)}, {pnl.NAME: "y"}],
        ),
        refused="INPUT_PORT_VARIABLES",
    ),
    "output port of the variable": alone(
        lambda: pnl.ProcessingMechanism(
            name="A", input_shapes=2, function=pnl.Logistic, output_ports=[pnl.OutputPort(name="x", variable=pnl.OWNER_VARIABLE)]
        ),
        refused="OWNER_VARIABLE",
    ),
    "input port that weighs one Projection": chain(lambda: node("A", 2), lambda: weighing(weights=[[3.0, 5.0]], scale=2.0)),
    "input port with an exponent for one Projection": chain(lambda: node("A", 2), lambda: weighing(exponents=2.0), low=0.2),
    "output port that counts in all contexts": Case(lambda: counting(pnl.OWNER_EXECUTION_COUNT)),
    "output port that counts in a context": Case(lambda: counting(("num_executions", pnl.TimeScale.LIFE))),
    "output port that counts in a trial": Case(lambda: counting(("num_executions", pnl.TimeScale.TRIAL))),
    "output port that counts in a pass": Case(lambda: counting(("num_executions", pnl.TimeScale.PASS))),
    "output port that counts until finished": Case(lambda: counting("num_executions_before_finished", until=0.9)),
    "output port that counts each call": Case(lambda: counting("num_executions_before_finished", until=0.9, execute_until_finished=False)),
    "output port that counts and takes parameters": Case(
        lambda: counting(["num_executions_before_finished", pnl.SLOPE, "integration_rate"])
    ),
    "output port that counts several executions of a pass": Case(
        lambda: counting(("num_executions", pnl.TimeScale.PASS), until=0.9), refused="in which it may be executed several times"
    ),
    "output port of a modulated parameter": Case(lambda: counting(pnl.SLOPE, modulated=True), refused="takes 'slope'"),
    "output port that counts what a controller simulates": Case(
        lambda: counting(pnl.OWNER_EXECUTION_COUNT, searched=True), refused="which its simulations change"
    ),
    "output ports by standard names": alone(
        lambda: pnl.ProcessingMechanism(
            name="A", input_shapes=3, output_ports=[pnl.RESULT, pnl.MEAN, pnl.MEDIAN, pnl.STANDARD_DEVIATION, pnl.VARIANCE]
        )
    ),
    "output ports that choose": alone(
        lambda: pnl.ProcessingMechanism(
            name="A", input_shapes=3, output_ports=[pnl.MAX_VAL, pnl.MAX_ABS_VAL, pnl.MAX_INDICATOR, pnl.MAX_ONE_HOT]
        )
    ),
    "output port with a lambda": alone(
        lambda: pnl.ProcessingMechanism(name="A", input_shapes=2, output_ports=[pnl.OutputPort(name="x", function=lambda v: v * 2 + 1)])
    ),
    "output port with a function of its elements": alone(
        lambda: pnl.ProcessingMechanism(
            name="A",
            input_shapes=2,
            output_ports=[
                pnl.RESULT,
                {pnl.NAME: "product", pnl.VARIABLE: (pnl.OWNER_VALUE, 0), pnl.FUNCTION: lambda v: [v[0] * v[1]]},
            ],
        )
    ),
    "output port with an outer axis to control": Case(
        lambda: pnl.Composition(
            name="comp",
            pathways=[
                [
                    a := node("A", 1, function=pnl.Logistic),
                    b := node(
                        "B",
                        1,
                        function=pnl.FitzHughNagumoIntegrator(),
                        output_ports=[{pnl.NAME: "x", pnl.VARIABLE: (pnl.OWNER_VALUE, 1), pnl.FUNCTION: lambda v: 1.0 + v}],
                    ),
                    pnl.ControlMechanism(name="control", monitor_for_control=b, control_signals=[(pnl.GAIN, a)]),
                ]
            ],
        )
    ),
    "Projection from a second port": Case(
        lambda: pnl.Composition(
            name="comp",
            pathways=[
                [
                    a := node("A", 3, output_ports=[pnl.RESULT, pnl.MEAN]),
                    pnl.MappingProjection(sender=a.output_ports[pnl.MEAN]),
                    node("B", 1),
                ]
            ],
        )
    ),
    "Projection to a second port": Case(
        lambda: pnl.Composition(
            name="comp",
            nodes=[a := node("A", 2), b := node("B", [2, 2], function=pnl.LinearCombination(operation=pnl.PRODUCT))],
            projections=[
                pnl.MappingProjection(a, b.input_ports[0]),
                pnl.MappingProjection(a, b.input_ports[1], matrix=[[0.0, 1.0], [1.0, 0.0]]),
            ],
        )
    ),
}

SHAPES = {
    "chain of one": chain(lambda: node("A")),
    "chain of five": chain(*(lambda i=i: node(f"N{i}", 2, function=pnl.Linear(slope=0.5 + i)) for i in range(5))),
    "diamond": Case(lambda: diamond()),
    "two chains": Case(lambda: pnl.Composition(name="comp", pathways=[[node("A", 2), node("B", 2)], [node("C"), node("D")]])),
    "no Projections": Case(lambda: pnl.Composition(name="comp", nodes=[node("A", 2), node("B", 3)])),
    "one sender, three receivers": Case(
        lambda: pnl.Composition(name="comp", pathways=[[a := node("A", 2), node("B", 2)], [a, node("C", 3)], [a, node("D", 1)]])
    ),
    "names with spaces and signs": chain(lambda: node("my node (1)", 2), lambda: node("x/y", 2)),
    "output in the middle": Case(lambda: middle()),
    "an integrator between": chain(lambda: node("A", 2), lambda: pnl.IntegratorMechanism(name="I", input_shapes=2), lambda: node("B", 1)),
    "noise in two nodes": chain(
        lambda: pnl.TransferMechanism(name="A", input_shapes=2, noise=pnl.NormalDist()),
        lambda: pnl.TransferMechanism(name="B", input_shapes=2, noise=pnl.NormalDist()),
    ),
    "shadowed input": Case(lambda: shadowing()),
    "shadowed input of a nested node": Case(lambda: shadowing(nested=True)),
    "one noise for two nodes": Case(
        lambda: pnl.Composition(
            name="comp",
            pathways=[[pnl.TransferMechanism(name="A", noise=(n := pnl.NormalDist())), pnl.TransferMechanism(name="B", noise=n)]],
        )
    ),
}


def shadowing(nested: bool = False) -> Any:
    """B gets what A gets, which is in another Composition or not."""
    a = node("A", 2)
    holder = pnl.Composition(name="I", nodes=[a]) if nested else a
    b = pnl.ProcessingMechanism(name="B", function=pnl.Logistic, input_ports=[a.input_port])
    return pnl.Composition(name="comp", nodes=[holder, b])


def diamond() -> Any:
    """A to B and C, both to D."""
    a, b, c, d = node("A", 2), node("B", 2, function=pnl.Logistic), node("C", 2, function=pnl.Tanh), node("D", 2)
    return pnl.Composition(name="comp", pathways=[[a, b, d], [a, c, d]])


def middle() -> Any:
    """Three in a row, the second also an output."""
    composition = pnl.Composition(name="comp")
    a, b, c = node("A", 2), node("B", 2), node("C", 2)
    composition.add_node(a)
    composition.add_node(b, required_roles=pnl.NodeRole.OUTPUT)
    composition.add_node(c)
    composition.add_projection(pnl.MappingProjection(a, b))
    composition.add_projection(pnl.MappingProjection(b, c))
    return composition


def cycle(*, feedback: Any = None, kind: Callable[..., Any] = node, size: int = 2, other: str = "B", **settings: Any) -> Case:
    """A to B, and B back to A."""

    def build() -> Any:
        composition = pnl.Composition(name="comp")
        a, b = kind("A", size, **settings), node("B", size, function=pnl.Linear(slope=0.5))
        composition.add_nodes([a, b])
        composition.add_projection(pnl.MappingProjection(a, b))
        if feedback is None:
            composition.add_projection(pnl.MappingProjection(b, a))
        else:
            composition.add_projection(pnl.MappingProjection(b, a), feedback=feedback)
        return composition

    return Case(build)


def ring(count: int, feedback: bool) -> Case:
    """A ring of nodes."""

    def build() -> Any:
        composition = pnl.Composition(name="comp")
        nodes = [
            pnl.TransferMechanism(name=f"N{i}", input_shapes=2, function=pnl.Linear(slope=0.5), integrator_mode=i == 0)
            for i in range(count)
        ]
        composition.add_nodes(nodes)
        for i, sender in enumerate(nodes):
            last = i == count - 1
            composition.add_projection(pnl.MappingProjection(sender, nodes[(i + 1) % count]), feedback=True if last and feedback else False)
        return composition

    return Case(build)


def integrating(name: str, size: int, **settings: Any) -> Any:
    """A TransferMechanism that integrates."""
    return pnl.TransferMechanism(name=name, input_shapes=size, integrator_mode=True, **settings)


CYCLES = {
    "cycle": cycle(),
    "cycle feedback": cycle(feedback=True),
    "cycle maybe feedback": cycle(feedback=pnl.EdgeType.FLEXIBLE),
    "cycle integrating": cycle(kind=integrating),
    "cycle integrating feedback": cycle(kind=integrating, feedback=True),
    "cycle with an initial value": cycle(kind=integrating, feedback=True, initial_value=[[0.5, 0.2]]),
    "ring of three": ring(3, False),
    "ring of three with feedback": ring(3, True),
    "ring of four": ring(4, False),
    "a node that projects to itself": Case(lambda: itself()),
    "recurrent between": chain(
        lambda: node("A", 2), lambda: pnl.RecurrentTransferMechanism(name="R", input_shapes=2, auto=0.3, hetero=-0.2), lambda: node("B", 2)
    ),
    "feedback to the first of three": Case(lambda: far_feedback()),
}


def itself() -> Any:
    """A node with a Projection to itself."""
    composition = pnl.Composition(name="comp")
    a = node("A", 2, function=pnl.Linear(slope=0.5))
    composition.add_node(a)
    composition.add_projection(pnl.MappingProjection(a, a))
    return composition


def far_feedback() -> Any:
    """Three in a row, the third back to the first."""
    composition = pnl.Composition(name="comp")
    nodes = [node(name, 2, function=pnl.Linear(slope=0.5)) for name in "ABC"]
    composition.add_linear_processing_pathway(nodes)
    composition.add_projection(pnl.MappingProjection(nodes[2], nodes[0]), feedback=True)
    return composition


def inner(name: str = "inner", size: int = 2, **settings: Any) -> Any:
    """A Composition of two nodes."""
    return pnl.Composition(
        name=name, pathways=[[node(f"{name} A", size, **settings), node(f"{name} B", size, function=pnl.Linear(slope=2.0))]]
    )


NESTED = {
    "nested": Case(lambda: pnl.Composition(name="comp", nodes=[inner()])),
    "nested between": chain(lambda: node("A", 2), lambda: inner(), lambda: node("B", 2)),
    "nested first": chain(lambda: inner(), lambda: node("B", 2)),
    "nested last": chain(lambda: node("A", 2), lambda: inner()),
    "nested twice": chain(lambda: inner("one"), lambda: inner("two")),
    "nested side by side": Case(lambda: pnl.Composition(name="comp", nodes=[inner("one"), inner("two")])),
    "nested two deep": chain(
        lambda: node("A", 2), lambda: pnl.Composition(name="outer", pathways=[[inner(), node("C", 2)]]), lambda: node("B", 2)
    ),
    "nested three deep": Case(
        lambda: pnl.Composition(name="comp", nodes=[pnl.Composition(name="two", nodes=[pnl.Composition(name="one", nodes=[inner()])])])
    ),
    "nested integrators": chain(
        lambda: node("A", 2), lambda: pnl.Composition(name="inner", nodes=[integrating("I", 2)]), lambda: node("B", 2)
    ),
    "nested noise": Case(
        lambda: pnl.Composition(
            name="comp", nodes=[pnl.Composition(name="inner", nodes=[pnl.TransferMechanism(name="N", noise=pnl.NormalDist())])]
        )
    ),
    "nested with two inputs": chain(
        lambda: node("A", 2), lambda: pnl.Composition(name="inner", nodes=[node("I", 2), node("J", 2)]), lambda: node("B", 2)
    ),
    "nested with two outputs": Case(lambda: two_outputs()),
    "nested with a condition": Case(lambda: nested_condition(lambda a: pnl.EveryNCalls(a, 2))),
    "nested recurrent": Case(
        lambda: pnl.Composition(
            name="comp", nodes=[pnl.Composition(name="inner", nodes=[pnl.RecurrentTransferMechanism(name="R", input_shapes=2, auto=0.4)])]
        )
    ),
    "nested called every second pass": Case(lambda: nested_schedule()),
    "nested with memory and reset": Case(
        lambda: pnl.Composition(
            name="comp", nodes=[pnl.Composition(name="inner", nodes=[integrating("I", 2, reset_stateful_function_when=pnl.AtTrial(1))])]
        ),
    ),
    "nested that counts its trials": Case(lambda: nested_condition(lambda a: pnl.AtTrial(4, time_scale=pnl.TimeScale.RUN))),
    "nested that counts calls for life": Case(lambda: nested_condition(lambda a: pnl.AfterNCalls(a, 5, time_scale=pnl.TimeScale.LIFE))),
    "nested with NWhen": Case(lambda: nested_condition(lambda a: pnl.NWhen(pnl.AfterNCalls(a, 2), 4))),
    "nested that asks for the run": Case(lambda: nested_condition(lambda a: pnl.Not(pnl.AtRun(0)))),
    "nested with Threshold": Case(lambda: nested_condition(lambda a: pnl.Threshold(a, "value", 0.5, ">", indices=(0, 0)))),
    "nested sender inside": Case(lambda: from_inside()),
    "nested in a trial that ends by a value": Case(lambda: until_a_value()),
    "nested two deep with two inputs": Case(lambda: two_inputs_two_deep()),
}


def two_outputs() -> Any:
    """A nested Composition with two outputs, each to a node of its own."""
    i, j = node("I", 2), node("J", 3)
    held = pnl.Composition(name="inner", nodes=[i, j])
    b, c = node("B", 2), node("C", 3)
    return pnl.Composition(name="comp", nodes=[held, b, c], projections=[pnl.MappingProjection(i, b), pnl.MappingProjection(j, c)])


def nested_condition(condition: Callable[[Any], Any]) -> Any:
    """A nested Composition whose second node has a condition on the first; its trial ends after three passes."""
    held = inner()
    held.scheduler.add_condition(held.nodes["inner A"], pnl.Always())
    held.scheduler.add_condition(held.nodes["inner B"], condition(held.nodes["inner A"]))
    held.termination_processing = {pnl.TimeScale.TRIAL: pnl.AfterNPasses(3)}
    return pnl.Composition(name="comp", pathways=[[node("A", 2), held]])


def nested_schedule() -> Any:
    """A nested Composition that runs when the node before it has run twice."""
    a, held = node("A", 2, function=pnl.SimpleIntegrator(rate=0.5)), inner()
    composition = pnl.Composition(name="comp", pathways=[[a, held]])
    composition.scheduler.add_condition(held, pnl.EveryNCalls(a, 2))
    return composition


def from_inside() -> Any:
    """A node outside that hears one inside that is no output."""
    i, j = node("I", 2), node("J", 2)
    held = pnl.Composition(name="inner", pathways=[[i, j]])
    b = node("B", 2)
    return pnl.Composition(name="comp", nodes=[held, b], projections=[pnl.MappingProjection(i, b)])


def until_a_value() -> Any:
    """Conditions that look at a value, so that the model keeps the scheduler's counts, those of the nested Composition too."""
    a, held, b = node("A", 2), inner(), node("B", 2, function=pnl.SimpleIntegrator(rate=0.5))
    composition = pnl.Composition(name="comp", pathways=[[a, held, b]])
    composition.scheduler.add_condition(b, pnl.JustRan(held))
    high = pnl.Any(pnl.Threshold(b, "value", 2.0, ">=", indices=(0, 0)), pnl.AfterNCalls(held, 4))
    composition.termination_processing = {pnl.TimeScale.TRIAL: high}
    return composition


def two_inputs_two_deep() -> Any:
    """What projects to two inputs of a Composition within a nested one."""
    i, j, a, b = node("I", 2), node("J", 2, function=pnl.SimpleIntegrator(rate=0.5)), node("A", 2), node("B", 2)
    held = pnl.Composition(name="middle", nodes=[pnl.Composition(name="inner", nodes=[i, j])])
    projections = [pnl.MappingProjection(a, i), pnl.MappingProjection(b, j)]
    return pnl.Composition(name="comp", nodes=[a, b, held], projections=projections)


def squared(variable: Any) -> Any:
    """A function with a loop and a choice."""
    total = variable * 0.0
    for power in range(1, 4):
        total = total + variable**power / power
    return np.where(total > 0.0, total, 0.1 * total)


def scaled(variable: Any, gain: float = 2.0, shift: float = 0.0) -> Any:
    """A function with parameters."""
    return gain * variable + shift


FACTOR = 3.0

PYTHON = {
    "UDF": alone(lambda: node("A", 2, function=squared)),
    "UDF with parameters": alone(lambda: node("A", 2, function=pnl.UserDefinedFunction(custom_function=scaled, gain=3.0, shift=0.5))),
    "UDF with defaults": alone(lambda: node("A", 2, function=scaled)),
    "UDF of a global": alone(lambda: node("A", 2, function=lambda x: x * FACTOR)),
    "lambda": alone(lambda: node("A", 2, function=lambda x: x**2 + 1.0)),
    "lambda of two ports": alone(lambda: node("A", [2, 2], function=lambda x: x[0] * x[1])),
    "lambda that sums up": alone(lambda: node("A", 3, function=lambda x: np.sum(x))),
    "lambda in a TransferMechanism": alone(
        lambda: pnl.TransferMechanism(
            name="A", input_shapes=2, function=pnl.UserDefinedFunction(custom_function=lambda x: np.tanh(x) + 0.1)
        )
    ),
    "lambda in an integrating TransferMechanism": alone(
        lambda: integrating("A", 2, function=pnl.UserDefinedFunction(custom_function=lambda x: np.exp(-x)))
    ),
    "lambda and projections": chain(lambda: node("A", 2), lambda: node("B", 2, function=lambda x: x - 0.5), lambda: node("C", 1)),
    "UDF in an ObjectiveMechanism": alone(
        lambda: pnl.ObjectiveMechanism(name="A", default_variable=[[0.0, 0.0], [0.0, 0.0]], function=lambda x: np.max(x[0] - x[1]))
    ),
    "closure": alone(lambda: node("A", 2, function=closed_over(1.5))),
}


def closed_over(factor: float) -> Callable[[Any], Any]:
    """A function that keeps a number."""

    def times(variable: Any) -> Any:
        return variable * factor

    return times


GROUPS: dict[str, dict[str, Case]] = {
    "Projections": PROJECTIONS,
    "Ports": PORTS,
    "Graphs": SHAPES,
    "Cycles and feedback": CYCLES,
    "Nested Compositions": NESTED,
    "Python functions": PYTHON,
}
"""The cases by what they are about."""

CASES: dict[str, Case] = {name: case for group in GROUPS.values() for name, case in group.items()}
