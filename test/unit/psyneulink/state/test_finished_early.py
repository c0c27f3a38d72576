"""Mechanisms that may have finished before they are executed, while a condition asks them: PsyNeuLink's numbers, or a refusal."""

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import numpy as np
import psyneulink as pnl
import pytest

from cogir.psyneulink import UnsupportedFeature, accelerate

SCALES = pnl.TimeScale
AT_START: dict[str, Any] = {"reset_stateful_function_when": pnl.AtTrialStart()}


def integrating(**settings: Any) -> Any:
    """A Mechanism that integrates, and is executed once whenever it is called."""
    always: dict[str, Any] = {"input_shapes": 2, "integrator_mode": True, "integration_rate": 0.3, "execute_until_finished": False}
    return pnl.TransferMechanism(**{"termination_comparison_op": ">=", **always, **settings})


def ending(mechanism: Any, passes: int = 4) -> dict[Any, Any]:
    """A trial ends as soon as a Mechanism has finished, or after some passes."""
    return {SCALES.TRIAL: pnl.Any(pnl.WhenFinished(mechanism), pnl.AfterNPasses(passes))}


def made(composition: Any, mechanism: Any, key: Any = None) -> tuple[Any, int]:
    """Results, and executions of a Mechanism."""
    held = composition.parameters.results.get(key or composition)
    numbers = [float(number) for result in held for values in result for number in np.ravel(values)]
    return numbers, int(mechanism.parameters.num_executions.get(key or composition).life)


def beside(measure: Any = SCALES.TRIAL, asks: Callable[[Any], Any] = pnl.WhenFinished) -> Any:
    """A node of the same consideration set asks."""
    counting, asking = integrating(termination_measure=measure, termination_threshold=2), pnl.TransferMechanism()
    composition = pnl.Composition(nodes=[counting, asking])
    composition.scheduler.add_condition(asking, asks(counting))
    composition.termination_processing = {SCALES.TRIAL: pnl.AfterNPasses(4)}
    composition.run({counting: [[1.0, 0.4]] * 3})
    return made(composition, asking)


def shared(is_first: bool) -> Any:
    """One condition of two nodes, of which one is in the same consideration set as the Mechanism that it asks."""
    counting = integrating(termination_measure=SCALES.TRIAL, termination_threshold=2)
    asking, later = pnl.TransferMechanism(input_shapes=2), pnl.TransferMechanism(input_shapes=2)
    composition = pnl.Composition(pathways=[[counting, later], [asking]])
    condition = pnl.WhenFinished(counting)
    for node in (asking, later) if is_first else (later, asking):
        composition.scheduler.add_condition(node, condition)
    composition.termination_processing = {SCALES.TRIAL: pnl.AfterNPasses(4)}
    composition.run({counting: [[1.0, 0.4]] * 3, asking: [[1.0, 0.4]] * 3})
    return made(composition, asking)


def counting_together() -> Any:
    """One EveryNCalls of two nodes, for which PsyNeuLink counts together."""
    first, between, last = nodes = [pnl.ProcessingMechanism(name=name) for name in "ACB"]
    composition = pnl.Composition(pathways=[nodes])
    condition = pnl.EveryNCalls(first, 2)
    composition.scheduler.add_condition(last, condition)
    composition.scheduler.add_condition(between, condition)
    composition.termination_processing = {SCALES.TRIAL: pnl.AfterNPasses(4)}
    composition.run({first: [[1.0]] * 2})
    return made(composition, between), made(composition, last)


def modulated(name: str, mechanism: Any, values: list[float], **settings: Any) -> Any:
    """A Parameter is modulated by a Mechanism's value."""
    source = pnl.ProcessingMechanism()
    signal = pnl.ControlSignal(modulates=(name, mechanism), modulation=pnl.OVERRIDE, **settings)
    control = pnl.ControlMechanism(monitor_for_control=source, control_signals=[signal])
    composition = pnl.Composition(nodes=[source, control, mechanism])
    composition.termination_processing = ending(mechanism)
    inputs = [[1.0, 0.4][: len(np.ravel(mechanism.defaults.variable))]] * len(values)
    composition.run({source: [[value] for value in values], mechanism: inputs})
    return made(composition, mechanism)


def modulated_threshold(measure: Any = SCALES.TRIAL, threshold: float = 2.0, **settings: Any) -> Any:
    mechanism = integrating(termination_measure=measure, termination_threshold=threshold, **settings)
    return modulated("termination_threshold", mechanism, [1.0, 0.0, 0.5, -1.0])


def modulated_decision() -> Any:
    function = pnl.DriftDiffusionIntegrator(threshold=1.0, initializer=0.2, time_step_size=0.1, noise=0.0)
    return modulated("threshold", pnl.DDM(function=function, execute_until_finished=False), [1.0, 0.1, 0.5, 3.0])


def modulated_slope() -> Any:
    at_start: dict[str, Any] = {"initial_value": [[0.3, 0.3]], "reset_stateful_function_when": pnl.AtTrialStart()}
    mechanism = integrating(function=pnl.Linear, termination_measure=max, termination_threshold=0.8, **at_start)
    return modulated("slope", mechanism, [1.0, 4.0, 0.5, 3.0])


