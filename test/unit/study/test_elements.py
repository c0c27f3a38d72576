"""A fit finds elements of arrays; one number never fills a matrix, however it is given."""

import re
from typing import Any

import numpy as np
import pytest

import cogir
from cogir import library
from cogir.runtime.elements import split
from cogir.study.free import VariedQuantities


def model() -> cogir.Model:
    """A stimulus that drives a race of two through the matrix [[2, 0.5]]."""
    m = cogir.Model("race")
    s = m.node("s", library.linear, input=1)
    d = m.node(
        "d",
        library.race_decision,
        input=2,
        threshold=1.2,
        time_step_size=0.02,
        execute_until_finished=True,
        max_executions_before_finished=1000,
        reset_each_trial=True,
    )  # fmt: skip
    m.project(s, d, matrix=[[2.0, 0.5]])
    return m


MODEL = model()
COMPILED = MODEL.compile(unfinished="ignore")
INPUTS = {"s": [[1.0]]}
RUNS = COMPILED.replicates(INPUTS, count=300, seed=3)
DATA = {name: RUNS[name].ravel() for name in ("d/choice", "d/response_time")}
MATRIX = np.array([[2.0, 0.5]])


def problem(free: Any, data: Any = DATA, **options: Any) -> Any:
    return cogir.fit.problem(COMPILED, data, free, **{"inputs": INPUTS, "simulations": 2000} | options)


def refused(message: str) -> Any:
    return pytest.raises(cogir.InputError, match=re.escape(message))


def test_columns_are_called_by_label_as_inputs_are() -> None:
    """`s[left]` is the element 0; a label that is none is an error; what has both names is given twice."""
    m = cogir.Model("labelled")
    s = m.node("s", library.linear, input=2, labels=["left", "right"])
    d = m.node("d", library.drift_diffusion_decision, time_step_size=0.02, execute_until_finished=True, max_executions_before_finished=500)
    m.project(s, d, matrix=[[1.0], [-1.0]])
    compiled = m.compile(unfinished="ignore")
    sides = {"left": np.repeat([2.0, 0.5], 20), "right": np.tile([0.0, 1.0], 20)}
    responses = {"d/choice": np.tile([1.0, 1.0, -1.0, 1.0], 10), "d/response_time": np.linspace(0.3, 2.0, 40)}

    def found(names: dict[str, str], **more: Any) -> Any:
        columns = {name: sides[side] for name, side in names.items()}
        return cogir.fit.problem(compiled, responses | columns, {"d/threshold": (0.5, 2.0)}, simulations=500, **more)

    one = found({"s[left]": "left", "s[right]": "right"})
    other = found({"s[0]": "left", "s[1]": "right"})
    turned = found({"s[right]": "left", "s[left]": "right"})
    assert one.log_likelihood([1.0]) == other.log_likelihood([1.0]) != turned.log_likelihood([1.0])
    with refused('fit: found "s[lft]", but s/variable has no such element; did you mean "s[left]"?; give "s[left]", "s[right]"'):
        found({"s[lft]": "left", "s[right]": "right"})
    with refused('"s[0]" is given twice: data: column "s[left]", and data: column "s[0]"; give it only once'):
        found({"s[left]": "left", "s[0]": "left", "s[1]": "right"})


FILLS = (
    'one number would fill the matrix; name elements of "s->d", such as "s->d[0,0]", or scale it by a number of your own: derive={"s->d"'
)


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"free": {"s->d": (0, 3)}}, 'fit: free: "s->d"'),
        ({"free": {"s->d": (0, 3, 1)}}, 'fit: free: "s->d"'),
        ({"free": {"s -> d/matrix": (0, 3)}}, 'fit: free: "s -> d/matrix"'),
        ({"free": {"s->d": (0, 3)}, "depends_on": {"s->d": "group"}}, 'fit: free: "s->d"'),
        ({"free": {"k": (0, 3)}, "derive": {"s->d": lambda p: p["k"]}}, 'derive: "s->d"'),
        ({"free": {"k": (0, 3)}, "derive": {"s->d": lambda p: 1.0}}, 'derive: "s->d"'),
        ({"free": {"k": (0, 3)}, "derive": {"s->d": lambda p: p["k"] * p["c"]}}, 'derive: "s->d"'),
    ],
)
def test_one_number_never_fills_a_matrix(options: Any, what: str) -> None:
    with refused(f"{what}: {FILLS}"):
        problem(**options, data=DATA | {"group": np.tile([1.0, 2.0], 150), "c": np.ones(300)})


def test_a_column_of_numbers_never_fills_a_matrix() -> None:
    with refused(
        'data: column "s->d": each row has the shape (), but parameter "s->d" has (1, 2); give columns for its elements: "s->d[0,0]"'
    ):
        problem({"d/threshold": (0.5, 2.0)}, DATA | {"s->d": np.ones(300)})


def test_one_number_never_fills_an_array_whose_elements_differ() -> None:
    m = cogir.Model("m")
    m.node("d", library.race_decision, input=2, drift=[2.0, 0.5], threshold=1.2, execute_until_finished=True, time_step_size=0.02)
    compiled, inputs = m.compile(unfinished="ignore"), {"d": [[1.0, 1.0]]}
    with refused(
        'fit: free: "d/drift": one number would fill the array, whose elements differ; name elements of "d/drift", such as "d/drift[0]"'
    ):
        cogir.fit.problem(compiled, DATA, {"d/drift": (0, 3)}, inputs=inputs)
    compiled.params["d/drift"] = [1.0, 1.0]
    assert cogir.fit.problem(compiled, DATA, {"d/drift": (0, 3)}, inputs=inputs, simulations=500).names == ("d/drift",)


