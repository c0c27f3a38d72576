"""
Blocking and latent inhibition
==============================

A stimulus learns nothing beside one that already predicts the outcome (Kamin 1969): the rule of Rescorla and Wagner (1972) says why. A
stimulus that was seen without an outcome is learned about more slowly (Lubow 1973): the associability of Pearce and Hall (1980) says why.
"""

import matplotlib.pyplot as plt
import numpy as np

import cogir
from cogir import library

LIGHT, BOTH = [1.0, 0.0], [1.0, 1.0]


def strengths(function, stimuli, outcomes, **parameters):
    """The associative strengths after each trial."""
    model = cogir.Model("conditioning")
    node = model.node("conditioning", function, input={"stimuli": len(stimuli[0]), "outcome": 1}, **parameters)
    model.output(node["weights"])
    return model.compile().run({"conditioning": {"stimuli": stimuli, "outcome": np.reshape(outcomes, (-1, 1))}})["conditioning", "weights"]


blocked = strengths(library.rescorla_wagner, [LIGHT] * 20 + [BOTH] * 20, np.ones(40), salience=0.2)
control = strengths(library.rescorla_wagner, [BOTH] * 20, np.ones(20), salience=0.2)
rule = {"salience": 0.3, "decay": 0.15}
exposed = strengths(library.hybrid_pearce_hall, [[1.0]] * 45, [0.0] * 20 + [1.0] * 25, **rule)[20:]
fresh = strengths(library.hybrid_pearce_hall, [[1.0]] * 25, np.ones(25), **rule)

# %%
# Left and middle: light and tone, with and without trials of the light alone before. Right: with and without exposure before.

figure, panels = plt.subplots(1, 3, figsize=(11, 3.2), sharey=True, layout="constrained")
for axes, course, title in ((panels[0], blocked, "light, then light and tone"), (panels[1], control, "light and tone")):
    axes.plot(np.arange(1, len(course) + 1), course, label=["light", "tone"])
    axes.set(title=title, xlabel="trial")
    axes.legend()
panels[2].plot(np.arange(1, 26), fresh[:, 0], label="control")
panels[2].plot(np.arange(1, 26), exposed[:, 0], label="exposed before")
panels[2].set(title="latent inhibition", xlabel="pairing")
panels[2].legend()
panels[0].set_ylabel("associative strength")

assert blocked[-1, 1] < 0.05 < 0.4 < control[-1, 1]
assert exposed[4, 0] < fresh[4, 0]
