"""`np.einsum` and systems of equations give NumPy's numbers, interpreted and as machine code."""

# pyright: basic
import numpy as np
import pytest
from support.pyfunc import check, check_native, compiled_results

from cogir.errors import FunctionError

pytestmark = pytest.mark.sampled(3)

SIZES = [1, 2, 5, 12]
TOLERANCE = 1e-10
"""LAPACK rounds in another order; the matrices have condition numbers up to about 1e3."""


def both(function, *inputs, tolerance=0.0) -> None:
    check(function, *inputs, tolerance=tolerance, native=True)


def matrix(rng: np.random.Generator, n: int) -> np.ndarray:
    """A random matrix that is not nearly singular."""
    while True:
        found = rng.normal(size=(n, n))
        if np.linalg.cond(found) < 1e3:
            return found


EINSUMS = {
    "product": lambda a, b, v: np.einsum("ij,jk->ik", a, b),
    "product of transposed": lambda a, b, v: np.einsum("ij, kj -> ki", a, a),
    "implicit": lambda a, b, v: (np.einsum("ij,jk", a, b), np.einsum("ba", a)),
    "transposed": lambda a, b, v: np.einsum("ij->ji", a),
    "sums": lambda a, b, v: (np.einsum("ij->", a), np.einsum("ij->j", a), np.einsum("ij->i", a)),
    "diagonal": lambda a, b, v: (np.einsum("ii->i", a[:, :2]), np.einsum("ii", a[:, 1:])),
    "outer": lambda a, b, v: np.einsum("i,j->ij", v, v),
    "three": lambda a, b, v: (np.einsum("ij,jk,k->i", a, b, v), np.einsum("i,i,i->i", v, v, v)),
    "number": lambda a, b, v: (np.einsum(",i->i", 2.5, v), np.einsum(",", 2.0, 3.0)),
    "batch": lambda a, b, v: np.einsum("bij,bjk->bik", np.stack([a, 2 * a]), np.stack([b, b])),
    "length 1": lambda a, b, v: np.einsum("ij,ij->ij", a, a[:1]),
    "upper case": lambda a, b, v: np.einsum("aB,Bc", a, b),
}


@pytest.mark.parametrize("kind", [float, int, bool])
@pytest.mark.parametrize("name", EINSUMS)
def test_einsum(name: str, kind: type) -> None:
    rng = np.random.default_rng(len(name))
    arrays = [(rng.integers(-4, 5, shape) * (0.5 if kind is float else 1)).astype(kind) for shape in ((2, 3), (3, 4), (4,))]
    both(EINSUMS[name], *arrays)


def test_einsum_is_a_matrix_product() -> None:
    """The same sums in the same order, so the same bits as `@`."""
    rng = np.random.default_rng(5)
    a, b = rng.normal(size=(5, 40)), rng.normal(size=(40, 3))
    first, second = compiled_results(lambda a, b: (np.einsum("ij,jk->ik", a, b), a @ b), a, b)
    assert first.tobytes() == second.tobytes()


@pytest.mark.parametrize("n", SIZES)
def test_solve_inv_and_det(n: int) -> None:
    rng = np.random.default_rng(n)
    a = matrix(rng, n)
    both(lambda a, b: np.linalg.solve(a, b), a, rng.normal(size=n), tolerance=TOLERANCE)
    both(lambda a, b: np.linalg.solve(a, b), a, rng.normal(size=(n, 3)), tolerance=TOLERANCE)
    both(lambda a: (np.linalg.inv(a), np.linalg.det(a)), a, tolerance=TOLERANCE)


def test_pivots_of_zero_on_the_diagonal() -> None:
    a = np.array([[0.0, 2.0, 1.0], [1.0, 0.0, 0.0], [3.0, 0.0, 1.0]])
    both(lambda a: (np.linalg.solve(a, [1, 2, 3]), np.linalg.inv(a), np.linalg.det(a)), a, tolerance=1e-15)
    whole = np.array([[0, 2], [3, 0]])
    both(lambda a: (np.linalg.inv(a), np.linalg.det(a)), whole, tolerance=1e-15)
    both(lambda a: np.linalg.inv(a), np.array([[False, True], [True, False]]))


@pytest.mark.parametrize("n", SIZES)
def test_cholesky(n: int) -> None:
    a = matrix(np.random.default_rng(n + 50), n)
    both(lambda a: np.linalg.cholesky(a), a @ a.T, tolerance=TOLERANCE)
    # Only the lower triangle is read.
    first, second = (compiled_results(lambda a: np.linalg.cholesky(a), each)[0] for each in (a @ a.T, np.tril(a @ a.T)))
    assert first.tobytes() == second.tobytes()


