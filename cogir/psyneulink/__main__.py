"""
`python -m cogir.psyneulink script.py [arguments]`: runs an unmodified PsyNeuLink script with its Compositions at native speed.
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

from cogir.psyneulink.accelerate import accelerate

USAGE = "usage: python -m cogir.psyneulink [--strict] [--mode=Auto|LLVMRun|LLVMExec|LLVMPerNode|Python] script.py [arguments]"


def main(arguments: list[str]) -> int:
    """Runs the script as if Python had been called with it."""
    strict, mode = False, "Auto"
    while arguments and arguments[0].startswith("-"):
        option = arguments.pop(0)
        if option == "--strict":
            strict = True
        elif option.startswith("--mode="):
            mode = option.removeprefix("--mode=")
        else:
            print(USAGE, file=sys.stdout if option in ("-h", "--help") else sys.stderr)
            return 0 if option in ("-h", "--help") else 1
    if not arguments:
        print(USAGE, file=sys.stderr)
        return 1
    script = arguments[0]
    if not Path(script).is_file():
        print(f"{script}: error: there is no such file", file=sys.stderr)
        return 1
    sys.argv = arguments
    sys.path[0] = str(Path(script).resolve().parent)
    with accelerate(mode, strict=strict):
        runpy.run_path(script, run_name="__main__")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
