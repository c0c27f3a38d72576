"""
Every optimisation off, each one off, each one alone, and all on: the same bits of results, of what searches chose and found, of all state
that is left, and of replicates. The optimisations are those of the pipeline; a new one takes part by itself.
"""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import numpy as np
import pytest
from support.compare_models import WAYS, compare_ways
from support.golden import CASES, flat_inputs, reference
from support.long import long
from support.random.models import Drawn, random_model

import cogir
from cogir.dialects import cog
from cogir.frontend.parsed import ParsedModel

ROOT = Path(__file__).parents[3]
sys.path.insert(0, str(ROOT / "examples"))

import ddm_integrator  # noqa: E402
import lca  # noqa: E402
from catalogue import EXAMPLES  # noqa: E402

AnyModel: TypeAlias = cogir.Model | ParsedModel


def from_text(name: str) -> ParsedModel:
    """An example as its file says it."""
    return cogir.Model.from_ir((ROOT / "examples" / f"{name}.mlir").read_text())


def keeping(name: str) -> ParsedModel:
    """An example whose searches keep the values of all points."""
    module = EXAMPLES[name].build().ir()
    for op in module.walk():
        if isinstance(op, cog.GridSearchOp):
            op.keeps = cog.KeepsAttr(cog.Keeps.VALUES)
    return cogir.Model.from_ir(module)


def searches(name: str) -> bool:
    """Whether an example has a controller."""
    return any(isinstance(op, cog.GridSearchOp) for op in EXAMPLES[name].build().ir().walk())


MODELS: dict[str, tuple[Callable[[], AnyModel], Mapping[str, Any], int]] = {
    **{f"{name}.mlir": (lambda name=name: from_text(name), example.inputs, example.trials) for name, example in EXAMPLES.items()},
    **{name: (example.build, example.inputs, example.trials) for name, example in EXAMPLES.items()},
    **{
        f"{name}, values kept": (lambda name=name: keeping(name), example.inputs, example.trials)
        for name, example in EXAMPLES.items()
        if searches(name) and name != "predator_prey_xl"  # unoptimised, each point copies all state, a million kept values included
    },
    **{
        f"{name}, {prng}": (lambda build=build, prng=prng: build(prng), EXAMPLES[name].inputs, 3)
        for name, build in (("ddm_integrator", ddm_integrator.build), ("lca", lca.build))
        for prng in ("philox4x64", "xoshiro256")
    },
    **{
        f"reference {case.file}": (case.build, flat_inputs(reference(case.file)["calls"][0]["inputs"]), 2)
        for case in CASES
        if case.file.endswith("philox")
    },
}
"""What builds each model, its inputs, and how many trials are run: all examples from their scripts and from their texts, and more."""
SAMPLE = ("chain_conditions.mlir", "predator_prey_s.mlir", "ddm_integrator, xoshiro256", "evc_ddm, values kept")


def drawn(name: str) -> Drawn:
    """A model, whose numbers all change between the first run and the second."""
    build, inputs, trials = MODELS[name]
    model = build()
    params = model.compile(mode="python").params
    changes = {path: 1.125 * np.asarray(params[path]) for path in params if "/param:" in path and np.asarray(params[path]).dtype == float}
    return Drawn(model, dict(inputs), trials, changes)


@pytest.mark.parametrize("name", [SAMPLE[0], SAMPLE[2], *long(SAMPLE[1], SAMPLE[3])])
def test_some_examples(name: str) -> None:
    """Each with some of the ways, together all of them."""
    compare_ways(drawn(name), list(WAYS)[SAMPLE.index(name) :: len(SAMPLE)])


@pytest.mark.full
@pytest.mark.parametrize("name", MODELS)
def test_all_examples(name: str) -> None:
    compare_ways(drawn(name), WAYS)


@pytest.mark.full
@pytest.mark.parametrize("number", range(120))
def test_random_models(eager: None, number: int) -> None:
    compare_ways(random_model(Random(number)), WAYS)
