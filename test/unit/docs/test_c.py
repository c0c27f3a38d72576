"""docs/c.md: the names and the two functions of the page are in the header of its example."""

import re
from pathlib import Path

from support.pages import ROOT, page

from cogir.tools.cog_translate import main

PAGE = page("c.md")


def test_the_header_has_what_the_page_names(tmp_path: Path) -> None:
    path = tmp_path / "ddm.h"
    assert main([str(ROOT / "examples/ddm_integrator.mlir"), "--emit=c-header", "--prefix=ddm", "-o", str(path)]) == 0
    header = path.read_text()
    names = set(re.findall(r"\b(?:ddm|DDM)_\w+\b(?!\.mlir)", PAGE))
    assert {"ddm_run_trials", "DDM_PARAM_DDM_THRESHOLD", "DDM_STEP_LIMIT"} <= names
    assert names <= set(re.findall(r"\w+", header))
    convention = re.search(r"```c\n(void ddm_init.*?)```", PAGE, re.DOTALL)
    assert convention is not None
    assert " ".join(convention[1].split()) in " ".join(header.split())
