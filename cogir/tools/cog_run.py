"""
`cog-run`: runs a model and shows its results.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

from cogir.errors import InputError, ModelError, counted
from cogir.frontend.builder.model import Model
from cogir.frontend.compilable import MATH
from cogir.frontend.compile import compile as compile_model
from cogir.frontend.compile import source_of
from cogir.frontend.parsed import ParsedModel
from cogir.library.random.generators import model_words
from cogir.runtime.compiled import Compiled
from cogir.runtime.context import Context
from cogir.runtime.modes import INTERPRETED, MODES, TARGETS
from cogir.runtime.named_data import NamedColumns
from cogir.runtime.results import Result, RunInterrupted
from cogir.tools.common import Arguments, add_version, left_out, run_tool, standard_output
from cogir.tools.diagnostics import TextPosition, ToolError, one_line
from cogir.tools.model_files import load_model, placed
from cogir.tools.run_files import arrays_of, by_path, cell_text, check_results_file, read_inputs, table, text_table, write_results
from cogir.tools.slow_runs import notice_if_slow
from cogir.tools.study_options import add_options, check_study_file, is_study

DESCRIPTION = """\
Runs a model and prints the outputs of its trials.

examples:
  cog-run model.mlir --inputs '{"stimulus": [[0.3]]}' --trials 10
  cog-run model.py --inputs trials.csv --save results.npz
  cog-run package.module:build --set decision.rate=2.0 --seed 7 --trials 100
  cog-run model.py --replicates 1000 --inputs trials.csv --save replicates.nc
  cog-run model.py --sweep decision.rate=0:2:11 --replicates 1000 --reduce mean,sem
  cog-run model.py --fit data.csv --free decision.drift=0:3 --save estimates.csv
  cog-run model.mlir --stage machine                 interpret it at a stage of the compiler
