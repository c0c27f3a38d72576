"""
From a resolved model to its diagram.

Before: a `cog` module (`model/graph.py`), from the builder, from text, or from a PsyNeuLink Composition.
After:  boxes for nodes, controllers and projections with functions, groups for instances, edges between boxes on all levels.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast

import numpy as np
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Attribute, Operation

from cogir import library
from cogir.dialects.cog import GridSearchOp, LearnOp, NodeOp, ProjectOp
from cogir.dialects.cog.attributes import Const, Modulation, When, const_value
from cogir.errors import FunctionError
from cogir.library.signature import REQUIRED, signature_of
from cogir.model.conditions import Condition, default_condition
from cogir.model.graph import (
    Executable,
    External,
    ModelGraph,
    Modulator,
    Modulators,
    Port,
    Projection,
    main_model,
    resolve,
    simulated_model,
)
from cogir.model.read_schedule import schedule_of
from cogir.model.schedule import Schedule
from cogir.pictures.conditions import in_words, short
from cogir.pictures.diagram import Diagram, DiagramBox, Edge, EdgeKind, Group, TextLine
from cogir.pictures.values import is_identity, number_text, shape_text, value_text

MOST_PARAMETERS = 4
"""So many parameters of a box are written; the others are counted."""
UNLIMITED = 2**31
"""A greater number of executions is no limit that anybody meets."""
COUNTED = ("node", "instance", "projection", "modulation", "controller", "generator")
"""The things that the line of facts counts, in this order."""
SIGNS = {Modulation.MULTIPLY: "\N{MULTIPLICATION SIGN}", Modulation.ADD: "+", Modulation.OVERRIDE: "="}
SUFFIXES = re.compile(r"_(integrator_|termination_)?function$")
"""The ending that the importer adds to a parameter's name where a mechanism has several functions."""

Defaults = Mapping[str, Mapping[str, Any]]
"""path of a node or projection -> the values that parameters have when none are given"""


def diagram_of(module: ModuleOp, defaults: Defaults) -> Diagram:
    """The diagram of the model of a module. `defaults`: parameters with these values are left out."""
    return DiagramReader(module, defaults).diagram(resolve(main_model(module, None)))


