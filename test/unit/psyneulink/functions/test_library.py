"""
The library against the installed PsyNeuLink: the same Functions with random parameters, shapes and inputs, called several times.

Held against PsyNeuLink's own call are the library function run as Python, and compiled in a model of one node; then values, states
and generators agree. Without PsyNeuLink these tests are left out.
"""

from __future__ import annotations

import copy
import os
import zlib
from typing import Any

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.functions import MAKERS, Case

import cogir
from cogir.errors import ModelError
from cogir.library.random.generators import Stream
from cogir.library.signature import Step, signature_of
from cogir.psyneulink.functions.counterpart import Counterpart, kind_and_words
from cogir.psyneulink.functions.table import TABLE, counterpart

pytestmark = pytest.mark.filterwarnings("ignore")

IN_PYTHON = int(os.environ.get("COGIR_PSYNEULINK_CASES", "6"))
"""Random cases for each class, run as Python."""
NATIVE = 2
"""So many of them, for each maker of the class, are compiled, too."""
BUILT = sorted(name for name, entry in TABLE.items() if entry.build is not None)


def close(found: Any, expected: Any, what: str, tolerance: float = 1e-12) -> None:
    """Equal up to `tolerance` of the larger of the element and the largest one; NaN and infinity where PsyNeuLink has them."""
    if isinstance(expected, tuple | list) or (isinstance(expected, np.ndarray) and expected.dtype.hasobject):
        assert len(found) == len(expected), what
        for position, (one, other) in enumerate(zip(found, expected, strict=True)):
            close(one, other, f"{what}[{position}]", tolerance)
        return
    a, b = np.asarray(found, float), np.asarray(expected, float)
    assert a.shape == b.shape, f"{what}: shape {a.shape}, PsyNeuLink has {b.shape}"
    largest = np.max(np.abs(b), initial=0.0, where=np.isfinite(b))
    finite = np.isfinite(b)
    assert np.array_equal(a[~finite], b[~finite], equal_nan=True), f"{what}: {a}, PsyNeuLink has {b}"
    excess = np.abs(a - b)[finite] - tolerance * np.maximum(np.abs(b), largest)[finite]
    assert np.all(excess <= 0.0), f"{what}: {a}, PsyNeuLink has {b}"


class Run:
    """What a counterpart gave: a value for each call, all outputs of the last one, then its states and the words of its generators."""

    def __init__(self, values: list[Any], last: dict[str, Any], states: dict[str, Any], words: dict[str, Any]):
        self.values, self.last, self.states, self.words = values, last, states, words


def run_python(cp: Counterpart, inputs: list[dict[str, Any]]) -> Run:
    """The library function as Python."""
    signature = signature_of(cp.function)
    streams = {name: Stream(*kind_and_words(source)) for name, source in cp.randoms.items()}
    states: dict[str, Any] = {name: np.array(value) if np.ndim(value) else value for name, value in cp.states.items()}
    values: list[Any] = []
    named: dict[str, Any] = {}
    for given in inputs:
        result = cp.function(*(given[name] for name in signature.inputs), **cp.params, **states, **cp.statics, **streams)
        outputs = result.outputs if isinstance(result, Step) else result
        if isinstance(result, Step):
            states = dict(zip(states, result.states, strict=True))
        outputs = outputs if isinstance(outputs, tuple) else (outputs,)
        named = dict(zip(cp.outputs, outputs, strict=True))
        values.append(cp.value(named))
    return Run(values, named, states, {name: stream.words for name, stream in streams.items()})


def run_native(cp: Counterpart, inputs: list[dict[str, Any]]) -> Run:
    """The library function in a model of one node, compiled."""
    model = cogir.Model("one")
    given: dict[str, Any] = {"params": {**cp.params, **cp.states, **cp.statics}}
    if cp.randoms:
        given["state"] = dict(cp.randoms)
    node = model.node("f", cp.function, input={name: np.shape(value) for name, value in inputs[0].items()}, **given)
    assert tuple(node.outputs) == tuple(cp.outputs)
    compiled = model.compile()
    rows = np.array([np.concatenate([np.ravel(value) for value in one.values()]) for one in inputs])
    result = compiled.run(rows)
    columns = {name: result["f", name] for name in cp.outputs}
    values = [cp.value({name: column[trial] for name, column in columns.items()}) for trial in range(len(inputs))]
    context = compiled.context(None)
    words = {name: context.generators.words(next(path for path in context.generators if path.endswith(f":{name}"))) for name in cp.randoms}
    last = {name: column[-1] for name, column in columns.items()}
    return Run(values, last, {name: context.state[f"f/{name}"] for name in cp.states}, words)


def held_by(owner: Any, name: str) -> Any:
    """What PsyNeuLink holds."""
    context = pnl.core.globals.context.Context(execution_id=None)
    return getattr(owner, name) if name.startswith("_") else getattr(owner.parameters, name)._get(context)


