"""Errors and warnings point at the line of the user's that called cogir, and misspelt options get a remedy."""

# pyright: basic
import subprocess
import sys
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import cogir
from cogir import library

PACKAGE = str(Path(cogir.__file__).parent)


def decision() -> cogir.Model:
    """A model of one node, which integrates."""
    m = cogir.Model("decision")
    m.node("decision", library.drift_diffusion_integrator, noise=0.5, threshold=1.0)
    return m


def compiled() -> cogir.Compiled:
    return decision().compile(mode="python")


def unfit() -> cogir.Model:
    """A model with a condition that its text may not have."""
    m = decision()
    m.schedule.trial_ends(cogir.AtPass(1, cogir.TimeScale.TIME_STEP))
    return m


def raised(call: Callable[[], object]) -> BaseException:
    """The error of a call."""
    try:
        call()
    except (Exception, KeyboardInterrupt) as error:
        return error
    raise AssertionError("no error")


def frames(error: BaseException) -> list[str]:
    """The files of a traceback."""
    return [frame.filename for frame in traceback.extract_tb(error.__traceback__)]


CALLS: list[Callable[[], object]] = [
    lambda: decision().node("decision"),
    lambda: decision().node("other", library.logistic, gian=3),
    lambda: decision().node("other", library.logistic, gain=3, input=[]),
    lambda: decision().project("decision", "nowhere"),
    lambda: decision().run(),
    lambda: decision().rn(),
    lambda: decision()["nowhere"],
    lambda: decision()["decision"]["nowhere"],
    lambda: decision()["decision"].param("nowhere"),
    lambda: decision().schedule.trial_ends(3),
    lambda: decision().schedule.reset("nowhere", cogir.AtTrialStart()),
    lambda: decision().control("c", objective="decision", signals=[]),
    lambda: decision().compile(mode="fast"),
    lambda: decision().compile(threads=-1),
    lambda: cogir.Model(3),
    lambda: cogir.Modle,
    lambda: library.tahn,
    lambda: cogir.Always() & 3,
    lambda: cogir.Signal(3, levels=[]),
    lambda: cogir.random("seed"),
    lambda: cogir.compile("no model"),
    lambda: cogir.Model.from_ir("no model").compile(),
    lambda: cogir.from_psyneulink(3),
    lambda: compiled().run({"nowhere": [1]}),
    lambda: compiled().run({"decision": [[1]]}, num_trials=-1),
    lambda: compiled().run({"decision": [[1]]})["nowhere"],
    lambda: compiled().run({"decision": [[1]]}).unfinished["nowhere"],
    lambda: compiled().run({"decision": [[1]]}).out_of_range["nowhere"],
    lambda: compiled().replicates({"decision": [[1]]}, count=-1),
    lambda: compiled().params["decision/rat"],
    lambda: compiled().params.update({"decision/threshold": -1}),
    lambda: compiled().params.__setitem__("decision/threshold", -1),
    lambda: compiled().generators["nowhere"],
    lambda: compiled().learn({}),
    lambda: unfit().compile(),
    lambda: unfit().check(),
    lambda: cogir.AtPass(-1),
    lambda: cogir.EveryNCalls("a", 0),
    lambda: bool(cogir.Always()),
    lambda: np.array(compiled().run({"decision": [[1]]})),
]


@pytest.mark.parametrize("call", CALLS)
def test_tracebacks_end_at_the_users_line(call: Callable[[], object]) -> None:
    error = raised(call)
    assert set(frames(error)) == {__file__}
    while error.__cause__ is not None or (error.__context__ is not None and not error.__suppress_context__):
        error = error.__cause__ or error.__context__  # pyright: ignore[reportAssignmentType]
        assert not any(file.startswith(PACKAGE) for file in frames(error))


def test_a_variable_of_the_environment_asks_for_all_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COGIR_FULL_TRACEBACKS", "1")
    assert frames(raised(CALLS[0]))[-1].startswith(PACKAGE)


def test_the_frames_of_a_users_function_stay() -> None:
    def fails(x):
        raise ValueError("mine")

    error = raised(lambda: decision().node("other", fails))
    assert isinstance(error, cogir.FunctionError)
    assert isinstance(error.__cause__, ValueError)
    last = traceback.extract_tb(error.__cause__.__traceback__)[-1]
    assert (last.filename, last.name) == (__file__, "fails")


