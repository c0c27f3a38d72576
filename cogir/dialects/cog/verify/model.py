"""
What must hold between the parts of a model: names that lead somewhere, shapes that fit, schedules that can be kept.

Operations check by themselves what they can see; here a whole model is checked, with one look-up table for its names.
Every refusal says who speaks, what was found, and what to do, and names the operation to blame.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, cast

from xdsl.dialects import func
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    Float32Type,
    Float64Type,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    f64,
)
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import VerifyException

from cogir.dialects.cog.attributes import Const, Modulation, const_type, const_value, ranges_of
from cogir.dialects.cog.grid_search import GridSearchOp, SignalOp
from cogir.dialects.cog.interface import InputOp, InstanceOp, OutputOp, ShadowOp
from cogir.dialects.cog.learn import LearnOp
from cogir.dialects.cog.lookup import enclosing_module, is_model, with_names
from cogir.dialects.cog.node import NodeOp
from cogir.dialects.cog.ports import PlacedVerifyException, count, find_port, show, suggestion
from cogir.dialects.cog.project import ModulateOp, ProjectOp
from cogir.dialects.cog.schedule import ScheduleOp
from cogir.dialects.cog.syntax import const_text
from cogir.dialects.cog.verify.learn import verify_learning
from cogir.dialects.cog.verify.schedule import verify_schedule
from cogir.dialects.rng import StreamOp
from cogir.irutils import element_type_of
from cogir.ranges import Between

Symbols = Mapping[str, Operation]

PARTS = (NodeOp, InstanceOp, InputOp, OutputOp, ShadowOp, ProjectOp, ModulateOp, ScheduleOp, GridSearchOp, LearnOp)
"""What a model may hold."""


@contextmanager
def speaking(op: Operation, who: str) -> Generator[None, None, None]:
    """Refusals inside name `op` as their place and begin with `who`."""
    try:
        yield
    except PlacedVerifyException:
        raise
    except VerifyException as error:
        raise PlacedVerifyException(op, f"{who}: {error}") from error


def unique_symbols(ops: Iterable[Operation], where: str) -> dict[str, Operation]:
    """The named operations among `ops`; a refusal when two have one name."""
    symbols: dict[str, Operation] = {}
    for name, op in with_names(ops):
        if name in symbols:
            raise PlacedVerifyException(op, f"{where} has two parts called {show(name)}; rename one of them")
        symbols[name] = op
    return symbols


def module_symbols(op: Operation) -> dict[str, Operation]:
    """What the module around `op` holds by name; the first one counts."""
    module = enclosing_module(op)
    held: dict[str, Operation] = {}
    for name, each in () if module is None else with_names(module.body.block.ops):
        held.setdefault(name, each)
    return held


def verify_model(model: Operation, name: str, ops: Sequence[Operation]) -> None:
    """Checks a model whose parts have been checked one by one."""
    for op in ops:
        if not isinstance(op, PARTS):
            raise PlacedVerifyException(op, f"model {show(name)} holds {op.name}; computations belong into a cog.node")
    symbols = unique_symbols(ops, f"model {show(name)}")
    outside = module_symbols(model)
    for op in ops:
        match op:
            case NodeOp():
                verify_streams(op, outside)
            case InstanceOp():
                verify_instance(op, name, outside)
            case _:
                pass
    verify_interface([op for op in ops if isinstance(op, InputOp)], symbols, output=False)
    verify_interface([op for op in ops if isinstance(op, OutputOp)], symbols, output=True)
    for op in ops:
        match op:
            case ProjectOp():
                verify_projection(op, symbols)
            case ShadowOp():
                verify_shadow(op, ops, symbols)
            case GridSearchOp():
                verify_grid_search(op, model, symbols, outside)
            case LearnOp():
                verify_learning(op, ops, symbols, outside)
            case _:
                pass
    verify_modulations([op for op in ops if isinstance(op, ModulateOp)], symbols)
    verify_levels(model)
    at_most_one([op for op in ops if isinstance(op, ScheduleOp)], f"model {show(name)}", "schedule")
    at_most_one([op for op in ops if isinstance(op, GridSearchOp)], f"model {show(name)}", "controller")
    at_most_one([op for op in ops if isinstance(op, LearnOp)], f"model {show(name)}", "cog.learn")
    for op in ops:
        if isinstance(op, ScheduleOp):
            verify_schedule(op, symbols)


def at_most_one(ops: Sequence[Operation], who: str, what: str) -> None:
    """A refusal at the second of several."""
    if len(ops) > 1:
        raise PlacedVerifyException(ops[1], f"{who} has {len(ops)} {what}s; keep one")


def verify_streams(node: NodeOp, outside: Symbols) -> None:
    """The generators of a node start from streams of their kind."""
    for name, type, stream in node.random:
        found = outside.get(stream.root_reference.data)
        who = f'node {show(node.sym_name)}: generator "{name}" starts from {show(stream)}'
        if not isinstance(found, StreamOp):
            known = [each for each, op in outside.items() if isinstance(op, StreamOp)]
            hint = suggestion(stream.root_reference.data, known, show) if known else ""
            raise PlacedVerifyException(node, f"{who}, which is not an rng.stream of the module{hint or '; add one at its end'}")
        if found.kind != type.kind:
            raise PlacedVerifyException(node, f"{who}, a {found.kind.data}, but has type {type}; make them the same kind")


def verify_instance(op: InstanceOp, name: str, outside: Symbols) -> None:
    """An instance is of a model of the module, and no model contains itself."""
    who = f"instance {show(op.sym_name)}"
    found = outside.get(op.model.root_reference.data)
    if found is None or not is_model(found):
        known = [each for each, held in outside.items() if is_model(held)]
        hint = suggestion(op.model.root_reference.data, known, show)
        raise PlacedVerifyException(op, f"{who}: there is no model {show(op.model)}{hint}")
    path = path_to(found, name, outside, [op.model.root_reference.data])
    if path is not None:
        raise PlacedVerifyException(
            op, f"{who}: model {show(name)} would contain itself ({' > '.join(map(show, [name, *path]))}); break the circle"
        )


def path_to(model: Operation, goal: str, outside: Symbols, path: list[str]) -> list[str] | None:
    """The names of models from `model` inwards to `goal`, or None when `goal` is not inside."""
    if path[-1] == goal:
        return path
    for op in model.regions[0].block.ops:
        if isinstance(op, InstanceOp) and (inner := op.model.root_reference.data) not in path:
            found = outside.get(inner)
            if found is not None and is_model(found) and (way := path_to(found, goal, outside, [*path, inner])):
                return way
    return None


def verify_interface(ops: Sequence[InputOp | OutputOp], symbols: Symbols, *, output: bool) -> None:
    """Inputs and outputs of a model name ports, each once."""
    what = "output" if output else "input"
    seen: set[tuple[str, str]] = set()
    for op in ops:
        with speaking(op, f"{what} {show(op.node, op.port)}"):
            port, _ = find(op.node, op.port, symbols, output=output)
            if (op.node.root_reference.data, port) in seen:
                raise VerifyException(f"the port is an {what} of the model already; remove one of the two")
            seen.add((op.node.root_reference.data, port))


def find(node: SymbolRefAttr, port: StringAttr | None, symbols: Symbols, *, output: bool) -> tuple[str, Attribute]:
    """As `find_port`, in the table of a model."""
    return find_port(symbols.get(node.root_reference.data), node, port, output=output, known=symbols)


def verify_projection(op: ProjectOp, symbols: Symbols) -> None:
    """The sender's value, through the matrix or the function, fits the receiver."""
    with speaking(op, f"projection {show(op.source, op.source_port)} -> {show(op.target, op.target_port)}"):
        source_port, source = find(op.source, op.source_port, symbols, output=True)
        target_port, target = find(op.target, op.target_port, symbols, output=False)
        sender, receiver = show(op.source, source_port), show(op.target, target_port)
        if op.recurrent is not None and op.source != op.target:
            raise VerifyException("only a projection from a node to itself can be recurrent; remove the word")
        if op.body is not None:
            verify_function(op, sender, source, receiver, target)
        elif op.matrix is not None:
            verify_matrix(op.matrix, sender, source, receiver, target)
        elif source != target:
            raise VerifyException(f"{sender} is {source}, but {receiver} is {target}; give a matrix{wanted_matrix(source, target)}")


