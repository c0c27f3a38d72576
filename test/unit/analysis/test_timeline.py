"""When values are used and written, and which use can follow which write."""

from __future__ import annotations

import pytest
from xdsl.dialects import func
from xdsl.ir import Operation

from cogir.analysis.timeline import OperationOrder
from cogir.frontend.text import parse

TEXT = """
func.func @f(%m: memref<1xf64>, %x: f64, %c: i1, %n: index) {
  %c0 = arith.constant {name = "zero"} 0 : index
  %v = arith.addf %x, %x {name = "value"} : f64
  %a = arith.negf %v {name = "before"} : f64
  scf.for %i = %c0 to %n step %n {
    %b = arith.negf %v {name = "first in loop"} : f64
    %w = arith.addf %v, %x {name = "inner value"} : f64
    scf.if %c {
      %d = arith.negf %w {name = "then"} : f64
    } else {
      %e = arith.negf %w {name = "else"} : f64
    }
    %g = arith.negf %w {name = "last in loop"} : f64
  }
  scf.if %c {
    %h = arith.negf %v {name = "outer then"} : f64
  } else {
    %k = arith.negf %v {name = "outer else"} : f64
  }
  func.return
}
"""


@pytest.fixture(scope="module")
def ops() -> dict[str, Operation]:
    module = parse(TEXT)
    named = {op.attributes["name"].data: op for op in module.walk() if "name" in op.attributes}
    return {**named, "function": next(op for op in module.ops if isinstance(op, func.FuncOp))}


@pytest.mark.parametrize(
    ("use", "value", "write", "expected"),
    [
        ("before", "value", "first in loop", False),
        ("first in loop", "value", "before", True),
        # The value lives outside of the loop: the next turn uses it after this turn's write.
        ("first in loop", "value", "last in loop", True),
        # This one is new in each turn.
        ("inner value", "inner value", "last in loop", False),
        ("last in loop", "inner value", "then", True),
        # Branches exclude each other.
        ("else", "inner value", "then", False),
        ("outer else", "value", "outer then", False),
        ("outer then", "value", "last in loop", True),
    ],
)
def test_what_happens_after_a_write(ops: dict[str, Operation], use: str, value: str, write: str, expected: bool) -> None:
    timeline = OperationOrder(ops["function"].body)
    assert timeline.happens_after(ops[use], ops[value].results[0], ops[write]) is expected


def test_a_use_in_a_loop_lasts_until_its_end(ops: dict[str, Operation]) -> None:
    timeline = OperationOrder(ops["function"].body)
    value, inner = ops["value"].results[0], ops["inner value"].results[0]
    end_of_loop = 2 * timeline.end[ops["first in loop"].parent_op()] + 1
    assert timeline.use_time(value, ops["first in loop"], is_overwritten=False) == end_of_loop
    assert timeline.use_time(inner, ops["then"], is_overwritten=False) == timeline.write_time(ops["then"]) + 1
    assert timeline.use_time(value, ops["before"], is_overwritten=True) == timeline.write_time(ops["before"])
