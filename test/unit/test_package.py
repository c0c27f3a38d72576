"""The package as users find it: its names, its version, and what is in a source distribution."""

import subprocess
import sys
import tarfile
import tomllib
from importlib.metadata import version
from pathlib import Path

import cogir

ROOT = Path(__file__).parents[2]
SHIPPED = {"cogir", "docs", "editors", "examples", "README.md", "LICENSE", "CHANGELOG.md", "SECURITY.md"}
ADDED = {"PKG-INFO", "pyproject.toml", ".gitignore"}
"""What hatchling adds to what it is told to include."""


def test_the_namespace_is_what_is_public() -> None:
    assert sorted(cogir.__all__) == dir(cogir)
    names = {name for name in dir(cogir) if not name.startswith("__")}
    assert not names & {"garbage", "count_as_old", "without_garbage_collection", "frontend"}
    assert not {"count_as_old", "without_garbage_collection"} & set(vars(cogir))
    assert all(hasattr(cogir, name) for name in cogir.__all__)


def test_the_version_is_that_of_the_distribution() -> None:
    assert cogir.__version__ == version("cogir")
    assert "version" in tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dynamic"]


def test_a_source_distribution_holds_files_of_the_package_only(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(tmp_path)], cwd=ROOT, check=True)
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        found = {Path(*Path(name).parts[1:]) for name in opened.getnames()}
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    files = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    expected = {Path(name) for name in files if name.partition("/")[0] in SHIPPED}
    assert len(expected) > 400
    assert found - {Path(name) for name in ADDED} == expected
