"""
Random functions of the subset: interpreted, what the compiler makes of them gives Python's and NumPy's numbers, exactly; as
machine code, it gives the bits that the interpreter gives.
"""

# pyright: basic
import os
import re
from collections import Counter
from random import Random

import numpy as np
import pytest
from hypothesis import HealthCheck, given, note, settings
from support.pyfunc import check, check_native
from support.random.functions import functions, generated

EXAMPLES = int(os.environ.get("COGIR_RANDOM_FUNCTIONS", "60"))
SETTINGS = settings(
    max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), derandomize=EXAMPLES <= 100, print_blob=True
)


@SETTINGS
@given(functions())
def test_random_functions_equal_numpy(made):
    note(made.source)
    check(made.function, *made.inputs, tolerance=0.0)


@settings(SETTINGS, max_examples=max(EXAMPLES // 4, 1))
@given(functions())
def test_machine_code_of_random_functions_equals_the_interpreter(made):
    note(made.source)
    check_native(made.function, *made.inputs)


@pytest.mark.parametrize(
    "written",
    [
        r"\(np\.(max|min|sum|mean)\(np\.(tile|repeat|full)\([^()]*\)\) if .* else ",
        r"np\.roll\(u, [-\d]+\)\.arg",
        r"np\.tile\(u, 1\)\.arg",
    ],
    ids=["branch_of_a_reduction", "roll_of_one", "tile_of_one"],
)
def test_two_thousand_functions_hold_what_once_crashed(written):
    """`u` has one element."""
    assert any(re.search(written, generated(Random(seed)).source.partition("def f(")[2]) for seed in range(2000))


@pytest.mark.full
def test_a_thousand_random_functions_use_every_construct(capsys):
    seen: Counter[str] = Counter()
    sources: set[str] = set()

    @settings(SETTINGS, max_examples=1050)
    @given(functions())
    def run(made):
        note(made.source)
        check(made.function, *made.inputs, tolerance=0.0, native=True)
        if made.source not in sources:
            sources.add(made.source)
            seen.update(made.constructs)

    run()
    with capsys.disabled():
        print(f"\n{len(sources)} different random functions: compiled == interpreted to the bit == NumPy's numbers; with this in them:")
        for construct, count in seen.most_common():
            print(f"  {construct:24s} {count:4d}")
    assert len(sources) >= 1000
    assert len(seen) >= 40
    assert np.min(list(seen.values())) >= 10
