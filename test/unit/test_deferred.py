"""What is deferred until it is needed means the same: formats of operations, methods of dataclasses."""

import dataclasses
import inspect
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, i64
from xdsl.dialects.test import Test
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, operations, result_def
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError

from cogir.deferred import ADDER, WRITER, formats_read_when_needed, methods_written_when_called, preparations_deferred


def operation(text: str) -> type[IRDLOperation]:
    """A new operation with this format."""

    @irdl_op_definition
    class TwiceOp(IRDLOperation):
        name = "test.twice"
        value = operand_def(i64)
        result = result_def(i64)
        assembly_format = text

    return TwiceOp


def printed(kind: type[IRDLOperation]) -> str:
    """A module with such an operation, parsed and printed again."""
    context = Context()
    context.load_dialect(Builtin)
    context.load_dialect(Test)
    context.load_op(kind)
    return str(Parser(context, '%x = "test.op"() : () -> i64\n%y = test.twice %x {a = 1 : i64}').parse_module())


def test_text_is_the_same():
    with formats_read_when_needed():
        late = operation("$value attr-dict")
    assert late.get_irdl_definition().assembly_format == "$value attr-dict"
    assert printed(late) == printed(operation("$value attr-dict"))


def test_a_wrong_format_is_told_when_it_is_read():
    with formats_read_when_needed():
        late = operation("$valve attr-dict")
    with pytest.raises(ParseError, match="valve"):
        printed(late)


def test_afterwards_xdsl_is_as_before():
    before = operations.get_accessors_from_op_def
    with pytest.raises(ValueError, match="no"), formats_read_when_needed():
        raise ValueError("no")
    assert operations.get_accessors_from_op_def is before


def test_compiling_a_model_reads_no_format():
    script = """
import cogir
from xdsl.irdl import declarative_assembly_format as formats
formats.FormatProgram.from_str = None
model = cogir.Model("m")
model.node("n", cogir.library.logistic, input=1)
model.compile(cache=False).run({"n": [[0.5]]})
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


KINDS = {"plain": {}, "frozen": {"frozen": True}, "slots": {"frozen": True, "slots": True}, "ordered": {"order": True}}


def record(**options: Any) -> type:
    """A class with two fields, and one derived from it with a third."""

    @dataclasses.dataclass(**options)
    class Base:
        a: int
        b: str = "b"

    @dataclasses.dataclass(**options)
    class Derived(Base):
        c: float = 0.5

    return Derived


def shown(value: Callable[[], Any]) -> Any:
    """What a call gives, or which error."""
    try:
        return str(value()).replace("test_deferred.", "")
    except Exception as error:
        return type(error).__name__, str(error)


def behaviour(kind: Any) -> list[Any]:
    """What can be seen of a class and its objects."""
    one, same, other = kind(1), kind(1, "b", 0.5), kind(2, c=0.25)
    base = kind.__mro__[1]

    def change() -> None:
        one.a = 3

    def remove() -> None:
        del same.b

    seen = [lambda: one == same, lambda: one == other, lambda: one == base(1), lambda: base(1) == base(1), lambda: one < other]
    seen += [lambda: {hash(one), hash(same)} == {hash(one)}, lambda: one, lambda: base(7), lambda: kind(), lambda: kind(1, d=2)]
    seen += [change, remove, lambda: one, lambda: same, lambda: dataclasses.replace(other, b="new"), lambda: kind.__eq__.__qualname__]
    return [shown(value) for value in seen for _ in range(2)]


@pytest.mark.parametrize("constructors", [False, True])
@pytest.mark.parametrize("options", KINDS.values(), ids=list(KINDS))
def test_dataclasses_are_the_same(options: dict[str, Any], constructors: bool):
    with methods_written_when_called(constructors=constructors):
        late = record(**options)
    assert behaviour(late) == behaviour(record(**options))


def test_a_method_takes_its_own_place():
    with methods_written_when_called():
        late: Any = record(frozen=True)
    before = late.__eq__
    assert late(1) == late(1)
    assert late.__eq__ is not before
    assert late.__eq__.__code__.co_filename == "<string>"


@pytest.mark.parametrize(("module", "name"), [(operations, ADDER), (dataclasses, WRITER)], ids=["xdsl", "dataclasses"])
def test_without_the_functions_that_they_replace_nothing_is_deferred(monkeypatch: pytest.MonkeyPatch, module: Any, name: str):
    """As with versions of Python or xDSL that have none of that name."""
    monkeypatch.delattr(module, name)
    with preparations_deferred():
        assert not hasattr(module, name)
    assert not hasattr(module, name)


def test_this_version_has_the_function_of_xdsl():
    assert callable(getattr(operations, ADDER))


def test_two_threads_do_not_put_back_what_the_other_has_put_there():
    before = getattr(operations, ADDER), getattr(dataclasses, WRITER, None)
    first_is_in, first_may_go = threading.Event(), threading.Event()

    def first() -> None:
        with preparations_deferred():
            first_is_in.set()
            first_may_go.wait(10)

    def second() -> None:
        with preparations_deferred():
            pass

    threads = [threading.Thread(target=first), threading.Thread(target=second)]
    threads[0].start()
    assert first_is_in.wait(10)
    threads[1].start()
    threads[1].join(0.1)
    assert threads[1].is_alive()
    first_may_go.set()
    for thread in threads:
        thread.join(10)
    assert (getattr(operations, ADDER), getattr(dataclasses, WRITER, None)) == before


def test_formats_of_other_threads_are_read_at_once():
    failures: list[str] = []

    def define() -> None:
        try:
            operation("$valve attr-dict")
        except Exception as error:
            failures.append(str(error))

    with formats_read_when_needed():
        thread = threading.Thread(target=define)
        thread.start()
        thread.join()
    assert "valve" in failures[0]


def test_a_constructor_takes_its_own_place():
    with methods_written_when_called(constructors=True):
        late: Any = record()
    base = late.__mro__[1]
    before, base_before = late.__init__, base.__init__
    assert (late(1, c=2.0).c, base(b="x", a=3).b) == (2.0, "x")
    assert late.__init__ is not before
    assert base.__init__ is not base_before
    assert list(inspect.signature(late).parameters) == ["a", "b", "c"]


def test_constructors_that_users_meet_show_their_parameters():
    with methods_written_when_called():
        late = record()
    assert list(inspect.signature(late).parameters) == ["a", "b", "c"]


def test_other_threads_are_left_alone():
    made: list[Any] = []
    with methods_written_when_called():
        thread = threading.Thread(target=lambda: made.append(record()))
        thread.start()
        thread.join()
    assert made[0].__eq__.__code__.co_filename == "<string>"
