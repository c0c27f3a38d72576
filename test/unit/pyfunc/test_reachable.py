"""What a function can reach decides the key of its code: whatever a compiled function may read changes the fingerprint."""

import enum
import functools
import importlib
import linecache
import subprocess
import sys
import threading
import types
import warnings
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest

import cogir
from cogir.frontend.identity.fingerprint import fingerprint
from cogir.pyfunc.reachable import Reach, may_loop


def module_of(**names):
    made = types.ModuleType("made")
    vars(made).update(names)
    return made


def twice(x):
    return 2.0 * x


def thrice(x):
    return 3.0 * x


def kind(value):
    return enum.Enum("Kind", {"A": value})


def settings(value):
    """A class with everything in it that a function may read from a class."""

    class Settings:
        GAIN = value

        class Inner:
            GAIN = value

        @staticmethod
        def scaled(x):
            return x * value

    return Settings


def defaults(value):
    class Defaults(NamedTuple):
        gain: float = value

    return Defaults


@dataclass(frozen=True)
class Gains:
    gain: float


@dataclass(frozen=True)
class Offset:
    offset: float


class Derived:
    """An object whose attribute is computed."""

    def __init__(self, gain):
        self.held = gain

    @property
    def gain(self):
        return self.held


def with_default(value):
    def scaled(x, gain=value):
        return x * gain

    return lambda variable: scaled(variable)


def by_name(h):
    """The two functions of a chain of two: the inner one reads what is given."""

    def inner(x):
        return x * h

    def outer(x):
        return inner(x) + 1.0

    return lambda variable: outer(variable)


def handed_on(h):
    """A module as an argument: which attribute of it is read stands in another function."""

    def apply(namespace, x):
        return namespace.gain * x

    return lambda variable: apply(h, variable)


def chosen(h, other):
    def f(variable):
        return (h if variable.shape == (1,) else other).gain * variable

    return f


def renamed(h):
    def f(variable):
        g = h
        return g.gain * variable

    return f


# Each takes a number and gives a function that multiplies by it.
CASES = {
    "a number of a function around": lambda v: lambda variable: v * variable,
    "an attribute of a module": lambda v: (lambda m: lambda variable: m.gain * variable)(module_of(gain=v)),
    "a function of a module": lambda v: (lambda m: lambda variable: m.f(variable))(module_of(f=twice if v == 1.0 else thrice)),
    "a function two modules down": lambda v: (lambda m: lambda variable: m.inner.f(variable))(
        module_of(inner=module_of(f=twice if v == 1.0 else thrice))
    ),
    "an attribute of a class": lambda v: (lambda c: lambda variable: c.GAIN * variable)(settings(v)),
    "a class in a class": lambda v: (lambda c: lambda variable: c.Inner.GAIN * variable)(settings(v)),
    "a class in a module": lambda v: (lambda m: lambda variable: m.c.GAIN * variable)(module_of(c=settings(v))),
    "a static method": lambda v: (lambda c: lambda variable: c.scaled(variable))(settings(v)),
    "the value of an enum's member": lambda v: (lambda k: lambda variable: k.A.value * variable)(kind(v)),
    "a member of an enum": lambda v: (lambda member: lambda variable: member.value * variable)(kind(v).A),
    "an attribute of an object": lambda v: (lambda o: lambda variable: o.gain * variable)(types.SimpleNamespace(gain=v)),
    "a field of a dataclass": lambda v: (lambda o: lambda variable: o.gain * variable)(Gains(v)),
    "a property": lambda v: (lambda o: lambda variable: o.gain * variable)(Derived(v)),
    "a tuple in a module": lambda v: (lambda m: lambda variable: m.w[1] * variable)(module_of(w=(0.0, v))),
    "a list in a module": lambda v: (lambda m: lambda variable: m.w[1] * variable)(module_of(w=[0.0, v])),
    "a dict": lambda v: (lambda w: lambda variable: w["a"] * variable)({"a": v}),
    "an array": lambda v: (lambda w: lambda variable: w[1500] * variable)(np.full(2000, v)),
    "a NumPy integer": lambda v: (lambda m: lambda variable: m.n * variable)(module_of(n=np.int64(v))),
    "a NumPy number": lambda v: (lambda m: lambda variable: m.n * variable)(module_of(n=np.float32(v))),
    "a default": with_default,
    "a default of a named tuple": lambda v: (lambda c: lambda variable: c().gain * variable)(defaults(v)),
    "a named tuple": lambda v: (lambda t: lambda variable: t.gain * variable)(defaults(0.0)(v)),
    "a partial": lambda v: (lambda p: lambda variable: p(variable))(functools.partial(lambda k, x: k * x, v)),
    "a function two calls away": by_name,
    "a module handed on": lambda v: handed_on(module_of(gain=v)),
    "a class handed on": lambda v: handed_on(type("C", (), {"gain": v})),
    "one of two modules": lambda v: chosen(module_of(gain=v), module_of(gain=7.0)),
    "the other of two modules": lambda v: chosen(module_of(gain=7.0), module_of(gain=v)),
    "a module under another name": lambda v: renamed(module_of(gain=v)),
    "a module in a tuple": lambda v: (lambda ms: lambda variable: ms[0].gain * variable)((module_of(gain=v),)),
}


