"""Operations whose assembly formats are read when they are needed."""

import subprocess
import sys

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, i64
from xdsl.dialects.test import Test
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, operations, result_def
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError

from cogir.formats import read_when_needed


def operation(text: str) -> type[IRDLOperation]:
    """A new operation with this format."""

    @irdl_op_definition
    class TwiceOp(IRDLOperation):
        name = "test.twice"
        value = operand_def(i64)
        result = result_def(i64)
        assembly_format = text

    return TwiceOp


def printed(kind: type[IRDLOperation]) -> str:
    """A module with such an operation, parsed and printed again."""
    context = Context()
    context.load_dialect(Builtin)
    context.load_dialect(Test)
    context.load_op(kind)
    return str(Parser(context, '%x = "test.op"() : () -> i64\n%y = test.twice %x {a = 1 : i64}').parse_module())


def test_text_is_the_same():
    with read_when_needed():
        late = operation("$value attr-dict")
    assert late.get_irdl_definition().assembly_format == "$value attr-dict"
    assert printed(late) == printed(operation("$value attr-dict"))


def test_a_wrong_format_is_told_when_it_is_read():
    with read_when_needed():
        late = operation("$valve attr-dict")
    with pytest.raises(ParseError, match="valve"):
        printed(late)


def test_afterwards_xdsl_is_as_before():
    before = operations.get_accessors_from_op_def
    with pytest.raises(ValueError, match="no"), read_when_needed():
        raise ValueError("no")
    assert operations.get_accessors_from_op_def is before


def test_compiling_a_model_reads_no_format():
    script = """
import cogir
from xdsl.irdl import declarative_assembly_format as formats
formats.FormatProgram.from_str = None
model = cogir.Model("m")
model.node("n", cogir.library.logistic, input=1)
model.compile(cache=False).run({"n": [[0.5]]})
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
