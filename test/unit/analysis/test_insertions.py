"""Chains of insertions: where they begin and end, and what they write."""

from typing import cast

from xdsl.context import Context
from xdsl.dialects import arith, builtin, func, tensor
from xdsl.parser import Parser

from cogir.analysis.insertions import Chain, Chains
from cogir.lowering.buffers.bufferize import Bufferize


def parse(body: str) -> builtin.ModuleOp:
    context = Context()
    for dialect in (arith.Arith, builtin.Builtin, func.Func, tensor.Tensor):
        context.load_dialect(dialect)
    return Parser(context, body).parse_module()


def insertions(module: builtin.ModuleOp) -> list[tensor.InsertOp | tensor.InsertSliceOp]:
    return [op for op in module.walk() if isinstance(op, tensor.InsertOp | tensor.InsertSliceOp)]


def test_a_chain_ends_where_somebody_looks() -> None:
    module = parse("""
    func.func @f(%b: tensor<4xf64> {cog.updates = 0 : i64}, %x: f64, %y: tensor<2xf64>) -> (tensor<4xf64>, f64) {
      %c0 = arith.constant 0 : index
      %c3 = arith.constant 3 : index
      %b1 = tensor.insert %x into %b[%c0] : tensor<4xf64>
      %b2 = tensor.insert_slice %y into %b1[1] [2] [1] : tensor<2xf64> into tensor<4xf64>
      %seen = tensor.extract %b2[%c0] : tensor<4xf64>
      %b3 = tensor.insert %x into %b2[%c3] : tensor<4xf64>
      func.return %b3, %seen : tensor<4xf64>, f64
    }""")
    chains, (first, second, third) = Chains(), insertions(module)
    chain = cast(Chain, chains.of(second))
    assert chains.of(first) is chain
    assert chains.of(third) is not chain
    assert chain.first is first
    assert chain.base is first.dest
    assert chain.overwrites(0, 3, since=first)
    assert not chain.overwrites(0, 3, since=second)
    assert not chain.overwrites(0, 4, since=first)


def test_elements_that_are_written_twice_or_somewhere() -> None:
    module = parse("""
    func.func @f(%b: tensor<4xf64>, %x: f64, %y: tensor<2xf64>, %i: index) -> tensor<4xf64> {
      %c1 = arith.constant 1 : index
      %b1 = tensor.insert %x into %b[%i] : tensor<4xf64>
      %b2 = tensor.insert %x into %b1[%c1] : tensor<4xf64>
      %b3 = tensor.insert_slice %y into %b2[1] [2] [1] : tensor<2xf64> into tensor<4xf64>
      func.return %b3 : tensor<4xf64>
    }""")
    chains, (anywhere, second, third) = Chains(), insertions(module)
    chain = cast(Chain, chains.of(third))
    assert chains.of(anywhere) is None
    assert chain.first is second
    assert chain.writes_alone(2, 3)
    assert not chain.writes_alone(1, 3)


def test_values_are_built_where_a_long_chain_puts_them() -> None:
    size = 300
    calls = "\n".join(f"%v{i} = func.call @make(%x) : (f64) -> tensor<1xf64>" for i in range(size))
    saved = "\n".join(
        f"%b{i + 1} = tensor.insert_slice %v{i} into %b{i}[{i}] [1] [1] : tensor<1xf64> into tensor<{size}xf64>" for i in range(size)
    )
    module = parse(f"""
    func.func private @make(%x: f64) -> tensor<1xf64> {{
      %v = tensor.from_elements %x : tensor<1xf64>
      func.return %v : tensor<1xf64>
    }}
    func.func @f(%b0: tensor<{size}xf64> {{cog.updates = 0 : i64}}, %x: f64) -> tensor<{size}xf64> {{
      {calls}
      {saved}
      func.return %b{size} : tensor<{size}xf64>
    }}""")
    Bufferize().apply(Context(), module)
    names = [op.name for op in module.walk()]
    assert "memref.copy" not in names
    assert "memref.alloca" not in names