def test_the_frames_of_a_defect_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    def defect(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("cogir.frontend.builder.graph.Graph.new_name", defect)
    assert any(file.startswith(PACKAGE) for file in frames(raised(lambda: decision())))


def test_the_users_own_error_before_stays() -> None:
    def handled() -> None:
        try:
            raise KeyError("mine")
        except KeyError:
            cogir.Model(3)

    error = raised(handled)
    assert isinstance(error.__context__, KeyError)
    assert not error.__suppress_context__


def test_the_frames_of_an_error_that_the_user_handles_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    def defect(*_: object) -> None:
        raise ZeroDivisionError

    def handled() -> None:
        with monkeypatch.context() as patched:
            patched.setattr("cogir.frontend.builder.graph.Graph.new_name", defect)
            try:
                decision()
            except ZeroDivisionError as error:
                before.extend(frames(error))
                cogir.Model(3)

    before: list[str] = []
    context = raised(handled).__context__
    assert isinstance(context, ZeroDivisionError)
    assert frames(context) == before
    assert any(file.startswith(PACKAGE) for file in before)


def test_printed_tracebacks_name_the_script_alone(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text('import cogir\n\nm = cogir.Model("m")\nm.node("a")\nm.node("a")\n')
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    lines = done.stderr.splitlines()
    assert [line for line in lines if line.startswith("  File")] == [f'  File "{script}", line 5, in <module>']
    assert lines[-1] == (
        f'cogir.errors.ModelError: {script}:5: node "a": the name is already used in the model, at {script}:4; give another name, '
        "or replace=True to put this one in its place"
    )


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: decision().compile(mod="run"), 'Model.compile has no option "mod"; did you mean "mode"?'),
        (lambda: cogir.compile(decision(), specialize=True), 'compile has no option "specialize"; did you mean "specialise"?'),
        (lambda: cogir.Model("m", sede=1), 'Model has no option "sede"; did you mean "seed"?'),
        (lambda: compiled().run(trials=3), 'Compiled.run has no option "trials"; did you mean "num_trials"?'),
        (
            lambda: compiled().run(seed=3),
            'Compiled.run has no option "seed"; Compiled.replicates, Compiled.sweep, Model, Model.control, Model.node have it',
        ),
        (
            lambda: compiled().replicates(n=3),
            'Compiled.replicates has no option "n"; did you mean "count"?',
        ),
        (
            lambda: decision().compile(num_trials=3),
            'Model.compile has no option "num_trials"; Compiled.explain, Compiled.replicates, Compiled.run, Compiled.sweep have it',
        ),
        (lambda: cogir.Model.from_ir(bogus=3), 'Model.from_ir has no option "bogus"; it has module'),
        (lambda: cogir.Model.from_ir("a", bogus=3), 'Model.from_ir has no option "bogus"; it has module'),
        (lambda: compiled().learn({}, epoch=2), 'Compiled.learn has no option "epoch"; did you mean "epochs"?'),
        (lambda: decision().input(ports="decision"), 'Model.input has no option "ports"; it has none'),
    ],
)
def test_unknown_options_get_a_remedy(call: Callable[[], object], text: str) -> None:
    error = raised(call)
    assert type(error) is TypeError
    assert str(error).startswith(text)
    assert set(frames(error)) == {__file__}


def test_arguments_that_do_not_fit_otherwise_are_pythons_errors() -> None:
    error = raised(lambda: decision().check(2))
    assert type(error) is TypeError
    assert "takes 1 positional argument" in str(error)


def test_warnings_name_the_users_line() -> None:
    m = cogir.Model("m")
    node = m.node("decision", library.drift_diffusion_integrator, noise=0.0, rate=0.0, threshold=1.0, execute_until_finished=True)
    m.schedule.reset(node, cogir.AtTrialStart())
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        m.compile(mode="python").run({"decision": [[0.0]]})
    assert [(warning.category, warning.filename) for warning in found] == [(cogir.UnfinishedWarning, __file__)]


def test_signatures_and_docstrings_are_those_of_the_methods() -> None:
    import inspect

    assert "max_executions_before_finished" in inspect.signature(cogir.Model.node).parameters
    assert "execute_until_finished" in (cogir.Model.node.__doc__ or "")
    assert cogir.Model.node.__qualname__ == "Model.node"
