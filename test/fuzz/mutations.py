"""
Texts of the tests and examples, and mutations of them: of their tokens, and of the operations that they hold.
"""

# pyright: basic
from __future__ import annotations

import ast
import random
import re
from collections.abc import Sequence
from pathlib import Path

from xdsl.dialects import arith, func
from xdsl.dialects.builtin import DenseArrayBase, FloatAttr, IndexType, IntegerAttr, IntegerType, ModuleOp, f64, i64
from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import IsTerminator

from cogir.dialects.text import parse_text

ROOT = Path(__file__).parents[2]
TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|[@%!#^]?[\w.$]+|->|//[^\n]*|\s+|.', re.DOTALL)
STRANGE = [
    *["-1", "0", "9223372036854775808", "1.0e999", "0x", "0xFFFFFFFFFFFFFFFFFF", "nan", "inf", "-", "1.5", "true"],
    *["@", '@""', '@"\\', "%", "%0", "%x", "#", "!", "^", '"', '"\\', "\\", "\0", "\u00bd", "\u0394", "\U0001f9e0", "²", "//", "loc("],
    *["{", "}", "(", ")", "[", "]", "<", ">", ",", ":", "=", "->", "dense<", "dense<>", "array<i64>", "{-#", "#-}", "..."],
    *["tensor<", "tensor<*xf64>", "tensor<?xf64>", "tensor<0xf64>", "tensor<99999999999xf64>", "memref<", "vector<2xf64>"],
    *["i0", "i1", "i32", "f32", "f64", "index", "none", "() -> ()", "!rng.state", "!rng.state<mt19937>", "#cog<place port>"],
    *["unit", "builtin.module", "cog.model", "cog.node", "cog.yield", "cog.schedule", "cog.condition", "func.func", "scf.for"],
    *["attributes", "attributes {a}", "{a = 1}", "params", "states", "random", "finished", "until_finished", "matrix", "in"],
]
"""What is put into the text: edges of numbers, of names and of the grammar."""

NUMBERS = ["0", "1", "2", "3", "7", "1000", "1000000", "-1", "0.0", "1.5", "1.0e308", "-0.0", "9007199254740993"]


def corpus() -> list[str]:
    """The models and other IR of the tests and examples, piece by piece."""
    files = sorted([*ROOT.glob("test/filecheck/**/*.mlir"), *ROOT.glob("examples/*.mlir")])
    return [piece for file in files for piece in file.read_text().split("// -----") if len(piece) < 20_000]


def seeds() -> list[str]:
    """Small texts with the operations that can go wrong."""
    return (ROOT / "test/fuzz/seeds.mlir").read_text().split("// -----")


def mutated(text: str, others: list[str], rng: random.Random) -> str:
    """`text` with a few tokens or characters changed."""
    tokens = TOKEN.findall(text)
    for _ in range(rng.choice((1, 1, 1, 1, 2, 3, 8))):
        if not tokens:
            return rng.choice(STRANGE)
        at = rng.randrange(len(tokens))
        match rng.randrange(12):
            case 0:
                del tokens[at]
            case 1:
                tokens.insert(at, tokens[rng.randrange(len(tokens))])
            case 2:
                tokens[at] = rng.choice(STRANGE)
            case 3:
                tokens.insert(at, rng.choice(STRANGE))
            case 4:
                other = rng.randrange(len(tokens))
                tokens[at], tokens[other] = tokens[other], tokens[at]
            case 5:
                tokens[at] = rng.choice(TOKEN.findall(rng.choice(others)) or [""])
            case 6:
                end = min(len(tokens), at + rng.randrange(1, 30))
                del tokens[at:end]
            case 7:
                end = min(len(tokens), at + rng.randrange(1, 60))
                tokens[at:at] = tokens[at:end]
            case 8 | 9:
                # Numbers and names are exchanged with others of the text, which often leaves a model.
                alike = [token for token in tokens if token[:1] == tokens[at][:1] and not token.isspace()]
                tokens[at] = rng.choice(alike or [tokens[at]])
            case 10:
                numbers = [index for index, token in enumerate(tokens) if token[0].isdigit()]
                if numbers:
                    tokens[rng.choice(numbers)] = rng.choice(NUMBERS)
            case _:
                word = tokens[at]
                place = rng.randrange(len(word))
                tokens[at] = word[:place] + chr(rng.choice((rng.randrange(32, 127), rng.randrange(0x2FFF)))) + word[place + 1 :]
    return "".join(tokens)


MODEL = re.compile(r"cog\.model\s+@")


def texts_in_tests() -> list[str]:
    """The texts of models that stand in the Python files of the tests."""
    found: dict[str, None] = {}
    for file in sorted(ROOT.glob("test/unit/**/*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and MODEL.search(node.value):
                found[node.value.replace("{{", "{").replace("}}", "}")] = None
    return [text for text in found if len(text) < 20_000]


WHOLE = [0, -1, 1, 2, 3, 7, 63, 64, -64, 1000, 2**31, 2**32, 2**62, 2**63 - 1, -(2**63)]
FLOATS = [0.0, -0.0, 1.0, -1.5, 0.5, 1e300, -1e300, 5e-324, float("inf"), float("-inf"), float("nan"), 2.0**63]

ALIKE: tuple[Sequence[type[Operation]], ...] = (
    (
        *(arith.AddiOp, arith.SubiOp, arith.MuliOp, arith.DivSIOp, arith.DivUIOp, arith.RemSIOp, arith.RemUIOp, arith.AndIOp, arith.XOrIOp),
        *(
            arith.ShLIOp,
            arith.ShRSIOp,
            arith.ShRUIOp,
            arith.FloorDivSIOp,
            arith.CeilDivSIOp,
            arith.CeilDivUIOp,
            arith.MinSIOp,
            arith.MaxUIOp,
        ),
    ),
    (arith.AddfOp, arith.SubfOp, arith.MulfOp, arith.DivfOp, arith.MaximumfOp, arith.MinnumfOp),
)
"""Operations of the same operands and results, which can stand for one another."""


def op_mutated(text: str, others: Sequence[str], rng: random.Random) -> str:
    """`text` with a few operations changed, or with tokens changed where it is no module."""
    try:
        module = parse_text(text)
        donor = parse_text(rng.choice(others))
    except Exception:
        return mutated(text, list(others), rng)
    for _ in range(rng.choice((1, 1, 2, 3, 6))):
        inner = [op for op in module.walk() if op.parent_op() is not None and op.parent_op() is not module]
        if not inner:
            break
        rng.choice(_MUTATIONS)(rng.choice(inner), donor, rng)
    try:
        return str(module)
    except Exception:
        return mutated(text, list(others), rng)


def _above(op: Operation) -> list[SSAValue]:
    """The values that an operation can use."""
    found: list[SSAValue] = []
    current: Operation | None = op
    while current is not None and isinstance(block := current.parent, Block):
        found += block.args
        for each in block.ops:
            if each is current:
                break
            found += each.results
        current = None if isinstance(current.parent_op(), func.FuncOp) else current.parent_op()
    return found


def _other_operand(op: Operation, donor: ModuleOp, rng: random.Random) -> None:
    if op.operands:
        at = rng.randrange(len(op.operands))
        values = _above(op)
        alike = [value for value in values if value.type == op.operands[at].type]
        if chosen := (alike if rng.random() < 0.9 else values):
            op.operands[at] = rng.choice(chosen)


def _computed_operand(op: Operation, donor: ModuleOp, rng: random.Random) -> None:
    """An index or a whole number that is an operand becomes one that depends on the inputs."""
    places = [at for at, operand in enumerate(op.operands) if isinstance(operand.type, IndexType) or operand.type == i64]
    floats = [value for value in _above(op) if value.type == f64]
    if not places or not floats or op.parent is None:
        return
    at = rng.choice(places)
    whole: Operation = arith.FPToSIOp(rng.choice(floats), i64)
    op.parent.insert_op_before(whole, op)
    if isinstance(op.operands[at].type, IndexType):
        index = arith.IndexCastOp(whole, IndexType())
        op.parent.insert_op_before(index, op)
        whole = index
    op.operands[at] = whole.results[0]


def _swapped_operands(op: Operation, donor: ModuleOp, rng: random.Random) -> None:
    if len(op.operands) > 1:
        one, two = rng.sample(range(len(op.operands)), 2)
        op.operands[one], op.operands[two] = op.operands[two], op.operands[one]


def _other_constant(op: Operation, donor: ModuleOp, rng: random.Random) -> None:
    constants = [each for each in (op.parent.ops if op.parent is not None else ()) if isinstance(each, arith.ConstantOp)]
    if not constants:
        return
    constant = rng.choice(constants)
    match constant.value:
        case IntegerAttr(type=type):
            width = type.width.data if isinstance(type, IntegerType) else 64
            number = rng.choice(WHOLE)
            constant.properties["value"] = IntegerAttr((number + (1 << width - 1)) % (1 << width) - (1 << width - 1), type)
        case FloatAttr(type=type):
            constant.properties["value"] = FloatAttr(rng.choice(FLOATS), type)
        case _:
            pass


def _other_operation(op: Operation, donor: ModuleOp, rng: random.Random) -> None:
    for group in ALIKE:
        if type(op) in group:
            new = rng.choice(group).create(operands=op.operands, result_types=[result.type for result in op.results])
            new.properties.update({name: value for name, value in op.properties.items() if name in new.get_irdl_definition().properties})
            op.parent.insert_op_before(new, op)
            op.results[0].replace_all_uses_with(new.results[0])
            op.detach()
            op.erase()
            return
    _other_operand(op, donor, rng)


def _deleted(op: Operation, donor: ModuleOp, rng: random.Random) -> None:
    if op.has_trait(IsTerminator) and rng.random() < 0.9:
        return
    for result in op.results:
        if alike := [value for value in _above(op) if value.type == result.type]:
            result.replace_all_uses_with(rng.choice(alike))
        elif result.uses:
            return
    op.detach()
    op.erase()


def _repeated(op: Operation, donor: ModuleOp, rng: random.Random) -> None:
    if not op.has_trait(IsTerminator):
        op.parent.insert_op_before(op.clone(), op)


def _spliced(op: Operation, donor: ModuleOp, rng: random.Random) -> None:
    """An operation of another text, on values of this one; what uses a value of its type uses it from here on."""
    values = _above(op)
    given = [each for each in donor.walk() if each.results and each.operands and not each.regions]
    rng.shuffle(given)
    for each in given[:20]:
        operands = [[value for value in values if value.type == operand.type] for operand in each.operands]
        if all(operands):
            new = each.clone()
            for at, alike in enumerate(operands):
                new.operands[at] = rng.choice(alike)
            op.parent.insert_op_before(new, op)
            for result in new.results:
                fitting = [at for at, operand in enumerate(op.operands) if operand.type == result.type]
                if fitting:
                    op.operands[rng.choice(fitting)] = result
            return


def _other_attribute(op: Operation, donor: ModuleOp, rng: random.Random) -> None:
    held = op.properties if op.properties else op.attributes
    if not held:
        return
    name = rng.choice(sorted(held))
    match held[name]:
        case DenseArrayBase() as array:
            numbers = list(array.get_values())
            if numbers:
                numbers[rng.randrange(len(numbers))] = rng.choice(WHOLE[:9])
                held[name] = DenseArrayBase.from_list(array.elt_type, numbers)
        case IntegerAttr(type=type) if isinstance(type, IntegerType | IndexType):
            held[name] = IntegerAttr(rng.choice(WHOLE[:6]), type) if type != IntegerType(1) else IntegerAttr(rng.choice((0, -1)), type)
        case FloatAttr():
            held[name] = FloatAttr(rng.choice(FLOATS), f64)
        case _:
            if rng.random() < 0.2:
                del held[name]


_MUTATIONS = (
    _computed_operand,
    _computed_operand,
    _other_operand,
    _other_operand,
    _swapped_operands,
    _other_constant,
    _other_constant,
    _other_operation,
    _deleted,
    _repeated,
    _spliced,
    _spliced,
    _other_attribute,
)
