"""Products without the zeros of their matrices: the same bits, whatever the numbers are, and less work."""

import math
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.compare_models import behaviour, bits, first_difference
from support.long import long
from support.random.models import random_model
from support.specialised import specialised_runs
from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp

import cogir
from cogir import library
from cogir.analysis import sparsity
from cogir.analysis.sparsity import Columns
from cogir.frontend.text import parse
from cogir.interpreters.levels import run_function
from cogir.lowering.pipeline import lower_to
from cogir.transforms import sparse_products
from cogir.transforms.sparse_products import SparseProducts

pytestmark = pytest.mark.sampled(2)

AWKWARD = [0.0, -0.0, 1.0, -1.5, 5e-324, -5e-324, 1e-310, 1e308, -1e308, math.inf, -math.inf, math.nan]
WEIGHTS = [0.0, 0.0, 0.0, -0.0, -0.0, 1.0, 1.0, -2.0, 5e-324, 1e308, math.inf, -math.inf]


@pytest.fixture
def always(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where it does not pay."""
    monkeypatch.setattr(Columns, "is_worth_it", True)


def written(values: np.ndarray) -> str:
    """An array as MLIR has it."""
    if values.ndim:
        return f"[{', '.join(map(written, values))}]"
    return f"0x{int(values.view(np.uint64)):016X}"


def product(matrix: np.ndarray, is_transposed: bool, turned: bool) -> str:
    """A function that multiplies a vector with a matrix: by rows or by columns, with the matrix as it is or transposed."""
    rows, columns = matrix.shape
    i, j = ("d1", "d0") if turned else ("d0", "d1")
    kinds = '"parallel", "reduction"' if turned else '"reduction", "parallel"'
    held = matrix.T if is_transposed else matrix
    places = f"{j}, {i}" if is_transposed else f"{i}, {j}"
    shape = "x".join(map(str, held.shape))
    return f"""
        func.func @f(%v: tensor<{rows}xf64>) -> tensor<{columns}xf64> {{
          %zeros = arith.constant dense<0.0> : tensor<{columns}xf64>
          %m = arith.constant dense<{written(held)}> : tensor<{shape}xf64>
          %y = linalg.generic {{indexing_maps = [affine_map<(d0, d1) -> ({i})>, affine_map<(d0, d1) -> ({places})>,
              affine_map<(d0, d1) -> ({j})>], iterator_types = [{kinds}]}}
              ins(%v, %m : tensor<{rows}xf64>, tensor<{shape}xf64>) outs(%zeros : tensor<{columns}xf64>) {{
          ^bb0(%x: f64, %w: f64, %t: f64):
            %p = arith.mulf %w, %x : f64
            %s = arith.addf %t, %p : f64
            linalg.yield %s : f64
          }} -> tensor<{columns}xf64>
          func.return %y : tensor<{columns}xf64>
        }}"""


@settings(max_examples=100, deadline=None)
@given(st.randoms(use_true_random=True), st.booleans(), st.booleans(), st.integers(1, 5), st.integers(1, 5))
def test_no_bit_changes(source: Random, is_transposed: bool, turned: bool, rows: int, columns: int) -> None:
    matrix = np.array([[source.choice(WEIGHTS) for _ in range(columns)] for _ in range(rows)])
    if source.random() < 0.3:
        matrix = np.diag(np.diag(matrix))
    rows, columns = matrix.shape
    vectors = [np.array(source.choices(AWKWARD if source.random() < 0.5 else AWKWARD[:-3], k=rows)) for _ in range(4)]
    text = product(matrix, is_transposed, turned)
    thin = parse(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Columns, "is_worth_it", True)
        SparseProducts().apply(Context(), thin)
    thin.verify()
    assert any(isinstance(op, scf.IfOp) for op in thin.walk())
    before = parse(text)
    for vector in vectors:
        expected, found = (run_function(module, "f", (vector,))[0] for module in (before, thin))
        assert bits(found) == bits(expected), (matrix, vector)


@pytest.mark.parametrize(("number", "all_zeros"), [("2.0", True), ("0.0", False), ("-0.0", True)])
def test_a_weight_that_is_not_the_matrix_s_is_no_product_with_it(always: None, number: str, all_zeros: bool) -> None:
    """The body multiplies with a number of its own, not with the zeros that it is given; where these are all zeros, it may."""
    matrix = np.zeros((3, 2))
    matrix[0, 0] = 0.0 if all_zeros else 1.0
    constant = f"%w0 = arith.constant {number} : f64 %p = arith.mulf %w0, %x : f64"
    text = product(matrix, False, False).replace("%p = arith.mulf %w, %x : f64", constant)
    module = parse(text)
    SparseProducts().apply(Context(), module)
    assert any(isinstance(op, scf.IfOp) for op in module.walk()) == (number == "-0.0")
    vector = np.array([1.0, 2.0, 4.0])
    assert bits(run_function(module, "f", (vector,))[0]) == bits(run_function(parse(text), "f", (vector,))[0])


@settings(max_examples=100, deadline=None)
@given(st.randoms(use_true_random=True))
def test_tables_have_the_elements_of_each_column_in_order(source: Random) -> None:
    matrix = np.array([[source.choice([0.0, 0.0, -0.0, 1.0, 2.0, 3.0]) for _ in range(4)] for _ in range(5)])
    rows, weights = Columns(matrix).table()
    assert rows.shape == weights.shape == (Columns(matrix).length, 4)
    for column in range(4):
        (present,) = np.nonzero(matrix[:, column])
        assert rows[: len(present), column].tolist() == present.tolist()
        assert weights[: len(present), column].tolist() == matrix[present, column].tolist()
        assert not rows[len(present) :, column].any()
        assert bits(weights[len(present) :, column]) == bits(np.zeros(len(rows) - len(present)))


def chain(matrices: list[np.ndarray]) -> cogir.Model:
    """Layers with projections between them."""
    model = cogir.Model("chain")
    last = model.node("first", library.linear, input=len(matrices[0]))
    for number, matrix in enumerate(matrices):
        following = model.node(f"layer{number}", library.logistic, input=matrix.shape[1], bias=0.5)
        model.project(last, following, matrix=matrix)
        last = following
    return model


KINDS = {
    "identity": np.eye(16),
    "diagonal": np.diag(np.linspace(-1.0, 1.0, 16)),
    "permutation": np.eye(16)[::-1],
    "zeros": np.zeros((16, 16)),
    "one column": np.outer(np.arange(16.0) == 3.0, np.ones(16)),
}


@pytest.mark.parametrize("kind", KINDS)
def test_machine_code(kind: str) -> None:
    """One layer, and so many that they share a function."""
    source = np.random.default_rng(3)
    given = source.standard_normal((12, 16)) * 10.0 ** source.integers(-3, 3, (12, 1))
    given[3, 5], given[4, 0], given[5, ::2], given[6] = np.nan, np.inf, -0.0, 5e-324
    for count in (1, 6):
        model = chain([KINDS[kind]] * count)
        compiled = model.compile(mode="run", cache=False)
        expected = [bits(value) for trial in compiled.run({"first": given}).results for value in trial]
        version = compiled.specialise()
        assert [bits(value) for trial in compiled.run({"first": given}).results for value in trial] == expected
        assert version.runs == 1
        assert guards(model) == 1


def machine(model: cogir.Model, without: tuple[str, ...] = ()) -> ModuleOp:
    module = model.ir()
    lower_to(module, "machine", specialise=True, without=without, verify=True)
    return module


def guards(model: cogir.Model, without: tuple[str, ...] = ()) -> int:
    """How many products look whether their vector is finite."""
    return sum(isinstance(op, scf.IfOp) for op in machine(model, without).walk())


def test_work_that_is_left() -> None:
    """A look at each number, and an addition for each: as many as the matrix has rows, and not as it has elements."""
    model = chain([np.eye(100)])
    branch = next(op for op in machine(model).walk() if isinstance(op, scf.IfOp))
    operations = [op.name for op in branch.true_region.block.walk()]
    assert operations.count("arith.mulf") == 0
    assert operations.count("arith.addf") == 1
    assert guards(model, without=("sparse-products",)) == 0


def test_where_it_does_not_pay() -> None:
    """Small matrices, dense ones, columns too long, and arrays that are no constants."""
    ones = np.ones((16, 16))
    for matrix in (np.eye(4), ones, np.triu(ones), np.eye(sparsity.LARGEST // 128 + 1)):
        assert guards(chain([matrix])) == 0
    dense_column = np.eye(16)
    dense_column[:, 3] = 1.0
    assert not Columns(dense_column).is_worth_it


def test_a_matrix_that_is_kept_or_modulated_is_no_constant() -> None:
    model = chain([np.eye(16)])
    compiled = model.compile(mode="run", cache=False)
    version = compiled.specialise(keep=[path for path in compiled.params if "matrix" in path])
    compiled.params[next(path for path in compiled.params if "matrix" in path)] = np.ones((16, 16))
    assert compiled.version() is version
    assert np.array_equal(compiled.run({"first": [np.ones(16)]})["layer0"], library_logistic(np.full(16, 16.0)))


def library_logistic(x: np.ndarray) -> np.ndarray:
    """What a logistic unit with a bias of 0.5 answers, by the generic code."""
    model = cogir.Model("unit")
    model.node("unit", library.logistic, input=len(x), bias=0.5)
    return model.compile(mode="run").run({"unit": [x]})["unit"]


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize("numbers", [range(2), *long(range(2, 200))])
def test_random_models(numbers: range) -> None:
    """Every product with a matrix looks at its vector and picks its elements; also within searches, loops and instances."""
    for number in numbers:
        drawn = random_model(Random(number))
        expected = behaviour(drawn, "run")
        with specialised_runs() as taken:
            assert first_difference(expected, behaviour(drawn, "run")) is None, number
        assert taken == [1, 1, 1]


def test_that_random_models_have_such_products(always: None, monkeypatch: pytest.MonkeyPatch) -> None:
    rewritten: list[object] = []
    rewrite = sparse_products.rewrite
    monkeypatch.setattr(sparse_products, "rewrite", lambda product: (rewritten.append(product), rewrite(product)))
    for number in range(4):
        machine(random_model(Random(number)).model)
    assert len(rewritten) > 4
