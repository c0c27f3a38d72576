"""
Forgets what an earlier build has executed, once cogir or a library has changed.

Sphinx, the cache of cells and the gallery look only at the page or the script: what these print and draw depends on cogir, too.
"""

from __future__ import annotations

import hashlib
import platform
import shutil
from importlib import metadata
from pathlib import Path

LIBRARIES = ("numpy", "matplotlib", "xdsl", "llvmlite", "psyneulink")
"""Libraries whose versions show in outputs. Whether PsyNeuLink is installed decides what its page shows."""
EXECUTED = ("cells", "doctrees", "jupyter_execute", "pages/gallery", "pages/reference/functions/figures")
"""The folders of what a build has executed, below `build`. Sphinx executes a page only when it reads it, so what it has read goes, too."""
KEY = "executed_with.txt"


def key(folder: Path, libraries: tuple[str, ...] = LIBRARIES) -> str:
    """A hash of the files of a package, and the versions of Python and of libraries."""
    found = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            found.update(f"{path.relative_to(folder).as_posix()}\0{path.stat().st_size}\0".encode())
            found.update(path.read_bytes())
    versions = [f"python {platform.python_version()}", *(f"{name} {_version(name)}" for name in libraries)]
    return "\n".join([found.hexdigest(), *versions, ""])


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "not installed"


def forget_stale(build: Path, now: str) -> bool:
    """Removes what was executed with another key; True if there was something to remove."""
    kept = build / KEY
    if kept.exists() and kept.read_text() == now:
        return False
    stale = [build / name for name in EXECUTED if (build / name).exists()]
    for folder in stale:
        shutil.rmtree(folder)
    build.mkdir(parents=True, exist_ok=True)
    kept.write_text(now)
    return bool(stale)
