"""Inputs whose columns and axes have names: they are taken by name, or refused, and never by position."""

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest

import cogir
from cogir import library
from cogir.errors import InputError, ModelError
from cogir.labelled.dataset import Axis, element_names
from cogir.runtime import columns, inputs, named_data
from cogir.runtime.columns import ColumnReader
from cogir.runtime.inputs import InputReader
from cogir.tools.run_files import read_inputs
from test.unit.runtime.test_inputs import plan

pd = pytest.importorskip("pandas")
xr = pytest.importorskip("xarray")
scipy_sparse = pytest.importorskip("scipy.sparse")

ORDINARY = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
SHAPES: tuple[tuple[int, ...], ...] = ((), (1,), (2,), (3,), (2, 2))
LETTERS = "pqrst"


def reader_of(labels: dict[str, tuple[str, ...]] | None = None, **ports: tuple[int, ...]) -> InputReader:
    """A reader for inputs of these shapes, whose nodes have labels; `a__x` is port x of node a."""
    found = InputReader(plan(**ports))
    found.find_labels = lambda: labels or {}
    return found


PAIR = reader_of(a__x=(2,))
LABELLED = reader_of({"a/value": ("left", "right")}, a__x=(2,))
PORTS = reader_of(n__a=(), n__b=())
TWO = reader_of(a__x=(2,), b__y=(1,))
MATRIX = reader_of(a__x=(2, 2))
ONE = reader_of(a__x=(1,))
DOTTED = reader_of(**{"v1.5__x": (2,), "v1__x": (1,)})


def frame(names: list[Any], values: Any = ORDINARY) -> Any:
    return pd.DataFrame(np.asarray(values), columns=names)


def records(names: list[str], values: Any = ORDINARY) -> Any:
    return np.array([tuple(row) for row in np.asarray(values)], dtype=[(name, float) for name in names])


