"""
Python functions as nodes take them: roles from the signature, values for the parameters, start values and generators.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from types import BuiltinFunctionType, FunctionType
from typing import Any, cast

import numpy as np

from cogir.errors import CogirError, FunctionError, ModelError, quoted, shown
from cogir.frontend.builder.dtypes import not_in_float32
from cogir.frontend.builder.generators import checked_kind, checked_seed
from cogir.frontend.builder.records import FunctionRecord, StreamRecord
from cogir.frontend.builder.shapes import FirstCall, NoNumbers, Returned, StillStream, call_once, returned_in_python
from cogir.frontend.builder.signatures import describe, signature_for
from cogir.frontend.builder.source_location import SourceLocation, did_you_mean
from cogir.frontend.builder.values import Array, ValueType, as_value
from cogir.library import psyneulink
from cogir.library.signature import REQUIRED, signature_of
from cogir.ranges import Between
from cogir.runtime.named_data import is_sparse

FUNCTION_TYPES: tuple[type, ...] = (FunctionType, cast(type, functools.partial), BuiltinFunctionType, np.ufunc, type(cast(object, np.sum)))
FUNCTION_BY_KEYWORD = 'the function stands after the name, without a keyword: m.node("{name}", cogir.library.linear)'
STATIC_TYPES: tuple[type, ...] = (str, int, bool, float, Enum, type(None), *FUNCTION_TYPES)
"""The types that a constant of the program may have."""


def function_record(
    function: Callable[..., Any],
    given: Mapping[str, Any],
    what: str,
    place: SourceLocation,
    new_stream: Callable[[str, int], StreamRecord],
    *,
    python: bool = False,
    options: Iterable[str] = (),
) -> FunctionRecord:
    """
    The function with its parameters, states and constants as given, else as its signature says.

    `new_stream` makes the generator of each `Random` argument from its name and how many there are. `python`: one that can only be called
    will do, too. `options`: the other keywords of the call, which a misspelt parameter may mean.
    """
    signature = signature_for(function, what, place, python=python)
    known = (*signature.params, *signature.states, *signature.statics)
    for name in given:
        if name in known:
            continue
        if name in signature.inputs:
            raise ModelError(f'{place}: {what}: "{name}" is an input of {describe(function)}; give its shape in `input`')
        if name in signature.randoms:
            raise ModelError(f'{place}: {what}: "{name}" is the generator of {describe(function)}; give `seed` or `state`')
        if name == "function":
            raise ModelError(f"{place}: {what}: {FUNCTION_BY_KEYWORD.format(name='name')}")
        elsewhere = of_psyneulink(function, name) or did_you_mean(name, known, options)
        raise ModelError(f'{place}: {what}: {describe(function)} has no parameter "{name}"{elsewhere}')
    return FunctionRecord(
        function=function,
        signature=signature,
        params=_values(signature.params, signature.ranges, given, "parameter", what, place),
        states=_values(signature.states, signature.ranges, given, "start of state", what, place),
        statics={name: _static(name, given.get(name, default), what, place) for name, default in signature.statics.items()},
        streams={name: new_stream(name, len(signature.randoms)) for name in signature.randoms},
    )


def of_psyneulink(function: Callable[..., Any], parameter: str) -> str:
    """Says that PsyNeuLink's form of a function of the library has a parameter; empty if it has not."""
    name = getattr(function, "__name__", "")
    theirs = getattr(psyneulink, name, None) if name in psyneulink.__all__ else None
    is_plain = getattr(function, "__module__", "").startswith("cogir.library.") and theirs is not function
    if theirs is None or not is_plain:
        return ""
    declared = signature_of(theirs)
    if parameter not in (*declared.params, *declared.states, *declared.statics):
        return ""
    return f"; library.psyneulink.{name} has it"


def has_operators_of_its_own(default: object) -> bool:
    """True for a matrix of NumPy or a sparse one of SciPy."""
    return isinstance(default, np.matrix) or is_sparse(default)


