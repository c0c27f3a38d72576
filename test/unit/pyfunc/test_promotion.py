"""Types of NumPy 2 in compiled functions: which numbers widen float32 (NEP 50), and which types of NumPy are refused."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from support.pyfunc import compile_for, compiled_results, native_results, python_results
from xdsl.dialects.func import FuncOp

from cogir.errors import FunctionError
from cogir.interpreters.levels import run_function
from cogir.pyfunc.kinds import DTYPES, KINDS

F32, F64, I64 = np.float32(0.1), np.float64(0.1), np.int64(3)
BYTE, SHORT, LONG, HALF, UNSIGNED = np.uint8(200), np.int16(300), np.int32(2**31 - 1), np.float16(0.1), np.uint64(3)
A32 = np.array([0.1, 1.7, -2.9], np.float32)
BYTES, LONGS, HALVES = np.array([200, 100, 3], np.uint8), np.array([2**31 - 1, 1, 2], np.int32), np.array([0.1, 0.2, 0.3], np.float16)
OCTET, OCTETS = np.int8(10), np.array([0, 2], np.int8)
WHOLE = np.array([1, 2, 3])


def singles(x: Any) -> Any:
    return x.astype(np.float32)


def from_math(x: Any) -> Any:
    y = singles(x)
    return (
        math.exp(y[0]),
        math.sin(y[1]) * y,
        math.sqrt(F32),
        math.sqrt(abs(y[2])) * y,
        math.pow(y[0], 2.0),
        math.log(y[0], 10),
        math.atan2(y[1], y[0]),
    )


def from_math_of_wholes(x: Any) -> Any:
    k = int(x[0] * 10.0)
    return math.pow(k, 2), math.pow(3, 2) * singles(x), math.floor(singles(x)[1]), math.floor(singles(x)[1]) * singles(x), math.pow(2, -k)


def from_items(x: Any) -> Any:
    y = singles(x)
    return y[0].item(), y.item(1) * y, F32.item() * x, y.item(0) * x, float(y[0]) * x, A32.item(1) * x, y[:1].item() + x


def in_arrays(x: Any) -> Any:
    y = singles(x)
    return (
        np.array([y[0], 0.1]),
        np.array([y[0], 3]),
        np.array([y[0], y[1]]),
        np.array([F32, 0.1]),
        np.array([F32, F32]),
        np.array((F32, y[0])),
        np.array([[0.1, 0.2], [y[0], y[1]]]),
        np.asarray([y[0], np.float64(x[0])]),
        np.full(3, F32),
        np.full((2, 2), y[0]),
        np.full(3, F64),
        np.full_like(y, 0.1),
        np.append(y, F32),
        np.append(y, 0.1),
        np.append(y, y[0]),
        np.concatenate((y, [F32])),
        np.concatenate((y, [0.1])),
        np.concatenate((y, np.array([0.1]))),
        np.stack([y, x]),
        np.hstack((y, F32)),
        np.vstack((y, A32)),
    )


def zero_dimensional(x: Any) -> Any:
    y = singles(x)
    return (
        y * np.array(0.1),
        y * np.asarray(2),
        y * np.array(F32),
        y + np.copy(0.1),
        y * np.array(math.exp(1.0)),
        np.maximum(y, np.array(0.1)),
    )


def by_constants(x: Any) -> Any:
    y = singles(x)
    return (
        y * (2.0**0.5),
        y * (2.0**2),
        y * pow(2.0, 0.5),
        y * np.power(2.0, 0.5),
        y * math.sqrt(2.0),
        y * np.where(True, 0.1, 0.2),
        y * np.where(x[0] > 0.0, 0.1, 0.2),
        y * np.round(float(x[0])),
        y * np.round(float(x[0]), 1),
        y * round(float(x[0])),
        y * abs(float(x[0])),
        y * max(float(x[0]), 0.2),
        y * float(x[0]) ** 2,
        y * (float(x[0]) ** 0.5),
        y * (2 ** max(int(x[0]), 0)),
        y * x.argmax(),
        y * np.round(0.123, 2),
        y * np.round(2.6),
        y * round(2.6),
        y * abs(F64),
        y * abs(-0.1),
        y * max(F64, 0.2),
        y * max(0.1, 0.2),
        y * np.clip(0.1, 0.0, 1.0),
        y * np.mean([0.1, 0.2]),
        y * sum([0.1, 0.2]),
        y * np.float64(2.0) ** 2,
        y * F32**2,
    )


def by_functions_of_constants(x: Any) -> Any:
    y = singles(x)
    return (
        (y * math.exp(1.0)).dtype == np.float32,
        (y * np.exp(1.0)).dtype == np.float32,
        (y * math.log(2)).dtype == np.float32,
        (y * np.tanh(0.5)).dtype == np.float32,
        (y * (2.0**0.3)).dtype == np.float32,
        (y * np.float64(2.0) ** 0.3).dtype == np.float32,
        (math.exp(1) * y[0]).dtype == np.float32,
        (y * np.arange(3)[1]).dtype == np.float32,
        (y * len(y)).dtype == np.float32,
        (y * y.size).dtype == np.float32,
        (y * np.size(y)).dtype == np.float32,
        (y * np.sum(WHOLE)).dtype == np.float32,
    )


def of_wholes_at_run_time(x: Any) -> Any:
    y, k = singles(x), x.astype(np.int64)
    total = np.zeros(3, np.float32)
    for i in range(3):
        total = total + y * i
    n = int(x[0] * 100.0)
    return (
        total,
        y * k[0],
        y * n,
        y[0] * n,
        y * k,
        y * np.int64(n),
        y * (n / 3),
        y * (n // 3) * (n % 7) * -n * abs(n),
        y * (k[0] / 2),
        y * sum((0.1, float(x[0]))),
        y[1] * np.argmax(x),
        y * float(x[0]),
        y[0] * x[0],
        y * np.float64(float(x[0])),
    )


def accumulated(x: Any) -> Any:
    y = singles(x)
    total, product = np.float32(0.0), np.float32(1.0)
    for i in range(3):
        total = total + y[i] * 0.1
        product *= y[i]
    wide = 0.0
    for i in range(3):
        wide = wide + y[i].item()
    return total, product, wide, sum([y[0], y[1]]), sum(y), sum(y, 0.1), sum(y, F64), sum(x, 0.1), sum(x, 7)


def powers(x: Any) -> Any:
    y, k = singles(x), WHOLE + x.astype(np.int64)
    return (
        k**UNSIGNED,
        k**SHORT,
        k**I64,
        k**3,
        y**2,
        y**F64,
        y ** np.float32(2.0),
        y**I64,
        y**0.5,
        y ** np.float64(0.5),
        abs(y[0]) ** 0.5,
        k ** np.float32(2.0),
    )


def compared(x: Any) -> Any:
    y = singles(x)
    return (
        y[0] == 0.1,
        0.1 == y[0],
        y == 0.1,
        y == F64,
        A32[0] == 0.1,
        A32[0] == F64,
        0.1 in (F32, 1.0),
        0.1 in (F64, 1.0),
        0.1 in (y[0], 1.0),
        F64 in (y[0], 1.0),
        x[0] in (F32, 1.0),
        float(x[0]) in (F32, 1.0),
        float(x[0]) in (y[0], 2),
        F32 in [0.1],
        0.1 in [F32],
        0.1 not in (F32, 2),
        (y[0], 1) == (0.1, 1),
        y[0] < x[0],
        y[0] >= float(x[0]),
        int(x[0] * 100.0) == BYTE,
        x.astype(np.int64) < BYTE,
        WHOLE[int(x[0])] == OCTET,
        int(x[0] * 100.0) in (BYTE, OCTET),
    )


def clipped(x: Any) -> Any:
    y = singles(x)
    return (
        np.clip(y, 0.1, 1.0),
        np.clip(y, 0.1, np.float64(1.0)),
        np.clip(y, F32, None),
        y.clip(0.1, 0.2),
        np.clip(F32, 0.05, 0.2),
        np.clip(y[0], 0.2, 1.0),
    )


def converted_narrow(x: Any) -> Any:
    """Narrow constants where they cannot go on as such, and where NumPy's type is one that there is."""
    k = x.astype(np.int64)
    return (
        int(BYTE) + k,
        BYTES.astype(int)[k[0]] + 100,
        k + BYTE,
        k * BYTES,
        x * HALVES,
        x + LONGS,
        singles(x) * HALF,
        singles(x) * LONG,
        k / BYTE,
        UNSIGNED * k,
        UNSIGNED < k,
        k / UNSIGNED,
        np.arctan2(OCTET, x).dtype == np.float64,
        np.power(SHORT, x).dtype == np.float64,
        np.array([BYTE, k[0]]),
        float(HALF) * x,
        x[BYTES[2] - 1],
        WHOLE[OCTETS] + k[0],
        np.maximum(x, HALVES),
        np.where(x > 0.0, x, HALF),
        np.float32(HALF) * singles(x),
    )


