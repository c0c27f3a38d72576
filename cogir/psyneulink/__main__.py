"""
`python -m cogir.psyneulink script.py [arguments]`: runs an unmodified PsyNeuLink script with its Compositions at native speed.
"""

from __future__ import annotations

import sys
from os.path import isfile
from typing import Any

from cogir.errors import CogirError
from cogir.psyneulink.execution.short_runs import ShortRuns
from cogir.psyneulink.history import histories, remember_all
from cogir.psyneulink.records import kept
from cogir.psyneulink.runner import AfterImport, run_module, run_script

USAGE = """usage: python -m cogir.psyneulink [options] script.py [arguments]
       python -m cogir.psyneulink [options] -m module [arguments]

Runs a script as `python script.py` does, or a module as `python -m module`, with its Compositions compiled.

  --strict             raise an error for anything that cannot be compiled, instead of a warning and a run in PsyNeuLink
  --explain            report, before the first run of each Composition, what compiles and what does not (on stderr), and at the end
                       which calls stayed in PsyNeuLink as they were shorter than compiling
  --report[=FILE]      report at the end what was native, what fell back and why, and the time of each, on stderr or in FILE (.html, .json,
                       or text)
  --short-runs=native  compile each Composition in its first call (default: psyneulink, where such calls stay)
  --no-progress        show no progress bar (without a terminal there is none)
  --mode=MODE          PsyNeuLink's execution mode: Auto, LLVMRun, LLVMExec, LLVMPerNode or Python (default: Auto)"""


def main(arguments: list[str], until_exit: bool = False) -> int:
    """
    Runs the script as if Python had been called with it; returns the exit status. `until_exit`: its Compositions remain accelerated, as its
    threads and exit handlers go on.
    """
    options: dict[str, Any] = {}
    explained, reported = Explained(), None
    while arguments and arguments[0].startswith("-") and arguments[0] != "-m":
        option = arguments.pop(0)
        match option.partition("="):
            case ("--strict", "", ""):
                options["strict"] = True
            case ("--explain", "", ""):
                options["before_first"] = explained.say
            case ("--report", _, given):
                reported = given
                remember_all()
            case ("--short-runs", "=", given):
                options["short_runs"] = given
            case ("--no-progress", "", ""):
                options["progress"] = False
            case ("--mode", "=", given):
                options["mode"] = given
            case ("-h" | "--help", "", ""):
                print(USAGE)
                return 0
            case _:
                return wrong(f"unknown option {option}\n{USAGE}")
    is_module = arguments[:1] == ["-m"]
    if len(arguments) <= is_module:
        return wrong(f"no {'module' if is_module else 'script'} given\n{USAGE}")
    run, name, rest = (run_module, arguments[1], arguments[2:]) if is_module else (run_script, arguments[0], arguments[1:])
    if not is_module and not isfile(name):
        return wrong(f"{name}: there is no such file")
    try:
        fast = AfterImport(**options)
    except CogirError as error:
        return wrong(str(error))
    try:
        return run(name, rest)
    finally:
        explained.end()
        if reported is not None:
            end_report(name, reported)
        if not until_exit:
            fast.stop()


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


def end_report(name: str, file: str) -> None:
    """Writes the report on a script into a file, or on stderr if that has no name."""
    from cogir.psyneulink.report import report_of

    found = report_of(histories(), name)
    if file:
        found.save(file)
    else:
        print(found, file=sys.stderr)


def wrong(message: str) -> int:
    """Says what is wrong with the command line; returns the exit status of that."""
    print(f"cogir.psyneulink: error: {message}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    status = main(sys.argv[1:], until_exit=True)
    if status and not sys.flags.inspect:
        sys.exit(status)
