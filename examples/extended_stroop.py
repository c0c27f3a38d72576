"""The Stroop network with two responses, naming and pointing, each decided by a drift-diffusion process and rewarded together."""

from botvinick_stroop import BLANK, INPUTS, add_stroop

import cogir
from cogir import library
from cogir.library import Value

DECISION = {"drift_rate": 0.3, "threshold": 0.1654, "noise": 0.5, "non_decision_time": 0.2}


def color_evidence(activity: Value) -> Value:
    """The drift towards naming the colour."""
    return activity[0:1] - activity[1:2]


def pointing_evidence(activity: Value) -> Value:
    """The drift towards pointing, twice as strong."""
    return (activity[0:1] - activity[1:2]) * 2.0


def reward(color: Value, pointing: Value) -> Value:
    """What the two responses earn on average."""
    return 3.0 * color + 5.0 * pointing


def build(variant: str = "A") -> cogir.Model:
    """Variant "A" computes evidence and reward by functions, "B" by projection matrices and a product sum; the numbers are the same."""
    model = cogir.Model(f"extended_stroop_{variant.lower()}", prng="mt19937")
    response = add_stroop(model)
    color = model.node("DDM_COLOR", library.psyneulink.drift_diffusion_analytical, input=1, seed=0, **DECISION)
    pointing = model.node("DDM_POINT", library.psyneulink.drift_diffusion_analytical, input=1, seed=1, **DECISION)
    if variant == "A":
        color_drift = model.node("EVID_COLOR", color_evidence, input=2)
        pointing_drift = model.node("EVID_POINT", pointing_evidence, input=2)
        model.project(response["result"], color_drift)
        model.project(response["result"], pointing_drift)
        model.project(color_drift, color)
        model.project(pointing_drift, pointing)
        gain = model.node("REWARD", reward, input={"color": 1, "pointing": 1})
        model.project(color["probability_upper"], gain["color"])
        model.project(pointing["probability_upper"], gain["pointing"])
    else:
        model.project(response["result"], color, matrix=[[1.0], [-1.0]])
        model.project(response["result"], pointing, matrix=[[2.0], [-2.0]])
        gain = model.node("REWARD", input=1)
        model.project(color["probability_upper"], gain, matrix=[[3.0]])
        model.project(pointing["probability_upper"], gain, matrix=[[5.0]])
    model.output(gain)
    return model


if __name__ == "__main__":
    compiled = build().compile()
    for condition, stimulus in INPUTS.items():
        compiled.run(BLANK, num_trials=500, context=condition)
        result = compiled.run(stimulus, num_trials=1000, context=condition)
        print(f"{condition:12s} reward in the end {result['REWARD'][-1, 0]:.4f}")
