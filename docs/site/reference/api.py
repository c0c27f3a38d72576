"""
The public names of `cogir`, `cogir.analyze`, `cogir.fit` and `cogir.reductions`: signatures, docstrings, members, and an executed example
for each.
"""

from __future__ import annotations

import inspect
import re
from enum import EnumType
from pathlib import Path
from typing import Any

import cogir
from cogir.frontend.builder.schedule import Schedule
from reference.markdown import call_text, docstring, first_paragraph, signature_text, table, write_if_changed

EXAMPLES = Path(__file__).with_name("examples_of_api.py")
TOPICS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "models": (
        "Building models",
        "A model is nodes, projections between their ports, and a schedule. [Building and running models](../../running.md) is the guide.",
        ("Model", "Node", "Port", "Parameter", "Projection", "Instance", "Control", "Signal", "TimeScale"),
    ),
    "node_functions": (
        "Functions of nodes",
        "What the signature of a function of your own may say. [The Python subset](../../functions.md) is the guide.",
        ("Between", "NonNegative", "Positive", "Probability", "random"),
    ),
    "running": (
        "Compiling and running",
        "A compiled model runs in contexts, which hold parameters, state and generators.",
        ("compile", "Compiled", "Context", "zipped", "__version__"),
    ),
    "results": (
        "Results",
        "All results are mappings from `node/port` to arrays, with the same methods. [Results](../../results.md) is the guide.",
        ("Result", "Replicates", "Sweep", "Learned", "Loaded", "load", "Trace", "Traces"),
    ),
    "reductions": (
        "Reductions of sweeps",
        "What a sweep keeps of its replicates. [Sweeps](../../sweeps.md) is the guide.",
        ("reductions",),
    ),
    "fits": ("Fits", "Parameters from data. [Fits](../../fits.md) is the guide.", ("fit", "Fit", "Fits", "recovery")),
    "analyze": (
        "Analyses",
        "Questions that the compiler answers for all inputs. Guides: [ranges, steps and effects](../../analysis.md), "
        "[equivalence](../../equivalence.md), [refinement](../../refinement.md).",
        ("analyze",),
    ),
    "psyneulink": ("PsyNeuLink", "[The guide](../../psyneulink_guide.md) says what is native.", ("from_psyneulink",)),
    "errors": (
        "Errors and warnings",
        "A message names the place, what was found, and the remedy. All errors are `CogirError`s; those that stop a run hold its result.",
        (
            *("CogirError", "ModelError", "InputError", "FunctionError", "LoweringError", "BackendError", "ExecutionError", "CacheError"),
            *("DeviceError", "DeviceMemoryError", "TraceMemoryError", "FitError"),
            *("RunInterrupted", "ReplicatesInterrupted", "SweepInterrupted", "LearningInterrupted"),
            *("CacheWarning", "DeviceWarning", "FinishedWarning", "FitWarning", "FreshStartWarning", "LearningWarning"),
            "MissingInputWarning",
            "NotCompiledWarning",
            *(
                "NotRecordedWarning",
                "OrderWarning",
                "OutOfRangeWarning",
                "RecurrentWarning",
                "ReducedModeWarning",
                "RepeatedWarning",
                "ReplacedWarning",
                "ResetWarning",
                "ShapeWarning",
            ),
            "UnfinishedWarning",
        ),
    ),
}
"""The pages: a title, an introduction, and names in their order. Conditions have a chapter of their own, and so has the library."""
ELSEWHERE = {"library": "functions"}
NAMESPACES = {"analyze": "cogir.analyze", "reductions": "cogir.reductions"}
"""Modules whose public names stand on a page of their own."""
INTERNAL: dict[str, tuple[str, ...]] = {
    "Model": (
        *("add_remarks", "all_ports", "check_modulation", "defaults"),
        *("explicit_inputs", "explicit_outputs", "interface", "learns", "may_learn", "modulations", "must_hold", "new_name", "node_called"),
        *("parameters", "port", "projections", "source"),
    ),
    "Context": ("begin_use", "fits", "must_know", "must_rest", "parameter_store", "parameters_now", "restart", "set_words", "state_store"),
    "Compiled": ("without_reactions", "version"),
    "Between": ("demand", "modulators"),
}
"""Methods that other parts of cogir call."""
INTERNAL["Context"] += ("title", "twin", "user", "words_of", "learned")
OF_RESULTS = (
    "AXES",
    "KIND",
    "columns",
    "dataset",
    "extents",
    "origin",
    "recording",
    "rows",
    "beside",
    "collected",
    "get",
    "items",
    "keys",
    "values",
)
"""Names of results that are not shown: those of a mapping, and what other parts of cogir read."""


def conditions() -> list[str]:
    """The names of conditions, and of what combines them."""
    return [name for name in cogir.__all__ if isinstance(found := getattr(cogir, name), type) and issubclass(found, cogir.Condition)]


def public_names() -> list[str]:
    """Every name that a user may rely on, as it is written after `import cogir`."""
    names = [f"cogir.{name}" for name in cogir.__all__]
    names += [f"cogir.analyze.{name}" for name in cogir.analyze.__all__]
    names += [f"cogir.reductions.{name}" for name in in_module(cogir.reductions)]
    names.append("cogir.Model.schedule")
    names += [f"cogir.fit.{name}" for name in dir(cogir.fit) if not name.startswith("_")]
    return names