@dataclass
class DiagramReader:
    """Reads a model and those inside it."""

    module: ModuleOp
    defaults: Defaults
    edges: list[Edge] = field(default_factory=list[Edge])
    counts: dict[str, int] = field(default_factory=dict[str, int])
    roles: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    captions: list[str] = field(default_factory=list[str])

    def __post_init__(self) -> None:
        self.functions = {op.sym_name.data: op for op in self.module.body.block.ops if isinstance(op, func.FuncOp)}

    def diagram(self, graph: ModelGraph) -> Diagram:
        for executable in graph:
            for port in executable.inputs:
                if any(isinstance(sender, External) for sender in port.senders):
                    self._role(_inner_path(executable, port.name), "input")
        for port in graph.outputs:
            self._role(self._end("", graph, port), "output")
        members = self._members(graph, "")
        facts = ", ".join(_counted(self.counts[what], what) for what in COUNTED if self.counts.get(what))
        facts += f"; {_counted(len(graph.layers), 'layer')}" if graph.layers else ""
        diagram = Diagram(graph.name, members, tuple(self.edges), facts, tuple(self.captions))
        return replace(diagram, edges=tuple(_joined(diagram)))

    def _role(self, path: str, role: str) -> None:
        roles = self.roles.setdefault(path, [])
        if role not in roles:
            roles.append(role)

    def _count(self, what: str, number: int = 1) -> None:
        self.counts[what] = self.counts.get(what, 0) + number

    def _members(self, graph: ModelGraph, prefix: str) -> tuple[DiagramBox | Group, ...]:
        """The boxes and groups of a model, whose edges are added to those of the diagram."""
        schedule = schedule_of(graph)
        rank = {name: float(number) for number, layer in enumerate(graph.layers) for name in layer}
        rank |= {name: -1.0 if when == When.BEFORE else float(len(graph.layers)) for name, when in graph.asides.items()}
        members: list[DiagramBox | Group] = []
        for executable in graph:
            self._count("instance" if executable.inner is not None else "node")
            conditions = tuple(_condition_lines(graph, schedule, executable.name))
            members.append(self._executable(executable, prefix, rank.get(executable.name, 0.0), conditions))
        learned = _learned(graph)
        for projection in graph.projections:
            self._count("projection")
            box = self._projection(graph, prefix, projection, projection.op in learned, rank)
            if box is not None:
                members.append(box)
        self._modulations(graph, prefix)
        for controller in graph.model.controllers:
            self._count("controller")
            last = float(len(graph.layers) + 1)
            members.append(self._controller(graph, prefix, controller, -2.0 if controller.when.data == When.BEFORE else last, schedule))
        self._captions(graph, schedule, prefix)
        return tuple(members)

    def _executable(self, executable: Executable, prefix: str, rank: float, conditions: tuple[TextLine, ...]) -> DiagramBox | Group:
        path = prefix + executable.name
        if executable.inner is not None:
            note = f"{path}: an instance of the model {executable.inner.name}"
            said = [f"runs {line.text}" for line in conditions]
            inside = self._members(executable.inner, f"{path}/")
            model = [TextLine(f"model {executable.inner.name}")] if executable.inner.name != executable.name else []
            return Group(path, executable.name, inside, (*model, *conditions), "\n".join([note, *said]), rank)
        op = cast(NodeOp, executable.op)
        self._count("generator", len(op.random))
        function, inside = self._function(op)
        lines = [TextLine(_call_text(function, inside), "function")] if function else []
        lines += self._parameters(path, op.params, (function, *inside), executable.modulations)
        if op.execute_until_finished is not None:
            lines.append(TextLine("until finished" + (f" (at most {op.max_executions})" if op.max_executions < UNLIMITED else "")))
        lines += conditions
        return DiagramBox(
            path, executable.name, "node", tuple(lines), tuple(self.roles.get(path, ())), _node_note(path, op, function, lines), rank
        )

    def _projection(
        self, graph: ModelGraph, prefix: str, projection: Projection, is_learned: bool, rank: Mapping[str, float]
    ) -> DiagramBox | None:
        """Adds the edges of a projection; gives its box, if it has a function."""
        op = projection.op
        source, target = self._end(prefix, graph, projection.source), self._end(prefix, graph, projection.target)
        kind: EdgeKind = "learned" if is_learned else "projection"
        ends = f"{source} \N{RIGHTWARDS ARROW} {target}"
        ports = f"from port {projection.source.name} to port {projection.target.name}"
        marks = [text for text, flag in (("recurrent", op.recurrent), ("feedback", op.feedback)) if flag is not None]
        label = _port_label(graph, projection.source)
        if op.body is None:
            matrix = None if op.matrix is None else np.asarray(const_value(op.matrix))
            weight = _matrix_label(matrix)
            what = "" if matrix is None else f"matrix {_matrix_note(matrix)}"
            note = "\n".join([ends, ports, *filter(None, [what]), *(["learned"] if is_learned else []), *marks])
            self.edges.append(Edge(source, target, kind, " \N{MIDDLE DOT} ".join(filter(None, [label, weight])), note))
            return None
        path = prefix + projection.name
        function, inside = self._function(op)
        lines = self._parameters(path, op.params, (function, *inside), projection.modulations)
        title = _call_text(function, inside) or "function"
        note = "\n".join([ends, ports, *marks, *(f"{name} = {value_text(const_value(value))}" for name, value in op.params)])
        self.edges.append(Edge(source, path, kind, label, note))
        self.edges.append(Edge(path, target, kind, "", note))
        places = [rank.get(projection.source.node, 0.0), rank.get(projection.target.node, 0.0)]
        middle = sum(places) / 2 if places[0] != places[1] else places[0] + 0.5
        return DiagramBox(path, title, "projection", tuple(lines), (), note, middle)

    def _modulations(self, graph: ModelGraph, prefix: str) -> None:
        controllers = {op.sym_name.data for op in graph.model.controllers}

        def add(modulations: Modulators, target: str) -> None:
            for param, modulators in modulations.items():
                for modulator in modulators:
                    self._modulation(graph, prefix, modulator, f"{target}/{param}", modulator.source.node in controllers)

        for executable in graph:
            for param, modulators in executable.modulations.items():
                inner, name = _param_path(executable, param)
                add({name: modulators}, prefix + inner)
        for projection in graph.projections:
            add(projection.modulations, prefix + projection.name)

    def _modulation(self, graph: ModelGraph, prefix: str, modulator: Modulator, parameter: str, is_control: bool) -> None:
        source = self._end(prefix, graph, modulator.source)
        target, _, name = parameter.rpartition("/")
        verb = {Modulation.MULTIPLY: "multiplies", Modulation.ADD: "is added to", Modulation.OVERRIDE: "replaces"}[modulator.mode]
        note = f"{source}: {modulator.source.name} {verb} {parameter}"
        self._count("modulation", not is_control)
        self.edges.append(Edge(source, target, "control" if is_control else "modulation", f"{SIGNS[modulator.mode]} {name}", note))

    def _controller(self, graph: ModelGraph, prefix: str, op: GridSearchOp, rank: float, schedule: Schedule) -> DiagramBox:
        """The box of a controller, and an edge from its objective."""
        name = op.sym_name.data
        path = prefix + name
        levels = [len(signal.level_values) for signal in op.signals]
        simulated = simulated_model(op)
        other = simulated if simulated is not graph.model else None
        port = op.objective.string_value() + ("" if op.objective_port is None else f'["{op.objective_port.data}"]')
        verb = f"{op.direction.data.value}s"
        lines = [TextLine(f"{verb} {op.objective.string_value()}", "function")]
        if other is not None:
            lines.append(TextLine(f"simulates the model {other.sym_name.data}"))
        shown = " \N{MULTIPLICATION SIGN} ".join(map(str, levels)) if len(levels) < 6 else f"{len(levels)} signals"
        points = int(np.prod(np.asarray(levels, dtype=object)))
        lines.append(TextLine(f"{shown}{f' = {points}' if len(levels) > 1 else ''} points"))
        estimates = op.estimates.value.data if op.estimated is None else op.estimated.count
        if estimates != 1:
            lines.append(TextLine(f"{estimates} estimates of each"))
        lines.append(TextLine(f"{op.when.data.value} each trial"))
        if name in schedule.asides:
            lines.append(TextLine(short(schedule.asides[name]), "condition"))
        signals = [f"{s.sym_name.data}: {len(s.level_values)} levels, {_span(s.level_values)}{_costs(s.costs)}" for s in op.signals]
        note = "\n".join([f"{path}: a controller that {verb} {port}", *(line.text for line in lines[1:]), *signals])
        if other is None:
            objective = _inner_name(graph, op.objective.string_value(), op.objective_port.data if op.objective_port is not None else None)
            self.edges.append(Edge(prefix + objective, path, "objective", "", f"the objective of {path}: {port}"))
        return DiagramBox(path, name, "controller", tuple(lines), ("controller",), note, rank)

    def _captions(self, graph: ModelGraph, schedule: Schedule, prefix: str) -> None:
        """Sentences on when trials and runs of the model end, and on how it learns."""
        given = graph.model.schedule
        who = f"{prefix[:-1]}: " if prefix else ""
        trial = f"a trial ends when {in_words(schedule.trial_ends)}"
        has_end = given is not None and given.terminate("trial") is not None
        if has_end or not prefix:
            self.captions.append(f"{who}{trial}")
        if given is not None and given.terminate("run") is not None:
            self.captions.append(f"{who}a run ends when {in_words(schedule.run_ends)}")
        if (learn := graph.model.learning) is not None:
            self.captions.append(f"{who}{_learning(learn)}")

    def _end(self, prefix: str, graph: ModelGraph, port: Port) -> str:
        """The path of the box of a port: below an instance that of the node inside."""
        executable = graph.executables.get(port.node)
        return prefix + (port.node if executable is None else _inner_path(executable, port.name))

    def _function(self, op: NodeOp | ProjectOp) -> tuple[str, tuple[str, ...]]:
        """The name of the function that a node or projection calls, and those of the library that it calls; empty if it calls none."""
        calls = list(_calls(op))
        if not calls:
            return "", ()
        name = self._plain(calls[-1])
        called = self.functions.get(calls[-1])
        if called is None or _is_in_library(name):
            return name, ()
        inside = dict.fromkeys(self._plain(call) for call in _calls(called))
        return name, tuple(call for call in inside if not call.startswith("_") and call not in (name, "lambda"))

    def _plain(self, symbol: str) -> str:
        """The name of a function without the number that tells it from others of its name."""
        base = re.sub(r"_\d+$", "", symbol)
        if base == "_lambda_":
            return "lambda"
        return base if base in self.functions or _is_in_library(base) else symbol

    def _parameters(
        self, path: str, params: tuple[tuple[str, Const], ...], functions: tuple[str, ...], modulated: Modulators
    ) -> list[TextLine]:
        """The parameters whose values are not those that they have when none are given."""
        known = {**_library_defaults(functions), **self.defaults.get(path, {})}
        differing: list[str] = []
        for name, constant in params:
            value = const_value(constant)
            default = known.get(name, known.get(SUFFIXES.sub("", name), REQUIRED))
            if default is REQUIRED or not _same(value, default) or name in modulated:
                differing.append(f"{name} = {value_text(value)}")
        shown = differing if len(differing) <= MOST_PARAMETERS else differing[: MOST_PARAMETERS - 1]
        more = len(differing) - len(shown)
        return [TextLine(text) for text in shown] + ([TextLine(f"and {more} more parameters")] if more else [])


