"""Several threads build operations whose bodies xDSL builds implicitly."""

import sys
from threading import Thread

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import FloatAttr, f64
from xdsl.dialects.linalg.ops import FillOp

import cogir.irutils  # noqa: F401  # makes it possible


def test_threads_may_build_named_operations_at_once() -> None:
    failures: list[Exception] = []

    def build() -> None:
        try:
            for _ in range(300):
                buffer = memref.AllocaOp.get(f64, shape=[4])
                FillOp([arith.ConstantOp(FloatAttr(0.0, f64)).result], [buffer.memref], res=()).verify()
        except Exception as error:
            failures.append(error)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [Thread(target=build) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(before)
    assert not failures
