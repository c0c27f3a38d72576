"""Data in files: what is saved is loaded again, to the bit, and what goes wrong is named."""

from __future__ import annotations

import builtins
import errno
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cogir
from cogir import library
from cogir.labelled import files
from cogir.labelled.dataset import Axis, Dataset, Variable
from cogir.labelled.layout import FORMAT, HEADER
from cogir.labelled.loaded import Loaded

ENDINGS = ("npz", "nc", "zarr")
every_format = pytest.mark.parametrize("ending", ENDINGS)


def study() -> Dataset:
    """Data of all kinds: swept axes, a table of points, labels, all dtypes, names that files do not like, and nested attributes."""
    rate = Axis("decision/rate", 2, {"decision/rate": np.array([0.1, np.inf])}, {"decision/rate": "1/s"})
    point = Axis("point", 3, {"a/x": np.array([1, 2**60 + 1, 3]), "a/y": np.array(["low", "mid", "é"])})
    trial = Axis("trial", 2)
    side = Axis("stimulus", 2, {"stimulus": np.array(["left", "right"])})
    shared = (rate, point, trial)
    floats = np.arange(24.0).reshape(2, 3, 2, 2)
    floats[0, 0, 0] = np.nan, -np.inf
    variables = {
        "stimulus/value": Variable(floats, (*shared, side), "cd"),
        "inner/counter/steps": Variable(np.arange(12).reshape(2, 3, 2) + 2**53, shared),
        "single/value": Variable(np.arange(12, dtype=np.float32).reshape(2, 3, 2) / 3, shared),
        "a node/is it": Variable(np.arange(12).reshape(2, 3, 2) % 2 == 0, shared),
        "empty/value": Variable(np.zeros((2, 3, 2, 0)), (*shared, Axis("empty", 0))),
        "decision/rate": Variable(np.ones((2, 3, 2)), shared),
    }
    beside = {
        "unfinished:decision": Variable(np.arange(12).reshape(2, 3, 2) > 5, shared),
        "lengths": Variable(np.full((2, 3), 2), shared[:2]),
    }
    attributes = {
        "model": "m",
        "model_text": "x" * 100_000,
        "none": None,
        "seed": 2**40,
        "share": 0.1,
        "parameters": {"a/b": [0.1, float("inf")]},
    }
    return Dataset("sweep", shared, variables, beside, attributes)


def assert_same(one: Dataset, other: Dataset) -> None:
    def axes_of(axes: tuple[Axis, ...]) -> list[Any]:
        return [(axis.name, axis.size, dict(axis.units), {n: (v.dtype, v.tolist()) for n, v in axis.coordinates.items()}) for axis in axes]

    assert (one.kind, axes_of(one.axes)) == (other.kind, axes_of(other.axes))
    assert dict(one.attributes) == dict(other.attributes)
    for mine, its in ((one.variables, other.variables), (one.beside, other.beside)):
        assert list(mine) == list(its)
        for name, variable in mine.items():
            found = its[name]
            assert (variable.unit, axes_of(variable.axes)) == (found.unit, axes_of(found.axes)), name
            assert (variable.values.dtype, variable.values.shape) == (found.values.dtype, found.values.shape), name
            assert variable.values.tobytes() == np.ascontiguousarray(found.values).tobytes(), name