def folded_narrow(x: Any) -> Any:
    return (
        float(BYTES[0] + 100) + x,
        float(BYTES[0] * BYTES[1]) + x,
        (BYTES + BYTES).astype(float) + x,
        (HALVES * HALF).astype(float) + x,
        np.float64(LONGS[0] + 1) + x,
        x + float(np.where(True, BYTE, BYTES[1]) + BYTE),
        x + (BYTES.dtype == np.uint8) + (BYTE.dtype == np.uint8),
        x + isinstance(I64, int) + isinstance(F32, float),
        x + [BYTE, SHORT][0],
        x + float(np.array([BYTE, BYTE])[0] + BYTE),
    )


def looped_narrow(x: Any) -> Any:
    total = 0.0
    for i in range(BYTES[2]):
        total = total + x[i]
    for b in (BYTE, SHORT):
        total = total + x[0] * b
    return total


def joined(x: Any) -> Any:
    y = singles(x)
    a = y[0] if x[0] > 0.0 else np.float32(0.5)
    b = 0.1 if x[0] > 0.0 else 0.5
    c = x[0] if x[0] > 0.0 else F64
    d = y[0]
    if x[1] > 5.0:
        d = F32
    i = int(x[0])
    chosen = (0.1, 0.2)[i] * y, [F64, x[0]][i] * y, (F32, y[0])[i] * y, (2, 3)[i] * y, (0.1, F64)[i] * x
    return *chosen, a * y, b * y, c * y, d * y, a, max(y[0], y[1]), max(y), (y[0] or F32) * y


