"""
Values that are put into PsyNeuLink when somebody looks at them.

After a native run PsyNeuLink's Parameters must show what the run has left. To write all of them takes longer than most runs, and scripts
look at few. So the dictionaries in which Parameters hold their values are replaced by dictionaries that tell when they are used (`Held`);
what is owed to them (`Ledger`) is written before the first of them answers. And where none has been used between two runs, nothing in
PsyNeuLink has changed, so that nothing has to be copied in either, or be looked at.

An array that a script has got may change without a dictionary being used. So the numbers that a model only reads, and generators, are
looked at before each run nonetheless; and what is changed in place, as generators and counts are, is changed as soon as a run is over.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol, cast
from weakref import WeakKeyDictionary


Plain = dict[Any, Any]


class Told(Protocol):
    """The object that a dictionary tells of its use."""

    quiet: bool
    """True if it wants to be told."""

    def settle(self) -> None:
        """Writes what is owed."""


class Ledger:
    """What is owed to a number of dictionaries."""

    __slots__ = ("looks", "owed", "quiet")

    def __init__(self) -> None:
        self.quiet = False
        """True if none of the dictionaries has been used since `rest`."""
        self.looks = 0
        """How often the quiet has ended."""
        self.owed: WeakKeyDictionary[Any, Callable[[Any], None]] = WeakKeyDictionary()
        """The functions that write, by whoever owes; to what is gone with a Composition, nothing is owed."""

    def settle(self) -> None:
        """Writes what is owed: somebody looks."""
        if self.quiet:
            self.quiet = False
            self.looks += 1
        while self.owed:
            for debtor in list(self.owed):
                self.owed.pop(debtor)(debtor)

    def pay(self, debtor: Any) -> None:
        """Writes what one owes; for all others that is a look."""
        quiet, self.quiet = self.quiet, False
        self.owed.pop(debtor)(debtor)
        self.quiet = quiet
        self.looks += 1

    @contextmanager
    def unnoticed(self) -> Generator[None]:
        """Within the block, in which nothing is read or written that is owed, no use of the dictionaries is noticed."""
        quiet, self.quiet = self.quiet, False
        try:
            yield
        finally:
            self.quiet = quiet

    def others_owe(self, debtor: Any) -> bool:
        """True if others owe something to what is also a part of this one's, in another compiled form than this one."""
        return any(other.parts is not debtor.parts and not other.parts.isdisjoint(debtor.parts) for other in self.owed)

    def rest(self) -> int:
        """From now on a look is noticed; returns the count of looks by which one can tell later whether there was one."""
        self.quiet = True
        return self.looks


LEDGER = Ledger()
"""That of all Parameters and schedulers: one for all, as Compositions may share their Mechanisms."""


class Held(Plain):
    """A dictionary that writes what is owed to it before it answers. Copies of it, also pickled ones, are plain dictionaries."""

    __slots__ = ("ledger",)

    def __init__(self, values: Plain, ledger: Told):
        super().__init__(values)
        self.ledger = ledger

    # The four that PsyNeuLink uses all the time

    def __getitem__(self, key: Any) -> Any:
        if self.ledger.quiet:
            self.ledger.settle()
        return _item(self, key)

    def __contains__(self, key: object) -> bool:
        if self.ledger.quiet:
            self.ledger.settle()
        return _contains(self, key)

    def __setitem__(self, key: Any, value: Any) -> None:
        if self.ledger.quiet:
            self.ledger.settle()
        put(self, key, value)

    def get(self, key: Any, default: Any = None) -> Any:
        """As that of any dictionary."""
        if self.ledger.quiet:
            self.ledger.settle()
        return look_up(self, key, default)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return (dict, (), None, None, iter(list(self.items())))

    def __copy__(self) -> Plain:
        return dict(self.items())


_plain = cast("Any", dict)
_item: Callable[[Plain, Any], Any] = _plain.__getitem__
_contains: Callable[[Plain, object], bool] = _plain.__contains__
put: Callable[[Plain, Any, Any], None] = _plain.__setitem__
"""Puts a value into a dictionary, without its being told."""
look_up: Callable[..., Any] = _plain.get
"""The value in a dictionary, without its being told."""
all_of: Callable[[Plain], Iterable[Any]] = _plain.values
"""All values in a dictionary, without its being told."""

OTHERS = (
    "__delitem__ __eq__ __ge__ __gt__ __ior__ __iter__ __le__ __len__ __lt__ __ne__ __or__ __repr__ __reversed__ __ror__ __sizeof__"
    " clear copy items keys pop popitem setdefault update values"
).split()
"""All other methods of dictionaries that read or change them."""


def _telling(name: str) -> Callable[..., Any]:
    method: Callable[..., Any] = getattr(dict, name)

    def told(self: Held, *arguments: Any, **named: Any) -> Any:
        self.ledger.settle()
        return method(self, *arguments, **named)

    told.__name__, told.__doc__ = name, method.__doc__
    return told


for _name in OTHERS:
    setattr(Held, _name, _telling(_name))


class HeldHistory(Held):
    """The histories of a Parameter, which says why there is none; PsyNeuLink shows that as the cause of its own error."""

    __slots__ = ()

    def __missing__(self, key: Any) -> Any:
        raise KeyError(
            "native runs keep a history of the values of Mechanisms, InputPorts and OutputPorts only, of one value, and not where they are "
            "reset; give execution_mode=ExecutionMode.Python to the run whose previous values you need"
        )


COUNTED = ("clocks", "counts_total", "counts_useable", "execution_list")
"""What a scheduler changes in each execution context as it runs."""


def hold(components: Iterable[Any]) -> None:
    """Lets all Parameters of these components, and the schedulers among them, tell when their values are used."""
    for one in components:
        if "parameters" in one.__dict__:
            for parameter in parameters_of(one):
                if parameter.name != "results":  # which are read after each run
                    _hold(parameter.__dict__, ("values", "history"))
        elif hasattr(one, "counts_useable"):
            _hold(one.__dict__, (*COUNTED, "execution_timestamps"))


def parameters_of(component: Any) -> Iterator[Any]:
    """The Parameters of a component that have values of their own."""
    for parameter in component.parameters.__dict__.values():
        if isinstance(getattr(parameter, "__dict__", {}).get("values"), dict):
            yield parameter


def _hold(attributes: dict[str, Any], names: Iterable[str]) -> None:
    for name in names:
        if type(attributes.get(name)) is dict:
            attributes[name] = (HeldHistory if name == "history" else Held)(attributes[name], LEDGER)
