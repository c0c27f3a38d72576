"""
`cogir.analyze.equivalent`: whether two models, or two nodes, compute the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any, Literal, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from cogir.analysis.equivalence.compare import Answer, Question, Sense, compare
from cogir.analysis.equivalence.difference import element_name
from cogir.analysis.equivalence.evaluate import NotCompared
from cogir.analysis.equivalence.matching import Names, matched
from cogir.analysis.equivalence.program import ModelSignature, signature_of
from cogir.analysis.layout import Layout
from cogir.analyze.any_model import at_machine, model_of
from cogir.analyze.equivalence_result import Equivalence, OutputPair
from cogir.analyze.output_ranges import whole_number
from cogir.analyze.side_by_side import SideBySide
from cogir.callers import ends_at_caller
from cogir.errors import InputError, did_you_mean, shown, there_is
from cogir.frontend.compilable import Compilable
from cogir.runtime.numbers import NotNumbers, as_numbers
from cogir.runtime.short_names import find_short, short_names

Pairs: TypeAlias = "Mapping[str, Names] | Sequence[tuple[Names, Names]]"
Values: TypeAlias = "Mapping[str, npt.ArrayLike]"
LEVELS = {"bits": Sense.BITS, "reals": Sense.REALS, "distribution": Sense.DISTRIBUTION}

MOST_ATTEMPTS = 150
"""Settings of parameters that a search tries."""
NEUTRAL = (0.0, 1.0)
"""Values of parameters that a search tries: those that take a part out of a sum, or out of a product."""


@ends_at_caller
def equivalent(
    first: Any,
    second: Any,
    *,
    level: Literal["bits", "reals", "distribution"] = "distribution",
    inputs: Pairs | None = None,
    outputs: Pairs | None = None,
    nodes: str | tuple[str, str] | None = None,
    parameters: Values | tuple[Values, Values] | None = None,
    for_all: bool | Sequence[str] | Mapping[str, str] = False,
    find_parameters: bool | Sequence[str] = False,
    budget: int = 200_000,
) -> Equivalence:
    """
    Whether two models compute the same outputs from the same inputs, in every trial; shown by the compiler for all inputs.

    `first`, `second`: models of the builder, texts or modules, Compositions of PsyNeuLink, or nodes (`model.node(...)`); with `nodes`, the
    nodes of that name in them. A node is compared by itself, with the parameter values that it has.
    `level`: the weakest sense that counts as a yes: "bits", "reals" (the same real numbers, without rounding) or "distribution" (of
    random outputs). The strongest that can be shown is in the result.
    `inputs`, `outputs`: which ports belong together, where names and sizes do not say so: ports of the first model by those of the second,
    `{"all": ["a-0", "a-1"]}`, or pairs of ports or lists of ports, `[(["a-0", "a-1"], "all")]`.
    `parameters`: values that differ from those of the models, by name, such as `{"LCA/leak": 0.0}`; or a pair, for the first model and for
    the second.
    `for_all`: parameters for whose every value the answer is to hold, the same value in both: names, names of the first model by those of
    the second, or True for all that have one name and one shape in both.
    `find_parameters`: True, or names of parameters, to search for values (0, 1, those of the other model) under which the models are equal,
    if they are not with the values that they have. Such an answer is not a yes, as it is about other values.
    `budget`: the number of operations of a model, unrolled, at most.

    :raises ModelError: for what is no model. :raises InputError: for inputs, outputs or parameters that there are not.
    """
    if not isinstance(cast(object, level), str) or level not in LEVELS:
        raise InputError(f"level is {shown(level)}; give one of {', '.join(LEVELS)}")
    least = LEVELS[level]
    budget = whole_number(budget, "equivalent: budget")
    node_names = node_pair(nodes)
    models = model_of(first, node_names[0]), model_of(second, node_names[1])
    modules = at_machine(models[0]), at_machine(models[1])
    signatures = signature_of(Layout.from_module(modules[0])), signature_of(Layout.from_module(modules[1]))
    given = given_values(parameters, signatures)
    free = free_parameters(for_all, signatures)
    wanted = None
    if not isinstance(find_parameters, bool):
        everything = {**signatures[0].parameters, **signatures[1].parameters}
        wanted = [known_name(name, everything, "find_parameters") for name in names_in(find_parameters, "find_parameters")]
    question = Question(
        *modules,
        matched(signatures[0].inputs, signatures[1].inputs, inputs, "input"),
        matched(signatures[0].outputs, signatures[1].outputs, outputs, "output"),
        flat_values(given, signatures),
        tuple((signatures[0].paths[own], signatures[1].paths[other], prod(signatures[0].parameters[own])) for own, other in free),
        budget,
    )
    asked = Asked(models, question, signatures, least, given, tuple(own for own, _ in free))
    try:
        answer = compare(question, sources=find_parameters is not False)
    except NotCompared as error:
        return asked.result(None, reason=f"{error}")
    if find_parameters is False or answer.level >= least:
        return asked.result(answer)
    found = asked.searched(wanted, answer)
    return asked.result(answer) if found is None else found


def node_pair(nodes: Any) -> tuple[str | None, str | None]:
    """The nodes of both models that are compared; None for whole models."""
    pair = cast("tuple[Any, ...]", nodes) if isinstance(nodes, tuple) else (nodes, nodes)
    if len(pair) != 2 or not all(isinstance(each, str | None) for each in pair):
        raise InputError(f"nodes is {shown(nodes)}; give the name of a node, or a pair of them, for the first model and for the second")
    return cast("tuple[str | None, str | None]", pair)


def names_in(given: Any, what: str) -> list[str]:
    """The names in an argument: one, or several. Raises `InputError` for anything else."""
    names = [given] if isinstance(given, str) else given
    if not isinstance(names, Sequence | set | frozenset) or not all(isinstance(each, str) for each in cast("Sequence[Any]", names)):
        raise InputError(f"{what} is {shown(given)}; give True, the name of a parameter, or a list of names")
    return list(cast("Sequence[str]", names))


def values_in(given: Any) -> dict[str, Any]:
    """Values of parameters by name. Raises `InputError` for anything else."""
    if not isinstance(given, Mapping) or not all(isinstance(each, str) for each in cast("Mapping[Any, Any]", given)):
        raise InputError(f'parameters is {shown(given)}; give values by name, {{"node/rate": 0.5}}, or a pair of such dicts')
    return dict(cast("Mapping[str, Any]", given))


@dataclass(frozen=True)
class Asked:
    """A question, and what its answer says besides."""

    models: tuple[Compilable, Compilable]
    question: Question
    signatures: tuple[ModelSignature, ModelSignature]
    least: Sense
    given: tuple[dict[str, Any], dict[str, Any]]
    for_all: tuple[str, ...]

    def result(
        self, answer: Answer | None, reason: str | None = None, found: tuple[dict[str, Any], dict[str, Any]] | None = None
    ) -> Equivalence:
        """The result with an answer, or with the reason why there is none; a run that contradicts the answer makes it "not shown"."""
        pairs = self.question.outputs.pairs
        levels = answer.levels if answer else (Sense.NONE,) * len(pairs)
        runs = SideBySide(self.models, self.question.inputs, self.question.outputs, self._values(found or self.given))
        case = runs.case(answer.level) if answer and answer.level > Sense.DISTRIBUTION else None
        if case is not None:
            levels = (Sense.NONE,) * len(pairs)
            reason = f"the expressions are equal, but a run gives other numbers {case}"
        return Equivalence(
            (self.models[0].name, self.models[1].name),
            [OutputPair(element_name(own), element_name(other), each) for (own, other), each in zip(pairs, levels, strict=True)],
            self.least,
            inputs=self.question.inputs.words,
            matched_outputs=self.question.outputs.words,
            draws=answer is not None and answer.draws,
            parameters=together((self.models[0].name, self.models[1].name), found or self.given),
            found=found is not None,
            for_all=self.for_all,
            difference=answer.difference if answer else None,
            reason=reason,
            runs=runs,
        )

    def _values(self, values: tuple[dict[str, Any], dict[str, Any]]) -> tuple[dict[str, Any], dict[str, Any]]:
        """The values for runs: parameters that may take any value have that of the first model in both."""
        own, other = self.signatures
        names = ({path: name for name, path in signature.paths.items()} for signature in self.signatures)
        first, second = names
        shared = {
            second[theirs]: np.reshape(own.values[first[mine]], own.parameters[first[mine]]) for mine, theirs, _ in self.question.free
        }
        return values[0], {**values[1], **{name: held.reshape(other.parameters[name]) for name, held in shared.items()}}

    def searched(self, wanted: Sequence[str] | None, before: Answer) -> Equivalence | None:
        """
        The result with other values of parameters under which the models are equal; one value before two. Values under which an output
        no longer depends on all inputs on which it depended `before` do not count: all models are equal if nothing passes through them.
        """
        single = changes(self.signatures, wanted)
        pairs = [(one, other) for at, one in enumerate(single) for other in single[at + 1 :] if one[:2] != other[:2]]
        for tried in [*((one,) for one in single), *pairs][:MOST_ATTEMPTS]:
            new = self.given[0].copy(), self.given[1].copy()
            for side, name, value in tried:
                new[side][name] = value
            question = replace(self.question, values=flat_values(new, self.signatures))
            answer = compare(question, explain=False, sources=True)
            if answer.level >= self.least and answer.sources == before.sources:
                return self.result(answer, found=new)
        return None


def changes(signatures: tuple[ModelSignature, ModelSignature], wanted: Sequence[str] | None) -> list[tuple[int, str, float]]:
    """Single values of parameters that a search tries: of a model (0 or 1), by name; zeros first."""
    names = [
        (side, name)
        for side in (0, 1)
        for name in signatures[side].parameters
        if (name in wanted if wanted is not None else not is_initial(name))
        and all(isinstance(each, float) for each in signatures[side].values[name])
    ]
    found = [(side, name, value) for value in NEUTRAL for side, name in names if set(signatures[side].values[name]) != {value}]
    for side, name in names:
        last = name.rpartition("/")[2]
        for other, values in signatures[1 - side].values.items():
            if other.rpartition("/")[2] == last and len(values) == 1 and [values[0]] != signatures[side].values[name]:
                found.append((side, name, values[0]))
    return found


def is_initial(name: str) -> bool:
    """True if a parameter is what a state or a port begins with."""
    return name.rpartition("/")[2].startswith("initial:")


def together(names: tuple[str, str], values: tuple[dict[str, Any], dict[str, Any]]) -> dict[str, Any]:
    """Values of parameters of both models by name; with the name of the model, where both have different ones."""
    found: dict[str, Any] = {}
    for side, other in ((0, 1), (1, 0)):
        for name, value in values[side].items():
            differs = name in values[other] and not np.array_equal(values[other][name], value)
            found[f"{names[side]}: {name}" if differs else name] = value
    return found


def given_values(
    parameters: Values | tuple[Values, Values] | None, signatures: tuple[ModelSignature, ModelSignature]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The values that were given, for each model."""
    if parameters is None:
        return {}, {}
    if isinstance(parameters, tuple):
        if len(cast("tuple[Any, ...]", parameters)) != 2:
            raise InputError(f"parameters is {shown(parameters)}; give a pair of dicts, for the first model and for the second")
        own, other = (
            {known_name(name, signature.parameters): value for name, value in values_in(held).items()}
            for held, signature in zip(parameters, signatures, strict=True)
        )
        return own, other
    everything = {**signatures[0].parameters, **signatures[1].parameters}
    found: tuple[dict[str, Any], dict[str, Any]] = ({}, {})
    for name, value in values_in(parameters).items():
        for held, signature in zip(found, signatures, strict=True):
            known = name if name in signature.parameters else find_short(name, signature.parameters)
            if known is not None:
                held[known] = value
        if name not in everything and all(find_short(name, signature.parameters) is None for signature in signatures):
            known_name(name, everything)
    return found


