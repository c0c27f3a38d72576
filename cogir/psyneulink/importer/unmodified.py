"""
The check that the parts of a Composition are PsyNeuLink's own, with the methods that PsyNeuLink gave them.

cogir knows a component by its class. So a class that somebody derived, a method that was replaced in a class, or one that
was put into an object (`mechanism._execute = ...`), is not known, and whatever has it is refused.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dis import get_instructions
from functools import lru_cache
from inspect import getattr_static
from types import CellType, FunctionType
from typing import Any, TypeAlias, cast

from cogir.psyneulink.importer.survey import Survey, components_of
from cogir.psyneulink.reader import UnsupportedFeature

PACKAGES = ("psyneulink", "graph_scheduler")
Known: TypeAlias = dict[type[Any], tuple[dict[str, Any], list[str]]]
"""The methods of classes, and those that have been replaced."""
REPLACEABLE = frozenset(("show_graph",))
"""Methods that take no part in a run."""
COMPILED = ("Composition", "AutodiffComposition", "EMComposition", "GRUComposition")
"""The classes of Compositions that cogir compiles."""
OF_CLASSES = {
    "ParameterEstimationComposition": "set comp_execution_mode of its controller to LLVM, or use an objective of your own that calls"
    " replicates() of cogir.from_psyneulink(model).compile()",
}
"""The remedies in the place of Compositions of classes that cogir does not compile."""
REMEDY = "use a UserDefinedFunction for a computation of your own, or run it in PsyNeuLink"


def check_component(component: Any, title: str | None = None, known: Known | None = None) -> None:
    """Refuses a component whose class is not PsyNeuLink's own, or that has a method of its own; `known`: of classes, if kept."""
    kind = cast("type[Any]", type(component))
    known = {} if known is None else known
    if not is_own(kind):
        base = next((base.__name__ for base in kind.__mro__ if is_own(base)), "nothing of PsyNeuLink's")
        raise UnsupportedFeature(
            title or title_of(component), f"its class {kind.__name__} is not PsyNeuLink's own (it is derived from {base})", REMEDY
        )
    if kind not in known:
        known[kind] = methods_of(kind)
    methods, replaced = known[kind]
    allowed = replaceable(component)
    replaced = [name for name in replaced if name.rpartition(".")[2] not in allowed]
    if always_finished(component):
        replaced = [name for name in replaced if name.rpartition(".")[2] != "is_finished"]
    if replaced:
        raise UnsupportedFeature(title or title_of(component), f"the method {replaced[0]} of its class was replaced", REMEDY)
    own = (methods.keys() & component.__dict__.keys()) - allowed
    if own:
        raise UnsupportedFeature(title or title_of(component), f"its method {min(own)} was replaced", REMEDY)


def flag_of_finished(kind: type[Any]) -> str | None:
    """The attribute that `is_finished` of a class returns, if a script has put a function there that does nothing else."""
    function = getattr(kind, "is_finished", None)
    if not isinstance(function, FunctionType) or function.__code__.co_filename.startswith((*_folders(), "<@beartype(")):
        return None
    steps = [step for step in get_instructions(function) if step.opname not in ("RESUME", "CACHE", "NOP")]
    if [step.opname for step in steps] != ["LOAD_FAST", "LOAD_ATTR", "RETURN_VALUE"]:
        return None
    return steps[1].argval if steps[0].argval == function.__code__.co_varnames[0] else None


def always_finished(component: Any) -> bool:
    """True of a Mechanism whose `is_finished` a script has replaced by a function that returns an attribute, which is True."""
    flag = flag_of_finished(cast("type[Any]", type(component)))
    return flag is not None and type(component).__name__ != "DDM" and getattr_static(component, flag, None) is True


def replaceable(component: Any) -> frozenset[str]:
    """The methods of a component that may be the user's own: `run`, which is called from outside, unless a controller simulates with it."""
    called_from_outside = hasattr(component, "input_CIM") and component.controller is None
    return REPLACEABLE | {"run"} if called_from_outside else REPLACEABLE


def check_is_no_copy(component: Any) -> None:
    """Refuses a Composition that is a deep copy: it has the nodes of another one, in which they are executed."""
    if hasattr(component, "input_CIM") and component.input_CIM.composition is not component:
        raise UnsupportedFeature(title_of(component), "it is a deep copy, which PsyNeuLink cannot run", "build it again")


def not_plain(composition: Any) -> UnsupportedFeature | None:
    """The message about a Composition of a class of PsyNeuLink's that cogir does not compile; None if it compiles the class."""
    kind = cast("type[Any]", type(composition))
    if kind.__name__ in COMPILED or not is_own(kind):
        return None
    remedy = OF_CLASSES.get(kind.__name__, "use a plain Composition, or run it in PsyNeuLink")
    return UnsupportedFeature(f"Composition {composition.name!r}", f"it is of the class {kind.__name__}", remedy)


