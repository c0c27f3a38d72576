"""Oscillations of populations: the limit cycle of Wilson and Cowan (1972), and the alpha rhythm of Jansen and Rit (1995)."""

import numpy as np
from figures import arguments, draw

import cogir
from cogir import library

STEPS = 4000
CYCLE_STEP, COLUMN_STEP = 0.25, 0.0005
"""The time steps: in ms for Wilson and Cowan, in s for Jansen and Rit."""


def build() -> cogir.Model:
    """Both models side by side; they do not influence each other."""
    model = cogir.Model("oscillations")
    cycle = model.node("cycle", library.wilson_cowan, input={"variable": 1, "inhibitory_input": 1}, time_step_size=CYCLE_STEP)
    column = model.node("column", library.jansen_rit, input=1, time_step_size=COLUMN_STEP)
    model.input(cycle["variable"])
    model.input(column)
    model.output(cycle["excitatory"])
    model.output(cycle["inhibitory"])
    model.output(column["value"])
    return model


def period(values: np.ndarray) -> float:
    """The mean number of steps between upward crossings of the mean."""
    above = values > values.mean()
    starts = np.flatnonzero(~above[:-1] & above[1:])
    return float(np.diff(starts).mean())


if __name__ == "__main__":
    file = arguments(__doc__).figure
    inputs = {"cycle": {"variable": [[1.25]]}, "column": [[220.0]]}
    e, i, eeg = np.array(build().compile().run(inputs, num_trials=STEPS).results).reshape(STEPS, 3).T
    half = STEPS // 2
    print(f"Wilson-Cowan, P = 1.25: period {period(e[half:]) * CYCLE_STEP:.1f} ms, E between {e[half:].min():.3f} and {e[half:].max():.3f}")
    frequency = 1.0 / (period(eeg[half:]) * COLUMN_STEP)
    print(f"Jansen-Rit, p = 220/s:  {frequency:.1f} Hz, EEG between {eeg[half:].min():.2f} and {eeg[half:].max():.2f} mV")

    def paint(left, middle, right):
        left.plot(np.arange(STEPS // 4) * CYCLE_STEP, e[: STEPS // 4], label="E")
        left.plot(np.arange(STEPS // 4) * CYCLE_STEP, i[: STEPS // 4], label="I")
        left.set(xlabel="time (ms)", ylabel="active cells", title="Wilson-Cowan")
        left.legend()
        middle.plot(e, i)
        middle.set(xlabel="E", ylabel="I", title="limit cycle")
        right.plot(np.arange(half) * COLUMN_STEP, eeg[half:])
        right.set(xlabel="time (s)", ylabel="EEG (mV)", title="Jansen-Rit")

    draw(file, 3, paint, (4.0, 3.0))
