"""
Execution contexts: where a model stands.

A context holds a copy of the parameters and all state of a model: ports, node states, clocks and counters, generators. Runs in
one context continue one another; runs in different contexts know nothing of each other.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping
from copy import copy
from functools import cached_property
from typing import Any, ClassVar, TypeAlias, cast

import numpy as np

from cogir.callers import methods_end_at_caller
from cogir.errors import CogirError, ExecutionError, InputError, did_you_mean, shown, there_is
from cogir.interpreters.flags import is_flag
from cogir.labelled.names import find, path_of
from cogir.runtime.elements import check_element, element_name, split
from cogir.runtime.generator_states import state_words
from cogir.runtime.interrupt import CONTROL_WORDS
from cogir.runtime.meter import SILENT, Meter
from cogir.runtime.numbers import NotExact, NotNumbers, NotPlainArray, as_numbers
from cogir.runtime.plan import Floats, Plan, PlanSlot, Words
from cogir.runtime.recording import Recording
from cogir.runtime.results import Progress, Searched
from cogir.runtime.short_names import ARROW, WEIGHTS, find_short, loses_structure, short_name, short_names
from cogir.streams import VERSION

Store: TypeAlias = MutableMapping[str, Any]
"""Values by full path."""


class FreshStartWarning(UserWarning):
    """
    Replicates do not continue the trials that their context has run, do not use the generators that were set in it by hand, or do not begin
    with initial values that are swept, as the state has values already.
    """


class Context(ABC):
    """
    The parameters and the state of one line of runs.

    `params["decision/rate"]`, `state["decision/previous_value"]` and `generators["decision"]` get and set values by path;
    `reset()` puts everything but the parameters back to the beginning. `copy()` gives a context that stands where this one
    does and goes its own way. A context can be pickled; the copy runs with the same compiled model, or with another one of
    the same model.

    One context runs once at a time: runs in different threads need contexts of their own.
    """

    modes: ClassVar[str]
    """The modes whose contexts these are."""
    user: object = None
    """Stands for the call that goes on in this context; an attribute of the instance while there is one."""

    def __init__(self, plan: Plan, name: str | None):
        self.plan = plan
        self.name = name
        self.stream_name = name
        """The name by which its streams differ from those of other contexts; a copy without a name of its own has that of its origin."""
        self.is_copy = False
        """True for a copy without a name of its own that was made by `copy`."""
        self.progress = Progress()
        """Of the run that goes on, else of the last one."""
        self.meter: Meter = SILENT
        """Told how far the call is that goes on in this context."""
        self.ran = False
        """True if trials have been run in it since the beginning."""
        self.trials = 0
        """The number of trials that have been run in it since the beginning."""
        self.said_fresh = False
        """True once it was said that replicates do not continue these trials."""
        self.said_keyed = False
        """True once it was said that replicates do not use the generators that were set."""
        self.said_unused: frozenset[str] = frozenset()
        """The states of which `learn` has said that it does not use what was set by hand."""
        self.said_unlearned: frozenset[str] = frozenset()
        """The matrices of which the last call of `learn` has said that they stay as they are."""
        self.learning: Any = None
        """Parameters and optimizer of the model that learns in this context, once it has."""
        self.recording: Recording | None = None
        """Takes the traces of the run that goes on, if the model has some."""
        self.searched = Searched()
        """The searches of the last run whose boxes were searched."""
        self.forgotten: frozenset[str] = frozenset()
        """The part of the state that runs have not kept up to date, because no result depends on it (`runtime/versions.py`)."""
        self.generators_set: dict[str, Words] = {}
        """The words of the generators that were set since the context was reset, by path: their seeds do not tell what they draw."""
        self.states_set: dict[str, Any] = {}
        """The values of the states that were set since the context was reset, by path, as they were set; of elements by their names."""
        self.started = False
        """True if the state is where the model begins, or later; else it is there from the first run on, by the parameters of then."""
        self._beginning: tuple[Mapping[str, Any], Context] | None = None
        """Parameters, and a copy that stands where the model begins with them: of a context that has not begun."""

    def begin_use(self, user: object) -> None:
        """
        Claims the context for a call, for which `user` stands; raises `ExecutionError` while another one goes on.

            try:
                context.begin_use(user)
                ...
            finally:
                if context.user is user:
                    del context.user

        So Ctrl-C leaves the context free, whenever it comes: the claim is one operation, and the lines of the `finally` call nothing, so
        that Python handles no signals between them.
        """
        if vars(self).setdefault("user", user) is not user:
            raise ExecutionError(
                f"run: {self.title} is used by another run that has not ended; give each thread its own context: "
                'run(..., context="name of its own")'
            )

    def must_rest(self, wanted: str) -> None:
        """Refuses what would meddle with a run that goes on."""
        if self.user is not None:
            raise ExecutionError(f"{self.title} is used by a run that has not ended; {wanted} after the run")

    def must_know(self, path: str) -> None:
        """Refuses to show what runs have not kept up to date."""
        if path in self.forgotten:
            raise InputError(
                f"{path}: {self.title} was run by a version specialised with only_results=True, which does not update this value; "
                "reset the context, or set the value"
            )

    @property
    def title(self) -> str:
        """The name of the context in messages, of a copy without a name that of its origin."""
        name = self.stream_name if self.name is None else self.name
        return ("a copy of " if self.is_copy else "") + ("the default context" if name is None else f'context "{name}"')

    def fits(self, other: Context) -> bool:
        """True if the two stand for the same model in modes that share contexts: every value has the same place."""
        one, two = self.plan, other.plan
        return type(self) is type(other) and (
            one is two or (one.slots == two.slots and one.sizes == two.sizes and list(one.generators) == list(two.generators))
        )

    @property
    def params(self) -> Values:
        """Parameters by `node/name`; start values of states and ports by `node/initial:state:name`, `node/initial:port:name`."""
        return Parameters(self)

    @property
    def state(self) -> Values:
        """
        States by `node/name`, ports by `node/port:name`, and all clocks and counters by the paths that it lists.

        Reading changes nothing: of a context that has not run, it shows where the next run begins. What is set is there when it begins.
        """
        return States(self)

    def shown_state(self) -> Store:
        """The state as it stands, or of a copy that stands where the next run begins; not to be changed."""
        return self.state_store() if self.started else self.beginning().state_store()

    def beginning(self) -> Context:
        """
        A copy that stands where the model begins with the parameters as they are, of a context that has not begun. It is made once for
        these, and is not to be changed.
        """
        parameters, made = self.parameters_now(), self._beginning
        if made is None or made[0] is not parameters:
            begun = self.twin(self.name)
            begun.state_store()
            made = self._beginning = parameters, begun
        return made[1]

    def set_state(self, path: str, value: Any, index: tuple[int, ...] = ()) -> None:
        """Sets a value of the state, or one element of it: now, and where the model begins if it has not begun."""
        if not index:
            for name in [name for name in self.states_set if split(name)[0] == path]:
                del self.states_set[name]
        self.states_set[element_name(path, index) if index else path] = value
        self._beginning = None
        if self.started:
            _put(self.state_store(), path, index, copy(value))

    def take_states_set(self) -> None:
        """Puts the states that were set by hand into the state of a model that begins; called by what starts a context."""
        store = self.state_store()
        for name, value in self.states_set.items():
            _put(store, *((name, ()) if name in store else split(name)), copy(value))

    def states_by_hand(self) -> dict[str, Any]:
        """The states that were set by hand, as they stand, without those that runs do not keep up to date."""
        if not self.started:
            return dict(self.states_set)
        store, found = self.state_store(), dict[str, Any]()
        for name in self.states_set:
            path, index = (name, ()) if name in store else split(name)
            if path not in self.forgotten:
                found[name] = np.asarray(store[path])[index]
        return found

    @property
    def generators(self) -> Generators:
        """Generators by node, or by `node/random:name`."""
        return Generators(self)

    def reset(self) -> None:
        """Back to the beginning: states, ports, clocks and generators; the parameters stay as they are."""
        self.must_rest("reset it")
        self.restart()
        self.ran, self.trials, self.said_fresh = False, 0, False
        self.generators_set.clear()
        self.said_keyed = False
        self.states_set.clear()
        self._beginning = None

    @abstractmethod
    def restart(self) -> None:
        """The part of `reset` that depends on the kind of context."""

    def copy(self, name: str | None = None) -> Context:
        """A context of its own that stands where this one does: run it with `run(..., context=it)`."""
        self.must_rest("copy it")
        twin = self.twin(name)
        twin.is_copy = name is None
        twin.ran, twin.trials, twin.said_fresh = self.ran, self.trials, self.said_fresh
        twin.generators_set, twin.said_keyed = dict(self.generators_set), self.said_keyed
        return twin

    def fresh_copy(self) -> Context:
        """
        A copy that stands where the model begins: with the parameters as they are, and with the states and generators that were set by
        hand. What runs have moved is as after `reset`. Replicates then give generators streams of their own.
        """
        twin = self.twin(None)
        twin.restart()
        twin.generators_set = dict(self.generators_set)
        for path, words in self.generators_set.items():
            twin.set_words(path, words.copy())
        return twin

    def fresh_start(self) -> Context:
        """A fresh copy from which replicates begin, which is not to be changed."""
        return self.fresh_copy()

    @abstractmethod
    def twin(self, name: str | None) -> Context:
        """A copy, also for the run that holds this context."""

    def learned(self) -> Any:
        """The learned values of a copy, from which it continues by itself."""
        return None if self.learning is None else self.learning.twin(None)

    def __copy__(self) -> Context:
        return self.copy(self.name)

    def __deepcopy__(self, memo: object) -> Context:
        return self.copy(self.name)

    @abstractmethod
    def parameter_store(self) -> Store:
        """The parameters."""

    def parameters_now(self) -> Mapping[str, Any]:
        """The parameters as they are now, by full path; later changes do not reach them."""
        store = self.parameter_store()
        return {path: store[path] for path in store}

    @abstractmethod
    def state_store(self) -> Store:
        """The state without the generators; starts the model if it has not begun."""

    @abstractmethod
    def words_of(self, path: str) -> Words:
        """The words of a generator, as a copy."""

    @abstractmethod
    def set_words(self, path: str, words: Words) -> None:
        """Puts a generator into a state."""

    def seed_generators(self) -> None:
        """Puts the generators to the beginning of the streams of this context."""
        for path, start in self.plan.generators.items():
            self.set_words(path, start.state(path, self.plan.seed, self.stream_name))

    def _repr_html_(self) -> str:
        """The parameters, and the state if trials have been run, as tables for notebooks."""
        from cogir.pictures.tables import context_html

        state = None
        if self.ran:
            known = self.state
            state = {path: known[path] for path in known if path not in self.forgotten}
        kinds = {path: start.kind for path, start in self.plan.generators.items()}
        return context_html(self.title, dict(self.params), state, kinds, COUNTS)

    def __repr__(self) -> str:
        return f"<{self.title.removeprefix('the ')}>"


def _put(store: Store, path: str, index: tuple[int, ...], value: Any) -> None:
    """Puts a value, or one element of an array, into a state."""
    if index:
        whole = np.array(store[path])
        whole[index] = value
        value = whole
    store[path] = value


COUNTS = ("calls:", "calls_of:", "clock:", "n_when:")
"""The beginnings of the last parts of the paths of counts. Programs that choose by counts know that these are 0 or more."""


@methods_end_at_caller
class Values(MutableMapping[Any, Any]):
    """
    Values of a context by path; the kind in a path (`param:`, `state:`, `port:`) may be left out. `task->hidden` is the matrix of the only
    projection from one node to another. `task->hidden[0,1]` and `net/bias[2]` are elements of arrays.
    """

    def __init__(self, kind: str, what: str, context: Context):
        self._kind = kind
        self._what = what
        self._context = context

    @property
    @abstractmethod
    def _store(self) -> Store:
        """The values by full path, to be read."""

    @abstractmethod
    def _set(self, path: str, value: Any, index: tuple[int, ...]) -> None:
        """Sets a value, or the element at an index, that was checked."""

    def path(self, key: Any) -> str:
        """The full path that a key stands for."""
        wanted = path_of(key)
        if (found := self._find(wanted)) is not None:
            return found
        if wanted in self._context.plan.statics:
            owner, _, name = wanted.rpartition("/")
            raise InputError(
                f'{self._what}: "{wanted}" is a Static argument, which is compiled into the code; give it to m.node("{owner}", ..., '
                f"{name}=...), and compile the model again"
            )
        raise self.unknown(wanted, self._what)

    def _find(self, wanted: str) -> str | None:
        """The full path that a name stands for, if it stands for one."""
        owner, _, name = wanted.rpartition("/")
        for path in (wanted, f"{owner}/{self._kind}{name}", f"{owner}/port:{name}"):
            if path in self._store:
                return path
        return find_short(wanted, self._store)

    def located(self, key: Any) -> tuple[str, tuple[int, ...]]:
        """The full path of the value that a key stands for, and the index of the element if it is that of one."""
        whole, index = split(wanted := path_of(key))
        if not index or self.has_path(wanted) or not self.has_path(whole):
            return self.path(key), ()
        path = self.path(whole)
        check_element(self._what, self._what, whole, index, np.shape(self._store[path]))
        return path, index

    def holds(self, name: str) -> bool:
        """True for the name of a value, or of an element of one, which need not be in its range."""
        return self.has_path(name) or self.has_path(split(name)[0])

    def has_path(self, name: str) -> bool:
        """True for the name of a value, which is not an element of one."""
        return self._find(name) is not None

    def names(self) -> list[str]:
        """The names of all values as users write them: without kinds, projections by short names, and initial values last."""
        short = {path: name for name, path in short_names(self._store).items()}
        names = [short.get(path) or path.replace(f"/{self._kind}", "/") for path in self._store]
        return sorted(names, key=lambda name: "/initial:" in name)

    def unknown(self, wanted: str, what: str, others: Iterable[str] = ()) -> InputError:
        """The error about a name that is none, with a remedy; `others`: further names that would do."""
        names = self.names()
        matrices = [name for name in names if ARROW in name]
        if matrices and ARROW not in wanted and wanted.rpartition("/")[2] in WEIGHTS:
            return InputError(f'{what}: there is no "{wanted}"; matrices are called after their projections{there_is(matrices)}')
        known = sorted([*names, *others], key=lambda name: "/initial:" in name)
        return InputError(f'{what}: there is no "{wanted}"{did_you_mean(wanted, known) or there_is(known)}')

    def __getitem__(self, key: Any) -> Any:
        """The value: a number, or an array of its own."""
        path, index = self.located(key)
        self._context.must_know(path)
        value = self._store[path]
        if index:
            return value[index].item()
        return np.array(cast(Any, value)) if isinstance(value, np.ndarray) else value

    def __setitem__(self, key: Any, value: Any) -> None:
        """Sets the value; a number fills an array, but no matrix of a projection without a name whose elements differ, unless it is 0."""
        path, index = self.located(key)
        self._context.must_rest(f"set {path}")
        if index:
            self._context.must_know(path)  # the others would count as set
        held = self._store[path]
        shape = () if index else np.shape(held)
        found = f"found {shown(value)}"
        try:
            array = np.broadcast_to(as_numbers(value, self.dtype_of(path)), shape)
        except (NotExact, NotPlainArray) as error:
            raise InputError(f"{self._what} {path}: {error}") from None
        except ValueError as error:
            found = str(error) if isinstance(error, NotNumbers) else found
            raise InputError(f"{self._what} {path}: {found}; a value of shape {shape or '() (one number)'} is required") from None
        if not index and array.any() and loses_structure(path, np.asarray(held), np.shape(value)):
            raise InputError(
                f"{self._what} {path}: {found}, which would fill the matrix, whose elements differ; give a matrix of shape {shape}, "
                f'such as the number times params["{short_name(path)}"]'
            )
        allowed = self._context.plan.ranges.get(path)
        if allowed is not None and not allowed.holds(array):
            raise InputError(f"{self._what} {path}: {found}; {allowed.demand(array)}")
        if path.rpartition("/")[2].startswith(COUNTS) and (array < 0).any():
            raise InputError(f"{self._what} {path}: {found}; a count is 0 or more")
        self._set(path, np.array(array) if shape else array.item(), index)

    def dtype_of(self, path: str) -> np.dtype[Any]:
        """The type of a value by its full path; single numbers of float32 are Python's floats where they are kept."""
        dtype = np.asarray(self._store[path]).dtype
        plan = self._context.plan
        slot = plan.slots.get(path)
        if slot is None and dtype == np.float64 and plan.is_float32:
            return np.dtype(np.float32)
        return dtype if slot is None else np.dtype(_KEPT.get(slot.dtype, dtype))

    def update(self, other: Any = (), /, **by_keyword: Any) -> None:
        """Sets several values; two spellings of one path are refused, before anything is set."""
        given = {**dict(other), **by_keyword}
        seen: dict[str, dict[tuple[int, ...], Any]] = {}
        for key in given:
            path, index = self.located(key)
            others = seen.setdefault(path, {})
            twice = [other for place, other in others.items() if not place or not index or place == index]
            if twice:
                raise InputError(f"{self._what} {path}: the value is given twice, as {shown(twice[0])} and as {shown(key)}; give it once")
            others[index] = key
        for key, value in given.items():
            self[key] = value

    def __delitem__(self, key: Any) -> None:
        raise InputError(f"{self._what} {path_of(key)}: values of a model cannot be removed")

    def get(self, key: Any, default: Any = None) -> Any:
        """The value, or `default` if there is none."""
        return self[key] if key in self else default

    def __contains__(self, key: object) -> bool:
        try:
            self.located(key)
        except InputError:
            return False
        return True

    def __iter__(self) -> Iterator[str]:
        return iter(self._store)

    def __len__(self) -> int:
        return len(self._store)

    def _shown(self) -> dict[str, Any]:
        """The values that are kept up to date, by full path; parameters of projections by their short names."""
        short = {path: name for name, path in short_names(self).items()}
        return {short.get(path, path): self[path] for path in self if path not in self._context.forgotten}

    def __repr__(self) -> str:
        """A line for each value; long arrays are summarised, and clocks, counts and start values are counted. `dict(...)` has all."""
        from cogir.pictures.tables import values_text

        return values_text(self._title, self._shown(), self._kind, COUNTS)

    def _repr_html_(self) -> str:
        """The same as a table for notebooks."""
        from cogir.pictures.tables import values_html

        return values_html(self._title, self._shown(), self._kind, COUNTS)

    @property
    def _title(self) -> str:
        """What it is of."""
        return f"{PLURALS[self._kind]} of {self._context.title}"


