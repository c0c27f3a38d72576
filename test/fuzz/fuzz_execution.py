"""
Runs mutated models and looks for what ends the process, tracebacks, calls outside of the runtime, and runs that cannot be stopped.

The texts are those of the examples, of the tests and of the library's functions; their tokens and their operations are mutated. Each
text is run in a process of its own pool, with limits of time and memory, by `cog-run` and by `cogir.compile`, in a mode or interpreted at a
stage, or translated to an object file. Whatever the text is, there is an answer or a `CogirError`. A text may run for ever, but then Ctrl-C
stops it. Defects are

- crashes: the process ends, for example by SIGSEGV;
- tracebacks: an exception that is no `CogirError`, or an error of a tool without a message or of more than one line;
- calls: the object code refers to a symbol that is not in the runtime's list, or Python starts a process or opens a connection;
- hangs: the text is not compiled within the limit, or its run goes on after Ctrl-C.

    python test/fuzz/fuzz_execution.py --minutes 10 --seed 1
"""

# pyright: basic
from __future__ import annotations

import argparse
import io
import json
import os
import random
import re
import select
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from contextlib import redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
WAYS = (
    *(("run", "--mode", mode) for mode in ("run", "run", "exec", "per_node", "python")),
    *(("run", "--stage", stage) for stage in ("machine", "loops", "cf")),
    *(("compile", mode) for mode in ("run", "run", "exec", "per_node", "python", "auto")),
    ("replicates",),
    ("specialise",),
    ("translate",),
)
"""How a text is run: by `cog-run`, by `cogir.compile` in a mode, as replicates, specialised; or not run but translated to an object."""
ROWS = ([0.0], [1.0, -1.0, 3.7], [1e300, float("nan"), -64.0], [2.5, 1e18, float("inf"), -0.0])
"""What the inputs of a text hold, element by element."""
TRIALS = 3
SECONDS = 20.0
"""After how long a text is stopped; and after how long it must be compiled."""
PATIENCE = 10.0
"""How long Ctrl-C may take on a busy machine."""
MEMORY = 6 * 2**30
"""Bytes of address space of a process."""


# -- the process that runs texts


def serve() -> None:
    """Runs the texts that standard input names, one by one, and says of each what came out."""
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    warnings.simplefilter("ignore")
    watch_symbols()
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    sys.addaudithook(watch_process)
    for line in sys.stdin:
        path, way, seed = json.loads(line)
        OUTSIDE.clear()
        try:
            answer = outcome(Path(path), way, seed)
        except KeyboardInterrupt:
            answer = ["stopped", ""]
        if OUTSIDE:
            answer = ["call", "\n".join(sorted(OUTSIDE))]
        print(json.dumps(answer), file=answers, flush=True)


OUTSIDE: set[str] = set()
"""What a text has reached that it must not."""


def watch_symbols() -> None:
    """Notes the symbols that object code refers to and that are not the runtime's."""
    from cogir.analysis.verify_declarations import may_be_linked
    from cogir.backend import jit
    from cogir.runtime import build

    original = jit.compile_to_object
    declared = re.compile(r"^declare [^@\n]*@\"?([\w.$]+)", re.MULTILINE)

    def watched(module: Any, **options: Any) -> bytes:
        text = module if isinstance(module, str) else str(module)
        OUTSIDE.update(name for name in declared.findall(text) if not name.startswith("llvm.") and not may_be_linked(name))
        return original(module, **options)

    build.compile_to_object = watched


def watch_process(event: str, arguments: tuple[Any, ...]) -> None:
    """Notes what Python does to the world."""
    if event in ("os.system", "os.exec", "os.posix_spawn", "subprocess.Popen", "socket.connect", "socket.bind", "ctypes.dlopen"):
        if event != "ctypes.dlopen" or arguments[0] not in (None, "libm.so.6"):
            OUTSIDE.add(f"{event} {arguments}"[:200])


