"""
Cases: each Mechanism in its settings.
"""

from __future__ import annotations

from typing import Any

from support.psyneulink.cases import Case, alone

import psyneulink as pnl


def transfer(**settings: Any) -> Case:
    """A TransferMechanism of two elements."""
    return alone(lambda: pnl.TransferMechanism(**{"name": "node", "input_shapes": 2} | {k: made(v) for k, v in settings.items()}))


def recurrent(**settings: Any) -> Case:
    """A RecurrentTransferMechanism of two elements."""
    return alone(lambda: pnl.RecurrentTransferMechanism(**{"name": "node", "input_shapes": 2} | {k: made(v) for k, v in settings.items()}))


def lca(**settings: Any) -> Case:
    """An LCAMechanism of two elements."""
    return alone(lambda: pnl.LCAMechanism(**{"name": "node", "input_shapes": 2} | {k: made(v) for k, v in settings.items()}), low=0.2)


def ddm(make: Any, trials: int = 3, refused: str | None = None, **settings: Any) -> Case:
    """A DDM."""
    return alone(lambda: pnl.DDM(name="node", function=make(), **{k: made(v) for k, v in settings.items()}), trials=trials, refused=refused)


def integrator(make: Any, size: int = 2, refused: str | None = None, **settings: Any) -> Case:
    """An IntegratorMechanism."""
    return alone(lambda: pnl.IntegratorMechanism(name="node", input_shapes=size, function=make(), **settings), refused=refused)


def made(value: Any) -> Any:
    """Components are made anew for each Composition: a function without arguments makes one."""
    return value() if callable(value) and getattr(value, "__name__", "") == "<lambda>" else value


def until(threshold: float, **settings: Any) -> Case:
    """An integrating TransferMechanism that goes on until it has finished."""
    return transfer(
        **{"integrator_mode": True, "integration_rate": 0.3, "termination_threshold": threshold, "max_executions_before_finished": 20}
        | settings
    )


