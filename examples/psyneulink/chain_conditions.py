"""Three nodes at three rates, and a trial that ends after two calls of the slowest. Made for this project."""

import numpy as np
import psyneulink as pnl


def build() -> pnl.Composition:
    """A -> B -> C; B runs at every second call of A, C at every third call of B."""
    a = pnl.TransferMechanism(name="A", integrator_mode=True, integration_rate=0.5)
    b = pnl.TransferMechanism(name="B", integrator_mode=True, integration_rate=0.25)
    c = pnl.TransferMechanism(name="C", function=pnl.Linear(slope=3.0))
    composition = pnl.Composition(name="CHAINC", pathways=[[a, b, c]])
    composition.scheduler.add_condition(b, pnl.EveryNCalls(a, 2))
    composition.scheduler.add_condition(c, pnl.EveryNCalls(b, 3))
    composition.termination_processing[pnl.TimeScale.TRIAL] = pnl.AfterNCalls(c, 2)
    return composition


if __name__ == "__main__":
    chain = build()
    chain.run(inputs={"A": [[1.0], [2.0], [-1.0]]}, num_trials=6)
    print(np.array(chain.results))