PLURALS = {"param:": "parameters", "state:": "state"}
"""The words for the values of a kind."""


class Parameters(Values):
    """The parameters of a context."""

    def __init__(self, context: Context):
        super().__init__("param:", "parameter", context)
        self._held = context.parameter_store()

    @property
    def _store(self) -> Store:
        return self._held

    def _set(self, path: str, value: Any, index: tuple[int, ...]) -> None:
        _put(self._held, path, index, value)


class States(Values):
    """The state of a context as it stands whenever it is read."""

    def __init__(self, context: Context):
        super().__init__("state:", "state", context)

    @property
    def _store(self) -> Store:
        return self._context.shown_state()

    def _set(self, path: str, value: Any, index: tuple[int, ...]) -> None:
        self._context.set_state(path, value, index)


@methods_end_at_caller
class Generators(Mapping[Any, Any]):
    """
    The generators of a context as NumPy generators.

    Reading gives a new `RandomState` (mt19937) or `Generator` (philox4x64) in the present state; setting takes one, or what
    its `get_state()` or `bit_generator.state` returns, or the words.
    """

    def __init__(self, context: Context):
        self._context = context

    def path(self, key: Any) -> str:
        """The full path that a key stands for: of a generator, or of the only one of a node."""
        wanted = path_of(key)
        known = self._context.plan.generators
        matching = [path for path in known if path == wanted or path.startswith(wanted + "/")]
        return matching[0] if len(matching) == 1 else find(wanted, known, "generator")

    def words(self, key: Any) -> Words:
        """The words of a generator's state, as a copy."""
        path = self.path(key)
        self._context.must_know(path)
        return self._context.words_of(path)

    def __getitem__(self, key: Any) -> Any:
        """NumPy's generator, where the kind is one of NumPy's, else one as `cogir.random` returns; a copy, set it to change the state."""
        from cogir.library.random.generators import Stream, unpack

        path = self.path(key)
        self._context.must_know(path)
        kind, words = self._context.plan.generators[path].kind, self._context.words_of(path)
        return unpack(kind, words) if kind in ("mt19937", "philox4x64") else Stream(kind, words)

    def __setitem__(self, key: Any, state: Any) -> None:
        path = self.path(key)
        self._context.must_rest(f"set {path}")
        kind = self._context.plan.generators[path].kind
        made_for = getattr(state, "generator", None)
        if isinstance(made_for, str) and made_for != path:
            raise InputError(
                f"generator {path}: the given stream is that of {made_for}; give cogir.random generator={path!r}, or set the words of the "
                "stream (stream.words) to have the same numbers in two places"
            )
        found, words = state_words(state)
        if found != kind:
            raise InputError(
                f"generator {path}: the generator is of kind {kind}, but the given state is one of {found}; give a state of {kind}"
            )
        self._context.set_words(path, words)
        self._context.generators_set[path] = words.copy()
        self._context.said_keyed = False

    def _kinds(self) -> dict[str, str]:
        """The kinds of the generators, by path, with what was set by hand."""
        by_hand = self._context.generators_set
        return {path: start.kind + ", set by hand" * (path in by_hand) for path, start in self._context.plan.generators.items()}

    def __repr__(self) -> str:
        """A line for each generator: its path and its kind."""
        from cogir.pictures.tables import rows_text

        return rows_text(f"generators of {self._context.title}", self._kinds().items())

    def _repr_html_(self) -> str:
        """The same as a table for notebooks."""
        from cogir.pictures.tables import generators_html

        return generators_html(f"generators of {self._context.title}", self._kinds())

    def get(self, key: Any, default: Any = None) -> Any:
        """The generator, or `default` if there is none."""
        return self[key] if key in self else default

    def __contains__(self, key: object) -> bool:
        try:
            self.path(key)
        except InputError:
            return False
        return True

    def __iter__(self) -> Iterator[str]:
        return iter(self._context.plan.generators)

    def __len__(self) -> int:
        return len(self._context.plan.generators)


