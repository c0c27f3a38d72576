"""
Cases: each numeric Function as that of a Mechanism.

Other parameters, shapes and inputs of each are compared Function by Function (`test/unit/psyneulink/functions/test_library.py`).
"""

from __future__ import annotations

from support.psyneulink.cases import Case, alone, chain, function, node

import psyneulink as pnl

DISTRIBUTIONS = {
    "NormalDist": function(lambda: pnl.NormalDist(mean=0.5, standard_deviation=2.0), 2),
    "UniformDist": function(lambda: pnl.UniformDist(low=-2.0, high=1.0), 2),
    "ExponentialDist": function(lambda: pnl.ExponentialDist(beta=0.7), 2),
    "GammaDist": function(lambda: pnl.GammaDist(scale=0.5, dist_shape=0.7), 2),
    "WaldDist": function(lambda: pnl.WaldDist(scale=0.5, mean=2.0), 2),
    "UniformToNormalDist": function(lambda: pnl.UniformToNormalDist(mean=0.5, standard_deviation=2.0), 2),
    "DriftDiffusionAnalytical": function(lambda: pnl.DriftDiffusionAnalytical(noise=0.8), 1),
}

TRANSFERS = {
    "Identity": function(lambda: pnl.Identity(), 3),
    "Identity of two ports": function(lambda: pnl.Identity(), [2, 2]),
    "Identity of ports of two sizes": function(lambda: pnl.Identity(), [2, 3]),
    "Linear": function(lambda: pnl.Linear(slope=2.0, intercept=-0.5, scale=1.5, offset=0.1), 3),
    "Linear per element": function(lambda: pnl.Linear(slope=[2.0, 1.0, 0.5]), 3),
    "Linear of two ports": function(lambda: pnl.Linear(slope=2.0), [2, 2]),
    "Exponential": function(lambda: pnl.Exponential(rate=0.7, bias=0.2, scale=2.0, offset=-1.0), 3),
    "Logistic": function(lambda: pnl.Logistic(gain=2.0, bias=0.3, x_0=0.1, scale=1.5, offset=0.2), 3),
    "Tanh": function(lambda: pnl.Tanh(gain=2.0, bias=0.3, x_0=0.1, scale=1.5, offset=0.2), 3),
    "ReLU": function(lambda: pnl.ReLU(gain=2.0, bias=0.1, leak=0.2), 3),
    "Gaussian": function(lambda: pnl.Gaussian(standard_deviation=0.7, bias=0.2), 3),
    "GaussianDistort": function(lambda: pnl.GaussianDistort(variance=0.3, bias=0.1), 3),
    "GaussianDistort of two ports": function(lambda: pnl.GaussianDistort(variance=0.3), [2, 2]),
    "BinomialDistort": function(lambda: pnl.BinomialDistort(p=0.4), 3),
    "Dropout": function(lambda: pnl.Dropout(p=0.4), 3),
    "Normalize": function(lambda: pnl.Normalize(), 3),
    "SoftMax": function(lambda: pnl.SoftMax(gain=1.5), 4),
    "SoftMax MAX_VAL": function(lambda: pnl.SoftMax(output=pnl.MAX_VAL), 4),
    "SoftMax MAX_INDICATOR": function(lambda: pnl.SoftMax(output=pnl.MAX_INDICATOR), 4),
    "SoftMax PROB": function(lambda: pnl.SoftMax(output=pnl.PROB), 4),
    "SoftMax of two ports": function(lambda: pnl.SoftMax(per_item=True), [2, 2]),
    "SoftMax adaptive": function(lambda: pnl.SoftMax(gain=pnl.ADAPTIVE), 4),
    "TransferWithCosts": function(lambda: pnl.TransferWithCosts(), 1),
    "TransferWithCosts all": function(lambda: pnl.TransferWithCosts(enabled_cost_functions=pnl.CostFunctions.ALL), 1),
    "LinearTimer": function(lambda: pnl.LinearTimer(initial=0.1, final=2.0, duration=3.0), 2, low=0.0),
    "AcceleratingTimer": function(lambda: pnl.AcceleratingTimer(initial=0.1, final=2.0, duration=3.0), 2, low=0.0),
    "DeceleratingTimer": function(lambda: pnl.DeceleratingTimer(initial=0.1, final=2.0, duration=3.0, rate=2.0), 2, low=0.0),
    "AsymptoticTimer": function(lambda: pnl.AsymptoticTimer(initial=0.1, final=2.0, duration=3.0), 2, low=0.0),
}

