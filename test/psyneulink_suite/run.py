"""
Runs PsyNeuLink's own tests, plain and under `accelerate()`, and compares: exits with 1 if anything differs that is not documented.

    python test/psyneulink_suite/run.py --folder FOLDER [--one-of N] [--table docs/psyneulink.md] [tests ...]

`--one-of 8` takes the tests whose name has a checksum that 8 divides: an eighth of each subject, where an eighth of the files would leave
some of them out. `--table` writes the table into a page, between its marks; `--compare-only` compares what has been recorded before.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from psyneulink_suite.compare import Comparison  # noqa: E402
from psyneulink_suite.records import read  # noqa: E402
from psyneulink_suite.table import put_into, summary, table  # noqa: E402

VERSION = "0.21.0.0"
SUBJECTS = ("scheduling", "ports", "projections", "mechanisms", "models", "control", "misc", "log", "mdf", "composition")
"""Folders of tests that run Compositions."""
PROCESSES = 2
SETTINGS = """[pytest]
addopts = -p no:cacheprovider --benchmark-disable -q --tb=short
xfail_strict = true
filterwarnings = ignore::pytest.PytestUnknownMarkWarning
"""


def fetch(folder: Path) -> Path:
    """PsyNeuLink's tests, from its source distribution, with a root conftest."""
    suite = folder / "suite"
    if not suite.exists():
        name = f"psyneulink-{VERSION}"
        download = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
        subprocess.run([*download, "--no-binary", "psyneulink", f"psyneulink=={VERSION}"], cwd=folder, check=True)
        with tarfile.open(folder / f"{name}.tar.gz") as archive:
            archive.extractall(folder, [one for one in archive if one.name.startswith(f"{name}/tests/")], filter="data")
        (folder / name / "tests").rename(suite)
    shutil.copy(HERE / "root_conftest.py", suite / "conftest.py")
    (suite / "pytest.ini").write_text(SETTINGS)
    return suite


def record(suite: Path, path: Path, tests: list[str], share: str, *options: str) -> None:
    """Runs tests in a process of their own and writes what they do to a file; their output goes beside it."""
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join((str(HERE.parent), str(HERE.parents[1]))),
        "PYTHONHASHSEED": "0",  # PsyNeuLink walks through sets of names
        "OMP_NUM_THREADS": "1",
        "COGIR_SHORT_RUNS": "native",  # most of these calls are shorter than compiling
    }
    path.unlink(missing_ok=True)
    path.touch()
    pytest = [sys.executable, "-m", "pytest", "-c", "pytest.ini", "--rootdir", "."]  # else a folder within a project takes the project's
    command = [*pytest, "-p", "psyneulink_suite.recorder", "--record", str(path), "--share", share, *options, *tests]
    with path.with_suffix(".log").open("w") as log:
        status = subprocess.run(command, cwd=suite, env=environment, stdout=log, stderr=subprocess.STDOUT).returncode
    if status not in (0, 1, 5):  # 1: some tests fail, as some do in PsyNeuLink itself; 5: none is in this share
        raise RuntimeError(f"psyneulink_suite: pytest stopped with {status}, see {log.name}")


def record_both(suite: Path, folder: Path, tests: list[str], share: str, part: int) -> None:
    """Records the tests of a share plain, then those that called something accelerated."""
    plain, only = folder / f"plain-{part}.pkl", folder / f"only-{part}.txt"
    record(suite, plain, tests, share)
    only.write_text("\n".join(test.name for test in read(plain) if test.calls))
    record(suite, folder / f"accelerated-{part}.pkl", tests, share, "--accelerated", "--only", str(only))


def compare(folder: Path) -> Comparison:
    """What has been recorded in a folder, compared."""
    comparison = Comparison()
    for part in range(PROCESSES):
        found = {test.name: test for test in read(folder / f"accelerated-{part}.pkl")}
        for expected in read(folder / f"plain-{part}.pkl"):
            if expected.calls:
                comparison.add(expected, found[expected.name])
    return comparison


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tests", nargs="*", default=list(SUBJECTS), help="folders, files or names of PsyNeuLink's tests")
    parser.add_argument("--folder", type=Path, required=True, help="where the tests, recordings and logs go")
    parser.add_argument("--one-of", type=int, default=1, metavar="N", help="takes one test of N")
    parser.add_argument("--table", type=Path, help="the page into which the table is written")
    parser.add_argument("--compare-only", action="store_true", help="compare what has been recorded before")
    given = parser.parse_args()
    folder = given.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    if not given.compare_only:
        suite = fetch(folder)
        os.environ.setdefault("COGIR_CACHE_DIR", str(folder / "cache"))
        divisor = given.one_of * PROCESSES
        shares = [f"{part * divisor // PROCESSES}/{divisor}" for part in range(PROCESSES)]
        with ThreadPoolExecutor(PROCESSES) as pool:
            parts = [pool.submit(record_both, suite, folder, given.tests, share, part) for part, share in enumerate(shares)]
        for part in parts:
            part.result()
    comparison = compare(folder)
    if not comparison.calls:
        raise RuntimeError(f"psyneulink_suite: no call has been recorded in {folder}, see the logs there")
    print(summary(comparison))
    if given.table is not None:
        put_into(given.table, table(comparison))
    return 1 if comparison.differences else 0


if __name__ == "__main__":
    sys.exit(main())
