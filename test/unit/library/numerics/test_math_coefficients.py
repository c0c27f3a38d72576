"""The numbers in the math functions are those that the script in benchmarks/ derives."""

import importlib.util
import re
from pathlib import Path

import pytest

from cogir.library.numerics import erf as math_erf
from cogir.library.numerics import exp as math_exp
from cogir.library.numerics import log as math_log
from cogir.library.numerics import trig as math_trig
from cogir.library.random import xoshiro as rng_xoshiro

SCRIPT = Path(__file__).parents[4] / "benchmarks" / "derive_math_coefficients.py"
NUMBER = re.compile(r"-?\d\.\d+(?:e-\d+)?")


@pytest.mark.filterwarnings("ignore::DeprecationWarning:mpmath")
def test_derived_numbers_stand_in_the_sources(capsys: pytest.CaptureFixture[str]) -> None:
    specification = importlib.util.spec_from_file_location("derive_math_coefficients", SCRIPT)
    assert specification is not None
    assert specification.loader is not None
    script = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(script)
    script.main()
    printed = capsys.readouterr().out
    sources = "".join(Path(str(module.__file__)).read_text() for module in (math_erf, math_exp, math_log, math_trig, rng_xoshiro))
    derived = [line.split()[-1] for line in printed.splitlines() if line.startswith("  ")]
    derived += [number for line in printed.splitlines() if " + " in line for number in NUMBER.findall(line.split(":")[1])]
    assert len(derived) > 100
    assert [number for number in derived if number.lstrip("-") not in sources] == []
    bits = printed.splitlines()[-1].removeprefix("2/pi: ")
    assert bits == "".join(re.findall(r'"([0-9a-f]{64})"', sources))