StateCopy: TypeAlias = tuple[Floats, Words, Words]
"""The contents of the buffers sf (but for records), si and rng."""

BUFFERS = ("pf", "pi", "sf", "si", "rng")
LARGEST_KEPT = 2**20
"""The bytes of parameters and state from which on a fresh start is made in each call instead of being kept."""


class NativeContext(Context):
    """A context of a natively compiled model: the buffers that its code works on."""

    modes = "run and exec"

    def __init__(self, plan: Plan, name: str | None, parameters: NativeContext | None = None):
        super().__init__(plan, name)
        self._pf: Floats = (parameters.pf if parameters else plan.pf).copy()
        self._pi: Words = (parameters.pi if parameters else plan.pi).copy()
        self._may_differ = True
        """False while parameters are those of `_seen`."""
        self.sf: Floats = np.zeros(plan.size("sf"))
        self.si: Words = np.zeros(plan.size("si"), np.int64)
        self.rng: Words = np.zeros(plan.size("rng"), np.int64)
        self.start: Any = None
        """Called with the context to put the state to the beginning; the entry sets it."""
        self._addresses: tuple[int, ...] | None = None
        self._make_control()
        self._shared_with: NativeContext | None = None
        """The context that learns, if its memory holds the parameters."""
        self._noted: StateCopy | None = None
        """The state to which `put_back` goes back."""
        self._own_copy: StateCopy | None = None
        """The memory in which `note` notes the state."""
        self._pairs: list[tuple[Floats | Words, Floats | Words]] = []
        """Those arrays of `_own_copy` that are not empty, with what they are copies of."""
        self._copied: StateCopy | None = None
        """A copy of the state as it stands that somebody else has made, which `note` takes."""
        self._seen: KeptParameters | None = None
        """The parameters when they were asked for last: runs with the same ones share them."""
        self._own_state: _BufferValues | None = None
        self._fresh: tuple[Mapping[str, Any], Context] | None = None
        """Parameters, and the fresh start with them."""
        self.seed_generators()

    def _make_control(self) -> None:
        self.control: Words = np.zeros(CONTROL_WORDS, np.int64)
        """Memory for the control of runs that nothing stops (`runtime/interrupt.py`)."""
        self.control_address = self.control.ctypes.data

    def restart(self) -> None:
        self.started = False
        self.forgotten = frozenset()
        self._fresh = None
        self.seed_generators()

    def twin(self, name: str | None) -> NativeContext:
        other = NativeContext(self.plan, name)
        for buffer in BUFFERS:
            getattr(other, buffer)[:] = getattr(self, buffer)
        other.started, other.start, other.forgotten = self.started, self.start, self.forgotten
        other.states_set = dict(self.states_set)
        other.stream_name = self.stream_name if name is None else name
        other.is_copy = self.is_copy and name is None
        other.learning = self.learned()
        return other

    def note(self) -> None:
        """Notes the state as it stands, but for records, in memory that is taken once, for `put_back`."""
        self._noted, self._copied = self._copied, None
        if self._noted is not None:
            return
        if self._own_copy is None:
            sf, si, rng = self.sf[: self.plan.unrecorded], self.si, self.rng
            self._own_copy = sf.copy(), si.copy(), rng.copy()
            self._pairs = [(kept, held) for kept, held in zip(self._own_copy, (sf, si, rng), strict=True) if len(kept)]
        else:
            for kept, buffer in self._pairs:
                np.copyto(kept, buffer)
        self._noted = self._own_copy

    def is_copied(self, copy: StateCopy) -> None:
        """Says that there is a copy of the state as it stands, but for records, which lasts as long as the next run."""
        self._copied = copy

    def runs_at_once(self) -> None:
        """Says that a run begins for which no state is noted."""
        self._copied = None

    def put_back(self) -> None:
        """The state is again what was noted last."""
        assert self._noted is not None
        self.sf[: len(self._noted[0])], self.si[:], self.rng[:] = self._noted

    @property
    def pf(self) -> Floats:
        """The parameters that are floats. Whoever asks may change them, until the next run asks for the parameters, or a call learns."""
        self._may_differ = True
        return self._pf

    @property
    def pi(self) -> Words:
        """The parameters that are whole numbers or flags, as `pf`."""
        self._may_differ = True
        return self._pi

    @property
    def parameter_buffers(self) -> tuple[Floats, Words]:
        """The buffers pf and pi, to be read only."""
        return self._pf, self._pi

    @property
    def addresses(self) -> tuple[int, ...]:
        """The addresses of the buffers pf, pi, sf, si and rng."""
        if self._addresses is None:
            buffers = (self._pf, self._pi, self.sf, self.si, self.rng)
            self._addresses = tuple(buffer.ctypes.data for buffer in buffers)
        return self._addresses

    def share_parameters_with(self, learner: NativeContext) -> bool:
        """
        Makes another context, the one that learns, hold the parameters of both, so that nothing is copied between them. False if they have
        other places there, as where an optimizer has states, whose beginnings are parameters, too.
        """
        self._may_differ = True
        if self._shared_with is learner:
            return True
        slots, others = self.plan.slots, learner.plan.slots
        if any(others.get(path) != slot for path, slot in slots.items() if slot.buffer in ("pf", "pi")):
            return False
        if count := self.plan.sizes.get("pf", 0):  # a buffer without parameters has one word, which is nobody's
            learner.pf[:count] = self._pf
            self._pf = learner.pf[:count]
        if count := self.plan.sizes.get("pi", 0):
            learner.pi[:count] = self._pi
            self._pi = learner.pi[:count]
        self._shared_with = learner
        self._addresses = None
        return True

    def end_run(self) -> None:
        """Turns the clocks to the beginning of the next run."""
        if self.plan.run_clocks:
            self.si[self.plan.run_clocks] += 1
        if self.plan.restarts:
            self.si[self.plan.restarts] = 0

    def signals(self) -> dict[str, list[float]]:
        """The signals of the controllers as they stand."""
        slots = self.plan.slots
        return {
            controller: [
                self.sf[slots[f"{controller}/signal:{slot.path.rpartition('/')[2]}"].offset].item()
                for slot in self.plan.signals(controller)
            ]
            for controller in self.plan.controllers
        }

    def parameter_store(self) -> Store:
        return _BufferValues(self, ("pf", "pi"))

    def parameters_now(self) -> Mapping[str, Any]:
        seen = self._seen
        if seen is None or (self._may_differ and not (same_bits(seen.pf, self._pf) and same_bits(seen.pi, self._pi))):
            seen = self._seen = KeptParameters(self.plan, self._pf.copy(), self._pi.copy())
        self._may_differ = False
        return seen

    def beginning(self) -> Context:
        self._may_differ = True  # whoever asked for them before may have changed them since
        begun = super().beginning()
        if self._beginning is not None and not self._is_kept(*self._beginning):
            self._beginning = None
        return begun

    def _is_kept(self, parameters: Mapping[str, Any], made: Context) -> bool:
        """True if a copy is to be kept for these parameters: it has them, which another thread may have changed before it was made."""
        assert isinstance(parameters, KeptParameters)
        assert isinstance(made, NativeContext)
        return same_bits(made._pf, parameters.pf) and same_bits(made._pi, parameters.pi)

    def fresh_start(self) -> Context:
        """As that of any context. Where only parameters make it, it is made once for these."""
        if self.states_set or self.generators_set or self.learning is not None or self._pf.nbytes + self.sf.nbytes > LARGEST_KEPT:
            return super().fresh_start()
        self._may_differ = True
        parameters, made = self.parameters_now(), self._fresh
        if made is None or made[0] is not parameters:
            made = parameters, super().fresh_start()
            self._fresh = made if self._is_kept(*made) else None
        return made[1]

    def state_store(self) -> Store:
        if not self.started:
            if self.start is None:
                raise InputError(
                    f"state: {self.title} was pickled before its first run, or reset since, and has no state yet; run it, or set its "
                    "parameters, first"
                )
            self.start(self)
        if self._own_state is None:
            self._own_state = _BufferValues(self, ("sf", "si"), without=is_flag)
        return self._own_state

    def words_of(self, path: str) -> Words:
        return self.rng[self.plan.slots[path].words].copy()

    def set_words(self, path: str, words: Words) -> None:
        self.forgotten -= {path}
        self.rng[self.plan.slots[path].words] = words

    def __getstate__(self) -> dict[str, Any]:
        self.must_rest("pickle it")
        return {
            "plan": self.plan.to_json(),
            "name": self.name,
            "stream_name": self.stream_name,
            "is_copy": self.is_copy,
            "streams": VERSION,
            "started": self.started,
            "ran": self.ran,
            "trials": self.trials,
            "forgotten": sorted(self.forgotten),
            "learning": self.learning,
            "generators_set": self.generators_set,
            "states_set": self.states_set,
            **{buffer: getattr(self, buffer) for buffer in BUFFERS},
        }

    def __setstate__(self, held: Mapping[str, Any]) -> None:
        if (version := held.get("streams", 1)) != VERSION:
            raise CogirError(
                f"context: it was pickled with version {version} of the random streams, but this cogir has version {VERSION}, in which "
                "seeds give other numbers; make the context again"
            )
        super().__init__(Plan.from_json(held["plan"]), held["name"])
        self.stream_name = held["stream_name"]
        self.is_copy = held.get("is_copy", False)
        self.started = held["started"]
        self.ran, self.trials = held["ran"], held["trials"]
        self.forgotten = frozenset(held["forgotten"])
        self.learning = held["learning"]
        self.generators_set = dict(held["generators_set"])
        self.states_set = dict(held["states_set"])
        self.start = None
        self._pf, self._pi, self.sf, self.si, self.rng = (held[buffer] for buffer in BUFFERS)
        self._may_differ = True
        self._addresses = None
        self._make_control()
        self._shared_with = None
        self._noted = self._own_copy = self._copied = None
        self._seen = None
        self._own_state = None
        self._fresh = None