@every_format
def test_what_is_saved_is_loaded_to_the_bit(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"study.{ending}"
    files.save(study(), path)
    loaded = cogir.load(path)
    assert_same(study(), loaded.dataset())
    assert (loaded.kind, loaded.status, loaded.unfinished["decision"].sum()) == ("sweep", "done", 6)
    assert os.listdir(tmp_path) == [path.name]
    again = tmp_path / f"again.{ending}"
    loaded.save(str(again))
    assert_same(study(), cogir.load(str(again)).dataset())


def test_a_file_of_numpy_is_readable_without_cogir(tmp_path: Path) -> None:
    files.save(study(), tmp_path / "study.npz")
    with np.load(tmp_path / "study.npz") as held:
        assert held["inner.counter.steps"][0, 0, 0] == 2**53
        assert held["stimulus"].tolist() == ["left", "right"]


@pytest.mark.parametrize("ending", ["nc", "zarr"])
def test_xarray_reads_the_files_and_writes_its_own(ending: str, tmp_path: Path) -> None:
    xarray = pytest.importorskip("xarray")
    files.save(study(), tmp_path / f"study.{ending}")
    engine = {"engine": "h5netcdf"} if ending == "nc" else {"engine": "zarr", "chunks": None}
    with xarray.open_dataset(tmp_path / f"study.{ending}", **engine) as found:
        assert found["stimulus.value"].sel(stimulus="right").attrs == {"long_name": "stimulus/value", "units": "cd"}
        assert found["unfinished:decision"].dtype == bool
        assert found.attrs["model"] == "m"
    dataset = Loaded(study()).to_xarray()
    own = tmp_path / f"own.{ending}"
    if ending == "nc":
        dataset.to_netcdf(own, engine="h5netcdf")
        assert_same(study(), cogir.load(own).dataset())


@every_format
def test_a_file_that_exists_is_kept_unless_told_otherwise(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"study.{ending}"
    files.save(study(), path)
    with pytest.raises(cogir.InputError, match=r'save: ".*" exists; give another name, or overwrite=True'):
        files.save(study(), path)
    other = Dataset("result", (), {"a/b": Variable(np.array(1.0), ())})
    files.save(other, path, overwrite=True)
    assert_same(other, cogir.load(path).dataset())
    assert os.listdir(tmp_path) == [path.name]


@every_format
def test_a_full_disk_leaves_the_old_file_and_nothing_else(ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / f"study.{ending}"
    files.save(study(), path)
    form = files.FORMATS[f".{ending}"]

    def half(dataset: Dataset, place: Path) -> None:
        form.write(dataset, place)
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setitem(files.FORMATS, f".{ending}", files.Format(half, form.read))
    with pytest.raises(cogir.CogirError, match=r"cannot be written: no space is left on the disk; free some"):
        files.save(Dataset("result", (), {}), path, overwrite=True)
    assert os.listdir(tmp_path) == [path.name]
    assert_same(study(), cogir.load(path).dataset())


def test_a_folder_that_cannot_be_replaced_comes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "study.zarr"
    files.save(study(), path)
    replace, calls = os.replace, []

    def second_fails(*names: Any) -> None:
        calls.append(names)
        if len(calls) == 2:
            raise OSError(errno.EACCES, "Permission denied")
        replace(*names)

    monkeypatch.setattr(os, "replace", second_fails)
    with pytest.raises(cogir.CogirError, match="you may not use this folder or file"):
        files.save(Dataset("result", (), {}), path, overwrite=True)
    assert os.listdir(tmp_path) == [path.name]
    assert_same(study(), cogir.load(path).dataset())


@pytest.mark.parametrize(
    ("path", "message"),
    [
        (5, 'save: found 5 as a path; give one such as "study.nc"'),
        ("study.txt", 'save: "study.txt" ends in ".txt"; give a name that ends in .npz, .nc, .zarr or .csv'),
        ("study", 'save: "study" ends in ""; give a name that ends in .npz, .nc, .zarr or .csv'),
        ("no/such/study.nc", 'save: there is no folder "no/such"; make it first'),
    ],
)
def test_paths_that_are_none(path: Any, message: str) -> None:
    with pytest.raises(cogir.InputError) as error:
        files.save(study(), path)
    assert str(error.value) == message


def test_overwrite_is_true_or_false(tmp_path: Path) -> None:
    with pytest.raises(cogir.InputError, match="save: overwrite is 'yes'; give True or False"):
        files.save(study(), tmp_path / "a.npz", overwrite="yes")  # pyright: ignore[reportArgumentType]


def test_a_folder_is_not_replaced_by_data(tmp_path: Path) -> None:
    (tmp_path / "mine.zarr").mkdir()
    (tmp_path / "mine.zarr" / "thesis.tex").write_text("")
    with pytest.raises(cogir.InputError, match=r"is a folder and no zarr data; give another name"):
        files.save(study(), tmp_path / "mine.zarr", overwrite=True)
    assert (tmp_path / "mine.zarr" / "thesis.tex").exists()


@every_format
def test_files_of_something_else_are_refused(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"other.{ending}"
    with pytest.raises(cogir.InputError, match=r'load: there is no ".*other'):
        cogir.load(path)
    if ending == "zarr":
        path.mkdir()
    else:
        path.write_bytes(b"something else")
    with pytest.raises(cogir.InputError, match=r"cannot be read: it is damaged, or no \S+ f.*; give one that `save` has written"):
        cogir.load(path)


def test_files_of_others_and_of_newer_versions_are_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "other.npz", a=np.ones(3))
    with pytest.raises(cogir.InputError, match="it was not written by cogir; give a file that `save` has written"):
        cogir.load(tmp_path / "other.npz")
    xarray = pytest.importorskip("xarray")
    xarray.Dataset({"a": ("x", np.ones(3))}).to_netcdf(tmp_path / "other.nc", engine="h5netcdf")
    with pytest.raises(cogir.InputError, match="it was not written by cogir"):
        cogir.load(tmp_path / "other.nc")
    header = json.dumps({"format": FORMAT + 1})
    xarray.Dataset(attrs={HEADER: header}).to_netcdf(tmp_path / "newer.nc", engine="h5netcdf")
    np.savez(tmp_path / "newer.npz", **{f"attribute:{HEADER}": np.array(header)})  # pyright: ignore[reportArgumentType]
    for name in ("newer.nc", "newer.npz"):
        with pytest.raises(
            cogir.InputError, match=f"it has format {FORMAT + 1}, and this version of cogir reads up to {FORMAT}; update cogir"
        ):
            cogir.load(tmp_path / name)


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    for ending in ("npz", "nc"):
        path = tmp_path / f"study.{ending}"
        files.save(study(), path)
        data = path.read_bytes()
        path.write_bytes(data[: len(data) // 2])
        with pytest.raises(cogir.InputError, match="cannot be read: it is damaged"):
            cogir.load(path)


@pytest.mark.parametrize(("ending", "module"), [("nc", "h5netcdf"), ("nc", "xarray"), ("zarr", "zarr")])
def test_missing_packages_are_named(ending: str, module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    without(module, monkeypatch)
    message = rf"save: \.{ending}: {module} is not installed; install it with: pip install 'cogir\[study\]'"
    with pytest.raises(cogir.CogirError, match=message):
        files.save(study(), tmp_path / f"a.{ending}")
    files.save(study(), tmp_path / "a.npz")
    assert_same(study(), cogir.load(tmp_path / "a.npz").dataset())


def without(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes imports of a package fail."""
    imported = builtins.__import__

    def importing(name: str, *rest: Any, **more: Any) -> Any:
        if name.partition(".")[0] == missing:
            raise ImportError(name)
        return imported(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", importing)


def test_a_table_is_written_with_all_digits(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    m = cogir.Model("csv", seed=1)
    m.node("n", library.drift_diffusion_integrator, input=2, noise=1.0, labels=["left", 'the "right", one'])
    compiled = m.compile()
    for found, index in (
        (compiled.run({"n": [[0.1, 1e-300], [np.nan, np.inf]]}), ["trial"]),
        (compiled.replicates({"n": [[0.1, 0.2]]}, 3, start="fresh"), ["replicate", "trial"]),
        (compiled.sweep({"n/rate": [0.1, 0.3]}, {"n": [[0.1, 0.2]]}, replicates=2, start="fresh"), ["n/rate", "replicate", "trial"]),
        (m.compile().sweep({"c": {"α": {"n/rate": 0.1}, "b,c": {"n/rate": 0.2}}}, {"n": [[0.1, 0.2]]}, reduce="mean"), ["c", "trial"]),
    ):
        path = tmp_path / "t.csv"
        found.save(path, overwrite=True)
        table = pandas.read_csv(path, index_col=index)
        expected = found.to_dataframe()
        assert list(table.columns) == list(expected.columns)
        for name in expected:
            np.testing.assert_array_equal(table[name].to_numpy(), expected[name].to_numpy())
        assert table.index.tolist() == expected.index.tolist()
        with pytest.raises(cogir.InputError, match=r"a \.csv file has the table alone, .* read it with pandas\.read_csv, or save as \.npz"):
            cogir.load(path)
    with pytest.raises(cogir.InputError, match="exists; give another name, or overwrite=True"):
        found.save(path)
    assert [file.name for file in tmp_path.iterdir()] == ["t.csv"]
