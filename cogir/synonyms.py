"""
Names that mean the same in this field and its programs, and what to say about them.

A name that does not exist gets the one that does as a remedy: `dt` is `time_step_size`, `RT` is `response_time`.
"""

from __future__ import annotations

from collections.abc import Iterable

GROUPS: tuple[tuple[str, ...], ...] = (
    ("rate", "drift", "drift_rate"),
    ("threshold", "bound", "bounds", "boundary", "boundary_separation"),
    ("noise", "sigma", "sd", "std", "noise_sd", "noise_std", "StandardDeviation"),
    ("sem", "se", "stderr", "standard_error", "StandardError"),
    ("variance", "var"),
    ("time_step_size", "dt", "time_step", "timestep", "step_size"),
    ("non_decision_time", "t0", "ndt", "ter", "non_decision"),
    ("starting_value", "starting_point", "start_point", "previous_value"),
    ("response_time", "RT", "reaction_time", "time"),
    ("choice", "response", "decision", "correct"),
    ("gain", "slope"),
    ("input", "size", "shape", "input_shapes", "input_shape", "dim"),
    ("matrix", "weights", "weight"),
    ("source", "sender"),
    ("target", "receiver"),
    ("count", "replicates", "num_replicates", "n_replicates", "repetitions", "n"),
    ("num_trials", "trials", "n_trials"),
    ("reset_each_trial", "reset", "reset_stateful_function_when"),
    ("execute_until_finished", "until_finished"),
    ("max_executions_before_finished", "max_steps", "max_executions"),
    ("Model", "Composition", "Network"),
    ("node", "add_node", "add_nodes", "add_mechanism"),
    ("project", "add_projection", "add_projections", "connect", "add_linear_processing_pathway", "add_pathway"),
    ("control", "add_controller", "add_control"),
    ("learning", "add_backpropagation_learning_pathway", "add_learning_pathway"),
    ("instance", "add_instance", "add_composition", "add_model"),
)
"""Each group stands for one thing."""


def synonym(name: str, known: Iterable[str]) -> str | None:
    """
    The known name that means what `name` does, or None.

    Of a path the last part counts: `ddm/dt` is `ddm/time_step_size`. A name without a node is any node's.
    """
    owner, slash, last = name.rpartition("/")
    group = next((group for group in GROUPS if last.lower() in map(str.lower, group)), ())
    names = list(known)
    wanted = [f"{owner}{slash}{other}" for other in group]
    exact = next((other for other in wanted if other in names), None)
    if exact is not None or slash:
        return exact
    return next((other for other in names if "/" in other and other.rpartition("/")[2] in group), None)