_KEPT = {"f64": np.float64, "f32": np.float32, "i64": np.int64, "i1": np.bool_}


class _BufferValues(MutableMapping[str, Any]):
    """The slots in some buffers of a context, by path, without those that say no model's state."""

    def __init__(self, context: NativeContext, buffers: tuple[str, ...], without: Callable[[str], bool] | None = None):
        self._context = context
        self._slots: dict[str, PlanSlot] = {
            path: slot for path, slot in context.plan.slots.items() if slot.buffer in buffers and (without is None or not without(path))
        }

    def __getitem__(self, path: str) -> Any:
        slot = self._slots[path]
        return value_in(getattr(self._context, slot.buffer), slot)

    def __setitem__(self, path: str, value: Any) -> None:
        slot = self._slots[path]
        self._context.forgotten -= {path}
        getattr(self._context, slot.buffer)[slot.words] = np.ravel(value)

    def copy_to(self, other: _BufferValues, path: str) -> None:
        """Gives the value to the buffers of another context."""
        own, to = self._slots[path], other._slots[path]
        if own.dtype != to.dtype or own.dtype == "f32":
            other[path] = self[path]
            return
        other._context.forgotten -= {path}
        getattr(other._context, to.buffer)[to.words] = getattr(self._context, own.buffer)[own.words]

    def __delitem__(self, path: str) -> None:
        raise CogirError(f"context: {path} cannot be removed")

    def __contains__(self, path: object) -> bool:
        return path in self._slots

    def __iter__(self) -> Iterator[str]:
        return iter(self._slots)

    def __len__(self) -> int:
        return len(self._slots)


