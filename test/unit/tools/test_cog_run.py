"""`cog-run`: models from text and Python, inputs and results as files, and one clear line for every mistake."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import cogir
from cogir import library
from cogir.tools import cog_translate, slow_runs
from cogir.tools.cog_run import main

ENDLESS = """
cog.model @m {
  cog.node @a (%in: f64) states(%n: f64 = 0.0) -> (value: f64 = 0.0) {
    %one = arith.constant 1.0 : f64
    %two = arith.constant 2.0 : f64
    %next = arith.addf %n, %one : f64
    %last = scf.while (%x = %n) : (f64) -> f64 {
      %more = arith.cmpf oge, %x, %two : f64
      scf.condition(%more) %x : f64
    } do {
    ^bb0(%y: f64):
      scf.yield %y : f64
    }
    cog.yield %last states(%next)
  }
  cog.input @a
  cog.output @a
}
"""
"""A model whose third trial never ends."""

SCRIPT = """
import cogir
from cogir import library


def build():
    m = cogir.Model("small")
    a = m.node("a", input=2)
    b = m.node("b c", library.linear, input=2, slope=2.0)
    n = m.node("n", library.psyneulink.gaussian_distort, input=2, variance=0.0, seed=1, prng="mt19937")
    m.project(a, b)
    m.project(b, n)
    m.output(b, n)
    return m