TRANSFER = {
    "transfer": transfer(),
    "transfer logistic": transfer(function=pnl.Logistic),
    "transfer logistic gain": transfer(function=lambda: pnl.Logistic(gain=2.0, bias=0.5)),
    "transfer gain per element": transfer(function=lambda: pnl.Logistic(gain=[1.0, 2.0])),
    "transfer tanh": transfer(function=pnl.Tanh),
    "transfer softmax": transfer(input_shapes=3, function=lambda: pnl.SoftMax(gain=2.0)),
    "transfer softmax max": transfer(input_shapes=3, function=lambda: pnl.SoftMax(output=pnl.MAX_VAL)),
    "transfer noise": transfer(noise=0.5),
    "transfer noise array": transfer(noise=[0.5, -0.5]),
    "transfer noise normal": transfer(noise=lambda: pnl.NormalDist(standard_deviation=0.2)),
    "transfer noise uniform": transfer(noise=lambda: pnl.UniformDist(low=-0.1, high=0.1)),
    "transfer noise gamma": transfer(noise=lambda: pnl.GammaDist(scale=0.5, dist_shape=2.0)),
    "transfer noise wald": transfer(noise=lambda: pnl.WaldDist(scale=0.5, mean=0.7)),
    "transfer noise exponential": transfer(noise=lambda: pnl.ExponentialDist(beta=0.5)),
    "transfer clip": transfer(clip=(-0.3, 0.3)),
    "transfer clip after slope": transfer(clip=(-0.5, 1.0), function=lambda: pnl.Linear(slope=3.0, intercept=0.2)),
    "transfer integrating": transfer(integrator_mode=True),
    "transfer integrating rate": transfer(integrator_mode=True, integration_rate=0.2, function=pnl.Logistic),
    "transfer integrating rates": transfer(integrator_mode=True, integration_rate=[0.2, 0.7]),
    "transfer integrating initial": transfer(integrator_mode=True, initial_value=[[0.5, -1.0]]),
    "transfer integrating noise": transfer(integrator_mode=True, noise=0.1),
    "transfer integrating noise array": transfer(integrator_mode=True, noise=[0.1, 0.2]),
    "transfer integrating noise normal": transfer(integrator_mode=True, noise=lambda: pnl.NormalDist(mean=0.1)),
    "transfer integrating noise method": transfer(integrator_mode=True, noise=lambda: pnl.NormalDist(mean=0.1).function),
    "transfer integrating clip": transfer(integrator_mode=True, clip=(-0.2, 0.2)),
    "transfer with simple integrator": transfer(integrator_mode=True, integrator_function=lambda: pnl.SimpleIntegrator(rate=0.5)),
    "transfer with leaky integrator": transfer(integrator_mode=True, integrator_function=lambda: pnl.LeakyCompetingIntegrator(rate=0.5)),
    "transfer with accumulator": transfer(integrator_mode=True, integrator_function=lambda: pnl.AccumulatorIntegrator(increment=0.5)),
    "transfer until finished": until(0.1, initial_value=[[2.0, 2.0]], termination_comparison_op="<="),
    "transfer until max": until(0.5, termination_measure=max, noise=0.3),
    "transfer until max below": until(0.5, termination_measure=max, termination_comparison_op="<", initial_value=[[4.0, 3.0]]),
    "transfer until converged": until(0.01),
    "transfer until converged below": until(0.01, termination_comparison_op="<"),
    "transfer until distance": until(0.01, termination_measure=lambda: pnl.Distance(metric=pnl.DIFFERENCE)),
    "transfer until euclidean": until(0.01, termination_measure=lambda: pnl.Distance(metric=pnl.EUCLIDEAN)),
    "transfer until number of passes": until(4, termination_measure=pnl.TimeScale.PASS),
    "transfer until number in trial": until(4, termination_measure=pnl.TimeScale.TRIAL),
    "transfer until number in time step": until(4, termination_measure=pnl.TimeScale.TIME_STEP, termination_comparison_op=">="),
    "transfer until number in run": until(4, termination_measure=pnl.TimeScale.RUN, termination_comparison_op=">="),
    "transfer until number in life": until(9, termination_measure=pnl.TimeScale.LIFE, termination_comparison_op=">="),
    "transfer until at most five": until(10.0, termination_measure=max, max_executions_before_finished=5),
    "transfer step by step": until(0.01, execute_until_finished=False),
    "transfer step by step max": until(0.5, execute_until_finished=False, termination_measure=max, noise=0.2),
    "transfer two ports": transfer(input_shapes=[2, 2], function=pnl.Logistic),
    "transfer two ports integrating": transfer(input_shapes=[2, 2], integrator_mode=True, integration_rate=0.3),
    "transfer ports of two sizes": transfer(input_shapes=[2, 3]),
    "transfer standard outputs": transfer(
        input_shapes=3, output_ports=[pnl.RESULT, pnl.MEAN, pnl.MEDIAN, pnl.STANDARD_DEVIATION, pnl.VARIANCE]
    ),
    "transfer combine outputs": transfer(input_shapes=[2, 2], output_ports=[pnl.COMBINE]),
    "transfer result and mean": transfer(output_ports=[pnl.RESULT, pnl.MEAN], function=pnl.Logistic),
    "transfer reset": transfer(integrator_mode=True, reset_stateful_function_when=lambda: pnl.AtTrialStart()),
    "transfer reset second trial": transfer(integrator_mode=True, reset_stateful_function_when=lambda: pnl.AtTrial(1)),
}

