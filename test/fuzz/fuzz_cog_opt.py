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
import re
import signal
import sys
import tempfile
import time
import traceback
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from types import FrameType

from cogir.lowering.pipeline import PASSES
from cogir.tools.cog_opt import main as cog_opt

ROOT = Path(__file__).parents[2]
TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|[@%!#^]?[\w.$]+|->|//[^\n]*|\s+|.', re.DOTALL)
STRANGE = [
    *["-1", "0", "9223372036854775808", "1.0e999", "0x", "0xFFFFFFFFFFFFFFFFFF", "nan", "inf", "-", "1.5", "true"],
    *["@", '@""', '@"\\', "%", "%0", "%x", "#", "!", "^", '"', '"\\', "\\", "\0", "\u00bd", "\u0394", "\U0001f9e0", "²", "//", "loc("],
    *["{", "}", "(", ")", "[", "]", "<", ">", ",", ":", "=", "->", "dense<", "dense<>", "array<i64>", "{-#", "#-}", "..."],
    *["tensor<", "tensor<*xf64>", "tensor<?xf64>", "tensor<0xf64>", "tensor<99999999999xf64>", "memref<", "vector<2xf64>"],
    *["i0", "i1", "i32", "f32", "f64", "index", "none", "() -> ()", "!rng.state", "!rng.state<mt19937>", "#cog<place port>"],
    *["unit", "builtin.module", "cog.model", "cog.node", "cog.yield", "cog.schedule", "cog.condition", "func.func", "scf.for"],
    *["attributes", "attributes {a}", "{a = 1}", "params", "states", "random", "finished", "until_finished", "matrix", "in"],
]
"""What is put into the text: edges of numbers, of names and of the grammar."""

NUMBERS = ["0", "1", "2", "3", "7", "1000", "1000000", "-1", "0.0", "1.5", "1.0e308", "-0.0", "9007199254740993"]

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


def corpus() -> list[str]:
    """The models and other IR of the tests and examples, piece by piece."""
    files = sorted([*ROOT.glob("test/filecheck/**/*.mlir"), *ROOT.glob("examples/*.mlir")])
    return [piece for file in files for piece in file.read_text().split("// -----") if len(piece) < 20_000]


def mutated(text: str, others: list[str], rng: random.Random) -> str:
    """`text` with a few tokens or characters changed."""
    tokens = TOKEN.findall(text)
    for _ in range(rng.choice((1, 1, 1, 1, 2, 3, 8))):
        if not tokens:
            return rng.choice(STRANGE)
        at = rng.randrange(len(tokens))
        match rng.randrange(12):
            case 0:
                del tokens[at]
            case 1:
                tokens.insert(at, tokens[rng.randrange(len(tokens))])
            case 2:
                tokens[at] = rng.choice(STRANGE)
            case 3:
                tokens.insert(at, rng.choice(STRANGE))
            case 4:
                other = rng.randrange(len(tokens))
                tokens[at], tokens[other] = tokens[other], tokens[at]
            case 5:
                tokens[at] = rng.choice(TOKEN.findall(rng.choice(others)) or [""])
            case 6:
                end = min(len(tokens), at + rng.randrange(1, 30))
                del tokens[at:end]
            case 7:
                end = min(len(tokens), at + rng.randrange(1, 60))
                tokens[at:at] = tokens[at:end]
            case 8 | 9:
                # Numbers and names are exchanged with others of the text, which often leaves a model.
                alike = [token for token in tokens if token[:1] == tokens[at][:1] and not token.isspace()]
                tokens[at] = rng.choice(alike or [tokens[at]])
            case 10:
                numbers = [index for index, token in enumerate(tokens) if token[0].isdigit()]
                if numbers:
                    tokens[rng.choice(numbers)] = rng.choice(NUMBERS)
            case _:
                word = tokens[at]
                place = rng.randrange(len(word))
                tokens[at] = word[:place] + chr(rng.choice((rng.randrange(32, 127), rng.randrange(0x2FFF)))) + word[place + 1 :]
    return "".join(tokens)


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
