"""Spatial working memory: a bump of activity on a ring holds the angle of a cue after the cue has gone (Ben-Yishai et al. 1995)."""

import numpy as np
from figures import arguments, draw

import cogir
from cogir import library

UNITS, ANGLE = 64, 2.0
BEFORE, SHOWN, DELAY = 100, 250, 1000
"""Times in ms; a trial of the model is a step of 1 ms."""


def build() -> cogir.Model:
    """A ring of 64 units that prefer different angles."""
    model = cogir.Model("working_memory")
    node = model.node("ring", library.ring_attractor, input=UNITS, time_step_size=1.0)
    for port in ("rates", "angle", "amplitude"):
        model.output(node[port])
    return model


if __name__ == "__main__":
    file = arguments(__doc__).figure
    cue = 0.5 * np.cos(2.0 * np.pi * np.arange(UNITS) / UNITS - ANGLE)
    drive = [np.zeros(UNITS)] * BEFORE + [cue] * SHOWN + [np.zeros(UNITS)] * DELAY
    results = build().compile().run({"ring": drive}, num_trials=len(drive)).results
    rates = np.array([rates for rates, _, _ in results])
    for name, step in (("before the cue", BEFORE - 1), ("end of the cue", BEFORE + SHOWN - 1), ("1 s later", len(drive) - 1)):
        _, angle, amplitude = results[step]
        where = f"angle {float(angle):.3f} rad, " if float(amplitude) > 1e-6 else "no bump,         "
        print(f"{name:15s} {where} amplitude {float(amplitude):.3f}")
    print(f"the cue was at  angle {ANGLE:.3f} rad")

    def paint(axes):
        image = axes.imshow(rates.T, aspect="auto", origin="lower", extent=(0, len(drive), 0.0, 360.0))
        axes.axvline(BEFORE, color="w", linestyle=":")
        axes.axvline(BEFORE + SHOWN, color="w", linestyle=":")
        axes.set(xlabel="time (ms)", ylabel="preferred angle (degrees)", title="the cue is shown between the dotted lines")
        axes.figure.colorbar(image, label="rate")

    draw(file, 1, paint, (7.0, 3.5))
