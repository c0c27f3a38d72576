"""
Counts of executions after a search: PsyNeuLink counts those that it simulates along.
"""

import contextlib

import pytest
from support.psyneulink import pnl
from support.psyneulink.golden import fresh

from cogir.psyneulink import accelerate

pytestmark = pytest.mark.filterwarnings("ignore")


def controlled(*, mode="after", nested=False, condition=None, noise=0.0, **options):
    """A Composition with a controller, in which B runs twice in a trial."""
    a = pnl.ProcessingMechanism(name="A")
    b = pnl.TransferMechanism(name="B", integrator_mode=True, integration_rate=0.3, noise=noise)
    objective = pnl.ObjectiveMechanism(name="O", monitor=[b])
    composition = pnl.Composition(name="C", pathways=[[a, b]], controller_mode=mode)
    if nested:
        inside = pnl.Composition(name="I", pathways=[pnl.ProcessingMechanism(name="N")])
        composition.add_linear_processing_pathway([b, inside])
    composition.scheduler.add_condition(b, pnl.EveryNCalls(a, 1))
    composition.scheduler.add_condition(objective, pnl.AfterNCalls(b, 2))
    signals = pnl.ControlSignal(modulates=("slope", a), allocation_samples=[1.0, 2.0, 3.0])
    composition.add_controller(
        pnl.OptimizationControlMechanism(
            name="OCM",
            agent_rep=composition,
            state_features=[a.input_port],
            objective_mechanism=objective,
            function=pnl.GridSearch(),
            control_signals=signals,
            **options,
        )
    )
    if condition is not None:
        composition.controller_condition = condition
    return composition


CASES = {
    "after": {},
    "before": {"mode": "before"},
    "nested": {"nested": True},
    "estimates": {"num_estimates": 2, "noise": pnl.NormalDist},
    "trials per estimate": {"num_trials_per_estimate": 3},
    "in the first trial": {"condition": pnl.AtTrial(0)},
}


def counts(options, block):
    """All counts of executions after runs in three execution contexts."""
    fresh()
    composition = controlled(**{name: value() if value is pnl.NormalDist else value for name, value in options.items()})
    found = []
    for context in ("x", "x", "y", "z"):
        with block():
            composition.run({"A": [[1.0], [0.5]]}, context=context)
        for node in (*composition._all_nodes, composition.controller):
            if hasattr(node, "input_CIM") or "CIM" in node.name:
                continue
            parameters = node.parameters
            time = parameters.num_executions.values["x"]  # other contexts begin in PsyNeuLink with the counts of its last simulation
            found.append((context, node.name, str(time), time.life))
            for name in ("num_executions_before_finished", "execution_count", "is_finished_flag"):
                held = getattr(parameters, name).values.items()
                found.append((context, node.name, name, sorted((str(key), int(value)) for key, value in held)))
    return found


@pytest.mark.sampled(2)
@pytest.mark.parametrize("case", CASES)
def test_counts_are_psyneulinks(case):
    expected = counts(CASES[case], contextlib.nullcontext)
    assert counts(CASES[case], lambda: accelerate(strict=True)) == expected


def on_two_levels(mode, inner_trials=1, outer_trials=1):
    """A Composition with a controller, around one with a controller, around one without."""
    fresh()

    def search(composition, node, seen, trials):
        """Adds a controller that chooses the slope of a node."""
        composition.add_controller(
            pnl.OptimizationControlMechanism(
                name=f"OCM of {composition.name}",
                agent_rep=composition,
                state_features=[node.input_port],
                objective_mechanism=pnl.ObjectiveMechanism(name=f"O of {composition.name}", monitor=[seen]),
                function=pnl.GridSearch(),
                control_signals=[pnl.ControlSignal(modulates=("slope", node), allocation_samples=[1.0, 2.0])],
                num_trials_per_estimate=trials,
            )
        )

    a, b, c = (pnl.ProcessingMechanism(name=name) for name in "ABC")
    deepest = pnl.Composition(name="DEEPEST", pathways=[c])
    inner = pnl.Composition(name="INNER", pathways=[[b, deepest]], controller_mode=mode)
    search(inner, b, b, inner_trials)
    outer = pnl.Composition(name="OUTER", pathways=[[a, inner]])
    search(outer, a, b, outer_trials)
    return outer, (*(a, b, c), *(one.controller for one in (inner, outer)), *(one.controller.objective_mechanism for one in (inner, outer)))


TWO_LEVELS = {
    "after": ("after",),
    "before": ("before",),
    "trials per estimate": ("after", 3, 2),
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("case", TWO_LEVELS)
def test_searches_within_simulations_count_too(case):
    def outcome(block):
        composition, mechanisms = on_two_levels(*TWO_LEVELS[case])
        found = []
        for context in ("x", "x", "y"):
            with block:
                composition.run({"A": [[1.0], [0.5]]}, context=context)
            for one in mechanisms:
                found.append((context, one.name, int(one.execution_count), str(one.parameters.num_executions.get("x"))))
        return found

    assert outcome(accelerate(strict=True)) == outcome(contextlib.nullcontext())