RECURRENT = {
    "recurrent": recurrent(),
    "recurrent auto": recurrent(auto=0.3),
    "recurrent auto array": recurrent(auto=[0.3, 0.6]),
    "recurrent hetero": recurrent(hetero=-0.4),
    "recurrent auto hetero": recurrent(auto=0.5, hetero=-0.4, function=pnl.Logistic),
    "recurrent hetero matrix": recurrent(auto=0.5, hetero=[[0.0, 0.2], [-0.3, 0.0]]),
    "recurrent matrix": recurrent(matrix=[[0.1, 0.2], [0.3, 0.4]]),
    "recurrent hollow": recurrent(input_shapes=3, matrix=pnl.HOLLOW_MATRIX),
    "recurrent inverse hollow": recurrent(input_shapes=3, matrix="InverseHollowMatrix"),
    "recurrent integrating": recurrent(auto=0.5, hetero=-0.1, integrator_mode=True, integration_rate=0.2),
    "recurrent noise": recurrent(auto=0.5, integrator_mode=True, noise=lambda: pnl.NormalDist(standard_deviation=0.1)),
    "recurrent port": recurrent(auto=0.5, hetero=-0.1, has_recurrent_input_port=True),
    "recurrent port integrating": recurrent(auto=0.5, has_recurrent_input_port=True, integrator_mode=True, function=pnl.Logistic),
    "recurrent combination": recurrent(
        auto=0.5, has_recurrent_input_port=True, combination_function=lambda: pnl.LinearCombination(operation=pnl.PRODUCT)
    ),
    "recurrent initial": recurrent(auto=0.5, initial_value=[[0.3, -0.3]]),
    "recurrent until converged": recurrent(auto=0.2, integrator_mode=True, termination_threshold=0.001, max_executions_before_finished=20),
    "recurrent energy": recurrent(auto=0.5, hetero=-0.2, output_ports=[pnl.RESULT, pnl.ENERGY]),
    "recurrent entropy": recurrent(function=pnl.Logistic, output_ports=[pnl.RESULT, pnl.ENTROPY]),
    "recurrent reset": recurrent(auto=0.5, integrator_mode=True, reset_stateful_function_when=lambda: pnl.AtTrialStart()),
}

LCA = {
    "lca": lca(),
    "lca leak competition": lca(leak=0.3, competition=0.7, self_excitation=0.1),
    "lca noise": lca(noise=lambda: pnl.NormalDist(standard_deviation=0.1)),
    "lca noise number": lca(noise=0.1),
    "lca time step": lca(time_step_size=0.05, leak=0.9),
    "lca threshold": lca(threshold=0.55, leak=0.1, competition=0.1),
    "lca linear threshold": lca(threshold=0.3, leak=0.1, competition=0.1, function=pnl.Linear),
    "lca threshold noise": lca(threshold=0.55, leak=0.1, competition=0.1, noise=lambda: pnl.NormalDist(standard_deviation=0.1)),
    "lca threshold relative": lca(threshold=0.02, threshold_criterion=pnl.MAX_VS_NEXT, leak=0.1),
    "lca threshold average": lca(threshold=0.02, threshold_criterion=pnl.MAX_VS_AVG, leak=0.1, input_shapes=3),
    "lca threshold convergence": lca(threshold=0.001, threshold_criterion=pnl.CONVERGENCE, leak=0.5),
    "lca step by step": lca(threshold=0.52, execute_until_finished=False),
    "lca reset": lca(reset_stateful_function_when=lambda: pnl.AtTrialStart()),
    "lca threshold reset": lca(threshold=0.55, leak=0.1, competition=0.1, reset_stateful_function_when=lambda: pnl.AtTrialStart()),
    "lca outputs": lca(input_shapes=3, output_ports=[pnl.RESULT, pnl.MAX_VS_NEXT, pnl.MAX_VS_AVG]),
    "lca softmax": lca(input_shapes=3, function=pnl.SoftMax),
    "lca clip": lca(clip=(0.0, 0.505)),
    "lca initial": lca(initial_value=[[0.2, 0.1]]),
}


def steps(**settings: Any) -> Any:
    """A diffusion of big steps."""
    return lambda: pnl.DriftDiffusionIntegrator(**{"rate": 1.0, "noise": 0.5, "threshold": 1.0, "time_step_size": 0.1} | settings)