def copy_value(path: str, source: Store, target: Store) -> None:
    """Gives one store a value of another; between buffers, without an array in between."""
    if isinstance(source, _BufferValues) and isinstance(target, _BufferValues):
        source.copy_to(target, path)
    else:
        target[path] = source[path]


def value_in(buffer: np.ndarray[Any, Any], slot: PlanSlot) -> Any:
    """The value in a slot of a buffer: a number, or an array of its own."""
    value = buffer[slot.words].astype(_KEPT[slot.dtype]).reshape(slot.shape)
    return value if slot.shape else value.item()


COMPARED = 2**15
"""So many numbers are compared at a time: what is compared of them stays in the caches."""


def same_bits(one: Floats | Words, other: Floats | Words) -> bool:
    """True if two buffers of the same length hold the same bits; long ones are not copied for it."""
    if len(one) <= COMPARED:
        return one.tobytes() == other.tobytes()
    bits, others = one.view(np.int64), other.view(np.int64)
    return all(np.array_equal(bits[begin : begin + COMPARED], others[begin : begin + COMPARED]) for begin in range(0, len(bits), COMPARED))


class KeptParameters(Mapping[str, Any]):
    """Copies of the parameter buffers, as values by path."""

    def __init__(self, plan: Plan, pf: Floats, pi: Words):
        self.pf, self.pi = pf, pi
        self._plan = plan

    @cached_property
    def _slots(self) -> dict[str, PlanSlot]:
        return {path: slot for path, slot in self._plan.slots.items() if slot.buffer in ("pf", "pi")}

    def __getitem__(self, path: str) -> Any:
        slot = self._slots[path]
        return value_in(self.pf if slot.buffer == "pf" else self.pi, slot)

    def __iter__(self) -> Iterator[str]:
        return iter(self._slots)

    def __len__(self) -> int:
        return len(self._slots)
