"""The page about analyses: its examples run and print what it says."""

import linecache
import re
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

PAGE = (Path(__file__).parents[3] / "docs" / "analysis.md").read_text()


def test_the_examples_print_what_the_page_says() -> None:
    scope: dict[str, Any] = {}
    for number, (code, output) in enumerate(re.findall(r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?", PAGE, re.DOTALL)):
        name = f"<analysis.md {number}>"
        linecache.cache[name] = (len(code), None, code.splitlines(keepends=True), name)  # functions of the page have sources
        printed = StringIO()
        with redirect_stdout(printed):
            exec(compile(code, name, "exec"), scope)
        assert not output or printed.getvalue() == output, code
