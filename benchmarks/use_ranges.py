"""
What ranges give to compiled code: specialised code with and without the pass `use-ranges`.

    python benchmarks/use_ranges.py [models ...]

For each model: the time of a trial by both codes, taken in turns, each the fastest of several; the processor time of the pass, in per cent
of that of compiling the version; and what it changed. Results must be equal to the bit. Only ratios within one run are meaningful.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from xdsl.dialects import arith

import cogir
from cogir.lowering.pipeline import PASSES, lower_to
from cogir.transforms.use_ranges import UseRanges

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "examples"))
EXAMPLES = "botvinick_stroop chain ddm_analytical ddm_integrator evc_ddm extended_stroop_a lca multitasking necker_m".split()
CLIPS = "clips"
"""Eight layers of 64 logistic units, clipped and rectified between them: what the pass is made for."""
ROUNDS = 7
AIM = 0.02


def clipped(variable: Any, *, gain: Any = 1.0) -> Any:
    """A logistic, clipped to [0, 1], and what is left of 0.75 of it."""
    value = np.clip(1.0 / (1.0 + np.exp(-gain * variable)), 0.0, 1.0)
    return np.maximum(0.75 - value, -1.0) + np.minimum(value, 0.5)


def model_of(name: str) -> tuple[cogir.Model, Any]:
    """A model and its inputs."""
    if name != CLIPS:
        import catalogue

        return catalogue.EXAMPLES[name].build(), catalogue.EXAMPLES[name].inputs
    model = cogir.Model(CLIPS)
    last = model.node("layer0", clipped, input=64)
    for number in range(1, 8):
        following = model.node(f"layer{number}", clipped, input=64)
        model.project(last, following, matrix=np.eye(64))
        last = following
    return model, {"layer0": np.random.default_rng(1).standard_normal((20, 64))}


def counted(model: cogir.Model) -> dict[str, int]:
    """How many comparisons, maxima and minima there are before and after the pass, and how many have flags."""
    module = model.ir()
    found: dict[str, int] = {}
    before = PASSES[UseRanges.name].apply

    def watched(self: Any, ctx: Any, op: Any) -> None:
        found["before"] = size(op)
        began = time.process_time()
        before(self, ctx, op)
        found["us"] = int(1e6 * (time.process_time() - began))
        found["after"] = size(op)
        found["flags"] = sum(isinstance(each, arith.MaximumfOp | arith.MinimumfOp) and "fastmath" in each.properties for each in op.walk())

    def size(op: Any) -> int:
        return sum(isinstance(each, arith.CmpfOp | arith.CmpiOp | arith.MaximumfOp | arith.MinimumfOp) for each in op.walk())

    UseRanges.apply = watched  # type: ignore[method-assign]
    try:
        lower_to(module, "machine", specialise=True)
    finally:
        UseRanges.apply = before  # type: ignore[method-assign]
    return found


def row(model: cogir.Model, given: Any) -> str:
    """A row of the table."""
    found = counted(model)
    codes = {
        title: model.compile(mode="run", cache=False, without=without) for title, without in (("with", ()), ("without", (UseRanges.name,)))
    }
    results = {title: str(code.run(given, num_trials=3).results) for title, code in codes.items()}
    assert results["with"] == results["without"], "other results"
    times = dict.fromkeys(codes, math.inf)
    compile_time = 0.0
    for title, code in codes.items():
        began = time.process_time()
        code.specialise()
        compile_time = time.process_time() - began
        code.reset()
        assert str(code.run(given, num_trials=3).results) == results[title], "other results"
    began = time.perf_counter()
    codes["with"].run(given, num_trials=10)
    trials = max(1, min(100_000, int(10 * AIM / (time.perf_counter() - began))))
    for _ in range(ROUNDS):
        for title, code in codes.items():
            began = time.perf_counter()
            code.run(given, num_trials=trials)
            times[title] = min(times[title], 1e6 * (time.perf_counter() - began) / trials)
    share = 1e-4 * found["us"] / compile_time
    cells = [times["without"], times["with"], times["without"] / times["with"], share]
    changed = f"{found['before']} to {found['after']}, {found['flags']} with flags"
    return f"{' | '.join(f'{each:.3g}' for each in cells)} | {changed}"


def main() -> None:
    """Measures, and prints the table as it goes."""
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    parser.add_argument("models", nargs="*", default=[CLIPS, *EXAMPLES], help=f"of examples/, or {CLIPS}")
    names = parser.parse_args().models
    print("| model | without, us | with, us | ratio | pass, % of compiling | comparisons and clips |")
    print(f"|{'---|' * 6}")
    for name in names:
        print(f"| {name} | {row(*model_of(name))} |", flush=True)


if __name__ == "__main__":
    main()
