"""Products in tiles: the bits of sums that go through the terms in order, for all shapes and layouts, after each pass."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import Any, cast

import numpy as np
import pytest
from support.long import long
from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import arith, func, scf
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IndexType, MemRefType, ModuleOp, VectorType, f64
from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir import Block
from xdsl.rewriter import InsertPoint

from cogir.backend.emit_llvm_ir import emit_llvm_ir
from cogir.backend.jit import assembly, compile_module
from cogir.backend.llvm import Target, initialise_all_targets, registers, vectors_of_block
from cogir.dialects.memref_ext import PrefetchOp
from cogir.errors import LoweringError
from cogir.frontend.text import parse
from cogir.interpreters.levels import run_function
from cogir.irutils import index_constant
from cogir.lowering.pipeline import PASSES
from cogir.lowering.products import pack_products, tile_products, vectorize_products
from cogir.lowering.products.loops import TileWriter
from cogir.lowering.products.tile_products import SHARED, rows_of_block
from cogir.runtime.build import product_options

pytestmark = pytest.mark.sampled(2)

ROAD = ("tile-products", "pack-products", "block-products", "vectorize-products")
DOWN = ("convert-linalg-to-loops", "convert-scf-to-cf", "convert-to-llvm")
LAYOUTS = [("(i, k)", "(k, j)"), ("(k, i)", "(k, j)"), ("(i, k)", "(j, k)"), ("(k, i)", "(j, k)")]


def product(rows: int, terms: int, columns: int, layouts: tuple[str, str] = LAYOUTS[0], swapped: bool = False) -> ModuleOp:
    """A function with a product of two matrices, perhaps with the second one first."""
    extents = {"i": rows, "k": terms, "j": columns}

    def memref(layout: str) -> str:
        return f"memref<{''.join(f'{extents[axis]}x' for axis in layout.strip('()').split(', '))}f64>"

    names = ["%x", "%y"]
    maps = list(layouts)
    if swapped:
        names.reverse()
        maps.reverse()
    kinds = ", ".join(f"affine_map<(i, k, j) -> {layout}>" for layout in (*maps, "(i, j)"))
    types = ", ".join(memref(layout) for layout in maps)
    return parse(
        f"func.func @f(%x: {memref(layouts[0])}, %y: {memref(layouts[1])}, %z: {memref('(i, j)')}) {{\n"
        f'linalg.generic {{indexing_maps = [{kinds}], iterator_types = ["parallel", "reduction", "parallel"]}}'
        f" ins({', '.join(names)} : {types}) outs(%z : {memref('(i, j)')}) {{\n"
        "^bb0(%u: f64, %v: f64, %o: f64):\n  %p = arith.mulf %u, %v : f64\n  %s = arith.addf %o, %p : f64\n"
        "  linalg.yield %s : f64\n}\nfunc.return }"
    )


def numbers(shape: Sequence[int], seed: int) -> Any:
    """Numbers of many sizes, some of them zeros of both signs, infinite or NaN."""
    made = np.random.default_rng(seed)
    values = made.normal(size=shape) * 10.0 ** made.integers(-3, 4, size=shape)
    special = np.array([0.0, -0.0, np.inf, np.nan, 5e-324])
    rare = made.random(shape) < 0.002
    return np.where(rare, made.choice(special, size=shape), values)


def operands(rows: int, terms: int, columns: int, layouts: tuple[str, str], seed: int) -> tuple[Any, Any, Any]:
    """Two matrices as they lie in memory, and what their product is added to."""
    left = numbers((rows, terms), seed)
    right = numbers((terms, columns), seed + 1)
    x = left if layouts[0] == "(i, k)" else np.ascontiguousarray(left.T)
    y = right if layouts[1] == "(k, j)" else np.ascontiguousarray(right.T)
    return x, y, numbers((rows, columns), seed + 2)


def in_order(x: Any, y: Any, z: Any, layouts: tuple[str, str]) -> Any:
    """The sums, term after term."""
    left = x if layouts[0] == "(i, k)" else x.T
    right = y if layouts[1] == "(k, j)" else y.T
    total = z.copy()
    with np.errstate(all="ignore"):
        for term in range(left.shape[1]):
            total += left[:, term, None] * right[None, term]
    return total


def run_natively(module: ModuleOp, x: Any, y: Any, z: Any) -> Any:
    """What machine code leaves in the place of the result."""
    for name in DOWN:
        PASSES[name]().apply(Context(), module)
    result = z.copy()
    arrays = [np.ascontiguousarray(array) for array in (x, y, result)]
    compile_module(module).function("f", None, *[ctypes.c_void_p] * 3)(*(array.ctypes.data for array in arrays))
    return arrays[2]


def same(got: Any, wanted: Any) -> bool:
    """Equal bits; NaN is one value."""
    return bool((np.where(np.isnan(got), np.nan, got).view(np.int64) == np.where(np.isnan(wanted), np.nan, wanted).view(np.int64)).all())


def draws(count: int) -> list[tuple[int, int, int, int, int]]:
    """Shapes, some of which are larger than one tile or block, with a layout and a seed."""
    chance = Random("products")
    sizes = [*range(4, 30), 31, 32, 33, 47, 63, 64, 65, 96, 97, 143, 144, 145, 150, 255, 256, 257, 300]
    cases = [(145, 257, 33, 0, 0), (440, 130, 129, 0, 4), (150, 801, 65, 2, 5), (24, 256, 32, 1, 1), (5, 300, 65, 2, 2), (4, 32, 32, 3, 3)]
    cases += [(130, 270, 560, 0, 6), (121, 400, 370, 1, 7)]
    while len(cases) < count:
        rows, terms, columns = (chance.choice(sizes) for _ in range(3))
        if rows * terms * columns >= tile_products.LEAST_WORK:
            cases.append((rows, terms, columns, chance.randrange(4), len(cases)))
    return cases


UNROLL = {1: 1, 2: 3, 3: 2}
"""The terms of each step of blocks with so many vectors in a row."""


def of_shape(rows: int, lanes: int, vectors: int) -> dict[str, dict[str, int]]:
    """The options of the passes for blocks of so many rows and vectors."""
    return {
        "tile-products": {"rows": rows, "lanes": lanes, "vectors": vectors},
        "pack-products": {"lanes": lanes, "vectors": vectors},
        "block-products": {"lanes": lanes, "vectors": vectors},
        "vectorize-products": {"lanes": lanes, "unroll": UNROLL[vectors]},
    }


@pytest.mark.parametrize("shape", [(24, 8, 1), (8, 8, 3), (4, 4, 3), (7, 8, 2), (8, 2, 3), (4, 2, 3)])
@pytest.mark.parametrize("case", [*draws(8), *long(*draws(200)[8:])])
def test_machine_code_gives_the_sums_in_order(case: tuple[int, int, int, int, int], shape: tuple[int, int, int]) -> None:
    rows, terms, columns, layout, seed = case
    layouts = LAYOUTS[layout]
    module = product(rows, terms, columns, layouts, swapped=seed % 2 == 1)
    for name in ROAD:
        PASSES[name](**of_shape(*shape)[name]).apply(Context(), module)
        module.verify()
    assert not any(isinstance(op, GenericOp) for op in module.walk())
    x, y, z = operands(rows, terms, columns, layouts, seed)
    assert same(run_natively(module, x, y, z), in_order(x, y, z, layouts))


FEW_ROWS = [(5, 300, 65), (6, 100, 24), (13, 801, 129), (19, 33, 72), (20, 300, 300), *long((9, 17, 31), (10, 700, 100), (16, 64, 48))]


@pytest.mark.parametrize("shape", [(8, 8, 3), (4, 4, 3)])
@pytest.mark.parametrize("case", FEW_ROWS)
def test_operands_of_a_few_rows_stay_where_they_are(case: tuple[int, int, int], shape: tuple[int, int, int]) -> None:
    """The last blocks of rows and of columns are moved back; from 2 ** 16 elements on a tile has 32 terms."""
    x, y, z = operands(*case, LAYOUTS[0], 7)
    wanted, from_zero = (in_order(x, y, begin, LAYOUTS[0]) for begin in (z, np.zeros_like(z)))
    added, begun = product(*case), begin_with_zeros(product(*case))
    for module in (added, begun):
        for name in ROAD:
            PASSES[name](**of_shape(*shape)[name]).apply(Context(), module)
            module.verify()
        assert "@cogir_blocks_in_place" in str(module)
        assert "@cogir_pack" not in str(module)
        assert not any(isinstance(op, GenericOp) for op in module.walk())
    assert same(run_natively(added, x, y, z), wanted)
    assert same(run_natively(begun, x, y, np.full_like(z, np.nan)), from_zero)


@pytest.mark.parametrize(
    ("rows", "terms", "columns", "layout"), [(21, 60, 60, 0), (4, 60, 60, 0), (10, 600, 23, 0), (10, 60, 60, 1), (10, 60, 60, 2)]
)
def test_operands_are_copied_elsewhere(rows: int, terms: int, columns: int, layout: int) -> None:
    """Where there are more rows or fewer, fewer columns than a block has, or other layouts."""
    module = product(rows, terms, columns, LAYOUTS[layout])
    for name in ROAD:
        PASSES[name](**of_shape(8, 8, 3)[name]).apply(Context(), module)
    assert "in_place" not in str(module)


def keep_right(patch: pytest.MonkeyPatch, rows: int, elements: int) -> None:
    """Tiles of `right` with so many elements stay in the cache for products of more rows."""
    patch.setattr(tile_products, "ROWS_KEPT", rows)
    patch.setattr(tile_products, "WIDE_TILE", elements)


@pytest.mark.parametrize(("shape", "keeps_right"), [((6, 4, 1), False), ((4, 2, 3), False), ((4, 2, 3), True)])
@pytest.mark.parametrize("layout", range(4))
def test_each_pass_gives_the_sums_in_order(
    monkeypatch: pytest.MonkeyPatch, layout: int, shape: tuple[int, int, int], keeps_right: bool
) -> None:
    """With small tiles, so that the interpreter comes to an end."""
    monkeypatch.setattr(tile_products, "ROWS", 12)
    monkeypatch.setattr(tile_products, "COLUMNS", 8)
    monkeypatch.setattr(tile_products, "DEPTH", 6)
    monkeypatch.setattr(tile_products, "LEAST_WORK", 1)
    if keeps_right:
        keep_right(monkeypatch, 8, 200)
    x, y, z = operands(14, 13, 11, LAYOUTS[layout], 3)
    wanted = in_order(x, y, z, LAYOUTS[layout])
    module = product(14, 13, 11, LAYOUTS[layout])
    for name in ((), *ROAD):
        if name:
            PASSES[name](**of_shape(*shape)[name]).apply(Context(), module)
            module.verify()
        got = z.copy()
        with np.errstate(all="ignore"):
            run_function(module, "f", [x, y, got])
        assert same(got, wanted), name


def begin_with_zeros(module: ModuleOp, zero: str = "0.0", condition: bool = False, by_trial: bool = False) -> ModuleOp:
    """Zeros in the result before the product, perhaps only if an argument is true."""
    head, body = str(module).split("    linalg.generic", 1)
    result = re.findall(r"%z: (memref<[^>]*>)", head)[0]
    fill = (
        'linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} '
        f"outs(%z : {result}) {'attrs = {cog.by_trial}' if by_trial else ''} {{\n^bb0(%old: f64):\n  linalg.yield %zero : f64\n}}\n"
    )
    if condition:
        head = head.replace(f"%z: {result}", f"%z: {result}, %begins: i1")
        fill = f"scf.if %begins {{\n{fill}}}\n"
    return parse(f"{head}%zero = arith.constant {zero} : f64\n{fill}linalg.generic{body}")


def call_with_flag(module: ModuleOp, x: Any, y: Any, z: Any, flag: bool) -> Any:
    for name in DOWN:
        PASSES[name]().apply(Context(), module)
    result = z.copy()
    arrays = [array.ctypes.data for array in (x, y, result)]
    compile_module(module).function("f", None, *[ctypes.c_void_p] * 3, ctypes.c_bool)(*arrays, flag)
    return result


ZERO_CASES = [(145, 257, 33, 0, 0), (440, 130, 129, 1, 4), (24, 801, 65, 2, 5), (400, 300, 400, 3, 1), (30, 500, 256, 0, 2)]


@pytest.mark.parametrize("shape", [(24, 8, 1), (8, 8, 3)])
@pytest.mark.parametrize("case", ZERO_CASES)
def test_products_that_begin_with_zeros(case: tuple[int, int, int, int, int], shape: tuple[int, int, int]) -> None:
    """No zeros are written, and what the result held is not read; several tiles of terms, edges and crowded rows among them."""
    rows, terms, columns, layout, seed = case
    x, y, z = operands(rows, terms, columns, LAYOUTS[layout], seed)
    from_zero = in_order(x, y, np.zeros_like(z), LAYOUTS[layout])
    always = begin_with_zeros(product(rows, terms, columns, LAYOUTS[layout]))
    under_condition = begin_with_zeros(product(rows, terms, columns, LAYOUTS[layout]), condition=True)
    for module in (always, under_condition):
        for name in ROAD:
            PASSES[name](**of_shape(*shape)[name]).apply(Context(), module)
            module.verify()
        assert not any(isinstance(op, GenericOp) for op in module.walk())
    assert same(run_natively(always, x, y, np.full_like(z, np.nan)), from_zero)
    again = under_condition.clone()
    assert same(call_with_flag(under_condition, x, y, np.full_like(z, np.nan), True), from_zero)
    assert same(call_with_flag(again, x, y, z, False), in_order(x, y, z, LAYOUTS[layout]))


@pytest.mark.parametrize("begins", [False, True])
def test_each_pass_begins_with_zeros(monkeypatch: pytest.MonkeyPatch, begins: bool) -> None:
    """In the interpreter, with several tiles of terms."""
    for name, number in (("ROWS", 12), ("COLUMNS", 8), ("DEPTH", 6), ("LEAST_WORK", 1)):
        monkeypatch.setattr(tile_products, name, number)
    x, y, z = operands(14, 13, 11, LAYOUTS[0], 3)
    wanted = in_order(x, y, np.zeros_like(z) if begins else z, LAYOUTS[0])
    module = begin_with_zeros(product(14, 13, 11), condition=True)
    for name in ((), *ROAD):
        if name:
            PASSES[name](**of_shape(4, 2, 3)[name]).apply(Context(), module)
        got = z.copy()
        with np.errstate(all="ignore"):
            run_function(module, "f", [x, y, got, begins])
        assert same(got, wanted), name


@pytest.mark.parametrize(
    ("zero", "by_trial", "between"),
    [
        ("-0.0", False, ""),
        ("1.0", False, ""),
        ("0.0", True, ""),
        ("0.0", False, "memref.store %zero, %z[%zero_index, %zero_index] : memref<32x32xf64>\n"),
    ],
)
def test_other_numbers_are_added_to(zero: str, by_trial: bool, between: str) -> None:
    """Also zeros of some trials, where all rows are wanted, and those that something else may have changed."""
    text = str(begin_with_zeros(product(32, 32, 32), zero, by_trial=by_trial))
    *head, body = text.rpartition("linalg.generic")
    index = "%zero_index = arith.constant 0 : index\n" if between else ""
    module = parse(head[0] + index + between + head[1] + body)
    PASSES["tile-products"]().apply(Context(), module)
    (function, _) = (op for op in module.ops if isinstance(op, func.FuncOp))
    assert len([op for op in function.walk() if isinstance(op, GenericOp)]) == 1
    assert "%begins" not in str(module)


@pytest.mark.parametrize("columns", [(0, 1), (1, 3), (0, 7), (6, 8), (7, 8), (0, 8)])
@pytest.mark.parametrize("rows", [100, 130])
def test_a_range_of_columns(monkeypatch: pytest.MonkeyPatch, rows: int, columns: tuple[int, int]) -> None:
    """The tiles of 72 columns that a thread is given; tiles that stay in the cache end with the last one."""
    monkeypatch.setattr(tile_products, "SHARED_WORK", 1)
    module = product(rows, 40, 560)
    for name in ROAD:
        PASSES[name](**of_shape(8, 8, 3)[name]).apply(Context(), module)
    (call,) = (op for op in module.walk() if isinstance(op, func.CallOp) and SHARED in op.attributes)
    numbers_before = [index_constant(number) for number in columns]
    cast(Block, call.parent).insert_ops_before(numbers_before, call)
    call.operands[0], call.operands[1] = (op.result for op in numbers_before)
    x, y, z = operands(rows, 40, 560, LAYOUTS[0], 1)
    got, wanted = run_natively(module, x, y, z), in_order(x, y, z, LAYOUTS[0])
    first, last = (72 * number for number in columns)
    assert same(got[:, first:last], wanted[:, first:last])
    assert same(got[:, :first], z[:, :first])
    assert same(got[:, last:], z[:, last:])


@pytest.mark.parametrize(("shape", "keeps_right"), [((24, 8, 1), False), ((8, 8, 3), False), ((8, 8, 3), True)])
@pytest.mark.parametrize("last", [0, 3, 4, 11, 12, 19, 20, 23, 24, 35, 36, 95])
def test_products_by_trial_end_with_the_last_one(
    monkeypatch: pytest.MonkeyPatch, last: int, shape: tuple[int, int, int], keeps_right: bool
) -> None:
    """Those of 5 to 20 trials read their operands where they are, if blocks have several vectors."""
    if keeps_right:
        keep_right(monkeypatch, 24, 70 * 40)
    text = str(product(96, 70, 40)).replace("%z: memref<96x40xf64>", "%z: memref<96x40xf64>, %last: index {cog.last}")
    module = parse(text.replace("{\n    ^bb0", "attrs = {cog.by_trial} {\n    ^bb0"))
    assert "cog.by_trial" in str(module)
    for name in ROAD:
        PASSES[name](**of_shape(*shape)[name]).apply(Context(), module)
    assert ("@cogir_blocks_in_place" in str(module)) == (shape[2] > 1)
    x, y, z = operands(96, 70, 40, LAYOUTS[0], last)
    for name in DOWN:
        PASSES[name]().apply(Context(), module)
    got = z.copy()
    types = [*[ctypes.c_void_p] * 3, ctypes.c_int64]
    compile_module(module).function("f", None, *types)(x.ctypes.data, y.ctypes.data, got.ctypes.data, last)
    wanted = in_order(x, y, z, LAYOUTS[0])
    assert same(got[: last + 1], wanted[: last + 1])
    assert same(got[last + 1 :], z[last + 1 :])


@pytest.mark.parametrize("keeps_right", [False, True])
@pytest.mark.parametrize("last", [0, 31, 299, 300, 650, 899])
def test_sums_over_trials_end_with_the_last_one(monkeypatch: pytest.MonkeyPatch, last: int, keeps_right: bool) -> None:
    """The trials are the terms, in up to three tiles; what comes after the last one is not read."""
    if keeps_right:
        keep_right(monkeypatch, 24, 50 * 300)
    layouts = LAYOUTS[1]
    text = str(product(40, 900, 50, layouts)).replace("%z: memref<40x50xf64>", "%z: memref<40x50xf64>, %last: index {cog.last}")
    for old, new in (
        ("(d0, d1, d2) ->", "(d1, d0, d2) ->"),
        ('["parallel", "reduction"', '["reduction", "parallel"'),
        ("{\n    ^bb0", "attrs = {cog.by_trial} {\n    ^bb0"),
    ):
        assert old in text
        text = text.replace(old, new)
    module = parse(text)
    options = of_shape(8, 8, 3) if keeps_right else {}
    for name in (*ROAD, *DOWN):
        PASSES[name](**options.get(name, {})).apply(Context(), module)
    x, y, z = operands(40, 900, 50, layouts, last)
    wanted = in_order(x[: last + 1], y[: last + 1], z, layouts)
    x[last + 1 :], y[last + 1 :] = np.nan, np.nan
    types = [*[ctypes.c_void_p] * 3, ctypes.c_int64]
    compile_module(module).function("f", None, *types)(x.ctypes.data, y.ctypes.data, z.ctypes.data, last)
    assert same(z, wanted)


@pytest.mark.parametrize(
    ("rows", "block"), [(4, 12), (12, 12), (13, 24), (24, 24), (30, 12), (37, 24), (84, 12), (96, 24), (100, 24), (192, 24)]
)
def test_few_trials_are_computed_in_smaller_blocks(rows: int, block: int) -> None:
    """The same choice for a number that is known, and for one that is not."""
    choose = pack_products.SharedFunctions(ModuleOp([]), 8, 1, f64).block_for
    function = func.FuncOp("f", ([IndexType()], [IndexType()]))
    place = TileWriter(InsertPoint.at_end(function.body.block))
    assert choose(place, rows, [12, 24]) == block
    assert choose(place, rows, [24]) == 24
    place.builder.insert(func.ReturnOp(place.index(choose(place, function.args[0], [12, 24]))))
    assert run_function(ModuleOp([function]), "f", [rows]) == (block,)


@pytest.mark.parametrize("layout", range(4))
def test_products_of_float32(layout: int) -> None:
    module = parse(str(product(72, 300, 45, LAYOUTS[layout])).replace("f64", "f32"))
    for name in ROAD:
        PASSES[name]().apply(Context(), module)
        module.verify()
    assert "@cogir_product_24x16_f32" in str(module)
    x, y, z = (array.astype(np.float32) for array in operands(72, 300, 45, LAYOUTS[layout], 5))
    got = run_natively(module, x, y, z)
    assert same(got.astype(float), in_order(x, y, z, LAYOUTS[layout]).astype(float))


@pytest.mark.parametrize("dtype", ["f64", "f32"])
def test_left_is_asked_for_ahead(dtype: str) -> None:
    """As many lines of the cache as a term has: three of 24 f64, two of 24 f32; the sums stay as they are."""
    module = parse(str(product(72, 300, 45)).replace("f64", dtype))
    for name in ROAD:
        PASSES[name](**({"ahead": 16} if name == "vectorize-products" else {})).apply(Context(), module)
    kernel = next(op for op in module.ops if isinstance(op, func.FuncOp) and "product_24x" in op.sym_name.data)
    assert len([op for op in kernel.walk() if isinstance(op, PrefetchOp)]) == (3 if dtype == "f64" else 2)
    x, y, z = (array.astype(np.float64 if dtype == "f64" else np.float32) for array in operands(72, 300, 45, LAYOUTS[0], 5))
    assert same(run_natively(module, x, y, z).astype(float), in_order(x, y, z, LAYOUTS[0]).astype(float))


def test_fused_products_round_once() -> None:
    module = product(24, 200, 16)
    for name in ROAD:
        PASSES[name](**({"fused": True} if name == "vectorize-products" else {})).apply(Context(), module)
    made = np.random.default_rng(0)
    x, y, z = made.normal(size=(24, 200)), made.normal(size=(200, 16)), np.zeros((24, 16))
    got = run_natively(module, x, y, z)
    exact = (x.astype(np.longdouble) @ y.astype(np.longdouble)).astype(float)
    assert not np.array_equal(got, in_order(x, y, z, LAYOUTS[0]))
    np.testing.assert_allclose(got, exact, rtol=1e-12, atol=1e-13)


def test_products_of_one_shape_are_one_function() -> None:
    module = product(32, 32, 32)
    (function,) = (op for op in module.ops if isinstance(op, func.FuncOp))
    (one, _) = function.body.block.ops
    function.body.block.insert_op_before(one.clone(), one)
    PASSES["tile-products"]().apply(Context(), module)
    assert len([op for op in module.ops if isinstance(op, func.FuncOp)]) == 2
    assert len([op for op in function.walk() if isinstance(op, func.CallOp)]) == 2


@pytest.mark.parametrize(("rows", "block"), [(24, 24), (32, 16), (96, 24), (200, 25), (500, 25), (7, 8), (50, 25), (1000, 25)])
def test_blocks_leave_few_rows_of_nothing(rows: int, block: int) -> None:
    assert rows_of_block(rows, 24) == block


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("arith.mulf %u, %v : f64", "arith.mulf %u, %v fastmath<contract> : f64"),
        ("arith.mulf %u, %v", "arith.mulf %u, %u"),
        ("arith.addf %o, %p", "arith.subf %o, %p"),
        ("outs(%z", "outs(%x"),
        ('"parallel", "reduction"', '"parallel", "parallel"'),
    ],
)
def test_what_is_no_product_of_other_memory_stays(old: str, new: str) -> None:
    text = str(product(32, 32, 32))
    assert old in text
    module = parse(text.replace(old, new))
    PASSES["tile-products"]().apply(Context(), module)
    assert any(isinstance(op, GenericOp) for op in module.walk())
    assert len([op for op in module.ops if isinstance(op, func.FuncOp)]) == 1


def terms_are_forgotten(patch: pytest.MonkeyPatch) -> None:
    """Tiles have one term less than there are from one tile to the next."""
    size = tile_products.size

    def short(place: TileWriter, whole: int, largest: int, begin: Any) -> Any:
        return largest - 1 if whole == 257 else size(place, whole, largest, begin)

    patch.setattr(tile_products, "size", short)


def sums_are_doubled_terms(patch: pytest.MonkeyPatch) -> None:
    """product + product in the place of total + product"""
    made = vectorize_products.product_function

    def wrong(*given: Any) -> func.FuncOp:
        function = made(*given)
        for op in function.walk():
            if isinstance(op, arith.AddfOp):
                op.operands = [op.rhs, op.rhs]
        return function

    patch.setattr(vectorize_products, "product_function", wrong)


def edges_are_not_zeros(patch: pytest.MonkeyPatch) -> None:
    """Vectors at the edge are read and written as if they were whole."""
    mask = pack_products.SharedFunctions.mask

    def whole(self: pack_products.SharedFunctions, place: TileWriter, count: Any) -> Any:
        return mask(self, place, self.lanes)

    patch.setattr(pack_products.SharedFunctions, "mask", whole)


def products_are_fused(patch: pytest.MonkeyPatch) -> None:
    made = vectorize_products.product_function

    def fused(*given: Any) -> func.FuncOp:
        *others, steps = given
        return made(*others, replace(steps, fused=True))

    patch.setattr(vectorize_products, "product_function", fused)


def terms_left_over_are_forgotten(patch: pytest.MonkeyPatch) -> None:
    """A loop ends with the last whole step."""
    made = vectorize_products.product_function

    def wrong(*given: Any) -> func.FuncOp:
        function = made(*given)
        *_, last = [op for op in function.walk() if isinstance(op, scf.ForOp)]
        last.operands = [last.lb, last.lb, *last.operands[2:]]
        return function

    patch.setattr(vectorize_products, "product_function", wrong)


def blocks_begin_at_zero(patch: pytest.MonkeyPatch) -> None:
    """What is added to is forgotten."""
    made = vectorize_products.product_function

    def from_zero(*given: Any) -> func.FuncOp:
        function = made(*given)
        loop = next(op for op in function.walk() if isinstance(op, scf.ForOp))
        builder = Builder(InsertPoint.before(loop))
        row = cast("VectorType[Any]", loop.iter_args[0].type)
        zeros = builder.insert(arith.ConstantOp(DenseIntOrFPElementsAttr.from_list(row, [0.0]), row)).result
        loop.operands = [*loop.operands[:3], *[zeros] * len(loop.iter_args)]
        return function

    patch.setattr(vectorize_products, "product_function", from_zero)


def zeros_are_forgotten(patch: pytest.MonkeyPatch) -> None:
    """Blocks are added to what the result holds."""
    patch.setattr(TileWriter, "begins", lambda place, zeros: place.builder.insert(arith.ConstantOp.from_int_and_width(0, 1)).result)


def each_tile_of_terms_begins_with_zeros(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(TileWriter, "both", lambda place, one, other: one)


@pytest.mark.parametrize("plant", [zeros_are_forgotten, each_tile_of_terms_begins_with_zeros])
def test_wrong_zeros_are_caught(monkeypatch: pytest.MonkeyPatch, plant: Callable[[pytest.MonkeyPatch], None]) -> None:
    plant(monkeypatch)
    module = begin_with_zeros(product(24, 801, 64))
    for name in ROAD:
        PASSES[name]().apply(Context(), module)
    x, y, z = operands(24, 801, 64, LAYOUTS[0], 1)
    assert not same(run_natively(module, x, y, z), in_order(x, y, np.zeros_like(z), LAYOUTS[0]))


def axes_are_mixed_up(patch: pytest.MonkeyPatch) -> None:
    packed = pack_products.Packing.packed

    def mixed_up(self: pack_products.Packing, value: Any, axes: tuple[int, int], most: Any, blocks: Any) -> Any:
        return packed(self, value, (axes[1], axes[0]), most, blocks)

    patch.setattr(pack_products.Packing, "packed", mixed_up)


def rows_overlap(patch: pytest.MonkeyPatch) -> None:
    """A tile has rows of the next one, which are computed twice."""
    size = tile_products.size

    def long_tile(place: TileWriter, whole: int, largest: int, begin: Any) -> Any:
        return largest + 4 if whole == 145 else size(place, whole, largest, begin)

    patch.setattr(tile_products, "MOST_TILE_ROWS", 144)
    patch.setattr(tile_products, "size", long_tile)


PLANTS = [
    edges_are_not_zeros,
    products_are_fused,
    blocks_begin_at_zero,
    axes_are_mixed_up,
    sums_are_doubled_terms,
    terms_are_forgotten,
    terms_left_over_are_forgotten,
    rows_overlap,
]


@pytest.mark.parametrize("shape", [(24, 8, 1), (8, 8, 3)])
@pytest.mark.parametrize("plant", PLANTS)
def test_wrong_tilings_are_caught(
    monkeypatch: pytest.MonkeyPatch, plant: Callable[[pytest.MonkeyPatch], None], shape: tuple[int, int, int]
) -> None:
    """Each fault changes the bits of one of a few products."""
    plant(monkeypatch)
    for rows, terms, columns, layout, seed in ((145, 257, 33, 0, 1), (36, 40, 32, 0, 1)):
        layouts = LAYOUTS[layout]
        module = product(rows, terms, columns, layouts)
        for name in ROAD:
            PASSES[name](**of_shape(*shape)[name]).apply(Context(), module)
        x, y, z = operands(rows, terms, columns, layouts, seed)
        room = [np.zeros((2 * len(array) + 64, *array.shape[1:])) for array in (x, y, z)]  # a wrong tiling reads beyond the end
        for larger, array in zip(room, (x, y, z), strict=True):
            larger[: len(array)] = array
        for name in DOWN:
            PASSES[name]().apply(Context(), module)
        compile_module(module).function("f", None, *[ctypes.c_void_p] * 3)(*(larger.ctypes.data for larger in room))
        if not same(room[2][:rows], in_order(x, y, z, layouts)):
            return
    pytest.fail("the fault changed nothing")


def multiplications_of_loops(text: str) -> list[int]:
    """The numbers of multiplications in the loops of assembly, none of which uses the stack between its first and its last one."""
    counts: list[int] = []
    for part in re.split(r"^\.L\w+:", text, flags=re.MULTILINE):
        lines = part.splitlines()
        multiplied = [place for place, line in enumerate(lines) if re.search(r"\b(v?mulpd|vfn?madd\w+pd|fmul|fmla)\b", line)]
        if multiplied:
            counts.append(len(multiplied))
            assert not any(re.search(r"[er]sp\)|\[sp", line) for line in lines[multiplied[0] : multiplied[-1]])
    return counts


@pytest.mark.parametrize(
    ("triple", "cpu", "features", "count", "lanes"),
    [
        ("x86_64-unknown-linux-gnu", "sapphirerapids", "+avx,+avx2,+fma,+avx512f", 32, 8),
        ("x86_64-unknown-linux-gnu", "znver4", "+avx,+avx2,+fma,+avx512f", 32, 8),
        ("x86_64-unknown-linux-gnu", "haswell", "+avx,+avx2,+fma", 16, 4),
        ("x86_64-unknown-linux-gnu", "x86-64", "+sse2", 16, 2),
        ("aarch64-unknown-linux-gnu", "neoverse-n1", "+neon", 32, 2),
    ],
)
@pytest.mark.parametrize(("rows", "fused"), [(96, False), (96, True), (100, False)])
def test_sums_stay_in_registers(triple: str, cpu: str, features: str, count: int, lanes: int, rows: int, fused: bool) -> None:
    """The loop over terms neither loads nor stores on the stack, on processors of several kinds."""
    if fused and cpu == "x86-64":
        pytest.skip("the processor has no fused operations")
    target = Target(triple, cpu, features, 3)
    assert registers(target) == (count, lanes)
    module = product(rows, 256, 64)
    options = product_options(target, fused)
    for name in (*ROAD, *DOWN):
        PASSES[name](**options.get(name, {})).apply(Context(), module)
    initialise_all_targets()
    counts = multiplications_of_loops(assembly(emit_llvm_ir(module), target=target))
    vectors = vectors_of_block(target, fused)
    block = count * 3 // 4 // vectors + (1 if rows == 100 and count == 32 and vectors == 1 else 0)
    steps = options["vectorize-products"]["unroll"]
    assert sorted(counts) == sorted({block, block * vectors} | ({steps * block * vectors} if vectors > 1 else set()))


@pytest.mark.parametrize("fused", [False, True])
@pytest.mark.parametrize(
    ("triple", "cpu", "features"),
    [
        ("x86_64-unknown-linux-gnu", "sapphirerapids", "+avx,+avx2,+fma,+avx512f"),
        ("x86_64-unknown-linux-gnu", "haswell", "+avx,+avx2,+fma"),
        ("aarch64-unknown-linux-gnu", "neoverse-n1", "+neon"),
    ],
)
def test_sums_of_operands_in_their_place_stay_in_registers(triple: str, cpu: str, features: str, fused: bool) -> None:
    target = Target(triple, cpu, features, 3)
    module = product(10, 256, 64)
    options = product_options(target, fused)
    if vectors_of_block(target, fused) == 1:
        pytest.skip("blocks have one vector, and copy their operands")
    for name in (*ROAD, *DOWN):
        PASSES[name](**options.get(name, {})).apply(Context(), module)
    initialise_all_targets()
    texts = assembly(emit_llvm_ir(module), target=target).split("\ncogir_product_")[1:]
    (text,) = (each for each in texts if "_in_place:" in each.splitlines()[0])
    assert multiplications_of_loops(text) == [3 * (4 if cpu == "haswell" else 5)]


def test_blocks_that_are_no_vectors_are_refused() -> None:
    module = product(96, 256, 64)
    for name in ("tile-products", "pack-products"):
        PASSES[name](**of_shape(4, 4, 3)[name]).apply(Context(), module)
    with pytest.raises(LoweringError, match="a block has 12 columns, which are no vectors of 8 numbers; give the `lanes` of pack-products"):
        PASSES["vectorize-products"]().apply(Context(), module)


@pytest.mark.parametrize(("blocks", "kind"), [([8], "vectors"), ([24], "across"), ([4, 8], "across")])
def test_copies_of_blocks_of_several_sizes(blocks: list[int], kind: str) -> None:
    """Only where each block is one vector may a row be copied as vectors of all blocks."""
    shared = pack_products.SharedFunctions(ModuleOp([]), 8, 1, f64)
    block = Block(arg_types=[MemRefType(f64, (100, 100))])
    assert shared.pack(pack_products.Window(block.args[0], 0, (30, 40), (1, 100)), blocks) == f"cogir_pack_{kind}"
