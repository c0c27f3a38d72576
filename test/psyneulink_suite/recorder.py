"""
A plugin of pytest that records the calls of PsyNeuLink's tests: `pytest -p psyneulink_suite.recorder --record FILE [--accelerated] ...`

With `--accelerated` the whole session is within `cogir.psyneulink.accelerate()`. Tests give `execution_mode=ExecutionMode.Python`, which
really is PsyNeuLink's Python mode; it is left out of the outermost run or execute there, or nothing would be native.
"""

from __future__ import annotations

import functools
import inspect
import re
import signal
import sys
import traceback
import warnings
import zlib
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import psyneulink as pnl
import pytest
from psyneulink.core.components.functions.function import Function_Base
from psyneulink.core.globals.context import Context

from psyneulink_suite.held import held
from psyneulink_suite.plain_data import plain
from psyneulink_suite.records import Call, RecordedTest, append

KINDS = ("run", "execute", "learn", "evaluate")
CALLS = re.compile(r"\b(run|execute|learn|evaluate|evaluate_agent_rep|log_likelihood|validate|helper_func|benchmark)\(")
"""How tests run something, by themselves or by what they call; the others are left out."""
LONGEST = 300
"""Seconds that a test may take."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--record", type=Path, help="the file to which tests are written")
    parser.addoption("--accelerated", action="store_true", help="run within cogir.psyneulink.accelerate()")
    parser.addoption("--share", default="0/1", help="i/n: tests whose name has a checksum that leaves i when divided by n")
    parser.addoption("--only", type=Path, help="a file with the names of tests to run")


class Numbers:
    """
    Components numbered in the order of their creation within a test, by which they are hashed.

    PsyNeuLink walks through sets of components, targets of learning for one, whose order would follow from addresses in memory and differ
    from process to process. Functions are not numbered: PsyNeuLink makes some as it runs.
    """

    def __init__(self) -> None:
        self.next = 0
        self.of: dict[int, int] = {}
        """By `id`."""

    def watch(self) -> None:
        """Numbers all components from now on."""

        def made(kind: type[Any], *_: Any, **__: Any) -> Any:
            component = object.__new__(kind)
            if not issubclass(kind, Function_Base):
                self.of[id(component)] = self.next
                self.next += 1
            return component

        def number(component: Any) -> int:
            return self.of.get(id(component), id(component)) if not isinstance(component, Function_Base) else object.__hash__(component)

        for method in (made, number):
            vars(method)["accelerates"] = True  # cogir knows by it that no user has replaced a method
        pnl.Component.__new__ = made
        pnl.Component.__hash__ = number


class Recorder:
    """The test that runs, and the call that it makes."""

    def __init__(self, path: Path, accelerated: bool):
        self.path, self.accelerated = path, accelerated
        self.test: RecordedTest | None = None
        """The test that is set up, called or torn down."""
        self.is_called = False
        """True while the test itself runs, not its fixtures."""
        self.call: Call | None = None
        """The outermost call; None outside of one."""
        self.numbers = Numbers()

    def watch(self) -> None:
        """Puts the recording methods in the place of PsyNeuLink's."""
        if self.accelerated:
            self.watch_cogir()
        self.numbers.watch()
        for kind in KINDS:
            setattr(pnl.Composition, kind, self.recording(kind, getattr(pnl.Composition, kind)))
        warnings.warn, warnings.warn_explicit = self.warning(warnings.warn), self.explicit_warning(warnings.warn_explicit)

    def watch_cogir(self) -> None:
        """Accelerates, and notices what is native and what is said."""
        import cogir.psyneulink
        from cogir.psyneulink import fallback, native_calls
        from cogir.psyneulink.execution import nested
        from cogir.psyneulink.execution.call_arguments import NativeCall
        from cogir.psyneulink.learning.llvm_mode import CompiledSession
        from cogir.psyneulink.learning.pytorch_mode import LearningSession

        cogir.psyneulink.accelerate()
        accelerate = sys.modules["cogir.psyneulink.accelerate"]  # the package has a function of that name
        tell = fallback.warn_once

        def told(composition: Any, message: str, *so: str) -> None:
            if self.call is not None:
                self.call.reasons.append(message)
                self.call.parts += bool(so)  # the trials before were native
            tell(composition, message, *so)

        accelerate.warn_once = native_calls.warn_once = told
        NativeCall.run = self.noticed(NativeCall.run, native=True)
        nested.execute = self.noticed(nested.execute, native=False)
        LearningSession.learn = self.noticed(LearningSession.learn, native=True)
        CompiledSession.learn = self.noticed(CompiledSession.learn, native=True)

    def noticed(self, original: Callable[..., Any], native: bool) -> Callable[..., Any]:
        """A function of cogir whose completed calls are noticed: as native calls, or as native parts of a call."""

        @functools.wraps(original)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            returned = original(*args, **kwargs)
            if self.call is not None and native:
                self.call.native = True
            elif self.call is not None:
                self.call.parts += 1
            return returned

        return wrapper

    def warning(self, original: Callable[..., None]) -> Callable[..., None]:
        """`warnings.warn`, which notices what is said to the user, but for what cogir says."""

        @functools.wraps(original)
        def warn(message: Any, category: Any = None, stacklevel: int = 1, source: Any = None, **options: Any) -> None:
            self.warned(message, category)
            original(message, category, stacklevel + 1, source, **options)

        return warn

    def explicit_warning(self, original: Callable[..., None]) -> Callable[..., None]:
        """`warnings.warn_explicit`, by which cogir gives PsyNeuLink's warnings at PsyNeuLink's lines."""

        @functools.wraps(original)
        def warn_explicit(message: Any, category: Any, *args: Any, **options: Any) -> None:
            self.warned(message, category)
            original(message, category, *args, **options)

        return warn_explicit

    def warned(self, message: Any, category: Any) -> None:
        """Notes a warning."""
        kind = type(message) if isinstance(message, Warning) else category or UserWarning
        if self.call is not None and issubclass(kind, UserWarning) and not kind.__module__.startswith("cogir"):
            self.call.warned.append((kind.__name__, plain(str(message))))

    def recording(self, kind: str, original: Callable[..., Any]) -> Callable[..., Any]:
        """A method of Composition whose outermost calls are recorded."""

        @functools.wraps(original)
        def method(composition: Any, *args: Any, **kwargs: Any) -> Any:
            if not self.is_called or self.test is None or self.call is not None:
                return original(composition, *args, **kwargs)
            if self.accelerated and kind in ("run", "execute") and kwargs.get("execution_mode") is pnl.ExecutionMode.Python:
                del kwargs["execution_mode"]
            key = execution_id(composition, kind, kwargs.get("context"))
            count = len(results(composition, key))
            call = self.call = Call(kind)
            self.test.calls.append(call)
            try:
                returned = original(composition, *args, **kwargs)
                call.returned = plain(returned)
                return returned
            except BaseException as error:
                call.raised = type(error).__name__, plain(str(error))
                raise
            finally:
                self.call = None
                look(call, composition, key, count)

        vars(method)["accelerates"] = True  # see above
        return method

    # What pytest calls

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        self.test, self.call, self.numbers.next = RecordedTest(item.nodeid), None, 0
        try:
            return (yield)
        finally:
            append(self.path, self.test)
            self.test = None

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self) -> Generator[None, Any, Any]:
        def stop(*_: Any) -> None:
            raise RuntimeError(f"the test takes longer than {LONGEST} seconds")

        signal.signal(signal.SIGALRM, stop)
        signal.alarm(LONGEST)
        self.is_called = True
        try:
            return (yield)
        finally:
            self.is_called = False
            signal.alarm(0)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if self.test is not None and (report.when == "call" or report.outcome != "passed"):
            expected = " as expected" if hasattr(report, "wasxfail") else ""
            self.test.outcome, self.test.seconds = report.outcome + expected, report.duration
            self.test.why = str(report.longrepr)[-2000:] if report.failed else ""