def outcome(path: Path, way: list[str], seed: int) -> list[str]:
    """What comes of a text: "answer", "refused", or a defect with what shows it."""
    from cogir.errors import CogirError
    from cogir.tools import cog_run, cog_translate

    out, err = io.StringIO(), io.StringIO()
    try:
        if way[0] in ("run", "translate"):
            with redirect_stdout(out), redirect_stderr(err):
                if way[0] == "run":
                    code = cog_run.main([str(path), *way[1:], "--no-cache", "--trials", str(TRIALS)])
                else:
                    code = cog_translate.main([str(path), "--emit=obj", "-O", "1", "-o", os.devnull])
            return judged(code, err.getvalue())
        ran(path.read_text(encoding="utf-8", errors="replace"), way, random.Random(seed))
    except CogirError as error:
        return ["refused", str(error)] if str(error).strip() else ["traceback", "an error without a message"]
    except KeyboardInterrupt:
        return ["stopped", ""]
    except RecursionError:
        return ["traceback", "RecursionError"]
    except MemoryError:
        return ["memory", ""]
    except BaseException:
        return ["traceback", traceback.format_exc()]
    return ["answer", ""]


def judged(code: int, err: str) -> list[str]:
    """What a tool's exit code and its standard error say."""
    if code == 0:
        return ["answer", ""]
    if code == 130:
        return ["stopped", ""]
    errors = [line for line in err.splitlines() if "error: " in line]
    if code != 1 or len(errors) != 1:
        return ["traceback", f"exit code {code}, {len(errors)} messages: {err}"]
    return ["refused", errors[0]]


def ran(text: str, way: list[str], rng: random.Random) -> None:
    """Compiles a text and runs a few trials."""
    import numpy as np

    import cogir

    mode = way[1] if way[0] == "compile" else "run"
    compiled = cogir.compile(text, mode=mode, cache=False, specialise=way[0] == "specialise")
    size = compiled.plan.sizes.get("in", 0)
    row = rng.choice(ROWS)
    rows = np.array([[row[(trial + element) % len(row)] for element in range(size)] for trial in range(TRIALS)]) if size else None
    if way[0] == "replicates":
        compiled.replicates(rows, num_trials=TRIALS, count=5, seed=1)
    else:
        compiled.run(rows, num_trials=TRIALS)


# -- the pool