def _joined(diagram: Diagram) -> Iterator[Edge]:
    """The edges, with one for two that go between the same boxes in both directions and are alike, from the box that executes earlier."""
    edges, order = diagram.edges, diagram.order
    halves = {box.path for box in diagram.boxes if box.kind == "projection"}  # whose edges are parts of one
    numbers: dict[tuple[str, str, str, str], list[int]] = {}
    for number, edge in enumerate(edges):
        numbers.setdefault((edge.source, edge.target, edge.kind, edge.label), []).append(number)
    left_out: set[int] = set()
    for number, edge in enumerate(edges):
        if number in left_out:
            continue
        back = (
            numbers.get((edge.target, edge.source, edge.kind, edge.label), ())
            if edge.source != edge.target and not {edge.source, edge.target} & halves
            else ()
        )
        other = next((each for each in back if each not in left_out), None)
        if other is None:
            yield edge
        else:
            left_out |= {number, other}
            first, second = (edge, edges[other]) if order[edge.source] <= order[edge.target] else (edges[other], edge)
            yield replace(first, note=f"{first.note}\n{second.note}", mutual=True)


def _condition_lines(graph: ModelGraph, schedule: Schedule, name: str) -> Iterator[TextLine]:
    """The conditions on which a node runs, if some were given, and on which it is reset."""
    condition: Condition | None = schedule.when.get(name, schedule.asides.get(name))
    default = default_condition(graph.dependencies[name]) if name in graph.dependencies else None
    if name in graph.asides:
        yield TextLine(f"{graph.asides[name].value} each trial", "condition")
    if condition is not None and condition != default:
        yield TextLine(short(condition), "condition")
    if name in schedule.resets:
        states = graph.reset_states(name)
        what = "reset" if states is None else f"{', '.join(states)} reset"
        yield TextLine(f"{what} {short(schedule.resets[name])}", "condition")


