"""`make demo`: the predator-prey model end to end, compiled and interpreted."""

import time
import warnings

import numpy as np
from predator_prey import INPUTS, build

TRIALS = 5


def main() -> None:
    """Compiles predator-prey, prints what the controller chose in each trial, and times it against the interpreter."""
    model = build("m")
    started = time.perf_counter()
    compiled = model.compile(mode="run")
    compiled.run(INPUTS, num_trials=1, context="first call")
    ready = time.perf_counter() - started

    result = compiled.run(INPUTS, num_trials=TRIALS, context="demo")
    allocations = result.allocations["CONTROL"]
    print("predator-prey, 4 attention levels for each of 3 observations: 64 simulations per trial\n")
    print("trial   attention to player, predator, prey   move")
    for trial, (allocation, move) in enumerate(zip(allocations, result["ACTION"], strict=True)):
        print(f"{trial:5d}   {np.array2string(allocation, precision=2, floatmode='fixed'):38s}{np.array2string(move, precision=6)}")

    repeats = 200
    started = time.perf_counter()
    for _ in range(repeats):
        compiled.run(INPUTS, num_trials=TRIALS, context="timing")
    native = (time.perf_counter() - started) / repeats

    interpreter = model.compile(mode="python")
    started = time.perf_counter()
    reference = interpreter.run(INPUTS, num_trials=TRIALS, context="demo")
    interpreted = time.perf_counter() - started
    same = np.array_equal(result["ACTION"], reference["ACTION"])

    print(f"\nfrom builder to first result   {ready:8.3f} s")
    print(f"{TRIALS} trials as native code       {native * 1e3:8.3f} ms")
    print(f"{TRIALS} trials in mode `python`     {interpreted * 1e3:8.3f} ms, {interpreted / native:,.0f} times as long")
    print("both modes give " + ("the same bits" if same else "DIFFERENT results"))
    if not same:
        raise SystemExit(1)


if __name__ == "__main__":
    warnings.simplefilter("default")
    main()
