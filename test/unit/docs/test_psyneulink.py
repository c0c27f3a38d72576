"""The table of PsyNeuLink's Functions is what the compiler knows today."""

import importlib.util
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[3] / "docs" / "write_psyneulink.py"
_spec = importlib.util.spec_from_file_location("write_psyneulink", SCRIPT)
assert _spec is not None
assert _spec.loader is not None
write_psyneulink = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(write_psyneulink)


def test_the_table_is_up_to_date() -> None:
    is_current = write_psyneulink.PAGE.read_text() == write_psyneulink.page()
    assert is_current, "docs/psyneulink.md is out of date; run python docs/write_psyneulink.py"


def test_psyneulink_is_not_imported() -> None:
    """The table is read without PsyNeuLink."""
    code = "import cogir.psyneulink.functions.table, sys; sys.exit('psyneulink' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