def _calls(op: Operation) -> Iterator[str]:
    for inner in op.walk():
        if isinstance(inner, func.CallOp):
            yield inner.callee.string_value()


def _call_text(function: str, inside: tuple[str, ...]) -> str:
    return f"{function} ({', '.join(inside)})" if inside else function


def _library_function(name: str) -> Any:
    """The function of the library, or of PsyNeuLink's part of it, that has a name; None if there is none."""
    if name.startswith("_"):
        return None
    found = vars(library).get(name) or vars(library.psyneulink).get(name)
    return found if callable(found) else None


def _is_in_library(name: str) -> bool:
    return _library_function(name) is not None


def _library_defaults(functions: tuple[str, ...]) -> dict[str, Any]:
    """The defaults of the parameters of those functions that are the library's, the first ones first."""
    found: dict[str, Any] = {}
    for name in reversed(functions):
        if name and _is_in_library(name):
            try:
                found |= signature_of(_library_function(name)).params
            except FunctionError:
                continue
    return found


def _same(value: Any, default: Any) -> bool:
    """True if a value is the default, or an array filled with it."""
    try:
        return bool(np.all(np.asarray(value) == np.asarray(default, dtype=np.asarray(value).dtype)))
    except (TypeError, ValueError):
        return False


def _inner_path(executable: Executable, port: str) -> str:
    """The path of the node to which a port belongs: `instance/node` for an instance."""
    if executable.inner is None:
        return executable.name
    node, _, rest = port.partition("/")
    inner = executable.inner.executables.get(node)
    return f"{executable.name}/{node if inner is None else _inner_path(inner, rest)}"


def _param_path(executable: Executable, param: str) -> tuple[str, str]:
    """The path of the owner of a parameter, and the parameter's name: of an instance, `instance/node` and the name."""
    if executable.inner is None:
        return executable.name, param
    owner, _, name = param.rpartition("/")
    return f"{executable.name}/{owner}", name


