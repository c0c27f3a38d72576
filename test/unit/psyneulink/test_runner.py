"""
`python -m cogir.psyneulink script.py` is `python script.py`: the same output, tracebacks and exit status.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
RUNNER = ["-m", "cogir.psyneulink"]

SCRIPTS = {
    "names": """
import sys
names = {name: value for name, value in globals().items() if name.startswith("__") and name not in ("__loader__", "__spec__")}
print(names, __spec__ and __spec__.name, __loader__.get_filename())
print(sys.argv, sys.path[:2], (lambda: 0).__code__.co_filename)
print(sys.modules["__main__"].__dict__ is globals(), sorted(vars()))
""",
    "after chdir": """
import inspect, os
def f(): return "from the file"
os.chdir("/")
print(__file__, inspect.getsource(f), inspect.getfile(f), open(os.path.join(os.path.dirname(__file__), "data.txt")).read())
""",
    "error": """
def f(n):
    return f(n - 1) if n else 1 / 0
print("before", flush=True)
f(2)
""",
    "chained errors": """
try:
    {}["a"]
except KeyError as error:
    raise RuntimeError("two") from error
""",
    "error group": "raise ExceptionGroup('several', [ValueError(1), TypeError(2)])\n",
    "error with a note": "error = ValueError(1)\nerror.add_note('more')\nraise error\n",
    "syntax error": "x = = 1\n",
    "indentation": "if True:\nprint(1)\n",
    "syntax error in a module": "import broken\n",
    "error in a module": "import failing\n",
    "error that is printed": """
import traceback
try:
    1 / 0
except ZeroDivisionError:
    traceback.print_exc()
""",
    "own excepthook": """
import sys, traceback
def hook(kind, error, trace):
    print(kind.__name__, error, [frame.name for frame in traceback.extract_tb(trace)], trace is error.__traceback__ is sys.last_traceback)
sys.excepthook = hook
def f(): raise ValueError(1)
f()
""",
    "excepthook that fails": "import sys\ndef hook(*error): raise KeyError(2)\nsys.excepthook = hook\nraise ValueError(1)\n",
    "excepthook that exits": "import sys\nsys.excepthook = lambda *error: sys.exit(7)\nraise ValueError(1)\n",
    "exit status": "import sys\nsys.exit(3)\n",
    "exit text": "import sys\nsys.exit('a text')\n",
    "exit true": "raise SystemExit(True)\n",
    "exit without": "print('x', end='')\nexit()\n",
    "exit at once": "import os\nos._exit(5)\n",
    "aborted": "import os\nos.abort()\n",
    "Ctrl-C": "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\nfor _ in range(10**9): pass\n",
    "Ctrl-C, own hook": "import sys\nsys.excepthook = lambda *error: print('hook', error[0].__name__)\nraise KeyboardInterrupt\n",
    "Ctrl-C, caught": """
import os, signal
try:
    os.kill(os.getpid(), signal.SIGINT)
    for _ in range(10**9): pass
except KeyboardInterrupt:
    print("caught")
""",
    "terminated": "import os, signal\nos.kill(os.getpid(), signal.SIGTERM)\nfor _ in range(10**9): pass\n",
    "at exit": """
import atexit, pickle, sys
class Point: pass
VALUE = 3
def last():
    import __main__
    print(__main__.VALUE, "__file__" in globals(), type(pickle.loads(pickle.dumps(Point()))) is Point, VALUE)
atexit.register(last)
raise ValueError("before the end")
""",
    "deleted at exit": "class A:\n    def __del__(self): print('deleted')\na = A()\n",
    "a thread that goes on": """
import threading, time
def later():
    threading.main_thread().join()
    import __main__
    print(__main__.VALUE)
VALUE = 5
threading.Thread(target=later).start()
""",
    "error in a thread": """
import threading
def f(): 1 / 0
thread = threading.Thread(target=f, name="t")
thread.start()
thread.join()
""",
    "warnings": """
