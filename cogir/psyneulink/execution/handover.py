"""
The rest of a run, which PsyNeuLink carries on where its next trial cannot be native.

After some trials of a run a callback, or a function that makes its inputs, may change a Composition into one that does not compile. The
trials that are over must not be run again. So the trials that are left are calls of `Composition.execute`, with the arguments that
PsyNeuLink's own `run` gives it, in Python mode. What stands around them, such as callbacks, inputs and results, stays with the native run:
PsyNeuLink does the same there, and what it does before the first trial of a run has been done.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cogir.psyneulink.execution import nested
from cogir.psyneulink.pnl import context_left, execute_controller, python_mode, set_raw_value, time_scales, without_animation
from cogir.psyneulink.state.lazy_values import PENDING


class TrialsInPsyNeuLink:
    """The trials that are left of a run, from what the trials before have left in PsyNeuLink."""

    def __init__(self, composition: Any, execution_id: Any, given: Mapping[str, Any], report: Any = None):
        """`given`: the arguments of the call of `run`; `report`: the number of PsyNeuLink's report on it, if there is one."""
        PENDING.flush()
        self.composition = composition
        self.context = context_left(execution_id, composition, is_run=True)
        resets: dict[Any, Any] = dict(given.get("reset_stateful_functions_to") or {})
        self.passed = {
            "termination_processing": given.get("termination_processing"),
            "runtime_params": given.get("runtime_params"),
            "reset_stateful_functions_to": {node: to if hasattr(to, "__iter__") else [to] for node, to in resets.items()},
            "scheduler": composition.scheduler,  # of the run, whatever a callback puts in its place
            "report_num": report,
        }
        without_animation(composition)
        set_raw_value(composition.parameters.input_specification, given.get("inputs"), self.context)

    def trial(self, stimuli: Any) -> Any:
        """One trial, with the inputs that PsyNeuLink's parser has made for it; returns its result."""
        with nested.parts_compiled(self.context.execution_id):
            return self.composition.execute(
                inputs=stimuli, context=self.context, skip_initialization=True, execution_mode=python_mode(), **self.passed
            )

    def end(self) -> None:
        """The last trial is over: a controller that acts after a run does so."""
        composition = self.composition
        if str(composition.controller_mode) == "after" and composition.controller_time_scale is time_scales().run:
            execute_controller(composition, self.context)
        end_inputs(composition, self.context)


def end_inputs(composition: Any, context: Any) -> None:
    """After the last trial of a run, its Composition has no inputs any more."""
    set_raw_value(composition.parameters.input_specification, None, context)
