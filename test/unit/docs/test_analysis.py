"""The page about analyses: its examples run and print what it says."""

import re
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

PAGE = (Path(__file__).parents[3] / "docs" / "analysis.md").read_text()


def test_the_examples_print_what_the_page_says() -> None:
    scope: dict[str, Any] = {}
    for code, output in re.findall(r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?", PAGE, re.DOTALL):
        printed = StringIO()
        with redirect_stdout(printed):
            exec(code, scope)
        assert not output or printed.getvalue() == output, code