def _values(
    defaults: Mapping[str, Any], ranges: Mapping[str, Between], given: Mapping[str, Any], kind: str, what: str, place: SourceLocation
) -> dict[str, Array]:
    """The values as given, else the defaults; refuses those outside the ranges that the function declares."""
    result: dict[str, Array] = {}
    for name, default in defaults.items():
        value = given.get(name, default)
        if value is REQUIRED:
            raise ModelError(f'{place}: {what}: parameter "{name}" has no value and no default; give {name}=...')
        if value is default and has_operators_of_its_own(default):
            raise ModelError(
                f'{place}: {what}: {kind} "{name}" has a default of class {type(default).__name__}, whose * is not that of arrays, which '
                f"cogir takes it for; write np.asarray({name}), or {name}.toarray() of a sparse matrix, where it is defined, and @ for "
                "products of matrices"
            )
        kept = as_value(value, f'{what}: {kind} "{name}"', place, default)
        if name in ranges and not ranges[name].holds(kept):
            raise ModelError(f'{place}: {what}: {kind} "{name}" is {shown(value)}; {ranges[name].demand(kept)}')
        result[name] = kept
    return result


def _static(name: str, value: Any, what: str, place: SourceLocation) -> Any:
    if value is REQUIRED:
        raise ModelError(f'{place}: {what}: constant "{name}" has no value and no default; give {name}=...')
    if not isinstance(value, STATIC_TYPES):
        raise ModelError(
            f'{place}: {what}: constant "{name}" is {shown(value)}; give a string, a number, a bool, an enum, None, or a function (a def, '
            "a lambda, a functools.partial or one of NumPy's)"
        )
    return value


def returned_by(
    body: FunctionRecord, inputs: Mapping[str, ValueType], what: str, place: SourceLocation, *, python: bool = False
) -> tuple[dict[str, ValueType], bool]:
    """
    The types of the function's outputs by name, and whether it says when it has finished; its states take their final shapes.

    A function that cannot be compiled raises `FunctionError`. With `python`, one of the user's is called once, to see what it returns, and
    a warning says that it will be called.
    """
    python = python and not is_librarys(body.function)
    why = why_not_compiled(body, inputs) if python else None
    call = first_call(body, inputs, what, place)
    returned = None if why is not None or call.is_float32 else call_once(call)
    if returned is None and why is None:
        from cogir.frontend.emit.returned_types import compiles_in_float64, returned_by_compiling

        try:
            returned = returned_by_compiling(body, inputs)
        except FunctionError as error:
            if not python:
                if call.is_float32 and is_librarys(body.function) and compiles_in_float64(body, inputs):
                    raise not_in_float32(body, what, place) from None
                raise FunctionError(f"{place}: {what}: {error}") from None
            why = str(error)
    if why is not None:
        returned = called_in_python(call, why)
        body.python = why
        warn_not_compiled(why, what, place)
    assert returned is not None
    body.states = dict(zip(body.states, returned.states, strict=True))
    try:
        names = body.signature.output_names(len(returned.outputs))
    except FunctionError as error:
        raise ModelError(f"{place}: {what}: {error}") from None
    return dict(zip(names, returned.outputs, strict=True)), returned.finishes


def is_librarys(function: Callable[..., Any]) -> bool:
    """True for the functions of `cogir.library`, which can be compiled wherever they make sense."""
    return str(getattr(function, "__module__", None)).partition(".")[0] == "cogir"


def why_not_compiled(body: FunctionRecord, inputs: Mapping[str, ValueType]) -> str | None:
    """The reason why a function cannot be compiled, if there is a sign that it cannot; else None."""
    if not isinstance(body.function, FunctionType):
        return f"{describe(body.function)} is a {type(body.function).__name__}; only functions written with def or lambda can be compiled"
    from cogir.frontend.builder.outside_subset import looks_outside_subset

    if looks_outside_subset(body.function):
        from cogir.frontend.emit.returned_types import returned_by_compiling

        try:
            returned_by_compiling(body, inputs)
        except FunctionError as error:
            return str(error)
    return None