def known_name(name: str, known: Mapping[str, Any], what: str = "parameters") -> str:
    """The name of a parameter, also from the short name of a matrix (`task->hidden`)."""
    found = name if name in known else find_short(name, known)
    if found is None:
        plain = [*(each for each in known if ":" not in each), *short_names(known)]
        raise InputError(f'{what}: there is no parameter "{name}"{did_you_mean(name, plain) or there_is(plain)}')
    return found


def flat_values(
    given: tuple[dict[str, Any], dict[str, Any]], signatures: tuple[ModelSignature, ModelSignature]
) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    """Values by path, with an element for each of the parameter."""
    own, other = (
        {signature.paths[name]: elements_of(name, value, signature) for name, value in values.items()}
        for values, signature in zip(given, signatures, strict=True)
    )
    return own, other


def elements_of(name: str, value: npt.ArrayLike, signature: ModelSignature) -> list[float]:
    """The elements of a value; one number stands for all."""
    shape = signature.parameters[name]
    kind = np.float64 if all(isinstance(each, float) for each in signature.values[name]) else np.int64
    try:
        return np.broadcast_to(as_numbers(value, kind), shape).ravel().tolist()
    except NotNumbers as error:
        raise InputError(f'parameters: "{name}": {error}') from None
    except ValueError:
        raise InputError(f'parameters: the value of "{name}" is {shown(value)}; give a number or an array of shape {shape}') from None


