"""
A model that can be compiled: from its source to something that runs.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from io import StringIO
from typing import TYPE_CHECKING, Any

from cogir.errors import CogirError, ModelError, no_attribute, quoted, shown
from cogir.frontend.builder import checks
from cogir.frontend.builder.source_location import SourceLocation, did_you_mean, user_place
from cogir.interpreters.flags import OUTSIDE, UNFINISHED
from cogir.runtime.compiled import Compiled
from cogir.runtime.flags import REACTIONS
from cogir.runtime.learning import Learner, facts_of_learning, learner_of
from cogir.runtime.modes import TARGETS, compile_source
from cogir.runtime.native import NativeEngine
from cogir.runtime.options import Options, Source
from cogir.runtime.origin import About
from cogir.runtime.parallel import crew_of
from cogir.runtime.recording import DEFAULT_BYTES, LEAST_BYTES

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from xdsl.dialects.builtin import ModuleOp

    from cogir.frontend.stages import Stages
    from cogir.pictures.picture import Picture

MATH = ("portable", "libm")
CONTRACT = ("strict", "fast")
PRUNING = "prune-search"
"""The name of the pass that has searches drop boxes of points."""

OF_COMPILED = ("run", "replicates", "learn", "params", "state", "generators", "context", "specialise", "reset")
"""The names that users may look for in a model, and find in `Compiled`."""


class Compilable(ABC):
    """A model that `cogir.compile` takes."""

    if not TYPE_CHECKING:  # type checkers would take any name for a method

        def __getattr__(self, name: str) -> object:
            owner = type(self).__name__
            if name in OF_COMPILED:
                call = "(...)" if name not in ("params", "state", "generators") else ""
                raise AttributeError(f'{owner} has no "{name}"; compile the model first: model.compile().{name}{call}', name=name, obj=None)
            raise no_attribute(owner, name, [*OF_COMPILED, *(known for known in dir(type(self)) if not known.startswith("_"))])

    @property
    @abstractmethod
    def name(self) -> str:
        """The name of the model."""

    @abstractmethod
    def source(self, *, learning: bool = False) -> Source:
        """The model for the runtime: how to build its module, and its fingerprint; `learning`: for a module that learns."""

    @abstractmethod
    def ir(self) -> ModuleOp:
        """The model as a new `cog` module, which prints as its text."""

    def defaults(self) -> Mapping[str, Mapping[str, Any]]:
        """The values that parameters of functions have when none are given, by the paths of nodes and projections, where they are known."""
        return {}

    def show(self, *, direction: str = "down", detail: str | None = None) -> Picture:
        """
        The picture of the model: its nodes in the order in which they execute, projections, control, conditions, and instances with what
        is inside. Notebooks show it; `save("model.svg")` writes a file.

        `direction`: "down" or "right". `detail`: "full" draws functions, parameters, conditions and labels, "names" only names (default:
        what fits the size of the model).
        """
        from cogir.pictures.picture import picture_of

        return picture_of(self.ir(), self.defaults(), direction, detail)

    def stages(self, *names: str) -> Stages:
        """
        The model at each stage of the compiler, as texts: a mapping from names of stages, which notebooks show in tabs.

        `names`: the stages that are wanted (default: all): `cog`, `scheduled`, `machine`, `loops`, `cf`, `llvm`, `llvm-ir`, `asm` (assembly
        for this processor). The code is that of a single run, with all optimisations.

            model.stages()["machine"]      # the model as a state machine

        :raises InputError: for a name that is none of a stage.
        """
        from cogir.frontend.stages import checked_names, stages_of

        wanted = checked_names(names)
        return stages_of(self.ir(), self.name, wanted)

    def _repr_html_(self) -> str:
        """The picture for notebooks; a model that contradicts itself gives its error instead."""
        try:
            return self.show().in_notebook
        except CogirError as error:
            from cogir.pictures.tables import text_html

            return text_html(f"{self!r}: {error}")

    def may_learn(self) -> bool:
        """True if the model may say how it learns."""
        return True

    def add_remarks(self, compiled: Compiled) -> None:
        """Gives a compiled model what is known of this one beside its code."""

    def check(self) -> None:
        """
        Verifies the model without compiling it; raises `ModelError` with the place of what is wrong.

        The functions of nodes are parsed, and the module is verified as `compile` does before it lowers it.
        """
        from cogir.frontend.text import check

        check(self.source().build(), f'model "{self.name}"')

    def compile(
        self,
        *,
        mode: str = "auto",
        target: str = "cpu",
        threads: int | None = None,
        executor: Executor | None = None,
        math: str = "portable",
        cache: bool = True,
        without: Sequence[str] = (),
        prune_search: bool | None = None,
        specialise: bool = False,
        unfinished: str = "warn",
        out_of_range: str = "warn",
        checked: bool = False,
        trace_memory: int = DEFAULT_BYTES,
        contract: str = "strict",
    ) -> Compiled:
        """
        Makes a model ready to run. `cogir.compile` takes a `Model`, a module with a `cog.model`, or the text of one.

        `mode`: "auto" (the fastest that works), "run" (whole runs as native code), "exec" (one trial at a time), "per_node" (each
        node's function as native code), or "python" (interpreted). The last two call functions of nodes that cannot be compiled in
        Python; "run" and "exec" raise `FunctionError` for them.
        `target`: "cpu"; "cuda" for an NVIDIA GPU, on which searches, replicates and sweeps then run with the same results (raises
        `DeviceError` if there is none); "auto" for a GPU for calls that pay for it, if there is one (`explain` says why not);
        "cuda-emulated" for the kernels called on the CPU, which is slow.
        `threads`: how many share a search (default: one; the results are the same), or as many of the workers of `executor`,
        a `ThreadPoolExecutor` or another one whose workers are threads. `math`: "portable", the same bits on every machine, or
        "libm", the functions of the system's mathematical library. `cache`: whether object code is kept on disk.
        `without`: optimisations to leave out, by the names of their passes, such as "factor-grid"; the results are the same.
        `prune_search`: whether searches drop boxes of points that cannot hold the optimum: None where that pays, True wherever it can be
        done, False never; the results are the same (`docs/searches.md`).
        `specialise`: whether there is also a version for the values that the parameters have now (`Compiled.specialise`).
        `unfinished`: what a run does when executions were cut off by `max_executions_before_finished`: "warn" gives an
        `UnfinishedWarning` with their share, "error" raises an `ExecutionError` that holds the result, "ignore" neither.
        `out_of_range`: the same (`OutOfRangeWarning`) for parameters that were modulated out of their ranges.
        `checked`: whether runs stop, with an `ExecutionError`, at the first index out of range, integer division by zero, or NaN made from
        numbers in a function of a node or projection; such code is slower, and does not learn.
        `trace_memory`: the bytes that the traces of a run (`Model.record`) take at most; a run that needs more raises a `TraceMemoryError`,
        whose `result` holds what was recorded.
        `contract`: "strict" rounds every product and every sum, or "fast": `a * b + c` in nodes and projections may be rounded once, which
        makes products of matrices up to twice as fast, and `exp` is a shorter function, wrong by up to 1.2 units in the last place; last
        bits then depend on the processor, and differ from the interpreter's.
        """
        if not checks.is_among(contract, CONTRACT):
            raise ModelError(f"compile: contract is {shown(contract)}; give one of {', '.join(CONTRACT)}")
        if contract != "strict" and (target != "cpu" or mode in ("per_node", "python")):
            raise ModelError(
                f'compile: contract "{contract}" is for whole runs on the CPU, but '
                + (f'target is "{target}"' if target != "cpu" else f'mode is "{mode}"')
                + "; leave out contract"
            )
        if not checks.is_among(target, TARGETS):
            raise ModelError(f"compile: target is {shown(target)}; give one of {', '.join(TARGETS)}")
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
        if prune_search is not None and not checks.flag(prune_search, "compile: prune_search", place):
            left_out = (*left_out, *(name for name in (PRUNING,) if name not in left_out))
        trace_memory = checks.count(trace_memory, "compile: trace_memory", place, least=LEAST_BYTES)
        crew = crew_of(threads, executor)
        options = Options(target, math, cache, left_out, checked=checked, contract=contract, prune_search=prune_search is True)
        with enough_memory(f'model "{self.name}"'):
            model_text = ModelText(self)
            source = model_text.source
            compiled = compile_source(with_places(source) if checked else source, mode, options)
            model_text.compiled()
        compiled.about = About(self.name, source.notes(), model_text)
        compiled.options = {
            "mode": compiled.mode,
            "target": target,
            "math": math,
            "without": left_out,
            "checked": checked,
            "cache": cache,
            "contract": contract,
            "prune_search": prune_search,
        }
        compiled.trace_memory = trace_memory
        compiled.draw = lambda direction, detail: self.show(direction=direction, detail=detail) if model_text.is_unchanged() else None
        compiled.find_model = lambda: self if model_text.is_unchanged() else None
        if self.may_learn():
            compiled.learner = (
                not_checked
                if checked
                else lambda block, is_one: learner_of(self.source(learning=True), mode, for_learning(options, block, is_one), crew)
            )
            compiled.learning_facts = lambda: facts_of_learning(self.source(learning=True), options)
        if isinstance(compiled.engine, NativeEngine):
            compiled.engine.crew = crew
        compiled.reactions.of |= {UNFINISHED: unfinished, OUTSIDE: out_of_range}
        self.add_remarks(compiled)
        if specialise:
            compiled.specialise()
        return compiled


@contextmanager
def enough_memory(what: str) -> Generator[None]:
    """A block in which a model is read or compiled; raises `ModelError` where that takes more memory than there is."""
    try:
        yield
    except MemoryError:
        raise ModelError(
            f"{what}: there is not enough memory to compile it, which takes some 50 bytes for each element of its arrays; "
            "use smaller arrays"
        ) from None


def for_learning(options: Options, block: int, is_one: bool) -> Options:
    """The options of code that learns from blocks of so many trials, or from one after the other; `is_one`: from one array of inputs."""
    left_out = [name for name, is_of_no_use in (("batch-trials", not block), ("split-inputs", is_one)) if is_of_no_use]
    without = tuple(dict.fromkeys((*options.without, *left_out)))
    return replace(options, target="cpu", entry="learn", without=without, block=block)


def optimisations(given: object, place: SourceLocation) -> tuple[str, ...]:
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


class ModelText:
    """
    The text of a model as it was when it was compiled; empty if the model was changed since.

    It is made when it is asked for, as that takes longer than to start a model from the cache. What shows a change is the structure of the
    model, which the cache asks for in most modes.
    """

    def __init__(self, model: Compilable):
        self._model = model
        self._of_model = model.source()
        self._first: list[str | None] = []
        self.source = self._of_model if self._of_model.structure is None else replace(self._of_model, structure=self._structure)
        """The source to compile from."""

    def _structure(self) -> str | None:
        assert self._of_model.structure is not None
        found = self._of_model.structure()
        self._first = self._first or [found]
        return found

    def compiled(self) -> None:
        """Called when the model is compiled: from here on it may be changed."""
        if self._of_model.structure is not None and not self._first:
            self._structure()

    def is_unchanged(self) -> bool:
        """True if the model is still what was compiled."""
        return self._of_model.structure is None or self._of_model.structure() == self._first[0]

    def __call__(self) -> str:
        return str(self._model.ir()) if self.is_unchanged() else ""


def with_places(source: Source) -> Source:
    """The source with a fingerprint that holds the lines of all functions, as messages of checked code name them."""

    def fingerprint() -> str:
        from xdsl.printer import Printer

        from cogir.frontend.port_notes import without_notes

        text = StringIO()
        Printer(text, print_debuginfo=True).print_op(without_notes(source.build()))
        return hashlib.sha256(text.getvalue().encode()).hexdigest()

    return replace(source, fingerprint=fingerprint, structure=None, numbers=None)


def not_checked(block: int, is_one: bool) -> Learner:
    """Refuses to learn with checks."""
    raise ModelError("learn: a model compiled with checked=True cannot learn; compile it without checked=True to learn")