def verify_shadow(op: ShadowOp, ops: Sequence[Operation], symbols: Symbols) -> None:
    """What is shadowed is an input of the model, of the type of the port that shadows it."""
    with speaking(op, f"shadow {show(op.source, op.source_port)} -> {show(op.target, op.target_port)}"):
        source_port, source = find(op.source, op.source_port, symbols, output=False)
        target_port, target = find(op.target, op.target_port, symbols, output=False)
        shadowed, shadowing = show(op.source, source_port), show(op.target, target_port)
        inputs = [each for each in ops if isinstance(each, InputOp)]
        taken = {(each.node, find(each.node, each.port, symbols, output=False)[0]) for each in inputs}
        if (op.source, source_port) not in taken:
            raise VerifyException(f"{shadowed} is no input of the model; name a port that has a cog.input")
        if source != target:
            raise VerifyException(f"{shadowed} is {source}, but {shadowing} is {target}; make them the same")


def wanted_matrix(source: Attribute, target: Attribute) -> str:
    """` of 2x3` when vectors of these types need one."""
    rows, columns = vector_size(source), vector_size(target)
    return "" if rows is None or columns is None else f" of {rows}x{columns}"


def vector_size(type: Attribute) -> int | None:
    """The number of elements of a vector type, where a single number counts as one; None for everything else."""
    if not isinstance(type, TensorType):
        return 1
    shape = cast("TensorType[Attribute]", type).get_shape()
    return shape[0] if len(shape) == 1 else None


