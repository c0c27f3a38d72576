"""`cog-run --replicates`, `--sweep` and `--fit`: what Python gives, as tables and files; and no raw error for any arguments."""

import csv
import json
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import cogir
from cogir import library
from cogir.tools import cog_run, run_studies
from cogir.tools.cog_run import main
from cogir.tools.run_files import path_of_model

SCRIPT = """
import cogir
from cogir import library

model = cogir.Model("decision", seed=3)
ddm = model.node(
    "ddm",
    library.drift_diffusion_decision,
    threshold=1.0,
    time_step_size=0.05,
    execute_until_finished=True,
    reset_each_trial=True,
)
shown = model.node("shown", input=2, labels=["left", "right"])
model.output(ddm, shown)
"""
INPUTS = '{"ddm": [1.0, -1.0], "shown": [0.5, 0.25]}'


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("studies") / "decision.py"
    path.write_text(SCRIPT)
    return str(path)


@pytest.fixture(scope="module")
def compiled(script: str) -> cogir.Compiled:
    found: dict[str, Any] = {}
    exec(compile(Path(script).read_text(), script, "exec"), found)
    return found["model"].compile()


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def same(one: Any, other: Any) -> None:
    assert list(one) == list(other)
    for name in other:
        assert np.array_equal(one[name], other[name], equal_nan=True), name


