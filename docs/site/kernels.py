"""
Kernels of notebooks that are reached through sockets in a folder: with the network off there may be no TCP, not even to the machine itself.
"""

from __future__ import annotations

import functools
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jupyter_cache.executors import utils
from jupyter_client.manager import AsyncKernelManager
from traitlets import CaselessStrEnum, default

if TYPE_CHECKING:
    from sphinx.application import Sphinx


class KernelManagerOfFolder(AsyncKernelManager):
    """A kernel with its sockets in a temporary folder, which goes with it."""

    transport = CaselessStrEnum(["ipc"], default_value="ipc")

    @default("ip")
    def _path_of_sockets(self) -> str:
        self._folder = tempfile.TemporaryDirectory(prefix="kernel-")
        return str(Path(self._folder.name) / "socket")


def setup(app: Sphinx) -> dict[str, Any]:
    # MyST-NB has no setting for the kernels with which its cache executes cells.
    utils.executenb = functools.partial(utils.executenb, kernel_manager_class=KernelManagerOfFolder)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
