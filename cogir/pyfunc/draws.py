"""
Draws from a `Random` argument: each takes the generator's state and leaves the next one.

    random.normal(x.shape)   ->   %v, %next = rng.normal %state : !rng.state<mt19937> -> tensor<2xf64>
    random.seed(n)           ->   %next = rng.seed %n : i64 -> !rng.state<mt19937>
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod

from cogir.dialects import rng
from cogir.library.random import methods
from cogir.library.random.generators import seed_bits
from cogir.limits import LARGEST_ARRAY
from cogir.pyfunc.elementwise import convert, node_of, scalar_of
from cogir.pyfunc.emitter import Emitter
from cogir.pyfunc.kinds import ELEMENT_TYPES, Kind, Shape, tensor_type
from cogir.pyfunc.source import did_you_mean
from cogir.pyfunc.trees import Tensor
from cogir.pyfunc.values import (
    Array,
    Const,
    GeneratorRef,
    GeneratorState,
    List,
    Scalar,
    Tuple,
    Value,
    describe,
    is_static,
    kind_of,
    shape_of_value,
    static,
)


def draw(
    e: Emitter,
    env: dict[str, Value],
    generator: GeneratorRef,
    name: str,
    arguments: Sequence[Value],
    named: Mapping[str, Value],
) -> Value:
    """`generator.name(...)`; the generator's next state is stored in `env`."""
    method = DRAWS.get(name)
    if method is None:
        known = (*DRAWS, *methods.NAMES)
        raise e.error(f"a generator draws with {', '.join(known)}, not '{name}'{did_you_mean(name, known)}")
    allowed = ("n",) if name in ("integer", "seed") else ("shape",)
    if len(arguments) + len(named) > 1 or any(key not in allowed for key in named):
        raise e.error(f"random.{name} takes one argument, {allowed[0]}; multiply and add to the drawn numbers for another scale or mean")
    argument = next(iter((*arguments, *named.values())), None)
    state = env[generator.key]
    assert isinstance(state, GeneratorState)
    value, following = method(e, state, argument)
    env[generator.key] = following
    return value


def _shape_of_draw(e: Emitter, shape: Value | None) -> Shape:
    if shape is None:
        return ()
    return () if isinstance(shape, Tuple) and not shape.items else shape_argument(e, shape)


def _floats(
    op_type: type[rng.NormalOp | rng.UniformOp],
) -> Callable[[Emitter, GeneratorState, Value | None], tuple[Value, GeneratorState]]:
    def emit(e: Emitter, state: GeneratorState, shape: Value | None) -> tuple[Value, GeneratorState]:
        extents = _shape_of_draw(e, shape)
        kind: Kind = "f64"
        op = op_type(state.ssa, tensor_type(extents, kind) if extents else ELEMENT_TYPES[kind])
        e.add(op)
        value: Value = Array(Tensor(op.value, extents, kind)) if extents else Scalar(op.value, kind, weak=True)
        return value, GeneratorState(op.next_state)

    return emit


def _integer(e: Emitter, state: GeneratorState, n: Value | None) -> tuple[Value, GeneratorState]:
    if n is None or kind_of(n) != "i64" or shape_of_value(n):
        raise e.error("random.integer(n) needs n, an int above 0: it draws from 0 to n - 1")
    if isinstance(n, Const) and n.value <= 0:
        raise e.error(f"random.integer({n.value}): n must be above 0")
    node = node_of(convert(e, n, "i64"))
    assert node is not None
    op = rng.IntegerOp(state.ssa, scalar_of(e, node))
    e.add(op)
    high = n.value - 1 if isinstance(n, Const) else None
    return Scalar(op.value, "i64", 0, high, weak=True), GeneratorState(op.next_state)


def shape_argument(e: Emitter, shape: Value) -> Shape:
    """A shape given as a tuple, a list, or one int; it must be known when the function is compiled."""
    if is_static(shape):
        held = static(shape)
        if held is None:
            return ()
        extents = tuple(held) if isinstance(shape, Tuple | List) else (held,)
        if all(isinstance(extent, int) and not isinstance(extent, bool) and extent > 0 for extent in extents):
            if (size := prod(extents)) > LARGEST_ARRAY:
                raise e.error(f"an array has {size} elements; an array of a model has at most {LARGEST_ARRAY}")
            return extents
        raise e.error(f"{held!r} is not a shape; give whole numbers above 0 (arrays cannot be empty here)")
    raise e.error(f"a shape must be known when the function is compiled, and this is {describe(shape)}; use x.shape or constants")


def _seed(e: Emitter, state: GeneratorState, n: Value | None) -> tuple[Value, GeneratorState]:
    if n is None or kind_of(n) != "i64" or shape_of_value(n):
        raise e.error("random.seed(n) needs n, an int: seeds are whole numbers; write int(n)")
    kind = state.ssa.type
    assert isinstance(kind, rng.StateType)
    bits = seed_bits(kind.kind.data)
    if isinstance(n, Const) and not 0 <= n.value < 2**bits:
        raise e.error(f"random.seed({n.value}): a seed must be a whole number in [0, 2**{bits})")
    node = node_of(convert(e, n, "i64"))
    assert node is not None
    op = rng.SeedOp(scalar_of(e, node), kind)
    e.add(op)
    return Const(None), GeneratorState(op.state)


DRAWS: dict[str, Callable[[Emitter, GeneratorState, Value | None], tuple[Value, GeneratorState]]] = {
    "normal": _floats(rng.NormalOp),
    "uniform": _floats(rng.UniformOp),
    "integer": _integer,
    "seed": _seed,
}
