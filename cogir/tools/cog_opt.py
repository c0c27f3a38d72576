"""
`cog-opt`: reads models and IR, runs passes, prints what comes out.

It is an `xDSLOptMain`: the passes and targets of xDSL are there beside those of cogir. It adds the stages (`--emit`), errors with the line
of the file and a caret, the IR around passes, remarks and statistics, and a reproducer when a pass fails for reasons of its own.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from io import StringIO
from typing import IO, Any

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.transforms import get_all_passes
from xdsl.utils.exceptions import ParseError
from xdsl.xdsl_opt_main import xDSLOptMain

from cogir.analyze.replace_equivalent_nodes import ReplaceEquivalentNodes
from cogir.backend.emit_llvm_ir import emit_llvm_ir
from cogir.dialects import cog, llvm_ext, rng
from cogir.dialects.cog import ModelOp
from cogir.dialects.module_text import ModuleTarget
from cogir.dialects.text import CogParser, make_context
from cogir.lowering.gpu.separate_device import SIDES, SeparateDevice
from cogir.lowering.pipeline import FOR_TEXTS, OF_KERNELS, OF_MODELS, PASSES, passes_between, road_to, stage_names
from cogir.remarks import reported
from cogir.tools.common import (
    INTERNAL_ERROR,
    USER_ERROR,
    add_version,
    left_out,
    open_output,
    parameter_paths,
    read_input,
    refuse_arguments,
    run_tool,
    verify_module,
)
from cogir.tools.diagnostics import USER_ERRORS, TextPosition, ToolError, coloured, near, one_line, place_of, tell, tool_error, warn
from cogir.tools.ir_dumps import IrDumps
from cogir.tools.listings import list_of_dialects, list_of_passes, pass_in_full
from cogir.tools.model_files import is_python, load_python
from cogir.tools.pass_lists import parse_passes
from cogir.tools.pass_reports import RemarkFilter, Statistics, operations_of, remark_lines
from cogir.tools.pieces import SEPARATOR, TextPiece, pieces_of
from cogir.transforms.fill_lanes import FillLanes
from cogir.transforms.replicate import Replicate

DESCRIPTION = """\
Reads a model, or any other IR, runs passes on it and prints the result.

examples:
  cog-opt model.mlir                                 check a model and print it
  cog-opt model.mlir -p complete-schedule            run one pass
  cog-opt model.mlir -p 'complete-schedule,cog-cse'  run several, in this order
  cog-opt model.mlir --emit=machine                  lower it to a stage
  cog-opt model.mlir --lower-to-llvm                 lower it to the llvm dialect
  cog-opt model.mlir --emit=machine --remarks        say what the passes did, and what not, and why
  cog-opt model.mlir --emit=llvm --print-ir-after=cog-licm,bufferize
  cog-opt model.py --emit=machine                    lower a model in Python
  cog-opt --list-passes=cog-licm                     describe a pass
"""

ALL_IF_BARE = (
    "--list-passes",
    "--print-ir-before",
    "--print-ir-after",
    "--print-ir-before-all",
    "--print-ir-after-all",
    "--remarks",
)
"""The options whose values follow `=` only, as in LLVM's tools: `--remarks model.mlir` gives no value."""

EMITTED = (*stage_names(), "llvm-ir")
"""The values of `--emit`: the stages, and the text that LLVM reads."""


def pass_text(name: str, options: Mapping[str, bool | int | str | tuple[str, ...]]) -> str:
    """A pass with its options, as `--passes` takes them: `a{option=1}`."""
    if not options:
        return name
    values = {key: value if isinstance(value, tuple) else (value,) for key, value in options.items()}
    written = [f"{key}={','.join(map(json.dumps, given))}" for key, given in values.items()]
    return f"{name}{{{' '.join(written)}}}"


class PassFailure(Exception):
    """A pass failed for reasons of its own; `report` says how to see it again."""

    def __init__(self, pass_name: str, error: Exception):
        super().__init__(pass_name)
        self.pass_name = pass_name
        self.error = error
        self.report = ""

    def __str__(self) -> str:
        return (
            f"internal error: pass '{self.pass_name}' failed with {type(self.error).__name__}: {one_line(self.error)}\n"
            f"This is a defect of cogir, not of the model. To reproduce it: cog-opt {self.report}"
        )


def all_passes() -> dict[str, type[ModulePass]]:
    """The passes of the pipeline, and the one that needs the pipeline itself."""
    return {**PASSES, ReplaceEquivalentNodes.name: ReplaceEquivalentNodes}


