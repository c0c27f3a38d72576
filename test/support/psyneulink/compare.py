"""
A Composition run by PsyNeuLink itself and by cogir, and everything that the two leave behind, compared by name.

`compared(build, inputs)` builds the Composition twice, each time as in a new process. In both it is run three times in one execution
context, then three times in another, and in a third: the first time by PsyNeuLink alone; the second time by cogir, then by PsyNeuLink,
cogir, PsyNeuLink in turn, then by cogir without a look at what it leaves until the last run is over. After each run the second must hold
what the first does; what differs comes back as a list of lines. (Later contexts count: in PsyNeuLink they do not start as the first one
did, but go on from counts of executions that the first one has left.)

    assert not compared(lambda: pnl.Composition(pathways=[pnl.TransferMechanism(name="A")]), {"A": [[1.0], [2.0]]})
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

import numpy as np
from support.psyneulink.golden import fresh

import cogir.psyneulink

CATEGORIES = ("result", "port", "mechanism", "function", "state", "generator", "cim", "parameter", "projection", "count", "clock")
"""Kinds of values that a run leaves behind: `cim` is all of CompositionInterfaceMechanisms, `parameter` the value of a ParameterPort."""

KEPT = CATEGORIES
"""Those that are compared unless a test says otherwise."""

LEFT_OUT = {
    "`variable` of Functions and Projections; `value` of the Functions of ports and Projections, and of Functions in Functions, such as"
    " those that draw noise": "only PsyNeuLink's next execution uses them, and it overwrites them",
    "`execution_count` and `num_executions` of ports, Projections, CIMs and Functions": (
        "they also count constructions, validations and simulations"
    ),
    "`num_executions` in a second execution context, and `execution_count`, where a controller has a condition or values decide what is"
    " simulated": "PsyNeuLink continues from the counts of its last simulation",
    "the ParameterPort of a seed that is modulated, and Projections to it": "the seed is that of the last simulation, or is not read",
    "`execution_list` and the clock of single trials, where conditions depend on values": "the model counts executions and keeps no list",
    "`history` (`get_previous`) of Parameters other than values of Mechanisms and ports, and of components that ran several times in the"
    " last trial": "`get_previous` raises an error (`test_previous_values.py`)",
    "`distance`, `distances_by_field` and `distances_to_entries` of ContentAddressableMemory": "the model has only the retrieved entry",
}
"""What PsyNeuLink holds and is not compared, and why."""

TOLERANCE = 1e-12
RUNS = {
    "native": ("cogir", "cogir", "cogir"),
    "interleaved": ("PsyNeuLink", "cogir", "PsyNeuLink"),
    "unseen": ("cogir", "cogir", "cogir"),
}
"""Who runs the Composition, by execution context; "unseen" is compared after the last run."""

Held = dict[tuple[str, str], Any]


def compared(
    build: Callable[[], Any],
    inputs: Any,
    num_trials: int | None = None,
    *,
    kept: Collection[str] = KEPT,
    runs: Mapping[str, tuple[str, ...]] = RUNS,
    mode: str = "run",
) -> list[str]:
    """
    What PsyNeuLink and cogir leave differently, a line each, after the first run in which they do.

    `inputs`: by the names of nodes, or what makes them of the Composition.
    """
    fresh()
    composition = build()
    given = inputs(composition) if callable(inputs) else inputs
    expected: list[Held] = []
    for context, runners in runs.items():
        for _ in runners:
            composition.run(inputs=given, num_trials=num_trials, context=context)
            expected.append(held(composition, context))
    fresh()
    composition = build()
    given = inputs(composition) if callable(inputs) else inputs
    after = iter(expected)
    for context, runners in runs.items():
        for index, runner in enumerate(runners):
            if runner == "cogir":
                cogir.psyneulink.run(composition, given, num_trials, context=context, mode=mode)
            else:
                composition.run(inputs=given, num_trials=num_trials, context=context)
            wanted = next(after)
            if context == "unseen" and index < len(runners) - 1:
                continue
            shared = context != next(iter(runs)) and simulates(composition)
            found = list(differences(wanted, held(composition, context), [one for one in kept if one != "count" or not shared]))
            if found:
                return [f"{context}, run {index + 1} ({runner}): {line}" for line in found]
    return []


def simulates(composition: Any) -> bool:
    """Whether a Composition, or one in it, has a controller that simulates it."""
    own = getattr(composition.controller, "agent_rep", None) is not None
    return own or any(simulates(node) for node in composition.nodes if hasattr(node, "input_CIM"))


def differences(expected: Held, found: Held, kept: Collection[str] = CATEGORIES) -> Iterator[str]:
    """Where two Compositions differ, a line for each value."""
    for key in [*expected, *(key for key in found if key not in expected)]:
        category, name = key
        if category in kept and not (category in ("parameter", "projection") and "[seed" in name):
            if key not in found or key not in expected:
                yield f"{category} {name}: only held {'by PsyNeuLink' if key in expected else 'after cogir'}"
            elif not same(expected[key], found[key]):
                yield f"{category} {name}: PsyNeuLink {shown(expected[key])}, cogir {shown(found[key])}"


def same(expected: Any, found: Any) -> bool:
    """Equal shapes, and numbers within 1e-12 of the larger of the number itself and the largest magnitude of the port."""
    if is_ragged(expected) or is_ragged(found):
        if not (is_ragged(expected) and is_ragged(found)) or len(expected) != len(found):
            return False
        return all(same(one, other) for one, other in zip(expected, found, strict=True))
    if isinstance(expected, str | None) or isinstance(found, str | None):
        return type(expected) is type(found) and expected == found
    a, b = np.asarray(found, float), np.asarray(expected, float)
    if a.shape != b.shape:
        return False
    finite = np.abs(b[np.isfinite(b)])
    with np.errstate(invalid="ignore"):
        near = np.abs(a - b) <= TOLERANCE * np.max(finite, initial=0.0)
    return bool(np.all(near | (a == b) | (np.isnan(a) & np.isnan(b))))


def is_ragged(value: Any) -> bool:
    """Whether a value is a sequence whose items differ in shape."""
    if isinstance(value, np.ndarray) and value.dtype != object:
        return False
    if not isinstance(value, np.ndarray | list | tuple) or np.ndim(np.empty(1) if isinstance(value, list | tuple) else value) == 0:
        return False
    return len({repr(np.shape(item)) if not is_ragged(item) else "ragged" for item in value}) > 1 or any(map(is_ragged, value))


def shown(value: Any) -> str:
    """A value on a line."""
    text = " ".join(repr(value).split())
    return text if len(text) <= 200 else f"{text[:200]}..."


def held(composition: Any, context: str) -> Held:
    """Everything that a Composition holds in an execution context, by category and name."""
    found: Held = {}
    for column, values in enumerate(zip(*composition.parameters.results.get(context), strict=True)):
        found["result", f"port {column}"] = [np.array(value) for value in values]
    for name, component in components(composition, ""):
        found |= {(category, f"{name}.{held}"): value for category, held, value in values_of(component, context)}
    found["clock", "time"] = str(composition.scheduler.get_clock(context).time)
    return found


def components(composition: Any, prefix: str) -> Iterator[tuple[str, Any]]:
    """All parts of a Composition with the names that are said of them."""
    seen: set[int] = set()
    for name, component in parts(composition, prefix):
        if id(component) not in seen:
            seen.add(id(component))
            yield name, component


def parts(composition: Any, prefix: str) -> Iterator[tuple[str, Any]]:
    """The parts, some of them more than once."""
    nodes = [*composition.nodes, composition.input_CIM, composition.output_CIM, composition.parameter_CIM]
    nodes += [composition.controller] * (composition.controller is not None)
    for node in nodes:
        name = f"{prefix}{node.name}"
        if hasattr(node, "input_CIM"):
            yield from parts(node, f"{name}/")
            continue
        yield from with_functions(name, node)
        for port in (*node.input_ports, *node.output_ports, *node.parameter_ports):
            yield from with_functions(f"{name}[{port.name}]", port)
    for projection in composition.projections:
        yield from with_functions(f"{prefix}{projection.name}", projection)
        for port in projection.parameter_ports:
            yield f"{prefix}{projection.name}[{port.name}]", port


def with_functions(name: str, component: Any) -> Iterator[tuple[str, Any]]:
    """A component and the Functions in its Parameters, those that draw its noise too."""
    yield name, component
    for parameter in component.parameters:
        value = ((parameter.final_source or parameter).values or {}).get(None)
        for index, function in enumerate(value if isinstance(value, list | tuple) else [value]):
            if hasattr(function, "parameters") and getattr(function, "owner", None) in (component, None):
                inner = f"{name}.{parameter.name}" + (f"[{index}]" if isinstance(value, list | tuple) else "")
                yield from with_functions(inner, function)


def values_of(component: Any, context: str) -> Iterator[tuple[str, str, Any]]:
    """Category, name and value of what one component holds."""
    bases = {base.__name__ for base in type(component).__mro__}
    for parameter in component.parameters:
        source = parameter.final_source or parameter
        if source.values is None or context not in source.values:
            continue
        category = category_of(parameter, bases, component)
        if category is not None:
            value = source.values[context]
            yield category, parameter.name, generator_state(value) if category == "generator" else plain(value)


def category_of(parameter: Any, bases: set[str], component: Any) -> str | None:
    """The category of a Parameter of a component of these classes; None for what is not compared."""
    owner = component if "Mechanism" in bases else getattr(component, "owner", None)
    if type(owner).__name__ == "CompositionInterfaceMechanism":
        is_shown = parameter.name == "value" or (parameter.name == "variable" and bases & {"InputPort", "Mechanism"})
        return "cim" if is_shown else None
    match parameter.name:
        case "random_state":
            return "generator"
        case "num_executions" if "Mechanism" in bases:
            return "count"
        case "value" if "OutputPort" in bases:  # its variable is read from its Mechanism
            return "port"
        case "value" | "variable" if "InputPort" in bases:
            return "port"
        case "value" | "variable" if "ParameterPort" in bases:
            return "parameter"
        case "value" | "variable" | "integrator_function_value" if "Mechanism" in bases:
            return "mechanism"
        case "value" if "Projection" in bases:
            return None if "RANDOMIZATION" in getattr(component.sender, "name", "") else "projection"
        case "value" if component in (getattr(owner, "function", None), getattr(owner, "integrator_function", None)):
            return "function" if "Mechanism" in {base.__name__ for base in type(owner).__mro__} else None
    is_state = parameter.initializer is not None or parameter.name in getattr(component, "stateful_attributes", ())
    return "state" if is_state and parameter.stateful else None


def plain(value: Any) -> Any:
    """A copy of a value that later runs do not change: numbers as arrays, Times as text."""
    if value is None or isinstance(value, str):
        return value
    if type(value).__name__ == "Time":
        return str(value)
    try:
        return np.array(value, float)
    except (TypeError, ValueError):
        return [plain(item) for item in value] if hasattr(value, "__iter__") else repr(value)


def generator_state(generator: Any) -> str | None:
    """The complete state of a generator, as text."""
    if generator is None:
        return None
    is_legacy = isinstance(generator, np.random.RandomState)
    state = generator.get_state(legacy=False) if is_legacy else generator.bit_generator.state
    return repr({**state, "state": {name: np.asarray(words).tolist() for name, words in state["state"].items()}})
