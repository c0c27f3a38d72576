"""
Which elements of a matrix are not zero, column by column, and whether leaving out the zeros saves work.

```
2 0 0                       column 0: row 0 (2)
0 0 1        ->             column 1: row 2 (3)
0 3 4                       column 2: row 1 (1), row 2 (4)
```

As arrays for a product that takes one element of each column at a time, the shorter columns filled up with zeros at the end:

    rows    [[0, 2, 1], [0, 0, 2]]        weights [[2, 3, 1], [0, 0, 4]]
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

SMALL = 64
"""A matrix with fewer elements is multiplied as it is: its loops are written out, and zeros among its elements cost next to nothing."""
LARGEST = 1 << 16
"""A matrix with more elements is multiplied as it is: it would take long to compile as a constant."""
PICKED = 4
"""To pick an element by its number takes so many times as long as to take the next one."""


@dataclass(frozen=True)
class Columns:
    """The elements of a matrix (senders x receivers) that are not zero."""

    matrix: Floats

    @cached_property
    def length(self) -> int:
        """The number of elements in the longest column."""
        return int(np.count_nonzero(self.matrix, axis=0).max(initial=0))

    @property
    def is_diagonal(self) -> bool:
        """True if all elements beside the diagonal of a square matrix are zero."""
        rows, columns = self.matrix.shape
        return rows == columns and np.count_nonzero(self.matrix) == np.count_nonzero(self.matrix.diagonal())

    @property
    def is_worth_it(self) -> bool:
        """True if the product takes less than half the time when the zeros are left out, a test of each element of the vector included."""
        if not SMALL <= self.matrix.size <= LARGEST:
            return False
        rows, columns = self.matrix.shape
        work = columns if self.is_diagonal else PICKED * self.length * columns
        return 2 * (rows + work) <= self.matrix.size

    def table(self) -> tuple[npt.NDArray[np.int64], Floats]:
        """Rows and weights (longest column x columns): the elements of each column in order, then zeros of row 0."""
        is_element = self.matrix != 0.0
        # A stable sort of "is zero" brings the elements of a column to its top, in their order.
        order = np.argsort(~is_element, axis=0, kind="stable")[: self.length]
        present = np.take_along_axis(is_element, order, axis=0)
        rows = np.where(present, order, 0).astype(np.int64)
        weights = np.where(present, np.take_along_axis(self.matrix, order, axis=0), 0.0)
        return rows, weights
