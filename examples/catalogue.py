"""
All examples by name: how to build each, and inputs to try it with.

`python examples/catalogue.py` writes each of them as `cog` text, `examples/<name>.mlir`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import botvinick_stroop
import chain
import chain_conditions
import ddm_analytical
import ddm_integrator
import evc_ddm
import extended_stroop
import lca
import multitasking
import necker_cube
import predator_prey

import cogir

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Example:
    """A model, inputs for it, and how many trials show what it does."""

    build: Callable[[], cogir.Model]
    inputs: dict[str, Any]
    trials: int = 3


STROOP = botvinick_stroop.INPUTS["incongruent"]
VERTICES = {f"{reading}-{i}": [[0.5 - 0.1 * i], [0.1 * i]] for reading in "ab" for i in range(8)}
MULTITASKING = {"mnet/input": [[1, 0, 0, 1, 0, 0], [0, 1, 0, 0, 0, 1]], "mnet/control": [[1, 0, 0, 0], [0, 0, 0, 1]]}

EXAMPLES = {
    "ddm_integrator": Example(ddm_integrator.build, {"DDM": [[0.3], [0.5], [0.1], [-0.4]]}),
    "ddm_analytical": Example(ddm_analytical.build, {"IN": [[0.3], [0.5], [0.1], [0.0], [-0.4]]}, 5),
    "lca": Example(lca.build, {"IN": [[1.0, 0.5, 0.2], [0.1, 0.9, 0.3]]}),
    "chain": Example(chain.build, {"A": [[1.0, -0.5], [0.0, 0.4]]}),
    "chain_conditions": Example(chain_conditions.build, {"A": [[1.0], [2.0], [-1.0]]}),
    "botvinick_stroop": Example(botvinick_stroop.build, STROOP),
    "extended_stroop_a": Example(lambda: extended_stroop.build("A"), STROOP),
    "extended_stroop_b": Example(lambda: extended_stroop.build("B"), STROOP),
    "necker_s": Example(lambda: necker_cube.build("s"), {name: rows for name, rows in VERTICES.items() if name[-1] in "012"}),
    "necker_m": Example(lambda: necker_cube.build("m"), VERTICES),
    "necker_vectorised": Example(lambda: necker_cube.build("vectorised"), {"node3": [[0.25] * 16], "node4": [[-0.5] * 16]}),
    "multitasking": Example(multitasking.build, MULTITASKING, 2),
    "evc_ddm": Example(evc_ddm.build, {"Target": [[1.0], [0.5]], "Flanker": [[-0.5], [0.7]], "Reward": [[10.0], [20.0]]}, 2),
    "predator_prey_s": Example(lambda: predator_prey.build("s"), predator_prey.INPUTS),
    "predator_prey_m": Example(lambda: predator_prey.build("m"), predator_prey.INPUTS, 1),
    "predator_prey_l": Example(lambda: predator_prey.build("l"), predator_prey.INPUTS, 1),
    "predator_prey_xl": Example(lambda: predator_prey.build("xl"), predator_prey.INPUTS, 1),
}


if __name__ == "__main__":
    for name, example in EXAMPLES.items():
        (FOLDER / f"{name}.mlir").write_text(str(example.build().ir()) + "\n")
