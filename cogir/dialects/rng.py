"""
The `rng` dialect: generators of random numbers whose states are values.

A draw takes a state and gives the drawn numbers and the state after the draw, so every operation here is pure: equal
draws can be merged, hoisted out of loops and removed, and two uses of one state see the same numbers.
"""

from __future__ import annotations

import base64
import binascii
import struct
from abc import ABC
from collections.abc import Sequence

from xdsl.dialects.builtin import (
    IntegerAttr,
    StringAttr,
    SymbolNameConstraint,
    TensorType,
    f64,
    i64,
)
from xdsl.ir import Attribute, Dialect, Operation, ParametrizedAttribute, SSAValue, TypeAttribute
from xdsl.irdl import (
    EqAttrConstraint,
    IRDLOperation,
    MessageConstraint,
    VarConstraint,
    base,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer
from xdsl.traits import Pure, SymbolOpInterface
from xdsl.utils.exceptions import VerifyException

STATE_WORDS: dict[str, int] = {"mt19937": 627, "philox4x64": 13, "xoshiro256": 6}
"""
The kinds of generators, and how many 64-bit words hold the whole state of each.

mt19937: 624 key words, position, has_gauss, bits of the cached gauss. philox4x64: counter[4], key[2], buffer[4],
buffer position, has_uint32, uinteger (NumPy's fields). xoshiro256: four words, has_gauss, bits of the cached gauss
(`cogir.library.random.generators`).
"""

PRESAMPLED = "presampled"
"""
The kind that compiled code has in the place of a generator whose normals are drawn in blocks (`presample-normals`). Its words: the address
of the next normals, how many of them were taken, and how many there are. Beyond these, the first 256 are repeated.
"""
AHEAD_KIND = "ahead"
"""
The kind that compiled code has in the place of mt19937 where normals are made some ahead (`draw-ahead`). Its words: those of mt19937, three
that say which of the normals are left, the bits of these, and zeros, so that pairs can be read beyond the last word of a turn.
"""
ALL_WORDS: dict[str, int] = {**STATE_WORDS, PRESAMPLED: 3, AHEAD_KIND: 688}
"""The same with the kinds that models do not have."""

KEPT_NORMAL: dict[str, int] = {"xoshiro256": 4}
"""Kinds that make two normals at a time by straight-line code, and the word of a state that is 0 when none of them is kept."""

DRAW = "cog.draw"
"""Names the draw that a call computes: it returns NaN, or -1 if it returns ints, where its parameters are out of range."""
DRAW_PREFIX = "cogir_rng_"
"""The beginning of the names of functions that draw; the kind of generator and the draw follow."""


DISTRIBUTIONS: dict[str, tuple[tuple[Attribute, ...], Attribute]] = {
    "exponential": ((), f64),
    "gamma": ((f64,), f64),
    "beta": ((f64, f64), f64),
    "lognormal": ((f64, f64), f64),
    "binomial": ((i64, f64), i64),
    "poisson": ((f64,), i64),
    "geometric": ((f64,), i64),
}
"""The distributions of `rng.sample`: the types of the parameters, and of the number (`cogir.library.random.variates`)."""


def check_kind(kind: str) -> None:
    """Raises a `VerifyException` when there is no generator of that kind."""
    if kind not in ALL_WORDS:
        raise VerifyException(f"there is no generator '{kind}'; the kinds are {', '.join(STATE_WORDS)}")


@irdl_attr_definition
class StateType(ParametrizedAttribute, TypeAttribute):
    """The whole state of a generator of one kind: `!rng.state<mt19937>`."""

    name = "rng.state"

    kind: StringAttr

    def __init__(self, kind: str | StringAttr):
        super().__init__(StringAttr(kind) if isinstance(kind, str) else kind)

    @property
    def words(self) -> int:
        """The number of 64-bit slots of such a state."""
        return ALL_WORDS[self.kind.data]

    def verify(self) -> None:
        check_kind(self.kind.data)

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(self.kind.data)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            return [parse_kind(parser)]


def parse_kind(parser: AttrParser) -> StringAttr:
    """Parses the bare name of a kind of generator."""
    start = parser.pos
    kind = parser.parse_identifier(" for the kind of generator")
    if kind not in ALL_WORDS:
        parser.raise_error(f"there is no generator '{kind}'; the kinds are {', '.join(STATE_WORDS)}", start, parser.pos)
    return StringAttr(kind)


@irdl_op_definition
class SeedOp(IRDLOperation):
    """
    The state of a fresh generator, seeded as NumPy does: `RandomState([seed])` or `Philox(SeedSequence(seed))`.
    xoshiro256 takes its words from splitmix64.

    A seed and two or three more words (which generator, at which point of a sweep, in which replicate) make one of many generators:
    `RandomState([seed, a, b])`, and so on (`cogir.library.random.generators.keyed_words`). xoshiro256 mixes all words into its state.

    ```mlir
    %state = rng.seed %seed : i64 -> !rng.state<mt19937>
    %one_of_many = rng.seed %seed, %a, %b : i64, i64, i64 -> !rng.state<mt19937>
    ```
    """

    name = "rng.seed"

    key = var_operand_def(i64)
    state = result_def(base(StateType))

    traits = traits_def(Pure())

    assembly_format = "$key attr-dict `:` type($key) `->` type($state)"

    def __init__(self, key: SSAValue | Operation | Sequence[SSAValue], kind: str | StateType):
        """`key` is the seed, or a seed and two or three more words."""
        words = key if isinstance(key, Sequence) else [key]
        super().__init__(operands=[words], result_types=[StateType(kind) if isinstance(kind, str) else kind])

    def verify_(self) -> None:
        if len(self.key) not in (1, 3, 4):
            raise VerifyException(f"found {len(self.key)} words to seed a generator; give one seed, or a seed and two or three more words")


SAME_STATE = VarConstraint("STATE", MessageConstraint(base(StateType), "a draw is made from a state, !rng.state<...>"))
"""The state that comes back is of the kind that went in."""


class FloatDrawOperation(IRDLOperation, ABC):
    """A draw of floating-point numbers, one or a tensor of them in row-major order."""

    state = operand_def(SAME_STATE)
    value = result_def(MessageConstraint(EqAttrConstraint(f64) | TensorType.constr(f64), "a draw gives f64 or a tensor of f64"))
    next_state = result_def(SAME_STATE)

    traits = traits_def(Pure())

    assembly_format = "$state attr-dict `:` type($state) `->` type($value)"

    def __init__(self, state: SSAValue | Operation, type: Attribute = f64):
        state = SSAValue.get(state)
        super().__init__(operands=[state], result_types=[type, state.type])


@irdl_op_definition
class UniformOp(FloatDrawOperation):
    """
    Numbers uniform in [0, 1), as NumPy's `random_sample` and `Generator.random`.

    ```mlir
    %value, %next = rng.uniform %state : !rng.state<mt19937> -> tensor<2x3xf64>
    ```
    """

    name = "rng.uniform"


@irdl_op_definition
class NormalOp(FloatDrawOperation):
    """
    Standard normal numbers: NumPy's polar method with its cached second value for mt19937, its ziggurat for philox4x64,
    Box and Muller's method for the others.

    ```mlir
    %value, %next = rng.normal %state : !rng.state<mt19937> -> f64
    ```
    """

    name = "rng.normal"


@irdl_op_definition
class IntegerOp(IRDLOperation):
    """
    Integers uniform in [0, n), n > 0: masked rejection (mt19937) or Lemire's method, as NumPy's `randint`/`integers`.

    ```mlir
    %value, %next = rng.integer %state below %n : !rng.state<philox4x64> -> i64
    ```
    """

    name = "rng.integer"

    state = operand_def(SAME_STATE)
    below = operand_def(i64)
    value = result_def(MessageConstraint(EqAttrConstraint(i64) | TensorType.constr(i64), "a draw gives i64 or a tensor of i64"))
    next_state = result_def(SAME_STATE)

    traits = traits_def(Pure())

    assembly_format = "$state `below` $below attr-dict `:` type($state) `->` type($value)"

    def __init__(self, state: SSAValue | Operation, below: SSAValue | Operation, type: Attribute = i64):
        state = SSAValue.get(state)
        super().__init__(operands=[state, below], result_types=[type, state.type])


@irdl_op_definition
class SampleOp(IRDLOperation):
    """
    Numbers from a distribution, by NumPy's algorithms: exponential of scale 1, gamma (shape) of scale 1, beta (a, b), lognormal (mean
    and sigma of the logarithm), binomial (n, p), poisson (mean), geometric (p).

    A parameter outside of its range, or NaN, draws nothing: the numbers are NaN, or -1 for whole numbers, and the state stays as it is.

    ```mlir
    %value, %next = rng.sample "gamma" %state(%shape) : !rng.state<mt19937>, (f64) -> f64
    %counts, %next = rng.sample "binomial" %state(%n, %p) : !rng.state<philox4x64>, (i64, f64) -> tensor<3xi64>
    ```
    """

    name = "rng.sample"

    distribution = prop_def(StringAttr)
    state = operand_def(SAME_STATE)
    parameters = var_operand_def(EqAttrConstraint(f64) | EqAttrConstraint(i64))
    value = result_def(EqAttrConstraint(f64) | EqAttrConstraint(i64) | TensorType.constr(f64) | TensorType.constr(i64))
    next_state = result_def(SAME_STATE)

    traits = traits_def(Pure())

    def __init__(self, distribution: str, state: SSAValue | Operation, parameters: Sequence[SSAValue], type: Attribute | None = None):
        state = SSAValue.get(state)
        if type is None:
            type = DISTRIBUTIONS[distribution][1]
        super().__init__(
            operands=[state, parameters], result_types=[type, state.type], properties={"distribution": StringAttr(distribution)}
        )

    def verify_(self) -> None:
        name = self.distribution.data
        if name not in DISTRIBUTIONS:
            raise VerifyException(f"rng.sample: there is no distribution '{name}'; the distributions are {', '.join(DISTRIBUTIONS)}")
        parameters, number = DISTRIBUTIONS[name]
        if (found := tuple(self.parameters.types)) != parameters:
            raise VerifyException(f"rng.sample: {name} takes ({', '.join(map(str, parameters))}), and found ({', '.join(map(str, found))})")
        element = self.value.type.element_type if isinstance(self.value.type, TensorType) else self.value.type
        if element != number:
            raise VerifyException(f"rng.sample: {name} gives {number} or a tensor of {number}, not {self.value.type}")

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_string_literal(self.distribution.data)
        printer.print_string(" ")
        printer.print_ssa_value(self.state)
        with printer.in_parens():
            printer.print_list(self.parameters, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" : ")
        printer.print_attribute(self.state.type)
        printer.print_string(", ")
        with printer.in_parens():
            printer.print_list(self.parameters.types, printer.print_attribute)
        printer.print_string(" -> ")
        printer.print_attribute(self.value.type)

    @classmethod
    def parse(cls, parser: Parser) -> SampleOp:
        start = parser.pos
        distribution = parser.parse_str_literal(" for the distribution")
        if distribution not in DISTRIBUTIONS:
            known = ", ".join(DISTRIBUTIONS)
            parser.raise_error(f"there is no distribution '{distribution}'; the distributions are {known}", start, parser.pos)
        state = parser.parse_unresolved_operand()
        parameters = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_unresolved_operand)
        attributes = parser.parse_optional_attr_dict_with_keyword()
        parser.parse_punctuation(":")
        state_type = parser.parse_type()
        parser.parse_punctuation(",")
        place = parser.pos
        types = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
        parser.parse_punctuation("->")
        type = parser.parse_type()
        operands = parser.resolve_operands(parameters, types, place)
        op = cls(distribution, parser.resolve_operand(state, state_type), operands, type)
        if attributes is not None:
            op.attributes.update(attributes.data)
        return op