def free_parameters(
    for_all: bool | Sequence[str] | Mapping[str, str], signatures: tuple[ModelSignature, ModelSignature]
) -> list[tuple[str, str]]:
    """The parameters that may take any value, of the first model and of the second."""
    own, other = (signature.parameters for signature in signatures)
    if for_all is False:
        return []
    if for_all is True:
        floats = [name for name, values in signatures[0].values.items() if all(isinstance(each, float) for each in values)]
        return [(name, name) for name in floats if own[name] == other.get(name) and not is_initial(name)]
    if isinstance(for_all, Mapping):
        pairs = list(zip(names_in(list(for_all.values()), "for_all"), names_in(list(for_all), "for_all"), strict=True))
    else:
        pairs = [(name, name) for name in names_in(for_all, "for_all")]
    pairs = [(known_name(mine, own, "for_all"), known_name(theirs, other, "for_all")) for mine, theirs in pairs]
    for mine, theirs in pairs:
        if prod(own[mine]) != prod(other[theirs]):
            raise InputError(f'for_all: "{mine}" and "{theirs}" have different shapes; give parameters of one shape')
        if not all(isinstance(each, float) for each in signatures[0].values[mine] + signatures[1].values[theirs]):
            raise InputError(f'for_all: "{mine}" is a whole number; give parameters that are floats')
    return pairs
