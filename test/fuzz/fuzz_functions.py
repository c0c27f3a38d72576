"""
Compiles random functions of the subset, and holds what they give against Python's and NumPy's numbers, and machine code against both.

    python test/fuzz/fuzz_functions.py --seeds 0:20000
    python test/fuzz/fuzz_functions.py --seeds 0:2000 --against ../another/checkout    # does the generator find what is wrong there?

Function `n` is `generated(Random(n))`, the same each time. Each defect is shown once, with its first function, and counted.
"""

import argparse
import os
import sys
import traceback
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from random import Random

ROOT = Path(__file__).parents[2]

os.environ.setdefault("OPENBLAS_CORETYPE", "Nehalem")  # other kernels of NumPy's `inner` fuse multiplication and addition, so bits differ


def failure(seed: int) -> tuple[str, str, list[str]]:
    """What is wrong with a function ("" for nothing), how it shows, and the constructs in it."""
    from support.pyfunc import check, check_bits, native_results  # with the checkout that was asked for
    from support.random.functions import generated

    function = generated(Random(seed))
    try:
        interpreted = check(function.function, *function.inputs, tolerance=0.0)
        check_bits(native_results(function.function, *function.inputs), interpreted)
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        first_line = str(error).strip().partition("\n")[0]
        kind = f"{type(error).__name__} at {Path(last.filename).name}, {last.name}"
        body = function.source.partition("def f(")
        return kind, f"{first_line}\n\ndef f({body[2]}\nf{function.inputs}", sorted(function.constructs)
    return "", "", sorted(function.constructs)


def failures(seeds: range, jobs: int) -> Iterator[tuple[int, tuple[str, str, list[str]]]]:
    """What each function of these seeds shows."""
    if jobs == 1:
        yield from ((seed, failure(seed)) for seed in seeds)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from zip(seeds, pool.map(failure, seeds, chunksize=50), strict=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", default="0:2000", help="the first one, and the one after the last (default: 0:2000)")
    parser.add_argument("--against", type=Path, default=ROOT, help="the checkout whose cogir is tried (default: this one)")
    parser.add_argument("--jobs", type=int, default=1, help="how many processes share the work (default: 1)")
    args = parser.parse_args()
    sys.path[:0] = [str(args.against.resolve()), str(ROOT / "test")]
    first, _, after = args.seeds.partition(":")
    defects: Counter[str] = Counter()
    constructs: Counter[str] = Counter()
    seeds = range(int(first), int(after))
    for seed, (kind, shown, used) in failures(seeds, args.jobs):
        constructs.update(used)
        if kind:
            defects[kind] += 1
            if defects[kind] == 1:
                print(f"--- {kind}: seed {seed}, function {seed - seeds.start + 1}\n{shown}\n", flush=True)
    for kind, count in defects.most_common():
        print(f"{count} functions: {kind}")
    import cogir

    print(f"{len(seeds)} random functions (seeds {args.seeds}) with {Path(cogir.__file__).parents[1]}: {defects.total()} are wrong")
    print(f"{len(constructs)} constructs; the rarest: {', '.join(f'{name} {count}' for name, count in constructs.most_common()[:-6:-1])}")
    return 1 if defects else 0


if __name__ == "__main__":
    sys.exit(main())
