"""Types that are checked are not kept for ever."""

from xdsl.dialects import tensor
from xdsl.dialects.builtin import TensorType, f64

from cogir.analysis import verify_arrays


def test_the_types_that_are_remembered_are_bounded() -> None:
    for extent in range(1, 5000):
        verify_arrays.verify_arrays(tensor.EmptyOp([], TensorType(f64, [extent])))
    assert verify_arrays._refusal.cache_info().currsize <= 4096  # pyright: ignore[reportPrivateUsage]