def check_condition(condition: Any, title: str) -> None:
    """Refuses a condition that is not one of the scheduler's own."""
    if condition is None:
        return
    check_component(condition, title)
    function = getattr(condition, "func", None)
    if isinstance(function, FunctionType) and type(condition).__name__ not in ("Condition", "While", "WhileNot"):
        if not function.__code__.co_filename.startswith(_folders()):
            raise UnsupportedFeature(title, f"the function of its condition {type(condition).__name__} has been replaced", REMEDY)
    for part in (*getattr(condition, "args", ()), getattr(condition, "condition", None)):
        if hasattr(part, "is_satisfied"):
            check_condition(part, title)


def title_of(component: Any) -> str:
    """The class and the name of a component, and those of its owner."""
    owner: Any = getattr(component, "owner", None)
    of = f" of {owner.name!r}" if isinstance(getattr(owner, "name", None), str) else ""
    return f"{type(component).__name__} {getattr(component, 'name', '')!r}{of}"


def is_own(kind: type[Any]) -> bool:
    """True if a class is one that PsyNeuLink ships, found where it says that it is."""
    if kind.__module__.partition(".")[0] not in PACKAGES:
        return False
    found: Any = sys.modules.get(kind.__module__)
    for name in kind.__qualname__.split("."):
        found = getattr(found, name, None)
    return found is kind


def methods_of(kind: type[Any]) -> tuple[dict[str, Any], list[str]]:
    """The methods and properties of a class by name, and those that are not as PsyNeuLink has them."""
    methods: dict[str, Any] = {}
    replaced: list[str] = []
    for base in reversed(kind.__mro__):
        if base.__module__.partition(".")[0] not in PACKAGES:
            continue
        for name, value in vars(base).items():
            for function in functions_in(value):
                methods[name] = value
                if not is_as_shipped(function, base, name):
                    replaced.append(f"{base.__name__}.{name}")
    return methods, replaced


def is_as_shipped(function: FunctionType, holder: type[Any], name: str) -> bool:
    """True if a function is the one that its class was defined with: by the file that it was compiled from, and by its name."""
    file = function.__code__.co_filename
    if getattr(function, "accelerates", False):
        return True
    if file.startswith("<@beartype("):
        return file.startswith(tuple(f"<@beartype({package}." for package in PACKAGES))
    if not file.startswith(_folders()):
        return False
    named = function.__qualname__
    return named == f"{holder.__qualname__}.{name}" or "<locals>" in named or function.__module__ == holder.__module__


def wrapped_cell(kind: type[Any], name: str) -> CellType | None:
    """
    The cell in which the decorator of one of PsyNeuLink's methods keeps the method itself, if a script has put a function of its own around
    it in the class, as a profiler does; None if it has not, or if that does not lead to it.
    """
    seen: list[FunctionType] = []
    waiting = [vars(kind).get(name)]
    while waiting:
        one = waiting.pop()
        if not isinstance(one, FunctionType) or one in seen:
            continue
        seen.append(one)
        if is_as_shipped(one, kind, name) and one.__name__ == name and getattr(one, "__wrapped__", None) is not None:
            return None if len(seen) == 1 else dict(zip(one.__code__.co_freevars, one.__closure__ or (), strict=True)).get("func")
        waiting += [one.__globals__.get(each) for each in one.__code__.co_names]
        waiting += [cell.cell_contents for cell in one.__closure__ or () if cell != CellType()]
        waiting += [*(one.__defaults__ or ()), *(one.__kwdefaults__ or {}).values()]
    return None


def functions_in(value: Any) -> Iterator[FunctionType]:
    """The Python functions behind an attribute of a class."""
    if isinstance(value, staticmethod | classmethod):
        value = cast("Any", value).__func__
    parts = (value.fget, value.fset, value.fdel) if isinstance(value, property) else (value,)
    yield from (part for part in parts if isinstance(part, FunctionType))


@lru_cache(maxsize=1)
def _folders() -> tuple[str, ...]:
    """The folder of the packages."""
    return tuple(os.path.dirname(str(sys.modules[package].__file__)) + os.sep for package in PACKAGES)


def check_mechanism(mechanism: Any) -> None:
    """Refuses a Mechanism in which something is not PsyNeuLink's own."""
    known: Known = {}
    for component in components_of(mechanism):
        check_component(component, None, known)


def check_genuine(survey: Survey) -> None:
    """Refuses a Composition in which something is not PsyNeuLink's own."""
    composition = survey.composition
    error = not_plain(composition)
    if error is not None:  # before its parts, of which this is the reason
        raise error
    known: Known = {}
    for component in survey.components:
        check_is_no_copy(component)
        check_component(component, None, known)
    for node, condition in composition.scheduler.conditions.conditions_basic.items():
        check_condition(condition, f"Composition {composition.name!r}, condition of {getattr(node, 'name', node)!r}")
    for scale, condition in composition.termination_processing.items():
        check_condition(condition, f"Composition {composition.name!r}, termination of {scale.name}")