@irdl_op_definition
class ToWordsOp(IRDLOperation):
    """
    The words of a state, 64 bits each.

    ```mlir
    %words:6 = rng.to_words %state : !rng.state<xoshiro256>
    ```
    """

    name = "rng.to_words"

    state = operand_def(base(StateType))
    words = var_result_def(i64)

    traits = traits_def(Pure())

    def __init__(self, state: SSAValue | Operation):
        state = SSAValue.get(state)
        count = state.type.words if isinstance(state.type, StateType) else 0
        super().__init__(operands=[state], result_types=[[i64] * count])

    def verify_(self) -> None:
        check_words(self.name, self.state.type, len(self.words))

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.state)
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" : ")
        printer.print_attribute(self.state.type)

    @classmethod
    def parse(cls, parser: Parser) -> ToWordsOp:
        state = parser.parse_unresolved_operand()
        parser.parse_punctuation(":")
        return cls(parser.resolve_operand(state, parser.parse_type()))


@irdl_op_definition
class FromWordsOp(IRDLOperation):
    """
    The state that consists of these words.

    ```mlir
    %state = rng.from_words %s0, %s1, %s2, %s3, %has_gauss, %gauss : !rng.state<xoshiro256>
    ```
    """

    name = "rng.from_words"

    words = var_operand_def(i64)
    state = result_def(base(StateType))

    traits = traits_def(Pure())

    assembly_format = "$words attr-dict `:` type($state)"

    def __init__(self, words: Sequence[SSAValue | Operation], type: StateType):
        super().__init__(operands=[words], result_types=[type])

    def verify_(self) -> None:
        check_words(self.name, self.state.type, len(self.words))