model = build()
number = 3
"""


@pytest.fixture
def script(tmp_path: Path) -> str:
    path = tmp_path / "small_model.py"
    path.write_text(SCRIPT)
    return str(path)


@pytest.fixture
def text(tmp_path: Path) -> str:
    m = cogir.Model("small")
    m.project(m.node("a", input=2), m.node("b", library.linear, input=2, slope=2.0))
    path = tmp_path / "small.mlir"
    path.write_text(str(m.ir()))
    return str(path)


def lines(capsys: pytest.CaptureFixture[str]) -> list[list[str]]:
    return [line.split() for line in capsys.readouterr().out.splitlines()]


def test_a_table_of_results(script, capsys):
    assert main([script, "--inputs", '{"a": [[1, 2], [3, 4]]}', "--trials", "3"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[0].split("  ")[-1] == "n/value[1]"
    assert [line.split() for line in shown[1:]] == [["0", "2", "4", "2", "4"], ["1", "6", "8", "6", "8"], ["2", "2", "4", "2", "4"]]


@pytest.mark.parametrize("how", [["--mode", "python"], ["--mode", "exec"], ["--stage", "cog"], ["--stage", "machine"], ["--math", "libm"]])
def test_ways_of_running(how, text, capsys):
    assert main([text, "--inputs", "[[1.0, 2.0]]", *how]) == 0
    assert lines(capsys)[1] == ["0", "2", "4"]


def test_parameters_and_seeds(script, capsys):
    arguments = [script + ":build", "--inputs", "[[0, 0]]", "--set", "b c.slope=5", "--set", "n.variance=1", "--seed", "9"]
    assert main(arguments) == 0
    draws = np.random.RandomState([9]).standard_normal(2)
    assert lines(capsys)[1][3:] == [f"{value:.8g}" for value in draws]


@pytest.mark.parametrize("written", ["nan", "NaN", "inf", "-inf", "-Infinity"])
def test_parameters_that_are_not_finite(written, script, capsys):
    assert main([script + ":build", "--inputs", "[[1, 1]]", "--set", f"b c.slope={written}"]) == 0
    assert lines(capsys)[1][1] == str(float(written))


def test_parameters_below_an_instance(tmp_path, capsys):
    path = tmp_path / "outer.py"
    path.write_text(f"{SCRIPT}\nouter = cogir.Model('outer')\nouter.instance('inner', build())\n")
    assert main([f"{path}:outer", "--inputs", "[[1, 1]]", "--set", "inner/b c.slope=7"]) == 0
    assert lines(capsys)[1][1] == "7"


def test_long_runs_are_cut(script, capsys):
    assert main([script, "--trials", "30"]) == 0
    assert lines(capsys)[-1][:4] == ["...", "10", "more", "trials"]
    assert main([script, "--trials", "30", "--all"]) == 0
    assert len(lines(capsys)) == 31


@pytest.mark.parametrize("kind", ["json", "csv", "npz"])
def test_inputs_and_results_as_files(kind, script, tmp_path, capsys):
    trials = np.array([[1.0, 2.0], [3.0, 4.5]])
    given = tmp_path / f"inputs.{kind}"
    if kind == "json":
        given.write_text(json.dumps({"a": trials.tolist()}))
    elif kind == "csv":
        given.write_text("a[0],a[1]\n1.0,2.0\n3.0,4.5\n")
    else:
        np.savez(given, a=trials)
    saved = tmp_path / f"results.{kind}"
    assert main([script, "-i", str(given), "-o", str(saved), "-q"]) == 0
    assert capsys.readouterr().out == ""
    if kind == "json":
        values = np.array(json.loads(saved.read_text())["b c/value"])
    elif kind == "csv":
        rows = [line.split(",") for line in saved.read_text().splitlines()]
        assert rows[0] == ["b c/value[0]", "b c/value[1]", "n/value[0]", "n/value[1]"]
        values = np.array([[float(cell) for cell in row[:2]] for row in rows[1:]])
    else:
        values = np.load(saved)["b c/value"]
    assert np.array_equal(values, 2.0 * trials)


MISTAKES = {
    "no such file": (["nothing.mlir"], "nothing.mlir: error: the file cannot be read: No such file or directory"),
    "no such script": (["nothing.py"], "nothing.py: error: the file cannot be read: there is no such file"),
    "no model": (["model.txt"], "error: 'model.txt' is not a model; give a file .mlir or .py, or module:name"),
    "no such name": (["{script}:modle"], "small_model.py: error: it defines no `modle`"),
    "not a model": (["{script}:number"], "small_model.py: error: `number` is a int; a cogir.Model is required"),
    "no such module": (["no_such_module:build"], "no_such_module: error: ModuleNotFoundError: No module named 'no_such_module'"),
    "unknown parameter": (["{script}", "--set", "n.varience=1"], 'error: parameter: there is no "n/varience"; did you mean "n/variance"?'),
    "bad setting": (
        ["{script}", "--set", "n"],
        "error: --set n: write NODE.PARAM=VALUE, such as decision.rate=2.0, and INSTANCE/NODE.PARAM=VALUE",
    ),
    "setting that is nothing": (
        ["{script}", "--set", "n.variance=null"],
        "error: parameter n/param:variance: found None, which is not a number",
    ),
    "setting that is no number": (["{script}", "--set", "n.variance=high"], "error: --set n.variance=high: 'high' is not a number"),
    "unknown input": (["{script}", "-i", '{"aa": [[1, 2]]}'], 'error: inputs: there is no "aa"; did you mean "a"?'),
    "input of a wrong shape": (
        ["{script}", "-i", '{"a": [[1, 2, 3]]}'],
        "error: inputs: a has shape (2,), but the values have shape (1, 3)",
    ),
    "inputs that are no numbers": (["{script}", "-i", '{"a": [["x", 2]]}'], "error: inputs: the values for a are not an array of numbers"),
    "bad JSON": (["{script}", "-i", '{"a": [1,}'], "--inputs:1:10: error: not valid JSON"),
    "a name of JSON twice": (
        ["{script}", "-i", '{"a": [[1, 2]], "a": [[3, 4]]}'],
        '--inputs: error: "a" is given twice; give it once, with all its trials in one list',
    ),
    "unknown format": (["{script}", "-i", "inputs.txt"], "inputs.txt: error: the inputs cannot be read; give a file .json, .csv, .npz"),
    "too few trials": (["{script}", "-n", "-2"], "error: run: num_trials is -2; give a whole number, 0 or more"),
    "nowhere to save": (
        ["{script}", "-n", "1000000000000", "-o", "no/such/folder/r.npz"],
        "no/such/folder/r.npz: error: the file cannot",
    ),
    "both mode and stage": (["{script}", "--mode", "run", "--stage", "cf"], "error: give either --mode or --stage, not both"),
    "a parameter given twice": (
        ["{script}", "--set", "b c.slope=1", "--set", "b c/slope=2"],
        "error: --set b c/slope=2: the parameter is already given, as b c.slope=1; give it once",
    ),
    "unknown option": (["{script}", "--trails", "3"], "error: unrecognized arguments: --trails 3; did you mean '--trials'?"),
    "no such optimisation": (["{script}", "--without", "factor"], "error: pipeline: 'factor' is not an optimisation that can be left out"),
    "bad choice": (["{script}", "--mode", "fast"], "error: argument -m/--mode: invalid choice: 'fast'"),
    "unknown format of results": (
        ["{script}", "-o", "results.txt"],
        "results.txt: error: the file name must end in one of .json, .csv, .npz",
    ),
    "seed out of range": (["{script}", "--seed", "-1"], "error: "),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_mistakes(case, script, capsys):
    arguments, message = MISTAKES[case]
    assert main([argument.format(script=script) if "{script}" in argument else argument for argument in arguments]) == 1
    said = capsys.readouterr().err
    assert message in said
    assert message.startswith("error: ") <= said.startswith("error: ")
    assert said.count("error: ") == 1
    assert said.count("\n") in (1, 3)  # with the line and a caret, if the place is known


SCRIPTS = {
    "an error of the script": ("x = 1 / 0\n", ":1:1: error: ZeroDivisionError: division by zero"),
    "bad syntax": ("def build(:\n", ":1:11: error: SyntaxError: invalid syntax"),
    "nothing defined": ("x = 1\n", "error: it defines neither `model` nor `build()`"),
    "an error of the builder": (
        "import cogir\nm = cogir.Model()\nm.node('a')\nm.project('a', 'b')\n",
        'bad.py:4:1: error: project: the model has no node "b"; there is "a"',
    ),
    "an exit": ("import sys\nsys.exit(3)\n", "bad.py:2:1: error: the script calls exit(3); put code that does not build the model under"),
    "an error in build": ("def build():\n    return nonsense\n", ":2:1: error: NameError: name 'nonsense' is not defined"),
}


@pytest.mark.parametrize("case", SCRIPTS)
def test_mistakes_in_scripts(case, tmp_path, capsys):
    source, message = SCRIPTS[case]
    path = tmp_path / "bad.py"
    path.write_text(source)
    assert main([str(path)]) == 1
    said = capsys.readouterr().err
    assert message in said
    assert said.count("error: ") == 1
    assert said.count("\n") in (1, 3)  # with the line and a caret, if the place is known


CSV = {
    "no numbers": ("a[0],a[1]\n", "a line of names and at least one line of numbers are required"),
    "semicolons": ("a[0];a[1]\n1;2,5\n", ":1:1: error: the columns are separated by ';'; separate them by commas, and write numbers"),
    "a word": ("a[0],a[1]\n1,x\n", ":2:1: error: column 2 contains 'x'; a number is required"),
    "a short line": ("a[0],a[1]\n1\n", ":2:1: error: column 2 contains nothing; a number is required"),
    "a long line": (
        "a[0],a[1]\n1,2\n0,5,1,5\n",
        ":3:1: error: the line has 4 values, but there are 2 names; give each value a column, and write numbers",
    ),
    "names that come late": ("\na[0],a[1]\n1,2\n", ":2:1: error: the line has 2 values, but there are 0 names"),
    "a column twice": ("a,a\n5,7\n", ":1:1: error: two columns are called a; leave one out"),
    "a missing element": ("a[1]\n1\n", ':1:1: error: inputs: the file has no column for "a/variable[0]"; give a column for each element'),
}


@pytest.mark.parametrize("case", CSV)
def test_mistakes_in_csv(case, script, tmp_path, capsys):
    content, message = CSV[case]
    path = tmp_path / "inputs.csv"
    path.write_text(content)
    assert main([script, "-i", str(path)]) == 1
    assert message in capsys.readouterr().err


def test_what_is_no_npz(script, tmp_path, capsys):
    path = tmp_path / "inputs.npz"
    path.write_bytes(b"junk")
    assert main([script, "-i", str(path)]) == 1
    assert capsys.readouterr().err == f"{path}: error: the file is not a .npz archive; write it with numpy.savez\n"
    np.savez(path, a=np.array([None, {}], dtype=object))
    assert main([script, "-i", str(path)]) == 1
    assert "the archive is damaged, or contains other data than arrays of numbers" in capsys.readouterr().err
    assert main([script, "-i", str(tmp_path / "none.npz")]) == 1
    assert "none.npz: error: the file cannot be read: No such file or directory" in capsys.readouterr().err


@pytest.mark.parametrize("mode", ["run", "python"])
def test_finished_trials_are_saved_when_the_run_is_interrupted(mode, tmp_path, capsys):
    text = tmp_path / "endless.mlir"
    text.write_text(ENDLESS)
    saved = tmp_path / "results.npz"
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, 2.0)
    try:
        assert main([str(text), "-n", "5", "--mode", mode, "-o", str(saved)]) == 130
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
    assert "interrupted after 2 of 5 trials" in capsys.readouterr().err
    assert np.load(saved)["a/value"].tolist() == [0.0, 1.0]


UNTIL = """
import cogir
from cogir import library

