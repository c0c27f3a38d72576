"""
Values that native runs leave, which are written into PsyNeuLink's Parameters on first access.

After a native run PsyNeuLink's Parameters must show the values that the run has left. Writing all of them takes longer than most runs, and
scripts read few. So the dictionaries in which Parameters keep their values are replaced by dictionaries that observe each access
(`ObservedDict`): pending writes (`PendingWrites`) are flushed before the first access is answered. If there has been no access between two
runs, the Parameters are unchanged, so that nothing has to be copied in.

A script that holds an array may change it without an access to a dictionary. So the arrays that a model only reads, and generators, are
copied in before each run nonetheless; and objects that change in place, as generators and counts do, are updated at the end of each run.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol, cast
from weakref import WeakKeyDictionary

Plain = dict[Any, Any]


class Observer(Protocol):
    """The object that is informed of accesses to a dictionary."""

    watching: bool
    """True if accesses are to be reported."""

    def flush(self) -> None:
        """Writes pending values."""


class PendingWrites:
    """The writers that have pending values, and the number of periods between accesses."""

    __slots__ = ("epoch", "pending", "quiet", "watching")

    def __init__(self) -> None:
        self.quiet: list[ObservedDict] = []
        """The dictionaries that report nothing at the moment."""
        self.watching = False
        """True while there has been no access since `watch`."""
        self.epoch = 0
        """The number of accesses that were the first after `watch`. If it is unchanged, no Parameter has been used."""
        self.pending: WeakKeyDictionary[Any, Callable[[Any], None]] = WeakKeyDictionary()
        """The functions that write, by writer. A writer that is freed with its Composition has nothing to write."""

    def flush(self) -> None:
        """Writes all pending values; called at the first access."""
        if self.watching:
            self.watching = False
            self.epoch += 1
        while self.pending:
            for writer in list(self.pending):
                self.pending.pop(writer)(writer)

    def flush_one(self, writer: Any) -> None:
        """Flushes one writer's pending values; counts as an access for every other writer."""
        with self.unobserved():
            self.pending.pop(writer)(writer)
        self.epoch += 1

    @contextmanager
    def unobserved(self) -> Generator[None]:
        """Accesses within the block are not reported. It must not use values that may be pending."""
        watching, self.watching = self.watching, False
        try:
            yield
        finally:
            self.watching = watching

    @contextmanager
    def unobserving(self, dictionaries: Iterable[ObservedDict]) -> Generator[None]:
        """
        Within the block, in which PsyNeuLink itself runs components, these of their dictionaries are as fast as plain ones. Whatever is in
        them counts as accessed. A native run that takes place in the block ends this.
        """
        if self.quiet:  # a run within a run, of which nobody knows when it ends
            yield
            return
        self.flush()
        for one in dictionaries:
            one.__class__ = _QUIET[type(one)]
            self.quiet.append(one)
        try:
            yield
        finally:
            self.observe_again()

    def observe_again(self) -> None:
        """Ends what `unobserving` has begun."""
        if self.quiet:
            quiet, self.quiet = self.quiet, []
            self.epoch += 1
            for one in quiet:
                one.__class__ = _REPORTING[type(one)]

    def others_pending(self, writer: Any) -> bool:
        """True if another compiled form of the same components has pending values."""
        return any(other.parts is not writer.parts and not other.parts.isdisjoint(writer.parts) for other in self.pending)

    def watch(self) -> int:
        """Reports the next access; returns the epoch, which that access will end."""
        self.watching = True
        return self.epoch


PENDING = PendingWrites()
"""The pending writes of all Parameters: one object for all, since Compositions may share Mechanisms."""


class HeldDict(Plain):
    """A dictionary that belongs to an observer. Copies of it, also pickled ones, are plain dictionaries."""

    __slots__ = ("observer",)

    def __init__(self, values: Plain, observer: Observer):
        super().__init__(values)
        self.observer = observer

    def __reduce_ex__(self, protocol: Any) -> Any:
        return (dict, (), None, None, iter(list(self.items())))

    def __copy__(self) -> Plain:
        return dict(self.items())


class QuietDict(HeldDict):
    """An `ObservedDict` while it reports nothing: by its class it is as fast as a plain dictionary."""

    __slots__ = ()