class CogOptHelp(argparse.RawDescriptionHelpFormatter):
    """The help, in which values that follow `=` only are written so: `--remarks[=PASS,...]`."""

    def _format_action_invocation(self, action: argparse.Action) -> str:
        return super()._format_action_invocation(action).replace(" [=", "[=")


class CogOptMain(xDSLOptMain):
    """The tool; see the description above."""

    def __init__(self, args: Sequence[str] | None = None):
        given = sys.argv[1:] if args is None else args
        super().__init__(description=DESCRIPTION, args=[f"{each}=" if each in ALL_IF_BARE else each for each in given])

    def register_all_dialects(self) -> None:
        self.ctx: Context = make_context()

    def register_all_passes(self) -> None:
        for name, factory in get_all_passes().items():
            self.register_pass(name, factory)
        for name, pass_type in all_passes().items():
            self.register_pass(name, giver(pass_type))

    def register_all_targets(self) -> None:
        # Other targets are the business of cog-translate.
        self.available_targets["mlir"] = lambda: ModuleTarget

    def register_all_arguments(self, arg_parser: argparse.ArgumentParser) -> None:
        arg_parser.prog = "cog-opt"
        arg_parser.error = lambda message: refuse_arguments(arg_parser, message)
        arg_parser.usage = "cog-opt [options] [input_file]"
        arg_parser.formatter_class = CogOptHelp
        title = "passes of cogir (with the passes of xDSL: --list-passes)"
        arg_parser.epilog = list_of_passes(title, all_passes().values()).replace("%", "%%")
        arg_parser.add_argument("input_file", nargs="?", help="a file .mlir, or a model in Python as for cog-run (default: standard input)")
        add = arg_parser.add_argument_group("what to do").add_argument
        add(
            "-p",
            "--passes",
            default="",
            metavar="PASSES",
            help="passes to run, such as 'a,b{option=1}'; with --emit or --lower-to-llvm, wherever it stands, they run on the lowered IR",
        )
        add("--emit", metavar="STAGE", help=f"lower to a stage: {', '.join(stage_names())} or llvm-ir (text)")
        add("--lower-to-llvm", action="store_true", help="lower to the llvm dialect, as --emit=llvm")
        add(
            "--without",
            default="",
            metavar="PASSES",
            help="optimisations to leave out, such as 'factor-grid,cog-cse'",
        )
        add("--replicates", action="store_true", help="lower for many independent runs: the entry is @replicates instead of @run")
        add(
            "--sweep",
            metavar="PARAMETERS",
            help="lower for replicates at points that differ in these parameters ('decision/rate,decision/noise'): the entry is @sweep",
        )
        add(
            "--kernels",
            nargs="?",
            const="device",
            choices=SIDES,
            help="make searches, or replicates, kernels for GPUs; below stage machine keep the kernels (default), or the host's functions",
        )
        add("--specialise", action="store_true", help="fold the values of the parameters into the code")
        add("--from", dest="since", metavar="STAGE", help="the stage that the input is at (default: cog)")
        add("--list-passes", metavar="[=PASS,...]", help="list all passes with their options, or describe the given ones, and stop")
        add("--show-dialects", action="store_true", help="list the dialects and stop")
        add = arg_parser.add_argument_group("input").add_argument
        add("-f", "--frontend", choices=["mlir"], default="mlir", help="the language of the input (default: mlir)")
        add("--split-input-file", action="store_true", help=f"process the pieces between lines '{SEPARATOR}' separately")
        add("--allow-unregistered-dialect", action="store_true", help="accept operations of unknown dialects")
        add("--no-implicit-module", action="store_true", help="require the input to be written as builtin.module")
        add = arg_parser.add_argument_group("output").add_argument
        add("-o", "--output-file", metavar="FILE", help="the file to write (default: the standard output)")
        add("-t", "--target", default="mlir", choices=["mlir"], help=argparse.SUPPRESS)
        add("--print-op-generic", action="store_true", help="write operations in their generic form")
        add("--print-no-properties", action="store_true", help="write properties as attributes")
        add("--print-debuginfo", action="store_true", help="write where each operation comes from")
        add("--syntax-highlight", action="store_true", help="colour the output")
        add = arg_parser.add_argument_group("debugging").add_argument
        add("--dump-pass-pipeline", action="store_true", help="print the passes that will run, as -p takes them, on standard error")
        add(
            "--print-ir-before",
            "--print-ir-before-all",
            metavar="[=PASS,...]",
            help="print the IR before these passes, or all, on standard error",
        )
        add(
            "--print-ir-after",
            "--print-ir-after-all",
            metavar="[=PASS,...]",
            help="print the IR after these passes, or all, on standard error",
        )
        add("--print-ir-after-change", action="store_true", help="print the IR after a pass only if the pass has changed it")
        add("--print-between-passes", action="store_true", help="print the IR after each pass but the last, on standard output")
        add(
            "--remarks",
            metavar="[=KIND or PASS,...]",
            help="print what passes did (passed), did not do (missed) and found out (analysis), on standard error",
        )
        add("--pass-statistics", action="store_true", help="print what each pass counted, on standard error")
        add("--time-passes", action="store_true", help="print the time of each pass, on standard error")
        add("--disable-verify", action="store_true", help="do not verify the IR")
        add("--verify-diagnostics", action="store_true", help="print errors of the input as output, exit with 0")
        add("--parsing-diagnostics", action="store_true", help="print errors of the parser as output, exit with 0")
        add("--reproducer", metavar="FILE", help="write a reproducer of an internal error to FILE")
        add_version(arg_parser)

    def setup_pipeline(self) -> None:
        """The passes are looked up here, so that a wrong name is told before the input is read."""
        names = self.args.passes
        since: str | None = self.args.since
        if since is not None and since not in stage_names():
            raise ToolError(f"--from: there is no stage '{since}'{near(since, stage_names()) or stages_text(stage_names())}")
        self.in_python = is_python(self.args.input_file)
        if self.in_python and since not in (None, "cog"):
            raise ToolError("--from: a model in Python is at stage cog; leave it out")
        self.since = since or "cog"
        self.stage: str | None = "llvm" if self.args.lower_to_llvm else self.args.emit
        if since is not None and self.stage is None:
            raise ToolError("--from gives the first stage of a lowering; give the last stage, too: --emit=STAGE or --lower-to-llvm")
        if self.stage not in (None, *EMITTED):
            remedy = emitted_elsewhere(self.stage) or near(self.stage, EMITTED) or stages_text(EMITTED)
            raise ToolError(f"--emit: there is no stage '{self.stage}'{remedy}")
        if self.stage is not None:
            stage = "llvm" if self.stage == "llvm-ir" else self.stage
            kernels = self.args.kernels is not None
            passes = passes_between(self.since, stage, left_out(self.args.without), self.args.specialise, kernels)
            options = self.pass_options()
            lowering = (*(FOR_TEXTS if self.since in OF_MODELS and not self.in_python else ()), *passes)
            names = ",".join([*(pass_text(name, options.get(name, {})) for name in lowering), *([names] if names else [])])
        else:
            self.refuse_options_of_lowering()
        self.passes = parse_passes(names, self.known_pass)
        self.dumps = self.chosen_dumps()
        self.remarks = None if self.args.remarks is None else RemarkFilter.parse(self.args.remarks, self.available_passes)
        if self.remarks is not None:
            self.passes_that_run("--remarks", ",".join(self.remarks.passes))
        self.statistics = Statistics() if self.args.pass_statistics else None

    def refuse_options_of_lowering(self) -> None:
        """Refuses options that say how to lower where no stage is given."""
        args = self.args
        given = {
            "--replicates": args.replicates,
            "--sweep": args.sweep is not None,
            "--kernels": args.kernels is not None,
            "--specialise": args.specialise,
            "--without": args.without,
        }
        for option in (option for option, is_given in given.items() if is_given):
            raise ToolError(f"{option} applies to lowering to a stage; give the stage, too: --emit=STAGE or --lower-to-llvm")

    def chosen_dumps(self) -> list[IrDumps]:
        """The dumps that the options ask for."""
        before, after, on_change = self.args.print_ir_before, self.args.print_ir_after, self.args.print_ir_after_change
        found: list[IrDumps] = []
        if before is not None or after is not None or on_change:
            after = "" if on_change and after is None else after
            first = () if before is None else self.passes_that_run("--print-ir-before", before)
            last = () if after is None else self.passes_that_run("--print-ir-after", after)
            found.append(IrDumps(first, last, on_change, self.dump_text, lambda: sys.stderr))
        if self.args.print_between_passes:
            between = {each.name for each in self.passes[:-1]}
            found.append(IrDumps((), between, False, self.dump_text, lambda: sys.stdout))
        return found

    def chosen_passes(self, names: str) -> Collection[str] | None:
        """The passes that an option names; None for all."""
        chosen = [name.strip() for name in names.split(",") if name.strip()]
        for name in chosen:
            self.known_pass(name)
        return chosen or None

    def passes_that_run(self, option: str, names: str) -> Collection[str] | None:
        """The passes that an option names; None for all. Warns of those that do not run."""
        chosen = self.chosen_passes(names)
        for name in chosen or ():
            if name not in {each.name for each in self.passes}:
                warn(f"{option}: pass '{name}' is not among the passes that run; --dump-pass-pipeline prints them")
        return chosen

    def known_pass(self, name: str) -> type[ModulePass]:
        """The pass of this name."""
        if name not in self.available_passes:
            raise ToolError(f"there is no pass '{name}'{hint(name, self.available_passes)}")
        return self.available_passes[name]()

    def pass_options(self) -> dict[str, dict[str, Any]]:
        """The options of the passes of a lowering, by their names."""
        options: dict[str, dict[str, Any]] = {}
        if self.args.kernels is not None:
            options = {name: dict(given) for name, given in OF_KERNELS.items()}
            options[SeparateDevice.name] = {"keep": self.args.kernels}
        if self.args.sweep is not None:
            options[Replicate.name] = {"enabled": True, "points": True}
            if varying := parameter_paths(self.args.sweep):
                options.setdefault(FillLanes.name, {})["varying"] = varying
        elif self.args.replicates:
            options[Replicate.name] = {"enabled": True}
        return options

    def run_tool(self) -> int:
        """Reads, transforms and writes; gives the exit code."""
        if self.args.list_passes is not None:
            print(self.listed_passes(self.args.list_passes))
            return 0
        if self.args.show_dialects:
            print(list_of_dialects(self.ctx, (cog, rng, llvm_ext)))
            return 0
        if self.args.dump_pass_pipeline:
            count = f"{len(self.passes)} pass{'es' * (len(self.passes) != 1)}"
            print(f"Pass Manager with {count}:\n{self.pipeline_text()}", file=sys.stderr)
        python = load_python(self.args.input_file) if self.in_python else None
        text, name = read_input(self.args.input_file) if python is None else (str(python), self.args.input_file)
        output = open_output(self.args.output_file)
        failed = False
        try:
            for index, piece in enumerate(self.pieces(text) if python is None else [TextPiece(text, 0, 1)]):
                if index:
                    output.write(f"{SEPARATOR}\n")
                try:
                    output.write(self.transformed(piece, name, python))
                except USER_ERRORS as error:
                    failed |= not self.tell(tool_error(error), output, parsing=isinstance(error, ParseError))
                output.flush()
        finally:
            if output is not sys.stdout:
                output.close()
        if self.statistics is not None:
            print(self.statistics, file=sys.stderr)
        return USER_ERROR if failed else 0

    def listed_passes(self, names: str) -> str:
        """The list of all passes, or the descriptions of those that are named."""
        if chosen := self.chosen_passes(names):
            return "\n".join(pass_in_full(self.known_pass(name)) for name in chosen)
        own = all_passes()
        others = [self.known_pass(name) for name in sorted(self.available_passes) if name not in own]
        return f"{list_of_passes('passes of cogir', own.values())}\n\n{list_of_passes('passes of xDSL', others)}"

    def pipeline_text(self) -> str:
        """The passes that run, as `--passes` takes them."""
        return ",".join(str(each) for each in self.passes)

    def tell(self, error: ToolError, output: IO[str], *, parsing: bool) -> bool:
        """Tells an error of the input; True when that is what was asked for."""
        expected = self.args.verify_diagnostics or (parsing and self.args.parsing_diagnostics)
        if expected:
            output.write(f"{error}\n")
        else:
            sys.stdout.flush()
            tell(error)
        return expected

    def pieces(self, text: str) -> list[TextPiece]:
        """The pieces of the input that are read one by one."""
        return pieces_of(text) if self.args.split_input_file else [TextPiece(text, 0, 1)]

    def transformed(self, piece: TextPiece, name: str, python: ModuleOp | None) -> str:
        """The output for one piece of the input, or for the module of a model in Python, of which the piece is the text."""
        try:
            module = python or parse_piece(CogParser(self.ctx, piece.text, name, first_line=piece.first_line), self.args, piece)
            if not self.args.disable_verify:
                verify_module(module)
            if self.stage is not None and self.since == "cog" and not any(isinstance(op, ModelOp) for op in module.ops):
                raise ToolError("the input contains no cog.model; give the stage that it is at, such as --from=machine", TextPosition(name))
            self.apply_all(module, name)
            return emit_llvm_ir(module) if self.stage == "llvm-ir" else self.output_resulting_program(module)
        except PassFailure as failure:
            failure.report = self.write_reproducer(piece, failure)
            raise
        except RecursionError as error:
            raise ToolError("the input is nested too deeply", TextPosition(name)) from error

    def dump_text(self, prog: ModuleOp) -> str:
        """The text of a dump. With places it is in generic form, as xDSL cannot read the places of some other forms again."""
        output = StringIO()
        places = self.args.print_debuginfo
        ModuleTarget(
            print_generic_format=self.args.print_op_generic or places,
            print_properties_as_attributes=self.args.print_no_properties,
            print_debuginfo=places,
        ).emit(self.ctx, prog, output)
        return output.getvalue()

    def apply_all(self, prog: ModuleOp, name: str) -> None:
        """Runs the passes on a module of the file `name`, with what the options ask for around each of them."""
        listens = self.remarks is not None or self.statistics is not None
        for each in self.passes:
            for dumps in self.dumps:
                dumps.enter(each, prog)
            before = operations_of(prog) if self.statistics is not None else Counter[str]()
            start = time.perf_counter()
            with reported() if listens else nullcontext() as report:
                self.apply_one(each, prog)
            if self.args.time_passes:
                print(f"{each.name}: {1e3 * (time.perf_counter() - start):.1f} ms", file=sys.stderr)
            if self.remarks is not None and report is not None:
                for text in remark_lines(report, each.name, name, self.remarks, colours=coloured(sys.stderr)):
                    print(text, file=sys.stderr)
            if self.statistics is not None and report is not None:
                self.statistics.add(each.name, report, before, operations_of(prog))
            for dumps in self.dumps:
                dumps.leave(each, prog)
            if not self.args.disable_verify:
                verify_module(prog)

    def apply_one(self, each: ModulePass, prog: ModuleOp) -> None:
        """Runs one pass."""
        try:
            expect_stage(each.name, prog)
            each.apply(self.ctx, prog)
        except USER_ERRORS as error:
            raise tool_error(error, prog) from error
        except Exception as error:
            # Not a way of hiding it: the user gets the means to report it, and the exit code says whose fault it is.
            raise PassFailure(each.name, error) from error

    def write_reproducer(self, piece: TextPiece, failure: PassFailure) -> str:
        """Writes the input of passes that failed, and how to run them again; gives the arguments for that."""
        path = self.args.reproducer
        if path is None:
            handle, path = tempfile.mkstemp(prefix="cog-opt-", suffix=".mlir")
            os.close(handle)
        arguments = f"{path} -p '{self.pipeline_text()}'"
        reason = "".join(f"//   {line}\n" for line in traceback.format_exception(failure.error) for line in line.splitlines())
        with open_output(path) as file:
            file.write(f"// cog-opt {arguments}\n// fails with:\n{reason}{piece.text}")
        return arguments


