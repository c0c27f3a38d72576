"""
Models from text, with errors that name line and column.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import FileLineColLoc
from xdsl.utils.exceptions import ParseError, VerifyException

from cogir.analysis.verify_blocks import verify_blocks
from cogir.analysis.verify_runnable import verify_runnable
from cogir.analysis.verify_ssa import verify_ssa
from cogir.dialects.cog.ports import PlacedVerifyException
from cogir.dialects.cog.verify.model import unique_symbols
from cogir.dialects.text import CogParser, make_context
from cogir.errors import ModelError

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Operation


def parse(text: str, file: str = "<model>") -> ModuleOp:
    """
    The module that `text` holds, at any stage, its operations verified; a model that is to be run needs `check`, too.

    :raises ModelError: with the place of what is wrong.
    """
    try:
        module = CogParser(make_context(), text, file).parse_module()
    except ParseError as error:
        place = error.span.get_location()
        raise ModelError(f"{place.file}:{place.line}:{place.col}: {' '.join(error.msg.split())}") from None
    except RecursionError:
        raise ModelError(f"{file}: the text is nested too deeply") from None
    _verify(module, file)
    return module


def parse_model(text: str, file: str = "<model>") -> ModuleOp:
    """
    The module of a model that `text` holds, checked as `check` does.

    :raises ModelError: with the place of what is wrong.
    """
    module = parse(text, file)
    check_uses(module, file)
    _verify_runnable(module, file)
    return module


def check_uses(module: ModuleOp, file: str = "<model>") -> None:
    """
    Verifies what xDSL leaves out, which modules of the builder need not: definitions before uses, and types of calls.

    :raises ModelError: with the place of what is wrong.
    """
    with _placed(module, file):
        verify_ssa(module)


def check(module: ModuleOp, file: str = "<model>") -> None:
    """
    Verifies a module that is to be run, inner operations first, so that the first one that is wrong is named with its place.

    :raises ModelError: for what contradicts itself, and for operations and declarations that a model must not hold.
    """
    _verify(module, file)
    _verify_runnable(module, file)


def _verify(module: ModuleOp, file: str) -> None:
    with _placed(module, file):
        verify_blocks(module)
    for op in module.walk(region_first=True):
        with _placed(op, file):
            if op is module:
                unique_symbols(module.body.block.ops, "the module")
            op.verify(verify_nested_ops=False)


def _verify_runnable(module: ModuleOp, file: str) -> None:
    with _placed(module, file):
        verify_runnable(module)


@contextmanager
def _placed(op: Operation, file: str) -> Generator[None]:
    """Refusals inside name the place of the operation to blame: their own, or else `op`."""
    try:
        yield
    except VerifyException as error:
        at = (error.op if isinstance(error, PlacedVerifyException) else op).location
        where = f"{at.filename.data}:{at.line.data}:{at.column.data}" if isinstance(at, FileLineColLoc) else file
        raise ModelError(f"{where}: {' '.join(str(error).split())}") from None