import warnings
warnings.warn("of the script")
warnings.warn("old", DeprecationWarning)
def f(): warnings.warn("of the caller", stacklevel=2)
f()
""",
    "warnings as errors": "import warnings\nwarnings.simplefilter('error')\nwarnings.warn('of the script')\n",
    "pickled by name": """
import pickle
class A: pass
print(pickle.dumps(A, 0), pickle.loads(pickle.dumps(A)) is A)
""",
    "forked": """
import os
pid = os.fork()
if pid == 0:
    raise ValueError("child")
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
""",
    "spawned": """
import multiprocessing as m
def double(x): return 2 * x, __name__
if __name__ == "__main__":
    for method in ("spawn", "forkserver"):
        with m.get_context(method).Pool(1) as pool: print(pool.map(double, [1, 2]))
""",
    "executors": """
from concurrent.futures import ProcessPoolExecutor
import multiprocessing as m
def half(x): return 1 / x
if __name__ == "__main__":
    with ProcessPoolExecutor(1, mp_context=m.get_context("spawn")) as pool: print(list(pool.map(half, [2.0])))
""",
    "relative import": "from . import failing\n",
    "data class and annotations": """
from __future__ import annotations
import dataclasses, typing
@dataclasses.dataclass
class A:
    x: int
    y: typing.Optional[A] = None
print(A(1), typing.get_type_hints(A), __annotations__)
""",
    "latin": "# -*- coding: latin-1 -*-\nprint(ascii('\u00e4'))\n",
    "lines end as on Windows": "x = '''a\r\nb'''\r\nprint(repr(x))\r\n",
    "standard input": "print(input(), input())\n",
    "no shadows": "print('cogir_is_imported_by_name' in dir(), [name for name in dir() if 'cogir' in name])\n",
    "names of its own": "main = run_script = status = 1\nimport failing_not\n",
    "profiled": """
import sys
seen = []
sys.setprofile(lambda frame, kind, arg: seen.append(frame.f_code.co_name))
(lambda: 0)()
sys.setprofile(None)
print(seen)
""",
    "debugged": "import sys\nprint(sys.gettrace(), sys.getprofile(), sys.getrecursionlimit(), sys.getswitchinterval())\n",
    "no PsyNeuLink": "import sys\nprint([name for name in ('psyneulink', 'torch', 'matplotlib') if name in sys.modules])\n",
}


def outcome(arguments: list[str], folder: Path) -> "subprocess.Popen[bytes]":
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    pipe = subprocess.PIPE
    return subprocess.Popen([sys.executable, *arguments], cwd=folder, env=environment, stdin=pipe, stdout=pipe, stderr=pipe)


def compare(folder: Path, *arguments: str, before: tuple[str, ...] = ()) -> None:
    """Compares what Python and the runner print, and their exit status."""
    running = [outcome([*before, *runner, *arguments], folder) for runner in ([], RUNNER)]
    (plain, trace), (found, found_trace) = (one.communicate(b"a line\nanother\n") for one in running)
    assert found_trace.decode() == trace.decode()
    assert found.decode() == plain.decode()
    assert running[1].returncode == running[0].returncode


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "data.txt").write_text("some data")
    (tmp_path / "inner" / "broken.py").write_text("def f(:\n")
    (tmp_path / "inner" / "failing.py").write_text("def f(): 1 / 0\nf()\n")
    return tmp_path


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_runs_as_by_python(name: str, folder: Path) -> None:
    (folder / "inner" / "script.py").write_bytes(SCRIPTS[name].encode("latin-1"))
    compare(folder, "inner/script.py", "--mode=x", "-m", "b c")


@pytest.mark.parametrize("path", ["./script.py", "../inner/script.py", "link.py", "absolute"])
def test_paths_are_those_of_python(path: str, folder: Path) -> None:
    inner = folder / "inner"
    (inner / "script.py").write_text(SCRIPTS["names"] + SCRIPTS["error"])
    (folder / "link.py").symlink_to("inner/script.py")
    compare(folder if path == "link.py" else inner, path if path != "absolute" else str(inner / "script.py"))


@pytest.mark.parametrize("flags", [("-W", "error"), ("-O",), ("-P",), ("-B", "-u"), ("-X", "dev"), ("-i",)])
def test_flags_of_python_count(flags: tuple[str, ...], folder: Path) -> None:
    text = "import sys\nprint(sys.flags, sys.warnoptions, len(sys.path))\nassert False\n1 / 0\n"
    (folder / "script.py").write_text(text)
    compare(folder, "script.py", before=flags)


def test_modules_run_as_by_python(folder: Path) -> None:
    (folder / "script.py").write_text(SCRIPTS["names"].replace("[:2]", "[:1]"))
    compare(folder, "-m", "script", "a", "-b")
    compare(folder, "-m", "no_such_module")
    compare(folder, "-m", "inner.failing")


def test_compiled_files_run_as_by_python(folder: Path) -> None:
    (folder / "script.py").write_text(SCRIPTS["names"] + SCRIPTS["error"])
    subprocess.run([sys.executable, "-c", "import py_compile; py_compile.compile('script.py', 'code.pyc')"], cwd=folder, check=True)
    compare(folder, "code.pyc")


ACCELERATED = """
import sys, multiprocessing as m
sys.path.insert(0, {root!r})
import psyneulink as pnl