def falling_below(measure: Any, operator: str, values: list[float]) -> Any:
    """Of a threshold that is not to be reached from below, the greatest value is the one that may be reached at once."""
    starts: dict[str, Any] = {"initial_value": [[0.3, 0.3]], **AT_START}
    mechanism = integrating(termination_comparison_op=operator, termination_measure=measure, termination_threshold=0.1, **starts)
    return modulated("termination_threshold", mechanism, values)


def sampled_without_a_search() -> Any:
    """A ControlSignal has samples that nobody goes through."""
    mechanism = integrating(termination_measure=SCALES.TRIAL, termination_threshold=2)
    return modulated("termination_threshold", mechanism, [0.0, 1.0, 2.0, -1.0], allocation_samples=[1, 2])


def searched(
    samples: Any,
    default: float | None = None,
    mode: str = pnl.BEFORE,
    enable: bool = True,
    space: Any = None,
    start: float = 0.2,
    slope: float | None = None,
) -> Any:
    """The threshold of a Mechanism that is reset is searched."""
    function = pnl.DriftDiffusionIntegrator(threshold=1.0, time_step_size=0.1, noise=0.0, initializer=start)
    decision = pnl.DDM(function=function, execute_until_finished=False, **AT_START)
    composition = pnl.Composition(nodes=[decision])
    composition.termination_processing = ending(decision, 9)
    given = {} if default is None else {"default_allocation": default}
    signal = pnl.ControlSignal(modulates=("threshold", decision), modulation=pnl.OVERRIDE, allocation_samples=samples, **given)
    monitor = pnl.ObjectiveMechanism(monitor=[decision])
    search = {"agent_rep": composition, "function": pnl.GridSearch(), "objective_mechanism": monitor, "control_signals": [signal]}
    composition.add_controller(pnl.OptimizationControlMechanism(**search))
    composition.controller_mode, composition.enable_controller = mode, enable
    if space is not None:
        composition.controller.function.parameters.search_space.set([pnl.SampleIterator(space)])
    if slope is not None:
        signal.efferents[0].function = pnl.Linear(slope=slope)
    for _ in range(2):
        composition.run({decision: [[1.0], [1.0]]})
    return made(composition, decision)


def drawn() -> Any:
    """The samples of a search come from a function, which gives others in each search."""
    generator = np.random.RandomState(1)
    return searched(pnl.SampleSpec(function=lambda: float(generator.uniform(0.4, 0.9)), num=3))


def reset_by_another(measure: Any, threshold: float, is_first: bool = True, **settings: Any) -> Any:
    """The condition of a reset asks."""
    asked = integrating(termination_measure=measure, termination_threshold=threshold, **settings)
    reset = integrating(reset_stateful_function_when=pnl.WhenFinished(asked))
    composition = pnl.Composition(nodes=[asked, reset] if is_first else [reset, asked])
    composition.run({asked: [[-5.0, -5.0]] * 3, reset: [[1.0, 0.4]] * 3})
    return made(composition, reset)


def counting_in_runs() -> tuple[Any, Any]:
    mechanism = integrating(termination_measure=SCALES.RUN, termination_threshold=3)
    composition = pnl.Composition(nodes=[mechanism])
    composition.termination_processing = ending(mechanism, 6)
    return composition, mechanism


def executed_in_another_context() -> Any:
    composition, mechanism = counting_in_runs()
    composition.run({mechanism: [[1.0, 0.4]]})
    return [composition.execute({mechanism: [[1.0, 0.4]]}, context="y") for _ in range(2)] and made(composition, mechanism, "y")[1]


def executed_by_itself() -> Any:
    composition, mechanism = counting_in_runs()
    composition.scheduler.add_condition(mechanism, pnl.AfterPass(0))
    composition.run({mechanism: [[1.0, 0.4]]})
    for _ in range(3):
        mechanism.execute([[1.0, 0.4]], context="y")
    composition.execute({mechanism: [[1.0, 0.4]]}, context="y")
    return made(composition, mechanism, "y")[1]


def nested_in_another_context() -> Any:
    inner, mechanism = counting_in_runs()
    inner.scheduler.add_condition(mechanism, pnl.AfterPass(0))
    outer = pnl.Composition(pathways=[[pnl.ProcessingMechanism(input_shapes=2), inner]])
    source = outer.nodes[0]
    outer.run({source: [[1.0, 0.4]] * 2})
    outer.run({source: [[1.0, 0.4]] * 2}, context="k")
    return made(outer, mechanism, "k")


def begun_in_psyneulink() -> Any:
    composition, mechanism = counting_in_runs()
    composition.run({mechanism: [[1.0, 0.4]] * 40})
    composition.run({mechanism: [[1.0, 0.4]] * 40})
    return made(composition, mechanism)