ANALYTICAL = [
    pnl.DECISION_VARIABLE,
    pnl.RESPONSE_TIME,
    pnl.PROBABILITY_UPPER_THRESHOLD,
    pnl.PROBABILITY_LOWER_THRESHOLD,
    pnl.RT_CORRECT_MEAN,
    pnl.RT_CORRECT_VARIANCE,
    pnl.RT_CORRECT_SKEW,
    pnl.RT_INCORRECT_MEAN,
    pnl.RT_INCORRECT_VARIANCE,
    pnl.RT_INCORRECT_SKEW,
]

DDM = {
    "ddm": alone(lambda: pnl.DDM(name="node")),
    "ddm analytical": ddm(lambda: pnl.DriftDiffusionAnalytical(drift_rate=0.8, noise=0.7, starting_value=0.1, non_decision_time=0.2)),
    "ddm analytical compatible": ddm(lambda: pnl.DriftDiffusionAnalytical(noise=0.5, shenhav_et_al_compat_mode=True)),
    "ddm analytical outputs": ddm(lambda: pnl.DriftDiffusionAnalytical(noise=0.8), output_ports=ANALYTICAL),
    "ddm integrator": ddm(steps()),
    "ddm integrator without noise": ddm(steps(noise=0.0, rate=2.0), trials=2),
    "ddm integrator start": ddm(steps(initializer=0.3, non_decision_time=0.2, offset=0.05)),
    "ddm integrator reset": ddm(steps(), reset_stateful_function_when=lambda: pnl.AtTrialStart()),
    "ddm integrator step by step": ddm(steps(), execute_until_finished=False),
    "ddm integrator at most four": ddm(steps(), max_executions_before_finished=4),
    "ddm integrator outputs": ddm(
        steps(),
        output_ports=[pnl.DECISION_VARIABLE, pnl.RESPONSE_TIME, pnl.DECISION_OUTCOME, pnl.SELECTED_INPUT_ARRAY],
        input_format=pnl.ARRAY,
        reset_stateful_function_when=lambda: pnl.AtTrialStart(),
    ),
    "ddm integrator arrays": ddm(steps(), output_ports=[pnl.DECISION_VARIABLE_ARRAY, pnl.SELECTED_INPUT_ARRAY], input_format=pnl.ARRAY),
    "ddm analytical arrays": ddm(
        lambda: pnl.DriftDiffusionAnalytical(noise=0.8),
        output_ports=[pnl.DECISION_VARIABLE_ARRAY, pnl.SELECTED_INPUT_ARRAY],
        input_format=pnl.ARRAY,
    ),
    "ddm array": ddm(steps(), input_format=pnl.ARRAY),
    "ddm outcome": ddm(steps(), output_ports=[pnl.DECISION_VARIABLE, pnl.RESPONSE_TIME, pnl.DECISION_OUTCOME]),
    "ddm probabilities": ddm(
        lambda: pnl.DriftDiffusionAnalytical(noise=0.8), output_ports=[pnl.PROBABILITY_UPPER_THRESHOLD, pnl.DECISION_OUTCOME]
    ),
}