class ObservedDict(HeldDict):
    """A dictionary that flushes pending writes before it answers."""

    __slots__ = ()

    # The four methods that PsyNeuLink calls most often

    def __getitem__(self, key: Any) -> Any:
        if self.observer.watching:
            self.observer.flush()
        return _item(self, key)

    def __contains__(self, key: object) -> bool:
        if self.observer.watching:
            self.observer.flush()
        return _contains(self, key)

    def __setitem__(self, key: Any, value: Any) -> None:
        if self.observer.watching:
            self.observer.flush()
        put(self, key, value)

    def get(self, key: Any, default: Any = None) -> Any:
        """`dict.get`."""
        if self.observer.watching:
            self.observer.flush()
        return look_up(self, key, default)


_plain = cast("Any", dict)
_item: Callable[[Plain, Any], Any] = _plain.__getitem__
_contains: Callable[[Plain, object], bool] = _plain.__contains__
put: Callable[[Plain, Any, Any], None] = _plain.__setitem__
"""Sets a value without an observed access."""
look_up: Callable[..., Any] = _plain.get
"""Gets a value without an observed access."""

OTHERS = (
    "__delitem__ __eq__ __ge__ __gt__ __ior__ __iter__ __le__ __len__ __lt__ __ne__ __or__ __repr__ __reversed__ __ror__ __sizeof__"
    " clear copy items keys pop popitem setdefault update values"
).split()
"""All other methods of dictionaries that read or change them."""


def _reporting(name: str) -> Callable[..., Any]:
    method: Callable[..., Any] = getattr(dict, name)

    def reporting(self: ObservedDict, *arguments: Any, **named: Any) -> Any:
        if self.observer.watching:
            self.observer.flush()
        return method(self, *arguments, **named)

    reporting.__name__, reporting.__doc__ = name, method.__doc__
    return reporting


for _name in OTHERS:
    setattr(ObservedDict, _name, _reporting(_name))


class ObservedHistory(ObservedDict):
    """The histories of a Parameter. Its error says why there is none; PsyNeuLink shows it as the cause of its own error."""

    __slots__ = ()

    def __missing__(self, key: Any) -> Any:
        raise KeyError(
            "native runs keep a history of one value, for Mechanisms, InputPorts and OutputPorts that are not reset; give "
            "execution_mode=ExecutionMode.Python to the run whose previous values you need"
        )


class QuietHistory(QuietDict):
    """An `ObservedHistory` while it reports nothing."""

    __slots__ = ()

    __missing__ = ObservedHistory.__missing__


_QUIET: dict[type[Any], type[Any]] = {ObservedDict: QuietDict, ObservedHistory: QuietHistory}
_REPORTING = {quiet: reporting for reporting, quiet in _QUIET.items()}


COUNTED = ("clocks", "counts_total", "counts_useable", "execution_list")
"""The dictionaries that a scheduler changes in each execution context during a run."""


@contextmanager
def observed(components: Iterable[Any]) -> Generator[None]:
    """
    From this block on, the values of all Parameters of these components are observed, and the schedulers among them. If the block fails,
    those are not that were not before: PsyNeuLink, which is going to run the components then, takes a fifth longer with observed values.
    """
    replaced: list[tuple[Plain, str]] = []
    for one in components:
        if "parameters" in one.__dict__:
            for parameter in parameters_of(one):
                if parameter.name != "results":  # which are read after each run
                    replaced += _observe(parameter.__dict__, ("values", "history"))
        elif hasattr(one, "counts_useable"):
            replaced += _observe(one.__dict__, (*COUNTED, "execution_timestamps"))
    try:
        yield
    except BaseException:
        for attributes, name in replaced:
            attributes[name] = dict(_plain.items(attributes[name]))
        raise


def observed_of(components: Iterable[Any]) -> Iterator[ObservedDict]:
    """The dictionaries of these components that are observed."""
    for one in components:
        holders = [one] if hasattr(one, "counts_useable") else parameters_of(one) if "parameters" in one.__dict__ else ()
        for holder in holders:
            yield from (held for held in holder.__dict__.values() if type(held) in _QUIET)


def parameters_of(component: Any) -> Iterator[Any]:
    """The Parameters of a component that have values of their own."""
    for parameter in component.parameters.__dict__.values():
        if isinstance(getattr(parameter, "__dict__", {}).get("values"), dict):
            yield parameter


def _observe(attributes: Plain, names: Iterable[str]) -> Iterator[tuple[Plain, str]]:
    """Replaces those of these attributes that are plain dictionaries; yields each."""
    for name in names:
        if type(attributes.get(name)) is dict:
            attributes[name] = (ObservedHistory if name == "history" else ObservedDict)(attributes[name], PENDING)
            yield attributes, name
