"""A leaky competing accumulator: three units inhibit each other until one of them wins (Usher and McClelland 2001)."""

import numpy as np

import cogir
from cogir import library


def build(prng: str = "mt19937") -> cogir.Model:
    """An input layer and an accumulator that starts anew in each trial and executes until its largest unit reaches 0.75."""
    model = cogir.Model("lca")
    stimulus = model.node("IN", input=3)
    lca = model.node(
        "LCA",
        library.leaky_competing_accumulator,
        input=3,
        leak=0.5,
        noise=0.3,
        time_step_size=0.1,
        threshold=0.75,
        execute_until_finished=True,
        max_executions_before_finished=2**63 - 1,
        reset_each_trial=True,
        initial={"result": np.full(3, 0.5)},
        seed=0,
        prng=prng,
    )
    model.project(stimulus, lca)
    model.project(lca["result"], lca, matrix=np.where(np.eye(3), 0.1, -0.3), recurrent=True)
    model.output(lca["result"])
    return model


if __name__ == "__main__":
    result = build().compile().run({"IN": [[1.0, 0.5, 0.2], [0.1, 0.9, 0.3]]}, num_trials=4)
    for (activity,) in result.results:
        print(np.array_str(activity, precision=4))