class Worker:
    """A process that runs texts, made anew when one has ended it."""

    def __init__(self, folder: Path, number: int):
        self.path = folder / f"input-{number}.mlir"
        self.process: subprocess.Popen[str] | None = None
        self.job: tuple[str, list[str], int] | None = None
        self.deadline = 0.0
        self.interrupted = False

    def start(self, text: str, way: list[str], seed: int) -> None:
        """Gives the process a text."""
        if self.process is None:
            self.process = subprocess.Popen(
                [sys.executable, __file__, "--serve"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                env={**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{Path(__file__).parent}", "OMP_NUM_THREADS": "1"},
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
            )
        self.path.write_text(text, encoding="utf-8", errors="replace")
        self.job, self.interrupted = (text, way, seed), False
        self.deadline = time.monotonic() + SECONDS
        self.process.stdin.write(json.dumps([str(self.path), way, seed]) + "\n")
        self.process.stdin.flush()

    def poll(self) -> list[str] | None:
        """What came of the text; None while it runs."""
        if select.select([self.process.stdout], [], [], 0)[0]:
            line = self.process.stdout.readline()
            if line:
                return json.loads(line)
            self.process.wait()
            code, said = self.process.returncode, self.process.stderr.read()[-2000:]
            self.close()
            name = signal.Signals(-code).name if code < 0 else f"exit code {code}"
            return ["crash", f"{name}\n{said}"]
        if time.monotonic() > self.deadline:
            if self.interrupted:
                self.close()
                return ["hang", f"not done after {SECONDS:.0f} s, and Ctrl-C does not stop it within {PATIENCE:.0f} s"]
            self.process.send_signal(signal.SIGINT)
            self.interrupted, self.deadline = True, time.monotonic() + PATIENCE
        return None

    def close(self) -> None:
        """Ends the process."""
        if self.process is not None:
            self.process.kill()
            for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
                with suppress(BrokenPipeError):
                    stream.close()
            self.process.wait()
            self.process = None


def seeds_of() -> list[str]:
    """The texts to begin with: those of the tests and examples that run, and a model for each function of the library."""
    from mutations import corpus, seeds, texts_in_tests

    from cogir.errors import CogirError
    from cogir.frontend.parsed import ParsedModel

    found: dict[str, None] = {}
    for text in (*seeds(), *corpus(), *texts_in_tests(), *library_texts()):
        try:
            ParsedModel(text)
        except (CogirError, RecursionError):
            continue
        found[text] = None
    return list(found)


def library_texts() -> list[str]:
    """The models of single functions of the library."""
    import cogir
    from cogir import library

    found: list[str] = []
    functions = vars(library.psyneulink) | vars(library)
    for name in sorted({*library.__all__, *library.psyneulink.__all__}):
        model = cogir.Model("m")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                model.node("n", functions[name], input=3)
                found.append(str(model.ir()))
        except Exception:
            continue  # what needs more arguments is left out
    return found


def fuzz(minutes: float, seed: int, count: int | None, keep: Path, workers: int) -> dict[str, int]:
    """Runs mutated texts, prints each kind of defect once, and keeps its text; how many of each outcome there were."""
    from mutations import mutated, op_mutated, seeds

    rng = random.Random(seed)
    texts, own = seeds_of(), seeds()
    weights = [(10.0 if text in own else 1.0) / (500 + len(text)) for text in texts]
    pool = [Worker(keep, number) for number in range(workers)]
    counts: dict[str, int] = {}
    seen: dict[str, int] = {}
    started = 0
    end = time.monotonic() + 60 * minutes
    print(f"{len(texts)} texts to begin with; seed {seed}; defects are kept in {keep}", flush=True)
    while True:
        more = time.monotonic() < end and (count is None or started < count)
        if not more and all(worker.job is None for worker in pool):
            break
        for worker in pool:
            if worker.job is None:
                if more and (count is None or started < count):
                    change = rng.choice((mutated, op_mutated, op_mutated))
                    worker.start(change(rng.choices(texts, weights)[0], texts, rng), list(rng.choice(WAYS)), rng.randrange(2**31))
                    started += 1
                continue
            answer = worker.poll()
            if answer is None:
                continue
            (kind, detail), (text, way, _) = answer, worker.job
            worker.job = None
            counts[kind] = counts.get(kind, 0) + 1
            if kind in DEFECTS:
                note(kind, detail, text, way, keep, seen)
        time.sleep(0.002)
    for worker in pool:
        worker.close()
    return counts


DEFECTS = ("crash", "traceback", "call", "hang")


def note(kind: str, detail: str, text: str, way: list[str], keep: Path, seen: dict[str, int]) -> None:
    """Keeps the text of a defect, and prints it where it is the first of its kind."""
    last = detail.strip().splitlines()[-3:] if kind == "traceback" else detail.strip().splitlines()[:1]
    key = f"{kind} {re.sub(r'0x[0-9a-f]+|[0-9]+', 'N', ' '.join(last))}"
    seen[key] = seen.get(key, 0) + 1
    if seen[key] <= 3:
        file = keep / f"{kind}-{len(seen)}-{seen[key]}.mlir"
        file.write_text(text, encoding="utf-8", errors="replace")
        if seen[key] == 1:
            print(f"--- {kind}: {' '.join(way)}: {file}\n{detail}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=1.0, help="how long to go on (default: 1)")
    parser.add_argument("--count", type=int, help="how many texts at most")
    parser.add_argument("--seed", type=int, default=0, help="where the mutations start (default: 0)")
    parser.add_argument("--keep", type=Path, help="the folder for texts that show defects (default: a new one)")
    parser.add_argument("--workers", type=int, default=2, help="how many processes run texts (default: 2)")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.serve:
        serve()
        return 0
    keep: Path = args.keep or Path(tempfile.mkdtemp(prefix="cogir-fuzz-"))
    keep.mkdir(parents=True, exist_ok=True)
    start = time.monotonic()
    counts = fuzz(args.minutes, args.seed, args.count, keep, args.workers)
    shown = ", ".join(f"{counts.get(kind, 0)} {kind}" for kind in ("answer", "refused", "stopped", "memory", *DEFECTS))
    print(f"{sum(counts.values())} texts in {time.monotonic() - start:.0f} s: {shown}")
    return 1 if any(counts.get(kind) for kind in DEFECTS) else 0


if __name__ == "__main__":
    sys.exit(main())
