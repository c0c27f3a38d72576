"""A leaky competing accumulator: three units inhibit each other until one wins (Usher and McClelland 2001). Made for this project."""

import numpy as np
import psyneulink as pnl


def build() -> pnl.Composition:
    """An input layer, and an accumulator that starts anew in each trial and runs until its largest unit reaches 0.75."""
    stimulus = pnl.TransferMechanism(name="IN", input_shapes=3)
    lca = pnl.LCAMechanism(
        name="LCA",
        input_shapes=3,
        leak=0.5,
        self_excitation=0.1,
        competition=0.3,
        noise=pnl.NormalDist(standard_deviation=0.3),
        time_step_size=0.1,
        threshold=0.75,
        reset_stateful_function_when=pnl.AtTrialStart(),
    )
    return pnl.Composition(name="LCA_COMP", pathways=[[stimulus, lca]])


if __name__ == "__main__":
    composition = build()
    composition.run(inputs={"IN": [[1.0, 0.5, 0.2], [0.1, 0.9, 0.3]]}, num_trials=4)
    print(np.array(composition.results))