def in_module(module: Any) -> list[str]:
    """The public names that a module defines or lists."""
    listed = getattr(module, "__all__", None)
    if listed is not None:
        return list(listed)
    found = (name for name, each in vars(module).items() if getattr(each, "__module__", "") == module.__name__ and not name.startswith("_"))
    return [name for name in found if inspect.isclass(getattr(module, name)) or inspect.isfunction(getattr(module, name))]


def examples() -> dict[str, str]:
    """The example of each name: the parts of the file of examples between its marks `# %% names`."""
    parts = re.split(r"^# %% (.*)$", EXAMPLES.read_text(), flags=re.M)
    found: dict[str, str] = {}
    for names, code in zip(parts[1::2], parts[2::2], strict=True):
        for name in names.split():
            found[name] = f"{found[name]}\n\n{code.strip()}" if name in found else code.strip()
    return found


def members(owner: type) -> list[tuple[str, Any]]:
    """The public methods and properties of a class, in the order in which its classes define them."""
    if owner.__module__ == cogir.reductions.__name__:
        return []
    left = INTERNAL.get(owner.__name__, ()) + (OF_RESULTS if owner.__name__ in TOPICS["results"][2] else ())
    found: dict[str, Any] = {}
    for each in reversed(owner.__mro__):
        if not each.__module__.startswith("cogir"):
            continue
        for name in vars(each):
            if not name.startswith("_") and name not in left:
                found[name] = inspect.getattr_static(owner, name)
    return [(name, each) for name, each in found.items() if inspect.getdoc(getattr(owner, name, each)) and _is_member(each)]


def _is_member(thing: Any) -> bool:
    return (
        callable(thing) or isinstance(thing, property | classmethod | staticmethod) or hasattr(thing, "func") or hasattr(thing, "__get__")
    )


def entry(path: str, thing: Any, found: dict[str, str]) -> str:
    """The text about one name on the page."""
    name = path.rpartition(".")[2]
    head = "" if thing is Schedule or isinstance(thing, EnumType | str) or not callable(thing) else signature_text(thing)
    lines = [f"## `{path}`" if "__" in path else f"## {path}", ""]
    if head:
        lines += [call_text(path, head), ""]
    lines += [_said(path, thing), ""]
    if isinstance(thing, EnumType):
        lines += [table(["name", "value"], [[f"`{each.name}`", f"`{each.value}`"] for each in thing]), ""]
    if example := found.get(path.removeprefix("cogir.")):
        lines += ["Example:", "", f"```python\n{example}\n```", ""]
    if isinstance(thing, type) and not issubclass(thing, Exception | Warning) and not isinstance(thing, EnumType):
        for member, each in members(thing):
            lines += [f"### {name}.{member}", "", _member(thing, member, each), ""]
    return "\n".join(lines)


def _said(path: str, thing: Any) -> str:
    if path == "cogir.__version__":
        return "The version of cogir, as a string."
    if getattr(thing, "__metadata__", None):
        return f"A range for the annotation of a parameter: {thing.__metadata__[0]}."
    return docstring(documented(thing))


def documented(thing: Any) -> Any:
    """The thing itself, or, of an object that is called like a function, the method that says what its arguments are."""
    is_object = callable(thing) and not isinstance(thing, type) and type(thing).__module__.startswith("cogir.")
    return type(thing).__call__ if is_object else thing


def _member(owner: type, name: str, thing: Any) -> str:
    live = getattr(owner, name, thing)
    if isinstance(thing, property) or not callable(live):
        return docstring(live if isinstance(thing, property) else thing)
    return f"{call_text(f'{owner.__name__}.{name}', signature_text(live))}\n\n{docstring(live)}"


def things(topic: str) -> list[tuple[str, Any]]:
    """The names of a page with what they name."""
    found: list[tuple[str, Any]] = []
    for name in TOPICS[topic][2]:
        thing = getattr(cogir, name)
        if name in NAMESPACES:
            found += [(f"cogir.{name}.{each}", getattr(thing, each)) for each in in_module(thing)]
        else:
            found.append((f"cogir.{name}", thing))
            if name == "Model":
                found.append(("cogir.Model.schedule", Schedule))
            if name == "fit":
                found += [(f"cogir.fit.{each}", getattr(thing, each)) for each in dir(thing) if not each.startswith("_")]
    return found


def page(topic: str) -> str:
    """A page."""
    title, introduction, _ = TOPICS[topic]
    own, found = things(topic), examples()
    rows = [
        [f"[`{path}`](#{anchor(path)})", _said(path, thing) if isinstance(thing, str) else first_paragraph(documented(thing))]
        for path, thing in own
    ]
    return "\n".join([f"# {title}\n", f"{introduction}\n", table(["name", "meaning"], rows), *(entry(*each, found) for each in own)])


def anchor(path: str) -> str:
    """The anchor of the heading of a name."""
    return path.lower().replace(".", "").strip("_") if not path.endswith("__version__") else "cogir__version__"


def write(folder: Path) -> list[tuple[str, str]]:
    """Writes a page for each topic."""
    for topic in TOPICS:
        write_if_changed(folder / "api" / f"{topic}.md", page(topic))
    return [(f"api/{topic}", title) for topic, (title, _, _) in TOPICS.items()]