def verify_matrix(matrix: DenseIntOrFPElementsAttr[Any], sender: str, source: Attribute, receiver: str, target: Attribute) -> None:
    """sender (m) @ matrix (m x n) = receiver (n)"""
    rows, columns = vector_size(source), vector_size(target)
    if rows is None or columns is None:
        wrong, type = (sender, source) if rows is None else (receiver, target)
        raise VerifyException(f"a matrix goes from vector to vector, but {wrong} is {type}; give a function instead")
    shape = tuple(matrix.get_shape())
    found = "x".join(map(str, shape))
    if len(shape) != 2:
        raise VerifyException(f"the matrix has type {matrix.type}; give a {rows}x{columns} matrix")
    if shape[0] != rows:
        raise VerifyException(f"matrix is {found}, but {sender} has {count(rows, 'element')}; give a {rows}x{columns} matrix")
    if shape[1] != columns:
        raise VerifyException(f"matrix is {found}, but {receiver} has {count(columns, 'element')}; give a {rows}x{columns} matrix")
    if len({element_type_of(type) for type in (source, target, matrix.type)}) > 1:
        raise VerifyException(f"the matrix is {matrix.type}, {sender} is {source} and {receiver} is {target}; use one element type")


def verify_function(op: ProjectOp, sender: str, source: Attribute, receiver: str, target: Attribute) -> None:
    """The function of the long form takes the sender and gives the receiver."""
    if op.sender_arg.type != source:
        raise VerifyException(f"its function takes {op.sender_arg.type}, but {sender} is {source}; make them the same")
    (given,) = op.yield_op.outputs
    if given.type != target:
        raise VerifyException(f"its function yields {given.type}, but {receiver} is {target}; make them the same")


def verify_modulations(ops: Sequence[ModulateOp], symbols: Symbols) -> None:
    """Modulations go from a number to a parameter; nothing is overridden twice."""
    overridden: set[tuple[str, str]] = set()
    for op in ops:
        with speaking(op, f"modulation {show(op.source, op.source_port)} -> {show(op.target, op.param)}"):
            port, type = find(op.source, op.source_port, symbols, output=True)
            if not is_number(type):
                raise VerifyException(
                    f"{show(op.source, port)} is {type}, but a parameter is modulated by one number (f64 or "
                    "tensor<1xf64>); name such a port"
                )
            param, value, _ = find_param(op.target, op.param.data, symbols)
            if not isinstance(element_type_of(const_type(value)), Float64Type | Float32Type):
                raise VerifyException(f"the parameter is {const_type(value)}; only floating-point ones can be modulated")
            if op.mode.data == Modulation.OVERRIDE:
                key = (op.target.root_reference.data, param)
                if key in overridden:
                    raise VerifyException("the parameter is overridden already; keep one override")
                overridden.add(key)


def is_number(type: Attribute) -> bool:
    """Whether a port of this type holds one floating-point number."""
    return type in (f64, TensorType(f64, [1]))


class ModulatedParam(NamedTuple):
    """The full name, the default and the range of a parameter."""

    name: str
    default: Const
    allowed: Between | None


def find_param(target: SymbolRefAttr, param: str, symbols: Symbols) -> ModulatedParam:
    """The parameter of a node, a named projection or ("node/param") an instance."""
    name = target.root_reference.data
    owner = symbols.get(name)
    if owner is None:
        raise VerifyException(f"{show(target)} is not part of the model{suggestion(name, symbols, show)}")
    if isinstance(owner, InstanceOp):
        inner, slash, rest = param.partition("/")
        if not slash:
            raise VerifyException(f"a parameter of an instance is named by node and parameter; write {show(target, f'node/{param}')}")
        model = owner.resolved
        # An instance of a model that is not there is refused elsewhere.
        inside = {} if model is None else unique_symbols(model.regions[0].block.ops, f"model {show(owner.model)}")
        found = find_param(SymbolRefAttr(inner), rest, inside)
        return found._replace(name=f"{inner}/{found.name}")
    if not isinstance(owner, NodeOp | ProjectOp):
        raise VerifyException(f"{show(target)} is a {owner.name}, which has no parameters; name a node or a projection")
    params = dict(owner.params)
    if param not in params:
        raise VerifyException(f'{show(target)} has no parameter "{param}"{suggestion(param, params)}')
    return ModulatedParam(param, params[param], ranges_of(owner.param_ranges).get(param))