def print_of(function):
    m = cogir.Model("m")
    m.node("n", function, input=1)
    return fingerprint(m.description, numbers=False)


def scaled_by(variable, *, mode: cogir.library.Static):
    return mode.gain * variable


def test_what_is_read_from_a_static_enum_changes_the_fingerprint():
    def print_with(value):
        class Mode(Offset, enum.Enum):
            A = 1.0

            @property
            def gain(self):
                return value

        m = cogir.Model("m")
        m.node("n", scaled_by, input=1, mode=Mode.A)
        return fingerprint(m.description, numbers=False)

    assert print_with(1.0) == print_with(1.0) != print_with(2.0)


def test_an_enum_beside_a_dataclass_does_not_lead_into_python_itself():
    """Dataclasses compare their `__class__`; that of an enum's class is Python's own, and its code reaches everything."""

    def scaled(gains, kinds, x):
        return gains.gain * x if kinds.A.value == 1.0 else x

    def print_with(value):
        gains, kinds = Gains(value), kind(1.0)
        return print_of(lambda variable: scaled(gains, kinds, variable))

    assert print_with(1.0) is not None
    assert print_with(1.0) == print_with(1.0) != print_with(2.0)


def test_a_class_whose_module_is_no_name():
    odd = type("Odd", (), {"__module__": property(lambda self: "odd"), "gain": 2.0})
    assert print_of((lambda o: lambda variable: (o, variable)[1])(odd)) is not None


def test_whether_two_names_mean_one_array_counts():
    def f(one, other):
        return lambda variable: variable if one is other else -variable

    one, other = np.ones(2), np.ones(2)
    assert print_of(f(one, other)) == print_of(f(other, one)) != print_of(f(one, one))


@pytest.mark.parametrize("case", CASES)
def test_what_a_function_reads_changes_its_fingerprint(case):
    one, same, other = (print_of(CASES[case](value)) for value in (1.0, 1.0, 2.0))
    assert one is not None
    assert one == same
    assert one != other


def test_what_a_function_does_not_read_does_not_matter():
    def scaled(m):
        return lambda variable: m.gain * variable

    assert print_of(scaled(module_of(gain=1.0, other=1.0))) == print_of(scaled(module_of(gain=1.0, other=2.0)))


def test_zeros_ones_and_truth_are_different_constants():
    values = [0.0, -0.0, 0, False, 1, 1.0, True, np.float32(1.0), np.float64(1.0), float("nan"), (1.0,), [1.0]]
    assert len({print_of((lambda w: lambda variable: (variable, w)[0])(value)) for value in values}) == len(values)


def test_the_role_of_a_helpers_parameter_counts():
    def helper_with(annotation):
        def helper(x, mode):
            return x if mode == 1.0 else -x

        helper.__annotations__ = {"mode": annotation}
        return lambda variable: helper(variable, 1.0)

    assert print_of(helper_with(cogir.library.Static)) != print_of(helper_with(float))


