"""
Differences that are documented: values that are not kept (docs/psyneulink_guide.md), and tests that cannot be equal.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from psyneulink_suite.records import Call

Path = tuple[str | int, ...]

FUNCTIONS = (
    *("function", "integrator_function", "noise", "retriever", "storer", "transfer_fct", "combination_function"),
    *("distance_function", "selection_function"),
)
PORTS = ("input", "output", "parameter")
"""Kinds of ports, if a number follows; else a Mechanism's name."""
INTERFACES = ("input_CIM", "parameter_CIM", "output_CIM")
OF_LEARNING = ("activation_input", "activation_output", "error_signal", "error_matrix")
COUNTS = ("execution_count", "num_executions", "num_executions_before_finished")


@dataclass(frozen=True)
class Place:
    """Where a value is held, read from its path."""

    path: Path

    @property
    def name(self) -> str | int:
        return self.path[-1]

    @property
    def is_in_port(self) -> bool:
        """True if it belongs to a port: itself, by its Function or by a Projection to it."""
        return any(part in PORTS and isinstance(number, int) for part, number in pairwise(self.path))

    @property
    def is_in_projection(self) -> bool:
        return "projection" in self.path

    @property
    def functions(self) -> int:
        """How many Functions deep it is."""
        return sum(part in FUNCTIONS for part in self.path[:-1])

    @property
    def is_in_interface(self) -> bool:
        return any(part in INTERFACES for part in self.path)

    @property
    def is_of_composition(self) -> bool:
        """True if it is a Composition's own Parameter."""
        return self.path[-2:-1] == ("composition",)


@dataclass(frozen=True)
class NotKept:
    """Values that are not compared."""

    what: str
    why: str
    holds: Callable[[Place, Call], bool]
    """True of such a value, after such a call."""


NOT_KEPT = (
    NotKept(
        "counts of executions of ports, Projections, interfaces, Functions and Compositions",
        "they also count constructions, validations and simulations",
        lambda at, call: at.name in COUNTS and (at.is_in_port or at.is_in_interface or at.functions > 0 or at.is_of_composition),
    ),
    NotKept(
        "`variable` of Functions and Projections",
        "only PsyNeuLink's next execution uses them, and it overwrites them",
        lambda at, call: at.name == "variable" and (at.functions > 0 or at.is_in_projection),
    ),
    NotKept(
        "`value` of the Functions of ports and Projections, and of Functions in Functions",
        "only PsyNeuLink's next execution uses them, and it overwrites them",
        lambda at, call: at.name == "value" and at.functions > 0 and (at.is_in_port or at.functions > 1),
    ),
    NotKept(
        "what a LearningMechanism hands to its Function, as the Function keeps it (`activation_input`, `error_matrix`, ...)",
        "the variable of the LearningMechanism has the same numbers, and the next execution overwrites them",
        lambda at, call: at.name in OF_LEARNING and at.functions > 0,
    ),
    NotKept(
        "names of simulations (`simulation_ids`)",
        "they identify execution contexts that no longer exist",
        lambda at, call: at.name == "simulation_ids",
    ),
)
"""Not promised after a native run. The guide lists them; a value that is promised must not be here."""

LEARNING = "composition/test_autodiffcomposition.py"
CONTROL = "composition/test_control.py"
SEARCHES = f"{CONTROL}::TestModelBasedOptimizationControlMechanisms_Execution"
OF_SMALL_DIFFERENCES = (
    "a variance and a skewness of DriftDiffusionAnalytical, of which cancellation leaves few digits: the exact skewness is 1.96,"
    " PsyNeuLink's 2.14, cogir's 2.00 (docs/psyneulink.md)"
)
UNEQUAL = {
    f"{LEARNING}::TestBatching::test_batching_with_epochs_specified[100]": (
        "with a learning rate of 10, training amplifies rounding differences of sums from 1e-14 to 0.4 in 40 epochs"
    ),
    f"{LEARNING}::TestBatching::test_batching_with_epochs_specified[10]": ("the same training with fewer epochs: a difference of 3e-11"),
    f"{LEARNING}::TestMiscTrainingFunctionality::test_optimizer_specs[ExecutionMode.PyTorch-10-0-sgd-expected0]": (
        "also a learning rate of 10: a difference of 5e-12"
    ),
    "composition/test_composition.py::TestProperties::test_llvm_fallback[ExecutionMode.Auto]": (
        "in this mode PsyNeuLink warns that its own compiler does not support the Composition, and continues in Python mode; with cogir"
        " that compiler is not called"
    ),
    f"{SEARCHES}::test_evc": OF_SMALL_DIFFERENCES,
    f"{CONTROL}::TestControlSpecification::test_deferred_init": OF_SMALL_DIFFERENCES,
    f"{SEARCHES}::test_laming_validation_specify_control_signals": OF_SMALL_DIFFERENCES,
}
"""Tests that cannot be equal, by their names, or by those of their functions for all parameters, and why."""


def cannot_be_equal(test: str) -> bool:
    """True of a test that `UNEQUAL` names."""
    return test in UNEQUAL or test.partition("[")[0] in UNEQUAL


def not_kept(path: Path, call: Call) -> NotKept | None:
    """The entry of `NOT_KEPT` under which a value falls; None if it must be equal."""
    at = Place(path)
    return next((one for one in NOT_KEPT if one.holds(at, call)), None)
