"""A chain of four layers: linear, logistic with memory, recurrent tanh, softmax. Made for this project."""

import numpy as np
import psyneulink as pnl


def build() -> pnl.Composition:
    """A (2) -> B (3) -> R (3, recurrent) -> O (2)."""
    a = pnl.TransferMechanism(name="A", input_shapes=2, function=pnl.Linear(slope=2.0, intercept=0.5))
    b = pnl.TransferMechanism(name="B", input_shapes=3, function=pnl.Logistic(gain=0.7), integrator_mode=True, integration_rate=0.3)
    r = pnl.RecurrentTransferMechanism(name="R", input_shapes=3, function=pnl.Tanh(), auto=0.2, hetero=-0.1)
    o = pnl.ProcessingMechanism(name="O", input_shapes=2, function=pnl.SoftMax())
    a_to_b = np.array([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]])
    b_to_r = np.array([[1.0, 0.2, 0.1], [0.3, 1.0, 0.2], [0.1, 0.1, 1.0]])
    r_to_o = np.array([[1.0, -1.0], [-0.5, 0.5], [0.25, -0.75]])
    return pnl.Composition(name="CHAIN", pathways=[[a, a_to_b, b, b_to_r, r, r_to_o, o]])


if __name__ == "__main__":
    chain = build()
    chain.run(inputs={"A": [[1.0, -0.5], [0.0, 0.4]]}, num_trials=4)
    print(np.array(chain.results))