SINGULAR = {
    "zero": np.zeros((2, 2)),
    "first column": np.array([[0.0, 1.0], [0.0, 2.0]]),
    "equal rows": np.array([[1.0, 2.0, 3.0], [1.0, 2.0, 3.0], [4.0, 5.0, 7.0]]),
    "one": np.zeros((1, 1)),
}


@pytest.mark.parametrize("name", SINGULAR)
def test_singular_matrices_give_nan_everywhere(name: str) -> None:
    """Where NumPy raises `LinAlgError`. The determinant is 0, as in NumPy."""
    a = SINGULAR[name]
    for function in (lambda a: np.linalg.inv(a), lambda a: np.linalg.solve(a, np.ones(a.shape[0])), lambda a: np.linalg.cholesky(a - 1e-3)):
        (found,) = compiled_results(function, a)
        assert np.isnan(found).all()
        check_native(function, a)
    both(lambda a: np.linalg.det(a), a)


def test_an_indefinite_matrix_gives_nan_everywhere() -> None:
    for a in (np.array([[4.0, 2.0], [2.0, 1.0]]), np.array([[1.0, 2.0], [2.0, 1.0]]), np.array([[np.nan, 0.0], [0.0, 1.0]])):
        (found,) = compiled_results(lambda a: np.linalg.cholesky(a), a)
        assert np.isnan(found).all()


def test_no_product_of_a_determinant_overflows() -> None:
    for scales in ([1e200, 1e200, 1e-300], [1e-200, 1e-200, 1e300], [1e308, 1e-308, 1e308], [5e-324, 1e300, 1e10], [1e200, 1e200, 1e200]):
        (found,) = compiled_results(lambda a: np.linalg.det(a), np.diag(scales))
        with np.errstate(all="ignore"):
            np.testing.assert_allclose(found, np.linalg.det(np.diag(scales)), rtol=1e-12)


def test_not_a_number_in_a_matrix() -> None:
    a = np.array([[1.0, 2.0], [np.nan, 1.0]])
    found = compiled_results(lambda a: (np.linalg.inv(a), np.linalg.det(a), np.linalg.solve(a, [1.0, 2.0])), a)
    assert all(np.isnan(each).all() for each in found)


def test_not_a_number_makes_all_elements_nan() -> None:
    """NumPy's results are NaN in part: those of `docs/functions.md`."""
    base = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]])
    for row, column in np.ndindex(3, 3):
        a = base.copy()
        a[row, column] = np.nan
        found = compiled_results(lambda a: (np.linalg.inv(a), np.linalg.det(a), np.linalg.solve(a, [1.0, 2.0, 3.0])), a)
        assert all(np.isnan(each).all() for each in found)
        (found,) = compiled_results(lambda a: np.linalg.cholesky(a), a)
        if row < column:  # not read
            np.testing.assert_allclose(found, np.linalg.cholesky(base), rtol=TOLERANCE)
        else:
            assert np.isnan(found).all()
            with np.errstate(invalid="ignore"):
                assert np.isnan(np.linalg.cholesky(a)).any()
    a = np.array([[0.0, 1.0, 0.0], [0.0, 1.0, 1.0], [0.0, 2.0, np.nan]])
    with np.errstate(invalid="ignore"):
        assert np.linalg.det(a) == 0.0
    assert np.isnan(compiled_results(lambda a: np.linalg.det(a), a)[0])


ERRORS = {
    "ellipsis": (lambda x: np.einsum("...i->i", x), r"without '\.\.\.'"),
    "string": (lambda x: np.einsum(x, [0, 1]), "must be known|as a string"),
    "terms": (lambda x: np.einsum("ij", x, x), "1 terms for 2 arrays"),
    "axes": (lambda x: np.einsum("i->i", x), "'i' names 1 axes"),
    "extents": (lambda x: np.einsum("ij,ij->ij", x, x.T), "axis 'i' has 2 elements in one array and 3"),
    "result": (lambda x: np.einsum("ij->ik", x), "needs letters of the terms"),
    "twice": (lambda x: np.einsum("ij->ii", x), "each once"),
    "square": (lambda x: np.linalg.inv(x), "takes a square matrix, not"),
    "stack": (lambda x: np.linalg.det(np.stack([x, x])), "for loop over the matrices"),
    "order of a norm": (lambda x: np.linalg.norm(x, 1), r"np.sum\(np.abs\(x\)\) for ord=1"),
    "axis of a norm": (lambda x: np.linalg.norm(x, axis=1), r"without ord, axis and keepdims; write np.sqrt\(np.sum\(x \* x, axis=1"),
    "right side": (lambda x: np.linalg.solve(x @ x.T, x[0]), "give 2 elements or rows"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors_say_what_to_write(name: str) -> None:
    function, message = ERRORS[name]
    with pytest.raises(FunctionError, match=message):
        compiled_results(function, np.ones((2, 3)))
