"""Remarks are collected only while somebody listens, with the place of the operation or of the closest one around it."""

from xdsl.dialects import func
from xdsl.dialects.builtin import UnknownLoc

from cogir import remarks
from cogir.dialects.text import parse_text
from cogir.remarks import PassRemark, RemarkKind, reported

TEXT = "func.func @f() {\n  func.return\n}\n"


def test_nobody_listens() -> None:
    module = parse_text(TEXT)
    remarks.passed(module, "{} {}", "too few")  # is not even formatted
    with reported() as report:
        pass
    remarks.count("things")
    assert report.remarks == []
    assert not report.counts


def test_places_and_functions() -> None:
    module = parse_text(TEXT, "a.mlir")
    (function,) = module.ops
    assert isinstance(function, func.FuncOp)
    (end,) = function.body.block.ops
    place = end.location
    with reported() as outer:
        remarks.missed(end, "found {}", 3)
        end.location = UnknownLoc()
        with reported() as inner:
            remarks.analysed(module, "{braces} stay")
            remarks.count("things", 2)
        remarks.passed(end, "done")
    assert outer.remarks == [
        PassRemark(RemarkKind.MISSED, "found 3", place, "f"),
        PassRemark(RemarkKind.PASSED, "done", function.location, "f"),
    ]
    assert inner.remarks == [PassRemark(RemarkKind.ANALYSIS, "{braces} stay", None, "")]
    assert inner.counts == {"things": 2}
