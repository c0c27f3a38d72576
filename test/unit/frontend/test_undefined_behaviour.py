"""Texts with indices out of range, divisions by zero and the like give the results that Python functions have, in every mode."""

import tracemalloc
from collections.abc import Callable

import numpy as np
import pytest
from support.interrupts import press_soon

import cogir
from cogir.dialects.rng import encode_words
from cogir.errors import ExecutionError, ModelError
from cogir.frontend.parsed import ParsedModel
from cogir.tools import cog_opt, cog_run, cog_translate

MODEL = """
cog.model @m {{
  cog.node @n (%x: f64, %y: f64) -> (value: f64 = 0.0) {{
    %a = arith.fptosi %x : f64 to i64
    %b = arith.fptosi %y : f64 to i64
    %i = arith.index_cast %a : i64 to index
    %v = arith.constant dense<[10.0, 20.0, 30.0, 40.0]> : tensor<4xf64>
    {body}
    cog.yield %value
  }}
  cog.input @n["x"]
  cog.input @n["y"]
  cog.output @n
}}
"""
NUMBERS = [0.0, 1.0, -1.0, 3.0, 4.0, -5.0, 63.0, 64.0, -64.0, 1e18, 1e300, float("nan")]
"""Indices, divisors and counts; what fits no integer counts as the smallest one."""
MODES = ("run", "per_node", "machine", "loops", "cf")
LEAST = -(2**63)


def whole(x: float) -> int:
    """`x` as an i64; the smallest one for what does not fit."""
    return int(x) if abs(x) < 2.0**63 else LEAST


def wrapped(number: int) -> int:
    """A whole number as 64 bits hold it."""
    return (number - LEAST) % 2**64 + LEAST


def ran(text: str, mode: str, rows: list[tuple[float, float]]) -> np.ndarray:
    """What the model gives for each row, in a mode or interpreted at a stage."""
    if mode in cogir.runtime.modes.MODES:
        return cogir.compile(text, mode=mode, cache=False).run({"n": {"x": [a for a, _ in rows], "y": [b for _, b in rows]}})["n"]
    from cogir.frontend.compile import source_of
    from cogir.runtime.compiled import Compiled
    from cogir.runtime.staged import StagedEngine

    model = ParsedModel(text)
    staged = Compiled(StagedEngine(source_of(model), mode), f"stage {mode}", model.name)
    return staged.run({"n": {"x": [a for a, _ in rows], "y": [b for _, b in rows]}})["n"]


def of_integers(operation: str) -> str:
    """A body that applies an operation to two integers, of which the result loses nothing that a float cannot hold."""
    return f"%q = arith.{operation} %a, %b : i64\n %low = arith.trunci %q : i64 to i32\n %value = arith.sitofp %low : i32 to f64"


def low(number: int) -> float:
    """The lower 32 bits of a number, as `of_integers` gives them."""
    return float((number + 2**31) % 2**32 - 2**31)


def truncated(a: int, b: int) -> int:
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


