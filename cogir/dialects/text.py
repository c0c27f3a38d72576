"""
Reads models and other IR from text: one context that knows all dialects, and a parser that remembers places.

Every operation read carries the place where it was written (`op.location`), so that later errors can name it.
"""

from __future__ import annotations

import bisect
import re
import struct
from collections.abc import Callable
from math import prod
from typing import Any, NoReturn, TypeVar, cast

from xdsl.context import Context
from xdsl.dialects import get_all_dialects
from xdsl.dialects.builtin import (
    AnyFloat,
    DenseIntOrFPElementsAttr,
    FileLineColLoc,
    FloatAttr,
    IntAttr,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    TensorType,
    UnknownLoc,
)
from xdsl.ir import Attribute, Operation, SSAValue, TypeAttribute
from xdsl.parser import ForwardDeclaredValue, Parser, ParserState, Position, UnresolvedOperand
from xdsl.utils.exceptions import ParseError, VerifyException
from xdsl.utils.lexer import Input, Span, Token
from xdsl.utils.mlir_lexer import MLIRLexer, MLIRToken, MLIRTokenKind, StringLiteral

from cogir.dialects.cog import Cog
from cogir.dialects.cog.ports import suggestion
from cogir.dialects.llvm_ext import LLVM
from cogir.dialects.memref_ext import MEMREF
from cogir.dialects.rng import Rng
from cogir.errors import closest
from cogir.limits import LARGEST_ARRAY

AttributeT = TypeVar("AttributeT", bound=Attribute)
ElementT = TypeVar("ElementT")

UNKNOWN_OPERATION = re.compile(r"Operation (\S+) is not registered")
"""xDSL's message for an unknown operation."""

NO_SPAN_OF_TIME = "Expected 'in'"
"""xDSL's message where this keyword, which only conditions have, is missing."""

PARSER_FAILURES = (AssertionError, AttributeError, IndexError, KeyError, NotImplementedError, TypeError, ValueError)
"""The exceptions that the parsers of xDSL's operations have been seen to raise on malformed text."""

OPERATION_NAME = re.compile(r'(?:%[^=\n]*=\s*)?"?([\w$.]+)')
"""The name of an operation, after its results."""

OWN_DIALECTS = ("cog", "rng")

DIGITS = tuple("0123456789")

NUMBER = re.compile(r"-?(?:0[xX][0-9a-fA-F]+|[0-9]+(?:\.[0-9]*(?:[eE][-+]?[0-9]+)?)?)")
"""A number inside `dense<...>`."""

DECIMAL_INTEGER = re.compile(r"(?<![\w.+-])-?[0-9]+(?![\w.])")
"""A decimal integer, not a part of another number."""

LONGEST_NUMBER = 1000
"""The greatest length of a number in characters: Python limits the digits of integers that it reads."""
BYTE_ORDER_MARK = "\ufeff"
"""The mark that some editors put before the first letter of a file."""

COMMENT = re.compile(r"//[^\n]*")


def make_context(*, allow_unregistered: bool = False) -> Context:
    """A context that knows the dialects of xDSL and of cogir, each loaded when it is first met."""
    context = Context(allow_unregistered=allow_unregistered)
    ours = {dialect.name: dialect for dialect in (Cog, Rng, LLVM, MEMREF)}
    for name, factory in get_all_dialects().items():
        if name not in ours:
            context.register_dialect(name, factory)
    for dialect in ours.values():
        context.load_dialect(dialect)
    return context


class CogLexer(MLIRLexer):
    """
    xDSL's lexer, without what goes wrong in it: a string that is not closed takes exponential time, text beyond ASCII
    that was printed is not read back as text, and digits of other scripts are taken for numbers.
    """

    _unescaped_characters_regex = re.compile(r'"(?:[^"\\\n\v\f]++|\\(?:["nt\\]|[0-9A-Fa-f]{2}))*+"')

    def _lex_string_literal(self, start_pos: Position) -> MLIRToken:
        token = super()._lex_string_literal(start_pos)
        if token.kind == MLIRTokenKind.BYTES_LIT and is_text(token.span):
            return Token(MLIRTokenKind.STRING_LIT, token.span)
        return token

    def _lex_at_ident(self, start_pos: Position) -> MLIRToken:
        token = super()._lex_at_ident(start_pos)
        if token.text[1] == '"' and not is_text(Span(token.span.start + 1, token.span.end, token.span.input)):
            raise ParseError(token.span, "the name is not valid UTF-8")
        return token

    def _lex_number(self, start_pos: Position) -> MLIRToken:
        if self.input.slice(start_pos, start_pos + 1) not in DIGITS:
            raise ParseError(Span(start_pos, start_pos + 1, self.input), "unexpected character")
        token = super()._lex_number(start_pos)
        if (length := len(token.text)) > LONGEST_NUMBER:
            raise ParseError(token.span, f"a number has {length} characters; write at most {LONGEST_NUMBER}")
        return token


