"""
A bump that remembers an angle
==============================

Neurons on a ring that excite similar ones and inhibit all others hold a bump of activity: the angle of a cue after the cue has gone
(Ben-Yishai et al. 1995).
"""

import matplotlib.pyplot as plt
import numpy as np

import cogir
from cogir import library

UNITS, ANGLE = 64, 2.0
BEFORE, SHOWN, DELAY = 100, 250, 1000

model = cogir.Model("working_memory")
ring = model.node("ring", library.ring_attractor, input=UNITS, time_step_size=1.0)
for port in ("rates", "angle", "amplitude"):
    model.output(ring[port])

# %%
# A trial of the model is a step of 1 ms; the input is an array of all steps.

cue = 0.5 * np.cos(2.0 * np.pi * np.arange(UNITS) / UNITS - ANGLE)
drive = np.concatenate([np.zeros((BEFORE, UNITS)), np.tile(cue, (SHOWN, 1)), np.zeros((DELAY, UNITS))])
result = model.compile().run({"ring": drive})

figure, axes = plt.subplots(figsize=(7, 3.5), layout="constrained")
image = axes.imshow(result["ring", "rates"].T, aspect="auto", origin="lower", extent=(0, len(drive), 0.0, 360.0))
for edge in (BEFORE, BEFORE + SHOWN):
    axes.axvline(edge, color="w", linestyle=":")
axes.set(xlabel="time (ms)", ylabel="preferred angle (degrees)", title="the cue is shown between the dotted lines")
figure.colorbar(image, label="rate")

angle = float(np.ravel(result["ring", "angle"])[-1])
print(f"angle of the cue: {ANGLE:.3f} rad; after a second: {angle:.3f} rad")
assert abs(angle - ANGLE) < 0.05