def check_words(name: str, type: Attribute, count: int) -> None:
    """Raises a `VerifyException` when a state of this type does not have so many words."""
    if isinstance(type, StateType) and type.words != count:
        raise VerifyException(f"{name}: found {count} words; a state of {type.kind.data} has {type.words} words")


@irdl_op_definition
class PresampledOp(IRDLOperation):
    """
    The number at an address, which nobody changes: a normal that was drawn before.

    ```mlir
    %x = rng.presampled %address : f64
    ```
    """

    name = "rng.presampled"

    address = operand_def(EqAttrConstraint(i64))
    value = result_def(EqAttrConstraint(f64))

    traits = traits_def(Pure())

    assembly_format = "$address attr-dict `:` type($value)"

    def __init__(self, address: SSAValue | Operation, type: Attribute = f64):
        super().__init__(operands=[address], result_types=[type])


@irdl_op_definition
class StreamOp(IRDLOperation):
    """
    A named initial state of a generator, by its seed or as its words (little endian, 64 bits each) in base64.

    With a number, the seed is that of the model: it stands for the stream of this number in a model of this seed. NumPy's generators are
    then seeded with the sum of both; xoshiro256 by seed and path of the generator (`cogir.library.random.generators.model_words`).

    ```mlir
    rng.stream @decision_stream mt19937 seed 42
    rng.stream @observation_stream philox4x64 state "AAAA..."
    rng.stream @noise xoshiro256 seed 5 number 0
    ```
    """

    name = "rng.stream"

    sym_name = prop_def(SymbolNameConstraint())
    kind = prop_def(StringAttr)
    seed = opt_prop_def(IntegerAttr.constr(i64))
    number = opt_prop_def(IntegerAttr.constr(i64))
    state = opt_prop_def(StringAttr)

    traits = traits_def(SymbolOpInterface())

    def __init__(
        self,
        name: str | StringAttr,
        kind: str | StringAttr,
        *,
        seed: int | IntegerAttr | None = None,
        number: int | IntegerAttr | None = None,
        state: str | StringAttr | Sequence[int] | None = None,
    ):
        """`state` is the base64 text, or the words themselves, signed or unsigned."""
        if isinstance(state, Sequence) and not isinstance(state, str):
            state = encode_words(state)
        super().__init__(
            properties={
                "sym_name": StringAttr(name) if isinstance(name, str) else name,
                "kind": StringAttr(kind) if isinstance(kind, str) else kind,
                "seed": IntegerAttr(seed, i64) if isinstance(seed, int) else seed,
                "number": IntegerAttr(number, i64) if isinstance(number, int) else number,
                "state": StringAttr(state) if isinstance(state, str) else state,
            }
        )

    @property
    def words(self) -> tuple[int, ...] | None:
        """The words of the state as signed 64-bit integers, or None when the stream is given by its seed."""
        return None if self.state is None else decode_words(self.state.data)

    def verify_(self) -> None:
        stream = f"rng.stream @{self.sym_name.data}"
        check_kind(self.kind.data)
        if (self.seed is None) == (self.state is None):
            raise VerifyException(f"{stream}: give either a seed or a state")
        if self.seed is not None and self.seed.value.data < 0:
            raise VerifyException(f"{stream}: the seed is {self.seed.value.data}; it must be at least 0")
        number = 0 if self.number is None else self.number.value.data
        if self.number is not None and (self.seed is None or number < 0):
            raise VerifyException(f"{stream}: the number is {number}; give one that is at least 0, after the seed of the model")
        if self.kind.data == "mt19937" and self.seed is not None and self.seed.value.data + number >= 2**32:
            raise VerifyException(f"{stream}: the seed is {self.seed.value.data + number}; mt19937 takes seeds below 2**32 (4294967296)")
        if self.state is not None:
            try:
                words = decode_words(self.state.data)
            except ValueError as error:
                raise VerifyException(f"{stream}: the state is not base64 of 64-bit words ({error})") from error
            if len(words) != (expected := STATE_WORDS[self.kind.data]):
                raise VerifyException(f"{stream}: the state has {len(words)} words, but {self.kind.data} has {expected} words of 64 bits")
            if self.kind.data == "mt19937" and draws_only_zeros(words):
                raise VerifyException(f"{stream}: this state of mt19937 draws only zeros; give a seed")

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        printer.print_string(f" {self.kind.data}")
        if self.seed is not None:
            printer.print_string(f" seed {self.seed.value.data}")
        if self.number is not None:
            printer.print_string(f" number {self.number.value.data}")
        if self.state is not None:
            printer.print_string(" state ")
            printer.print_string_literal(self.state.data)
        printer.print_op_attributes(self.attributes, print_keyword=True)

    @classmethod
    def parse(cls, parser: Parser) -> StreamOp:
        name = parser.parse_symbol_name()
        kind = parse_kind(parser)
        seed = parser.parse_integer() if parser.parse_optional_keyword("seed") else None
        number = parser.parse_integer() if parser.parse_optional_keyword("number") else None
        state = parser.parse_str_literal() if parser.parse_optional_keyword("state") else None
        return cls(name, kind, seed=seed, number=number, state=state)


def draws_only_zeros(words: Sequence[int]) -> bool:
    """True for the state of mt19937 whose key is zero, from which a normal number is never accepted; of its first word one bit counts."""
    return not (words[0] & 0x80000000 or any(word & 0xFFFFFFFF for word in words[1:624]))


def encode_words(words: Sequence[int]) -> str:
    """The words of a state, 64 bits each, as base64 text (little endian)."""
    return base64.b64encode(b"".join(struct.pack("<Q", word & (2**64 - 1)) for word in words)).decode("ascii")


def decode_words(text: str) -> tuple[int, ...]:
    """The words in a base64 text as signed 64-bit integers; raises `ValueError` when it is not such a text."""
    try:
        data = base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise ValueError(str(error).lower()) from error
    if len(data) % 8:
        raise ValueError(f"{len(data)} bytes are not a multiple of 8")
    return tuple(word for (word,) in struct.iter_unpack("<q", data))


Rng = Dialect("rng", [SeedOp, UniformOp, NormalOp, IntegerOp, SampleOp, ToWordsOp, FromWordsOp, PresampledOp, StreamOp], [StateType])
"""The dialect as a whole."""
