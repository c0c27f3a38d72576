"""Are two models the same? The Necker cube and its vectorised version, the Stroop models A and B, accumulators and drift diffusion."""

from extended_stroop import build as stroop
from necker_cube import build as necker

import cogir
from cogir import library

BOUNDED = {"execute_until_finished": True, "max_executions_before_finished": 2**62, "reset_each_trial": True}


def accumulator(leak: float = 0.0) -> cogir.Model:
    """A leaky competing accumulator of one unit, without competition."""
    model = cogir.Model("accumulator")
    model.output(model.node("lca", library.leaky_competing_accumulator, input=1, leak=leak, time_step_size=0.01)["result"])
    return model


def diffusion() -> cogir.Model:
    """Drift diffusion without bounds, read out by a logistic."""
    model = cogir.Model("diffusion", seed=7)
    decision = model.node("ddm", library.drift_diffusion_integrator, input=1, noise=1.0, time_step_size=0.01, threshold=float("inf"))
    read = model.node("read", library.logistic, input=1)
    model.project(decision["value"], read)
    model.output(read)
    return model


def decision() -> cogir.Model:
    """Drift diffusion to one of two bounds."""
    model = cogir.Model("decision")
    model.node("ddm", library.drift_diffusion_integrator, input=1, noise=1.0, threshold=1.0, time_step_size=0.001, **BOUNDED)
    return model


def main() -> None:
    print(cogir.analyze.equivalent(necker("m"), necker("vectorised")), end="\n\n")
    print(cogir.analyze.equivalent(stroop("A"), stroop("B")), end="\n\n")
    print(cogir.analyze.equivalent(accumulator(), diffusion()), end="\n\n")
    print(cogir.analyze.equivalent(accumulator(leak=0.1), diffusion(), find_parameters=True), end="\n\n")
    print(cogir.analyze.equivalent(accumulator(leak=0.1), diffusion()), end="\n\n")
    print(cogir.analyze.simplified(decision(), consent="limit"))


if __name__ == "__main__":
    main()