TRANSFORMS = {
    "Concatenate": function(lambda: pnl.Concatenate(scale=2.0), [2, 3]),
    "Reduce": function(lambda: pnl.Reduce(), 3),
    "Reduce product": function(lambda: pnl.Reduce(operation=pnl.PRODUCT, weights=[1.0, 2.0, 3.0]), 3),
    "Reduce of two ports": function(lambda: pnl.Reduce(), [2, 2]),
    "LinearCombination": function(lambda: pnl.LinearCombination(scale=2.0, offset=0.5), [2, 2]),
    "LinearCombination product": function(lambda: pnl.LinearCombination(operation=pnl.PRODUCT), [2, 2]),
    "LinearCombination weights": function(lambda: pnl.LinearCombination(weights=[0.5, 2.0]), [2, 2]),
    "LinearCombination exponents": function(lambda: pnl.LinearCombination(exponents=[2.0, 1.0]), [2, 2], low=0.1),
    "LinearCombination of one port": function(lambda: pnl.LinearCombination(), 3),
    "MatrixTransform": function(lambda: pnl.MatrixTransform(default_variable=[[0.0, 0.0]], matrix=[[1.0, 2.0, 0.5], [0.5, -1.0, 0.2]]), 2),
    "MatrixTransform normalized": function(
        lambda: pnl.MatrixTransform(default_variable=[[0.0, 0.0]], matrix=[[1.0, 2.0], [0.5, -1.0]], normalize=True), 2
    ),
    "MatrixTransform distance": function(
        lambda: pnl.MatrixTransform(default_variable=[[0.0, 0.0]], matrix=[[1.0, 2.0], [0.5, -1.0]], operation=pnl.L0), 2
    ),
    "CombineMeans": function(lambda: pnl.CombineMeans(), [2, 2]),
    "CombineMeans product": function(lambda: pnl.CombineMeans(operation=pnl.PRODUCT), [2, 2]),
    "PredictionErrorDeltaFunction": function(
        lambda: pnl.PredictionErrorDeltaFunction(default_variable=[[0.0] * 3, [0.0] * 3], gamma=0.9), [3, 3]
    ),
}

OBJECTIVES = {
    "Distance": function(lambda: pnl.Distance(), [3, 3]),
    "Distance normalized": function(lambda: pnl.Distance(metric=pnl.EUCLIDEAN, normalize=True), [3, 3]),
    "Distance cosine": function(lambda: pnl.Distance(metric=pnl.COSINE), [3, 3]),
    "Distance correlation": function(lambda: pnl.Distance(metric=pnl.CORRELATION), [3, 3]),
    "Distance cross-entropy": function(lambda: pnl.Distance(metric=pnl.CROSS_ENTROPY), [3, 3], low=0.1),
    "Distance max abs": function(lambda: pnl.Distance(metric=pnl.MAX_ABS_DIFF), [3, 3]),
    "Stability": function(lambda: pnl.Stability(default_variable=[0.0] * 3), 3),
    "Stability of activations": function(
        lambda: pnl.Stability(default_variable=[0.0] * 3, metric=pnl.ENTROPY, transfer_fct=pnl.Logistic()), 3
    ),
    "Energy": function(lambda: pnl.Energy(default_variable=[0.0] * 3, normalize=True), 3),
    "Entropy": function(lambda: pnl.Entropy(default_variable=[0.0] * 3, transfer_fct=pnl.Logistic()), 3),
    "LossFunction": function(lambda: pnl.LossFunction(default_variable=[[0.0] * 3, [0.0] * 3]), [3, 3]),
    "OneHot": function(lambda: pnl.OneHot(), 4),
    "OneHot min abs": function(lambda: pnl.OneHot(mode=pnl.DETERMINISTIC, direction="min", abs_val=True), 4),
    "OneHot indicator": function(lambda: pnl.OneHot(indicator=True, mode=pnl.DETERMINISTIC), 4),
}