def is_text(span: Span) -> bool:
    """True if the contents of a string literal are text."""
    try:
        StringLiteral(span.start, span.end, span.input).bytes_contents.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


class CogParser(Parser):
    """xDSL's parser, which also notes where operations stand and reads what xDSL reads wrongly."""

    def __init__(self, context: Context, text: str | bytes, name: str = "<text>", *, first_line: int = 1, own_places: bool = False):
        """
        `first_line` is the number of the first line of `text` within the file `name`; `own_places` gives operations the places where they
        stand in it, even if the text says that they come from elsewhere.
        """
        super().__init__(context, "", name)
        source = text.decode("utf-8") if isinstance(text, bytes) else text
        self._parser_state = ParserState(CogLexer(Input(source.removeprefix(BYTE_ORDER_MARK), name)))
        content = self.lexer.input.content
        self._line_starts = [0, *(match.end() for match in re.finditer("\n", content))]
        self._first_line = first_line
        self._own_places = own_places
        self._file = StringAttr(name)
        self._forward_uses: dict[SSAValue, Span] = {}
        self._module_starts: dict[ModuleOp, Position] = {}
        self._own_failure: Exception | None = None

    def place(self, position: int) -> FileLineColLoc:
        """The line and column of a position in the text, both from 1."""
        line = bisect.bisect_right(self._line_starts, position) - 1
        column = position - self._line_starts[line] + 1
        return FileLineColLoc(self._file, IntAttr(line + self._first_line), IntAttr(column))

    def parse_optional_operation(self) -> Operation | None:
        position = self.pos
        try:
            op = super().parse_optional_operation()
        except VerifyException as error:
            # Types that cannot be inferred are refused by xDSL without saying where.
            self.raise_error(str(error).partition("Underlying verification failure")[0], position, self.pos)
        except ParseError as error:
            if error.msg == NO_SPAN_OF_TIME:
                end = len(self.lexer.input.content[: error.span.start].rstrip())  # what stands there instead may be lines below
                self.raise_error("a condition that counts needs a time scale; add `in trial`, `in run` ...", position, end)
            if (unknown := UNKNOWN_OPERATION.fullmatch(error.msg)) is None:
                raise
            known = [op.name for op in self.ctx.loaded_ops]
            hint = suggestion(unknown[1], known, str) if closest(unknown[1], known) else ""
            self.raise_error(f"there is no operation '{unknown[1]}'{hint}", position, error.span.start)
        except PARSER_FAILURES as error:
            # Some operations of xDSL assume well-formed text. Ours must not, so their failures go on up as they are.
            name = OPERATION_NAME.match(self.lexer.input.content, position)
            if self._own_failure is error or name is None or name[1].partition(".")[0] in OWN_DIALECTS:
                self._own_failure = error
                raise
            detail = f"{type(error).__name__} {error}".strip()
            self.raise_error(f"{name[1]} is not well formed: xDSL stops reading it with {detail}", position, self.pos)
        if op is not None and (self._own_places or isinstance(op.location, UnknownLoc)):
            op.location = self.place(position)
        if isinstance(op, ModuleOp):
            self._module_starts[op] = position
        return op

    def parse_optional_type(self) -> TypeAttribute | None:
        start = self.pos
        type: TypeAttribute | None = super().parse_optional_type()
        if isinstance(type, TensorType) and (size := prod(cast("TensorType[Attribute]", type).get_shape())) > LARGEST_ARRAY:
            self.raise_error(f"an array has {size} elements; an array of a model has at most {LARGEST_ARRAY}", start, self.pos)
        return cast("TypeAttribute | None", type)

    def resolve_operand(self, operand: UnresolvedOperand, type: AttributeT) -> SSAValue[AttributeT]:
        value = super().resolve_operand(operand, type)
        if isinstance(value, ForwardDeclaredValue):
            self._forward_uses.setdefault(value, operand.span)
        return value

    def parse_module(self, allow_implicit_module: bool = True) -> ModuleOp:
        try:
            module = super().parse_module(allow_implicit_module)
            self._check_one_module(module)
            self._check_forward_uses(module)
            return module
        except ParseError as error:
            if self.forward_ssa_references and error.msg.startswith("values used but not defined"):
                first = next(iter(self.forward_ssa_references.values()))
                self._refuse_undefined(next(iter(first.values())))
            if error.msg == "Could not parse entire input!":
                self.raise_error("expected an operation, such as cog.model", self.pos, self.pos + 1)
            raise

    def _check_one_module(self, module: ModuleOp) -> None:
        """Refuses several modules one after the other (xDSL puts a module around them)."""
        if isinstance(module.location, UnknownLoc) and any(isinstance(op, ModuleOp) for op in module.ops):
            start = self._module_starts[[op for op in module.ops if isinstance(op, ModuleOp)][-1]]
            self.raise_error(
                "there are operations beside a builtin.module; move them into the module, or separate them by lines '// -----' "
                "and use cog-opt --split-input-file",
                start,
                start + len("builtin.module"),
            )

    def _check_forward_uses(self, module: ModuleOp) -> None:
        """Refuses a value that is used before its definition, where that turned out to be in a region that ends before."""
        for op in module.walk() if self._forward_uses else ():
            for operand in op.operands:
                if isinstance(operand, ForwardDeclaredValue):
                    self._refuse_undefined(operand)

    def _refuse_undefined(self, value: SSAValue) -> NoReturn:
        span = self._forward_uses[value]
        self.raise_error(f"{span.text} is not defined", span)

    def parse_comma_separated_list(
        self, delimiter: Parser.Delimiter, parse: Callable[[], ElementT], context_msg: str = ""
    ) -> list[ElementT]:
        # xDSL prints the types of several results of linalg.generic in parentheses, as MLIR does, but reads them without.
        stack = self._parser_state.dialect_stack
        in_linalg = bool(stack) and stack[-1] == "linalg"
        if in_linalg and delimiter is Parser.Delimiter.NONE and self._current_token.kind is MLIRTokenKind.L_PAREN:
            delimiter = Parser.Delimiter.PAREN
        return super().parse_comma_separated_list(delimiter, parse, context_msg)

    def parse_dense_int_or_fp_elements_attr(self, type: Any) -> DenseIntOrFPElementsAttr[Any]:
        # xDSL prints inf and nan in arrays by their bits, but reads the bits back as an integer.
        start = self.pos
        attribute = cast("DenseIntOrFPElementsAttr[Any]", super().parse_dense_int_or_fp_elements_attr(type))
        element = attribute.get_element_type()
        literal = COMMENT.sub("", self.lexer.input.content[start : self.pos]).partition(">")[0]
        if isinstance(element, AnyFloat) and '"' not in literal and (integer := DECIMAL_INTEGER.search(literal)) is not None:
            self._refuse_integer(integer[0], element, Span(start, self.pos, self.lexer.input))
        if isinstance(element, AnyFloat) and "0x" in literal.lower() and '"' not in literal:
            words = cast("list[str]", NUMBER.findall(literal))
            values = [self._float_of(word, element, start) for word in words]
            values *= len(attribute) if len(values) == 1 else 1
            return DenseIntOrFPElementsAttr.from_list(attribute.type, values)
        return attribute

    def _refuse_integer(self, written: str, type: Attribute, span: Span) -> None:
        """Refuses an integer where a floating-point number is required, as MLIR does. The operations of cogir take both."""
        stack = self._parser_state.dialect_stack
        if stack and stack[-1] in OWN_DIALECTS:
            return
        self.raise_error(f"{written} is an integer, but {type} is required; write {written}.0", span)

    def _float_of(self, word: str, type: AnyFloat, start: int) -> float:
        """The floating-point number of a word, which holds its bits when it is hexadecimal."""
        if "x" not in word.lower():
            return float(word)
        try:
            value = type.unpack(int(word.lstrip("-"), 16).to_bytes(type.compile_time_size, "little"), 1)[0]
        except (OverflowError, struct.error):
            self.raise_error(f"the hexadecimal number {word} does not fit into the bits of {type}", start, self.pos)
        return -value if word.startswith("-") else value

    def parse_optional_builtin_int_or_float_attr(self) -> IntegerAttr[Any] | FloatAttr[Any] | None:
        start = self.pos
        try:
            attribute = super().parse_optional_builtin_int_or_float_attr()
            integer = DECIMAL_INTEGER.match(self.lexer.input.content, start) if isinstance(attribute, FloatAttr) else None
            if isinstance(attribute, FloatAttr) and integer is not None:
                self._refuse_integer(integer[0], attribute.type, Span(start, integer.end(), self.lexer.input))
            return attribute
        except (OverflowError, struct.error):
            # xDSL does not check that hexadecimal bits fit into the type.
            self.raise_error("the number does not fit into its type", start, self.pos)


def parse_text(text: str | bytes, name: str = "<text>", context: Context | None = None) -> ModuleOp:
    """
    Reads a module. Raises xDSL's `ParseError`, which prints line, column and source line, when the text is not IR.
    """
    return CogParser(context or make_context(), text, name).parse_module()