INTEGRATOR = {
    "integrator": alone(lambda: pnl.IntegratorMechanism(name="node", input_shapes=2)),
    "integrator simple": integrator(lambda: pnl.SimpleIntegrator(rate=0.3, offset=0.1, noise=0.05)),
    "integrator adaptive": integrator(lambda: pnl.AdaptiveIntegrator(rate=0.3)),
    "integrator adaptive noise": integrator(lambda: pnl.AdaptiveIntegrator(rate=[0.3, 0.5], noise=pnl.NormalDist())),
    "integrator accumulator": integrator(lambda: pnl.AccumulatorIntegrator(rate=0.9, increment=0.2)),
    "integrator accumulator noise": integrator(lambda: pnl.AccumulatorIntegrator(rate=0.9, noise=pnl.UniformDist())),
    "integrator leaky": integrator(lambda: pnl.LeakyCompetingIntegrator(rate=0.4, noise=0.1)),
    "integrator interactive": integrator(lambda: pnl.InteractiveActivationIntegrator(rate=0.2, decay=0.1, rest=0.05), size=1),
    "integrator diffusion": integrator(lambda: pnl.DriftDiffusionIntegrator(noise=0.4, threshold=2.0), size=1),
    "integrator ornstein": integrator(lambda: pnl.OrnsteinUhlenbeckIntegrator(decay=0.3, noise=0.2), size=1, refused="an additional axis"),
    "integrator fitzhugh": integrator(lambda: pnl.FitzHughNagumoIntegrator(time_step_size=0.1), size=1),
    "integrator fitzhugh euler": integrator(lambda: pnl.FitzHughNagumoIntegrator(time_step_size=0.1, integration_method="EULER"), size=1),
    "integrator reset": integrator(lambda: pnl.SimpleIntegrator(rate=0.3), reset_stateful_function_when=pnl.AtTrial(2)),
    "integrator reset diffusion": integrator(
        lambda: pnl.DriftDiffusionIntegrator(noise=0.4, initializer=[0.2, 0.1]), reset_stateful_function_when=pnl.AtTrial(2)
    ),
}

UNKNOWN = "is not supported"

OTHERS = {
    "objective": alone(lambda: pnl.ObjectiveMechanism(name="node")),
    "objective distance": alone(
        lambda: pnl.ObjectiveMechanism(name="node", default_variable=[[0.0, 0.0], [0.0, 0.0]], function=pnl.Distance(metric=pnl.EUCLIDEAN))
    ),
    "objective product": alone(
        lambda: pnl.ObjectiveMechanism(name="node", default_variable=[[0.0], [0.0]], function=pnl.LinearCombination(operation=pnl.PRODUCT))
    ),
    "comparator": alone(lambda: pnl.ComparatorMechanism(name="node", sample=[0.0, 0.0], target=[0.0, 0.0])),
    "memory in a ProcessingMechanism": alone(
        lambda: pnl.ProcessingMechanism(
            name="node", input_shapes=[2, 2], function=pnl.DictionaryMemory(initializer=[[[1.0, 0.0], [0.5, 0.5]]])
        )
    ),
    "prediction error": alone(
        lambda: pnl.PredictionErrorMechanism(name="node", sample=[0.0, 0.0, 0.0], target=[0.0, 0.0, 0.0]), refused=UNKNOWN
    ),
    "timer": alone(lambda: pnl.TimerMechanism(name="node", duration=3.0), refused=UNKNOWN),
    "episodic memory": alone(lambda: pnl.EpisodicMemoryMechanism(name="node", default_variable=[[0.0, 0.0]] * 2)),
    "episodic memory of fields of different lengths": alone(
        lambda: pnl.EpisodicMemoryMechanism(
            name="node",
            default_variable=[[0.0, 0.0, 0.0], [0.0]],
            function=pnl.ContentAddressableMemory(
                default_variable=[[0.0, 0.0, 0.0], [0.0]], distance_field_weights=[1.0, 0.5], max_entries=2, seed=5
            ),
        )
    ),
    "episodic memory of keys and values": alone(
        lambda: pnl.EpisodicMemoryMechanism(name="node", input_shapes=[2, 2], function=pnl.DictionaryMemory(rate=0.5))
    ),
    "kwta": alone(lambda: pnl.KWTAMechanism(name="node", input_shapes=4, k_value=2)),
}

GROUPS: dict[str, dict[str, Case]] = {
    "TransferMechanism": TRANSFER,
    "RecurrentTransferMechanism": RECURRENT,
    "LCAMechanism": LCA,
    "DDM": DDM,
    "IntegratorMechanism": INTEGRATOR,
    "Other Mechanisms": OTHERS,
}
"""The cases by what they are about."""

CASES: dict[str, Case] = {name: case for group in GROUPS.values() for name, case in group.items()}