EARLY: dict[str, Callable[[], Any]] = {
    **{f"beside, {scale.name}": lambda scale=scale: beside(scale) for scale in (SCALES.TRIAL, SCALES.PASS, SCALES.RUN)},
    "beside, not": lambda: beside(asks=lambda one: pnl.Not(pnl.WhenFinished(one))),
    "beside, all": lambda: beside(asks=lambda one: pnl.WhenFinishedAll(one)),
    "modulated": modulated_threshold,
    "modulated, pass": lambda: modulated_threshold(SCALES.PASS),
    "modulated, reset": lambda: modulated_threshold(max, 0.9, **AT_START),
    "modulated decision": modulated_decision,
    "one condition of two nodes": lambda: shared(is_first=True),
    "one condition of two nodes, the other order": lambda: shared(is_first=False),
    "falling": lambda: falling_below(max, "<=", [0.05, 0.9, 0.2, 2.0]),
    "equal": lambda: falling_below(max, "==", [0.05, 0.3, 0.2, 0.3]),
    "samples without a search": sampled_without_a_search,
    "search, default below": lambda: searched([0.4, 0.9], 0.15, pnl.AFTER),
    "search, disabled": lambda: searched([0.4, 0.9], 0.15, enable=False),
    "search, another space": lambda: searched([0.4, 0.9], space=[0.1, 0.15]),
    "search, drawn": drawn,
    "search, Projection": lambda: searched([0.4, 0.9], slope=0.1),
    "count of two nodes": counting_together,
    "modulated slope": modulated_slope,
    "reset by one that is reset": lambda: reset_by_another(max, 0.25, initial_value=[[0.3, 0.3]], **AT_START),
    "reset by one that counts": lambda: reset_by_another(SCALES.TRIAL, 1),
    "reset by one that counts later": lambda: reset_by_another(SCALES.TRIAL, 1, is_first=False),
    "execute": executed_in_another_context,
    "executed by itself": executed_by_itself,
    "nested": nested_in_another_context,
    "runs": begun_in_psyneulink,
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("places", ["native", "psyneulink"])
@pytest.mark.parametrize("name", EARLY)
def test_numbers_are_psyneulinks(name: str, places: str) -> None:
    expected = EARLY[name]()
    with accelerate(short_runs=places):
        assert EARLY[name]() == expected


STILL_NATIVE: dict[str, Callable[[], Any]] = {
    "beside, a value": lambda: beside(max),
    "any of its kind": lambda: beside(SCALES.LIFE),
    "reset by a value": lambda: reset_by_another(max, 0.25),
    "runs": begun_in_psyneulink,
    "search": lambda: searched([0.4, 0.9], start=0.0),
    "search of a range": lambda: searched(pnl.SampleSpec(start=0.4, stop=0.9, step=0.1), start=0.0),
}


@pytest.mark.filterwarnings("ignore:The following arg.*:UserWarning")
@pytest.mark.parametrize("name", STILL_NATIVE)
def test_others_are_native(name: str) -> None:
    expected = STILL_NATIVE[name]()
    with accelerate(strict=True, short_runs="native"):
        assert STILL_NATIVE[name]() == expected


def test_a_condition_that_is_gone_refuses_nothing() -> None:
    with accelerate(strict=True, short_runs="native"):
        mechanism = integrating(termination_measure=SCALES.TRIAL, termination_threshold=2)
        composition = pnl.Composition(nodes=[mechanism])
        composition.termination_processing = {SCALES.TRIAL: pnl.WhenFinished(mechanism)}
        composition.run({mechanism: [[1.0, 0.4]]})
        mechanism.parameters.termination_threshold.set(0.0, composition)
        with pytest.raises(UnsupportedFeature, match="may have finished"):
            composition.run({mechanism: [[1.0, 0.4]]})
        composition.termination_processing = {SCALES.TRIAL: pnl.AfterNPasses(2)}
        composition.run({mechanism: [[1.0, 0.4]]})
    assert made(composition, mechanism)[1] == 4


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("levels", "is_native"), [([0.4, 0.9], True), ([0.0, 0.9], False)])
def test_levels_of_a_search_are_known(levels: list[float], is_native: bool) -> None:
    function = pnl.DriftDiffusionIntegrator(threshold=1.0, time_step_size=0.1, noise=0.0)
    decision = pnl.DDM(function=function, execute_until_finished=False)
    composition = pnl.Composition(nodes=[decision])
    composition.termination_processing = {SCALES.TRIAL: pnl.Any(pnl.WhenFinished(decision), pnl.AfterNPasses(9))}
    signal = pnl.ControlSignal(modulates=("threshold", decision), modulation=pnl.OVERRIDE, allocation_samples=levels)
    monitor = pnl.ObjectiveMechanism(monitor=[decision])
    search = {"agent_rep": composition, "function": pnl.GridSearch(), "objective_mechanism": monitor, "control_signals": [signal]}
    composition.add_controller(pnl.OptimizationControlMechanism(**search))
    refused = pytest.raises(UnsupportedFeature, match="as it may have as soon as it is reset")
    with accelerate(strict=True, short_runs="native"), nullcontext() if is_native else refused:
        composition.run({decision: [[1.0]]})
