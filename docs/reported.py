"""
The reports of the scripts that write pages and figures: which files have changed.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[1]


@contextmanager
def reported(*paths: Path) -> Iterator[None]:
    """Prints for each of these files, after they are written, whether it has changed: `docs/architecture.md: updated`."""
    before = [contents(path) for path in paths]
    yield
    for path, old in zip(paths, before, strict=True):
        print(f"{path.resolve().relative_to(ROOT.resolve())}: {'unchanged' if contents(path) == old else 'updated'}")


def contents(path: Path) -> bytes | None:
    """The contents of a file, or None if there is none."""
    return path.read_bytes() if path.exists() else None
