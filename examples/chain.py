"""A chain of four layers: linear, logistic with memory, recurrent tanh, softmax."""

import cogir
from cogir import library

RECURRENT = [[0.2, -0.1, -0.1], [-0.1, 0.2, -0.1], [-0.1, -0.1, 0.2]]


def build() -> cogir.Model:
    """A (2) -> B (3) -> R (3, recurrent) -> O (2)."""
    model = cogir.Model("chain")
    a = model.node("A", library.linear, input=2, slope=2.0, intercept=0.5)
    b = model.node("B", library.psyneulink.integrated_logistic, input=3, integration_rate=0.3, gain=0.7)
    r = model.node("R", library.psyneulink.tanh, input=3)
    o = model.node("O", library.softmax, input=2)
    model.project(a, b, matrix=[[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]])
    model.project(b, r, matrix=[[1.0, 0.2, 0.1], [0.3, 1.0, 0.2], [0.1, 0.1, 1.0]])
    model.project(r, r, matrix=RECURRENT, recurrent=True)
    model.project(r, o, matrix=[[1.0, -1.0], [-0.5, 0.5], [0.25, -0.75]])
    return model


if __name__ == "__main__":
    result = build().compile().run({"A": [[1.0, -0.5], [0.0, 0.4]]}, num_trials=4)
    print(result["O"])
