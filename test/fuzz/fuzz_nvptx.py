"""
Gives mutated IR to NVPTX and looks for what ends the process.

The texts are kernels at the stages loops, cf and llvm, and the FileCheck tests of these stages; their operations and tokens are mutated.
Each is lowered and made PTX in a process of its own. It may be refused, by `verify-nvptx` or by LLVM; if the process ends otherwise, that
is a defect, and the text is kept.

    python test/fuzz/fuzz_nvptx.py --count 1000 --seed 1
"""

# pyright: basic
from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import time
from collections import Counter
from functools import partial
from pathlib import Path

from mutations import corpus, mutated, op_mutated
from xdsl.context import Context
from xdsl.utils.exceptions import ParseError, VerifyException

from cogir.analysis.verify_ssa import verify_ssa
from cogir.backend.nvptx import ptx
from cogir.dialects.text import parse_text
from cogir.errors import CogirError
from cogir.lowering.pipeline import PASSES, lower_to
from cogir.tools.model_files import load_text

ROOT = Path(__file__).parents[2]
SECONDS = 30
OK, REFUSED, TRACEBACK = 0, 10, 11
WORDS = {OK: "made PTX", REFUSED: "refused", TRACEBACK: "traceback"}


def kernels() -> list[str]:
    """The kernels of small models, at each stage."""
    found: list[str] = []
    for name, replicates in (("evc_ddm", False), ("chain", True)):
        for stage in ("loops", "cf", "llvm"):
            module = load_text(str(ROOT / "examples" / f"{name}.mlir"))
            lower_to(module, stage, kernels=True, options={"replicate": {"enabled": replicates}})
            found.append(str(module))
    return found


def texts() -> list[str]:
    """What is mutated."""
    lower = [text for text in corpus() if "cog.model" not in text and ("llvm." in text or "memref" in text or "nvvm" in text)]
    return [*kernels() * 5, *lower]


def run(text: str) -> int:
    """Makes PTX from a text; how that went."""
    try:
        module = parse_text(text)
        module.verify()
        for name in ("convert-linalg-to-loops", "convert-scf-to-cf", "convert-to-llvm"):
            if any(not op.name.startswith("llvm.") for op in module.body.block.ops):
                PASSES[name]().apply(Context(), module)
        module.verify()
        verify_ssa(module)
        ptx(module, architecture="sm_90")
    except (CogirError, VerifyException, ParseError):
        return REFUSED
    except Exception:
        return TRACEBACK
    return OK


def status_of(text: str) -> str:
    """What becomes of a process that makes PTX from a text."""
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.dup2(1, 2)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(SECONDS)
        os._exit(run(text))
    status = os.waitpid(child, 0)[1]
    if os.WIFEXITED(status):
        return WORDS.get(os.WEXITSTATUS(status), f"exit {os.WEXITSTATUS(status)}")
    number = os.WTERMSIG(status)
    return "too long" if number == signal.SIGALRM else f"signal {number}"


def main() -> int:
    """Tries as many texts as the command line says; 1 if one of them ended the process."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1000, help="the number of texts")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, default=Path("nvptx-crashes"), help="the folder for texts that end the process")
    args = parser.parse_args()
    rng, held, seen, bad = random.Random(args.seed), texts(), Counter[str](), 0
    begun = time.monotonic()
    for number in range(args.count):
        change = partial(op_mutated if rng.random() < 0.7 else mutated, rng.choice(held), held, rng)
        try:
            text = change()
        except Exception:  # a text that cannot be parsed has no operations to mutate
            continue
        found = status_of(text)
        seen[found] += 1
        if found.startswith(("signal", "exit")):
            bad += 1
            args.keep.mkdir(exist_ok=True)
            path = args.keep / f"{args.seed}-{number}.mlir"
            path.write_text(text)
            print(f"{found}: {path}")
    counts = ", ".join(f"{count} {what}" for what, count in seen.most_common())
    print(f"{sum(seen.values())} texts in {time.monotonic() - begun:.0f} s: {counts}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
