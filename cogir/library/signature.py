"""
What the signature of a node function says.

A node function is plain Python; its parameters play roles that the signature alone decides:

```python
@node_function(outputs=("value", "time"))
def integrate(stimulus, *, rate=1.0, previous_value: State = 0.0, random: Random, mode: Static = "euler"):
    ...
    return Step(outputs=(value, time), states=(value,), finished=value > 1.0)
```

| parameter                                | role                                                        |
|------------------------------------------|-------------------------------------------------------------|
| positional, no default                   | input port                                                  |
| a default, not annotated with a role     | parameter of the node (can be modulated)                    |
| `State`                                  | state carried to the next execution; its default starts it  |
| `Random`                                 | generator; draws are `random.normal(shape)` and so on       |
| `Static`                                 | specialisation constant (str, int, bool, enum, def, None)   |

A parameter or a state may say in which range it makes sense: `threshold: NonNegative = 1.0`, or `Annotated[float, NonNegative]`, or
`Annotated[float, Between(0.0, 2.0)]`. Values outside are refused where they are set.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from types import MappingProxyType
from typing import Annotated, Any, NamedTuple, Protocol, TypeVar, get_args, get_origin, get_type_hints

from cogir.errors import FunctionError
from cogir.ranges import Between


class Role(Enum):
    """The part that a parameter plays, when its annotation names one."""

    STATE = "State"
    RANDOM = "Random"
    STATIC = "Static"


class RandomStream(Protocol):
    """The methods of a `Random` argument; `cogir.library.random.generators.Stream` implements them over NumPy."""

    def normal(self, shape: Any = ()) -> Any:
        """Standard normals of this shape; a scalar for `()`."""
        ...

    def uniform(self, shape: Any = ()) -> Any:
        """Uniform numbers in [0, 1) of this shape; a scalar for `()`."""
        ...

    def integer(self, n: int) -> int:
        """One integer, uniform in [0, n)."""
        ...

    def exponential(self, scale: Any = 1.0, size: Any = None) -> Any:
        """Exponential numbers of mean `scale`."""
        ...

    def gamma(self, shape: Any, scale: Any = 1.0, size: Any = None) -> Any:
        """Gamma numbers of mean `shape * scale`."""
        ...

    def beta(self, a: Any, b: Any, size: Any = None) -> Any:
        """Beta numbers of mean `a / (a + b)`."""
        ...

    def lognormal(self, mean: Any = 0.0, sigma: Any = 1.0, size: Any = None) -> Any:
        """`exp(mean + sigma * N)` for standard normals N."""
        ...

    def binomial(self, n: Any, p: Any, size: Any = None) -> Any:
        """Numbers of successes in n trials of probability p."""
        ...

    def poisson(self, lam: Any = 1.0, size: Any = None) -> Any:
        """Counts of mean `lam`."""
        ...

    def geometric(self, p: Any, size: Any = None) -> Any:
        """Numbers of trials of probability p up to the first success."""
        ...

    def truncated_normal(self, low: Any, high: Any, mean: Any = 0.0, sigma: Any = 1.0, size: Any = None) -> Any:
        """Normal numbers between `low` and `high`."""
        ...

    def categorical(self, p: Any, size: Any = None) -> Any:
        """Indices 0, 1 ... with probabilities p."""
        ...

    def choice(self, a: Any, size: Any = None, replace: bool = True, p: Any = None) -> Any:
        """Elements of a vector, or whole numbers below a."""
        ...

    def permutation(self, x: Any) -> Any:
        """The numbers below x, or the elements of an array, in random order."""
        ...

    def sample(self, distribution: str, size: Any, *parameters: Any) -> Any:
        """Numbers from a distribution of `rng.sample`, of a known shape."""
        ...

    def shuffle(self, x: Any) -> None:
        """Puts the elements of an array in random order."""
        ...

    def seed(self, n: int) -> None:
        """Starts anew from this seed."""
        ...


State = Annotated[Any, Role.STATE]
Random = Annotated[RandomStream, Role.RANDOM]
Static = Annotated[Any, Role.STATIC]

Positive = Annotated[Any, Between(0.0, low_open=True)]
"""A parameter above 0, infinity included."""
NonNegative = Annotated[Any, Between(0.0)]
"""A parameter of at least 0, infinity included."""
Probability = Annotated[Any, Between(0.0, 1.0)]
"""A parameter from 0 to 1."""

Value = Any
"""An input, a parameter or a result: a number, or an array of static shape. Says nothing about the role."""


class Step(NamedTuple):
    """The result of a function with states: port values, next states in order of the parameters, and whether it finished."""

    outputs: Any
    states: Any = ()
    finished: Any = None


REQUIRED: Any = inspect.Parameter.empty
"""Stands for the default of a parameter that has none."""


@dataclass(frozen=True)
class FunctionSignature:
    """
    The parameters of a node function by role, each in the order of the source.

    `params`, `states` and `statics` map names to defaults (`REQUIRED` where there is none).
    """

    inputs: tuple[str, ...]
    params: Mapping[str, Any]
    states: Mapping[str, Any]
    randoms: tuple[str, ...]
    statics: Mapping[str, Any]
    outputs: tuple[str, ...]
    """Names of the output ports as declared by `@node_function`; empty when the default names apply."""
    ranges: Mapping[str, Between] = field(default_factory=lambda: MappingProxyType({}))
    """The ranges of the parameters and states that declare one."""

    @property
    def arguments(self) -> tuple[str, ...]:
        """Names of the run-time arguments in the order of the compiled function."""
        return (*self.inputs, *self.params, *self.states, *self.randoms)

    def output_names(self, count: int) -> tuple[str, ...]:
        """Names for `count` outputs: the declared ones, else `value`, or `value_0`, `value_1` ..."""
        if self.outputs:
            if len(self.outputs) != count:
                raise FunctionError(
                    f"@node_function declares {len(self.outputs)} outputs {list(self.outputs)}, but the function"
                    f" returns {count}; declare one name for each"
                )
            return self.outputs
        return ("value",) if count == 1 else tuple(f"value_{index}" for index in range(count))


_OUTPUTS_ATTRIBUTE = "__cogir_outputs__"

F = TypeVar("F", bound=Callable[..., Any])


def node_function(*, outputs: tuple[str, ...] = ()) -> Callable[[F], F]:
    """Decorator: names the output ports of a node function; the function itself stays as it is."""

    def declare(function: F) -> F:
        setattr(function, _OUTPUTS_ATTRIBUTE, tuple(outputs))
        return function

    return declare


def _place(function: Callable[..., Any]) -> str:
    code = getattr(function, "__code__", None)
    name = getattr(function, "__name__", repr(function))
    return f"{code.co_filename}:{code.co_firstlineno}: {name}" if code else name


def _said(annotation: Any) -> list[Any]:
    """The parts of an annotation beside the type: its metadata, and that of annotations among them (`Annotated[float, Positive]`)."""
    if get_origin(annotation) is Annotated:
        kind, *metadata = get_args(annotation)
        return [said for each in (kind, *metadata) for said in _said(each)]
    return [annotation] if isinstance(annotation, (Role, Between)) else []


def _role(annotation: Any) -> Role | None:
    return next((said for said in _said(annotation) if isinstance(said, Role)), None)


def _range(annotation: Any, what: str) -> Between | None:
    """The range that an annotation declares; `FunctionError` for a second one."""
    found = [said for said in _said(annotation) if isinstance(said, Between)]
    if len(found) > 1:
        raise FunctionError(f"{what} has {len(found)} ranges; declare one")
    return found[0] if found else None


def _hints(function: Callable[..., Any]) -> dict[str, Any]:
    """Annotations with their metadata; `FunctionError` for one that cannot be resolved, as it may be meant as a role."""
    if not any(isinstance(hint, str) for hint in getattr(function, "__annotations__", {}).values()):
        return dict(getattr(function, "__annotations__", {}))
    try:
        return get_type_hints(function, include_extras=True)
    except Exception as error:  # an annotation is any expression
        raise FunctionError(f"{_place(function)}: annotation cannot be resolved: {error}; import the name") from error


def signature_of(function: Callable[..., Any]) -> FunctionSignature:
    """
    The parameters of `function` by role.

    Raises `FunctionError` for `*args`, `**kwargs`, and for a `State` without a start value.
    """
    return _signature_of(function, _version(function))


def _version(function: Any) -> tuple[object, ...]:
    """
    The parts that may change of a function that stays the same object: IPython's autoreload gives it other code and defaults.

    Defaults count by identity, which lasts, as the signature in the cache keeps them.
    """
    code, outputs = getattr(function, "__code__", None), getattr(function, _OUTPUTS_ATTRIBUTE, ())
    by_keyword: dict[str, object] = getattr(function, "__kwdefaults__", None) or {}
    defaults = (*(getattr(function, "__defaults__", None) or ()), *by_keyword.values())
    wrapped = getattr(function, "__wrapped__", None)
    return code, outputs, tuple(by_keyword), tuple(map(id, defaults)), wrapped and _version(wrapped)


@lru_cache(maxsize=4096)
def _signature_of(function: Callable[..., Any], version: tuple[object, ...]) -> FunctionSignature:
    inputs: list[str] = []
    params: dict[str, Any] = {}
    states: dict[str, Any] = {}
    randoms: list[str] = []
    statics: dict[str, Any] = {}
    ranges: dict[str, Between] = {}
    hints = _hints(function)
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            stars = "*" if parameter.kind == parameter.VAR_POSITIONAL else "**"
            raise FunctionError(
                f"{_place(function)}: parameter {stars}{name} takes any number of arguments; name each argument, since"
                " the ports and parameters of a node are fixed; or write a function around it: def f(variable): return ...(variable)"
            )
        match _role(hints.get(name)):
            case Role.STATE:
                if parameter.default is REQUIRED:
                    raise FunctionError(f"{_place(function)}: state {name} has no initial value; write {name}: State = 0.0")
                states[name] = parameter.default
            case Role.RANDOM:
                randoms.append(name)
            case Role.STATIC:
                statics[name] = parameter.default
            case None:
                if parameter.default is REQUIRED and parameter.kind != parameter.KEYWORD_ONLY:
                    inputs.append(name)
                else:
                    params[name] = parameter.default
        if (declared := _range(hints.get(name), f"{_place(function)}: parameter {name}")) is not None:
            if name not in params and name not in states:
                raise FunctionError(f"{_place(function)}: {name} has a range, but is neither a parameter nor a state; leave the range out")
            ranges[name] = declared
    return FunctionSignature(
        tuple(inputs),
        MappingProxyType(params),
        MappingProxyType(states),
        tuple(randoms),
        MappingProxyType(statics),
        tuple(getattr(function, _OUTPUTS_ATTRIBUTE, ())),
        MappingProxyType(ranges),
    )
