"""
Compares the object code of two source trees, and the run time of models whose code differs.

    python benchmarks/object_code.py path/to/tree/before path/to/tree/after

Compiles all examples (from the builder, and `examples/*.mlir`) with each of the two source trees, in a process and with a cache folder of
its own, and compares the object code byte by byte. Where it differs, both run the same trials in 15 pairs that take turns; printed is the
median ratio after / before, with quartiles. Models with equal code are not measured. The exit status is 1 if a model has become slower: if
its median ratio is beyond 1.02 and three quarters of its ratios are beyond 1.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any

PAIRS = 15
SECONDS = 0.05
"""The least seconds of one measurement."""
LIMIT = 1.02
"""The median ratio that is still accepted; beyond it, 1 must lie between the quartiles."""


class Tree:
    """A process that compiles and runs the examples of one source tree."""

    def __init__(self, root: Path, cache: str):
        paths = {"PYTHONPATH": f"{root}{os.pathsep}{root / 'examples'}", "COGIR_CACHE_DIR": cache}
        command = [sys.executable, __file__, "--serve", str(root)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, **paths})

    def ask(self, *question: Any) -> Any:
        """The answer of the process."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(json.dumps(question), file=self.process.stdin, flush=True)
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"object_code: the process of {self.process.args} has ended")
        return json.loads(line)

    def close(self) -> None:
        """Ends the process."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def serve(root: Path) -> None:
    """Answers questions from standard input: the names of the examples, the object code of one, the seconds of a run."""
    import catalogue

    import cogir
    from cogir.backend import jit

    assert Path(cogir.__file__).is_relative_to(root), f"object_code: {cogir.__file__} is not in {root}"
    warnings.simplefilter("ignore")
    sources: dict[str, Any] = {name: example.build for name, example in catalogue.EXAMPLES.items()}
    sources |= {path.name: (lambda path=path: cogir.Model.from_ir(path.read_text())) for path in sorted((root / "examples").glob("*.mlir"))}
    made: list[bytes] = []
    original = jit.compile_to_object

    def recorded(*given: Any, **options: Any) -> bytes:
        code = original(*given, **options)
        made.append(bytes(code))
        return code

    jit.compile_to_object = recorded
    compiled: dict[str, Any] = {}
    for line in sys.stdin:
        match json.loads(line):
            case ["names"]:
                answer: Any = list(sources)
            case ["code", name]:
                made.clear()
                compiled[name] = sources[name]().compile(mode="run", cache=False)
                answer = [hashlib.sha256(b"".join(made)).hexdigest(), sum(map(len, made)), len(made)]
            case ["run", name, trials]:
                inputs = catalogue.EXAMPLES[name.removesuffix(".mlir")].inputs
                compiled[name].reset()
                start = time.perf_counter()
                compiled[name].run(inputs, num_trials=trials)
                answer = time.perf_counter() - start
            case other:
                raise SystemExit(f"object_code: unknown question {other}")
        print(json.dumps(answer), flush=True)


def ratios(before: Tree, after: Tree, name: str) -> list[float]:
    """The ratios of pairs of runs, in ascending order; the two take turns in going first."""
    trials = 1
    while before.ask("run", name, trials) < SECONDS and trials < 10**7:
        trials *= 2
    after.ask("run", name, trials)
    found: list[float] = []
    for pair in range(PAIRS):
        order = (before, after) if pair % 2 == 0 else (after, before)
        seconds = {tree: tree.ask("run", name, trials) for tree in order}
        found.append(seconds[after] / seconds[before])
    return sorted(found)


def compare(before: Tree, after: Tree) -> list[str]:
    """Prints a line for each example; returns those that have become slower."""
    present = set(after.ask("names"))
    names = [name for name in before.ask("names") if name in present]
    slower: list[str] = []
    equal = 0
    print("| model | bytes before | bytes after | median ratio | quartiles |\n|---|---|---|---|---|")
    for name in names:
        one, two = before.ask("code", name), after.ask("code", name)
        if not one[2] or not two[2]:
            raise SystemExit(f"object_code: no object code of {name} was seen")
        if one == two:
            equal += 1
            print(f"| {name} | {one[1]} | {two[1]} | equal code | |", flush=True)
            continue
        found = ratios(before, after, name)
        low, median, high = statistics.quantiles(found, n=4)
        if median > LIMIT and low > 1.0:
            slower.append(name)
        print(f"| {name} | {one[1]} | {two[1]} | {median:.3f} | {low:.3f} to {high:.3f} |", flush=True)
    print(f"\n{equal} of {len(names)} have equal object code; slower than {LIMIT}: {', '.join(slower) or 'none'}")
    return slower


def main() -> None:
    """Compares two source trees."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", type=Path, nargs="*", help="the source trees before and after")
    parser.add_argument("--serve", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        serve(given.serve)
        return
    if len(given.trees) != 2:
        parser.error("give two source trees: before and after")
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
        before, after = Tree(given.trees[0].resolve(), one), Tree(given.trees[1].resolve(), two)
        slower = compare(before, after)
        before.close()
        after.close()
    sys.exit(1 if slower else 0)


if __name__ == "__main__":
    main()