class BoundSignal(NamedTuple):
    """A signal of a controller, the modulation by which it acts on a parameter with a range, and the ranges of both."""

    controller: GridSearchOp
    signal: SignalOp
    op: ModulateOp
    param: Between
    levels: Between


def bound_signals(model: Operation) -> Iterator[BoundSignal]:
    """The signals of a model's controllers that act on a parameter with a range."""
    ops = list(model.regions[0].block.ops)
    symbols = unique_symbols(ops, "model")
    for op in ops:
        if not isinstance(op, ModulateOp) or not isinstance(controller := symbols.get(op.source.root_reference.data), GridSearchOp):
            continue
        if (param := find_param(op.target, op.param.data, symbols).allowed) is None:
            continue
        port = op.resolve_source_port(symbols)
        for signal in controller.signals:
            if signal.sym_name.data == port:
                yield BoundSignal(controller, signal, op, param, param.modulators(op.mode.data))


def verify_levels(model: Operation) -> None:
    """The levels of signals, and what they hold before the first search, fit the ranges of the parameters on which they act."""
    for _, signal, op, param, levels in bound_signals(model):
        held: list[tuple[str, Const, str]] = [
            ("its levels are", signal.levels, "levels that are"),
            ("it begins with", signal.initial, "a number that is"),
        ]
        for what, value, remedy in held:
            if not levels.holds(const_value(value)):
                raise PlacedVerifyException(
                    signal,
                    f"signal {show(signal.sym_name)}: {what} {const_text(value)}, but it acts on {show(op.target, op.param)} "
                    f"({op.mode.data.value}), which must be {param}; give {remedy} {levels}",
                )


def verify_grid_search(op: GridSearchOp, model: Operation, symbols: Symbols, outside: Symbols) -> None:
    """A controller finds what it simulates, monitors and pays for."""
    with speaking(op, f"controller {show(op.sym_name)}"):
        simulated: Operation | None = model
        inside = symbols
        if op.model is not None:
            simulated = outside.get(op.model.root_reference.data)
            if simulated is None or not is_model(simulated):
                known = [name for name, held in outside.items() if is_model(held)]
                hint = suggestion(op.model.root_reference.data, known, show)
                raise VerifyException(f"there is no model {show(op.model)} to simulate{hint}")
            inside = unique_symbols(simulated.regions[0].block.ops, f"model {show(op.model)}")
        port, type = find(op.objective, op.objective_port, inside, output=True)
        if not is_number(type):
            raise VerifyException(f"the objective {show(op.objective, port)} is {type}; it must be one number (f64 or tensor<1xf64>)")
        if op.tie_stream is not None and not isinstance(outside.get(op.tie_stream.root_reference.data), StreamOp):
            raise VerifyException(f"ties are broken by {show(op.tie_stream)}, which is not an rng.stream of the module")
    for signal in op.signals:
        for kind, function in signal.costs.items():
            found = outside.get(function.root_reference.data)
            who = f"signal {show(signal.sym_name)}: the {kind} cost {show(function)}"
            if not isinstance(found, func.FuncOp):
                known = [name for name, held in outside.items() if isinstance(held, func.FuncOp)]
                hint = suggestion(function.root_reference.data, known, show)
                raise PlacedVerifyException(signal, f"{who} is not a function of the module{hint}")
            takes, gives = ((f64,) * 3, (f64,) * 2) if kind == "total" else ((f64,), (f64,))
            if found.function_type.inputs.data != takes or found.function_type.outputs.data != gives:
                wanted = "a total cost is (f64, f64, f64) -> (f64, f64)" if kind == "total" else "a cost is (f64) -> f64"
                raise PlacedVerifyException(signal, f"{who} is {found.function_type}; {wanted}")
    inputs = [each for each in simulated.regions[0].block.ops if isinstance(each, InputOp)]
    for index, feature in op.features.items():
        with speaking(feature, f"feature {index}"):
            if not 0 <= index < len(inputs):
                raise VerifyException(f"the simulated model has {count(len(inputs), 'input')}")
            _, wanted = find(inputs[index].node, inputs[index].port, inside, output=False)
            if feature.value is not None:
                what, given = "the constant", const_type(feature.value)
            elif feature.trial_input is not None:
                own = [each for each in model.regions[0].block.ops if isinstance(each, InputOp)]
                number = feature.trial_input.value.data
                if not 0 <= number < len(own):
                    raise VerifyException(f"there is no input {number}: a trial has {count(len(own), 'input')}")
                what, (_, given) = f"input {number}", find(own[number].node, own[number].port, symbols, output=False)
            else:
                assert feature.node is not None
                port, given = find(feature.node, feature.port, symbols, output=True)
                what = show(feature.node, port)
            if given != wanted:
                raise VerifyException(f"{what} is {given}, but the input is {wanted}")
