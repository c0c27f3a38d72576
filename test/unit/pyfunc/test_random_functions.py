"""
Random functions of the subset: interpreted, what the compiler makes of them gives Python's and NumPy's numbers, exactly; as
machine code, it gives the bits that the interpreter gives.
"""

# pyright: basic
import os
from collections import Counter

import numpy as np
import pytest
from hypothesis import HealthCheck, given, note, settings
from unit.pyfunc.harness import check, check_native
from unit.pyfunc.random_functions import functions

EXAMPLES = int(os.environ.get("COGIR_RANDOM_FUNCTIONS", "60"))
SETTINGS = settings(
    max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), derandomize=EXAMPLES <= 100, print_blob=True
)


@SETTINGS
@given(functions())
def test_random_functions_equal_numpy(generated):
    note(generated.source)
    check(generated.function, *generated.inputs, tolerance=0.0)


@settings(SETTINGS, max_examples=max(EXAMPLES // 4, 1))
@given(functions())
def test_machine_code_of_random_functions_equals_the_interpreter(generated):
    note(generated.source)
    check_native(generated.function, *generated.inputs)


@pytest.mark.full
def test_a_thousand_random_functions_use_every_construct(capsys):
    seen: Counter[str] = Counter()
    sources: set[str] = set()

    @settings(SETTINGS, max_examples=1050)
    @given(functions())
    def run(generated):
        note(generated.source)
        check(generated.function, *generated.inputs, tolerance=0.0)
        check_native(generated.function, *generated.inputs)
        if generated.source not in sources:
            sources.add(generated.source)
            seen.update(generated.constructs)

    run()
    with capsys.disabled():
        print(f"\n{len(sources)} different random functions: compiled == interpreted to the bit == NumPy's numbers; with this in them:")
        for construct, count in seen.most_common():
            print(f"  {construct:24s} {count:4d}")
    assert len(sources) >= 1000
    assert len(seen) >= 40
    assert np.min(list(seen.values())) >= 10
