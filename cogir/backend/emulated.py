"""
A launch of a kernel on this processor, in the place of a GPU.

```python
launch = emulated(code, "replicates")          # code: DeviceCode of the architecture "emulated"
launch(grid, block, [pf.ctypes.data, ..., 1000, control.ctypes.data])
```

Blocks run one after the other, and so do the threads of a block between two barriers. Launches of the same code wait for each other,
because the memory that the threads of a block share is one variable. Python's lock is free meanwhile.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import lru_cache
from threading import Lock

import numpy as np

from cogir.backend.kernels import EMULATED, DeviceCode
from cogir.backend.llvm import LoadedObject
from cogir.errors import BackendError
from cogir.limits import BLOCK_THREADS

LAUNCH = ".launch"
_LAUNCH = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p)


def emulated(code: DeviceCode, name: str) -> Callable[[int, int, Sequence[int | float]], None]:
    """
    The kernel `name` as a function of the numbers of blocks and of threads per block, and of the arguments: addresses of buffers, whole
    numbers, and floats, in the order of the kernel's parameters.

    Raises `BackendError` for code of a GPU, and for numbers of blocks, threads and arguments that a GPU would refuse.
    """
    if code.architecture != EMULATED:
        raise BackendError(f"emulated: the code is for {code.architecture}; compile it for the architecture {EMULATED}")
    kernel = code.kernel(name)
    count = len(kernel.parameters)
    loaded = _loaded(code)
    function = _LAUNCH(loaded.code.address(name + LAUNCH))

    def launch(grid: int, block: int, arguments: Sequence[int | float]) -> None:
        most = kernel.most_blocks or 2**31 - 1
        if not 1 <= grid <= most or not 1 <= block <= BLOCK_THREADS:
            raise BackendError(f"emulated: @{name}: {grid} blocks of {block} threads; give 1 to {most} blocks of 1 to {BLOCK_THREADS}")
        if len(arguments) != count:
            raise BackendError(f"emulated: @{name} takes {count} arguments, not {len(arguments)}")
        words = np.array([_word(argument) for argument in arguments], np.int64)
        with loaded.lock:
            function(grid, block, words.ctypes.data)

    return launch


def _word(argument: float) -> int:
    """The bits of an argument."""
    if isinstance(argument, float):
        return int(np.float64(argument).view(np.int64))
    return argument - 2**64 if argument >= 2**63 else argument


class _Loaded:
    """Code in memory, and the lock of its launches."""

    def __init__(self, code: DeviceCode):
        self.code = LoadedObject(code.image, [kernel.name + LAUNCH for kernel in code.kernels], {})
        self.lock = Lock()


@lru_cache(maxsize=64)
def _loaded(code: DeviceCode) -> _Loaded:
    """The code in memory: once, however many kernels are asked for."""
    return _Loaded(code)
