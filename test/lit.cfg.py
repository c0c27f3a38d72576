"""How lit runs test/filecheck: each `// RUN:` line with the tools of this environment, `filecheck` and MLIR's."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
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

if hasattr(os, "fork"):
    # Tools that are started once and copied for each line; COGIR_LIT_PLAIN=1 starts each of them.
    if os.environ.get("COGIR_LIT_PLAIN") != "1":
        folder = Path(tempfile.mkdtemp(prefix="cogir-lit-"))
        server = Path(__file__).parent / "support" / "tool_server.py"
        environment = {**os.environ, **config.environment}
        held = subprocess.Popen([sys.executable, "-P", str(server), str(folder)], stdin=subprocess.PIPE, env=environment)
        while not (folder / "cog-translate").exists() or not os.access(folder / "cog-translate", os.X_OK):
            if held.poll() is not None:
                lit_config.fatal("test/support/tool_server.py has ended; see above")  # noqa: F821
            time.sleep(0.05)
        config.environment["PATH"] = f"{folder}:{config.environment['PATH']}"
