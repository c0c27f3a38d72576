"""
`python -m cogir.psyneulink script.py [arguments]`: runs an unmodified PsyNeuLink script with its Compositions at native speed.
"""

from __future__ import annotations

import runpy
import sys
import traceback
from pathlib import Path
from types import TracebackType
from typing import Any

from cogir.errors import CogirError
from cogir.psyneulink.accelerate import accelerate
from cogir.psyneulink.execution.short_runs import ShortRuns
from cogir.psyneulink.records import kept

USAGE = """usage: python -m cogir.psyneulink [options] script.py [arguments]

Runs the script as `python script.py` does, with its Compositions compiled.

  --strict             raise an error for anything that cannot be compiled, instead of a warning and a run in PsyNeuLink
  --explain            report, before the first run of each Composition, what compiles and what does not (on stderr), and at the end
                       which calls stayed in PsyNeuLink as they were shorter than compiling
  --short-runs=native  compile each Composition in its first call (default: psyneulink, where such calls stay)
  --no-progress        show no progress bar (without a terminal there is none)
  --mode=MODE          PsyNeuLink's execution mode: Auto, LLVMRun, LLVMExec, LLVMPerNode or Python (default: Auto)"""


def main(arguments: list[str]) -> int:
    """Runs the script as if Python had been called with it; returns the exit status."""
    options: dict[str, Any] = {}
    explained = Explained()
    mode = "Auto"
    while arguments and arguments[0].startswith("-"):
        option = arguments.pop(0)
        match option.partition("="):
            case ("--strict", "", ""):
                options["strict"] = True
            case ("--explain", "", ""):
                options["before_first"] = explained.say
            case ("--short-runs", "=", given):
                options["short_runs"] = given
            case ("--no-progress", "", ""):
                options["progress"] = False
            case ("--mode", "=", given):
                mode = given
            case ("-h" | "--help", "", ""):
                print(USAGE)
                return 0
            case _:
                return wrong(f"unknown option {option}\n{USAGE}")
    if not arguments:
        return wrong(f"no script given\n{USAGE}")
    script = arguments[0]
    if not Path(script).is_file():
        return wrong(f"{script}: there is no such file")
    sys.argv = arguments
    sys.path[0] = str(Path(script).resolve().parent)
    try:
        fast = accelerate(mode, **options)
    except CogirError as error:
        return wrong(str(error))
    with fast:
        try:
            runpy.run_path(script, run_name="__main__")
        except Exception as error:
            traceback.print_exception(error.with_traceback(within(script, error.__traceback__)))
            return 1
        finally:
            explained.end()
    return 0


def within(script: str, trace: TracebackType | None) -> TracebackType | None:
    """A traceback from where the script begins, without what has called it."""
    found = trace
    while found is not None and found.tb_frame.f_code.co_filename != script:
        found = found.tb_next
    return found or trace


class Explained:
    """The Compositions of a script that are explained, as `--explain` asks."""

    def __init__(self) -> None:
        self.short_runs: list[tuple[str, ShortRuns]] = []
        """Their names, and the calls of each that stay in PsyNeuLink."""

    def say(self, composition: Any) -> None:
        """Prints the parts of a Composition that compile."""
        from cogir.psyneulink.explanation import explain

        print(explain(composition), file=sys.stderr)
        self.short_runs.append((composition.name, kept(composition, ShortRuns)))

    def end(self) -> None:
        """Prints which Compositions have run in PsyNeuLink because their calls were short."""
        for name, found in self.short_runs:
            if found.calls:
                print(f"{name}: {found}", file=sys.stderr)


def wrong(message: str) -> int:
    """Says what is wrong with the command line; returns the exit status of that."""
    print(f"cogir.psyneulink: error: {message}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
