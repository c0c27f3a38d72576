"""
Feeds mutated models to `cog-opt` and looks for tracebacks and internal errors.

Whatever the input, `cog-opt` gives exit code 0, or 1 with one message per error on the standard error. An exception that
escapes, an internal error of a pass (exit code 70) or an error without a message is a defect; the input that shows it is
written to a file.

    python test/fuzz/fuzz_cog_opt.py --minutes 10 --seed 1
"""

from __future__ import annotations

import argparse
import io
import random
import signal
import sys
import tempfile
import time
import traceback
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from types import FrameType

from mutations import corpus, mutated

from cogir.lowering.pipeline import PASSES
from cogir.tools.cog_opt import main as cog_opt

MODES: tuple[tuple[str, ...], ...] = (
    (),
    (),
    ("--print-op-generic",),
    ("--print-debuginfo",),
    ("--allow-unregistered-dialect",),
    ("-p", "complete-schedule"),
    ("--emit=scheduled",),
    ("--emit=machine",),
    ("--lower-to-llvm",),
    *(("-p", name) for name in PASSES),
)
"""The options that an input is tried with: every pass also where it does not belong."""


SECONDS = 60
"""After how long an input counts as one that hangs `cog-opt`."""


def too_long(number: int, frame: FrameType | None) -> None:
    """Ends an input that takes too long."""
    raise TimeoutError(f"not done after {SECONDS} s")


def failure(path: Path, options: tuple[str, ...]) -> tuple[int, str | None]:
    """The exit code for a file, and what is wrong with how `cog-opt` takes it; None when nothing is."""
    out, err = io.StringIO(), io.StringIO()
    signal.alarm(SECONDS)
    try:
        with redirect_stdout(out), redirect_stderr(err):
            code = cog_opt([str(path), *options])
    except Exception:
        # Any exception that escapes is what this script looks for.
        return -1, traceback.format_exc()
    finally:
        signal.alarm(0)
    if code not in (0, 1):
        return code, f"exit code {code}: {err.getvalue()}"
    if code == 1 and "error: " not in err.getvalue():
        return code, f"an error without a message: {err.getvalue()!r}"
    return code, None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=1.0, help="how long to go on (default: 1)")
    parser.add_argument("--seed", type=int, default=0, help="where the mutations start (default: 0)")
    parser.add_argument("--keep", type=Path, help="the folder for inputs that show defects (default: a new one)")
    parser.add_argument("--stop", action="store_true", help="stop at the first defect")
    args = parser.parse_args()
    signal.signal(signal.SIGALRM, too_long)
    texts = corpus()
    rng = random.Random(args.seed)
    keep: Path = args.keep or Path(tempfile.mkdtemp(prefix="cog-opt-fuzz-"))
    keep.mkdir(parents=True, exist_ok=True)
    file = keep / "input.mlir"
    good = [text for text in texts if file.write_text(text) and failure(file, ())[0] == 0]
    seen: dict[str, int] = {}
    tried = accepted = 0
    end = time.monotonic() + 60 * args.minutes
    while time.monotonic() < end:
        text = mutated(rng.choice(good if rng.random() < 0.7 else texts), texts, rng)
        options = rng.choice(MODES)
        file.write_text(text, encoding="utf-8", errors="replace")
        tried += 1
        code, found = failure(file, options)
        accepted += code == 0
        if found is None:
            continue
        # The same defect is shown once: its last lines tell it from others.
        key = "\n".join(found.strip().splitlines()[-3:])
        seen[key] = seen.get(key, 0) + 1
        if seen[key] == 1:
            shown = keep / f"defect-{len(seen)}.mlir"
            shown.write_text(text, encoding="utf-8", errors="replace")
            print(f"--- cog-opt {' '.join(options)} {shown}\n{found}", flush=True)
            if args.stop:
                break
    print(f"{tried} inputs from {len(texts)} pieces, {accepted} of them accepted, {len(seen)} defects")
    return 1 if seen else 0


if __name__ == "__main__":
    sys.exit(main())