def test_elements_are_those_of_the_matrix() -> None:
    """Free, derived, in columns and in priors, with conditions: the likelihood is that of the matrix with these elements."""
    wanted = problem({"k": (0, 3)}, derive={"s->d": lambda p: p["k"][..., None, None] * MATRIX})
    free = problem({"s->d[0,0]": (0, 3), "s->d[0,1]": (0, 3, 1)})
    derived = problem({"k": (0, 3)}, derive={"s->d[0,0]": lambda p: 2.0 * p["k"], "s->d/matrix[0,1]": lambda p: 0.5 * p["k"]})
    for k in (0.7, 1.0, 1.2):
        value = wanted.log_likelihood([k])
        assert free.log_likelihood([2.0 * k, 0.5 * k]) == value
        assert derived.log_likelihood([k]) == value
    assert free.starts is not None
    column = problem({"d/threshold": (0.5, 2)}, DATA | {"s->d[0,0]": np.full(300, 2.2)})
    assert column.log_likelihood([1.2]) == problem({"d/threshold": (0.5, 2), "s->d[0,0]": (0, 3)}).log_likelihood([1.2, 2.2])
    group = DATA | {"group": np.repeat([0, 1], 150)}
    each = problem({"s->d[0,0]": (0, 3)}, group, depends_on={"s->d[0,0]": "group"}, priors={"s->d[0,0]": lambda x: -x})
    assert each.names == ("s->d[0,0][0]", "s->d[0,0][1]")
    assert each.log_likelihood([2.0, 2.0]) == pytest.approx(problem({"s->d[0,0]": (0, 3)}).log_likelihood([2.0]), abs=3.0)
    assert each.log_prior([2.0, 1.0]) == -3.0


def test_a_fit_finds_elements() -> None:
    made = problem({"s->d[0,0]": (0.5, 4.0), "s->d[0,1]": (0.0, 2.0)}, derive={"d/threshold": lambda p: 1.2})
    found = cogir.fit(made)
    assert found["s->d[0,0]"] == pytest.approx(2.0, abs=0.4)
    assert found["s->d[0,1]"] == pytest.approx(0.5, abs=0.4)
    assert cogir.recovery(found, 1, intervals=None).names == made.names


def test_constants_of_the_shape_of_the_matrix() -> None:
    """Also where there are as many points and conditions as it has rows and columns."""
    data = DATA | {"group": np.repeat([0, 1], 150)}
    made = problem({"d/threshold": (0.5, 2)}, data, depends_on={"d/threshold": "group"}, derive={"s->d": lambda p: 1.5 * MATRIX})
    values = made.values(np.array([[1.0, 1.0]]))[0]["s->d"][1]
    assert np.array_equal(values, np.broadcast_to(1.5 * MATRIX, (1, 2, 1, 2)))


@pytest.mark.parametrize(
    ("free", "told"),
    [
        (["s->d[0,2]"], 'fit: "s->d[0,2]": parameter "s->d" has the shape (1, 2); there is no element 0, 2; give one from "s->d[0,0]" to'),
        (["s->d[0]"], "there is no element 0; give one from"),
        (["d/threshold[0]"], 'there is no element 0; give "d/threshold", which is one number'),
        (["s->d[0,0]", "s->d/matrix[0,0]"], '"s->d[0,0]" is given twice: fit: free: "s->d[0,0]", and fit: free: "s->d/matrix[0,0]"'),
    ],
)
def test_elements_that_there_are_not(free: list[str], told: str) -> None:
    with refused(told):
        problem(dict.fromkeys(free, (0, 3)))


def test_an_element_and_its_matrix() -> None:
    with refused('is given twice: fit: free: "s->d[0,0]", and derive: "s->d"; give it only once'):
        problem({"s->d[0,0]": (0, 3)}, derive={"s->d": lambda p: MATRIX})


def test_shapes_that_functions_return() -> None:
    with refused(
        'derive: "s->d": found an array of shape (1, 1, 2, 1), but parameter "s->d" has the shape (1, 2); give one of shape (points,'
    ):
        problem({"k": (0, 3)}, derive={"s->d": lambda p: p["k"][..., None, None] * MATRIX.T})
    data = DATA | {"group": np.repeat([0, 1], 150)}
    with refused('derive: "d/threshold": found an array of shape (64, 3) at 64 points in 2 conditions; give one value for each'):
        problem({"k": (0, 3)}, data, depends_on={"k": "group"}, derive={"d/threshold": lambda p: np.ones((1, 3)) * p["k"][:, :1]})


def test_a_planted_filling_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where numbers fill matrices, the checks above see no refusal."""
    monkeypatch.setattr(VariedQuantities, "refuse_to_fill", lambda self, what, target: None)
    with pytest.raises(pytest.fail.Exception, match="DID NOT RAISE"):
        test_one_number_never_fills_a_matrix({"free": {"s->d": (0, 3)}}, 'fit: free: "s->d"')


def test_a_planted_transposition_of_elements_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    from cogir.study import free

    turned = {(0, 0): (0, 1), (0, 1): (0, 0), (): ()}
    monkeypatch.setattr(free, "split", lambda name: (split(name)[0], turned[split(name)[1]]))
    with pytest.raises(AssertionError):
        test_elements_are_those_of_the_matrix()