def doubled(v: Any, k: Any) -> Any:
    return v * k


def through_functions(x: Any) -> Any:
    y = singles(x)
    return (
        doubled(y, 2),
        doubled(y, 0.1),
        doubled(y, F64),
        doubled(y, x[0]),
        doubled(y, float(x[0])),
        doubled(y, F32),
        doubled(y[0], 0.1),
        doubled(y, HALF),
    )


PAIRS = [
    from_math,
    from_math_of_wholes,
    from_items,
    in_arrays,
    zero_dimensional,
    by_constants,
    by_functions_of_constants,
    of_wholes_at_run_time,
    accumulated,
    powers,
    compared,
    clipped,
    converted_narrow,
    folded_narrow,
    looped_narrow,
    joined,
    through_functions,
]
INPUTS = [np.array([0.1, 1.7, 2.9]), np.array([0.3, 0.9, 1.25])]


def typed_results(function: Callable[..., Any], *arguments: Any) -> list[Any]:
    """What the interpreter gives, numbers as ones of NumPy of their types in the IR."""
    module, values = compile_for(function, *arguments)
    main = next(op for op in module.ops if isinstance(op, FuncOp) and op.sym_name.data == "main")
    results = zip(run_function(module, "main", values), main.function_type.outputs, strict=True)
    return [np.asarray(one, DTYPES[KINDS[type]]) if type in KINDS else one for one, type in results]


@pytest.mark.parametrize("function", PAIRS)
def test_types_and_numbers_are_numpys(function: Callable[..., Any]) -> None:
    """The last bits of the logarithm and the like are cogir's own."""
    tolerance = 5e-16 if function in (from_math, from_math_of_wholes) else 0.0
    for x in INPUTS:
        with np.errstate(all="ignore"):
            expected = python_results(function, x)
        for position, (one, other) in enumerate(zip(typed_results(function, x), expected, strict=True)):
            found, wanted = np.asarray(one), np.asarray(other)
            assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape), (position, found, wanted)
            np.testing.assert_allclose(found, wanted, rtol=tolerance, atol=0.0, err_msg=str(position))


def test_machine_code_has_the_same_bits() -> None:
    for function in (accumulated, compared):
        for one, other in zip(native_results(function, INPUTS[0]), compiled_results(function, INPUTS[0]), strict=True):
            np.testing.assert_array_equal(one, other)


def of_argument(x: Any, n: Any) -> Any:
    return singles(x) * n


def test_numbers_that_may_be_pythons_or_numpys_are_refused() -> None:
    for n, written in ((3, "int"), (0.1, "float")):
        with pytest.raises(
            FunctionError,
            match=rf"may be one of Python, with which NumPy computes in float32, or .* in float64; write {written}\(\.\.\.\) around it for "
            rf"float32, np\.{written}64\(\.\.\.\) for float64",
        ):
            compiled_results(of_argument, INPUTS[0], n)


def returned_narrow(x: Any) -> Any:
    y = x + 1.0
    return y, BYTE


def loop_over_narrow(x: Any) -> Any:
    total = 0
    for b in BYTES:
        total = total + b
    return total


def loop_from_narrow(x: Any) -> Any:
    total = BYTE
    for _ in range(3):
        total = total + 1
    return total


def element_of_narrow(x: Any) -> Any:
    return BYTES[int(x[0])] + 100


def joined_narrow(x: Any) -> Any:
    if x[0] > 0.0:
        b = BYTE
    else:
        b = OCTET
    return b + 1


def loop_from_float(x: Any) -> Any:
    y, total = singles(x), 0.0
    for i in range(3):
        total = total + y[i]
    return total


