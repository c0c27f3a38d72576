"""Text is the model: what is printed at any stage is read back, prints the same again, and gives the same numbers."""

# pyright: basic
from typing import Any

import numpy as np
import pytest

import cogir
from cogir import library
from cogir.dialects.text import parse_text
from cogir.library.signature import Random, Step, node_function
from cogir.lowering.pipeline import lower_to, stage_names
from cogir.tools.common import verify_module

MATRIX = [[0.5, -0.25, 0.0], [0.0, 0.5, 0.25], [1.0, 0.0, 0.5]]
NOT_FUNCTIONS = {
    "NonNegative",
    "Positive",
    "Probability",
    "Random",
    "State",
    "Static",
    "Step",
    "Value",
    "node_function",
    "psyneulink",
    "rearrange",
}
"""What the library has besides; `rearrange` makes functions."""
SOLVERS = {"euler", "euler_maruyama", "heun", "milstein", "rk4"}
"""Functions that take functions, so that they are called in node functions only; `swinging` is one."""
OUTCOME: dict[str, Any] = {"stimuli": 3, "outcome": 1}
TRANSITION: dict[str, Any] = {"state": 3, "reward": 1, "next_state": 3, "terminal": 1}
INPUTS: dict[str, Any] = {
    **dict.fromkeys(("rescorla_wagner", "pearce_hall", "hybrid_pearce_hall"), OUTCOME),
    "td_lambda": TRANSITION,
    **dict.fromkeys(("q_learning", "actor_critic"), TRANSITION | {"action": 2}),
    "sarsa": TRANSITION | {"action": 2, "next_action": 2},
    "attentional_decision": 2,
    "combine_means": (2, 3),
    "content_addressable_memory": (1, 3),
    "drift_on_a_sphere_integrator": 2,
    "hopfield_asynchronous": {"variable": 3, "weights": (3, 3)},
    "hopfield_storage": (2, 3),
    "hopfield_synchronous": {"variable": 3, "weights": (3, 3)},
    "em_storage": {"variable": 3, "memory_matrix": (3, 3)},
    "normal_quantile": (),
    "reduce": (2, 3),
}
"""The shape of the variable where it is not a vector of three elements."""
WITH_MATRIX = ("energy", "entropy", "matrix_distance", "matrix_transform", "matrix_transform_normalized", "stability")
GIVEN: dict[str, dict[str, Any]] = {
    **{name: {"matrix": MATRIX} for name in WITH_MATRIX},
    "buffer": {"rows": MATRIX},
    "content_addressable_memory": {"entries": [[row] for row in MATRIX]},
    "dictionary_memory": {"keys": MATRIX, "values": MATRIX},
    "matrix_memory": {"memory": MATRIX},
}
"""Parameters and states that fit the variable."""


def opposite(t, y, x):
    """A right-hand side."""
    return x - y * t


def swinging(x, *, random: Random):
    """A step of each integrator."""
    y = library.euler(opposite, 0.5, x, 0.1, (x,)) + library.heun(opposite, 0.5, x, 0.1, (x,)) + library.rk4(opposite, 0.5, x, 0.1, (x,))
    y = library.euler_maruyama(opposite, lambda t, y, x: 0.5, 0.5, y, 0.1, (x,), random=random)
    return library.milstein(opposite, lambda t, y, x: y, lambda t, y, x: 1.0, 0.5, y, 0.1, (x,), random=random)


@node_function(outputs=("first", "last", "both"))
def extremes(x):
    """Reductions with two results, over a vector and along an axis."""
    table = np.outer(x, x)
    return Step(outputs=(np.argmax(x) * 1.0, np.argmin(x) * 1.0, table.argmax(axis=0) * 1.0))


def everything(step: int) -> cogir.Model:
    """A model with every function of the library, or one in `step` of them."""
    model = cogir.Model("everything")
    for space, prefix in (library, ""), (library.psyneulink, "psyneulink_"):
        for name in sorted(set(space.__all__) - NOT_FUNCTIONS - SOLVERS)[::step]:
            model.node(prefix + name, getattr(space, name), input=INPUTS.get(name, 3), **GIVEN.get(name, {}))
    model.node("rearranged", library.rearrange((2, 0)), input=3)
    model.node("extremes", extremes, input=3)
    model.node("swinging", swinging, input=3)
    return model


@pytest.mark.parametrize("step", [pytest.param(1, marks=pytest.mark.full), 8])
def test_every_stage_is_read_back(step: int) -> None:
    """Each stage goes on from what was read, so that its text also says all that the next one needs."""
    module = everything(step).ir()
    since = "cog"
    for stage in stage_names():
        text = str(module)
        module = parse_text(text)
        verify_module(module)
        assert str(module) == text, f"before stage {stage}"
        lower_to(module, stage, since=since)
        since = stage
    assert str(parse_text(str(module))) == str(module)


@pytest.mark.parametrize("mode", ["python", "run"])
def test_reductions_with_two_results_run_from_text(mode: str) -> None:
    model = cogir.Model("m")
    model.node("n", extremes, input=3)
    inputs = [[3.0, -1.0, 5.0], [0.0, 0.0, -2.0]]
    parsed = cogir.compile(str(model.ir()), mode=mode, cache=False).run(inputs)
    direct = model.compile(mode="python").run(inputs)
    for port in direct.outputs:
        np.testing.assert_array_equal(parsed[port], direct[port])
    assert parsed["n", "first"].ravel().tolist() == [2.0, 0.0]
    assert parsed["n", "last"].ravel().tolist() == [1.0, 2.0]
