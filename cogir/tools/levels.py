"""
The levels of a text for the playground: the IR after a stage or a pass, with the line of the source that each of its lines comes from.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from io import StringIO
from typing import Any, cast

from xdsl.dialects.builtin import FileLineColLoc, ModuleOp
from xdsl.ir import Operation

from cogir.backend.emit_llvm_ir import emit_llvm_ir
from cogir.backend.jit import assembly
from cogir.dialects.cog import ModelOp
from cogir.dialects.module_text import ModulePrinter
from cogir.dialects.text import CogParser, make_context
from cogir.errors import quoted
from cogir.frontend.builder.source_location import did_you_mean
from cogir.frontend.stages import NAMES, OF_LLVM
from cogir.lowering.convert_cog_to_machine import ConvertCogToMachine
from cogir.lowering.pipeline import FOR_TEXTS, OF_MODELS, PASSES, STAGES, passes_between, stage_names
from cogir.remarks import reported
from cogir.tools.common import module_errors
from cogir.tools.diagnostics import USER_ERRORS, TextPosition, ToolError, remember_text, rendered, tool_error
from cogir.tools.pass_reports import RemarkFilter, merged, place_of_remark

NAME = "model.mlir"
"""The name of the text in messages."""
LEVELS = ("text", *NAMES)
"""The levels: the text as it is read, the stages, LLVM IR, and assembly of this processor."""


@dataclass(frozen=True)
class LevelRequest:
    """A text, and the level to which it is to be lowered."""

    text: str
    level: str
    until: str = ""
    """The last pass to run; empty for all that lead to the level."""
    specialise: bool = False
    replicates: bool = False

    @staticmethod
    def of(given: Any) -> LevelRequest:
        """The request in an object of JSON; a `ToolError` if it is none."""
        fields: dict[str, Any] = cast("dict[str, Any]", given) if isinstance(given, dict) else {}
        text, level, until = (fields.get(name, "") for name in ("text", "level", "until"))
        if not isinstance(text, str) or level not in LEVELS or not isinstance(until, str):
            raise ToolError(f"give an object with a text and a level, one of {', '.join(LEVELS)}")
        return LevelRequest(text, level, until, bool(fields.get("specialise")), bool(fields.get("replicates")))


@dataclass
class LevelAnswer:
    """The IR of a level, or the errors that stand in its way."""

    text: str = ""
    lines: list[int] = field(default_factory=list[int])
    """For each line of the IR the line of the source that it comes from; 0 if none is known."""
    passes: list[str] = field(default_factory=list[str])
    """The passes that lead to the level from the one before."""
    errors: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    remarks: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    milliseconds: float = 0.0


def answer(request: LevelRequest) -> LevelAnswer:
    """Lowers a text."""
    found = LevelAnswer()
    start = time.perf_counter()
    try:
        lower(request, found)
    except RecursionError:
        found.errors.append(error_of(ToolError("the input is nested too deeply")))
    except USER_ERRORS as error:
        found.errors.append(error_of(tool_error(error)))
    found.milliseconds = round(1e3 * (time.perf_counter() - start), 1)
    return found


def lower(request: LevelRequest, found: LevelAnswer) -> None:
    """Lowers a text, and writes what comes out into an answer."""
    remember_text(NAME, request.text)
    module = CogParser(make_context(), request.text, NAME, own_places=True).parse_module()
    found.errors += map(error_of, module_errors(module))
    if found.errors:
        return
    run_passes(module, request, found)
    if request.level in OF_LLVM and not request.until:
        text = emit_llvm_ir(module)
        found.text = text if request.level == "llvm-ir" else assembly(text)
    else:
        found.text, found.lines = text_with_lines(module)


def run_passes(module: ModuleOp, request: LevelRequest, found: LevelAnswer) -> None:
    """Runs the passes of a request."""
    if request.level == "text":
        return
    names, found.passes = passes_of(module, request)
    if request.until and request.until not in names:
        raise ToolError(f"until: pass {quoted(request.until)} does not lead to level {request.level}{did_you_mean(request.until, names)}")
    options: dict[str, dict[str, Any]] = {"replicate": {"enabled": request.replicates}}
    everything = RemarkFilter((), ())
    for name in names:
        with reported() as report:
            PASSES[name](**options.get(name, {})).apply(make_context(), module)
        for remark, times in merged(report, name, everything):
            place = place_of_remark(remark, NAME)
            line = place.line if place.file == NAME else 0
            found.remarks.append({"pass": name, "kind": remark.kind.value, "text": remark.text, "times": times, "line": line})
        if name == request.until:
            return


def passes_of(module: ModuleOp, request: LevelRequest) -> tuple[list[str], list[str]]:
    """The passes that lead to the level of a request, and those of them that come after the level before."""
    stages = stage_names()
    stage = request.level if request.level in stages else stages[-1]
    specialise = request.specialise and stages.index(stage) >= stages.index("machine")
    own = dict(STAGES)[stage]
    if any(isinstance(op, ModelOp) for op in module.ops):
        names = [*FOR_TEXTS, *passes_between("cog", stage, (), specialise)]
        return names, [name for name in names if name in own or (name in FOR_TEXTS and stage == "cog")]
    if stage in OF_MODELS:
        return [], []  # functions have no stages above machine
    optimisations = [name for name in passes_between("scheduled", "machine", (), specialise) if name != ConvertCogToMachine.name]
    names = [*optimisations, *(passes_between("machine", stage) if stage != "machine" else ())]
    return names, [name for name in names if name in own]


def error_of(error: ToolError) -> dict[str, Any]:
    """An error for the page: its place, and how the command line shows it."""
    place = error.place or TextPosition(NAME)
    if place.file != NAME:  # a location that the text gives: lines of other files are nobody's to see here
        error, place = ToolError(f"{place}: {error.message}"), TextPosition(NAME)
    own = ToolError(error.message, error.place, tuple(note for note in error.notes if note.place.file == NAME))
    return {"line": place.line, "column": place.column, "message": own.message, "shown": rendered(own)}


class LinePrinter(ModulePrinter):
    """The printer, which also notes the source lines of operations."""

    def __init__(self, stream: StringIO):
        super().__init__(stream=stream)
        self.places: dict[int, int] = {}

    def print_op(self, op: Operation) -> None:
        if isinstance(op.location, FileLineColLoc) and op.location.filename.data == NAME:
            self.places.setdefault(self._current_line, op.location.line.data)
        super().print_op(op)


def text_with_lines(module: ModuleOp) -> tuple[str, list[int]]:
    """The text of a module, and for each line of it the line of the source."""
    stream = StringIO()
    printer = LinePrinter(stream)
    printer.print_op(module)
    text = stream.getvalue()
    return text, [printer.places.get(number, 0) if number else 0 for number in range(text.count("\n") + 1)]