def _inner_name(graph: ModelGraph, node: str, port: str | None) -> str:
    """The path of the node of an output port of the model."""
    executable = graph.executables.get(node)
    if executable is None or executable.inner is None:
        return node
    names = [each.name for each in executable.outputs]
    matching = [name for name in names if port is None or name == port or name.startswith(f"{port}/")]
    return _inner_path(executable, matching[0]) if matching else node


def _port_label(graph: ModelGraph, port: Port) -> str:
    """The name of a sender's port, where it has several."""
    executable = graph.executables.get(port.node)
    if executable is None or executable.inner is not None or len(executable.outputs) < 2:
        return ""
    return port.name


def _matrix_label(matrix: np.ndarray[Any, Any] | None) -> str:
    """The shape of a matrix, or its number if it holds only one; nothing for the identity."""
    if matrix is None or is_identity(matrix):
        return ""
    return number_text(matrix.flat[0].item()) if matrix.size == 1 else shape_text(matrix.shape)


def _matrix_note(matrix: np.ndarray[Any, Any]) -> str:
    """A matrix in a tooltip: all of it if it is small."""
    if is_identity(matrix):
        return f"{shape_text(matrix.shape)} identity"
    rows = [f"[{', '.join(map(number_text, row))}]" for row in matrix.tolist()] if matrix.ndim == 2 and matrix.size <= 16 else []
    return f"{shape_text(matrix.shape)}: {', '.join(rows)}" if rows else value_text(matrix)


def _node_note(path: str, op: NodeOp, function: str, lines: list[TextLine]) -> str:
    """All that is known of a node, line by line."""
    ports = [f"input {name}: {_type_text(type)}" for name, type in op.inputs]
    ports += [f"output {name}: {_type_text(type)}" for name, type in op.output_ports]
    values = [f"{name} = {value_text(const_value(value))}" for name, value in op.params]
    values += [f"state {name} starts at {value_text(const_value(value))}" for name, value in op.states]
    values += [f"generator {name}: {type.kind.data}" for name, type, _ in op.random]
    heads = [f"{path}: {function}" if function else f"{path}: passes its input on" if len(list(op.body.block.ops)) == 1 else path]
    return "\n".join([*heads, *ports, *values, *(line.text for line in lines if line.kind == "condition")])


def _type_text(type: Attribute) -> str:
    if isinstance(type, TensorType):
        tensor = cast("TensorType[Attribute]", type)
        shape, element = tensor.get_shape(), tensor.get_element_type()
        return f"{element} of shape {shape_text(shape)}" if shape else str(element)
    return str(type)


def _learned(graph: ModelGraph) -> set[ProjectOp]:
    """The projections whose matrices are learned."""
    learn = graph.model.learning
    if learn is None:
        return set()
    symbols = graph.model.symbols
    ends = {op.ends(symbols) for op in learn.learned}
    pairs = ((p.op, ((p.source.node, p.source.name), (p.target.node, p.target.name))) for p in graph.projections)
    return {op for op, pair in pairs if pair in ends}


def _learning(learn: LearnOp) -> str:
    losses = [f"{op.function.string_value()}({op.sample.string_value()}, {op.target.string_value()})" for op in learn.losses]
    values = ", ".join(f"{name} = {value_text(const_value(value))}" for name, value in learn.params)
    optimizer = f"{learn.optimizer.string_value()}{f' ({values})' if values else ''}"
    return f"learns {_counted(len(list(learn.learned)), 'projection')} by {optimizer} from the {learn.over.data} of {' + '.join(losses)}"


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


def _span(levels: tuple[float, ...]) -> str:
    return number_text(levels[0]) if len(levels) == 1 else f"{number_text(levels[0])} to {number_text(levels[-1])}"


def _costs(costs: Mapping[str, Any]) -> str:
    return f", {' and '.join(costs)} cost" if costs else ""


def without_details(diagram: Diagram) -> Diagram:
    """The diagram with names alone: boxes without lines, edges without the labels of projections."""

    def plain(members: tuple[DiagramBox | Group, ...]) -> tuple[DiagramBox | Group, ...]:
        return tuple(
            replace(member, lines=()) if isinstance(member, DiagramBox) else replace(member, lines=(), members=plain(member.members))
            for member in members
        )

    return without_weights(replace(diagram, members=plain(diagram.members)))


def without_weights(diagram: Diagram) -> Diagram:
    """The diagram without the labels of projections."""
    edges = (replace(edge, label="") if edge.kind in ("projection", "learned") else edge for edge in diagram.edges)
    return replace(diagram, edges=tuple(edges))