class Odd:
    """Compares as it likes."""

    gain = 2.0

    def __eq__(self, other):
        return True

    __hash__ = None


@pytest.mark.parametrize("value", [threading.Lock(), Odd(), np.array([object()]), {(1, 2)}], ids=["lock", "object", "array", "set"])
def test_what_cannot_be_told_is_not_kept(value, monkeypatch, tmp_path):
    """A lock itself compares by identity, like any object; the others may compute anything."""
    monkeypatch.setenv("COGIR_CACHE_DIR", str(tmp_path))

    def f(variable):
        return variable + (0.0 if value is None else 1.0)

    m = cogir.Model("m")
    m.node("n", f, input=1)
    assert m.compile(mode="run").run([[1.0]])["n"].item() == 2.0
    known = isinstance(value, type(threading.Lock()))
    assert (fingerprint(m.description) is not None) == known
    assert len(list(tmp_path.glob("*.cogir"))) == known


COMPARING = """
from dataclasses import dataclass

@dataclass(eq=False)
class Setting:
    gain: float

    def __eq__(self, other):
        return {}

a, b = Setting(1.0), Setting(2.0)
"""


@pytest.mark.parametrize("file", ["<python-input-0>", "<ipython-input-1-abc>", "<string>"])
def test_a_users_comparison_is_not_taken_for_one_that_python_generates(file, monkeypatch):
    """Two cells of a notebook, or two strings that a script executes, differ in a method of a dataclass alone."""

    def defined(answer):
        text = COMPARING.format(answer)
        monkeypatch.setitem(linecache.cache, file, (len(text), None, text.splitlines(True), file))
        names = {"__name__": "__main__"}
        exec(compile(text, file, "exec"), names)
        a, b = names["a"], names["b"]
        return print_of(lambda variable: variable * 10.0 if a == b else variable * 3.0)

    first, second = defined(True), defined(False)
    assert first is None or first != second


def test_arrays_that_are_refused_never_find_the_code_of_others():
    """A masked number has the same bytes as its filling."""
    values = np.ones(2), np.ones(2).view(type("Special", (np.ndarray,), {})), np.ma.masked_array(np.ones(2), mask=True, fill_value=1.0)
    prints = [print_of((lambda w: lambda variable: w[0] * variable)(value)) for value in values]
    assert [found is None for found in prints] == [False, True, True]


def test_an_object_without_end_is_given_up():
    class Endless:
        @property
        def next(self):
            return Endless()

    def f(variable, end=None):
        return variable

    start = Endless()

    def mention(variable):
        return variable if start.next.next is not None else f(variable)

    assert print_of(mention) is None


def test_objects_are_followed_without_a_walk_over_all_that_were_met(monkeypatch):
    """Else the time of following a chain of objects grows with the square of its length."""
    walks = []

    class Walked(dict):
        def __iter__(self):
            walks.append(len(self))
            return super().__iter__()

    class Link:
        def __init__(self, following):
            self.following = following

    chain = None
    for _ in range(100):
        chain = Link(chain)
    reach = Reach()
    monkeypatch.setattr(reach, "_held", held := Walked())
    reach.value(lambda variable: variable * (chain.following.following is None))
    reach.settle()
    assert len(held) == 98
    assert walks == []


@pytest.mark.parametrize("count", [400, 600])
def test_a_function_that_reaches_a_whole_package_is_given_up(tmp_path, monkeypatch, count):
    """All of torch, for example, of which reading everything takes 20 seconds."""
    lines = [f"def f{number}(variable):\n    return variable\n" for number in range(count)]
    held = f"HELD = ({', '.join(f'f{number}' for number in range(count))})\n"
    name = f"package_of_{count}"
    (tmp_path / f"{name}.py").write_text("\n".join([*lines, held, "def first(variable):\n    return variable if len(HELD) else 0.0\n"]))
    monkeypatch.syspath_prepend(tmp_path)
    first = importlib.import_module(name).first
    assert (print_of(first) is None) == (count > 500)
    assert may_loop(first) == (count > 500), "as far as anybody can see"


