"""
The Stroop network with two responses, naming and pointing, each decided by a drift-diffusion process and rewarded together.

Made for this project after the description in Vesely et al. 2022 ("Distill"). `python ext_stroop.py [A|B]`: variant A computes
evidence and reward by functions of the user, variant B by matrices and a weighted sum; the numbers are the same.
"""

import sys

import numpy as np
import psyneulink as pnl
from botvinick import BLANK, STIMULI
from botvinick import build as build_stroop


def evid_color(variable):
    """The drift towards naming the colour."""
    return variable[0][0] - variable[0][1]


def evid_point(variable):
    """The drift towards pointing, twice as strong."""
    return (variable[0][0] - variable[0][1]) * 2.0


def reward_fn(variable):
    """What the two responses earn on average."""
    return 3.0 * variable[0] + 5.0 * variable[1]


def decision(name: str) -> pnl.DDM:
    """A drift-diffusion decision in closed form."""
    return pnl.DDM(
        name=name,
        function=pnl.DriftDiffusionAnalytical(drift_rate=0.3, starting_value=0, threshold=0.1654, noise=0.5, non_decision_time=0.2),
        output_ports=[pnl.PROBABILITY_UPPER_THRESHOLD, pnl.RESPONSE_TIME],
    )


def build(variant: str = "A") -> pnl.Composition:
    """Variant "A" or "B"."""
    composition = build_stroop()
    composition.name = f"EXT_STROOP_{variant}"
    response = composition.nodes["RESPONSE"]
    color, pointing = decision("DDM_COLOR"), decision("DDM_POINT")
    composition.add_nodes([color, pointing])
    if variant == "A":
        color_drift = pnl.ProcessingMechanism(name="EVID_COLOR", input_shapes=2, function=evid_color)
        pointing_drift = pnl.ProcessingMechanism(name="EVID_POINT", input_shapes=2, function=evid_point)
        composition.add_nodes([color_drift, pointing_drift])
        composition.add_projection(pnl.MappingProjection(), response, color_drift)
        composition.add_projection(pnl.MappingProjection(), response, pointing_drift)
        composition.add_projection(pnl.MappingProjection(), color_drift, color)
        composition.add_projection(pnl.MappingProjection(), pointing_drift, pointing)
        total = pnl.ProcessingMechanism(name="REWARD", input_ports=["c", "p"], function=reward_fn)
    else:
        composition.add_projection(pnl.MappingProjection(matrix=np.array([[1.0], [-1.0]])), response, color)
        composition.add_projection(pnl.MappingProjection(matrix=np.array([[2.0], [-2.0]])), response, pointing)
        total = pnl.ProcessingMechanism(name="REWARD", input_ports=["c", "p"], function=pnl.LinearCombination(weights=[[3.0], [5.0]]))
    composition.add_node(total)
    for source, port in ((color, "c"), (pointing, "p")):
        composition.add_projection(pnl.MappingProjection(), source.output_ports[pnl.PROBABILITY_UPPER_THRESHOLD], total.input_ports[port])
    return composition


if __name__ == "__main__":
    stroop = build(*sys.argv[1:])
    for condition, stimulus in STIMULI.items():
        stroop.run(inputs=BLANK, num_trials=5, context=condition)
        result = stroop.run(inputs=stimulus, num_trials=10, context=condition)
        print(f"{condition:12s} reward in the end {result[0][0]:.6f}")