"""

NOT_FINITE = ("nan", "inf", "-inf")
"""The numbers that JSON cannot write, as Python writes them."""
SHOWN = 20
"""The number of trials that are printed unless --all is given."""


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = Arguments("cog-run", description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = made.add_argument
    add(
        "model",
        nargs="?",
        help="a file .mlir, a file .py that defines `model` or `build()`, FILE.py:name, or module:name "
        "(default: text from the standard input)",
    )
    add = made.add_argument_group("what to run").add_argument
    add("-i", "--inputs", metavar="FILE", help="a file .json, .csv or .npz, or JSON: trials by node (default: zeros)")
    add("-n", "--trials", "--num-trials", type=int, metavar="N", help="the number of trials (default: one for each input)")
    add(
        "--set",
        action="append",
        default=[],
        metavar="NODE.PARAM=VALUE",
        help="set a parameter (of a node below an instance: INSTANCE/NODE.PARAM=VALUE); may be repeated",
    )
    add("--seed", type=int, metavar="N", help="the seed of the model (NumPy's generators take N, N + 1, ...), of many runs, or of a fit")
    add = made.add_argument_group("how to run it").add_argument
    add("-m", "--mode", choices=MODES, help="how the model is run (default: auto, the fastest mode that works)")
    add("--target", choices=TARGETS, default="cpu", help="where it runs: a GPU does searches (default: cpu)")
    add("--stage", choices=("cog", *INTERPRETED), help="interpret the model at this stage instead")
    add(
        "--math",
        choices=MATH,
        default="portable",
        help="elementary functions: cogir's own, or the C library's (default: portable)",
    )
    add("--without", default="", metavar="PASSES", help="optimisations to leave out, such as 'factor-grid,cog-cse'")
    add("--specialise", action="store_true", help="fold the values of the parameters into the code")
    add("--no-cache", action="store_true", help="do not use the cache of compiled models")
    add_options(made)
    add = made.add_argument_group("results").add_argument
    add("-o", "--save", metavar="FILE", help="save the results as .json, .csv or .npz (many runs and fits: .csv, .npz or .nc)")
    add("--overwrite", action="store_true", help="write over a file that exists (default: refuse)")
    add("--all", action="store_true", help=f"print all trials, not the first {SHOWN}")
    add("-q", "--quiet", action="store_true", help="print nothing")
    add_version(made)
    return made


def compiled(model: Model | ParsedModel, args: argparse.Namespace) -> Compiled:
    """The model, ready to run as the command line says."""
    if args.stage is not None and args.mode is not None:
        raise ToolError("give either --mode or --stage, not both: a stage is always interpreted")
    without = left_out(args.without)
    if without:
        from cogir.lowering.pipeline import passes_between  # here, as it loads all passes, of which cached models need none

        passes_between("cog", "cog", without)  # says what is no optimisation, as the other tools do
    if args.stage is None:
        mode = args.mode or "auto"
        return compile_model(model, mode=mode, target=args.target, math=args.math, cache=not args.no_cache, without=without)
    if args.target != "cpu":
        raise ToolError(f"give either --stage or --target={args.target}, not both: a stage is interpreted on the CPU")
    if args.stage == "cog":
        return compile_model(model, mode="python", math=args.math)
    from cogir.runtime.staged import StagedEngine

    return Compiled(StagedEngine(source_of(model), args.stage, args.math, without), f"stage {args.stage}", model.name)


def set_parameters(context: Context, settings: Sequence[str]) -> None:
    """Carries out `--set NODE.PARAM=VALUE`."""
    seen: dict[str, str] = {}
    for setting in settings:
        path, equals, text = setting.partition("=")
        owner, dot, name = path.rpartition(".")
        if not equals or not (dot or "/" in path):
            raise ToolError(
                f"--set {setting}: write NODE.PARAM=VALUE, such as decision.rate=2.0, and INSTANCE/NODE.PARAM=VALUE below an instance"
            )
        try:
            value: Any = json.loads(text) if text.strip().lower() not in NOT_FINITE else float(text)
        except json.JSONDecodeError:
            raise ToolError(f"--set {setting}: '{text}' is not a number or a list of numbers") from None
        parameter = f"{owner}/{name}" if dot else path
        if parameter in seen:
            raise ToolError(f"--set {setting}: the parameter is already given, as {seen[parameter]}; give it once")
        seen[parameter] = setting
        context.params[parameter] = value


def inputs_of(given: str, ready: Compiled) -> Any:
    """The inputs in a file or on the command line; mistakes in the names of columns are told with the place of the names."""
    inputs = read_inputs(given)
    if isinstance(inputs, NamedColumns):
        inputs = NamedColumns(by_path(inputs.by_name, ready), inputs.what)
    try:
        return ready.inputs.by_name(inputs)
    except InputError as error:
        raise ToolError(one_line(error), TextPosition(given, 1, 1) if isinstance(inputs, NamedColumns) else None) from error


def seed_generators(context: Context, seed: int) -> None:
    """Carries out `--seed N`: the generators start as in a model of this seed that gives none of them a seed of its own."""
    for number, path in enumerate(context.generators):
        context.set_words(path, model_words(context.plan.generators[path].kind, number, path, seed, seed))


def show(result: Result, everything: bool) -> str:
    """The results as a table: a line per trial."""
    arrays = arrays_of(result)
    headings, shown = table(arrays if everything else {name: values[:SHOWN] for name, values in arrays.items()})
    lines = text_table([["trial", *headings], *([str(number), *map(cell_text, row)] for number, row in enumerate(shown))])
    if left := result.num_trials - len(shown):
        lines.append(f"... {counted(left, 'more trial')} (--all prints all, --save keeps them)")
    return "\n".join(lines)


def run(args: argparse.Namespace) -> int:
    """Does what the command line says; gives the exit code."""
    studies = is_study(args)
    if args.save is not None:
        check_study_file(args.save, args.overwrite) if studies else check_results_file(args.save, args.overwrite)
    elif args.overwrite:
        raise ToolError("--overwrite belongs to a file of results; give it, too: --save FILE")
    if not args.quiet:
        standard_output("give --quiet, and --save FILE to keep the results")
    model = load_model(args.model)
    try:
        ready = compiled(model, args)
    except ModelError as error:
        raise placed(error) from error
    context = ready.context()
    set_parameters(context, args.set)
    if args.seed is not None and not studies:
        seed_generators(context, args.seed)
    if args.specialise:
        ready.specialise()
    inputs = None if args.inputs is None else inputs_of(args.inputs, ready)
    if studies:
        from cogir.tools.run_studies import run_study  # here, as it loads what fits need

        return run_study(ready, model, inputs, args)
    code = 0
    missing = ("no --inputs were given, so all inputs are zeros",) if inputs is None and ready.plan.inputs else ()
    try:
        with notice_if_slow(context, missing) if not args.quiet else nullcontext():
            result = ready.run(inputs, args.trials)
    except RunInterrupted as stop:
        print(f"error: {stop}", file=sys.stderr)
        result, code = stop.result, 130
    # Saved first: printing may be cut short.
    if args.save is not None:
        write_results(result, args.save)
    if not args.quiet:
        print(show(result, args.all))
    return code


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs `cog-run` with these arguments (default: those of the command line); gives its exit code."""
    try:
        return run_tool(lambda: run(parser().parse_args(arguments)))
    except KeyboardInterrupt:
        print("error: interrupted", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