SCRIPT = """
import sys
sys.path.insert(0, sys.argv[1])
import cogir, helpers

def scaled(variable):
    return helpers.WEIGHTS[0] * variable

m = cogir.Model("m")
m.node("a", scaled, input=1)
print(m.compile(mode="run").run([[1.0]])["a"].item())
"""


def test_a_function_that_changes_in_place_is_compiled_as_it_is_now(monkeypatch, tmp_path):
    """As IPython's autoreload changes functions; the code was kept under the key of the new ones, and was that of the old."""
    monkeypatch.setenv("COGIR_CACHE_DIR", str(tmp_path))

    def scaled(x, gain=2.0, *, offset=1.0):
        return x * gain + offset

    def other(x, gain, offset):
        return x * gain - offset

    def node(variable):
        return scaled(variable)

    def result():
        m = cogir.Model("m")
        m.node("n", node, input=1)
        m.node("scaled", scaled, input=1)
        found = m.compile(mode="run").run({"n": [[1.0]], "scaled": [[1.0]]})
        return found["n"].item(), found["scaled"].item()

    assert result() == (3.0, 3.0)
    scaled.__defaults__ = (5.0,)
    assert result() == (6.0, 6.0)
    scaled.__kwdefaults__["offset"] = 2.0
    assert result() == (7.0, 7.0)
    scaled.__code__, scaled.__defaults__ = other.__code__, (5.0, 2.0)
    assert result() == (3.0, 3.0)


def test_an_edit_between_two_processes_is_seen(monkeypatch, tmp_path):
    monkeypatch.setenv("COGIR_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    script = tmp_path / "model.py"
    script.write_text(SCRIPT)
    said = []
    for weight in (3.0, 4.0):
        (tmp_path / "helpers.py").write_text(f"WEIGHTS = ({weight}, 2.0)\n")
        said.append(subprocess.run([sys.executable, str(script), str(tmp_path)], check=True, capture_output=True, text=True).stdout)
    assert said == ["3.0\n", "4.0\n"]


def settle(x):
    while x < 1.0:
        x = x + 0.1
    return x


class Settling:
    settle = staticmethod(settle)

    def method(self, x):
        return settle(x)


def steps(x):
    for _ in range(3):
        for _ in range(2):
            if x > 2.0:
                continue
            x = x + 1.0
    return x


@pytest.mark.parametrize(
    ("function", "loops"),
    [
        (lambda x: settle(x), True),
        (lambda x, m=module_of(settle=settle): m.settle(x), True),
        ((lambda m: lambda x: m.inner.settle(x))(module_of(inner=module_of(settle=settle))), True),
        (lambda x: Settling.settle(x), True),
        ((lambda o: lambda x: o.method(x))(Settling()), True),
        (functools.lru_cache(settle), True),
        (lambda x: (lambda y: settle(y))(x), True),
        (lambda x: steps(x), False),
        (lambda x: sum([y * x for y in range(3)]) + np.sum(x), False),
    ],
)
def test_a_loop_is_seen_wherever_it_is(function, loops):
    assert may_loop(function) == loops


def test_a_loop_is_seen_when_a_name_gets_a_new_meaning():
    helpers = module_of(f=twice)

    def node(variable):
        return helpers.f(variable[0])

    assert not may_loop(node)
    helpers.f = settle
    assert may_loop(node)


def with_another_name_of_numpy(x):
    numbers = np
    return numbers.exp(x) if x.dtype.str is not None else x


def test_names_that_numpy_warns_about_are_not_read():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert not may_loop(with_another_name_of_numpy)
    assert not caught


@dataclass
class MadeByItself:
    how: object = None

    @classmethod
    def standard(cls):
        return cls()


MadeByItself.__init__.__defaults__ = (MadeByItself.standard,)


def test_a_class_whose_generated_method_leads_back_to_it():
    assert not may_loop(lambda x: MadeByItself)


class MakesAttributes(type):
    """As the classes that beartype puts in the place of names which are not defined yet."""

    def __getattr__(cls, name):
        return MakesAttributes(name, (), {})


class WithAnyAttribute(metaclass=MakesAttributes):
    pass


def test_a_class_that_makes_every_attribute():
    may_loop(lambda x: WithAnyAttribute)  # ended in a RecursionError