m = cogir.Model("m")
m.node("a", library.drift_diffusion_integrator, threshold=1.0, execute_until_finished=True, max_executions_before_finished=2**63 - 1)
model = m
"""
"""A model that never ends its first trial where its input is zero."""


@pytest.mark.parametrize("mode", ["run", "python"])
def test_a_run_that_takes_long_says_why(mode, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(slow_runs, "NOTICE_SECONDS", 0.2)
    script = tmp_path / "until.py"
    script.write_text(UNTIL)
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, 1.5)
    try:
        assert main([str(script), "--mode", mode]) == 130
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
    assert capsys.readouterr().err.splitlines() == [
        f'still in trial 0 after 0.2 s; node "a" repeats until it has finished, up to {2**63 - 1} times: '
        "--set a/limit:executions=1000 lowers this limit; "
        "no --inputs were given, so all inputs are zeros; Ctrl-C stops the run and keeps the finished trials",
        "error: run: interrupted after 0 of 1 trial",
    ]
    assert main([str(script), "--mode", mode, "--set", "a/limit:executions=5"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("depth", [3000])
def test_models_that_are_nested_too_deeply(depth, tmp_path, capsys):
    path = tmp_path / "deep.mlir"
    path.write_text("cog.model @m {\n" * depth + "}\n" * depth)
    for tool in (main, cog_translate.main):
        assert tool([str(path)]) == 1
        assert capsys.readouterr().err == "error: the input is nested too deeply\n"


def test_help_shows_examples(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    assert "cog-run model.py --inputs trials.csv --save results.npz" in capsys.readouterr().out


def test_a_cached_model_loads_no_passes(script, tmp_path):
    """Loading all passes takes longer than everything else that such a run does."""
    code = (
        "import sys; from cogir.tools.cog_run import main; main([sys.argv[1], '-q', '-i', '[[1.0, 2.0]]']); "
        "print([name for name in sys.modules if name.startswith(('cogir.lowering', 'cogir.transforms', 'pandas', 'scipy'))])"
    )
    environment = {**os.environ, "COGIR_CACHE_DIR": str(tmp_path / "cache")}
    command = [sys.executable, "-c", code, script]
    first, second = (subprocess.run(command, capture_output=True, text=True, env=environment, check=True).stdout for _ in range(2))
    assert "cogir.lowering.pipeline" in first
    assert second == "[]\n"


def test_warnings_are_messages_of_the_tool(tmp_path):
    path = tmp_path / "model.py"
    path.write_text(UNTIL.replace("2**63 - 1", "3"))
    command = [sys.executable, "-m", "cogir.tools.cog_run", str(path), "-n", "2", "-q"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stderr.splitlines()
    assert [line for line in said if line.startswith("warning: ")] == said
    assert any('node "a": 2 of 2 trials were cut off after 3 executions' in line and line.endswith(" [UnfinishedWarning]") for line in said)
