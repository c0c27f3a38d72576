"""
One script with short calls of `run`, in one way; prints seconds as JSON, by the clock and of processor time. Called by `short_runs.py`, a
process for each way.
"""

from __future__ import annotations

import json
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

Seconds = tuple[float, float]


def seconds_of(call: Callable[[], Any]) -> Seconds:
    """Seconds of one call, by the clock and of processor time."""
    began, used = time.perf_counter(), time.process_time()
    call()
    return time.perf_counter() - began, time.process_time() - used


def stroop() -> Any:
    """
    The network of the Stroop task with which PsyNeuLink's primer begins: colors and words compete for a response, a task selects one of
    both, and a drift diffusion model decides, by its analytical solution.
    """
    import numpy as np
    import psyneulink as pnl

    response = pnl.ProcessingMechanism(name="OUTPUT", input_shapes=2, function=pnl.Logistic)
    task = pnl.ProcessingMechanism(name="TASK INPUT", input_shapes=2)
    composition = pnl.Composition(name="Stroop")
    for index, (name, strength) in enumerate((("COLOR", 2.0), ("WORD", 3.0))):
        shown = pnl.ProcessingMechanism(name=f"{name} INPUT", input_shapes=2)
        hidden = pnl.ProcessingMechanism(name=f"{name} HIDDEN", input_shapes=2, function=pnl.Logistic(bias=-4.0))
        weights = strength * np.array([[1.0, -1.0], [-1.0, 1.0]])
        attention = np.zeros((2, 2))
        attention[index] = 4.0
        composition.add_linear_processing_pathway([shown, weights, hidden, weights.copy(), response])
        composition.add_linear_processing_pathway([task, attention, hidden])
    composition.add_linear_processing_pathway([response, pnl.DDM(name="DECISION", input_format=pnl.ARRAY)])
    return composition


def stroop_inputs() -> dict[str, Any]:
    """A trial in which color and word say the same, and one in which they do not; the color is to be named in both."""
    red, green = [1.0, 0.0], [0.0, 1.0]
    return {"COLOR INPUT": [red, red], "WORD INPUT": [red, green], "TASK INPUT": [red, red]}


def script(short_runs: str | None, calls: int) -> list[Seconds]:
    """
    The seconds in which the script builds the network, and of its calls together. `short_runs`: where cogir, whose import is part of them,
    has short calls run; None without cogir.
    """
    import psyneulink  # noqa: F401  # the time of which every way takes

    def run(composition: Any) -> None:
        if short_runs is not None:
            from cogir.psyneulink import accelerate

            accelerate(short_runs=short_runs)
        for _ in range(calls):
            composition.run(stroop_inputs())

    built: list[Any] = []
    return [seconds_of(lambda: built.append(stroop())), seconds_of(lambda: run(*built))]


def three() -> tuple[Any, dict[str, Any]]:
    """Three Mechanisms in a row, one of which integrates, and the arguments of a call."""
    import psyneulink as pnl

    nodes = [
        pnl.TransferMechanism(name="first", function=pnl.Linear(slope=2.0)),
        pnl.TransferMechanism(name="second", function=pnl.Logistic()),
        pnl.TransferMechanism(name="third", integrator_mode=True, integration_rate=0.5),
    ]
    return pnl.Composition(name="three", pathways=[nodes]), {"inputs": {"first": [[1.0], [2.0]]}, "num_trials": 2}


def largest_search(tests: str) -> tuple[Any, dict[str, Any]]:
    """Predator-prey with a grid of 1,030,301 points, and the arguments of a call."""
    sys.path.insert(0, tests)
    from psyneulink_calls import XL, first_call
    from psyneulink_calls_worker import Model

    model = Model(XL, first_call(XL))
    return model.composition, {name: value for name, value in model.arguments.items() if name != "context"}


def contexts(model: str, is_native: bool, count: int, tests: str) -> list[list[Seconds]]:
    """
    The seconds of calls in some new execution contexts; of as many later ones in each, one after the other; and of as many in turns, so
    that each call follows one in another context.
    """
    composition, arguments = three() if model == "three" else largest_search(tests)
    if is_native:
        from cogir.psyneulink import accelerate

        accelerate(strict=True)

    def call(context: str) -> Seconds:
        return seconds_of(lambda: composition.run(**arguments, context=context))

    names = [f"context {number}" for number in range(count)]
    call("the first context, in which it is compiled")
    return [
        [call(name) for name in names],
        [call(name) for name in names for _ in range(2)][1::2],
        [call(name) for name in names],
    ]


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    asked, given = sys.argv[1], json.loads(sys.argv[2])
    print(json.dumps(script(**given) if asked == "script" else contexts(**given)))
