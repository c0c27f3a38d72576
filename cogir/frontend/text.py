"""
Models from text, with errors that name line and column.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import FileLineColLoc
from xdsl.utils.exceptions import ParseError, VerifyException

from cogir.dialects.cog_ports import PlacedVerifyException
from cogir.dialects.text import CogParser, make_context
from cogir.errors import ModelError

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp


def parse(text: str, file: str = "<model>") -> ModuleOp:
    """The module that `text` holds, checked; raises `ModelError` with the place of what is wrong."""
    try:
        module = CogParser(make_context(), text, file).parse_module()
    except ParseError as error:
        place = error.span.get_location()
        raise ModelError(f"{place.file}:{place.line}:{place.col}: {' '.join(error.msg.split())}") from None
    check(module, file)
    return module


def check(module: ModuleOp, file: str = "<model>") -> None:
    """Verifies a module, inner operations first, so that the first one that is wrong is named with its place."""
    for op in module.walk(region_first=True):
        try:
            op.verify(verify_nested_ops=False)
        except VerifyException as error:
            at = (error.op if isinstance(error, PlacedVerifyException) else op).location
            where = f"{at.filename.data}:{at.line.data}:{at.column.data}" if isinstance(at, FileLineColLoc) else file
            raise ModelError(f"{where}: {' '.join(str(error).split())}") from None