def parse_piece(parser: CogParser, args: argparse.Namespace, piece: TextPiece) -> ModuleOp:
    """The module in a piece of the input; errors of the parser count lines from the start of the whole input."""
    try:
        return parser.parse_module(not args.no_implicit_module)
    except ParseError as error:
        error.span = replace(error.span, line_offset=piece.first_line - 1)
        raise


def expect_stage(name: str, module: ModuleOp) -> None:
    """Refuses a pass that works on what has become of a model on a module that still holds one."""
    model = next((op for op in module.ops if isinstance(op, ModelOp)), None)
    before, passes = ("cog", ()) if model is None else road_to(name)
    if model is not None and before not in ("cog", "scheduled"):
        raise ToolError(
            f"pass '{name}' requires IR of stage {before}, but the input has a cog.model; lower it with --emit={before}, and run "
            f"-p {','.join(passes)} on the output",
            place_of(model),
        )


def hint(name: str, known: Iterable[str]) -> str:
    """The hint after the name of an unknown pass."""
    return near(name, known) or "; --list-passes lists them"


def stages_text(names: Iterable[str]) -> str:
    """The text behind the name of an unknown stage: the stages that there are."""
    return f"; the stages are {', '.join(names)}"


def emitted_elsewhere(name: str) -> str:
    """The hint for a format that cog-translate emits; empty for other names."""
    from cogir.tools.cog_translate import EMIT  # here, as it loads what machine code needs

    return f"; cog-translate --emit={name} writes it" if name in EMIT else ""


def giver(pass_type: type[ModulePass]) -> Callable[[], type[ModulePass]]:
    """xDSL wants a function that gives the pass."""
    return lambda: pass_type


def main(args: Sequence[str] | None = None) -> int:
    """Runs `cog-opt` with these arguments (default: those of the command line); gives its exit code."""
    try:
        return run_tool(lambda: CogOptMain(args).run_tool())
    except PassFailure as failure:
        print(failure, file=sys.stderr)
        return INTERNAL_ERROR


if __name__ == "__main__":
    sys.exit(main())
