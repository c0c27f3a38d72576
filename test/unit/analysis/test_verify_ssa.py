"""What xDSL's verifier lets through, and verify-ssa does not."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from support.native import context, lower, parse
from support.random.loops import RandomModule
from xdsl.dialects import arith, cf, func, llvm, test
from xdsl.dialects.builtin import ModuleOp, f32, f64, i1
from xdsl.ir import Block, Region
from xdsl.parser import Parser
from xdsl.utils.exceptions import VerifyException

from cogir.analysis.dominance import Dominance
from cogir.analysis.verify_ssa import VerifySsa, verify_ssa


def module_of(text: str) -> ModuleOp:
    return Parser(context(), text).parse_module()


FAULTS = {
    "use before definition": (
        """func.func @f(%x: f64) -> f64 {
          %a = arith.addf %b, %x : f64
          %b = arith.addf %x, %x : f64
          func.return %a : f64 }""",
        "verify-ssa: arith.addf in @f uses %b before it is defined",
    ),
    "definition on one path only": (
        """func.func @f(%c: i1, %x: f64) -> f64 {
          cf.cond_br %c, ^a, ^b
        ^a:
          %y = arith.addf %x, %x : f64
          cf.br ^b
        ^b:
          func.return %y : f64 }""",
        "verify-ssa: func.return in @f uses %y, which is not defined on every path that leads here",
    ),
    "a branch with too few values": (
        """func.func @f(%x: f64) -> f64 {
          "cf.br"() [^a] : () -> ()
        ^a(%y: f64):
          func.return %y : f64 }""",
        "verify-ssa: cf.br in @f passes to its successor 0 (), but ^a takes (f64)",
    ),
    "a branch with the wrong type": (
        """func.func @f(%c: i1, %x: f64) {
          cf.cond_br %c, ^a(%x : f64), ^a(%c : i1)
        ^a(%y: f64):
          func.return }""",
        "verify-ssa: cf.cond_br in @f passes to its successor 1 (i1), but ^a takes (f64)",
    ),
    "a switch with the wrong type": (
        """func.func @f(%k: i64, %x: f64) {
          cf.switch %k : i64, [ default: ^a(%x : f64), 3: ^a(%k : i64) ]
        ^a(%y: f64):
          func.return }""",
        "verify-ssa: cf.switch in @f passes to its successor 1 (i64), but ^a takes (f64)",
    ),
    "a call with the wrong types": (
        """func.func private @g(f64) -> i64
        func.func @f(%x: i1) -> f64 {
          %y = func.call @g(%x) : (i1) -> f64
          func.return %y : f64 }""",
        "verify-ssa: func.call in @f passes (i1), but @g takes (f64)",
    ),
    "a call with the wrong result": (
        """func.func private @g(f64) -> i64
        func.func @f(%x: f64) -> f64 {
          %y = func.call @g(%x) : (f64) -> f64
          func.return %y : f64 }""",
        "verify-ssa: func.call in @f returns (f64), but @g returns (i64)",
    ),
    "a call of nothing": (
        """func.func @f(%x: f64) { func.call @g(%x) : (f64) -> () func.return }""",
        "verify-ssa: func.call in @f calls @g, which is not a function of the module",
    ),
    "a return of too little": (
        """func.func @f(%x: f64) -> (f64, f64) { func.return %x : f64 }""",
        "verify-ssa: func.return in @f returns (f64), but @f is declared to return (f64, f64)",
    ),
    "an llvm return of the wrong type": (
        """llvm.func @f(%x: f64) -> i64 { llvm.return %x : f64 }""",
        "verify-ssa: llvm.return in @f returns (f64), but @f is declared to return (i64)",
    ),
    "an llvm call of the wrong type": (
        """llvm.func @g(i64)
        llvm.func @f(%x: f64) { llvm.call @g(%x) : (f64) -> () llvm.return }""",
        "verify-ssa: llvm.call in @f passes (f64), but @g takes (i64)",
    ),
    "an llvm switch with the wrong type": (
        """llvm.func @f(%k: i64, %x: f64) {
          llvm.switch %k : i64, ^a(%x : f64) [3: ^a(%k : i64)]
        ^a(%y: f64):
          llvm.return }""",
        "verify-ssa: llvm.switch in @f passes to its successor 1 (i64), but ^a takes (f64)",
    ),
    "a yield of the wrong type": (
        """func.func @f(%c: i1, %x: f64, %k: i64) -> f64 {
          %r = scf.if %c -> (f64) { scf.yield %k : i64 } else { scf.yield %x : f64 }
          func.return %r : f64 }""",
        "verify-ssa: scf.yield in @f yields (i64), but scf.if returns (f64)",
    ),
    "a while loop that changes its types": (
        """func.func @f(%c: i1, %x: f64) -> f64 {
          %r = scf.while (%a = %x) : (f64) -> f64 { scf.condition(%c) %a : f64 }
          do { ^b(%b: f64): scf.yield %c : i1 }
          func.return %r : f64 }""",
        "verify-ssa: scf.yield in @f yields (i1), but the first region of scf.while takes (f64)",
    ),
    "a while loop that passes on the wrong type": (
        """func.func @f(%c: i1, %x: f64) -> f64 {
          %r = scf.while (%a = %x) : (f64) -> f64 { scf.condition(%c) %c : i1 }
          do { ^b(%b: f64): scf.yield %b : f64 }
          func.return %r : f64 }""",
        "verify-ssa: scf.condition in @f passes on (i1), but scf.while returns (f64)",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_fault(fault: str) -> None:
    text, message = FAULTS[fault]
    with pytest.raises(VerifyException) as caught:
        VerifySsa().apply(context(), module_of(text))
    assert str(caught.value) == message


def test_a_value_from_inside_a_region() -> None:
    module = module_of("""func.func @f(%c: i1, %x: f64) -> f64 {
      scf.if %c { %y = arith.addf %x, %x : f64 }
      func.return %x : f64 }""")
    inner = next(op for op in module.walk() if isinstance(op, arith.AddfOp))
    last = next(op for op in module.walk() if isinstance(op, func.ReturnOp))
    last.operands = [inner.result]
    with pytest.raises(VerifyException, match="uses %y, which is defined in a region that does not enclose it"):
        verify_ssa(module)


def test_a_value_of_another_function() -> None:
    giver = func.FuncOp("giver", ((f64,), ()), Region(Block([func.ReturnOp()], arg_types=[f64])))
    value = giver.body.block.args[0]
    value.name_hint = "x"
    taker = func.FuncOp("taker", ((), (f64,)), Region(Block([func.ReturnOp(value)])))
    with pytest.raises(
        VerifyException,
        match=r"func\.return in @taker uses %x, which is defined outside of the enclosing func\.func",
    ):
        verify_ssa(ModuleOp([giver, taker]))


def test_a_branch_to_the_first_block() -> None:
    entry = Block()
    entry.add_op(cf.BranchOp(entry))
    with pytest.raises(VerifyException, match="branches to the first block of the region, which must not have predecessors"):
        verify_ssa(ModuleOp([func.FuncOp("f", ((), ()), Region(entry))]))


def test_first_block_of_an_llvm_function_must_fit_its_type() -> None:
    body = Region(Block([llvm.ReturnOp()], arg_types=[f32]))
    with pytest.raises(VerifyException, match=r"@f has a first block with arguments \(f32\), but its type says \(f64\)"):
        verify_ssa(ModuleOp([llvm.FuncOp("f", llvm.LLVMFunctionType([f64]), body=body)]))


def test_place_is_named_when_it_is_known() -> None:
    module = module_of("""func.func @f(%x: f64) -> f64 {
      %a = arith.addf %b, %x : f64 loc("model.mlir":3:5)
      %b = arith.addf %x, %x : f64
      func.return %a : f64 }""")
    with pytest.raises(VerifyException, match=r"arith\.addf in @f at model\.mlir:3:5 uses %b"):
        verify_ssa(module)


def test_unreachable_blocks_may_use_anything_of_their_function() -> None:
    verify_ssa(
        module_of("""
    func.func @f(%c: i1, %x: f64) -> f64 {
      cf.br ^b
    ^dead:
      %z = arith.addf %y, %y : f64
      cf.br ^b
    ^b:
      %y = arith.addf %x, %x : f64
      func.return %y : f64
    }""")
    )


def test_random_programs_are_in_order_at_every_stage() -> None:
    for seed in range(5):
        lower(parse(RandomModule(random.Random(seed)).text(5, 30)))


def test_misplaced_operations_are_found() -> None:
    """A definition that is moved behind its first use in the same block is noticed."""
    module = parse(RandomModule(random.Random(7)).text(1, 25))
    moved = 0
    for op in [op for op in module.walk() if isinstance(op, arith.AddfOp | arith.ConstantOp | arith.AndIOp)]:
        users = [use.operation for use in op.results[0].uses if use.operation.parent is op.parent]
        block, following = op.parent, op.next_op
        if not users or block is None or following is None:
            continue
        op.detach()
        block.insert_op_after(op, users[0])
        with pytest.raises(VerifyException, match="before it is defined"):
            verify_ssa(module)
        op.detach()
        block.insert_op_before(op, following)
        moved += 1
    verify_ssa(module)
    assert moved > 10


def test_dominance_equals_its_definition_on_random_graphs() -> None:
    choices = random.Random(3)
    for _ in range(40):
        size = choices.randint(1, 9)
        blocks = [Block() for _ in range(size)]
        for block in blocks:
            targets = choices.choices(blocks, k=choices.randint(0, 2))
            block.add_op(test.TestTermOp(successors=targets))
        region = Region(blocks)
        dominance = Dominance(region)

        def reachable(avoiding: Block | None, blocks: list[Block] = blocks) -> set[Block]:
            found: set[Block] = set()
            pending = [blocks[0]] if blocks[0] is not avoiding else []
            while pending:
                block = pending.pop()
                if block not in found:
                    found.add(block)
                    assert block.last_op is not None
                    pending.extend(following for following in block.last_op.successors if following is not avoiding)
            return found

        everything = reachable(None)
        assert {block for block in blocks if dominance.is_reachable(block)} == everything
        for a in everything:
            without = reachable(a)
            for b in everything:
                assert dominance.dominates(a, b) == (b not in without)


def test_a_function_with_thousands_of_blocks_takes_one_pass() -> None:
    blocks = [Block(arg_types=[i1]) for _ in range(4000)]
    for here, there in pairwise(blocks):
        here.add_op(cf.ConditionalBranchOp(blocks[0].args[0], there, (here.args[0],), blocks[-1], (here.args[0],)))
    blocks[-1].add_op(func.ReturnOp())
    verify_ssa(ModuleOp([func.FuncOp("f", ((i1,), ()), Region(blocks))]))