def compare(case: Case, native: bool, what: str) -> None:
    """Runs a case in all ways and holds the others against PsyNeuLink."""
    cp = counterpart(case.function, variable=case.variables[0], params=case.params)
    inputs = [cp.arguments(variable, case.params) for variable in case.variables]
    runs = {"Python": run_python(cp, inputs)}
    if native:
        runs["native"] = run_native(cp, inputs)
    expected = []
    for variable in case.variables:
        params = {name: value.copy() if isinstance(value, np.ndarray) else value for name, value in case.params.items()}
        # PsyNeuLink goes on to write into the arrays that it returned.
        expected.append(copy.deepcopy(case.function(variable, **({"params": params} if params else {}))))
    for way, run in runs.items():
        for call, (found, wanted) in enumerate(zip(run.values, expected, strict=True)):
            close(found, wanted, f"{what}, {way}, call {call}", case.tolerance)
        for name, place in cp.outputs.items():
            if place.parameter not in ("value", ""):
                found = np.reshape(run.last[name], place.shape)
                close(found, held_by(place.owner, place.parameter), f"{what}, {way}, {place.parameter}", case.tolerance)
        for write in cp.written(run.states):
            if write.parameter not in ("key_size", "val_size"):
                kept = held_by(write.owner, write.parameter)
                close(
                    list(write.value) if not isinstance(write.value, np.ndarray) else write.value,
                    list(kept) if not isinstance(kept, np.ndarray) else kept,
                    f"{what}, {way}, {write.parameter}",
                )
        for name, words in run.words.items():
            assert np.array_equal(words, kind_and_words(held_by(cp.places[name].owner, "random_state"))[1]), f"{what}, {way}, {name}"


@pytest.mark.parametrize("name", BUILT)
def test_class_as_in_psyneulink(name: str) -> None:
    """All makers of a class, with random cases."""
    makers = MAKERS[name]
    for number in range(max(IN_PYTHON, 3 * len(makers))):
        rng = np.random.default_rng([zlib.crc32(name.encode()), number])
        case = makers[number % len(makers)](rng)
        compare(case, number < NATIVE * len(makers), f"{name} {number}")


def test_every_class_is_in_the_table() -> None:
    """Whatever PsyNeuLink ships and can be made is in the table, under its module, and nothing else."""
    from psyneulink.core.components.functions.function import Function_Base

    def below(kind: type) -> set[type]:
        return {one for sub in kind.__subclasses__() for one in {sub, *below(sub)}}

    abstract = {
        "TransferFunction",
        "DeterministicTransferFunction",
        "TransformFunction",
        "SelectionFunction",
        "ObjectiveFunction",
        "TimerFunction",
        "DistributionFunction",
        "LearningFunction",
        "StatefulFunction",
        "IntegratorFunction",
        "MemoryFunction",
    }
    shipped = {kind for kind in below(Function_Base) if kind.__module__.startswith("psyneulink.")}
    assert abstract <= {kind.__name__ for kind in shipped}
    assert {kind.__name__: kind.__module__ for kind in shipped if kind.__name__ not in abstract} == {
        name: entry.module for name, entry in TABLE.items()
    }
    assert set(BUILT) == set(MAKERS)


def test_derived_and_changed_functions_are_refused() -> None:
    """Neither a class that looks like one of PsyNeuLink's nor a replaced method passes for it."""

    class Linear(pnl.Linear):
        def _function(self, variable: Any = None, context: Any = None, params: Any = None) -> Any:
            return super()._function(variable, context, params) * 2.0

    with pytest.raises(ModelError, match=r"Linear Function.*is not supported; use Linear itself"):
        counterpart(Linear())
    changed = pnl.Linear()
    changed._function = lambda variable=None, context=None, params=None: variable
    with pytest.raises(ModelError, match=r"its method _function was replaced"):
        counterpart(changed)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: pnl.SimpleIntegrator(noise=lambda: 0.1), r"noise is drawn by .*; give a number or a distribution"),
        (lambda: pnl.Buffer(), r"history is None.*; give history="),
        (
            lambda: pnl.TransferWithCosts(enabled_cost_functions=pnl.CostFunctions.INTENSITY, intensity_cost_fct=lambda x: x),
            r"intensity_cost_fct: ",
        ),
        (lambda: pnl.SoftMax(gain="adaptive", output="PROB"), r"gain is adaptive"),
        (lambda: pnl.BayesGLM(), r"singular value decomposition.*; run it in PsyNeuLink"),
        (lambda: pnl.EMStorage(), r"without a memory_matrix"),
        (lambda: pnl.UserDefinedFunction(lambda x: x), r"compiled from its source"),
    ],
)
def test_what_is_refused_is_named(make: Any, message: str) -> None:
    """Component, feature, remedy."""
    function = make()
    with pytest.raises(ModelError, match=message) as error:
        counterpart(function)
    assert str(error.value).startswith(function.name)


def test_generators_of_philox_are_read() -> None:
    """A normal distribution over NumPy's Philox is the same stream; a gamma distribution over it is refused."""
    from psyneulink.core.globals.utilities import _SeededPhilox

    for kind in (pnl.NormalDist, pnl.UniformDist):
        function = kind()
        function.parameters.random_state.set(_SeededPhilox([5]))
        compare(Case(function, [np.zeros(1)] * 4), True, kind.__name__)
    gamma = pnl.GammaDist()
    gamma.parameters.random_state.set(_SeededPhilox([5]))
    with pytest.raises(ModelError, match="GammaDist with the Philox generator"):
        counterpart(gamma)


def test_dropout_while_it_learns() -> None:
    """In a learning context, Dropout draws from the generator of the BinomialDistort inside."""
    from psyneulink.core.globals.context import Context, ContextFlags

    rng = np.random.default_rng(1)
    for shape in ((3,), (1, 3)):
        function = pnl.Dropout(default_variable=np.zeros(shape), p=0.4)
        context = Context(execution_id=None, runmode=ContextFlags.LEARNING_MODE, source=ContextFlags.COMMAND_LINE)
        cp = counterpart(function, context)
        inputs = [cp.arguments(rng.normal(size=shape)) for _ in range(5)]
        runs = run_python(cp, inputs), run_native(cp, inputs)
        for call, given in enumerate(inputs):
            wanted = copy.deepcopy(function(given["variable"], context=context))
            for run in runs:
                close(run.values[call], wanted, f"Dropout {shape}, call {call}")
