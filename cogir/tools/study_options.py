"""
The options of `cog-run` for replicates, sweeps and fits, which are called as the arguments in Python.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from cogir.tools.diagnostics import TextPosition, ToolError
from cogir.tools.run_files import check_is_free

FORMATS = (".csv", ".npz", ".nc")
"""The endings of files for results of studies."""
NAMES = ("free", "response", "depends_on", "likelihood", "simulations", "lapse", "undecided", "subject", "intervals")
"""The options of fits."""


def add_options(made: argparse.ArgumentParser) -> None:
    """Adds the options of replicates, sweeps and fits to a command line."""
    add = made.add_argument_group("many runs (documentation: docs/tools.md)").add_argument
    add("--replicates", type=int, metavar="N", help="run N times, each with random numbers of its own (of a sweep: at each point)")
    add(
        "--sweep",
        action="append",
        metavar="POINTS",
        help="run at many points: NODE.PARAM=LOW:HIGH:COUNT, NODE.PARAM=1,2,3, JSON, or a table with a row per point (.csv, .npz, .json); "
        "repeated: all combinations",
    )
    add("--reduce", metavar="NAMES", help="statistics over the replicates of each point, such as mean,sem (default: all outputs)")
    add("--common-random-numbers", action="store_true", help="the same random numbers at all points of a sweep")
    add("--store", metavar="FOLDER", help="a folder (.zarr) that keeps finished points, so that a sweep can be continued")
    add = made.add_argument_group("fits").add_argument
    add("--fit", metavar="FILE", help="fit the model to data: a table with a row per trial (.csv, .npz, .json)")
    add("--free", action="append", metavar="NODE.PARAM=LOW:HIGH", help="a free parameter and its bounds; repeated for each")
    add(
        "--response", action="append", metavar="OUTPUT=COLUMN", help="the column that holds an output (default: that of its name); repeated"
    )
    add("--depends-on", action="append", metavar="NODE.PARAM=COLUMN", help="a parameter with a value for each value of a column; repeated")
    add("--likelihood", metavar="NAME", help="kernel, histogram or analytical (default: kernel)")
    add("--simulations", type=int, metavar="N", help="simulated trials for each condition")
    add("--lapse", metavar="P", help="the proportion of lapses, or bounds to fit it: LOW:HIGH")
    add("--undecided", metavar="HOW", help="what a missing response is: error, drop or count (default: error)")
    add("--subject", metavar="COLUMN", help="fit each value of this column by itself")
    add("--intervals", metavar="HOW", help="profile, hessian or none (default: profile)")


def is_study(args: argparse.Namespace) -> bool:
    """True if the command line asks for replicates, a sweep or a fit. Refuses options that do not go together."""
    asked = {"--fit": args.fit is not None, "--sweep": args.sweep is not None, "--replicates": args.replicates is not None}
    of_fits = {f"--{name.replace('_', '-')}": getattr(args, name) is not None for name in NAMES}
    for option, is_given in of_fits.items():
        if is_given and args.fit is None:
            raise ToolError(f"{option} belongs to a fit; give the data, too: --fit FILE")
    of_sweeps = {
        "--reduce": args.reduce is not None,
        "--common-random-numbers": args.common_random_numbers,
        "--store": args.store is not None,
    }
    for option, is_given in of_sweeps.items():
        if is_given and args.sweep is None:
            raise ToolError(f"{option} belongs to a sweep; give its points, too: --sweep NODE.PARAM=LOW:HIGH:COUNT")
    if args.fit is not None:
        others = {**asked, "--trials": args.trials is not None, "--stage": args.stage is not None}
        for option, is_given in others.items():
            if is_given and option != "--fit":
                raise ToolError(f"--fit and {option} do not go together; leave one of them out")
        if args.free is None:
            raise ToolError("--fit: no parameter is free; give bounds: --free NODE.PARAM=LOW:HIGH")
    return any(asked.values())


def check_study_file(given: str, overwrite: bool) -> None:
    """Refuses a name of a file to which results of studies cannot be written, and a file that exists."""
    path = Path(given)
    if path.suffix not in FORMATS:
        raise ToolError(f"the file name must end in one of {', '.join(FORMATS)}", TextPosition(given))
    if not path.parent.is_dir():
        raise ToolError("the file cannot be written: there is no such folder", TextPosition(given))
    check_is_free(path, overwrite)