def branch_of_float(x: Any) -> Any:
    y = singles(x)
    if x[0] > 0.0:
        a = y[0]
    else:
        a = 0.1
    return a * 1.0


def returned_of_two_types(x: Any) -> Any:
    if x[0] > 0.0:
        return singles(x)[0]
    return 0.5


NARROW: list[tuple[Callable[[Any], Any], int, str]] = [
    (returned_narrow, 2, r"returns np\.uint8\(200\) is of type uint8, .* write int"),
    (loop_over_narrow, 2, r"array of shape \(3,\) is of type uint8, .* write \.astype\(int\)"),
    (loop_from_narrow, 2, r"np\.uint8\(200\) is of type uint8"),
    (element_of_narrow, 1, r"array of shape \(3,\) is of type uint8"),
    (joined_narrow, 5, r"'b' has two types: np\.\w+\(\w+\) is of type u?int8, .* write int"),
    (lambda x: int(x[0]) + BYTE, 0, r"np\.uint8\(200\) is of type uint8, .* write int.* \(with a number \(int\) it gives uint8\)"),
    (lambda x: np.exp(BYTE) * x, 0, r"np\.uint8\(200\) is of type uint8"),
    (lambda x: np.exp(BYTES) * x, 0, r"is of type uint8"),
    (lambda x: float(x[0]) * HALF, 0, r"np\.float16\(0\.0999\d*\) is of type float16, .* write float"),
    (lambda x: (BYTE, 1)[int(x[0])] + x, 0, r"np\.uint8\(200\) is of type uint8"),
    (lambda x: HALVES[int(x[0])], 0, r"is of type float16, .* write \.astype\(float\)"),
    (lambda x: np.sum(BYTES) + x, 0, r"is of type uint8"),
    (lambda x: (int(x[0]) + 1) * UNSIGNED, 0, r"np\.uint64\(3\) is of type uint64"),
    (lambda x: np.full(3, OCTET) + x, 0, r"np\.int8\(10\) is of type int8"),
    (lambda x: np.exp(x > 0.0), 0, r"exp of truth values computes in float16 in NumPy.*write x\.astype\(float\)"),
]
SINGLE: list[tuple[Callable[[Any], Any], int, str]] = [
    (loop_from_float, 3, r"'total' changes its type in the loop: .*write np\.float32"),
    (branch_of_float, 6, r"'a' has two types: .*0\.1 \(Python's float\).*write np\.float32"),
    (returned_of_two_types, 3, r"the function returns .*0\.5 \(Python's float\).*write np\.float32"),
    (lambda x: singles(x)[0] if x[0] > 0.0 else 0.1, 0, r"the expression has two types: a number \(float32\) .*write np\.float32"),
    (lambda x: A32[1] if x[0] > 0.0 else 0.1, 0, r"the expression is np\.float32\(.*\) or 0\.1, .*write np\.float32"),
    (lambda x: singles(x)[0] or 0.1, 0, r"the expression is .*write np\.float32"),
    (lambda x: (0.1, F32)[int(x[0])], 0, r"an item of a tuple of 2 is float32 or of another type, .*write np\.float32"),
    (lambda x: (0.1, F64)[int(x[0])] * singles(x), 0, r"may be one of Python, .*write float"),
    (lambda x: np.quantile(singles(x), 0.3), 0, r"np\.quantile of float32 .*write x\.astype\(float\)"),
    (lambda x: max(singles(x)[0], 0.1), 0, r"max of a number \(float32\) and 0\.1 .*np\.maximum"),
    (lambda x: min(x[0], singles(x)[0]), 0, r"min of a number \(float\) and a number \(float32\)"),
]


@pytest.mark.parametrize(("function", "line", "message"), [*NARROW, *SINGLE])
def test_what_has_no_type_here_is_refused_at_its_line(function: Any, line: int, message: str) -> None:
    place = f"test_promotion.py:{function.__code__.co_firstlineno + line}: "
    with pytest.raises(FunctionError, match=rf"{re.escape(place)}.*{message}"):
        compiled_results(function, INPUTS[0])


def too_large(x: Any) -> Any:
    return singles(x) * 1e300


def test_a_number_too_large_for_float32_is_infinite() -> None:
    """As in NumPy, which warns."""
    with np.errstate(over="ignore"):
        (found,) = typed_results(too_large, INPUTS[0])
    assert found.dtype == np.float32
    assert np.all(np.isinf(found))


def test_calls_without_float32_share_a_function() -> None:
    """Whether a number is Python's or NumPy's counts only beside float32."""

    def calls(x: Any) -> Any:
        return doubled(x[0], x[1]) + doubled(float(x[0]), float(x[1]))

    module, _ = compile_for(calls, INPUTS[0])
    assert len([op for op in module.ops if isinstance(op, FuncOp)]) == 2