def called_in_python(call: FirstCall, why: str) -> Returned:
    """The types that a function which cannot be compiled, for this reason, returns when it is called."""
    try:
        return returned_in_python(call)
    except NoNumbers as reason:
        raise FunctionError(
            f"{call.place}: {call.what}: {why}; and when it is called in Python with its initial values, {reason}"
        ) from reason.__cause__


def first_call(body: FunctionRecord, inputs: Mapping[str, ValueType], what: str, place: SourceLocation) -> FirstCall:
    """A call of a function with its start values."""
    keywords: dict[str, Any] = {name: value.item() if value.shape == () else value for name, value in body.params.items()}
    keywords |= body.statics
    keywords |= {name: StillStream() for name in body.streams}
    return FirstCall(body.function, tuple(np.zeros(kept.shape, kept.dtype) for kept in inputs.values()), keywords, body.states, what, place)


def warn_not_compiled(why: str, what: str, place: SourceLocation) -> None:
    """Warns, at the user's line, that a function will be called in Python."""
    message = f"{place}: {what}: {why}; it is called in Python, so its model does not run in modes run and exec"
    warnings.warn_explicit(message, NotCompiledWarning, place.file, place.line)


class NotCompiledWarning(UserWarning):
    """The function of a node cannot be compiled; modes auto, per_node and python call it in Python."""


class Streams:
    """Makes the generators of a model, of kind `prng` where no other is given, and counts those that are given no seed."""

    def __init__(self, seed: object, prng: object, what: str, place: SourceLocation):
        self.kind = checked_kind(prng, what, place)
        self.seed = checked_seed(seed, what, place, self.kind)
        self._numbers: dict[tuple[str, str], int] = {}
        """The numbers that were given out, by the part of the model and the argument: a node that is replaced keeps its own."""

    def __repr__(self) -> str:
        """The kind of generators that are given none, and the seed."""
        return f"<streams of {self.kind}, seed {self.seed}>"

    def new(self, name: str, role: str, seed: Any, state: Any, prng: str | None, what: str, place: SourceLocation) -> StreamRecord:
        """
        The generator of the argument `role`. `seed` and `state` may be dicts by role; at most one of them is given.

        A state is a NumPy `RandomState`, `Generator` or bit generator, what their `get_state()` or `.state` return, or
        the words of a state.
        """
        chosen = None if prng is None else checked_kind(prng, what, place)
        if isinstance(seed, Mapping):
            seed = cast(Mapping[str, Any], seed).get(role)
        if isinstance(state, Mapping) and "bit_generator" not in state:
            state = cast(Mapping[str, Any], state).get(role)
        if seed is not None and state is not None:
            raise ModelError(f"{place}: {what}: found both a seed and a state for its generator; give one of them")
        if state is not None:
            kind, words = _words_of(state, what, place)
            if chosen not in (None, kind):
                raise ModelError(f"{place}: {what}: found prng={quoted(prng)} and a state of {kind}; leave prng out")
            return StreamRecord(name, kind, None, words)
        kind = self.kind if chosen is None else chosen
        if seed is not None:
            return StreamRecord(name, kind, checked_seed(seed, what, place, kind), None)
        number = self._numbers.setdefault((what, role), len(self._numbers))
        if kind != "xoshiro256":
            checked_seed(self.seed + number, what, place, kind)
        return StreamRecord(name, kind, self.seed, None, number)


def _words_of(state: Any, what: str, place: SourceLocation) -> tuple[str, Array]:
    """The kind and the words of a generator's state in any of the forms that NumPy has."""
    from cogir.runtime.generator_states import state_words

    try:
        return state_words(state)
    except CogirError as error:
        raise ModelError(f"{place}: {what}: {error}") from None
