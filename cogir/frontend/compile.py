"""
`cogir.compile`: from any form of a model to something that runs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from io import StringIO
from typing import TYPE_CHECKING

from cogir.callers import ends_at_caller
from cogir.errors import FunctionError, ModelError, quoted, shown
from cogir.frontend.builder import checks
from cogir.frontend.builder.check_end import stays_finished
from cogir.frontend.builder.forgotten_resets import has_forgotten_resets, warn_of_forgotten_resets
from cogir.frontend.builder.handles import Instance
from cogir.frontend.builder.model import Model
from cogir.frontend.builder.parameters import numbers_of
from cogir.frontend.builder.source_location import Place, did_you_mean, user_place
from cogir.frontend.identity.fingerprint import fingerprint
from cogir.frontend.parsed import ParsedModel
from cogir.interpreters.flags import OUTSIDE, UNFINISHED
from cogir.runtime.flags import REACTIONS
from cogir.runtime.learning import Learner, learner_of
from cogir.runtime.modes import compile_source
from cogir.runtime.native import NativeEngine
from cogir.runtime.options import Options, Source
from cogir.runtime.parallel import crew_of
from cogir.runtime.python_functions import PythonFunction, no_machine_code

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from xdsl.dialects.builtin import ModuleOp

    from cogir.runtime.compiled import Compiled
    from cogir.runtime.plan import Numbers

TARGETS = ("cpu",)
MATH = ("portable", "libm")


@ends_at_caller
def compile(
    model: Model | ParsedModel | ModuleOp | str,
    *,
    mode: str = "auto",
    target: str = "cpu",
    threads: int | None = None,
    executor: Executor | None = None,
    math: str = "portable",
    cache: bool = True,
    without: Sequence[str] = (),
    specialise: bool = False,
    unfinished: str = "warn",
    out_of_range: str = "warn",
    checked: bool = False,
) -> Compiled:
    """
    Makes a model ready to run: a `Model`, a module with a `cog.model`, or the text of one.

    `mode`: "auto" (the fastest that works), "run" (whole runs as native code), "exec" (one trial at a time), "per_node" (each
    node's function as native code), or "python" (interpreted). The last two call functions of nodes that cannot be compiled in
    Python; "run" and "exec" raise `FunctionError` for them. `target`: "cpu".
    `threads`: how many share a search (default: one; the results are the same), or as many of the workers of `executor`,
    a `ThreadPoolExecutor` or another one whose workers are threads. `math`: "portable", the same bits on every machine, or
    "libm", the functions of the system's mathematical library. `cache`: whether object code is kept on disk.
    `without`: optimisations to leave out, by the names of their passes, such as "factor-grid"; the results are the same.
    `specialise`: whether there is also a version for the values that the parameters have now (`Compiled.specialise`).
    `unfinished`: what a run does when executions were cut off by `max_executions_before_finished`: "warn" gives an
    `UnfinishedWarning` with their share, "error" raises an `ExecutionError` that holds the result, "ignore" neither.
    `out_of_range`: the same (`OutOfRangeWarning`) for parameters that were modulated out of their ranges.
    `checked`: whether runs stop, with an `ExecutionError`, at the first index out of range, integer division by zero, or NaN made from
    numbers in a function of a node or projection; such code is slower, and does not learn.
    """
    if not checks.is_among(target, TARGETS):
        raise ModelError(f'compile: target is {shown(target)}; give "cpu" (PTX for GPUs comes from cog-translate --emit=ptx)')
    if not checks.is_among(math, MATH):
        raise ModelError(f"compile: math is {shown(math)}; give one of {', '.join(MATH)}")
    reactions = {"unfinished": unfinished, "out_of_range": out_of_range}
    for name, reaction in reactions.items():
        if not checks.is_among(reaction, REACTIONS):
            raise ModelError(f"compile: {name} is {shown(reaction)}; give one of {', '.join(REACTIONS)}")
    place = user_place()
    cache = checks.flag(cache, "compile: cache", place)
    specialise = checks.flag(specialise, "compile: specialise", place)
    checked = checks.flag(checked, "compile: checked", place)
    left_out = optimisations(without, place)
    crew = crew_of(threads, executor)
    if not isinstance(model, Model | ParsedModel):
        model = ParsedModel(model)
    options = Options(target, math, cache, left_out, checked=checked)
    source = source_of(model)
    compiled = compile_source(with_places(source) if checked else source, mode, options)
    if not isinstance(model, Model) or model.learns is not None:
        compiled.learner = (
            not_checked if checked else lambda: learner_of(source_of(model, learning=True), mode, replace(options, entry="learn"))
        )
    if isinstance(compiled.engine, NativeEngine):
        compiled.engine.crew = crew
    compiled.reactions.of |= {UNFINISHED: unfinished, OUTSIDE: out_of_range}
    if isinstance(model, Model):
        _add_remarks(compiled, model)
    if specialise:
        compiled.specialise()
    return compiled


def _add_remarks(compiled: Compiled, model: Model) -> None:
    """Gives a compiled model what only the builder's knows: what runs may warn of, and where nodes were made."""
    if "trial" in model.schedule.ends and (reason := stays_finished(model)) is not None:
        compiled.later_trials.append(reason)
    elif has_forgotten_resets(model):
        compiled.before_later_trials.append(lambda: warn_of_forgotten_resets(model))
    if not compiled.plan.inputs:
        compiled.inputs.why_none = model.why_no_inputs()
    if compiled.plan.flags:
        compiled.reactions.places = dict(model.node_places())


def optimisations(given: object, place: Place) -> tuple[str, ...]:
    """The optimisations to leave out, by name: one, or a list of them."""
    names = [given] if isinstance(given, str) else checks.listed(given)
    if names is None:
        raise ModelError(f'{place}: compile: without is {shown(given)}; give a list of optimisations, such as ["factor-grid"]')
    if names:
        from cogir.lowering.pipeline import OPTIMISATIONS, SPECIALISATION

        known = (*OPTIMISATIONS, *SPECIALISATION)
        for name in names:
            if not checks.is_among(name, known):
                raise ModelError(f"{place}: compile: without: there is no optimisation {quoted(name)}{did_you_mean(name, known)}")
    return tuple(names)


def source_of(model: Model | ParsedModel, *, learning: bool = False) -> Source:
    """What the runtime compiles: how to build the module, and its fingerprint; `learning`: for a module that learns."""
    if isinstance(model, ParsedModel):
        return Source(model.name, model.defined, lambda: hashlib.sha256(model.text().encode()).hexdigest())

    def hash_of(numbers: bool) -> str | None:
        return fingerprint(model, numbers=numbers, learning=learning)

    def numbers() -> Numbers:
        return numbers_of(model, learning=learning)

    python: dict[str, PythonFunction] = {}

    def build() -> ModuleOp:
        """The module, checked: what the builder lets pass must not become machine code that reads where nothing is."""
        from cogir.frontend.emit.module import emitted
        from cogir.frontend.text import check

        module, found = emitted(model)
        python.update(found)
        check(module, f'model "{model.name}"')
        return module

    return Source(model.name, build, lambda: hash_of(True), lambda: hash_of(False), numbers, python, lambda: not_compiled(model))


def with_places(source: Source) -> Source:
    """The source with a fingerprint that holds the lines of all functions, as messages of checked code name them."""

    def fingerprint() -> str:
        from xdsl.printer import Printer

        text = StringIO()
        Printer(text, print_debuginfo=True).print_op(source.build())
        return hashlib.sha256(text.getvalue().encode()).hexdigest()

    return replace(source, fingerprint=fingerprint, structure=None, numbers=None)


def not_checked() -> Learner:
    """Refuses to learn with checks."""
    raise ModelError("learn: compile(checked=True) checks runs, and cannot learn; compile the model without it, and learn with that")


def not_compiled(model: Model) -> FunctionError | None:
    """Why a model has no machine code, if a node of it, or of a model inside, is known to call Python."""
    for node in model.nodes.values():
        if isinstance(node, Instance):
            found = not_compiled(node.record.model)
        else:
            body, what = node.record.body, f'{node.record.place}: node "{node.name}"'
            found = None if body is None or body.python is None else no_machine_code(what, body.python)
        if found is not None:
            return found
    return None
