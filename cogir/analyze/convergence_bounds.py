"""
`cogir.analyze.convergence`: how many steps a model needs until it has decided, at least and at most.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from xdsl.dialects import arith, func, scf
from xdsl.ir import Operation

from cogir.analysis.ranges.loops import detached
from cogir.analysis.ranges.trials import LoweredTrials
from cogir.analysis.ranges.walking import Precision
from cogir.analyze.analytical_times import formulas_of, read_of
from cogir.analyze.boxes import Given, in_words
from cogir.analyze.convergence_result import Convergence, Steps
from cogir.analyze.drift_diffusion_times import DriftDiffusionTimes
from cogir.analyze.output_ranges import Draws, RangedModel, is_number, sigmas_of, whole_number
from cogir.callers import ends_at_caller
from cogir.errors import InputError, did_you_mean, shown, there_is
from cogir.labelled.names import path_of

LIMIT = "/limit:executions"
RELATIONS = (">=", "<=")
MOST_WORK = 50_000_000


@ends_at_caller
def convergence(
    model: Any,
    parameters: Given = None,
    inputs: Given = None,
    *,
    until: tuple[Any, str, float] | None = None,
    draws: Draws = "largest",
    most_steps: int = 10_000,
) -> Convergence:
    """
    The number of steps until a model has decided: no run has fewer than the earliest, and none more than the latest.

    Without `until`, the steps are those inside of the first trial: the executions of each node that executes until it has finished, and
    the passes of a trial whose end depends on values. With `until=("node/port", ">=", 1.0)` they are trials: the first one after which
    that output has reached the number; of an output with several elements one is named, `"node/port[0]"`.
    `parameters`, `inputs`, `draws`: as for `cogir.analyze.ranges`. `most_steps`: the number of steps that are followed; a latest one beyond
    is not found.
    For nodes of `library.drift_diffusion_integrator` and `library.drift_diffusion_decision` whose parameters and inputs are single numbers,
    the result also has the mean and the distribution of the times of continuous drift diffusion (`analytical`), which is a formula and no
    bound.

    :raises InputError: for names that the model does not have, or if there is nothing that goes on until a condition holds.
    """
    most_steps = whole_number(most_steps, "convergence: most_steps")
    ranged = RangedModel(model, "convergence")
    box = ranged.boxed.box(parameters, inputs, "convergence")
    sigmas = sigmas_of(draws, "convergence")
    precision = Precision(unroll=most_steps, work=MOST_WORK)
    if until is not None:
        steps = [trials_until(ranged, box, draws, until, most_steps)]
        analytical: dict[str, DriftDiffusionTimes] = {}
    else:
        trials = ranged.trials(box, draws, precision=precision)
        trials.run(1)
        steps = list(loops_of(ranged, trials, most_steps))
        analytical = dict(formulas_of(ranged, trials))
        if not steps:
            raise InputError(
                "convergence: nothing in the model goes on until a condition on values holds; give until, such as "
                '("node/port", ">=", 1.0), for the trials until an output has reached a number'
            )
    shown_box = {in_words(path): ends for path, ends in box.ranged().items()}
    return Convergence(ranged.model.name, steps, shown_box, sigmas, bool(ranged.layout.generators), analytical)


# Inside of a trial


def loops_of(ranged: RangedModel, trials: LoweredTrials, most_steps: int) -> Iterator[Steps]:
    """The loops of `@trial` that end by a condition."""
    for op, (fewest, most) in trials.walker.counts.items():
        if enclosing_function(op) != "trial":
            continue
        slot = limit_of(op, ranged)
        if slot is None:  # the condition is computed before each pass, and once more at the end
            yield Steps("passes of the trial", fewest - 1, None if most is None else most - 1, None, None, most_steps)
            continue
        node = slot.removesuffix(LIMIT)
        limit = trials.parameters[1].numbers()[ranged.layout[slot].offset].integers.high
        length = step_of(ranged, trials, node)
        yield Steps(f"executions of {node}", fewest, most, limit, length, most_steps)


def enclosing_function(op: Operation) -> str | None:
    """The name of the function in which an operation stands."""
    parent = op.parent_op()
    while parent is not None and not isinstance(parent, func.FuncOp):
        parent = parent.parent_op()
    return None if parent is None else parent.sym_name.data


def limit_of(loop: Operation, ranged: RangedModel) -> str | None:
    """The slot of the limit that a loop over executions of a node compares its counter with."""
    assert isinstance(loop, scf.WhileOp)
    for op in loop.before_region.block.ops:
        if isinstance(op, arith.CmpiOp) and (place := read_of(op.rhs)) is not None:
            buffer, index = place
            for slot in ranged.layout.in_buffer("pi"):
                if buffer == 1 and slot.offset == index and slot.path.endswith(LIMIT):
                    return slot.path
    return None


def step_of(ranged: RangedModel, trials: LoweredTrials, node: str) -> tuple[float, float] | None:
    """The length of a step of a node in units of time, if it has one."""
    path = f"{node}/param:time_step_size"
    if path not in ranged.layout:
        return None
    slot = ranged.layout[path]
    held = trials.parameters[0].numbers()[slot.offset].floats
    return (held.low, held.high) if slot.size == 1 else None


# Over trials


def trials_until(ranged: RangedModel, box: Any, draws: Draws, until: Any, most_steps: int) -> Steps:
    """The number of trials until an output has reached a number."""
    if not isinstance(until, tuple) or len(cast("tuple[Any, ...]", until)) != 3:
        raise InputError(f'convergence: until is {shown(until)}; give an output, a relation and a number, ("node/port", ">=", 1.0)')
    port, relation, number = cast("tuple[Any, Any, Any]", until)
    if not isinstance(relation, str) or relation not in RELATIONS:
        raise InputError(f"convergence: until has the relation {shown(relation)}; give one of {', '.join(RELATIONS)}")
    if not is_number(number):
        raise InputError(f"convergence: until has the number {shown(number)}; give a finite number")
    path, element = element_of(ranged, port)
    trials = ranged.trials(box, draws, precision=Precision(work=MOST_WORK))
    state = trials.start()
    fewest: int | None = None
    for trial in range(1, most_steps + 1):
        results = trials.once(detached(state))
        state = results[: len(state)]
        found = ranged.port(path, results[-2])
        low, high, nan = (part.reshape(-1)[element].item() for part in (found.low, found.high, found.nan))
        may, must = (high >= number, low >= number) if relation == ">=" else (low <= number, high <= number)
        if may and fewest is None:
            fewest = trial
        if must and not nan:
            return Steps(f"trials until {port} {relation} {number:g}", fewest or trial, trial, None, None, most_steps)
    return Steps(f"trials until {port} {relation} {number:g}", fewest, None, None, None, most_steps)


def element_of(ranged: RangedModel, port: Any) -> tuple[str, int]:
    """The path of an output, and the element that is meant: `"node/port[2]"`, in row-major order, or the only one."""
    name, _, index = path_of(port).partition("[")
    names = {in_words(path): path for path in ranged.layout.outputs}
    full = next((each for each in names if each == name or each.startswith(f"{name}/")), None)
    if full is None:
        raise InputError(f'convergence: until: there is no output "{name}"{did_you_mean(name, names) or there_is(names)}')
    size = ranged.layout[names[full]].size
    element = int(number) if (number := index.removesuffix("]")).isdigit() else 0 if not index and size == 1 else size
    if element >= size:
        raise InputError(f'convergence: until: "{full}" has {size} elements; give one of them, such as "{full}[0]"')
    return names[full], element