SWAPPED = ORDINARY[:, ::-1]
FORMS: dict[str, tuple[InputReader, Any, Any]] = {
    "ports": (PORTS, {"n": frame(["b", "a"])}, SWAPPED),
    "ports in full": (PORTS, frame(["n/b", "n/a"]), SWAPPED),
    "ports in full under their node": (PORTS, {"n": frame(["n/b", "a"])}, SWAPPED),
    "pairs": (PORTS, pd.DataFrame(ORDINARY, columns=pd.MultiIndex.from_tuples([("n", "b"), ("n", "a")])), SWAPPED),
    "elements": (PAIR, frame(["a[1]", "a[0]"]), SWAPPED),
    "elements of a port": (PAIR, frame(["a/x[1]", "a/x[0]"]), SWAPPED),
    "elements under their node": (PAIR, {"a": frame(["a[1]", "x[0]"])}, SWAPPED),
    "elements under their port": (PAIR, {"a/x": frame(["x[1]", "a/x[0]"])}, SWAPPED),
    "numbers under their node": (PAIR, {"a": frame([1, 0])}, SWAPPED),
    "numbers as text": (PAIR, {"a": frame(["1", "0"])}, SWAPPED),
    "labels under their node": (LABELLED, {"a": frame(["right", "left"])}, SWAPPED),
    "labels in brackets": (LABELLED, frame(["a[right]", "a[left]"]), SWAPPED),
    "labels": (LABELLED, frame(["right", "left"]), SWAPPED),
    "labels beside numbers": (LABELLED, frame(["a[1]", "left"]), SWAPPED),
    "structured array": (PAIR, records(["a[1]", "a[0]"]), SWAPPED),
    "record array": (PORTS, {"n": records(["b", "a"]).view(np.recarray)}, SWAPPED),
    "structured array with a field of two": (PAIR, np.array([(row,) for row in ORDINARY], dtype=[("a", float, 2)]), ORDINARY),
    "one record": (PORTS, {"n": records(["b", "a"])[0]}, SWAPPED[:1]),
    "dict of elements": (PAIR, {"a[1]": ORDINARY[:, 0], "a[0]": ORDINARY[:, 1]}, SWAPPED),
    "dict of an element that stays the same": (PAIR, {"a[1]": 5, "a[0]": [1.0, 2.0]}, [[1, 5], [2, 5]]),
    "matrix": (MATRIX, frame(["a[1][1]", "a[0][0]", "a[1][0]", "a[0][1]"], [[4, 1, 3, 2]]), [[1, 2, 3, 4]]),
    "two inputs": (TWO, frame(["b", "a[1]", "a[0]"], [[9, 2, 1]]), [[1, 2, 9]]),
    "two inputs, apart": (TWO, {"b": pd.Series([9.0], name="whatever"), "a": frame(["a[1]", "a[0]"], [[2, 1]])}, [[1, 2, 9]]),
    "one column of any name": (ONE, {"a": frame(["coherence"], [[1], [2]])}, [[1], [2]]),
    "one column of any name for all inputs": (ONE, frame(["coherence"], [[1], [2]]), [[1], [2]]),
    "nodes with dots": (DOTTED, frame(["v1.5[1]", "v1", "v1.5/x[0]"], [[2, 9, 1]]), [[1, 2, 9]]),
    "nodes with dots, apart": (DOTTED, {"v1": [9.0], "v1.5": frame(["v1.5[1]", "x[0]"], [[2, 1]])}, [[1, 2, 9]]),
    "series": (ONE, {"a": pd.Series([1.0, 2.0], name="coherence", index=[7, 3])}, [[1], [2]]),
    "series of some rows": (
        TWO,
        {"a[1]": pd.Series([1, 2], [3, 7]), "a[0]": pd.Series([3, 4], [3, 7]), "b": pd.Series([5], [9])},
        [[3, 1, 5], [4, 2, 5]],
    ),
    "units of one trial that are called otherwise": (
        reader_of({"a/value": ("l", "r"), "b/value": ("r", "l")}, a__x=(2,), b__y=(2,)),
        {node: xr.DataArray([1.0, 2.0], dims="u", coords={"u": marks}) for node, marks in {"a": ["r", "l"], "b": ["l", "r"]}.items()},
        [[2, 1, 2, 1]],
    ),
    "series of rows whose labels are missing": (
        PAIR,
        {
            "a[1]": pd.Series([1.0, 2.0], pd.Index(["x", pd.NA], dtype="string")),
            "a[0]": pd.Series([3.0, 4.0], pd.Index(["x", None], dtype=object)),
        },
        [[3, 1], [4, 2]],
    ),
    "rows of a table of one column": (ONE, {"a": [row for _, row in frame(["any"], [[1], [2]]).iterrows()]}, [[1], [2]]),
    "rows of a table whose columns are numbers": (PAIR, [row for _, row in frame([0, 1]).iterrows()], ORDINARY),
    "series for all inputs": (ONE, pd.Series([1, 2]), [[1], [2]]),
    "trials last": (PAIR, {"a": xr.DataArray(ORDINARY.T, dims=("a", "trial"))}, ORDINARY),
    "elements by coordinate": (
        LABELLED,
        xr.DataArray(ORDINARY, dims=("trial", "a"), coords={"a": ["right", "left"]}),
        SWAPPED,
    ),
    "elements by number": (PAIR, {"a": xr.DataArray(ORDINARY, dims=("trial", "a"), coords={"a": [1, 0]})}, SWAPPED),
    "one trial by coordinate": (LABELLED, {"a": xr.DataArray([1.0, 2.0], dims="side", coords={"side": ["right", "left"]})}, [[2, 1]]),
    "trials of one number": (ONE, xr.DataArray([1.0, 2.0], dims="subject"), [[1], [2]]),
    "no dimensions have names": (PAIR, xr.DataArray(ORDINARY), ORDINARY),
    "dataset": (TWO, xr.Dataset({"b": ("trial", [9.0]), "a": (("x", "trial"), [[1.0], [2.0]])}), [[1, 2, 9]]),
    "sparse": (PAIR, {"a": scipy_sparse.csr_array(ORDINARY)}, ORDINARY),
    "sparse, for all inputs": (PAIR, scipy_sparse.coo_matrix(ORDINARY), ORDINARY),
}