LEARNING = {
    "Hebbian": function(lambda: pnl.Hebbian(learning_rate=0.3), 3),
    "ContrastiveHebbian": function(lambda: pnl.ContrastiveHebbian(learning_rate=0.3), 3),
    "TDLearning": function(lambda: pnl.TDLearning(default_variable=[[0.0], [1.0], [0.0]], learning_rate=0.3), [1, 1, 1]),
}

MEMORIES = {
    "Buffer that grows": function(lambda: pnl.Buffer(history=3, initializer=[[0.0, 0.0]]), 2, refused="grows until it has 3 rows"),
    "DictionaryMemory": function(lambda: pnl.DictionaryMemory(initializer=[[[1.0, 0.0], [0.5, 0.5]]]), [2, 2]),
    "DictionaryMemory chance": function(
        lambda: pnl.DictionaryMemory(initializer=[[[1.0, 0.0], [0.5, 0.5]]], retrieval_prob=0.6, storage_prob=0.5), [2, 2]
    ),
}

PORTS = {
    f"{name} of an InputPort": chain(
        lambda: node("A", 2),
        lambda make=make: pnl.ProcessingMechanism(
            name="node", input_ports=[pnl.InputPort(name="in", variable=[0.0, 0.0], function=make())]
        ),
    )
    for name, make in {
        "Linear": lambda: pnl.Linear(slope=2.0, intercept=1.0),
        "Logistic": lambda: pnl.Logistic(gain=2.0),
        "weighted combination": lambda: pnl.LinearCombination(scale=2.0, offset=1.0),
        "SimpleIntegrator": lambda: pnl.SimpleIntegrator(rate=0.5),
        "AdaptiveIntegrator": lambda: pnl.AdaptiveIntegrator(rate=0.5, noise=0.1),
        "GaussianDistort": lambda: pnl.GaussianDistort(variance=0.5),
    }.items()
}

OUTPUTS = {
    f"{name} of an OutputPort": alone(
        lambda make=make: pnl.ProcessingMechanism(name="node", input_shapes=3, output_ports=[pnl.OutputPort(name="out", function=make())])
    )
    for name, make in {
        "Linear": lambda: pnl.Linear(slope=2.0, intercept=1.0),
        "Logistic": lambda: pnl.Logistic(gain=2.0),
        "SoftMax": lambda: pnl.SoftMax(),
        "OneHot": lambda: pnl.OneHot(),
        "SimpleIntegrator": lambda: pnl.SimpleIntegrator(rate=0.5),
        "Reduce": lambda: pnl.Reduce(),
        "LinearCombination": lambda: pnl.LinearCombination(scale=3.0),
        "GaussianDistort": lambda: pnl.GaussianDistort(variance=0.5),
        "NormalDist": lambda: pnl.NormalDist(),
    }.items()
}

GROUPS: dict[str, dict[str, Case]] = {
    "Distribution functions": DISTRIBUTIONS,
    "Transfer functions": TRANSFERS,
    "Transform functions": TRANSFORMS,
    "Objective and selection functions": OBJECTIVES,
    "Learning functions": LEARNING,
    "Memory functions": MEMORIES,
    "Functions of InputPorts": PORTS,
    "Functions of OutputPorts": OUTPUTS,
}
"""The cases by what they are about."""

CASES: dict[str, Case] = {name: case for group in GROUPS.values() for name, case in group.items()}