def settings(_):
    from cogir.psyneulink.accelerate import _active
    return [(one.mode, one.strict) for one in _active]

if __name__ == "__main__":
    print(settings(0))
    for method in ("spawn", "forkserver", "fork"):
        with m.get_context(method).Pool(1) as pool: print(pool.map(settings, [1]))
"""


def test_processes_of_a_script_are_accelerated(folder: Path) -> None:
    (folder / "script.py").write_text(ACCELERATED.format(root=str(ROOT)))
    found = outcome([*RUNNER, "--mode=LLVMExec", "script.py"], folder)
    written, trace = (text.decode() for text in found.communicate())
    assert trace == ""
    assert written.splitlines() == ["[('llvmexec', False)]"] + 3 * ["[[('llvmexec', False)]]"]


NOTEBOOK = """
from cogir.psyneulink import accelerate as module, load_ipython_extension, unload_ipython_extension
import sys
from cogir.psyneulink.accelerate import _active
load_ipython_extension(None)
load_ipython_extension(None)
print(len(_active), "psyneulink" in sys.modules)
import psyneulink
print(len(_active))
unload_ipython_extension(None)
print(len(_active), [finder for finder in sys.meta_path if type(finder).__name__ == "Imports"])
load_ipython_extension(None)
print(len(_active))
"""


def test_a_notebook_is_accelerated_by_its_extension(folder: Path) -> None:
    (folder / "script.py").write_text(NOTEBOOK)
    found = outcome(["script.py"], folder)
    written, trace = (text.decode() for text in found.communicate())
    assert trace == ""
    assert written.splitlines() == ["0 False", "1", "0 []", "1"]


UNDER_ERRORS = """
import warnings
with warnings.catch_warnings():
    warnings.simplefilter("default")
    import psyneulink as pnl
c = pnl.Composition(name="C", nodes=[pnl.TransferMechanism(name="A")])
print(c.run({"A": [[2.0]]}, call_after_pass=lambda: None), c.run({"A": [[3.0]]}))
"""


def test_general_filters_of_errors_stop_no_script(folder: Path) -> None:
    """Neither a fallback, nor what is imported to compile, which has warnings of its own."""
    (folder / "script.py").write_text(UNDER_ERRORS)
    running = [outcome(["-W", "error", *before, "script.py"], folder) for before in ([], [*RUNNER, "--short-runs=native"])]
    (plain, trace), (found, found_trace) = (one.communicate() for one in running)
    assert (found, running[1].returncode) == (plain, 0)
    said = found_trace.decode().removeprefix(trace.decode())
    assert said.startswith(f"{folder}/script.py:7: FallbackWarning: Composition 'C': run() is called with call_after_pass")