def execution_id(composition: Any, kind: str, context: Any) -> Any:
    """The execution context of a call, from what it is given as `context`."""
    if context is None:
        return None if kind == "evaluate" else composition.default_execution_id
    return context.execution_id if isinstance(context, Context) else getattr(context, "default_execution_id", context)


def results(composition: Any, key: Any) -> list[Any]:
    """The results of a Composition in an execution context."""
    found = composition.parameters.results.values.get(key)
    return [] if found is None else list(found)


def look(call: Call, composition: Any, key: Any, count: int) -> None:
    """Adds what a call has left behind; `count`: the results that there were before."""
    try:
        found = results(composition, key)
        call.results = plain(found[count:] if len(found) >= count else found)
        call.held = held(composition, key)
    except Exception:
        call.not_recorded = traceback.format_exc()[-1500:]


def runs_something(item: pytest.Item) -> bool:
    """True if the source of a test calls what runs a Composition."""
    if {"mech_mode", "func_mode"} & set(item.fixturenames):  # Mechanisms and Functions, called alone
        return False
    try:
        return bool(CALLS.search(inspect.getsource(item.function).partition(":")[2]))
    except OSError:
        return True


def pytest_configure(config: pytest.Config) -> None:
    path = config.getoption("--record")
    recorder = Recorder(path, config.getoption("--accelerated"))
    recorder.watch()
    config.pluginmanager.register(recorder)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out PsyNeuLink's compiler, what runs no Composition, and the tests of other shares."""
    remainder, divisor = map(int, config.getoption("--share").split("/"))
    only = config.getoption("--only")
    names = None if only is None else set(only.read_text().splitlines())
    items[:] = [
        item
        for item in items
        if zlib.crc32(item.nodeid.encode()) % divisor == remainder
        and (item.nodeid in names if names is not None else not {"llvm", "cuda"} & set(item.keywords) and runs_something(item))
    ]
