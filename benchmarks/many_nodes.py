"""A generated model of many nodes: layers of logistic units with memory, each fed by three nodes before it."""

import numpy as np

import cogir
from cogir import library


def build(nodes: int, schedule: str = "static", *, span: int = 30, seed: int = 0) -> cogir.Model:
    """
    `nodes` nodes of two units, each with up to three senders among the `span` nodes before it: 1 makes a chain.

    `schedule`: "static" (all conditions are counts, the trial is straight-line code) or "residual" (every tenth node also waits for a
    value, so that passes are a loop with counters).
    """
    draw = np.random.default_rng(seed)
    model = cogir.Model(f"many_{nodes}_{schedule}")
    made: list[cogir.Node] = []
    for index in range(nodes):
        function = library.linear if index == 0 else (library.psyneulink.integrated_logistic if index % 3 else library.logistic)
        node = model.node(f"n{index}", function, input=2)
        first = max(0, index - span)
        for source in sorted(set(draw.integers(first, index, size=3).tolist())) if index else ():
            model.project(made[source], node, matrix=draw.normal(size=(2, 2)).round(3))
        if schedule == "residual" and index % 10 == 9:
            model.schedule.when(node, cogir.Threshold(made[index - 1], "value", 0.2, ">", indices=0) | cogir.AfterPass(1))
        made.append(node)
    model.output(made[-1])
    return model
