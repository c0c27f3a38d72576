"""How lit runs test/filecheck: each `// RUN:` line with the tools of this environment, `filecheck` and MLIR's."""

import os
import shutil
import sys
from pathlib import Path

import lit.formats

config = config  # type: ignore[name-defined] # noqa: F821 - lit puts it here

config.name = "cogir"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir"]
config.test_source_root = str(Path(__file__).parent)
config.excludes = ["golden", "support", "unit", "fuzz", "Inputs"]

BIN = Path(sys.executable).parent
MLIR = Path("/usr/lib/llvm-22/bin")
"""Where Debian puts MLIR and LLVM 22. Tests that require `mlir-opt` are skipped where it is missing; with CI=true they fail."""

# The tools run from this tree, also where the environment was made for another one.
config.environment["PYTHONPATH"] = str(Path(__file__).parents[1])
config.environment["PATH"] = ":".join([str(BIN), config.environment["PATH"], str(MLIR)])
if shutil.which("mlir-opt", path=config.environment["PATH"]) or os.environ.get("CI") == "true":
    config.available_features.add("mlir-opt")
for tool in ("cog-opt", "filecheck"):
    if shutil.which(tool, path=config.environment["PATH"]) is None:
        lit_config.fatal(f"{tool} is not installed; run `make test`")  # noqa: F821