@pytest.mark.parametrize("case", FORMS)
def test_numbers_are_found_by_name(case: str) -> None:
    reader, given, rows = FORMS[case]
    assert reader.rows(given).tolist() == np.asarray(rows, float).tolist()


MISTAKES: dict[str, tuple[InputReader, Any, str]] = {
    "unknown columns": (
        PORTS,
        {"n": frame(["x", "y"])},
        r'inputs: n: the DataFrame has a column "x", which is no input of it; .*: "a", "b"',
    ),
    "misspelt": (LABELLED, {"a": frame(["left", "rigth"])}, 'column "rigth", .* by name: "left", "right"; did you mean "right"'),
    "misspelt in full": (
        PAIR,
        frame(["a[0]", "b[1]"]),
        r'a column "b\[1\]", which is no input; .*: "a\[0\]", "a\[1\]"; did you mean "a\[1\]"',
    ),
    "no such element": (PAIR, frame(["a[0]", "a[2]"]), r'a column "a\[2\]", but a/x has no such element'),
    "a dot in place of a slash": (PORTS, frame(["n.a", "n/b"]), r'a column "n\.a", which is no input; .*; did you mean "n/a"'),
    "an element is missing": (PAIR, frame(["a[1]"], [[1.0]]), r'the DataFrame has no column for "a/x\[0\]"'),
    "an element is given twice": (PAIR, frame(["a[0]", "a/x[0]"]), r'columns "a\[0\]" and "a/x\[0\]" give the same element of a/x'),
    "an element of a dict is given twice": (PAIR, {"a[0]": [1.0], "a/x[0]": [2.0], "a[1]": [3.0]}, r'columns "a\[0\]" and "a/x\[0\]" give'),
    "a column for all elements": (
        TWO,
        frame(["a", "b"]),
        r'column "a" has one number per trial, but a/x has shape \(2,\); .*"a\[0\]", "a\[1\]"',
    ),
    "two columns of one name": (PAIR, frame(["a[0]", "a[0]"]), 'a DataFrame with two columns called "a\\[0\\]"'),
    "numbers of columns for all inputs": (PAIR, frame([0, 1]), r'a column 0, which is no input; columns are taken by name: "a\[0\]"'),
    "a number beyond the elements": (PAIR, {"a": frame([0, 2])}, "a column 2, which is no input"),
    "an index that was written": (PAIR, frame(["Unnamed: 0", "a[0]"]), "write the file without the index of its rows: index=False"),
    "words": (ONE, {"a": frame(["a"], [["left"], ["right"]])}, "its column of the DataFrame: found .* is not a number"),
    "missing values of pandas": (ONE, {"a": pd.DataFrame({"a": [pd.NA, 1]})}, "<NA>, which is not a number"),
    "a series for several elements": (PAIR, {"a": pd.Series([1.0, 2.0])}, r"found a Series, which has one number per trial, .* 2 elements"),
    "a series for several inputs": (TWO, pd.Series([1.0]), 'found a Series, which is for one input; give one for each of "a/x", "b/y"'),
    "a variable that xarray makes a coordinate": (
        TWO,
        xr.Dataset({"a": (("trial", "a"), [[1.0, 2.0]]), "b": ("trial", [9.0])}),
        'inputs: the Dataset has "a" as a coordinate, as xarray makes of a variable with the name of a dimension',
    ),
    "axes without trials": (
        PAIR,
        {"a": xr.DataArray(np.eye(2), dims=("time", "a"))},
        r'call the dimension of trials "trial": .*"time": "trial"',
    ),
    "too many dimensions": (MATRIX, {"a": xr.DataArray(np.ones((1, 2, 2)), dims=("trial", "r", "c"))}, "no names for the axes of elements"),
    "a vector for a matrix": (
        MATRIX,
        {"a": xr.DataArray(np.ones((2, 2)), dims=("trial", "a"))},
        r"each trial of the DataArray has shape \(2,\)",
    ),
    "coordinates that are none": (
        LABELLED,
        {"a": xr.DataArray(ORDINARY, dims=("trial", "a"), coords={"a": ["up", "down"]})},
        'column "up", which is no input of it',
    ),
    "a table of no rows": (ONE, {"a": frame(["a"], np.zeros((0, 1)))}, "the DataFrame has no rows"),
    "columns of several lengths": (PAIR, {"a[0]": [1.0, 2.0], "a[1]": [1.0, 2.0, 3.0]}, "the columns of a/x have different lengths"),
    "an element of missing values": (
        PAIR,
        {"a[0]": pd.Series([1, None], dtype="Int64"), "a[1]": 0.0},
        r'"a\[0\]" of the dict: .* values \(NA, ',
    ),
    "missing values in a column": (
        TWO,
        pd.DataFrame({"a[0]": [1.0, 2.0], "a[1]": [1.0, 2.0], "b": pd.array([1, None], "Int64")}),
        r'inputs: column "b" of the DataFrame: found a Series with missing values \(NA, first in row 1\); .*: values\.fillna\(',
    ),
    "missing values in a series": (ONE, {"a": pd.Series([None, 1.0], dtype="Float64")}, "found a Series with missing values .* row 0"),
    "missing flags": (ONE, {"a": pd.Series([True, None], dtype="boolean")}, "found a Series with missing values .* row 1"),
    "missing values in an array of pandas": (ONE, {"a": pd.array([1, None], "Int64")}, "found a IntegerArray with missing values"),
    "series of other rows": (
        TWO,
        {"a[0]": pd.Series([1.0, 2.0]), "a[1]": 0.0, "b": pd.Series([1.0, 2.0], index=[1, 0])},
        r'inputs: the rows of "a\[0\]" and "b" have different labels \(row 0 is 0 and 1\), .*; put them into one DataFrame',
    ),
    "ports of other rows": (PORTS, {"n": {"a": pd.Series([1, 2], ["x", "y"]), "b": pd.Series([1, 2], ["y", "x"])}}, '"n/a" and "n/b"'),
    "a table beside a series of other rows": (
        TWO,
        {"a": frame(["a[0]", "a[1]"]), "b": pd.Series([1.0, 2.0, 3.0], index=[0, 1, 3])},
        r"\(row 2 is 2 and 3\)",
    ),
    "arrays of xarray of other trials": (
        TWO,
        {
            "a": xr.DataArray(ORDINARY, dims=("trial", "x"), coords={"trial": [0, 1, 2]}),
            "b": xr.DataArray([1, 2, 3], dims="subject", coords={"subject": [2, 1, 0]}),
        },
        r'the rows of "a" and "b" have different labels \(row 0 is 0 and 2\)',
    ),
    "a series of labels in a list": (
        PAIR,
        {"a": [pd.Series({"right": 1.0, "left": 2.0})]},
        r"list of Series whose rows are called right, left, as rows of a table are.*DataFrame itself, .* called .a\[0\]., .a\[1\].",
    ),
    "rows of a table of two ports": (
        PORTS,
        {"n": [row for _, row in frame(["b", "a"]).iterrows()]},
        r'the values for n: found a list of Series .* give the DataFrame itself, with columns called "n/a", "n/b"',
    ),
    "numbers of elements that ascend, and are others": (PAIR, {"a": xr.DataArray(frame([1, 2]))}, "whose elements are called 1, 2 along"),
    "labels of which one is missing": (
        PAIR,
        {"a[0]": pd.Series([1.0, 2.0], pd.Index(["x", pd.NA], dtype="string")), "a[1]": pd.Series([1.0, 2.0], ["x", "y"])},
        r'the rows of "a\[0\]" and "a\[1\]" have different labels \(row 1 is <NA> and y\)',
    ),
    "labels of two levels of which one part is missing": (
        PAIR,
        {f"a[{place}]": pd.Series([1.0], pd.Index([("x", part)], tupleize_cols=False)) for place, part in enumerate([pd.NA, 2])},
        r"have different labels \(row 0 is \('x', <NA>\) and \('x', 2\)\)",
    ),
    "labels without the name of their dimension": (
        LABELLED,
        {"a": xr.DataArray(frame(["right", "left"]))},
        r'whose elements are called right, left along a dimension without a name; .*values\.rename\(\{"dim_0": "trial"\}\)',
    ),
    "an input twice": (TWO, {"a": frame(["a[0]", "a[1]"]), "a/x[0]": [1.0], "a/x[1]": [1.0]}, r"a/x\[0\] is given twice"),
    "masked records": (PORTS, {"n": np.ma.array(records(["a", "b"]))}, "found a masked array"),
    "a masked array in a list": (PAIR, {"a": [np.ma.array([1.0, 2.0], mask=[True, False])]}, "found a masked array"),
    "a table in a list": (PAIR, {"a": [frame(["a[1]", "a[0]"])]}, r"columns called a\[1\], a\[0\], whose names say nothing here"),
    "an array with names in a list": (
        PAIR,
        [xr.DataArray(np.eye(2), dims=("x", "y"))],
        r"dimensions \(x, y\), whose names say nothing here",
    ),
    "a label that is a number": (
        reader_of({"a/value": ("1", "0")}, a__x=(2,)),
        frame(["a[1]", "a[0]"]),
        r'column "a\[1\]" is element 1, and the label of element 0',
    ),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_what_no_name_says_is_refused(case: str) -> None:
    reader, given, message = MISTAKES[case]
    with pytest.raises(InputError, match=message):
        reader.rows(given)


def models() -> tuple[cogir.Model, dict[str, Any], dict[str, Any]]:
    """A model of two inputs that learns, inputs in tables whose columns are in other orders, and the same inputs as arrays."""
    m = cogir.Model("m")
    s, t = m.node("s", input=2, labels=["left", "right"]), m.node("t", input=1)
    out = m.node("out", library.linear, input=1)
    m.project(s, out, matrix=[[1.0], [10.0]])
    m.learning([(out, t)], rate=0.01)
    tables = {"s": frame(["right", "left"]), "t": frame(["any"], [[1.0], [2.0], [3.0]])}
    return m, tables, {"s": SWAPPED, "t": [1.0, 2.0, 3.0]}


def test_every_call_takes_inputs_by_name() -> None:
    m, tables, arrays = models()
    whole = pd.concat([tables["t"].rename(columns={"any": "t"}), tables["s"].rename(columns="s[{}]".format)], axis=1)
    c = m.compile()
    for given in (tables, whole):
        for call in (m.compile().run, lambda x: c.replicates(x, 2), lambda x: c.sweep({"out/slope": [1.0, 2.0]}, x)):
            assert np.array_equal(call(given)["out"], call(arrays)["out"])
        first, second = m.compile(), m.compile()
        assert np.array_equal(first.learn(given, batch=2).losses, second.learn(arrays, batch=2).losses)
        assert c.explain({"out/slope": [1.0]}, given, replicates=2)["sweep"] is not None
    swept = {"s": frame(["right", "left"])}
    assert np.array_equal(c.sweep(swept, {"t": 0.0})["out"], c.sweep({"s": SWAPPED}, {"t": 0.0})["out"])
    assert np.array_equal(c.sweep(cogir.zipped(swept), {"t": 0.0})["out"], c.sweep({"s": SWAPPED}, {"t": 0.0})["out"])


def test_places_without_names_for_columns_refuse_tables_with_names() -> None:
    m, _, _ = models()
    c = m.compile()
    named = frame(["b", "a"])
    with pytest.raises(InputError, match="columns called b, a, whose names say nothing here"):
        c.params["s->out"] = named
    with pytest.raises(InputError, match='inputs: "s->out" is a parameter, and no input; set it before'):
        c.run({"s->out": [[1.0], [2.0]]})
    with pytest.raises(InputError, match="columns called b, a, whose names say nothing here"):
        c.sweep({"s->out": [named]})
    with pytest.raises(InputError, match="columns called b, a, whose names say nothing here"):
        cogir.analyze.ranges(m, inputs={"s": (named, named)})
    with pytest.raises(InputError, match="found a masked array"):
        cogir.analyze.ranges(m, inputs={"s": (np.ma.array([0.0, 0.0], mask=[True, False]), 1.0)})
    other = cogir.Model("other")
    with pytest.raises(ModelError, match="columns called b, a, whose names say nothing here"):
        other.project(other.node("x", input=3), other.node("y", input=2), matrix=named)
    other.project("x", "y", matrix=frame([0, 1]))
    assert other.compile().run({"x": [1.0, 0.0, 0.0]})["y"].tolist() == [[1.0, 2.0]]


BIASES: dict[str, Any] = {
    "series": pd.Series([7.0, 8.0], index=["right", "left"]),
    "series of whole numbers": pd.Series([7.0, 8.0], index=[1, 0]),
    "series of numbers that are its values": pd.Series([7.0, 6.0], index=[7.0, 6.0]),
    "series of numbers that occur twice": pd.Series([7.0, 8.0], index=[1, 1]),
    "series of a number and a missing one": pd.Series([7.0, 8.0], index=pd.Index([1, pd.NA], dtype=object)),
    "series of texts that ascend": pd.Series([7.0, 8.0], index=["left", "right"]),
    "series of two levels": pd.Series([7.0, 8.0], index=pd.MultiIndex.from_tuples([(1, "left"), (2, "right")])),
    "table of one column": pd.DataFrame({"bias": [7.0, 8.0]}, index=["right", "left"]),
    "array of xarray": xr.DataArray([7.0, 8.0], dims="unit", coords={"unit": ["right", "left"]}),
    "array of xarray without names of dimensions": xr.DataArray(pd.Series([7.0, 8.0], index=["right", "left"])),
}


@pytest.mark.parametrize("case", BIASES)
def test_places_without_names_for_rows_refuse_labels(case: str) -> None:
    labelled = BIASES[case]
    m, _, _ = models()
    n = m.node("n", lambda variable, bias=np.array([1.0, 2.0]): variable * bias, input=())
    c = m.compile()
    called = r"whose rows are called [^;]+, and these labels say nothing here; [^;]*: values.to_numpy\(\)$"
    for refused in (
        lambda: c.params.update({(n, "bias"): labelled}),
        lambda: c.state.update({"s/port:value": labelled}),
        lambda: c.sweep({"n/bias": [labelled, labelled]}),
        lambda: c.sweep({"place": {"here": {"n/bias": labelled}}}),
        lambda: cogir.analyze.ranges(m, inputs={"s": (labelled, 9.0)}),
    ):
        with pytest.raises(InputError, match=called):
            refused()
    assert c.params["n/bias"].tolist() == [1.0, 2.0]
    other = cogir.Model("other")
    for made in (lambda: other.node("x", input=2, initial=labelled), lambda: other.node("y", library.linear, input=2, slope=labelled)):
        with pytest.raises(ModelError, match=called):
            made()
    c.params["n/bias"] = labelled.to_numpy().reshape(2)
    with pytest.raises(InputError, match=r"found a Series with missing values .NA, first in row 1.; give numbers for them"):
        c.params["n/bias"] = pd.Series([7, None], dtype="Int64")


ASCENDING: dict[str, Any] = {
    "0, 1, 2 ...": [0, 1],
    "some rows of a table": [1, 3],
    "whole numbers as floats": [0.0, 1.0],
    "quantiles": [0.1, 0.9],
    "whole numbers among objects": pd.Index([1, 3], dtype=object),
    "whole numbers that may be missing": pd.Index([1, 3], dtype="Int64"),
    "dates": pd.to_datetime(["2026-01-01", "2026-01-03"]),
    "dates of a time zone": pd.to_datetime(["2026-01-01", "2026-01-03"], utc=True),
    "months": pd.period_range("2026-01", periods=2, freq="M"),
    "levels of numbers": pd.MultiIndex.from_tuples([(1, 2), (1, 3)]),
}


@pytest.mark.parametrize("case", ASCENDING)
@pytest.mark.parametrize("values", [[7.0, 8.0], [8.0, 7.0]])
def test_places_without_names_for_rows_take_labels_that_ascend(case: str, values: list[float]) -> None:
    given = pd.Series(values, index=ASCENDING[case])
    m = cogir.Model("m")
    m.node("n", lambda variable, bias=np.array([1.0, 2.0]): variable * bias, input=2, initial=given)
    c = m.compile()
    for form in (given, xr.DataArray(given.to_numpy(), {"x": ASCENDING["quantiles"]})):
        c.params["n/bias"] = 0.0
        c.params["n/bias"] = form
        assert c.params["n/bias"].tolist() == values


def test_a_single_row_may_be_called_anything() -> None:
    m = cogir.Model("m")
    m.node("n", lambda variable, bias=np.array([1.0]): variable * bias, input=1)
    c = m.compile()
    table = pd.DataFrame({"cond": ["x", "y"], "w": [1.0, 4.0]}, index=["one", "two"])
    for form in (table[table.cond == "y"].w, table[table.cond == "y"][["w"]].w, xr.DataArray([4.0], {"unit": ["two"]})):
        c.params["n/bias"] = 0.0
        c.params["n/bias"] = form
        assert c.params["n/bias"].tolist() == [4.0]


def test_sparse_matrices_are_matrices() -> None:
    weights = np.zeros((30, 20))
    weights[3, 4], weights[7, 2] = 2.0, -1.0
    given = np.arange(30.0)
    found = {}
    for name, matrix in {"dense": weights, "csr": scipy_sparse.csr_array(weights), "coo": scipy_sparse.coo_matrix(weights)}.items():
        m = cogir.Model("m")
        m.project(m.node("x", input=30), m.node("y", input=20), matrix=matrix)
        found[name] = str(m.ir()), m.compile().run({"x": given})["y"].tolist()
    assert found["dense"] == found["csr"] == found["coo"]
    c = m.compile()
    c.params["x->y"] = scipy_sparse.csr_array(2.0 * weights)
    assert np.array_equal(c.run({"x": given})["y"][0], given @ (2.0 * weights))


class Tensor:
    """What PyTorch's tensors do that need a gradient."""

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")


def test_tensors_that_numpy_cannot_read() -> None:
    with pytest.raises(InputError, match=r"NumPy cannot read: .* Use tensor\.detach\(\)\.numpy\(\) instead"):
        PAIR.rows({"a": Tensor()})


def test_a_fit_takes_one_trial_of_inputs() -> None:
    m = cogir.Model("m")
    m.node("ddm", library.drift_diffusion_decision)
    data = {"ddm/choice": [1.0, -1.0], "ddm/response_time": [0.5, 0.6]}
    with pytest.raises(InputError, match=r"fit: inputs has 2 trials, but a fit takes one trial, .* make inputs that vary columns"):
        cogir.fit(m, data, free={"ddm/threshold": (0.5, 2.0)}, inputs={"ddm": [[1.0], [2.0]]})


def stories(count: int, seed: int) -> Iterator[str]:
    """Random inputs in random forms, of which one is not read as it is meant: the differences in words."""
    for number in range(seed, seed + count):
        rng = Random(number)
        nodes: dict[str, dict[str, tuple[int, ...]]] = {
            name: {port: rng.choice(SHAPES) for port in rng.sample(["x", "y"], rng.choice((1, 1, 2)))}
            for name in LETTERS[: rng.randint(1, 3)]
        }
        flat = {f"{node}/{port}": shape for node, ports in nodes.items() for port, shape in ports.items()}
        labels = {
            f"{node}/value": tuple(f"{node}{each}" for each in range(next(iter(ports.values()))[0]))
            for node, ports in nodes.items()
            if len(ports) == 1 and len(next(iter(ports.values()))) == 1 and rng.random() < 0.5
        }
        reader = reader_of(labels, **{path.replace("/", "__"): shape for path, shape in flat.items()})
        trials = rng.randint(1, 4)
        values = {
            path: np.array([rng.gauss(0, 1) for _ in range(trials * int(np.prod(shape)))]).reshape(trials, *shape)
            for path, shape in flat.items()
        }
        expected = np.concatenate([values[path].reshape(trials, -1) for path in flat], axis=1)
        form = rng.choice(("frame", "records", "elements", "nested", "file"))
        cells: dict[str, dict[str, Any]] = {}
        for path, shape in flat.items():
            node = path.partition("/")[0]
            marks = labels.get(f"{node}/value")
            names = [path] + [node] * (len(nodes[node]) == 1)
            for index in np.ndindex(shape):
                axes = [Axis("", extent) for extent in shape]
                if marks and rng.random() < 0.5:
                    axes[-1] = Axis("", len(marks), {"": np.array(marks)})
                text = element_names(rng.choice(names), axes)[index]
                text = marks[index[0]] if marks and rng.random() < 0.2 else text
                cells.setdefault(node, {})[text] = values[path][(slice(None), *index)]
        columns = [(text, column) for held in cells.values() for text, column in held.items()]
        rng.shuffle(columns)
        table = dict(columns)
        given: Any = {
            "frame": lambda: pd.DataFrame(table),
            "records": lambda: pd.DataFrame(table).to_records(index=False),
            "elements": lambda: named_data.NamedColumns(table, "dict"),
            "file": lambda: table,
            "nested": lambda: {node: pd.DataFrame(dict(sorted(held.items(), key=lambda _: rng.random()))) for node, held in cells.items()},
        }[form]()
        if form == "file":
            text = "\n".join([",".join(table), *(",".join(repr(float(cell)) for cell in row) for row in zip(*table.values(), strict=True))])
            given = read_inputs_of(text)
        try:
            found = reader.rows(given)
        except InputError as error:
            yield f"{number} ({form}): {error}"
            continue
        if not np.array_equal(found, expected):
            yield f"{number} ({form}): {found} is not {expected}"


def read_inputs_of(text: str) -> Any:
    """What cog-run reads of a CSV file."""
    import tempfile

    with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
        file.write(text + "\n")
        file.flush()
        return read_inputs(file.name)


@pytest.mark.parametrize("count", [300, pytest.param(20_000, marks=pytest.mark.full)])
def test_random_tables(count: int) -> None:
    assert not list(stories(count, 0))


def by_position(self: ColumnReader, name: Any, ports: Any, given: Any) -> Any:
    """Columns are the elements of all inputs in order."""
    place = list(given.by_name).index(name)
    return [(slot, index) for slot in self.slots for index in np.ndindex(slot.shape)][place]


def without_labels(slots: Any, labels: Any) -> dict[str, tuple[str, ...]]:
    """Labels are those of another order."""
    return {path: held[::-1] for path, held in columns.labels_of_inputs(slots, labels).items()}


MUTANTS = {
    "columns by position": (ColumnReader, "_element", by_position),
    "tables are arrays": (inputs, "columns_in", lambda given: None),
    "labels in another order": (inputs, "labels_of_inputs", without_labels),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_planted_readers_are_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(*MUTANTS[name])
    assert next(stories(100, 0), None) is not None