DIVISIONS: dict[str, Callable[[int, int], int]] = {
    "divsi": lambda a, b: truncated(a, b) if b else 0,
    "remsi": lambda a, b: a - b * truncated(a, b) if b else 0,
    "floordivsi": lambda a, b: a // b if b else 0,
    "ceildivsi": lambda a, b: -(-a // b) if b else 0,
    "divui": lambda a, b: (a % 2**64) // (b % 2**64) if b else 0,
    "remui": lambda a, b: (a % 2**64) % (b % 2**64) if b else 0,
    "ceildivui": lambda a, b: -(-(a % 2**64) // (b % 2**64)) if b else 0,
    "shli": lambda a, b: a << b if 0 <= b < 64 else 0,
    "shrui": lambda a, b: (a % 2**64) >> b if 0 <= b < 64 else 0,
    "shrsi": lambda a, b: a >> (b if 0 <= b < 64 else 63),
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("operation", DIVISIONS)
def test_divisions_and_shifts_are_defined_for_all_operands(operation: str, mode: str) -> None:
    rows = [(a, b) for a in NUMBERS for b in NUMBERS]
    expected = [low(wrapped(DIVISIONS[operation](whole(a), whole(b)))) for a, b in rows]
    assert ran(MODEL.format(body=of_integers(operation)), mode, rows).ravel().tolist() == expected


ELEMENT = "%value = tensor.extract %v[%i] : tensor<4xf64>"
INSERTED = """%w = tensor.insert %x into %v[%i] : tensor<4xf64>
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %p = tensor.extract %w[%c0] : tensor<4xf64>
    %q = tensor.extract %w[%c3] : tensor<4xf64>
    %value = arith.subf %p, %q : f64"""
SLICE = """%w = tensor.extract_slice %v[%i] [2] [2] : tensor<4xf64> to tensor<2xf64>
    %c1 = arith.constant 1 : index
    %value = tensor.extract %w[%c1] : tensor<2xf64>"""


@pytest.mark.parametrize("mode", MODES)
def test_an_index_out_of_range_takes_the_nearest_element(mode: str) -> None:
    rows = [(a, 0.0) for a in NUMBERS]
    nearest = [min(max(whole(a), 0), 3) for a in NUMBERS]
    assert ran(MODEL.format(body=ELEMENT), mode, rows).ravel().tolist() == [10.0 + 10.0 * index for index in nearest]
    first_less_last = [(a if i == 0 else 10.0) - (a if i == 3 else 40.0) for a, i in zip(NUMBERS, nearest, strict=True)]
    np.testing.assert_array_equal(ran(MODEL.format(body=INSERTED), mode, rows).ravel(), first_less_last)


@pytest.mark.parametrize("mode", MODES)
def test_a_slice_moves_to_where_it_fits(mode: str) -> None:
    rows = [(a, 0.0) for a in NUMBERS]
    starts = [min(max(whole(a), 0), 1) for a in NUMBERS]
    assert ran(MODEL.format(body=SLICE), mode, rows).ravel().tolist() == [30.0 + 10.0 * start for start in starts]


STEP = """%lower = arith.constant 0 : i64
    %upper = arith.constant 5 : i64
    %value = scf.for %k = %lower to %upper step %a iter_args(%sum = %y) -> (f64) : i64 {
      %one = arith.constant 1.0 : f64
      %next = arith.addf %sum, %one : f64
      scf.yield %next : f64
    }"""


@pytest.mark.parametrize("mode", MODES)
def test_a_loop_has_a_step_of_one_at_least(mode: str) -> None:
    rows = [(step, 0.0) for step in (0.0, -3.0, 1.0, 2.0)]
    assert ran(MODEL.format(body=STEP), mode, rows).ravel().tolist() == [5.0, 5.0, 5.0, 3.0]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("kind", "number", "wanted"), [("si", 300.0, -128.0), ("si", -128.9, -128.0), ("ui", -1.0, 128.0), ("ui", 255.9, 255.0)]
)
def test_a_float_that_fits_no_narrow_integer_becomes_its_smallest(kind: str, number: float, wanted: float, mode: str) -> None:
    body = f"%q = arith.fpto{kind} %x : f64 to i8\n %value = arith.{kind}tofp %q : i8 to f64"
    assert ran(MODEL.format(body=body), mode, [(number, 0.0)]).item() == wanted


@pytest.mark.parametrize("mode", MODES)
def test_an_array_that_nobody_has_written_is_zero(mode: str) -> None:
    body = "%e = tensor.empty() : tensor<4xf64>\n %value = tensor.extract %e[%i] : tensor<4xf64>"
    assert ran(MODEL.format(body=body), mode, [(2.0, 0.0)]).item() == 0.0


BIG = "%e = tensor.empty() : tensor<4000000xf64>\n {insert}\n %value = tensor.extract %e{number}[%i] : tensor<4000000xf64>"
INSERT = "%e1 = tensor.insert_slice %v into %e[0] [4] [1] : tensor<4xf64> into tensor<4000000xf64>"


@pytest.mark.parametrize(("insert", "number", "wanted"), [("", "", [0.0, 0.0]), (INSERT, 1, [30.0, 0.0])])
def test_a_big_array_that_nobody_has_written_is_small_in_the_module(insert: str, number: str, wanted: list[float]) -> None:
    text = MODEL.format(body=BIG.format(insert=insert, number=number))
    tracemalloc.start()
    try:
        ParsedModel(text).defined()
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 2_000_000  # bytes; the array has 32,000,000, and one bool for each element would be 4,000,000
    for mode in ("run", "python"):
        assert ran(text, mode, [(2.0, 0.0), (3_999_999.0, 0.0)]).ravel().tolist() == wanted


@pytest.mark.parametrize("mode", MODES)
def test_elements_that_insertions_leave_out_are_zero(mode: str) -> None:
    inserts = [f"%c{n} = arith.constant {n} : index\n %e{n} = tensor.insert %x into %e{n - 1}[%c{n}] : tensor<4xf64>" for n in (1, 2, 3)]
    again = "%e4 = tensor.insert %y into %e3[%c3] : tensor<4xf64>"  # as many insertions as elements, but one is written twice
    body = "\n".join(["%e0 = tensor.empty() : tensor<4xf64>", *inserts, again, "%value = tensor.extract %e4[%i] : tensor<4xf64>"])
    assert ran(MODEL.format(body=body), mode, [(0.0, 7.0), (2.0, 7.0), (3.0, 7.0)]).ravel().tolist() == [0.0, 2.0, 7.0]


def test_mode_python_names_the_place() -> None:
    compiled = cogir.compile(MODEL.format(body=ELEMENT), mode="python")
    with pytest.raises(
        ExecutionError, match=r"<model>:8: index -2 is out of range for an axis of 4 elements; check the index before it is used"
    ):
        compiled.run({"n": {"x": [-2.0], "y": [0.0]}})
    compiled = cogir.compile(MODEL.format(body=of_integers("remui")), mode="python")
    with pytest.raises(ExecutionError, match=r"<model>:8: an integer is divided by zero"):
        compiled.run({"n": {"x": [7.0], "y": [0.0]}})


OPERATIONS = {
    "%c = arith.constant 4 : index\n %w = tensor.extract %v[%c] : tensor<4xf64>": "index 4 is out of range for an axis of 4 elements",
    "%c = arith.constant -1 : index\n %w = tensor.extract %v[%c] : tensor<4xf64>": "index -1 is out of range",
    "%w = tensor.extract %v[%i, %i] : tensor<4xf64>": "2 indices for an array of type tensor<4xf64>; give 1",
    "%w = tensor.extract %v[] : tensor<4xf64>": "0 indices for an array of type",
    "%w = tensor.extract_slice %v[3] [2] [1] : tensor<4xf64> to tensor<2xf64>": "spans 2 elements from 3 on is out of range",
    "%w = tensor.extract_slice %v[%i] [5] [1] : tensor<4xf64> to tensor<5xf64>": "spans 5 elements is out of range",
    "%w = tensor.extract_slice %v[0] [0] [1] : tensor<4xf64> to tensor<0xf64>": "a fixed size of at least 1",
    "%w = tensor.extract_slice %v[0] [%i] [1] : tensor<4xf64> to tensor<?xf64>": "a fixed size of at least 1",
    "%w = tensor.extract_slice %v[0] [2] [0] : tensor<4xf64> to tensor<2xf64>": "they must be at least 1",
    "%w = tensor.empty() : tensor<1000000000000xf64>": "an array has 1000000000000 elements",
    "%w = tensor.from_elements %x, %y : tensor<3xf64>": "",
    "%c = arith.constant 0 : i64\n %w = arith.divsi %a, %c : i64": "divides by 0",
    "%c = arith.constant 64 : i64\n %w = arith.shli %a, %c : i64": "shifts a number of 64 bits by 64",
    "%w = arith.extsi %a : i64 to i128": "a value has type i128",
}
REFUSED = {f"{body}\n    %value = arith.constant 0.0 : f64": message for body, message in OPERATIONS.items()}


@pytest.mark.parametrize("body", REFUSED, ids=range(len(REFUSED)))
def test_constants_out_of_range_are_refused_with_the_place(body: str, tmp_path, capsys: pytest.CaptureFixture[str]) -> None:
    text = MODEL.format(body=body)
    with pytest.raises(ModelError, match=r"<model>:(8|9|10):\d+: ") as error:
        cogir.compile(text)
    assert REFUSED[body] in str(error.value)
    path = tmp_path / "model.mlir"
    path.write_text(text)
    for tool, arguments in ((cog_run, []), (cog_run, ["--mode", "python"]), (cog_opt, ["--emit=machine"]), (cog_translate, ["--emit=obj"])):
        assert tool.main([str(path), *arguments]) == 1
        printed = capsys.readouterr()
        assert REFUSED[body] in printed.err
        assert printed.err.startswith(f"{path}:")
        assert printed.err.count("\n") == 3  # the message, the line and a caret
        assert not printed.out


def test_values_are_defined_before_they_are_used() -> None:
    with pytest.raises(ModelError, match=r"<model>:8:\d+: .*uses %later before it is defined"):
        cogir.compile(MODEL.format(body="%value = arith.addf %later, %later : f64\n %later = arith.addf %x, %y : f64"))


def test_names_of_functions_differ() -> None:
    function = "func.func private @f(%x: f64) -> f64 {\n func.return %x : f64\n}\n"
    with pytest.raises(ModelError, match=r"<model>:\d+:\d+: the module has two operations called @f"):
        cogir.compile(MODEL.format(body="%value = func.call @f(%x) : (f64) -> f64") + function + function)


LONG = """%zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %many = arith.constant 1000000000000000000 : index
    %value = scf.for %k = %zero to %many step %one iter_args(%sum = %x) -> (f64) {
      %next = arith.addf %sum, %y : f64
      scf.yield %next : f64
    }"""


@pytest.mark.parametrize("mode", ["run", "per_node"])
def test_a_loop_that_counts_to_10_18_can_be_stopped(mode: str) -> None:
    compiled = cogir.compile(MODEL.format(body=LONG), mode=mode, cache=False)
    pressing = press_soon(0.5)
    with pytest.raises(cogir.RunInterrupted):
        compiled.run({"n": {"x": [1.0], "y": [1.0]}})
    pressing.join()


ZEROS = f"""cog.model @m {{
  cog.node @n (%x: f64) random (%r: !rng.state<mt19937> = @s) -> (value: f64 = 0.0) {{
    %value, %next = rng.normal %r : !rng.state<mt19937> -> f64
    cog.yield %value random(%next)
  }}
}}
rng.stream @s mt19937 state "{encode_words([0x7FFFFFFF, *[0] * 623, 5, 0, 0])}"
"""


def test_a_generator_that_never_draws_a_normal_number_is_refused() -> None:
    """Its loop is in the library, where nothing looks at the stop flag."""
    with pytest.raises(ModelError, match=r"<model>:7:1: rng.stream @s: this state of mt19937 draws only zeros; give a seed"):
        cogir.compile(ZEROS)
    kind, words = "!rng.state<mt19937>", ", ".join(["%w#0"] * 627)
    made = f"%w:627 = rng.to_words %r : {kind}\n%q = rng.from_words {words} : {kind}\n%value, %next = rng.normal %q"
    seeded = ZEROS[: ZEROS.rindex('state "')].replace("%value, %next = rng.normal %r", made) + "seed 1"
    with pytest.raises(ModelError, match=r"<model>:4:1: rng.from_words: the words could be a state of mt19937 that draws only zeros"):
        cogir.compile(seeded)


def test_bodies_end_with_a_yield() -> None:
    loop = "%value = scf.while (%p = %x) : (f64) -> f64 {\n%t = arith.constant true\nscf.condition(%t) %p : f64\n} do {\n^bb0(%q: f64):\n}"
    with pytest.raises(ModelError, match=r"<model>:8:5: .*scf.while"):
        cogir.compile(MODEL.format(body=loop), mode="per_node")