def test_replicates(script: str, compiled: cogir.Compiled, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    expected = compiled.replicates(json.loads(INPUTS), 20, 3, seed=5)
    for suffix in ("npz", "nc", "csv"):
        saved = tmp_path / f"r.{suffix}"
        assert main([script, "--replicates", "20", "-n", "3", "--seed", "5", "-i", INPUTS, "-o", str(saved)]) == 0
        assert 'replicates of "decision": replicate 20, trial 3; ' in capsys.readouterr().out
        if suffix == "csv":
            table = rows(saved)
            assert len(table) == 60
            assert [float(row["ddm/response_time"]) for row in table] == expected["ddm", "response_time"].ravel().tolist()
            assert [float(row["shown/value[right]"]) for row in table] == [0.25] * 60
        else:
            same(cogir.load(saved), expected)


SWEEPS: dict[str, tuple[list[str], Any]] = {
    "a range": (["ddm.drift=0:2:3"], {"ddm/drift": [0.0, 1.0, 2.0]}),
    "a list": (["ddm.drift=0.5, 1"], {"ddm/drift": [0.5, 1.0]}),
    "two axes": (["ddm/drift=0:2:3", "ddm.threshold=1,1.5"], {"ddm/drift": [0.0, 1.0, 2.0], "ddm/threshold": [1.0, 1.5]}),
    "JSON values": (["shown=[[1, 2], [3, 4]]"], {"shown": [[1, 2], [3, 4]]}),
    "JSON": (
        ['{"condition": {"a": {"ddm/drift": 1}, "b": {"ddm/drift": 2}}}'],
        {"condition": {"a": {"ddm/drift": 1}, "b": {"ddm/drift": 2}}},
    ),
    "a table": (["{folder}/points.csv"], cogir.zipped({"name": ["x", "y"], "ddm/drift": [0.5, 1.0]})),
    "a table and an axis": (
        ["{folder}/points.csv", "ddm.threshold=1,2"],
        {"ddm/threshold": [1.0, 2.0], "point": cogir.zipped({"name": ["x", "y"], "ddm/drift": [0.5, 1.0]})},
    ),
    "a table with dots": (["{folder}/dots.csv"], cogir.zipped({"the.name": ["x", "y"], "ddm/drift": [0.5, 1.0]})),
    "arrays": (["{folder}/points.npz"], cogir.zipped({"ddm/drift": [0.5, 1.0, 2.0]})),
    "a file of JSON": (["{folder}/points.json"], {"ddm/drift": [0.5, 1.0]}),
}


@pytest.mark.parametrize("case", SWEEPS)
def test_sweeps(case: str, script: str, compiled: cogir.Compiled, tmp_path: Path) -> None:
    given, points = SWEEPS[case]
    (tmp_path / "points.csv").write_text("name,ddm/drift\nx,0.5\ny,1.0\n")
    (tmp_path / "dots.csv").write_text("the.name,ddm.drift\nx,0.5\ny,1.0\n")
    (tmp_path / "points.json").write_text('{"ddm/drift": [0.5, 1.0]}')
    np.savez(tmp_path / "points.npz", **{"ddm/drift": [0.5, 1.0, 2.0]})
    asked = [part for text in given for part in ("--sweep", text.replace("{folder}", str(tmp_path)))]
    saved = tmp_path / "s.npz"
    inputs = '{"ddm": [1.0]}' if "shown" in given[0] else INPUTS
    assert main([script, *asked, "--replicates", "5", "--seed", "2", "-i", inputs, "-q", "-o", str(saved)]) == 0
    expected = compiled.sweep(points, json.loads(inputs), replicates=5, seed=2)
    found = cogir.load(saved)
    same(found, expected)
    assert found.dataset().axes[0].name == expected.dataset().axes[0].name


def test_statistics_are_a_table(script: str, compiled: cogir.Compiled, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved = tmp_path / "s.csv"
    asked = ["--sweep", "ddm.drift=0:2:3", "--replicates", "40", "--reduce", "mean,sem", "--common-random-numbers"]
    assert main([script, *asked, "-i", '{"ddm": 1.0, "shown": [0, 0]}', "-o", str(saved)]) == 0
    given = {"replicates": 40, "reduce": ["mean", "sem"], "common_random_numbers": True}
    expected = compiled.sweep({"ddm/drift": [0.0, 1.0, 2.0]}, {"ddm": 1.0, "shown": [0, 0]}, **given)
    table = rows(saved)
    assert [float(row["ddm/drift"]) for row in table] == [0.0, 1.0, 2.0]
    for name in ("mean", "sem"):
        assert [float(row[f"ddm/response_time/{name}"]) for row in table] == expected[f"ddm/response_time/{name}"].ravel().tolist()
    printed = capsys.readouterr().out.splitlines()
    assert printed[0].split()[0] == "ddm/drift"
    assert len(printed) == 4


@pytest.mark.parametrize("asked", [[], ["--sweep", "ddm.drift=0,1"], ["--replicates", "2"]])
def test_files_that_exist_are_kept(asked: list[str], script: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved = tmp_path / "kept.csv"
    saved.write_text("kept")
    given = [script, *asked, "-i", INPUTS, "-q", "-o", str(saved)]
    assert main(given) == 1
    assert f"{saved}: error: the file exists; give another name, or --overwrite" in capsys.readouterr().err
    assert saved.read_text() == "kept"
    assert main([*given, "--overwrite"]) == 0
    assert saved.read_text() != "kept"
    assert main([script, "-i", INPUTS, "--overwrite"]) == 1
    assert "--overwrite belongs to a file of results" in capsys.readouterr().err


def test_two_columns_for_one_parameter(script: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "p.csv").write_text("ddm.drift,ddm/drift\n1,2\n")
    assert main([script, "--sweep", str(tmp_path / "p.csv"), "-i", INPUTS]) == 1
    assert 'the table has two columns for "ddm/drift", called "ddm.drift" and "ddm/drift"; leave one' in capsys.readouterr().err


def test_two_columns_for_one_input(script: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "i.csv").write_text("ddm.variable,left,right,ddm/variable\n1,2,3,1\n")
    assert main([script, "-i", str(tmp_path / "i.csv")]) == 1
    assert 'the table has two columns for "ddm/variable"' in capsys.readouterr().err


HEADINGS = (
    "ddm.variable,shown.variable[left],shown.variable[right]",
    "ddm.variable[0],shown.variable[0],shown.variable[1]",
    " ddm.variable , left, shown[1]",
    "ddm/variable,shown/variable[left],shown.variable[1]",
)


@pytest.mark.parametrize("headings", HEADINGS)
def test_inputs_in_columns_with_dots(headings: str, script: str, compiled: cogir.Compiled, tmp_path: Path) -> None:
    (tmp_path / "i.csv").write_text(f"{headings}\n0.5,1,2\n-0.5,3,4\n")
    saved = tmp_path / "r.npz"
    assert main([script, "-i", str(tmp_path / "i.csv"), "--replicates", "3", "-q", "-o", str(saved)]) == 0
    same(cogir.load(saved), compiled.replicates({"ddm": [0.5, -0.5], "shown": [[1, 2], [3, 4]]}, 3))


@pytest.mark.parametrize(
    ("headings", "said"),
    [
        ("ddm.varable,left,right", 'column "ddm.varable", which is no input'),
        ("ddm.variable,shown.variable[up],right", 'column "shown/variable[up]", but shown/variable has no such element'),
        ("ddm.drift,left,right", 'column "ddm/drift", which is no input'),
    ],
)
def test_headings_with_dots_of_no_input(headings: str, said: str, script: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "i.csv").write_text(f"{headings}\n0.5,1,2\n")
    assert main([script, "-i", str(tmp_path / "i.csv")]) == 1
    assert said in capsys.readouterr().err


def test_names_of_nodes_with_dots() -> None:
    m = cogir.Model("m")
    m.output(m.node("v1.5", library.linear, input=2, slope=2.0), m.node("v1", library.linear, input=1))
    ready = m.compile()
    for name in ("v1.5", "v1.5[0]", "v1.5/slope", "v1/slope", "the.name", "v1.x", "v1.", ".v1"):
        assert path_of_model(name, ready) == name
    assert path_of_model("v1.5.slope", ready) == "v1.5/slope"
    assert path_of_model("v1.5.variable[1]", ready) == "v1.5/variable[1]"
    assert path_of_model("v1.slope", ready) == "v1/slope"


def test_a_store_keeps_points(script: str, tmp_path: Path) -> None:
    pytest.importorskip("zarr")
    store = tmp_path / "s.zarr"
    asked = [script, "--sweep", "ddm.drift=0:2:3", "-i", INPUTS, "-q", "--store", str(store)]
    assert main(asked) == main(asked) == 0
    assert store.is_dir()


def test_parameters_are_those_of_set(script: str, compiled: cogir.Compiled, tmp_path: Path) -> None:
    saved = tmp_path / "r.npz"
    assert main([script, "--replicates", "4", "--set", "ddm.threshold=0.5", "-i", INPUTS, "-q", "-o", str(saved)]) == 0
    before = compiled.params["ddm/threshold"]
    compiled.params["ddm/threshold"] = 0.5
    same(cogir.load(saved), compiled.replicates(json.loads(INPUTS), 4))
    compiled.params["ddm/threshold"] = before


@pytest.fixture(scope="module")
def data(compiled: cogir.Compiled, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Data of two subjects, in two conditions."""
    path = tmp_path_factory.mktemp("data") / "data.csv"
    lines = ["subject,difficulty,choice,rt"]
    for seed, (subject, difficulty, drift) in enumerate([("a", "easy", 1.5), ("a", "hard", 0.5), ("b", "easy", 1.2), ("b", "hard", 0.4)]):
        found = compiled.sweep({"ddm/drift": [drift]}, {"ddm": 1.0, "shown": [0, 0]}, replicates=100, seed=seed)
        choices, times = found["ddm", "choice"].ravel().tolist(), found["ddm", "response_time"].ravel().tolist()
        lines += [f"{subject},{difficulty},{choice!r},{time!r}" for choice, time in zip(choices, times, strict=True)]
    path.write_text("\n".join(lines) + "\n")
    return path


RESPONSES = ["--response", "ddm.choice=choice", "--response", "ddm/response_time=rt"]
FITTED = ["--free", "ddm.drift=0:3", "--free", "ddm.threshold=0.5:2:0.8", "--depends-on", "ddm.drift=difficulty"]


def test_fits(script: str, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found: dict[str, Any] = {}
    exec(compile(Path(script).read_text(), script, "exec"), found)
    table = rows(data)
    columns = {"difficulty": [row["difficulty"] for row in table]} | {
        name: [float(row[name]) for row in table] for name in ("choice", "rt")
    }
    expected = cogir.fit(
        found["model"],
        columns,
        {"ddm/drift": (0.0, 3.0), "ddm/threshold": (0.5, 2.0, 0.8)},
        inputs={"ddm": 1.0, "shown": [0, 0]},
        response={"ddm/choice": "choice", "ddm/response_time": "rt"},
        depends_on={"ddm/drift": "difficulty"},
        likelihood="analytical",
        intervals="hessian",
        seed=4,
    )
    how = ["--likelihood", "analytical", "--intervals", "hessian", "--seed", "4", "-i", '{"ddm": 1.0, "shown": [0, 0]}']
    for suffix in ("csv", "npz", "nc"):
        saved = tmp_path / f"fit.{suffix}"
        assert main([script, "--fit", str(data), *RESPONSES, *FITTED, *how, "-o", str(saved)]) == 0
        assert 'fit of "decision"' in capsys.readouterr().out
        if suffix == "csv":
            estimates = {row["parameter"]: float(row["estimate"]) for row in rows(saved)}
            low = {row["parameter"]: float(row["low"]) for row in rows(saved)}
            assert low == {name: ends[0] for name, ends in expected.intervals.items()}
        else:
            kept = cogir.Fit.load(saved)
            estimates = dict(kept)
            assert kept.intervals == dict(expected.intervals)
            assert np.array_equal(kept.pointwise, expected.pointwise())
        assert estimates == dict(expected)


def test_fits_of_columns_with_dots(script: str, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`ddm.choice` is an output, `ddm.variable` an input of each trial, and `the.level` a column that the model knows nothing of."""
    rng = np.random.default_rng(1)
    table = {"ddm.choice": [], "ddm.response_time": [], "ddm.variable": [], "the.level": []}
    for row in rows(data):
        cells = float(row["choice"]), float(row["rt"]), rng.choice([0.8, 1.2]), row["difficulty"]
        for column, cell in zip(table.values(), cells, strict=True):
            column.append(cell)
    lines = [",".join(table), *(",".join(map(str, line)) for line in zip(*table.values(), strict=True))]
    (tmp_path / "dots.csv").write_text("\n".join(lines) + "\n")
    found: dict[str, Any] = {}
    exec(compile(Path(script).read_text(), script, "exec"), found)
    expected = cogir.fit(
        found["model"],
        {"ddm/choice": table["ddm.choice"], "ddm/response_time": table["ddm.response_time"], "ddm/variable": table["ddm.variable"]}
        | {"the.level": table["the.level"]},
        {"ddm/drift": (0.0, 3.0)},
        inputs={"shown": [0, 0]},
        depends_on={"ddm/drift": "the.level"},
        likelihood="analytical",
        intervals=None,
    )
    saved = tmp_path / "fit.csv"
    asked = [script, "--fit", str(tmp_path / "dots.csv"), "--free", "ddm.drift=0:3", "--depends-on", "ddm.drift=the.level"]
    asked += ["--likelihood", "analytical", "--intervals", "none", "-i", '{"shown": [0, 0]}', "-q", "-o", str(saved)]
    for response in ([], ["--response", "ddm.choice=ddm.choice", "--response", "ddm/response_time=ddm/response_time"]):
        assert main([*asked, *response, "--overwrite"]) == 0
        assert capsys.readouterr().err == ""
        assert {row["parameter"]: float(row["estimate"]) for row in rows(saved)} == dict(expected)
    assert set(expected) == {"ddm/drift[easy]", "ddm/drift[hard]"}


@pytest.mark.filterwarnings("ignore::cogir.FitWarning")
def test_fits_of_subjects_from_simulations(script: str, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved = tmp_path / "fit.csv"
    how = ["--subject", "subject", "--simulations", "500", "--intervals", "none", "--lapse", "0.02", "--undecided", "drop"]
    how += ["--set", "ddm.noise=1", "-i", '{"ddm": 1.0, "shown": [0, 0]}', "--free", "ddm.threshold=0.5:2"]
    assert main([script, "--fit", str(data), *RESPONSES, *how, "-o", str(saved)]) == 0
    assert "log-likelihood" in capsys.readouterr().out
    assert [row["subject"] for row in rows(saved)] == ["a", "b"]
    assert all(0.5 < float(row["estimate"]) < 2.0 for row in rows(saved))


MISTAKES = {
    "a sweep without a count": (["--sweep", "ddm.drift=0:2"], "--sweep ddm/drift=0:2: write LOW:HIGH:COUNT with a whole number of values"),
    "a sweep of words": (["--sweep", "ddm.drift=fast"], "--sweep ddm/drift: 'fast' is not a number"),
    "a sweep of nothing": (["--sweep", "ddm.drift"], "ddm.drift: error: the file cannot be read; give a table"),
    "an axis twice": (["--sweep", "ddm.drift=1", "--sweep", "ddm/drift=2"], "ddm/drift is given twice; give it once"),
    "an unknown parameter": (["--sweep", "ddm.drft=1,2"], 'there is no "ddm/drft"; did you mean "ddm/drift"?'),
    "an unknown statistic": (["--sweep", "ddm.drift=1", "--reduce", "men"], "men"),
    "statistics of nothing": (["--replicates", "3", "--reduce", "mean"], "--reduce belongs to a sweep; give its points, too"),
    "a store of nothing": (["--store", "x.zarr"], "--store belongs to a sweep"),
    "free without data": (["--free", "ddm.drift=0:1"], "--free belongs to a fit; give the data, too: --fit FILE"),
    "data without free": (["--fit", "d.csv"], "--fit: no parameter is free; give bounds"),
    "a fit and a sweep": (["--fit", "d.csv", "--free", "a=0:1", "--sweep", "a=1"], "--fit and --sweep do not go together"),
    "bounds of words": (["--fit", "d.csv", "--free", "ddm.drift=a:b"], "--free ddm/drift: 'a' is not a number"),
    "no data": (["--fit", "none.csv", "--free", "ddm.drift=0:1"], "none.csv: error: the file cannot be read: No such file or directory"),
    "a format of runs": (["--replicates", "2", "-o", "r.json"], "r.json: error: the file name must end in one of .csv, .npz, .nc"),
    "nowhere to save": (["--replicates", "2", "-o", "no/folder/r.csv"], "no/folder/r.csv: error: the file cannot be written"),
    "a name without a value": (["--fit", "d.csv", "--free", "drift"], "--free drift: write NAME=VALUE, such as --free decision.drift=0:3"),
    "replicates of less than none": (["--replicates", "-1"], "count is -1"),
    "a set parameter of a formula": (
        ["--fit", "{data}", "--free", "ddm.drift=0:1", "--set", "ddm.noise=1", "--likelihood", "analytical"],
        "--likelihood analytical takes the parameters of the model itself",
    ),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_mistakes(case: str, script: str, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments, message = MISTAKES[case]
    assert main([script, "-i", INPUTS, *(argument.replace("{data}", str(data)) for argument in arguments)]) == 1
    said = capsys.readouterr().err
    assert message in said
    assert said.count("error: ") == 1


def test_the_names_of_python_are_options() -> None:
    assert cog_run.parser().parse_args(["m.py", "--num-trials", "3"]).trials == 3
    assert run_studies.path_in("inner/node.rate") == "inner/node/rate"
    for name in ("v1.5/rate", "a:value->b:variable/matrix", "task->hidden", "stimulus", "a/state:x.y"):
        assert run_studies.path_in(name) == name


JUNK = (
    "",
    "x",
    "-1",
    "0",
    "1e999",
    "nan",
    "9" * 30,
    "[",
    "{}",
    "[]",
    "null",
    "a=",
    "=",
    "ddm",
    "ddm.drift",
    "ddm.drift=",
    "0:1",
    "\0",
    "α",
    ".",
)
VALUES = {
    "-i": (
        '{"ddm": []}',
        '{"ddm": [[1, 2]]}',
        '{"ddm": "x"}',
        "[[1]]",
        "[1, 2, 3]",
        '{"shown[left]": 1}',
        '{"ddm": {"a": 1}}',
        "{folder}/a.csv",
    ),
    "--trials": ("2", "-3", "2.5"),
    "--set": ("ddm.drift=1", "ddm.drift=[1]", "ddm.x=1", "ddm.threshold=-1"),
    "--seed": ("3", "-3", "4294967296", "18446744073709551616"),
    "--sweep": (
        "ddm.drift=0:1:0",
        "ddm.drift=0:1:3",
        "ddm.drift=[]",
        '{"ddm/drift": 1}',
        "shown=[[1]]",
        "{folder}/a.csv",
        "{folder}/b.npz",
    ),
    "--replicates": ("2", "0", "-1", "99999999999999999999"),
    "--reduce": ("mean", "mean,mean", ",", "median"),
    "--fit": ("{folder}/a.csv", "{folder}/b.npz", "{folder}"),
    "--free": ("ddm.drift=0:1", "ddm.drift=1:0", "ddm.drift=1", "ddm.drift=0:1:2:3", "x=0:1"),
    "--response": ("ddm.choice=a", "ddm.choice=b", "a=ddm.choice"),
    "--depends-on": ("ddm.drift=a", "ddm.drift=z"),
    "--likelihood": ("analytical", "kernel"),
    "--simulations": ("10", "-5"),
    "--lapse": ("0.1", "2", "0:0.1"),
    "--undecided": ("drop",),
    "--subject": ("a",),
    "--intervals": ("none", "hessian"),
    "-o": ("{folder}/o.csv", "{folder}/o.npz", "{folder}/o.nc", "{folder}/o.json", "{folder}", "/dev/full"),
    "--mode": ("python",),
    "--stage": ("machine",),
}


@pytest.mark.parametrize("count", [60, pytest.param(3000, marks=pytest.mark.full)])
@pytest.mark.filterwarnings("ignore")
def test_no_arguments_give_a_raw_error(count: int, script: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.csv").write_text("a,ddm/choice,ddm/response_time\n1,1,0.5\n2,-1,0.7\n,,\n")
    np.savez(tmp_path / "b.npz", a=[1.0, 2.0], **{"ddm/choice": [[1.0], [2.0]]})
    codes = set()
    for number in range(count):
        rng = Random(number)
        arguments = [script, "-q"] if rng.random() < 0.5 else [script]
        for option in rng.sample(sorted(VALUES), rng.randint(1, 4)):
            arguments += [option, rng.choice(VALUES[option] if rng.random() < 0.6 else JUNK).replace("{folder}", str(tmp_path))]
        try:
            codes.add(main(arguments))
        except Exception as error:
            raise AssertionError(f"{arguments}: {error!r}") from error
        said = capsys.readouterr().err
        assert said.count("error: ") <= 1, arguments
    assert codes == {0, 1}
